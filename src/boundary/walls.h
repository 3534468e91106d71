// walls.h: colliders: what they add to a particle's density, and how they stop it.
//
// A wall counts as if it were filled with particles at rest (after Harada et al.): λ(d) is their
// share of the kernel sum at distance d from a flat wall, tabulated; several walls leave Π (1 -
// λ_k) free. Pressure then holds particles off the wall as it holds them off each other. What still
// arrives is stopped on its way: the path of the step is followed in the collider's frame by steps
// of the distance to it, so that no speed and no thin wall lets a particle through.
#ifndef OZ_WALLS_H
#define OZ_WALLS_H

#include "boundary/collider.h"

typedef struct oz_wall_rules {
	uint colliders;
	float h;       // m, support radius: reach of λ
	float contact; // m, the nearest a particle may come
	float step;    // m, reach of difference quotients
	float reach;   // m a particle with λ = 0 may move and still meet no wall
	float spacing; // m
} oz_wall_rules;

#define OZ_WALL_TABLE 64u    // intervals of the table over 0 … h; it holds (λ, dλ/dd) pairs
#define OZ_WALL_MARCH 48     // steps along a way before it counts as blocked
#define OZ_WALL_REST  1.001f // where a particle is stopped, in contact distances
#define OZ_WALL_TOUCH 1.002f // what still counts as touching
#define OZ_WALL_ALONG 0.002f // sine of the angle up to which a way goes along a wall, not into it
#define OZ_WALL_LEGS  4      // pieces of a way, each along another wall

// the walls so far: the share of the kernel they leave free, and its gradient
typedef struct oz_wall_sum {
	float free;       // Π (1 - λ_k): two walls that meet do not fill their corner twice
	oz_vec3 gradient; // 1/m, of `free`
} oz_wall_sum;

OZ_FN float oz_wall_lookup(OZ_GLOBAL const float *table, float at, uint which)
{
	const float t = oz_clamp(at, 0.0f, 1.0f) * (float)OZ_WALL_TABLE;
	const uint k = t < (float)OZ_WALL_TABLE ? (uint)t : OZ_WALL_TABLE - 1u;
	const float f = t - (float)k;
	return table[2u * k + which] * (1.0f - f) + table[2u * k + 2u + which] * f;
}

OZ_FN void oz_wall_add(oz_wall_sum *s, OZ_GLOBAL const float *table, float at, oz_vec3 normal)
{
	if (at >= 1.0f)
		return;
	const float free = 1.0f - oz_wall_lookup(table, at, 0u);
	const float slope = -oz_wall_lookup(table, at, 1u);
	s->gradient = oz_mad(oz_scale(s->gradient, free), normal, slope * s->free);
	s->free *= free;
}

// Inside a box each axis has its own nearest face, so that edges and corners count in full.
OZ_FN void oz_wall_add_vessel(oz_wall_sum *s, OZ_GLOBAL const float *table, const oz_collider *c,
                              oz_vec3 p, float inv_h)
{
	oz_wall_add(s, table, (0.5f * c->size.x - oz_abs(p.x)) * inv_h,
	            oz_quat_rotate(c->turn, oz_v3(p.x > 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f)));
	oz_wall_add(s, table, (0.5f * c->size.y - oz_abs(p.y)) * inv_h,
	            oz_quat_rotate(c->turn, oz_v3(0.0f, p.y > 0.0f ? -1.0f : 1.0f, 0.0f)));
	oz_wall_add(s, table, (0.5f * c->size.z - oz_abs(p.z)) * inv_h,
	            oz_quat_rotate(c->turn, oz_v3(0.0f, 0.0f, p.z > 0.0f ? -1.0f : 1.0f)));
}

typedef struct oz_mover {
	oz_vec3 x, v; // m, m/s, at the end of the step
	float push;   // m²/s that pressure gives in this step for each 1/m of a wall's slope of λ
	float viscosity; // m²/s, kinematic
	float dt;        // s
} oz_mover;

// how far along the way p → q (0 … 1) a wall is met; 2 if it is not
OZ_FN float oz_wall_meet(const oz_collider *c, oz_vec3 p, oz_vec3 q, float contact, float step)
{
	const oz_vec3 way = oz_sub(q, p);
	const float length = oz_length(way);
	float d = oz_wall_distance(c, p);
	// already touching: stopped if it heads for the wall, else it has to get away first
	bool leaving = d <= OZ_WALL_TOUCH * contact;
	if (!leaving && d > length + contact)
		return 2.0f;
	const float along = -OZ_WALL_ALONG * length;
	if (leaving && oz_dot(oz_wall_normal(c, p, step), way) < along)
		return 0.0f;
	float t = 0.0f;
	for (int k = 0; k < OZ_WALL_MARCH; k++) {
		t += oz_max(d - contact, 0.25f * contact) / length;
		if (!(t < 1.0f))
			return oz_wall_distance(c, q) < contact && !leaving ? 1.0f : 2.0f;
		const oz_vec3 x = oz_mad(p, way, t);
		d = oz_wall_distance(c, x);
		leaving =
		        leaving && d <= contact && oz_dot(oz_wall_normal(c, x, step), way) >= 0.0f;
		if (d <= contact && !leaving)
			return t;
	}
	return t;
}

// moves a point out of the wall, along its normal
OZ_FN oz_vec3 oz_wall_clear(const oz_collider *c, oz_vec3 p, float contact, float step)
{
	for (int k = 0; k < 3; k++) {
		const float d = oz_wall_distance(c, p);
		if (d >= contact)
			break;
		p = oz_mad(p, oz_wall_normal(c, p, step), contact - d);
	}
	return p;
}

