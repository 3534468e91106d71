// pressure_law.h: the equation of state.
#ifndef OZ_PRESSURE_LAW_H
#define OZ_PRESSURE_LAW_H

#include "particles/matter.h"

// Returns the pressure (Pa); delta is the density relative to the rest density. Never negative,
// unless the world allows tension.
OZ_FN float fluid_pressure(const oz_fluid *f, float rest_density, float delta)
{
	const float d2 = delta * delta;
	const float stretch =
	        f->tait ? (d2 * d2 * d2 * delta - 1.0f) * (1.0f / 7.0f) : delta - 1.0f;
	const float p = rest_density * f->sound2 * stretch;
	return f->tension ? p : oz_max(p, 0.0f);
}

// What overlaps when it is added has a density above 1 and would fly apart. The part of δ - 1 that
// particles have then, their overlap, gives no pressure. It is at most the present δ - 1, and it
// fades, so that they part slowly: `keep` is the share that a step leaves of it. `fresh`: particles
// were added since the last step, and δ has risen from `before` (0: there was no last step) because
// of them. Returns the overlap of this step.
OZ_FN float fluid_overlap(OZ_GLOBAL float *overlap, float delta, float before, uint fresh,
                          float keep)
{
	const float more = fresh && before > 0.0f ? oz_max(delta - oz_max(before, 1.0f), 0.0f) : 0.0f;
	const float now = oz_min(*overlap + more, oz_max(delta - 1.0f, 0.0f));
	*overlap = keep * now;
	return now;
}

#endif
