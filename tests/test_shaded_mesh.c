// test_shaded_mesh.c: meshes of colliders in pictures: sharp where they have edges, matte, of glass
// or hidden, and no light comes from nowhere.
#include "meshes.h"
#include "pictures.h"
#include "render/shaded_mesh.h"

static oz_shaded_mesh *shaded_of(oz_mesh mesh)
{
	oz_shaded_mesh *shaded = NULL;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_shaded_mesh_make(&mesh, &shaded, &error), OZ_OK);
	oz_mesh_free(&mesh);
	return shaded;
}

// ---- edges ------------------------------------------------------------------------------------

static void a_cube_keeps_its_edges(void **state)
{
	(void)state;
	oz_shaded_mesh *shaded = shaded_of(test_mesh_cube());
	// each corner has three faces
	assert_int_equal(shaded->vertex_count, 24);
	assert_int_equal(shaded->triangle_count, 12);
	for (uint32_t t = 0; t < shaded->triangle_count; t++) {
		const uint32_t *c = shaded->triangles[t];
		const oz_vec3 flat = oz_normalize(
		        oz_cross(oz_sub(shaded->position[c[1]], shaded->position[c[0]]),
		                 oz_sub(shaded->position[c[2]], shaded->position[c[0]])));
		for (int k = 0; k < 3; k++)
			assert_true(oz_dot(shaded->normal[c[k]], flat) > 0.9999f);
	}
	oz_shaded_mesh_free(shaded);
}

static void what_is_parted_moves_out_together(void **state)
{
	(void)state;
	oz_shaded_mesh *shaded = shaded_of(test_mesh_cube());
	for (uint32_t a = 0; a < shaded->vertex_count; a++)
		for (uint32_t b = 0; b < shaded->vertex_count; b++)
			if (memcmp(&shaded->position[a], &shaded->position[b], sizeof(oz_vec3)) ==
			    0)
				assert_memory_equal(&shaded->out[a], &shaded->out[b],
				                    sizeof(oz_vec3));
	oz_shaded_mesh_free(shaded);
}

static void a_ring_is_smooth(void **state)
{
	(void)state;
	oz_mesh mesh = test_mesh_torus(0.3f, 0.1f, 48, 24);
	const uint32_t vertices = mesh.vertex_count;
	oz_shaded_mesh *shaded = shaded_of(mesh);
	float worst = 1;
	for (uint32_t v = 0; v < shaded->vertex_count; v++) {
		const oz_vec3 p = shaded->position[v];
		const oz_vec3 ring = oz_scale(oz_normalize(oz_v3(p.x, 0, p.z)), 0.3f);
		worst = oz_min(worst, oz_dot(shaded->normal[v], oz_normalize(oz_sub(p, ring))));
	}
	assert_true(worst > 0.999f);
	assert_int_equal(shaded->vertex_count, vertices);
	oz_shaded_mesh_free(shaded);
}

static void triangles_without_area_do_no_harm(void **state)
{
	(void)state;
	oz_mesh mesh = test_mesh_cube();
	mesh.triangles[3][1] = mesh.triangles[3][0];
	oz_shaded_mesh *shaded = shaded_of(mesh);
	for (uint32_t v = 0; v < shaded->vertex_count; v++)
		assert_true(isfinite(shaded->normal[v].x) && isfinite(shaded->out[v].x));
	oz_shaded_mesh_free(shaded);
}

// ---- looks ------------------------------------------------------------------------------------

// how much of the picture is red, with a red ball behind or inside a collider
static double red_share(const oz_collider_view *collider)
{
	const oz_vec3 red = {0.8f, 0.02f, 0.02f};
	oz_painting painting = test_painting();
	oz_grain test_particle = {.position = {0, 0.5f, 0}};
	painting.grains = &test_particle;
	painting.colours = &red;
	painting.count = 1;
	painting.radius = 0.15f;
	painting.colliders = collider;
	painting.collider_count = collider ? 1 : 0;
	oz_picture picture = test_paint(&painting, 0);
	uint32_t count = 0;
	for (uint32_t k = 0; k < WIDTH * HEIGHT; k++) {
		const uint8_t *c = picture.pixels + 3 * (size_t)k;
		count += c[0] >= c[1] + 20 && c[0] >= c[2] + 20;
	}
	oz_picture_free(&picture);
	return (double)count / (WIDTH * HEIGHT);
}

static oz_collider_view collider_of(const oz_shaded_mesh *shaded, bool vessel,
                                    oz_collider_look look)
{
	oz_collider_view collider = {.shape = {.kind = OZ_SHAPE_SDF, .rotation = {0, 0, 0, 1}},
	                             .vessel = vessel,
	                             .look = look,
	                             .shaded = shaded};
	collider.shape.position = (oz_vec3){0, 0.5f, 0};
	return collider;
}

