// params.c: defaults and range checks, all from the one table in params_table.h.
//
// A definition is a plain struct; a row has the offset and the type of its field. So one loop sets,
// and one loop checks, the fields of any definition.
#include "params/params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "ooze/surface.h"
#include "params/params_table.h"

#define WORLD_ROW(...)     OZ_PARAM_ROW(oz_world_def, __VA_ARGS__)
#define MATERIAL_ROW(...)  OZ_PARAM_ROW_OF(oz_material_def, __VA_ARGS__)
#define SHAPE_ROW(...)     OZ_PARAM_ROW(oz_shape, __VA_ARGS__)
#define BODY_ROW(...)      OZ_PARAM_ROW(oz_body_def, __VA_ARGS__)
#define COLLIDER_ROW(...)  OZ_PARAM_ROW(oz_collider_def, __VA_ARGS__)
#define EMITTER_ROW(...)   OZ_PARAM_ROW(oz_emitter_def, __VA_ARGS__)
#define KEYFRAME_ROW(...)  OZ_PARAM_ROW(oz_keyframe, __VA_ARGS__)
#define HANDLE_ROW(...)    OZ_PARAM_ROW(oz_handle_def, __VA_ARGS__)
#define SURFACE_ROW(...)   OZ_PARAM_ROW(oz_surface_def, __VA_ARGS__)
#define REGION_ROW(...)    OZ_PARAM_ROW(oz_region_def, __VA_ARGS__)
#define ADHESION_ROW(...)  OZ_PARAM_ROW(oz_adhesion_def, __VA_ARGS__)
#define INTERFACE_ROW(...) OZ_PARAM_ROW(oz_interface_def, __VA_ARGS__)

static const oz_param world_rows[] = {OZ_WORLD_ROWS(WORLD_ROW)};
static const oz_param material_rows[] = {OZ_MATERIAL_ROWS(MATERIAL_ROW)};
static const oz_param shape_rows[] = {OZ_SHAPE_ROWS(SHAPE_ROW)};
static const oz_param body_rows[] = {OZ_BODY_ROWS(BODY_ROW)};
static const oz_param collider_rows[] = {OZ_COLLIDER_ROWS(COLLIDER_ROW)};
static const oz_param emitter_rows[] = {OZ_EMITTER_ROWS(EMITTER_ROW)};
static const oz_param keyframe_rows[] = {OZ_KEYFRAME_ROWS(KEYFRAME_ROW)};
static const oz_param handle_rows[] = {OZ_HANDLE_ROWS(HANDLE_ROW)};
static const oz_param surface_rows[] = {OZ_SURFACE_ROWS(SURFACE_ROW)};
static const oz_param region_rows[] = {OZ_REGION_ROWS(REGION_ROW)};
static const oz_param adhesion_rows[] = {OZ_ADHESION_ROWS(ADHESION_ROW)};
static const oz_param interface_rows[] = {OZ_INTERFACE_ROWS(INTERFACE_ROW)};

typedef struct param_group {
	const char *name;
	const oz_param *rows;
	uint32_t count;
} param_group;

#define GROUP(name, rows)                                                                          \
	{                                                                                          \
		name, rows, sizeof(rows) / sizeof(rows[0])                                         \
	}

static const param_group groups[OZ_PARAMS_COUNT] = {
        [OZ_PARAMS_WORLD] = GROUP("world", world_rows),
        [OZ_PARAMS_MATERIAL] = GROUP("material", material_rows),
        [OZ_PARAMS_SHAPE] = GROUP("shape", shape_rows),
        [OZ_PARAMS_BODY] = GROUP("body", body_rows),
        [OZ_PARAMS_COLLIDER] = GROUP("collider", collider_rows),
        [OZ_PARAMS_EMITTER] = GROUP("emitter", emitter_rows),
        [OZ_PARAMS_KEYFRAME] = GROUP("keyframe", keyframe_rows),
        [OZ_PARAMS_HANDLE] = GROUP("handle", handle_rows),
        [OZ_PARAMS_SURFACE] = GROUP("surface", surface_rows),
        [OZ_PARAMS_REGION] = GROUP("region", region_rows),
        [OZ_PARAMS_ADHESION] = GROUP("adhesion", adhesion_rows),
        [OZ_PARAMS_INTERFACE] = GROUP("interface", interface_rows),
};

