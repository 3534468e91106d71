// test_surface_attributes.c: what vertices take over from particles, surfaces of worlds, and the
// same bits on any number of threads.
#include "clouds.h"
#include "worlds.h"

// ---- what particles carry ----------------------------------------------------------------------

// A cloud with everything that particles can carry.
typedef struct dressed_cloud {
	cloud at;
	oz_vec3 *velocity, *colour;
	uint32_t *body, *material;
} dressed_cloud;

static oz_vec3 velocity_at(oz_vec3 x)
{
	const oz_vec3 spin = oz_cross(oz_v3(0.5f, -1, 2), x);
	return oz_add(spin, oz_v3(3 * x.y, 0, -x.x));
}

static oz_vec3 colour_at(oz_vec3 x)
{
	return oz_v3(0.5f + 0.3f * x.x, 0.5f - 0.2f * x.y, 0.4f + 0.1f * x.z);
}

static dressed_cloud dress(cloud at)
{
	const size_t count = at.count + 1u;
	dressed_cloud c = {at, calloc(count, sizeof(oz_vec3)), calloc(count, sizeof(oz_vec3)),
	                   calloc(count, sizeof(uint32_t)), calloc(count, sizeof(uint32_t))};
	for (uint32_t i = 0; i < at.count; i++) {
		c.velocity[i] = velocity_at(at.points[i]);
		c.colour[i] = colour_at(at.points[i]);
		c.body[i] = at.points[i].x < 0 ? 3 : 8;
		c.material[i] = at.points[i].x < 0 ? 1 : 0;
	}
	return c;
}

static oz_surface_input input_of_all(const dressed_cloud *c)
{
	const uint32_t count = c->at.count;
	return (oz_surface_input){.position = {c->at.points, sizeof(oz_vec3), count},
	                          .velocity = {c->velocity, sizeof(oz_vec3), count},
	                          .colour = {c->colour, sizeof(oz_vec3), count},
	                          .body = {c->body, sizeof(uint32_t), count},
	                          .material = {c->material, sizeof(uint32_t), count}};
}

static void free_dressed(dressed_cloud *c)
{
	free(c->at.points);
	free(c->velocity);
	free(c->colour);
	free(c->body);
	free(c->material);
}

static void velocity_and_colour_of_vertices_follow_a_linear_field(void **state)
{
	(void)state;
	const float most = oz_length(oz_v3(0.5f, -1, 2)) + 3; // m/s, about, at 1 m
	// under ASan a large ball takes long
	const float radius = test_is_quick() ? 0.5f : 1;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		oz_surface_def def = oz_surface_default(0.05f);
		def.kind = (oz_surface_kind)kind;
		dressed_cloud c = dress(test_cloud_ball(radius, 0.05f, OZ_FILL_BLUE_NOISE));
		oz_surface *s = test_surface(def);
		const oz_surface_mesh m = test_surface_build(s, input_of_all(&c));
		assert_true(m.vertex_count > 1000);
		for (uint32_t v = 0; v < m.vertex_count; v++) {
			const oz_vec3 off = oz_sub(m.velocity[v], velocity_at(m.position[v]));
			const oz_vec3 tint = oz_sub(m.colour[v], colour_at(m.position[v]));
			assert_true(oz_length(off) < 0.05f * most);
			assert_true(oz_length(tint) < 0.03f);
		}
		oz_surface_destroy(s);
		free_dressed(&c);
	}
}

static void vertices_have_the_body_and_material_of_the_nearest_particle(void **state)
{
	(void)state;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 0.4f, 0.5f});
		oz_surface_def def = oz_surface_default(0.05f);
		def.kind = (oz_surface_kind)kind;
		dressed_cloud c = dress(test_cloud(box, 0.05f, OZ_FILL_BLUE_NOISE));
		oz_surface *s = test_surface(def);
		const oz_surface_mesh m = test_surface_build(s, input_of_all(&c));
		uint32_t bodies[2] = {0, 0};
		for (uint32_t v = 0; v < m.vertex_count; v++) {
			const uint32_t i = test_cloud_nearest(&c.at, m.position[v]);
			assert_int_equal(m.body[v], c.body[i]);
			assert_int_equal(m.material[v], c.material[i]);
			bodies[m.body[v] == 8]++;
		}
		assert_true(bodies[0] > 100 && bodies[1] > 100);
		oz_surface_destroy(s);
		free_dressed(&c);
	}
}

