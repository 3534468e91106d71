// test_capillary_sheets.c: the forces of the surface of one drop do not depend on other drops:
// drops far apart do not push each other, drops on a plate rest, and a drop on the border between
// two contact angles moves to the side that it wets. Water at rest in a box loses energy.
#include "worlds.h"

static const double s = 1e-3, sigma = 0.072; // m, N/m
enum { RHO = 1000, SOUND = 3 };              // kg/m³, m/s

static oz_id add_liquid(oz_world *w, double viscosity)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	def.density = RHO;
	def.viscosity = (float)viscosity;
	def.surface_tension = (float)sigma;
	return test_add_material(w, &def);
}

static oz_world *space(double gravity)
{
	oz_world_def def = test_space_def(s);
	def.sound_speed = SOUND;
	def.gravity.y = (float)-gravity;
	return test_world(&def);
}

// a ball, or the upper half of one, of a radius in spacings at a place in spacings
static oz_id add_drop(oz_world *w, oz_id material, bool half, double radius, vec at)
{
	oz_shape shape = oz_shape_make(half ? OZ_SHAPE_DOME : OZ_SHAPE_BALL,
	                               (oz_vec3){(float)(radius * s), 0, 0});
	shape.position = (oz_vec3){(float)(at.x * s), (float)(at.y * s), (float)(at.z * s)};
	return test_add_filled(w, material, &shape, OZ_FILL_BLUE_NOISE);
}

static void add_plate(oz_world *w, oz_shape shape, double angle)
{
	oz_collider_def plate = oz_collider_default(shape);
	plate.contact_angle = (float)angle;
	plate.friction = 0;
	test_add_collider(w, &plate);
}

// of a body: sums of velocities, of their lengths, of x × v and of its lengths; mean position
typedef struct motion {
	vec linear, angular, centre; // m/s, m²/s, m
	double linear_scale, angular_scale;
	uint32_t count;
} motion;

static motion motion_of(oz_world *w, oz_id body)
{
	test_particles all = test_particles_read(w);
	motion m = {.count = 0};
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == body) {
			m.centre = vec_mad(m.centre, all.at[i].x, 1);
			m.count++;
		}
	m.centre = vec_of(m.centre.x / m.count, m.centre.y / m.count, m.centre.z / m.count);
	for (uint32_t i = 0; i < all.count; i++) {
		if (all.at[i].body != body)
			continue;
		const vec moment = vec_cross(vec_sub(all.at[i].x, m.centre), all.at[i].v);
		m.linear = vec_mad(m.linear, all.at[i].v, 1);
		m.angular = vec_mad(m.angular, moment, 1);
		m.linear_scale += vec_length(all.at[i].v);
		m.angular_scale += vec_length(moment);
	}
	test_particles_free(&all);
	return m;
}

static void expect_no_push(oz_world *w, oz_id body, const char *what)
{
	const motion m = motion_of(w, body);
	const double linear = vec_length(m.linear) / m.linear_scale,
	             angular = vec_length(m.angular) / m.angular_scale;
	print_message("%s: momentum %.1e, angular momentum %.1e of those of its particles\n", what,
	              linear, angular);
	test_near(linear, 0, 1e-5, "momentum of a drop that nothing touches");
	test_near(angular, 0, 1e-5, "angular momentum of a drop that nothing touches");
}

// a cube that becomes a ball has forces whose error is large
static void drops_far_apart_do_not_push_each_other(void **state)
{
	(void)state;
	oz_world *w = space(0);
	const oz_id water = add_liquid(w, 0.002);
	const oz_id rest = add_drop(w, water, false, 5, vec_of(0, 0, 0));
	const double edge = 7 * s;
	oz_shape cube =
	        oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){(float)edge, (float)edge, (float)edge});
	cube.position = (oz_vec3){(float)(40 * s), (float)(9 * s), 0};
	const oz_id moves = test_add_thrown(w, water, &cube, vec_of(0.1, 0.2, 0));
	const motion before = motion_of(w, moves);
	test_steps(w, 400);
	expect_no_push(w, rest, "drop at rest beside a cube that moves");
	const motion after = motion_of(w, moves);
	test_near(vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale, 0, 1e-5,
	          "momentum of the cube");
	oz_world_destroy(w);
}

static void a_drop_on_a_plate_does_not_push_a_free_drop(void **state)
{
	(void)state;
	oz_world *w = space(0);
	const oz_id water = add_liquid(w, 0.002);
	add_plate(w, oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}), 60);
	add_drop(w, water, true, 6, vec_of(0, 0, 0));
	const oz_id free = add_drop(w, water, false, 5, vec_of(3, 30, 0));
	test_steps(w, 400);
	expect_no_push(w, free, "free drop above a drop on a plate");
	oz_world_destroy(w);
}

// ---- plates ------------------------------------------------------------------------------------

static void drops_on_one_plate_do_not_push_each_other(void **state)
{
	(void)state;
	oz_world *w = space(4);
	const oz_id water = add_liquid(w, 0.02);
	add_plate(w, oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}), 90);
	const oz_id drops[] = {add_drop(w, water, true, 7, vec_of(0, 0, 0)),
	                       add_drop(w, water, true, 5, vec_of(25, 0, 4))};
	test_run_until(w, 0.2);
	const motion before[] = {motion_of(w, drops[0]), motion_of(w, drops[1])};
	test_run_until(w, 0.4);
	for (int k = 0; k < 2; k++) {
		const motion after = motion_of(w, drops[k]);
		const vec way = vec_sub(after.centre, before[k].centre);
		const double speed = sqrt(way.x * way.x + way.z * way.z) / 0.2;
		print_message("drop %d on a plate: %.1e m/s\n", k, speed);
		// the bound of a single drop (test_capillary.c)
		test_near(speed, 0, 1e-3, "speed on a level plate, m/s");
	}
	oz_world_destroy(w);
}

