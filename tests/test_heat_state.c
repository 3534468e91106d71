// test_heat_state.c: worlds with heat on any number of threads, in rows of steps, saved, poured,
// and refused; a world without heat does nothing for it.
#include "heat.h"
#include "models/heat/heat_model.h"
#include "world/world.h"

// ---- worlds ------------------------------------------------------------------------------------

// a dam with heat in it: two liquids, a blend that melts, a hot nozzle, a hot and a cold region
static oz_world *thermal_dam(uint32_t threads, float time_step)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.04f;
	def.threads = threads;
	def.time_step = time_step;
	oz_world *w = test_world(&def);
	oz_collider_def vessel =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.8f, 0.6f, 0.4f}));
	vessel.inside = true;
	assert_int_equal(oz_world_add_collider(w, &vessel, NULL, NULL), OZ_OK);
	const oz_id water = test_conductor(w, 600, 1000, 4180),
	            oil = test_conductor(w, 0, 800, 2000);
	oz_material_def m = test_wax(OZ_BLEND);
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	m.alpha = 0.1f;
	m.conductivity = 400;
	m.latent_heat = 2000;
	assert_int_equal(oz_world_add_material(w, &m, &body.material, NULL), OZ_OK);
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.2f, 0.2f});
	box.position.y = 0.1f;
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &body.count, NULL),
	                 OZ_OK);
	body.points = points;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
	box.size = (oz_vec3){0.24f, 0.28f, 0.36f};
	box.position = (oz_vec3){-0.26f, -0.14f, 0};
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &body.count, NULL),
	                 OZ_OK);
	body.points = points;
	body.material = water;
	body.temperature = 70;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
	oz_emitter_def nozzle = oz_emitter_default(oil);
	nozzle.position = (oz_vec3){0.25f, 0.2f, 0};
	nozzle.temperature = 150;
	assert_int_equal(oz_world_add_emitter(w, &nozzle, NULL, NULL), OZ_OK);
	oz_region_def region = test_ball_region(0.2f, 120, 30);
	assert_int_equal(oz_world_add_region(w, &region, NULL, NULL), OZ_OK);
	region.shape.position = (oz_vec3){-0.3f, -0.3f, 0.1f};
	region.temperature = -20;
	region.start = 0.05f;
	region.duration = 0.1f;
	assert_int_equal(oz_world_add_region(w, &region, NULL, NULL), OZ_OK);
	return w;
}

static void threads_do_not_change_a_bit(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		uint64_t hash[2];
		for (int many = 0; many < 2; many++) {
			oz_world *w = thermal_dam(many ? 4 : 1, k ? 0.001f : 0);
			test_steps(w, 150);
			hash[many] = oz_world_hash(w);
			oz_world_destroy(w);
		}
		assert_true(hash[0] == hash[1]);
	}
}

static void steps_in_a_row_are_those_one_by_one(void **state)
{
	(void)state;
	oz_world *a = thermal_dam(2, 0.001f), *b = thermal_dam(2, 0.001f);
	uint32_t taken;
	assert_int_equal(oz_world_run(a, INFINITY, 150, NULL, &taken, NULL), OZ_OK);
	assert_int_equal(taken, 150);
	for (int k = 0; k < 150; k++)
		test_steps(b, 1);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	oz_world_destroy(a);
	oz_world_destroy(b);
}

static void a_snapshot_goes_on_bit_for_bit(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		oz_world *w = thermal_dam(2, k ? 0.001f : 0), *loaded;
		// between two looks at the blend, while the second region is there
		test_steps(w, 75);
		assert_int_equal(oz_world_save(w, "warm.ooze", NULL), OZ_OK);
		assert_int_equal(oz_world_load("warm.ooze", NULL, 2, NULL, &loaded, NULL), OZ_OK);
		assert_int_equal(oz_world_region_count(loaded), 2);
		assert_true(oz_world_hash(w) == oz_world_hash(loaded));
		test_steps(w, 60);
		test_steps(loaded, 60);
		assert_true(oz_world_hash(w) == oz_world_hash(loaded));
		oz_world_destroy(w);
		oz_world_destroy(loaded);
	}
}

