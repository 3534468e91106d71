// skins.c: the skins of a run's bodies, frame by frame.
//
// A body shows its skin while all of its particles are there and solid; once some have melted or
// are lost, the surface around them takes over. Grains are sorted by skin, so that each one looks
// at its own alone.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "../src/render/hull.h"
#include "skins.h"

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "memory is out for the skins; close other programs");
}

// ---- opening ----------------------------------------------------------------------------------

// the start of the run as grains
static oz_result read_start(const oz_cli_frames *frames, oz_frame *start, oz_error *error)
{
	*start = (oz_frame){0};
	if (access(oz_run_folder_frame(&frames->folder, 0, "ply").s, F_OK) == 0)
		return oz_cli_frames_read(frames, 0, start, error);
	oz_view position, id, body;
	oz_result result = oz_world_view(frames->world, OZ_FIELD_POSITION, &position, error);
	if (result == OZ_OK)
		result = oz_world_view(frames->world, OZ_FIELD_ID, &id, error);
	if (result == OZ_OK)
		result = oz_world_view(frames->world, OZ_FIELD_BODY, &body, error);
	if (result != OZ_OK)
		return result;
	start->grains = calloc((size_t)position.count + 1, sizeof *start->grains);
	if (!start->grains)
		return no_memory(error);
	for (; start->count < position.count; start->count++) {
		oz_grain *g = &start->grains[start->count];
		const size_t i = start->count;
		memcpy(&g->position, (const char *)position.data + i * position.stride,
		       sizeof g->position);
		memcpy(&g->id, (const char *)id.data + i * id.stride, sizeof g->id);
		memcpy(&g->body, (const char *)body.data + i * body.stride, sizeof g->body);
	}
	return OZ_OK;
}

static oz_skin_def def_at(const oz_frame *start, uint32_t body, float spacing)
{
	const oz_grain *g = start->grains;
	oz_skin_def def = oz_skin_default(spacing);
	def.position = (oz_view){&g->position, sizeof *g, start->count};
	def.id = (oz_view){&g->id, sizeof *g, start->count};
	def.body = (oz_view){&g->body, sizeof *g, start->count};
	def.carrier = body;
	return def;
}

// ties a mesh as it is, or parted at its edges and with the normals that go with them
static oz_result tie(oz_cli_skin *s, oz_skin_def def, const oz_mesh *mesh, bool sharp,
                     oz_error *error)
{
	oz_hull *hull = NULL;
	def.vertices = mesh->vertices;
	def.vertex_count = mesh->vertex_count;
	def.triangles = (const uint32_t(*)[3])mesh->triangles;
	def.triangle_count = mesh->triangle_count;
	if (sharp) {
		const oz_result result = oz_hull_make(mesh, &hull, error);
		if (result != OZ_OK)
			return result;
		def.vertices = hull->position;
		def.normals = hull->normal;
		def.vertex_count = hull->vertex_count;
		def.triangles = (const uint32_t(*)[3])hull->triangles;
	}
	const oz_result result = oz_skin_create(&def, &s->skin, error);
	oz_hull_free(hull);
	return result;
}

static oz_result open_skin(oz_cli_skin *s, const oz_cli_frames *frames, const oz_frame *start,
                           oz_skin_def def, bool sharp, oz_error *error)
{
	oz_mesh mesh;
	oz_error cause;
	oz_result result = oz_scene_load_skin(frames->scene, s->body, &mesh, &cause);
	if (result == OZ_OK) {
		result = tie(s, def, &mesh, sharp, &cause);
		oz_mesh_free(&mesh);
	}
	for (uint32_t i = 0; i < start->count; i++)
		s->particles += start->grains[i].body == s->body;
	if (result == OZ_OK)
		return OZ_OK;
	return oz_fail(error, result, "the skin of body %u (%s): %s", s->body,
	               oz_world_body_name(frames->world, s->body), cause.text);
}

