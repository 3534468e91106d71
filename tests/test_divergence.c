// test_divergence.c: with `divergence_error` velocities and densities of an incompressible world
// are solved for apart (incompressible_shift.cl).
//
// After a step velocities compress nothing further; the pressure of water at rest hardly
// fluctuates; linear and angular momentum are kept; energy does not rise; bodies float, heavy and
// light liquids stay where they are, and the volume is kept.
#include "math/sph.h"
#include "worlds.h"

static const double s = 0.02; // m, spacing

// the pair of errors that docs/incompressible.md advises
static oz_world_def apart_def(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.density_error = 1e-3f;
	def.divergence_error = 1e-4f;
	def.threads = 1;
	return def;
}

static oz_world_def together_def(void)
{
	oz_world_def def = apart_def();
	def.density_error = 1e-4f;
	def.divergence_error = 0;
	return def;
}

static oz_world *make_tank(oz_world_def def, int wide, int layers)
{
	oz_world *w = test_world(&def);
	test_add_wall(w, test_box(vec_of(0, 0, 0), vec_of(wide * s, 2 * layers * s, wide * s)),
	              true, NULL, 0);
	test_add_lattice(w, test_water(w), vec_of(0, 0, 0), vec_of(wide * s, layers * s, wide * s),
	                 NULL, NULL);
	return w;
}

static double energy_of(oz_world *w)
{
	const oz_stats st = test_stats(w);
	return st.kinetic_energy + st.potential_energy + st.elastic_energy;
}

// ---- velocities --------------------------------------------------------------------------------

// two drops without gravity that fly at each other
static oz_world *make_drops(oz_world_def def)
{
	def.gravity = oz_v3(0, 0, 0);
	oz_world *w = test_world(&def);
	const oz_id water = test_water(w);
	const float r = (float)(5 * s);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(r, 0, 0));
	test_add_thrown(w, water, &ball, vec_of(1, 0.2, 0));
	ball.position = oz_v3(2.2f * r, 0.5f * r, 0);
	test_add_thrown(w, water, &ball, vec_of(-1, 0, 0.3));
	return w;
}

// The mean error of a step of Δt by the velocities `now` at the positions `then`, from all pairs:
// of particles that press the difference between compression and that of the gap that closes, of
// all others the compression beyond it.
static double mean_compression(const oz_world *w, const test_particles *then,
                               const test_particles *now, double dt)
{
	const oz_fluid *f = &w->sim.fluid;
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < now->count; i++) {
		double rate = 0;
		for (uint32_t j = 0; j < now->count; j++) {
			const vec x = vec_sub(then->at[i].x, then->at[j].x),
			          v = vec_sub(now->at[i].v, now->at[j].v);
			const float r2 = (float)vec_dot(x, x);
			if (j == i || r2 >= f->h * f->h)
				continue;
			rate += (double)f->volume *
			        (double)(oz_sph_gradient(f->smoothing, lane_of(r2), f->h))[0] *
			        vec_dot(v, x);
		}
		// a gap closes in 50 ms, and the part of it above 2 % in one step
		const double gap = fmax(1 - now->at[i].density / 1000, 0);
		const double e = dt * rate - gap * fmin(dt / 0.05 + gap / 0.02, 1);
		if (now->at[i].pressure <= 0 && e <= 0)
			continue;
		sum += fabs(e);
		count++;
	}
	return count ? sum / count : 0;
}

// the same after the step that begins now; *error gets what its report says
static double compression_of_a_step(oz_world *w, double *error)
{
	test_particles then = test_particles_read(w);
	const oz_step_report r = test_step(w);
	test_particles now = test_particles_read(w);
	const double mean = mean_compression(w, &then, &now, (double)r.time_step);
	*error = (double)r.divergence_error;
	test_particles_free(&then);
	test_particles_free(&now);
	return mean;
}

static void velocities_of_water_that_presses_compress_nothing_after_a_step(void **state)
{
	(void)state;
	double mean[2] = {0, 0}, error = 0, reported = 0;
	for (int k = 0; k < 2; k++) {
		oz_world *w = make_drops(k ? apart_def() : together_def());
		test_run_until(w, 0.02);
		for (int n = 0; n < 20; n++) {
			mean[k] += compression_of_a_step(w, &error) / 20;
			reported += k * error / 20;
		}
		oz_world_destroy(w);
	}
	print_message("compression by velocities in a step: %.1e together, %.1e apart; reported "
	              "%.1e\n",
	              mean[0], mean[1], reported);
	// that of the solution, 1e-4 at most, and of the motion that keeps angular momentum
	test_near(mean[1], 0, 1.5e-4, "mean compression in a step");
	test_near(reported, 0, 1e-4, "mean error of a step");
	assert_true(mean[1] < 0.2 * mean[0]);
}

