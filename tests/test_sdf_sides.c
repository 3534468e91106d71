// test_sdf_sides.c: the sides of whole meshes and of broken ones, against what is known of the
// solid; holes, and what is hardly a mesh.
#include "sdfs.h"

// ---- sides ------------------------------------------------------------------------------------

// How deep a point is in the solid, negative outside: only its sign is compared, where it is clear.
typedef double (*depth)(vec p);

static double box_depth(vec p, vec middle, double half)
{
	const vec d = vec_sub(p, middle);
	return half - fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
}

static double in_cube(vec p)
{
	return box_depth(p, (vec){0, 0, 0}, 0.5);
}

static double in_hollow(vec p)
{
	return fmin(in_cube(p), -box_depth(p, (vec){0, 0, 0}, 0.25));
}

static double in_core(vec p)
{
	return fmax(in_hollow(p), box_depth(p, (vec){0, 0, 0}, 0.125));
}

static double in_overlapping(vec p)
{
	return fmax(in_cube(p), box_depth(p, (vec){0.4f, 0.3f, 0.2f}, 0.4));
}

static double in_row(vec p)
{
	return fmax(in_cube(p), fmax(box_depth(p, (vec){1.5, 0, 0}, 0.5),
	                             box_depth(p, (vec){0, 0.9f, 0}, 0.25)));
}

static double in_torus(vec p)
{
	const double r = sqrt(p.x * p.x + p.z * p.z) - 1;
	return 0.3 - sqrt(r * r + p.y * p.y);
}

static double in_ball(vec p)
{
	return 0.7 - sqrt(vec_dot(p, p));
}

static double in_eight(vec p)
{
	double least = INFINITY;
	for (int k = 0; k < 720; k++) {
		const vec d = vec_sub(p, vec_wide(test_eight(2 * PI * k / 720)));
		least = fmin(least, sqrt(vec_dot(d, d)));
	}
	return 0.2 - least;
}

static bool is_side_wrong(vec p, float w, depth truth, double clear)
{
	const double d = truth(p);
	return fabs(d) > clear && (w < 0) != (d > 0);
}

// Every node and every place that has none lies on the side that it should.
static oz_mesh_report check_sides(oz_mesh m, depth truth, double clear)
{
	oz_mesh_report r;
	const oz_mesh_sdf_def def = test_sdf_def(0.031f);
	oz_sdf *c = test_sdf_of(&m, &def, &r);
	uint32_t wrong = 0, inside = 0;
	for (uint32_t place = 0; place < c->place_count; place++) {
		const uint block = c->places[place];
		if (block >= OZ_SDF_INSIDE) {
			const vec p = vec_wide(test_sdf_node(c, place, 62));
			const float w = block == OZ_SDF_INSIDE ? -1.0f : 1.0f;
			wrong += is_side_wrong(p, w, truth, clear);
			continue;
		}
		for (uint32_t n = 0; n < OZ_SDF_NODES; n += 3) {
			const float w = c->nearest[block * OZ_SDF_NODES + n].w;
			inside += w < 0;
			wrong += is_side_wrong(vec_wide(test_sdf_node(c, place, n)), w, truth,
			                       clear);
		}
	}
	assert_int_equal(wrong, 0);
	assert_true(inside > 100);
	oz_sdf_release(c);
	oz_mesh_free(&m);
	return r;
}

static void sides_of_whole_meshes_are_right(void **state)
{
	(void)state;
	oz_mesh_report r = check_sides(test_mesh_cube(), in_cube, 1e-6);
	assert_true(fabs(r.volume - 1) < 1e-6 && fabs(r.area - 6) < 1e-6);
	assert_int_equal(r.shells, 1);
	assert_int_equal(r.flipped + r.duplicates + r.degenerate + r.non_manifold + r.open_edges,
	                 0);
	check_sides(test_mesh_torus(1, 0.3f, 200, 60), in_torus, 2e-3);
	check_sides(test_mesh_welded(test_mesh_ball(0.7f, 4)), in_ball, 4e-3);
}

