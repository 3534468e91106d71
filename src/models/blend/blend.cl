// blend.cl: shape matching over clusters.
//
// With r the rest shape, w_j = m_j (1 - α_j) / (τ_j² n_j), n_j the number of clusters that j is in,
// sums over cluster i:
//
//   c_i = Σ w_j x_j / Σ w_j,   A_i = Σ w_j (x_j - c_i)(r_j - cr_i)ᵀ,   R_i: rotation nearest to A_i
//   g_i = mean over all clusters j that contain i of  R_j (r_i - cr_j) + c_j          (eq 7)
//   a_i = a_fluid + (1 - α_i) (g_i - x_i) / τ²                              (eq 8, 10, 13)
//
// The last line is the paper's blend of velocities, α v_SPH + (1 - α) v_SM, with its rescale by
// Δt / Δt₀ and Δt₀ = Δt_SM = τ. Written as an acceleration, the share of elasticity does not depend
// on the time step. τ is at least the time step, so matching is stable for every time step. The
// weights w_j conserve linear and angular momentum, also where α varies within a body.
#include "device/kernel.h"
#include "math/rotation_lanes.h"
#include "models/heat/heat.h"
#include "particles/matter.h"

// ---- computed when a rest shape or α changes ---------------------------------------------------

// whether a material is a blend: other models with slots have a response of 0
OZ_FN bool blend_is_one(const oz_matter *m)
{
	return m->response > 0.0f;
}

// Writes the weight w_j of each slot into rest.w, up to a constant factor. The elastic share is at
// least OZ_TRACE, so that the weights of a cluster never sum to 0.
#define OZ_TRACE 1e-9f
#define blend_weigh_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) IN(float, own_alpha) IN(float, inverse_count) OUT(oz_float4, rest)
OZ_ARGS(blend_weigh)

// writes the weight of each slot of a blend in the sums of clusters into rest.w
OZ_FN void blend_weigh_at(const blend_weigh_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[a->particle_of_slot[i]]];
	if (!blend_is_one(&m))
		return;
	const float elastic = oz_max(1.0f - matter_alpha(a->own_alpha[i], m.alpha), OZ_TRACE);
	a->rest[i].w = m.density * elastic * a->inverse_count[i] / (m.response * m.response);
}

#define blend_centre_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, rest)                                                                        \
	IN(uint, list)                                                                             \
	IN(uint, start) IN(uint, members) OUT(oz_float4, centre) VAL(uint, stride)
OZ_ARGS(blend_centre)

// Writes cr_i - r_i, the weighted mean of each cluster in the rest shape, and 1/mass; zeros for
// slots of other models, which have no weight.
OZ_FN void blend_centre_at(const blend_centre_args *a, uint i)
{
	const oz_float4 r = a->rest[i];
	float mass = r.w, x = 0.0f, y = 0.0f, z = 0.0f;
	for (uint c = 0; c < a->members[i]; c++) {
		const oz_float4 q = a->rest[a->list[oz_list_at(a->start[i], i, c, a->stride)]];
		mass += q.w;
		x += q.w * (q.x - r.x);
		y += q.w * (q.y - r.y);
		z += q.w * (q.z - r.z);
	}
	const bool weighs = mass > 0.0f;
	a->centre[i] = oz_make4(weighs ? x / mass : 0.0f, weighs ? y / mass : 0.0f,
	                        weighs ? z / mass : 0.0f, weighs ? 1.0f / mass : 0.0f);
}

#define blend_members_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, members)                                                                          \
	IN(uint, particle_of_slot) IN(uint, material) IN(oz_matter, matter) OUT(uint, matched)
OZ_ARGS(blend_members)

// writes the length of the list of each slot of a blend into `matched`, 0 for other models
OZ_FN void blend_members_at(const blend_members_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[a->particle_of_slot[i]]];
	a->matched[i] = blend_is_one(&m) ? a->members[i] : 0u;
}

