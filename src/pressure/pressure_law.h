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

#endif
