// scene_solids.c: what scenes say of elastic solids: their keys, what holds them, what is glued.
//
// A join is a word in a scene and a number in a world: that of the first body that has the word,
// counted from 1 on.
#include <json-c/json.h>
#include <string.h>

#include "scene_data.h"

const char oz_solid_keys[] = " young_modulus poisson_ratio elasticity strain hourglass bending "
                             "implicit friction ";

// ---- materials --------------------------------------------------------------------------------

// the keys of a model, and how it is named
static const struct {
	const char *keys, *noun, *plural, *word;
} models[OZ_MODEL_COUNT] = {
        [OZ_FLUID] = {"", "a fluid", "fluids", "fluid"},
        [OZ_BLEND] = {oz_blend_keys, "a blend", "blends", "blend"},
        [OZ_COROTATED] = {oz_solid_keys, "an elastic solid", "elastic solids", "corotated"},
};

const char *oz_model_noun(oz_model model)
{
	return models[model].noun;
}

static oz_result refuse_key_of(scene_reader *reader, const char *key, oz_model owner,
                               oz_model model)
{
	oz_path_key(&reader->path, key);
	return oz_read_fail(reader,
	                    "is for %s, and this is %s; add \"model\": \"%s\" or take it away",
	                    models[owner].plural, models[model].noun, models[owner].word);
}

oz_result oz_refuse_other_models(scene_reader *reader, struct json_object *object, oz_model model)
{
	char spaced[OZ_NAME_SIZE + 3];
	struct json_object_iterator at = json_object_iter_begin(object);
	struct json_object_iterator end = json_object_iter_end(object);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *key = json_object_iter_peek_name(&at);
		snprintf(spaced, sizeof spaced, " %.*s ", OZ_NAME_SIZE - 1, key);
		for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++)
			if (m != (uint32_t)model && strstr(models[m].keys, spaced))
				return refuse_key_of(reader, key, (oz_model)m, model);
	}
	return OZ_OK;
}

// ---- bodies -----------------------------------------------------------------------------------

oz_result oz_read_join(scene_reader *reader, struct json_object *object, scene_body *body)
{
	const scene_body *bodies = body - reader->path.steps[reader->path.count - 1].index;
	const oz_model model = reader->scene->materials[body->def.material].def.model;
	if (!body->join[0])
		return oz_refuse_key(reader, object, "join",
		                     "is empty; write a word or take it away");
	if (model != OZ_COROTATED) {
		oz_path_key(&reader->path, "join");
		return oz_read_fail(reader,
		                    "is for elastic solids, and the material is %s; take it away "
		                    "or "
		                    "use another material",
		                    oz_model_noun(model));
	}
	// entries lie one after the other; the search ends at this one
	const scene_body *first = bodies;
	while (strcmp(first->join, body->join) != 0)
		first++;
	body->def.join = (uint32_t)(first - bodies) + 1;
	return OZ_OK;
}

// ---- handles ----------------------------------------------------------------------------------

// "a, b, c" of the bodies that have names
static void name_bodies(const oz_scene *scene, char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	for (uint32_t i = 0; i < scene->body_count && used < size; i++)
		if (scene->bodies[i].def.name[0])
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
			                         scene->bodies[i].def.name);
}

static oz_result fail_body(scene_reader *reader, const char *name)
{
	const oz_scene *scene = reader->scene;
	uint32_t distance = oz_near_enough(name);
	const char *meant = NULL;
	char all[200];
	for (uint32_t i = 0; i < scene->body_count; i++)
		if (scene->bodies[i].def.name[0])
			meant = oz_nearer(name, meant, scene->bodies[i].def.name, &distance);
	name_bodies(scene, all, sizeof all);
	return oz_read_fail(reader, "is \"%s\", which is no body's name; %s%s%s", name,
	                    meant    ? "did you mean "
	                    : all[0] ? "names are "
	                             : "give the body a name",
	                    meant ? meant : all, meant ? "?" : "");
}

static oz_result find_body(scene_reader *reader, const char *name, oz_id *body)
{
	const oz_scene *scene = reader->scene;
	uint32_t found = 0;
	*body = OZ_NONE;
	if (!name[0])
		return OZ_OK;
	for (uint32_t i = 0; i < scene->body_count; i++)
		if (strcmp(scene->bodies[i].def.name, name) == 0 && found++ == 0)
			*body = i;
	if (found == 1)
		return OZ_OK;
	oz_path_key(&reader->path, "body");
	if (found == 0)
		return fail_body(reader, name);
	return oz_read_fail(reader, "is \"%s\", the name of %u bodies; give each a name of its own",
	                    name, found);
}

static bool has_inside(oz_shape_kind kind)
{
	return kind != OZ_SHAPE_SHEET && kind != OZ_SHAPE_ROD && kind != OZ_SHAPE_CHART;
}

oz_result oz_read_handle(scene_reader *reader, struct json_object *object, void *entry)
{
	scene_handle *handle = entry;
	oz_shape *shape = &handle->def.shape;
	oz_result result = oz_read_section(reader, &oz_section_handle, object, handle);
	if (result != OZ_OK)
		return result;
	if (!json_object_object_get_ex(object, "shape", NULL))
		return oz_read_fail(reader, "needs a shape, as in \"shape\": \"box\"");
	if (!has_inside(shape->kind))
		return oz_refuse_key(reader, object, "shape",
		                     "has no inside and cannot hold anything; use a box, ball, "
		                     "cylinder, capsule or plane");
	result = oz_read_size(reader, shape, object);
	if (result == OZ_OK)
		result = find_body(reader, handle->body, &handle->def.body);
	return result == OZ_OK ? oz_read_keyframes(reader, object, &handle->keyframes,
	                                           &handle->keyframe_count)
	                       : result;
}
