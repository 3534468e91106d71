// render.c: `ooze render`: pictures of a run's frames, and a sheet of moments on one page.
//
// All frames are read twice: first to learn what the sequence spans, so that the camera stands
// still and a colour means the same throughout, then to draw them.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "../src/render/render.h"
#include "cli.h"
#include "run.h"

#define SHEET      6  // pictures on the contact sheet where no times are given
#define SHEET_MOST 24 // where they are
#define SIZE_LEAST 16u
#define SIZE_MOST  65535u

typedef struct render_job {
	const char *size, *colour, *output, *kind, *times;
	uint32_t frame; // OZ_NONE: all
	uint32_t threads;
	uint32_t samples; // 0: the scene's
	bool particles;
	bool quiet;
	oz_run_folder folder, target;
	oz_scene *scene;
	oz_world *world;
	oz_surface_kind surface;  // OZ_SURFACE_KIND_COUNT: the scene's
	uint32_t *numbers, count; // of the frames
	uint32_t width, height;
	double moments[SHEET_MOST]; // s, on the sheet
	uint32_t places[SHEET_MOST], place_count;
	oz_paint paint;
	oz_vec3 *colours; // of the materials
	oz_painting painting;
	oz_tracer *tracer;
	oz_dresser *dresser; // NULL: particles are drawn
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
	        {"times", 'T', "S,S,…",
	         "moments on the contact sheet, in s, 24 at most (default: six, evenly)",
	         OZ_CLI_TEXT, &job->times, 0, 0},
	        {"colour", 'c', "BY",
	         "speed, density, pressure, body, material or none (default material)", OZ_CLI_TEXT,
	         &job->colour, 0, 0},
	        {"particles", 'p', NULL, "draw particles as balls, in place of surfaces",
	         OZ_CLI_FLAG, &job->particles, 0, 0},
	        {"kind", 'k', "KIND",
	         "how the surface is made: density, distance or smooth (default: the scene's)",
	         OZ_CLI_TEXT, &job->kind, 0, 0},
	        {"samples", 'm', "N",
	         "paths of light a pixel; more are smoother and slower (default: the scene's, or "
	         "12)",
	         OZ_CLI_COUNT, &job->samples, 1, OZ_SAMPLES_MAX},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &job->threads, 0, 256},
	        {"output", 'o', "OUT",
	         "folder for the results (default DIR); with --frame, the PNG file", OZ_CLI_TEXT,
	         &job->output, 0, 0},
	};
	spec->usage = "render DIR [options]";
	spec->help =
	        "Draws the PLY frames of the run in DIR (scenes with output.ply true):\n"
	        "  pictures/frame_00000.png …  one for each frame\n"
	        "  contact_sheet.png           six moments of the run, or those of --times\n"
	        "The camera frames all of the run by itself and stands still, unless the scene "
	        "places it.";
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

static int read_kind(render_job *job)
{
	static const char *const names[OZ_SURFACE_KIND_COUNT] = {
	        [OZ_SURFACE_DENSITY] = "density",
	        [OZ_SURFACE_DISTANCE] = "distance",
	        [OZ_SURFACE_SMOOTH] = "smooth",
	};
	job->surface = OZ_SURFACE_KIND_COUNT;
	for (int k = 0; job->kind && k < OZ_SURFACE_KIND_COUNT; k++)
		if (strcmp(job->kind, names[k]) == 0)
			job->surface = (oz_surface_kind)k;
	if (job->kind && job->surface == OZ_SURFACE_KIND_COUNT)
		return oz_cli_wrong("--kind is '%s'; it is one of density, distance, smooth",
		                    job->kind);
	return OZ_CLI_GO;
}

static int read_times(render_job *job)
{
	const char *at = job->times;
	while (at && *at) {
		char *end;
		const double time = strtod(at, &end);
		if (end == at || !(time >= 0 && time < 1e9) || (*end && *end != ',') ||
		    job->place_count == SHEET_MOST)
			return oz_cli_wrong("--times is '%s'; write up to %d times in s with "
			                    "commas "
			                    "between them: --times 0,0.4,0.8",
			                    job->times, SHEET_MOST);
		job->moments[job->place_count++] = time;
		at = *end ? end + 1 : end;
	}
	return OZ_CLI_GO;
}

