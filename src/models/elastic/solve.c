// solve.c: conjugate gradients for implicit bodies, and the highest frequency of explicit ones.
#include <math.h>

#include "math/vec.h"
#include "models/elastic/elastic.h"
#include "models/elastic/elastic_drift.cl"
#include "models/elastic/elastic_pair.h"
#include "models/elastic/elastic_solve.cl"
#include "models/elastic/grip.h"
#include "solver/cg.h"

#define TOLERANCE    1e-3f  // of the residual, over the larger of the first one and the first guess
#define STILL        1e-4f  // speeds below this share of g Δt count as 0
#define ITERATIONS   200u   // at most, of conjugate gradients
#define DIVERGED     100.0f // a residual r·r above this multiple of the first is no solution
#define POWER_ROUNDS 24u    // of power iteration
// acceleration times Δt², over the spacing, beyond which an implicit step depends less on earlier
// ones; none at twice that
#define UNEVEN 0.1f

static bool is_implicit(const oz_material_def *m)
{
	return m->implicit;
}

bool oz_has_implicit(const oz_sim *sim)
{
	return oz_any_body(sim, OZ_COROTATED, is_implicit);
}

static void apply_stiffness(void *sim)
{
	oz_elastic_accelerate(sim, oz_elastic_of(sim)->direction, OZ_TANGENT_ROTATED);
}

// The solver with the buffers of the elastic model. `span`: the factor of K in the matrix, see
// cg.h.
static oz_cg solver_of(oz_sim *sim, float span)
{
	oz_elastic *s = oz_elastic_of(sim);
	return (oz_cg){.device = sim->device,
	               .count = sim->slots->count,
	               .span = span,
	               .residual = s->residual,
	               .direction = s->direction,
	               .image = s->elastic_acceleration,
	               .delta_v = s->delta_v,
	               .sums = s->on_device.sums,
	               .apply = apply_stiffness,
	               .context = sim};
}

// writes the first guess, its residual and the first search direction
static void start_solver(oz_sim *sim, const oz_cg *cg, float kick)
{
	oz_device *d = sim->device;
	oz_particles *p = &sim->particles;
	oz_slots *b = sim->slots;
	oz_elastic *s = oz_elastic_of(sim);
	OZ_LAUNCH(d, elastic_guess, b->count, .hold = s->hold,
	          .grips = OZ_OPTIONAL(s->on_device.grips), .stiff = s->stiff,
	          .hourglass_force = s->hourglass_force, .particle_of_slot = b->particle_of_slot,
	          .position = p->position, .velocity = p->velocity, .material = p->material,
	          .matter = sim->matter, .spring = s->spring, .delta_v = s->delta_v,
	          .earlier_delta_v = s->earlier_delta_v, .residual = s->residual,
	          .direction = s->direction, .dt = sim->time_step, .span = cg->span);
	oz_elastic_accelerate(sim, s->direction, OZ_TANGENT_ROTATED);
	OZ_LAUNCH(d, elastic_residual, b->count, .elastic_acceleration = s->elastic_acceleration,
	          .particle_of_slot = b->particle_of_slot, .acceleration = p->acceleration,
	          .delta_v = s->delta_v, .residual = s->residual, .direction = s->direction,
	          .groups = cg->sums, .first = oz_cg_first(cg, OZ_CG_NORM), .kick = kick,
	          .span = cg->span);
	oz_cg_join(cg, OZ_CG_NORM);
}

// raises an event when a step is not solved, once until a step is solved again
static void report_unsolved(oz_sim *sim, bool unsolved, float share)
{
	if (unsolved && !oz_elastic_of(sim)->steps.unsolved)
		oz_event_raise(sim, OZ_EVENT_NOT_CONVERGED, OZ_NONE, share,
		               "implicit solids: %.1g of the residual is left after %u iterations; "
		               "lower "
		               "time_step or young_modulus",
		               (double)share, ITERATIONS);
	oz_elastic_of(sim)->steps.unsolved = unsolved;
}

