// launch.c: sets the arguments of kernels and queues them.
#include <string.h>

#include "device/opencl/opencl.h"

// Queues a kernel over whole groups; items beyond the count do nothing. After a failure it queues
// nothing: buffers may hold wrong indices, and a kernel would access memory outside of them.
static void run_kernel(oz_cl_device *d, const oz_cl_kernel *k, size_t groups, const char *name)
{
	if (d->base.failure.code != OZ_OK)
		return;
	const size_t whole = groups * k->group;
	d->age++;
	const cl_int status =
	        d->api->clEnqueueNDRangeKernel(d->queue, k->kernel, 1, NULL, &whole, &k->group, 0,
	                                       NULL, d->base.timed ? oz_cl_next_event(d) : NULL);
	d->event_count += d->base.timed && status == CL_SUCCESS;
	oz_cl_record_error(d, status, name);
	oz_cl_wait_if_checked(d, name);
}

static size_t groups_for(const oz_cl_kernel *k, size_t items)
{
	return (items + k->group - 1) / k->group;
}

const char *const oz_cl_tool_names[OZ_CL_TOOL_COUNT] = {
#define TOOL_NAME(name) #name,
        OZ_CL_TOOLS(TOOL_NAME)
#undef TOOL_NAME
};

void oz_cl_set(oz_cl_device *d, oz_cl_tool tool, cl_uint index, size_t size, const void *value)
{
	oz_cl_record_error(d, d->api->clSetKernelArg(d->tools[tool].kernel, index, size, value),
	                   oz_cl_tool_names[tool]);
}

void oz_cl_set_buffer(oz_cl_device *d, oz_cl_tool tool, cl_uint index, const void *buffer)
{
	const cl_mem memory = buffer ? oz_cl_buffer_of(buffer)->memory : NULL;
	oz_cl_set(d, tool, index, sizeof memory, &memory);
}

void oz_cl_run_tool(oz_cl_device *d, oz_cl_tool tool, size_t items)
{
	run_kernel(d, &d->tools[tool], groups_for(&d->tools[tool], items), oz_cl_tool_names[tool]);
}

void oz_cl_run_groups(oz_cl_device *d, oz_cl_tool tool, size_t groups)
{
	run_kernel(d, &d->tools[tool], groups, oz_cl_tool_names[tool]);
}

typedef struct arg_writer {
	oz_cl_device *device;
	cl_kernel kernel;
	cl_uint next;
	cl_int status;
} arg_writer;

// sets the next argument; keeps the first error
static void put(arg_writer *w, size_t size, const void *value)
{
	const cl_int status = w->device->api->clSetKernelArg(w->kernel, w->next++, size, value);
	if (w->status == CL_SUCCESS)
		w->status = status;
}

static void put_buffer(arg_writer *w, const void *buffer)
{
	const bool given = buffer && buffer != OZ_NO_BUFFER;
	const cl_mem memory = given ? oz_cl_buffer_of(buffer)->memory : NULL;
	put(w, sizeof memory, &memory);
}

// a buffer of records, and for a checked device the number of them
static void put_records(arg_writer *w, const void *buffer, size_t record)
{
	const bool given = buffer && buffer != OZ_NO_BUFFER;
	const cl_ulong count = given ? oz_cl_buffer_of(buffer)->size / record : 0;
	put_buffer(w, given ? buffer : w->device->nowhere);
	if (w->device->checked)
		put(w, sizeof count, &count);
}

void oz_cl_launch(oz_device *device, const oz_kernel *kernel, uint32_t count, const void *args,
                  const oz_lists *lists)
{
	oz_cl_device *d = oz_cl_of(device);
	const oz_cl_kernel *k = count && oz_launch_is_sound(device, kernel, args)
	                                ? oz_cl_find_kernel(d, kernel)
	                                : NULL;
	if (!k)
		return;
	arg_writer w = {.device = d, .kernel = k->kernel};
	put_buffer(&w, device->go);
	if (d->checked)
		put_buffer(&w, d->report);
	put(&w, sizeof count, &count);
	if (lists) {
		put_records(&w, lists->list, sizeof *lists->list);
		put_records(&w, lists->start, sizeof *lists->start);
		put_records(&w, lists->count, sizeof *lists->count);
		put(&w, sizeof lists->stride, &lists->stride);
	}
	size_t offset = 0;
	for (const oz_kernel_arg *a = kernel->args; a->name; a++) {
		const char *value = (const char *)args + oz_kernel_arg_offset(a, offset);
		offset = (size_t)(value - (const char *)args) + a->size;
		const void *buffer;
		if (a->is_buffer) {
			memcpy(&buffer, value, sizeof buffer);
			put_records(&w, buffer, a->record);
		} else {
			put(&w, a->size, value);
		}
	}
	// a reduction joins its records in local memory
	const bool reduces = kernel->way == OZ_WAY_REDUCE;
	if (reduces)
		put(&w, k->group * kernel->record, NULL);
	if (kernel->way == OZ_WAY_LOCAL)
		put(&w, k->group * OZ_LOCAL_WORDS * sizeof(uint), NULL);
	oz_cl_record_error(d, w.status, kernel->name);
	run_kernel(d, k, reduces ? (count - 1) / OZ_GROUP + 1 : groups_for(k, count), kernel->name);
	if (d->checked)
		oz_cl_check_report(d, kernel);
}

// Profiling slows a queue down even if no event is read: timed launches use a second queue.
void oz_cl_set_timed(oz_device *device, bool timed)
{
	oz_cl_device *d = oz_cl_of(device);
	oz_cl_finish(d);
	device->timed = timed;
	d->queue = timed ? d->profiling : d->plain;
}
