// surfaces.c: meshes of a frame: one for all particles, or one for each body or material.
//
// The particles of a frame are sorted by group, and each range of the sorted array makes a mesh. A
// group without particles makes an empty mesh, so that every frame has a mesh of every group.
// Bodies that show a skin have no particles here; their skin is appended to the mesh of their
// group. Vertices have the colours of their materials, as in pictures.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "show/show.h"

struct oz_show_surfaces {
	const oz_show_frames *frames;
	oz_show_each each;
	uint32_t group_count;
	oz_surface *surface;
	oz_show_skins skins;
	const oz_surface_mesh **parts; // that are joined
	oz_show_joint joint;
	oz_collider_view *colliders;
	oz_shape *walls;
	uint32_t wall_count;
	oz_vec3 *colours; // of the materials, linear

	// the frame that was read last
	oz_frame frame;
	uint32_t *begins; // first grain of each group in the frame, and the end
	oz_vec3 *grain_colours;
	oz_show_work work;
};

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "out of memory; close other programs");
}

// ---- groups -----------------------------------------------------------------------------------

uint32_t oz_show_group_count(const oz_world *world, oz_show_each each)
{
	return each == OZ_SHOW_BODIES      ? oz_world_body_count(world)
	       : each == OZ_SHOW_MATERIALS ? oz_world_material_count(world)
	                                   : 1;
}

const char *oz_show_group_name(const oz_world *world, oz_show_each each, uint32_t group)
{
	return each == OZ_SHOW_BODIES      ? oz_world_body_name(world, group)
	       : each == OZ_SHOW_MATERIALS ? oz_world_get_material(world, group)->name
	                                   : "";
}

static uint32_t group_of(const oz_show_surfaces *s, uint32_t body, uint32_t material)
{
	return s->each == OZ_SHOW_BODIES ? body : s->each == OZ_SHOW_MATERIALS ? material : 0;
}

static uint32_t group_of_grain(const oz_show_surfaces *s, const oz_grain *grain)
{
	return group_of(s, grain->body, grain->material);
}

// Fills `begins`: where the grains of each group begin.
static oz_result count_grains(oz_show_surfaces *s, oz_error *error)
{
	const oz_frame *frame = &s->frame;
	memset(s->begins, 0, sizeof *s->begins * ((size_t)s->group_count + 1));
	for (uint32_t i = 0; i < frame->count; i++) {
		const uint32_t group = group_of_grain(s, &frame->grains[i]);
		if (group >= s->group_count)
			return oz_fail(error, OZ_ERROR_FORMAT,
			               "particle %" PRIu32 " has a body or material that is not in "
			               "the scene; use the scene of the run",
			               frame->grains[i].id);
		s->begins[group + 1]++;
	}
	for (uint32_t k = 0; k < s->group_count; k++)
		s->begins[k + 1] += s->begins[k];
	return OZ_OK;
}

// Sorts grains by group, keeping their order within a group.
static oz_result sort_grains(oz_show_surfaces *s, oz_error *error)
{
	oz_frame *frame = &s->frame;
	const oz_result result = count_grains(s, error);
	if (result != OZ_OK || s->group_count == 1)
		return result;
	oz_grain *sorted = malloc(sizeof *sorted * ((size_t)frame->count + 1));
	uint32_t *at = malloc(sizeof *at * ((size_t)s->group_count + 1));
	const bool done = sorted && at;
	if (done) {
		memcpy(at, s->begins, sizeof *at * s->group_count);
		for (uint32_t i = 0; i < frame->count; i++)
			sorted[at[group_of_grain(s, &frame->grains[i])]++] = frame->grains[i];
		oz_grain *old = frame->grains;
		frame->grains = sorted;
		sorted = old;
	}
	free(sorted);
	free(at);
	return done ? OZ_OK : no_memory(error);
}

// ---- making -----------------------------------------------------------------------------------

static oz_result make_room(oz_show_surfaces *s, oz_error *error)
{
	const oz_world *world = s->frames->world;
	s->group_count = oz_show_group_count(world, s->each);
	s->wall_count = oz_world_collider_count(world);
	s->colliders = calloc((size_t)s->wall_count + 1, sizeof *s->colliders);
	s->walls = calloc((size_t)s->wall_count + 1, sizeof *s->walls);
	s->parts = calloc((size_t)oz_world_body_count(world) + 1, sizeof *s->parts);
	s->begins = calloc((size_t)s->group_count + 2, sizeof *s->begins);
	return s->colliders && s->walls && s->parts && s->begins ? OZ_OK : no_memory(error);
}

oz_result oz_show_surfaces_create(const oz_show_frames *frames, oz_show_each each,
                                  const oz_surface_def *def, oz_show_surfaces **surfaces,
                                  oz_error *error)
{
	oz_show_surfaces *s = calloc(1, sizeof *s);
	*surfaces = NULL;
	if (!s)
		return no_memory(error);
	s->frames = frames;
	s->each = each;
	oz_result result = make_room(s, error);
	if (result == OZ_OK)
		result = oz_surface_create(def, &s->surface, error);
	if (result == OZ_OK)
		result = oz_show_skins_open(&s->skins, frames, false, def->threads, &def->hooks,
		                            error);
	if (result == OZ_OK)
		result = oz_show_colours(frames->scene, frames->world, &s->colours, error);
	if (result == OZ_OK)
		*surfaces = s;
	else
		oz_show_surfaces_destroy(s);
	return result;
}

