// trace.h: shared by the files of the path tracer: the objects that rays can hit, random numbers,
// light, and the sums of a pixel's samples.
#ifndef OZ_TRACE_H
#define OZ_TRACE_H

#include <math.h>

#include <embree3/rtcore.h>

#include "base/base.h"
#include "device/pool.h"
#include "math/vec.h"
#include "render/render.h"

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

// The greatest of the three channels.
static inline float oz_brightest(oz_vec3 c)
{
	return oz_max(c.x, oz_max(c.y, c.z));
}

static inline oz_vec3 oz_unit(oz_vec3 a)
{
	return oz_scale(a, 1.0f / sqrtf(oz_dot(a, a) + 1e-30f));
}

// ---- random numbers ---------------------------------------------------------------------------

#define OZ_MASK  64u // edge of the tile of blue noise, pixels
#define OZ_PAIRS 32u // pairs of random numbers of a path, then they repeat

typedef struct oz_sampler {
	float mask[OZ_MASK * OZ_MASK]; // blue noise, 0 … 1
	uint32_t samples;              // per pixel, for which `points` were made
	float (*points)[OZ_PAIRS][2];  // one row a sample
} oz_sampler;

// Makes the blue noise.
void oz_sampler_init(oz_sampler *sampler);
// Makes the points for a number of samples per pixel; false: out of memory.
bool oz_sampler_prepare(oz_sampler *sampler, uint32_t samples);
void oz_sampler_free(oz_sampler *sampler);

// Two numbers in [0, 1), the `pair`-th pair of a sample of pixel (x, y).
static inline void oz_sampler_get(const oz_sampler *s, uint32_t x, uint32_t y, uint32_t sample,
                                  uint32_t pair, float u[2])
{
	pair %= OZ_PAIRS;
	for (uint32_t k = 0; k < 2; k++) {
		// a different shift of the tile for each number, so that the numbers of a pixel are
		// uncorrelated
		const uint32_t at = 2 * pair + k;
		const uint32_t mx = (x + 23 * at + 7 * (at & 3)) % OZ_MASK;
		const uint32_t my = (y + 41 * at + 13 * (at >> 2)) % OZ_MASK;
		const float sum = s->points[sample][pair][k] + s->mask[my * OZ_MASK + mx];
		u[k] = sum < 1.0f ? sum : oz_min(sum - 1.0f, 0x1.fffffep-1f);
	}
}

// ---- the set ----------------------------------------------------------------------------------

enum { OZ_OBJECT_BALLS, OZ_OBJECT_MESH, OZ_OBJECT_RODS };

#define OZ_MEDIA 16u // transparent objects that have a medium of their own

// An object that rays can hit; one geometry of Embree.
typedef struct oz_object {
	int kind;
	oz_appearance appearance;
	bool clear;      // transparent: liquid and jelly
	bool glass;      // a sheet without thickness, which does not refract
	uint32_t medium; // index in oz_set.media; the lowest is used where several overlap
	float ior;       // index of refraction
	float scatter;   // 1/m
	oz_vec3 absorb;  // 1/m
	const oz_vec3 *position, *normal, *colour; // of vertices; NULL: flat, the appearance's
	const uint32_t (*triangles)[3];
	float (*balls)[4];        // or the ends of rods: x, y, z, radius
	uint32_t *grain;          // index of each ball's grain
	struct oz_facets *facets; // owned mesh of a collider; NULL: the mesh belongs to the caller
} oz_object;

// A mesh under construction.
typedef struct oz_facets {
	oz_vec3 *position, *normal;
	uint32_t (*triangles)[3];
	uint32_t vertices, count; // so far
} oz_facets;

// All objects that rays can hit, and the light.
typedef struct oz_set {
	RTCDevice device;
	RTCScene scene;
	oz_object *objects; // the index is the ID of Embree's geometry
	uint32_t count;
	uint32_t clear_count; // transparent objects
	bool glass;           // whether an object is glass
	const oz_object *media[OZ_MEDIA];
	float ray_offset; // m, distance of a ray's start from the surface
	float ground;     // m; NAN: none
	float size;       // m, diagonal of the box
	float grid;       // m, between lines on the ground
	oz_light light;
	oz_box box;
	float cos_sun; // cosine of the sun's angular radius
	oz_vec3 sun_radiance;
	oz_vec3 sun_x, sun_y; // unit vectors perpendicular to its direction
} oz_set;

