// test_hydrostatics.c: water at rest in a tank must come to rest and weigh what it weighs.
//
// A column sixteen spacings wide and thirty high, for four seconds, or for ten if OOZE_LONG=1: its
// pressure is that of the water above, its motion dies away, it keeps its height and stays in the
// tank. A wall that feeds energy into the water, or a time step at the edge of stability, shows
// here first.
#include "worlds.h"

enum { WIDE = 16, HIGH = 30, FRAMES = 20, SECONDS = 10 };

static const double spacing = 0.02; // m

typedef struct second {
	double kinetic;        // mean over the second, a share of m g H
	double centre;         // m, height of the centre of mass, mean
	double pressure[HIGH]; // Pa, mean in layers of one spacing, from the floor, off the walls
	double height[HIGH];   // m, mean of the particles in a layer
	uint32_t particles[HIGH]; // counted in each layer
	double above[HIGH];       // particles above a layer's middle, mean
	uint32_t outside;         // of the tank, at any look
} second;

static oz_world *make_column(oz_eos eos, float viscosity, float damping)
{
	oz_world_def def = oz_world_default();
	def.eos = eos;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const double x = WIDE * spacing, y = HIGH * spacing;
	const oz_shape column = test_box(vec_of(0, 0, 0), vec_of(x, y, x));
	test_add_tank(w, vec_of(0, 0, 0), vec_of(x, 2 * y, x));
	test_add_filled(w, test_add_liquid(w, 1000, viscosity, damping), &column, OZ_FILL_LATTICE);
	assert_int_equal(oz_world_particle_count(w), WIDE * HIGH * WIDE);
	return w;
}

static bool is_outside(vec x)
{
	const double wide = WIDE * spacing;
	return !(x.x > 0 && x.x < wide && x.z > 0 && x.z < wide && x.y > 0);
}

// at least a support radius from the sides: where kernels see water all around
static bool is_amid(vec x)
{
	const double support = 2 * spacing, wide = WIDE * spacing;
	return x.x > support && x.x < wide - support && x.z > support && x.z < wide - support;
}

static void look(oz_world *w, second *s)
{
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		const int k = (int)(x.y / spacing);
		s->outside += is_outside(x);
		for (int layer = 0; layer < HIGH; layer++)
			s->above[layer] += (x.y > (layer + 0.5) * spacing) / (double)FRAMES;
		s->centre += x.y / all.count / FRAMES;
		if (k < 0 || k >= HIGH || !is_amid(x))
			continue;
		s->pressure[k] += all.at[i].pressure;
		s->height[k] += x.y;
		s->particles[k]++;
	}
	test_particles_free(&all);
}

static second pass_second(oz_world *w)
{
	second s = {0};
	const double begin = oz_world_time(w), high = HIGH * spacing;
	const double weight = 1000 * WIDE * WIDE * spacing * spacing * high * GRAVITY;
	for (int k = 1; k <= FRAMES; k++) {
		test_run_until(w, begin + (double)k / FRAMES);
		s.kinetic += test_kinetic_energy(w) / (weight * high) / FRAMES;
		look(w, &s);
	}
	for (int k = 0; k < HIGH; k++)
		if (s.particles[k])
			s.pressure[k] /= s.particles[k], s.height[k] /= s.particles[k];
	return s;
}

static int seconds(void)
{
	return test_is_long() ? SECONDS : 4;
}

// the first and the last second, for each equation of state; run once for all tests
typedef struct history {
	second last;
	double kinetic[SECONDS];
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
		for (int k = 0; k < seconds(); k++) {
			h->last = pass_second(w);
			h->outside += h->last.outside;
			h->kinetic[k] = h->last.kinetic;
		}
		oz_world_destroy(w);
	}
	return 0;
}

// a line through the layers that lie at least a support radius below the surface and above the
// floor
static void hold_pressure(const history *h)
{
	const second *s = &h->last;
	double n = 0, y = 0, p = 0, yy = 0, yp = 0;
	for (int k = 2; k < HIGH - 3; k++) {
		assert_true(s->particles[k] >= FRAMES);
		n += 1, y += s->height[k], p += s->pressure[k];
		yy += s->height[k] * s->height[k], yp += s->height[k] * s->pressure[k];
	}
	const double slope = (n * yp - y * p) / (n * yy - y * y), floor = (p - slope * y) / n;
	// water of 1000 kg/m³ squeezed into less height weighs more for each metre
	const double squeezed = 0.5 * HIGH * spacing / s->centre;
	// 3 %: the claim, for the slope and for every layer's distance from the line
	test_near(-slope / (1000 * GRAVITY * squeezed), 1, 0.03, "slope of pressure over ρ g");
	// and for the pressure itself against the weight above, deeper than a few layers
	for (int k = 2; k < HIGH - 8; k++) {
		const double middle = s->pressure[k] + slope * ((k + 0.5) * spacing - s->height[k]);
		const double mass = 1000 * spacing * spacing * spacing * s->above[k];
		test_near(middle * WIDE * WIDE * spacing * spacing / (mass * GRAVITY), 1, 0.03,
		          "pressure over the weight above");
	}
	for (int k = 2; k < HIGH - 3; k++)
		test_near((s->pressure[k] - floor - slope * s->height[k]) / floor, 0, 0.03,
		          "distance from the line over the pressure at the floor");
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
	// the column rings after gravity is switched on; nothing may feed that
	double early = 0, late = 0;
	for (int k = 0; k < seconds(); k++)
		*(2 * k < seconds() ? &early : &late) += h->kinetic[k];
	assert_true(late < 0.5 * early);
	assert_true(h->kinetic[seconds() - 1] < 0.2 * h->kinetic[0]);
	// of m g H: 2e-4 is a fall of a 250th of a spacing for every particle
	test_near(h->kinetic[seconds() - 1], 0, 2e-4, "kinetic energy over m g H");
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
		test_near(histories[eos].last.centre / (0.5 * HIGH * spacing), 1, 0.02,
		          "height of the centre of mass over the first");
}

static void standing_water_stays_in_its_tank(void **state)
{
	(void)state;
	for (int eos = 0; eos < OZ_EOS_COUNT; eos++)
		assert_int_equal(histories[eos].outside, 0);
}

static double potential(oz_world *w)
{
	test_particles all = test_particles_read(w);
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		sum += 1000 * spacing * spacing * spacing * GRAVITY * all.at[i].x.y;
	test_particles_free(&all);
	return sum;
}

// compression stores energy too, but only what these two have lost
static void undamped_water_in_a_tank_gains_no_energy(void **state)
{
	(void)state;
	for (int eos = 0; eos < OZ_EOS_COUNT; eos++) {
		oz_world *w = make_column((oz_eos)eos, 0, 0);
		const double before = potential(w);
		test_run_until(w, test_is_long() ? 1 : 0.5);
		const double after = potential(w) + test_kinetic_energy(w);
		// 5 %: what a squeeze at the walls may hold at first; a pump gives that in no time
		if (after > 1.05 * before)
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
