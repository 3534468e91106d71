// device.c: an OpenCL device as a backend: buffers, launches, and what goes wrong.
//
// One queue, in order. Writes go through a ring in host memory, so that nobody waits for them; a
// read waits for all that came before it. A call that fails is taken down, and the step under way
// ends with that sentence: what ran since the last snapshot is lost, nothing else.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl/opencl.h"

#define GROUP      128u // work items in a group, where a kernel does not care
#define FILL_PIECE ((size_t)1 << 30)
#define STRIDE     32u // of lists: as many particles as a warp has threads

void oz_cl_note(oz_cl_device *d, cl_int code, const char *during)
{
	if (code == CL_SUCCESS || d->base.failure.code != OZ_OK)
		return;
	const bool memory =
	        code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
	oz_fail(&d->base.failure, memory ? OZ_ERROR_MEMORY : OZ_ERROR_DEVICE,
	        "%s failed in %s (%s); what came before the last snapshot is safe: go on from it, "
	        "%s",
	        d->name, during, oz_cl_error_name(code),
	        memory ? "with a larger spacing or on another device (--device)"
	               : "here or on another device (--device)");
}

// ---- time -------------------------------------------------------------------------------------

// adds up what the launches so far have taken; all of them are done
static void harvest(oz_cl_device *d)
{
	for (uint32_t k = 0; k < d->event_count; k++) {
		cl_ulong begin = 0, end = 0;
		d->api->clGetEventProfilingInfo(d->events[k].event, CL_PROFILING_COMMAND_START,
		                                sizeof begin, &begin, NULL);
		d->api->clGetEventProfilingInfo(d->events[k].event, CL_PROFILING_COMMAND_END,
		                                sizeof end, &end, NULL);
		d->api->clReleaseEvent(d->events[k].event);
		d->base.stage_ns[d->events[k].stage] += end > begin ? end - begin : 0;
	}
	d->event_count = 0;
}

static void finish(oz_cl_device *d)
{
	oz_cl_note(d, d->api->clFinish(d->queue), "waiting");
	d->ring_used = 0;
	harvest(d);
}

static cl_event *next_event(oz_cl_device *d)
{
	if (d->event_count == OZ_CL_EVENTS)
		finish(d);
	d->events[d->event_count].stage = d->base.stage;
	return &d->events[d->event_count].event;
}

// ---- buffers ----------------------------------------------------------------------------------

static oz_cl_buffer *buffer_of(const void *buffer)
{
	return (oz_cl_buffer *)(uintptr_t)buffer;
}

// piece by piece: a driver may count the words of a fill in 32 bits
static cl_int fill_zero(oz_cl_device *d, cl_mem memory, size_t size)
{
	const cl_uint zero = 0;
	cl_int status = CL_SUCCESS;
	for (size_t at = 0; at < size && status == CL_SUCCESS; at += FILL_PIECE) {
		const size_t left = size - at;
		status = d->api->clEnqueueFillBuffer(d->queue, memory, &zero, sizeof zero, at,
		                                     left < FILL_PIECE ? left : FILL_PIECE, 0, NULL,
		                                     NULL);
	}
	return status;
}

// A driver may put off taking memory until it is used: filling it finds out now.
static void *take_memory(oz_device *device, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0 || size > device->info.largest || device->apart + size > device->info.memory)
		return NULL;
	oz_cl_buffer *b = oz_heap_alloc(device->heap, sizeof *b);
	if (!b)
		return NULL;
	cl_int status;
	*b = (oz_cl_buffer){.size = (size + 3) / 4 * 4};
	b->memory = d->api->clCreateBuffer(d->context, CL_MEM_READ_WRITE, b->size, NULL, &status);
	if (status == CL_SUCCESS) {
		status = fill_zero(d, b->memory, b->size);
		if (status != CL_SUCCESS)
			d->api->clReleaseMemObject(b->memory);
	}
	if (status != CL_SUCCESS) {
		oz_heap_free(device->heap, b, sizeof *b);
		return NULL;
	}
	device->bytes += size;
	device->apart += size;
	return b;
}

