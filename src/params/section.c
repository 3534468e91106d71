// section.c: writes and reads the bytes of one section, and definitions by parameter name.
#include <math.h>
#include <string.h>

#include "params/section.h"

void oz_section_put(oz_section *s, const void *data, size_t size)
{
	if (s->size + size > s->capacity && !s->failed) {
		const size_t capacity = 2 * (s->size + size) + 256;
		char *bytes = oz_heap_resize(s->heap, s->bytes, s->capacity, capacity);
		s->failed = !bytes;
		if (bytes) {
			s->bytes = bytes;
			s->capacity = capacity;
		}
	}
	if (s->failed || size == 0)
		return;
	memcpy(s->bytes + s->size, data, size);
	s->size += size;
}

void oz_section_get(oz_section *s, void *data, size_t size)
{
	if (size == 0)
		return;
	if (s->failed || size > s->size - s->at) {
		s->failed = true;
		memset(data, 0, size);
		return;
	}
	memcpy(data, s->bytes + s->at, size);
	s->at += size;
}

void oz_section_free(oz_section *s)
{
	oz_heap_free(s->heap, s->bytes, s->capacity);
	*s = (oz_section){.heap = s->heap};
}

uint32_t oz_section_get_count(oz_section *s)
{
	uint32_t count;
	oz_section_get(s, &count, sizeof count);
	// the world rebuilds its tables for each element: a damaged count must not take hours
	if (count <= OZ_SECTION_MOST)
		return count;
	s->failed = true;
	return 0;
}

oz_result oz_section_fail_unknown(const char *name, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_VERSION,
	               "it holds the parameter '%.64s', which this version (%s) does not know; use "
	               "a newer ooze",
	               name, OZ_VERSION);
}

oz_result oz_section_fail_short(const char *what, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_CHECKSUM, "%s end too early", what);
}

static uint32_t float_count(oz_param_type type)
{
	return type == OZ_PARAM_FLOAT  ? 1
	       : type == OZ_PARAM_VEC3 ? 3
	       : type == OZ_PARAM_QUAT ? 4
	                               : 0;
}

// records that a parameter takes: two points of a table each
static uint32_t record_count(const oz_param *row, const void *def)
{
	oz_curve table;
	if (row->type == OZ_PARAM_STRING)
		return 0;
	if (row->type != OZ_PARAM_TABLE)
		return 1;
	memcpy(&table, (const char *)def + row->offset, sizeof table);
	return (table.count + 1) / 2;
}

// copies two points of a table into `value`; NaN: there is no second one
static void read_points(const oz_param *row, const void *def, uint32_t pair, double value[4])
{
	oz_curve table;
	memcpy(&table, (const char *)def + row->offset, sizeof table);
	for (uint32_t k = 0; k < 4; k++) {
		const uint32_t point = 2 * pair + k / 2;
		value[k] = point < table.count ? (double)table.points[point][k % 2] : (double)NAN;
	}
}

// appends the points in `value` to a table; too many make a count that the range check refuses
static void add_points(const oz_param *row, void *def, const double value[4])
{
	oz_curve *table = (oz_curve *)(void *)((char *)def + row->offset);
	const uint32_t count = isnan(value[2]) ? 1 : 2;
	for (uint32_t k = 0; k < count; k++) {
		if (table->count < OZ_CURVE_MOST) {
			table->points[table->count][0] = (float)value[2 * k];
			table->points[table->count][1] = (float)value[2 * k + 1];
		}
		table->count += table->count <= OZ_CURVE_MOST;
	}
}

// copies a field into `value`, as numbers
static void read_field(const oz_param *row, const void *def, double value[4])
{
	const char *field = (const char *)def + row->offset;
	for (uint32_t k = 0; k < float_count(row->type); k++)
		value[k] = (double)((const float *)(const void *)field)[k];
	if (row->type == OZ_PARAM_UINT || row->type == OZ_PARAM_CHOICE)
		value[0] = *(const uint32_t *)(const void *)field;
	if (row->type == OZ_PARAM_BOOL)
		value[0] = *(const bool *)field;
}

