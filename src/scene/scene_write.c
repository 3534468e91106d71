// scene_write.c: a scene with every default filled in, written so that it loads to the same world.
//
// Presets become numbers, mesh paths absolute. Numbers take as many digits as it needs to read the
// same bits back; rotations are written as the angles they were read from. Comments are not kept.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "models/traits.h"
#include "params/params.h"
#include "scene_data.h"

// ---- rows -------------------------------------------------------------------------------------

static void put_size(oz_json_writer *w, const char *key, const oz_shape *shape)
{
	const float v[3] = {shape->size.x, shape->size.y, shape->size.z};
	uint32_t components[3], count = oz_shape_numbers(shape->kind, components);
	float read[3] = {0, 0, 0};
	for (uint32_t i = 0; i < count; i++)
		read[i] = v[components[i]];
	if (count == 1)
		oz_json_put_float(w, key, read[0]);
	else
		oz_json_put_floats(w, key, read, count);
}

static void put_angles(oz_json_writer *w, const char *key, const double *angles)
{
	oz_json_begin_row(w, key);
	for (uint32_t i = 0; i < 3; i++)
		oz_json_put_number(w, NULL, angles[i]);
	oz_json_end(w);
}

static void put_table(oz_json_writer *w, const char *key, const char *field)
{
	oz_curve table;
	memcpy(&table, field, sizeof table);
	oz_json_begin_list(w, key);
	for (uint32_t k = 0; k < table.count; k++)
		oz_json_put_floats(w, NULL, table.points[k], 2);
	oz_json_end(w);
}

static void put_row(oz_json_writer *w, const oz_param *row, const char *def, const double *angles)
{
	const char *field = def + row->offset, *key = row->name;
	char word[OZ_NAME_SIZE] = "";
	uint32_t code = 0;
	float v[3] = {0, 0, 0};
	switch (row->type) {
	case OZ_PARAM_FLOAT:
		memcpy(v, field, sizeof v[0]);
		oz_json_put_float(w, key, v[0]);
		break;
	case OZ_PARAM_VEC3:
		memcpy(v, field, sizeof v);
		oz_json_put_floats(w, key, v, 3);
		break;
	case OZ_PARAM_QUAT: put_angles(w, key, angles); break;
	case OZ_PARAM_STRING: oz_json_put_text(w, key, field); break;
	case OZ_PARAM_TABLE: put_table(w, key, field); break;
	case OZ_PARAM_BOOL: oz_json_put_bool(w, key, *(const bool *)field); break;
	case OZ_PARAM_UINT:
		memcpy(&code, field, sizeof code);
		oz_json_put_count(w, key, code);
		break;
	case OZ_PARAM_CHOICE:
		memcpy(&code, field, sizeof code);
		oz_param_choice_word(row, code, word, sizeof word);
		oz_json_put_text(w, key, word);
		break;
	}
}

// keys that an entry leaves out: parted by spaces, spaces around; and those of other models
static void put_rows_of(oz_json_writer *w, const scene_section *section, const void *entry,
                        const char *without, oz_model model)
{
	char spaced[OZ_NAME_SIZE + 3];
	for (uint32_t p = 0; p < section->part_count; p++) {
		const section_part *part = &section->parts[p];
		uint32_t count;
		const oz_param *rows = oz_part_rows(part, &count);
		const char *def = (const char *)entry + part->offset;
		for (uint32_t i = 0; i < count; i++) {
			snprintf(spaced, sizeof spaced, " %s ", rows[i].name);
			if (strstr(without, spaced) || oz_row_left_out(&rows[i], def) ||
			    !oz_models_include(rows[i].models, model))
				continue;
			if (strcmp(rows[i].name, "size") == 0)
				put_size(w, rows[i].name, (const oz_shape *)(const void *)def);
			else
				put_row(w, &rows[i], def,
				        (const double *)(const void *)((const char *)entry +
				                                       part->angles));
		}
	}
}

// all models read the rows of other sections than material
static void put_rows(oz_json_writer *w, const scene_section *section, const void *entry,
                     const char *without)
{
	put_rows_of(w, section, entry, without, OZ_MODEL_COUNT);
}

