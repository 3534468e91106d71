// rotation_lanes.h: the step of rotation.h for a vector of matrices at a time.
//
// Clusters rotate only a little in a time step, so two iterations from the last rotation are enough
// for nearly all of them. The others are computed one by one with oz_rotation_extract.
#ifndef OZ_ROTATION_LANES_H
#define OZ_ROTATION_LANES_H

#include "math/rotation.h"

typedef struct lane_vec3 {
	lane x, y, z;
} lane_vec3;

typedef struct lane_mat3 {
	lane_vec3 r0, r1, r2; // rows
} lane_mat3;

OZ_FN lane lane_dot(lane_vec3 a, lane_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

OZ_FN lane_vec3 lane_v3(lane x, lane y, lane z)
{
	lane_vec3 v;
	v.x = x;
	v.y = y;
	v.z = z;
	return v;
}

OZ_FN lane lane_abs(lane a)
{
	return lane_max(a, -a);
}

OZ_FN lane_mat3 lane_quat_to_mat3(lane4 q)
{
	const lane x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
	const lane xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
	const lane xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
	const lane wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
	lane_mat3 m;
	m.r0 = lane_v3(1.0f - (yy + zz), xy - wz, xz + wy);
	m.r1 = lane_v3(xy + wz, 1.0f - (xx + zz), yz - wx);
	m.r2 = lane_v3(xz - wy, yz + wx, 1.0f - (xx + yy));
	return m;
}

// one element of aᵀ b
OZ_FN lane lane_columns(lane ax, lane ay, lane az, lane bx, lane by, lane bz)
{
	return ax * bx + ay * by + az * bz;
}

// the product q (v, 1), scaled to unit length
OZ_FN lane4 lane_quat_mul_vector(lane4 q, lane_vec3 v)
{
	lane4 r;
	r.x = q.x + q.w * v.x + q.y * v.z - q.z * v.y;
	r.y = q.y + q.w * v.y + q.z * v.x - q.x * v.z;
	r.z = q.z + q.w * v.z + q.x * v.y - q.y * v.x;
	r.w = q.w - q.x * v.x - q.y * v.y - q.z * v.z;
	const lane scale = lane_rsqrt(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
	r.x = r.x * scale;
	r.y = r.y * scale;
	r.z = r.z * scale;
	r.w = r.w * scale;
	return r;
}

// oz_rotation_step for lanes: a bound of the remaining error, or -1 where H is not positive
// definite
OZ_FN lane lane_rotation_step(const lane_mat3 *A, lane4 *q)
{
	const lane_mat3 R = lane_quat_to_mat3(*q);
	const lane_vec3 a0 = A->r0, a1 = A->r1, a2 = A->r2;
	const lane b00 = lane_columns(R.r0.x, R.r1.x, R.r2.x, a0.x, a1.x, a2.x);
	const lane b01 = lane_columns(R.r0.x, R.r1.x, R.r2.x, a0.y, a1.y, a2.y);
	const lane b02 = lane_columns(R.r0.x, R.r1.x, R.r2.x, a0.z, a1.z, a2.z);
	const lane b10 = lane_columns(R.r0.y, R.r1.y, R.r2.y, a0.x, a1.x, a2.x);
	const lane b11 = lane_columns(R.r0.y, R.r1.y, R.r2.y, a0.y, a1.y, a2.y);
	const lane b12 = lane_columns(R.r0.y, R.r1.y, R.r2.y, a0.z, a1.z, a2.z);
	const lane b20 = lane_columns(R.r0.z, R.r1.z, R.r2.z, a0.x, a1.x, a2.x);
	const lane b21 = lane_columns(R.r0.z, R.r1.z, R.r2.z, a0.y, a1.y, a2.y);
	const lane b22 = lane_columns(R.r0.z, R.r1.z, R.r2.z, a0.z, a1.z, a2.z);
	const lane a = b11 + b22, b = b00 + b22, c = b00 + b11;
	const lane d = -0.5f * (b01 + b10), e = -0.5f * (b02 + b20), f = -0.5f * (b12 + b21);
	const lane_vec3 g = lane_v3(b21 - b12, b02 - b20, b10 - b01);
	const lane_vec3 adj0 = lane_v3(b * c - f * f, e * f - d * c, d * f - e * b);
	const lane_vec3 adj1 = lane_v3(adj0.y, a * c - e * e, d * e - a * f);
	const lane_vec3 adj2 = lane_v3(adj0.z, adj1.z, a * b - d * d);
	const lane det = a * adj0.x + d * adj0.y + e * adj0.z;
	const lane minors = adj0.x + adj1.y + adj2.z, trace = a + b + c;
	const lane zero = lane_of(0.0f), one = lane_of(1.0f);
	const lane_mask sure =
	        (trace > zero) & (minors > zero) & (det > OZ_ROTATION_CERTAIN * trace * minors);
	const lane scale = 0.5f * lane_inverse(lane_select(sure, det, one));
	const lane_vec3 v = lane_v3(scale * lane_dot(adj0, g), scale * lane_dot(adj1, g),
	                            scale * lane_dot(adj2, g));
	const lane4 rotated = lane_quat_mul_vector(*q, v);
	q->x = lane_select(sure, rotated.x, q->x);
	q->y = lane_select(sure, rotated.y, q->y);
	q->z = lane_select(sure, rotated.z, q->z);
	q->w = lane_select(sure, rotated.w, q->w);
	const lane error = lane_sqrt(lane_dot(v, v)) * lane_abs(lane_dot(g, v)) * minors * scale;
	return lane_select(sure, error, lane_of(-1.0f));
}

// Returns the rotations nearest to the matrices; the guesses must be unit quaternions.
OZ_FN lane4 lane_rotation_extract(lane_mat3 A, lane4 guess)
{
	const lane size = lane_abs(A.r0.x) + lane_abs(A.r0.y) + lane_abs(A.r0.z) +
	                  lane_abs(A.r1.x) + lane_abs(A.r1.y) + lane_abs(A.r1.z) +
	                  lane_abs(A.r2.x) + lane_abs(A.r2.y) + lane_abs(A.r2.z);
	const lane_mask sized = (size > lane_of(1e-36f)) & (size < lane_of(1e36f));
	const lane scale = lane_inverse(lane_select(sized, size, lane_of(1.0f)));
	lane_mat3 S;
	S.r0 = lane_v3(scale * A.r0.x, scale * A.r0.y, scale * A.r0.z);
	S.r1 = lane_v3(scale * A.r1.x, scale * A.r1.y, scale * A.r1.z);
	S.r2 = lane_v3(scale * A.r2.x, scale * A.r2.y, scale * A.r2.z);
	lane4 q = guess;
	const lane first = lane_rotation_step(&S, &q);
	const lane second = lane_rotation_step(&S, &q);
	const lane_mask proven = sized & (first >= lane_of(0.0f)) & (second >= lane_of(0.0f)) &
	                         (second < lane_of(OZ_ROTATION_ERROR));
	for (int k = 0; k < OZ_WIDTH; k++) {
		if (oz_lane_true(proven, k))
			continue;
		const oz_mat3 one =
		        oz_mat3_from_rows(oz_v3(oz_lane_at(A.r0.x, k), oz_lane_at(A.r0.y, k),
		                                oz_lane_at(A.r0.z, k)),
		                          oz_v3(oz_lane_at(A.r1.x, k), oz_lane_at(A.r1.y, k),
		                                oz_lane_at(A.r1.z, k)),
		                          oz_v3(oz_lane_at(A.r2.x, k), oz_lane_at(A.r2.y, k),
		                                oz_lane_at(A.r2.z, k)));
		const oz_quat r = oz_rotation_extract(one, oz_quat_of(oz_lane_at(guess.x, k),
		                                                      oz_lane_at(guess.y, k),
		                                                      oz_lane_at(guess.z, k),
		                                                      oz_lane_at(guess.w, k)));
		oz_lane_at(q.x, k) = r.x;
		oz_lane_at(q.y, k) = r.y;
		oz_lane_at(q.z, k) = r.z;
		oz_lane_at(q.w, k) = r.w;
	}
	return q;
}

#endif
