// rigid_math.h: vectors and quaternions of doubles, for the poses of rigid bodies.
#ifndef OZ_RIGID_MATH_H
#define OZ_RIGID_MATH_H

#include <math.h>
#include <stdbool.h>

static inline void oz_cross3d(const double a[3], const double b[3], double to[3])
{
	to[0] = a[1] * b[2] - a[2] * b[1];
	to[1] = a[2] * b[0] - a[0] * b[2];
	to[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double oz_dot3d(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// to += a s
static inline void oz_add3d(double to[3], const double a[3], double s)
{
	for (int k = 0; k < 3; k++)
		to[k] += s * a[k];
}

// rotates v by a unit quaternion, or back
static inline void oz_rotate3d(const double q[4], const double v[3], bool back, double to[3])
{
	const double s = back ? -1 : 1, u[3] = {s * q[0], s * q[1], s * q[2]};
	double t[3], ut[3];
	oz_cross3d(u, v, t);
	for (int k = 0; k < 3; k++)
		t[k] *= 2;
	oz_cross3d(u, t, ut);
	for (int k = 0; k < 3; k++)
		to[k] = v[k] + q[3] * t[k] + ut[k];
}

// solves I x = b for a symmetric positive matrix xx yy zz xy xz yz
static inline void oz_solve3d(const double I[6], const double b[3], double x[3])
{
	const double r0[3] = {I[0], I[3], I[4]}, r1[3] = {I[3], I[1], I[5]},
	             r2[3] = {I[4], I[5], I[2]};
	double a[3], c[3], d[3];
	oz_cross3d(r1, r2, a);
	oz_cross3d(r2, r0, c);
	oz_cross3d(r0, r1, d);
	const double det = oz_dot3d(r0, a);
	for (int k = 0; k < 3; k++)
		x[k] = det > 0 ? (a[k] * b[0] + c[k] * b[1] + d[k] * b[2]) / det : 0;
}

// q = exp(Δt Ω) q
static inline void oz_turn3d(double q[4], const double spin[3], double dt)
{
	const double angle = sqrt(oz_dot3d(spin, spin)) * dt;
	const double s = angle > 1e-12 ? sin(0.5 * angle) / angle * dt : 0.5 * dt;
	const double u[3] = {s * spin[0], s * spin[1], s * spin[2]}, w = cos(0.5 * angle);
	const double v[3] = {q[0], q[1], q[2]};
	double uv[3];
	oz_cross3d(u, v, uv);
	double to[4] = {w * v[0] + q[3] * u[0] + uv[0], w * v[1] + q[3] * u[1] + uv[1],
	                w * v[2] + q[3] * u[2] + uv[2], w * q[3] - oz_dot3d(u, v)};
	const double size = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + to[3] * to[3]);
	for (int k = 0; k < 4; k++)
		q[k] = to[k] / size;
}

#endif
