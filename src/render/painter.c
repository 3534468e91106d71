// painter.c: light and shade: one sun with shadows, a sky, and the dark of crevices.
//
// Four samples a pixel. A first pass finds what the eye sees and what the sun sees; the second
// shades: sun × shadow + sky × openness, a gloss on liquids, and a filmic curve to what a screen
// can show. Openness is the share of a hemisphere about the normal that nearby samples leave free.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "device/pool.h"
#include "render/sight.h"

#define SAMPLES 2     // a pixel, each way
#define SUN_MAP 1536u // samples of the sun's view, each way
#define BAND    16    // rows that a thread takes at a time
#define TAPS    12    // samples asked for openness
#define TONES   4096  // steps of the table from light to bytes
#define WAYS    64    // directions in the picture, a power of two
#define TURN    25    // of them from tap to tap: about the golden angle

struct oz_painter {
	oz_heap heap;
	oz_pool *pool;
	oz_sight eye, sun;
	const oz_painting *painting;
	oz_picture *picture;
	float reach; // m, within which things darken each other
	float grid;  // m, between lines on the ground
	uint8_t tones[TONES + 1];
	float ways[WAYS][2]; // unit vectors all around
};

// one place that light reaches
typedef struct surface {
	oz_vec3 at, normal, colour;
	float gloss;
} surface;

static const oz_vec3 sun_colour = {4.3f, 4.0f, 3.5f};
static const oz_vec3 sun_way = {-0.55f, 0.85f, 0.42f}; // to the sun; made a unit vector when used
static const oz_vec3 sky_above = {0.60f, 0.76f, 1.0f};
static const oz_vec3 sky_low = {0.85f, 0.88f, 0.92f};
static const oz_vec3 bounce = {0.20f, 0.19f, 0.18f};
static const oz_vec3 backdrop = {0.195f, 0.215f, 0.24f}; // where the ground ends in haze
static const oz_vec3 ground_colour = {0.128f, 0.133f, 0.140f};
static const oz_vec3 solid_colour = {0.40f, 0.40f, 0.41f};
static const oz_vec3 ink_colour = {1.1f, 1.15f, 1.2f};

static oz_vec3 mix(oz_vec3 a, oz_vec3 b, float t)
{
	return oz_mad(a, oz_sub(b, a), t);
}

