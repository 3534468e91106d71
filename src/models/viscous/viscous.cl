// viscous.cl: viscous stress of thick fluids.
//
// With x the positions, u the velocities and w = 1 - q², sums over the neighbours of i and over
// the points of walls that hold it (stick.h),
//
//   A = Σ w x_ij x_ijᵀ,   L = A⁺                          pseudo-inverse
//   N                                                      projector on the directions in which
//                                                          there are neighbours, mostly 1
//   M = Σ w (u_j - u_i) x_ijᵀ,   G = M L                  velocity gradient, exact if u is linear
//   D = sym(N G N),   S = 2 μ D                               rate of strain, stress
//   Φ = Σ_i μ D:D + κ/2 Σ w |u_j - u_i - G x_ij|²        half of the dissipation, a volume each
//
// and the force is - ∂Φ/∂u:
//
//   f_i = Σ_j w [(Q_i + Q_j) x_ij + (κ_i + κ_j)(u_j - u_i)]
//         + Σ_walls w [Q_i x_ij + κ_i (u_w - u_i)]
//
//   Q = N S N L - κ G,   κ = c μ tr(N L)/3
//
// The second term of Φ is what G misses: it damps zigzags, and without it layers that are sheared
// slide too easily. G is the best fit, so the derivative of that term by G is 0.
//
// Φ does not change in a rigid motion, so linear and angular momentum are conserved; it is never
// negative, so the force only takes energy; a free surface has no traction. A steady flow between
// walls minimises Φ, so that it never resists more than the exact linear one.
//
// All particles near a thick fluid are neighbours of it, also those of thin fluids and of bodies:
// they are held by it as by a wall that moves, and have no stress of their own here.
#include "boundary/stick.h"
#include "device/kernel.h"
#include "math/mat3_lanes.h"
#include "math/pseudo_inverse.h"
#include "models/viscous/law.h"
#include "particles/matter.h"

#define OZ_VISCOUS_FLAT  0.02f // N leaves out smaller eigenvalues of A, over the largest
#define OZ_VISCOUS_EMPTY 1e-6f // and L these

typedef struct viscous_reach {
	float h;      // m, radius of the weight
	float inv_h2; // 1/m²
	float grip;   // 1/m², c_b/s²
} viscous_reach;

// w = 1 - q² of a neighbour
OZ_FN lane viscous_weight(viscous_reach reach, lane x, lane y, lane z)
{
	return lane_max(1.0f - (x * x + y * y + z * z) * reach.inv_h2, lane_of(0.0f));
}

// ---- the fit -----------------------------------------------------------------------------------

#define viscous_gather_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(uint, slot) IN(uint, shapeless) OUT(oz_float4, spot) VAL(uint, slots)
OZ_ARGS(viscous_gather)

// copies positions; w: 1 for thick fluids, else 0
OZ_FN void viscous_gather_at(const viscous_gather_args *a, uint i)
{
	const oz_float4 x = a->position[i];
	const uint when = a->matter[a->material[i]].law.thick, k = a->slots ? a->slot[i] : 0u;
	const bool thick = when == OZ_THICK_ALWAYS ||
	                   (when == OZ_THICK_MOLTEN && k < a->slots && a->shapeless[k]);
	a->spot[i] = oz_make4(x.x, x.y, x.z, thick ? 1.0f : 0.0f);
}

#define viscous_fit_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, wall)                                                                        \
	IN(uint, listed)                                                                           \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(uint, kept_list)                                                                       \
	OUT(float, kept)                                                                           \
	OUT(uint, kept_count)                                                                      \
	OUT(uint, reached)                                                                         \
	OUT(oz_float4, fit_a)                                                                      \
	OUT(oz_float4, fit_b)                                                                      \
	OUT(oz_float4, fit_c)                                                                      \
	OUT(oz_float4, hold)                                                                       \
	OUT(oz_float4, moment)                                                                     \
	VAL(oz_wall_rules, rules) VAL(viscous_reach, reach) VAL(float, dt)
#define viscous_fit_NEAR(PLACE, ALSO, CASE) PLACE(spot)

typedef struct viscous_fit_sum {
	oz_float4 x;
	lane xx, xy, xz, yy, yz, zz;
	lane mx, my, mz, thick;
} viscous_fit_sum;

