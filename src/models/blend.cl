// blend.cl: shape matching over clusters, and a pressure that knows what belongs together.
//
// With r the reference shape, w_j = m_j (1 - α_j) / (τ_j² clusters that j is in), sums over
// cluster i:
//
//   c_i = Σ w_j x_j / Σ w_j,   A_i = Σ w_j (x_j - c_i)(r_j - cr_i)ᵀ,   R_i: rotation nearest to A_i
//   g_i = mean over all clusters j that hold i of  R_j (r_i - cr_j) + c_j             (eq 7)
//   a_i = a_fluid + (1 - α_i) (g_i - x_i) / τ²                              (eq 8, 10, 13)
//
// The last line is the paper's blend of velocities, α v_SPH + (1 - α) v_SM, with its rescale by
// Δt / Δt₀ and Δt₀ = Δt_SM = τ: written as an acceleration, the share of elasticity does not depend
// on the time step. τ is never shorter than the time step, which keeps matching stable however long
// that is. The weights w_j keep linear and angular momentum, also where α changes within a body.
//
// Pressure has two parts. With δ the density of all that is around, and δc that of the reference
// shape plus what does not belong to it,
//
//   E = Σ V (α u(δ) + (1 - α) u(δc)),   P = α P(δ) + (1 - α) P(δc)
//
// particles that are near in one reference shape (inner pairs) feel α P(δ) of each other, all
// others, of another body or of another part of this one, and walls all of P: that is contact, and
// it is there at α = 0 too. Both parts come from one energy, so that a body at rest stays at rest.
#include "device/kernel.h"
#include "math/rotation_lanes.h"
#include "math/sph.h"
#include "models/matter.h"
#include "models/pressure.h"

// ---- clusters ----------------------------------------------------------------------------------

#define blend_take_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, position) IN(oz_float4, rest) IN(uint, where) OUT(oz_float4, now)
OZ_KERNEL(blend_take)
{
	const oz_float4 x = a->position[a->where[i]];
	a->now[i] = oz_make4(x.x, x.y, x.z, a->rest[i].w);
}

#define blend_match_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, centre)                                                                      \
	OUT(oz_float4, row_x) OUT(oz_float4, row_y) OUT(oz_float4, row_z)
#define blend_match_FETCH(F) F(position) F(rest)

// sums relative to the cluster's own particle: small numbers, few digits lost
typedef struct blend_match_sum {
	oz_float4 x, r;
	lane mx, my, mz;
	lane xx, xy, xz, yx, yy, yz, zx, zy, zz;
} blend_match_sum;

OZ_PAIR_ARGS(blend_match)

OZ_FN void blend_match_begin(const blend_match_args *a, uint i, blend_match_sum *s)
{
	s->x = a->position[i];
	s->r = a->rest[i];
	s->mx = s->my = s->mz = lane_of(0.0f);
	s->xx = s->xy = s->xz = lane_of(0.0f);
	s->yx = s->yy = s->yz = lane_of(0.0f);
	s->zx = s->zy = s->zz = lane_of(0.0f);
}

OZ_FN void blend_match_pair(const blend_match_args *a, blend_match_sum *s,
                            const blend_match_near *j)
{
	(void)a;
	const lane w = j->position.w;
	const lane x = w * (j->position.x - s->x.x), y = w * (j->position.y - s->x.y);
	const lane z = w * (j->position.z - s->x.z);
	const lane rx = j->rest.x - s->r.x, ry = j->rest.y - s->r.y, rz = j->rest.z - s->r.z;
	s->mx += x;
	s->my += y;
	s->mz += z;
	s->xx += x * rx;
	s->xy += x * ry;
	s->xz += x * rz;
	s->yx += y * rx;
	s->yy += y * ry;
	s->yz += y * rz;
	s->zx += z * rx;
	s->zy += z * ry;
	s->zz += z * rz;
}

