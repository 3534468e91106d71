// test_live.c: worlds that calls change between steps: colliders and handles that are moved,
// gravity, the parameters of materials.
//
// A motion by calls is held against the same motion by keyframes, and a parameter that is set
// against a world that had it from the start: bit for bit.
#include "elastic.h"
#include "models/elastic/elastic.h"

#define PATH "live.ooze"

static const oz_quat upright = {0, 0, 0, 1};

static uint64_t hash_of(oz_world *w, oz_field field, size_t size)
{
	oz_view view;
	uint64_t hash = 0;
	test_must(oz_world_view(w, field, &view, NULL), NULL);
	for (uint32_t i = 0; i < view.count; i++)
		hash = oz_hash((const char *)view.data + i * view.stride, size, hash);
	return hash;
}

// of positions and velocities: motions by calls and by keyframes have other world hashes
static uint64_t motion_hash(oz_world *w)
{
	return hash_of(w, OZ_FIELD_POSITION, sizeof(oz_vec3)) ^
	       3 * hash_of(w, OZ_FIELD_VELOCITY, sizeof(oz_vec3));
}

static void move(oz_world *w, oz_id collider, vec to, oz_quat rotation, double time)
{
	oz_error error = {OZ_OK, ""};
	test_must(oz_world_move_collider(w, collider, vec_narrow(to), rotation, time, &error),
	          &error);
}

// ---- colliders ---------------------------------------------------------------------------------

static const vec begin_at = {0.2, 0.1, 0}, end_at = {-0.05, 0.15, 0.02};

// a dam with a ball that crosses its water in 0.25 s; frames: by keyframes
static oz_world *make_dam(uint32_t threads, oz_pressure pressure, bool frames)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.03f;
	def.pressure = pressure;
	def.time_step = pressure == OZ_PRESSURE_EOS ? 1e-3f : 2e-3f;
	def.threads = threads;
	oz_world *w = test_world(&def);
	test_add_tank(w, vec_of(-0.3, 0, -0.12), vec_of(0.3, 0.5, 0.12));
	test_add_lattice(w, test_water(w), vec_of(-0.3, 0, -0.12), vec_of(0, 0.24, 0.12), NULL,
	                 NULL);
	const oz_keyframe keys[2] = {{0, vec_narrow(begin_at), upright},
	                             {0.25f, vec_narrow(end_at), {0, 0.6f, 0, 0.8f}}};
	oz_shape ball = oz_shape_make(OZ_SHAPE_CAPSULE, (oz_vec3){0.05f, 0.04f, 0});
	ball.position = vec_narrow(begin_at);
	test_add_wall(w, ball, false, frames ? keys : NULL, frames ? 2 : 0);
	return w;
}

static void a_motion_by_a_call_is_that_of_keyframes_bit_for_bit(void **state)
{
	(void)state;
	for (oz_pressure p = OZ_PRESSURE_EOS; p < OZ_PRESSURE_COUNT; p++) {
		oz_world *framed = make_dam(1, p, true), *called = make_dam(2, p, false);
		move(called, 1, end_at, (oz_quat){0, 0.6f, 0, 0.8f}, 0.25);
		const uint64_t before = motion_hash(framed);
		for (int k = 0; k < 3; k++) {
			test_run_until(framed, 0.1 * (k + 1));
			test_run_until(called, 0.1 * (k + 1));
			assert_true(motion_hash(framed) == motion_hash(called));
		}
		assert_true(motion_hash(framed) != before);
		const oz_load a = test_load(framed, 1), b = test_load(called, 1);
		print_message("work of the wall: %.4f J\n", a.work);
		assert_true(a.work > 0.01 && a.work == b.work && a.force[0] == b.force[0]);
		oz_world_destroy(framed);
		oz_world_destroy(called);
	}
}

