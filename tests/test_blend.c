// test_blend.c: shape matching and pressure of blended bodies, away from any wall.
//
// A body that only turns feels nothing; forces inside a body and between two keep momentum; any
// start finds back to the reference shape; the time step is a matter of accuracy alone.
#include <stdio.h>

#include "blends.h"

#define SPACING 0.01
#define EDGE    0.08 // m, of the cube that most tests use

static oz_world *free_cube(double alpha)
{
	oz_world *w = oz_blends_world(SPACING, 10);
	const oz_material_def def = oz_blends_material(alpha, 1000);
	oz_blends_block(w, oz_blends_add(w, &def), vec_of(0, 0, 0), vec_of(EDGE, EDGE, EDGE));
	return w;
}

static vec turned(vec x, vec axis, double angle)
{
	const vec n = vec_mad(vec_of(0, 0, 0), axis, 1 / vec_length(axis));
	const vec along = vec_mad(vec_of(0, 0, 0), n, vec_dot(n, x));
	const vec beside = vec_sub(x, along);
	return vec_mad(vec_mad(along, beside, cos(angle)), vec_cross(n, x), sin(angle));
}

// ---- rigid motions -----------------------------------------------------------------------------

static void expect_rigid_motion_stays(double alpha, vec axis, double angle)
{
	oz_world *w = free_cube(alpha);
	grains then = oz_phys_grains(w);
	const vec about = vec_of(0.03, -0.02, 0.01), spin = vec_of(1, -2, 0.5),
	          shift = vec_of(0.1, 0.2, -0.1);
	for (uint32_t i = 0; i < then.count; i++) {
		const vec x = vec_mad(vec_mad(turned(vec_sub(then.at[i].x, about), axis, angle),
		                              about, 1),
		                      shift, 1);
		oz_blends_put(w, i, x, vec_mad(vec_cross(spin, x), vec_of(1, 2, 3), 1));
	}
	oz_phys_release(&then);
	then = oz_phys_grains(w);
	const oz_step_report report = oz_phys_step(w);
	const double tau = (double)oz_response_of(w, &oz_materials(w)[0]);
	grains now = oz_phys_grains(w);
	double worst = 0;
	for (uint32_t i = 0; i < now.count; i++)
		worst = fmax(worst, vec_length(vec_sub(now.at[i].v, then.at[i].v)));
	// the kick of the first step is half of its length
	oz_phys_near(worst / (0.5 * (double)report.time_step), 0, 1e-5 * EDGE / (tau * tau),
	             "acceleration of a body that has only turned");
	oz_phys_release(&then);
	oz_phys_release(&now);
	oz_world_destroy(w);
}

static void a_rigid_motion_of_any_size_gives_no_force(void **state)
{
	(void)state;
	for (int k = 0; k < 12; k++) {
		const vec axis = vec_of(cos(k), sin(2 * k), cos(3 * k + 1));
		expect_rigid_motion_stays(0, axis, k * PI / 6);
		expect_rigid_motion_stays(0.5, axis, k * PI / 6);
	}
}

// ---- momentum ----------------------------------------------------------------------------------

static vec sheared(vec x, uint64_t *seed)
{
	const double noise = 0.4 * SPACING;
	return vec_of(1.3 * x.x + 0.3 * x.y + noise * (oz_phys_random(seed) - 0.5),
	              0.8 * x.y - 0.2 * x.z + noise * (oz_phys_random(seed) - 0.5),
	              0.9 * x.z + 0.1 * x.x + noise * (oz_phys_random(seed) - 0.5));
}

static void deform(oz_world *w)
{
	uint64_t seed = 7;
	grains all = oz_phys_grains(w);
	for (uint32_t i = 0; i < all.count; i++)
		oz_blends_put(w, i, sheared(all.at[i].x, &seed), all.at[i].v);
	oz_phys_release(&all);
}

// the most that momentum changes over the steps, as a share of what moves
typedef struct leak {
	double linear, angular;
} leak;

static leak leak_over(oz_world *w, int steps)
{
	const momenta before = oz_phys_momenta(w);
	leak worst = {0, 0};
	double linear = before.linear_scale, angular = before.angular_scale;
	for (int k = 0; k < steps; k++) {
		oz_phys_step(w);
		const momenta now = oz_phys_momenta(w);
		linear = fmax(linear, now.linear_scale);
		angular = fmax(angular, now.angular_scale);
		worst.linear = fmax(worst.linear, vec_length(vec_sub(now.linear, before.linear)));
		worst.angular =
		        fmax(worst.angular, vec_length(vec_sub(now.angular, before.angular)));
	}
	return (leak){worst.linear / linear, worst.angular / angular};
}

static void a_deformed_body_keeps_its_momentum(void **state)
{
	(void)state;
	static const double alphas[] = {0, 0.5, 1};
	for (int k = 0; k < 3; k++) {
		oz_world *w = free_cube(alphas[k]);
		deform(w);
		const leak l = leak_over(w, 100);
		print_message("deformed, alpha %g: %g %g\n", alphas[k], l.linear, l.angular);
		oz_phys_near(l.linear, 0, 1e-5, "linear momentum");
		oz_phys_near(l.angular, 0, 1e-5, "angular momentum");
		oz_world_destroy(w);
	}
}

