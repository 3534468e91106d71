// test_schema.c: the schema takes every scene of the project, and refuses what the program refuses.
//
// A small checker of JSON Schema stands here: it knows the words that docs/scene.schema.json has,
// and fails on any other, so that none goes unchecked.
#include <dirent.h>
#include <json-c/json.h>
#include <stdbool.h>

#include "base/base.h"
#include "scene/scene.h"
#include "support.h"

typedef struct json_object json;

static json *root; // the schema

static bool fits(json *schema, json *value);

static json *member(json *object, const char *key)
{
	json *value = NULL;
	return json_object_object_get_ex(object, key, &value) ? value : NULL;
}

static bool is_number(json *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

static bool is_of_type(const char *type, json *value)
{
	if (strcmp(type, "number") == 0)
		return is_number(value);
	if (strcmp(type, "integer") == 0)
		return json_object_is_type(value, json_type_int);
	return strcmp(type, json_type_to_name(json_object_get_type(value))) == 0;
}

static size_t count_fits(json *schemas, json *value)
{
	size_t count = 0;
	for (size_t i = 0; i < json_object_array_length(schemas); i++)
		count += fits(json_object_array_get_idx(schemas, i), value);
	return count;
}

static bool is_one_of(json *words, json *value)
{
	for (size_t i = 0; i < json_object_array_length(words); i++)
		if (json_object_equal(json_object_array_get_idx(words, i), value))
			return true;
	return false;
}

static bool has_all(json *keys, json *value)
{
	for (size_t i = 0; i < json_object_array_length(keys); i++)
		if (!member(value, json_object_get_string(json_object_array_get_idx(keys, i))))
			return false;
	return true;
}

static bool members_fit(json *schema, json *value)
{
	json *properties = member(schema, "properties"), *others;
	others = member(schema, "additionalProperties");
	json_object_object_foreach(value, key, one)
	{
		json *own = properties ? member(properties, key) : NULL;
		if (own ? !fits(own, one)
		        : others && (json_object_is_type(others, json_type_boolean)
		                             ? !json_object_get_boolean(others)
		                             : !fits(others, one)))
			return false;
	}
	return true;
}

static bool items_fit(json *schema, json *value)
{
	for (size_t i = 0; i < json_object_array_length(value); i++)
		if (!fits(schema, json_object_array_get_idx(value, i)))
			return false;
	return true;
}

// what a key that is there asks of the whole
static bool dependents_fit(json *schemas, json *value)
{
	json_object_object_foreach(schemas, key, schema)
	{
		if (member(value, key) && !fits(schema, value))
			return false;
	}
	return true;
}

static json *refer(const char *path)
{
	assert_int_equal(strncmp(path, "#/$defs/", 8), 0);
	json *found = member(member(root, "$defs"), path + 8);
	assert_non_null(found);
	return found;
}

// one word of a schema
static bool word_fits(json *schema, const char *word, json *rule, json *value)
{
	const bool list = json_object_is_type(value, json_type_array);
	const double number = json_object_get_double(rule);
	if (strcmp(word, "type") == 0)
		return is_of_type(json_object_get_string(rule), value);
	if (strcmp(word, "$ref") == 0)
		return fits(refer(json_object_get_string(rule)), value);
	if (strcmp(word, "enum") == 0)
		return is_one_of(rule, value);
	if (strcmp(word, "anyOf") == 0)
		return count_fits(rule, value) > 0;
	if (strcmp(word, "oneOf") == 0)
		return count_fits(rule, value) == 1;
	if (strcmp(word, "not") == 0)
		return !fits(rule, value);
	if (strcmp(word, "required") == 0)
		return !json_object_is_type(value, json_type_object) || has_all(rule, value);
	if (strcmp(word, "properties") == 0 || strcmp(word, "additionalProperties") == 0)
		return !json_object_is_type(value, json_type_object) || members_fit(schema, value);
	if (strcmp(word, "dependentSchemas") == 0)
		return dependents_fit(rule, value);
	if (strcmp(word, "items") == 0)
		return !list || items_fit(rule, value);
	if (strcmp(word, "minItems") == 0)
		return !list || (double)json_object_array_length(value) >= number;
	if (strcmp(word, "maxItems") == 0)
		return !list || (double)json_object_array_length(value) <= number;
	if (strcmp(word, "minimum") == 0)
		return !is_number(value) || json_object_get_double(value) >= number;
	if (strcmp(word, "maximum") == 0)
		return !is_number(value) || json_object_get_double(value) <= number;
	if (strcmp(word, "maxLength") == 0)
		return !json_object_is_type(value, json_type_string) ||
		       json_object_get_string_len(value) <= number;
	static const char said[] = " $schema $defs title description default ";
	char spaced[64];
	snprintf(spaced, sizeof spaced, " %s ", word);
	if (!strstr(said, spaced))
		fail_msg("the schema says %s, which is not understood here", word);
	return true;
}

static bool fits(json *schema, json *value)
{
	json_object_object_foreach(schema, word, rule)
	{
		if (!word_fits(schema, word, rule, value))
			return false;
	}
	return true;
}

static bool takes_text(const char *text)
{
	json *value = json_tokener_parse(text);
	assert_non_null(value);
	const bool taken = fits(root, value);
	json_object_put(value);
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
	root = text ? json_tokener_parse(text) : NULL;
	free(text);
	return root ? 0 : -1;
}

static int drop_schema(void **state)
{
	(void)state;
	json_object_put(root);
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
	                                     "blend_key_of_a_solid",    "solid_key_of_a_blend",
	                                     "solid_key_of_a_fluid",    "body_without_material",
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
