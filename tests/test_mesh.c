// test_mesh.c: meshes judged, and filled as the shapes they draw.
#include "meshes.h"

#define INSIDE_OUT " is inside out: its faces point inwards; flip them"

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
	oz_mesh m = test_mesh_cube();
	m.triangle_count = 10;
	expect_refused(m,
	               "m is open: one triangle only at the edge from (-0.5, -0.5, 0.5) to (0.5, "
	               "-0.5, 0.5); of its edges 4 are open, 0 non-manifold, 0 twisted (0 "
	               "degenerate triangles ignored); close the holes");
}

static void third_face_on_an_edge_is_told(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_joined(test_mesh_cube(), test_mesh_tetrahedron());
	m.vertices[8] = oz_v3(0, 2, 0);
	m.triangles[12][0] = 0;
	m.triangles[12][1] = 1;
	m.triangles[12][2] = 8;
	m.triangle_count = 13;
	expect_refused(m,
	               "m is non-manifold: more than two triangles at the edge from (-0.5, -0.5, "
	               "-0.5) to (0.5, -0.5, -0.5); of its edges 2 are open, 1 non-manifold, 0 "
	               "twisted (0 degenerate triangles ignored); separate the surfaces that meet "
	               "there");
}

static void flipped_face_is_told(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_cube();
	m.triangles[11][0] = 7;
	m.triangles[11][1] = 4;
	expect_refused(m, "m is twisted: two triangles that face opposite ways at the edge from "
	                  "(-0.5, -0.5, 0.5) to (-0.5, 0.5, 0.5); of its edges 0 are open, 0 "
	                  "non-manifold, 3 twisted (0 degenerate triangles ignored); make all "
	                  "faces point "
	                  "outwards");
}

static void inside_out_is_told(void **state)
{
	(void)state;
	expect_refused(test_mesh_flipped(test_mesh_cube()), "m" INSIDE_OUT);
	expect_refused(test_mesh_flipped(
	                       test_mesh_placed(test_mesh_cube(), 1e-12f, oz_v3(0, 0, 0))),
	               "m" INSIDE_OUT);
}

static void flat_meshes_are_told(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_cube();
	oz_mesh_transform(&m, oz_v3(1, 0, 1), oz_quat_identity(), oz_v3(0, 0, 0));
	expect_refused(m, "m is flat: it has no thickness along y; give it a thickness, or use a "
	                  "sheet");
	m = test_mesh_tetrahedron(); // one triangle from both sides, askew
	m.triangle_count = 2;
	memcpy(m.triangles[0], (uint32_t[3]){1, 2, 3}, sizeof m.triangles[0]);
	memcpy(m.triangles[1], (uint32_t[3]){2, 1, 3}, sizeof m.triangles[1]);
	expect_refused(m,
	               "m is flat: its surface encloses no volume; give it a thickness, or use a "
	               "sheet");
}

static void broken_arrays_are_told(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_cube();
	m.vertices[5].y = NAN;
	expect_refused(m,
	               "vertex 5 of m is (0.5, nan, 0.5), which is not finite; repair the file or "
	               "its scale");
	m = test_mesh_cube();
	m.triangles[7][2] = 8;
	expect_refused(m,
	               "triangle 7 of m names vertex 8 of 8; the file is damaged, export it again");
	expect_refused((oz_mesh){0}, "m" NO_TRIANGLE);
}

static void degenerate_triangles_are_ignored(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_joined(test_mesh_cube(), test_mesh_tetrahedron());
	m.triangle_count = 13;
	memcpy(m.triangles[12], (uint32_t[3]){3, 3, 6}, sizeof m.triangles[12]);
	test_mesh_is_closed(&m);
	assert_int_equal(test_mesh_fill_count(&m, 0.1f, OZ_FILL_LATTICE), 1000);
	oz_mesh_free(&m);
}

// ---- filling ----------------------------------------------------------------------------------