#define blend_alpha_from_heat_ARGS(IN, OUT, VAL)                                                   \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) IN(float, temperature) OUT(float, own_alpha) VAL(float, never)
OZ_ARGS(blend_alpha_from_heat)

// writes α of slots whose material melts, from the temperature
OZ_FN void blend_alpha_from_heat_at(const blend_alpha_from_heat_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_matter m = a->matter[a->material[p]];
	if (blend_is_one(&m) && m.melting_point < a->never)
		a->own_alpha[i] = heat_alpha(&m, a->temperature[p]);
}

// ---- clusters ----------------------------------------------------------------------------------

#define blend_gather_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, position) IN(oz_float4, rest) IN(uint, particle_of_slot) OUT(oz_float4, place)
OZ_ARGS(blend_gather)

// gathers the position and the weight of each slot into `place`
OZ_FN void blend_gather_at(const blend_gather_args *a, uint i)
{
	const oz_float4 x = a->position[a->particle_of_slot[i]];
	a->place[i] = oz_make4(x.x, x.y, x.z, a->rest[i].w);
}

#define blend_match_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, centre)                                                                      \
	OUT(oz_float4, row_x) OUT(oz_float4, row_y) OUT(oz_float4, row_z)
#define blend_match_NEAR(PLACE, ALSO, CASE) ALSO(position) ALSO(rest)

// Sums of differences to the cluster's own particle: they are small, so little is rounded away.
typedef struct blend_match_sum {
	oz_float4 x, r;
	lane mx, my, mz;
	lane xx, xy, xz, yx, yy, yz, zx, zy, zz;
} blend_match_sum;

OZ_PAIR_ARGS(blend_match)

// writes the rows of A and, in their w, c of each cluster
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

#define blend_rotate_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, rest)                                                                        \
	IN(oz_float4, centre)                                                                      \
	OUT(oz_float4, rotation) OUT(oz_float4, row_x) OUT(oz_float4, row_y) OUT(oz_float4, row_z)
OZ_ARGS(blend_rotate)

// replaces A and c by R and t, such that the goal of r in this cluster is R r + t
OZ_FN void blend_rotate_at(const blend_rotate_args *a, uint i, uint end)
{
	lane4 x = oz_lane_load(a->row_x, i, end), y = oz_lane_load(a->row_y, i, end);
	lane4 z = oz_lane_load(a->row_z, i, end);
	const lane4 rest = oz_lane_load(a->rest, i, end), mid = oz_lane_load(a->centre, i, end);
	lane_mat3 A;
	A.r0 = lane_v3(x.x, x.y, x.z);
	A.r1 = lane_v3(y.x, y.y, y.z);
	A.r2 = lane_v3(z.x, z.y, z.z);
	const lane4 q = lane_rotation_extract(A, oz_lane_load(a->rotation, i, end));
	const lane_mat3 R = lane_quat_to_mat3(q);
	const lane_vec3 r = lane_v3(rest.x + mid.x, rest.y + mid.y, rest.z + mid.z);
	x.x = R.r0.x, x.y = R.r0.y, x.z = R.r0.z;
	y.x = R.r1.x, y.y = R.r1.y, y.z = R.r1.z;
	z.x = R.r2.x, z.y = R.r2.y, z.z = R.r2.z;
	x.w = x.w - lane_dot(R.r0, r);
	y.w = y.w - lane_dot(R.r1, r);
	z.w = z.w - lane_dot(R.r2, r);
	oz_lane_store(a->rotation, i, end, q);
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
	IN(uint, particle_of_slot)                                                                 \
	IN(float, inverse_count)                                                                   \
	IN(float, own_alpha)                                                                       \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, place)                                                                       \
	IN(float, touch)                                                                           \
	OUT(oz_vec3, expected)                                                                     \
	OUT(float, contact_impulse)                                                                \
	OUT(float, contact_time)                                                                   \
	OUT(oz_float4, acceleration) VAL(float, dt) VAL(float, kick)
