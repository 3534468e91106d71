// scene_write.c: a scene with every default filled in, written so that it loads to the same world.
//
// Presets become numbers, mesh paths absolute. Numbers take as many digits as it needs to read the
// same bits back; rotations are written as the angles they were read from.
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "models/traits.h"
#include "params/params.h"
#include "scene_data.h"

typedef struct writer {
	oz_file file;
	const oz_scene *scene;
	bool first; // no key stands in the object yet
	int indent;
} writer;

// ---- values -----------------------------------------------------------------------------------

// the shortest text that reads back as the same value; with a point, or -0 would lose its sign
static void put_number(writer *w, double value, bool single)
{
	char text[40];
	for (int digits = single ? 6 : 15;; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		double back = strtod(text, NULL);
		if (digits >= 17 || back == value || (single && (float)back == (float)value))
			break;
	}
	for (char *c = text; *c; c++)
		if (*c == ',')
			*c = '.'; // some locales
	oz_file_print(&w->file, "%s%s", text, value == 0 && signbit(value) ? ".0" : "");
}

static void put_numbers(writer *w, const double *values, uint32_t count, bool single)
{
	oz_file_print(&w->file, "[");
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			oz_file_print(&w->file, ", ");
		put_number(w, values[i], single);
	}
	oz_file_print(&w->file, "]");
}

static void put_text(writer *w, const char *text)
{
	struct json_object *string = json_object_new_string(text);
	if (string)
		oz_file_print(&w->file, "%s",
		              json_object_to_json_string_ext(string,
		                                             JSON_C_TO_STRING_NOSLASHESCAPE));
	else
		w->file.failure = ENOMEM;
	json_object_put(string);
}

static void put_break(writer *w)
{
	oz_file_print(&w->file, "%s\n", w->first ? "" : ",");
	for (int i = 0; i < w->indent; i++)
		oz_file_print(&w->file, "\t");
	w->first = false;
}

static void put_key(writer *w, const char *key)
{
	put_break(w);
	put_text(w, key);
	oz_file_print(&w->file, ": ");
}

static void begin(writer *w, const char *bracket)
{
	oz_file_print(&w->file, "%s", bracket);
	w->indent++;
	w->first = true;
}

static void end(writer *w, const char *bracket)
{
	w->indent--;
	w->first = true;
	put_break(w);
	oz_file_print(&w->file, "%s", bracket);
}

// ---- rows -------------------------------------------------------------------------------------

static void put_size(writer *w, const oz_shape *shape)
{
	const double v[3] = {(double)shape->size.x, (double)shape->size.y, (double)shape->size.z};
	uint32_t components[3], count = oz_shape_numbers(shape->kind, components);
	double read[3] = {0, 0, 0};
	for (uint32_t i = 0; i < count; i++)
		read[i] = v[components[i]];
	if (count == 1)
		put_number(w, read[0], true);
	else
		put_numbers(w, read, count, true);
}

static void put_floats(writer *w, const char *field, uint32_t count)
{
	float v[3];
	memcpy(v, field, count * sizeof(float));
	const double values[3] = {(double)v[0], count > 1 ? (double)v[1] : 0,
	                          count > 1 ? (double)v[2] : 0};
	if (count == 1)
		put_number(w, values[0], true);
	else
		put_numbers(w, values, count, true);
}

static void put_row(writer *w, const oz_param *row, const char *def, const double *angles)
{
	const char *field = def + row->offset;
	char word[OZ_NAME_SIZE] = "";
	uint32_t code = 0;
	switch (row->type) {
	case OZ_PARAM_FLOAT: put_floats(w, field, 1); break;
	case OZ_PARAM_VEC3: put_floats(w, field, 3); break;
	case OZ_PARAM_QUAT: put_numbers(w, angles, 3, false); break;
	case OZ_PARAM_STRING: put_text(w, field); break;
	case OZ_PARAM_BOOL: oz_file_print(&w->file, *(const bool *)field ? "true" : "false"); break;
	case OZ_PARAM_UINT:
		memcpy(&code, field, sizeof code);
		oz_file_print(&w->file, "%u", code);
		break;
	case OZ_PARAM_CHOICE:
		memcpy(&code, field, sizeof code);
		oz_param_choice_word(row, code, word, sizeof word);
		put_text(w, word);
		break;
	}
}

