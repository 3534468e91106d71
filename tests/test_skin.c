// test_skin.c: skins that particles carry: exact where the motion is affine, whole where the
// particles are a sheet, a rod or one; the same bits in any order and on any number of threads.
#include "clouds.h"
#include "math/quat.h"
#include "meshes.h"
#include "ooze/skin.h"
#include "worlds.h"

#define SPACING 0.05f

// a mesh, the particles that carry it and their ids
typedef struct carried {
	oz_mesh mesh;
	cloud particles;
	uint32_t *id;
} carried;

static carried carry(oz_mesh mesh, cloud particles)
{
	carried c = {mesh, particles, malloc(sizeof *c.id * (particles.count + 1))};
	for (uint32_t i = 0; i < particles.count; i++)
		c.id[i] = 100 + i;
	return c;
}

static carried ball_on_ball(void)
{
	return carry(test_mesh_ball(0.5f, 4), test_cloud_ball(0.5f, SPACING, OZ_FILL_LATTICE));
}

static void drop(carried *c)
{
	oz_mesh_free(&c->mesh);
	free(c->particles.points);
	free(c->id);
}

static oz_skin_def def_of(const carried *c)
{
	oz_skin_def def = oz_skin_default(SPACING);
	def.vertices = c->mesh.vertices;
	def.vertex_count = c->mesh.vertex_count;
	def.triangles = (const uint32_t(*)[3])c->mesh.triangles;
	def.triangle_count = c->mesh.triangle_count;
	def.position = (oz_view){c->particles.points, sizeof(oz_vec3), c->particles.count};
	def.id = (oz_view){c->id, sizeof(uint32_t), c->particles.count};
	return def;
}

