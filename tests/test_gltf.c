// test_gltf.c: Khronos' own validator finds nothing wrong with our GLB files. Where it is not
// installed, the program ends with 77, which counts as skipped.
#include "export/export.h"
#include "surfaces.h"

#define SKIPPED 77

// The validator's answer to some files.
static int validate(const char *files)
{
	char command[1000];
	snprintf(command, sizeof command,
	         "node $SOURCE/tests/gltf_validate.js $SOURCE/build/npm/node_modules %s", files);
	const int status = test_shell(command);
	char *said = test_read("out.txt", NULL);
	print_message("%s", said);
	free(said);
	return status;
}

static void expect_valid(const oz_surface_mesh *mesh, const char *path)
{
	oz_error error = {OZ_OK, ""};
	if (oz_export_mesh_glb(mesh, path, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(validate(path), 0);
}

static void the_validator_accepts_meshes_with_everything(void **state)
{
	(void)state;
	surface few = test_dressed(test_mesh_tetrahedron()),
	        many = test_dressed(test_mesh_torus(1, 0.3f, 60, 30));
	expect_valid(&few.mesh, "few.glb");
	expect_valid(&many.mesh, "many.glb");
	test_dressed_free(&few);
	test_dressed_free(&many);
}

static void the_validator_accepts_meshes_with_positions_alone(void **state)
{
	(void)state;
	surface s = test_dressed(test_mesh_torus(1, 0.3f, 8, 5));
	oz_surface_mesh bare = {.vertex_count = s.mesh.vertex_count,
	                        .triangle_count = s.mesh.triangle_count,
	                        .position = s.mesh.position,
	                        .triangles = s.mesh.triangles};
	expect_valid(&bare, "bare.glb");
	test_dressed_free(&s);
}

static void the_validator_accepts_an_empty_mesh(void **state)
{
	(void)state;
	expect_valid(&(oz_surface_mesh){0}, "empty.glb");
}

static void the_validator_accepts_numbers_that_were_wild(void **state)
{
	(void)state;
	surface s = test_dressed(test_mesh_torus(1, 0.3f, 8, 5));
	s.velocity[0] = oz_v3(NAN, INFINITY, 1);
	s.colour[1] = oz_v3(-3, 7, NAN);
	s.normal[2] = oz_v3(0, 0, 0);
	s.normal[3] = oz_v3(NAN, 0, 0);
	s.normal[4] = oz_v3(3, 0, 4);
	s.body[5] = OZ_NONE;
	expect_valid(&s.mesh, "wild.glb");
	test_dressed_free(&s);
}

// two bodies, one of which turns round
static oz_result write_poses(float time_step, float length)
{
	enum { FRAMES = 9 };
	oz_vec3 places[2][FRAMES];
	oz_quat rotations[2][FRAMES];
	float times[FRAMES];
	for (int f = 0; f < FRAMES; f++) {
		const float a = 0.4f * (float)f;
		times[f] = time_step * (float)f;
		places[0][f] = places[1][f] = oz_v3(a, 1, 0);
		rotations[0][f] = (oz_quat){0, 0, 0, length};
		rotations[1][f] = (oz_quat){0, sinf(a), 0, cosf(a)};
	}
	const oz_pose_track tracks[2] = {{"crate \"a\"", places[0], rotations[0]},
	                                 {"wheel", places[1], rotations[1]}};
	return oz_export_poses_glb(tracks, 2, times, FRAMES, "poses.glb", NULL);
}

static void the_validator_accepts_an_animation(void **state)
{
	(void)state;
	assert_int_equal(write_poses(0.04f, 1), OZ_OK);
	assert_int_equal(validate("poses.glb"), 0);
	size_t size;
	char *bytes = test_read("poses.glb", &size);
	// a rotation whose length is not 1: the last number of the file
	memset(bytes + size - 4, 0, 4);
	test_write("broken.glb", bytes, size);
	free(bytes);
	assert_int_equal(validate("broken.glb > refused.txt"), 1);
	assert_int_equal(write_poses(0, 1), OZ_ERROR_ARGUMENT);
	assert_int_equal(write_poses(0.04f, 1.1f), OZ_ERROR_ARGUMENT);
}

static const char falling[] =
        "{ \"world\": { \"spacing\": 0.02 }, \"bodies\": ["
        "{ \"name\": \"die\", \"material\": \"wood\", \"shape\": \"box\", \"size\": [0.06, "
        "0.06, 0.06], \"position\": [0, 1, 0], \"spin\": [0, 9, 0] },"
        "{ \"material\": \"steel\", \"shape\": \"ball\", \"size\": 0.04 }],"
        "\"output\": { \"duration\": 0.2, \"frame_rate\": 50, \"vtu\": false } }";

// the last translation and rotation of the first node, read from the buffer
static void a_run_becomes_a_valid_animation(void **state)
{
	(void)state;
	size_t size;
	test_write_text("fall.json", falling);
	assert_int_equal(test_ooze("run fall.json -o fall"), 0);
	assert_int_equal(test_ooze("poses fall"), 0);
	test_expect_in("out.txt", "fall/poses.glb: 2 bodies, 11 frames");
	assert_int_equal(validate("fall/poses.glb"), 0);
	char *bytes = test_read("fall/poses.glb", &size);
	// 11 times, then 3 and 4 numbers of each of 2 bodies and 11 frames
	const float *data = (const float *)(const void *)(bytes + size - 4 * (11 + 2 * 7 * 11));
	float numbers[11 + 7 * 11];
	memcpy(numbers, data, sizeof numbers);
	test_near((double)numbers[10], 0.2, 1e-6, "last time");
	test_near((double)numbers[11 + 31], 1 - 0.5 * 9.81 * 0.04, 0.01, "last height");
	// 1.8 rad about y
	test_near((double)numbers[11 + 33 + 41], sin(0.9), 0.01, "last rotation");
	free(bytes);
	// a row is missing
	char *rows = test_read("fall/bodies.csv", &size);
	*strrchr(rows, ',') = 0;
	*(strrchr(rows, '\n') + 1) = 0;
	test_write_text("fall/bodies.csv", rows);
	free(rows);
	assert_int_equal(test_ooze("poses fall"), 1);
	test_expect_in("err.txt", "is not a row of bodies.csv, or a body is missing");
	assert_int_equal(test_ooze("poses nowhere"), 1);
}

// or all of the above says nothing
static void the_validator_refuses_a_broken_file(void **state)
{
	(void)state;
	size_t size;
	surface s = test_dressed(test_mesh_tetrahedron());
	expect_valid(&s.mesh, "whole.glb");
	char *bytes = test_read("whole.glb", &size);
	// the last corner of the last triangle is no vertex
	bytes[size - 3] = 1;
	test_write("broken.glb", bytes, size);
	free(bytes);
	test_dressed_free(&s);
	assert_int_equal(validate("broken.glb > refused.txt"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_validator_accepts_meshes_with_everything),
	        cmocka_unit_test(the_validator_accepts_meshes_with_positions_alone),
	        cmocka_unit_test(the_validator_accepts_an_empty_mesh),
	        cmocka_unit_test(the_validator_accepts_numbers_that_were_wild),
	        cmocka_unit_test(the_validator_accepts_an_animation),
	        cmocka_unit_test(a_run_becomes_a_valid_animation),
	        cmocka_unit_test(the_validator_refuses_a_broken_file),
	};
	if (system("command -v node > /dev/null") != 0) {
		printf("node is not installed: run `tools/setup.sh --tests`\n");
		return SKIPPED;
	}
	if (validate("") == SKIPPED)
		return SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
