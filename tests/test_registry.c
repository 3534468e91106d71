// test_registry.c: one registry of fields drives hash, estimate and scratch of a world with all
// models in it.
#include "models/capillary/capillary.h"
#include "world/estimate.h"
#include "world/world.h"
#include "worlds.h"

static oz_id add_material(oz_world *w, oz_model model)
{
	oz_material_def def = oz_material_default(model);
	oz_id id;
	def.conductivity = 0.5f;
	def.melting_point = 60;
	def.implicit = true;
	assert_int_equal(oz_world_add_material(w, &def, &id, NULL), OZ_OK);
	return id;
}

static void add_box(oz_world *w, oz_id material, oz_vec3 at, float edge)
{
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){edge, edge, edge});
	oz_vec3 *points;
	uint32_t count;
	box.position = at;
	assert_int_equal(oz_shape_fill(&box, w->sim.def.spacing, OZ_FILL_LATTICE, &points, &count,
	                               NULL),
	                 OZ_OK);
	test_add_points(w, material, points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

static oz_world *world_of(oz_pressure pressure)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.threads = 1;
	def.pressure = pressure;
	return test_world(&def);
}

static oz_world *empty_world(void)
{
	return world_of(OZ_PRESSURE_EOS);
}

// every model, a nozzle, a handle, a region
static oz_world *full_world(void)
{
	oz_world *w = empty_world();
	const oz_id water = test_water(w);
	oz_emitter_def nozzle = oz_emitter_default(water);
	oz_handle_def handle =
	        oz_handle_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.05f, 0.05f, 0.05f}));
	const oz_region_def region =
	        oz_region_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.05f, 0, 0}));
	add_box(w, water, (oz_vec3){0, 0, 0}, 0.12f);
	add_box(w, add_material(w, OZ_BLEND), (oz_vec3){0.12f, 0, 0}, 0.12f);
	add_box(w, add_material(w, OZ_COROTATED), (oz_vec3){-0.12f, 0, 0}, 0.12f);
	nozzle.position = (oz_vec3){0, 0.5f, 0};
	handle.shape.position.x = -0.12f;
	assert_int_equal(oz_world_add_emitter(w, &nozzle, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_add_handle(w, &handle, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_add_region(w, &region, NULL, NULL), OZ_OK);
	test_steps(w, 12);
	return w;
}

static uint32_t count_of(const oz_world *w, const oz_field_at *at)
{
	return at->items == OZ_ITEMS_SLOTS ? w->slots.count : w->sim.particles.count;
}

// flips one bit of one record; the same call flips it back
static void flip(oz_world *w, const oz_field_at *at)
{
	oz_device *d = w->sim.device;
	const size_t where = (size_t)at->row->size * (count_of(w, at) / 2);
	uint bits;
	d->ops->read(d, &bits, *at->buffer, where, sizeof bits);
	bits ^= 1u << 3;
	d->ops->write(d, *at->buffer, where, &bits, sizeof bits);
}

static void every_field_that_decides_the_future_counts_in_the_hash(void **state)
{
	(void)state;
	oz_world *w = full_world();
	const uint64_t before = oz_world_hash(w);
	oz_field_at at;
	uint32_t flipped = 0;
	for (uint32_t n = 0; oz_fields_next(&w->sim.fields, n, &at); n++) {
		flip(w, &at);
		if ((oz_world_hash(w) == before) != (at.row->kind == OZ_KIND_RESULT))
			fail_msg("%s does not count as it should", at.row->name);
		flip(w, &at);
		assert_true(oz_world_hash(w) == before);
		flipped += at.row->kind != OZ_KIND_RESULT;
	}
	print_message("%u fields decide the future\n", flipped);
	// of particles, friction, slots, the nozzle, heat, the blend, elastic bodies and thick
	// fluids
	assert_int_equal(flipped, 8 + 2 + 1 + 5 + 1 + 2 + 2 + 5 + 2);
	oz_world_destroy(w);
}

#define EXPECT_COUNTS(w, member, other)                                                            \
	do {                                                                                       \
		const uint64_t before = oz_world_hash(w);                                          \
		const __typeof__(member) kept = member;                                            \
		member = other;                                                                    \
		assert_true(oz_world_hash(w) != before);                                           \
		member = kept;                                                                     \
		assert_true(oz_world_hash(w) == before);                                           \
	} while (0)

static void so_does_all_that_steers_the_next_step(void **state)
{
	(void)state;
	oz_world *w = full_world();
	EXPECT_COUNTS(w, w->sim.time, 7.5);
	EXPECT_COUNTS(w, w->sim.step, 999);
	EXPECT_COUNTS(w, w->sim.next_id, 999999);
	EXPECT_COUNTS(w, w->sim.last_step.max_speed, 77);
	EXPECT_COUNTS(w, w->sim.last_step.max_acceleration, 77);
	EXPECT_COUNTS(w, w->sim.last_step.max_separation, 77);
	EXPECT_COUNTS(w, w->sim.last_step.time_step, 77);
	EXPECT_COUNTS(w, w->contact.near, !kept);
	EXPECT_COUNTS(w, oz_nozzles(&w->boundary)[0].layers, 77);
	oz_world_destroy(w);
}

// ---- memory -----------------------------------------------------------------------------------

static double estimate_of(const oz_world *w, const oz_material_def *def)
{
	const bool gpu = !test_is_cpu(w);
	const oz_particle_bytes bytes = oz_world_particle_bytes(&w->sim.def, gpu);
	return bytes.fields + bytes.lists + oz_models_bytes(&w->sim.def, def, gpu);
}

static void the_estimate_of_memory_is_what_a_world_takes(void **state)
{
	(void)state;
	oz_material_def defs[] = {oz_material_default(OZ_FLUID), oz_material_default(OZ_BLEND),
	                          oz_material_default(OZ_COROTATED), oz_material_default(OZ_FLUID),
	                          oz_material_default(OZ_FLUID)};
	defs[3].viscosity = 10; // a thick fluid
	for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
		// the last one has pressures that keep the volume
		oz_world *w = world_of(k == 4 ? OZ_PRESSURE_INCOMPRESSIBLE : OZ_PRESSURE_EOS);
		const double empty = (double)oz_world_bytes(w);
		oz_id id;
		assert_int_equal(oz_world_add_material(w, &defs[k], &id, NULL), OZ_OK);
		add_box(w, id, (oz_vec3){0, 0, 0}, 0.6f);
		test_steps(w, 2);
		const double each = ((double)oz_world_bytes(w) - empty) / w->sim.particles.count;
		const double estimate = estimate_of(w, &defs[k]);
		print_message("model %zu: %.0f bytes a particle, %.0f estimated\n", k, each,
		              estimate);
		assert_true(estimate > 0.97 * each && estimate < 1.25 * each);
		oz_world_destroy(w);
	}
}

