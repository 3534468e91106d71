// test_overlap.c: bodies that overlap when they are added part slowly, whatever their models.
#include "mixes.h"
#include "models/traits.h"

static const double s = 0.02; // m, spacing

#define SOUND 20.0 // m/s

static const char *word(int model)
{
	return oz_model_traits_of((oz_model)model)->word;
}

// rotated, so that no rows of two lattices meet
static oz_shape ball_at(double x)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)(3 * s), 0, 0));
	ball.position = oz_v3((float)(x * s), 0.1f * (float)s, 0);
	ball.rotation = test_rotation(vec_of(1, 2, 0.5 + x), 0.7);
	return ball;
}

typedef struct parting {
	double fastest;     // m/s, of all particles at any time
	double first, last; // largest δ - 1
	bool finite;
} parting;

// two balls of 6 spacings across whose centres are 3 spacings apart, at rest in free space
static parting part(oz_pressure pressure, int a, int b, double overlap_time)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.sound_speed = (float)SOUND;
	def.pressure = pressure;
	def.overlap_time = (float)overlap_time;
	def.gravity = oz_v3(0, 0, 0);
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_material_def one = test_plain_material((oz_model)a),
	                      two = test_plain_material((oz_model)b);
	const oz_id first = test_add_material(w, &one);
	const oz_id second = a == b ? first : test_add_material(w, &two);
	const oz_shape left = ball_at(-1.5), right = ball_at(1.5);
	test_add_any(w, first, &left, vec_of(0, 0, 0));
	test_add_any(w, second, &right, vec_of(0, 0, 0));
	parting p = {.finite = true};
	p.first = (double)test_step(w).max_compression;
	while (oz_world_time(w) < 0.2) {
		p.last = (double)test_step(w).max_compression;
		p.fastest = fmax(p.fastest, test_top_speed(w));
	}
	test_particles all = test_particles_read(w);
	p.finite = test_particles_finite(&all);
	test_particles_free(&all);
	oz_world_destroy(w);
	return p;
}

static bool is_solid(int model)
{
	return model == OZ_COROTATED || model == OZ_RIGID;
}

// In an incompressible world two rigid lattices hinder each other: they need more time.
static bool must_have_parted(oz_pressure pressure, int a, int b)
{
	return pressure == OZ_PRESSURE_EOS && is_solid(a) && is_solid(b);
}

static uint32_t part_all(oz_pressure pressure, bool every)
{
	uint32_t wrong = 0;
	for (int a = 0; a < OZ_MODEL_COUNT; a++)
		for (int b = a; b < OZ_MODEL_COUNT && (every || b == a); b++) {
			const parting p = part(pressure, a, b, 0.05);
			const bool good = p.finite && p.fastest < 0.1 * SOUND &&
			                  (p.last < 0.1 || !must_have_parted(pressure, a, b));
			print_message("%s %s %s and %s: %.2f m/s; compressed by %.2f, at the end "
			              "%.2f\n",
			              good ? "    " : "BAD ",
			              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible",
			              word(a), word(b), p.fastest, p.first, p.last);
			wrong += !good;
		}
	return wrong;
}

static void what_overlaps_when_it_is_added_parts_slowly(void **state)
{
	(void)state;
	const bool every = test_is_long();
	assert_int_equal(part_all(OZ_PRESSURE_EOS, every) +
	                         part_all(OZ_PRESSURE_INCOMPRESSIBLE, every),
	                 0);
	// a solution that holds an elastic body, in steps as long as elasticity allows
	const parting held = part(OZ_PRESSURE_INCOMPRESSIBLE, OZ_COROTATED, OZ_POLYMER, 0.05);
	assert_true(held.fastest < 0.1 * SOUND);
	// the opposite: without an overlap time they burst apart
	for (int k = 0; k < 2; k++) {
		const parting p = part(OZ_PRESSURE_EOS, k ? OZ_FLUID : OZ_RIGID,
		                       k ? OZ_FLUID : OZ_COROTATED, 0);
		print_message("without overlap time: %.2f m/s\n", p.fastest);
		assert_true(p.fastest > 0.25 * SOUND);
	}
}

