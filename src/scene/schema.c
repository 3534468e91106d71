// schema.c: the JSON Schema of scene files (draft 2020-12), made from the sections.
//
// Editors use it to complete and check scenes while they are typed. Each section becomes an entry
// of $defs; unknown keys are refused there as they are when a scene is read.
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "params/params.h"
#include "scene_data.h"

typedef struct json_object json;

static void put(json *object, const char *key, json *value)
{
	json_object_object_add(object, key, value);
}

static void put_text(json *object, const char *key, const char *text)
{
	put(object, key, json_object_new_string(text));
}

static json *number(double value)
{
	char text[40];
	snprintf(text, sizeof text, "%.9g", value);
	return json_object_new_double_s(value, text);
}

// ---- rows -------------------------------------------------------------------------------------

static void put_range(json *object, const oz_param *row)
{
	put_text(object, "type", "number");
	put(object, "minimum", number(row->min));
	put(object, "maximum", number(row->max));
}

static json *number_list(const oz_param *row, int least, int most)
{
	json *list = json_object_new_object(), *items = json_object_new_object();
	if (row->type == OZ_PARAM_QUAT)
		put_text(items, "type", "number");
	else
		put_range(items, row);
	put_text(list, "type", "array");
	put(list, "items", items);
	put(list, "minItems", json_object_new_int(least));
	put(list, "maxItems", json_object_new_int(most));
	return list;
}

static json *default_list(const oz_param *row)
{
	json *list = json_object_new_array();
	for (int i = 0; i < 3; i++)
		json_object_array_add(list, number(row->type == OZ_PARAM_QUAT ? 0 : row->value[i]));
	return list;
}

// a size has as many numbers as its shape reads; a scale may be one number
static json *number_or_list(const oz_param *row, int least)
{
	json *object = json_object_new_object(), *either = json_object_new_array();
	json *one = json_object_new_object();
	put_range(one, row);
	json_object_array_add(either, one);
	json_object_array_add(either, number_list(row, least, 3));
	put(object, "anyOf", either);
	return object;
}

static json *vector_schema(const oz_param *row)
{
	if (strcmp(row->name, "size") == 0)
		return number_or_list(row, 2);
	json *object =
	        strcmp(row->name, "scale") == 0 ? number_or_list(row, 3) : number_list(row, 3, 3);
	if (!oz_row_is_chosen(row))
		put(object, "default", default_list(row));
	return object;
}

// what has no inside stops nothing, and what has no end cannot be filled
static bool is_offered(const scene_section *section, const oz_param *row, uint32_t choice)
{
	if (strcmp(row->name, "shape") != 0)
		return true;
	if (section == &oz_section_collider || section == &oz_section_handle ||
	    section == &oz_section_region)
		return choice != OZ_SHAPE_SHEET && choice != OZ_SHAPE_ROD &&
		       choice != OZ_SHAPE_CHART;
	return choice != OZ_SHAPE_PLANE && choice != OZ_SHAPE_CHART;
}

static json *choice_schema(const scene_section *section, const oz_param *row)
{
	json *object = json_object_new_object(), *words = json_object_new_array();
	char word[OZ_NAME_SIZE];
	for (uint32_t i = 0; oz_param_choice_word(row, i, word, sizeof word); i++)
		if (is_offered(section, row, i))
			json_object_array_add(words, json_object_new_string(word));
	put(object, "enum", words);
	// a shape is always named
	if (strcmp(row->name, "shape") != 0 &&
	    oz_param_choice_word(row, (uint32_t)row->value[0], word, sizeof word))
		put_text(object, "default", word);
	return object;
}

// true, or a file
static json *skin_schema(const oz_param *row)
{
	json *object = json_object_new_object(), *either = json_object_new_array();
	json *own = json_object_new_object(), *file = json_object_new_object();
	put_text(own, "type", "boolean");
	put_text(file, "type", "string");
	put(file, "minLength", json_object_new_int(1));
	put(file, "maxLength", json_object_new_int((int)row->max));
	json_object_array_add(either, own);
	json_object_array_add(either, file);
	put(object, "anyOf", either);
	return object;
}

static json *string_schema(const oz_param *row)
{
	if (strcmp(row->name, "skin") == 0)
		return skin_schema(row);
	json *object = json_object_new_object();
	if (strcmp(row->name, "preset") == 0) {
		json *names = json_object_new_array();
		uint32_t count;
		const oz_preset *presets = oz_presets(&count);
		for (uint32_t i = 0; i < count; i++)
			json_object_array_add(names, json_object_new_string(presets[i].name));
		put(object, "enum", names);
		return object;
	}
	put_text(object, "type", "string");
	put(object, "maxLength", json_object_new_int((int)row->max));
	return object;
}

static json *scalar_schema(const oz_param *row)
{
	json *object = json_object_new_object();
	if (row->type == OZ_PARAM_BOOL) {
		put_text(object, "type", "boolean");
		put(object, "default", json_object_new_boolean(row->value[0] != 0));
		return object;
	}
	put_range(object, row);
	if (row->type == OZ_PARAM_UINT)
		put_text(object, "type", "integer");
	put(object, "default", number(row->value[0]));
	return object;
}