static uint32_t shape_count(oz_shape_kind kind, oz_vec3 size, float spacing, oz_fill fill)
{
	oz_vec3 *points;
	uint32_t count;
	const oz_shape shape = oz_shape_make(kind, size);
	assert_int_equal(oz_shape_fill(&shape, spacing, fill, &points, &count, NULL), OZ_OK);
	oz_points_free(points);
	return count;
}

static void cube_is_filled_like_the_box(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_cube();
	static const float spacings[] = {0.5f, 0.1f, 0.07f};
	for (int i = 0; i < 3; i++)
		for (oz_fill f = 0; f < OZ_FILL_COUNT; f++)
			assert_int_equal(test_mesh_fill_count(&m, spacings[i], f),
			                 shape_count(OZ_SHAPE_BOX, oz_v3(1, 1, 1), spacings[i], f));
	oz_mesh_free(&m);
}

static void ball_and_torus_are_filled_like_the_shapes(void **state)
{
	(void)state;
	oz_mesh round = test_mesh_through_file(test_mesh_ball(0.5f, 6), STL_BINARY);
	oz_mesh ring = test_mesh_through_file(test_mesh_torus(0.35f, 0.15f, 240, 120), PLY_BINARY);
	// with OOZE_QUICK=1 without the hexagonal fill
	for (oz_fill f = 0; f < OZ_FILL_COUNT; f += test_is_quick() ? 2 : 1) {
		const double a = test_mesh_fill_count(&round, 0.06f, f);
		const double b = test_mesh_fill_count(&ring, 0.04f, f);
		assert_true(fabs(a / shape_count(OZ_SHAPE_BALL, oz_v3(0.5f, 0, 0), 0.06f, f) - 1) <
		            0.005);
		assert_true(fabs(b / shape_count(OZ_SHAPE_TORUS, oz_v3(0.35f, 0.15f, 0), 0.04f, f) -
		                 1) < 0.005);
	}
	oz_mesh_free(&round);
	oz_mesh_free(&ring);
}

static void overlapping_shells_are_one_solid(void **state)
{
	(void)state;
	// two unit cubes, the second moved by half an edge: one and a half cubes
	oz_mesh m = test_mesh_through_file(test_mesh_joined(test_mesh_cube(),
	                                                    test_mesh_placed(test_mesh_cube(), 1,
	                                                                     oz_v3(0.5f, 0, 0))),
	                                   OBJ);
	assert_int_equal(m.vertex_count, 16);
	test_mesh_is_closed(&m);
	assert_int_equal(test_mesh_fill_count(&m, 0.05f, OZ_FILL_LATTICE), 12000);
	oz_mesh_free(&m);
}

static void shell_that_faces_inwards_is_a_hollow(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_joined(test_mesh_cube(),
	                             test_mesh_flipped(test_mesh_placed(test_mesh_cube(), 0.5f,
	                                                                oz_v3(0, 0, 0))));
	test_mesh_is_closed(&m);
	assert_int_equal(test_mesh_fill_count(&m, 0.05f, OZ_FILL_LATTICE), 7000);
	oz_mesh_free(&m);
}

// Every row of points runs through edges and vertices of the mesh.
static void rows_through_edges_and_corners_do_not_leak(void **state)
{
	(void)state;
	// an octahedron |x| + |y| + |z| < 1, asked on points that hit its corners and edges exactly
	oz_mesh m = test_mesh(6, 8);
	for (uint32_t i = 0; i < 6; i++)
		*(&m.vertices[i].x + i / 2) = i % 2 ? -1 : 1;
	for (uint32_t i = 0; i < 8; i++) {
		const uint32_t x = i & 1, y = 2 + (i >> 1 & 1), z = 4 + (i >> 2);
		const bool odd = (i ^ i >> 1 ^ i >> 2) & 1;
		memcpy(m.triangles[i], odd ? (uint32_t[3]){x, z, y} : (uint32_t[3]){x, y, z},
		       sizeof m.triangles[i]);
	}
	test_mesh_is_closed(&m);
	// an odd number along each axis puts points on all three planes of edges
	const float spacing = 2.0f / 33;
	oz_vec3 *points;
	uint32_t count;
	assert_int_equal(oz_mesh_fill(&m, spacing, OZ_FILL_LATTICE, &points, &count, NULL), OZ_OK);
	for (uint32_t i = 0; i < count; i++)
		assert_true(fabsf(points[i].x) + fabsf(points[i].y) + fabsf(points[i].z) < 1);
	assert_true(fabs(count / (4.0 / 3 / pow((double)spacing, 3)) - 1) < 0.001);
	oz_points_free(points);
	oz_mesh_free(&m);
}

