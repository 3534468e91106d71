// test_cli_devices.c: devices as users of the program meet them: the list, runs on OpenCL, runs
// that move from one device to another, and devices that are not there, fail or are too small.
//
// The device is whichever OpenCL driver the machine has; what only POCL can feign (a device with
// little memory, a driver that cannot build) is skipped elsewhere.
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "world/world.h"
#include "worlds.h"

static void expect_lines(const char *path, int wanted)
{
	int lines = 0;
	char *text = test_read(path, NULL);
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	if (lines != wanted)
		fail_msg("%d lines, not %d, in %s:\n%s", lines, wanted, path, text);
	free(text);
}

static bool is_pocl(void)
{
	oz_device_info info;
	return oz_devices(&info, 1) >= 1 && strncmp(info.driver, "Portable Computing", 18) == 0;
}

// 1,000 particles fall into a box; 800 steps of a fixed time step, so that devices run ahead
static int write_scenes(void **state)
{
	(void)state;
	static const char scene[] =
	        "{\"world\": {\"spacing\": 0.05, \"time_step\": %s, \"sound_speed\": 20},\n"
	        " \"bodies\": [{\"material\": \"water\", \"shape\": \"box\","
	        " \"size\": [0.5, 0.5, 0.5], \"position\": [0, 0.3, 0]}],\n"
	        " \"colliders\": [{\"shape\": \"box\", \"size\": [1, 2, 1],"
	        " \"position\": [0, 1, 0], \"inside\": true}],\n"
	        " \"output\": {\"duration\": 0.4, \"frame_rate\": 25,"
	        " \"snapshot_interval\": 0.08}}\n";
	char text[1000];
	snprintf(text, sizeof text, scene, "0.0005");
	test_write_text("fall.json", text);
	snprintf(text, sizeof text, scene, "0.02");
	test_write_text("wild.json", text);
	test_write_text("large.json", "{\"world\": {\"spacing\": 0.005}, \"bodies\": [\n"
	                              "{\"material\": \"water\", \"shape\": \"box\","
	                              " \"size\": [1, 1, 1]}]}\n");
	return 0;
}

// ---- the list ---------------------------------------------------------------------------------

static void devices_are_listed_with_what_device_calls_them(void **state)
{
	(void)state;
	oz_device_info infos[8];
	const uint32_t count = oz_devices(infos, 8);
	assert_true(count >= 1 && count <= 8);
	test_expect_shell("$OOZE devices --no-speed", 0);
	expect_lines("out.txt", (int)count + 2);
	test_expect_in("out.txt", "\ncpu ");
	test_expect_in("out.txt", "\nopencl:0 ");
	test_expect_in("out.txt", infos[0].name);
	test_expect_in("out.txt", infos[0].driver);
	test_expect_shell("$OOZE help devices", 0);
	test_expect_in("out.txt", "--no-speed");
	test_expect_shell("$OOZE help", 0);
	test_expect_in("out.txt", "\n  devices ");
	test_expect_shell("$OOZE devices cpu", 2);
}

static void the_list_as_json_tells_the_speed_of_each(void **state)
{
	(void)state;
	test_expect_shell("$OOZE devices --json > list.json && $PYTHON - <<'EOF'\n"
	                  "import json\n"
	                  "rows = json.load(open('list.json'))\n"
	                  "assert [r['address'] for r in rows[:2]] == ['cpu', 'opencl:0'], rows\n"
	                  "for r in rows:\n"
	                  "    assert r['particle_steps_per_second'] > 1000, r\n"
	                  "    assert r['memory'] > 2**28 and r['units'] >= 1 and r['name'], r\n"
	                  "EOF\n",
	                  0);
}

static void without_a_driver_the_cores_are_left(void **state)
{
	(void)state;
	test_expect_shell("OCL_ICD_VENDORS=/nonexistent $OOZE devices", 0);
	test_expect_in("out.txt", "\ncpu ");
	test_expect_in("out.txt", "no OpenCL device was found; see docs/devices.md");
	test_expect_shell("OCL_ICD_VENDORS=/nonexistent $OOZE devices -n --json | grep -c address",
	                  0);
	test_expect_in("out.txt", "1\n");
}

