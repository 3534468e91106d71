// membrane_solve.cl: from forces to velocities.
//
// With a0 all other accelerations, `kick` the time over which accelerations act (oz_kick), K the
// stiffness over mass and D the damping over mass, the change of velocity d solves
//
//   d = kick (a0 + a(x)) - kick (Δt K + D) (v + d)
//
// by conjugate gradients (cg.cl). K leaves out what would make it indefinite: stresses that push,
// and the change of the direction of n. The explicit step uses Δt = 0 and no solver.
//
// The simplified step (eq 2.7-2.10; Kang et al. 2000) estimates the change of velocity of each
// neighbour from its own forces. With the springs k_ij of the edges of i, κ_i = Σ k_ij, all
// forces F and q = kick (Δt + damping over stiffness)
//
//   d_i = (kick F_i + q Σ k_ij kick F_j/(m + q κ_j)) / (m + q κ_i)
//
// A liquid filling of the density ρ moves as a whole with the acceleration c of the chamber: each
// vertex carries the same share of its mass, and its pressure falls off as - ρ (c - g)·x, so that
// its weight acts on the faces, unless the chamber falls freely. `fall` is c, and c is found from
// the forces on the skin before the step.
//
// At the end a rigid motion is added to each chamber, so that its momentum and angular momentum are
// kept (membrane_sum.cl). The step alone does not keep them: K is that of its beginning.
#include "models/membrane/membrane_parts.h"
#include "solver/cg_sums.h"

#define membrane_begin_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, image)                                                                       \
	OUT(oz_float4, outer)                                                                      \
	OUT(oz_float4, delta_v)                                                                    \
	OUT(oz_float4, residual) VAL(oz_vec3, gravity) VAL(float, kick)
OZ_ARGS(membrane_begin)

// The acceleration of a vertex that carries its share of the filling, by forces on the skin that
// give the skin alone the acceleration f.
OZ_FN oz_float4 membrane_outer(OZ_GLOBAL const oz_membrane_chamber_now *b, oz_float4 f,
                               oz_vec3 gravity)
{
	const float skin = b->skin_share, filling = 1.0f - skin;
	return oz_make4(skin * f.x + filling * gravity.x, skin * f.y + filling * gravity.y,
	                skin * f.z + filling * gravity.z, f.w);
}

// Writes the accelerations that do not come from the skin into `outer`, and into `residual` the
// change of velocity by these and by the skin, kick (a0 + a(x)). `image`: accelerations by the
// skin. delta_v: 0.
OZ_FN void membrane_begin_at(const membrane_begin_args *a, uint i)
{
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[a->chamber_of[i]];
	const oz_float4 f =
	        membrane_outer(b, a->acceleration[a->particle_of_slot[a->slot_of[i]]], a->gravity);
	const oz_float4 s = a->image[i];
	const float k = a->kick, filling = 1.0f - b->skin_share;
	const oz_vec3 lifted = oz_scale(oz_sub(b->fall, a->gravity), filling);
	a->outer[i] = f;
	a->residual[i] = oz_make4(k * (f.x + lifted.x + s.x), k * (f.y + lifted.y + s.y),
	                          k * (f.z + lifted.z + s.z), b->density);
	a->delta_v[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
}

#define membrane_brace_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, start)                                                                            \
	IN(uint, parts)                                                                            \
	IN(uint, link_start)                                                                       \
	IN(uint, link)                                                                             \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, swell)                                                                       \
	IN(oz_float4, taut)                                                                        \
	IN(oz_float4, matrix)                                                                      \
	IN(oz_float4, state)                                                                       \
	OUT(cg_block, block)                                                                       \
	VAL(float, kick) VAL(float, ahead) VAL(uint, bent) VAL(uint, edge_parts)
OZ_ARGS(membrane_brace)

// a symmetric 3 × 3 matrix
typedef struct membrane_tensor {
	float xx, yy, zz, yz, xz, xy;
} membrane_tensor;

// adds s q qᵀ
OZ_FN void membrane_add_square(membrane_tensor *m, float s, oz_vec3 q)
{
	m->xx += s * q.x * q.x;
	m->yy += s * q.y * q.y;
	m->zz += s * q.z * q.z;
	m->yz += s * q.y * q.z;
	m->xz += s * q.x * q.z;
	m->xy += s * q.x * q.y;
}

