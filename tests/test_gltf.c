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
