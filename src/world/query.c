// query.c: views of fields, sums over particles and the hash of a world.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "world/world.h"

static oz_result fail_no_field(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "the field does not exist; use one of enum oz_field");
}

static oz_result no_room(oz_error *error, uint32_t count)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for a copy of %u particles; close other programs", count);
}

// ---- views -------------------------------------------------------------------------------------

void oz_shown_free(oz_world *w)
{
	oz_device *d = w->sim.device;
	oz_shown *v = &w->shown;
	d->ops->release(d, v->phase, sizeof *v->phase * v->phase_capacity);
	d->ops->release(d, v->temperature, sizeof *v->temperature * v->temperature_capacity);
	*v = (oz_shown){0};
}

// a buffer of 4 bytes for each particle: the old one, if it is large enough. NULL: out of memory
static void *make_room(oz_device *d, void *buffer, uint32_t *capacity, uint32_t count)
{
	if (count <= *capacity)
		return buffer;
	d->ops->release(d, buffer, sizeof(uint) * *capacity);
	buffer = d->ops->alloc(d, sizeof(uint) * count);
	*capacity = buffer ? count : 0;
	return buffer;
}

// writes the phase of each particle; NULL: out of memory
static const uint *show_phase(oz_world *w)
{
	oz_shown *v = &w->shown;
	v->phase = make_room(w->sim.device, v->phase, &v->phase_capacity, w->sim.particles.count);
	if (v->phase)
		oz_slots_write_phase(&w->sim, v->phase);
	return v->phase;
}

#define SHOWN 256u // temperatures in one write to the device

// The field `temperature`, or the default temperature of bodies for all particles in a world
// without heat. NULL: out of memory.
static const float *show_temperature(oz_world *w)
{
	const float *own = oz_fields_find(&w->sim.fields, "temperature");
	const uint32_t count = w->sim.particles.count;
	const float room = oz_body_default().temperature;
	oz_device *d = w->sim.device;
	oz_shown *v = &w->shown;
	if (own)
		return own;
	const uint32_t before = v->temperature_capacity;
	v->temperature = make_room(d, v->temperature, &v->temperature_capacity, count);
	float same[SHOWN];
	for (uint32_t k = 0; k < SHOWN; k++)
		same[k] = room;
	for (uint32_t i = 0; v->temperature && before < count && i < count; i += SHOWN)
		d->ops->write(d, v->temperature, sizeof room * i, same,
		              sizeof room * (count - i < SHOWN ? count - i : SHOWN));
	return v->temperature;
}

// the device buffer of a field; NULL: out of memory
static const void *buffer_of(oz_world *w, oz_field field)
{
	const oz_particles *p = &w->sim.particles;
	switch (field) {
	case OZ_FIELD_POSITION: return p->position;
	case OZ_FIELD_VELOCITY: return p->velocity;
	case OZ_FIELD_ACCELERATION: return p->acceleration;
	case OZ_FIELD_DENSITY: return p->density;
	case OZ_FIELD_PRESSURE: return p->pressure;
	case OZ_FIELD_ID: return p->id;
	case OZ_FIELD_BODY: return p->body;
	case OZ_FIELD_MATERIAL: return p->material;
	case OZ_FIELD_TEMPERATURE: return show_temperature(w);
	case OZ_FIELD_PHASE: return show_phase(w);
	default: return NULL;
	}
}

oz_result oz_world_view(oz_world *w, oz_field field, oz_view *view, oz_error *error)
{
	if (!w || !view)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or view is NULL; pass both");
	if ((unsigned)field >= OZ_FIELD_COUNT)
		return fail_no_field(error);
	const uint32_t count = w->sim.particles.count;
	const void *buffer = count ? buffer_of(w, field) : NULL;
	const size_t stride = field <= OZ_FIELD_ACCELERATION ? sizeof(oz_float4) : sizeof(float);
	const void *data =
	        buffer ? w->sim.device->ops->view(w->sim.device, buffer, stride * count) : NULL;
	if (!data && count)
		return no_room(error, count);
	*view = (oz_view){.data = data, .stride = stride, .count = count};
	return oz_device_check(w->sim.device, error);
}

