// surface.c: `ooze surface`: meshes around the particles of a run's frames.
//
// One mesh for all particles, or one for each body or material: then the particles of a frame are
// sorted by what they belong to, and each run of the sorted list makes a mesh. A group without
// particles makes an empty mesh, so that every series has a file for every frame. Vertices have the
// colours of their materials, as pictures do.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "surface.h"

typedef struct surface_job {
	oz_cli_surface_options options;
	bool quiet;
	oz_cli_frames frames;
	oz_run_folder target;
	oz_surface *surface;
	oz_cli_skins skins; // of bodies that show them
	const oz_surface_mesh **parts;
	oz_cli_surface_joint joint;
	oz_solid_view *solids;
	oz_shape *walls;
	uint32_t wall_count;
	oz_vec3 *colours; // of the materials, linear
	uint32_t group_count;
	char (*names)[OZ_CLI_SURFACE_NAME]; // of the groups, in file names
	uint64_t particles, triangles;
	uint64_t build_ns;
} surface_job;

// ---- groups -----------------------------------------------------------------------------------

static uint32_t group_of(const surface_job *job, uint32_t body, uint32_t material)
{
	return job->options.each == OZ_CLI_EACH_BODY       ? body
	       : job->options.each == OZ_CLI_EACH_MATERIAL ? material
	                                                   : 0;
}

static uint32_t group_of_grain(const surface_job *job, const oz_grain *grain)
{
	return group_of(job, grain->body, grain->material);
}

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "memory is out; close other programs");
}

static oz_result name_groups(surface_job *job, oz_error *error)
{
	const oz_world *world = job->frames.world;
	const oz_cli_surface_each each = job->options.each;
	job->group_count = each == OZ_CLI_EACH_BODY       ? oz_world_body_count(world)
	                   : each == OZ_CLI_EACH_MATERIAL ? oz_world_material_count(world)
	                                                  : 1;
	job->names = calloc((size_t)job->group_count + 1, sizeof *job->names);
	if (!job->names)
		return no_memory(error);
	for (uint32_t k = 0; each != OZ_CLI_EACH_ALL && k < job->group_count; k++)
		oz_cli_surface_file_name(each == OZ_CLI_EACH_BODY
		                                 ? oz_world_body_name(world, k)
		                                 : oz_world_get_material(world, k)->name,
		                         job->names, k, job->names[k]);
	return OZ_OK;
}

typedef struct series_name {
	char s[OZ_CLI_SURFACE_NAME + 24];
} series_name;

