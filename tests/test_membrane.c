// test_membrane.c: inflated skins obey the theory of thin shells, gas laws and Archimedes.
#include "models/membrane/membrane.h"
#include "worlds.h"

static oz_membrane_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	return state;
}

// a skin of 1 mm with a Young's modulus of 1 MPa
static oz_material_def skin_def(void)
{
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.young_modulus = 1e6f;
	def.poisson_ratio = 0.3f;
	def.thickness = 1e-3f;
	return def;
}

static oz_id add_shape(oz_world *w, const oz_material_def *def, oz_shape shape)
{
	oz_error error = {OZ_OK, ""};
	oz_id body;
	test_must(oz_world_add_shape(w, &shape, test_add_material(w, def), &body, &error), &error);
	return body;
}

static oz_shape ball_at(double radius, vec at)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)radius, 0, 0));
	ball.position = vec_narrow(at);
	return ball;
}

static double radius_of(oz_world *w, oz_id body)
{
	return cbrt(get(w, body).volume * 3 / (4 * M_PI));
}

// ---- thin shells -------------------------------------------------------------------------------

// With the stretch λ the pressure of a shell is P = 2 S t/(λ R), S the stress over rest area …
static double pressure_of(const oz_material_def *def, double radius, double stretch)
{
	const double E = (double)def->young_modulus, t = (double)def->thickness,
	             nu = (double)def->poisson_ratio, c1 = E / 6.6, c2 = 0.1 * c1;
	if (def->skin_law == OZ_SKIN_RUBBER)
		return 4 * t / (radius * stretch) * (1 - pow(stretch, -6)) *
		       (c1 + c2 * stretch * stretch);
	// of Green's strain, second Piola-Kirchhoff stress: S = E/(1 - ν) (λ² - 1)/2
	return 2 * t / (radius * stretch) * E / (1 - nu) * (stretch * stretch - 1) / 2;
}

static void inflate(oz_skin_law law, double stretch, double bound)
{
	const double R = 0.1;
	oz_material_def def = skin_def();
	def.skin_law = law;
	oz_world *w = test_space(0.02, 20);
	// gas so that the shell is in equilibrium at that stretch
	const double volume = 4 * M_PI / 3 * pow(R * stretch, 3);
	const double P = pressure_of(&def, R, stretch);
	def.gas_amount = (float)((101325 + P) * volume / (8.314462618 * 293.15));
	def.skin_damping = 0.02f;
	const oz_id ball = add_shape(w, &def, ball_at(R, vec_of(0, 0, 0)));
	// the mesh lies within the ball: stretch is over the mesh at rest
	const double rest = radius_of(w, ball);
	test_run_until(w, 1.0);
	const oz_membrane_state s = get(w, ball);
	const double found = radius_of(w, ball) / rest;
	print_message("law %d: stretch %.4f, theory %.4f; pressure %.1f Pa, theory %.1f at that "
	              "stretch\n",
	              law, found, stretch, s.pressure, pressure_of(&def, R, found));
	test_near(s.pressure, pressure_of(&def, R, found), bound * s.pressure, "pressure");
	oz_world_destroy(w);
}

static void a_ball_has_the_pressure_of_a_thin_shell(void **state)
{
	(void)state;
	inflate(OZ_SKIN_LINEAR, 1.05, 0.05);
	inflate(OZ_SKIN_LINEAR, 1.2, 0.05);
	inflate(OZ_SKIN_RUBBER, 1.3, 0.05);
}

// Holds a ball of a wanted stretch, and returns the state after it came to rest.
static oz_membrane_state blow_up(oz_integration way, oz_skin_law law, double *stretch)
{
	oz_material_def def = skin_def();
	def.integration = way;
	def.skin_law = law;
	def.gauge_pressure = 5000;
	def.skin_damping = 0.005f;
	oz_world *w = test_space(0.025, 20);
	const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0, 0)));
	const double rest = radius_of(w, ball);
	test_run_until(w, 0.6);
	const oz_membrane_state s = get(w, ball);
	*stretch = radius_of(w, ball) / rest;
	oz_world_destroy(w);
	return s;
}

