// set.cl: the permanent set B of particles that soften, harden, melt and freeze.
//
// A particle has no stress where F B is a rotation (elastic.cl). B is symmetric: it stretches the
// rest shape for that particle alone. It is 1 until something melts. Two rules determine it:
//
// - While a particle hardens, from a share s of its stiffness to s', its stress does not change.
//   With F B = U Σ Vᵀ the stretch Σ becomes 1 + (Σ - 1) s/s', and B is chosen to give that. Without
//   this rule, strain from the soft state would gain energy when the particle is hard.
//   Strain from residuals (elastic.cl) has no such memory. Its share of κ, c, is 1 at first and
//   falls to c s/s' instead, down to a least one.
// - When rest lists change, F changes although nothing has moved, but the stress must not. Before
//   lists are made, U Σ Uᵀ, the stretch without its rotation, is stored in place of B; afterwards B
//   is computed from it and the new F. For a particle that has just frozen the stored stretch is 1:
//   it has no stress. c falls so that the energy of residuals does not grow.
#include "device/kernel.h"
#include "math/rotation.h"
#include "models/elastic/elastic_pair.h"
#include "models/heat/heat.h"

#define OZ_SET_HARDENING    0u
#define OZ_SET_BEFORE_LISTS 1u // before lists are made
#define OZ_SET_AFTER_LISTS  2u // after
#define OZ_SET_LOADED       3u // after lists of a loaded world, whose sets are known

// Bounds of the stretches of B; beyond them some stress is left. The upper bound keeps an explicit
// step stable: STABLE_SHARE 1.4 times 1.4 is below 2.
#define OZ_SET_LEAST 0.2f
#define OZ_SET_MOST  1.4f

// c: with less, zigzags would have too little stiffness; it is 1 where hourglass is small
#define OZ_SET_LEAST_SHARE 0.15f // of κ at hourglass 1, over 1 + ν
#define OZ_SET_STRAIGHT                                                                            \
	1e-5f // residuals below this, squared, over neighbour distances squared, are none

#define set_update_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, bonds)                                                                            \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(float, temperature)                                                                     \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, rest)                                                                        \
	IN(float, kappa)                                                                           \
	OUT(oz_float4, stiff)                                                                      \
	IN(oz_float4, fit_a)                                                                       \
	IN(oz_float4, fit_b)                                                                       \
	IN(oz_float4, fit_c)                                                                       \
	OUT(oz_float4, set_a)                                                                      \
	OUT(oz_float4, set_b) VAL(oz_fluid, fluid) VAL(uint, stage) VAL(uint, stride)

OZ_ARGS(set_update)

OZ_FN oz_mat3 set_symmetric(oz_float4 p, float yz, float zz)
{
	return oz_mat3_from_rows(oz_v3(p.x, p.y, p.z), oz_v3(p.y, p.w, yz), oz_v3(p.z, yz, zz));
}

// a bond of slot i: d, x_j - x_i and V_j ω
typedef struct set_bond {
	oz_vec3 rest, way;
	float weight;
} set_bond;

OZ_FN set_bond set_bond_of(const set_update_args *a, uint i, uint c)
{
	const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
	const oz_float4 x = a->position[a->particle_of_slot[i]], r = a->rest[i];
	const oz_float4 y = a->position[a->particle_of_slot[j]], t = a->rest[j];
	set_bond b;
	b.rest = oz_v3(t.x - r.x, t.y - r.y, t.z - r.z);
	b.way = oz_v3(y.x - x.x, y.y - x.y, y.z - x.z);
	b.weight = t.w * oz_lane_first(elastic_weight(&a->fluid, oz_bits_of_float(a->stiff[i].w),
	                                              lane_of(b.rest.x), lane_of(b.rest.y),
	                                              lane_of(b.rest.z)));
	return b;
}

// the deformation gradient F of elastic.cl
OZ_FN oz_mat3 set_deformation(const set_update_args *a, uint i)
{
	const oz_float4 q = a->fit_b[i];
	oz_mat3 M = oz_mat3_zero();
	for (uint c = 0; c < a->bonds[i]; c++) {
		const set_bond b = set_bond_of(a, i, c);
		M = oz_mat3_add(M, oz_mat3_outer(b.way, oz_scale(b.rest, b.weight)));
	}
	return oz_mat3_mul(M, set_symmetric(a->fit_a[i], q.x, q.y));
}

// Σ V_j ω |x_j - x_i - F d|² over Σ V_j ω |d|²
OZ_FN float set_residual(const set_update_args *a, uint i, oz_mat3 F)
{
	float sum = 0.0f, size = 1e-30f;
	for (uint c = 0; c < a->bonds[i]; c++) {
		const set_bond b = set_bond_of(a, i, c);
		const oz_vec3 off = oz_sub(b.way, oz_mat3_mul_vec(F, b.rest));
		sum += b.weight * oz_dot(off, off);
		size += b.weight * oz_dot(b.rest, b.rest);
	}
	return sum / size + OZ_SET_STRAIGHT;
}

// U diag(s) Uᵀ
OZ_FN oz_mat3 set_along(oz_mat3 U, oz_vec3 s)
{
	return oz_mat3_mul_transposed(oz_mat3_mul(U, oz_mat3_diagonal(s)), U);
}

// stores B, the liquid share and 1 - c of a slot
OZ_FN void set_write(const set_update_args *a, uint i, oz_mat3 B, float soft, float lost)
{
	a->set_a[i] = oz_make4(B.m[0][0] - 1.0f, B.m[0][1], B.m[0][2], B.m[1][1] - 1.0f);
	a->set_b[i] = oz_make4(B.m[1][2], B.m[2][2] - 1.0f, soft, lost);
}

