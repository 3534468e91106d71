// test_scene.c: scenes are read as written and make the world they describe.
#include "base/base.h"
#include "scene/scene.h"
#include "scene/scene_data.h"
#include "scenes.h"
#include "world/world.h"

// ---- reading ----------------------------------------------------------------------------------

static void an_empty_scene_has_every_default(void **state)
{
	(void)state;
	oz_scene *scene = test_scene("{}");
	oz_world_def expected;
	memset(&expected, 0, sizeof expected);
	oz_params_default(OZ_PARAMS_WORLD, &expected);
	assert_memory_equal(oz_scene_world(scene), &expected, sizeof expected);
	assert_string_equal(oz_scene_name(scene), "test");
	assert_true(oz_scene_output(scene)->duration == 5);
	assert_true(oz_scene_output(scene)->vtu && oz_scene_output(scene)->ply);
	assert_false(oz_scene_output(scene)->h5);
	oz_scene_free(scene);
}

static bool same(oz_vec3 a, float x, float y, float z)
{
	return a.x == x && a.y == y && a.z == z;
}

static void an_empty_scene_chooses_its_own_pictures(void **state)
{
	(void)state;
	oz_scene *scene = test_scene("{ \"bodies\": [ { \"material\": \"honey\", \"shape\": "
	                             "\"ball\", \"size\": 0.1 } ] }");
	const oz_picture_def *picture = oz_scene_picture(scene);
	const oz_surface_def *surface = oz_scene_surface(scene);
	assert_false(picture->particles);
	assert_true(picture->camera.x < -1e9f && picture->target.x < -1e9f);
	assert_true(picture->view_angle == 35 && picture->samples == 0);
	assert_int_equal(surface->kind, OZ_SURFACE_SMOOTH);
	assert_true(surface->cell == 0.5f && surface->reach == 2 && surface->fit == 0.5f);
	assert_true(surface->threshold == 0.95f && surface->specks == 0);
	assert_int_equal(surface->smoothing, 3);
	// a preset that is only named, and a material that is not there
	for (oz_id material = 0; material < 2; material++) {
		const oz_finish finish = oz_scene_finish(scene, material);
		assert_int_equal(finish.look, OZ_LOOK_AUTO);
		assert_true(same(finish.colour, -1, -1, -1) && finish.depth == 0);
	}
	oz_scene_free(scene);
}

#define LOOKS                                                                                      \
	"{ \"world\": { \"spacing\": 0.05, \"threads\": 3 }, \"materials\": { \"a\": { \"look\": " \
	"\"matte\" }, \"b\": { \"preset\": \"honey\", \"look\": \"plastic\", \"colour\": [0, "     \
	"0.25, "                                                                                   \
	"1] }, \"c\": { \"look\": \"liquid\", \"depth\": 0.125 }, \"d\": { \"look\": \"jelly\", "  \
	"\"colour\": [0, 0, 0] }, \"e\": { \"look\": \"auto\" } }, \"surface\": { \"kind\": "      \
	"\"distance\", \"cell\": 0.5, \"reach\": 3, \"threshold\": 0.7, \"smoothing\": 12, "       \
	"\"specks\": 2, \"fit\": 0 }, \"picture\": { \"particles\": true, \"camera\": [1, 2, 3], " \
	"\"target\": [0, 0.5, 0], \"view_angle\": 60, \"samples\": 256 }, \"output\": { \"ply\": " \
	"false, \"h5\": true } }"

static void expect_finish(const oz_scene *scene, oz_id material, oz_look look, oz_vec3 colour,
                          float depth)
{
	const oz_finish finish = oz_scene_finish(scene, material);
	assert_int_equal(finish.look, look);
	assert_true(same(finish.colour, colour.x, colour.y, colour.z));
	assert_true(finish.depth == depth);
}

