// bodies.c: materials, and particles as bodies of one.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/world.h"

oz_material_def oz_material_default(oz_model model)
{
	oz_material_def def = {0};
	oz_params_default(OZ_PARAMS_MATERIAL, &def);
	def.model = model;
	return def;
}

oz_body_def oz_body_default(void)
{
	oz_body_def def = {0};
	oz_params_default(OZ_PARAMS_BODY, &def);
	return def;
}

// α's keys in the world's own memory; in order of time, each within 0 … 1
static oz_result copy_keys(oz_world *w, const oz_material_def *def, oz_alpha_key **keys,
                           oz_error *error)
{
	const size_t size = sizeof **keys * def->alpha_key_count;
	*keys = NULL;
	for (uint32_t k = 0; k < def->alpha_key_count; k++) {
		const oz_alpha_key key = def->alpha_keys[k];
		if (!(key.alpha >= 0 && key.alpha <= 1) || !isfinite(key.time) ||
		    (k && key.time <= def->alpha_keys[k - 1].time))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "material %s: alpha key %u is %g at %g s; keys come in "
			               "order of "
			               "time, with alpha from 0 to 1",
			               def->name, k, (double)key.alpha, (double)key.time);
	}
	if (size && !(*keys = oz_heap_alloc(&w->heap, size)))
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for material %u; close other programs",
		               w->materials.count);
	if (size)
		memcpy(*keys, def->alpha_keys, size);
	return OZ_OK;
}

static oz_result check_material(const oz_world *w, const oz_material_def *def, const char *where,
                                oz_error *error)
{
	const oz_result result = oz_params_check(OZ_PARAMS_MATERIAL, def, where, error);
	if (result != OZ_OK)
		return result;
	if (def->model == OZ_BLEND && def->cluster_radius > 0 &&
	    def->cluster_radius < w->def.support)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.cluster_radius is %g spacings, less than the world's support of "
		               "%g; raise it to that, or to 0, which takes it",
		               where, (double)def->cluster_radius, (double)w->def.support);
	return OZ_OK;
}

oz_result oz_world_add_material(oz_world *w, const oz_material_def *def, oz_id *material,
                                oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	char where[OZ_NAME_SIZE + 16];
	snprintf(where, sizeof where, "material %.*s", OZ_NAME_SIZE - 1, def->name);
	oz_alpha_key *keys;
	oz_result result = check_material(w, def, def->name[0] ? where : "material", error);
	if (result == OZ_OK)
		result = copy_keys(w, def, &keys, error);
	if (result != OZ_OK)
		return result;
	oz_device *d = w->device;
	const size_t old = sizeof(oz_matter) * w->materials.count;
	oz_matter *table = d->ops->alloc(d, old + sizeof *table);
	oz_material_def *added = table ? oz_array_add(&w->heap, &w->materials) : NULL;
	if (!added) {
		d->ops->release(d, table, old + sizeof *table);
		oz_heap_free(&w->heap, keys, sizeof *keys * def->alpha_key_count);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for material %u; close other programs",
		               w->materials.count);
	}
	*added = *def;
	added->alpha_keys = keys;
	// nothing behind the name's end goes into a snapshot
	memset(added->name, 0, sizeof added->name);
	snprintf(added->name, sizeof added->name, "%.*s", OZ_NAME_SIZE - 1, def->name);
	const oz_matter matter = oz_matter_of(w, added);
	d->ops->copy(d, table, w->matter, old);
	d->ops->write(d, table, old, &matter, sizeof matter);
	d->ops->release(d, w->matter, old);
	w->matter = table;
	w->blend.alphas_known = false;
	if (material)
		*material = w->materials.count - 1;
	return OZ_OK;
}

static oz_vec3 mean_point(const oz_vec3 *points, uint32_t count)
{
	double x = 0, y = 0, z = 0;
	for (uint32_t i = 0; i < count; i++)
		x += (double)points[i].x, y += (double)points[i].y, z += (double)points[i].z;
	const double n = count ? (double)count : 1;
	return oz_v3((float)(x / n), (float)(y / n), (float)(z / n));
}

static oz_result check_points(const oz_body_def *def, oz_error *error)
{
	if (def->count > 0 && !def->points)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' has %u particles but no points; pass their positions",
		               def->name, def->count);
	for (uint32_t i = 0; i < def->count && def->alphas; i++)
		if (!(def->alphas[i] >= 0 && def->alphas[i] <= 1))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "body '%s': alpha of particle %u is %g; it is from 0 to 1",
			               def->name, i, (double)def->alphas[i]);
	for (uint32_t i = 0; i < def->count; i++) {
		const oz_vec3 p = def->points[i];
		if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "point %u of body '%s' is not a finite number; check its "
			               "source",
			               i, def->name);
	}
	return OZ_OK;
}

