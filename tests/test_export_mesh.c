// test_export_mesh.c: surfaces are read back by programs that are not ours (meshio, assimp) and by
// readers of a few lines (check_mesh.py), and hold the very numbers that were written.
#include <float.h>
#include <locale.h>
#include <unistd.h>

#include "base/base.h"
#include "export/export.h"
#include "export/pack.h"
#include "surfaces.h"
#include "json/number.h"

typedef oz_result writer(const oz_surface_mesh *mesh, const char *path, oz_error *error);

static const struct {
	const char *ending;
	writer *write;
} formats[] = {
        {"ply", oz_export_mesh_ply},
        {"obj", oz_export_mesh_obj},
        {"vtp", oz_export_mesh_vtp},
        {"glb", oz_export_mesh_glb},
};
#define COUNT (sizeof formats / sizeof formats[0])

// ---- what was written, as bytes for the other side --------------------------------------------

static void dump(const char *name, const void *data, size_t size)
{
	char path[40];
	snprintf(path, sizeof path, "%s.bin", name);
	unlink(path);
	if (data)
		test_write(path, data, size);
}

static void dump_mesh(const oz_surface_mesh *mesh)
{
	size_t count = mesh->vertex_count;
	dump("position", mesh->position ? (const void *)mesh->position : "", count * 12);
	dump("normal", mesh->normal, count * 12);
	dump("velocity", mesh->velocity, count * 12);
	dump("colour", mesh->colour, count * 12);
	dump("body", mesh->body, count * 4);
	dump("material", mesh->material, count * 4);
	dump("triangles", mesh->triangles ? (const void *)mesh->triangles : "",
	     (size_t)mesh->triangle_count * 12);
}

// writes the mesh in every format; one run of the script reads them all
static void check(const oz_surface_mesh *mesh, const char *name)
{
	char command[600] = "$PYTHON $SOURCE/tests/check_mesh.py";
	dump_mesh(mesh);
	for (size_t i = 0; i < COUNT; i++) {
		oz_error error = {OZ_OK, ""};
		char path[100];
		snprintf(path, sizeof path, "%s.%s", name, formats[i].ending);
		if (formats[i].write(mesh, path, &error) != OZ_OK)
			fail_msg("%s", error.text);
		const size_t end = strlen(command);
		snprintf(command + end, sizeof command - end, " %s", path);
	}
	test_expect_shell(command, 0);
}

// ---- tests ------------------------------------------------------------------------------------

static void every_format_holds_the_very_numbers(void **state)
{
	(void)state;
	surface few = test_dressed(test_mesh_tetrahedron()),
	        many = test_dressed(test_mesh_torus(1, 0.3f, 60, 30));
	check(&few.mesh, "few");
	check(&many.mesh, "many");
	test_dressed_free(&few);
	test_dressed_free(&many);
}

static void what_a_mesh_lacks_is_left_out(void **state)
{
	(void)state;
	for (int lack = 0; lack < 6; lack++) {
		char name[20];
		surface s = test_dressed(test_mesh_torus(1, 0.3f, 8, 5));
		const void *none = NULL;
		if (lack == 0 || lack == 5)
			s.mesh.normal = none;
		if (lack == 1 || lack == 5)
			s.mesh.velocity = none;
		if (lack == 2 || lack == 5)
			s.mesh.colour = none;
		if (lack == 3 || lack == 5)
			s.mesh.body = none;
		if (lack == 4 || lack == 5)
			s.mesh.material = none;
		snprintf(name, sizeof name, "lack%d", lack);
		check(&s.mesh, name);
		test_dressed_free(&s);
	}
}

static void an_empty_mesh_makes_whole_files(void **state)
{
	(void)state;
	surface s = test_dressed(test_mesh(0, 0));
	check(&s.mesh, "empty");
	check(&(oz_surface_mesh){0}, "bare");
	test_dressed_free(&s);
}

static void what_is_not_finite_is_written_as_zero(void **state)
{
	(void)state;
	surface s = test_dressed(test_mesh_torus(1, 0.3f, 8, 5));
	s.velocity[3] = oz_v3(NAN, INFINITY, 1);
	s.colour[4] = oz_v3(0.5f, NAN, 0);
	s.colour[5] = oz_v3(-3, 7, 1);
	check(&s.mesh, "wild");
	test_dressed_free(&s);
}

