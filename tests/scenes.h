// scenes.h: scenes from text and worlds from scenes, for tests that expect nothing to be wrong.
#ifndef OZ_TEST_SCENES_H
#define OZ_TEST_SCENES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "scene/scene.h"
#include "world/world.h"

static inline oz_scene *parse(const char *text)
{
	oz_scene *scene = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_scene_parse(text, strlen(text), "test.json", ".", &scene, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return scene;
}

// on one thread; the caller destroys it
static inline oz_world *build(const oz_scene *scene)
{
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_scene_build(scene, NULL, 1, NULL, &world, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return world;
}

// What is written makes the same world, and is written the same.
static inline void check_round_trip(oz_scene *scene)
{
	oz_scene *again = NULL;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_scene_write(scene, "resolved.json", &error), OZ_OK);
	if (oz_scene_load("resolved.json", &again, &error) != OZ_OK)
		print_error("%s\n", error.text);
	assert_non_null(again);
	oz_world *first = build(scene), *second = build(again);
	assert_string_equal(oz_scene_name(again), oz_scene_name(scene));
	assert_true(oz_world_hash(first) == oz_world_hash(second));
	// and what is written is its own resolved scene
	char *one, *two;
	size_t size;
	assert_int_equal(oz_scene_write(again, "again.json", &error), OZ_OK);
	assert_int_equal(oz_file_read("resolved.json", 1 << 24, &one, &size, &error), OZ_OK);
	assert_int_equal(oz_file_read("again.json", 1 << 24, &two, &size, &error), OZ_OK);
	assert_string_equal(one, two);
	free(one);
	free(two);
	oz_world_destroy(first);
	oz_world_destroy(second);
	oz_scene_free(again);
}

#endif