static oz_world *collision(double alpha, double other, bool paper)
{
	oz_world *w = oz_blends_world(SPACING, 20);
	oz_material_def def = oz_blends_material(alpha, 1000);
	def.paper = paper;
	const oz_id light = oz_blends_add(w, &def);
	def.alpha = (float)other;
	def.density = 2500;
	const oz_id heavy = oz_blends_add(w, &def);
	const oz_shape left = oz_phys_box(vec_of(-0.06, 0, 0), vec_of(0, 0.06, 0.06)),
	               right = oz_phys_box(vec_of(0.012, 0.03, 0.02), vec_of(0.072, 0.09, 0.08));
	oz_blends_thrown(w, light, &left, vec_of(1.5, 0, 0));
	oz_blends_thrown(w, heavy, &right, vec_of(-1, 0.2, 0));
	return w;
}

static void bodies_of_different_density_and_alpha_collide_and_keep_momentum(void **state)
{
	(void)state;
	static const double pairs[][2] = {{0, 0}, {0, 0.5}, {0.5, 0.9}, {1, 0}};
	for (int k = 0; k < 4; k++) {
		oz_world *w = collision(pairs[k][0], pairs[k][1], false);
		const vec before = oz_phys_grains(w).at[0].v;
		const leak l = leak_over(w, 100);
		grains now = oz_phys_grains(w);
		print_message("collide %g %g: %g %g\n", pairs[k][0], pairs[k][1], l.linear,
		              l.angular);
		assert_true(vec_length(vec_sub(now.at[0].v, before)) > 0);
		oz_phys_near(l.linear, 0, 1e-5, "linear momentum");
		oz_phys_near(l.angular, 0, 1e-5, "angular momentum");
		oz_phys_release(&now);
		oz_world_destroy(w);
	}
}

static void the_printed_pressure_leaks_momentum(void **state)
{
	(void)state;
	oz_world *w = oz_blends_world(SPACING, 10);
	oz_material_def def = oz_blends_material(0.5, 1000);
	def.paper = true;
	oz_blends_block(w, oz_blends_add(w, &def), vec_of(0, 0, 0), vec_of(EDGE, EDGE, EDGE));
	deform(w);
	const leak l = leak_over(w, 100);
	print_message("paper: %g %g\n", l.linear, l.angular);
	assert_true(l.linear > 1e-4 || l.angular > 1e-4);
	oz_world_destroy(w);
}

// ---- extreme starts ----------------------------------------------------------------------------

typedef vec (*squash)(vec x, uint64_t *seed);

static double jitter(uint64_t *seed)
{
	return 1e-4 * SPACING * (oz_phys_random(seed) - 0.5);
}

static vec to_plane(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(x.x, 0, x.z);
}

static vec to_line(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(x.x, 0, 0);
}

static vec to_point(vec x, uint64_t *seed)
{
	(void)x;
	return vec_of(jitter(seed), jitter(seed), jitter(seed));
}

static vec to_one_point(vec x, uint64_t *seed)
{
	(void)x;
	(void)seed;
	return vec_of(0.01, 0.02, 0.03);
}

static vec mirrored(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(-x.x, x.y, x.z);
}

static vec inverted(vec x, uint64_t *seed)
{
	(void)seed;
	return vec_of(-x.x, -x.y, -x.z);
}

static double time_to_recover(squash f, double alpha, double most, double *left)
{
	oz_world *w = free_cube(alpha);
	uint64_t seed = 3;
	grains then = oz_phys_grains(w);
	for (uint32_t i = 0; i < then.count; i++)
		oz_blends_put(w, i, f(then.at[i].x, &seed), vec_of(0, 0, 0));
	*left = 1;
	while (oz_world_time(w) < most && *left > 0.02 * EDGE) {
		for (int k = 0; k < 20; k++)
			assert_int_equal(oz_phys_step(w).repaired, 0);
		grains now = oz_phys_grains(w);
		assert_true(oz_phys_finite(&now));
		*left = oz_blends_misfit(&now, &then);
		oz_phys_release(&now);
	}
	const double time = oz_world_time(w);
	oz_phys_release(&then);
	oz_world_destroy(w);
	return time;
}

static void any_start_comes_back_to_the_reference_shape(void **state)
{
	(void)state;
	static const struct {
		squash f;
		const char *name;
	} starts[] = {{to_plane, "a plane"},  {to_line, "a line"},
	              {to_point, "a point"},  {to_one_point, "one point"},
	              {mirrored, "a mirror"}, {inverted, "the centre's other side"}};
	for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
		double left;
		const double time = time_to_recover(starts[k].f, 0, 2, &left);
		print_message("from %s: %g s, left %g of edge\n", starts[k].name, time,
		              left / EDGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_rigid_motion_of_any_size_gives_no_force),
	        cmocka_unit_test(a_deformed_body_keeps_its_momentum),
	        cmocka_unit_test(bodies_of_different_density_and_alpha_collide_and_keep_momentum),
	        cmocka_unit_test(the_printed_pressure_leaks_momentum),
	        cmocka_unit_test(any_start_comes_back_to_the_reference_shape),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
