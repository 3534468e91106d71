// support.c: counted memory, devices, small worlds, whole files, plain random numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "world/world.h"

#define HEAD ((size_t)64) // before each block: its size; keeps the block aligned

static size_t size_of(void *block)
{
	size_t size;
	memcpy(&size, (char *)block - HEAD, sizeof size);
	return size;
}

static void give_back(test_memory *memory, void *block, size_t told)
{
	const size_t size = size_of(block);
	memory->wrong += told != size;
	memory->bytes -= size;
	memory->blocks--;
	free((char *)block - HEAD);
}

static void *take(test_memory *memory, size_t size)
{
	if (memory->limit && memory->bytes + size > memory->limit) {
		memory->refused++;
		return NULL;
	}
	char *whole = aligned_alloc(HEAD, HEAD + (size + HEAD - 1) / HEAD * HEAD);
	if (!whole)
		return NULL;
	memcpy(whole, &size, sizeof size);
	memset(whole + HEAD, memory->poison, size);
	memory->bytes += size;
	memory->blocks++;
	if (memory->bytes > memory->peak)
		memory->peak = memory->bytes;
	return whole + HEAD;
}

static void *counted(void *context, void *block, size_t old_size, size_t new_size)
{
	test_memory *memory = context;
	void *fresh = new_size ? take(memory, new_size) : NULL;
	if (new_size && !fresh)
		return NULL;
	if (fresh && block)
		memcpy(fresh, block, old_size < new_size ? old_size : new_size);
	if (block)
		give_back(memory, block, old_size);
	return fresh;
}

oz_hooks test_memory_hooks(test_memory *memory)
{
	return (oz_hooks){.alloc = counted, .context = memory};
}

void test_memory_is_empty(const test_memory *memory)
{
	assert_int_equal(memory->wrong, 0);
	assert_int_equal(memory->blocks, 0);
	assert_int_equal(memory->bytes, 0);
}

// ---- devices ----------------------------------------------------------------------------------

oz_device *test_device(oz_heap *heap, uint32_t threads)
{
	oz_device *device;
	oz_error error = {0};
	if (oz_device_open(heap, NULL, threads, &device, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return device;
}

bool test_is_cpu(const oz_world *world)
{
	return strcmp(world->sim.device->ops->name, "cpu") == 0;
}

uint32_t test_threads(const oz_world *world, uint32_t asked)
{
	oz_device_info first = {0};
	if (test_is_cpu(world))
		return asked;
	assert_true(oz_devices(&first, 1) > 0);
	return first.units;
}

void *test_upload(oz_device *device, const void *host, size_t size)
{
	void *buffer = device->ops->alloc(device, size);
	assert_non_null(buffer);
	device->ops->write(device, buffer, 0, host, size);
	return buffer;
}

const void *test_see(oz_device *device, const void *buffer, size_t size)
{
	const void *seen = device->ops->look(device, buffer, size);
	assert_true(seen || size == 0);
	if (device->failure.code != OZ_OK)
		fail_msg("%s", device->failure.text);
	return seen;
}

const void *test_look(const oz_world *world, const void *buffer, size_t size)
{
	return test_see(world->sim.device, buffer, size);
}

void test_put(const oz_world *world, void *buffer, size_t offset, const void *host, size_t size)
{
	world->sim.device->ops->write(world->sim.device, buffer, offset, host, size);
}

// ---- worlds -----------------------------------------------------------------------------------

oz_world *test_world(const oz_world_def *def)
{
	oz_world *world;
	oz_error error = {0};
	if (oz_world_create(def, &world, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return world;
}

oz_id test_water(oz_world *world)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	oz_id id;
	snprintf(def.name, sizeof def.name, "water");
	assert_int_equal(oz_world_add_material(world, &def, &id, NULL), OZ_OK);
	return id;
}

oz_id test_body(oz_world *world, oz_id material, const oz_vec3 *points, uint32_t count)
{
	oz_body_def def = oz_body_default();
	oz_error error = {0};
	oz_id id;
	def.material = material;
	def.points = points;
	def.count = count;
	if (oz_world_add_body(world, &def, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return id;
}

void test_steps(oz_world *world, uint32_t count)
{
	oz_error error = {0};
	for (uint32_t k = 0; k < count; k++)
		if (oz_world_step(world, NULL, &error) != OZ_OK)
			fail_msg("%s", error.text);
}

static void add_block(oz_world *world, oz_id material, float spacing)
{
	oz_shape block = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.32f, 0.4f, 0.4f});
	oz_vec3 *points;
	uint32_t count;
	block.position = (oz_vec3){-0.24f, -0.1f, 0};
	assert_int_equal(oz_shape_fill(&block, spacing, OZ_FILL_LATTICE, &points, &count, NULL),
	                 OZ_OK);
	test_body(world, material, points, count);
	oz_points_free(points);
}

oz_world *test_dam(uint32_t threads, float spacing, test_memory *memory)
{
	oz_world_def def = oz_world_default();
	def.spacing = spacing;
	def.threads = threads;
	if (memory)
		def.hooks = test_memory_hooks(memory);
	oz_world *world = test_world(&def);
	oz_collider_def vessel =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.8f, 0.6f, 0.4f}));
	vessel.inside = true;
	vessel.friction = 0.1f;
	assert_int_equal(oz_world_add_collider(world, &vessel, NULL, NULL), OZ_OK);
	add_block(world, test_water(world), spacing);
	return world;
}

