// device.h: where particles live and kernels run.
//
// A device owns buffers and runs kernels over ranges. Host code names a kernel and fills its
// argument struct (kernel.h); buffers are typed pointers that only the device may look behind:
// host code goes through read and write. Every operation gives the same bits on any number of
// threads: work is cut at fixed places, and partial results are joined in their order.
#ifndef OZ_DEVICE_H
#define OZ_DEVICE_H

#include "base/base.h"
#include "device/kernel.h"
#include "device/pack.h"

#define OZ_DEVICE_STAGES 32u // that launches can be timed by
#define OZ_AHEAD         32u // steps that a device may be ahead of the host, at most

typedef struct oz_device oz_device;

// What a backend is: one table of functions.
typedef struct oz_device_ops {
	const char *name;
	void (*destroy)(oz_device *device);
	void *(*alloc)(oz_device *device, size_t size);
	void (*release)(oz_device *device, void *buffer, size_t size);
	void (*read)(oz_device *device, void *host, const void *buffer, size_t offset, size_t size);
	void (*write)(oz_device *device, void *buffer, size_t offset, const void *host,
	              size_t size);
	// `count` pieces of `size` bytes, one every `stride` bytes
	void (*read_every)(oz_device *device, void *host, const void *buffer, size_t size,
	                   size_t stride, uint32_t count);
	void (*copy)(oz_device *device, void *to, const void *from, size_t size);
	void (*clear)(oz_device *device, void *buffer, size_t size); // to zero
	// the first `size` bytes for the host to look at, until something is launched, written or
	// released; NULL if there is no memory for them
	const void *(*look)(oz_device *device, const void *buffer, size_t size);
	// builds a pack, which the first launch of one of its kernels does otherwise; NULL: nothing
	// to do
	oz_result (*prepare)(oz_device *device, const oz_kernel_pack *pack, oz_error *error);
	// whether it has a kernel: those of OZ_WAY_CPU may be missing
	bool (*can_launch)(const oz_device *device, const oz_kernel *kernel);
	void (*launch)(oz_device *device, const oz_kernel *kernel, uint32_t count, const void *args,
	               const oz_lists *lists);
	void (*gather)(oz_device *device, void *out, const void *in, const uint *index,
	               uint32_t count, size_t size);
	void (*scan)(oz_device *device, uint *values, uint32_t count);
	oz_result (*sort)(oz_device *device, uint *keys, uint *values, uint *spare_keys,
	                  uint *spare_values, uint32_t count, uint32_t bits, oz_error *error);
	void (*set_timed)(oz_device *device, bool timed); // NULL: it queues nothing
} oz_device_ops;

struct oz_device {
	const oz_device_ops *ops;
	oz_heap *heap;
	oz_device_info info;
	uint32_t threads;
	uint32_t lanes;  // floats in a SIMD vector of its kernels
	uint32_t stride; // of its lists: from one entry of a particle to its next
	size_t bytes;    // held by buffers
	size_t apart;    // of these, in memory of its own
	oz_sum *total;   // on the device, two of them for whoever counts

	// Launches that run ahead of the host: while *go is 0, they do nothing.
	uint *go;       // on the device
	uint32_t ahead; // steps that may be under way before the host looks at them

	// A device that queues works on after a call has returned. If it is timed, what launches
	// take is added to the stage that is named, once the host has waited for them.
	bool queues, timed;
	uint32_t stage;
	uint64_t stage_ns[OZ_DEVICE_STAGES];

	oz_error failure; // the first one; nothing that came after it counts
};

// Makes the device of this machine's threads; 0 takes one for each core. Its kernels are those for
// the widest vectors that the processor has, or OOZE_LANES=4|8|16 of the environment.
oz_result oz_device_cpu(oz_heap *heap, uint32_t threads, oz_device **device, oz_error *error);

// Makes an OpenCL device: the one of that number among all there are.
oz_result oz_device_opencl(oz_heap *heap, uint32_t number, oz_device **device, oz_error *error);
// Describes them; gives how many there are.
uint32_t oz_opencl_devices(oz_device_info *infos, uint32_t room);

// Makes the device of an address, as oz_world_def has it.
oz_result oz_device_open(oz_heap *heap, const char *address, uint32_t threads, oz_device **device,
                         oz_error *error);

// Widths of vectors that kernels are compiled for, by number: 4, 8, 16. Gives that of the widest
// that the processor has, or OOZE_LANES of the environment.
uint32_t oz_cpu_width(void);

// Builds a pack of kernels for a device, so that what can fail there fails now.
static inline oz_result oz_device_prepare(oz_device *d, const oz_kernel_pack *pack, oz_error *error)
{
	return d->ops->prepare ? d->ops->prepare(d, pack, error) : OZ_OK;
}

// Tells of a device that has failed.
static inline oz_result oz_device_check(const oz_device *d, oz_error *error)
{
	if (d->failure.code == OZ_OK)
		return OZ_OK;
	return oz_fail(error, d->failure.code, "%s", d->failure.text);
}

static inline void oz_device_destroy(oz_device *d)
{
	if (d)
		d->ops->destroy(d);
}

// Sorts (key, value) pairs by their keys, which have at most `bits` bits; equal keys keep their
// order. The result is in keys and values; the spares are as large and hold nothing of worth
// afterwards.
static inline oz_result oz_device_sort(oz_device *d, uint *keys, uint *values, uint *spare_keys,
                                       uint *spare_values, uint32_t count, uint32_t bits,
                                       oz_error *error)
{
	return d->ops->sort(d, keys, values, spare_keys, spare_values, count, bits, error);
}

// Replaces each value by the sum of those before it.
static inline void oz_device_scan(oz_device *d, uint *values, uint32_t count)
{
	d->ops->scan(d, values, count);
}

// Whether a launch may run. Debug builds (without NDEBUG) refuse a NULL buffer among the arguments:
// the device fails and names kernel and argument.
bool oz_launch_is_sound(oz_device *device, const oz_kernel *kernel, const void *args);

// how many arguments follow, up to 31
#define OZ_COUNT_ARGS(...)                                                                         \
	OZ_COUNT_32(__VA_ARGS__, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,   \
	            15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define OZ_COUNT_32(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17,    \
                    _18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, n, ...)  \
	n

// Launches kernel k over n items, with every argument of its list by name: `.position = x`. One
// that is left out does not compile, nor does one that is given twice.
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

// A buffer that may be missing, since the kernel then does not touch it. In debug builds a launch
// with a NULL buffer fails; this passes.
#define OZ_NO_BUFFER    ((void *)1)
#define OZ_OPTIONAL(at) ((at) ? (at) : OZ_NO_BUFFER)

#endif
