// test_links.c: fluids of linked particles have the shear modulus and the relaxation time of their
// material, keep momentum, merge, break, and stick to the materials and walls that they should;
// links with the paper's constants follow its eq 6 and 7.
#include "models/links/links.h"
#include "worlds.h"

#define LONG_TIME 1e9 // s, a relaxation time that is never reached

static oz_material_def slime_def(double modulus, double relaxation)
{
	oz_material_def def = oz_material_default(OZ_LINKS);
	def.shear_modulus = (float)modulus;
	def.relaxation_time = (float)relaxation;
	def.sticky = 1e9f;
	return def;
}

static const oz_links *links_of(const oz_world *w)
{
	return oz_model_state(&w->sim, &oz_links_model);
}

// links of a particle by its index; broken ones do not count
static uint32_t count_links(const oz_world *w, uint32_t row)
{
	const oz_link_table *t = &links_of(w)->table;
	const uint stride = w->sim.device->stride;
	uint start, count, whole = 0;
	start = ((const uint *)test_look(w, t->start, sizeof(uint) * (row + 1)))[row];
	count = ((const uint *)test_look(w, t->count, sizeof(uint) * (row + 1)))[row];
	const float *rest = test_look(w, t->rest, sizeof *rest * t->used);
	for (uint c = 0; c < count; c++)
		whole += rest[oz_list_at(start, row, c, stride)] > 0;
	return whole;
}

// ---- strips ------------------------------------------------------------------------------------

typedef struct strip {
	double spacing;             // m
	int wide, length;           // spacings
	double modulus, relaxation; // Pa, s
	double stretch, moving;     // pulled by this share of its length in `moving`, s, then held
	float dt;                   // s; 0: adapted
	oz_pressure pressure;
	double activation, temperature; // J/mol, °C
	oz_fill fill;
	oz_link_law law;
	double cohesion; // Pa
} strip;

static const strip typical = {.spacing = 0.01,
                              .wide = 6,
                              .length = 24,
                              .modulus = 1e4,
                              .relaxation = LONG_TIME,
                              .stretch = 0.03,
                              .moving = 0.3,
                              .pressure = OZ_PRESSURE_INCOMPRESSIBLE,
                              .temperature = 20};

static void add_strip(oz_world *w, const strip *p, double half, double high)
{
	oz_material_def slime = slime_def(p->modulus, p->relaxation);
	slime.activation_energy = (float)p->activation;
	slime.link_law = p->law;
	slime.cohesion = (float)p->cohesion;
	const oz_shape bar = test_box(vec_of(-half, 0, -half), vec_of(half, high, half));
	const oz_id material = test_add_material(w, &slime);
	if (p->fill == OZ_FILL_LATTICE)
		test_add_warm(w, material, &bar, p->temperature);
	else
		test_add_filled(w, material, &bar, p->fill);
}

// a strip between two plates to which it sticks; the upper one moves up
static oz_world *make_strip(const strip *p)
{
	const double s = p->spacing, high = p->length * s, half = 0.5 * p->wide * s;
	oz_world_def def = test_space_def(s);
	def.pressure = p->pressure;
	def.time_step = p->dt;
	oz_world *w = test_world(&def);
	add_strip(w, p, half, high);
	const double plate = half + 4 * s;
	test_add_wall(w, test_box(vec_of(-plate, -4 * s, -plate), vec_of(plate, 0, plate)), false,
	              NULL, 0);
	const oz_vec3 from = {0, (float)(high + 2 * s), 0};
	const oz_vec3 to = {0, (float)(high + 2 * s + p->stretch * high), 0};
	const oz_keyframe frames[] = {{.time = 0, .position = from, .rotation = {0, 0, 0, 1}},
	                              {.time = (float)p->moving,
	                               .position = to,
	                               .rotation = {0, 0, 0, 1}}};
	test_add_wall(w, test_box(vec_of(-plate, high, -plate), vec_of(plate, high + 4 * s, plate)),
	              false, frames, 2);
	return w;
}

