// scene_load.c: a scene from a file or a text: read, freed, looked at.
//
// The text is walked and checked first (scene_locate.c), then made into a tree by the JSON library,
// then read section by section (scene_read.c).
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "scene_data.h"

// the file's name without folder and ending, for scenes that give no name
static void name_after_file(oz_scene *scene)
{
	const char *slash = strrchr(scene->file, '/');
	const char *begin = slash ? slash + 1 : scene->file;
	const char *dot = strrchr(begin, '.');
	size_t length = dot && dot != begin ? (size_t)(dot - begin) : strlen(begin);
	if (length >= OZ_NAME_SIZE)
		length = OZ_NAME_SIZE - 1;
	memcpy(scene->name, begin, length);
	scene->name[length] = 0;
}

static oz_result make_tree(scene_reader *reader, struct json_object **root)
{
	oz_scene *scene = reader->scene;
	struct json_tokener *tokener = json_tokener_new_ex(OZ_SCENE_MAX_DEPTH + 2);
	if (!tokener)
		return oz_read_fail_memory(reader);
	json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
	*root = json_tokener_parse_ex(tokener, scene->text, (int)scene->size);
	enum json_tokener_error failure = json_tokener_get_error(tokener);
	size_t at = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);
	if (failure == json_tokener_success)
		return OZ_OK;
	uint32_t line = 1;
	for (size_t i = 0; i < at && i < scene->size; i++)
		line += scene->text[i] == '\n';
	return oz_fail(reader->error, OZ_ERROR_SCENE, "%s:%u: %s", scene->file, line,
	               failure == json_tokener_error_parse_utf8_string
	                       ? "the text is not UTF-8; save the file as UTF-8"
	                       : json_tokener_error_desc(failure));
}

static oz_result read_text(scene_reader *reader)
{
	struct json_object *root = NULL;
	oz_result result = oz_scene_scan(reader->scene, reader->error);
	if (result == OZ_OK)
		result = make_tree(reader, &root);
	if (result == OZ_OK)
		result = oz_read_root(reader, root);
	json_object_put(root);
	if (result == OZ_OK && !reader->scene->name[0])
		name_after_file(reader->scene);
	return result;
}

static char *copy_bytes(const char *data, size_t size)
{
	char *copy = malloc(size + 1);
	if (copy) {
		memcpy(copy, data, size);
		copy[size] = 0;
	}
	return copy;
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
	made->file = copy_bytes(name, strlen(name));
	made->folder = copy_bytes(folder ? folder : "", folder ? strlen(folder) : 0);
	made->text = copy_bytes(text, size);
	made->size = size;
	scene_reader reader = {.scene = made, .error = error};
	oz_result result = made->file && made->folder && made->text
	                           ? read_text(&reader)
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
		oz_mesh_free(&scene->colliders[i].hull.mesh);
	}
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
	free(scene->file);
	free(scene->folder);
	free(scene->text);
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

const oz_scene_hull *oz_scene_get_hull(const oz_scene *scene, oz_id collider)
{
	if (collider >= scene->collider_count || !scene->colliders[collider].mesh[0])
		return NULL;
	const oz_scene_hull *hull = &scene->colliders[scene->colliders[collider].twin].hull;
	return hull->mesh.triangle_count ? hull : NULL;
}
