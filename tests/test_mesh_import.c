// test_mesh_import.c: meshes from files: read as they were written, and refused with a sentence
// where they are damaged, whatever that does to the importer. Without an importer the program ends
// with 77, which counts as skipped.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "geometry/mesh_import.h"
#include "meshes.h"

// ---- reading ----------------------------------------------------------------------------------

static void every_format_gives_the_same_closed_mesh(void **state)
{
	(void)state;
	for (format as = 0; as < FORMATS; as++) {
		oz_mesh m = test_mesh_through_file(test_mesh_cube(), as);
		assert_int_equal(m.vertex_count, 8);
		assert_int_equal(m.triangle_count, 12);
		test_mesh_is_closed(&m);
		assert_int_equal(test_mesh_fill_count(&m, 0.05f, OZ_FILL_LATTICE), 8000);
		oz_mesh_free(&m);
		m = test_mesh_through_file(test_mesh_tetrahedron(), as);
		assert_int_equal(m.vertex_count, 4);
		test_mesh_is_closed(&m);
		oz_mesh_free(&m);
		m = test_mesh_through_file(test_mesh_ball(0.5f, 3), as);
		assert_int_equal(m.triangle_count, 12 * 64);
		assert_int_equal(m.vertex_count, 12 * 64 / 2 + 2); // Euler: no hole
		test_mesh_is_closed(&m);
		oz_mesh_free(&m);
		m = test_mesh_through_file(test_mesh_torus(0.35f, 0.15f, 24, 12), as);
		assert_int_equal(m.vertex_count, 24 * 12); // Euler: one hole
		test_mesh_is_closed(&m);
		oz_mesh_free(&m);
	}
}

static void polygons_become_triangles_also_where_they_are_not_convex(void **state)
{
	(void)state;
	// an L of three unit cubes; the fan's first corner does not see all of it
	test_write_text("l.obj",
	                "v 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\n"
	                "v 1 2 1\nv 0 2 1\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\n"
	                "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\n"
	                "f 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n");
	oz_mesh m;
	assert_int_equal(oz_mesh_load("l.obj", &m, NULL), OZ_OK);
	assert_int_equal(m.triangle_count, 20);
	test_mesh_is_closed(&m);
	assert_int_equal(test_mesh_fill_count(&m, 0.1f, OZ_FILL_LATTICE), 3000);
	oz_mesh_free(&m);
}

// One moved by 3 along x, one mirrored, which must not turn it inside out.
static const char two_tetrahedra[] =
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
        "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";

static void parts_stand_where_their_nodes_place_them(void **state)
{
	(void)state;
	test_write_text("m.dae", two_tetrahedra);
	oz_mesh m;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_load("m.dae", &m, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(m.vertex_count, 8);
	test_mesh_is_closed(&m);
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
	test_write_text("empty.obj", "");
	expect_unread("empty.obj", OZ_ERROR_FORMAT, "empty.obj is empty; export it again");
	static const char *const garbage[] = {"g.ply", "g.stl", "g.gltf", "g.xyz", "g"};
	for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
		char text[200];
		snprintf(text, sizeof text,
		         "%s is not a mesh that can be read; use OBJ, PLY, STL, glTF or DAE",
		         garbage[i]);
		test_write_text(garbage[i], "\1\2\3 the quick brown fox \377\376");
		expect_unread(garbage[i], OZ_ERROR_FORMAT, text);
	}
	// any text may be an OBJ file without a face
	test_write_text("g.obj", "the quick brown fox\njumps over the lazy dog\n");
	expect_unread("g.obj", OZ_ERROR_MESH, "g.obj" NO_TRIANGLE);
	oz_error error;
	assert_int_equal(oz_mesh_load(NULL, NULL, &error), OZ_ERROR_ARGUMENT);
}

static void points_and_lines_are_no_surface(void **state)
{
	(void)state;
	test_write_text("points.ply",
	                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
	                "float y\nproperty float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n");
	expect_unread("points.ply", OZ_ERROR_MESH,
	              "points.ply holds points and no triangles; export it as a surface");
	test_write_text("lines.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n");
	expect_unread("lines.obj", OZ_ERROR_MESH,
	              "lines.obj holds lines and no triangles; export it as a surface");
}

static void vertices_that_are_no_place_are_told(void **state)
{
	(void)state;
	static const char *const told[] = {"nan", "inf"};
	for (int i = 0; i < 2; i++) {
		char text[200];
		oz_mesh m = test_mesh_tetrahedron();
		m.vertices[3].z = i ? INFINITY : NAN;
		test_mesh_write(&m, STL_BINARY);
		test_mesh_write(&m, PLY_BINARY);
		snprintf(text, sizeof text,
		         "b.stl has a vertex at (0, 0, %s), which is not finite; repair the file "
		         "or "
		         "its scale",
		         told[i]);
		expect_unread("b.stl", OZ_ERROR_MESH, text);
		memcpy(text, "b.ply", 5);
		expect_unread("b.ply", OZ_ERROR_MESH, text);
		oz_mesh_free(&m);
	}
}

