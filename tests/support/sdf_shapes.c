// sdf_shapes.c: boxes, balls and cylinders as SDFs, from their exact nearest points.
#include "worlds.h"

// the signed distance of q to the box |q_k| <= half_k, and its nearest point on the surface
static double box_nearest(const double *q, const double *half, int axes, double *at)
{
	double out = 0, deep = -INFINITY;
	int face = 0;
	for (int k = 0; k < axes; k++) {
		const double d = fabs(q[k]) - half[k];
		at[k] = fmax(-half[k], fmin(half[k], q[k]));
		out += d > 0 ? d * d : 0;
		face = d > deep ? k : face;
		deep = fmax(deep, d);
	}
	if (out > 0)
		return sqrt(out);
	at[face] = q[face] > 0 ? half[face] : -half[face];
	return deep;
}

// vectors from the nearest point of the surface to p
static vec box_offset(const oz_shape *s, vec p, double *distance)
{
	const double q[3] = {p.x, p.y, p.z};
	const double half[3] = {0.5 * (double)s->size.x, 0.5 * (double)s->size.y,
	                        0.5 * (double)s->size.z};
	double at[3];
	*distance = box_nearest(q, half, 3, at);
	return vec_sub(p, vec_of(at[0], at[1], at[2]));
}

static vec cylinder_offset(const oz_shape *s, vec p, double *distance)
{
	const double r = hypot(p.x, p.z), cx = r > 0 ? p.x / r : 1, cz = r > 0 ? p.z / r : 0;
	const double q[2] = {r, p.y};
	const double half[2] = {(double)s->size.x, 0.5 * (double)s->size.y};
	double at[2];
	*distance = box_nearest(q, half, 2, at);
	return vec_sub(p, vec_of(at[0] * cx, at[1], at[0] * cz));
}

static vec ball_offset(const oz_shape *s, vec p, double *distance)
{
	const double r = vec_length(p), radius = (double)s->size.x;
	*distance = r - radius;
	return r > 0 ? vec_mad(vec_of(0, 0, 0), p, 1 - radius / r) : vec_of(-radius, 0, 0);
}

static void shape_nearest(void *context, const oz_vec3 *points, uint32_t count,
                          oz_nearest_point *nearest)
{
	const oz_shape *s = context;
	for (uint32_t i = 0; i < count; i++) {
		const vec p = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
		double d;
		const vec offset = s->kind == OZ_SHAPE_BOX    ? box_offset(s, p, &d)
		                   : s->kind == OZ_SHAPE_BALL ? ball_offset(s, p, &d)
		                                              : cylinder_offset(s, p, &d);
		nearest[i] = (oz_nearest_point){(float)offset.x, (float)offset.y, (float)offset.z,
		                                (float)d};
	}
}

oz_shape test_sdf_shape(const oz_shape *shape, double spacing)
{
	oz_error error = {OZ_OK, ""};
	const oz_vec3 size = shape->size;
	const oz_vec3 half =
	        shape->kind == OZ_SHAPE_BOX ? (oz_vec3){0.5f * size.x, 0.5f * size.y, 0.5f * size.z}
	        : shape->kind == OZ_SHAPE_BALL ? (oz_vec3){size.x, size.x, size.x}
	                                       : (oz_vec3){size.x, 0.5f * size.y, size.x};
	oz_shape copy = *shape;
	// a support radius and two cells
	const oz_sdf_def def = {.min = {-half.x, -half.y, -half.z},
	                        .max = half,
	                        .cell = (float)(0.5 * spacing),
	                        .reach = (float)(3 * spacing),
	                        .nearest = shape_nearest,
	                        .context = &copy,
	                        .threads = 1};
	oz_sdf *sdf = NULL;
	test_must(oz_sdf_make(&def, &sdf, &error), &error);
	copy.kind = OZ_SHAPE_SDF;
	copy.sdf = sdf;
	return copy;
}