OZ_FN void blend_match_end(const blend_match_args *a, uint i, blend_match_sum *s)
{
	const oz_float4 mid = a->centre[i];
	const oz_float4 x = lane_sum4(s->xx, s->xy, s->xz, s->mx);
	const oz_float4 y = lane_sum4(s->yx, s->yy, s->yz, s->my);
	const oz_float4 z = lane_sum4(s->zx, s->zy, s->zz, s->mz);
	const oz_vec3 m = oz_v3(x.w, y.w, z.w), cr = oz_v3(mid.x, mid.y, mid.z);
	const oz_mat3 sums =
	        oz_mat3_from_rows(oz_v3(x.x, x.y, x.z), oz_v3(y.x, y.y, y.z), oz_v3(z.x, z.y, z.z));
	const oz_mat3 A = oz_mat3_from_rows(oz_mad(oz_mat3_row(sums, 0), cr, -m.x),
	                                    oz_mad(oz_mat3_row(sums, 1), cr, -m.y),
	                                    oz_mad(oz_mat3_row(sums, 2), cr, -m.z));
	const oz_vec3 c = oz_mad(oz_v3(s->x.x, s->x.y, s->x.z), m, mid.w);
	a->row_x[i] = oz_make4(A.m[0][0], A.m[0][1], A.m[0][2], c.x);
	a->row_y[i] = oz_make4(A.m[1][0], A.m[1][1], A.m[1][2], c.y);
	a->row_z[i] = oz_make4(A.m[2][0], A.m[2][1], A.m[2][2], c.z);
}

// from A and c to R and t
#define blend_turn_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, centre)                                                                      \
	OUT(oz_float4, turn) OUT(oz_float4, row_x) OUT(oz_float4, row_y) OUT(oz_float4, row_z)
OZ_LANE_KERNEL(blend_turn)
{
	lane4 x = oz_lane_load(a->row_x, i, end), y = oz_lane_load(a->row_y, i, end);
	lane4 z = oz_lane_load(a->row_z, i, end);
	const lane4 rest = oz_lane_load(a->rest, i, end), mid = oz_lane_load(a->centre, i, end);
	lane_mat3 A;
	A.r0 = lane_v3(x.x, x.y, x.z);
	A.r1 = lane_v3(y.x, y.y, y.z);
	A.r2 = lane_v3(z.x, z.y, z.z);
	const lane4 q = lane_rotation_extract(A, oz_lane_load(a->turn, i, end));
	const lane_mat3 R = lane_quat_to_mat3(q);
	const lane_vec3 r = lane_v3(rest.x + mid.x, rest.y + mid.y, rest.z + mid.z);
	x.x = R.r0.x, x.y = R.r0.y, x.z = R.r0.z;
	y.x = R.r1.x, y.y = R.r1.y, y.z = R.r1.z;
	z.x = R.r2.x, z.y = R.r2.y, z.z = R.r2.z;
	x.w = x.w - lane_dot(R.r0, r);
	y.w = y.w - lane_dot(R.r1, r);
	z.w = z.w - lane_dot(R.r2, r);
	oz_lane_store(a->turn, i, end, q);
	oz_lane_store(a->row_x, i, end, x);
	oz_lane_store(a->row_y, i, end, y);
	oz_lane_store(a->row_z, i, end, z);
}

// ---- goals -------------------------------------------------------------------------------------

#define blend_goal_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, row_x)                                                                       \
	IN(oz_float4, row_y)                                                                       \
	IN(oz_float4, row_z)                                                                       \
	IN(oz_float4, rest)                                                                        \
	IN(uint, where)                                                                            \
	IN(float, share)                                                                           \
	IN(float, own_alpha)                                                                       \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, velocity)                                                                    \
	OUT(oz_float4, now)                                                                        \
	OUT(float, felt)                                                                           \
	OUT(float, felt_for)                                                                       \
	OUT(oz_float4, acceleration) VAL(float, dt) VAL(float, kick)
#define blend_goal_FETCH(F) F(row_x) F(row_y) F(row_z)

// of a row; hundreds are added, and what that rounds away is momentum
typedef struct blend_row_sum {
	lane_total x, y, z, w;
} blend_row_sum;

