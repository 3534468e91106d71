// world.c: creates and destroys a world; returns its counts and definitions.
#include "world/world.h"

#include <string.h>

#include "kernels/kernels.h"
#include "particles/rules.h"

// Default skins, measured. A thicker skin means fewer list builds and more pairs; on a GPU pairs
// are cheaper relative to builds.
#define SKIN_CPU 0.06f
#define SKIN_GPU 0.12f

oz_world_def oz_world_default(void)
{
	oz_world_def def = {0};
	oz_params_default(OZ_PARAMS_WORLD, &def);
	return def;
}

static oz_result check_def(const oz_world_def *def, oz_error *error)
{
	const oz_result result = oz_params_check(OZ_PARAMS_WORLD, def, "world", error);
	if (result != OZ_OK)
		return result;
	if (def->bounds_min.x >= def->bounds_max.x || def->bounds_min.y >= def->bounds_max.y ||
	    def->bounds_min.z >= def->bounds_max.z)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "world.bounds_min is not below world.bounds_max on every axis; swap "
		               "them");
	return OZ_OK;
}

static oz_result open_device(oz_world *w, oz_error *error)
{
	oz_world_def *def = &w->sim.def;
	oz_result result =
	        oz_device_open(&w->heap, def->device, def->threads, &w->sim.device, error);
	// replace the caller's string, which may be freed after the call
	def->device = w->sim.device ? w->sim.device->info.address : NULL;
	if (result == OZ_OK && def->skin < 0)
		def->skin = w->sim.device->info.gpu ? SKIN_GPU : SKIN_CPU;
	if (result == OZ_OK)
		result = oz_device_prepare(w->sim.device, &oz_core_kernels, error);
	return result;
}

// opens the device, the fields, the boundary and the models
static oz_result init_parts(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	const oz_field_set particles = {oz_particle_rows, oz_particle_row_count, OZ_ITEMS_PARTICLES,
	                                &s->particles};
	oz_result result = open_device(w, error);
	s->fields.device = s->scratch.device = s->device;
	const oz_rules rules = oz_rules_of(&s->def);
	s->fluid = rules.fluid;
	s->solid = rules.solid;
	w->pressure = oz_pressure_of(s);
	if (result == OZ_OK)
		result = oz_fields_add(&s->fields, &particles, 0, error);
	if (result == OZ_OK)
		result = oz_boundary_init(&w->boundary, s, error);
	if (result == OZ_OK)
		result = oz_models_open(s, error);
	return result;
}

// sets the definition, the sizes of arrays and the pointers from sim to the world's members
static void set_pointers(oz_world *w, const oz_world_def *def)
{
	oz_sim *s = &w->sim;
	s->heap = &w->heap;
	s->def = *def;
	s->materials.size = sizeof(oz_material_def);
	s->matters.size = sizeof(oz_matter);
	s->bodies.size = sizeof(oz_body);
	s->slots = &w->slots;
	s->boundary = &w->boundary;
	s->contact = &w->contact;
	s->models = &w->models;
	s->pressure = &w->pressure_state;
	s->pressure->fix = oz_models_fix;
	s->pressure->project = oz_models_project;
	s->pressure->add_rate = oz_models_add_rate;
	s->pressure->push = oz_models_push;
	s->pressure->add_diagonal = oz_models_add_diagonal;
}

oz_result oz_world_create(const oz_world_def *def, oz_world **world, oz_error *error)
{
	if (!world)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "world is NULL; pass the address of a pointer");
	*world = NULL;
	if (!def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "def is NULL; pass oz_world_default()");
	oz_result result = check_def(def, error);
	if (result != OZ_OK)
		return result;
	oz_heap heap;
	oz_heap_init(&heap, &def->hooks);
	oz_world *w = oz_heap_alloc(&heap, sizeof *w);
	if (!w)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for a world; close other programs");
	memset(w, 0, sizeof *w);
	w->heap = heap;
	set_pointers(w, def);
	result = init_parts(w, error);
	if (result != OZ_OK) {
		oz_world_destroy(w);
		return result;
	}
	*world = w;
	return OZ_OK;
}

