// fuzz_scene.c: any text is a scene or a sentence. A scene is written, read and written again, to
// the same bytes, and made into a world if it is a small one.
#include <math.h>

#include "fuzz_support.h"
#include "scene/scene_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 20000.0 // particles, or places to try one

// How many spacings the box around a shape holds: filling tries them all.
static double places(const oz_shape *shape, double spacing)
{
	uint32_t component[3];
	const uint32_t count = oz_shape_numbers(shape->kind, component);
	const float size[3] = {shape->size.x, shape->size.y, shape->size.z};
	double sum = 0, box = 1;
	for (uint32_t k = 0; k < count; k++) {
		sum += (double)size[component[k]];
		box *= (double)size[component[k]] / spacing + 1;
	}
	if (shape->kind == OZ_SHAPE_BOX || shape->kind == OZ_SHAPE_SHEET)
		return box;
	return (2 * sum / spacing + 1) * (2 * sum / spacing + 1) * (2 * sum / spacing + 1);
}

static bool is_small(const oz_scene *scene)
{
	const double spacing = (double)scene->world.spacing;
	double particles = 0;
	for (uint32_t k = 0; k < scene->body_count; k++) {
		// meshes have a fuzzer of their own, and may be any file of this machine
		if (scene->bodies[k].mesh[0])
			return false;
		particles += places(&scene->bodies[k].shape, spacing);
	}
	for (uint32_t k = 0; k < scene->emitter_count; k++) {
		const oz_emitter_def *def = &scene->emitters[k].def;
		const double side = fmax(fmax((double)def->width, (double)def->height),
		                         2 * (double)def->radius);
		const double across = side / spacing + 1;
		particles += 10 * across * across;
	}
	return particles < MOST;
}

static void build(const oz_scene *scene)
{
	oz_world *world;
	oz_error error = {OZ_OK, ""};
	const oz_result result = oz_scene_build(scene, NULL, 1, NULL, &world, &error);
	CLAIM((result == OZ_OK) == (world != NULL));
	CLAIM(result == OZ_OK || error.text[0]);
	if (world && oz_world_step(world, NULL, &error) != OZ_OK)
		CLAIM(error.text[0]);
	oz_world_destroy(world);
}

static void write_twice(const oz_scene *scene)
{
	oz_scene *again;
	oz_error error = {OZ_OK, ""};
	size_t first_size, second_size;
	CLAIM(oz_scene_write(scene, scratch("scene.json"), &error) == OZ_OK);
	char *first = read_file(scratch("scene.json"), &first_size);
	if (oz_scene_load(scratch("scene.json"), &again, &error) != OZ_OK) {
		fprintf(stderr, "%s\n%s\n", error.text, first);
		abort();
	}
	CLAIM(oz_scene_write(again, scratch("scene.json"), &error) == OZ_OK);
	char *second = read_file(scratch("scene.json"), &second_size);
	CLAIM(first_size == second_size && memcmp(first, second, first_size) == 0);
	free(first);
	free(second);
	oz_scene_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	oz_scene *scene;
	oz_error error = {OZ_OK, ""};
	const oz_result result =
	        oz_scene_parse((const char *)data, size, "fuzz.json", "/nowhere", &scene, &error);
	CLAIM((result == OZ_OK) == (scene != NULL));
	if (!scene) {
		CLAIM(error.code == result && error.text[0]);
		return 0;
	}
	write_twice(scene);
	if (is_small(scene))
		build(scene);
	oz_scene_free(scene);
	return 0;
}
