// render.c: `ooze render`: pictures of a run's frames, and a contact sheet.
//
// The show room decides what a picture shows; this file draws pictures one after the other and
// writes them to files.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "render.h"

// Draws a frame and, unless `path` is NULL, writes it to a file; an error names the frame.
static oz_result draw_file(oz_render_job *job, uint32_t number, const char *path, oz_error *error)
{
	oz_error cause;
	oz_result result =
	        oz_show_painter_draw(job->painter, number, job->tracer, &job->picture, &cause);
	if (result == OZ_OK && path)
		result = oz_picture_write(&job->picture, path, &cause);
	return result == OZ_OK
	               ? result
	               : oz_fail(error, result, "frame %" PRIu32 ": %s", number, cause.text);
}

// ---- sequences --------------------------------------------------------------------------------

static oz_run_path picture_path(const oz_render_job *job, uint32_t number)
{
	char name[40];
	snprintf(name, sizeof name, "pictures/frame_%05" PRIu32 ".png", number);
	return oz_run_folder_path(&job->target, name);
}

// Draws all frames into files and onto the sheet; sheet_only: only the sheet's frames, without
// files.
static oz_result draw_frames(oz_render_job *job, bool sheet_only, oz_error *error)
{
	uint32_t count = 0;
	oz_cli_frame_clock clock;
	for (uint32_t k = 0; k < job->frames.all.count; k++)
		count += !sheet_only || oz_show_sheet_has(&job->sheet, k);
	oz_cli_catch_stop();
	oz_cli_begin_frames(&clock, count);
	for (uint32_t k = 0; k < job->frames.all.count; k++) {
		const uint32_t number = job->frames.numbers[k];
		if (sheet_only && !oz_show_sheet_has(&job->sheet, k))
			continue;
		if (oz_cli_stop_wanted())
			return oz_fail(error, OZ_ERROR_STOPPED,
			               "stopped at frame %" PRIu32 " of %" PRIu32
			               "; run the same command again",
			               clock.done, count);
		oz_run_path path = picture_path(job, number);
		oz_result result = draw_file(job, number, sheet_only ? NULL : path.s, error);
		if (result != OZ_OK)
			return result;
		result = oz_show_sheet_put(&job->sheet, k, &job->picture, error);
		if (result != OZ_OK)
			return result;
		oz_cli_count_frame(&clock);
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

// Removes pictures of an earlier call whose frames do not exist any more.
static oz_result clear_others(const oz_render_job *job, oz_error *error)
{
	uint32_t *numbers, count;
	oz_result result = oz_frame_list(oz_run_folder_path(&job->target, "pictures").s, "png",
	                                 &numbers, &count, error);
	for (uint32_t k = 0; result == OZ_OK && k < count; k++) {
		oz_run_path path = picture_path(job, numbers[k]);
		if (!oz_show_has_frame(&job->frames.all, numbers[k]) && unlink(path.s) != 0)
			result = oz_fail(error, OZ_ERROR_FILE,
			                 "%s is of an earlier call and cannot be removed: %s; "
			                 "remove it",
			                 path.s, strerror(errno));
	}
	free(numbers);
	return result;
}

// ---- the command ------------------------------------------------------------------------------

// Warns of times after the last frame; the sheet shows the last frame for them.
static void warn_of_late_times(const oz_render_job *job)
{
	const oz_show_frames *all = &job->frames.all;
	const double end = oz_show_time(all, all->numbers[all->count - 1]);
	const double frame = 1 / (double)oz_scene_output(all->scene)->frame_rate;
	for (uint32_t k = 0; k < job->moment_count; k++)
		if (job->moments[k] > end + 0.5 * frame)
			oz_cli_warn("--times has %.6g, but the run ends at %.6g s; its last frame "
			            "is shown",
			            job->moments[k], end);
}

static oz_result make_sheet(oz_render_job *job, oz_error *error)
{
	warn_of_late_times(job);
	return oz_show_sheet_make(&job->sheet, &job->frames.all, job->moments, job->moment_count,
	                          job->def.width, job->def.height, error);
}

static oz_result open_frames(oz_render_job *job, const char *folder, oz_error *error)
{
	oz_result result = oz_cli_frames_open(&job->frames, folder, "pictures", job->def.threads,
	                                      &job->def.hooks, error);
	if (result == OZ_OK)
		result =
		        oz_run_folder_name(&job->target, job->output ? job->output : folder, error);
	if (result == OZ_OK && job->frame != OZ_NONE)
		result = oz_cli_frames_check(&job->frames, job->frame, error);
	if (result == OZ_OK && job->frame == OZ_NONE)
		oz_cli_frames_warn_of_gaps(&job->frames);
	return result;
}

static oz_result prepare(oz_render_job *job, const char *folder, oz_error *error)
{
	const oz_show_picture_def *def = &job->def;
	oz_result result = open_frames(job, folder, error);
	if (result == OZ_OK)
		result = oz_tracer_create(def->width, def->height, def->threads, &job->tracer,
		                          error);
	if (result == OZ_OK)
		result = oz_picture_create(def->width, def->height, &job->picture, error);
	if (result == OZ_OK) {
		oz_cli_begin_work("looking through %s frames for the camera and the colours",
		                  oz_cli_count(job->frames.all.count).s);
		result = oz_show_painter_create(&job->frames.all, def, &job->painter, error);
		oz_cli_end_work();
	}
	if (result == OZ_OK && job->frame == OZ_NONE)
		result = make_sheet(job, error);
	return result;
}

static oz_result render_frame(oz_render_job *job, oz_error *error)
{
	char name[40];
	snprintf(name, sizeof name, "frame_%05" PRIu32 ".png", job->frame);
	oz_run_path path = oz_run_folder_path(&job->target, name);
	if (job->output)
		snprintf(path.s, sizeof path.s, "%s", job->output);
	oz_cli_begin_work("drawing frame %" PRIu32, job->frame);
	const oz_result result = draw_file(job, job->frame, path.s, error);
	oz_cli_end_work();
	if (result == OZ_OK && !job->quiet)
		printf("%s\n", path.s);
	return result;
}

static oz_result render_moments(oz_render_job *job, oz_error *error)
{
	const bool named = job->output && oz_cli_ends_with(job->output, ".png");
	oz_run_path sheet = oz_run_folder_path(&job->target, "contact_sheet.png");
	if (named)
		snprintf(sheet.s, sizeof sheet.s, "%s", job->output);
	oz_result result = named ? OZ_OK : make_folder(job->target.path, error);
	if (result == OZ_OK)
		result = draw_frames(job, true, error);
	if (result == OZ_OK)
		result = oz_picture_write(&job->sheet.picture, sheet.s, error);
	if (result == OZ_OK && !job->quiet)
		printf("%" PRIu32 " moments in %s\n", job->sheet.place_count, sheet.s);
	return result;
}

static oz_result render_all(oz_render_job *job, oz_error *error)
{
	oz_run_path sheet = oz_run_folder_path(&job->target, "contact_sheet.png");
	oz_result result = make_folder(job->target.path, error);
	if (result == OZ_OK)
		result = make_folder(oz_run_folder_path(&job->target, "pictures").s, error);
	if (result == OZ_OK)
		result = draw_frames(job, false, error);
	if (result == OZ_OK)
		result = clear_others(job, error);
	if (result == OZ_OK)
		result = oz_picture_write(&job->sheet.picture, sheet.s, error);
	if (result == OZ_OK && !job->quiet)
		printf("%s pictures in %s/pictures, %" PRIu32 " moments in %s\n",
		       oz_cli_count(job->frames.all.count).s, job->target.path,
		       job->sheet.place_count, sheet.s);
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
	job.def.hooks = (oz_hooks){.log = oz_cli_log, .context = &spec.verbose};
	status = OZ_CLI_DONE;
	if (prepare(&job, spec.arguments[0], &error) != OZ_OK || render(&job, &error) != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	oz_show_painter_destroy(job.painter);
	oz_tracer_destroy(job.tracer);
	oz_picture_free(&job.picture);
	oz_show_sheet_free(&job.sheet);
	oz_cli_frames_close(&job.frames);
	return status;
}
