// test_fill.c: shapes filled with points: how many, how far apart, and all of them inside.
#include "math/quat.h"
#include "math/vec.h"
#include "ooze/ooze.h"
#include "support.h"
#include "worlds.h"

typedef struct cloud {
	oz_vec3 *at;
	uint32_t count;
} cloud;

typedef struct known {
	oz_shape_kind kind;
	oz_vec3 size;
	double volume;
	float across; // m, the least width
} known;

static const known knowns[] = {
        {OZ_SHAPE_BOX, {1, 0.5f, 0.75f}, 0.375, 0.5f},
        {OZ_SHAPE_BALL, {0.5f, 0, 0}, PI / 6, 1},
        {OZ_SHAPE_DOME, {0.5f, 0, 0}, PI / 12, 1},
        {OZ_SHAPE_CYLINDER, {0.5f, 1, 0}, PI / 4, 1},
        {OZ_SHAPE_CAPSULE, {0.5f, 1, 0}, PI / 4 + PI / 6, 1},
        {OZ_SHAPE_TORUS, {0.35f, 0.15f, 0}, 2 * PI *PI * 0.35 * 0.15 * 0.15, 0.3f},
};
enum { KNOWNS = sizeof knowns / sizeof *knowns };

static const oz_fill fills[] = {OZ_FILL_LATTICE, OZ_FILL_HEXAGONAL, OZ_FILL_BLUE_NOISE};