// the larger the world, the smaller the share of spare room
static uint32_t capacity_for(const oz_world *w, uint64_t wanted)
{
	if (w->nozzles.count == 0)
		return (uint32_t)wanted;
	const uint64_t roomy = wanted + wanted / 4 + 1024;
	return roomy < UINT32_MAX / 2 ? (uint32_t)roomy : (uint32_t)wanted;
}

static oz_result make_room(oz_world *w, uint32_t count, oz_error *error)
{
	const uint64_t wanted = (uint64_t)w->particles.count + count;
	if (wanted > UINT32_MAX / 2)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%llu particles are more than a world holds (%u); use a larger "
		               "spacing",
		               (unsigned long long)wanted, UINT32_MAX / 2);
	if (wanted <= w->particles.capacity)
		return OZ_OK;
	return oz_particles_reserve(w->device, &w->particles, capacity_for(w, wanted), error);
}

#define STAGED 2048u // particles that go to the device together, at most

// particles on their way to the device, field by field; and their slots
typedef struct stage_area {
#define OZ_FIELD_STAGE(type, name, kind) type *name;
	OZ_PARTICLE_FIELDS(OZ_FIELD_STAGE)
#undef OZ_FIELD_STAGE
	oz_slot_def *slots;
	void *block; // all of it
	size_t size;
	uint32_t room; // particles, whole cache lines of every field
} stage_area;

static bool alloc_stage(oz_world *w, stage_area *s, uint32_t count)
{
	s->room = count < STAGED ? (count + 15) / 16 * 16 : STAGED;
	size_t used = 0;
#define OZ_FIELD_SIZE(type, name, kind) used += sizeof(type) * s->room;
	OZ_PARTICLE_FIELDS(OZ_FIELD_SIZE)
#undef OZ_FIELD_SIZE
	s->size = used + sizeof *s->slots * s->room;
	s->block = oz_heap_alloc(&w->heap, s->size);
	char *next = s->block;
	if (!next)
		return false;
#define OZ_FIELD_PLACE(type, name, kind)                                                           \
	s->name = (type *)(void *)next;                                                            \
	next += sizeof(type) * s->room;
	OZ_PARTICLE_FIELDS(OZ_FIELD_PLACE)
#undef OZ_FIELD_PLACE
	s->slots = (oz_slot_def *)(void *)next;
	return true;
}

static void stage_particle(oz_world *w, stage_area *s, uint32_t k, oz_id body, oz_vec3 x, oz_vec3 v,
                           float nozzle, float temperature)
{
	const oz_id material = oz_bodies(w)[body].material;
	const float weight = oz_matter_of(w, &oz_materials(w)[material]).viscous;
	s->position[k] = s->flow[k] = (oz_float4){x.x, x.y, x.z, nozzle};
	s->velocity[k] = (oz_float4){v.x, v.y, v.z, weight};
	s->flow[k].w = 0;
	s->anchor[k] = s->flow[k];
	s->wall[k] = s->acceleration[k] = (oz_float4){0, 0, 0, 0};
	s->density[k] = oz_materials(w)[material].density;
	s->id[k] = w->next_id++;
	s->body[k] = body;
	s->material[k] = material;
	s->slot[k] = OZ_NONE;
	s->temperature[k] = temperature;
	s->warmth[k] = 0;
}

static void write_staged(oz_world *w, const stage_area *s, uint32_t at, uint32_t count)
{
	oz_device *d = w->device;
#define OZ_FIELD_WRITE(type, name, kind)                                                           \
	d->ops->write(d, w->particles.name, sizeof(type) * at, s->name, sizeof(type) * count);
	OZ_PARTICLE_FIELDS(OZ_FIELD_WRITE)
#undef OZ_FIELD_WRITE
}

bool oz_any_body(const oz_world *w, oz_model model, bool (*is)(const oz_material_def *material))
{
	for (uint32_t b = 0; b < w->bodies.count; b++) {
		const oz_material_def *m = &oz_materials(w)[oz_bodies(w)[b].material];
		if (oz_bodies(w)[b].count && m->model == model && (!is || is(m)))
			return true;
	}
	return false;
}

// of a model that keeps a reference shape
static bool is_shaped(const oz_world *w, oz_id body)
{
	return oz_materials(w)[oz_bodies(w)[body].material].model != OZ_FLUID;
}

