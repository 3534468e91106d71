// mesit_hash.c: the fluid of Mesit & Guha: smoothing sums over points, whose neighbours are found
// by hashing.
//
//   c = ⌊x / 2h⌋,  H = c mod HT for each axis                                   4.1, 4.2
//   ρ = Σ m W_poly6,  P = k (ρ - ρ₀)                                             2.2, 2.3
//   F = - Σ m (P_i + P_j)/(2 ρ_j) ∇W_spiky + μ Σ m (v_j - v_i)/ρ_j ∇²W           2.4, 2.5
//
// 2.4 is printed with P_i - P_j; the mean is meant. Of 4.3 all 27 cells are taken. Cells may have
// negative numbers, and below HT = 3 several of the 27 have the same bucket, which is searched
// once.
#include "mesit_hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

// ---- kernels -----------------------------------------------------------------------------------

static float poly6(float r2, float h)
{
	const float t = h * h - r2;
	return 315 / (64 * OZ_PI * powf(h, 9)) * t * t * t;
}

// of the spiky kernel, over the distance
static float spiky_slope(float r, float h)
{
	return -45 / (OZ_PI * powf(h, 6)) * (h - r) * (h - r) / fmaxf(r, 1e-6f * h);
}

static float viscous_laplacian(float r, float h)
{
	return 45 / (OZ_PI * powf(h, 6)) * (h - r);
}

// ---- memory ------------------------------------------------------------------------------------

void mesit_fluid_free(mesit_fluid *f)
{
	free(f->position);
	free(f->velocity);
	free(f->force);
	free(f->density);
	free(f->rest_density);
	free(f->pressure);
	free(f->start);
	free(f->list);
	free(f->bucket_start);
	free(f->bucket);
	*f = (mesit_fluid){0};
}

bool mesit_fluid_make(mesit_fluid *f, const oz_vec3 *points, uint32_t count, float h)
{
	const size_t n = (size_t)count + 1;
	*f = (mesit_fluid){.count = count,
	                   .h = h,
	                   .stiffness = 10,
	                   .viscosity = 1,
	                   .position = malloc(sizeof *f->position * n),
	                   .velocity = calloc(n, sizeof *f->velocity),
	                   .force = calloc(n, sizeof *f->force),
	                   .density = calloc(n, sizeof *f->density),
	                   .rest_density = calloc(n, sizeof *f->rest_density),
	                   .pressure = calloc(n, sizeof *f->pressure),
	                   .start = calloc(n + 1, sizeof *f->start)};
	if (!f->position || !f->velocity || !f->force || !f->density || !f->rest_density ||
	    !f->pressure || !f->start)
		return false;
	memcpy(f->position, points, sizeof *points * count);
	// a point stands for the eighth of a cube of the core radius
	f->mass = 1000 * h * h * h / 8;
	if (!mesit_find_all_pairs(f))
		return false;
	mesit_step(f, 0);
	memcpy(f->rest_density, f->density, sizeof *f->density * count);
	return true;
}

static bool add_neighbour(mesit_fluid *f, uint32_t at, uint32_t j)
{
	if (at == f->list_room) {
		const uint32_t room = 2 * f->list_room + 65536;
		uint32_t *more = realloc(f->list, sizeof *more * room);
		if (!more)
			return false;
		f->list = more;
		f->list_room = room;
	}
	f->list[at] = j;
	return true;
}

// ---- neighbours --------------------------------------------------------------------------------

static bool is_near(const mesit_fluid *f, uint32_t i, uint32_t j)
{
	return i != j && oz_length2(oz_sub(f->position[i], f->position[j])) < f->h * f->h;
}

bool mesit_find_all_pairs(mesit_fluid *f)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < f->count; i++) {
		f->start[i] = at;
		for (uint32_t j = 0; j < f->count; j++)
			if (is_near(f, i, j) && !add_neighbour(f, at++, j))
				return false;
	}
	f->start[f->count] = at;
	return true;
}

// the remainder that is not negative
static uint32_t wrap(int cell, uint32_t ht)
{
	const int rest = cell % (int)ht;
	return (uint32_t)(rest < 0 ? rest + (int)ht : rest);
}

static uint32_t bucket_of(const int cell[3], uint32_t ht)
{
	return (wrap(cell[2], ht) * ht + wrap(cell[1], ht)) * ht + wrap(cell[0], ht);
}

static void cell_of(const mesit_fluid *f, uint32_t i, int cell[3])
{
	const oz_vec3 x = oz_scale(f->position[i], 0.5f / f->h);
	cell[0] = (int)floorf(x.x);
	cell[1] = (int)floorf(x.y);
	cell[2] = (int)floorf(x.z);
}

static bool fill_buckets(mesit_fluid *f, uint32_t ht)
{
	const uint32_t buckets = ht * ht * ht;
	if (buckets + 2 > f->bucket_room) {
		free(f->bucket_start);
		free(f->bucket);
		f->bucket_start = malloc(sizeof *f->bucket_start * ((size_t)buckets + 2));
		f->bucket = malloc(sizeof *f->bucket * ((size_t)f->count + 1));
		f->bucket_room = f->bucket_start && f->bucket ? buckets + 2 : 0;
		if (!f->bucket_room)
			return false;
	}
	memset(f->bucket_start, 0, sizeof *f->bucket_start * ((size_t)buckets + 2));
	int cell[3];
	for (uint32_t i = 0; i < f->count; i++) {
		cell_of(f, i, cell);
		f->bucket_start[bucket_of(cell, ht) + 2]++;
	}
	for (uint32_t b = 0; b < buckets; b++)
		f->bucket_start[b + 2] += f->bucket_start[b + 1];
	for (uint32_t i = 0; i < f->count; i++) {
		cell_of(f, i, cell);
		f->bucket[f->bucket_start[bucket_of(cell, ht) + 1]++] = i;
	}
	return true;
}

