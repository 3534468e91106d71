// device.h: a device owns buffers and runs kernels over ranges of items.
//
// Host code names a kernel and fills its argument struct (kernel.h). Buffers are typed pointers
// that host code must not dereference: it uses read, write and view. Every operation gives the same
// bits on any number of threads: work is cut at fixed places, and partial results are joined in
// order.
#ifndef OZ_DEVICE_H
#define OZ_DEVICE_H

#include "base/base.h"
#include "device/kernel.h"
#include "device/pack.h"

#define OZ_DEVICE_STAGES 32u // stages for which the time of launches is summed
#define OZ_AHEAD         32u // most steps that a device may be ahead of the host

typedef struct oz_device oz_device;

// The table of functions that a backend implements.
typedef struct oz_device_ops {
	const char *name;
	void (*destroy)(oz_device *device);
	void *(*alloc)(oz_device *device, size_t size);
	void (*release)(oz_device *device, void *buffer, size_t size);
	void (*read)(oz_device *device, void *host, const void *buffer, size_t offset, size_t size);
	void (*write)(oz_device *device, void *buffer, size_t offset, const void *host,
	              size_t size);
	// reads `count` pieces of `size` bytes, one every `stride` bytes, into `host`, packed
	void (*read_every)(oz_device *device, void *host, const void *buffer, size_t size,
	                   size_t stride, uint32_t count);
	void (*copy)(oz_device *device, void *to, const void *from, size_t size);
	void (*clear)(oz_device *device, void *buffer, size_t size); // to zero
	// a host view of the first `size` bytes, read only, valid until the next launch, write or
	// release; NULL when out of memory
	const void *(*view)(oz_device *device, const void *buffer, size_t size);
	// builds a pack now instead of at the first launch of one of its kernels; NULL: nothing to
	// build
	oz_result (*prepare)(oz_device *device, const oz_kernel_pack *pack, oz_error *error);
	// whether the device has the kernel; kernels of OZ_WAY_CPU may be missing
	bool (*can_launch)(const oz_device *device, const oz_kernel *kernel);
	void (*launch)(oz_device *device, const oz_kernel *kernel, uint32_t count, const void *args,
	               const oz_lists *lists);
	// out[i] = in[index[i]], for elements of `size` bytes
	void (*gather)(oz_device *device, void *out, const void *in, const uint *index,
	               uint32_t count, size_t size);
	void (*scan)(oz_device *device, uint *values, uint32_t count); // see oz_device_scan
	// see oz_device_sort
	oz_result (*sort)(oz_device *device, uint *keys, uint *values, uint *spare_keys,
	                  uint *spare_values, uint32_t count, uint32_t bits, oz_error *error);
	void (*set_timed)(oz_device *device, bool timed); // NULL: the device has no queue
} oz_device_ops;

struct oz_device {
	const oz_device_ops *ops;
	oz_heap *heap;
	oz_device_info info;
	uint32_t threads;
	uint32_t lanes;      // floats in a SIMD vector of its kernels
	uint32_t stride;     // of lists: from one entry of a particle to its next
	size_t bytes;        // allocated by buffers
	size_t device_bytes; // of these, in memory that is not the host's
	oz_sum *total;       // two sums on the device, for kernels that count

	// A device may queue several steps before the host reads the results of the first. A kernel
	// that sets *go to 0 makes all kernels queued behind it do nothing.
	uint *go;       // on the device
	uint32_t ahead; // most steps that may be queued before the host reads a result

	// If the device has a queue, calls return before their work is done. If it is timed, the
	// time of each launch is added to stage_ns[stage] when the host waits for the queue.
	bool queues, timed;
	uint32_t stage;         // of the launches that follow
	const char *stage_name; // of it; NULL: not in a step
	uint64_t stage_ns[OZ_DEVICE_STAGES];

	oz_error failure; // the first one; results after it are not valid
};

// Makes the device that runs on threads of this machine; 0 threads means one for each core. Kernels
// use vectors of oz_cpu_width().
oz_result oz_device_cpu(oz_heap *heap, uint32_t threads, oz_device **device, oz_error *error);

// Makes the OpenCL device with this number in the list of oz_opencl_devices.
oz_result oz_device_opencl(oz_heap *heap, uint32_t number, oz_device **device, oz_error *error);
// Describes the OpenCL devices of this machine, at most `room`; returns how many there are.
uint32_t oz_opencl_devices(oz_device_info *infos, uint32_t room);

