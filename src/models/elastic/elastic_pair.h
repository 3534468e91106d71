// elastic_pair.h: what two rest neighbours are to each other.
#ifndef OZ_ELASTIC_PAIR_H
#define OZ_ELASTIC_PAIR_H

#include "math/sph.h"
#include "particles/matter.h"

#define OZ_ELASTIC_SOFTEST 0.05f // what is left of the stiffness just before it melts

#define OZ_FIRM_PRINTED (OZ_FIRM_PAPER | OZ_FIRM_PLAIN)

// what the middle stage is asked for
#define OZ_TANGENT_TURNED  1u
#define OZ_TANGENT_AT_REST 2u

// rounded to 11 bits
OZ_FN lane elastic_short(lane w)
{
	return oz_lane_of_bits((oz_lane_bits(w) + 0x1000) & ~0x1fff);
}

// ω: the slope of the kernel, or for moving least squares the kernel. Any weight does that is the
// same from both ends and everywhere, so it is one that two bytes can hold (elastic_blocks.h).
OZ_FN lane elastic_weight(const oz_fluid *f, uint firm, lane x, lane y, lane z)
{
	// rounded alike wherever it stands: the last bit may decide about one of 11
	const lane r2 = lane_fused(z, z, lane_fused(y, y, x * x));
	if (firm & OZ_FIRM_MLS)
		return elastic_short(oz_sph_w(f->smoothing, r2, f->h));
	return elastic_short(-oz_sph_gradient(f->smoothing, r2, f->h));
}

#endif
