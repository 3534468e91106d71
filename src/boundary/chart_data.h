// chart_data.h: a chart as the host holds it.
#ifndef OZ_CHART_DATA_H
#define OZ_CHART_DATA_H

#include <stdatomic.h>

#include "base/base.h"
#include "boundary/chart.h"

struct oz_chart {
	oz_chart_frame frame; // place and block are 0
	uint32_t place_count, block_count;
	uint *places;     // number of the block there, or on which side of the surface it would lie
	oz_float4 *leads; // OZ_CHART_NODES for each block
	oz_heap heap;     // both arrays and this are its
	atomic_uint holders;
};

// Takes the memory of a chart whose counts are known; NULL where there is none.
oz_chart *oz_chart_alloc(const oz_chart_frame *frame, uint32_t block_count, const oz_hooks *hooks);
// Whether numbers of a file make a chart: counts that agree, blocks that exist, finite leads.
bool oz_chart_is_sound(const oz_chart *chart);
uint64_t oz_chart_hash(const oz_chart *chart);

static inline uint32_t oz_chart_place_count(const oz_chart_frame *frame)
{
	return frame->blocks[0] * frame->blocks[1] * frame->blocks[2];
}

#endif
