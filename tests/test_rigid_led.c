// test_rigid_led.c: rigid bodies that keyframes or calls lead.
//
// They are where their keyframes say, lift and push as a body of infinite mass does, report what
// they bear, and give the same bits on any number of threads and after a snapshot.
#include "damage.h"
#include "models/rigid/rigid.h"
#include "scenes.h"

#define PATH "led.ooze"

static const double s = 0.02; // m, spacing

static oz_rigid_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_rigid_state state;
	test_must(oz_world_get_rigid(w, body, &state, &error), &error);
	return state;
}

static oz_id add_led(oz_world *w, oz_shape box, double density, const oz_keyframe *frames,
                     uint32_t count)
{
	oz_error error = {OZ_OK, ""};
	oz_material_def material = oz_material_default(OZ_RIGID);
	material.density = (float)density;
	oz_body_def def = oz_body_default();
	oz_vec3 *points = NULL;
	oz_id id = OZ_NONE;
	def.material = test_add_material(w, &material);
	def.keyframes = frames;
	def.keyframe_count = count;
	box.position = frames[0].position;
	box.rotation = frames[0].rotation;
	test_must(oz_shape_fill(&box, oz_world_get_def(w)->spacing, OZ_FILL_LATTICE, &points,
	                        &def.count, &error),
	          &error);
	def.points = points;
	test_must(oz_world_add_body(w, &def, &id, &error), &error);
	oz_points_free(points);
	return id;
}

static oz_shape box_of(double x, double y, double z)
{
	return oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){(float)x, (float)y, (float)z});
}

static oz_world *make_world(oz_pressure pressure, uint32_t threads, double gravity)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.sound_speed = 40;
	def.gravity = (oz_vec3){0, (float)-gravity, 0};
	def.threads = threads;
	return test_world(&def);
}

// ---- where it is -------------------------------------------------------------------------------

// along x by 1 m/s, and a quarter of a turn about z, about a point beside the body
static void a_led_body_is_where_its_keyframes_say(void **state)
{
	(void)state;
	oz_world *w = make_world(OZ_PRESSURE_INCOMPRESSIBLE, 1, GRAVITY);
	const oz_keyframe frames[2] = {{0, {0.2f, 0.5f, 0}, {0, 0, 0, 1}},
	                               {0.4f,
	                                {0.6f, 0.5f, 0},
	                                test_rotation(vec_of(0, 0, 1), 0.5 * PI)}};
	const oz_id led = add_led(w, box_of(0.12, 0.08, 0.08), 1000, frames, 2);
	test_run_until(w, 0.2);
	oz_rigid_state r = get(w, led);
	const double half = sin(PI / 8);
	test_near(r.position[0], 0.4, 1e-6, "x half-way");
	test_near(r.position[1], 0.5, 1e-6, "y half-way");
	test_near(r.rotation[2], half, 1e-6, "rotation half-way");
	test_near(r.velocity[0], 1, 1e-3, "velocity");
	test_near(r.spin[2], 0.5 * PI / 0.4, 1e-2, "spin");
	// nothing acts on it: its force has no part of its own motion, nor of gravity
	test_near(r.force[0], 0, 1e-2, "force");
	// the corner that was lowest and first
	test_particles all = test_particles_read(w);
	vec least = vec_of(9, 9, 9);
	for (uint32_t i = 0; i < all.count; i++)
		least = all.at[i].x.y < least.y ? all.at[i].x : least;
	const double a = PI / 4, x = -0.05, y = -0.03;
	test_near(least.x, 0.4 + x * cos(a) - y * sin(a), 1e-5, "x of the lowest particle");
	test_near(least.y, 0.5 + x * sin(a) + y * cos(a), 1e-5, "y of the lowest particle");
	test_particles_free(&all);
	test_run_until(w, 0.5);
	r = get(w, led);
	test_near(r.position[0], 0.6, 1e-6, "x at the end");
	test_near(r.velocity[0], 0, 1e-6, "velocity at the end");
	oz_world_destroy(w);
}

// ---- what it does ------------------------------------------------------------------------------

