// test_links.c: links in free space: they keep linear and angular momentum, make two lumps one,
// break at their extensibility and do not relax below a melting point; with the paper's constants
// they follow its eq 6 and 7.
#include "links.h"
#include "mixes.h"

// ---- free space --------------------------------------------------------------------------------

static oz_id add_ball(oz_world *w, const oz_material_def *def, vec centre, double radius,
                      vec velocity)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)radius, 0, 0));
	ball.position = oz_v3((float)centre.x, (float)centre.y, (float)centre.z);
	return test_add_thrown(w, test_add_material(w, def), &ball, velocity);
}

// two balls of different slime, a rigid cube and a rubber cube hit each other off centre
static void fly_together(oz_pressure pressure)
{
	oz_world_def def = test_space_def(0.01);
	def.pressure = pressure;
	oz_world *w = test_world(&def);
	const oz_material_def soft = test_glue(200, 0.2), stiff = test_glue(5000, 1);
	oz_material_def stone = oz_material_default(OZ_RIGID);
	oz_material_def rubber = test_elastic(1e5, 0.3);
	stone.friction = rubber.friction = 0;
	add_ball(w, &soft, vec_of(-0.045, 0.01, 0), 0.03, vec_of(1, 0, 0.2));
	add_ball(w, &stiff, vec_of(0.045, -0.01, 0.01), 0.03, vec_of(-1, 0, 0));
	const oz_shape cube = test_box(vec_of(-0.02, 0.06, -0.02), vec_of(0.02, 0.1, 0.02));
	const oz_shape other = test_box(vec_of(-0.02, -0.1, -0.02), vec_of(0.02, -0.06, 0.02));
	test_add_thrown(w, test_add_material(w, &rubber), &cube, vec_of(0, -1, 0));
	test_add_thrown(w, test_add_material(w, &stone), &other, vec_of(0, 1, 0));
	const test_momenta before = test_momenta_of(w);
	test_run_until(w, 0.15);
	test_momenta after = test_momenta_of(w);
	after.angular = vec_mad(after.angular, test_own_momentum(w, 3), 1);
	oz_rigid_state r;
	test_must(oz_world_get_rigid(w, 3, &r, NULL), NULL);
	const double linear = vec_length(vec_sub(after.linear, before.linear));
	const double angular = vec_length(vec_sub(after.angular, before.angular));
	print_message("momenta change by %.1e and %.1e\n", linear / before.linear_scale,
	              angular / before.angular_scale);
	assert_true(linear < 1e-5 * before.linear_scale);
	assert_true(angular < 1e-5 * before.angular_scale);
	// they have hit: the stone has lost speed
	assert_true(r.velocity[1] < 0.9);
	oz_world_destroy(w);
}

static void what_flies_together_keeps_its_momentum(void **state)
{
	(void)state;
	fly_together(OZ_PRESSURE_INCOMPRESSIBLE);
	fly_together(OZ_PRESSURE_EOS);
}

// Two balls alone: angular momentum, too. They stick: after the impact they are one piece that
// turns about its centre; with an adhesion that says so, they part again.
static void two_balls_merge_unless_the_table_says_no(void **state)
{
	(void)state;
	for (int sticks = 0; sticks < 2; sticks++) {
		oz_world_def def = test_space_def(0.01);
		def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
		oz_world *w = test_world(&def);
		const oz_material_def slime = test_glue(500, 0.5);
		add_ball(w, &slime, vec_of(-0.04, 0.008, 0), 0.03, vec_of(0.4, 0, 0));
		add_ball(w, &slime, vec_of(0.04, -0.008, 0), 0.03, vec_of(-0.4, 0, 0));
		oz_adhesion_def adhesion = oz_adhesion_default(0, 1);
		adhesion.sticks = sticks;
		test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
		const test_momenta before = test_momenta_of(w);
		double kinetic = test_kinetic_energy(w);
		for (int k = 1; k <= 8; k++) {
			test_run_until(w, 0.1 * k);
			assert_true(test_kinetic_energy(w) < 1.001 * kinetic);
		}
		const test_momenta after = test_momenta_of(w);
		assert_true(vec_length(vec_sub(after.linear, before.linear)) <
		            1e-5 * before.linear_scale);
		assert_true(vec_length(vec_sub(after.angular, before.angular)) <
		            1e-5 * before.angular_scale);
		test_particles all = test_particles_read(w);
		double apart = 1;
		for (uint32_t i = 0; i < all.count; i++)
			for (uint32_t j = 0; j < i; j++)
				if (all.at[i].body != all.at[j].body)
					apart = fmin(apart,
					             vec_length(vec_sub(all.at[i].x, all.at[j].x)));
		print_message("sticks %d: %.4f m apart\n", sticks, apart);
		assert_true(sticks ? apart < 0.015 : apart > 0.03);
		test_particles_free(&all);
		oz_world_destroy(w);
	}
}

