// render.h: the options and the state of `ooze render`.
#ifndef OZ_CLI_RENDER_H
#define OZ_CLI_RENDER_H

#include "cli.h"
#include "frames.h"

typedef struct oz_render_job {
	const char *size, *colour, *output, *kind, *times, *range;
	uint32_t frame; // OZ_NONE: all
	bool quiet;
	oz_show_picture_def def;
	double moments[OZ_SHEET_MOST]; // s, of --times
	uint32_t moment_count;
	oz_cli_frames frames;
	oz_run_folder target;
	oz_show_painter *painter;
	oz_tracer *tracer;
	oz_picture picture;
	oz_show_sheet sheet;
} oz_render_job;

// Reads the command line; OZ_CLI_GO, or the exit status to end with.
int oz_render_words(oz_render_job *job, oz_cli_spec *spec, int argc, char **argv);

#endif
