// phase.c: launches the melting and freezing of elastic bodies, and the update of their sets.

#include "models/elastic/elastic.h"
#include "models/heat/heat_model.h"

#include "models/elastic/phase.cl"
#include "models/elastic/set.cl"

#define PHASE_STEPS 10u // steps between two comparisons of temperatures with melting points

static bool is_melting(const oz_material_def *m)
{
	return oz_can_melt(m);
}

bool oz_anything_melts(const oz_sim *sim)
{
	return oz_any_body(sim, OZ_COROTATED, is_melting);
}

bool oz_phases_are_due(const oz_sim *sim)
{
	return sim->step % PHASE_STEPS == 0 && oz_anything_melts(sim);
}

static void update_set(oz_sim *sim, uint stage)
{
	const oz_particles *p = &sim->particles;
	const oz_slots *b = sim->slots;
	const oz_elastic *s = oz_elastic_of(sim);
	OZ_LAUNCH(sim->device, set_update, b->count, .list = b->list, .start = b->start,
	          .bonds = s->bonds, .particle_of_slot = b->particle_of_slot,
	          .position = p->position, .temperature = oz_heat_of(sim)->temperature,
	          .material = p->material, .matter = sim->matter, .rest = b->rest,
	          .kappa = s->kappa, .stiff = s->stiff, .fit_a = s->fit_a, .fit_b = s->fit_b,
	          .fit_c = s->fit_c, .set_a = s->set_a, .set_b = s->set_b, .fluid = sim->solid,
	          .stage = stage, .stride = sim->device->stride);
}

void oz_phases_restore_set(oz_sim *sim)
{
	if (oz_elastic_of(sim)->set_pending)
		update_set(sim, OZ_SET_AFTER_LISTS);
	else if (oz_anything_melts(sim))
		update_set(sim, OZ_SET_LOADED);
	oz_elastic_of(sim)->set_pending = false;
}

// Melts all marked slots, and freezes marked slots that have a solid neighbour; with `seeds` it
// freezes the others too.
static void change_slots(oz_sim *sim, uint *mark, uint *outcome, oz_phase_news *news, bool seeds)
{
	oz_device *d = sim->device;
	oz_particles *p = &sim->particles;
	oz_slots *b = sim->slots;
	const oz_neighbours *n = &sim->neighbours;
	const oz_phase_news none = {.seed = UINT32_MAX};
	d->ops->write(d, news, 0, &none, sizeof none);
	OZ_LAUNCH(d, phase_change, b->count, .list = OZ_OPTIONAL(n->list),
	          .start = OZ_OPTIONAL(n->start), .count = OZ_OPTIONAL(n->count), .slot = b->slot,
	          .material = p->material, .matter = sim->matter, .position = p->position,
	          .velocity = p->velocity, .particle_of_slot = b->particle_of_slot, .mark = mark,
	          .outcome = outcome, .shapeless = b->shapeless, .component = b->component,
	          .own_alpha = b->own_alpha, .rest = b->rest, .rotation = b->rotation,
	          .hold = oz_elastic_of(sim)->hold, .news = news, .fluid = sim->solid,
	          .listed = n->listed, .slots = b->count, .stride = n->stride, .seeds = seeds);
	OZ_LAUNCH(d, phase_freeze, b->count, .news = news, .outcome = outcome, .mark = mark,
	          .shapeless = b->shapeless, .component = b->component);
}

// Melts and freezes all marked slots. One layer freezes onto solid neighbours and takes their
// rotation; all others start a rest shape of their own. If layer after layer took the rotation of
// the layer before, errors would add up and the new solid would be full of zigzags.
static void change_all(oz_sim *sim, uint *mark, uint *outcome, oz_phase_news *news,
                       uint32_t freezing)
{
	if (sim->slots->list && !oz_elastic_of(sim)->set_pending)
		update_set(sim, OZ_SET_BEFORE_LISTS);
	oz_elastic_of(sim)->set_pending = sim->slots->list;
	if (freezing)
		change_slots(sim, mark, outcome, news, false);
	change_slots(sim, mark, outcome, news, true);
	sim->slots->stale = true;
}

static oz_result update(oz_sim *sim, oz_error *error)
{
	oz_device *d = sim->device;
	oz_slots *b = sim->slots;
	const uint32_t room = sim->fields.capacity[OZ_ITEMS_SLOTS];
	uint *mark = OZ_TAKE(&sim->scratch, uint, "phase marks", room);
	uint *outcome = OZ_TAKE(&sim->scratch, uint, "phase outcomes", room);
	oz_phase_news *news = OZ_TAKE(&sim->scratch, oz_phase_news, "phase news", 1);
	oz_phase_news read = {.seed = UINT32_MAX};
	oz_result result = OZ_OK;
	if (mark && outcome && news) {
		d->ops->write(d, news, 0, &read, sizeof read);
		OZ_LAUNCH(d, phase_mark, b->count, .particle_of_slot = b->particle_of_slot,
		          .shapeless = b->shapeless, .material = sim->particles.material,
		          .temperature = oz_heat_of(sim)->temperature, .matter = sim->matter,
		          .mark = mark, .news = news);
		d->ops->read(d, &read, news, 0, sizeof read);
		if (read.melting || read.freezing)
			change_all(sim, mark, outcome, news, read.freezing);
		else if (sim->slots->list)
			update_set(sim, OZ_SET_HARDENING);
	} else
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for %u particles that may melt; use a larger "
		                 "spacing",
		                 b->count);
	oz_scratch_give(&sim->scratch, mark);
	oz_scratch_give(&sim->scratch, outcome);
	oz_scratch_give(&sim->scratch, news);
	return result;
}

oz_result oz_phases_update(oz_sim *sim, void *state, oz_error *error)
{
	(void)state;
	return oz_phases_are_due(sim) ? update(sim, error) : OZ_OK;
}

oz_result oz_phases_group(oz_sim *sim, void *state, oz_error *error)
{
	(void)state;
	(void)error;
	oz_device *d = sim->device;
	uint *molten = (uint *)d->total;
	d->ops->clear(d, molten, sizeof *molten);
	OZ_LAUNCH(d, phase_group, sim->slots->count,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .material = sim->particles.material, .matter = sim->matter,
	          .shapeless = sim->slots->shapeless, .group = sim->slots->reshape->group,
	          .molten = molten);
	d->ops->read(d, &sim->slots->molten, molten, 0, sizeof *molten);
	return OZ_OK;
}
