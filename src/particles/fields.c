// fields.c: allocates, sorts, hashes and checks all registered fields.
#include "particles/fields.h"

#include <math.h>
#include <string.h>

#define PIECE 32768u // bytes of one read or write

// the place of the field's pointer in the holder
static void **buffer_of(const oz_field_set *set, const oz_field_row *row)
{
	return (void **)(void *)((char *)set->holder + row->offset);
}

size_t oz_rows_bytes(const oz_field_row *rows, uint32_t count)
{
	size_t bytes = 0;
	for (uint32_t k = 0; k < count; k++)
		bytes += rows[k].size;
	return bytes;
}

// ---- memory ------------------------------------------------------------------------------------

static void release_buffers(oz_device *d, const oz_field_set *set, void **buffers, uint32_t items)
{
	for (uint32_t k = 0; k < set->count; k++)
		d->ops->release(d, buffers[k], (size_t)set->rows[k].size * items);
}

// Allocates the buffers of a set for `items` items; false, and no buffer, when out of memory.
static bool alloc_buffers(oz_device *d, const oz_field_set *set, void **buffers, uint32_t items)
{
	bool whole = true;
	for (uint32_t k = 0; k < set->count; k++) {
		buffers[k] = d->ops->alloc(d, (size_t)set->rows[k].size * items);
		whole = whole && buffers[k];
	}
	if (!whole)
		release_buffers(d, set, buffers, items);
	// lists are padded with the slot behind the last one: its records must be zero
	for (uint32_t k = 0; k < set->count && whole && set->items == OZ_ITEMS_SLOTS; k++)
		d->ops->clear(d, buffers[k], (size_t)set->rows[k].size * items);
	return whole;
}

// writes the initial value of a field into the items [begin, end)
static void write_first(oz_device *d, const oz_field_row *row, void *buffer, uint32_t begin,
                        uint32_t end)
{
	uint same[PIECE / sizeof(uint)];
	const size_t to = (size_t)row->size * end;
	for (size_t k = 0; k < sizeof same / sizeof *same; k++)
		same[k] = row->first;
	for (size_t at = (size_t)row->size * begin; at < to; at += sizeof same)
		d->ops->write(d, buffer, at, same, to - at < sizeof same ? to - at : sizeof same);
}

static oz_result no_memory(oz_error *error, uint32_t items)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the fields of %u particles; use a larger spacing", items);
}

oz_result oz_fields_add(oz_fields *f, const oz_field_set *set, uint32_t count, oz_error *error)
{
	void *buffers[OZ_FIELD_ROWS];
	const uint32_t capacity = f->capacity[set->items];
	if (f->set_count == OZ_FIELD_SETS || set->count > OZ_FIELD_ROWS)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "a world takes at most %u tables of %u fields; use fewer models",
		               OZ_FIELD_SETS, OZ_FIELD_ROWS);
	if (capacity && !alloc_buffers(f->device, set, buffers, capacity))
		return no_memory(error, capacity);
	for (uint32_t k = 0; k < set->count; k++) {
		*buffer_of(set, &set->rows[k]) = capacity ? buffers[k] : NULL;
		if (capacity)
			write_first(f->device, &set->rows[k], buffers[k], 0, count);
	}
	f->sets[f->set_count++] = *set;
	return OZ_OK;
}

void oz_fields_drop_last(oz_fields *f)
{
	const oz_field_set *set = &f->sets[--f->set_count];
	for (uint32_t k = 0; k < set->count; k++) {
		void **buffer = buffer_of(set, &set->rows[k]);
		f->device->ops->release(f->device, *buffer,
		                        (size_t)set->rows[k].size * f->capacity[set->items]);
		*buffer = NULL;
	}
}

typedef void *set_buffers[OZ_FIELD_ROWS];

// releases the new buffers of the first `sets` sets, after an allocation failed
static void release_new(oz_fields *f, oz_items items, set_buffers *grown, uint32_t sets,
                        uint32_t capacity)
{
	for (uint32_t s = 0; s < sets; s++)
		if (f->sets[s].items == items)
			release_buffers(f->device, &f->sets[s], grown[s], capacity);
}

// copies the records of a set into larger buffers and releases the old ones
static void replace_buffers(oz_fields *f, const oz_field_set *set, void **grown, uint32_t count)
{
	oz_device *d = f->device;
	const uint32_t old = f->capacity[set->items];
	for (uint32_t k = 0; k < set->count; k++) {
		const size_t size = set->rows[k].size;
		void **buffer = buffer_of(set, &set->rows[k]);
		if (count)
			d->ops->copy(d, grown[k], *buffer, size * count);
		d->ops->release(d, *buffer, size * old);
		*buffer = grown[k];
	}
}

oz_result oz_fields_reserve(oz_fields *f, oz_items items, uint32_t count, uint32_t capacity,
                            oz_error *error)
{
	if (capacity <= f->capacity[items])
		return OZ_OK;
	set_buffers grown[OZ_FIELD_SETS];
	for (uint32_t s = 0; s < f->set_count; s++) {
		if (f->sets[s].items != items ||
		    alloc_buffers(f->device, &f->sets[s], grown[s], capacity))
			continue;
		release_new(f, items, grown, s, capacity);
		return no_memory(error, capacity);
	}
	for (uint32_t s = 0; s < f->set_count; s++)
		if (f->sets[s].items == items)
			replace_buffers(f, &f->sets[s], grown[s], count);
	f->capacity[items] = capacity;
	return OZ_OK;
}

