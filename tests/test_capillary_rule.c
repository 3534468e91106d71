// test_capillary_rule.c: surface tension is left out where the capillary length is too short for
// the spacing, acts without gravity, and follows a change of gravity; contact lines have friction;
// a nozzle that begins to pour; presets have values.
#include "models/capillary/capillary.h"
#include "scene/scene_data.h"
#include "worlds.h"

static oz_material_def water(double tension)
{
	oz_material_def def = oz_preset_find("water")->material;
	def.surface_tension = (float)tension;
	return def;
}

static oz_world *make_cube(double spacing, double tension, double gravity)
{
	oz_world_def def = test_space_def(spacing);
	def.gravity.y = (float)-gravity;
	def.sound_speed = 5;
	oz_world *w = test_world(&def);
	const oz_material_def m = water(tension);
	const double edge = 6 * spacing;
	test_add_block(w, test_add_material(w, &m), vec_of(0, 0, 0), vec_of(edge, edge, edge));
	return w;
}

// whether a cube moves the same with surface tension and without it
static bool is_left_out(double spacing, double gravity)
{
	oz_world *with = make_cube(spacing, 0.0728, gravity),
	         *without = make_cube(spacing, 0, gravity);
	test_steps(with, 40);
	test_steps(without, 40);
	const bool same = oz_world_hash(with) == oz_world_hash(without);
	oz_world_destroy(with);
	oz_world_destroy(without);
	return same;
}

// two capillary lengths of water, 2.73 mm, are three spacings of 1.82 mm
static void surface_tension_is_left_out_where_puddles_are_thinner_than_three_spacings(void **state)
{
	(void)state;
	const oz_material_def m = water(0.0728);
	oz_world_def def = oz_world_default();
	test_near(oz_capillary_length(&def, &m), sqrt(0.0728 / (998.2 * GRAVITY)), 1e-8,
	          "capillary length of water");
	test_near(oz_capillary_spacing(&def, &m), 1.82e-3, 1e-5, "largest spacing for water");
	assert_true(is_left_out(0.01, GRAVITY));
	assert_true(is_left_out(0.0019, GRAVITY));
	assert_false(is_left_out(0.0017, GRAVITY));
	assert_false(is_left_out(0.01, 0));
	assert_false(is_left_out(0.01, 0.1));
}

// mean squared distance of the particles from their centre, m²
static double extent(oz_world *w)
{
	test_particles all = test_particles_read(w);
	vec centre = vec_of(0, 0, 0);
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		centre = vec_mad(centre, all.at[i].x, 1.0 / all.count);
	for (uint32_t i = 0; i < all.count; i++) {
		const vec r = vec_sub(all.at[i].x, centre);
		sum += vec_dot(r, r) / all.count;
	}
	test_particles_free(&all);
	return sum;
}

static void it_acts_as_soon_as_gravity_ends(void **state)
{
	(void)state;
	oz_world *both[] = {make_cube(0.01, 0.0728, GRAVITY), make_cube(0.01, 0, GRAVITY)};
	const oz_vec3 none = {0, 0, 0};
	double first[2], last[2];
	oz_error error = {OZ_OK, ""};
	for (int k = 0; k < 2; k++) {
		test_must(oz_world_set_gravity(both[k], none, &error), &error);
		first[k] = extent(both[k]);
		test_run_until(both[k], 0.3);
		last[k] = extent(both[k]);
		oz_world_destroy(both[k]);
	}
	// corners are pulled in
	assert_true(last[0] < 0.98 * first[0]);
	test_near(last[1] / first[1], 1, 1e-4, "the opposite: extent without surface tension");
}

// Whether a cube moves the same with surface tension and without it, after its gravity has ended
// and, if `returns`, has returned.
static bool is_left_out_after(bool returns)
{
	oz_world *both[] = {make_cube(0.01, 0.0728, GRAVITY), make_cube(0.01, 0, GRAVITY)};
	const oz_vec3 none = {0, 0, 0}, down = {0, -9.81f, 0};
	oz_error error = {OZ_OK, ""};
	for (int k = 0; k < 2; k++) {
		test_must(oz_world_set_gravity(both[k], none, &error), &error);
		if (returns)
			test_must(oz_world_set_gravity(both[k], down, &error), &error);
		test_steps(both[k], 40);
	}
	const bool same = oz_world_hash(both[0]) == oz_world_hash(both[1]);
	oz_world_destroy(both[0]);
	oz_world_destroy(both[1]);
	return same;
}

static void it_acts_no_longer_when_gravity_returns(void **state)
{
	(void)state;
	assert_true(is_left_out_after(true));
	assert_false(is_left_out_after(false)); // the opposite
}

// ---- friction of contact lines -----------------------------------------------------------------

