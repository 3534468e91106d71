// test_elastic_fluid.c: elastic solids and water act on each other.
//
// Archimedes, to 5 %; what is heavy sinks and rests; a drop and what it hits keep their momentum; a
// sheet carries a pool and lets none of it through; water stays outside of a solid.
#include "elastic.h"

#define S 0.02 // m, spacing

static oz_world *make(double gravity, double sound_speed)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)S;
	def.gravity.y = (float)-gravity;
	def.sound_speed = (float)sound_speed;
	def.threads = 1;
	return test_world(&def);
}

static oz_id add_water(oz_world *w, double viscosity)
{
	return test_add_liquid(w, 1000, (float)viscosity, 0.1f);
}

static oz_id add_solid(oz_world *w, double density, double young, oz_shape shape)
{
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.density = (float)density;
	def.young_modulus = (float)young;
	return test_add_elastic(w, &def, &shape, OZ_FILL_LATTICE, vec_of(0, 0, 0));
}

// ---- floating ----------------------------------------------------------------------------------

typedef struct afloat {
	oz_shape body;
	vec tank;      // m, edges of what the water fills at first; its floor is at y = 0
	double volume; // m³, of the body
} afloat;

static bool is_outside(const void *context, vec p)
{
	const oz_shape *body = context;
	return (double)oz_shape_distance(body, vec_narrow(p)) > 0.4 * S;
}

static afloat float_cuboid(void)
{
	return (afloat){.body = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.28f, 0.2f, 0.28f}),
	                .tank = {0.48, 0.24, 0.48},
	                .volume = 0.28 * 0.2 * 0.28};
}

static afloat float_ball(void)
{
	return (afloat){.body = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.12f, 0, 0}),
	                .tank = {0.44, 0.26, 0.44},
	                .volume = 4.0 / 3 * PI * 0.12 * 0.12 * 0.12};
}

// m, of the water: where the straight line through its pressures comes to zero. A surface of
// particles is rough, and its layers lie closer than others.
static double level_of(const test_particles *all, double from, double to)
{
	double n = 0, y = 0, p = 0, yy = 0, yp = 0;
	for (uint32_t i = 0; i < all->count; i++) {
		const test_particle *g = &all->at[i];
		if (g->body != 0 || g->x.y < from || g->x.y > to)
			continue;
		n++;
		y += g->x.y;
		p += g->pressure;
		yy += g->x.y * g->x.y;
		yp += g->x.y * g->pressure;
	}
	const double slope = (n * yp - y * p) / (n * yy - y * y);
	// hydrostatic
	test_near(slope, -1000 * GRAVITY, 0.05 * 1000 * GRAVITY, "slope of the pressure");
	return y / n - p / n / slope;
}

// m, by what the tank holds: the water, and the body below the level
static double level_by_volume(const test_particles *all, const afloat *f, double bottom)
{
	double water = 0;
	for (uint32_t i = 0; i < all->count; i++)
		water += all->at[i].body == 0 ? S * S * S : 0;
	const double area = f->tank.x * f->tank.z, own = f->volume / (double)f->body.size.y;
	return (water - own * bottom) / (area - own);
}

// m, the body's centre
static double height_of(const test_particles *all)
{
	double sum = 0;
	int count = 0;
	for (uint32_t i = 0; i < all->count; i++)
		if (all->at[i].body == 1) {
			sum += all->at[i].x.y;
			count++;
		}
	return sum / count;
}

// m³ below the level
static double immersed(const afloat *f, double centre, double level)
{
	if (f->body.kind == OZ_SHAPE_BOX) {
		const double h = (double)f->body.size.y, depth = level - (centre - 0.5 * h);
		return f->volume * fmin(fmax(depth / h, 0), 1);
	}
	const double r = (double)f->body.size.x, d = fmin(fmax(level - centre + r, 0), 2 * r);
	return PI * d * d * (3 * r - d) / 3;
}

