// test_failure.c: what happens when the machine says no: full disks, folders that cannot be written
// to, and memory that runs out at every single allocation.
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "ooze/ooze.h"
#include "support.h"

static void expect_text(const char *path, const char *text)
{
	char *data;
	size_t size;
	oz_error error;
	assert_int_equal(oz_file_read(path, 1 << 20, &data, &size, &error), OZ_OK);
	assert_string_equal(data, text);
	free(data);
}

// ---- files ------------------------------------------------------------------------------------

static void a_file_is_seen_only_when_it_is_whole(void **state)
{
	(void)state;
	oz_file file;
	oz_error error;
	test_write_text("a.txt", "old");
	assert_int_equal(oz_file_begin(&file, "a.txt", &error), OZ_OK);
	oz_file_put(&file, "new", 3);
	expect_text("a.txt", "old");
	assert_int_equal(oz_file_commit(&file, &error), OZ_OK);
	expect_text("a.txt", "new");
	assert_false(test_exists("a.txt.part"));
}

static void a_cancelled_file_leaves_nothing(void **state)
{
	(void)state;
	oz_file file;
	oz_error error;
	test_write_text("b.txt", "old");
	assert_int_equal(oz_file_begin(&file, "b.txt", &error), OZ_OK);
	oz_file_put(&file, "new", 3);
	oz_file_cancel(&file);
	expect_text("b.txt", "old");
	assert_false(test_exists("b.txt.part"));
}

static void a_full_disk_is_told_with_the_path_and_the_remedy(void **state)
{
	(void)state;
	oz_file file;
	oz_error error;
	assert_int_equal(oz_file_begin(&file, "/dev/full", &error), OZ_OK);
	for (int i = 0; i < 10000; i++)
		oz_file_print(&file, "line %d\n", i);
	assert_int_equal(oz_file_commit(&file, &error), OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, "the disk is full while writing /dev/full"));
	assert_non_null(strstr(error.text, "free some space"));
	assert_true(test_exists("/dev/full"));
}

// a limit on file sizes stands in for a full disk that fills in the middle of a file
static void a_file_that_cannot_grow_leaves_the_old_one(void **state)
{
	(void)state;
	oz_file file;
	oz_error error;
	struct rlimit old, small;
	test_write_text("c.txt", "old");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 100000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	oz_result begun = oz_file_begin(&file, "c.txt", &error);
	for (int i = 0; begun == OZ_OK && i < 30000; i++)
		oz_file_put(&file, "0123456789", 10);
	oz_result ended = begun == OZ_OK ? oz_file_commit(&file, &error) : begun;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(ended, OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, "c.txt"));
	expect_text("c.txt", "old");
	assert_false(test_exists("c.txt.part"));
}

static void expect_begin_fails(const char *path, const char *reason)
{
	oz_file file;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_file_begin(&file, path, &error), OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, path));
	if (!strstr(error.text, reason))
		fail_msg("no '%s' in: %s", reason, error.text);
	assert_non_null(strchr(error.text, ';'));
}

static void paths_that_cannot_be_written_get_their_own_sentence(void **state)
{
	(void)state;
	test_write_text("regular", "a file");
	assert_int_equal(mkdir("folder", 0777), 0);
	expect_begin_fails("no/such/folder.txt", "no such file or folder");
	expect_begin_fails("regular/below.txt", "is a file, not a folder");
	expect_begin_fails("folder", "it is a folder");
	expect_begin_fails("/proc/nothing.txt", "failed");
	// root may write anywhere
	if (geteuid() != 0) {
		assert_int_equal(chmod("folder", 0555), 0);
		expect_begin_fails("folder/x.txt", "permission denied");
	}
}

static void reading_fails_with_a_sentence(void **state)
{
	(void)state;
	char *data;
	size_t size;
	oz_error error;
	assert_int_equal(oz_file_read("missing.txt", 100, &data, &size, &error), OZ_ERROR_FILE);
	assert_null(data);
	assert_non_null(strstr(error.text, "missing.txt"));
	assert_int_equal(oz_file_read(".", 100, &data, &size, &error), OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, "it is a folder"));
	test_write_text("long.txt", "0123456789");
	assert_int_equal(oz_file_read("long.txt", 9, &data, &size, &error), OZ_ERROR_FILE);
	assert_null(data);
	assert_int_equal(oz_file_read("long.txt", 10, &data, &size, &error), OZ_OK);
	assert_int_equal(size, 10);
	assert_int_equal(data[10], 0);
	free(data);
	// no size to be had beforehand
	assert_int_equal(oz_file_read("/proc/self/maps", 1 << 24, &data, &size, &error), OZ_OK);
	assert_true(size > 100);
	free(data);
}

