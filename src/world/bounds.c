// bounds.c: raises an event when all particles of a body have left the bounds.
//
// Every LEFT_INTERVAL steps the device counts the particles of each body inside the bounds.
#include "world/world.h"

#include "particles/bounds.cl"

#define LEFT_INTERVAL 32u // steps
#define READ_TOGETHER 64u // counts in one read from the device

static bool is_inside(const oz_world_def *def, oz_vec3 x)
{
	const oz_bounds bounds = {def->bounds_min, def->bounds_max};
	return bounds_contain(bounds, oz_make4(x.x, x.y, x.z, 0.0f));
}

// whether the bounds are narrower than the default
static bool is_bounded(const oz_world_def *def)
{
	const oz_world_def free = oz_world_default();
	return !is_inside(def, free.bounds_min) || !is_inside(def, free.bounds_max);
}

void oz_bounds_free(oz_world *w)
{
	w->sim.device->ops->release(w->sim.device, w->inside,
	                            sizeof *w->inside * w->inside_capacity);
	w->inside = NULL;
	w->inside_capacity = 0;
}

oz_result oz_bounds_reserve(oz_world *w, oz_error *error)
{
	const uint32_t bodies = w->sim.bodies.count;
	if (bodies <= w->inside_capacity || !is_bounded(&w->sim.def))
		return OZ_OK;
	oz_bounds_free(w);
	w->inside = w->sim.device->ops->alloc(w->sim.device, sizeof *w->inside * bodies);
	w->inside_capacity = w->inside ? bodies : 0;
	if (w->inside)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for %u bodies; close other programs",
	               bodies);
}

// fills `inside` of all bodies
static void count_inside(oz_world *w)
{
	oz_device *d = w->sim.device;
	const oz_particles *p = &w->sim.particles;
	const oz_bounds bounds = {w->sim.def.bounds_min, w->sim.def.bounds_max};
	d->ops->clear(d, w->inside, sizeof *w->inside * w->sim.bodies.count);
	OZ_LAUNCH(d, bounds_count, oz_batch_items(p->count, d->stride), .position = p->position,
	          .body = p->body, .inside = w->inside, .bounds = bounds, .particles = p->count,
	          .stride = d->stride);
	for (uint32_t first = 0; first < w->sim.bodies.count; first += READ_TOGETHER) {
		const uint32_t left = w->sim.bodies.count - first;
		const uint32_t count = left < READ_TOGETHER ? left : READ_TOGETHER;
		uint inside[READ_TOGETHER];
		d->ops->read(d, inside, w->inside, sizeof *inside * first, sizeof *inside * count);
		for (uint32_t k = 0; k < count; k++)
			oz_bodies(&w->sim)[first + k].inside = inside[k];
	}
}

bool oz_bounds_are_due(const oz_world *w, uint64_t step)
{
	return step % LEFT_INTERVAL == 0 && w->sim.particles.count && is_bounded(&w->sim.def);
}

void oz_bounds_raise_events(oz_world *w)
{
	oz_body *bodies = oz_bodies(&w->sim);
	count_inside(w);
	if (w->sim.device->failure.code != OZ_OK)
		return;
	for (uint32_t b = 0; b < w->sim.bodies.count; b++) {
		const bool left = bodies[b].count > 0 && bodies[b].inside == 0;
		if (left && !bodies[b].left)
			oz_event_raise(&w->sim, OZ_EVENT_BODY_LEFT, b, 0,
			               "body '%s' has left the bounds; close the tank or widen the "
			               "bounds",
			               bodies[b].name);
		bodies[b].left = left;
	}
}
