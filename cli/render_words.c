// render_words.c: the options of `ooze render`.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/params/params.h"
#include "render.h"

#define SIZE_LEAST 16u
#define SIZE_MOST  65535u

static int parse(oz_render_job *job, oz_cli_spec *spec, int argc, char **argv)
{
	const oz_cli_option options[] = {
	        {"size", 's', "WxH", "width and height in pixels (default 960x540)", OZ_CLI_TEXT,
	         &job->size, 0, 0},
	        {"frame", 'n', "N", "only this frame (default: all, and a contact sheet)",
	         OZ_CLI_COUNT, &job->frame, 0, 999999999},
	        {"times", 'T', "S,S,…",
	         "only a contact sheet of these times, in s, at most 24, at full size", OZ_CLI_TEXT,
	         &job->times, 0, 0},
	        {"colour", 'c', "BY",
	         "speed, density, pressure, temperature, body, material or none (default "
	         "material)",
	         OZ_CLI_TEXT, &job->colour, 0, 0},
	        {"range", 'r', "LOW,HIGH",
	         "ends of the colour map, to compare runs (default: the range of the run)",
	         OZ_CLI_TEXT, &job->range, 0, 0},
	        {"particles", 'p', NULL, "draw particles as balls, in place of surfaces",
	         OZ_CLI_FLAG, &job->def.particles, 0, 0},
	        {"kind", 'k', "KIND",
	         "how the surface is made: density, distance or smooth (default: the scene's)",
	         OZ_CLI_TEXT, &job->kind, 0, 0},
	        {"samples", 'm', "N",
	         "paths of light a pixel; more are smoother and slower (default: the scene's, or "
	         "12)",
	         OZ_CLI_COUNT, &job->def.samples, 1, OZ_SAMPLES_MAX},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &job->def.threads, 0, 256},
	        {"output", 'o', "OUT",
	         "folder for the results (default DIR); a file, .png, with --frame, or with "
	         "--times if you like",
	         OZ_CLI_TEXT, &job->output, 0, 0},
	};
	spec->usage = "render DIR [options]";
	spec->help = "Draws the PLY frames of the run in DIR (scenes with output.ply true):\n"
	             "  pictures/frame_00000.png …  one for each frame\n"
	             "  contact_sheet.png           six moments of the run, at 2/3 of the size\n"
	             "The camera shows the whole run and does not move, unless the scene "
	             "places it.";
	spec->options = options;
	spec->option_count = sizeof options / sizeof options[0];
	spec->least = spec->most = 1;
	int status = oz_cli_parse(spec, argc, argv);
	job->quiet = spec->quiet;
	return status;
}

static int read_size(oz_render_job *job)
{
	char rest;
	if (sscanf(job->size, "%5" SCNu32 "x%5" SCNu32 "%c", &job->def.width, &job->def.height,
	           &rest) != 2 ||
	    job->def.width < SIZE_LEAST || job->def.height < SIZE_LEAST ||
	    job->def.width > SIZE_MOST || job->def.height > SIZE_MOST)
		return oz_cli_wrong("--size is '%s'; write width x height in pixels, %u to %u "
		                    "each: --size 960x540",
		                    job->size, SIZE_LEAST, SIZE_MOST);
	return OZ_CLI_GO;
}

static int read_colour(oz_render_job *job)
{
	const char *names[OZ_COLOUR_COUNT];
	if (!job->colour)
		return OZ_CLI_GO;
	for (int k = 0; k < OZ_COLOUR_COUNT; k++) {
		names[k] = oz_colouring_name((oz_colouring)k);
		if (strcmp(job->colour, names[k]) == 0) {
			job->def.by = (oz_colouring)k;
			job->def.material_names = true;
			return OZ_CLI_GO;
		}
	}
	const char *nearest = oz_cli_nearest(job->colour, names, OZ_COLOUR_COUNT);
	if (nearest)
		return oz_cli_wrong("--colour is '%s'; did you mean '%s'?", job->colour, nearest);
	return oz_cli_wrong("--colour is '%s'; it is one of speed, density, pressure, temperature, "
	                    "body, "
	                    "material, none",
	                    job->colour);
}

static int read_kind(oz_render_job *job)
{
	uint32_t count, k = 0, found;
	const oz_param *rows = oz_params(OZ_PARAMS_SURFACE, &count);
	job->def.kind = OZ_SURFACE_KIND_COUNT;
	while (k + 1 < count && strcmp(rows[k].name, "kind") != 0)
		k++;
	const int status = job->kind ? oz_cli_choice(&rows[k], job->kind, &found) : OZ_CLI_GO;
	if (job->kind && status == OZ_CLI_GO)
		job->def.kind = (oz_surface_kind)found;
	return status;
}

static int read_range(oz_render_job *job)
{
	char rest;
	if (!job->range)
		return OZ_CLI_GO;
	if (sscanf(job->range, "%lf,%lf%c", &job->def.low, &job->def.high, &rest) != 2 ||
	    !(job->def.high - job->def.low > 0 && job->def.high < 1e30 && job->def.low > -1e30))
		return oz_cli_wrong("--range is '%s'; write the lower and the higher end of the "
		                    "colour map: --range 0,3.5",
		                    job->range);
	if (!oz_colouring_title(job->def.by))
		return oz_cli_wrong("--range works only with a field as colour: "
		                    "--colour speed, density, pressure or temperature");
	return OZ_CLI_GO;
}

static int read_times(oz_render_job *job)
{
	const char *at = job->times;
	if (at && job->frame != OZ_NONE)
		return oz_cli_wrong(
		        "--times and --frame exclude each other: the one makes a sheet, "
		        "the other a picture; leave one out");
	while (at && *at) {
		char *end;
		const double time = strtod(at, &end);
		if (end == at || !(time >= 0 && time < 1e9) || (*end && *end != ',') ||
		    job->moment_count == OZ_SHEET_MOST)
			return oz_cli_wrong("--times is '%s'; write up to %d times in s with "
			                    "commas "
			                    "between them: --times 0,0.4,0.8",
			                    job->times, OZ_SHEET_MOST);
		job->moments[job->moment_count++] = time;
		at = *end ? end + 1 : end;
	}
	return OZ_CLI_GO;
}

static int read_output(oz_render_job *job)
{
	const bool picture = job->output && oz_cli_ends_with(job->output, ".png");
	if (job->output && job->frame != OZ_NONE && !picture)
		return oz_cli_wrong("-o is '%s'; with --frame it is the picture, a PNG: give it a "
		                    "name that ends in .png",
		                    job->output);
	if (picture && job->frame == OZ_NONE && !job->times)
		return oz_cli_wrong("-o is '%s', a picture, but each frame makes one; name a "
		                    "folder, or choose --frame N or --times S,S,…",
		                    job->output);
	return OZ_CLI_GO;
}

int oz_render_words(oz_render_job *job, oz_cli_spec *spec, int argc, char **argv)
{
	int (*const readers[])(oz_render_job *) = {read_size,  read_colour, read_kind,
	                                           read_range, read_times,  read_output};
	int status = parse(job, spec, argc, argv);
	for (size_t k = 0; status == OZ_CLI_GO && k < sizeof readers / sizeof readers[0]; k++)
		status = readers[k](job);
	return status;
}
