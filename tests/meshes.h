// meshes.h: small meshes made by hand, and files of them, for the tests of meshes.
//
// Files are written into the folder that a test runs in.
#ifndef OZ_TEST_MESHES_H
#define OZ_TEST_MESHES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/mesh.h"
#include "math/quat.h"
#include "math/vec.h"

#define PI          3.14159265358979323846
#define NO_TRIANGLE " has no triangles; export it as a surface"

typedef enum format { OBJ, PLY, PLY_BINARY, STL, STL_BINARY, FORMATS } format;
static const char *const names[FORMATS] = {"m.obj", "m.ply", "b.ply", "m.stl", "b.stl"};

// ---- meshes -----------------------------------------------------------------------------------

static inline oz_mesh mesh_of(uint32_t vertices, uint32_t triangles)
{
	return (oz_mesh){calloc(vertices, sizeof(oz_vec3)), vertices,
	                 calloc(triangles, sizeof(uint32_t[3])), triangles};
}

// A cube of edge 1 about the origin: vertex bits are x, y, z.
static inline oz_mesh cube(void)
{
	static const uint32_t faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
	                                      {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
	                                      {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
	oz_mesh m = mesh_of(8, 12);
	for (uint32_t i = 0; i < 8; i++)
		m.vertices[i] = oz_v3((float)(i & 1) - 0.5f, (float)(i >> 1 & 1) - 0.5f,
		                      (float)(i >> 2) - 0.5f);
	memcpy(m.triangles, faces, sizeof faces);
	return m;
}

static inline oz_mesh tetrahedron(void)
{
	static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
	oz_mesh m = mesh_of(4, 4);
	m.vertices[1] = oz_v3(1, 0, 0);
	m.vertices[2] = oz_v3(0, 1, 0);
	m.vertices[3] = oz_v3(0, 0, 1);
	memcpy(m.triangles, faces, sizeof faces);
	return m;
}

// Parts every triangle into four, with vertices of its own for each.
static inline oz_mesh parted(oz_mesh from, float radius)
{
	oz_mesh m = mesh_of(from.triangle_count * 12, from.triangle_count * 4);
	static const int corners[4][3][2] = {{{0, 0}, {0, 1}, {2, 0}},
	                                     {{0, 1}, {1, 1}, {1, 2}},
	                                     {{2, 0}, {1, 2}, {2, 2}},
	                                     {{0, 1}, {1, 2}, {2, 0}}};
	for (uint32_t i = 0; i < from.triangle_count * 12; i++) {
		const uint32_t *t = from.triangles[i / 12];
		const int *pair = corners[i % 12 / 3][i % 3];
		const oz_vec3 a = from.vertices[t[pair[0]]], b = from.vertices[t[pair[1]]];
		m.vertices[i] = oz_scale(oz_normalize(oz_add(a, b)), radius);
		m.triangles[i / 3][i % 3] = i;
	}
	oz_mesh_free(&from);
	return m;
}

// A ball: a cube's faces parted and blown up.
static inline oz_mesh ball(float radius, int times)
{
	oz_mesh m = cube();
	for (int i = 0; i < times; i++)
		m = parted(m, radius);
	return m;
}

static inline oz_mesh torus(float ring, float tube, uint32_t around, uint32_t across)
{
	oz_mesh m = mesh_of(around * across, around * across * 2);
	for (uint32_t i = 0; i < m.vertex_count; i++) {
		const double u = 2 * PI * (i / across) / around, v = 2 * PI * (i % across) / across;
		const double r = (double)ring + (double)tube * cos(v);
		m.vertices[i] = oz_v3((float)(r * cos(u)), (float)((double)tube * sin(v)),
		                      (float)(r * sin(u)));
		const uint32_t row = i / across * across, up = row + (i + 1) % across;
		const uint32_t next = across * around, a = (i + across) % next;
		const uint32_t b = (up + across) % next;
		memcpy(m.triangles[2 * i], (uint32_t[3]){i, up, b}, sizeof(uint32_t[3]));
		memcpy(m.triangles[2 * i + 1], (uint32_t[3]){i, b, a}, sizeof(uint32_t[3]));
	}
	return m;
}

static inline oz_mesh joined(oz_mesh a, oz_mesh b)
{
	oz_mesh m = mesh_of(a.vertex_count + b.vertex_count, a.triangle_count + b.triangle_count);
	memcpy(m.vertices, a.vertices, a.vertex_count * sizeof *a.vertices);
	memcpy(m.vertices + a.vertex_count, b.vertices, b.vertex_count * sizeof *b.vertices);
	memcpy(m.triangles, a.triangles, a.triangle_count * sizeof *a.triangles);
	for (uint32_t i = 0; i < b.triangle_count * 3; i++)
		m.triangles[a.triangle_count + i / 3][i % 3] =
		        b.triangles[i / 3][i % 3] + a.vertex_count;
	oz_mesh_free(&a);
	oz_mesh_free(&b);
	return m;
}

static inline oz_mesh placed(oz_mesh m, float scale, oz_vec3 position)
{
	oz_mesh_transform(&m, oz_v3(scale, scale, scale), oz_quat_identity(), position);
	return m;
}

static inline oz_mesh flipped(oz_mesh m)
{
	for (uint32_t i = 0; i < m.triangle_count; i++) {
		const uint32_t swap = m.triangles[i][0];
		m.triangles[i][0] = m.triangles[i][1];
		m.triangles[i][1] = swap;
	}
	return m;
}

// ---- files ------------------------------------------------------------------------------------

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static inline void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

static inline void put_obj(FILE *f, const oz_mesh *m)
{
	for (uint32_t i = 0; i < m->vertex_count; i++)
		fprintf(f, "v %.9g %.9g %.9g\n", (double)m->vertices[i].x, (double)m->vertices[i].y,
		        (double)m->vertices[i].z);
	for (uint32_t i = 0; i < m->triangle_count; i++)
		fprintf(f, "f %u %u %u\n", m->triangles[i][0] + 1, m->triangles[i][1] + 1,
		        m->triangles[i][2] + 1);
}

static inline void put_ply(FILE *f, const oz_mesh *m, bool binary)
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

static inline void put_stl(FILE *f, const oz_mesh *m)
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

static inline void put_stl_binary(FILE *f, const oz_mesh *m)
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

static inline void write_mesh(const oz_mesh *m, format as)
{
	FILE *f = fopen(names[as], "wb");
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

// Writes a mesh, reads it back and frees the first.
static inline oz_mesh through(oz_mesh m, format as)
{
	oz_error error = {OZ_OK, ""};
	write_mesh(&m, as);
	oz_mesh_free(&m);
	if (oz_mesh_load(names[as], &m, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return m;
}

static inline void assert_closed(const oz_mesh *m)
{
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_check_closed(m, "m", &error) != OZ_OK)
		fail_msg("%s", error.text);
}

static inline uint32_t fill_count(const oz_mesh *m, float spacing, oz_fill fill)
{
	oz_vec3 *points;
	uint32_t count;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_fill(m, spacing, fill, &points, &count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_points_free(points);
	return count;
}

// Writes a mesh as OBJ and frees it.
static inline void write_as(oz_mesh mesh, const char *path)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	put_obj(f, &mesh);
	fclose(f);
	oz_mesh_free(&mesh);
}

#endif
