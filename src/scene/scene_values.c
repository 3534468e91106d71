// scene_values.c: single values of a scene, from JSON into the fields of definitions.
//
// What a value must be follows from its row, and so do the sentences: type, length, range, words.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "params/params.h"
#include "scene_data.h"

// ---- numbers ----------------------------------------------------------------------------------

static const char *count_word(uint32_t count)
{
	return count == 3 ? "three numbers" : count == 2 ? "two numbers" : "one number";
}

const char *oz_comma_hint(const oz_json *list, uint32_t count)
{
	// three are likely a size of another shape
	if (list->kind != OZ_JSON_LIST || (list->count != 2 * count && list->count <= 3))
		return "";
	for (const oz_json *one = oz_json_first(list); one; one = oz_json_next(one))
		if (one->kind != OZ_JSON_NUMBER || one->number != floor(one->number))
			return "";
	return "; a decimal number has a point, as in 0.5, not a comma";
}

oz_result oz_read_numbers(scene_reader *reader, const oz_json *value, uint32_t count,
                          const char *example, double *numbers)
{
	if (value->kind != OZ_JSON_LIST || value->count != count)
		return oz_read_fail(reader, value, "needs %s, as in %s%s", count_word(count),
		                    example, oz_comma_hint(value, count));
	for (const oz_json *one = oz_json_first(value); one; one = oz_json_next(one)) {
		if (one->kind != OZ_JSON_NUMBER)
			return oz_read_fail(reader, one, "needs a number");
		numbers[one->index] = one->number;
	}
	return OZ_OK;
}

static oz_result read_vector(scene_reader *reader, const oz_param *row, char *field,
                             const oz_json *value)
{
	double numbers[3];
	char example[80] = "[0.8, 0.2, 0.1]";
	if (!oz_row_is_chosen(row))
		snprintf(example, sizeof example, "[%g, %g, %g]", row->value[0], row->value[1],
		         row->value[2]);
	oz_result result = oz_read_numbers(reader, value, 3, example, numbers);
	if (result != OZ_OK)
		return result;
	oz_vec3 vector = {(float)numbers[0], (float)numbers[1], (float)numbers[2]};
	memcpy(field, &vector, sizeof vector);
	return OZ_OK;
}

// q = qz qy qx
oz_quat oz_quat_from_degrees(const double angles[3])
{
	double s[3], c[3];
	for (int i = 0; i < 3; i++) {
		double half = fmod(angles[i], 720) * (3.14159265358979323846 / 360);
		s[i] = sin(half);
		c[i] = cos(half);
	}
	return (oz_quat){(float)(s[0] * c[1] * c[2] - c[0] * s[1] * s[2]),
	                 (float)(c[0] * s[1] * c[2] + s[0] * c[1] * s[2]),
	                 (float)(c[0] * c[1] * s[2] - s[0] * s[1] * c[2]),
	                 (float)(c[0] * c[1] * c[2] + s[0] * s[1] * s[2])};
}

// reads three angles (degrees) into `angles`, and writes their quaternion into `field`
static oz_result read_rotation(scene_reader *reader, char *field, double *angles,
                               const oz_json *value)
{
	oz_result result = oz_read_numbers(reader, value, 3, "[0, 90, 0]", angles);
	if (result != OZ_OK)
		return result;
	for (int i = 0; i < 3; i++)
		if (!(fabs(angles[i]) <= 1e6))
			return oz_read_fail(reader, value,
			                    "is [%g, %g, %g]; each angle must be between -1e+06 "
			                    "and 1e+06 degrees",
			                    angles[0], angles[1], angles[2]);
	oz_quat rotation = oz_quat_from_degrees(angles);
	memcpy(field, &rotation, sizeof rotation);
	return OZ_OK;
}

static oz_result read_uint(scene_reader *reader, const oz_param *row, char *field,
                           const oz_json *value)
{
	double number = value->kind == OZ_JSON_NUMBER ? value->number : 0.5;
	if (number != floor(number))
		return oz_read_fail(reader, value, "needs a whole number, as in %g", row->value[0]);
	// beyond 32 bits it cannot be handed on to the range check
	if (!(number >= row->min && number <= row->max))
		return oz_read_fail(reader, value, "is %g; it must be between %g and %g", number,
		                    row->min, row->max);
	uint32_t whole = (uint32_t)number;
	memcpy(field, &whole, sizeof whole);
	return OZ_OK;
}

// ---- words ------------------------------------------------------------------------------------

void oz_scene_choices_text(const oz_param *row, char *text, size_t size)
{
	static const char sdf[] = ", sdf";
	oz_param_choices_text(row, text, size);
	const size_t length = strlen(text), tail = sizeof sdf - 1;
	if (length > tail && strcmp(text + length - tail, sdf) == 0)
		text[length - tail] = 0;
}

