// snapshot_fields.c: writes the fields of the registry to a snapshot and reads them.
//
// Fields are found by name. A field that an older file lacks gets the row's first value. A field
// that this version does not know is refused.
#include <math.h>
#include <string.h>

#include "world/snapshot.h"
#include "world/snapshot_format.h"

// ---- writing -----------------------------------------------------------------------------------

// Writes a field in pieces of SNAPSHOT_PIECE bytes. The checksum stands before the data, so that
// the device is read twice.
static void put_field(oz_device *d, oz_file *file, const char *name, const void *buffer,
                      size_t size, char *piece)
{
	section_header header = snapshot_header_of(name, size);
	header.hash = snapshot_seed(&header);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t at = 0; at < size; at += SNAPSHOT_PIECE) {
			const size_t part = size - at < SNAPSHOT_PIECE ? size - at : SNAPSHOT_PIECE;
			d->ops->read(d, piece, buffer, at, part);
			if (pass == 0)
				header.hash = oz_hash(piece, part, header.hash);
			else
				oz_file_put(file, piece, part);
		}
		if (pass == 0)
			oz_file_put(file, &header, sizeof header);
	}
}

static uint32_t count_of(const oz_world *w, oz_items items)
{
	return items == OZ_ITEMS_SLOTS ? w->slots.count : w->sim.particles.count;
}

// finds the field with the next name in alphabetical order; false: there is none
static bool next_by_name(oz_fields *f, const char *after, oz_field_at *next)
{
	oz_field_at at;
	bool found = false;
	for (uint32_t n = 0; oz_fields_next(f, n, &at); n++)
		if (strcmp(at.row->name, after) > 0 &&
		    (!found || strcmp(at.row->name, next->row->name) < 0)) {
			*next = at;
			found = true;
		}
	return found;
}

// in alphabetical order, so that the file does not depend on the order in which models were opened
void oz_snapshot_put_fields(oz_world *w, oz_file *file, char *piece)
{
	oz_field_at at;
	for (const char *name = ""; next_by_name(&w->sim.fields, name, &at); name = at.row->name) {
		const uint32_t count = count_of(w, at.items);
		if (at.row->kind != OZ_KIND_RESULT && (count || at.items == OZ_ITEMS_PARTICLES))
			put_field(w->sim.device, file, at.row->name, *at.buffer,
			          (size_t)at.row->size * count, piece);
	}
}

// ---- reading -----------------------------------------------------------------------------------

#define MOST_FIELDS (OZ_FIELD_SETS * OZ_FIELD_ROWS)

// whether each field was read, by its number in the registry
typedef struct found_fields {
	bool is[MOST_FIELDS];
} found_fields;

// reads the bytes of a field to a device buffer and checks them; NULL: skips them
static oz_result read_field(oz_loader *l, const section_header *header, void *buffer, char *piece)
{
	uint64_t hash = l->seed;
	for (uint64_t at = 0; at < header->size; at += SNAPSHOT_PIECE) {
		const uint64_t left = header->size - at;
		const size_t part = left < SNAPSHOT_PIECE ? (size_t)left : SNAPSHOT_PIECE;
		if (!oz_snapshot_get(l, piece, part))
			return oz_snapshot_damaged(l, "it ends too early");
		hash = oz_hash(piece, part, hash);
		if (buffer)
			l->world->sim.device->ops->write(l->world->sim.device, buffer, at, piece,
			                                 part);
	}
	return hash == header->hash ? OZ_OK : oz_snapshot_damaged(l, "a checksum differs");
}

// finds a saved field of the registry by name
static bool find_field(oz_fields *f, const char *name, uint32_t *number, oz_field_at *at)
{
	for (uint32_t n = 0; oz_fields_next(f, n, at); n++)
		if (at->row->kind != OZ_KIND_RESULT && strcmp(at->row->name, name) == 0) {
			*number = n;
			return true;
		}
	return false;
}

static bool has_row(const oz_field_row *rows, uint32_t count, const char *name)
{
	for (uint32_t k = 0; k < count; k++)
		if (strcmp(rows[k].name, name) == 0)
			return true;
	return false;
}

// The model that has a field of this name and is not open; NULL: there is none.
static oz_model_entry *closed_owner(oz_world *w, const char *name)
{
	for (uint32_t k = 0; k < w->models.count; k++) {
		oz_model_entry *e = &w->models.entries[k];
		const oz_model_ops *ops = e->ops;
		if (!e->open && (has_row(ops->particle_rows, ops->particle_row_count, name) ||
		                 has_row(ops->slot_rows, ops->slot_row_count, name)))
			return e;
	}
	return NULL;
}

static oz_result load_field(oz_loader *l, const oz_field_at *at, bool *found,
                            const section_header *header, char *piece)
{
	if (*found)
		return oz_snapshot_damaged(l, "a field is there twice");
	if (header->size != (uint64_t)at->row->size * count_of(l->world, at->items))
		return oz_snapshot_damaged(l, "the size of a field does not match the number of "
		                              "particles or slots");
	*found = true;
	return read_field(l, header, *at->buffer, piece);
}

