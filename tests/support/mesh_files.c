// mesh_files.c: small meshes as files of all kinds that are read.
#include "meshes.h"

static void put_obj(FILE *f, const oz_mesh *m)
{
	for (uint32_t i = 0; i < m->vertex_count; i++)
		fprintf(f, "v %.9g %.9g %.9g\n", (double)m->vertices[i].x, (double)m->vertices[i].y,
		        (double)m->vertices[i].z);
	for (uint32_t i = 0; i < m->triangle_count; i++)
		fprintf(f, "f %u %u %u\n", m->triangles[i][0] + 1, m->triangles[i][1] + 1,
		        m->triangles[i][2] + 1);
}

static void put_ply(FILE *f, const oz_mesh *m, bool binary)
{
	fprintf(f,
	        "ply\nformat %s 1.0\nelement vertex %u\nproperty float x\nproperty float y\n"
	        "property float z\nelement face %u\nproperty list uchar int vertex_indices\n"
	        "end_header\n",
	        binary ? "binary_little_endian" : "ascii", m->vertex_count, m->triangle_count);
	for (uint32_t i = 0; i < m->vertex_count; i++) {
		const oz_vec3 v = m->vertices[i];
		if (binary)
			fwrite(&v, sizeof v, 1, f);
		else
			fprintf(f, "%.9g %.9g %.9g\n", (double)v.x, (double)v.y, (double)v.z);
	}
	for (uint32_t i = 0; i < m->triangle_count; i++) {
		const uint32_t *t = m->triangles[i];
		if (binary) {
			fputc(3, f);
			fwrite(t, sizeof *m->triangles, 1, f);
		} else {
			fprintf(f, "3 %u %u %u\n", t[0], t[1], t[2]);
		}
	}
}

static void put_stl(FILE *f, const oz_mesh *m)
{
	fputs("solid m\n", f);
	for (uint32_t i = 0; i < m->triangle_count; i++) {
		fputs("facet normal 0 0 0\nouter loop\n", f);
		for (int k = 0; k < 3; k++) {
			const oz_vec3 v = m->vertices[m->triangles[i][k]];
			fprintf(f, "vertex %.9g %.9g %.9g\n", (double)v.x, (double)v.y,
			        (double)v.z);
		}
		fputs("endloop\nendfacet\n", f);
	}
	fputs("endsolid m\n", f);
}

static void put_stl_binary(FILE *f, const oz_mesh *m)
{
	static const char header[80] = "made by a test", attributes[2] = "";
	fwrite(header, sizeof header, 1, f);
	fwrite(&m->triangle_count, sizeof m->triangle_count, 1, f);
	for (uint32_t i = 0; i < m->triangle_count; i++) {
		oz_vec3 normal_and_corners[4] = {{0, 0, 0}};
		for (int k = 0; k < 3; k++)
			normal_and_corners[k + 1] = m->vertices[m->triangles[i][k]];
		fwrite(normal_and_corners, sizeof normal_and_corners, 1, f);
		fwrite(attributes, sizeof attributes, 1, f);
	}
}

void test_mesh_write(const oz_mesh *m, format as)
{
	FILE *f = fopen(test_mesh_files[as], "wb");
	assert_non_null(f);
	if (as == OBJ)
		put_obj(f, m);
	else if (as == PLY || as == PLY_BINARY)
		put_ply(f, m, as == PLY_BINARY);
	else if (as == STL)
		put_stl(f, m);
	else
		put_stl_binary(f, m);
	assert_int_equal(fclose(f), 0);
}

oz_mesh test_mesh_through_file(oz_mesh m, format as)
{
	oz_error error = {OZ_OK, ""};
	test_mesh_write(&m, as);
	oz_mesh_free(&m);
	if (oz_mesh_load(test_mesh_files[as], &m, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return m;
}

void test_mesh_save(oz_mesh mesh, const char *path)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	put_obj(f, &mesh);
	fclose(f);
	oz_mesh_free(&mesh);
}
