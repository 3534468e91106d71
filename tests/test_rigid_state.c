// test_rigid_state.c: worlds with rigid bodies on any number of threads, saved, damaged and
// refused.
//
// Rigid, elastic and blended bodies and water in one world give the same bits on 1, 2 and 3 threads
// and after a snapshot, and keep their momentum. A snapshot with a rigid body that is not possible,
// and parameters that contradict each other, are refused with a sentence.
#include "damage.h"
#include "models/rigid/rigid.h"

#define PATH  "rigid.ooze"
#define WRONG "wrong.ooze"

static const double s = 0.02; // m, spacing

static oz_rigid_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_rigid_state state;
	test_must(oz_world_get_rigid(w, body, &state, &error), &error);
	return state;
}

static oz_world_def make_def(oz_pressure pressure, uint32_t threads)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = threads;
	return def;
}

static oz_material_def rigid_def(double density, bool fixed)
{
	oz_material_def def = oz_material_default(OZ_RIGID);
	def.density = (float)density;
	def.fixed = fixed;
	return def;
}

static oz_id add_thrown(oz_world *w, const oz_material_def *def, vec centre, double edge,
                        vec velocity)
{
	const double half = 0.5 * edge * s;
	const oz_shape box = test_box(vec_mad(centre, vec_of(half, half, half), -1),
	                              vec_mad(centre, vec_of(half, half, half), 1));
	return test_add_thrown(w, test_add_material(w, def), &box, velocity);
}

// ---- threads and snapshots ---------------------------------------------------------------------

// a vessel with water, a stone that falls into it, a float, a fixed block, rubber and jelly
static oz_world *make_world(oz_pressure pressure, uint32_t threads)
{
	const oz_world_def def = make_def(pressure, threads);
	oz_world *w = test_world(&def);
	oz_collider_def vessel =
	        oz_collider_default(test_box(vec_of(0, 0, 0), vec_of(0.32, 0.6, 0.16)));
	vessel.inside = true;
	vessel.friction = 0.3f;
	test_add_collider(w, &vessel);
	const oz_shape pool = test_box(vec_of(0, 0, 0), vec_of(0.16, 0.12, 0.16));
	test_add_filled(w, test_water(w), &pool, OZ_FILL_LATTICE);
	const oz_material_def stone = rigid_def(2500, false), wood = rigid_def(600, false),
	                      fixed = rigid_def(1000, true);
	oz_material_def rubber = test_elastic(1e5, 0.3), jelly = test_blend(0.5, 900);
	add_thrown(w, &stone, vec_of(0.05, 0.18, 0.05), 4, vec_of(0.2, -1, 0.1));
	add_thrown(w, &wood, vec_of(0.1, 0.17, 0.1), 4, vec_of(0, -0.5, 0));
	add_thrown(w, &fixed, vec_of(0.25, 0.04, 0.08), 4, vec_of(0, 0, 0));
	add_thrown(w, &rubber, vec_of(0.25, 0.14, 0.06), 4, vec_of(0, -1, 0));
	add_thrown(w, &jelly, vec_of(0.12, 0.27, 0.08), 4, vec_of(0, -1, 0));
	add_thrown(w, &wood, vec_of(0.24, 0.25, 0.08), 4, vec_of(0, -1, 0));
	return w;
}

enum { STEPS = 90, SAVED = 50 };

static void threads_and_snapshots_change_no_bit(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		const oz_pressure pressure = k ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
		const uint32_t more = k ? 4 : 1;
		oz_world *w = make_world(pressure, 1);
		test_steps(w, more * SAVED);
		test_must(oz_world_save(w, PATH, NULL), NULL);
		test_steps(w, more * (STEPS - SAVED));
		const uint64_t golden = oz_world_hash(w);
		const oz_rigid_state stone = get(w, 1);
		// it has hit the water or the float, and turned
		assert_true(stone.velocity[1] > -1.3 && stone.rotation[3] < 0.9999);
		oz_world_destroy(w);
		for (uint32_t threads = test_is_quick() ? 3 : 1; threads <= 3; threads++) {
			oz_error error = {OZ_OK, ""};
			test_must(oz_world_load(PATH, NULL, threads, NULL, &w, &error), &error);
			test_steps(w, more * (STEPS - SAVED));
			assert_true(oz_world_hash(w) == golden);
			const oz_rigid_state again = get(w, 1);
			assert_memory_equal(&again, &stone, sizeof stone);
			oz_world_destroy(w);
			w = make_world(pressure, threads);
			test_steps(w, more * STEPS);
			assert_true(oz_world_hash(w) == golden);
			oz_world_destroy(w);
		}
	}
}

