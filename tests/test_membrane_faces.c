// test_membrane_faces.c: nothing passes a skin whose faces are large.
//
// Contact acts on points. Where a skin is stretched, or its mesh is coarse, its points are farther
// apart than those of the fluid, and water would run out between them: its faces must press.
#include "worlds.h"

static const double s = 0.01; // m, spacing

// a ball of a mesh whose edges are `coarse` spacings, scaled by `stretch`
typedef struct skin_shape {
	double radius, coarse, stretch;
	vec centre;
} skin_shape;

static oz_id add_skin(oz_world *w, oz_material_def def, const skin_shape *skin)
{
	oz_error error = {OZ_OK, ""};
	const double at_rest = skin->radius / skin->stretch;
	const oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)at_rest, 0, 0));
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	uint32_t(*triangles)[3];
	oz_id id;
	test_must(oz_shape_cover(&ball, (float)(skin->coarse * s), &points, &body.count, &triangles,
	                         &body.triangle_count, &error),
	          &error);
	for (uint32_t k = 0; k < body.count; k++)
		points[k] = vec_narrow(
		        vec_mad(skin->centre, vec_of(points[k].x, points[k].y, points[k].z),
		                skin->stretch));
	def.prestretch = (float)skin->stretch;
	body.material = test_add_material(w, &def);
	body.points = points;
	body.triangles = (const uint32_t(*)[3])triangles;
	test_must(oz_world_add_body(w, &body, &id, &error), &error);
	oz_points_free(points);
	oz_triangles_free(triangles);
	return id;
}

// rubber whose points weigh as much as those of a skin of 1 mm in its present shape
static oz_material_def rubber(const skin_shape *skin)
{
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.filling = OZ_FILLING_NONE;
	def.skin_law = OZ_SKIN_RUBBER;
	def.young_modulus = 2e5f;
	def.thickness = 1e-3f;
	def.density = (float)(1000 * skin->stretch * skin->stretch * skin->coarse * skin->coarse);
	def.skin_damping = 0.01f;
	return def;
}

// the number of particles of a body that are farther from the centre of the skin than `share` of
// its farthest point
static uint32_t count_outside(oz_world *w, oz_id skin, oz_id water, double share)
{
	test_particles all = test_particles_read(w);
	vec centre = vec_of(0, 0, 0);
	double count = 0, farthest = 0;
	uint32_t outside = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == skin) {
			centre = vec_mad(centre, all.at[i].x, 1);
			count += 1;
		}
	centre = vec_mad(vec_of(0, 0, 0), centre, 1 / count);
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == skin)
			farthest = fmax(farthest, vec_length(vec_sub(all.at[i].x, centre)));
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == water)
			outside += vec_length(vec_sub(all.at[i].x, centre)) > share * farthest;
	test_particles_free(&all);
	return outside;
}

// A stretched ball of water in space for two seconds; returns how many particles have left it.
static uint32_t hold(oz_pressure pressure, double stretch, double coarse, bool faces, double until)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.gravity = oz_v3(0, 0, 0);
	def.sound_speed = 20;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const skin_shape skin = {6 * s, coarse, stretch, vec_of(0, 0, 0)};
	oz_material_def material = rubber(&skin);
	material.skin_contact = faces ? OZ_SKIN_FACES : OZ_SKIN_POINTS;
	const oz_id body = add_skin(w, material, &skin);
	const oz_shape inner =
	        oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)(skin.radius - 0.6 * s), 0, 0));
	const oz_id water = test_add_filled(w, test_water(w), &inner, OZ_FILL_LATTICE);
	test_run_until(w, until);
	const uint32_t outside = count_outside(w, body, water, 1.0);
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	print_message("%s, stretch %.1f, edges of %.1f spacings, %s: %u particles have left, "
	              "volume %.3f l, %u points; top speed %.3f m/s, step %llu\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", stretch,
	              coarse * stretch, faces ? "faces" : "points", outside, 1e3 * state.volume,
	              state.points, test_top_speed(w), (unsigned long long)oz_world_step_count(w));
	oz_world_destroy(w);
	return outside;
}

static void a_stretched_skin_holds_water(void **state)
{
	(void)state;
	const double until = test_is_long() ? 2 : 0.5;
	for (int eos = 0; eos < 2; eos++) {
		const oz_pressure pressure = eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
		for (int k = 2; k <= 3; k++)
			assert_int_equal(hold(pressure, k, 1, true, until), 0);
	}
	assert_int_equal(hold(OZ_PRESSURE_INCOMPRESSIBLE, 1, 2, true, until), 0);
	// the opposite: points alone leak
	assert_true(hold(OZ_PRESSURE_INCOMPRESSIBLE, 3, 1, false, 0.5) > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_stretched_skin_holds_water),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