// Adds the stiffness and damping of the springs or the faces at an edge of a vertex.
OZ_FN void membrane_add_edge(const membrane_brace_args *a, membrane_tensor *m, uint edge, uint law,
                             float delayed)
{
	const oz_float4 t = a->taut[edge];
	OZ_GLOBAL const oz_float4 *b = &a->matrix[3u * edge];
	if (law == OZ_LAW_SPRINGS) {
		membrane_add_square(m, delayed, membrane_vec(t));
		m->xx += a->ahead * t.w;
		m->yy += a->ahead * t.w;
		m->zz += a->ahead * t.w;
		return;
	}
	m->xx += b[0].x;
	m->yy += b[1].y;
	m->zz += b[2].z;
	m->yz += 0.5f * (b[1].z + b[2].y);
	m->xz += 0.5f * (b[0].z + b[2].x);
	m->xy += 0.5f * (b[0].y + b[1].x);
}

// the gradient of the angle of an edge at its vertex with that role; w: the stiffness
OZ_FN oz_float4 membrane_lever(OZ_GLOBAL const oz_float4 *state, uint role)
{
	const oz_vec3 a = membrane_vec(state[0]), b = membrane_vec(state[1]),
	              c = membrane_vec(state[2]);
	const oz_vec3 all = oz_add(a, oz_add(b, c));
	const oz_vec3 g = role == 0u ? a : role == 1u ? b : role == 2u ? c : oz_scale(all, -1.0f);
	return membrane_record(g, state[0].w);
}

// Writes the preconditioner of vertex i: the matrix 1 + kick (Δt K + D) of its own motion as L D
// Lᵀ. That is at least 1, and so are the elements of D; rounding must not make them less.
OZ_FN void membrane_brace_at(const membrane_brace_args *a, uint i)
{
	const uint chamber = a->chamber_of[i];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[chamber];
	const float delayed = a->ahead + b->delay, k = a->kick * b->inv_mass;
	membrane_tensor m;
	m.xx = m.yy = m.zz = m.yz = m.xz = m.xy = 0.0f;
	membrane_add_square(&m, a->ahead * b->stiffness, membrane_vec(a->swell[i]));
	for (uint n = a->link_start[i]; n < a->link_start[i + 1u]; n++)
		membrane_add_edge(a, &m, a->link[2u * n + 1u] >> 1, b->law, delayed);
	for (uint n = a->start[i + 1u]; a->bent && n > a->start[i]; n--) {
		const uint part = a->parts[n - 1u];
		if (part < a->edge_parts)
			break;
		const uint edge = (part - a->edge_parts) / 4u;
		const oz_float4 g =
		        membrane_lever(&a->state[3u * edge], (part - a->edge_parts) & 3u);
		membrane_add_square(&m, delayed * g.w, membrane_vec(g));
	}
	const float dx = oz_max(1.0f + k * m.xx, 1.0f);
	const float yx = k * m.xy / dx, zx = k * m.xz / dx;
	const float dy = oz_max(1.0f + k * m.yy - yx * yx * dx, 1.0f);
	const float zy = (k * m.yz - zx * yx * dx) / dy;
	const float dz = oz_max(1.0f + k * m.zz - zx * zx * dx - zy * zy * dy, 1.0f);
	a->block[i].lower = oz_make4(yx, zx, zy, 0.0f);
	a->block[i].inverse = oz_make4(1.0f / dx, 1.0f / dy, 1.0f / dz, 0.0f);
}

#define membrane_residual_ARGS(IN, OUT, VAL)                                                       \
	IN(oz_float4, image)                                                                       \
	IN(cg_block, block)                                                                        \
	IN(oz_float4, outer)                                                                       \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, direction) OUT(oz_float4, groups) VAL(uint, first) VAL(float, kick)
OZ_ARGS(membrane_residual)
OZ_REDUCE(membrane_residual, oz_float4, cg_plus, groups, first)

// Adds kick times `image`, minus the product of stiffness and damping with the present velocities,
// to the residual, and writes the first search direction. Sums x and y as in cg_sums.h; z: the
// squares of the changes of velocity by other forces.
OZ_FN oz_float4 membrane_residual_at(const membrane_residual_args *a, uint i)
{
	const oz_float4 q = a->image[i], e = a->residual[i], f = a->outer[i];
	const float k = a->kick;
	const oz_float4 r = oz_make4(e.x + k * q.x, e.y + k * q.y, e.z + k * q.z, e.w);
	const float size = r.w * cg_dot(r, r);
	const oz_float4 z = cg_solve_block(&a->block[i], r);
	a->residual[i] = r;
	a->direction[i] = z;
	return oz_make4(r.w * cg_dot(r, z), size, k * k * r.w * cg_dot(f, f), 0.0f);
}

#define membrane_explicit_ARGS(IN, OUT, VAL) IN(oz_float4, residual) OUT(oz_float4, delta_v)
OZ_ARGS(membrane_explicit)

