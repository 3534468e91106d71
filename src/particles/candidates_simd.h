// candidates_simd.h: the particles around a cell, as arrays of x, y, z and index.
//
// All particles of a cell have the same candidates: the nine runs of cells around it are copied
// once; then each particle tests a vector of candidates at a time.
#ifndef OZ_CANDIDATES_SIMD_H
#define OZ_CANDIDATES_SIMD_H

#include "particles/grid.h"

#define CANDIDATES 2048u // most candidates of a cell; with more, list_scalar is used

typedef struct candidates {
	_Alignas(64) float x[CANDIDATES + OZ_LANES];
	_Alignas(64) float y[CANDIDATES + OZ_LANES];
	_Alignas(64) float z[CANDIDATES + OZ_LANES];
	_Alignas(64) uint index[CANDIDATES + OZ_LANES];
	uint count;
	uint own; // particle i of the cell itself is candidate own + i
} candidates;

#define OWN_RUN 8u // the run that contains the cell itself

static inline lane load_lane(const float *p)
{
	lane v;
	memcpy(&v, p, sizeof v);
	return v;
}

// appends the particles of one run to the candidates; may write up to a vector more
static void append_run(candidates *c, const oz_float4 *position, uint begin, uint end)
{
	static const uint consecutive[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	uint j = begin, n = c->count;
	for (; j + OZ_LANES <= end; j += OZ_LANES, n += OZ_LANES) {
		const lane4 p = lane_fetch((const float *)(position + j), consecutive);
		memcpy(c->x + n, &p.x, sizeof p.x);
		memcpy(c->y + n, &p.y, sizeof p.y);
		memcpy(c->z + n, &p.z, sizeof p.z);
		const lane_mask numbers = lane_iota() + (int32_t)j;
		memcpy(c->index + n, &numbers, sizeof numbers);
	}
	for (; j < end; j++, n++) {
		c->x[n] = position[j].x;
		c->y[n] = position[j].y;
		c->z[n] = position[j].z;
		c->index[n] = j;
	}
	c->count = n;
}

// pads the last vector with points OZ_FAR away
static void close_candidates(candidates *c)
{
	for (uint k = 0; k < OZ_LANES; k++) {
		c->x[c->count + k] = OZ_FAR;
		c->y[c->count + k] = c->z[c->count + k] = 0.0f;
		c->index[c->count + k] = UINT32_MAX;
	}
}

// Copies the particles of all runs around a cell; false if there are more than CANDIDATES.
static bool collect_candidates(const oz_grid *grid, const uint *cell_start,
                               const oz_float4 *position, oz_cell cell, candidates *c)
{
	c->count = 0;
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(grid, cell, r);
		if (run.first > run.last)
			continue;
		const uint begin = cell_start[run.first], end = cell_start[run.last + 1];
		if (end - begin > CANDIDATES - c->count)
			return false;
		if (r == OWN_RUN)
			c->own = c->count - begin;
		append_run(c, position, begin, end);
	}
	close_candidates(c);
	return true;
}

#endif
