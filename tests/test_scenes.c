// test_scenes.c: every scene of the project makes its world, and is written as it was read.
#include <dirent.h>

#include "base/base.h"
#include "scene/scene.h"
#include "scenes.h"

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
		test_scene_round_trip(scene);
		oz_scene_free(scene);
		count++;
	}
	closedir(list);
	assert_true(count >= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_scene_of_the_project_builds_and_round_trips),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
