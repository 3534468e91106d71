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

// The preconditioner of an unknown, as a symmetric 3 × 3 matrix L D Lᵀ that it inverts: x, y, z are
// L_yx, L_zx, L_zy; x, y, z of the second record are 1 over the diagonal of D.
typedef struct cg_block {
	oz_float4 lower, inverse;
} cg_block;

// (L D Lᵀ)⁻¹ r; w: 0
OZ_FN oz_float4 cg_solve_block(OZ_GLOBAL const cg_block *b, oz_float4 r)
{
	const float y1 = r.y - b->lower.x * r.x;
	const float z1 = r.z - b->lower.y * r.x - b->lower.z * y1;
	const float z = z1 * b->inverse.z;
	const float y = y1 * b->inverse.y - b->lower.z * z;
	const float x = r.x * b->inverse.x - b->lower.x * y - b->lower.y * z;
	return oz_make4(x, y, z, 0.0f);
}

#endif
