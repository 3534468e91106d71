// test_cli_sdf.c: `ooze sdf` as its users meet it: numbers that are right, a picture, holes with
// their places, and a sentence for whatever is wrong.
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "meshes.h"
#include "json/json.h"

// Runs `ooze sdf` with arguments for the shell; leaves out.txt and err.txt; gives the exit status.
static int sdf(const char *arguments)
{
	char line[1500];
	snprintf(line, sizeof line, "OOZE_CACHE_DIR=cache $OOZE sdf %s", arguments);
	return test_shell(line);
}

static void expect_says(int status, const char *arguments, const char *wanted)
{
	if (sdf(arguments) != status)
		fail_msg("'ooze sdf %s' did not end with %d", arguments, status);
	test_expect_in("err.txt", wanted);
}

// what was printed; the caller frees it
static oz_json_doc told(void)
{
	char *text = test_read("out.txt", NULL);
	oz_json_doc doc;
	oz_error error;
	if (oz_json_read(&doc, "out.txt", text, strlen(text), NULL, &error) != OZ_OK)
		fail_msg("%s", error.text);
	free(text);
	return doc;
}

// a number of what was printed, by its path; true is 1
static double number(const char *key)
{
	oz_json_doc doc = told();
	const oz_json *value = doc.root;
	char path[100], *rest = path;
	snprintf(path, sizeof path, "%s", key);
	for (char *word; (word = strtok_r(rest, ".", &rest));)
		value = oz_json_get(value, word);
	if (!value)
		fail_msg("%s is not in what was printed", key);
	const double n = value->kind == OZ_JSON_BOOL ? value->truth : value->number;
	oz_json_free(&doc);
	return n;
}

static int make_meshes(void **state)
{
	(void)state;
	oz_mesh open = test_mesh_cube();
	open.triangle_count--;
	test_mesh_save(test_mesh_cube(), "cube.obj");
	test_mesh_save(open, "open.obj");
	return 0;
}

static void expect_png(const char *path, bool wanted)
{
	if ((access(path, F_OK) == 0) != wanted)
		fail_msg("%s %s", path, wanted ? "is missing" : "is there");
	if (!wanted)
		return;
	size_t size;
	char *bytes = test_read(path, &size);
	assert_true(size > 2000);
	assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
	free(bytes);
	remove(path);
}

// ---- what it tells ----------------------------------------------------------------------------

static void a_cube_is_told_as_it_is(void **state)
{
	(void)state;
	assert_int_equal(sdf("cube.obj --json --cells 20 | $PYTHON -m json.tool"), 0);
	assert_int_equal((int)number("triangles"), 12);
	assert_int_equal((int)number("vertices"), 8);
	assert_int_equal((int)number("shells"), 1);
	assert_int_equal((int)number("hole_count"), 0);
	assert_float_equal(number("area"), 6, 1e-5);
	assert_float_equal(number("volume"), 1, 1e-5);
	assert_float_equal(number("sdf.cell"), 0.05, 1e-6);
	assert_true(number("sdf.nodes") > 1000 && number("sdf.bytes") > 16000);
	expect_png("cube.sdf.png", true);
}

static void people_are_told_the_same(void **state)
{
	(void)state;
	assert_int_equal(sdf("cube.obj --cell 0.1 --slices slice.png"), 0);
	test_expect_in("out.txt", "12 triangles, 8 vertices, 1 shell\n");
	test_expect_in("out.txt", "area         6 m²\n");
	test_expect_in("out.txt", "holes        none: it is tight\n");
	test_expect_in("out.txt", "cells of 0.1 m");
	test_expect_in("out.txt", "picture      slice.png\n");
	expect_png("slice.png", true);
	assert_int_equal(sdf("cube.obj --no-slices -q"), 0);
	expect_png("cube.sdf.png", false);
	char *text = test_read("out.txt", NULL);
	assert_string_equal(text, "");
	free(text);
}

static void a_second_look_comes_from_the_cache(void **state)
{
	(void)state;
	assert_int_equal(sdf("cube.obj --json --no-slices --cells 33 --cache kept"), 0);
	assert_false((int)number("sdf.cached"));
	assert_int_equal(sdf("cube.obj --json --no-slices --cells 33 --cache kept"), 0);
	assert_true((int)number("sdf.cached"));
	assert_int_equal(sdf("cube.obj --json --no-slices --cells 33 --no-cache"), 0);
	assert_false((int)number("sdf.cached"));
	assert_int_equal(sdf("cube.obj --json --no-slices --cells 33 --cache kept --shell"), 0);
	assert_false((int)number("sdf.cached"));
}

