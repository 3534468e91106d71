// test_links_strips.c: strips of linked particles that are pulled have the shear modulus and the
// relaxation time of their material.
#include "links.h"

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
	oz_material_def slime = test_glue(p->modulus, p->relaxation);
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

// Pa over 3 G, the mean over the last fifth of a pull at a constant rate, by Maxwell's law:
// stress = 3 G τ rate (1 - exp(-t/τ))
static double maxwell_mean(double rate, double relaxation, double time)
{
	const double from = exp(-0.8 * time / relaxation), to = exp(-time / relaxation);
	return relaxation * rate * (1 - relaxation * (from - to) / (0.2 * time));
}

// a rope that is pulled to the same length in half its relaxation time and in twice that
static void a_rope_that_is_pulled_faster_bears_more_by_maxwell(void **state)
{
	(void)state;
	const double times[] = {0.5, 2};
	double found[2], wanted[2];
	for (int k = 0; k < 2; k++) {
		strip p = typical;
		p.length = 12;
		p.modulus = 4e4;
		p.relaxation = 1;
		p.stretch = 0.06;
		p.moving = times[k];
		oz_world *w = make_strip(&p);
		test_run_until(w, 0.8 * p.moving);
		found[k] = stress_of(w, &p, p.moving);
		wanted[k] =
		        3 * p.modulus * maxwell_mean(p.stretch / p.moving, p.relaxation, p.moving);
		print_message("pulled in %g s: %.0f Pa, %.0f Pa by theory\n", p.moving, found[k],
		              wanted[k]);
		test_near(found[k], wanted[k], 0.1 * wanted[k], "stress of a rope, Pa");
		oz_world_destroy(w);
	}
	// the opposite: a rope that does not relax bears the same at both
	assert_true(wanted[0] > 1.7 * wanted[1] && found[0] > 1.6 * found[1]);
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
	        cmocka_unit_test(a_rope_that_is_pulled_faster_bears_more_by_maxwell),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
