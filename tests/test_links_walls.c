// test_links_walls.c: fluids with links stick to the walls and solids that they should, as strongly
// as `sticky` says.
#include "links.h"

// a block of slime under a ceiling; gives how far its middle has fallen, m, and what the ceiling
// bears of its weight
static double hang(const oz_material_def *slime, bool sticks, double until, double *share)
{
	const double s = 0.01;
	oz_world_def def = test_space_def(s);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	oz_collider_def ceiling =
	        oz_collider_default(test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.05, 0.1)));
	ceiling.sticks = sticks;
	ceiling.load = true;
	test_add_collider(w, &ceiling);
	const oz_shape block = test_box(vec_of(-0.03, -0.04, -0.03), vec_of(0.03, 0, 0.03));
	const oz_id body = test_add_filled(w, test_add_material(w, slime), &block, OZ_FILL_LATTICE);
	const double before = test_mean_height(w, body);
	test_run_until(w, 0.5 * until);
	test_load(w, 0);
	test_run_until(w, until);
	const double weight = 1000 * 0.06 * 0.06 * 0.04 * 9.81;
	*share = -test_load(w, 0).force[1] / weight;
	const double fallen = before - test_mean_height(w, body);
	oz_world_destroy(w);
	return fallen;
}

static void what_sticks_to_a_ceiling_hangs_and_what_does_not_falls(void **state)
{
	(void)state;
	double share;
	oz_material_def slime = test_glue(3000, LONG_TIME);
	slime.viscosity = 1;
	double fallen = hang(&slime, true, 1, &share);
	print_message("hangs: %.4f m fallen, ceiling bears %.3f of the weight\n", fallen, share);
	assert_true(fallen < 0.005);
	test_near(share, 1, 0.02, "share of the weight");
	const double free_fall = 0.5 * GRAVITY * 0.3 * 0.3;
	oz_material_def thin = slime;
	thin.viscosity = 0.001f;
	fallen = hang(&thin, false, 0.3, &share);
	test_near(fallen, free_fall, 0.02 * free_fall, "fall from a ceiling without adhesion, m");
	// 40 mm of it weigh 390 Pa: 200 Pa do not hold that, 2000 do
	slime.sticky = 200;
	fallen = hang(&slime, true, 0.5, &share);
	assert_true(fallen > 0.3);
	slime.sticky = 2000;
	fallen = hang(&slime, true, 0.5, &share);
	assert_true(fallen < 0.005);
}

// A single particle, which has no links: holds act in explicit and in implicit steps.
static void a_drop_of_one_particle_hangs_from_a_ceiling(void **state)
{
	(void)state;
	for (int stiff = 0; stiff < 2; stiff++) {
		oz_world_def def = test_space_def(0.01);
		def.gravity = oz_v3(0, -9.81f, 0);
		def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
		oz_world *w = test_world(&def);
		test_add_wall(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.05, 0.1)), false,
		              NULL, 0);
		const oz_material_def slime = test_glue(stiff ? 1e5 : 100, LONG_TIME);
		const oz_id body = test_add_particle(w, test_add_material(w, &slime),
		                                     oz_v3(0, -0.005f, 0), oz_v3(0, 0, 0));
		test_run_until(w, 0.2);
		test_load(w, 0);
		test_run_until(w, 0.5);
		const double y = test_mean_height(w, body);
		const double share = -test_load(w, 0).force[1] / (1e-6 * 1000 * GRAVITY);
		print_message("%s: at %.4f m, the ceiling bears %.3f of the weight\n",
		              stiff ? "stiff" : "soft", y, share);
		assert_true(y > -0.01);
		test_near(share, 1, 0.05, "share of the weight");
		oz_world_destroy(w);
	}
}

