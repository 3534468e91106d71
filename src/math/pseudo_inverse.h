// pseudo_inverse.h: the pseudo-inverse of a symmetric matrix without negative eigenvalues.
#ifndef OZ_PSEUDO_INVERSE_H
#define OZ_PSEUDO_INVERSE_H

#include "math/rotation.h"

// the pseudo-inverse of A, its projector and its rank
typedef struct oz_span {
	oz_mat3 L, N;
	uint rank;
	bool certain; // no eigenvalue is small
} oz_span;

// eigenvalues of at most `flat` times the largest count as 0
OZ_FN oz_span oz_pseudo_inverse(oz_mat3 A, float flat)
{
	oz_mat3 U, V;
	oz_vec3 sigma;
	oz_span s;
	oz_svd(A, &U, &sigma, &V);
	s.L = s.N = oz_mat3_zero();
	s.rank = 0u;
	s.certain = false;
	const float size[3] = {sigma.x, sigma.y, sigma.z};
	for (int k = 0; k < 3; k++) {
		if (!(size[k] > flat * size[0]))
			break;
		const oz_vec3 v = oz_mat3_column(V, k);
		const oz_mat3 along = oz_mat3_outer(v, v);
		s.L = oz_mat3_add(s.L, oz_mat3_scale(along, 1.0f / size[k]));
		s.N = oz_mat3_add(s.N, along);
		s.rank++;
	}
	if (s.rank == 3u)
		s.N = oz_mat3_identity();
	return s;
}

// The same, quicker where all eigenvalues are well above 0: a determinant of OZ_ROUND times that of
// three equal eigenvalues means that none is below 0.02 of the largest.
#define OZ_ROUND 0.1f

OZ_FN oz_span oz_inverse_or_pseudo(oz_mat3 A, float flat)
{
	const float mean = oz_mat3_trace(A) / 3.0f, det = oz_mat3_det(A);
	if (!(mean > 1e-12f && det >= OZ_ROUND * mean * mean * mean))
		return oz_pseudo_inverse(A, flat);
	const oz_vec3 x = oz_mat3_row(A, 0), y = oz_mat3_row(A, 1), z = oz_mat3_row(A, 2);
	oz_span s;
	s.L = oz_mat3_scale(oz_mat3_from_rows(oz_cross(y, z), oz_cross(z, x), oz_cross(x, y)),
	                    1.0f / det);
	s.N = oz_mat3_identity();
	s.rank = 3u;
	s.certain = true;
	return s;
}

#endif
