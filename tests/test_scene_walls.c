// test_scene_walls.c: what bodies of scenes have where colliders and other bodies stand.
#include "scene/scene.h"
#include "scenes.h"
#include "world/world.h"

#define WATER "\"material\": \"water\", "

static uint32_t left_out(const char *text, uint32_t *kept)
{
	oz_scene *scene = test_scene(text);
	oz_world *world = test_scene_build(scene);
	const uint32_t count = oz_scene_left_out(scene, 0);
	*kept = oz_world_particle_count(world);
	oz_world_destroy(world);
	oz_scene_free(scene);
	return count;
}

static void expect_no_build(const char *text, const char *sentence)
{
	oz_scene *scene = test_scene(text);
	oz_world *world = (oz_world *)1;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_scene_build(scene, NULL, 1, NULL, &world, &error), OZ_ERROR_SCENE);
	assert_null(world);
	assert_string_equal(error.text, sentence);
	oz_scene_free(scene);
}

static void a_body_that_fills_its_tank_stays_whole(void **state)
{
	(void)state;
	uint32_t kept;
	// far from the origin floats are coarse; the turn makes every coordinate a rounded one
	static const char *const places[] =
	        {"\"position\": [0, 0, 0]", "\"position\": [300.1, -200.7, 0.3]",
	         "\"position\": [3.3, 0.1, 0], \"rotation\": [0, 30, 0]"};
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		char text[500];
		snprintf(text, sizeof text,
		         "{ \"bodies\": [ { " WATER "\"shape\": \"box\", \"size\": "
		         "[0.6, 0.4, 0.2], %s } ], \"colliders\": [ { \"shape\": \"box\", "
		         "\"inside\": true, \"size\": [0.6, 0.4, 0.2], %s } ] }",
		         places[i], places[i]);
		// a turned box is filled along the axes of the world
		const uint32_t gone = left_out(text, &kept);
		if (i < 2) {
			assert_int_equal(gone, 0);
			assert_int_equal(kept, 30 * 20 * 10);
		} else {
			assert_in_range(gone + kept, 5500, 6500);
		}
	}
}

static void keep_warning(void *context, oz_log_level level, const char *text)
{
	if (level == OZ_LOG_WARNING)
		snprintf(context, 512, "%s", text);
}

// the number in the warning of two boxes of 10 spacings; 0: no warning
static unsigned overlap_at(const char *place)
{
	char text[500], warning[512] = "";
	snprintf(text, sizeof text,
	         "{ \"bodies\": [ { \"name\": \"left\", " WATER "\"shape\": \"box\", \"size\": "
	         "[0.2, 0.2, 0.2] }, { \"name\": \"right\", " WATER "\"shape\": \"box\", \"size\": "
	         "[0.2, 0.2, 0.2], \"position\": [%s] } ] }",
	         place);
	oz_scene *scene = test_scene(text);
	const oz_hooks hooks = {.log = keep_warning, .context = warning};
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_scene_build(scene, NULL, 1, &hooks, &world, &error), OZ_OK);
	oz_world_destroy(world);
	oz_scene_free(scene);
	unsigned inside = 0;
	if (warning[0])
		assert_int_equal(sscanf(warning,
		                        "right and left overlap: %u of the 1000 particles of right "
		                        "(",
		                        &inside),
		                 1);
	// 100 % has no exponent
	assert_null(strstr(warning, "e+"));
	if (warning[0])
		assert_non_null(strstr(warning, "are inside left and will be pushed apart; move or "
		                                "shrink one of the two"));
	return inside;
}

static void bodies_that_overlap_are_named(void **state)
{
	(void)state;
	assert_int_equal(overlap_at("0.2, 0, 0"), 0);
	// 2.5 × 9.5 × 9.5 spacings³, half a spacing off the other lattice along all axes
	assert_in_range(overlap_at("0.15, 0.01, 0.01"), 130, 226);
	assert_in_range(overlap_at("0, 0, 0"), 990, 1000);
}

// no particle is lost at the round wall
static void a_body_leaves_room_for_walls_and_posts(void **state)
{
	(void)state;
	uint32_t kept;
	const char *text = "{ \"bodies\": [ { " WATER "\"shape\": \"cylinder\", \"size\": [0.3, "
	                   "0.3], \"position\": [0, 0.15, 0] } ], \"colliders\": [ { \"shape\": "
	                   "\"cylinder\", \"inside\": true, \"size\": [0.3, 0.8], \"position\": "
	                   "[0, 0.4, 0] }, { \"shape\": \"ball\", \"size\": 0.1, \"keyframes\": [ "
	                   "{ \"time\": 0, \"position\": [0, 0.15, 0] }, { \"time\": 1, "
	                   "\"position\": [0, 9, 0] } ] } ] }";
	oz_scene *scene = test_scene(text);
	oz_world *world = test_scene_build(scene);
	oz_view view;
	assert_int_equal(oz_world_view(world, OZ_FIELD_POSITION, &view, NULL), OZ_OK);
	for (uint32_t i = 0; i < view.count; i++) {
		oz_vec3 p;
		memcpy(&p, (const char *)view.data + i * view.stride, sizeof p);
		assert_true(hypotf(p.x, p.z) < 0.3f - 0.44f * 0.02f);
		assert_true(hypotf(hypotf(p.x, p.z), p.y - 0.15f) > 0.1f + 0.41f * 0.02f);
	}
	oz_world_destroy(world);
	oz_scene_free(scene);
	// the ball, 524 spacings³, and some that are too near to it; none at the wall
	const uint32_t gone = left_out(text, &kept);
	assert_in_range(gone, 524, 700);
	assert_in_range(gone + kept, 10300, 10900);
}

