// params.c: `ooze params`, `ooze presets` and `ooze schema`: print the tables behind scene files.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/models/traits.h"
#include "../src/scene/scene.h"
#include "cli.h"

static int fail_memory(void)
{
	return oz_cli_fail("there is no memory left to make the text; close other programs");
}

// ---- params -----------------------------------------------------------------------------------

static void print_numbers(char *out, size_t size, const double *values, int count)
{
	size_t used = 0;
	for (int i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%g", i ? ", " : "", values[i]);
}

// Writes the n-th word of a list separated by spaces.
static void print_choice(char *out, size_t size, const char *choices, double index)
{
	const char *word = choices;
	for (int i = (int)index; i > 0 && *word; i--)
		word += strcspn(word, " ") + (word[strcspn(word, " ")] == ' ');
	snprintf(out, size, "%.*s", (int)strcspn(word, " "), word);
}

static void print_default(char *out, size_t size, const oz_param *param)
{
	out[0] = 0;
	switch (param->type) {
	case OZ_PARAM_FLOAT:
	case OZ_PARAM_UINT: print_numbers(out, size, param->value, 1); break;
	case OZ_PARAM_VEC3:
		// a default outside its range means that the program chooses
		if (param->value[0] >= param->min)
			print_numbers(out, size, param->value, 3);
		break;
	case OZ_PARAM_QUAT: print_numbers(out, size, param->value, 3); break;
	case OZ_PARAM_BOOL:
		snprintf(out, size, "%s", fabs(param->value[0]) > 0 ? "true" : "false");
		break;
	case OZ_PARAM_CHOICE: print_choice(out, size, param->choices, param->value[0]); break;
	case OZ_PARAM_STRING:
	case OZ_PARAM_TABLE: break;
	}
}

// Writes the range or the choices of a parameter.
static void print_range(char *out, size_t size, const oz_param *param)
{
	bool numbers = param->type == OZ_PARAM_FLOAT || param->type == OZ_PARAM_UINT ||
	               param->type == OZ_PARAM_VEC3;
	if (param->type == OZ_PARAM_CHOICE)
		snprintf(out, size, "%s", param->choices);
	else if (numbers && param->max > param->min)
		snprintf(out, size, "%g … %g", param->min, param->max);
	else
		out[0] = 0;
}

static void print_param(const oz_param *param)
{
	char value[80], range[160], models[100], facts[420];
	print_default(value, sizeof value, param);
	print_range(range, sizeof range, param);
	oz_models_words(param->models, models, sizeof models);
	snprintf(facts, sizeof facts, "%s%s%s%s%s%s%s%s%s", value,
	         value[0] && param->unit[0] ? " " : "", param->unit, range[0] ? "  [" : "", range,
	         range[0] ? "]" : "", models[0] ? "  (model: " : "", models, models[0] ? ")" : "");
	printf("  %-18s %s\n%21s", param->name, facts, "");
	oz_cli_wrap(param->sentence, 21, 21);
}

static void print_group(const char *name, const oz_param *rows, uint32_t count)
{
	printf("%s\n", name);
	for (uint32_t i = 0; i < count; i++)
		print_param(&rows[i]);
	printf("\n");
}

// groups of parameters that only scene files have
static const struct {
	const char *name;
	const oz_param *(*rows)(uint32_t *count);
} scene_groups[] = {
        {"finish", oz_scene_finish_params},
        {"picture", oz_scene_picture_params},
        {"output", oz_scene_output_params},
};
#define GROUPS (OZ_PARAMS_COUNT + (int)(sizeof scene_groups / sizeof scene_groups[0]))

static const oz_param *group_rows(int group, uint32_t *count)
{
	return group >= OZ_PARAMS_COUNT ? scene_groups[group - OZ_PARAMS_COUNT].rows(count)
	                                : oz_params((oz_param_group)group, count);
}

static const char *group_name(int group)
{
	return group >= OZ_PARAMS_COUNT ? scene_groups[group - OZ_PARAMS_COUNT].name
	                                : oz_params_name((oz_param_group)group);
}

static int print_groups(const char *wanted)
{
	const char *names[GROUPS];
	bool found = false;
	for (int group = 0; group < GROUPS; group++) {
		names[group] = group_name(group);
		if (wanted && strcmp(wanted, names[group]) != 0)
			continue;
		found = true;
		uint32_t count;
		const oz_param *rows = group_rows(group, &count);
		print_group(names[group], rows, count);
	}
	if (found)
		return OZ_CLI_DONE;
	const char *nearest = oz_cli_nearest(wanted, names, GROUPS);
	return oz_cli_wrong("there is no group of parameters '%s'; %s%s%s", wanted,
	                    nearest ? "did you mean '" : "'ooze params' shows them all",
	                    nearest ? nearest : "", nearest ? "'?" : "");
}

int oz_cli_params(int argc, char **argv)
{
	bool markdown = false;
	const oz_cli_option options[] = {
	        {"markdown", 0, NULL, "print the page of the documentation", OZ_CLI_FLAG, &markdown,
	         0, 0},
	};
	oz_cli_spec spec = {
	        .usage = "params [GROUP] [options]",
	        .help = "Lists every parameter of scene files: default, unit, [range] and "
	                "meaning;\n(model: …): only materials of these models use it.\n"
	                "Groups: world, material, finish, shape, body, collider, emitter, "
	                "handle, keyframe,\nregion, surface, picture, output.",
	        .options = options,
	        .option_count = 1,
	        .most = 1,
	};
	int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	if (!markdown)
		return print_groups(spec.arguments[0]);
	char *text = oz_scene_params_markdown();
	if (!text)
		return fail_memory();
	fputs(text, stdout);
	free(text);
	return OZ_CLI_DONE;
}

// ---- presets ----------------------------------------------------------------------------------

// a cell of a number; empty for 0
static void print_positive(int width, float value)
{
	if (value > 0)
		printf("%*.4g", width, (double)value);
	else
		printf("%*s", width, "");
}

static void print_preset(const oz_preset *preset)
{
	const oz_material_def *def = &preset->material;
	const oz_param *row;
	printf("%-16s%7g%11.4g", preset->name, (double)def->density,
	       (double)oz_material_resistance(def, &row));
	print_positive(7, def->yield_stress);
	print_positive(10, def->cohesion);
	print_positive(9, def->surface_tension);
	printf("  ");
	oz_cli_wrap(preset->sentence, 62, 62);
}

int oz_cli_presets(int argc, char **argv)
{
	oz_cli_spec spec = {
	        .usage = "presets",
	        .help = "Lists the ready-made materials, with values in SI units and where they "
	                "come from:\ndensity, viscosity of liquids (Pa·s), Young's modulus of "
	                "elastic solids (Pa) or friction\nof rigid bodies, yield stress, "
	                "cohesion and surface tension. A\nliquid that thins "
	                "under shear is listed with its viscosity at a rate of 1/s, its yield\n"
	                "stress left out, or, by Carreau's law, at rest.",
	};
	int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	uint32_t count;
	const oz_preset *presets = oz_presets(&count);
	printf("                density  viscosity  yield  cohesion  surface\n"
	       "name              kg/m³ Pa·s or Pa     Pa        Pa      N/m\n");
	for (uint32_t i = 0; i < count; i++)
		print_preset(&presets[i]);
	return OZ_CLI_DONE;
}

// ---- schema -----------------------------------------------------------------------------------

int oz_cli_schema(int argc, char **argv)
{
	oz_cli_spec spec = {
	        .usage = "schema",
	        .help = "Prints the JSON Schema of scene files, for editors that complete and "
	                "check.",
	};
	int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	char *text = oz_scene_schema();
	if (!text)
		return fail_memory();
	fputs(text, stdout);
	free(text);
	return OZ_CLI_DONE;
}
