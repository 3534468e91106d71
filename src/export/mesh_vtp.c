// mesh_vtp.c: a surface as VTK polydata: points, triangles, and attributes of the points.
//
// Arrays are inline base64, as in VTU. Colours stay three floats of linear light, since ParaView
// maps values to colours itself.
#include <inttypes.h>

#include "export.h"
#include "pack.h"

static void put_vectors(oz_packer *p, const char *name, const oz_vec3 *vectors, uint32_t count)
{
	oz_vtk_begin_array(p, "Float32", name, 3, (uint64_t)count * 12);
	oz_pack_vectors(p, vectors, count);
	oz_vtk_end_array(p);
}

static void put_numbers(oz_packer *p, const char *name, const uint32_t *numbers, uint32_t count)
{
	if (!numbers)
		return;
	oz_vtk_begin_array(p, "UInt32", name, 1, (uint64_t)count * 4);
	for (uint32_t i = 0; i < count; i++)
		oz_pack_word(p, numbers[i]);
	oz_vtk_end_array(p);
}

static void put_point_data(oz_packer *p, const oz_surface_mesh *mesh)
{
	oz_file_print(p->file, "<PointData%s%s>\n", mesh->normal ? " Normals=\"normal\"" : "",
	              mesh->velocity ? " Vectors=\"velocity\"" : "");
	if (mesh->normal)
		put_vectors(p, "normal", mesh->normal, mesh->vertex_count);
	if (mesh->velocity)
		put_vectors(p, "velocity", mesh->velocity, mesh->vertex_count);
	if (mesh->colour)
		put_vectors(p, "colour", mesh->colour, mesh->vertex_count);
	put_numbers(p, "body", mesh->body, mesh->vertex_count);
	put_numbers(p, "material", mesh->material, mesh->vertex_count);
	oz_file_print(p->file, "</PointData>\n");
}

static void put_triangles(oz_packer *p, const oz_surface_mesh *mesh)
{
	oz_file_print(p->file, "<Polys>\n");
	oz_vtk_begin_array(p, "Int32", "connectivity", 1, (uint64_t)mesh->triangle_count * 12);
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++)
			oz_pack_word(p, mesh->triangles[i][k]);
	oz_vtk_end_array(p);
	oz_vtk_count(p, "offsets", 3, 3, mesh->triangle_count);
	oz_file_print(p->file, "</Polys>\n");
}

oz_result oz_export_mesh_vtp(const oz_surface_mesh *mesh, const char *path, oz_error *error)
{
	oz_file file;
	oz_packer packer;
	oz_result result = oz_export_check_mesh(mesh, path, error);
	if (result == OZ_OK)
		result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_pack_begin(&packer, &file, OZ_PACK_BASE64);
	oz_vtk_open(&file, "PolyData");
	oz_file_print(&file,
	              "<PolyData>\n<Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfVerts=\"0\" "
	              "NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRIu32 "\">\n"
	              "<Points>\n",
	              mesh->vertex_count, mesh->triangle_count);
	put_vectors(&packer, "position", mesh->position, mesh->vertex_count);
	oz_file_print(&file, "</Points>\n");
	put_triangles(&packer, mesh);
	put_point_data(&packer, mesh);
	oz_file_print(&file, "</Piece>\n</PolyData>\n</VTKFile>\n");
	return oz_file_commit(&file, error);
}
