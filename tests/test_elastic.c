// test_elastic.c: what an elastic solid must do, whatever its settings.
//
// No force in a rigid motion, momentum and energy of free bodies, forces that are the slope of an
// energy, turning with and without rotations, and the same bits on any number of threads.
#include "elastic.h"

// ---- rigid motion ------------------------------------------------------------------------------

typedef struct motion {
	oz_shape frame; // its frame is the moved one
	vec shift;
} motion;

static vec moved(const void *context, vec from)
{
	const motion *m = context;
	return vec_mad(test_local_point(&m->frame, from), m->shift, 1);
}

static motion random_motion(uint64_t *seed, double angle)
{
	const vec axis = {test_random(seed) - 0.5, test_random(seed) - 0.5,
	                  test_random(seed) - 0.5};
	motion m = {.frame = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 1, 1})};
	m.frame.rotation = test_rotation(axis, angle);
	m.shift = vec_of(4 * test_random(seed) - 2, 4 * test_random(seed) - 2,
	                 4 * test_random(seed) - 2);
	return m;
}

// the largest elastic force of a body moved so, over E h²
static double force_after(const oz_material_def *def, const oz_shape *shape, oz_fill fill,
                          const motion *m)
{
	const oz_world_def space = test_space_def(0.02);
	oz_world *w = test_world(&space);
	test_add_elastic(w, def, shape, fill, vec_of(0, 0, 0));
	test_place_particles(w, moved, m);
	vec *pushes = test_elastic_forces(w);
	double most = 0;
	for (uint32_t i = 0; i < w->slots.count; i++)
		most = fmax(most, vec_length(pushes[i]));
	const double mass = (double)oz_particle_mass(&w->sim, 0),
	             h = (double)oz_support_radius(&w->sim);
	const double share = most * mass / ((double)def->young_modulus * h * h);
	free(pushes);
	oz_world_destroy(w);
	return share;
}

static void stay_still(const char *what, const oz_shape *shape, oz_fill fill)
{
	static const double angles[] = {0, 0.3, 1.5707963, 2.5, 3.14159265};
	uint64_t seed = 11;
	double most = 0;
	for (size_t k = 0; k < sizeof angles / sizeof *angles; k++)
		for (int way = 0; way < OZ_ELASTIC_COUNT; way++)
			for (int strain = 0; strain < OZ_STRAIN_COUNT; strain++) {
				const motion m = random_motion(&seed, angles[k]);
				oz_material_def def = test_elastic(1e6, 0.3);
				def.elasticity = (oz_elasticity)way;
				def.strain = (oz_strain)strain;
				if (way == OZ_ELASTIC_PLAIN)
					continue;
				const double f = force_after(&def, shape, fill, &m);
				if (f > most)
					print_message("%s %.2f way %d %d: %.3g\n", what, angles[k],
					              way, strain, f);
				most = fmax(most, f);
			}
	test_near(most, 0, 1e-5, what);
}

static void rigid_motion_of_any_size_gives_no_force(void **state)
{
	(void)state;
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.16f, 0.12f, 0.1f}),
	               ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.08f, 0, 0}),
	               sheet = oz_shape_make(OZ_SHAPE_SHEET, (oz_vec3){0.2f, 0, 0.16f}),
	               rod = oz_shape_make(OZ_SHAPE_ROD, (oz_vec3){0, 0.3f, 0});
	stay_still("force in a lattice", &box, OZ_FILL_LATTICE);
	stay_still("force in a ball of hexagons", &ball, OZ_FILL_HEXAGONAL);
	stay_still("force in a ball of blue noise", &ball, OZ_FILL_BLUE_NOISE);
	stay_still("force in a sheet", &sheet, OZ_FILL_LATTICE);
	stay_still("force in a rod", &rod, OZ_FILL_LATTICE);
}

// ---- energy ------------------------------------------------------------------------------------

// an even stretch, a bend and a twist at once, of the size of `a`
static vec bent(const void *context, vec p)
{
	const double a = *(const double *)context, t = 4 * a * p.x;
	const vec q = {p.x * (1 + a) + a * p.y, p.y + 5 * a * p.x * p.x, p.z - a * p.y};
	return vec_of(q.x, q.y * cos(t) - q.z * sin(t), q.y * sin(t) + q.z * cos(t));
}