// words for shapes that other programs use, and ours; NULL: there is no such shape
static const struct {
	const char *other, *ours;
} shape_words[] = {
        {"cube", "box"},       {"cuboid", "box"},      {"block", "box"},
        {"sphere", "ball"},    {"hemisphere", "dome"}, {"half sphere", "dome"},
        {"tube", "cylinder"},  {"pipe", "cylinder"},   {"disc", "cylinder"},
        {"disk", "cylinder"},  {"pill", "capsule"},    {"donut", "torus"},
        {"doughnut", "torus"}, {"ring", "torus"},      {"ground", "plane"},
        {"floor", "plane"},    {"cloth", "sheet"},     {"line", "rod"},
        {"cone", NULL},        {"pyramid", NULL},      {"prism", NULL},
        {"ellipsoid", NULL},   {"tetrahedron", NULL},
};

// Whether a word is one of shape_words; *ours becomes our word for it.
static bool find_shape_word(const char *word, const char **ours)
{
	for (size_t k = 0; k < sizeof shape_words / sizeof *shape_words; k++) {
		if (strcasecmp(word, shape_words[k].other) == 0) {
			*ours = shape_words[k].ours;
			return true;
		}
	}
	return false;
}

static const char *nearest_choice(const oz_param *row, const char *word, char near[OZ_NAME_SIZE])
{
	char choice[OZ_NAME_SIZE];
	const char *best = NULL;
	// words are few and far apart, so that even one half right is understood
	uint32_t distance = (uint32_t)(strlen(word) + 1) / 2;
	for (uint32_t i = 0; oz_param_choice_word(row, i, choice, sizeof choice); i++) {
		if (oz_nearer(word, best, choice, &distance) == choice) {
			strcpy(near, choice);
			best = near;
		}
	}
	return best;
}

static oz_result fail_choice(scene_reader *reader, const oz_param *row, const oz_json *value,
                             const char *words)
{
	char near[OZ_NAME_SIZE];
	const char *meant = NULL;
	const bool shape = strcmp(row->name, "shape") == 0;
	if (!shape || !find_shape_word(value->text, &meant))
		meant = nearest_choice(row, value->text, near);
	if (!meant)
		return oz_read_fail(reader, value, "is \"%.60s\", which is none of: %s%s",
		                    value->text, words,
		                    shape ? "; a body or a collider of another form needs a mesh"
		                          : "");
	return oz_read_fail(reader, value, "is \"%.60s\", which is none of: %s; did you mean %s?",
	                    value->text, words, meant);
}

static oz_result read_choice(scene_reader *reader, const oz_param *row, char *field,
                             const oz_json *value)
{
	char words[160];
	oz_scene_choices_text(row, words, sizeof words);
	if (!oz_json_is(value, OZ_JSON_TEXT))
		return oz_read_fail(reader, value, "needs a word in double quotes, one of: %s",
		                    words);
	const int index = oz_param_choice(row, value->text, value->count);
	if (index < 0)
		return fail_choice(reader, row, value, words);
	uint32_t code = (uint32_t)index;
	memcpy(field, &code, sizeof code);
	return OZ_OK;
}

static oz_result read_string(scene_reader *reader, const oz_param *row, char *field,
                             const oz_json *value)
{
	if (!oz_json_is(value, OZ_JSON_TEXT))
		return oz_read_fail(reader, value, "needs text in double quotes");
	const char *text = value->text;
	size_t length = value->count;
	if (length > (size_t)row->max)
		return oz_read_fail(reader, value, "has %zu bytes; shorten it to %g at most",
		                    length, row->max);
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return oz_read_fail(reader, value,
			                    "holds a control character; take it away");
	memcpy(field, text, length);
	field[length] = 0;
	return OZ_OK;
}

// [[x, y], [x, y]]; [] is no table
static oz_result read_table(scene_reader *reader, char *field, const oz_json *value)
{
	oz_curve table = {0};
	if (!oz_json_is(value, OZ_JSON_LIST))
		return oz_read_fail(reader, value,
		                    "needs a list of points, as in [[20, 10], [40, 0.9]]");
	if (value->count > OZ_CURVE_MOST)
		return oz_read_fail(reader, value, "has %u points; leave %d at most", value->count,
		                    OZ_CURVE_MOST);
	for (uint32_t k = 0; k < value->count; k++) {
		double numbers[2];
		const oz_result result =
		        oz_read_numbers(reader, oz_json_item(value, k), 2, "[20, 10]", numbers);
		if (result != OZ_OK)
			return result;
		table.points[table.count][0] = (float)numbers[0];
		table.points[table.count][1] = (float)numbers[1];
		table.count++;
	}
	memcpy(field, &table, sizeof table);
	return OZ_OK;
}

// ---- rows and sections ------------------------------------------------------------------------

static oz_result read_float(scene_reader *reader, const oz_param *row, char *field,
                            const oz_json *value)
{
	if (value->kind != OZ_JSON_NUMBER)
		return oz_read_fail(reader, value,
		                    *row->unit ? "needs a number (%s), as in %g"
		                               : "needs a number%s, as in %g",
		                    row->unit, row->value[0]);
	float number = (float)value->number;
	memcpy(field, &number, sizeof number);
	return OZ_OK;
}