// a residual r·r that is negligible against the change of velocity by gravity, kg/m³ m²/s²
static float negligible_residual(const oz_sim *sim)
{
	const float speed = STILL * oz_length(sim->def.gravity) * sim->time_step;
	return 1e3f * speed * speed * (float)sim->slots->count;
}

oz_result oz_drift_reserve(oz_sim *sim, oz_error *error)
{
	oz_device *d = sim->device;
	oz_elastic *s = oz_elastic_of(sim);
	if (sim->slots->names <= s->on_device.drift_capacity)
		return OZ_OK;
	d->ops->release(d, s->on_device.drift,
	                sizeof *s->on_device.drift * s->on_device.drift_capacity);
	s->on_device.drift_capacity = sim->slots->names;
	s->on_device.drift =
	        d->ops->alloc(d, sizeof *s->on_device.drift * s->on_device.drift_capacity);
	if (s->on_device.drift)
		return OZ_OK;
	s->on_device.drift_capacity = 0;
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u components of elastic bodies; use a larger spacing",
	               sim->slots->names);
}

// does nothing if there are more components than tags
void oz_elastic_return_momentum(oz_sim *sim, const oz_float4 *outer, oz_float4 *delta_v, float kick)
{
	oz_device *d = sim->device;
	const oz_particles *p = &sim->particles;
	oz_slots *b = sim->slots;
	oz_elastic *s = oz_elastic_of(sim);
	if (b->names > OZ_TAGS)
		return;
	d->ops->clear(d, s->on_device.drift, sizeof *s->on_device.drift * b->names);
	OZ_LAUNCH(d, elastic_drift, oz_batch_items(b->count, d->stride), .component = b->component,
	          .tag = b->tag, .residual = s->residual, .delta_v = delta_v, .stiff = s->stiff,
	          .particle_of_slot = b->particle_of_slot, .position = p->position, .outer = outer,
	          .drift = s->on_device.drift, .slots = b->count, .stride = d->stride, .kick = kick,
	          .spacing = sim->def.spacing);
	OZ_LAUNCH(d, elastic_return_momentum, b->count, .component = b->component, .tag = b->tag,
	          .residual = s->residual, .particle_of_slot = b->particle_of_slot,
	          .position = p->position, .drift = s->on_device.drift, .delta_v = delta_v,
	          .spacing = sim->def.spacing);
}

// With accelerations f at the end of a step Δt, and of steps of Δt/r at and before its beginning,
// the mean (1 - 5/9 p) f + 6/9 p g' - 1/9 p g'' is that at the beginning if p = 9 r / (4 + 5 r).
// Where the motion changes much within a step, a mean over earlier steps would be wrong: p goes to
// 0, and the step is of first order.
float oz_elastic_past(const oz_sim *sim)
{
	const float last = sim->last_step.time_step, dt = sim->time_step;
	if (!(last > 0))
		return 0;
	const float r = dt / last;
	const float most = sim->last_step.max_acceleration + oz_length(sim->def.gravity);
	const float uneven = most * dt * dt / sim->def.spacing;
	return fminf(fmaxf(2 - uneven / UNEVEN, 0), 1) * 9 * r / (4 + 5 * r);
}

oz_cg oz_elastic_solver(oz_sim *sim, float kick)
{
	const float share = 1 - 5.0f / 9.0f * oz_elastic_past(sim); // of the end of the step
	return solver_of(sim, share * kick * sim->time_step);
}