static oz_world *small_world(const oz_hooks *hooks, oz_error *error);

static void a_snapshot_that_does_not_fit_leaves_the_old_one(void **state)
{
	(void)state;
	oz_error error;
	struct rlimit old, small;
	oz_world *world = small_world(NULL, &error);
	assert_non_null(world);
	assert_int_equal(oz_world_save(world, "s.ooze", &error), OZ_OK);
	uint64_t hash = oz_world_hash(world);
	assert_int_equal(oz_world_step(world, NULL, &error), OZ_OK);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 1000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	oz_result result = oz_world_save(world, "s.ooze", &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(result, OZ_ERROR_FILE);
	oz_world_destroy(world);
	assert_int_equal(oz_world_load("s.ooze", NULL, 1, NULL, &world, &error), OZ_OK);
	assert_true(oz_world_hash(world) == hash);
	oz_world_destroy(world);
}

// ---- runs of the program ----------------------------------------------------------------------

static void write_scene(void)
{
	test_write_text("scene.json",
	                "{\"world\": {\"spacing\": 0.05},\n"
	                " \"bodies\": [{\"material\": \"water\", \"shape\": \"box\","
	                " \"size\": [0.5, 0.5, 0.5]}],\n"
	                " \"output\": {\"duration\": 0.4, \"frame_rate\": 50, \"ply\": true,"
	                " \"snapshot_interval\": 0.1}}\n");
}

static void a_run_that_cannot_write_says_why_and_ends_with_1(void **state)
{
	(void)state;
	write_scene();
	test_write_text("regular", "a file");
	assert_int_equal(test_shell("$OOZE run scene.json -o regular/out"), 1);
	test_expect_in("err.txt", "ooze: the folder regular cannot be made");
	assert_int_equal(test_shell("$OOZE run scene.json -o regular"), 1);
	test_expect_in("err.txt", "choose another folder with -o");
	assert_int_equal(test_shell("$OOZE run scene.json -o /proc/ooze"), 1);
	test_expect_in("err.txt", "/proc/ooze");
	expect_text("regular", "a file");
	// files that may not grow: a sentence, not a signal
	assert_int_equal(test_shell("ulimit -f 60; $OOZE run scene.json -o limited"), 1);
	test_expect_in("err.txt",
	               "limited/frames/frame_00000.vtu failed: it grew past the largest size");
	assert_int_equal(test_shell("test ! -e limited/frames/frame_00000.vtu.part"), 0);
}

// root may write anywhere but on a disk that is read-only
static void a_read_only_disk_is_told_as_such(void **state)
{
	(void)state;
	write_scene();
	assert_int_equal(mkdir("frozen", 0777), 0);
	if (mount("tmpfs", "frozen", "tmpfs", 0, "size=1m") != 0) {
		print_message("mounting a disk needs root: skipped\n");
		skip();
	}
	int made = mkdir("frozen/empty", 0777);
	int frozen = mount("tmpfs", "frozen", "tmpfs", MS_REMOUNT | MS_RDONLY, "size=1m");
	int empty = test_shell("$OOZE run scene.json -o frozen/empty");
	assert_int_equal(rename("err.txt", "empty.txt"), 0);
	int absent = test_shell("$OOZE run scene.json -o frozen/new");
	assert_int_equal(umount("frozen"), 0);
	assert_int_equal(made, 0);
	assert_int_equal(frozen, 0);
	assert_int_equal(empty, 1);
	test_expect_in("empty.txt", "the folder frozen/empty cannot be written to: Read-only file "
	                            "system; choose another with -o");
	assert_int_equal(absent, 1);
	test_expect_in("err.txt", "the folder frozen/new cannot be made: Read-only file system");
}

// A disk of one megabyte fills up in the middle; with more room the run ends as any other.
static void a_run_that_fills_the_disk_leaves_whole_files_and_goes_on(void **state)
{
	(void)state;
	write_scene();
	assert_int_equal(mkdir("disk", 0777), 0);
	if (mount("tmpfs", "disk", "tmpfs", 0, "size=1m") != 0) {
		print_message("mounting a small disk needs root: skipped\n");
		skip();
	}
	int full = test_shell("$OOZE run scene.json -o disk/out --threads 1");
	assert_int_equal(rename("err.txt", "full.txt"), 0);
	int parts = test_shell("find disk -name '*.part' | grep .");
	int whole = test_shell("for f in disk/out/frames/*.vtu; do tail -c 12 $f | "
	                       "grep -q '^</VTKFile>' || exit 1; done");
	int more = mount("tmpfs", "disk", "tmpfs", MS_REMOUNT, "size=64m");
	int resumed = test_shell("$OOZE run -o disk/out --threads 1 --resume");
	int reference = test_shell("$OOZE run scene.json -o calm --threads 1");
	int same = test_shell("cmp calm/snapshot.ooze disk/out/snapshot.ooze && "
	                      "diff -r calm/frames disk/out/frames && "
	                      "cmp calm/frames.pvd disk/out/frames.pvd");
	assert_int_equal(umount("disk"), 0);
	assert_int_equal(full, 1);
	test_expect_in("full.txt", "the disk is full while writing disk/out");
	test_expect_in("full.txt", "go on with: ooze run -o disk/out --resume");
	assert_int_equal(parts, 1);
	assert_int_equal(whole, 0);
	assert_int_equal(more, 0);
	assert_int_equal(resumed, 0);
	assert_int_equal(reference, 0);
	assert_int_equal(same, 0);
}

// ---- memory -----------------------------------------------------------------------------------

// Lets `left` allocations pass and refuses all after them; counts what is out.
typedef struct ration {
	int64_t left;
	int64_t bytes;
	uint64_t calls;
} ration;

static void *rationed(void *context, void *block, size_t old_size, size_t new_size)
{
	ration *r = context;
	if (new_size == 0) {
		r->bytes -= (int64_t)old_size;
		free(block);
		return NULL;
	}
	r->calls++;
	if (r->left <= 0)
		return NULL;
	r->left--;
	char *fresh = aligned_alloc(64, (new_size + 63) / 64 * 64);
	if (!fresh)
		return NULL;
	// what is not cleared must not be relied upon
	memset(fresh, 0xA5, new_size);
	if (block)
		memcpy(fresh, block, old_size < new_size ? old_size : new_size);
	free(block);
	r->bytes += (int64_t)new_size - (block ? (int64_t)old_size : 0);
	return fresh;
}

static oz_result add_ball(oz_world *world, oz_error *error)
{
	oz_body_def body = oz_body_default();
	oz_vec3 points[300];
	for (uint32_t i = 0; i < 300; i++)
		points[i] = (oz_vec3){(float)(i % 10) * 0.1f, (float)(i / 10 % 6) * 0.1f,
		                      (float)(i / 60) * 0.1f};
	body.points = points;
	body.count = 300;
	return oz_world_add_body(world, &body, NULL, error);
}

// Makes a world with one of everything; on failure gives back what there is of it.
// a body with a rest shape, which warms up in time
static oz_result add_cube(oz_world *world, oz_model model, float x, oz_error *error)
{
	oz_material_def def = oz_material_default(model);
	oz_vec3 points[27];
	oz_body_def body = oz_body_default();
	const float gap = oz_world_get_def(world)->spacing;
	def.conductivity = 1;
	def.melting_point = 60;
	def.update_steps = 7;
	def.implicit = true;
	for (uint32_t i = 0; i < 27; i++)
		points[i] = (oz_vec3){x + gap * (float)(i % 3), 0.5f + gap * (float)(i / 3 % 3),
		                      gap * (float)(i / 9)};
	body.points = points;
	body.count = 27;
	body.temperature = 50;
	const oz_result result = oz_world_add_material(world, &def, &body.material, error);
	return result == OZ_OK ? oz_world_add_body(world, &body, NULL, error) : result;
}

static oz_result fill_world(const oz_hooks *hooks, oz_world **world, oz_error *error)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.1f;
	def.threads = 1;
	if (hooks)
		def.hooks = *hooks;
	oz_result result = oz_world_create(&def, world, error);
	oz_material_def water = oz_material_default(OZ_FLUID);
	oz_shape floor = oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){1, 1, 1});
	oz_collider_def collider = oz_collider_default(floor);
	oz_emitter_def emitter = oz_emitter_default(0);
	emitter.position = (oz_vec3){0, 2, 0};
	emitter.radius = 0.2f;
	if (result == OZ_OK)
		result = oz_world_add_material(*world, &water, NULL, error);
	if (result == OZ_OK)
		result = add_ball(*world, error);
	if (result == OZ_OK)
		result = oz_world_add_collider(*world, &collider, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_emitter(*world, &emitter, NULL, error);
	if (result == OZ_OK)
		result = add_cube(*world, OZ_BLEND, 1, error);
	if (result == OZ_OK)
		result = add_cube(*world, OZ_COROTATED, -1, error);
	return result;
}

