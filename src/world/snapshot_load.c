// snapshot_load.c: reads a world from a snapshot.
//
// All input is checked before it is used: magic, version, checksums, the range of every parameter,
// every index of a body or material.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "boundary/sdf_data.h"
#include "world/snapshot.h"
#include "world/snapshot_format.h"

#define MAX_SECTION ((uint64_t)1 << 36) // bytes of a section that is not a particle field
#define MAX_ENTRIES 16384u              // materials, colliders or emitters

oz_result oz_snapshot_damaged(const oz_loader *l, const char *what)
{
	return oz_fail(l->error, OZ_ERROR_CHECKSUM,
	               "%s is damaged: %s; use an older snapshot or run the scene again", l->path,
	               what);
}

// fails for a parameter that this version does not know
static oz_result unknown(const oz_loader *l, const char *name)
{
	return oz_fail(l->error, OZ_ERROR_VERSION,
	               "%s holds the parameter '%.64s', which this version (%s) does not know; use "
	               "a newer "
	               "ooze",
	               l->path, name, OZ_VERSION);
}

bool oz_snapshot_get(oz_loader *l, void *data, size_t size)
{
	if (size > l->left || (size && fread(data, size, 1, l->stream) != 1))
		return false;
	l->left -= size;
	return true;
}

// opens the file and checks its header
static oz_result open_file(oz_loader *l)
{
	l->stream = fopen(l->path, "rb");
	if (!l->stream)
		return oz_fail(l->error, OZ_ERROR_FILE, "%s cannot be opened (%s); check the path",
		               l->path, strerror(errno));
	// fopen succeeds for a folder, reading it fails
	if (fgetc(l->stream) == EOF && ferror(l->stream))
		return oz_fail(l->error, OZ_ERROR_FILE,
		               "%s cannot be read: it may be a folder; name a snapshot or a scene, "
		               "such as "
		               "out/snapshot.ooze",
		               l->path);
	const long size = fseek(l->stream, 0, SEEK_END) == 0 ? ftell(l->stream) : -1;
	if (size < 0 || fseek(l->stream, 0, SEEK_SET) != 0)
		return oz_fail(l->error, OZ_ERROR_FILE, "%s cannot be read; is it a plain file?",
		               l->path);
	l->left = (uint64_t)size;
	snapshot_header header;
	if (!oz_snapshot_get(l, &header, sizeof header) ||
	    memcmp(header.magic, SNAPSHOT_MAGIC, sizeof header.magic) != 0)
		return oz_fail(l->error, OZ_ERROR_FORMAT,
		               "%s is not a snapshot; give a file that ooze wrote (snapshot.ooze)",
		               l->path);
	if (header.order != SNAPSHOT_ORDER)
		return oz_fail(l->error, OZ_ERROR_FORMAT,
		               "%s was written on a machine of the other byte order; run the scene "
		               "here",
		               l->path);
	l->version = header.version;
	if (header.version < 1 || header.version > OZ_SNAPSHOT_VERSION)
		return oz_fail(l->error, OZ_ERROR_VERSION,
		               "%s is a snapshot of format %u, this version reads formats up to "
		               "%u; use "
		               "the ooze "
		               "that wrote it",
		               l->path, header.version, OZ_SNAPSHOT_VERSION);
	return OZ_OK;
}

// gives the present tag of a section that format 5 and older ones wrote under another tag
static void rename_tag(char tag[24])
{
	static const char *const renamed[][2] = {
	        {"blend.felt", "blend.contact_impulse"},
	        {"blend.felt_for", "blend.contact_time"},
	        {"blend.fresh", "slot.shapeless"},
	        {"blend.lump", "slot.component"},
	        {"blend.own_alpha", "slot.own_alpha"},
	        {"blend.rest", "slot.rest"},
	        {"blend.turn", "slot.rotation"},
	        {"solid.change", "elastic.delta_v"},
	        {"solid.earlier", "elastic.earlier_delta_v"},
	        {"solid.hold", "elastic.hold"},
	        {"solid.set_a", "elastic.set_a"},
	        {"solid.set_b", "elastic.set_b"},
	        {"solids", "colliders"},
	        {"warmth", "temperature_residual"},
	};
	for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
		if (strcmp(tag, renamed[k][0]) == 0) {
			snprintf(tag, 24, "%s", renamed[k][1]);
			return;
		}
}