// A lift of no weight carries a crate of 4.1 kg; a crate beside it stays.
static void a_lift_carries_a_crate_and_bears_its_weight(void **state)
{
	(void)state;
	for (oz_pressure p = OZ_PRESSURE_EOS; p < OZ_PRESSURE_COUNT; p++) {
		oz_world *w = make_world(p, 1, GRAVITY);
		const oz_keyframe frames[4] = {{0, {0, 0.02f, 0}, {0, 0, 0, 1}},
		                               {0.3f, {0, 0.02f, 0}, {0, 0, 0, 1}},
		                               {0.5f, {0, 0.06f, 0}, {0, 0, 0, 1}},
		                               {1.5f, {0, 0.26f, 0}, {0, 0, 0, 1}}};
		oz_collider_def floor =
		        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
		test_add_collider(w, &floor);
		// 1 kg/m³: a free body of it would be crushed
		const oz_id lift = add_led(w, box_of(0.24, 0.04, 0.24), 1, frames, 4);
		oz_material_def wood = oz_material_default(OZ_RIGID);
		wood.density = 1000;
		const oz_id m = test_add_material(w, &wood),
		            crate = test_add_block(w, m, vec_of(0, 0.12, 0),
		                                   vec_of(0.16, 0.16, 0.16)),
		            beside = test_add_block(w, m, vec_of(0.4, 0.08, 0),
		                                    vec_of(0.16, 0.16, 0.16));
		test_run_until(w, 0.8);
		const double from = get(w, crate).position[1];
		double force = 0, weights = 0;
		while (oz_world_time(w) < 1.3) {
			const oz_step_report step = test_step(w);
			force += get(w, lift).force[1] * (double)step.time_step;
			weights += (double)step.time_step;
		}
		const double weight = get(w, crate).mass * GRAVITY;
		print_message("%s: crate from %.3f m to %.3f m; load %.2f of %.2f N\n",
		              p ? "incompressible" : "eos", from, get(w, crate).position[1],
		              force / weights, weight);
		test_near(get(w, crate).position[1] - from, 0.2 * (oz_world_time(w) - 0.8), 0.004,
		          "way of the crate");
		test_near(force / weights, -weight, 0.03 * weight, "load of the lift");
		test_near(get(w, beside).position[1], 0.08, 0.01, "height of the crate beside it");
		test_near(get(w, lift).position[1], 0.26 - 0.2 * (1.5 - oz_world_time(w)), 1e-5,
		          "height of the lift");
		oz_world_destroy(w);
	}
}

// at rest in water it bears the lift of Archimedes
static void a_led_body_in_water_bears_its_buoyancy(void **state)
{
	(void)state;
	oz_world *w = make_world(OZ_PRESSURE_INCOMPRESSIBLE, 1, GRAVITY);
	const oz_keyframe frame = {0, {0.16f, 0.16f, 0.16f}, {0, 0, 0, 1}};
	const oz_id led = add_led(w, box_of(0.12, 0.12, 0.12), 1000, &frame, 1);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(0.32, 0.6, 0.32));
	oz_id water = test_water(w);
	const oz_shape pool = test_box(vec_of(0, 0, 0), vec_of(0.32, 0.28, 0.32));
	oz_vec3 *points = NULL;
	uint32_t count = 0, kept = 0;
	test_must(oz_shape_fill(&pool, (float)s, OZ_FILL_LATTICE, &points, &count, NULL), NULL);
	for (uint32_t i = 0; i < count; i++)
		if (fabsf(points[i].x - 0.16f) > 0.06f || fabsf(points[i].y - 0.16f) > 0.06f ||
		    fabsf(points[i].z - 0.16f) > 0.06f)
			points[kept++] = points[i];
	test_add_points(w, water, points, kept, (oz_vec3){0, 0, 0});
	oz_points_free(points);
	test_run_until(w, 0.6);
	double force = 0, span = 0;
	while (oz_world_time(w) < 1.2) {
		const oz_step_report step = test_step(w);
		force += get(w, led).force[1] * (double)step.time_step;
		span += (double)step.time_step;
	}
	const double lift = 1000 * GRAVITY * 0.12 * 0.12 * 0.12;
	print_message("load %.2f N, Archimedes %.2f N\n", force / span, lift);
	test_near(force / span, lift, 0.05 * lift, "buoyancy");
	test_near(get(w, led).position[1], 0.16, 1e-6, "height");
	oz_world_destroy(w);
}