// A half ball on the border of two plates, x < 0 of one contact angle and x > 0 of another. Gives
// its momentum along x after `time`, kg·m/s, and the way of its centre after 0.15 s, m.
static double on_border(double left, double right, double time, double *way)
{
	const double radius = 8;
	oz_world *w = space(4);
	for (int k = 0; k < 2; k++) {
		oz_shape plate =
		        oz_shape_make(OZ_SHAPE_BOX,
		                      (oz_vec3){(float)(60 * s), (float)(10 * s), (float)(80 * s)});
		plate.position.x = (float)((k ? 30 : -30) * s);
		plate.position.y = (float)(-5 * s);
		add_plate(w, plate, k ? right : left);
	}
	const oz_id drop = add_drop(w, add_liquid(w, 0.005), true, radius, vec_of(0, 0, 0));
	const double first = motion_of(w, drop).centre.x;
	test_run_until(w, time);
	const double momentum = RHO * s * s * s * motion_of(w, drop).linear.x;
	test_run_until(w, 0.15);
	*way = motion_of(w, drop).centre.x - first;
	oz_world_destroy(w);
	print_message("plates of %g° and %g°: momentum after %g s %.3g of 2 R σ (cos θ - cos θ') t,"
	              " moved by %.2f spacings after 0.15 s\n",
	              left, right, time, momentum / (2 * radius * s * sigma * time), *way / s);
	return momentum / (2 * radius * s * sigma * time);
}

// The line of a circle of radius R pulls with σ cos θ on its length: 2 R σ (cos θ - cos θ') in all
// towards the side of the angle θ. Friction of the line and the motion of the line, which follows
// the liquid, take some of it.
static void a_drop_on_a_border_moves_to_the_side_that_it_wets(void **state)
{
	(void)state;
	double way, back, none;
	const double momentum = on_border(60, 120, 0.01, &way);
	assert_true(momentum < -0.5 && momentum > -1.1);
	assert_true(way < -2 * s);
	// mirrored
	test_near(on_border(120, 60, 0.01, &back), -momentum, 0.1, "momentum to the other side");
	test_near(back, -way, 0.2 * fabs(way), "way to the other side");
	// the opposite: one angle
	test_near(on_border(90, 90, 0.01, &none), 0, 0.02, "momentum without a border");
	test_near(none, 0, 0.1 * fabs(way), "way without a border");
}

// ---- water at rest -----------------------------------------------------------------------------

// J, of motion, in the field of gravity and of pressure
static double energy_of(oz_world *w, double *kinetic)
{
	oz_stats stats;
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	*kinetic = stats.kinetic_energy;
	return stats.kinetic_energy + stats.potential_energy + stats.compression_energy;
}

// A box of water in a vessel of its size. The lattice settles into the packing of a liquid: from
// 0.05 s on its energy is lower after each 0.02 s, and at the end the water is calm.
static void still_water(double spacing, int across, int high, oz_pressure pressure, bool slip)
{
	const double half = 0.5 * across * spacing, height = high * spacing;
	oz_world_def def = test_space_def(spacing);
	def.sound_speed = 4;
	def.pressure = pressure;
	def.gravity.y = -9.81f;
	oz_world *w = test_world(&def);
	oz_collider_def vessel = oz_collider_default(
	        test_box(vec_of(-half, 0, -half), vec_of(half, 4 * height, half)));
	vessel.inside = true;
	vessel.slip = slip;
	test_add_collider(w, &vessel);
	test_add_lattice(w, add_liquid(w, 0.001), vec_of(-half, 0, -half),
	                 vec_of(half, height, half), NULL, NULL);
	double kinetic, most = 0;
	test_run_until(w, 0.06);
	double before = energy_of(w, &kinetic);
	for (int k = 4; k <= 15; k++) {
		test_run_until(w, 0.02 * k);
		const double now = energy_of(w, &kinetic);
		print_message("%g s: energy %.2f nJ less, kinetic energy %.2f nJ\n", 0.02 * k,
		              1e9 * (before - now), 1e9 * kinetic);
		assert_true(now < before);
		before = now;
		most = fmax(most, kinetic);
	}
	// calm: a fourth of the largest kinetic energy
	assert_true(kinetic < 0.25 * most);
	oz_world_destroy(w);
}

static void water_at_rest_in_a_box_loses_energy(void **state)
{
	(void)state;
	still_water(8e-4, 10, 8, OZ_PRESSURE_EOS, false);
	if (!test_is_long())
		return;
	still_water(8e-4, 20, 12, OZ_PRESSURE_EOS, false);
	still_water(8e-4, 20, 12, OZ_PRESSURE_EOS, true);
	still_water(8e-4, 20, 12, OZ_PRESSURE_INCOMPRESSIBLE, false);
	still_water(4e-4, 20, 12, OZ_PRESSURE_EOS, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(drops_far_apart_do_not_push_each_other),
	        cmocka_unit_test(a_drop_on_a_plate_does_not_push_a_free_drop),
	        cmocka_unit_test(drops_on_one_plate_do_not_push_each_other),
	        cmocka_unit_test(a_drop_on_a_border_moves_to_the_side_that_it_wets),
	        cmocka_unit_test(water_at_rest_in_a_box_loses_energy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
