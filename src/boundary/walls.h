// walls.h: collision of particles with colliders, friction and viscous drag along them, loads.
//
// Pressure keeps particles away from a wall as it keeps them away from each other (lambda.h). A
// particle that still reaches a wall is stopped: its path in the step is followed in the collider's
// frame by sphere tracing, with steps as long as the distance to the wall, so that a particle of
// any speed does not pass a thin wall.
#ifndef OZ_WALLS_H
#define OZ_WALLS_H

#include "boundary/lambda.h"

#define OZ_WALL_MARCH 48     // steps along a path before it counts as blocked
#define OZ_WALL_REST  1.001f // distance at which a particle is stopped, in contact distances
#define OZ_WALL_TOUCH 1.002f // distance below which a particle touches, in contact distances
#define OZ_WALL_ALONG 0.002f // sine of the angle up to which a path counts as parallel to a wall
#define OZ_WALL_LEGS  4      // pieces of a path, each ending at a wall

// a particle that moves in this step
typedef struct oz_mover {
	oz_vec3 x, v; // m, m/s, at the end of the step
	float push; // m²/s, velocity change by pressure in the step per 1/m of dλ/dd; 0 for suction
	float viscosity; // m²/s, kinematic
	float dt;        // s
	float press;     // m²/s, likewise, negative for suction
	float quanta;    // quanta of momentum of the particle per m/s, for loads
	float damping; // share of the speed along the normal that a wall takes from a solid; 0 for
	               // others
	uint slot;     // OZ_REACTION_SLOTS: the record of loads that it adds to
} oz_mover;

// The length of the next step along a path from a point at distance d. An SDF is as exact as its
// cells: near its surface steps are too short to cross the contact layer.
OZ_FN float oz_wall_stride(OZ_GLOBAL const oz_collider *c, float d, float contact)
{
	const float stride = oz_max(d - contact, 0.25f * contact);
	const bool rough = c->kind == OZ_KIND_SDF && d < 3.0f * c->sdf.cell;
	return rough ? oz_min(stride, oz_min(contact, 0.5f * c->sdf.cell)) : stride;
}

// The part of the path p → q (0 … 1) after which it hits the wall; 2: no hit; 3: the wall is
// farther away than the path is long.
OZ_FN float oz_wall_hit(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p, oz_vec3 q,
                        float contact, float step)
{
	const oz_vec3 way = oz_sub(q, p);
	const float length = oz_length(way);
	float d = oz_wall_distance(w, c, p);
	// touching at p: a hit at once if the path goes into the wall; else no hit until it has
	// left
	bool leaving = d <= OZ_WALL_TOUCH * contact;
	// an interpolated distance may fall by up to twice the way
	const float most = c->kind == OZ_KIND_SDF ? 2.0f * length : length;
	if (!leaving && d > most + contact)
		return 3.0f;
	const float along = -OZ_WALL_ALONG * length;
	if (leaving && oz_dot(oz_wall_sample(w, c, p, step).normal, way) < along)
		return 0.0f;
	float t = 0.0f;
	for (int k = 0; k < OZ_WALL_MARCH; k++) {
		t += oz_wall_stride(c, d, contact) / length;
		if (!(t < 1.0f))
			return oz_wall_distance(w, c, q) < contact && !leaving ? 1.0f : 2.0f;
		const oz_vec3 x = oz_mad(p, way, t);
		d = oz_wall_distance(w, c, x);
		leaving = leaving && d <= contact &&
		          oz_dot(oz_wall_sample(w, c, x, step).normal, way) >= 0.0f;
		if (d <= contact && !leaving)
			return t;
	}
	return t;
}

// moves a point along the normal until its distance is `contact`, while each step increases it
OZ_FN oz_vec3 oz_wall_push_out(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p,
                               float contact, float step)
{
	float d = oz_wall_distance(w, c, p);
	for (int k = 0; k < 3 && d < contact; k++) {
		const oz_vec3 out = oz_mad(p, oz_wall_sample(w, c, p, step).normal, contact - d);
		const float farther = oz_wall_distance(w, c, out);
		if (!(farther > d))
			break;
		p = out;
		d = farther;
	}
	return p;
}

// reduces the tangential part of v, relative to the wall, by `slowed` m/s, at most to 0
OZ_FN oz_vec3 oz_wall_slow_tangential(oz_vec3 v, oz_vec3 n, float slowed)
{
	const float vn = oz_dot(v, n);
	const oz_vec3 vt = oz_mad(v, n, -vn);
	const float along = oz_length(vt);
	const float keep = along > slowed ? 1.0f - slowed / along : 0.0f;
	return oz_add(oz_scale(vt, keep), oz_scale(n, vn));
}

