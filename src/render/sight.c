// sight.c: the nearest thing behind every sample, by rows, for the eye and for the sun alike.
//
// Grains are balls, found in the rectangle that a ball covers; solids are found by walking along
// the ray by the distance to them. Whoever is nearer stays, the lower number among equals, so that
// the order of drawing does not matter.
#include <float.h>

#include "render/sight.h"

typedef struct span {
	int x0, x1, y0, y1; // samples, the upper ends excluded
} span;

static int clamp_int(float x, int low, int high)
{
	return x > (float)low ? (x < (float)high ? (int)x : high) : low;
}

// The two slopes under which a circle at (x, z) is seen; everything, if the eye is close.
static void slopes(float x, float z, float r, float out[2])
{
	const float room = z * z - r * r;
	const float reach = r * oz_sqrt(oz_max(x * x + room, 0.0f));
	out[0] = z > r ? (x * z - reach) / room : -1e9f;
	out[1] = z > r ? (x * z + reach) / room : 1e9f;
}

static span cover(const oz_sight *s, oz_vec3 local, float r, uint32_t begin, uint32_t end)
{
	const oz_camera *c = &s->camera;
	float u[2] = {local.x - r, local.x + r}, v[2] = {local.y - r, local.y + r};
	if (!c->parallel) {
		slopes(local.x, local.z, r, u);
		slopes(local.y, local.z, r, v);
	}
	return (span){clamp_int(c->centre[0] + c->scale * u[0] - 0.5f, 0, (int)s->width),
	              clamp_int(c->centre[0] + c->scale * u[1] + 1.5f, 0, (int)s->width),
	              clamp_int(c->centre[1] - c->scale * v[1] - 0.5f, (int)begin, (int)end),
	              clamp_int(c->centre[1] - c->scale * v[0] + 1.5f, (int)begin, (int)end)};
}

static oz_vec3 to_local(const oz_camera *c, oz_vec3 point)
{
	const oz_vec3 d = oz_sub(point, c->eye);
	return oz_v3(oz_dot(d, c->right), oz_dot(d, c->up), oz_dot(d, c->forward));
}

static void keep(const oz_sight *s, size_t at, float depth, uint32_t what)
{
	if (!(depth < s->depth[at]) || !(depth > 0.0f))
		return;
	s->depth[at] = depth;
	if (s->what)
		s->what[at] = what;
}

// Depth of a ball's front in the frame of the camera; negative if the ray passes by. The ball is
// met from the ray's nearest point, since the plain quadratic has no digits left for small balls.
static float ball_depth(bool parallel, oz_vec3 ball, float r2, float u, float v)
{
	const float a = parallel ? 1.0f : 1.0f + u * u + v * v;
	const float t = parallel ? ball.z : (u * ball.x + v * ball.y + ball.z) / a;
	const float s = parallel ? 1.0f : t;
	const float x = s * u - ball.x, y = s * v - ball.y, z = t - ball.z;
	const float left = r2 - x * x - y * y - z * z;
	return left > 0.0f ? t - oz_sqrt(left / a) : -1.0f;
}

static void look_at_ball(const oz_sight *s, oz_vec3 ball, float r, uint32_t what, uint32_t begin,
                         uint32_t end)
{
	const oz_camera *c = &s->camera;
	const span at = cover(s, ball, r, begin, end);
	const float unit = 1.0f / c->scale;
	for (int y = at.y0; y < at.y1; y++) {
		const float v = (c->centre[1] - (float)y - 0.5f) * unit;
		for (int x = at.x0; x < at.x1; x++) {
			const float u = ((float)x + 0.5f - c->centre[0]) * unit;
			keep(s, (size_t)y * s->width + (size_t)x,
			     ball_depth(c->parallel, ball, r * r, u, v), what);
		}
	}
}

static void look_at_grains(const oz_sight *s, const oz_painting *p, uint32_t begin, uint32_t end)
{
	for (uint32_t i = 0; i < p->count; i++) {
		const oz_vec3 local = to_local(&s->camera, p->grains[i].position);
		// also refuses what is not a number
		if (local.z > p->radius && oz_max_abs(local) < 1e9f)
			look_at_ball(s, local, p->radius, i, begin, end);
	}
}

// ---- solids -----------------------------------------------------------------------------------

