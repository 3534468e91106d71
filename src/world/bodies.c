// bodies.c: adds materials, bodies and their particles.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
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

// checks the keyframes of α (sorted by time, 0 … 1) and copies them; the world owns *keys
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
			               "material %s: alpha key %u is %g at %g s; sort keys by "
			               "time, with alpha from 0 to 1",
			               def->name, k, (double)key.alpha, (double)key.time);
	}
	if (size && !(*keys = oz_heap_alloc(&w->heap, size)))
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for material %u; close other programs",
		               w->sim.materials.count);
	if (size)
		memcpy(*keys, def->alpha_keys, size);
	return OZ_OK;
}

oz_result oz_material_check(const oz_world *w, const oz_material_def *def, const char *where,
                            oz_error *error)
{
	const oz_model_entry *model = oz_model_of(&w->sim, (uint32_t)def->model);
	oz_material_def known = *def;
	// the range of `model` in the parameter table does not include registered models
	if (model)
		known.model = 0;
	oz_result result = oz_params_check(OZ_PARAMS_MATERIAL, &known, where, error);
	for (uint32_t k = 0; k < w->models.count && result == OZ_OK; k++) {
		const oz_model_ops *ops = w->models.entries[k].ops;
		if (ops->refuse.material &&
		    (ops->model == OZ_ALL_MODELS || ops->model == (uint32_t)def->model))
			result = ops->refuse.material(&w->sim, def, where, error);
	}
	return result;
}

// new entries of all tables for one more material
typedef struct material_room {
	oz_matter *table; // device, grown by one
	oz_material_def *def;
	oz_matter *matter;
} material_room;

static bool make_material_room(oz_world *w, material_room *room)
{
	oz_sim *s = &w->sim;
	oz_device *d = s->device;
	const size_t old = sizeof(oz_matter) * s->materials.count;
	room->table = d->ops->alloc(d, old + sizeof *room->table);
	room->matter = room->table ? oz_array_add(&w->heap, &s->matters) : NULL;
	room->def = room->matter ? oz_array_add(&w->heap, &s->materials) : NULL;
	if (room->def)
		return true;
	s->matters.count -= room->matter != NULL;
	d->ops->release(d, room->table, old + sizeof *room->table);
	return false;
}

// fills the new entries and replaces the table on the device
static void keep_material(oz_world *w, const oz_material_def *def, const oz_alpha_key *keys,
                          const material_room *room)
{
	oz_sim *s = &w->sim;
	oz_device *d = s->device;
	const size_t old = sizeof(oz_matter) * (s->materials.count - 1);
	*room->def = *def;
	room->def->alpha_keys = keys;
	// zeros behind the end of the name: snapshots hold all bytes
	memset(room->def->name, 0, sizeof room->def->name);
	snprintf(room->def->name, sizeof room->def->name, "%.*s", OZ_NAME_SIZE - 1, def->name);
	*room->matter = oz_matter_of(s, room->def);
	d->ops->copy(d, room->table, s->matter, old);
	d->ops->write(d, room->table, old, room->matter, sizeof *room->matter);
	d->ops->release(d, s->matter, old);
	s->matter = room->table;
}

oz_result oz_world_add_material(oz_world *w, const oz_material_def *def, oz_id *material,
                                oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	char where[OZ_NAME_SIZE + 16];
	snprintf(where, sizeof where, "material %.*s", OZ_NAME_SIZE - 1, def->name);
	oz_alpha_key *keys;
	oz_result result = oz_material_check(w, def, def->name[0] ? where : "material", error);
	if (result == OZ_OK)
		result = copy_keys(w, def, &keys, error);
	if (result != OZ_OK)
		return result;
	material_room room;
	if (!make_material_room(w, &room)) {
		oz_heap_free(&w->heap, keys, sizeof *keys * def->alpha_key_count);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for material %u; close other programs",
		               w->sim.materials.count);
	}
	keep_material(w, def, keys, &room);
	if (material)
		*material = w->sim.materials.count - 1;
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
			               "body '%s': alpha of particle %u is %g; give a number from "
			               "0 to 1",
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

// ---- particles ---------------------------------------------------------------------------------

// capacity for `wanted` particles; a quarter more where emitters will add particles
static uint32_t capacity_for(const oz_world *w, uint64_t wanted)
{
	if (w->boundary.nozzles.count == 0)
		return (uint32_t)wanted;
	const uint64_t roomy = wanted + wanted / 4 + 1024;
	return roomy < UINT32_MAX / 2 ? (uint32_t)roomy : (uint32_t)wanted;
}

