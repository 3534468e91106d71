// test_archive.c: archives of particles are read back by h5py, hold the very numbers of the world,
// and are whole whatever happens to the run that writes them.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "export/export.h"
#include "worlds.h"

#ifdef OZ_HAVE_HDF5

static void expect_in_error(const oz_error *error, const char *wanted)
{
	if (!strstr(error->text, wanted))
		fail_msg("'%s' is not in: %s", wanted, error->text);
}

static oz_archive *open_in(const char *folder, uint32_t first)
{
	oz_error error = {OZ_OK, ""};
	oz_archive *archive;
	if (oz_archive_open(folder, first, &archive, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return archive;
}

static void make_folder(const char *folder)
{
	char frames[200];
	snprintf(frames, sizeof frames, "%s/frames", folder);
	assert_int_equal(mkdir(folder, 0777), 0);
	assert_int_equal(mkdir(frames, 0777), 0);
}

static void add(oz_archive *archive, oz_world *world, uint32_t frame)
{
	oz_error error = {OZ_OK, ""};
	if (oz_archive_add(archive, world, frame, frame / 30.0, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

static void list(oz_archive *archive)
{
	oz_error error = {OZ_OK, ""};
	if (oz_archive_list(archive, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

// ---- what is in them --------------------------------------------------------------------------

static void h5py_reads_the_very_values(void **state)
{
	(void)state;
	oz_world *world = test_busy_dam(2, 0.02f, NULL);
	make_folder("values");
	oz_archive *archive = open_in("values", 0);
	for (uint32_t frame = 0; frame < 3; frame++) {
		test_steps(world, 20);
		add(archive, world, frame);
	}
	list(archive);
	oz_archive_close(archive);
	test_dump_world(world);
	test_expect_shell("$PYTHON $SOURCE/tests/check_archive.py values 3 2", 0);
	// the check must be able to fail
	assert_int_equal(test_shell("$PYTHON $SOURCE/tests/check_archive.py values 3 1"), 1);
	assert_int_equal(test_shell("$PYTHON $SOURCE/tests/check_archive.py values 2 2"), 1);
	oz_world_destroy(world);
}

static void a_frame_without_particles_is_whole_and_not_in_the_series(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	oz_world *world = test_world(&def);
	make_folder("none");
	oz_archive *archive = open_in("none", 0);
	add(archive, world, 0);
	list(archive);
	oz_archive_close(archive);
	test_dump_world(world);
	test_expect_shell("$PYTHON $SOURCE/tests/check_archive.py none 1 0", 0);
	test_expect_shell("! grep -q Polyvertex none/particles.xmf", 0);
	oz_world_destroy(world);
}

static void an_archive_opened_again_goes_on_with_its_frames(void **state)
{
	(void)state;
	oz_world *world = test_busy_dam(1, 0.04f, NULL);
	make_folder("again");
	oz_archive *archive = open_in("again", 0);
	for (uint32_t frame = 0; frame < 4; frame++)
		add(archive, world, frame);
	list(archive);
	oz_archive_close(archive);
	test_expect_shell("cp -r again before", 0);
	// the last frame is written again, as after a snapshot that is older
	archive = open_in("again", 3);
	add(archive, world, 3);
	list(archive);
	oz_archive_close(archive);
	test_expect_shell("diff -r before again && $PYTHON $SOURCE/tests/check_archive.py again 4",
	                  0);
	oz_world_destroy(world);
}

static void any_bytes_may_be_in_a_name(void **state)
{
	(void)state;
	oz_world *world = test_busy_dam(1, 0.04f, NULL);
	make_folder("\xff odd & <\xc3\xa4>");
	for (uint32_t frame = 0; frame < 2; frame++) {
		oz_archive *archive = open_in("\xff odd & <\xc3\xa4>", frame);
		add(archive, world, frame);
		list(archive);
		oz_archive_close(archive);
	}
	test_expect_shell("mv *odd* plain && $PYTHON $SOURCE/tests/check_archive.py plain 2", 0);
	oz_world_destroy(world);
}

// ---- what goes wrong --------------------------------------------------------------------------

static void a_frame_that_is_no_archive_is_told_and_nothing_is_printed(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = test_busy_dam(1, 0.04f, NULL);
	make_folder("broken");
	oz_archive *archive = open_in("broken", 0);
	add(archive, world, 0);
	oz_archive_close(archive);
	oz_world_destroy(world);
	assert_int_equal(truncate("broken/frames/frame_00000.h5", 5000), 0);
	fflush(stderr);
	int old = dup(2), silent = open("printed.txt", O_CREAT | O_TRUNC | O_WRONLY, 0666);
	dup2(silent, 2);
	oz_result result = oz_archive_open("broken", 1, &archive, &error);
	dup2(old, 2);
	close(old);
	close(silent);
	size_t size;
	free(test_read("printed.txt", &size));
	assert_int_equal(size, 0);
	assert_int_equal(result, OZ_ERROR_FILE);
	assert_null(archive);
	expect_in_error(&error,
	                "broken/frames/frame_00000.h5 is not a complete HDF5 file of particles");
}

static void an_archive_that_cannot_be_written_is_told(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = test_busy_dam(1, 0.04f, NULL);
	oz_archive *archive = open_in("no/such/folder", 0);
	assert_int_equal(oz_archive_add(archive, world, 0, 0, &error), OZ_ERROR_FILE);
	expect_in_error(&error, "no/such/folder/frames/frame_00000.h5");
	expect_in_error(&error, "make the folder first");
	assert_int_equal(oz_archive_list(archive, &error), OZ_ERROR_FILE);
	oz_archive_close(archive);
	oz_world_destroy(world);
}

// a limit on file sizes stands in for a disk that fills up in the middle of a file
static void a_frame_that_does_not_fit_leaves_the_old_one(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	struct rlimit old, small;
	oz_world *world = test_busy_dam(1, 0.04f, NULL);
	make_folder("full");
	oz_archive *archive = open_in("full", 0);
	add(archive, world, 0);
	list(archive);
	test_expect_shell("cp -r full kept", 0);
	test_steps(world, 10);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 2000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	oz_result result = oz_archive_add(archive, world, 0, 0, &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(result, OZ_ERROR_FILE);
	expect_in_error(&error, "full/frames/frame_00000.h5");
	oz_archive_close(archive);
	test_expect_shell("diff -r full kept", 0);
	oz_world_destroy(world);
}

#endif

// ---- runs -------------------------------------------------------------------------------------

static void write_scene(const char *h5)
{
	char text[1000];
	int length = snprintf(text, sizeof text,
	                      "{\"world\": {\"spacing\": 0.04},\n"
	                      " \"bodies\": [{\"material\": \"water\", \"shape\": \"box\","
	                      " \"size\": [0.5, 0.5, 0.5]}],\n"
	                      " \"output\": {\"duration\": 0.4, \"frame_rate\": 50, \"vtu\": false,"
	                      " \"h5\": %s, \"snapshot_interval\": 0.1}}\n",
	                      h5);
	test_write("scene.json", text, (size_t)length);
}

#ifdef OZ_HAVE_HDF5

static void a_run_that_was_killed_ends_with_the_same_archive(void **state)
{
	(void)state;
	write_scene("true");
	test_expect_shell("$OOZE run scene.json -o calm -t 1 && $PYTHON "
	                  "$SOURCE/tests/check_archive.py calm 21",
	                  0);
	for (int i = 0; i < 3; i++) {
		char line[300];
		// killed as soon as a later frame is there, wherever that finds it
		snprintf(line, sizeof line,
		         "rm -rf hurt; $OOZE run scene.json -o hurt -t 1 & "
		         "until test -e hurt/frames/frame_000%02d.h5; do :; done; kill -9 $!; "
		         "wait; $OOZE run -o hurt -t 1 --resume && "
		         "find hurt -name '*.part' -delete && diff -r calm/frames hurt/frames",
		         7 * i + 1);
		test_expect_shell(line, 0);
		test_expect_shell("cmp calm/particles.h5 hurt/particles.h5 && "
		                  "cmp calm/particles.xmf hurt/particles.xmf && $PYTHON "
		                  "$SOURCE/tests/check_archive.py hurt 21",
		                  0);
	}
}

static void a_run_anew_leaves_nothing_of_an_old_archive(void **state)
{
	(void)state;
	write_scene("true");
	test_expect_shell("$OOZE run scene.json -o anew -n 3 && $PYTHON "
	                  "$SOURCE/tests/check_archive.py anew 4",
	                  0);
	write_scene("false");
	test_expect_shell("$OOZE run scene.json -o anew -n 3 --force", 0);
	test_expect_shell("! find anew | grep -E 'h5|xmf'", 0);
}

#else

static void a_build_without_hdf5_says_so_before_it_begins(void **state)
{
	(void)state;
	write_scene("true");
	assert_int_equal(test_shell("$OOZE run scene.json -o absent"), 1);
	test_expect_shell("test ! -e absent", 0);
	assert_int_equal(test_shell("$OOZE run scene.json -o absent"), 1);
	test_expect_shell("$OOZE run scene.json -o absent 2>&1 | grep -q 'leaves out HDF5'", 0);
	write_scene("false");
	test_expect_shell("$OOZE run scene.json -o absent -n 2", 0);
}

#endif
int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef OZ_HAVE_HDF5
	        cmocka_unit_test(h5py_reads_the_very_values),
	        cmocka_unit_test(a_frame_without_particles_is_whole_and_not_in_the_series),
	        cmocka_unit_test(an_archive_opened_again_goes_on_with_its_frames),
	        cmocka_unit_test(any_bytes_may_be_in_a_name),
	        cmocka_unit_test(a_frame_that_is_no_archive_is_told_and_nothing_is_printed),
	        cmocka_unit_test(an_archive_that_cannot_be_written_is_told),
	        cmocka_unit_test(a_frame_that_does_not_fit_leaves_the_old_one),
#endif
#ifdef OZ_HAVE_HDF5
	        cmocka_unit_test(a_run_that_was_killed_ends_with_the_same_archive),
	        cmocka_unit_test(a_run_anew_leaves_nothing_of_an_old_archive),
#else
	        cmocka_unit_test(a_build_without_hdf5_says_so_before_it_begins),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
