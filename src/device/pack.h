// pack.h: packs of kernels, the form in which a device gets the kernels that it runs.
//
// Kernel files (kernel.h) are compiled once for each width of vectors and given to OpenCL as one
// text. A pack lists the kernels of some files, with the compiled functions and the text. The
// engine's own is oz_core_kernels; a program may bring others (oz_add_kernel_pack in
// cmake/kernels.cmake). A launch names a kernel by its record, oz_kernel_NAME, which points to its
// pack.
#ifndef OZ_PACK_H
#define OZ_PACK_H

#include "ooze/result.h"

#include "device/kernel.h"

// how a kernel runs, see kernel.h
typedef enum oz_kernel_way {
	OZ_WAY_EACH,
	OZ_WAY_VECTOR,
	OZ_WAY_LOCAL,
	OZ_WAY_REDUCE,
	OZ_WAY_PAIRS,
	OZ_WAY_PAIRS_MARKED,
	OZ_WAY_PAIRS_AT_REST,
	OZ_WAY_PAIRS_LINKED,
	OZ_WAY_PAIRS_KEEP,
	OZ_WAY_PAIRS_KEPT,
	OZ_WAY_CPU,
	OZ_WAY_REDUCE_LANES = OZ_WAY_REDUCE // a device launches both in the same way
} oz_kernel_way;

// one argument of a kernel, from the list in its file
typedef struct oz_kernel_arg {
	const char *name, *type; // NULL: end of the list
	size_t size, alignment;  // in the struct of arguments
	size_t record;           // bytes of one element of a buffer
	bool is_buffer, is_written;
} oz_kernel_arg;

#define OZ_KERNEL_ARGS 32u // most arguments of a kernel, and one entry for the end

struct oz_kernel_pack;

struct oz_kernel {
	const char *name;
	oz_kernel_way way;
	size_t record; // bytes of a record of OZ_WAY_REDUCE
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
	// the kernels by number, for each vector width; NULL: not compiled for that width
	const oz_range_fn *ranges[OZ_WIDTHS];
	// versions of kernels for lists that are joined into blocks, by number; NULL: none
	const oz_range_fn *by_blocks[OZ_WIDTHS];
	const char *text; // source for OpenCL; NULL: built without OpenCL
} oz_kernel_pack;

// The offset of an argument in the argument struct; `offset` is the end of the one before it.
static inline size_t oz_kernel_arg_offset(const oz_kernel_arg *arg, size_t offset)
{
	return (offset + arg->alignment - 1) / arg->alignment * arg->alignment;
}

#endif