static cloud filled(const oz_shape *shape, float spacing, oz_fill fill)
{
	cloud c;
	oz_error error = {OZ_OK, ""};
	if (oz_shape_fill(shape, spacing, fill, &c.at, &c.count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return c;
}

static cloud filled_straight(oz_shape_kind kind, oz_vec3 size, float spacing, oz_fill fill)
{
	const oz_shape shape = oz_shape_make(kind, size);
	return filled(&shape, spacing, fill);
}

static float least_distance(const cloud *c)
{
	float least = INFINITY;
	oz_vec3 *at = malloc(sizeof *at * c->count);
	memcpy(at, c->at, sizeof *at * c->count);
	qsort(at, c->count, sizeof *at, test_by_x);
	for (uint32_t i = 0; i < c->count; i++)
		for (uint32_t j = i + 1; j < c->count; j++) {
			const float x = at[j].x - at[i].x;
			// so are all that follow
			if (x * x > least)
				break;
			least = fminf(least, oz_length2(oz_sub(at[i], at[j])));
		}
	free(at);
	return sqrtf(least);
}

static void box_of_k_spacings_gets_k_points_along_each_edge(void **state)
{
	(void)state;
	static const float spacings[] = {0.02f, 0.1f, 0.3f, 1.0f / 3, 0.007f, 12.5f};
	for (size_t s = 0; s < sizeof spacings / sizeof *spacings; s++)
		for (uint32_t k = 1; k <= 50; k += 7) {
			const float edge = spacings[s] * (float)k;
			const cloud c = filled_straight(OZ_SHAPE_BOX,
			                                oz_v3(edge, spacings[s] * 2, spacings[s]),
			                                spacings[s], OZ_FILL_LATTICE);
			assert_int_equal(c.count, k * 2);
			for (uint32_t i = 0; i < c.count; i++)
				assert_true(fabsf(c.at[i].x) <
				            (edge - spacings[s]) / 2 + spacings[s] * 1e-4f);
			assert_float_equal(c.at[0].x, -(edge - spacings[s]) / 2,
			                   spacings[s] * 1e-4f);
			oz_points_free(c.at);
		}
}

static void box_in_a_tank_of_its_size_has_every_layer_half_a_spacing_from_the_walls(void **state)
{
	(void)state;
	// 13.4 × 5.5 × 10 spacings: a lattice rounds to 13 × 6 × 10
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, oz_v3(0.268f, 0.11f, 0.2f));
	const cloud c = filled(&box, 0.02f, OZ_FILL_LATTICE);
	assert_int_equal(c.count, 737);
	uint32_t first = 0;
	for (uint32_t i = 0; i < c.count; i++) {
		const float d = 0.055f - fabsf(c.at[i].y);
		assert_true(d > 0.4f * 0.02f);
		first += d < 0.02f;
	}
	// two layers of 13.4 × 10
	assert_true(first > 240 && first < 296);
	oz_points_free(c.at);
}

static void decimal_edges_are_not_lost_to_rounding(void **state)
{
	(void)state;
	const cloud c =
	        filled_straight(OZ_SHAPE_BOX, oz_v3(1.0f, 0.7f, 0.3f), 0.02f, OZ_FILL_LATTICE);
	assert_int_equal(c.count, 50 * 35 * 15);
	oz_points_free(c.at);
}

static double volume_error(const known *k, float spacing, oz_fill fill)
{
	const cloud c = filled_straight(k->kind, k->size, spacing, fill);
	oz_points_free(c.at);
	const double wanted = k->volume / pow((double)spacing, 3);
	return fabs(c.count / wanted - 1);
}

static void mass_is_exact_from_8_spacings_across(void **state)
{
	(void)state;
	for (int i = 0; i < KNOWNS; i++)
		for (int f = 0; f < OZ_FILL_COUNT; f++) {
			const double error =
			        volume_error(&knowns[i], knowns[i].across / 8.3f, fills[f]);
			if (error > 0.005)
				fail_msg("shape %d fill %d: %g", (int)knowns[i].kind, f, error);
		}
}

static void every_point_lies_inside(void **state)
{
	(void)state;
	for (int i = 0; i < KNOWNS; i++)
		for (int f = 0; f < OZ_FILL_COUNT; f++) {
			oz_shape shape = oz_shape_make(knowns[i].kind, knowns[i].size);
			shape.position = oz_v3(0.3f, -2, 1);
			shape.rotation =
			        oz_quat_from_axis_angle(oz_normalize(oz_v3(1, 2, 3)), 0.7f);
			const cloud c = filled(&shape, knowns[i].across / 9, fills[f]);
			for (uint32_t j = 0; j < c.count; j++)
				assert_true(oz_shape_distance(&shape, c.at[j]) < 1e-6f);
			oz_points_free(c.at);
		}
}

static void rotated_shape_is_filled_with_rotated_points(void **state)
{
	(void)state;
	for (int f = 0; f < OZ_FILL_COUNT; f++) {
		oz_shape shape = oz_shape_make(OZ_SHAPE_CYLINDER, oz_v3(0.4f, 0.5f, 0));
		const cloud straight = filled(&shape, 0.07f, fills[f]);
		shape.position = oz_v3(5, 6, 7);
		shape.rotation = oz_quat_from_axis_angle(oz_v3(0, 0, 1), 1.1f);
		const cloud rotated = filled(&shape, 0.07f, fills[f]);
		assert_int_equal(straight.count, rotated.count);
		for (uint32_t i = 0; i < straight.count; i++) {
			const oz_vec3 p = oz_add(shape.position,
			                         oz_quat_rotate(shape.rotation, straight.at[i]));
			assert_true(oz_length(oz_sub(p, rotated.at[i])) < 5e-6f);
		}
		oz_points_free(straight.at);
		oz_points_free(rotated.at);
	}
}

static void hexagonal_points_deep_inside_have_twelve_nearest(void **state)
{
	(void)state;
	const float s = 0.05f, a = s * powf(2, 1.0f / 6);
	const cloud c = filled_straight(OZ_SHAPE_BALL, oz_v3(0.5f, 0, 0), s, OZ_FILL_HEXAGONAL);
	uint32_t deep = 0, twelve = 0;
	for (uint32_t i = 0; i < c.count; i++) {
		if (oz_length(c.at[i]) > 0.25f)
			continue;
		int nearest = 0;
		for (uint32_t j = 0; j < c.count; j++)
			nearest += j != i && oz_length(oz_sub(c.at[i], c.at[j])) < a * 1.15f;
		twelve += nearest == 12;
		deep++;
	}
	assert_true(deep > 100);
	assert_true((double)twelve > 0.85 * deep);
	oz_points_free(c.at);
}

static void points_keep_their_distances(void **state)
{
	(void)state;
	for (int i = 0; i < KNOWNS; i++)
		for (int f = 0; f < OZ_FILL_COUNT; f++) {
			const float s = knowns[i].across / 9.4f;
			const oz_shape shape = oz_shape_make(knowns[i].kind, knowns[i].size);
			const cloud c = filled(&shape, s, fills[f]);
			assert_true(least_distance(&c) > 0.7f * s);
			for (uint32_t j = 0; j < c.count; j++)
				assert_true(oz_shape_distance(&shape, c.at[j]) < -0.4f * s);
			oz_points_free(c.at);
		}
}

// The structure factor |Σ exp(i k·x)|² / n: n for a lattice at its own k, a few for a liquid.
static double structure(const cloud *c, oz_vec3 k)
{
	double re = 0, im = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		const double phase = (double)oz_dot(c->at[i], k);
		re += cos(phase);
		im += sin(phase);
	}
	return (re * re + im * im) / c->count;
}

