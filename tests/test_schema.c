// test_schema.c: the schema takes every scene of the project, and refuses what the program refuses.
//
// A small checker of JSON Schema stands here: it knows the words that docs/scene.schema.json has,
// and fails on any other, so that none goes unchecked.
#include <dirent.h>
#include <stdbool.h>

#include "base/base.h"
#include "scene/scene.h"
#include "support.h"
#include "json/json.h"

static oz_json_doc schema_doc;

static bool fits(const oz_json *schema, const oz_json *value);

static bool is_of_type(const char *type, const oz_json *value)
{
	static const char *const types[] =
	        {[OZ_JSON_NULL] = "null",     [OZ_JSON_BOOL] = "boolean",
	         [OZ_JSON_NUMBER] = "number", [OZ_JSON_TEXT] = "string",
	         [OZ_JSON_LIST] = "array",    [OZ_JSON_OBJECT] = "object"};
	if (strcmp(type, "integer") == 0)
		return value->kind == OZ_JSON_NUMBER && value->number == floor(value->number);
	return strcmp(type, types[value->kind]) == 0;
}

static size_t count_fits(const oz_json *schemas, const oz_json *value)
{
	size_t count = 0;
	for (const oz_json *one = oz_json_first(schemas); one; one = oz_json_next(one))
		count += fits(one, value);
	return count;
}

static bool is_one_of(const oz_json *words, const oz_json *value)
{
	for (const oz_json *one = oz_json_first(words); one; one = oz_json_next(one))
		if (value->kind == OZ_JSON_TEXT && strcmp(one->text, value->text) == 0)
			return true;
	return false;
}

static bool has_all(const oz_json *keys, const oz_json *value)
{
	for (const oz_json *one = oz_json_first(keys); one; one = oz_json_next(one))
		if (!oz_json_get(value, one->text))
			return false;
	return true;
}

static bool members_fit(const oz_json *schema, const oz_json *value)
{
	const oz_json *properties = oz_json_get(schema, "properties"), *others;
	others = oz_json_get(schema, "additionalProperties");
	for (const oz_json *one = oz_json_first(value); one; one = oz_json_next(one)) {
		const oz_json *own = properties ? oz_json_get(properties, one->key) : NULL;
		if (own ? !fits(own, one)
		        : others && (oz_json_is(others, OZ_JSON_BOOL) ? !others->truth
		                                                      : !fits(others, one)))
			return false;
	}
	return true;
}

static bool items_fit(const oz_json *schema, const oz_json *value)
{
	for (const oz_json *one = oz_json_first(value); one; one = oz_json_next(one))
		if (!fits(schema, one))
			return false;
	return true;
}

// what a key that is there asks of the whole
static bool dependents_fit(const oz_json *schemas, const oz_json *value)
{
	for (const oz_json *one = oz_json_first(schemas); one; one = oz_json_next(one)) {
		if (oz_json_get(value, one->key) && !fits(one, value))
			return false;
	}
	return true;
}

static const oz_json *refer(const char *path)
{
	assert_int_equal(strncmp(path, "#/$defs/", 8), 0);
	const oz_json *found = oz_json_get(oz_json_get(schema_doc.root, "$defs"), path + 8);
	assert_non_null(found);
	return found;
}

// one word of a schema
static bool word_fits(const oz_json *schema, const char *word, const oz_json *rule,
                      const oz_json *value)
{
	const bool list = oz_json_is(value, OZ_JSON_LIST);
	const double number = (rule->kind == OZ_JSON_NUMBER ? rule->number : 0);
	if (strcmp(word, "type") == 0)
		return is_of_type(rule->text, value);
	if (strcmp(word, "$ref") == 0)
		return fits(refer(rule->text), value);
	if (strcmp(word, "enum") == 0)
		return is_one_of(rule, value);
	if (strcmp(word, "anyOf") == 0)
		return count_fits(rule, value) > 0;
	if (strcmp(word, "oneOf") == 0)
		return count_fits(rule, value) == 1;
	if (strcmp(word, "not") == 0)
		return !fits(rule, value);
	if (strcmp(word, "required") == 0)
		return !oz_json_is(value, OZ_JSON_OBJECT) || has_all(rule, value);
	if (strcmp(word, "properties") == 0 || strcmp(word, "additionalProperties") == 0)
		return !oz_json_is(value, OZ_JSON_OBJECT) || members_fit(schema, value);
	if (strcmp(word, "dependentSchemas") == 0)
		return dependents_fit(rule, value);
	if (strcmp(word, "items") == 0)
		return !list || items_fit(rule, value);
	if (strcmp(word, "minItems") == 0)
		return !list || (double)value->count >= number;
	if (strcmp(word, "maxItems") == 0)
		return !list || (double)value->count <= number;
	if (strcmp(word, "minimum") == 0)
		return !(value->kind == OZ_JSON_NUMBER) || value->number >= number;
	if (strcmp(word, "maximum") == 0)
		return !(value->kind == OZ_JSON_NUMBER) || value->number <= number;
	if (strcmp(word, "minLength") == 0)
		return !oz_json_is(value, OZ_JSON_TEXT) || value->count >= number;
	if (strcmp(word, "maxLength") == 0)
		return !oz_json_is(value, OZ_JSON_TEXT) || value->count <= number;
	static const char said[] = " $schema $defs title description default ";
	char spaced[64];
	snprintf(spaced, sizeof spaced, " %s ", word);
	if (!strstr(said, spaced))
		fail_msg("the schema says %s, which is not understood here", word);
	return true;
}

