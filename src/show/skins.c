// skins.c: the skins of bodies, frame by frame.
//
// A body shows its skin while all of its particles exist and are solid. From the first frame on in
// which one has melted or is lost, it shows the surface around its particles, also after it has
// frozen again, because its shape is not that of the skin any more. Particles are sorted by skin,
// so that each skin is posed from its own particles.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "render/shaded_mesh.h"
#include "show/show.h"

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for the skins; close other programs");
}

// ---- opening ----------------------------------------------------------------------------------

// Reads the particles to which skins are bound: frame 0, or the world where it does not exist.
static oz_result read_start(const oz_show_frames *frames, oz_frame *start, oz_error *error)
{
	*start = (oz_frame){0};
	return oz_show_has_frame(frames, 0) ? frames->read(frames->context, 0, start, error)
	                                    : oz_show_frame_of_world(frames->world, start, error);
}

// Definition of a skin that is bound to a body's particles in `start`.
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

// Binds a mesh; `sharp`: with vertices split on sharp edges, and normals.
static oz_result bind_mesh(oz_show_skin *s, oz_skin_def def, const oz_mesh *mesh, bool sharp,
                           oz_error *error)
{
	oz_shaded_mesh *shaded = NULL;
	def.vertices = mesh->vertices;
	def.vertex_count = mesh->vertex_count;
	def.triangles = (const uint32_t(*)[3])mesh->triangles;
	def.triangle_count = mesh->triangle_count;
	if (sharp) {
		const oz_result result = oz_shaded_mesh_make(mesh, &shaded, error);
		if (result != OZ_OK)
			return result;
		def.vertices = shaded->position;
		def.normals = shaded->normal;
		def.vertex_count = shaded->vertex_count;
		def.triangles = (const uint32_t(*)[3])shaded->triangles;
	}
	const oz_result result = oz_skin_create(&def, &s->skin, error);
	oz_shaded_mesh_free(shaded);
	return result;
}

// Loads and binds the skin of a body, and counts its particles.
static oz_result open_skin(oz_show_skin *s, const oz_show_frames *frames, const oz_frame *start,
                           oz_skin_def def, bool sharp, oz_error *error)
{
	oz_mesh mesh;
	oz_error cause;
	oz_result result = oz_scene_load_skin(frames->scene, s->body, &mesh, &cause);
	if (result == OZ_OK) {
		result = bind_mesh(s, def, &mesh, sharp, &cause);
		oz_mesh_free(&mesh);
	}
	for (uint32_t i = 0; i < start->count; i++)
		s->particles += start->grains[i].body == s->body;
	if (result == OZ_OK)
		return OZ_OK;
	return oz_fail(error, result, "the skin of body %u (%s): %s", s->body,
	               oz_world_body_name(frames->world, s->body), cause.text);
}

static bool make_room(oz_show_skins *skins, const oz_show_frames *frames)
{
	const uint32_t bodies = oz_world_body_count(frames->world);
	skins->body_count = bodies;
	skins->skin_of = malloc(sizeof *skins->skin_of * ((size_t)bodies + 1));
	skins->solid_count = malloc(sizeof *skins->solid_count * ((size_t)bodies + 1));
	skins->skins = calloc((size_t)bodies + 1, sizeof *skins->skins);
	if (!skins->skin_of || !skins->solid_count || !skins->skins)
		return false;
	for (uint32_t b = 0; b < bodies; b++) {
		const bool has = oz_scene_has_skin(frames->scene, b);
		skins->skin_of[b] = has ? skins->count : OZ_NONE;
		if (has)
			skins->skins[skins->count++] = (oz_show_skin){.body = b, .melted = OZ_NONE};
	}
	return true;
}

