// test_surface.c: meshes around particles: of the right volume, smooth, fitting to walls, at rest.
#include "clouds.h"

// ---- volume ------------------------------------------------------------------------------------

// the points of a cubic lattice inside a shape at most three units wide, half a spacing off its
// planes of symmetry: the same lattice at every size, which a fill is not
static cloud lattice_in(oz_shape shape, float spacing)
{
	const int half = (int)(1.5f / spacing);
	cloud c = {.points = malloc(sizeof *c.points * 8 * (size_t)(half * half * half))};
	assert_non_null(c.points);
	for (int x = -half; x < half; x++)
		for (int y = -half; y < half; y++)
			for (int z = -half; z < half; z++) {
				const oz_vec3 p = {((float)x + 0.5f) * spacing,
				                   ((float)y + 0.5f) * spacing,
				                   ((float)z + 0.5f) * spacing};
				if (oz_shape_distance(&shape, p) < 0)
					c.points[c.count++] = p;
			}
	return c;
}

static double volume_error(oz_surface_def def, oz_shape shape, double volume, long euler)
{
	cloud c = lattice_in(shape, def.spacing);
	oz_surface *s = test_surface(def);
	const oz_surface_mesh mesh = test_surface_build(s, test_surface_input(c.points, c.count));
	assert_int_equal(test_surface_is_closed(&mesh), euler);
	const double error = oz_surface_volume(&mesh) / volume - 1;
	oz_surface_destroy(s);
	free(c.points);
	return error;
}

static void volume_of_a_ball_box_and_torus_is_right_and_better_for_finer_particles(void **state)
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
				oz_surface_def def = oz_surface_default(fine ? 0.025f : 0.05f);
				def.kind = (oz_surface_kind)kind;
				error[fine] = volume_error(def, cases[k].shape, cases[k].volume,
				                           cases[k].euler);
			}
			print_message("%s %d: %.4f %.4f\n", test_surface_kinds[kind], k, error[0],
			              error[1]);
			assert_true(fabs(error[1]) < 0.02);
			assert_true(fabs(error[1]) < fabs(error[0]));
		}
}

static void a_ball_is_as_large_as_its_volume_and_area_say(void **state)
{
	(void)state;
	cloud c = test_cloud_ball(1, 0.05f, OZ_FILL_LATTICE);
	oz_surface *s = test_surface(oz_surface_default(0.05f));
	const oz_surface_mesh mesh = test_surface_build(s, test_surface_input(c.points, c.count));
	assert_true(fabs(oz_surface_area(&mesh) / 12.56637 - 1) < 0.03);
	for (uint32_t v = 0; v < mesh.vertex_count; v++) {
		assert_true(fabsf(oz_length(mesh.position[v]) - 1) < 0.05f);
		assert_true(oz_dot(mesh.normal[v], oz_normalize(mesh.position[v])) > 0.8f);
	}
	oz_surface_destroy(s);
	free(c.points);
}

// ---- pieces ------------------------------------------------------------------------------------

// V - E + F of a mesh of balls: two for each
static long pieces_of(const oz_surface_mesh *m)
{
	return test_surface_is_closed(m) / 2;
}

// volumes on both sides of x = 0, between which no triangle reaches
static void volumes_beside_zero(const oz_surface_mesh *m, double volume[2])
{
	oz_surface_mesh part = *m;
	uint32_t(*triangles)[3] = malloc(3 * sizeof(uint32_t) * ((size_t)m->triangle_count + 1));
	for (int side = 0; side < 2; side++) {
		part.triangle_count = 0;
		for (uint32_t i = 0; i < m->triangle_count; i++)
			if ((m->position[m->triangles[i][0]].x > 0) == side)
				memcpy(triangles[part.triangle_count++], m->triangles[i],
				       sizeof *triangles);
		part.triangles = (const uint32_t(*)[3])triangles;
		volume[side] = oz_surface_volume(&part);
	}
	free(triangles);
}

