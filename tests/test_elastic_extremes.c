// test_elastic_extremes.c: elastic solids at the end of what they bear.
//
// The automatic time step holds, whatever the filling and the stiffness, and one that is far too
// long is told; what was twisted, pressed flat or turned inside out returns; handfuls of particles,
// heavy loads and absurd settings break nothing; solids rest, touch, slide and part.
#include "elastic.h"
#include "models/elastic/elastic.h"

// ---- the time step -----------------------------------------------------------------------------

typedef struct shaken {
	oz_fill fill;
	double young, poisson, hourglass;
	oz_strain strain;
	double time_step; // s; 0: the automatic one
} shaken;

static void shake(oz_world *w, double speed)
{
	uint64_t seed = 5;
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++)
		test_put_particle(w, i, all.at[i].x,
		                  vec_of(speed * (test_random(&seed) - 0.5),
		                         speed * (test_random(&seed) - 0.5),
		                         speed * (test_random(&seed) - 0.5)));
	test_particles_free(&all);
}

static oz_world *shaken_block(const shaken *s)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.1f, 0.1f, 0.08f});
	oz_world_def def = test_space_def(0.02);
	def.time_step = (float)s->time_step;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(s->young, s->poisson);
	m.hourglass = (float)s->hourglass;
	m.strain = s->strain;
	test_add_elastic(w, &m, &box, s->fill, vec_of(0, 0, 0));
	// 2 % of the speed of sound
	shake(w, 0.02 * sqrt(s->young / 1000));
	return w;
}

// the greatest kinetic energy over that of the beginning
static double unrest(const shaken *s, int steps, double *time_step, oz_limit *limit)
{
	oz_world *w = shaken_block(s);
	const double first = test_kinetic_energy(w);
	double most = 0;
	for (int k = 0; k < steps / 50; k++) {
		test_steps(w, 49);
		const oz_step_report r = test_step(w);
		*time_step = (double)r.time_step;
		*limit = r.limit;
		assert_int_equal(r.repaired, 0);
		most = fmax(most, test_kinetic_energy(w));
	}
	oz_world_destroy(w);
	return most / first;
}

static void the_automatic_time_step_holds_for_all(void **state)
{
	(void)state;
	double worst = 0;
	for (int k = 0; k < 3 * 2 * 2 * 3; k++) {
		static const double youngs[] = {1e3, 1e7}, poissons[] = {0, 0.49},
		                    hourglasses[] = {0, 0.1, 1};
		const shaken s = {.fill = (oz_fill)(k % 3),
		                  .young = youngs[k / 3 % 2],
		                  .poisson = poissons[k / 6 % 2],
		                  .hourglass = hourglasses[k / 12]};
		double dt;
		oz_limit limit;
		const double u = unrest(&s, 5000, &dt, &limit);
		if (u > worst)
			print_message("fill %d E %g nu %g hourglass %g: dt %.3g (%s), kinetic %.4f "
			              "of "
			              "the first\n",
			              s.fill, s.young, s.poisson, s.hourglass, dt,
			              oz_limit_name(limit), u);
		worst = fmax(worst, u);
	}
	// all of it was kinetic at first
	test_near(worst, 0.5, 0.55, "kinetic energy of a shaken body, over the first");
}

static void a_time_step_beyond_the_automatic_one_is_told(void **state)
{
	(void)state;
	for (int fill = 0; fill < OZ_FILL_COUNT; fill++) {
		shaken s = {.fill = (oz_fill)fill, .young = 1e7, .poisson = 0.3, .hourglass = 0.1};
		oz_world *w = shaken_block(&s);
		const double stable = (double)test_step(w).time_step;
		oz_world_destroy(w);
		s.time_step = 2.5 * stable;
		w = shaken_block(&s);
		const double first = test_kinetic_energy(w);
		uint32_t told = 0;
		double share = 0;
		for (int k = 0; k < 500; k++) {
			test_step(w);
			told += test_count_events(w, OZ_EVENT_UNSTABLE);
			share = fmax(share, test_kinetic_energy(w) / first);
		}
		test_particles all = test_particles_read(w);
		print_message("fill %d at 2.5 times %.3g s: told %u, kinetic %.3g of the first\n",
		              fill, stable, told, share);
		assert_int_equal(told, 1);
		assert_true(share > 10);
		assert_true(test_particles_finite(&all));
		test_particles_free(&all);
		oz_world_destroy(w);
	}
}

