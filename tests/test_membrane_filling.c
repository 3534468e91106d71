// test_membrane_filling.c: what fills a skin: weight of a liquid, valves, chambers.
//
// A ball of liquid falls as a stone does and stays round, presses the floor with its weight and
// sags, and floats in water by its density. Valves follow their tables, and each closed shell of a
// body has a gas of its own.
#include "worlds.h"

static const double s = 0.02; // m, spacing

static oz_membrane_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	return state;
}

static oz_id add_ball(oz_world *w, oz_material_def def, double density, vec at)
{
	oz_error error = {OZ_OK, ""};
	oz_id body;
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0));
	ball.position = vec_narrow(at);
	def.filling = OZ_FILLING_LIQUID;
	def.filling_density = (float)density;
	test_must(oz_world_add_shape(w, &ball, test_add_material(w, &def), &body, &error), &error);
	return body;
}

// a soft skin of 1 mm
static oz_material_def skin_def(void)
{
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.young_modulus = 3e5f;
	def.thickness = 1e-3f;
	def.density = 1000;
	def.gauge_pressure = 200;
	def.skin_damping = 0.02f;
	return def;
}

static void a_filled_ball_falls_as_a_stone_does(void **state)
{
	(void)state;
	oz_world_def def = test_space_def(s);
	def.gravity = oz_v3(0, -(float)GRAVITY, 0);
	oz_world *w = test_world(&def);
	const oz_id ball = add_ball(w, skin_def(), 1000, vec_of(0, 0, 0));
	test_run_until(w, 0.3);
	const double height = test_mean_height(w, ball), fallen = 0.5 * GRAVITY * 0.3 * 0.3;
	test_particles all = test_particles_read(w);
	double least = 1, most = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		const double r = vec_length(vec_sub(all.at[i].x, vec_of(0, height, 0)));
		least = fmin(least, r);
		most = fmax(most, r);
	}
	test_particles_free(&all);
	print_message("mass %.3f kg; fell %.4f m of %.4f m; radius %.4f to %.4f m\n",
	              get(w, ball).mass, -height, fallen, least, most);
	// the mesh lies within the ball
	const double volume = get(w, ball).volume, skin = 1000 * 1e-3 * 4 * M_PI * 1e-2;
	test_near(volume, 4 * M_PI / 3 * 1e-3, 0.1e-3, "volume");
	test_near(get(w, ball).mass, 1000 * volume + skin, 0.05, "mass of liquid and skin");
	test_near(-height, fallen, 0.001 * fallen, "depth");
	// weightless: its shape is that of the rest
	assert_true(most - least < 0.05 * most);
	oz_world_destroy(w);
}

// A ball rests on the floor; returns the force on the floor, and its height.
static double rest(oz_pressure pressure, double density, double *height, double *mass)
{
	oz_world_def def = test_space_def(s);
	def.gravity = oz_v3(0, -(float)GRAVITY, 0);
	def.pressure = pressure;
	def.sound_speed = 20;
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)), false, NULL, 0);
	oz_material_def skin = skin_def();
	skin.viscosity = 5;
	const oz_id ball = add_ball(w, skin, density, vec_of(0, 0.105, 0));
	test_run_until(w, 1.2);
	test_load(w, 0);
	test_run_until(w, 1.6);
	const oz_load load = test_load(w, 0);
	*height = test_height(w);
	*mass = get(w, ball).mass;
	print_message("%s, %.0f kg/m³: %.3f N on the floor, weight %.3f N; height %.3f m, "
	              "%.3f m/s at most\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", density,
	              -load.force[1], *mass * GRAVITY, *height, test_top_speed(w));
	oz_world_destroy(w);
	return -load.force[1];
}

static void a_filled_ball_presses_the_floor_with_its_weight(void **state)
{
	(void)state;
	for (int eos = 0; eos < 2; eos++) {
		const oz_pressure pressure = eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
		double sagged, height, mass, force = rest(pressure, 1000, &sagged, &mass);
		test_near(force, mass * GRAVITY, 0.03 * mass * GRAVITY, "force on the floor");
		// the opposite: a filling without weight
		force = rest(pressure, 0, &height, &mass);
		assert_true(force < 3);
		assert_true(sagged < 0.9 * height);
	}
}

static bool is_outside(const void *context, vec x)
{
	return oz_shape_distance(context, vec_narrow(x)) > (float)s;
}

enum { WIDE = 16, DEEP = 20 };

