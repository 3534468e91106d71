// test_blend_components.c: when a blended body takes a new shape, what it joins, and what it falls
// into.
#include "worlds.h"

static const uint *components_of(const oz_world *w)
{
	return test_look(w, w->slots.component, sizeof(uint) * w->slots.count);
}

static const uint *tags_of(const oz_world *w)
{
	return test_look(w, w->slots.tag, sizeof(uint) * w->slots.count);
}

// ---- asking ------------------------------------------------------------------------------------

static void a_crash_changes_the_body_that_crashed_alone(void **state)
{
	(void)state;
	oz_world *w = test_floor(0.02, 20);
	const oz_material_def def = test_blend(0.5, 1000);
	const oz_id jelly = test_add_material(w, &def);
	test_add_block(w, jelly, vec_of(0, 0.06, 0), vec_of(0.12, 0.12, 0.12));
	const uint32_t first = w->slots.count;
	test_add_block(w, jelly, vec_of(1, 0.4, 0), vec_of(0.12, 0.12, 0.12));
	test_step(w);
	const uint32_t second = w->slots.count - first;
	const uint64_t lies = test_rest_hash(w, 0, first), falls = test_rest_hash(w, first, second);
	test_run_until(w, 0.5);
	assert_true(test_rest_hash(w, 0, first) == lies);
	assert_true(test_rest_hash(w, first, second) != falls);
	assert_int_equal(w->slots.components, 2);
	oz_world_destroy(w);
}

// ---- joining -----------------------------------------------------------------------------------

// Components are named after their lowest slots, and none is forgotten.
static void expect_names(const oz_world *w)
{
	const uint *component = components_of(w);
	const uint *shapeless =
	        test_look(w, w->slots.shapeless, sizeof *shapeless * w->slots.count);
	uint32_t count = 0;
	for (uint32_t k = 0; k < w->slots.count; k++) {
		assert_true(component[k] <= k);
		assert_int_equal(component[component[k]], component[k]);
		count += component[k] == k && !shapeless[k];
	}
	assert_int_equal(count, w->slots.components);
}

// the last word on components among the events; 0 if there is none
static uint32_t last_count(oz_world *w)
{
	oz_event event;
	uint32_t count = 0;
	while (oz_world_next_event(w, &event))
		if (event.kind == OZ_EVENT_COMPONENTS) {
			count = (uint32_t)event.value;
			assert_true(strstr(event.text, "has split") ||
			            strstr(event.text, "has merged with others"));
			assert_true(event.body < oz_world_body_count(w));
		}
	return count;
}

static oz_world *two_balls(bool one_merges, bool other_merges)
{
	oz_world *w = test_space(0.01, 20);
	oz_material_def def = test_blend(0.7, 1000);
	def.merges = one_merges;
	const oz_id one = test_add_material(w, &def);
	def.merges = other_merges;
	const oz_id other = test_add_material(w, &def);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.04f, 0, 0});
	ball.position = (oz_vec3){-0.055f, 0, 0};
	test_add_thrown(w, one, &ball, vec_of(2, 0, 0));
	ball.position = (oz_vec3){0.055f, 0, 0};
	test_add_thrown(w, other, &ball, vec_of(-2, 0, 0));
	test_step(w);
	assert_int_equal(w->slots.components, 2);
	return w;
}

static void balls_that_meet_become_one_if_both_may(void **state)
{
	(void)state;
	for (int k = 0; k < 4; k++) {
		oz_world *w = two_balls(k & 1, k & 2);
		test_run_until(w, 0.2);
		expect_names(w);
		assert_int_equal(w->slots.components, k == 3 ? 1 : 2);
		assert_int_equal(last_count(w), k == 3 ? 1 : 0);
		oz_world_destroy(w);
	}
}

static void a_ball_that_falls_on_an_edge_is_parted(void **state)
{
	(void)state;
	oz_world *w = test_floor(0.01, 30);
	const oz_material_def def = test_blend(0.95, 1000);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.06f, 0, 0});
	ball.position = (oz_vec3){0, 0.425f, 0};
	test_add_thrown(w, test_add_material(w, &def), &ball, vec_of(0, -2, 0));
	oz_collider_def edge =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.2f, 1}));
	edge.shape.position = (oz_vec3){0, 0.2f, 0};
	edge.shape.rotation = test_rotation(vec_of(0, 0, 1), PI / 4);
	test_add_collider(w, &edge);
	uint32_t components = 1;
	while (oz_world_time(w) < 0.4 && components == 1)
		components = test_step(w).components;
	assert_true(components >= 2);
	assert_int_equal(last_count(w), components);
	expect_names(w);
	// the two halves lie on either side
	test_particles all = test_particles_read(w);
	const uint *component = components_of(w);
	double side[2] = {0, 0};
	for (uint32_t k = 0; k < all.count; k++)
		side[component[k] != 0] += all.at[k].x.x;
	assert_true(side[0] * side[1] < 0);
	test_particles_free(&all);
	oz_world_destroy(w);
}