// ---- returning ---------------------------------------------------------------------------------

static vec scaled(const void *context, vec p)
{
	const vec *s = context;
	return vec_of(s->x * p.x, s->y * p.y, s->z * p.z);
}

// rms distance from the rest shape over the edge, of a block that starts as scaled by `by`;
// `time_step`: of implicit steps, s; 0: explicit
static double misfit_after(int layers, vec by, float time_step, oz_strain strain)
{
	const bool implicit = time_step > 0;
	const oz_shape box =
	        oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.02f * (float)layers, 0.12f, 0.12f});
	oz_world_def def = test_space_def(0.02);
	def.time_step = time_step;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(1e4, 0.3);
	m.implicit = implicit;
	m.strain = strain;
	m.damping = 0.1f;
	test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_particles rest = test_particles_read(w);
	test_place_particles(w, scaled, &by);
	uint32_t repaired = 0;
	while (oz_world_time(w) < 4)
		repaired += test_step(w).repaired;
	test_particles now = test_particles_read(w);
	assert_true(test_particles_finite(&now));
	assert_int_equal(repaired, 0);
	const double misfit = test_misfit(&now, &rest) / 0.12;
	print_message("scaled by %g %g %g, %s: %.4f of the edge off\n", by.x, by.y, by.z,
	              implicit ? "implicit" : "explicit", misfit);
	test_particles_free(&now);
	test_particles_free(&rest);
	oz_world_destroy(w);
	return misfit;
}

// Thicker ones are in their own way: what was far apart does not pass through itself.
static void a_slab_turned_inside_out_returns(void **state)
{
	(void)state;
	for (int implicit = 0; implicit < 2; implicit++)
		test_near(misfit_after(3, vec_of(-0.5, 1, 1), implicit ? 0.005f : 0,
		                       OZ_STRAIN_LINEAR),
		          0, 0.02, "misfit of a slab turned inside out");
}

// Six layers in one plane fly apart at the speed of sound, 3.7 m/s. In steps of 5 ms, nearly a
// spacing, they pass each other, and rounding decides in which order they come to rest; in 2 ms
// they do not.
static void a_cube_pressed_flat_or_blown_up_returns(void **state)
{
	(void)state;
	for (int implicit = 0; implicit < 2; implicit++) {
		const float time_step = implicit ? 0.005f : 0, flat_step = implicit ? 0.002f : 0;
		test_near(misfit_after(6, vec_of(0, 1, 1), flat_step, OZ_STRAIN_LINEAR), 0, 0.02,
		          "misfit of a cube pressed flat");
		test_near(misfit_after(6, vec_of(2, 2, 2), time_step, OZ_STRAIN_LINEAR), 0, 0.02,
		          "misfit of a cube blown up");
		test_near(misfit_after(6, vec_of(1.8, 1, 1), time_step, OZ_STRAIN_GREEN), 0, 0.02,
		          "misfit of a stretched cube, Green's strain");
	}
}

#define TWISTED 0.8 // m; half of it would be too short for so much: it snaps through

enum { QUARTERS = 8 };

// 720° within 2 s, then let go
static oz_world *twisted(bool implicit, test_particles *rest)
{
	const double L = TWISTED, H = 0.1;
	oz_keyframe frames[QUARTERS + 1];
	for (int k = 0; k <= QUARTERS; k++)
		frames[k] = (oz_keyframe){0.25f * (float)k,
		                          {(float)L / 2, 0, 0},
		                          test_rotation(vec_of(1, 0, 0), 0.5 * PI * k)};
	oz_world_def def = test_space_def(0.02);
	def.time_step = implicit ? 0.005f : 0;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(1e5, 0.3);
	m.implicit = implicit;
	m.damping = 0.1f;
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){(float)L, (float)H, (float)H});
	test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	*rest = test_particles_read(w);
	test_add_handle(w, vec_of(-L / 2 - 0.05, -1, -1), vec_of(-L / 2 + 0.05, 1, 1), NULL, 0,
	                1e9);
	test_add_handle(w, vec_of(L / 2 - 0.05, -1, -1), vec_of(L / 2 + 0.05, 1, 1), frames,
	                QUARTERS + 1, 2.2);
	return w;
}

