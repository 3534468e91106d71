// sdf_data.h: an SDF in the memory of the host.
#ifndef OZ_SDF_DATA_H
#define OZ_SDF_DATA_H

#include <stdatomic.h>

#include "base/base.h"
#include "boundary/sdf.h"

// Keeps records that were computed from an SDF, each under a key, from run to run.
typedef struct oz_sdf_store {
	// Reads a record; false: there is no valid one with this key and size.
	bool (*get)(const struct oz_sdf_store *store, uint64_t key, void *data, size_t size);
	// Writes a record. Failure is ignored: the next run computes it again.
	void (*put)(const struct oz_sdf_store *store, uint64_t key, const void *data, size_t size);
	void (*release)(struct oz_sdf_store *store); // called with the last reference to the SDF
} oz_sdf_store;

struct oz_sdf {
	oz_sdf_frame frame; // place and block are 0
	uint32_t place_count, block_count;
	uint *places;       // block at each place, or OZ_SDF_INSIDE, OZ_SDF_OUTSIDE: none is stored
	oz_float4 *nearest; // OZ_SDF_NODES for each block
	oz_heap heap;       // both arrays and this struct are allocated from it
	atomic_uint holders; // references; 0 frees it
	oz_sdf_store *store; // NULL: nothing is kept
};

// Allocates an SDF with one reference; its arrays are not filled. NULL: out of memory.
oz_sdf *oz_sdf_alloc(const oz_sdf_frame *frame, uint32_t block_count, const oz_hooks *hooks);
// Whether an SDF that was read from a file is valid: block numbers are in order, all values finite.
bool oz_sdf_is_sound(const oz_sdf *sdf);
uint64_t oz_sdf_hash(const oz_sdf *sdf);

static inline uint32_t oz_sdf_place_count(const oz_sdf_frame *frame)
{
	return frame->blocks[0] * frame->blocks[1] * frame->blocks[2];
}

#endif
