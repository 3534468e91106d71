// measure.c: the last stage of a step: extremes, which choose the next time step, and events.
#include <math.h>

#include "world/world.h"

#include "particles/measure.cl"

enum { READ_AT_ONCE = 1024 }; // particles

static uint32_t groups_of(uint32_t items)
{
	return items ? (items - 1) / OZ_GROUP + 1 : 0;
}

// records of all rounds of the reduction; the last round has one
static uint32_t record_count(uint32_t particles)
{
	uint32_t count = 0;
	for (uint32_t n = groups_of(particles); n; n = n > 1 ? groups_of(n) : 0)
		count += n;
	return count;
}

void oz_extremes_free(oz_world *w)
{
	oz_device *d = w->sim.device;
	d->ops->release(d, w->measuring.extremes, sizeof(oz_extremes) * w->measuring.capacity);
	d->ops->release(d, w->measuring.measured, sizeof(oz_measured) * d->ahead);
	w->measuring.extremes = NULL;
	w->measuring.measured = NULL;
	w->measuring.capacity = 0;
}

oz_result oz_extremes_reserve(oz_world *w, oz_error *error)
{
	const uint32_t records = record_count(w->sim.particles.count);
	if (records <= w->measuring.capacity)
		return OZ_OK;
	oz_device *d = w->sim.device;
	oz_extremes_free(w);
	w->measuring.extremes = d->ops->alloc(d, sizeof(oz_extremes) * records);
	w->measuring.measured = d->ops->alloc(d, sizeof(oz_measured) * d->ahead);
	w->measuring.capacity = w->measuring.extremes ? records : 0;
	if (w->measuring.extremes && w->measuring.measured)
		return OZ_OK;
	oz_extremes_free(w);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u particles; use a larger spacing",
	               w->sim.particles.count);
}

// The body of the particle that is compressed most. It is looked for only when an event is raised,
// after the steps that were queued together.
static oz_id squeezed_body(const oz_world *w)
{
	const oz_particles *p = &w->sim.particles;
	oz_device *d = w->sim.device;
	float density[READ_AT_ONCE], most = 0;
	uint32_t material[READ_AT_ONCE], worst = OZ_NONE;
	const oz_matter *matter = w->sim.matters.items;
	oz_id body = OZ_NONE;
	for (uint32_t first = 0; first < p->count; first += READ_AT_ONCE) {
		const uint32_t left = p->count - first;
		const uint32_t count = left < READ_AT_ONCE ? left : READ_AT_ONCE;
		d->ops->read(d, density, p->density, sizeof *density * first,
		             sizeof *density * count);
		d->ops->read(d, material, p->material, sizeof *material * first,
		             sizeof *material * count);
		for (uint32_t i = 0; i < count; i++) {
			const float delta = density[i] * matter[material[i]].inv_density;
			if (delta > most) {
				most = delta;
				worst = first + i;
			}
		}
	}
	if (worst != OZ_NONE)
		d->ops->read(d, &body, p->body, sizeof body * worst, sizeof body);
	return body;
}

// what helps against compression of a liquid
static const char *squeezed_remedy(const oz_world *w)
{
	const float fixed = w->sim.def.time_step;
	if (fixed > w->measuring.stable)
		return "lower time_step, or set 0 to adapt it";
	if (!w->pressure->implicit)
		return "raise sound_speed, or remove overlaps of bodies and nozzles";
	return fixed > 0 ? "lower time_step, or remove overlaps of bodies and nozzles"
	                 : "lower cfl, or remove overlaps of bodies and nozzles";
}

static void raise_squeezed(oz_world *w, float compression)
{
	const oz_id body = squeezed_body(w);
	const char *name = oz_world_body_name(w, body);
	const double percent = 100 * (double)compression;
	if (!oz_any_trait(&w->sim, OZ_TRAIT_FLOWS))
		oz_event_raise(&w->sim, OZ_EVENT_NOT_CONVERGED, body, compression,
		               "%.24s is pressed by %.0f %% into what it touches, or into a fold "
		               "of "
		               "its own; raise sound_speed, or give it more room",
		               name ? name : "a solid", percent);
	else
		oz_event_raise(&w->sim, OZ_EVENT_NOT_CONVERGED, body, compression,
		               "the volume is not held: compressed by %.0f %% in %.24s; %s",
		               percent, name ? name : "a body", squeezed_remedy(w));
}

