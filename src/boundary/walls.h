// walls.h: how colliders stop a particle, and what rubs it on its way along them.
//
// Pressure holds particles off a wall as it holds them off each other (lambda.h). What still
// arrives is stopped on its way: the path of the step is followed in the collider's frame by steps
// of the distance to it, so that no speed and no thin wall lets a particle through.
#ifndef OZ_WALLS_H
#define OZ_WALLS_H

#include "boundary/lambda.h"

#define OZ_WALL_MARCH 48     // steps along a way before it counts as blocked
#define OZ_WALL_REST  1.001f // where a particle is stopped, in contact distances
#define OZ_WALL_TOUCH 1.002f // what still counts as touching
#define OZ_WALL_ALONG 0.002f // sine of the angle up to which a way goes along a wall, not into it
#define OZ_WALL_LEGS  4      // pieces of a way, each along another wall

typedef struct oz_mover {
	oz_vec3 x, v; // m, m/s, at the end of the step
	float push;   // m²/s that pressure gives in this step for each 1/m of a wall's slope of λ
	float viscosity; // m²/s, kinematic
	float dt;        // s
	float press;     // m²/s, likewise, also where it pulls
	float quanta;    // of momentum in each m/s that the particle has, for what walls bear
	uint slot;       // of the sums it adds to
} oz_mover;

// How far a point d from a wall may go on before the wall is asked again. An SDF is as true as its
// cells: near the surface steps are so short that they cannot pass the layer that counts as
// contact.
OZ_FN float oz_wall_stride(OZ_GLOBAL const oz_collider *c, float d, float contact)
{
	const float stride = oz_max(d - contact, 0.25f * contact);
	const bool rough = c->kind == OZ_KIND_SDF && d < 3.0f * c->sdf.cell;
	return rough ? oz_min(stride, oz_min(contact, 0.5f * c->sdf.cell)) : stride;
}

// how far along the way p → q (0 … 1) a wall is met; 2 if it is not, 3 if it is out of reach
OZ_FN float oz_wall_hit(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p, oz_vec3 q,
                        float contact, float step)
{
	const oz_vec3 way = oz_sub(q, p);
	const float length = oz_length(way);
	float d = oz_wall_distance(w, c, p);
	// already touching: stopped if it heads for the wall, else it has to get away first
	bool leaving = d <= OZ_WALL_TOUCH * contact;
	// an interpolated distance may fall by more than the way
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

// moves a point out of the wall, along its normal, for as long as that leads out
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

// slows v, which is relative to the wall, along the wall by `slowed`
OZ_FN oz_vec3 oz_wall_slow_tangential(oz_vec3 v, oz_vec3 n, float slowed)
{
	const float vn = oz_dot(v, n);
	const oz_vec3 vt = oz_mad(v, n, -vn);
	const float along = oz_length(vt);
	const float keep = along > slowed ? 1.0f - slowed / along : 0.0f;
	return oz_add(oz_scale(vt, keep), oz_scale(n, vn));
}

// gives back the share `restitution` of the speed into the wall; friction goes by that impulse
OZ_FN oz_vec3 oz_wall_bounce(OZ_GLOBAL const oz_collider *c, oz_vec3 v, oz_vec3 n)
{
	const float vn = oz_dot(v, n);
	if (vn >= 0.0f)
		return v;
	const float impulse = -(1.0f + c->restitution) * vn;
	return oz_wall_slow_tangential(oz_mad(v, n, impulse), n, c->friction * impulse);
}

// m/s at which the wall moves at a point of its frame
OZ_FN oz_vec3 oz_wall_velocity(OZ_GLOBAL const oz_collider *c, oz_vec3 p, float dt)
{
	return oz_scale(oz_sub(oz_end_world(c, p), oz_begin_world(c, p)), 1.0f / dt);
}

// adds to what a wall bears: the momentum that a particle at x has taken from it
OZ_FN void oz_wall_add_load(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 x,
                            oz_vec3 change, const oz_mover *m)
{
	if (c->load == 0u)
		return;
	OZ_GLOBAL oz_reaction *b = w->reactions + (c->load - 1u) * OZ_REACTION_SLOTS + m->slot;
	const oz_vec3 given = oz_scale(change, m->quanta);
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

// the push by which pressure holds a particle off, which the wall bears
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

// What rubs a particle on a wall that it does not touch: Coulomb friction by the pressure that
// holds it off, and the fluid's own viscosity: walls do not slip.
OZ_FN void oz_wall_drag(const oz_walls *w, const oz_wall_rules *rules,
                        OZ_GLOBAL const oz_collider *c, oz_vec3 start, oz_mover *m)
{
	// less than a hundred-thousandth of the speed in a step is no drag
	const bool thin = m->dt * m->viscosity < 1e-5f * rules->contact * rules->spacing;
	if (c->friction <= 0.0f && thin)
		return;
	const oz_vec3 p = oz_begin_local(c, start);
	if (oz_wall_distance(w, c, p) >= rules->h)
		return;
	const oz_surface_sample s = oz_wall_sample(w, c, p, rules->step);
	const float d = oz_max(s.distance, rules->contact) / rules->h;
	const oz_vec3 moves = oz_wall_velocity(c, p, m->dt);
	const oz_vec3 n = oz_begin_rotate(c, s.normal);
	const float slope = -oz_wall_lookup(w->table, s.distance / rules->h, OZ_WALL_SLOPE);
	oz_vec3 v = oz_wall_slow_tangential(oz_sub(m->v, moves), n, c->friction * m->push * slope);
	if (!thin) {
		const float rate = m->viscosity * oz_wall_lookup(w->table, d, OZ_WALL_STICK);
		const float vn = oz_dot(v, n);
		v = oz_add(oz_scale(n, vn),
		           oz_scale(oz_mad(v, n, -vn), 1.0f / (1.0f + m->dt * rate)));
	}
	m->v = oz_add(moves, v);
}

// Stops a particle at the wall that it has met at t, and sends it on along it for the time left.
// Gives the place where it was stopped.
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

// Follows the way from start to m->x, leg by leg: up to the first wall, then along it. From the
// second leg on, colliders stand where the step ends. Tells whether a wall was near.
OZ_FN bool oz_walls_follow_path(const oz_walls *w, const oz_wall_rules *rules, oz_vec3 start,
                                oz_mover *m)
{
	float time = m->dt;
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
	}
	m->x = start;
	return true;
}

// Whatever a moving wall has swept over is put before it. What would be inside an SDF collider
// all the same goes back to where it came from, with the wall.
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