static double largest_structure(const cloud *c, float s)
{
	double most = 0;
	for (int d = 0; d < 40; d++) {
		// the axes, then directions that wind around y
		const float y = 1 - (float)d / 39, around = 2.4f * (float)d;
		const float r = sqrtf(1 - y * y);
		const oz_vec3 way = d == 1   ? oz_v3(1, 0, 0)
		                    : d == 2 ? oz_v3(0, 0, 1)
		                             : oz_v3(r * cosf(around), y, r * sinf(around));
		for (float turns = 0.8f; turns < 1.4f; turns += 0.05f)
			most = fmax(most, structure(c, oz_scale(way, turns * 2 * (float)PI / s)));
	}
	return most;
}

static void blue_noise_has_no_regular_direction(void **state)
{
	(void)state;
	const float s = 0.0625f;
	const cloud noise =
	        filled_straight(OZ_SHAPE_BALL, oz_v3(0.5f, 0, 0), s, OZ_FILL_BLUE_NOISE);
	const cloud rows = filled_straight(OZ_SHAPE_BALL, oz_v3(0.5f, 0, 0), s, OZ_FILL_LATTICE);
	assert_true(largest_structure(&rows, s) > 0.3 * rows.count);
	assert_true(largest_structure(&noise, s) < 0.015 * noise.count);
	oz_points_free(noise.at);
	oz_points_free(rows.at);
}

static void points_are_the_same_each_time(void **state)
{
	(void)state;
	const oz_vec3 size = oz_v3(0.4f, 0.1f, 0);
	for (int f = 0; f < OZ_FILL_COUNT; f++) {
		const cloud a = filled_straight(OZ_SHAPE_TORUS, size, 0.03f, fills[f]);
		const cloud b = filled_straight(OZ_SHAPE_TORUS, size, 0.03f, fills[f]);
		assert_int_equal(a.count, b.count);
		assert_memory_equal(a.at, b.at, a.count * sizeof *a.at);
		oz_points_free(a.at);
		oz_points_free(b.at);
	}
}

// the distance of the farthest particle from the origin, m
static double farthest(oz_world *w)
{
	double most = 0;
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++)
		most = fmax(most, vec_length(all.at[i].x));
	test_particles_free(&all);
	return most;
}

static void drop_of_any_fill_is_at_rest(void **state)
{
	(void)state;
	TEST_SLOW;
	const oz_shape drop = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0));
	for (int f = 0; f < OZ_FILL_COUNT; f++) {
		oz_world_def def = test_space_def(0.02);
		def.kernel = OZ_KERNEL_FITTED;
		def.support = 2.2f;
		oz_world *w = test_world(&def);
		test_add_filled(w, test_water(w), &drop, fills[f]);
		const double before = farthest(w), mass = 4 * PI / 3 * 1e-3 * 1000;
		test_run_until(w, 0.5);
		const double rms = sqrt(2 * test_kinetic_energy(w) / mass);
		if (rms > 1e-3 * (double)def.sound_speed)
			fail_msg("fill %d: rms speed %g m/s", f, rms);
		test_run_until(w, test_is_long() ? 10 : 4);
		const double after = farthest(w);
		if (fabs(after / before - 1) > 0.01)
			fail_msg("fill %d: radius %g then %g m", f, before, after);
		oz_world_destroy(w);
	}
}

static void sheet_is_one_layer(void **state)
{
	(void)state;
	static const float nearest[] = {0.999f, 1.074f, 0.7f};
	for (int f = 0; f < OZ_FILL_COUNT; f++) {
		const cloud c =
		        filled_straight(OZ_SHAPE_SHEET, oz_v3(1, 0, 0.5f), 0.025f, fills[f]);
		assert_true(fabs(c.count - 800.0) <= (fills[f] == OZ_FILL_HEXAGONAL ? 40 : 0));
		assert_true(least_distance(&c) >= nearest[f] * 0.025f);
		for (uint32_t i = 0; i < c.count; i++) {
			assert_true(c.at[i].y == 0);
			assert_true(fabsf(c.at[i].x) < 0.5f && fabsf(c.at[i].z) < 0.25f);
		}
		oz_points_free(c.at);
	}
}