// A lump that flies away from a stone that it sticks to: links alone pull on the stone, which is
// free. `modulus`: Pa, of explicit or of implicit steps.
static void fly_apart(oz_pressure pressure, double modulus)
{
	oz_world_def def = test_space_def(0.01);
	def.pressure = pressure;
	oz_world *w = test_world(&def);
	const oz_material_def slime = test_glue(modulus, LONG_TIME);
	oz_material_def stone = oz_material_default(OZ_RIGID);
	stone.density = 2000;
	stone.friction = 0;
	const oz_shape lump = test_box(vec_of(-0.04, -0.02, -0.03), vec_of(0, 0.02, 0.03));
	const oz_shape cube = test_box(vec_of(0, -0.01, -0.02), vec_of(0.04, 0.03, 0.02));
	test_add_thrown(w, test_add_material(w, &slime), &lump, vec_of(-0.4, 0, 0.1));
	const oz_id body =
	        test_add_thrown(w, test_add_material(w, &stone), &cube, vec_of(0.4, 0.1, 0));
	const test_momenta before = test_momenta_of(w);
	test_run_until(w, 0.15);
	test_momenta after = test_momenta_of(w);
	after.angular = vec_mad(after.angular, test_own_momentum(w, body), 1);
	const double linear = vec_length(vec_sub(after.linear, before.linear));
	const double angular = vec_length(vec_sub(after.angular, before.angular));
	oz_rigid_state r;
	test_must(oz_world_get_rigid(w, body, &r, NULL), NULL);
	print_message("pressure %d, %g Pa: momenta change by %.1e and %.1e; the stone flies at "
	              "%.3f m/s and turns at %.1f rad/s\n",
	              (int)pressure, modulus, linear / before.linear_scale,
	              angular / before.angular_scale, r.velocity[0], r.spin[2]);
	test_near(linear / before.linear_scale, 0, 1e-5, "change of momentum");
	test_near(angular / before.angular_scale, 0, 1e-5, "change of angular momentum");
	// the opposite: links have pulled the stone back, and turned it
	assert_true(r.velocity[0] < 0.3 && fabs(r.spin[2]) > 0.5);
	oz_world_destroy(w);
}

static void links_that_pull_a_free_stone_keep_momentum(void **state)
{
	(void)state;
	for (oz_pressure p = 0; p < OZ_PRESSURE_COUNT; p++) {
		fly_apart(p, 500);
		fly_apart(p, 50000);
	}
}

// ---- the implicit solution ---------------------------------------------------------------------

// A strip of stiff slime whose halves part while it falls, alone or with a heavy stone that falls
// elsewhere. Gives the rounds of the solution and the particles of the strip.
static uint32_t fall_beside(double density, test_particles *strip)
{
	oz_world_def def = test_space_def(0.01);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.time_step = 5e-4f;
	oz_world *w = test_world(&def);
	const oz_material_def slime = test_glue(1e5, LONG_TIME);
	const oz_id material = test_add_material(w, &slime);
	const oz_shape left = test_box(vec_of(-0.06, 0, 0), vec_of(0, 0.04, 0.04));
	const oz_shape right = test_box(vec_of(0, 0, 0), vec_of(0.06, 0.04, 0.04));
	test_add_thrown(w, material, &left, vec_of(-0.1, 0, 0));
	test_add_thrown(w, material, &right, vec_of(0.1, 0, 0));
	if (density > 0) {
		oz_material_def stone = oz_material_default(OZ_RIGID);
		stone.density = (float)density;
		const oz_shape cube = test_box(vec_of(1, 0, 0), vec_of(1.08, 0.08, 0.08));
		test_add_filled(w, test_add_material(w, &stone), &cube, OZ_FILL_LATTICE);
	}
	uint32_t rounds = 0;
	for (int k = 0; k < 20; k++)
		rounds += test_step(w).rounds;
	*strip = test_particles_read(w);
	oz_world_destroy(w);
	return rounds;
}

// the accuracy of the solution follows what links can change: a body that they do not touch has no
// influence
static void a_heavy_body_elsewhere_changes_no_accuracy(void **state)
{
	(void)state;
	test_particles alone, beside;
	const uint32_t rounds = fall_beside(0, &alone), more = fall_beside(1e5, &beside);
	double off = 0;
	for (uint32_t i = 0; i < alone.count; i++)
		off = fmax(off, vec_length(vec_sub(alone.at[i].v, beside.at[i].v)));
	print_message("%u and %u rounds, speeds differ by %.1e m/s\n", rounds, more, off);
	assert_true(rounds > 20 && more > 0.95 * rounds);
	// 1e-3 of the change of velocity in a step, in each of 20 steps
	test_near(off, 0, 20 * 1e-3 * 9.81 * 5e-4, "speeds off those without the stone, m/s");
	test_particles_free(&alone);
	test_particles_free(&beside);
}