static bool is_solid(const oz_world *w, oz_id body)
{
	return oz_materials(w)[oz_bodies(w)[body].material].model == OZ_COROTATED;
}

// what is added together
typedef struct addition {
	oz_id body;
	const oz_vec3 *points, *velocities;
	uint32_t count;
	float nozzle, temperature;
	uint32_t *order; // of their slots: the points that these are for; NULL: as they come
	uint32_t *rank;  // the other way
} addition;

static void put_particles(oz_world *w, stage_area *s, const addition *a)
{
	const oz_vec3 g = w->def.gravity;
	const float half = 0.5f * w->steering.last_time_step;
	const bool shaped = is_shaped(w, a->body);
	for (uint32_t i = 0; i < a->count; i++) {
		const uint32_t k = i % s->room;
		// velocities belong to the middle of the last step
		stage_particle(w, s, k, a->body, a->points[i], oz_mad(a->velocities[i], g, -half),
		               a->nozzle, a->temperature);
		if (shaped)
			s->slot[k] = w->blend.count + (a->rank ? a->rank[i] : i);
		w->steering.max_speed = fmaxf(w->steering.max_speed, oz_length(a->velocities[i]));
		if (k == s->room - 1 || i == a->count - 1)
			write_staged(w, s, w->particles.count + i - k, k + 1);
	}
}

// Slots of a body belong together, those of a nozzle have yet to find each other.
static void put_slots(oz_world *w, stage_area *s, const addition *a)
{
	const uint32_t first = oz_bodies(w)[a->body].lump;
	const bool poured = a->nozzle != 0;
	const float alpha =
	        oz_alpha_warm(w, &oz_materials(w)[oz_bodies(w)[a->body].material], a->temperature);
	for (uint32_t n = 0; n < a->count; n++) {
		const uint32_t k = n % s->room, i = a->order ? a->order[n] : n;
		s->slots[k] = (oz_slot_def){.rest = a->points[i],
		                            .particle = w->particles.count + i,
		                            .lump = poured ? w->blend.count + n : first,
		                            .alpha = alpha,
		                            .fresh = poured};
		if (k == s->room - 1 || n == a->count - 1)
			oz_slots_set(w, w->blend.count + n - k, s->slots, k + 1);
	}
	if (is_solid(w, a->body))
		oz_solids_begin(w, w->blend.count, a->count, a->temperature,
		                &oz_materials(w)[oz_bodies(w)[a->body].material]);
	w->blend.count += a->count;
	w->blend.stale = true;
}

// neighbours in a solid have slots side by side
static oz_result order_slots(oz_world *w, addition *a, oz_error *error)
{
	a->order = oz_heap_alloc(&w->heap, 2 * sizeof *a->order * a->count);
	if (!a->order)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u particles; use a larger spacing", a->count);
	a->rank = a->order + a->count;
	const oz_result result = oz_slots_order(w, a->points, a->count, a->order, error);
	for (uint32_t n = 0; n < a->count && result == OZ_OK; n++)
		a->rank[a->order[n]] = n;
	return result;
}

static oz_result put(oz_world *w, addition *a, oz_error *error)
{
	stage_area staged = {0};
	oz_result result = OZ_OK;
	if (is_solid(w, a->body) && a->nozzle == 0)
		result = order_slots(w, a, error);
	if (result == OZ_OK && !alloc_stage(w, &staged, a->count))
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for %u particles; use a larger spacing", a->count);
	if (result == OZ_OK) {
		put_particles(w, &staged, a);
		if (is_shaped(w, a->body))
			put_slots(w, &staged, a);
		oz_heap_free(&w->heap, staged.block, staged.size);
	}
	oz_heap_free(&w->heap, a->order, 2 * sizeof *a->order * a->count);
	return result;
}

oz_result oz_particles_add(oz_world *w, oz_id body, const oz_vec3 *points,
                           const oz_vec3 *velocities, uint32_t count, float nozzle,
                           float temperature, oz_error *error)
{
	addition a = {.body = body,
	              .points = points,
	              .velocities = velocities,
	              .count = count,
	              .nozzle = nozzle,
	              .temperature = temperature};
	oz_result result = make_room(w, count, error);
	if (result == OZ_OK && is_shaped(w, body))
		result = oz_slots_reserve(w, w->blend.count + count, error);
	if (result == OZ_OK && (is_solid(w, body) || w->solid.capacity))
		result = oz_solids_reserve(w, error);
	if (result == OZ_OK && count > 0)
		result = put(w, &a, error);
	if (result != OZ_OK || count == 0)
		return result;
	w->particles.count += count;
	oz_bodies(w)[body].count += count;
	oz_bodies(w)[body].left = false;
	w->neighbours.valid = false;
	// a snapshot of this moment has no lists; what is poured comes within a step, and leaves
	// them
	if (nozzle == 0)
		w->neighbours.listed = 0;
	return OZ_OK;
}

