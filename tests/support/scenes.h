// scenes.h: scenes from text and worlds from scenes, for tests that expect nothing to be wrong.
#ifndef OZ_TEST_SCENES_H
#define OZ_TEST_SCENES_H

#include "base/base.h"
#include "scene/scene.h"
#include "support.h"
#include "world/world.h"

oz_scene *test_scene(const char *text);
// Fails unless the text is refused with that sentence.
void test_scene_refused(const char *text, const char *sentence);
// on one thread; the caller destroys it
oz_world *test_scene_build(const oz_scene *scene);
// The scene, written and read; fails unless that one is written the same. The caller frees it.
oz_scene *test_scene_rewritten(oz_scene *scene);
// What is written makes the same world, and is written the same.
void test_scene_round_trip(oz_scene *scene);

#endif
