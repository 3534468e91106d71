// SDF.h: worlds with SDF walls, watched by the exact distance to their meshes.
//
// A witness knows a mesh as triangles, not as an SDF: how far a point is from it, on which side,
// and whether a way pierces it. What it sees is in the collider's own frame, as that stands at the
// world's time.
#ifndef OZ_TEST_CHARTED_H
#define OZ_TEST_CHARTED_H

#include "geometry/mesh_lines.h"
#include "geometry/mesh_nearest.h"
#include "meshes.h"
#include "physics.h"
#include "sdf/mesh_sdf.h"

#ifdef OZ_HAVE_EMBREE
#define NEEDS_SDFS
#else
#define NEEDS_SDFS skip()
#endif

typedef struct witness {
	oz_mesh mesh;
	oz_nearest *nearest;
	oz_mesh_lines lines;
	oz_vec3 min, max;
	oz_sdf *sdf;
	double spacing;
	oz_vec3 *before; // where particles were at the last look
	float *side;     // of each at the first look: 1 outside, -1 inside
	uint32_t count;
	// since the first look
	double deepest; // spacings, that any was on the other side than it began
	uint32_t crossed, pierced;
} witness;

static inline void sdf_must(oz_result result, const oz_error *error)
{
	if (result != OZ_OK)
		fail_msg("%s", error->text);
}

// Takes the mesh; `cell` is in spacings.
static inline void call_witness(witness *a, oz_mesh mesh, double spacing, double cell, bool shell)
{
	*a = (witness){.mesh = mesh, .spacing = spacing};
	const oz_mesh_sdf_def def = {.cell = (float)(cell * spacing),
	                             .reach = (float)((2 + 2 * cell) * spacing),
	                             .shell = shell,
	                             .cache = "",
	                             .threads = 1};
	oz_mesh_report report;
	oz_error error = {OZ_OK, ""};
	sdf_must(oz_mesh_sdf(&mesh, "m", &def, &a->sdf, &report, &error), &error);
	sdf_must(oz_nearest_create(&a->mesh, 1, &a->nearest, &error), &error);
	a->min = report.min;
	a->max = report.max;
}

static inline void witness_free(witness *a)
{
	oz_sdf_release(a->sdf);
	oz_nearest_destroy(a->nearest);
	oz_mesh_lines_free(&a->lines);
	oz_mesh_free(&a->mesh);
	free(a->before);
	free(a->side);
	*a = (witness){0};
}

static inline oz_mesh slab(vec size, vec position)
{
	oz_mesh m = cube();
	oz_mesh_transform(&m, vec_narrow(size), oz_quat_identity(), vec_narrow(position));
	return m;
}

static inline oz_mesh tilted(oz_mesh m, vec axis, double angle)
{
	oz_mesh_transform(&m, oz_v3(1, 1, 1), oz_phys_turn(axis, angle), oz_v3(0, 0, 0));
	return m;
}

static inline oz_mesh mesh_of_file(const char *name, double scale)
{
	char path[512];
	oz_mesh m;
	oz_error error = {OZ_OK, ""};
	snprintf(path, sizeof path, "%s/scenes/meshes/%s.ply", OZ_SOURCE_DIR, name);
	sdf_must(oz_mesh_load(path, &m, &error), &error);
	return placed(m, (float)scale, oz_v3(0, 0, 0));
}

static inline vec corner_of(const oz_mesh *m, uint32_t triangle, int k)
{
	const oz_vec3 v = m->vertices[m->triangles[triangle][k]];
	return vec_of((double)v.x, (double)v.y, (double)v.z);
}

// whether the mesh winds around a point, by the solid angles of all its triangles
static inline bool is_within(const oz_mesh *m, vec p)
{
	double sum = 0;
	for (uint32_t t = 0; t < m->triangle_count; t++) {
		const vec a = vec_sub(corner_of(m, t, 0), p), b = vec_sub(corner_of(m, t, 1), p);
		const vec c = vec_sub(corner_of(m, t, 2), p);
		const double x = vec_length(a), y = vec_length(b), z = vec_length(c);
		sum += atan2(vec_dot(a, vec_cross(b, c)),
		             x * y * z + vec_dot(a, b) * z + vec_dot(b, c) * x + vec_dot(c, a) * y);
	}
	return sum > PI;
}

