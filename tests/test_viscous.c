// test_viscous.c: thick fluids: viscous stress and its implicit step.
//
// In free space linear and angular momentum are kept, a rigid rotation feels nothing and energy
// only falls. Any viscosity and any time step stay finite; threads and snapshots change no bit.
#include "models/viscous/viscous.h"
#include "worlds.h"

static oz_material_def thick(double viscosity)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	def.viscosity = (float)viscosity;
	return def;
}

static const oz_viscous *state_of(const oz_world *w)
{
	return oz_model_state(&w->sim, &oz_viscous_model);
}

// ---- free space -------------------------------------------------------------------------------

static oz_id add_ball(oz_world *w, const oz_material_def *def, vec centre, double radius, vec v)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){(float)radius, 0, 0});
	ball.position = vec_narrow(centre);
	return test_add_thrown(w, test_add_material(w, def), &ball, v);
}

static vec spin(const void *rate, vec x)
{
	const double w = *(const double *)rate;
	return vec_of(-w * x.z, 0, w * x.x);
}

static void rigid_rotation_feels_nothing(void **state)
{
	(void)state;
	// of particles with neighbours all around, in one plane, in a row, and of a pair
	static const vec sizes[] = {{0.07, 0.07, 0.07},
	                            {0.07, 0.01, 0.07},
	                            {0.07, 0.01, 0.01},
	                            {0.02, 0.01, 0.01}};
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		oz_world *w = test_space(0.01, 20);
		const oz_material_def def = thick(1e3);
		test_add_block(w, test_add_material(w, &def), vec_of(0, 0, 0), sizes[k]);
		test_particles all = test_particles_read(w);
		const double rate = 3;
		for (uint32_t i = 0; i < all.count; i++)
			test_put_particle(w, i, all.at[i].x, spin(&rate, all.at[i].x));
		test_particles_free(&all);
		const test_momenta before = test_momenta_of(w);
		test_run_until(w, 0.02);
		const test_momenta after = test_momenta_of(w);
		// viscosity would stop it in ρ s²/μ = 1e-5 s; a turn by 3 degrees bends the paths
		// by half a per cent. Velocities are rounded by 6e-8, and μ Δt/(ρ s²) = 4
		// multiplies that, in each of 50 steps: 1e-5, and for the few numbers of a pair
		// up to twice that
		const double bound = all.count > 2 ? 1e-5 : 2e-5;
		test_near(vec_length(vec_sub(after.angular, before.angular)), 0,
		          bound * before.angular_scale, "change of angular momentum");
		test_near(test_kinetic_energy(w) / (0.5 * rate * before.angular.y), -1, 0.02,
		          "energy over that of the rotation");
		oz_world_destroy(w);
	}
}

static void drops_that_collide_keep_momentum_and_lose_energy(void **state)
{
	(void)state;
	oz_world *w = test_space(0.01, 20);
	const oz_material_def honey = thick(10), oil = thick(0.1), rubber = test_elastic(1e5, 0.3);
	oz_material_def mustard = thick(20);
	mustard.yield_stress = 40;
	mustard.flow_exponent = 0.4f;
	add_ball(w, &honey, vec_of(-0.06, 0.01, 0), 0.04, vec_of(1, 0, 0));
	add_ball(w, &mustard, vec_of(0.06, -0.01, 0), 0.04, vec_of(-1, 0, 0.3));
	add_ball(w, &oil, vec_of(0, 0.08, 0), 0.03, vec_of(0, -1, 0));
	add_ball(w, &rubber, vec_of(0, -0.08, 0), 0.03, vec_of(0, 1, 0));
	const test_momenta before = test_momenta_of(w);
	const double first = test_kinetic_energy(w);
	test_run_until(w, 0.15);
	const test_momenta after = test_momenta_of(w);
	test_near(vec_length(vec_sub(after.linear, before.linear)), 0, 1e-5 * before.linear_scale,
	          "change of momentum");
	test_near(vec_length(vec_sub(after.angular, before.angular)), 0,
	          1e-5 * before.angular_scale, "change of angular momentum");
	assert_true(test_kinetic_energy(w) < 0.5 * first);
	oz_world_destroy(w);
}

