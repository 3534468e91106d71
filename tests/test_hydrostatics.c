// test_hydrostatics.c: water at rest in a tank must come to rest and weigh what it weighs.
//
// A column ten spacings wide and thirty high, for ten seconds: its pressure is that of the water
// above, its motion dies away, it keeps its height and stays in the tank. A wall that feeds energy
// into the water, or a time step at the edge of stability, shows here first.
#include "physics.h"

enum { WIDE = 10, HIGH = 30, FRAMES = 20 };
static const double spacing = 0.02; // m

typedef struct second {
	double kinetic;        // mean over the second, a share of m g H
	double surface;        // m, height of the free surface, mean
	double pressure[HIGH]; // Pa, mean in layers of one spacing, from the floor
	double height[HIGH];   // m, mean of the particles in a layer
	uint32_t grains[HIGH]; // counted in each layer
	uint32_t outside;      // of the tank, at any look
} second;

static oz_world *make_column(oz_eos eos, float viscosity, float damping)
{
	oz_world_def def = oz_world_default();
	def.eos = eos;
	oz_world *w = oz_phys_world(&def);
	const double x = WIDE * spacing, y = HIGH * spacing;
	const oz_shape column = oz_phys_box(vec_of(0, 0, 0), vec_of(x, y, x));
	oz_phys_tank(w, vec_of(0, 0, 0), vec_of(x, 2 * y, x));
	oz_phys_fill(w, oz_phys_material(w, 1000, viscosity, damping), &column, OZ_FILL_LATTICE);
	assert_int_equal(oz_world_particle_count(w), WIDE * HIGH * WIDE);
	return w;
}

static int by_height_down(const void *a, const void *b)
{
	const double i = ((const grain *)a)->x.y, j = ((const grain *)b)->x.y;
	return (i < j) - (i > j);
}

static bool is_outside(vec x)
{
	const double wide = WIDE * spacing;
	return !(x.x > 0 && x.x < wide && x.z > 0 && x.z < wide && x.y > 0);
}

static void look(oz_world *w, second *s)
{
	grains all = oz_phys_grains(w);
	qsort(all.at, all.count, sizeof *all.at, by_height_down);
	double top = 0;
	// the highest layer's worth of particles lies half a spacing below the surface
	for (int i = 0; i < WIDE * WIDE; i++)
		top += all.at[i].x.y / (WIDE * WIDE);
	s->surface += (top + 0.5 * spacing) / FRAMES;
	for (uint32_t i = 0; i < all.count; i++) {
		s->outside += is_outside(all.at[i].x);
		const int k = (int)(all.at[i].x.y / spacing);
		if (k < 0 || k >= HIGH)
			continue;
		s->pressure[k] += all.at[i].pressure;
		s->height[k] += all.at[i].x.y;
		s->grains[k]++;
	}
	oz_phys_release(&all);
}

static second pass_second(oz_world *w)
{
	second s = {0};
	const double begin = oz_world_time(w), high = HIGH * spacing;
	const double weight = 1000 * WIDE * WIDE * spacing * spacing * high * GRAVITY;
	for (int k = 1; k <= FRAMES; k++) {
		oz_phys_until(w, begin + (double)k / FRAMES);
		s.kinetic += oz_phys_kinetic(w) / (weight * high) / FRAMES;
		look(w, &s);
	}
	for (int k = 0; k < HIGH; k++)
		if (s.grains[k])
			s.pressure[k] /= s.grains[k], s.height[k] /= s.grains[k];
	return s;
}

// the first and the last of ten seconds, for each equation of state; run once for all tests
typedef struct history {
	second first, last;
	uint32_t outside;
} history;
static history histories[OZ_EOS_COUNT];