static void a_device_that_fails_says_so_in_its_row(void **state)
{
	(void)state;
	if (!is_pocl())
		skip();
	test_expect_shell("OOZE_CACHE_DIR=empty POCL_CACHE_DIR=empty "
	                  "POCL_EXTRA_BUILD_FLAGS='-include nothing' $OOZE devices",
	                  0);
	test_expect_in("out.txt", "cannot build the kernels");
	test_expect_in("out.txt", "update the driver, or use the device cpu\n");
	expect_lines("err.txt", 0);
	test_expect_shell("OOZE_CACHE_DIR=empty POCL_CACHE_DIR=empty "
	                  "POCL_EXTRA_BUILD_FLAGS='-include nothing' $OOZE "
	                  "devices "
	                  "--json > bad.json; "
	                  "$PYTHON"
	                  " -c \"import json; cpu, bad = json.load(open('bad.json'));"
	                  " assert 'error' in bad and not 'error' in cpu\"",
	                  0);
}

// ---- devices that cannot be had ---------------------------------------------------------------

// one sentence, and no folder
static void expect_refused(const char *options, const char *environment, const char *sentence)
{
	char line[400];
	snprintf(line, sizeof line, "%s $OOZE run fall.json -o above/out %s", environment, options);
	test_expect_shell(line, 1);
	test_expect_in("err.txt", sentence);
	expect_lines("err.txt", 1);
	expect_lines("out.txt", 0);
	assert_int_not_equal(access("above", F_OK), 0);
}

static void a_device_that_is_not_there_is_refused_in_a_sentence(void **state)
{
	(void)state;
	expect_refused("--device opencl:63", "", "ooze: there is no device opencl:63 (found: ");
	expect_refused("-D gpu", "",
	               "ooze: there is no device 'gpu'; use cpu, opencl, or one that `ooze "
	               "devices` lists");
	expect_refused("--device=opencl:", "", "ooze: there is no device 'opencl:'; use cpu");
	expect_refused("--device opencl", "OCL_ICD_VENDORS=/nonexistent",
	               "ooze: no OpenCL device was found; install the driver of your GPU "
	               "(docs/devices.md), or use the device cpu");
	expect_refused("", "OOZE_DEVICE=tpu", "ooze: there is no device 'tpu'");
	// what is said on the command line counts more
	test_expect_shell("OOZE_DEVICE=tpu $OOZE run fall.json -o said -D cpu -n 0", 0);
	test_expect_shell("OOZE_DEVICE=tpu $OOZE validate fall.json", 1);
	test_expect_shell("OOZE_DEVICE=tpu $OOZE validate fall.json -D opencl", 0);
	// a look at files needs no device
	test_expect_shell("OOZE_DEVICE=tpu $OOZE info said/snapshot.ooze", 0);
	test_expect_shell("OOZE_DEVICE=tpu $OOZE info fall.json", 0);
}

static void an_earlier_run_outlives_a_device_that_is_not_there(void **state)
{
	(void)state;
	test_expect_shell("$OOZE run fall.json -o kept -n 2 && cp -r kept before", 0);
	test_expect_shell("$OOZE run fall.json -o kept --force -D opencl:63", 1);
	test_expect_shell("diff -r before kept", 0);
	test_expect_shell("$OOZE run -o kept --resume -D opencl:63 -n 5", 1);
	expect_lines("err.txt", 1);
	test_expect_shell("diff -r before kept", 0);
}

static void a_scene_larger_than_the_device_is_refused_before_it_is_filled(void **state)
{
	(void)state;
	if (!is_pocl())
		skip();
	test_expect_shell("POCL_MEMORY_LIMIT=1 $OOZE run large.json -o above/out -D opencl", 1);
	test_expect_in("err.txt",
	               "ooze: large.json:2:1: bodies[0] takes the scene beyond the memory of ");
	// of one GiB, a quarter may be one buffer, and lists are six tenths of all
	test_expect_in("err.txt", "8e+06 particles need about 3.95 GB, and there are 0.457 GB; a "
	                          "world.spacing of 0.011 m would fit");
	expect_lines("err.txt", 1);
	assert_int_not_equal(access("above", F_OK), 0);
}