// time_step 0: the automatic one
static oz_world *bent_block_at(float time_step, double young, oz_elasticity way, oz_strain strain,
                               bool implicit, double amount, vec spin)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.12f, 0.1f});
	oz_world_def space = test_space_def(0.02);
	space.time_step = time_step;
	oz_world *w = test_world(&space);
	oz_material_def def = test_elastic(young, 0.3);
	def.elasticity = way;
	def.strain = strain;
	def.implicit = implicit;
	// where a body folds onto itself, friction acts between centres that are apart: a torque
	def.friction = 0;
	test_add_elastic(w, &def, &box, OZ_FILL_LATTICE, spin);
	test_place_particles(w, bent, &amount);
	return w;
}

static oz_world *bent_block(oz_elasticity way, oz_strain strain, bool implicit, double amount,
                            vec spin)
{
	return bent_block_at(0, 1e5, way, strain, implicit, amount, spin);
}

// E(x + δ e) - E(x - δ e) over 2 δ, for one particle and direction
static double slope_at(oz_elasticity way, oz_strain strain, uint32_t particle, int axis)
{
	const double delta = 2e-5;
	double energy[2];
	for (int side = 0; side < 2; side++) {
		oz_world *w = bent_block(way, strain, false, 0.2, vec_of(0, 0, 0));
		test_particles all = test_particles_read(w);
		double *x = &all.at[particle].x.x;
		x[axis] += side ? delta : -delta;
		test_put_particle(w, particle, all.at[particle].x, vec_of(0, 0, 0));
		energy[side] = test_elastic_energy(w);
		test_particles_free(&all);
		oz_world_destroy(w);
	}
	return (energy[1] - energy[0]) / (2 * delta);
}

static void forces_are_the_slope_of_the_energy(void **state)
{
	(void)state;
	static const uint32_t particles[] = {0, 137, 155};
	for (int strain = 0; strain < OZ_STRAIN_COUNT; strain++)
		for (int way = 0; way < OZ_ELASTIC_COUNT; way += OZ_ELASTIC_MLS) {
			oz_world *w = bent_block((oz_elasticity)way, (oz_strain)strain, false, 0.2,
			                         vec_of(0, 0, 0));
			vec *pushes = test_elastic_forces(w);
			const double mass = (double)oz_particle_mass(&w->sim, 0);
			double off = 0, size = 0;
			for (int k = 0; k < 9; k++) {
				const uint32_t p = particles[k / 3];
				const double f = mass * (&pushes[p].x)[k % 3];
				const double slope =
				        slope_at((oz_elasticity)way, (oz_strain)strain, p, k % 3);
				off = fmax(off, fabs(f + slope));
				size = fmax(size, fabs(slope));
			}
			print_message("slope %d %d: off %.3g of %.3g\n", way, strain, off, size);
			test_near(off, 0, 1e-3 * size, "force without an energy");
			free(pushes);
			oz_world_destroy(w);
		}
}

static double energy_over_a_step(oz_world *w)
{
	const double before = test_elastic_energy(w);
	test_step(w);
	return test_kinetic_energy(w) + 0.5 * (before + test_elastic_energy(w));
}

// What leapfrog keeps is not quite this sum: they differ by the square of the time step.
static void keep_energy(oz_elasticity way, oz_strain strain, float time_step, double tolerance)
{
	oz_world *w = bent_block_at(time_step, 1e5, way, strain, false, 0.1, vec_of(1, 2, 3));
	const double first = energy_over_a_step(w);
	double least = first, most = first, early = 0, late = 0;
	for (int k = 0; k < 20; k++) {
		test_steps(w, 200);
		const double now = energy_over_a_step(w);
		early += k < 5 ? 0.2 * now : 0;
		late += k >= 15 ? 0.2 * now : 0;
		least = fmin(least, now);
		most = fmax(most, now);
	}
	print_message("energy %d %d time step %g: first %g least %g most %g drift %g\n", way,
	              strain, (double)time_step, first, least / first, most / first,
	              late / early - 1);
	test_near(most, first, tolerance * first, "the greatest energy");
	// steps that change from one to the next lose some
	if (time_step > 0) {
		test_near(least, first, tolerance * first, "the least energy");
		test_near(late, early, 0.005 * first, "energy after 4000 steps");
	}
	oz_world_destroy(w);
}

