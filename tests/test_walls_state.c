// test_walls_state.c: SDF walls are part of a world's state: the same on any number of threads, and
// whole in a snapshot. test_walls_damage.c has damaged snapshots and what is refused.
#include "sdf_world.h"
#include "world/world.h"

#define PATH "walls.ooze"

// ---- determinism -------------------------------------------------------------------------------

static void threads_change_neither_state_nor_loads(void **state)
{
	(void)state;
	oz_world *one = test_walls(1, false), *two = test_walls(2, false),
	         *three = test_walls(3, false);
	test_steps(one, 300);
	test_steps(two, 300);
	test_steps(three, 300);
	const test_loads first = test_take_loads(one), second = test_take_loads(two),
	                 third = test_take_loads(three);
	assert_memory_equal(&first, &second, sizeof first);
	assert_memory_equal(&first, &third, sizeof first);
	assert_true(oz_world_hash(one) == oz_world_hash(two));
	assert_true(oz_world_hash(one) == oz_world_hash(three));
	// every wall has been met, and the one that moves has done work
	for (int k = 0; k < WALL_COLLIDERS - 1; k++)
		assert_true(first.of[k].force[0] != 0);
	assert_true(first.of[WALL_MOVING].work != 0);
	oz_world_destroy(one);
	oz_world_destroy(two);
	oz_world_destroy(three);
}

static void a_snapshot_in_mid_run_goes_on_bit_for_bit(void **state)
{
	(void)state;
	oz_world *a = test_walls(2, false), *b;
	oz_error error = {OZ_OK, ""};
	test_steps(a, 150);
	test_take_loads(a);
	assert_int_equal(oz_world_save(a, PATH, NULL), OZ_OK);
	if (oz_world_load(PATH, NULL, 2, NULL, &b, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(oz_collider_entries(&b->boundary)[WALL_STILL].sdf.block,
	                 oz_collider_entries(&b->boundary)[WALL_MOVING].sdf.block);
	test_steps(a, 200);
	test_steps(b, 200);
	test_same_walls(a, b);
	// and what it saves is the same file
	size_t p, q;
	assert_int_equal(oz_world_save(a, "a.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_save(b, "b.ooze", NULL), OZ_OK);
	char *of_a = test_read("a.ooze", &p), *of_b = test_read("b.ooze", &q);
	assert_int_equal(p, q);
	assert_memory_equal(of_a, of_b, p);
	free(of_a);
	free(of_b);
	oz_world_destroy(a);
	oz_world_destroy(b);
}

static void colliders_that_share_an_sdf_are_as_two_with_their_own(void **state)
{
	(void)state;
	oz_world *shared = test_walls(1, false), *apart = test_walls(1, true);
	assert_true(shared->boundary.sdfs.block_count < apart->boundary.sdfs.block_count);
	test_steps(shared, 200);
	test_steps(apart, 200);
	test_same_walls(shared, apart);
	oz_world_destroy(shared);
	oz_world_destroy(apart);
}

static void an_sdf_lives_as_long_as_anyone_holds_it(void **state)
{
	(void)state;
	test_memory memory = {.poison = 0xa5};
	const oz_hooks hooks = test_memory_hooks(&memory);
	const oz_sdf_def def = test_ball_def(&hooks);
	oz_sdf *sdf = test_sdf_made(&def);
	const oz_nearest_point before = oz_sdf_at(sdf, (oz_vec3){0.1f, 0.1f, 0.1f});
	oz_world_def of_world = oz_world_default();
	of_world.spacing = WALLS_SPACING;
	of_world.threads = 1;
	of_world.hooks = hooks;
	oz_world *w = test_world(&of_world);
	assert_int_equal(test_add_sdf(w, sdf, (oz_vec3){0, 0, 0}, WALL_STILL, NULL), OZ_OK);
	assert_ptr_equal(oz_sdf_keep(sdf), sdf);
	oz_sdf_release(sdf);
	oz_world_destroy(w);
	const oz_nearest_point after = oz_sdf_at(sdf, (oz_vec3){0.1f, 0.1f, 0.1f});
	assert_memory_equal(&before, &after, sizeof before);
	oz_sdf_release(sdf);
	oz_sdf_release(NULL);
	assert_null(oz_sdf_keep(NULL));
	test_memory_is_empty(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(threads_change_neither_state_nor_loads),
	        cmocka_unit_test(a_snapshot_in_mid_run_goes_on_bit_for_bit),
	        cmocka_unit_test(colliders_that_share_an_sdf_are_as_two_with_their_own),
	        cmocka_unit_test(an_sdf_lives_as_long_as_anyone_holds_it),
	};
	return cmocka_run_group_tests(tests, test_usual_walls, NULL);
}
