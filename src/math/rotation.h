// rotation.h: the rotation nearest to a matrix, and its singular values, for any matrix.
//
// The rotation R of A = R S maximises tr(Rᵀ A). With R = R₀ (1, v), v = axis × tan(angle / 2), and
// B = R₀ᵀ A, the maximum is the top eigenvector (1, v) of Horn's 4 × 4 matrix, and v solves
//
//   (λ + tr B - B - Bᵀ) v = g,   g = (B₂₁ - B₁₂, B₀₂ - B₂₀, B₁₀ - B₀₁)
//
// where λ, the eigenvalue, is at least tr B. With tr B in its place this is a Rayleigh quotient
// step, 2 H v = g, H = tr B - (B + Bᵀ)/2, with cubic convergence. If H is positive definite, only
// one eigenvalue is at least tr B, and the true v is no longer than the computed one: a short step
// proves that the maximum, not a saddle point, is near. If there is no such proof, or H is nearly
// singular (A collinear, zero or inverted), one-sided Jacobi is used: it needs no guess and does
// not square the condition number.
#ifndef OZ_ROTATION_H
#define OZ_ROTATION_H

#include "math/quat.h"

#define OZ_ROTATION_STEPS   4
#define OZ_ROTATION_ERROR   5e-7f // half an angle, rad: largest error after the last step
#define OZ_ROTATION_CERTAIN 1e-3f // least eigenvalue of H over its trace for which a step counts
#define OZ_ROTATION_FREE    2e-6f // (sigma.y + sigma.z) / sigma.x below which R is not unique
#define OZ_SVD_SWEEPS       8
#define OZ_SVD_ORTHOGONAL   1e-14f // squared cosine below which two columns count as orthogonal

// The sum of |elements|, an upper bound of the largest singular value; 0 if the matrix is zero, not
// finite, or outside 1e-36 … 1e36.
OZ_FN float oz_rotation_size(oz_mat3 A)
{
	const float size = oz_abs(A.m[0][0]) + oz_abs(A.m[0][1]) + oz_abs(A.m[0][2]) +
	                   oz_abs(A.m[1][0]) + oz_abs(A.m[1][1]) + oz_abs(A.m[1][2]) +
	                   oz_abs(A.m[2][0]) + oz_abs(A.m[2][1]) + oz_abs(A.m[2][2]);
	return size > 1e-36f && size < 1e36f ? size : 0.0f;
}

// ---- singular values --------------------------------------------------------------------------

// One Jacobi rotation: makes two columns b of A V orthogonal, and rotates the columns v of V with
// them. Returns false if they are orthogonal already.
OZ_FN bool oz_svd_orthogonalize(oz_vec3 *bp, oz_vec3 *bq, oz_vec3 *vp, oz_vec3 *vq)
{
	const float alpha = oz_length2(*bp), beta = oz_length2(*bq), gamma = oz_dot(*bp, *bq);
	if (!(gamma * gamma > OZ_SVD_ORTHOGONAL * alpha * beta))
		return false;
	const float zeta = (beta - alpha) / (2.0f * gamma), size = oz_abs(zeta);
	const float root = size < 1e8f ? oz_sqrt(1.0f + zeta * zeta) : size;
	const float t = (zeta < 0.0f ? -1.0f : 1.0f) / (size + root);
	const float c = oz_rsqrt(1.0f + t * t), s = c * t;
	const oz_vec3 b = *bp, v = *vp;
	*bp = oz_mad(oz_scale(b, c), *bq, -s);
	*bq = oz_mad(oz_scale(b, s), *bq, c);
	*vp = oz_mad(oz_scale(v, c), *vq, -s);
	*vq = oz_mad(oz_scale(v, s), *vq, c);
	return true;
}