// velocity after an impact, relative to the wall: restitution along n, Coulomb friction across
OZ_FN oz_vec3 oz_wall_bounce(OZ_GLOBAL const oz_collider *c, oz_vec3 v, oz_vec3 n)
{
	const float vn = oz_dot(v, n);
	if (vn >= 0.0f)
		return v;
	const float impulse = -(1.0f + c->restitution) * vn;
	return oz_wall_slow_tangential(oz_mad(v, n, impulse), n, c->friction * impulse);
}

// mean velocity of a point p of the collider's frame in the step, m/s
OZ_FN oz_vec3 oz_wall_velocity(OZ_GLOBAL const oz_collider *c, oz_vec3 p, float dt)
{
	return oz_scale(oz_sub(oz_end_world(c, p), oz_begin_world(c, p)), 1.0f / dt);
}

// adds force, torque and work to the load of a collider that changed the velocity of a particle at
// x by `delta_v`
OZ_FN void oz_wall_add_load(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 x,
                            oz_vec3 delta_v, const oz_mover *m)
{
	if (c->load == 0u)
		return;
	OZ_GLOBAL oz_reaction *b = w->reactions + (c->load - 1u) * OZ_REACTION_SLOTS + m->slot;
	const oz_vec3 given = oz_scale(delta_v, m->quanta);
	const oz_vec3 moment = oz_scale(oz_cross(oz_sub(x, c->to), given), 1.0f / c->length_unit);
	const oz_vec3 moves = oz_wall_velocity(c, oz_end_local(c, x), m->dt);
	const float work = oz_dot(given, moves) * c->inv_speed_unit;
	oz_reaction_add(&b->force[0], -given.x);
	oz_reaction_add(&b->force[1], -given.y);
	oz_reaction_add(&b->force[2], -given.z);
	oz_reaction_add(&b->torque[0], -moment.x);
	oz_reaction_add(&b->torque[1], -moment.y);
	oz_reaction_add(&b->torque[2], -moment.z);
	oz_reaction_add(&b->work, work);
}

// Adds the pressure force of a particle on a collider to its load. `free`: 1 - λ of all walls.
OZ_FN void oz_wall_add_pressure_load(const oz_walls *w, const oz_wall_rules *rules,
                                     OZ_GLOBAL const oz_collider *c, oz_vec3 start, float free,
                                     const oz_mover *m)
{
	if (c->load == 0u)
		return;
	float wall_clearance = OZ_FAR;
	const oz_float4 s = oz_wall_lambda(w, rules, c, oz_begin_local(c, start), &wall_clearance);
	if (!(s.w > 0.0f && s.w < 1.0f))
		return;
	const float others = free / (1.0f - s.w);
	const oz_vec3 push = oz_scale(oz_begin_rotate(c, oz_v3(s.x, s.y, s.z)), -m->press * others);
	oz_wall_add_load(w, c, start, push, m);
}

// Slows a particle along a wall within h: Coulomb friction with the normal force of the pressure,
// and viscous drag (no slip).
OZ_FN void oz_wall_drag(const oz_walls *w, const oz_wall_rules *rules,
                        OZ_GLOBAL const oz_collider *c, oz_vec3 start, oz_mover *m)
{
	// thin: no viscous drag, or that of one step is below 1e-5 of the speed
	const bool thin = c->slip || m->dt * m->viscosity < 1e-5f * rules->contact * rules->spacing;
	const float damping = m->damping * (1.0f - c->restitution);
	if (c->friction <= 0.0f && damping <= 0.0f && thin)
		return;
	const oz_vec3 p = oz_begin_local(c, start);
	if (oz_wall_distance(w, c, p) >= rules->h)
		return;
	const oz_surface_sample s = oz_wall_sample(w, c, p, rules->step);
	const float d = oz_max(s.distance, rules->contact) / rules->h;
	const oz_vec3 moves = oz_wall_velocity(c, p, m->dt);
	const oz_vec3 n = oz_begin_rotate(c, s.normal);
	const float slope = -oz_wall_lookup(w->table, s.distance / rules->h, OZ_WALL_SLOPE);
	const float press = m->push * slope;
	oz_vec3 v = oz_wall_slow_tangential(oz_sub(m->v, moves), n, c->friction * press);
	v = oz_mad(v, n, -oz_min(oz_max(damping * oz_dot(v, n), -press), press));
	if (!thin) {
		const float rate = m->viscosity * oz_wall_lookup(w->table, d, OZ_WALL_STICK);
		const float vn = oz_dot(v, n);
		v = oz_add(oz_scale(n, vn),
		           oz_scale(oz_mad(v, n, -vn), 1.0f / (1.0f + m->dt * rate)));
	}
	m->v = oz_add(moves, v);
}

