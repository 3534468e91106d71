// scene_load.c: a scene from a file or a text: read, freed, looked at.
//
// The text becomes a tree whose values know their places (src/json), which is then read section by
// section (scene_read.c). The scene keeps the tree, for the sentences of later errors.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "scene_data.h"

// the file's name without folder and ending, for scenes that give no name
static void name_after_file(oz_scene *scene)
{
	const char *slash = strrchr(scene->json.name, '/');
	const char *begin = slash ? slash + 1 : scene->json.name;
	const char *dot = strrchr(begin, '.');
	size_t length = dot && dot != begin ? (size_t)(dot - begin) : strlen(begin);
	if (length >= OZ_NAME_SIZE)
		length = OZ_NAME_SIZE - 1;
	memcpy(scene->name, begin, length);
	scene->name[length] = 0;
}

// ---- sentences --------------------------------------------------------------------------------

static oz_result fail_at(const oz_scene *scene, oz_json_place place, const oz_json *value,
                         oz_error *error, oz_result code, const char *format, va_list arguments)
{
	char where[300], sentence[700];
	vsnprintf(sentence, sizeof sentence, format, arguments);
	oz_json_path(value, OZ_SCENE_ROOT, where, sizeof where);
	return oz_fail(error, code, "%s:%u:%u: %s%s%s", scene->json.name, place.line, place.column,
	               where, strchr(": .", sentence[0]) ? "" : " ", sentence);
}

oz_result oz_scene_fail(const oz_scene *scene, const oz_json *value, oz_error *error,
                        oz_result code, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fail_at(scene, value->at, value, error, code, format, arguments);
	va_end(arguments);
	return code;
}

oz_result oz_scene_fail_key(const oz_scene *scene, const oz_json *value, oz_error *error,
                            oz_result code, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fail_at(scene, value->key_at, value, error, code, format, arguments);
	va_end(arguments);
	return code;
}

const oz_json *oz_scene_entry(const oz_scene *scene, const char *list, uint32_t index)
{
	const oz_json *entry = oz_json_item(oz_json_get(scene->json.root, list), index);
	return entry ? entry : scene->json.root;
}

// ---- loading ----------------------------------------------------------------------------------

static oz_result read_text(scene_reader *reader, const char *name, const char *text, size_t size)
{
	static const oz_json_rules rules = {.noun = OZ_SCENE_ROOT,
	                                    .remedy = "split it, or put keyframes farther apart",
	                                    .depth = OZ_SCENE_MAX_DEPTH,
	                                    .values = OZ_SCENE_MAX_VALUES,
	                                    .object = true,
	                                    .code = OZ_ERROR_SCENE};
	oz_scene *scene = reader->scene;
	oz_result result = oz_json_read(&scene->json, name, text, size, &rules, reader->error);
	if (result == OZ_OK)
		result = oz_read_root(reader, scene->json.root);
	if (result == OZ_OK && !scene->name[0])
		name_after_file(scene);
	return result;
}

oz_result oz_scene_parse(const char *text, size_t size, const char *name, const char *folder,
                         oz_scene **scene, oz_error *error)
{
	if (scene)
		*scene = NULL;
	if (!scene || !text || !name)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "oz_scene_parse needs a text, a name and a place for the scene");
	if (size > OZ_SCENE_MAX_BYTES)
		return oz_fail(error, OZ_ERROR_SCENE,
		               "%s has %zu bytes; a scene has at most %zu, so split it", name, size,
		               OZ_SCENE_MAX_BYTES);
	oz_scene *made = calloc(1, sizeof *made);
	if (!made)
		return oz_fail(error, OZ_ERROR_MEMORY, "there is no memory left to read %s", name);
	made->folder = strdup(folder ? folder : "");
	made->recent = calloc(1, sizeof *made->recent);
	scene_reader reader = {.scene = made, .error = error};
	oz_result result = made->folder && made->recent
	                           ? read_text(&reader, name, text, size)
	                           : oz_fail(error, OZ_ERROR_MEMORY,
	                                     "there is no memory left to read %s", name);
	if (result == OZ_OK)
		*scene = made;
	else
		oz_scene_free(made);
	return result;
}

oz_result oz_scene_load(const char *path, oz_scene **scene, oz_error *error)
{
	char *text = NULL, folder[4096] = ".";
	size_t size = 0;
	if (scene)
		*scene = NULL;
	if (!scene || !path)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "oz_scene_load needs a path and a place for the scene");
	oz_result result = oz_file_read(path, OZ_SCENE_MAX_BYTES, &text, &size, error);
	if (result != OZ_OK)
		return result;
	const char *slash = strrchr(path, '/');
	if (slash)
		snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path),
		         path);
	result = oz_scene_parse(text, size, path, folder, scene, error);
	free(text);
	return result;
}

void oz_scene_free(oz_scene *scene)
{
	if (!scene)
		return;
	for (uint32_t i = 0; i < scene->collider_count; i++) {
		free(scene->colliders[i].keyframes);
		oz_mesh_free(&scene->colliders[i].collider_mesh.mesh);
	}
	for (uint32_t i = 0; i < scene->body_count; i++)
		free(scene->bodies[i].keyframes);
	for (uint32_t i = 0; i < scene->handle_count; i++)
		free(scene->handles[i].keyframes);
	for (uint32_t i = 0; i < scene->material_count; i++)
		free(scene->materials[i].alpha_keys);
	free(scene->materials);
	free(scene->bodies);
	free(scene->colliders);
	free(scene->emitters);
	free(scene->handles);
	free(scene->regions);
	free(scene->adhesions);
	free(scene->interfaces);
	free(scene->folder);
	if (scene->recent)
		oz_mesh_free(&scene->recent->mesh);
	free(scene->recent);
	oz_json_free(&scene->json);
	free(scene);
}

const char *oz_scene_name(const oz_scene *scene)
{
	return scene->name;
}

const oz_output_def *oz_scene_output(const oz_scene *scene)
{
	return &scene->output;
}

const oz_world_def *oz_scene_world(const oz_scene *scene)
{
	return &scene->world;
}

const oz_picture_def *oz_scene_picture(const oz_scene *scene)
{
	return &scene->picture;
}

const oz_surface_def *oz_scene_surface(const oz_scene *scene)
{
	return &scene->surface;
}

oz_finish oz_scene_finish(const oz_scene *scene, oz_id material)
{
	if (material < scene->material_count)
		return scene->materials[material].finish;
	scene_material unknown;
	oz_section_default(&oz_section_material, &unknown);
	return unknown.finish;
}

const char *oz_scene_preset(const oz_scene *scene, oz_id material)
{
	return material < scene->material_count ? scene->materials[material].preset : "";
}

oz_collider_look oz_scene_collider_look(const oz_scene *scene, oz_id collider)
{
	return collider < scene->collider_count ? scene->colliders[collider].look
	                                        : OZ_COLLIDER_AUTO;
}

const oz_collider_mesh *oz_scene_get_collider_mesh(const oz_scene *scene, oz_id collider)
{
	if (collider >= scene->collider_count || !scene->colliders[collider].mesh[0])
		return NULL;
	const oz_collider_mesh *collider_mesh =
	        &scene->colliders[scene->colliders[collider].twin].collider_mesh;
	return collider_mesh->mesh.triangle_count ? collider_mesh : NULL;
}