static void smoothing_keeps_the_volume_of_each_piece(void **state)
{
	(void)state;
	static const uint32_t passes[] = {0, 1, 10, 100};
	cloud c = test_cloud_ball(0.8f, 0.05f, OZ_FILL_LATTICE);
	for (uint32_t i = 0; i < c.count; i++)
		c.points[i].x -= 1;
	test_cloud_join(&c, test_cloud_ball(0.25f, 0.05f, OZ_FILL_LATTICE), oz_v3(0.5f, 0, 0));
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		double before[2], after[2];
		for (int k = 0; k < 4; k++) {
			oz_surface_def def = test_surface_def((oz_surface_kind)kind, 0.05f);
			def.smoothing = passes[k];
			oz_surface *s = test_surface(def);
			const oz_surface_mesh mesh =
			        test_surface_build(s, test_surface_input(c.points, c.count));
			assert_int_equal(pieces_of(&mesh), 2);
			volumes_beside_zero(&mesh, k ? after : before);
			for (int side = 0; k && side < 2; side++)
				assert_true(fabs(after[side] / before[side] - 1) < 0.005);
			oz_surface_destroy(s);
		}
	}
	free(c.points);
}

// a drop is but a few triangles, which smoothing alone would draw together to a point
static void smoothing_keeps_drops_where_and_as_large_as_they_are(void **state)
{
	(void)state;
	static const uint32_t passes[] = {0, 1, 10, 100, 1000};
	uint64_t seed = 9;
	cloud c = {malloc(sizeof(oz_vec3) * 40), 40};
	for (uint32_t i = 0; i < c.count; i++)
		c.points[i] = oz_add(test_in_box(&seed, 0.1f), oz_v3(0.3f * (float)i, 0, 0));
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		double before = 0;
		for (int k = 0; k < 5; k++) {
			oz_surface_def def = test_surface_def((oz_surface_kind)kind, 0.05f);
			def.smoothing = passes[k];
			oz_surface *s = test_surface(def);
			const oz_surface_mesh m =
			        test_surface_build(s, test_surface_input(c.points, c.count));
			assert_int_equal(pieces_of(&m), c.count);
			const double volume = oz_surface_volume(&m);
			before = k ? before : volume;
			assert_true(fabs(volume / before - 1) < 0.005);
			for (uint32_t v = 0; v < m.vertex_count; v++) {
				const oz_vec3 x = c.points[test_cloud_nearest(&c, m.position[v])];
				assert_true(oz_length(oz_sub(x, m.position[v])) < 0.06f);
			}
			oz_surface_destroy(s);
		}
	}
	free(c.points);
}

static double radius_deviation(oz_surface_kind kind, uint32_t passes, const cloud *c)
{
	oz_surface_def def = test_surface_def(kind, 0.05f);
	def.smoothing = passes;
	def.cell = 0.75f;
	oz_surface *s = test_surface(def);
	const oz_surface_mesh m = test_surface_build(s, test_surface_input(c->points, c->count));
	double sum = 0, squares = 0;
	for (uint32_t v = 0; v < m.vertex_count; v++) {
		const double r = (double)oz_length(m.position[v]);
		sum += r;
		squares += r * r;
	}
	const double mean = sum / m.vertex_count;
	oz_surface_destroy(s);
	return sqrt(squares / m.vertex_count - mean * mean);
}

static void smoothing_makes_a_bumpy_ball_smoother(void **state)
{
	(void)state;
	cloud c = test_cloud_ball(0.8f, 0.05f, OZ_FILL_BLUE_NOISE);
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		const double bumpy = radius_deviation((oz_surface_kind)kind, 0, &c);
		const double better = radius_deviation((oz_surface_kind)kind, 3, &c);
		const double best = radius_deviation((oz_surface_kind)kind, 30, &c);
		print_message("%s: radius ± %.2f, %.2f, %.2f mm\n", test_surface_kinds[kind],
		              1e3 * bumpy, 1e3 * better, 1e3 * best);
		assert_true(better < 0.95 * bumpy && best < 0.95 * better);
	}
	free(c.points);
}