OZ_PAIR_ARGS(viscous_fit)

// Sums A over neighbours and walls and writes L and N of a thick particle, `hold` (the sums of
// walls) and `moment`. `reached` gets the count of the list, or 0 if neither the particle nor a
// neighbour is thick. Keeps the neighbours of such a particle and their w.
OZ_FN void viscous_fit_begin(const viscous_fit_args *a, uint i, viscous_fit_sum *s)
{
	s->x = a->spot[i];
	s->xx = s->xy = s->xz = s->yy = s->yz = s->zz = lane_of(0.0f);
	s->mx = s->my = s->mz = s->thick = lane_of(0.0f);
}

OZ_FN void viscous_fit_pair(const viscous_fit_args *a, viscous_fit_sum *s,
                            const viscous_fit_near *j, lane *kept)
{
	const lane x = j->spot.x - s->x.x, y = j->spot.y - s->x.y, z = j->spot.z - s->x.z;
	const lane w = viscous_weight(a->reach, x, y, z), wx = w * x, wy = w * y, wz = w * z;
	*kept = w;
	s->mx += wx;
	s->my += wy;
	s->mz += wz;
	s->xx += wx * x;
	s->xy += wx * y;
	s->xz += wx * z;
	s->yy += wy * y;
	s->yz += wy * z;
	s->zz += wz * z;
	s->thick += w * j->spot.w;
}

// adds the points of walls to A and to the first moment, then computes and writes L and N
OZ_FN void viscous_fit_end(const viscous_fit_args *a, uint i, viscous_fit_sum *s)
{
	const oz_float4 p = lane_sum4(s->xx, s->xy, s->xz, s->yy);
	const oz_float4 q = lane_sum4(s->yz, s->zz, s->thick, s->mx);
	oz_mat3 A =
	        oz_mat3_from_rows(oz_v3(p.x, p.y, p.z), oz_v3(p.y, p.w, q.x), oz_v3(p.z, q.x, q.y));
	const bool thick = s->x.w > 0.0f;
	oz_vec3 pull = oz_v3(0.0f, 0.0f, 0.0f);
	float weight = 0.0f;
	if (thick && a->wall[i].w > 0.0f) {
		oz_walls w;
		w.colliders = a->collider;
		w.places = a->places;
		w.nearest = a->nearest;
		for (uint k = 0; k < a->rules.colliders; k++) {
			const oz_sticks all = oz_sticks_of(&w, &a->rules, &a->collider[k],
			                                   oz_v3(s->x.x, s->x.y, s->x.z), a->dt);
			for (uint c = 0; c < all.count; c++) {
				const oz_stick t = all.stick[c];
				pull = oz_mad(pull, t.way, t.weight);
				weight += t.weight;
				A = oz_mat3_add(A, oz_mat3_scale(oz_mat3_outer(t.way, t.way),
				                                 t.weight));
			}
		}
	}
	const oz_mat3 own = thick ? A : oz_mat3_zero();
	oz_span f = oz_inverse_or_pseudo(own, OZ_VISCOUS_EMPTY);
	if (!f.certain)
		f.N = oz_pseudo_inverse(own, OZ_VISCOUS_FLAT).N;
	a->reached[i] = thick || q.z > 0.0f ? a->listed[i] : 0u;
	if (a->reached[i] == 0u)
		a->kept_count[i] = 0u;
	a->fit_a[i] = oz_make4(f.L.m[0][0], f.L.m[0][1], f.L.m[0][2], f.L.m[1][1]);
	a->fit_b[i] = oz_make4(f.L.m[1][2], f.L.m[2][2], f.N.m[0][0], f.N.m[0][1]);
	a->fit_c[i] = oz_make4(f.N.m[0][2], f.N.m[1][1], f.N.m[1][2], f.N.m[2][2]);
	a->hold[i] = oz_make4(pull.x, pull.y, pull.z, weight);
	a->moment[i] = oz_make4(q.w + pull.x, lane_sum(s->my) + pull.y, lane_sum(s->mz) + pull.z,
	                        a->matter[a->material[i]].inv_density);
}

// ---- viscosity ---------------------------------------------------------------------------------