// How far a ball in water rises in half a second; its mass is `share` of that of the water which
// it displaces.
static double rise(oz_pressure pressure, double share)
{
	const double edge = WIDE * s, outer = 0.1 + 0.5 * s;
	oz_world_def def = test_space_def(s);
	def.gravity = oz_v3(0, -(float)GRAVITY, 0);
	def.pressure = pressure;
	def.sound_speed = 20;
	oz_world *w = test_world(&def);
	test_add_wall(w, test_box(vec_of(0, 0, 0), vec_of(edge, 1, edge)), true, NULL, 0);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0));
	ball.position = oz_v3((float)(0.5 * edge), (float)(0.5 * DEEP * s), (float)(0.5 * edge));
	test_add_lattice(w, test_water(w), vec_of(0, 0, 0), vec_of(edge, DEEP * s, edge),
	                 is_outside, &ball);
	const double displaced = 1000 * 4 * M_PI / 3 * pow(outer, 3);
	const double skin = 1000 * 1e-3 * 4 * M_PI * 0.01, volume = 4 * M_PI / 3 * 1e-3;
	oz_material_def material = skin_def();
	material.young_modulus = 3e6f;
	const oz_id id = add_ball(w, material, (share * displaced - skin) / volume,
	                          vec_of(0.5 * edge, 0.5 * DEEP * s, 0.5 * edge));
	const double before = test_mean_height(w, id);
	test_run_until(w, 0.5);
	const double risen = test_mean_height(w, id) - before;
	print_message("%s, %.2f of the mass of the water it displaces: rises %+.4f m\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible",
	              get(w, id).mass / displaced, risen);
	oz_world_destroy(w);
	return risen;
}

static void a_filled_ball_floats_by_its_density(void **state)
{
	(void)state;
	for (int eos = 0; eos < (test_is_long() ? 2 : 1); eos++) {
		const oz_pressure pressure = eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
		test_near(rise(pressure, 1), 0, 0.02, "rise of a ball as heavy as water");
		assert_true(rise(pressure, 0.7) > 0.05);
		assert_true(rise(pressure, 1.3) < -0.05);
	}
}

// ---- valves and chambers -----------------------------------------------------------------------

static void a_valve_follows_its_table(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.filling_table = (oz_curve){3, {{0.1f, 1}, {0.2f, 2}, {0.4f, 0.5f}}};
	oz_world *w = test_space(0.025, 20);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0));
	oz_error error = {OZ_OK, ""};
	oz_id body;
	test_must(oz_world_add_shape(w, &ball, test_add_material(w, &def), &body, &error), &error);
	static const double wanted[5] = {1, 2, 1.25, 0.5, 0.5};
	const double first = get(w, body).amount;
	double volume[5];
	for (int k = 0; k < 5; k++) {
		test_run_until(w, 0.1 * (k + 1));
		volume[k] = get(w, body).volume;
		test_near(get(w, body).amount / first, wanted[k], 1e-4, "amount");
	}
	print_message("volumes %.4f %.4f %.4f %.4f l\n", 1e3 * volume[0], 1e3 * volume[1],
	              1e3 * volume[2], 1e3 * volume[3]);
	assert_true(volume[1] > 1.2 * volume[0] && volume[4] < 0.7 * volume[0]);
	oz_world_destroy(w);
}

static void a_leak_opens_by_its_table(void **state)
{
	(void)state;
	oz_material_def def = skin_def();
	def.gauge_pressure = 5000;
	def.young_modulus = 1e6f;
	def.opening_table = (oz_curve){2, {{0.2f, 1e-12f}, {0.21f, 2e-4f}}};
	oz_world *w = test_space(0.025, 20);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0));
	oz_error error = {OZ_OK, ""};
	oz_id body;
	test_must(oz_world_add_shape(w, &ball, test_add_material(w, &def), &body, &error), &error);
	const double first = get(w, body).amount;
	test_run_until(w, 0.2);
	const double closed = get(w, body).amount / first, pressure = get(w, body).pressure;
	test_run_until(w, 0.7);
	print_message("amount %.6f closed, then %.4f; %.1f Pa, then %.3f Pa\n", closed,
	              get(w, body).amount / first, pressure, get(w, body).pressure);
	test_near(closed, 1, 1e-4, "amount while it is closed");
	assert_true(fabs(get(w, body).pressure) < 0.01 * pressure);
	oz_world_destroy(w);
}

