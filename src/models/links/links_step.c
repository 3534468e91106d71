// links_step.c: the pull of links in a step.
#include <math.h>

#include "boundary/boundary.h"
#include "models/heat/heat_model.h"
#include "models/links/links.h"

#include "models/links/links.cl"
#include "models/links/links_hold.cl"
#include "models/links/links_solve.cl"
#include "solver/cg.h"

#define TOLERANCE  1e-3f  // of the residual, relative to changes of velocity
#define SMALL_WAY  0.05f  // spacings, see goal_of
#define ROUNDING   1e-11f // r·r that rounding leaves, relative to the first one
#define UNSOLVED   1e3f   // r·r above this multiple of its goal raises an event
#define ITERATIONS 100u   // of conjugate gradients, at most
#define NEWTON     8u     // iterations of Newton, at most
#define ROUGH      1e-2f  // r·r at which conjugate gradients end, over that at their begin
// largest G Δt²/(ρ s²) of the explicit and of the implicit step
#define SOFT  0.08f
#define STIFF 4.0f

// ---- scratch -----------------------------------------------------------------------------------

oz_result oz_links_done(oz_sim *sim, void *state, oz_error *error)
{
	oz_links_work *w = &((oz_links *)state)->work;
	const void *taken[] = {w->spot,     w->law,       w->mate,  w->grip,    w->slack, w->guess,
	                       w->residual, w->direction, w->image, w->delta_v, w->sums};
	(void)error;
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	*w = (oz_links_work){0};
	return OZ_OK;
}

float oz_longest_time_step(const oz_sim *sim)
{
	return sim->def.time_step > 0 ? sim->def.time_step : sim->def.time_step_max;
}

static bool take(oz_sim *sim, oz_float4 **records[], size_t count)
{
	for (size_t k = 0; k < count; k++)
		if (!(*records[k] =
		              OZ_TAKE(&sim->scratch, oz_float4, "links", sim->particles.capacity)))
			return false;
	return true;
}

oz_result oz_links_reserve(oz_sim *sim, void *state, oz_error *error)
{
	oz_links_work *w = &((oz_links *)state)->work;
	oz_float4 **always[] = {&w->spot, &w->law, &w->mate}, **at_walls[] = {&w->grip, &w->slack};
	oz_float4 **implicit[] = {&w->guess, &w->residual, &w->direction, &w->image, &w->delta_v};
	// the time step is not known yet
	const bool stiff = !oz_links_are_soft(sim, oz_longest_time_step(sim));
	bool whole = take(sim, always, 3);
	if (sim->boundary->colliders.count)
		whole = whole && take(sim, at_walls, 2);
	if (stiff)
		whole = whole && take(sim, implicit, 5) &&
		        (w->sums = OZ_TAKE(&sim->scratch, oz_float4, "sums of links",
		                           oz_cg_sums(sim->particles.capacity)));
	if (whole)
		return OZ_OK;
	oz_links_done(sim, state, NULL);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the links of %u particles; use a larger spacing",
	               sim->particles.count);
}

// ---- the step ----------------------------------------------------------------------------------

// the least density of the materials that links may join, kg/m³
static float lightest(const oz_sim *sim)
{
	float least = INFINITY;
	for (uint32_t k = 0; k < sim->materials.count; k++)
		if (link_can_end((const oz_matter *)sim->matters.items + k))
			least = fminf(least, oz_materials(sim)[k].density);
	return least;
}

float oz_links_longest_step(const oz_sim *sim, const oz_material_def *m, float most)
{
	return sim->def.spacing * sqrtf(most * lightest(sim) / m->shear_modulus);
}

float oz_links_most(oz_link_law law)
{
	return law == OZ_LINKS_SPRINGS ? SOFT : STIFF;
}

// the value of oz_link.on of the materials with links; all of them have the same
static uint kind_of_links(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	uint on = 0;
	for (uint32_t k = 0; k < sim->matters.count; k++)
		on = on ? on : m[k].flow.link.on;
	return on;
}

bool oz_links_are_soft(const oz_sim *sim, float dt)
{
	if (kind_of_links(sim) != OZ_LINK_STRETCH)
		return true;
	for (uint32_t k = 0; k < sim->materials.count; k++)
		if (oz_materials(sim)[k].model == OZ_LINKS &&
		    dt > oz_links_longest_step(sim, &oz_materials(sim)[k], SOFT))
			return false;
	return true;
}

static oz_lists lists_of(const oz_sim *sim, const oz_link_table *t)
{
	return (oz_lists){.list = t->list,
	                  .start = t->start,
	                  .count = t->count,
	                  .stride = sim->device->stride};
}