// A body that is added to water later overlaps it, too, and does not throw it up.
static void a_body_that_is_added_to_a_pool_does_not_splash(void **state)
{
	(void)state;
	double fastest[2] = {0, 0};
	for (int k = 0; k < 2; k++) {
		oz_world_def def = oz_world_default();
		def.spacing = (float)s;
		def.sound_speed = (float)SOUND;
		def.threads = 1;
		def.overlap_time = k ? 0 : 0.05f;
		oz_world *w = test_world(&def);
		test_add_tank(w, vec_of(0, 0, 0), vec_of(8 * s, 16 * s, 8 * s));
		test_add_lattice(w, test_water(w), vec_of(0, 0, 0), vec_of(8 * s, 6 * s, 8 * s),
		                 NULL, NULL);
		test_run_until(w, 0.1);
		const oz_material_def rigid = test_plain_material(OZ_RIGID);
		oz_shape ball = ball_at(4);
		ball.position = vec_narrow(vec_of(4 * s, 3.5 * s, 4 * s));
		test_add_any(w, test_add_material(w, &rigid), &ball, vec_of(0, 0, 0));
		while (oz_world_time(w) < 0.3) {
			test_steps(w, 5);
			fastest[k] = fmax(fastest[k], test_top_speed(w));
		}
		oz_world_destroy(w);
	}
	print_message("%.2f m/s; without overlap time %.2f m/s\n", fastest[0], fastest[1]);
	assert_true(fastest[0] < 0.1 * SOUND);
	assert_true(fastest[1] > 0.15 * SOUND);
}

// cylinders of water on each other in a vessel of their radius, 14 mm high in all; returns the
// largest δ - 1 in 0.05 s
static double squeeze_stack(const float *heights, int count)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.0008f;
	def.sound_speed = 5;
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_CYLINDER, oz_v3(0.008f, 0.028f, 0)), true, NULL, 0);
	const oz_id water = test_water(w);
	float foot = -0.014f;
	for (int k = 0; k < count; k++) {
		oz_shape part = oz_shape_make(OZ_SHAPE_CYLINDER, oz_v3(0.008f, heights[k], 0));
		part.position.y = foot + heights[k] / 2;
		foot += heights[k];
		test_add_filled(w, water, &part, OZ_FILL_LATTICE);
	}
	const double whole = PI * 0.008 * 0.008 * 0.014 / pow((double)def.spacing, 3);
	assert_true(fabs(oz_world_particle_count(w) / whole - 1) < 0.005);
	double most = 0;
	while (oz_world_time(w) < 0.05)
		most = fmax(most, (double)test_step(w).max_compression);
	oz_world_destroy(w);
	return most;
}

// At the seam δ is a few per cent above 1 in the beginning. The weight of the liquid, which
// compresses one body by 4 % when it begins to act, must not press these particles into each other.
static void bodies_of_a_liquid_that_touch_do_not_press_each_other_together(void **state)
{
	(void)state;
	static const float heights[][2] = {{0.014f, 0}, {0.006f, 0.008f}, {0.008f, 0.006f}};
	double most[3];
	for (int k = 0; k < 3; k++)
		most[k] = squeeze_stack(heights[k], k ? 2 : 1);
	print_message("one body %.3f; two %.3f, %.3f\n", most[0], most[1], most[2]);
	assert_true(most[0] < 0.05);
	assert_true(most[1] < most[0] + 0.03 && most[2] < most[0] + 0.03);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_overlaps_when_it_is_added_parts_slowly),
	        cmocka_unit_test(a_body_that_is_added_to_a_pool_does_not_splash),
	        cmocka_unit_test(bodies_of_a_liquid_that_touch_do_not_press_each_other_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