static void cl_release(oz_device *device, void *buffer, size_t size)
{
	oz_cl_buffer *b = buffer;
	if (!b)
		return;
	oz_cl_of(device)->api->clReleaseMemObject(b->memory);
	oz_heap_free(device->heap, b->shadow, b->size);
	oz_heap_free(device->heap, b, sizeof *b);
	device->bytes -= size;
	device->apart -= size;
}

// What a scan of the whole buffer would need is taken with it: a launch has nobody to tell.
static void *cl_alloc(oz_device *device, size_t size)
{
	void *buffer = take_memory(device, size);
	if (buffer && !oz_cl_reserve_scan(oz_cl_of(device), size / sizeof(uint))) {
		cl_release(device, buffer, size);
		return NULL;
	}
	return buffer;
}

static void cl_read(oz_device *device, void *host, const void *buffer, size_t offset, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0)
		return;
	const cl_int status =
	        d->api->clEnqueueReadBuffer(d->queue, buffer_of(buffer)->memory, CL_TRUE, offset,
	                                    size, host, 0, NULL, NULL);
	if (status != CL_SUCCESS)
		memset(host, 0, size);
	oz_cl_note(d, status, "reading back");
	d->ring_used = 0;
	harvest(d);
}

static void write_now(oz_cl_device *d, const oz_cl_buffer *b, size_t offset, const void *host,
                      size_t size, cl_bool wait)
{
	oz_cl_note(d,
	           d->api->clEnqueueWriteBuffer(d->queue, b->memory, wait, offset, size, host, 0,
	                                        NULL, NULL),
	           "writing");
}

static void cl_write(oz_device *device, void *buffer, size_t offset, const void *host, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0)
		return;
	d->age++;
	if (size > OZ_CL_RING / 4) {
		write_now(d, buffer, offset, host, size, CL_TRUE);
		return;
	}
	if (d->ring_used + size > OZ_CL_RING)
		finish(d);
	char *place = d->ring + d->ring_used;
	memcpy(place, host, size);
	d->ring_used += (size + 63) / 64 * 64;
	write_now(d, buffer, offset, place, size, CL_FALSE);
}

static void cl_copy(oz_device *device, void *to, const void *from, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0)
		return;
	d->age++;
	const cl_int status =
	        d->api->clEnqueueCopyBuffer(d->queue, buffer_of(from)->memory,
	                                    buffer_of(to)->memory, 0, 0, size, 0, NULL,
	                                    d->base.timed ? next_event(d) : NULL);
	d->event_count += d->base.timed && status == CL_SUCCESS;
	oz_cl_note(d, status, "copying");
}

static void cl_clear(oz_device *device, void *buffer, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	d->age++;
	oz_cl_note(d, fill_zero(d, buffer_of(buffer)->memory, (size + 3) / 4 * 4), "clearing");
}

static const void *cl_look(oz_device *device, const void *buffer, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	oz_cl_buffer *b = buffer_of(buffer);
	if (!b || size > b->size)
		return NULL;
	if (!b->shadow)
		b->shadow = oz_heap_alloc(device->heap, b->size);
	const bool seen = b->shadow_age == d->age && b->shadow_size >= size;
	if (!b->shadow || seen)
		return b->shadow;
	cl_read(device, b->shadow, b, 0, size);
	b->shadow_age = d->age;
	b->shadow_size = size;
	return b->shadow;
}

uint *oz_cl_scratch(oz_cl_device *d, uint32_t which, size_t size)
{
	if (size <= d->scratch_size[which])
		return d->scratch[which];
	const size_t roomy = size + size / 4;
	uint *fresh = take_memory(&d->base, roomy);
	if (!fresh)
		return NULL;
	cl_release(&d->base, d->scratch[which], d->scratch_size[which]);
	d->scratch[which] = fresh;
	d->scratch_size[which] = roomy;
	return fresh;
}