static void specks_are_left_out_and_all_else_stays(void **state)
{
	(void)state;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		cloud c = test_cloud_ball(0.3f, 0.05f, OZ_FILL_LATTICE);
		oz_surface_def def = test_surface_def((oz_surface_kind)kind, 0.05f);
		oz_surface *plain = test_surface(def);
		def.specks = 2;
		oz_surface *strict = test_surface(def);
		const oz_surface_mesh alone =
		        test_surface_build(plain, test_surface_input(c.points, c.count));
		const uint32_t count = alone.vertex_count;
		oz_vec3 *kept = malloc(sizeof *kept * count);
		memcpy(kept, alone.position, sizeof *kept * count);
		assert_int_equal(pieces_of(&alone), 1);
		// before and behind the ball in every order
		for (int k = 0; k < 5; k++) {
			cloud lone = {calloc(1, sizeof(oz_vec3)), 1};
			test_cloud_join(&c, lone, oz_v3(0.5f * (float)(k - 2), 0.6f, 0.1f));
		}
		const oz_surface_mesh all =
		        test_surface_build(plain, test_surface_input(c.points, c.count));
		assert_int_equal(pieces_of(&all), 6);
		const oz_surface_mesh few =
		        test_surface_build(strict, test_surface_input(c.points, c.count));
		assert_int_equal(pieces_of(&few), 1);
		assert_int_equal(few.vertex_count, count);
		uint32_t next = 0;
		for (uint32_t v = 0; v < all.vertex_count && next < count; v++)
			next += memcmp(&all.position[v], &few.position[next], sizeof(oz_vec3)) == 0;
		assert_int_equal(next, count);
		for (uint32_t v = 0; v < count; v++)
			assert_true(fabsf(oz_length(few.position[v]) - oz_length(kept[v])) < 0.1f);
		oz_surface_destroy(plain);
		oz_surface_destroy(strict);
		free(kept);
		free(c.points);
	}
}

// ---- walls -------------------------------------------------------------------------------------

// particles along a wall, on the one side of it, half a spacing away; at x = 0.1 m they end
static cloud beside_wall(const oz_shape *wall, bool inside, float spacing)
{
	cloud all = test_cloud(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1.5f, 1.5f, 1.5f}), spacing,
	                       OZ_FILL_LATTICE);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		const float d = oz_shape_distance(wall, all.points[i]);
		if ((inside ? -d : d) > 0.5f * spacing && all.points[i].x < 0.1f)
			all.points[kept++] = all.points[i];
	}
	all.count = kept;
	return all;
}

static void check_fit(oz_shape wall, bool inside, float fit, oz_surface_kind kind)
{
	oz_surface_def def = test_surface_def(kind, 0.08f);
	cloud c = beside_wall(&wall, inside, def.spacing);
	oz_surface_input in = test_surface_input(c.points, c.count);
	in.walls = &wall;
	in.wall_count = 1;
	oz_surface *free_one = test_surface(def);
	def.fit = fit;
	oz_surface *fitted = test_surface(def);
	const oz_surface_mesh before = test_surface_build(free_one, in),
	                      after = test_surface_build(fitted, in);
	uint32_t moved = 0;
	test_surface_is_closed(&after);
	assert_int_equal(before.vertex_count, after.vertex_count);
	for (uint32_t v = 0; v < before.vertex_count; v++) {
		const float d = fabsf(oz_shape_distance(&wall, before.position[v]));
		const float left = fabsf(oz_shape_distance(&wall, after.position[v]));
		// right at the rim rounding decides
		if (d < 0.9999f * fit * def.spacing) {
			moved++;
			assert_true(left < 1e-4f * def.spacing);
		} else if (d > 1.0001f * fit * def.spacing)
			assert_memory_equal(&before.position[v], &after.position[v],
			                    sizeof(oz_vec3));
	}
	assert_true(moved > 100 && moved < before.vertex_count);
	oz_surface_destroy(free_one);
	oz_surface_destroy(fitted);
	free(c.points);
}

static void vertices_near_a_wall_of_any_shape_lie_on_it_and_others_stay(void **state)
{
	(void)state;
	static const oz_vec3 sizes[] =
	        {[OZ_SHAPE_BOX] = {0.7f, 0.5f, 0.9f},  [OZ_SHAPE_BALL] = {0.5f, 0, 0},
	         [OZ_SHAPE_DOME] = {0.5f, 0, 0},       [OZ_SHAPE_CYLINDER] = {0.4f, 0.7f, 0},
	         [OZ_SHAPE_CAPSULE] = {0.3f, 0.4f, 0}, [OZ_SHAPE_TORUS] = {0.4f, 0.2f, 0}};
	for (int kind = OZ_SHAPE_PLANE; kind <= OZ_SHAPE_TORUS; kind++)
		for (int inside = 0; inside < 2; inside++) {
			oz_shape wall = oz_shape_make((oz_shape_kind)kind, sizes[kind]);
			wall.position = (oz_vec3){0.05f, -0.02f, 0.04f};
			wall.rotation = (oz_quat){0.1f, 0.2f, -0.3f, 0.9273618f};
			check_fit(wall, inside, 0.5f, (oz_surface_kind)(kind % 3));
			check_fit(wall, inside, 1.5f, (oz_surface_kind)((kind + 1) % 3));
		}
}

