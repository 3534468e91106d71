// fluid.c: launches the forces of a fluid, and limits the time step by viscosity.
#include "models/fluid/fluid.h"

#include <math.h>

#include "contact/contact.h"

#include "models/fluid/fluid.cl"

#define VISCOSITY_SHARE 0.02f

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	(void)sim;
	m->viscous = m->flow.viscous;
	m->flow.cohesion = def->cohesion;
}

// the largest kinematic viscosity ν of all materials, m²/s
static float largest_viscosity(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	float nu = 0;
	for (uint32_t k = 0; k < sim->matters.count; k++)
		nu = fmaxf(nu, 0.1f * m[k].viscous * m[k].viscous * m[k].inv_density);
	return nu;
}

// h/c times a factor: sound of the shortest wavelength, damped by ζ = b ρ c h, is stable for
// x² + 2 b x < 1, x = c Δt/h (by trial); half of that is used. Elastic bodies have ζ when molten.
static float damping_limit(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	const float h = oz_support_radius(sim), c = sim->def.sound_speed;
	float b = 0;
	for (uint32_t k = 0; k < sim->matters.count; k++)
		if (!m[k].firm || m[k].melting_point < OZ_NEVER_MELTS)
			b = fmaxf(b, m[k].flow.bulk * m[k].inv_density / (c * h));
	return b > 0 ? 0.5f * h / c / (b + sqrtf(b * b + 1)) : INFINITY;
}

// h²/ν times a factor: in one step momentum diffuses to neighbours at most
static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *rule)
{
	const float h = oz_support_radius(sim), nu = largest_viscosity(sim);
	const float viscous = nu > 0 ? VISCOSITY_SHARE * h * h / nu : INFINITY;
	(void)state;
	(void)fixed;
	*rule = OZ_LIMIT_VISCOSITY;
	return sim->def.cfl * fminf(viscous, damping_limit(sim));
}

// writes the accelerations of plain particles, those with no body with a rest shape near them;
// contact has written the others
static oz_result add_forces(oz_sim *sim, void *state, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const uint *plain = sim->contact->plain;
	const oz_lists lists = oz_contact_lists(sim, plain);
	(void)state;
	(void)error;
	if (oz_contact_leaves_plain(sim))
		OZ_LAUNCH_PAIRS(sim->device, fluid_force, p->count, &lists, .position = p->position,
		                .velocity = p->velocity, .wall = p->wall,
		                .plain = OZ_OPTIONAL(plain), .material = p->material,
		                .matter = sim->matter, .acceleration = p->acceleration,
		                .fluid = sim->fluid, .plain_only = plain != NULL);
	return OZ_OK;
}

// the fluid's passes run in every world, because molten bodies of other models need them
static bool is_always_needed(const oz_sim *sim, const void *state, const oz_addition *addition)
{
	(void)sim;
	(void)state;
	(void)addition;
	return true;
}

const oz_model_ops oz_fluid_model = {
        .word = "fluid",
        .model = OZ_FLUID,
        .needed = is_always_needed,
        .matter = fill_matter,
        .limit = limit,
        .pass = {[OZ_PASS_FORCES] = add_forces},
};