// raises events for particles that are not finite and for compression above its limit
static void raise_events(oz_world *w, const oz_measured *e)
{
	const bool squeezed = e->compression > w->sim.def.max_compression;
	if (e->repaired > 0)
		oz_event_raise(&w->sim, OZ_EVENT_NAN, OZ_NONE, e->repaired,
		               "%.0f particles turned non-finite and were put to rest; lower cfl "
		               "or "
		               "time_step",
		               (double)e->repaired);
	if (squeezed && !w->measuring.squeezed)
		raise_squeezed(w, e->compression);
	w->measuring.squeezed = squeezed;
}

void oz_measure(oz_world *w)
{
	oz_device *d = w->sim.device;
	oz_particles *p = &w->sim.particles;
	uint32_t groups = groups_of(p->count), at = 0;
	if (p->count == 0)
		return;
	OZ_LAUNCH(d, measure, p->count, .position = p->position, .velocity = p->velocity,
	          .acceleration = p->acceleration, .anchor = p->anchor, .wall = p->wall,
	          .touching = oz_contact_counts(&w->sim), .plain = OZ_OPTIONAL(w->contact.plain),
	          .density = p->density, .material = p->material, .matter = w->sim.matter,
	          .groups = w->measuring.extremes, .first = 0,
	          .has_plain = w->contact.plain != NULL);
	while (groups > 1) {
		const uint32_t next = groups_of(groups);
		OZ_LAUNCH(d, measure_total, groups, .in = w->measuring.extremes,
		          .groups = w->measuring.extremes, .from = at, .first = at + groups);
		at += groups;
		groups = next;
	}
	OZ_LAUNCH(d, measure_write, 1, .extremes = w->measuring.extremes,
	          .measured = w->measuring.measured, .halt = d->go, .at = at,
	          .step = w->measuring.ahead, .skin = w->measuring.halt_at);
}

void oz_measure_begin(oz_world *w)
{
	if (w->measuring.measured)
		w->sim.device->ops->clear(w->sim.device, w->measuring.measured,
		                          sizeof(oz_measured) * w->sim.device->ahead);
}

// copies the measured values of a step to `last_step` and to the report, and raises events
static void apply_measured(oz_world *w, const oz_measured *m)
{
	w->sim.last_step.max_speed = m->max_speed;
	w->sim.last_step.max_acceleration = m->max_acceleration;
	w->sim.last_step.max_separation = m->max_separation;
	w->sim.report.max_speed = m->max_speed;
	w->sim.report.max_acceleration = m->max_acceleration;
	w->sim.report.max_compression = m->compression;
	w->contact.near = m->near > 0;
	w->sim.report.mean_compression = m->excess / (float)w->sim.particles.count;
	w->sim.report.repaired = (uint32_t)m->repaired;
	raise_events(w, m);
}

uint32_t oz_measure_end(oz_world *w, uint32_t steps, oz_step_report *reports)
{
	oz_measured measured[OZ_AHEAD];
	oz_device *d = w->sim.device;
	uint32_t done = 0;
	if (w->sim.particles.count == 0)
		return steps;
	d->ops->read(d, measured, w->measuring.measured, 0, sizeof *measured * steps);
	const double time = w->sim.time;
	const uint64_t step = w->sim.step;
	for (; done < steps && measured[done].done; done++) {
		// events get the time and the number of that step
		w->sim.report = reports[done];
		w->sim.time = reports[done].time;
		w->sim.step = reports[done].step;
		apply_measured(w, &measured[done]);
		reports[done] = w->sim.report;
	}
	w->sim.time = time;
	w->sim.step = step;
	return done;
}
