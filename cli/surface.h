// surface.h: the parts of `ooze surface`: its options and its files.
#ifndef OZ_CLI_SURFACE_H
#define OZ_CLI_SURFACE_H

#include "cli.h"
#include "frames.h"
#include "ooze/surface.h"

#define OZ_CLI_SURFACE_OPTIONS 12u // most parameters of surfaces

// The options of the command line. Parameters that are not given keep the scene's values.
typedef struct oz_cli_surface_options {
	oz_show_each each;
	uint32_t formats; // a bit for each format to write
	uint32_t frame;   // OZ_NONE: all
	uint32_t threads;
	const char *output; // folder; NULL: that of the run
	const char *words[OZ_CLI_SURFACE_OPTIONS];
	uint32_t counts[OZ_CLI_SURFACE_OPTIONS];
	double numbers[OZ_CLI_SURFACE_OPTIONS];
	char help[OZ_CLI_SURFACE_OPTIONS][320];
} oz_cli_surface_options;

// Reads the command line; OZ_CLI_GO: go on.
int oz_cli_surface_parse(oz_cli_surface_options *options, oz_cli_spec *spec, int argc, char **argv);
// Replaces the scene's parameters by the given ones.
oz_result oz_cli_surface_apply(const oz_cli_surface_options *options, oz_surface_def *def,
                               oz_error *error);

// ---- files ------------------------------------------------------------------------------------

#define OZ_CLI_SURFACE_NAME 96 // of a series of files

// Makes a file name of the name of body or material `number`; different from others[0 … number -
// 1].
void oz_cli_surface_file_name(const char *name, char (*others)[OZ_CLI_SURFACE_NAME],
                              uint32_t number, char *out);
// Removes the files of a series ("surface_") from an earlier call.
oz_result oz_cli_surface_clear(const oz_run_folder *folder, const char *series, uint32_t formats,
                               oz_error *error);
// Creates DIR and DIR/surfaces, if they do not exist.
oz_result oz_cli_surface_make_folder(const oz_run_folder *folder, oz_error *error);
// Writes DIR/surfaces/SERIES00000.FORMAT in each format.
oz_result oz_cli_surface_write(const oz_run_folder *folder, const char *series, uint32_t number,
                               uint32_t formats, const oz_surface_mesh *mesh, oz_error *error);
// Writes DIR/LIST.pvd over all frames, where VTP is among the formats.
oz_result oz_cli_surface_write_list(const oz_run_folder *folder, const oz_show_frames *frames,
                                    const char *list, const char *series, uint32_t formats,
                                    oz_error *error);
// The bit of a format; 0 if it is unknown.
uint32_t oz_cli_surface_format(const char *word, size_t length);

#endif
