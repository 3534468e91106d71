// time_step.c: how far a step may go.
//
//   speed      Δt ≤ h / max|v|                   no particle crosses its support (Takamatsu eq 12)
//              Δt ≤ 0.05 h / max|v|              of solids that have nothing within reach
//   sound      Δt ≤ 0.25 h / (c + max|v|)         nor does a pressure wave cross half a spacing
//   force      Δt ≤ 0.35 √(h / max|a|)
//   viscosity  Δt ≤ 0.02 h² / max ν               ν includes the artificial viscosity
//   elastic    Δt ≤ 0.5 τ / √(1 - α)              of every blended material
//              Δt ≤ 1.4 / ω                       of the quickest swing of explicit solids
//   heat       Δt ≤ ρ c / (4 k V Σ |∇W|/r)        no particle gives more than it has (heat.c)
//
// each times `cfl`, and never more than time_step_max. A fixed time step overrides them all.
#include <math.h>

#include "world/world.h"

#define SPEED_SHARE     1.0f
#define SOUND_SHARE     0.25f
#define TOUCH_SHARE     0.05f
#define FORCE_SHARE     0.35f
#define VISCOSITY_SHARE 0.02f
#define ELASTIC_SHARE   0.5f
#define SWING_SHARE     1.4f // of 1/ω; leapfrog is stable up to 2

static float largest_viscosity(const oz_world *w)
{
	float nu = 0;
	for (uint32_t k = 0; k < w->materials.count; k++) {
		const oz_matter m = oz_matter_of(w, &oz_materials(w)[k]);
		nu = fmaxf(nu, 0.1f * m.viscous * m.viscous * m.inv_density);
	}
	return nu;
}

// the quickest swing of a particle about its goal
static float shortest_response(const oz_world *w)
{
	float tau = INFINITY;
	for (uint32_t k = 0; k < w->materials.count; k++) {
		const oz_material_def *m = &oz_materials(w)[k];
		if (m->model != OZ_BLEND)
			continue;
		const float alpha = fminf(oz_alpha_least(m, w->time), w->blend.least_alpha);
		tau = fminf(tau, oz_response_of(w, m) / sqrtf(fmaxf(1 - alpha, 1e-6f)));
	}
	return tau;
}

// Green's strain hardens by (3 s² - 1)/2 where it is stretched by s: room for 1.7
static float swing_share(const oz_world *w)
{
	for (uint32_t k = 0; k < w->materials.count; k++) {
		const oz_material_def *m = &oz_materials(w)[k];
		if (m->model == OZ_COROTATED && m->strain == OZ_STRAIN_GREEN && !m->implicit)
			return 0.5f * SWING_SHARE;
	}
	return SWING_SHARE;
}

static void limit_to(float *dt, oz_limit *limit, float to, oz_limit rule)
{
	if (to < *dt) {
		*dt = to;
		*limit = rule;
	}
}

static float stable_time_step(const oz_world *w, oz_limit *limit)
{
	const float h = oz_support_radius(w), share = w->def.cfl;
	const float v = fminf(w->steering.max_speed, OZ_SPEED_MAX);
	const float a = fminf(w->steering.max_acceleration, OZ_SPEED_MAX / w->def.time_step_max);
	const float nu = largest_viscosity(w);
	float dt = w->def.time_step_max;
	*limit = OZ_LIMIT_MAX;
	// solids that have nothing within reach have no pressure that sound could run through; one
	// that is near a wall may be pressed against it in the middle of a long step; of a world
	// that has not been stepped nobody knows
	const bool sounds = oz_any_body(w, OZ_FLUID, NULL) || oz_any_body(w, OZ_BLEND, NULL) ||
	                    w->solid.molten > 0 || w->near || w->step == 0;
	if (sounds)
		limit_to(&dt, limit, share * SOUND_SHARE * h / (w->def.sound_speed + v),
		         OZ_LIMIT_SOUND);
	if (v > 0 && !sounds)
		limit_to(&dt, limit, share * TOUCH_SHARE * h / v, OZ_LIMIT_SPEED);
	if (v > 0)
		limit_to(&dt, limit, share * SPEED_SHARE * h / v, OZ_LIMIT_SPEED);
	if (a > 0)
		limit_to(&dt, limit, share * FORCE_SHARE * sqrtf(h / a), OZ_LIMIT_FORCE);
	if (nu > 0)
		limit_to(&dt, limit, share * VISCOSITY_SHARE * h * h / nu, OZ_LIMIT_VISCOSITY);
	if (w->blend.count)
		limit_to(&dt, limit, share * ELASTIC_SHARE * shortest_response(w),
		         OZ_LIMIT_ELASTIC);
	if (w->solid.quickest > 0)
		limit_to(&dt, limit, share * swing_share(w) / w->solid.quickest, OZ_LIMIT_ELASTIC);
	return dt;
}

// told once, and again only after it had been stable for a while
static void tell_unstable(oz_world *w, float stable)
{
	const bool unstable = w->def.time_step > 2 * stable && w->particles.count > 0;
	if (unstable && !w->unstable)
		oz_raise(w, OZ_EVENT_UNSTABLE, OZ_NONE, w->def.time_step / stable,
		         "time_step %g s is %.0f times what is stable here; lower it to %.2g s, or "
		         "0 adapts it",
		         (double)w->def.time_step, (double)(w->def.time_step / stable),
		         (double)stable);
	w->unstable = unstable;
}

float oz_choose_time_step(oz_world *w, oz_limit *limit)
{
	float stable = stable_time_step(w, limit);
	if (!(w->def.time_step > 0)) {
		limit_to(&stable, limit, w->def.cfl * oz_heat_time_step(w), OZ_LIMIT_HEAT);
		return stable;
	}
	tell_unstable(w, fminf(stable, oz_heat_longest(w)));
	*limit = OZ_LIMIT_FIXED;
	return w->def.time_step;
}