// Stores the symmetric factor of B with its stretches clamped. The rotation of B is dropped: it
// rotates the rest shape and changes no stress.
OZ_FN void set_write_clamped(const set_update_args *a, uint i, oz_mat3 B, float soft, float lost)
{
	oz_mat3 U, V;
	oz_vec3 s;
	oz_svd(B, &U, &s, &V);
	s.x = oz_min(oz_max(s.x, OZ_SET_LEAST), OZ_SET_MOST);
	s.y = oz_min(oz_max(s.y, OZ_SET_LEAST), OZ_SET_MOST);
	s.z = oz_min(oz_max(s.z, OZ_SET_LEAST), OZ_SET_MOST);
	set_write(a, i, set_along(U, s), soft, lost);
}

// clamps stretches from below; sets those across sheets and rods to 1. `ways`: dimensions, 1 … 3
OZ_FN oz_vec3 set_clamp(oz_vec3 s, float ways)
{
	return oz_v3(ways > 0.5f ? oz_max(s.x, OZ_SET_LEAST) : 1.0f,
	             ways > 1.5f ? oz_max(s.y, OZ_SET_LEAST) : 1.0f,
	             ways > 2.5f ? oz_max(s.z, OZ_SET_LEAST) : 1.0f);
}

OZ_FN oz_vec3 set_divide(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(a.x / b.x, a.y / b.y, a.z / b.z);
}

// the least c of a volume; sheets and rods keep their resistance to bending, 1
OZ_FN float set_least_share(oz_matter m, float ways)
{
	const float most = m.elastic.hourglass,
	            least = OZ_SET_LEAST_SHARE * (1.0f + m.elastic.poisson);
	return ways > 2.5f && most > least && !(m.firm & OZ_FIRM_MLS) ? least / most : 1.0f;
}

// B and c of one slot, for each stage.
OZ_FN void set_update_slot(const set_update_args *a, uint i, oz_matter m, float soft)
{
	const oz_float4 q = a->set_b[i], n = a->fit_c[i];
	const float ways = a->fit_b[i].z + n.y + n.w, least = set_least_share(m, ways);
	const float was = 1.0f - q.z * (1.0f - OZ_ELASTIC_SOFTEST);
	const float share = oz_min(was / (1.0f - soft * (1.0f - OZ_ELASTIC_SOFTEST)), 1.0f);
	const oz_mat3 B = oz_mat3_add(set_symmetric(a->set_a[i], q.x, q.y), oz_mat3_identity());
	const oz_mat3 F = set_deformation(a, i);
	const float c = oz_max((1.0f - q.w) * share, least);
	const oz_vec3 one = oz_v3(1.0f, 1.0f, 1.0f);
	oz_mat3 U, V;
	oz_vec3 s;
	oz_svd(a->stage == OZ_SET_AFTER_LISTS ? F : oz_mat3_mul(F, B), &U, &s, &V);
	s = set_clamp(s, ways);
	const oz_vec3 eased = oz_mad(one, oz_sub(s, one), share);
	if (a->stage == OZ_SET_AFTER_LISTS) {
		const oz_mat3 back =
		        oz_mat3_mul_transposed(oz_mat3_mul(V, oz_mat3_diagonal(set_divide(one, s))),
		                               U);
		const float kept = oz_min(oz_max(q.w / set_residual(a, i, F), least), 1.0f);
		set_write_clamped(a, i, oz_mat3_mul(back, B), q.z, 1.0f - kept);
	} else if (a->stage == OZ_SET_BEFORE_LISTS)
		set_write(a, i, set_along(U, eased), soft, c * set_residual(a, i, F));
	else {
		set_write_clamped(a, i, oz_mat3_mul(B, set_along(V, set_divide(eased, s))), soft,
		                  1.0f - c);
	}
}

// Slots that are not solid have the set of a slot that has just frozen: before lists, that is a
// stretch of 1 and no energy of residuals.
OZ_FN void set_update_liquid(const set_update_args *a, uint i, uint firm, float soft)
{
	if (a->stage != OZ_SET_HARDENING || firm)
		set_write(a, i, oz_mat3_identity(), firm ? soft : 0.0f, 0.0f);
}

// Updates B, c and the liquid share of each slot; `stage`: OZ_SET_…. Between the stages before and
// after lists, set_b.w is c times the residual in place of 1 - c.
OZ_FN void set_update_at(const set_update_args *a, uint i)
{
	const uint p = a->particle_of_slot[i], firm = oz_bits_of_float(a->stiff[i].w);
	const oz_matter m = a->matter[a->material[p]];
	const float soft = heat_liquid_share(m.melting_point, m.melting_range, a->temperature[p]);
	if (a->stage == OZ_SET_LOADED) {
		// sets are known
	} else if (!firm || firm & OZ_FIRM_PRINTED)
		set_update_liquid(a, i, firm, soft);
	else if (a->stage != OZ_SET_HARDENING || soft < a->set_b[i].z)
		set_update_slot(a, i, m, soft);
	else
		a->set_b[i].z = soft;
	if (a->stage != OZ_SET_BEFORE_LISTS)
		a->stiff[i].z = a->kappa[i] * (1.0f - a->set_b[i].w);
}

#define set_KERNELS(X) X(set_update, EACH)
OZ_KERNELS(set_KERNELS)