// ---- runs -------------------------------------------------------------------------------------

static void a_run_says_where_and_takes_the_same_steps(void **state)
{
	(void)state;
	oz_device_info info;
	char where[160];
	assert_true(oz_devices(&info, 1) >= 1);
	snprintf(where, sizeof where, " m on %s (opencl:0)\n", info.name);
	test_expect_shell("$OOZE run fall.json -o gpu --device opencl", 0);
	test_expect_in("out.txt", where);
	test_expect_in("out.txt", ": 800 steps, ");
	test_expect_shell("$OOZE run fall.json -o cpu --device cpu -t 1", 0);
	test_expect_in("out.txt", " m, 1 thread\n");
	// time, step, particles, time step, limit
	test_expect_shell(
	        "cut -d, -f1-5 cpu/stats.csv > a; cut -d, -f1-5 gpu/stats.csv > b; cmp a b", 0);
	// a particle that was met by a wall may go another way; all together may not
	test_expect_shell("$PYTHON - <<'EOF'\n"
	                  "import csv\n"
	                  "a, b = ([r for r in csv.DictReader(open(d + '/stats.csv'))]\n"
	                  "        for d in ('cpu', 'gpu'))\n"
	                  "for p, q in zip(a, b):\n"
	                  "    x, y = (float(r['potential_energy']) for r in (p, q))\n"
	                  "    assert abs(x - y) < 0.01 * abs(x), (p, q)\n"
	                  "EOF\n",
	                  0);
}

