// heat.c: the heat of a world: its regions, its stage of the step, and blends that follow it.
//
// Nothing is launched in a world that conducts no heat and has no region. Conduction is explicit:
// an adapted time step is short enough for it, and a fixed one is gone through in parts.
#include <math.h>
#include <stdio.h>

#include "world/world.h"

#include "models/heat.cl"

#define MOST_PARTS  64u // of a step, in which heat is conducted
#define ALPHA_STEPS 8u  // between two looks at how liquid blends have become

// ---- regions -----------------------------------------------------------------------------------

oz_region_def oz_region_default(oz_shape shape)
{
	oz_region_def def = {0};
	oz_params_default(OZ_PARAMS_REGION, &def);
	def.shape = shape;
	return def;
}

static oz_result check_shape(const oz_shape *shape, const char *where, oz_error *error)
{
	if (shape->kind == OZ_SHAPE_CHART)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is a chart, which regions cannot be; put a box, a ball or "
		               "another shape in its place",
		               where);
	return oz_check_solid(shape, where, error);
}

oz_result oz_world_add_region(oz_world *w, const oz_region_def *def, oz_id *region, oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	char where[32];
	snprintf(where, sizeof where, "region %u", w->regions.count);
	oz_result result = oz_params_check(OZ_PARAMS_REGION, def, where, error);
	if (result == OZ_OK)
		result = oz_params_check(OZ_PARAMS_SHAPE, &def->shape, where, error);
	if (result == OZ_OK)
		result = check_shape(&def->shape, where, error);
	if (result != OZ_OK)
		return result;
	oz_region_def *added = oz_array_add(&w->heap, &w->regions);
	if (!added)
		return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for %s; close other programs",
		               where);
	*added = *def;
	added->shape.chart = NULL;
	added->shape.rotation = oz_quat_normalize(def->shape.rotation);
	if (region)
		*region = w->regions.count - 1;
	return OZ_OK;
}

// ---- the stage ---------------------------------------------------------------------------------

float oz_heat_time_step(const oz_world *w)
{
	float dt = INFINITY;
	for (uint32_t k = 0; k < w->materials.count; k++) {
		const oz_material_def *m = &oz_materials(w)[k];
		// four: of neighbours that all conduct far better
		if (m->conductivity > 0)
			dt = fminf(dt, m->density * m->heat_capacity /
			                       (4 * m->conductivity * w->heat_sum));
	}
	return dt;
}

static void conduct(oz_world *w)
{
	oz_device *d = w->device;
	oz_particles *p = &w->particles;
	const oz_lists lists = oz_neighbours_lists(&w->neighbours, w->fluid.h);
	const float most = oz_heat_time_step(w);
	// what is too long even so conducts less, and stays stable
	const float parts = fminf(ceilf(w->time_step / most * (1 - 1e-6f)), MOST_PARTS);
	const float dt = fminf(w->time_step / parts, most);
	// the accelerations of this step are yet to come
	oz_float4 *warm = p->acceleration;
	for (uint32_t k = 0; k < (uint32_t)parts; k++) {
		OZ_LAUNCH(d, heat_take, p->count, .temperature = p->temperature,
		          .warmth = p->warmth, .density = p->density, .wall = p->wall,
		          .material = p->material, .matter = w->matter, .warm = warm);
		OZ_LAUNCH_PAIRS(d, heat_conduct, p->count, &lists, .position = p->position,
		                .warm = warm, .material = p->material, .matter = w->matter,
		                .temperature = p->temperature, .warmth = p->warmth,
		                .fluid = w->fluid, .dt = dt);
	}
}

// s of this step in which a region is there
static double time_inside(const oz_world *w, const oz_region_def *def)
{
	const double begin = (double)def->start, end = begin + (double)def->duration;
	return fmin(w->time + (double)w->time_step, end) - fmax(w->time, begin);
}

static void act(oz_world *w, const oz_region_def *def)
{
	oz_particles *p = &w->particles;
	const double time = time_inside(w, def);
	if (!(time > 0))
		return;
	const heat_place place = {.kind = (uint)def->shape.kind,
	                          .size = def->shape.size,
	                          .position = def->shape.position,
	                          .turn = oz_quat_conjugate(def->shape.rotation),
	                          .temperature = def->temperature,
	                          .action = (float)((double)def->rate * time)};
	OZ_LAUNCH(w->device, heat_region, p->count, .position = p->position,
	          .material = p->material, .matter = w->matter, .temperature = p->temperature,
	          .warmth = p->warmth, .place = place);
}

oz_result oz_stage_heat(oz_world *w, oz_error *error)
{
	(void)error;
	if (oz_heat_time_step(w) < INFINITY)
		conduct(w);
	for (uint32_t k = 0; k < w->regions.count; k++)
		act(w, &oz_regions(w)[k]);
	return OZ_OK;
}

float oz_heat_longest(const oz_world *w)
{
	return MOST_PARTS * oz_heat_time_step(w);
}

// ---- melting -----------------------------------------------------------------------------------

bool oz_melts(const oz_material_def *m)
{
	return m->model == OZ_BLEND && m->melting_point < OZ_NEVER_MELTS;
}

float oz_alpha_least(const oz_material_def *m, double time)
{
	return fminf(oz_alpha_at(m, time), oz_melts(m) ? m->alpha_hot : 1);
}

float oz_alpha_warm(const oz_world *w, const oz_material_def *m, float temperature)
{
	const oz_matter matter = oz_matter_of(w, m);
	return oz_melts(m) ? heat_alpha(&matter, temperature) : -1;
}

void oz_heat_set_alphas(oz_world *w)
{
	bool melting = false;
	for (uint32_t m = 0; m < w->materials.count; m++)
		melting |= oz_melts(&oz_materials(w)[m]);
	if (!melting || w->step % ALPHA_STEPS != 0)
		return;
	OZ_LAUNCH(w->device, heat_soften, w->blend.count, .where = w->blend.where,
	          .material = w->particles.material, .matter = w->matter,
	          .temperature = w->particles.temperature, .own_alpha = w->blend.own_alpha,
	          .never = OZ_NEVER_MELTS);
	if (!w->blend.stale)
		oz_clusters_weigh(w);
}