typedef struct blend_goal_sum {
	blend_row_sum x, y, z;
} blend_goal_sum;

OZ_PAIR_ARGS(blend_goal)

OZ_FN void blend_row_zero(blend_row_sum *s)
{
	lane_total_zero(s->x);
	lane_total_zero(s->y);
	lane_total_zero(s->z);
	lane_total_zero(s->w);
}

OZ_FN void blend_row_add(blend_row_sum *s, lane4 row)
{
	lane_total_add(&s->x, row.x);
	lane_total_add(&s->y, row.y);
	lane_total_add(&s->z, row.z);
	lane_total_add(&s->w, row.w);
}

// its own cluster is not in the list, and is added at the end
OZ_FN void blend_goal_begin(const blend_goal_args *a, uint i, blend_goal_sum *s)
{
	(void)a;
	(void)i;
	blend_row_zero(&s->x);
	blend_row_zero(&s->y);
	blend_row_zero(&s->z);
}

OZ_FN void blend_goal_pair(const blend_goal_args *a, blend_goal_sum *s, const blend_goal_near *j)
{
	(void)a;
	blend_row_add(&s->x, j->row_x);
	blend_row_add(&s->y, j->row_y);
	blend_row_add(&s->z, j->row_z);
}

// The way to the goal. The share is rounded: times a place it would drift, times a way it may not.
OZ_FN float blend_goal_along(const blend_row_sum *rows, oz_float4 own, oz_float4 r, float x,
                             float share)
{
	const oz_float4 sum = lane_sum4(lane_total_get(rows->x), lane_total_get(rows->y),
	                                lane_total_get(rows->z), lane_total_get(rows->w));
	const float clusters = (float)(uint)(1.0f / share + 0.5f);
	return share * ((sum.x + own.x) * r.x + (sum.y + own.y) * r.y + (sum.z + own.z) * r.z +
	                (sum.w + own.w) - clusters * x);
}

// The acceleration's w holds what contact the fluid's stage found; it is taken down here. `now`
// keeps the velocity that the particle will have if no wall stops it.
OZ_FN void blend_goal_end(const blend_goal_args *a, uint i, blend_goal_sum *s)
{
	const uint p = a->where[i];
	const oz_float4 r = a->rest[i], x = a->now[i];
	const oz_matter m = a->matter[a->material[p]];
	const float tau = oz_max(m.response, a->dt), share = a->share[i];
	const float solid = m.firm ? 0.0f : 1.0f - matter_alpha(a->own_alpha[i], m.alpha);
	const float pull = solid / (tau * tau);
	oz_float4 f = a->acceleration[p];
	const oz_float4 v = a->velocity[p];
	a->felt[i] += a->dt * f.w;
	a->felt_for[i] += a->dt;
	f = oz_make4(f.x + pull * blend_goal_along(&s->x, a->row_x[i], r, x.x, share),
	             f.y + pull * blend_goal_along(&s->y, a->row_y[i], r, x.y, share),
	             f.z + pull * blend_goal_along(&s->z, a->row_z[i], r, x.z, share), 0.0f);
	a->acceleration[p] = f;
	a->now[i] = oz_make4(v.x + a->kick * f.x, v.y + a->kick * f.y, v.z + a->kick * f.z, 0.0f);
}

// after the move: what walls have stopped
#define blend_feel_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, now)                                                                         \
	IN(uint, where) IN(uint, material) IN(oz_matter, matter) OUT(float, felt)
OZ_KERNEL(blend_feel)
{
	if (a->matter[a->material[a->where[i]]].firm)
		return;
	const oz_float4 v = a->velocity[a->where[i]], u = a->now[i];
	a->felt[i] += oz_length(oz_v3(v.x - u.x, v.y - u.y, v.z - u.z));
}

// ---- ties --------------------------------------------------------------------------------------

#define blend_find_ARGS(IN, OUT, VAL) IN(uint, slot) OUT(uint, where) VAL(uint, slots)
OZ_KERNEL(blend_find)
{
	const uint k = a->slot[i];
	if (k < a->slots)
		a->where[k] = i;
}

