// measure.c: the last stage: extremes that steer the next step, and what has to be told.
#include <math.h>

#include "world/world.h"

#include "world/measure.cl"

static uint32_t groups_of(uint32_t items)
{
	return items ? (items - 1) / OZ_GROUP + 1 : 0;
}

// records of all rounds, down to the last one
static uint32_t record_count(uint32_t particles)
{
	uint32_t count = 0;
	for (uint32_t n = groups_of(particles); n; n = n > 1 ? groups_of(n) : 0)
		count += n;
	return count;
}

void oz_extremes_free(oz_world *w)
{
	oz_device *d = w->device;
	d->ops->release(d, w->extremes, sizeof(oz_extremes) * w->extremes_capacity);
	d->ops->release(d, w->measured, sizeof(oz_measured) * d->ahead);
	w->extremes = NULL;
	w->measured = NULL;
	w->extremes_capacity = 0;
}

oz_result oz_extremes_reserve(oz_world *w, oz_error *error)
{
	const uint32_t records = record_count(w->particles.count);
	if (records <= w->extremes_capacity)
		return OZ_OK;
	oz_device *d = w->device;
	oz_extremes_free(w);
	w->extremes = d->ops->alloc(d, sizeof(oz_extremes) * records);
	w->measured = d->ops->alloc(d, sizeof(oz_measured) * d->ahead);
	w->extremes_capacity = w->extremes ? records : 0;
	if (w->extremes && w->measured)
		return OZ_OK;
	oz_extremes_free(w);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u particles; use a larger spacing", w->particles.count);
}

static void tell_trouble(oz_world *w, const oz_measured *e)
{
	const bool squeezed = e->compression > w->def.max_compression;
	if (e->repaired > 0)
		oz_raise(w, OZ_EVENT_NAN, OZ_NONE, e->repaired,
		         "%.0f particles turned non-finite and were put to rest; lower cfl or "
		         "time_step",
		         (double)e->repaired);
	if (squeezed && !w->squeezed)
		oz_raise(w, OZ_EVENT_NOT_CONVERGED, OZ_NONE, e->compression,
		         oz_any_body(w, OZ_FLUID, NULL) || oz_any_body(w, OZ_BLEND, NULL)
		                 ? "the volume is not held: compressed by %.0f %%; raise "
		                   "sound_speed"
		                 : "a solid is pressed by %.0f %% into what it touches, or "
		                   "into a fold of its own; raise sound_speed, or give it more "
		                   "room",
		         100 * (double)e->compression);
	w->squeezed = squeezed;
}

oz_result oz_stage_measure(oz_world *w, oz_error *error)
{
	(void)error;
	oz_device *d = w->device;
	oz_particles *p = &w->particles;
	uint32_t groups = groups_of(p->count), at = 0;
	if (p->count == 0)
		return OZ_OK;
	OZ_LAUNCH(d, measure, groups, .position = p->position, .velocity = p->velocity,
	          .acceleration = p->acceleration, .anchor = p->anchor, .wall = p->wall,
	          .touching = w->blend.touching ? w->blend.touching : w->neighbours.count,
	          .density = p->density, .material = p->material, .matter = w->matter,
	          .out = w->extremes, .items = p->count, .to = 0);
	while (groups > 1) {
		const uint32_t next = groups_of(groups);
		OZ_LAUNCH(d, measure_join, next, .in = w->extremes, .out = w->extremes, .from = at,
		          .items = groups, .to = at + groups);
		at += groups;
		groups = next;
	}
	OZ_LAUNCH(d, steer, 1, .extremes = w->extremes, .measured = w->measured, .halt = d->go,
	          .at = at, .step = w->ahead, .skin = w->halt_at);
	return OZ_OK;
}

void oz_measure_begin(oz_world *w)
{
	if (w->measured)
		w->device->ops->clear(w->device, w->measured,
		                      sizeof(oz_measured) * w->device->ahead);
}

static void take(oz_world *w, const oz_measured *m)
{
	w->steering.max_speed = m->max_speed;
	w->steering.max_acceleration = m->max_acceleration;
	w->steering.parted = m->parted;
	w->report.max_speed = m->max_speed;
	w->report.max_acceleration = m->max_acceleration;
	w->report.max_compression = m->compression;
	w->near = m->near > 0;
	w->report.mean_compression = m->excess / (float)w->particles.count;
	w->report.repaired = (uint32_t)m->repaired;
	tell_trouble(w, m);
}

uint32_t oz_measure_end(oz_world *w, uint32_t steps, oz_step_report *reports)
{
	oz_measured measured[OZ_AHEAD];
	oz_device *d = w->device;
	uint32_t done = 0;
	if (w->particles.count == 0)
		return steps;
	d->ops->read(d, measured, w->measured, 0, sizeof *measured * steps);
	const double time = w->time;
	const uint64_t step = w->step;
	for (; done < steps && measured[done].done; done++) {
		// what is told belongs to that step
		w->report = reports[done];
		w->time = reports[done].time;
		w->step = reports[done].step;
		take(w, &measured[done]);
		reports[done] = w->report;
	}
	w->time = time;
	w->step = step;
	return done;
}
