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
#include "render.h"

#define SHEET 6 // pictures on the contact sheet where no times are given

// ---- what there is ----------------------------------------------------------------------------

static void place_camera(oz_render_job *job, const oz_survey *all)
{
	// nothing at all is a sight too
	const bool empty = all->box.min.x > all->box.max.x;
	const oz_box unit = {{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}}, *box = empty ? &unit : &all->box;
	const oz_picture_def *def = oz_scene_picture(job->frames.scene);
	const oz_painting view = oz_painting_default(box, job->width, job->height);
	const oz_vec3 a = def->camera, b = def->target;
	job->painting.box = *box;
	job->painting.light = view.light;
	job->painting.camera = view.camera;
	if (!empty)
		job->painting.camera = oz_camera_frame(all->rim, OZ_RIM, job->width, job->height);
	if (a.x != b.x || a.y != b.y || a.z != b.z)
		job->painting.camera =
		        oz_camera_look(a, b, def->view_angle, job->width, job->height);
}

// Adds what stands there at each frame: solids, or vessels up to a little above all that is in
// them.
static void survey_solids(oz_render_job *job, oz_survey *all, bool vessels)
{
	const oz_box *box = &all->box;
	const bool filled = vessels && box->min.y <= box->max.y;
	const float top = filled ? box->max.y + 0.12f * (box->max.y - box->min.y) : INFINITY;
	for (uint32_t k = 0; k < job->frames.count; k++) {
		oz_solid_views(job->frames.world,
		               oz_cli_frames_time(&job->frames, job->frames.numbers[k]),
		               job->solids);
		for (uint32_t s = 0; s < job->painting.solid_count; s++)
			if (job->solids[s].vessel == vessels)
				oz_survey_add_shape(all, &job->solids[s].shape, top);
	}
}

static oz_result survey(oz_render_job *job, oz_error *error)
{
	oz_survey all = oz_survey_begin();
	for (uint32_t k = 0; k < job->frames.count; k++) {
		oz_frame frame;
		oz_result result =
		        oz_cli_frames_read(&job->frames, job->frames.numbers[k], &frame, error);
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

static oz_result make_dresser(oz_render_job *job, oz_error *error)
{
	const uint32_t count = oz_world_material_count(job->frames.world);
	const oz_box *box = &job->painting.box;
	const double size =
	        hypot(hypot((double)(box->max.x - box->min.x), (double)(box->max.y - box->min.y)),
	              (double)(box->max.z - box->min.z));
	oz_surface_def def = *oz_scene_surface(job->frames.scene);
	oz_coat *coats = calloc((size_t)count + 1, sizeof *coats);
	if (!coats)
		return no_memory(error);
	for (uint32_t k = 0; k < count; k++) {
		const oz_finish finish = oz_scene_finish(job->frames.scene, k);
		coats[k] = oz_coat_of(&finish, oz_world_get_material(job->frames.world, k)->name, k,
		                      (float)size);
	}
	def.spacing = oz_world_get_def(job->frames.world)->spacing;
	def.threads = job->threads;
	if (job->surface != OZ_SURFACE_KIND_COUNT)
		def.kind = job->surface;
	const oz_result result = oz_dresser_create(&def, coats, count, &job->dresser, error);
	free(coats);
	return result;
}

// ---- drawing ----------------------------------------------------------------------------------

static oz_result trace(oz_render_job *job, const oz_frame *frame, oz_error *error)
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

static oz_result draw(oz_render_job *job, uint32_t number, oz_error *error)
{
	oz_painting *p = &job->painting;
	oz_frame frame;
	oz_result result = oz_cli_frames_read(&job->frames, number, &frame, error);
	if (result != OZ_OK)
		return result;
	oz_solid_views(job->frames.world, oz_cli_frames_time(&job->frames, number), job->solids);
	// floors may move
	p->ground = oz_ground_of(job->solids, p->solid_count, p->box.min.y);
	result = trace(job, &frame, error);
	const char *title = oz_colouring_title(job->paint.by);
	if (result == OZ_OK && title)
		oz_picture_legend(&job->picture, title, job->paint.low, job->paint.high);
	oz_frame_free(&frame);
	return result;
}

// Draws a frame into a file; says which, if that fails.
static oz_result draw_file(oz_render_job *job, uint32_t number, const char *path, oz_error *error)
{
	oz_error cause;
	oz_result result = draw(job, number, &cause);
	if (result == OZ_OK)
		result = oz_picture_write(&job->picture, path, &cause);
	return result == OZ_OK
	               ? result
	               : oz_fail(error, result, "frame %" PRIu32 ": %s", number, cause.text);
}

// ---- the sheet --------------------------------------------------------------------------------

// which frame is nearest to a time
static uint32_t nearest_frame(const oz_render_job *job, double time)
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < job->frames.count; k++)
		if (fabs(oz_cli_frames_time(&job->frames, job->frames.numbers[k]) - time) <
		    fabs(oz_cli_frames_time(&job->frames, job->frames.numbers[best]) - time))
			best = k;
	return best;
}