#define viscous_law_ARGS(IN, OUT, VAL)                                                             \
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
	OUT(oz_float4, drag)                                                                       \
	OUT(oz_float4, spot)                                                                       \
	OUT(float, structure)                                                                      \
	OUT(float, viscosity) VAL(uint, has_rates) VAL(uint, has_heat) VAL(float, dt)
OZ_ARGS(viscous_law)

// 1/s, √(2 D':D') from the rows of M
OZ_FN float viscous_shear_rate(const viscous_law_args *a, uint i, oz_mat3 L, oz_mat3 N)
{
	const oz_float4 x = a->row_x[i], y = a->row_y[i], z = a->row_z[i];
	const oz_float4 v = a->velocity[i], b = a->hold[i];
	const oz_mat3 M =
	        oz_mat3_from_rows(oz_v3(x.x - v.x * b.x, x.y - v.x * b.y, x.z - v.x * b.z),
	                          oz_v3(y.x - v.y * b.x, y.y - v.y * b.y, y.z - v.y * b.z),
	                          oz_v3(z.x - v.z * b.x, z.y - v.z * b.y, z.z - v.z * b.z));
	const oz_mat3 G = oz_mat3_mul(oz_mat3_mul(N, oz_mat3_mul(M, L)), N);
	const float third = oz_mat3_trace(G) / 3.0f;
	const float xx = G.m[0][0] - third, yy = G.m[1][1] - third, zz = G.m[2][2] - third;
	const float xy = 0.5f * (G.m[0][1] + G.m[1][0]), xz = 0.5f * (G.m[0][2] + G.m[2][0]);
	const float yz = 0.5f * (G.m[1][2] + G.m[2][1]);
	return oz_sqrt(2.0f * (xx * xx + yy * yy + zz * zz) + 4.0f * (xy * xy + xz * xz + yz * yz));
}

// Writes the viscosity of each particle by its law, and κ into spot.w. drag.w: the viscosity of the
// last step, before temperature. `has_rates` is 1 if the rows hold M of the velocities, from which
// the rate of shear is computed; else that rate is 0.
OZ_FN void viscous_law_at(const viscous_law_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[i]];
	const oz_float4 p = a->fit_a[i], q = a->fit_b[i];
	const oz_mat3 L =
	        oz_mat3_from_rows(oz_v3(p.x, p.y, p.z), oz_v3(p.y, p.w, q.x), oz_v3(p.z, q.x, q.y));
	const oz_float4 r = a->fit_c[i];
	const oz_mat3 N =
	        oz_mat3_from_rows(oz_v3(q.z, q.w, r.x), oz_v3(q.w, r.y, r.z), oz_v3(r.x, r.z, r.w));
	float mu = 0.0f, last = 0.0f;
	if (a->spot[i].w > 0.0f) {
		const float rate = a->has_rates ? viscous_shear_rate(a, i, L, N) : 0.0f;
		mu = last = law_follow(a->drag[i].w, law_viscosity(&m.law, rate), a->dt);
		if (m.law.rebuild > 0.0f) {
			a->structure[i] = law_structure(&m.law, a->structure[i], rate, a->dt);
			mu *= law_of_structure(&m.law, a->structure[i]);
		}
		if (a->has_heat)
			mu = oz_min(mu * law_at_temperature(&m.law, a->temperature[i]),
			            OZ_LAW_MOST);
	}
	a->drag[i].w = last;
	a->viscosity[i] = mu;
	// tr(N L)
	const float trace =
	        p.x * q.z + p.w * r.y + q.y * r.w + 2.0f * (p.y * q.w + p.z * r.x + q.x * r.z);
	a->spot[i].w = OZ_VISCOUS_RESIDUAL / 3.0f * mu * trace;
}

// ---- the force ---------------------------------------------------------------------------------

#define viscous_stretch_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, direction)                                                                   \
	IN(oz_float4, hold)                                                                        \
	IN(float, kept)                                                                            \
	OUT(oz_float4, row_x)                                                                      \
	OUT(oz_float4, row_y) OUT(oz_float4, row_z) OUT(float, spring)
#define viscous_stretch_NEAR(PLACE, ALSO, CASE) ALSO(spot) ALSO(direction)

typedef struct viscous_stretch_sum {
	quad own; // position; w: - κ
	quad u;
	quad x[OZ_QUAD_SUMS], y[OZ_QUAD_SUMS], z[OZ_QUAD_SUMS], k[OZ_QUAD_SUMS];
} viscous_stretch_sum;