// the explicit step: the first residual is the change of velocity
OZ_FN void membrane_explicit_at(const membrane_explicit_args *a, uint i)
{
	const oz_float4 r = a->residual[i];
	a->delta_v[i] = oz_make4(r.x, r.y, r.z, 0.0f);
}

#define membrane_simplified_ARGS(IN, OUT, VAL)                                                     \
	IN(uint, start)                                                                            \
	IN(uint, parts)                                                                            \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_edge, edges)                                                                \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(float, spring_sum)                                                                      \
	IN(oz_float4, residual)                                                                    \
	OUT(oz_float4, delta_v) VAL(uint, edge_parts) VAL(float, span)
OZ_ARGS(membrane_simplified)

// the simplified step of vertex i; `span`: q. In `parts`, indices from `edge_parts` on are forces
// of edges, 4 for each edge.
OZ_FN void membrane_simplified_at(const membrane_simplified_args *a, uint i)
{
	const float inv_mass = a->chambers[a->chamber_of[i]].inv_mass, s = a->span * inv_mass;
	const oz_float4 own = a->residual[i];
	oz_vec3 sum = oz_v3(own.x, own.y, own.z);
	const uint end = a->start[i + 1u];
	for (uint k = a->start[i]; k < end; k++) {
		const uint part = a->parts[k], role = (part - a->edge_parts) & 3u;
		if (part < a->edge_parts || role > 1u)
			continue;
		OZ_GLOBAL const oz_membrane_edge *e = &a->edges[(part - a->edge_parts) / 4u];
		const uint j = role == 0u ? e->b : e->a;
		sum = oz_mad(sum, membrane_vec(a->residual[j]),
		             s * e->spring / (1.0f + s * a->spring_sum[j]));
	}
	sum = oz_scale(sum, 1.0f / (1.0f + s * a->spring_sum[i]));
	a->delta_v[i] = membrane_record(sum, 0.0f);
}

#define membrane_finish_ARGS(IN, OUT, VAL)                                                         \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, place) IN(oz_float4, delta_v) OUT(oz_float4, acceleration) VAL(float, kick)
OZ_ARGS(membrane_finish)

// writes the acceleration of the particle of each vertex: by delta_v and by the rigid motion that
// returns the lost momentum to its chamber
OZ_FN void membrane_finish_at(const membrane_finish_args *a, uint i)
{
	const uint p = a->particle_of_slot[a->slot_of[i]];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[a->chamber_of[i]];
	const oz_vec3 from = membrane_vec(a->place[b->first_vertex]);
	const oz_vec3 arm = oz_sub(oz_sub(membrane_vec(a->place[i]), from), b->centre);
	oz_vec3 d = oz_add(membrane_vec(a->delta_v[i]), b->linear);
	d = oz_scale(oz_add(d, oz_cross(b->angular, arm)), 1.0f / a->kick);
	a->acceleration[p] = membrane_record(d, a->acceleration[p].w);
}

// ---- tearing -----------------------------------------------------------------------------------

#define membrane_tear_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_membrane_chamber_now, chambers) IN(oz_float4, state) OUT(oz_membrane_face, faces)
OZ_ARGS(membrane_tear)

// Tears face i if its largest stretch is above `tear` of its chamber: its area becomes negative. A
// face of a skin that flows tears also where its area is above tear² times that at first.
OZ_FN void membrane_tear_at(const membrane_tear_args *a, uint i)
{
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[a->faces[i].chamber];
	const float tear = b->bounds.tear, area = a->faces[i].area, tear2 = tear * tear;
	const oz_vec3 f1 = membrane_vec(a->state[3u * i]), f2 = membrane_vec(a->state[3u * i + 1u]);
	const float xx = oz_dot(f1, f1), yy = oz_dot(f2, f2), xy = oz_dot(f1, f2);
	const float spread = 0.5f * (xx - yy);
	const float most = 0.5f * (xx + yy) + oz_sqrt(spread * spread + xy * xy);
	const oz_vec3 n = membrane_vec(a->state[3u * i + 2u]);
	const bool thin = b->bounds.yield > 0.0f && oz_length(n) > tear2 * oz_abs(area);
	if (tear > 0.0f && (most > tear2 || thin))
		a->faces[i].area = -oz_abs(area);
}

#define membrane_solve_KERNELS(X)                                                                  \
	X(membrane_begin, EACH)                                                                    \
	X(membrane_brace, EACH)                                                                    \
	X(membrane_residual, REDUCE)                                                               \
	X(membrane_explicit, EACH)                                                                 \
	X(membrane_simplified, EACH)                                                               \
	X(membrane_finish, EACH)                                                                   \
	X(membrane_tear, EACH)
OZ_KERNELS(membrane_solve_KERNELS)