// bodies and materials may have the same names
static const char *kind_of(const surface_job *job)
{
	return job->options.each == OZ_CLI_EACH_BODY       ? "body_"
	       : job->options.each == OZ_CLI_EACH_MATERIAL ? "material_"
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

// Sorts grains by group, keeping their order; begins[k] is where group k begins.
static oz_result sort_grains(const surface_job *job, oz_frame *frame, uint32_t *begins,
                             oz_error *error)
{
	memset(begins, 0, sizeof *begins * ((size_t)job->group_count + 1));
	for (uint32_t i = 0; i < frame->count; i++) {
		const uint32_t group = group_of_grain(job, &frame->grains[i]);
		if (group >= job->group_count)
			return oz_fail(error, OZ_ERROR_FORMAT,
			               "particle %" PRIu32 " is of a body or material that the "
			               "scene does not have; put the scene of the run there",
			               frame->grains[i].id);
		begins[group + 1]++;
	}
	for (uint32_t k = 0; k < job->group_count; k++)
		begins[k + 1] += begins[k];
	if (job->group_count == 1)
		return OZ_OK;
	oz_grain *sorted = malloc(sizeof *sorted * ((size_t)frame->count + 1));
	uint32_t *at = malloc(sizeof *at * ((size_t)job->group_count + 1));
	if (sorted && at) {
		memcpy(at, begins, sizeof *at * job->group_count);
		for (uint32_t i = 0; i < frame->count; i++)
			sorted[at[group_of_grain(job, &frame->grains[i])]++] = frame->grains[i];
		oz_grain *old = frame->grains;
		frame->grains = sorted;
		sorted = old;
	}
	const bool done = sorted && at;
	free(sorted);
	free(at);
	return done ? OZ_OK : no_memory(error);
}

// ---- colours ----------------------------------------------------------------------------------

// one for each grain; NULL if memory is out
static oz_vec3 *colour_grains(const surface_job *job, const oz_frame *frame)
{
	const uint32_t materials = oz_world_material_count(job->frames.world);
	oz_vec3 *colours = malloc(sizeof *colours * ((size_t)frame->count + 1));
	for (uint32_t i = 0; colours && i < frame->count; i++) {
		const uint32_t material = frame->grains[i].material;
		colours[i] = job->colours[material < materials ? material : materials];
	}
	return colours;
}

// ---- one mesh ---------------------------------------------------------------------------------

static oz_view view_of(const oz_grain *grains, size_t offset, uint32_t count)
{
	return (oz_view){(const char *)grains + offset, sizeof *grains, count};
}

// the surface of a group and the skins of its bodies, as one mesh
static oz_result add_skins(surface_job *job, uint32_t group, oz_surface_mesh *mesh, oz_error *error)
{
	uint32_t count = 0;
	if (mesh->vertex_count)
		job->parts[count++] = mesh;
	for (uint32_t k = 0; k < job->skins.count; k++) {
		const oz_cli_skin *s = &job->skins.skins[k];
		if (s->shown && group_of(job, s->body, s->material) == group)
			job->parts[count++] = &s->mesh;
	}
	if (count == 0 || (count == 1 && job->parts[0] == mesh))
		return OZ_OK;
	const oz_result result = oz_cli_surface_join(&job->joint, job->parts, count, error);
	if (result == OZ_OK)
		*mesh = job->joint.mesh;
	return result;
}

static oz_result make_mesh(surface_job *job, uint32_t group, uint32_t number,
                           const oz_grain *grains, const oz_vec3 *colours, uint32_t count,
                           oz_error *error)
{
	const oz_surface_input input = {
	        .position = view_of(grains, offsetof(oz_grain, position), count),
	        .velocity = view_of(grains, offsetof(oz_grain, velocity), count),
	        .colour = {colours, sizeof *colours, count},
	        .body = view_of(grains, offsetof(oz_grain, body), count),
	        .material = view_of(grains, offsetof(oz_grain, material), count),
	        .walls = job->walls,
	        .wall_count = job->wall_count,
	};
	oz_surface_mesh mesh = {0};
	const uint64_t begun = oz_clock_ns();
	oz_result result = oz_surface_build(job->surface, &input, &mesh, error);
	if (result == OZ_OK)
		result = add_skins(job, group, &mesh, error);
	job->build_ns += oz_clock_ns() - begun;
	if (result != OZ_OK)
		return result;
	job->particles += count;
	job->triangles += mesh.triangle_count;
	return oz_cli_surface_write(&job->target, series_of(job, group).s, number,
	                            job->options.formats, &mesh, error);
}

// poses the skins of bodies, whose particles make no surface then
static oz_result pose_skins(surface_job *job, uint32_t number, oz_frame *frame, oz_error *error)
{
	if (job->skins.count == 0)
		return OZ_OK;
	oz_vec3 *colours = colour_grains(job, frame);
	const uint32_t all = frame->count;
	const uint64_t begun = oz_clock_ns();
	const oz_result result =
	        colours ? oz_cli_skins_pose(&job->skins, number, frame, colours, error)
	                : no_memory(error);
	job->build_ns += oz_clock_ns() - begun;
	job->particles += all - frame->count;
	free(colours);
	return result;
}

static void place_walls(surface_job *job, uint32_t number)
{
	oz_solid_views(job->frames.world, oz_cli_frames_time(&job->frames, number), job->solids);
	for (uint32_t k = 0; k < job->wall_count; k++)
		job->walls[k] = job->solids[k].shape;
}

static oz_result make_meshes(surface_job *job, uint32_t number, oz_error *error)
{
	oz_frame frame;
	uint32_t *begins = calloc((size_t)job->group_count + 2, sizeof *begins);
	oz_result result = oz_cli_frames_read(&job->frames, number, &frame, error);
	oz_cli_frames_drop_lost(number, &frame);
	if (result == OZ_OK && !begins)
		result = no_memory(error);
	if (result == OZ_OK)
		result = pose_skins(job, number, &frame, error);
	if (result == OZ_OK)
		result = sort_grains(job, &frame, begins, error);
	oz_vec3 *colours = result == OZ_OK ? colour_grains(job, &frame) : NULL;
	if (result == OZ_OK && !colours)
		result = no_memory(error);
	place_walls(job, number);
	for (uint32_t k = 0; result == OZ_OK && k < job->group_count; k++)
		result = make_mesh(job, k, number, frame.grains + begins[k], colours + begins[k],
		                   begins[k + 1] - begins[k], error);
	free(colours);
	free(begins);
	oz_frame_free(&frame);
	return result;
}

// ---- the command ------------------------------------------------------------------------------

static oz_result prepare(surface_job *job, const char *folder, const oz_hooks *hooks,
                         oz_error *error)
{
	oz_cli_frames *frames = &job->frames;
	oz_result result =
	        oz_cli_frames_open(frames, folder, "surfaces", job->options.threads, hooks, error);
	if (result == OZ_OK)
		result = oz_run_folder_name(&job->target,
		                            job->options.output ? job->options.output : folder,
		                            error);
	if (result == OZ_OK && job->options.frame == OZ_NONE)
		oz_cli_frames_warn_of_gaps(frames);
	if (result == OZ_OK && job->options.frame != OZ_NONE)
		result = oz_cli_frames_pick(frames, job->options.frame, error);
	if (result != OZ_OK)
		return result;
	job->wall_count = oz_world_collider_count(frames->world);
	job->solids = calloc((size_t)job->wall_count + 1, sizeof *job->solids);
	job->walls = calloc((size_t)job->wall_count + 1, sizeof *job->walls);
	job->parts = calloc((size_t)oz_world_body_count(frames->world) + 1, sizeof *job->parts);
	if (!job->solids || !job->walls || !job->parts)
		return no_memory(error);
	oz_surface_def def = *oz_scene_surface(frames->scene);
	def.hooks = *hooks;
	result = oz_cli_surface_apply(&job->options, &def, error);
	if (result == OZ_OK)
		result = oz_surface_create(&def, &job->surface, error);
	if (result == OZ_OK)
		result = name_groups(job, error);
	if (result == OZ_OK)
		result = oz_cli_skins_open(&job->skins, frames, false, def.threads, hooks, error);
	if (result == OZ_OK)
		result = oz_cli_frames_colours(frames, &job->colours, error);
	return result;
}

// what an earlier call left of these series is not of this sequence
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
		        oz_cli_surface_write_list(&job->target, &job->frames, list,
		                                  series_of(job, k).s, job->options.formats, error);
	}
	return result;
}