static void expect_looks(const oz_scene *scene)
{
	const oz_picture_def *picture = oz_scene_picture(scene);
	const oz_surface_def *surface = oz_scene_surface(scene);
	const oz_vec3 chosen = {-1, -1, -1};
	expect_finish(scene, 0, OZ_LOOK_MATTE, chosen, 0);
	expect_finish(scene, 1, OZ_LOOK_PLASTIC, (oz_vec3){0, 0.25f, 1}, 0);
	expect_finish(scene, 2, OZ_LOOK_LIQUID, chosen, 0.125f);
	expect_finish(scene, 3, OZ_LOOK_JELLY, (oz_vec3){0, 0, 0}, 0);
	expect_finish(scene, 4, OZ_LOOK_AUTO, chosen, 0);
	assert_int_equal(surface->kind, OZ_SURFACE_DISTANCE);
	assert_true(surface->cell == 0.5f && surface->reach == 3 && surface->fit == 0);
	assert_true(surface->threshold == 0.7f && surface->specks == 2);
	assert_int_equal(surface->smoothing, 12);
	assert_true(surface->spacing == 0.05f && surface->threads == 3);
	assert_true(picture->particles && picture->view_angle == 60);
	assert_true(same(picture->camera, 1, 2, 3) && same(picture->target, 0, 0.5f, 0));
	assert_int_equal(picture->samples, 256);
	assert_true(oz_scene_output(scene)->h5 && !oz_scene_output(scene)->ply);
}

static void looks_pictures_and_surfaces_are_read_as_written(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(LOOKS);
	expect_looks(scene);
	oz_scene_free(scene);
	// a camera where its target is stands for one that frames the run, wherever both are
	scene = test_scene("{ \"picture\": { \"camera\": [1, 2, 3], \"target\": [1, 2, 3] } }");
	assert_true(same(oz_scene_picture(scene)->camera, 1, 2, 3));
	assert_true(same(oz_scene_picture(scene)->target, 1, 2, 3));
	oz_scene_free(scene);
	// spacing is the world's alone
	test_scene_refused("{ \"surface\": { \"spacing\": 0.1 } }",
	                   "t.json:1:16: surface.spacing is not a key of the surface; ooze params "
	                   "lists "
	                   "those it has");
}

static void as_many_samples_as_the_tracer_takes_are_read(void **state)
{
	(void)state;
	char text[80];
	snprintf(text, sizeof text, "{ \"picture\": { \"samples\": %u } }", OZ_SAMPLES_MAX);
	oz_scene *scene = test_scene(text);
	assert_int_equal(oz_scene_picture(scene)->samples, OZ_SAMPLES_MAX);
	oz_scene_free(scene);
	snprintf(text, sizeof text, "{ \"picture\": { \"samples\": %u } }", OZ_SAMPLES_MAX + 1);
	test_scene_refused(text,
	                   "t.json:1:27: picture.samples is 4097; it must be between 0 and 4096");
}

static void values_are_read_as_written(void **state)
{
	(void)state;
	oz_scene *scene =
	        test_scene("{ \"name\": \"tëst\", \"world\": { \"spacing\": 0.05, \"eos\": "
	                   "\"tait\", \"tension\": true, \"gravity\": [1, 2.5, -3], "
	                   "\"threads\": 3 }, \"output\": { \"frame_rate\": 24 } }");
	const oz_world_def *world = oz_scene_world(scene);
	assert_string_equal(oz_scene_name(scene), "tëst");
	assert_true(world->spacing == 0.05f && world->eos == OZ_EOS_TAIT && world->tension);
	assert_true(world->gravity.x == 1 && world->gravity.y == 2.5f && world->gravity.z == -3);
	assert_int_equal(world->threads, 3);
	assert_true(oz_scene_output(scene)->frame_rate == 24);
	oz_scene_free(scene);
}

static void a_written_scene_keeps_looks_pictures_and_surfaces(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(LOOKS), *again = NULL;
	assert_int_equal(oz_scene_write(scene, "looks.json", NULL), OZ_OK);
	assert_int_equal(oz_scene_load("looks.json", &again, NULL), OZ_OK);
	expect_looks(again);
	test_scene_round_trip(scene);
	oz_scene_free(again);
	oz_scene_free(scene);
}

static void comments_may_stand_anywhere_blanks_may(void **state)
{
	(void)state;
	oz_scene *scene =
	        test_scene("\xef\xbb\xbf// first\n{ /**/ \"world\" /* a **/ : // b\n { /* \" "
	                   "*/ \"spacing\" : /* x\n y */ 0.05 } } // end");
	assert_true(oz_scene_world(scene)->spacing == 0.05f);
	oz_scene_free(scene);
	scene = test_scene("{ \"name\": \"/* no // comment */\" }");
	assert_string_equal(oz_scene_name(scene), "/* no // comment */");
	oz_scene_free(scene);
}

