// elastic.cl: the elastic force.
//
// With x the positions, and d, V, ω, L, N, κ as in elastic_fit.cl, sums over the list of i:
//
//   M = Σ V_j ω (x_j - x_i) dᵀ,   F = M L                 deformation gradient (eq 6, corrected)
//   R: rotation nearest to F B                             (eq 12, 13), B as in set.cl, mostly 1
//   ∇u = Rᵀ F B - N                                        rotated displacement (eq 14, 15)
//   ε = (∇u + ∇uᵀ)/2, P = R σ;   or Green's, J = 1 + ∇u:  ε = (Jᵀ J - 1)/2, P = R J σ
//   σ = 2 μ ε + λ tr ε
//   f_i = V_i Σ V_j ω [(P B L)_i + (P B L)_j] d            (eq 8, 10, 16)
//       + V_i Σ V_j ω [(κ_i + κ_j)(x_j - x_i) - (κ F)_i d - (κ F)_j d]
//
// The last line suppresses hourglass modes (zigzags). In a sheet or rod that is not flat at rest,
// F + K replaces F in it (elastic_normal_map). F is the best linear fit under the weights V_j ω, so
// the derivative of the energy κ/2 Σ V_j ω |x_j - x_i - F d|² by F is 0, and its force needs no
// further sums over neighbours. All forces come from one energy that a rotation of the whole body
// does not change, so linear and angular momentum are conserved.
//
// The rotation of the paper's A_pq, weighted by W, equals that of F where neighbours are evenly
// distributed around a particle. Near a surface it differs, and angular momentum is not conserved.
// It is used with elasticity `paper` only.
//
// Two passes over lists, `elastic_stretch` and `elastic_accelerate`, with `elastic_stress` between
// them. With velocities in place of x and fixed rotations, the same three compute the product of
// the stiffness with a vector. An implicit step and the limit of the time step need that product.
#include "device/kernel.h"
#include "math/mat3_lanes.h"
#include "models/elastic/elastic_pair.h"

#define OZ_ELASTIC_NOISE 1e-12f // share of |M|² below which C of elastic_normal_map is rounding

#define elastic_gather_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, set_b)                                                                       \
	IN(oz_float4, stiff)                                                                       \
	IN(uint, particle_of_slot) OUT(oz_float4, place) OUT(oz_float4, hourglass_force)
OZ_ARGS(elastic_gather)