// radius of a ball about the shape's position that holds all of it; 0: none does
static float reach_of(const oz_shape *shape)
{
	const oz_vec3 size = shape->size;
	switch (shape->kind) {
	case OZ_SHAPE_BOX: return 0.5f * oz_length(size);
	case OZ_SHAPE_BALL:
	case OZ_SHAPE_DOME: return size.x;
	case OZ_SHAPE_CYLINDER: return oz_length(oz_v3(size.x, 0.5f * size.y, 0.0f));
	case OZ_SHAPE_CAPSULE: return size.x + 0.5f * size.y;
	case OZ_SHAPE_TORUS: return size.x + size.y;
	default: return 0.0f;
	}
}

static float walk(const oz_shape *shape, const oz_ray *ray, float from, float to, float close)
{
	const float stretch = 1.0f / oz_length(ray->along);
	float depth = from;
	for (int k = 0; k < 128 && depth < to; k++) {
		const float gap = oz_shape_distance(shape, oz_mad(ray->from, ray->along, depth));
		if (gap < close)
			return depth;
		depth += gap * stretch;
	}
	return FLT_MAX;
}

static void look_at_solid(const oz_sight *s, const oz_shape *shape, uint32_t what, float far,
                          uint32_t begin, uint32_t end)
{
	const oz_vec3 local = to_local(&s->camera, shape->position);
	const float reach = reach_of(shape);
	span at = {0, (int)s->width, (int)begin, (int)end};
	float from = 1e-3f * far, to = far;
	if (reach > 0.0f) {
		at = cover(s, local, reach, begin, end);
		from = oz_max(local.z - reach, from);
		to = local.z + reach;
	}
	for (int y = at.y0; y < at.y1; y++)
		for (int x = at.x0; x < at.x1; x++) {
			const size_t k = (size_t)y * s->width + (size_t)x;
			const oz_ray ray = oz_ray_at(&s->camera, (float)x + 0.5f, (float)y + 0.5f);
			keep(s, k, walk(shape, &ray, from, oz_min(to, s->depth[k]), 1e-5f * far),
			     what);
		}
}

// ---- rows -------------------------------------------------------------------------------------

static void look_at_ground(const oz_sight *s, float ground, uint32_t begin, uint32_t end)
{
	for (uint32_t y = begin; y < end; y++)
		for (uint32_t x = 0; x < s->width; x++) {
			const oz_ray ray = oz_ray_at(&s->camera, (float)x + 0.5f, (float)y + 0.5f);
			if (ray.along.y * (ground - ray.from.y) > 0.0f)
				keep(s, (size_t)y * s->width + x,
				     (ground - ray.from.y) / ray.along.y, OZ_SEEN_GROUND);
		}
}

static void clear(const oz_sight *s, uint32_t begin, uint32_t end)
{
	for (size_t at = (size_t)begin * s->width; at < (size_t)end * s->width; at++)
		s->depth[at] = FLT_MAX;
	for (size_t at = (size_t)begin * s->width; s->what && at < (size_t)end * s->width; at++)
		s->what[at] = OZ_SEEN_SKY;
}

// a floor is seen as the ground, and so hides nothing twice
static bool is_floor(const oz_shape *shape)
{
	return shape->kind == OZ_SHAPE_PLANE && shape->rotation.x == 0.0f &&
	       shape->rotation.z == 0.0f;
}

void oz_sight_look(const oz_sight *s, const oz_painting *p, uint32_t begin, uint32_t end)
{
	const float far = 100.0f * oz_length(oz_sub(p->box.max, p->box.min)) + 1e-6f;
	clear(s, begin, end);
	// the sun is asked for shadows, and the ground throws none
	if (s->what)
		look_at_ground(s, p->ground, begin, end);
	look_at_grains(s, p, begin, end);
	for (uint32_t k = 0; k < p->solid_count && k < OZ_SEEN_SOLIDS; k++)
		if (!p->solids[k].vessel && !is_floor(&p->solids[k].shape))
			look_at_solid(s, &p->solids[k].shape, OZ_SEEN_SOLID(k), far, begin, end);
	for (uint32_t k = 0; k < p->solid_count && s->ink; k++)
		if (p->solids[k].vessel)
			oz_sight_draw_edges(s, &p->solids[k].shape, p->radius, begin, end);
}