static void sentences_name_the_line_of_the_value(void **state)
{
	(void)state;
	// the same key stands elsewhere, before and after
	test_scene_refused("{\n\"world\": {\n\"spacing\": 0.1 },\n\"bodies\": [\n"
	                   "{ \"material\": \"water\", \"shape\": \"ball\", \"size\": 1 },\n"
	                   "{ \"material\": \"water\", \"shape\": \"ball\",\n\"size\": /*\n*/ 0 "
	                   "},\n"
	                   "{ \"material\": \"water\", \"shape\": \"ball\", \"size\": 1 }\n] }",
	                   "t.json:8:4: bodies[1].size gives the ball a length of 0 m; it must be "
	                   "above "
	                   "0 and at most 1e+09 m");
	// a key that is missing has the line of its object, though later objects have that key
	test_scene_refused("{\n\"bodies\": [\n{\n\"shape\": \"ball\", \"size\": 1\n},\n"
	                   "{ \"material\": \"water\" } ] }",
	                   "t.json:3:1: bodies[0] needs a material, as in \"material\": \"water\"");
}

static void links_that_would_ignore_a_setting_are_refused(void **state)
{
	(void)state;
	test_scene_refused("{ \"materials\": { \"s\": { \"model\": \"links\", \"paper\": true,\n"
	                   "\"shear_modulus\": 500 } } }",
	                   "t.json:2:18: materials.s.shear_modulus has paper true and a "
	                   "shear_modulus of 500 Pa, which links as printed do not read; set "
	                   "link_correction instead, and leave shear_modulus and presets that have "
	                   "one out");
	test_scene_refused("{ \"bodies\": [ { \"material\": \"slime\", \"shape\": \"ball\", "
	                   "\"size\": 1 } ], \"adhesion\": [\n{ \"material\": \"slime\",\n"
	                   "\"other\": \"stone\" } ] }",
	                   "t.json:3:10: adhesion[0].other is the preset \"stone\", of which there "
	                   "is neither a body nor an emitter; name a material of the scene");
}

#define TWO_LIQUIDS                                                                                \
	"{ \"bodies\": [ { \"material\": \"water\", \"shape\": \"ball\", \"size\": 1 }, "          \
	"{ \"material\": \"slime\", \"shape\": \"ball\", \"size\": 1 } ],\n"

static void entries_of_pairs_name_materials_that_are_used_and_each_pair_once(void **state)
{
	(void)state;
	test_scene_refused(TWO_LIQUIDS "\"interfaces\": [ { \"material\": \"water\",\n"
	                               "\"other\": \"oil\" } ] }",
	                   "t.json:3:10: interfaces[0].other is the preset \"oil\", of which "
	                   "there is neither a body nor an emitter; name a material of the scene");
	test_scene_refused(TWO_LIQUIDS "\"interfaces\": [ { \"material\": \"water\", \"other\": "
	                               "\"slime\" },\n{ \"material\": \"slime\", \"other\": "
	                               "\"water\" } ] }",
	                   "t.json:3:1: interfaces[1] is for the same two materials as entry 0 of "
	                   "the list; keep one of the two");
	test_scene_refused(TWO_LIQUIDS "\"adhesion\": [ { \"material\": \"water\", \"other\": "
	                               "\"slime\" },\n{ \"material\": \"water\", \"other\": "
	                               "\"slime\", \"sticks\": false } ] }",
	                   "t.json:3:1: adhesion[1] is for the same two materials as entry 0 of "
	                   "the "
	                   "list; keep one of the two");
}

static void fluids_that_are_drawn_are_laid_irregularly(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(
	        "{ \"bodies\": [ { \"material\": \"slime\", \"shape\": \"ball\", \"size\": 0.1 }, "
	        "{ \"material\": \"slime\", \"shape\": \"ball\", \"size\": 0.1, \"fill\": "
	        "\"lattice\" }, { \"material\": \"shampoo\", \"shape\": \"ball\", \"size\": 0.1 }, "
	        "{ \"material\": \"honey\", \"shape\": \"ball\", \"size\": 0.1 } ] }");
	const uint32_t fills[] = {OZ_FILL_BLUE_NOISE, OZ_FILL_LATTICE, OZ_FILL_BLUE_NOISE,
	                          OZ_FILL_LATTICE};
	for (int k = 0; k < 4; k++)
		assert_int_equal(scene->bodies[k].fill, fills[k]);
	oz_scene_free(scene);
}