// Gathers the position of each slot and its κ into `place`. Stiffness falls linearly with the
// liquid share (set_b.z); its share that is left goes to hourglass_force.w.
OZ_FN void elastic_gather_at(const elastic_gather_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_matter m = a->matter[a->material[p]];
	const oz_float4 x = a->position[p];
	if (!m.firm) {
		a->place[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
		return;
	}
	const float stays = 1.0f - a->set_b[i].z * (1.0f - OZ_ELASTIC_SOFTEST);
	a->place[i] = oz_make4(x.x, x.y, x.z, stays * a->stiff[i].z);
	a->hourglass_force[i].w = stays;
}

// ---- stretch -----------------------------------------------------------------------------------

#define elastic_stretch_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, stiff)                                                                       \
	OUT(oz_float4, row_x)                                                                      \
	OUT(oz_float4, row_y)                                                                      \
	OUT(oz_float4, row_z) VAL(oz_fluid, fluid) VAL(uint, extra_flags) VAL(uint, slots)
#define elastic_stretch_NEAR(PLACE, ALSO, CASE) ALSO(position) ALSO(rest) CASE(fluid.smoothing)

typedef struct elastic_stretch_sum {
	oz_float4 x, r;
	uint firm;
	lane hx, hy, hz;
	lane xx, xy, xz, yx, yy, yz, zx, zy, zz;
} elastic_stretch_sum;

OZ_PAIR_ARGS(elastic_stretch)

// writes the rows of M, and in their w the sum Σ V_j ω (κ_i + κ_j)(x_j - x_i)
OZ_FN void elastic_stretch_begin(const elastic_stretch_args *a, uint i, elastic_stretch_sum *s)
{
	s->x = a->position[i];
	s->r = a->rest[i];
	s->firm = oz_bits_of_float(a->stiff[i].w) | a->extra_flags;
	s->hx = s->hy = s->hz = lane_of(0.0f);
	s->xx = s->xy = s->xz = lane_of(0.0f);
	s->yx = s->yy = s->yz = lane_of(0.0f);
	s->zx = s->zy = s->zz = lane_of(0.0f);
}

OZ_FN void elastic_stretch_pair(const elastic_stretch_args *a, elastic_stretch_sum *s,
                                const elastic_stretch_near *j)
{
	const lane dx = j->rest.x - s->r.x, dy = j->rest.y - s->r.y, dz = j->rest.z - s->r.z;
	const lane w = j->rest.w * elastic_weight(&a->fluid, s->firm, dx, dy, dz);
	const lane x = w * (j->position.x - s->x.x), y = w * (j->position.y - s->x.y);
	const lane z = w * (j->position.z - s->x.z);
	const lane kappa = s->x.w + j->position.w;
	s->hx += kappa * x;
	s->hy += kappa * y;
	s->hz += kappa * z;
	s->xx += x * dx;
	s->xy += x * dy;
	s->xz += x * dz;
	s->yx += y * dx;
	s->yy += y * dy;
	s->yz += y * dz;
	s->zx += z * dx;
	s->zy += z * dy;
	s->zz += z * dz;
}

OZ_FN void elastic_stretch_end(const elastic_stretch_args *a, uint i, elastic_stretch_sum *s)
{
	a->row_x[i] = lane_sum4(s->xx, s->xy, s->xz, s->hx);
	a->row_y[i] = lane_sum4(s->yx, s->yy, s->yz, s->hy);
	a->row_z[i] = lane_sum4(s->zx, s->zy, s->zz, s->hz);
}

// ---- stress ------------------------------------------------------------------------------------

// the matrix of three rows, without their w
OZ_FN lane_mat3 elastic_rows(lane4 x, lane4 y, lane4 z)
{
	lane_mat3 m;
	m.r0 = lane_v3(x.x, x.y, x.z);
	m.r1 = lane_v3(y.x, y.y, y.z);
	m.r2 = lane_v3(z.x, z.y, z.z);
	return m;
}

#define elastic_rotate_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, row_x)                                                                       \
	IN(oz_float4, row_y) IN(oz_float4, row_z) IN(oz_float4, stiff) OUT(oz_float4, rotation)
OZ_ARGS(elastic_rotate)

// writes the rotation of A_pq for slots of elasticity `paper`; leaves that of others unchanged
OZ_FN void elastic_rotate_at(const elastic_rotate_args *a, uint i, uint end)
{
	const lane4 x = oz_lane_load(a->row_x, i, end), y = oz_lane_load(a->row_y, i, end);
	const lane4 z = oz_lane_load(a->row_z, i, end), stiff = oz_lane_load(a->stiff, i, end);
	const lane4 guess = oz_lane_load(a->rotation, i, end);
	const lane_mask printed = (oz_lane_bits(stiff.w) & (int)OZ_FIRM_PAPER) != 0;
	lane4 q = lane_rotation_extract(elastic_rows(x, y, z), guess);
	q.x = lane_select(printed, q.x, guess.x);
	q.y = lane_select(printed, q.y, guess.y);
	q.z = lane_select(printed, q.z, guess.z);
	q.w = lane_select(printed, q.w, guess.w);
	oz_lane_store(a->rotation, i, end, q);
}

// 2 μ ε + λ tr ε
OZ_FN lane_mat3 elastic_sigma(lane mu, lane lambda, const lane_mat3 *e)
{
	const lane trace = lambda * (e->r0.x + e->r1.y + e->r2.z), two = mu + mu;
	return lane_symmetric(two * e->r0.x + trace, two * e->r0.y, two * e->r0.z,
	                      two * e->r1.y + trace, two * e->r1.z, two * e->r2.z + trace);
}

// ε of ∇u; Green's has (Jᵀ J - 1)/2 = (∇u + ∇uᵀ + ∇uᵀ ∇u)/2
OZ_FN lane_mat3 elastic_strain(const lane_mat3 *u, lane green)
{
	const lane_mat3 g = lane_mat3_transposed_mul(u, u);
	const lane h = lane_of(0.5f), s = 0.5f * green;
	return lane_symmetric(u->r0.x + s * g.r0.x, h * (u->r0.y + u->r1.x) + s * g.r0.y,
	                      h * (u->r0.z + u->r2.x) + s * g.r0.z, u->r1.y + s * g.r1.y,
	                      h * (u->r1.z + u->r2.y) + s * g.r1.z, u->r2.z + s * g.r2.z);
}

// (v, w) as four lanes
OZ_FN lane4 lane_row4(lane_vec3 v, lane w)
{
	lane4 r;
	r.x = v.x;
	r.y = v.y;
	r.z = v.z;
	r.w = w;
	return r;
}

// The rotation R. A tangent takes `guess`, the present one, or 1; printed methods take `guess`;
// else R is extracted from F, starting at `guess`.
OZ_FN lane4 elastic_rotation(const lane_mat3 *F, lane4 guess, lane_mask bits, uint tangent)
{
	if (tangent == OZ_TANGENT_ROTATED)
		return guess;
	if (tangent == OZ_TANGENT_AT_REST)
		return lane_row4(lane_v3(lane_of(0.0f), lane_of(0.0f), lane_of(0.0f)),
		                 lane_of(1.0f));
	const lane4 found = lane_rotation_extract(*F, guess);
	const lane_mask given = (bits & (int)OZ_FIRM_PRINTED) != 0;
	lane4 q;
	q.x = lane_select(given, guess.x, found.x);
	q.y = lane_select(given, guess.y, found.y);
	q.z = lane_select(given, guess.z, found.z);
	q.w = lane_select(given, guess.w, found.w);
	return q;
}

OZ_FN lane_vec3 lane_select3(lane_mask which, lane_vec3 a, lane_vec3 b)
{
	return lane_v3(lane_select(which, a.x, b.x), lane_select(which, a.y, b.y),
	               lane_select(which, a.z, b.z));
}

// N u: the part of a velocity's gradient u within a sheet or rod. The part across it rotates the
// sheet and is no strain. Printed methods have no projector and keep u.
OZ_FN lane_mat3 elastic_tangential(const lane_mat3 *N, const lane_mat3 *u, lane_mask bits)
{
	const lane_mask given = (bits & (int)OZ_FIRM_PRINTED) != 0;
	lane_mat3 m = lane_mat3_mul(N, u);
	m.r0 = lane_select3(given, u->r0, m.r0);
	m.r1 = lane_select3(given, u->r1, m.r1);
	m.r2 = lane_select3(given, u->r2, m.r2);
	return m;
}

// Stiffness of Green's strain over that at rest, (3 s² - 1)/2, at least 1; s² is an upper bound of
// the largest eigenvalue of Fᵀ F. 1 for other strains.
OZ_FN lane elastic_hardening(const lane_mat3 *F, lane_mask bits)
{
	const lane_mask green = (bits & (int)OZ_FIRM_GREEN) != 0;
	const lane_mat3 C = lane_mat3_transposed_mul(F, F);
	const lane x = lane_abs(C.r0.x) + lane_abs(C.r0.y) + lane_abs(C.r0.z);
	const lane y = lane_abs(C.r1.x) + lane_abs(C.r1.y) + lane_abs(C.r1.z);
	const lane z = lane_abs(C.r2.x) + lane_abs(C.r2.y) + lane_abs(C.r2.z);
	const lane one = lane_of(1.0f), s2 = lane_max(x, lane_max(y, z));
	return lane_select(green, lane_max(1.5f * s2 - 0.5f, one), one);
}

// |a × b|²
OZ_FN lane lane_cross2(lane_vec3 a, lane_vec3 b)
{
	const lane x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x;
	return x * x + y * y + z * z;
}

// The second invariant of C Cᵀ, which equals that of Cᵀ C, from areas |a × b|²: differences of
// squares would lose it to rounding.
OZ_FN lane elastic_second_invariant(const lane_mat3 *C)
{
	return lane_cross2(C->r0, C->r1) + lane_cross2(C->r0, C->r2) + lane_cross2(C->r1, C->r2);
}

// K, the map of the normal parts of d in a sheet or rod that is curved at rest: it rotates Q d,
// with Q = 1 - N, to the present normal directions. Of all such rotations it is the one with the
// least hourglass energy, so its derivative adds nothing to the force. With C = M Q, K = C (Cᵀ
// C)^(-1/2); in a sheet the sign comes from R. K goes to 0 where C is as small as the rounding
// error of M.
OZ_FN lane_mat3 elastic_normal_map(const lane_mat3 *M, const lane_mat3 *N, const lane_mat3 *R)
{
	const lane one = lane_of(1.0f), zero = lane_of(0.0f), tiny = lane_of(1e-30f);
	const lane_mat3 Q = lane_symmetric(one - N->r0.x, -N->r0.y, -N->r0.z, one - N->r1.y,
	                                   -N->r1.z, one - N->r2.z);
	// project twice: the first product leaves rounding errors along N
	const lane_mat3 MQ = lane_mat3_mul(M, &Q), C = lane_mat3_mul(&MQ, &Q);
	const lane_mat3 G = lane_mat3_transposed_mul(&C, &C);
	const lane_mat3 P = lane_mat3_transposed_mul(R, &C);
	const lane size = lane_dot(M->r0, M->r0) + lane_dot(M->r1, M->r1) + lane_dot(M->r2, M->r2);
	const lane ways = Q.r0.x + Q.r1.y + Q.r2.z;
	const lane t = G.r0.x + G.r1.y + G.r2.z + OZ_ELASTIC_NOISE * size + tiny;
	const lane second = elastic_second_invariant(&C);
	const lane_mask down = (ways < 1.5f) & (P.r0.x + P.r1.y + P.r2.z < zero);
	// one normal direction: ± 1/√t; two: with S = √G, its trace s and determinant e, S⁻¹ = (s -
	// S)/e
	const lane_mask both = (ways > 1.5f) & (second > 1e-6f * t * t);
	const lane e = lane_sqrt(lane_max(second, tiny)), s = lane_sqrt(t + 2.0f * e);
	const lane over_s = lane_inverse(s), over_e = lane_inverse(e);
	const lane alone = lane_select(down, -one, one) * lane_inverse(lane_sqrt(t));
	const lane p = lane_select(both, (s - e * over_s) * over_e, alone);
	const lane q = lane_select(both, over_s * over_e, zero);
	const lane_mat3 H = lane_symmetric(p - q * G.r0.x, -q * G.r0.y, -q * G.r0.z, p - q * G.r1.y,
	                                   -q * G.r1.z, p - q * G.r2.z);
	return lane_mat3_mul(&C, &H);
}

#define elastic_stress_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, fit_a)                                                                       \
	IN(oz_float4, fit_b)                                                                       \
	IN(oz_float4, fit_c)                                                                       \
	IN(oz_float4, set_a)                                                                       \
	IN(oz_float4, set_b)                                                                       \
	IN(oz_float4, stiff)                                                                       \
	OUT(oz_float4, rotation)                                                                   \
	OUT(oz_float4, row_x)                                                                      \
	OUT(oz_float4, row_y)                                                                      \
	OUT(oz_float4, row_z) OUT(oz_float4, hourglass_force) VAL(uint, tangent) VAL(uint, sets)
OZ_ARGS(elastic_stress)

// Replaces the rows of M by those of V (P B L - κ (F + K)), with the rest position in their w, and
// moves the hourglass sums to hourglass_force. `tangent` 0: M of positions, rotations are updated;
// else OZ_TANGENT_…: M of a velocity, linear strain. hourglass_force.w: in, the share of stiffness
// that is left; out, that times the hardening of Green's strain. `sets` 0: B is 1 everywhere.
OZ_FN void elastic_stress_at(const elastic_stress_args *a, uint i, uint end)
{
	const lane4 x = oz_lane_load(a->row_x, i, end), y = oz_lane_load(a->row_y, i, end);
	const lane4 z = oz_lane_load(a->row_z, i, end), rest = oz_lane_load(a->rest, i, end);
	const lane4 fa = oz_lane_load(a->fit_a, i, end), fb = oz_lane_load(a->fit_b, i, end);
	const lane4 fc = oz_lane_load(a->fit_c, i, end), stiff = oz_lane_load(a->stiff, i, end);
	const lane_mask bits = oz_lane_bits(stiff.w);
	const lane one = lane_of(1.0f), zero = lane_of(0.0f);
	const lane_mask firm = bits != 0, bent = (bits & (int)OZ_FIRM_GREEN) != 0;
	const lane green = a->tangent ? zero : lane_select(bent, one, zero);
	const lane sub = a->tangent ? zero : one;
	const lane_mat3 M = elastic_rows(x, y, z);
	const lane_mat3 L = lane_symmetric(fa.x, fa.y, fa.z, fa.w, fb.x, fb.y);
	const lane_mat3 F = lane_mat3_mul(&M, &L);
	lane_mat3 FB = F, BL = L;
	if (a->sets) {
		const lane4 sa = oz_lane_load(a->set_a, i, end),
		            sb = oz_lane_load(a->set_b, i, end);
		const lane_mat3 B =
		        lane_symmetric(one + sa.x, sa.y, sa.z, one + sa.w, sb.x, one + sb.y);
		FB = lane_mat3_mul(&F, &B);
		BL = lane_mat3_mul(&B, &L);
	}
	const lane4 q = elastic_rotation(&FB, oz_lane_load(a->rotation, i, end), bits, a->tangent);
	const lane_mat3 R = lane_quat_to_mat3(q);
	const lane_mat3 N = lane_symmetric(fb.z, fb.w, fc.x, fc.y, fc.z, fc.w);
	lane_mat3 u = lane_mat3_transposed_mul(&R, &FB);
	if (a->tangent)
		u = elastic_tangential(&N, &u, bits);
	u.r0 = lane_v3(u.r0.x - sub * N.r0.x, u.r0.y - sub * N.r0.y, u.r0.z - sub * N.r0.z);
	u.r1 = lane_v3(u.r1.x - sub * N.r1.x, u.r1.y - sub * N.r1.y, u.r1.z - sub * N.r1.z);
	u.r2 = lane_v3(u.r2.x - sub * N.r2.x, u.r2.y - sub * N.r2.y, u.r2.z - sub * N.r2.z);
	const lane_mat3 e = elastic_strain(&u, green);
	const lane_mat3 sigma = elastic_sigma(stiff.x, stiff.y, &e);
	const lane_mat3 sigma_l = lane_mat3_mul(&sigma, &BL);
	lane_mat3 J;
	J.r0 = lane_v3(one + green * u.r0.x, green * u.r0.y, green * u.r0.z);
	J.r1 = lane_v3(green * u.r1.x, one + green * u.r1.y, green * u.r1.z);
	J.r2 = lane_v3(green * u.r2.x, green * u.r2.y, one + green * u.r2.z);
	const lane_mat3 RJ = lane_mat3_mul(&R, &J);
	const lane_mat3 T = lane_mat3_mul(&RJ, &sigma_l);
	const lane stays = oz_lane_load(a->hourglass_force, i, end).w;
	const lane hard = a->tangent ? one : elastic_hardening(&FB, bits);
	const lane v = stays * lane_select(firm, rest.w, zero), k = v * stiff.z;
	lane_mat3 whole = F;
	if (!a->tangent) {
		if (oz_lane_any(N.r0.x + N.r1.y + N.r2.z < 2.5f)) {
			const lane_mat3 K = elastic_normal_map(&M, &N, &R);
			whole = lane_mat3_plus(&F, &K);
		}
		oz_lane_store(a->rotation, i, end, q);
	}
	oz_lane_store(a->row_x, i, end,
	              lane_row4(lane_v3(v * T.r0.x - k * whole.r0.x, v * T.r0.y - k * whole.r0.y,
	                                v * T.r0.z - k * whole.r0.z),
	                        rest.x));
	oz_lane_store(a->row_y, i, end,
	              lane_row4(lane_v3(v * T.r1.x - k * whole.r1.x, v * T.r1.y - k * whole.r1.y,
	                                v * T.r1.z - k * whole.r1.z),
	                        rest.y));
	oz_lane_store(a->row_z, i, end,
	              lane_row4(lane_v3(v * T.r2.x - k * whole.r2.x, v * T.r2.y - k * whole.r2.y,
	                                v * T.r2.z - k * whole.r2.z),
	                        rest.z));
	oz_lane_store(a->hourglass_force, i, end, lane_row4(lane_v3(x.w, y.w, z.w), stays * hard));
}

// ---- accelerate --------------------------------------------------------------------------------

#define elastic_accelerate_ARGS(IN, OUT, VAL)                                                      \
	IN(oz_float4, row_x)                                                                       \
	IN(oz_float4, row_y)                                                                       \
	IN(oz_float4, row_z)                                                                       \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, stiff)                                                                       \
	IN(oz_float4, moment)                                                                      \
	IN(oz_float4, hourglass_force)                                                             \
	OUT(oz_float4, elastic_acceleration) VAL(oz_fluid, fluid) VAL(uint, slots)
