// render.h: what `ooze render` was asked for and what it holds while it draws.
#ifndef OZ_CLI_RENDER_H
#define OZ_CLI_RENDER_H

#include "cli.h"
#include "frames.h"
#include "skins.h"

#define OZ_SHEET_MOST 24 // pictures on a contact sheet

typedef struct oz_render_job {
	const char *size, *colour, *output, *kind, *times, *range;
	uint32_t frame; // OZ_NONE: all
	uint32_t threads;
	uint32_t samples; // 0: the scene's
	bool particles;
	bool quiet;
	oz_cli_frames frames;
	oz_run_folder target;
	oz_surface_kind surface; // OZ_SURFACE_KIND_COUNT: the scene's
	uint32_t width, height;
	double moments[OZ_SHEET_MOST];               // s, on the sheet
	uint32_t places[OZ_SHEET_MOST], place_count; // which of the frames
	uint32_t tile_width, tile_height;            // of the sheet
	uint64_t begun_ns;
	oz_paint paint;
	oz_vec3 *colours;          // of the materials
	double low, high;          // of --range
	const char **legend_names; // of bodies or materials; NULL: no such legend
	oz_vec3 *legend_colours;
	uint32_t legend_count;
	oz_painting painting;
	oz_tracer *tracer;
	oz_dresser *dresser; // NULL: particles are drawn
	oz_cli_skins skins;  // of bodies that show them
	oz_solid_view *solids;
	oz_hull **hulls; // of colliders that are meshes, some of them the same
	oz_picture picture, sheet;
} oz_render_job;

// Reads the words of the command line; OZ_CLI_GO, or the status to end with.
int oz_render_words(oz_render_job *job, oz_cli_spec *spec, int argc, char **argv);

// ---- the sheet --------------------------------------------------------------------------------

// Chooses the frames of the sheet and makes room for them.
oz_result oz_render_make_sheet(oz_render_job *job, oz_error *error);
// Puts the picture of a frame wherever the sheet shows it.
void oz_render_put_on_sheet(oz_render_job *job, uint32_t k);
bool oz_render_is_on_sheet(const oz_render_job *job, uint32_t k);
oz_run_path oz_render_sheet_path(const oz_render_job *job);

#endif
