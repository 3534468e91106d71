// polymer.cl: stress of the polymer in a solution.
//
// Each particle has the strain A of its polymer (polymer_law.h), which the velocity gradient G of
// viscous.cl changes. Its stress S = G_p A, with the modulus G_p, acts as that of viscosity:
//
//   f_i = Σ_j w (Q_i + Q_j) x_ij + Σ_walls w Q_i x_ij,   Q = N S N L
//
// which is the derivative of Σ S:G by the velocities, so that linear and angular momentum are kept.
// S is that of the beginning of the step. The step is made stable by a viscosity
//
//   m = G_p λ (1 - exp(-k/λ)) (1 + |A|),   k: time over which accelerations act
//
// which is added in the implicit step of viscous_solve.cl, while - 2 m D of the velocities at the
// beginning is added to S: m acts only on the change of D in the step. For λ → 0 this is the
// implicit step of a Newtonian fluid; for λ → ∞ it slows waves that are too short for the time step
// and does not damp them.
//
// Motion that G does not contain does not change the strain. It is damped with the viscosity
// G_p λ (1.5 + |A|), at most 100 s √(ρ G_p (1 + |A|)), with the spacing s. Waves of ten spacings
// and more are still underdamped. Without this damping sheared layers slide too easily.
//
// Where neighbours are few or far in a direction, L is large, and S would jump when the last of
// them is lost. With f = min(1, 2/(s² tr(N L))) the stress is f S, and the strain changes by f D
// instead of D, so that the work of the stress equals the energy that A stores. In a lattice s² tr
// L is 0.4, at a flat surface 0.5, so f is 1 there.
#include "device/kernel.h"
#include "models/polymer/polymer_law.h"

#define OZ_POLYMER_STILL 100.0f // factor of the largest damping of motion that G does not contain
#define OZ_POLYMER_LOOSE 2.0f   // tr(N L) in units of 1/s² above which the stress is reduced

#define polymer_stress_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, row_x)                                                                       \
	IN(oz_float4, row_y)                                                                       \
	IN(oz_float4, row_z)                                                                       \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, hold)                                                                        \
	IN(oz_float4, fit_a)                                                                       \
	IN(oz_float4, fit_b)                                                                       \
	IN(oz_float4, fit_c)                                                                       \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(float, temperature)                                                                     \
	OUT(oz_float4, strain_a)                                                                   \
	OUT(oz_float4, strain_b)                                                                   \
	OUT(oz_float4, spot)                                                                       \
	OUT(oz_float4, stress_a)                                                                   \
	OUT(oz_float4, stress_b)                                                                   \
	OUT(float, viscosity)                                                                      \
	VAL(uint, has_heat) VAL(float, span) VAL(float, kick) VAL(float, spacing)
OZ_ARGS(polymer_stress)

// a symmetric matrix from its elements
OZ_FN oz_mat3 polymer_symmetric(float xx, float xy, float xz, float yy, float yz, float zz)
{
	return oz_mat3_from_rows(oz_v3(xx, xy, xz), oz_v3(xy, yy, yz), oz_v3(xz, yz, zz));
}

// M of viscous.cl: its rows contain the velocity of particle i times the sum over walls, which is
// subtracted here
OZ_FN oz_mat3 polymer_moment(const polymer_stress_args *a, uint i)
{
	const oz_float4 x = a->row_x[i], y = a->row_y[i], z = a->row_z[i];
	const oz_float4 v = a->velocity[i], b = a->hold[i];
	return oz_mat3_from_rows(oz_v3(x.x - v.x * b.x, x.y - v.x * b.y, x.z - v.x * b.z),
	                         oz_v3(y.x - v.y * b.x, y.y - v.y * b.y, y.z - v.y * b.z),
	                         oz_v3(z.x - v.z * b.x, z.y - v.z * b.y, z.z - v.z * b.z));
}

