// test_rigid_fluid.c: rigid bodies in water.
//
// They float at the depth of Archimedes, sink, rest on the floor and hold water; a body of a
// hundredth of the density of water neither shakes nor explodes. `ooze run` writes their motion.
#include "scenes.h"
#include "worlds.h"

static const double s = 0.02; // m, spacing

static const char *name_of(oz_pressure pressure)
{
	return pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible";
}

static oz_world *make_tank(oz_pressure pressure, int wide, int high)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = 1;
	oz_world *w = test_world(&def);
	test_add_wall(w, test_box(vec_of(0, 0, 0), vec_of(wide * s, high * s, wide * s)), true,
	              NULL, 0);
	return w;
}

static oz_id add_rigid(oz_world *w, double density, bool fixed)
{
	oz_material_def def = oz_material_default(OZ_RIGID);
	def.density = (float)density;
	def.fixed = fixed;
	return test_add_material(w, &def);
}

static vec vec_from(const double v[3])
{
	return vec_of(v[0], v[1], v[2]);
}

static oz_rigid_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_rigid_state state;
	test_must(oz_world_get_rigid(w, body, &state, &error), &error);
	return state;
}

// ---- floating ----------------------------------------------------------------------------------

// a tank of water with a body of 8 spacings across
typedef struct pool {
	oz_world *w;
	oz_id body;
	bool ball;                  // a ball, or a box half as high as wide, which floats upright
	double volume, water, area; // m³, of the body and of the water; m²
} pool;

enum { WIDE = 14, DEEP = 10, ACROSS = 8 };

static bool is_outside(const void *context, vec x)
{
	return oz_shape_distance(context, vec_narrow(x)) > (float)(0.5 * s);
}

static pool make_pool(oz_pressure pressure, bool ball, double density, double height)
{
	pool p = {.w = make_tank(pressure, WIDE, 3 * DEEP),
	          .ball = ball,
	          .area = WIDE * WIDE * s * s};
	const vec edges = vec_of(ACROSS * s, 0.5 * ACROSS * s, ACROSS * s),
	          radius = vec_of(0.5 * ACROSS * s, 0, 0);
	oz_shape shape = oz_shape_make(ball ? OZ_SHAPE_BALL : OZ_SHAPE_BOX,
	                               vec_narrow(ball ? radius : edges));
	shape.position = vec_narrow(vec_of(0.5 * WIDE * s, height, 0.5 * WIDE * s));
	test_add_lattice(p.w, test_water(p.w), vec_of(0, 0, 0),
	                 vec_of(WIDE * s, DEEP * s, WIDE * s), is_outside, &shape);
	const uint32_t water = oz_world_particle_count(p.w);
	p.body = test_add_filled(p.w, add_rigid(p.w, density, false), &shape, OZ_FILL_LATTICE);
	p.water = water * s * s * s;
	p.volume = (oz_world_particle_count(p.w) - water) * s * s * s;
	return p;
}

// depth of the lowest point of a ball with that volume below the surface
static double ball_depth(double radius, double volume)
{
	double low = 0, high = 2 * radius;
	for (int k = 0; k < 60; k++) {
		const double d = 0.5 * (low + high);
		*(PI * d * d * (radius - d / 3) < volume ? &low : &high) = d;
	}
	return low;
}

// height of the centre by Archimedes, from the volumes of the water and of the particles
static double floating_height(const pool *p, double share)
{
	const double below = share * p->volume, level = (p->water + below) / p->area;
	const double radius = cbrt(p->volume * 3 / (4 * PI)), half = 0.25 * ACROSS * s;
	return p->ball ? level - ball_depth(radius, below) + radius
	               : level - share * 2 * half + half;
}

typedef struct floating {
	double off;          // diameters above the height of Archimedes
	double force, speed; // over its weight; m/s, largest of the second half
} floating;

// it begins half immersed; light ones lie on the water
static floating float_for(oz_pressure pressure, bool ball, double share, double until)
{
	const double start = DEEP * s + (share < 0.05 ? 0.45 * ACROSS * s : 0);
	pool p = make_pool(pressure, ball, 1000 * share, start);
	const double wanted = floating_height(&p, share);
	floating f = {0, 0, 0};
	uint32_t n = 0;
	test_run_until(p.w, 0.5 * until);
	for (; oz_world_time(p.w) < until; n++) {
		test_step(p.w);
		const oz_rigid_state r = get(p.w, p.body);
		f.off += (r.position[1] - wanted) / (ACROSS * s);
		f.force += r.force[1] / (r.mass * GRAVITY);
		f.speed = fmax(f.speed, fabs(r.velocity[1]));
	}
	f.off /= n;
	f.force /= n;
	print_message("%s, %s of %g: %+.2f %% of its diameter above the height of Archimedes; "
	              "force %.4f of its weight; %.3f m/s at most\n",
	              name_of(pressure), ball ? "ball" : "box", share, 100 * f.off, f.force,
	              f.speed);
	oz_world_destroy(p.w);
	return f;
}

