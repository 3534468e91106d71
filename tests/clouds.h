// clouds.h: clouds of points, surfaces around them, and the proof that a mesh is closed.
#ifndef OZ_TEST_CLOUDS_H
#define OZ_TEST_CLOUDS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/vec.h"
#include "ooze/surface.h"
#include "support.h"

static const char *const kind_names[] = {"density", "distance", "smooth"};

// ---- surfaces ----------------------------------------------------------------------------------

static inline oz_surface_input input_of(const oz_vec3 *points, uint32_t count)
{
	return (oz_surface_input){.position = {points, sizeof *points, count}};
}

static inline oz_surface *make(oz_surface_def def)
{
	oz_surface *s;
	oz_error error = {0};
	if (oz_surface_create(&def, &s, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return s;
}

static inline oz_surface_mesh build(oz_surface *s, oz_surface_input input)
{
	oz_surface_mesh mesh;
	oz_error error = {0};
	if (oz_surface_build(s, &input, &mesh, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return mesh;
}

// nothing done to the mesh after the cubes
static inline oz_surface_def bare(oz_surface_kind kind, float spacing)
{
	oz_surface_def def = oz_surface_default(spacing);
	def.kind = kind;
	def.smoothing = 0;
	def.specks = 0;
	def.fit = 0;
	return def;
}

// ---- closed meshes -----------------------------------------------------------------------------

// The triangle (from, to, next), filed under its corner `from`.
typedef struct corner {
	uint32_t to, next;
} corner;

typedef struct corner_table {
	corner *corners; // by vertex
	uint32_t *start; // of each vertex, and the end
} corner_table;

static inline corner_table find_corners(const oz_surface_mesh *m)
{
	corner_table t = {malloc((3 * (size_t)m->triangle_count + 1) * sizeof *t.corners),
	                  calloc(m->vertex_count + 2u, sizeof *t.start)};
	// counted one place too high, so that filling brings every start to its place
	for (uint32_t i = 0; i < 3 * m->triangle_count; i++) {
		assert_true(m->triangles[i / 3][i % 3] < m->vertex_count);
		t.start[m->triangles[i / 3][i % 3] + 2]++;
	}
	for (uint32_t v = 0; v < m->vertex_count; v++)
		t.start[v + 2] += t.start[v + 1];
	for (uint32_t i = 0; i < m->triangle_count; i++)
		for (int c = 0; c < 3; c++) {
			const uint32_t *v = m->triangles[i];
			t.corners[t.start[v[c] + 1]++] = (corner){v[(c + 1) % 3], v[(c + 2) % 3]};
		}
	return t;
}

// how often the directed edge is there; its last triangle's next corner
static inline uint32_t find_edge(const corner_table *t, uint32_t from, uint32_t to, uint32_t *next)
{
	uint32_t found = 0;
	for (uint32_t k = t->start[from]; k < t->start[from + 1]; k++)
		if (t->corners[k].to == to) {
			found++;
			*next = t->corners[k].next;
		}
	return found;
}

// each edge once each way; from triangle to triangle around the vertex, all of them are met
static inline void check_vertex(const corner_table *t, uint32_t v)
{
	const uint32_t begin = t->start[v], end = t->start[v + 1];
	uint32_t met = 0, next = 0, at;
	assert_true(begin < end);
	for (uint32_t k = begin; k < end; k++) {
		assert_true(t->corners[k].to != v);
		assert_int_equal(find_edge(t, v, t->corners[k].to, &next), 1);
		assert_int_equal(find_edge(t, t->corners[k].to, v, &next), 1);
	}
	at = t->corners[begin].to;
	do {
		assert_int_equal(find_edge(t, v, at, &at), 1);
		met++;
	} while (at != t->corners[begin].to && met <= end - begin);
	assert_int_equal(met, end - begin);
}

// Every directed edge once, and its opposite once; every vertex used, its triangles one fan; unit
// normals. Gives V - E + F.
static inline long check_closed(const oz_surface_mesh *m)
{
	const corner_table t = find_corners(m);
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		check_vertex(&t, v);
		assert_true(isfinite(oz_length2(m->position[v])));
		assert_true(fabsf(oz_length(m->normal[v]) - 1.0f) < 1e-4f);
	}
	free(t.corners);
	free(t.start);
	assert_int_equal(3 * m->triangle_count % 2, 0);
	return (long)m->vertex_count - (long)(3 * (size_t)m->triangle_count / 2) +
	       (long)m->triangle_count;
}

// ---- points ------------------------------------------------------------------------------------

typedef struct cloud {
	oz_vec3 *points; // to be freed with free()
	uint32_t count;
} cloud;

static inline cloud fill(oz_shape shape, float spacing, oz_fill way)
{
	cloud c;
	oz_vec3 *points;
	assert_int_equal(oz_shape_fill(&shape, spacing, way, &points, &c.count, NULL), OZ_OK);
	c.points = malloc(sizeof *points * c.count);
	memcpy(c.points, points, sizeof *points * c.count);
	oz_points_free(points);
	return c;
}

static inline cloud ball_of(float radius, float spacing, oz_fill way)
{
	return fill(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){radius, 0, 0}), spacing, way);
}

// Puts the points of b behind those of a, moved; b is freed.
static inline void join_clouds(cloud *a, cloud b, oz_vec3 by)
{
	a->points = realloc(a->points, sizeof *a->points * (a->count + (size_t)b.count));
	for (uint32_t i = 0; i < b.count; i++)
		a->points[a->count++] = oz_add(b.points[i], by);
	free(b.points);
}

static inline float between(uint64_t *seed, float low, float high)
{
	return low + (high - low) * (float)test_random(seed);
}

static inline oz_vec3 in_box(uint64_t *seed, float edge)
{
	const float x = between(seed, 0, edge), y = between(seed, 0, edge);
	return oz_v3(x, y, between(seed, 0, edge));
}

static inline uint32_t nearest_of(const cloud *c, oz_vec3 x)
{
	uint32_t nearest = 0;
	float least = INFINITY;
	for (uint32_t i = 0; i < c->count; i++) {
		const float d = oz_length2(oz_sub(c->points[i], x));
		if (d < least) {
			least = d;
			nearest = i;
		}
	}
	return nearest;
}

enum { UNIFORM, CLUSTERED, SHEET, LINE, LATTICE, PAIRS, COINCIDENT, CLOUD_KINDS };

// one point of a random cloud; `last` is the one before
static inline oz_vec3 random_point(int kind, uint64_t *seed, uint32_t i, oz_vec3 last, float d)
{
	const oz_vec3 x = in_box(seed, 6 * d), jitter = in_box(seed, 0.3f * d);
	switch (kind) {
	case CLUSTERED:
		return i % 40 ? oz_add(last,
		                       oz_sub(in_box(seed, d), oz_scale(oz_v3(1, 1, 1), d / 2)))
		              : x;
	case SHEET: return oz_v3(2 * x.x, 2 * x.y, 0.1f * jitter.z);
	case LINE: return oz_mad(jitter, oz_v3(3, 2, 1), x.x);
	case LATTICE:
		return oz_scale(oz_v3((float)(i % 6), (float)(i / 6 % 6), (float)(i / 36)), d);
	case PAIRS: return i % 2 ? oz_add(last, oz_scale(jitter, 3)) : oz_scale(x, 2);
	case COINCIDENT: return i % 30 ? last : x;
	default: return x;
	}
}

// points around `spacing` apart, somewhere
static inline cloud random_cloud(int kind, uint64_t *seed, uint32_t count, float spacing)
{
	cloud c = {malloc(sizeof(oz_vec3) * (count + 1)), count};
	const oz_vec3 origin =
	        oz_sub(in_box(seed, 40 * spacing), oz_scale(oz_v3(1, 1, 1), 20 * spacing));
	oz_vec3 last = {0, 0, 0};
	for (uint32_t i = 0; i < count; i++) {
		last = random_point(kind, seed, i, last, spacing);
		c.points[i] = oz_add(last, origin);
	}
	return c;
}

#endif
