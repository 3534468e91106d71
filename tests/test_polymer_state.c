// test_polymer_state.c: polymer solutions: bits on any number of threads, snapshots, what is
// refused.
#include "models/polymer/polymer.h"
#include "worlds.h"

static oz_material_def solution(double solvent, double modulus, double relaxation)
{
	oz_material_def def = oz_material_default(OZ_POLYMER);
	def.viscosity = (float)solvent;
	def.shear_modulus = (float)modulus;
	def.relaxation_time = (float)relaxation;
	return def;
}

// two laws and water in a tank, one of them warm; a nozzle pours a third
static oz_world *make_mixture(uint32_t threads, oz_pressure pressure)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.01f;
	def.threads = threads;
	def.pressure = pressure;
	oz_world *w = test_world(&def);
	oz_material_def boger = solution(1, 100, 0.5), thinning = solution(0.1, 300, 0.2);
	thinning.polymer_law = OZ_POLYMER_GIESEKUS;
	thinning.mobility = 0.2f;
	thinning.activation_energy = 3e4f;
	thinning.conductivity = 0.5f;
	test_add_tank(w, vec_of(-0.08, 0, -0.08), vec_of(0.08, 0.4, 0.08));
	test_add_block(w, test_add_material(w, &boger), vec_of(0, 0.04, 0),
	               vec_of(0.16, 0.08, 0.16));
	test_add_block(w, test_add_material(w, &thinning), vec_of(0.02, 0.13, 0),
	               vec_of(0.08, 0.08, 0.08));
	test_add_block(w, test_water(w), vec_of(-0.05, 0.13, 0), vec_of(0.04, 0.08, 0.08));
	return w;
}

static void threads_and_snapshots_change_no_bit(void **state)
{
	(void)state;
	for (int k = 0; k < OZ_PRESSURE_COUNT; k++) {
		uint64_t golden = 0;
		for (uint32_t threads = 1; threads <= 3; threads++) {
			oz_world *w = make_mixture(threads, (oz_pressure)k);
			test_steps(w, 30);
			oz_world *again = NULL;
			oz_error error;
			test_must(oz_world_save(w, "polymer.ooze", &error), &error);
			test_must(oz_world_load("polymer.ooze", NULL, threads, NULL, &again,
			                        &error),
			          &error);
			const oz_polymers *p = oz_model_state(&again->sim, &oz_polymer_model);
			const uint32_t n = again->sim.particles.count;
			const oz_float4 *a = test_look(again, p->strain_a, n * sizeof *a);
			double most = 0;
			for (uint32_t i = 0; i < n; i++)
				most = fmax(most, fabs((double)a[i].x));
			assert_true(most > 1e-4);
			test_steps(w, 20);
			test_steps(again, 20);
			golden = golden ? golden : oz_world_hash(w);
			assert_true(oz_world_hash(w) == golden && oz_world_hash(again) == golden);
			oz_world_destroy(w);
			oz_world_destroy(again);
		}
	}
}

static void expect_refused(const oz_material_def *def, const char *words)
{
	oz_world *w = test_space(0.01, 20);
	oz_error error = {0};
	assert_true(oz_world_add_material(w, def, NULL, &error) != OZ_OK);
	if (!strstr(error.text, words))
		fail_msg("'%s' does not name '%s'", error.text, words);
	oz_world_destroy(w);
}

static void values_without_a_meaning_get_a_sentence(void **state)
{
	(void)state;
	oz_material_def def = solution(1, -1, 1);
	expect_refused(&def, "shear_modulus");
	def = solution(1, 1, 0);
	expect_refused(&def, "relaxation_time");
	def = solution(1, 1, (double)NAN);
	expect_refused(&def, "relaxation_time");
	def = solution(1, 1, 1);
	def.polymer_law = OZ_POLYMER_GIESEKUS;
	expect_refused(&def, "mobility");
	def.mobility = 0.7f;
	expect_refused(&def, "mobility");
	def.polymer_law = OZ_POLYMER_OLDROYD;
	def.mobility = 0.2f;
	expect_refused(&def, "giesekus");
	def = solution(1, 1, 1);
	def.polymer_law = (oz_polymer_law)7;
	expect_refused(&def, "polymer_law");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(threads_and_snapshots_change_no_bit),
	        cmocka_unit_test(values_without_a_meaning_get_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
