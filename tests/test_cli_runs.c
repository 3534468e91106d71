// test_cli_runs.c: runs that are killed or stopped at any moment go on to the same bits; what a run
// says of events, overlaps and instability.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "runs.h"

// ---- cut short --------------------------------------------------------------------------------

static void sleep_ms(uint64_t ms)
{
	struct timespec time = {.tv_sec = (time_t)(ms / 1000),
	                        .tv_nsec = (long)(ms % 1000) * 1000000};
	nanosleep(&time, NULL);
}

// Kills runs of scene.json, each later than the one before. Each is continued to its end and must
// equal a run that was not killed.
static void kill_and_resume(void)
{
	uint64_t begin = oz_clock_ns();
	assert_true(test_wait_for(test_start_run("calm", NULL)) == 0);
	uint64_t whole_ms = (oz_clock_ns() - begin) / 1000000;
	uint32_t killed = 0, tries = 0;
	for (uint64_t tenth = 0; tenth < 10; tenth += test_is_quick() ? 2 : 1, tries++) {
		assert_int_equal(system("rm -rf killed"), 0);
		pid_t child = test_start_run("killed", NULL);
		sleep_ms(1 + whole_ms * tenth / 10);
		kill(child, SIGKILL);
		killed += WIFSIGNALED(test_wait_for(child));
		if (test_ooze("run scene.json -o killed --threads 1 --resume") != 0)
			fail_msg("%s", test_read("err.txt", NULL));
		test_expect_empty("err.txt");
		test_same_runs("calm", "killed");
	}
	// some came too late on a busy machine, but not most
	assert_true(5 * killed >= 2 * tries);
}

static void a_killed_run_goes_on_to_the_same_bits(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	kill_and_resume();
}

// slime on a plate that moves, with a stone in it: links are made, relax and break
static const char slime_scene[] =
        "{\"world\":{\"spacing\":0.02,\"pressure\":\"incompressible\"},"
        "\"materials\":{\"slime\":{\"preset\":\"slime\",\"extensibility\":1.5}},"
        "\"bodies\":[{\"material\":\"slime\",\"shape\":\"box\",\"size\":[0.2,0.16,0.2],"
        "\"position\":[0,0.2,0]},{\"material\":\"stone\",\"shape\":\"ball\",\"size\":0.05,"
        "\"position\":[0,0.4,0]}],\"colliders\":[{\"shape\":\"plane\"},{\"shape\":\"box\","
        "\"size\":[0.1,0.1,0.1],\"keyframes\":[{\"time\":0,\"position\":[0,0.05,0]},"
        "{\"time\":0.5,\"position\":[0.1,0.05,0]}]}],"
        "\"output\":{\"duration\":0.5,\"frame_rate\":50,\"snapshot_interval\":0.1}}";

static void a_killed_run_of_links_goes_on_to_the_same_bits(void **state)
{
	(void)state;
	test_write_text("scene.json", slime_scene);
	assert_int_equal(system("rm -rf calm"), 0);
	kill_and_resume();
}

static void a_run_killed_again_and_again_ends_with_the_same_bits(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_true(test_wait_for(test_start_run("once", NULL)) == 0);
	assert_int_equal(system("rm -rf often"), 0);
	for (uint64_t i = 0; i < 12; i++) {
		pid_t child = test_start_run("often", "--resume");
		sleep_ms(10 + 25 * i);
		kill(child, SIGKILL);
		test_wait_for(child);
	}
	assert_int_equal(test_ooze("run scene.json -o often --threads 1 --resume"), 0);
	test_same_runs("once", "often");
	// nothing is left to do, and nothing is done
	assert_int_equal(test_ooze("run -o often --threads 1 --resume"), 0);
	test_expect_in("out.txt", "nothing to do");
	test_same_runs("once", "often");
}

static void wait_for_file(const char *path)
{
	for (int i = 0; i < 6000 && !test_exists(path); i++)
		sleep_ms(5);
	assert_true(test_exists(path));
}

