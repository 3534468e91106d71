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
	uint *list;             // out: the lists of all particles
	uint64_t list_capacity; // entries of list
	uint *start, *count;    // out, of each particle
	uint unit;              // of the entries that a list takes, see oz_lists
	uint64_t used;        // out: entries needed; more than list_capacity: lists are incomplete
	uint64_t entries;     // out: of these, neighbours (others are spare)
	atomic_ullong cursor; // entries of `list` that threads have reserved
	atomic_ullong listed; // of these, neighbours
} oz_list_build;

#define list_build_ARGS(IN, OUT, VAL) OUT(oz_list_build, build)
OZ_ARGS(list_build)

#endif
