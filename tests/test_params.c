// test_params.c: the parameter table makes defaults and range checks, and is itself in order; which
// keys belong to which model is its column.
#include "base/base.h"
#include "models/traits.h"
#include "ooze/ooze.h"
#include "ooze/surface.h"
#include "params/params.h"
#include "scene/scene.h"
#include "support.h"

// room for any definition, aligned for all of them
typedef union any_def {
	oz_world_def world;
	oz_material_def material;
	oz_shape shape;
	oz_body_def body;
	oz_collider_def collider;
	oz_emitter_def emitter;
	oz_keyframe keyframe;
	oz_surface_def surface;
	oz_region_def region;
} any_def;

static uint32_t component_count(const oz_param *row)
{
	return row->type == OZ_PARAM_VEC3 ? 3 : row->type == OZ_PARAM_QUAT ? 4 : 1;
}

static bool has_floats(const oz_param *row)
{
	return row->type == OZ_PARAM_FLOAT || row->type == OZ_PARAM_VEC3 ||
	       row->type == OZ_PARAM_QUAT;
}

static void every_default_is_inside_its_range(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		any_def def;
		oz_error error = {OZ_OK, ""};
		memset(&def, 0xff, sizeof def);
		oz_params_default((oz_param_group)group, &def);
		oz_result result = oz_params_check((oz_param_group)group, &def, "x", &error);
		if (result != OZ_OK)
			print_error("%s\n", error.text);
		assert_int_equal(result, OZ_OK);
	}
}

static void every_row_is_told_apart_and_described(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		assert_true(count > 0);
		assert_true(strlen(oz_params_name((oz_param_group)group)) > 0);
		for (uint32_t i = 0; i < count; i++) {
			assert_true(strlen(rows[i].sentence) > 10);
			assert_non_null(rows[i].unit);
			for (uint32_t j = 0; j < i; j++) {
				assert_string_not_equal(rows[i].name, rows[j].name);
				assert_true(rows[i].offset != rows[j].offset);
			}
		}
	}
}

static void every_choice_has_a_word(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		for (uint32_t i = 0; i < count; i++) {
			char word[OZ_NAME_SIZE];
			if (rows[i].type != OZ_PARAM_CHOICE)
				continue;
			for (uint32_t k = 0; k <= (uint32_t)rows[i].max; k++) {
				assert_true(oz_param_choice_word(&rows[i], k, word, sizeof word));
				assert_int_equal(oz_param_choice(&rows[i], word, strlen(word)), k);
			}
			assert_false(oz_param_choice_word(&rows[i], (uint32_t)rows[i].max + 1, word,
			                                  sizeof word));
			assert_int_equal(oz_param_choice(&rows[i], "nonsense", 8), -1);
		}
	}
}

static void set_float(void *def, const oz_param *row, uint32_t component, float value)
{
	memcpy((char *)def + row->offset + component * sizeof value, &value, sizeof value);
}

static void refuse_float(oz_param_group group, const oz_param *row, uint32_t component, float value)
{
	any_def def;
	oz_error error = {OZ_OK, ""};
	char begin[100];
	memset(&def, 0, sizeof def);
	oz_params_default(group, &def);
	set_float(&def, row, component, value);
	assert_int_equal(oz_params_check(group, &def, "here", &error), OZ_ERROR_RANGE);
	snprintf(begin, sizeof begin, "here.%s is ", row->name);
	assert_memory_equal(error.text, begin, strlen(begin));
}

static void values_outside_their_range_are_refused(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		for (uint32_t i = 0; i < count; i++) {
			for (uint32_t c = 0; has_floats(&rows[i]) && c < component_count(&rows[i]);
			     c++) {
				oz_param_group g = (oz_param_group)group;
				refuse_float(g, &rows[i], c, NAN);
				refuse_float(g, &rows[i], c, INFINITY);
				refuse_float(g, &rows[i], c, -INFINITY);
				refuse_float(g, &rows[i], c, nextafterf((float)rows[i].max, 2e30f));
				refuse_float(g, &rows[i], c,
				             nextafterf((float)rows[i].min, -2e30f));
			}
		}
	}
}

static void the_sentence_tells_value_range_and_unit(void **state)
{
	(void)state;
	oz_world_def def;
	oz_error error;
	memset(&def, 0, sizeof def);
	oz_params_default(OZ_PARAMS_WORLD, &def);
	def.spacing = -0.1f;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &def, "world", &error), OZ_ERROR_RANGE);
	assert_string_equal(error.text,
	                    "world.spacing is -0.1 m; it must be between 1e-05 and 1000 m");
	def.spacing = 0.02f;
	def.gravity.y = INFINITY;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &def, "world", &error), OZ_ERROR_RANGE);
	assert_string_equal(error.text, "world.gravity is [0, inf, 0] m/s²; each number must be "
	                                "between -1e+06 and 1e+06 m/s²");
	def.gravity.y = 0;
	def.eos = (oz_eos)7;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &def, "world", &error), OZ_ERROR_RANGE);
	assert_string_equal(error.text, "world.eos is 7; it must be one of: linear, tait");
}