static void put_object(oz_json_writer *w, const scene_section *section, const void *entry)
{
	oz_json_begin_object(w, section->name);
	put_rows(w, section, entry, "");
	oz_json_end(w);
}

static void put_list(oz_json_writer *w, const char *key, const scene_section *section,
                     const void *entries, uint32_t count, size_t size)
{
	oz_json_begin_list(w, key);
	for (uint32_t i = 0; i < count; i++) {
		oz_json_begin_object(w, NULL);
		put_rows(w, section, (const char *)entries + i * size, "");
		oz_json_end(w);
	}
	oz_json_end(w);
}

// ---- entries ----------------------------------------------------------------------------------

// `mesh` as seen from the scene's folder becomes `whole`, which is good from any
static oz_result whole_path(const oz_scene *scene, const char *mesh, char whole[OZ_MESH_PATH_SIZE],
                            oz_error *error)
{
	char *folder = realpath(scene->folder[0] ? scene->folder : ".", NULL);
	const bool fits =
	        oz_scene_mesh_path(folder ? folder : scene->folder, mesh, whole, OZ_MESH_PATH_SIZE);
	free(folder);
	if (!fits)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the whole path of the mesh %.100s has more than %d bytes; move it "
		               "to a shorter folder",
		               mesh, OZ_MESH_PATH_SIZE - 1);
	if (!oz_utf8_is_valid(whole))
		return oz_fail(error, OZ_ERROR_FILE,
		               "the whole path of the mesh %.100s is not UTF-8, and JSON can hold "
		               "no other; rename its folder",
		               mesh);
	return OZ_OK;
}

static oz_result put_body(oz_json_writer *w, const oz_scene *scene, const scene_body *body,
                          oz_error *error)
{
	scene_body copy = *body;
	char without[64];
	oz_result result = body->mesh[0] ? whole_path(scene, body->mesh, copy.mesh, error) : OZ_OK;
	if (result == OZ_OK && body->skin[0])
		result = whole_path(scene, body->skin, copy.skin, error);
	if (result != OZ_OK)
		return result;
	snprintf(without, sizeof without, "%s%s%s%s", body->join[0] ? "" : " join ",
	         body->keyframe_count ? "" : " loop ", body->skin[0] ? "" : " skin ",
	         body->mesh[0]   ? " shape size "
	         : body->skin[0] ? " mesh "
	                         : " mesh scale ");
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_body, &copy, without);
	if (body->own_skin)
		oz_json_put_bool(w, "skin", true);
	if (body->has_alphas)
		put_object(w, &oz_section_alphas, &body->alphas);
	if (body->keyframe_count)
		put_list(w, "keyframes", &oz_section_keyframe, body->keyframes,
		         body->keyframe_count, sizeof *body->keyframes);
	oz_json_end(w);
	return OZ_OK;
}

static oz_result put_collider(oz_json_writer *w, const oz_scene *scene,
                              const scene_collider *collider, oz_error *error)
{
	scene_collider copy = *collider;
	char without[64];
	const oz_result result =
	        collider->mesh[0] ? whole_path(scene, collider->mesh, copy.mesh, error) : OZ_OK;
	if (result != OZ_OK)
		return result;
	snprintf(without, sizeof without, "%s%s%s",
	         collider->mesh[0] ? " shape size " : " mesh scale cell ",
	         collider->def.shape.kind == OZ_SHAPE_PLANE ? " size " : "",
	         collider->keyframe_count ? "" : " loop ");
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_collider, &copy, without);
	if (collider->keyframe_count)
		put_list(w, "keyframes", &oz_section_keyframe, collider->keyframes,
		         collider->keyframe_count, sizeof *collider->keyframes);
	oz_json_end(w);
	return OZ_OK;
}

static void put_handle(oz_json_writer *w, const scene_handle *handle)
{
	char without[40];
	snprintf(without, sizeof without, "%s%s%s", handle->body[0] ? "" : " body ",
	         handle->def.shape.kind == OZ_SHAPE_PLANE ? " size " : "",
	         handle->keyframe_count ? "" : " loop ");
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_handle, handle, without);
	if (handle->keyframe_count)
		put_list(w, "keyframes", &oz_section_keyframe, handle->keyframes,
		         handle->keyframe_count, sizeof *handle->keyframes);
	oz_json_end(w);
}