// Who belongs together: the rest position, and as bits of w the lump's tag and the share of the
// pressure that inner pairs feel, in 32767 steps; or of a solid, whose inner pairs feel none, its
// friction. Where there are more lumps than tags, two of the same tag are told apart by where they
// rest.
#define OZ_TIE_SHARE    32767u
#define OZ_TIE_FIRM     32768u
#define OZ_TIE_FRICTION 8.0f        // the most there is
#define OZ_TIE_FLUID    0xffff7fffu // feels everyone, as one of its own

OZ_FN float blend_tie_bits(uint tag, float share)
{
	return oz_float_of_bits(tag << 16 | (uint)(share * (float)OZ_TIE_SHARE + 0.5f));
}

OZ_FN float blend_firm_bits(uint tag, float friction)
{
	const float share = friction / OZ_TIE_FRICTION * (float)OZ_TIE_SHARE;
	return oz_float_of_bits(tag << 16 | OZ_TIE_FIRM | (uint)(share + 0.5f));
}

#define blend_tie_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, slot)                                                                             \
	IN(oz_float4, rest)                                                                        \
	IN(uint, tag)                                                                              \
	IN(uint, fresh)                                                                            \
	IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, tie) VAL(uint, slots)
OZ_KERNEL(blend_tie)
{
	const uint k = a->slot[i];
	a->tie[i] = oz_make4(0.0f, 0.0f, 0.0f, oz_float_of_bits(OZ_TIE_FLUID));
	if (k >= a->slots)
		return;
	const oz_matter m = a->matter[a->material[i]];
	// a molten solid is a fluid like any other
	if (!m.firm || !a->fresh[k]) {
		const oz_float4 r = a->rest[k];
		a->tie[i] = oz_make4(r.x, r.y, r.z,
		                     m.firm ? blend_firm_bits(a->tag[k], m.friction)
		                            : blend_tie_bits(a->tag[k], 0.0f));
	}
}

// the share is known once all densities are
#define blend_share_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, slot) IN(uint, tag) IN(float, inner) OUT(oz_float4, tie) VAL(uint, slots)
OZ_KERNEL(blend_share)
{
	const uint k = a->slot[i];
	const uint bits = oz_bits_of_float(a->tie[i].w);
	if (k < a->slots && !(bits & OZ_TIE_FIRM) && bits != OZ_TIE_FLUID)
		a->tie[i].w = blend_tie_bits(a->tag[k], a->inner[k]);
}

// ---- density -----------------------------------------------------------------------------------

// Squares of the distances in a reference shape up to which pairs of one lump are inner ones:
// the smallest cluster radius of all blends, the same from both sides; and what solids can be
// squeezed without particles meeting that were not neighbours.
typedef struct blend_reach {
	float soft2, firm2;
} blend_reach;

OZ_FN float blend_reach_of(blend_reach reach, uint bits)
{
	return bits & OZ_TIE_FIRM ? reach.firm2 : reach.soft2;
}

OZ_FN lane_mask blend_is_inner(oz_float4 own, uint bits, float reach2, const lane4 *tie)
{
	const lane x = own.x - tie->x, y = own.y - tie->y, z = own.z - tie->z;
	const lane_mask apart = (oz_lane_bits(tie->w) ^ (int)bits) & ~0xffff;
	return (apart == 0) & (x * x + y * y + z * z < reach2);
}

// Which solid particles have none but inner pairs in their lists: these touch nobody until lists or
// ties are made anew, feel no pressure but that of walls, and are left to blend_damp. The others,
// and all that is not solid, keep the whole list. Positions are those that lists were made from.
#define blend_alone_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, tie)                                                                         \
	IN(uint, listed)                                                                           \
	OUT(uint, touching) OUT(uint, alone) VAL(blend_reach, reach) VAL(float, radius2)
#define blend_alone_FETCH(F) F(position) F(tie)

typedef struct blend_alone_sum {
	oz_float4 p, tie;
	uint bits;
	lane foreign;
} blend_alone_sum;