static void log_text(void *context, oz_log_level level, const char *text)
{
	assert_int_not_equal(level, OZ_LOG_WARNING);
	if (level == OZ_LOG_INFO)
		snprintf(context, 200, "%s", text);
}

static void what_is_left_out_is_told(void **state)
{
	(void)state;
	char told[200] = "";
	const oz_hooks hooks = {.log = log_text, .context = told};
	oz_scene *scene =
	        test_scene("{ \"world\": { \"spacing\": 0.1 }, \"bodies\": [ { " WATER
	                   "\"shape\": \"box\", \"size\": [1, 1, 1] } ], \"colliders\": [ { "
	                   "\"shape\": \"plane\" } ] }");
	oz_world *world = NULL;
	assert_int_equal(oz_scene_build(scene, NULL, 1, &hooks, &world, NULL), OZ_OK);
	assert_int_equal(oz_scene_left_out(scene, 0), 500);
	assert_string_equal(told, "bodies[0]: 500 of 1000 particles are left out where a collider "
	                          "stands");
	assert_int_equal(oz_scene_left_out(scene, 1), 0);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

static void a_body_that_colliders_leave_nothing_of_is_refused(void **state)
{
	(void)state;
	expect_no_build("{ \"bodies\": [\n{ " WATER "\"shape\": \"ball\", \"size\": 0.1 } ], "
	                "\"colliders\": [ { \"shape\": \"plane\", \"position\": [0, -5, 0] }, { "
	                "\"shape\": \"box\", \"size\": [1, 1, 1] } ] }",
	                "test.json:2:1: bodies[0] stands wholly inside colliders[1]; move it, or "
	                "set "
	                "the collider's `inside` to true if it is a vessel");
	expect_no_build("{ \"bodies\": [\n{ " WATER "\"shape\": \"ball\", \"size\": 0.1 } ], "
	                "\"colliders\": [ { \"shape\": \"box\", \"size\": [1, 1, 1], \"inside\": "
	                "true, \"position\": [3, 0, 0] } ] }",
	                "test.json:2:1: bodies[0] stands wholly outside colliders[0], a vessel; "
	                "move "
	                "it into the vessel, or set the collider's `inside` to false");
	expect_no_build("{ \"bodies\": [\n{ " WATER "\"shape\": \"ball\", \"size\": 0.1 } ], "
	                "\"colliders\": [ { \"shape\": \"plane\" }, { \"shape\": \"plane\", "
	                "\"rotation\": [180, 0, 0] } ] }",
	                "test.json:2:1: bodies[0] has no particle that colliders[0] and "
	                "colliders[1] "
	                "leave room for; move it, or make it larger");
	// outside the wall, but nearer than a particle at rest
	expect_no_build("{ \"world\": { \"spacing\": 0.012 }, \"bodies\": [\n{ " WATER
	                "\"shape\": \"box\", \"size\": [0.012, 0.012, 0.012], \"position\": [0, "
	                "0.003, 0] } ], \"colliders\": [ { \"shape\": \"plane\" } ] }",
	                "test.json:2:1: bodies[0] is too near to colliders[0]: its particles are "
	                "at "
	                "most 0.003 m from it and need 0.00504 m at a spacing of 0.012 m; use a "
	                "smaller spacing, or move it");
}

#define BALLOON                                                                                    \
	"{ \"world\": { \"spacing\": 0.02 }, \"materials\": { \"skin\": { \"model\": "             \
	"\"membrane\" "                                                                            \
	"} }, \"bodies\": [\n{ \"material\": \"skin\", \"shape\": \"ball\", \"size\": 0.08, "      \
	"\"position\": [0, %s, 0] } ], \"colliders\": [ { %s } ] }"

// a skin cannot be cut as a filled body can
static void a_skin_that_stands_in_a_wall_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *height, *collider, *what;
	} wrong[] = {
	        {"0.05", "\"shape\": \"plane\"",
	         "inside colliders[0]; move it, or make it smaller"},
	        {"0", "\"shape\": \"cylinder\", \"size\": [0.07, 1], \"inside\": true",
	         "outside colliders[0], a vessel; move it, or make it smaller"},
	};
	char text[600];
	for (int k = 0; k < 2; k++) {
		snprintf(text, sizeof text, BALLOON, wrong[k].height, wrong[k].collider);
		oz_scene *scene = test_scene(text);
		oz_world *world = NULL;
		oz_error error = {OZ_OK, ""};
		assert_int_equal(oz_scene_build(scene, NULL, 1, NULL, &world, &error),
		                 OZ_ERROR_SCENE);
		assert_null(world);
		uint32_t within, count;
		assert_int_equal(sscanf(error.text, "test.json:2:1: bodies[0] has %u of its %u ",
		                        &within, &count),
		                 2);
		assert_in_range(within, 10, count - 10);
		assert_non_null(strstr(error.text, wrong[k].what));
		oz_scene_free(scene);
	}
	// one that stands on the floor may stay
	snprintf(text, sizeof text, BALLOON, "0.08", "\"shape\": \"plane\"");
	oz_scene *scene = test_scene(text);
	oz_world_destroy(test_scene_build(scene));
	oz_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_body_that_fills_its_tank_stays_whole),
	        cmocka_unit_test(bodies_that_overlap_are_named),
	        cmocka_unit_test(a_body_leaves_room_for_walls_and_posts),
	        cmocka_unit_test(what_is_left_out_is_told),
	        cmocka_unit_test(a_body_that_colliders_leave_nothing_of_is_refused),
	        cmocka_unit_test(a_skin_that_stands_in_a_wall_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