static void rod_is_one_row(void **state)
{
	(void)state;
	for (int f = 0; f < OZ_FILL_COUNT; f++) {
		const cloud c = filled_straight(OZ_SHAPE_ROD, oz_v3(0, 1, 0), 0.02f, fills[f]);
		assert_int_equal(c.count, 50);
		for (uint32_t i = 0; i < c.count; i++) {
			assert_true(c.at[i].x == 0 && c.at[i].z == 0);
			assert_float_equal(c.at[i].y, -0.49f + 0.02f * (float)i, 1e-6f);
		}
		oz_points_free(c.at);
	}
}

static void expect(oz_shape shape, float spacing, oz_fill fill, oz_result code, const char *text)
{
	oz_error error = {OZ_OK, ""};
	cloud c = {(oz_vec3 *)&error, 7};
	assert_int_equal(oz_shape_fill(&shape, spacing, fill, &c.at, &c.count, &error), code);
	assert_string_equal(error.text, text);
	assert_int_equal(error.code, code);
	assert_null(c.at);
	assert_int_equal(c.count, 0);
	assert_int_equal(oz_shape_fill(&shape, spacing, fill, &c.at, &c.count, NULL), code);
}

static oz_shape ball(float radius)
{
	return oz_shape_make(OZ_SHAPE_BALL, oz_v3(radius, 0, 0));
}

static void wrong_arguments_are_told_with_the_remedy(void **state)
{
	(void)state;
	const oz_fill l = OZ_FILL_LATTICE;
	expect(ball(1), 0, l, OZ_ERROR_ARGUMENT,
	       "the spacing to fill the ball with is 0 m; it must be a positive number");
	expect(ball(1), -1, l, OZ_ERROR_ARGUMENT,
	       "the spacing to fill the ball with is -1 m; it must be a positive number");
	expect(ball(1), INFINITY, l, OZ_ERROR_ARGUMENT,
	       "the spacing to fill the ball with is inf m; it must be a positive number");
	expect(ball(1), 1e-30f, l, OZ_ERROR_ARGUMENT,
	       "the spacing to fill the ball with is 1e-30 m; it must be at least 1e-15 m");
	expect(ball(0), 1, l, OZ_ERROR_ARGUMENT,
	       "the radius of the ball (size.x) is 0 m; it must be a positive number");
	expect(oz_shape_make(OZ_SHAPE_CYLINDER, oz_v3(1, -2, 0)), 1, l, OZ_ERROR_ARGUMENT,
	       "the height of the cylinder (size.y) is -2 m; it must be a positive number");
	expect(oz_shape_make(OZ_SHAPE_SHEET, oz_v3(1, 0, INFINITY)), 1, l, OZ_ERROR_ARGUMENT,
	       "the edge along z of the sheet (size.z) is inf m; it must be a positive number");
	expect(ball(1e20f), 1, l, OZ_ERROR_ARGUMENT,
	       "the radius of the ball (size.x) is 1e+20 m; it must be at most 1e+15 m");
	expect(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(1, 1, 1)), 1, l, OZ_ERROR_ARGUMENT,
	       "a plane is infinite and cannot be filled; use a box");
	expect(ball(1), 1, (oz_fill)9, OZ_ERROR_ARGUMENT,
	       "there is no fill 9; use OZ_FILL_LATTICE, OZ_FILL_HEXAGONAL or OZ_FILL_BLUE_NOISE");
	expect(oz_shape_make((oz_shape_kind)77, oz_v3(1, 1, 1)), 1, l, OZ_ERROR_ARGUMENT,
	       "there is no shape of kind 77; use one of OZ_SHAPE_BOX …");
	oz_shape lost = ball(1), still = ball(1);
	lost.position.y = -INFINITY;
	still.rotation.w = 0;
	expect(lost, 1, l, OZ_ERROR_ARGUMENT,
	       "the position of the ball is (0, -inf, 0) m; it must be finite");
	expect(still, 1, l, OZ_ERROR_ARGUMENT,
	       "the rotation of the ball is the quaternion (0, 0, 0, 0), which is no rotation; "
	       "use (0, 0, 0, 1) for none");
	uint32_t count;
	oz_error error;
	assert_int_equal(oz_shape_fill(&lost, 1, l, NULL, &count, &error), OZ_ERROR_ARGUMENT);
}