static void misspelt_words_are_understood(void **state)
{
	(void)state;
	test_scene_refused("{ \"colliders\": [\n{ \"shape\": \"bocks\" } ] }",
	                   "t.json:2:12: colliders[0].shape is \"bocks\", which is none of: plane, "
	                   "box, "
	                   "ball, dome, cylinder, capsule, torus, sheet, rod; did you mean box?");
}

static void huge_texts_are_refused_before_they_take_memory(void **state)
{
	(void)state;
	size_t size = 3u << 20;
	char *text = malloc(size);
	oz_scene *scene;
	oz_error error;
	assert_non_null(text);
	memset(text, '[', size);
	memcpy(text, "{ \"a\": ", 7);
	assert_int_equal(oz_scene_parse(text, size, "t.json", ".", &scene, &error), OZ_ERROR_SCENE);
	assert_string_equal(error.text,
	                    "t.json:1:39: lists and objects are nested more than 32 deep");
	for (size_t i = 8; i + 1 < size; i += 2)
		memcpy(text + i, "1,", 2);
	assert_int_equal(oz_scene_parse(text, size, "t.json", ".", &scene, &error), OZ_ERROR_SCENE);
	assert_string_equal(error.text,
	                    "t.json:1:2097157: the scene holds too many values; split it, or "
	                    "put keyframes farther apart");
	assert_int_equal(oz_scene_parse(text, 17u << 20, "t.json", ".", &scene, &error),
	                 OZ_ERROR_SCENE);
	free(text);
}

// every cut and every changed byte of a scene must be answered, never crash
static void damaged_texts_are_answered(void **state)
{
	(void)state;
	char *text = NULL;
	size_t size;
	oz_scene *scene;
	assert_int_equal(oz_file_read(test_source("scenes/stirred_tank.json"), 1 << 20, &text,
	                              &size, NULL),
	                 OZ_OK);
	// the last byte is a line's end
	for (size_t i = 0; i + 1 < size; i++) {
		oz_result result = oz_scene_parse(text, i, "t.json", ".", &scene, NULL);
		assert_true(result == OZ_ERROR_SCENE && !scene);
	}
	for (size_t i = 0; i < size; i++) {
		static const char bytes[] = {0,   '"',  '}', '[', ',',
		                             '/', '\\', 'e', '-', (char)0xff};
		for (size_t k = 0; k < sizeof bytes; k++) {
			char kept = text[i];
			text[i] = bytes[k];
			(void)oz_scene_parse(text, size, "t.json", ".", &scene, NULL);
			oz_scene_free(scene);
			text[i] = kept;
		}
	}
	free(text);
}

// ---- building ---------------------------------------------------------------------------------

