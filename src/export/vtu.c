// vtu.c: particles as a VTK unstructured grid of vertex cells.
//
// Arrays are inline base64: some readers support nothing else. Fields are read from the world in
// chunks and encoded at once, so a frame needs two small buffers and no copy of the particles.
#include <inttypes.h>

#include "export.h"
#include "pack.h"

// Writes a field whose elements are `words` 4-byte values of any type.
static oz_result put_field(oz_packer *p, oz_world *world, oz_field field, const char *type,
                           const char *name, uint32_t words, oz_error *error)
{
	oz_view view;
	oz_result result = oz_world_view(world, field, &view, error);
	if (result != OZ_OK)
		return result;
	oz_vtk_begin_array(p, type, name, words, (uint64_t)view.count * words * 4);
	for (uint32_t i = 0; i < view.count; i++)
		oz_pack_element(p, &view, i, words);
	oz_vtk_end_array(p);
	return OZ_OK;
}

static oz_result put_point_data(oz_packer *p, oz_world *world, oz_error *error)
{
	static const struct {
		oz_field field;
		const char *type, *name;
		uint32_t words;
	} rows[] = {
	        {OZ_FIELD_VELOCITY, "Float32", "velocity", 3},
	        {OZ_FIELD_DENSITY, "Float32", "density", 1},
	        {OZ_FIELD_PRESSURE, "Float32", "pressure", 1},
	        {OZ_FIELD_TEMPERATURE, "Float32", "temperature", 1},
	        {OZ_FIELD_PHASE, "UInt32", "phase", 1},
	        {OZ_FIELD_ID, "UInt32", "id", 1},
	        {OZ_FIELD_BODY, "UInt32", "body", 1},
	        {OZ_FIELD_MATERIAL, "UInt32", "material", 1},
	};
	oz_file_print(p->file, "<PointData Vectors=\"velocity\">\n");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		oz_result result = put_field(p, world, rows[i].field, rows[i].type, rows[i].name,
		                             rows[i].words, error);
		if (result != OZ_OK)
			return result;
	}
	oz_file_print(p->file, "</PointData>\n");
	return OZ_OK;
}

// one vertex cell for each particle: viewers show nothing without cells
static void put_cells(oz_packer *p, uint32_t count)
{
	const uint8_t vertex = 1;
	oz_file_print(p->file, "<Cells>\n");
	oz_vtk_count(p, "connectivity", 0, 1, count);
	oz_vtk_count(p, "offsets", 1, 1, count);
	oz_vtk_begin_array(p, "UInt8", "types", 1, count);
	for (uint32_t i = 0; i < count; i++)
		oz_pack_bytes(p, &vertex, 1);
	oz_vtk_end_array(p);
	oz_file_print(p->file, "</Cells>\n");
}

static oz_result put_grid(oz_packer *p, oz_world *world, oz_error *error)
{
	uint32_t count = oz_world_particle_count(world);
	oz_vtk_open(p->file, "UnstructuredGrid");
	oz_file_print(p->file,
	              "<UnstructuredGrid>\n"
	              "<Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfCells=\"%" PRIu32 "\">\n"
	              "<Points>\n",
	              count, count);
	oz_result result = put_field(p, world, OZ_FIELD_POSITION, "Float32", "position", 3, error);
	if (result != OZ_OK)
		return result;
	oz_file_print(p->file, "</Points>\n");
	put_cells(p, count);
	result = put_point_data(p, world, error);
	oz_file_print(p->file, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
	return result;
}

oz_result oz_export_vtu(oz_world *world, const char *path, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_packer packer;
	oz_pack_begin(&packer, &file, OZ_PACK_BASE64);
	result = put_grid(&packer, world, error);
	if (result == OZ_OK)
		return oz_file_commit(&file, error);
	oz_file_cancel(&file);
	return result;
}
