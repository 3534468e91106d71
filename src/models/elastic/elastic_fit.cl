// elastic_fit.cl: volumes, gradient corrections and stiffness, once for each rest shape.
//
// With d = r_j - r_i in the rest shape and ω = - W'/|d|, so that ω d = ∇W, sums over the list of i:
//
//   A = Σ V_j ω d dᵀ,   s = Σ V_j ω d,   L = A⁺,   N = A L
//
// L corrects the gradient (Bonet & Lok 1999). The pseudo-inverse A⁺ leaves out directions with
// almost no neighbours: N is the projector on the others, of rank three in a volume, two in a
// sheet, one in a rod. λ is that of a volume, of plane stress, or of a bar accordingly.
//
// κ weights the part of the motion that is not linear, Σ V_j ω |x_j - x_i - F d|². In a volume it
// makes up for what F misses. Of a shear wave u_y = sin(k x), F has the mean slope of neighbours in
// place of the slope: with m = Σ V_j ω d_x⁴, a particle's energy is short by
//
//   G/2 k² (k² m / 3 A_xx)        and has        κ/2 k² (k² m / 4)
//
// of the other part, to the lowest order in k. They are equal if κ = 4 G / (3 A_xx), whatever m is;
// the mean of the three directions gives κ = 4 G / tr A. The same κ makes up for a surface, where
// the strain is that of a place a little deeper: coarse beams bend and twist as they should. It
// also suppresses hourglass modes (zigzags). `hourglass` multiplies it.
//
// In a sheet or rod κ resists bending: a curvature c makes the difference c d²/2, and κ is chosen
// to give the energy of a plate or square bar one spacing thick.
//
// Printed methods (`paper`, `plain`): V_j = 1 / Σ W (eq 5), L = 1, N = A, κ = 0, and half of every
// force (eq 16).
#include "device/kernel.h"
#include "math/pseudo_inverse.h"
#include "models/elastic/elastic_pair.h"

#define OZ_ELASTIC_FLAT     0.1f // smaller eigenvalues of A, over the largest, are left out
#define OZ_ELASTIC_COMPARED 0.3f // κ of moving least squares, over E / tr A: against zigzags alone
#define OZ_ELASTIC_LIMP     0.03f // least κ of sheets and rods, over E / tr A

#define elastic_volume_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(float, inverse_count)                                                                   \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(uint, shapeless)                                                                        \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, rest)                                                                       \
	OUT(uint, bonds)                                                                           \
	OUT(uint, lone) VAL(oz_fluid, fluid) VAL(float, spacing)
#define elastic_volume_NEAR(PLACE, ALSO, CASE) ALSO(position) CASE(fluid.smoothing)

typedef struct elastic_volume_sum {
	oz_float4 r;
	lane w;
} elastic_volume_sum;

OZ_PAIR_ARGS(elastic_volume)

// Writes V of each elastic slot into rest.w, and its number of bonds. Counts elastic slots without
// bonds in `lone`.
OZ_FN void elastic_volume_begin(const elastic_volume_args *a, uint i, elastic_volume_sum *s)
{
	s->r = a->position[i];
	s->w = lane_of(0.0f);
}

// `position` is a copy of `rest` with w = 1; w = 0 for the entries that pad lists
OZ_FN void elastic_volume_pair(const elastic_volume_args *a, elastic_volume_sum *s,
                               const elastic_volume_near *j)
{
	const lane x = s->r.x - j->position.x, y = s->r.y - j->position.y,
	           z = s->r.z - j->position.z;
	s->w += j->position.w * oz_sph_w(a->fluid.smoothing, x * x + y * y + z * z, a->fluid.h);
}

OZ_FN void elastic_volume_end(const elastic_volume_args *a, uint i, elastic_volume_sum *s)
{
	const uint bits = a->matter[a->material[a->particle_of_slot[i]]].firm;
	const uint firm = bits & OZ_FIRM ? bits : 0u;
	const float own = oz_lane_first(oz_sph_w(a->fluid.smoothing, lane_of(0.0f), a->fluid.h));
	const float whole = a->spacing * a->spacing * a->spacing;
	// entries of the list without padding
	const uint others = (uint)(1.0f / a->inverse_count[i] - 0.5f);
	a->bonds[i] = firm && !a->shapeless[i] ? others : 0u;
	if (firm && !a->shapeless[i] && others == 0u)
		oz_atomic_add(a->lone, 1u);
	if (firm)
		a->rest[i].w = firm & OZ_FIRM_PRINTED ? 1.0f / (lane_sum(s->w) + own) : whole;
}

