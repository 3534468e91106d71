// scene_alpha.c: alpha in scenes: over time in a material, over space in a body.
//
// A material's keyframes give its alpha at times. A body's field gives each particle its own, by
// where it stands between the lowest and the highest particle along an axis.
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "models/traits.h"
#include "scene_data.h"

// ---- materials --------------------------------------------------------------------------------

static oz_result read_alpha_key(scene_reader *reader, struct json_object *object, void *entry)
{
	oz_alpha_key *key = entry;
	oz_result result = oz_read_section(reader, &oz_section_alpha_keyframe, object, key);
	if (result != OZ_OK)
		return result;
	if (!json_object_object_get_ex(object, "time", NULL))
		return oz_read_fail(reader, "needs a time, as in \"time\": 0.5");
	if (!json_object_object_get_ex(object, "alpha", NULL))
		return oz_read_fail(reader, "needs an alpha, as in \"alpha\": 0.5");
	// entries lie one after the other, so the one before is there
	uint32_t index = reader->path.steps[reader->path.count - 1].index;
	if (index > 0 && !(key->time > key[-1].time)) {
		oz_path_key(&reader->path, "time");
		return oz_read_fail(reader, "is %g s; it must be after the one before, %g s",
		                    (double)key->time, (double)key[-1].time);
	}
	return OZ_OK;
}

static oz_result read_alpha_keys(scene_reader *reader, struct json_object *object,
                                 scene_material *material)
{
	struct json_object *list = NULL;
	void *entries = NULL;
	if (!json_object_object_get_ex(object, "alpha_keyframes", &list))
		return OZ_OK;
	uint32_t depth = reader->path.count;
	oz_path_key(&reader->path, "alpha_keyframes");
	oz_result result = oz_read_list(reader, list, &oz_section_alpha_keyframe,
	                                sizeof(oz_alpha_key), OZ_SCENE_MAX_KEYFRAMES,
	                                read_alpha_key, &entries, &material->alpha_key_count);
	material->alpha_keys = entries;
	if (result == OZ_OK && material->alpha_key_count == 0)
		return oz_read_fail(reader, "is empty; add a keyframe or take it away");
	if (result == OZ_OK)
		reader->path.count = depth;
	return result;
}

oz_result oz_read_material_alphas(scene_reader *reader, struct json_object *object,
                                  scene_material *material)
{
	const float radius = material->def.cluster_radius, support = reader->scene->world.support;
	const uint32_t readers = oz_key_models(&oz_section_material, "cluster_radius");
	if (oz_models_include(readers, material->def.model) && radius > 0 && radius < support) {
		oz_path_key(&reader->path, "cluster_radius");
		return oz_read_fail(reader,
		                    "is %g spacings; it must be 0 or at least the world's support, "
		                    "%g spacings",
		                    (double)radius, (double)support);
	}
	return read_alpha_keys(reader, object, material);
}

// ---- bodies -----------------------------------------------------------------------------------

oz_result oz_read_body_alphas(scene_reader *reader, struct json_object *object, scene_body *body)
{
	struct json_object *field = NULL;
	oz_section_default(&oz_section_alphas, &body->alphas);
	if (!json_object_object_get_ex(object, "alphas", &field))
		return OZ_OK;
	uint32_t depth = reader->path.count;
	oz_path_key(&reader->path, "alphas");
	oz_result result = oz_read_section(reader, &oz_section_alphas, field, &body->alphas);
	if (result != OZ_OK)
		return result;
	const oz_vec3 axis = body->alphas.axis;
	if (axis.x == 0 && axis.y == 0 && axis.z == 0) {
		oz_path_key(&reader->path, "axis");
		return oz_read_fail(reader, "is [0, 0, 0]; it must not be zero, as in [0, 1, 0]");
	}
	body->has_alphas = true;
	reader->path.count = depth;
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
