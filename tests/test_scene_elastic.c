// test_scene_elastic.c: what scenes say of elastic solids becomes of them: keys, handles, glue.
#include "base/base.h"
#include "scene/scene.h"
#include "scene/scene_data.h"
#include "scenes.h"

static oz_world *build_text(const char *text)
{
	oz_scene *scene = test_scene(text);
	oz_world *world = test_scene_build(scene);
	oz_scene_free(scene);
	return world;
}

static void go_until(oz_world *world, double time)
{
	oz_error error = {OZ_OK, ""};
	while (oz_world_time(world) < time)
		assert_int_equal(oz_world_step_until(world, time, NULL, &error), OZ_OK);
}

// mean height of a body
static double height_of(oz_world *world, uint32_t wanted)
{
	oz_view place, body;
	double sum = 0, count = 0;
	assert_int_equal(oz_world_view(world, OZ_FIELD_POSITION, &place, NULL), OZ_OK);
	assert_int_equal(oz_world_view(world, OZ_FIELD_BODY, &body, NULL), OZ_OK);
	for (uint32_t i = 0; i < place.count; i++) {
		oz_vec3 x;
		uint32_t b;
		memcpy(&x, (const char *)place.data + i * place.stride, sizeof x);
		memcpy(&b, (const char *)body.data + i * body.stride, sizeof b);
		if (b == wanted)
			sum += (double)x.y, count++;
	}
	assert_true(count > 0);
	return sum / count;
}

// ---- reading ----------------------------------------------------------------------------------

// clang-format off
#define SOLIDS \
	"{ \"world\": { \"spacing\": 0.05 }, \"materials\": { " \
	"\"gum\": { \"model\": \"corotated\", \"density\": 900, \"young_modulus\": 12345.678, \"poisson_ratio\": -0.25, \"elasticity\": \"mls\", \"strain\": \"green\", \"hourglass\": 0.4, \"bending\": 3.5, \"implicit\": true, \"friction\": 0.7 }, " \
	"\"sponge\": { \"preset\": \"foam\", \"young_modulus\": 2e4, \"elasticity\": \"mls\" }, " \
	"\"set honey\": { \"preset\": \"honey\", \"model\": \"corotated\" } }, " \
	"\"bodies\": [ " \
	"{ \"name\": \"beam\", \"material\": \"gum\", \"shape\": \"box\", \"size\": [0.5, 0.2, 0.2], \"join\": \"a b\" }, " \
	"{ \"material\": \"sponge\", \"shape\": \"box\", \"size\": [0.5, 0.2, 0.2], \"position\": [0, 0.2, 0], \"join\": \"a b\" }, " \
	"{ \"name\": \"net\", \"material\": \"cloth\", \"shape\": \"sheet\", \"size\": [0.5, 0.5], \"position\": [0, 1, 0] } ], " \
	"\"handles\": [ " \
	"{ \"shape\": \"box\", \"size\": [0.2, 1, 1], \"position\": [-0.3, 0, 0], \"body\": \"beam\", \"release\": 0.75 }, " \
	"{ \"shape\": \"ball\", \"size\": 0.2, \"loop\": true, \"keyframes\": [ { \"time\": 0.1, \"position\": [0.2, 1, 0.2] }, { \"time\": 0.3, \"position\": [0.2, 1.2, 0.2], \"rotation\": [1, 2, 33.3] } ] }, " \
	"{ \"shape\": \"plane\", \"position\": [0, 0.25, 0], \"rotation\": [0, 0, 12.25], \"body\": \"beam\" } ] }"
// clang-format on

