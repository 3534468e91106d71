// test_scene_write.c: scenes are written as read, and the tables of presets and parameters are
// complete.
#include "base/base.h"
#include "scene/scene.h"
#include "scene/scene_data.h"
#include "scenes.h"
#include "world/world.h"

// ---- writing ----------------------------------------------------------------------------------

static void a_written_scene_loads_to_the_same_world(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(
	        "{ \"name\": \"a \\\"b\\\" \\\\ c\", \"world\": { \"spacing\": 0.10000001, "
	        "\"gravity\": [-0.0, -9.80665, 1e-30] }, \"materials\": { \"é.x[0]\": { "
	        "\"density\": 1234.5678 }, \"unused\": {} }, \"bodies\": [ { \"material\": "
	        "\"é.x[0]\", \"shape\": \"torus\", \"size\": [0.7, 0.3], \"rotation\": "
	        "[12.3456789, "
	        "-33.3, 71.77], \"spin\": [0.1, 0.2, 0.3], \"fill\": \"hexagonal\" }, { "
	        "\"material\": \"lava\", \"shape\": \"rod\", \"size\": 1 } ], \"colliders\": [ { "
	        "\"shape\": \"dome\", \"size\": 2, \"inside\": true, \"loop\": true, "
	        "\"keyframes\": "
	        "[ { \"time\": 0.1 }, { \"time\": 0.3, \"rotation\": [1, 2, 3.3] } ] }, { "
	        "\"shape\": \"plane\" } ], \"emitters\": [ { \"material\": \"milk\", \"rate\": "
	        "1e-5 }, { \"material\": \"milk\", \"width\": 0.3, \"height\": 0.1, \"roll\": 12.3 "
	        "} "
	        "] }");
	test_scene_round_trip(scene);
	oz_scene_free(scene);
}

