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

// ---- what there is ----------------------------------------------------------------------------

static bool is_given(oz_vec3 place)
{
	return place.x >= -1e9f;
}

// What the scene says of the camera, in place of the one that sees all.
static oz_camera choose_camera(const oz_render_job *job, const oz_camera *own, const oz_box *box)
{
	const oz_picture_def *def = oz_scene_picture(job->frames.scene);
	const oz_vec3 eye = def->camera,
	              middle = {0.5f * (box->min.x + box->max.x), 0.5f * (box->min.y + box->max.y),
	                        0.5f * (box->min.z + box->max.z)};
	const oz_vec3 target = is_given(def->target) ? def->target : middle;
	if (is_given(eye) && (eye.x != target.x || eye.y != target.y || eye.z != target.z))
		return oz_camera_look(eye, target, def->view_angle, job->width, job->height);
	// nobody can look from a place at that place
	if (is_given(eye) || !is_given(def->target))
		return *own;
	return oz_camera_aim(own, middle, target, job->width, job->height);
}

static void place_camera(oz_render_job *job, const oz_survey *all)
{
	// nothing at all is a sight too
	const bool empty = all->box.min.x > all->box.max.x;
	const oz_box unit = {{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}}, *box = empty ? &unit : &all->box;
	const oz_painting view = oz_painting_default(box, job->width, job->height);
	oz_camera own = view.camera;
	if (!empty)
		own = oz_camera_frame(all->rim, OZ_RIM, job->width, job->height);
	job->painting.box = *box;
	job->painting.light = view.light;
	job->painting.camera = choose_camera(job, &own, box);
}

// Adds what stands there at each frame: solids, or vessels; of those that are shapes what reaches
// a little above all that is in them.
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
				oz_survey_add_solid(all, &job->solids[s],
				                    job->solids[s].hull ? INFINITY : top);
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
		oz_cli_frames_drop_lost(job->frames.numbers[k], &frame);
		oz_survey_add_frame(&all, &frame, &job->paint, job->painting.radius);
		oz_frame_free(&frame);
	}
	survey_solids(job, &all, false);
	survey_solids(job, &all, true);
	oz_survey_range(&all, &job->paint);
	if (job->range) {
		job->paint.low = job->low;
		job->paint.high = job->high;
	}
	place_camera(job, &all);
	return OZ_OK;
}

// ---- looks ------------------------------------------------------------------------------------

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "memory is out; close other programs");
}

// the name tells, or else the preset
static oz_coat coat_of(const oz_render_job *job, oz_id material, float size)
{
	const oz_material_def *def = oz_world_get_material(job->frames.world, material);
	const char *preset = oz_scene_preset(job->frames.scene, material), *word = def->name;
	oz_finish finish = oz_scene_finish(job->frames.scene, material);
	if (!oz_coat_knows(word) && oz_coat_knows(preset))
		word = preset;
	// a solid of which nothing is known is no glass
	if (finish.look == OZ_LOOK_AUTO && !oz_coat_knows(word) && def->model == OZ_COROTATED)
		finish.look = OZ_LOOK_PLASTIC;
	return oz_coat_of(&finish, word, material, size);
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
	for (uint32_t k = 0; k < count; k++)
		coats[k] = coat_of(job, k, (float)size);
	def.spacing = oz_world_get_def(job->frames.world)->spacing;
	def.threads = job->threads;
	if (job->surface != OZ_SURFACE_KIND_COUNT)
		def.kind = job->surface;
	const oz_result result = oz_dresser_create(&def, coats, count, &job->dresser, error);
	free(coats);
	return result;
}

// What colliders look like; those with the same mesh share its hull.
static oz_result dress_solids(oz_render_job *job, oz_error *error)
{
	const oz_scene *scene = job->frames.scene;
	const uint32_t count = job->painting.solid_count;
	oz_result result = OZ_OK;
	job->hulls = calloc((size_t)count + 1, sizeof *job->hulls);
	if (!job->hulls)
		return no_memory(error);
	for (uint32_t k = 0; k < count && result == OZ_OK; k++) {
		const oz_scene_hull *hull = oz_scene_get_hull(scene, k);
		uint32_t same = 0;
		while (same < k && oz_scene_get_hull(scene, same) != hull)
			same++;
		if (hull && same == k)
			result = oz_hull_make(&hull->mesh, &job->hulls[k], error);
		job->solids[k].look = oz_scene_solid_look(scene, k);
		job->solids[k].hull = hull ? job->hulls[same] : NULL;
	}
	return result;
}

// Names for the legend, where bodies or materials were asked for.
static oz_result name_colours(oz_render_job *job, oz_error *error)
{
	const oz_world *world = job->frames.world;
	const bool bodies = job->paint.by == OZ_COLOUR_BODY;
	if (!bodies && (job->paint.by != OZ_COLOUR_MATERIAL || !job->colour))
		return OZ_OK;
	job->legend_count = bodies ? oz_world_body_count(world) : oz_world_material_count(world);
	job->legend_names = calloc((size_t)job->legend_count + 1, sizeof *job->legend_names);
	job->legend_colours = calloc((size_t)job->legend_count + 1, sizeof *job->legend_colours);
	if (!job->legend_names || !job->legend_colours)
		return no_memory(error);
	for (uint32_t k = 0; k < job->legend_count; k++) {
		const char *name = bodies ? oz_world_body_name(world, k)
		                          : oz_world_get_material(world, k)->name;
		job->legend_names[k] = name && name[0] ? name : "(no name)";
		job->legend_colours[k] = bodies ? oz_colour_number(k) : job->colours[k];
	}
	return OZ_OK;
}