// sets a field from `value`
static void write_field(const oz_param *row, void *def, const double value[4])
{
	char *field = (char *)def + row->offset;
	for (uint32_t k = 0; k < float_count(row->type); k++)
		((float *)(void *)field)[k] = (float)value[k];
	// UINT32_MAX for a damaged number, so that the range check refuses it
	const bool whole = value[0] >= 0 && value[0] <= (double)UINT32_MAX;
	if (row->type == OZ_PARAM_UINT || row->type == OZ_PARAM_CHOICE)
		*(uint32_t *)(void *)field = whole ? (uint32_t)value[0] : UINT32_MAX;
	if (row->type == OZ_PARAM_BOOL)
		*(bool *)field = value[0] != 0;
}

// strings are written by the callers
static bool is_number(const oz_param *row)
{
	return row->type != OZ_PARAM_STRING;
}

void oz_section_put_params(oz_section *s, oz_param_group group, const void *def)
{
	uint32_t rows, numbers = 0;
	const oz_param *row = oz_params(group, &rows);
	for (uint32_t k = 0; k < rows; k++)
		numbers += record_count(&row[k], def);
	oz_section_put(s, &numbers, sizeof numbers);
	for (uint32_t k = 0; k < rows; k++) {
		char name[64] = {0};
		strncpy(name, row[k].name, sizeof name - 1);
		for (uint32_t n = 0; n < record_count(&row[k], def); n++) {
			double value[4] = {0};
			if (row[k].type == OZ_PARAM_TABLE)
				read_points(&row[k], def, n, value);
			else
				read_field(&row[k], def, value);
			oz_section_put(s, name, sizeof name);
			oz_section_put(s, value, sizeof value);
		}
	}
}

// the row of a number with this name; NULL: unknown
static const oz_param *find_row(oz_param_group group, const char *name)
{
	uint32_t rows;
	const oz_param *row = oz_params(group, &rows);
	for (uint32_t k = 0; k < rows; k++)
		if (is_number(&row[k]) && strcmp(row[k].name, name) == 0)
			return &row[k];
	return NULL;
}

bool oz_section_get_params(oz_section *s, oz_param_group group, void *def, char name[64])
{
	uint32_t numbers;
	oz_section_get(s, &numbers, sizeof numbers);
	oz_params_default(group, def);
	for (uint32_t k = 0; k < numbers && !s->failed; k++) {
		double value[4];
		oz_section_get(s, name, 64);
		oz_section_get(s, value, sizeof value);
		name[63] = 0;
		const oz_param *row = s->failed ? NULL : find_row(group, name);
		if (!row)
			return s->failed;
		if (row->type == OZ_PARAM_TABLE)
			add_points(row, def, value);
		else
			write_field(row, def, value);
	}
	return true;
}

oz_result oz_section_get_keyframes(oz_section *s, oz_keyframe **frames, uint32_t *count,
                                   oz_error *error)
{
	*frames = NULL;
	*count = 0;
	uint32_t wanted;
	oz_section_get(s, &wanted, sizeof wanted);
	// a keyframe takes more bytes in the file than in memory: bounds the allocation
	if (s->failed || wanted > (s->size - s->at) / sizeof(oz_keyframe))
		return oz_section_fail_short("keyframes", error);
	*frames = oz_heap_alloc(s->heap, sizeof(oz_keyframe) * wanted);
	if (wanted && !*frames)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for keyframes; close other programs");
	*count = wanted;
	for (uint32_t k = 0; k < wanted; k++) {
		char name[64];
		if (!oz_section_get_params(s, OZ_PARAMS_KEYFRAME, &(*frames)[k], name))
			return oz_section_fail_unknown(name, error);
	}
	return s->failed ? oz_section_fail_short("keyframes", error) : OZ_OK;
}
