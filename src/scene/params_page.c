// params_page.c: the docs page of all parameters, made from the sections and the presets.
#include <stdlib.h>
#include <string.h>

#include "models/traits.h"
#include "params/params.h"
#include "scene_data.h"

static const char intro[] =
        "# Scene files\n"
        "\n"
        "This page is printed by `ooze params --markdown`; the parameter tables are its "
        "source.\n"
        "\n"
        "A scene is JSON, in which `//` and `/* … */` begin comments. Units are SI, y "
        "points up.\n"
        "Every key but the needed ones may be left out. Keys that are not listed here are "
        "errors.\n"
        "A key with a word in the column `model` is for materials of that model alone.\n"
        "\n"
        "```\n"
        "{\n"
        "\t\"world\": { \"spacing\": 0.02 },          // resolution: the one knob\n"
        "\t\"materials\": {\n"
        "\t\t\"juice\": { \"preset\": \"water\", \"viscosity\": 0.002 }\n"
        "\t},\n"
        "\t\"bodies\": [\n"
        "\t\t{ \"material\": \"juice\", \"shape\": \"box\", \"size\": [0.5, 0.5, 0.5] },\n"
        "\t\t{ \"material\": \"honey\", \"shape\": \"ball\", \"size\": 0.1, \"position\": "
        "[0, 0.5, "
        "0] }\n"
        "\t],\n"
        "\t\"colliders\": [\n"
        "\t\t{ \"shape\": \"box\", \"inside\": true, \"size\": [1, 2, 1] }\n"
        "\t],\n"
        "\t\"output\": { \"duration\": 3 }\n"
        "}\n"
        "```\n"
        "\n"
        "A preset's name (see the last table) serves as a material without an entry in\n"
        "`materials`. An editor that reads `docs/scene.schema.json` completes and checks "
        "keys.\n";

static void print_value(FILE *out, const oz_param *row)
{
	char word[OZ_NAME_SIZE] = "";
	switch (row->type) {
	case OZ_PARAM_VEC3:
		fprintf(out, "[%g, %g, %g]", row->value[0], row->value[1], row->value[2]);
		break;
	case OZ_PARAM_QUAT: fprintf(out, "[0, 0, 0]"); break;
	case OZ_PARAM_BOOL: fprintf(out, row->value[0] != 0 ? "true" : "false"); break;
	case OZ_PARAM_CHOICE:
		oz_param_choice_word(row, (uint32_t)row->value[0], word, sizeof word);
		fprintf(out, "%s", word);
		break;
	case OZ_PARAM_STRING: break;
	case OZ_PARAM_TABLE: fprintf(out, "[]"); break;
	case OZ_PARAM_FLOAT:
	case OZ_PARAM_UINT: fprintf(out, "%g", row->value[0]); break;
	}
}

static void print_range(FILE *out, const oz_param *row)
{
	char words[160];
	switch (row->type) {
	case OZ_PARAM_CHOICE:
		oz_scene_choices_text(row, words, sizeof words);
		fprintf(out, "%s", words);
		break;
	case OZ_PARAM_STRING: fprintf(out, "text, %g bytes", row->max); break;
	case OZ_PARAM_TABLE: fprintf(out, "up to %d points", OZ_CURVE_MOST); break;
	case OZ_PARAM_BOOL: fprintf(out, "true, false"); break;
	case OZ_PARAM_QUAT: fprintf(out, "three angles"); break;
	case OZ_PARAM_VEC3:
	case OZ_PARAM_FLOAT:
	case OZ_PARAM_UINT: fprintf(out, "%g … %g", row->min, row->max); break;
	}
}

// the cell of the models that a key is for, where the table has that column
static void print_models(FILE *out, bool column, uint32_t models)
{
	char words[100];
	oz_models_words(models, words, sizeof words);
	if (column)
		fprintf(out, " %s |", words);
}

static void print_row(FILE *out, const oz_param *row, bool column, uint32_t models)
{
	// what must be given, or is chosen by the rest, has no default
	bool needed = strcmp(row->name, "shape") == 0 || strcmp(row->name, "size") == 0 ||
	              oz_row_is_chosen(row);
	fprintf(out, "| `%s` |", row->name);
	print_models(out, column, models);
	fprintf(out, " %s | ", row->unit);
	if (!needed)
		print_value(out, row);
	fprintf(out, " | ");
	print_range(out, row);
	fprintf(out, " | %s |\n", row->sentence);
}