// ---- launches ---------------------------------------------------------------------------------

// Over whole groups, of which the last may have spare items. After a failure, buffers hold
// anything: who follows an index in them would leave them.
static void run_kernel(oz_cl_device *d, const oz_cl_kernel *k, size_t groups, const char *name)
{
	if (d->base.failure.code != OZ_OK)
		return;
	const size_t whole = groups * k->group;
	d->age++;
	const cl_int status =
	        d->api->clEnqueueNDRangeKernel(d->queue, k->kernel, 1, NULL, &whole, &k->group, 0,
	                                       NULL, d->base.timed ? next_event(d) : NULL);
	d->event_count += d->base.timed && status == CL_SUCCESS;
	oz_cl_note(d, status, name);
}

static size_t groups_for(const oz_cl_kernel *k, size_t items)
{
	return (items + k->group - 1) / k->group;
}

static const char *const tool_names[OZ_CL_TOOL_COUNT] = {
#define TOOL_NAME(name) #name,
        OZ_CL_TOOLS(TOOL_NAME)
#undef TOOL_NAME
};

void oz_cl_set(oz_cl_device *d, oz_cl_tool tool, cl_uint index, size_t size, const void *value)
{
	oz_cl_note(d, d->api->clSetKernelArg(d->tools[tool].kernel, index, size, value),
	           tool_names[tool]);
}

void oz_cl_set_buffer(oz_cl_device *d, oz_cl_tool tool, cl_uint index, const void *buffer)
{
	const cl_mem memory = buffer ? buffer_of(buffer)->memory : NULL;
	oz_cl_set(d, tool, index, sizeof memory, &memory);
}

void oz_cl_run_tool(oz_cl_device *d, oz_cl_tool tool, size_t items)
{
	run_kernel(d, &d->tools[tool], groups_for(&d->tools[tool], items), tool_names[tool]);
}

void oz_cl_run_groups(oz_cl_device *d, oz_cl_tool tool, size_t groups)
{
	run_kernel(d, &d->tools[tool], groups, tool_names[tool]);
}

typedef struct arg_writer {
	oz_cl_device *device;
	cl_kernel kernel;
	cl_uint next;
	cl_int status;
} arg_writer;

static void put(arg_writer *w, size_t size, const void *value)
{
	const cl_int status = w->device->api->clSetKernelArg(w->kernel, w->next++, size, value);
	if (w->status == CL_SUCCESS)
		w->status = status;
}

static void put_buffer(arg_writer *w, const void *buffer)
{
	const cl_mem memory = buffer ? buffer_of(buffer)->memory : NULL;
	put(w, sizeof memory, &memory);
}

static void cl_launch(oz_device *device, oz_kernel_id id, uint32_t count, const void *args,
                      const oz_lists *lists)
{
	oz_cl_device *d = oz_cl_of(device);
	const oz_cl_signature *s = &oz_cl_signatures[id];
	arg_writer w = {.device = d, .kernel = d->kernels[id].kernel};
	if (count == 0)
		return;
	put_buffer(&w, device->go);
	put(&w, sizeof count, &count);
	if (lists) {
		put_buffer(&w, lists->list);
		put_buffer(&w, lists->start);
		put_buffer(&w, lists->count);
		put(&w, sizeof lists->stride, &lists->stride);
	}
	size_t offset = 0, record = 0;
	for (const oz_cl_arg *a = s->args; a->name; a++) {
		const char *value = (const char *)args + oz_cl_arg_offset(a, offset);
		offset = (size_t)(value - (const char *)args) + a->size;
		const void *buffer;
		if (a->is_buffer) {
			memcpy(&buffer, value, sizeof buffer);
			put_buffer(&w, buffer);
		} else {
			put(&w, a->size, value);
		}
		record = a->is_written ? a->record : record;
	}
	// a reduction joins its records in local memory
	const oz_cl_kernel *k = &d->kernels[id];
	if (s->way == OZ_CL_REDUCE)
		put(&w, k->group * record, NULL);
	if (s->way == OZ_CL_STAGE)
		put(&w, k->group * OZ_STAGE * sizeof(uint), NULL);
	oz_cl_note(d, w.status, s->name);
	run_kernel(d, k, s->way == OZ_CL_REDUCE ? count : groups_for(k, count), s->name);
}