#define elastic_count_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, rest) OUT(oz_float4, position) VAL(uint, slots)
OZ_ARGS(elastic_count)

// copies rest positions, with w = 1 for slots and 0 for the record behind the last
OZ_FN void elastic_count_at(const elastic_count_args *a, uint i)
{
	const oz_float4 r = a->rest[i];
	a->position[i] = oz_make4(r.x, r.y, r.z, i < a->slots ? 1.0f : 0.0f);
}

// ---- joints with rigid bodies ------------------------------------------------------------------
//
// A slot of a rigid body that has elastic rest neighbours, in a body that is joined to its own, is
// one of their bonds. It has the mean stiffness of these neighbours. Its rest.w, and with it every
// pair, is 0 if it has none, so that forces are equal and opposite.

OZ_FN bool elastic_is_solid(OZ_GLOBAL const oz_matter *matter, OZ_GLOBAL const uint *material,
                            OZ_GLOBAL const uint *particle_of_slot, OZ_GLOBAL const uint *shapeless,
                            uint j)
{
	return (matter[material[particle_of_slot[j]]].firm & OZ_FIRM) && !shapeless[j];
}

#define elastic_bind_ARGS(IN, OUT, VAL)                                                            \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, members)                                                                          \
	IN(float, inverse_count)                                                                   \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(uint, shapeless)                                                                        \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, rest)                                                                       \
	OUT(uint, bonds) VAL(uint, stride) VAL(uint, slots) VAL(float, spacing)
OZ_ARGS(elastic_bind)

// writes the bonds and rest.w of the slots of rigid bodies
OZ_FN void elastic_bind_at(const elastic_bind_args *a, uint i)
{
	if (!(a->matter[a->material[a->particle_of_slot[i]]].firm & OZ_FIRM_RIGID))
		return;
	uint bound = 0u;
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		if (j < a->slots &&
		    elastic_is_solid(a->matter, a->material, a->particle_of_slot, a->shapeless, j))
			bound = 1u;
	}
	// entries of the list without padding
	a->bonds[i] = bound ? (uint)(1.0f / a->inverse_count[i] - 0.5f) : 0u;
	a->rest[i].w = bound ? a->spacing * a->spacing * a->spacing : 0.0f;
}

#define elastic_borrow_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, bonds)                                                                            \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(uint, shapeless)                                                                        \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, stiff) OUT(float, kappa) VAL(uint, stride) VAL(uint, slots)
OZ_ARGS(elastic_borrow)