oz_result oz_snapshot_next(oz_loader *l, section_header *header)
{
	if (!oz_snapshot_get(l, header, sizeof *header) || header->size > l->left)
		return oz_snapshot_damaged(l, "it ends too early");
	// the tag ends with a zero, and only zeros follow
	const size_t length = strnlen(header->tag, sizeof header->tag);
	for (size_t k = length; k < sizeof header->tag; k++)
		if (header->tag[k] != 0)
			return oz_snapshot_damaged(l, "a section's name is garbled");
	if (length == sizeof header->tag)
		return oz_snapshot_damaged(l, "a section's name is garbled");
	l->seed = snapshot_seed(header);
	if (l->version < 6)
		rename_tag(header->tag);
	return OZ_OK;
}

// reads the header of the next section, which must have this tag
static oz_result next_section(oz_loader *l, const char *tag, section_header *header)
{
	const oz_result result = oz_snapshot_next(l, header);
	if (result != OZ_OK)
		return result;
	return strcmp(header->tag, tag) == 0 ? OZ_OK
	                                     : oz_snapshot_damaged(l, "a section is missing");
}

// reads the section with this tag to l->section
static oz_result read_section(oz_loader *l, const char *tag)
{
	section_header header;
	const oz_result result = next_section(l, tag, &header);
	if (result != OZ_OK)
		return result;
	if (header.size > MAX_SECTION)
		return oz_snapshot_damaged(l, "a section is too long");
	oz_section_free(&l->section);
	l->section.bytes = oz_heap_alloc(l->section.heap, header.size);
	if (header.size && !l->section.bytes)
		return oz_fail(l->error, OZ_ERROR_MEMORY,
		               "out of memory while reading %s; close other programs", l->path);
	l->section.size = l->section.capacity = header.size;
	if (!oz_snapshot_get(l, l->section.bytes, header.size) ||
	    oz_hash(l->section.bytes, header.size, l->seed) != header.hash)
		return oz_snapshot_damaged(l, "a checksum differs");
	return OZ_OK;
}

// creates the world from the parameters of its section; *state: the rest of that section
static oz_result load_world(oz_loader *l, snapshot_state *state)
{
	char name[64];
	oz_world_def def = {0};
	if (!oz_section_get_params(&l->section, OZ_PARAMS_WORLD, &def, name))
		return unknown(l, name);
	oz_section_get(&l->section, state,
	               l->version < 2   ? offsetof(snapshot_state, slots)
	               : l->version < 4 ? offsetof(snapshot_state, near)
	                                : sizeof *state);
	if (l->section.failed)
		return oz_snapshot_damaged(l, "the world's section is too short");
	def.device = l->device;
	def.threads = l->threads;
	def.hooks = l->hooks;
	return oz_world_create(&def, &l->world, l->error);
}

// Reads a count of entries. It is limited, because adding one entry copies all tables.
static oz_result get_count(oz_loader *l, uint32_t *count)
{
	oz_section_get(&l->section, count, sizeof *count);
	return *count <= MAX_ENTRIES ? OZ_OK
	                             : oz_snapshot_damaged(l, "it lists more materials, colliders "
	                                                      "or emitters than are allowed");
}

static oz_result load_alpha_keys(oz_loader *l, oz_alpha_key **keys, uint32_t *count)
{
	oz_section *s = &l->section;
	if (l->version < 2)
		return OZ_OK;
	oz_section_get(s, count, sizeof *count);
	if (s->failed || *count > (s->size - s->at) / sizeof(oz_alpha_key))
		return oz_snapshot_damaged(l, "keys of alpha end too early");
	*keys = oz_heap_alloc(&l->world->heap, sizeof(oz_alpha_key) * *count);
	if (*count && !*keys)
		return oz_fail(l->error, OZ_ERROR_MEMORY, "out of memory while reading %s",
		               l->path);
	oz_section_get(s, *keys, sizeof(oz_alpha_key) * *count);
	return OZ_OK;
}

