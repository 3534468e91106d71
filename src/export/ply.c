// ply.c: particles as a binary little-endian PLY point cloud.
//
// One record for each particle: x y z vx vy vz density as float32, then material, body and id as
// int32, then temperature as float32 and phase as int32 (1 solid, 0 liquid). Positions come first
// and as float32: some readers require it. Records are packed a chunk at a time from the world's
// fields.
#include <inttypes.h>

#include "export.h"
#include "pack.h"

// The fields of a record in order, and how many 4-byte words each has.
static const struct {
	oz_field field;
	uint32_t words;
} columns[] = {
        {OZ_FIELD_POSITION, 3},    {OZ_FIELD_VELOCITY, 3}, {OZ_FIELD_DENSITY, 1},
        {OZ_FIELD_MATERIAL, 1},    {OZ_FIELD_BODY, 1},     {OZ_FIELD_ID, 1},
        {OZ_FIELD_TEMPERATURE, 1}, {OZ_FIELD_PHASE, 1},
};
#define COLUMNS (sizeof columns / sizeof columns[0])

static void put_header(oz_file *file, uint32_t count)
{
	oz_file_print(file,
	              "ply\nformat binary_little_endian 1.0\ncomment particles, SI units, y up\n"
	              "element vertex %" PRIu32 "\n"
	              "property float x\nproperty float y\nproperty float z\n"
	              "property float vx\nproperty float vy\nproperty float vz\n"
	              "property float density\n"
	              "property int material\nproperty int body\nproperty int id\n"
	              "property float temperature\nproperty int phase\nend_header\n",
	              count);
}

static void put_records(oz_packer *p, const oz_view *views, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (size_t c = 0; c < COLUMNS; c++)
			oz_pack_element(p, &views[c], i, columns[c].words);
	oz_pack_flush(p);
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
	oz_packer packer;
	oz_pack_begin(&packer, &file, OZ_PACK_PLAIN);
	put_records(&packer, views, views[0].count);
	return oz_file_commit(&file, error);
}
