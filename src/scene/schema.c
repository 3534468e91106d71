// schema.c: the JSON Schema of scene files (draft 2020-12), made from the sections.
//
// Editors use it to complete and check scenes while they are typed. Each section becomes an entry
// of $defs; unknown keys are refused there as they are when a scene is read.
#include <stdlib.h>
#include <string.h>

#include "models/traits.h"
#include "params/params.h"
#include "scene_data.h"

typedef oz_json_writer writer;

// ---- rows -------------------------------------------------------------------------------------

static void put_range(writer *w, const oz_param *row)
{
	oz_json_put_text(w, "type", row->type == OZ_PARAM_UINT ? "integer" : "number");
	oz_json_put_number(w, "minimum", row->min);
	oz_json_put_number(w, "maximum", row->max);
}

static void put_number_list(writer *w, const oz_param *row, uint32_t least, uint32_t most)
{
	oz_json_put_text(w, "type", "array");
	oz_json_begin_object(w, "items");
	if (row->type == OZ_PARAM_QUAT)
		oz_json_put_text(w, "type", "number");
	else
		put_range(w, row);
	oz_json_end(w);
	oz_json_put_count(w, "minItems", least);
	oz_json_put_count(w, "maxItems", most);
}

static void put_default_list(writer *w, const oz_param *row)
{
	oz_json_begin_row(w, "default");
	for (int i = 0; i < 3; i++)
		oz_json_put_number(w, NULL, row->type == OZ_PARAM_QUAT ? 0 : row->value[i]);
	oz_json_end(w);
}

// a size has as many numbers as its shape reads; a scale may be one number
static void put_number_or_list(writer *w, const oz_param *row, uint32_t least)
{
	oz_json_begin_list(w, "anyOf");
	oz_json_begin_object(w, NULL);
	put_range(w, row);
	oz_json_end(w);
	oz_json_begin_object(w, NULL);
	put_number_list(w, row, least, 3);
	oz_json_end(w);
	oz_json_end(w);
}

static void put_vector(writer *w, const oz_param *row)
{
	if (strcmp(row->name, "size") == 0) {
		put_number_or_list(w, row, 2);
		return;
	}
	if (strcmp(row->name, "scale") == 0)
		put_number_or_list(w, row, 3);
	else
		put_number_list(w, row, 3, 3);
	if (row->type == OZ_PARAM_QUAT || !oz_row_is_chosen(row))
		put_default_list(w, row);
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

static void put_choice(writer *w, const scene_section *section, const oz_param *row)
{
	char word[OZ_NAME_SIZE];
	oz_json_begin_list(w, "enum");
	for (uint32_t i = 0; oz_param_choice_word(row, i, word, sizeof word); i++)
		if (is_offered(section, row, i))
			oz_json_put_text(w, NULL, word);
	oz_json_end(w);
	// a shape is always named
	if (strcmp(row->name, "shape") != 0 &&
	    oz_param_choice_word(row, (uint32_t)row->value[0], word, sizeof word))
		oz_json_put_text(w, "default", word);
}

// true, or a file
static void put_skin(writer *w, const oz_param *row)
{
	oz_json_begin_list(w, "anyOf");
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "type", "boolean");
	oz_json_end(w);
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "type", "string");
	oz_json_put_count(w, "minLength", 1);
	oz_json_put_number(w, "maxLength", row->max);
	oz_json_end(w);
	oz_json_end(w);
}

// the names of the presets of some models
static void put_preset_names(writer *w, uint32_t models)
{
	uint32_t count;
	const oz_preset *presets = oz_presets(&count);
	oz_json_begin_list(w, "enum");
	for (uint32_t i = 0; i < count; i++)
		if (oz_models_include(models, presets[i].material.model))
			oz_json_put_text(w, NULL, presets[i].name);
	oz_json_end(w);
}

static void put_string(writer *w, const oz_param *row)
{
	if (strcmp(row->name, "skin") == 0) {
		put_skin(w, row);
	} else if (strcmp(row->name, "preset") == 0) {
		put_preset_names(w, 0);
	} else {
		oz_json_put_text(w, "type", "string");
		oz_json_put_number(w, "maxLength", row->max);
	}
}

// pairs of numbers; the second is above 0
static void put_table(writer *w, const oz_param *row)
{
	oz_json_put_text(w, "type", "array");
	oz_json_begin_object(w, "items");
	put_number_list(w, row, 2, 2);
	oz_json_end(w);
	oz_json_put_count(w, "maxItems", OZ_CURVE_MOST);
	oz_json_begin_row(w, "default");
	oz_json_end(w);
}

// "Stiffness. [Pa] For materials of model corotated."
static void put_description(writer *w, const char *sentence, const char *unit, uint32_t models)
{
	char text[500], words[100];
	oz_models_words(models, words, sizeof words);
	snprintf(text, sizeof text, "%s%s%s%s%s%s%s", sentence, unit[0] ? " [" : "", unit,
	         unit[0] ? "]" : "", models ? " For materials of model " : "", words,
	         models ? "." : "");
	oz_json_put_text(w, "description", text);
}