// ---- drawing ----------------------------------------------------------------------------------

// poses the skins of bodies, with the numbers by which they are coloured
static oz_result pose_skins(oz_render_job *job, uint32_t number, oz_frame *frame, oz_error *error)
{
	const bool coloured = job->skins.count && oz_colouring_title(job->paint.by);
	oz_vec3 *values = coloured ? malloc(sizeof *values * ((size_t)frame->count + 1)) : NULL;
	if (coloured && !values)
		return no_memory(error);
	for (uint32_t i = 0; coloured && i < frame->count; i++)
		values[i] = (oz_vec3){oz_paint_value(&job->paint, &frame->grains[i]), 0, 0};
	const oz_result result = oz_cli_skins_pose(&job->skins, number, frame, values, error);
	free(values);
	return result;
}

static oz_result dress(oz_render_job *job, uint32_t number, oz_frame *frame, oz_error *error)
{
	oz_painting *p = &job->painting;
	oz_result result = pose_skins(job, number, frame, error);
	if (result == OZ_OK)
		result = oz_dresser_dress(job->dresser, frame, &job->paint, p->solids,
		                          p->solid_count, p, error);
	for (uint32_t k = 0; result == OZ_OK && k < job->skins.count; k++) {
		const oz_cli_skin *s = &job->skins.skins[k];
		if (s->shown)
			result = oz_dresser_add(job->dresser, &s->mesh, s->material, &job->paint, p,
			                        error);
	}
	return result;
}

static oz_result trace(oz_render_job *job, uint32_t number, oz_frame *frame, oz_error *error)
{
	oz_painting *p = &job->painting;
	if (job->dresser) {
		const oz_result result = dress(job, number, frame, error);
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
	result = trace(job, number, &frame, error);
	const char *title = oz_colouring_title(job->paint.by);
	if (result == OZ_OK && title)
		oz_picture_legend(&job->picture, title, job->paint.low, job->paint.high);
	if (result == OZ_OK && job->legend_names)
		oz_picture_names(&job->picture, job->legend_names, job->legend_colours,
		                 job->legend_count);
	oz_frame_free(&frame);
	return result;
}

// Draws a frame, and into a file if there is a name for it; says which, if that fails.
static oz_result draw_file(oz_render_job *job, uint32_t number, const char *path, oz_error *error)
{
	oz_error cause;
	oz_result result = draw(job, number, &cause);
	if (result == OZ_OK && path)
		result = oz_picture_write(&job->picture, path, &cause);
	return result == OZ_OK
	               ? result
	               : oz_fail(error, result, "frame %" PRIu32 ": %s", number, cause.text);
}

// ---- sequences --------------------------------------------------------------------------------

static void say_progress(const oz_render_job *job, uint32_t done, uint32_t count)
{
	const double seconds = 1e-9 * (double)(oz_clock_ns() - job->begun_ns);
	if (job->quiet || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\rframe %" PRIu32 " of %" PRIu32, done, count);
	if (done < count)
		fprintf(stderr, ", %s left", oz_cli_clock(seconds / done * (count - done)).s);
	fprintf(stderr, "\x1b[K%s", done == count || oz_cli_stop_wanted() ? "\n" : "");
}

static oz_run_path picture_path(const oz_render_job *job, uint32_t number)
{
	char name[40];
	snprintf(name, sizeof name, "pictures/frame_%05" PRIu32 ".png", number);
	return oz_run_folder_path(&job->target, name);
}

// Draws all frames into files, or those on the sheet onto it alone.
static oz_result draw_frames(oz_render_job *job, bool sheet_only, oz_error *error)
{
	uint32_t count = 0, done = 0;
	for (uint32_t k = 0; k < job->frames.count; k++)
		count += !sheet_only || oz_render_is_on_sheet(job, k);
	oz_cli_catch_stop();
	job->begun_ns = oz_clock_ns();
	for (uint32_t k = 0; k < job->frames.count; k++) {
		const uint32_t number = job->frames.numbers[k];
		if (sheet_only && !oz_render_is_on_sheet(job, k))
			continue;
		if (oz_cli_stop_wanted())
			return oz_fail(error, OZ_ERROR_STOPPED,
			               "stopped at frame %" PRIu32 " of %" PRIu32
			               "; run the same command again",
			               done, count);
		oz_run_path path = picture_path(job, number);
		oz_result result = draw_file(job, number, sheet_only ? NULL : path.s, error);
		if (result != OZ_OK)
			return result;
		oz_render_put_on_sheet(job, k);
		say_progress(job, ++done, count);
	}
	return OZ_OK;
}

// ---- files ------------------------------------------------------------------------------------

static oz_result make_folder(const char *path, oz_error *error)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_FILE,
	               "the folder %s cannot be made: %s; choose another with -o", path,
	               strerror(errno));
}