static void each_way_of_integration_comes_to_the_same_rest(void **state)
{
	(void)state;
	double one, stretch;
	const oz_membrane_state s = blow_up(OZ_INTEGRATE_IMPLICIT, OZ_SKIN_LINEAR, &one);
	const double pressure = s.pressure;
	// the opposite: it has grown
	assert_true(one > 1.005);
	if (test_is_long())
		test_near(blow_up(OZ_INTEGRATE_EXPLICIT, OZ_SKIN_LINEAR, &stretch).pressure,
		          pressure, 0.01 * pressure, "pressure of the explicit step");
	test_near(blow_up(OZ_INTEGRATE_SIMPLIFIED, OZ_SKIN_LINEAR, &stretch).pressure, pressure,
	          0.01 * pressure, "pressure of the simplified step");
	// springs are a skin with a Poisson's ratio of a third
	blow_up(OZ_INTEGRATE_IMPLICIT, OZ_SKIN_SPRINGS, &stretch);
	print_message("stretch %.5f, with springs %.5f\n", one, stretch);
	test_near((stretch - 1) / (one - 1), (1 - 1.0 / 3) / 0.7, 0.08, "stretch of springs");
}

// ---- gas and liquid ----------------------------------------------------------------------------

// Plates press a ball slowly to three fifths of its height.
static void gas_that_is_pressed_keeps_its_law(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.gauge_pressure = 2000;
	def.young_modulus = 2e7f;
	oz_world *w = test_space(0.02, 20);
	const oz_keyframe frames[2] = {{0, {0, 0.36f, 0}, {0, 0, 0, 1}},
	                               {1.0f, {0, 0.27f, 0}, {0, 0, 0, 1}}};
	test_add_wall(w, test_box(vec_of(-0.5, -0.22, -0.5), vec_of(0.5, -0.12, 0.5)), false, NULL,
	              0);
	oz_shape plate = oz_shape_make(OZ_SHAPE_BOX, oz_v3(1, 0.5f, 1));
	test_add_wall(w, plate, false, frames, 2);
	const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0, 0)));
	const oz_membrane_state before = get(w, ball);
	const double law = (101325 + before.pressure) * before.volume;
	test_run_until(w, 0.95);
	test_load(w, 1);
	test_run_until(w, 1.05);
	const oz_membrane_state s = get(w, ball);
	const oz_load load = test_load(w, 1);
	print_message("volume %.4f of before, pressure %.0f Pa, force %.1f N, P V %.5f\n",
	              s.volume / before.volume, s.pressure, load.force[1],
	              (101325 + s.pressure) * s.volume / law);
	assert_true(s.volume < 0.97 * before.volume);
	test_near((101325 + s.pressure) * s.volume / law, 1, 0.01, "P V");
	// the plate bears the pressure on the disc that it touches: less than half of the section
	assert_true(load.force[1] > 0.05 * M_PI * 0.01 * s.pressure);
	oz_world_destroy(w);
}

// A ball that is held between two plates comes to rest and stays so.
static void a_ball_under_a_press_stays_at_rest(void **state)
{
	(void)state;
	const uint32_t steps = test_is_long() ? 10000 : 1000;
	oz_material_def def = skin_def();
	def.gauge_pressure = 2000;
	def.skin_damping = 0.005f;
	oz_world *w = test_space(0.03, 20);
	for (int k = -1; k <= 1; k += 2) {
		const float side = (float)k;
		const oz_keyframe frames[2] = {{0, {0, 0.37f * side, 0}, {0, 0, 0, 1}},
		                               {0.3f, {0, 0.33f * side, 0}, {0, 0, 0, 1}}};
		oz_collider_def plate =
		        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, oz_v3(1, 0.5f, 1)));
		plate.friction = 0.5f;
		plate.keyframes = frames;
		plate.keyframe_count = 2;
		test_add_collider(w, &plate);
	}
	const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0, 0)));
	test_run_until(w, 1.0);
	const double pressure = get(w, ball).pressure;
	test_steps(w, steps);
	print_message("%u steps: pressure %.2f Pa, before %.2f Pa; %.1e m/s at most, height %.3f "
	              "m\n",
	              steps, get(w, ball).pressure, pressure, test_top_speed(w), test_height(w));
	test_near(get(w, ball).pressure, pressure, 0.01 * pressure, "pressure");
	assert_true(test_top_speed(w) < 0.01 && test_height(w) < 0.17 && pressure > 300);
	oz_world_destroy(w);
}

