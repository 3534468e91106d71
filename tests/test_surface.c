// test_surface.c: meshes around particles: closed, of the right volume, where they belong.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ooze/surface.h"
#include "support.h"

// ---- helpers -----------------------------------------------------------------------------------

typedef struct cloud {
	oz_vec3 *points;
	uint32_t count;
} cloud;

static cloud fill(oz_shape shape, float spacing, oz_fill way)
{
	cloud c;
	assert_int_equal(oz_shape_fill(&shape, spacing, way, &c.points, &c.count, NULL), OZ_OK);
	return c;
}

static oz_surface_input input_of(const oz_vec3 *points, uint32_t count)
{
	return (oz_surface_input){.position = {points, sizeof *points, count}};
}

static oz_surface *make(oz_surface_def def)
{
	oz_surface *s;
	oz_error error = {0};
	if (oz_surface_create(&def, &s, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return s;
}

static oz_surface_mesh build(oz_surface *s, oz_surface_input input)
{
	oz_surface_mesh mesh;
	oz_error error = {0};
	if (oz_surface_build(s, &input, &mesh, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return mesh;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

// Every directed edge once, and its opposite once; every vertex used, its triangles one fan. Gives
// V - E + F.
static long check_closed(const oz_surface_mesh *m)
{
	const size_t edges = 3 * (size_t)m->triangle_count;
	uint64_t *edge = malloc((edges + 1) * sizeof *edge);
	uint8_t *used = calloc(m->vertex_count + 1, 1);
	for (uint32_t i = 0; i < m->triangle_count; i++)
		for (int c = 0; c < 3; c++) {
			const uint64_t a = m->triangles[i][c], b = m->triangles[i][(c + 1) % 3];
			assert_true(a < m->vertex_count && a != b);
			edge[3 * (size_t)i + (size_t)c] = a << 32 | b;
			used[a] = 1;
		}
	qsort(edge, edges, sizeof *edge, by_number);
	for (size_t k = 0; k < edges; k++) {
		const uint64_t back = edge[k] << 32 | edge[k] >> 32;
		if (k)
			assert_true(edge[k] != edge[k - 1]);
		assert_non_null(bsearch(&back, edge, edges, sizeof *edge, by_number));
	}
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		assert_true(used[v]);
		assert_true(isfinite(m->position[v].x + m->position[v].y + m->position[v].z));
	}
	free(edge);
	free(used);
	return (long)m->vertex_count - (long)(edges / 2) + (long)m->triangle_count;
}

static double measure(oz_surface_def def, oz_shape shape, oz_fill way, long *euler)
{
	cloud c = fill(shape, def.spacing, way);
	oz_surface *s = make(def);
	const oz_surface_mesh mesh = build(s, input_of(c.points, c.count));
	*euler = check_closed(&mesh);
	const double volume = oz_surface_volume(&mesh);
	oz_surface_destroy(s);
	oz_points_free(c.points);
	return volume;
}

static const char *const kinds[] = {"density", "distance", "smooth"};

// ---- volume ------------------------------------------------------------------------------------

static void volume_of_a_ball_box_and_torus_is_right(void **state)
{
	(void)state;
	const struct {
		oz_shape shape;
		double volume;
		long euler;
	} cases[] = {
	        {oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){1, 0, 0}), 4.18879, 2},
	        {oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){2, 1.5f, 1}), 3, 2},
	        {oz_shape_make(OZ_SHAPE_TORUS, (oz_vec3){1, 0.5f, 0}), 4.93480, 0},
	};
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++)
		for (int k = 0; k < 3; k++) {
			double error[2];
			for (int fine = 0; fine < 2; fine++) {
				long euler;
				oz_surface_def def = oz_surface_default(fine ? 0.025f : 0.05f);
				def.kind = (oz_surface_kind)kind;
				error[fine] =
				        measure(def, cases[k].shape, OZ_FILL_LATTICE, &euler) /
				                cases[k].volume -
				        1;
				assert_int_equal(euler, cases[k].euler);
			}
			print_message("%s %d: %.4f %.4f\n", kinds[kind], k, error[0], error[1]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(volume_of_a_ball_box_and_torus_is_right),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
