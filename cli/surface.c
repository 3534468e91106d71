// surface.c: `ooze surface`: files of the meshes around the particles of a run's frames.
//
// The meshes come from the show room: one for all particles, or one for each body or material. Each
// of these groups is a series of files, with a file for every frame.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "surface.h"

typedef struct surface_job {
	oz_cli_surface_options options;
	bool quiet;
	oz_cli_frames frames;
	oz_run_folder target;
	oz_show_surfaces *surfaces;
	uint32_t group_count;
	char (*names)[OZ_CLI_SURFACE_NAME]; // of the groups, in file names
} surface_job;

// ---- names ------------------------------------------------------------------------------------

static oz_result name_groups(surface_job *job, oz_error *error)
{
	const oz_world *world = job->frames.all.world;
	const oz_show_each each = job->options.each;
	job->group_count = oz_show_group_count(world, each);
	job->names = calloc((size_t)job->group_count + 1, sizeof *job->names);
	if (!job->names)
		return oz_fail(error, OZ_ERROR_MEMORY, "out of memory; close other programs");
	for (uint32_t k = 0; each != OZ_SHOW_ALL && k < job->group_count; k++)
		oz_cli_surface_file_name(oz_show_group_name(world, each, k), job->names, k,
		                         job->names[k]);
	return OZ_OK;
}

typedef struct series_name {
	char s[OZ_CLI_SURFACE_NAME + 24];
} series_name;

// Part of the file names, since bodies and materials may have the same names.
static const char *kind_of(const surface_job *job)
{
	return job->options.each == OZ_SHOW_BODIES      ? "body_"
	       : job->options.each == OZ_SHOW_MATERIALS ? "material_"
	                                                : "";
}

// "surface_", "surface_body_NAME_" or "surface_material_NAME_"
static series_name series_of(const surface_job *job, uint32_t group)
{
	series_name series;
	const char *name = job->names[group];
	snprintf(series.s, sizeof series.s, "surface_%s%s%s", kind_of(job), name,
	         name[0] ? "_" : "");
	return series;
}

// ---- the command ------------------------------------------------------------------------------

static oz_result prepare(surface_job *job, const char *folder, const oz_hooks *hooks,
                         oz_error *error)
{
	const oz_cli_surface_options *options = &job->options;
	oz_cli_frames *frames = &job->frames;
	oz_result result =
	        oz_cli_frames_open(frames, folder, "surfaces", options->threads, hooks, error);
	if (result == OZ_OK)
		result = oz_run_folder_name(&job->target,
		                            options->output ? options->output : folder, error);
	if (result == OZ_OK && options->frame == OZ_NONE)
		oz_cli_frames_warn_of_gaps(frames);
	if (result == OZ_OK && options->frame != OZ_NONE)
		result = oz_cli_frames_check(frames, options->frame, error);
	if (result != OZ_OK)
		return result;
	oz_surface_def def = *oz_scene_surface(frames->scene);
	def.hooks = *hooks;
	result = oz_cli_surface_apply(options, &def, error);
	if (result == OZ_OK)
		result = oz_show_surfaces_create(&frames->all, options->each, &def, &job->surfaces,
		                                 error);
	if (result == OZ_OK)
		result = name_groups(job, error);
	return result;
}

// Makes the folder and removes the files of these series from an earlier call.
static oz_result clear(const surface_job *job, oz_error *error)
{
	oz_result result = oz_cli_surface_make_folder(&job->target, error);
	for (uint32_t k = 0; job->options.frame == OZ_NONE && k < job->group_count; k++)
		if (result == OZ_OK)
			result = oz_cli_surface_clear(&job->target, series_of(job, k).s,
			                              job->options.formats, error);
	return result;
}

static oz_result write_lists(const surface_job *job, oz_error *error)
{
	oz_result result = OZ_OK;
	for (uint32_t k = 0; result == OZ_OK && k < job->group_count; k++) {
		char list[OZ_CLI_SURFACE_NAME + 24];
		const char *name = job->names[k];
		snprintf(list, sizeof list, "surfaces%s%s%s", name[0] ? "_" : "", kind_of(job),
		         name);
		result =
		        oz_cli_surface_write_list(&job->target, &job->frames.all, list,
		                                  series_of(job, k).s, job->options.formats, error);
	}
	return result;
}

static oz_result make_meshes(surface_job *job, uint32_t number, oz_error *error)
{
	oz_result result = oz_show_surfaces_read(job->surfaces, number, error);
	for (uint32_t k = 0; result == OZ_OK && k < job->group_count; k++) {
		oz_surface_mesh mesh;
		result = oz_show_surfaces_mesh(job->surfaces, k, &mesh, error);
		if (result == OZ_OK)
			result = oz_cli_surface_write(&job->target, series_of(job, k).s, number,
			                              job->options.formats, &mesh, error);
	}
	return result;
}

// Number of frames for which meshes are made.
static uint32_t frame_count(const surface_job *job)
{
	return job->options.frame == OZ_NONE ? job->frames.all.count : 1;
}

static oz_result make_all(surface_job *job, oz_error *error)
{
	const bool single = job->options.frame != OZ_NONE;
	oz_cli_frame_clock clock;
	oz_cli_begin_frames(&clock, frame_count(job));
	oz_result result = clear(job, error);
	for (uint32_t k = 0; result == OZ_OK && k < frame_count(job); k++) {
		oz_error cause;
		const uint32_t number = single ? job->options.frame : job->frames.numbers[k];
		result = make_meshes(job, number, &cause);
		if (result != OZ_OK)
			return oz_fail(error, result, "frame %" PRIu32 ": %s", number, cause.text);
		oz_cli_count_frame(&clock);
	}
	// a single frame has no list
	if (result == OZ_OK && !single)
		result = write_lists(job, error);
	return result;
}

static void print_summary(const surface_job *job)
{
	const oz_show_work work = oz_show_surfaces_work(job->surfaces);
	const double seconds = 1e-9 * (double)(work.ns ? work.ns : 1);
	const uint32_t count = frame_count(job);
	printf("%s %s, %s triangles, %s particles/s, in %s/surfaces\n", oz_cli_count(count).s,
	       count == 1 ? "frame" : "frames", oz_cli_count(work.triangles).s,
	       oz_cli_rate((double)work.particles / seconds).s, job->target.path);
}

int oz_cli_surface(int argc, char **argv)
{
	surface_job job = {.quiet = false};
	oz_cli_spec spec = {0};
	oz_error error = {OZ_OK, ""};
	int status = oz_cli_surface_parse(&job.options, &spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	job.quiet = spec.quiet;
	oz_hooks hooks = {.log = oz_cli_log, .context = &spec.verbose};
	status = OZ_CLI_DONE;
	if (prepare(&job, spec.arguments[0], &hooks, &error) != OZ_OK ||
	    make_all(&job, &error) != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	else if (!job.quiet)
		print_summary(&job);
	oz_show_surfaces_destroy(job.surfaces);
	free(job.names);
	oz_cli_frames_close(&job.frames);
	return status;
}
