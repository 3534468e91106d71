// fluid.c: the fluid's constants, and its two stages of the step.
#include <math.h>

#include "math/sph.h"
#include "world/world.h"

#include "models/fluid.cl"

_Static_assert(OZ_SPH_CUBIC == OZ_KERNEL_CUBIC && OZ_SPH_WENDLAND == OZ_KERNEL_WENDLAND &&
                       OZ_SPH_MULLER == OZ_KERNEL_MULLER,
               "kernels and the API number smoothing kernels alike");

// the kernel summed over a cubic lattice, a particle's own place included
static double lattice_sum(uint kernel, double h, double s)
{
	const int reach = (int)(h / s) + 1;
	double sum = 0;
	for (int x = -reach; x <= reach; x++)
		for (int y = -reach; y <= reach; y++)
			for (int z = -reach; z <= reach; z++) {
				const float r2 = (float)((x * x + y * y + z * z) * s * s);
				sum += (double)oz_sph_w(kernel, lane_of(r2), (float)h)[0];
			}
	return sum;
}

oz_result oz_fluid_init(oz_world *w, oz_error *error)
{
	(void)error;
	const float h = oz_support_radius(w);
	const double volume = 1 / lattice_sum(w->def.kernel, (double)h, (double)w->def.spacing);
	const float own = oz_sph_w(w->def.kernel, lane_of(0.0f), h)[0];
	w->fluid = (oz_fluid){.smoothing = w->def.kernel,
	                      .tait = w->def.eos == OZ_EOS_TAIT,
	                      .tension = w->def.tension,
	                      .h = h,
	                      .volume = (float)volume,
	                      .self = (float)(volume * (double)own),
	                      .sound2 = w->def.sound_speed * w->def.sound_speed,
	                      .softening = 0.01f * h * h,
	                      .gravity = w->def.gravity};
	return OZ_OK;
}

oz_matter oz_matter_of(const oz_world *w, const oz_material_def *m)
{
	const float half = 0.5f * oz_support_radius(w);
	const float eta =
	        10.0f * m->viscosity + m->damping * m->density * w->def.sound_speed * half;
	return (oz_matter){.density = m->density,
	                   .inv_density = 1.0f / m->density,
	                   .viscous = sqrtf(eta)};
}

oz_result oz_stage_density(oz_world *w, oz_error *error)
{
	(void)error;
	oz_particles *p = &w->particles;
	const oz_lists lists = oz_neighbours_lists(&w->neighbours, w->fluid.h);
	OZ_LAUNCH_PAIRS(w->device, fluid_density, p->count, &lists, .position = p->position,
	                .wall = p->wall, .material = p->material, .matter = w->matter,
	                .flow = p->flow, .anchor = p->anchor, .density = p->density,
	                .fluid = w->fluid);
	return OZ_OK;
}

oz_result oz_stage_forces(oz_world *w, oz_error *error)
{
	(void)error;
	oz_particles *p = &w->particles;
	const oz_lists lists = oz_neighbours_lists(&w->neighbours, w->fluid.h);
	OZ_LAUNCH_PAIRS(w->device, fluid_force, p->count, &lists, .position = p->flow,
	                .velocity = p->velocity, .wall = p->wall, .material = p->material,
	                .matter = w->matter, .acceleration = p->acceleration, .fluid = w->fluid);
	return OZ_OK;
}