static oz_vec3 times(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static float clamp01(float x)
{
	return x > 0.0f ? oz_min(x, 1.0f) : 0.0f;
}

static oz_vec3 sky(oz_vec3 way)
{
	return mix(sky_low, sky_above, clamp01(way.y * 1.5f));
}

// An even-looking number in [0, 1) for a sample: neighbours differ much, so that a mean over a few
// of them is good.
static float scatter(uint32_t x, uint32_t y)
{
	const float a = 0.06711056f * (float)x + 0.00583715f * (float)y;
	const float b = 52.9829189f * (a - oz_floor(a));
	return b - oz_floor(b);
}

// ---- shadow and openness ----------------------------------------------------------------------

static const float *way_of(const oz_painter *p, float turn, uint32_t tap)
{
	return p->ways[((uint32_t)(turn * WAYS) + TURN * tap) % WAYS];
}

// nothing is near enough to darken what is outside the box
static bool is_apart(const oz_painter *p, oz_vec3 at)
{
	const oz_box *box = &p->painting->box;
	return at.x < box->min.x - p->reach || at.x > box->max.x + p->reach ||
	       at.z < box->min.z - p->reach || at.z > box->max.z + p->reach;
}

// share of the sun that reaches a place: a few looks at the sun's map about where it lies there
static float sunlight(const oz_painter *p, const surface *s, float turn)
{
	const oz_vec3 lifted = oz_mad(s->at, s->normal, 0.6f * p->painting->radius);
	const oz_vec3 at = oz_camera_see(&p->sun.camera, lifted);
	float lit = 0.0f;
	for (uint32_t k = 0; k < 6; k++) {
		const float *way = way_of(p, turn, k), r = 2.2f * oz_sqrt(((float)k + 0.5f) / 6.0f);
		const float x = at.x + r * way[0], y = at.y + r * way[1];
		const bool inside = x >= 0.0f && y >= 0.0f && x < SUN_MAP && y < SUN_MAP;
		lit += !inside || at.z - 0.5f * p->painting->radius <
		                          p->sun.depth[(size_t)y * SUN_MAP + (size_t)x];
	}
	return lit / 6.0f;
}

static float openness(const oz_painter *p, const surface *s, uint32_t x, uint32_t y, float turn)
{
	const oz_sight *eye = &p->eye;
	const float depth = eye->depth[(size_t)y * eye->width + x];
	const float span = oz_min(eye->camera.scale * p->reach / depth, 0.2f * (float)eye->width);
	float dark = 0.0f;
	if (is_apart(p, s->at))
		return 1.0f;
	for (uint32_t k = 0; k < TAPS; k++) {
		const float *way = way_of(p, turn, k), r = span * ((float)k + 0.5f) / TAPS;
		const float tx = (float)x + r * way[0], ty = (float)y + r * way[1];
		if (!(tx >= 0.0f && ty >= 0.0f && tx < (float)eye->width &&
		      ty < (float)eye->height))
			continue;
		const float z = eye->depth[(size_t)ty * eye->width + (size_t)tx];
		if (z == FLT_MAX)
			continue;
		const oz_ray ray =
		        oz_ray_at(&eye->camera, oz_floor(tx) + 0.5f, oz_floor(ty) + 0.5f);
		const oz_vec3 to = oz_sub(oz_mad(ray.from, ray.along, z), s->at);
		const float d2 = oz_length2(to);
		const float near = clamp01(1.0f - d2 / (p->reach * p->reach));
		const float rise = oz_dot(to, s->normal) / oz_sqrt(d2 + 1e-12f);
		dark += near * clamp01(rise - 0.08f);
	}
	const float open = clamp01(1.0f - 2.1f * dark / TAPS);
	return open * open;
}

// ---- surfaces ---------------------------------------------------------------------------------

static oz_vec3 solid_normal(const oz_shape *shape, oz_vec3 at, float step)
{
	const oz_vec3 x = {step, 0, 0}, y = {0, step, 0}, z = {0, 0, step};
	return oz_normalize(oz_v3(oz_shape_distance(shape, oz_add(at, x)) -
	                                  oz_shape_distance(shape, oz_sub(at, x)),
	                          oz_shape_distance(shape, oz_add(at, y)) -
	                                  oz_shape_distance(shape, oz_sub(at, y)),
	                          oz_shape_distance(shape, oz_add(at, z)) -
	                                  oz_shape_distance(shape, oz_sub(at, z))));
}

// how much of a line of the grid is within `blur` of x
static float grid_line(float x, float step, float blur)
{
	const float off = oz_abs(x / step - oz_floor(x / step + 0.5f)) * step;
	const float width = 0.006f * step;
	return clamp01((width + blur - off) / (2.0f * blur)) * oz_min(width / blur + 0.15f, 1.0f);
}

static oz_vec3 ground_at(const oz_painter *p, oz_vec3 at, float depth)
{
	const float blur = oz_max(2.0f * depth / p->eye.camera.scale, 0.004f * p->grid);
	const float line = oz_max(grid_line(at.x, p->grid, blur), grid_line(at.z, p->grid, blur));
	return mix(ground_colour, oz_scale(ground_colour, 1.9f), line);
}

static surface surface_at(const oz_painter *p, uint32_t what, oz_vec3 at, float depth)
{
	const oz_painting *v = p->painting;
	if (what == OZ_SEEN_GROUND)
		return (surface){at, {0, 1, 0}, ground_at(p, at, depth), 0.0f};
	if (OZ_IS_SOLID(what)) {
		const oz_shape *shape = &v->solids[OZ_SEEN_SOLID(0) - what].shape;
		return (surface){at, solid_normal(shape, at, 1e-3f * depth), solid_colour, 0.15f};
	}
	const oz_vec3 out = oz_sub(at, v->grains[what].position);
	return (surface){at, oz_scale(out, 1.0f / v->radius), v->colours[what], 1.0f};
}

static oz_vec3 shade(const oz_painter *p, const surface *s, oz_vec3 way, uint32_t x, uint32_t y)
{
	const float turn = scatter(x, y);
	const float open = openness(p, s, x, y, turn);
	const oz_vec3 to_sun = oz_scale(p->sun.camera.forward, -1.0f);
	const float facing = oz_dot(s->normal, to_sun);
	const float lit = facing > 0.0f ? sunlight(p, s, turn) : 0.0f;
	const oz_vec3 ambient =
	        oz_scale(mix(bounce, sky_above, 0.5f + 0.5f * s->normal.y), 0.75f * open);
	// the sun leaves crevices too, a little: light that has bounced between grains is not
	// traced
	const float direct = 0.32f * clamp01(facing) * lit * (0.5f + 0.5f * open);
	oz_vec3 light = times(s->colour, oz_mad(ambient, sun_colour, direct));
	if (s->gloss > 0.0f) {
		const float seen = clamp01(-oz_dot(s->normal, way));
		const oz_vec3 mirror = oz_mad(way, s->normal, 2.0f * seen);
		const float glance = 1.0f - seen, g2 = glance * glance;
		const float fresnel = 0.03f + 0.5f * g2 * g2 * glance;
		light = oz_mad(light, sky(mirror), s->gloss * fresnel * open);
		const float shine = clamp01(oz_dot(mirror, to_sun)), s2 = shine * shine;
		const float s8 = s2 * s2 * s2 * s2, s32 = s8 * s8 * s8 * s8;
		light = oz_mad(light, sun_colour, s->gloss * 0.16f * s32 * lit * open);
	}
	return light;
}

static oz_vec3 sample(const oz_painter *p, uint32_t x, uint32_t y)
{
	const oz_sight *eye = &p->eye;
	const size_t at = (size_t)y * eye->width + x;
	const oz_ray ray = oz_ray_at(&eye->camera, (float)x + 0.5f, (float)y + 0.5f);
	const oz_vec3 way = oz_normalize(ray.along);
	oz_vec3 light = backdrop;
	if (eye->what[at] != OZ_SEEN_SKY) {
		const float depth = eye->depth[at];
		const surface s =
		        surface_at(p, eye->what[at], oz_mad(ray.from, ray.along, depth), depth);
		const float size = oz_length(oz_sub(p->painting->box.max, p->painting->box.min));
		const float haze =
		        clamp01((oz_length(oz_sub(s.at, eye->camera.eye)) / size - 2.2f) / 7.0f);
		light = mix(shade(p, &s, way, x, y), backdrop, haze * (2.0f - haze));
	}
	return mix(light, ink_colour, 0.55f * (float)eye->ink[at] / 255.0f);
}

// ---- the picture ------------------------------------------------------------------------------

// a filmic curve: a short toe, an even middle, a long shoulder (Narkowicz 2015)
static float tone(float x)
{
	return clamp01(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f));
}

