// vtu.c: particles as a VTK unstructured grid of vertex cells, and the PVD list of such frames.
//
// Every array is inline base64 of [number of bytes, UInt64][values], little-endian. A field is read
// where it lies in the world, packed a chunk at a time and encoded on its way to the file, so a
// frame costs two small buffers and no copy of the particles.
#include <inttypes.h>
#include <string.h>

#include "../base/base.h"
#include "export.h"

#define CHUNK                                                                                      \
	6144 // bytes packed at a time; a multiple of 3, so that no chunk but the last is padded

typedef struct encoder {
	oz_file *file;
	uint8_t bytes[CHUNK];
	size_t used;
} encoder;

static void encode_group(const uint8_t *in, char *out)
{
	static const char letters[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
	out[0] = letters[bits >> 18];
	out[1] = letters[bits >> 12 & 63];
	out[2] = letters[bits >> 6 & 63];
	out[3] = letters[bits & 63];
}

static void flush(encoder *e)
{
	char text[CHUNK / 3 * 4 + 4];
	size_t length = 0;
	memset(e->bytes + e->used, 0, (3 - e->used % 3) % 3);
	for (size_t i = 0; i < e->used; i += 3, length += 4)
		encode_group(e->bytes + i, text + length);
	for (size_t i = e->used; i % 3; i++)
		text[length - (3 - i % 3)] = '=';
	oz_file_put(e->file, text, length);
	e->used = 0;
}

static void put_word(encoder *e, uint32_t word)
{
	for (int shift = 0; shift < 32; shift += 8) {
		e->bytes[e->used++] = (uint8_t)(word >> shift);
		if (e->used == CHUNK)
			flush(e);
	}
}

static void begin_array(encoder *e, const char *type, const char *name, uint32_t components,
                        uint64_t size)
{
	oz_file_print(e->file,
	              "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%" PRIu32
	              "\" format=\"binary\">\n",
	              type, name, components);
	put_word(e, (uint32_t)size);
	put_word(e, (uint32_t)(size >> 32));
}

static void end_array(encoder *e)
{
	flush(e);
	oz_file_print(e->file, "\n</DataArray>\n");
}

// Writes a field whose elements are `words` 4-byte values, whatever their type.
static oz_result put_field(encoder *e, oz_world *world, oz_field field, const char *type,
                           const char *name, uint32_t words, oz_error *error)
{
	oz_view view;
	oz_result result = oz_world_view(world, field, &view, error);
	if (result != OZ_OK)
		return result;
	begin_array(e, type, name, words, (uint64_t)view.count * words * 4);
	for (uint32_t i = 0; i < view.count; i++) {
		uint32_t element[3];
		memcpy(element, (const char *)view.data + i * view.stride, words * 4);
		for (uint32_t k = 0; k < words; k++)
			put_word(e, element[k]);
	}
	end_array(e);
	return OZ_OK;
}

static oz_result put_point_data(encoder *e, oz_world *world, oz_error *error)
{
	static const struct {
		oz_field field;
		const char *type, *name;
		uint32_t words;
	} rows[] = {
	        {OZ_FIELD_VELOCITY, "Float32", "velocity", 3},
	        {OZ_FIELD_DENSITY, "Float32", "density", 1},
	        {OZ_FIELD_PRESSURE, "Float32", "pressure", 1},
	        {OZ_FIELD_ID, "UInt32", "id", 1},
	        {OZ_FIELD_BODY, "UInt32", "body", 1},
	        {OZ_FIELD_MATERIAL, "UInt32", "material", 1},
	};
	oz_file_print(e->file, "<PointData Vectors=\"velocity\">\n");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		oz_result result = put_field(e, world, rows[i].field, rows[i].type, rows[i].name,
		                             rows[i].words, error);
		if (result != OZ_OK)
			return result;
	}
	oz_file_print(e->file, "</PointData>\n");
	return OZ_OK;
}

// Writes first, first + 1, … as one array.
static void put_count(encoder *e, const char *name, uint32_t first, uint32_t count)
{
	begin_array(e, "Int32", name, 1, (uint64_t)count * 4);
	for (uint32_t i = 0; i < count; i++)
		put_word(e, first + i);
	end_array(e);
}

// one vertex cell for each particle: viewers show nothing without cells
static void put_cells(encoder *e, uint32_t count)
{
	const uint8_t vertex = 1;
	oz_file_print(e->file, "<Cells>\n");
	put_count(e, "connectivity", 0, count);
	put_count(e, "offsets", 1, count);
	begin_array(e, "UInt8", "types", 1, count);
	for (uint32_t i = 0; i < count; i++) {
		e->bytes[e->used++] = vertex;
		if (e->used == CHUNK)
			flush(e);
	}
	end_array(e);
	oz_file_print(e->file, "</Cells>\n");
}

static oz_result put_grid(encoder *e, oz_world *world, oz_error *error)
{
	uint32_t count = oz_world_particle_count(world);
	oz_file_print(e->file,
	              "<?xml version=\"1.0\"?>\n"
	              "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
	              "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
	              "<UnstructuredGrid>\n"
	              "<Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfCells=\"%" PRIu32 "\">\n"
	              "<Points>\n",
	              count, count);
	oz_result result = put_field(e, world, OZ_FIELD_POSITION, "Float32", "position", 3, error);
	if (result != OZ_OK)
		return result;
	oz_file_print(e->file, "</Points>\n");
	put_cells(e, count);
	result = put_point_data(e, world, error);
	oz_file_print(e->file, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
	return result;
}

oz_result oz_export_vtu(oz_world *world, const char *path, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	encoder e = {.file = &file};
	result = put_grid(&e, world, error);
	if (result == OZ_OK)
		return oz_file_commit(&file, error);
	oz_file_cancel(&file);
	return result;
}