static void what_the_input_lacks_is_null(void **state)
{
	(void)state;
	dressed_cloud c = dress(test_cloud_ball(0.3f, 0.05f, OZ_FILL_LATTICE));
	oz_surface *s = test_surface(oz_surface_default(0.05f));
	// with all of it first, so that old arrays are there to be shown by mistake
	for (int lack = 0; lack < 5; lack++) {
		oz_surface_input in = input_of_all(&c);
		in.velocity.data = lack == 1 || lack == 4 ? NULL : in.velocity.data;
		in.colour.data = lack == 2 || lack == 4 ? NULL : in.colour.data;
		in.body.data = lack == 3 || lack == 4 ? NULL : in.body.data;
		in.material.data = lack == 3 || lack == 4 ? NULL : in.material.data;
		const oz_surface_mesh m = test_surface_build(s, in);
		assert_true((m.velocity != NULL) == (in.velocity.data != NULL));
		assert_true((m.colour != NULL) == (in.colour.data != NULL));
		assert_true((m.body != NULL) == (in.body.data != NULL));
		assert_true((m.material != NULL) == (in.material.data != NULL));
		assert_non_null(m.position);
		assert_non_null(m.normal);
	}
	oz_surface_destroy(s);
	free_dressed(&c);
}

// ---- threads -----------------------------------------------------------------------------------

static uint64_t mixed(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	for (size_t k = 0; k < size; k++)
		hash = (hash ^ bytes[k]) * 0x100000001b3u;
	return hash;
}

static uint64_t hash_mesh(const oz_surface_mesh *m)
{
	const void *const arrays[] = {m->position, m->normal, m->velocity, m->colour};
	uint64_t hash = mixed(0xcbf29ce484222325u, &m->vertex_count, sizeof m->vertex_count);
	for (int k = 0; k < 4; k++)
		hash = mixed(hash, arrays[k], sizeof(oz_vec3) * m->vertex_count);
	hash = mixed(hash, m->body, sizeof(uint32_t) * m->vertex_count);
	hash = mixed(hash, m->material, sizeof(uint32_t) * m->vertex_count);
	return mixed(hash, m->triangles, 3 * sizeof(uint32_t) * (size_t)m->triangle_count);
}

// a ball in the corner of a vessel, with spray around it
static dressed_cloud busy_cloud(void)
{
	uint64_t seed = 11;
	cloud c = test_cloud_ball(test_is_quick() ? 0.5f : 0.8f, 0.05f, OZ_FILL_BLUE_NOISE);
	cloud spray = {malloc(sizeof(oz_vec3) * 500), 500};
	for (uint32_t i = 0; i < spray.count; i++)
		spray.points[i] = test_in_box(&seed, 2);
	test_cloud_join(&c, spray, oz_v3(-1, -1, -1));
	return dress(c);
}

static void the_same_bits_on_any_number_of_threads(void **state)
{
	(void)state;
	static const uint32_t threads[] = {1, 3, 2, 8};
	const int tries = test_is_quick() ? 2 : 4;
	const oz_shape wall = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1.64f, 1.64f, 1.64f});
	dressed_cloud c = busy_cloud();
	oz_surface_input in = input_of_all(&c);
	in.walls = &wall;
	in.wall_count = 1;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		uint64_t first = 0;
		for (int k = 0; k < tries; k++) {
			oz_surface_def def = oz_surface_default(0.05f);
			def.kind = (oz_surface_kind)kind;
			def.smoothing = 4;
			def.specks = 3;
			def.threads = threads[k];
			oz_surface *s = test_surface(def);
			// the second one in memory that the first has left
			for (int again = 0; again < 2; again++) {
				const oz_surface_mesh m = test_surface_build(s, in);
				const uint64_t hash = hash_mesh(&m);
				assert_true(m.vertex_count > 1000);
				first = first ? first : hash;
				assert_true(hash == first);
			}
			oz_surface_destroy(s);
		}
	}
	free_dressed(&c);
}