static void energy_does_not_grow_without_input(void **state)
{
	(void)state;
	for (int way = 0; way < OZ_ELASTIC_COUNT; way += OZ_ELASTIC_MLS)
		for (int strain = 0; strain < OZ_STRAIN_COUNT; strain++) {
			keep_energy((oz_elasticity)way, (oz_strain)strain, 5e-4f, 0.03);
			keep_energy((oz_elasticity)way, (oz_strain)strain, 1.5e-4f, 0.01);
			// as long as the first, where nothing touches
			keep_energy((oz_elasticity)way, (oz_strain)strain, 0, 0.03);
		}
}

// ---- momentum ----------------------------------------------------------------------------------

static void expect_momentum_kept(oz_world *w, const char *what)
{
	test_step(w);
	const test_momenta before = test_momenta_of(w);
	test_steps(w, 1000);
	const test_momenta after = test_momenta_of(w);
	const double linear =
	        vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale;
	const double angular =
	        vec_length(vec_sub(after.angular, before.angular)) / before.angular_scale;
	print_message("momentum %s: linear %.3g angular %.3g\n", what, linear, angular);
	test_near(linear, 0, 1e-5, "change of linear momentum");
	test_near(angular, 0, 1e-5, "change of angular momentum");
	oz_world_destroy(w);
}

static void keep_momentum(oz_elasticity way, oz_strain strain, bool implicit)
{
	char what[64];
	snprintf(what, sizeof what, "%d %d %s", way, strain, implicit ? "implicit" : "explicit");
	expect_momentum_kept(bent_block(way, strain, implicit, 0.25, vec_of(4, -3, 5)), what);
}

// A particle that is almost a support radius from the nearest one of a cube: its only bond has
// almost no weight. The sum of all forces, over that of a strain of 1, when it is pulled away.
static double force_of_nothing(double distance)
{
	enum { CUBE = 27 };
	const double s = 0.02;
	const oz_world_def def = test_space_def(s);
	const oz_material_def m = test_elastic(1e5, 0.3);
	oz_world *w = test_world(&def);
	oz_vec3 points[CUBE + 1];
	for (int k = 0; k < CUBE; k++)
		points[k] = vec_narrow(vec_of(k % 3 * s, k / 3 % 3 * s, k / 9 * s));
	points[CUBE] = vec_narrow(vec_of(2 * s + distance * s, s, s));
	test_add_points(w, test_add_material(w, &m), points, CUBE + 1, (oz_vec3){0, 0, 0});
	free(test_elastic_forces(w)); // makes the rest shape
	test_particles all = test_particles_read(w);
	test_put_particle(w, CUBE, vec_mad(all.at[CUBE].x, vec_of(s, s, 0), 0.3), vec_of(0, 0, 0));
	vec *pushes = test_elastic_forces(w);
	vec sum = vec_of(0, 0, 0);
	for (uint32_t k = 0; k <= CUBE; k++)
		sum = vec_mad(sum, pushes[k], 1);
	free(pushes);
	test_particles_free(&all);
	oz_world_destroy(w);
	return vec_length(sum) / (1e5 / (1000 * s));
}

static void a_bond_of_almost_no_weight_moves_no_particle_by_itself(void **state)
{
	(void)state;
	static const double distances[] = {1.9, 1.97, 1.98, 1.99, 1.995, 1.998, 1.9995};
	for (size_t k = 0; k < sizeof distances / sizeof *distances; k++) {
		const double off = force_of_nothing(distances[k]);
		print_message("a bond of %g spacings: sum of forces %.2g\n", distances[k], off);
		test_near(off, 0, 1e-5, "sum of forces");
	}
}

static void momentum_is_kept_by_a_bent_body_that_spins(void **state)
{
	(void)state;
	for (int strain = 0; strain < OZ_STRAIN_COUNT; strain++)
		for (int implicit = 0; implicit < 2; implicit++) {
			keep_momentum(OZ_ELASTIC_CORRECTED, (oz_strain)strain, implicit);
			keep_momentum(OZ_ELASTIC_MLS, (oz_strain)strain, implicit);
		}
}

// at steps a hundred times as long as it swings
static void momentum_is_kept_by_a_stiff_body_at_long_steps(void **state)
{
	(void)state;
	for (double young = 1e7; young < 2e9; young *= 10)
		expect_momentum_kept(bent_block_at(2e-3f, young, OZ_ELASTIC_CORRECTED,
		                                   OZ_STRAIN_LINEAR, true, 0.02, vec_of(4, -3, 5)),
		                     "stiff");
}