oz_result oz_read_row(scene_reader *reader, const oz_param *row, char *def, double *angles,
                      const oz_json *value)
{
	char *field = def + row->offset;
	switch (row->type) {
	case OZ_PARAM_FLOAT: return read_float(reader, row, field, value);
	case OZ_PARAM_VEC3: return read_vector(reader, row, field, value);
	case OZ_PARAM_QUAT: return read_rotation(reader, field, angles, value);
	case OZ_PARAM_UINT: return read_uint(reader, row, field, value);
	case OZ_PARAM_CHOICE: return read_choice(reader, row, field, value);
	case OZ_PARAM_STRING: return read_string(reader, row, field, value);
	case OZ_PARAM_TABLE: return read_table(reader, field, value);
	case OZ_PARAM_BOOL:
		if (!oz_json_is(value, OZ_JSON_BOOL))
			return oz_read_fail(reader, value, "needs true or false");
		*(bool *)field = value->truth;
		return OZ_OK;
	}
	return OZ_OK;
}

// the section, of materials or of colliders, that has a key; NULL: neither has
static const scene_section *find_section(const char *key)
{
	const section_part *part;
	return oz_section_find(&oz_section_material, key, &part)   ? &oz_section_material
	       : oz_section_find(&oz_section_collider, key, &part) ? &oz_section_collider
	                                                           : NULL;
}

static oz_result fail_unknown(scene_reader *reader, const scene_section *section,
                              const oz_json *value)
{
	const char *meant = oz_section_nearest(section, value->key);
	if (meant)
		return oz_read_fail_key(reader, value, "is not a key of %s; did you mean %s?",
		                        section->noun, meant);
	const scene_section *other = find_section(value->key);
	if (other)
		return oz_read_fail_key(reader, value,
		                        "is not a key of %s; it is one of %s, write it there",
		                        section->noun, other->noun);
	return oz_read_fail_key(reader, value, "is not a key of %s; ooze params lists those it has",
	                        section->noun);
}

static oz_result read_key(scene_reader *reader, const scene_section *section, const oz_json *value,
                          void *entry)
{
	const char *key = value->key;
	const section_part *part;
	const oz_param *row = oz_section_find(section, key, &part);
	// editors find the schema by this key; it means nothing here
	if (section == &oz_section_scene && strcmp(key, "$schema") == 0)
		return OZ_OK;
	if (!row)
		return oz_section_child(section, key) ? OZ_OK
		                                      : fail_unknown(reader, section, value);
	// how these are written depends on other keys
	if (strcmp(key, "size") == 0 || strcmp(key, "scale") == 0 ||
	    (section == &oz_section_body && strcmp(key, "skin") == 0))
		return OZ_OK;
	return oz_read_row(reader, row, (char *)entry + part->offset,
	                   (double *)(void *)((char *)entry + part->angles), value);
}

// puts the place before the sentence of a range check
static oz_result fail_range(scene_reader *reader, const oz_json *object, const oz_param *bad,
                            const oz_error *range)
{
	const oz_json *value = oz_json_near(object, bad->name);
	return oz_fail(reader->error, OZ_ERROR_SCENE, "%s:%u:%u: %s", reader->scene->json.name,
	               value->at.line, value->at.column, range->text);
}

// the row whose value is out of range, and the sentence; NULL if all are good
static const oz_param *find_bad(const section_part *part, const void *def, const char *where,
                                oz_error *range)
{
	const oz_param *bad = NULL;
	if (!part->rows) {
		(void)oz_params_find_bad(part->group, def, where, &bad, range);
		return bad;
	}
	for (uint32_t i = 0; i < part->count && !bad; i++)
		if (!oz_row_left_out(&part->rows[i], def) &&
		    oz_param_check(&part->rows[i], def, where, range) != OZ_OK)
			bad = &part->rows[i];
	return bad;
}

static oz_result check_part(scene_reader *reader, const oz_json *object, const section_part *part,
                            const void *def)
{
	char where[300];
	oz_error range;
	if (!find_bad(part, def, "", &range))
		return OZ_OK;
	// most are good, so the path is made for the others alone
	oz_json_path(object, OZ_SCENE_ROOT, where, sizeof where);
	return fail_range(reader, object, find_bad(part, def, where, &range), &range);
}

oz_result oz_read_section(scene_reader *reader, const scene_section *section, const oz_json *object,
                          void *entry)
{
	oz_result result = OZ_OK;
	if (object->kind != OZ_JSON_OBJECT)
		return oz_read_fail(reader, object, "needs { … } with the keys of %s",
		                    section->noun);
	for (const oz_json *one = oz_json_first(object); one && result == OZ_OK;
	     one = oz_json_next(one))
		result = read_key(reader, section, one, entry);
	for (uint32_t p = 0; p < section->part_count && result == OZ_OK; p++) {
		const section_part *part = &section->parts[p];
		result = check_part(reader, object, part, (char *)entry + part->offset);
	}
	return result;
}
