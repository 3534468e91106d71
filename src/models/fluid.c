// fluid.c: the fluid's constants, and its two stages of the step.
#include <math.h>

#include "math/sph.h"
#include "world/world.h"

#include "models/fluid.cl"

_Static_assert(OZ_SPH_CUBIC == OZ_KERNEL_CUBIC && OZ_SPH_WENDLAND == OZ_KERNEL_WENDLAND &&
                       OZ_SPH_MULLER == OZ_KERNEL_MULLER,
               "kernels and the API number smoothing kernels alike");

// Points of a lattice with one point for each s³: `places` are those of its cubic cell.
typedef struct lattice {
	int count;
	double places[4][3];
} lattice;

static const lattice simple = {1, {{0, 0, 0}}};
static const lattice centred = {2, {{0, 0, 0}, {0.5, 0.5, 0.5}}};
static const lattice packed = {4, {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}}};

typedef struct kernel_sums {
	double weight;   // Σ W, the point's own included
	double gradient; // - Σ x·∇W / 3
	double slope;    // Σ |∇W|/r of all others, 1/m²
} kernel_sums;

static void add_point(kernel_sums *sums, const oz_world *w, double r2)
{
	const float h = oz_support_radius(w);
	sums->weight += (double)oz_sph_w(w->def.kernel, lane_of((float)r2), h)[0];
	const double slope = -(double)oz_sph_gradient(w->def.kernel, lane_of((float)r2), h)[0];
	sums->gradient += r2 * slope / 3;
	sums->slope += r2 > 0 ? slope : 0;
}

static kernel_sums lattice_sums(const oz_world *w, const lattice *l)
{
	const double edge = (double)w->def.spacing * cbrt(l->count);
	const int reach = (int)((double)oz_support_radius(w) / edge) + 1;
	kernel_sums sums = {0};
	for (int x = -reach; x <= reach; x++)
		for (int y = -reach; y <= reach; y++)
			for (int z = -reach; z <= reach; z++)
				for (int k = 0; k < l->count; k++) {
					const double px = x + l->places[k][0],
					             py = y + l->places[k][1];
					const double pz = z + l->places[k][2];
					add_point(&sums, w,
					          (px * px + py * py + pz * pz) * edge * edge);
				}
	return sums;
}

oz_result oz_fluid_init(oz_world *w, oz_error *error)
{
	(void)error;
	const float h = oz_support_radius(w);
	const kernel_sums cubic = lattice_sums(w, &simple);
	const double volume = 1 / cubic.weight;
	const kernel_sums mid = lattice_sums(w, &centred), dense = lattice_sums(w, &packed);
	const double gradient = cubic.gradient + mid.gradient + dense.gradient;
	const float own = oz_sph_w(w->def.kernel, lane_of(0.0f), h)[0];
	w->fluid = (oz_fluid){.smoothing = w->def.kernel,
	                      .tait = w->def.eos == OZ_EOS_TAIT,
	                      .tension = w->def.tension,
	                      .h = h,
	                      .volume = (float)volume,
	                      .stress = (float)(3 / (volume * gradient)),
	                      .self = (float)(volume * (double)own),
	                      .sound2 = w->def.sound_speed * w->def.sound_speed,
	                      .softening = 0.01f * h * h,
	                      .gravity = w->def.gravity};
	w->heat_sum = (float)(3 / gradient * fmax(cubic.slope, fmax(mid.slope, dense.slope)));
	return OZ_OK;
}

oz_matter oz_matter_of(const oz_world *w, const oz_material_def *m)
{
	const float half = 0.5f * oz_support_radius(w), cluster = oz_cluster_radius(w, m);
	const bool solid = m->model == OZ_COROTATED;
	const float eta =
	        10.0f * m->viscosity + m->damping * m->density * w->def.sound_speed * half;
	return (oz_matter){.density = m->density,
	                   .inv_density = 1.0f / m->density,
	                   .viscous = sqrtf(eta),
	                   .kinematic = m->viscosity / m->density,
	                   .alpha = m->model == OZ_BLEND       ? oz_alpha_at(m, w->time)
	                            : m->model == OZ_COROTATED ? 0.0f
	                                                       : 1.0f,
	                   .response = oz_response_of(w, m),
	                   .cluster2 = cluster * cluster,
	                   .paper = m->paper,
	                   .update_force = m->update_force,
	                   .update_steps = solid ? UINT32_MAX : m->update_steps,
	                   .merges = !solid && m->merges,
	                   .firm = solid ? oz_firmness(m) : 0,
	                   .young = m->young_modulus,
	                   .poisson = m->poisson_ratio,
	                   .hourglass = m->hourglass,
	                   .bending = m->bending,
	                   .friction = solid ? m->friction : 0,
	                   .conductivity = m->conductivity,
	                   .heat_capacity = m->heat_capacity,
	                   .melting_point = m->melting_point,
	                   .melting_range = m->melting_range,
	                   .latent_heat = m->latent_heat,
	                   .alpha_hot = m->alpha_hot};
}

oz_result oz_stage_density(oz_world *w, oz_error *error)
{
	(void)error;
	oz_particles *p = &w->particles;
	const oz_lists lists = oz_neighbours_lists(&w->neighbours, w->fluid.h);
	if (w->blend.count) {
		oz_blend_density(w);
		return OZ_OK;
	}
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
	if (w->blend.count) {
		oz_blend_forces(w);
		return OZ_OK;
	}
	OZ_LAUNCH_PAIRS(w->device, fluid_force, p->count, &lists, .position = p->flow,
	                .velocity = p->velocity, .wall = p->wall, .material = p->material,
	                .matter = w->matter, .acceleration = p->acceleration, .fluid = w->fluid);
	return OZ_OK;
}