// what steps ahead of the host see: rows of steps and single ones give the same
static void steps_in_rows_and_alone_see_the_same_motion(void **state)
{
	(void)state;
	oz_world *alone = make_dam(1, OZ_PRESSURE_EOS, false),
	         *rows = make_dam(1, OZ_PRESSURE_EOS, false);
	for (int k = 0; k < 6; k++) {
		// one to the end of the next step, one over several steps
		const double time = k % 2 ? 0.0 : 0.032 * (k + 1);
		const vec to = vec_mad(begin_at, vec_of(-0.02, 0, 0), k + 1);
		oz_world *both[] = {alone, rows};
		uint32_t taken = 0;
		for (int n = 0; n < 2; n++) {
			move(both[n], 1, to, upright, time);
			oz_vec3 g = {0.5f * (float)k, -9.81f, 0};
			test_must(oz_world_set_gravity(both[n], g, NULL), NULL);
		}
		test_steps(alone, 32);
		test_must(oz_world_run(rows, INFINITY, 32, NULL, &taken, NULL), NULL);
		assert_int_equal(taken, 32);
		assert_true(oz_world_hash(alone) == oz_world_hash(rows));
	}
	oz_world_destroy(alone);
	oz_world_destroy(rows);
}

// a particle that a plate pushes along: with the velocity of the plate, or out of it without one
static double pushed_speed(bool jumps)
{
	oz_world_def def = test_space_def(0.02);
	def.time_step = 1e-3f;
	oz_world *w = test_world(&def);
	oz_material_def dust = oz_material_default(OZ_FLUID);
	dust.viscosity = dust.damping = 0;
	test_add_particle(w, test_add_material(w, &dust), (oz_vec3){0.012f, 0, 0},
	                  (oz_vec3){0, 0, 0});
	oz_collider_def plate =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.1f, 1, 1}));
	plate.shape.position.x = -0.05f;
	plate.restitution = 0;
	test_add_collider(w, &plate);
	for (int k = 1; k <= 20; k++) {
		const oz_vec3 to = {-0.05f + 1e-3f * (float)k, 0, 0};
		oz_error error = {OZ_OK, ""};
		test_must(jumps ? oz_world_place_collider(w, 0, to, upright, &error)
		                : oz_world_move_collider(w, 0, to, upright, 0, &error),
		          &error);
		test_steps(w, 1);
	}
	test_particles all = test_particles_read(w);
	const double speed = all.at[0].v.x;
	// the wall has passed no particle
	assert_true(all.at[0].x.x > 0.02);
	test_particles_free(&all);
	oz_shape now;
	test_must(oz_world_get_collider(w, 0, &now, NULL, NULL), NULL);
	test_near((double)now.position.x, -0.03, 1e-6, "place of the plate");
	oz_world_destroy(w);
	return speed;
}

static void a_moved_plate_gives_its_speed_and_a_placed_one_none(void **state)
{
	(void)state;
	test_near(pushed_speed(false), 1, 1e-3, "speed of a particle before a plate of 1 m/s");
	test_near(pushed_speed(true), 0, 1e-3, "speed of a particle before a plate that is placed");
}

static void expect(oz_result result, const oz_error *error, const char *sentence)
{
	assert_int_not_equal(result, OZ_OK);
	assert_string_equal(error->text, sentence);
}

static void a_wrong_motion_is_refused_with_a_sentence(void **state)
{
	(void)state;
	oz_world *w = make_dam(1, OZ_PRESSURE_EOS, false);
	oz_error error;
	const uint64_t before = oz_world_hash(w);
	const oz_vec3 far = {0.3f, 0.1f, 0}, at = vec_narrow(begin_at);
	expect(oz_world_move_collider(w, 1, far, upright, 0, &error), &error,
	       "collider 1 would move 0.1 m in a step, more than the support radius of 0.066 m, "
	       "and pass particles; pass a later time, or use oz_world_place_collider");
	expect(oz_world_move_collider(w, 1, far, upright, 1e-3, &error), &error,
	       "collider 1 would move 0.1 m in a step, more than the support radius of 0.066 m, "
	       "and pass particles; pass a later time, or use oz_world_place_collider");
	// half a turn
	assert_int_equal(oz_world_move_collider(w, 1, at, (oz_quat){0, 0, 1, 0}, 0, &error),
	                 OZ_ERROR_RANGE);
	expect(oz_world_move_collider(w, 7, at, upright, 0, &error), &error,
	       "there is no collider 7; there are 2");
	expect(oz_world_move_collider(w, 1, at, upright, NAN, &error), &error,
	       "the new pose of collider 1 has a time that is not finite; pass the time of the "
	       "world for the end of the next step");
	assert_int_equal(oz_world_place_collider(w, 1, (oz_vec3){NAN, 0, 0}, upright, &error),
	                 OZ_ERROR_RANGE);
	assert_int_equal(oz_world_move_handle(w, 0, at, upright, 0, &error), OZ_ERROR_NOT_FOUND);
	assert_int_equal(oz_world_move_collider(NULL, 1, at, upright, 0, &error),
	                 OZ_ERROR_ARGUMENT);
	assert_true(oz_world_hash(w) == before);
	test_must(oz_world_move_collider(w, 1, far, upright, 0.05, &error), &error);
	test_must(oz_world_place_collider(w, 1, (oz_vec3){5, 5, 5}, upright, &error), &error);
	oz_world_destroy(w);
}

