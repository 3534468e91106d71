// elastic_pair.h: the weight ω of a pair of rest neighbours.
#ifndef OZ_ELASTIC_PAIR_H
#define OZ_ELASTIC_PAIR_H

#include "math/sph.h"
#include "particles/matter.h"

#define OZ_ELASTIC_SOFTEST 0.05f // share of the stiffness that is left at the melting temperature

#define OZ_FIRM_PRINTED (OZ_FIRM_PAPER | OZ_FIRM_PLAIN)

// elastic_stress computes the product of the stiffness with a vector …
#define OZ_TANGENT_ROTATED 1u // … at the present rotations
#define OZ_TANGENT_AT_REST 2u // … without rotation

// rounded to 11 bits
OZ_FN lane elastic_round11(lane w)
{
	return oz_lane_of_bits((oz_lane_bits(w) + 0x1000) & ~0x1fff);
}

// - W'/r, or W for moving least squares
OZ_FN lane elastic_kernel(const oz_fluid *f, uint firm, lane r2)
{
	return firm & OZ_FIRM_MLS ? oz_sph_w(f->smoothing, r2, f->h)
	                          : -oz_sph_gradient(f->smoothing, r2, f->h);
}

// Least weight of a pair, over that at half of the support radius. Blocks hold weights as floats of
// 16 bits; those have 11 bits down to 2⁻¹⁴ of their unit.
#define OZ_ELASTIC_LEAST 1.220703125e-4f

// ω: the kernel, or 0 where it is small. Every weight that is equal for both particles of a pair is
// valid, so it is rounded to a value that two bytes can hold (elastic_blocks.h). If blocks held
// another value than elastic_fit has, a particle with this one bond would accelerate itself.
OZ_FN lane elastic_weight(const oz_fluid *f, uint firm, lane x, lane y, lane z)
{
	// fused everywhere: a different last bit of r2 could change the rounded weight
	const lane r2 = lane_fused(z, z, lane_fused(y, y, x * x));
	const lane least = OZ_ELASTIC_LEAST * elastic_kernel(f, firm, lane_of(0.25f * f->h * f->h));
	const lane w = elastic_kernel(f, firm, r2);
	return elastic_round11(lane_select(w > least, w, lane_of(0.0f)));
}

#endif