// a half ball of water on a plane along which it slides freely, and which moves along x
static oz_world *make_bead(double tension, double speed)
{
	const double spacing = 5e-4, radius = 6 * spacing;
	oz_world_def def = test_space_def(spacing);
	def.gravity.y = (float)-GRAVITY;
	def.sound_speed = 3;
	oz_world *w = test_world(&def);
	const oz_keyframe frames[] = {{.time = 0, .rotation = {0, 0, 0, 1}},
	                              {.time = 1,
	                               .position = {(float)speed, 0, 0},
	                               .rotation = {0, 0, 0, 1}}};
	oz_collider_def plane =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	plane.slip = true;
	plane.keyframes = frames;
	plane.keyframe_count = 2;
	test_add_collider(w, &plane);
	const oz_material_def m = water(tension);
	const oz_shape half = oz_shape_make(OZ_SHAPE_DOME, (oz_vec3){(float)radius, 0, 0});
	test_add_filled(w, test_add_material(w, &m), &half, OZ_FILL_LATTICE);
	return w;
}

// mean speed along x of the particles beside the plate, m/s
static double speed_at_plate(oz_world *w)
{
	test_particles all = test_particles_read(w);
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].x.y < 6e-4) {
			sum += all.at[i].v.x;
			count++;
		}
	test_particles_free(&all);
	return count ? sum / count : 0;
}

// The plate drags what is beside it by the contact line alone: the drop rolls.
static void a_plate_that_moves_drags_the_contact_line_along(void **state)
{
	(void)state;
	const double speed = 0.1;
	oz_world *w = make_bead(0.0728, speed), *without = make_bead(0, speed);
	test_run_until(w, 0.05);
	test_run_until(without, 0.05);
	const double with = speed_at_plate(w), free = speed_at_plate(without);
	print_message("plate %g m/s: drop beside it %.3f, without surface tension %.4f\n", speed,
	              with, free);
	assert_true(with > 0.2 * speed && with < speed);
	test_near(free, 0, 0.02 * speed, "the opposite: speed without surface tension");
	oz_world_destroy(w);
	oz_world_destroy(without);
}

// The first particles of a jet have little surface: an inertia far below the smallest float.
static void a_nozzle_that_begins_to_pour_gives_finite_particles(void **state)
{
	(void)state;
	oz_world_def def = test_space_def(5e-4);
	def.gravity.y = (float)-GRAVITY;
	def.sound_speed = 4;
	oz_world *w = test_world(&def);
	const oz_material_def m = water(0.0728);
	oz_emitter_def nozzle = oz_emitter_default(test_add_material(w, &m));
	nozzle.radius = 2e-3f;
	nozzle.speed = 0.2f;
	oz_error error = {OZ_OK, ""};
	test_must(oz_world_add_emitter(w, &nozzle, NULL, &error), &error);
	uint32_t repaired = 0;
	while (oz_world_time(w) < 0.02)
		repaired += test_step(w).repaired;
	assert_true(oz_world_particle_count(w) > 200);
	assert_int_equal(repaired, 0);
	oz_world_destroy(w);
}

static void every_liquid_preset_has_surface_tension_and_every_solid_a_contact_angle(void **state)
{
	(void)state;
	uint32_t count;
	const oz_preset *all = oz_presets(&count);
	uint32_t known = 0; // solids whose angle is not the default
	for (uint32_t i = 0; i < count; i++) {
		const oz_material_def *m = &all[i].material;
		const bool liquid =
		        m->model == OZ_FLUID || m->model == OZ_LINKS || m->model == OZ_POLYMER;
		if (liquid != (m->surface_tension > 0))
			fail_msg("%s: surface tension %g", all[i].name, (double)m->surface_tension);
		// liquid nitrogen 9 mN/m, mercury 485
		if (liquid && (m->surface_tension < 0.005f || m->surface_tension > 0.6f))
			fail_msg("%s: surface tension %g", all[i].name, (double)m->surface_tension);
		// 0, what is left out of a row, would be a solid that every liquid spreads on
		if (!(m->contact_angle > 0 && m->contact_angle <= 180))
			fail_msg("%s: contact angle %g", all[i].name, (double)m->contact_angle);
		known += !liquid && m->contact_angle != 90;
	}
	assert_true(known >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(
	                surface_tension_is_left_out_where_puddles_are_thinner_than_three_spacings),
	        cmocka_unit_test(it_acts_as_soon_as_gravity_ends),
	        cmocka_unit_test(it_acts_no_longer_when_gravity_returns),
	        cmocka_unit_test(a_nozzle_that_begins_to_pour_gives_finite_particles),
	        cmocka_unit_test(a_plate_that_moves_drags_the_contact_line_along),
	        cmocka_unit_test(
	                every_liquid_preset_has_surface_tension_and_every_solid_a_contact_angle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
