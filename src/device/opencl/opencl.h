// opencl.h: the parts of the OpenCL device.
//
//   api.c      functions of the driver     devices.c   list of devices
//   program.c  kernels from text or cache  packs.c     built packs of kernels
//   buffers.c  memory, failure, time       launch.c    arguments and launches
//   sort.c     scan, sort, gather          device.c    create and destroy
//   checks.c   kernels that check indices  tools.cl    the kernels of sort.c and buffers.c
#ifndef OZ_OPENCL_H
#define OZ_OPENCL_H

#include "device/device.h"
#include "device/opencl/api.h"
#include "device/opencl/checks.h"

// ---- devices.c --------------------------------------------------------------------------------

// one device of one platform
typedef struct oz_cl_place {
	cl_platform_id platform;
	cl_device_id device;
} oz_cl_place;

// Lists the devices of all platforms, GPUs first, at most `room`; returns how many there are, which
// may be more.
uint32_t oz_cl_places(oz_cl_place *places, uint32_t room);
void oz_cl_describe(const oz_cl_place *place, oz_device_info *info);

// ---- program.c --------------------------------------------------------------------------------

// Builds a program from its text, or loads it from the user's cache; logs a sentence if the driver
// has to compile. The caller releases it.
oz_result oz_cl_program(cl_context context, cl_device_id device, const char *text,
                        const oz_hooks *hooks, cl_program *program, oz_error *error);

// ---- buffers.c --------------------------------------------------------------------------------

// The object behind a buffer pointer of device.h.
typedef struct oz_cl_buffer {
	cl_mem memory;
	size_t size;
	void *shadow;        // host copy for oz_cl_view, `size` bytes; NULL before the first view
	size_t shadow_size;  // bytes of it that were read
	uint64_t shadow_age; // the device's age at that time
} oz_cl_buffer;

// kernels of tools.cl
#define OZ_CL_TOOLS(X)                                                                             \
	X(scan_blocks)                                                                             \
	X(scan_add)                                                                                \
	X(sort_tiles)                                                                              \
	X(sort_scatter)                                                                            \
	X(gather_words)                                                                            \
	X(gather_records)                                                                          \
	X(pick_words)                                                                              \
	X(clear_words)

typedef enum oz_cl_tool {
#define OZ_CL_TOOL(name) OZ_CL_##name,
	OZ_CL_TOOLS(OZ_CL_TOOL)
#undef OZ_CL_TOOL
	        OZ_CL_TOOL_COUNT
} oz_cl_tool;

typedef struct oz_cl_kernel {
	cl_kernel kernel;
	size_t group; // work items in a group
} oz_cl_kernel;

#define OZ_CL_PACKS  8u                // most packs of kernels of a device
#define OZ_CL_EVENTS 1024u             // timed launches until the host waits for the queue
#define OZ_CL_RING   ((size_t)4 << 20) // bytes of the ring of writes

// a built pack of kernels
typedef struct oz_cl_pack {
	const oz_kernel_pack *pack;
	cl_program program;
	oz_cl_kernel *kernels; // by number
	oz_cl_checks checks;   // of a checked device
} oz_cl_pack;

typedef struct oz_cl_device {
	oz_device base;
	const oz_cl_api *api;
	cl_context context;
	cl_command_queue queue; // `plain` or `profiling`
	cl_command_queue plain, profiling;
	cl_device_id id;
	cl_program program; // tools.cl
	oz_cl_kernel tools[OZ_CL_TOOL_COUNT];
	oz_cl_pack packs[OZ_CL_PACKS];
	uint32_t pack_count;
	char name[96];

	// A checked device waits for every operation, names the one that fails, and builds kernels
	// that check their indices (checks.h).
	bool checked;
	uint *report;  // OZ_REPORT_WORDS
	uint *nowhere; // in place of a buffer that is NULL

	uint64_t age; // number of launches, writes and copies so far

	// host copies of queued writes
	char *ring;
	size_t ring_used;

	// events of launches whose time is not yet added to a stage
	struct {
		cl_event event;
		uint32_t stage;
	} events[OZ_CL_EVENTS];
	uint32_t event_count;

	// scratch of scan, sort and read_every; grows on demand
	uint *scratch[5];
	size_t scratch_size[5];
} oz_cl_device;