// Pa, mean true stress until a time: what the upper plate bears, over the section at constant
// volume
static double stress_of(oz_world *w, const strip *p, double until)
{
	const double area = p->wide * p->wide * p->spacing * p->spacing / (1 + p->stretch);
	test_load(w, 1);
	test_run_until(w, until);
	return -test_load(w, 1).force[1] / area;
}

// 3 G e within 10 %, whatever spacing and time step: explicit and implicit ones
static void a_stretched_strip_has_the_modulus_that_was_set(void **state)
{
	(void)state;
	const double spacing[] = {0.01, 0.0075, 0.005};
	const int wide[] = {6, 8, 12};
	const double steps[] = {0.5, 0.1, 0.025}; // s, times the spacing in m
	const int sizes = test_is_long() ? 3 : 1, tried = test_is_long() ? 3 : 2;
	for (int k = 0; k < sizes; k++)
		for (int d = 0; d < tried; d++) {
			strip p = typical;
			p.spacing = spacing[k];
			p.wide = wide[k];
			p.length = 4 * wide[k];
			p.dt = (float)(spacing[k] * steps[d]);
			oz_world *w = make_strip(&p);
			test_run_until(w, 0.4);
			const double stress = stress_of(w, &p, 0.6);
			print_message("spacing %g m, step %g s: %.3f of 3 G e\n", p.spacing,
			              (double)p.dt, stress / (3 * p.modulus * p.stretch));
			test_near(stress, 3 * p.modulus * p.stretch,
			          0.1 * 3 * p.modulus * p.stretch, "stress of a strip, Pa");
			oz_world_destroy(w);
		}
}

// 3 G e of particles that are not on a lattice
static void a_strip_of_blue_noise_has_the_modulus_that_was_set(void **state)
{
	(void)state;
	strip p = typical;
	p.fill = OZ_FILL_BLUE_NOISE;
	for (int k = 0; k < 2; k++) {
		p.cohesion = k * 2 * p.modulus;
		oz_world *w = make_strip(&p);
		test_run_until(w, 0.4);
		const double stress = stress_of(w, &p, 0.6);
		print_message("blue noise, cohesion %g Pa: %.3f of 3 G e\n", p.cohesion,
		              stress / (3 * p.modulus * p.stretch));
		test_near(stress, 3 * p.modulus * p.stretch, 0.1 * 3 * p.modulus * p.stretch,
		          "stress of a strip, Pa");
		oz_world_destroy(w);
	}
}

// Springs push, too: a network of them has Poisson's ratio 1/4 (Cauchy), and the pressure does not
// pull, so that a stretched strip has 2 G (1 + 1/4) e = 5/2 G e. In a strip that is pressed the
// pressure keeps the volume: 3 G e.
static void springs_have_five_halves_of_g_in_tension_and_three_when_pressed(void **state)
{
	(void)state;
	strip p = typical;
	p.law = OZ_LINKS_SPRINGS;
	p.wide = 8;
	p.length = 12;
	for (int k = 0; k < 2; k++) {
		p.stretch = k ? -0.03 : 0.03;
		const double expected = (k ? 3 : 2.5) * p.modulus * p.stretch;
		oz_world *w = make_strip(&p);
		test_run_until(w, 0.4);
		const double stress = stress_of(w, &p, 0.6);
		print_message("springs, stretch %g: %.3f of %s G e\n", p.stretch, stress / expected,
		              k ? "3" : "5/2");
		test_near(stress, expected, 0.1 * fabs(expected), "stress of springs, Pa");
		oz_world_destroy(w);
	}
}

// the opposite: with 1e-4 of the modulus the plate bears next to nothing
static void a_soft_strip_bears_little(void **state)
{
	(void)state;
	strip p = typical;
	p.modulus = 1;
	p.dt = 1e-3f;
	oz_world *w = make_strip(&p);
	test_run_until(w, 0.4);
	assert_true(fabs(stress_of(w, &p, 0.6)) < 1);
	oz_world_destroy(w);
}

