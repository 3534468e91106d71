// test_mesh.c: meshes from files: read, judged and filled as the shapes they draw.
//
// Every file is written here, into the folder that the test runs in.
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
#define INSIDE_OUT  " is inside out: its faces point inwards; flip them"
#define NO_TRIANGLE " has no triangles; export it as a surface"

typedef enum format { OBJ, PLY, PLY_BINARY, STL, STL_BINARY, FORMATS } format;
static const char *const names[FORMATS] = {"m.obj", "m.ply", "b.ply", "m.stl", "b.stl"};

// ---- meshes -----------------------------------------------------------------------------------

static oz_mesh mesh_of(uint32_t vertices, uint32_t triangles)
{
	return (oz_mesh){calloc(vertices, sizeof(oz_vec3)), vertices,
	                 calloc(triangles, sizeof(uint32_t[3])), triangles};
}

// A cube of edge 1 about the origin: vertex bits are x, y, z.
static oz_mesh cube(void)
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

static oz_mesh tetrahedron(void)
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
static oz_mesh parted(oz_mesh from, float radius)
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
static oz_mesh ball(float radius, int times)
{
	oz_mesh m = cube();
	for (int i = 0; i < times; i++)
		m = parted(m, radius);
	return m;
}

static oz_mesh torus(float ring, float tube, uint32_t around, uint32_t across)
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

static oz_mesh joined(oz_mesh a, oz_mesh b)
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

static oz_mesh placed(oz_mesh m, float scale, oz_vec3 position)
{
	oz_mesh_transform(&m, oz_v3(scale, scale, scale), oz_quat_identity(), position);
	return m;
}

static oz_mesh flipped(oz_mesh m)
{
	for (uint32_t i = 0; i < m.triangle_count; i++) {
		const uint32_t swap = m.triangles[i][0];
		m.triangles[i][0] = m.triangles[i][1];
		m.triangles[i][1] = swap;
	}
	return m;
}

// ---- files ------------------------------------------------------------------------------------

static void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

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

