// test_springs.c: a model of a test alone (springs/) gets all through the door of models.
#include "world/estimate.h"
#include "world/world.h"
#include "worlds.h"

extern const oz_model_ops springs_model; // springs/springs.c
#define SPRINGS springs_model.model

#define STIFFNESS 400.0f // 1/s²: ω is 20 rad/s

static int open_door(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	if (oz_models_register(&springs_model, &error) == OZ_OK)
		return 0;
	print_error("%s\n", error.text);
	return 1;
}

static oz_id add_points(oz_world *w, oz_id material, oz_vec3 at, uint32_t edge, float gap)
{
	oz_vec3 points[1000];
	const uint32_t count = edge * edge * edge;
	assert_in_range(count, 1, 1000);
	for (uint32_t i = 0; i < count; i++)
		points[i] = (oz_vec3){at.x + gap * (float)(i % edge),
		                      at.y + gap * (float)(i / edge % edge),
		                      at.z + gap * (float)(i / edge / edge)};
	oz_body_def body = oz_body_default();
	oz_id id;
	body.material = material;
	body.points = points;
	body.count = count;
	body.velocity = (oz_vec3){0.3f, 0, 0};
	assert_int_equal(oz_world_add_body(w, &body, &id, NULL), OZ_OK);
	return id;
}

static oz_id add_material(oz_world *w)
{
	oz_material_def def = oz_material_default((oz_model)SPRINGS);
	oz_id id;
	def.young_modulus = STIFFNESS;
	def.damping = 0;
	def.viscosity = 0;
	assert_int_equal(oz_world_add_material(w, &def, &id, NULL), OZ_OK);
	return id;
}

// water flies about among particles on springs, so that all are sorted anew again and again
static oz_world *mixed_world(uint32_t threads)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.threads = threads;
	def.gravity = (oz_vec3){0, 0, 0};
	oz_world *w = test_world(&def);
	add_points(w, test_water(w), (oz_vec3){0, 0, 0}, 8, 0.02f);
	add_points(w, add_material(w), (oz_vec3){0.3f, 0, 0}, 8, 0.02f);
	return w;
}

static void a_particle_swings_as_a_spring_of_its_stiffness_does(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.gravity = (oz_vec3){0, 0, 0};
	oz_world *w = test_world(&def);
	oz_step_report report;
	oz_view x;
	add_points(w, add_material(w), (oz_vec3){1, 2, 3}, 1, 0.02f);
	while (oz_world_time(w) < 1) {
		assert_int_equal(oz_world_step_until(w, 1, &report, NULL), OZ_OK);
		// ω 20 rad/s: the spring's own limit is the shortest but for sound
		assert_true(report.time_step <= 0.1f / sqrtf(STIFFNESS));
	}
	assert_int_equal(oz_world_view(w, OZ_FIELD_POSITION, &x, NULL), OZ_OK);
	const double expected = 1 + 0.3 / 20 * sin(20.0);
	print_message("after 20 rad at %.6f m, %.6f expected\n", (double)((const float *)x.data)[0],
	              expected);
	assert_true(fabs((double)((const float *)x.data)[0] - expected) < 2e-4);
	oz_world_destroy(w);
}

