// test_cli.c: the program: help, wrong use, runs and their files, validation.
#include "base/base.h"
#include "runs.h"

// ---- help and wrong use -----------------------------------------------------------------------

static const char *const commands[] = {"run",    "validate", "info", "presets",
                                       "params", "schema",   "bench"};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void the_program_alone_prints_the_overview(void **state)
{
	(void)state;
	assert_int_equal(test_ooze(" "), 0);
	test_expect_empty("err.txt");
	for (size_t i = 0; i < COMMANDS; i++)
		test_expect_in("out.txt", commands[i]);
	assert_int_equal(test_ooze("--version"), 0);
	test_expect_in("out.txt", OZ_VERSION);
}

static void every_command_has_help_in_two_ways(void **state)
{
	(void)state;
	char usage[64];
	for (size_t i = 0; i < COMMANDS; i++) {
		assert_int_equal(test_ooze("help %s", commands[i]), 0);
		snprintf(usage, sizeof usage, "usage: ooze %s", commands[i]);
		test_expect_in("out.txt", usage);
		test_expect_in("out.txt", "--help");
		char *first = test_read("out.txt", NULL);
		assert_int_equal(test_ooze("%s --help", commands[i]), 0);
		char *second = test_read("out.txt", NULL);
		assert_string_equal(first, second);
		free(first);
		free(second);
	}
}

static void wrong_use_ends_with_2_and_names_the_nearest(void **state)
{
	(void)state;
	assert_int_equal(test_ooze("rum"), 2);
	test_expect_in("err.txt", "ooze: there is no command 'rum'; did you mean 'run'?");
	assert_int_equal(test_ooze("xyzzy"), 2);
	test_expect_in("err.txt", "'ooze help' lists them");
	assert_int_equal(test_ooze("run a.json -o out --thread 3"), 2);
	test_expect_in("err.txt", "did you mean '--threads'?");
	assert_int_equal(test_ooze("run a.json -o out --zzz"), 2);
	test_expect_in("err.txt", "'ooze help run' lists them");
	assert_int_equal(test_ooze("run a.json -o out --threads many"), 2);
	test_expect_in("err.txt", "--threads is 'many'");
	assert_int_equal(test_ooze("run a.json -o out --duration nan"), 2);
	assert_int_equal(test_ooze("run a.json -o out --threads"), 2);
	assert_int_equal(test_ooze("run a.json"), 2);
	test_expect_in("err.txt", "-o DIR");
	assert_int_equal(test_ooze("run a.json b.json -o out"), 2);
	assert_int_equal(test_ooze("run a.json -o out --resume --force"), 2);
	assert_int_equal(test_ooze("validate"), 2);
	assert_int_equal(test_ooze("params wrld"), 2);
	test_expect_in("err.txt", "did you mean 'world'?");
	test_expect_empty("out.txt");
	assert_false(test_exists("out"));
}

static void output_that_cannot_be_written_is_a_failure(void **state)
{
	(void)state;
	char line[1000];
	snprintf(line, sizeof line, "'%s' params >/dev/full 2>err.txt", test_program());
	int status = system(line);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	test_expect_in("err.txt", "ooze: ");
}

// ---- runs -------------------------------------------------------------------------------------

static void a_run_writes_whole_files(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(test_ooze("run scene.json -o whole --threads 1"), 0);
	test_expect_in("out.txt", "splash: 1,000 particles");
	// no terminal, so no bar
	test_expect_empty("err.txt");
	assert_int_equal(test_count_lines("whole/stats.csv"), 1 + 26);
	assert_true(test_exists("whole/frames/frame_00025.vtu"));
	assert_true(test_exists("whole/frames/frame_00025.ply"));
	assert_false(test_exists("whole/frames/frame_00026.vtu"));
	test_expect_in("whole/frames.pvd", "timestep=\"0.5\" file=\"frames/frame_00025.vtu\"");
	test_expect_in("whole/frames.pvd", "timestep=\"0.02\"");
	test_expect_in("whole/frames/frame_00025.vtu", "</VTKFile>");
	assert_int_equal(system("ls whole whole/frames | grep -q part"), 256);
	assert_int_equal(test_ooze("info whole/snapshot.ooze"), 0);
	test_expect_in("out.txt", "time         0.5 s");
	test_expect_in("out.txt", "block");
	test_expect_in("out.txt", "hash");
	assert_int_equal(test_ooze("validate whole/scene.json"), 0);
}

static void the_resolved_scene_makes_the_same_run(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(test_ooze("run scene.json -o given --frames 6 --threads 1"), 0);
	assert_int_equal(test_ooze("run given/scene.json -o resolved --threads 1 -q"), 0);
	test_expect_empty("out.txt");
	test_same_file("given", "resolved", "scene.json");
	test_same_stats("given", "resolved");
	assert_int_equal(test_same_frames("given", "resolved"), 14);
	assert_int_equal(test_ooze("info given/snapshot.ooze"), 0);
	assert_int_equal(system("grep hash out.txt > given.hash"), 0);
	assert_int_equal(test_ooze("info resolved/snapshot.ooze"), 0);
	char *hash = test_read("given.hash", NULL);
	test_expect_in("out.txt", hash);
	free(hash);
}

