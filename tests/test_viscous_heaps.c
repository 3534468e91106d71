// test_viscous_heaps.c: thick fluids under gravity: a puddle spreads as Huppert (1982) says; a heap
// with a yield stress stands where one without flows.
#include "worlds.h"

static oz_material_def thick(double viscosity)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	def.viscosity = (float)viscosity;
	return def;
}

// a cylinder of fluid on a floor; *volume: of its particles
static oz_world *make_heap(double spacing, double radius, double high, const oz_material_def *def,
                           double *volume)
{
	oz_world *w = test_floor(spacing, 10);
	oz_shape heap = oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){(float)radius, (float)high, 0});
	heap.position.y = 0.5f * (float)high;
	test_add_filled(w, test_add_material(w, def), &heap, OZ_FILL_LATTICE);
	*volume = oz_world_particle_count(w) * pow(spacing, 3);
	return w;
}

// Huppert 1982: radius 0.894 (g V³/(3 ν))^(1/8) t^(1/8), with the profile (1 - r²/R²)^(1/3): a
// circle of √(1 - 0.05^(3/4)) R holds 95 % of it. Time is counted from when the radius was 0 by
// that law.
static void puddle_spreads_as_huppert_says(void **state)
{
	(void)state;
	double volume;
	const oz_material_def def = thick(10);
	oz_world *w = make_heap(0.004, 0.04, 0.02, &def, &volume);
	const double scale = 0.894 * pow(GRAVITY * pow(volume, 3) / (3 * 10e-3), 0.125) *
	                     sqrt(1 - pow(0.05, 0.75));
	const double times[] = {0.3, 0.6, 1.2};
	double origin = 0;
	for (int k = 0; k < (test_is_long() ? 3 : 2); k++) {
		test_run_until(w, times[k]);
		const double r = test_circle(w, 0.95);
		// the heap begins as a cylinder, not as a point: the first radius gives the origin
		if (k == 0)
			origin = times[0] - pow(r / scale, 8);
		const double wanted = scale * pow(times[k] - origin, 0.125);
		print_message("%g s: radius %.4f m, %.4f by theory\n", times[k], r, wanted);
		assert_true(fabs(origin) < 0.3);
		test_near(r / wanted, 1, 0.07, "radius over theory");
	}
	oz_world_destroy(w);
}

static void heap_with_a_yield_stress_stands_and_without_one_flows(void **state)
{
	(void)state;
	double volume, spreads[2];
	for (int k = 0; k < 2; k++) {
		oz_material_def def = thick(5);
		def.density = 1300;
		// ρ g H/√3 is 150 Pa at the foot
		def.yield_stress = k ? 300 : 0;
		oz_world *w = make_heap(0.004, 0.02, 0.02, &def, &volume);
		test_run_until(w, 0.1);
		const double before = test_circle(w, 0.95);
		test_run_until(w, test_is_long() ? 2 : 0.4);
		spreads[k] = test_circle(w, 0.95) / before;
		oz_world_destroy(w);
	}
	print_message("radius grows by %.4f, and by %.5f with a yield stress\n", spreads[0],
	              spreads[1]);
	assert_true(spreads[0] > 1.1 && spreads[1] < 1.002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(puddle_spreads_as_huppert_says),
	        cmocka_unit_test(heap_with_a_yield_stress_stands_and_without_one_flows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
