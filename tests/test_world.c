// test_world.c: the public functions of a world: arguments that are refused, ranges, views, sums,
// and no memory that is left.
#include "world/world.h"
#include "worlds.h"

// ---- arguments --------------------------------------------------------------------------------

static void a_world_without_a_definition_or_a_place_is_refused(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	oz_world *w = (oz_world *)1;
	test_expect_told(oz_world_create(NULL, &w, &error), OZ_ERROR_ARGUMENT, "def");
	assert_null(w);
	test_expect_told(oz_world_create(&def, NULL, &error), OZ_ERROR_ARGUMENT, "world");
	assert_int_equal(oz_world_create(NULL, NULL, NULL), OZ_ERROR_ARGUMENT);
	oz_world_destroy(NULL);
	oz_points_free(NULL);
}

static void calls_without_a_world_are_refused(void **state)
{
	(void)state;
	const oz_material_def material = oz_material_default(OZ_FLUID);
	const oz_body_def body = oz_body_default();
	const oz_collider_def collider =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){1, 1, 1}));
	const oz_emitter_def emitter = oz_emitter_default(0);
	oz_stats stats;
	test_expect_told(oz_world_add_material(NULL, &material, NULL, &error), OZ_ERROR_ARGUMENT,
	                 "");
	test_expect_told(oz_world_add_body(NULL, &body, NULL, &error), OZ_ERROR_ARGUMENT, "");
	test_expect_told(oz_world_add_shape(NULL, &collider.shape, 0, NULL, &error),
	                 OZ_ERROR_ARGUMENT, "world");
	test_expect_told(oz_world_add_collider(NULL, &collider, NULL, &error), OZ_ERROR_ARGUMENT,
	                 "");
	test_expect_told(oz_world_add_emitter(NULL, &emitter, NULL, &error), OZ_ERROR_ARGUMENT, "");
	test_expect_told(oz_world_step(NULL, NULL, &error), OZ_ERROR_ARGUMENT, "world");
	test_expect_told(oz_world_step_until(NULL, 1, NULL, &error), OZ_ERROR_ARGUMENT, "");
	test_expect_told(oz_world_stats(NULL, &stats, &error), OZ_ERROR_ARGUMENT, "world");
	test_expect_told(oz_world_save(NULL, "x.ooze", &error), OZ_ERROR_ARGUMENT, "world");
}

static void calls_without_their_definition_are_refused(void **state)
{
	(void)state;
	oz_world *w = test_plain_world(NULL);
	test_expect_told(oz_world_add_material(w, NULL, NULL, &error), OZ_ERROR_ARGUMENT, "def");
	test_expect_told(oz_world_add_body(w, NULL, NULL, &error), OZ_ERROR_ARGUMENT, "def");
	test_expect_told(oz_world_add_shape(w, NULL, 0, NULL, &error), OZ_ERROR_ARGUMENT, "shape");
	test_expect_told(oz_world_add_collider(w, NULL, NULL, &error), OZ_ERROR_ARGUMENT, "def");
	test_expect_told(oz_world_add_emitter(w, NULL, NULL, &error), OZ_ERROR_ARGUMENT, "def");
	test_expect_told(oz_world_stats(w, NULL, &error), OZ_ERROR_ARGUMENT, "stats");
	test_expect_told(oz_world_save(w, NULL, &error), OZ_ERROR_ARGUMENT, "path");
	oz_world_destroy(w);
}

static void looking_in_without_a_world_or_a_place_is_refused(void **state)
{
	(void)state;
	oz_world *w = test_plain_world(NULL);
	oz_view view;
	oz_shape shape;
	test_expect_told(oz_world_view(w, OZ_FIELD_COUNT, &view, &error), OZ_ERROR_ARGUMENT,
	                 "field");
	test_expect_told(oz_world_view(w, (oz_field)-1, &view, &error), OZ_ERROR_ARGUMENT, "field");
	test_expect_told(oz_world_view(w, OZ_FIELD_ID, NULL, &error), OZ_ERROR_ARGUMENT, "view");
	test_expect_told(oz_world_view(NULL, OZ_FIELD_ID, &view, &error), OZ_ERROR_ARGUMENT,
	                 "world");
	test_expect_told(oz_world_get_collider(w, 0, &shape, NULL, &error), OZ_ERROR_NOT_FOUND,
	                 "0");
	test_expect_told(oz_world_get_collider(NULL, 0, &shape, NULL, &error), OZ_ERROR_ARGUMENT,
	                 "world");
	oz_world_destroy(w);
}

