// test_determinism.c: the state after many steps is the same, bit for bit, on any number of
// threads, with any rubbish in fresh memory, and through a snapshot.
//
// The scene has everything that could break it: lists that are reused and rebuilt, a nozzle, a
// collider on its way, two materials.
#include "worlds.h"

#define STEPS   (test_is_quick() ? 120u : 200u)
#define SPACING 0.04f

static uint64_t golden; // after STEPS steps on one thread

static int find_golden(void **state)
{
	(void)state;
	oz_world *w = test_busy_dam(1, SPACING, NULL);
	const uint32_t at_first = oz_world_particle_count(w);
	oz_step_report report;
	uint32_t rebuilt = 0;
	for (uint32_t k = 0; k < STEPS; k++) {
		assert_int_equal(oz_world_step(w, &report, NULL), OZ_OK);
		rebuilt += report.rebuilt;
	}
	golden = oz_world_hash(w);
	// the scene is worth the test: four layers of particles came, and lists were used more than
	// once
	assert_true(oz_world_particle_count(w) > at_first + 40);
	assert_in_range(rebuilt, 10, STEPS - 10);
	oz_world_destroy(w);
	return 0;
}

static void any_number_of_threads_gives_the_same_state(void **state)
{
	(void)state;
	static const uint32_t threads[] = {2, 3, 8};
	for (size_t k = 0; k < sizeof threads / sizeof *threads; k += test_is_quick() ? 2 : 1) {
		oz_world *w = test_busy_dam(threads[k], SPACING, NULL);
		assert_int_equal(oz_world_threads(w), test_threads(w, threads[k]));
		test_steps(w, STEPS);
		assert_true(oz_world_hash(w) == golden);
		oz_world_destroy(w);
	}
}

static void what_fresh_memory_held_does_not_matter(void **state)
{
	(void)state;
	TEST_SLOW;
	static const unsigned char poisons[] = {0xa5, 0xff};
	for (size_t k = 0; k < sizeof poisons; k++) {
		test_memory memory = {.poison = poisons[k]};
		oz_world *w = test_busy_dam(1, SPACING, &memory);
		test_steps(w, STEPS);
		assert_true(oz_world_hash(w) == golden);
		oz_world_destroy(w);
		test_memory_is_empty(&memory);
	}
}

static void looking_at_a_world_does_not_change_it(void **state)
{
	(void)state;
	TEST_SLOW;
	oz_world *w = test_busy_dam(1, SPACING, NULL);
	for (uint32_t k = 0; k < STEPS; k++) {
		oz_stats stats;
		oz_view view;
		oz_event event;
		test_steps(w, 1);
		assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
		assert_int_equal(oz_world_view(w, OZ_FIELD_PRESSURE, &view, NULL), OZ_OK);
		assert_true(oz_world_hash(w) == oz_world_hash(w));
		while (oz_world_next_event(w, &event))
			continue;
	}
	assert_true(oz_world_hash(w) == golden);
	oz_world_destroy(w);
}

static void two_worlds_side_by_side_do_not_disturb_each_other(void **state)
{
	(void)state;
	oz_world *a = test_busy_dam(2, SPACING, NULL), *b = test_busy_dam(1, SPACING, NULL);
	for (uint32_t k = 0; k < STEPS; k++) {
		test_steps(a, 1);
		test_steps(b, 1);
		assert_true(oz_world_hash(a) == oz_world_hash(b));
	}
	assert_true(oz_world_hash(a) == golden);
	oz_world_destroy(a);
	oz_world_destroy(b);
}

// ---- through a snapshot -----------------------------------------------------------------------

// steps until the lists were just rebuilt, or just reused, but no fewer than `least`
static void step_to(oz_world *w, uint32_t least, bool rebuilt)
{
	oz_step_report report;
	do
		assert_int_equal(oz_world_step(w, &report, NULL), OZ_OK);
	while (report.step < least || report.rebuilt != rebuilt);
	assert_true(report.step < STEPS - 20);
}