// with surface tension, and with an interface between two liquids that have none against air
static void the_estimate_counts_surface_tension_and_interfaces(void **state)
{
	(void)state;
	for (int fronts = 0; fronts < 2; fronts++) {
		oz_world *w = world_of(OZ_PRESSURE_EOS);
		const oz_vec3 none = {0, 0, 0}; // else puddles would be thinner than the spacing
		test_must(oz_world_set_gravity(w, none, NULL), NULL);
		const double empty = (double)oz_world_bytes(w);
		oz_material_def def = oz_material_default(OZ_FLUID);
		def.surface_tension = fronts ? 0 : 0.072f;
		const oz_id id = test_add_material(w, &def), other = test_add_material(w, &def);
		oz_interface_def interface = oz_interface_default(id, other);
		interface.tension = 0.03f;
		if (fronts)
			test_must(oz_world_add_interface(w, &interface, NULL), NULL);
		add_box(w, id, (oz_vec3){0, 0, 0}, 0.6f);
		test_steps(w, 2);
		const double each = ((double)oz_world_bytes(w) - empty) / w->sim.particles.count;
		const double more = oz_interface_bytes(&w->sim.def, &def, &def, &interface);
		const double estimate = estimate_of(w, &def) + (fronts ? more : 0);
		print_message("%s: %.0f bytes a particle, %.0f estimated, %.0f of the interface\n",
		              fronts ? "interface" : "surface", each, estimate, more);
		assert_true(estimate > 0.97 * each && estimate < 1.25 * each);
		// the records of an interface alone: side and stray
		assert_true(fronts ? more > 100 : more == 2 * sizeof(oz_float4));
		oz_world_destroy(w);
	}
}

// what a step takes from the pool it gives back: lists alone stay
static void scratch_is_given_back_when_a_step_is_over(void **state)
{
	(void)state;
	oz_world *w = full_world();
	for (uint32_t k = 0; k < w->sim.scratch.count; k++) {
		const char *name = w->sim.scratch.blocks[k].name;
		if (name && strncmp(name, "list ", 5) != 0)
			fail_msg("'%s' was not given back", name);
	}
	assert_true(w->sim.scratch.count > 3);
	oz_world_destroy(w);
}

static void a_world_has_temperatures_only_where_something_needs_them(void **state)
{
	(void)state;
	oz_world *w = empty_world();
	oz_body_def warm = oz_body_default();
	const oz_vec3 point = {2, 0, 0};
	oz_view view;
	add_box(w, test_water(w), (oz_vec3){0, 0, 0}, 0.1f);
	test_steps(w, 3);
	assert_null(oz_fields_find(&w->sim.fields, "temperature"));
	assert_int_equal(oz_world_view(w, OZ_FIELD_TEMPERATURE, &view, NULL), OZ_OK);
	assert_true(((const float *)view.data)[view.count - 1] == 20);
	warm.points = &point;
	warm.count = 1;
	warm.temperature = 80;
	assert_int_equal(oz_world_add_body(w, &warm, NULL, NULL), OZ_OK);
	assert_non_null(oz_fields_find(&w->sim.fields, "temperature"));
	assert_int_equal(oz_world_view(w, OZ_FIELD_TEMPERATURE, &view, NULL), OZ_OK);
	assert_true(((const float *)view.data)[0] == 20);
	assert_true(((const float *)view.data)[view.count - 1] == 80);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_field_that_decides_the_future_counts_in_the_hash),
	        cmocka_unit_test(so_does_all_that_steers_the_next_step),
	        cmocka_unit_test(the_estimate_of_memory_is_what_a_world_takes),
	        cmocka_unit_test(the_estimate_counts_surface_tension_and_interfaces),
	        cmocka_unit_test(scratch_is_given_back_when_a_step_is_over),
	        cmocka_unit_test(a_world_has_temperatures_only_where_something_needs_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
