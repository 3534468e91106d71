// test_wall_loads.c: what walls bear is what the fluid does to them, and what they give it.
//
// Momentum: a drop that lands, water that weighs on a vessel, presses on a wall that leans and
// carries a ball. Energy: a floor that lifts water, a vessel that sets off.
#include "worlds.h"

static const double s = 0.02; // m, spacing

static oz_world *make_world(double gravity)
{
	oz_world_def def = oz_world_default();
	def.threads = 1;
	def.gravity = (oz_vec3){0, -(float)gravity, 0};
	return test_world(&def);
}

static oz_shape cube(double x, double y, double z)
{
	return oz_shape_make(OZ_SHAPE_BOX, vec_narrow(vec_of(x * s, y * s, z * s)));
}

static void end(oz_world *w, const oz_shape *sdf)
{
	oz_world_destroy(w);
	oz_sdf_release(sdf->sdf);
}

// ---- asking -----------------------------------------------------------------------------------

static void load_is_refused_where_none_was_asked_for(void **state)
{
	(void)state;
	oz_world *w = make_world(GRAVITY);
	const oz_collider_def def = oz_collider_default(cube(4, 4, 4));
	test_add_collider(w, &def);
	oz_load load;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_world_take_load(w, 0, &load, &error), OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "set `load` in its definition"));
	assert_int_equal(oz_world_take_load(w, 1, &load, &error), OZ_ERROR_NOT_FOUND);
	assert_non_null(strstr(error.text, "there is no collider 1"));
	assert_int_equal(oz_world_take_load(w, 0, NULL, &error), OZ_ERROR_ARGUMENT);
	oz_world_destroy(w);
}

static bool in_drop(const void *context, vec p)
{
	(void)context;
	return vec_length(vec_sub(p, vec_of(0, 8 * s, 0))) < 4 * s;
}

static void floor_bears_the_momentum_that_a_drop_loses(void **state)
{
	(void)state;
	oz_world *w = make_world(GRAVITY);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}), false, NULL, 0);
	test_add_lattice(w, test_add_liquid(w, 1000, 0.001f, 0.05f), vec_of(-4 * s, 4 * s, -4 * s),
	                 vec_of(4 * s, 12 * s, 4 * s), in_drop, NULL);
	double span = 0;
	vec borne = {0, 0, 0};
	while (oz_world_time(w) < 0.4) {
		oz_step_report r = {0};
		for (int k = 0; k < 100; k++)
			r = test_step(w);
		const oz_load load = test_load(w, 0);
		const oz_stats now = test_stats(w);
		const vec force = {load.force[0], load.force[1], load.force[2]};
		borne = vec_mad(borne, force, load.span);
		span += load.span;
		// velocities belong to the middle of the last step
		const double weight =
		        now.mass * (double)9.81f * (r.time - 0.5 * (double)r.time_step);
		// 1e-4 of what gravity gave: sums are exact, the particles' velocities are floats
		const double most = 1e-4 * weight;
		test_near(-borne.y, weight + now.momentum[1], most, "impulse on the floor");
		test_near(-borne.x, now.momentum[0], most, "impulse along the floor");
		test_near(span, r.time, 1e-12, "span of all loads");
	}
	assert_true(-borne.y > 1);
	oz_world_destroy(w);
}

// ---- water at rest ----------------------------------------------------------------------------

// the mean load of a collider once the water rests
static oz_load load_at_rest(oz_world *w, oz_id collider)
{
	const double begin = test_is_long() ? 1 : 0.5;
	test_run_until(w, begin);
	test_load(w, collider);
	test_run_until(w, 2 * begin);
	return test_load(w, collider);
}

static const double lean = PI / 6, foot = 10 * 0.02, wide = 6 * 0.02;

static bool before_leaning_wall(const void *context, vec p)
{
	(void)context;
	return (p.x - foot) * cos(lean) - p.y * sin(lean) < -0.45 * s;
}

// a wall that leans outwards, its foot at x = `foot`
static oz_shape leaning_wall(bool sdf)
{
	oz_shape wall = sdf ? cube(60, 8, 24) : oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0});
	const double deep = sdf ? 4 * s : 0;
	wall.position = vec_narrow(
	        vec_of(foot + deep * cos(lean), -deep * sin(lean), sdf ? 0.5 * wide : 0));
	wall.rotation = test_rotation(vec_of(0, 0, 1), PI / 2 - lean);
	return sdf ? test_sdf_shape(&wall, s) : wall;
}