static inline oz_cl_device *oz_cl_of(oz_device *device)
{
	return (oz_cl_device *)device;
}

// Records an error code as the device's failure, unless it is CL_SUCCESS or there was one before;
// `during` names the operation.
void oz_cl_record_error(oz_cl_device *device, cl_int code, const char *during);
// Waits for the operation that was queued last, if the device is checked, and records its failure.
void oz_cl_wait_if_checked(oz_cl_device *device, const char *during);
// Waits for all queued work and adds the times of launches to their stages.
void oz_cl_finish(oz_cl_device *device);
// Where the driver is to write the event of the next timed launch; notes the present stage. The
// caller increments event_count if the launch succeeds.
cl_event *oz_cl_next_event(oz_cl_device *device);
void *oz_cl_alloc(oz_device *device, size_t size);
void oz_cl_release(oz_device *device, void *buffer, size_t size);
void oz_cl_read(oz_device *device, void *host, const void *buffer, size_t offset, size_t size);
void oz_cl_write(oz_device *device, void *buffer, size_t offset, const void *host, size_t size);
void oz_cl_copy(oz_device *device, void *to, const void *from, size_t size);
void oz_cl_clear(oz_device *device, void *buffer, size_t size);
const void *oz_cl_view(oz_device *device, const void *buffer, size_t size);
// Returns scratch buffer `which` (0 … 4) with room for `size` bytes; NULL when out of memory.
// Growing it loses its contents.
uint *oz_cl_scratch(oz_cl_device *device, uint32_t which, size_t size);

static inline oz_cl_buffer *oz_cl_buffer_of(const void *buffer)
{
	return (oz_cl_buffer *)(uintptr_t)buffer;
}

// ---- packs.c ----------------------------------------------------------------------------------

// Makes one kernel of a program and reads its group size.
cl_int oz_cl_make_kernel(oz_cl_device *device, cl_program program, const char *name,
                         oz_cl_kernel *kernel);
oz_result oz_cl_prepare(oz_device *device, const oz_kernel_pack *pack, oz_error *error);
bool oz_cl_can_launch(const oz_device *device, const oz_kernel *kernel);
// Returns the built kernel; builds its pack at the first call. NULL: the device has failed.
const oz_cl_kernel *oz_cl_find_kernel(oz_cl_device *device, const oz_kernel *kernel);
// Reads the report of a launch of a checked device; the first wrong index is its failure.
void oz_cl_check_report(oz_cl_device *device, const oz_kernel *kernel);
void oz_cl_free_packs(oz_cl_device *device);

// ---- launch.c ---------------------------------------------------------------------------------

extern const char *const oz_cl_tool_names[OZ_CL_TOOL_COUNT];
void oz_cl_launch(oz_device *device, const oz_kernel *kernel, uint32_t count, const void *args,
                  const oz_lists *lists);
void oz_cl_set_timed(oz_device *device, bool timed);
// Queues a kernel of tools.cl over `items`, or over whole groups of 256, with the arguments that
// oz_cl_set and oz_cl_set_buffer have set.
void oz_cl_run_tool(oz_cl_device *device, oz_cl_tool tool, size_t items);
void oz_cl_run_groups(oz_cl_device *device, oz_cl_tool tool, size_t groups);
void oz_cl_set(oz_cl_device *device, oz_cl_tool tool, cl_uint index, size_t size,
               const void *value);
void oz_cl_set_buffer(oz_cl_device *device, oz_cl_tool tool, cl_uint index, const void *buffer);

// ---- sort.c -----------------------------------------------------------------------------------

void oz_cl_read_every(oz_device *device, void *host, const void *buffer, size_t size, size_t stride,
                      uint32_t count);
void oz_cl_gather(oz_device *device, void *out, const void *in, const uint *index, uint32_t count,
                  size_t size);
void oz_cl_scan(oz_device *device, uint *values, uint32_t count);
// Reserves the scratch for a scan of `count` numbers; false when out of memory.
bool oz_cl_reserve_scan(oz_cl_device *device, uint64_t count);
oz_result oz_cl_sort(oz_device *device, uint *keys, uint *values, uint *spare_keys,
                     uint *spare_values, uint32_t count, uint32_t bits, oz_error *error);

#endif