static oz_result add_points(oz_world *w, oz_id body, const oz_body_def *def, oz_error *error)
{
	const size_t size = sizeof(oz_vec3) * def->count;
	oz_vec3 *velocities = oz_heap_alloc(&w->heap, size);
	if (def->count && !velocities)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u particles; use a larger spacing", def->count);
	const oz_vec3 centre = mean_point(def->points, def->count);
	for (uint32_t i = 0; i < def->count; i++)
		velocities[i] =
		        oz_add(def->velocity, oz_cross(def->spin, oz_sub(def->points[i], centre)));
	const oz_result result = oz_particles_add(w, body, def->points, velocities, def->count, 0,
	                                          def->temperature, error);
	oz_heap_free(&w->heap, velocities, size);
	const uint32_t slot = w->blend.count - def->count;
	if (result == OZ_OK && def->alphas && oz_materials(w)[def->material].model == OZ_BLEND)
		w->device->ops->write(w->device, w->blend.own_alpha, sizeof(float) * slot,
		                      def->alphas, sizeof(float) * def->count);
	const bool own = result == OZ_OK && def->alphas && !is_solid(w, body) && is_shaped(w, body);
	for (uint32_t i = 0; own && i < def->count; i++)
		w->blend.least_alpha = fminf(w->blend.least_alpha, def->alphas[i]);
	return result;
}

// glue is a matter of the rest shape, which is one from the first step on
static oz_result check_join(const oz_world *w, const oz_body_def *def, oz_error *error)
{
	if (!def->join)
		return OZ_OK;
	if (oz_materials(w)[def->material].model != OZ_COROTATED)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' has a join, but its material is no elastic solid; use a "
		               "corotated material or leave join at 0",
		               def->name);
	if (w->step)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' is to join others, but the world has taken %llu steps; "
		               "add it before the first",
		               def->name, (unsigned long long)w->step);
	for (uint32_t k = 0; k < w->bodies.count; k++) {
		const oz_body *other = &oz_bodies(w)[k];
		if (other->join == def->join && oz_materials(w)[other->material].elasticity !=
		                                        oz_materials(w)[def->material].elasticity)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "body '%s' joins '%s', whose elasticity is another; give "
			               "both materials the same",
			               def->name, other->name);
	}
	return OZ_OK;
}

// the slot after which the lump of a body is named: its own first, or that of the first it joins
static uint32_t lump_of(const oz_world *w, uint32_t join)
{
	for (uint32_t k = 0; join && k < w->bodies.count; k++)
		if (oz_bodies(w)[k].join == join && oz_bodies(w)[k].count)
			return oz_bodies(w)[k].lump;
	return w->blend.count;
}

oz_result oz_world_add_body(oz_world *w, const oz_body_def *def, oz_id *body, oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	oz_result result = oz_params_check(OZ_PARAMS_BODY, def, "body", error);
	if (result != OZ_OK)
		return result;
	if (def->material >= w->materials.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "body '%s' names material %u, but there are %u; add the material "
		               "first",
		               def->name, def->material, w->materials.count);
	result = check_points(def, error);
	if (result == OZ_OK)
		result = check_join(w, def, error);
	if (result == OZ_OK && def->alphas && oz_melts(&oz_materials(w)[def->material]))
		result = oz_fail(error, OZ_ERROR_ARGUMENT,
		                 "body '%s' has alphas, but its material melts, and alpha follows "
		                 "the temperature; leave one of the two out",
		                 def->name);
	if (result != OZ_OK)
		return result;
	const uint32_t lump = lump_of(w, def->join);
	oz_body *added = oz_array_add(&w->heap, &w->bodies);
	if (!added)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for body %u; close other programs", w->bodies.count);
	const oz_id id = w->bodies.count - 1;
	if (def->name[0])
		snprintf(added->name, sizeof added->name, "%s", def->name);
	else
		snprintf(added->name, sizeof added->name, "body %u", id);
	added->material = def->material;
	added->join = def->join;
	added->lump = lump;
	result = add_points(w, id, def, error);
	if (result != OZ_OK) {
		w->bodies.count--;
		return result;
	}
	if (body)
		*body = id;
	return OZ_OK;
}