#define elastic_accelerate_NEAR(PLACE, ALSO, CASE)                                                 \
	ALSO(row_x) ALSO(row_y) ALSO(row_z) CASE(fluid.smoothing)

typedef struct elastic_accelerate_sum {
	oz_float4 r;
	uint firm;
	lane_total x, y, z;
} elastic_accelerate_sum;

OZ_PAIR_ARGS(elastic_accelerate)

// writes the acceleration f_i / m_i into `elastic_acceleration`
OZ_FN void elastic_accelerate_begin(const elastic_accelerate_args *a, uint i,
                                    elastic_accelerate_sum *s)
{
	s->r = a->rest[i];
	s->firm = oz_bits_of_float(a->stiff[i].w);
	lane_total_zero(s->x);
	lane_total_zero(s->y);
	lane_total_zero(s->z);
}

OZ_FN void elastic_accelerate_pair(const elastic_accelerate_args *a, elastic_accelerate_sum *s,
                                   const elastic_accelerate_near *j)
{
	const lane dx = j->row_x.w - s->r.x, dy = j->row_y.w - s->r.y, dz = j->row_z.w - s->r.z;
	const lane w = elastic_weight(&a->fluid, s->firm, dx, dy, dz);
	lane_total_add(&s->x, w * (j->row_x.x * dx + j->row_x.y * dy + j->row_x.z * dz));
	lane_total_add(&s->y, w * (j->row_y.x * dx + j->row_y.y * dy + j->row_y.z * dz));
	lane_total_add(&s->z, w * (j->row_z.x * dx + j->row_z.y * dy + j->row_z.z * dz));
}