// keys that an entry leaves out: parted by spaces, spaces around; and those of other models
static void put_rows_of(writer *w, const scene_section *section, const void *entry,
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
			put_key(w, rows[i].name);
			if (strcmp(rows[i].name, "size") == 0)
				put_size(w, (const oz_shape *)(const void *)def);
			else
				put_row(w, &rows[i], def,
				        (const double *)(const void *)((const char *)entry +
				                                       part->angles));
		}
	}
}

// all models read the rows of other sections than material
static void put_rows(writer *w, const scene_section *section, const void *entry,
                     const char *without)
{
	put_rows_of(w, section, entry, without, OZ_MODEL_COUNT);
}

static void put_object(writer *w, const scene_section *section, const void *entry)
{
	put_key(w, section->name);
	begin(w, "{");
	put_rows(w, section, entry, "");
	end(w, "}");
}

static void put_list(writer *w, const char *key, const scene_section *section, const void *entries,
                     uint32_t count, size_t size)
{
	put_key(w, key);
	begin(w, "[");
	for (uint32_t i = 0; i < count; i++) {
		put_break(w);
		begin(w, "{");
		put_rows(w, section, (const char *)entries + i * size, "");
		end(w, "}");
	}
	end(w, "]");
}

// ---- entries ----------------------------------------------------------------------------------

// `mesh` as seen from the scene's folder becomes `whole`, which is good from any
static oz_result whole_path(const writer *w, const char *mesh, char whole[OZ_MESH_PATH_SIZE],
                            oz_error *error)
{
	char *folder = realpath(w->scene->folder[0] ? w->scene->folder : ".", NULL);
	const bool fits = oz_scene_mesh_path(folder ? folder : w->scene->folder, mesh, whole,
	                                     OZ_MESH_PATH_SIZE);
	free(folder);
	return fits ? OZ_OK
	            : oz_fail(error, OZ_ERROR_FILE,
	                      "the whole path of the mesh %.100s has more than %d bytes; move it "
	                      "to "
	                      "a shorter folder",
	                      mesh, OZ_MESH_PATH_SIZE - 1);
}

static oz_result put_body(writer *w, const scene_body *body, oz_error *error)
{
	scene_body copy = *body;
	char without[64];
	oz_result result = body->mesh[0] ? whole_path(w, body->mesh, copy.mesh, error) : OZ_OK;
	if (result == OZ_OK && body->skin[0])
		result = whole_path(w, body->skin, copy.skin, error);
	if (result != OZ_OK)
		return result;
	snprintf(without, sizeof without, "%s%s%s", body->join[0] ? "" : " join ",
	         body->skin[0] ? "" : " skin ",
	         body->mesh[0]   ? " shape size "
	         : body->skin[0] ? " mesh "
	                         : " mesh scale ");
	put_break(w);
	begin(w, "{");
	put_rows(w, &oz_section_body, &copy, without);
	if (body->own_skin) {
		put_key(w, "skin");
		oz_file_print(&w->file, "true");
	}
	if (body->has_alphas)
		put_object(w, &oz_section_alphas, &body->alphas);
	end(w, "}");
	return OZ_OK;
}

static oz_result put_collider(writer *w, const scene_collider *collider, oz_error *error)
{
	scene_collider copy = *collider;
	char without[64];
	const oz_result result =
	        collider->mesh[0] ? whole_path(w, collider->mesh, copy.mesh, error) : OZ_OK;
	if (result != OZ_OK)
		return result;
	snprintf(without, sizeof without, "%s%s%s",
	         collider->mesh[0] ? " shape size " : " mesh scale cell ",
	         collider->def.shape.kind == OZ_SHAPE_PLANE ? " size " : "",
	         collider->keyframe_count ? "" : " loop ");
	put_break(w);
	begin(w, "{");
	put_rows(w, &oz_section_collider, &copy, without);
	if (collider->keyframe_count)
		put_list(w, "keyframes", &oz_section_keyframe, collider->keyframes,
		         collider->keyframe_count, sizeof *collider->keyframes);
	end(w, "}");
	return OZ_OK;
}

