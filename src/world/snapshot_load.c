// snapshot_load.c: a world from one file.
//
// Everything is checked before it is believed: magic, version, checksums, every parameter against
// its range, every number of a body or material against how many there are.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "boundary/chart_data.h"
#include "world/snapshot.h"
#include "world/snapshot_format.h"

#define MAX_SECTION ((uint64_t)1 << 36) // bytes of a section that is not a particle field
#define MAX_ENTRIES 16384u              // materials, colliders or emitters

typedef struct loader {
	FILE *stream;
	uint64_t left; // bytes of the file not yet read
	uint32_t version;
	const char *path;
	oz_hooks hooks;
	const char *device;
	uint32_t threads;
	oz_world *world;
	oz_section section;
	oz_error *error;
} loader;

static oz_result damaged(const loader *l, const char *what)
{
	return oz_fail(l->error, OZ_ERROR_CHECKSUM,
	               "%s is damaged: %s; use an older snapshot or run the scene again", l->path,
	               what);
}

static oz_result unknown(const loader *l, const char *name)
{
	return oz_fail(l->error, OZ_ERROR_VERSION,
	               "%s holds the parameter '%.64s', which this version (%s) does not know; use "
	               "a newer "
	               "ooze",
	               l->path, name, OZ_VERSION);
}

static bool get(loader *l, void *data, size_t size)
{
	if (size > l->left || (size && fread(data, size, 1, l->stream) != 1))
		return false;
	l->left -= size;
	return true;
}

static oz_result open_file(loader *l)
{
	l->stream = fopen(l->path, "rb");
	if (!l->stream)
		return oz_fail(l->error, OZ_ERROR_FILE, "%s cannot be opened (%s); check the path",
		               l->path, strerror(errno));
	// a folder can be opened, but not read
	if (fgetc(l->stream) == EOF && ferror(l->stream))
		return oz_fail(l->error, OZ_ERROR_FILE, "%s cannot be read (%s); name a snapshot",
		               l->path, strerror(errno));
	const long size = fseek(l->stream, 0, SEEK_END) == 0 ? ftell(l->stream) : -1;
	if (size < 0 || fseek(l->stream, 0, SEEK_SET) != 0)
		return oz_fail(l->error, OZ_ERROR_FILE, "%s cannot be read; is it a plain file?",
		               l->path);
	l->left = (uint64_t)size;
	snapshot_header header;
	if (!get(l, &header, sizeof header) ||
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

static oz_result read_header(loader *l, section_header *header)
{
	if (!get(l, header, sizeof *header) || header->size > l->left)
		return damaged(l, "it ends too early");
	// a name ends inside, and nothing but zeros follows it
	const size_t length = strnlen(header->tag, sizeof header->tag);
	for (size_t k = length; k < sizeof header->tag; k++)
		if (header->tag[k] != 0)
			return damaged(l, "a section's name is garbled");
	return length < sizeof header->tag ? OZ_OK : damaged(l, "a section's name is garbled");
}

static oz_result next_section(loader *l, const char *tag, section_header *header)
{
	const oz_result result = read_header(l, header);
	if (result != OZ_OK)
		return result;
	return strcmp(header->tag, tag) == 0 ? OZ_OK : damaged(l, "a section is missing");
}

static oz_result read_section(loader *l, const char *tag)
{
	section_header header;
	const oz_result result = next_section(l, tag, &header);
	if (result != OZ_OK)
		return result;
	if (header.size > MAX_SECTION)
		return damaged(l, "a section is too long");
	oz_section_free(&l->section);
	l->section.bytes = oz_heap_alloc(l->section.heap, header.size);
	if (header.size && !l->section.bytes)
		return oz_fail(l->error, OZ_ERROR_MEMORY,
		               "out of memory while reading %s; close other programs", l->path);
	l->section.size = l->section.capacity = header.size;
	if (!get(l, l->section.bytes, header.size) ||
	    oz_hash(l->section.bytes, header.size, snapshot_seed(&header)) != header.hash)
		return damaged(l, "a checksum differs");
	return OZ_OK;
}

static oz_result load_world(loader *l, snapshot_state *state)
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
		return damaged(l, "the world's section is too short");
	def.device = l->device;
	def.threads = l->threads;
	def.hooks = l->hooks;
	return oz_world_create(&def, &l->world, l->error);
}

// Each entry makes the world's tables anew: too many would take for ever.
static oz_result get_count(loader *l, uint32_t *count)
{
	oz_section_get(&l->section, count, sizeof *count);
	return *count <= MAX_ENTRIES ? OZ_OK : damaged(l, "it lists more things than a world has");
}

static oz_result load_alpha_keys(loader *l, oz_alpha_key **keys, uint32_t *count)
{
	oz_section *s = &l->section;
	if (l->version < 2)
		return OZ_OK;
	oz_section_get(s, count, sizeof *count);
	if (s->failed || *count > (s->size - s->at) / sizeof(oz_alpha_key))
		return damaged(l, "keys of alpha end too early");
	*keys = oz_heap_alloc(&l->world->heap, sizeof(oz_alpha_key) * *count);
	if (*count && !*keys)
		return oz_fail(l->error, OZ_ERROR_MEMORY, "out of memory while reading %s",
		               l->path);
	oz_section_get(s, *keys, sizeof(oz_alpha_key) * *count);
	return OZ_OK;
}

static oz_result load_material(loader *l)
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
	if (result == OZ_OK && !l->section.failed)
		result = oz_world_add_material(l->world, &def, NULL, l->error);
	oz_heap_free(&l->world->heap, keys, sizeof *keys * count);
	return result;
}