// ---- bits --------------------------------------------------------------------------------------

static oz_world *make_stirred(uint32_t threads, oz_pressure pressure)
{
	oz_world *w = make_world(pressure, threads, GRAVITY);
	const oz_keyframe frames[3] = {{0, {0.1f, 0.1f, 0.08f}, {0, 0, 0, 1}},
	                               {0.1f,
	                                {0.18f, 0.1f, 0.08f},
	                                test_rotation(vec_of(0, 1, 0), 1)},
	                               {0.2f, {0.1f, 0.1f, 0.08f}, {0, 0, 0, 1}}};
	add_led(w, box_of(0.04, 0.12, 0.08), 1000, frames, 3);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(0.32, 0.4, 0.16));
	test_add_block(w, test_water(w), vec_of(0.25, 0.06, 0.08), vec_of(0.14, 0.12, 0.16));
	oz_material_def wood = oz_material_default(OZ_RIGID);
	wood.density = 600;
	test_add_block(w, test_add_material(w, &wood), vec_of(0.25, 0.16, 0.08),
	               vec_of(0.08, 0.08, 0.08));
	return w;
}

static void stirred_steps(oz_world *w, uint32_t until)
{
	oz_error error = {OZ_OK, ""};
	while (oz_world_step_count(w) < until) {
		const uint64_t step = oz_world_step_count(w);
		const double t = oz_world_time(w);
		if (step == 40)
			test_must(oz_world_move_rigid(w, 0, (oz_vec3){0.15f, 0.14f, 0.08f},
			                              (oz_quat){0, 0, 0, 1}, t + 0.1, &error),
			          &error);
		test_steps(w, 1);
	}
}

static void threads_and_snapshots_change_no_bit(void **state)
{
	(void)state;
	for (oz_pressure p = OZ_PRESSURE_EOS; p < OZ_PRESSURE_COUNT; p++) {
		oz_world *never = make_stirred(1, p);
		stirred_steps(never, 70);
		for (uint32_t at = 0; at < 60; at += 25) {
			oz_world *w = make_stirred(2 + at % 2, p), *other = NULL;
			oz_error error = {OZ_OK, ""};
			stirred_steps(w, at);
			test_must(oz_world_save(w, PATH, &error), &error);
			test_must(oz_world_load(PATH, NULL, 2, NULL, &other, &error), &error);
			stirred_steps(other, 70);
			assert_true(oz_world_hash(other) == oz_world_hash(never));
			oz_world_destroy(w);
			oz_world_destroy(other);
		}
		oz_world_destroy(never);
	}
}

// ---- scenes and sentences ----------------------------------------------------------------------

static void expect_refused(oz_body_def def, oz_model model, const char *sentence)
{
	oz_world *w = make_world(OZ_PRESSURE_EOS, 1, GRAVITY);
	const oz_material_def material = oz_material_default(model);
	const oz_vec3 point = {0, 0, 0};
	oz_error error = {OZ_OK, ""};
	def.material = test_add_material(w, &material);
	def.points = &point;
	def.count = 1;
	snprintf(def.name, sizeof def.name, "paddle");
	assert_int_not_equal(oz_world_add_body(w, &def, NULL, &error), OZ_OK);
	assert_string_equal(error.text, sentence);
	assert_int_equal(oz_world_body_count(w), 0);
	oz_world_destroy(w);
}

// a body without a name is called by its number
static void expect_refused_fixed(oz_body_def def, const char *sentence)
{
	oz_world *w = make_world(OZ_PRESSURE_EOS, 1, GRAVITY);
	oz_material_def material = oz_material_default(OZ_RIGID);
	const oz_vec3 point = {0, 0, 0};
	oz_error error = {OZ_OK, ""};
	material.fixed = true;
	def.material = test_add_material(w, &material);
	def.points = &point;
	def.count = 1;
	assert_int_not_equal(oz_world_add_body(w, &def, NULL, &error), OZ_OK);
	assert_string_equal(error.text, sentence);
	oz_world_destroy(w);
}

