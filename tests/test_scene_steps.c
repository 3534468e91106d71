// test_scene_steps.c: the estimated number of steps of scenes, against runs of them.
//
// Scenes of the repository at a coarser spacing, with the incompressible pressure. The estimate is
// within a factor of two of what a run takes; that of the first step is far off.
#include "scenes.h"

// Replaces the number behind "spacing": by another, and adds a key before it.
static char *coarser(const char *path, double spacing, const char *key)
{
	size_t size;
	char *text = test_read(path, &size), *out = malloc(size + 128);
	char *at = strstr(text, "\"spacing\":");
	assert_non_null(at);
	assert_non_null(out);
	const char *rest = at + strcspn(at, ",}");
	snprintf(out, size + 128, "%.*s%s\"spacing\": %g%s", (int)(at - text), text, key, spacing,
	         rest);
	free(text);
	return out;
}

// `misleads`: how many times more steps the first step predicts, at least
static void check_text(const char *name, const char *text, const char *folder, double misleads)
{
	oz_error error = {OZ_OK, ""};
	oz_scene *scene = NULL;
	oz_stats stats;
	test_must(oz_scene_parse(text, strlen(text), name, folder, &scene, &error), &error);
	oz_world *w = test_scene_build(scene);
	assert_int_equal(oz_world_get_def(w)->pressure, OZ_PRESSURE_INCOMPRESSIBLE);
	oz_step_report report;
	test_must(oz_world_step(w, &report, &error), &error);
	test_must(oz_world_stats(w, &stats, &error), &error);
	const oz_output_def *output = oz_scene_output(scene);
	const double guess = oz_scene_steps(scene, &stats, &report);
	const double naive = (double)output->duration / (double)report.time_step;
	const double rate = (double)output->frame_rate;
	for (double frame = 1; frame <= ceil((double)output->duration * rate - 1e-3); frame++)
		while (oz_world_time(w) < frame / rate)
			test_must(oz_world_step_until(w, frame / rate, NULL, &error), &error);
	const double steps = (double)oz_world_step_count(w);
	print_message("%s: %.0f steps, estimated %.0f; by the first step %.0f\n", name, steps,
	              guess, naive);
	assert_true(guess > 0.5 * steps && guess < 2 * steps);
	assert_true(naive > misleads * steps);
	oz_world_destroy(w);
	oz_scene_free(scene);
}

static void check(const char *name, double spacing, const char *key)
{
	const char *path = test_source(name);
	char *text = coarser(path, spacing, key), folder[1024];
	snprintf(folder, sizeof folder, "%s", path);
	*strrchr(folder, '/') = 0;
	check_text(name, text, folder, 2.5);
	free(text);
}

static void the_estimate_is_within_a_factor_of_two_of_a_run(void **state)
{
	(void)state;
	check("scenes/dam_break.json", 0.05, "\"pressure\": \"incompressible\", ");
	check("scenes/cork_wood_steel.json", 0.04, "");
	check("scenes/crates_in_flood.json", 0.0585, "");
}

static void a_stiff_body_sets_the_estimate(void **state)
{
	(void)state;
	check_text("rubber",
	           "{ \"world\": { \"spacing\": 0.02, \"pressure\": \"incompressible\" },"
	           " \"materials\": { \"rubber\": { \"model\": \"corotated\", \"density\": 1000,"
	           " \"young_modulus\": 2e6 } },"
	           " \"bodies\": [ { \"material\": \"rubber\", \"shape\": \"box\","
	           " \"size\": [0.1, 0.1, 0.1], \"position\": [0, 0.1, 0] } ],"
	           " \"colliders\": [ { \"shape\": \"plane\" } ],"
	           " \"output\": { \"duration\": 0.3 } }",
	           ".", 0.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_estimate_is_within_a_factor_of_two_of_a_run),
	        cmocka_unit_test(a_stiff_body_sets_the_estimate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