// writes the stiffness of the slots of rigid bodies that have bonds
OZ_FN void elastic_borrow_at(const elastic_borrow_args *a, uint i)
{
	if (!(a->matter[a->material[a->particle_of_slot[i]]].firm & OZ_FIRM_RIGID) || !a->bonds[i])
		return;
	float mu = 0.0f, lambda = 0.0f, kappa = 0.0f, count = 0.0f;
	for (uint c = 0; c < a->bonds[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		if (j >= a->slots ||
		    !elastic_is_solid(a->matter, a->material, a->particle_of_slot, a->shapeless, j))
			continue;
		mu += a->stiff[j].x;
		lambda += a->stiff[j].y;
		kappa += a->stiff[j].z;
		count += 1.0f;
	}
	a->kappa[i] = kappa / count;
	a->stiff[i] =
	        oz_make4(mu / count, lambda / count, kappa / count, oz_float_of_bits(OZ_FIRM));
}

#define elastic_fit_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, rest)                                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(uint, shapeless)                                                                        \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, fit_a)                                                                      \
	OUT(oz_float4, fit_b)                                                                      \
	OUT(oz_float4, fit_c)                                                                      \
	OUT(oz_float4, stiff)                                                                      \
	OUT(float, kappa)                                                                          \
	OUT(oz_float4, hourglass_force)                                                            \
	OUT(oz_float4, moment) VAL(oz_fluid, fluid) VAL(float, spacing)
#define elastic_fit_NEAR(PLACE, ALSO, CASE) ALSO(rest) CASE(fluid.smoothing)

typedef struct elastic_fit_sum {
	oz_float4 r;
	uint firm;
	lane xx, xy, xz, yy, yz, zz, fourth;
	lane_total x, y, z; // an error of these is a force on the whole body, the same in each step
} elastic_fit_sum;

OZ_PAIR_ARGS(elastic_fit)

// writes L, N, stiffness and s of each slot
OZ_FN void elastic_fit_begin(const elastic_fit_args *a, uint i, elastic_fit_sum *s)
{
	s->r = a->rest[i];
	s->firm = a->matter[a->material[a->particle_of_slot[i]]].firm;
	s->xx = s->xy = s->xz = s->yy = s->yz = s->zz = lane_of(0.0f);
	s->fourth = lane_of(0.0f);
	lane_total_zero(s->x);
	lane_total_zero(s->y);
	lane_total_zero(s->z);
}

OZ_FN void elastic_fit_pair(const elastic_fit_args *a, elastic_fit_sum *s,
                            const elastic_fit_near *j)
{
	const lane x = j->rest.x - s->r.x, y = j->rest.y - s->r.y, z = j->rest.z - s->r.z;
	const lane r2 = x * x + y * y + z * z;
	const lane w = j->rest.w * elastic_weight(&a->fluid, s->firm, x, y, z);
	lane_total_add(&s->x, w * x);
	lane_total_add(&s->y, w * y);
	lane_total_add(&s->z, w * z);
	s->xx += w * x * x;
	s->xy += w * x * y;
	s->xz += w * x * z;
	s->yy += w * y * y;
	s->yz += w * y * z;
	s->zz += w * z * z;
	s->fourth += w * r2 * r2;
}

// κ, Pa; `trace` of A, `fourth`: Σ V_j ω |d|⁴
OZ_FN float elastic_kappa(oz_matter m, uint rank, float trace, float fourth, float spacing)
{
	const float over = trace > 0.0f ? m.elastic.young / trace : 0.0f;
	const float s2 = spacing * spacing;
	if (rank == 3u && (m.firm & OZ_FIRM_MLS))
		return OZ_ELASTIC_COMPARED * m.elastic.hourglass * over;
	if (rank == 3u)
		return 2.0f * m.elastic.hourglass / (1.0f + m.elastic.poisson) * over;
	if (rank == 0u || !(fourth > 0.0f))
		return 0.0f;
	const float plate = 8.0f / (9.0f * (1.0f - m.elastic.poisson * m.elastic.poisson)),
	            bar = 1.0f / 3.0f;
	const float bent =
	        m.elastic.bending * m.elastic.young * s2 / fourth * (rank == 2u ? plate : bar);
	return oz_max(bent, OZ_ELASTIC_LIMP * over);
}

OZ_FN float elastic_lambda(oz_matter m, uint rank)
{
	const float E = m.elastic.young, nu = m.elastic.poisson;
	if (rank == 3u)
		return E * nu / ((1.0f + nu) * (1.0f - 2.0f * nu));
	return rank == 2u ? E * nu / (1.0f - nu * nu) : E - E / (1.0f + nu);
}

OZ_FN void elastic_fit_end(const elastic_fit_args *a, uint i, elastic_fit_sum *s)
{
	const oz_matter m = a->matter[a->material[a->particle_of_slot[i]]];
	const oz_float4 p = lane_sum4(s->xx, s->xy, s->xz, s->yy);
	const oz_float4 q = lane_sum4(s->yz, s->zz, s->fourth, lane_total_get(s->x));
	const oz_mat3 A =
	        oz_mat3_from_rows(oz_v3(p.x, p.y, p.z), oz_v3(p.y, p.w, q.x), oz_v3(p.z, q.x, q.y));
	const bool printed = (m.firm & OZ_FIRM_PRINTED) != 0u;
	const float counts = printed ? 0.5f : 1.0f;
	oz_span f = oz_pseudo_inverse(A, OZ_ELASTIC_FLAT);
	const float kappa =
	        printed ? 0.0f : elastic_kappa(m, f.rank, p.x + p.w + q.y, q.z, a->spacing);
	if (printed) {
		f.L = oz_mat3_identity();
		f.N = A;
	}
	const bool solid = (m.firm & OZ_FIRM) && !a->shapeless[i];
	a->fit_a[i] = oz_make4(f.L.m[0][0], f.L.m[0][1], f.L.m[0][2], f.L.m[1][1]);
	a->fit_b[i] = oz_make4(f.L.m[1][2], f.L.m[2][2], f.N.m[0][0], f.N.m[0][1]);
	a->fit_c[i] = oz_make4(f.N.m[0][2], f.N.m[1][1], f.N.m[1][2], f.N.m[2][2]);
	a->stiff[i] = oz_make4(counts * 0.5f * m.elastic.young / (1.0f + m.elastic.poisson),
	                       counts * elastic_lambda(m, f.rank), kappa,
	                       oz_float_of_bits(solid ? m.firm : 0u));
	a->kappa[i] = kappa;
	a->hourglass_force[i] = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
	a->moment[i] = oz_make4(q.w, lane_sum(lane_total_get(s->y)), lane_sum(lane_total_get(s->z)),
	                        s->r.w * m.inv_density / (a->spacing * a->spacing * a->spacing));
}

#define elastic_spring_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, fit_a)                                                                       \
	IN(oz_float4, fit_b)                                                                       \
	IN(oz_float4, stiff) IN(oz_float4, moment) OUT(float, spring) VAL(oz_fluid, fluid)
#define elastic_spring_NEAR(PLACE, ALSO, CASE)                                                     \
	ALSO(rest) ALSO(fit_a) ALSO(fit_b) ALSO(stiff) CASE(fluid.smoothing)

typedef struct elastic_spring_sum {
	oz_float4 r, stiff;
	uint firm;
	lane k;
} elastic_spring_sum;

OZ_PAIR_ARGS(elastic_spring)

// Writes the diagonal of the stiffness over mass, the mean of the three directions, 1/s²: the
// terms of the neighbours' strains, of the slot's own strain and of hourglass forces.
OZ_FN void elastic_spring_begin(const elastic_spring_args *a, uint i, elastic_spring_sum *s)
{
	s->r = a->rest[i];
	s->stiff = a->stiff[i];
	s->firm = oz_bits_of_float(s->stiff.w);
	s->k = lane_of(0.0f);
}

OZ_FN void elastic_spring_pair(const elastic_spring_args *a, elastic_spring_sum *s,
                               const elastic_spring_near *j)
{
	const lane x = j->rest.x - s->r.x, y = j->rest.y - s->r.y, z = j->rest.z - s->r.z;
	const lane w = elastic_weight(&a->fluid, s->firm, x, y, z);
	const lane lx = j->fit_a.x * x + j->fit_a.y * y + j->fit_a.z * z;
	const lane ly = j->fit_a.y * x + j->fit_a.w * y + j->fit_b.x * z;
	const lane lz = j->fit_a.z * x + j->fit_b.x * y + j->fit_b.y * z;
	const lane mean = (4.0f / 3.0f) * j->stiff.x + (1.0f / 3.0f) * j->stiff.y;
	s->k += j->rest.w * w *
	        (s->r.w * w * mean * (lx * lx + ly * ly + lz * lz) + s->stiff.z + j->stiff.z);
}

OZ_FN void elastic_spring_end(const elastic_spring_args *a, uint i, elastic_spring_sum *s)
{
	const oz_float4 p = a->fit_a[i], q = a->fit_b[i], w = a->moment[i];
	const oz_vec3 own =
	        oz_v3(p.x * w.x + p.y * w.y + p.z * w.z, p.y * w.x + p.w * w.y + q.x * w.z,
	              p.z * w.x + q.x * w.y + q.y * w.z);
	const float mean = (4.0f / 3.0f) * s->stiff.x + (1.0f / 3.0f) * s->stiff.y;
	a->spring[i] = s->firm ? w.w * (lane_sum(s->k) + mean * oz_dot(own, own)) : 0.0f;
}

#define elastic_fit_KERNELS(X)                                                                     \
	X(elastic_volume, PAIRS_AT_REST)                                                           \
	X(elastic_count, EACH)                                                                     \
	X(elastic_bind, EACH)                                                                      \
	X(elastic_borrow, EACH)                                                                    \
	X(elastic_fit, PAIRS_AT_REST)                                                              \
	X(elastic_spring, PAIRS_AT_REST)
OZ_KERNELS(elastic_fit_KERNELS)
