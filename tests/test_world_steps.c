// test_world_steps.c: the steps of a world: worlds without particles and with one, ends of steps,
// reports, speeds and time steps that are far too large, events.
#include "world/world.h"
#include "worlds.h"

// ---- steps ------------------------------------------------------------------------------------

static void a_world_of_no_particles_goes_on(void **state)
{
	(void)state;
	oz_world *w = test_plain_world(NULL);
	oz_step_report r;
	oz_stats s;
	assert_int_equal(oz_world_step(w, &r, NULL), OZ_OK);
	assert_int_equal(r.particles, 0);
	assert_true(r.time_step > 0 && r.time == oz_world_time(w));
	assert_int_equal(oz_world_stats(w, &s, NULL), OZ_OK);
	assert_true(s.mass == 0 && s.centre[0] == 0 && s.max.x == 0);
	oz_world_destroy(w);
}

static void one_particle_falls_as_galileo_says(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.time_step = 1e-3f;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_vec3 start = {1, 2, 3};
	test_add_points(w, test_water(w), &start, 1, (oz_vec3){0, 0, 0});
	oz_step_report r;
	for (int k = 0; k < 500; k++)
		assert_int_equal(oz_world_step(w, &r, NULL), OZ_OK);
	const oz_float4 x = *(const oz_float4 *)test_look(w, w->sim.particles.position, sizeof x);
	assert_int_equal(r.step, 500);
	assert_int_equal(r.limit, OZ_LIMIT_FIXED);
	assert_true(fabs(r.time - 0.5) < 1e-6);
	assert_true(fabs((double)x.y - (2 - 0.5 * 9.81 * 0.25)) < 1e-4);
	assert_true(x.x == 1 && x.z == 3);
	assert_true(fabsf(r.max_acceleration - 9.81f) < 1e-4f);
	oz_world_destroy(w);
}

static void step_until_lands_exactly(void **state)
{
	(void)state;
	oz_world *w = test_dam(1, 0.05f, NULL);
	for (int frame = 1; frame <= 10; frame++) {
		const double time = frame / 60.0;
		oz_step_report r = {0};
		uint32_t steps = 0;
		while (oz_world_time(w) < time) {
			assert_int_equal(oz_world_step_until(w, time, &r, NULL), OZ_OK);
			assert_true(r.time_step > 1e-5f && r.time <= time);
			assert_true(++steps < 1000);
		}
		assert_true(oz_world_time(w) == time && r.time == time);
	}
	const double now = oz_world_time(w);
	test_expect_told(oz_world_step_until(w, now, NULL, &error), OZ_ERROR_ARGUMENT, "time");
	test_expect_told(oz_world_step_until(w, now - 1, NULL, &error), OZ_ERROR_ARGUMENT, "time");
	test_expect_told(oz_world_step_until(w, (double)NAN, NULL, &error), OZ_ERROR_ARGUMENT,
	                 "time");
	assert_true(oz_world_time(w) == now);
	oz_world_destroy(w);
}

static void bodies_can_be_added_between_steps(void **state)
{
	(void)state;
	oz_world *w = test_dam(1, 0.05f, NULL);
	const uint32_t before = oz_world_particle_count(w);
	const oz_vec3 drop[2] = {{0.2f, 0.1f, 0}, {0.2f, 0.15f, 0}};
	test_steps(w, 5);
	const oz_id id = test_add_points(w, 0, drop, 2, (oz_vec3){0, 0, 0});
	oz_step_report r;
	assert_int_equal(oz_world_step(w, &r, NULL), OZ_OK);
	assert_true(r.rebuilt);
	assert_int_equal(r.particles, before + 2);
	const uint *body = test_look(w, w->sim.particles.body, sizeof *body * r.particles);
	const uint *number = test_look(w, w->sim.particles.id, sizeof *number * r.particles);
	uint32_t mine = 0;
	for (uint32_t i = 0; i < r.particles; i++)
		mine += body[i] == id && number[i] >= before;
	assert_int_equal(mine, 2);
	oz_world_destroy(w);
}