static void a_twist_of_720_degrees_returns(void **state)
{
	(void)state;
	for (int implicit = 0; implicit < 2; implicit++) {
		test_particles rest;
		oz_world *w = twisted(implicit, &rest);
		test_run_until(w, 2.1);
		test_particles now = test_particles_read(w);
		const double wrung = test_misfit(&now, &rest);
		test_particles_free(&now);
		test_run_until(w, 2.2);
		const uint32_t steps = test_settle(w, 1e-7, test_is_long() ? 20000 : 4000);
		now = test_particles_read(w);
		double most = 0;
		for (uint32_t i = 0; i < now.count; i++)
			most = fmax(most, vec_length(vec_sub(now.at[i].x, rest.at[i].x)));
		print_message("twisted, %s: wrung by %.4f m rms, %u steps, then off by at most "
		              "%.5f m\n",
		              implicit ? "implicit" : "explicit", wrung, steps, most);
		assert_true(wrung > 0.02);
		test_near(most, 0, 0.02 * TWISTED, "way from the shape before a twist");
		test_particles_free(&now);
		test_particles_free(&rest);
		oz_world_destroy(w);
	}
}

// ---- handfuls and absurd settings --------------------------------------------------------------

// finite and without repair after some steps
static void bear(const oz_material_def *m, const oz_vec3 *points, uint32_t count, float time_step,
                 vec gravity, const char *what)
{
	oz_world_def def = test_space_def(0.02);
	def.time_step = time_step;
	def.gravity = vec_narrow(gravity);
	oz_world *w = test_world(&def);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	floor.shape.position.y = -0.1f;
	test_add_collider(w, &floor);
	test_add_points(w, test_add_material(w, m), points, count, (oz_vec3){0.1f, 0.2f, 0.3f});
	uint32_t repaired = 0;
	for (int k = 0; k < 300; k++)
		repaired += test_step(w).repaired;
	test_particles all = test_particles_read(w);
	if (repaired || !test_particles_finite(&all))
		fail_msg("%s: %u particles had to be repaired", what, repaired);
	test_particles_free(&all);
	oz_world_destroy(w);
}

static void handfuls_of_particles_are_borne(void **state)
{
	(void)state;
	const oz_vec3 row[] = {{0, 0, 0}, {0.02f, 0, 0}, {0.04f, 0, 0}};
	const oz_vec3 square[] = {{0, 0, 0}, {0.02f, 0, 0}, {0, 0.02f, 0}, {0.02f, 0.02f, 0}};
	const oz_vec3 heap[8] = {{0, 0, 0}};
	const oz_vec3 apart[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
	const vec g = {0, -9.81, 0};
	for (int k = 0; k < 2 * OZ_ELASTIC_COUNT; k++) {
		oz_material_def m = test_elastic(1e5, 0.3);
		m.elasticity = (oz_elasticity)(k / 2);
		m.implicit = k % 2;
		const float dt = m.implicit ? 0.002f : 0;
		bear(&m, row, 1, dt, g, "one particle");
		bear(&m, row, 2, dt, g, "two particles");
		bear(&m, row, 3, dt, g, "three in a row");
		bear(&m, square, 4, dt, g, "a flat square");
		bear(&m, heap, 8, dt, g, "eight at one place");
		bear(&m, apart, 3, dt, g, "three without neighbours");
	}
}

static void bear_cube(const oz_material_def *m, float time_step, vec gravity, const char *what)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.1f, 0.1f, 0.1f});
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	assert_int_equal(oz_shape_fill(&box, 0.02f, OZ_FILL_BLUE_NOISE, &points, &count, NULL),
	                 OZ_OK);
	bear(m, points, count, time_step, gravity, what);
	oz_points_free(points);
}