// ---- handles -----------------------------------------------------------------------------------

// a cube of rubber in the hand; the handle holds its upper half
static oz_world *make_held(uint32_t threads, bool implicit)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.threads = threads;
	oz_world *w = test_world(&def);
	oz_material_def rubber = test_elastic(1e5, 0.3);
	rubber.implicit = implicit;
	test_add_block(w, test_add_material(w, &rubber), vec_of(0, 0, 0), vec_of(0.12, 0.12, 0.12));
	test_add_handle(w, vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.1, 0.1), NULL, 0, 1e9);
	return w;
}

static void a_hand_moves_releases_and_catches(void **state)
{
	(void)state;
	for (int implicit = 0; implicit < 2; implicit++) {
		oz_world *w = make_held(1, implicit);
		oz_error error = {OZ_OK, ""};
		// up by 10 cm in 0.2 s; the handle stands in the middle of its box
		const oz_vec3 up = {0, 0.15f, 0};
		test_must(oz_world_move_handle(w, 0, up, upright, 0.2, &error), &error);
		test_run_until(w, 0.25);
		test_near(test_mean_height(w, 0), 0.1, 0.005, "height of a cube that was lifted");
		// its lower half swings after the stop
		const double speed = test_stats(w).momentum[1] / (1000 * 0.12 * 0.12 * 0.12);
		test_must(oz_world_release_handle(w, 0, &error), &error);
		test_run_until(w, 0.35);
		test_near(test_mean_height(w, 0), 0.1 + 0.1 * speed - 0.5 * GRAVITY * 0.01, 0.01,
		          "height of a cube that falls");
		// where it was there is nothing to hold now
		test_run_until(w, 0.45);
		assert_int_equal(oz_world_hold_handle(w, 0, &error), OZ_ERROR_ARGUMENT);
		assert_string_equal(error.text, "handle 0 holds nothing: no particle of an elastic "
		                                "solid that is not held is inside it; move it "
		                                "there first");
		const double height = test_mean_height(w, 0);
		const double t = oz_world_time(w);
		test_must(oz_world_move_handle(w, 0, (oz_vec3){0, (float)(height), 0}, upright,
		                               t + 0.01, &error),
		          &error);
		test_run_until(w, t + 0.012);
		test_must(oz_world_hold_handle(w, 0, &error), &error);
		test_run_until(w, t + 0.6);
		const double caught = test_mean_height(w, 0);
		print_message("caught at %.3f m, released at %.3f m\n", caught, height);
		assert_true(caught > height - 0.1 && caught < height + 0.02);
		oz_world_destroy(w);
	}
}

// ---- gravity -----------------------------------------------------------------------------------