// adds the terms of slot i itself to the sums over neighbours, and writes the acceleration
OZ_FN void elastic_accelerate_finish(const elastic_accelerate_args *a, uint i, float fx, float fy,
                                     float fz)
{
	const oz_float4 x = a->row_x[i], y = a->row_y[i], z = a->row_z[i], stiff = a->stiff[i];
	const oz_float4 moment = a->moment[i], hourglass_force = a->hourglass_force[i];
	const bool firm = oz_bits_of_float(stiff.w) != 0u;
	const float inv_v = firm ? 1.0f / a->rest[i].w : 0.0f;
	const float scale = firm ? moment.w : 0.0f;
	fx += inv_v * (x.x * moment.x + x.y * moment.y + x.z * moment.z) + hourglass_force.x;
	fy += inv_v * (y.x * moment.x + y.y * moment.y + y.z * moment.z) + hourglass_force.y;
	fz += inv_v * (z.x * moment.x + z.y * moment.y + z.z * moment.z) + hourglass_force.z;
	a->elastic_acceleration[i] = oz_make4(scale * fx, scale * fy, scale * fz, 0.0f);
}

OZ_FN void elastic_accelerate_end(const elastic_accelerate_args *a, uint i,
                                  elastic_accelerate_sum *s)
{
	const oz_float4 sum = lane_sum4(lane_total_get(s->x), lane_total_get(s->y),
	                                lane_total_get(s->z), lane_of(0.0f));
	elastic_accelerate_finish(a, i, sum.x, sum.y, sum.z);
}

#define elastic_KERNELS(X)                                                                         \
	X(elastic_gather, EACH)                                                                    \
	X(elastic_stretch, PAIRS_AT_REST)                                                          \
	X(elastic_rotate, VECTOR)                                                                  \
	X(elastic_stress, VECTOR)                                                                  \
	X(elastic_accelerate, PAIRS_AT_REST)                                                       \
	X(elastic_join_blocks, CPU)
OZ_KERNELS(elastic_KERNELS)
