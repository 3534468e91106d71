// viscous.h: the viscous force between two particles.
#ifndef OZ_VISCOUS_H
#define OZ_VISCOUS_H

#include "particles/matter.h"

// The viscous term of a pair, to be multiplied with the kernel gradient (Monaghan 2005). v and u
// are the velocities of i and j; their w is the root of the viscous weight. (x, y, z) = x_i - x_j.
OZ_FN lane fluid_viscous(const oz_fluid *f, oz_float4 v, const lane4 *u, lane x, lane y, lane z,
                         lane r2)
{
	const lane approach = (v.x - u->x) * x + (v.y - u->y) * y + (v.z - u->z) * z;
	return v.w * u->w * approach * lane_inverse(r2 + f->softening);
}

#endif