static void an_equation_of_state_gives_the_same_modulus(void **state)
{
	(void)state;
	strip p = typical;
	p.pressure = OZ_PRESSURE_EOS;
	oz_world *w = make_strip(&p);
	test_run_until(w, 0.4);
	const double stress = stress_of(w, &p, 0.6);
	test_near(stress, 3 * p.modulus * p.stretch, 0.1 * 3 * p.modulus * p.stretch,
	          "stress of a strip, Pa");
	oz_world_destroy(w);
}

// s, the time in which the stress of a held strip falls to 1/e: from two means of equal spans. The
// strip is short and stiff: waves run through it many times in such a span.
static double relaxation_of(strip *p, double expected)
{
	p->length = 12;
	p->modulus = 4e4;
	p->moving = 0.2;
	oz_world *w = make_strip(p);
	test_run_until(w, p->moving + 0.3 * expected);
	const double early = stress_of(w, p, p->moving + 0.6 * expected);
	test_run_until(w, p->moving + 1.3 * expected);
	const double late = stress_of(w, p, p->moving + 1.6 * expected);
	oz_world_destroy(w);
	return expected / log(early / late);
}

static void the_stress_of_a_held_strip_relaxes_in_the_time_that_was_set(void **state)
{
	(void)state;
	strip p = typical;
	const double times[] = {0.4, 1};
	for (int k = 0; k < (test_is_long() ? 2 : 1); k++) {
		p.relaxation = times[k];
		const double found = relaxation_of(&p, p.relaxation);
		print_message("relaxation time %.4f s of %g s\n", found, p.relaxation);
		test_near(found, p.relaxation, 0.1 * p.relaxation, "relaxation time, s");
	}
}

// Arrhenius: 60 kJ/mol and 20 °C more make it exp(60000/R (1/293.15 - 1/313.15)) times faster
static void a_hot_strip_relaxes_faster_by_arrhenius(void **state)
{
	(void)state;
	strip p = typical;
	p.relaxation = 2;
	p.activation = 60000;
	p.temperature = 40;
	const double expected = 2 * exp(-60000 / 8.314462 * (1 / 293.15 - 1 / 313.15));
	const double found = relaxation_of(&p, expected);
	print_message("relaxation time %.4f s of %.4f s at 40 °C\n", found, expected);
	test_near(found, expected, 0.1 * expected, "relaxation time, s");
}

// ---- free space --------------------------------------------------------------------------------

static oz_id add_ball(oz_world *w, const oz_material_def *def, vec centre, double radius,
                      vec velocity)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)radius, 0, 0));
	ball.position = oz_v3((float)centre.x, (float)centre.y, (float)centre.z);
	return test_add_thrown(w, test_add_material(w, def), &ball, velocity);
}

// two balls of different slime, a rigid cube and a rubber cube hit each other off centre
static void fly_together(oz_pressure pressure)
{
	const double s = 0.01;
	oz_world_def def = test_space_def(s);
	def.pressure = pressure;
	oz_world *w = test_world(&def);
	const oz_material_def soft = slime_def(200, 0.2), stiff = slime_def(5000, 1);
	oz_material_def stone = oz_material_default(OZ_RIGID);
	oz_material_def rubber = test_elastic(1e5, 0.3);
	stone.friction = rubber.friction = 0;
	add_ball(w, &soft, vec_of(-0.045, 0.01, 0), 0.03, vec_of(1, 0, 0.2));
	add_ball(w, &stiff, vec_of(0.045, -0.01, 0.01), 0.03, vec_of(-1, 0, 0));
	const oz_shape cube = test_box(vec_of(-0.02, 0.06, -0.02), vec_of(0.02, 0.1, 0.02));
	const oz_shape other = test_box(vec_of(-0.02, -0.1, -0.02), vec_of(0.02, -0.06, 0.02));
	test_add_thrown(w, test_add_material(w, &rubber), &cube, vec_of(0, -1, 0));
	test_add_thrown(w, test_add_material(w, &stone), &other, vec_of(0, 1, 0));
	const test_momenta before = test_momenta_of(w);
	test_run_until(w, 0.15);
	test_momenta after = test_momenta_of(w);
	// each particle of a rigid body is a cube that rotates, too
	oz_rigid_state r;
	test_must(oz_world_get_rigid(w, 3, &r, NULL), NULL);
	after.angular =
	        vec_mad(after.angular, vec_of(r.spin[0], r.spin[1], r.spin[2]), r.mass * s * s / 6);
	const double linear = vec_length(vec_sub(after.linear, before.linear));
	const double angular = vec_length(vec_sub(after.angular, before.angular));
	print_message("momenta change by %.1e and %.1e\n", linear / before.linear_scale,
	              angular / before.angular_scale);
	assert_true(linear < 1e-5 * before.linear_scale);
	assert_true(angular < 1e-5 * before.angular_scale);
	// they have hit: the stone has lost speed
	assert_true(r.velocity[1] < 0.9);
	oz_world_destroy(w);
}

