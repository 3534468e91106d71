// scenes.h: scenes from text and worlds from scenes, for tests that expect nothing to be wrong.
#ifndef OZ_TEST_SCENES_H
#define OZ_TEST_SCENES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scene/scene.h"

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

#endif