// the buckets of the 27 cells around a point, each once; returns their number
static uint32_t find_buckets(const mesit_fluid *f, uint32_t i, uint32_t ht, uint32_t found[27])
{
	uint32_t count = 0;
	int cell[3];
	cell_of(f, i, cell);
	for (int k = 0; k < 27; k++) {
		const int around[3] = {cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1,
		                       cell[2] + k / 9 - 1};
		const uint32_t bucket = bucket_of(around, ht);
		bool is_new = true;
		for (uint32_t c = 0; c < count && ht < 3; c++)
			is_new = is_new && found[c] != bucket;
		if (is_new)
			found[count++] = bucket;
	}
	return count;
}

bool mesit_find_by_hash(mesit_fluid *f, uint32_t ht)
{
	uint32_t at = 0, buckets[27];
	if (!fill_buckets(f, ht))
		return false;
	for (uint32_t i = 0; i < f->count; i++) {
		const uint32_t count = find_buckets(f, i, ht, buckets);
		f->start[i] = at;
		for (uint32_t k = 0; k < count; k++) {
			const uint32_t end = f->bucket_start[buckets[k] + 1];
			for (uint32_t b = f->bucket_start[buckets[k]]; b < end; b++)
				if (is_near(f, i, f->bucket[b]) &&
				    !add_neighbour(f, at++, f->bucket[b]))
					return false;
		}
	}
	f->start[f->count] = at;
	return true;
}

uint32_t mesit_pairs(const mesit_fluid *f)
{
	return f->start[f->count];
}

// ---- forces ------------------------------------------------------------------------------------

static float density_of(const mesit_fluid *f, uint32_t i, uint32_t j)
{
	return f->mass * poly6(oz_length2(oz_sub(f->position[i], f->position[j])), f->h);
}

static oz_vec3 pressure_of(const mesit_fluid *f, uint32_t i, uint32_t j)
{
	const oz_vec3 way = oz_sub(f->position[i], f->position[j]);
	const float mean = 0.5f * (f->pressure[i] + f->pressure[j]) / f->density[j];
	return oz_scale(way, -f->mass * mean * spiky_slope(oz_length(way), f->h));
}

static oz_vec3 viscosity_of(const mesit_fluid *f, uint32_t i, uint32_t j)
{
	const float r = oz_length(oz_sub(f->position[i], f->position[j]));
	return oz_scale(oz_sub(f->velocity[j], f->velocity[i]),
	                f->viscosity * f->mass / f->density[j] * viscous_laplacian(r, f->h));
}

static void find_pressure(mesit_fluid *f)
{
	for (uint32_t i = 0; i < f->count; i++)
		f->pressure[i] = f->stiffness * (f->density[i] - f->rest_density[i]);
}

static void move(mesit_fluid *f, float dt)
{
	for (uint32_t i = 0; i < f->count; i++) {
		f->velocity[i] = oz_mad(f->velocity[i], f->force[i], dt / f->density[i]);
		f->position[i] = oz_mad(f->position[i], f->velocity[i], dt);
	}
}

void mesit_step(mesit_fluid *f, float dt)
{
	for (uint32_t i = 0; i < f->count; i++) {
		f->density[i] = f->mass * poly6(0, f->h);
		for (uint32_t k = f->start[i]; k < f->start[i + 1]; k++)
			f->density[i] += density_of(f, i, f->list[k]);
	}
	find_pressure(f);
	for (uint32_t i = 0; i < f->count; i++) {
		f->force[i] = oz_v3(0, 0, 0);
		for (uint32_t k = f->start[i]; k < f->start[i + 1]; k++) {
			f->force[i] = oz_add(f->force[i], pressure_of(f, i, f->list[k]));
			f->force[i] = oz_add(f->force[i], viscosity_of(f, i, f->list[k]));
		}
	}
	move(f, dt);
}

void mesit_step_all_pairs(mesit_fluid *f, float dt)
{
	for (uint32_t i = 0; i < f->count; i++) {
		f->density[i] = f->mass * poly6(0, f->h);
		for (uint32_t j = 0; j < f->count; j++)
			if (is_near(f, i, j))
				f->density[i] += density_of(f, i, j);
	}
	find_pressure(f);
	for (uint32_t i = 0; i < f->count; i++) {
		f->force[i] = oz_v3(0, 0, 0);
		for (uint32_t j = 0; j < f->count; j++)
			if (is_near(f, i, j))
				f->force[i] = oz_add(f->force[i], pressure_of(f, i, j));
		for (uint32_t j = 0; j < f->count; j++)
			if (is_near(f, i, j))
				f->force[i] = oz_add(f->force[i], viscosity_of(f, i, j));
	}
	move(f, dt);
}