static void gravity_that_is_set_acts_from_then_on(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.time_step = 1e-3f;
	oz_world *w = test_world(&def);
	oz_error error = {OZ_OK, ""};
	test_add_particle(w, test_water(w), (oz_vec3){0, 0, 0}, (oz_vec3){0, 0, 0});
	test_run_until(w, 0.2);
	test_must(oz_world_set_gravity(w, (oz_vec3){3, 0, 0}, &error), &error);
	test_run_until(w, 0.4);
	test_particles all = test_particles_read(w);
	// a step of 1 ms begins before the change
	test_near(all.at[0].x.y, -1.5 * GRAVITY * 0.04, GRAVITY * 0.2 * 1e-3, "fall, then flight");
	test_near(all.at[0].x.x, 1.5 * 0.04, 3 * 0.2 * 1e-3, "way along the new gravity");
	test_particles_free(&all);
	expect(oz_world_set_gravity(w, (oz_vec3){0, NAN, 0}, &error), &error,
	       "world.gravity is [0, nan, 0] m/s²; each number must be between -1e+06 and 1e+06 "
	       "m/s²");
	oz_world_destroy(w);
}

// ---- materials ---------------------------------------------------------------------------------

// a drop, a melt or a cube of one material that falls on a floor, beside water
static oz_world *make_matter(const oz_material_def *def, const oz_material_def *later)
{
	oz_world_def space = oz_world_default();
	space.spacing = 0.02f;
	oz_world *w = test_world(&space);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(0.24, 0.4, 0.12));
	const oz_id id = test_add_material(w, def);
	const oz_shape cube = test_box(vec_of(0.01, 0.02, 0.01), vec_of(0.11, 0.12, 0.11));
	oz_error error = {OZ_OK, ""};
	if (def->model == OZ_MEMBRANE)
		test_must(oz_world_add_shape(w, &cube, id, NULL, &error), &error);
	else
		test_add_thrown(w, id, &cube, vec_of(0.3, -1, 0));
	test_add_block(w, test_water(w), vec_of(0.18, 0.06, 0.06), vec_of(0.12, 0.12, 0.12));
	if (later)
		test_must(oz_world_set_material(w, id, later, &error), &error);
	return w;
}

static void check_set(oz_material_def before, oz_material_def after, const char *what)
{
	oz_world *set = make_matter(&before, &after), *from_start = make_matter(&after, NULL),
	         *other = make_matter(&before, NULL);
	oz_world *all[] = {set, from_start, other};
	for (int k = 0; k < 3; k++)
		test_steps(all[k], 150);
	if (motion_hash(set) != motion_hash(from_start))
		fail_msg("%s: a parameter that is set acts otherwise than one from the start",
		         what);
	if (motion_hash(set) == motion_hash(other))
		fail_msg("%s: a parameter that is set has no effect", what);
	for (int k = 0; k < 3; k++)
		oz_world_destroy(all[k]);
}

static void a_parameter_that_is_set_acts_as_one_from_the_start(void **state)
{
	(void)state;
	oz_material_def a = oz_material_default(OZ_FLUID), b = a;
	b.viscosity = 0.03f;
	b.cohesion = 200;
	check_set(a, b, "viscosity of a thin fluid");
	b = a;
	b.viscosity = 20;
	b.yield_stress = 10;
	check_set(a, b, "a thin fluid becomes thick");
	check_set(b, a, "a thick fluid becomes thin");
	a = oz_material_default(OZ_BLEND);
	b = a;
	b.alpha = 0.9f;
	check_set(a, b, "alpha of a blend");
	a = test_elastic(1e5, 0.3);
	b = test_elastic(4e4, 0.4);
	b.friction = 1;
	b.damping = 0.1f;
	check_set(a, b, "stiffness of rubber");
	a = oz_material_default(OZ_LINKS);
	b = a;
	b.shear_modulus = 3000;
	b.relaxation_time = 0.1f;
	check_set(a, b, "links");
	a = oz_material_default(OZ_RIGID);
	b = a;
	b.viscosity = 2;
	b.friction = 1;
	check_set(a, b, "viscosity of a rigid body");
	a = oz_material_default(OZ_MEMBRANE);
	a.thickness = 2e-3f;
	b = a;
	b.young_modulus *= 3;
	b.poisson_ratio = 0.2f;
	check_set(a, b, "stiffness of a skin");
	b = a;
	b.skin_law = OZ_SKIN_SPRINGS;
	b.integration = OZ_INTEGRATE_EXPLICIT;
	check_set(a, b, "springs of a skin");
	b = a;
	b.surface_stiffness = 1e5f;
	b.surface_viscosity = 10;
	check_set(a, b, "the fluid of a skin");
	check_set(b, a, "a skin without its fluid");
}

