// solid.c: elastic solids: their memory, their rest shape, their stage of the step.
#include <math.h>

#include "world/world.h"

#include "models/grip.h"
#include "models/heat.h"
#include "models/solid.cl"
#include "models/solid_drift.cl"
#include "models/solid_fit.cl"
#include "models/solid_solve.cl"

uint32_t oz_firmness(const oz_material_def *m)
{
	static const uint32_t ways[OZ_ELASTIC_COUNT] = {
	        [OZ_ELASTIC_CORRECTED] = 0,
	        [OZ_ELASTIC_PAPER] = OZ_FIRM_PAPER,
	        [OZ_ELASTIC_PLAIN] = OZ_FIRM_PLAIN,
	        [OZ_ELASTIC_MLS] = OZ_FIRM_MLS,
	};
	return OZ_FIRM | ways[m->elasticity] | (m->strain == OZ_STRAIN_GREEN ? OZ_FIRM_GREEN : 0) |
	       (m->implicit ? OZ_FIRM_IMPLICIT : 0);
}

// ---- memory ------------------------------------------------------------------------------------

#define OZ_ALL_SOLID_FIELDS(X) OZ_SOLID_FIELDS(X) OZ_SOLVE_FIELDS(X)

static uint32_t sums_for(uint32_t slots)
{
	const uint32_t groups = slots / OZ_GROUP + 1;
	return OZ_SOLID_SUMS + groups + groups / OZ_GROUP + 2;
}

static void free_fields(oz_device *d, oz_solid *s)
{
#define OZ_SOLID_FREE(type, name, kind)                                                            \
	d->ops->release(d, s->name, sizeof(type) * s->capacity);                                   \
	s->name = NULL;
	OZ_ALL_SOLID_FIELDS(OZ_SOLID_FREE)
#undef OZ_SOLID_FREE
	d->ops->release(d, s->sums, sizeof *s->sums * s->sums_capacity);
	s->sums = NULL;
}

void oz_solids_free(oz_world *w)
{
	free_fields(w->device, &w->solid);
	oz_blocks_free(w);
	w->device->ops->release(w->device, w->solid.drift,
	                        sizeof *w->solid.drift * w->solid.drift_capacity);
	w->device->ops->release(w->device, w->solid.grips,
	                        sizeof *w->solid.grips * w->solid.grip_capacity);
	w->solid = (oz_solid){0};
}

static void keep_state(oz_device *d, oz_solid *fresh, const oz_solid *old)
{
#define OZ_SOLID_KEEP(type, name, kind)                                                            \
	d->ops->clear(d, fresh->name, sizeof(type) * fresh->capacity);                             \
	if (old->capacity)                                                                         \
		d->ops->copy(d, fresh->name, old->name, sizeof(type) * old->capacity);
	OZ_ALL_SOLID_FIELDS(OZ_SOLID_KEEP)
#undef OZ_SOLID_KEEP
}

oz_result oz_solids_reserve(oz_world *w, oz_error *error)
{
	oz_device *d = w->device;
	oz_solid *s = &w->solid, fresh = *s;
	if (w->blend.capacity <= s->capacity)
		return OZ_OK;
	fresh.capacity = w->blend.capacity;
	fresh.sums_capacity = sums_for(fresh.capacity);
	fresh.sums = d->ops->alloc(d, sizeof *fresh.sums * fresh.sums_capacity);
	bool whole = fresh.sums;
#define OZ_SOLID_ALLOC(type, name, kind)                                                           \
	fresh.name = d->ops->alloc(d, sizeof(type) * fresh.capacity);                              \
	whole = whole && fresh.name;
	OZ_ALL_SOLID_FIELDS(OZ_SOLID_ALLOC)
#undef OZ_SOLID_ALLOC
	if (!whole) {
		free_fields(d, &fresh);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for solids of %u particles; use a larger spacing",
		               w->blend.count);
	}
	keep_state(d, &fresh, s);
	free_fields(d, s);
	*s = fresh;
	return OZ_OK;
}

#define WRITTEN 1024u // records that go to the device together

void oz_solids_begin(oz_world *w, uint32_t first, uint32_t count, float temperature,
                     const oz_material_def *material)
{
	const float soft =
	        heat_liquid_share(material->melting_point, material->melting_range, temperature);
	oz_float4 set[WRITTEN];
	for (uint32_t k = 0; k < WRITTEN; k++)
		set[k] = oz_make4(0.0f, 0.0f, soft, 0.0f);
	for (uint32_t done = 0; done < count; done += WRITTEN) {
		const uint32_t some = count - done < WRITTEN ? count - done : WRITTEN;
		w->device->ops->write(w->device, w->solid.set_b, sizeof *set * (first + done), set,
		                      sizeof *set * some);
	}
}

// ---- the rest shape ----------------------------------------------------------------------------

static oz_lists rest_lists(const oz_world *w, const uint *count)
{
	return (oz_lists){.list = w->blend.list,
	                  .start = w->blend.start,
	                  .count = count,
	                  .stride = w->device->stride};
}

// before anything has melted or come off
static void tell_lone(oz_world *w, const uint *lone)
{
	uint count = 0;
	w->device->ops->read(w->device, &count, lone, 0, sizeof count);
	if (count && w->step == 0)
		oz_raise(w, OZ_EVENT_LONE, OZ_NONE, (float)count,
		         "%u particle%s of elastic solids ha%s no neighbour at rest, and nothing "
		         "to be elastic with; use a smaller spacing or join the bodies",
		         count, count > 1 ? "s" : "", count > 1 ? "ve" : "s");
}

