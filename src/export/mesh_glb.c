// mesh_glb.c: a surface as binary glTF 2.0.
//
// The text describes the bytes: one buffer, cut into a view and an accessor for each attribute and,
// last, for the corners of the triangles. Every number is 4 bytes, so nothing needs padding but the
// text. Accessors without elements are not allowed: an empty mesh is a node without one.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "export.h"
#include "glb.h"

#define TEXT_MOST 6000u // bytes: seven views and accessors of less than 200 letters each

// numbers of OpenGL
enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

typedef enum attribute_kind { VECTORS, UNIT_VECTORS, COLOURS, NUMBERS } attribute_kind;

typedef struct attribute {
	const char *name;
	attribute_kind kind;
	const void *data;
} attribute;

typedef struct model {
	const oz_surface_mesh *mesh;
	attribute attributes[6];
	uint32_t count;
} model;

static void add(model *m, const char *name, attribute_kind kind, const void *data)
{
	if (data)
		m->attributes[m->count++] = (attribute){name, kind, data};
}

static model describe(const oz_surface_mesh *mesh)
{
	model m = {.mesh = mesh};
	if (!mesh->vertex_count || !mesh->triangle_count)
		return m;
	add(&m, "POSITION", VECTORS, mesh->position);
	add(&m, "NORMAL", UNIT_VECTORS, mesh->normal);
	add(&m, "COLOR_0", COLOURS, mesh->colour);
	add(&m, "_VELOCITY", VECTORS, mesh->velocity);
	add(&m, "_BODY", NUMBERS, mesh->body);
	add(&m, "_MATERIAL", NUMBERS, mesh->material);
	return m;
}

static uint64_t attribute_size(const model *m, uint32_t i)
{
	return (uint64_t)m->mesh->vertex_count * (m->attributes[i].kind == NUMBERS ? 4 : 12);
}

static uint64_t buffer_size(const model *m)
{
	uint64_t size = m->count ? (uint64_t)m->mesh->triangle_count * 12 : 0;
	for (uint32_t i = 0; i < m->count; i++)
		size += attribute_size(m, i);
	return size;
}

// ---- text -------------------------------------------------------------------------------------

static void put_bounds(oz_json_writer *w, const oz_surface_mesh *mesh)
{
	float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		const oz_vec3 p = mesh->position[i];
		const float v[3] = {p.x, p.y, p.z};
		for (int k = 0; k < 3; k++) {
			low[k] = fminf(low[k], v[k]);
			high[k] = fmaxf(high[k], v[k]);
		}
	}
	oz_json_put_floats(w, "min", low, 3);
	oz_json_put_floats(w, "max", high, 3);
}

static void put_primitive(oz_json_writer *w, const model *m)
{
	oz_json_begin_list(w, "meshes");
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "name", "surface");
	oz_json_begin_list(w, "primitives");
	oz_json_begin_object(w, NULL);
	oz_json_begin_object(w, "attributes");
	for (uint32_t i = 0; i < m->count; i++)
		oz_json_put_count(w, m->attributes[i].name, i);
	oz_json_end(w);
	oz_json_put_count(w, "indices", m->count);
	oz_json_put_count(w, "material", 0);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_end(w);
}

static void put_material(oz_json_writer *w, const model *m)
{
	// colours of the vertices are multiplied with the material's
	const float base = m->mesh->colour ? 1.0f : 0.8f;
	oz_json_begin_list(w, "materials");
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "name", "surface");
	oz_json_put_bool(w, "doubleSided", false);
	oz_json_begin_object(w, "pbrMetallicRoughness");
	oz_json_put_floats(w, "baseColorFactor", (const float[]){base, base, base, 1}, 4);
	oz_json_put_float(w, "metallicFactor", 0);
	oz_json_put_float(w, "roughnessFactor", 0.3f);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_end(w);
}

static void put_accessor(oz_json_writer *w, const model *m, uint32_t i)
{
	const bool corners = i == m->count;
	const bool scalar = corners || m->attributes[i].kind == NUMBERS;
	oz_json_begin_object(w, NULL);
	oz_json_put_count(w, "bufferView", i);
	oz_json_put_count(w, "componentType", corners ? OZ_GL_UNSIGNED_INT : OZ_GL_FLOAT);
	oz_json_put_count(w, "count",
	                  corners ? (uint64_t)m->mesh->triangle_count * 3 : m->mesh->vertex_count);
	oz_json_put_text(w, "type", scalar ? "SCALAR" : "VEC3");
	if (i == 0)
		put_bounds(w, m->mesh);
	oz_json_end(w);
}

