// test_membrane.c: inflated skins obey the theory of thin shells, gas laws and Archimedes.
#include "geometry/cover.h"
#include "models/membrane/membrane.h"
#include "worlds.h"

static oz_membrane_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	return state;
}

// a skin of 1 mm with a Young's modulus of 1 MPa
static oz_material_def skin_def(void)
{
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.young_modulus = 1e6f;
	def.poisson_ratio = 0.3f;
	def.thickness = 1e-3f;
	return def;
}

static oz_id add_shape(oz_world *w, const oz_material_def *def, oz_shape shape)
{
	oz_error error = {OZ_OK, ""};
	oz_id body;
	test_must(oz_world_add_shape(w, &shape, test_add_material(w, def), &body, &error), &error);
	return body;
}

static oz_shape ball_at(double radius, vec at)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)radius, 0, 0));
	ball.position = vec_narrow(at);
	return ball;
}

static double radius_of(oz_world *w, oz_id body)
{
	return cbrt(get(w, body).volume * 3 / (4 * M_PI));
}

// ---- thin shells -------------------------------------------------------------------------------

// With the stretch λ the pressure of a shell is P = 2 S t/(λ R), S the stress over rest area …
static double pressure_of(const oz_material_def *def, double radius, double stretch)
{
	const double E = (double)def->young_modulus, t = (double)def->thickness,
	             nu = (double)def->poisson_ratio, c1 = E / 6.6, c2 = 0.1 * c1;
	if (def->skin_law == OZ_SKIN_RUBBER)
		return 4 * t / (radius * stretch) * (1 - pow(stretch, -6)) *
		       (c1 + c2 * stretch * stretch);
	// of Green's strain, second Piola-Kirchhoff stress: S = E/(1 - ν) (λ² - 1)/2
	return 2 * t / (radius * stretch) * E / (1 - nu) * (stretch * stretch - 1) / 2;
}

static void inflate(oz_skin_law law, double stretch, double bound)
{
	const double R = 0.1;
	oz_material_def def = skin_def();
	def.skin_law = law;
	oz_world *w = test_space(0.02, 20);
	// gas so that the shell is in equilibrium at that stretch
	const double volume = 4 * M_PI / 3 * pow(R * stretch, 3);
	const double P = pressure_of(&def, R, stretch);
	def.gas_amount = (float)((101325 + P) * volume / (8.314462618 * 293.15));
	def.skin_damping = 0.02f;
	const oz_id ball = add_shape(w, &def, ball_at(R, vec_of(0, 0, 0)));
	// the mesh lies within the ball: stretch is over the mesh at rest
	const double rest = radius_of(w, ball);
	test_run_until(w, 1.0);
	const oz_membrane_state s = get(w, ball);
	const double found = radius_of(w, ball) / rest;
	print_message("law %d: stretch %.4f, theory %.4f; pressure %.1f Pa, theory %.1f at that "
	              "stretch\n",
	              law, found, stretch, s.pressure, pressure_of(&def, R, found));
	test_near(s.pressure, pressure_of(&def, R, found), bound * s.pressure, "pressure");
	oz_world_destroy(w);
}

static void a_ball_has_the_pressure_of_a_thin_shell(void **state)
{
	(void)state;
	inflate(OZ_SKIN_LINEAR, 1.05, 0.05);
	inflate(OZ_SKIN_LINEAR, 1.2, 0.05);
	inflate(OZ_SKIN_RUBBER, 1.3, 0.05);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_ball_has_the_pressure_of_a_thin_shell),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