static oz_result load_material(oz_loader *l)
{
	char name[64], label[OZ_NAME_SIZE];
	oz_material_def def = {0};
	oz_alpha_key *keys = NULL;
	uint32_t count = 0;
	oz_section_get(&l->section, label, OZ_NAME_SIZE);
	if (!oz_section_get_params(&l->section, OZ_PARAMS_MATERIAL, &def, name))
		return unknown(l, name);
	memcpy(def.name, label, OZ_NAME_SIZE);
	def.name[OZ_NAME_SIZE - 1] = 0;
	oz_result result = load_alpha_keys(l, &keys, &count);
	def.alpha_keys = keys;
	def.alpha_key_count = count;
	// before version 8 viscosity was a force between pairs
	if (l->version < 8)
		def.viscous_form = OZ_VISCOUS_PAIRS;
	// before version 12 hourglass was a share of 3 E, not of 4 G
	if (l->version < 12)
		def.hourglass = fminf(def.elasticity == OZ_ELASTIC_MLS
		                              ? 10 * def.hourglass
		                              : 1.5f * (1 + def.poisson_ratio) * def.hourglass,
		                      10);
	// before version 13 a liquid in a membrane had no mass, and faces did not press
	if (l->version < 13) {
		def.filling_density = 0;
		def.skin_contact = OZ_SKIN_POINTS;
	}
	if (result == OZ_OK && !l->section.failed)
		result = oz_world_add_material(l->world, &def, NULL, l->error);
	oz_heap_free(&l->world->heap, keys, sizeof *keys * count);
	return result;
}

static oz_result load_materials(oz_loader *l)
{
	uint32_t count;
	const oz_result counted = get_count(l, &count);
	if (counted != OZ_OK)
		return counted;
	for (uint32_t k = 0; k < count && !l->section.failed; k++) {
		const oz_result result = load_material(l);
		if (result != OZ_OK)
			return result;
	}
	return l->section.failed ? oz_snapshot_damaged(l, "materials end too early") : OZ_OK;
}

static oz_result load_bodies(oz_loader *l)
{
	oz_world *w = l->world;
	uint32_t count;
	oz_section_get(&l->section, &count, sizeof count);
	for (uint32_t k = 0; k < count && !l->section.failed; k++) {
		oz_body body = {0};
		uint32_t left;
		oz_section_get(&l->section, body.name, OZ_NAME_SIZE);
		oz_section_get(&l->section, &body.material, sizeof body.material);
		oz_section_get(&l->section, &body.count, sizeof body.count);
		oz_section_get(&l->section, &left, sizeof left);
		body.name[OZ_NAME_SIZE - 1] = 0;
		body.left = left != 0;
		if (!l->section.failed && body.material >= w->sim.materials.count)
			return oz_snapshot_damaged(l,
			                           "a body names a material that does not exist");
		oz_body *added = oz_array_add(&w->heap, &w->sim.bodies);
		if (!added)
			return oz_fail(l->error, OZ_ERROR_MEMORY, "out of memory while reading %s",
			               l->path);
		*added = body;
	}
	return l->section.failed ? oz_snapshot_damaged(l, "bodies end too early") : OZ_OK;
}

// reads an SDF, or adds a reference to that of an earlier collider; the caller releases it
static oz_result load_sdf(oz_loader *l, const oz_sdf **sdf)
{
	oz_section *s = &l->section;
	oz_sdf_frame frame;
	uint32_t first, blocks;
	oz_section_get(s, &first, sizeof first);
	if (!s->failed && first < l->world->boundary.colliders.count) {
		*sdf = oz_sdf_keep(oz_collider_entries(&l->world->boundary)[first].def.shape.sdf);
		return *sdf ? OZ_OK
		            : oz_snapshot_damaged(l, "a collider names an SDF that does not exist");
	}
	oz_section_get(s, &frame, sizeof frame);
	oz_section_get(s, &blocks, sizeof blocks);
	const double places = (double)frame.blocks[0] * frame.blocks[1] * frame.blocks[2];
	const double bytes =
	        sizeof(uint) * places + (double)(sizeof(oz_float4) * OZ_SDF_NODES) * (double)blocks;
	// do not allocate more than the section holds
	if (s->failed || !(bytes <= (double)(s->size - s->at)))
		return oz_snapshot_damaged(l, "an SDF ends too early");
	oz_sdf *c = oz_sdf_alloc(&frame, blocks, &l->world->heap.hooks);
	if (!c)
		return oz_fail(l->error, OZ_ERROR_MEMORY,
		               "out of memory while reading %s; close other programs", l->path);
	oz_section_get(s, c->places, sizeof *c->places * c->place_count);
	oz_section_get(s, c->nearest, sizeof *c->nearest * OZ_SDF_NODES * (size_t)c->block_count);
	*sdf = c;
	return oz_sdf_is_sound(c) ? OZ_OK
	                          : oz_snapshot_damaged(l, "an SDF holds values out of range");
}