static void absurd_settings_are_borne(void **state)
{
	(void)state;
	const vec g = {0, -9.81, 0};
	oz_material_def m = test_elastic(1e12, 0.3);
	m.implicit = true;
	bear_cube(&m, 0.001f, g, "E 1e12, implicit");
	m = test_elastic(1e12, 0.3);
	bear_cube(&m, 0, g, "E 1e12, explicit");
	m = test_elastic(1, 0.3);
	bear_cube(&m, 0, g, "E 1");
	m = test_elastic(1e5, -0.9);
	bear_cube(&m, 0, g, "nu -0.9");
	m.implicit = true;
	bear_cube(&m, 0.002f, g, "nu -0.9, implicit");
	m = test_elastic(1e5, 0.49);
	bear_cube(&m, 0, g, "nu 0.49");
	m.strain = OZ_STRAIN_GREEN;
	bear_cube(&m, 0, g, "nu 0.49, Green's strain");
	m = test_elastic(1e5, 0.3);
	bear_cube(&m, 0, vec_of(0, -1e5, 0), "gravity 1e5");
	m.implicit = true;
	bear_cube(&m, 0, vec_of(0, -1e5, 0), "gravity 1e5, implicit");
}

static void a_step_ten_times_too_long_is_told_and_leaves_no_nan(void **state)
{
	(void)state;
	shaken s = {.fill = OZ_FILL_BLUE_NOISE, .young = 1e6, .poisson = 0.3, .hourglass = 0.1};
	oz_world *w = shaken_block(&s);
	s.time_step = 10 * (double)test_step(w).time_step;
	oz_world_destroy(w);
	w = shaken_block(&s);
	uint32_t repaired = 0, told = 0;
	for (int k = 0; k < 1000; k++) {
		const oz_step_report r = test_step(w);
		assert_true(r.repaired <= r.particles);
		repaired += r.repaired;
		told += test_count_events(w, OZ_EVENT_UNSTABLE);
	}
	test_particles all = test_particles_read(w);
	print_message("ten times too long: told %u, %u repaired\n", told, repaired);
	assert_true(test_particles_finite(&all));
	assert_int_equal(told, 1);
	test_particles_free(&all);
	oz_world_destroy(w);
}

// ---- implicit steps ----------------------------------------------------------------------------

static void a_stiff_beam_is_solved_at_long_steps(void **state)
{
	(void)state;
	oz_world_def def = test_space_def(0.01);
	def.gravity.y = -9.81f;
	def.time_step = 1.0f / 240;
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(1e6, 0.3);
	m.implicit = true;
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 0.1f, 0.1f});
	test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_add_handle(w, vec_of(-1, -1, -1), vec_of(-0.47, 1, 1), NULL, 0, 1e9);
	uint32_t most = 0, sum = 0;
	for (int k = 0; k < 60; k++) {
		test_step(w);
		const uint32_t rounds = oz_elastic_of(&w->sim)->steps.iterations;
		most = rounds > most ? rounds : most;
		sum += rounds;
	}
	const uint32_t unsolved = test_count_events(w, OZ_EVENT_NOT_CONVERGED);
	print_message("%u particles, E 1e6, 1/240 s: %.1f rounds a step, at most %u; unsolved %u\n",
	              w->sim.particles.count, sum / 60.0, most, unsolved);
	assert_int_equal(w->sim.particles.count, 10000);
	assert_int_equal(unsolved, 0);
	oz_world_destroy(w);
}

static void stiffness_does_not_shorten_implicit_steps(void **state)
{
	(void)state;
	for (int implicit = 0; implicit < 2; implicit++) {
		oz_world_def def = test_space_def(0.02);
		oz_world *w = test_world(&def);
		oz_material_def m = test_elastic(1e8, 0.3);
		m.implicit = implicit;
		const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.1f, 0.1f, 0.1f});
		test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
		const oz_step_report r = test_step(w);
		print_message("%s: %.3g s, %s\n", implicit ? "implicit" : "explicit",
		              (double)r.time_step, oz_limit_name(r.limit));
		assert_int_equal(r.limit == OZ_LIMIT_ELASTIC, !implicit);
		oz_world_destroy(w);
	}
}

// ---- contact -----------------------------------------------------------------------------------