static oz_result make_room(oz_world *w, uint32_t count, oz_error *error)
{
	oz_sim *s = &w->sim;
	const uint64_t wanted = (uint64_t)s->particles.count + count;
	if (wanted > UINT32_MAX / 2)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%llu particles are more than a world holds (%u); use a larger "
		               "spacing",
		               (unsigned long long)wanted, UINT32_MAX / 2);
	if (wanted <= s->particles.capacity)
		return OZ_OK;
	// scratch buffers have the capacity of the fields: free those that are not in use, they
	// would be too small
	oz_scratch_drop(&s->scratch);
	return oz_particles_reserve(&s->fields, &s->particles, capacity_for(w, wanted), error);
}

#define STAGED 2048u // particles in one write to the device, at most

// host copy of the fields of some particles, to be written to the device
typedef struct stage_area {
	OZ_PARTICLE_FIELDS(OZ_FIELD_MEMBER)
	void *block; // memory of all fields
	size_t size;
	uint32_t room; // particles, a multiple of 16: whole cache lines
} stage_area;

static bool alloc_stage(oz_world *w, stage_area *s, uint32_t count)
{
	s->room = count < STAGED ? (count + 15) / 16 * 16 : STAGED;
	s->size = oz_rows_bytes(oz_particle_rows, oz_particle_row_count) * s->room;
	s->block = oz_heap_alloc(&w->heap, s->size);
	char *next = s->block;
	if (!next)
		return false;
#define OZ_FIELD_PLACE(type, name, kind, most, first, since)                                       \
	s->name = (type *)(void *)next;                                                            \
	next += sizeof(type) * s->room;
	OZ_PARTICLE_FIELDS(OZ_FIELD_PLACE)
#undef OZ_FIELD_PLACE
	return true;
}

// fills the fields of one particle; x m, v m/s
static void stage_particle(oz_sim *sim, stage_area *s, uint32_t k, oz_id body, oz_vec3 x, oz_vec3 v,
                           float nozzle)
{
	const oz_id material = oz_bodies(sim)[body].material;
	const oz_matter *m = (const oz_matter *)sim->matters.items + material;
	s->position[k] = s->anchor[k] = oz_make4(x.x, x.y, x.z, 0.0f);
	s->velocity[k] = oz_make4(v.x, v.y, v.z, m->viscous);
	s->acceleration[k] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	s->density[k] = 0;
	s->deficit[k] = nozzle == 0 ? -OZ_OVERLAP_ANY : OZ_DEFICIT_ANY;
	s->pressure[k] = 0;
	s->id[k] = sim->next_id++;
	s->body[k] = body;
	s->material[k] = material;
}

static void write_staged(oz_sim *sim, const stage_area *s, uint32_t at, uint32_t count)
{
	oz_device *d = sim->device;
#define OZ_FIELD_WRITE(type, name, kind, most, first, since)                                       \
	d->ops->write(d, sim->particles.name, sizeof(type) * at, s->name, sizeof(type) * count);
	OZ_PARTICLE_FIELDS(OZ_FIELD_WRITE)
#undef OZ_FIELD_WRITE
}

// writes the fields of new particles, in pieces of the staging buffers, and raises max_speed to
// theirs
static void put_particles(oz_sim *sim, stage_area *s, const oz_addition *a)
{
	const oz_vec3 g = sim->def.gravity;
	const float half = 0.5f * sim->last_step.time_step;
	for (uint32_t i = 0; i < a->count; i++) {
		const uint32_t k = i % s->room;
		// leapfrog: velocities are those of the middle of the last step
		stage_particle(sim, s, k, a->body, a->points[i], oz_mad(a->velocities[i], g, -half),
		               a->nozzle);
		sim->last_step.max_speed =
		        fmaxf(sim->last_step.max_speed, oz_length(a->velocities[i]));
		if (k == s->room - 1 || i == a->count - 1)
			write_staged(sim, s, a->particle + i - k, k + 1);
	}
}

// writes the field `nozzle` of poured particles
static void put_nozzle(oz_world *w, const oz_addition *a)
{
	oz_device *d = w->sim.device;
	float same[STAGED];
	for (uint32_t k = 0; k < STAGED; k++)
		same[k] = a->nozzle;
	for (uint32_t i = 0; i < a->count && a->nozzle != 0; i += STAGED)
		d->ops->write(d, w->boundary.nozzle, sizeof *same * (a->particle + i), same,
		              sizeof *same * (a->count - i < STAGED ? a->count - i : STAGED));
}