oz_result oz_elastic_solve(oz_sim *sim, float kick, oz_error *error)
{
	oz_device *d = sim->device;
	const oz_cg cg = oz_elastic_solver(sim, kick);
	start_solver(sim, &cg, kick);
	const oz_float4 first = oz_cg_read(&cg, OZ_CG_NORM);
	const float size = fmaxf(first.y, first.z);
	float left = first.y;
	const float enough = fmaxf(TOLERANCE * TOLERANCE * size, negligible_residual(sim));
	const uint32_t rounds =
	        oz_cg_solve(&cg, (oz_cg_goal){.enough = enough, .rounds = ITERATIONS}, &left);
	const bool solved = left <= 100 * enough;
	oz_elastic_of(sim)->steps.iterations = rounds;
	oz_elastic_of(sim)->steps.answers = solved && oz_elastic_of(sim)->work.answer;
	report_unsolved(sim, !solved, size > 0 ? sqrtf(left / size) : 0);
	// the solver diverged: drop its result, and return_momentum moves components as rigid
	// bodies
	if (!(left <= DIVERGED * size))
		d->ops->clear(d, oz_elastic_of(sim)->delta_v,
		              sizeof *oz_elastic_of(sim)->delta_v * sim->slots->count);
	oz_elastic_return_momentum(sim, oz_elastic_of(sim)->work.outer, oz_elastic_of(sim)->delta_v,
	                           kick);
	OZ_LAUNCH(d, elastic_finish, sim->slots->count, .delta_v = oz_elastic_of(sim)->delta_v,
	          .stiff = oz_elastic_of(sim)->stiff,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .outer = oz_elastic_of(sim)->work.outer, .residual = oz_elastic_of(sim)->residual,
	          .rotation = sim->slots->rotation, .last = oz_elastic_of(sim)->last_g,
	          .earlier = oz_elastic_of(sim)->earlier_g,
	          .acceleration = sim->particles.acceleration, .kick = kick);
	// do not extrapolate the next guess from an unsolved step
	if (!solved) {
		d->ops->clear(d, oz_elastic_of(sim)->delta_v,
		              sizeof *oz_elastic_of(sim)->delta_v * sim->slots->count);
		d->ops->clear(d, oz_elastic_of(sim)->earlier_delta_v,
		              sizeof *oz_elastic_of(sim)->earlier_delta_v * sim->slots->count);
	}
	return oz_device_check(d, error);
}

// E/(ρ spacing²) of the stiffest material, 1/s²: a unit in which the eigenvalue is near 1
static float eigenvalue_unit(const oz_sim *sim)
{
	float most = 1;
	for (uint32_t k = 0; k < sim->materials.count; k++) {
		const oz_material_def *m = &oz_materials(sim)[k];
		if (m->model == OZ_COROTATED)
			most = fmaxf(most, m->young_modulus / m->density);
	}
	return most / (sim->def.spacing * sim->def.spacing);
}

// by power iteration
float oz_elastic_largest_eigenvalue(oz_sim *sim)
{
	oz_device *d = sim->device;
	oz_slots *b = sim->slots;
	oz_elastic *s = oz_elastic_of(sim);
	const oz_cg cg = solver_of(sim, 0);
	const uint32_t first = oz_cg_first(&cg, OZ_CG_NORM);
	OZ_LAUNCH(d, elastic_random_vector, b->count, .stiff = s->stiff,
	          .particle_of_slot = b->particle_of_slot, .material = sim->particles.material,
	          .matter = sim->matter, .direction = s->direction, .residual = s->residual,
	          .groups = s->on_device.sums, .first = first);
	const float unit = eigenvalue_unit(sim);
	float value = 0;
	for (uint32_t k = 0; k < POWER_ROUNDS; k++) {
		oz_cg_join(&cg, OZ_CG_NORM);
		const float norm = sqrtf(oz_cg_read(&cg, OZ_CG_NORM).y);
		if (!(norm > 0))
			return 0;
		value = k ? norm : 0;
		OZ_LAUNCH(d, elastic_normalize, b->count, .residual = s->residual,
		          .direction = s->direction, .scale = 1 / norm);
		oz_elastic_accelerate(sim, s->direction, OZ_TANGENT_AT_REST);
		OZ_LAUNCH(d, elastic_image, b->count,
		          .elastic_acceleration = s->elastic_acceleration, .residual = s->residual,
		          .groups = s->on_device.sums, .first = first, .unit = unit);
	}
	return value * unit;
}