// up to four in one row, else rows of three or four
static uint32_t sheet_columns(uint32_t count)
{
	return count <= 4 ? count : count % 4 == 0 ? 4 : 3;
}

static oz_result make_sheet(oz_render_job *job, oz_error *error)
{
	for (uint32_t k = 0; k < job->place_count; k++)
		job->places[k] = nearest_frame(job, job->moments[k]);
	// six, or all where there are fewer
	const uint32_t most = job->frames.count < SHEET ? job->frames.count : SHEET,
	               last = most > 1 ? most - 1 : 1;
	for (; !job->times && job->place_count < most; job->place_count++)
		job->places[job->place_count] =
		        (job->place_count * (job->frames.count - 1) + last / 2) / last;
	const uint32_t columns = sheet_columns(job->place_count);
	const uint32_t rows = (job->place_count + columns - 1) / columns;
	return oz_picture_create(job->width / 3 * 2 * columns, job->height / 3 * 2 * rows,
	                         &job->sheet, error);
}

static void put_on_sheet(oz_render_job *job, uint32_t k)
{
	const uint32_t w = job->width / 3 * 2, h = job->height / 3 * 2, size = 1 + h / 180;
	const uint32_t columns = sheet_columns(job->place_count);
	char text[32];
	snprintf(text, sizeof text, "%.2f s",
	         oz_cli_frames_time(&job->frames, job->frames.numbers[k]));
	for (uint32_t place = 0; place < job->place_count; place++) {
		if (job->places[place] != k)
			continue;
		const uint32_t x = place % columns * w, y = place / columns * h;
		oz_picture_place(&job->sheet, x, y, w, h, &job->picture);
		oz_picture_text(&job->sheet, x + 6 * size, y + h - 13 * size, size, text);
	}
}

static void say_progress(const oz_render_job *job, uint32_t k)
{
	if (!job->quiet && isatty(STDERR_FILENO))
		fprintf(stderr, "\rframe %" PRIu32 " of %" PRIu32 "%s", k + 1, job->frames.count,
		        k + 1 == job->frames.count ? "\n" : "");
}