static void an_interrupted_run_saves_and_goes_on_to_the_same_bits(int number, const char *folder)
{
	char path[100], reference[100];
	test_write_splash("scene.json");
	pid_t child = test_start_run(folder, "--duration=1000");
	snprintf(path, sizeof path, "%s/frames/frame_00007.vtu", folder);
	wait_for_file(path);
	kill(child, number);
	int status = test_wait_for(child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	test_expect_in("err.txt", "stopped at");
	test_expect_in("err.txt", "--resume");
	snprintf(path, sizeof path, "%s/stats.csv", folder);
	uint32_t frames = test_count_lines(path) - 2 + 3; // three more than are there
	assert_int_equal(test_ooze("run -o %s --resume --threads 1 --frames %u", folder, frames),
	                 0);
	test_expect_in("out.txt", "going on at");
	snprintf(reference, sizeof reference, "%s_reference", folder);
	assert_int_equal(test_ooze("run scene.json -o %s --threads 1 --frames %u", reference,
	                           frames),
	                 0);
	test_same_runs(reference, folder);
}

static void control_c_saves_and_goes_on_to_the_same_bits(void **state)
{
	(void)state;
	an_interrupted_run_saves_and_goes_on_to_the_same_bits(SIGINT, "control_c");
}

static void a_polite_end_saves_and_goes_on_to_the_same_bits(void **state)
{
	(void)state;
	an_interrupted_run_saves_and_goes_on_to_the_same_bits(SIGTERM, "terminated");
}

static void two_runs_do_not_share_a_folder(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	pid_t child = test_start_run("shared", "--duration=1000");
	wait_for_file("shared/snapshot.ooze");
	assert_int_equal(test_ooze("run -o shared --resume"), 1);
	test_expect_in("err.txt", "another run is writing to shared");
	assert_int_equal(test_ooze("run scene.json -o shared --force"), 1);
	kill(child, SIGKILL);
	test_wait_for(child);
	assert_int_equal(test_ooze("run -o shared --resume --frames 1"), 0);
}

static void an_edited_scene_is_noticed_when_going_on(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(test_ooze("run scene.json -o edited --frames 2 --threads 1"), 0);
	assert_int_equal(test_ooze("run scene.json -o edited --frames 3 --resume"), 0);
	test_expect_empty("err.txt");
	assert_int_equal(system("sed 's/0.5, 0.5, 0.5/0.5, 0.5, 0.4/' scene.json > changed.json"),
	                 0);
	assert_int_equal(test_ooze("run changed.json -o edited --frames 3 --resume"), 0);
	test_expect_in("err.txt", "is not the scene that edited was begun with");
	assert_int_equal(test_ooze("run lost.json -o edited --frames 3 --resume"), 1);
	test_expect_in("err.txt",
	               "the scene lost.json cannot be read: No such file or directory; "
	               "correct its name, or leave it out to continue with the one in edited");
}

static void edits_in_the_folder_that_have_no_effect_are_told(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(test_ooze("run scene.json -o own --frames 2 --threads 1"), 0);
	assert_int_equal(test_ooze("run -o own --frames 3 --resume --threads 2"), 0);
	test_expect_empty("err.txt");
	assert_int_equal(system("sed -i 's/\"density\": [0-9.]*/\"density\": 900/; "
	                        "s/\"friction\": [0-9.]*/\"friction\": 0.77/' own/scene.json"),
	                 0);
	assert_int_equal(test_ooze("run -o own --frames 4 --resume"), 0);
	test_expect_in("err.txt", "edits of materials and colliders in own/scene.json have no "
	                          "effect: the run continues with those of its snapshot");
	assert_int_equal(system("sed -i 's/\"gravity\": [[][^]]*[]]/\"gravity\": [0, -1, 0]/' "
	                        "own/scene.json"),
	                 0);
	assert_int_equal(test_ooze("run -o own --frames 5 --resume"), 0);
	test_expect_in("err.txt", "edits of world, materials and colliders in own/scene.json");
}

static void a_kind_of_event_is_told_once_and_counted(void **state)
{
	(void)state;
	test_write_splash("scene.json");
	assert_int_equal(system("sed 's/\"max_compression\": 0.5/\"max_compression\": 0.05/' "
	                        "scene.json > squeezed.json"),
	                 0);
	assert_int_equal(test_ooze("run squeezed.json -o squeezed"), 0);
	test_expect_in("err.txt", "ooze: warning: at ");
	test_expect_in("err.txt", "times: the volume was not held");
	assert_int_equal(test_count_lines("err.txt"), 2);
}

static void blow_up(const char *name, const char *step)
{
	char line[600];
	snprintf(line, sizeof line,
	         "echo '{\"world\": {\"spacing\": 0.05, \"time_step\": %s}, \"bodies\": "
	         "[{\"material\": \"soft rubber\", \"shape\": \"box\", \"size\": [0.4, 0.4, "
	         "0.4], \"position\": [0, 0.2, 0]}], \"colliders\": [{\"shape\": \"plane\"}], "
	         "\"output\": {\"duration\": 0.4, \"frame_rate\": 100}}' > %s.json",
	         step, name);
	assert_int_equal(system(line), 0);
}

static void an_unstable_run_fails_and_keeps_its_frames(void **state)
{
	(void)state;
	blow_up("wild", "0.004");
	assert_int_equal(test_ooze("run wild.json -o wild"), 1);
	test_expect_in("err.txt", "ooze: unstable at ");
	test_expect_in("err.txt",
	               "set world.time_step to 0, which adapts it, or far below 0.004 s");
	// going on would only meet it again
	char *said = test_read("err.txt", NULL);
	assert_null(strstr(said, "--resume"));
	free(said);
	assert_true(test_exists("wild/frames/frame_00001.vtu"));
	assert_false(test_exists("wild/frames/frame_00040.vtu"));
	// every frame that was written is whole and listed
	assert_int_equal(system("test $(ls wild/frames/*.vtu | wc -l) = $(grep -c DataSet "
	                        "wild/frames.pvd) && test $(ls wild/frames/*.vtu | wc -l) = $(grep "
	                        "-l '</VTKFile>' wild/frames/*.vtu | wc -l)"),
	                 0);
	assert_int_equal(system("ls wild wild/frames | grep -q part"), 256);
	blow_up("tame", "0");
	assert_int_equal(test_ooze("run tame.json -o tame"), 0);
}

static void a_run_names_bodies_that_overlap(void **state)
{
	(void)state;
	test_write_text("pressed.json",
	                "{\"world\": {\"spacing\": 0.05}, \"bodies\": [{\"material\": "
	                "\"water\", \"shape\": \"box\", \"size\": [0.4, 0.4, 0.4]}, "
	                "{\"material\": \"oil\", \"shape\": \"box\", \"size\": [0.4, "
	                "0.4, 0.4], \"position\": [0.2, 0, 0]}]}");
	assert_int_equal(test_ooze("run pressed.json -o pressed --frames 1"), 0);
	test_expect_in("err.txt", "overlap");
}

static void the_tables_are_printed(void **state)
{
	(void)state;
	assert_int_equal(test_ooze("presets"), 0);
	test_expect_in("out.txt", "water");
	test_expect_in("out.txt", "honey");
	test_expect_in("out.txt",
	               "mayonnaise          930         30    100      1000    0.035  Pale");
	assert_int_equal(test_ooze("params"), 0);
	test_expect_in("out.txt", "spacing");
	test_expect_in("out.txt", "frame_rate");
	assert_int_equal(test_ooze("params material"), 0);
	test_expect_in("out.txt", "viscosity");
	test_expect_in("out.txt", "100000 Pa  [1 … 1e+12]  (model: corotated or membrane)");
	assert_int_equal(test_ooze("params --markdown"), 0);
	test_expect_in("out.txt", "| `young_modulus` | corotated or membrane | Pa |");
	test_expect_shell("$OOZE schema > schema.json && $PYTHON -m json.tool schema.json", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_killed_run_goes_on_to_the_same_bits),
	        cmocka_unit_test(a_killed_run_of_links_goes_on_to_the_same_bits),
	        cmocka_unit_test(a_run_killed_again_and_again_ends_with_the_same_bits),
	        cmocka_unit_test(control_c_saves_and_goes_on_to_the_same_bits),
	        cmocka_unit_test(a_polite_end_saves_and_goes_on_to_the_same_bits),
	        cmocka_unit_test(two_runs_do_not_share_a_folder),
	        cmocka_unit_test(an_edited_scene_is_noticed_when_going_on),
	        cmocka_unit_test(edits_in_the_folder_that_have_no_effect_are_told),
	        cmocka_unit_test(a_kind_of_event_is_told_once_and_counted),
	        cmocka_unit_test(an_unstable_run_fails_and_keeps_its_frames),
	        cmocka_unit_test(a_run_names_bodies_that_overlap),
	        cmocka_unit_test(the_tables_are_printed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
