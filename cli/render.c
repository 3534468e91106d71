// render.c: `ooze render`: pictures of a run's frames, and a sheet of six of them.
//
// All frames are read twice: first to learn what the sequence spans, so that the camera stands
// still and a colour means the same throughout, then to draw them.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "../src/render/render.h"
#include "cli.h"
#include "run.h"

#define SHEET      6 // pictures on the contact sheet, three in a row
#define SIZE_LEAST 16u
#define SIZE_MOST  8192u

typedef struct render_job {
	const char *size, *colour, *output;
	uint32_t frame; // OZ_NONE: all
	uint32_t threads;
	bool quiet;
	oz_run_folder folder, target;
	oz_scene *scene;
	oz_world *world;
	uint32_t *numbers, count; // of the frames
	uint32_t width, height;
	oz_paint paint;
	oz_painting painting;
	oz_painter *painter;
	oz_solid_view *solids;
	oz_picture picture, sheet;
} render_job;

static int parse(render_job *job, oz_cli_spec *spec, int argc, char **argv)
{
	const oz_cli_option options[] = {
	        {"size", 's', "WxH", "width and height in pixels (default 960x540)", OZ_CLI_TEXT,
	         &job->size, 0, 0},
	        {"frame", 'n', "N", "only this frame (default: all, and a contact sheet)",
	         OZ_CLI_COUNT, &job->frame, 0, 999999999},
	        {"colour", 'c', "BY",
	         "speed, density, pressure, body, material or none (default material)", OZ_CLI_TEXT,
	         &job->colour, 0, 0},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &job->threads, 0, 256},
	        {"output", 'o', "OUT",
	         "folder for the results (default DIR); with --frame, the PNG file", OZ_CLI_TEXT,
	         &job->output, 0, 0},
	};
	spec->usage = "render DIR [options]";
	spec->help = "Draws the PLY frames of the run in DIR (scenes with output.ply true):\n"
	             "  pictures/frame_00000.png …  one for each frame\n"
	             "  contact_sheet.png           six moments of the run on one sheet\n"
	             "The camera frames all of the run by itself and stands still.";
	spec->options = options;
	spec->option_count = sizeof options / sizeof options[0];
	spec->least = spec->most = 1;
	int status = oz_cli_parse(spec, argc, argv);
	job->quiet = spec->quiet;
	return status;
}

static int read_size(render_job *job)
{
	char rest;
	if (sscanf(job->size, "%5" SCNu32 "x%5" SCNu32 "%c", &job->width, &job->height, &rest) !=
	            2 ||
	    job->width < SIZE_LEAST || job->height < SIZE_LEAST || job->width > SIZE_MOST ||
	    job->height > SIZE_MOST)
		return oz_cli_wrong("--size is '%s'; write width x height in pixels, %u to %u "
		                    "each: --size 960x540",
		                    job->size, SIZE_LEAST, SIZE_MOST);
	return OZ_CLI_GO;
}

static int read_colour(render_job *job)
{
	const char *names[OZ_COLOUR_COUNT];
	for (int k = 0; k < OZ_COLOUR_COUNT; k++) {
		names[k] = oz_colouring_name((oz_colouring)k);
		if (strcmp(job->colour, names[k]) == 0) {
			job->paint.by = (oz_colouring)k;
			return OZ_CLI_GO;
		}
	}
	const char *nearest = oz_cli_nearest(job->colour, names, OZ_COLOUR_COUNT);
	if (nearest)
		return oz_cli_wrong("--colour is '%s'; did you mean '%s'?", job->colour, nearest);
	return oz_cli_wrong("--colour is '%s'; it is one of speed, density, pressure, body, "
	                    "material, none",
	                    job->colour);
}

// ---- what there is ----------------------------------------------------------------------------

static oz_result no_frames(const render_job *job, const char *frames, oz_error *error)
{
	uint32_t *numbers, count;
	oz_result result = oz_frame_list(frames, "vtu", &numbers, &count, error);
	free(numbers);
	if (result != OZ_OK)
		return result;
	if (count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s holds VTU frames only; pictures are made from PLY: set "
		               "output.ply to true in the scene and run it again",
		               frames);
	return oz_fail(error, OZ_ERROR_NOT_FOUND,
	               "%s holds no frames; make them with: ooze run SCENE -o %s, with output.ply "
	               "true in the scene",
	               job->folder.path, job->folder.path);
}