static void motions_that_exclude_each_other_are_refused(void **state)
{
	(void)state;
	const oz_keyframe frame = {0, {0, 0, 0}, {0, 0, 0, 1}};
	oz_body_def def = oz_body_default();
	def.spin.z = 1;
	expect_refused_fixed(def, "body 'body 0' has a velocity or spin, but its material is "
	                          "fixed; leave these out or set fixed to false");
	def = oz_body_default();
	def.keyframes = &frame;
	def.keyframe_count = 1;
	expect_refused_fixed(def, "body 'body 0' has keyframes, but its material is fixed; leave "
	                          "them out or set fixed to false");
	def = oz_body_default();
	def.axis.y = 1;
	def.velocity.x = 1;
	expect_refused(def, OZ_RIGID,
	               "body 'paddle' has an axis, about which alone it moves, and a velocity; "
	               "leave one of them out");
}

static void what_cannot_be_led_is_refused(void **state)
{
	(void)state;
	const oz_keyframe frames[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0, {0, 0, 0}, {0, 0, 0, 1}}};
	oz_body_def def = oz_body_default();
	def.keyframes = frames;
	def.keyframe_count = 1;
	expect_refused(def, OZ_FLUID,
	               "body 'paddle' has keyframes, but its material is not of model rigid; use "
	               "such a material or leave them out");
	def.velocity.x = 1;
	expect_refused(def, OZ_RIGID,
	               "body 'paddle' has keyframes, which give its motion, and a velocity or "
	               "spin; leave these out");
	def.velocity.x = 0;
	def.axis.y = 1;
	expect_refused(def, OZ_RIGID,
	               "body 'paddle' has keyframes and an axis; keep one of the two");
	def.axis.y = 0;
	def.keyframe_count = 2;
	expect_refused(def, OZ_RIGID,
	               "body 'paddle'.keyframes[1].time is 0 s, not after the keyframe before it; "
	               "sort keyframes by time");
	oz_world *w = make_stirred(1, OZ_PRESSURE_EOS);
	oz_error error;
	assert_int_not_equal(oz_world_move_rigid(w, 2, (oz_vec3){0, 0, 0}, (oz_quat){0, 0, 0, 1}, 0,
	                                         &error),
	                     OZ_OK);
	assert_string_equal(error.text, "body 'body 2' is not led by keyframes; add it with at "
	                                "least one");
	oz_world_destroy(w);
}

static const char scene_text[] =
        "{ \"world\": { \"spacing\": 0.02, \"pressure\": \"incompressible\" },"
        "  \"materials\": { \"oar\": { \"model\": \"rigid\" } },"
        "  \"bodies\": [{ \"material\": \"oar\", \"shape\": \"box\", \"size\": [0.2, 0.04, 0.08],"
        "    \"loop\": true, \"keyframes\": [{ \"time\": 0, \"position\": [0, 1, 0] },"
        "    { \"time\": 0.1, \"position\": [0, 1, 0], \"rotation\": [0, 0, 360] }] }] }";

static void a_scene_leads_a_body_for_whole_turns(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_scene *scene = NULL;
	oz_world *w = NULL;
	test_write_text("led.json", scene_text);
	test_must(oz_scene_load("led.json", &scene, &error), &error);
	test_must(oz_scene_build(scene, NULL, 1, NULL, &w, &error), &error);
	test_run_until(w, 0.125);
	const oz_rigid_state r = get(w, 0);
	test_near(r.position[1], 1, 1e-6, "height");
	// one turn and a quarter
	test_near(fabs(r.rotation[2]), sin(PI / 4), 1e-4, "rotation");
	test_near(r.spin[2], 2 * PI / 0.1, 1, "spin");
	oz_world_destroy(w);
	oz_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_led_body_is_where_its_keyframes_say),
	        cmocka_unit_test(a_lift_carries_a_crate_and_bears_its_weight),
	        cmocka_unit_test(a_led_body_in_water_bears_its_buoyancy),
	        cmocka_unit_test(threads_and_snapshots_change_no_bit),
	        cmocka_unit_test(what_cannot_be_led_is_refused),
	        cmocka_unit_test(motions_that_exclude_each_other_are_refused),
	        cmocka_unit_test(a_scene_leads_a_body_for_whole_turns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