static void events_of_steps_that_run_ahead_are_told(void **state)
{
	(void)state;
	test_expect_shell("$OOZE run wild.json -o wild --device opencl", 0);
	test_expect_in("err.txt",
	               "ooze: warning: at 0 s: time_step 0.02 s is 15 times the stable time step");
	test_expect_in("err.txt", " s: the volume is not held: compressed by ");
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static pid_t start(const char *folder)
{
	const pid_t child = fork();
	if (child == 0) {
		(void)!freopen("err.txt", "w", stderr);
		(void)!freopen("out.txt", "w", stdout);
		execl(test_program(), "ooze", "run", "fall.json", "-o", folder, "-D", "opencl",
		      (char *)NULL);
		_exit(127);
	}
	assert_true(child > 0);
	return child;
}

// Ctrl-C once the second frame is there; gives the exit status.
static int stop_early(const char *folder)
{
	char frame[200];
	int status;
	const pid_t child = start(folder);
	snprintf(frame, sizeof frame, "%s/frames/frame_00001.vtu", folder);
	for (int k = 0; access(frame, F_OK) != 0 && k < 60000; k++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	const double asked = seconds();
	kill(child, SIGINT);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(seconds() - asked < 5);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void ctrl_c_is_met_between_rows_and_the_run_goes_on_bit_for_bit(void **state)
{
	(void)state;
	test_expect_shell("$OOZE run fall.json -o calm -D opencl", 0);
	assert_int_equal(stop_early("cut"), 1);
	test_expect_in("err.txt", "on the way to frame ");
	test_expect_in("err.txt", "go on with: ooze run -o cut --resume");
	test_expect_shell("$OOZE run -o cut --resume -D opencl", 0);
	test_expect_in("out.txt", "going on at ");
	test_expect_shell(
	        "cmp calm/snapshot.ooze cut/snapshot.ooze && diff -r calm/frames cut/frames", 0);
	test_expect_shell("for d in calm cut; do sed 's/,[^,]*$//' $d/stats.csv > $d.csv; done; "
	                  "cmp calm.csv cut.csv",
	                  0);
}

static void a_run_moves_from_device_to_device(void **state)
{
	(void)state;
	test_expect_shell("$OOZE run fall.json -o moved -D opencl -n 3", 0);
	test_expect_shell("$OOZE run -o moved --resume -D cpu -n 6", 0);
	test_expect_shell("OOZE_DEVICE=opencl:0 $OOZE run -o moved --resume -n 10", 0);
	test_expect_in("out.txt", "(opencl:0)");
	expect_lines("moved/stats.csv", 12);
	test_expect_shell("tail -n 1 moved/stats.csv | cut -d, -f1-3", 0);
	test_expect_in("out.txt", "0.4,800,1000");
}

static void a_world_keeps_the_address_and_not_the_callers_text(void **state)
{
	(void)state;
	char text[] = "opencl";
	oz_world_def def = oz_world_default();
	def.device = text;
	oz_world *world = test_world(&def);
	text[0] = 0;
	assert_string_equal(oz_world_device(world)->address, "opencl:0");
	assert_string_equal(oz_world_get_def(world)->device, "opencl:0");
	oz_world_destroy(world);
	setenv("OOZE_DEVICE", "opencl:0", 1);
	def.device = NULL;
	world = test_world(&def);
	unsetenv("OOZE_DEVICE");
	assert_string_equal(oz_world_get_def(world)->device, "opencl:0");
	oz_world_destroy(world);
}

// ---- a device that is lost --------------------------------------------------------------------

static void nothing_is_saved_or_shown_of_a_lost_device(void **state)
{
	(void)state;
	oz_error error;
	oz_view view;
	oz_stats stats;
	oz_world *world = test_dam(1, 0.1f, NULL), *again = NULL;
	assert_string_equal(oz_world_device(world)->address, "cpu");
	assert_int_equal(oz_world_save(world, "lost.ooze", &error), OZ_OK);
	const uint64_t hash = oz_world_hash(world);
	test_steps(world, 1);
	oz_fail(&world->sim.device->failure, OZ_ERROR_DEVICE, "the device is gone");
	assert_int_equal(oz_world_save(world, "lost.ooze", &error), OZ_ERROR_DEVICE);
	assert_string_equal(error.text, "the device is gone");
	assert_int_equal(oz_world_view(world, OZ_FIELD_POSITION, &view, &error), OZ_ERROR_DEVICE);
	assert_int_equal(oz_world_stats(world, &stats, &error), OZ_ERROR_DEVICE);
	assert_int_equal(oz_world_step(world, NULL, &error), OZ_ERROR_DEVICE);
	oz_world_destroy(world);
	assert_int_not_equal(access("lost.ooze.part", F_OK), 0);
	assert_int_equal(oz_world_load("lost.ooze", "cpu", 1, NULL, &again, &error), OZ_OK);
	assert_true(oz_world_hash(again) == hash);
	oz_world_destroy(again);
}

int main(void)
{
	unsetenv("OOZE_DEVICE");
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(devices_are_listed_with_what_device_calls_them),
	        cmocka_unit_test(the_list_as_json_tells_the_speed_of_each),
	        cmocka_unit_test(without_a_driver_the_cores_are_left),
	        cmocka_unit_test(a_device_that_fails_says_so_in_its_row),
	        cmocka_unit_test(a_device_that_is_not_there_is_refused_in_a_sentence),
	        cmocka_unit_test(an_earlier_run_outlives_a_device_that_is_not_there),
	        cmocka_unit_test(a_scene_larger_than_the_device_is_refused_before_it_is_filled),
	        cmocka_unit_test(a_run_says_where_and_takes_the_same_steps),
	        cmocka_unit_test(events_of_steps_that_run_ahead_are_told),
	        cmocka_unit_test(ctrl_c_is_met_between_rows_and_the_run_goes_on_bit_for_bit),
	        cmocka_unit_test(a_run_moves_from_device_to_device),
	        cmocka_unit_test(a_world_keeps_the_address_and_not_the_callers_text),
	        cmocka_unit_test(nothing_is_saved_or_shown_of_a_lost_device),
	};
	return cmocka_run_group_tests(tests, write_scenes, NULL);
}