static void write_mesh(const oz_mesh *m, format as)
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
static oz_mesh through(oz_mesh m, format as)
{
	oz_error error = {OZ_OK, ""};
	write_mesh(&m, as);
	oz_mesh_free(&m);
	if (oz_mesh_load(names[as], &m, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return m;
}

static void assert_closed(const oz_mesh *m)
{
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_check_closed(m, "m", &error) != OZ_OK)
		fail_msg("%s", error.text);
}

static uint32_t fill_count(const oz_mesh *m, float spacing, oz_fill fill)
{
	oz_vec3 *points;
	uint32_t count;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_fill(m, spacing, fill, &points, &count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_points_free(points);
	return count;
}

static uint32_t shape_count(oz_shape_kind kind, oz_vec3 size, float spacing, oz_fill fill)
{
	oz_vec3 *points;
	uint32_t count;
	const oz_shape shape = oz_shape_make(kind, size);
	assert_int_equal(oz_shape_fill(&shape, spacing, fill, &points, &count, NULL), OZ_OK);
	oz_points_free(points);
	return count;
}

// ---- reading ----------------------------------------------------------------------------------

static void every_format_gives_the_same_closed_mesh(void **state)
{
	(void)state;
	for (format as = 0; as < FORMATS; as++) {
		oz_mesh m = through(cube(), as);
		assert_int_equal(m.vertex_count, 8);
		assert_int_equal(m.triangle_count, 12);
		assert_closed(&m);
		assert_int_equal(fill_count(&m, 0.05f, OZ_FILL_LATTICE), 8000);
		oz_mesh_free(&m);
		m = through(tetrahedron(), as);
		assert_int_equal(m.vertex_count, 4);
		assert_closed(&m);
		oz_mesh_free(&m);
		m = through(ball(0.5f, 3), as);
		assert_int_equal(m.triangle_count, 12 * 64);
		assert_int_equal(m.vertex_count, 12 * 64 / 2 + 2); // Euler: no hole
		assert_closed(&m);
		oz_mesh_free(&m);
		m = through(torus(0.35f, 0.15f, 24, 12), as);
		assert_int_equal(m.vertex_count, 24 * 12); // Euler: one hole
		assert_closed(&m);
		oz_mesh_free(&m);
	}
}

static void polygons_are_parted_also_where_they_are_not_convex(void **state)
{
	(void)state;
	// an L of three unit cubes; the fan's first corner does not see all of it
	write_text("l.obj", "v 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\n"
	                    "v 1 2 1\nv 0 2 1\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\n"
	                    "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\n"
	                    "f 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n");
	oz_mesh m;
	assert_int_equal(oz_mesh_load("l.obj", &m, NULL), OZ_OK);
	assert_int_equal(m.triangle_count, 20);
	assert_closed(&m);
	assert_int_equal(fill_count(&m, 0.1f, OZ_FILL_LATTICE), 3000);
	oz_mesh_free(&m);
}

static void parts_stand_where_their_nodes_place_them(void **state)
{
	(void)state;
	// two tetrahedra: one moved by 3 along x, one mirrored, which must not turn it inside out
	write_text("m.dae",
	           "<?xml version=\"1.0\"?><COLLADA "
	           "xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
	           "<asset><up_axis>Y_UP</up_axis></asset><library_geometries>"
	           "<geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">"
	           "0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor "
	           "source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/>"
	           "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
	           "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
	           "source=\"#p\"/></vertices><triangles count=\"4\"><input semantic=\"VERTEX\" "
	           "source=\"#v\" offset=\"0\"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh>"
	           "</geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">"
	           "<node id=\"n\"><matrix>1 0 0 3 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
	           "<instance_geometry url=\"#g\"/></node>"
	           "<node id=\"k\"><matrix>-1 0 0 -3 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
	           "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
	           "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>");
	oz_mesh m;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_load("m.dae", &m, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(m.vertex_count, 8);
	assert_closed(&m);
	for (uint32_t i = 0; i < m.vertex_count; i++)
		assert_true(fabsf(m.vertices[i].x) >= 3 && fabsf(m.vertices[i].x) <= 4);
	oz_mesh_free(&m);
}

static void expect_unread(const char *path, oz_result code, const char *text)
{
	oz_mesh m;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_mesh_load(path, &m, &error), code);
	// what the importer adds is its own
	char *importer = strstr(error.text, " (the importer says");
	if (importer)
		*importer = 0;
	assert_string_equal(error.text, text);
	assert_null(m.vertices);
	assert_null(m.triangles);
	assert_int_equal(m.triangle_count, 0);
}

static void files_that_are_no_meshes_are_told(void **state)
{
	(void)state;
	expect_unread("none.obj", OZ_ERROR_FILE,
	              "the mesh none.obj cannot be opened: No such file or directory; check its "
	              "name");
	expect_unread(".", OZ_ERROR_FILE, "the mesh . cannot be read: Is a directory; name a file");
	write_text("empty.obj", "");
	expect_unread("empty.obj", OZ_ERROR_FORMAT, "empty.obj is empty; export it again");
	static const char *const garbage[] = {"g.ply", "g.stl", "g.gltf", "g.xyz", "g"};
	for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
		char text[200];
		snprintf(text, sizeof text,
		         "%s is not a mesh that can be read; use OBJ, PLY, STL, glTF or DAE",
		         garbage[i]);
		write_text(garbage[i], "\1\2\3 the quick brown fox \377\376");
		expect_unread(garbage[i], OZ_ERROR_FORMAT, text);
	}
	// any text may be an OBJ file without a face
	write_text("g.obj", "the quick brown fox\njumps over the lazy dog\n");
	expect_unread("g.obj", OZ_ERROR_MESH, "g.obj" NO_TRIANGLE);
	write_text("endless.ply", "ply\nformat ascii 1.0\nelement vertex 4\n");
	expect_unread("endless.ply", OZ_ERROR_FORMAT,
	              "endless.ply is damaged: its header has no end; export it again");
	oz_error error;
	assert_int_equal(oz_mesh_load(NULL, NULL, &error), OZ_ERROR_ARGUMENT);
}

static void points_and_lines_are_no_surface(void **state)
{
	(void)state;
	write_text("points.ply",
	           "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
	           "float y\nproperty float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n");
	expect_unread("points.ply", OZ_ERROR_MESH,
	              "points.ply holds points and no triangles; export it as a surface");
	write_text("lines.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n");
	expect_unread("lines.obj", OZ_ERROR_MESH,
	              "lines.obj holds lines and no triangles; export it as a surface");
}

static void vertices_that_are_no_place_are_told(void **state)
{
	(void)state;
	static const char *const told[] = {"nan", "inf"};
	for (int i = 0; i < 2; i++) {
		char text[200];
		oz_mesh m = tetrahedron();
		m.vertices[3].z = i ? INFINITY : NAN;
		write_mesh(&m, STL_BINARY);
		write_mesh(&m, PLY_BINARY);
		snprintf(text, sizeof text,
		         "b.stl has a vertex at (0, 0, %s), which is no place; repair the file or "
		         "its scale",
		         told[i]);
		expect_unread("b.stl", OZ_ERROR_MESH, text);
		memcpy(text, "b.ply", 5);
		expect_unread("b.ply", OZ_ERROR_MESH, text);
		oz_mesh_free(&m);
	}
}

// The importer itself leaks on damaged files; our own leaks show in all other tests.
__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

static oz_result load_damaged(const char *path, oz_mesh *m, oz_error *error)
{
	if (__lsan_disable)
		__lsan_disable();
	const oz_result result = oz_mesh_load(path, m, error);
	if (__lsan_enable)
		__lsan_enable();
	return result;
}

// Deterministic damage: no crash, and a sentence whenever it fails.
static void damaged_files_never_crash(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (format as = 0; as < FORMATS; as++) {
		oz_mesh m = tetrahedron();
		write_mesh(&m, as);
		oz_mesh_free(&m);
		unsigned char bytes[4096], broken[4096];
		FILE *f = fopen(names[as], "rb");
		const size_t size = fread(bytes, 1, sizeof bytes, f);
		fclose(f);
		for (int i = 0; i < 200; i++) {
			memcpy(broken, bytes, size);
			for (int k = 0; k < 3; k++) {
				seed = seed * 6364136223846793005u + 1442695040888963407u;
				broken[(seed >> 33) % size] = (unsigned char)(seed >> 25);
			}
			write_bytes(names[as], broken,
			            i % 2 ? size : (size_t)(seed >> 33) % size + 1);
			oz_error error = {OZ_OK, ""};
			if (load_damaged(names[as], &m, &error) != OZ_OK)
				assert_true(strlen(error.text) > 10);
			else
				oz_mesh_check_closed(&m, names[as], NULL);
			oz_mesh_free(&m);
		}
	}
}

// ---- judging ----------------------------------------------------------------------------------

static void expect_refused(oz_mesh m, const char *text)
{
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_mesh_check_closed(&m, "m", &error), OZ_ERROR_MESH);
	assert_string_equal(error.text, text);
	oz_vec3 *points = (oz_vec3 *)&error;
	uint32_t count = 5;
	assert_int_equal(oz_mesh_fill(&m, 0.1f, OZ_FILL_LATTICE, &points, &count, NULL),
	                 OZ_ERROR_MESH);
	assert_null(points);
	assert_int_equal(count, 0);
	oz_mesh_free(&m);
}

