// rigid_friction.cl: Coulomb friction of rigid bodies on walls.
//
// A particle that a wall presses with the impulse n (per mass) gets a tangential impulse f with
// |f| ≤ μ n that holds it to the wall. The impulses of all particles of a body act on the whole
// body, so they are found by iteration: each round moves f against the sliding velocity u,
//
//   f ← the nearest impulse with |f| ≤ μ n to f - g u
//
// and the sum of these changes moves the body. The gain g is so large that all particles in contact
// together remove a sliding velocity in a few rounds. The first guess is f of the last step, so
// that a body at rest on a slope stays there.
//
// With an equation of state walls push like springs. The first round then also removes a share of
// the normal velocity, by an impulse of at most n, so that bodies on walls come to rest. What stops
// a particle at its wall (rigid_stop.cl) is part of n.
#include "boundary/walls.h"
#include "models/rigid/rigid_motion.h"
#include "particles/matter.h"

#define rigid_touch_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, number)                                                                           \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, wall)                                                                        \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_collider, collider)                                                                  \
	IN(float, table)                                                                           \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_wall_node, wall_nodes)                                                               \
	IN(float, stop)                                                                            \
	IN(uint, stopper)                                                                          \
	OUT(oz_float4, normal)                                                                     \
	OUT(oz_float4, wall_velocity)                                                              \
	OUT(uint, touched)                                                                         \
	OUT(uint, contacts)                                                                        \
	VAL(oz_wall_rules, rules) VAL(uint, stops) VAL(float, kick) VAL(float, dt)
OZ_ARGS(rigid_touch)

// Finds the contact of the particle of slot i with the wall that presses it most. Writes `normal`
// (w: μ n, m/s), the velocity of the wall there (w: n, m/s; 0 without a contact) and the number of
// the wall. Counts the contacts of each body.
OZ_FN void rigid_touch_at(const rigid_touch_args *a, uint i)
{
	const uint number = a->number[i], k = a->particle_of_slot[i];
	a->normal[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	a->wall_velocity[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	const float stopped = a->stops ? a->stop[i] : 0.0f;
	if (!number || !(a->wall[k].w > 0.0f) || !(a->position[k].w > 0.0f || stopped > 0.0f))
		return;
	const oz_vec3 x = oz_v3(a->position[k].x, a->position[k].y, a->position[k].z);
	const float push =
	        a->kick * oz_max(a->position[k].w, 0.0f) * a->matter[a->material[k]].inv_density;
	oz_walls w;
	w.table = a->table;
	w.places = a->places;
	w.nearest = a->nearest;
	w.wall_nodes = a->wall_nodes;
	float most = 0.0f;
	for (uint c = 0; c < a->rules.colliders; c++) {
		OZ_GLOBAL const oz_collider *wall = &a->collider[c];
		const oz_vec3 p = oz_begin_local(wall, x);
		if (oz_wall_distance(&w, wall, p) >= a->rules.h)
			continue;
		const oz_surface_sample s = oz_wall_sample(&w, wall, p, a->rules.step);
		const float slope =
		        -oz_wall_lookup(w.table, s.distance / a->rules.h, OZ_WALL_SLOPE);
		const float stop = stopped > 0.0f && a->stopper[i] == c ? stopped : 0.0f;
		if (!(push * slope + stop > most))
			continue;
		most = push * slope + stop;
		const oz_vec3 n = oz_begin_rotate(wall, s.normal);
		const oz_vec3 v = oz_wall_velocity(wall, p, a->dt);
		a->normal[i] = oz_make4(n.x, n.y, n.z, wall->friction * most);
		a->wall_velocity[i] = oz_make4(v.x, v.y, v.z, most);
		a->touched[i] = c;
	}
	if (most > 0.0f)
		oz_atomic_add(&a->contacts[number - 1u], 1u);
}

#define rigid_grip_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, number)                                                                           \
	IN(oz_float4, rest)                                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_rigid_motion, motion)                                                                \
	IN(oz_float4, normal)                                                                      \
	IN(oz_float4, wall_velocity)                                                               \
	IN(uint, touched)                                                                          \
	IN(oz_float4, position)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_collider, collider)                                                                  \
	OUT(oz_reaction, reactions)                                                                \
	OUT(oz_float4, friction)                                                                   \
	OUT(oz_float4, delta_v) VAL(uint, first) VAL(uint, damped) VAL(float, quanta) VAL(float, dt)
OZ_ARGS(rigid_grip)

// adds a change of the velocity of particle k, which has slot i, to the load of the wall that it
// touches
OZ_FN void rigid_add_load(const rigid_grip_args *a, uint i, uint k, oz_vec3 delta_v)
{
	const oz_float4 x = a->position[k];
	oz_walls w;
	oz_mover m;
	w.reactions = a->reactions;
	m.quanta = a->quanta * a->matter[a->material[k]].density;
	m.slot = k / 64u % OZ_REACTION_SLOTS;
	m.dt = a->dt;
	oz_wall_add_load(&w, &a->collider[a->touched[i]], oz_v3(x.x, x.y, x.z), delta_v, &m);
}

// One round: writes the new f of slot i and the change of velocity of its particle, and adds this
// to the load of the wall. `first` is 1 in the first round, which applies f of the last step,
// limited to μ n. `damped` is 1 where it also removes normal velocity.
OZ_FN void rigid_grip_at(const rigid_grip_args *a, uint i)
{
	const uint number = a->number[i], k = a->particle_of_slot[i];
	if (!number)
		return;
	OZ_GLOBAL const oz_rigid_motion *m = &a->motion[number - 1u];
	const oz_float4 touch = a->normal[i], old = a->friction[i], moves = a->wall_velocity[i];
	const oz_vec3 n = oz_v3(touch.x, touch.y, touch.z);
	oz_vec3 f = oz_v3(0.0f, 0.0f, 0.0f), before = oz_v3(old.x, old.y, old.z);
	float taken = 0.0f;
	if (moves.w > 0.0f) {
		const oz_vec3 u = oz_sub(rigid_velocity(m, rigid_arm(m, a->rest[i])),
		                         oz_v3(moves.x, moves.y, moves.z));
		taken = oz_min(oz_max(-m->friction_gain * oz_dot(u, n), -moves.w), moves.w);
		f = a->first ? before : oz_mad(before, u, -m->friction_gain);
		f = oz_mad(f, n, -oz_dot(f, n));
		const float size = oz_length(f);
		f = size > touch.w ? oz_scale(f, touch.w / size) : f;
	}
	if (a->first)
		before = oz_v3(0.0f, 0.0f, 0.0f);
	oz_vec3 delta_v = oz_sub(f, before);
	if (a->damped)
		delta_v = oz_mad(delta_v, n, taken);
	if (moves.w > 0.0f)
		rigid_add_load(a, i, k, delta_v);
	a->friction[i] = oz_make4(f.x, f.y, f.z, 0.0f);
	a->delta_v[k] = oz_make4(delta_v.x, delta_v.y, delta_v.z, 0.0f);
}

#define rigid_friction_KERNELS(X)                                                                  \
	X(rigid_touch, EACH)                                                                       \
	X(rigid_grip, EACH)
OZ_KERNELS(rigid_friction_KERNELS)
