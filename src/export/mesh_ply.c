// mesh_ply.c: a surface as a binary little-endian PLY mesh.
//
// One record for each vertex: x y z nx ny nz vx vy vz as float32, red green blue as bytes (sRGB),
// body and material as int32; arrays that are NULL are left out of the header and of the records.
// Then the faces, each a byte 3 and three int32.
#include <inttypes.h>

#include "export.h"
#include "pack.h"

static void put_header(oz_file *file, const oz_surface_mesh *mesh)
{
	oz_file_print(file,
	              "ply\nformat binary_little_endian 1.0\ncomment surface, SI units, y up\n"
	              "element vertex %" PRIu32 "\n"
	              "property float x\nproperty float y\nproperty float z\n",
	              mesh->vertex_count);
	if (mesh->normal)
		oz_file_print(file, "property float nx\nproperty float ny\nproperty float nz\n");
	if (mesh->velocity)
		oz_file_print(file, "property float vx\nproperty float vy\nproperty float vz\n");
	if (mesh->colour)
		oz_file_print(file, "property uchar red\nproperty uchar green\n"
		                    "property uchar blue\n");
	if (mesh->body)
		oz_file_print(file, "property int body\n");
	if (mesh->material)
		oz_file_print(file, "property int material\n");
	oz_file_print(file,
	              "element face %" PRIu32 "\n"
	              "property list uchar int vertex_indices\nend_header\n",
	              mesh->triangle_count);
}

static void put_colour(oz_packer *p, oz_vec3 linear)
{
	oz_vec3 c = oz_colour_to_srgb(linear);
	const uint8_t bytes[3] = {(uint8_t)(c.x * 255 + 0.5f), (uint8_t)(c.y * 255 + 0.5f),
	                          (uint8_t)(c.z * 255 + 0.5f)};
	oz_pack_bytes(p, bytes, sizeof bytes);
}

static void put_vertices(oz_packer *p, const oz_surface_mesh *mesh)
{
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		oz_pack_vectors(p, mesh->position + i, 1);
		if (mesh->normal)
			oz_pack_vectors(p, mesh->normal + i, 1);
		if (mesh->velocity)
			oz_pack_vectors(p, mesh->velocity + i, 1);
		if (mesh->colour)
			put_colour(p, mesh->colour[i]);
		if (mesh->body)
			oz_pack_word(p, mesh->body[i]);
		if (mesh->material)
			oz_pack_word(p, mesh->material[i]);
	}
}

static void put_faces(oz_packer *p, const oz_surface_mesh *mesh)
{
	const uint8_t corners = 3;
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		oz_pack_bytes(p, &corners, 1);
		for (int k = 0; k < 3; k++)
			oz_pack_word(p, mesh->triangles[i][k]);
	}
}

oz_result oz_export_mesh_ply(const oz_surface_mesh *mesh, const char *path, oz_error *error)
{
	oz_file file;
	oz_packer packer;
	oz_result result = oz_export_check_mesh(mesh, path, error);
	if (result == OZ_OK)
		result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	put_header(&file, mesh);
	oz_pack_begin(&packer, &file, OZ_PACK_PLAIN);
	put_vertices(&packer, mesh);
	put_faces(&packer, mesh);
	oz_pack_flush(&packer);
	return oz_file_commit(&file, error);
}