static int read_words(render_job *job)
{
	int (*const readers[])(render_job *) = {read_size, read_colour, read_kind, read_times};
	int status = OZ_CLI_GO;
	for (size_t k = 0; status == OZ_CLI_GO && k < sizeof readers / sizeof readers[0]; k++)
		status = readers[k](job);
	return status;
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

static void place_camera(render_job *job, const oz_survey *all)
{
	// nothing at all is a sight too
	const bool empty = all->box.min.x > all->box.max.x;
	const oz_box unit = {{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}}, *box = empty ? &unit : &all->box;
	const oz_picture_def *def = oz_scene_picture(job->scene);
	const oz_painting view = oz_painting_default(box, job->width, job->height);
	const oz_vec3 a = def->camera, b = def->target;
	job->painting.box = *box;
	job->painting.light = view.light;
	job->painting.ground = find_ground(job, box);
	job->painting.camera = view.camera;
	if (!empty)
		job->painting.camera = oz_camera_frame(all->rim, OZ_RIM, job->width, job->height);
	if (a.x != b.x || a.y != b.y || a.z != b.z)
		job->painting.camera =
		        oz_camera_look(a, b, def->view_angle, job->width, job->height);
}

// Adds what stands there at each frame: solids, or vessels up to a little above all that is in
// them.
static void survey_solids(render_job *job, oz_survey *all, bool vessels)
{
	const oz_box *box = &all->box;
	const bool filled = vessels && box->min.y <= box->max.y;
	const float top = filled ? box->max.y + 0.12f * (box->max.y - box->min.y) : INFINITY;
	for (uint32_t k = 0; k < job->count; k++) {
		oz_solid_views(job->world, time_of(job, job->numbers[k]), job->solids);
		for (uint32_t s = 0; s < job->painting.solid_count; s++)
			if (job->solids[s].vessel == vessels)
				oz_survey_add_shape(all, &job->solids[s].shape, top);
	}
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
	}
	survey_solids(job, &all, false);
	survey_solids(job, &all, true);
	oz_survey_range(&all, &job->paint);
	place_camera(job, &all);
	return OZ_OK;
}

// ---- looks ------------------------------------------------------------------------------------

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "memory is out; close other programs");
}

// balls have the colours that the scene gives, or those of the names
static oz_result choose_colours(render_job *job, oz_error *error)
{
	const uint32_t count = oz_world_material_count(job->world);
	job->colours = calloc((size_t)count + 1, sizeof *job->colours);
	if (!job->colours)
		return no_memory(error);
	for (uint32_t k = 0; k < count; k++) {
		const oz_finish finish = oz_scene_finish(job->scene, k);
		job->colours[k] =
		        finish.colour.x >= 0
		                ? oz_colour_linear(finish.colour)
		                : oz_colour_material(oz_world_get_material(job->world, k)->name, k);
	}
	job->paint.materials = job->colours;
	return OZ_OK;
}

static oz_result make_dresser(render_job *job, oz_error *error)
{
	const uint32_t count = oz_world_material_count(job->world);
	const oz_box *box = &job->painting.box;
	const double size =
	        hypot(hypot((double)(box->max.x - box->min.x), (double)(box->max.y - box->min.y)),
	              (double)(box->max.z - box->min.z));
	oz_surface_def def = *oz_scene_surface(job->scene);
	oz_coat *coats = calloc((size_t)count + 1, sizeof *coats);
	if (!coats)
		return no_memory(error);
	for (uint32_t k = 0; k < count; k++) {
		const oz_finish finish = oz_scene_finish(job->scene, k);
		coats[k] = oz_coat_of(&finish, oz_world_get_material(job->world, k)->name, k,
		                      (float)size);
	}
	def.spacing = oz_world_get_def(job->world)->spacing;
	def.threads = job->threads;
	if (job->surface != OZ_SURFACE_KIND_COUNT)
		def.kind = job->surface;
	const oz_result result = oz_dresser_create(&def, coats, count, &job->dresser, error);
	free(coats);
	return result;
}

// ---- drawing ----------------------------------------------------------------------------------

static oz_result trace(render_job *job, const oz_frame *frame, oz_error *error)
{
	oz_painting *p = &job->painting;
	if (job->dresser) {
		const oz_result result = oz_dresser_dress(job->dresser, frame, &job->paint,
		                                          p->solids, p->solid_count, p, error);
		return result == OZ_OK ? oz_tracer_draw(job->tracer, p, &job->picture, error)
		                       : result;
	}
	oz_vec3 *colours = malloc(sizeof *colours * ((size_t)frame->count + 1));
	if (!colours)
		return no_memory(error);
	for (uint32_t i = 0; i < frame->count; i++)
		colours[i] = oz_paint_colour(&job->paint, &frame->grains[i]);
	p->grains = frame->grains;
	p->colours = colours;
	p->count = frame->count;
	const oz_result result = oz_tracer_draw(job->tracer, p, &job->picture, error);
	free(colours);
	return result;
}