static oz_result load_materials(loader *l)
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
	return l->section.failed ? damaged(l, "materials end too early") : OZ_OK;
}

static oz_result load_bodies(loader *l)
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
		if (!l->section.failed && body.material >= w->materials.count)
			return damaged(l, "a body names a material that is not there");
		oz_body *added = oz_array_add(&w->heap, &w->bodies);
		if (!added)
			return oz_fail(l->error, OZ_ERROR_MEMORY, "out of memory while reading %s",
			               l->path);
		*added = body;
	}
	return l->section.failed ? damaged(l, "bodies end too early") : OZ_OK;
}

static oz_result load_keyframes(loader *l, oz_keyframe **frames, uint32_t *count)
{
	oz_section *s = &l->section;
	oz_section_get(s, count, sizeof *count);
	// each takes more room in the file than in memory
	if (s->failed || *count > (s->size - s->at) / sizeof(oz_keyframe))
		return damaged(l, "keyframes end too early");
	*frames = oz_heap_alloc(&l->world->heap, sizeof(oz_keyframe) * *count);
	if (*count && !*frames)
		return oz_fail(l->error, OZ_ERROR_MEMORY, "out of memory while reading %s",
		               l->path);
	for (uint32_t k = 0; k < *count; k++) {
		char name[64];
		if (!oz_section_get_params(s, OZ_PARAMS_KEYFRAME, &(*frames)[k], name))
			return unknown(l, name);
	}
	return s->failed ? damaged(l, "keyframes end too early") : OZ_OK;
}

// reads a chart, or takes that of the collider before which has the same; the caller releases it
static oz_result load_chart(loader *l, const oz_chart **chart)
{
	oz_section *s = &l->section;
	oz_chart_frame frame;
	uint32_t first, blocks;
	oz_section_get(s, &first, sizeof first);
	if (!s->failed && first < l->world->solids.count) {
		*chart = oz_chart_keep(oz_obstacles(l->world)[first].def.shape.chart);
		return *chart ? OZ_OK : damaged(l, "a collider's chart is not there");
	}
	oz_section_get(s, &frame, sizeof frame);
	oz_section_get(s, &blocks, sizeof blocks);
	const double places = (double)frame.blocks[0] * frame.blocks[1] * frame.blocks[2];
	const double bytes = sizeof(uint) * places +
	                     (double)(sizeof(oz_float4) * OZ_CHART_NODES) * (double)blocks;
	// a damaged count must not ask for the whole memory
	if (s->failed || !(bytes <= (double)(s->size - s->at)))
		return damaged(l, "a chart ends too early");
	oz_chart *c = oz_chart_alloc(&frame, blocks, &l->world->heap.hooks);
	if (!c)
		return oz_fail(l->error, OZ_ERROR_MEMORY,
		               "out of memory while reading %s; close other programs", l->path);
	oz_section_get(s, c->places, sizeof *c->places * c->place_count);
	oz_section_get(s, c->leads, sizeof *c->leads * OZ_CHART_NODES * (size_t)c->block_count);
	*chart = c;
	return oz_chart_is_sound(c) ? OZ_OK : damaged(l, "a chart holds what cannot be");
}