static void free_things(oz_world *w)
{
	oz_sim *s = &w->sim;
	for (uint32_t m = 0; m < s->materials.count; m++)
		oz_heap_free(&w->heap, (void *)(uintptr_t)oz_materials(s)[m].alpha_keys,
		             oz_materials(s)[m].alpha_key_count * sizeof(oz_alpha_key));
	oz_arena_free(&w->heap, &w->arena);
	oz_array_free(&w->heap, &s->materials);
	oz_array_free(&w->heap, &s->matters);
	oz_array_free(&w->heap, &s->bodies);
}

static void free_buffers(oz_world *w)
{
	oz_sim *s = &w->sim;
	oz_device *d = s->device;
	if (!d)
		return;
	oz_extremes_free(w);
	oz_bounds_free(w);
	oz_shown_free(w);
	oz_neighbours_free(d, &s->neighbours);
	oz_scratch_free(&s->scratch);
	oz_fields_free(&s->fields);
	oz_slots_free(s);
	d->ops->release(d, s->matter, sizeof(oz_matter) * s->materials.count);
}

void oz_world_destroy(oz_world *w)
{
	if (!w)
		return;
	// fields first: the states of models hold their pointers
	free_buffers(w);
	oz_models_close(&w->sim);
	oz_boundary_free(&w->boundary, &w->sim);
	oz_device_destroy(w->sim.device);
	free_things(w);
	oz_heap heap = w->heap;
	oz_heap_free(&heap, w, sizeof *w);
}

bool oz_world_next_event(oz_world *w, oz_event *event)
{
	oz_events *q = &w->sim.events;
	if (q->count == 0)
		return false;
	*event = q->items[q->first];
	q->first = (q->first + 1) % OZ_EVENTS;
	q->count--;
	return true;
}

double oz_world_time(const oz_world *w)
{
	return w->sim.time;
}

uint64_t oz_world_step_count(const oz_world *w)
{
	return w->sim.step;
}

uint32_t oz_world_particle_count(const oz_world *w)
{
	return w->sim.particles.count;
}

uint32_t oz_world_body_count(const oz_world *w)
{
	return w->sim.bodies.count;
}

uint32_t oz_world_material_count(const oz_world *w)
{
	return w->sim.materials.count;
}

size_t oz_world_bytes(const oz_world *w)
{
	return w->heap.bytes + w->sim.device->device_bytes;
}

uint32_t oz_world_threads(const oz_world *w)
{
	return w->sim.device->threads;
}

void oz_world_time_stages(oz_world *w, bool timed)
{
	if (w->sim.device->ops->set_timed)
		w->sim.device->ops->set_timed(w->sim.device, timed);
}

const oz_device_info *oz_world_device(const oz_world *w)
{
	return &w->sim.device->info;
}

const oz_world_def *oz_world_get_def(const oz_world *w)
{
	return &w->sim.def;
}

const oz_material_def *oz_world_get_material(const oz_world *w, oz_id material)
{
	return material < w->sim.materials.count ? &oz_materials(&w->sim)[material] : NULL;
}

const char *oz_world_body_name(const oz_world *w, oz_id body)
{
	return body < w->sim.bodies.count ? oz_bodies(&w->sim)[body].name : NULL;
}

const char *oz_stage_name(oz_stage stage)
{
	static const char *const names[OZ_STAGE_COUNT] = {
#define OZ_STAGE_TEXT(code, name) [OZ_STAGE_##code] = (name),
	        OZ_STAGES(OZ_STAGE_TEXT)
#undef OZ_STAGE_TEXT
	};
	return (unsigned)stage < OZ_STAGE_COUNT ? names[stage] : "unknown";
}

const char *oz_limit_name(oz_limit limit)
{
	static const char *const names[OZ_LIMIT_COUNT] = {"fixed",   "max",   "speed",
	                                                  "sound",   "force", "viscosity",
	                                                  "elastic", "heat",  "surface tension"};
	return (unsigned)limit < OZ_LIMIT_COUNT ? names[limit] : "unknown";
}
