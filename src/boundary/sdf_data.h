// sdf_data.h: an SDF as the host holds it.
#ifndef OZ_SDF_DATA_H
#define OZ_SDF_DATA_H

#include <stdatomic.h>

#include "base/base.h"
#include "boundary/sdf.h"

struct oz_sdf {
	oz_sdf_frame frame; // place and block are 0
	uint32_t place_count, block_count;
	uint *places; // number of the block there, or on which side of the surface it would lie
	oz_float4 *nearest; // OZ_SDF_NODES for each block
	oz_heap heap;       // both arrays and this are its
	atomic_uint holders;
};

// Takes the memory of an SDF whose counts are known; NULL where there is none.
oz_sdf *oz_sdf_alloc(const oz_sdf_frame *frame, uint32_t block_count, const oz_hooks *hooks);
// Whether numbers of a file make an SDF: counts that agree, blocks that exist, finite leads.
bool oz_sdf_is_sound(const oz_sdf *sdf);
uint64_t oz_sdf_hash(const oz_sdf *sdf);

static inline uint32_t oz_sdf_place_count(const oz_sdf_frame *frame)
{
	return frame->blocks[0] * frame->blocks[1] * frame->blocks[2];
}

#endif