#define blend_goal_NEAR(PLACE, ALSO, CASE) ALSO(row_x) ALSO(row_y) ALSO(row_z)

// Compensated sums of a row: hundreds of values are added, and rounding would change the momentum.
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

// Adds (1 - α)(g - x)/τ² to the acceleration, adds to the contact sums, and writes the velocity
// that is expected after the step.
// the slot's own cluster is not in the list; blend_goal_along adds it
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

// One coordinate of g - x. inverse_count is rounded, so it multiplies a difference, not a position.
OZ_FN float blend_goal_along(const blend_row_sum *rows, oz_float4 own, oz_float4 r, float x,
                             float inverse_count)
{
	const oz_float4 sum = lane_sum4(lane_total_get(rows->x), lane_total_get(rows->y),
	                                lane_total_get(rows->z), lane_total_get(rows->w));
	const float clusters = (float)(uint)(1.0f / inverse_count + 0.5f);
	return inverse_count * ((sum.x + own.x) * r.x + (sum.y + own.y) * r.y +
	                        (sum.z + own.z) * r.z + (sum.w + own.w) - clusters * x);
}

OZ_FN void blend_goal_end(const blend_goal_args *a, uint i, blend_goal_sum *s)
{
	const uint p = a->particle_of_slot[i];
	const oz_float4 r = a->rest[i], x = a->place[i];
	const oz_matter m = a->matter[a->material[p]];
	if (!blend_is_one(&m))
		return;
	const float tau = oz_max(m.response, a->dt), inverse_count = a->inverse_count[i];
	const float elastic = 1.0f - matter_alpha(a->own_alpha[i], m.alpha);
	const float pull = elastic / (tau * tau);
	oz_float4 f = a->acceleration[p];
	const oz_float4 v = a->velocity[p];
	a->contact_impulse[i] += a->dt * a->touch[i];
	a->contact_time[i] += a->dt;
	f = oz_make4(f.x + pull * blend_goal_along(&s->x, a->row_x[i], r, x.x, inverse_count),
	             f.y + pull * blend_goal_along(&s->y, a->row_y[i], r, x.y, inverse_count),
	             f.z + pull * blend_goal_along(&s->z, a->row_z[i], r, x.z, inverse_count),
	             0.0f);
	a->acceleration[p] = f;
	a->expected[i] = oz_v3(v.x + a->kick * f.x, v.y + a->kick * f.y, v.z + a->kick * f.z);
}

#define blend_add_wall_impulse_ARGS(IN, OUT, VAL)                                                  \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_vec3, expected)                                                                      \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material) IN(oz_matter, matter) OUT(float, contact_impulse)
OZ_ARGS(blend_add_wall_impulse)

// after the move: adds the change of velocity by walls, |v - expected|, to the contact impulse
OZ_FN void blend_add_wall_impulse_at(const blend_add_wall_impulse_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[a->particle_of_slot[i]]];
	if (!blend_is_one(&m))
		return;
	const oz_float4 v = a->velocity[a->particle_of_slot[i]];
	const oz_vec3 u = a->expected[i];
	a->contact_impulse[i] += oz_length(oz_v3(v.x - u.x, v.y - u.y, v.z - u.z));
}

#define blend_KERNELS(X)                                                                           \
	X(blend_weigh, EACH)                                                                       \
	X(blend_centre, EACH)                                                                      \
	X(blend_members, EACH)                                                                     \
	X(blend_alpha_from_heat, EACH)                                                             \
	X(blend_gather, EACH)                                                                      \
	X(blend_match, PAIRS_AT_REST)                                                              \
	X(blend_rotate, VECTOR)                                                                    \
	X(blend_goal, PAIRS_AT_REST)                                                               \
	X(blend_add_wall_impulse, EACH)
OZ_KERNELS(blend_KERNELS)
