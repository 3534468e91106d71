// pressure_law.h: the equation of state.
#ifndef OZ_PRESSURE_LAW_H
#define OZ_PRESSURE_LAW_H

#include "particles/matter.h"

// What overlaps when it is added has a density above 1 and would fly apart. Such particles have an
// overlap x > 0: up to δ = 1 + x they are as soft as a fluid with the speed of sound
// OZ_OVERLAP_SOFT c, so that they part slowly. When they have parted, x fades within the overlap
// time of the world; where they do not part, as under a weight, within ten times that.
//
// x grows with the excess of density: inside another body it leaves room for the densest places,
// and at a seam of two bodies that touch, where δ is a few per cent too large, it is about 0. There
// a large x would let the weight of the liquid press particles together.
#define OZ_OVERLAP_SOFT  0.08f
#define OZ_OVERLAP_LEAST 0.04f  // δ - 1 above which particles overlap
#define OZ_OVERLAP_GONE  0.001f // x below which there is none
#define OZ_OVERLAP_ROOM  5.0f   // x at first, over the part of δ - 1 above OZ_OVERLAP_LEAST
#define OZ_OVERLAP_MOST  1.25f  // largest x

// Returns x of this step. `deficit` is - x while x > 0, and not below 0 later. A step leaves the
// share `keep` of x where particles have parted, and `fade` elsewhere; keep = 0: there is no
// overlap. `fresh`: particles were added since the last step, and δ has risen from `before` (0:
// there was no last step) because of them.
OZ_FN float fluid_overlap(OZ_GLOBAL float *deficit, float delta, float before, uint fresh,
                          float keep, float fade)
{
	const float stored = *deficit;
	const bool unknown = stored <= -OZ_OVERLAP_ANY, over = delta > 1.0f + OZ_OVERLAP_LEAST;
	const bool risen =
	        fresh && before > 0.0f && delta > oz_max(before, 1.0f) + OZ_OVERLAP_LEAST;
	float x = unknown ? 0.0f : oz_max(-stored, 0.0f);
	if (risen || (unknown && over))
		x = oz_max(x, oz_min(OZ_OVERLAP_ROOM * (delta - 1.0f - OZ_OVERLAP_LEAST),
		                     OZ_OVERLAP_MOST));
	x = keep > 0.0f ? x : 0.0f;
	const float next = x * (over ? fade : keep);
	if (next > OZ_OVERLAP_GONE)
		*deficit = -next;
	else if (stored < 0.0f)
		*deficit = OZ_DEFICIT_ANY;
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
