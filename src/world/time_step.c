// time_step.c: chooses the time step: the shortest of these limits, each multiplied with `cfl`, and
// time_step_max. A fixed time step overrides them.
//
//   speed      Δt ≤ h / max|v|                   no particle crosses its support (Takamatsu eq 12)
//              Δt ≤ 0.05 h / max|v|              elastic bodies without contact
//   force      Δt ≤ 0.35 √(h / max|a|)
//   sound      by the pressure (src/pressure): no wave crosses half a spacing
//   viscosity, elastic, heat                      by the models (src/models)
#include <math.h>

#include "world/world.h"

#define SPEED_FACTOR   1.0f
#define ELASTIC_FACTOR 0.05f
#define FORCE_FACTOR   0.35f
#define STEADY_LEAST   0.65f // of a limit that changes in every step; a shorter step is lengthened
#define STEADY_FIRST   0.8f  // share of such a limit that a new step has

// lowers *dt to a limit and notes its rule
static void limit_to(float *dt, oz_limit *limit, float to, oz_limit rule)
{
	if (to < *dt) {
		*dt = to;
		*limit = rule;
	}
}

// Whether pressure can act in this step, so that the limit of sound applies. It cannot if all
// particles are elastic and nothing is near them, neither a wall nor another body. Before the first
// step assume contact.
static bool is_compressed(const oz_sim *s)
{
	return oz_any_trait(s, OZ_TRAIT_FLOWS) || oz_any_unknown_model(s) || s->slots->molten > 0 ||
	       s->contact->near || s->step == 0;
}

// The time step below a limit that changes in every step: the last one, as long as it is not much
// shorter. Leapfrog keeps energy only while the step stays the same. If it follows each change of
// the greatest speed, a free elastic body gains energy in its highest frequencies.
static float steady(const oz_sim *s, float limit)
{
	const float last = s->last_step.time_step;
	if (last <= limit && last >= STEADY_LEAST * limit)
		return last;
	return STEADY_FIRST * limit;
}

// Applies the limits of sound, speed and force. *limit: in, the rule of the models' limits.
static void limit_motion(const oz_world *w, float *dt, oz_limit *limit)
{
	const oz_sim *s = &w->sim;
	const float h = oz_support_radius(s), share = s->def.cfl;
	const float v = fminf(s->last_step.max_speed, OZ_SPEED_MAX);
	const float a = fminf(s->last_step.max_acceleration, OZ_SPEED_MAX / s->def.time_step_max);
	const bool compressed = is_compressed(s);
	oz_limit rule;
	if (compressed) {
		const float to = w->pressure->limit(s, v, &rule);
		limit_to(dt, limit, to, rule);
	}
	if (v > 0 && !compressed) {
		const float to = share * ELASTIC_FACTOR * h / v;
		limit_to(dt, limit, *limit == OZ_LIMIT_ELASTIC ? steady(s, to) : to,
		         OZ_LIMIT_SPEED);
	}
	if (v > 0)
		limit_to(dt, limit, share * SPEED_FACTOR * h / v, OZ_LIMIT_SPEED);
	if (a > 0 && !w->pressure->implicit)
		limit_to(dt, limit, share * FORCE_FACTOR * sqrtf(h / a), OZ_LIMIT_FORCE);
}

// The longest time step within all limits, s. *by_models: that within the limits of the models and
// time_step_max.
static float stable_time_step(const oz_world *w, bool fixed, oz_limit *limit, float *by_models)
{
	float dt = w->sim.def.time_step_max;
	*limit = OZ_LIMIT_MAX;
	for (uint32_t k = 0; k < w->models.count; k++) {
		const oz_model_entry *e = &w->models.entries[k];
		oz_limit rule;
		if (!e->open || !e->ops->limit)
			continue;
		const float to = e->ops->limit(&w->sim, e->state, fixed, &rule);
		limit_to(&dt, limit, to, rule);
	}
	*by_models = dt;
	limit_motion(w, &dt, limit);
	return dt;
}

// raises an event when the fixed time step becomes longer than twice the stable one
static void raise_unstable(oz_world *w, float stable)
{
	oz_sim *s = &w->sim;
	const float dt = s->def.time_step;
	const bool unstable = dt > 2 * stable && s->particles.count > 0;
	if (unstable && !w->measuring.unstable)
		oz_event_raise(s, OZ_EVENT_UNSTABLE, OZ_NONE, dt / stable,
		               "time_step %g s is %.0f times the stable time step; lower it to "
		               "%.2g s, "
		               "or "
		               "set 0 to adapt it",
		               (double)dt, (double)(dt / stable), (double)stable);
	w->measuring.unstable = unstable;
}

float oz_choose_time_step(oz_world *w, oz_step_report *report)
{
	const bool fixed = w->sim.def.time_step > 0;
	const float stable = stable_time_step(w, fixed, &report->limit, &report->models_time_step);
	w->measuring.stable = stable;
	if (!fixed)
		return stable;
	raise_unstable(w, stable);
	report->limit = OZ_LIMIT_FIXED;
	return w->sim.def.time_step;
}