static oz_result load_solids(loader *l)
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
		oz_result result = load_keyframes(l, &frames, &frame_count);
		def.shape = shape;
		def.keyframes = frames;
		def.keyframe_count = frame_count;
		if (result == OZ_OK && shape.kind == OZ_SHAPE_CHART)
			result = load_chart(l, &def.shape.chart);
		if (result == OZ_OK)
			result = oz_world_add_collider(l->world, &def, NULL, l->error);
		oz_chart_release(def.shape.chart);
		oz_heap_free(&l->world->heap, frames, sizeof(oz_keyframe) * frame_count);
		if (result != OZ_OK)
			return result;
	}
	return l->section.failed ? damaged(l, "colliders end too early") : OZ_OK;
}

static oz_result load_nozzles(loader *l)
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
		if (l->section.failed || body >= w->bodies.count)
			return damaged(l, "an emitter names a body that is not there");
		const uint32_t bodies = w->bodies.count;
		const oz_result result = oz_world_add_emitter(w, &def, NULL, l->error);
		if (result != OZ_OK)
			return result;
		// its body is in the file already
		w->bodies.count = bodies;
		oz_nozzles(w)[k].body = body;
		oz_nozzles(w)[k].layers = layers;
	}
	return l->section.failed ? damaged(l, "emitters end too early") : OZ_OK;
}

static oz_result load_regions(loader *l)
{
	uint32_t count;
	const oz_result counted = get_count(l, &count);
	if (counted != OZ_OK)
		return counted;
	for (uint32_t k = 0; k < count && !l->section.failed; k++) {
		char name[64];
		oz_region_def def = {0};
		oz_shape shape = {0};
		if (!oz_section_get_params(&l->section, OZ_PARAMS_REGION, &def, name) ||
		    !oz_section_get_params(&l->section, OZ_PARAMS_SHAPE, &shape, name))
			return unknown(l, name);
		def.shape = shape;
		if (l->section.failed)
			break;
		const oz_result result = oz_world_add_region(l->world, &def, NULL, l->error);
		if (result != OZ_OK)
			return result;
	}
	return l->section.failed ? damaged(l, "regions end too early") : OZ_OK;
}

static oz_result load_handle(loader *l)
{
	char name[64];
	oz_handle_def def = {0};
	oz_shape shape = {0};
	oz_keyframe *frames = NULL;
	if (!oz_section_get_params(&l->section, OZ_PARAMS_HANDLE, &def, name) ||
	    !oz_section_get_params(&l->section, OZ_PARAMS_SHAPE, &shape, name))
		return unknown(l, name);
	def.shape = shape;
	oz_section_get(&l->section, &def.body, sizeof def.body);
	uint32_t count = 0;
	oz_result result = load_keyframes(l, &frames, &count);
	def.keyframes = frames;
	def.keyframe_count = count;
	if (result == OZ_OK && !l->section.failed)
		result = oz_handle_keep(l->world, &def, l->error);
	oz_heap_free(&l->world->heap, frames, sizeof *frames * count);
	return result;
}

static oz_result load_handles(loader *l)
{
	uint32_t count;
	oz_result result = get_count(l, &count);
	for (uint32_t k = 0; k < count && result == OZ_OK && !l->section.failed; k++)
		result = load_handle(l);
	if (result != OZ_OK)
		return result;
	return l->section.failed ? damaged(l, "handles end too early") : OZ_OK;
}

// a particle field on its way in
typedef struct field {
	const char *name;
	void *buffer;
	size_t size; // bytes of an element
	uint32_t count;
	bool found;
} field;

#define MAX_FIELDS 64