static bool is_frame(const oz_render_job *job, uint32_t number)
{
	for (uint32_t k = 0; k < job->frames.count; k++)
		if (job->frames.numbers[k] == number)
			return true;
	return false;
}

// Removes pictures that an earlier call left of frames which are no more.
static oz_result clear_others(const oz_render_job *job, oz_error *error)
{
	uint32_t *numbers, count;
	oz_result result = oz_frame_list(oz_run_folder_path(&job->target, "pictures").s, "png",
	                                 &numbers, &count, error);
	for (uint32_t k = 0; result == OZ_OK && k < count; k++) {
		oz_run_path path = picture_path(job, numbers[k]);
		if (!is_frame(job, numbers[k]) && unlink(path.s) != 0)
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
	if (job->frame == OZ_NONE)
		oz_cli_frames_warn_of_gaps(&job->frames);
	const oz_picture_def *def = oz_scene_picture(job->frames.scene);
	job->paint.world = job->frames.world;
	job->painting.samples = job->samples ? job->samples : def->samples;
	job->painting.radius = 0.55f * oz_world_get_def(job->frames.world)->spacing;
	job->painting.solid_count = oz_world_collider_count(job->frames.world);
	job->painting.solids = job->solids =
	        calloc((size_t)job->painting.solid_count + 1, sizeof *job->solids);
	if (!job->solids)
		return no_memory(error);
	result = dress_solids(job, error);
	if (result == OZ_OK)
		result = oz_tracer_create(job->width, job->height, job->threads, &job->tracer,
		                          error);
	if (result == OZ_OK)
		result = oz_picture_create(job->width, job->height, &job->picture, error);
	if (result == OZ_OK)
		result = oz_cli_frames_colours(&job->frames, &job->colours, error);
	job->paint.materials = job->colours;
	if (result == OZ_OK)
		result = name_colours(job, error);
	if (result == OZ_OK)
		result = survey(job, error);
	if (result == OZ_OK && !job->particles && !def->particles)
		result = make_dresser(job, error);
	if (result == OZ_OK && job->dresser)
		result = oz_cli_skins_open(&job->skins, &job->frames, true, job->threads, hooks,
		                           error);
	if (result == OZ_OK && job->frame == OZ_NONE)
		result = oz_render_make_sheet(job, error);
	return result;
}

static oz_result render_frame(oz_render_job *job, oz_error *error)
{
	char name[40];
	snprintf(name, sizeof name, "frame_%05" PRIu32 ".png", job->frame);
	oz_run_path path = oz_run_folder_path(&job->target, name);
	if (job->output)
		snprintf(path.s, sizeof path.s, "%s", job->output);
	const oz_result result = draw_file(job, job->frame, path.s, error);
	if (result == OZ_OK && !job->quiet)
		printf("%s\n", path.s);
	return result;
}

static oz_result render_moments(oz_render_job *job, oz_error *error)
{
	oz_run_path sheet = oz_render_sheet_path(job);
	oz_result result = make_folder(job->target.path, error);
	if (result == OZ_OK)
		result = draw_frames(job, true, error);
	if (result == OZ_OK)
		result = oz_picture_write(&job->sheet, sheet.s, error);
	if (result == OZ_OK && !job->quiet)
		printf("%" PRIu32 " moments in %s\n", job->place_count, sheet.s);
	return result;
}

static oz_result render_all(oz_render_job *job, oz_error *error)
{
	oz_run_path sheet = oz_render_sheet_path(job);
	oz_result result = make_folder(job->target.path, error);
	if (result == OZ_OK)
		result = make_folder(oz_run_folder_path(&job->target, "pictures").s, error);
	if (result == OZ_OK)
		result = draw_frames(job, false, error);
	if (result == OZ_OK)
		result = clear_others(job, error);
	if (result == OZ_OK)
		result = oz_picture_write(&job->sheet, sheet.s, error);
	if (result == OZ_OK && !job->quiet)
		printf("%s pictures in %s/pictures, %" PRIu32 " moments in %s\n",
		       oz_cli_count(job->frames.count).s, job->target.path, job->place_count,
		       sheet.s);
	return result;
}

static oz_result render(oz_render_job *job, oz_error *error)
{
	return job->frame != OZ_NONE ? render_frame(job, error)
	       : job->times          ? render_moments(job, error)
	                             : render_all(job, error);
}

int oz_cli_render(int argc, char **argv)
{
	oz_render_job job = {.size = "960x540", .frame = OZ_NONE};
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
	oz_cli_skins_close(&job.skins);
	oz_picture_free(&job.picture);
	oz_picture_free(&job.sheet);
	for (uint32_t k = 0; job.hulls && k < job.painting.solid_count; k++)
		oz_hull_free(job.hulls[k]);
	free(job.hulls);
	free(job.solids);
	free(job.colours);
	free(job.legend_names);
	free(job.legend_colours);
	oz_cli_frames_close(&job.frames);
	return status;
}
