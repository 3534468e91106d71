// heat.c: worlds in which nothing happens but heat.
#include "heat.h"

oz_world *test_still_world(float time_step, uint32_t threads)
{
	oz_world_def def = oz_world_default();
	def.spacing = HEAT_SPACING;
	def.gravity = (oz_vec3){0, 0, 0};
	def.sound_speed = 0.001f;
	def.time_step = time_step;
	def.time_step_max = 1;
	def.threads = threads;
	return test_world(&def);
}

oz_id test_conductor(oz_world *w, float conductivity, float density, float capacity)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	oz_id id;
	def.conductivity = conductivity;
	def.density = density;
	def.heat_capacity = capacity;
	assert_int_equal(oz_world_add_material(w, &def, &id, NULL), OZ_OK);
	return id;
}

void test_add_warm_box(oz_world *w, oz_id material, oz_vec3 low, oz_vec3 size, float temperature)
{
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, oz_scale(size, HEAT_SPACING));
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	box.position = oz_scale(oz_mad(low, size, 0.5f), HEAT_SPACING);
	assert_int_equal(oz_shape_fill(&box, HEAT_SPACING, OZ_FILL_LATTICE, &points, &body.count,
	                               NULL),
	                 OZ_OK);
	body.material = material;
	body.points = points;
	body.temperature = temperature;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
}

void test_run_freely(oz_world *w, double time)
{
	oz_error error = {0};
	while (oz_world_time(w) < time)
		if (oz_world_run(w, time, 1000, NULL, NULL, &error) != OZ_OK)
			fail_msg("%s", error.text);
}

double test_heat_of(oz_world *w)
{
	const uint32_t count = oz_world_particle_count(w);
	double sum = 0;
	oz_view t, material;
	assert_int_equal(oz_world_view(w, OZ_FIELD_TEMPERATURE, &t, NULL), OZ_OK);
	float *copy = malloc(sizeof *copy * (count + 1));
	assert_non_null(copy);
	memcpy(copy, t.data, sizeof *copy * count);
	assert_int_equal(oz_world_view(w, OZ_FIELD_MATERIAL, &material, NULL), OZ_OK);
	for (uint32_t i = 0; i < count; i++) {
		const oz_material_def *m =
		        oz_world_get_material(w, ((const uint32_t *)material.data)[i]);
		const double share = fmin(fmax(((double)copy[i] - (double)m->melting_point) /
		                                       (double)m->melting_range,
		                               0),
		                          1);
		sum += (double)m->density * ((double)m->heat_capacity * (double)copy[i] +
		                             (double)m->latent_heat * share);
	}
	free(copy);
	return sum;
}

oz_region_def test_ball_region(float radius, float temperature, float rate)
{
	oz_region_def def =
	        oz_region_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){radius, 0, 0}));
	def.temperature = temperature;
	def.rate = rate;
	return def;
}

oz_material_def test_wax(oz_model model)
{
	oz_material_def def = oz_material_default(model);
	def.density = 900;
	def.heat_capacity = 2000;
	def.melting_point = 50;
	def.melting_range = 10;
	def.latent_heat = 180000;
	return def;
}