// events cost time even where nobody asks for them: they have a queue of their own
static void cl_set_timed(oz_device *device, bool timed)
{
	oz_cl_device *d = oz_cl_of(device);
	finish(d);
	device->timed = timed;
	d->queue = timed ? d->profiling : d->plain;
}

// ---- making -----------------------------------------------------------------------------------

static void cl_destroy(oz_device *device)
{
	oz_cl_device *d = oz_cl_of(device);
	if (d->queue)
		finish(d);
	cl_release(device, device->total, 2 * sizeof *device->total);
	cl_release(device, device->go, sizeof *device->go);
	for (uint32_t k = 0; k < sizeof d->scratch / sizeof *d->scratch; k++)
		cl_release(device, d->scratch[k], d->scratch_size[k]);
	for (int k = 0; k < OZ_K_COUNT; k++)
		if (d->kernels[k].kernel)
			d->api->clReleaseKernel(d->kernels[k].kernel);
	for (int k = 0; k < OZ_CL_TOOL_COUNT; k++)
		if (d->tools[k].kernel)
			d->api->clReleaseKernel(d->tools[k].kernel);
	if (d->program)
		d->api->clReleaseProgram(d->program);
	if (d->plain)
		d->api->clReleaseCommandQueue(d->plain);
	if (d->profiling)
		d->api->clReleaseCommandQueue(d->profiling);
	if (d->context)
		d->api->clReleaseContext(d->context);
	oz_heap_free(device->heap, d->ring, OZ_CL_RING);
	oz_heap_free(device->heap, d, sizeof *d);
}

static const oz_device_ops cl_ops = {
        .name = "opencl",
        .destroy = cl_destroy,
        .alloc = cl_alloc,
        .release = cl_release,
        .read = cl_read,
        .read_every = oz_cl_read_every,
        .write = cl_write,
        .copy = cl_copy,
        .clear = cl_clear,
        .look = cl_look,
        .launch = cl_launch,
        .set_timed = cl_set_timed,
        .gather = oz_cl_gather,
        .scan = oz_cl_scan,
        .sort = oz_cl_sort,
};

static cl_int make_kernel(oz_cl_device *d, cl_device_id device, const char *name, oz_cl_kernel *k)
{
	cl_int status;
	size_t group[3] = {0, 0, 0};
	k->kernel = d->api->clCreateKernel(d->program, name, &status);
	if (status == CL_SUCCESS)
		status = d->api->clGetKernelWorkGroupInfo(k->kernel, device,
		                                          CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
		                                          sizeof group, group, NULL);
	k->group = group[0] ? group[0] : GROUP;
	size_t most = 0;
	if (status == CL_SUCCESS)
		status = d->api->clGetKernelWorkGroupInfo(k->kernel, device,
		                                          CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
		                                          &most, NULL);
	if (status == CL_SUCCESS && most < k->group)
		status = CL_INVALID_WORK_GROUP_SIZE;
	return status;
}

static oz_result make_kernels(oz_cl_device *d, cl_device_id device, oz_error *error)
{
	const char *name = "";
	cl_int status = CL_SUCCESS;
	for (int k = 0; k < OZ_K_COUNT && status == CL_SUCCESS; k++)
		status = make_kernel(d, device, name = oz_cl_signatures[k].name, &d->kernels[k]);
	for (int k = 0; k < OZ_CL_TOOL_COUNT && status == CL_SUCCESS; k++)
		status = make_kernel(d, device, name = tool_names[k], &d->tools[k]);
	if (status == CL_SUCCESS)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_DEVICE,
	               "%s cannot run kernel %s (%s); update its driver, or use the device cpu",
	               d->name, name, oz_cl_error_name(status));
}