// Stops a particle at the wall that it hits at the part t of its path p → q, changes its velocity
// by the impact, and moves it for the rest of the time. Returns the point where it was stopped.
OZ_FN oz_vec3 oz_wall_stop(const oz_walls *w, const oz_wall_rules *rules,
                           OZ_GLOBAL const oz_collider *c, oz_vec3 p, oz_vec3 q, float t,
                           float time, oz_mover *m)
{
	const oz_vec3 met = oz_mad(p, oz_sub(q, p), t);
	const oz_vec3 at = oz_wall_push_out(w, c, met, OZ_WALL_REST * rules->contact, rules->step);
	const oz_vec3 n = oz_end_rotate(c, oz_wall_sample(w, c, at, rules->step).normal);
	const oz_vec3 moves = oz_wall_velocity(c, at, m->dt);
	const oz_vec3 v = oz_wall_bounce(c, oz_sub(m->v, moves), n);
	const oz_vec3 stop = oz_end_world(c, at);
	m->v = oz_add(moves, v);
	m->x = oz_mad(stop, v, (1.0f - t) * time);
	return stop;
}

#define OZ_WALL_CAUGHT 0.05f // way of a particle that is caught, in ways at its velocity, at most

// A particle in a wedge between two walls bounces to and fro and does not get on. It gets the
// velocity of wall c: its own would grow from step to step without moving it, until it escapes.
OZ_FN void oz_wall_catch(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 begin,
                         oz_mover *m)
{
	const oz_vec3 before = m->v, moves = oz_wall_velocity(c, oz_end_local(c, m->x), m->dt);
	const oz_vec3 way = oz_mad(oz_sub(m->x, begin), moves, -m->dt);
	if (oz_length(way) > OZ_WALL_CAUGHT * m->dt * oz_length(oz_sub(before, moves)))
		return;
	m->v = moves;
	oz_wall_add_load(w, c, m->x, oz_sub(m->v, before), m);
}

// Follows the path from start to m->x in legs: each up to the first wall, the next along it. From
// the second leg on, colliders have their pose at the end of the step. Returns whether a wall was
// within reach of the path.
OZ_FN bool oz_walls_follow_path(const oz_walls *w, const oz_wall_rules *rules, oz_vec3 start,
                                oz_mover *m)
{
	float time = m->dt;
	const oz_vec3 begin = start;
	uint last = 0;
	for (int leg = 0; leg < OZ_WALL_LEGS; leg++) {
		float first = 3.0f;
		uint which = 0;
		for (uint k = 0; k < rules->colliders; k++) {
			OZ_GLOBAL const oz_collider *c = &w->colliders[k];
			const oz_vec3 p =
			        leg == 0 ? oz_begin_local(c, start) : oz_end_local(c, start);
			const float t = oz_wall_hit(w, c, p, oz_end_local(c, m->x), rules->contact,
			                            rules->step);
			if (t < first) {
				first = t;
				which = k;
			}
		}
		if (first > 1.0f)
			return leg > 0 || first < 3.0f;
		OZ_GLOBAL const oz_collider *c = &w->colliders[which];
		const oz_vec3 p = leg == 0 ? oz_begin_local(c, start) : oz_end_local(c, start);
		const oz_vec3 before = m->v;
		start = oz_wall_stop(w, rules, c, p, oz_end_local(c, m->x), first, time, m);
		oz_wall_add_load(w, c, start, oz_sub(m->v, before), m);
		time *= 1.0f - first;
		last = which;
	}
	m->x = start;
	oz_wall_catch(w, &w->colliders[last], begin, m);
	return true;
}

// Pushes a particle out of colliders that have moved over it. One that stays inside an SDF collider
// gets back its old position in the collider's frame, and the velocity of the wall.
OZ_FN void oz_walls_push_out(const oz_walls *w, const oz_wall_rules *rules, oz_vec3 start,
                             oz_mover *m)
{
	for (uint k = 0; k < rules->colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &w->colliders[k];
		oz_vec3 p = oz_end_local(c, m->x);
		if (oz_wall_distance(w, c, p) >= rules->contact)
			continue;
		p = oz_wall_push_out(w, c, p, rules->contact, rules->step);
		const oz_vec3 from = oz_begin_local(c, start);
		if (c->kind == OZ_KIND_SDF && oz_wall_distance(w, c, p) < 0.0f &&
		    oz_wall_distance(w, c, from) >= 0.0f) {
			const oz_vec3 before = m->v;
			p = from;
			m->v = oz_wall_velocity(c, p, m->dt);
			oz_wall_add_load(w, c, oz_end_world(c, p), oz_sub(m->v, before), m);
		}
		m->x = oz_end_world(c, p);
	}
}

#endif