// Swaps two columns if the second is longer, and negates one, so that V remains a rotation.
OZ_FN void oz_svd_order(oz_vec3 *bp, oz_vec3 *bq, oz_vec3 *vp, oz_vec3 *vq)
{
	if (oz_length2(*bp) >= oz_length2(*bq))
		return;
	const oz_vec3 b = *bp, v = *vp;
	*bp = *bq;
	*vp = *vq;
	*bq = oz_scale(b, -1.0f);
	*vq = oz_scale(v, -1.0f);
}

// The unit vector along the part of b that is orthogonal to the unit vector u; if b has no such
// part, any unit vector orthogonal to u.
OZ_FN oz_vec3 oz_svd_orthogonal_part(oz_vec3 b, oz_vec3 u)
{
	const oz_vec3 a = oz_normalize(oz_mad(b, u, -oz_dot(b, u)));
	const oz_vec3 r = oz_mad(a, u, -oz_dot(a, u));
	return oz_length2(r) > 0.25f ? oz_normalize(r) : oz_perpendicular(u);
}

// A = U diag(sigma) Vᵀ with rotations U and V, |sigma| in descending order; sigma.z has the sign of
// det A. If oz_rotation_size(A) is 0: sigma = 0, U = V = 1.
OZ_FN void oz_svd(oz_mat3 A, oz_mat3 *U, oz_vec3 *sigma, oz_mat3 *V)
{
	const float size = oz_rotation_size(A), scale = size > 0.0f ? 1.0f / size : 0.0f;
	*U = *V = oz_mat3_identity();
	*sigma = oz_v3(0.0f, 0.0f, 0.0f);
	if (!(size > 0.0f))
		return;
	oz_vec3 b0 = oz_scale(oz_mat3_column(A, 0), scale), v0 = oz_v3(1.0f, 0.0f, 0.0f);
	oz_vec3 b1 = oz_scale(oz_mat3_column(A, 1), scale), v1 = oz_v3(0.0f, 1.0f, 0.0f);
	oz_vec3 b2 = oz_scale(oz_mat3_column(A, 2), scale), v2 = oz_v3(0.0f, 0.0f, 1.0f);
	bool rotated = true;
	for (int sweep = 0; sweep < OZ_SVD_SWEEPS && rotated; sweep++) {
		rotated = oz_svd_orthogonalize(&b0, &b1, &v0, &v1);
		rotated = oz_svd_orthogonalize(&b0, &b2, &v0, &v2) || rotated;
		rotated = oz_svd_orthogonalize(&b1, &b2, &v1, &v2) || rotated;
	}
	oz_svd_order(&b0, &b1, &v0, &v1);
	oz_svd_order(&b0, &b2, &v0, &v2);
	oz_svd_order(&b1, &b2, &v1, &v2);
	const oz_vec3 u0 = oz_normalize(b0), u1 = oz_svd_orthogonal_part(b1, u0),
	              u2 = oz_cross(u0, u1);
	sigma->x = size * oz_dot(u0, b0);
	sigma->y = oz_min(size * oz_max(oz_dot(u1, b1), 0.0f), sigma->x);
	sigma->z = oz_max(oz_min(size * oz_dot(u2, b2), sigma->y), -sigma->y);
	*U = oz_mat3_from_columns(u0, u1, u2);
	*V = oz_mat3_from_columns(v0, v1, v2);
}

// ---- the nearest rotation ---------------------------------------------------------------------

