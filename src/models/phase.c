// phase.c: when solids melt and freeze.
#include "world/world.h"

#include "models/phase.cl"
#include "models/set.cl"

#define PHASE_STEPS 10u // between two looks at temperatures

static bool melts(const oz_material_def *m)
{
	return m->melting_point < OZ_NEVER_MELTS;
}

bool oz_anything_melts(const oz_world *w)
{
	return oz_any_body(w, OZ_COROTATED, melts);
}

bool oz_phases_are_due(const oz_world *w)
{
	return w->solid.capacity && w->step % PHASE_STEPS == 0 && oz_anything_melts(w);
}

static void move_set(oz_world *w, uint stage)
{
	const oz_particles *p = &w->particles;
	const oz_blend *b = &w->blend;
	const oz_solid *s = &w->solid;
	OZ_LAUNCH(w->device, set_move, b->count, .list = b->list, .start = b->start,
	          .bonds = s->bonds, .where = b->where, .position = p->position,
	          .temperature = p->temperature, .material = p->material, .matter = w->matter,
	          .rest = b->rest, .stiff = s->stiff, .fit_a = s->fit_a, .fit_b = s->fit_b,
	          .fit_c = s->fit_c, .set_a = s->set_a, .set_b = s->set_b, .fluid = w->fluid,
	          .stage = stage, .stride = w->device->stride);
}

void oz_phases_meet(oz_world *w)
{
	if (w->solid.parted)
		move_set(w, OZ_SET_MEETS);
	w->solid.parted = false;
}

// all that melt; all that freeze and have a solid neighbour, or with `seeds` all that freeze
static void change(oz_world *w, uint *mark, oz_phase_news *news, bool seeds)
{
	oz_device *d = w->device;
	oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	const oz_neighbours *n = &w->neighbours;
	const oz_phase_news none = {.seed = UINT32_MAX};
	d->ops->write(d, news, 0, &none, sizeof none);
	OZ_LAUNCH(d, phase_change, b->count, .list = n->list, .start = n->start, .count = n->count,
	          .slot = p->slot, .material = p->material, .position = p->position,
	          .where = b->where, .mark = mark, .fresh = b->fresh, .lump = b->lump,
	          .own_alpha = b->own_alpha, .rest = b->rest, .turn = b->turn,
	          .hold = w->solid.hold, .news = news, .fluid = w->fluid, .listed = n->listed,
	          .slots = b->count, .stride = n->stride, .seeds = seeds);
	OZ_LAUNCH(d, phase_settle, b->count, .news = news, .mark = mark, .fresh = b->fresh,
	          .lump = b->lump);
}

// A layer on what is solid, then all others by themselves: a frame that is handed on for far does
// not fit where it ends, and what freezes so is full of zigzags.
static void change_all(oz_world *w, uint *mark, oz_phase_news *news, uint32_t freezing)
{
	if (w->blend.list && !w->solid.parted)
		move_set(w, OZ_SET_PARTS);
	w->solid.parted = w->blend.list;
	if (freezing)
		change(w, mark, news, false);
	change(w, mark, news, true);
	w->blend.stale = true;
}

oz_result oz_phases_take(oz_world *w, oz_error *error)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	const size_t size = sizeof(uint) * b->count;
	uint *mark = d->ops->alloc(d, size);
	oz_phase_news *news = d->ops->alloc(d, sizeof *news), read = {.seed = UINT32_MAX};
	oz_result result = OZ_OK;
	if (mark && news) {
		d->ops->write(d, news, 0, &read, sizeof read);
		OZ_LAUNCH(d, phase_ask, b->count, .where = b->where, .fresh = b->fresh,
		          .material = w->particles.material,
		          .temperature = w->particles.temperature, .matter = w->matter,
		          .mark = mark, .news = news);
		d->ops->read(d, &read, news, 0, sizeof read);
		if (read.melting || read.freezing)
			change_all(w, mark, news, read.freezing);
		else if (w->blend.list)
			move_set(w, OZ_SET_HARDENS);
	} else
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for %u particles that may melt; use a larger "
		                 "spacing",
		                 b->count);
	d->ops->release(d, mark, size);
	d->ops->release(d, news, sizeof *news);
	return result;
}

void oz_phases_group(oz_world *w, uint *group)
{
	oz_device *d = w->device;
	uint *molten = (uint *)d->total;
	if (!w->solid.capacity)
		return;
	d->ops->clear(d, molten, sizeof *molten);
	OZ_LAUNCH(d, phase_group, w->blend.count, .where = w->blend.where,
	          .material = w->particles.material, .matter = w->matter, .fresh = w->blend.fresh,
	          .group = group, .molten = molten);
	d->ops->read(d, &w->solid.molten, molten, 0, sizeof *molten);
}

const uint *oz_phases_show(oz_world *w)
{
	oz_device *d = w->device;
	const uint32_t n = w->particles.count;
	if (n > w->phase_capacity) {
		d->ops->release(d, w->phase, sizeof *w->phase * w->phase_capacity);
		w->phase = d->ops->alloc(d, sizeof *w->phase * n);
		w->phase_capacity = w->phase ? n : 0;
	}
	if (w->phase)
		OZ_LAUNCH(d, phase_show, n, .slot = w->particles.slot, .fresh = w->blend.fresh,
		          .own_alpha = w->blend.own_alpha, .material = w->particles.material,
		          .matter = w->matter, .phase = w->phase, .slots = w->blend.count);
	return w->phase;
}