void oz_show_surfaces_destroy(oz_show_surfaces *s)
{
	if (!s)
		return;
	oz_surface_destroy(s->surface);
	oz_show_skins_close(&s->skins);
	oz_frame_free(&s->frame);
	free(s->parts);
	free(s->joint.memory);
	free(s->colliders);
	free(s->walls);
	free(s->colours);
	free(s->begins);
	free(s->grain_colours);
	free(s);
}

oz_show_work oz_show_surfaces_work(const oz_show_surfaces *surfaces)
{
	return surfaces->work;
}

// ---- a frame ----------------------------------------------------------------------------------

// Allocates a colour for each grain, that of its material; NULL: out of memory.
static oz_vec3 *colour_grains(const oz_show_surfaces *s)
{
	const oz_frame *frame = &s->frame;
	const uint32_t materials = oz_world_material_count(s->frames->world);
	oz_vec3 *colours = malloc(sizeof *colours * ((size_t)frame->count + 1));
	for (uint32_t i = 0; colours && i < frame->count; i++) {
		const uint32_t material = frame->grains[i].material;
		colours[i] = s->colours[material < materials ? material : materials];
	}
	return colours;
}

// Poses the skins of bodies and removes their particles from the frame.
static oz_result pose_skins(oz_show_surfaces *s, uint32_t number, oz_error *error)
{
	if (s->skins.count == 0)
		return OZ_OK;
	oz_vec3 *colours = colour_grains(s);
	const uint32_t all = s->frame.count;
	const uint64_t begun = oz_clock_ns();
	const oz_result result =
	        colours ? oz_show_skins_pose(&s->skins, number, &s->frame, colours, error)
	                : no_memory(error);
	s->work.ns += oz_clock_ns() - begun;
	s->work.particles += all - s->frame.count;
	free(colours);
	return result;
}

static void place_walls(oz_show_surfaces *s, uint32_t number)
{
	oz_collider_views(s->frames->world, oz_show_time(s->frames, number), s->colliders);
	for (uint32_t k = 0; k < s->wall_count; k++)
		s->walls[k] = s->colliders[k].shape;
}

oz_result oz_show_surfaces_read(oz_show_surfaces *s, uint32_t number, oz_error *error)
{
	oz_frame_free(&s->frame);
	free(s->grain_colours);
	s->grain_colours = NULL;
	oz_result result = oz_show_read_frame(s->frames, number, &s->frame, error);
	if (result == OZ_OK)
		result = pose_skins(s, number, error);
	if (result == OZ_OK)
		result = sort_grains(s, error);
	if (result != OZ_OK)
		return result;
	s->grain_colours = colour_grains(s);
	place_walls(s, number);
	return s->grain_colours ? OZ_OK : no_memory(error);
}

// ---- one mesh ---------------------------------------------------------------------------------

static oz_view view_of(const oz_grain *grains, size_t offset, uint32_t count)
{
	return (oz_view){(const char *)grains + offset, sizeof *grains, count};
}

// Joins the surface of a group and the skins of its bodies to one mesh.
static oz_result add_skins(oz_show_surfaces *s, uint32_t group, oz_surface_mesh *mesh,
                           oz_error *error)
{
	uint32_t count = 0;
	if (mesh->vertex_count)
		s->parts[count++] = mesh;
	for (uint32_t k = 0; k < s->skins.count; k++) {
		const oz_show_skin *skin = &s->skins.skins[k];
		if (skin->shown && group_of(s, skin->body, skin->material) == group)
			s->parts[count++] = &skin->mesh;
	}
	if (count == 0 || (count == 1 && s->parts[0] == mesh))
		return OZ_OK;
	const oz_result result = oz_show_join(&s->joint, s->parts, count, error);
	if (result == OZ_OK)
		*mesh = s->joint.mesh;
	return result;
}

oz_result oz_show_surfaces_mesh(oz_show_surfaces *s, uint32_t group, oz_surface_mesh *mesh,
                                oz_error *error)
{
	const uint32_t begin = s->begins[group], count = s->begins[group + 1] - begin;
	const oz_grain *grains = s->frame.grains + begin;
	const oz_surface_input input = {
	        .position = view_of(grains, offsetof(oz_grain, position), count),
	        .velocity = view_of(grains, offsetof(oz_grain, velocity), count),
	        .colour = {s->grain_colours + begin, sizeof *s->grain_colours, count},
	        .body = view_of(grains, offsetof(oz_grain, body), count),
	        .material = view_of(grains, offsetof(oz_grain, material), count),
	        .walls = s->walls,
	        .wall_count = s->wall_count,
	};
	*mesh = (oz_surface_mesh){0};
	const uint64_t begun = oz_clock_ns();
	oz_result result = oz_surface_build(s->surface, &input, mesh, error);
	if (result == OZ_OK)
		result = add_skins(s, group, mesh, error);
	s->work.ns += oz_clock_ns() - begun;
	if (result != OZ_OK)
		return result;
	s->work.particles += count;
	s->work.triangles += mesh->triangle_count;
	return OZ_OK;
}