// ---- momentum ----------------------------------------------------------------------------------

// angular momentum that a particle of a rigid body has beside that of its centre: it is a cube
static vec own_momentum(oz_world *w, oz_id body)
{
	const oz_rigid_state r = get(w, body);
	return vec_mad(vec_of(0, 0, 0), vec_of(r.spin[0], r.spin[1], r.spin[2]),
	               r.mass * s * s / 6);
}

// A stone, water, rubber, jelly and wood fly at each other. Friction between pairs is off: it acts
// at the centres of two particles, not at one point, and turns the pair.
static void fly_together(oz_pressure pressure, double alpha, double bound)
{
	oz_world_def def = make_def(pressure, 1);
	def.gravity = oz_v3(0, 0, 0);
	oz_world *w = test_world(&def);
	oz_material_def stone = rigid_def(2500, false), wood = rigid_def(600, false);
	const oz_material_def rubber = test_elastic(1e5, 0.3), jelly = test_blend(alpha, 900),
	                      water = oz_material_default(OZ_FLUID);
	stone.friction = wood.friction = 0;
	add_thrown(w, &stone, vec_of(-0.12, 0.01, 0), 4, vec_of(1, 0, 0));
	add_thrown(w, &water, vec_of(0, 0, 0), 6, vec_of(0, 0, 0));
	add_thrown(w, &rubber, vec_of(0, 0.14, 0.01), 4, vec_of(0, -1, 0));
	add_thrown(w, &jelly, vec_of(0.01, -0.14, 0), 4, vec_of(0, 1, 0));
	add_thrown(w, &wood, vec_of(0.13, -0.01, 0), 4, vec_of(-1, 0, 0));
	const test_momenta before = test_momenta_of(w);
	test_run_until(w, 0.25);
	test_momenta after = test_momenta_of(w);
	after.angular = vec_mad(after.angular, own_momentum(w, 0), 1);
	after.angular = vec_mad(after.angular, own_momentum(w, 4), 1);
	const double linear = vec_length(vec_sub(after.linear, before.linear)),
	             angular = vec_length(vec_sub(after.angular, before.angular));
	const double lost = 1 - get(w, 0).velocity[0];
	print_message("%s, α %g: momentum changes by %.1e, angular by %.1e; the stone lost %.2f\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", alpha,
	              linear / before.linear_scale, angular / before.angular_scale, lost);
	test_near(linear / before.linear_scale, 0, bound, "change of momentum");
	test_near(angular / before.angular_scale, 0, bound, "change of angular momentum");
	// the opposite: they have met
	assert_true(lost > 0.2);
	oz_world_destroy(w);
}

static void all_models_together_keep_their_momentum(void **state)
{
	(void)state;
	fly_together(OZ_PRESSURE_INCOMPRESSIBLE, 1, 1e-5);
	fly_together(OZ_PRESSURE_EOS, 1, 1e-5);
	// shape matching of blends loses 2e-5 of its own
	fly_together(OZ_PRESSURE_INCOMPRESSIBLE, 0.5, 5e-5);
}

// ---- what is refused ---------------------------------------------------------------------------

static char *saved_world(size_t *size)
{
	oz_world *w = make_world(OZ_PRESSURE_INCOMPRESSIBLE, 1);
	test_steps(w, 20);
	test_must(oz_world_save(w, PATH, NULL), NULL);
	oz_world_destroy(w);
	return test_read(PATH, size);
}

static void a_rigid_body_that_cannot_be_is_refused(void **state)
{
	(void)state;
	static const struct {
		size_t offset;
		double number;
		const char *sentence;
	} wrong[] = {
	        {offsetof(oz_rigid_body, place), NAN, "not finite"},
	        {offsetof(oz_rigid_body, place), 1e30, "too far away or too fast"},
	        {offsetof(oz_rigid_body, velocity), 1e30, "too far away or too fast"},
	        {offsetof(oz_rigid_body, angular_momentum), INFINITY, "not finite"},
	        {offsetof(oz_rigid_body, angular_momentum), 1e30, "too far away or too fast"},
	        {offsetof(oz_rigid_body, rotation), 3, "rotation, inertia or axis"},
	        {offsetof(oz_rigid_body, inertia), 0, "rotation, inertia or axis"},
	        {offsetof(oz_rigid_body, inertia), -1, "rotation, inertia or axis"},
	        {offsetof(oz_rigid_body, inertia) + 3 * sizeof(double), 1e3,
	         "rotation, inertia or axis"},
	        {offsetof(oz_rigid_body, axis), 3, "rotation, inertia or axis"},
	        {offsetof(oz_rigid_body, mass), 0, "does not fit the bodies"},
	};
	size_t size;
	char *file = saved_world(&size);
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		test_write_changed(WRONG, file, size, "rigid", sizeof(uint32_t) + wrong[k].offset,
		                   &wrong[k].number, sizeof wrong[k].number);
		if (!test_is_refused(WRONG, wrong[k].sentence))
			fail_msg("number %zu is not refused", k);
	}
	static const uint32_t numbers[] = {5, 0xffffffffu, 0, 2};
	for (int k = 0; k < 4; k++) {
		test_write_changed(WRONG, file, size, "rigid.number", 0, &numbers[k], 4);
		assert_true(test_is_refused(WRONG, k < 2 ? "does not exist" : "particle count"));
	}
	// the opposite: the same file, not changed, runs
	test_write(WRONG, file, size);
	assert_false(test_is_refused(WRONG, NULL));
	free(file);
}