#ifdef OZ_HAVE_ASSIMP
// assimp joins what is equal and may put it in another order: volume, box and counts must stay
static void expect_same_shape(const char *path, const oz_mesh *right)
{
	oz_mesh mesh;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_load(path, &mesh, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(mesh.triangle_count, right->triangle_count);
	if (oz_mesh_check_closed(&mesh, path, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_surface_mesh a = {.vertex_count = mesh.vertex_count,
	                     .triangle_count = mesh.triangle_count,
	                     .position = mesh.vertices,
	                     .triangles = (const uint32_t(*)[3])mesh.triangles};
	double volume = 0, wanted = 0;
	for (uint32_t i = 0; i < a.triangle_count; i++) {
		const uint32_t *t = a.triangles[i], *r = right->triangles[i];
		volume += (double)oz_dot(a.position[t[0]],
		                         oz_cross(a.position[t[1]], a.position[t[2]]));
		wanted += (double)oz_dot(right->vertices[r[0]],
		                         oz_cross(right->vertices[r[1]], right->vertices[r[2]]));
	}
	assert_true(wanted > 0 && fabs(volume - wanted) < 1e-6 * wanted);
	oz_mesh_free(&mesh);
}

static void assimp_reads_closed_shapes(void **state)
{
	(void)state;
	surface shapes[] = {test_dressed(test_mesh_tetrahedron()),
	                    test_dressed(test_mesh_torus(1, 0.3f, 60, 30)),
	                    test_dressed(test_mesh_ball(0.7f, 3))};
	static const char *const endings[] = {"ply", "obj", "glb"};
	for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
		for (size_t i = 0; i < COUNT; i++)
			assert_int_equal(formats[i].write(&shapes[s].mesh,
			                                  (const char *[]){"a.ply", "a.obj",
			                                                   "a.vtp", "a.glb"}[i],
			                                  NULL),
			                 OZ_OK);
		for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
			char path[10];
			snprintf(path, sizeof path, "a.%s", endings[i]);
			expect_same_shape(path, &shapes[s].shape);
		}
		test_dressed_free(&shapes[s]);
	}
}
#endif

static void meshes_beyond_the_formats_are_refused(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	const oz_vec3 point = {0, 0, 0};
	const uint32_t triangle[1][3] = {{0, 0, 0}};
	oz_surface_mesh mesh = {.vertex_count = 1,
	                        .triangle_count = 1000000000,
	                        .position = &point,
	                        .triangles = triangle};
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(formats[i].write(&mesh, "huge", &error), OZ_ERROR_RANGE);
		assert_non_null(strstr(error.text, "huge would hold 1000000000 triangles"));
	}
	mesh.triangle_count = 400000000;
	assert_int_equal(oz_export_mesh_glb(&mesh, "huge", &error), OZ_ERROR_RANGE);
	assert_non_null(strstr(error.text, "4 GB"));
	assert_int_equal(access("huge", F_OK), -1);
}

static void a_mesh_that_cannot_be_written_is_told(void **state)
{
	(void)state;
	surface s = test_dressed(test_mesh_torus(1, 0.3f, 60, 30));
	for (size_t i = 0; i < COUNT; i++) {
		oz_error error = {OZ_OK, ""};
		assert_int_equal(formats[i].write(&s.mesh, "/dev/full", &error), OZ_ERROR_FILE);
		assert_non_null(strstr(error.text, "the disk is full"));
		assert_int_equal(formats[i].write(&s.mesh, "no/such/folder", &error),
		                 OZ_ERROR_FILE);
		assert_non_null(strstr(error.text, "make the folder first"));
	}
	test_dressed_free(&s);
}

static void expect_same_float(float value)
{
	char text[OZ_NUMBER_SIZE + 1];
	size_t length = oz_number_float(text, value);
	assert_true(length <= OZ_NUMBER_SIZE);
	text[length] = 0;
	char *end;
	float back = strtof(text, &end);
	if (memcmp(&back, &value, sizeof back) != 0 || *end)
		fail_msg("%a was written as %s", (double)value, text);
}

static void numbers_read_back_as_the_same_float(void **state)
{
	(void)state;
	static const float special[] = {1,       0.1f,    -0.3f,   1e-5f,  99999.96f, 9.9999999e8f,
	                                FLT_MAX, FLT_MIN, 1e-45f,  1e10f,  123456792, 16777216,
	                                0.5f,    1e9f,    9.9e-6f, -1e-30f};
	for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
		expect_same_float(special[i]);
	uint64_t seed = 1;
	for (int i = 0; i < 1000000; i++) {
		uint32_t bits = test_random_bits(&seed);
		float any;
		memcpy(&any, &bits, sizeof any);
		if (isfinite(any) && fpclassify(any) != FP_ZERO)
			expect_same_float(any);
		expect_same_float((float)test_random(&seed) * 20 - 10);
	}
}

static void expect_text(float value, const char *wanted)
{
	char text[OZ_NUMBER_SIZE + 1];
	text[oz_number_float(text, value)] = 0;
	assert_string_equal(text, wanted);
}

static void numbers_are_short_and_have_a_point(void **state)
{
	(void)state;
	// where the system has such a locale; the writer asks none
	setlocale(LC_ALL, "de_DE.UTF-8");
	expect_text(0.1f, "0.1");
	expect_text(-2.5f, "-2.5");
	expect_text(0, "0");
	expect_text(-0.0f, "0");
	expect_text(NAN, "0");
	expect_text(-INFINITY, "0");
	expect_text(1200, "1200");
	expect_text(0.00012f, "0.00012");
	expect_text(1e-20f, "1e-20");
	expect_text(-1.5e20f, "-1.5e20");
	expect_text(1 / 3.0f, "0.33333334");
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_format_holds_the_very_numbers),
	        cmocka_unit_test(what_a_mesh_lacks_is_left_out),
	        cmocka_unit_test(an_empty_mesh_makes_whole_files),
	        cmocka_unit_test(what_is_not_finite_is_written_as_zero),
#ifdef OZ_HAVE_ASSIMP
	        cmocka_unit_test(assimp_reads_closed_shapes),
#endif
	        cmocka_unit_test(meshes_beyond_the_formats_are_refused),
	        cmocka_unit_test(a_mesh_that_cannot_be_written_is_told),
	        cmocka_unit_test(numbers_read_back_as_the_same_float),
	        cmocka_unit_test(numbers_are_short_and_have_a_point),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
