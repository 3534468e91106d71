// heat.c: the model of heat: temperatures, regions, its passes of the step.
//
// A world has temperatures if a material conducts or melts, if a body is not at 20 °C, or if there
// is a region. Conduction is explicit: an adaptive time step is short enough for it; a fixed time
// step that is too long is divided into substeps.
#include <math.h>
#include <stdio.h>

#include "boundary/boundary.h"
#include "models/heat/heat_model.h"
#include "particles/rules.h"

#include "models/heat/heat.cl"

#define MOST_PARTS 64u   // substeps of conduction in a step
#define ROOM       20.0f // °C, default temperature

static const oz_field_row heat_rows[] = {
#define HEAT_ROW(...) OZ_FIELD_ROW(oz_heat, "", __VA_ARGS__)
        OZ_HEAT_FIELDS(HEAT_ROW)};

// adds the temperature to the registry
static oz_result open_fields(oz_sim *sim, oz_error *error)
{
	for (uint32_t k = 0; k < sim->models->count; k++)
		if (sim->models->entries[k].ops == &oz_heat_model)
			return oz_model_open_fields(sim, &sim->models->entries[k], error);
	return OZ_OK;
}

// sets the record size of the empty array of regions, and the sum that limits the time step
static void open(oz_sim *sim, void *state)
{
	oz_heat *h = state;
	h->regions.size = sizeof(oz_region_def);
	h->heat_sum = oz_rules_of(&sim->def).heat_sum;
}

static void close(oz_sim *sim, void *state)
{
	oz_array_free(sim->heap, &((oz_heat *)state)->regions);
}

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	(void)sim;
	m->conductivity = def->conductivity;
	m->heat_capacity = def->heat_capacity;
	m->melting_point = def->melting_point;
	m->melting_range = def->melting_range;
	m->latent_heat = def->latent_heat;
}

// ---- temperatures of new particles -------------------------------------------------------------

static bool needed(const oz_sim *sim, const void *state, const oz_addition *a)
{
	const oz_heat *h = state;
	const oz_material_def *m = oz_material_of(sim, a->body);
	return m->conductivity > 0 || oz_can_melt(m) || a->temperature != ROOM || h->regions.count;
}

#define WRITTEN 1024u // temperatures in one write to the device

static void added(oz_sim *sim, void *state, const oz_addition *a)
{
	oz_device *d = sim->device;
	float same[WRITTEN];
	for (uint32_t k = 0; k < WRITTEN; k++)
		same[k] = a->temperature;
	for (uint32_t done = 0; done < a->count; done += WRITTEN) {
		const uint32_t some = a->count - done < WRITTEN ? a->count - done : WRITTEN;
		d->ops->write(d, ((oz_heat *)state)->temperature,
		              sizeof *same * (a->particle + done), same, sizeof *same * some);
	}
}

// ---- regions -----------------------------------------------------------------------------------

static oz_result check_shape(const oz_shape *shape, const char *where, oz_error *error)
{
	if (shape->kind == OZ_SHAPE_SDF)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has the shape SDF, but a region cannot; use a box, a ball or "
		               "another shape",
		               where);
	return oz_check_shape(shape, where, error);
}

static oz_result check_region(const oz_region_def *def, const char *where, oz_error *error)
{
	oz_result result = oz_params_check(OZ_PARAMS_REGION, def, where, error);
	if (result == OZ_OK)
		result = oz_params_check(OZ_PARAMS_SHAPE, &def->shape, where, error);
	return result == OZ_OK ? check_shape(&def->shape, where, error) : result;
}

static oz_result add_region(oz_sim *sim, const void *thing, oz_id *region, oz_error *error)
{
	const oz_region_def *def = thing;
	oz_heat *h = oz_heat_of(sim);
	char where[32];
	snprintf(where, sizeof where, "region %u", h->regions.count);
	oz_result result = check_region(def, where, error);
	if (result == OZ_OK)
		result = open_fields(sim, error);
	if (result != OZ_OK)
		return result;
	oz_region_def *added = oz_array_add(sim->heap, &h->regions);
	if (!added)
		return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for %s; close other programs",
		               where);
	*added = *def;
	added->shape.sdf = NULL;
	added->shape.rotation = oz_quat_normalize(def->shape.rotation);
	if (region)
		*region = h->regions.count - 1;
	return OZ_OK;
}

static void save(const oz_sim *sim, const void *state, oz_section *s)
{
	const oz_heat *h = state;
	(void)sim;
	oz_section_put(s, &h->regions.count, sizeof h->regions.count);
	for (uint32_t k = 0; k < h->regions.count; k++) {
		oz_section_put_params(s, OZ_PARAMS_REGION, &oz_regions(h)[k]);
		oz_section_put_params(s, OZ_PARAMS_SHAPE, &oz_regions(h)[k].shape);
	}
}

static oz_result load(oz_sim *sim, void *state, oz_section *s, oz_error *error)
{
	uint32_t count = oz_section_get_count(s);
	(void)state;
	for (uint32_t k = 0; k < count && !s->failed; k++) {
		char name[64];
		oz_region_def def = {0};
		oz_shape shape = {0};
		if (!oz_section_get_params(s, OZ_PARAMS_REGION, &def, name) ||
		    !oz_section_get_params(s, OZ_PARAMS_SHAPE, &shape, name))
			return oz_section_fail_unknown(name, error);
		def.shape = shape;
		const oz_result result = s->failed ? OZ_OK : add_region(sim, &def, NULL, error);
		if (result != OZ_OK)
			return result;
	}
	return s->failed ? oz_section_fail_short("regions", error) : OZ_OK;
}