// whatever four bytes of a rigid body become: it is refused, or it is a world that runs
static void rigid_bodies_of_any_bytes_are_refused_or_run(void **state)
{
	(void)state;
	static const uint32_t words[] = {0xffffffffu, 0x7ff00000u, 0xfff80000u, 0x10000000u, 77};
	section_header header;
	size_t size;
	uint32_t refused = 0, tried = 0;
	char *file = saved_world(&size);
	test_find_section(file, "rigid", &header);
	for (size_t at = 0; at + 4 <= header.size; at += test_is_long()    ? 4
	                                                 : test_is_quick() ? 60
	                                                                   : 20) {
		test_write_changed(WRONG, file, size, "rigid", at, &words[tried++ % 5], 4);
		refused += test_is_refused(WRONG, NULL);
	}
	print_message("%u of %u damaged rigid bodies are refused\n", refused, tried);
	assert_true(refused > tried / 10);
	free(file);
}

static void a_file_cut_within_its_rigid_bodies_is_refused(void **state)
{
	(void)state;
	section_header header;
	size_t size;
	char *file = saved_world(&size);
	const size_t at = test_find_section(file, "rigid", &header);
	for (size_t cut = at; cut < at + sizeof header + header.size; cut += 301) {
		test_write(WRONG, file, cut);
		assert_true(test_is_refused(WRONG, NULL));
	}
	free(file);
}

static void expect_refused(oz_material_def def, const char *sentence)
{
	const oz_world_def world = make_def(OZ_PRESSURE_EOS, 1);
	oz_world *w = test_world(&world);
	oz_error error = {OZ_OK, ""};
	oz_id id = OZ_NONE;
	assert_int_not_equal(oz_world_add_material(w, &def, &id, &error), OZ_OK);
	assert_string_equal(error.text, sentence);
	oz_world_destroy(w);
}

static void wrong_parameters_are_answered(void **state)
{
	(void)state;
	oz_material_def def = rigid_def(0, false);
	expect_refused(def,
	               "material.density is 0 kg/m³; it must be between 0.001 and 100000 kg/m³");
	def = rigid_def(1000, false);
	def.friction = -1;
	expect_refused(def, "material.friction is -1; it must be between 0 and 8");
	def.friction = NAN;
	expect_refused(def, "material.friction is nan; it must be between 0 and 8");
}

static void only_rigid_bodies_have_a_state(void **state)
{
	(void)state;
	oz_world *w = make_world(OZ_PRESSURE_EOS, 1);
	oz_rigid_state r;
	oz_error error = {OZ_OK, ""};
	assert_int_not_equal(oz_world_get_rigid(w, 0, &r, &error), OZ_OK);
	assert_non_null(strstr(error.text, "is not rigid; give it a material of model rigid"));
	assert_int_not_equal(oz_world_get_rigid(w, 99, &r, &error), OZ_OK);
	assert_string_equal(error.text, "there is no body 99; there are 7");
	assert_int_equal(oz_world_get_rigid(w, 1, &r, &error), OZ_OK);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(threads_and_snapshots_change_no_bit),
	        cmocka_unit_test(all_models_together_keep_their_momentum),
	        cmocka_unit_test(a_rigid_body_that_cannot_be_is_refused),
	        cmocka_unit_test(rigid_bodies_of_any_bytes_are_refused_or_run),
	        cmocka_unit_test(a_file_cut_within_its_rigid_bodies_is_refused),
	        cmocka_unit_test(wrong_parameters_are_answered),
	        cmocka_unit_test(only_rigid_bodies_have_a_state),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
