// test_viscous_bodies.c: thick fluids hold bodies that are made of particles, and are held by them.
//
// A rod of particles that turns in a vessel bears the torque of the exact flow, as a rod that is a
// collider does: the fluid does not slip along it, whatever the model of the rod and however thick
// the fluid is for the time step. A ball that falls in a tube falls as fast whether it is rigid or
// elastic; the speed of Stokes with the correction for walls is printed beside it.
#include "worlds.h"

static const double s = 0.01;   // m, spacing
static const double rate = 0.5; // rad/s

enum { INNER = 8, GAP = 8, HIGH = 4, KEYS = 80, SECONDS = 2 };

typedef enum rod_kind { ROD_RIGID, ROD_ELASTIC, ROD_IMPLICIT } rod_kind;

static void make_keys(oz_keyframe keys[KEYS + 1])
{
	for (int k = 0; k <= KEYS; k++)
		keys[k] = (oz_keyframe){(float)SECONDS * (float)k / KEYS,
		                        {0, 0, 0},
		                        test_rotation(vec_of(0, 1, 0), rate * SECONDS * k / KEYS)};
}

// a rod of rings of particles that keyframes turn; an elastic one by a handle inside it
static void add_rod(oz_world *w, rod_kind kind, int inner, oz_vec3 *points)
{
	oz_keyframe keys[KEYS + 1];
	oz_error error;
	make_keys(keys);
	oz_material_def def = oz_material_default(OZ_RIGID);
	if (kind != ROD_RIGID)
		def = test_elastic(1e6, 0.3);
	def.implicit = kind == ROD_IMPLICIT;
	oz_body_def body = oz_body_default();
	body.material = test_add_material(w, &def);
	body.points = points;
	body.count = test_rings(s, 0, inner, HIGH, points);
	if (kind == ROD_RIGID)
		body.keyframes = keys, body.keyframe_count = KEYS + 1;
	test_must(oz_world_add_body(w, &body, NULL, &error), &error);
	const double held = (inner - 2) * s;
	if (kind != ROD_RIGID)
		test_add_handle(w, vec_of(-held, -1, -held), vec_of(held, 1, held), keys, KEYS + 1,
		                1e9);
}

// N·m on the vessel over that of theory, once the flow is steady
static double torque_of_rod(rod_kind kind, int inner, double viscosity, double time)
{
	static oz_vec3 points[16000];
	const double r1 = inner * s, r2 = (inner + GAP) * s;
	const oz_world_def def = test_space_def(s);
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){(float)r2, 1, 0}), true, NULL,
	              0);
	add_rod(w, kind, inner, points);
	const uint32_t count = test_rings(s, inner, GAP, HIGH, points);
	test_add_points(w, test_add_liquid(w, 1000, (float)viscosity, 0.05f), points, count,
	                (oz_vec3){0, 0, 0});
	const double high = count * s * s * s / (PI * (r2 * r2 - r1 * r1));
	const double theory = 4 * PI * viscosity * high * rate / (1 / (r1 * r1) - 1 / (r2 * r2));
	test_run_until(w, time);
	test_load(w, 0);
	test_run_until(w, 1.2 * time);
	const double found = test_load(w, 0).torque[1] / theory;
	static const char *const names[] = {"rigid", "elastic", "implicit elastic"};
	print_message("%s rod of %d spacings in %g Pa·s: torque %.4f of theory\n", names[kind],
	              inner, viscosity, found);
	oz_world_destroy(w);
	return found;
}

static void rod_of_particles_bears_the_torque_of_theory(void **state)
{
	(void)state;
	// 3 %: the surface of rings of particles is known to a tenth of a spacing. Without what
	// holds the fluid at bodies it was 0.635 at 100 Pa·s, and less at 1000, as the particles of
	// the surface alone follow the fluid within a step
	test_near(torque_of_rod(ROD_RIGID, INNER, 1000, 0.04), 1, 0.03, "torque over theory");
	test_near(torque_of_rod(ROD_ELASTIC, INNER, 1000, 0.04), 1, 0.03, "torque over theory");
	if (!test_is_long())
		return;
	for (rod_kind kind = ROD_RIGID; kind <= ROD_IMPLICIT; kind++)
		for (double mu = 10; mu < 2e3; mu *= 10)
			test_near(torque_of_rod(kind, INNER, mu, mu < 50 ? 1 : 0.25), 1, 0.03,
			          "torque over theory");
	test_near(torque_of_rod(ROD_RIGID, 4, 100, 0.25), 1, 0.03, "torque over theory");
	test_near(torque_of_rod(ROD_RIGID, 16, 100, 0.25), 1, 0.03, "torque over theory");
}

