// mat3.h: 3 × 3 matrices by rows, in the common subset of C11 and OpenCL C.
//
// Products are written without loops: kernels call them for every particle, and the result does not
// depend on a compiler that unrolls loops and keeps indexed arrays in registers.
#ifndef OZ_MAT3_H
#define OZ_MAT3_H

#include "math/vec.h"

OZ_FN oz_vec3 oz_mat3_row(oz_mat3 a, int r)
{
	return oz_v3(a.m[r][0], a.m[r][1], a.m[r][2]);
}

OZ_FN oz_vec3 oz_mat3_column(oz_mat3 a, int c)
{
	return oz_v3(a.m[0][c], a.m[1][c], a.m[2][c]);
}

OZ_FN oz_mat3 oz_mat3_from_rows(oz_vec3 r0, oz_vec3 r1, oz_vec3 r2)
{
	const oz_mat3 a = {{{r0.x, r0.y, r0.z}, {r1.x, r1.y, r1.z}, {r2.x, r2.y, r2.z}}};
	return a;
}

OZ_FN oz_mat3 oz_mat3_from_columns(oz_vec3 c0, oz_vec3 c1, oz_vec3 c2)
{
	const oz_mat3 a = {{{c0.x, c1.x, c2.x}, {c0.y, c1.y, c2.y}, {c0.z, c1.z, c2.z}}};
	return a;
}

OZ_FN oz_mat3 oz_mat3_diagonal(oz_vec3 d)
{
	const oz_mat3 a = {{{d.x, 0.0f, 0.0f}, {0.0f, d.y, 0.0f}, {0.0f, 0.0f, d.z}}};
	return a;
}

OZ_FN oz_mat3 oz_mat3_identity(void)
{
	return oz_mat3_diagonal(oz_v3(1.0f, 1.0f, 1.0f));
}

OZ_FN oz_mat3 oz_mat3_zero(void)
{
	return oz_mat3_diagonal(oz_v3(0.0f, 0.0f, 0.0f));
}

OZ_FN oz_mat3 oz_mat3_add(oz_mat3 a, oz_mat3 b)
{
	return oz_mat3_from_rows(oz_add(oz_mat3_row(a, 0), oz_mat3_row(b, 0)),
	                         oz_add(oz_mat3_row(a, 1), oz_mat3_row(b, 1)),
	                         oz_add(oz_mat3_row(a, 2), oz_mat3_row(b, 2)));
}

OZ_FN oz_mat3 oz_mat3_scale(oz_mat3 a, float s)
{
	return oz_mat3_from_rows(oz_scale(oz_mat3_row(a, 0), s), oz_scale(oz_mat3_row(a, 1), s),
	                         oz_scale(oz_mat3_row(a, 2), s));
}

OZ_FN oz_mat3 oz_mat3_transpose(oz_mat3 a)
{
	return oz_mat3_from_columns(oz_mat3_row(a, 0), oz_mat3_row(a, 1), oz_mat3_row(a, 2));
}

// a v
OZ_FN oz_vec3 oz_mat3_mul_vec(oz_mat3 a, oz_vec3 v)
{
	return oz_v3(oz_dot(oz_mat3_row(a, 0), v), oz_dot(oz_mat3_row(a, 1), v),
	             oz_dot(oz_mat3_row(a, 2), v));
}

// aᵀ v, which is also the row vᵀ a
OZ_FN oz_vec3 oz_mat3_transposed_mul_vec(oz_mat3 a, oz_vec3 v)
{
	const oz_vec3 sum = oz_mad(oz_scale(oz_mat3_row(a, 0), v.x), oz_mat3_row(a, 1), v.y);
	return oz_mad(sum, oz_mat3_row(a, 2), v.z);
}

// a b
OZ_FN oz_mat3 oz_mat3_mul(oz_mat3 a, oz_mat3 b)
{
	return oz_mat3_from_rows(oz_mat3_transposed_mul_vec(b, oz_mat3_row(a, 0)),
	                         oz_mat3_transposed_mul_vec(b, oz_mat3_row(a, 1)),
	                         oz_mat3_transposed_mul_vec(b, oz_mat3_row(a, 2)));
}

// a bᵀ
OZ_FN oz_mat3 oz_mat3_mul_transposed(oz_mat3 a, oz_mat3 b)
{
	return oz_mat3_from_rows(oz_mat3_mul_vec(b, oz_mat3_row(a, 0)),
	                         oz_mat3_mul_vec(b, oz_mat3_row(a, 1)),
	                         oz_mat3_mul_vec(b, oz_mat3_row(a, 2)));
}

// aᵀ b
OZ_FN oz_mat3 oz_mat3_transposed_mul(oz_mat3 a, oz_mat3 b)
{
	return oz_mat3_from_rows(oz_mat3_transposed_mul_vec(b, oz_mat3_column(a, 0)),
	                         oz_mat3_transposed_mul_vec(b, oz_mat3_column(a, 1)),
	                         oz_mat3_transposed_mul_vec(b, oz_mat3_column(a, 2)));
}

// a bᵀ of two vectors
OZ_FN oz_mat3 oz_mat3_outer(oz_vec3 a, oz_vec3 b)
{
	return oz_mat3_from_rows(oz_scale(b, a.x), oz_scale(b, a.y), oz_scale(b, a.z));
}

OZ_FN float oz_mat3_trace(oz_mat3 a)
{
	return a.m[0][0] + a.m[1][1] + a.m[2][2];
}

OZ_FN float oz_mat3_det(oz_mat3 a)
{
	return oz_dot(oz_mat3_row(a, 0), oz_cross(oz_mat3_row(a, 1), oz_mat3_row(a, 2)));
}

// Frobenius norm
OZ_FN float oz_mat3_norm(oz_mat3 a)
{
	return oz_sqrt(oz_length2(oz_mat3_row(a, 0)) + oz_length2(oz_mat3_row(a, 1)) +
	               oz_length2(oz_mat3_row(a, 2)));
}

#endif
