// test_scenes.c: every scene of the project makes its world, is written as it was read, and has a
// row in scenes/README.md.
//
// Filling bodies takes most of the time. A scene makes one world, from what was written; with
// OOZE_LONG=1 it makes two, which must be the same. test_scene_write compares small worlds.
#include <dirent.h>

#include "base/base.h"
#include "scene/scene.h"
#include "scenes.h"

// what is written makes a world
static void build_rewritten(oz_scene *scene)
{
	oz_scene *again = test_scene_rewritten(scene);
	oz_world_destroy(test_scene_build(again));
	oz_scene_free(again);
}

static void every_scene_of_the_project_builds_and_round_trips(void **state)
{
	(void)state;
	DIR *list = opendir(test_source("scenes"));
	assert_non_null(list);
	int count = 0;
	for (struct dirent *entry; (entry = readdir(list));) {
		char path[1000];
		oz_scene *scene = NULL;
		oz_error error = {OZ_OK, ""};
		if (!strstr(entry->d_name, ".json"))
			continue;
		snprintf(path, sizeof path, "%s/%s", test_source("scenes"), entry->d_name);
		if (oz_scene_load(path, &scene, &error) != OZ_OK)
			print_error("%s\n", error.text);
		assert_non_null(scene);
		if (test_is_long())
			test_scene_round_trip(scene);
		else
			build_rewritten(scene);
		oz_scene_free(scene);
		count++;
	}
	closedir(list);
	assert_true(count >= 6);
}

static void every_scene_of_the_project_has_a_row_on_its_page(void **state)
{
	(void)state;
	DIR *list = opendir(test_source("scenes"));
	assert_non_null(list);
	for (struct dirent *entry; (entry = readdir(list));) {
		char row[1000];
		const char *end = strstr(entry->d_name, ".json");
		if (!end)
			continue;
		snprintf(row, sizeof row, "\n| [%.*s](%s) |", (int)(end - entry->d_name),
		         entry->d_name, entry->d_name);
		test_expect_in(test_source("scenes/README.md"), row);
	}
	closedir(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_scene_of_the_project_has_a_row_on_its_page),
	        cmocka_unit_test(every_scene_of_the_project_builds_and_round_trips),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