static void go_on(const char *path, uint32_t threads)
{
	oz_world *w;
	oz_error error = {0};
	if (oz_world_load(path, NULL, threads, NULL, &w, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(oz_world_threads(w), test_threads(w, threads));
	test_steps(w, STEPS - (uint32_t)oz_world_step_count(w));
	assert_true(oz_world_hash(w) == golden);
	oz_world_destroy(w);
}

static void expect_same_files(const char *a, const char *b)
{
	size_t size_a, size_b;
	char *data_a = test_read(a, &size_a), *data_b = test_read(b, &size_b);
	assert_int_equal(size_a, size_b);
	assert_memory_equal(data_a, data_b, size_a);
	free(data_a);
	free(data_b);
}

// saves at one kind of step; the saved world and the loaded ones arrive at the same state
static void save_and_go_on(bool rebuilt)
{
	oz_world *w = test_busy_dam(1, SPACING, NULL);
	step_to(w, 60, rebuilt);
	const uint64_t hash = oz_world_hash(w);
	assert_int_equal(oz_world_save(w, "first.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_save(w, "second.ooze", NULL), OZ_OK);
	assert_true(oz_world_hash(w) == hash);
	expect_same_files("first.ooze", "second.ooze");
	test_steps(w, STEPS - (uint32_t)oz_world_step_count(w));
	assert_true(oz_world_hash(w) == golden);
	oz_world_destroy(w);
	go_on("first.ooze", 1);
	go_on("second.ooze", 3);
}

static void a_snapshot_of_fresh_lists_goes_on_bit_for_bit(void **state)
{
	(void)state;
	save_and_go_on(true);
}

static void a_snapshot_of_reused_lists_goes_on_bit_for_bit(void **state)
{
	(void)state;
	save_and_go_on(false);
}

static void a_loaded_world_rebuilds_its_lists_when_the_saved_one_does(void **state)
{
	(void)state;
	oz_world *a = test_busy_dam(2, SPACING, NULL), *b;
	step_to(a, 40, false);
	assert_int_equal(oz_world_save(a, "same.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_load("same.ooze", NULL, 8, NULL, &b, NULL), OZ_OK);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	for (uint32_t k = 0; k < 40; k++) {
		oz_step_report ra, rb;
		assert_int_equal(oz_world_step(a, &ra, NULL), OZ_OK);
		assert_int_equal(oz_world_step(b, &rb, NULL), OZ_OK);
		assert_int_equal(ra.rebuilt, rb.rebuilt);
		assert_true(ra.time == rb.time && ra.neighbours == rb.neighbours);
		assert_true(ra.mean_compression == rb.mean_compression);
		assert_true(oz_world_hash(a) == oz_world_hash(b));
	}
	oz_world_destroy(a);
	oz_world_destroy(b);
}

static void a_snapshot_before_the_first_step_goes_on_bit_for_bit(void **state)
{
	(void)state;
	oz_world *w = test_busy_dam(1, SPACING, NULL);
	assert_int_equal(oz_world_save(w, "start.ooze", NULL), OZ_OK);
	oz_world_destroy(w);
	go_on("start.ooze", 2);
}

static void the_file_does_not_depend_on_the_threads_that_wrote_it(void **state)
{
	(void)state;
	oz_world *a = test_busy_dam(1, SPACING, NULL), *b = test_busy_dam(3, SPACING, NULL);
	oz_world *c;
	test_steps(a, 50);
	test_steps(b, 50);
	assert_int_equal(oz_world_save(a, "one.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_save(b, "three.ooze", NULL), OZ_OK);
	oz_world_destroy(a);
	oz_world_destroy(b);
	// `threads` is the caller's: the same for both once they are loaded alike
	assert_int_equal(oz_world_load("three.ooze", NULL, 1, NULL, &c, NULL), OZ_OK);
	assert_int_equal(oz_world_save(c, "again.ooze", NULL), OZ_OK);
	oz_world_destroy(c);
	expect_same_files("one.ooze", "again.ooze");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(any_number_of_threads_gives_the_same_state),
	        cmocka_unit_test(what_fresh_memory_held_does_not_matter),
	        cmocka_unit_test(looking_at_a_world_does_not_change_it),
	        cmocka_unit_test(two_worlds_side_by_side_do_not_disturb_each_other),
	        cmocka_unit_test(a_snapshot_of_fresh_lists_goes_on_bit_for_bit),
	        cmocka_unit_test(a_snapshot_of_reused_lists_goes_on_bit_for_bit),
	        cmocka_unit_test(a_loaded_world_rebuilds_its_lists_when_the_saved_one_does),
	        cmocka_unit_test(a_snapshot_before_the_first_step_goes_on_bit_for_bit),
	        cmocka_unit_test(the_file_does_not_depend_on_the_threads_that_wrote_it),
	};
	return cmocka_run_group_tests(tests, find_golden, NULL);
}