static oz_result find_frames(render_job *job, oz_error *error)
{
	oz_run_path frames = oz_run_folder_path(&job->folder, "frames");
	if (access(job->folder.path, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "there is no folder %s; name the folder of a run (ooze run SCENE -o "
		               "DIR)",
		               job->folder.path);
	oz_result result = oz_frame_list(frames.s, "ply", &job->numbers, &job->count, error);
	if (result == OZ_OK && job->count == 0)
		result = no_frames(job, frames.s, error);
	if (result != OZ_OK || job->frame == OZ_NONE)
		return result;
	for (uint32_t k = 0; k < job->count; k++)
		if (job->numbers[k] == job->frame)
			return OZ_OK;
	return oz_fail(error, OZ_ERROR_NOT_FOUND,
	               "there is no frame %" PRIu32 " in %s; there are %" PRIu32 " to %" PRIu32,
	               job->frame, frames.s, job->numbers[0], job->numbers[job->count - 1]);
}

static oz_result load_world(render_job *job, const oz_hooks *hooks, oz_error *error)
{
	oz_run_path path = oz_run_folder_path(&job->folder, "scene.json");
	if (access(path.s, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s is not there: it tells the size of particles and the solids; "
		               "put the scene of the run there",
		               path.s);
	oz_result result = oz_scene_load(path.s, &job->scene, error);
	if (result == OZ_OK)
		result = oz_scene_build(job->scene, job->threads, hooks, &job->world, error);
	return result;
}

static double time_of(const render_job *job, uint32_t number)
{
	return (double)number / (double)oz_scene_output(job->scene)->frame_rate;
}

static oz_result read_frame(const render_job *job, uint32_t number, oz_frame *frame,
                            oz_error *error)
{
	return oz_frame_read(oz_run_folder_frame(&job->folder, number, "ply").s, frame, error);
}

// the floor is a plane if there is one, else the lowest that there is
static float find_ground(const render_job *job, const oz_box *box)
{
	for (uint32_t k = 0; k < job->painting.solid_count; k++)
		if (job->solids[k].shape.kind == OZ_SHAPE_PLANE)
			return job->solids[k].shape.position.y;
	return box->min.y;
}

static oz_result survey(render_job *job, oz_error *error)
{
	oz_survey all = oz_survey_begin();
	for (uint32_t k = 0; k < job->count; k++) {
		oz_frame frame;
		oz_result result = read_frame(job, job->numbers[k], &frame, error);
		if (result != OZ_OK)
			return result;
		oz_survey_add_frame(&all, &frame, &job->paint, job->painting.radius);
		oz_frame_free(&frame);
		oz_solid_views(job->world, time_of(job, job->numbers[k]), job->solids);
		for (uint32_t s = 0; s < job->painting.solid_count; s++)
			oz_survey_add_shape(&all, &job->solids[s].shape);
	}
	// nothing at all is a sight too
	if (all.box.min.x > all.box.max.x)
		all.box = (oz_box){{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}};
	oz_survey_range(&all, &job->paint);
	job->painting.box = all.box;
	job->painting.ground = find_ground(job, &all.box);
	job->painting.camera = oz_camera_fit(&all.box, job->width, job->height);
	return OZ_OK;
}

// ---- drawing ----------------------------------------------------------------------------------

static oz_result draw(render_job *job, uint32_t number, oz_error *error)
{
	oz_frame frame;
	oz_result result = read_frame(job, number, &frame, error);
	if (result != OZ_OK)
		return result;
	oz_vec3 *colours = malloc(sizeof *colours * ((size_t)frame.count + 1));
	if (!colours)
		result =
		        oz_fail(error, OZ_ERROR_MEMORY,
		                "memory is out at frame %" PRIu32 "; close other programs", number);
	for (uint32_t i = 0; colours && i < frame.count; i++)
		colours[i] = oz_paint_colour(&job->paint, &frame.grains[i]);
	oz_solid_views(job->world, time_of(job, number), job->solids);
	job->painting.grains = frame.grains;
	job->painting.colours = colours;
	job->painting.count = frame.count;
	if (result == OZ_OK)
		result = oz_painter_draw(job->painter, &job->painting, &job->picture, error);
	const char *title = oz_colouring_title(job->paint.by);
	if (result == OZ_OK && title)
		oz_picture_legend(&job->picture, title, job->paint.low, job->paint.high);
	free(colours);
	oz_frame_free(&frame);
	return result;
}

// Which of the places on the sheet a frame takes: six moments, evenly from first to last.
static void put_on_sheet(render_job *job, uint32_t k)
{
	const uint32_t w = job->sheet.width / 3, h = job->sheet.height / 2, size = 1 + h / 180;
	char text[32];
	snprintf(text, sizeof text, "%.2f s", time_of(job, job->numbers[k]));
	for (uint32_t place = 0; place < SHEET; place++) {
		if ((place * (job->count - 1) + (SHEET - 1) / 2) / (SHEET - 1) != k)
			continue;
		const uint32_t x = place % 3 * w, y = place / 3 * h;
		oz_picture_place(&job->sheet, x, y, w, h, &job->picture);
		oz_picture_text(&job->sheet, x + 6 * size, y + h - 13 * size, size, text);
	}
}

static void say_progress(const render_job *job, uint32_t k)
{
	if (!job->quiet && isatty(STDERR_FILENO))
		fprintf(stderr, "\rframe %" PRIu32 " of %" PRIu32 "%s", k + 1, job->count,
		        k + 1 == job->count ? "\n" : "");
}

static oz_result draw_all(render_job *job, oz_error *error)
{
	for (uint32_t k = 0; k < job->count; k++) {
		char name[40];
		snprintf(name, sizeof name, "pictures/frame_%05" PRIu32 ".png", job->numbers[k]);
		oz_result result = draw(job, job->numbers[k], error);
		if (result == OZ_OK)
			result = oz_picture_write(&job->picture,
			                          oz_run_folder_path(&job->target, name).s, error);
		if (result != OZ_OK)
			return result;
		put_on_sheet(job, k);
		say_progress(job, k);
	}
	return oz_picture_write(&job->sheet,
	                        oz_run_folder_path(&job->target, "contact_sheet.png").s, error);
}

// Makes the folder of the pictures; what an earlier call left there is not of this sequence.
static oz_result clear_pictures(render_job *job, oz_error *error)
{
	uint32_t *numbers, count;
	oz_run_path pictures = oz_run_folder_path(&job->target, "pictures");
	if ((mkdir(job->target.path, 0777) != 0 && errno != EEXIST) ||
	    (mkdir(pictures.s, 0777) != 0 && errno != EEXIST))
		return oz_fail(error, OZ_ERROR_FILE,
		               "the folder %s cannot be made: %s; choose another with -o",
		               pictures.s, strerror(errno));
	oz_result result = oz_frame_list(pictures.s, "png", &numbers, &count, error);
	for (uint32_t k = 0; k < count; k++) {
		char name[40];
		snprintf(name, sizeof name, "pictures/frame_%05" PRIu32 ".png", numbers[k]);
		unlink(oz_run_folder_path(&job->target, name).s);
	}
	free(numbers);
	return result;
}

// ---- the command ------------------------------------------------------------------------------

static oz_result prepare(render_job *job, const char *folder, const oz_hooks *hooks,
                         oz_error *error)
{
	oz_result result = oz_run_folder_name(&job->folder, folder, error);
	if (result == OZ_OK)
		result =
		        oz_run_folder_name(&job->target, job->output ? job->output : folder, error);
	if (result == OZ_OK)
		result = find_frames(job, error);
	if (result == OZ_OK)
		result = load_world(job, hooks, error);
	if (result != OZ_OK)
		return result;
	job->paint.world = job->world;
	job->painting.radius = 0.55f * oz_world_get_def(job->world)->spacing;
	job->painting.solid_count = oz_world_collider_count(job->world);
	job->painting.solids = job->solids =
	        calloc((size_t)job->painting.solid_count + 1, sizeof *job->solids);
	if (!job->solids)
		return oz_fail(error, OZ_ERROR_MEMORY, "memory is out; close other programs");
	result = survey(job, error);
	if (result == OZ_OK)
		result = oz_painter_create(job->width, job->height, job->threads, &job->painter,
		                           error);
	if (result == OZ_OK)
		result = oz_picture_create(job->width, job->height, &job->picture, error);
	if (result == OZ_OK)
		result = oz_picture_create(job->width / 3 * 2 * 3, job->height / 3 * 2 * 2,
		                           &job->sheet, error);
	return result;
}

static oz_result render(render_job *job, oz_error *error)
{
	oz_run_path path = oz_run_folder_path(&job->target, "contact_sheet.png");
	oz_result result;
	if (job->frame == OZ_NONE) {
		result = clear_pictures(job, error);
		if (result == OZ_OK)
			result = draw_all(job, error);
		if (result == OZ_OK && !job->quiet)
			printf("%s pictures in %s/pictures, six of them in %s\n",
			       oz_cli_count(job->count).s, job->target.path, path.s);
		return result;
	}
	char name[40];
	snprintf(name, sizeof name, "frame_%05" PRIu32 ".png", job->frame);
	path = oz_run_folder_path(&job->target, name);
	if (job->output)
		snprintf(path.s, sizeof path.s, "%s", job->output);
	result = draw(job, job->frame, error);
	if (result == OZ_OK)
		result = oz_picture_write(&job->picture, path.s, error);
	if (result == OZ_OK && !job->quiet)
		printf("%s\n", path.s);
	return result;
}

int oz_cli_render(int argc, char **argv)
{
	render_job job = {.size = "960x540", .colour = "material", .frame = OZ_NONE};
	oz_cli_spec spec = {0};
	oz_error error = {OZ_OK, ""};
	int status = parse(&job, &spec, argc, argv);
	if (status == OZ_CLI_GO)
		status = read_size(&job);
	if (status == OZ_CLI_GO)
		status = read_colour(&job);
	if (status != OZ_CLI_GO)
		return status;
	oz_hooks hooks = {.log = oz_cli_log, .context = &spec.verbose};
	status = OZ_CLI_DONE;
	if (prepare(&job, spec.arguments[0], &hooks, &error) != OZ_OK ||
	    render(&job, &error) != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	oz_painter_destroy(job.painter);
	oz_picture_free(&job.picture);
	oz_picture_free(&job.sheet);
	free(job.solids);
	free(job.numbers);
	oz_world_destroy(job.world);
	oz_scene_free(job.scene);
	return status;
}
