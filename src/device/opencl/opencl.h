// opencl.h: the parts of the OpenCL device.
//
//   api.c      the driver's functions      devices.c   which devices there are
//   program.c  kernels from text or cache  packs.c     the packs that were built
//   buffers.c  memory, failure, time       launch.c    kernels and their arguments
//   sort.c     scan, sort, gather          device.c    making and unmaking
//   tools.cl   the kernels of sort.c
#ifndef OZ_OPENCL_H
#define OZ_OPENCL_H

#include "device/device.h"
#include "device/opencl/api.h"

// ---- devices.c --------------------------------------------------------------------------------

typedef struct oz_cl_place {
	cl_platform_id platform;
	cl_device_id device;
} oz_cl_place;

// All devices of all platforms, GPUs first; gives how many there are, which may be more than
// `room`.
uint32_t oz_cl_places(oz_cl_place *places, uint32_t room);
void oz_cl_describe(const oz_cl_place *place, oz_device_info *info);

// ---- program.c --------------------------------------------------------------------------------

// Builds a text of kernels for a device, or takes it from the cache in the user's folder; the log
// is told when the driver has to compile.
oz_result oz_cl_program(cl_context context, cl_device_id device, const char *text,
                        const oz_hooks *hooks, cl_program *program, oz_error *error);

// ---- buffers.c --------------------------------------------------------------------------------

// What a buffer is behind its pointer.
typedef struct oz_cl_buffer {
	cl_mem memory;
	size_t size;
	void *shadow;        // host copy, made when someone looks; `size` bytes
	size_t shadow_size;  // bytes of it that were read
	uint64_t shadow_age; // the device's age then
} oz_cl_buffer;

// kernels of tools.cl
#define OZ_CL_TOOLS(X)                                                                             \
	X(scan_blocks)                                                                             \
	X(scan_add)                                                                                \
	X(sort_tiles)                                                                              \
	X(sort_scatter)                                                                            \
	X(gather_words)                                                                            \
	X(gather_records)                                                                          \
	X(pick_words)

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

#define OZ_CL_PACKS  8u // of kernels that a device can have built
#define OZ_CL_EVENTS 1024u
#define OZ_CL_RING   ((size_t)4 << 20)

// a pack of kernels, built
typedef struct oz_cl_pack {
	const oz_kernel_pack *pack;
	cl_program program;
	oz_cl_kernel *kernels; // by number
} oz_cl_pack;

typedef struct oz_cl_device {
	oz_device base;
	const oz_cl_api *api;
	cl_context context;
	cl_command_queue queue; // one of these two
	cl_command_queue plain, profiling;
	cl_device_id id;
	cl_program program; // tools.cl
	oz_cl_kernel tools[OZ_CL_TOOL_COUNT];
	oz_cl_pack packs[OZ_CL_PACKS];
	uint32_t pack_count;
	char name[96];
	uint64_t age; // launches, writes and copies so far

	// what is on its way to the device
	char *ring;
	size_t ring_used;

	// times of launches that have not been added up
	struct {
		cl_event event;
		uint32_t stage;
	} events[OZ_CL_EVENTS];
	uint32_t event_count;

	// scratch of scan and sort; grows
	uint *scratch[5];
	size_t scratch_size[5];
} oz_cl_device;

static inline oz_cl_device *oz_cl_of(oz_device *device)
{
	return (oz_cl_device *)device;
}

// Takes down the first thing that goes wrong; the step under way ends with it.
void oz_cl_note(oz_cl_device *device, cl_int code, const char *during);
// Waits for all that is queued, and adds up what it took.
void oz_cl_finish(oz_cl_device *device);
// Where the event of the next launch goes, if launches are timed; whoever uses it counts it.
cl_event *oz_cl_next_event(oz_cl_device *device);
void *oz_cl_alloc(oz_device *device, size_t size);
void oz_cl_release(oz_device *device, void *buffer, size_t size);
void oz_cl_read(oz_device *device, void *host, const void *buffer, size_t offset, size_t size);
void oz_cl_write(oz_device *device, void *buffer, size_t offset, const void *host, size_t size);
void oz_cl_copy(oz_device *device, void *to, const void *from, size_t size);
void oz_cl_clear(oz_device *device, void *buffer, size_t size);
const void *oz_cl_look(oz_device *device, const void *buffer, size_t size);
// One of five scratch buffers with room for `size` bytes; NULL if there is no memory.
uint *oz_cl_scratch(oz_cl_device *device, uint32_t which, size_t size);

static inline oz_cl_buffer *oz_cl_buffer_of(const void *buffer)
{
	return (oz_cl_buffer *)(uintptr_t)buffer;
}

// ---- packs.c ----------------------------------------------------------------------------------

// Makes one kernel of a program.
cl_int oz_cl_make_kernel(oz_cl_device *device, cl_program program, const char *name,
                         oz_cl_kernel *kernel);
oz_result oz_cl_prepare(oz_device *device, const oz_kernel_pack *pack, oz_error *error);
bool oz_cl_can_launch(const oz_device *device, const oz_kernel *kernel);
// The kernel as it was built; builds its pack if need be. NULL: the device has failed.
const oz_cl_kernel *oz_cl_find(oz_cl_device *device, const oz_kernel *kernel);
void oz_cl_free_packs(oz_cl_device *device);

// ---- launch.c ---------------------------------------------------------------------------------

extern const char *const oz_cl_tool_names[OZ_CL_TOOL_COUNT];
void oz_cl_launch(oz_device *device, const oz_kernel *kernel, uint32_t count, const void *args,
                  const oz_lists *lists);
void oz_cl_set_timed(oz_device *device, bool timed);
// Runs a kernel of tools.cl over `items`, or over groups of 256; the arguments are set already.
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
// Takes the memory that a scan of so many numbers needs; false if there is none.
bool oz_cl_reserve_scan(oz_cl_device *device, uint64_t count);
oz_result oz_cl_sort(oz_device *device, uint *keys, uint *values, uint *spare_keys,
                     uint *spare_values, uint32_t count, uint32_t bits, oz_error *error);

#endif
