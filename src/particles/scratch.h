// scratch.h: a pool of buffers on the device for what is needed for a while.
//
// A buffer is taken under a name, has one meaning, and is given back; the next taker may get the
// same memory. What a step takes is taken before anything moves: models hold it until the step is
// over, and what is needed for a part of the step alone is given back at once and found in the pool
// when its time comes (world/prepare.c).
#ifndef OZ_SCRATCH_H
#define OZ_SCRATCH_H

#include "device/device.h"

typedef struct oz_scratch_block {
	void *buffer;
	size_t size;
	const char *name; // of its taker; NULL: free
	uint64_t taken;   // the pool's clock when it was last taken
} oz_scratch_block;

#define OZ_SCRATCH_BLOCKS 64u

typedef struct oz_scratch {
	oz_device *device;
	oz_scratch_block blocks[OZ_SCRATCH_BLOCKS];
	uint32_t count;
	uint64_t clock; // takes so far
} oz_scratch;

// Takes a buffer of at least `size` bytes, of exactly that size if there is one; NULL if there is
// no memory. A size of 0 gives a buffer too.
void *oz_scratch_take(oz_scratch *scratch, const char *name, size_t size);
// The same, of exactly that size: it may trade places with a field.
void *oz_scratch_take_exact(oz_scratch *scratch, const char *name, size_t size);
// Gives a buffer back; NULL is allowed.
void oz_scratch_give(oz_scratch *scratch, const void *buffer);
// The taken buffer `was` has traded places with `is`, which has the same size.
void oz_scratch_trade(oz_scratch *scratch, const void *was, void *is);
// Releases what is not taken, and was last taken in a span [from, to) of the pool's clock.
void oz_scratch_drop_span(oz_scratch *scratch, uint64_t from, uint64_t to);
// Releases what is not taken.
void oz_scratch_drop(oz_scratch *scratch);
// Releases all of it.
void oz_scratch_free(oz_scratch *scratch);

#define OZ_TAKE(scratch, type, name, items)                                                        \
	((type *)oz_scratch_take((scratch), name, sizeof(type) * (size_t)(items)))

#endif
