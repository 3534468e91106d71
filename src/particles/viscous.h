// viscous.h: what two particles rub off each other.
#ifndef OZ_VISCOUS_H
#define OZ_VISCOUS_H

#include "particles/matter.h"

// The viscous term of a pair, to be multiplied with the kernel's gradient (Monaghan 2005). v and u
// are velocities with the roots of the viscous weights; x, y, z leads here from the other particle.
OZ_FN lane fluid_viscous(const oz_fluid *f, oz_float4 v, const lane4 *u, lane x, lane y, lane z,
                         lane r2)
{
	const lane approach = (v.x - u->x) * x + (v.y - u->y) * y + (v.z - u->z) * z;
	return v.w * u->w * approach * lane_inverse(r2 + f->softening);
}

#endif