static int run_all(void **state)
{
	(void)state;
	for (int eos = 0; eos < OZ_EOS_COUNT; eos++) {
		history *h = &histories[eos];
		const oz_material_def water = oz_material_default(OZ_FLUID);
		oz_world *w = make_column((oz_eos)eos, water.viscosity, water.damping);
		for (int k = 0; k < 10; k++) {
			h->last = pass_second(w);
			h->outside += h->last.outside;
			if (k == 0)
				h->first = h->last;
		}
		oz_world_destroy(w);
	}
	return 0;
}

static void hold_pressure(const history *h)
{
	const double support = 2 * spacing;
	int layers = 0;
	for (int k = 0; k < HIGH; k++) {
		const double depth = h->last.surface - h->last.height[k];
		if (h->last.grains[k] < FRAMES || depth < support)
			continue;
		layers++;
		// 3 % of ρ g depth: the claim
		oz_phys_near(h->last.pressure[k] / (1000 * GRAVITY * depth), 1, 0.03,
		             "pressure over ρ g depth");
	}
	assert_true(layers >= HIGH - 4);
}

static void pressure_is_that_of_the_water_above_linear(void **state)
{
	(void)state;
	hold_pressure(&histories[OZ_EOS_LINEAR]);
}

static void pressure_is_that_of_the_water_above_tait(void **state)
{
	(void)state;
	hold_pressure(&histories[OZ_EOS_TAIT]);
}

static void come_to_rest(const history *h)
{
	// of m g H: a ten-thousandth is a hundredth of a spacing's fall for every particle
	oz_phys_near(h->last.kinetic, 0, 1e-4, "kinetic energy over m g H");
	// far below the first second's, in which the column settles under its weight
	assert_true(h->last.kinetic < 0.1 * h->first.kinetic);
}

static void standing_water_comes_to_rest_linear(void **state)
{
	(void)state;
	come_to_rest(&histories[OZ_EOS_LINEAR]);
}

static void standing_water_comes_to_rest_tait(void **state)
{
	(void)state;
	come_to_rest(&histories[OZ_EOS_TAIT]);
}

static void standing_water_keeps_its_height(void **state)
{
	(void)state;
	// 2 %: the claim; the speed of sound alone lets it sink by g H / 2 c² = 0.7 %
	for (int eos = 0; eos < OZ_EOS_COUNT; eos++)
		oz_phys_near(histories[eos].last.surface / (HIGH * spacing), 1, 0.02,
		             "height over the first height");
}

static void standing_water_stays_in_its_tank(void **state)
{
	(void)state;
	for (int eos = 0; eos < OZ_EOS_COUNT; eos++)
		assert_int_equal(histories[eos].outside, 0);
}

static double potential(oz_world *w)
{
	grains all = oz_phys_grains(w);
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		sum += 1000 * spacing * spacing * spacing * GRAVITY * all.at[i].x.y;
	oz_phys_release(&all);
	return sum;
}

// compression stores energy too, but only what these two have lost
static void undamped_water_in_a_tank_gains_no_energy(void **state)
{
	(void)state;
	for (int eos = 0; eos < OZ_EOS_COUNT; eos++) {
		oz_world *w = make_column((oz_eos)eos, 0, 0);
		const double before = potential(w);
		oz_phys_until(w, 1);
		const double after = potential(w) + oz_phys_kinetic(w);
		// 1e-3: leapfrog's energy swings by (Δt ω)² of the little that moves
		if (after > 1.001 * before)
			fail_msg("energy has grown from %g J to %g J", before, after);
		oz_world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(pressure_is_that_of_the_water_above_linear),
	        cmocka_unit_test(pressure_is_that_of_the_water_above_tait),
	        cmocka_unit_test(standing_water_comes_to_rest_linear),
	        cmocka_unit_test(standing_water_comes_to_rest_tait),
	        cmocka_unit_test(standing_water_keeps_its_height),
	        cmocka_unit_test(standing_water_stays_in_its_tank),
	        cmocka_unit_test(undamped_water_in_a_tank_gains_no_energy),
	};
	return cmocka_run_group_tests(tests, run_all, NULL);
}