static void what_flies_together_keeps_its_momentum(void **state)
{
	(void)state;
	fly_together(OZ_PRESSURE_INCOMPRESSIBLE);
	fly_together(OZ_PRESSURE_EOS);
}

// Two balls alone: angular momentum, too. They stick: after the impact they are one piece that
// turns about its centre; with an adhesion that says so, they part again.
static void two_balls_merge_unless_the_table_says_no(void **state)
{
	(void)state;
	for (int sticks = 0; sticks < 2; sticks++) {
		oz_world_def def = test_space_def(0.01);
		def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
		oz_world *w = test_world(&def);
		const oz_material_def slime = slime_def(500, 0.5);
		add_ball(w, &slime, vec_of(-0.04, 0.008, 0), 0.03, vec_of(0.4, 0, 0));
		add_ball(w, &slime, vec_of(0.04, -0.008, 0), 0.03, vec_of(-0.4, 0, 0));
		oz_adhesion_def adhesion = oz_adhesion_default(0, 1);
		adhesion.sticks = sticks;
		test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
		const test_momenta before = test_momenta_of(w);
		double kinetic = test_kinetic_energy(w);
		for (int k = 1; k <= 8; k++) {
			test_run_until(w, 0.1 * k);
			assert_true(test_kinetic_energy(w) < 1.001 * kinetic);
		}
		const test_momenta after = test_momenta_of(w);
		assert_true(vec_length(vec_sub(after.linear, before.linear)) <
		            1e-5 * before.linear_scale);
		assert_true(vec_length(vec_sub(after.angular, before.angular)) <
		            1e-5 * before.angular_scale);
		test_particles all = test_particles_read(w);
		double apart = 1;
		for (uint32_t i = 0; i < all.count; i++)
			for (uint32_t j = 0; j < i; j++)
				if (all.at[i].body != all.at[j].body)
					apart = fmin(apart,
					             vec_length(vec_sub(all.at[i].x, all.at[j].x)));
		print_message("sticks %d: %.4f m apart\n", sticks, apart);
		assert_true(sticks ? apart < 0.015 : apart > 0.03);
		test_particles_free(&all);
		oz_world_destroy(w);
	}
}

// ---- two particles -----------------------------------------------------------------------------

#define PAIR_STEP 1e-3 // s

// two particles of different masses that part
static oz_world *make_pair(oz_material_def light, double distance, double speed)
{
	oz_world_def def = test_space_def(0.01);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.time_step = (float)PAIR_STEP;
	oz_world *w = test_world(&def);
	oz_material_def heavy = light;
	light.viscosity = heavy.viscosity = light.damping = heavy.damping = 0;
	heavy.density = 3 * light.density;
	test_add_particle(w, test_add_material(w, &light), oz_v3(0, 0, 0), oz_v3(0, 0, 0));
	test_add_particle(w, test_add_material(w, &heavy), oz_v3((float)distance, 0, 0),
	                  oz_v3((float)speed, 0, 0));
	return w;
}