// ---- two particles -----------------------------------------------------------------------------

#define PAIR_STEP 1e-3 // s

// two particles of different masses that part
static oz_world *make_pair(oz_material_def light, double distance, double speed)
{
	oz_world_def def = test_space_def(0.01);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.time_step = (float)PAIR_STEP;
	oz_world *w = test_world(&def);
	oz_material_def heavy = light;
	light.viscosity = heavy.viscosity = light.damping = heavy.damping = 0;
	heavy.density = 3 * light.density;
	test_add_particle(w, test_add_material(w, &light), oz_v3(0, 0, 0), oz_v3(0, 0, 0));
	test_add_particle(w, test_add_material(w, &heavy), oz_v3((float)distance, 0, 0),
	                  oz_v3((float)speed, 0, 0));
	return w;
}

// eq 6: Δv_i = c m_j/(m_i + m_j) D/Δt; eq 7: c falls by Δt w where D > γ h, to l at least
static void a_pair_follows_eq_6_and_7(void **state)
{
	(void)state;
	const double h = 0.022, r = 0.015;
	oz_material_def def = test_glue(1, 1);
	def.paper = true;
	def.link_correction = 0.02f;
	def.link_least = 0.005f;
	def.link_weakening = 1.5f;
	def.link_yield = 0.2f;
	def.extensibility = 3;
	oz_world *w = make_pair(def, r, 1);
	double c = 0.02;
	double x[2] = {0, r}, v[2] = {0, 1};
	for (int k = 0; k < 25; k++) {
		test_step(w);
		const double D = fmax(x[1] - x[0] - r, 0);
		v[0] += c * 0.75 * D / PAIR_STEP;
		v[1] -= c * 0.25 * D / PAIR_STEP;
		if (D > 0.2 * h)
			c = fmax(c - PAIR_STEP * 1.5, 0.005);
		x[0] += PAIR_STEP * v[0];
		x[1] += PAIR_STEP * v[1];
		test_particles all = test_particles_read(w);
		test_near(all.at[0].v.x, v[0], 1e-4, "speed of the light particle, m/s");
		test_near(all.at[1].v.x, v[1], 1e-4, "speed of the heavy particle, m/s");
		test_particles_free(&all);
	}
	// both equations have been at work
	assert_true(c < 0.02 && v[0] > 0.05);
	oz_world_destroy(w);
}

// a link breaks at its extensibility, β h, and pulls no more
static void a_link_breaks_at_its_extensibility(void **state)
{
	(void)state;
	const double h = 0.022;
	oz_material_def def = test_glue(0.01, LONG_TIME);
	def.extensibility = 1.5f;
	oz_world *w = make_pair(def, 0.015, 1);
	test_step(w);
	assert_int_equal(test_count_links(w, 0), 1);
	double last = 0;
	for (int k = 0; k < 40; k++) {
		test_particles all = test_particles_read(w);
		const double d = all.at[1].x.x - all.at[0].x.x;
		test_particles_free(&all);
		test_step(w);
		const uint32_t links = test_count_links(w, 0);
		if (d < 1.5 * h - 1e-5)
			assert_int_equal(links, 1);
		if (d > 1.5 * h + 1e-5)
			assert_int_equal(links, 0);
		last = d;
	}
	assert_true(last > 2 * h);
	oz_world_destroy(w);
}

// ---- heat --------------------------------------------------------------------------------------

// m, the height of a cube of 6 cm after some time on a floor, at a temperature
static double height_at(double temperature)
{
	oz_world_def def = test_space_def(0.01);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)), false, NULL, 0);
	oz_material_def wax = test_glue(5000, 0.01);
	wax.melting_point = 50;
	const oz_shape box = test_box(vec_of(-0.03, 0, -0.03), vec_of(0.03, 0.06, 0.03));
	test_add_warm(w, test_add_material(w, &wax), &box, temperature);
	test_run_until(w, 1);
	const double height = test_height(w);
	oz_world_destroy(w);
	return height;
}

static void below_its_melting_point_it_keeps_its_shape_and_above_it_flows(void **state)
{
	(void)state;
	const double cold = height_at(20), hot = height_at(80);
	print_message("height after 1 s: %.4f m cold, %.4f m hot\n", cold, hot);
	assert_true(cold > 0.045);
	assert_true(hot < 0.025);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_flies_together_keeps_its_momentum),
	        cmocka_unit_test(two_balls_merge_unless_the_table_says_no),
	        cmocka_unit_test(links_that_pull_a_free_stone_keep_momentum),
	        cmocka_unit_test(a_heavy_body_elsewhere_changes_no_accuracy),
	        cmocka_unit_test(a_pair_follows_eq_6_and_7),
	        cmocka_unit_test(a_link_breaks_at_its_extensibility),
	        cmocka_unit_test(below_its_melting_point_it_keeps_its_shape_and_above_it_flows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