static void pour(bool merges, uint32_t update_steps)
{
	oz_world *w = test_floor(0.01, 20);
	oz_material_def def = test_blend(0.7, 1000);
	def.merges = merges;
	def.update_steps = update_steps;
	oz_emitter_def nozzle = oz_emitter_default(test_add_material(w, &def));
	nozzle.position = (oz_vec3){0, 0.15f, 0};
	nozzle.radius = 0.025f;
	nozzle.speed = 0.8f;
	nozzle.duration = 0.5f;
	assert_int_equal(oz_world_add_emitter(w, &nozzle, NULL, NULL), OZ_OK);
	uint32_t most = 0;
	while (oz_world_time(w) < 0.45) {
		const oz_step_report report = test_step(w);
		most = report.components > most ? report.components : most;
	}
	test_run_until(w, 0.8);
	expect_names(w);
	assert_true(w->slots.count > 500);
	assert_int_equal(most, 1);
	assert_int_equal(w->slots.components, 1);
	oz_world_destroy(w);
}

static void what_is_poured_becomes_one_component_with_what_was_poured_before(void **state)
{
	(void)state;
	const uint32_t update_steps = oz_material_default(OZ_BLEND).update_steps;
	pour(true, update_steps);
	pour(false, update_steps);
	// layers are poured in steps in which components are due, too
	pour(true, 3);
}

// clusters that reach across a gap do not bridge it
static void bodies_that_do_not_touch_do_not_merge(void **state)
{
	(void)state;
	oz_world *w = test_floor(0.01, 20);
	oz_material_def def = test_blend(0.7, 1000);
	def.cluster_radius = 5;
	def.update_force = 1;
	const oz_id soft = test_add_material(w, &def);
	test_add_block(w, soft, vec_of(-0.05, 0.08, 0), vec_of(0.06, 0.06, 0.06));
	test_add_block(w, soft, vec_of(0.05, 0.08, 0), vec_of(0.06, 0.06, 0.06));
	const uint64_t rest = test_rest_hash(w, 0, w->slots.count);
	test_run_until(w, 0.15);
	assert_true(test_rest_hash(w, 0, w->slots.count) != rest);
	assert_int_equal(w->slots.components, 2);
	oz_world_destroy(w);
}

// more slots than half a word counts: the tie of each component is its own
static void bodies_behind_a_large_one_are_told_from_it(void **state)
{
	(void)state;
	oz_world *w = test_space(0.01, 20);
	const oz_material_def def = test_blend(0, 1000);
	const oz_id solid = test_add_material(w, &def);
	test_add_block(w, solid, vec_of(0, 0, 0), vec_of(0.32, 0.32, 0.64));
	const uint32_t first = w->slots.count;
	assert_int_equal(first, 65536);
	test_add_block(w, solid, vec_of(0.5, 0, 0), vec_of(0.04, 0.04, 0.04));
	test_step(w);
	assert_int_equal(w->slots.components, 2);
	assert_int_equal(components_of(w)[first], first);
	assert_true(tags_of(w)[0] != tags_of(w)[first]);
	oz_world_destroy(w);
}

// ---- naming ------------------------------------------------------------------------------------

#define NAMED_SPACING 0.01f

static void *zeroed(size_t count, size_t size)
{
	void *block = calloc(count, size);
	assert_non_null(block);
	return block;
}

typedef struct cloud {
	oz_vec3 *at;
	uint32_t count;
} cloud;

static cloud new_cloud(uint32_t count)
{
	const cloud c = {zeroed(count, sizeof(oz_vec3)), count};
	return c;
}

// about one neighbour each: many components of all sizes
static cloud random_cloud(void)
{
	const cloud c = new_cloud(4000);
	uint64_t seed = 7;
	for (uint32_t i = 0; i < c.count; i++)
		c.at[i] = (oz_vec3){(float)test_random(&seed) * 0.5f,
		                    (float)test_random(&seed) * 0.5f,
		                    (float)test_random(&seed) * 0.5f};
	return c;
}