// slows v, which is relative to the wall, along the wall by `slowed`
OZ_FN oz_vec3 oz_wall_rub(oz_vec3 v, oz_vec3 n, float slowed)
{
	const float vn = oz_dot(v, n);
	const oz_vec3 vt = oz_mad(v, n, -vn);
	const float along = oz_length(vt);
	const float keep = along > slowed ? 1.0f - slowed / along : 0.0f;
	return oz_add(oz_scale(vt, keep), oz_scale(n, vn));
}

// gives back the share `restitution` of the speed into the wall; friction goes by that impulse
OZ_FN oz_vec3 oz_wall_bounce(const oz_collider *c, oz_vec3 v, oz_vec3 n)
{
	const float vn = oz_dot(v, n);
	if (vn >= 0.0f)
		return v;
	const float impulse = -(1.0f + c->restitution) * vn;
	return oz_wall_rub(oz_mad(v, n, impulse), n, c->friction * impulse);
}

// m/s at which the wall moves at a point of its frame
OZ_FN oz_vec3 oz_wall_velocity(const oz_collider *c, oz_vec3 p, float dt)
{
	return oz_scale(oz_sub(oz_end_world(c, p), oz_begin_world(c, p)), 1.0f / dt);
}

// What rubs a particle on a wall that it does not touch: Coulomb friction by the pressure that
// holds it off, and in the first layer the fluid's own viscosity, ν v / d over a spacing: walls do
// not slip.
OZ_FN void oz_wall_drag(const oz_collider *c, const oz_wall_rules *rules,
                        OZ_GLOBAL const float *table, oz_vec3 start, oz_mover *m)
{
	// less than a hundred-thousandth of the speed in a step is no drag
	const bool thin = m->dt * m->viscosity < 1e-5f * rules->contact * rules->spacing;
	if (c->friction <= 0.0f && thin)
		return;
	const oz_vec3 p = oz_begin_local(c, start);
	const float d = oz_wall_distance(c, p);
	if (d >= rules->h || (c->friction <= 0.0f && d >= rules->spacing))
		return;
	const oz_vec3 moves = oz_wall_velocity(c, p, m->dt);
	const oz_vec3 n = oz_begin_turn(c, oz_wall_normal(c, p, rules->step));
	const float slope = -oz_wall_lookup(table, d / rules->h, 1u);
	oz_vec3 v = oz_wall_rub(oz_sub(m->v, moves), n, c->friction * m->push * slope);
	if (d < rules->spacing) {
		const float rate = m->viscosity / (oz_max(d, rules->contact) * rules->spacing);
		const float vn = oz_dot(v, n);
		v = oz_add(oz_scale(n, vn),
		           oz_scale(oz_mad(v, n, -vn), 1.0f / (1.0f + m->dt * rate)));
	}
	m->v = oz_add(moves, v);
}

// Stops a particle at the wall that it has met at t, and sends it on along it for the time left.
// Gives the place where it was stopped.
OZ_FN oz_vec3 oz_wall_stop(const oz_collider *c, const oz_wall_rules *rules, oz_vec3 p, oz_vec3 q,
                           float t, float time, oz_mover *m)
{
	const oz_vec3 met = oz_mad(p, oz_sub(q, p), t);
	const oz_vec3 at = oz_wall_clear(c, met, OZ_WALL_REST * rules->contact, rules->step);
	const oz_vec3 n = oz_end_turn(c, oz_wall_normal(c, at, rules->step));
	const oz_vec3 moves = oz_wall_velocity(c, at, m->dt);
	const oz_vec3 v = oz_wall_bounce(c, oz_sub(m->v, moves), n);
	const oz_vec3 stop = oz_end_world(c, at);
	m->v = oz_add(moves, v);
	m->x = oz_mad(stop, v, (1.0f - t) * time);
	return stop;
}

// Follows the way from start to m->x, leg by leg: up to the first wall, then along it. From the
// second leg on, colliders stand where the step ends.
OZ_FN void oz_walls_pass(OZ_GLOBAL const oz_collider *colliders, const oz_wall_rules *rules,
                         oz_vec3 start, oz_mover *m)
{
	float time = m->dt;
	for (int leg = 0; leg < OZ_WALL_LEGS; leg++) {
		float first = 2.0f;
		uint which = 0;
		for (uint k = 0; k < rules->colliders; k++) {
			const oz_collider c = colliders[k];
			const oz_vec3 p =
			        leg == 0 ? oz_begin_local(&c, start) : oz_end_local(&c, start);
			const float t = oz_wall_meet(&c, p, oz_end_local(&c, m->x), rules->contact,
			                             rules->step);
			if (t < first) {
				first = t;
				which = k;
			}
		}
		if (first > 1.0f)
			return;
		const oz_collider c = colliders[which];
		const oz_vec3 p = leg == 0 ? oz_begin_local(&c, start) : oz_end_local(&c, start);
		start = oz_wall_stop(&c, rules, p, oz_end_local(&c, m->x), first, time, m);
		time *= 1.0f - first;
	}
	m->x = start;
}

// whatever a moving wall has swept over is put before it
OZ_FN void oz_walls_clear(OZ_GLOBAL const oz_collider *colliders, const oz_wall_rules *rules,
                          oz_mover *m)
{
	for (uint k = 0; k < rules->colliders; k++) {
		const oz_collider c = colliders[k];
		const oz_vec3 p = oz_end_local(&c, m->x);
		if (oz_wall_distance(&c, p) < rules->contact)
			m->x = oz_end_world(&c, oz_wall_clear(&c, p, rules->contact, rules->step));
	}
}

#endif
