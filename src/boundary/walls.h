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
	float reach;   // m a particle beyond h may move and still meet no wall
} oz_wall_rules;

#define OZ_WALL_TABLE 64u // intervals of the table over 0 … h; it holds (λ, dλ/dd) pairs
#define OZ_WALL_MARCH 24  // steps along a path before it counts as arrived

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
	float push;   // m/s that the wall's pressure gave along its normal in this step
	float dt;     // s
} oz_mover;

// how far along the way p → q (0 … 1) a wall is met; 2 if it is not
OZ_FN float oz_wall_meet(const oz_collider *c, oz_vec3 p, oz_vec3 q, float contact, float step)
{
	const oz_vec3 way = oz_sub(q, p);
	const float length = oz_length(way);
	float d = oz_wall_distance(c, p);
	if (d > length + contact)
		return 2.0f;
	// already touching: stopped only if it heads for the wall
	if (d <= contact)
		return oz_dot(oz_wall_normal(c, p, step), way) < 0.0f ? 0.0f : 2.0f;
	float t = 0.0f;
	for (int k = 0; k < OZ_WALL_MARCH; k++) {
		t += oz_max(d - contact, 0.1f * contact) / length;
		if (t >= 1.0f)
			return oz_wall_distance(c, q) < contact ? 1.0f : 2.0f;
		d = oz_wall_distance(c, oz_mad(p, way, t));
		if (d <= contact)
			return t;
	}
	return t;
}

// takes speed along the normal and, by Coulomb's law, along the wall
OZ_FN void oz_wall_bounce(const oz_collider *c, oz_mover *m, oz_vec3 n, oz_vec3 wall_velocity,
                          bool touch)
{
	const oz_vec3 v = oz_sub(m->v, wall_velocity);
	const float vn = oz_dot(v, n);
	const oz_vec3 vt = oz_mad(v, n, -vn);
	const bool hit = touch && vn < 0.0f;
	const float normal = hit ? -c->restitution * vn : vn;
	const float slowed = c->friction * (m->push + (hit ? normal - vn : 0.0f));
	const float along = oz_length(vt);
	const float keep = along > slowed ? 1.0f - slowed / along : 0.0f;
	m->v = oz_add(wall_velocity, oz_add(oz_scale(vt, keep), oz_scale(n, normal)));
}

// moves a point out of the wall, along its normal
OZ_FN oz_vec3 oz_wall_clear(const oz_collider *c, oz_vec3 p, float contact, float step)
{
	for (int k = 0; k < 2; k++) {
		const float d = oz_wall_distance(c, p);
		if (d >= contact)
			break;
		p = oz_mad(p, oz_wall_normal(c, p, step), contact - d);
	}
	return p;
}

OZ_FN void oz_wall_stop(const oz_collider *c, const oz_wall_rules *rules, oz_vec3 start,
                        oz_mover *m)
{
	const oz_vec3 p = oz_begin_local(c, start);
	const oz_vec3 q = oz_end_local(c, m->x);
	const float t = oz_wall_meet(c, p, q, rules->contact, rules->step);
	const bool touch = t <= 1.0f;
	const bool rubs = c->friction > 0.0f && oz_wall_distance(c, p) < rules->h;
	if (!touch && !rubs)
		return;
	const oz_vec3 at = touch ? oz_mad(p, oz_sub(q, p), t) : p;
	const oz_vec3 n = oz_wall_normal(c, at, rules->step);
	const oz_vec3 moved = oz_sub(oz_end_world(c, at), oz_begin_world(c, at));
	oz_wall_bounce(c, m, oz_quat_rotate(c->turned, n), oz_scale(moved, 1.0f / m->dt), touch);
	if (!touch)
		return;
	// what is left of the way goes along the wall
	const oz_vec3 rest = oz_sub(q, at);
	const oz_vec3 slide = oz_mad(rest, n, -oz_min(oz_dot(rest, n), 0.0f));
	m->x = oz_end_world(c, oz_wall_clear(c, oz_add(at, slide), rules->contact, rules->step));
}

#endif