// the largest G/ρ for which the time step is stable, m²/s²
static float stiffest_of(const oz_sim *sim)
{
	const bool springs = kind_of_links(sim) == OZ_LINK_SPRINGS;
	const float speed = sim->def.spacing / sim->time_step;
	return oz_links_most(springs ? OZ_LINKS_SPRINGS : OZ_LINKS_STRETCH) * speed * speed;
}

// writes the records of all particles into the scratch; `ahead` as in links_gather_at
static void gather(oz_sim *sim, const oz_links *l, float ahead)
{
	const oz_particles *p = &sim->particles;
	const float s = sim->def.spacing;
	const float *temperature = oz_heat_of(sim)->temperature;
	OZ_LAUNCH(sim->device, links_gather, p->count, .position = p->position,
	          .velocity = p->velocity, .acceleration = p->acceleration, .material = p->material,
	          .matter = sim->matter, .temperature = OZ_OPTIONAL(temperature), .loss = l->loss,
	          .count = l->table.count, .spot = l->work.spot, .law = l->work.law,
	          .mate = l->work.mate, .temperatures = temperature != NULL, .volume = s * s * s,
	          .dt = sim->time_step, .ahead = ahead, .kick = oz_kick(sim),
	          .stiffest = stiffest_of(sim));
}

// ---- walls -------------------------------------------------------------------------------------

// finds the springs by which walls hold particles. `ahead`: the time step, in which their points
// move with the wall; 0 in the explicit step
static void find_holds(oz_sim *sim, const oz_links *l, float printed_scale, float ahead)
{
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	OZ_LAUNCH(sim->device, links_hold, p->count, .position = p->position,
	          .velocity = p->velocity, .wall = p->wall, .spot = l->work.spot,
	          .law = l->work.law, .material = p->material, .matter = sim->matter,
	          .collider = b->collider, .places = OZ_OPTIONAL(b->sdfs.places),
	          .nearest = OZ_OPTIONAL(b->sdfs.nearest), .hold = l->hold, .grip = l->work.grip,
	          .slack = l->work.slack, .rules = oz_wall_rules_of(b, sim),
	          .printed_scale = printed_scale, .dt = sim->time_step, .ahead = ahead,
	          .stiffest = stiffest_of(sim));
}

// adds the accelerations of holds at `velocity` to `acceleration`
static void pull_holds(oz_sim *sim, const oz_links *l, const oz_float4 *velocity,
                       oz_float4 *acceleration, float ahead)
{
	if (l->work.grip)
		OZ_LAUNCH(sim->device, links_hold_pull, sim->particles.count, .grip = l->work.grip,
		          .slack = l->work.slack, .velocity = velocity,
		          .material = sim->particles.material, .matter = sim->matter,
		          .acceleration = acceleration, .ahead = ahead,
		          .spacing = sim->def.spacing);
}

// adds the forces of holds at `velocity` to the loads of colliders
static void load_colliders(oz_sim *sim, const oz_links *l, const oz_float4 *velocity, float ahead)
{
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	if (l->work.grip && b->load_count)
		OZ_LAUNCH(sim->device, links_hold_load, p->count, .position = p->position,
		          .grip = l->work.grip, .slack = l->work.slack, .velocity = velocity,
		          .material = p->material, .matter = sim->matter, .collider = b->collider,
		          .reactions = b->reactions, .ahead = ahead, .kick = oz_kick(sim),
		          .dt = sim->time_step, .quanta = oz_load_quanta(sim),
		          .spacing = sim->def.spacing);
}

// the arguments of links_pull and links_pull_alike
#define LINKS_PULL                                                                                 \
	.spot = l->work.spot, .law = l->work.law, .mate = l->work.mate, .rest = l->table.rest,     \
	.acceleration = p->acceleration, .loss = l->loss, .printed_scale = printed_scale,          \
	.dt = sim->time_step, .pushes = pushes

// the explicit step: links pull (springs push, too) and relax, then holds at walls pull
static void pull_explicitly(oz_sim *sim, const oz_links *l, float printed_scale, bool pushes)
{
	const oz_lists lists = lists_of(sim, &l->table);
	oz_particles *p = &sim->particles;
	// all particles have the same law and mate
	if (sim->materials.count == 1 && !oz_heat_of(sim)->temperature)
		OZ_LAUNCH_PAIRS(sim->device, links_pull_alike, p->count, &lists, LINKS_PULL);
	else
		OZ_LAUNCH_PAIRS(sim->device, links_pull, p->count, &lists, LINKS_PULL);
	pull_holds(sim, l, p->velocity, p->acceleration, 0);
	load_colliders(sim, l, p->velocity, 0);
}

