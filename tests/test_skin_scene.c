// test_skin_scene.c: bodies of scenes that show a skin: read, written back, refused where wrong;
// and what `ooze surface` and `ooze render` make of them.
#include <sys/wait.h>
#include <unistd.h>

#include "meshes.h"
#include "render/render.h"
#include "scene/scene.h"
#include "scenes.h"

#define RING_VERTICES 800u

// a ring that is a mesh and its own skin, the same as a shape, and a ball without one
static const char scene_text[] =
        "{ \"world\": { \"spacing\": 0.05, \"skin\": 0.25 },\n"
        "  \"materials\": { \"rubber\": { \"model\": \"blend\", \"alpha\": 0 } },\n"
        "  \"bodies\": [\n"
        "    { \"material\": \"rubber\", \"mesh\": \"ring.obj\", \"scale\": 1.5, \"skin\": true,\n"
        "      \"rotation\": [30, 0, 0], \"position\": [0, 1, 0], \"name\": \"a\" },\n"
        "    { \"material\": \"rubber\", \"shape\": \"torus\", \"size\": [0.3, 0.1],\n"
        "      \"skin\": \"ring.obj\", \"position\": [1.5, 1, 0], \"name\": \"b\" },\n"
        "    { \"material\": \"rubber\", \"shape\": \"ball\", \"size\": 0.2,\n"
        "      \"position\": [-1.5, 1, 0], \"name\": \"c\" } ],\n"
        "  \"colliders\": [ { \"shape\": \"plane\" } ],\n"
        "  \"output\": { \"duration\": 0.1, \"frame_rate\": 20, \"vtu\": false } }\n";

static int write_ring(void **state)
{
	(void)state;
	test_mesh_save(test_mesh_torus(0.3f, 0.1f, 40, 20), "ring.obj");
	return 0;
}

