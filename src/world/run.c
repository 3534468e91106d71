// run.c: runs steps; a device may run several ahead of the host.
//
// With a fixed time step several steps can be queued on a device, and the host waits once for all
// of them. Such a row of steps ends before work of the host: a layer of an emitter, a change of
// rest shapes, a check of the bounds. When neighbour lists become stale, the kernel `measure_write`
// halts the row: the launches behind it do nothing. So the result is the same, bit for bit, as of
// single steps.
#include <math.h>
#include <string.h>

#include "world/world.h"

// steps that were queued on the device, and the times to return to if it halts
typedef struct row {
	oz_step_report reports[OZ_AHEAD];
	double begun[OZ_AHEAD]; // s, time before each step
	uint32_t count;
} row;

// The number of steps until lists become stale at the present maximum speed, and one more: a step
// that does nothing costs little.
static uint32_t steps_ahead(const oz_world *w, uint32_t most)
{
	const oz_sim *s = &w->sim;
	const float skin = w->sim.def.skin * oz_support_radius(&w->sim);
	if (!(s->def.time_step > 0) || !(skin > 0) || w->pressure->implicit ||
	    (oz_models_need_host(s) & OZ_HOST_ALWAYS))
		return 1;
	const bool fresh = !w->sim.neighbours.valid || w->sim.last_step.max_separation > skin;
	const float left = fresh ? skin : skin - w->sim.last_step.max_separation;
	const float likely = 1 + left / (w->sim.last_step.max_speed * w->sim.def.time_step);
	most = most < w->sim.device->ahead ? most : w->sim.device->ahead;
	return likely < (float)most ? (uint32_t)likely : most;
}

static bool needs_host(const oz_world *w)
{
	return oz_emit_is_due(&w->boundary, &w->sim) || oz_topology_is_due(w) ||
	       oz_thin_walls_moved(&w->boundary, &w->sim);
}

// queues up to `most` steps, not beyond `until`, and stops before work of the host
static oz_result launch_row(oz_world *w, double until, uint32_t most, row *r, oz_error *error)
{
	w->measuring.halt_at = most > 1 ? w->sim.def.skin * oz_support_radius(&w->sim) : INFINITY;
	oz_result result = OZ_OK;
	if (most > 1)
		oz_measure_begin(w);
	for (r->count = 0; r->count < most && w->sim.time < until; r->count++) {
		if (r->count && (needs_host(w) || oz_bounds_are_due(w, w->sim.step - 1)))
			break;
		r->begun[r->count] = w->sim.time;
		w->measuring.ahead = r->count;
		result = oz_step_launch(w, until, error);
		if (result != OZ_OK)
			break;
		r->reports[r->count] = w->sim.report;
	}
	return result;
}

// writes the mean time of each stage to all reports of a row
static void average_stage_times(oz_device *d, row *r)
{
	for (int s = 0; s < OZ_STAGE_COUNT && d->timed && r->count; s++)
		for (uint32_t k = 0; k < r->count; k++)
			r->reports[k].stage_ns[s] = d->stage_ns[s] / r->count;
	memset(d->stage_ns, 0, sizeof d->stage_ns);
}

// sets time and step back to the last step that the device ran, and lets the device run again
static void undo_steps_not_run(oz_world *w, row *r, uint32_t taken)
{
	const uint one = 1;
	// also if the last step of the row has set the halt
	if (w->sim.last_step.max_separation > w->measuring.halt_at)
		w->sim.device->ops->write(w->sim.device, w->sim.device->go, 0, &one, sizeof one);
	if (taken == r->count)
		return;
	w->sim.time = r->begun[taken];
	w->sim.step -= r->count - taken;
	w->sim.last_step.time_step = r->reports[taken - 1].time_step;
	r->count = taken;
}

// queues a row, waits for it and fills its reports; on failure restores the time and the values of
// the last step
static oz_result run_row(oz_world *w, double until, uint32_t most, row *r, oz_error *error)
{
	const oz_last_step before = w->sim.last_step;
	const double time = w->sim.time;
	const uint64_t step = w->sim.step;
	oz_result result = oz_device_check(w->sim.device, error);
	r->count = 0;
	if (result == OZ_OK)
		result = launch_row(w, until, steps_ahead(w, most), r, error);
	if (result == OZ_OK) {
		const uint32_t taken = oz_measure_end(w, r->count, r->reports);
		result = oz_device_check(w->sim.device, error);
		if (result == OZ_OK)
			undo_steps_not_run(w, r, taken);
	}
	if (result != OZ_OK) {
		// A failed first step has moved no particle: lists from before it stay valid. If it
		// has made lists itself, models may not have followed them: the next step makes
		// them again.
		if (r->count || w->sim.report.rebuilt || w->sim.device->failure.code != OZ_OK)
			w->sim.neighbours.valid = false;
		// poured particles stay: the speed limit of the next try includes them
		const float speed = w->sim.last_step.max_speed;
		w->sim.last_step = before;
		w->sim.last_step.max_speed = fmaxf(before.max_speed, speed);
		w->sim.time = time;
		w->sim.step = step;
		return result;
	}
	average_stage_times(w->sim.device, r);
	if (r->count && oz_bounds_are_due(w, w->sim.step - 1))
		oz_bounds_raise_events(w);
	return oz_device_check(w->sim.device, error);
}

oz_result oz_world_run(oz_world *w, double until, uint32_t most, oz_step_report *reports,
                       uint32_t *taken, oz_error *error)
{
	if (taken)
		*taken = 0;
	if (!w)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world is NULL; create one first");
	if (!(until > w->sim.time))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "time %g s is not after the time of the world; pass a later time",
		               until);
	for (uint32_t total = 0; total < most && w->sim.time < until;) {
		row r;
		const oz_result result = run_row(w, until, most - total, &r, error);
		if (result != OZ_OK)
			return result;
		if (reports)
			memcpy(reports + total, r.reports, sizeof *reports * r.count);
		total += r.count;
		if (taken)
			*taken = total;
	}
	return OZ_OK;
}

oz_result oz_world_step(oz_world *w, oz_step_report *report, oz_error *error)
{
	return oz_world_run(w, INFINITY, 1, report, NULL, error);
}

oz_result oz_world_step_until(oz_world *w, double time, oz_step_report *report, oz_error *error)
{
	return oz_world_run(w, time, 1, report, NULL, error);
}