static cloud row(uint32_t count, float gap)
{
	const cloud c = new_cloud(count);
	for (uint32_t i = 0; i < count; i++)
		c.at[i] = (oz_vec3){(float)i * gap * NAMED_SPACING, 0, 0};
	return c;
}

static void shuffle(cloud c)
{
	uint64_t seed = 11;
	for (uint32_t i = c.count; i > 1; i--) {
		const uint32_t k = test_random_bits(&seed) % i;
		const oz_vec3 x = c.at[k];
		c.at[k] = c.at[i - 1];
		c.at[i - 1] = x;
	}
}

// the lowest of all that can be reached, by looking at every pair
static uint32_t *flood(const oz_world *w)
{
	const uint32_t n = w->slots.count;
	const oz_float4 *x = test_look(w, w->slots.rest, sizeof *x * n);
	const float radius = oz_matter_of(&w->sim, oz_materials(&w->sim)).rest_reach;
	uint32_t *name = zeroed(n, sizeof *name), *queue = zeroed(n, sizeof *queue);
	memset(name, 0xff, sizeof *name * n);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t end = 0;
		if (name[k] == OZ_NONE)
			queue[end++] = k, name[k] = k;
		for (uint32_t q = 0; q < end; q++)
			for (uint32_t j = k + 1; j < n; j++) {
				const oz_float4 a = x[queue[q]], b = x[j];
				const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
				if (name[j] == OZ_NONE &&
				    dx * dx + dy * dy + dz * dz < radius * radius)
					queue[end++] = j, name[j] = k;
			}
	}
	free(queue);
	return name;
}

static void expect_components_of(const oz_world *w, const uint32_t *name)
{
	const uint *component = components_of(w), *tag = tags_of(w);
	uint32_t components = 0;
	for (uint32_t k = 0; k < w->slots.count; k++) {
		assert_int_equal(component[k], name[k]);
		if (name[k] == k)
			assert_int_equal(tag[k], components++ % OZ_TAGS);
		else
			assert_int_equal(tag[k], tag[name[k]]);
	}
	assert_int_equal(w->slots.components, components);
}

static uint32_t expect_named(cloud c)
{
	static const uint32_t threads[] = {1, 2, 8};
	uint32_t *name = NULL, components = 0;
	for (int t = 0; t < 3; t++) {
		oz_world_def def = oz_world_default();
		def.spacing = NAMED_SPACING;
		def.gravity = (oz_vec3){0, 0, 0};
		def.threads = threads[t];
		oz_world *w = test_world(&def);
		const oz_material_def solid = test_blend(0, 1000);
		test_add_points(w, test_add_material(w, &solid), c.at, c.count, (oz_vec3){0, 0, 0});
		test_step(w);
		name = name ? name : flood(w);
		expect_components_of(w, name);
		components = w->slots.components;
		oz_world_destroy(w);
	}
	free(name);
	free(c.at);
	return components;
}

static void components_are_what_every_pair_says_on_any_number_of_threads(void **state)
{
	(void)state;
	const uint32_t components = expect_named(random_cloud());
	assert_true(components > 500 && components < 3500);
	assert_int_equal(expect_named(row(1, 1)), 1);
	assert_int_equal(expect_named(row(2000, 2.5f)), 2000);
}

static void a_long_chain_is_one_component_in_any_order(void **state)
{
	(void)state;
	assert_int_equal(expect_named(row(10000, 1.5f)), 1);
	const cloud chain = row(10000, 1.5f);
	shuffle(chain);
	assert_int_equal(expect_named(chain), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_crash_changes_the_body_that_crashed_alone),
	        cmocka_unit_test(balls_that_meet_become_one_if_both_may),
	        cmocka_unit_test(a_ball_that_falls_on_an_edge_is_parted),
	        cmocka_unit_test(what_is_poured_becomes_one_component_with_what_was_poured_before),
	        cmocka_unit_test(bodies_that_do_not_touch_do_not_merge),
	        cmocka_unit_test(bodies_behind_a_large_one_are_told_from_it),
	        cmocka_unit_test(components_are_what_every_pair_says_on_any_number_of_threads),
	        cmocka_unit_test(a_long_chain_is_one_component_in_any_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
