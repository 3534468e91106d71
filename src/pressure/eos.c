// eos.c: pressure by an equation of state (eos.cl); host code.
#include "contact/contact.h"
#include "contact/slots.h"
#include "pressure/pressure.h"

#include "pressure/eos.cl"

#define SOUND_SHARE 0.25f // of the support radius

static oz_result solve(oz_sim *sim, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const oz_slots *s = sim->slots;
	(void)error;
	OZ_LAUNCH(sim->device, eos_solve, p->count, .delta = p->delta, .slot = OZ_OPTIONAL(s->slot),
	          .contact_delta = OZ_OPTIONAL(s->contact_delta),
	          .own_alpha = OZ_OPTIONAL(s->own_alpha), .tag = OZ_OPTIONAL(s->tag),
	          .material = p->material, .matter = sim->matter,
	          .contact_key = OZ_OPTIONAL(sim->contact->contact_key), .position = p->position,
	          .density = p->density, .pressure = p->pressure, .fluid = sim->fluid,
	          .slots = s->count, .last_dt = sim->last_step.time_step, .deficit = p->deficit,
	          .fresh = sim->pressure->fresh, .keep = oz_overlap_kept(sim, 1),
	          .fade = oz_overlap_kept(sim, 10), .dt = sim->time_step);
	return OZ_OK;
}

// a pressure wave may cross SOUND_SHARE of the support radius in a step, which is half a spacing;
// in contact that of solids counts
static float limit(const oz_sim *sim, float speed, oz_limit *rule)
{
	*rule = OZ_LIMIT_SOUND;
	return sim->def.cfl * SOUND_SHARE * (sim->slots->count ? sim->solid.h : sim->fluid.h) /
	       (sim->def.sound_speed + speed);
}

const oz_pressure_ops oz_pressure_eos = {.word = "eos", .begin = solve, .limit = limit};