static void a_scene_makes_the_world_it_describes(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(
	        "{ \"world\": { \"spacing\": 0.1 }, \"materials\": { \"thick\": { \"preset\": "
	        "\"honey\", \"viscosity\": 20 } }, \"bodies\": [ { \"name\": \"cube\", "
	        "\"material\": \"thick\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": "
	        "[0, 5, 0] }, { \"material\": \"mercury\", \"shape\": \"ball\", \"size\": 1 } ], "
	        "\"colliders\": [ { \"shape\": \"plane\", \"position\": [3, 0, 0], \"rotation\": "
	        "[0, 0, 90] } ], \"emitters\": [ { \"material\": \"thick\" } ] }");
	oz_world *world = test_scene_build(scene);
	oz_shape shape;
	bool inside;
	assert_int_equal(oz_world_material_count(world), 2);
	assert_true(oz_world_get_material(world, 0)->viscosity == 20);
	assert_true(oz_world_get_material(world, 0)->density == 1420);
	assert_string_equal(oz_world_get_material(world, 1)->name, "mercury");
	assert_string_equal(oz_world_body_name(world, 0), "cube");
	assert_int_equal(oz_world_body_count(world), 3); // the emitter's, too
	// 1000 in the cube, about 4189 in the ball
	assert_in_range(oz_world_particle_count(world), 5100, 5280);
	assert_int_equal(oz_world_get_collider(world, 0, &shape, &inside, NULL), OZ_OK);
	assert_true(fabsf(shape.rotation.z - sqrtf(0.5f)) < 1e-6f);
	assert_true(fabsf(shape.rotation.w - sqrtf(0.5f)) < 1e-6f);
	assert_false(inside);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

static void expect_quat(const char *rotation, oz_quat expected)
{
	char text[300];
	oz_shape shape;
	snprintf(text, sizeof text,
	         "{ \"colliders\": [ { \"shape\": \"plane\", \"rotation\": %s } ] }", rotation);
	oz_scene *scene = test_scene(text);
	oz_world *world = test_scene_build(scene);
	assert_int_equal(oz_world_get_collider(world, 0, &shape, NULL, NULL), OZ_OK);
	const oz_quat *q = &shape.rotation;
	float dot = q->x * expected.x + q->y * expected.y + q->z * expected.z + q->w * expected.w;
	assert_true(fabsf(fabsf(dot) - 1) < 1e-6f);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

// 90° about x takes y to z, then 90° about z leaves it: q = qz qx
static void rotations_turn_about_x_then_y_then_z(void **state)
{
	(void)state;
	expect_quat("[90, 0, 90]", (oz_quat){0.5f, 0.5f, 0.5f, 0.5f});
	expect_quat("[90, 90, 0]", (oz_quat){0.5f, 0.5f, -0.5f, 0.5f});
	expect_quat("[0, 0, 360]", (oz_quat){0, 0, 0, 1});
}

// ---- memory -----------------------------------------------------------------------------------

#define WATER "\"material\": \"water\", "

static oz_result check_memory(const oz_scene *scene, double memory, oz_error *error)
{
	return oz_scene_check_memory(scene, &(scene_room){memory, 330, "this machine"}, error);
}

static void a_scene_larger_than_memory_is_refused_before_it_is_filled(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_scene *scene = test_scene("{ \"world\": { \"spacing\": 0.001 }, \"bodies\": [\n{ " WATER
	                             "\"shape\": \"box\", \"size\": [1, 1, 1] } ] }");
	assert_int_equal(check_memory(scene, 340e9, &error), OZ_OK);
	assert_int_equal(check_memory(scene, 33e9, &error), OZ_ERROR_MEMORY);
	assert_string_equal(error.text,
	                    "test.json:2:1: bodies[0] takes the scene beyond the memory "
	                    "of this machine: "
	                    "1e+09 particles need about 330 GB, and there are 33 GB; a "
	                    "world.spacing of 0.0022 m would fit, now it is 0.001 m");
	oz_scene_free(scene);
	// what emitters pour until the end counts, and nothing after it
	scene = test_scene("{ \"world\": { \"spacing\": 0.01 }, \"output\": { \"duration\": 10 }, "
	                   "\"emitters\": [ { " WATER
	                   "\"rate\": 0.1, \"start\": 2, \"duration\": 4 } "
	                   "] }");
	assert_true(oz_scene_poured(scene, 1) == 0);
	assert_true(fabs(oz_scene_poured(scene, 4) - 2e5) < 1);
	assert_true(fabs(oz_scene_poured(scene, 10) - 4e5) < 1);
	assert_int_equal(check_memory(scene, 4.1e5 * 330, &error), OZ_OK);
	assert_int_equal(check_memory(scene, 3.9e5 * 330, &error), OZ_ERROR_MEMORY);
	assert_non_null(strstr(error.text, "emitters[0] takes the scene beyond"));
	oz_scene_free(scene);
	assert_true(oz_machine_memory() > 1e6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_empty_scene_has_every_default),
	        cmocka_unit_test(as_many_samples_as_the_tracer_takes_are_read),
	        cmocka_unit_test(values_are_read_as_written),
	        cmocka_unit_test(an_empty_scene_chooses_its_own_pictures),
	        cmocka_unit_test(looks_pictures_and_surfaces_are_read_as_written),
	        cmocka_unit_test(a_written_scene_keeps_looks_pictures_and_surfaces),
	        cmocka_unit_test(comments_may_stand_anywhere_blanks_may),
	        cmocka_unit_test(sentences_name_the_line_of_the_value),
	        cmocka_unit_test(links_that_would_ignore_a_setting_are_refused),
	        cmocka_unit_test(entries_of_pairs_name_materials_that_are_used_and_each_pair_once),
	        cmocka_unit_test(fluids_that_are_drawn_are_laid_irregularly),
	        cmocka_unit_test(misspelt_words_are_understood),
	        cmocka_unit_test(huge_texts_are_refused_before_they_take_memory),
	        cmocka_unit_test(damaged_texts_are_answered),
	        cmocka_unit_test(a_scene_makes_the_world_it_describes),
	        cmocka_unit_test(rotations_turn_about_x_then_y_then_z),
	        cmocka_unit_test(a_scene_larger_than_memory_is_refused_before_it_is_filled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