static bool is_shaped(const oz_world *w, oz_id body)
{
	const oz_matter *m = w->sim.matters.items;
	return m[oz_bodies(&w->sim)[body].material].rest_reach > 0;
}

// writes an addition to all fields; the memory is reserved
static void add_to_device(oz_world *w, stage_area *staged, const oz_addition *a)
{
	oz_sim *s = &w->sim;
	// from set 1 on: set 0 holds the fields that put_particles writes
	oz_fields_write_first(&s->fields, 1, OZ_ITEMS_PARTICLES, a->particle,
	                      a->particle + a->count);
	put_particles(s, staged, a);
	put_nozzle(w, a);
	if (is_shaped(w, a->body))
		oz_slots_add(s, a);
	for (uint32_t k = 0; k < w->models.count; k++) {
		const oz_model_entry *e = &w->models.entries[k];
		if (e->open && e->ops->added)
			e->ops->added(s, e->state, a);
	}
	s->particles.count += a->count;
	oz_bodies(s)[a->body].count += a->count;
	oz_bodies(s)[a->body].left = false;
	s->neighbours.valid = false;
	s->pressure->fresh = true;
	// a snapshot that is saved now has no lists; poured particles are added within a step and
	// keep them
	if (a->nozzle == 0)
		s->neighbours.listed = 0;
}

// takes all memory of an addition, before any particle is written
static oz_result reserve(oz_world *w, oz_addition *a, oz_error *error)
{
	oz_sim *s = &w->sim;
	if (a->count == 0)
		return OZ_OK;
	const bool shaped = is_shaped(w, a->body);
	oz_result result = make_room(w, a->count, error);
	if (result == OZ_OK && shaped)
		result = oz_slots_reserve(s, s->slots->count + a->count, error);
	if (result == OZ_OK)
		result = oz_models_open_needed(s, a, error);
	// the rest shape of a model that cannot be poured never changes: slots in Morton order
	const bool whole = !oz_model_has(oz_material_of(s, a->body)->model, OZ_TRAIT_POURED);
	if (result == OZ_OK && shaped && whole)
		result = oz_slots_order(s, a, error);
	return result;
}

oz_result oz_particles_add(oz_world *w, oz_addition *a, oz_error *error)
{
	stage_area staged = {0};
	const uint32_t sets = w->sim.fields.set_count;
	a->particle = w->sim.particles.count;
	a->slot = w->slots.count;
	oz_result result = reserve(w, a, error);
	if (result == OZ_OK && a->count && !alloc_stage(w, &staged, a->count))
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for %u particles; use a larger spacing", a->count);
	if (result == OZ_OK && a->count)
		add_to_device(w, &staged, a);
	if (result != OZ_OK)
		oz_models_drop_fields(&w->sim, sets);
	oz_heap_free(&w->heap, staged.block, staged.size);
	oz_slots_free_order(&w->sim, a);
	return result;
}

// ---- bodies ------------------------------------------------------------------------------------

// adds the particles of a body, with its velocity and spin about its mean point
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
	oz_addition a = {.body = body,
	                 .points = def->points,
	                 .velocities = velocities,
	                 .alphas = def->alphas,
	                 .triangles = def->triangles,
	                 .triangle_count = def->triangle_count,
	                 .count = def->count,
	                 .temperature = def->temperature};
	const oz_result result = oz_particles_add(w, &a, error);
	oz_heap_free(&w->heap, velocities, size);
	return result;
}

// refuses an axis or keyframes for a model whose bodies cannot have them
static oz_result check_axis(const oz_world *w, const oz_body_def *def, oz_error *error)
{
	const oz_model model = oz_materials(&w->sim)[def->material].model;
	char words[64];
	const bool turns = oz_dot(def->axis, def->axis) > 0;
	if ((!turns && !def->keyframe_count) || oz_model_has(model, OZ_TRAIT_AXLE))
		return OZ_OK;
	oz_models_words(oz_models_with(OZ_TRAIT_AXLE), words, sizeof words);
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "body '%s' has %s, but its material is not of model %s; use such a "
	               "material or leave %s out",
	               def->name, turns ? "an axis" : "keyframes", words, turns ? "axis" : "them");
}