static void missing_face_is_told_with_its_edge(void **state)
{
	(void)state;
	oz_mesh m = cube();
	m.triangle_count = 10;
	expect_refused(m,
	               "m is open: one triangle only at the edge from (-0.5, -0.5, 0.5) to (0.5, "
	               "-0.5, 0.5); of its edges 4 are open, 0 non-manifold, 0 twisted (0 "
	               "degenerate triangles ignored); close the holes");
}

static void third_face_on_an_edge_is_told(void **state)
{
	(void)state;
	oz_mesh m = joined(cube(), tetrahedron());
	m.vertices[8] = oz_v3(0, 2, 0);
	m.triangles[12][0] = 0;
	m.triangles[12][1] = 1;
	m.triangles[12][2] = 8;
	m.triangle_count = 13;
	expect_refused(m,
	               "m is non-manifold: more than two triangles at the edge from (-0.5, -0.5, "
	               "-0.5) to (0.5, -0.5, -0.5); of its edges 2 are open, 1 non-manifold, 0 "
	               "twisted (0 degenerate triangles ignored); part the surfaces that meet "
	               "there");
}

static void face_turned_the_wrong_way_is_told(void **state)
{
	(void)state;
	oz_mesh m = cube();
	m.triangles[11][0] = 7;
	m.triangles[11][1] = 4;
	expect_refused(m,
	               "m is twisted: two triangles that face opposite ways at the edge from "
	               "(-0.5, -0.5, 0.5) to (-0.5, 0.5, 0.5); of its edges 0 are open, 0 "
	               "non-manifold, 3 twisted (0 degenerate triangles ignored); turn all faces "
	               "outwards");
}