static oz_result load_colliders(oz_loader *l)
{
	uint32_t count;
	const oz_result counted = get_count(l, &count);
	if (counted != OZ_OK)
		return counted;
	for (uint32_t k = 0; k < count && !l->section.failed; k++) {
		char name[64];
		oz_collider_def def = {0};
		oz_keyframe *frames = NULL;
		uint32_t frame_count = 0;
		oz_shape shape = {0};
		if (!oz_section_get_params(&l->section, OZ_PARAMS_COLLIDER, &def, name) ||
		    !oz_section_get_params(&l->section, OZ_PARAMS_SHAPE, &shape, name))
			return unknown(l, name);
		oz_result result =
		        oz_section_get_keyframes(&l->section, &frames, &frame_count, l->error);
		def.shape = shape;
		def.keyframes = frames;
		def.keyframe_count = frame_count;
		if (result == OZ_OK && shape.kind == OZ_SHAPE_SDF)
			result = load_sdf(l, &def.shape.sdf);
		if (result == OZ_OK)
			result = oz_world_add_collider(l->world, &def, NULL, l->error);
		oz_sdf_release(def.shape.sdf);
		oz_heap_free(l->section.heap, frames, sizeof(oz_keyframe) * frame_count);
		if (result != OZ_OK)
			return result;
	}
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < count && l->version >= 10 && result == OZ_OK; k++)
		result = oz_poser_load_lead(&l->world->heap,
		                            &oz_collider_entries(&l->world->boundary)[k].poser,
		                            &l->section, l->error);
	if (l->version >= 13 && result == OZ_OK)
		result = oz_thin_walls_load(&l->world->boundary, &l->section, l->error);
	return l->section.failed ? oz_snapshot_damaged(l, "colliders end too early") : result;
}

// Reads the columns of a round opening, with which the layers so far were poured.
static bool load_columns(oz_loader *l, oz_nozzle *n)
{
	const double spacing = (double)l->world->sim.def.spacing;
	const bool is_round = !oz_opening_is_rectangle(&n->def);
	uint32_t reach2 = 0;
	if (l->version < 14) {
		if (is_round)
			n->columns = oz_opening_least_disc(&n->def, spacing);
		return true;
	}
	oz_section_get(&l->section, &reach2, sizeof reach2);
	return l->section.failed || !is_round ||
	       oz_opening_disc(&n->def, spacing, reach2, &n->columns);
}

static oz_result load_nozzles(oz_loader *l)
{
	oz_world *w = l->world;
	uint32_t count;
	const oz_result counted = get_count(l, &count);
	if (counted != OZ_OK)
		return counted;
	for (uint32_t k = 0; k < count && !l->section.failed; k++) {
		char name[64];
		oz_emitter_def def = {0};
		oz_id body;
		uint64_t layers;
		if (!oz_section_get_params(&l->section, OZ_PARAMS_EMITTER, &def, name))
			return unknown(l, name);
		oz_section_get(&l->section, &def.material, sizeof def.material);
		oz_section_get(&l->section, &body, sizeof body);
		oz_section_get(&l->section, &layers, sizeof layers);
		if (l->section.failed || body >= w->sim.bodies.count)
			return oz_snapshot_damaged(l,
			                           "an emitter names a body that does not exist");
		const uint32_t bodies = w->sim.bodies.count;
		const oz_result result = oz_world_add_emitter(w, &def, NULL, l->error);
		if (result != OZ_OK)
			return result;
		// oz_world_add_emitter has added a body; the file holds it already
		w->sim.bodies.count = bodies;
		oz_nozzle *n = &oz_nozzles(&w->boundary)[k];
		n->body = body;
		n->layers = layers;
		if (!load_columns(l, n))
			return oz_snapshot_damaged(l, "no opening has the columns of an emitter");
	}
	return l->section.failed ? oz_snapshot_damaged(l, "emitters end too early") : OZ_OK;
}

// sets the state of the world; makes the neighbour lists from the anchors, if the saved world had
// valid lists
static oz_result restore(oz_loader *l, const snapshot_state *state)
{
	oz_world *w = l->world;
	oz_sim *s = &w->sim;
	s->time = state->time;
	// loads are summed from now on
	for (uint32_t k = 0; k < w->boundary.colliders.count; k++)
		oz_collider_entries(&w->boundary)[k].load_since = s->time;
	s->step = state->step;
	s->next_id = state->next_id;
	s->last_step = state->last_step;
	w->measuring.squeezed = state->squeezed != 0;
	s->neighbours.grid = state->grid;
	s->slots->components = state->components;
	s->contact->near = state->near > 0;
	// the next step makes the lists of rest neighbours
	s->slots->stale = s->slots->count > 0;
	oz_slots_update_particles(s);
	// results of the last step are not saved
	oz_fields_clear_results(&s->fields, OZ_ITEMS_PARTICLES, s->particles.count);
	s->pressure->fresh = !state->listed;
	const oz_list_maker maker = oz_list_maker_of(w);
	oz_result result = OZ_OK;
	if (state->listed)
		result = oz_neighbours_restore(&maker, &s->neighbours, l->error);
	// before version 13 thin walls did not separate lists
	if (l->version < 13)
		s->neighbours.valid = s->neighbours.valid && !w->boundary.thin;
	return result == OZ_OK ? oz_walls_restore_lists(&w->boundary, s, l->error) : result;
}

