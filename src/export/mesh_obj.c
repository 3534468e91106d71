// mesh_obj.c: a surface as OBJ text.
//
//   v x y z [r g b]      colours as sRGB, as other programs read them
//   vn x y z
//   f 1//1 2//2 3//3     counted from 1; without normals: f 1 2 3
//
// OBJ cannot hold velocity, body and material: write PLY for those.
#include "export.h"
#include "pack.h"
#include "json/number.h"

// A line as it grows; the longest has a keyword, six numbers and the blanks between.
typedef struct line {
	char text[8 + 7 * (OZ_NUMBER_SIZE + 1)];
	size_t length;
} line;

static line begin_line(const char *keyword)
{
	line l = {.length = 0};
	while (*keyword)
		l.text[l.length++] = *keyword++;
	return l;
}

static void add_vector(line *l, oz_vec3 v)
{
	const float values[3] = {v.x, v.y, v.z};
	for (int k = 0; k < 3; k++) {
		l->text[l->length++] = ' ';
		l->length += oz_number_float(l->text + l->length, values[k]);
	}
}

static void end_line(oz_packer *p, line *l)
{
	l->text[l->length++] = '\n';
	oz_pack_bytes(p, l->text, l->length);
}

static void put_vertices(oz_packer *p, const oz_surface_mesh *mesh)
{
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		line l = begin_line("v");
		add_vector(&l, mesh->position[i]);
		if (mesh->colour)
			add_vector(&l, oz_colour_to_srgb(mesh->colour[i]));
		end_line(p, &l);
	}
}

static void put_normals(oz_packer *p, const oz_surface_mesh *mesh)
{
	for (uint32_t i = 0; mesh->normal && i < mesh->vertex_count; i++) {
		line l = begin_line("vn");
		add_vector(&l, mesh->normal[i]);
		end_line(p, &l);
	}
}

static void put_faces(oz_packer *p, const oz_surface_mesh *mesh)
{
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		line l = begin_line("f");
		for (int k = 0; k < 3; k++) {
			uint32_t number = mesh->triangles[i][k] + 1;
			l.text[l.length++] = ' ';
			l.length += oz_number_uint(l.text + l.length, number);
			if (!mesh->normal)
				continue;
			l.text[l.length++] = '/';
			l.text[l.length++] = '/';
			l.length += oz_number_uint(l.text + l.length, number);
		}
		end_line(p, &l);
	}
}

oz_result oz_export_mesh_obj(const oz_surface_mesh *mesh, const char *path, oz_error *error)
{
	oz_file file;
	oz_packer packer;
	oz_result result = oz_export_check_mesh(mesh, path, error);
	if (result == OZ_OK)
		result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_file_print(&file, "# surface, SI units, y up\no surface\n");
	oz_pack_begin(&packer, &file, OZ_PACK_PLAIN);
	put_vertices(&packer, mesh);
	put_normals(&packer, mesh);
	put_faces(&packer, mesh);
	oz_pack_flush(&packer);
	return oz_file_commit(&file, error);
}
