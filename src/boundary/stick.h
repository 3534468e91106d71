// stick.h: the points where walls hold a viscous fluid (no slip).
//
// Seen from a particle, a wall is one more neighbour: its nearest point, which moves with the
// wall. Its weight is that of the layers that the wall would hold if it were filled with particles:
// with w = 1 - q² the weight of a neighbour and t the distance from the particle along the
// normal, the sum of w t over all that lies behind the wall is
//
//   m(d) = π h⁴/12 (1 - d²/h²)³ / s³
//
// and the weight of the point is 2 m(d)/d: then each layer of a fluid that is sheared evenly along
// a flat wall is in balance.
#ifndef OZ_STICK_H
#define OZ_STICK_H

#include "boundary/walls.h"

#define OZ_STICK_NEAREST 0.05f // spacings: a nearer wall counts as at this distance

typedef struct oz_stick {
	oz_vec3 way;      // m, from the particle to the point
	oz_vec3 velocity; // m/s, of the point
	float weight;
} oz_stick;

// the points of one collider: a vessel with edges has one for each wall within reach
typedef struct oz_sticks {
	oz_stick stick[3];
	uint count;
} oz_sticks;

// adds the point of a wall at distance d; `normal` points from it to the particle p, both in the
// collider's frame
OZ_FN void oz_stick_add(const oz_wall_rules *rules, OZ_GLOBAL const oz_collider *c, oz_vec3 p,
                        float d, oz_vec3 normal, float dt, oz_sticks *all)
{
	const float h = rules->h, s = rules->spacing, q2 = d * d / (h * h);
	if (!(d < h))
		return;
	const float from = oz_max(d, OZ_STICK_NEAREST * s);
	const float u = d > 0.0f ? 1.0f - q2 : 1.0f;
	oz_stick k;
	k.way = oz_scale(oz_begin_rotate(c, normal), -from);
	k.velocity = oz_wall_velocity(c, oz_mad(p, normal, -d), dt);
	k.weight = (OZ_PI / 6.0f) * h * h * h * h * u * u * u / (from * s * s * s);
	all->stick[all->count] = k;
	all->count++;
}

// the points of a collider that hold a particle at x, a place in the world
OZ_FN oz_sticks oz_sticks_of(const oz_walls *w, const oz_wall_rules *rules,
                             OZ_GLOBAL const oz_collider *c, oz_vec3 x, float dt)
{
	const oz_vec3 p = oz_begin_local(c, x);
	const bool edged =
	        c->side < 0.0f && !c->flat &&
	        (c->kind == OZ_KIND_BOX || c->kind == OZ_KIND_CYLINDER || c->kind == OZ_KIND_DOME);
	oz_sticks all;
	all.count = 0u;
	if (c->slip)
		return all;
	if (edged) {
		oz_faces faces;
		oz_shape_faces(c, p, rules->step, &faces);
		for (uint k = 0; k < faces.count; k++)
			oz_stick_add(rules, c, p, -faces.face[k].d,
			             oz_scale(faces.face[k].normal, -1.0f), dt, &all);
	} else if (oz_wall_distance(w, c, p) < rules->h) {
		const oz_surface_sample s = oz_wall_sample(w, c, p, rules->step);
		oz_stick_add(rules, c, p, s.distance, s.normal, dt, &all);
	}
	return all;
}

#endif
