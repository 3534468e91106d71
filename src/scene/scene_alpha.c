// scene_alpha.c: alpha in scenes: over time in a material, over space in a body.
//
// The keyframes of a material (`alpha_keyframes`) give its alpha at times. The field of a body
// (`alphas`) gives each particle its own alpha, linear in its coordinate along an axis between the
// lowest and the highest particle.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "models/traits.h"
#include "scene_data.h"

// ---- materials --------------------------------------------------------------------------------

static oz_result read_alpha_key(scene_reader *reader, const oz_json *object, void *entry)
{
	oz_alpha_key *key = entry;
	oz_result result = oz_read_section(reader, &oz_section_alpha_keyframe, object, key);
	if (result != OZ_OK)
		return result;
	if (!oz_json_get(object, "time"))
		return oz_read_fail(reader, object, "needs a time, as in \"time\": 0.5");
	if (!oz_json_get(object, "alpha"))
		return oz_read_fail(reader, object, "needs an alpha, as in \"alpha\": 0.5");
	// entries lie one after the other, so the one before is there
	if (object->index > 0 && !(key->time > key[-1].time))
		return oz_read_fail(reader, oz_json_get(object, "time"),
		                    "is %g s; it must be after the one before, %g s",
		                    (double)key->time, (double)key[-1].time);
	return OZ_OK;
}

oz_result oz_read_material_alphas(scene_reader *reader, const oz_json *object,
                                  scene_material *material)
{
	const oz_json *list = oz_json_get(object, "alpha_keyframes");
	void *entries = NULL;
	if (!list)
		return OZ_OK;
	oz_result result = oz_read_list(reader, list, &oz_section_alpha_keyframe,
	                                sizeof(oz_alpha_key), OZ_SCENE_MAX_KEYFRAMES,
	                                read_alpha_key, &entries, &material->alpha_key_count);
	material->alpha_keys = entries;
	if (result == OZ_OK && material->alpha_key_count == 0)
		return oz_read_fail(reader, list, "is empty; add a keyframe or take it away");
	return result;
}

// ---- bodies -----------------------------------------------------------------------------------

oz_result oz_read_body_alphas(scene_reader *reader, const oz_json *object, scene_body *body)
{
	const oz_json *field = oz_json_get(object, "alphas");
	oz_section_default(&oz_section_alphas, &body->alphas);
	if (!field)
		return OZ_OK;
	oz_result result = oz_read_section(reader, &oz_section_alphas, field, &body->alphas);
	if (result != OZ_OK)
		return result;
	const oz_vec3 axis = body->alphas.axis;
	if (axis.x == 0 && axis.y == 0 && axis.z == 0)
		return oz_read_fail(reader, oz_json_near(field, "axis"),
		                    "is [0, 0, 0]; it must not be zero, as in [0, 1, 0]");
	body->has_alphas = true;
	return OZ_OK;
}

void oz_scene_alphas(const scene_alphas *field, const oz_vec3 *points, uint32_t count,
                     float *alphas)
{
	const oz_vec3 axis = oz_normalize(field->axis);
	float low = INFINITY, high = -INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		alphas[i] = oz_dot(axis, points[i]);
		low = fminf(low, alphas[i]);
		high = fmaxf(high, alphas[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		const float share = high > low ? (alphas[i] - low) / (high - low) : 0;
		alphas[i] = field->from + share * (field->to - field->from);
		alphas[i] = fminf(fmaxf(alphas[i], 0), 1);
	}
}