static void put_row(writer *w, const scene_section *section, const section_part *part,
                    const oz_param *row)
{
	oz_json_begin_object(w, row->name);
	switch (row->type) {
	case OZ_PARAM_STRING: put_string(w, row); break;
	case OZ_PARAM_TABLE: put_table(w, row); break;
	case OZ_PARAM_CHOICE: put_choice(w, section, row); break;
	case OZ_PARAM_VEC3:
	case OZ_PARAM_QUAT: put_vector(w, row); break;
	case OZ_PARAM_BOOL:
		oz_json_put_text(w, "type", "boolean");
		oz_json_put_bool(w, "default", row->value[0] != 0);
		break;
	case OZ_PARAM_FLOAT:
	case OZ_PARAM_UINT:
		put_range(w, row);
		oz_json_put_number(w, "default", row->value[0]);
		break;
	}
	put_description(w, row->sentence, row->unit, oz_row_models(part, row));
	oz_json_end(w);
}

// ---- sections ---------------------------------------------------------------------------------

static void put_reference(writer *w, const char *name)
{
	char text[140];
	snprintf(text, sizeof text, "#/$defs/%s", name);
	oz_json_put_text(w, "$ref", text);
}

static void put_child(writer *w, const section_child *child)
{
	oz_json_begin_object(w, child->name);
	if (child->kind == CHILD_OBJECT) {
		put_reference(w, child->section->name);
	} else {
		const bool list = child->kind == CHILD_LIST;
		oz_json_put_text(w, "type", list ? "array" : "object");
		oz_json_begin_object(w, list ? "items" : "additionalProperties");
		put_reference(w, child->section->name);
		oz_json_end(w);
	}
	put_description(w, child->sentence, "", oz_section_models(child->section));
	oz_json_end(w);
}

static void put_required(writer *w, const char *key)
{
	oz_json_begin_list(w, "required");
	oz_json_put_text(w, NULL, key);
	oz_json_end(w);
}

static void put_any_required(writer *w, const char *const *keys)
{
	oz_json_begin_list(w, "anyOf");
	for (; *keys; keys++) {
		oz_json_begin_object(w, NULL);
		put_required(w, *keys);
		oz_json_end(w);
	}
	oz_json_end(w);
}

// a key, another one with it (or NULL), and none of those in `without`, a list that NULL ends
static void put_required_without(writer *w, const char *a, const char *b,
                                 const char *const *without)
{
	oz_json_begin_object(w, NULL);
	oz_json_begin_list(w, "required");
	oz_json_put_text(w, NULL, a);
	if (b)
		oz_json_put_text(w, NULL, b);
	oz_json_end(w);
	oz_json_begin_object(w, "not");
	put_any_required(w, without);
	oz_json_end(w);
	oz_json_end(w);
}

// a shape or a mesh; planes have no size; a body's scale is that of its mesh or skin
static void put_shape_or_mesh(writer *w, const scene_section *section)
{
	static const char *const of_mesh[] = {"mesh", NULL};
	static const char *const of_sdf[] = {"mesh", "scale", "cell", NULL};
	static const char *const of_shape[] = {"shape", "size", NULL};
	static const char *const of_scale[] = {"mesh", "skin", NULL};
	const bool body = section == &oz_section_body;
	oz_json_begin_list(w, "oneOf");
	put_required_without(w, "shape", body ? "size" : NULL, body ? of_mesh : of_sdf);
	put_required_without(w, "mesh", NULL, of_shape);
	oz_json_end(w);
	if (!body)
		return;
	oz_json_begin_object(w, "dependentSchemas");
	oz_json_begin_object(w, "scale");
	put_any_required(w, of_scale);
	oz_json_end(w);
	oz_json_end(w);
}

// the keys of a section; those of a scene begin with where the schema is
static void put_properties(writer *w, const scene_section *section)
{
	oz_json_begin_object(w, "properties");
	if (section == &oz_section_scene) {
		oz_json_begin_object(w, "$schema");
		oz_json_put_text(w, "type", "string");
		oz_json_put_text(w, "description", "Where this schema is, for editors; not read.");
		oz_json_end(w);
	}
	for (uint32_t p = 0; p < section->part_count; p++) {
		uint32_t count;
		const oz_param *rows = oz_part_rows(&section->parts[p], &count);
		for (uint32_t i = 0; i < count; i++)
			put_row(w, section, &section->parts[p], &rows[i]);
	}
	for (uint32_t i = 0; i < section->child_count; i++)
		put_child(w, &section->children[i]);
	oz_json_end(w);
}

static void put_section(writer *w, const scene_section *section)
{
	oz_json_put_text(w, "type", "object");
	put_description(w, section->sentence, "", oz_section_models(section));
	oz_json_put_bool(w, "additionalProperties", false);
	if (section->needed)
		put_required(w, section->needed);
	if (section == &oz_section_body || section == &oz_section_collider)
		put_shape_or_mesh(w, section);
	put_properties(w, section);
}

// ---- models -----------------------------------------------------------------------------------

// a key of a material that is for some models alone
typedef struct model_key {
	const char *key;
	uint32_t models;
} model_key;