const oz_param *oz_params(oz_param_group group, uint32_t *count)
{
	bool known = (unsigned)group < OZ_PARAMS_COUNT;
	if (count != NULL)
		*count = known ? groups[group].count : 0;
	return known ? groups[group].rows : NULL;
}

const char *oz_params_name(oz_param_group group)
{
	return (unsigned)group < OZ_PARAMS_COUNT ? groups[group].name : "";
}

// ---- choices ----------------------------------------------------------------------------------

int oz_param_choice(const oz_param *row, const char *word, size_t length)
{
	const char *at = row->choices;
	for (int i = 0; *at != 0; i++) {
		size_t size = strcspn(at, " ");
		if (size == length && memcmp(at, word, size) == 0)
			return i;
		at += size;
		at += strspn(at, " ");
	}
	return -1;
}

bool oz_param_choice_word(const oz_param *row, uint32_t index, char *word, size_t size)
{
	const char *at = row->choices;
	for (uint32_t i = 0; i < index && *at != 0; i++) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	if (*at == 0)
		return false;
	snprintf(word, size, "%.*s", (int)strcspn(at, " "), at);
	return true;
}

void oz_param_choices_text(const oz_param *row, char *text, size_t size)
{
	size_t used = 0;
	for (const char *at = row->choices; *at != 0 && used + 3 < size; at++) {
		if (*at == ' ')
			text[used++] = ',';
		text[used++] = *at;
	}
	text[used] = 0;
}

// ---- defaults ---------------------------------------------------------------------------------

static uint32_t component_count(oz_param_type type)
{
	return type == OZ_PARAM_QUAT ? 4 : type == OZ_PARAM_VEC3 ? 3 : 1;
}

void oz_param_default(const oz_param *row, void *def)
{
	char *field = (char *)def + row->offset;
	switch (row->type) {
	case OZ_PARAM_FLOAT:
	case OZ_PARAM_VEC3:
	case OZ_PARAM_QUAT:
		for (uint32_t i = 0; i < component_count(row->type); i++) {
			float value = (float)row->value[i];
			memcpy(field + i * sizeof(float), &value, sizeof(float));
		}
		break;
	case OZ_PARAM_UINT:
	case OZ_PARAM_CHOICE: {
		uint32_t value = (uint32_t)row->value[0];
		memcpy(field, &value, sizeof(value));
		break;
	}
	case OZ_PARAM_BOOL: *(bool *)field = row->value[0] != 0; break;
	case OZ_PARAM_STRING: *field = 0; break;
	case OZ_PARAM_TABLE: memset(field, 0, sizeof(oz_curve)); break;
	}
}

void oz_params_default(oz_param_group group, void *def)
{
	uint32_t count;
	const oz_param *rows = oz_params(group, &count);
	for (uint32_t i = 0; i < count; i++)
		oz_param_default(&rows[i], def);
}

// ---- checks -----------------------------------------------------------------------------------

// enums have the size of an unsigned int
_Static_assert(sizeof(oz_shape_kind) == sizeof(uint32_t) && sizeof(oz_eos) == sizeof(uint32_t),
               "choices are read and written as 32 bits");

// the unit with a space before it; "" if there is none
static const char *unit_text(const oz_param *row, char text[32])
{
	snprintf(text, 32, "%s%s", row->unit[0] != 0 ? " " : "", row->unit);
	return text;
}

// writes the error for numbers outside their range
static oz_result fail_floats(const oz_param *row, const float *v, const char *where,
                             oz_error *error)
{
	char unit[32];
	unit_text(row, unit);
	if (row->type == OZ_PARAM_FLOAT)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.%s is %g%s; it must be between %g and %g%s%s%s", where,
		               row->name, (double)v[0], unit, row->min, row->max, unit,
		               row->hint ? "; " : "", row->hint ? row->hint : "");
	if (row->type == OZ_PARAM_QUAT)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.%s is the quaternion [%g, %g, %g, %g]; its length must be 1",
		               where, row->name, (double)v[0], (double)v[1], (double)v[2],
		               (double)v[3]);
	return oz_fail(error, OZ_ERROR_RANGE,
	               "%s.%s is [%g, %g, %g]%s; each number must be between %g and %g%s", where,
	               row->name, (double)v[0], (double)v[1], (double)v[2], unit, row->min,
	               row->max, unit);
}