static void blue_noise_in_a_mesh_keeps_off_its_wall(void **state)
{
	(void)state;
	const float s = 0.08f;
	oz_mesh m = test_mesh_through_file(test_mesh_ball(0.5f, 5), STL_BINARY);
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

// As thin as a float can tell: no row holds a point, and there are endlessly many rows to try.
static void slivers_are_told_at_once(void **state)
{
	(void)state;
	for (int axis = 0; axis < 3; axis++) {
		oz_mesh m = test_mesh_tetrahedron();
		oz_vec3 scale = {1, 1, 1};
		*(&scale.x + axis) = 1e-30f;
		oz_mesh_transform(&m, scale, oz_quat_identity(), oz_v3(0, 0, 0));
		for (oz_fill f = 0; f < OZ_FILL_COUNT; f++) {
			oz_vec3 *points;
			uint32_t count;
			oz_error error = {OZ_OK, ""};
			assert_int_equal(oz_mesh_fill(&m, 0.01f, f, &points, &count, &error),
			                 OZ_ERROR_ARGUMENT);
			assert_non_null(strstr(error.text, "too thin for a point"));
		}
		oz_mesh_free(&m);
	}
}

static void mirrored_mesh_is_not_inside_out(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_tetrahedron();
	oz_mesh_transform(&m, oz_v3(-2, 1, 1), oz_quat_from_axis_angle(oz_v3(0, 1, 0), (float)PI),
	                  oz_v3(1, 0, 0));
	test_mesh_is_closed(&m);
	assert_float_equal(m.vertices[1].x, 3, 1e-5f);
	oz_mesh_free(&m);
}

static void wrong_arguments_are_told(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_cube();
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
	                    "the mesh is too thin for a point at a spacing of 5 m; use a "
	                    "spacing of 0.16 m");
	assert_int_equal(oz_mesh_fill(&m, 1e-5f, OZ_FILL_LATTICE, &points, &count, &error),
	                 OZ_ERROR_MEMORY);
	assert_string_equal(error.text,
	                    "the mesh takes about 1e+15 points at a spacing of 1e-05 m, "
	                    "more than 2^31; use a spacing of 0.0008 m");
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
	        cmocka_unit_test(missing_face_is_told_with_its_edge),
	        cmocka_unit_test(third_face_on_an_edge_is_told),
	        cmocka_unit_test(flipped_face_is_told),
	        cmocka_unit_test(inside_out_is_told),
	        cmocka_unit_test(flat_meshes_are_told),
	        cmocka_unit_test(broken_arrays_are_told),
	        cmocka_unit_test(degenerate_triangles_are_ignored),
	        cmocka_unit_test(cube_is_filled_like_the_box),
	        cmocka_unit_test(ball_and_torus_are_filled_like_the_shapes),
	        cmocka_unit_test(overlapping_shells_are_one_solid),
	        cmocka_unit_test(shell_that_faces_inwards_is_a_hollow),
	        cmocka_unit_test(rows_through_edges_and_corners_do_not_leak),
	        cmocka_unit_test(blue_noise_in_a_mesh_keeps_off_its_wall),
	        cmocka_unit_test(slivers_are_told_at_once),
	        cmocka_unit_test(mirrored_mesh_is_not_inside_out),
	        cmocka_unit_test(wrong_arguments_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