static void bodies_float_at_the_depth_of_archimedes(void **state)
{
	(void)state;
	static const double shares[] = {0.5, 0.1, 0.9};
	const bool all = test_is_long();
	for (int k = 0; k < (all ? 2 : 1); k++)
		for (int ball = 0; ball < 2; ball++)
			for (int n = 0; n < 3; n++) {
				if (!all && n != 1 - ball)
					continue;
				const floating f =
				        float_for(k ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE,
				                  ball, shares[n], all ? 4 : 1);
				test_near(f.off, 0, 0.03, "height off, diameters");
				test_near(f.force, 1, 0.05, "mean force over the weight");
			}
}

static void a_body_of_a_hundredth_neither_shakes_nor_explodes(void **state)
{
	(void)state;
	const floating f =
	        float_for(OZ_PRESSURE_INCOMPRESSIBLE, true, 0.01, test_is_long() ? 4 : 1);
	test_near(f.off, 0, 0.03, "height off, diameters");
	// the particles of water move with 0.1 to 0.2 m/s
	test_near(f.speed, 0, 0.2, "largest speed");
}

static void a_body_of_the_density_of_water_stays(void **state)
{
	(void)state;
	pool p = make_pool(OZ_PRESSURE_INCOMPRESSIBLE, true, 1000, 0.5 * DEEP * s);
	const vec from = vec_from(get(p.w, p.body).position);
	const double until = test_is_long() ? 60 : 0.6;
	double most = 0;
	for (int k = 1; k <= 60; k++) {
		test_run_until(p.w, until * k / 60);
		const vec now = vec_from(get(p.w, p.body).position);
		most = fmax(most, vec_length(vec_sub(now, from)) / s);
	}
	const oz_rigid_state r = get(p.w, p.body);
	print_message("a ball as dense as water moved by %.3f spacings at most in %g s; %.4f m/s\n",
	              most, until, vec_length(vec_from(r.velocity)));
	test_near(most, 0, 0.5, "way, spacings");
	oz_world_destroy(p.w);
}

static void a_heavy_body_sinks_and_rests_on_the_floor(void **state)
{
	(void)state;
	pool p = make_pool(OZ_PRESSURE_INCOMPRESSIBLE, false, 3000, 0.5 * DEEP * s);
	const double top = get(p.w, p.body).position[1];
	test_run_until(p.w, test_is_long() ? 3 : 0.8);
	double force = 0;
	for (int k = 0; k < 100; k++) {
		test_step(p.w);
		const oz_rigid_state r = get(p.w, p.body);
		force += r.force[1] / (100 * r.mass * GRAVITY);
	}
	const oz_rigid_state r = get(p.w, p.body);
	// from the floor to the surface of its particles
	const double above = r.position[1] / s - 0.25 * ACROSS;
	print_message("sank by %.2f spacings, rests %.3f above the floor; force %.4f of its "
	              "weight; "
	              "%.1e m/s\n",
	              (top - r.position[1]) / s, above, force, fabs(r.velocity[1]));
	// a few particles of water stay below it, less than a layer
	assert_true(above > -0.05 && above < 0.5);
	// floor and water bear it together
	test_near(force, 1, 0.02, "force over the weight");
	test_near(r.velocity[1], 0, 0.01, "speed");
	oz_world_destroy(p.w);
}

// ---- fixed bodies ------------------------------------------------------------------------------

enum { BASIN = 10, THICK = 3 };

static bool is_wall_of_basin(const void *context, vec x)
{
	const double edge = THICK * s, wide = BASIN * s;
	(void)context;
	return x.y < edge || x.x < edge || x.z < edge || x.x > edge + wide || x.z > edge + wide;
}

// A basin of rigid particles without any collider, filled with water: nothing runs out.
static void hold_water(oz_pressure pressure)
{
	const double wide = (BASIN + 2 * THICK) * s, full = (THICK + 6) * s;
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = 1;
	oz_world *w = test_world(&def);
	test_add_lattice(w, add_rigid(w, 1000, true), vec_of(0, 0, 0), vec_of(wide, 0.2, wide),
	                 is_wall_of_basin, NULL);
	test_add_lattice(w, test_water(w), vec_of(THICK * s, THICK * s, THICK * s),
	                 vec_of(wide - THICK * s, full, wide - THICK * s), NULL, NULL);
	const oz_rigid_state first = get(w, 0);
	test_run_until(w, test_is_long() ? 3 : 0.6);
	const oz_rigid_state late = get(w, 0);
	const double weight = BASIN * BASIN * 6 * s * s * s * 1000 * GRAVITY;
	double force = 0;
	for (int k = 0; k < 200; k++) {
		test_step(w);
		// gravity of the body itself is not part of it
		force += get(w, 0).force[1] / (200 * weight);
	}
	test_particles all = test_particles_read(w);
	double lowest = 1, highest = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == 1) {
			lowest = fmin(lowest, all.at[i].x.y);
			highest = fmax(highest, all.at[i].x.y);
		}
	test_particles_free(&all);
	print_message("%s: water from %.2f to %.2f spacings; it presses with %.3f of its weight\n",
	              name_of(pressure), lowest / s, highest / s, -force);
	assert_memory_equal(first.position, late.position, sizeof first.position);
	assert_memory_equal(first.rotation, late.rotation, sizeof first.rotation);
	assert_true(lowest > (THICK - 0.2) * s && highest > (THICK + 4) * s);
	oz_world_destroy(w);
}