static void a_report_tells_what_the_step_did(void **state)
{
	(void)state;
	oz_world *w = test_dam(1, 0.05f, NULL);
	oz_step_report r;
	oz_world_time_stages(w, true);
	for (uint64_t k = 1; k <= 20; k++) {
		assert_int_equal(oz_world_step(w, &r, NULL), OZ_OK);
		assert_true(r.step == k && r.step == oz_world_step_count(w));
	}
	assert_true(r.neighbours > 15 && r.neighbours < 60);
	assert_true(r.max_speed > 0 && r.max_acceleration >= 9);
	assert_true(r.max_compression >= r.mean_compression && r.mean_compression >= 0);
	assert_int_equal(r.repaired, 0);
	for (int s = OZ_STAGE_WALLS; s < OZ_STAGE_COUNT; s++) {
		// where it is launches that are timed, one that does not happen takes none: nothing
		// is blended, warm, linked, thick or solid here
		const bool idle =
		        w->sim.device->queues &&
		        (s == OZ_STAGE_SHAPE || s == OZ_STAGE_HEAT || s == OZ_STAGE_LINKS ||
		         s == OZ_STAGE_VISCOUS || s == OZ_STAGE_ELASTIC || s == OZ_STAGE_PRESSURE);
		assert_true(idle ? r.stage_ns[s] == 0 : r.stage_ns[s] > 0);
	}
	oz_world_destroy(w);
}

// ---- events -----------------------------------------------------------------------------------

static uint32_t take_events(oz_world *w, oz_event_kind kind, oz_event *last)
{
	oz_event event;
	uint32_t count = 0;
	while (oz_world_next_event(w, &event)) {
		assert_true(strlen(event.text) > 10);
		if (event.kind != kind)
			continue;
		*last = event;
		count++;
	}
	return count;
}

static bool all_finite(const oz_world *w)
{
	const uint32_t n = w->sim.particles.count;
	const oz_float4 *x = test_look(w, w->sim.particles.position, sizeof *x * n);
	const oz_float4 *v = test_look(w, w->sim.particles.velocity, sizeof *v * n);
	for (uint32_t i = 0; i < n; i++)
		if (!isfinite(x[i].x + x[i].y + x[i].z) || !isfinite(v[i].x + v[i].y + v[i].z))
			return false;
	return true;
}

// gives one particle that speed along x
static void throw_one(const oz_world *w, float speed)
{
	test_put(w, w->sim.particles.velocity, 30 * sizeof(oz_float4), &speed, sizeof speed);
}

static void a_particle_that_turns_non_finite_is_put_to_rest_and_told(void **state)
{
	(void)state;
	oz_world *w = test_dam(1, 0.05f, NULL);
	oz_event event = {0};
	test_steps(w, 5);
	throw_one(w, 3e38f);
	oz_step_report r = {0};
	uint32_t repaired = 0;
	for (int k = 0; k < 5; k++) {
		assert_int_equal(oz_world_step(w, &r, NULL), OZ_OK);
		repaired += r.repaired;
		assert_true(all_finite(w));
	}
	assert_true(repaired > 0);
	assert_true(take_events(w, OZ_EVENT_NAN, &event) > 0);
	assert_true(event.value > 0);
	assert_non_null(strstr(event.text, "cfl"));
	oz_world_destroy(w);
}

static void absurd_speeds_leave_finite_places_and_time_goes_on(void **state)
{
	(void)state;
	static const float speeds[] = {1e15f, 1e20f, 1e30f};
	for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
		oz_world *w = test_dam(1, 0.05f, NULL);
		oz_step_report r;
		test_steps(w, 5);
		throw_one(w, speeds[k]);
		for (int step = 0; step < 20; step++) {
			assert_int_equal(oz_world_step(w, &r, NULL), OZ_OK);
			if (!(r.time_step > 0) || !all_finite(w))
				fail_msg("%g m/s, step %d: time step %g s, %s", (double)speeds[k],
				         step, (double)r.time_step,
				         all_finite(w) ? "all finite" : "not all finite");
		}
		oz_world_destroy(w);
	}
}

static void a_time_step_far_too_long_leaves_finite_places(void **state)
{
	(void)state;
	oz_world *w = test_dam(1, 0.05f, NULL);
	w->sim.def.time_step = 0.2f;
	for (int step = 0; step < 200; step++) {
		test_steps(w, 1);
		if (!all_finite(w))
			fail_msg("step %d: not all finite", step);
	}
	oz_world_destroy(w);
}