static void print_child(FILE *out, const section_child *child, bool column)
{
	static const char *const kinds[] = {"one object", "a list", "objects by name"};
	fprintf(out, "| `%s` |", child->name);
	print_models(out, column, oz_section_models(child->section));
	fprintf(out, " | | %s | %s |\n", kinds[child->kind], child->sentence);
}

static bool has_keys_of_models(const scene_section *section)
{
	uint32_t models = 0, count;
	for (uint32_t p = 0; p < section->part_count; p++) {
		const oz_param *rows = oz_part_rows(&section->parts[p], &count);
		for (uint32_t i = 0; i < count; i++)
			models |= oz_row_models(&section->parts[p], &rows[i]);
	}
	for (uint32_t i = 0; i < section->child_count; i++)
		models |= oz_section_models(section->children[i].section);
	return models != 0;
}

static void print_section(FILE *out, const scene_section *section, const char *heading)
{
	const bool column = has_keys_of_models(section);
	char words[100];
	oz_models_words(oz_section_models(section), words, sizeof words);
	fprintf(out, "\n## %s\n\n%s%s%s%s\n\n", heading, section->sentence,
	        words[0] ? " For materials of model " : "", words, words[0] ? "." : "");
	fprintf(out, "| key |%s unit | default | range | meaning |\n|---|%s---|---|---|---|\n",
	        column ? " model |" : "", column ? "---|" : "");
	for (uint32_t p = 0; p < section->part_count; p++) {
		const section_part *part = &section->parts[p];
		uint32_t count;
		const oz_param *rows = oz_part_rows(part, &count);
		for (uint32_t i = 0; i < count; i++)
			print_row(out, &rows[i], column, oz_row_models(part, &rows[i]));
	}
	for (uint32_t i = 0; i < section->child_count; i++)
		print_child(out, &section->children[i], column);
}

// a cell of a number; empty for 0
static void print_positive(FILE *out, float value)
{
	if (value > 0)
		fprintf(out, " %g |", (double)value);
	else
		fprintf(out, " |");
}

static void print_presets(FILE *out)
{
	uint32_t count;
	const oz_preset *presets = oz_presets(&count);
	fprintf(out, "\n## presets\n\n| name | model | density, kg/m³ | viscosity, Young's "
	             "modulus or friction | yield stress, Pa | cohesion, Pa | surface tension, N/m "
	             "| contact "
	             "angle, ° | what it is |\n|---|---|---|---|---|---|---|---|---|\n");
	for (uint32_t i = 0; i < count; i++) {
		const oz_material_def *def = &presets[i].material;
		const oz_param *row;
		const float resistance = oz_material_resistance(def, &row);
		fprintf(out, "| `%s` | %s | %g | %g %s |", presets[i].name,
		        oz_model_traits_of(def->model)->word, (double)def->density,
		        (double)resistance, row->unit);
		print_positive(out, def->yield_stress);
		print_positive(out, def->cohesion);
		print_positive(out, def->surface_tension);
		print_positive(out, def->surface_tension > 0 ? 0 : def->contact_angle);
		fprintf(out, " %s |\n", presets[i].sentence);
	}
}

char *oz_scene_params_markdown(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fputs(intro, out);
	print_section(out, &oz_section_scene, "scene");
	print_section(out, &oz_section_world, "world");
	print_section(out, &oz_section_material, "materials");
	print_section(out, &oz_section_alpha_keyframe, "alpha_keyframes");
	print_section(out, &oz_section_body, "bodies");
	print_section(out, &oz_section_alphas, "alphas");
	print_section(out, &oz_section_collider, "colliders");
	print_section(out, &oz_section_keyframe, "keyframes");
	print_section(out, &oz_section_emitter, "emitters");
	print_section(out, &oz_section_handle, "handles");
	print_section(out, &oz_section_region, "regions");
	print_section(out, &oz_section_adhesion, "adhesion");
	print_section(out, &oz_section_interface, "interfaces");
	print_section(out, &oz_section_surface, "surface");
	print_section(out, &oz_section_picture, "picture");
	print_section(out, &oz_section_output, "output");
	print_presets(out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
