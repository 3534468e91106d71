// scene_shapes.c: sizes of shapes, and how many particles they will hold.
//
// Each kind of shape reads its own number of lengths; a scene gives just those (or all three, the
// others 0). The counts are estimates from volumes, made before anything is allocated, so that a
// wrong spacing gets a sentence and not the whole memory.
#include <math.h>
#include <string.h>

#include "boundary/opening.h"
#include "params/params.h"
#include "scene_data.h"

// which components of `size` a kind reads, and how a scene may write them
static const struct {
	uint32_t count, components[3];
	const char *example;
} sizes[OZ_SHAPE_COUNT] = {
        [OZ_SHAPE_PLANE] = {0, {0}, ""},
        [OZ_SHAPE_BOX] = {3, {0, 1, 2}, "[1, 1, 1]"},
        [OZ_SHAPE_BALL] = {1, {0}, "0.5 (its radius)"},
        [OZ_SHAPE_DOME] = {1, {0}, "0.5 (its radius)"},
        [OZ_SHAPE_CYLINDER] = {2, {0, 1}, "[0.5, 1] (radius and height)"},
        [OZ_SHAPE_CAPSULE] = {2, {0, 1}, "[0.5, 1] (radius and height)"},
        [OZ_SHAPE_TORUS] = {2, {0, 1}, "[0.5, 0.1] (radius of the ring and of the tube)"},
        [OZ_SHAPE_SHEET] = {2, {0, 2}, "[1, 1] (edges x and z)"},
        [OZ_SHAPE_ROD] = {1, {1}, "1 (its length)"},
};

uint32_t oz_shape_numbers(oz_shape_kind kind, uint32_t components[3])
{
	memcpy(components, sizes[kind].components, 3 * sizeof components[0]);
	return sizes[kind].count;
}

const char *oz_shape_word(oz_shape_kind kind, char word[OZ_NAME_SIZE])
{
	oz_param_choice_word(oz_params(OZ_PARAMS_SHAPE, NULL), kind, word, OZ_NAME_SIZE);
	return word;
}

// ---- sizes ------------------------------------------------------------------------------------

static oz_result fail_numbers(scene_reader *reader, const oz_json *value, oz_shape_kind kind)
{
	static const char *const counts[] = {"no number", "one number", "two numbers",
	                                     "three numbers"};
	char word[OZ_NAME_SIZE];
	if (kind == OZ_SHAPE_BOX)
		return oz_read_fail(reader, value, "needs three numbers, as in [1, 1, 1]%s",
		                    oz_comma_hint(value, 3));
	return oz_read_fail(reader, value, "needs %s for a %s, as in %s%s",
	                    counts[sizes[kind].count], oz_shape_word(kind, word),
	                    sizes[kind].example, oz_comma_hint(value, sizes[kind].count));
}

// lengths that the shape does not read may be written as 0
static bool rest_is_zero(oz_shape_kind kind, const double all[3])
{
	bool read[3] = {false, false, false};
	for (uint32_t i = 0; i < sizes[kind].count; i++)
		read[sizes[kind].components[i]] = true;
	for (int i = 0; i < 3; i++)
		if (!read[i] && all[i] != 0)
			return false;
	return true;
}

static oz_result read_lengths(scene_reader *reader, oz_shape_kind kind, const oz_json *value,
                              double all[3])
{
	double numbers[3] = {0, 0, 0};
	uint32_t count = sizes[kind].count;
	bool list = oz_json_is(value, OZ_JSON_LIST);
	size_t length = list ? value->count : 1;
	if (count == 1 && oz_json_is(value, OZ_JSON_NUMBER)) {
		all[sizes[kind].components[0]] = value->number;
		return OZ_OK;
	}
	if (!list || (length != 3 && (length != count || count == 1)))
		return fail_numbers(reader, value, kind);
	oz_result result = oz_read_numbers(reader, value, (uint32_t)length, "", numbers);
	if (result != OZ_OK)
		return result;
	for (uint32_t i = 0; i < length; i++)
		all[length == 3 ? i : sizes[kind].components[i]] = numbers[i];
	return rest_is_zero(kind, all) ? OZ_OK : fail_numbers(reader, value, kind);
}

