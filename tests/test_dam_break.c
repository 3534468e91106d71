// test_dam_break.c: a collapsing column of water against an experiment.
//
// Martin & Moyce, "An experimental study of the collapse of liquid columns on a rigid horizontal
// plane", Phil. Trans. R. Soc. A 244 (1952), tables 2 and 6: a column a = 2.25 inches wide and 2 a
// high, n² = 2. With T = t √(2 g / a) and Z = front / a the points below.
//
// The moment at which the water is free need not be that of T = 0, because a release takes time. So
// one offset of time is fitted. Over a floor without friction the simulation is ahead of the points
// by T = 0.20 to 0.29 everywhere from Z = 1.4 to 3.9, so that one offset is enough. A floor with a
// friction of 0.1 and an offset of 0.1 is as near: the experiment does not decide between them.
#include "worlds.h"

enum { ACROSS = 24, DEEP = 6, POINTS = 15 }; // particles across a and between the side walls
static const double a = 0.05715;             // m, width of the column
static const double scale = 18.53;           // 1/s, √(2 g / a)

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

enum { LOOKS = 340 };

// Z at the time T, from the fronts at T = 0, 0.01 …
static double front_at(const double *fronts, double time)
{
	const int k = (int)fmin(fmax(100 * time, 0), LOOKS - 2);
	return fronts[k] + (fronts[k + 1] - fronts[k]) * (100 * time - k);
}

// before Z = 1.4 the release is still on its way, after 3.9 the experiment's scatter grows
static bool is_compared(const surge *s)
{
	return s->front > 1.4 && s->front < 3.9;
}

// how much later the experiment's front comes to a point, in units of T
static double delay_of(const double *fronts, const surge *point)
{
	int n = 0;
	while (n < LOOKS - 1 && fronts[n] < point->front)
		n++;
	return point->time - 0.01 * n;
}

// the mean of all compared points
static double offset_of(const double *fronts)
{
	double sum = 0;
	int count = 0;
	for (int k = 0; k < POINTS; k++) {
		sum += is_compared(&experiment[k]) ? delay_of(fronts, &experiment[k]) : 0;
		count += is_compared(&experiment[k]);
	}
	return sum / count;
}

static void surge_front_follows_the_experiment(void **state)
{
	(void)state;
	oz_world *w = make_dam();
	static double fronts[LOOKS];
	for (int k = 0; k < LOOKS; k++) {
		test_run_until(w, 0.01 * k / scale);
		fronts[k] = front_of(w) / a;
	}
	const double offset = offset_of(fronts);
	print_message("the experiment's time begins %.3f, or %.1f ms, before the water moves\n",
	              offset, 1000 * offset / scale);
	// 20 ms: in which the front of a free column moves by less than a tenth of a
	test_near(offset, 0.185, 0.185, "offset of the experiment's time");
	for (int k = 0; k < POINTS; k++) {
		if (!is_compared(&experiment[k]))
			continue;
		// 0.06: one offset is enough for all points
		test_near(delay_of(fronts, &experiment[k]), offset, 0.06, "delay of one point");
		// 5 %: so much do the experiment's own runs scatter
		test_near(front_at(fronts, experiment[k].time - offset) / experiment[k].front, 1,
		          0.05, "front over the experiment's");
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
