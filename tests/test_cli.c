// test_cli.c: the program as its users meet it: help, wrong use, runs, and runs that are cut short
// at any moment and go on as if they had not been.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "support.h"

// ---- running the program ----------------------------------------------------------------------

static void expect_empty(const char *path)
{
	char *text = test_read(path, NULL);
	assert_string_equal(text, "");
	free(text);
}

// ---- help and wrong use -----------------------------------------------------------------------

static const char *const commands[] = {"run",    "validate", "info", "presets",
                                       "params", "schema",   "bench"};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void the_program_alone_prints_the_overview(void **state)
{
	(void)state;
	assert_int_equal(test_ooze(" "), 0);
	expect_empty("err.txt");
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
	expect_empty("out.txt");
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

// ---- scenes -----------------------------------------------------------------------------------

// A block falls into a vessel while a nozzle pours: particles, walls and counts that change.
static const char scene_text[] =
        "{\n"
        "  // small, but with a bit of everything\n"
        "  \"name\": \"splash\",\n"
        "  \"world\": {\"spacing\": 0.05, \"max_compression\": 0.5},\n"
        "  \"materials\": {\"wet\": {\"preset\": \"water\"}},\n"
        "  \"bodies\": [{\"name\": \"block\", \"material\": \"wet\", \"shape\": \"box\",\n"
        "    \"size\": [0.5, 0.5, 0.5], \"position\": [0, 0.5, 0]}],\n"
        "  \"colliders\": [{\"shape\": \"box\", \"size\": [1, 2, 1], \"position\": [0, 1, 0],\n"
        "    \"inside\": true}],\n"
        "  \"emitters\": [{\"material\": \"wet\", \"position\": [0.2, 1.5, 0],\n"
        "    \"radius\": 0.15, \"speed\": 2}],\n"
        "  \"output\": {\"duration\": 0.5, \"frame_rate\": 50, \"vtu\": true, \"ply\": true,\n"
        "    \"snapshot_interval\": 0.1}\n"
        "}\n";

static void write_scene(const char *path)
{
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(scene_text, stream);
	assert_int_equal(fclose(stream), 0);
}

static void sleep_ms(uint64_t ms)
{
	struct timespec time = {.tv_sec = (time_t)(ms / 1000),
	                        .tv_nsec = (long)(ms % 1000) * 1000000};
	nanosleep(&time, NULL);
}

// Starts a run in the background.
static pid_t start(const char *folder, const char *more)
{
	fflush(NULL);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child > 0)
		return child;
	int out = open("err.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	dup2(out, 1);
	dup2(out, 2);
	execl(test_program(), "ooze", "run", "scene.json", "-q", "-o", folder, "--threads", "1",
	      more, (char *)NULL);
	_exit(127);
}

static int wait_for(pid_t child)
{
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

// ---- comparing two runs -----------------------------------------------------------------------

static void expect_same_file(const char *one, const char *other, const char *name)
{
	char path[600];
	char *a, *b;
	size_t m, n;
	oz_error error = {OZ_OK, ""};
	snprintf(path, sizeof path, "%s/%s", one, name);
	if (oz_file_read(path, (size_t)1 << 30, &a, &m, &error) != OZ_OK)
		fail_msg("%s", error.text);
	snprintf(path, sizeof path, "%s/%s", other, name);
	if (oz_file_read(path, (size_t)1 << 30, &b, &n, &error) != OZ_OK)
		fail_msg("%s", error.text);
	if (m != n || memcmp(a, b, m) != 0)
		fail_msg("%s differs between %s and %s", name, one, other);
	free(a);
	free(b);
}

static uint32_t expect_same_frames(const char *one, const char *other)
{
	char path[600], name[300];
	uint32_t count = 0;
	snprintf(path, sizeof path, "%s/frames", one);
	DIR *list = opendir(path);
	assert_non_null(list);
	for (struct dirent *entry; (entry = readdir(list));) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "frames/%s", entry->d_name);
		expect_same_file(one, other, name);
		count++;
	}
	closedir(list);
	return count;
}

// the last column is wall-clock time, which no two runs share
static void cut_last_column(char *table)
{
	char *out = table;
	for (char *line = table; *line;) {
		char *end = strchr(line, '\n');
		assert_non_null(end);
		char *comma = end;
		while (comma > line && *comma != ',')
			comma--;
		memmove(out, line, (size_t)(comma - line));
		out += comma - line;
		*out++ = '\n';
		line = end + 1;
	}
	*out = 0;
}