// ---- the implicit step -------------------------------------------------------------------------

static void multiply(void *context)
{
	oz_sim *sim = context;
	const oz_links *l = oz_model_state(sim, &oz_links_model);
	const oz_lists lists = lists_of(sim, &l->table);
	OZ_LAUNCH_PAIRS(sim->device, links_product, sim->particles.count, &lists,
	                .spot = l->work.spot, .mate = l->work.mate, .direction = l->work.direction,
	                .rest = l->table.rest, .image = l->work.image, .dt = sim->time_step);
	if (l->work.grip)
		OZ_LAUNCH(sim->device, links_hold_product, sim->particles.count,
		          .grip = l->work.grip, .slack = l->work.slack, .guess = l->work.guess,
		          .direction = l->work.direction, .material = sim->particles.material,
		          .matter = sim->matter, .image = l->work.image, .dt = sim->time_step,
		          .spacing = sim->def.spacing);
	if (oz_models_have_join(sim))
		oz_models_join(sim, l->work.image);
}

// the first guess of the velocities
static void begin_solve(oz_sim *sim, const oz_links *l)
{
	const oz_links_work *w = &l->work;
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	OZ_LAUNCH(sim->device, links_guess, p->count, .velocity = p->velocity, .mate = w->mate,
	          .count = l->table.count, .grip = OZ_OPTIONAL(w->grip),
	          .nozzle = OZ_OPTIONAL(b->nozzle), .material = p->material, .matter = sim->matter,
	          .delta_v = w->delta_v, .residual = w->residual, .guess = w->guess,
	          .holds = w->grip != NULL, .nozzles = b->nozzle ? b->nozzles.count : 0);
}

// adds the accelerations by all else to `image` for particles of rigid bodies, and replaces them by
// those of the bodies
static void join_bodies(oz_sim *sim, const oz_links *l)
{
	if (!oz_models_have_join(sim))
		return;
	OZ_LAUNCH(sim->device, links_gain, sim->particles.count, .guess = l->work.guess,
	          .acceleration = sim->particles.acceleration, .image = l->work.image);
	oz_models_join(sim, l->work.image);
}

// the sums of links_drive
static oz_float4 measure_drive(oz_sim *sim, const oz_links *l, const oz_cg *cg)
{
	const oz_links_work *w = &l->work;
	const uint32_t count = sim->particles.count;
	sim->device->ops->clear(sim->device, w->image, sizeof *w->image * count);
	join_bodies(sim, l);
	OZ_LAUNCH(sim->device, links_drive, count, .image = w->image, .guess = w->guess,
	          .acceleration = sim->particles.acceleration, .residual = w->residual,
	          .count = l->table.count, .groups = w->sums, .first = oz_cg_first(cg, OZ_CG_NORM),
	          .kick = cg->span);
	oz_cg_join(cg, OZ_CG_NORM);
	return oz_cg_read(cg, OZ_CG_NORM);
}

// writes the accelerations of links and holds at the guess into `image`
static void pull_at_guess(oz_sim *sim, const oz_links *l)
{
	const oz_links_work *w = &l->work;
	const oz_lists lists = lists_of(sim, &l->table);
	OZ_LAUNCH_PAIRS(sim->device, links_tense, sim->particles.count, &lists, .spot = w->spot,
	                .law = w->law, .mate = w->mate, .guess = w->guess, .rest = l->table.rest,
	                .image = w->image, .dt = sim->time_step);
	pull_holds(sim, l, w->guess, w->image, sim->time_step);
}

// the residual at the guess; gives its sums
static oz_float4 evaluate(oz_sim *sim, const oz_links *l, const oz_cg *cg)
{
	const oz_links_work *w = &l->work;
	const oz_particles *p = &sim->particles;
	pull_at_guess(sim, l);
	join_bodies(sim, l);
	OZ_LAUNCH(sim->device, links_residual, p->count, .image = w->image, .guess = w->guess,
	          .acceleration = p->acceleration, .count = l->table.count, .delta_v = w->delta_v,
	          .residual = w->residual, .direction = w->direction, .groups = w->sums,
	          .first = oz_cg_first(cg, OZ_CG_NORM), .kick = cg->span, .dt = sim->time_step);
	oz_cg_join(cg, OZ_CG_NORM);
	return oz_cg_read(cg, OZ_CG_NORM);
}