// ---- a ball that falls -------------------------------------------------------------------------

// Haberman & Sayre 1958: drag in a tube over that far from walls; the radius over that of the tube
static double wall_factor(double l)
{
	return (1 - 0.75857 * pow(l, 5)) /
	       (1 - 2.1050 * l + 2.0865 * pow(l, 3) - 1.7068 * pow(l, 5) + 0.72603 * pow(l, 6));
}

enum { BALL = 4, TUBE = 16, DEEP = 40 }; // spacings: radii, depth

typedef struct fall {
	double spacing, viscosity, density, ball; // m, Pa·s, kg/m³, kg/m³
	double until;                             // s
} fall;

static oz_id add_ball(oz_world *w, const fall *f, bool elastic, const oz_shape *shape)
{
	oz_material_def def = elastic ? test_elastic(1e6, 0.3) : oz_material_default(OZ_RIGID);
	def.density = (float)f->ball;
	def.friction = 0;
	return test_add_filled(w, test_add_material(w, &def), shape, OZ_FILL_LATTICE);
}

// a tube of fluid around a ball
static void add_fluid(oz_world *w, const fall *f, const oz_shape *ball)
{
	const float wide = TUBE * (float)f->spacing, deep = DEEP * (float)f->spacing;
	oz_error error;
	oz_vec3 *points = NULL;
	uint32_t count = 0, kept = 0;
	oz_shape tube = oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){wide, 4 * deep, 0});
	tube.position.y = 2 * deep;
	test_add_wall(w, tube, true, NULL, 0);
	tube.size.y = deep;
	tube.position.y = 0.5f * deep;
	test_must(oz_shape_fill(&tube, (float)f->spacing, OZ_FILL_LATTICE, &points, &count, &error),
	          &error);
	for (uint32_t k = 0; k < count; k++)
		if (oz_shape_distance(ball, points[k]) > 0.25f * (float)f->spacing)
			points[kept++] = points[k];
	test_add_points(w, test_add_liquid(w, (float)f->density, (float)f->viscosity, 0.05f),
	                points, kept, (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

// its speed over that of Stokes with the correction for walls, in the last two thirds of the time
static double fall_of(const fall *f, bool elastic)
{
	oz_world_def def = test_space_def(f->spacing);
	def.gravity.y = -(float)GRAVITY;
	def.sound_speed = 15;
	oz_world *w = test_world(&def);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){BALL * (float)f->spacing, 0, 0});
	ball.position.y = 0.6f * DEEP * (float)f->spacing;
	const oz_id id = add_ball(w, f, elastic, &ball);
	const double volume = oz_world_particle_count(w) * pow(f->spacing, 3);
	add_fluid(w, f, &ball);
	const double radius = cbrt(volume * 3 / (4 * PI)), wide = TUBE * f->spacing;
	const double stokes = (f->ball - f->density) * GRAVITY * volume /
	                      (6 * PI * f->viscosity * radius * wall_factor(radius / wide));
	test_run_until(w, f->until / 3);
	const double from = test_mean_height(w, id), begin = oz_world_time(w);
	test_run_until(w, f->until);
	const double speed = (from - test_mean_height(w, id)) / (oz_world_time(w) - begin);
	print_message("%s ball of %g mm in %g Pa·s: fell by %.1f spacings, %.3f of Stokes\n",
	              elastic ? "elastic" : "rigid", radius * 1e3, f->viscosity,
	              speed * (oz_world_time(w) - begin) / f->spacing, speed / stokes);
	oz_world_destroy(w);
	return speed / stokes;
}

static void balls_fall_alike_and_nearly_as_fast_as_stokes_says(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	const fall thick = {0.005, 10, 1000, 3000, 0.2},
	           glycerol = {0.000625, 1.4, 1260, 7800, 0.06};
	const double rigid = fall_of(&thick, false), elastic = fall_of(&thick, true);
	test_near(elastic / rigid, 1, 0.03, "speed of the elastic ball over that of the rigid one");
	// 5 % is the aim: a fluid whose particles change places around a ball of 4 spacings in a
	// gap of 12 resists more than one in layers does, and the longer the farther the ball has
	// gone
	test_near(rigid, 1, 0.1, "speed over that of Stokes");
	test_near(fall_of(&glycerol, false), 1, 0.05, "speed over that of Stokes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rod_of_particles_bears_the_torque_of_theory),
	        cmocka_unit_test(balls_fall_alike_and_nearly_as_fast_as_stokes_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