// ---- worlds ------------------------------------------------------------------------------------

static void bodies_of_a_world_have_surfaces_alone_and_together(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = 0.05f;
	oz_world *world = test_world(&def);
	const oz_id water = test_water(world);
	cloud small = test_cloud_ball(0.3f, 0.05f, OZ_FILL_LATTICE), large = {NULL, 0};
	test_cloud_join(&large, test_cloud_ball(0.5f, 0.05f, OZ_FILL_LATTICE), oz_v3(2, 0, 0));
	oz_surface *s = test_surface(oz_surface_default(0.05f));
	oz_surface_mesh mesh;
	oz_error error = {0};
	assert_int_equal(oz_surface_of_world(s, world, OZ_NONE, &mesh, &error), OZ_OK);
	assert_int_equal(mesh.vertex_count, 0);
	const oz_id bodies[3] = {test_add_points(world, water, small.points, small.count,
	                                         (oz_vec3){0, 0, 0}),
	                         test_add_points(world, water, large.points, large.count,
	                                         (oz_vec3){0, 0, 0}),
	                         OZ_NONE};
	double volume[3];
	for (int k = 0; k < 3; k++) {
		assert_int_equal(oz_surface_of_world(s, world, bodies[k], &mesh, &error), OZ_OK);
		assert_int_equal(test_surface_is_closed(&mesh), k < 2 ? 2 : 4);
		assert_true(mesh.velocity && mesh.body && mesh.material && !mesh.colour);
		for (uint32_t v = 0; v < mesh.vertex_count; v++)
			assert_int_equal(mesh.body[v], bodies[mesh.position[v].x > 1]);
		volume[k] = oz_surface_volume(&mesh);
	}
	assert_true(fabs(volume[0] / 0.113097 - 1) < 0.05);
	assert_true(fabs(volume[1] / 0.523599 - 1) < 0.05);
	assert_true(fabs((volume[0] + volume[1]) / volume[2] - 1) < 1e-5);
	oz_surface_destroy(s);
	oz_world_destroy(world);
	free(small.points);
	free(large.points);
}

static void a_world_s_colliders_are_walls_that_its_surface_fits(void **state)
{
	(void)state;
	oz_world *world = test_dam(1, 0.04f, NULL);
	oz_surface_def def = oz_surface_default(0.04f);
	oz_surface *s = test_surface(def);
	oz_surface_mesh mesh;
	oz_shape vessel;
	bool inside;
	uint32_t fitting = 0;
	assert_int_equal(oz_surface_of_world(s, world, OZ_NONE, &mesh, NULL), OZ_OK);
	assert_int_equal(oz_world_get_collider(world, 0, &vessel, &inside, NULL), OZ_OK);
	for (uint32_t v = 0; v < mesh.vertex_count; v++)
		fitting += fabsf(oz_shape_distance(&vessel, mesh.position[v])) < 1e-4f * 0.04f;
	// the block touches five of the vessel's six sides with more than half of its own
	assert_true(fitting > mesh.vertex_count / 2);
	oz_surface_destroy(s);
	oz_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(velocity_and_colour_of_vertices_follow_a_linear_field),
	        cmocka_unit_test(vertices_have_the_body_and_material_of_the_nearest_particle),
	        cmocka_unit_test(what_the_input_lacks_is_null),
	        cmocka_unit_test(the_same_bits_on_any_number_of_threads),
	        cmocka_unit_test(bodies_of_a_world_have_surfaces_alone_and_together),
	        cmocka_unit_test(a_world_s_colliders_are_walls_that_its_surface_fits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
