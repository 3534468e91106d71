// snapshot_save.c: a world into one file.
#include <stdio.h>
#include <string.h>

#include "boundary/chart_data.h"
#include "world/snapshot.h"
#include "world/snapshot_format.h"

static void put_header(oz_file *file)
{
	const snapshot_header header = {SNAPSHOT_MAGIC, OZ_SNAPSHOT_VERSION, SNAPSHOT_ORDER};
	oz_file_put(file, &header, sizeof header);
}

static section_header header_of(const char *tag, size_t size)
{
	section_header header = {.size = size};
	snprintf(header.tag, sizeof header.tag, "%s", tag);
	return header;
}

static void put_section(oz_file *file, const char *tag, oz_section *s)
{
	section_header header = header_of(tag, s->size);
	header.hash = oz_hash(s->bytes, s->size, snapshot_seed(&header));
	oz_file_put(file, &header, sizeof header);
	oz_file_put(file, s->bytes, s->size);
	s->size = 0;
}

static void put_world(const oz_world *w, oz_section *s)
{
	const snapshot_state state = {.time = w->time,
	                              .step = w->step,
	                              .next_id = w->next_id,
	                              .particles = w->particles.count,
	                              .steering = w->steering,
	                              .grid = w->neighbours.grid,
	                              .listed = w->neighbours.valid,
	                              .squeezed = w->squeezed,
	                              .slots = w->blend.count,
	                              .lumps = w->blend.lumps,
	                              .near = w->near ? 1 : 0};
	oz_section_put_params(s, OZ_PARAMS_WORLD, &w->def);
	oz_section_put(s, &state, sizeof state);
}

static void put_materials(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->materials.count, sizeof w->materials.count);
	for (uint32_t k = 0; k < w->materials.count; k++) {
		oz_section_put(s, oz_materials(w)[k].name, OZ_NAME_SIZE);
		const oz_material_def *def = &oz_materials(w)[k];
		oz_section_put_params(s, OZ_PARAMS_MATERIAL, def);
		oz_section_put(s, &def->alpha_key_count, sizeof def->alpha_key_count);
		oz_section_put(s, def->alpha_keys, sizeof(oz_alpha_key) * def->alpha_key_count);
	}
}

static void put_bodies(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->bodies.count, sizeof w->bodies.count);
	for (uint32_t k = 0; k < w->bodies.count; k++) {
		const oz_body *b = &oz_bodies(w)[k];
		const uint32_t left = b->left;
		oz_section_put(s, b->name, OZ_NAME_SIZE);
		oz_section_put(s, &b->material, sizeof b->material);
		oz_section_put(s, &b->count, sizeof b->count);
		oz_section_put(s, &left, sizeof left);
	}
}

// a chart goes with the first collider that has it
static uint32_t first_with(const oz_world *w, const oz_chart *chart)
{
	uint32_t k = 0;
	while (oz_obstacles(w)[k].def.shape.chart != chart)
		k++;
	return k;
}

static void put_chart(const oz_world *w, uint32_t solid, oz_section *s)
{
	const oz_chart *c = oz_obstacles(w)[solid].def.shape.chart;
	const uint32_t first = first_with(w, c);
	oz_section_put(s, &first, sizeof first);
	if (first != solid)
		return;
	oz_section_put(s, &c->frame, sizeof c->frame);
	oz_section_put(s, &c->block_count, sizeof c->block_count);
	oz_section_put(s, c->places, sizeof *c->places * c->place_count);
	oz_section_put(s, c->leads, sizeof *c->leads * OZ_CHART_NODES * c->block_count);
}

static void put_solids(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->solids.count, sizeof w->solids.count);
	for (uint32_t k = 0; k < w->solids.count; k++) {
		const oz_collider_def *def = &oz_obstacles(w)[k].def;
		oz_section_put_params(s, OZ_PARAMS_COLLIDER, def);
		oz_section_put_params(s, OZ_PARAMS_SHAPE, &def->shape);
		oz_section_put(s, &def->keyframe_count, sizeof def->keyframe_count);
		for (uint32_t f = 0; f < def->keyframe_count; f++)
			oz_section_put_params(s, OZ_PARAMS_KEYFRAME, &def->keyframes[f]);
		if (def->shape.kind == OZ_SHAPE_CHART)
			put_chart(w, k, s);
	}
}

static void put_handles(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->handles.count, sizeof w->handles.count);
	for (uint32_t k = 0; k < w->handles.count; k++) {
		const oz_handle *h = &oz_handles(w)[k];
		const oz_handle_def def = {.release = h->release, .loop = h->way.loop};
		oz_section_put_params(s, OZ_PARAMS_HANDLE, &def);
		oz_section_put_params(s, OZ_PARAMS_SHAPE, &h->way.shape);
		oz_section_put(s, &h->body, sizeof h->body);
		oz_section_put(s, &h->way.keyframe_count, sizeof h->way.keyframe_count);
		for (uint32_t f = 0; f < h->way.keyframe_count; f++)
			oz_section_put_params(s, OZ_PARAMS_KEYFRAME, &h->way.keyframes[f]);
	}
}