static void fixed_bodies_do_not_move_and_hold_water(void **state)
{
	(void)state;
	hold_water(OZ_PRESSURE_INCOMPRESSIBLE);
	hold_water(OZ_PRESSURE_EOS);
}

// a light box under water with an axis cannot rise, bears its buoyancy, and rotates on
static void a_body_with_an_axis_stays_and_rotates(void **state)
{
	(void)state;
	oz_world *w = make_tank(OZ_PRESSURE_INCOMPRESSIBLE, WIDE, 3 * DEEP);
	oz_shape shape = test_box(vec_of(5 * s, 3 * s, 5 * s), vec_of(9 * s, 7 * s, 9 * s));
	test_add_lattice(w, test_water(w), vec_of(0, 0, 0), vec_of(WIDE * s, DEEP * s, WIDE * s),
	                 is_outside, &shape);
	oz_body_def def = oz_body_default();
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points;
	oz_id body;
	def.material = add_rigid(w, 100, false);
	def.axis = (oz_vec3){0, 0, 2};
	def.spin = (oz_vec3){1, 1, 4};
	test_must(oz_shape_fill(&shape, (float)s, OZ_FILL_LATTICE, &points, &def.count, &error),
	          &error);
	def.points = points;
	test_must(oz_world_add_body(w, &def, &body, &error), &error);
	const oz_rigid_state first = get(w, body);
	test_run_until(w, 0.05);
	const double rotated = get(w, body).rotation[2];
	double force = 0;
	test_run_until(w, 0.5);
	for (int k = 0; k < 200; k++) {
		test_step(w);
		force += get(w, body).force[1] / (200 * 10 * first.mass * GRAVITY);
	}
	const oz_rigid_state late = get(w, body);
	print_message("rotated by %.3f rad in 0.05 s; it bears %.3f of its buoyancy\n",
	              2 * asin(rotated), force);
	assert_memory_equal(first.position, late.position, sizeof first.position);
	assert_true(late.rotation[0] == 0 && late.rotation[1] == 0 && rotated > 0.01);
	assert_true(fabs(force - 1) < 0.05);
	def.material = 0; // water
	assert_int_equal(oz_world_add_body(w, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "has an axis"));
	oz_points_free(points);
	oz_world_destroy(w);
}

// ---- the program -------------------------------------------------------------------------------

static void the_program_writes_bodies_csv(void **state)
{
	(void)state;
	test_write_text("drop.json",
	                "{ \"world\": { \"spacing\": 0.02, \"pressure\": \"incompressible\" },\n"
	                "  \"bodies\": [{ \"name\": \"block, small\", \"material\": \"steel\", "
	                "\"shape\": \"box\", \"size\": [0.08, 0.08, 0.08], \"position\": [0, 0.2, "
	                "0] }],\n"
	                "  \"colliders\": [{ \"shape\": \"plane\", \"load\": true }],\n"
	                "  \"output\": { \"duration\": 0.1 } }");
	assert_int_equal(test_ooze("run drop.json -o drop"), 0);
	char *text = test_read("drop/bodies.csv", NULL);
	const char *row = strstr(text, "\n0.1,");
	assert_non_null(row);
	double v[20];
	char name[32];
	assert_int_equal(sscanf(row, " %*[^,],%*[^,],%31[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf",
	                        name, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7],
	                        &v[8]),
	                 10);
	assert_string_equal(name, "block  small");
	// it has fallen freely
	test_near(v[1], 0.2 - 0.5 * GRAVITY * 0.01, 1e-4, "height");
	test_near(v[6], 1, 1e-6, "w of the rotation");
	assert_non_null(strstr(text, ",collider 0,"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(bodies_float_at_the_depth_of_archimedes),
	        cmocka_unit_test(a_body_of_a_hundredth_neither_shakes_nor_explodes),
	        cmocka_unit_test(a_body_of_the_density_of_water_stays),
	        cmocka_unit_test(a_heavy_body_sinks_and_rests_on_the_floor),
	        cmocka_unit_test(fixed_bodies_do_not_move_and_hold_water),
	        cmocka_unit_test(a_body_with_an_axis_stays_and_rotates),
	        cmocka_unit_test(the_program_writes_bodies_csv),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