static void expect_same_stats(const char *one, const char *other)
{
	char path[300];
	snprintf(path, sizeof path, "%s/stats.csv", one);
	char *a = test_read(path, NULL);
	snprintf(path, sizeof path, "%s/stats.csv", other);
	char *b = test_read(path, NULL);
	cut_last_column(a);
	cut_last_column(b);
	assert_string_equal(a, b);
	free(a);
	free(b);
}

static void expect_same_runs(const char *one, const char *other)
{
	expect_same_file(one, other, "snapshot.ooze");
	expect_same_file(one, other, "scene.json");
	expect_same_file(one, other, "frames.pvd");
	expect_same_stats(one, other);
	assert_int_equal(expect_same_frames(one, other), expect_same_frames(other, one));
}

static uint32_t count_lines(const char *path)
{
	char *text = test_read(path, NULL);
	uint32_t lines = 0;
	for (char *c = text; *c; c++)
		lines += *c == '\n';
	free(text);
	return lines;
}

// ---- runs -------------------------------------------------------------------------------------

static void a_run_writes_whole_files(void **state)
{
	(void)state;
	write_scene("scene.json");
	assert_int_equal(test_ooze("run scene.json -o whole --threads 1"), 0);
	test_expect_in("out.txt", "splash: 1,000 particles");
	// no terminal, so no bar
	expect_empty("err.txt");
	assert_int_equal(count_lines("whole/stats.csv"), 1 + 26);
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
	write_scene("scene.json");
	assert_int_equal(test_ooze("run scene.json -o given --frames 6 --threads 1"), 0);
	assert_int_equal(test_ooze("run given/scene.json -o resolved --threads 1 -q"), 0);
	expect_empty("out.txt");
	expect_same_file("given", "resolved", "scene.json");
	expect_same_stats("given", "resolved");
	assert_int_equal(expect_same_frames("given", "resolved"), 14);
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
	write_scene("scene.json");
	assert_int_equal(test_ooze("run scene.json -o one --frames 10 --threads 1"), 0);
	assert_int_equal(test_ooze("run scene.json -o three --frames 10 --threads 3"), 0);
	assert_true(expect_same_frames("one", "three") == 22);
	expect_same_stats("one", "three");
}

