// test_energy.c: the energies that oz_stats measures are those that forces store and give back.
#include "worlds.h"

// J, all of it
static double total(oz_world *w)
{
	const oz_stats st = test_stats(w);
	return st.kinetic_energy + st.potential_energy + st.compression_energy + st.elastic_energy;
}

// stretches along x by a part of the length
static vec stretched(const void *context, vec x)
{
	const double part = *(const double *)context;
	return vec_of((1 + part) * x.x, x.y, x.z);
}

typedef struct swing {
	double least, most,
	        kinetic; // of the total energy over that at first; kinetic: its largest share
	double first;    // J
} swing;

// a block of 8 × 4 × 4 spacings that was stretched swings freely
static swing let_go(const oz_material_def *def, double part)
{
	const double s = 0.02;
	oz_world_def space = test_space_def(s);
	space.time_step = 1e-4f; // a seventh of the longest stable one
	oz_world *w = test_world(&space);
	const oz_id m = test_add_material(w, def);
	test_add_block(w, m, vec_of(0, 0, 0), vec_of(8 * s, 4 * s, 4 * s));
	test_place_particles(w, stretched, &part);
	test_step(w);
	swing g = {INFINITY, 0, 0, total(w)};
	for (int k = 0; k < 40; k++) {
		test_steps(w, 10);
		const double now = total(w) / g.first;
		g.least = fmin(g.least, now);
		g.most = fmax(g.most, now);
		g.kinetic = fmax(g.kinetic, test_stats(w).kinetic_energy / g.first);
	}
	oz_world_destroy(w);
	return g;
}

static void a_swinging_bar_keeps_the_sum_of_both_energies(void **state)
{
	(void)state;
	const oz_material_def def = test_elastic(1e5, 0.3);
	const swing g = let_go(&def, 0.05);
	print_message("elastic: %.3e J at first; sum from %.4f to %.4f, kinetic up to %.3f of it\n",
	              g.first, g.least, g.most, g.kinetic);
	assert_true(g.kinetic > 0.3);
	test_near(g.least, 1, 0.005, "least sum");
	test_near(g.most, 1, 0.005, "greatest sum");
}

static void a_stretched_jelly_keeps_the_sum_of_both_energies(void **state)
{
	(void)state;
	oz_material_def def = test_blend(0, 1000);
	def.damping = 0;
	def.viscosity = 0;
	const swing g = let_go(&def, 0.02);
	print_message("blend: %.3e J at first; sum from %.4f to %.4f, kinetic up to %.3f of it\n",
	              g.first, g.least, g.most, g.kinetic);
	assert_true(g.kinetic > 0.3);
	test_near(g.least, 1, 0.005, "least sum");
	test_near(g.most, 1, 0.005, "greatest sum");
}

// Water that is pressed by 2 % swings: its energy moves between compression and motion.
static void pressed_water_keeps_the_sum_of_both_energies(void **state)
{
	(void)state;
	const double s = 0.02, part = -0.03;
	oz_world *w = test_space(s, 20);
	test_add_tank(w, vec_of(-8 * s, -3 * s, -3 * s), vec_of(8 * s, 3 * s, 3 * s));
	const oz_id m = test_add_liquid(w, 1000, 0, 0);
	test_add_block(w, m, vec_of(0, 0, 0), vec_of(16 * s, 6 * s, 6 * s));
	test_place_particles(w, stretched, &part);
	test_step(w);
	const double first = total(w);
	double least = INFINITY, most = 0, kinetic = 0;
	for (int k = 0; k < 30; k++) {
		test_step(w);
		least = fmin(least, total(w) / first);
		most = fmax(most, total(w) / first);
		kinetic = fmax(kinetic, test_stats(w).kinetic_energy / first);
	}
	print_message("water: %.3e J at first; sum from %.3f to %.3f, kinetic up to %.3f of it\n",
	              first, least, most, kinetic);
	assert_true(kinetic > 0.3);
	test_near(least, 1, 0.1, "least sum");
	test_near(most, 1, 0.1, "greatest sum");
	oz_world_destroy(w);
}

// ½ E ε² V of a bar that is stretched slowly along its length: its sides are free. Stretched at
// once, as here, it has the modulus of a volume whose sides are held.
static void a_stretched_block_has_the_energy_of_hooke(void **state)
{
	(void)state;
	const double s = 0.02, young = 1e5, nu = 0.3, part = 0.01;
	oz_world_def space = test_space_def(s);
	space.time_step = 1e-7f;
	oz_world *w = test_world(&space);
	const oz_material_def def = test_elastic(young, nu);
	const oz_id m = test_add_material(w, &def);
	test_add_block(w, m, vec_of(0, 0, 0), vec_of(8 * s, 6 * s, 6 * s));
	test_place_particles(w, stretched, &part);
	test_step(w); // makes the lists
	const double held = young * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
	const double wanted = 0.5 * held * part * part * 8 * 6 * 6 * s * s * s;
	test_near(test_stats(w).elastic_energy / wanted, 1, 0.01, "energy over Hooke's");
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_stretched_block_has_the_energy_of_hooke),
	        cmocka_unit_test(a_swinging_bar_keeps_the_sum_of_both_energies),
	        cmocka_unit_test(a_stretched_jelly_keeps_the_sum_of_both_energies),
	        cmocka_unit_test(pressed_water_keeps_the_sum_of_both_energies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
