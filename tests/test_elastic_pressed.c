// test_elastic_pressed.c: implicit elastic bodies in incompressible worlds.
//
// The pressure acts on the whole body in the step in which it is found (press.c): a stiff body that
// floats is not strained by the pressure that holds it, an impact adds no energy and keeps linear
// and angular momentum, and a body answers it as one of explicit steps does.
#include "worlds.h"

static const double s = 0.02; // m, spacing

static oz_world_def incompressible_def(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.threads = 1;
	return def;
}

static oz_material_def rubber(double density, bool implicit)
{
	oz_material_def def = test_elastic(1e6, 0.4);
	def.density = (float)density;
	def.implicit = implicit;
	return def;
}

static double energy_of(oz_world *w)
{
	const oz_stats st = test_stats(w);
	return st.kinetic_energy + st.potential_energy + st.elastic_energy;
}

// A block that falls into water at 1 m/s. Gives its elastic energy, J, the mean of the second half
// of a second; *height gets its mean height, m.
static double strain_of_a_floating_block(bool implicit, double *height)
{
	enum { WIDE = 12, DEEP = 8 };
	const oz_world_def def = incompressible_def();
	oz_world *w = test_world(&def);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(WIDE * s, 5 * DEEP * s, WIDE * s));
	test_add_lattice(w, test_water(w), vec_of(0, 0, 0), vec_of(WIDE * s, DEEP * s, WIDE * s),
	                 NULL, NULL);
	const oz_material_def m = rubber(500, implicit);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)(3 * s), 0, 0));
	ball.position = vec_narrow(vec_of(0.5 * WIDE * s, (DEEP + 5) * s, 0.5 * WIDE * s));
	const oz_id body = test_add_thrown(w, test_add_material(w, &m), &ball, vec_of(0, -1, 0));
	double strain = 0;
	test_run_until(w, 0.5);
	*height = 0;
	for (int k = 1; k <= 25; k++) {
		test_run_until(w, 0.5 + 0.02 * k);
		strain += test_stats(w).elastic_energy / 25;
		*height += test_mean_height(w, body) / 25;
	}
	oz_world_destroy(w);
	return strain;
}

static void a_body_that_floats_is_not_strained_by_the_pressure_that_holds_it(void **state)
{
	(void)state;
	double height[2];
	const double strain = strain_of_a_floating_block(true, &height[0]),
	             other = strain_of_a_floating_block(false, &height[1]);
	print_message("elastic energy %.1e J, by explicit steps %.1e J; heights %.4f, %.4f m\n",
	              strain, other, height[0], height[1]);
	// 0.24 J if the pressure is found as if the particles of the body were free
	assert_true(strain < 1e-4);
	test_near((height[0] - height[1]) / s, 0, 0.3, "difference of heights, spacings");
}

typedef struct collision {
	double linear, angular; // changes over those of the drop
	double gain;            // of the energy, over that of the start
	double left;            // velocity of the body at the end, m/s
} collision;

// a drop that hits a ball of rubber, without gravity
static collision collide(bool implicit)
{
	oz_world_def def = incompressible_def();
	def.gravity = oz_v3(0, 0, 0);
	oz_world *w = test_world(&def);
	const float r = (float)(4 * s);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(r, 0, 0));
	const oz_material_def m = rubber(1000, implicit);
	test_add_thrown(w, test_water(w), &ball, vec_of(2, 0, 0));
	ball.position = oz_v3(2.3f * r, 0.5f * r, 0);
	const oz_id body = test_add_thrown(w, test_add_material(w, &m), &ball, vec_of(-1, 0, 0.3));
	const oz_stats before = test_stats(w);
	const double start = energy_of(w);
	collision c = {0};
	double least = start;
	for (int k = 1; k <= 100; k++) {
		test_run_until(w, 0.002 * k);
		least = fmin(least, energy_of(w));
		c.gain = fmax(c.gain, (energy_of(w) - least) / start);
	}
	const oz_stats after = test_stats(w);
	for (int k = 0; k < 3; k++) {
		c.linear = fmax(c.linear, fabs(after.momentum[k] - before.momentum[k]));
		c.angular = fmax(c.angular,
		                 fabs(after.angular_momentum[k] - before.angular_momentum[k]));
	}
	c.linear /= 0.5 * before.mass * 2;
	c.angular /= 0.5 * before.mass * 2 * (double)r;
	test_particles all = test_particles_read(w);
	uint32_t count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == body) {
			c.left += all.at[i].v.x;
			count++;
		}
	c.left /= count;
	test_particles_free(&all);
	print_message("%s: momentum differs by %.1e, angular by %.1e; energy rises by %.1e, ends "
	              "at "
	              "%.3f; the body moves with %.3f m/s\n",
	              implicit ? "implicit" : "explicit", c.linear, c.angular, c.gain,
	              energy_of(w) / start, c.left);
	oz_world_destroy(w);
	return c;
}

static void an_impact_keeps_momentum_and_adds_no_energy(void **state)
{
	(void)state;
	const collision implicit = collide(true), explicit = collide(false);
	test_near(implicit.linear, 0, 1e-5, "change of momentum");
	test_near(implicit.angular, 0, 1e-5, "change of angular momentum");
	test_near(implicit.gain, 0, 1e-4, "gain of energy");
	// it came with - 1 m/s
	test_near(implicit.left, explicit.left, 0.1, "velocity after the impact");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_body_that_floats_is_not_strained_by_the_pressure_that_holds_it),
	        cmocka_unit_test(an_impact_keeps_momentum_and_adds_no_energy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
