// density.c: computes the density of all particles.
#include "contact/contact.h"
#include "contact/slots.h"
#include "pressure/pressure.h"

#include "pressure/density.cl"

void oz_density_compute(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const uint *plain = sim->contact->plain;
	const oz_lists lists = oz_contact_lists(sim, plain);
	oz_contact_find_key(sim);
	if (oz_contact_leaves_plain(sim))
		OZ_LAUNCH_PAIRS(sim->device, fluid_density, p->count, &lists,
		                .position = p->position, .wall = p->wall,
		                .plain = OZ_OPTIONAL(plain), .delta = p->delta, .fluid = sim->fluid,
		                .plain_only = plain != NULL);
	oz_contact_density(sim);
}
