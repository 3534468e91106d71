// pressure_law.h: the equation of state.
#ifndef OZ_PRESSURE_LAW_H
#define OZ_PRESSURE_LAW_H

#include "particles/matter.h"

// What overlaps when it is added has a density above 1 and would fly apart. Such particles have an
// overlap x > 0: up to δ = 1 + x they are as soft as a fluid with the speed of sound
// OZ_OVERLAP_SOFT c, so that they part slowly. When they have parted, x fades within the overlap
// time of the world; where they do not part, as under a weight, within ten times that.
#define OZ_OVERLAP_SOFT  0.08f
#define OZ_OVERLAP_LEAST 0.04f // δ - 1 above which particles overlap
#define OZ_OVERLAP_FIRST 1.25f // x at first: room for the densest places inside another body

// Returns x of this step. It is stored in `overlap`; OZ_OVERLAP_ANY there: not yet known. A step
// leaves the share `keep` of it where particles have parted, and `fade` elsewhere; keep = 0: there
// is no overlap. `fresh`: particles were added since the last step, and δ has risen from `before`
// (0: there was no last step) because of them.
OZ_FN float fluid_overlap(OZ_GLOBAL float *overlap, float delta, float before, uint fresh,
                          float keep, float fade)
{
	const bool over = delta > 1.0f + OZ_OVERLAP_LEAST;
	const bool risen =
	        fresh && before > 0.0f && delta > oz_max(before, 1.0f) + OZ_OVERLAP_LEAST;
	float x = *overlap < OZ_OVERLAP_ANY ? oz_max(*overlap, 0.0f)
	          : over                    ? OZ_OVERLAP_FIRST
	                                    : 0.0f;
	x = risen ? OZ_OVERLAP_FIRST : x;
	x = keep > 0.0f ? x : 0.0f;
	*overlap = x * (over ? fade : keep);
	return x;
}

// Returns the pressure (Pa); delta is the density relative to the rest density, `overlap` is x.
// Never negative, unless the world allows tension.
OZ_FN float fluid_pressure(const oz_fluid *f, float rest_density, float delta, float overlap)
{
	const float over = oz_min(oz_max(delta - 1.0f, 0.0f), overlap), d = delta - over;
	const float d2 = d * d;
	const float stretch = f->tait ? (d2 * d2 * d2 * d - 1.0f) * (1.0f / 7.0f) : d - 1.0f;
	const float soft = OZ_OVERLAP_SOFT * OZ_OVERLAP_SOFT * over;
	const float p = rest_density * f->sound2 * (stretch + soft);
	return f->tension ? p : oz_max(p, 0.0f);
}

#endif