// the displaced water's mass over the body's, as a mean over the end of the run
static double displaced_over_mass(afloat f, double density, double deep)
{
	oz_world *w = make(GRAVITY, 25);
	test_add_tank(w, vec_of(-0.5 * f.tank.x, 0, -0.5 * f.tank.z),
	              vec_of(0.5 * f.tank.x, 1, 0.5 * f.tank.z));
	f.body.position.y = (float)(f.tank.y + deep);
	test_add_lattice(w, add_water(w, 0.5), vec_of(-0.5 * f.tank.x, 0, -0.5 * f.tank.z),
	                 vec_of(0.5 * f.tank.x, f.tank.y, 0.5 * f.tank.z), is_outside, &f.body);
	add_solid(w, density, 2e5, f.body);
	double sum = 0, motion = 0;
	int looks = 0;
	const double from = test_is_long() ? 1.6 : 1.2, to = test_is_long() ? 2.4 : 1.6;
	test_run_until(w, from);
	for (double t = from; t < to; t += 0.05) {
		test_run_until(w, t);
		test_particles all = test_particles_read(w);
		double mass = 0;
		for (uint32_t i = 0; i < all.count; i++)
			mass += all.at[i].body == 1 ? density * S * S * S : 0;
		const double centre = height_of(&all), level = level_of(&all, 3 * S, 0.2);
		const double share = 1000 * immersed(&f, centre, level) / mass;
		if (f.body.kind == OZ_SHAPE_BOX)
			test_near(level_by_volume(&all, &f, centre - 0.5 * (double)f.body.size.y),
			          level, 0.25 * S, "level by volume against that by pressure");
		sum += share;
		motion = fmax(motion, fabs(share - sum / ++looks));
		test_particles_free(&all);
	}
	print_message("density %g: displaced water over mass %.4f, moves by %.4f, volume %.4f of "
	              "the shape's\n",
	              density, sum / looks, motion, (double)w->slots.count * S * S * S / f.volume);
	oz_world_destroy(w);
	return sum / looks;
}

static void a_cuboid_of_half_the_density_floats_half_immersed(void **state)
{
	(void)state;
	test_near(displaced_over_mass(float_cuboid(), 500, 0.04), 1, 0.05,
	          "displaced water over the mass of a cuboid");
}

static void a_light_ball_floats_as_archimedes_says(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	test_near(displaced_over_mass(float_ball(), 300, 0), 1, 0.05,
	          "displaced water over the mass of a ball");
}

// ---- sinking -----------------------------------------------------------------------------------

static void a_heavy_cube_sinks_and_rests(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	oz_world *w = make(GRAVITY, 25);
	const double e = 0.1; // m, the cube's half edge: a quarter of the tank's edge
	const oz_shape cube = test_box(vec_of(-e, 2 * e + S, -e), vec_of(e, 4 * e + S, e));
	test_add_tank(w, vec_of(-2 * e, 0, -2 * e), vec_of(2 * e, 1, 2 * e));
	test_add_lattice(w, add_water(w, 1), vec_of(-2 * e, 0, -2 * e), vec_of(2 * e, 2 * e, 2 * e),
	                 NULL, NULL);
	add_solid(w, 2000, 2e5, cube);
	// until then the water sloshes, which takes the cube to and fro
	const double begin = 5;
	test_run_until(w, begin);
	test_particles then = test_particles_read(w);
	double speed = 0;
	for (int k = 0; k < 10; k++) {
		test_run_until(w, begin + 0.05 * (k + 1));
		test_particles now = test_particles_read(w);
		for (uint32_t i = 0; i < now.count; i++)
			if (now.at[i].body == 1)
				speed = fmax(speed, vec_length(now.at[i].v));
		test_particles_free(&now);
	}
	test_particles now = test_particles_read(w);
	double low = INFINITY, drift = 0;
	for (uint32_t i = 0; i < now.count; i++)
		if (now.at[i].body == 1) {
			low = fmin(low, now.at[i].x.y);
			drift = fmax(drift, vec_length(vec_sub(now.at[i].x, then.at[i].x)));
		}
	print_message("lowest %.3f spacings over the floor, fastest %.2g m/s, moved by %.3g "
	              "spacings in 0.5 s\n",
	              low / S, speed, drift / S);
	test_near(low / S, 0.5, 0.3, "height of the lowest particle, spacings");
	test_near(speed, 0, 0.02, "the fastest particle of a cube at rest");
	test_near(drift / S, 0, 0.1, "way in 0.5 s, spacings");
	test_particles_free(&now);
	test_particles_free(&then);
	oz_world_destroy(w);
}

