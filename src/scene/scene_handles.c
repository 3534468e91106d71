// scene_handles.c: what holds bodies: joins with other bodies, and handles.
//
// A join is a word in a scene and a number in a world: that of the first body that has the word,
// counted from 1 on.
#include <string.h>

#include "scene_data.h"

// ---- joins ------------------------------------------------------------------------------------

oz_result oz_read_join(scene_reader *reader, const oz_json *object, scene_body *body)
{
	const scene_body *bodies = body - object->index;
	if (!body->join[0])
		return oz_refuse_key(reader, object, "join",
		                     "is empty; write a word or take it away");
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

// fails for an unknown body; names the one with the nearest name, else all
static oz_result fail_body(scene_reader *reader, const oz_json *value)
{
	const char *name = value->text;
	const oz_scene *scene = reader->scene;
	uint32_t distance = oz_near_enough(name);
	const char *meant = NULL;
	char all[200];
	for (uint32_t i = 0; i < scene->body_count; i++)
		if (scene->bodies[i].def.name[0])
			meant = oz_nearer(name, meant, scene->bodies[i].def.name, &distance);
	name_bodies(scene, all, sizeof all);
	return oz_read_fail(reader, value, "is \"%s\", which is no body's name; %s%s%s", name,
	                    meant    ? "did you mean "
	                    : all[0] ? "names are "
	                             : "give the body a name",
	                    meant ? meant : all, meant ? "?" : "");
}

// Finds the body that a handle names; OZ_NONE if it names none. Fails if no body, or more than one,
// has the name.
static oz_result find_body(scene_reader *reader, const oz_json *object, const char *name,
                           oz_id *body)
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
	const oz_json *value = oz_json_get(object, "body");
	if (found == 0)
		return fail_body(reader, value);
	return oz_read_fail(reader, value,
	                    "is \"%s\", the name of %u bodies; give each a name of its own", name,
	                    found);
}

static bool has_inside(oz_shape_kind kind)
{
	return kind != OZ_SHAPE_SHEET && kind != OZ_SHAPE_ROD && kind != OZ_SHAPE_SDF;
}

oz_result oz_read_handle(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_handle *handle = entry;
	oz_shape *shape = &handle->def.shape;
	oz_result result = oz_read_section(reader, &oz_section_handle, object, handle);
	if (result != OZ_OK)
		return result;
	if (!oz_json_get(object, "shape"))
		return oz_read_fail(reader, object, "needs a shape, as in \"shape\": \"box\"");
	if (!has_inside(shape->kind))
		return oz_refuse_key(reader, object, "shape",
		                     "has no inside and cannot hold anything; use a box, ball, "
		                     "cylinder, capsule or plane");
	result = oz_read_size(reader, shape, object);
	if (result == OZ_OK)
		result = find_body(reader, object, handle->body, &handle->def.body);
	return result == OZ_OK ? oz_read_keyframes(reader, object, &handle->keyframes,
	                                           &handle->keyframe_count)
	                       : result;
}
