// test_blend_starts.c: blended bodies that begin in ways they should not, and what is refused.
//
// A cube pressed into a plane, a line or a point, or turned inside out, finds back to its shape; a
// time step far too long stays finite; definitions that make no sense get their sentences.
#include "worlds.h"

#define SPACING 0.01
#define EDGE    0.08 // m

// ---- extreme starts ----------------------------------------------------------------------------

typedef vec (*squash)(vec x, uint64_t *seed);

static double jitter(uint64_t *seed)
{
	return 1e-4 * SPACING * (test_random(seed) - 0.5);
}

static vec to_plane(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(x.x, 0, x.z);
}

static vec to_line(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(x.x, 0, 0);
}

static vec to_point(vec x, uint64_t *seed)
{
	(void)x;
	return vec_of(jitter(seed), jitter(seed), jitter(seed));
}

static vec to_one_point(vec x, uint64_t *seed)
{
	(void)x;
	(void)seed;
	return vec_of(0.01, 0.02, 0.03);
}

static vec mirrored(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(-x.x, x.y, x.z);
}

static vec inverted(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(-x.x, -x.y, -x.z);
}

static const struct {
	squash f;
	const char *name;
} starts[] = {{to_plane, "a plane"},     {to_line, "a line"},    {to_point, "nearly a point"},
              {to_one_point, "a point"}, {mirrored, "a mirror"}, {inverted, "inside out"}};
#define STARTS (sizeof starts / sizeof *starts)

static oz_world *start_from(squash f, const oz_material_def *def, test_particles *then)
{
	oz_world *w = test_space(SPACING, 10);
	uint64_t seed = 3;
	test_add_block(w, test_add_material(w, def), vec_of(0, 0, 0), vec_of(EDGE, EDGE, EDGE));
	*then = test_particles_read(w);
	for (uint32_t i = 0; i < then->count; i++)
		test_put_particle(w, i, f(then->at[i].x, &seed), vec_of(0, 0, 0));
	return w;
}

static void run_whole(oz_world *w, double time)
{
	while (oz_world_time(w) < time)
		assert_int_equal(test_step(w).repaired, 0);
	test_particles now = test_particles_read(w);
	assert_true(test_particles_finite(&now));
	test_particles_free(&now);
}

static void any_start_comes_back_to_the_reference_shape(void **state)
{
	(void)state;
	const double seconds = test_is_long() ? 2 : 1.2;
	for (size_t k = 0; k < STARTS; k++) {
		oz_material_def def = test_blend(0, 1000);
		def.damping = 0.3f;
		// parts that lie in each other push: that must not become the shape
		def.update_force = 1e9f;
		test_particles then;
		oz_world *w = start_from(starts[k].f, &def, &then);
		run_whole(w, seconds);
		test_particles now = test_particles_read(w);
		const double left = test_misfit(&now, &then) / EDGE;
		print_message("from %s: %.2f %% after %g s\n", starts[k].name, 100 * left, seconds);
		assert_true(left <= 0.02);
		test_particles_free(&then);
		test_particles_free(&now);
		oz_world_destroy(w);
	}
}

static void no_start_makes_a_number_that_is_none(void **state)
{
	(void)state;
	static const double alphas[] = {0, 0.5, 1};
	for (size_t k = 0; k < STARTS; k++)
		for (int a = 0; a < 3; a++) {
			const oz_material_def def = test_blend(alphas[a], 1000);
			test_particles then;
			oz_world *w = start_from(starts[k].f, &def, &then);
			run_whole(w, 0.1);
			test_particles_free(&then);
			oz_world_destroy(w);
		}
}

// ---- the time step -----------------------------------------------------------------------------

