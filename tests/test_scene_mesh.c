// test_scene_mesh.c: colliders from meshes: a scene names a file, and it stands there as a solid.
//
// Meshes are written by the tests; SDFs are kept in a folder of the test's own.
#include <unistd.h>

#include "meshes.h"
#include "scene/scene.h"

#define WORLD  "\"world\": { \"spacing\": 0.05 }, "
#define COARSE "\"world\": { \"spacing\": 0.1 }, " // where no particles are counted
#define BLOCK                                                                                      \
	"\"bodies\": [ { \"material\": \"water\", \"shape\": \"box\", \"size\": [2, 2, 2] } ], "

static oz_scene *parse(const char *text)
{
	oz_scene *scene = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_scene_parse(text, strlen(text), "test.json", ".", &scene, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return scene;
}

static oz_world *build(const oz_scene *scene, const oz_hooks *hooks)
{
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_scene_build(scene, "cpu", 1, hooks, &world, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return world;
}

static uint32_t particles_of(const char *text)
{
	oz_scene *scene = parse(text);
	oz_world *world = build(scene, NULL);
	const uint32_t count = oz_world_particle_count(world);
	oz_world_destroy(world);
	oz_scene_free(scene);
	return count;
}

static void expect_no_build(const char *text, oz_result code, const char *sentence)
{
	oz_scene *scene = parse(text);
	oz_world *world = (oz_world *)1;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_scene_build(scene, "cpu", 1, NULL, &world, &error), code);
	assert_null(world);
	if (!strstr(error.text, sentence))
		fail_msg("'%s' is not in '%s'", sentence, error.text);
	oz_scene_free(scene);
}

// a cube of edge 1 without one of its triangles
static oz_mesh open_cube(void)
{
	oz_mesh m = test_mesh_cube();
	m.triangle_count--;
	return m;
}

static int make_meshes(void **state)
{
	(void)state;
	if (setenv("OOZE_CACHE_DIR", "cache", 1) != 0)
		return 1;
	test_mesh_save(test_mesh_cube(), "cube.obj");
	test_mesh_save(open_cube(), "open.obj");
	test_mesh_save(test_mesh_ball(0.3f, 3), "ball.obj");
	oz_mesh flipped = test_mesh_cube();
	const uint32_t swap = flipped.triangles[5][1];
	flipped.triangles[5][1] = flipped.triangles[5][2];
	flipped.triangles[5][2] = swap;
	test_mesh_save(flipped, "flipped.obj");
	return 0;
}

// ---- standing there ---------------------------------------------------------------------------

static void a_vessel_from_a_mesh_holds_what_a_box_holds(void **state)
{
	(void)state;
	const uint32_t box = particles_of("{ " WORLD BLOCK "\"colliders\": [ { \"shape\": \"box\", "
	                                  "\"inside\": true, \"size\": [1, 1, 1] } ] }");
	const uint32_t mesh = particles_of("{ " WORLD BLOCK "\"colliders\": [ { \"mesh\": "
	                                   "\"cube.obj\", \"inside\": true } ] }");
	assert_int_equal(box, 20 * 20 * 20);
	assert_int_equal(mesh, box);
}

static void an_obstacle_from_a_mesh_takes_its_room(void **state)
{
	(void)state;
	const uint32_t box = particles_of("{ " WORLD BLOCK "\"colliders\": [ { \"shape\": \"box\", "
	                                  "\"size\": [1, 0.5, 1], \"rotation\": [0, 0, 90], "
	                                  "\"position\": [0.3, 0.2, 0] } ] }");
	const uint32_t mesh =
	        particles_of("{ " WORLD BLOCK "\"colliders\": [ { \"mesh\": \"cube.obj\", "
	                     "\"scale\": [1, 0.5, 1], \"rotation\": [0, 0, 90], \"position\": "
	                     "[0.3, 0.2, 0], \"cell\": 0.02 } ] }");
	assert_true(box < 40 * 40 * 40 - 3000);
	assert_in_range(mesh, box - 50, box + 50);
}

static void a_body_from_a_mesh_stands_in_a_vessel_from_one(void **state)
{
	(void)state;
	const uint32_t count =
	        particles_of("{ " WORLD "\"bodies\": [ { \"material\": \"honey\", \"mesh\": "
	                     "\"ball.obj\" } ], \"colliders\": [ { \"mesh\": \"cube.obj\", "
	                     "\"inside\": true } ] }");
	// 4/3 π 0.3³ in cells of 0.05 m
	assert_in_range(count, 800, 960);
}

static void keyframes_move_a_mesh(void **state)
{
	(void)state;
	oz_scene *scene = parse("{ " COARSE "\"colliders\": [ { \"mesh\": \"cube.obj\", "
	                        "\"keyframes\": [ { \"time\": 0, \"position\": [1, 2, 3] }, { "
	                        "\"time\": 1, \"position\": [2, 2, 3] } ] } ] }");
	oz_world *world = build(scene, NULL);
	// the world holds what it needs
	oz_scene_free(scene);
	oz_shape shape;
	bool inside;
	assert_int_equal(oz_world_get_collider(world, 0, &shape, &inside, NULL), OZ_OK);
	assert_int_equal(shape.kind, OZ_SHAPE_SDF);
	assert_true(shape.position.x == 1 && shape.position.y == 2 && shape.position.z == 3);
	assert_float_equal(oz_shape_distance(&shape, (oz_vec3){1, 2.6f, 3}), 0.1, 1e-4);
	assert_float_equal(oz_shape_distance(&shape, (oz_vec3){1, 2.4f, 3}), -0.1, 1e-4);
	oz_world_destroy(world);
}

static void colliders_with_the_same_mesh_share_its_sdf(void **state)
{
	(void)state;
	oz_scene *scene = parse("{ " COARSE "\"colliders\": [ { \"mesh\": \"cube.obj\" }, { "
	                        "\"mesh\": \"cube.obj\", \"position\": [3, 0, 0] }, { \"mesh\": "
	                        "\"cube.obj\", \"scale\": 2 }, { \"shape\": \"plane\" } ] }");
	oz_world *world = build(scene, NULL);
	oz_shape shapes[3];
	bool inside;
	for (uint32_t k = 0; k < 3; k++)
		assert_int_equal(oz_world_get_collider(world, k, &shapes[k], &inside, NULL), OZ_OK);
	assert_ptr_equal(shapes[0].sdf, shapes[1].sdf);
	assert_ptr_not_equal(shapes[0].sdf, shapes[2].sdf);
	assert_ptr_equal(oz_scene_get_collider_mesh(scene, 0),
	                 oz_scene_get_collider_mesh(scene, 1));
	assert_float_equal(oz_scene_get_collider_mesh(scene, 2)->report.max.x, 1, 1e-6);
	assert_float_equal(oz_scene_get_collider_mesh(scene, 0)->cell, 0.05, 1e-6);
	assert_null(oz_scene_get_collider_mesh(scene, 3));
	oz_world_destroy(world);
	oz_scene_free(scene);
}

// ---- sentences --------------------------------------------------------------------------------

static void a_mesh_that_is_not_there_is_told_with_its_line(void **state)
{
	(void)state;
	expect_no_build("{ \"colliders\": [\n{ \"mesh\": \"nowhere.obj\" } ] }", OZ_ERROR_FILE,
	                "test.json:2:11: colliders[0].mesh: the mesh ./nowhere.obj cannot be "
	                "opened");
}

static void a_vessel_with_a_hole_is_refused(void **state)
{
	(void)state;
	expect_no_build("{ \"colliders\": [ { \"shape\": \"plane\" },\n{ \"mesh\": \"open.obj\", "
	                "\"inside\": true } ] }",
	                OZ_ERROR_MESH, "test.json:2:11: colliders[1].mesh: ./open.obj has a hole");
	// small enough, and nothing gets through
	oz_scene *scene = parse("{ " COARSE "\"colliders\": [ { \"mesh\": \"open.obj\", \"scale\": "
	                        "0.01, \"inside\": true } ] }");
	oz_world_destroy(build(scene, NULL));
	oz_scene_free(scene);
}

static void cells_that_memory_cannot_hold_are_refused(void **state)
{
	(void)state;
	expect_no_build("{ \"colliders\": [\n{ \"mesh\": \"cube.obj\",\n\"cell\": 1e-6 } ] }",
	                OZ_ERROR_MEMORY, "test.json:3:9: colliders[0].cell: would need about");
}

typedef struct heard {
	uint32_t infos, warnings, begun, ended; // the latter two: work that takes long
	char last[300];
	char work[300];
} heard;

static void hear(void *context, oz_log_level level, const char *text)
{
	heard *h = context;
	h->infos += level == OZ_LOG_INFO;
	h->warnings += level == OZ_LOG_WARNING;
	if (level == OZ_LOG_PROGRESS) {
		h->begun += text[0] != 0;
		h->ended += text[0] == 0;
		if (text[0])
			snprintf(h->work, sizeof h->work, "%s", text);
	} else if (strstr(text, "colliders["))
		snprintf(h->last, sizeof h->last, "%s", text);
}

static heard hear_build(const char *text)
{
	heard h = {0};
	const oz_hooks hooks = {.log = hear, .context = &h};
	oz_scene *scene = parse(text);
	oz_world_destroy(build(scene, &hooks));
	oz_scene_free(scene);
	return h;
}

static void what_was_repaired_is_told(void **state)
{
	(void)state;
	heard h = hear_build("{ " COARSE "\"colliders\": [ { \"mesh\": \"flipped.obj\" } ] }");
	assert_string_equal(h.last, "colliders[0]: the mesh was repaired: 1 triangles flipped");
	h = hear_build("{ " COARSE "\"colliders\": [ { \"mesh\": \"cube.obj\" } ] }");
	assert_string_equal(h.last, "");
	h = hear_build("{ " COARSE "\"colliders\": [ { \"mesh\": \"open.obj\" } ] }");
	assert_int_equal(h.warnings, 1);
}

static void work_that_may_take_long_is_named_and_ended(void **state)
{
	(void)state;
	heard h = hear_build("{ " COARSE "\"colliders\": [ { \"mesh\": \"cube.obj\" } ] }");
	assert_non_null(strstr(h.work, "colliders[0]: making the signed distance field of"));
	assert_int_equal(h.begun, 1);
	assert_int_equal(h.ended, 1);
	h = hear_build("{ " COARSE
	               "\"bodies\": [ { \"material\": \"water\", \"mesh\": \"cube.obj\" } ] }");
	assert_string_equal(h.work, "bodies[0]: filling cube.obj with particles");
	assert_int_equal(h.ended, 1);
}

static void pictures_show_the_solid_without_its_holes(void **state)
{
	(void)state;
	oz_scene *scene = parse("{ " COARSE "\"colliders\": [ { \"mesh\": \"open.obj\" }, { "
	                        "\"mesh\": \"open.obj\", \"shell\": true } ] }");
	oz_world_destroy(build(scene, NULL));
	test_mesh_is_closed(&oz_scene_get_collider_mesh(scene, 0)->mesh);
	assert_int_equal(oz_scene_get_collider_mesh(scene, 0)->report.hole_count, 1);
	assert_int_equal(oz_scene_get_collider_mesh(scene, 1)->mesh.triangle_count, 11);
	oz_scene_free(scene);
}

// ---- writing ----------------------------------------------------------------------------------

static void a_written_scene_has_its_mesh_colliders(void **state)
{
	(void)state;
	oz_scene *scene = parse("{ " COARSE BLOCK "\"colliders\": [ { \"mesh\": \"cube.obj\", "
	                        "\"scale\": [1, 0.5, 1], \"inside\": true, \"look\": \"solid\", "
	                        "\"cell\": 0.04, \"rotation\": [0, 10, 0] }, { \"shape\": "
	                        "\"plane\", \"position\": [0, -3, 0], \"look\": \"hidden\" } ] }");
	oz_world *world = build(scene, NULL);
	const uint64_t hash = oz_world_hash(world);
	oz_error error;
	oz_world_destroy(world);
	assert_int_equal(system("mkdir -p elsewhere"), 0);
	assert_int_equal(oz_scene_write(scene, "elsewhere/scene.json", &error), OZ_OK);
	oz_scene_free(scene);
	if (oz_scene_load("elsewhere/scene.json", &scene, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(oz_scene_collider_look(scene, 0), OZ_COLLIDER_MATTE);
	assert_int_equal(oz_scene_collider_look(scene, 1), OZ_COLLIDER_HIDDEN);
	world = build(scene, NULL);
	assert_true(oz_world_hash(world) == hash);
	assert_float_equal(oz_scene_get_collider_mesh(scene, 0)->cell, 0.04, 1e-6);
	oz_world_destroy(world);
	oz_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_vessel_from_a_mesh_holds_what_a_box_holds),
	        cmocka_unit_test(an_obstacle_from_a_mesh_takes_its_room),
	        cmocka_unit_test(a_body_from_a_mesh_stands_in_a_vessel_from_one),
	        cmocka_unit_test(keyframes_move_a_mesh),
	        cmocka_unit_test(colliders_with_the_same_mesh_share_its_sdf),
	        cmocka_unit_test(a_mesh_that_is_not_there_is_told_with_its_line),
	        cmocka_unit_test(a_vessel_with_a_hole_is_refused),
	        cmocka_unit_test(cells_that_memory_cannot_hold_are_refused),
	        cmocka_unit_test(what_was_repaired_is_told),
	        cmocka_unit_test(work_that_may_take_long_is_named_and_ended),
	        cmocka_unit_test(pictures_show_the_solid_without_its_holes),
	        cmocka_unit_test(a_written_scene_has_its_mesh_colliders),
	};
	return cmocka_run_group_tests(tests, make_meshes, NULL);
}
