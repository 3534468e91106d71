// buffers.c: memory of an OpenCL device, its first failure, and the times of its launches.
//
// There is one queue, in order. Small writes are copied to a ring in host memory, so that the
// caller does not wait; a read waits for all work queued before it. The first call that fails is
// recorded as the device's failure, and the present step ends with that sentence. Snapshots are not
// affected.
#include <string.h>

#include "device/opencl/opencl.h"

#define FILL_PIECE     ((size_t)1 << 30)
#define FILL_BY_DRIVER ((size_t)64 << 20)

void oz_cl_record_error(oz_cl_device *d, cl_int code, const char *during)
{
	if (code == CL_SUCCESS || d->base.failure.code != OZ_OK)
		return;
	const bool memory =
	        code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
	const char *stage = d->checked ? d->base.stage_name : NULL;
	oz_fail(&d->base.failure, memory ? OZ_ERROR_MEMORY : OZ_ERROR_DEVICE,
	        "%s failed in %s%s%s (%s); continue from the last snapshot, %s", d->name, during,
	        stage ? " of stage " : "", stage ? stage : "", oz_cl_error_name(code),
	        memory ? "with a larger spacing or on another device (--device)"
	               : "here or on another device (--device)");
}

void oz_cl_wait_if_checked(oz_cl_device *d, const char *during)
{
	if (d->checked)
		oz_cl_record_error(d, d->api->clFinish(d->queue), during);
}

// ---- time -------------------------------------------------------------------------------------

// Adds the times of finished launches to their stages and releases their events. The queue is
// empty.
static void collect_times(oz_cl_device *d)
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

void oz_cl_finish(oz_cl_device *d)
{
	oz_cl_record_error(d, d->api->clFinish(d->queue), "waiting");
	d->ring_used = 0;
	collect_times(d);
}

// Waits for all launches and adds up their times when no event is left.
cl_event *oz_cl_next_event(oz_cl_device *d)
{
	if (d->event_count == OZ_CL_EVENTS)
		oz_cl_finish(d);
	d->events[d->event_count].stage = d->base.stage;
	return &d->events[d->event_count].event;
}

// ---- buffers ----------------------------------------------------------------------------------

// queues zeros for a part of a buffer, at most FILL_PIECE bytes
static cl_int fill_piece(oz_cl_device *d, cl_mem memory, size_t at, size_t size)
{
	const oz_cl_kernel *k = &d->tools[OZ_CL_clear_words];
	const cl_ulong first = at / sizeof(uint);
	const cl_uint words = (cl_uint)(size / sizeof(uint));
	const size_t items = (words + k->group - 1) / k->group * k->group;
	cl_int status = d->api->clSetKernelArg(k->kernel, 0, sizeof memory, &memory);
	if (status == CL_SUCCESS)
		status = d->api->clSetKernelArg(k->kernel, 1, sizeof first, &first);
	if (status == CL_SUCCESS)
		status = d->api->clSetKernelArg(k->kernel, 2, sizeof words, &words);
	if (status == CL_SUCCESS)
		status = d->api->clEnqueueNDRangeKernel(d->queue, k->kernel, 1, NULL, &items,
		                                        &k->group, 0, NULL, NULL);
	return status;
}

// Queues zeros for the first `size` bytes of a buffer. Large ones are written by a kernel of ours:
// clEnqueueFillBuffer of NVIDIA's driver 580 ends the queue at offsets of 8 GiB (2³¹ words) and
// more.
static cl_int fill_zero(oz_cl_device *d, cl_mem memory, size_t size)
{
	const cl_uint zero = 0;
	cl_int status = CL_SUCCESS;
	if (size <= FILL_BY_DRIVER)
		return size ? d->api->clEnqueueFillBuffer(d->queue, memory, &zero, sizeof zero, 0,
		                                          size, 0, NULL, NULL)
		            : CL_SUCCESS;
	for (size_t at = 0; at < size && status == CL_SUCCESS; at += FILL_PIECE) {
		const size_t left = size - at;
		status = fill_piece(d, memory, at, left < FILL_PIECE ? left : FILL_PIECE);
	}
	return status;
}

// Allocates a buffer and fills it with zeros: a driver may delay the allocation until first use,
// and a failure must appear now. NULL when out of memory.
static void *alloc_zeroed(oz_device *device, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0 || size > device->info.largest ||
	    device->device_bytes + size > device->info.memory)
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
	device->device_bytes += size;
	oz_cl_wait_if_checked(d, "clearing a new buffer");
	return b;
}