static void drops_keep_momentum(void **state)
{
	(void)state;
	oz_world *w = make_drops(apart_def());
	const oz_stats before = test_stats(w);
	double most = 0, linear = 0, angular = 0;
	for (int k = 1; k <= 30; k++) {
		test_run_until(w, 0.01 * k);
		most = fmax(most, test_stats(w).kinetic_energy);
	}
	const oz_stats after = test_stats(w);
	for (int k = 0; k < 3; k++) {
		linear = fmax(linear, fabs(after.momentum[k] - before.momentum[k]));
		angular =
		        fmax(angular, fabs(after.angular_momentum[k] - before.angular_momentum[k]));
	}
	// of one drop
	linear /= 0.5 * before.mass;
	angular /= 0.5 * before.mass * 5 * s;
	print_message("momentum differs by %.1e, angular by %.1e; kinetic energy %.3f\n", linear,
	              angular, after.kinetic_energy / before.kinetic_energy);
	test_near(linear, 0, 1e-5, "change of momentum");
	test_near(angular, 0, 1e-5, "change of angular momentum");
	assert_true(most < 1.001 * before.kinetic_energy);
	assert_true(after.kinetic_energy < 0.9 * before.kinetic_energy);
	oz_world_destroy(w);
}

// ---- water at rest -----------------------------------------------------------------------------

typedef struct rest {
	double load, noise;  // of the floor, over the weight; from step to step, root mean square
	double rounds, rise; // a step; of the energy, over that of the start
	double compression;
} rest;

static rest watch_rest(oz_world_def def)
{
	enum { WIDE = 8, LAYERS = 20 };
	const double weight = 1000 * WIDE * WIDE * LAYERS * s * s * s * GRAVITY;
	oz_world *w = make_tank(def, WIDE, LAYERS);
	const double start = energy_of(w);
	rest r = {0};
	double least = start, squares = 0, last = 1;
	uint32_t steps = 0;
	while (oz_world_time(w) < 1) {
		const bool counts = oz_world_time(w) > 0.5;
		const oz_step_report step = test_step(w);
		const double load = -test_load(w, 0).force[1] / weight, energy = energy_of(w);
		least = fmin(least, energy);
		r.rise = fmax(r.rise, (energy - least) / start);
		if (!counts)
			continue;
		r.load += load;
		squares += steps ? 0.5 * (load - last) * (load - last) : 0;
		last = load;
		r.rounds += step.pressure_rounds;
		r.compression += (double)step.mean_compression;
		steps++;
	}
	r.load /= steps;
	r.noise = sqrt(squares / (steps - 1));
	r.rounds /= steps;
	r.compression /= steps;
	print_message("load %.4f of the weight, noise %.4f; %.1f rounds; compression %.1e; energy "
	              "rises by %.1e\n",
	              r.load, r.noise, r.rounds, r.compression, r.rise);
	oz_world_destroy(w);
	return r;
}

static void the_pressure_of_water_at_rest_hardly_fluctuates(void **state)
{
	(void)state;
	const rest together = watch_rest(together_def()), apart = watch_rest(apart_def());
	test_near(apart.load, 1, 0.02, "load over the weight");
	assert_true(apart.noise < 0.02);
	assert_true(apart.noise < 0.2 * together.noise);
	assert_true(apart.rounds < together.rounds);
	test_near(apart.compression, 0, 2e-3, "mean compression");
	test_near(apart.rise, 0, 2e-3, "rise of the energy");
}

static void water_stands_still_for_a_minute(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	oz_world *w = make_tank(apart_def(), 14, 10);
	double height = 0, fastest = 0, moved = 0;
	for (int k = 0; k <= 50; k++) {
		test_run_until(w, 10 + k);
		const oz_stats now = test_stats(w);
		height = k ? height : now.centre[1];
		moved = fmax(moved, fabs(now.centre[1] - height) / s);
		fastest = fmax(fastest, sqrt(2 * now.kinetic_energy / now.mass));
	}
	print_message("10 to 60 s: %.4f m/s at most, root mean square; the centre moved by %.4f "
	              "spacings\n",
	              fastest, moved);
	test_near(fastest, 0, 5e-3, "speed, root mean square");
	test_near(moved, 0, 0.02, "way of the centre, spacings");
	oz_world_destroy(w);
}