void oz_solids_measure(oz_world *w)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	if (!s->capacity)
		return;
	const oz_lists lists = rest_lists(w, b->members);
	uint *lone = (uint *)d->total;
	d->ops->clear(d, lone, sizeof *lone);
	OZ_LAUNCH(d, solid_count, b->count + 1, .rest = b->rest, .position = b->now,
	          .slots = b->count);
	OZ_LAUNCH_PAIRS(d, solid_volume, b->count, &lists, .position = b->now,
	                .members = b->members, .share = b->share, .where = b->where,
	                .material = w->particles.material, .fresh = b->fresh, .matter = w->matter,
	                .rest = b->rest, .bonds = s->bonds, .lone = lone, .matched = s->matched,
	                .fluid = w->fluid, .spacing = w->def.spacing);
	const oz_float4 zero = {0, 0, 0, 0};
	d->ops->write(d, b->now, sizeof zero * b->count, &zero, sizeof zero);
	tell_lone(w, lone);
}

void oz_solids_fit(oz_world *w)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	if (!s->capacity)
		return;
	const oz_lists lists = rest_lists(w, s->bonds);
	OZ_LAUNCH_PAIRS(d, solid_fit, b->count, &lists, .rest = b->rest, .where = b->where,
	                .material = w->particles.material, .fresh = b->fresh, .matter = w->matter,
	                .fit_a = s->fit_a, .fit_b = s->fit_b, .fit_c = s->fit_c, .stiff = s->stiff,
	                .lean = s->lean, .sway = s->sway, .fluid = w->fluid,
	                .spacing = w->def.spacing);
	oz_phases_meet(w);
}

oz_result oz_solids_ready(oz_world *w, oz_error *error)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	if (!s->capacity)
		return OZ_OK;
	const oz_lists lists = rest_lists(w, s->bonds);
	oz_blocks_make(w, &lists);
	OZ_LAUNCH_PAIRS(d, solid_spring, b->count, &lists, .rest = b->rest, .fit_a = s->fit_a,
	                .fit_b = s->fit_b, .stiff = s->stiff, .sway = s->sway, .spring = s->spring,
	                .fluid = w->fluid);
	s->quickest = sqrtf(oz_solids_shake(w));
	return oz_has_implicit(w) ? oz_drift_reserve(w, error) : OZ_OK;
}

// ---- the step ----------------------------------------------------------------------------------

static bool has_printed(const oz_world *w)
{
	for (uint32_t m = 0; m < w->materials.count; m++)
		if (oz_materials(w)[m].model == OZ_COROTATED &&
		    oz_materials(w)[m].elasticity == OZ_ELASTIC_PAPER)
			return true;
	return false;
}

static void stretch(oz_world *w, const oz_lists *lists, const oz_float4 *position, uint as)
{
	oz_blend *b = &w->blend;
	OZ_LAUNCH_PAIRS(w->device, solid_stretch, lists->blocks ? lists->blocks->count : b->count,
	                lists, .position = position, .rest = b->rest, .stiff = w->solid.stiff,
	                .row_x = b->row_x, .row_y = b->row_y, .row_z = b->row_z, .fluid = w->fluid,
	                .as = as, .slots = b->count);
}

void oz_solids_pull(oz_world *w, const oz_float4 *position, uint tangent)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	oz_lists lists = rest_lists(w, s->bonds);
	if (!tangent && has_printed(w)) {
		stretch(w, &lists, position, OZ_FIRM_MLS);
		OZ_LAUNCH(d, solid_turn, b->count, .row_x = b->row_x, .row_y = b->row_y,
		          .row_z = b->row_z, .stiff = s->stiff, .turn = b->turn);
	}
	lists.blocks = s->blocks.count ? &s->blocks : NULL;
	stretch(w, &lists, position, 0);
	OZ_LAUNCH(d, solid_stress, b->count, .rest = b->rest, .fit_a = s->fit_a, .fit_b = s->fit_b,
	          .fit_c = s->fit_c, .set_a = s->set_a, .set_b = s->set_b, .stiff = s->stiff,
	          .turn = b->turn, .row_x = b->row_x, .row_y = b->row_y, .row_z = b->row_z,
	          .lean = s->lean, .tangent = tangent, .sets = oz_anything_melts(w));
	OZ_LAUNCH_PAIRS(d, solid_pull, lists.blocks ? lists.blocks->count : b->count, &lists,
	                .row_x = b->row_x, .row_y = b->row_y, .row_z = b->row_z, .rest = b->rest,
	                .stiff = s->stiff, .sway = s->sway, .lean = s->lean, .push = s->push,
	                .fluid = w->fluid, .slots = b->count);
}

void oz_solids_push(oz_world *w)
{
	oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	OZ_LAUNCH(w->device, solid_take, b->count, .position = p->position, .material = p->material,
	          .matter = w->matter, .set_b = s->set_b, .stiff = s->stiff, .where = b->where,
	          .now = b->now, .lean = s->lean);
	oz_solids_pull(w, b->now, 0);
}

oz_result oz_stage_elastic(oz_world *w, oz_error *error)
{
	oz_device *d = w->device;
	oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	const float kick = 0.5f * (w->steering.last_time_step + w->time_step);
	if (!s->capacity)
		return OZ_OK;
	oz_grips_place(w);
	oz_solids_push(w);
	OZ_LAUNCH(d, solid_apply, b->count, .push = s->push, .hold = s->hold, .grips = s->grips,
	          .where = b->where, .position = p->position, .velocity = p->velocity,
	          .stiff = s->stiff, .outer = b->now, .acceleration = p->acceleration, .kick = kick,
	          .dt = w->time_step);
	return oz_has_implicit(w) ? oz_solids_solve(w, kick, error) : OZ_OK;
}