void oz_cl_release(oz_device *device, void *buffer, size_t size)
{
	oz_cl_buffer *b = buffer;
	if (!b)
		return;
	oz_cl_of(device)->api->clReleaseMemObject(b->memory);
	oz_heap_free(device->heap, b->shadow, b->size);
	oz_heap_free(device->heap, b, sizeof *b);
	device->bytes -= size;
	device->device_bytes -= size;
}

// Also reserves the scratch that a scan of the whole buffer needs, because a scan cannot return an
// error.
void *oz_cl_alloc(oz_device *device, size_t size)
{
	void *buffer = alloc_zeroed(device, size);
	if (buffer && !oz_cl_reserve_scan(oz_cl_of(device), size / sizeof(uint))) {
		oz_cl_release(device, buffer, size);
		return NULL;
	}
	return buffer;
}

void oz_cl_read(oz_device *device, void *host, const void *buffer, size_t offset, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0)
		return;
	const cl_int status =
	        d->api->clEnqueueReadBuffer(d->queue, oz_cl_buffer_of(buffer)->memory, CL_TRUE,
	                                    offset, size, host, 0, NULL, NULL);
	if (status != CL_SUCCESS)
		memset(host, 0, size);
	oz_cl_record_error(d, status, "reading back");
	d->ring_used = 0;
	collect_times(d);
}

// Queues a write; if `wait` is false, `host` must stay unchanged until the queue is empty.
static void queue_write(oz_cl_device *d, const oz_cl_buffer *b, size_t offset, const void *host,
                        size_t size, cl_bool wait)
{
	oz_cl_record_error(d,
	                   d->api->clEnqueueWriteBuffer(d->queue, b->memory, wait, offset, size,
	                                                host, 0, NULL, NULL),
	                   "writing");
	oz_cl_wait_if_checked(d, "writing");
}

void oz_cl_write(oz_device *device, void *buffer, size_t offset, const void *host, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0)
		return;
	d->age++;
	if (size > OZ_CL_RING / 4) {
		queue_write(d, buffer, offset, host, size, CL_TRUE);
		return;
	}
	if (d->ring_used + size > OZ_CL_RING)
		oz_cl_finish(d);
	char *place = d->ring + d->ring_used;
	memcpy(place, host, size);
	d->ring_used += (size + 63) / 64 * 64;
	queue_write(d, buffer, offset, place, size, CL_FALSE);
}

void oz_cl_copy(oz_device *device, void *to, const void *from, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (size == 0)
		return;
	d->age++;
	const cl_int status =
	        d->api->clEnqueueCopyBuffer(d->queue, oz_cl_buffer_of(from)->memory,
	                                    oz_cl_buffer_of(to)->memory, 0, 0, size, 0, NULL,
	                                    d->base.timed ? oz_cl_next_event(d) : NULL);
	d->event_count += d->base.timed && status == CL_SUCCESS;
	oz_cl_record_error(d, status, "copying");
	oz_cl_wait_if_checked(d, "copying");
}

void oz_cl_clear(oz_device *device, void *buffer, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	d->age++;
	oz_cl_record_error(d, fill_zero(d, oz_cl_buffer_of(buffer)->memory, (size + 3) / 4 * 4),
	                   "clearing");
	oz_cl_wait_if_checked(d, "clearing");
}

const void *oz_cl_view(oz_device *device, const void *buffer, size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	oz_cl_buffer *b = oz_cl_buffer_of(buffer);
	if (!b || size > b->size)
		return NULL;
	if (!b->shadow)
		b->shadow = oz_heap_alloc(device->heap, b->size);
	const bool current = b->shadow_age == d->age && b->shadow_size >= size;
	if (!b->shadow || current)
		return b->shadow;
	oz_cl_read(device, b->shadow, b, 0, size);
	b->shadow_age = d->age;
	b->shadow_size = size;
	return b->shadow;
}

uint *oz_cl_scratch(oz_cl_device *d, uint32_t which, size_t size)
{
	if (size <= d->scratch_size[which])
		return d->scratch[which];
	const size_t roomy = size + size / 4;
	uint *fresh = alloc_zeroed(&d->base, roomy);
	if (!fresh)
		return NULL;
	oz_cl_release(&d->base, d->scratch[which], d->scratch_size[which]);
	d->scratch[which] = fresh;
	d->scratch_size[which] = roomy;
	return fresh;
}
