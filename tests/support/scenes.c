// scenes.c: scenes from text and worlds from scenes.
#include "scenes.h"

oz_scene *test_scene(const char *text)
{
	oz_scene *scene = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_scene_parse(text, strlen(text), "test.json", ".", &scene, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return scene;
}

void test_scene_refused(const char *text, const char *sentence)
{
	oz_scene *scene = (oz_scene *)1;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_scene_parse(text, strlen(text), "t.json", ".", &scene, &error),
	                 OZ_ERROR_SCENE);
	assert_null(scene);
	assert_string_equal(error.text, sentence);
}

oz_world *test_scene_build(const oz_scene *scene)
{
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_scene_build(scene, NULL, 1, NULL, &world, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return world;
}

oz_scene *test_scene_rewritten(oz_scene *scene)
{
	oz_scene *again = NULL;
	oz_error error = {OZ_OK, ""};
	char *one, *two;
	size_t size;
	test_must(oz_scene_write(scene, "resolved.json", &error), &error);
	test_must(oz_scene_load("resolved.json", &again, &error), &error);
	assert_string_equal(oz_scene_name(again), oz_scene_name(scene));
	test_must(oz_scene_write(again, "again.json", &error), &error);
	test_must(oz_file_read("resolved.json", 1 << 24, &one, &size, &error), &error);
	test_must(oz_file_read("again.json", 1 << 24, &two, &size, &error), &error);
	assert_string_equal(one, two);
	free(one);
	free(two);
	return again;
}

void test_scene_round_trip(oz_scene *scene)
{
	oz_scene *again = test_scene_rewritten(scene);
	oz_world *first = test_scene_build(scene), *second = test_scene_build(again);
	assert_true(oz_world_hash(first) == oz_world_hash(second));
	oz_world_destroy(first);
	oz_world_destroy(second);
	oz_scene_free(again);
}