// eq 6: Δv_i = c m_j/(m_i + m_j) D/Δt; eq 7: c falls by Δt w where D > γ h, to l at least
static void a_pair_follows_eq_6_and_7(void **state)
{
	(void)state;
	const double h = 0.022, r = 0.015;
	oz_material_def def = slime_def(1, 1);
	def.paper = true;
	def.link_correction = 0.02f;
	def.link_least = 0.005f;
	def.link_weakening = 1.5f;
	def.link_yield = 0.2f;
	def.extensibility = 3;
	oz_world *w = make_pair(def, r, 1);
	double c = 0.02;
	double x[2] = {0, r}, v[2] = {0, 1};
	for (int k = 0; k < 25; k++) {
		test_step(w);
		const double D = fmax(x[1] - x[0] - r, 0);
		v[0] += c * 0.75 * D / PAIR_STEP;
		v[1] -= c * 0.25 * D / PAIR_STEP;
		if (D > 0.2 * h)
			c = fmax(c - PAIR_STEP * 1.5, 0.005);
		x[0] += PAIR_STEP * v[0];
		x[1] += PAIR_STEP * v[1];
		test_particles all = test_particles_read(w);
		test_near(all.at[0].v.x, v[0], 1e-4, "speed of the light particle, m/s");
		test_near(all.at[1].v.x, v[1], 1e-4, "speed of the heavy particle, m/s");
		test_particles_free(&all);
	}
	// both equations have been at work
	assert_true(c < 0.02 && v[0] > 0.05);
	oz_world_destroy(w);
}

// a link breaks at its extensibility, β h, and pulls no more
static void a_link_breaks_at_its_extensibility(void **state)
{
	(void)state;
	const double h = 0.022;
	oz_material_def def = slime_def(0.01, LONG_TIME);
	def.extensibility = 1.5f;
	oz_world *w = make_pair(def, 0.015, 1);
	test_step(w);
	assert_int_equal(count_links(w, 0), 1);
	double last = 0;
	for (int k = 0; k < 40; k++) {
		test_particles all = test_particles_read(w);
		const double d = all.at[1].x.x - all.at[0].x.x;
		test_particles_free(&all);
		test_step(w);
		const uint32_t links = count_links(w, 0);
		if (d < 1.5 * h - 1e-5)
			assert_int_equal(links, 1);
		if (d > 1.5 * h + 1e-5)
			assert_int_equal(links, 0);
		last = d;
	}
	assert_true(last > 2 * h);
	oz_world_destroy(w);
}

// ---- walls and solids --------------------------------------------------------------------------

// a block of slime under a ceiling; gives how far its middle has fallen, m, and what the ceiling
// bears of its weight
static double hang(const oz_material_def *slime, bool sticks, double until, double *share)
{
	const double s = 0.01;
	oz_world_def def = test_space_def(s);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	oz_collider_def ceiling =
	        oz_collider_default(test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.05, 0.1)));
	ceiling.sticks = sticks;
	ceiling.load = true;
	test_add_collider(w, &ceiling);
	const oz_shape block = test_box(vec_of(-0.03, -0.04, -0.03), vec_of(0.03, 0, 0.03));
	const oz_id body = test_add_filled(w, test_add_material(w, slime), &block, OZ_FILL_LATTICE);
	const double before = test_mean_height(w, body);
	test_run_until(w, 0.5 * until);
	test_load(w, 0);
	test_run_until(w, until);
	const double weight = 1000 * 0.06 * 0.06 * 0.04 * 9.81;
	*share = -test_load(w, 0).force[1] / weight;
	const double fallen = before - test_mean_height(w, body);
	oz_world_destroy(w);
	return fallen;
}