static void put_view(oz_json_writer *w, uint64_t at, uint64_t size, uint32_t target)
{
	oz_json_begin_object(w, NULL);
	oz_json_put_count(w, "buffer", 0);
	oz_json_put_count(w, "byteOffset", at);
	oz_json_put_count(w, "byteLength", size);
	oz_json_put_count(w, "target", target);
	oz_json_end(w);
}

static void put_views(oz_json_writer *w, const model *m)
{
	uint64_t at = 0;
	oz_json_begin_list(w, "bufferViews");
	for (uint32_t i = 0; i < m->count; i++) {
		put_view(w, at, attribute_size(m, i), ARRAY_BUFFER);
		at += attribute_size(m, i);
	}
	put_view(w, at, buffer_size(m) - at, ELEMENT_ARRAY_BUFFER);
	oz_json_end(w);
}

static void put_mesh(oz_json_writer *w, const model *m)
{
	put_primitive(w, m);
	put_material(w, m);
	oz_json_begin_list(w, "accessors");
	for (uint32_t i = 0; i <= m->count; i++)
		put_accessor(w, m, i);
	oz_json_end(w);
	put_views(w, m);
	oz_json_begin_list(w, "buffers");
	oz_json_begin_object(w, NULL);
	oz_json_put_count(w, "byteLength", buffer_size(m));
	oz_json_end(w);
	oz_json_end(w);
}

static void put_scene(oz_json_writer *w, const model *m)
{
	oz_json_put_count(w, "scene", 0);
	oz_json_begin_list(w, "scenes");
	oz_json_begin_object(w, NULL);
	oz_json_begin_list(w, "nodes");
	oz_json_put_count(w, NULL, 0);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_begin_list(w, "nodes");
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "name", "surface");
	if (m->count)
		oz_json_put_count(w, "mesh", 0);
	oz_json_end(w);
	oz_json_end(w);
}

static oz_result write_text(oz_json_text *text, const model *m, oz_error *error)
{
	oz_json_writer w = oz_json_to_text(text, OZ_JSON_COMPACT);
	oz_glb_begin(&w);
	put_scene(&w, m);
	if (m->count)
		put_mesh(&w, m);
	oz_json_end(&w);
	return oz_json_finish(&w, error);
}

// ---- bytes ------------------------------------------------------------------------------------

// readers refuse normals that are not of length 1
static oz_vec3 unit(oz_vec3 n)
{
	float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
	if (!(length > 0) || !isfinite(length))
		return (oz_vec3){0, 1, 0};
	return (oz_vec3){n.x / length, n.y / length, n.z / length};
}

static void put_attribute(oz_packer *p, const attribute *a, uint32_t i)
{
	if (a->kind == NUMBERS) {
		// glTF has no integers of 32 bits for vertices; float is exact up to 2^24
		float number = (float)((const uint32_t *)a->data)[i];
		oz_pack_floats(p, &number, 1);
		return;
	}
	oz_vec3 vector = ((const oz_vec3 *)a->data)[i];
	if (a->kind == UNIT_VECTORS)
		vector = unit(vector);
	if (a->kind == COLOURS)
		vector = oz_colour_clamp(vector);
	oz_pack_vectors(p, &vector, 1);
}

static void put_buffer(oz_packer *p, const void *context)
{
	const model *m = context;
	for (uint32_t k = 0; k < m->count; k++)
		for (uint32_t i = 0; i < m->mesh->vertex_count; i++)
			put_attribute(p, &m->attributes[k], i);
	for (uint32_t i = 0; i < m->mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++)
			oz_pack_word(p, m->mesh->triangles[i][k]);
}

oz_result oz_export_mesh_glb(const oz_surface_mesh *mesh, const char *path, oz_error *error)
{
	const model m = describe(mesh);
	oz_json_text text = {0};
	oz_result result = oz_export_check_mesh(mesh, path, error);
	if (result == OZ_OK && buffer_size(&m) > UINT32_MAX - TEXT_MOST)
		result = oz_fail(error, OZ_ERROR_RANGE,
		                 "%s would be larger than the 4 GB of a GLB file; write PLY, or "
		                 "make the cells of the surface larger",
		                 path);
	if (result == OZ_OK)
		result = write_text(&text, &m, error);
	if (result == OZ_OK)
		result = oz_glb_write(&text, buffer_size(&m), put_buffer, &m, path, error);
	free(text.bytes);
	return result;
}
