// pack.h: packs of kernels: what a device can run, without knowing what it is for.
//
// Kernel files (kernel.h) are compiled once for each width of vectors and given to OpenCL as one
// text. A pack lists the kernels of some files and holds what was compiled. The engine's own is
// oz_core_kernels (kernels/); a program may bring others (kernels/pack_define.h). A launch names a
// kernel by its record, oz_kernel_NAME, which leads to its pack.
#ifndef OZ_PACK_H
#define OZ_PACK_H

#include "ooze/result.h"

#include "device/kernel.h"

// how a kernel is launched
typedef enum oz_kernel_way {
	OZ_WAY_EACH,   // over items
	OZ_WAY_REDUCE, // over groups of OZ_GROUP items (OZ_REDUCE_KERNEL)
	OZ_WAY_STAGE,  // over items that have quick memory (OZ_STAGE_KERNEL)
	OZ_WAY_CPU     // over items, on the CPU alone: a special version for its vectors
} oz_kernel_way;

// one argument of a kernel, from the list in its file
typedef struct oz_kernel_arg {
	const char *name, *type; // NULL behind the last
	size_t size, alignment;  // in the struct of arguments
	size_t record;           // bytes of one element of a buffer
	bool is_buffer, is_written;
} oz_kernel_arg;

#define OZ_KERNEL_ARGS 32u // the most that a kernel takes, one more for the end

struct oz_kernel_pack;

struct oz_kernel {
	const char *name;
	oz_kernel_way way;
	oz_kernel_arg args[OZ_KERNEL_ARGS];
	const struct oz_kernel_pack *pack;
	uint32_t number; // in its pack
};
typedef struct oz_kernel oz_kernel;

// Runs a kernel over the items [begin, end) on the calling thread.
typedef void (*oz_range_fn)(const void *args, const oz_lists *lists, uint begin, uint end);

#define OZ_WIDTHS 3u // vectors of 4, 8 and 16 floats

typedef struct oz_kernel_pack {
	const oz_kernel *const *kernels;
	uint32_t count;
	// for each width the kernels by number; NULL: not compiled for that width
	const oz_range_fn *ranges[OZ_WIDTHS];
	// special versions for launches that go by blocks of lists, by number; NULL: none
	const oz_range_fn *by_blocks[OZ_WIDTHS];
	const char *text; // for OpenCL; NULL: built without
} oz_kernel_pack;

// Where an argument begins in the struct of arguments, if the one before it ended at `offset`.
static inline size_t oz_kernel_arg_offset(const oz_kernel_arg *arg, size_t offset)
{
	return (offset + arg->alignment - 1) / arg->alignment * arg->alignment;
}

#endif