static oz_result draw(render_job *job, uint32_t number, oz_error *error)
{
	oz_frame frame;
	oz_result result = read_frame(job, number, &frame, error);
	if (result != OZ_OK)
		return result;
	oz_solid_views(job->world, time_of(job, number), job->solids);
	result = trace(job, &frame, error);
	const char *title = oz_colouring_title(job->paint.by);
	if (result == OZ_OK && title)
		oz_picture_legend(&job->picture, title, job->paint.low, job->paint.high);
	oz_frame_free(&frame);
	return result;
}

// ---- the sheet --------------------------------------------------------------------------------

// which frame is nearest to a time
static uint32_t nearest_frame(const render_job *job, double time)
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < job->count; k++)
		if (fabs(time_of(job, job->numbers[k]) - time) <
		    fabs(time_of(job, job->numbers[best]) - time))
			best = k;
	return best;
}

// up to four in one row, else rows of three or four
static uint32_t sheet_columns(uint32_t count)
{
	return count <= 4 ? count : count % 4 == 0 ? 4 : 3;
}

static oz_result make_sheet(render_job *job, oz_error *error)
{
	for (uint32_t k = 0; k < job->place_count; k++)
		job->places[k] = nearest_frame(job, job->moments[k]);
	for (; !job->times && job->place_count < SHEET; job->place_count++)
		job->places[job->place_count] =
		        (job->place_count * (job->count - 1) + (SHEET - 1) / 2) / (SHEET - 1);
	const uint32_t columns = sheet_columns(job->place_count);
	const uint32_t rows = (job->place_count + columns - 1) / columns;
	return oz_picture_create(job->width / 3 * 2 * columns, job->height / 3 * 2 * rows,
	                         &job->sheet, error);
}

static void put_on_sheet(render_job *job, uint32_t k)
{
	const uint32_t w = job->width / 3 * 2, h = job->height / 3 * 2, size = 1 + h / 180;
	const uint32_t columns = sheet_columns(job->place_count);
	char text[32];
	snprintf(text, sizeof text, "%.2f s", time_of(job, job->numbers[k]));
	for (uint32_t place = 0; place < job->place_count; place++) {
		if (job->places[place] != k)
			continue;
		const uint32_t x = place % columns * w, y = place / columns * h;
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
	const oz_picture_def *def = oz_scene_picture(job->scene);
	job->paint.world = job->world;
	job->painting.samples = job->samples ? job->samples : def->samples;
	job->painting.radius = 0.55f * oz_world_get_def(job->world)->spacing;
	job->painting.solid_count = oz_world_collider_count(job->world);
	job->painting.solids = job->solids =
	        calloc((size_t)job->painting.solid_count + 1, sizeof *job->solids);
	if (!job->solids)
		return no_memory(error);
	result = oz_tracer_create(job->width, job->height, job->threads, &job->tracer, error);
	if (result == OZ_OK)
		result = oz_picture_create(job->width, job->height, &job->picture, error);
	if (result == OZ_OK)
		result = choose_colours(job, error);
	if (result == OZ_OK)
		result = survey(job, error);
	if (result == OZ_OK && !job->particles && !def->particles)
		result = make_dresser(job, error);
	if (result == OZ_OK && job->frame == OZ_NONE)
		result = make_sheet(job, error);
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
			printf("%s pictures in %s/pictures, %" PRIu32 " moments in %s\n",
			       oz_cli_count(job->count).s, job->target.path, job->place_count,
			       path.s);
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
		status = read_words(&job);
	if (status != OZ_CLI_GO)
		return status;
	oz_hooks hooks = {.log = oz_cli_log, .context = &spec.verbose};
	status = OZ_CLI_DONE;
	if (prepare(&job, spec.arguments[0], &hooks, &error) != OZ_OK ||
	    render(&job, &error) != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	oz_tracer_destroy(job.tracer);
	oz_dresser_destroy(job.dresser);
	oz_picture_free(&job.picture);
	oz_picture_free(&job.sheet);
	free(job.solids);
	free(job.colours);
	free(job.numbers);
	oz_world_destroy(job.world);
	oz_scene_free(job.scene);
	return status;
}