static bool make_room(oz_cli_skins *skins, const oz_cli_frames *frames)
{
	const uint32_t bodies = oz_world_body_count(frames->world);
	skins->body_count = bodies;
	skins->skin_of = malloc(sizeof *skins->skin_of * ((size_t)bodies + 1));
	skins->solid_of = malloc(sizeof *skins->solid_of * ((size_t)bodies + 1));
	skins->skins = calloc((size_t)bodies + 1, sizeof *skins->skins);
	if (!skins->skin_of || !skins->solid_of || !skins->skins)
		return false;
	for (uint32_t b = 0; b < bodies; b++) {
		const bool has = oz_scene_has_skin(frames->scene, b);
		skins->skin_of[b] = has ? skins->count : OZ_NONE;
		if (has)
			skins->skins[skins->count++] = (oz_cli_skin){.body = b, .shed = OZ_NONE};
	}
	return true;
}

oz_result oz_cli_skins_open(oz_cli_skins *skins, const oz_cli_frames *frames, bool sharp,
                            uint32_t threads, const oz_hooks *hooks, oz_error *error)
{
	oz_frame start = {0};
	*skins = (oz_cli_skins){.frames = frames};
	if (!make_room(skins, frames))
		return no_memory(error);
	oz_result result = OZ_OK;
	if (skins->count)
		result = read_start(frames, &start, error);
	for (uint32_t k = 0; k < skins->count && result == OZ_OK; k++) {
		oz_skin_def def = def_at(&start, skins->skins[k].body,
		                         oz_world_get_def(frames->world)->spacing);
		def.threads = threads;
		def.hooks = *hooks;
		result = open_skin(&skins->skins[k], frames, &start, def, sharp, error);
	}
	oz_frame_free(&start);
	return result;
}

void oz_cli_skins_close(oz_cli_skins *skins)
{
	for (uint32_t k = 0; skins->skins && k < skins->count; k++)
		oz_skin_destroy(skins->skins[k].skin);
	free(skins->skins);
	free(skins->skin_of);
	free(skins->solid_of);
	*skins = (oz_cli_skins){.count = 0};
}

// ---- posing -----------------------------------------------------------------------------------

// Whether a body is solid in the frame whose solid bodies were counted, and has lost no particle.
static bool is_solid(const oz_cli_skins *skins, const oz_cli_skin *s)
{
	return s->particles > 0 && skins->solid_of[s->body] == s->particles;
}

// the skin that stands for a grain; NULL: none
static oz_cli_skin *skin_of(const oz_cli_skins *skins, const oz_grain *grain)
{
	const uint32_t k = grain->body < skins->body_count ? skins->skin_of[grain->body] : OZ_NONE;
	return k != OZ_NONE && skins->skins[k].shown ? &skins->skins[k] : NULL;
}

// grains that skins stand for, by skin
typedef struct covered {
	oz_grain *grains;
	oz_vec3 *colours;
	uint32_t *begin; // of each skin, and the end
} covered;

static bool make_covered(covered *c, const oz_cli_skins *skins, uint32_t count)
{
	*c = (covered){malloc(sizeof *c->grains * ((size_t)count + 1)),
	               malloc(sizeof *c->colours * ((size_t)count + 1)),
	               calloc((size_t)skins->count + 1, sizeof *c->begin)};
	for (uint32_t k = 0; c->begin && k < skins->count; k++)
		c->begin[k + 1] =
		        c->begin[k] + (skins->skins[k].shown ? skins->skins[k].particles : 0);
	return c->grains && c->colours && c->begin;
}

static void free_covered(covered *c)
{
	free(c->grains);
	free(c->colours);
	free(c->begin);
}

// moves grains and their colours out of the frame
static void cover(const oz_cli_skins *skins, covered *c, oz_frame *frame, oz_vec3 *colour)
{
	uint32_t kept = 0;
	uint32_t *at = skins->solid_of; // has been read
	for (uint32_t k = 0; k < skins->count; k++)
		at[skins->skins[k].body] = c->begin[k];
	for (uint32_t i = 0; i < frame->count; i++) {
		const oz_grain grain = frame->grains[i];
		const bool out = skin_of(skins, &grain);
		const uint32_t to = out ? at[grain.body]++ : kept++;
		(out ? c->grains : frame->grains)[to] = grain;
		if (colour)
			(out ? c->colours : colour)[to] = colour[i];
	}
	frame->count = kept;
}

