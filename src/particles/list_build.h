// list_build.h: building neighbour lists on the CPU, by the kernel list_build (neighbours_simd.h).
#ifndef OZ_LIST_BUILD_H
#define OZ_LIST_BUILD_H

#include <stdatomic.h>

#include "device/pack.h"
#include "particles/grid.h"

typedef struct oz_list_build {
	const oz_grid *grid;
	const oz_float4 *position;
	const uint *cell_start; // first particle of each cell, one more for the end
	uint *list;             // out
	uint64_t list_capacity; // entries of list
	uint *start, *count;    // out, of each particle
	uint64_t used;          // out: room needed; beyond the capacity, nothing was kept
	uint64_t entries;       // out: of that, neighbours
	atomic_ullong cursor;   // entries of list that threads have claimed
} oz_list_build;

#define list_build_ARGS(IN, OUT, VAL) OUT(oz_list_build, build)
OZ_ARGS(list_build)

#endif