OZ_KEPT_ARGS(viscous_stretch)

// writes the rows of M without walls, in their w Σ w (κ_i + κ_j)(u_j - u_i), and Σ w (κ_i + κ_j)
OZ_FN void viscous_stretch_begin(const viscous_stretch_args *a, uint i, viscous_stretch_sum *s)
{
	const oz_float4 p = a->spot[i], own = oz_make4(p.x, p.y, p.z, -p.w);
	s->own = quad_load(&own);
	s->u = quad_load(&a->direction[i]);
	quad_clear(s->x);
	quad_clear(s->y);
	quad_clear(s->z);
	quad_clear(s->k);
}

// four sums with two partial sums each hide the latency of an addition
OZ_FN void viscous_stretch_pair(viscous_stretch_sum *s, const viscous_stretch_near *j, float kept,
                                int part)
{
	const quad wx = kept * (j->spot - s->own), u = j->direction - s->u;
	const int k = part & 1;
	s->k[k] += wx;
	s->x[k] += quad_all(u, 0) * wx;
	s->y[k] += quad_all(u, 1) * wx;
	s->z[k] += quad_all(u, 2) * wx;
}

OZ_FN void viscous_stretch_end(const viscous_stretch_args *a, uint i, viscous_stretch_sum *s)
{
	a->row_x[i] = quad_sum(s->x);
	a->row_y[i] = quad_sum(s->y);
	a->row_z[i] = quad_sum(s->z);
	a->spring[i] = quad_sum(s->k).w + a->spot[i].w * a->hold[i].w;
}

#define viscous_wall_motion_ARGS(IN, OUT, VAL)                                                     \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, hold)                                                                        \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	OUT(oz_float4, row_x)                                                                      \
	OUT(oz_float4, row_y)                                                                      \
	OUT(oz_float4, row_z) VAL(oz_wall_rules, rules) VAL(float, dt)
OZ_ARGS(viscous_wall_motion)

// Adds the velocities of walls to the rows: they are part of the force on a velocity, not of the
// product with a search direction.
OZ_FN void viscous_wall_motion_at(const viscous_wall_motion_args *a, uint i)
{
	const oz_float4 p = a->spot[i];
	if (!(a->hold[i].w > 0.0f))
		return;
	oz_float4 x = a->row_x[i], y = a->row_y[i], z = a->row_z[i];
	oz_walls w;
	w.colliders = a->collider;
	w.places = a->places;
	w.nearest = a->nearest;
	for (uint k = 0; k < a->rules.colliders; k++) {
		const oz_sticks all =
		        oz_sticks_of(&w, &a->rules, &a->collider[k], oz_v3(p.x, p.y, p.z), a->dt);
		for (uint c = 0; c < all.count; c++) {
			const oz_stick t = all.stick[c];
			const oz_vec3 v = oz_scale(t.velocity, t.weight);
			x = oz_make4(x.x + v.x * t.way.x, x.y + v.x * t.way.y, x.z + v.x * t.way.z,
			             x.w + p.w * v.x);
			y = oz_make4(y.x + v.y * t.way.x, y.y + v.y * t.way.y, y.z + v.y * t.way.z,
			             y.w + p.w * v.y);
			z = oz_make4(z.x + v.z * t.way.x, z.y + v.z * t.way.y, z.z + v.z * t.way.z,
			             z.w + p.w * v.z);
		}
	}
	a->row_x[i] = x;
	a->row_y[i] = y;
	a->row_z[i] = z;
}

// 2 μ sym E
OZ_FN lane_mat3 viscous_sigma(lane mu, const lane_mat3 *e)
{
	const lane two = mu + mu;
	return lane_symmetric(two * e->r0.x, mu * (e->r0.y + e->r1.x), mu * (e->r0.z + e->r2.x),
	                      two * e->r1.y, mu * (e->r1.z + e->r2.y), two * e->r2.z);
}

// a record of a vector and a number
OZ_FN lane4 viscous_column(lane x, lane y, lane z, lane last)
{
	lane4 r;
	r.x = x;
	r.y = y;
	r.z = z;
	r.w = last;
	return r;
}

