// device.c: makes and destroys an OpenCL device; its table of functions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl/opencl.h"

#define STRIDE 32u // of lists: the number of threads in a warp
#define SAMPLE                                                                                     \
	16384u // bytes of scratch reserved for read_every, which cannot report that memory is out

#define REPORT_BYTES  (sizeof(uint) * OZ_REPORT_WORDS)
#define NOWHERE_BYTES 4096u // more than a record of any buffer

extern const char oz_tools_text[]; // tools.cl, from the build

static void cl_destroy(oz_device *device)
{
	oz_cl_device *d = oz_cl_of(device);
	if (d->queue)
		oz_cl_finish(d);
	oz_cl_release(device, device->total, 2 * sizeof *device->total);
	oz_cl_release(device, device->go, sizeof *device->go);
	oz_cl_release(device, d->report, REPORT_BYTES);
	oz_cl_release(device, d->nowhere, NOWHERE_BYTES);
	for (uint32_t k = 0; k < sizeof d->scratch / sizeof *d->scratch; k++)
		oz_cl_release(device, d->scratch[k], d->scratch_size[k]);
	oz_cl_free_packs(d);
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
        .alloc = oz_cl_alloc,
        .release = oz_cl_release,
        .read = oz_cl_read,
        .read_every = oz_cl_read_every,
        .write = oz_cl_write,
        .copy = oz_cl_copy,
        .clear = oz_cl_clear,
        .view = oz_cl_view,
        .prepare = oz_cl_prepare,
        .can_launch = oz_cl_can_launch,
        .launch = oz_cl_launch,
        .set_timed = oz_cl_set_timed,
        .gather = oz_cl_gather,
        .scan = oz_cl_scan,
        .sort = oz_cl_sort,
};

// makes the kernels of tools.cl
static oz_result make_tools(oz_cl_device *d, oz_error *error)
{
	const char *name = "";
	cl_int status = CL_SUCCESS;
	for (int k = 0; k < OZ_CL_TOOL_COUNT && status == CL_SUCCESS; k++)
		status = oz_cl_make_kernel(d, d->program, name = oz_cl_tool_names[k], &d->tools[k]);
	if (status == CL_SUCCESS)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_DEVICE,
	               "%s cannot run kernel %s (%s); update its driver, or use the device cpu",
	               d->name, name, oz_cl_error_name(status));
}

// makes the context and both queues
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
	               "%s cannot be opened (%s); end other programs that use it, or use the "
	               "device "
	               "cpu",
	               d->name, oz_cl_error_name(status));
}

// allocates the buffers that every device has
static oz_result make_buffers(oz_cl_device *d, oz_error *error)
{
	const uint one = 1;
	d->ring = oz_heap_alloc(d->base.heap, OZ_CL_RING);
	d->base.total = oz_cl_alloc(&d->base, 2 * sizeof *d->base.total);
	d->base.go = oz_cl_alloc(&d->base, sizeof *d->base.go);
	const bool sample = oz_cl_scratch(d, 0, SAMPLE);
	if (d->checked) {
		d->report = oz_cl_alloc(&d->base, REPORT_BYTES);
		d->nowhere = oz_cl_alloc(&d->base, NOWHERE_BYTES);
	}
	const bool whole = !d->checked || (d->report && d->nowhere);
	if (!whole || !d->ring || !d->base.total || !d->base.go || !sample)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "%s has no memory left; close other programs, or use the device cpu",
		               d->name);
	oz_cl_write(&d->base, d->base.go, 0, &one, sizeof one);
	oz_cl_finish(d);
	return d->base.failure.code == OZ_OK
	               ? OZ_OK
	               : oz_fail(error, d->base.failure.code, "%s", d->base.failure.text);
}

// whether OOZE_CHECK_DEVICE is set and not 0
static bool is_checked(void)
{
	const char *value = getenv("OOZE_CHECK_DEVICE");
	return value && value[0] && strcmp(value, "0") != 0;
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
		                       "there is no device opencl:%u (found: %u); choose one that "
		                       "`ooze devices` lists",
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
	d->id = places[number].device;
	snprintf(d->name, sizeof d->name, "%s", info.name);
	d->checked = is_checked();
	oz_result result = open_queue(d, &places[number], error);
	if (result == OZ_OK)
		result = oz_cl_program(d->context, d->id, oz_tools_text, &heap->hooks, &d->program,
		                       error);
	if (result == OZ_OK)
		result = make_tools(d, error);
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