static void a_liquid_keeps_its_volume_in_a_fall(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.filling = OZ_FILLING_LIQUID;
	def.density = 5000;
	oz_world *w = test_floor(0.02, 20);
	const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0.2, 0)));
	const double volume = get(w, ball).volume;
	double least = volume, most = volume, height = 1;
	for (int k = 1; k <= 30; k++) {
		test_run_until(w, 0.02 * k);
		least = fmin(least, get(w, ball).volume);
		most = fmax(most, get(w, ball).volume);
		height = fmin(height, test_height(w));
	}
	print_message("volume from %.5f to %.5f of before, least height %.3f m\n", least / volume,
	              most / volume, height);
	test_near(least / volume, 1, 0.005, "least volume");
	test_near(most / volume, 1, 0.005, "largest volume");
	// the opposite: it was flattened
	assert_true(height < 0.18);
	oz_world_destroy(w);
}

static void without_gas_a_ball_collapses(void **state)
{
	(void)state;
	double volume[2];
	for (int k = 0; k < 2; k++) {
		oz_material_def def = skin_def();
		def.filling = k ? OZ_FILLING_GAS : OZ_FILLING_NONE;
		def.gauge_pressure = 1000;
		def.young_modulus = 2e5f;
		def.thickness = 3e-4f;
		oz_world *w = test_floor(0.02, 20);
		const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0.11, 0)));
		const double before = get(w, ball).volume;
		test_run_until(w, 0.6);
		volume[k] = get(w, ball).volume / before;
		oz_world_destroy(w);
	}
	print_message("volume %.3f without gas, %.3f with gas\n", volume[0], volume[1]);
	assert_true(volume[0] < 0.8);
	assert_true(volume[1] > 1.0);
}

// an opening of 20 mm² lets the gas out
static void gas_leaves_through_an_opening(void **state)
{
	(void)state;
	double pressure[2];
	for (int k = 0; k < 2; k++) {
		oz_material_def def = skin_def();
		def.gauge_pressure = 5000;
		def.opening = k ? 2e-4f : 0;
		oz_world *w = test_space(0.025, 20);
		const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0, 0)));
		test_run_until(w, 0.5);
		pressure[k] = get(w, ball).pressure;
		// and in again, as through a valve
		oz_error error = {OZ_OK, ""};
		const double more = 1.1 * get(w, ball).amount;
		test_must(oz_world_fill_membrane(w, ball, more, &error), &error);
		test_steps(w, 1);
		assert_true(get(w, ball).pressure > pressure[k] + 100);
		oz_world_destroy(w);
	}
	print_message("pressure %.1f Pa closed, %.3f Pa open\n", pressure[0], pressure[1]);
	assert_true(pressure[0] > 300 && fabs(pressure[1]) < 0.01 * pressure[0]);
}

static void a_skin_that_is_stretched_too_far_tears(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		oz_material_def def = skin_def();
		def.skin_law = OZ_SKIN_RUBBER;
		// gas for a stretch of 1.4
		def.gas_amount = 0.5f;
		def.tear = k ? 1.25f : 3;
		oz_world *w = test_space(0.025, 20);
		const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0, 0)));
		test_run_until(w, 0.3);
		const oz_membrane_state s = get(w, ball);
		print_message("tears at %.2f: pressure %.1f Pa, torn %.4f m²\n", (double)def.tear,
		              s.pressure, s.torn);
		assert_true(k ? s.torn > 0 && s.pressure < 100 : s.torn == 0 && s.pressure > 1000);
		oz_world_destroy(w);
	}
}

