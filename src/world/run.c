// run.c: step after step, and how far a device may run ahead of the host.
//
// With a time step that is known beforehand, a device can be given many steps at once: launches
// queue up, and the host waits once for all of them. What only the host can do ends such a row:
// nozzles that are due, lumps that ask, a look at the bounds. And lists go stale: `steer` sees that
// at the end of a step, and whatever is queued behind it does nothing. So the steps are the same,
// bit for bit, as if they had been taken one by one.
#include <math.h>
#include <string.h>

#include "world/world.h"

// steps that have been given to the device, and what it takes to undo those that it did not take
typedef struct row {
	oz_step_report reports[OZ_AHEAD];
	double begun[OZ_AHEAD]; // s
	uint32_t count;
} row;

static bool has_alpha_keys(const oz_world *w)
{
	for (uint32_t m = 0; m < w->materials.count; m++)
		if (oz_materials(w)[m].alpha_key_count)
			return true;
	return false;
}

// As many as may pass before lists are stale, at the speed of now and a little beyond: those in
// vain cost little.
static uint32_t steps_ahead(const oz_world *w, uint32_t most)
{
	const float skin = w->def.skin * oz_support_radius(w);
	// what a solver finds, the host has to see
	if (!(w->def.time_step > 0) || !(skin > 0) || has_alpha_keys(w) || oz_has_implicit(w))
		return 1;
	const bool fresh = !w->neighbours.valid || w->steering.parted > skin;
	const float left = fresh ? skin : skin - w->steering.parted;
	const float likely = 1 + left / (w->steering.max_speed * w->def.time_step);
	most = most < w->device->ahead ? most : w->device->ahead;
	return likely < (float)most ? (uint32_t)likely : most;
}

static bool needs_host(const oz_world *w)
{
	return oz_emit_is_due(w) || oz_topology_is_due(w);
}

static oz_result launch_row(oz_world *w, double until, uint32_t most, row *r, oz_error *error)
{
	w->halt_at = most > 1 ? w->def.skin * oz_support_radius(w) : INFINITY;
	oz_result result = OZ_OK;
	if (most > 1)
		oz_measure_begin(w);
	for (r->count = 0; r->count < most && w->time < until; r->count++) {
		if (r->count && (needs_host(w) || oz_bounds_are_due(w, w->step - 1)))
			break;
		r->begun[r->count] = w->time;
		w->ahead = r->count;
		result = oz_step_launch(w, until, error);
		if (result != OZ_OK)
			break;
		r->reports[r->count] = w->report;
	}
	return result;
}

// what each stage took, on average
static void share_times(oz_device *d, row *r)
{
	for (int s = 0; s < OZ_STAGE_COUNT && d->timed && r->count; s++)
		for (uint32_t k = 0; k < r->count; k++)
			r->reports[k].stage_ns[s] = d->stage_ns[s] / r->count;
	memset(d->stage_ns, 0, sizeof d->stage_ns);
}

static void forget_untaken(oz_world *w, row *r, uint32_t taken)
{
	const uint one = 1;
	// also where the last of all steps has halted what would come next
	if (w->steering.parted > w->halt_at)
		w->device->ops->write(w->device, w->device->go, 0, &one, sizeof one);
	if (taken == r->count)
		return;
	w->time = r->begun[taken];
	w->step -= r->count - taken;
	w->steering.last_time_step = r->reports[taken - 1].time_step;
	r->count = taken;
}

static oz_result take_row(oz_world *w, double until, uint32_t most, row *r, oz_error *error)
{
	const oz_steering before = w->steering;
	const double time = w->time;
	const uint64_t step = w->step;
	oz_result result = oz_device_check(w->device, error);
	r->count = 0;
	if (result == OZ_OK)
		result = launch_row(w, until, steps_ahead(w, most), r, error);
	if (result == OZ_OK) {
		const uint32_t taken = oz_measure_end(w, r->count, r->reports);
		result = oz_device_check(w->device, error);
		if (result == OZ_OK)
			forget_untaken(w, r, taken);
	}
	if (result != OZ_OK) {
		// nothing was moved by a step that failed: its lists serve when it is tried again
		if (r->count || w->device->failure.code != OZ_OK)
			w->neighbours.valid = false;
		w->steering = before;
		w->time = time;
		w->step = step;
		return result;
	}
	share_times(w->device, r);
	if (r->count && oz_bounds_are_due(w, w->step - 1))
		oz_bounds_tell(w);
	return oz_device_check(w->device, error);
}

oz_result oz_world_run(oz_world *w, double until, uint32_t most, oz_step_report *reports,
                       uint32_t *taken, oz_error *error)
{
	if (taken)
		*taken = 0;
	if (!w)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world is NULL; create one first");
	if (!(until > w->time))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "time %g s is not ahead of the world's; ask for a later one", until);
	for (uint32_t total = 0; total < most && w->time < until;) {
		row r;
		const oz_result result = take_row(w, until, most - total, &r, error);
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
