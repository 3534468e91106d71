// mesh_glb.c: a surface as binary glTF 2.0.
//
//   "glTF" 2 length | length "JSON" text | length "BIN" bytes
//
// The text describes the bytes: one buffer, cut into a view and an accessor for each attribute and,
// last, for the corners of the triangles. Every number is 4 bytes, so nothing needs padding but the
// text. Accessors without elements are not allowed: an empty mesh is a node without one.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "export.h"
#include "pack.h"

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

// room for all there can be: seven views and accessors of less than 200 letters each
typedef struct json {
	char text[6000];
	size_t length;
} json;

__attribute__((format(printf, 2, 3))) static void say(json *j, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(j->text + j->length, sizeof j->text - j->length, format, arguments);
	va_end(arguments);
	j->length += (size_t)length;
}

static void say_vector(json *j, const char *name, const float v[3])
{
	say(j, ",\"%s\":[", name);
	for (int k = 0; k < 3; k++) {
		if (k)
			say(j, ",");
		j->length += oz_number_float(j->text + j->length, v[k]);
	}
	say(j, "]");
}

static void say_bounds(json *j, const oz_surface_mesh *mesh)
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
	say_vector(j, "min", low);
	say_vector(j, "max", high);
}

static void say_primitive(json *j, const model *m)
{
	say(j, "\"meshes\":[{\"name\":\"surface\",\"primitives\":[{\"attributes\":{");
	for (uint32_t i = 0; i < m->count; i++)
		say(j, "%s\"%s\":%" PRIu32, i ? "," : "", m->attributes[i].name, i);
	say(j, "},\"indices\":%" PRIu32 ",\"material\":0}]}],", m->count);
	// colours of the vertices are multiplied with the material's
	float base = m->mesh->colour ? 1.0f : 0.8f;
	char number[OZ_NUMBER_SIZE];
	int length = (int)oz_number_float(number, base);
	say(j,
	    "\"materials\":[{\"name\":\"surface\",\"doubleSided\":false,"
	    "\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.*s,%.*s,%.*s,1],"
	    "\"metallicFactor\":0,\"roughnessFactor\":0.3}}],",
	    length, number, length, number, length, number);
}

static void say_accessors(json *j, const model *m)
{
	say(j, "\"accessors\":[");
	for (uint32_t i = 0; i < m->count; i++) {
		say(j,
		    "{\"bufferView\":%" PRIu32 ",\"componentType\":5126,\"count\":%" PRIu32
		    ",\"type\":\"%s\"",
		    i, m->mesh->vertex_count, m->attributes[i].kind == NUMBERS ? "SCALAR" : "VEC3");
		if (i == 0)
			say_bounds(j, m->mesh);
		say(j, "},");
	}
	say(j,
	    "{\"bufferView\":%" PRIu32 ",\"componentType\":5125,\"count\":%" PRIu32
	    ",\"type\":\"SCALAR\"}],",
	    m->count, m->mesh->triangle_count * 3);
}

static void say_views(json *j, const model *m)
{
	uint64_t at = 0;
	say(j, "\"bufferViews\":[");
	for (uint32_t i = 0; i < m->count; i++) {
		say(j,
		    "{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64
		    ",\"target\":34962},",
		    at, attribute_size(m, i));
		at += attribute_size(m, i);
	}
	say(j,
	    "{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64
	    ",\"target\":34963}],",
	    at, buffer_size(m) - at);
}

static void say_all(json *j, const model *m)
{
	say(j, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"ooze " OZ_VERSION "\"},"
	       "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],");
	if (m->count) {
		say(j, "\"nodes\":[{\"name\":\"surface\",\"mesh\":0}],");
		say_primitive(j, m);
		say_accessors(j, m);
		say_views(j, m);
		say(j, "\"buffers\":[{\"byteLength\":%" PRIu64 "}]}", buffer_size(m));
	} else {
		say(j, "\"nodes\":[{\"name\":\"surface\"}]}");
	}
	while (j->length % 4)
		say(j, " ");
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

static void put_buffer(oz_packer *p, const model *m)
{
	for (uint32_t k = 0; k < m->count; k++)
		for (uint32_t i = 0; i < m->mesh->vertex_count; i++)
			put_attribute(p, &m->attributes[k], i);
	for (uint32_t i = 0; i < m->mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++)
			oz_pack_word(p, m->mesh->triangles[i][k]);
}

static void put_chunk(oz_packer *p, uint64_t size, const char kind[4])
{
	oz_pack_word(p, (uint32_t)size);
	oz_pack_bytes(p, kind, 4);
}

static void put_all(oz_packer *p, const model *m, const json *j)
{
	uint64_t size = buffer_size(m);
	oz_pack_bytes(p, "glTF", 4);
	oz_pack_word(p, 2);
	oz_pack_word(p, (uint32_t)(12 + 8 + j->length + (size ? 8 + size : 0)));
	put_chunk(p, j->length, "JSON");
	oz_pack_bytes(p, j->text, j->length);
	if (size) {
		put_chunk(p, size, "BIN");
		put_buffer(p, m);
	}
	oz_pack_flush(p);
}

oz_result oz_export_mesh_glb(const oz_surface_mesh *mesh, const char *path, oz_error *error)
{
	oz_file file;
	oz_packer packer;
	model m = describe(mesh);
	json text = {.length = 0};
	oz_result result = oz_export_check_mesh(mesh, path, error);
	if (result == OZ_OK && buffer_size(&m) > UINT32_MAX - sizeof text.text)
		result = oz_fail(error, OZ_ERROR_RANGE,
		                 "%s would be larger than the 4 GB of a GLB file; write PLY, or "
		                 "make the cells of the surface larger",
		                 path);
	if (result == OZ_OK)
		result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	say_all(&text, &m);
	oz_pack_begin(&packer, &file, OZ_PACK_PLAIN);
	put_all(&packer, &m, &text);
	return oz_file_commit(&file, error);
}
