// info.c: `ooze info`: prints the contents of a snapshot, or of the world of a scene.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../src/scene/scene.h"
#include "cli.h"

// Whether a file begins, after blanks, with a brace, a bracket or a comment, as a scene does.
static bool looks_like_scene(const char *path)
{
	char text[256];
	FILE *stream = fopen(path, "rb");
	if (!stream)
		return false;
	size_t size = fread(text, 1, sizeof text - 1, stream);
	fclose(stream);
	text[size] = 0;
	const char *begin = text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
	begin += strspn(begin, " \t\r\n");
	return *begin == '{' || *begin == '/' || *begin == '[';
}

static int print_world(oz_world *world, const oz_scene *scene, const char *path, const char *kind)
{
	printf("file         %s (%s)\n", path, kind);
	printf("time         %.9g s, step %s\n", oz_world_time(world),
	       oz_cli_count(oz_world_step_count(world)).s);
	int status = oz_cli_describe(world, scene);
	if (status == OZ_CLI_DONE)
		printf("hash         %016" PRIx64 "\n", oz_world_hash(world));
	return status;
}

static int print_snapshot(const char *path, const oz_hooks *hooks)
{
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_world_load(path, "cpu", 0, hooks, &world, &error) != OZ_OK)
		return oz_cli_fail("%s", error.text);
	int status = print_world(world, NULL, path, "snapshot");
	oz_world_destroy(world);
	return status;
}

static int print_scene(const char *path, const oz_hooks *hooks)
{
	oz_scene *scene = NULL;
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	int status;
	if (oz_scene_load(path, &scene, &error) != OZ_OK ||
	    oz_scene_build(scene, "cpu", 0, hooks, &world, &error) != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	else
		status = print_world(world, scene, path, "scene, as it begins");
	oz_world_destroy(world);
	oz_scene_free(scene);
	return status;
}

int oz_cli_info(int argc, char **argv)
{
	oz_cli_spec spec = {
	        .usage = "info FILE",
	        .help = "Prints the contents of a snapshot, or of the world of a scene: time, "
	                "particles,\nbodies, materials, bounds, and the hash of the state.",
	        .least = 1,
	        .most = 1,
	};
	int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	oz_hooks hooks = {.log = oz_cli_log, .context = &spec.verbose};
	const char *path = spec.arguments[0];
	return looks_like_scene(path) ? print_scene(path, &hooks) : print_snapshot(path, &hooks);
}
