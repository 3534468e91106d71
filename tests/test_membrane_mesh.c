// test_membrane_mesh.c: meshes of membranes: even covers of shapes, and meshes that are refused.
#include "geometry/mesh.h"
#include "worlds.h"

// ---- the mesh ----------------------------------------------------------------------------------

static void a_cover_has_a_point_for_each_spacing2(void **state)
{
	(void)state;
	const oz_shape shapes[] = {oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.2f, 0, 0)),
	                           oz_shape_make(OZ_SHAPE_TORUS, oz_v3(0.2f, 0.08f, 0)),
	                           oz_shape_make(OZ_SHAPE_CAPSULE, oz_v3(0.1f, 0.3f, 0)),
	                           oz_shape_make(OZ_SHAPE_BOX, oz_v3(0.3f, 0.2f, 0.25f))};
	const int euler[] = {2, 0, 2, 2};
	const double area[] = {4 * M_PI * 0.04, 4 * M_PI * M_PI * 0.016,
	                       4 * M_PI * 0.01 + 0.06 * M_PI, 0.12 + 0.15 + 0.1};
	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
		oz_error error = {OZ_OK, ""};
		oz_mesh m;
		test_must(oz_shape_cover(&shapes[k], 0.02f, &m.vertices, &m.vertex_count,
		                         &m.triangles, &m.triangle_count, &error),
		          &error);
		test_must(oz_mesh_check_closed(&m, "the cover", &error), &error);
		assert_int_equal((int)m.vertex_count - (int)m.triangle_count / 2, euler[k]);
		// edges of the box are cut
		test_near(m.vertex_count * 4e-4 / area[k], 1, k < 3 ? 0.03 : 0.07,
		          "points for each spacing²");
		double least = 180;
		for (uint32_t i = 0; i < m.triangle_count; i++)
			for (int c = 0; c < 3; c++) {
				const vec a = vec_wide(m.vertices[m.triangles[i][c]]);
				const vec b =
				        vec_sub(vec_wide(m.vertices[m.triangles[i][(c + 1) % 3]]),
				                a);
				const vec d =
				        vec_sub(vec_wide(m.vertices[m.triangles[i][(c + 2) % 3]]),
				                a);
				least = fmin(least, 180 / M_PI *
				                            acos(vec_dot(b, d) / vec_length(b) /
				                                 vec_length(d)));
			}
		print_message("shape %zu: %u points, least angle %.0f°\n", k, m.vertex_count,
		              least);
		assert_true(least > 20);
		oz_mesh_free(&m);
	}
}

// a tetrahedron, whose triangles are then spoilt
static const oz_vec3 corners[] = {{0, 0, 0},
                                  {0.1f, 0, 0},
                                  {0, 0.1f, 0},
                                  {0, 0, 0.1f},
                                  {0.05f, 0, 0}};
static const uint32_t whole[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void expect_refused(const uint32_t (*triangles)[3], uint32_t count, uint32_t points,
                           const char *sentence)
{
	oz_world *w = test_space(0.02, 20);
	const oz_material_def def = oz_material_default(OZ_MEMBRANE);
	oz_body_def body = oz_body_default();
	oz_error error = {OZ_OK, ""};
	body.material = test_add_material(w, &def);
	body.points = corners;
	body.count = points;
	body.triangles = triangles;
	body.triangle_count = count;
	const oz_result result = oz_world_add_body(w, &body, NULL, &error);
	if (!sentence)
		test_must(result, &error);
	else if (result == OZ_OK || !strstr(error.text, sentence))
		fail_msg("'%s' does not say '%s'", error.text, sentence);
	oz_world_destroy(w);
}

static void meshes_that_are_no_skin_are_refused(void **state)
{
	(void)state;
	expect_refused(whole, 4, 4, NULL);
	expect_refused(NULL, 0, 4, "pass the triangles of a closed mesh");
	expect_refused(whole, 3, 4, "pass the triangles of a closed mesh");
	uint32_t t[5][3];
	memcpy(t, whole, sizeof whole);
	t[0][0] = 1, t[0][1] = 0, t[0][2] = 2; // the same, begun at another corner
	expect_refused((const uint32_t(*)[3])t, 4, 4, NULL);
	t[0][0] = 0, t[0][1] = 1, t[0][2] = 2; // one turned
	expect_refused((const uint32_t(*)[3])t, 4, 4, "the edge from");
	memcpy(t, whole, sizeof whole);
	memcpy(t[4], whole[3], sizeof t[4]); // one twice
	expect_refused((const uint32_t(*)[3])t, 5, 4, "non-manifold");
	t[3][2] = 4; // a triangle away, and one without area
	expect_refused((const uint32_t(*)[3])t, 4, 5, "is open");
	t[3][0] = 0, t[3][1] = 1, t[3][2] = 4;
	expect_refused((const uint32_t(*)[3])t, 4, 5, "is a needle");
	expect_refused(whole, 4, 5, "belongs to no triangle");
	memcpy(t, whole, sizeof whole);
	t[1][1] = 9;
	expect_refused((const uint32_t(*)[3])t, 4, 4, "names point 9");
	// all triangles inside out: the mesh is flipped
	for (int k = 0; k < 4; k++)
		t[k][0] = whole[k][0], t[k][1] = whole[k][2], t[k][2] = whole[k][1];
	expect_refused((const uint32_t(*)[3])t, 4, 4, NULL);
	// there is no body 0
	oz_world *w = test_space(0.02, 20);
	oz_membrane_state s;
	oz_error error = {OZ_OK, ""};
	assert_true(oz_world_get_membrane(w, 0, &s, &error) != OZ_OK);
	test_add_particle(w, test_water(w), oz_v3(0, 0, 0), oz_v3(0, 0, 0));
	assert_true(oz_world_get_membrane(w, 0, &s, &error) != OZ_OK);
	assert_non_null(strstr(error.text, "is no membrane"));
	assert_true(oz_world_fill_membrane(w, 0, -1, &error) != OZ_OK);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_cover_has_a_point_for_each_spacing2),
	        cmocka_unit_test(meshes_that_are_no_skin_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