static void a_balloon_shrinks_in_the_cold(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.thickness = 2e-4f;
	def.young_modulus = 1e5f;
	oz_world *w = test_space(0.025, 20);
	const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0, 0)));
	oz_region_def cold = oz_region_default(oz_shape_make(OZ_SHAPE_BALL, oz_v3(1, 0, 0)));
	cold.temperature = -40;
	cold.rate = 100;
	oz_error error = {OZ_OK, ""};
	test_must(oz_world_add_region(w, &cold, NULL, &error), &error);
	const oz_membrane_state before = get(w, ball);
	test_run_until(w, 0.5);
	const oz_membrane_state s = get(w, ball);
	const double law = (101325 + before.pressure) * before.volume / 293.15;
	print_message("%.1f °C, volume %.3f of before\n", s.temperature, s.volume / before.volume);
	test_near(s.temperature, -40, 0.5, "temperature");
	test_near((101325 + s.pressure) * s.volume / 233.15, law, 0.01 * law, "P V/T");
	assert_true(s.volume < 0.85 * before.volume);
	oz_world_destroy(w);
}

// ---- motion ------------------------------------------------------------------------------------

static void balls_that_collide_keep_their_momentum(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.gauge_pressure = 3000;
	def.friction = 0;
	oz_world *w = test_space(0.02, 20);
	oz_body_def body = oz_body_default();
	oz_error error = {OZ_OK, ""};
	body.material = test_add_material(w, &def);
	for (int k = 0; k < 2; k++) {
		const oz_shape ball = ball_at(0.08, vec_of(k ? 0.1 : -0.1, k ? 0.03 : 0, 0));
		oz_vec3 *points;
		uint32_t(*triangles)[3];
		test_must(oz_shape_cover(&ball, 0.02f, &points, &body.count, &triangles,
		                         &body.triangle_count, &error),
		          &error);
		body.points = points;
		body.triangles = (const uint32_t(*)[3])triangles;
		body.velocity = oz_v3(k ? -1.5f : 1.0f, 0, 0.1f);
		body.spin = oz_v3(0, k ? 5 : -3, 4);
		test_must(oz_world_add_body(w, &body, NULL, &error), &error);
		oz_points_free(points);
		oz_triangles_free(triangles);
	}
	const test_momenta before = test_momenta_of(w);
	test_run_until(w, 0.25);
	const test_momenta after = test_momenta_of(w);
	const double linear = vec_length(vec_sub(after.linear, before.linear)),
	             angular = vec_length(vec_sub(after.angular, before.angular));
	test_particles all = test_particles_read(w);
	double speed = 0, count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == 0) {
			speed += all.at[i].v.x;
			count += 1;
		}
	test_particles_free(&all);
	print_message("momentum changes by %.1e, angular by %.1e; the first moves at %.2f m/s\n",
	              linear / before.linear_scale, angular / before.angular_scale, speed / count);
	test_near(linear / before.linear_scale, 0, 1e-5, "change of momentum");
	test_near(angular / before.angular_scale, 0, 1e-5, "change of angular momentum");
	// the opposite: they have met
	assert_true(speed / count < 0);
	oz_world_destroy(w);
}

static void a_spinning_ball_goes_on_spinning(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.gauge_pressure = 20000;
	def.skin_law = OZ_SKIN_RUBBER;
	oz_world *w = test_space(0.025, 20);
	oz_body_def body = oz_body_default();
	oz_error error = {OZ_OK, ""};
	const oz_shape ball = ball_at(0.1, vec_of(0, 0, 0));
	oz_vec3 *points;
	uint32_t(*triangles)[3];
	body.material = test_add_material(w, &def);
	test_must(oz_shape_cover(&ball, 0.025f, &points, &body.count, &triangles,
	                         &body.triangle_count, &error),
	          &error);
	body.points = points;
	body.triangles = (const uint32_t(*)[3])triangles;
	body.spin = oz_v3(0, 10, 0);
	test_must(oz_world_add_body(w, &body, NULL, &error), &error);
	oz_points_free(points);
	oz_triangles_free(triangles);
	test_run_until(w, 0.3);
	const double first = test_momenta_of(w).angular.y;
	test_run_until(w, 1.3);
	print_message("angular momentum %.6f of before after a second\n",
	              test_momenta_of(w).angular.y / first);
	test_near(test_momenta_of(w).angular.y / first, 1, 2e-4, "angular momentum");
	oz_world_destroy(w);
}