static void too_thin_names_a_spacing_that_does(void **state)
{
	(void)state;
	const oz_shape thin = oz_shape_make(OZ_SHAPE_BOX, oz_v3(0.2f, 0.02f, 0.2f));
	expect(thin, 0.1f, OZ_FILL_LATTICE, OZ_ERROR_ARGUMENT,
	       "the box is too thin for a point at a spacing of 0.1 m; use a spacing of 0.0033 m");
	const cloud c = filled(&thin, 0.0033f, OZ_FILL_LATTICE);
	assert_in_range(c.count, 6 * 60 * 60, 6.2 * 61 * 61);
	oz_points_free(c.at);
	expect(ball(0.003f), 0.5f, OZ_FILL_LATTICE, OZ_ERROR_ARGUMENT,
	       "the ball is too thin for a point at a spacing of 0.5 m; use a spacing of 0.001 m");
	expect(ball(0.1f), 1, OZ_FILL_BLUE_NOISE, OZ_ERROR_ARGUMENT,
	       "the ball is too thin for a point at a spacing of 1 m; use a spacing of 0.033 m");
	oz_points_free(
	        filled_straight(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0), 0.033f, OZ_FILL_BLUE_NOISE).at);
	// a plate that would need millions of points: one layer
	const oz_shape plate = oz_shape_make(OZ_SHAPE_BOX, oz_v3(1, 0.005f, 1));
	expect(plate, 0.1f, OZ_FILL_LATTICE, OZ_ERROR_ARGUMENT,
	       "the box is too thin for a point at a spacing of 0.1 m; use a spacing of 0.0096 m");
}

static void too_many_points_name_their_count_and_a_spacing_that_fits(void **state)
{
	(void)state;
	for (int f = 0; f < OZ_FILL_COUNT; f++) {
		expect(oz_shape_make(OZ_SHAPE_BOX, oz_v3(10, 10, 10)), 1e-3f, fills[f],
		       OZ_ERROR_MEMORY,
		       "the box takes about 1e+12 points at a spacing of 0.001 m, more than 2^31; "
		       "use a spacing of 0.008 m");
		expect(oz_shape_make(OZ_SHAPE_ROD, oz_v3(0, 1e6f, 0)), 1e-4f, fills[f],
		       OZ_ERROR_MEMORY,
		       "the rod takes about 1e+10 points at a spacing of 0.0001 m, more than 2^31; "
		       "use a spacing of 0.00048 m");
	}
	expect(oz_shape_make(OZ_SHAPE_TORUS, oz_v3(1e6f, 1, 0)), 0.5f, OZ_FILL_LATTICE,
	       OZ_ERROR_MEMORY,
	       "the box around the torus has 6.4e+13 lattice points at a spacing of 0.5 m, too "
	       "many to test; use a spacing of 6.3 m, or fill its parts one by one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(box_of_k_spacings_gets_k_points_along_each_edge),
	        cmocka_unit_test(
	                box_in_a_tank_of_its_size_has_every_layer_half_a_spacing_from_the_walls),
	        cmocka_unit_test(decimal_edges_are_not_lost_to_rounding),
	        cmocka_unit_test(mass_is_exact_from_8_spacings_across),
	        cmocka_unit_test(every_point_lies_inside),
	        cmocka_unit_test(rotated_shape_is_filled_with_rotated_points),
	        cmocka_unit_test(hexagonal_points_deep_inside_have_twelve_nearest),
	        cmocka_unit_test(points_keep_their_distances),
	        cmocka_unit_test(blue_noise_has_no_regular_direction),
	        cmocka_unit_test(points_are_the_same_each_time),
	        cmocka_unit_test(drop_of_any_fill_is_at_rest),
	        cmocka_unit_test(sheet_is_one_layer),
	        cmocka_unit_test(rod_is_one_row),
	        cmocka_unit_test(wrong_arguments_are_told_with_the_remedy),
	        cmocka_unit_test(too_thin_names_a_spacing_that_does),
	        cmocka_unit_test(too_many_points_name_their_count_and_a_spacing_that_fits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