static uint8_t to_byte(const oz_painter *p, float linear)
{
	return p->tones[(uint32_t)(clamp01(linear) * TONES + 0.5f)];
}

static void paint_rows(void *context, uint32_t begin, uint32_t end)
{
	const oz_painter *p = context;
	for (uint32_t y = begin; y < end; y++)
		for (uint32_t x = 0; x < p->picture->width; x++) {
			oz_vec3 sum = {0, 0, 0};
			for (uint32_t k = 0; k < SAMPLES * SAMPLES; k++) {
				const oz_vec3 c = sample(p, x * SAMPLES + k % SAMPLES,
				                         y * SAMPLES + k / SAMPLES);
				sum = oz_add(sum, oz_v3(tone(c.x), tone(c.y), tone(c.z)));
			}
			sum = oz_scale(sum, 1.0f / (SAMPLES * SAMPLES));
			uint8_t *out = p->picture->pixels + 3 * ((size_t)y * p->picture->width + x);
			out[0] = to_byte(p, sum.x);
			out[1] = to_byte(p, sum.y);
			out[2] = to_byte(p, sum.z);
		}
}

static void look_eye(void *context, uint32_t begin, uint32_t end)
{
	oz_painter *p = context;
	memset(p->eye.ink + (size_t)begin * p->eye.width, 0, (size_t)(end - begin) * p->eye.width);
	oz_sight_look(&p->eye, p->painting, begin, end);
}

static void look_sun(void *context, uint32_t begin, uint32_t end)
{
	oz_painter *p = context;
	oz_sight_look(&p->sun, p->painting, begin, end);
}

