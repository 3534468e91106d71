// snapshot_save.c: writes a world to a snapshot.
#include <string.h>

#include "boundary/sdf_data.h"
#include "world/snapshot.h"
#include "world/snapshot_format.h"

static void put_header(oz_file *file)
{
	const snapshot_header header = {SNAPSHOT_MAGIC, OZ_SNAPSHOT_VERSION, SNAPSHOT_ORDER};
	oz_file_put(file, &header, sizeof header);
}

// writes a section with its header, and empties it
static void put_section(oz_file *file, const char *tag, oz_section *s)
{
	section_header header = snapshot_header_of(tag, s->size);
	header.hash = oz_hash(s->bytes, s->size, snapshot_seed(&header));
	oz_file_put(file, &header, sizeof header);
	oz_file_put(file, s->bytes, s->size);
	s->size = 0;
}

static void put_world(const oz_world *w, oz_section *s)
{
	const oz_sim *sim = &w->sim;
	const snapshot_state state = {.time = sim->time,
	                              .step = sim->step,
	                              .next_id = sim->next_id,
	                              .particles = sim->particles.count,
	                              .last_step = sim->last_step,
	                              .grid = sim->neighbours.grid,
	                              .listed = sim->neighbours.valid,
	                              .squeezed = w->measuring.squeezed,
	                              .slots = w->slots.count,
	                              .components = w->slots.components,
	                              .near = sim->contact->near ? 1 : 0};
	oz_section_put_params(s, OZ_PARAMS_WORLD, &sim->def);
	oz_section_put(s, &state, sizeof state);
}

static void put_materials(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->sim.materials.count, sizeof w->sim.materials.count);
	for (uint32_t k = 0; k < w->sim.materials.count; k++) {
		oz_section_put(s, oz_materials(&w->sim)[k].name, OZ_NAME_SIZE);
		const oz_material_def *def = &oz_materials(&w->sim)[k];
		oz_section_put_params(s, OZ_PARAMS_MATERIAL, def);
		oz_section_put(s, &def->alpha_key_count, sizeof def->alpha_key_count);
		oz_section_put(s, def->alpha_keys, sizeof(oz_alpha_key) * def->alpha_key_count);
	}
}

static void put_bodies(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->sim.bodies.count, sizeof w->sim.bodies.count);
	for (uint32_t k = 0; k < w->sim.bodies.count; k++) {
		const oz_body *b = &oz_bodies(&w->sim)[k];
		const uint32_t left = b->left;
		oz_section_put(s, b->name, OZ_NAME_SIZE);
		oz_section_put(s, &b->material, sizeof b->material);
		oz_section_put(s, &b->count, sizeof b->count);
		oz_section_put(s, &left, sizeof left);
	}
}

// the first collider that has this SDF: the SDF is written with it
static uint32_t first_with(const oz_world *w, const oz_sdf *sdf)
{
	uint32_t k = 0;
	while (oz_collider_entries(&w->boundary)[k].def.shape.sdf != sdf)
		k++;
	return k;
}

static void put_sdf(const oz_world *w, uint32_t collider, oz_section *s)
{
	const oz_sdf *c = oz_collider_entries(&w->boundary)[collider].def.shape.sdf;
	const uint32_t first = first_with(w, c);
	oz_section_put(s, &first, sizeof first);
	if (first != collider)
		return;
	oz_section_put(s, &c->frame, sizeof c->frame);
	oz_section_put(s, &c->block_count, sizeof c->block_count);
	oz_section_put(s, c->places, sizeof *c->places * c->place_count);
	oz_section_put(s, c->nearest, sizeof *c->nearest * OZ_SDF_NODES * c->block_count);
}

static void put_colliders(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->boundary.colliders.count, sizeof w->boundary.colliders.count);
	for (uint32_t k = 0; k < w->boundary.colliders.count; k++) {
		const oz_collider_entry *o = &oz_collider_entries(&w->boundary)[k];
		const oz_poser *p = &o->poser;
		oz_section_put_params(s, OZ_PARAMS_COLLIDER, &o->def);
		oz_section_put_params(s, OZ_PARAMS_SHAPE, &p->shape);
		oz_section_put(s, &p->keyframe_count, sizeof p->keyframe_count);
		for (uint32_t f = 0; f < p->keyframe_count; f++)
			oz_section_put_params(s, OZ_PARAMS_KEYFRAME, &p->keyframes[f]);
		if (p->shape.kind == OZ_SHAPE_SDF)
			put_sdf(w, k, s);
	}
	for (uint32_t k = 0; k < w->boundary.colliders.count; k++)
		oz_poser_save_lead(&oz_collider_entries(&w->boundary)[k].poser, s);
	oz_thin_walls_save(&w->boundary, s);
}

static void put_nozzles(const oz_world *w, oz_section *s)
{
	oz_section_put(s, &w->boundary.nozzles.count, sizeof w->boundary.nozzles.count);
	for (uint32_t k = 0; k < w->boundary.nozzles.count; k++) {
		const oz_nozzle *n = &oz_nozzles(&w->boundary)[k];
		oz_section_put_params(s, OZ_PARAMS_EMITTER, &n->def);
		oz_section_put(s, &n->def.material, sizeof n->def.material);
		oz_section_put(s, &n->body, sizeof n->body);
		oz_section_put(s, &n->layers, sizeof n->layers);
		oz_section_put(s, &n->columns.reach2, sizeof n->columns.reach2);
	}
}

static void put_all(oz_world *w, oz_file *file, oz_section *s, char *piece)
{
	static const struct {
		const char *tag;
		void (*put)(const oz_world *world, oz_section *section);
	} parts[] = {{"world", put_world},
	             {"materials", put_materials},
	             {"bodies", put_bodies},
	             {"colliders", put_colliders},
	             {"nozzles", put_nozzles}};
	put_header(file);
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
		parts[k].put(w, s);
		put_section(file, parts[k].tag, s);
	}
	for (uint32_t k = 0; k < w->models.count; k++) {
		const oz_model_entry *e = &w->models.entries[k];
		if (!e->ops->section)
			continue;
		e->ops->save(&w->sim, e->state, s);
		put_section(file, e->ops->section, s);
	}
	oz_snapshot_put_fields(w, file, piece);
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
		// a device that failed returns wrong values: the old file stays
		result = s.failed ? OZ_ERROR_MEMORY : oz_device_check(w->sim.device, error);
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