static void a_mesh_is_matte_unless_it_is_a_vessel(void **state)
{
	(void)state;
	oz_shaded_mesh *shaded = shaded_of(test_mesh_ball(0.3f, 4));
	const double bare = red_share(NULL);
	oz_collider_view collider = collider_of(shaded, false, OZ_COLLIDER_AUTO);
	assert_true(bare > 0.01);
	assert_true(red_share(&collider) < 0.02 * bare);
	collider = collider_of(shaded, true, OZ_COLLIDER_AUTO);
	assert_true(red_share(&collider) > 0.8 * bare);
	collider = collider_of(shaded, true, OZ_COLLIDER_MATTE);
	assert_true(red_share(&collider) < 0.02 * bare);
	collider = collider_of(shaded, false, OZ_COLLIDER_GLASS);
	assert_true(red_share(&collider) > 0.8 * bare);
	oz_shaded_mesh_free(shaded);
}

static double difference(const oz_picture *a, const oz_picture *b)
{
	double sum = 0;
	for (uint32_t k = 0; k < 3 * WIDTH * HEIGHT; k++)
		sum += abs(a->pixels[k] - b->pixels[k]);
	return sum / (3.0 * WIDTH * HEIGHT);
}

static void glass_is_seen_and_what_is_hidden_is_not(void **state)
{
	(void)state;
	oz_shaded_mesh *shaded = shaded_of(test_mesh_ball(0.3f, 4));
	oz_painting painting = test_painting();
	oz_picture none = test_paint(&painting, 0);
	oz_collider_view collider = collider_of(shaded, true, OZ_COLLIDER_AUTO);
	painting.colliders = &collider;
	painting.collider_count = 1;
	oz_picture glass = test_paint(&painting, 0);
	collider.look = OZ_COLLIDER_HIDDEN;
	oz_picture hidden = test_paint(&painting, 0);
	collider = collider_of(NULL, true, OZ_COLLIDER_AUTO);
	oz_picture unknown = test_paint(&painting, 0);
	assert_true(difference(&glass, &none) > 0.3);
	test_same_picture(&hidden, &none);
	test_same_picture(&unknown, &none);
	oz_picture_free(&none);
	oz_picture_free(&glass);
	oz_picture_free(&hidden);
	oz_picture_free(&unknown);
	oz_shaded_mesh_free(shaded);
}

static void shapes_can_be_of_glass(void **state)
{
	(void)state;
	const double bare = red_share(NULL);
	oz_collider_view collider = {.shape = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.3f, 0, 0})};
	collider.shape.position = (oz_vec3){0, 0.5f, 0};
	assert_true(red_share(&collider) < 0.02 * bare);
	collider.look = OZ_COLLIDER_GLASS;
	assert_true(red_share(&collider) > 0.8 * bare);
}

// under the same light from everywhere, glass mirrors as much as it does not let through, and takes
// but a little
static void glass_makes_no_light(void **state)
{
	(void)state;
	oz_shaded_mesh *shaded = shaded_of(test_mesh_ball(0.3f, 4));
	oz_painting painting = test_furnace();
	const oz_collider_view collider = collider_of(shaded, true, OZ_COLLIDER_GLASS);
	painting.colliders = &collider;
	painting.collider_count = 1;
	painting.raw = true;
	oz_vec3 *light = test_light_of(&painting);
	for (uint32_t k = 0; k < WIDTH * HEIGHT; k++)
		assert_true(light[k].y < 1.02f && light[k].y > 0.3f);
	const oz_vec3 middle = test_light_at(light, &painting.camera, (oz_vec3){0, 0.5f, 0});
	assert_true(middle.y > 0.9f && middle.y < 1.0f);
	free(light);
	oz_shaded_mesh_free(shaded);
}

// a vessel that stands elsewhere is seen elsewhere, and the survey of the camera knows of it
static void the_survey_holds_a_rotated_mesh(void **state)
{
	(void)state;
	oz_shaded_mesh *shaded = shaded_of(test_mesh_cube());
	oz_survey survey = oz_survey_begin();
	oz_collider_view collider = collider_of(shaded, false, OZ_COLLIDER_AUTO);
	collider.shape.position = (oz_vec3){3, 0.5f, 0};
	collider.shape.rotation = (oz_quat){0, sinf(0.39269908f), 0, cosf(0.39269908f)};
	oz_survey_add_collider(&survey, &collider, INFINITY);
	assert_float_equal(survey.box.max.x, 3 + 0.70710678f, 1e-5);
	assert_float_equal(survey.box.min.y, 0, 1e-5);
	const oz_box before = survey.box;
	collider.shape.position.x = 10;
	collider.look = OZ_COLLIDER_HIDDEN;
	oz_survey_add_collider(&survey, &collider, INFINITY);
	assert_memory_equal(&before, &survey.box, sizeof before);
	oz_shaded_mesh_free(shaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_cube_keeps_its_edges),
	        cmocka_unit_test(what_is_parted_moves_out_together),
	        cmocka_unit_test(a_ring_is_smooth),
	        cmocka_unit_test(triangles_without_area_do_no_harm),
	        cmocka_unit_test(a_mesh_is_matte_unless_it_is_a_vessel),
	        cmocka_unit_test(glass_is_seen_and_what_is_hidden_is_not),
	        cmocka_unit_test(shapes_can_be_of_glass),
	        cmocka_unit_test(glass_makes_no_light),
	        cmocka_unit_test(the_survey_holds_a_rotated_mesh),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