static oz_result check_floats(const oz_param *row, const char *field, const char *where,
                              oz_error *error)
{
	float v[4];
	uint32_t count = component_count(row->type);
	double square = 0;
	memcpy(v, field, count * sizeof(float));
	for (uint32_t i = 0; i < count; i++) {
		// false for NaN; bounds are rounded to float, because 0.1f is larger than 0.1
		if (!(v[i] >= (float)row->min && v[i] <= (float)row->max))
			return fail_floats(row, v, where, error);
		square += (double)v[i] * (double)v[i];
	}
	if (row->type == OZ_PARAM_QUAT && fabs(square - 1) > 1e-3)
		return fail_floats(row, v, where, error);
	return OZ_OK;
}

static oz_result check_choice(const oz_param *row, const char *field, const char *where,
                              oz_error *error)
{
	uint32_t value;
	char words[160];
	memcpy(&value, field, sizeof(value));
	if (value <= (uint32_t)row->max)
		return OZ_OK;
	oz_param_choices_text(row, words, sizeof(words));
	return oz_fail(error, OZ_ERROR_RANGE, "%s.%s is %u; it must be one of: %s", where,
	               row->name, value, words);
}

static oz_result check_uint(const oz_param *row, const char *field, const char *where,
                            oz_error *error)
{
	char unit[32];
	uint32_t value;
	memcpy(&value, field, sizeof(value));
	if (value >= (uint32_t)row->min && value <= (uint32_t)row->max)
		return OZ_OK;
	unit_text(row, unit);
	return oz_fail(error, OZ_ERROR_RANGE, "%s.%s is %u%s; it must be between %g and %g%s",
	               where, row->name, value, unit, row->min, row->max, unit);
}

static oz_result check_table(const oz_param *row, const char *field, const char *where,
                             oz_error *error)
{
	oz_curve table;
	memcpy(&table, field, sizeof table);
	if (table.count > OZ_CURVE_MOST)
		return oz_fail(error, OZ_ERROR_RANGE, "%s.%s has %u points; leave %d at most",
		               where, row->name, table.count, OZ_CURVE_MOST);
	for (uint32_t k = 0; k < table.count; k++) {
		const float x = table.points[k][0], y = table.points[k][1];
		if (!(x >= (float)row->min && x <= (float)row->max && y > 0 &&
		      y <= (float)row->max))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "%s.%s: point %u is [%g, %g]; the first number must be "
			               "between %g and %g, the second above 0 and at most %g",
			               where, row->name, k + 1, (double)x, (double)y, row->min,
			               row->max, row->max);
		if (k > 0 && !(x > table.points[k - 1][0]))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "%s.%s is not in order: point %u is at %g and point %u at "
			               "%g; list each once, the lowest first",
			               where, row->name, k, (double)table.points[k - 1][0], k + 1,
			               (double)x);
	}
	return OZ_OK;
}

oz_result oz_param_check(const oz_param *row, const void *def, const char *where, oz_error *error)
{
	const char *field = (const char *)def + row->offset;
	switch (row->type) {
	case OZ_PARAM_FLOAT:
	case OZ_PARAM_VEC3:
	case OZ_PARAM_QUAT: return check_floats(row, field, where, error);
	case OZ_PARAM_CHOICE: return check_choice(row, field, where, error);
	case OZ_PARAM_UINT: return check_uint(row, field, where, error);
	case OZ_PARAM_STRING:
		if (memchr(field, 0, (size_t)row->max + 1) != NULL)
			return OZ_OK;
		return oz_fail(error, OZ_ERROR_RANGE, "%s.%s is longer than %g bytes; shorten it",
		               where, row->name, row->max);
	case OZ_PARAM_TABLE: return check_table(row, field, where, error);
	case OZ_PARAM_BOOL: return OZ_OK;
	}
	return OZ_OK;
}

