// schema.c: the JSON Schema of scene files (draft 2020-12), made from the sections.
//
// Editors use it to complete and check scenes while they are typed. Each section becomes an entry
// of $defs; unknown keys are refused there as they are when a scene is read.
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "models/traits.h"
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
		return choice != OZ_SHAPE_SHEET && choice != OZ_SHAPE_ROD && choice != OZ_SHAPE_SDF;
	return choice != OZ_SHAPE_PLANE && choice != OZ_SHAPE_SDF;
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

// "Stiffness. [Pa] For materials of model corotated."
static void put_description(json *object, const char *sentence, const char *unit, uint32_t models)
{
	char text[500], words[100];
	oz_models_words(models, words, sizeof words);
	snprintf(text, sizeof text, "%s%s%s%s%s%s%s", sentence, unit[0] ? " [" : "", unit,
	         unit[0] ? "]" : "", models ? " For materials of model " : "", words,
	         models ? "." : "");
	put_text(object, "description", text);
}

static json *row_schema(const scene_section *section, const section_part *part, const oz_param *row)
{
	json *object = row->type == OZ_PARAM_STRING   ? string_schema(row)
	               : row->type == OZ_PARAM_CHOICE ? choice_schema(section, row)
	               : row->type == OZ_PARAM_VEC3   ? vector_schema(row)
	               : row->type == OZ_PARAM_QUAT   ? number_list(row, 3, 3)
	                                              : scalar_schema(row);
	if (row->type == OZ_PARAM_QUAT)
		put(object, "default", default_list(row));
	put_description(object, row->sentence, row->unit, oz_row_models(part, row));
	return object;
}

// ---- sections ---------------------------------------------------------------------------------

static json *reference(const char *name)
{
	char text[140];
	json *object = json_object_new_object();
	snprintf(text, sizeof text, "#/$defs/%s", name);
	put_text(object, "$ref", text);
	return object;
}

static json *child_schema(const section_child *child)
{
	json *object = json_object_new_object();
	if (child->kind == CHILD_LIST) {
		put_text(object, "type", "array");
		put(object, "items", reference(child->section->name));
	} else if (child->kind == CHILD_MAP) {
		put_text(object, "type", "object");
		put(object, "additionalProperties", reference(child->section->name));
	} else {
		json_object_put(object);
		object = reference(child->section->name);
	}
	put_description(object, child->sentence, "", oz_section_models(child->section));
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
	static const char *const of_sdf[] = {"mesh", "scale", "cell", NULL};
	static const char *const of_shape[] = {"shape", "size", NULL};
	const bool body = section == &oz_section_body;
	json *either = json_object_new_array();
	json_object_array_add(either, required_without("shape", body ? "size" : NULL,
	                                               body ? of_mesh : of_sdf));
	json_object_array_add(either, required_without("mesh", NULL, of_shape));
	put(object, "oneOf", either);
	if (body)
		put(object, "dependentSchemas", scale_schema());
}

// ---- models -----------------------------------------------------------------------------------

static json *one_of(json *words)
{
	json *object = json_object_new_object();
	put(object, "enum", words);
	return object;
}

static json *model_words(uint32_t models)
{
	json *words = json_object_new_array();
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++)
		if (oz_models_include(models, (oz_model)m))
			json_object_array_add(words,
			                      json_object_new_string(
			                              oz_model_traits_of((oz_model)m)->word));
	return words;
}

// a preset of one of the models
static json *required_preset(uint32_t models)
{
	json *object = required("preset"), *properties = json_object_new_object();
	json *names = json_object_new_array();
	uint32_t count;
	const oz_preset *presets = oz_presets(&count);
	for (uint32_t i = 0; i < count; i++)
		if (oz_models_include(models, presets[i].material.model))
			json_object_array_add(names, json_object_new_string(presets[i].name));
	put(properties, "preset", one_of(names));
	put(object, "properties", properties);
	return object;
}

// a material of one of the models: by its key `model`, or else by its preset or the default
static json *material_of(uint32_t models)
{
	json *object = json_object_new_object(), *properties = json_object_new_object();
	json *either = json_object_new_array();
	const section_part *part;
	const oz_param *row = oz_section_find(&oz_section_material, "model", &part);
	put(properties, "model", one_of(model_words(models)));
	put(object, "properties", properties);
	json_object_array_add(either, required("model"));
	json_object_array_add(either, required_preset(models));
	if (oz_models_include(models, (oz_model)row->value[0])) {
		json *none = json_object_new_object();
		put(none, "not", required("preset"));
		json_object_array_add(either, none);
	}
	put(object, "anyOf", either);
	return object;
}

// a key of some models refers to the definition of their materials
static void put_key_models(json *keys, json *all, const char *key, uint32_t models)
{
	char words[100], name[120];
	if (!models)
		return;
	oz_models_words(models, words, sizeof words);
	for (char *c = words; *c; c++)
		*c = *c == ' ' ? '_' : *c;
	snprintf(name, sizeof name, "material_of_%s", words);
	if (!json_object_object_get_ex(all, name, NULL))
		put(all, name, material_of(models));
	put(keys, key, reference(name));
}

static void put_models(json *material, json *all)
{
	const scene_section *section = &oz_section_material;
	json *keys = json_object_new_object();
	for (uint32_t p = 0; p < section->part_count; p++) {
		const section_part *part = &section->parts[p];
		uint32_t count;
		const oz_param *rows = oz_part_rows(part, &count);
		for (uint32_t i = 0; i < count; i++)
			put_key_models(keys, all, rows[i].name, oz_row_models(part, &rows[i]));
	}
	for (uint32_t i = 0; i < section->child_count; i++)
		put_key_models(keys, all, section->children[i].name,
		               oz_section_models(section->children[i].section));
	put(material, "dependentSchemas", keys);
}

// ---- the whole schema -------------------------------------------------------------------------

static void fill_section(json *object, const scene_section *section)
{
	json *properties = json_object_new_object();
	put_text(object, "type", "object");
	put_description(object, section->sentence, "", oz_section_models(section));
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
			put(properties, rows[i].name,
			    row_schema(section, &section->parts[p], &rows[i]));
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
		if (sections[i] == &oz_section_material)
			put_models(object, all);
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