// Stiff slime slides along a wall that bears `sticky` and no more, whatever the time step: the
// weight of 8 cm is 785 Pa on each area. `fallen` is the way after 0.3 s.
static double slide(double sticky, double step, double *drag)
{
	oz_world_def def = test_space_def(0.01);
	def.gravity = oz_v3(0, -9.81f, 9.81f);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.time_step = (float)step;
	oz_world *w = test_world(&def);
	oz_collider_def wall = oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)));
	wall.load = wall.slip = true;
	test_add_collider(w, &wall);
	oz_material_def slime = test_glue(10000, LONG_TIME);
	slime.sticky = (float)sticky;
	const oz_shape block = test_box(vec_of(-0.04, 0, -0.04), vec_of(0.04, 0.08, 0.04));
	test_add_filled(w, test_add_material(w, &slime), &block, OZ_FILL_LATTICE);
	test_run_until(w, 0.1);
	test_load(w, 0);
	test_run_until(w, 0.3);
	*drag = test_load(w, 0).force[2] / (0.08 * 0.08);
	const double way = test_stats(w).centre[2];
	oz_world_destroy(w);
	return way;
}

static void a_wall_bears_sticky_at_any_time_step(void **state)
{
	(void)state;
	const double steps[] = {0.0005, 0.001, 0.003};
	for (int k = 0; k < 3; k++) {
		double drag;
		const double way = slide(200, steps[k], &drag);
		print_message("step %g s: %.3f m in 0.3 s, drag %.0f Pa\n", steps[k], way, drag);
		test_near(drag, 200, 30, "drag along a wall, Pa");
	}
}

// Pa, the largest tension, as a mean over 4 ms, of a block between two plates that part
static double pull_off(double sticky, double step)
{
	oz_world_def def = test_space_def(0.01);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.time_step = (float)step;
	oz_world *w = test_world(&def);
	oz_keyframe frames[2];
	for (int k = 0; k < 2; k++)
		frames[k] = (oz_keyframe){.time = (float)(0.02 + 0.3 * k),
		                          .position = {0, (float)(0.06 + 0.002 * k), 0},
		                          .rotation = {0, 0, 0, 1}};
	test_add_wall(w, test_box(vec_of(-0.1, -0.04, -0.1), vec_of(0.1, 0, 0.1)), false, NULL, 0);
	test_add_wall(w, test_box(vec_of(-0.1, 0.04, -0.1), vec_of(0.1, 0.08, 0.1)), false, frames,
	              2);
	oz_material_def slime = test_glue(10000, LONG_TIME);
	slime.sticky = (float)sticky;
	slime.viscosity = 5;
	const oz_shape block = test_box(vec_of(-0.04, 0, -0.04), vec_of(0.04, 0.04, 0.04));
	test_add_filled(w, test_add_material(w, &slime), &block, OZ_FILL_LATTICE);
	double most = 0;
	for (int k = 1; k <= 80; k++) {
		test_run_until(w, 0.004 * k);
		most = fmax(most, -test_load(w, 1).force[1] / (0.08 * 0.08));
	}
	oz_world_destroy(w);
	return most;
}

// A plate comes off when the tension reaches `sticky`, a little earlier at its edges.
static void a_plate_comes_off_at_sticky_at_any_time_step(void **state)
{
	(void)state;
	const double steps[] = {0.0005, 0.001, 0.002, 0.004};
	for (int k = 0; k < 4; k++) {
		const double most = pull_off(300, steps[k]), twice = pull_off(600, steps[k]);
		print_message("step %g s: pull-off at %.0f of 300 Pa, %.0f of 600 Pa\n", steps[k],
		              most, twice);
		assert_true(most > 0.8 * 300 && most < 1.02 * 300);
		assert_true(twice > 0.8 * 600 && twice < 1.02 * 600);
	}
}

// a fluid that relaxes quickly runs down from the ceiling
static void slime_that_relaxes_flows_from_the_ceiling(void **state)
{
	(void)state;
	double share;
	oz_material_def slime = test_glue(3000, 0.02);
	const double fallen = hang(&slime, true, 0.5, &share);
	print_message("flows: %.4f m fallen\n", fallen);
	assert_true(fallen > 0.01);
}

