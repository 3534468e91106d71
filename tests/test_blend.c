// test_blend.c: shape matching and pressure of blended bodies, away from any wall.
//
// A body that only turns feels nothing; forces inside a body and between two keep momentum,
// whatever their densities and α, also where α differs within a body.
#include "worlds.h"

#define SPACING 0.01
#define EDGE    0.08 // m, of the cube that most tests use

static oz_world *free_cube(double alpha)
{
	oz_world *w = test_space(SPACING, 10);
	const oz_material_def def = test_blend(alpha, 1000);
	test_add_block(w, test_add_material(w, &def), vec_of(0, 0, 0), vec_of(EDGE, EDGE, EDGE));
	return w;
}

static vec rotated(vec x, vec axis, double angle)
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
	test_particles then = test_particles_read(w);
	const vec about = vec_of(0.03, -0.02, 0.01), spin = vec_of(1, -2, 0.5),
	          shift = vec_of(0.1, 0.2, -0.1);
	for (uint32_t i = 0; i < then.count; i++) {
		const vec x = vec_mad(vec_mad(rotated(vec_sub(then.at[i].x, about), axis, angle),
		                              about, 1),
		                      shift, 1);
		test_put_particle(w, i, x, vec_mad(vec_cross(spin, x), vec_of(1, 2, 3), 1));
	}
	test_particles_free(&then);
	then = test_particles_read(w);
	const oz_step_report report = test_step(w);
	const double tau = (double)oz_matter_of(&w->sim, oz_materials(&w->sim)).response;
	test_particles now = test_particles_read(w);
	double worst = 0;
	for (uint32_t i = 0; i < now.count; i++)
		worst = fmax(worst, vec_length(vec_sub(now.at[i].v, then.at[i].v)));
	// the kick of the first step is half of its length
	test_near(worst / (0.5 * (double)report.time_step), 0, 1e-5 * EDGE / (tau * tau),
	          "acceleration of a body that has only rotated");
	test_particles_free(&then);
	test_particles_free(&now);
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
	return vec_of(1.3 * x.x + 0.3 * x.y + noise * (test_random(seed) - 0.5),
	              0.8 * x.y - 0.2 * x.z + noise * (test_random(seed) - 0.5),
	              0.9 * x.z + 0.1 * x.x + noise * (test_random(seed) - 0.5));
}

static void deform(oz_world *w)
{
	uint64_t seed = 7;
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++)
		test_put_particle(w, i, sheared(all.at[i].x, &seed), all.at[i].v);
	test_particles_free(&all);
}

// the most that momentum changes over the steps, as a share of what moves
typedef struct leak {
	double linear, angular;
} leak;

static leak leak_over(oz_world *w, int steps)
{
	const test_momenta before = test_momenta_of(w);
	leak worst = {0, 0};
	double linear = before.linear_scale, angular = before.angular_scale;
	for (int k = 0; k < steps; k++) {
		test_step(w);
		const test_momenta now = test_momenta_of(w);
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
		test_near(l.linear, 0, 1e-5, "linear momentum");
		test_near(l.angular, 0, 1e-5, "angular momentum");
		oz_world_destroy(w);
	}
}

static oz_world *collision(double alpha, double other)
{
	oz_world *w = test_space(SPACING, 20);
	oz_material_def def = test_blend(alpha, 1000);
	const oz_id light = test_add_material(w, &def);
	def.alpha = (float)other;
	def.density = 2500;
	const oz_id heavy = test_add_material(w, &def);
	const oz_shape left = test_box(vec_of(-0.06, -0.03, -0.03), vec_of(0, 0.03, 0.03)),
	               right = test_box(vec_of(0.012, 0, -0.01), vec_of(0.072, 0.06, 0.05));
	test_add_thrown(w, light, &left, vec_of(1.5, 0, 0));
	test_add_thrown(w, heavy, &right, vec_of(-1, 0.2, 0));
	return w;
}

static void bodies_of_different_density_and_alpha_collide_and_keep_momentum(void **state)
{
	(void)state;
	static const double pairs[][2] = {{0, 0}, {0, 0.5}, {0.5, 0.9}, {1, 0}};
	for (int k = 0; k < 4; k++) {
		oz_world *w = collision(pairs[k][0], pairs[k][1]);
		const double before = test_kinetic_energy(w);
		const leak l = leak_over(w, 100);
		// they did meet
		assert_true(test_kinetic_energy(w) < 0.9 * before);
		// what is left is how finely places are known, 0.05 m from the origin
		test_near(l.linear, 0, 3e-5, "linear momentum");
		test_near(l.angular, 0, 3e-5, "angular momentum");
		oz_world_destroy(w);
	}
}

// one half takes one α, the other half another
static oz_world *halves(double alpha, double other)
{
	oz_world *w = test_space(SPACING, 10);
	const oz_material_def def = test_blend(0.3, 1000);
	const double half = 0.5 * EDGE;
	const oz_shape box = test_box(vec_of(-half, -half, -half), vec_of(half, half, half));
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	assert_int_equal(oz_shape_fill(&box, (float)SPACING, OZ_FILL_LATTICE, &points, &body.count,
	                               NULL),
	                 OZ_OK);
	float *alphas = malloc(sizeof *alphas * body.count);
	assert_non_null(alphas);
	for (uint32_t i = 0; i < body.count; i++)
		alphas[i] = (float)(points[i].x < 0 ? alpha : other);
	body.material = test_add_material(w, &def);
	body.points = points;
	body.alphas = alphas;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
	free(alphas);
	return w;
}