static void surfaces_that_cross_are_inside_both(void **state)
{
	(void)state;
	oz_mesh_report r = check_sides(test_mesh_overlapping(), in_overlapping, 1e-6);
	assert_int_equal(r.shells, 2);
	r = check_sides(test_mesh_tube(test_eight, 0.2f, 300, 60), in_eight, 5e-3);
	assert_int_equal(r.shells, 1);
}

static double in_corner_pair(vec p)
{
	return fmax(in_cube(p), box_depth(p, (vec){1, 1, 0}, 0.5));
}

static double in_pair(vec p)
{
	return fmax(in_cube(p), box_depth(p, (vec){1, 0, 0}, 0.5));
}

static void edges_of_many_faces_part_nothing(void **state)
{
	(void)state;
	// cubes that touch along an edge
	oz_mesh m = test_mesh_welded(
	        test_mesh_joined(test_mesh_cube(),
	                         test_mesh_placed(test_mesh_cube(), 1, oz_v3(1, 1, 0))));
	oz_mesh_report r = check_sides(m, in_corner_pair, 1e-6);
	assert_int_equal(r.non_manifold, 1);
	assert_int_equal(r.shells, 1);
	// cubes with a wall between them that both have
	m = test_mesh_welded(
	        test_mesh_joined(test_mesh_cube(),
	                         test_mesh_placed(test_mesh_cube(), 1, oz_v3(1, 0, 0))));
	r = check_sides(m, in_pair, 1e-3);
	assert_int_equal(r.duplicates, 2);
	assert_int_equal(r.non_manifold, 4);
	assert_int_equal(r.hole_count, 0);
	// a fin
	m = test_mesh_joined(test_mesh_cube(), test_mesh_tetrahedron());
	m.vertices[8] = oz_v3(0, 1, 1);
	memcpy(m.triangles[12], (uint32_t[3]){6, 7, 8}, sizeof *m.triangles);
	m.triangle_count = 13;
	r = check_sides(m, in_cube, 1e-3);
	assert_int_equal(r.non_manifold, 1);
	assert_int_equal(r.open_edges, 2);
	assert_int_equal(r.hole_count, 0);
}

static void hollows_are_outside(void **state)
{
	(void)state;
	oz_mesh_report r = check_sides(test_mesh_hollow_cube(), in_hollow, 1e-6);
	assert_int_equal(r.shells, 2);
	assert_int_equal(r.flipped, 0);
	assert_true(fabs(r.volume - 0.875) < 1e-6);
	check_sides(test_mesh_joined(test_mesh_hollow_cube(),
	                             test_mesh_placed(test_mesh_cube(), 0.25f, oz_v3(0, 0, 0))),
	            in_core, 1e-6);
}

static void meshes_inside_out_are_flipped(void **state)
{
	(void)state;
	assert_int_equal(check_sides(test_mesh_flipped(test_mesh_cube()), in_cube, 1e-6).flipped,
	                 12);
	assert_int_equal(check_sides(test_mesh_flipped(test_mesh_hollow_cube()), in_hollow, 1e-6)
	                         .flipped,
	                 24);
	oz_mesh m = test_mesh_joined(test_mesh_hollow_cube(),
	                             test_mesh_placed(test_mesh_cube(), 0.25f, oz_v3(0, 0, 0)));
	assert_int_equal(check_sides(test_mesh_flipped(m), in_core, 1e-6).flipped, 36);
	check_sides(test_mesh_flipped(test_mesh_overlapping()), in_overlapping, 1e-6);
	m = test_mesh_joined(test_mesh_joined(test_mesh_cube(),
	                                      test_mesh_flipped(
	                                              test_mesh_placed(test_mesh_cube(), 1,
	                                                               oz_v3(1.5f, 0, 0)))),
	                     test_mesh_placed(test_mesh_cube(), 0.5f, oz_v3(0, 0.9f, 0)));
	oz_mesh_report r = check_sides(m, in_row, 1e-6);
	assert_int_equal(r.flipped, 12);
	assert_int_equal(r.shells, 3);
}