static oz_result draw_all(oz_render_job *job, oz_error *error)
{
	for (uint32_t k = 0; k < job->frames.count; k++) {
		char name[40];
		snprintf(name, sizeof name, "pictures/frame_%05" PRIu32 ".png",
		         job->frames.numbers[k]);
		oz_result result = draw_file(job, job->frames.numbers[k],
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
static oz_result clear_pictures(oz_render_job *job, oz_error *error)
{
	uint32_t *numbers, count;
	oz_run_path pictures = oz_run_folder_path(&job->target, "pictures");
	if ((mkdir(job->target.path, 0777) != 0 && errno != EEXIST) ||
	    (mkdir(pictures.s, 0777) != 0 && errno != EEXIST))
		return oz_fail(error, OZ_ERROR_FILE,
		               "the folder %s cannot be made: %s; choose another with -o",
		               pictures.s, strerror(errno));
	oz_result result = oz_frame_list(pictures.s, "png", &numbers, &count, error);
	for (uint32_t k = 0; result == OZ_OK && k < count; k++) {
		char name[40];
		snprintf(name, sizeof name, "pictures/frame_%05" PRIu32 ".png", numbers[k]);
		oz_run_path path = oz_run_folder_path(&job->target, name);
		if (unlink(path.s) != 0)
			result = oz_fail(error, OZ_ERROR_FILE,
			                 "%s is of an earlier call and cannot be removed: %s; "
			                 "remove it",
			                 path.s, strerror(errno));
	}
	free(numbers);
	return result;
}

// ---- the command ------------------------------------------------------------------------------

static oz_result prepare(oz_render_job *job, const char *folder, const oz_hooks *hooks,
                         oz_error *error)
{
	oz_result result =
	        oz_cli_frames_open(&job->frames, folder, "pictures", job->threads, hooks, error);
	if (result == OZ_OK)
		result =
		        oz_run_folder_name(&job->target, job->output ? job->output : folder, error);
	if (result == OZ_OK && job->frame != OZ_NONE)
		result = oz_cli_frames_check(&job->frames, job->frame, error);
	if (result != OZ_OK)
		return result;
	const oz_picture_def *def = oz_scene_picture(job->frames.scene);
	job->paint.world = job->frames.world;
	job->painting.samples = job->samples ? job->samples : def->samples;
	job->painting.radius = 0.55f * oz_world_get_def(job->frames.world)->spacing;
	job->painting.solid_count = oz_world_collider_count(job->frames.world);
	job->painting.solids = job->solids =
	        calloc((size_t)job->painting.solid_count + 1, sizeof *job->solids);
	if (!job->solids)
		return no_memory(error);
	result = oz_tracer_create(job->width, job->height, job->threads, &job->tracer, error);
	if (result == OZ_OK)
		result = oz_picture_create(job->width, job->height, &job->picture, error);
	if (result == OZ_OK)
		result = oz_cli_frames_colours(&job->frames, &job->colours, error);
	job->paint.materials = job->colours;
	if (result == OZ_OK)
		result = survey(job, error);
	if (result == OZ_OK && !job->particles && !def->particles)
		result = make_dresser(job, error);
	if (result == OZ_OK && job->frame == OZ_NONE)
		result = make_sheet(job, error);
	return result;
}

static oz_result render(oz_render_job *job, oz_error *error)
{
	oz_run_path path = oz_run_folder_path(&job->target, "contact_sheet.png");
	oz_result result;
	if (job->frame == OZ_NONE) {
		result = clear_pictures(job, error);
		if (result == OZ_OK)
			result = draw_all(job, error);
		if (result == OZ_OK && !job->quiet)
			printf("%s pictures in %s/pictures, %" PRIu32 " moments in %s\n",
			       oz_cli_count(job->frames.count).s, job->target.path,
			       job->place_count, path.s);
		return result;
	}
	char name[40];
	snprintf(name, sizeof name, "frame_%05" PRIu32 ".png", job->frame);
	path = oz_run_folder_path(&job->target, name);
	if (job->output)
		snprintf(path.s, sizeof path.s, "%s", job->output);
	result = draw_file(job, job->frame, path.s, error);
	if (result == OZ_OK && !job->quiet)
		printf("%s\n", path.s);
	return result;
}

int oz_cli_render(int argc, char **argv)
{
	oz_render_job job = {.size = "960x540", .colour = "material", .frame = OZ_NONE};
	oz_cli_spec spec = {0};
	oz_error error = {OZ_OK, ""};
	int status = oz_render_words(&job, &spec, argc, argv);
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
	oz_cli_frames_close(&job.frames);
	return status;
}