static void a_nozzle_pours_at_its_temperature(void **state)
{
	(void)state;
	oz_world *w = thermal_dam(1, 0.001f);
	oz_heat_of(&w->sim)->regions.count = 0;
	test_steps(w, 100);
	oz_view t, material;
	uint32_t hot = 0;
	test_particle *all = test_particles_read(w).at;
	assert_int_equal(oz_world_view(w, OZ_FIELD_MATERIAL, &material, NULL), OZ_OK);
	for (uint32_t i = 0; i < oz_world_particle_count(w); i++)
		hot += all[i].temperature == 150;
	free(all);
	uint32_t oil = 0;
	for (uint32_t i = 0; i < material.count; i++)
		oil += ((const uint32_t *)material.data)[i] == 1;
	assert_int_equal(oz_world_view(w, OZ_FIELD_TEMPERATURE, &t, NULL), OZ_OK);
	assert_int_equal(t.stride, sizeof(float));
	// it conducts nothing
	assert_true(oil > 10 && hot == oil);
	oz_world_destroy(w);
}

static void a_world_without_heat_launches_nothing_for_it(void **state)
{
	(void)state;
	oz_world *w = test_dam(1, 0.05f, NULL);
	oz_step_report r;
	oz_world_time_stages(w, true);
	for (int k = 0; k < 5; k++)
		assert_int_equal(oz_world_step(w, &r, NULL), OZ_OK);
	assert_true(r.stage_ns[OZ_STAGE_HEAT] * 20 < r.stage_ns[OZ_STAGE_DENSITY]);
	oz_world_destroy(w);
}

// ---- what is refused ---------------------------------------------------------------------------

static void expect_region(const oz_region_def *def, oz_result code, const char *words)
{
	oz_world *w = test_still_world(0, 1);
	oz_error error = {0};
	assert_int_equal(oz_world_add_region(w, def, NULL, &error), code);
	if (!strstr(error.text, words) || strncmp(error.text, "region 0", 8) != 0)
		fail_msg("'%s' lacks '%s'", error.text, words);
	assert_int_equal(oz_world_region_count(w), 0);
	oz_world_destroy(w);
}

static void bad_regions_get_sentences(void **state)
{
	(void)state;
	const oz_region_def good = test_ball_region(1, 50, 1);
	oz_region_def def = good;
	def.shape.kind = OZ_SHAPE_SDF;
	expect_region(&def, OZ_ERROR_ARGUMENT, "SDF");
	def.shape.kind = OZ_SHAPE_ROD;
	expect_region(&def, OZ_ERROR_ARGUMENT, "no inside");
	def = good;
	def.shape.size.x = 0;
	expect_region(&def, OZ_ERROR_RANGE, "above 0");
	def = good;
	def.temperature = -300;
	expect_region(&def, OZ_ERROR_RANGE, "temperature");
	def = good;
	def.rate = NAN;
	expect_region(&def, OZ_ERROR_RANGE, "rate");
	oz_error error = {0};
	assert_int_equal(oz_world_add_region(NULL, &good, NULL, &error), OZ_ERROR_ARGUMENT);
}

static void bad_materials_and_bodies_get_sentences(void **state)
{
	(void)state;
	oz_world *w = test_still_world(0, 1);
	oz_error error = {0};
	oz_material_def def = test_wax(OZ_BLEND);
	oz_body_def body = oz_body_default();
	const oz_vec3 point = {0, 0, 0};
	const float alpha = 0.5f;
	def.melting_range = 0;
	assert_int_equal(oz_world_add_material(w, &def, NULL, &error), OZ_ERROR_RANGE);
	assert_non_null(strstr(error.text, "melting_range"));
	def = test_wax(OZ_BLEND);
	def.heat_capacity = 0;
	assert_int_equal(oz_world_add_material(w, &def, NULL, &error), OZ_ERROR_RANGE);
	assert_non_null(strstr(error.text, "heat_capacity"));
	def = test_wax(OZ_BLEND);
	def.conductivity = -1;
	assert_int_equal(oz_world_add_material(w, &def, NULL, &error), OZ_ERROR_RANGE);
	assert_non_null(strstr(error.text, "conductivity"));
	def = test_wax(OZ_BLEND);
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	body.points = &point;
	body.count = 1;
	body.temperature = INFINITY;
	assert_int_equal(oz_world_add_body(w, &body, NULL, &error), OZ_ERROR_RANGE);
	assert_non_null(strstr(error.text, "temperature"));
	body.temperature = 20;
	body.alphas = &alpha;
	assert_int_equal(oz_world_add_body(w, &body, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "melts"));
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(threads_do_not_change_a_bit),
	        cmocka_unit_test(steps_in_a_row_are_those_one_by_one),
	        cmocka_unit_test(a_snapshot_goes_on_bit_for_bit),
	        cmocka_unit_test(a_nozzle_pours_at_its_temperature),
	        cmocka_unit_test(a_world_without_heat_launches_nothing_for_it),
	        cmocka_unit_test(bad_regions_get_sentences),
	        cmocka_unit_test(bad_materials_and_bodies_get_sentences),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
