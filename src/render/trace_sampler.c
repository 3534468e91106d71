// trace_sampler.c: quasi-random numbers.
//
// The samples of a pixel are the first two dimensions of a Sobol sequence, shuffled and scrambled
// differently for every pair of numbers (Owen scrambling by hashes: Burley 2020). All pixels use
// the same sequence, each shifted by its value in a tile of blue noise, so that the remaining noise
// has high frequencies and is easily filtered. The tile is made by void filling (Ulichney 1993).
#include <stdlib.h>

#include "base/base.h"
#include "render/trace.h"

#define REACH 9    // pixels, radius of the Gaussian
#define WIDE  3.6f // 2 σ² of the Gaussian, pixels²

static uint32_t mix_bits(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

static uint32_t reverse(uint32_t x)
{
	uint32_t out = 0;
	for (int k = 0; k < 32; k++)
		out |= (x >> k & 1) << (31 - k);
	return out;
}

// A permutation in which every bit depends on the higher bits only.
static uint32_t scramble(uint32_t x, uint32_t seed)
{
	x = reverse(x);
	x += seed;
	x ^= x * 0x6c50b47cu;
	x ^= x * 0xb82f1e52u;
	x ^= x * 0xc7afe638u;
	x ^= x * 0x8d22f6e6u;
	return reverse(x);
}

// The second dimension of the Sobol sequence.
static uint32_t sobol_second(uint32_t index)
{
	uint32_t out = 0;
	for (uint32_t v = 1u << 31; index; index >>= 1, v ^= v >> 1)
		if (index & 1)
			out ^= v;
	return out;
}

static float to_unit_interval(uint32_t bits)
{
	return (float)(bits >> 8) * 0x1p-24f;
}

bool oz_sampler_prepare(oz_sampler *s, uint32_t samples)
{
	if (s->samples == samples)
		return true;
	free(s->points);
	s->points = malloc(sizeof *s->points * samples);
	s->samples = s->points ? samples : 0;
	for (uint32_t i = 0; i < s->samples; i++)
		for (uint32_t pair = 0; pair < OZ_PAIRS; pair++) {
			const uint32_t seed = mix_bits(pair + 1);
			const uint32_t index = reverse(scramble(reverse(i), seed));
			s->points[i][pair][0] =
			        to_unit_interval(scramble(reverse(index), mix_bits(seed + 1)));
			s->points[i][pair][1] =
			        to_unit_interval(scramble(sobol_second(index), mix_bits(seed + 2)));
		}
	return s->points;
}

void oz_sampler_init(oz_sampler *s)
{
	float repel[2 * REACH + 1][2 * REACH + 1];
	float energy[OZ_MASK * OZ_MASK];
	*s = (oz_sampler){0};
	for (int y = -REACH; y <= REACH; y++)
		for (int x = -REACH; x <= REACH; x++)
			repel[y + REACH][x + REACH] = expf(-(float)(x * x + y * y) / WIDE);
	for (uint32_t k = 0; k < OZ_MASK * OZ_MASK; k++)
		energy[k] = 1e-4f * to_unit_interval(mix_bits(k));
	for (uint32_t rank = 0; rank < OZ_MASK * OZ_MASK; rank++) {
		uint32_t least = 0;
		for (uint32_t k = 1; k < OZ_MASK * OZ_MASK; k++)
			if (energy[k] < energy[least])
				least = k;
		s->mask[least] = ((float)rank + 0.5f) / (float)(OZ_MASK * OZ_MASK);
		for (int y = -REACH; y <= REACH; y++)
			for (int x = -REACH; x <= REACH; x++) {
				const uint32_t row =
				        (least / OZ_MASK + OZ_MASK + (uint32_t)y) % OZ_MASK;
				const uint32_t column = (least + OZ_MASK + (uint32_t)x) % OZ_MASK;
				energy[row * OZ_MASK + column] += repel[y + REACH][x + REACH];
			}
		energy[least] = 1e9f;
	}
}

void oz_sampler_free(oz_sampler *s)
{
	free(s->points);
	s->points = NULL;
	s->samples = 0;
}
