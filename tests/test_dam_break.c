// test_dam_break.c: a collapsing column of water against an experiment.
//
// Martin & Moyce, "An experimental study of the collapse of liquid columns on a rigid horizontal
// plane", Phil. Trans. R. Soc. A 244 (1952), tables 2 and 6: a column a = 2.25 inches wide and 2 a
// high, n² = 2. With T = t √(2 g / a) and Z = front / a the points below. The floor drags: a
// frictionless one runs ahead of the experiment by up to 15 %.
#include "worlds.h"

enum { ACROSS = 24, DEEP = 6, POINTS = 15 }; // particles across a and between the side walls
static const double a = 0.05715;             // m, width of the column
static const double drag = 0.1;              // Coulomb coefficient of tank and floor

typedef struct surge {
	double time, front; // T, Z
} surge;

static const surge experiment[POINTS] = {
        {0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
        {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
        {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11},
};

static oz_world *make_dam(void)
{
	oz_world_def def = oz_world_default();
	const double s = a / ACROSS;
	def.spacing = (float)s;
	oz_world *w = test_world(&def);
	oz_collider_def tank =
	        oz_collider_default(test_box(vec_of(0, 0, 0), vec_of(6 * a, 4 * a, DEEP * s)));
	tank.inside = true;
	tank.friction = (float)drag;
	test_add_collider(w, &tank);
	const oz_shape column = test_box(vec_of(0, 0, 0), vec_of(a, 2 * a, DEEP * s));
	test_add_filled(w, test_add_liquid(w, 1000, 0.001f, oz_material_default(OZ_FLUID).damping),
	                &column, OZ_FILL_LATTICE);
	assert_int_equal(oz_world_particle_count(w), ACROSS * 2 * ACROSS * DEEP);
	return w;
}

static int by_number(const void *left, const void *right)
{
	const double i = *(const double *)left, j = *(const double *)right;
	return (i > j) - (i < j);
}

// m, how far the bulk near the floor reaches: up to the first gap of two spacings
static double front_of(oz_world *w)
{
	const double s = a / ACROSS;
	test_particles all = test_particles_read(w);
	double *x = malloc((all.count + 1) * sizeof *x), front = 0;
	assert_non_null(x);
	uint32_t low = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].x.y < 4 * s)
			x[low++] = all.at[i].x.x;
	qsort(x, low, sizeof *x, by_number);
	for (uint32_t i = 0; i < low && x[i] - front < 2 * s; i++)
		front = x[i];
	free(x);
	test_particles_free(&all);
	return front + 0.5 * s;
}

static void surge_front_follows_the_experiment(void **state)
{
	(void)state;
	oz_world *w = make_dam();
	for (int k = 0; k < POINTS; k++) {
		test_run_until(w, experiment[k].time / sqrt(2 * GRAVITY / a));
		const double wanted = experiment[k].front, front = front_of(w) / a;
		// before Z = 1.4 the experiment's gate is still on its way, after 3.9 its scatter
		// grows
		if (wanted > 1.4 && wanted < 3.9)
			// 10 %: the claim; the experiment's own runs scatter by 5 %
			test_near(front / wanted, 1, 0.1, "front over the experiment's");
	}
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(surge_front_follows_the_experiment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