// Starts Embree.
oz_result oz_set_open(oz_set *set, uint32_t threads, oz_error *error);
// Replaces the objects by those of a painting, which must stay valid until oz_set_clear.
oz_result oz_set_fill(oz_set *set, const oz_painting *painting, oz_error *error);
// Removes all objects.
void oz_set_clear(oz_set *set);
// Removes all objects and ends Embree; also after a failed oz_set_open.
void oz_set_close(oz_set *set);

// The faces of a shape at its pose, moved outwards by `swell` (m); a plane has the half size
// `reach` (m). NULL: out of memory. Free it with oz_facets_free.
oz_facets *oz_facets_of(const oz_shape *shape, float swell, float reach);
// The same for a mesh at the pose of `shape`.
oz_facets *oz_facets_of_mesh(const struct oz_shaded_mesh *shaded, const oz_shape *shape,
                             float swell);
void oz_facets_free(oz_facets *facets);

// ---- rays -------------------------------------------------------------------------------------

// The point where a ray hits an object or the ground.
typedef struct oz_spot {
	const oz_object *object; // NULL: the ground
	float distance;          // m
	oz_vec3 at, normal,
	        flat;   // m; interpolated and geometric normal, on the side of the ray's start
	oz_vec3 lifted; // m, the point on the curved surface that the normals describe
	oz_vec3 colour; // undefined for the ground
	bool leaving;   // the ray comes from inside the object
} oz_spot;

// Finds the nearest object or the ground along a ray; false: the ray hits nothing.
bool oz_spot_find(const oz_set *set, struct RTCIntersectContext *context, oz_vec3 from,
                  oz_vec3 direction, oz_spot *spot);
// A ray for Embree, up to the distance `far` (m).
struct RTCRayHit oz_ray_hit(oz_vec3 from, oz_vec3 direction, float far);
// Sets object, normals and colour of the spot at spot->at from Embree's hit.
void oz_spot_on_object(const oz_set *set, oz_spot *spot, const struct RTCHit *hit);
// Turns the normals to the side from which the ray comes, and sets `leaving`.
void oz_spot_face(oz_spot *spot, oz_vec3 direction);

// ---- light ------------------------------------------------------------------------------------

// Radiance of the sky in a direction, with the sun's disc if `sun`.
oz_vec3 oz_set_sky(const oz_set *set, oz_vec3 direction, bool sun);
// Colour of the ground with its grid; blur (m): half the width of a pixel there.
oz_vec3 oz_set_ground(const oz_set *set, oz_vec3 at, float blur);
// Fraction of haze in the colour of the ground at a distance (m).
float oz_set_haze(const oz_set *set, float distance);
// Sets the light and its derived members.
void oz_set_light(oz_set *set, const oz_light *light);

// ---- pixels -----------------------------------------------------------------------------------

// Means of a pixel's samples. Albedo, depth and normal are those of the first surface that is not
// transparent; the filter does not mix pixels that differ much in them.
typedef struct oz_pixel_sums {
	oz_vec3 light;  // mean of the samples
	float variance; // of the mean, of its luminance
	oz_vec3 albedo; // seen through transparent objects
	float depth;    // m
	oz_vec3 normal;
	float slope; // of depth, m per pixel
} oz_pixel_sums;

// Traces one sample, adds albedo, depth and normal to `sums`; returns its light.
oz_vec3 oz_trace(const oz_set *set, const oz_sampler *sampler, const oz_camera *camera, uint32_t x,
                 uint32_t y, uint32_t sample, oz_pixel_sums *sums);

// Filters the noise of the pixels' light and writes the result to `light`; `scratch` holds eight
// floats per pixel.
void oz_denoise(oz_pool *pool, oz_pixel_sums *probes, oz_vec3 *light, float *scratch,
                uint32_t width, uint32_t height);

#endif
