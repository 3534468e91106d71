// shape.c: signed distances of shapes with a position and a rotation.
#include "geometry/shape.h"

#include <math.h>

#include "ooze/ooze.h"

_Static_assert(OZ_KIND_PLANE == OZ_SHAPE_PLANE && OZ_KIND_BOX == OZ_SHAPE_BOX &&
                       OZ_KIND_BALL == OZ_SHAPE_BALL && OZ_KIND_DOME == OZ_SHAPE_DOME &&
                       OZ_KIND_CYLINDER == OZ_SHAPE_CYLINDER &&
                       OZ_KIND_CAPSULE == OZ_SHAPE_CAPSULE && OZ_KIND_TORUS == OZ_SHAPE_TORUS &&
                       OZ_KIND_SDF == OZ_SHAPE_SDF,
               "kernels and the API number shapes alike");

oz_shape oz_shape_make(oz_shape_kind kind, oz_vec3 size)
{
	return (oz_shape){.kind = kind, .size = size, .rotation = {0, 0, 0, 1}};
}

// the size of a box with the distance of the shape: sheets and rods have no thickness
static oz_vec3 flat_size(const oz_shape *shape)
{
	if (shape->kind == OZ_SHAPE_SHEET)
		return oz_v3(shape->size.x, 0, shape->size.z);
	if (shape->kind == OZ_SHAPE_ROD)
		return oz_v3(0, shape->size.y, 0);
	return shape->size;
}

float oz_shape_distance(const oz_shape *shape, oz_vec3 point)
{
	const oz_vec3 p =
	        oz_quat_rotate(oz_quat_conjugate(shape->rotation), oz_sub(point, shape->position));
	if (shape->kind == OZ_SHAPE_SDF)
		return shape->sdf ? oz_sdf_at(shape->sdf, p).distance : INFINITY;
	const bool flat = shape->kind == OZ_SHAPE_SHEET || shape->kind == OZ_SHAPE_ROD;
	return oz_local_distance(flat ? OZ_KIND_BOX : (uint)shape->kind, flat_size(shape), p);
}