static void fields_that_do_not_fit_each_other_are_refused(void **state)
{
	(void)state;
	oz_world_def world;
	oz_emitter_def emitter;
	memset(&world, 0, sizeof world);
	memset(&emitter, 0, sizeof emitter);
	oz_params_default(OZ_PARAMS_WORLD, &world);
	oz_params_default(OZ_PARAMS_EMITTER, &emitter);
	world.bounds_min.z = 2e8f;
	world.bounds_max.z = 1e8f;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &world, "w", NULL), OZ_ERROR_RANGE);
	emitter.direction = (oz_vec3){0, 0, 0};
	assert_int_equal(oz_params_check(OZ_PARAMS_EMITTER, &emitter, "e", NULL), OZ_ERROR_RANGE);
}

static void names_must_end(void **state)
{
	(void)state;
	oz_body_def body;
	memset(&body, 0, sizeof body);
	oz_params_default(OZ_PARAMS_BODY, &body);
	memset(body.name, 'a', sizeof body.name);
	assert_int_equal(oz_params_check(OZ_PARAMS_BODY, &body, "b", NULL), OZ_ERROR_RANGE);
	body.name[OZ_NAME_SIZE - 1] = 0;
	assert_int_equal(oz_params_check(OZ_PARAMS_BODY, &body, "b", NULL), OZ_OK);
}

static void groups_that_do_not_exist_are_answered(void **state)
{
	(void)state;
	uint32_t count = 5;
	any_def def;
	assert_null(oz_params(OZ_PARAMS_COUNT, &count));
	assert_int_equal(count, 0);
	assert_string_equal(oz_params_name((oz_param_group)99), "");
	oz_params_default((oz_param_group)99, &def);
	assert_int_equal(oz_params_check((oz_param_group)99, &def, "x", NULL), OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, NULL, "x", NULL), OZ_ERROR_ARGUMENT);
}

// ---- models -----------------------------------------------------------------------------------

static const oz_param *material_row(const char *name)
{
	uint32_t count;
	const oz_param *rows = oz_params(OZ_PARAMS_MATERIAL, &count);
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	fail_msg("no material parameter is named %s", name);
	return NULL;
}

static void every_model_has_a_row_of_traits(void **state)
{
	(void)state;
	const oz_param *words = material_row("model");
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++) {
		const oz_model_traits *traits = oz_model_traits_of((oz_model)m);
		char word[OZ_NAME_SIZE];
		assert_non_null(traits);
		assert_true(oz_param_choice_word(words, m, word, sizeof word));
		assert_string_equal(traits->word, word);
		assert_true(strlen(traits->noun) > 0 && strlen(traits->plural) > 0);
		const oz_param *resistance = material_row(traits->resistance);
		assert_int_equal(resistance->type, OZ_PARAM_FLOAT);
		assert_true(oz_models_include(resistance->models, (oz_model)m));
	}
	assert_null(oz_model_traits_of(OZ_MODEL_COUNT));
	assert_null(oz_model_traits_of((oz_model)-1));
	assert_false(oz_model_has((oz_model)99, OZ_TRAIT_SHAPED));
	assert_false(oz_models_include(1, (oz_model)99));
}

static void masks_of_models_are_listed_in_words(void **state)
{
	(void)state;
	char text[160], brief[8];
	oz_models_words(0, text, sizeof text);
	assert_string_equal(text, "");
	oz_models_words(1u << OZ_BLEND, text, sizeof text);
	assert_string_equal(text, "blend");
	oz_models_words(oz_models_with(OZ_TRAIT_SHAPED), text, sizeof text);
	assert_string_equal(text, "blend, corotated, rigid or membrane");
	oz_models_plurals(oz_models_with(OZ_TRAIT_POURED), text, sizeof text);
	assert_string_equal(text, "fluids, blends, fluids with links or polymer solutions");
	oz_models_plurals(UINT32_MAX, brief, sizeof brief);
	assert_string_equal(brief, "fluids,");
	assert_true(oz_models_include(0, OZ_FLUID) && oz_models_include(1u << OZ_BLEND, OZ_BLEND));
	assert_false(oz_models_include(1u << OZ_BLEND, OZ_FLUID));
}

static void every_mask_names_known_models_only(void **state)
{
	(void)state;
	const uint32_t all = (1u << OZ_MODEL_COUNT) - 1;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		for (uint32_t i = 0; i < count; i++) {
			assert_int_equal(rows[i].models & ~all, 0);
			// all models are written as 0
			assert_int_not_equal(rows[i].models, all);
			if (group != OZ_PARAMS_MATERIAL)
				assert_int_equal(rows[i].models, 0);
		}
	}
	assert_int_equal(material_row("density")->models, 0);
	assert_int_equal(material_row("alpha")->models, 1u << OZ_BLEND);
	assert_int_equal(material_row("young_modulus")->models,
	                 1u << OZ_COROTATED | 1u << OZ_MEMBRANE);
}