// adds the path to errors of lower rooms, which do not know it
static oz_result name_file(oz_loader *l, oz_result result)
{
	const oz_error cause = l->error ? *l->error : (oz_error){0};
	if (result == OZ_ERROR_CHECKSUM)
		return oz_snapshot_damaged(l, cause.text);
	if (result == OZ_ERROR_VERSION)
		return oz_fail(l->error, result, "%s: %s", l->path, cause.text);
	return result;
}

// loads the sections of all models that this format has
static oz_result load_models(oz_loader *l)
{
	oz_world *w = l->world;
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < w->models.count && result == OZ_OK; k++) {
		const oz_model_entry *e = &w->models.entries[k];
		if (!e->ops->section || l->version < e->ops->section_since)
			continue;
		result = read_section(l, e->ops->section);
		if (result == OZ_OK)
			result = name_file(l,
			                   e->ops->load(&w->sim, e->state, &l->section, l->error));
	}
	return result;
}

typedef struct part {
	const char *tag;
	oz_result (*load)(oz_loader *l);
} part;

// loads the sections of materials, bodies, colliders and nozzles, then those of the models
static oz_result load_things(oz_loader *l)
{
	static const part parts[] = {{"materials", load_materials},
	                             {"bodies", load_bodies},
	                             {"colliders", load_colliders},
	                             {"nozzles", load_nozzles}};
	oz_result result = OZ_OK;
	for (size_t k = 0; k < sizeof parts / sizeof *parts && result == OZ_OK; k++) {
		result = read_section(l, parts[k].tag);
		if (result == OZ_OK)
			result = name_file(l, parts[k].load(l));
	}
	return result == OZ_OK ? load_models(l) : result;
}

static oz_result check_all(oz_loader *l, const snapshot_state *state)
{
	const char *wrong = oz_snapshot_check_particles(l->world, state);
	// a device that failed returns wrong values: report the device, not the file
	if (oz_device_check(l->world->sim.device, l->error) != OZ_OK)
		return l->world->sim.device->failure.code;
	if (wrong == oz_no_memory_to_check)
		return oz_fail(l->error, OZ_ERROR_MEMORY,
		               "out of memory while reading %s; close other programs", l->path);
	return wrong ? oz_snapshot_damaged(l, wrong) : OZ_OK;
}

static oz_result load_all(oz_loader *l)
{
	snapshot_state state = {0};
	oz_result result = open_file(l);
	if (result == OZ_OK)
		result = read_section(l, "world");
	if (result == OZ_OK)
		result = load_world(l, &state);
	const char *wrong = result == OZ_OK ? oz_snapshot_check_state(l->world, &state) : NULL;
	if (wrong)
		result = oz_snapshot_damaged(l, wrong);
	if (result == OZ_OK)
		result = load_things(l);
	if (result == OZ_OK)
		result = oz_snapshot_get_fields(l, &state);
	if (result == OZ_OK)
		result = check_all(l, &state);
	if (result == OZ_OK)
		result = restore(l, &state);
	return result == OZ_OK ? oz_device_check(l->world->sim.device, l->error) : result;
}

oz_result oz_world_load(const char *path, const char *device, uint32_t threads,
                        const oz_hooks *hooks, oz_world **world, oz_error *error)
{
	if (!path || !world)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "path or world is NULL; pass both");
	*world = NULL;
	oz_heap heap;
	oz_heap_init(&heap, hooks);
	oz_loader l = {.path = path,
	               .device = device,
	               .threads = threads,
	               .section = {.heap = &heap},
	               .error = error};
	if (hooks)
		l.hooks = *hooks;
	const oz_result result = load_all(&l);
	if (l.stream)
		fclose(l.stream);
	oz_section_free(&l.section);
	if (result == OZ_OK)
		*world = l.world;
	else
		oz_world_destroy(l.world);
	return result;
}