static void put_handle(writer *w, const scene_handle *handle)
{
	char without[40];
	snprintf(without, sizeof without, "%s%s%s", handle->body[0] ? "" : " body ",
	         handle->def.shape.kind == OZ_SHAPE_PLANE ? " size " : "",
	         handle->keyframe_count ? "" : " loop ");
	put_break(w);
	begin(w, "{");
	put_rows(w, &oz_section_handle, handle, without);
	if (handle->keyframe_count)
		put_list(w, "keyframes", &oz_section_keyframe, handle->keyframes,
		         handle->keyframe_count, sizeof *handle->keyframes);
	end(w, "}");
}

static void put_region(writer *w, const scene_region *region)
{
	put_break(w);
	begin(w, "{");
	put_rows(w, &oz_section_region, region,
	         region->def.shape.kind == OZ_SHAPE_PLANE ? " size " : "");
	end(w, "}");
}

static void put_material(writer *w, const scene_material *material)
{
	// values are all written; the preset is what pictures go by
	const char *without = material->preset[0] ? "" : " preset ";
	put_key(w, material->def.name);
	begin(w, "{");
	put_rows_of(w, &oz_section_material, material, without, material->def.model);
	if (material->alpha_key_count)
		put_list(w, "alpha_keyframes", &oz_section_alpha_keyframe, material->alpha_keys,
		         material->alpha_key_count, sizeof *material->alpha_keys);
	end(w, "}");
}

static void put_materials(writer *w)
{
	put_key(w, "materials");
	begin(w, "{");
	for (uint32_t i = 0; i < w->scene->material_count; i++)
		put_material(w, &w->scene->materials[i]);
	end(w, "}");
}

static oz_result put_bodies(writer *w, oz_error *error)
{
	oz_result result = OZ_OK;
	put_key(w, "bodies");
	begin(w, "[");
	for (uint32_t i = 0; i < w->scene->body_count && result == OZ_OK; i++)
		result = put_body(w, &w->scene->bodies[i], error);
	end(w, "]");
	return result;
}

static oz_result put_scene(writer *w, oz_error *error)
{
	const oz_scene *scene = w->scene;
	begin(w, "{");
	put_rows(w, &oz_section_scene, scene, "");
	put_object(w, &oz_section_world, &scene->world);
	put_materials(w);
	oz_result result = put_bodies(w, error);
	put_key(w, "colliders");
	begin(w, "[");
	for (uint32_t i = 0; i < scene->collider_count && result == OZ_OK; i++)
		result = put_collider(w, &scene->colliders[i], error);
	end(w, "]");
	put_list(w, "emitters", &oz_section_emitter, scene->emitters, scene->emitter_count,
	         sizeof *scene->emitters);
	put_key(w, "handles");
	begin(w, "[");
	for (uint32_t i = 0; i < scene->handle_count; i++)
		put_handle(w, &scene->handles[i]);
	end(w, "]");
	put_key(w, "regions");
	begin(w, "[");
	for (uint32_t i = 0; i < scene->region_count; i++)
		put_region(w, &scene->regions[i]);
	end(w, "]");
	put_object(w, &oz_section_surface, &scene->surface);
	put_object(w, &oz_section_picture, &scene->picture);
	put_object(w, &oz_section_output, &scene->output);
	end(w, "}");
	oz_file_print(&w->file, "\n");
	return result;
}

oz_result oz_scene_write(const oz_scene *scene, const char *path, oz_error *error)
{
	writer w = {.scene = scene};
	oz_result result = oz_file_begin(&w.file, path, error);
	if (result != OZ_OK)
		return result;
	result = put_scene(&w, error);
	if (result != OZ_OK) {
		oz_file_cancel(&w.file);
		return result;
	}
	return oz_file_commit(&w.file, error);
}