static void flipped_faces_are_flipped_back(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_torus(1, 0.3f, 200, 60);
	uint32_t count = 0;
	for (uint32_t i = 0; i < m.triangle_count; i += 7, count++) {
		const uint32_t swap = m.triangles[i][0];
		m.triangles[i][0] = m.triangles[i][1];
		m.triangles[i][1] = swap;
	}
	assert_int_equal(check_sides(m, in_torus, 2e-3).flipped, count);
}

static void faces_that_are_there_twice_count_once(void **state)
{
	(void)state;
	oz_mesh m = test_mesh(8, 30), from = test_mesh_cube();
	memcpy(m.vertices, from.vertices, sizeof *m.vertices * 8);
	for (uint32_t i = 0; i < 30; i++)
		for (uint32_t k = 0; k < 3; k++)
			// the second time from another corner, the third time turned
			m.triangles[i][k] = i < 24 ? from.triangles[i % 12][(k + i / 12) % 3]
			                           : from.triangles[i % 12][2 - k];
	oz_mesh_free(&from);
	const oz_mesh_report r = check_sides(m, in_cube, 1e-6);
	assert_int_equal(r.duplicates, 18);
	assert_int_equal(r.open_edges + r.non_manifold + r.flipped, 0);
	assert_true(fabs(r.area - 6) < 1e-6);
}

static vec hole_at;

static double in_ball_with_hole(vec p)
{
	const vec d = vec_sub(p, hole_at);
	return sqrt(vec_dot(d, d)) < 0.3 ? 0 : in_ball(p);
}

static void holes_leave_the_rest_as_it_is(void **state)
{
	(void)state;
	for (int inverted = 0; inverted < 2; inverted++) {
		oz_mesh m = test_mesh_welded(test_mesh_ball(0.7f, 4));
		m.triangle_count -= 3;
		const uint32_t *t = m.triangles[m.triangle_count + 1];
		hole_at = vec_wide(m.vertices[t[0]]);
		const oz_mesh_report r =
		        check_sides(inverted ? test_mesh_flipped(m) : m, in_ball_with_hole, 4e-3);
		assert_true(r.hole_count >= 1 && r.holes[0].across < 0.3f);
		assert_true(fabs(r.volume - 4.0 / 3 * PI * 0.343) < 0.01);
		assert_int_equal(r.flipped, inverted ? r.triangles : 0);
	}
}

// One triangle is missing: its fan lies in its plane.
static void narrow_holes_are_closed(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_welded(test_mesh_ball(0.7f, 4));
	const oz_mesh_sdf_def def = test_sdf_def(0.05f);
	oz_sdf *whole = test_sdf_of(&m, &def, NULL);
	oz_mesh_report r;
	m.triangle_count--;
	oz_sdf *holed = test_sdf_of(&m, &def, &r);
	assert_int_equal(r.hole_count, 1);
	assert_true(r.holes[0].across < 2 * def.cell);
	assert_int_equal(whole->block_count, holed->block_count);
	for (size_t k = 0; k < (size_t)whole->block_count * OZ_SDF_NODES; k++)
		assert_true(fabsf(whole->nearest[k].w - holed->nearest[k].w) < 1e-6f);
	oz_sdf_release(whole);
	oz_sdf_release(holed);
	oz_mesh_free(&m);
}