static void add_ball(oz_world *world)
{
	const oz_keyframe path[] = {{0, {0.2f, -0.2f, 0}, {0, 0, 0, 1}},
	                            {0.1f, {0.1f, -0.2f, 0.05f}, {0, 0.6f, 0, 0.8f}},
	                            {0.25f, {0.2f, -0.2f, 0}, {0, 0, 0, 1}}};
	oz_collider_def ball =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.08f, 0, 0}));
	ball.keyframes = path;
	ball.keyframe_count = 3;
	ball.loop = true;
	ball.friction = 0.3f;
	ball.restitution = 0.2f;
	assert_int_equal(oz_world_add_collider(world, &ball, NULL, NULL), OZ_OK);
}

oz_world *test_busy_dam(uint32_t threads, float spacing, test_memory *memory)
{
	oz_world *world = test_dam(threads, spacing, memory);
	oz_material_def oil = oz_material_default(OZ_FLUID);
	oz_id id;
	snprintf(oil.name, sizeof oil.name, "oil");
	oil.density = 850;
	oil.viscosity = 0.1f;
	assert_int_equal(oz_world_add_material(world, &oil, &id, NULL), OZ_OK);
	oz_emitter_def nozzle = oz_emitter_default(id);
	nozzle.position = (oz_vec3){0.1f, 0.05f, 0};
	nozzle.direction = (oz_vec3){0.3f, -1, 0.1f};
	nozzle.radius = 0.07f;
	nozzle.speed = 1.5f;
	nozzle.start = 0.1f;
	assert_int_equal(oz_world_add_emitter(world, &nozzle, NULL, NULL), OZ_OK);
	add_ball(world);
	return world;
}

// ---- SDF walls ----------------------------------------------------------------------------

static const float sdf_block = 0.06f, sdf_ball = 0.07f, sdf_ring[2] = {0.09f, 0.03f}; // m

static void near_block(void *context, const oz_vec3 *points, uint32_t count,
                       oz_nearest_point *nearest)
{
	(void)context;
	for (uint32_t i = 0; i < count; i++) {
		const float *p = &points[i].x;
		float way[3], most = -1e9f, out = 0;
		int face = 0;
		for (int k = 0; k < 3; k++) {
			const float d = fabsf(p[k]) - sdf_block;
			way[k] = copysignf(fmaxf(d, 0), p[k]);
			out += way[k] * way[k];
			face = d > most ? k : face;
			most = fmaxf(most, d);
		}
		if (most < 0)
			way[face] = copysignf(most, p[face]);
		nearest[i] =
		        (oz_nearest_point){way[0], way[1], way[2], most < 0 ? most : sqrtf(out)};
	}
}

// of a tube around a circle with that radius; 0: around the middle, which is a ball
static oz_nearest_point near_tube(oz_vec3 p, float radius, float tube)
{
	const float around = hypotf(p.x, p.z), reach = around > 0 ? radius / around : 0;
	const oz_vec3 out = {p.x - reach * p.x, p.y, p.z - reach * p.z};
	const float length = sqrtf(out.x * out.x + out.y * out.y + out.z * out.z);
	const float d = length - tube, part = length > 0 ? d / length : 0;
	return (oz_nearest_point){part * out.x, part * out.y, part * out.z, d};
}

static void near_ball(void *context, const oz_vec3 *points, uint32_t count,
                      oz_nearest_point *nearest)
{
	(void)context;
	for (uint32_t i = 0; i < count; i++)
		nearest[i] = near_tube(points[i], 0, sdf_ball);
}

