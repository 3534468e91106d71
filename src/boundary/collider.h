// collider.h: a solid as kernels see it: a shape on its way from one pose to the next.
#ifndef OZ_COLLIDER_H
#define OZ_COLLIDER_H

#include "geometry/shape.h"

typedef struct oz_collider {
	uint kind;
	float side; // 1: material outside, -1: inside
	float friction, restitution;
	oz_vec3 size;         // m
	oz_vec3 from, to;     // m, position at the step's begin and end
	oz_quat turn, turned; // rotation likewise
} oz_collider;

OZ_FN oz_vec3 oz_to_local(oz_vec3 position, oz_quat rotation, oz_vec3 p)
{
	return oz_quat_rotate(oz_quat_conjugate(rotation), oz_sub(p, position));
}

OZ_FN oz_vec3 oz_to_world(oz_vec3 position, oz_quat rotation, oz_vec3 p)
{
	return oz_add(position, oz_quat_rotate(rotation, p));
}

// distance to the wall from the material's side, for a point in the collider's frame
OZ_FN float oz_wall_distance(const oz_collider *c, oz_vec3 local)
{
	return c->side * oz_local_distance(c->kind, c->size, local);
}

OZ_FN oz_vec3 oz_wall_normal(const oz_collider *c, oz_vec3 local, float step)
{
	return oz_scale(oz_local_normal(c->kind, c->size, local, step), c->side);
}

#endif