// ---- turning -----------------------------------------------------------------------------------

// rad, by which a cuboid has turned about z after a time in which a rigid one would by 2 turns
static double angle_of(oz_elasticity way)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.24f, 0.12f, 0.12f});
	const oz_world_def space = test_space_def(0.02);
	const double spin = 4 * PI;
	oz_world *w = test_world(&space);
	oz_material_def def = test_elastic(1e5, 0.3);
	def.elasticity = way;
	test_add_elastic(w, &def, &box, OZ_FILL_LATTICE, vec_of(0, 0, spin));
	test_particles then = test_particles_read(w);
	double angle = 0, last = 0;
	while (oz_world_time(w) < 1) {
		test_step(w);
		test_particles now = test_particles_read(w);
		double c = 0, s = 0;
		for (uint32_t i = 0; i < now.count; i++) {
			const vec a = then.at[i].x, b = now.at[i].x;
			c += a.x * b.x + a.y * b.y;
			s += a.x * b.y - a.y * b.x;
		}
		const double here = atan2(s, c);
		angle += remainder(here - last, 2 * PI);
		last = here;
		test_particles_free(&now);
	}
	test_particles_free(&then);
	oz_world_destroy(w);
	return angle;
}

static void only_plain_sph_resists_turning(void **state)
{
	(void)state;
	for (int way = 0; way < OZ_ELASTIC_COUNT; way++) {
		const double angle = angle_of((oz_elasticity)way);
		print_message("way %d turned by %.3f turns\n", way, angle / (2 * PI));
		if (way == OZ_ELASTIC_PLAIN)
			assert_true(fabs(angle) < 0.5 * PI);
		else
			test_near(angle, 4 * PI, 0.1 * 4 * PI, "the angle of a spinning cuboid");
	}
}

// ---- sheets and rods ---------------------------------------------------------------------------