static void inside_out_is_told(void **state)
{
	(void)state;
	expect_refused(flipped(cube()), "m" INSIDE_OUT);
	expect_refused(flipped(placed(cube(), 1e-12f, oz_v3(0, 0, 0))), "m" INSIDE_OUT);
}

static void flat_meshes_are_told(void **state)
{
	(void)state;
	oz_mesh m = cube();
	oz_mesh_transform(&m, oz_v3(1, 0, 1), oz_quat_identity(), oz_v3(0, 0, 0));
	expect_refused(m, "m is flat: it has no thickness along y; give it some, or use a sheet");
	m = tetrahedron(); // one triangle from both sides, askew
	m.triangle_count = 2;
	memcpy(m.triangles[0], (uint32_t[3]){1, 2, 3}, sizeof m.triangles[0]);
	memcpy(m.triangles[1], (uint32_t[3]){2, 1, 3}, sizeof m.triangles[1]);
	expect_refused(m,
	               "m is flat: its surface encloses nothing; give it some thickness, or use a "
	               "sheet");
}

static void broken_arrays_are_told(void **state)
{
	(void)state;
	oz_mesh m = cube();
	m.vertices[5].y = NAN;
	expect_refused(m, "vertex 5 of m is (0.5, nan, 0.5), which is no place; repair the file or "
	                  "its scale");
	m = cube();
	m.triangles[7][2] = 8;
	expect_refused(m, "triangle 7 of m names vertex 8 of 8; the file is damaged");
	expect_refused((oz_mesh){0}, "m" NO_TRIANGLE);
}

static void degenerate_triangles_are_ignored(void **state)
{
	(void)state;
	oz_mesh m = joined(cube(), tetrahedron());
	m.triangle_count = 13;
	memcpy(m.triangles[12], (uint32_t[3]){3, 3, 6}, sizeof m.triangles[12]);
	assert_closed(&m);
	assert_int_equal(fill_count(&m, 0.1f, OZ_FILL_LATTICE), 1000);
	oz_mesh_free(&m);
}

// ---- filling ----------------------------------------------------------------------------------

static void cube_is_filled_like_the_box(void **state)
{
	(void)state;
	oz_mesh m = cube();
	static const float spacings[] = {0.5f, 0.1f, 0.07f, 0.031f};
	for (int i = 0; i < 4; i++)
		for (oz_fill f = 0; f < OZ_FILL_COUNT; f++)
			assert_int_equal(fill_count(&m, spacings[i], f),
			                 shape_count(OZ_SHAPE_BOX, oz_v3(1, 1, 1), spacings[i], f));
	oz_mesh_free(&m);
}