// degrees about y of a collider without particles around, at a time
static double angle_at(oz_world *world, double time)
{
	oz_shape shape;
	bool inside;
	while (oz_world_time(world) < time)
		assert_int_equal(oz_world_step_until(world, time, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_get_collider(world, 0, &shape, &inside, NULL), OZ_OK);
	assert_true(fabs((double)shape.position.x - time) < 1e-6);
	return 2 * atan2((double)shape.rotation.y, (double)shape.rotation.w) * 180 / 3.14159265;
}

static void a_collider_turns_as_far_as_its_angles_say(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(
	        "{ \"world\": { \"time_step\": 0.05 }, \"colliders\": [ { \"shape\": \"box\", "
	        "\"size\": [1, 1, 1], \"keyframes\": [ { \"time\": 0 }, { \"time\": 1, "
	        "\"position\": [1, 0, 0], \"rotation\": [0, -900, 0] }, { \"time\": 2, "
	        "\"position\": [2, 0, 0], \"rotation\": [0, -720, 0] }, { \"time\": 3, "
	        "\"position\": [3, 0, 0], \"rotation\": [0, -590, 0] } ] } ] }");
	oz_world *world = test_scene_build(scene);
	for (double t = 0.1; t < 2.95; t += 0.1) {
		const double wanted = t < 1   ? -900 * t
		                      : t < 2 ? -900 + 180 * (t - 1)
		                              : -720 + 130 * (t - 2);
		assert_true(fabs(remainder(angle_at(world, t) - wanted, 360)) < 0.01);
	}
	// angles are written back as they were
	assert_int_equal(scene->colliders[0].keyframe_count, 4);
	oz_world_destroy(world);
	oz_scene_free(scene);
	test_scene_refused(
	        "{ \"colliders\": [ { \"shape\": \"ball\", \"size\": 1, \"keyframes\": [\n"
	        "{ \"time\": 0, \"rotation\": [1e6, 0, 0] }, { \"time\": 1, \"rotation\": "
	        "[-1e6, 0, 0] }, { \"time\": 2, \"rotation\": [1e6, 0, 0] }, { \"time\": 3, "
	        "\"rotation\": [-1e6, 0, 0] }, { \"time\": 4, \"rotation\": [1e6, 0, 0] }, { "
	        "\"time\": 5, \"rotation\": [-1e6, 0, 0] } ] } ] }",
	        "t.json:1:61: colliders[0].keyframes turn more than 25000 times in all; lower "
	        "their angles, or loop fewer turns");
}

static void a_scene_has_hot_and_cold_regions(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(
	        "{ \"materials\": { \"wax\": { \"preset\": \"clay\", \"conductivity\": 0.25, "
	        "\"melting_point\": 55, \"latent_heat\": 2e5, \"alpha_hot\": 0.9 } }, "
	        "\"bodies\": [ { \"material\": \"wax\", \"shape\": \"box\", \"size\": [0.1, "
	        "0.1, 0.1], \"temperature\": -4.5 } ], \"regions\": [ { \"shape\": "
	        "\"cylinder\", \"size\": [0.2, 0.3], \"rotation\": [0, 0, 33.3], "
	        "\"temperature\": 80, \"rate\": 0.7, \"start\": 1, \"duration\": 2 }, { "
	        "\"shape\": \"plane\" } ] }");
	test_scene_round_trip(scene);
	oz_world *world = test_scene_build(scene);
	assert_int_equal(oz_world_region_count(world), 2);
	const oz_region_def *first = oz_world_get_region(world, 0),
	                    *second = oz_world_get_region(world, 1);
	assert_int_equal(first->shape.kind, OZ_SHAPE_CYLINDER);
	assert_true(first->shape.size.y == 0.3f && first->shape.rotation.z > 0.28f);
	assert_true(first->temperature == 80 && first->rate == 0.7f && first->start == 1 &&
	            first->duration == 2);
	assert_true(second->temperature == 20 && second->rate == 1 && second->duration == 1e9f);
	assert_true(oz_world_get_material(world, 0)->alpha_hot == 0.9f);
	oz_view t;
	assert_int_equal(oz_world_view(world, OZ_FIELD_TEMPERATURE, &t, NULL), OZ_OK);
	assert_true(t.count > 0 && *(const float *)t.data == -4.5f);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

static void regions_that_cannot_be_get_sentences(void **state)
{
	(void)state;
	static const struct {
		const char *keys;
		uint32_t column;
		const char *sentence;
	} rows[] = {
	        {"\"rate\": 2", 1, " needs a shape, as in \"shape\": \"box\""},
	        {"\"mesh\": \"cup.obj\"", 3,
	         ".mesh is for bodies and colliders; a region is a "
	         "shape, as in \"shape\": \"box\""},
	        {"\"shape\": \"sdf\"", 3,
	         ".shape is an SDF, which is made from a mesh; use a box, "
	         "a ball or another shape"},
	        {"\"shape\": \"sheet\", \"size\": [1, 1]", 3,
	         ".shape has no inside that could be hot or cold; use a thin box or a capsule"},
	        {"\"shape\": \"ball\"", 1,
	         " needs the size of its ball, as in \"size\": 0.5 (its radius)"},
	        {"\"shape\": \"ball\", \"size\": 1, \"rate\": -1", 39,
	         ".rate is -1 1/s; it must be between 0 and 1e+06 1/s"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		char text[200], sentence[200];
		snprintf(text, sizeof text, "{ \"regions\": [\n{ %s } ] }", rows[k].keys);
		snprintf(sentence, sizeof sentence, "t.json:2:%u: regions[0]%s", rows[k].column,
		         rows[k].sentence);
		test_scene_refused(text, sentence);
	}
	test_scene_refused("{ \"materials\": { \"x\": {\n\"alpha_hot\": 0.5 } } }",
	                   "t.json:2:1: materials.x.alpha_hot is for blends, and this is a fluid; "
	                   "take it away "
	                   "or add \"model\": \"blend\"");
}

static void a_written_scene_keeps_alphas(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(
	        "{ \"materials\": { \"wax\": { \"preset\": \"clay\", \"cluster_radius\": 3, "
	        "\"alpha_keyframes\": [ { \"time\": 0.5, \"alpha\": 0.1 }, { \"time\": 2, "
	        "\"alpha\": 0.9 } ] } }, \"bodies\": [ { \"material\": \"wax\", \"shape\": "
	        "\"box\", \"size\": [0.1, 0.1, 0.1] }, { \"material\": \"jelly\", \"shape\": "
	        "\"box\", \"size\": [0.1, 0.1, 0.1], \"position\": [1, 0, 0], \"alphas\": { "
	        "\"from\": 0.2, \"to\": 0.7, \"axis\": [0, 0, -2] } } ] }");
	test_scene_round_trip(scene);
	oz_world *world = test_scene_build(scene);
	const oz_material_def *wax = oz_world_get_material(world, 0);
	assert_int_equal(wax->model, OZ_BLEND);
	assert_int_equal(wax->alpha_key_count, 2);
	assert_true(wax->alpha_keys[1].time == 2 && wax->alpha_keys[1].alpha == 0.9f);
	assert_true(wax->density == 1800 && wax->cluster_radius == 3);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

// a field of alpha runs from the lowest point along its axis to the highest, whatever their order
static void alphas_go_straight_from_end_to_end(void **state)
{
	(void)state;
	const scene_alphas field = {.from = 0.2f, .to = 0.7f, .axis = {0, 0, -2}};
	const oz_vec3 points[] = {{5, 1, 1}, {-3, 2, 3}, {0, 7, 2}, {1, 1, 2.5f}};
	const float expected[] = {0.7f, 0.2f, 0.45f, 0.325f};
	float alphas[4];
	oz_scene_alphas(&field, points, 4, alphas);
	for (int i = 0; i < 4; i++)
		assert_true(fabsf(alphas[i] - expected[i]) < 1e-6f);
	oz_scene_alphas(&field, points, 1, alphas);
	assert_true(alphas[0] == 0.2f);
}

static void a_written_scene_finds_its_mesh_from_any_folder(void **state)
{
	(void)state;
	oz_scene *scene;
	oz_error error;
	FILE *mesh = fopen("tetrahedron.obj", "w");
	assert_non_null(mesh);
	fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", mesh);
	fclose(mesh);
	scene = test_scene(
	        "{ \"world\": { \"spacing\": 0.05 }, \"bodies\": [ { \"material\": \"oil\", "
	        "\"mesh\": \"tetrahedron.obj\", \"scale\": [1, 2, 1], \"rotation\": [5, 0, "
	        "0] } ] }");
	test_scene_round_trip(scene);
	assert_int_equal(system("mkdir -p elsewhere"), 0);
	assert_int_equal(oz_scene_write(scene, "elsewhere/scene.json", &error), OZ_OK);
	oz_scene_free(scene);
	assert_int_equal(oz_scene_load("elsewhere/scene.json", &scene, &error), OZ_OK);
	oz_world *world = test_scene_build(scene);
	// a third of 1 m³ in cells of 0.05 m
	assert_in_range(oz_world_particle_count(world), 2400, 2930);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

static void a_scene_that_cannot_be_written_leaves_the_old_one(void **state)
{
	(void)state;
	oz_scene *scene = test_scene("{}");
	oz_error error;
	assert_int_equal(oz_scene_write(scene, "no/such/folder/a.json", &error), OZ_ERROR_FILE);
	oz_scene_free(scene);
}

// ---- tables -----------------------------------------------------------------------------------

static void presets_are_in_range_and_told_apart(void **state)
{
	(void)state;
	uint32_t count;
	const oz_preset *presets = oz_presets(&count);
	const oz_world_def def = oz_world_default();
	oz_world *world;
	assert_int_equal(oz_world_create(&def, &world, NULL), OZ_OK);
	assert_true(count >= 12);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(oz_params_check(OZ_PARAMS_MATERIAL, &presets[i].material, "p",
		                                 NULL),
		                 OZ_OK);
		assert_int_equal(oz_world_add_material(world, &presets[i].material, NULL, NULL),
		                 OZ_OK);
		assert_string_equal(presets[i].name, presets[i].material.name);
		assert_true(strlen(presets[i].sentence) > 30);
		for (uint32_t j = 0; j < i; j++)
			assert_string_not_equal(presets[i].name, presets[j].name);
	}
	oz_world_destroy(world);
}

static const oz_json *member(const oz_json *object, const char *key)
{
	const oz_json *value = oz_json_get(object, key);
	if (!value)
		fail_msg("the schema has no %s", key);
	return value;
}

static oz_json_doc read_schema(void)
{
	char *text = oz_scene_schema();
	oz_json_doc doc;
	assert_non_null(text);
	assert_int_equal(oz_json_read(&doc, "schema", text, strlen(text), NULL, NULL), OZ_OK);
	free(text);
	return doc;
}

static void the_schema_knows_every_parameter(void **state)
{
	(void)state;
	static const char *const homes[OZ_PARAMS_COUNT] = {"world",    "material", "body",
	                                                   "body",     "collider", "emitter",
	                                                   "keyframe", "handle",   "surface",
	                                                   "region",   "adhesion", "interface"};
	oz_json_doc schema = read_schema();
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		const oz_json *home = member(member(schema.root, "$defs"), homes[group]);
		assert_false(member(home, "additionalProperties")->truth);
		for (uint32_t i = 0; i < count; i++)
			member(member(member(home, "properties"), rows[i].name), "description");
	}
	static const struct {
		const char *home;
		const oz_param *(*rows)(uint32_t *count);
	} own[] = {{"material", oz_scene_finish_params},
	           {"picture", oz_scene_picture_params},
	           {"output", oz_scene_output_params}};
	for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
		uint32_t count;
		const oz_param *rows = own[k].rows(&count);
		const oz_json *home = member(member(schema.root, "$defs"), own[k].home);
		for (uint32_t i = 0; i < count; i++)
			member(member(member(home, "properties"), rows[i].name), "description");
	}
	oz_json_free(&schema);
}

static bool offers_shape(const oz_json *schema, const char *home, const char *shape)
{
	const oz_json *section = member(member(schema, "$defs"), home);
	const oz_json *words = member(member(member(section, "properties"), "shape"), "enum");
	for (const oz_json *one = oz_json_first(words); one; one = oz_json_next(one))
		if (strcmp(one->text, shape) == 0)
			return true;
	return false;
}

static void the_schema_offers_the_shapes_that_serve(void **state)
{
	(void)state;
	oz_json_doc schema = read_schema();
	assert_true(offers_shape(schema.root, "body", "rod") &&
	            offers_shape(schema.root, "body", "sheet"));
	assert_false(offers_shape(schema.root, "collider", "rod"));
	assert_false(offers_shape(schema.root, "collider", "sheet"));
	assert_true(offers_shape(schema.root, "collider", "plane"));
	assert_false(offers_shape(schema.root, "body", "plane"));
	oz_json_free(&schema);
}

// a page of the docs must be what the program prints now
static void expect_page(const char *path, char *text)
{
	char *page = NULL;
	size_t size;
	assert_non_null(text);
	assert_int_equal(oz_file_read(path, 1 << 20, &page, &size, NULL), OZ_OK);
	if (strcmp(page, text) != 0)
		print_error("%s is out of date: write it anew with 'ooze params --markdown' or "
		            "'ooze schema'\n",
		            path);
	assert_true(strcmp(page, text) == 0);
	free(page);
	free(text);
}

static void the_docs_are_up_to_date(void **state)
{
	(void)state;
	expect_page(test_source("docs/parameters.md"), oz_scene_params_markdown());
	expect_page(test_source("docs/scene.schema.json"), oz_scene_schema());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_written_scene_loads_to_the_same_world),
	        cmocka_unit_test(a_written_scene_keeps_alphas),
	        cmocka_unit_test(a_collider_turns_as_far_as_its_angles_say),
	        cmocka_unit_test(a_scene_has_hot_and_cold_regions),
	        cmocka_unit_test(regions_that_cannot_be_get_sentences),
	        cmocka_unit_test(alphas_go_straight_from_end_to_end),
	        cmocka_unit_test(a_written_scene_finds_its_mesh_from_any_folder),
	        cmocka_unit_test(a_scene_that_cannot_be_written_leaves_the_old_one),
	        cmocka_unit_test(presets_are_in_range_and_told_apart),
	        cmocka_unit_test(the_schema_knows_every_parameter),
	        cmocka_unit_test(the_schema_offers_the_shapes_that_serve),
	        cmocka_unit_test(the_docs_are_up_to_date),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