// Reads a field that is not in the registry. A model of all materials and contact are opened and
// get their fields.
// Fields of closed models and of slots are skipped: older versions wrote them for every world.
// Other fields are refused.
static oz_result load_unlisted_field(oz_loader *l, found_fields *found,
                                     const section_header *header, char *piece)
{
	oz_world *w = l->world;
	oz_model_entry *owner = closed_owner(w, header->tag);
	oz_field_at at;
	uint32_t n;
	oz_result result = OZ_OK;
	if (owner && owner->ops->model == OZ_ALL_MODELS) {
		result = oz_model_open_fields(&w->sim, owner, l->error);
	} else {
		result = oz_contact_open_field(&w->sim, header->tag, l->error);
	}
	if (result == OZ_OK && find_field(&w->sim.fields, header->tag, &n, &at))
		return load_field(l, &at, &found->is[n], header, piece);
	if (result == OZ_OK)
		result = read_field(l, header, NULL, piece);
	if (result != OZ_OK || owner || oz_slots_have_field(header->tag))
		return result;
	return oz_fail(l->error, OZ_ERROR_VERSION,
	               "%s holds the field '%s', which this version (%s) does not know; use a "
	               "newer ooze",
	               l->path, header->tag, OZ_VERSION);
}

// refuses a file that lacks a field that its version should have
static oz_result check_found(const oz_loader *l, const found_fields *found)
{
	oz_field_at at;
	for (uint32_t n = 0; oz_fields_next(&l->world->sim.fields, n, &at); n++)
		if (at.row->kind != OZ_KIND_RESULT && !found->is[n] &&
		    count_of(l->world, at.items) && l->version >= at.row->since)
			return oz_fail(l->error, OZ_ERROR_VERSION,
			               "%s lacks the field '%s' of this version (%s); go on with "
			               "the ooze that wrote it, or run the scene again",
			               l->path, at.row->name, OZ_VERSION);
	return OZ_OK;
}

// reads fields in any order, up to the end of the file
static oz_result load_fields(oz_loader *l, char *piece)
{
	oz_fields *f = &l->world->sim.fields;
	found_fields found = {0};
	for (;;) {
		section_header header;
		oz_field_at at;
		uint32_t n;
		oz_result result = oz_snapshot_next(l, &header);
		if (result != OZ_OK)
			return result;
		if (strcmp(header.tag, SNAPSHOT_END) == 0) {
			if (header.size > 0 || header.hash != oz_hash(NULL, 0, l->seed))
				return oz_snapshot_damaged(l, "a checksum differs");
			break;
		}
		result = find_field(f, header.tag, &n, &at)
		                 ? load_field(l, &at, &found.is[n], &header, piece)
		                 : load_unlisted_field(l, &found, &header, piece);
		if (result != OZ_OK)
			return result;
	}
	return l->left > 0 ? oz_snapshot_damaged(l, "it has bytes after its last section")
	                   : check_found(l, &found);
}

// moves the nozzle from the w of positions to its field, for files up to version 4
static oz_result convert_nozzles(oz_loader *l)
{
	oz_world *w = l->world;
	oz_device *d = w->sim.device;
	const uint32_t count = w->sim.particles.count;
	if (l->version > 4 || count == 0)
		return OZ_OK;
	oz_float4 *position = oz_heap_alloc(&w->heap, sizeof *position * count);
	if (!position)
		return oz_fail(l->error, OZ_ERROR_MEMORY,
		               "out of memory while reading %s; close other programs", l->path);
	d->ops->read(d, position, w->sim.particles.position, 0, sizeof *position * count);
	const char *wrong = NULL;
	for (uint32_t i = 0; i < count; i++) {
		const float nozzle = position[i].w;
		position[i].w = 0;
		if (nozzle != 0 && !w->boundary.nozzle)
			wrong = "a particle is in a nozzle that does not exist";
		else if (nozzle != 0)
			d->ops->write(d, w->boundary.nozzle, sizeof nozzle * i, &nozzle,
			              sizeof nozzle);
	}
	d->ops->write(d, w->sim.particles.position, 0, position, sizeof *position * count);
	oz_heap_free(&w->heap, position, sizeof *position * count);
	return wrong ? oz_snapshot_damaged(l, wrong) : OZ_OK;
}

// reserves particles, slots and the fields of models by the counts of the state
static oz_result reserve(oz_loader *l, const snapshot_state *state)
{
	oz_sim *s = &l->world->sim;
	const uint32_t count = state->particles;
	// the file is too short for so many particles: do not allocate
	if (count > l->left / sizeof(oz_float4) || count > UINT32_MAX / 2 || state->slots > count)
		return oz_snapshot_damaged(l, "it ends too early");
	oz_result result = oz_particles_reserve(&s->fields, &s->particles, count, l->error);
	if (result == OZ_OK && state->slots)
		result = oz_slots_reserve(s, state->slots, l->error);
	s->particles.count = result == OZ_OK ? count : 0;
	s->slots->count = result == OZ_OK ? state->slots : 0;
	for (uint32_t b = 0; b < s->bodies.count && result == OZ_OK; b++) {
		const oz_addition addition = {.body = b,
		                              .temperature = oz_body_default().temperature};
		if (oz_bodies(s)[b].count)
			result = oz_models_open_needed(s, &addition, l->error);
	}
	if (result == OZ_OK) {
		oz_fields_write_first(&s->fields, 0, OZ_ITEMS_PARTICLES, 0, count);
		oz_fields_write_first(&s->fields, 0, OZ_ITEMS_SLOTS, 0, state->slots);
	}
	return result;
}

oz_result oz_snapshot_get_fields(oz_loader *l, const snapshot_state *state)
{
	oz_world *w = l->world;
	oz_result result = reserve(l, state);
	char *piece = result == OZ_OK ? oz_heap_alloc(&w->heap, SNAPSHOT_PIECE) : NULL;
	if (result == OZ_OK && !piece)
		result = oz_fail(l->error, OZ_ERROR_MEMORY, "out of memory while reading %s",
		                 l->path);
	if (result == OZ_OK)
		result = load_fields(l, piece);
	oz_heap_free(&w->heap, piece, SNAPSHOT_PIECE);
	return result == OZ_OK ? convert_nozzles(l) : result;
}