static void press_on_leaning_wall(bool sdf)
{
	oz_world *w = make_world(GRAVITY);
	const oz_shape wall = leaning_wall(sdf);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(1, 1, wide));
	test_add_wall(w, wall, false, NULL, 0);
	test_add_lattice(w, test_add_liquid(w, 1000, 0.5f, 0.05f), vec_of(0, 0, 0),
	                 vec_of(24 * s, 20 * s, wide), before_leaning_wall, NULL);
	const oz_load load = load_at_rest(w, 1);
	// the height of that much water: area = foot H + H² tan / 2
	const double area = test_stats(w).mass / 1000 / wide, t = tan(lean), c = cos(lean);
	const double high = (sqrt(foot * foot + 2 * t * area) - foot) / t;
	const double force = 1000 * GRAVITY * wide * high * high / (2 * c);
	const double torque = 1000 * GRAVITY * wide * high * high * high / (6 * c * c);
	// 5 %: the claim, in which a third of a spacing of height is 3 %
	test_near((load.force[0] * c - load.force[1] * sin(lean)) / force, 1, 0.05,
	          "force on the wall over that of theory");
	test_near(-load.torque[2] / torque, 1, 0.05, "torque about the foot over theory's");
	// 1 %: water at rest does not pull along a wall
	test_near((load.force[0] * sin(lean) + load.force[1] * c) / force, 0, 0.01,
	          "force along the wall");
	end(w, &wall);
}

static void wall_that_leans_bears_the_pressure_of_the_water(void **state)
{
	(void)state;
	press_on_leaning_wall(true);
	if (test_is_long())
		press_on_leaning_wall(false);
}

static bool in_vessel(const void *solid, vec p)
{
	return (double)oz_shape_distance(solid, vec_narrow(p)) < -0.45 * s;
}

static void weigh_in(oz_shape solid)
{
	oz_world *w = make_world(GRAVITY);
	solid.position = (oz_vec3){0.1f, 0.2f, 0.3f};
	solid.rotation = test_rotation(vec_of(0.6, 0.64, 0.48), PI / 6);
	const oz_shape vessel = test_sdf_shape(&solid, s);
	test_add_wall(w, vessel, true, NULL, 0);
	test_add_lattice(w, test_add_liquid(w, 1000, 0.5f, 0.05f), vec_of(-0.1, 0, 0.1),
	                 vec_of(0.3, 0.2, 0.5), in_vessel, &solid);
	const oz_load load = load_at_rest(w, 0);
	const oz_stats now = test_stats(w);
	const double weight = now.mass * GRAVITY;
	// 2 %: the claim, for the force
	test_near(-load.force[1] / weight, 1, 0.02, "force down over the weight");
	test_near(load.force[0] / weight, 0, 0.02, "force sideways over the weight");
	test_near(load.force[2] / weight, 0, 0.02, "force sideways over the weight");
	// and for where it acts, in spacings
	test_near(load.torque[0] / weight / s, (now.centre[2] - 0.3) / s, 0.02, "arm along z");
	test_near(-load.torque[2] / weight / s, (now.centre[0] - 0.1) / s, 0.02, "arm along x");
	test_near(load.torque[1] / weight / s, 0, 0.02, "torque about the vertical");
	end(w, &vessel);
}

static void sdf_vessel_bears_the_weight_of_its_water(void **state)
{
	(void)state;
	weigh_in(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){6 * (float)s, 0, 0}));
	weigh_in(cube(10, 12, 8));
}

static bool off_ball(const void *ball, vec p)
{
	return (double)oz_shape_distance(ball, vec_narrow(p)) > 0.45 * s;
}

static void carry_ball(bool sdf)
{
	oz_world *w = make_world(GRAVITY);
	// four spacings from the tank: in narrow gaps it is a matter of how layers fit in
	const double edge = 16 * s, radius = 4 * s;
	oz_shape solid = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){(float)radius, 0, 0});
	solid.position = vec_narrow(vec_of(0.5 * edge, 0.5 * edge, 0.5 * edge));
	const oz_shape ball = sdf ? test_sdf_shape(&solid, s) : solid;
	test_add_tank(w, vec_of(0, 0, 0), vec_of(edge, 1, edge));
	test_add_wall(w, ball, false, NULL, 0);
	test_add_lattice(w, test_add_liquid(w, 1000, 0.5f, 0.05f), vec_of(0, 0, 0),
	                 vec_of(edge, 16 * s, edge), off_ball, &solid);
	const oz_load load = load_at_rest(w, 1);
	const double weight = 1000 * GRAVITY * 4 / 3 * PI * radius * radius * radius;
	// 5 %: the claim, which is a fifteenth of a spacing of the radius
	test_near(load.force[1] / weight, 1, 0.05, "force up over the displaced weight");
	test_near(load.force[0] / weight, 0, 0.05, "force sideways over the displaced weight");
	end(w, &ball);
}

