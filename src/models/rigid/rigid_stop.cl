// rigid_stop.cl: walls stop rigid bodies.
//
// The path of a particle of the body in this step, from x to x + Δt u, is followed to the first
// wall, as those of all particles are (walls.h). Of its velocity u_n < 0 along the wall's normal n
// only the share t may remain, t being the part of the path before the wall:
//
//   n·u ≥ t u_n,   w = (t - 1) u_n ≥ 0 is missing
//
// Impulses on the particles move the whole body. Each round finds w of all particles and gives the
// impulse g w n to each, with the same g for all particles of a body,
//
//   g = Σ w² / (n_b |V|² + Ω·L),   V = Σ w n / n_b,  L = Σ r × w n,  Ω = (R I R^T)⁻¹ L
//
// n_b being the number of its particles: the step of steepest descent. Impulses only push, and no
// more than what takes the body to the wall: each round takes kinetic energy, relative to a wall at
// rest, or leaves it.
#include "boundary/walls.h"
#include "models/rigid/rigid_motion.h"
#include "particles/matter.h"

#define rigid_stop_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, number)                                                                           \
	IN(oz_float4, rest)                                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_rigid_motion, motion)                                                                \
	IN(oz_float4, position)                                                                    \
	IN(float, wall_clearance)                                                                  \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_collider, collider)                                                                  \
	IN(float, table)                                                                           \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_wall_node, wall_nodes)                                                               \
	OUT(oz_reaction, reactions)                                                                \
	OUT(float, stop)                                                                           \
	OUT(uint, stopper)                                                                         \
	OUT(oz_float4, missing)                                                                    \
	VAL(oz_wall_rules, rules) VAL(uint, first) VAL(float, quanta) VAL(float, dt)
OZ_ARGS(rigid_stop)

// Gives the impulse g w n to the particle k of slot i: adds it to its `stop`, and to the load of
// the wall.
OZ_FN void rigid_stop_push(const rigid_stop_args *a, const oz_walls *w, uint i, uint k, float gain)
{
	const oz_float4 old = a->missing[k], x = a->position[k];
	if (!(old.w > 0.0f))
		return;
	oz_mover m;
	m.quanta = a->quanta * a->matter[a->material[k]].density;
	m.slot = k / 64u % OZ_REACTION_SLOTS;
	m.dt = a->dt;
	a->stop[i] += gain * old.w;
	oz_wall_add_load(w, &a->collider[a->stopper[i]], oz_v3(x.x, x.y, x.z),
	                 oz_scale(oz_v3(old.x, old.y, old.z), gain), &m);
}

// w n of a particle at x that moves to q; w in .w. Writes the number of the wall.
OZ_FN oz_float4 rigid_stop_missing(const rigid_stop_args *a, const oz_walls *w, oz_vec3 x,
                                   oz_vec3 q, OZ_GLOBAL uint *stopper)
{
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	float t = 3.0f;
	uint which = 0u;
	for (uint c = 0; c < a->rules.colliders; c++) {
		OZ_GLOBAL const oz_collider *wall = &a->collider[c];
		const float hit =
		        oz_wall_hit(w, wall, oz_begin_local(wall, x), oz_end_local(wall, q),
		                    a->rules.contact, a->rules.step);
		if (hit < t) {
			t = hit;
			which = c;
		}
	}
	if (!(t < 1.0f))
		return none;
	OZ_GLOBAL const oz_collider *wall = &a->collider[which];
	const oz_vec3 from = oz_begin_local(wall, x), way = oz_sub(oz_end_local(wall, q), from);
	const oz_vec3 at = oz_wall_push_out(w, wall, oz_mad(from, way, t),
	                                    OZ_WALL_REST * a->rules.contact, a->rules.step);
	const oz_vec3 normal = oz_wall_sample(w, wall, at, a->rules.step).normal;
	const float missing = (t - 1.0f) * oz_dot(way, normal) / a->dt;
	if (!(missing > 0.0f))
		return none;
	const oz_vec3 n = oz_scale(oz_end_rotate(wall, normal), missing);
	*stopper = which;
	return oz_make4(n.x, n.y, n.z, missing);
}

// One round: gives the impulses that the last one found, unless it is the `first`, and writes w n
// of slot i to its particle's `missing`.
OZ_FN void rigid_stop_at(const rigid_stop_args *a, uint i)
{
	const uint number = a->number[i], k = a->particle_of_slot[i];
	if (!number)
		return;
	OZ_GLOBAL const oz_rigid_motion *m = &a->motion[number - 1u];
	oz_walls w;
	w.table = a->table;
	w.places = a->places;
	w.nearest = a->nearest;
	w.wall_nodes = a->wall_nodes;
	w.reactions = a->reactions;
	if (a->first)
		a->stop[i] = 0.0f;
	else
		rigid_stop_push(a, &w, i, k, m->stop_gain);
	const oz_float4 p = a->position[k];
	const oz_vec3 x = oz_v3(p.x, p.y, p.z), u = rigid_velocity(m, rigid_arm(m, a->rest[i]));
	// bodies that are fixed or led have no mobility
	const bool far = oz_length(u) * a->dt + a->rules.motion < a->wall_clearance[k];
	a->missing[k] = far || !(m->mobility > 0.0f)
	                        ? oz_make4(0.0f, 0.0f, 0.0f, 0.0f)
	                        : rigid_stop_missing(a, &w, x, oz_mad(x, u, a->dt), &a->stopper[i]);
}

#define rigid_stop_KERNELS(X) X(rigid_stop, EACH)
OZ_KERNELS(rigid_stop_KERNELS)