static void two_materials_swing_each_at_its_own_pace(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.gravity = (oz_vec3){0, 0, 0};
	oz_world *w = test_world(&def);
	oz_material_def slow = oz_material_default((oz_model)SPRINGS);
	oz_view x, id;
	oz_id slow_id;
	slow.young_modulus = STIFFNESS / 4;
	assert_int_equal(oz_world_add_material(w, &slow, &slow_id, NULL), OZ_OK);
	add_points(w, add_material(w), (oz_vec3){1, 0, 0}, 1, 0.02f);
	add_points(w, slow_id, (oz_vec3){2, 0, 0}, 1, 0.02f);
	while (oz_world_time(w) < 0.5)
		assert_int_equal(oz_world_step_until(w, 0.5, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_view(w, OZ_FIELD_ID, &id, NULL), OZ_OK);
	const bool swapped = ((const uint32_t *)id.data)[0] == 1;
	assert_int_equal(oz_world_view(w, OZ_FIELD_POSITION, &x, NULL), OZ_OK);
	for (uint32_t k = 0; k < 2; k++) {
		const uint32_t at = swapped ? 1 - k : k;
		const double omega = k ? 10 : 20, home = k ? 2 : 1;
		const float *p =
		        (const float *)(const void *)((const char *)x.data + at * x.stride);
		assert_true(fabs((double)p[0] - home - 0.3 / omega * sin(omega * 0.5)) < 2e-4);
	}
	oz_world_destroy(w);
}

static void its_limit_sets_the_time_step(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.gravity = (oz_vec3){0, 0, 0};
	oz_world *w = test_world(&def);
	oz_material_def stiff = oz_material_default((oz_model)SPRINGS);
	oz_step_report report;
	oz_id id;
	stiff.young_modulus = 1e6f;
	assert_int_equal(oz_world_add_material(w, &stiff, &id, NULL), OZ_OK);
	add_points(w, id, (oz_vec3){0, 0, 0}, 2, 0.02f);
	test_steps(w, 1);
	assert_int_equal(oz_world_step(w, &report, NULL), OZ_OK);
	assert_int_equal(report.limit, OZ_LIMIT_ELASTIC);
	assert_true(fabsf(report.time_step - 1e-4f) < 1e-9f);
	oz_world_destroy(w);
}

// homes go with their particles through sorts: each is at home after whole periods
static void homes_stay_with_their_particles(void **state)
{
	(void)state;
	oz_world *w = mixed_world(2);
	uint32_t rebuilt = 0, order = 0;
	for (int k = 0; k < 300; k++) {
		oz_step_report report;
		assert_int_equal(oz_world_step(w, &report, NULL), OZ_OK);
		rebuilt += report.rebuilt;
	}
	const uint32_t n = w->sim.particles.count;
	oz_float4 *homes = malloc(sizeof *homes * n);
	uint *ids = malloc(sizeof *ids * n);
	assert_true(homes && ids);
	memcpy(homes,
	       test_look(w, oz_fields_find(&w->sim.fields, "springs.home"), sizeof *homes * n),
	       sizeof *homes * n);
	memcpy(ids, test_look(w, w->sim.particles.id, sizeof *ids * n), sizeof *ids * n);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t own = ids[i] - 512;
		const bool spring = ids[i] >= 512;
		order += ids[i] != i;
		assert_true(homes[i].w == (spring ? STIFFNESS : 0.0f));
		if (spring)
			assert_true(homes[i].x == 0.3f + 0.02f * (float)(own % 8) &&
			            homes[i].z == 0.02f * (float)(own / 64));
	}
	assert_true(rebuilt > 5 && order > n / 2);
	free(homes);
	free(ids);
	oz_world_destroy(w);
}

static void a_snapshot_goes_on_bit_for_bit_on_any_number_of_threads(void **state)
{
	(void)state;
	oz_world *a = mixed_world(1), *b = mixed_world(3), *c;
	test_steps(a, 60);
	test_steps(b, 60);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	assert_int_equal(oz_world_save(a, "springs.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_load("springs.ooze", NULL, 2, NULL, &c, NULL), OZ_OK);
	assert_true(oz_world_hash(a) == oz_world_hash(c));
	test_steps(a, 60);
	test_steps(c, 60);
	assert_true(oz_world_hash(a) == oz_world_hash(c));
	oz_world_destroy(a);
	oz_world_destroy(b);
	oz_world_destroy(c);
}

static void its_field_counts_in_the_hash_and_in_the_estimate(void **state)
{
	(void)state;
	oz_world *w = mixed_world(1);
	const uint64_t before = oz_world_hash(w);
	const float off = 0.5f;
	oz_float4 *home = oz_fields_find(&w->sim.fields, "springs.home");
	assert_non_null(home);
	test_put(w, home, sizeof *home * 700, &off, sizeof off);
	assert_true(oz_world_hash(w) != before);
	const oz_material_def def = oz_material_default((oz_model)SPRINGS);
	assert_true(oz_models_bytes(&w->sim.def, &def, false) == sizeof *home);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_particle_swings_as_a_spring_of_its_stiffness_does),
	        cmocka_unit_test(two_materials_swing_each_at_its_own_pace),
	        cmocka_unit_test(its_limit_sets_the_time_step),
	        cmocka_unit_test(homes_stay_with_their_particles),
	        cmocka_unit_test(a_snapshot_goes_on_bit_for_bit_on_any_number_of_threads),
	        cmocka_unit_test(its_field_counts_in_the_hash_and_in_the_estimate),
	};
	return cmocka_run_group_tests(tests, open_door, NULL);
}
