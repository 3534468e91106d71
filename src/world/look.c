// look.c: fields, sums and the hash of a world.
#include <float.h>
#include <math.h>
#include <string.h>

#include "world/world.h"

static oz_result no_view(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_ARGUMENT, "there is no such field; use one of oz_field");
}

static oz_result no_room(oz_error *error, uint32_t count)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for a copy of %u particles; close other programs", count);
}

oz_result oz_world_view(oz_world *w, oz_field field, oz_view *view, oz_error *error)
{
	if (!w || !view)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or view is NULL; pass both");
	const oz_particles *p = &w->particles;
	if (field == OZ_FIELD_PHASE && p->count && !oz_phases_show(w))
		return no_room(error, p->count);
	const void *fields[OZ_FIELD_COUNT] = {
	        [OZ_FIELD_POSITION] = p->position,
	        [OZ_FIELD_VELOCITY] = p->velocity,
	        [OZ_FIELD_ACCELERATION] = p->acceleration,
	        [OZ_FIELD_DENSITY] = p->density,
	        [OZ_FIELD_PRESSURE] = p->anchor,
	        [OZ_FIELD_ID] = p->id,
	        [OZ_FIELD_BODY] = p->body,
	        [OZ_FIELD_MATERIAL] = p->material,
	        [OZ_FIELD_TEMPERATURE] = p->temperature,
	        [OZ_FIELD_PHASE] = w->phase,
	};
	if ((unsigned)field >= OZ_FIELD_COUNT)
		return no_view(error);
	const bool wide = field <= OZ_FIELD_ACCELERATION || field == OZ_FIELD_PRESSURE;
	const size_t stride = wide ? sizeof(oz_float4) : sizeof(float);
	const char *data = w->device->ops->look(w->device, fields[field], stride * p->count);
	if (!data && p->count)
		return no_room(error, p->count);
	// pressure rides in the fourth place of the anchors
	if (data && field == OZ_FIELD_PRESSURE)
		data += offsetof(oz_float4, w);
	*view = (oz_view){.data = data, .stride = stride, .count = p->count};
	return oz_device_check(w->device, error);
}

static void add_particle(oz_stats *s, const oz_world *w, oz_float4 x4, oz_float4 v4, double m)
{
	const double x[3] = {(double)x4.x, (double)x4.y, (double)x4.z};
	const double v[3] = {(double)v4.x, (double)v4.y, (double)v4.z};
	const oz_vec3 g = w->def.gravity;
	s->mass += m;
	s->kinetic_energy += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	s->potential_energy -= m * ((double)g.x * x[0] + (double)g.y * x[1] + (double)g.z * x[2]);
	for (int k = 0; k < 3; k++) {
		const int a = (k + 1) % 3, b = (k + 2) % 3;
		s->momentum[k] += m * v[k];
		s->angular_momentum[k] += m * (x[a] * v[b] - x[b] * v[a]);
		s->centre[k] += m * x[k];
	}
	const oz_vec3 at = {x4.x, x4.y, x4.z};
	s->min = oz_min3(s->min, at);
	s->max = oz_max3(s->max, at);
}

oz_result oz_world_stats(oz_world *w, oz_stats *stats, oz_error *error)
{
	if (!w || !stats)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or stats is NULL; pass both");
	const oz_particles *p = &w->particles;
	oz_device *d = w->device;
	const oz_float4 *x = d->ops->look(d, p->position, sizeof *x * p->count);
	const oz_float4 *v = d->ops->look(d, p->velocity, sizeof *v * p->count);
	const uint *material = d->ops->look(d, p->material, sizeof *material * p->count);
	if (p->count && (!x || !v || !material))
		return no_room(error, p->count);
	*stats = (oz_stats){.time = w->time, .step = w->step, .particles = p->count};
	stats->min = p->count ? oz_v3(FLT_MAX, FLT_MAX, FLT_MAX) : oz_v3(0, 0, 0);
	stats->max = oz_scale(stats->min, -1);
	for (uint32_t i = 0; i < p->count; i++)
		add_particle(stats, w, x[i], v[i], (double)oz_particle_mass(w, material[i]));
	for (int k = 0; k < 3 && stats->mass > 0; k++)
		stats->centre[k] /= stats->mass;
	return oz_device_check(d, error);
}

oz_result oz_world_get_lumps(oz_world *w, uint32_t *lumps, oz_error *error)
{
	if (!w || !lumps)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or lumps is NULL; pass both");
	oz_device *d = w->device;
	const uint32_t count = w->particles.count;
	const uint *slot = d->ops->look(d, w->particles.slot, sizeof *slot * count);
	const uint *lump = d->ops->look(d, w->blend.lump, sizeof *lump * w->blend.count);
	if ((count && !slot) || (w->blend.count && !lump))
		return no_room(error, count);
	for (uint32_t i = 0; i < count; i++)
		lumps[i] = slot[i] < w->blend.count ? lump[slot[i]] : OZ_NONE;
	return oz_device_check(d, error);
}

static uint64_t hash_time(const oz_world *w, uint64_t h)
{
	h = oz_hash(&w->time, sizeof w->time, h);
	h = oz_hash(&w->step, sizeof w->step, h);
	h = oz_hash(&w->next_id, sizeof w->next_id, h);
	h = oz_hash(&w->steering, sizeof w->steering, h);
	for (uint32_t k = 0; k < w->nozzles.count; k++)
		h = oz_hash(&oz_nozzles(w)[k].layers, sizeof oz_nozzles(w)[k].layers, h);
	return h;
}

// piece by piece, so that no memory is needed
static uint64_t hash_buffer(oz_device *d, const void *buffer, size_t size, uint64_t h)
{
	char piece[32768];
	for (size_t at = 0; at < size; at += sizeof piece) {
		const size_t left = size - at, now = left < sizeof piece ? left : sizeof piece;
		d->ops->read(d, piece, buffer, at, now);
		h = oz_hash(piece, now, h);
	}
	return h;
}

uint64_t oz_world_hash(oz_world *w)
{
	const oz_particles *p = &w->particles;
	uint64_t h = hash_time(w, p->count);
#define HASH_STATE(type, name)  h = hash_buffer(w->device, p->name, sizeof(type) * p->count, h);
#define HASH_ANCHOR(type, name) HASH_STATE(type, name)
#define HASH_RESULT(type, name)
#define OZ_FIELD_HASH(type, name, kind) HASH_##kind(type, name)
	OZ_PARTICLE_FIELDS(OZ_FIELD_HASH)
#undef OZ_FIELD_HASH
	const oz_blend *b = &w->blend;
#define OZ_SLOT_HASH(type, name, kind)                                                             \
	if (OZ_IS_##kind)                                                                          \
		h = hash_buffer(w->device, b->name, sizeof(type) * b->count, h);
	if (b->count) {
		OZ_SLOT_FIELDS(OZ_SLOT_HASH)
	}
#undef OZ_SLOT_HASH
	return h;
}