#define KEYS_MOST 128 // of a material

static uint32_t list_model_keys(model_key keys[KEYS_MOST])
{
	const scene_section *section = &oz_section_material;
	uint32_t used = 0;
	for (uint32_t p = 0; p < section->part_count; p++) {
		const section_part *part = &section->parts[p];
		uint32_t count;
		const oz_param *rows = oz_part_rows(part, &count);
		for (uint32_t i = 0; i < count && used < KEYS_MOST; i++)
			if (oz_row_models(part, &rows[i]))
				keys[used++] =
				        (model_key){rows[i].name, oz_row_models(part, &rows[i])};
	}
	for (uint32_t i = 0; i < section->child_count && used < KEYS_MOST; i++) {
		const section_child *child = &section->children[i];
		if (oz_section_models(child->section))
			keys[used++] = (model_key){child->name, oz_section_models(child->section)};
	}
	return used;
}

// the name of the definition of materials of some models: "material_of_fluid_or_blend"
static void name_models(uint32_t models, char name[120])
{
	char words[100];
	oz_models_words(models, words, sizeof words);
	for (char *c = words; *c; c++)
		*c = *c == ' ' ? '_' : *c;
	snprintf(name, 120, "material_of_%s", words);
}

static void put_model_words(writer *w, uint32_t models)
{
	oz_json_begin_object(w, "properties");
	oz_json_begin_object(w, "model");
	oz_json_begin_list(w, "enum");
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++)
		if (oz_models_include(models, (oz_model)m))
			oz_json_put_text(w, NULL, oz_model_traits_of((oz_model)m)->word);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_end(w);
}

// a preset of one of the models
static void put_required_preset(writer *w, uint32_t models)
{
	put_required(w, "preset");
	oz_json_begin_object(w, "properties");
	oz_json_begin_object(w, "preset");
	put_preset_names(w, models);
	oz_json_end(w);
	oz_json_end(w);
}

// a material of one of the models: by its key `model`, or else by its preset or the default
static void put_material_of(writer *w, uint32_t models)
{
	char name[120];
	const section_part *part;
	const oz_param *row = oz_section_find(&oz_section_material, "model", &part);
	name_models(models, name);
	oz_json_begin_object(w, name);
	put_model_words(w, models);
	oz_json_begin_list(w, "anyOf");
	oz_json_begin_object(w, NULL);
	put_required(w, "model");
	oz_json_end(w);
	oz_json_begin_object(w, NULL);
	put_required_preset(w, models);
	oz_json_end(w);
	if (oz_models_include(models, (oz_model)row->value[0])) {
		oz_json_begin_object(w, NULL);
		oz_json_begin_object(w, "not");
		put_required(w, "preset");
		oz_json_end(w);
		oz_json_end(w);
	}
	oz_json_end(w);
	oz_json_end(w);
}

// one definition for each set of models that a key is for
static void put_model_definitions(writer *w)
{
	model_key keys[KEYS_MOST];
	const uint32_t count = list_model_keys(keys);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first = 0;
		while (keys[first].models != keys[i].models)
			first++;
		if (first == i)
			put_material_of(w, keys[i].models);
	}
}

// a key of some models refers to the definition of their materials
static void put_model_keys(writer *w)
{
	model_key keys[KEYS_MOST];
	const uint32_t count = list_model_keys(keys);
	char name[120];
	oz_json_begin_object(w, "dependentSchemas");
	for (uint32_t i = 0; i < count; i++) {
		name_models(keys[i].models, name);
		oz_json_begin_object(w, keys[i].key);
		put_reference(w, name);
		oz_json_end(w);
	}
	oz_json_end(w);
}

// ---- the whole schema -------------------------------------------------------------------------

static void put_definitions(writer *w)
{
	static const scene_section *const sections[] =
	        {&oz_section_world,    &oz_section_material,       &oz_section_body,
	         &oz_section_collider, &oz_section_keyframe,       &oz_section_emitter,
	         &oz_section_handle,   &oz_section_surface,        &oz_section_picture,
	         &oz_section_output,   &oz_section_alpha_keyframe, &oz_section_alphas,
	         &oz_section_region,   &oz_section_adhesion,       &oz_section_interface};
	oz_json_begin_object(w, "$defs");
	put_model_definitions(w);
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
		oz_json_begin_object(w, sections[i]->name);
		put_section(w, sections[i]);
		if (sections[i] == &oz_section_material)
			put_model_keys(w);
		oz_json_end(w);
	}
	oz_json_end(w);
}

char *oz_scene_schema(void)
{
	oz_json_text text;
	writer w = oz_json_to_text(&text, OZ_JSON_PRETTY);
	oz_json_begin_object(&w, NULL);
	oz_json_put_text(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
	oz_json_put_text(&w, "title", "Ooze scene");
	put_section(&w, &oz_section_scene);
	put_definitions(&w);
	oz_json_end(&w);
	if (oz_json_finish(&w, NULL) == OZ_OK)
		return text.bytes;
	free(text.bytes);
	return NULL;
}