#define viscous_stress_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, direction)                                                                   \
	IN(oz_float4, hold)                                                                        \
	IN(oz_float4, moment)                                                                      \
	IN(oz_float4, fit_a)                                                                       \
	IN(oz_float4, fit_b)                                                                       \
	IN(oz_float4, fit_c)                                                                       \
	IN(oz_float4, stress_a)                                                                    \
	IN(oz_float4, stress_b)                                                                    \
	OUT(oz_float4, row_x)                                                                      \
	OUT(oz_float4, row_y)                                                                      \
	OUT(oz_float4, row_z) OUT(oz_float4, image) VAL(uint, strained)
OZ_ARGS(viscous_stress)

// Replaces the rows of M by the columns of Q and the position: (Q xx, Q yx, Q zx, x) and so on.
// Writes the terms of the particle itself into `image`: Q Σ w x_ij, the sum of κ, and walls.
// direction.w: the viscosity. `strained`: stress_a (xx xy xz yy) and stress_b (yz zz) are added to
// S.
OZ_FN void viscous_stress_at(const viscous_stress_args *a, uint i, uint end)
{
	const lane4 x = oz_lane_load(a->row_x, i, end), y = oz_lane_load(a->row_y, i, end);
	const lane4 z = oz_lane_load(a->row_z, i, end), at = oz_lane_load(a->spot, i, end);
	const lane4 u = oz_lane_load(a->direction, i, end), b = oz_lane_load(a->hold, i, end);
	const lane4 fa = oz_lane_load(a->fit_a, i, end), fb = oz_lane_load(a->fit_b, i, end);
	const lane4 fc = oz_lane_load(a->fit_c, i, end), m = oz_lane_load(a->moment, i, end);
	const lane mu = u.w, k = at.w, zero = lane_of(0.0f);
	lane_mat3 M;
	M.r0 = lane_v3(x.x - u.x * b.x, x.y - u.x * b.y, x.z - u.x * b.z);
	M.r1 = lane_v3(y.x - u.y * b.x, y.y - u.y * b.y, y.z - u.y * b.z);
	M.r2 = lane_v3(z.x - u.z * b.x, z.y - u.z * b.y, z.z - u.z * b.z);
	const lane_mat3 L = lane_symmetric(fa.x, fa.y, fa.z, fa.w, fb.x, fb.y);
	const lane_mat3 N = lane_symmetric(fb.z, fb.w, fc.x, fc.y, fc.z, fc.w);
	const lane_mat3 G = lane_mat3_mul(&M, &L);
	lane_mat3 T = lane_symmetric(zero, zero, zero, zero, zero, zero), Q;
	if (a->strained) {
		const lane4 p = oz_lane_load(a->stress_a, i, end);
		const lane4 q = oz_lane_load(a->stress_b, i, end);
		T = lane_symmetric(p.x, p.y, p.z, p.w, q.x, q.y);
	}
	if (oz_lane_any(N.r0.x + N.r1.y + N.r2.z < 2.5f)) {
		const lane_mat3 NG = lane_mat3_mul(&N, &G), E = lane_mat3_mul(&NG, &N);
		const lane_mat3 V = viscous_sigma(mu, &E), S = lane_mat3_plus(&V, &T);
		const lane_mat3 NS = lane_mat3_mul(&N, &S);
		const lane_mat3 NSN = lane_mat3_mul(&NS, &N);
		Q = lane_mat3_mul(&NSN, &L);
	} else {
		const lane_mat3 V = viscous_sigma(mu, &G), S = lane_mat3_plus(&V, &T);
		Q = lane_mat3_mul(&S, &L);
	}
	Q.r0 = lane_v3(Q.r0.x - k * G.r0.x, Q.r0.y - k * G.r0.y, Q.r0.z - k * G.r0.z);
	Q.r1 = lane_v3(Q.r1.x - k * G.r1.x, Q.r1.y - k * G.r1.y, Q.r1.z - k * G.r1.z);
	Q.r2 = lane_v3(Q.r2.x - k * G.r2.x, Q.r2.y - k * G.r2.y, Q.r2.z - k * G.r2.z);
	const lane held = k * b.w;
	lane4 own;
	own.x = x.w - held * u.x + Q.r0.x * m.x + Q.r0.y * m.y + Q.r0.z * m.z;
	own.y = y.w - held * u.y + Q.r1.x * m.x + Q.r1.y * m.y + Q.r1.z * m.z;
	own.z = z.w - held * u.z + Q.r2.x * m.x + Q.r2.y * m.y + Q.r2.z * m.z;
	own.w = lane_of(0.0f);
	oz_lane_store(a->row_x, i, end, viscous_column(Q.r0.x, Q.r1.x, Q.r2.x, at.x));
	oz_lane_store(a->row_y, i, end, viscous_column(Q.r0.y, Q.r1.y, Q.r2.y, at.y));
	oz_lane_store(a->row_z, i, end, viscous_column(Q.r0.z, Q.r1.z, Q.r2.z, at.z));
	oz_lane_store(a->image, i, end, own);
}

