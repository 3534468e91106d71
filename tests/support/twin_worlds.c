// twin_worlds.c: worlds in which many kernels run, to be launched twice.
#include "twins.h"

// ---- fluids and blends -------------------------------------------------------------------------

oz_world *test_twin_fluids(void)
{
	// more than one group of particles
	oz_world *plain = test_busy_dam(1, 0.032f, NULL);
	test_steps(plain, 150);
	return test_twin_reload(plain);
}

// a blended block, soft on one side
static void add_block(oz_world *w, float alpha, float x, bool paper)
{
	oz_material_def def = oz_material_default(OZ_BLEND);
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.16f, 0.16f});
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	def.alpha = alpha;
	def.paper = paper;
	def.update_steps = 3;
	box.position = (oz_vec3){x, 0.1f, 0};
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_HEXAGONAL, &points, &body.count, NULL),
	                 OZ_OK);
	float *alphas = malloc(sizeof *alphas * body.count);
	assert_non_null(alphas);
	for (uint32_t i = 0; i < body.count; i++)
		alphas[i] = points[i].x < x ? alpha : 0.5f * alpha;
	body.points = points;
	body.velocity = (oz_vec3){x < 0 ? 2.0f : -2.0f, -2, 0};
	body.alphas = paper ? NULL : alphas;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
	free(alphas);
}

// a block that melts as it is heated, in a region that reaches beyond it
static void add_warm_block(oz_world *w)
{
	oz_material_def def = oz_material_default(OZ_BLEND);
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.16f, 0.12f, 0.16f});
	oz_region_def region =
	        oz_region_default(oz_shape_make(OZ_SHAPE_CAPSULE, (oz_vec3){0.15f, 0.1f, 0}));
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	def.alpha = 0.2f;
	def.conductivity = 300;
	def.melting_point = 30;
	def.latent_heat = 4000;
	body.temperature = 25;
	region.shape.rotation = (oz_quat){0.6f, 0, 0, 0.8f};
	region.shape.position.x = 0.05f;
	region.temperature = 90;
	region.rate = 3;
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &body.count, NULL),
	                 OZ_OK);
	body.points = points;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_add_region(w, &region, NULL, NULL), OZ_OK);
	oz_points_free(points);
}

oz_world *test_twin_blends(void)
{
	oz_world *plain = test_busy_dam(1, 0.04f, NULL);
	add_block(plain, 0.6f, -0.16f, false);
	add_block(plain, 0.9f, 0.16f, true);
	add_warm_block(plain);
	// in steps 48 to 54 the blocks meet and change their rest shapes
	test_steps(plain, 47);
	oz_world *w = test_twin_reload(plain);
	// some particles are inside the bounds, some outside; step 64 counts them
	w->sim.def.bounds_max.x = 0.1f;
	return w;
}

// ---- solids -----------------------------------------------------------------------------------

void test_add_solid(oz_world *w, const oz_material_def *def, oz_shape shape, oz_vec3 position,
                    float temperature)
{
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	shape.position = position;
	body.temperature = temperature;
	if (!def->fixed) {
		body.spin = (oz_vec3){1, -2, 3};
		body.velocity = (oz_vec3){0.5f, -1, 0};
	}
	assert_int_equal(oz_world_add_material(w, def, &body.material, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&shape, 0.04f, OZ_FILL_LATTICE, &points, &body.count, NULL),
	                 OZ_OK);
	body.points = points;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
}

// one block for each elasticity, strain and way to step, in three rows that fall on each other
static void add_blocks(oz_world *w)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.16f, 0.16f, 0.12f});
	for (int k = 0; k < 2 * 2 * OZ_ELASTIC_COUNT; k++) {
		oz_material_def def = oz_material_default(OZ_COROTATED);
		def.elasticity = (oz_elasticity)(k % OZ_ELASTIC_COUNT);
		def.strain = (oz_strain)(k / OZ_ELASTIC_COUNT % OZ_STRAIN_COUNT);
		def.implicit = k >= 2 * OZ_ELASTIC_COUNT;
		def.young_modulus = def.implicit ? 1e6f : 5e4f;
		const oz_vec3 place = {-0.31f + 0.2f * (float)(k % 4),
		                       -0.2f + 0.18f * (float)(k / 4), 0.05f};
		test_add_solid(w, &def, box, place, 20);
	}
}

