// scratch.h: a pool of temporary buffers on the device.
//
// A buffer is taken under a name, has one meaning, and is given back; the next caller may get the
// same memory. All scratch of a step is taken before a particle moves, so that lack of memory
// changes nothing: models keep their buffers until the step ends. Buffers for a part of the step
// are taken and given back once in prepare (world/prepare.c); that part then finds them in the
// pool.
#ifndef OZ_SCRATCH_H
#define OZ_SCRATCH_H

#include "device/device.h"

typedef struct oz_scratch_block {
	void *buffer;
	size_t size;
	const char *name; // under which it is taken; NULL: free
	uint64_t taken;   // value of `clock` when it was last taken
} oz_scratch_block;

#define OZ_SCRATCH_BLOCKS 256u // a world with all models has about 70

typedef struct oz_scratch {
	oz_device *device;
	oz_scratch_block blocks[OZ_SCRATCH_BLOCKS];
	uint32_t count;
	uint64_t clock; // number of calls of take so far
} oz_scratch;

// Takes a buffer of at least `size` bytes, the smallest free one that fits; NULL when out of
// memory. A size of 0 also gives a buffer. The contents are undefined.
void *oz_scratch_take(oz_scratch *scratch, const char *name, size_t size);
// The same with exactly `size` bytes, so that it can be exchanged for the buffer of a field.
void *oz_scratch_take_exact(oz_scratch *scratch, const char *name, size_t size);
// Gives a buffer back; NULL is allowed.
void oz_scratch_give(oz_scratch *scratch, const void *buffer);
// Tells the pool that the caller exchanged its taken buffer `was` for `is` of the same size: the
// pool now owns `is`.
void oz_scratch_exchange(oz_scratch *scratch, const void *was, void *is);
// Releases free buffers that were last taken at a clock in [from, to).
void oz_scratch_drop_span(oz_scratch *scratch, uint64_t from, uint64_t to);
// Releases all free buffers.
void oz_scratch_drop(oz_scratch *scratch);
// Releases all buffers, also those that are taken.
void oz_scratch_free(oz_scratch *scratch);

// takes a buffer for `items` elements of a type
#define OZ_TAKE(scratch, type, name, items)                                                        \
	((type *)oz_scratch_take((scratch), name, sizeof(type) * (size_t)(items)))

#endif
