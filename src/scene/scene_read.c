// scene_read.c: the tree of a scene into definitions, section by section.
//
// What is found later in the file can be named earlier, so materials come first, and bodies and
// emitters look them up by name.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "models/traits.h"
#include "scene_data.h"

oz_result oz_read_fail_memory(scene_reader *reader)
{
	return oz_fail(reader->error, OZ_ERROR_MEMORY,
	               "there is no memory left to read %s; close other programs",
	               reader->scene->json.name);
}

// ---- bodies, emitters, regions, colliders ----------------------------------------------------

static bool has(const oz_json *object, const char *key)
{
	return oz_json_get(object, key) != NULL;
}

oz_result oz_refuse_key(scene_reader *reader, const oz_json *object, const char *key,
                        const char *why)
{
	const oz_json *value = oz_json_get(object, key);
	return value ? oz_read_fail_key(reader, value, "%s", why) : OZ_OK;
}

// an SDF is what a mesh becomes; no scene can write one down
static oz_result refuse_sdf(scene_reader *reader, const oz_json *object)
{
	const oz_json *shape = oz_json_get(object, "shape");
	if (!oz_json_is(shape, OZ_JSON_TEXT) ||
	    (strcmp(shape->text, "sdf") != 0 && strcmp(shape->text, "chart") != 0))
		return OZ_OK;
	return oz_refuse_key(reader, object, "shape",
	                     "is a signed distance field, which is made from a mesh; write "
	                     "\"mesh\": \"cup.obj\" instead");
}

static oz_result refuse_shape(scene_reader *reader, const oz_json *object)
{
	oz_result result =
	        oz_refuse_key(reader, object, "shape", "stands beside a mesh; keep one of the two");
	if (result == OZ_OK)
		result = oz_refuse_key(reader, object, "size",
		                       "is for shapes; a mesh is resized by scale");
	return result;
}

static oz_result read_body_mesh(scene_reader *reader, const oz_json *object, scene_body *body)
{
	const oz_result result = refuse_shape(reader, object);
	return result == OZ_OK ? oz_read_scale(reader, &body->scale, object) : result;
}

static oz_result read_body_shape(scene_reader *reader, const oz_json *object, scene_body *body)
{
	if (!has(object, "shape"))
		return oz_read_fail(reader, object,
		                    "needs a shape or a mesh, as in \"shape\": \"box\"");
	// what it then resizes is the skin
	oz_result result = has(object, "skin") ? oz_read_scale(reader, &body->scale, object)
	                                       : oz_refuse_key(reader, object, "scale",
	                                                       "is for meshes; a shape is "
	                                                       "resized by size");
	if (result == OZ_OK && body->fill >= OZ_FILL_COUNT)
		result = oz_refuse_key(reader, object, "fill",
		                       "is for meshes; the shapes of one layer or one row are the "
		                       "sheet and the rod");
	if (result != OZ_OK)
		return result;
	if (body->shape.kind == OZ_SHAPE_PLANE)
		return oz_refuse_key(reader, object, "shape",
		                     "is a plane, which has no end and cannot be filled; use a "
		                     "box");
	return oz_read_size(reader, &body->shape, object);
}

// a body that is led is filled where its first keyframe is
static oz_result read_body_keyframes(scene_reader *reader, const oz_json *object, scene_body *body)
{
	const oz_result result =
	        oz_read_keyframes(reader, object, &body->keyframes, &body->keyframe_count);
	if (result != OZ_OK || body->keyframe_count == 0)
		return result;
	body->shape.position = body->keyframes[0].def.position;
	body->shape.rotation = body->keyframes[0].def.rotation;
	memcpy(body->angles, body->keyframes[0].angles, sizeof body->angles);
	return OZ_OK;
}

// fluids that are stretched far are laid irregularly, if the scene does not say how
static void choose_fill(const scene_reader *reader, const oz_json *object, scene_body *body)
{
	const oz_model model = reader->scene->materials[body->def.material].def.model;
	const oz_shape_kind kind = body->shape.kind;
	const bool thin = !body->mesh[0] && (kind == OZ_SHAPE_SHEET || kind == OZ_SHAPE_ROD);
	if (!has(object, "fill") && !thin && oz_model_has(model, OZ_TRAIT_DRAWN))
		body->fill = OZ_FILL_BLUE_NOISE;
}