// The stiffness of a skin is set between steps: the world goes on as one that was saved then, and
// the bounds of the stiffness, which set the time step, are those of the new one.
static void a_skin_that_is_set_stiffer_goes_on_as_one_that_was_saved(void **state)
{
	(void)state;
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.thickness = 2e-3f;
	def.skin_law = OZ_SKIN_SPRINGS;
	def.integration = OZ_INTEGRATE_EXPLICIT;
	// without damping and gas the time step goes with one over the root of the stiffness
	def.skin_damping = 0;
	def.filling = OZ_FILLING_NONE;
	oz_error error = {OZ_OK, ""};
	for (int k = 0; k < 2; k++) {
		oz_world *w = test_space(0.02, 20), *loaded;
		const oz_id id = test_add_material(w, &def);
		const oz_shape cube = test_box(vec_of(0, 0, 0), vec_of(0.2, 0.1, 0.1));
		test_must(oz_world_add_shape(w, &cube, id, NULL, &error), &error);
		test_steps(w, 60);
		oz_material_def to = *oz_world_get_material(w, id);
		to.young_modulus *= k ? 4 : 1;
		const float before = test_step(w).time_step;
		test_must(oz_world_set_material(w, id, &to, &error), &error);
		test_must(oz_world_save(w, PATH, &error), &error);
		const float after = test_step(w).time_step;
		test_steps(w, 59);
		test_must(oz_world_load(PATH, NULL, 0, NULL, &loaded, &error), &error);
		test_steps(loaded, 60);
		assert_true(oz_world_hash(w) == oz_world_hash(loaded));
		print_message("stiffness %d times: time step %.3f times\n", k ? 4 : 1,
		              (double)(after / before));
		test_near((double)(after / before), k ? 0.5 : 1, 0.05,
		          "time step over that before");
		oz_world_destroy(w);
		oz_world_destroy(loaded);
	}
}

static void a_parameter_that_cannot_change_is_refused(void **state)
{
	(void)state;
	oz_material_def def = oz_material_default(OZ_FLUID);
	snprintf(def.name, sizeof def.name, "oil");
	oz_world *w = make_matter(&def, NULL);
	oz_error error = {OZ_OK, ""};
	const uint64_t before = oz_world_hash(w);
	oz_material_def to = *oz_world_get_material(w, 0);
	to.density = 900;
	expect(oz_world_set_material(w, 0, &to, &error), &error,
	       "material 'oil' cannot change 'density': particles keep their mass; add a second "
	       "material");
	to = *oz_world_get_material(w, 0);
	to.model = OZ_BLEND;
	expect(oz_world_set_material(w, 0, &to, &error), &error,
	       "material 'oil' cannot change 'model': bodies keep their model; add a second "
	       "material");
	to = *oz_world_get_material(w, 0);
	to.viscosity = -1;
	expect(oz_world_set_material(w, 0, &to, &error), &error,
	       "material oil.viscosity is -1 Pa·s; it must be between 0 and 1e+06 Pa·s");
	static const char *const lasting[4][2] = {{"thickness", "particles keep their mass"},
	                                          {"prestretch", "the mesh is made for it"},
	                                          {"gauge_pressure",
	                                           "bodies are filled when they are added"},
	                                          {"gas_amount",
	                                           "bodies are filled when they are added"}};
	for (int k = 0; k < 4; k++) {
		char sentence[200];
		to = *oz_world_get_material(w, 0);
		*(k == 0   ? &to.thickness
		  : k == 1 ? &to.prestretch
		  : k == 2 ? &to.gauge_pressure
		           : &to.gas_amount) += 1e-3f;
		snprintf(sentence, sizeof sentence,
		         "material 'oil' cannot change '%s': %s; add a second material",
		         lasting[k][0], lasting[k][1]);
		expect(oz_world_set_material(w, 0, &to, &error), &error, sentence);
	}
	expect(oz_world_set_material(w, 9, &to, &error), &error,
	       "there is no material 9; there are 2");
	assert_true(oz_world_hash(w) == before);
	assert_true(oz_world_get_material(w, 0)->viscosity == def.viscosity);
	oz_world_destroy(w);
}