static void what_is_not_there_is_null_and_names_never_are(void **state)
{
	(void)state;
	oz_world *w = test_plain_world(NULL);
	assert_null(oz_world_get_material(w, 0));
	assert_null(oz_world_get_material(w, OZ_NONE));
	assert_null(oz_world_body_name(w, 0));
	for (int k = -1; k <= OZ_STAGE_COUNT; k++)
		assert_true(strlen(oz_stage_name((oz_stage)k)) > 0);
	for (int k = -1; k <= OZ_LIMIT_COUNT; k++)
		assert_true(strlen(oz_limit_name((oz_limit)k)) > 0);
	oz_event event;
	assert_false(oz_world_next_event(w, &event));
	oz_world_destroy(w);
}

// ---- ranges -----------------------------------------------------------------------------------

static void put_number(const oz_param *row, void *def, float value)
{
	memcpy((char *)def + row->offset, &value, sizeof value);
}

static bool is_float(const oz_param *row)
{
	return row->type == OZ_PARAM_FLOAT || row->type == OZ_PARAM_VEC3;
}

static void a_world_parameter_outside_its_range_is_named(void **state)
{
	(void)state;
	test_memory memory = {0};
	uint32_t rows;
	const oz_param *row = oz_params(OZ_PARAMS_WORLD, &rows);
	for (uint32_t k = 0; k < rows; k++) {
		const float bad[] = {NAN, INFINITY, -INFINITY, (float)(2 * row[k].max + 1),
		                     (float)(row[k].min - 1 - fabs(row[k].min))};
		for (size_t b = 0; is_float(&row[k]) && b < 5; b++) {
			oz_world_def def = oz_world_default();
			oz_world *w;
			def.hooks = test_memory_hooks(&memory);
			put_number(&row[k], &def, bad[b]);
			test_expect_told(oz_world_create(&def, &w, &error), OZ_ERROR_RANGE,
			                 row[k].name);
			assert_null(w);
		}
	}
	test_memory_is_empty(&memory);
}

static void choices_and_bounds_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	oz_world *w;
	oz_world_def def = oz_world_default();
	def.kernel = OZ_KERNEL_COUNT;
	test_expect_told(oz_world_create(&def, &w, &error), OZ_ERROR_RANGE, "kernel");
	def = oz_world_default();
	def.eos = (oz_eos)-1;
	test_expect_told(oz_world_create(&def, &w, &error), OZ_ERROR_RANGE, "eos");
	def = oz_world_default();
	def.bounds_max.y = def.bounds_min.y;
	test_expect_told(oz_world_create(&def, &w, &error), OZ_ERROR_RANGE, "bounds_m");
	def = oz_world_default();
	def.threads = 1000000;
	test_expect_told(oz_world_create(&def, &w, &error), OZ_ERROR_RANGE, "threads");
}

static void every_thread_count_within_its_range_makes_a_world(void **state)
{
	(void)state;
	uint32_t rows;
	const oz_param *row = oz_params(OZ_PARAMS_WORLD, &rows);
	for (uint32_t k = 0; k < rows; k++) {
		oz_world_def def = oz_world_default();
		oz_world *w;
		oz_error error = {0};
		if (strcmp(row[k].name, "threads") != 0)
			continue;
		def.threads = (uint32_t)row[k].max;
		if (oz_world_create(&def, &w, &error) != OZ_OK)
			fail_msg("%s", error.text);
		oz_world_destroy(w);
	}
}