oz_result oz_show_skins_open(oz_show_skins *skins, const oz_show_frames *frames, bool sharp,
                             uint32_t threads, const oz_hooks *hooks, oz_error *error)
{
	oz_frame start = {0};
	*skins = (oz_show_skins){.frames = frames};
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

void oz_show_skins_close(oz_show_skins *skins)
{
	for (uint32_t k = 0; skins->skins && k < skins->count; k++)
		oz_skin_destroy(skins->skins[k].skin);
	free(skins->skins);
	free(skins->skin_of);
	free(skins->solid_count);
	*skins = (oz_show_skins){.count = 0};
}

// ---- posing -----------------------------------------------------------------------------------

// Whether a body is solid in the frame that was counted last, and has lost no particle.
static bool is_solid(const oz_show_skins *skins, const oz_show_skin *s)
{
	return s->particles > 0 && skins->solid_count[s->body] == s->particles;
}

// The skin that is shown instead of a grain; NULL: none.
static oz_show_skin *skin_of(const oz_show_skins *skins, const oz_grain *grain)
{
	const uint32_t k = grain->body < skins->body_count ? skins->skin_of[grain->body] : OZ_NONE;
	return k != OZ_NONE && skins->skins[k].shown ? &skins->skins[k] : NULL;
}

// Grains that are not drawn because their body shows its skin, sorted by skin.
typedef struct covered {
	oz_grain *grains;
	oz_vec3 *colours;
	uint32_t *begin; // first grain of each skin, and the end
} covered;

static bool make_covered(covered *c, const oz_show_skins *skins, uint32_t count)
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

// Moves the grains of bodies with a skin, and their colours, out of the frame into c.
static void move_covered(const oz_show_skins *skins, covered *c, oz_frame *frame, oz_vec3 *colour)
{
	uint32_t kept = 0;
	uint32_t *at = skins->solid_count; // reused: where the next grain of a body goes
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

static oz_result pose_skin(oz_show_skin *s, const oz_grain *g, const oz_vec3 *colours,
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

// Records which bodies are not solid in a frame; returns the number of skins that the frame shows.
static uint32_t record_melted(oz_show_skins *skins, uint32_t number, const oz_frame *frame)
{
	uint32_t left = 0;
	oz_frame_count_solid(frame, skins->solid_count, skins->body_count);
	for (uint32_t k = 0; k < skins->count; k++) {
		oz_show_skin *s = &skins->skins[k];
		if (!is_solid(skins, s) && number < s->melted)
			s->melted = number;
		left += s->melted > number;
	}
	return left;
}

// Whether a body that is solid in all frames read so far may melt in a later frame.
static bool may_melt(const oz_show_skins *skins)
{
	const oz_world *world = skins->frames->world;
	uint32_t left = 0;
	for (uint32_t k = 0; k < skins->count; k++)
		left += skins->skins[k].melted > skins->known;
	for (uint32_t m = 0; left && m < oz_world_material_count(world); m++) {
		const oz_material_def *def = oz_world_get_material(world, m);
		if (def->melting_point < OZ_NEVER_MELTS || def->alpha_key_count)
			return true;
	}
	return false;
}

// Reads the frames before `number` that were not read, to find molten bodies.
static oz_result read_earlier_frames(oz_show_skins *skins, uint32_t number, oz_error *error)
{
	const oz_show_frames *frames = skins->frames;
	oz_result result = OZ_OK;
	bool left = may_melt(skins);
	for (; left && skins->known < number && result == OZ_OK; skins->known++) {
		oz_frame frame = {0};
		if (!oz_show_has_frame(frames, skins->known))
			continue;
		result = frames->read(frames->context, skins->known, &frame, error);
		if (result == OZ_OK)
			left = record_melted(skins, skins->known, &frame);
		oz_frame_free(&frame);
	}
	return result;
}

// Decides for each skin whether the frame shows it; returns the number of shown skins.
static uint32_t choose_shown(oz_show_skins *skins, uint32_t number, const oz_frame *frame)
{
	const uint32_t shown = record_melted(skins, number, frame);
	if (skins->known == number)
		skins->known++;
	for (uint32_t k = 0; k < skins->count; k++) {
		oz_show_skin *s = &skins->skins[k];
		s->shown = s->melted > number;
		s->mesh = (oz_surface_mesh){0};
	}
	return shown;
}

oz_result oz_show_skins_pose(oz_show_skins *skins, uint32_t number, oz_frame *frame,
                             oz_vec3 *colour, oz_error *error)
{
	covered c;
	oz_result result = skins->count ? read_earlier_frames(skins, number, error) : OZ_OK;
	if (result != OZ_OK || skins->count == 0 || choose_shown(skins, number, frame) == 0)
		return result;
	if (!make_covered(&c, skins, frame->count)) {
		free_covered(&c);
		return no_memory(error);
	}
	move_covered(skins, &c, frame, colour);
	for (uint32_t k = 0; k < skins->count && result == OZ_OK; k++)
		if (skins->skins[k].shown)
			result = pose_skin(&skins->skins[k], c.grains + c.begin[k],
			                   colour ? c.colours + c.begin[k] : NULL, error);
	free_covered(&c);
	return result;
}