static void a_time_step_ten_times_too_long_stays_finite(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = (float)SPACING;
	def.time_step = 2.5e-3f;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_material_def rubber = test_blend(0, 1000);
	test_add_block(w, test_add_material(w, &rubber), vec_of(0, 0, 0), vec_of(EDGE, EDGE, EDGE));
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		test_put_particle(w, i, vec_of(1.3 * x.x, x.y, x.z), all.at[i].v);
	}
	test_particles_free(&all);
	oz_event event;
	test_step(w);
	assert_true(oz_world_next_event(w, &event));
	assert_int_equal(event.kind, OZ_EVENT_UNSTABLE);
	assert_true(event.value > 5);
	run_whole(w, 1);
	oz_stats stats;
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	test_near(stats.centre[1], -0.5 * GRAVITY, 0.02 * GRAVITY, "centre after 1 s");
	assert_true(stats.max.x - stats.min.x < 10 * EDGE);
	oz_world_destroy(w);
}

// ---- what is refused ---------------------------------------------------------------------------

static void expect_refused(const oz_material_def *def, const char *sentence)
{
	oz_world *w = test_space(SPACING, 10);
	oz_error error = {OZ_OK, ""};
	const size_t before = oz_world_bytes(w);
	assert_int_equal(oz_world_add_material(w, def, NULL, &error), OZ_ERROR_RANGE);
	if (!strstr(error.text, sentence))
		fail_msg("'%s' is not in: %s", sentence, error.text);
	assert_int_equal(oz_world_material_count(w), 0);
	assert_int_equal(oz_world_bytes(w), before);
	oz_world_destroy(w);
}

static void what_a_blend_cannot_be_is_told(void **state)
{
	(void)state;
	oz_material_def def = test_blend(1.5, 1000);
	expect_refused(&def, "material.alpha is 1.5; it must be between 0 and 1");
	def.alpha = -0.1f;
	expect_refused(&def, "material.alpha is -0.1");
	def = test_blend(0.5, 1000);
	def.cluster_radius = 1.5f;
	expect_refused(&def, "cluster_radius is 1.5 spacings, less than the world's support of 2");
	def = test_blend(0.5, 1000);
	def.update_force = -1;
	expect_refused(&def, "update_force is -1 m/s²");
	def = test_blend(0.5, 1000);
	def.response = -1;
	expect_refused(&def, "response is -1 s");
	def = test_blend(0.5, 1000);
	def.update_steps = 0;
	expect_refused(&def, "update_steps is 0 steps");
}

static void keys_of_alpha_that_make_no_sense_are_told(void **state)
{
	(void)state;
	static const oz_alpha_key wrong[][2] = {{{0, 0}, {1, 1.5f}},
	                                        {{0, 0}, {0, 1}},
	                                        {{2, 0}, {1, 1}},
	                                        {{0, 0}, {(float)NAN, 1}},
	                                        {{0, 0}, {1, (float)NAN}}};
	for (int k = 0; k < 5; k++) {
		oz_material_def def = test_blend(0.5, 1000);
		def.alpha_keys = wrong[k];
		def.alpha_key_count = 2;
		expect_refused(&def, "alpha key 1 is");
	}
}

static void alphas_of_particles_out_of_range_are_told(void **state)
{
	(void)state;
	static const float wrong[] = {1.01f, -0.5f, (float)NAN};
	const oz_vec3 points[] = {{0, 0, 0}, {0.01f, 0, 0}};
	for (int k = 0; k < 3; k++) {
		oz_world *w = test_space(SPACING, 10);
		const oz_material_def def = test_blend(0.5, 1000);
		const float alphas[] = {0.5f, wrong[k]};
		oz_error error = {OZ_OK, ""};
		oz_body_def body = oz_body_default();
		body.material = test_add_material(w, &def);
		body.points = points;
		body.count = 2;
		body.alphas = alphas;
		assert_int_equal(oz_world_add_body(w, &body, NULL, &error), OZ_ERROR_RANGE);
		assert_non_null(strstr(error.text, "alpha of particle 1 is"));
		assert_int_equal(oz_world_particle_count(w), 0);
		oz_world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(any_start_comes_back_to_the_reference_shape),
	        cmocka_unit_test(no_start_makes_a_number_that_is_none),
	        cmocka_unit_test(a_time_step_ten_times_too_long_stays_finite),
	        cmocka_unit_test(what_a_blend_cannot_be_is_told),
	        cmocka_unit_test(keys_of_alpha_that_make_no_sense_are_told),
	        cmocka_unit_test(alphas_of_particles_out_of_range_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