static uint32_t list_fields(oz_world *w, field fields[MAX_FIELDS])
{
	const oz_particles *p = &w->particles;
	const oz_blend *b = &w->blend;
	uint32_t count = 0;
#define LIST_STATE(type, name)                                                                     \
	fields[count++] = (field){#name, p->name, sizeof(type), p->count, false};
#define LIST_ANCHOR(type, name) LIST_STATE(type, name)
#define LIST_RESULT(type, name)
#define OZ_FIELD_LIST(type, name, kind) LIST_##kind(type, name)
	OZ_PARTICLE_FIELDS(OZ_FIELD_LIST)
#undef OZ_FIELD_LIST
#define OZ_SLOT_LIST(type, name, kind)                                                             \
	if (OZ_IS_##kind && b->count)                                                              \
		fields[count++] = (field){"blend." #name, b->name, sizeof(type), b->count, false};
	OZ_SLOT_FIELDS(OZ_SLOT_LIST)
#undef OZ_SLOT_LIST
#define OZ_SOLID_LIST(type, name, kind)                                                            \
	if (OZ_IS_##kind && w->solid.capacity)                                                     \
		fields[count++] =                                                                  \
		        (field){"solid." #name, w->solid.name, sizeof(type), b->count, false};
	OZ_SOLID_FIELDS(OZ_SOLID_LIST)
	OZ_SOLVE_FIELDS(OZ_SOLID_LIST)
#undef OZ_SOLID_LIST
	return count;
}

// reads a field's bytes to where they belong, or to nowhere
static oz_result read_field(loader *l, const section_header *header, void *buffer, char *piece)
{
	uint64_t hash = snapshot_seed(header);
	for (uint64_t at = 0; at < header->size; at += SNAPSHOT_PIECE) {
		const uint64_t left = header->size - at;
		const size_t part = left < SNAPSHOT_PIECE ? (size_t)left : SNAPSHOT_PIECE;
		if (!get(l, piece, part))
			return damaged(l, "it ends too early");
		hash = oz_hash(piece, part, hash);
		if (buffer)
			l->world->device->ops->write(l->world->device, buffer, at, piece, part);
	}
	return hash == header->hash ? OZ_OK : damaged(l, "a checksum differs");
}

static oz_result load_field(loader *l, field *f, const section_header *header, char *piece)
{
	if (f->found)
		return damaged(l, "a field comes twice");
	if (header->size != f->size * f->count)
		return damaged(l, "a field has another length than the particles");
	f->found = true;
	return read_field(l, header, f->buffer, piece);
}

static oz_result refuse_field(loader *l, const section_header *header, char *piece)
{
	const oz_result result = read_field(l, header, NULL, piece);
	if (result != OZ_OK)
		return result;
	return oz_fail(l->error, OZ_ERROR_VERSION,
	               "%s holds the field '%s', which this version (%s) does not know; use a "
	               "newer ooze",
	               l->path, header->tag, OZ_VERSION);
}

static field *find_field(field *fields, uint32_t count, const char *name)
{
	for (uint32_t k = 0; k < count; k++)
		if (strcmp(fields[k].name, name) == 0)
			return &fields[k];
	return NULL;
}

// what older versions did not know yet, and what it was then
static const struct {
	const char *name;
	uint32_t since; // version
	union {
		uint number;
		float value;
	} was;
} younger[] = {{"slot", 2, {.number = OZ_NONE}},
               {"temperature", 4, {.value = 20}},
               {"warmth", 4, {.value = 0}}};

static bool fill_younger(const loader *l, const field *f)
{
	size_t k = 0;
	while (k < sizeof younger / sizeof *younger && strcmp(younger[k].name, f->name) != 0)
		k++;
	if (k == sizeof younger / sizeof *younger || l->version >= younger[k].since)
		return false;
	uint same[256];
	for (size_t n = 0; n < 256; n++)
		memcpy(&same[n], &younger[k].was, sizeof *same);
	for (uint32_t i = 0; i < f->count; i += 256) {
		const size_t left = sizeof *same * (f->count - i);
		l->world->device->ops->write(l->world->device, f->buffer, sizeof *same * i, same,
		                             left < sizeof same ? left : sizeof same);
	}
	return true;
}

static oz_result check_found(const loader *l, const field *fields, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		if (!fields[k].found && !fill_younger(l, &fields[k]))
			return oz_fail(l->error, OZ_ERROR_VERSION,
			               "%s lacks the field '%s' of this version (%s); go on with "
			               "the ooze "
			               "that wrote it, or run the scene again",
			               l->path, fields[k].name, OZ_VERSION);
	return OZ_OK;
}

// fields in any order, up to the end
static oz_result load_fields(loader *l, char *piece)
{
	field fields[MAX_FIELDS];
	const uint32_t count = list_fields(l->world, fields);
	for (;;) {
		section_header header;
		oz_result result = read_header(l, &header);
		if (result != OZ_OK)
			return result;
		if (strcmp(header.tag, SNAPSHOT_END) == 0) {
			if (header.size > 0 ||
			    header.hash != oz_hash(NULL, 0, snapshot_seed(&header)))
				return damaged(l, "a checksum differs");
			break;
		}
		field *f = find_field(fields, count, header.tag);
		result = f ? load_field(l, f, &header, piece) : refuse_field(l, &header, piece);
		if (result != OZ_OK)
			return result;
	}
	return l->left > 0 ? damaged(l, "it goes on behind its end")
	                   : check_found(l, fields, count);
}

static oz_result load_particles(loader *l, const snapshot_state *state)
{
	oz_world *w = l->world;
	const uint32_t count = state->particles;
	// an honest file holds every particle that it announces
	if (count > l->left / sizeof(oz_float4) || count > UINT32_MAX / 2 || state->slots > count)
		return damaged(l, "it ends too early");
	oz_result result = oz_particles_reserve(w->device, &w->particles, count, l->error);
	if (result == OZ_OK && state->slots)
		result = oz_slots_reserve(w, state->slots, l->error);
	if (result == OZ_OK && state->slots && oz_any_body(w, OZ_COROTATED, NULL))
		result = oz_solids_reserve(w, l->error);
	char *piece = result == OZ_OK ? oz_heap_alloc(&w->heap, SNAPSHOT_PIECE) : NULL;
	if (result == OZ_OK && !piece)
		result = oz_fail(l->error, OZ_ERROR_MEMORY, "out of memory while reading %s",
		                 l->path);
	if (result == OZ_OK) {
		w->particles.count = count;
		w->blend.count = state->slots;
		result = load_fields(l, piece);
	}
	oz_heap_free(&w->heap, piece, SNAPSHOT_PIECE);
	return result;
}

// nothing is known of the last step's results
static void clear_results(oz_world *w)
{
	oz_particles *p = &w->particles;
#define CLEAR_STATE(type, name)
#define CLEAR_ANCHOR(type, name)
#define CLEAR_RESULT(type, name)         w->device->ops->clear(w->device, p->name, sizeof(type) * p->count);
#define OZ_FIELD_CLEAR(type, name, kind) CLEAR_##kind(type, name)
	if (p->count > 0) {
		OZ_PARTICLE_FIELDS(OZ_FIELD_CLEAR)
	}
#undef OZ_FIELD_CLEAR
}

// the lists that belonged to the anchors, or none, if the particles are not in the grid's order
static oz_result restore(loader *l, const snapshot_state *s)
{
	oz_world *w = l->world;
	w->time = s->time;
	// what walls bear counts from now on
	for (uint32_t k = 0; k < w->solids.count; k++)
		oz_obstacles(w)[k].load_since = w->time;
	w->step = s->step;
	w->next_id = s->next_id;
	w->steering = s->steering;
	w->squeezed = s->squeezed != 0;
	w->neighbours.grid = s->grid;
	w->blend.lumps = s->lumps;
	w->near = s->near > 0;
	// the lists of the clusters follow from the reference shapes, in the next step
	w->blend.stale = w->blend.count > 0;
	oz_result result = OZ_OK;
	oz_blend_sorted(w);
	if (s->listed)
		result = oz_neighbours_restore(w->device, &w->neighbours, &w->particles, l->error);
	clear_results(w);
	return result;
}

static oz_result load_all(loader *l)
{
	static const struct {
		const char *tag;
		oz_result (*load)(loader *l);
		uint32_t since; // version
	} parts[] = {{"materials", load_materials, 1}, {"bodies", load_bodies, 1},
	             {"solids", load_solids, 1},       {"nozzles", load_nozzles, 1},
	             {"regions", load_regions, 4},     {"handles", load_handles, 4}};
	snapshot_state state = {0};
	oz_result result = open_file(l);
	if (result == OZ_OK)
		result = read_section(l, "world");
	if (result == OZ_OK)
		result = load_world(l, &state);
	const char *wrong = result == OZ_OK ? oz_snapshot_check_state(l->world, &state) : NULL;
	if (wrong)
		result = damaged(l, wrong);
	for (size_t k = 0; k < sizeof parts / sizeof *parts && result == OZ_OK; k++) {
		if (l->version < parts[k].since)
			continue;
		result = read_section(l, parts[k].tag);
		if (result == OZ_OK)
			result = parts[k].load(l);
	}
	if (result == OZ_OK)
		result = load_particles(l, &state);
	wrong = result == OZ_OK ? oz_snapshot_check_particles(l->world, &state) : NULL;
	// what a device that failed gave back says nothing about the file
	if (result == OZ_OK && oz_device_check(l->world->device, l->error) != OZ_OK)
		return l->world->device->failure.code;
	if (wrong == oz_snapshot_no_memory)
		return oz_fail(l->error, OZ_ERROR_MEMORY,
		               "out of memory while reading %s; close other programs", l->path);
	if (wrong)
		result = damaged(l, wrong);
	if (result == OZ_OK)
		result = restore(l, &state);
	return result == OZ_OK ? oz_device_check(l->world->device, l->error) : result;
}

oz_result oz_world_load(const char *path, const char *device, uint32_t threads,
                        const oz_hooks *hooks, oz_world **world, oz_error *error)
{
	if (!path || !world)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "path or world is NULL; pass both");
	*world = NULL;
	oz_heap heap;
	oz_heap_init(&heap, hooks);
	loader l = {.path = path,
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