// ---- snapshots ---------------------------------------------------------------------------------

// all calls in one world, between steps
static void disturb(oz_world *w, uint32_t step)
{
	const double t = oz_world_time(w);
	oz_error error = {OZ_OK, ""};
	if (step % 3 == 0)
		move(w, 0, vec_of(0.1 + 0.002 * sin(step), 0.01, 0), upright, 0);
	if (step == 20)
		test_must(oz_world_move_handle(w, 0, (oz_vec3){0.02f, 0.06f, 0}, upright, t + 0.03,
		                               &error),
		          &error);
	if (step == 40)
		test_must(oz_world_release_handle(w, 0, &error), &error);
	if (step == 45)
		test_must(oz_world_hold_handle(w, 0, &error), &error);
	if (step == 30) {
		oz_material_def rubber = *oz_world_get_material(w, 0);
		rubber.young_modulus = 5e4f;
		test_must(oz_world_set_material(w, 0, &rubber, &error), &error);
		oz_material_def water = *oz_world_get_material(w, 1);
		water.viscosity = 5;
		test_must(oz_world_set_material(w, 1, &water, &error), &error);
	}
	if (step == 50)
		test_must(oz_world_set_gravity(w, (oz_vec3){2, -5, 0}, &error), &error);
}

static oz_world *make_lively(uint32_t threads)
{
	oz_world *w = make_held(threads, false);
	oz_collider_def wall =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.06f, 0.3f, 0.3f}));
	wall.shape.position = (oz_vec3){0.1f, 0.01f, 0};
	test_add_collider(w, &wall);
	test_add_tank(w, vec_of(-0.2, -0.12, -0.1), vec_of(0.2, 0.3, 0.1));
	test_add_block(w, test_water(w), vec_of(-0.13, -0.06, 0), vec_of(0.12, 0.12, 0.18));
	return w;
}

static void lively_steps(oz_world *w, uint32_t until)
{
	while (oz_world_step_count(w) < until) {
		disturb(w, (uint32_t)oz_world_step_count(w));
		test_steps(w, 1);
	}
}

static void a_loaded_world_goes_on_bit_for_bit(void **state)
{
	(void)state;
	oz_world *never = make_lively(1);
	lively_steps(never, 80);
	// with a motion under way; with one that waits for the next step; after changes
	for (uint32_t at = 6; at < 70; at += 9) {
		oz_world *w = make_lively(2), *other = NULL;
		oz_error error = {OZ_OK, ""};
		lively_steps(w, at);
		disturb(w, at);
		test_must(oz_world_save(w, PATH, &error), &error);
		test_must(oz_world_load(PATH, NULL, 1 + at % 3, NULL, &other, &error), &error);
		assert_true(oz_world_hash(other) == oz_world_hash(w));
		test_steps(other, 1);
		lively_steps(other, 80);
		if (oz_world_hash(other) != oz_world_hash(never))
			fail_msg("saved at step %u: it is another world later", at);
		oz_world_destroy(w);
		oz_world_destroy(other);
	}
	oz_world_destroy(never);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_motion_by_a_call_is_that_of_keyframes_bit_for_bit),
	        cmocka_unit_test(steps_in_rows_and_alone_see_the_same_motion),
	        cmocka_unit_test(a_moved_plate_gives_its_speed_and_a_placed_one_none),
	        cmocka_unit_test(a_wrong_motion_is_refused_with_a_sentence),
	        cmocka_unit_test(a_hand_moves_releases_and_catches),
	        cmocka_unit_test(gravity_that_is_set_acts_from_then_on),
	        cmocka_unit_test(a_parameter_that_is_set_acts_as_one_from_the_start),
	        cmocka_unit_test(a_skin_that_is_set_stiffer_goes_on_as_one_that_was_saved),
	        cmocka_unit_test(a_parameter_that_cannot_change_is_refused),
	        cmocka_unit_test(a_loaded_world_goes_on_bit_for_bit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