// a rigid cube hangs in a lump that sticks to a ceiling; without adhesion it falls out
static void a_cube_hangs_in_slime_that_sticks_to_it(void **state)
{
	(void)state;
	for (int sticks = 0; sticks < 2; sticks++) {
		const double s = 0.01;
		oz_world_def def = test_space_def(s);
		def.gravity = oz_v3(0, -9.81f, 0);
		def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
		oz_world *w = test_world(&def);
		test_add_wall(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.05, 0.1)), false,
		              NULL, 0);
		oz_material_def slime = test_glue(5000, LONG_TIME);
		slime.viscosity = 1;
		const oz_material_def wood = oz_material_default(OZ_RIGID);
		const oz_shape lump = test_box(vec_of(-0.03, -0.04, -0.03), vec_of(0.03, 0, 0.03));
		const oz_shape cube =
		        test_box(vec_of(-0.02, -0.08, -0.02), vec_of(0.02, -0.04, 0.02));
		const oz_id one = test_add_material(w, &slime), two = test_add_material(w, &wood);
		test_add_filled(w, one, &lump, OZ_FILL_LATTICE);
		const oz_id body = test_add_filled(w, two, &cube, OZ_FILL_LATTICE);
		oz_adhesion_def adhesion = oz_adhesion_default(one, two);
		adhesion.sticks = sticks;
		test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
		test_run_until(w, 0.4);
		const double y = test_mean_height(w, body);
		print_message("sticks %d: cube at %.4f m\n", sticks, y);
		assert_true(sticks ? y > -0.07 : y < -0.3);
		oz_world_destroy(w);
	}
}

// m/s, rms speed of a rigid cube that hangs on a lump of slime or lies on one, after 1.5 s
static double trembling(bool hangs, double density)
{
	oz_world_def def = test_space_def(0.01);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	// the ceiling or the floor of the lump
	const double low = hangs ? 0 : -0.09;
	test_add_wall(w, test_box(vec_of(-0.1, low, -0.1), vec_of(0.1, low + 0.05, 0.1)), false,
	              NULL, 0);
	oz_material_def slime = test_glue(5000, LONG_TIME), cork = oz_material_default(OZ_RIGID);
	slime.viscosity = 1;
	cork.density = (float)density;
	const oz_shape lump = test_box(vec_of(-0.03, -0.04, -0.03), vec_of(0.03, 0, 0.03));
	const oz_shape below = test_box(vec_of(-0.02, -0.08, -0.02), vec_of(0.02, -0.04, 0.02));
	const oz_shape above = test_box(vec_of(-0.02, 0, -0.02), vec_of(0.02, 0.04, 0.02));
	test_add_filled(w, test_add_material(w, &slime), &lump, OZ_FILL_LATTICE);
	test_add_filled(w, test_add_material(w, &cork), hangs ? &below : &above, OZ_FILL_LATTICE);
	test_run_until(w, 1.5);
	double sum = 0, edge = 0;
	uint32_t steps = 0;
	while (test_stats(w).time < 1.7) {
		oz_rigid_state r;
		test_step(w);
		test_must(oz_world_get_rigid(w, 1, &r, NULL), NULL);
		for (int k = 0; k < 3; k++) {
			sum += r.velocity[k] * r.velocity[k];
			edge += 0.02 * 0.02 * r.spin[k] * r.spin[k];
		}
		steps++;
	}
	oz_world_destroy(w);
	print_message("a cube of %g kg/m³ %s slime: %.5f m/s, its edges %.5f m/s\n", density,
	              hangs ? "below" : "on", sqrt(sum / steps), sqrt(edge / steps));
	return sqrt((sum + edge) / steps);
}

// 1 mm/s: gravity alone changes the speed by 20 mm/s in a step
static void a_light_cube_on_slime_comes_to_rest(void **state)
{
	(void)state;
	const double density[] = {20, 100};
	for (int k = 0; k < 2; k++)
		for (int hangs = 0; hangs < 2; hangs++)
			assert_true(trembling(hangs, density[k]) < 0.001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_sticks_to_a_ceiling_hangs_and_what_does_not_falls),
	        cmocka_unit_test(a_drop_of_one_particle_hangs_from_a_ceiling),
	        cmocka_unit_test(a_wall_bears_sticky_at_any_time_step),
	        cmocka_unit_test(a_plate_comes_off_at_sticky_at_any_time_step),
	        cmocka_unit_test(slime_that_relaxes_flows_from_the_ceiling),
	        cmocka_unit_test(a_cube_hangs_in_slime_that_sticks_to_it),
	        cmocka_unit_test(a_light_cube_on_slime_comes_to_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