// The r·r at which the iteration ends. The residual is an error of velocity. It is compared with
// the change of velocity that other forces give to the particles that links move (the sums of
// `drive`), or with the velocity that moves a particle by SMALL_WAY in a step. The first residual
// of stiff links is much larger than both. `first`: its sums.
static float goal_of(const oz_sim *sim, oz_float4 drive, oz_float4 first)
{
	const float small = SMALL_WAY * sim->def.spacing / sim->time_step;
	const float scale = fmaxf(drive.z, fminf(first.z, drive.w * small * small));
	return fmaxf(TOLERANCE * TOLERANCE * scale, ROUNDING * first.y);
}

// Newton's iteration; the velocities are in `guess` then. Returns the sums of the last residual;
// *enough: the r·r that is small enough.
static oz_float4 find_velocities(oz_sim *sim, const oz_links *l, const oz_cg *cg, float *enough)
{
	const oz_links_work *w = &l->work;
	begin_solve(sim, l);
	const oz_float4 drive = measure_drive(sim, l, cg);
	oz_float4 sums = evaluate(sim, l, cg);
	*enough = goal_of(sim, drive, sums);
	for (uint32_t k = 0; k < NEWTON && sums.y > *enough; k++) {
		float left = sums.y;
		// the set of stretched links changes: a rough solution is good enough at first
		const oz_cg_goal goal = {.enough = fmaxf(ROUGH * sums.z, 0.25f * *enough),
		                         .rounds = ITERATIONS};
		sim->report.rounds += oz_cg_solve(cg, goal, &left);
		OZ_LAUNCH(sim->device, links_result, cg->count, .velocity = sim->particles.velocity,
		          .delta_v = w->delta_v, .guess = w->guess);
		sums = evaluate(sim, l, cg);
	}
	return sums;
}

// raises an event at the first of successive steps that do not converge
static void report(oz_sim *sim, oz_links *l, bool unsolved, float share)
{
	if (unsolved && !l->unsolved)
		oz_event_raise(sim, OZ_EVENT_NOT_CONVERGED, OZ_NONE, share,
		               "links: the residual is %.2g times what is small enough after %u "
		               "solutions; lower time_step_max or shear_modulus",
		               (double)share, NEWTON);
	l->unsolved = unsolved;
}

static void pull_implicitly(oz_sim *sim, oz_links *l)
{
	const oz_links_work *w = &l->work;
	const oz_lists lists = lists_of(sim, &l->table);
	const uint32_t count = sim->particles.count;
	const oz_cg cg = {.device = sim->device,
	                  .count = count,
	                  .span = oz_kick(sim),
	                  .residual = w->residual,
	                  .direction = w->direction,
	                  .image = w->image,
	                  .delta_v = w->delta_v,
	                  .sums = w->sums,
	                  .apply = multiply,
	                  .context = sim};
	float enough;
	const oz_float4 sums = find_velocities(sim, l, &cg, &enough);
	report(sim, l, !(sums.y <= UNSOLVED * enough), enough > 0 ? sqrtf(sums.y / enough) : 0);
	load_colliders(sim, l, w->guess, sim->time_step);
	if (oz_models_have_join(sim)) // links_finish adds the accelerations of links alone
		pull_at_guess(sim, l);
	OZ_LAUNCH_PAIRS(sim->device, links_settle, count, &lists, .spot = w->spot, .law = w->law,
	                .mate = w->mate, .rest = l->table.rest);
	OZ_LAUNCH(sim->device, links_finish, count, .delta_v = w->delta_v, .residual = w->residual,
	          .guess = w->guess, .image = w->image, .acceleration = sim->particles.acceleration,
	          .kick = cg.span);
}

// whether the table has a row for each particle, in their present order, and follows all adhesions
static bool is_current(const oz_sim *sim, const oz_links *l)
{
	return !sim->report.rebuilt && l->table.rows == sim->particles.count &&
	       l->followed == l->adhesions.count;
}

oz_result oz_links_pull(oz_sim *sim, void *state, oz_error *error)
{
	oz_links *l = state;
	if (!sim->particles.count)
		return OZ_OK;
	if (!is_current(sim, l)) {
		const oz_result result = oz_link_table_build(sim, l, error);
		if (result != OZ_OK)
			return result;
	}
	const uint kind = kind_of_links(sim);
	const bool springs = kind == OZ_LINK_SPRINGS;
	const float printed_scale = kind == OZ_LINK_PAPER ? 1 / (sim->time_step * oz_kick(sim)) : 0;
	const bool soft = oz_links_are_soft(sim, sim->time_step) || !l->work.sums;
	gather(sim, l, springs ? sim->time_step : 0);
	if (l->work.grip)
		find_holds(sim, l, printed_scale, soft ? 0 : sim->time_step);
	if (soft)
		pull_explicitly(sim, l, printed_scale, springs);
	else
		pull_implicitly(sim, l);
	return oz_device_check(sim->device, error);
}