static void a_cube_rests_on_the_floor_for_a_minute(void **state)
{
	(void)state;
	for (int implicit = 0; implicit < 2; implicit++) {
		const double s = 0.05;
		oz_world *w = test_floor(s, 20);
		oz_material_def m = oz_material_default(OZ_COROTATED);
		m.implicit = implicit;
		const oz_shape box = test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.2, 0.1));
		test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
		// its own weight presses it together a little
		test_settle(w, 1e-7, 20000);
		const double start = oz_world_time(w);
		const oz_stats then = test_stats(w);
		double fastest = 0;
		for (int k = 1; k <= 60; k++) {
			test_run_until(w, start + k);
			fastest = fmax(fastest, test_top_speed(w));
		}
		const oz_stats now = test_stats(w);
		const double drift = fmax(fabs(now.centre[0] - then.centre[0]),
		                          fmax(fabs(now.centre[1] - then.centre[1]),
		                               fabs(now.centre[2] - then.centre[2])));
		print_message("a minute, %s: fastest %.3g of sqrt(g s), drift %.3g spacings, "
		              "lowest "
		              "%.3f spacings\n",
		              implicit ? "implicit" : "explicit", fastest / sqrt(GRAVITY * s),
		              drift / s, (double)now.min.y / s);
		test_near(fastest, 0, 1e-3 * sqrt(GRAVITY * s), "jitter of a resting cube");
		test_near(drift, 0, 0.01 * s, "drift of a resting cube");
		oz_world_destroy(w);
	}
}

// largest gain of energy, as a fraction of the energy at the beginning; `fastest`: the top speed
static double energy_gain_of(double young, double height, double *fastest)
{
	const oz_shape box = test_box(vec_of(-0.1, height, -0.1), vec_of(0.1, height + 0.2, 0.1));
	oz_world *w = test_floor(0.025, 20);
	oz_material_def m = oz_material_default(OZ_COROTATED);
	m.implicit = true;
	m.young_modulus = (float)young;
	test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	const oz_stats then = test_stats(w);
	double most = 0;
	*fastest = 0;
	for (int k = 1; k <= 60; k++) {
		test_run_until(w, 0.01 * k);
		const oz_stats now = test_stats(w);
		most = fmax(most, now.kinetic_energy + now.potential_energy);
		*fastest = fmax(*fastest, test_top_speed(w));
	}
	oz_world_destroy(w);
	return most / (then.kinetic_energy + then.potential_energy) - 1;
}

static void a_stiff_implicit_cube_gains_nothing_on_the_floor(void **state)
{
	(void)state;
	static const double youngs[] = {1e5, 1e6, 1e7, 1e8};
	for (size_t k = 0; k < sizeof youngs / sizeof *youngs; k++) {
		double fastest, landed;
		const double laid = energy_gain_of(youngs[k], 0, &fastest);
		const double dropped = energy_gain_of(youngs[k], 0.3, &landed);
		print_message("E %.0e Pa: laid down gains %.1e, fastest %.3f m/s; dropped %.1e\n",
		              youngs[k], laid, fastest, dropped);
		assert_true(laid < 1e-3);
		assert_true(dropped < 1e-3);
		// it sinks in a little
		assert_true(fastest < 0.2);
	}
}

// spacings, between particles of different bodies
static double nearest_strangers(oz_world *w)
{
	test_particles all = test_particles_read(w);
	double least = INFINITY;
	for (uint32_t i = 0; i < all.count; i++)
		for (uint32_t j = 0; j < i; j++)
			if (all.at[i].body != all.at[j].body)
				least = fmin(least, vec_length(vec_sub(all.at[i].x, all.at[j].x)));
	test_particles_free(&all);
	return least / (double)w->sim.def.spacing;
}

