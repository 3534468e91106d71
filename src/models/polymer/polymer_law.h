// polymer_law.h: how the strain of the polymer in a solution follows the flow.
//
// A = C - 1 with the conformation C, which is 1 at rest; the stress is G A. F is the deformation of
// a step, e = exp(-Δt/λ), w = (1 - e) λ/Δt.
//
//   Oldroyd-B      A' = e F A Fᵀ + w (F Fᵀ - 1)       exact for a constant stress A, and for shear
//                  C' = e F C Fᵀ + (w - e) F Fᵀ + (1 - w)      hence always positive
//   Giesekus       A' = B (1 + α (1 - e) B)⁻¹          B: A' of Oldroyd-B
//   corotational   A' = R (e R A Rᵀ + 2 w Δt D') Rᵀ    R: rotation of half the step; D': rate of
//                                                      strain without its trace
//
// The velocities belong to the middle of the last step, the positions to its end. With the velocity
// gradient G at these positions, F = (1 - Δt G)⁻¹ is exactly the deformation of the last step.
#ifndef OZ_POLYMER_LAW_H
#define OZ_POLYMER_LAW_H

#include "math/mat3.h"
#include "models/viscous/law.h"

#define OZ_POLYMER_STEP 0.5f // largest |Δt G| that counts
#define OZ_POLYMER_MOST 1e6f // largest |A|

// (1 - X)⁻¹ for |X| ≤ OZ_POLYMER_STEP
OZ_FN oz_mat3 polymer_inverse(oz_mat3 X)
{
	const oz_mat3 a = oz_mat3_add(oz_mat3_identity(), oz_mat3_scale(X, -1.0f));
	const oz_vec3 x = oz_mat3_row(a, 0), y = oz_mat3_row(a, 1), z = oz_mat3_row(a, 2);
	return oz_mat3_scale(oz_mat3_from_columns(oz_cross(y, z), oz_cross(z, x), oz_cross(x, y)),
	                     1.0f / oz_mat3_det(a));
}

// (a + aᵀ)/2
OZ_FN oz_mat3 polymer_sym(oz_mat3 a)
{
	return oz_mat3_scale(oz_mat3_add(a, oz_mat3_transpose(a)), 0.5f);
}

// f a fᵀ: the tensor a carried along by the deformation f
OZ_FN oz_mat3 polymer_carry(oz_mat3 f, oz_mat3 a)
{
	return oz_mat3_mul_transposed(oz_mat3_mul(f, a), f);
}

// A' of Oldroyd-B; X = Δt G
OZ_FN oz_mat3 polymer_stretch(oz_mat3 A, oz_mat3 X, float e, float w)
{
	const oz_mat3 F = polymer_inverse(X), H = oz_mat3_mul(F, X);
	// F Fᵀ - 1 = H + Hᵀ + H Hᵀ, which has no cancellation
	const oz_mat3 grown =
	        oz_mat3_add(oz_mat3_scale(polymer_sym(H), 2.0f), oz_mat3_mul_transposed(H, H));
	return oz_mat3_add(oz_mat3_scale(polymer_carry(F, A), e), oz_mat3_scale(grown, w));
}

// A' of the corotational law; X = Δt G
OZ_FN oz_mat3 polymer_rotate(oz_mat3 A, oz_mat3 X, float e, float w)
{
	// Δt times the velocity gradient at the positions of mid-step
	const oz_mat3 middle = polymer_inverse(oz_mat3_scale(X, 0.5f)), Y = oz_mat3_mul(X, middle);
	oz_mat3 D = polymer_sym(Y);
	const oz_mat3 W = oz_mat3_scale(oz_mat3_add(Y, oz_mat3_scale(D, -1.0f)), 0.25f);
	// Cayley: the rotation of half the step
	const oz_mat3 R = oz_mat3_mul(polymer_inverse(W), oz_mat3_add(oz_mat3_identity(), W));
	const float third = oz_mat3_trace(D) / 3.0f;
	D.m[0][0] -= third;
	D.m[1][1] -= third;
	D.m[2][2] -= third;
	const oz_mat3 mid =
	        oz_mat3_add(oz_mat3_scale(polymer_carry(R, A), e), oz_mat3_scale(D, 2.0f * w));
	return polymer_carry(R, mid);
}

// The quadratic term of Giesekus: B (1 + c B)⁻¹ of a symmetric B; B itself where 1 + c B is not
// positive.
OZ_FN oz_mat3 polymer_yield(oz_mat3 B, float c)
{
	const oz_mat3 a = oz_mat3_add(oz_mat3_identity(), oz_mat3_scale(B, c));
	const oz_vec3 x = oz_mat3_row(a, 0), y = oz_mat3_row(a, 1), z = oz_mat3_row(a, 2);
	const float det = oz_mat3_det(a);
	if (!(det > 1e-6f))
		return B;
	const oz_mat3 inverse =
	        oz_mat3_scale(oz_mat3_from_columns(oz_cross(y, z), oz_cross(z, x), oz_cross(x, y)),
	                      1.0f / det);
	return polymer_sym(oz_mat3_mul(B, inverse));
}

// A after a time `dt` in the velocity gradient G, at `rate` = 1/λ
OZ_FN oz_mat3 polymer_advance(const oz_polymer *law, oz_mat3 A, oz_mat3 G, float dt, float rate)
{
	const float q = dt * rate, e = oz_exp(-q), w = law_creep(q);
	oz_mat3 X = oz_mat3_scale(G, dt);
	const float size = oz_mat3_norm(X);
	if (!(size < 1e30f))
		return oz_mat3_scale(A, e);
	if (size > OZ_POLYMER_STEP)
		X = oz_mat3_scale(X, OZ_POLYMER_STEP / size);
	oz_mat3 B = law->rotates ? polymer_rotate(A, X, e, w) : polymer_stretch(A, X, e, w);
	if (law->mobility > 0.0f)
		B = polymer_yield(B, law->mobility * (1.0f - e));
	const float most = oz_mat3_norm(B);
	if (!(most < 1e30f))
		return oz_mat3_zero();
	return most > OZ_POLYMER_MOST ? oz_mat3_scale(B, OZ_POLYMER_MOST / most) : B;
}

#endif