static void a_ball_that_bounces_never_rises_higher(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.gauge_pressure = 3000;
	def.density = 3000;
	oz_world *w = test_floor(0.02, 20);
	const oz_id ball = add_shape(w, &def, ball_at(0.1, vec_of(0, 0.45, 0)));
	test_run_until(w, 0.1);
	double top = test_mean_height(w, ball), lowest = top, risen = 0, before = top;
	double hit[3] = {0};
	int hits = 0;
	bool falls = true;
	for (int k = 1; k <= 180; k++) {
		test_run_until(w, 0.1 + 0.01 * k);
		const double height = test_mean_height(w, ball);
		assert_true(height < top + 1e-3);
		lowest = fmin(lowest, height);
		risen = lowest < 0.12 ? fmax(risen, height) : 0;
		if (falls && height > before && hits < 3)
			hit[hits++] = 0.1 + 0.01 * k;
		falls = height < before;
		before = height;
	}
	print_message("fell from %.3f m, rose to %.3f m; hits the floor at %.2f s, %.2f s\n", top,
	              risen, hit[0], hit[1]);
	assert_true(lowest < 0.12 && risen > 0.2 && risen < top);
	oz_world_destroy(w);
}

// The poles of an empty ball fly at each other: the skin meets itself, does not pass itself and
// comes apart again.
static void a_skin_does_not_pass_itself(void **state)
{
	(void)state;
	const double s = 0.01, R = 0.08, speed = 5;
	oz_material_def def = skin_def();
	def.filling = OZ_FILLING_NONE;
	def.young_modulus = 2e4f;
	def.thickness = 5e-4f;
	oz_world *w = test_space(s, 20);
	add_shape(w, &def, ball_at(R, vec_of(0, 0, 0)));
	test_particles all = test_particles_read(w);
	const uint32_t count = all.count;
	bool *upper = malloc(count), *lower = malloc(count);
	assert_true(upper && lower);
	for (uint32_t i = 0; i < count; i++) {
		const vec x = all.at[i].x;
		upper[i] = x.y > 0.9 * R;
		lower[i] = x.y < -0.9 * R;
		test_put_particle(w, i, x, vec_of(0, -speed * x.y / R, 0));
	}
	test_particles_free(&all);
	double least = INFINITY;
	for (int k = 1; k <= 100; k++) {
		double low = INFINITY, high = -INFINITY;
		test_run_until(w, 0.001 * k);
		all = test_particles_read(w);
		for (uint32_t i = 0; i < count; i++) {
			low = upper[i] ? fmin(low, all.at[i].x.y) : low;
			high = lower[i] ? fmax(high, all.at[i].x.y) : high;
		}
		test_particles_free(&all);
		least = fmin(least, low - high);
	}
	print_message("the poles come to %.2f spacings of each other\n", least / s);
	free(upper);
	free(lower);
	oz_world_destroy(w);
	// they do meet: contact begins at one spacing
	assert_true(least > 0.3 * s && least < 1.5 * s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_skin_does_not_pass_itself),
	        cmocka_unit_test(a_ball_has_the_pressure_of_a_thin_shell),
	        cmocka_unit_test(each_way_of_integration_comes_to_the_same_rest),
	        cmocka_unit_test(gas_that_is_pressed_keeps_its_law),
	        cmocka_unit_test(a_ball_under_a_press_stays_at_rest),
	        cmocka_unit_test(a_liquid_keeps_its_volume_in_a_fall),
	        cmocka_unit_test(without_gas_a_ball_collapses),
	        cmocka_unit_test(gas_leaves_through_an_opening),
	        cmocka_unit_test(a_skin_that_is_stretched_too_far_tears),
	        cmocka_unit_test(a_balloon_shrinks_in_the_cold),
	        cmocka_unit_test(balls_that_collide_keep_their_momentum),
	        cmocka_unit_test(a_spinning_ball_goes_on_spinning),
	        cmocka_unit_test(a_ball_that_bounces_never_rises_higher),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
