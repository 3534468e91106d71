// test_rigid_pile.c: many cubes: a hundred are poured into a box and come to rest in a pile (a long
// test); a thousand, or 64, fall into water as in scenes/thousand_cubes.json.
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

// ---- cubes that fall into water ----------------------------------------------------------------

enum { SIDE = 3 }; // of a cube, spacings

typedef struct rain {
	oz_world *w;
	uint32_t cubes;
	double half; // m, of the tank's width
} rain;

// row³ cubes in layers above water; of 300, 500, 800 and 2000 kg/m³, tilted by up to 20°
static rain make_rain(int row)
{
	const double pitch = 0.092, depth = 0.2;
	rain r = {.cubes = (uint32_t)(row * row * row), .half = 0.048 * row};
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	r.w = test_world(&def);
	oz_collider_def tank = oz_collider_default(
	        test_box(vec_of(-r.half, 0, -r.half), vec_of(r.half, 2, r.half)));
	tank.inside = true;
	tank.friction = 0.3f;
	test_add_collider(r.w, &tank);
	oz_id materials[4];
	static const float densities[] = {300, 500, 800, 2000};
	for (int k = 0; k < 4; k++) {
		oz_material_def def_of = oz_material_default(OZ_RIGID);
		def_of.density = densities[k];
		def_of.friction = 0.4f;
		materials[k] = test_add_material(r.w, &def_of);
	}
	uint64_t random = 3;
	for (uint32_t k = 0; k < r.cubes; k++) {
		const int layer = (int)k / (row * row), place = (int)k % (row * row);
		const double middle = 0.5 * (row - 1), edge = SIDE * s;
		oz_shape cube = oz_shape_make(OZ_SHAPE_BOX,
		                              (oz_vec3){(float)edge, (float)edge, (float)edge});
		cube.position = vec_narrow(vec_of(pitch * (place % row - middle),
		                                  depth + 0.08 + pitch * layer,
		                                  pitch * (place / row - middle)));
		cube.rotation =
		        test_rotation(vec_of(test_random(&random) - 0.5, test_random(&random),
		                             test_random(&random) - 0.5),
		                      0.35 * test_random(&random));
		test_add_thrown(r.w, materials[test_random_bits(&random) % 4], &cube,
		                vec_of(0, 0, 0));
	}
	const oz_shape water = test_box(vec_of(-r.half, 0, -r.half), vec_of(r.half, depth, r.half));
	test_add_filled(r.w, test_water(r.w), &water, OZ_FILL_LATTICE);
	return r;
}

// the least distance of the centres of two cubes, m
static double nearest_centres(const rain *r)
{
	double nearest = 9;
	for (oz_id k = 0; k < r->cubes; k++) {
		const oz_rigid_state a = get(r->w, k);
		for (oz_id j = 0; j < k; j++) {
			const oz_rigid_state b = get(r->w, j);
			nearest = fmin(nearest, vec_length(vec_of(a.position[0] - b.position[0],
			                                          a.position[1] - b.position[1],
			                                          a.position[2] - b.position[2])));
		}
	}
	return nearest;
}

// spacings that a particle is outside the tank, at most
static double outside(const rain *r)
{
	test_particles all = test_particles_read(r->w);
	double most = -9;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		most = fmax(most, fmax(fmax(fabs(x.x), fabs(x.z)) - r->half, -x.y) / s);
	}
	test_particles_free(&all);
	return most;
}

static void cubes_that_fall_into_water_stay_apart_and_in_their_tank(void **state)
{
	(void)state;
	rain r = make_rain(test_is_long() ? 10 : 4);
	const uint32_t particles = oz_world_particle_count(r.w);
	const oz_stats start = test_stats(r.w);
	double before = start.potential_energy, nearest = 9, leak = -9, compression = 0, rise = 0;
	int looks = 0;
	oz_step_report report = {0};
	oz_error error = {OZ_OK, ""};
	while (oz_world_time(r.w) < 0.7) {
		const double until = oz_world_time(r.w) + 0.05;
		while (oz_world_time(r.w) < until)
			test_must(oz_world_step_until(r.w, until, &report, &error), &error);
		const oz_stats now = test_stats(r.w);
		const double energy = now.kinetic_energy + now.potential_energy;
		rise = fmax(rise, (energy - before) / start.potential_energy);
		before = energy;
		nearest = fmin(nearest, nearest_centres(&r));
		leak = fmax(leak, outside(&r));
		compression += (double)report.mean_compression;
		looks++;
	}
	print_message("%u cubes, %u particles, %u steps: nearest centres %.3f edges; %.2f spacings "
	              "outside; compression %.1e; energy %.3f of the start, rises by %.1e\n",
	              r.cubes, particles, (unsigned)oz_world_step_count(r.w), nearest / (SIDE * s),
	              leak, compression / looks, before / start.potential_energy, rise);
	assert_int_equal(oz_world_particle_count(r.w), particles);
	test_near(test_stats(r.w).mass, start.mass, 1e-9 * start.mass, "mass");
	assert_true(leak < 0);
	assert_true(nearest > 0.9 * SIDE * s);
	test_near(compression / looks, 0, 1e-3, "mean compression");
	assert_true(rise < 1e-3);
	oz_world_destroy(r.w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_hundred_cubes_in_a_pile_come_to_rest),
	        cmocka_unit_test(cubes_that_fall_into_water_stay_apart_and_in_their_tank),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
