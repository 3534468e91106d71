// test_friction.c: friction between two solids holds below its angle and slides above it.
#include "worlds.h"

static const double s = 0.02; // m, spacing of most slopes

typedef struct pair {
	oz_model block, slab;
	oz_pressure pressure;
} pair;

typedef struct slope {
	oz_world *world;
	oz_id block;
	oz_id materials[2]; // of the slab and the block
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

// a world that leans
static oz_world_def leaning(oz_pressure pressure, double degrees)
{
	const double tilt = degrees * PI / 180;
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.threads = 1;
	def.pressure = pressure;
	def.gravity = vec_narrow(vec_of(GRAVITY * sin(tilt), -GRAVITY * cos(tilt), 0));
	return def;
}

// a box between two corners that are given in spacings
static oz_shape box_of(double spacing, vec low, vec high)
{
	return test_box(vec_mad(vec_of(0, 0, 0), low, spacing),
	                vec_mad(vec_of(0, 0, 0), high, spacing));
}

// a block that is laid on a slab which is held, both in a world that leans
static slope make_slope(const pair *p, double degrees)
{
	const oz_world_def def = leaning(p->pressure, degrees);
	slope result = {.world = test_world(&def)};
	const oz_shape slab = box_of(s, vec_of(-7, -4, -5), vec_of(20, 0, 5));
	const oz_shape block = box_of(s, vec_of(-3, 0, -3), vec_of(3, 4, 3));
	oz_world *w = result.world;
	result.materials[0] = add_solid(w, p->slab, true);
	test_add_filled(w, result.materials[0], &slab, OZ_FILL_LATTICE);
	if (p->slab != OZ_RIGID)
		test_add_handle(w, vec_of(-1, -0.1, -1), vec_of(1, -0.03, 1), NULL, 0, 1e9);
	result.materials[1] = add_solid(w, p->block, false);
	result.block = test_add_filled(w, result.materials[1], &block, OZ_FILL_LATTICE);
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

// ---- small spacings ----------------------------------------------------------------------------

// m, the way of a block along a slope of 15 degrees in 4 ms: particles of 0.1 mm, sound of 200 m/s.
// It sinks into contact in the first 7 ms.
static double way_of_a_small_block(float friction)
{
	const double small = 1e-4;
	oz_world_def def = leaning(OZ_PRESSURE_EOS, 15);
	def.spacing = (float)small;
	def.sound_speed = 200;
	slope k = {.world = test_world(&def)};
	oz_material_def m = oz_material_default(OZ_RIGID);
	m.density = 1000;
	m.friction = friction;
	m.fixed = true;
	const oz_shape slab = box_of(small, vec_of(-4, -2, -4), vec_of(7, 0, 4));
	oz_shape block = box_of(small, vec_of(-2, 0, -2), vec_of(2, 3, 2));
	// aligned lattices would hold each other like teeth
	block.rotation = test_rotation(vec_of(0, 1, 0), 0.35);
	test_add_filled(k.world, test_add_material(k.world, &m), &slab, OZ_FILL_LATTICE);
	m.fixed = false;
	k.block = test_add_filled(k.world, test_add_material(k.world, &m), &block, OZ_FILL_LATTICE);
	const double from = place_at(&k, 7e-3), way = place_at(&k, 11e-3) - from;
	oz_world_destroy(k.world);
	return way;
}

static void friction_holds_at_small_spacings_and_high_speeds_of_sound(void **state)
{
	(void)state;
	const double held = way_of_a_small_block(0.3f), free = way_of_a_small_block(0);
	print_message("spacing 0.1 mm, 200 m/s, 15 degrees: %.4f um, without friction %.4f um\n",
	              1e6 * held, 1e6 * free);
	// the opposite: the viscosity of contact alone lets it slide
	assert_true(free > 3e-6);
	test_near(held / free, 0, 0.01, "way of a block that friction holds, over that without");
}

// ---- a layer between two bodies ----------------------------------------------------------------

// a block on a plate of one layer of particles on a slab
static slope make_stack(double degrees)
{
	const oz_world_def def = leaning(OZ_PRESSURE_EOS, degrees);
	slope k = {.world = test_world(&def)};
	const oz_id slab = add_solid(k.world, OZ_RIGID, true),
	            rigid = add_solid(k.world, OZ_RIGID, false);
	const oz_shape parts[3] = {box_of(s, vec_of(-6, -3, -4), vec_of(24, 0, 4)),
	                           box_of(s, vec_of(-3, 0, -3), vec_of(3, 1, 3)),
	                           box_of(s, vec_of(-3, 1, -3), vec_of(3, 4, 3))};
	test_add_filled(k.world, slab, &parts[0], OZ_FILL_LATTICE);
	test_add_filled(k.world, rigid, &parts[1], OZ_FILL_LATTICE);
	k.block = test_add_filled(k.world, rigid, &parts[2], OZ_FILL_LATTICE);
	return k;
}

static void friction_passes_through_a_layer_of_one_particle(void **state)
{
	(void)state;
	slope k = make_stack(15);
	const double from = place_at(&k, 0.7), way = place_at(&k, 1.1) - from;
	print_message("block on a plate of one layer, 15 degrees: %.4f mm in 0.4 s\n", 1e3 * way);
	test_near(way, 0, 1e-4, "way of a block on a plate of one layer, m");
	oz_world_destroy(k.world);
	k = make_stack(20);
	const double a = place_at(&k, 0.3), b = place_at(&k, 0.5), c = place_at(&k, 0.7);
	const double tilt = 20 * PI / 180, acceleration = (c - 2 * b + a) / (0.2 * 0.2);
	const double friction = tan(tilt) - acceleration / (GRAVITY * cos(tilt));
	print_message("block on a plate of one layer, 20 degrees: friction %.3f\n", friction);
	test_near(friction, 0.3, 0.03, "coefficient of friction of a block on a plate");
	oz_world_destroy(k.world);
}

// ---- state -------------------------------------------------------------------------------------

// the largest component of the friction that particles keep
static double most_held(oz_world *w)
{
	const oz_float4 *field = oz_fields_find(&w->sim.fields, "contact.held");
	assert_non_null(field);
	const uint32_t n = w->sim.particles.count;
	const oz_float4 *held = test_look(w, field, sizeof *held * n);
	double most = 0;
	for (uint32_t i = 0; i < n; i++)
		most = fmax(most, vec_length(vec_of(held[i].x, held[i].y, held[i].z)));
	return most;
}

static void set_friction(slope *k, float friction)
{
	for (int m = 0; m < 2; m++) {
		oz_material_def def = *oz_world_get_material(k->world, k->materials[m]);
		def.friction = friction;
		oz_error error = {OZ_OK, ""};
		test_must(oz_world_set_material(k->world, k->materials[m], &def, &error), &error);
	}
}

static oz_world *reload(oz_world *w)
{
	oz_world *b;
	oz_error error = {OZ_OK, ""};
	test_must(oz_world_save(w, "held.ooze", &error), &error);
	test_must(oz_world_load("held.ooze", NULL, 2, NULL, &b, &error), &error);
	return b;
}

static void friction_that_is_switched_off_keeps_nothing(void **state)
{
	(void)state;
	const pair p = {OZ_RIGID, OZ_RIGID, OZ_PRESSURE_EOS};
	slope k = make_slope(&p, 15);
	test_steps(k.world, 300);
	assert_true(most_held(k.world) > 0.1);
	set_friction(&k, 0);
	test_near(most_held(k.world), 0, 0, "friction that is kept after it was switched off");
	test_steps(k.world, 5);
	// a snapshot holds the field although no solid has friction
	oz_world *b = reload(k.world);
	test_steps(k.world, 5);
	test_steps(b, 5);
	assert_true(oz_world_hash(k.world) == oz_world_hash(b));
	oz_world_destroy(b);
	set_friction(&k, 0.3f);
	test_near(most_held(k.world), 0, 0, "friction that is kept when it is switched on again");
	test_steps(k.world, 5);
	assert_true(most_held(k.world) > 0);
	oz_world_destroy(k.world);
}

// steps that a device takes ahead of the host, and that it halts where lists are stale, change
// nothing that is kept
static void friction_is_the_same_in_rows_of_steps(void **state)
{
	(void)state;
	const oz_shape slab = box_of(s, vec_of(-7, -3, -4), vec_of(16, 0, 4)),
	               block = box_of(s, vec_of(-3, 0, -3), vec_of(3, 4, 3));
	uint64_t hashes[2];
	for (uint32_t k = 0; k < 2; k++) {
		oz_world_def def = leaning(OZ_PRESSURE_EOS, 40);
		def.time_step = 4e-4f;
		oz_world *w = test_world(&def);
		const oz_id soft = add_solid(w, OZ_COROTATED, false);
		test_add_filled(w, soft, &slab, OZ_FILL_LATTICE);
		test_add_handle(w, vec_of(-1, -0.1, -1), vec_of(1, -0.03, 1), NULL, 0, 1e9);
		test_add_filled(w, soft, &block, OZ_FILL_LATTICE);
		uint32_t taken = 0;
		oz_error error = {OZ_OK, ""};
		for (uint32_t n = 0; n < 600; n += taken)
			test_must(oz_world_run(w, INFINITY, k ? 600 - n : 1, NULL, &taken, &error),
			          &error);
		assert_true(most_held(w) > 0.1);
		hashes[k] = oz_world_hash(w);
		oz_world_destroy(w);
	}
	assert_true(hashes[0] == hashes[1]);
}

// what is kept is part of the state
static void a_held_block_goes_on_bit_for_bit_after_a_snapshot(void **state)
{
	(void)state;
	const pair p = {OZ_COROTATED, OZ_RIGID, OZ_PRESSURE_EOS};
	slope k = make_slope(&p, 15);
	test_steps(k.world, 137);
	oz_world *b = reload(k.world);
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
	        cmocka_unit_test(friction_holds_at_small_spacings_and_high_speeds_of_sound),
	        cmocka_unit_test(friction_passes_through_a_layer_of_one_particle),
	        cmocka_unit_test(friction_that_is_switched_off_keeps_nothing),
	        cmocka_unit_test(friction_is_the_same_in_rows_of_steps),
	        cmocka_unit_test(a_held_block_goes_on_bit_for_bit_after_a_snapshot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
