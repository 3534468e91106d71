// absent.c: replaces the scene room in a build without json-c.
//
// Subcommands call the functions of the scene room as usual; the functions here fail with a
// sentence.
#include "../src/scene/scene.h"

#ifndef OZ_HAVE_JSON

#include <stdio.h>

static oz_result absent(oz_error *error)
{
	if (error) {
		error->code = OZ_ERROR_UNAVAILABLE;
		snprintf(error->text, sizeof error->text,
		         "this build of ooze leaves out scene files; install json-c and build it "
		         "again (snapshots work with 'ooze info')");
	}
	return OZ_ERROR_UNAVAILABLE;
}

oz_result oz_scene_load(const char *path, oz_scene **scene, oz_error *error)
{
	(void)path;
	*scene = NULL;
	return absent(error);
}

void oz_scene_free(oz_scene *scene)
{
	(void)scene;
}

const char *oz_scene_name(const oz_scene *scene)
{
	(void)scene;
	return "";
}

const oz_output_def *oz_scene_output(const oz_scene *scene)
{
	static const oz_output_def none = {.frame_rate = 1};
	(void)scene;
	return &none;
}

const oz_world_def *oz_scene_world(const oz_scene *scene)
{
	static const oz_world_def none = {.spacing = 1};
	(void)scene;
	return &none;
}

const oz_picture_def *oz_scene_picture(const oz_scene *scene)
{
	static const oz_picture_def none = {.view_angle = 35};
	(void)scene;
	return &none;
}

const oz_surface_def *oz_scene_surface(const oz_scene *scene)
{
	static const oz_surface_def none = {.spacing = 1, .cell = 1, .reach = 2};
	(void)scene;
	return &none;
}

oz_finish oz_scene_finish(const oz_scene *scene, oz_id material)
{
	(void)scene, (void)material;
	return (oz_finish){.colour = {-1, -1, -1}};
}

const char *oz_scene_preset(const oz_scene *scene, oz_id material)
{
	(void)scene, (void)material;
	return "";
}

oz_collider_look oz_scene_collider_look(const oz_scene *scene, oz_id collider)
{
	(void)scene, (void)collider;
	return OZ_COLLIDER_AUTO;
}

const oz_scene_hull *oz_scene_get_hull(const oz_scene *scene, oz_id collider)
{
	(void)scene, (void)collider;
	return NULL;
}

bool oz_scene_has_skin(const oz_scene *scene, oz_id body)
{
	(void)scene, (void)body;
	return false;
}

oz_result oz_scene_load_skin(const oz_scene *scene, oz_id body, oz_mesh *mesh, oz_error *error)
{
	(void)scene, (void)body;
	*mesh = (oz_mesh){0};
	return absent(error);
}

oz_result oz_scene_build(const oz_scene *scene, const char *device, uint32_t threads,
                         const oz_hooks *hooks, oz_world **world, oz_error *error)
{
	(void)scene, (void)device, (void)threads, (void)hooks;
	*world = NULL;
	return absent(error);
}

uint32_t oz_scene_left_out(const oz_scene *scene, uint32_t body)
{
	(void)scene, (void)body;
	return 0;
}

double oz_scene_poured(const oz_scene *scene, double time)
{
	(void)scene, (void)time;
	return 0;
}

oz_result oz_scene_write(const oz_scene *scene, const char *path, oz_error *error)
{
	(void)scene, (void)path;
	return absent(error);
}

const oz_param *oz_scene_output_params(uint32_t *count)
{
	*count = 0;
	return NULL;
}

const oz_param *oz_scene_picture_params(uint32_t *count)
{
	*count = 0;
	return NULL;
}

const oz_param *oz_scene_finish_params(uint32_t *count)
{
	*count = 0;
	return NULL;
}

const oz_preset *oz_presets(uint32_t *count)
{
	*count = 0;
	return NULL;
}

char *oz_scene_schema(void)
{
	return NULL;
}

char *oz_scene_params_markdown(void)
{
	return NULL;
}

#endif