static void a_hole_is_told_with_its_place_and_the_remedy(void **state)
{
	(void)state;
	assert_int_equal(sdf("open.obj --json --no-slices"), 0);
	assert_int_equal((int)number("hole_count"), 1);
	assert_int_equal((int)number("open_edges"), 3);
	oz_json_doc doc = told();
	const oz_json *hole = oz_json_item(oz_json_get(doc.root, "holes"), 0);
	const oz_json *across = oz_json_get(hole, "across");
	const oz_json *height = oz_json_item(oz_json_get(hole, "centre"), 2);
	assert_true(across && height);
	assert_float_equal(across->number, 1.41421356, 1e-5);
	// in the middle of a triangle of the upper face
	assert_float_equal(height->number, 0.5, 1e-5);
	oz_json_free(&doc);
	test_expect_in("err.txt",
	               "open.obj is open: as a vessel it would leak with a spacing below "
	               "1.41 m, so close its holes");
	assert_int_equal(sdf("open.obj --no-slices"), 0);
	test_expect_in("out.txt", "holes        1, with 3 open edges\n");
	test_expect_in("out.txt", "1.41     m across, 3 edges, about (");
}

// ---- in a run ---------------------------------------------------------------------------------

static void make_picture(const char *look, const char *picture)
{
	char text[600], line[1200];
	snprintf(text, sizeof text,
	         "{ \"world\": { \"spacing\": 0.1 }, \"bodies\": [ { \"material\": \"water\", "
	         "\"shape\": \"box\", \"size\": [1, 0.5, 1], \"position\": [0, -0.25, 0] } ], "
	         "\"colliders\": [ { \"mesh\": \"cube.obj\", \"inside\": true, \"look\": \"%s\" "
	         "} ], \"picture\": { \"camera\": [0, 1, 3], \"target\": [0, 0, 0] }, \"output\": "
	         "{ "
	         "\"duration\": 0.02, \"frame_rate\": 100 } }",
	         look);
	test_write("run.json", text, strlen(text));
	snprintf(line, sizeof line,
	         "export OOZE_CACHE_DIR=cache; $OOZE run run.json -o run -q --force && "
	         "$OOZE render run --frame 2 -o %s --size 160x120 -q",
	         picture);
	test_expect_shell(line, 0);
}

// the scene that a run writes names the mesh so that pictures find it
static void a_vessel_from_a_mesh_is_seen_in_pictures(void **state)
{
	(void)state;
	size_t size[3];
	char *bytes[3];
	static const char *const looks[3] = {"auto", "glass", "hidden"};
	for (int k = 0; k < 3; k++) {
		make_picture(looks[k], "look.png");
		bytes[k] = test_read("look.png", &size[k]);
	}
	assert_int_equal(size[0], size[1]);
	assert_memory_equal(bytes[0], bytes[1], size[0]);
	assert_true(size[0] != size[2] || memcmp(bytes[0], bytes[2], size[0]) != 0);
	for (int k = 0; k < 3; k++)
		free(bytes[k]);
}

// ---- what is wrong ----------------------------------------------------------------------------

static void wrong_words_get_a_sentence(void **state)
{
	(void)state;
	expect_says(2, "", "an argument is missing; usage: ooze sdf MESH [options]");
	expect_says(2, "cube.obj --cells 20 --cell 0.1", "--cells and --cell both set");
	expect_says(2, "cube.obj --cells 3", "whole number from 4 to 2000");
	expect_says(2, "cube.obj --cell 0", "--cell is '0'");
	expect_says(2, "cube.obj --cache a --no-cache", "keep one");
	expect_says(2, "cube.obj --slices a.jpg", "must end in .png");
	expect_says(2, "cube.obj --slices a.png --no-slices", "keep one");
	expect_says(2, "cube.obj --slice a.png", "did you mean '--slices'?");
	assert_int_equal(sdf("--help"), 0);
	test_expect_in("out.txt", "default 64");
	test_expect_in("out.txt", "edge of a cell, m");
}

static void a_file_that_is_no_mesh_gets_a_sentence(void **state)
{
	(void)state;
	expect_says(1, "nowhere.obj", "nowhere.obj cannot be opened");
	test_write("words.obj", "no mesh\n", 8);
	expect_says(1, "words.obj", "words.obj");
	expect_says(1, "cube.obj --slices nowhere/a.png", "nowhere/a.png");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_cube_is_told_as_it_is),
	        cmocka_unit_test(people_are_told_the_same),
	        cmocka_unit_test(a_second_look_comes_from_the_cache),
	        cmocka_unit_test(a_hole_is_told_with_its_place_and_the_remedy),
	        cmocka_unit_test(a_vessel_from_a_mesh_is_seen_in_pictures),
	        cmocka_unit_test(wrong_words_get_a_sentence),
	        cmocka_unit_test(a_file_that_is_no_mesh_gets_a_sentence),
	};
	return cmocka_run_group_tests(tests, make_meshes, NULL);
}