// Makes the device of an address (oz_world_def.device): cpu, opencl, opencl:2. NULL or "" means
// OOZE_DEVICE of the environment, else cpu.
oz_result oz_device_open(oz_heap *heap, const char *address, uint32_t threads, oz_device **device,
                         oz_error *error);

// Returns the number of a vector width: 0, 1, 2 for 4, 8, 16 floats. It is the widest that the
// processor has, but at most OOZE_LANES of the environment.
uint32_t oz_cpu_width(void);

// Builds a pack of kernels for a device, so that a failure is reported now and not by a launch.
static inline oz_result oz_device_prepare(oz_device *d, const oz_kernel_pack *pack, oz_error *error)
{
	return d->ops->prepare ? d->ops->prepare(d, pack, error) : OZ_OK;
}

// Returns the first failure of the device; OZ_OK if there was none.
static inline oz_result oz_device_check(const oz_device *d, oz_error *error)
{
	if (d->failure.code == OZ_OK)
		return OZ_OK;
	return oz_fail(error, d->failure.code, "%s", d->failure.text);
}

// Begins a stage: the launches that follow are timed as its own and named by it.
static inline void oz_device_begin_stage(oz_device *d, uint32_t stage, const char *name)
{
	d->stage = stage;
	d->stage_name = name;
}

static inline void oz_device_destroy(oz_device *d)
{
	if (d)
		d->ops->destroy(d);
}

// Sorts (key, value) pairs by their keys, which have at most `bits` bits; equal keys keep their
// order. The result is in keys and values. The spares have the same size; their contents are
// undefined afterwards.
static inline oz_result oz_device_sort(oz_device *d, uint *keys, uint *values, uint *spare_keys,
                                       uint *spare_values, uint32_t count, uint32_t bits,
                                       oz_error *error)
{
	return d->ops->sort(d, keys, values, spare_keys, spare_values, count, bits, error);
}

// Replaces each value by the sum of the values before it (exclusive scan).
static inline void oz_device_scan(oz_device *d, uint *values, uint32_t count)
{
	d->ops->scan(d, values, count);
}

// Whether a launch may run. Debug builds (without NDEBUG) refuse a NULL buffer among the arguments:
// the device fails and names kernel and argument.
bool oz_launch_is_sound(oz_device *device, const oz_kernel *kernel, const void *args);

// the number of its arguments, up to 31
#define OZ_COUNT_ARGS(...)                                                                         \
	OZ_COUNT_32(__VA_ARGS__, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,   \
	            15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define OZ_COUNT_32(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17,    \
                    _18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, n, ...)  \
	n

// Launches kernel k over n items, with every argument of its list by name: `.position = x`. A
// missing or repeated argument is a compile error. At most 31; a value with commas of its own, such
// as a compound literal, goes through a variable.
#define OZ_LAUNCH(device, k, n, ...) OZ_LAUNCH_OF(0, device, k, n, NULL, __VA_ARGS__)
// The same for kernels over pairs, with the lists of neighbours.
#define OZ_LAUNCH_PAIRS(device, k, n, lists, ...) OZ_LAUNCH_OF(1, device, k, n, lists, __VA_ARGS__)

#define OZ_LAUNCH_OF(pairs, device, k, n, lists, ...)                                              \
	do {                                                                                       \
		_Static_assert(OZ_COUNT_ARGS(__VA_ARGS__) == (unsigned)k##_arg_count,              \
		               "a launch of " #k " must give every argument of its list");         \
		_Static_assert((pairs) == (unsigned)k##_has_pairs,                                 \
		               #k " needs the other macro: OZ_LAUNCH_PAIRS if it has pairs");      \
		(device)->ops->launch((device), &oz_kernel_##k, (n), &(k##_args){__VA_ARGS__},     \
		                      (lists));                                                    \
	} while (0)

// Passes a buffer that may be NULL because the kernel does not access it in that case. Debug builds
// refuse NULL, but accept this.
#define OZ_NO_BUFFER    ((void *)1)
#define OZ_OPTIONAL(at) ((at) ? (at) : OZ_NO_BUFFER)

#endif
