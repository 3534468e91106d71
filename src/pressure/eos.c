// eos.c: the equation of state as a pressure.
#include "contact/contact.h"
#include "contact/slots.h"
#include "pressure/pressure.h"

#include "pressure/eos.cl"

#define SOUND_SHARE 0.25f

static oz_result solve(oz_sim *sim, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const oz_slots *s = sim->slots;
	(void)error;
	OZ_LAUNCH(sim->device, eos_solve, p->count, .delta = p->delta, .slot = s->slot,
	          .contact_delta = s->contact_delta, .own_alpha = s->own_alpha, .tag = s->tag,
	          .material = p->material, .matter = sim->matter,
	          .contact_key = sim->contact->contact_key, .position = p->position,
	          .density = p->density, .pressure = p->pressure, .fluid = sim->fluid,
	          .slots = s->count);
	return OZ_OK;
}

// a pressure wave crosses no more than half a spacing
static float limit(const oz_sim *sim, float speed, oz_limit *rule)
{
	*rule = OZ_LIMIT_SOUND;
	return sim->def.cfl * SOUND_SHARE * oz_support_radius(sim) / (sim->def.sound_speed + speed);
}

const oz_pressure_ops oz_pressure_eos = {.word = "eos", .solve = solve, .limit = limit};