// m, that the tip of a clamped sheet or rod has sunk after half a swing
static double sunk(oz_shape_kind kind, bool implicit)
{
	oz_world_def def = test_space_def(0.02);
	def.gravity.y = -1;
	def.time_step = implicit ? 0.002f : 0;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(1e6, 0.3);
	m.implicit = implicit;
	oz_shape shape = oz_shape_make(kind, (oz_vec3){0.3f, 0.3f, 0.1f});
	if (kind == OZ_SHAPE_ROD)
		shape.rotation = test_rotation(vec_of(0, 0, 1), -PI / 2);
	test_add_elastic(w, &m, &shape, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_add_handle(w, vec_of(-1, -1, -1), vec_of(-0.1, 1, 1), NULL, 0, 1e9);
	test_run_until(w, 0.25);
	const double y = -(double)test_stats(w).min.y;
	oz_world_destroy(w);
	return y;
}

// what a tangent takes for shear when it turns would hold it back
static void sheets_and_rods_fall_alike_by_explicit_and_implicit_steps(void **state)
{
	(void)state;
	const oz_shape_kind kinds[] = {OZ_SHAPE_SHEET, OZ_SHAPE_ROD};
	for (int k = 0; k < 2; k++) {
		const double swung = sunk(kinds[k], false), solved = sunk(kinds[k], true);
		print_message("%s: sunk by %.5f m, implicit %.5f\n", k ? "rod" : "sheet", swung,
		              solved);
		assert_true(swung > 0.003);
		test_near(solved, swung, 0.05 * swung, "depth of a tip by implicit steps");
	}
}

// ---- other models ------------------------------------------------------------------------------

// what blends keep for themselves, solids leave alone
static void blends_that_drift_beside_a_solid_feel_nothing(void **state)
{
	(void)state;
	const oz_world_def def = test_space_def(0.02);
	oz_world *w = test_world(&def);
	const oz_material_def soft = oz_material_default(OZ_BLEND),
	                      firm = oz_material_default(OZ_COROTATED);
	const oz_shape one = test_box(vec_of(10, 0, 0), vec_of(10.1, 0.1, 0.1)),
	               other = test_box(vec_of(10.1, 0, 0), vec_of(10.2, 0.1, 0.1)),
	               solid = test_box(vec_of(0, 0, 0), vec_of(0.1, 0.1, 0.1));
	test_add_elastic(w, &soft, &one, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_add_elastic(w, &soft, &other, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_add_elastic(w, &firm, &solid, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_steps(w, 120);
	assert_int_equal(w->slots.components, 3);
	oz_world_destroy(w);
}

// ---- contact -----------------------------------------------------------------------------------

// two blocks that touch, each spins its own way, and water on one of them
static oz_world *touching_blocks(void)
{
	const oz_world_def space = test_space_def(0.02);
	const oz_shape left = test_box(vec_of(-0.2, 0, 0), vec_of(-0.004, 0.2, 0.2));
	const oz_shape right = test_box(vec_of(0.004, 0, 0), vec_of(0.2, 0.2, 0.2));
	const oz_shape above = test_box(vec_of(0.004, 0.2, 0), vec_of(0.2, 0.26, 0.2));
	oz_material_def rubber = test_elastic(1e5, 0.3);
	rubber.damping = 0.1f;
	rubber.viscosity = 5;
	rubber.friction = 0.4f;
	oz_world *w = test_world(&space);
	test_add_elastic(w, &rubber, &left, OZ_FILL_LATTICE, vec_of(1, 2, 3));
	test_add_elastic(w, &rubber, &right, OZ_FILL_LATTICE, vec_of(-3, 1, 0));
	test_add_filled(w, test_water(w), &above, OZ_FILL_LATTICE);
	return w;
}

static void particles_without_contact_get_the_force_of_whole_lists(void **state)
{
	(void)state;
	oz_world *w = touching_blocks();
	test_steps(w, 40);
	const uint32_t n = w->sim.particles.count, alone = test_count_alone(w);
	const double error = test_contact_error(w);
	printf("%u of %u touch nobody; forces differ by %.1e of the largest\n", alone, n, error);
	assert_true(alone > n / 4 && alone < 3 * n / 4);
	assert_true(error < 1e-5);
	oz_world_destroy(w);
}

// ---- determinism -------------------------------------------------------------------------------

static uint64_t hash_of_a_busy_scene(uint32_t threads)
{
	static const oz_keyframe way[] = {{0, {0.1f, 0.1f, 0}, {0, 0, 0, 1}},
	                                  {0.2f, {0.2f, 0.15f, 0}, {0, 0, 0.38268f, 0.92388f}}};
	oz_world *w = test_busy_dam(threads, 0.04f, NULL);
	oz_material_def def = oz_material_default(OZ_COROTATED);
	const oz_shape left = test_box(vec_of(-0.1, -0.1, -0.1), vec_of(0.06, 0.08, 0.1)),
	               right = test_box(vec_of(0.1, 0, -0.1), vec_of(0.3, 0.2, 0.1));
	test_add_elastic(w, &def, &left, OZ_FILL_LATTICE, vec_of(1, 2, 3));
	def.implicit = true;
	def.young_modulus = 1e6f;
	test_add_elastic(w, &def, &right, OZ_FILL_BLUE_NOISE, vec_of(0, 0, 0));
	test_add_handle(w, vec_of(0.06, 0, -0.2), vec_of(0.14, 0.2, 0.2), way, 2, 0.15);
	test_steps(w, 300);
	assert_true(oz_world_time(w) > 0.15);
	const uint64_t hash = oz_world_hash(w);
	oz_world_destroy(w);
	return hash;
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
	(void)state;
	const uint64_t one = hash_of_a_busy_scene(1);
	assert_true(hash_of_a_busy_scene(2) == one);
	assert_true(hash_of_a_busy_scene(4) == one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rigid_motion_of_any_size_gives_no_force),
	        cmocka_unit_test(forces_are_the_slope_of_the_energy),
	        cmocka_unit_test(energy_does_not_grow_without_input),
	        cmocka_unit_test(a_bond_of_almost_no_weight_moves_no_particle_by_itself),
	        cmocka_unit_test(momentum_is_kept_by_a_bent_body_that_spins),
	        cmocka_unit_test(momentum_is_kept_by_a_stiff_body_at_long_steps),
	        cmocka_unit_test(only_plain_sph_resists_turning),
	        cmocka_unit_test(sheets_and_rods_fall_alike_by_explicit_and_implicit_steps),
	        cmocka_unit_test(blends_that_drift_beside_a_solid_feel_nothing),
	        cmocka_unit_test(particles_without_contact_get_the_force_of_whole_lists),
	        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