#define viscous_force_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, row_x)                                                                       \
	IN(oz_float4, row_y)                                                                       \
	IN(oz_float4, row_z) IN(oz_float4, moment) IN(float, kept) OUT(oz_float4, image)
#define viscous_force_NEAR(PLACE, ALSO, CASE) ALSO(row_x) ALSO(row_y) ALSO(row_z)

typedef struct viscous_force_sum {
	float x, y, z;
	quad force[OZ_QUAD_SUMS];
} viscous_force_sum;

OZ_KEPT_ARGS(viscous_force)

// adds Σ w Q_j x_ij to `image` and divides it by the density: an acceleration
OZ_FN void viscous_force_begin(const viscous_force_args *a, uint i, viscous_force_sum *s)
{
	s->x = a->row_x[i].w;
	s->y = a->row_y[i].w;
	s->z = a->row_z[i].w;
	quad_clear(s->force);
}

OZ_FN void viscous_force_pair(viscous_force_sum *s, const viscous_force_near *j, float kept,
                              int part)
{
	const quad x = quad_all(j->row_x, 3) - s->x, y = quad_all(j->row_y, 3) - s->y;
	const quad z = quad_all(j->row_z, 3) - s->z;
	s->force[part] += kept * (j->row_x * x + j->row_y * y + j->row_z * z);
}

OZ_FN void viscous_force_end(const viscous_force_args *a, uint i, viscous_force_sum *s)
{
	const oz_float4 own = a->image[i], near = quad_sum(s->force);
	const float inv_density = a->moment[i].w;
	a->image[i] = oz_make4(inv_density * (own.x + near.x), inv_density * (own.y + near.y),
	                       inv_density * (own.z + near.z), 0.0f);
}

// ---- bodies ------------------------------------------------------------------------------------

// Where a thick fluid touches a body with a rest shape, the fit above gives the body the stress of
// the fluid's side only, and its first layer is half a spacing inside its surface: the fluid would
// slip. A dashpot between each particle of the body and each of the fluid holds it,
//
//   Φ_c = c_b/2 Σ w μ_j ((u_j - u_i)·x_ij)²/(|x_ij|² s²)        i of the body, j of the fluid
//
// which does not change in a rigid motion either. With c_b a fluid that is sheared along a lattice
// has the velocity of the body half a spacing outside its first layer.
#define OZ_VISCOUS_GRIP 2.3f // c_b

#define viscous_side_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, spot)                                                                        \
	IN(float, viscosity)                                                                       \
	IN(uint, slot) IN(uint, shapeless) OUT(oz_float4, side) VAL(uint, slots)
OZ_ARGS(viscous_side)

// copies positions; w: the viscosity of thick fluids, -1 for bodies with a rest shape, else 0
OZ_FN void viscous_side_at(const viscous_side_args *a, uint i)
{
	const oz_float4 x = a->spot[i];
	const uint k = a->slot[i];
	const bool firm = k < a->slots && !a->shapeless[k];
	a->side[i] = oz_make4(x.x, x.y, x.z, x.w > 0.0f ? a->viscosity[i] : firm ? -1.0f : 0.0f);
}

// w c_b μ/(|x|² s²) of a pair of body and fluid, else 0
OZ_FN lane viscous_hold(viscous_reach reach, float own, lane other, lane x, lane y, lane z)
{
	const lane zero = lane_of(0.0f), r2 = x * x + y * y + z * z;
	const lane mu = own > 0.0f ? lane_select(other < zero, lane_of(own), zero)
	                           : (own < 0.0f ? lane_max(other, zero) : zero);
	const lane w = lane_max(1.0f - r2 * reach.inv_h2, zero);
	return reach.grip * w * mu * lane_inverse(lane_max(r2, lane_of(1e-30f)));
}

