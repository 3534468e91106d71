// pressure.h: how pressure follows density, and what two particles rub off each other.
#ifndef OZ_PRESSURE_H
#define OZ_PRESSURE_H

#include "models/matter.h"

// Pa; delta is the density as a share of that at rest
OZ_FN float fluid_pressure(const oz_fluid *f, float rest_density, float delta)
{
	const float d2 = delta * delta;
	const float stretch =
	        f->tait ? (d2 * d2 * d2 * delta - 1.0f) * (1.0f / 7.0f) : delta - 1.0f;
	const float p = rest_density * f->sound2 * stretch;
	return f->tension ? p : oz_max(p, 0.0f);
}

// The viscous term of a pair, to be multiplied with the kernel's gradient (Monaghan 2005). v and u
// are velocities with the roots of the viscous weights; x, y, z leads here from the other particle.
OZ_FN lane fluid_viscous(const oz_fluid *f, oz_float4 v, const lane4 *u, lane x, lane y, lane z,
                         lane r2)
{
	const lane approach = (v.x - u->x) * x + (v.y - u->y) * y + (v.z - u->z) * z;
	return v.w * u->w * approach * lane_inverse(r2 + f->softening);
}

#endif