static oz_result open_queue(oz_cl_device *d, const oz_cl_place *place, oz_error *error)
{
	cl_int status;
	d->context = d->api->clCreateContext(NULL, 1, &place->device, NULL, NULL, &status);
	if (status == CL_SUCCESS)
		d->queue = d->plain =
		        d->api->clCreateCommandQueue(d->context, place->device, 0, &status);
	if (status == CL_SUCCESS)
		d->profiling = d->api->clCreateCommandQueue(d->context, place->device,
		                                            CL_QUEUE_PROFILING_ENABLE, &status);
	if (status == CL_SUCCESS)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_DEVICE,
	               "%s cannot be opened (%s); see that no other program holds it, or use the "
	               "device cpu",
	               d->name, oz_cl_error_name(status));
}

static oz_result make_buffers(oz_cl_device *d, oz_error *error)
{
	const uint one = 1;
	d->ring = oz_heap_alloc(d->base.heap, OZ_CL_RING);
	d->base.total = cl_alloc(&d->base, 2 * sizeof *d->base.total);
	d->base.go = cl_alloc(&d->base, sizeof *d->base.go);
	if (!d->ring || !d->base.total || !d->base.go)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "%s has no memory left; close other programs, or use the device cpu",
		               d->name);
	cl_write(&d->base, d->base.go, 0, &one, sizeof one);
	finish(d);
	return d->base.failure.code == OZ_OK
	               ? OZ_OK
	               : oz_fail(error, d->base.failure.code, "%s", d->base.failure.text);
}

static void describe(const oz_cl_place *places, uint32_t number, oz_device_info *info)
{
	oz_cl_describe(&places[number], info);
	snprintf(info->address, sizeof info->address, "opencl:%u", number);
}

oz_result oz_device_opencl(oz_heap *heap, uint32_t number, oz_device **device, oz_error *error)
{
	oz_cl_place places[64];
	const uint32_t count = oz_cl_places(places, 64);
	*device = NULL;
	if (number >= count || number >= 64)
		return count ? oz_fail(error, OZ_ERROR_DEVICE,
		                       "there is no device opencl:%u, only %u of them; `ooze "
		                       "devices` lists them",
		                       number, count)
		             : oz_fail(error, OZ_ERROR_DEVICE,
		                       "no OpenCL device was found; install the driver of your GPU "
		                       "(docs/devices.md), or use the device cpu");
	oz_cl_device *d = oz_heap_alloc(heap, sizeof *d);
	if (!d)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the device; close other programs");
	memset(d, 0, sizeof *d);
	oz_device_info info;
	describe(places, number, &info);
	d->base = (oz_device){.ops = &cl_ops,
	                      .heap = heap,
	                      .info = info,
	                      .threads = info.units,
	                      .lanes = 1,
	                      .stride = STRIDE,
	                      .ahead = OZ_AHEAD,
	                      .queues = true};
	d->api = oz_cl();
	snprintf(d->name, sizeof d->name, "%s", info.name);
	oz_result result = open_queue(d, &places[number], error);
	if (result == OZ_OK)
		result = oz_cl_program(d->context, places[number].device, &d->program, error);
	if (result == OZ_OK)
		result = make_kernels(d, places[number].device, error);
	if (result == OZ_OK)
		result = make_buffers(d, error);
	if (result != OZ_OK) {
		cl_destroy(&d->base);
		return result;
	}
	*device = &d->base;
	return OZ_OK;
}

uint32_t oz_opencl_devices(oz_device_info *infos, uint32_t room)
{
	oz_cl_place places[64];
	const uint32_t count = oz_cl_places(places, 64);
	for (uint32_t k = 0; k < count && k < room && k < 64; k++)
		describe(places, k, &infos[k]);
	return count;
}