#define viscous_meet_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, side)                                                                        \
	IN(uint, reached) OUT(uint, touching) OUT(float, dashpot) VAL(viscous_reach, reach)
#define viscous_meet_NEAR(PLACE, ALSO, CASE) PLACE(side)

typedef struct viscous_meet_sum {
	oz_float4 x;
	lane k;
} viscous_meet_sum;

OZ_PAIR_ARGS(viscous_meet)

// Writes `touching`: the count of the list of a particle that a dashpot holds, else 0; and a third
// of the sum of its dashpots.
OZ_FN void viscous_meet_begin(const viscous_meet_args *a, uint i, viscous_meet_sum *s)
{
	s->x = a->side[i];
	s->k = lane_of(0.0f);
}

OZ_FN void viscous_meet_pair(const viscous_meet_args *a, viscous_meet_sum *s,
                             const viscous_meet_near *j)
{
	const lane x = j->side.x - s->x.x, y = j->side.y - s->x.y, z = j->side.z - s->x.z;
	s->k += viscous_hold(a->reach, s->x.w, j->side.w, x, y, z) * (x * x + y * y + z * z);
}

OZ_FN void viscous_meet_end(const viscous_meet_args *a, uint i, viscous_meet_sum *s)
{
	const float k = lane_sum(s->k);
	a->touching[i] = k > 0.0f ? a->reached[i] : 0u;
	a->dashpot[i] = k / 3.0f;
}

#define viscous_grip_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, side)                                                                        \
	IN(oz_float4, direction)                                                                   \
	IN(oz_float4, moment) OUT(oz_float4, image) VAL(viscous_reach, reach)
#define viscous_grip_NEAR(PLACE, ALSO, CASE) PLACE(side) ALSO(direction)

typedef struct viscous_grip_sum {
	oz_float4 x, u;
	lane fx, fy, fz;
} viscous_grip_sum;

OZ_PAIR_ARGS(viscous_grip)

// adds the accelerations by the dashpots to `image`
OZ_FN void viscous_grip_begin(const viscous_grip_args *a, uint i, viscous_grip_sum *s)
{
	s->x = a->side[i];
	s->u = a->direction[i];
	s->fx = s->fy = s->fz = lane_of(0.0f);
}

OZ_FN void viscous_grip_pair(const viscous_grip_args *a, viscous_grip_sum *s,
                             const viscous_grip_near *j)
{
	const lane x = j->side.x - s->x.x, y = j->side.y - s->x.y, z = j->side.z - s->x.z;
	const lane ux = j->direction.x - s->u.x, uy = j->direction.y - s->u.y;
	const lane uz = j->direction.z - s->u.z;
	const lane f =
	        viscous_hold(a->reach, s->x.w, j->side.w, x, y, z) * (ux * x + uy * y + uz * z);
	s->fx += f * x;
	s->fy += f * y;
	s->fz += f * z;
}

OZ_FN void viscous_grip_end(const viscous_grip_args *a, uint i, viscous_grip_sum *s)
{
	const oz_float4 f = a->image[i];
	const float inv_density = a->moment[i].w;
	a->image[i] =
	        oz_make4(f.x + inv_density * lane_sum(s->fx), f.y + inv_density * lane_sum(s->fy),
	                 f.z + inv_density * lane_sum(s->fz), f.w);
}

#define viscous_KERNELS(X)                                                                         \
	X(viscous_gather, EACH)                                                                    \
	X(viscous_fit, PAIRS_KEEP)                                                                 \
	X(viscous_law, EACH)                                                                       \
	X(viscous_stretch, PAIRS_KEPT)                                                             \
	X(viscous_wall_motion, EACH)                                                               \
	X(viscous_stress, VECTOR)                                                                  \
	X(viscous_force, PAIRS_KEPT)                                                               \
	X(viscous_side, EACH)                                                                      \
	X(viscous_meet, PAIRS)                                                                     \
	X(viscous_grip, PAIRS_MARKED)
OZ_KERNELS(viscous_KERNELS)