static oz_result read_body(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_body *body = entry;
	oz_result result = refuse_sdf(reader, object);
	if (result == OZ_OK)
		result = oz_read_section(reader, &oz_section_body, object, body);
	if (result != OZ_OK)
		return result;
	if (has(object, "mesh") && !body->mesh[0])
		return oz_refuse_key(reader, object, "mesh", "is empty; name a file");
	result = body->mesh[0] ? read_body_mesh(reader, object, body)
	                       : read_body_shape(reader, object, body);
	if (result != OZ_OK)
		return result;
	result = oz_find_material(reader, object, "material", body->material, &body->def.material);
	if (result != OZ_OK)
		return result;
	choose_fill(reader, object, body);
	result = oz_refuse_other_models(reader, &oz_section_body, object,
	                                reader->scene->materials[body->def.material].def.model);
	if (result == OZ_OK)
		result = oz_read_body_alphas(reader, object, body);
	if (result == OZ_OK)
		result = oz_read_join(reader, object, body);
	if (result == OZ_OK)
		result = read_body_keyframes(reader, object, body);
	return result == OZ_OK ? oz_read_body_skin(reader, object, body) : result;
}

static oz_result read_emitter(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_emitter *emitter = entry;
	oz_result result = oz_read_section(reader, &oz_section_emitter, object, emitter);
	if (result == OZ_OK && emitter->def.width > 0)
		result = oz_refuse_key(reader, object, "radius",
		                       "is beside width and height; keep radius for a round "
		                       "opening, or the other two for a rectangular one");
	if (result != OZ_OK)
		return result;
	return oz_find_material(reader, object, "material", emitter->material,
	                        &emitter->def.material);
}

static oz_result read_region(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_region *region = entry;
	oz_shape *shape = &region->def.shape;
	oz_result result = oz_refuse_key(reader, object, "mesh",
	                                 "is for bodies and colliders; a region is a shape, as in "
	                                 "\"shape\": \"box\"");
	if (result == OZ_OK)
		result = oz_read_section(reader, &oz_section_region, object, region);
	if (result != OZ_OK)
		return result;
	if (!has(object, "shape"))
		return oz_read_fail(reader, object, "needs a shape, as in \"shape\": \"box\"");
	if (shape->kind == OZ_SHAPE_SDF)
		return oz_refuse_key(reader, object, "shape",
		                     "is an SDF, which is made from a mesh; use a box, a ball or "
		                     "another shape");
	if (shape->kind == OZ_SHAPE_SHEET || shape->kind == OZ_SHAPE_ROD)
		return oz_refuse_key(reader, object, "shape",
		                     "has no inside that could be hot or cold; use a thin box or "
		                     "a capsule");
	return oz_read_size(reader, shape, object);
}

// finds a material that an adhesion or an interface names; bodies and emitters have been read
static oz_result find_user(scene_reader *reader, const oz_json *object, const char *key,
                           const char *name, oz_id *id)
{
	const uint32_t before = reader->scene->material_count;
	const oz_result result = oz_find_material(reader, object, key, name, id);
	if (result != OZ_OK || reader->scene->material_count == before)
		return result;
	return oz_read_fail(reader, oz_json_get(object, key),
	                    "is the preset \"%s\", of which there is neither a body nor an "
	                    "emitter; name a material of the scene",
	                    name);
}

// fails for an entry of the same two materials as entry `earlier` of its list, in any order
static oz_result refuse_pair(scene_reader *reader, const oz_json *object, const oz_id pair[2],
                             const oz_id other[2], uint32_t earlier)
{
	const bool same = (pair[0] == other[0] && pair[1] == other[1]) ||
	                  (pair[0] == other[1] && pair[1] == other[0]);
	return same ? oz_read_fail(reader, object,
	                           "is for the same two materials as entry %u of the list; keep "
	                           "one of the two",
	                           earlier)
	            : OZ_OK;
}