// A vertex stands on the edge of a neighbour: the surface is parted there, and yet nothing passes.
static void vertices_on_edges_of_others_are_no_holes(void **state)
{
	(void)state;
	oz_mesh from = test_mesh_cube(), m = test_mesh(9, 13);
	memcpy(m.vertices, from.vertices, sizeof *m.vertices * 8);
	memcpy(m.triangles, from.triangles, sizeof *m.triangles * 12);
	oz_mesh_free(&from);
	m.vertices[8] = oz_v3(-0.5f, -0.5f, 0.1f);
	memcpy(m.triangles[0], (uint32_t[3]){0, 8, 6}, sizeof m.triangles[0]);
	memcpy(m.triangles[12], (uint32_t[3]){8, 4, 6}, sizeof m.triangles[0]);
	const oz_mesh_report r = check_sides(m, in_cube, 1e-6);
	assert_int_equal(r.open_edges, 3);
	assert_int_equal(r.hole_count, 0);
}

// ---- holes ------------------------------------------------------------------------------------

static void holes_are_told_with_place_and_width(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_placed(test_mesh_cube(), 2, oz_v3(0, 1, 3));
	memcpy(m.triangles[6], m.triangles[10], 2 * sizeof *m.triangles);
	m.triangle_count = 10;
	oz_mesh_report r;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_mesh_survey(&m, "cup.obj", &r, &error), OZ_OK);
	assert_int_equal(r.open_edges, 4);
	assert_int_equal(r.hole_count, 1);
	assert_int_equal(r.holes[0].edges, 4);
	assert_true(oz_length(oz_sub(r.holes[0].centre, oz_v3(0, 2, 3))) < 1e-6f);
	assert_true(fabsf(r.holes[0].across - 2.828427f) < 1e-5f);
	assert_int_equal(oz_mesh_check_vessel(&r, "cup.obj", 3, &error), OZ_OK);
	assert_int_equal(oz_mesh_check_vessel(&r, "cup.obj", 0.1f, &error), OZ_ERROR_MESH);
	assert_string_equal(error.text,
	                    "cup.obj has a hole 2.83 m across at (0, 2, 3), of 4 edges (1 hole in "
	                    "all): liquid would run out; close it, or use the mesh as a shell "
	                    "(\"shell\": true)");
	oz_mesh_free(&m);
}

// Two of three triangles at a corner missing: holes that touch in one vertex stay two.
static void holes_that_touch_are_told_apart(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_torus(1, 0.3f, 40, 20);
	// the first triangles of two quads that are neighbours across a corner
	const uint32_t gone[2] = {2 * (5 * 20 + 5), 2 * (6 * 20 + 6)};
	for (int k = 1; k >= 0; k--)
		memcpy(m.triangles[gone[k]], m.triangles[--m.triangle_count], sizeof *m.triangles);
	oz_mesh_report r;
	assert_int_equal(oz_mesh_survey(&m, "m", &r, NULL), OZ_OK);
	assert_int_equal(r.hole_count, 2);
	assert_int_equal(r.holes[0].edges, 3);
	assert_int_equal(r.holes[1].edges, 3);
	oz_mesh_free(&m);
}

static void many_holes_are_counted_and_the_widest_kept(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_torus(1, 0.3f, 60, 12);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < m.triangle_count; i++)
		if (i % 48 != 5)
			memcpy(m.triangles[kept++], m.triangles[i], sizeof *m.triangles);
	m.triangle_count = kept;
	oz_mesh_report r;
	assert_int_equal(oz_mesh_survey(&m, "m", &r, NULL), OZ_OK);
	assert_int_equal(r.hole_count, 30);
	for (int k = 1; k < OZ_MESH_HOLES; k++)
		assert_true(r.holes[k].across > 0 && r.holes[k].across <= r.holes[k - 1].across);
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_mesh_check_vessel(&r, NULL, 0.01f, &error), OZ_ERROR_MESH);
	assert_non_null(strstr(error.text, "the mesh has a hole"));
	assert_non_null(strstr(error.text, "(30 holes in all)"));
	oz_mesh_free(&m);
}

// ---- what is hardly a mesh --------------------------------------------------------------------

