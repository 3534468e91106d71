// shape.h: exact signed distances and normals of the analytic shapes, in their own frame.
//
// Distances are negative inside; each shape has a function. The normal is the gradient of the
// distance by central differences: six more distances, computed near a wall only, for every shape.
#ifndef OZ_SHAPE_H
#define OZ_SHAPE_H

#include "math/quat.h"
#include "math/vec.h"

// the kinds, in the order of oz_shape_kind
#define OZ_KIND_PLANE    0u
#define OZ_KIND_BOX      1u
#define OZ_KIND_BALL     2u
#define OZ_KIND_DOME     3u
#define OZ_KIND_CYLINDER 4u
#define OZ_KIND_CAPSULE  5u
#define OZ_KIND_TORUS    6u
#define OZ_KIND_SDF      9u // see boundary/SDF.h

OZ_FN float oz_hypot(float x, float y)
{
	return oz_sqrt(x * x + y * y);
}

OZ_FN float oz_clamp(float x, float low, float high)
{
	return oz_min(oz_max(x, low), high);
}

OZ_FN float oz_box_distance(oz_vec3 p, oz_vec3 size)
{
	const float x = oz_abs(p.x) - 0.5f * size.x;
	const float y = oz_abs(p.y) - 0.5f * size.y;
	const float z = oz_abs(p.z) - 0.5f * size.z;
	const oz_vec3 out = oz_v3(oz_max(x, 0.0f), oz_max(y, 0.0f), oz_max(z, 0.0f));
	return oz_sqrt(oz_dot(out, out)) + oz_min(oz_max(x, oz_max(y, z)), 0.0f);
}

// distance in the half-plane (r, y) to the rectangle r <= radius, |y| <= half_height
OZ_FN float oz_disc_distance(float r, float y, float radius, float half_height)
{
	const float a = r - radius, b = oz_abs(y) - half_height;
	return oz_hypot(oz_max(a, 0.0f), oz_max(b, 0.0f)) + oz_min(oz_max(a, b), 0.0f);
}

// distance to the upper half of a ball: its curved surface, its flat disc at y = 0 and their edge
OZ_FN float oz_dome_distance(oz_vec3 p, float radius)
{
	const float r = oz_hypot(p.x, p.z);
	const float ball = oz_sqrt(oz_dot(p, p)) - radius;
	if (p.y >= 0.0f)
		return ball > -p.y ? ball : -p.y;
	return r <= radius ? -p.y : oz_hypot(r - radius, p.y);
}

OZ_FN float oz_capsule_distance(oz_vec3 p, float radius, float height)
{
	const float y = p.y - oz_clamp(p.y, -0.5f * height, 0.5f * height);
	return oz_sqrt(p.x * p.x + y * y + p.z * p.z) - radius;
}

// signed distance to a shape in its own frame, m; not for OZ_KIND_SDF
OZ_FN float oz_local_distance(uint kind, oz_vec3 size, oz_vec3 p)
{
	if (kind == OZ_KIND_PLANE)
		return p.y;
	if (kind == OZ_KIND_BOX)
		return oz_box_distance(p, size);
	if (kind == OZ_KIND_BALL)
		return oz_sqrt(oz_dot(p, p)) - size.x;
	if (kind == OZ_KIND_DOME)
		return oz_dome_distance(p, size.x);
	if (kind == OZ_KIND_CYLINDER)
		return oz_disc_distance(oz_hypot(p.x, p.z), p.y, size.x, 0.5f * size.y);
	if (kind == OZ_KIND_CAPSULE)
		return oz_capsule_distance(p, size.x, size.y);
	return oz_hypot(oz_hypot(p.x, p.z) - size.x, p.y) - size.y;
}

// unit gradient of the distance; `step`, m, is half the width of the central difference
OZ_FN oz_vec3 oz_local_normal(uint kind, oz_vec3 size, oz_vec3 p, float step)
{
	if (kind == OZ_KIND_PLANE)
		return oz_v3(0.0f, 1.0f, 0.0f);
	const oz_vec3 g = oz_v3(oz_local_distance(kind, size, oz_v3(p.x + step, p.y, p.z)) -
	                                oz_local_distance(kind, size, oz_v3(p.x - step, p.y, p.z)),
	                        oz_local_distance(kind, size, oz_v3(p.x, p.y + step, p.z)) -
	                                oz_local_distance(kind, size, oz_v3(p.x, p.y - step, p.z)),
	                        oz_local_distance(kind, size, oz_v3(p.x, p.y, p.z + step)) -
	                                oz_local_distance(kind, size, oz_v3(p.x, p.y, p.z - step)));
	const float length = oz_sqrt(oz_dot(g, g));
	// at the centre of a shape the gradient is 0: return +y
	return length > 0.1f * step ? oz_scale(g, 1.0f / length) : oz_v3(0.0f, 1.0f, 0.0f);
}

#endif