static void add_thin_ones(oz_world *w)
{
	const oz_material_def def = oz_material_default(OZ_COROTATED);
	test_add_solid(w, &def, oz_shape_make(OZ_SHAPE_SHEET, (oz_vec3){0.24f, 0, 0.2f}),
	               (oz_vec3){-0.2f, 0.55f, 0}, 20);
	test_add_solid(w, &def, oz_shape_make(OZ_SHAPE_ROD, (oz_vec3){0, 0.4f, 0}),
	               (oz_vec3){0.2f, 0.7f, 0}, 20);
}

// a layer behind the blocks
static void add_water(oz_world *w)
{
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.8f, 0.32f, 0.16f});
	oz_vec3 *points;
	uint32_t count;
	box.position = (oz_vec3){0, -0.14f, -0.12f};
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &count, NULL), OZ_OK);
	test_add_points(w, test_water(w), points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

// a blend beside elastic bodies: it has rest lists of its own
static void add_jelly(oz_world *w)
{
	const oz_material_def def = oz_material_default(OZ_BLEND);
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.12f, 0.12f, 0.12f});
	oz_vec3 *points;
	uint32_t count;
	oz_id jelly;
	box.position = (oz_vec3){-0.3f, 1.5f, 0};
	assert_int_equal(oz_world_add_material(w, &def, &jelly, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &count, NULL), OZ_OK);
	test_add_points(w, jelly, points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

static const oz_vec3 solid_place = {-0.2f, 0.8f, 0}, melt_place = {0.2f, 1.2f, 0};

// a solid block, and one that is hot enough to melt in the first step
static void add_waxes(oz_world *w)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.24f, 0.2f, 0.2f});
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.conductivity = 100;
	def.melting_point = 50;
	def.latent_heat = 1000;
	test_add_solid(w, &def, box, solid_place, 20);
	def.implicit = true;
	test_add_solid(w, &def, box, melt_place, 90);
}

static void add_place(oz_world *w, oz_vec3 at, float radius, float temperature, float start)
{
	oz_region_def def =
	        oz_region_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){radius, 0, 0}));
	def.shape.position = at;
	def.temperature = temperature;
	def.rate = 1e4f;
	def.start = start;
	assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
}

// where a body that falls since t = 0 is at a time
static oz_vec3 fallen(oz_vec3 from, float time)
{
	return (oz_vec3){from.x + 0.5f * time, from.y - time - 4.905f * time * time, from.z};
}

oz_world *test_twin_solids(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.04f;
	def.threads = 1;
	def.time_step = 2e-4f;
	oz_world *plain = test_world(&def);
	oz_collider_def vessel =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.8f, 2, 0.4f}));
	vessel.inside = true;
	vessel.shape.position.y = 0.7f;
	assert_int_equal(oz_world_add_collider(plain, &vessel, NULL, NULL), OZ_OK);
	add_water(plain);
	add_blocks(plain);
	add_thin_ones(plain);
	add_jelly(plain);
	add_waxes(plain);
	test_steps(plain, 40);
	const float now = (float)oz_world_time(plain), later = now + 12 * 2e-4f;
	// half of the first melts; a core of the second freezes, and then what is around it
	oz_vec3 hot = fallen(solid_place, now), cold = fallen(melt_place, now);
	hot.x -= 0.15f;
	add_place(plain, hot, 0.15f, 120, 0);
	add_place(plain, cold, 0.06f, 0, 0);
	add_place(plain, cold, 0.12f, 0, later);
	return test_twin_reload(plain);
}