static oz_result check_lengths(scene_reader *reader, const oz_json *value, const oz_shape *shape)
{
	char word[OZ_NAME_SIZE];
	const float v[3] = {shape->size.x, shape->size.y, shape->size.z};
	oz_shape_word(shape->kind, word);
	for (uint32_t i = 0; i < sizes[shape->kind].count; i++) {
		float length = v[sizes[shape->kind].components[i]];
		if (!(length > 0 && length <= 1e9f))
			return oz_read_fail(reader, value,
			                    "gives the %s a length of %g m; it must be above 0 and "
			                    "at most 1e+09 m",
			                    word, (double)length);
	}
	if (shape->kind == OZ_SHAPE_TORUS && shape->size.y >= shape->size.x)
		return oz_read_fail(reader, value,
		                    "is a ring of %g m with a tube of %g m; the tube must be "
		                    "thinner than the ring",
		                    (double)shape->size.x, (double)shape->size.y);
	return OZ_OK;
}

oz_result oz_read_size(scene_reader *reader, oz_shape *shape, const oz_json *object)
{
	const oz_json *value = oz_json_get(object, "size");
	double all[3] = {0, 0, 0};
	char word[OZ_NAME_SIZE];
	if (!value && shape->kind != OZ_SHAPE_PLANE)
		return oz_read_fail(reader, object, "needs the size of its %s, as in \"size\": %s",
		                    oz_shape_word(shape->kind, word), sizes[shape->kind].example);
	shape->size = (oz_vec3){0, 0, 0};
	if (!value)
		return OZ_OK;
	if (shape->kind == OZ_SHAPE_PLANE)
		return oz_read_fail_key(reader, value,
		                        "is not known to a plane, which has none; take it away");
	oz_result result = read_lengths(reader, shape->kind, value, all);
	if (result != OZ_OK)
		return result;
	shape->size = (oz_vec3){(float)all[0], (float)all[1], (float)all[2]};
	return check_lengths(reader, value, shape);
}

oz_result oz_read_scale(scene_reader *reader, oz_vec3 *scale, const oz_json *object)
{
	const oz_json *value = oz_json_get(object, "scale");
	double n[3];
	oz_result result = OZ_OK;
	if (!value)
		return OZ_OK;
	if (value->kind == OZ_JSON_NUMBER)
		n[0] = n[1] = n[2] = value->number;
	else
		result = oz_read_numbers(reader, value, 3, "[1, 1, 1], or one number", n);
	if (result != OZ_OK)
		return result;
	for (int i = 0; i < 3; i++)
		if (!(n[i] >= 1e-9 && n[i] <= 1e9))
			return oz_read_fail(reader, value,
			                    "is %g; it must be between 1e-09 and 1e+09", n[i]);
	*scale = (oz_vec3){(float)n[0], (float)n[1], (float)n[2]};
	return OZ_OK;
}

// ---- counting ---------------------------------------------------------------------------------

double oz_shape_particles(const oz_shape *shape, double spacing)
{
	const double pi = 3.14159265358979323846;
	double x = shape->size.x / spacing, y = shape->size.y / spacing;
	double z = shape->size.z / spacing;
	switch (shape->kind) {
	case OZ_SHAPE_BOX: return x * y * z;
	case OZ_SHAPE_BALL: return 4.0 / 3 * pi * x * x * x;
	case OZ_SHAPE_DOME: return 2.0 / 3 * pi * x * x * x;
	case OZ_SHAPE_CYLINDER: return pi * x * x * y;
	case OZ_SHAPE_CAPSULE: return pi * x * x * (y + 4.0 / 3 * x);
	case OZ_SHAPE_TORUS: return 2 * pi * pi * x * y * y;
	case OZ_SHAPE_SHEET: return x * z;
	case OZ_SHAPE_ROD: return y;
	case OZ_SHAPE_PLANE:
	case OZ_SHAPE_SDF:
	case OZ_SHAPE_COUNT: break;
	}
	return 0;
}