static void materials_bodies_and_emitters_out_of_range_are_refused(void **state)
{
	(void)state;
	test_memory memory = {0};
	oz_world *w = test_plain_world(&memory);
	oz_material_def m = oz_material_default(OZ_FLUID);
	m.density = 0;
	test_expect_told(oz_world_add_material(w, &m, NULL, &error), OZ_ERROR_RANGE, "density");
	m = oz_material_default(OZ_MODEL_COUNT);
	test_expect_told(oz_world_add_material(w, &m, NULL, &error), OZ_ERROR_RANGE, "model");
	assert_int_equal(oz_world_material_count(w), 0);
	oz_body_def b = oz_body_default();
	test_expect_told(oz_world_add_body(w, &b, NULL, &error), OZ_ERROR_NOT_FOUND, "material");
	oz_emitter_def e = oz_emitter_default(0);
	test_expect_told(oz_world_add_emitter(w, &e, NULL, &error), OZ_ERROR_NOT_FOUND, "material");
	test_water(w);
	b.velocity.x = NAN;
	test_expect_told(oz_world_add_body(w, &b, NULL, &error), OZ_ERROR_RANGE, "velocity");
	e.direction = (oz_vec3){0, 0, 0};
	test_expect_told(oz_world_add_emitter(w, &e, NULL, &error), OZ_ERROR_RANGE, "direction");
	e = oz_emitter_default(0);
	e.radius = 1000;
	test_expect_told(oz_world_add_emitter(w, &e, NULL, &error), OZ_ERROR_RANGE, "radius");
	assert_int_equal(oz_world_body_count(w), 0);
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
}

static void a_shape_becomes_a_body_of_its_volume(void **state)
{
	(void)state;
	test_memory memory = {0};
	oz_world *w = test_plain_world(&memory);
	const float s = oz_world_get_def(w)->spacing;
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){6 * s, 4 * s, 2 * s});
	oz_id body = OZ_NONE;
	box.position.y = 1;
	test_expect_told(oz_world_add_shape(w, &box, 0, &body, &error), OZ_ERROR_NOT_FOUND,
	                 "material");
	assert_int_equal(oz_world_body_count(w), 0);
	test_must(oz_world_add_shape(w, &box, test_water(w), &body, NULL), NULL);
	assert_int_equal(body, 0);
	assert_int_equal(oz_world_particle_count(w), 48);
	const oz_stats stats = test_stats(w);
	// 1e-6 m: rounding of positions near 1 m
	test_near(stats.centre[1], 1, 1e-6, "height of its centre");
	test_near(stats.mass, 1000 * 48 * pow((double)s, 3), 1e-6, "its mass");
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
}

static void a_point_that_is_nowhere_is_refused(void **state)
{
	(void)state;
	test_memory memory = {0};
	oz_world *w = test_plain_world(&memory);
	oz_vec3 points[3] = {{0, 0, 0}, {1, NAN, 0}, {0, 0, 1}};
	oz_body_def b = oz_body_default();
	test_water(w);
	b.points = points;
	b.count = 3;
	test_expect_told(oz_world_add_body(w, &b, NULL, &error), OZ_ERROR_ARGUMENT, "point 1");
	points[1] = (oz_vec3){0, 0, INFINITY};
	test_expect_told(oz_world_add_body(w, &b, NULL, &error), OZ_ERROR_ARGUMENT, "point 1");
	b.points = NULL;
	test_expect_told(oz_world_add_body(w, &b, NULL, &error), OZ_ERROR_ARGUMENT, "points");
	memset(b.name, 'x', sizeof b.name);
	b.points = points;
	test_expect_told(oz_world_add_body(w, &b, NULL, &error), OZ_ERROR_RANGE, "name");
	assert_int_equal(oz_world_particle_count(w), 0);
	assert_int_equal(oz_world_body_count(w), 0);
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
}

static void colliders_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	test_memory memory = {0};
	oz_world *w = test_plain_world(&memory);
	oz_keyframe frames[2] = {{1, {0, 0, 0}, {0, 0, 0, 1}}, {1, {0, 1, 0}, {0, 0, 0, 1}}};
	oz_collider_def c = oz_collider_default(oz_shape_make(OZ_SHAPE_SHEET, (oz_vec3){1, 1, 1}));
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_ARGUMENT, "sheet");
	c.shape.kind = OZ_SHAPE_COUNT;
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_RANGE, "shape");
	c.shape = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 0, 1});
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_RANGE, "size");
	c.shape.size.y = 1;
	c.shape.rotation = (oz_quat){0, 0, 0, 0};
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_RANGE, "rotation");
	c.shape.rotation.w = 1;
	c.friction = -1;
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_RANGE, "friction");
	c.friction = 0;
	c.keyframe_count = 2;
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_ARGUMENT,
	                 "keyframes");
	c.keyframes = frames;
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_RANGE, "time");
	frames[1].time = 2;
	frames[1].position.z = NAN;
	test_expect_told(oz_world_add_collider(w, &c, NULL, &error), OZ_ERROR_RANGE, "position");
	assert_int_equal(oz_world_collider_count(w), 0);
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
}

