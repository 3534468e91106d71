// dams.c: a dam break with much in it: a nozzle, a moving ball, sdf_collider walls.
#include "worlds.h"

static void add_block(oz_world *world, oz_id material, float spacing)
{
	oz_shape block = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.32f, 0.4f, 0.4f});
	oz_vec3 *points;
	uint32_t count;
	block.position = (oz_vec3){-0.24f, -0.1f, 0};
	assert_int_equal(oz_shape_fill(&block, spacing, OZ_FILL_LATTICE, &points, &count, NULL),
	                 OZ_OK);
	test_add_points(world, material, points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

static oz_world *vessel_of(const oz_world_def *like, uint32_t threads, float spacing,
                           test_memory *memory)
{
	oz_world_def def = *like;
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
	return world;
}

oz_world *test_dam(uint32_t threads, float spacing, test_memory *memory)
{
	const oz_world_def def = oz_world_default();
	oz_world *world = vessel_of(&def, threads, spacing, memory);
	add_block(world, test_water(world), spacing);
	return world;
}

oz_world *test_undamped_dam(uint32_t threads, float spacing)
{
	const oz_world_def def = oz_world_default();
	oz_world *world = vessel_of(&def, threads, spacing, NULL);
	oz_material_def water = oz_material_default(OZ_FLUID);
	water.damping = 0;
	add_block(world, test_add_material(world, &water), spacing);
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

// a nozzle that pours a second liquid
static void add_oil(oz_world *world)
{
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
}

oz_world *test_busy_dam(uint32_t threads, float spacing, test_memory *memory)
{
	oz_world *world = test_dam(threads, spacing, memory);
	add_oil(world);
	add_ball(world);
	return world;
}

// a block of these edges, its least corner there
static void add_body(oz_world *world, const oz_material_def *def, oz_vec3 at, oz_vec3 edges)
{
	const vec low = vec_wide(at);
	const oz_shape box = test_box(low, vec_mad(low, vec_wide(edges), 1));
	test_add_filled(world, test_add_material(world, def), &box, OZ_FILL_LATTICE);
}

oz_world *test_incompressible_dam(uint32_t threads, float spacing)
{
	oz_world_def def = oz_world_default();
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *world = vessel_of(&def, threads, spacing, NULL);
	oz_material_def rubber = test_elastic(1e5, 0.3), jelly = test_blend(0.6, 900);
	const oz_keyframe still[] = {{0, {-0.2f, 0.2f, -0.1f}, {0, 0, 0, 1}}};
	rubber.density = 500;
	add_block(world, test_water(world), spacing);
	add_oil(world);
	add_ball(world);
	add_body(world, &rubber, (oz_vec3){-0.28f, 0.12f, -0.18f}, (oz_vec3){0.16f, 0.12f, 0.16f});
	add_body(world, &jelly, (oz_vec3){-0.28f, 0.12f, 0.02f}, (oz_vec3){0.16f, 0.12f, 0.16f});
	test_add_handle(world, vec_of(-0.24, 0.2, -0.14), vec_of(-0.16, 0.3, -0.06), still, 1, 1);
	return world;
}

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

static oz_collider_def sdf_collider(const oz_world *world, oz_nearest_fn nearest, oz_vec3 position)
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
	oz_collider_def walls[] = {sdf_collider(world, near_block, (oz_vec3){0.08f, -0.25f, -0.1f}),
	                           sdf_collider(world, near_ring, (oz_vec3){0.04f, -0.12f, 0.05f}),
	                           sdf_collider(world, near_ball, (oz_vec3){0, 0, 0})};
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
