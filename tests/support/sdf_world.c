// sdf_world.c: a tank of water with balls and a ring as SDF colliders.
#include "sdf_world.h"

// ---- SDFs of balls and rings -----------------------------------------------------------------

void test_near_ball(void *context, const oz_vec3 *points, uint32_t count, oz_nearest_point *nearest)
{
	const float radius = *(const float *)context;
	for (uint32_t k = 0; k < count; k++) {
		const float r = oz_length(points[k]), d = r - radius;
		const oz_vec3 way = r > 0 ? oz_scale(points[k], d / r) : oz_v3(d, 0, 0);
		nearest[k] = (oz_nearest_point){way.x, way.y, way.z, d};
	}
}

static void near_ring(void *context, const oz_vec3 *points, uint32_t count,
                      oz_nearest_point *nearest)
{
	const float *size = context;
	for (uint32_t k = 0; k < count; k++) {
		const oz_vec3 p = points[k];
		const float r = hypotf(p.x, p.z);
		const oz_vec3 core = r > 0 ? oz_v3(p.x / r * size[0], 0, p.z / r * size[0])
		                           : oz_v3(size[0], 0, 0);
		const oz_vec3 out = oz_sub(p, core);
		const float length = oz_length(out), d = length - size[1];
		const oz_vec3 way = length > 0 ? oz_scale(out, d / length) : oz_v3(0, d, 0);
		nearest[k] = (oz_nearest_point){way.x, way.y, way.z, d};
	}
}

static float ball_radius, ring_size[2]; // m

int test_usual_walls(void **state)
{
	(void)state;
	ball_radius = 0.12f;
	ring_size[0] = 0.2f;
	ring_size[1] = 0.06f;
	return 0;
}

int test_small_walls(void **state)
{
	(void)state;
	ball_radius = 0.03f;
	ring_size[0] = 0.04f;
	ring_size[1] = 0.02f;
	return 0;
}

oz_sdf_def test_ball_def(const oz_hooks *hooks)
{
	const float r = ball_radius;
	return (oz_sdf_def){.min = {-r, -r, -r},
	                    .max = {r, r, r},
	                    .cell = 0.5f * WALLS_SPACING,
	                    .reach = 3.5f * WALLS_SPACING,
	                    .nearest = test_near_ball,
	                    .context = &ball_radius,
	                    .threads = 1,
	                    .hooks = hooks ? *hooks : (oz_hooks){0}};
}

static oz_sdf_def ring_def(const oz_hooks *hooks)
{
	oz_sdf_def def = test_ball_def(hooks);
	const float wide = ring_size[0] + ring_size[1];
	def.min = (oz_vec3){-wide, -ring_size[1], -wide};
	def.max = (oz_vec3){wide, ring_size[1], wide};
	def.nearest = near_ring;
	def.context = ring_size;
	return def;
}

oz_sdf *test_sdf_made(const oz_sdf_def *def)
{
	oz_sdf *sdf = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_sdf_make(def, &sdf, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return sdf;
}

// ---- a world with all of them ------------------------------------------------------------------

static const oz_keyframe frames[] = {{0, {0.25f, -0.1f, 0}, {0, 0, 0, 1}},
                                     {0.3f, {-0.1f, -0.1f, 0.1f}, {0, 0.6f, 0, 0.8f}},
                                     {0.6f, {0.25f, -0.1f, 0}, {0, 0, 0, 1}}};

oz_result test_add_sdf(oz_world *w, const oz_sdf *sdf, oz_vec3 at, int kind, oz_error *error)
{
	oz_shape shape = oz_shape_make(OZ_SHAPE_SDF, (oz_vec3){0, 0, 0});
	shape.sdf = sdf;
	shape.position = at;
	oz_collider_def def = oz_collider_default(shape);
	def.load = true;
	def.friction = 0.2f;
	def.shell = kind == WALL_RING || kind == WALL_SHELL;
	def.keyframes = kind == WALL_MOVING ? frames : NULL;
	def.keyframe_count = kind == WALL_MOVING ? 3 : 0;
	def.loop = true;
	return oz_world_add_collider(w, &def, NULL, error);
}

static oz_result add_walls(oz_world *w, const oz_sdf *ball, const oz_sdf *other, const oz_sdf *ring,
                           oz_error *error)
{
	oz_collider_def tank =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1.2f, 0.8f, 0.5f}));
	tank.inside = true;
	tank.load = true;
	oz_result result = oz_world_add_collider(w, &tank, NULL, error);
	if (result == OZ_OK)
		result = test_add_sdf(w, ball, (oz_vec3){-0.2f, -0.2f, 0}, WALL_STILL, error);
	if (result == OZ_OK)
		result = test_add_sdf(w, other, (oz_vec3){0, 0, 0}, WALL_MOVING, error);
	if (result == OZ_OK)
		result = test_add_sdf(w, ring, (oz_vec3){0.25f, 0.2f, 0}, WALL_RING, error);
	if (result == OZ_OK)
		result = test_add_sdf(w, ball, (oz_vec3){-0.45f, 0.1f, 0.1f}, WALL_SHELL, error);
	return result;
}