static void what_sticks_to_a_ceiling_hangs_and_what_does_not_falls(void **state)
{
	(void)state;
	double share;
	oz_material_def slime = slime_def(3000, LONG_TIME);
	slime.viscosity = 1;
	double fallen = hang(&slime, true, 1, &share);
	print_message("hangs: %.4f m fallen, ceiling bears %.3f of the weight\n", fallen, share);
	assert_true(fallen < 0.005);
	test_near(share, 1, 0.02, "share of the weight");
	const double free_fall = 0.5 * GRAVITY * 0.3 * 0.3;
	oz_material_def thin = slime;
	thin.viscosity = 0.001f;
	fallen = hang(&thin, false, 0.3, &share);
	test_near(fallen, free_fall, 0.02 * free_fall, "fall from a ceiling without adhesion, m");
	// 40 mm of it weigh 390 Pa: 200 Pa do not hold that, 2000 do
	slime.sticky = 200;
	fallen = hang(&slime, true, 0.5, &share);
	assert_true(fallen > 0.3);
	slime.sticky = 2000;
	fallen = hang(&slime, true, 0.5, &share);
	assert_true(fallen < 0.005);
}

// Stiff slime slides along a wall that bears `sticky` and no more, whatever the time step: the
// weight of 8 cm is 785 Pa on each area. `fallen` is the way after 0.3 s.
static double slide(double sticky, double step, double *drag)
{
	oz_world_def def = test_space_def(0.01);
	def.gravity = oz_v3(0, -9.81f, 9.81f);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.time_step = (float)step;
	oz_world *w = test_world(&def);
	oz_collider_def wall = oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)));
	wall.load = wall.slip = true;
	test_add_collider(w, &wall);
	oz_material_def slime = slime_def(10000, LONG_TIME);
	slime.sticky = (float)sticky;
	const oz_shape block = test_box(vec_of(-0.04, 0, -0.04), vec_of(0.04, 0.08, 0.04));
	test_add_filled(w, test_add_material(w, &slime), &block, OZ_FILL_LATTICE);
	test_run_until(w, 0.1);
	test_load(w, 0);
	test_run_until(w, 0.3);
	*drag = test_load(w, 0).force[2] / (0.08 * 0.08);
	const double way = test_stats(w).centre[2];
	oz_world_destroy(w);
	return way;
}

static void a_wall_bears_sticky_at_any_time_step(void **state)
{
	(void)state;
	const double steps[] = {0.0005, 0.001, 0.003};
	for (int k = 0; k < 3; k++) {
		double drag;
		const double way = slide(200, steps[k], &drag);
		print_message("step %g s: %.3f m in 0.3 s, drag %.0f Pa\n", steps[k], way, drag);
		test_near(drag, 200, 30, "drag along a wall, Pa");
	}
}

// Pa, the largest tension, as a mean over 4 ms, of a block between two plates that part
static double pull_off(double sticky, double step)
{
	oz_world_def def = test_space_def(0.01);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.time_step = (float)step;
	oz_world *w = test_world(&def);
	oz_keyframe frames[2];
	for (int k = 0; k < 2; k++)
		frames[k] = (oz_keyframe){.time = (float)(0.02 + 0.3 * k),
		                          .position = {0, (float)(0.06 + 0.002 * k), 0},
		                          .rotation = {0, 0, 0, 1}};
	test_add_wall(w, test_box(vec_of(-0.1, -0.04, -0.1), vec_of(0.1, 0, 0.1)), false, NULL, 0);
	test_add_wall(w, test_box(vec_of(-0.1, 0.04, -0.1), vec_of(0.1, 0.08, 0.1)), false, frames,
	              2);
	oz_material_def slime = slime_def(10000, LONG_TIME);
	slime.sticky = (float)sticky;
	slime.viscosity = 5;
	const oz_shape block = test_box(vec_of(-0.04, 0, -0.04), vec_of(0.04, 0.04, 0.04));
	test_add_filled(w, test_add_material(w, &slime), &block, OZ_FILL_LATTICE);
	double most = 0;
	for (int k = 1; k <= 80; k++) {
		test_run_until(w, 0.004 * k);
		most = fmax(most, -test_load(w, 1).force[1] / (0.08 * 0.08));
	}
	oz_world_destroy(w);
	return most;
}

