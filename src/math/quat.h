// quat.h: unit quaternions (x, y, z, w) as rotations, in the common subset of C11 and OpenCL C.
//
// The product a b rotates by b first, then by a, as with matrices. q and -q are the same rotation:
// code that interpolates or compares uses the one nearer to the other quaternion.
#ifndef OZ_QUAT_H
#define OZ_QUAT_H

#include "math/mat3.h"

OZ_FN oz_quat oz_quat_of(float x, float y, float z, float w)
{
	oz_quat q;
	q.x = x;
	q.y = y;
	q.z = z;
	q.w = w;
	return q;
}

OZ_FN oz_quat oz_quat_identity(void)
{
	return oz_quat_of(0.0f, 0.0f, 0.0f, 1.0f);
}

OZ_FN float oz_quat_dot(oz_quat a, oz_quat b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

OZ_FN oz_quat oz_quat_conjugate(oz_quat q)
{
	return oz_quat_of(-q.x, -q.y, -q.z, q.w);
}

OZ_FN oz_quat oz_quat_mul(oz_quat a, oz_quat b)
{
	return oz_quat_of(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
	                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
	                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
	                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

// Scales to unit length; the identity if |q|² is not finite or outside 1e-30 … 1e30.
OZ_FN oz_quat oz_quat_normalize(oz_quat q)
{
	const float n = oz_quat_dot(q, q);
	if (!(n > 1e-30f && n < 1e30f))
		return oz_quat_identity();
	const float s = oz_rsqrt(n);
	return oz_quat_of(q.x * s, q.y * s, q.z * s, q.w * s);
}

// rotates a vector by a unit quaternion
OZ_FN oz_vec3 oz_quat_rotate(oz_quat q, oz_vec3 v)
{
	const oz_vec3 u = oz_v3(q.x, q.y, q.z);
	const oz_vec3 t = oz_scale(oz_cross(u, v), 2.0f);
	return oz_add(oz_mad(v, t, q.w), oz_cross(u, t));
}

// A rotation by `angle` (rad) about `axis`, which may have any length; a zero axis gives the
// identity.
OZ_FN oz_quat oz_quat_from_axis_angle(oz_vec3 axis, float angle)
{
	const oz_vec3 u = oz_scale(oz_normalize(axis), oz_sin(0.5f * angle));
	return oz_quat_normalize(oz_quat_of(u.x, u.y, u.z, oz_cos(0.5f * angle)));
}

// Rotations about the fixed axes of the world: x first, then y, then z.
OZ_FN oz_quat oz_quat_from_euler_degrees(oz_vec3 degrees)
{
	const oz_vec3 radians = oz_scale(degrees, 0.017453292519943295f);
	const oz_quat x = oz_quat_from_axis_angle(oz_v3(1.0f, 0.0f, 0.0f), radians.x);
	const oz_quat y = oz_quat_from_axis_angle(oz_v3(0.0f, 1.0f, 0.0f), radians.y);
	const oz_quat z = oz_quat_from_axis_angle(oz_v3(0.0f, 0.0f, 1.0f), radians.z);
	return oz_quat_mul(z, oz_quat_mul(y, x));
}

OZ_FN oz_mat3 oz_quat_to_mat3(oz_quat q)
{
	const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
	const float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
	const float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
	const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
	const oz_mat3 a = {{{1.0f - yy - zz, xy - wz, xz + wy},
	                    {xy + wz, 1.0f - xx - zz, yz - wx},
	                    {xz - wy, yz + wx, 1.0f - xx - yy}}};
	return a;
}

// The quaternion of a rotation matrix. Its largest component (at least 1/2) comes from a sum of
// diagonal elements; the others follow by division by it, which is safe.
OZ_FN oz_quat oz_quat_from_mat3(oz_mat3 a)
{
	const float xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2];
	const float yz = a.m[2][1] - a.m[1][2], zx = a.m[0][2] - a.m[2][0],
	            xy = a.m[1][0] - a.m[0][1];
	const float zy = a.m[2][1] + a.m[1][2], xz = a.m[0][2] + a.m[2][0],
	            yx = a.m[1][0] + a.m[0][1];
	oz_quat q;
	if (xx + yy + zz > 0.0f)
		q = oz_quat_of(yz, zx, xy, 1.0f + xx + yy + zz);
	else if (xx > yy && xx > zz)
		q = oz_quat_of(1.0f + xx - yy - zz, yx, xz, yz);
	else if (yy > zz)
		q = oz_quat_of(yx, 1.0f - xx + yy - zz, zy, zx);
	else
		q = oz_quat_of(xz, zy, 1.0f - xx - yy + zz, xy);
	return oz_quat_normalize(q);
}

// atan(x) for 0 ≤ x ≤ 1: the angle is halved twice, which leaves x < 0.2 for a short series
OZ_FN float oz_quat_atan(float x)
{
	const float half_x = x / (1.0f + oz_sqrt(1.0f + x * x));
	const float y = half_x / (1.0f + oz_sqrt(1.0f + half_x * half_x));
	const float z = y * y;
	const float series = 1.0f + z * (-1.0f / 3.0f + z * (0.2f + z * (-1.0f / 7.0f + z / 9.0f)));
	return 4.0f * y * series;
}

// Interpolates from a (t = 0) to b (t = 1) at constant speed along the shorter arc. The angle comes
// from |a - b| / |a + b|, which resolves small angles that a cosine in float does not.
OZ_FN oz_quat oz_quat_slerp(oz_quat a, oz_quat b, float t)
{
	const float side = oz_quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
	const oz_quat c = oz_quat_of(side * b.x, side * b.y, side * b.z, side * b.w);
	const oz_quat d = oz_quat_of(c.x - a.x, c.y - a.y, c.z - a.z, c.w - a.w);
	const oz_quat s = oz_quat_of(c.x + a.x, c.y + a.y, c.z + a.z, c.w + a.w);
	const float tangent = oz_sqrt(oz_quat_dot(d, d) / oz_max(oz_quat_dot(s, s), 1e-30f));
	const float angle = 2.0f * oz_quat_atan(oz_min(tangent, 1.0f));
	float from = 1.0f - t, to = t;
	if (angle > 1e-3f) {
		from = oz_sin(from * angle);
		to = oz_sin(to * angle);
	}
	return oz_quat_normalize(oz_quat_of(from * a.x + to * c.x, from * a.y + to * c.y,
	                                    from * a.z + to * c.z, from * a.w + to * c.w));
}

#endif