static void near_ring(void *context, const oz_vec3 *points, uint32_t count,
                      oz_nearest_point *nearest)
{
	(void)context;
	for (uint32_t i = 0; i < count; i++)
		nearest[i] = near_tube(points[i], sdf_ring[0], sdf_ring[1]);
}

static oz_collider_def sdf(const oz_world *world, oz_nearest_fn nearest, oz_vec3 position)
{
	const float spacing = oz_world_get_def(world)->spacing;
	const oz_sdf_def def = {.min = {-0.12f, -0.12f, -0.12f},
	                        .max = {0.12f, 0.12f, 0.12f},
	                        .cell = 0.5f * spacing,
	                        .reach = 3 * spacing,
	                        .nearest = nearest,
	                        .threads = 1};
	oz_sdf *sdf;
	oz_shape shape = oz_shape_make(OZ_SHAPE_SDF, (oz_vec3){0, 0, 0});
	assert_int_equal(oz_sdf_make(&def, &sdf, NULL), OZ_OK);
	shape.sdf = sdf;
	shape.position = position;
	shape.rotation = (oz_quat){0.36f, 0.48f, 0, 0.8f};
	oz_collider_def collider = oz_collider_default(shape);
	collider.load = true;
	collider.friction = 0.2f;
	return collider;
}

oz_id test_sdfs(oz_world *world)
{
	const oz_keyframe path[] = {{0, {0.3f, -0.2f, 0.1f}, {0, 0, 0, 1}},
	                            {0.1f, {0.1f, -0.2f, 0.1f}, {0, 0.6f, 0, 0.8f}},
	                            {0.25f, {0.3f, -0.2f, 0.1f}, {0, 0, 0, 1}}};
	oz_collider_def walls[] = {sdf(world, near_block, (oz_vec3){0.08f, -0.25f, -0.1f}),
	                           sdf(world, near_ring, (oz_vec3){0.04f, -0.12f, 0.05f}),
	                           sdf(world, near_ball, (oz_vec3){0, 0, 0})};
	const oz_id first = oz_world_collider_count(world);
	walls[1].shell = true;
	walls[2].keyframes = path;
	walls[2].keyframe_count = 3;
	walls[2].loop = true;
	for (int k = 0; k < 3; k++) {
		assert_int_equal(oz_world_add_collider(world, &walls[k], NULL, NULL), OZ_OK);
		oz_sdf_release(walls[k].shape.sdf);
	}
	return first;
}

// ---- files and numbers ------------------------------------------------------------------------

char *test_read(const char *path, size_t *size)
{
	FILE *stream = fopen(path, "rb");
	assert_non_null(stream);
	assert_int_equal(fseek(stream, 0, SEEK_END), 0);
	*size = (size_t)ftell(stream);
	rewind(stream);
	char *data = malloc(*size + 1);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, *size, stream), *size);
	fclose(stream);
	return data;
}

void test_write(const char *path, const void *data, size_t size)
{
	FILE *stream = fopen(path, "wb");
	assert_non_null(stream);
	assert_int_equal(fwrite(data, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
}

static void dump_field(oz_world *world, oz_field field, size_t size, const char *path)
{
	oz_view view;
	oz_error error;
	assert_int_equal(oz_world_view(world, field, &view, &error), OZ_OK);
	FILE *stream = fopen(path, "wb");
	assert_non_null(stream);
	for (uint32_t i = 0; i < view.count; i++)
		fwrite((const char *)view.data + i * view.stride, size, 1, stream);
	assert_int_equal(fclose(stream), 0);
}

void test_dump_world(oz_world *world)
{
	dump_field(world, OZ_FIELD_POSITION, 12, "position.bin");
	dump_field(world, OZ_FIELD_VELOCITY, 12, "velocity.bin");
	dump_field(world, OZ_FIELD_DENSITY, 4, "density.bin");
	dump_field(world, OZ_FIELD_PRESSURE, 4, "pressure.bin");
	dump_field(world, OZ_FIELD_TEMPERATURE, 4, "temperature.bin");
	dump_field(world, OZ_FIELD_PHASE, 4, "phase.bin");
	dump_field(world, OZ_FIELD_ID, 4, "id.bin");
	dump_field(world, OZ_FIELD_BODY, 4, "body.bin");
	dump_field(world, OZ_FIELD_MATERIAL, 4, "material.bin");
}

// Marsaglia's xorshift
uint32_t test_random_bits(uint64_t *state)
{
	uint64_t x = *state ? *state : 88172645463325252u;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return (uint32_t)(x >> 32);
}

double test_random(uint64_t *state)
{
	return test_random_bits(state) / 4294967296.0;
}