// the same, asked often: pierces of a line along x are counted
static inline bool is_inside(witness *a, oz_vec3 p)
{
	if (!a->lines.mesh && !oz_mesh_lines_make(&a->lines, &a->mesh, a->min, a->max, 0))
		fail_msg("out of memory");
	oz_line line = oz_line_at(&a->lines, (double)p.y, (double)p.z);
	oz_pierce pierce;
	int winding = 0;
	while (oz_line_next(&a->lines, &line, &pierce))
		winding += pierce.u <= (double)p.x ? pierce.winding_step : 0;
	return winding > 0;
}

static inline double distance_to(const witness *a, oz_vec3 p)
{
	oz_nearest_point nearest;
	oz_nearest_find(a->nearest, &p, 1, &nearest);
	return (double)nearest.distance;
}

static inline bool pierces(const oz_mesh *m, uint32_t t, vec p, vec q)
{
	const vec a = corner_of(m, t, 0), way = vec_sub(q, p), to = vec_sub(p, a);
	const vec e = vec_sub(corner_of(m, t, 1), a), f = vec_sub(corner_of(m, t, 2), a);
	const vec n = vec_cross(way, f);
	const double det = vec_dot(e, n);
	if (fabs(det) < 1e-300)
		return false;
	const vec r = vec_cross(to, e);
	const double u = vec_dot(to, n) / det, v = vec_dot(way, r) / det, s = vec_dot(f, r) / det;
	return u >= 0 && v >= 0 && u + v <= 1 && s >= 0 && s <= 1;
}

static inline vec wide_of(oz_vec3 v)
{
	return vec_of((double)v.x, (double)v.y, (double)v.z);
}

static inline uint32_t pierced_by(const witness *a, oz_vec3 p, oz_vec3 q)
{
	const vec from = wide_of(p), to = wide_of(q);
	// out of reach of the way
	if (distance_to(a, q) > vec_length(vec_sub(to, from)))
		return 0;
	for (uint32_t t = 0; t < a->mesh.triangle_count; t++)
		if (pierces(&a->mesh, t, from, to))
			return 1;
	return 0;
}

static inline void begin_watch(witness *a, uint32_t count)
{
	a->count = count;
	a->before = malloc(sizeof *a->before * (count + 1));
	a->side = calloc(count + 1, sizeof *a->side);
	assert_non_null(a->before);
	assert_non_null(a->side);
}

static inline oz_vec3 local_of(oz_vec3 x, const oz_shape *pose)
{
	return oz_quat_rotate(oz_quat_conjugate(pose->rotation), oz_sub(x, pose->position));
}

// Looks at all particles; sides of a closed mesh, and at every step also the ways since.
static inline void watch(witness *a, oz_world *w, oz_id collider, bool closed, bool ways)
{
	grains all = oz_phys_grains(w);
	oz_shape pose;
	sdf_must(oz_world_get_collider(w, collider, &pose, NULL, NULL), NULL);
	const bool first = !a->before;
	if (first)
		begin_watch(a, all.count);
	assert_int_equal(all.count, a->count);
	for (uint32_t i = 0; i < all.count; i++) {
		const oz_vec3 p = local_of(vec_narrow(all.at[i].x), &pose);
		if (closed) {
			const float side = is_inside(a, p) ? -1.0f : 1.0f;
			a->side[i] = first ? side : a->side[i];
			if (side != a->side[i]) {
				a->crossed++;
				a->deepest = fmax(a->deepest, distance_to(a, p) / a->spacing);
			}
		}
		if (ways && !first)
			a->pierced += pierced_by(a, a->before[i], p);
		a->before[i] = p;
	}
	oz_phys_release(&all);
}

#endif
