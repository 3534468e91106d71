// scene_bits.c: takes a scene some steps on and prints a hash of its particles, in the order of
// their numbers: to compare two builds bit for bit (tools/compare_bits.sh).
//
// It uses the public API and the scene room alone, so that it can be linked with older builds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "scene/scene.h"

typedef struct record {
	uint32_t id, body, material;
	float position[3], velocity[3];
	float density, pressure, temperature;
} record;

static int by_id(const void *a, const void *b)
{
	const uint32_t x = ((const record *)a)->id, y = ((const record *)b)->id;
	return x < y ? -1 : x > y;
}

static void fail(const oz_error *error)
{
	fprintf(stderr, "%s\n", error->text);
	exit(1);
}

// copies a field into a member of all records
static void take(oz_world *w, oz_field field, record *records, size_t offset, size_t size)
{
	oz_view view;
	oz_error error;
	if (oz_world_view(w, field, &view, &error) != OZ_OK)
		fail(&error);
	for (uint32_t i = 0; i < view.count; i++)
		memcpy((char *)&records[i] + offset, (const char *)view.data + i * view.stride,
		       size);
}

static uint64_t hash_of(oz_world *w, uint32_t count)
{
	record *r = calloc(count + 1, sizeof *r);
	if (!r)
		exit(1);
	take(w, OZ_FIELD_ID, r, offsetof(record, id), sizeof r->id);
	take(w, OZ_FIELD_BODY, r, offsetof(record, body), sizeof r->body);
	take(w, OZ_FIELD_MATERIAL, r, offsetof(record, material), sizeof r->material);
	take(w, OZ_FIELD_POSITION, r, offsetof(record, position), sizeof r->position);
	take(w, OZ_FIELD_VELOCITY, r, offsetof(record, velocity), sizeof r->velocity);
	take(w, OZ_FIELD_DENSITY, r, offsetof(record, density), sizeof r->density);
	take(w, OZ_FIELD_PRESSURE, r, offsetof(record, pressure), sizeof r->pressure);
	take(w, OZ_FIELD_TEMPERATURE, r, offsetof(record, temperature), sizeof r->temperature);
	qsort(r, count, sizeof *r, by_id);
	const double time = oz_world_time(w);
	const uint64_t hash = oz_hash(&time, sizeof time, oz_hash(r, sizeof *r * count, 0));
	free(r);
	return hash;
}

int main(int count, char **arguments)
{
	oz_error error = {0};
	oz_scene *scene = NULL;
	oz_world *w = NULL;
	if (count != 4) {
		fprintf(stderr, "use: scene_bits SCENE THREADS STEPS\n");
		return 2;
	}
	if (oz_scene_load(arguments[1], &scene, &error) != OZ_OK ||
	    oz_scene_build(scene, NULL, (uint32_t)atoi(arguments[2]), NULL, &w, &error) != OZ_OK)
		fail(&error);
	for (int k = 0; k < atoi(arguments[3]); k++)
		if (oz_world_step(w, NULL, &error) != OZ_OK)
			fail(&error);
	printf("%016llx\n", (unsigned long long)hash_of(w, oz_world_particle_count(w)));
	oz_world_destroy(w);
	oz_scene_free(scene);
	return 0;
}