// a material of one model with one key, at its default
static void write_material(char *text, size_t size, const oz_param *row, oz_model model)
{
	char value[OZ_NAME_SIZE + 2], word[OZ_NAME_SIZE];
	if (row->type == OZ_PARAM_BOOL)
		snprintf(value, sizeof value, "%s", row->value[0] != 0 ? "true" : "false");
	else if (row->type == OZ_PARAM_TABLE)
		snprintf(value, sizeof value, "[]");
	else if (oz_param_choice_word(row, (uint32_t)row->value[0], word, sizeof word))
		snprintf(value, sizeof value, "\"%s\"", word);
	else
		snprintf(value, sizeof value, "%g", row->value[0]);
	snprintf(text, size, "{\"materials\": {\"goo\": {\"model\": \"%s\", \"%s\": %s}}}",
	         oz_model_traits_of(model)->word, row->name, value);
}

static bool is_of_colliders(const char *name)
{
	uint32_t count;
	const oz_param *rows = oz_params(OZ_PARAMS_COLLIDER, &count);
	for (uint32_t k = 0; k < count; k++)
		if (strcmp(rows[k].name, name) == 0)
			return true;
	return false;
}

static void write_refusal(char *text, size_t size, const oz_param *row, oz_model model)
{
	char owners[100];
	uint32_t first = 0;
	while (!(row->models >> first & 1))
		first++;
	oz_models_plurals(row->models, owners, sizeof owners);
	const size_t column = strlen("{\"materials\": {\"goo\": {\"model\": \"\", ") + 1 +
	                      strlen(oz_model_traits_of(model)->word);
	const int length = snprintf(text, size,
	                            "t.json:1:%zu: materials.goo.%s is for %s, and this is %s; "
	                            "take it away or ",
	                            column, row->name, owners, oz_model_traits_of(model)->noun);
	if (is_of_colliders(row->name))
		snprintf(text + length, size - (size_t)length, "give it to the collider");
	else
		snprintf(text + length, size - (size_t)length, "add \"model\": \"%s\"",
		         oz_model_traits_of((oz_model)first)->word);
}

static void scenes_take_a_key_where_the_column_has_the_model(void **state)
{
	(void)state;
	uint32_t count, refused = 0;
	const oz_param *rows = oz_params(OZ_PARAMS_MATERIAL, &count);
	for (uint32_t k = 0; k < count * OZ_MODEL_COUNT; k++) {
		const oz_param *row = &rows[k / OZ_MODEL_COUNT];
		const oz_model model = (oz_model)(k % OZ_MODEL_COUNT);
		char text[300], sentence[300] = "";
		oz_scene *scene = NULL;
		oz_error error = {OZ_OK, ""};
		if (strcmp(row->name, "model") == 0)
			continue;
		const bool read = oz_models_include(row->models, model);
		write_material(text, sizeof text, row, model);
		if (!read)
			write_refusal(sentence, sizeof sentence, row, model);
		const oz_result result =
		        oz_scene_parse(text, strlen(text), "t.json", ".", &scene, &error);
		assert_string_equal(error.text, sentence);
		assert_int_equal(result, read ? OZ_OK : OZ_ERROR_SCENE);
		refused += !read;
		oz_scene_free(scene);
	}
	assert_true(refused > 0);
}

static void resolved_scenes_have_the_keys_of_their_model_alone(void **state)
{
	(void)state;
	uint32_t count;
	const oz_param *rows = oz_params(OZ_PARAMS_MATERIAL, &count);
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++) {
		char text[300], *written = NULL;
		size_t size;
		oz_scene *scene = NULL;
		write_material(text, sizeof text, material_row("density"), (oz_model)m);
		assert_int_equal(oz_scene_parse(text, strlen(text), "t.json", ".", &scene, NULL),
		                 OZ_OK);
		assert_int_equal(oz_scene_write(scene, "resolved.json", NULL), OZ_OK);
		assert_int_equal(oz_file_read("resolved.json", 1 << 20, &written, &size, NULL),
		                 OZ_OK);
		for (uint32_t i = 0; i < count; i++) {
			char key[OZ_NAME_SIZE + 8];
			snprintf(key, sizeof key, "\"%s\": ", rows[i].name);
			assert_int_equal(strstr(written, key) != NULL,
			                 oz_models_include(rows[i].models, (oz_model)m));
		}
		free(written);
		oz_scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_default_is_inside_its_range),
	        cmocka_unit_test(every_row_is_told_apart_and_described),
	        cmocka_unit_test(every_choice_has_a_word),
	        cmocka_unit_test(values_outside_their_range_are_refused),
	        cmocka_unit_test(the_sentence_tells_value_range_and_unit),
	        cmocka_unit_test(fields_that_do_not_fit_each_other_are_refused),
	        cmocka_unit_test(names_must_end),
	        cmocka_unit_test(groups_that_do_not_exist_are_answered),
	        cmocka_unit_test(every_model_has_a_row_of_traits),
	        cmocka_unit_test(masks_of_models_are_listed_in_words),
	        cmocka_unit_test(every_mask_names_known_models_only),
	        cmocka_unit_test(scenes_take_a_key_where_the_column_has_the_model),
	        cmocka_unit_test(resolved_scenes_have_the_keys_of_their_model_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