OZ_PAIR_ARGS(blend_alone)

OZ_FN void blend_alone_begin(const blend_alone_args *a, uint i, blend_alone_sum *s)
{
	s->p = a->position[i];
	s->tie = a->tie[i];
	s->bits = oz_bits_of_float(s->tie.w);
	s->foreign = lane_of(0.0f);
}

OZ_FN void blend_alone_pair(const blend_alone_args *a, blend_alone_sum *s,
                            const blend_alone_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane_mask inner = blend_is_inner(s->tie, s->bits, a->reach.firm2, &j->tie);
	// what fills up a vector is far away
	const lane_mask listed = x * x + y * y + z * z < a->radius2;
	s->foreign += lane_select(inner | (listed == 0), lane_of(0.0f), lane_of(1.0f));
}

OZ_FN void blend_alone_end(const blend_alone_args *a, uint i, blend_alone_sum *s)
{
	const bool alone =
	        s->bits != OZ_TIE_FLUID && (s->bits & OZ_TIE_FIRM) && lane_sum(s->foreign) == 0.0f;
	a->touching[i] = alone ? 0u : a->listed[i];
	a->alone[i] = alone ? a->listed[i] : 0u;
}

#define blend_density_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, tie)                                                                         \
	IN(oz_float4, wall)                                                                        \
	IN(uint, slot)                                                                             \
	IN(float, own_rest)                                                                        \
	IN(float, own_alpha)                                                                       \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, inner)                                                                          \
	OUT(oz_float4, flow)                                                                       \
	OUT(oz_float4, anchor)                                                                     \
	OUT(float, density) VAL(oz_fluid, fluid) VAL(blend_reach, reach) VAL(uint, slots)
#define blend_density_FETCH(F) F(position) F(tie)

typedef struct blend_density_sum {
	oz_float4 p, tie;
	float reach2;
	uint bits;
	lane all, foreign;
} blend_density_sum;

OZ_PAIR_ARGS(blend_density)

OZ_FN void blend_density_begin(const blend_density_args *a, uint i, blend_density_sum *s)
{
	s->p = a->position[i];
	s->tie = a->tie[i];
	s->bits = oz_bits_of_float(s->tie.w);
	s->reach2 = blend_reach_of(a->reach, s->bits);
	s->all = s->foreign = lane_of(0.0f);
}

OZ_FN void blend_density_pair(const blend_density_args *a, blend_density_sum *s,
                              const blend_density_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane w = oz_sph_w(a->fluid.smoothing, x * x + y * y + z * z, a->fluid.h);
	const lane_mask inner = blend_is_inner(s->tie, s->bits, s->reach2, &j->tie);
	s->all += w;
	s->foreign += lane_select(inner, lane_of(0.0f), w);
}

OZ_FN void blend_density_end(const blend_density_args *a, uint i, blend_density_sum *s)
{
	const uint k = a->slot[i];
	const oz_matter m = a->matter[a->material[i]];
	const bool blended = k < a->slots;
	const float alpha = blended ? matter_alpha(a->own_alpha[k], m.alpha) : 1.0f;
	const float delta = a->fluid.volume * lane_sum(s->all) + a->fluid.self + a->wall[i].w;
	const float around = a->fluid.volume * lane_sum(s->foreign) + a->wall[i].w;
	const float touched = blended ? a->own_rest[k] + around : 1.0f;
	const float pf = alpha * fluid_pressure(&a->fluid, m.density, delta);
	const float pc = (1.0f - alpha) * fluid_pressure(&a->fluid, m.density, touched);
	const float inner = pf / (delta * delta), whole = inner + pc / (touched * touched);
	a->density[i] = m.density * (alpha * delta + (1.0f - alpha) * touched);
	a->flow[i] = oz_make4(s->p.x, s->p.y, s->p.z, a->fluid.stress * whole);
	a->anchor[i].w = pf + pc;
	if (blended)
		a->inner[k] = whole != 0.0f ? oz_min(oz_max(inner / whole, 0.0f), 1.0f) : 0.0f;
}