static void a_dam_break_gains_no_energy(void **state)
{
	(void)state;
	const oz_world_def def = apart_def();
	oz_world *w = test_world(&def);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(40 * s, 40 * s, 6 * s));
	test_add_lattice(w, test_water(w), vec_of(0, 0, 0), vec_of(12 * s, 20 * s, 6 * s), NULL,
	                 NULL);
	const double start = energy_of(w);
	double least = start, rise = 0;
	for (int k = 1; k <= 50; k++) {
		test_run_until(w, 0.02 * k);
		least = fmin(least, energy_of(w));
		rise = fmax(rise, (energy_of(w) - least) / start);
	}
	print_message("energy %.3f of the start after 1 s; rises by %.1e\n", least / start, rise);
	test_near(rise, 0, 2e-3, "rise of the energy");
	assert_true(least < 0.9 * start);
	oz_world_destroy(w);
}

// ---- bodies and liquids ------------------------------------------------------------------------

static void rigid_and_elastic_bodies_float(void **state)
{
	(void)state;
	enum { WIDE = 14, DEEP = 10 };
	for (int k = 0; k < 3; k++) {
		oz_world *w = make_tank(apart_def(), WIDE, DEEP);
		oz_material_def def =
		        k ? test_elastic(k == 1 ? 1e5 : 1e6, 0.3) : oz_material_default(OZ_RIGID);
		def.density = 500;
		def.implicit = k == 2;
		const vec middle = vec_of(0.5 * WIDE * s, (DEEP + 3.5) * s, 0.5 * WIDE * s);
		const oz_id body = test_add_block(w, test_add_material(w, &def), middle,
		                                  vec_of(6 * s, 4 * s, 6 * s));
		const double share = 6.0 * 6 / (WIDE * WIDE),
		             level = (DEEP + 0.5 * 4 * share) * s; // the body floats half immersed
		double height = 0;
		const double least = energy_of(w);
		test_run_until(w, 1);
		for (int n = 0; n < 50; n++) {
			test_run_until(w, 1 + 0.01 * n);
			height += test_mean_height(w, body) / 50;
		}
		print_message("body %d: %.2f spacings above the level\n", k, (height - level) / s);
		test_near((height - level) / s, 0, 0.6, "height above the level, spacings");
		assert_true(energy_of(w) < least);
		oz_world_destroy(w);
	}
}

static void layers_of_a_thousand_to_ten_stay(void **state)
{
	(void)state;
	oz_world_def def = apart_def();
	oz_world *w = test_world(&def);
	const float densities[] = {1000, 100, 10};
	oz_id bodies[3];
	test_add_tank(w, vec_of(0, 0, 0), vec_of(8 * s, 30 * s, 8 * s));
	for (int k = 0; k < 3; k++) {
		const oz_shape layer =
		        test_box(vec_of(0, 5 * k * s, 0), vec_of(8 * s, 5 * (k + 1) * s, 8 * s));
		bodies[k] = test_add_filled(w, test_add_liquid(w, densities[k], 0.01f, 0.05f),
		                            &layer, OZ_FILL_LATTICE);
	}
	test_run_until(w, 0.5);
	for (int k = 0; k < 3; k++)
		test_near(test_mean_height(w, bodies[k]) / (5 * s), k + 0.5, 0.1,
		          "height of a layer, thicknesses");
	oz_world_destroy(w);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
	(void)state;
	uint64_t hash[3];
	for (uint32_t k = 0; k < 3; k++) {
		oz_world *w = test_incompressible_dam(k + 1, 0.04f);
		w->sim.def.divergence_error = 1e-4f;
		test_steps(w, 60);
		hash[k] = oz_world_hash(w);
		oz_world_destroy(w);
	}
	assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(velocities_of_water_that_presses_compress_nothing_after_a_step),
	        cmocka_unit_test(drops_keep_momentum),
	        cmocka_unit_test(the_pressure_of_water_at_rest_hardly_fluctuates),
	        cmocka_unit_test(water_stands_still_for_a_minute),
	        cmocka_unit_test(a_dam_break_gains_no_energy),
	        cmocka_unit_test(rigid_and_elastic_bodies_float),
	        cmocka_unit_test(layers_of_a_thousand_to_ten_stay),
	        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