static oz_result pose_skin(oz_cli_skin *s, const oz_grain *g, const oz_vec3 *colours,
                           oz_error *error)
{
	const uint32_t count = s->particles;
	const oz_skin_input in = {
	        .position = {&g->position, sizeof *g, count},
	        .id = {&g->id, sizeof *g, count},
	        .velocity = {&g->velocity, sizeof *g, count},
	        .colour = {colours, sizeof *colours, colours ? count : 0},
	        .body = {&g->body, sizeof *g, count},
	        .material = {&g->material, sizeof *g, count},
	};
	s->material = g->material;
	return oz_skin_pose(s->skin, &in, &s->mesh, error);
}

// takes note of bodies that are not solid in a frame; gives how many skins are left in it
static uint32_t shed(oz_cli_skins *skins, uint32_t number, const oz_frame *frame)
{
	uint32_t left = 0;
	oz_frame_count_solid(frame, skins->solid_of, skins->body_count);
	for (uint32_t k = 0; k < skins->count; k++) {
		oz_cli_skin *s = &skins->skins[k];
		if (!is_solid(skins, s) && number < s->shed)
			s->shed = number;
		left += s->shed > number;
	}
	return left;
}

static bool may_shed_more(const oz_cli_skins *skins)
{
	const oz_world *world = skins->frames->world;
	uint32_t left = 0;
	for (uint32_t k = 0; k < skins->count; k++)
		left += skins->skins[k].shed > skins->known;
	for (uint32_t m = 0; left && m < oz_world_material_count(world); m++) {
		const oz_material_def *def = oz_world_get_material(world, m);
		if (def->melting_point < OZ_NEVER_MELTS || def->alpha_key_count)
			return true;
	}
	return false;
}

// the frames before one that nobody has looked at yet
static oz_result look_back(oz_cli_skins *skins, uint32_t number, oz_error *error)
{
	oz_result result = OZ_OK;
	bool left = may_shed_more(skins);
	for (; left && skins->known < number && result == OZ_OK; skins->known++) {
		oz_frame frame;
		if (access(oz_run_folder_frame(&skins->frames->folder, skins->known, "ply").s,
		           F_OK) != 0)
			continue;
		result = oz_cli_frames_read(skins->frames, skins->known, &frame, error);
		if (result == OZ_OK)
			left = shed(skins, skins->known, &frame);
		oz_frame_free(&frame);
	}
	return result;
}

static uint32_t choose_shown(oz_cli_skins *skins, uint32_t number, const oz_frame *frame)
{
	const uint32_t shown = shed(skins, number, frame);
	if (skins->known == number)
		skins->known++;
	for (uint32_t k = 0; k < skins->count; k++) {
		oz_cli_skin *s = &skins->skins[k];
		s->shown = s->shed > number;
		s->mesh = (oz_surface_mesh){0};
	}
	return shown;
}

oz_result oz_cli_skins_pose(oz_cli_skins *skins, uint32_t number, oz_frame *frame, oz_vec3 *colour,
                            oz_error *error)
{
	covered c;
	oz_result result = skins->count ? look_back(skins, number, error) : OZ_OK;
	if (result != OZ_OK || skins->count == 0 || choose_shown(skins, number, frame) == 0)
		return result;
	if (!make_covered(&c, skins, frame->count)) {
		free_covered(&c);
		return no_memory(error);
	}
	cover(skins, &c, frame, colour);
	for (uint32_t k = 0; k < skins->count && result == OZ_OK; k++)
		if (skins->skins[k].shown)
			result = pose_skin(&skins->skins[k], c.grains + c.begin[k],
			                   colour ? c.colours + c.begin[k] : NULL, error);
	free_covered(&c);
	return result;
}
