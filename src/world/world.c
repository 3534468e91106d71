// world.c: making, unmaking and asking a world.
#include "world/world.h"

#include <string.h>

#include "boundary/nozzle.h"
#include "kernels/kernels.h"

// where lists that last longer and lists that are shorter cost the same: a GPU is quicker with
// pairs than with lists
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

static oz_result build(oz_world *w, oz_error *error)
{
	oz_result result =
	        oz_device_open(&w->heap, w->def.device, w->def.threads, &w->device, error);
	// the caller's text need not outlive the call
	w->def.device = w->device ? w->device->info.address : NULL;
	if (result == OZ_OK && w->def.skin < 0)
		w->def.skin = w->device->info.gpu ? SKIN_GPU : SKIN_CPU;
	if (result == OZ_OK)
		result = oz_device_prepare(w->device, &oz_core_kernels, error);
	if (result == OZ_OK)
		result = oz_fluid_init(w, error);
	if (result == OZ_OK)
		result = oz_wall_table_init(w, error);
	return result;
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
	w->def = *def;
	w->materials.size = sizeof(oz_material_def);
	w->bodies.size = sizeof(oz_body);
	w->solids.size = sizeof(oz_obstacle);
	w->nozzles.size = sizeof(oz_nozzle);
	w->regions.size = sizeof(oz_region_def);
	w->handles.size = sizeof(oz_handle);
	w->blend.least_alpha = 1;
	result = build(w, error);
	if (result != OZ_OK) {
		oz_world_destroy(w);
		return result;
	}
	*world = w;
	return OZ_OK;
}

static void free_things(oz_world *w)
{
	for (uint32_t k = 0; k < w->solids.count; k++) {
		oz_collider_def *def = &oz_obstacles(w)[k].def;
		oz_heap_free(&w->heap, (void *)(uintptr_t)def->keyframes,
		             def->keyframe_count * sizeof(oz_keyframe));
		oz_chart_release(def->shape.chart);
	}
	oz_handles_free(w);
	for (uint32_t m = 0; m < w->materials.count; m++)
		oz_heap_free(&w->heap, (void *)(uintptr_t)oz_materials(w)[m].alpha_keys,
		             oz_materials(w)[m].alpha_key_count * sizeof(oz_alpha_key));
	oz_arena_free(&w->heap, &w->arena);
	oz_array_free(&w->heap, &w->materials);
	oz_array_free(&w->heap, &w->bodies);
	oz_array_free(&w->heap, &w->solids);
	oz_array_free(&w->heap, &w->nozzles);
	oz_array_free(&w->heap, &w->regions);
}

static void free_buffers(oz_world *w)
{
	oz_device *d = w->device;
	if (!d)
		return;
	d->ops->release(d, w->matter, sizeof(oz_matter) * w->materials.count);
	d->ops->release(d, w->collider, sizeof(oz_collider) * w->solids.count);
	d->ops->release(d, w->guide, sizeof(oz_guide) * w->nozzles.count);
	d->ops->release(d, w->wall_table, oz_wall_table_size());
	oz_charts_free(w);
	oz_loads_free(w);
	oz_extremes_free(w);
	oz_bounds_free(w);
	oz_solids_free(w);
	d->ops->release(d, w->phase, sizeof *w->phase * w->phase_capacity);
	oz_blend_free(w);
	oz_neighbours_free(d, &w->neighbours);
	oz_particles_free(d, &w->particles);
	oz_device_destroy(d);
}

void oz_world_destroy(oz_world *w)
{
	if (!w)
		return;
	free_buffers(w);
	free_things(w);
	oz_heap heap = w->heap;
	oz_heap_free(&heap, w, sizeof *w);
}

double oz_world_time(const oz_world *w)
{
	return w->time;
}

uint64_t oz_world_step_count(const oz_world *w)
{
	return w->step;
}

uint32_t oz_world_particle_count(const oz_world *w)
{
	return w->particles.count;
}

uint32_t oz_world_body_count(const oz_world *w)
{
	return w->bodies.count;
}

uint32_t oz_world_material_count(const oz_world *w)
{
	return w->materials.count;
}

uint32_t oz_world_collider_count(const oz_world *w)
{
	return w->solids.count;
}

uint32_t oz_world_region_count(const oz_world *w)
{
	return w->regions.count;
}

size_t oz_world_bytes(const oz_world *w)
{
	return w->heap.bytes + w->device->apart;
}

uint32_t oz_world_threads(const oz_world *w)
{
	return w->device->threads;
}

void oz_world_time_stages(oz_world *w, bool timed)
{
	if (w->device->ops->set_timed)
		w->device->ops->set_timed(w->device, timed);
}

const oz_device_info *oz_world_device(const oz_world *w)
{
	return &w->device->info;
}

const oz_world_def *oz_world_get_def(const oz_world *w)
{
	return &w->def;
}

const oz_material_def *oz_world_get_material(const oz_world *w, oz_id material)
{
	return material < w->materials.count ? &oz_materials(w)[material] : NULL;
}

const oz_region_def *oz_world_get_region(const oz_world *w, oz_id region)
{
	return region < w->regions.count ? &oz_regions(w)[region] : NULL;
}

const char *oz_world_body_name(const oz_world *w, oz_id body)
{
	return body < w->bodies.count ? oz_bodies(w)[body].name : NULL;
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
	static const char *const names[OZ_LIMIT_COUNT] = {"fixed", "max",       "speed",   "sound",
	                                                  "force", "viscosity", "elastic", "heat"};
	return (unsigned)limit < OZ_LIMIT_COUNT ? names[limit] : "unknown";
}