static void thread_counts_do_not_change_a_run(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(test_ooze("run scene.json -o one --frames 10 --threads 1"), 0);
	assert_int_equal(test_ooze("run scene.json -o three --frames 10 --threads 3"), 0);
	assert_true(test_same_frames("one", "three") == 22);
	test_same_stats("one", "three");
}

static void an_earlier_run_is_not_overwritten_unasked(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(test_ooze("run scene.json -o kept --frames 5"), 0);
	char *before = test_read("kept/stats.csv", NULL);
	assert_int_equal(test_ooze("run scene.json -o kept --frames 2"), 1);
	test_expect_in("err.txt", "--resume");
	test_expect_in("err.txt", "--force");
	char *after = test_read("kept/stats.csv", NULL);
	assert_string_equal(before, after);
	free(before);
	free(after);
	assert_int_equal(system("echo mine > kept/mine.txt; echo mine > kept/frames/mine.vtu"), 0);
	assert_int_equal(test_ooze("run scene.json -o kept --frames 2 --force"), 0);
	assert_int_equal(test_count_lines("kept/stats.csv"), 1 + 3);
	assert_true(test_exists("kept/frames/frame_00002.vtu"));
	assert_false(test_exists("kept/frames/frame_00003.vtu"));
	assert_true(test_exists("kept/mine.txt") && test_exists("kept/frames/mine.vtu"));
}

static void what_was_made_of_an_earlier_run_goes_with_it(void **state)
{
	(void)state;
	static const char *const ours[] = {"pictures/frame_00004.png",
	                                   "frame_00004.png",
	                                   "contact_sheet.png",
	                                   "movie.mp4",
	                                   "surfaces/surface_00004.ply",
	                                   "surfaces/surface_body_block_00004.glb",
	                                   "surfaces.pvd",
	                                   "surfaces_body_block.pvd",
	                                   "plots/energy.svg",
	                                   "plots/energy.png"};
	static const char *const others[] = {"pictures/mine.png",
	                                     "frame_4.png",
	                                     "my_movie.mp4",
	                                     "surfaces/mine_00004.ply",
	                                     "surfaces/surface_.ply",
	                                     "surfaces_notes.txt",
	                                     "plots/mine.svg",
	                                     "surfaces/surface_00004.blend"};
	char line[300];
	test_write_splash("scene.json");
	assert_int_equal(system("rm -rf made && mkdir -p made/pictures made/surfaces made/plots"),
	                 0);
	for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++) {
		snprintf(line, sizeof line, "echo old > made/%s", ours[k]);
		assert_int_equal(system(line), 0);
	}
	for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
		snprintf(line, sizeof line, "echo mine > made/%s", others[k]);
		assert_int_equal(system(line), 0);
	}
	assert_int_equal(test_ooze("run scene.json -o made --frames 1 --force"), 0);
	for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++) {
		snprintf(line, sizeof line, "made/%s", ours[k]);
		if (test_exists(line))
			fail_msg("%s is still there", line);
	}
	for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
		snprintf(line, sizeof line, "made/%s", others[k]);
		if (!test_exists(line))
			fail_msg("%s is gone", line);
	}
}

static void a_folder_that_holds_no_run_is_left_alone(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(system("mkdir -p other && echo mine > other/mine.txt"), 0);
	assert_int_equal(test_ooze("run scene.json -o other --resume"), 1);
	test_expect_in("err.txt", "holds no run");
	assert_int_equal(test_ooze("run -o nowhere --resume"), 1);
	test_expect_in("err.txt", "name the scene");
	assert_int_equal(system("test \"$(ls other)\" = mine.txt && test ! -e nowhere"), 0);
}

static void a_broken_scene_fails_with_its_place_and_makes_no_folder(void **state)
{
	(void)state;
	assert_int_equal(system("printf '{\"world\": {\\n\"spacing\": -1}}' > bad.json"), 0);
	assert_int_equal(test_ooze("run bad.json -o never"), 1);
	test_expect_in("err.txt", "ooze: bad.json:2:12: world.spacing is -1 m");
	assert_int_equal(test_ooze("validate bad.json"), 1);
	assert_int_equal(test_ooze("run missing.json -o never"), 1);
	test_expect_in("err.txt", "missing.json");
	assert_int_equal(test_ooze("info missing.ooze"), 1);
	test_expect_in("err.txt", "missing.ooze");
	assert_false(test_exists("never"));
}

