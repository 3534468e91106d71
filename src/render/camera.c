// camera.c: one camera for a sequence of frames. It looks at the box of all points from beside a
// corner and a little above, at the least distance at which all points are in the picture.
#include <float.h>

#include "math/vec.h"
#include "render/render.h"

#define SLOPE  0.27f // tangent of half the vertical view angle (30°)
#define ASIDE  0.5f  // rad, azimuth from the normal of the wide side
#define ABOVE  0.33f // rad, elevation
#define MARGIN 0.9f  // greatest fraction of the picture that the points fill

oz_vec3 oz_camera_project(const oz_camera *c, oz_vec3 point)
{
	const oz_vec3 d = oz_sub(point, c->eye);
	const float z = oz_dot(d, c->forward);
	const float s = c->scale / z;
	return oz_v3(c->centre[0] + s * oz_dot(d, c->right), c->centre[1] - s * oz_dot(d, c->up),
	             z);
}

typedef struct outline {
	const oz_vec3 *points;
	uint32_t count;
} outline;

// The rectangle (pixels) around the projected points; false if one is behind the eye.
static bool extent(const oz_camera *c, outline o, float low[2], float high[2])
{
	low[0] = low[1] = FLT_MAX;
	high[0] = high[1] = -FLT_MAX;
	for (uint32_t k = 0; k < o.count; k++) {
		const oz_vec3 at = oz_camera_project(c, o.points[k]);
		if (!(at.z > 0.0f))
			return false;
		low[0] = oz_min(low[0], at.x);
		low[1] = oz_min(low[1], at.y);
		high[0] = oz_max(high[0], at.x);
		high[1] = oz_max(high[1], at.y);
	}
	return true;
}

static bool fits(const oz_camera *c, outline o, float width, float height)
{
	float low[2], high[2];
	return extent(c, o, low, high) && high[0] - low[0] <= MARGIN * width &&
	       high[1] - low[1] <= MARGIN * height;
}

static oz_box box_around(outline o)
{
	oz_box box = {o.points[0], o.points[0]};
	for (uint32_t k = 1; k < o.count; k++) {
		box.min = oz_min3(box.min, o.points[k]);
		box.max = oz_max3(box.max, o.points[k]);
	}
	return box;
}

oz_camera oz_camera_frame(const oz_vec3 *points, uint32_t count, uint32_t width, uint32_t height)
{
	const outline o = {points, count};
	const oz_box box = box_around(o);
	const oz_vec3 size = oz_sub(box.max, box.min);
	const oz_vec3 middle = oz_mad(box.min, size, 0.5f);
	const float w = (float)width, h = (float)height, reach = oz_length(size) + 1e-6f;
	// the wide side faces the eye
	const float angle = size.x >= 0.99f * size.z ? ASIDE : 0.5f * OZ_PI - ASIDE;
	const oz_vec3 back =
	        oz_v3(oz_cos(ABOVE) * oz_sin(angle), oz_sin(ABOVE), oz_cos(ABOVE) * oz_cos(angle));
	oz_camera c = {.forward = oz_scale(back, -1.0f),
	               .scale = 0.5f * h / SLOPE,
	               .centre = {0.5f * w, 0.5f * h}};
	c.right = oz_normalize(oz_cross(c.forward, oz_v3(0.0f, 1.0f, 0.0f)));
	c.up = oz_cross(c.right, c.forward);
	float near = 0.0f, far = 64.0f * reach * (1.0f + h / w);
	for (int k = 0; k < 40; k++) {
		const float distance = 0.5f * (near + far);
		c.eye = oz_mad(middle, back, distance);
		*(fits(&c, o, w, h) ? &far : &near) = distance;
	}
	c.eye = oz_mad(middle, back, far);
	// shifts the picture's centre, does not rotate the camera: vertical edges stay vertical
	float low[2], high[2];
	extent(&c, o, low, high);
	c.centre[0] += 0.5f * (w - low[0] - high[0]);
	c.centre[1] += 0.5f * (h - low[1] - high[1]);
	return c;
}

oz_camera oz_camera_fit(const oz_box *box, uint32_t width, uint32_t height)
{
	oz_vec3 corners[8];
	for (int k = 0; k < 8; k++)
		corners[k] = oz_v3(k & 1 ? box->max.x : box->min.x, k & 2 ? box->max.y : box->min.y,
		                   k & 4 ? box->max.z : box->min.z);
	return oz_camera_frame(corners, 8, width, height);
}

oz_camera oz_camera_look(oz_vec3 eye, oz_vec3 target, float angle, uint32_t width, uint32_t height)
{
	const float w = (float)width, h = (float)height, half = 0.5f * angle * 0.01745329f;
	oz_camera c = {.eye = eye,
	               .forward = oz_normalize(oz_sub(target, eye)),
	               .scale = 0.5f * h * oz_cos(half) / oz_max(oz_sin(half), 1e-4f),
	               .centre = {0.5f * w, 0.5f * h}};
	// looking straight down or up, the top of the picture is -z
	const bool upright = oz_abs(c.forward.y) < 0.9999f;
	const oz_vec3 top = upright ? oz_v3(0.0f, 1.0f, 0.0f) : oz_v3(0.0f, 0.0f, -1.0f);
	c.right = oz_normalize(oz_cross(c.forward, top));
	c.up = oz_cross(c.right, c.forward);
	return c;
}

oz_camera oz_camera_aim(const oz_camera *camera, oz_vec3 middle, oz_vec3 target, uint32_t width,
                        uint32_t height)
{
	const float distance = oz_dot(oz_sub(middle, camera->eye), camera->forward);
	oz_camera c = *camera;
	c.eye = oz_mad(target, c.forward, -distance);
	c.centre[0] = 0.5f * (float)width;
	c.centre[1] = 0.5f * (float)height;
	return c;
}

oz_painting oz_painting_default(const oz_box *box, uint32_t width, uint32_t height)
{
	return (oz_painting){
	        .camera = oz_camera_fit(box, width, height),
	        .box = *box,
	        .ground = box->min.y,
	        .light = {.horizon = {0.60f, 0.63f, 0.67f},
	                  .zenith = {0.42f, 0.54f, 0.78f},
	                  .sun = {4.6f, 4.3f, 3.8f},
	                  .sun_direction = oz_normalize(oz_v3(-0.55f, 0.85f, 0.42f)),
	                  .sun_radius = 0.14f},
	};
}