static void ball_and_torus_are_filled_like_the_shapes(void **state)
{
	(void)state;
	oz_mesh round = through(ball(0.5f, 6), STL_BINARY);
	oz_mesh ring = through(torus(0.35f, 0.15f, 240, 120), PLY_BINARY);
	for (oz_fill f = 0; f < OZ_FILL_COUNT; f++) {
		const double a = fill_count(&round, 0.03f, f);
		const double b = fill_count(&ring, 0.03f, f);
		assert_true(fabs(a / shape_count(OZ_SHAPE_BALL, oz_v3(0.5f, 0, 0), 0.03f, f) - 1) <
		            0.005);
		assert_true(fabs(b / shape_count(OZ_SHAPE_TORUS, oz_v3(0.35f, 0.15f, 0), 0.03f, f) -
		                 1) < 0.005);
	}
	oz_mesh_free(&round);
	oz_mesh_free(&ring);
}

static void overlapping_shells_are_one_solid(void **state)
{
	(void)state;
	// two unit cubes, the second moved by half an edge: one and a half cubes
	oz_mesh m = through(joined(cube(), placed(cube(), 1, oz_v3(0.5f, 0, 0))), OBJ);
	assert_int_equal(m.vertex_count, 16);
	assert_closed(&m);
	assert_int_equal(fill_count(&m, 0.05f, OZ_FILL_LATTICE), 12000);
	oz_mesh_free(&m);
}

static void shell_turned_inwards_is_a_hollow(void **state)
{
	(void)state;
	oz_mesh m = joined(cube(), flipped(placed(cube(), 0.5f, oz_v3(0, 0, 0))));
	assert_closed(&m);
	assert_int_equal(fill_count(&m, 0.05f, OZ_FILL_LATTICE), 7000);
	oz_mesh_free(&m);
}

// Every row of points runs through edges and vertices of the mesh.
static void rows_through_edges_and_corners_do_not_leak(void **state)
{
	(void)state;
	// an octahedron |x| + |y| + |z| < 1, asked on points that hit its corners and edges exactly
	oz_mesh m = mesh_of(6, 8);
	for (uint32_t i = 0; i < 6; i++)
		*(&m.vertices[i].x + i / 2) = i % 2 ? -1 : 1;
	for (uint32_t i = 0; i < 8; i++) {
		const uint32_t x = i & 1, y = 2 + (i >> 1 & 1), z = 4 + (i >> 2);
		const bool odd = (i ^ i >> 1 ^ i >> 2) & 1;
		memcpy(m.triangles[i], odd ? (uint32_t[3]){x, z, y} : (uint32_t[3]){x, y, z},
		       sizeof m.triangles[i]);
	}
	assert_closed(&m);
	// an odd number along each axis puts points on all three planes of edges
	const float spacing = 2.0f / 33;
	oz_vec3 *points;
	uint32_t count, wanted = 0;
	assert_int_equal(oz_mesh_fill(&m, spacing, OZ_FILL_LATTICE, &points, &count, NULL), OZ_OK);
	for (int i = -16; i <= 16; i++)
		for (int j = -16; j <= 16; j++)
			for (int k = -16; k <= 16; k++)
				wanted += abs(i) + abs(j) + abs(k) <= 16;
	assert_int_equal(count, wanted);
	oz_points_free(points);
	oz_mesh_free(&m);
}

