// collider.h: a solid as kernels see it: a shape on its way from one pose to the next.
#ifndef OZ_COLLIDER_H
#define OZ_COLLIDER_H

#include "geometry/shape.h"

typedef struct oz_collider {
	uint kind;
	float side; // 1: material outside, -1: inside
	float friction, restitution;
	uint turns;           // 0: it stands straight, now and at the step's end
	oz_vec3 size;         // m
	oz_vec3 from, to;     // m, position at the step's begin and end
	oz_quat turn, turned; // rotation likewise
} oz_collider;

// from the world to the collider's frame and back, at the step's begin
OZ_FN oz_vec3 oz_begin_local(const oz_collider *c, oz_vec3 p)
{
	const oz_vec3 d = oz_sub(p, c->from);
	return c->turns ? oz_quat_rotate(oz_quat_conjugate(c->turn), d) : d;
}

OZ_FN oz_vec3 oz_begin_world(const oz_collider *c, oz_vec3 p)
{
	return oz_add(c->from, c->turns ? oz_quat_rotate(c->turn, p) : p);
}

OZ_FN oz_vec3 oz_begin_turn(const oz_collider *c, oz_vec3 direction)
{
	return c->turns ? oz_quat_rotate(c->turn, direction) : direction;
}

// and at its end
OZ_FN oz_vec3 oz_end_turn(const oz_collider *c, oz_vec3 direction)
{
	return c->turns ? oz_quat_rotate(c->turned, direction) : direction;
}

OZ_FN oz_vec3 oz_end_local(const oz_collider *c, oz_vec3 p)
{
	const oz_vec3 d = oz_sub(p, c->to);
	return c->turns ? oz_quat_rotate(oz_quat_conjugate(c->turned), d) : d;
}

OZ_FN oz_vec3 oz_end_world(const oz_collider *c, oz_vec3 p)
{
	return oz_add(c->to, c->turns ? oz_quat_rotate(c->turned, p) : p);
}

// distance to the wall from the material's side, for a point in the collider's frame
OZ_FN float oz_wall_distance(const oz_collider *c, oz_vec3 p)
{
	return c->side * oz_local_distance(c->kind, c->size, p);
}

OZ_FN oz_vec3 oz_wall_normal(const oz_collider *c, oz_vec3 p, float step)
{
	return oz_scale(oz_local_normal(c->kind, c->size, p, step), c->side);
}

#endif