static void expect_told(oz_mesh *m, oz_result code, const char *text)
{
	oz_sdf *sdf = (oz_sdf *)m;
	oz_mesh_report r;
	oz_error error = {OZ_OK, ""};
	const oz_mesh_sdf_def def = test_sdf_def(0.1f);
	assert_int_equal(oz_mesh_sdf(m, "m", &def, &sdf, &r, &error), code);
	assert_null(sdf);
	assert_string_equal(error.text, text);
	assert_int_equal(oz_mesh_survey(m, "m", &r, &error), code);
	assert_string_equal(error.text, text);
	oz_mesh_free(m);
}

static void no_mesh_is_told(void **state)
{
	(void)state;
	oz_mesh m = {0};
	expect_told(&m, OZ_ERROR_MESH, "m" NO_TRIANGLE);
	m = test_mesh_cube();
	m.vertices[3].y = NAN;
	expect_told(&m, OZ_ERROR_MESH,
	            "vertex 3 of m is (0.5, nan, -0.5), which is not finite; repair the file or "
	            "its "
	            "scale");
	m = test_mesh_tetrahedron();
	for (uint32_t i = 0; i < 4; i++)
		m.triangles[i][1] = m.triangles[i][0];
	expect_told(&m, OZ_ERROR_MESH,
	            "all 4 triangles of m use a vertex twice and have no area; export it as a "
	            "surface");
	m = test_mesh_cube();
	oz_mesh_sdf_def def = test_sdf_def(0.0f);
	oz_sdf *sdf = NULL;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_mesh_sdf(&m, "m", &def, &sdf, NULL, &error), OZ_ERROR_RANGE);
	assert_int_equal(oz_mesh_sdf(NULL, "m", &def, &sdf, NULL, &error), OZ_ERROR_ARGUMENT);
	oz_mesh_free(&m);
}

static void sheets_have_no_inside(void **state)
{
	(void)state;
	for (int flat = 0; flat < 2; flat++) {
		oz_mesh m = flat ? test_mesh_stretched(test_mesh_cube(), 1, 0, 1)
		                 : test_mesh_tetrahedron();
		if (!flat)
			m.triangle_count = 1;
		oz_mesh_report r;
		const oz_mesh_sdf_def def = test_sdf_def(0.07f);
		oz_sdf *c = test_sdf_of(&m, &def, &r);
		for (size_t k = 0; k < (size_t)c->block_count * OZ_SDF_NODES; k++)
			assert_true(c->nearest[k].w > -1e-6f);
		assert_int_equal(r.open_edges, flat ? 0 : 3);
		assert_int_equal(r.degenerate, flat ? 8 : 0);
		const oz_nearest_point above = oz_sdf_at(c, oz_v3(0.2f, flat ? 0.1f : 0.2f, 0.1f));
		assert_true(fabsf(above.distance - 0.1f) < 1e-5f);
		oz_sdf_release(c);
		oz_mesh_free(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sides_of_whole_meshes_are_right),
	        cmocka_unit_test(surfaces_that_cross_are_inside_both),
	        cmocka_unit_test(edges_of_many_faces_part_nothing),
	        cmocka_unit_test(hollows_are_outside),
	        cmocka_unit_test(meshes_inside_out_are_flipped),
	        cmocka_unit_test(flipped_faces_are_flipped_back),
	        cmocka_unit_test(faces_that_are_there_twice_count_once),
	        cmocka_unit_test(holes_leave_the_rest_as_it_is),
	        cmocka_unit_test(narrow_holes_are_closed),
	        cmocka_unit_test(vertices_on_edges_of_others_are_no_holes),
	        cmocka_unit_test(holes_are_told_with_place_and_width),
	        cmocka_unit_test(holes_that_touch_are_told_apart),
	        cmocka_unit_test(many_holes_are_counted_and_the_widest_kept),
	        cmocka_unit_test(no_mesh_is_told),
	        cmocka_unit_test(sheets_have_no_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