// rounded up to two digits, so that it fits when typed
static double two_digits_up(double x)
{
	double digit = pow(10, floor(log10(x)) - 1);
	return ceil(x / digit * 1.0001) * digit;
}

oz_result oz_scene_too_many(const oz_scene *scene, const oz_json *entry, double count, double fits,
                            oz_error *error)
{
	return oz_scene_fail(scene, entry, error, OZ_ERROR_SCENE,
	                     "brings the scene to %.3g particles, and 2147483648 is the most; a "
	                     "world.spacing of %g m would fit, now it is %g m",
	                     count, two_digits_up(fits), (double)scene->world.spacing);
}

oz_result oz_scene_too_large(const oz_scene *scene, const oz_json *entry, double count,
                             const scene_room *room, double fits, oz_error *error)
{
	return oz_scene_fail(scene, entry, error, OZ_ERROR_MEMORY,
	                     "takes the scene beyond the memory of %s: %.3g particles need about "
	                     "%.3g GB, and there are %.3g GB; a world.spacing of %g m would fit, "
	                     "now it is %g m",
	                     room->whose, count, count * room->each * 1e-9, room->memory * 1e-9,
	                     two_digits_up(fits), (double)scene->world.spacing);
}

static double poured(const oz_emitter_def *def, double spacing, double until)
{
	double flow = (double)def->rate;
	double time = fmin(until - (double)def->start, (double)def->duration);
	if (flow == 0)
		flow = oz_opening_area(def) * (double)def->speed;
	return time > 0 ? flow * time / (spacing * spacing * spacing) : 0;
}

double oz_scene_poured(const oz_scene *scene, double time)
{
	double count = 0;
	for (uint32_t i = 0; i < scene->emitter_count; i++)
		count += poured(&scene->emitters[i].def, (double)scene->world.spacing, time);
	return count;
}

// which entry of the scene went beyond a limit
typedef struct last_entry {
	const char *list;
	uint32_t index;
} last_entry;

// Counts entry by entry, and stops at the one that goes beyond `most`.
static double count_until(const oz_scene *scene, double spacing, double most, last_entry *last)
{
	double count = 0;
	for (uint32_t i = 0; i < scene->body_count && !(count > most); i++) {
		*last = (last_entry){"bodies", i};
		// a mesh is counted once it is read
		if (!scene->bodies[i].mesh[0])
			count += oz_shape_particles(&scene->bodies[i].shape, spacing);
	}
	for (uint32_t i = 0; i < scene->emitter_count && !(count > most); i++) {
		*last = (last_entry){"emitters", i};
		count += poured(&scene->emitters[i].def, spacing, (double)scene->output.duration);
	}
	return count;
}

oz_result oz_scene_check_count(const oz_scene *scene, oz_error *error)
{
	last_entry last = {"bodies", 0};
	const double spacing = (double)scene->world.spacing;
	const double count = count_until(scene, spacing, OZ_SCENE_MAX_PARTICLES, &last);
	if (!(count > OZ_SCENE_MAX_PARTICLES))
		return OZ_OK;
	return oz_scene_too_many(scene, oz_scene_entry(scene, last.list, last.index), count,
	                         spacing * cbrt(count / OZ_SCENE_MAX_PARTICLES), error);
}

oz_result oz_scene_check_memory(const oz_scene *scene, const scene_room *room, oz_error *error)
{
	const double most = room->memory / room->each;
	double spacing = (double)scene->world.spacing, fits = spacing;
	last_entry last = {"bodies", 0}, ignored;
	if (!(count_until(scene, spacing, most, &last) > most))
		return OZ_OK;
	// the counts of sheets and rods decrease with the spacing more slowly than those of
	// volumes, so the spacing is searched for
	while (count_until(scene, fits, most, &ignored) > most)
		fits *= 1.01;
	return oz_scene_too_large(scene, oz_scene_entry(scene, last.list, last.index),
	                          count_until(scene, spacing, INFINITY, &ignored), room, fits,
	                          error);
}
