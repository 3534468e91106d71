// test_links_impact.c: slime that falls on a body sticks to it, as to a collider of the same form;
// without adhesion it slides off. Links that an impact makes add no energy.
#include "links.h"
#include "mixes.h"

static const double s = 0.01, wide = 0.06, small = 0.03; // m: spacing, radii of ball and slime

typedef enum ball_kind { COLLIDER, RIGID, RUBBER, KINDS } ball_kind;

static const char *const names[KINDS] = {"collider", "rigid ball", "rubber ball"};

static oz_id add_ball(oz_world *w, const oz_material_def *def, double radius, vec centre,
                      vec velocity)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)radius, 0, 0));
	ball.position = vec_narrow(centre);
	return test_add_thrown(w, test_add_material(w, def), &ball, velocity);
}

static void set_adhesion(oz_world *w, oz_id slime, oz_id other, bool sticks)
{
	oz_adhesion_def adhesion = oz_adhesion_default(slime, other);
	adhesion.sticks = sticks;
	test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
}

// adds a ball at the origin that stays there, to which the material 0 sticks or not
static void add_target(oz_world *w, ball_kind kind, bool sticks)
{
	if (kind == COLLIDER) {
		oz_collider_def wall =
		        oz_collider_default(oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)wide, 0, 0)));
		wall.sticks = sticks;
		wall.slip = true;
		test_add_collider(w, &wall);
		return;
	}
	oz_material_def def =
	        kind == RIGID ? oz_material_default(OZ_RIGID) : test_elastic(1e5, 0.3);
	def.friction = 0;
	def.fixed = kind == RIGID;
	add_ball(w, &def, wide, vec_of(0, 0, 0), vec_of(0, 0, 0));
	if (kind == RUBBER) // its lower half is held
		test_add_handle(w, vec_of(-wide, -wide, -wide), vec_of(wide, -0.02, wide), NULL, 0,
		                1e9);
	set_adhesion(w, 0, 1, sticks);
}

// Slime falls at 1 m/s on the target, `aside` of its middle; gives its mean height after 0.8 s.
static double fall_on(ball_kind kind, bool sticks, double aside)
{
	oz_world_def def = test_space_def(s);
	def.gravity = oz_v3(0, -9.81f, 0);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	// its weight is 370 Pa on the area that touches the ball
	oz_material_def slime = test_slime(300, 5);
	slime.viscosity = 0.5f;
	slime.sticky = 3000;
	const oz_id lump =
	        add_ball(w, &slime, small, vec_of(aside, wide + small + 0.02, 0), vec_of(0, -1, 0));
	add_target(w, kind, sticks);
	test_run_until(w, 0.8);
	const double y = test_mean_height(w, lump);
	print_message("%s, sticks %d, %g m aside: slime at %.3f m\n", names[kind], sticks, aside,
	              y);
	oz_world_destroy(w);
	return y;
}

// The opposite: without adhesion it slides off, and falls by 2 m in the rest of the time.
static void slime_that_falls_on_a_ball_stays_there_if_it_sticks(void **state)
{
	(void)state;
	const double aside[] = {0.02, 0.04};
	for (ball_kind kind = 0; kind < KINDS; kind++)
		for (int k = 0; k < 2; k++) {
			assert_true(fall_on(kind, true, aside[k]) > 0);
			assert_true(fall_on(kind, false, aside[k]) < -1);
		}
}

// Slime flies against a free stone or a rubber ball, off centre, and sticks to it. Links are
// explicit or, with a shear modulus of 20 kPa, implicit.
static void collide(bool rubber, bool stiff)
{
	oz_world_def def = test_space_def(s);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	const oz_material_def slime = test_glue(stiff ? 20000 : 300, LONG_TIME);
	oz_material_def other = oz_material_default(rubber ? OZ_COROTATED : OZ_RIGID);
	other.young_modulus = 1e5f;
	other.friction = 0;
	add_ball(w, &slime, small, vec_of(0.01, small + 0.055, 0), vec_of(0, -1, 0));
	const oz_id body = add_ball(w, &other, 0.045, vec_of(0, 0, 0), vec_of(0, 0, 0));
	const test_momenta before = test_momenta_of(w);
	const double first = test_kinetic_energy(w);
	double most = 0;
	for (int k = 1; k <= 100; k++) {
		test_run_until(w, 0.004 * k);
		most = fmax(most, test_kinetic_energy(w));
	}
	test_momenta after = test_momenta_of(w);
	after.angular = vec_mad(after.angular, test_own_momentum(w, body), 1);
	const double linear =
	        vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale;
	const double angular =
	        vec_length(vec_sub(after.angular, before.angular)) / before.angular_scale;
	vec x[2], v[2];
	for (int k = 0; k < 2; k++)
		test_mean_of(w, (oz_id)k, &x[k], &v[k]);
	const double apart = vec_length(vec_sub(x[0], x[1]));
	print_message("%s slime, %s: kinetic energy at most %.4f of the first, momenta change by "
	              "%.1e and %.1e, centres %.3f m apart, %u links\n",
	              stiff ? "stiff" : "soft", rubber ? "rubber" : "stone", most / first, linear,
	              angular, apart, test_links_between(w, 0, 1));
	assert_true(most < 1.001 * first);
	// rubber alone changes them by as much, with and without links
	const double rounding = rubber ? 1e-4 : 1e-5;
	assert_true(linear < rounding && angular < rounding);
	assert_true(apart < small + 0.045 + s);
	oz_world_destroy(w);
}

static void an_impact_that_sticks_keeps_momentum_and_adds_no_energy(void **state)
{
	(void)state;
	for (int rubber = 0; rubber < 2; rubber++)
		for (int stiff = 0; stiff < 2; stiff++)
			collide(rubber, stiff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(slime_that_falls_on_a_ball_stays_there_if_it_sticks),
	        cmocka_unit_test(an_impact_that_sticks_keeps_momentum_and_adds_no_energy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
