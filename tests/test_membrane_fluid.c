// test_membrane_fluid.c: inflated skins in water and around it.
//
// A ball floats at the depth of Archimedes, and a bag of water that falls on the floor holds it.
// The particles of a skin stand for a layer of half a spacing on each side: towards water a ball of
// the radius R has the radius R + half a spacing.
#include "worlds.h"

static const double s = 0.02; // m, spacing

static oz_membrane_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	return state;
}

static oz_world *make_world(oz_pressure pressure)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = 1;
	return test_world(&def);
}

static oz_id add_skin(oz_world *w, const oz_material_def *def, const oz_shape *shape)
{
	oz_error error = {OZ_OK, ""};
	oz_id body;
	test_must(oz_world_add_shape(w, shape, test_add_material(w, def), &body, &error), &error);
	return body;
}

// ---- floating ----------------------------------------------------------------------------------

static bool is_outside(const void *context, vec x)
{
	return oz_shape_distance(context, vec_narrow(x)) > (float)s;
}

// depth of the lowest point of a ball with that volume below the surface
static double ball_depth(double radius, double volume)
{
	double low = 0, high = 2 * radius;
	for (int k = 0; k < 60; k++) {
		const double d = 0.5 * (low + high);
		*(M_PI * d * d * (radius - d / 3) < volume ? &low : &high) = d;
	}
	return low;
}

enum { WIDE = 18, DEEP = 9 };

// A ball of that share of the density of water; returns how far above the height of Archimedes its
// centre is, in diameters.
static double float_ball(oz_pressure pressure, double share, double *height)
{
	const double R = 5 * s, outer = R + 0.5 * s, area = WIDE * WIDE * s * s;
	oz_world *w = make_world(pressure);
	test_add_wall(w, test_box(vec_of(0, 0, 0), vec_of(WIDE * s, 30 * s, WIDE * s)), true, NULL,
	              0);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)R, 0, 0));
	ball.position = oz_v3(0.5f * WIDE * (float)s, DEEP * (float)s, 0.5f * WIDE * (float)s);
	test_add_lattice(w, test_water(w), vec_of(0, 0, 0), vec_of(WIDE * s, DEEP * s, WIDE * s),
	                 is_outside, &ball);
	const double water = oz_world_particle_count(w) * s * s * s;
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	const double mass = share * 1000 * 4 * M_PI / 3 * pow(outer, 3);
	def.thickness = 2e-3f;
	def.density = (float)(mass / (4 * M_PI * R * R * 2e-3));
	def.young_modulus = 1e7f;
	def.gauge_pressure = 3000;
	const oz_id skin = add_skin(w, &def, &ball);
	const double below = get(w, skin).mass / 1000, level = (water + below) / area;
	const double wanted = level - ball_depth(outer, below) + outer;
	double sum = 0;
	test_run_until(w, 1.2);
	for (int k = 1; k <= 60; k++) {
		test_run_until(w, 1.2 + 0.01 * k);
		sum += test_mean_height(w, skin) / 60;
	}
	const double off = (sum - wanted) / (2 * outer);
	print_message("%s, %.2f of the density of water: %+.2f %% of its diameter above the height "
	              "of "
	              "Archimedes\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", share, 100 * off);
	*height = sum;
	oz_world_destroy(w);
	return off;
}

static void a_ball_floats_at_the_depth_of_archimedes(void **state)
{
	(void)state;
	double height;
	test_near(float_ball(OZ_PRESSURE_INCOMPRESSIBLE, 0.5, &height), 0, 0.03,
	          "height of a ball");
	test_near(float_ball(OZ_PRESSURE_EOS, 0.5, &height), 0, 0.03, "height of a ball");
	// the opposite: a heavy one lies on the floor
	float_ball(OZ_PRESSURE_INCOMPRESSIBLE, 1.4, &height);
	test_near(height, 5.5 * s, 0.5 * s, "height of a heavy ball");
	if (test_is_long())
		test_near(float_ball(OZ_PRESSURE_INCOMPRESSIBLE, 0.2, &height), 0, 0.03,
		          "height of a light ball");
}

// ---- a bag -------------------------------------------------------------------------------------

static void a_bag_of_water_holds_it_in_a_fall(void **state)
{
	(void)state;
	const double R = 0.1;
	oz_world *w = make_world(OZ_PRESSURE_INCOMPRESSIBLE);
	oz_collider_def floor = oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)));
	test_add_collider(w, &floor);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)R, 0, 0));
	ball.position.y = 0.25f;
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.filling = OZ_FILLING_NONE;
	def.skin_law = OZ_SKIN_RUBBER;
	def.young_modulus = 1e6f;
	def.thickness = 1e-3f;
	const oz_id skin = add_skin(w, &def, &ball);
	oz_shape inner = ball;
	inner.size.x = (float)(R - 0.6 * s);
	test_add_filled(w, test_water(w), &inner, OZ_FILL_LATTICE);
	const double before = get(w, skin).volume;
	double flattest = 1;
	for (int k = 1; k <= 40; k++) {
		test_run_until(w, 0.02 * k);
		flattest = fmin(flattest, test_height(w));
	}
	// water that had left would lie on the floor away from the bag, or above it
	test_particles all = test_particles_read(w);
	vec centre = vec_of(0, 0, 0);
	double count = 0, farthest = 0, water = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == skin) {
			centre = vec_mad(centre, all.at[i].x, 1);
			count += 1;
		}
	centre = vec_mad(vec_of(0, 0, 0), centre, 1 / count);
	for (uint32_t i = 0; i < all.count; i++) {
		const double r = vec_length(vec_sub(all.at[i].x, centre));
		if (all.at[i].body == skin)
			farthest = fmax(farthest, r);
		else
			water = fmax(water, r);
	}
	test_particles_free(&all);
	print_message("volume %.4f of before, flattest %.3f m; water reaches to %.3f m from the "
	              "centre, the skin to %.3f m\n",
	              get(w, skin).volume / before, flattest, water, farthest);
	assert_true(water < farthest);
	assert_true(flattest < 1.8 * R);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_ball_floats_at_the_depth_of_archimedes),
	        cmocka_unit_test(a_bag_of_water_holds_it_in_a_fall),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