static void a_body_that_is_soft_on_one_side_keeps_its_momentum(void **state)
{
	(void)state;
	static const double pairs[][2] = {{0, 1}, {0, 0.5}, {0.2, 0.9}};
	for (int k = 0; k < 3; k++) {
		oz_world *w = halves(pairs[k][0], pairs[k][1]);
		deform(w);
		const leak l = leak_over(w, 100);
		test_near(l.linear, 0, 1e-5, "linear momentum");
		test_near(l.angular, 0, 1e-5, "angular momentum");
		oz_world_destroy(w);
	}
}

// the weights in a cluster follow α while it changes
static void a_body_that_melts_keeps_its_momentum(void **state)
{
	(void)state;
	static const oz_alpha_key keys[] = {{0, 0}, {0.03f, 1}};
	oz_world *w = test_space(SPACING, 10);
	oz_material_def def = test_blend(0.2, 1000);
	def.update_force = 0;
	def.update_steps = 10;
	const oz_id fixed = test_add_material(w, &def);
	def.alpha_keys = keys;
	def.alpha_key_count = 2;
	const oz_id melting = test_add_material(w, &def);
	const oz_shape left = test_box(vec_of(-0.05, -0.02, -0.02), vec_of(0, 0.03, 0.03)),
	               right = test_box(vec_of(0.01, -0.03, -0.03), vec_of(0.06, 0.02, 0.02));
	test_add_thrown(w, fixed, &left, vec_of(1, 0, 0));
	test_add_thrown(w, melting, &right, vec_of(-1, 0, 0));
	const leak l = leak_over(w, 100);
	assert_true(oz_world_time(w) > 0.03);
	assert_int_equal(w->slots.components, 1);
	test_near(l.linear, 0, 1e-5, "linear momentum");
	test_near(l.angular, 0, 1e-5, "angular momentum");
	oz_world_destroy(w);
}

// clusters reach two spacings in one body and six in the other
static void components_of_two_cluster_radii_keep_their_momentum(void **state)
{
	(void)state;
	oz_world *w = test_space(SPACING, 10);
	oz_material_def def = test_blend(0.5, 1000);
	def.update_force = 0;
	def.update_steps = 10;
	const oz_id near = test_add_material(w, &def);
	def.cluster_radius = 6;
	const oz_id far = test_add_material(w, &def);
	const oz_shape left = test_box(vec_of(-0.05, -0.02, -0.02), vec_of(0, 0.03, 0.03)),
	               right = test_box(vec_of(0.01, -0.03, -0.03), vec_of(0.06, 0.02, 0.02));
	test_add_thrown(w, near, &left, vec_of(1, 0, 0));
	test_add_thrown(w, far, &right, vec_of(-1, 0, 0));
	const leak l = leak_over(w, 100);
	assert_int_equal(w->slots.components, 1);
	test_near(l.linear, 0, 1e-5, "linear momentum");
	test_near(l.angular, 0, 1e-5, "angular momentum");
	oz_world_destroy(w);
}

// α of single particles sets how long a step may be, also where the material is a liquid
static void the_stiffest_particle_limits_the_step(void **state)
{
	(void)state;
	float steps[2];
	for (int own = 0; own < 2; own++) {
		oz_world *w = test_space(SPACING, 10);
		oz_material_def def = test_blend(own ? 1 : 0, 1000);
		const oz_vec3 points[2] = {{0, 0, 0}, {(float)SPACING, 0, 0}};
		const float alphas[2] = {0, 0};
		oz_body_def body = oz_body_default();
		def.response = 1e-4f;
		body.material = test_add_material(w, &def);
		body.points = points;
		body.count = 2;
		body.alphas = own ? alphas : NULL;
		assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
		oz_step_report report;
		assert_int_equal(oz_world_step(w, &report, NULL), OZ_OK);
		assert_int_equal(report.limit, OZ_LIMIT_ELASTIC);
		steps[own] = report.time_step;
		oz_world_destroy(w);
	}
	assert_true(steps[0] == steps[1]);
}

static void the_printed_pressure_leaks_momentum(void **state)
{
	(void)state;
	oz_world *w = test_space(SPACING, 10);
	oz_material_def def = test_blend(0.5, 1000);
	def.paper = true;
	test_add_block(w, test_add_material(w, &def), vec_of(0, 0, 0), vec_of(EDGE, EDGE, EDGE));
	deform(w);
	const leak l = leak_over(w, 100);
	assert_true(l.linear > 1e-4 || l.angular > 1e-4);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_rigid_motion_of_any_size_gives_no_force),
	        cmocka_unit_test(a_deformed_body_keeps_its_momentum),
	        cmocka_unit_test(bodies_of_different_density_and_alpha_collide_and_keep_momentum),
	        cmocka_unit_test(a_body_that_is_soft_on_one_side_keeps_its_momentum),
	        cmocka_unit_test(a_body_that_melts_keeps_its_momentum),
	        cmocka_unit_test(components_of_two_cluster_radii_keep_their_momentum),
	        cmocka_unit_test(the_stiffest_particle_limits_the_step),
	        cmocka_unit_test(the_printed_pressure_leaks_momentum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