static void validate_tells_what_a_run_makes_and_writes_nothing(void **state)
{
	(void)state;
	assert_int_equal(system("mkdir -p still"), 0);
	test_write_splash("still/scene.json");
	assert_int_equal(test_ooze("validate still/scene.json"), 0);
	test_expect_in("out.txt", "1,000");
	test_expect_in("out.txt", "26 frames");
	test_expect_in("out.txt", "time step");
	assert_int_equal(system("test \"$(ls still)\" = scene.json"), 0);
	// a post stands in the water
	test_write_text("post.json", "{\"world\": {\"spacing\": 0.1}, \"bodies\": [{\"material\": "
	                             "\"water\", \"shape\": \"box\", \"size\": [1, 1, 1]}], "
	                             "\"colliders\": [{\"shape\": \"box\", \"size\": [0.2, 1, "
	                             "0.2]}]}");
	assert_int_equal(test_ooze("validate post.json"), 0);
	test_expect_in("out.txt", "left out     40 of body 0, inside a collider");
	assert_int_equal(test_ooze("validate %s", test_source("scenes/fountain.json")), 0);
	test_expect_in("out.txt", "surface tension, which acts at spacings up to 1.8 mm (water)");
	test_expect_in("out.txt", "about 17,671 by emitters, which makes 17,671 at the end");
	assert_int_equal(test_ooze("validate %s", test_source("scenes/oil_drops_in_water.json")),
	                 0);
	test_expect_in("out.txt", "0.005 Pa·s, 0.0728 N/m, fluid");
	test_expect_in("out.txt", "oil, water: 0.03 N/m\n");
	test_write_text("mix.json", "{\"world\": {\"spacing\": 0.05}, \"bodies\": [{\"material\": "
	                            "\"water\", \"shape\": \"ball\", \"size\": 0.2}, "
	                            "{\"material\": \"oil\", \"shape\": \"ball\", \"size\": 0.2, "
	                            "\"position\": [1, 0, 0]}], "
	                            "\"interfaces\": [{\"material\": \"oil\", \"other\": "
	                            "\"water\", \"tension\": 0.03}]}");
	assert_int_equal(test_ooze("validate mix.json"), 0);
	test_expect_in("out.txt", "oil, water: 0.03 N/m, left out: it acts at spacings up to");
	test_write_text("milli.json", "{\"materials\": {\"drop\": {\"surface_tension\": 72.8}}, "
	                              "\"bodies\": [{\"material\": \"drop\", \"shape\": \"ball\", "
	                              "\"size\": 0.2}]}");
	assert_int_not_equal(test_ooze("validate milli.json"), 0);
	test_expect_in("err.txt", "between 0 and 10 N/m; water has 0.0728 N/m");
}

static void validate_lists_hot_and_cold_regions(void **state)
{
	(void)state;
	assert_int_equal(system("echo '{\"bodies\": [{\"material\": \"foam\", \"shape\": "
	                        "\"ball\", \"size\": 0.1}], \"regions\": [{\"shape\": \"box\", "
	                        "\"size\": [1, 1, 1], \"temperature\": 90, \"rate\": 2, "
	                        "\"start\": 0.5, \"duration\": 1}, {\"shape\": \"ball\", "
	                        "\"size\": 1, \"temperature\": -5}]}' > hot.json"),
	                 0);
	assert_int_equal(test_ooze("validate hot.json"), 0);
	test_expect_in("out.txt", "regions      2");
	test_expect_in("out.txt", "region 0: 90 °C, rate 2 1/s, from 0.5 s to 1.5 s");
	test_expect_in("out.txt", "region 1: -5 °C, rate 1 1/s, from 0 s on");
}

static void a_scene_of_nothing_is_warned_of(void **state)
{
	(void)state;
	assert_int_equal(system("echo '{}' > nothing.json"), 0);
	assert_int_equal(test_ooze("validate nothing.json"), 0);
	test_expect_in("err.txt",
	               "warning: the scene has no body and no emitter, so nothing will move");
	assert_int_equal(test_ooze("run nothing.json -o nothing --frames 1"), 0);
	test_expect_in("err.txt",
	               "warning: the scene has no body and no emitter, so nothing will move");
}

static void threads_have_one_range_everywhere(void **state)
{
	(void)state;
	static const char *const users[] = {"run a.json -o out", "validate a.json", "render out",
	                                    "bench"};
	for (size_t i = 0; i < sizeof users / sizeof users[0]; i++) {
		assert_int_equal(test_ooze("%s -t 257", users[i]), 2);
		test_expect_in("err.txt",
		               "--threads is '257', which must be a whole number from 0 to 256");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_program_alone_prints_the_overview),
	        cmocka_unit_test(every_command_has_help_in_two_ways),
	        cmocka_unit_test(wrong_use_ends_with_2_and_names_the_nearest),
	        cmocka_unit_test(output_that_cannot_be_written_is_a_failure),
	        cmocka_unit_test(a_run_writes_whole_files),
	        cmocka_unit_test(the_resolved_scene_makes_the_same_run),
	        cmocka_unit_test(thread_counts_do_not_change_a_run),
	        cmocka_unit_test(an_earlier_run_is_not_overwritten_unasked),
	        cmocka_unit_test(what_was_made_of_an_earlier_run_goes_with_it),
	        cmocka_unit_test(a_folder_that_holds_no_run_is_left_alone),
	        cmocka_unit_test(a_broken_scene_fails_with_its_place_and_makes_no_folder),
	        cmocka_unit_test(validate_tells_what_a_run_makes_and_writes_nothing),
	        cmocka_unit_test(validate_lists_hot_and_cold_regions),
	        cmocka_unit_test(a_scene_of_nothing_is_warned_of),
	        cmocka_unit_test(threads_have_one_range_everywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