static oz_result check_join(const oz_world *w, const oz_body_def *def, oz_error *error)
{
	const oz_model model = oz_materials(&w->sim)[def->material].model;
	if (!def->join || oz_model_has(model, OZ_TRAIT_JOINS))
		return OZ_OK;
	char words[64], nouns[64];
	oz_models_words(oz_models_with(OZ_TRAIT_JOINS), words, sizeof words);
	oz_models_nouns(oz_models_with(OZ_TRAIT_JOINS), nouns, sizeof nouns);
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "body '%s' has a join, but its material is not %s; use a %s material or "
	               "leave join at 0",
	               def->name, nouns, words);
}

static oz_result check_body(const oz_world *w, const oz_body_def *def, oz_error *error)
{
	const oz_sim *s = &w->sim;
	oz_result result = oz_params_check(OZ_PARAMS_BODY, def, "body", error);
	if (result != OZ_OK)
		return result;
	if (def->material >= s->materials.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "body '%s' names material %u, but there are %u; add the material "
		               "first",
		               def->name, def->material, s->materials.count);
	const oz_model_entry *model =
	        oz_model_of(s, (uint32_t)oz_materials(s)[def->material].model);
	result = check_points(def, error);
	if (result == OZ_OK)
		result = check_axis(w, def, error);
	if (result == OZ_OK)
		result = check_join(w, def, error);
	if (result == OZ_OK && model->ops->refuse.body)
		result = model->ops->refuse.body(s, def, error);
	return result;
}

// the name of a new body's component: its first slot, or the component of the first body with the
// same `join`
static uint32_t component_of(const oz_world *w, uint32_t join)
{
	const oz_sim *s = &w->sim;
	for (uint32_t k = 0; join && k < s->bodies.count; k++)
		if (oz_bodies(s)[k].join == join && oz_bodies(s)[k].count)
			return oz_bodies(s)[k].component;
	return s->slots->count;
}

// an empty name becomes "body NUMBER"
static void name_body(oz_body_def *def, uint32_t number)
{
	if (!def->name[0])
		snprintf(def->name, sizeof def->name, "body %u", number);
}

oz_result oz_world_add_body(oz_world *w, const oz_body_def *def, oz_id *body, oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	oz_sim *s = &w->sim;
	// sentences of errors name it
	oz_body_def named = *def;
	name_body(&named, s->bodies.count);
	oz_result result = check_body(w, &named, error);
	if (result != OZ_OK)
		return result;
	const uint32_t component = component_of(w, def->join);
	oz_body *added = oz_array_add(&w->heap, &s->bodies);
	if (!added)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for body %u; close other programs", s->bodies.count);
	const oz_id id = s->bodies.count - 1;
	snprintf(added->name, sizeof added->name, "%s", named.name);
	added->material = def->material;
	added->join = def->join;
	added->component = component;
	added->axis = def->axis;
	added->keyframes = def->keyframes;
	added->keyframe_count = def->keyframe_count;
	added->loop = def->loop;
	result = add_points(w, id, def, error);
	oz_bodies(s)[id].keyframes = NULL;
	oz_bodies(s)[id].keyframe_count = 0;
	if (result != OZ_OK) {
		s->bodies.count--;
		return result;
	}
	if (body)
		*body = id;
	return OZ_OK;
}

oz_result oz_world_add_shape(oz_world *w, const oz_shape *shape, oz_id material, oz_id *body,
                             oz_error *error)
{
	oz_body_def def = oz_body_default();
	oz_vec3 *points = NULL;
	if (!w)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world is NULL; pass a world");
	def.material = material;
	uint32_t(*triangles)[3] = NULL;
	const bool skin = material < w->sim.materials.count &&
	                  oz_model_has(oz_materials(&w->sim)[material].model, OZ_TRAIT_SKIN);
	oz_result result = skin ? oz_shape_cover(shape, w->sim.def.spacing, &points, &def.count,
	                                         &triangles, &def.triangle_count, error)
	                        : oz_shape_fill(shape, w->sim.def.spacing, OZ_FILL_LATTICE, &points,
	                                        &def.count, error);
	def.points = points;
	def.triangles = (const uint32_t(*)[3])triangles;
	if (result == OZ_OK)
		result = oz_world_add_body(w, &def, body, error);
	oz_points_free(points);
	oz_triangles_free(triangles);
	return result;
}