static void an_earlier_run_is_not_overwritten_unasked(void **state)
{
	(void)state;
	write_scene("scene.json");
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
	assert_int_equal(count_lines("kept/stats.csv"), 1 + 3);
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
	write_scene("scene.json");
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
	write_scene("scene.json");
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
	write_scene("still/scene.json");
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
	test_expect_in("out.txt", "about 17,671 by emitters, which makes 17,671 at the end");
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

// ---- cut short --------------------------------------------------------------------------------

// Kills runs ever later; each goes on to the end and must be the run that nobody killed.
static void a_killed_run_goes_on_to_the_same_bits(void **state)
{
	(void)state;
	write_scene("scene.json");
	uint64_t begin = oz_clock_ns();
	assert_true(wait_for(start("calm", NULL)) == 0);
	uint64_t whole_ms = (oz_clock_ns() - begin) / 1000000;
	uint32_t killed = 0, tries = 0;
	for (uint64_t tenth = 0; tenth < 10; tenth += test_is_quick() ? 2 : 1, tries++) {
		assert_int_equal(system("rm -rf killed"), 0);
		pid_t child = start("killed", NULL);
		sleep_ms(1 + whole_ms * tenth / 10);
		kill(child, SIGKILL);
		killed += WIFSIGNALED(wait_for(child));
		if (test_ooze("run scene.json -o killed --threads 1 --resume") != 0)
			fail_msg("%s", test_read("err.txt", NULL));
		expect_empty("err.txt");
		expect_same_runs("calm", "killed");
	}
	// some came too late on a busy machine, but not most
	assert_true(5 * killed >= 2 * tries);
}

static void a_run_killed_again_and_again_ends_with_the_same_bits(void **state)
{
	(void)state;
	write_scene("scene.json");
	assert_true(wait_for(start("once", NULL)) == 0);
	assert_int_equal(system("rm -rf often"), 0);
	for (uint64_t i = 0; i < 12; i++) {
		pid_t child = start("often", "--resume");
		sleep_ms(10 + 25 * i);
		kill(child, SIGKILL);
		wait_for(child);
	}
	assert_int_equal(test_ooze("run scene.json -o often --threads 1 --resume"), 0);
	expect_same_runs("once", "often");
	// nothing is left to do, and nothing is done
	assert_int_equal(test_ooze("run -o often --threads 1 --resume"), 0);
	test_expect_in("out.txt", "nothing to do");
	expect_same_runs("once", "often");
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
	write_scene("scene.json");
	pid_t child = start(folder, "--duration=1000");
	snprintf(path, sizeof path, "%s/frames/frame_00007.vtu", folder);
	wait_for_file(path);
	kill(child, number);
	int status = wait_for(child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	test_expect_in("err.txt", "stopped at");
	test_expect_in("err.txt", "--resume");
	snprintf(path, sizeof path, "%s/stats.csv", folder);
	uint32_t frames = count_lines(path) - 2 + 3; // three more than are there
	assert_int_equal(test_ooze("run -o %s --resume --threads 1 --frames %u", folder, frames),
	                 0);
	test_expect_in("out.txt", "going on at");
	snprintf(reference, sizeof reference, "%s_reference", folder);
	assert_int_equal(test_ooze("run scene.json -o %s --threads 1 --frames %u", reference,
	                           frames),
	                 0);
	expect_same_runs(reference, folder);
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
	write_scene("scene.json");
	pid_t child = start("shared", "--duration=1000");
	wait_for_file("shared/snapshot.ooze");
	assert_int_equal(test_ooze("run -o shared --resume"), 1);
	test_expect_in("err.txt", "another run is writing to shared");
	assert_int_equal(test_ooze("run scene.json -o shared --force"), 1);
	kill(child, SIGKILL);
	wait_for(child);
	assert_int_equal(test_ooze("run -o shared --resume --frames 1"), 0);
}

static void an_edited_scene_is_noticed_when_going_on(void **state)
{
	(void)state;
	write_scene("scene.json");
	assert_int_equal(test_ooze("run scene.json -o edited --frames 2 --threads 1"), 0);
	assert_int_equal(test_ooze("run scene.json -o edited --frames 3 --resume"), 0);
	expect_empty("err.txt");
	assert_int_equal(system("sed 's/0.5, 0.5, 0.5/0.5, 0.5, 0.4/' scene.json > changed.json"),
	                 0);
	assert_int_equal(test_ooze("run changed.json -o edited --frames 3 --resume"), 0);
	test_expect_in("err.txt", "is not the scene that edited was begun with");
	assert_int_equal(test_ooze("run lost.json -o edited --frames 3 --resume"), 1);
	test_expect_in("err.txt",
	               "the scene lost.json cannot be read: No such file or directory; "
	               "correct its name, or leave it out to continue with the one in edited");
}

static void a_kind_of_event_is_told_once_and_counted(void **state)
{
	(void)state;
	write_scene("scene.json");
	assert_int_equal(system("sed 's/\"max_compression\": 0.5/\"max_compression\": 0.05/' "
	                        "scene.json > squeezed.json"),
	                 0);
	assert_int_equal(test_ooze("run squeezed.json -o squeezed"), 0);
	test_expect_in("err.txt", "ooze: warning: at ");
	test_expect_in("err.txt", "times: the volume was not held");
	assert_int_equal(count_lines("err.txt"), 2);
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
	test_expect_in("out.txt", "mayonnaise          930         30    100      1000  Pale");
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
	        cmocka_unit_test(a_killed_run_goes_on_to_the_same_bits),
	        cmocka_unit_test(a_run_killed_again_and_again_ends_with_the_same_bits),
	        cmocka_unit_test(control_c_saves_and_goes_on_to_the_same_bits),
	        cmocka_unit_test(a_polite_end_saves_and_goes_on_to_the_same_bits),
	        cmocka_unit_test(two_runs_do_not_share_a_folder),
	        cmocka_unit_test(an_edited_scene_is_noticed_when_going_on),
	        cmocka_unit_test(a_kind_of_event_is_told_once_and_counted),
	        cmocka_unit_test(an_unstable_run_fails_and_keeps_its_frames),
	        cmocka_unit_test(a_run_names_bodies_that_overlap),
	        cmocka_unit_test(the_tables_are_printed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