static void say_progress(const surface_job *job, uint32_t k)
{
	if (!job->quiet && isatty(STDERR_FILENO))
		fprintf(stderr, "\rframe %" PRIu32 " of %" PRIu32 "%s", k + 1, job->frames.count,
		        k + 1 == job->frames.count ? "\n" : "");
}

static oz_result make_all(surface_job *job, oz_error *error)
{
	oz_result result = clear(job, error);
	for (uint32_t k = 0; result == OZ_OK && k < job->frames.count; k++) {
		oz_error cause;
		result = make_meshes(job, job->frames.numbers[k], &cause);
		if (result != OZ_OK)
			return oz_fail(error, result, "frame %" PRIu32 ": %s",
			               job->frames.numbers[k], cause.text);
		say_progress(job, k);
	}
	// a single frame is no series
	if (result == OZ_OK && job->options.frame == OZ_NONE)
		result = write_lists(job, error);
	return result;
}

static void tell(const surface_job *job)
{
	const double seconds = 1e-9 * (double)(job->build_ns ? job->build_ns : 1);
	printf("%s %s, %s triangles, %s particles/s, in %s/surfaces\n",
	       oz_cli_count(job->frames.count).s, job->frames.count == 1 ? "frame" : "frames",
	       oz_cli_count(job->triangles).s, oz_cli_rate((double)job->particles / seconds).s,
	       job->target.path);
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
		tell(&job);
	oz_surface_destroy(job.surface);
	oz_cli_skins_close(&job.skins);
	free(job.parts);
	free(job.joint.memory);
	free(job.colours);
	free(job.names);
	free(job.walls);
	free(job.solids);
	oz_cli_frames_close(&job.frames);
	return status;
}
