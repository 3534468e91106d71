// test_friction.c: friction between two solids holds below its angle and slides above it.
#include "worlds.h"

static const double s = 0.02; // m, spacing

typedef struct pair {
	oz_model block, slab;
	oz_pressure pressure;
} pair;

typedef struct slope {
	oz_world *world;
	oz_id block;
} slope;

static oz_id add_solid(oz_world *w, oz_model model, bool fixed)
{
	oz_material_def m =
	        model == OZ_RIGID ? oz_material_default(OZ_RIGID) : test_elastic(1e6, 0.3);
	m.density = 1000;
	m.friction = 0.3f;
	m.damping = 0;
	m.fixed = model == OZ_RIGID && fixed;
	return test_add_material(w, &m);
}

// a block that is laid on a slab which is held, both in a world that leans
static slope make_slope(const pair *p, double degrees)
{
	const double tilt = degrees * PI / 180;
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.threads = 1;
	def.pressure = p->pressure;
	def.gravity = vec_narrow(vec_of(GRAVITY * sin(tilt), -GRAVITY * cos(tilt), 0));
	slope result = {.world = test_world(&def)};
	const oz_shape slab = test_box(vec_of(-0.14, -0.08, -0.1), vec_of(0.4, 0, 0.1));
	const oz_shape block = test_box(vec_of(-0.06, 0, -0.06), vec_of(0.06, 0.08, 0.06));
	oz_world *w = result.world;
	test_add_filled(w, add_solid(w, p->slab, true), &slab, OZ_FILL_LATTICE);
	if (p->slab != OZ_RIGID)
		test_add_handle(w, vec_of(-1, -0.1, -1), vec_of(1, -0.03, 1), NULL, 0, 1e9);
	result.block = test_add_filled(w, add_solid(w, p->block, false), &block, OZ_FILL_LATTICE);
	return result;
}

// m, the mean x of the block at a time
static double place_at(const slope *k, double time)
{
	test_run_until(k->world, time);
	test_particles all = test_particles_read(k->world);
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == k->block) {
			sum += all.at[i].x.x;
			count++;
		}
	test_particles_free(&all);
	return sum / count;
}

static const char *word(oz_model model)
{
	return model == OZ_RIGID ? "rigid" : "elastic";
}

static void hold(pair p)
{
	slope k = make_slope(&p, 15);
	// it has no damping, and rocks for half a second after it was laid there
	const double from = place_at(&k, 0.7), way = place_at(&k, 1.1) - from;
	print_message("%s on %s, pressure %d, 15 degrees: %.4f mm in 0.4 s\n", word(p.block),
	              word(p.slab), p.pressure, 1e3 * way);
	// a creep of 0.25 mm/s
	test_near(way, 0, 1e-4, "way of a block that friction holds, m");
	oz_world_destroy(k.world);
}

static void slide(pair p)
{
	slope k = make_slope(&p, 20);
	const double a = place_at(&k, 0.3), b = place_at(&k, 0.5), c = place_at(&k, 0.7);
	const double tilt = 20 * PI / 180, acceleration = (c - 2 * b + a) / (0.2 * 0.2);
	const double friction = tan(tilt) - acceleration / (GRAVITY * cos(tilt));
	print_message("%s on %s, pressure %d, 20 degrees: %.3f m/s2, friction %.3f\n",
	              word(p.block), word(p.slab), p.pressure, acceleration, friction);
	test_near(friction, 0.3, 0.03, "coefficient of friction from the acceleration");
	assert_true(b - a > 0.02);
	oz_world_destroy(k.world);
}

static const oz_model models[] = {OZ_COROTATED, OZ_RIGID};

// 16.7 degrees
static void solids_rest_on_solids_below_the_angle_of_friction(void **state)
{
	(void)state;
	for (int k = 0; k < (test_is_long() ? 8 : 4); k++)
		hold((pair){models[k & 1], models[k >> 1 & 1],
		            k & 4 ? OZ_PRESSURE_INCOMPRESSIBLE : OZ_PRESSURE_EOS});
}

static void solids_slide_on_solids_above_it_as_coulomb_says(void **state)
{
	(void)state;
	for (int k = 0; k < (test_is_long() ? 8 : 4); k += test_is_long() ? 1 : 3)
		slide((pair){models[k & 1], models[k >> 1 & 1],
		             k & 4 ? OZ_PRESSURE_INCOMPRESSIBLE : OZ_PRESSURE_EOS});
}

// what is remembered is part of the state
static void a_held_block_goes_on_bit_for_bit_after_a_snapshot(void **state)
{
	(void)state;
	const pair p = {OZ_COROTATED, OZ_RIGID, OZ_PRESSURE_EOS};
	slope k = make_slope(&p, 15);
	oz_world *b;
	oz_error error = {OZ_OK, ""};
	test_steps(k.world, 137);
	assert_int_equal(oz_world_save(k.world, "held.ooze", NULL), OZ_OK);
	if (oz_world_load("held.ooze", NULL, 2, NULL, &b, &error) != OZ_OK)
		fail_msg("%s", error.text);
	test_steps(k.world, 40);
	test_steps(b, 40);
	assert_true(oz_world_hash(k.world) == oz_world_hash(b));
	oz_world_destroy(b);
	oz_world_destroy(k.world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(solids_rest_on_solids_below_the_angle_of_friction),
	        cmocka_unit_test(solids_slide_on_solids_above_it_as_coulomb_says),
	        cmocka_unit_test(a_held_block_goes_on_bit_for_bit_after_a_snapshot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