// Completes the velocity gradient of a film or a thread. Across it there are no neighbours; that
// part is set to that of a rotation.
OZ_FN oz_mat3 polymer_gradient(oz_mat3 G, oz_mat3 N)
{
	const oz_mat3 P = oz_mat3_add(oz_mat3_identity(), oz_mat3_scale(N, -1.0f));
	const oz_mat3 known = oz_mat3_mul(G, N), bent = oz_mat3_mul(P, known);
	return oz_mat3_add(known, oz_mat3_scale(oz_mat3_transpose(bent), -1.0f));
}

// writes a symmetric matrix into two buffers: xx xy xz yy, then yz zz
OZ_FN void polymer_write(OZ_GLOBAL oz_float4 *a, OZ_GLOBAL oz_float4 *b, uint i, oz_mat3 m)
{
	a[i] = oz_make4(m.m[0][0], m.m[0][1], m.m[0][2], m.m[1][1]);
	b[i] = oz_make4(m.m[1][2], m.m[2][2], 0.0f, 0.0f);
}

// Advances the strain by the time `span` of the last step and writes the stress that does not
// depend on the velocities to be found: S - 2 m D, xx xy xz yy and yz zz. Adds m to the viscosity
// of the implicit step, and to κ in spot.w. `row_x`, `row_y`, `row_z`: M before polymer_moment.
OZ_FN void polymer_stress_at(const polymer_stress_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[i]];
	const oz_polymer law = m.flow.polymer;
	if (!(law.modulus > 0.0f)) {
		polymer_write(a->stress_a, a->stress_b, i, oz_mat3_zero());
		return;
	}
	const oz_float4 p = a->fit_a[i], q = a->fit_b[i], r = a->fit_c[i];
	const oz_mat3 L = polymer_symmetric(p.x, p.y, p.z, p.w, q.x, q.y);
	const oz_mat3 N = polymer_symmetric(q.z, q.w, r.x, r.y, r.z, r.w);
	const oz_mat3 G = oz_mat3_mul(polymer_moment(a, i), L);
	const oz_mat3 D = polymer_sym(oz_mat3_mul(oz_mat3_mul(N, G), N));
	const float thin =
	        a->has_heat ? law_thinning(m.law.activation, m.law.reference, a->temperature[i])
	                    : 1.0f;
	const float rate = law.rate / thin;
	const oz_float4 s = a->strain_a[i], t = a->strain_b[i];
	oz_mat3 A = polymer_symmetric(s.x, s.y, s.z, s.w, t.x, t.y);
	const float trace = oz_mat3_trace(oz_mat3_mul(N, L));
	const float firm = oz_min(1.0f, OZ_POLYMER_LOOSE / (trace * a->spacing * a->spacing));
	if (a->span > 0.0f) {
		const oz_mat3 slip = oz_mat3_scale(D, firm - 1.0f);
		A = polymer_advance(&law, A, oz_mat3_add(polymer_gradient(G, N), slip), a->span,
		                    rate);
	}
	polymer_write(a->strain_a, a->strain_b, i, A);

	const float drawn = law.rotates ? 1.0f : 1.0f + oz_mat3_norm(A);
	const float add =
	        oz_min(law.modulus * a->kick * law_creep(a->kick * rate) * drawn, OZ_LAW_MOST);
	const float still =
	        oz_min(law.modulus / rate * (0.5f + drawn),
	               OZ_POLYMER_STILL * a->spacing * oz_sqrt(m.density * law.modulus * drawn));
	a->viscosity[i] += add;
	a->spot[i].w += OZ_VISCOUS_RESIDUAL / 3.0f * trace * oz_max(add, still);
	const oz_mat3 S =
	        oz_mat3_add(oz_mat3_scale(A, firm * law.modulus), oz_mat3_scale(D, -2.0f * add));
	polymer_write(a->stress_a, a->stress_b, i, S);
}

#define polymer_KERNELS(X) X(polymer_stress, EACH)
OZ_KERNELS(polymer_KERNELS)