static oz_result add_water(oz_world *w, oz_error *error)
{
	oz_material_def water = oz_material_default(OZ_FLUID);
	oz_body_def body = oz_body_default();
	oz_vec3 points[8 * 9 * 8];
	for (uint32_t k = 0; k < 8 * 9 * 8; k++) {
		const oz_vec3 p = {-0.05f + WALLS_SPACING * (float)(k % 8),
		                   -0.02f + WALLS_SPACING * (float)(k / 8 % 9),
		                   -0.18f + WALLS_SPACING * (float)(k / 72)};
		points[body.count] = p;
		// not in the walls
		const float r = hypotf(p.x - 0.25f, p.z) - ring_size[0];
		body.count += oz_length(oz_sub(p, frames[0].position)) > 0.15f &&
		              fabsf(hypotf(r, p.y - 0.2f) - ring_size[1]) > 0.02f;
	}
	body.points = points;
	const oz_result result = oz_world_add_material(w, &water, &body.material, error);
	return result == OZ_OK ? oz_world_add_body(w, &body, NULL, error) : result;
}

oz_result test_make_walls(uint32_t threads, const oz_hooks *hooks, bool apart, oz_world **world,
                          oz_error *error)
{
	const oz_sdf_def of_ball = test_ball_def(hooks), of_ring = ring_def(hooks);
	oz_sdf *ball = NULL, *other = NULL, *ring = NULL;
	oz_world_def def = oz_world_default();
	def.spacing = WALLS_SPACING;
	def.threads = threads;
	def.hooks = of_ball.hooks;
	oz_result result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_sdf_make(&of_ball, &ball, error);
	if (result == OZ_OK && apart)
		result = oz_sdf_make(&of_ball, &other, error);
	if (result == OZ_OK)
		result = oz_sdf_make(&of_ring, &ring, error);
	if (result == OZ_OK)
		result = add_walls(*world, ball, apart ? other : ball, ring, error);
	// the world holds them
	oz_sdf_release(ball);
	oz_sdf_release(other);
	oz_sdf_release(ring);
	return result == OZ_OK ? add_water(*world, error) : result;
}

oz_world *test_walls(uint32_t threads, bool apart)
{
	oz_world *w = NULL;
	oz_error error = {OZ_OK, ""};
	if (test_make_walls(threads, NULL, apart, &w, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return w;
}

test_loads test_take_loads(oz_world *w)
{
	test_loads all;
	memset(&all, 0, sizeof all);
	for (oz_id k = 0; k < WALL_COLLIDERS; k++)
		assert_int_equal(oz_world_take_load(w, k, &all.of[k], NULL), OZ_OK);
	return all;
}

void test_same_walls(oz_world *a, oz_world *b)
{
	const test_loads p = test_take_loads(a), q = test_take_loads(b);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	assert_memory_equal(&p, &q, sizeof p);
}