static oz_world *small_world(const oz_hooks *hooks, oz_error *error)
{
	oz_world *world = NULL;
	if (fill_world(hooks, &world, error) == OZ_OK)
		return world;
	oz_world_destroy(world);
	return NULL;
}

static oz_result use_world(const oz_hooks *hooks, oz_world **world, oz_error *error)
{
	oz_result result = fill_world(hooks, world, error);
	for (int i = 0; result == OZ_OK && i < 30; i++)
		result = oz_world_step(*world, NULL, error);
	if (result == OZ_OK)
		result = oz_world_save(*world, "memory.ooze", error);
	return result;
}

static void memory_that_runs_out_anywhere_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	uint64_t refused = 0;
	for (int64_t allowed = 0;; allowed++) {
		ration r = {.left = allowed};
		oz_hooks hooks = {.alloc = rationed, .context = &r};
		oz_world *world = NULL;
		oz_error error = {OZ_OK, ""};
		oz_result result = use_world(&hooks, &world, &error);
		oz_world_destroy(world);
		if (r.bytes != 0)
			fail_msg("%lld bytes leak when allocation %lld fails", (long long)r.bytes,
			         (long long)allowed);
		if (result == OZ_OK)
			break;
		assert_int_equal(result, OZ_ERROR_MEMORY);
		assert_true(error.text[0] != 0);
		refused++;
		assert_true(allowed < 100000);
	}
	// the world asks for memory more than once or twice, or this test has tested nothing
	assert_true(refused > 5);
}