static void solids_are_read_as_written(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(SOLIDS);
	oz_world *world = test_scene_build(scene);
	const oz_material_def *gum = oz_world_get_material(world, 0);
	assert_int_equal(gum->model, OZ_COROTATED);
	assert_true(gum->young_modulus == 12345.678f && gum->poisson_ratio == -0.25f);
	assert_int_equal(gum->elasticity, OZ_ELASTIC_MLS);
	assert_int_equal(gum->strain, OZ_STRAIN_GREEN);
	assert_true(gum->hourglass == 0.4f && gum->bending == 3.5f && gum->friction == 0.7f);
	assert_true(gum->implicit);
	const oz_material_def *sponge = oz_world_get_material(world, 1);
	assert_int_equal(sponge->model, OZ_COROTATED);
	assert_true(sponge->density == 60 && sponge->young_modulus == 2e4f);
	// what a preset of another model leaves open has the table's defaults
	const oz_material_def *honey = oz_world_get_material(world, 2);
	const oz_material_def usual = oz_material_default(OZ_COROTATED);
	assert_true(honey->young_modulus == usual.young_modulus);
	assert_true(honey->poisson_ratio == usual.poisson_ratio);
	assert_true(honey->hourglass == usual.hourglass && honey->bending == usual.bending);
	assert_true(honey->friction == usual.friction && honey->density == 1420);
	assert_int_equal(oz_world_handle_count(world), 3);
	assert_int_equal(scene->handles[0].def.body, 0);
	assert_true(scene->handles[0].def.release == 0.75f);
	assert_int_equal(scene->handles[1].def.body, OZ_NONE);
	assert_true(scene->handles[1].def.loop && scene->handles[1].keyframe_count == 2);
	assert_int_equal(scene->bodies[0].def.join, scene->bodies[1].def.join);
	assert_int_equal(scene->bodies[2].def.join, 0);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

static void a_written_scene_keeps_solids_and_handles(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(SOLIDS), *again = NULL;
	oz_error error = {OZ_OK, ""};
	char *one, *two;
	size_t size;
	assert_int_equal(oz_scene_write(scene, "resolved.json", &error), OZ_OK);
	if (oz_scene_load("resolved.json", &again, &error) != OZ_OK)
		print_error("%s\n", error.text);
	assert_non_null(again);
	assert_int_equal(oz_scene_write(again, "again.json", &error), OZ_OK);
	assert_int_equal(oz_file_read("resolved.json", 1 << 24, &one, &size, &error), OZ_OK);
	assert_int_equal(oz_file_read("again.json", 1 << 24, &two, &size, &error), OZ_OK);
	assert_string_equal(one, two);
	// and the worlds go the same way, which handles and glue have a say in
	oz_world *first = test_scene_build(scene), *second = test_scene_build(again);
	go_until(first, 0.05);
	go_until(second, 0.05);
	assert_true(oz_world_hash(first) == oz_world_hash(second));
	free(one);
	free(two);
	oz_world_destroy(first);
	oz_world_destroy(second);
	oz_scene_free(again);
	oz_scene_free(scene);
}

// ---- handles ----------------------------------------------------------------------------------

#define BLOCK(position, more)                                                                      \
	"{ \"material\": \"gum\", \"shape\": \"box\", \"size\": [0.2, 0.1, 0.1], \"position\": "   \
	"[" position "]" more " }"
#define GUM                                                                                        \
	"\"world\": { \"spacing\": 0.02 }, \"materials\": { \"gum\": { \"model\": \"corotated\", " \
	"\"young_modulus\": 2e5 } }, "

static void a_handle_holds_until_it_lets_go(void **state)
{
	(void)state;
	oz_world *world = build_text(
	        "{ " GUM "\"bodies\": [ " BLOCK("0, 1, 0", ", \"name\": \"held\"") ", " BLOCK(
	                "0, 1, 0.5",
	                "") " ], \"handles\": [ { \"shape\": \"box\", "
	                    "\"size\": [2, 2, 2], \"position\": [0, 1, 0], \"body\": \"held\", "
	                    "\"release\": 0.2 } ] }");
	go_until(world, 0.2);
	assert_true(fabs(height_of(world, 0) - 1) < 1e-4);
	// the other one stands inside as well, and falls
	assert_true(fabs(height_of(world, 1) - (1 - 0.5 * 9.81 * 0.04)) < 0.01);
	go_until(world, 0.4);
	assert_true(fabs(height_of(world, 0) - (1 - 0.5 * 9.81 * 0.04)) < 0.01);
	oz_world_destroy(world);
}

static void a_handle_goes_along_its_keyframes(void **state)
{
	(void)state;
	oz_world *world = build_text("{ " GUM "\"bodies\": [ " BLOCK(
	        "0, 1, 0",
	        "") " ], \"handles\": [ { "
	            "\"shape\": \"box\", \"size\": [2, 2, 2], \"keyframes\": [ { \"time\": "
	            "0, \"position\": [0, 1, 0] }, { \"time\": 0.2, \"position\": [0, 1.5, "
	            "0] } ] } ] }");
	go_until(world, 0.1);
	assert_true(fabs(height_of(world, 0) - 1.25) < 0.005);
	go_until(world, 0.3);
	assert_true(fabs(height_of(world, 0) - 1.5) < 0.005);
	oz_world_destroy(world);
}

// where the particle that began farthest along x is now, in m along x
static double tip_of(oz_world *world)
{
	static uint32_t tip;
	oz_view place, id;
	double farthest = -INFINITY, now = 0;
	assert_int_equal(oz_world_view(world, OZ_FIELD_POSITION, &place, NULL), OZ_OK);
	assert_int_equal(oz_world_view(world, OZ_FIELD_ID, &id, NULL), OZ_OK);
	for (uint32_t i = 0; i < place.count; i++) {
		oz_vec3 x;
		uint32_t number;
		memcpy(&x, (const char *)place.data + i * place.stride, sizeof x);
		memcpy(&number, (const char *)id.data + i * id.stride, sizeof number);
		if (oz_world_step_count(world) == 0 && (double)x.x > farthest) {
			farthest = (double)x.x;
			tip = number;
		}
		if (number == tip)
			now = (double)x.x;
	}
	return now;
}

static void a_handle_turns_as_far_as_its_angles_say(void **state)
{
	(void)state;
	oz_world *world = build_text("{ " GUM "\"bodies\": [ " BLOCK(
	        "0, 1, 0",
	        "") " ], \"handles\": [ { "
	            "\"shape\": \"box\", \"size\": [2, 2, 2], \"keyframes\": [ { \"time\": 0, "
	            "\"position\": [0, 1, 0] }, { \"time\": 0.8, \"position\": [0, 1, 0], "
	            "\"rotation\": [0, 720, 0] }, { \"time\": 1, \"position\": [0, 1, 0], "
	            "\"rotation\": [0, 540, 0] } ] } ] }");
	const double x = tip_of(world), times[] = {0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1};
	const double turns[] = {0.25, 0.5, 0.75, 1, 1.5, 2, 1.5};
	for (uint32_t k = 0; k < 7; k++) {
		go_until(world, times[k]);
		const double wanted = x * cos(2 * 3.14159265 * turns[k]);
		// across, the particle is as far from the axis as the block is thick
		assert_true(fabs(tip_of(world) - wanted) < (k % 2 || k > 3 ? 0.005 : 0.06));
	}
	oz_world_destroy(world);
}

// ---- glue -------------------------------------------------------------------------------------

// how far the second block has sunk while the first is held
static double sunk(const char *join_left, const char *join_right)
{
	char text[1200];
	snprintf(text, sizeof text,
	         "{ " GUM "\"bodies\": [ " BLOCK("-0.1, 1, 0", "%s") ", " BLOCK(
	                 "0.1, 1, 0",
	                 "%s") " ], \"handles\": [ { \"shape\": \"box\", \"size\": [0.1, 1, 1], "
	                       "\"position\": [-0.15, 1, 0] } ] }",
	         join_left, join_right);
	oz_world *world = build_text(text);
	go_until(world, 0.5);
	const double fallen = 1 - height_of(world, 1);
	oz_world_destroy(world);
	return fallen;
}

static void joined_blocks_hang_as_one_bar(void **state)
{
	(void)state;
	const double alone = sunk("", ""), apart = sunk(", \"join\": \"a\"", ", \"join\": \"b\"");
	const double glued = sunk(", \"join\": \"a\"", ", \"join\": \"a\"");
	// one falls by g t²/2 = 1.23 m, the other bends
	assert_true(alone > 1 && apart > 1);
	assert_true(glued < 0.1);
}

// the bar of two glued halves swings as one of the whole length does
static void glue_is_as_stiff_as_what_it_joins(void **state)
{
	(void)state;
	oz_world *world = build_text(
	        "{ " GUM "\"bodies\": [ { \"material\": \"gum\", \"shape\": \"box\", \"size\": "
	        "[0.4, 0.1, 0.1], \"position\": [0, 1, 0] } ], \"handles\": [ { \"shape\": "
	        "\"box\", \"size\": [0.1, 1, 1], \"position\": [-0.15, 1, 0] } ] }");
	oz_world *halves = build_text(
	        "{ " GUM "\"bodies\": [ " BLOCK("-0.1, 1, 0", ", \"join\": \"bar\"") ", " BLOCK(
	                "0.1, 1, 0",
	                ", \"join\": \"bar\"") " ], \"handles\": [ { \"shape\": \"box\", \"size\": "
	                                       "[0.1, 1, 1], \"position\": [-0.15, 1, 0] } ] }");
	go_until(world, 0.1);
	go_until(halves, 0.1);
	const double whole = 1 - height_of(world, 0);
	const double half = 1 - 0.5 * (height_of(halves, 0) + height_of(halves, 1));
	assert_true(whole > 1e-3);
	assert_true(fabs(half / whole - 1) < 1e-3);
	oz_world_destroy(world);
	oz_world_destroy(halves);
}

static void joins_of_other_materials_or_times_are_refused(void **state)
{
	(void)state;
	oz_world *world = build_text("{ " GUM "\"bodies\": [ " BLOCK(
	        "0, 1, 0", "") ", { \"material\": \"water\", "
	                       "\"shape\": \"ball\", \"size\": 0.1, \"position\": [5, 0, 0] } ] }");
	oz_vec3 point = {0, 3, 0};
	oz_body_def def = oz_body_default();
	oz_error error;
	snprintf(def.name, sizeof def.name, "drop");
	def.points = &point;
	def.count = 1;
	def.material = 1;
	def.join = 7;
	assert_int_equal(oz_world_add_body(world, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_string_equal(error.text,
	                    "body 'drop' has a join, but its material is not an elastic "
	                    "solid or a rigid body; use a corotated or rigid material or leave "
	                    "join at 0");
	def.material = 0;
	assert_int_equal(oz_world_add_body(world, &def, NULL, &error), OZ_OK);
	assert_int_equal(oz_world_step(world, NULL, &error), OZ_OK);
	assert_int_equal(oz_world_add_body(world, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_string_equal(error.text, "body 'drop' has a join, but the world has taken 1 steps; "
	                                "add the body before the first step");
	def.join = 0;
	assert_int_equal(oz_world_add_body(world, &def, NULL, &error), OZ_OK);
	oz_world_destroy(world);
}

static void a_nozzle_pours_no_solid(void **state)
{
	(void)state;
	oz_world *world = build_text("{ " GUM "\"bodies\": [ " BLOCK("0, 1, 0", "") " ] }");
	const oz_emitter_def def = oz_emitter_default(0);
	const uint32_t bodies = oz_world_body_count(world);
	oz_error error;
	assert_int_equal(oz_world_add_emitter(world, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_string_equal(error.text, "emitter 0 pours 'gum', an elastic solid, which has one "
	                                "rest shape from the start; pour a fluid, a blend, a fluid "
	                                "with links or a polymer solution");
	assert_int_equal(oz_world_body_count(world), bodies);
	oz_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(solids_are_read_as_written),
	        cmocka_unit_test(a_written_scene_keeps_solids_and_handles),
	        cmocka_unit_test(a_handle_holds_until_it_lets_go),
	        cmocka_unit_test(a_handle_goes_along_its_keyframes),
	        cmocka_unit_test(a_handle_turns_as_far_as_its_angles_say),
	        cmocka_unit_test(joined_blocks_hang_as_one_bar),
	        cmocka_unit_test(glue_is_as_stiff_as_what_it_joins),
	        cmocka_unit_test(joins_of_other_materials_or_times_are_refused),
	        cmocka_unit_test(a_nozzle_pours_no_solid),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