// ---- forces ------------------------------------------------------------------------------------

#define blend_force_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, tie)                                                                         \
	IN(oz_float4, wall)                                                                        \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, acceleration) VAL(oz_fluid, fluid) VAL(blend_reach, reach) VAL(float, grip)
#define blend_force_FETCH(F) F(position) F(velocity) F(tie)

typedef struct blend_force_sum {
	oz_float4 p, v, tie; // position and pressure, velocity and viscous weight
	float inner;         // pressure that inner pairs feel
	float shares;        // in one step of a tie's share; 0 of a solid
	float friction;      // 0: it rubs nobody
	float reach2;
	uint bits, paper;
	lane x, y, z;    // inner forces
	lane cx, cy, cz; // contact
} blend_force_sum;

OZ_PAIR_ARGS(blend_force)

OZ_FN void blend_force_begin(const blend_force_args *a, uint i, blend_force_sum *s)
{
	const oz_matter m = a->matter[a->material[i]];
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->tie = a->tie[i];
	s->bits = oz_bits_of_float(s->tie.w);
	s->reach2 = blend_reach_of(a->reach, s->bits);
	s->shares = s->bits & OZ_TIE_FIRM ? 0.0f : 1.0f / (float)OZ_TIE_SHARE;
	s->inner = s->p.w * s->shares * (float)(s->bits & OZ_TIE_SHARE);
	// as others see it, and of what is solid alone
	s->friction =
	        a->grip > 0.0f && s->bits & OZ_TIE_FIRM
	                ? (OZ_TIE_FRICTION / (float)OZ_TIE_SHARE) * (float)(s->bits & OZ_TIE_SHARE)
	                : 0.0f;
	s->paper = m.paper;
	s->x = s->y = s->z = s->cx = s->cy = s->cz = lane_of(0.0f);
}

// Takamatsu & Kanai eq 1 as printed: the neighbour's pressure alone, poly6's own gradient.
OZ_FN lane blend_printed(const oz_fluid *f, lane pressure, lane r2)
{
	const float h2 = f->h * f->h;
	const float scale = -6.0f * 315.0f / (64.0f * 3.14159265f * h2 * h2 * h2 * h2 * f->h);
	const lane t = lane_max(h2 - r2, lane_of(0.0f));
	return scale / f->stress * pressure * t * t;
}

// Coulomb's friction between two solids that touch: against their sliding, as hard as it takes but
// no harder than μ times what presses them together. `push` is the pressure's force over distance.
OZ_FN void blend_rub(blend_force_sum *s, const blend_force_near *j, float grip, lane push,
                     lane_vec3 way, lane r2)
{
	const lane_mask bits = oz_lane_bits(j->tie.w);
	const lane_mask solid = (bits & (int)OZ_TIE_FIRM) != 0;
	const lane theirs =
	        oz_lane_float(bits & (int)OZ_TIE_SHARE) * (OZ_TIE_FRICTION / (float)OZ_TIE_SHARE);
	const lane zero = lane_of(0.0f), tiny = lane_of(1e-30f);
	const lane pressed = lane_select(solid, lane_max(push, zero), zero) * lane_sqrt(r2);
	const lane most = lane_sqrt(s->friction * theirs) * pressed;
	const lane x = s->v.x - j->velocity.x, y = s->v.y - j->velocity.y;
	const lane z = s->v.z - j->velocity.z;
	const lane along = (x * way.x + y * way.y + z * way.z) * lane_inverse(lane_max(r2, tiny));
	const lane_vec3 slide = lane_v3(x - along * way.x, y - along * way.y, z - along * way.z);
	const lane speed = lane_sqrt(lane_max(lane_dot(slide, slide), tiny));
	const lane hold = lane_select(most > zero, lane_of(grip), zero);
	const lane f = lane_min(most * lane_inverse(speed), hold);
	s->cx -= f * slide.x;
	s->cy -= f * slide.y;
	s->cz -= f * slide.z;
}

