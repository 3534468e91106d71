// test_filament.c: a thread of a polymer solution between two pools thins by its surface tension as
// exp(-t/3 λ) (Entov & Hinch 1997): the stress of the polymer, which decays as exp(-t/λ) and grows
// as the square of the stretch, balances the pressure σ/R. Without polymer the thread is gone in a
// fraction of that time.
#include "models/polymer/polymer.h"
#include "worlds.h"

static const double s = 1e-3, radius = 4e-3, length = 32e-3, wide = 13e-3, deep = 4e-3; // m
static const double sigma = 0.07, relaxation = 0.2;                                     // N/m, s

#define STRAIN 20.0 // of the polymer along the thread at the start
#define SHARE  0.8  // its stress at the start over σ/R

// a vessel with a thread along y between two pools; gives the number of particles of the thread
static oz_world *make_thread(double modulus, uint32_t *thread)
{
	oz_world_def def = test_space_def(s);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	const double high = 0.5 * length + deep, wall = 2 * wide;
	test_add_wall(w, oz_shape_make(OZ_SHAPE_CYLINDER, oz_v3((float)wide, 1, 0)), true, NULL, 0);
	test_add_wall(w, test_box(vec_of(-wall, -high - wide, -wall), vec_of(wall, -high, wall)),
	              false, NULL, 0);
	test_add_wall(w, test_box(vec_of(-wall, high, -wall), vec_of(wall, high + wide, wall)),
	              false, NULL, 0);
	oz_material_def m = oz_material_default(OZ_POLYMER);
	m.viscosity = 0.01f;
	m.shear_modulus = (float)modulus;
	m.relaxation_time = (float)relaxation;
	m.surface_tension = (float)sigma;
	m.cohesion = 100;
	const oz_id material = test_add_material(w, &m);
	oz_shape part = oz_shape_make(OZ_SHAPE_CYLINDER, oz_v3((float)radius, (float)length, 0));
	test_add_filled(w, material, &part, OZ_FILL_BLUE_NOISE);
	*thread = w->sim.particles.count;
	part.size = oz_v3((float)wide, (float)deep, 0);
	for (int side = -1; side < 2; side += 2) {
		part.position.y = (float)(0.5 * side * (length + deep));
		test_add_filled(w, material, &part, OZ_FILL_BLUE_NOISE);
	}
	return w;
}

// gives the first particles the strain A of a stretched thread
static void stretch_polymer(oz_world *w, uint32_t thread)
{
	const oz_polymers *p = oz_model_state(&w->sim, &oz_polymer_model);
	const float across = (float)(1 / sqrt(1 + STRAIN) - 1);
	const oz_float4 a = {across, 0, 0, (float)STRAIN}, b = {0, across, 0, 0};
	for (uint32_t i = 0; i < thread; i++) {
		test_put(w, p->strain_a, sizeof a * i, &a, sizeof a);
		test_put(w, p->strain_b, sizeof b * i, &b, sizeof b);
	}
}

// m, mean radius of a part of the thread, from the number of its particles
static double radius_between(oz_world *w, double low, double high)
{
	test_particles all = test_particles_read(w);
	uint32_t count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		count += all.at[i].x.y > low && all.at[i].x.y < high;
	test_particles_free(&all);
	return sqrt(count * s * s * s / (PI * (high - low)));
}

static double radius_of(oz_world *w)
{
	return radius_between(w, -6 * s, 6 * s);
}

static void a_thread_of_polymer_thins_exponentially(void **state)
{
	(void)state;
	enum { FIRST = 4, LAST = 16 }; // tenths of λ: the flow needs some time to begin
	uint32_t thread;
	oz_world *w = make_thread(SHARE * sigma / (radius * STRAIN), &thread);
	stretch_polymer(w, thread);
	double x = 0, y = 0, xx = 0, xy = 0, n = 0;
	for (int k = FIRST; k <= LAST; k++) {
		const double t = 0.1 * k;
		test_run_until(w, t * relaxation);
		const double r = radius_of(w), u = log(r / radius);
		print_message("after %.1f λ: radius %.2f spacings\n", t, r / s);
		x += t;
		y += u;
		xx += t * t;
		xy += t * u;
		n++;
	}
	const double rate = -(n * xy - x * y) / (n * xx - x * x);
	print_message("rate of thinning: %.3f of 1/3 λ\n", 3 * rate);
	test_near(3 * rate, 1, 0.15, "rate of thinning over 1/3 λ");
	assert_true(radius_of(w) > 0.5 * radius);
	oz_world_destroy(w);
}

// the opposite
static void a_thread_without_polymer_breaks(void **state)
{
	(void)state;
	uint32_t thread;
	oz_world *w = make_thread(0, &thread);
	double least = radius, t = 0;
	while (t < 0.8 && least >= 0.2 * radius) {
		t += 0.1;
		test_run_until(w, t * relaxation);
		for (int k = -6; k < 6; k++)
			least = fmin(least, radius_between(w, 2 * k * s, 2 * (k + 1) * s));
	}
	print_message("without polymer after %.1f λ: least radius %.2f spacings\n", t, least / s);
	assert_true(least < 0.2 * radius);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_thread_of_polymer_thins_exponentially),
	        cmocka_unit_test(a_thread_without_polymer_breaks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
