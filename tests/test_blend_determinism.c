// test_blend_determinism.c: blended bodies end in the same state, bit for bit, on any number of
// threads and through a snapshot.
//
// The scene has all that could break it: an impact, reference shapes that change, components that
// join, alpha of bodies and over time, a blended jet, a liquid beside.
#include "worlds.h"

#define STEPS 200u

// a column of water, two blended blocks that meet, one of them melting, and a jet
static oz_world *busy(uint32_t threads, test_memory *memory)
{
	static const oz_alpha_key keys[] = {{0.05f, 0.2f}, {0.15f, 0.9f}};
	oz_world *w = test_busy_dam(threads, 0.04f, memory);
	oz_material_def def = test_blend(0.7, 1200);
	def.update_steps = 20;
	const oz_id paste = test_add_material(w, &def);
	def.alpha_keys = keys;
	def.alpha_key_count = 2;
	const oz_id wax = test_add_material(w, &def);
	const oz_shape left = test_box(vec_of(-0.1, -0.2, -0.15), vec_of(0.06, 0, 0.1)),
	               right = test_box(vec_of(0.1, -0.1, -0.1), vec_of(0.3, 0.1, 0.1));
	test_add_thrown(w, paste, &left, vec_of(1, -2, 0));
	test_add_thrown(w, wax, &right, vec_of(-2, -2, 0));
	oz_emitter_def nozzle = oz_emitter_default(paste);
	nozzle.position = (oz_vec3){-0.2f, 0.2f, 0};
	nozzle.radius = 0.06f;
	nozzle.speed = 2;
	assert_int_equal(oz_world_add_emitter(w, &nozzle, NULL, NULL), OZ_OK);
	return w;
}

static uint64_t golden;

static int find_golden(void **state)
{
	(void)state;
	oz_world *w = busy(1, NULL);
	test_steps(w, 1);
	const uint32_t slots = w->slots.count;
	const uint64_t rest = test_rest_hash(w, 0, 10);
	test_steps(w, STEPS - 1);
	golden = oz_world_hash(w);
	assert_true(w->slots.count > slots + 20);
	assert_true(test_rest_hash(w, 0, 10) != rest);
	oz_world_destroy(w);
	return 0;
}

static void any_number_of_threads_gives_the_same_state(void **state)
{
	(void)state;
	static const uint32_t threads[] = {2, 3, 8};
	for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
		oz_world *w = busy(threads[k], NULL);
		test_steps(w, STEPS);
		assert_true(oz_world_hash(w) == golden);
		oz_world_destroy(w);
	}
}

static void what_fresh_memory_held_does_not_matter(void **state)
{
	(void)state;
	static const unsigned char poisons[] = {0xa5, 0xff};
	for (size_t k = 0; k < sizeof poisons; k++) {
		test_memory memory = {.poison = poisons[k]};
		oz_world *w = busy(1, &memory);
		test_steps(w, STEPS);
		assert_true(oz_world_hash(w) == golden);
		oz_world_destroy(w);
		test_memory_is_empty(&memory);
	}
}

// before every step memory is short by a little more, until the step goes through
static void a_step_without_memory_can_be_taken_again(void **state)
{
	(void)state;
	test_memory memory = {.poison = 0xa5};
	oz_world *w = busy(1, &memory);
	// of buffers elsewhere only their handles are taken here
	const size_t more = test_is_cpu(w) ? 1000 : 10;
	uint32_t failed = 0;
	for (uint32_t k = 0; k < STEPS; k++) {
		oz_error error = {OZ_OK, ""};
		size_t spare = 1;
		memory.limit = memory.bytes + spare;
		while (oz_world_step(w, NULL, &error) != OZ_OK) {
			assert_int_equal(error.code, OZ_ERROR_MEMORY);
			assert_non_null(strstr(error.text, "out of memory"));
			failed++;
			spare += spare / 2 + more;
			memory.limit = memory.bytes + spare;
		}
	}
	assert_true(failed > 100);
	assert_true(oz_world_hash(w) == golden);
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
}

static void a_loaded_world_goes_on_to_the_same_bits(void **state)
{
	(void)state;
	// before any update, just before one, just after, and between
	static const uint32_t saved[] = {0, 1, 10, 19, 20, 21, 33, 100, 140};
	for (size_t k = 0; k < sizeof saved / sizeof *saved; k += test_is_quick() ? 2 : 1) {
		oz_world *w = busy(1, NULL);
		test_steps(w, saved[k]);
		const uint64_t then = oz_world_hash(w);
		assert_int_equal(oz_world_save(w, "components.ooze", NULL), OZ_OK);
		oz_world_destroy(w);
		assert_int_equal(oz_world_load("components.ooze", NULL, 2, NULL, &w, NULL), OZ_OK);
		assert_true(oz_world_hash(w) == then);
		test_steps(w, STEPS - saved[k]);
		if (oz_world_hash(w) != golden)
			fail_msg("saved after %u steps, it goes on in another way", saved[k]);
		oz_world_destroy(w);
	}
}

// also not through a snapshot, after which all lists are made anew
static void a_material_without_bodies_changes_nothing(void **state)
{
	(void)state;
	oz_world *w = busy(1, NULL);
	test_steps(w, 33);
	oz_material_def def = *oz_world_get_material(w, 0);
	for (oz_id m = 0; def.model != OZ_BLEND; m++)
		def = *oz_world_get_material(w, m);
	def.cluster_radius = 9;
	assert_int_equal(oz_world_add_material(w, &def, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_save(w, "unused.ooze", NULL), OZ_OK);
	oz_world_destroy(w);
	assert_int_equal(oz_world_load("unused.ooze", NULL, 1, NULL, &w, NULL), OZ_OK);
	test_steps(w, STEPS - 33);
	assert_true(oz_world_hash(w) == golden);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(any_number_of_threads_gives_the_same_state),
	        cmocka_unit_test(what_fresh_memory_held_does_not_matter),
	        cmocka_unit_test(a_step_without_memory_can_be_taken_again),
	        cmocka_unit_test(a_loaded_world_goes_on_to_the_same_bits),
	        cmocka_unit_test(a_material_without_bodies_changes_nothing),
	};
	return cmocka_run_group_tests(tests, find_golden, NULL);
}
