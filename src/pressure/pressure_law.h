// pressure_law.h: the equation of state.
#ifndef OZ_PRESSURE_LAW_H
#define OZ_PRESSURE_LAW_H

#include "particles/matter.h"

// What overlaps when it is added has a density above 1 and would fly apart. Particles have an
// overlap x from then on: up to δ = 1 + x they are as soft as a fluid with the speed of sound
// OZ_OVERLAP_SOFT c, so that they part slowly. x follows δ - 1 down, with a time constant.
#define OZ_OVERLAP_SOFT 0.08f
// x of δ is OZ_OVERLAP_ROOM (δ - 1) - OZ_OVERLAP_LEAST: particles of a body inside another one pass
// the denser places between its particles, and what is pressed a little is no overlap
#define OZ_OVERLAP_ROOM  1.25f
#define OZ_OVERLAP_LEAST 0.05f

// Returns x of this step. It is stored in `overlap`; OZ_OVERLAP_ANY there: not yet known.
// `keep`: share of the way to its new value that is left after a step; 0: no overlap. `fresh`: particles were
// added since the last step, and δ has risen from `before` (0: there was no last step) because of
// them.
OZ_FN float fluid_overlap(OZ_GLOBAL float *overlap, float delta, float before, uint fresh,
                          float keep)
{
	const float present = oz_max(OZ_OVERLAP_ROOM * (delta - 1.0f) - OZ_OVERLAP_LEAST, 0.0f);
	const float risen = fresh && before > 0.0f ? delta - oz_max(before, 1.0f) : 0.0f;
	float x = *overlap < OZ_OVERLAP_ANY ? oz_max(*overlap, 0.0f) : present;
	x += oz_max(OZ_OVERLAP_ROOM * risen - OZ_OVERLAP_LEAST, 0.0f);
	if (!(keep > 0.0f))
		x = 0.0f;
	*overlap = x > present ? present + keep * (x - present) : x;
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