// ---- memory -----------------------------------------------------------------------------------

static void no_byte_is_left_after_a_long_life(void **state)
{
	(void)state;
	test_memory memory = {.poison = 0xa5};
	oz_world *w = test_busy_dam(2, 0.05f, &memory);
	test_steps(w, 60);
	assert_int_equal(oz_world_bytes(w), memory.bytes + w->sim.device->device_bytes);
	assert_int_equal(oz_world_save(w, "life.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_bytes(w), memory.bytes + w->sim.device->device_bytes);
	assert_true(test_is_cpu(w) == (w->sim.device->device_bytes == 0));
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
}

static void a_step_in_its_stride_takes_no_memory(void **state)
{
	(void)state;
	oz_world *w = test_dam(1, 0.05f, NULL);
	test_steps(w, 50);
	const size_t bytes = oz_world_bytes(w);
	test_steps(w, 50);
	assert_int_equal(oz_world_bytes(w), bytes);
	oz_world_destroy(w);
}

static void a_world_without_heat_takes_at_most_340_bytes_a_particle(void **state)
{
	(void)state;
	TEST_SLOW;
	oz_world *empty = test_plain_world(NULL), *w = test_dam(1, 0.012f, NULL);
	test_steps(w, 2);
	const size_t each = (oz_world_bytes(w) - oz_world_bytes(empty)) / w->sim.particles.count;
	// the plain kernels keep 64 bits for each of the nine rows around a particle
	const size_t scratch = test_is_cpu(w) ? 0 : 9 * sizeof(uint64_t);
	// and a GPU's lists reach farther and are interleaved: of 360 bytes, 220 are 55 list
	// entries
	const double wider = pow((1 + (double)w->sim.def.skin) / 1.06, 3);
	const size_t most = test_is_cpu(w) ? 340 : 360;
	print_message("%zu bytes a particle\n", each);
	assert_in_range(each, 112, most + scratch + (size_t)(55 * sizeof(uint) * (wider - 1)));
	// a device of its own keeps what is on its way there in a ring of 4 MiB
	assert_true(oz_world_bytes(empty) < 200000 + (test_is_cpu(empty) ? 0 : 4u << 20));
	oz_world_destroy(empty);
	oz_world_destroy(w);
}

// ---- looking in -------------------------------------------------------------------------------

static const void *element(oz_view view, uint32_t i)
{
	return (const char *)view.data + i * view.stride;
}

// through `read`, which shares nothing with the views
static void *copy_of(const oz_world *w, const void *buffer, size_t size)
{
	void *copy = malloc(size);
	assert_non_null(copy);
	w->sim.device->ops->read(w->sim.device, copy, buffer, 0, size);
	return copy;
}

static void views_have_the_stride_and_the_values_of_their_field(void **state)
{
	(void)state;
	oz_world *w = test_busy_dam(1, 0.05f, NULL);
	test_steps(w, 30);
	oz_particles p = w->sim.particles;
	oz_view view[OZ_FIELD_COUNT];
	for (int f = 0; f < OZ_FIELD_COUNT; f++) {
		assert_int_equal(oz_world_view(w, (oz_field)f, &view[f], NULL), OZ_OK);
		assert_int_equal(view[f].count, oz_world_particle_count(w));
		assert_true(view[f].stride >= (f <= OZ_FIELD_ACCELERATION ? 12 : 4));
	}
	// the fields themselves, past the views
#define TAKE_FIELD(type, name, kind, most, first, since)                                           \
	p.name = copy_of(w, p.name, sizeof(type) * p.count);
	OZ_PARTICLE_FIELDS(TAKE_FIELD)
#undef TAKE_FIELD
	for (uint32_t i = 0; i < p.count; i++) {
		const oz_vec3 x = *(const oz_vec3 *)element(view[OZ_FIELD_POSITION], i);
		const oz_vec3 v = *(const oz_vec3 *)element(view[OZ_FIELD_VELOCITY], i);
		const oz_vec3 a = *(const oz_vec3 *)element(view[OZ_FIELD_ACCELERATION], i);
		assert_true(x.x == p.position[i].x && x.z == p.position[i].z);
		assert_true(v.x == p.velocity[i].x && v.z == p.velocity[i].z);
		assert_true(a.y == p.acceleration[i].y);
		assert_true(*(const float *)element(view[OZ_FIELD_DENSITY], i) == p.density[i]);
		assert_true(*(const float *)element(view[OZ_FIELD_PRESSURE], i) == p.pressure[i]);
		assert_int_equal(*(const uint *)element(view[OZ_FIELD_ID], i), p.id[i]);
		assert_int_equal(*(const uint *)element(view[OZ_FIELD_BODY], i), p.body[i]);
		assert_int_equal(*(const uint *)element(view[OZ_FIELD_MATERIAL], i),
		                 oz_bodies(&w->sim)[p.body[i]].material);
	}
#define FREE_FIELD(type, name, kind, most, first, since) free(p.name);
	OZ_PARTICLE_FIELDS(FREE_FIELD)
#undef FREE_FIELD
	oz_world_destroy(w);
}

static void a_linear_fluid_has_the_pressure_of_its_density(void **state)
{
	(void)state;
	// damping adds a term to the pressure
	oz_world *w = test_undamped_dam(1, 0.05f);
	oz_view density, pressure;
	test_steps(w, 30);
	assert_int_equal(oz_world_view(w, OZ_FIELD_DENSITY, &density, NULL), OZ_OK);
	assert_int_equal(oz_world_view(w, OZ_FIELD_PRESSURE, &pressure, NULL), OZ_OK);
	const float c2 = w->sim.def.sound_speed * w->sim.def.sound_speed;
	for (uint32_t i = 0; i < density.count; i++) {
		const float rho = *(const float *)element(density, i);
		const float wanted = fmaxf(0, c2 * (rho - 1000));
		assert_true(fabsf(*(const float *)element(pressure, i) - wanted) <
		            1e-3f * c2 + 1e-4f * wanted);
	}
	oz_world_destroy(w);
}

static void sums_over_two_particles_are_those_of_the_schoolbook(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = 0.1f;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_vec3 points[2] = {{1, 0, 0}, {3, 2, 0}};
	oz_body_def b = oz_body_default();
	b.material = test_water(w);
	b.points = points;
	b.count = 2;
	b.velocity = (oz_vec3){0, 2, 0};
	oz_id id;
	assert_int_equal(oz_world_add_body(w, &b, &id, NULL), OZ_OK);
	oz_stats s;
	assert_int_equal(oz_world_stats(w, &s, NULL), OZ_OK);
	assert_int_equal(s.particles, 2);
	assert_true(fabs(s.mass - 2) < 1e-5); // one kilogram each
	assert_true(fabs(s.kinetic_energy - 4) < 1e-4);
	assert_true(fabs(s.potential_energy - 2 * 9.81) < 1e-3);
	assert_true(fabs(s.momentum[1] - 4) < 1e-4);
	assert_true(fabs(s.angular_momentum[2] - 8) < 1e-4);
	assert_true(fabs(s.centre[0] - 2) < 1e-6 && fabs(s.centre[1] - 1) < 1e-6);
	assert_true(s.min.x == 1 && s.max.x == 3 && s.max.y == 2);
	assert_string_equal(oz_world_body_name(w, id), "body 0");
	oz_world_destroy(w);
}

static void a_spinning_body_turns_about_its_middle(void **state)
{
	(void)state;
	oz_world *w = test_plain_world(NULL);
	const oz_vec3 points[2] = {{1, 5, 0}, {3, 5, 0}};
	oz_body_def b = oz_body_default();
	b.material = test_water(w);
	b.points = points;
	b.count = 2;
	b.velocity = (oz_vec3){1, 0, 0};
	b.spin = (oz_vec3){0, 0, 2};
	assert_int_equal(oz_world_add_body(w, &b, NULL, NULL), OZ_OK);
	const oz_float4 *v = test_look(w, w->sim.particles.velocity, 2 * sizeof *v);
	assert_true(v[0].x == 1 && v[0].y == -2 && v[1].x == 1 && v[1].y == 2);
	oz_world_destroy(w);
}

static oz_float4 velocity_of(const oz_world *w, uint32_t i)
{
	const oz_float4 *v = test_look(w, w->sim.particles.velocity, (i + 1) * sizeof *v);
	return v[i];
}

static void set_velocity(const oz_world *w, uint32_t i, oz_float4 v)
{
	test_put(w, w->sim.particles.velocity, i * sizeof v, &v, sizeof v);
}

static void the_hash_tells_states_apart(void **state)
{
	(void)state;
	oz_world *a = test_dam(1, 0.05f, NULL), *b = test_dam(1, 0.05f, NULL);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	const oz_float4 was = velocity_of(b, 7);
	oz_float4 other = was;
	other.y += 1e-6f;
	set_velocity(b, 7, other);
	assert_true(oz_world_hash(a) != oz_world_hash(b));
	set_velocity(b, 7, was);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	test_steps(a, 1);
	assert_true(oz_world_hash(a) != oz_world_hash(b));
	oz_world_destroy(a);
	oz_world_destroy(b);
}

static void a_collider_stands_where_its_keyframes_say(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.time_step = 0.125f;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_keyframe frames[] = {{1, {0, 0, 0}, {0, 0, 0, 1}}, {2, {4, 0, 0}, {0, 1, 0, 0}}};
	oz_collider_def c = oz_collider_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){1, 0, 0}));
	c.keyframes = frames;
	c.keyframe_count = 2;
	c.inside = true;
	oz_id once, again;
	assert_int_equal(oz_world_add_collider(w, &c, &once, NULL), OZ_OK);
	c.loop = true;
	assert_int_equal(oz_world_add_collider(w, &c, &again, NULL), OZ_OK);
	oz_shape shape;
	bool inside = false;
	static const float at[3][2] = {{0, 0}, {2, 2}, {4, 2}}; // x at 0.5, 1.5 and 2.5 s
	for (int k = 0; k < 3; k++) {
		test_steps(w, k ? 8 : 4);
		assert_int_equal(oz_world_get_collider(w, once, &shape, &inside, NULL), OZ_OK);
		assert_true(inside && fabsf(shape.position.x - at[k][0]) < 1e-5f);
		assert_int_equal(oz_world_get_collider(w, again, &shape, NULL, NULL), OZ_OK);
		assert_true(fabsf(shape.position.x - at[k][1]) < 1e-5f);
	}
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_world_without_a_definition_or_a_place_is_refused),
	        cmocka_unit_test(calls_without_a_world_are_refused),
	        cmocka_unit_test(calls_without_their_definition_are_refused),
	        cmocka_unit_test(looking_in_without_a_world_or_a_place_is_refused),
	        cmocka_unit_test(what_is_not_there_is_null_and_names_never_are),
	        cmocka_unit_test(a_world_parameter_outside_its_range_is_named),
	        cmocka_unit_test(choices_and_bounds_that_make_no_sense_are_refused),
	        cmocka_unit_test(every_thread_count_within_its_range_makes_a_world),
	        cmocka_unit_test(materials_bodies_and_emitters_out_of_range_are_refused),
	        cmocka_unit_test(a_shape_becomes_a_body_of_its_volume),
	        cmocka_unit_test(a_point_that_is_nowhere_is_refused),
	        cmocka_unit_test(colliders_that_make_no_sense_are_refused),
	        cmocka_unit_test(no_byte_is_left_after_a_long_life),
	        cmocka_unit_test(a_step_in_its_stride_takes_no_memory),
	        cmocka_unit_test(a_world_without_heat_takes_at_most_340_bytes_a_particle),
	        cmocka_unit_test(views_have_the_stride_and_the_values_of_their_field),
	        cmocka_unit_test(a_linear_fluid_has_the_pressure_of_its_density),
	        cmocka_unit_test(sums_over_two_particles_are_those_of_the_schoolbook),
	        cmocka_unit_test(a_spinning_body_turns_about_its_middle),
	        cmocka_unit_test(the_hash_tells_states_apart),
	        cmocka_unit_test(a_collider_stands_where_its_keyframes_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