static void a_dropped_cube_lands_on_another_and_parts_from_it(void **state)
{
	(void)state;
	const double s = 0.02;
	for (int implicit = 0; implicit < 2; implicit++) {
		oz_world *w = test_floor(s, 20);
		oz_material_def m = oz_material_default(OZ_COROTATED);
		m.implicit = implicit;
		const oz_shape low = test_box(vec_of(-0.07, 0, -0.07), vec_of(0.07, 0.1, 0.07)),
		               high = test_box(vec_of(-0.05, 0.2, -0.05), vec_of(0.05, 0.3, 0.05));
		test_add_elastic(w, &m, &low, OZ_FILL_LATTICE, vec_of(0, 0, 0));
		test_add_elastic(w, &m, &high, OZ_FILL_LATTICE, vec_of(0, 0, 0));
		double least = INFINITY;
		for (int k = 1; k <= 300; k++) {
			test_run_until(w, 0.01 * k);
			least = fmin(least, nearest_strangers(w));
		}
		const double speed = test_top_speed(w), low_y = test_mean_height(w, 0),
		             high_y = test_mean_height(w, 1);
		print_message("dropped, %s: at least %.3f spacings apart, then %.3g m/s fast, "
		              "heights %.4f %.4f\n",
		              implicit ? "implicit" : "explicit", least, speed, low_y, high_y);
		assert_true(least > 0.5);
		test_near(speed, 0, 0.01, "speed of stacked cubes");
		test_near(high_y - low_y, 0.1, 0.02, "height of one cube above the other");
		const float top = (float)high_y + 0.04f;
		const oz_keyframe frames[] = {{3, {0, top, 0}, {0, 0, 0, 1}},
		                              {4, {0, top + 0.2f, 0}, {0, 0, 0, 1}}};
		oz_handle_def lift = oz_handle_default(
		        oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.03f, 0.2f}));
		lift.body = 1;
		lift.keyframes = frames;
		lift.keyframe_count = 2;
		assert_int_equal(oz_world_add_handle(w, &lift, NULL, NULL), OZ_OK);
		test_run_until(w, 4.5);
		print_message("lifted: heights %.4f %.4f, apart %.2f spacings\n",
		              test_mean_height(w, 0), test_mean_height(w, 1), nearest_strangers(w));
		test_near(test_mean_height(w, 0), low_y, 0.1 * s, "height of the cube below");
		assert_true(nearest_strangers(w) > 8);
		oz_world_destroy(w);
	}
}

// Two blocks thrown at each other, one wider: an edge that meets an edge has few neighbours to
// tell.
static void solids_that_meet_fast_do_not_pass_into_each_other(void **state)
{
	(void)state;
	for (int implicit = 0; implicit < 2; implicit++) {
		oz_world_def def = test_space_def(0.02);
		// ten times as fast as they meet
		def.sound_speed = 60;
		oz_world *w = test_world(&def);
		oz_material_def m = test_elastic(1e5, 0.3);
		m.implicit = implicit;
		const oz_id id = test_add_material(w, &m);
		const oz_shape left = test_box(vec_of(-0.2, 0, 0), vec_of(-0.1, 0.1, 0.1)),
		               right = test_box(vec_of(0.1, -0.04, -0.04), vec_of(0.2, 0.14, 0.14));
		test_add_thrown(w, id, &left, vec_of(3, 0, 0));
		test_add_thrown(w, id, &right, vec_of(-3, 0, 0));
		double least = INFINITY, most = 0;
		const double first = test_kinetic_energy(w);
		while (oz_world_time(w) < 0.2) {
			test_step(w);
			least = fmin(least, nearest_strangers(w));
			most = fmax(most, test_kinetic_energy(w) / first);
		}
		print_message("thrown at each other, %s: at least %.3f spacings apart, kinetic "
		              "energy "
		              "at most %.4f of the first\n",
		              implicit ? "implicit" : "explicit", least, most);
		test_near(most, 1, 0.02, "greatest kinetic energy of blocks that meet");
		assert_true(least < 1.5);
		assert_true(least > 0.5);
		oz_world_destroy(w);
	}
}

// m/s, the speed down a held slope of 25° of a cube put there at rest, after that time
static double slide_for(double friction, double time)
{
	const double tilt = 25 * PI / 180, s = 0.02;
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(1e6, 0.3);
	m.friction = (float)friction;
	oz_shape slab = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.8f, 0.06f, 0.16f}),
	         cube = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.1f, 0.1f, 0.1f});
	slab.rotation = cube.rotation = test_rotation(vec_of(0, 0, 1), -tilt);
	const vec along = {cos(tilt), -sin(tilt), 0}, up = {sin(tilt), cos(tilt), 0};
	cube.position = vec_narrow(vec_mad(vec_mad(vec_of(0, 0, 0), along, -0.2), up, 0.08));
	test_add_elastic(w, &m, &slab, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	oz_handle_def hold = oz_handle_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){2, 0, 0}));
	hold.body = 0;
	assert_int_equal(oz_world_add_handle(w, &hold, NULL, NULL), OZ_OK);
	test_add_elastic(w, &m, &cube, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_run_until(w, time);
	test_particles all = test_particles_read(w);
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == 1) {
			sum += vec_dot(all.at[i].v, along);
			count++;
		}
	test_particles_free(&all);
	oz_world_destroy(w);
	print_message("25 degrees, friction %.1f: %.4f m/s after %.1f s\n", friction, sum / count,
	              time);
	return sum / count;
}

