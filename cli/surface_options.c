// surface_options.c: the command line of `ooze surface`.
//
// Options for parameters come from the rows of the parameter table, as those of scene files do, so
// that names, ranges and sentences are the same in both.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../src/base/base.h"
#include "../src/params/params.h"
#include "surface.h"

#define OWN 5u // options that are not parameters

static const oz_param *rows_of(uint32_t *count)
{
	const oz_param *rows = oz_params(OZ_PARAMS_SURFACE, count);
	if (*count > OZ_CLI_SURFACE_OPTIONS)
		*count = OZ_CLI_SURFACE_OPTIONS;
	return rows;
}

// Makes the option of a parameter; its initial value means "not given".
static oz_cli_option option_of(oz_cli_surface_options *options, uint32_t k, const oz_param *row)
{
	char words[160] = "";
	oz_cli_option option = {.name = row->name, .help = options->help[k]};
	if (row->type == OZ_PARAM_CHOICE) {
		oz_param_choices_text(row, words, sizeof words);
		option.argument = "KIND";
		option.type = OZ_CLI_TEXT;
		option.value = &options->words[k];
	} else if (row->type == OZ_PARAM_UINT) {
		option.argument = "N";
		option.type = OZ_CLI_COUNT;
		option.value = &options->counts[k];
	} else {
		option.argument = "X";
		option.type = OZ_CLI_NUMBER;
		option.value = &options->numbers[k];
	}
	option.min = row->min;
	option.max = row->max;
	options->words[k] = NULL;
	options->counts[k] = OZ_NONE;
	options->numbers[k] = (double)NAN;
	snprintf(options->help[k], sizeof options->help[k], "%s%s%s%s%s%s", words,
	         words[0] ? ". " : "", row->sentence, row->unit[0] ? " [" : "", row->unit,
	         row->unit[0] ? "]" : "");
	return option;
}

static int read_formats(oz_cli_surface_options *options, const char *text)
{
	options->formats = 0;
	for (const char *at = text; at;) {
		const char *comma = strchr(at, ',');
		const size_t length = comma ? (size_t)(comma - at) : strlen(at);
		const uint32_t format = oz_cli_surface_format(at, length);
		if (format == 0)
			return oz_cli_wrong("--format is '%s'; it is one or more of ply, obj, vtp, "
			                    "glb, parted by commas",
			                    text);
		options->formats |= format;
		at = comma ? comma + 1 : NULL;
	}
	return OZ_CLI_GO;
}

// Converts the words of choice parameters to their indices.
static int read_choices(oz_cli_surface_options *options)
{
	uint32_t count;
	const oz_param *rows = rows_of(&count);
	for (uint32_t k = 0; k < count; k++) {
		if (!options->words[k])
			continue;
		const int status = oz_cli_choice(&rows[k], options->words[k], &options->counts[k]);
		if (status != OZ_CLI_GO)
			return status;
	}
	return OZ_CLI_GO;
}

static int read_each(oz_cli_surface_options *options, const char *text)
{
	static const char *const words[] = {"all", "body", "material"};
	for (uint32_t k = 0; k < 3; k++)
		if (strcmp(text, words[k]) == 0) {
			options->each = (oz_show_each)k;
			return OZ_CLI_GO;
		}
	return oz_cli_wrong("--each is '%s'; it is one of all, body, material", text);
}

int oz_cli_surface_parse(oz_cli_surface_options *options, oz_cli_spec *spec, int argc, char **argv)
{
	const char *formats = "ply", *each = "all";
	oz_cli_option all[OWN + OZ_CLI_SURFACE_OPTIONS] = {
	        {"format", 'f', "LIST", "ply, obj, vtp, glb, parted by commas (default ply)",
	         OZ_CLI_TEXT, &formats, 0, 0},
	        {"each", 'e', "WHAT", "a mesh for each body or material, or one for all (default)",
	         OZ_CLI_TEXT, &each, 0, 0},
	        {"frame", 'n', "N", "only this frame (default: all)", OZ_CLI_COUNT, &options->frame,
	         0, 999999999},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &options->threads, 0, 256},
	        {"output", 'o', "OUT", "folder for the results (default DIR)", OZ_CLI_TEXT,
	         &options->output, 0, 0},
	};
	uint32_t count;
	const oz_param *rows = rows_of(&count);
	for (uint32_t k = 0; k < count; k++)
		all[OWN + k] = option_of(options, k, &rows[k]);
	spec->usage = "surface DIR [options]";
	spec->help = "Makes meshes around the particles of the run in DIR, from its PLY frames:\n"
	             "  surfaces/surface_00000.ply …            one for each frame\n"
	             "  surfaces/surface_body_NAME_00000.ply …  with --each body; "
	             "material_NAME with --each material\n"
	             "  surfaces.pvd                            with --format vtp: the series\n"
	             "The settings are those of \"surface\" in the scene; options replace them.";
	spec->options = all;
	spec->option_count = OWN + count;
	spec->least = spec->most = 1;
	options->frame = OZ_NONE;
	int status = oz_cli_parse(spec, argc, argv);
	if (status == OZ_CLI_GO)
		status = read_formats(options, formats);
	if (status == OZ_CLI_GO)
		status = read_each(options, each);
	if (status == OZ_CLI_GO)
		status = read_choices(options);
	return status;
}

oz_result oz_cli_surface_apply(const oz_cli_surface_options *options, oz_surface_def *def,
                               oz_error *error)
{
	uint32_t count;
	const oz_param *rows = rows_of(&count);
	for (uint32_t k = 0; k < count; k++) {
		char *field = (char *)def + rows[k].offset;
		const float number = (float)options->numbers[k];
		if (options->counts[k] != OZ_NONE)
			memcpy(field, &options->counts[k], sizeof options->counts[k]);
		if (!isnan(number))
			memcpy(field, &number, sizeof number);
	}
	def->threads = options->threads;
	return oz_params_check(OZ_PARAMS_SURFACE, def, "surface", error);
}
