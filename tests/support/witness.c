// witness.c: walls watched by the exact distance to their meshes.
#include "witness.h"

void test_witness_make(witness *a, oz_mesh mesh, double spacing, double cell, bool shell)
{
	*a = (witness){.mesh = mesh, .spacing = spacing};
	const oz_mesh_sdf_def def = {.cell = (float)(cell * spacing),
	                             .reach = (float)((2 + 2 * cell) * spacing),
	                             .shell = shell,
	                             .cache = "",
	                             .threads = 1};
	oz_mesh_report report;
	oz_error error = {OZ_OK, ""};
	test_must(oz_mesh_sdf(&mesh, "m", &def, &a->sdf, &report, &error), &error);
	test_must(oz_nearest_create(&a->mesh, 1, &a->nearest, &error), &error);
	a->min = report.min;
	a->max = report.max;
}

void test_witness_free(witness *a)
{
	oz_sdf_release(a->sdf);
	oz_nearest_destroy(a->nearest);
	oz_mesh_lines_free(&a->lines);
	oz_mesh_free(&a->mesh);
	free(a->before);
	free(a->side);
	*a = (witness){0};
}

oz_mesh test_mesh_slab(vec size, vec position)
{
	oz_mesh m = test_mesh_cube();
	oz_mesh_transform(&m, vec_narrow(size), oz_quat_identity(), vec_narrow(position));
	return m;
}

oz_mesh test_mesh_tilted(oz_mesh m, vec axis, double angle)
{
	oz_mesh_transform(&m, oz_v3(1, 1, 1), test_rotation(axis, angle), oz_v3(0, 0, 0));
	return m;
}

oz_mesh test_mesh_of_scene(const char *name, double scale)
{
	char path[512];
	oz_mesh m;
	oz_error error = {OZ_OK, ""};
	snprintf(path, sizeof path, "%s/%s.ply", test_source("scenes/meshes"), name);
	test_must(oz_mesh_load(path, &m, &error), &error);
	return test_mesh_placed(m, (float)scale, oz_v3(0, 0, 0));
}

static vec corner_of(const oz_mesh *m, uint32_t triangle, int k)
{
	const oz_vec3 v = m->vertices[m->triangles[triangle][k]];
	return vec_of((double)v.x, (double)v.y, (double)v.z);
}

// the same, asked often: pierces of a line along x are counted
static bool is_inside(witness *a, oz_vec3 p)
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

double test_witness_distance(const witness *a, oz_vec3 p)
{
	oz_nearest_point nearest;
	oz_nearest_find(a->nearest, &p, 1, &nearest);
	return (double)nearest.distance;
}

static bool pierces(const oz_mesh *m, uint32_t t, vec p, vec q)
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

static uint32_t pierced_by(const witness *a, oz_vec3 p, oz_vec3 q)
{
	const vec from = vec_wide(p), to = vec_wide(q);
	// out of reach of the way
	if (test_witness_distance(a, q) > vec_length(vec_sub(to, from)))
		return 0;
	for (uint32_t t = 0; t < a->mesh.triangle_count; t++)
		if (pierces(&a->mesh, t, from, to))
			return 1;
	return 0;
}

static void begin_watch(witness *a, uint32_t count)
{
	a->count = count;
	a->before = malloc(sizeof *a->before * (count + 1));
	a->side = calloc(count + 1, sizeof *a->side);
	assert_non_null(a->before);
	assert_non_null(a->side);
}

static oz_vec3 local_of(oz_vec3 x, const oz_shape *pose)
{
	return oz_quat_rotate(oz_quat_conjugate(pose->rotation), oz_sub(x, pose->position));
}

void test_witness_look(witness *a, oz_world *w, oz_id collider, bool closed, bool ways)
{
	test_particles all = test_particles_read(w);
	oz_shape pose;
	test_must(oz_world_get_collider(w, collider, &pose, NULL, NULL), NULL);
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
				a->deepest =
				        fmax(a->deepest, test_witness_distance(a, p) / a->spacing);
			}
		}
		if (ways && !first)
			a->pierced += pierced_by(a, a->before[i], p);
		a->before[i] = p;
	}
	test_particles_free(&all);
}

oz_collider_def test_collider_of(const witness *a)
{
	oz_shape shape = oz_shape_make(OZ_SHAPE_SDF, oz_v3(0, 0, 0));
	shape.sdf = a->sdf;
	return oz_collider_default(shape);
}

double test_seconds(double shortly, double fully)
{
	return test_is_long() ? fully : shortly;
}