// ---- momentum ----------------------------------------------------------------------------------

static double change_of_momentum(bool implicit)
{
	oz_world *w = make(0, 30);
	const oz_shape drop = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.08f, 0, 0});
	const oz_shape cube = test_box(vec_of(0.1, -0.1, -0.08), vec_of(0.3, 0.06, 0.1));
	oz_vec3 *points;
	uint32_t count;
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.density = 700;
	def.implicit = implicit;
	assert_int_equal(oz_shape_fill(&drop, (float)S, OZ_FILL_LATTICE, &points, &count, NULL),
	                 OZ_OK);
	test_add_points(w, add_water(w, 0.001), points, count, (oz_vec3){2, 0, 0});
	oz_points_free(points);
	test_add_elastic(w, &def, &cube, OZ_FILL_LATTICE, vec_of(1, 2, 0));
	test_step(w);
	const test_momenta before = test_momenta_of(w);
	test_run_until(w, 0.3);
	const test_momenta after = test_momenta_of(w);
	const double change =
	        vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale;
	test_particles all = test_particles_read(w);
	double given = 0;
	for (uint32_t i = 0; i < all.count; i++)
		given += all.at[i].body == 1 ? all.at[i].v.x * 700 * S * S * S : 0;
	print_message("%s: momentum changes by %.2g, %.2f of it went to the cube\n",
	              implicit ? "implicit" : "explicit", change, given / before.linear.x);
	assert_true(given > 0.3 * before.linear.x);
	test_particles_free(&all);
	oz_world_destroy(w);
	return change;
}

static void a_drop_and_what_it_hits_keep_their_momentum(void **state)
{
	(void)state;
	test_near(change_of_momentum(false), 0, 1e-5, "change of momentum");
	test_near(change_of_momentum(true), 0, 1e-5, "change of momentum, implicit");
}

// ---- a sheet that carries a pool ---------------------------------------------------------------

#define EDGE 0.4

static oz_world *pool_on_a_sheet(void)
{
	const double rim = 0.5 * EDGE - 1.2 * S;
	oz_world *w = make(GRAVITY, 20);
	oz_shape flat = oz_shape_make(OZ_SHAPE_SHEET, (oz_vec3){(float)EDGE, 0, (float)EDGE});
	test_add_tank(w, vec_of(-0.5 * EDGE, -1, -0.5 * EDGE), vec_of(0.5 * EDGE, 1, 0.5 * EDGE));
	// 7 Pa·s: pool and sheet hardly swing after 1.5 s
	test_add_lattice(w, add_water(w, 7), vec_of(-0.5 * EDGE, 0.5 * S, -0.5 * EDGE),
	                 vec_of(0.5 * EDGE, 0.12 + 0.5 * S, 0.5 * EDGE), NULL, NULL);
	add_solid(w, 1000, 1e6, flat);
	test_add_handle(w, vec_of(-1, -0.1, -1), vec_of(-rim, 0.1, 1), NULL, 0, 1e9);
	test_add_handle(w, vec_of(rim, -0.1, -1), vec_of(1, 0.1, 1), NULL, 0, 1e9);
	test_add_handle(w, vec_of(-rim, -0.1, -1), vec_of(rim, 0.1, -rim), NULL, 0, 1e9);
	test_add_handle(w, vec_of(-rim, -0.1, rim), vec_of(rim, 0.1, 1), NULL, 0, 1e9);
	return w;
}