OZ_FN void blend_force_pair(const blend_force_args *a, blend_force_sum *s,
                            const blend_force_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z;
	const lane_mask inner = blend_is_inner(s->tie, s->bits, s->reach2, &j->tie);
	const lane share = oz_lane_float(oz_lane_bits(j->tie.w) & (int)OZ_TIE_SHARE);
	const lane theirs = j->position.w * share * s->shares;
	const lane viscous = fluid_viscous(&a->fluid, s->v, &j->velocity, x, y, z, r2);
	const lane gradient = oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	const lane zero = lane_of(0.0f);
	const lane whole = (viscous - (s->p.w + j->position.w)) * gradient;
	const lane scaled = s->paper ? viscous * gradient - blend_printed(&a->fluid, theirs, r2)
	                             : (viscous - (s->inner + theirs)) * gradient;
	const lane f = lane_select(inner, scaled, zero), contact = lane_select(inner, zero, whole);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
	s->cx += contact * x;
	s->cy += contact * y;
	s->cz += contact * z;
	const lane push = lane_select(inner, zero, -(s->p.w + j->position.w) * gradient);
	// most pairs of a solid are inner ones
	if (s->friction > 0.0f && oz_lane_any(push > zero))
		blend_rub(s, j, a->grip, push, lane_v3(x, y, z), r2);
}

OZ_FN void blend_force_end(const blend_force_args *a, uint i, blend_force_sum *s)
{
	const float inv_density = a->matter[a->material[i]].inv_density;
	const float pairs = a->fluid.volume * inv_density;
	const float walls = -s->p.w * inv_density;
	const oz_float4 wall = a->wall[i];
	const oz_vec3 contact = oz_v3(pairs * lane_sum(s->cx) + walls * wall.x,
	                              pairs * lane_sum(s->cy) + walls * wall.y,
	                              pairs * lane_sum(s->cz) + walls * wall.z);
	// contacts of fluids and solids are of no interest, and w must be zero where no slot takes
	// it down
	const bool soft = s->bits != OZ_TIE_FLUID && !(s->bits & OZ_TIE_FIRM);
	const float felt = soft ? oz_length(contact) : 0.0f;
	a->acceleration[i] =
	        oz_make4(pairs * lane_sum(s->x) + contact.x + a->fluid.gravity.x,
	                 pairs * lane_sum(s->y) + contact.y + a->fluid.gravity.y,
	                 pairs * lane_sum(s->z) + contact.z + a->fluid.gravity.z, felt);
}

// What is left of that where a solid touches nobody: the viscosity of inner pairs.
#define blend_damp_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, acceleration) VAL(oz_fluid, fluid)
#define blend_damp_FETCH(F) F(position) F(velocity)

typedef struct blend_damp_sum {
	oz_float4 p, v;
	lane x, y, z;
} blend_damp_sum;

OZ_PAIR_ARGS(blend_damp)

OZ_FN void blend_damp_begin(const blend_damp_args *a, uint i, blend_damp_sum *s)
{
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void blend_damp_pair(const blend_damp_args *a, blend_damp_sum *s, const blend_damp_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z;
	const lane f = fluid_viscous(&a->fluid, s->v, &j->velocity, x, y, z, r2) *
	               oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
}

OZ_FN void blend_damp_end(const blend_damp_args *a, uint i, blend_damp_sum *s)
{
	const float pairs = a->fluid.volume * a->matter[a->material[i]].inv_density;
	const oz_float4 f = a->acceleration[i];
	a->acceleration[i] = oz_make4(f.x + pairs * lane_sum(s->x), f.y + pairs * lane_sum(s->y),
	                              f.z + pairs * lane_sum(s->z), f.w);
}

OZ_LIST_KERNEL(blend_match)
OZ_LIST_KERNEL(blend_goal)
OZ_PAIR_KERNEL(blend_alone)
OZ_SMOOTHED_KERNEL(blend_density)
OZ_SMOOTHED_KERNEL_MARKED(blend_force)
OZ_SMOOTHED_KERNEL(blend_damp)