static oz_mesh skin_of(const oz_scene *scene, oz_id body)
{
	oz_mesh mesh;
	oz_error error = {OZ_OK, ""};
	if (oz_scene_load_skin(scene, body, &mesh, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(mesh.vertex_count, RING_VERTICES);
	return mesh;
}

// ---- scenes ------------------------------------------------------------------------------------

static void a_skin_is_placed_as_its_body_is(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(scene_text);
	assert_true(oz_scene_has_skin(scene, 0));
	assert_true(oz_scene_has_skin(scene, 1));
	assert_false(oz_scene_has_skin(scene, 2));
	assert_false(oz_scene_has_skin(scene, 3));
	assert_true(oz_scene_world(scene)->skin == 0.25f);
	oz_mesh a = skin_of(scene, 0), b = skin_of(scene, 1);
	const oz_quat rotation = oz_quat_from_euler_degrees(oz_v3(30, 0, 0));
	for (uint32_t v = 0; v < RING_VERTICES; v++) {
		const oz_vec3 own = oz_sub(b.vertices[v], oz_v3(1.5f, 1, 0));
		const oz_vec3 there =
		        oz_add(oz_quat_rotate(rotation, oz_scale(own, 1.5f)), oz_v3(0, 1, 0));
		assert_true(oz_length(oz_sub(there, a.vertices[v])) < 1e-5f);
	}
	oz_mesh_free(&a);
	oz_mesh_free(&b);
	oz_scene_free(scene);
}

static void a_scene_with_skins_is_written_so_that_it_reads_the_same(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(scene_text), *back;
	oz_error error = {OZ_OK, ""};
	size_t size, again;
	assert_int_equal(oz_scene_write(scene, "whole.json", &error), OZ_OK);
	if (oz_scene_load("whole.json", &back, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(oz_scene_write(back, "again.json", &error), OZ_OK);
	char *text = test_read("whole.json", &size), *other = test_read("again.json", &again);
	assert_int_equal(size, again);
	assert_memory_equal(text, other, size);
	for (oz_id k = 0; k < 2; k++) {
		oz_mesh a = skin_of(scene, k), b = skin_of(back, k);
		assert_memory_equal(a.vertices, b.vertices, sizeof *a.vertices * RING_VERTICES);
		oz_mesh_free(&a);
		oz_mesh_free(&b);
	}
	assert_false(oz_scene_has_skin(back, 2));
	free(text);
	free(other);
	oz_scene_free(scene);
	oz_scene_free(back);
}

// what is wrong with one body, as the scene is read or built
static void expect_wrong(const char *body, const char *sentence)
{
	char text[1000];
	oz_scene *scene = NULL;
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	snprintf(text, sizeof text,
	         "{ \"world\": { \"spacing\": 0.05 },\n"
	         "\"materials\": { \"rubber\": { \"model\": \"blend\", \"alpha\": 0 },\n"
	         "\"soup\": { \"model\": \"blend\", \"alpha\": 1 } },\n"
	         "\"bodies\": [ { %s } ] }",
	         body);
	oz_result result = oz_scene_parse(text, strlen(text), "test.json", ".", &scene, &error);
	if (result == OZ_OK)
		result = oz_scene_build(scene, "cpu", 1, NULL, &world, &error);
	assert_int_not_equal(result, OZ_OK);
	if (!strstr(error.text, sentence) || strncmp(error.text, "test.json:4:", 12) != 0 ||
	    !strstr(error.text, ": bodies[0]"))
		fail_msg("'%s' is not in '%s'", sentence, error.text);
	oz_scene_free(scene);
}

static void wrong_skins_get_their_sentences(void **state)
{
	(void)state;
#define RING  "\"mesh\": \"ring.obj\", "
#define TORUS "\"material\": \"rubber\", \"shape\": \"torus\", \"size\": [0.3, 0.1], "
	expect_wrong("\"material\": \"water\", " RING "\"skin\": true",
	             "skin is for solids, and water is a liquid");
	expect_wrong("\"material\": \"soup\", " RING "\"skin\": true",
	             "skin is for solids, and soup is a liquid");
	expect_wrong(TORUS "\"skin\": true", "the body has no mesh of its own; name a file");
	expect_wrong("\"material\": \"rubber\", " RING "\"fill\": \"line\", \"skin\": true",
	             "the body's mesh is of lines");
	expect_wrong(TORUS "\"skin\": 3", "skin needs true or a file");
	expect_wrong(TORUS "\"skin\": \"\"", "skin is empty; name a file");
	expect_wrong(TORUS "\"skin\": \"none.ply\"", "none.ply");
	expect_wrong(TORUS "\"skin\": \"ring.obj\", \"scale\": 0.001", "the skin reaches from");
	expect_wrong(TORUS "\"skin\": \"ring.obj\", \"scale\": 1000", "the skin reaches from");
	expect_wrong(TORUS "\"scale\": 2", "scale is for meshes");
	test_mesh_save(test_mesh_placed(test_mesh_torus(0.3f, 0.1f, 40, 20), 1, oz_v3(0, 2, 0)),
	               "far.obj");
	expect_wrong(TORUS "\"skin\": \"far.obj\"", "give the mesh the size and place of the body");
}

// ---- the program -------------------------------------------------------------------------------

static void make_run(const char *text)
{
	test_write("scene.json", text, strlen(text));
	assert_int_equal(test_ooze("run scene.json -o out -q --force"), 0);
}

static uint32_t vertices_in(const char *path)
{
	size_t size;
	char *text = test_read(path, &size);
	text[size] = 0;
	const char *found = strstr(text, "element vertex ");
	assert_non_null(found);
	const uint32_t count = (uint32_t)strtoul(found + 15, NULL, 10);
	free(text);
	return count;
}

static void a_body_with_a_skin_is_exported_as_its_skin(void **state)
{
	(void)state;
	make_run(scene_text);
	assert_int_equal(test_ooze("surface out --each body -q"), 0);
	for (int k = 0; k <= 2; k += 2) {
		char a[64], b[64], c[64], all[64];
		snprintf(a, sizeof a, "out/surfaces/surface_body_a_%05d.ply", k);
		snprintf(b, sizeof b, "out/surfaces/surface_body_b_%05d.ply", k);
		snprintf(c, sizeof c, "out/surfaces/surface_body_c_%05d.ply", k);
		snprintf(all, sizeof all, "surface out -q --frame %d", k);
		assert_int_equal(vertices_in(a), RING_VERTICES);
		assert_int_equal(vertices_in(b), RING_VERTICES);
		const uint32_t around = vertices_in(c);
		assert_true(around > 100 && around != RING_VERTICES);
		// one mesh for all: the surface leaves out what skins stand for
		assert_int_equal(test_ooze("%s", all), 0);
		snprintf(all, sizeof all, "out/surfaces/surface_%05d.ply", k);
		assert_int_equal(vertices_in(all), around + 2 * RING_VERTICES);
	}
}

// the first frame is the scene: its skin is the mesh, vertex for vertex
static void the_first_frame_shows_the_mesh_itself(void **state)
{
	(void)state;
	make_run(scene_text);
	assert_int_equal(test_ooze("surface out --each body -q"), 0);
	oz_scene *scene = test_scene(scene_text);
	oz_mesh mesh, wanted = skin_of(scene, 0);
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_load("out/surfaces/surface_body_a_00000.ply", &mesh, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(mesh.vertex_count, wanted.vertex_count);
	assert_int_equal(mesh.triangle_count, wanted.triangle_count);
	for (uint32_t t = 0; t < 3 * mesh.triangle_count; t++) {
		const oz_vec3 x = mesh.vertices[mesh.triangles[t / 3][t % 3]];
		const oz_vec3 y = wanted.vertices[wanted.triangles[t / 3][t % 3]];
		assert_true(oz_length(oz_sub(x, y)) < 1e-5f);
	}
	oz_mesh_free(&mesh);
	oz_mesh_free(&wanted);
	oz_scene_free(scene);
}

// gives a frame the column that tells solid from liquid; all particles of `body` but one are solid
static void melt_one(const char *path, uint32_t body)
{
	oz_frame frame;
	oz_error error = {OZ_OK, ""};
	if (oz_frame_read(path, &frame, &error) != OZ_OK)
		fail_msg("%s", error.text);
	bool melted = false;
	for (uint32_t i = 0; i < frame.count; i++) {
		assert_int_equal(frame.grains[i].phase, 1);
		if (frame.grains[i].body == body && !melted)
			frame.grains[i].phase = 0, melted = true;
	}
	FILE *f = fopen(path, "wb");
	fprintf(f, "ply\nformat binary_little_endian 1.0\nelement vertex %u\n", frame.count);
	static const char *const columns[] = {"float x",       "float y",           "float z",
	                                      "float vx",      "float vy",          "float vz",
	                                      "float density", "int material",      "int body",
	                                      "int id",        "float temperature", "int phase"};
	for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
		fprintf(f, "property %s\n", columns[k]);
	fprintf(f, "end_header\n");
	fwrite(frame.grains, sizeof *frame.grains, frame.count, f);
	assert_int_equal(fclose(f), 0);
	oz_frame_free(&frame);
}

static void a_body_that_begins_to_melt_sheds_its_skin(void **state)
{
	(void)state;
	make_run(scene_text);
	melt_one("out/frames/frame_00001.ply", 0);
	assert_int_equal(test_ooze("surface out --each body -q"), 0);
	assert_int_equal(vertices_in("out/surfaces/surface_body_a_00000.ply"), RING_VERTICES);
	assert_int_not_equal(vertices_in("out/surfaces/surface_body_a_00001.ply"), RING_VERTICES);
	assert_int_equal(vertices_in("out/surfaces/surface_body_b_00001.ply"), RING_VERTICES);
	// nor does it come back
	assert_int_not_equal(vertices_in("out/surfaces/surface_body_a_00002.ply"), RING_VERTICES);
	assert_int_equal(vertices_in("out/surfaces/surface_body_b_00002.ply"), RING_VERTICES);
}

// heat reaches one of two rings
static const char melting_text[] =
        "{ \"world\": { \"spacing\": 0.05 },\n"
        "  \"materials\": { \"wax\": { \"model\": \"corotated\", \"melting_point\": 50 } },\n"
        "  \"bodies\": [\n"
        "    { \"material\": \"wax\", \"shape\": \"torus\", \"size\": [0.3, 0.1],\n"
        "      \"skin\": \"ring.obj\", \"position\": [0, 1, 0], \"name\": \"a\" },\n"
        "    { \"material\": \"wax\", \"shape\": \"torus\", \"size\": [0.3, 0.1],\n"
        "      \"skin\": \"ring.obj\", \"position\": [1.5, 1, 0], \"name\": \"b\" } ],\n"
        "  \"regions\": [ { \"shape\": \"ball\", \"size\": 0.6, \"position\": [0, 1, 0],\n"
        "      \"temperature\": 200, \"rate\": 100 } ],\n"
        "  \"output\": { \"duration\": 0.1, \"frame_rate\": 20, \"vtu\": false } }\n";

static void what_melts_in_a_run_sheds_its_skin(void **state)
{
	(void)state;
	make_run(melting_text);
	assert_int_equal(test_ooze("surface out --each body -q"), 0);
	assert_int_equal(vertices_in("out/surfaces/surface_body_a_00000.ply"), RING_VERTICES);
	assert_int_not_equal(vertices_in("out/surfaces/surface_body_a_00002.ply"), RING_VERTICES);
	assert_int_equal(vertices_in("out/surfaces/surface_body_b_00002.ply"), RING_VERTICES);
}

// the same ring is hot for a moment and then cold
static void what_froze_again_has_no_skin(void **state)
{
	(void)state;
	static const char hot[] = "\"temperature\": 200, \"rate\": 100";
	char text[2000];
	const char *at = strstr(melting_text, hot);
	snprintf(text, sizeof text,
	         "%.*s%s, \"duration\": 0.04 }, { \"shape\": \"ball\", \"size\": 0.6, "
	         "\"position\": [0, 1, 0], \"temperature\": -50, \"start\": 0.06, \"rate\": "
	         "200%s",
	         (int)(at - melting_text), melting_text, hot, at + sizeof hot - 1);
	make_run(text);
	oz_frame frame;
	oz_error error = {OZ_OK, ""};
	if (oz_frame_read("out/frames/frame_00002.ply", &frame, &error) != OZ_OK)
		fail_msg("%s", error.text);
	for (uint32_t i = 0; i < frame.count; i++)
		assert_int_equal(frame.grains[i].phase, 1);
	oz_frame_free(&frame);
	// asked for alone, too
	assert_int_equal(test_ooze("surface out --each body -q --frame 2"), 0);
	assert_int_not_equal(vertices_in("out/surfaces/surface_body_a_00002.ply"), RING_VERTICES);
	assert_int_equal(vertices_in("out/surfaces/surface_body_b_00002.ply"), RING_VERTICES);
	assert_int_equal(test_ooze("surface out --each body -q --frame 0"), 0);
	assert_int_equal(vertices_in("out/surfaces/surface_body_a_00000.ply"), RING_VERTICES);
}

static void a_run_whose_first_frame_is_gone_has_its_skins_all_the_same(void **state)
{
	(void)state;
	make_run(scene_text);
	assert_int_equal(test_ooze("surface out --each body -q"), 0);
	size_t size, other_size;
	char *with = test_read("out/surfaces/surface_body_b_00002.ply", &size);
	assert_int_equal(remove("out/frames/frame_00000.ply"), 0);
	assert_int_equal(test_ooze("surface out --each body -q"), 0);
	char *without = test_read("out/surfaces/surface_body_b_00002.ply", &other_size);
	assert_int_equal(size, other_size);
	assert_memory_equal(with, without, size);
	free(with);
	free(without);
}

static void expect_picture(const char *words)
{
	char line[200];
	snprintf(line, sizeof line, "render out -n 2 -s 96x64 -m 1 -q -o p.png %s", words);
	if (test_ooze("%s", line) != 0) {
		size_t size;
		char *said = test_read("err.txt", &size);
		fail_msg("%.*s", (int)size, said);
	}
}

static void pictures_show_skins_in_any_colouring(void **state)
{
	(void)state;
	size_t a_size, b_size;
	make_run(scene_text);
	expect_picture("");
	char *a = test_read("p.png", &a_size);
	expect_picture("-c speed");
	expect_picture("-c body");
	expect_picture("--particles");
	// a ring of six corners is seen to have them
	test_mesh_save(test_mesh_torus(0.3f, 0.1f, 6, 4), "ring.obj");
	expect_picture("");
	char *b = test_read("p.png", &b_size);
	assert_true(a_size != b_size || memcmp(a, b, a_size) != 0);
	write_ring(NULL);
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_skin_is_placed_as_its_body_is),
	        cmocka_unit_test(a_scene_with_skins_is_written_so_that_it_reads_the_same),
	        cmocka_unit_test(wrong_skins_get_their_sentences),
	        cmocka_unit_test(a_body_with_a_skin_is_exported_as_its_skin),
	        cmocka_unit_test(the_first_frame_shows_the_mesh_itself),
	        cmocka_unit_test(a_body_that_begins_to_melt_sheds_its_skin),
	        cmocka_unit_test(what_melts_in_a_run_sheds_its_skin),
	        cmocka_unit_test(what_froze_again_has_no_skin),
	        cmocka_unit_test(a_run_whose_first_frame_is_gone_has_its_skins_all_the_same),
	        cmocka_unit_test(pictures_show_skins_in_any_colouring),
	};
	return cmocka_run_group_tests(tests, write_ring, NULL);
}