static oz_skin *create(const oz_skin_def *def)
{
	oz_skin *skin;
	oz_error error = {0};
	if (oz_skin_create(def, &skin, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return skin;
}

static oz_skin_input input_at(const carried *c, const oz_vec3 *x)
{
	return (oz_skin_input){.position = {x, sizeof *x, c->particles.count},
	                       .id = {c->id, sizeof *c->id, c->particles.count}};
}

static oz_surface_mesh pose(oz_skin *skin, const oz_skin_input *in)
{
	oz_surface_mesh mesh;
	oz_error error = {0};
	if (oz_skin_pose(skin, in, &mesh, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return mesh;
}

// an affine motion
typedef struct motion {
	oz_mat3 map;
	oz_vec3 shift;
} motion;

static oz_vec3 move(const motion *m, oz_vec3 x)
{
	return oz_add(oz_mat3_mul_vec(m->map, x), m->shift);
}

static motion rotation_of(float x, float y, float z)
{
	return (motion){oz_quat_to_mat3(oz_quat_from_euler_degrees(oz_v3(x, y, z))),
	                oz_v3(0.3f, -0.7f, 1.1f)};
}

static oz_vec3 *moved(const carried *c, const motion *m)
{
	oz_vec3 *x = malloc(sizeof *x * (c->particles.count + 1));
	for (uint32_t i = 0; i < c->particles.count; i++)
		x[i] = move(m, c->particles.points[i]);
	return x;
}

// the farthest that a vertex is from where the motion takes it
static float worst_miss(const carried *c, const motion *m)
{
	const oz_skin_def def = def_of(c);
	oz_skin *skin = create(&def);
	oz_vec3 *x = moved(c, m);
	const oz_skin_input in = input_at(c, x);
	const oz_surface_mesh mesh = pose(skin, &in);
	float worst = 0;
	assert_int_equal(mesh.vertex_count, c->mesh.vertex_count);
	assert_int_equal(mesh.triangle_count, c->mesh.triangle_count);
	for (uint32_t v = 0; v < mesh.vertex_count; v++) {
		const oz_vec3 d = oz_sub(mesh.position[v], move(m, c->mesh.vertices[v]));
		assert_true(isfinite(oz_length2(d)));
		assert_true(fabsf(oz_length(mesh.normal[v]) - 1) < 1e-4f);
		worst = oz_max(worst, oz_length(d));
	}
	free(x);
	oz_skin_destroy(skin);
	return worst;
}

// ---- exact motions -----------------------------------------------------------------------------

static void a_body_that_turns_takes_its_skin_along_exactly(void **state)
{
	(void)state;
	for (int fill_kind = 0; fill_kind < OZ_FILL_COUNT; fill_kind++) {
		carried c = carry(test_mesh_ball(0.5f, 4),
		                  test_cloud_ball(0.5f, SPACING, (oz_fill)fill_kind));
		for (int k = 0; k < 8; k++) {
			const motion m = rotation_of(25.0f * (float)k, 45.0f * (float)k, -70);
			assert_true(worst_miss(&c, &m) < 1e-5f);
		}
		drop(&c);
	}
}

static void any_affine_motion_is_exact(void **state)
{
	(void)state;
	static const oz_mat3 maps[] = {
	        {{{2, 0, 0}, {0, 0.3f, 0}, {0, 0, 1}}},             // drawn out and squeezed
	        {{{1, 0.9f, 0}, {0, 1, 0}, {0, -0.4f, 1}}},         // sheared
	        {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},               // a mirror
	        {{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}},                // pressed flat
	        {{{0.4f, -1.3f, 0.2f}, {0.7f, 0.1f, 2}, {1, 1, 1}}} // anything
	};
	carried c = ball_on_ball();
	for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
		const motion m = {maps[k], {5, 6, -7}};
		assert_true(worst_miss(&c, &m) < 1e-5f);
	}
	drop(&c);
}

static void carried_normals_are_those_of_the_moved_surface(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	oz_skin_def def = def_of(&c);
	oz_vec3 *normals = malloc(sizeof *normals * c.mesh.vertex_count);
	for (uint32_t v = 0; v < c.mesh.vertex_count; v++)
		normals[v] = oz_normalize(c.mesh.vertices[v]);
	def.normals = normals;
	oz_skin *skin = create(&def);
	const motion m = {{{{2, 0, 0}, {0, 1, 0}, {0, 0, 0.5f}}}, {0, 0, 0}};
	oz_vec3 *x = moved(&c, &m);
	const oz_skin_input in = input_at(&c, x);
	const oz_surface_mesh mesh = pose(skin, &in);
	for (uint32_t v = 0; v < mesh.vertex_count; v++) {
		const oz_vec3 N = normals[v];
		const oz_vec3 n = oz_normalize(oz_v3(N.x / 2, N.y, N.z / 0.5f));
		assert_true(oz_length(oz_sub(n, mesh.normal[v])) < 1e-4f);
	}
	free(x);
	free(normals);
	oz_skin_destroy(skin);
	drop(&c);
}

static void a_skin_at_rest_is_the_mesh(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	const motion m = {oz_mat3_identity(), {0, 0, 0}};
	assert_true(worst_miss(&c, &m) < 1e-6f);
	drop(&c);
}

// ---- sheets, rods, one particle ----------------------------------------------------------------

static void a_flat_sheet_takes_both_of_its_sides_along(void **state)
{
	(void)state;
	oz_mesh box = test_mesh_cube();
	for (uint32_t v = 0; v < box.vertex_count; v++)
		box.vertices[v].y *= 0.1f;
	carried c = carry(box, test_cloud(oz_shape_make(OZ_SHAPE_SHEET, oz_v3(1, 0, 1)), SPACING,
	                                  OZ_FILL_LATTICE));
	for (int k = 0; k < 12; k++) {
		const motion m = rotation_of(30.0f * (float)k, 10, 15.0f * (float)k);
		assert_true(worst_miss(&c, &m) < 1e-5f);
	}
	// drawn out in its plane, it keeps its thickness
	const motion wide = {{{{2, 0, 0}, {0, 1, 0}, {0, 0, 1.5f}}}, {0, 0, 0}};
	assert_true(worst_miss(&c, &wide) < 1e-5f);
	drop(&c);
}

// particles of a rod do not determine its rotation about its own axis; the smallest is taken
static void a_rod_turns_its_skin_as_little_as_it_can(void **state)
{
	(void)state;
	oz_mesh box = test_mesh_cube();
	for (uint32_t v = 0; v < box.vertex_count; v++)
		box.vertices[v].x *= 0.1f, box.vertices[v].z *= 0.1f;
	carried c = carry(box, test_cloud(oz_shape_make(OZ_SHAPE_ROD, oz_v3(0, 1, 0)), SPACING,
	                                  OZ_FILL_LATTICE));
	for (int k = -5; k <= 5; k++) {
		const motion about_z = rotation_of(0, 0, 30.0f * (float)k);
		const motion about_x = rotation_of(30.0f * (float)k, 0, 0);
		assert_true(worst_miss(&c, &about_z) < 1e-5f);
		assert_true(worst_miss(&c, &about_x) < 1e-5f);
	}
	drop(&c);
}

static void one_particle_carries_a_whole_skin(void **state)
{
	(void)state;
	cloud one = {malloc(sizeof(oz_vec3)), 1};
	one.points[0] = oz_v3(0.01f, 0.02f, 0);
	carried c = carry(test_mesh_ball(0.5f, 4), one);
	const motion m = {oz_mat3_identity(), {3, 4, 5}};
	assert_true(worst_miss(&c, &m) < 1e-5f);
	drop(&c);
}

static void vertices_far_from_all_particles_take_the_nearest(void **state)
{
	(void)state;
	carried c = carry(test_mesh_ball(2.0f, 4), test_cloud_ball(0.3f, SPACING, OZ_FILL_LATTICE));
	const motion m = rotation_of(10, 140, 20);
	assert_true(worst_miss(&c, &m) < 1e-4f);
	drop(&c);
}

static void particles_in_one_place_make_no_nan(void **state)
{
	(void)state;
	uint64_t seed = 5;
	const int fine = test_is_quick() ? 3 : 4;
	for (int kind = 0; kind < CLOUD_KINDS; kind++) {
		carried c = carry(test_mesh_ball(0.2f, fine),
		                  test_cloud_random(kind, &seed, 300, SPACING));
		const motion nothing = {oz_mat3_zero(), {1, 2, 3}};
		assert_true(isfinite(worst_miss(&c, &nothing)));
		const motion rotated = rotation_of(50, 60, 70);
		assert_true(isfinite(worst_miss(&c, &rotated)));
		drop(&c);
	}
	cloud heap = {calloc(500, sizeof(oz_vec3)), 500};
	carried c = carry(test_mesh_ball(0.2f, fine), heap);
	const motion m = {oz_mat3_identity(), {1, 0, 0}};
	assert_true(worst_miss(&c, &m) < 1e-5f);
	drop(&c);
}

// ---- order, threads, small steps ---------------------------------------------------------------

// a bend that is far from affine
static oz_vec3 *bent(const carried *c, float by)
{
	oz_vec3 *x = malloc(sizeof *x * (c->particles.count + 1));
	for (uint32_t i = 0; i < c->particles.count; i++) {
		const oz_vec3 X = c->particles.points[i];
		const float a = by * X.y;
		x[i] = oz_v3(X.x * cosf(a) - X.z * sinf(a), X.y + by * X.x * X.x,
		             X.x * sinf(a) + X.z * cosf(a));
	}
	return x;
}

static void assert_same_mesh(const oz_surface_mesh *a, const oz_surface_mesh *b)
{
	const size_t bytes = sizeof(oz_vec3) * a->vertex_count;
	assert_int_equal(a->vertex_count, b->vertex_count);
	assert_memory_equal(a->position, b->position, bytes);
	assert_memory_equal(a->normal, b->normal, bytes);
	assert_memory_equal(a->velocity, b->velocity, bytes);
	assert_memory_equal(a->body, b->body, sizeof(uint32_t) * a->vertex_count);
}

// a particle with all it has, as worlds move it about
typedef struct grain {
	oz_vec3 rest, now, velocity;
	uint32_t id, body;
} grain;

static grain *grains_of(const carried *c)
{
	grain *g = malloc(sizeof *g * c->particles.count);
	oz_vec3 *now = bent(c, 2);
	for (uint32_t i = 0; i < c->particles.count; i++)
		g[i] = (grain){c->particles.points[i], now[i], oz_v3(now[i].z, 1, now[i].x),
		               c->id[i], i % 7};
	free(now);
	return g;
}

static void shuffle(grain *g, uint32_t count, uint64_t *seed)
{
	for (uint32_t i = count; i > 1; i--) {
		const uint32_t k = (uint32_t)(test_random(seed) * i);
		const grain other = g[k];
		g[k] = g[i - 1];
		g[i - 1] = other;
	}
}

static oz_skin *bind_grains(const carried *c, const grain *g, uint32_t threads)
{
	oz_skin_def def = def_of(c);
	def.position = (oz_view){&g->rest, sizeof *g, c->particles.count};
	def.id = (oz_view){&g->id, sizeof *g, c->particles.count};
	def.threads = threads;
	return create(&def);
}

static oz_skin_input input_of_grains(const grain *g, uint32_t count)
{
	return (oz_skin_input){.position = {&g->now, sizeof *g, count},
	                       .id = {&g->id, sizeof *g, count},
	                       .velocity = {&g->velocity, sizeof *g, count},
	                       .body = {&g->body, sizeof *g, count}};
}

static void the_order_of_particles_changes_no_bit(void **state)
{
	(void)state;
	uint64_t seed = 3;
	carried c = ball_on_ball();
	grain *g = grains_of(&c), *other = grains_of(&c);
	oz_skin *a = bind_grains(&c, g, 1);
	const oz_skin_input in = input_of_grains(g, c.particles.count);
	const oz_surface_mesh mesh = pose(a, &in);
	for (int k = 0; k < 3; k++) {
		shuffle(other, c.particles.count, &seed);
		oz_skin *b = bind_grains(&c, other, 1);
		shuffle(other, c.particles.count, &seed);
		const oz_skin_input shuffled = input_of_grains(other, c.particles.count);
		const oz_surface_mesh same = pose(b, &shuffled);
		assert_same_mesh(&mesh, &same);
		oz_skin_destroy(b);
	}
	oz_skin_destroy(a);
	free(g);
	free(other);
	drop(&c);
}

static void the_number_of_threads_changes_no_bit(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	grain *g = grains_of(&c);
	const oz_skin_input in = input_of_grains(g, c.particles.count);
	oz_skin *one = bind_grains(&c, g, 1);
	const oz_surface_mesh mesh = pose(one, &in);
	for (uint32_t threads = 2; threads <= 8; threads += 3) {
		oz_skin *many = bind_grains(&c, g, threads);
		const oz_surface_mesh same = pose(many, &in);
		assert_same_mesh(&mesh, &same);
		oz_skin_destroy(many);
	}
	oz_skin_destroy(one);
	free(g);
	drop(&c);
}

static void a_small_motion_moves_vertices_little(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	const oz_skin_def def = def_of(&c);
	oz_skin *a = create(&def), *b = create(&def);
	for (float by = 0; by < 3; by += 0.5f) {
		oz_vec3 *x = bent(&c, by), *y = bent(&c, by + 1e-3f);
		const oz_skin_input in_x = input_at(&c, x), in_y = input_at(&c, y);
		const oz_surface_mesh before = pose(a, &in_x), after = pose(b, &in_y);
		float most = 0;
		for (uint32_t i = 0; i < c.particles.count; i++)
			most = oz_max(most, oz_length(oz_sub(x[i], y[i])));
		for (uint32_t v = 0; v < before.vertex_count; v++) {
			const oz_vec3 d = oz_sub(before.position[v], after.position[v]);
			assert_true(oz_length(d) < 2 * most);
		}
		free(x);
		free(y);
	}
	oz_skin_destroy(a);
	oz_skin_destroy(b);
	drop(&c);
}

// vertices that lie next to each other do so afterwards, whichever particles they hang on
static void neighbours_in_the_mesh_stay_neighbours(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	oz_mesh_free(&c.mesh);
	enum { COUNT = 4000 };
	c.mesh = (oz_mesh){.vertices = malloc(sizeof(oz_vec3) * COUNT), .vertex_count = COUNT};
	// a way from the middle of the ball to far outside
	for (uint32_t v = 0; v < COUNT; v++)
		c.mesh.vertices[v] = oz_scale(oz_v3(0.8f, 0.5f, 0.33f), (float)v * 2e-4f);
	const oz_skin_def def = def_of(&c);
	oz_skin *skin = create(&def);
	oz_vec3 *x = bent(&c, 2);
	const oz_skin_input in = input_at(&c, x);
	const oz_surface_mesh mesh = pose(skin, &in);
	for (uint32_t v = 1; v < COUNT; v++)
		assert_true(oz_length(oz_sub(mesh.position[v], mesh.position[v - 1])) < 2e-3f);
	oz_skin_destroy(skin);
	free(x);
	drop(&c);
}

// ---- others, nothing, wrong things -------------------------------------------------------------

static void other_bodies_do_not_count(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	const uint32_t own = c.particles.count;
	test_cloud_join(&c.particles, test_cloud_ball(0.5f, SPACING, OZ_FILL_LATTICE),
	                oz_v3(0.5f, 0, 0));
	const uint32_t all = c.particles.count;
	uint32_t *body = calloc(all, sizeof *body);
	c.id = realloc(c.id, sizeof *c.id * all);
	for (uint32_t i = own; i < all; i++)
		body[i] = 1, c.id[i] = 100 + i;
	oz_skin_def def = def_of(&c);
	def.body = (oz_view){body, sizeof *body, all};
	def.carrier = 0;
	oz_skin *skin = create(&def);
	const motion m = rotation_of(20, 30, 40);
	oz_vec3 *x = moved(&c, &m);
	for (uint32_t i = own; i < all; i++)
		x[i] = oz_v3(9, 9, 9);
	const oz_skin_input in = input_at(&c, x);
	const oz_surface_mesh mesh = pose(skin, &in);
	for (uint32_t v = 0; v < mesh.vertex_count; v++)
		assert_true(oz_length(oz_sub(mesh.position[v], move(&m, c.mesh.vertices[v]))) <
		            1e-5f);
	oz_skin_destroy(skin);
	free(x);
	free(body);
	drop(&c);
}

// two balls of rubber in a world, of which the second one flies and spins
static oz_world *world_of_balls(const cloud *c)
{
	oz_world_def def = oz_world_default();
	oz_material_def rubber = oz_material_default(OZ_BLEND);
	oz_body_def body = oz_body_default();
	def.spacing = SPACING;
	def.gravity = oz_v3(0, 0, 0);
	rubber.alpha = 0;
	oz_world *world = test_world(&def);
	assert_int_equal(oz_world_add_material(world, &rubber, &body.material, NULL), OZ_OK);
	oz_vec3 *points = malloc(sizeof *points * c->count);
	for (uint32_t i = 0; i < c->count; i++)
		points[i] = oz_add(c->points[i], oz_v3(3, 0, 0));
	body.points = points;
	body.count = c->count;
	assert_int_equal(oz_world_add_body(world, &body, NULL, NULL), OZ_OK);
	body.points = c->points;
	body.velocity = oz_v3(0, 1, 0);
	body.spin = oz_v3(0, 0, 2);
	assert_int_equal(oz_world_add_body(world, &body, NULL, NULL), OZ_OK);
	free(points);
	return world;
}

static void a_world_carries_the_skin_of_one_of_its_bodies(void **state)
{
	(void)state;
	carried c = carry(test_mesh_ball(0.3f, 3), test_cloud_ball(0.3f, SPACING, OZ_FILL_LATTICE));
	oz_world *world = world_of_balls(&c.particles);
	oz_skin_def def = def_of(&c);
	def.carrier = 1;
	assert_int_equal(oz_world_view(world, OZ_FIELD_POSITION, &def.position, NULL), OZ_OK);
	assert_int_equal(oz_world_view(world, OZ_FIELD_ID, &def.id, NULL), OZ_OK);
	assert_int_equal(oz_world_view(world, OZ_FIELD_BODY, &def.body, NULL), OZ_OK);
	oz_skin *skin = create(&def);
	while (oz_world_time(world) < 0.25)
		assert_int_equal(oz_world_step_until(world, 0.25, NULL, NULL), OZ_OK);
	oz_surface_mesh mesh;
	assert_int_equal(oz_skin_of_world(skin, world, &mesh, NULL), OZ_OK);
	const oz_quat rotation = oz_quat_from_axis_angle(oz_v3(0, 0, 1), 0.5f);
	for (uint32_t v = 0; v < mesh.vertex_count; v++) {
		const oz_vec3 there =
		        oz_add(oz_quat_rotate(rotation, c.mesh.vertices[v]), oz_v3(0, 0.25f, 0));
		// it swells a little as it spins
		assert_true(oz_length(oz_sub(mesh.position[v], there)) < 0.5f * SPACING);
		assert_int_equal(mesh.body[v], 1);
		assert_true(fabsf(mesh.velocity[v].z) < 0.2f);
	}
	oz_skin_destroy(skin);
	oz_world_destroy(world);
	drop(&c);
}

static void an_empty_mesh_stays_empty(void **state)
{
	(void)state;
	carried c = carry((oz_mesh){0}, test_cloud_ball(0.2f, SPACING, OZ_FILL_LATTICE));
	const oz_skin_def def = def_of(&c);
	oz_skin *skin = create(&def);
	const oz_skin_input in = input_at(&c, c.particles.points);
	const oz_surface_mesh mesh = pose(skin, &in);
	assert_int_equal(mesh.vertex_count + mesh.triangle_count, 0);
	oz_skin_destroy(skin);
	drop(&c);
}

static void expect_refused(const oz_skin_def *def, const char *sentence)
{
	oz_skin *skin;
	oz_error error = {0};
	assert_int_not_equal(oz_skin_create(def, &skin, &error), OZ_OK);
	assert_null(skin);
	if (!strstr(error.text, sentence))
		fail_msg("'%s' is not in '%s'", sentence, error.text);
}

static void wrong_definitions_get_their_sentences(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	oz_skin_def def = def_of(&c);
	def.position.count = def.id.count = 0;
	expect_refused(&def, "no particle to carry the skin");
	def = def_of(&c);
	def.id.count--;
	expect_refused(&def, "give one of each for each particle");
	def = def_of(&c);
	def.spacing = NAN;
	expect_refused(&def, "skin.spacing is nan");
	def = def_of(&c);
	def.reach = 0;
	expect_refused(&def, "skin.reach is 0");
	def = def_of(&c);
	c.id[7] = c.id[8];
	expect_refused(&def, "two particles have the id 108");
	c.id[7]--;
	c.particles.points[9].y = NAN;
	expect_refused(&def, "particle 109 has no finite position");
	c.particles.points[9].y = 0;
	c.mesh.triangles[3][1] = c.mesh.vertex_count;
	expect_refused(&def, "triangle 3 of the skin names vertex");
	c.mesh.triangles[3][1] = 0;
	c.mesh.vertices[5].x = INFINITY;
	expect_refused(&def, "vertex 5 of the skin has no finite position");
	drop(&c);
}

static void expect_no_pose(oz_skin *skin, const oz_skin_input *in, const char *sentence)
{
	oz_surface_mesh mesh;
	oz_error error = {0};
	assert_int_not_equal(oz_skin_pose(skin, in, &mesh, &error), OZ_OK);
	assert_int_equal(mesh.vertex_count, 0);
	if (!strstr(error.text, sentence))
		fail_msg("'%s' is not in '%s'", sentence, error.text);
}

static void wrong_poses_get_their_sentences_and_the_next_one_is_right(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	const oz_skin_def def = def_of(&c);
	oz_skin *skin = create(&def);
	const motion m = rotation_of(1, 2, 3);
	oz_vec3 *x = moved(&c, &m);
	oz_skin_input in = input_at(&c, x);
	in.position.count = in.id.count = c.particles.count - 1;
	expect_no_pose(skin, &in, "which carries the skin, is missing");
	in = input_at(&c, x);
	in.velocity = (oz_view){x, sizeof *x, 3};
	expect_no_pose(skin, &in, "the view of velocity has 3 elements");
	in = input_at(&c, NULL);
	expect_no_pose(skin, &in, "needs positions and ids");
	in = input_at(&c, x);
	const oz_vec3 right = x[4];
	x[4].z = NAN;
	expect_no_pose(skin, &in, "particle 104 has no finite position");
	x[4] = right;
	const oz_surface_mesh mesh = pose(skin, &in);
	for (uint32_t v = 0; v < mesh.vertex_count; v++)
		assert_true(oz_length(oz_sub(mesh.position[v], move(&m, c.mesh.vertices[v]))) <
		            1e-5f);
	oz_skin_destroy(skin);
	free(x);
	drop(&c);
}

static void all_memory_comes_back(void **state)
{
	(void)state;
	carried c = ball_on_ball();
	const oz_skin_input in = input_at(&c, c.particles.points);
	test_memory memory = {.poison = 0xcd};
	oz_skin_def def = def_of(&c);
	def.hooks = test_memory_hooks(&memory);
	oz_skin *skin = create(&def);
	pose(skin, &in);
	assert_int_equal(oz_skin_bytes(skin), memory.bytes);
	const size_t needed = memory.peak;
	oz_skin_destroy(skin);
	test_memory_is_empty(&memory);
	for (size_t share = 1; share < 20; share++) {
		oz_error error = {0};
		memory.limit = needed * share / 20;
		assert_int_equal(oz_skin_create(&def, &skin, &error), OZ_ERROR_MEMORY);
		assert_true(strlen(error.text) > 20);
		test_memory_is_empty(&memory);
	}
	drop(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_skin_at_rest_is_the_mesh),
	        cmocka_unit_test(a_body_that_turns_takes_its_skin_along_exactly),
	        cmocka_unit_test(any_affine_motion_is_exact),
	        cmocka_unit_test(carried_normals_are_those_of_the_moved_surface),
	        cmocka_unit_test(a_flat_sheet_takes_both_of_its_sides_along),
	        cmocka_unit_test(a_rod_turns_its_skin_as_little_as_it_can),
	        cmocka_unit_test(one_particle_carries_a_whole_skin),
	        cmocka_unit_test(vertices_far_from_all_particles_take_the_nearest),
	        cmocka_unit_test(particles_in_one_place_make_no_nan),
	        cmocka_unit_test(the_order_of_particles_changes_no_bit),
	        cmocka_unit_test(the_number_of_threads_changes_no_bit),
	        cmocka_unit_test(a_small_motion_moves_vertices_little),
	        cmocka_unit_test(neighbours_in_the_mesh_stay_neighbours),
	        cmocka_unit_test(other_bodies_do_not_count),
	        cmocka_unit_test(a_world_carries_the_skin_of_one_of_its_bodies),
	        cmocka_unit_test(an_empty_mesh_stays_empty),
	        cmocka_unit_test(wrong_definitions_get_their_sentences),
	        cmocka_unit_test(wrong_poses_get_their_sentences_and_the_next_one_is_right),
	        cmocka_unit_test(all_memory_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
