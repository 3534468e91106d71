// clouds.h: clouds of points, surfaces around them, and the proof that a mesh is closed.
#ifndef OZ_TEST_CLOUDS_H
#define OZ_TEST_CLOUDS_H

#include "math/vec.h"
#include "ooze/surface.h"
#include "support.h"

static const char *const test_surface_kinds[] = {"density", "distance", "smooth"};

// ---- surfaces ----------------------------------------------------------------------------------

oz_surface_input test_surface_input(const oz_vec3 *points, uint32_t count);
oz_surface *test_surface(oz_surface_def def);
oz_surface_mesh test_surface_build(oz_surface *s, oz_surface_input input);
// nothing done to the mesh after the cubes
oz_surface_def test_surface_def(oz_surface_kind kind, float spacing);

// ---- closed meshes -----------------------------------------------------------------------------

// The triangle (from, to, next), filed under its corner `from`.
typedef struct corner {
	uint32_t to, next;
} corner;

typedef struct corner_table {
	corner *corners; // by vertex
	uint32_t *start; // of each vertex, and the end
} corner_table;

// Every directed edge once, and its opposite once; every vertex used, its triangles one fan; unit
// normals. Gives V - E + F.
long test_surface_is_closed(const oz_surface_mesh *m);

// ---- points ------------------------------------------------------------------------------------

typedef struct cloud {
	oz_vec3 *points; // to be freed with free()
	uint32_t count;
} cloud;
cloud test_cloud(oz_shape shape, float spacing, oz_fill way);
cloud test_cloud_ball(float radius, float spacing, oz_fill way);
// Puts the points of b behind those of a, moved; b is freed.
void test_cloud_join(cloud *a, cloud b, oz_vec3 by);
float test_between(uint64_t *seed, float low, float high);
oz_vec3 test_in_box(uint64_t *seed, float edge);
uint32_t test_cloud_nearest(const cloud *c, oz_vec3 x);

enum { UNIFORM, CLUSTERED, SHEET, LINE, LATTICE, PAIRS, COINCIDENT, CLOUD_KINDS };
// one point of a random cloud; `last` is the one before
oz_vec3 random_point(int kind, uint64_t *seed, uint32_t i, oz_vec3 last, float d);
// points around `spacing` apart, somewhere
cloud test_cloud_random(int kind, uint64_t *seed, uint32_t count, float spacing);

#endif