// ---- damage -----------------------------------------------------------------------------------

static const oz_process_limits hasty = {1, 0.1, (uint64_t)1 << 32, (uint64_t)1 << 20};

// Deterministic damage: no crash, and a sentence whenever it fails.
static void damaged_files_never_crash(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (format as = 0; as < FORMATS; as++) {
		oz_mesh m = test_mesh_tetrahedron();
		test_mesh_write(&m, as);
		oz_mesh_free(&m);
		unsigned char bytes[4096], broken[4096];
		FILE *f = fopen(test_mesh_files[as], "rb");
		const size_t size = fread(bytes, 1, sizeof bytes, f);
		fclose(f);
		for (int i = 0; i < (test_is_long() ? 100 : 40); i++) {
			memcpy(broken, bytes, size);
			for (int k = 0; k < 3; k++) {
				const uint32_t at = test_random_bits(&seed) % (uint32_t)size;
				broken[at] = (unsigned char)test_random_bits(&seed);
			}
			test_write(test_mesh_files[as], broken,
			           i % 2 ? size : test_random_bits(&seed) % size + 1);
			oz_error error = {OZ_OK, ""};
			if (oz_mesh_load_within(test_mesh_files[as], &hasty, &m, &error) != OZ_OK)
				assert_true(strlen(error.text) > 10);
			else
				oz_mesh_check_closed(&m, test_mesh_files[as], NULL);
			oz_mesh_free(&m);
		}
	}
}

static void expect_crash(void)
{
	expect_unread("crash.dae", OZ_ERROR_FORMAT,
	              "crash.dae makes the importer crash; repair or convert the mesh, for example "
	              "in Blender");
}

// An array that does not say how long it is: the importer reads where nothing is.
static void write_crash(void)
{
	char text[sizeof two_tetrahedra];
	memcpy(text, two_tetrahedra, sizeof text);
	char *count = strstr(text, "count");
	assert_non_null(count);
	memcpy(count, "bount", 5);
	test_write_text("crash.dae", text);
}

static void importer_that_crashes_is_told(void **state)
{
	(void)state;
	write_crash();
	expect_crash();
}

static void importer_that_hangs_is_told(void **state)
{
	(void)state;
	test_write_text("endless.ply", "ply\nformat ascii 1.0\nelement vertex 4\n");
	oz_mesh m;
	oz_error error = {OZ_OK, ""};
	const oz_process_limits one = {1, 20, (uint64_t)1 << 32, (uint64_t)1 << 20};
	assert_int_equal(oz_mesh_load_within("endless.ply", &one, &m, &error), OZ_ERROR_FORMAT);
	assert_string_equal(error.text,
	                    "endless.ply keeps the importer busy for more than 1 s; repair or "
	                    "convert the mesh, for example in Blender");
	assert_null(m.vertices);
}

// Nothing of an import stays behind: no child, no descriptor.
static void imports_leave_nothing_behind(void **state)
{
	(void)state;
	write_crash();
	const int before = dup(0);
	close(before);
	for (int i = 0; i < 20; i++) {
		oz_mesh m = test_mesh_through_file(test_mesh_cube(), OBJ);
		oz_mesh_free(&m);
		expect_crash();
	}
	const int after = dup(0);
	close(after);
	assert_int_equal(after, before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void hosts_that_ignore_their_children_can_import(void **state)
{
	(void)state;
	write_crash();
	void (*old)(int) = signal(SIGCHLD, SIG_IGN);
	oz_mesh m = test_mesh_through_file(test_mesh_cube(), PLY);
	test_mesh_is_closed(&m);
	oz_mesh_free(&m);
	expect_crash();
	signal(SIGCHLD, old);
}

static void large_mesh_comes_through_whole(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_through_file(test_mesh_torus(0.35f, 0.15f, 700, 300), STL_BINARY);
	assert_int_equal(m.vertex_count, 700 * 300);
	assert_int_equal(m.triangle_count, 2 * 700 * 300);
	test_mesh_is_closed(&m);
	oz_mesh_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_format_gives_the_same_closed_mesh),
	        cmocka_unit_test(polygons_become_triangles_also_where_they_are_not_convex),
	        cmocka_unit_test(parts_stand_where_their_nodes_place_them),
	        cmocka_unit_test(files_that_are_no_meshes_are_told),
	        cmocka_unit_test(points_and_lines_are_no_surface),
	        cmocka_unit_test(vertices_that_are_no_place_are_told),
	        cmocka_unit_test(damaged_files_never_crash),
	        cmocka_unit_test(importer_that_crashes_is_told),
	        cmocka_unit_test(importer_that_hangs_is_told),
	        cmocka_unit_test(imports_leave_nothing_behind),
	        cmocka_unit_test(hosts_that_ignore_their_children_can_import),
	        cmocka_unit_test(large_mesh_comes_through_whole),
	};
	oz_mesh none;
	if (oz_mesh_load_within("none.obj", &(oz_process_limits){0}, &none, NULL) ==
	    OZ_ERROR_UNAVAILABLE)
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