// A plate comes off when the tension reaches `sticky`, a little earlier at its edges.
static void a_plate_comes_off_at_sticky_at_any_time_step(void **state)
{
	(void)state;
	const double steps[] = {0.0005, 0.001, 0.002, 0.004};
	for (int k = 0; k < 4; k++) {
		const double most = pull_off(300, steps[k]), twice = pull_off(600, steps[k]);
		print_message("step %g s: pull-off at %.0f of 300 Pa, %.0f of 600 Pa\n", steps[k],
		              most, twice);
		assert_true(most > 0.8 * 300 && most < 1.02 * 300);
		assert_true(twice > 0.8 * 600 && twice < 1.02 * 600);
	}
}

// a fluid that relaxes quickly runs down from the ceiling
static void slime_that_relaxes_flows_from_the_ceiling(void **state)
{
	(void)state;
	double share;
	oz_material_def slime = slime_def(3000, 0.02);
	const double fallen = hang(&slime, true, 0.5, &share);
	print_message("flows: %.4f m fallen\n", fallen);
	assert_true(fallen > 0.01);
}

// a rigid cube hangs in a lump that sticks to a ceiling; without adhesion it falls out
static void a_cube_hangs_in_slime_that_sticks_to_it(void **state)
{
	(void)state;
	for (int sticks = 0; sticks < 2; sticks++) {
		const double s = 0.01;
		oz_world_def def = test_space_def(s);
		def.gravity = oz_v3(0, -9.81f, 0);
		def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
		oz_world *w = test_world(&def);
		test_add_wall(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.05, 0.1)), false,
		              NULL, 0);
		oz_material_def slime = slime_def(5000, LONG_TIME);
		slime.viscosity = 1;
		const oz_material_def wood = oz_material_default(OZ_RIGID);
		const oz_shape lump = test_box(vec_of(-0.03, -0.04, -0.03), vec_of(0.03, 0, 0.03));
		const oz_shape cube =
		        test_box(vec_of(-0.02, -0.08, -0.02), vec_of(0.02, -0.04, 0.02));
		const oz_id one = test_add_material(w, &slime), two = test_add_material(w, &wood);
		test_add_filled(w, one, &lump, OZ_FILL_LATTICE);
		const oz_id body = test_add_filled(w, two, &cube, OZ_FILL_LATTICE);
		oz_adhesion_def adhesion = oz_adhesion_default(one, two);
		adhesion.sticks = sticks;
		test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
		test_run_until(w, 0.4);
		const double y = test_mean_height(w, body);
		print_message("sticks %d: cube at %.4f m\n", sticks, y);
		assert_true(sticks ? y > -0.07 : y < -0.3);
		oz_world_destroy(w);
	}
}

// m/s, rms speed of a rigid cube that hangs on a lump of slime or lies on one, after 1.5 s
static double trembling(bool hangs, double density)
{
	oz_world_def def = test_space_def(0.01);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	// the ceiling or the floor of the lump
	const double low = hangs ? 0 : -0.09;
	test_add_wall(w, test_box(vec_of(-0.1, low, -0.1), vec_of(0.1, low + 0.05, 0.1)), false,
	              NULL, 0);
	oz_material_def slime = slime_def(5000, LONG_TIME), cork = oz_material_default(OZ_RIGID);
	slime.viscosity = 1;
	cork.density = (float)density;
	const oz_shape lump = test_box(vec_of(-0.03, -0.04, -0.03), vec_of(0.03, 0, 0.03));
	const oz_shape below = test_box(vec_of(-0.02, -0.08, -0.02), vec_of(0.02, -0.04, 0.02));
	const oz_shape above = test_box(vec_of(-0.02, 0, -0.02), vec_of(0.02, 0.04, 0.02));
	test_add_filled(w, test_add_material(w, &slime), &lump, OZ_FILL_LATTICE);
	test_add_filled(w, test_add_material(w, &cork), hangs ? &below : &above, OZ_FILL_LATTICE);
	test_run_until(w, 1.5);
	double sum = 0, edge = 0;
	uint32_t steps = 0;
	while (test_stats(w).time < 1.7) {
		oz_rigid_state r;
		test_step(w);
		test_must(oz_world_get_rigid(w, 1, &r, NULL), NULL);
		for (int k = 0; k < 3; k++) {
			sum += r.velocity[k] * r.velocity[k];
			edge += 0.02 * 0.02 * r.spin[k] * r.spin[k];
		}
		steps++;
	}
	oz_world_destroy(w);
	print_message("a cube of %g kg/m³ %s slime: %.5f m/s, its edges %.5f m/s\n", density,
	              hangs ? "below" : "on", sqrt(sum / steps), sqrt(edge / steps));
	return sqrt((sum + edge) / steps);
}