static json *row_schema(const scene_section *section, const oz_param *row)
{
	char text[400];
	json *object = row->type == OZ_PARAM_STRING   ? string_schema(row)
	               : row->type == OZ_PARAM_CHOICE ? choice_schema(section, row)
	               : row->type == OZ_PARAM_VEC3   ? vector_schema(row)
	               : row->type == OZ_PARAM_QUAT   ? number_list(row, 3, 3)
	                                              : scalar_schema(row);
	if (row->type == OZ_PARAM_QUAT)
		put(object, "default", default_list(row));
	snprintf(text, sizeof text, "%s%s%s%s", row->sentence, row->unit[0] ? " [" : "", row->unit,
	         row->unit[0] ? "]" : "");
	put_text(object, "description", text);
	return object;
}

// ---- sections ---------------------------------------------------------------------------------

static json *reference(const scene_section *section)
{
	char text[OZ_NAME_SIZE + 8];
	json *object = json_object_new_object();
	snprintf(text, sizeof text, "#/$defs/%s", section->name);
	put_text(object, "$ref", text);
	return object;
}

static json *child_schema(const section_child *child)
{
	json *object = json_object_new_object();
	if (child->kind == CHILD_LIST) {
		put_text(object, "type", "array");
		put(object, "items", reference(child->section));
	} else if (child->kind == CHILD_MAP) {
		put_text(object, "type", "object");
		put(object, "additionalProperties", reference(child->section));
	} else {
		json_object_put(object);
		object = reference(child->section);
	}
	put_text(object, "description", child->sentence);
	return object;
}

static json *required(const char *key)
{
	json *object = json_object_new_object(), *keys = json_object_new_array();
	json_object_array_add(keys, json_object_new_string(key));
	put(object, "required", keys);
	return object;
}

// a key, another one with it (or NULL), and none of those in `without`, a list that NULL ends
static json *required_without(const char *a, const char *b, const char *const *without)
{
	json *object = required(a), *not = json_object_new_object();
	json *either = json_object_new_array(), *keys = NULL;
	json_object_object_get_ex(object, "required", &keys);
	if (b)
		json_object_array_add(keys, json_object_new_string(b));
	for (; *without; without++)
		json_object_array_add(either, required(*without));
	put(not, "anyOf", either);
	put(object, "not", not );
	return object;
}

// a body's scale is that of its mesh or skin
static json *scale_schema(void)
{
	json *object = json_object_new_object(), *of = json_object_new_object();
	json *either = json_object_new_array();
	json_object_array_add(either, required("mesh"));
	json_object_array_add(either, required("skin"));
	put(of, "anyOf", either);
	put(object, "scale", of);
	return object;
}

// a shape or a mesh; planes have no size
static void put_solid(json *object, const scene_section *section)
{
	static const char *const of_mesh[] = {"mesh", NULL};
	static const char *const of_chart[] = {"mesh", "scale", "cell", NULL};
	static const char *const of_shape[] = {"shape", "size", NULL};
	const bool body = section == &oz_section_body;
	json *either = json_object_new_array();
	json_object_array_add(either, required_without("shape", body ? "size" : NULL,
	                                               body ? of_mesh : of_chart));
	json_object_array_add(either, required_without("mesh", NULL, of_shape));
	put(object, "oneOf", either);
	if (body)
		put(object, "dependentSchemas", scale_schema());
}

static void fill_section(json *object, const scene_section *section)
{
	json *properties = json_object_new_object();
	put_text(object, "type", "object");
	put_text(object, "description", section->sentence);
	put(object, "additionalProperties", json_object_new_boolean(false));
	if (section->needed) {
		json *keys = json_object_new_array();
		json_object_array_add(keys, json_object_new_string(section->needed));
		put(object, "required", keys);
	}
	if (section == &oz_section_body || section == &oz_section_collider)
		put_solid(object, section);
	for (uint32_t p = 0; p < section->part_count; p++) {
		uint32_t count;
		const oz_param *rows = oz_part_rows(&section->parts[p], &count);
		for (uint32_t i = 0; i < count; i++)
			put(properties, rows[i].name, row_schema(section, &rows[i]));
	}
	for (uint32_t i = 0; i < section->child_count; i++)
		put(properties, section->children[i].name, child_schema(&section->children[i]));
	put(object, "properties", properties);
}

static json *definitions(void)
{
	static const scene_section *const sections[] =
	        {&oz_section_world,    &oz_section_material,       &oz_section_body,
	         &oz_section_collider, &oz_section_keyframe,       &oz_section_emitter,
	         &oz_section_handle,   &oz_section_surface,        &oz_section_picture,
	         &oz_section_output,   &oz_section_alpha_keyframe, &oz_section_alphas,
	         &oz_section_region};
	json *all = json_object_new_object();
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
		json *object = json_object_new_object();
		fill_section(object, sections[i]);
		put(all, sections[i]->name, object);
	}
	return all;
}

char *oz_scene_schema(void)
{
	json *root = json_object_new_object();
	put_text(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
	put_text(root, "title", "Ooze scene");
	fill_section(root, &oz_section_scene);
	// editors look for the schema here, and a scene may name it
	json *properties = NULL, *self = json_object_new_object();
	put_text(self, "type", "string");
	put_text(self, "description", "Where this schema is, for editors; not read.");
	json_object_object_get_ex(root, "properties", &properties);
	put(properties, "$schema", self);
	put(root, "$defs", definitions());
	const char *text =
	        json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
	                                                     JSON_C_TO_STRING_PRETTY_TAB |
	                                                     JSON_C_TO_STRING_NOSLASHESCAPE);
	size_t length = text ? strlen(text) : 0;
	char *copy = text ? malloc(length + 2) : NULL;
	if (copy) {
		memcpy(copy, text, length);
		memcpy(copy + length, "\n", 2);
	}
	json_object_put(root);
	return copy;
}