// ---- the pass ----------------------------------------------------------------------------------

// the longest stable step of explicit conduction, s; INFINITY: no material conducts
static float longest_step(const oz_sim *sim, const oz_heat *h)
{
	float dt = INFINITY;
	for (uint32_t k = 0; k < sim->materials.count; k++) {
		const oz_material_def *m = &oz_materials(sim)[k];
		// the harmonic mean 4 k_i k_j / (k_i + k_j) is 4 k_i at most
		if (m->conductivity > 0)
			dt = fminf(dt, m->density * m->heat_capacity /
			                       (4 * m->conductivity * h->heat_sum));
	}
	return dt;
}

// conducts heat over the time step, in as many substeps as stability requires
static void conduct(oz_sim *sim, const oz_heat *h)
{
	oz_device *d = sim->device;
	oz_particles *p = &sim->particles;
	const oz_lists lists = oz_neighbours_lists(&sim->neighbours, sim->fluid.h);
	const float most = longest_step(sim, h);
	// if MOST_PARTS substeps are too few, conduct for a shorter time: too little, but stable
	const float parts = fminf(ceilf(sim->time_step / most * (1 - 1e-6f)), MOST_PARTS);
	const float dt = fminf(sim->time_step / parts, most);
	for (uint32_t k = 0; k < (uint32_t)parts; k++) {
		OZ_LAUNCH(d, heat_gather, p->count, .temperature = h->temperature,
		          .temperature_residual = h->temperature_residual, .density = p->density,
		          .wall = p->wall, .material = p->material, .matter = sim->matter,
		          .warm = h->warm);
		OZ_LAUNCH_PAIRS(d, heat_conduct, p->count, &lists, .position = p->position,
		                .warm = h->warm, .material = p->material, .matter = sim->matter,
		                .temperature = h->temperature,
		                .temperature_residual = h->temperature_residual,
		                .fluid = sim->fluid, .dt = dt);
	}
}

// the part of this step in which a region is active, s; not positive: none
static double time_active(const oz_sim *sim, const oz_region_def *def)
{
	const double begin = (double)def->start, end = begin + (double)def->duration;
	return fmin(sim->time + (double)sim->time_step, end) - fmax(sim->time, begin);
}

static void apply_region(oz_sim *sim, const oz_heat *h, const oz_region_def *def)
{
	oz_particles *p = &sim->particles;
	const double time = time_active(sim, def);
	if (!(time > 0))
		return;
	const heat_place place = {.kind = (uint)def->shape.kind,
	                          .size = def->shape.size,
	                          .position = def->shape.position,
	                          .rotation = oz_quat_conjugate(def->shape.rotation),
	                          .temperature = def->temperature,
	                          .action = (float)((double)def->rate * time)};
	OZ_LAUNCH(sim->device, heat_region, p->count, .position = p->position,
	          .material = p->material, .matter = sim->matter, .temperature = h->temperature,
	          .temperature_residual = h->temperature_residual, .place = place);
}

// OZ_PASS_HEAT: conduction, then regions
static oz_result change_temperatures(oz_sim *sim, void *state, oz_error *error)
{
	oz_heat *h = state;
	(void)error;
	if (longest_step(sim, h) < INFINITY)
		conduct(sim, h);
	for (uint32_t k = 0; k < h->regions.count; k++)
		apply_region(sim, h, &oz_regions(h)[k]);
	return OZ_OK;
}

static oz_result reserve(oz_sim *sim, void *state, oz_error *error)
{
	oz_heat *h = state;
	if (!(longest_step(sim, h) < INFINITY))
		return OZ_OK;
	h->warm = OZ_TAKE(&sim->scratch, oz_float4, "warm", sim->particles.capacity);
	return h->warm ? OZ_OK
	               : oz_fail(error, OZ_ERROR_MEMORY,
	                         "out of memory for the heat of %u particles; use a larger spacing",
	                         sim->particles.count);
}

static oz_result done(oz_sim *sim, void *state, oz_error *error)
{
	oz_heat *h = state;
	(void)error;
	oz_scratch_give(&sim->scratch, h->warm);
	h->warm = NULL;
	return OZ_OK;
}

// a fixed time step may have MOST_PARTS substeps
static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *rule)
{
	*rule = OZ_LIMIT_HEAT;
	const float longest = longest_step(sim, state);
	return fixed ? MOST_PARTS * longest : sim->def.cfl * longest;
}

static double bytes(const oz_world_def *def, const oz_material_def *m, bool on_gpu)
{
	(void)def;
	(void)on_gpu;
	const double warm = m->conductivity > 0 ? sizeof(oz_float4) : 0;
	return m->conductivity > 0 || oz_can_melt(m) ? (double)oz_rows_bytes(heat_rows, 2) + warm
	                                             : 0;
}

static const oz_thing_ops regions = {OZ_PARAMS_REGION, offsetof(oz_heat, regions), add_region};

const oz_model_ops oz_heat_model = {
        .word = "heat",
        .model = OZ_ALL_MODELS,
        .state_size = sizeof(oz_heat),
        .particle_rows = heat_rows,
        .particle_row_count = sizeof heat_rows / sizeof *heat_rows,
        .needed = needed,
        .open = open,
        .close = close,
        .matter = fill_matter,
        .added = added,
        .limit = limit,
        .pass = {[OZ_PASS_RESERVE] = reserve,
                 [OZ_PASS_HEAT] = change_temperatures,
                 [OZ_PASS_DONE] = done},
        .things = &regions,
        .section = "regions",
        .section_since = 4,
        .save = save,
        .load = load,
        .bytes = bytes,
};