// ---- at rest -----------------------------------------------------------------------------------

static int by_corners(const void *a, const void *b)
{
	return memcmp(a, b, 3 * sizeof(uint32_t));
}

// triangles by the names of their vertices, the lowest first, in order
static uint32_t (*sorted_triangles(const oz_surface_mesh *m, const uint32_t *name))[3]
{
	uint32_t(*out)[3] = malloc(3 * sizeof(uint32_t) * ((size_t)m->triangle_count + 1));
	for (uint32_t i = 0; i < m->triangle_count; i++) {
		uint32_t t[3];
		for (int c = 0; c < 3; c++)
			t[c] = name ? name[m->triangles[i][c]] : m->triangles[i][c];
		const int first = t[0] < t[1] && t[0] < t[2] ? 0 : t[1] < t[2] ? 1 : 2;
		for (int c = 0; c < 3; c++)
			out[i][c] = t[(first + c) % 3];
	}
	qsort(out, m->triangle_count, sizeof *out, by_corners);
	return out;
}

static void check_shift(const oz_surface_mesh *from, const oz_surface_mesh *to, oz_vec3 by,
                        float cell)
{
	assert_int_equal(from->vertex_count, to->vertex_count);
	assert_int_equal(from->triangle_count, to->triangle_count);
	const cloud old = {(oz_vec3 *)from->position, from->vertex_count};
	uint32_t *name = malloc(sizeof *name * (to->vertex_count + 1));
	for (uint32_t v = 0; v < to->vertex_count; v++) {
		const oz_vec3 x = oz_sub(to->position[v], by);
		name[v] = test_cloud_nearest(&old, x);
		assert_true(oz_length(oz_sub(x, old.points[name[v]])) < 1e-4f * cell);
	}
	uint32_t(*a)[3] = sorted_triangles(from, NULL), (*b)[3] = sorted_triangles(to, name);
	assert_memory_equal(a, b, 3 * sizeof(uint32_t) * (size_t)from->triangle_count);
	free(a);
	free(b);
	free(name);
}

static void moving_all_particles_by_whole_cells_moves_the_mesh_and_nothing_else(void **state)
{
	(void)state;
	// powers of two, so that the move is exact
	const float spacing = 0.0625f, cell = 0.5f * spacing;
	const oz_vec3 by = oz_v3(7 * cell, -7 * cell, 21 * cell);
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		oz_surface_def def = test_surface_def((oz_surface_kind)kind, spacing);
		def.cell = 0.5f;
		cloud c = test_cloud_ball(0.3f, spacing, OZ_FILL_BLUE_NOISE);
		cloud moved = {malloc(sizeof(oz_vec3) * c.count), c.count};
		for (uint32_t i = 0; i < c.count; i++) {
			const oz_vec3 x = oz_scale(c.points[i], 1 << 18);
			c.points[i] = oz_scale(oz_v3(roundf(x.x), roundf(x.y), roundf(x.z)),
			                       1.0f / (1 << 18));
			moved.points[i] = oz_add(c.points[i], by);
		}
		oz_surface *a = test_surface(def), *b = test_surface(def);
		const oz_surface_mesh from =
		        test_surface_build(a, test_surface_input(c.points, c.count));
		const oz_surface_mesh to =
		        test_surface_build(b, test_surface_input(moved.points, c.count));
		check_shift(&from, &to, by, cell);
		oz_surface_destroy(a);
		oz_surface_destroy(b);
		free(c.points);
		free(moved.points);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(
	                volume_of_a_ball_box_and_torus_is_right_and_better_for_finer_particles),
	        cmocka_unit_test(a_ball_is_as_large_as_its_volume_and_area_say),
	        cmocka_unit_test(smoothing_keeps_the_volume_of_each_piece),
	        cmocka_unit_test(smoothing_keeps_drops_where_and_as_large_as_they_are),
	        cmocka_unit_test(smoothing_makes_a_bumpy_ball_smoother),
	        cmocka_unit_test(specks_are_left_out_and_all_else_stays),
	        cmocka_unit_test(vertices_near_a_wall_of_any_shape_lie_on_it_and_others_stay),
	        cmocka_unit_test(
	                moving_all_particles_by_whole_cells_moves_the_mesh_and_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
