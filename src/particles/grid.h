// grid.h: a periodic grid of cells for the neighbour search in unbounded space. Cells are a little
// wider than the search radius. Space is wrapped onto 2^a × 2^b × 2^c cells, so distant particles
// may share a cell; the distance test separates them. So one particle at 1e6 m needs no more cells.
// Each axis has at least four cells: the 3×3×3 cells around a particle are all different.
//
//   row = z and y interleaved bit by bit, key = row · 2^a + x
//
// Adjacent cells along x follow each other in memory, so a search reads nine runs of cells.
// Adjacent rows are mostly near in memory, too.
#ifndef OZ_GRID_H
#define OZ_GRID_H

#include "device/kernel.h"

#define OZ_GRID_MIN_BITS 2u  // four cells: any three consecutive ones are different
#define OZ_GRID_MAX_BITS 10u // the number of a cell is exact in a float

typedef struct oz_grid {
	float inv_cell;                     // 1/m
	float radius2;                      // m², of the search
	float period_x, period_y, period_z; // m, after which the grid repeats
	uint bits_x, bits_y, bits_z;
} oz_grid;

typedef struct oz_cell {
	uint x, y, z;
} oz_cell;

// Number of the cell of coordinate x along one axis. The remainder is exact to half a unit in the
// last place of the period for any x: particles nearer than a cell get the same or adjacent cells.
OZ_FN uint oz_wrap(float x, float period, float inv_cell, uint bits)
{
	const float r = oz_fma(-oz_round(x / period), period, x);
	const float safe = oz_min(oz_max(r, -period), period); // maps NaN to a number
	return (uint)(int)oz_floor(safe * inv_cell) & ((1u << bits) - 1u);
}

// the cell of a position; w is not used
OZ_FN oz_cell oz_cell_of(const oz_grid *g, oz_float4 p)
{
	oz_cell c;
	c.x = oz_wrap(p.x, g->period_x, g->inv_cell, g->bits_x);
	c.y = oz_wrap(p.y, g->period_y, g->inv_cell, g->bits_y);
	c.z = oz_wrap(p.z, g->period_z, g->inv_cell, g->bits_z);
	return c;
}

// inserts a zero bit above each bit of a 16-bit number
OZ_FN uint oz_spread_bits(uint v)
{
	v = (v | v << 8) & 0x00ff00ffu;
	v = (v | v << 4) & 0x0f0f0f0fu;
	v = (v | v << 2) & 0x33333333u;
	return (v | v << 1) & 0x55555555u;
}

// The bits of y and of z in the number of a row. If one axis has more bits than the other, its
// extra bits are above the interleaved ones.
OZ_FN uint oz_row_of_y(const oz_grid *g, uint y)
{
	const uint shared = g->bits_y < g->bits_z ? g->bits_y : g->bits_z;
	return y >> shared << 2u * shared | oz_spread_bits(y & ((1u << shared) - 1u));
}

OZ_FN uint oz_row_of_z(const oz_grid *g, uint z)
{
	const uint shared = g->bits_y < g->bits_z ? g->bits_y : g->bits_z;
	return z >> shared << 2u * shared | oz_spread_bits(z & ((1u << shared) - 1u)) << 1;
}

OZ_FN uint oz_row_of(const oz_grid *g, uint y, uint z)
{
	return oz_row_of_y(g, y) | oz_row_of_z(g, z);
}

// the number of a cell, by which particles are sorted
OZ_FN uint oz_key_of(const oz_grid *g, oz_cell c)
{
	return oz_row_of(g, c.y, c.z) << g->bits_x | c.x;
}

// the number of the r-th row around a cell, r = 0 … 8; 4 is its own row
OZ_FN uint oz_row_near(const oz_grid *g, oz_cell c, uint r)
{
	const uint y = (c.y + r % 3u + (1u << g->bits_y) - 1u) & ((1u << g->bits_y) - 1u);
	const uint z = (c.z + r / 3u + (1u << g->bits_z) - 1u) & ((1u << g->bits_z) - 1u);
	return oz_row_of(g, y, z);
}

typedef struct oz_run {
	uint first, last; // keys of cells; empty if first > last
} oz_run;

#define OZ_RUNS 18u // nine rows around a cell, each in two pieces: the second where x wraps around

// the r-th run of cells around a cell, r = 0 … OZ_RUNS - 1
OZ_FN oz_run oz_run_of(const oz_grid *g, oz_cell c, uint r)
{
	const uint row = oz_row_near(g, c, r >> 1) << g->bits_x;
	const uint end = (1u << g->bits_x) - 1u;
	oz_run run;
	if ((r & 1u) == 0) {
		run.first = row + (c.x > 0 ? c.x - 1u : 0u);
		run.last = row + (c.x < end ? c.x + 1u : end);
	} else if (c.x == 0 || c.x == end) {
		run.first = row + (c.x == 0 ? end : 0u);
		run.last = run.first;
	} else {
		run.first = 1u;
		run.last = 0u;
	}
	return run;
}

#endif