static const oz_param *find_row(oz_param_group group, const char *name)
{
	for (uint32_t i = 0; i < groups[group].count; i++)
		if (strcmp(groups[group].rows[i].name, name) == 0)
			return &groups[group].rows[i];
	return NULL;
}

// checks of several fields together, which a single row cannot express
static oz_result check_bounds(const oz_world_def *def, const char *where, const oz_param **bad,
                              oz_error *error)
{
	const oz_vec3 *a = &def->bounds_min, *b = &def->bounds_max;
	if (a->x < b->x && a->y < b->y && a->z < b->z)
		return OZ_OK;
	*bad = find_row(OZ_PARAMS_WORLD, "bounds_max");
	return oz_fail(error, OZ_ERROR_RANGE,
	               "%s.bounds_max is [%g, %g, %g] m; each number must be above bounds_min, "
	               "which is [%g, %g, %g] m",
	               where, (double)b->x, (double)b->y, (double)b->z, (double)a->x, (double)a->y,
	               (double)a->z);
}

// the direction of an emitter must not be zero
static oz_result check_direction(const oz_emitter_def *def, const char *where, const oz_param **bad,
                                 oz_error *error)
{
	const oz_vec3 *d = &def->direction;
	// long enough to be normalized in float
	if (sqrt((double)d->x * d->x + (double)d->y * d->y + (double)d->z * d->z) > 1e-9)
		return OZ_OK;
	*bad = find_row(OZ_PARAMS_EMITTER, "direction");
	return oz_fail(error, OZ_ERROR_RANGE,
	               "%s.direction is [%g, %g, %g]; it must not be zero; use [0, -1, 0], for "
	               "example",
	               where, (double)d->x, (double)d->y, (double)d->z);
}

// a rectangular opening has a width and a height, a round one neither
static oz_result check_opening(const oz_emitter_def *def, const char *where, const oz_param **bad,
                               oz_error *error)
{
	const float least = 1e-6f; // m, as for the radius
	if ((def->width == 0 && def->height == 0) || (def->width >= least && def->height >= least))
		return OZ_OK;
	const oz_param *width = find_row(OZ_PARAMS_EMITTER, "width"),
	               *height = find_row(OZ_PARAMS_EMITTER, "height");
	const bool flat = def->width >= least;
	*bad = flat ? height : width;
	return oz_fail(error, OZ_ERROR_RANGE,
	               "%s.%s is %g m; a rectangular opening needs a width and a height, at least "
	               "%g m each; a round one has a radius instead",
	               where, (*bad)->name, (double)(flat ? def->height : def->width),
	               (double)least);
}

static oz_result check_emitter(const oz_emitter_def *def, const char *where, const oz_param **bad,
                               oz_error *error)
{
	const oz_result result = check_direction(def, where, bad, error);
	return result == OZ_OK ? check_opening(def, where, bad, error) : result;
}

oz_result oz_params_find_bad(oz_param_group group, const void *def, const char *where,
                             const oz_param **bad, oz_error *error)
{
	uint32_t count;
	const oz_param *rows = oz_params(group, &count);
	*bad = NULL;
	for (uint32_t i = 0; i < count; i++) {
		oz_result result = oz_param_check(&rows[i], def, where, error);
		if (result != OZ_OK) {
			*bad = &rows[i];
			return result;
		}
	}
	if (group == OZ_PARAMS_WORLD)
		return check_bounds(def, where, bad, error);
	if (group == OZ_PARAMS_EMITTER)
		return check_emitter(def, where, bad, error);
	return OZ_OK;
}

oz_result oz_params_check(oz_param_group group, const void *def, const char *where, oz_error *error)
{
	const oz_param *bad;
	if ((unsigned)group >= OZ_PARAMS_COUNT || def == NULL || where == NULL)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "oz_params_check got an unknown group or a NULL; pass a group, a "
		               "definition and the text of its place");
	return oz_params_find_bad(group, def, where, &bad, error);
}