static void energy_in_a_closed_box_never_rises(void **state)
{
	(void)state;
	oz_world *w = test_space(0.01, 20);
	const oz_material_def def = thick(5);
	test_add_tank(w, vec_of(-0.05, -0.05, -0.05), vec_of(0.05, 0.05, 0.05));
	test_add_lattice(w, test_add_material(w, &def), vec_of(-0.05, -0.05, -0.05),
	                 vec_of(0.05, 0.05, 0.05), NULL, NULL);
	test_particles all = test_particles_read(w);
	// it turns: no flow through the walls
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		const double f = cos(PI * x.x / 0.1) * cos(PI * x.z / 0.1);
		test_put_particle(w, i, x, vec_of(-30 * f * x.z, 0, 30 * f * x.x));
	}
	test_particles_free(&all);
	double last = test_kinetic_energy(w);
	const double first = last;
	for (int k = 0; k < 200; k++) {
		test_step(w);
		const double now = test_kinetic_energy(w);
		// sound that the flow makes: a thousandth of what was there
		assert_true(now <= last + 1e-3 * first);
		last = now;
	}
	assert_true(last < 1e-2 * first);
	oz_world_destroy(w);
}

// ---- extremes ---------------------------------------------------------------------------------

static void any_viscosity_and_any_step_stay_finite(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = 0.01f;
	// ten times the limit of sound
	def.time_step = 2.5e-3f;
	def.threads = 1;
	for (int fixed = 0; fixed < 2; fixed++) {
		if (!fixed)
			def.time_step = 0;
		oz_world *w = test_world(&def);
		test_add_tank(w, vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.4, 0.1));
		for (int k = 0; k < 5; k++) {
			oz_material_def m = thick(k ? pow(10, 2.25 * (k - 1) - 3) : 0);
			m.viscous_form = k % 2 ? OZ_VISCOUS_STRESS : OZ_VISCOUS_AUTO;
			test_add_block(w, test_add_material(w, &m),
			               vec_of(0.02 * (k - 2), 0.05 + 0.05 * k, 0),
			               vec_of(0.08, 0.04, 0.08));
		}
		const oz_material_def tar = thick(1e6);
		const oz_id last = test_add_material(w, &tar);
		// a stray, two in one place
		test_add_particle(w, last, (oz_vec3){0.08f, 0.35f, 0}, (oz_vec3){0, -50, 0});
		test_add_particle(w, last, (oz_vec3){0.05f, 0.35f, 0}, (oz_vec3){0, 0, 0});
		test_add_particle(w, last, (oz_vec3){0.05f, 0.35f, 0}, (oz_vec3){0, 1, 0});
		test_steps(w, 100);
		test_particles all = test_particles_read(w);
		assert_true(test_particles_finite(&all));
		test_particles_free(&all);
		// a time step that is too long may throw particles about, but not as fast as that
		assert_true(test_top_speed(w) < 200);
		oz_world_destroy(w);
	}
}

// ---- bits -------------------------------------------------------------------------------------

static oz_world *make_mixture(uint32_t threads)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.01f;
	def.threads = threads;
	oz_world *w = test_world(&def);
	oz_material_def mustard = thick(20);
	mustard.yield_stress = 40;
	mustard.flow_exponent = 0.4f;
	mustard.rebuild_time = 1;
	const oz_material_def honey = thick(10);
	test_add_tank(w, vec_of(-0.08, 0, -0.08), vec_of(0.08, 0.4, 0.08));
	test_add_block(w, test_add_material(w, &honey), vec_of(0, 0.04, 0),
	               vec_of(0.16, 0.08, 0.16));
	test_add_block(w, test_add_material(w, &mustard), vec_of(0, 0.13, 0),
	               vec_of(0.08, 0.08, 0.08));
	return w;
}

static void threads_and_snapshots_change_no_bit(void **state)
{
	(void)state;
	uint64_t golden = 0;
	for (uint32_t threads = 1; threads <= 3; threads++) {
		oz_world *w = make_mixture(threads);
		test_steps(w, 20);
		assert_true(state_of(w)->rounds > 0);
		oz_world *again = NULL;
		oz_error error;
		test_must(oz_world_save(w, "thick.ooze", &error), &error);
		test_must(oz_world_load("thick.ooze", NULL, threads, NULL, &again, &error), &error);
		test_steps(w, 20);
		test_steps(again, 20);
		golden = golden ? golden : oz_world_hash(w);
		assert_true(oz_world_hash(w) == golden && oz_world_hash(again) == golden);
		oz_world_destroy(w);
		oz_world_destroy(again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rigid_rotation_feels_nothing),
	        cmocka_unit_test(drops_that_collide_keep_momentum_and_lose_energy),
	        cmocka_unit_test(energy_in_a_closed_box_never_rises),
	        cmocka_unit_test(any_viscosity_and_any_step_stay_finite),
	        cmocka_unit_test(threads_and_snapshots_change_no_bit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