static void a_step_that_found_no_memory_can_be_taken_again(void **state)
{
	(void)state;
	oz_error error;
	ration r = {.left = INT64_MAX};
	oz_hooks hooks = {.alloc = rationed, .context = &r};
	oz_world *world = small_world(&hooks, &error), *other = small_world(NULL, &error);
	assert_non_null(world);
	assert_non_null(other);
	uint32_t refused = 0;
	for (int i = 0; i < 200; i++) {
		// every allocation of the step is refused in turn, until there is none left to
		// refuse
		oz_result result = OZ_ERROR_MEMORY;
		for (int64_t allowed = 0; result != OZ_OK; allowed++) {
			r.left = allowed;
			result = oz_world_step(world, NULL, &error);
			refused += result != OZ_OK;
			assert_true(result == OZ_OK || result == OZ_ERROR_MEMORY);
			assert_true(allowed < 1000);
		}
		assert_int_equal(oz_world_step(other, NULL, &error), OZ_OK);
	}
	assert_true(refused > 0);
	assert_true(oz_world_time(world) > 0);
	assert_int_equal(oz_world_particle_count(world), oz_world_particle_count(other));
	assert_true(oz_world_hash(world) == oz_world_hash(other));
	oz_world_destroy(world);
	oz_world_destroy(other);
	assert_true(r.bytes == 0);
}

static void loading_with_too_little_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = small_world(NULL, &error);
	assert_non_null(world);
	assert_int_equal(oz_world_step(world, NULL, &error), OZ_OK);
	assert_int_equal(oz_world_save(world, "load.ooze", &error), OZ_OK);
	oz_world_destroy(world);
	oz_result result = OZ_ERROR_MEMORY;
	for (int64_t allowed = 0; result != OZ_OK; allowed++) {
		ration r = {.left = allowed};
		oz_hooks hooks = {.alloc = rationed, .context = &r};
		result = oz_world_load("load.ooze", NULL, 1, &hooks, &world, &error);
		if (result != OZ_OK) {
			assert_int_equal(result, OZ_ERROR_MEMORY);
			assert_null(world);
		}
		oz_world_destroy(world);
		assert_true(r.bytes == 0);
		assert_true(allowed < 100000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_file_is_seen_only_when_it_is_whole),
	        cmocka_unit_test(a_cancelled_file_leaves_nothing),
	        cmocka_unit_test(a_full_disk_is_told_with_the_path_and_the_remedy),
	        cmocka_unit_test(a_file_that_cannot_grow_leaves_the_old_one),
	        cmocka_unit_test(paths_that_cannot_be_written_get_their_own_sentence),
	        cmocka_unit_test(reading_fails_with_a_sentence),
	        cmocka_unit_test(a_snapshot_that_does_not_fit_leaves_the_old_one),
	        cmocka_unit_test(a_run_that_cannot_write_says_why_and_ends_with_1),
	        cmocka_unit_test(a_read_only_disk_is_told_as_such),
	        cmocka_unit_test(a_run_that_fills_the_disk_leaves_whole_files_and_goes_on),
	        cmocka_unit_test(memory_that_runs_out_anywhere_is_told_and_nothing_leaks),
	        cmocka_unit_test(a_step_that_found_no_memory_can_be_taken_again),
	        cmocka_unit_test(loading_with_too_little_memory_is_told_and_nothing_leaks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
