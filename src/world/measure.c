// measure.c: the last stage: extremes that steer the next step, and what has to be told.
#include <math.h>

#include "world/world.h"

#include "world/measure.cl"

static size_t extremes_size(uint32_t groups)
{
	return sizeof(oz_extremes) * groups;
}

void oz_extremes_free(oz_world *w)
{
	const size_t size = extremes_size(w->extremes_capacity);
	w->device->ops->release(w->device, w->extremes, size);
	oz_heap_free(&w->heap, w->groups, size);
	w->extremes = w->groups = NULL;
	w->extremes_capacity = 0;
}

static uint32_t group_count(const oz_world *w)
{
	return w->particles.count ? (w->particles.count - 1) / OZ_GROUP + 1 : 0;
}

oz_result oz_extremes_reserve(oz_world *w, oz_error *error)
{
	const uint32_t groups = group_count(w);
	if (groups <= w->extremes_capacity)
		return OZ_OK;
	oz_device *d = w->device;
	oz_extremes_free(w);
	w->extremes = d->ops->alloc(d, extremes_size(groups));
	w->groups = oz_heap_alloc(&w->heap, extremes_size(groups));
	w->extremes_capacity = groups;
	if (w->extremes && w->groups)
		return OZ_OK;
	oz_extremes_free(w);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u particles; use a larger spacing", w->particles.count);
}

// joins the groups in their order, so that every bit is the same on any number of threads
static oz_extremes join(const oz_extremes *groups, uint32_t count, double *excess)
{
	oz_extremes all = {.low = {OZ_FAR, OZ_FAR, OZ_FAR}, .high = {-OZ_FAR, -OZ_FAR, -OZ_FAR}};
	for (uint32_t g = 0; g < count; g++) {
		const oz_extremes *e = &groups[g];
		all.speed2 = fmaxf(all.speed2, e->speed2);
		all.acceleration2 = fmaxf(all.acceleration2, e->acceleration2);
		all.moved2 = fmaxf(all.moved2, e->moved2);
		all.low = oz_min3(all.low, e->low);
		all.high = oz_max3(all.high, e->high);
		all.compression = fmaxf(all.compression, e->compression);
		all.repaired += e->repaired;
		*excess += (double)e->excess;
	}
	return all;
}

static void tell_trouble(oz_world *w, const oz_extremes *e)
{
	const bool squeezed = e->compression > w->def.max_compression;
	if (e->repaired > 0)
		oz_raise(w, OZ_EVENT_NAN, OZ_NONE, e->repaired,
		         "%.0f particles turned non-finite and were put to rest; lower cfl or "
		         "time_step",
		         (double)e->repaired);
	if (squeezed && !w->squeezed)
		oz_raise(w, OZ_EVENT_NOT_CONVERGED, OZ_NONE, e->compression,
		         "the volume is not held: compressed by %.0f %%; raise sound_speed",
		         100 * (double)e->compression);
	w->squeezed = squeezed;
}

oz_result oz_stage_measure(oz_world *w, oz_error *error)
{
	(void)error;
	oz_particles *p = &w->particles;
	if (p->count == 0)
		return OZ_OK;
	const uint32_t groups = group_count(w);
	OZ_LAUNCH(w->device, measure, groups, .position = p->position, .velocity = p->velocity,
	          .acceleration = p->acceleration, .anchor = p->anchor, .density = p->density,
	          .material = p->material, .matter = w->matter, .extremes = w->extremes,
	          .particles = p->count, .group = OZ_GROUP);
	double excess = 0;
	w->device->ops->read(w->device, w->groups, w->extremes, 0, extremes_size(groups));
	const oz_extremes e = join(w->groups, groups, &excess);
	w->steering.max_speed = sqrtf(e.speed2);
	w->steering.max_acceleration = sqrtf(e.acceleration2);
	// two particles part by no more than twice the longest way, nor by more than the box is
	// wide
	w->steering.parted = fminf(2 * sqrtf(e.moved2), oz_length(oz_sub(e.high, e.low)));
	w->report.max_speed = w->steering.max_speed;
	w->report.max_acceleration = w->steering.max_acceleration;
	w->report.max_compression = e.compression;
	w->report.mean_compression = (float)(excess / p->count);
	w->report.repaired = (uint32_t)e.repaired;
	tell_trouble(w, &e);
	oz_bounds_tell(w);
	return OZ_OK;
}