static void a_body_that_leaves_the_bounds_is_told_once(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.bounds_min = (oz_vec3){-1, -1, -1};
	def.bounds_max = (oz_vec3){1, 1, 1};
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_vec3 inside[2] = {{0, 0, 0}, {0.5f, 0.9f, 0}}, far[1] = {{0, 0.5f, 0}};
	const oz_id material = test_water(w);
	test_add_points(w, material, inside, 2, (oz_vec3){0, 0, 0});
	oz_body_def b = oz_body_default();
	snprintf(b.name, sizeof b.name, "stone");
	b.material = material;
	b.points = far;
	b.count = 1;
	b.velocity = (oz_vec3){0, 40, 0};
	oz_id stone;
	assert_int_equal(oz_world_add_body(w, &b, &stone, NULL), OZ_OK);
	oz_event event = {0};
	test_steps(w, 200);
	assert_true(oz_world_time(w) < 0.3); // the other body is still inside
	assert_int_equal(take_events(w, OZ_EVENT_BODY_LEFT, &event), 1);
	assert_int_equal(event.body, stone);
	assert_non_null(strstr(event.text, "stone"));
	test_steps(w, 100);
	assert_int_equal(take_events(w, OZ_EVENT_BODY_LEFT, &event), 0);
	oz_world_destroy(w);
}

// The event of a block of a liquid in a vessel, too soft for its weight. A particle that is
// added first is free.
static oz_event soften(float time_step)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.05f;
	def.sound_speed = 0.5f;
	def.threads = 1;
	def.time_step = time_step;
	oz_world *w = test_world(&def);
	oz_collider_def c =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.3f, 1, 0.3f}));
	c.inside = true;
	assert_int_equal(oz_world_add_collider(w, &c, NULL, NULL), OZ_OK);
	oz_shape block = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.3f, 0.6f, 0.3f});
	oz_vec3 *points;
	uint32_t count;
	block.position.y = -0.2f;
	assert_int_equal(oz_shape_fill(&block, 0.05f, OZ_FILL_LATTICE, &points, &count, NULL),
	                 OZ_OK);
	const oz_id water = test_water(w);
	test_add_particle(w, water, (oz_vec3){0.1f, 0.4f, 0.1f}, (oz_vec3){0, 0, 0});
	const oz_id soft = test_add_points(w, water, points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
	oz_event event = {0};
	test_steps(w, 150);
	const uint32_t told = take_events(w, OZ_EVENT_NOT_CONVERGED, &event);
	assert_in_range(told, 1, 20); // when it begins, not in every step
	assert_true(event.value > def.max_compression);
	assert_int_equal(event.body, soft);
	assert_non_null(strstr(event.text, "in body 1;"));
	oz_world_destroy(w);
	return event;
}

static void a_liquid_too_soft_for_its_weight_is_told(void **state)
{
	(void)state;
	assert_non_null(strstr(soften(0).text, "raise sound_speed"));
	assert_non_null(strstr(soften(0.002f).text, "raise sound_speed"));
	// above the stable time step a higher speed of sound makes it worse
	const oz_event coarse = soften(0.1f);
	assert_non_null(strstr(coarse.text, "lower time_step, or set 0 to adapt it"));
	assert_null(strstr(coarse.text, "sound_speed"));
}

static void the_queue_keeps_the_latest_events(void **state)
{
	(void)state;
	oz_world *w = test_plain_world(NULL);
	oz_event event;
	for (uint32_t k = 0; k < 3 * OZ_EVENTS + 5; k++)
		oz_event_raise(&w->sim, OZ_EVENT_NAN, OZ_NONE, (float)k, "event %u", k);
	for (uint32_t k = 0; k < OZ_EVENTS; k++) {
		assert_true(oz_world_next_event(w, &event));
		assert_true(event.value == (float)(2 * OZ_EVENTS + 5 + k));
	}
	assert_false(oz_world_next_event(w, &event));
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_world_of_no_particles_goes_on),
	        cmocka_unit_test(one_particle_falls_as_galileo_says),
	        cmocka_unit_test(step_until_lands_exactly),
	        cmocka_unit_test(bodies_can_be_added_between_steps),
	        cmocka_unit_test(a_report_tells_what_the_step_did),
	        cmocka_unit_test(a_particle_that_turns_non_finite_is_put_to_rest_and_told),
	        cmocka_unit_test(absurd_speeds_leave_finite_places_and_time_goes_on),
	        cmocka_unit_test(a_time_step_far_too_long_leaves_finite_places),
	        cmocka_unit_test(a_body_that_leaves_the_bounds_is_told_once),
	        cmocka_unit_test(a_liquid_too_soft_for_its_weight_is_told),
	        cmocka_unit_test(the_queue_keeps_the_latest_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
