// scene_materials.c: materials of a scene, by name.
//
// An entry begins with the defaults or with a preset, and its keys change single values. A preset
// that a body names directly becomes a material of the scene, once.
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "scene_data.h"

static oz_result fail_preset(scene_reader *reader, const char *word)
{
	uint32_t count, distance = oz_near_enough(word);
	const oz_preset *presets = oz_presets(&count);
	const char *meant = NULL;
	for (uint32_t i = 0; i < count; i++)
		meant = oz_nearer(word, meant, presets[i].name, &distance);
	return oz_read_fail(reader, "is \"%s\", which is no preset; %s%s%s", word,
	                    meant ? "did you mean " : "the list is in docs/parameters.md",
	                    meant ? meant : "", meant ? "?" : "");
}

static oz_result read_preset(scene_reader *reader, struct json_object *object,
                             scene_material *material)
{
	struct json_object *value = NULL;
	const section_part *part;
	if (!json_object_object_get_ex(object, "preset", &value))
		return OZ_OK;
	uint32_t depth = reader->path.count;
	oz_path_key(&reader->path, "preset");
	const oz_param *row = oz_section_find(&oz_section_material, "preset", &part);
	oz_result result = oz_read_row(reader, row, (char *)material, NULL, value);
	if (result != OZ_OK)
		return result;
	const oz_preset *preset = oz_preset_find(material->preset);
	if (!preset)
		return fail_preset(reader, material->preset);
	material->def = preset->material;
	reader->path.count = depth;
	return OZ_OK;
}

static oz_result read_material(scene_reader *reader, const char *name, struct json_object *object)
{
	oz_scene *scene = reader->scene;
	scene_material *material = &scene->materials[scene->material_count];
	if (name[0] == 0)
		return oz_read_fail(reader, "holds a material without a name; give it one");
	oz_path_key(&reader->path, name);
	if (strlen(name) >= OZ_NAME_SIZE)
		return oz_read_fail(reader,
		                    "is too long for a name; shorten it to %d bytes at most",
		                    OZ_NAME_SIZE - 1);
	oz_section_default(&oz_section_material, material);
	oz_result result = json_object_is_type(object, json_type_object)
	                           ? read_preset(reader, object, material)
	                           : OZ_OK;
	if (result == OZ_OK)
		result = oz_read_section(reader, &oz_section_material, object, material);
	if (result == OZ_OK)
		result = oz_refuse_other_models(reader, &oz_section_material, object,
		                                material->def.model);
	if (result == OZ_OK)
		result = oz_read_material_alphas(reader, object, material);
	snprintf(material->def.name, OZ_NAME_SIZE, "%s", name);
	scene->material_count++;
	return result;
}

oz_result oz_read_materials(scene_reader *reader, struct json_object *map, size_t users)
{
	if (map && !json_object_is_type(map, json_type_object))
		return oz_read_fail(reader, "needs { … } with a key for each material");
	size_t named = map ? (size_t)json_object_object_length(map) : 0;
	if (named > OZ_SCENE_MAX_ENTRIES)
		return oz_read_fail(reader, "has %zu entries; at most %d are allowed", named,
		                    OZ_SCENE_MAX_ENTRIES);
	// room for every preset that a body or emitter may name
	reader->scene->material_capacity = (uint32_t)(named + users);
	reader->scene->materials = calloc(named + users + 1, sizeof(scene_material));
	if (!reader->scene->materials)
		return oz_read_fail_memory(reader);
	if (!map)
		return OZ_OK;
	struct json_object_iterator at = json_object_iter_begin(map);
	struct json_object_iterator end = json_object_iter_end(map);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		uint32_t depth = reader->path.count;
		oz_result result = read_material(reader, json_object_iter_peek_name(&at),
		                                 json_object_iter_peek_value(&at));
		if (result != OZ_OK)
			return result;
		reader->path.count = depth;
	}
	return OZ_OK;
}

static oz_result fail_material(scene_reader *reader, const char *name)
{
	uint32_t count, distance = oz_near_enough(name);
	const oz_preset *presets = oz_presets(&count);
	const char *meant = NULL;
	for (uint32_t i = 0; i < reader->scene->material_count; i++)
		meant = oz_nearer(name, meant, reader->scene->materials[i].def.name, &distance);
	for (uint32_t i = 0; i < count; i++)
		meant = oz_nearer(name, meant, presets[i].name, &distance);
	return oz_read_fail(reader, "is \"%s\", which is neither in materials nor a preset; %s%s%s",
	                    name, meant ? "did you mean " : "add it to materials",
	                    meant ? meant : "", meant ? "?" : "");
}

oz_result oz_find_material(scene_reader *reader, const char *name, oz_id *id)
{
	oz_scene *scene = reader->scene;
	if (!name[0])
		return oz_read_fail(reader, "needs a material, as in \"material\": \"water\"");
	for (uint32_t i = 0; i < scene->material_count; i++) {
		if (strcmp(scene->materials[i].def.name, name) == 0) {
			*id = i;
			return OZ_OK;
		}
	}
	const oz_preset *preset = oz_preset_find(name);
	if (!preset || scene->material_count >= scene->material_capacity) {
		oz_path_key(&reader->path, "material");
		return fail_material(reader, name);
	}
	*id = scene->material_count++;
	oz_section_default(&oz_section_material, &scene->materials[*id]);
	scene->materials[*id].def = preset->material;
	return OZ_OK;
}
