// scene_materials.c: materials of a scene, by name.
//
// An entry begins with the defaults or with a preset, and its keys change single values. A preset
// that a body names directly becomes a material of the scene, once.
#include <stdlib.h>
#include <string.h>

#include "models/traits.h"
#include "scene_data.h"

static oz_result fail_preset(scene_reader *reader, const oz_json *value)
{
	const char *word = value->text;
	uint32_t count, distance = oz_near_enough(word);
	const oz_preset *presets = oz_presets(&count);
	const char *meant = NULL;
	for (uint32_t i = 0; i < count; i++)
		meant = oz_nearer(word, meant, presets[i].name, &distance);
	return oz_read_fail(reader, value, "is \"%s\", which is no preset; %s%s%s", word,
	                    meant ? "did you mean " : "the list is in docs/parameters.md",
	                    meant ? meant : "", meant ? "?" : "");
}

static oz_result read_preset(scene_reader *reader, const oz_json *object, scene_material *material)
{
	const oz_json *value = oz_json_get(object, "preset");
	const section_part *part;
	if (!value)
		return OZ_OK;
	const oz_param *row = oz_section_find(&oz_section_material, "preset", &part);
	oz_result result = oz_read_row(reader, row, (char *)material, NULL, value);
	if (result != OZ_OK)
		return result;
	const oz_preset *preset = oz_preset_find(material->preset);
	if (!preset)
		return fail_preset(reader, value);
	material->def = preset->material;
	return OZ_OK;
}

// Clusters reach at least as far as the support of the world, if the model has them.
static oz_result check_cluster_radius(scene_reader *reader, const oz_json *object,
                                      const scene_material *material)
{
	const float radius = material->def.cluster_radius, support = reader->scene->world.support;
	const uint32_t readers = oz_key_models(&oz_section_material, "cluster_radius");
	if (!oz_models_include(readers, material->def.model) || radius <= 0 || radius >= support)
		return OZ_OK;
	return oz_read_fail(reader, oz_json_near(object, "cluster_radius"),
	                    "is %g spacings; it must be 0 or at least the world's support, "
	                    "%g spacings",
	                    (double)radius, (double)support);
}

// links as printed do not read the shear modulus
static oz_result check_paper(scene_reader *reader, const oz_json *object,
                             const scene_material *material)
{
	const oz_material_def *def = &material->def;
	const uint32_t readers = oz_key_models(&oz_section_material, "link_correction");
	const float usual = oz_material_default(def->model).shear_modulus;
	if (!oz_models_include(readers, def->model) || !def->paper || def->shear_modulus == usual)
		return OZ_OK;
	return oz_read_fail(reader, oz_json_near(object, "shear_modulus"),
	                    "has paper true and a shear_modulus of %g Pa, which links as printed "
	                    "do not read; set link_correction instead, and leave shear_modulus and "
	                    "presets that have one out",
	                    (double)def->shear_modulus);
}

static oz_result read_material(scene_reader *reader, const oz_json *object)
{
	const char *name = object->key;
	oz_scene *scene = reader->scene;
	scene_material *material = &scene->materials[scene->material_count];
	if (name[0] == 0)
		return oz_fail(reader->error, OZ_ERROR_SCENE,
		               "%s:%u:%u: materials holds a material without a name; give it one",
		               scene->json.name, object->key_at.line, object->key_at.column);
	if (strlen(name) >= OZ_NAME_SIZE)
		return oz_read_fail_key(reader, object,
		                        "is too long for a name; shorten it to %d bytes at most",
		                        OZ_NAME_SIZE - 1);
	oz_section_default(&oz_section_material, material);
	oz_result result = read_preset(reader, object, material);
	if (result == OZ_OK)
		result = oz_read_section(reader, &oz_section_material, object, material);
	if (result == OZ_OK)
		result = oz_refuse_other_models(reader, &oz_section_material, object,
		                                material->def.model);
	if (result == OZ_OK)
		result = check_cluster_radius(reader, object, material);
	if (result == OZ_OK)
		result = check_paper(reader, object, material);
	if (result == OZ_OK)
		result = oz_read_material_alphas(reader, object, material);
	snprintf(material->def.name, OZ_NAME_SIZE, "%s", name);
	scene->material_count++;
	return result;
}

oz_result oz_read_materials(scene_reader *reader, const oz_json *map, size_t users)
{
	if (map && !oz_json_is(map, OZ_JSON_OBJECT))
		return oz_read_fail(reader, map, "needs { … } with a key for each material");
	size_t named = map ? map->count : 0;
	if (named > OZ_SCENE_MAX_ENTRIES)
		return oz_read_fail(reader, map, "has %zu entries; at most %d are allowed", named,
		                    OZ_SCENE_MAX_ENTRIES);
	// room for every preset that a body or emitter may name
	reader->scene->material_capacity = (uint32_t)(named + users);
	reader->scene->materials = calloc(named + users + 1, sizeof(scene_material));
	if (!reader->scene->materials)
		return oz_read_fail_memory(reader);
	oz_result result = OZ_OK;
	for (const oz_json *one = oz_json_first(map); one && result == OZ_OK;
	     one = oz_json_next(one))
		result = read_material(reader, one);
	return result;
}

// fails for an unknown material and names the material or preset with the nearest name
static oz_result fail_material(scene_reader *reader, const oz_json *value)
{
	const char *name = value->text;
	uint32_t count, distance = oz_near_enough(name);
	const oz_preset *presets = oz_presets(&count);
	const char *meant = NULL;
	for (uint32_t i = 0; i < reader->scene->material_count; i++)
		meant = oz_nearer(name, meant, reader->scene->materials[i].def.name, &distance);
	for (uint32_t i = 0; i < count; i++)
		meant = oz_nearer(name, meant, presets[i].name, &distance);
	return oz_read_fail(reader, value,
	                    "is \"%s\", which is neither in materials nor a preset; %s%s%s", name,
	                    meant ? "did you mean " : "add it to materials", meant ? meant : "",
	                    meant ? "?" : "");
}

oz_result oz_find_material(scene_reader *reader, const oz_json *object, const char *key,
                           const char *name, oz_id *id)
{
	oz_scene *scene = reader->scene;
	if (!name[0])
		return oz_read_fail(reader, object, "needs %s, as in \"%s\": \"water\"",
		                    strcmp(key, "material") == 0 ? "a material"
		                                                 : "another material",
		                    key);
	for (uint32_t i = 0; i < scene->material_count; i++) {
		if (strcmp(scene->materials[i].def.name, name) == 0) {
			*id = i;
			return OZ_OK;
		}
	}
	const oz_preset *preset = oz_preset_find(name);
	if (!preset || scene->material_count >= scene->material_capacity)
		return fail_material(reader, oz_json_get(object, key));
	*id = scene->material_count++;
	oz_section_default(&oz_section_material, &scene->materials[*id]);
	scene->materials[*id].def = preset->material;
	return OZ_OK;
}