static void put_region(oz_json_writer *w, const scene_region *region)
{
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_region, region,
	         region->def.shape.kind == OZ_SHAPE_PLANE ? " size " : "");
	oz_json_end(w);
}

static void put_adhesion(oz_json_writer *w, const scene_adhesion *adhesion)
{
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_adhesion, adhesion, "");
	oz_json_end(w);
}

static void put_interface(oz_json_writer *w, const scene_interface *interface)
{
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_interface, interface, "");
	oz_json_end(w);
}

static void put_emitter(oz_json_writer *w, const scene_emitter *emitter)
{
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_emitter, emitter, emitter->def.width > 0 ? " radius " : "");
	oz_json_end(w);
}

static void put_material(oz_json_writer *w, const scene_material *material)
{
	// values are all written; the preset is what pictures go by
	const char *without = material->preset[0] ? "" : " preset ";
	oz_json_begin_object(w, material->def.name);
	put_rows_of(w, &oz_section_material, material, without, material->def.model);
	if (material->alpha_key_count)
		put_list(w, "alpha_keyframes", &oz_section_alpha_keyframe, material->alpha_keys,
		         material->alpha_key_count, sizeof *material->alpha_keys);
	oz_json_end(w);
}

static void put_materials(oz_json_writer *w, const oz_scene *scene)
{
	oz_json_begin_object(w, "materials");
	for (uint32_t i = 0; i < scene->material_count; i++)
		put_material(w, &scene->materials[i]);
	oz_json_end(w);
}

static oz_result put_bodies(oz_json_writer *w, const oz_scene *scene, oz_error *error)
{
	oz_result result = OZ_OK;
	oz_json_begin_list(w, "bodies");
	for (uint32_t i = 0; i < scene->body_count && result == OZ_OK; i++)
		result = put_body(w, scene, &scene->bodies[i], error);
	oz_json_end(w);
	return result;
}

static oz_result put_scene(oz_json_writer *w, const oz_scene *scene, oz_error *error)
{
	oz_json_begin_object(w, NULL);
	put_rows(w, &oz_section_scene, scene, "");
	put_object(w, &oz_section_world, &scene->world);
	put_materials(w, scene);
	oz_result result = put_bodies(w, scene, error);
	oz_json_begin_list(w, "colliders");
	for (uint32_t i = 0; i < scene->collider_count && result == OZ_OK; i++)
		result = put_collider(w, scene, &scene->colliders[i], error);
	oz_json_end(w);
	oz_json_begin_list(w, "emitters");
	for (uint32_t i = 0; i < scene->emitter_count; i++)
		put_emitter(w, &scene->emitters[i]);
	oz_json_end(w);
	oz_json_begin_list(w, "handles");
	for (uint32_t i = 0; i < scene->handle_count; i++)
		put_handle(w, &scene->handles[i]);
	oz_json_end(w);
	oz_json_begin_list(w, "regions");
	for (uint32_t i = 0; i < scene->region_count; i++)
		put_region(w, &scene->regions[i]);
	oz_json_end(w);
	if (scene->adhesion_count)
		oz_json_begin_list(w, "adhesion");
	for (uint32_t i = 0; i < scene->adhesion_count; i++)
		put_adhesion(w, &scene->adhesions[i]);
	if (scene->adhesion_count)
		oz_json_end(w);
	if (scene->interface_count)
		oz_json_begin_list(w, "interfaces");
	for (uint32_t i = 0; i < scene->interface_count; i++)
		put_interface(w, &scene->interfaces[i]);
	if (scene->interface_count)
		oz_json_end(w);
	put_object(w, &oz_section_surface, &scene->surface);
	put_object(w, &oz_section_picture, &scene->picture);
	put_object(w, &oz_section_output, &scene->output);
	oz_json_end(w);
	return result == OZ_OK ? oz_json_finish(w, error) : result;
}

oz_result oz_scene_write(const oz_scene *scene, const char *path, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_json_writer w = oz_json_to_file(&file, OZ_JSON_PRETTY);
	result = put_scene(&w, scene, error);
	if (result != OZ_OK) {
		oz_file_cancel(&file);
		return result;
	}
	return oz_file_commit(&file, error);
}