static void submerged_ball_is_carried_by_the_weight_of_its_volume(void **state)
{
	(void)state;
	carry_ball(true);
	if (test_is_long())
		carry_ball(false);
}

// ---- walls that move --------------------------------------------------------------------------

enum { KEYS = 40 };
static const oz_quat straight = {0, 0, 0, 1};

static void lift_water(bool sdf)
{
	oz_world *w = make_world(GRAVITY);
	const oz_shape block = cube(16, 8, 16);
	const oz_shape piston = sdf ? test_sdf_shape(&block, s) : block;
	const double high = 8 * s, middle = 4 * s;
	oz_keyframe keys[KEYS + 1];
	for (int k = 0; k <= KEYS; k++) {
		const double u = (double)k / KEYS, y = 0.5 * high * (1 - cos(PI * u));
		keys[k] = (oz_keyframe){(float)(1 + u), vec_narrow(vec_of(middle, y, middle)),
		                        straight};
	}
	test_add_tank(w, vec_of(0, 0, 0), vec_of(8 * s, 1, 8 * s));
	test_add_wall(w, piston, false, keys, KEYS + 1);
	test_add_lattice(w, test_add_liquid(w, 1000, 0.5f, 0.05f), vec_of(0, 4 * s, 0),
	                 vec_of(8 * s, 16 * s, 8 * s), NULL, NULL);
	test_run_until(w, 1);
	test_load(w, 1);
	const oz_stats before = test_stats(w);
	test_run_until(w, 2.2);
	const double work = test_load(w, 1).work;
	const oz_stats now = test_stats(w);
	// 5 %: the claim; the water rubs along the tank's walls on its way up
	test_near(work / (now.potential_energy - before.potential_energy), 1, 0.05,
	          "work over the gain of energy");
	test_near(work / (now.mass * GRAVITY * high), 1, 0.05, "work over m g H");
	end(w, &piston);
}

static void piston_that_lifts_water_does_the_work_that_it_gains(void **state)
{
	(void)state;
	lift_water(true);
	if (test_is_long())
		lift_water(false);
}

// from rest to `speed` in half a second, and on
static void vessel_that_sets_off_gives_its_fluid_what_it_gains(void **state)
{
	(void)state;
	oz_world *w = make_world(0);
	const oz_shape box = cube(10, 8, 8), vessel = test_sdf_shape(&box, s);
	const double speed = 1, ramp = 0.5;
	oz_keyframe keys[KEYS + 2];
	for (int k = 0; k <= KEYS; k++) {
		const double u = (double)k / KEYS, x = speed * ramp * 0.5 * (u - sin(PI * u) / PI);
		keys[k] = (oz_keyframe){(float)(ramp * u), {(float)x, 0, 0}, straight};
	}
	keys[KEYS + 1] = (oz_keyframe){(float)(ramp + 1),
	                               {(float)(speed * (0.5 * ramp + 1)), 0, 0},
	                               straight};
	test_add_wall(w, vessel, true, keys, KEYS + 2);
	test_add_lattice(w, test_add_liquid(w, 1000, 0.5f, 0.05f), vec_of(-5 * s, -4 * s, -4 * s),
	                 vec_of(5 * s, 4 * s, 4 * s), NULL, NULL);
	test_run_until(w, ramp + 0.3);
	const oz_load load = test_load(w, 0);
	const oz_stats now = test_stats(w);
	// 5 %: the claim; sloshing takes a part
	test_near(load.work / now.kinetic_energy, 1, 0.05, "work over the kinetic energy");
	test_near(load.work / (0.5 * now.mass * speed * speed), 1, 0.05, "work over m v² / 2");
	// nothing else gives momentum: rounding
	test_near(-load.force[0] * load.span / now.momentum[0], 1, 1e-3,
	          "impulse over the momentum");
	end(w, &vessel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(load_is_refused_where_none_was_asked_for),
	        cmocka_unit_test(floor_bears_the_momentum_that_a_drop_loses),
	        cmocka_unit_test(wall_that_leans_bears_the_pressure_of_the_water),
	        cmocka_unit_test(sdf_vessel_bears_the_weight_of_its_water),
	        cmocka_unit_test(submerged_ball_is_carried_by_the_weight_of_its_volume),
	        cmocka_unit_test(piston_that_lifts_water_does_the_work_that_it_gains),
	        cmocka_unit_test(vessel_that_sets_off_gives_its_fluid_what_it_gains),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