// ---- sums --------------------------------------------------------------------------------------

// adds a particle to the sums and extremes of oz_stats
static void add_particle(oz_stats *s, const oz_world *w, oz_float4 x4, oz_float4 v4, double m)
{
	const double x[3] = {(double)x4.x, (double)x4.y, (double)x4.z};
	const double v[3] = {(double)v4.x, (double)v4.y, (double)v4.z};
	const oz_vec3 g = w->sim.def.gravity;
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
	const oz_particles *p = &w->sim.particles;
	oz_device *d = w->sim.device;
	const oz_float4 *x = d->ops->view(d, p->position, sizeof *x * p->count);
	const oz_float4 *v = d->ops->view(d, p->velocity, sizeof *v * p->count);
	const uint *material = d->ops->view(d, p->material, sizeof *material * p->count);
	if (p->count && (!x || !v || !material))
		return no_room(error, p->count);
	*stats = (oz_stats){.time = w->sim.time, .step = w->sim.step, .particles = p->count};
	stats->min = p->count ? oz_v3(FLT_MAX, FLT_MAX, FLT_MAX) : oz_v3(0, 0, 0);
	stats->max = oz_scale(stats->min, -1);
	for (uint32_t i = 0; i < p->count; i++)
		add_particle(stats, w, x[i], v[i], (double)oz_particle_mass(&w->sim, material[i]));
	for (int k = 0; k < 3 && stats->mass > 0; k++)
		stats->centre[k] /= stats->mass;
	stats->compression_energy = oz_compression_energy(w);
	stats->elastic_energy = oz_models_energy(&w->sim);
	if (isnan(stats->compression_energy + stats->elastic_energy))
		return no_room(error, p->count);
	return oz_device_check(d, error);
}

oz_result oz_world_get_components(oz_world *w, uint32_t *components, oz_error *error)
{
	if (!w || !components)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or components is NULL; pass both");
	oz_device *d = w->sim.device;
	const uint32_t count = w->sim.particles.count;
	const uint *slot =
	        w->slots.open ? d->ops->view(d, w->slots.slot, sizeof *slot * count) : NULL;
	const uint *component = w->slots.open ? d->ops->view(d, w->slots.component,
	                                                     sizeof *component * w->slots.count)
	                                      : NULL;
	if (w->slots.count && (!slot || !component))
		return no_room(error, count);
	for (uint32_t i = 0; i < count; i++)
		components[i] = slot && slot[i] < w->slots.count ? component[slot[i]] : OZ_NONE;
	return oz_device_check(d, error);
}

// ---- hash --------------------------------------------------------------------------------------

// time, the values that choose the next time step, and the layers of emitters
static uint64_t hash_time(const oz_world *w, uint64_t h)
{
	const oz_sim *s = &w->sim;
	const uint32_t flags = (w->contact.near ? 1u : 0u) | (w->measuring.squeezed ? 2u : 0u);
	h = oz_hash(&s->time, sizeof s->time, h);
	h = oz_hash(&s->step, sizeof s->step, h);
	h = oz_hash(&s->next_id, sizeof s->next_id, h);
	h = oz_hash(&s->last_step, sizeof s->last_step, h);
	h = oz_hash(&flags, sizeof flags, h);
	for (uint32_t k = 0; k < w->boundary.nozzles.count; k++)
		h = oz_hash(&oz_nozzles(&w->boundary)[k].layers,
		            sizeof oz_nozzles(&w->boundary)[k].layers, h);
	return oz_colliders_hash(&w->boundary, h);
}

uint64_t oz_world_hash(oz_world *w)
{
	oz_fields *f = &w->sim.fields;
	uint64_t h = hash_time(w, w->sim.particles.count);
	h = oz_fields_hash(f, OZ_ITEMS_PARTICLES, w->sim.particles.count, h);
	h = oz_fields_hash(f, OZ_ITEMS_SLOTS, w->slots.count, h);
	return oz_models_hash(&w->sim, h);
}