// Computes R = U Vᵀ by singular values. If sigma.y + sigma.z is nearly 0, all U T Vᵀ with a
// rotation T about the first axis are equally good: returns the one nearest to the guess.
OZ_FN oz_quat oz_rotation_direct(oz_mat3 A, oz_quat guess)
{
	oz_mat3 U, V;
	oz_vec3 sigma;
	oz_svd(A, &U, &sigma, &V);
	if (sigma.y + sigma.z <= OZ_ROTATION_FREE * sigma.x) {
		const oz_mat3 G = oz_quat_to_mat3(guess);
		const oz_vec3 g1 = oz_mat3_mul_vec(G, oz_mat3_column(V, 1));
		const oz_vec3 g2 = oz_mat3_mul_vec(G, oz_mat3_column(V, 2));
		const oz_vec3 u1 = oz_mat3_column(U, 1), u2 = oz_mat3_column(U, 2);
		const oz_vec3 cos_sin = oz_normalize(oz_v3(oz_dot(u1, g1) + oz_dot(u2, g2),
		                                           oz_dot(u2, g1) - oz_dot(u1, g2), 0.0f));
		if (oz_length2(cos_sin) > 0.5f)
			U = oz_mat3_from_columns(oz_mat3_column(U, 0),
			                         oz_mad(oz_scale(u1, cos_sin.x), u2, cos_sin.y),
			                         oz_mad(oz_scale(u2, cos_sin.x), u1, -cos_sin.y));
	}
	const oz_quat q = oz_quat_from_mat3(oz_mat3_mul_transposed(U, V));
	const float side = oz_quat_dot(q, guess) < 0.0f ? -1.0f : 1.0f;
	return oz_quat_of(side * q.x, side * q.y, side * q.z, side * q.w);
}

// One step from q. Returns an upper bound of the remaining error of v, or -1 if H is not clearly
// positive definite. The bound uses the adjugate: det H / tr(adj H) is between one third of H's
// least eigenvalue and that eigenvalue.
OZ_FN float oz_rotation_step(oz_mat3 A, oz_quat *q)
{
	const oz_mat3 B = oz_mat3_transposed_mul(oz_quat_to_mat3(*q), A);
	const float a = B.m[1][1] + B.m[2][2], d = -0.5f * (B.m[0][1] + B.m[1][0]);
	const float b = B.m[0][0] + B.m[2][2], e = -0.5f * (B.m[0][2] + B.m[2][0]);
	const float c = B.m[0][0] + B.m[1][1], f = -0.5f * (B.m[1][2] + B.m[2][1]);
	const oz_vec3 g =
	        oz_v3(B.m[2][1] - B.m[1][2], B.m[0][2] - B.m[2][0], B.m[1][0] - B.m[0][1]);
	const oz_vec3 adj0 = oz_v3(b * c - f * f, e * f - d * c, d * f - e * b);
	const oz_vec3 adj1 = oz_v3(adj0.y, a * c - e * e, d * e - a * f);
	const oz_vec3 adj2 = oz_v3(adj0.z, adj1.z, a * b - d * d);
	const float det = a * adj0.x + d * adj0.y + e * adj0.z;
	const float minors = adj0.x + adj1.y + adj2.z, trace = a + b + c;
	if (!(trace > 0.0f && minors > 0.0f && det > OZ_ROTATION_CERTAIN * trace * minors))
		return -1.0f;
	const oz_vec3 v =
	        oz_scale(oz_v3(oz_dot(adj0, g), oz_dot(adj1, g), oz_dot(adj2, g)), 0.5f / det);
	*q = oz_quat_normalize(oz_quat_mul(*q, oz_quat_of(v.x, v.y, v.z, 1.0f)));
	return oz_length(v) * oz_abs(oz_dot(g, v)) * minors / (2.0f * det);
}

// Returns the rotation R of A = R S that maximises tr(Rᵀ A), also for inverted matrices. Any guess
// gives the right result; a good one is faster. If R is not unique, returns one near the guess; if
// oz_rotation_size(A) is 0, the guess.
OZ_FN oz_quat oz_rotation_extract(oz_mat3 A, oz_quat guess)
{
	const float size = oz_rotation_size(A);
	const oz_quat start = oz_quat_normalize(guess);
	if (!(size > 0.0f))
		return start;
	const oz_mat3 scaled = oz_mat3_scale(A, 1.0f / size);
	oz_quat q = start;
	for (int step = 0; step < OZ_ROTATION_STEPS; step++) {
		const float error = oz_rotation_step(scaled, &q);
		if (error < 0.0f)
			break;
		if (error < OZ_ROTATION_ERROR)
			return q;
	}
	return oz_rotation_direct(scaled, start);
}

#endif
