// ply.c: particles as a binary little-endian PLY point cloud.
//
// One record a particle: x y z vx vy vz density as float32, then material, body and id as int32.
// Positions come first and as float32: other readers fail otherwise. Records are packed a chunk at
// a time from where the fields lie in the world.
#include <inttypes.h>
#include <string.h>

#include "../base/base.h"
#include "export.h"

#define CHUNK 256 // records packed at a time

// The fields of a record in order, and how many 4-byte words each has.
static const struct {
	oz_field field;
	uint32_t words;
} columns[] = {
        {OZ_FIELD_POSITION, 3}, {OZ_FIELD_VELOCITY, 3}, {OZ_FIELD_DENSITY, 1},
        {OZ_FIELD_MATERIAL, 1}, {OZ_FIELD_BODY, 1},     {OZ_FIELD_ID, 1},
};
#define COLUMNS (sizeof columns / sizeof columns[0])
#define WORDS   10

static void put_header(oz_file *file, uint32_t count)
{
	oz_file_print(file,
	              "ply\nformat binary_little_endian 1.0\ncomment particles, SI units, y up\n"
	              "element vertex %" PRIu32 "\n"
	              "property float x\nproperty float y\nproperty float z\n"
	              "property float vx\nproperty float vy\nproperty float vz\n"
	              "property float density\n"
	              "property int material\nproperty int body\nproperty int id\nend_header\n",
	              count);
}

static uint8_t *pack_word(uint8_t *out, uint32_t word)
{
	for (int shift = 0; shift < 32; shift += 8)
		*out++ = (uint8_t)(word >> shift);
	return out;
}

static uint8_t *pack_record(uint8_t *out, const oz_view *views, size_t i)
{
	for (size_t c = 0; c < COLUMNS; c++) {
		uint32_t words[3];
		memcpy(words, (const char *)views[c].data + i * views[c].stride,
		       columns[c].words * 4);
		for (uint32_t k = 0; k < columns[c].words; k++)
			out = pack_word(out, words[k]);
	}
	return out;
}

static void put_records(oz_file *file, const oz_view *views, uint32_t count)
{
	uint8_t chunk[CHUNK * WORDS * 4];
	uint8_t *end = chunk;
	for (uint32_t i = 0; i < count; i++) {
		end = pack_record(end, views, i);
		if (end == chunk + sizeof chunk || i + 1 == count) {
			oz_file_put(file, chunk, (size_t)(end - chunk));
			end = chunk;
		}
	}
}

oz_result oz_export_ply(oz_world *world, const char *path, oz_error *error)
{
	oz_view views[COLUMNS];
	for (size_t c = 0; c < COLUMNS; c++) {
		oz_result result = oz_world_view(world, columns[c].field, &views[c], error);
		if (result != OZ_OK)
			return result;
	}
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	put_header(&file, views[0].count);
	put_records(&file, views, views[0].count);
	return oz_file_commit(&file, error);
}
