// scene_overlap.c: finds bodies that overlap at the start, and says so.
//
// A particle is inside another body if the kernel sum over the particles of that body, relative to
// the sum over a lattice, is above INSIDE: it is 0.5 at the surface and 1 deep inside. The boxes of
// the bodies are compared first. Where they meet, the particles of one body are sorted into a hash
// table by cells as wide as the kernel reaches, and those of the other sum over 27 cells.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/sph.h"
#include "math/vec.h"
#include "scene_data.h"

#define INSIDE 0.6f
#define NONE   UINT32_MAX

typedef struct box {
	oz_vec3 min, max;
} box;

static box box_of(const scene_points *p)
{
	box b = {p->at[0], p->at[0]};
	for (uint32_t i = 1; i < p->count; i++) {
		b.min = oz_min3(b.min, p->at[i]);
		b.max = oz_max3(b.max, p->at[i]);
	}
	return b;
}

static bool is_within(const box *b, oz_vec3 p, float margin)
{
	return p.x > b->min.x - margin && p.x < b->max.x + margin && p.y > b->min.y - margin &&
	       p.y < b->max.y + margin && p.z > b->min.z - margin && p.z < b->max.z + margin;
}

// particles of one body, linked by the hash of their cell
typedef struct table {
	const scene_points *points;
	uint32_t *head, *next;
	uint32_t mask;
	float cell; // m
} table;

static uint32_t bucket_of(const table *t, int64_t x, int64_t y, int64_t z)
{
	const uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^
	                   (uint64_t)z * 0x165667b19e3779f9u;
	return (uint32_t)(h >> 32) & t->mask;
}

static void cell_of(const table *t, oz_vec3 p, int64_t cell[3])
{
	cell[0] = (int64_t)floorf(p.x / t->cell);
	cell[1] = (int64_t)floorf(p.y / t->cell);
	cell[2] = (int64_t)floorf(p.z / t->cell);
}

// links the points that lie in a box; false: out of memory
static bool table_make(table *t, const scene_points *points, const box *within, float reach)
{
	*t = (table){.points = points, .mask = 1023, .cell = reach};
	while (t->mask < points->count && t->mask < NONE / 2)
		t->mask = 2 * t->mask + 1;
	t->head = malloc(((size_t)t->mask + 1) * sizeof *t->head);
	t->next = malloc(((size_t)points->count + 1) * sizeof *t->next);
	if (!t->head || !t->next)
		return false;
	memset(t->head, 0xff, ((size_t)t->mask + 1) * sizeof *t->head);
	for (uint32_t i = 0; i < points->count; i++) {
		int64_t c[3];
		if (!is_within(within, points->at[i], reach))
			continue;
		cell_of(t, points->at[i], c);
		const uint32_t bucket = bucket_of(t, c[0], c[1], c[2]);
		t->next[i] = t->head[bucket];
		t->head[bucket] = i;
	}
	return true;
}

static void table_free(table *t)
{
	free(t->head);
	free(t->next);
}

// the kernel sum at p over the points of one cell, times the volume of a particle
static float sum_of_cell(const table *t, oz_vec3 p, int64_t x, int64_t y, int64_t z)
{
	const float spacing = t->cell / OZ_FITTED_SUPPORT;
	float sum = 0;
	for (uint32_t j = t->head[bucket_of(t, x, y, z)]; j != NONE; j = t->next[j]) {
		int64_t own[3];
		const float r2 = oz_length2(oz_sub(p, t->points->at[j]));
		cell_of(t, t->points->at[j], own);
		// other cells may have the same bucket
		if (r2 < t->cell * t->cell && own[0] == x && own[1] == y && own[2] == z)
			sum += oz_fitted(lane_of(r2 / (spacing * spacing)), OZ_FITTED_SUPPORT)[0];
	}
	return sum;
}

static bool is_inside(const table *t, oz_vec3 p)
{
	int64_t c[3];
	float sum = 0;
	cell_of(t, p, c);
	for (int64_t z = c[2] - 1; z <= c[2] + 1; z++)
		for (int64_t y = c[1] - 1; y <= c[1] + 1; y++)
			for (int64_t x = c[0] - 1; x <= c[0] + 1; x++)
				sum += sum_of_cell(t, p, x, y, z);
	return sum > INSIDE;
}

// how many particles of b are inside a
static uint32_t count_inside(const scene_points *a, const scene_points *b, float reach)
{
	const box box_a = box_of(a), box_b = box_of(b);
	table t;
	uint32_t inside = 0;
	if (table_make(&t, a, &box_b, reach))
		for (uint32_t i = 0; i < b->count; i++)
			inside += is_within(&box_a, b->at[i], reach) && is_inside(&t, b->at[i]);
	table_free(&t);
	return inside;
}

static bool boxes_meet(const scene_points *a, const scene_points *b, float reach)
{
	const box x = box_of(a), y = box_of(b);
	return x.min.x < y.max.x + reach && y.min.x < x.max.x + reach &&
	       x.min.y < y.max.y + reach && y.min.y < x.max.y + reach &&
	       x.min.z < y.max.z + reach && y.min.z < x.max.z + reach;
}

static void name_of(const oz_scene *scene, uint32_t body, char *name, size_t size)
{
	const char *given = scene->bodies[body].def.name;
	if (given[0])
		snprintf(name, size, "%s", given);
	else
		snprintf(name, size, "bodies[%u]", body);
}

// `inside`: how many of the `count` particles of b are inside a
static void warn(const oz_scene *scene, uint32_t a, uint32_t b, uint32_t inside, uint32_t count,
                 const oz_hooks *hooks)
{
	char text[512], first[64], second[64];
	const double percent = 100.0 * inside / count;
	// two digits, as %.2g without exponents
	const int decimals = percent < 10 ? 1 - (int)floor(log10(percent)) : 0;
	name_of(scene, a, first, sizeof first);
	name_of(scene, b, second, sizeof second);
	snprintf(text, sizeof text,
	         "%s and %s overlap: %u of the %u particles of %s (%.*f %%) are inside %s and will "
	         "be pushed apart; move or shrink one of the two",
	         second, first, inside, count, second, decimals, percent, first);
	hooks->log(hooks->context, OZ_LOG_WARNING, text);
}

static void compare(const oz_scene *scene, const scene_points *bodies, uint32_t a, uint32_t b,
                    const oz_hooks *hooks)
{
	const float reach = OZ_FITTED_SUPPORT * scene->world.spacing;
	if (!bodies[a].count || !bodies[b].count || !boxes_meet(&bodies[a], &bodies[b], reach))
		return;
	const uint32_t in_a = count_inside(&bodies[a], &bodies[b], reach);
	const uint32_t in_b = count_inside(&bodies[b], &bodies[a], reach);
	if (in_a > 0 && in_a >= in_b)
		warn(scene, a, b, in_a, bodies[b].count, hooks);
	else if (in_b > 0)
		warn(scene, b, a, in_b, bodies[a].count, hooks);
}

void oz_scene_warn_overlaps(const oz_scene *scene, const scene_points *bodies,
                            const oz_hooks *hooks)
{
	for (uint32_t b = 1; b < scene->body_count && hooks->log; b++)
		for (uint32_t a = 0; a < b; a++)
			compare(scene, bodies, a, b, hooks);
}