void oz_fields_write_first(oz_fields *f, uint32_t first, oz_items items, uint32_t begin,
                           uint32_t end)
{
	for (uint32_t s = first; s < f->set_count; s++) {
		const oz_field_set *set = &f->sets[s];
		for (uint32_t k = 0; k < set->count && set->items == items; k++)
			write_first(f->device, &set->rows[k], *buffer_of(set, &set->rows[k]), begin,
			            end);
	}
}

void oz_fields_free(oz_fields *f)
{
	oz_field_at at;
	for (uint32_t n = 0; oz_fields_next(f, n, &at); n++) {
		f->device->ops->release(f->device, *at.buffer,
		                        (size_t)at.row->size * f->capacity[at.items]);
		*at.buffer = NULL;
	}
	f->set_count = 0;
	memset(f->capacity, 0, sizeof f->capacity);
}

// ---- finding -----------------------------------------------------------------------------------

bool oz_fields_next(oz_fields *f, uint32_t number, oz_field_at *at)
{
	for (uint32_t s = 0; s < f->set_count; s++) {
		const oz_field_set *set = &f->sets[s];
		if (number < set->count) {
			const oz_field_row *row = &set->rows[number];
			*at = (oz_field_at){row, set->items, buffer_of(set, row)};
			return true;
		}
		number -= set->count;
	}
	return false;
}

void *oz_fields_find(oz_fields *f, const char *name)
{
	oz_field_at at;
	for (uint32_t n = 0; oz_fields_next(f, n, &at); n++)
		if (strcmp(at.row->name, name) == 0)
			return *at.buffer;
	return NULL;
}

// ---- all fields -------------------------------------------------------------------------------

void oz_fields_reorder(oz_fields *f, oz_items items, const uint *index, uint32_t count, void **wide,
                       void **narrow)
{
	oz_field_at at;
	for (uint32_t n = 0; oz_fields_next(f, n, &at); n++) {
		if (at.items != items || at.row->kind != OZ_KIND_STATE)
			continue;
		void **spare = at.row->type == OZ_TYPE_FLOAT4 ? wide : narrow;
		f->device->ops->gather(f->device, *spare, *at.buffer, index, count, at.row->size);
		void *old = *at.buffer;
		*at.buffer = *spare;
		*spare = old;
	}
}

void oz_fields_clear_results(oz_fields *f, oz_items items, uint32_t count)
{
	oz_field_at at;
	for (uint32_t n = 0; oz_fields_next(f, n, &at) && count; n++)
		if (at.items == items && at.row->kind == OZ_KIND_RESULT)
			f->device->ops->clear(f->device, *at.buffer, (size_t)at.row->size * count);
}

// reads the buffer in pieces, so that no memory is allocated
static uint64_t hash_buffer(oz_device *d, const void *buffer, size_t size, uint64_t hash)
{
	char piece[PIECE];
	for (size_t at = 0; at < size; at += sizeof piece) {
		const size_t left = size - at, now = left < sizeof piece ? left : sizeof piece;
		d->ops->read(d, piece, buffer, at, now);
		hash = oz_hash(piece, now, hash);
	}
	return hash;
}

// The sum of the hashes of fields, each seeded with its name: independent of the order in which
// models added their fields.
uint64_t oz_fields_hash(oz_fields *f, oz_items items, uint32_t count, uint64_t hash)
{
	oz_field_at at;
	uint64_t sum = 0;
	for (uint32_t n = 0; oz_fields_next(f, n, &at) && count; n++) {
		if (at.items != items || at.row->kind == OZ_KIND_RESULT)
			continue;
		const uint64_t seed = oz_hash(at.row->name, strlen(at.row->name), 0);
		sum += hash_buffer(f->device, *at.buffer, (size_t)at.row->size * count, seed);
	}
	return oz_hash(&sum, sizeof sum, hash);
}

// Whether a record is within the limits of its row; false for NaN.
static bool is_within(const oz_field_row *row, const char *record)
{
	float v[4] = {0, 0, 0, 0};
	if (row->type == OZ_TYPE_UINT)
		return true;
	memcpy(v, record, row->size);
	return fabsf(v[0]) <= row->most && fabsf(v[1]) <= row->most && fabsf(v[2]) <= row->most &&
	       isfinite(v[3]);
}

const char *oz_fields_check(oz_fields *f, oz_items items, uint32_t count, bool *checked)
{
	oz_field_at at;
	*checked = true;
	for (uint32_t n = 0; oz_fields_next(f, n, &at); n++) {
		if (at.items != items || at.row->kind == OZ_KIND_RESULT || count == 0)
			continue;
		const char *records =
		        f->device->ops->view(f->device, *at.buffer, (size_t)at.row->size * count);
		if (!records) {
			*checked = false;
			return at.row->name;
		}
		for (uint32_t k = 0; k < count; k++)
			if (!is_within(at.row, records + (size_t)k * at.row->size))
				return at.row->name;
	}
	return NULL;
}