// particles of water that are below the nearest one of the sheet
static uint32_t leaked(const test_particles *all)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < all->count; i++) {
		double best = INFINITY, y = 0;
		if (all->at[i].body != 0)
			continue;
		for (uint32_t j = 0; j < all->count; j++) {
			const vec d = vec_sub(all->at[j].x, all->at[i].x);
			const double r2 = d.x * d.x + d.z * d.z;
			if (all->at[j].body == 1 && r2 < best) {
				best = r2;
				y = all->at[j].x.y;
			}
		}
		count += all->at[i].x.y < y;
	}
	return count;
}

static double sag_of(const test_particles *all)
{
	double sum = 0;
	int count = 0;
	for (uint32_t i = 0; i < all->count; i++)
		if (all->at[i].body == 1) {
			sum -= all->at[i].x.y;
			count++;
		}
	return sum / count;
}

static void a_sheet_carries_a_pool(void **state)
{
	(void)state;
	oz_world *w = pool_on_a_sheet();
	test_run_until(w, 1.5);
	double early = 0, late = 0, least = INFINITY, most = 0;
	uint32_t lost = 0;
	for (int k = 0; k < 20; k++) {
		test_run_until(w, 1.5 + 0.04 * (k + 1));
		test_particles all = test_particles_read(w);
		const double sag = sag_of(&all);
		early += k < 10 ? 0.1 * sag : 0;
		late += k >= 10 ? 0.1 * sag : 0;
		least = fmin(least, sag);
		most = fmax(most, sag);
		lost += leaked(&all);
		test_particles_free(&all);
	}
	print_message("mean sag %.3f, then %.3f spacings, from %.3f to %.3f, %u leaked\n",
	              early / S, late / S, least / S, most / S, lost);
	assert_int_equal(lost, 0);
	assert_true(least > 0.2 * S);
	test_near(late, early, 0.05 * early, "the sag, later");
	test_near(most - least, 0, 0.2 * most, "how far the sag still swings");
	oz_world_destroy(w);
}

// ---- staying outside ---------------------------------------------------------------------------

static void water_does_not_enter_a_cube(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY, 40);
	const vec low = {0, 0, -0.1}, high = {0.2, 0.2, 0.1};
	test_add_tank(w, vec_of(-0.4, 0, -0.2), vec_of(0.4, 1, 0.2));
	test_add_lattice(w, add_water(w, 0.001), vec_of(-0.4, 0, -0.2), vec_of(-0.1, 0.4, 0.2),
	                 NULL, NULL);
	add_solid(w, 1500, 1e6, test_box(low, high));
	// it stands on the floor by its lowest layer
	test_add_handle(w, vec_of(-1, -1, -1), vec_of(1, S, 1), NULL, 0, 1e9);
	double deepest = -INFINITY, nearest = INFINITY;
	for (int k = 0; k < (test_is_long() ? 30 : 15); k++) {
		test_run_until(w, 0.03 * (k + 1));
		test_particles all = test_particles_read(w);
		for (uint32_t i = 0; i < all.count; i++) {
			if (all.at[i].body != 0)
				continue;
			const vec p = all.at[i].x;
			double depth = fmin(fmin(p.x - low.x, high.x - p.x), high.y - p.y);
			depth = fmin(depth, fmin(p.z - low.z, high.z - p.z));
			deepest = fmax(deepest, depth);
			for (uint32_t j = 0; depth > -S && j < all.count; j++)
				if (all.at[j].body == 1)
					nearest =
					        fmin(nearest, vec_length(vec_sub(p, all.at[j].x)));
		}
		test_particles_free(&all);
	}
	print_message("water is %.3f spacings inside the hull at most, %.3f from a particle\n",
	              deepest / S, nearest / S);
	assert_true(deepest < 0.4 * S);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_cuboid_of_half_the_density_floats_half_immersed),
	        cmocka_unit_test(a_light_ball_floats_as_archimedes_says),
	        cmocka_unit_test(a_heavy_cube_sinks_and_rests),
	        cmocka_unit_test(a_drop_and_what_it_hits_keep_their_momentum),
	        cmocka_unit_test(a_sheet_carries_a_pool),
	        cmocka_unit_test(water_does_not_enter_a_cube),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