// the sun sees the ball around the box, and no more
static oz_camera sun_over(const oz_box *box)
{
	const oz_vec3 middle = oz_scale(oz_add(box->min, box->max), 0.5f);
	const float reach = 0.55f * oz_length(oz_sub(box->max, box->min)) + 1e-6f;
	oz_camera c = {.forward = oz_scale(oz_normalize(sun_way), -1.0f),
	               .scale = 0.5f * SUN_MAP / reach,
	               .centre = {0.5f * SUN_MAP, 0.5f * SUN_MAP},
	               .parallel = true};
	c.eye = oz_mad(middle, c.forward, -2.0f * reach);
	c.right = oz_perpendicular(c.forward);
	c.up = oz_cross(c.right, c.forward);
	return c;
}

// 1, 2 or 5 times a power of ten, about a sixth of the box
static float grid_step(const oz_box *box)
{
	const float wanted = oz_length(oz_sub(box->max, box->min)) / 6.0f + 1e-9f;
	float step = 1e-9f;
	while (step * 10.0f < wanted)
		step *= 10.0f;
	return step * (wanted > 5.0f * step ? 5.0f : wanted > 2.0f * step ? 2.0f : 1.0f);
}

oz_result oz_painter_draw(oz_painter *p, const oz_painting *painting, oz_picture *picture,
                          oz_error *error)
{
	if (picture->width * SAMPLES != p->eye.width || picture->height * SAMPLES != p->eye.height)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a picture of %u × %u is not of the painter's size; make it %u × %u",
		               picture->width, picture->height, p->eye.width / SAMPLES,
		               p->eye.height / SAMPLES);
	p->painting = painting;
	p->picture = picture;
	p->reach = 7.0f * painting->radius;
	p->grid = grid_step(&painting->box);
	p->eye.camera = painting->camera;
	p->eye.camera.scale *= SAMPLES;
	p->eye.camera.centre[0] *= SAMPLES;
	p->eye.camera.centre[1] *= SAMPLES;
	p->sun.camera = sun_over(&painting->box);
	oz_pool_run(p->pool, p->eye.height, BAND, look_eye, p);
	oz_pool_run(p->pool, SUN_MAP, BAND, look_sun, p);
	oz_pool_run(p->pool, picture->height, BAND, paint_rows, p);
	return OZ_OK;
}

// ---- making -----------------------------------------------------------------------------------

static bool make_buffers(oz_painter *p)
{
	const size_t samples = (size_t)p->eye.width * p->eye.height;
	p->eye.depth = malloc(samples * sizeof(float));
	p->eye.what = malloc(samples * sizeof(uint32_t));
	p->eye.ink = malloc(samples);
	p->sun.depth = malloc((size_t)SUN_MAP * SUN_MAP * sizeof(float));
	return p->eye.depth && p->eye.what && p->eye.ink && p->sun.depth;
}

oz_result oz_painter_create(uint32_t width, uint32_t height, uint32_t threads, oz_painter **painter,
                            oz_error *error)
{
	oz_painter *p = calloc(1, sizeof *p);
	*painter = NULL;
	oz_result result = OZ_OK;
	if (p) {
		const oz_hooks hooks = {0};
		oz_heap_init(&p->heap, &hooks);
		p->eye.width = width * SAMPLES;
		p->eye.height = height * SAMPLES;
		p->sun.width = p->sun.height = SUN_MAP;
		for (int k = 0; k <= TONES; k++)
			p->tones[k] = oz_colour_byte((float)k / TONES);
		for (int k = 0; k < WAYS; k++) {
			p->ways[k][0] = oz_cos(6.2831853f * (float)k / WAYS);
			p->ways[k][1] = oz_sin(6.2831853f * (float)k / WAYS);
		}
	}
	if (!p || !make_buffers(p))
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "a picture of %u × %u does not fit into memory; choose a smaller "
		                 "size",
		                 width, height);
	if (result == OZ_OK)
		result = oz_pool_create(&p->heap, threads, &p->pool, error);
	if (result == OZ_OK)
		*painter = p;
	else
		oz_painter_destroy(p);
	return result;
}

void oz_painter_destroy(oz_painter *p)
{
	if (!p)
		return;
	if (p->pool)
		oz_pool_destroy(p->pool);
	free(p->eye.depth);
	free(p->eye.what);
	free(p->eye.ink);
	free(p->sun.depth);
	free(p);
}