static bool fits(const oz_json *schema, const oz_json *value)
{
	for (const oz_json *rule = oz_json_first(schema); rule; rule = oz_json_next(rule)) {
		if (!word_fits(schema, rule->key, rule, value))
			return false;
	}
	return true;
}

static bool takes_text(const char *text)
{
	oz_json_doc doc;
	oz_error error;
	if (oz_json_read(&doc, "scene", text, strlen(text), NULL, &error) != OZ_OK)
		fail_msg("%s", error.text);
	const bool taken = fits(schema_doc.root, doc.root);
	oz_json_free(&doc);
	return taken;
}

static bool takes_file(const char *folder, const char *name)
{
	char path[1000], *text = NULL;
	size_t size;
	snprintf(path, sizeof path, "%s/%s", test_source(folder), name);
	assert_int_equal(oz_file_read(path, 1 << 24, &text, &size, NULL), OZ_OK);
	const bool taken = takes_text(text);
	free(text);
	return taken;
}

// ---- tests ------------------------------------------------------------------------------------

static int read_schema(void **state)
{
	(void)state;
	char *text = oz_scene_schema();
	const oz_result result =
	        text ? oz_json_read(&schema_doc, "schema", text, strlen(text), NULL, NULL)
	             : OZ_ERROR_MEMORY;
	free(text);
	return result == OZ_OK ? 0 : -1;
}

static int drop_schema(void **state)
{
	(void)state;
	oz_json_free(&schema_doc);
	return 0;
}

static void the_schema_takes_all_scenes(void **state)
{
	(void)state;
	static const char *const folders[] = {"scenes", "scenes/figures"};
	int count = 0;
	for (size_t f = 0; f < 2; f++) {
		DIR *list = opendir(test_source(f ? "scenes/figures" : "scenes"));
		assert_non_null(list);
		for (struct dirent *entry; (entry = readdir(list));) {
			if (!strstr(entry->d_name, ".json"))
				continue;
			if (!takes_file(folders[f], entry->d_name))
				fail_msg("the schema refuses %s", entry->d_name);
			count++;
		}
		closedir(list);
	}
	assert_true(count > 20);
}

static void the_schema_takes_resolved_scenes(void **state)
{
	(void)state;
	oz_scene *scene = NULL;
	char *text = NULL;
	size_t size;
	assert_int_equal(oz_scene_load(test_source("scenes/twisted_bar.json"), &scene, NULL),
	                 OZ_OK);
	assert_int_equal(oz_scene_write(scene, "resolved.json", NULL), OZ_OK);
	assert_int_equal(oz_file_read("resolved.json", 1 << 24, &text, &size, NULL), OZ_OK);
	assert_true(takes_text(text));
	free(text);
	oz_scene_free(scene);
}

static void the_schema_refuses_what_the_program_refuses(void **state)
{
	(void)state;
	static const char *const broken[] = {"alpha_above_one",         "alpha_of_a_fluid",
	                                     "blend_key_of_elastic",    "elastic_key_of_a_blend",
	                                     "elastic_key_of_a_fluid",  "body_without_material",
	                                     "collider_of_a_rod",       "handle_of_a_sheet",
	                                     "handle_without_shape",    "number_for_bool",
	                                     "poisson_ratio_of_a_half", "unknown_key_in_handle",
	                                     "unknown_model",           "young_modulus_zero"};
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		char name[100];
		snprintf(name, sizeof name, "%s.json", broken[i]);
		if (takes_file("tests/broken", name))
			fail_msg("the schema takes %s", name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_schema_takes_all_scenes),
	        cmocka_unit_test(the_schema_takes_resolved_scenes),
	        cmocka_unit_test(the_schema_refuses_what_the_program_refuses),
	};
	return cmocka_run_group_tests(tests, read_schema, drop_schema);
}
