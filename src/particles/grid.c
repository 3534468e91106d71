// grid.c: chooses a grid for a set of particles.
//
// Its size is the extent of a sample of the particles without the outermost 1 % at each end of each
// axis. Particles outside of it wrap around.
#include <math.h>

#include "particles/particles.h"

#define CELL_MARGIN                                                                                \
	1.002f // cell edge over radius; the margin exceeds the rounding error of oz_wrap

#define CUT (OZ_GRID_SAMPLE / 100 + 1) // values kept at each end of an axis

// inserts a value into the sorted list of the smallest ones so far
static void keep_smallest(float kept[CUT], float value)
{
	uint32_t at = CUT;
	for (; at > 0 && value < kept[at - 1]; at--)
		if (at < CUT)
			kept[at] = kept[at - 1];
	if (at < CUT)
		kept[at] = value;
}

// width of the sample along one axis, without the outermost 1 % at each end
static float bulk_width(const float *values, uint32_t count)
{
	float low[CUT], high[CUT];
	for (uint32_t k = 0; k < CUT; k++)
		low[k] = high[k] = INFINITY;
	for (uint32_t k = 0; k < count; k++) {
		keep_smallest(low, values[k]);
		keep_smallest(high, -values[k]);
	}
	return -high[count / 100] - low[count / 100];
}

// bits of an axis: the least for which 2^bits cells cover `width` and one cell more
static uint32_t bits_for(float width, float cell, uint32_t least)
{
	uint32_t bits = least;
	while (bits < OZ_GRID_MAX_BITS && (float)(1u << bits) * cell < width + cell)
		bits++;
	return bits;
}

oz_grid oz_grid_fit(float axes[3][OZ_GRID_SAMPLE], uint32_t taken, uint32_t count, float radius,
                    uint32_t least)
{
	const float cell = radius * CELL_MARGIN;
	uint32_t bits[3];
	for (int k = 0; k < 3; k++)
		bits[k] = taken ? bits_for(bulk_width(axes[k], taken), cell, least) : least;
	// at most as many cells as particles, unless every axis has the least number of bits
	while (bits[0] + bits[1] + bits[2] > 3 * least &&
	       1ull << (bits[0] + bits[1] + bits[2]) > count) {
		int most = bits[1] > bits[0] ? 1 : 0;
		most = bits[2] > bits[most] ? 2 : most;
		bits[most]--;
	}
	return (oz_grid){.inv_cell = 1.0f / cell,
	                 .radius2 = radius * radius,
	                 .period_x = cell * (float)(1u << bits[0]),
	                 .period_y = cell * (float)(1u << bits[1]),
	                 .period_z = cell * (float)(1u << bits[2]),
	                 .bits_x = bits[0],
	                 .bits_y = bits[1],
	                 .bits_z = bits[2]};
}

oz_grid oz_grid_choose(oz_device *d, const oz_float4 *position, uint32_t count, float radius)
{
	const uint32_t every = (count - 1) / OZ_GRID_SAMPLE + 1;
	const uint32_t sampled = (count - 1) / every + 1;
	oz_float4 sample[OZ_GRID_SAMPLE];
	float axes[3][OZ_GRID_SAMPLE];
	uint32_t taken = 0;
	d->ops->read_every(d, sample, position, sizeof *sample, every * sizeof *sample, sampled);
	for (uint32_t k = 0; k < sampled; k++) {
		const oz_float4 x = sample[k];
		if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
			continue;
		axes[0][taken] = x.x, axes[1][taken] = x.y, axes[2][taken] = x.z;
		taken++;
	}
	return oz_grid_fit(axes, taken, count, radius, OZ_GRID_MIN_BITS);
}