static oz_result read_adhesion(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_adhesion *adhesion = entry;
	oz_result result = oz_read_section(reader, &oz_section_adhesion, object, adhesion);
	if (result == OZ_OK)
		result = find_user(reader, object, "material", adhesion->material,
		                   &adhesion->def.material);
	if (result == OZ_OK)
		result = find_user(reader, object, "other", adhesion->other, &adhesion->def.other);
	const scene_adhesion *all = adhesion - object->index;
	const oz_id pair[2] = {adhesion->def.material, adhesion->def.other};
	for (uint32_t k = 0; k < object->index && result == OZ_OK; k++) {
		const oz_id other[2] = {all[k].def.material, all[k].def.other};
		result = refuse_pair(reader, object, pair, other, k);
	}
	return result;
}

static oz_result read_interface(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_interface *interface = entry;
	oz_result result = oz_read_section(reader, &oz_section_interface, object, interface);
	if (result == OZ_OK)
		result = find_user(reader, object, "material", interface->material,
		                   &interface->def.material);
	if (result == OZ_OK)
		result =
		        find_user(reader, object, "other", interface->other, &interface->def.other);
	const scene_interface *all = interface - object->index;
	const oz_id pair[2] = {interface->def.material, interface->def.other};
	for (uint32_t k = 0; k < object->index && result == OZ_OK; k++) {
		const oz_id other[2] = {all[k].def.material, all[k].def.other};
		result = refuse_pair(reader, object, pair, other, k);
	}
	return result;
}

