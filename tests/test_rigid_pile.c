// test_rigid_pile.c: a hundred cubes are poured into a box and come to rest in a pile. A long test.
#include "worlds.h"

static const double s = 0.02; // m, spacing

enum { CUBES = 100, EDGE = 4 };

static oz_rigid_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_rigid_state state;
	test_must(oz_world_get_rigid(w, body, &state, &error), &error);
	return state;
}

// the greatest and the mean square speed of the cubes, m/s
static double speeds(oz_world *w, double *root_mean_square)
{
	double most = 0, sum = 0;
	for (oz_id k = 0; k < CUBES; k++) {
		const oz_rigid_state r = get(w, k);
		const double v2 = r.velocity[0] * r.velocity[0] + r.velocity[1] * r.velocity[1] +
		                  r.velocity[2] * r.velocity[2];
		most = fmax(most, v2);
		sum += v2;
	}
	*root_mean_square = sqrt(sum / CUBES);
	return sqrt(most);
}

// of 4 x 4 x 4 particles each, in layers of nine, each rotated and a little aside
static oz_world *make_pile(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	oz_collider_def box =
	        oz_collider_default(test_box(vec_of(-0.24, 0, -0.24), vec_of(0.24, 3, 0.24)));
	box.inside = true;
	box.friction = 0.4f;
	test_add_collider(w, &box);
	oz_material_def wood = oz_material_default(OZ_RIGID);
	wood.density = 700;
	wood.friction = 0.4f;
	const oz_id material = test_add_material(w, &wood);
	uint64_t random = 7;
	for (int k = 0; k < CUBES; k++) {
		oz_shape cube =
		        oz_shape_make(OZ_SHAPE_BOX,
		                      (oz_vec3){EDGE * (float)s, EDGE * (float)s, EDGE * (float)s});
		const int layer = k / 9, place = k % 9;
		cube.position = vec_narrow(
		        vec_of(0.15 * (place % 3 - 1) + 0.01 * (test_random(&random) - 0.5),
		               0.1 + 0.15 * layer,
		               0.15 * (place / 3 - 1) + 0.01 * (test_random(&random) - 0.5)));
		cube.rotation = test_rotation(vec_of(test_random(&random), test_random(&random),
		                                     test_random(&random)),
		                              test_random(&random));
		test_add_thrown(w, material, &cube, vec_of(0, -0.5, 0));
	}
	return w;
}

static void a_hundred_cubes_in_a_pile_come_to_rest(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	oz_world *w = make_pile();
	double mean, lowest = 9, highest = 0, nearest = 9;
	test_run_until(w, 0.3);
	const double falling = speeds(w, &mean);
	test_run_until(w, 5);
	const double most = speeds(w, &mean);
	for (oz_id k = 0; k < CUBES; k++) {
		const oz_rigid_state r = get(w, k);
		lowest = fmin(lowest, r.position[1]);
		highest = fmax(highest, r.position[1]);
		assert_true(fabs(r.position[0]) < 0.24 && fabs(r.position[2]) < 0.24);
		for (oz_id j = 0; j < k; j++) {
			const oz_rigid_state o = get(w, j);
			nearest = fmin(nearest, vec_length(vec_of(r.position[0] - o.position[0],
			                                          r.position[1] - o.position[1],
			                                          r.position[2] - o.position[2])));
		}
	}
	print_message("at 0.3 s %.2f m/s; at 5 s %.4f m/s at most, %.4f m/s root mean square; from "
	              "%.3f to %.3f m; nearest centres %.2f edges; %u steps\n",
	              falling, most, mean, lowest, highest, nearest / (EDGE * s),
	              (unsigned)oz_world_step_count(w));
	assert_true(falling > 1);
	assert_true(mean < 0.02 && most < 0.1);
	// on the floor, in a pile whose cubes do not enter each other
	assert_true(lowest > 0.9 * 0.5 * EDGE * s && highest < 0.6);
	assert_true(nearest > 0.9 * EDGE * s);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_hundred_cubes_in_a_pile_come_to_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