static void blue_noise_in_a_mesh_keeps_off_its_wall(void **state)
{
	(void)state;
	const float s = 0.08f;
	oz_mesh m = through(ball(0.5f, 5), STL_BINARY);
	oz_vec3 *points;
	uint32_t count;
	assert_int_equal(oz_mesh_fill(&m, s, OZ_FILL_BLUE_NOISE, &points, &count, NULL), OZ_OK);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(oz_length(points[i]) < 0.5f - 0.28f * s);
		for (uint32_t j = 0; j < i; j++)
			assert_true(oz_length(oz_sub(points[i], points[j])) > 0.7f * s);
	}
	oz_points_free(points);
	oz_mesh_free(&m);
}

static void mirrored_mesh_is_not_inside_out(void **state)
{
	(void)state;
	oz_mesh m = tetrahedron();
	oz_mesh_transform(&m, oz_v3(-2, 1, 1), oz_quat_from_axis_angle(oz_v3(0, 1, 0), (float)PI),
	                  oz_v3(1, 0, 0));
	assert_closed(&m);
	assert_float_equal(m.vertices[1].x, 3, 1e-5f);
	oz_mesh_free(&m);
}

static void wrong_arguments_are_told(void **state)
{
	(void)state;
	oz_mesh m = cube();
	oz_vec3 *points;
	uint32_t count;
	oz_error error;
	assert_int_equal(oz_mesh_fill(&m, 0, OZ_FILL_LATTICE, &points, &count, &error),
	                 OZ_ERROR_ARGUMENT);
	assert_string_equal(error.text, "the spacing to fill the mesh with is 0 m; it must be a "
	                                "positive number");
	assert_int_equal(oz_mesh_fill(&m, 5, OZ_FILL_LATTICE, &points, &count, &error),
	                 OZ_ERROR_ARGUMENT);
	assert_string_equal(error.text,
	                    "the mesh is too thin to hold a point at a spacing of 5 m; a "
	                    "spacing of 2 m would do");
	assert_int_equal(oz_mesh_fill(&m, 1e-5f, OZ_FILL_LATTICE, &points, &count, &error),
	                 OZ_ERROR_MEMORY);
	assert_string_equal(error.text,
	                    "the mesh takes about 1e+15 points at a spacing of 1e-05 m, "
	                    "more than 2^31; a spacing of 0.0008 m would fit");
	assert_int_equal(oz_mesh_fill(NULL, 1, OZ_FILL_LATTICE, &points, &count, &error),
	                 OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_mesh_check_closed(NULL, "m", &error), OZ_ERROR_ARGUMENT);
	oz_mesh_free(NULL);
	oz_mesh_free(&m);
	oz_mesh_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_format_gives_the_same_closed_mesh),
	        cmocka_unit_test(polygons_are_parted_also_where_they_are_not_convex),
	        cmocka_unit_test(parts_stand_where_their_nodes_place_them),
	        cmocka_unit_test(files_that_are_no_meshes_are_told),
	        cmocka_unit_test(points_and_lines_are_no_surface),
	        cmocka_unit_test(vertices_that_are_no_place_are_told),
	        cmocka_unit_test(damaged_files_never_crash),
	        cmocka_unit_test(missing_face_is_told_with_its_edge),
	        cmocka_unit_test(third_face_on_an_edge_is_told),
	        cmocka_unit_test(face_turned_the_wrong_way_is_told),
	        cmocka_unit_test(inside_out_is_told),
	        cmocka_unit_test(flat_meshes_are_told),
	        cmocka_unit_test(broken_arrays_are_told),
	        cmocka_unit_test(degenerate_triangles_are_ignored),
	        cmocka_unit_test(cube_is_filled_like_the_box),
	        cmocka_unit_test(ball_and_torus_are_filled_like_the_shapes),
	        cmocka_unit_test(overlapping_shells_are_one_solid),
	        cmocka_unit_test(shell_turned_inwards_is_a_hollow),
	        cmocka_unit_test(rows_through_edges_and_corners_do_not_leak),
	        cmocka_unit_test(blue_noise_in_a_mesh_keeps_off_its_wall),
	        cmocka_unit_test(mirrored_mesh_is_not_inside_out),
	        cmocka_unit_test(wrong_arguments_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
