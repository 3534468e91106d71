// trace.h: what the parts of the tracer share: the set that rays meet, random numbers, light, and
// the picture before it is one.
#ifndef OZ_TRACE_H
#define OZ_TRACE_H

#include <math.h>

#include <embree3/rtcore.h>

#include "base/base.h"
#include "device/pool.h"
#include "math/vec.h"
#include "render/render.h"

#define OZ_PI 3.14159265f

static inline oz_vec3 oz_times(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline oz_vec3 oz_mix(oz_vec3 a, oz_vec3 b, float t)
{
	return oz_mad(a, oz_sub(b, a), t);
}

static inline float oz_clamp01(float x)
{
	return x > 0.0f ? oz_min(x, 1.0f) : 0.0f;
}

static inline float oz_luminance(oz_vec3 c)
{
	return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static inline float oz_brightest(oz_vec3 c)
{
	return oz_max(c.x, oz_max(c.y, c.z));
}

static inline oz_vec3 oz_unit(oz_vec3 a)
{
	return oz_scale(a, 1.0f / sqrtf(oz_dot(a, a) + 1e-30f));
}

// ---- random numbers ---------------------------------------------------------------------------

#define OZ_MASK  64u // edge of the tile of blue noise
#define OZ_PAIRS 32u // of numbers that a path may ask for before they repeat

typedef struct oz_sampler {
	float mask[OZ_MASK * OZ_MASK]; // blue noise, 0 … 1
	uint32_t samples;              // a pixel, for which `points` are made
	float (*points)[OZ_PAIRS][2];  // one row a sample
} oz_sampler;

void oz_sampler_init(oz_sampler *sampler);
bool oz_sampler_prepare(oz_sampler *sampler, uint32_t samples);
void oz_sampler_free(oz_sampler *sampler);

// Two numbers in [0, 1): `pair` tells what for.
static inline void oz_sampler_get(const oz_sampler *s, uint32_t x, uint32_t y, uint32_t sample,
                                  uint32_t pair, float u[2])
{
	pair %= OZ_PAIRS;
	for (uint32_t k = 0; k < 2; k++) {
		// the tile is shifted, so that no two numbers of a pixel go together
		const uint32_t at = 2 * pair + k;
		const uint32_t mx = (x + 23 * at + 7 * (at & 3)) % OZ_MASK;
		const uint32_t my = (y + 41 * at + 13 * (at >> 2)) % OZ_MASK;
		const float sum = s->points[sample][pair][k] + s->mask[my * OZ_MASK + mx];
		u[k] = sum < 1.0f ? sum : oz_min(sum - 1.0f, 0x1.fffffep-1f);
	}
}

// ---- the set ----------------------------------------------------------------------------------

enum { OZ_THING_BALLS, OZ_THING_MESH, OZ_THING_RODS };

#define OZ_MEDIA 16u // clear things that can be told apart inside each other

typedef struct oz_thing {
	int kind;
	oz_coat coat;
	bool clear;      // light goes through: liquid and jelly
	bool glass;      // a sheet so thin that light goes straight through
	uint32_t medium; // place in oz_media; the lowest counts where several overlap
	float ior;       // index of refraction
	float scatter;   // 1/m
	oz_vec3 absorb;  // 1/m
	const oz_vec3 *position, *normal, *colour; // of vertices; NULL: flat, the coat's
	const uint32_t (*triangles)[3];
	float (*balls)[4];        // or the ends of rods: x, y, z, radius
	uint32_t *grain;          // of each ball
	struct oz_facets *facets; // where the set made the mesh itself
} oz_thing;

// A mesh in the making.
typedef struct oz_facets {
	oz_vec3 *position, *normal;
	uint32_t (*triangles)[3];
	uint32_t vertices, count; // so far
} oz_facets;

typedef struct oz_set {
	RTCDevice device;
	RTCScene scene;
	oz_thing *things; // the number of a geometry is that of its thing
	uint32_t count;
	uint32_t clear_count;
	bool glass; // there is some
	const oz_thing *media[OZ_MEDIA];
	float ray_offset; // m, that rays keep off the surface they start from
	float ground;     // m; NAN: none
	float size;       // m, of the box
	float grid;       // m, between lines on the ground
	oz_light light;
	oz_box box;
	float cos_sun; // of its radius
	oz_vec3 sun_radiance;
	oz_vec3 sun_x, sun_y; // axes across it
} oz_set;

oz_result oz_set_open(oz_set *set, uint32_t threads, oz_error *error);
oz_result oz_set_fill(oz_set *set, const oz_painting *painting, oz_error *error);
void oz_set_clear(oz_set *set);
void oz_set_close(oz_set *set);

// The faces of a shape; `swell` (m) makes it that much larger, `reach` (m) is where planes end.
// NULL: memory is out. Free it with oz_facets_free.
oz_facets *oz_facets_of(const oz_shape *shape, float swell, float reach);
// The same of a mesh that stands where `shape` does.
oz_facets *oz_facets_of_hull(const struct oz_hull *hull, const oz_shape *shape, float swell);
void oz_facets_free(oz_facets *facets);

// ---- rays -------------------------------------------------------------------------------------

typedef struct oz_spot {
	const oz_thing *thing;    // NULL: the ground
	float distance;           // m
	oz_vec3 at, normal, flat; // both normals to the side that the ray comes from
	oz_vec3 lifted;           // as if the mesh were as round as its normals
	oz_vec3 colour;           // not that of the ground
	bool leaving;             // the ray comes from inside
} oz_spot;

// Finds the nearest thing or the ground; false: there is neither.
bool oz_spot_find(const oz_set *set, struct RTCIntersectContext *context, oz_vec3 from, oz_vec3 way,
                  oz_spot *spot);
struct RTCRayHit oz_ray_hit(oz_vec3 from, oz_vec3 way, float far);
// Fills in what Embree's hit tells of the thing at spot->at, then turns the normals to the ray.
void oz_spot_on_thing(const oz_set *set, oz_spot *spot, const struct RTCHit *hit);
void oz_spot_face(oz_spot *spot, oz_vec3 way);

// ---- light ------------------------------------------------------------------------------------

// The sky in a direction, and the sun in it where it is asked for.
oz_vec3 oz_set_sky(const oz_set *set, oz_vec3 way, bool sun);
oz_vec3 oz_set_ground(const oz_set *set, oz_vec3 at, float blur);
// How much of what is far away is haze.
float oz_set_haze(const oz_set *set, float distance);
void oz_set_light(oz_set *set, const oz_light *light);

// ---- the picture to be ------------------------------------------------------------------------

// What a pixel's samples met first, for the filter: nothing that differs much is mixed.
typedef struct oz_pixel_sums {
	oz_vec3 light;  // mean of the samples
	float variance; // of the mean, of its luminance
	oz_vec3 albedo; // through clear things, as far as that
	float depth;    // m
	oz_vec3 normal;
	float slope; // of depth, m a pixel
} oz_pixel_sums;

// Traces one sample into `sums`, which gathers sums; gives its light.
oz_vec3 oz_trace(const oz_set *set, const oz_sampler *sampler, const oz_camera *camera, uint32_t x,
                 uint32_t y, uint32_t sample, oz_pixel_sums *sums);

// Takes the noise out of the light of the probes; `scratch` has room for eight floats a pixel.
// Gives the light, in `light`.
void oz_denoise(oz_pool *pool, oz_pixel_sums *probes, oz_vec3 *light, float *scratch,
                uint32_t width, uint32_t height);

#endif