static void a_cube_slides_down_a_slope_as_coulomb_says(void **state)
{
	(void)state;
	const double tilt = 25 * PI / 180;
	const double smooth = slide_for(0, 0.4), rough = slide_for(0.2, 0.4);
	test_near(smooth / 0.4, GRAVITY * sin(tilt), 0.02 * GRAVITY * sin(tilt),
	          "acceleration without friction");
	// pairs that touch at a slant press harder than the weight does
	test_near(tan(tilt) - rough / 0.4 / (GRAVITY * cos(tilt)), 0.2, 0.05,
	          "coefficient of friction");
}

static void a_cube_is_held_on_a_slope(void **state)
{
	(void)state;
	test_near(slide_for(0.8, 0.4), 0, 0.01, "speed");
	test_near(slide_for(0.8, 1.2), 0, 1e-3, "speed, later");
}

// ---- on walls ----------------------------------------------------------------------------------

// a cube on a plane with a friction of 0.3, laid there at rest
static oz_world *cube_on_slope(double degrees)
{
	const double tilt = degrees * PI / 180;
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.threads = 1;
	def.gravity = vec_narrow(vec_of(GRAVITY * sin(tilt), -GRAVITY * cos(tilt), 0));
	oz_world *w = test_world(&def);
	const oz_material_def m = test_elastic(1e5, 0.3);
	oz_collider_def plane =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	plane.friction = 0.3f;
	test_add_collider(w, &plane);
	const oz_shape cube = test_box(vec_of(-0.05, 0, -0.05), vec_of(0.05, 0.1, 0.05));
	test_add_elastic(w, &m, &cube, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	return w;
}

// m, how far it slides from one time to another, s
static double slide_between(double degrees, double from, double to)
{
	oz_world *w = cube_on_slope(degrees);
	test_run_until(w, from);
	const double before = test_stats(w).centre[0];
	test_run_until(w, to);
	const double way = test_stats(w).centre[0] - before;
	print_message("%g degrees on a plane, friction 0.3: slides %.3f mm from %g s to %g s\n",
	              degrees, 1e3 * way, from, to);
	oz_world_destroy(w);
	return way;
}

static void a_cube_stays_on_a_wall_below_the_angle_of_friction(void **state)
{
	(void)state;
	// 16.7 degrees
	test_near(slide_between(15, 0.5, 1), 0, 2.5e-4, "way of a cube that friction holds, m");
	// the opposite; it gains some speed before the wall presses it
	const double a = GRAVITY * (sin(20 * PI / 180) - 0.3 * cos(20 * PI / 180));
	const double due = 0.5 * a * (0.5 * 0.5 - 0.3 * 0.3);
	test_near(slide_between(20, 0.3, 0.5), 1.1 * due, 0.2 * due, "way of one that slides, m");
}

// height that a dropped ball reaches again, over that of its fall
static double bounce(float restitution)
{
	const double r = 0.06, fall = 0.2;
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_material_def m = test_elastic(3e5, 0.3);
	oz_collider_def plane =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	plane.restitution = restitution;
	test_add_collider(w, &plane);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){(float)r, 0, 0});
	ball.position.y = (float)(r + fall);
	test_add_elastic(w, &m, &ball, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	double top = 0;
	while (oz_world_time(w) < 0.6) {
		test_step(w);
		if (oz_world_time(w) > 0.3)
			top = fmax(top, test_stats(w).centre[1]);
	}
	oz_world_destroy(w);
	print_message("restitution %g: bounces to %.3f of its fall\n", (double)restitution,
	              (top - r) / fall);
	return (top - r) / fall;
}

static void a_ball_bounces_higher_with_more_restitution(void **state)
{
	(void)state;
	const double none = bounce(0), half = bounce(0.5f), all = bounce(1);
	assert_true(none + 0.05 < half && half + 0.05 < all);
	assert_true(all > 0.95 && all < 1.001);
}