static void put_nozzles(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->nozzles.count, sizeof w->nozzles.count);
	for (uint32_t k = 0; k < w->nozzles.count; k++) {
		const oz_nozzle *n = &oz_nozzles(w)[k];
		oz_section_put_params(s, OZ_PARAMS_EMITTER, &n->def);
		oz_section_put(s, &n->def.material, sizeof n->def.material);
		oz_section_put(s, &n->body, sizeof n->body);
		oz_section_put(s, &n->layers, sizeof n->layers);
	}
}

static void put_regions(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->regions.count, sizeof w->regions.count);
	for (uint32_t k = 0; k < w->regions.count; k++) {
		oz_section_put_params(s, OZ_PARAMS_REGION, &oz_regions(w)[k]);
		oz_section_put_params(s, OZ_PARAMS_SHAPE, &oz_regions(w)[k].shape);
	}
}

// a field goes out in pieces: the checksum comes first, so it is read twice
static void put_field(oz_world *w, oz_file *file, const char *name, const void *buffer, size_t size,
                      char *piece)
{
	section_header header = header_of(name, size);
	header.hash = snapshot_seed(&header);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t at = 0; at < size; at += SNAPSHOT_PIECE) {
			const size_t part = size - at < SNAPSHOT_PIECE ? size - at : SNAPSHOT_PIECE;
			w->device->ops->read(w->device, piece, buffer, at, part);
			if (pass == 0)
				header.hash = oz_hash(piece, part, header.hash);
			else
				oz_file_put(file, piece, part);
		}
		if (pass == 0)
			oz_file_put(file, &header, sizeof header);
	}
}

static void put_particles(oz_world *w, oz_file *file, char *piece)
{
#define PUT_STATE(type, name)                                                                      \
	put_field(w, file, #name, w->particles.name, sizeof(type) * w->particles.count, piece);
#define PUT_ANCHOR(type, name) PUT_STATE(type, name)
#define PUT_RESULT(type, name)
#define OZ_FIELD_PUT(type, name, kind) PUT_##kind(type, name)
	OZ_PARTICLE_FIELDS(OZ_FIELD_PUT)
#undef OZ_FIELD_PUT
}

static void put_slots(oz_world *w, oz_file *file, char *piece)
{
	const oz_blend *b = &w->blend;
#define OZ_SLOT_PUT(type, name, kind)                                                              \
	if (OZ_IS_##kind)                                                                          \
		put_field(w, file, "blend." #name, b->name, sizeof(type) * b->count, piece);
	if (b->count) {
		OZ_SLOT_FIELDS(OZ_SLOT_PUT)
	}
#undef OZ_SLOT_PUT
}

static void put_elastic(oz_world *w, oz_file *file, char *piece)
{
	const uint32_t slots = w->blend.count;
#define OZ_SOLID_PUT(type, name, kind)                                                             \
	if (OZ_IS_##kind)                                                                          \
		put_field(w, file, "solid." #name, w->solid.name, sizeof(type) * slots, piece);
	if (oz_any_body(w, OZ_COROTATED, NULL)) {
		OZ_SOLID_FIELDS(OZ_SOLID_PUT)
		OZ_SOLVE_FIELDS(OZ_SOLID_PUT)
	}
#undef OZ_SOLID_PUT
}

static void put_all(oz_world *w, oz_file *file, oz_section *s, char *piece)
{
	static const struct {
		const char *tag;
		void (*put)(const oz_world *world, oz_section *section);
	} parts[] = {{"world", put_world},     {"materials", put_materials},
	             {"bodies", put_bodies},   {"solids", put_solids},
	             {"nozzles", put_nozzles}, {"regions", put_regions},
	             {"handles", put_handles}};
	put_header(file);
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
		parts[k].put(w, s);
		put_section(file, parts[k].tag, s);
	}
	put_particles(w, file, piece);
	put_slots(w, file, piece);
	put_elastic(w, file, piece);
	put_section(file, SNAPSHOT_END, s);
}

oz_result oz_world_save(oz_world *w, const char *path, oz_error *error)
{
	if (!w || !path)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or path is NULL; pass both");
	oz_section s = {.heap = &w->heap};
	char *piece = oz_heap_alloc(&w->heap, SNAPSHOT_PIECE);
	oz_file file;
	oz_result result = piece ? oz_file_begin(&file, path, error) : OZ_ERROR_MEMORY;
	if (result == OZ_OK) {
		put_all(w, &file, &s, piece);
		// what a lost device gives is no state: the old file stays
		result = s.failed ? OZ_ERROR_MEMORY : oz_device_check(w->device, error);
		if (result != OZ_OK)
			oz_file_cancel(&file);
		else
			result = oz_file_commit(&file, error);
	}
	const bool no_memory = !piece || s.failed;
	oz_section_free(&s);
	oz_heap_free(&w->heap, piece, SNAPSHOT_PIECE);
	if (no_memory)
		oz_fail(error, result, "out of memory while saving %s; close other programs", path);
	return result;
}