oz_result oz_read_list(scene_reader *reader, const oz_json *list, const scene_section *section,
                       size_t size, uint32_t most, oz_read_entry read, void **entries,
                       uint32_t *count)
{
	if (!oz_json_is(list, OZ_JSON_LIST))
		return oz_read_fail(reader, list, "needs a list, as in [ { … } ]");
	size_t length = list->count;
	if (length > most)
		return oz_read_fail(reader, list, "has %zu entries; at most %u are allowed", length,
		                    most);
	*entries = calloc(length + 1, size);
	if (!*entries)
		return oz_read_fail_memory(reader);
	for (const oz_json *one = oz_json_first(list); one; one = oz_json_next(one)) {
		char *entry = (char *)*entries + one->index * size;
		*count = one->index + 1;
		oz_section_default(section, entry);
		oz_result result = read(reader, one, entry);
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

static oz_result read_collider_mesh(scene_reader *reader, const oz_json *object,
                                    scene_collider *collider)
{
	if (!collider->mesh[0])
		return oz_refuse_key(reader, object, "mesh", "is empty; name a file");
	const oz_result result = refuse_shape(reader, object);
	collider->def.shape.kind = OZ_SHAPE_SDF;
	return result == OZ_OK ? oz_read_scale(reader, &collider->scale, object) : result;
}

static oz_result read_collider_shape(scene_reader *reader, const oz_json *object,
                                     scene_collider *collider)
{
	oz_shape *shape = &collider->def.shape;
	if (!has(object, "shape"))
		return oz_read_fail(reader, object,
		                    "needs a shape or a mesh, as in \"shape\": \"box\"");
	oz_result result =
	        oz_refuse_key(reader, object, "scale", "is for meshes; a shape is resized by size");
	if (result == OZ_OK)
		result = oz_refuse_key(reader, object, "cell",
		                       "is for meshes; distances to a shape are exact");
	if (result != OZ_OK)
		return result;
	if (shape->kind == OZ_SHAPE_SHEET || shape->kind == OZ_SHAPE_ROD)
		return oz_refuse_key(reader, object, "shape",
		                     "has no inside and cannot stop anything; use a thin box or a "
		                     "capsule");
	return oz_read_size(reader, shape, object);
}

static oz_result read_collider(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_collider *collider = entry;
	oz_result result = refuse_sdf(reader, object);
	if (result == OZ_OK)
		result = oz_read_section(reader, &oz_section_collider, object, collider);
	if (result != OZ_OK)
		return result;
	result = has(object, "mesh") ? read_collider_mesh(reader, object, collider)
	                             : read_collider_shape(reader, object, collider);
	return result == OZ_OK ? oz_read_keyframes(reader, object, &collider->keyframes,
	                                           &collider->keyframe_count)
	                       : result;
}

// ---- the whole scene --------------------------------------------------------------------------

static oz_result read_root_list(scene_reader *reader, const oz_json *root, const char *key,
                                const scene_section *section, size_t size, oz_read_entry read,
                                void **entries, uint32_t *count)
{
	const oz_json *list = oz_json_get(root, key);
	return list ? oz_read_list(reader, list, section, size, OZ_SCENE_MAX_ENTRIES, read, entries,
	                           count)
	            : OZ_OK;
}

static oz_result read_lists(scene_reader *reader, const oz_json *root)
{
	oz_scene *scene = reader->scene;
	void *bodies = NULL, *colliders = NULL, *emitters = NULL, *handles = NULL, *regions = NULL,
	     *adhesions = NULL, *interfaces = NULL;
	oz_result result =
	        read_root_list(reader, root, "bodies", &oz_section_body, sizeof(scene_body),
	                       read_body, &bodies, &scene->body_count);
	scene->bodies = bodies;
	if (result == OZ_OK)
		result = read_root_list(reader, root, "colliders", &oz_section_collider,
		                        sizeof(scene_collider), read_collider, &colliders,
		                        &scene->collider_count);
	if (result == OZ_OK)
		result = read_root_list(reader, root, "emitters", &oz_section_emitter,
		                        sizeof(scene_emitter), read_emitter, &emitters,
		                        &scene->emitter_count);
	if (result == OZ_OK)
		result = read_root_list(reader, root, "handles", &oz_section_handle,
		                        sizeof(scene_handle), oz_read_handle, &handles,
		                        &scene->handle_count);
	if (result == OZ_OK)
		result = read_root_list(reader, root, "regions", &oz_section_region,
		                        sizeof(scene_region), read_region, &regions,
		                        &scene->region_count);
	if (result == OZ_OK)
		result = read_root_list(reader, root, "adhesion", &oz_section_adhesion,
		                        sizeof(scene_adhesion), read_adhesion, &adhesions,
		                        &scene->adhesion_count);
	if (result == OZ_OK)
		result = read_root_list(reader, root, "interfaces", &oz_section_interface,
		                        sizeof(scene_interface), read_interface, &interfaces,
		                        &scene->interface_count);
	scene->colliders = colliders;
	scene->emitters = emitters;
	scene->handles = handles;
	scene->regions = regions;
	scene->adhesions = adhesions;
	scene->interfaces = interfaces;
	return result;
}

static oz_result read_child(scene_reader *reader, const oz_json *root, const scene_section *section,
                            void *entry)
{
	const oz_json *object = oz_json_get(root, section->name);
	oz_section_default(section, entry);
	return object ? oz_read_section(reader, section, object, entry) : OZ_OK;
}

static size_t list_length(const oz_json *root, const char *key)
{
	const oz_json *list = oz_json_get(root, key);
	const size_t length = oz_json_is(list, OZ_JSON_LIST) ? list->count : 0;
	return length < OZ_SCENE_MAX_ENTRIES ? length : OZ_SCENE_MAX_ENTRIES;
}

oz_result oz_read_root(scene_reader *reader, const oz_json *root)
{
	oz_scene *scene = reader->scene;
	oz_result result = oz_read_section(reader, &oz_section_scene, root, scene);
	if (result == OZ_OK)
		result = read_child(reader, root, &oz_section_world, &scene->world);
	if (result == OZ_OK)
		result = read_child(reader, root, &oz_section_surface, &scene->surface);
	if (result == OZ_OK)
		result = read_child(reader, root, &oz_section_picture, &scene->picture);
	if (result == OZ_OK)
		result = read_child(reader, root, &oz_section_output, &scene->output);
	if (result != OZ_OK)
		return result;
	scene->surface.spacing = scene->world.spacing;
	scene->surface.threads = scene->world.threads;
	result = oz_read_materials(reader, oz_json_get(root, "materials"),
	                           list_length(root, "bodies") + list_length(root, "emitters") +
	                                   2 * list_length(root, "adhesion") +
	                                   2 * list_length(root, "interfaces"));
	if (result == OZ_OK)
		result = read_lists(reader, root);
	return result == OZ_OK ? oz_scene_check_count(scene, reader->error) : result;
}
