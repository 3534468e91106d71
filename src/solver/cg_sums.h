// cg_sums.h: the sums of conjugate gradients.
#ifndef OZ_CG_SUMS_H
#define OZ_CG_SUMS_H

#include "device/kernel.h"

// Sums are weighted by mass. x: r·z with z = preconditioner times r, y: r·r; z and w as the kernel
// says.
OZ_FN oz_float4 cg_plus(oz_float4 a, oz_float4 b)
{
	return oz_make4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

OZ_FN float cg_dot(oz_float4 a, oz_float4 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

#endif