// m³ of a filling of that density (kg/m³) that leave a stretched skin through a small hole. The
// filling is soft: its pressure hardly changes.
static double leaked(double density)
{
	oz_material_def def = skin_def();
	def.gauge_pressure = 5000;
	def.young_modulus = 1e6f;
	def.bulk_modulus = 5e4f;
	def.opening = 2e-6f;
	oz_world *w = test_space(0.025, 20);
	const oz_id ball = add_ball(w, def, density, vec_of(0, 0, 0));
	const double first = get(w, ball).amount;
	test_run_until(w, 0.004);
	const double lost = first - get(w, ball).amount;
	print_message("%.0f kg/m³: %.4g ml leaked, then %.0f Pa\n", density, 1e6 * lost,
	              get(w, ball).pressure);
	oz_world_destroy(w);
	return lost;
}

// by √(2 P/ρ), without weight as water
static void a_liquid_leaks_by_its_density(void **state)
{
	(void)state;
	const double water = leaked(1000), mercury = leaked(13500), weightless = leaked(0);
	test_near(water / mercury, sqrt(13.5), 0.05 * sqrt(13.5), "leak of water over mercury");
	test_near(weightless / water, 1, 0.05, "leak of a filling without weight over water");
}

// Two balls are one body; one of them is cooled.
static void each_closed_shell_is_a_chamber(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_material_def def = skin_def();
	def.thickness = 2e-4f;
	def.young_modulus = 1e5f;
	oz_world *w = test_space(0.025, 20);
	oz_body_def body = oz_body_default();
	oz_vec3 points[2000];
	uint32_t triangles[4000][3];
	oz_id id;
	for (int k = 0; k < 2; k++) {
		oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(k ? 0.06f : 0.1f, 0, 0));
		ball.position = oz_v3(0.3f * (float)k, 0, 0);
		oz_vec3 *p;
		uint32_t(*t)[3], count, faces;
		test_must(oz_shape_cover(&ball, 0.025f, &p, &count, &t, &faces, &error), &error);
		assert_true(body.count + count <= 2000 && body.triangle_count + faces <= 4000);
		for (uint32_t i = 0; i < faces; i++)
			for (int c = 0; c < 3; c++)
				triangles[body.triangle_count + i][c] = body.count + t[i][c];
		memcpy(points + body.count, p, sizeof *p * count);
		body.count += count;
		body.triangle_count += faces;
		oz_points_free(p);
		oz_triangles_free(t);
	}
	body.material = test_add_material(w, &def);
	body.points = points;
	body.triangles = (const uint32_t(*)[3])triangles;
	test_must(oz_world_add_body(w, &body, &id, &error), &error);
	oz_region_def cold = oz_region_default(oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.15f, 0, 0)));
	cold.temperature = -40;
	cold.rate = 100;
	test_must(oz_world_add_region(w, &cold, NULL, &error), &error);
	oz_membrane_state before[2], after[2], all;
	for (uint32_t k = 0; k < 2; k++)
		test_must(oz_world_get_chamber(w, id, k, &before[k], &error), &error);
	test_run_until(w, 0.4);
	for (uint32_t k = 0; k < 2; k++)
		test_must(oz_world_get_chamber(w, id, k, &after[k], &error), &error);
	all = get(w, id);
	print_message("%u chambers: %.1f °C and %.1f °C, volumes %.3f and %.3f of before\n",
	              all.chambers, after[0].temperature, after[1].temperature,
	              after[0].volume / before[0].volume, after[1].volume / before[1].volume);
	assert_int_equal(all.chambers, 2);
	assert_int_equal(after[0].points + after[1].points, body.count);
	test_near(all.volume, after[0].volume + after[1].volume, 1e-9, "volume");
	test_near(before[1].volume / before[0].volume, 0.216, 0.02, "ratio of volumes");
	// the gas law holds in each of them: the warm one keeps its volume
	test_near(after[0].volume / before[0].volume, 233.15 / 293.15, 0.02, "cold volume");
	test_near(after[1].volume / before[1].volume, 1, 0.01, "warm volume");
	assert_int_equal(oz_world_get_chamber(w, id, 2, &all, &error), OZ_ERROR_NOT_FOUND);
	assert_non_null(strstr(error.text, "has no chamber 2"));
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_filled_ball_falls_as_a_stone_does),
	        cmocka_unit_test(a_filled_ball_presses_the_floor_with_its_weight),
	        cmocka_unit_test(a_filled_ball_floats_by_its_density),
	        cmocka_unit_test(a_valve_follows_its_table),
	        cmocka_unit_test(a_leak_opens_by_its_table),
	        cmocka_unit_test(a_liquid_leaks_by_its_density),
	        cmocka_unit_test(each_closed_shell_is_a_chamber),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