// Three spacings into the floor, and back: what is held waits at the floor, at steps as long as
// ever.
static void a_handle_that_leads_into_a_wall_keeps_the_step(void **state)
{
	(void)state;
	static const oz_keyframe way[] = {{0, {0, 0.15f, 0}, {0, 0, 0, 1}},
	                                  {0.2f, {0, -0.06f, 0}, {0, 0, 0, 1}},
	                                  {0.5f, {0, -0.06f, 0}, {0, 0, 0, 1}},
	                                  {0.7f, {0, 0.15f, 0}, {0, 0, 0, 1}}};
	for (int implicit = 0; implicit < 2; implicit++) {
		const oz_shape box = test_box(vec_of(-0.06, 0.1, -0.06), vec_of(0.06, 0.2, 0.06));
		oz_world_def def = test_space_def(0.02);
		oz_world *w = test_world(&def);
		oz_material_def m = test_elastic(1e5, 0.3);
		m.implicit = implicit;
		test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
		const oz_collider_def floor =
		        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
		test_add_collider(w, &floor);
		test_add_handle(w, vec_of(-1, 0.1, -1), vec_of(1, 0.15, 1), way, 4, 1e9);
		double least = 1, low = 1;
		while (oz_world_time(w) < 1) {
			const oz_step_report r = test_step(w);
			assert_int_equal(r.repaired, 0);
			least = fmin(least, (double)r.time_step);
			low = fmin(low, (double)test_stats(w).min.y);
		}
		// back where the handle is
		const double back = (double)test_stats(w).min.y;
		print_message("a handle into a wall, %s: least step %.2g s, lowest %.3f, back at "
		              "%.3f m\n",
		              implicit ? "implicit" : "explicit", least, low, back);
		assert_true(least > 5e-5);
		assert_true(low > 0);
		test_near(back, 0.11, 0.01, "height of the lowest particle in the end");
		oz_world_destroy(w);
	}
}

// A lattice that ends half a spacing from a wall: together they have the rest density.
static void a_solid_that_lies_on_a_floor_is_not_compressed(void **state)
{
	(void)state;
	oz_world_def def = test_space_def(0.02);
	oz_world *w = test_world(&def);
	const oz_shape box = test_box(vec_of(-0.06, 0, -0.06), vec_of(0.06, 0.12, 0.06));
	const oz_material_def m = test_elastic(1e5, 0.3);
	const oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	test_add_collider(w, &floor);
	test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_step(w);
	test_particles all = test_particles_read(w);
	double most = 0, middle = 0, nearest = INFINITY;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		const double r = x.y < 0.02 ? hypot(x.x, x.z) : INFINITY;
		most = fmax(most, all.at[i].density);
		if (r < nearest) {
			nearest = r;
			middle = all.at[i].density;
		}
	}
	// 0.1 %: of λ, from a table
	test_near(most / 1000, 1, 1e-3, "the highest density over that at rest");
	test_near(middle / 1000, 1, 1e-3, "the density in the middle of the lowest layer");
	test_particles_free(&all);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_solid_that_lies_on_a_floor_is_not_compressed),
	        cmocka_unit_test(a_handle_that_leads_into_a_wall_keeps_the_step),
	        cmocka_unit_test(the_automatic_time_step_holds_for_all),
	        cmocka_unit_test(a_time_step_beyond_the_automatic_one_is_told),
	        cmocka_unit_test(a_slab_turned_inside_out_returns),
	        cmocka_unit_test(a_cube_pressed_flat_or_blown_up_returns),
	        cmocka_unit_test(a_twist_of_720_degrees_returns),
	        cmocka_unit_test(handfuls_of_particles_are_borne),
	        cmocka_unit_test(absurd_settings_are_borne),
	        cmocka_unit_test(a_step_ten_times_too_long_is_told_and_leaves_no_nan),
	        cmocka_unit_test(a_stiff_beam_is_solved_at_long_steps),
	        cmocka_unit_test(stiffness_does_not_shorten_implicit_steps),
	        cmocka_unit_test(a_cube_rests_on_the_floor_for_a_minute),
	        cmocka_unit_test(a_stiff_implicit_cube_gains_nothing_on_the_floor),
	        cmocka_unit_test(a_dropped_cube_lands_on_another_and_parts_from_it),
	        cmocka_unit_test(solids_that_meet_fast_do_not_pass_into_each_other),
	        cmocka_unit_test(a_cube_slides_down_a_slope_as_coulomb_says),
	        cmocka_unit_test(a_cube_is_held_on_a_slope),
	        cmocka_unit_test(a_cube_stays_on_a_wall_below_the_angle_of_friction),
	        cmocka_unit_test(a_ball_bounces_higher_with_more_restitution),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