// 1 mm/s: gravity alone changes the speed by 20 mm/s in a step
static void a_light_cube_on_slime_comes_to_rest(void **state)
{
	(void)state;
	const double density[] = {20, 100};
	for (int k = 0; k < 2; k++)
		for (int hangs = 0; hangs < 2; hangs++)
			assert_true(trembling(hangs, density[k]) < 0.001);
}

// ---- heat --------------------------------------------------------------------------------------

// m, the height of a cube of 6 cm after some time on a floor, at a temperature
static double height_at(double temperature)
{
	oz_world_def def = test_space_def(0.01);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)), false, NULL, 0);
	oz_material_def wax = slime_def(5000, 0.01);
	wax.melting_point = 50;
	const oz_shape box = test_box(vec_of(-0.03, 0, -0.03), vec_of(0.03, 0.06, 0.03));
	test_add_warm(w, test_add_material(w, &wax), &box, temperature);
	test_run_until(w, 1);
	const double height = test_height(w);
	oz_world_destroy(w);
	return height;
}

static void below_its_melting_point_it_keeps_its_shape_and_above_it_flows(void **state)
{
	(void)state;
	const double cold = height_at(20), hot = height_at(80);
	print_message("height after 1 s: %.4f m cold, %.4f m hot\n", cold, hot);
	assert_true(cold > 0.045);
	assert_true(hot < 0.025);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_stretched_strip_has_the_modulus_that_was_set),
	        cmocka_unit_test(a_strip_of_blue_noise_has_the_modulus_that_was_set),
	        cmocka_unit_test(springs_have_five_halves_of_g_in_tension_and_three_when_pressed),
	        cmocka_unit_test(a_soft_strip_bears_little),
	        cmocka_unit_test(an_equation_of_state_gives_the_same_modulus),
	        cmocka_unit_test(the_stress_of_a_held_strip_relaxes_in_the_time_that_was_set),
	        cmocka_unit_test(a_hot_strip_relaxes_faster_by_arrhenius),
	        cmocka_unit_test(what_flies_together_keeps_its_momentum),
	        cmocka_unit_test(two_balls_merge_unless_the_table_says_no),
	        cmocka_unit_test(a_pair_follows_eq_6_and_7),
	        cmocka_unit_test(a_link_breaks_at_its_extensibility),
	        cmocka_unit_test(what_sticks_to_a_ceiling_hangs_and_what_does_not_falls),
	        cmocka_unit_test(a_wall_bears_sticky_at_any_time_step),
	        cmocka_unit_test(a_plate_comes_off_at_sticky_at_any_time_step),
	        cmocka_unit_test(slime_that_relaxes_flows_from_the_ceiling),
	        cmocka_unit_test(a_cube_hangs_in_slime_that_sticks_to_it),
	        cmocka_unit_test(a_light_cube_on_slime_comes_to_rest),
	        cmocka_unit_test(below_its_melting_point_it_keeps_its_shape_and_above_it_flows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
