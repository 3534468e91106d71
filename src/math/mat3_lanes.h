// mat3_lanes.h: products of 3 × 3 matrices, a vector of them at a time.
#ifndef OZ_MAT3_LANES_H
#define OZ_MAT3_LANES_H

#include "math/rotation_lanes.h"

// row times matrix: one row of a b
OZ_FN lane_vec3 lane_row_mul(lane_vec3 row, const lane_mat3 *b)
{
	return lane_v3(row.x * b->r0.x + row.y * b->r1.x + row.z * b->r2.x,
	               row.x * b->r0.y + row.y * b->r1.y + row.z * b->r2.y,
	               row.x * b->r0.z + row.y * b->r1.z + row.z * b->r2.z);
}

OZ_FN lane_mat3 lane_mat3_mul(const lane_mat3 *a, const lane_mat3 *b)
{
	lane_mat3 m;
	m.r0 = lane_row_mul(a->r0, b);
	m.r1 = lane_row_mul(a->r1, b);
	m.r2 = lane_row_mul(a->r2, b);
	return m;
}

OZ_FN lane_mat3 lane_mat3_plus(const lane_mat3 *a, const lane_mat3 *b)
{
	lane_mat3 m;
	m.r0 = lane_v3(a->r0.x + b->r0.x, a->r0.y + b->r0.y, a->r0.z + b->r0.z);
	m.r1 = lane_v3(a->r1.x + b->r1.x, a->r1.y + b->r1.y, a->r1.z + b->r1.z);
	m.r2 = lane_v3(a->r2.x + b->r2.x, a->r2.y + b->r2.y, a->r2.z + b->r2.z);
	return m;
}

// aᵀ b
OZ_FN lane_mat3 lane_mat3_transposed_mul(const lane_mat3 *a, const lane_mat3 *b)
{
	lane_mat3 m;
	m.r0 = lane_row_mul(lane_v3(a->r0.x, a->r1.x, a->r2.x), b);
	m.r1 = lane_row_mul(lane_v3(a->r0.y, a->r1.y, a->r2.y), b);
	m.r2 = lane_row_mul(lane_v3(a->r0.z, a->r1.z, a->r2.z), b);
	return m;
}

OZ_FN lane_mat3 lane_symmetric(lane xx, lane xy, lane xz, lane yy, lane yz, lane zz)
{
	lane_mat3 m;
	m.r0 = lane_v3(xx, xy, xz);
	m.r1 = lane_v3(xy, yy, yz);
	m.r2 = lane_v3(xz, yz, zz);
	return m;
}

#endif
