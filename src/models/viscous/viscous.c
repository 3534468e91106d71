// viscous.c: thick fluids: launches the kernels of viscous.cl and solves for the velocities.
#include "models/viscous/viscous.h"

#include <math.h>

#include "boundary/boundary.h"
#include "contact/contact.h"
#include "math/vec.h"
#include "models/heat/heat_model.h"
#include "models/viscous/viscous.cl"
#include "models/viscous/viscous_solve.cl"
#include "solver/cg.h"

#define TOLERANCE  1e-2f  // of the residual, over the changes of velocity by other forces
#define ROUNDING   1e-4f  // residuals below this share of speeds count as 0
#define STILL      1e-4f  // speeds below this share of g Δt count as 0
#define UNSOLVED   100.0f // r·r above this multiple of its goal raises an event
#define ITERATIONS 400u   // at most
#define REACH      2.0f   // spacings, largest radius of the weights

static const oz_field_row field_rows[] = {
#define VISCOUS_ROW(...) OZ_FIELD_ROW(oz_viscous, "viscous.", __VA_ARGS__)
        OZ_VISCOUS_FIELDS(VISCOUS_ROW)};

static const oz_field_row slot_rows[] = {
#define VISCOUS_SLOT_ROW(...) OZ_FIELD_ROW(oz_viscous, "viscous.", __VA_ARGS__)
        OZ_VISCOUS_SLOT_FIELDS(VISCOUS_SLOT_ROW)};

// ---- material ----------------------------------------------------------------------------------

bool oz_is_thick(const oz_material_def *m)
{
	if (m->viscous_form == OZ_VISCOUS_PAIRS)
		return false;
	// of solids, those that melt: then they flow
	if (m->model == OZ_COROTATED)
		return m->viscosity >= OZ_THICK && oz_can_melt(m);
	if (m->model == OZ_LINKS)
		return m->viscosity >= OZ_THICK;
	if (m->model == OZ_POLYMER)
		return true;
	if (m->model != OZ_FLUID)
		return false;
	return m->viscous_form == OZ_VISCOUS_STRESS || m->viscosity >= OZ_THICK ||
	       m->yield_stress > 0 || m->flow_exponent != 1 || m->activation_energy != 0 ||
	       m->viscosity_table.count > 0 || m->rebuild_time > 0;
}

// the logarithm of the viscosity by the table of a material, at a temperature in °C
static double log_by_table(const oz_curve *table, double temperature)
{
	double value = log((double)table->points[0][1]);
	for (uint32_t k = 1; k < table->count; k++) {
		const double from = (double)table->points[k - 1][0],
		             to = (double)table->points[k][0];
		const double share = fmin(fmax((temperature - from) / (to - from), 0), 1);
		value += share * log((double)table->points[k][1] / (double)table->points[k - 1][1]);
	}
	return value;
}

static void fill_table(const oz_material_def *def, oz_law *law)
{
	const oz_curve *table = &def->viscosity_table;
	law->points = table->count;
	if (!table->count)
		return;
	const double reference = log_by_table(table, (double)def->viscosity_temperature);
	for (uint32_t k = 0; k < table->count; k++) {
		law->warmth[k] = table->points[k][0] + OZ_LAW_KELVIN;
		law->factor[k] = (float)(log((double)table->points[k][1]) - reference);
	}
}

// the laws are of fluids only; that of fluids with links is Newton's, a melt's is constant
static oz_law law_of(const oz_material_def *def)
{
	if (def->model == OZ_COROTATED)
		return (oz_law){.thick = OZ_THICK_MOLTEN,
		                .base = def->viscosity,
		                .exponent = 1,
		                .creep_rate = 1};
	if (def->model == OZ_LINKS)
		return (oz_law){.thick = OZ_THICK_ALWAYS,
		                .base = def->viscosity,
		                .exponent = 1,
		                .creep_rate = 1,
		                .activation = def->activation_energy / OZ_GAS,
		                .reference = def->viscosity_temperature + OZ_LAW_KELVIN};
	return (oz_law){.thick = OZ_THICK_ALWAYS,
	                .base = def->viscosity,
	                .yield = def->yield_stress,
	                .exponent = def->flow_exponent,
	                .creep_rate = def->creep_rate,
	                .time = def->carreau_time,
	                .fast = def->fast_viscosity,
	                .rebuild = def->rebuild_time,
	                .breakdown = def->breakdown,
	                .broken = def->broken_share,
	                .activation = def->activation_energy / OZ_GAS,
	                .reference = def->viscosity_temperature + OZ_LAW_KELVIN};
}

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	(void)sim;
	if (!oz_is_thick(def))
		return;
	m->law = law_of(def);
	if (def->model == OZ_FLUID)
		fill_table(def, &m->law);
	// a weight of 0 switches off the pair force and the drag of walls
	m->flow.viscous = 0;
	if (m->law.thick == OZ_THICK_ALWAYS)
		m->viscous = 0;
}

#define TABLE_OFF 0.05 // largest difference of viscosity from its table, relative

static oz_result check_table(const oz_material_def *m, const char *where, oz_error *error)
{
	const oz_curve *table = &m->viscosity_table;
	if (table->count == 0)
		return OZ_OK;
	if (m->activation_energy != 0)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has a viscosity_table and an activation_energy, which both say "
		               "how warmth thins it; set activation_energy to 0 (a preset may have "
		               "another), or leave viscosity_table out",
		               where);
	const double by_table = exp(log_by_table(table, (double)m->viscosity_temperature));
	if (fabs(by_table / (double)m->viscosity - 1) <= TABLE_OFF)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "%s has a viscosity of %g Pa·s, but by its viscosity_table it has %g Pa·s "
	               "at "
	               "%g °C, its viscosity_temperature; set viscosity to that",
	               where, (double)m->viscosity, by_table, (double)m->viscosity_temperature);
}

static oz_result check_material(const oz_sim *sim, const oz_material_def *m, const char *where,
                                oz_error *error)
{
	(void)sim;
	if (m->model != OZ_FLUID)
		return OZ_OK;
	if (m->carreau_time > 0 && m->yield_stress > 0)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has a carreau_time and a yield_stress, but Carreau's law has no "
		               "yield stress; set one of them to 0",
		               where);
	if (m->carreau_time > 0 && m->fast_viscosity > m->viscosity && m->flow_exponent < 1)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s thins under shear (flow_exponent %g) from a viscosity of %g to "
		               "%g Pa·s, which is more; lower fast_viscosity",
		               where, (double)m->flow_exponent, (double)m->viscosity,
		               (double)m->fast_viscosity);
	const oz_result result = check_table(m, where, error);
	if (result != OZ_OK)
		return result;
	if (m->viscous_form == OZ_VISCOUS_PAIRS &&
	    (m->yield_stress > 0 || m->flow_exponent != 1 || m->activation_energy != 0 ||
	     m->viscosity_table.count > 0 || m->rebuild_time > 0))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has viscous_form pairs, which knows a constant viscosity alone; "
		               "use stress, or leave yield_stress, flow_exponent, "
		               "activation_energy, viscosity_table and rebuild_time at their "
		               "defaults",
		               where);
	return OZ_OK;
}

static bool needed(const oz_sim *sim, const void *state, const oz_addition *a)
{
	(void)state;
	return oz_is_thick(oz_material_of(sim, a->body));
}

bool oz_viscous_acts(const oz_sim *sim)
{
	return oz_any_body(sim, OZ_POLYMER, NULL) || oz_any_body(sim, OZ_FLUID, oz_is_thick) ||
	       oz_any_body(sim, OZ_LINKS, oz_is_thick) ||
	       (sim->slots->molten && oz_any_body(sim, OZ_COROTATED, oz_is_thick));
}

// whether a thick fluid needs velocity gradients before the solver: for its law or for its polymer
static bool any_law_needs_rates(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	for (uint32_t k = 0; k < sim->matters.count; k++)
		if (m[k].law.thick && (law_needs_rate(&m[k].law) || m[k].flow.polymer.modulus > 0))
			return true;
	return false;
}

// ---- scratch -----------------------------------------------------------------------------------

static oz_result give_work(oz_sim *sim, void *state, oz_error *error)
{
	oz_viscous_work *w = &((oz_viscous *)state)->work;
	const void *taken[] = {w->spot,      w->row_x,    w->row_y,   w->row_z,    w->fit_a,
	                       w->fit_b,     w->fit_c,    w->hold,    w->moment,   w->residual,
	                       w->direction, w->image,    w->delta_v, w->sums,     w->viscosity,
	                       w->spring,    w->reached,  w->marks,   w->stress_a, w->stress_b,
	                       w->side,      w->touching, w->dashpot};
	(void)error;
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	*w = (oz_viscous_work){0};
	return OZ_OK;
}

static bool take_all(oz_sim *sim, oz_viscous_work *w)
{
	const uint32_t n = sim->particles.capacity;
	oz_scratch *s = &sim->scratch;
	oz_float4 **records[] = {&w->spot,      &w->row_x, &w->row_y,  &w->row_z,  &w->fit_a,
	                         &w->fit_b,     &w->fit_c, &w->hold,   &w->moment, &w->residual,
	                         &w->direction, &w->image, &w->delta_v};
	for (size_t k = 0; k < sizeof records / sizeof *records; k++)
		if (!(*records[k] = OZ_TAKE(s, oz_float4, "thick fluids", n)))
			return false;
	if (oz_any_body(sim, OZ_POLYMER, NULL) &&
	    !((w->stress_a = OZ_TAKE(s, oz_float4, "stress of polymers", n)) &&
	      (w->stress_b = OZ_TAKE(s, oz_float4, "stress of polymers", n))))
		return false;
	if (sim->slots->count && !((w->side = OZ_TAKE(s, oz_float4, "sides of thick fluids", n)) &&
	                           (w->touching = OZ_TAKE(s, uint, "near bodies", n)) &&
	                           (w->dashpot = OZ_TAKE(s, float, "dashpots", n)) &&
	                           (w->marks = OZ_TAKE(s, uint64_t, "marks of dashpots", n))))
		return false;
	return (w->sums = OZ_TAKE(s, oz_float4, "sums of thick fluids", oz_cg_sums(n))) &&
	       (w->viscosity = OZ_TAKE(s, float, "viscosity", n)) &&
	       (w->spring = OZ_TAKE(s, float, "viscous diagonal", n)) &&
	       (w->reached = OZ_TAKE(s, uint, "near thick fluids", n));
}

static oz_result take_work(oz_sim *sim, void *state, oz_error *error)
{
	if (!oz_viscous_acts(sim) || take_all(sim, &((oz_viscous *)state)->work))
		return OZ_OK;
	give_work(sim, state, NULL);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the viscosity of %u particles; use a larger spacing",
	               sim->particles.count);
}

// ---- the step ----------------------------------------------------------------------------------

static viscous_reach reach_of(const oz_sim *sim)
{
	const float h = fminf(oz_support_radius(sim), REACH * sim->def.spacing);
	const float s = sim->def.spacing;
	return (viscous_reach){.h = h, .inv_h2 = 1 / (h * h), .grip = OZ_VISCOUS_GRIP / (s * s)};
}

// walls act as far as the weights do
static oz_wall_rules rules_of(const oz_sim *sim)
{
	oz_wall_rules rules = oz_wall_rules_of(sim->boundary, sim);
	rules.h = reach_of(sim).h;
	return rules;
}

// the lists of particles that are near thick fluids
static oz_lists reached_lists(const oz_sim *sim, const oz_viscous *s)
{
	oz_lists lists = oz_neighbours_lists(&sim->neighbours, reach_of(sim).h);
	lists.count = s->work.reached;
	lists.marks = s->work.marks;
	return lists;
}

// M of `velocity`, with the motion of walls
static void stretch(oz_sim *sim, const oz_viscous *s, const oz_float4 *velocity)
{
	const oz_viscous_work *w = &s->work;
	const oz_lists kept = oz_kept_lists(&sim->neighbours);
	OZ_LAUNCH_PAIRS(sim->device, viscous_stretch, sim->particles.count, &kept, .spot = w->spot,
	                .direction = velocity, .hold = w->hold, .kept = sim->neighbours.kept.number,
	                .row_x = w->row_x, .row_y = w->row_y, .row_z = w->row_z,
	                .spring = w->spring);
}

static void add_wall_motion(oz_sim *sim, const oz_viscous *s)
{
	const oz_viscous_work *w = &s->work;
	const oz_boundary *b = sim->boundary;
	if (b->colliders.count)
		OZ_LAUNCH(sim->device, viscous_wall_motion, sim->particles.count, .spot = w->spot,
		          .hold = w->hold, .collider = b->collider,
		          .places = OZ_OPTIONAL(b->sdfs.places),
		          .nearest = OZ_OPTIONAL(b->sdfs.nearest), .row_x = w->row_x,
		          .row_y = w->row_y, .row_z = w->row_z, .rules = rules_of(sim),
		          .dt = sim->time_step);
}

// from M to the accelerations in `image`; `strained`: with the stress of polymers
static void accelerate(oz_sim *sim, const oz_viscous *s, bool strained)
{
	const oz_viscous_work *w = &s->work;
	oz_lists lists = reached_lists(sim, s);
	const oz_lists kept = oz_kept_lists(&sim->neighbours);
	const uint32_t count = sim->particles.count;
	OZ_LAUNCH(sim->device, viscous_stress, count, .spot = w->spot, .direction = w->direction,
	          .hold = w->hold, .moment = w->moment, .fit_a = w->fit_a, .fit_b = w->fit_b,
	          .fit_c = w->fit_c, .row_x = w->row_x, .row_y = w->row_y, .row_z = w->row_z,
	          .stress_a = OZ_OPTIONAL(w->stress_a), .stress_b = OZ_OPTIONAL(w->stress_b),
	          .image = w->image, .strained = strained && w->stress_a);
	OZ_LAUNCH_PAIRS(sim->device, viscous_force, count, &kept, .row_x = w->row_x,
	                .row_y = w->row_y, .row_z = w->row_z, .moment = w->moment,
	                .kept = sim->neighbours.kept.number, .image = w->image);
	if (w->side) {
		lists.count = w->touching;
		OZ_LAUNCH_PAIRS(sim->device, viscous_grip, count, &lists, .side = w->side,
		                .direction = w->direction, .moment = w->moment, .image = w->image,
		                .reach = reach_of(sim));
	}
}

// - K p of the search direction
static void apply(void *context)
{
	oz_sim *sim = context;
	const oz_viscous *s = oz_model_state(sim, &oz_viscous_model);
	stretch(sim, s, s->work.direction);
	accelerate(sim, s, false);
}

// the accelerations at the velocities in `direction`
static void apply_to_velocities(oz_sim *sim, const oz_viscous *s)
{
	stretch(sim, s, s->work.direction);
	add_wall_motion(sim, s);
	accelerate(sim, s, true);
}

static void fit(oz_sim *sim, const oz_viscous *s)
{
	const oz_viscous_work *w = &s->work;
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	const oz_lists lists = oz_neighbours_lists(&sim->neighbours, reach_of(sim).h);
	OZ_LAUNCH(sim->device, viscous_gather, p->count, .position = p->position,
	          .material = p->material, .matter = sim->matter,
	          .slot = OZ_OPTIONAL(sim->slots->slot),
	          .shapeless = OZ_OPTIONAL(sim->slots->shapeless), .spot = w->spot,
	          .slots = sim->slots->count);
	OZ_LAUNCH_PAIRS(sim->device, viscous_fit, p->count, &lists, .spot = w->spot,
	                .wall = p->wall, .listed = lists.count,
	                .collider = OZ_OPTIONAL(b->collider), .places = OZ_OPTIONAL(b->sdfs.places),
	                .nearest = OZ_OPTIONAL(b->sdfs.nearest), .material = p->material,
	                .matter = sim->matter, .kept_list = sim->neighbours.kept.list,
	                .kept = sim->neighbours.kept.number,
	                .kept_count = sim->neighbours.kept.count, .reached = w->reached,
	                .fit_a = w->fit_a, .fit_b = w->fit_b, .fit_c = w->fit_c, .hold = w->hold,
	                .moment = w->moment, .rules = rules_of(sim), .reach = reach_of(sim),
	                .dt = sim->time_step);
}

static void find_viscosity(oz_sim *sim, const oz_viscous *s)
{
	const oz_viscous_work *w = &s->work;
	const oz_particles *p = &sim->particles;
	const float *temperature = oz_heat_of(sim)->temperature;
	const bool rates = any_law_needs_rates(sim);
	if (rates) {
		stretch(sim, s, p->velocity);
		add_wall_motion(sim, s);
	}
	OZ_LAUNCH(sim->device, viscous_law, p->count, .row_x = w->row_x, .row_y = w->row_y,
	          .row_z = w->row_z, .velocity = p->velocity, .hold = w->hold, .fit_a = w->fit_a,
	          .fit_b = w->fit_b, .fit_c = w->fit_c, .material = p->material,
	          .matter = sim->matter, .temperature = OZ_OPTIONAL(temperature), .spot = w->spot,
	          .structure = s->structure, .viscosity = w->viscosity, .has_rates = rates,
	          .has_heat = temperature != NULL, .drag = s->drag, .dt = sim->time_step);
}

// finds which particles the dashpots of bodies hold
static void find_contacts(oz_sim *sim, const oz_viscous *s)
{
	const oz_viscous_work *w = &s->work;
	const oz_slots *b = sim->slots;
	const oz_lists lists = reached_lists(sim, s);
	if (!w->side)
		return;
	OZ_LAUNCH(sim->device, viscous_side, sim->particles.count, .spot = w->spot,
	          .viscosity = w->viscosity, .slot = b->slot, .shapeless = b->shapeless,
	          .side = w->side, .slots = b->count);
	OZ_LAUNCH_PAIRS(sim->device, viscous_meet, sim->particles.count, &lists, .side = w->side,
	                .reached = w->reached, .touching = w->touching, .dashpot = w->dashpot,
	                .reach = reach_of(sim));
}

static void guess(oz_sim *sim, const oz_viscous *s, const oz_cg *cg)
{
	const oz_viscous_work *w = &s->work;
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	const float still = STILL * oz_length(sim->def.gravity) * sim->time_step;
	OZ_LAUNCH(sim->device, viscous_guess, p->count, .velocity = p->velocity,
	          .acceleration = p->acceleration, .reached = w->reached,
	          .nozzle = OZ_OPTIONAL(b->nozzle), .viscosity = w->viscosity,
	          .material = p->material, .matter = sim->matter, .drag = s->drag,
	          .delta_v = w->delta_v, .residual = w->residual, .direction = w->direction,
	          .kick = cg->span, .nozzles = b->nozzle ? b->nozzles.count : 0);
	apply_to_velocities(sim, s);
	OZ_LAUNCH(sim->device, viscous_residual, p->count, .image = w->image,
	          .acceleration = p->acceleration, .moment = w->moment, .spring = w->spring,
	          .dashpot = OZ_OPTIONAL(w->dashpot), .delta_v = w->delta_v,
	          .residual = w->residual, .direction = w->direction, .groups = w->sums,
	          .first = oz_cg_first(cg, OZ_CG_NORM), .kick = cg->span,
	          .touched = w->dashpot != NULL, .still2 = still * still);
	oz_cg_join(cg, OZ_CG_NORM);
}

// adds the forces on colliders to their loads
static void add_loads(oz_sim *sim, const oz_viscous *s, float kick)
{
	const oz_viscous_work *w = &s->work;
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	if (!b->load_count)
		return;
	OZ_LAUNCH(sim->device, viscous_result, p->count, .velocity = p->velocity,
	          .delta_v = w->delta_v, .direction = w->direction);
	apply_to_velocities(sim, s);
	OZ_LAUNCH(sim->device, viscous_load, p->count, .row_x = w->row_x, .row_y = w->row_y,
	          .row_z = w->row_z, .spot = w->spot, .hold = w->hold, .direction = w->direction,
	          .collider = b->collider, .places = OZ_OPTIONAL(b->sdfs.places),
	          .nearest = OZ_OPTIONAL(b->sdfs.nearest), .reactions = b->reactions,
	          .rules = rules_of(sim), .kick = kick, .dt = sim->time_step,
	          .quanta = oz_load_quanta(sim));
}

// raises an event when a step is not solved, once until a step is solved again
static void report(oz_sim *sim, oz_viscous *s, bool unsolved, float share)
{
	if (unsolved && !s->unsolved)
		oz_event_raise(sim, OZ_EVENT_NOT_CONVERGED, OZ_NONE, share,
		               "viscosity: %.1g of the residual is left after %u iterations; lower "
		               "time_step or the viscosity",
		               (double)share, ITERATIONS);
	s->unsolved = unsolved;
	sim->report.rounds += s->rounds;
}

static void bind(oz_sim *sim, const oz_viscous *s)
{
	const oz_slots *b = sim->slots;
	if (b->count)
		OZ_LAUNCH(sim->device, viscous_bind, b->count, .bound = s->bound,
		          .particle_of_slot = b->particle_of_slot, .shapeless = b->shapeless,
		          .reached = s->work.reached, .acceleration = sim->particles.acceleration);
}

static void unbind(oz_sim *sim, const oz_viscous *s)
{
	const oz_slots *b = sim->slots;
	if (b->count)
		OZ_LAUNCH(sim->device, viscous_unbind, b->count,
		          .particle_of_slot = b->particle_of_slot, .shapeless = b->shapeless,
		          .reached = s->work.reached, .acceleration = sim->particles.acceleration,
		          .bound = s->bound);
}

// OZ_PASS_MOVED: the accelerations by what binds particles to their bodies
static oz_result find_bound(oz_sim *sim, void *state, oz_error *error)
{
	const oz_viscous *s = state;
	const oz_slots *b = sim->slots;
	if (!s->work.spot || !b->count || !sim->particles.count)
		return OZ_OK;
	OZ_LAUNCH(sim->device, viscous_bound, b->count, .particle_of_slot = b->particle_of_slot,
	          .shapeless = b->shapeless, .acceleration = sim->particles.acceleration,
	          .bound = s->bound);
	return oz_device_check(sim->device, error);
}

static oz_result solve(oz_sim *sim, void *state, oz_error *error)
{
	oz_viscous *s = state;
	const oz_viscous_work *w = &s->work;
	const float kick = oz_kick(sim);
	if (!w->spot || !sim->particles.count)
		return OZ_OK;
	const oz_cg cg = {.device = sim->device,
	                  .count = sim->particles.count,
	                  .span = kick,
	                  .residual = w->residual,
	                  .direction = w->direction,
	                  .image = w->image,
	                  .delta_v = w->delta_v,
	                  .sums = w->sums,
	                  .apply = apply,
	                  .context = sim};
	fit(sim, s);
	find_viscosity(sim, s);
	const oz_result result = oz_models_run(sim, OZ_PASS_STRESS, error);
	if (result != OZ_OK)
		return result;
	find_contacts(sim, s);
	bind(sim, s);
	guess(sim, s, &cg);
	const oz_float4 first = oz_cg_read(&cg, OZ_CG_NORM);
	const float size = fmaxf(first.y, first.z);
	// first.y: a fluid at rest on which walls alone act has no other forces and no speed
	const float rounding = ROUNDING * ROUNDING * (first.w + first.y);
	const float enough = fmaxf(TOLERANCE * TOLERANCE * first.z, rounding);
	float left = first.y;
	s->rounds = oz_cg_solve(&cg, (oz_cg_goal){.enough = enough, .rounds = ITERATIONS}, &left);
	report(sim, s, !(left <= UNSOLVED * enough), size > 0 ? sqrtf(left / size) : 0);
	add_loads(sim, s, kick);
	OZ_LAUNCH(sim->device, viscous_finish, sim->particles.count, .delta_v = w->delta_v,
	          .residual = w->residual, .acceleration = sim->particles.acceleration,
	          .drag = s->drag, .kick = kick);
	unbind(sim, s);
	return oz_device_check(sim->device, error);
}

// the host reads the residuals of the solver
static uint32_t needs_host(const oz_sim *sim, const void *state)
{
	(void)state;
	return oz_viscous_acts(sim) ? OZ_HOST_ALWAYS : 0;
}

static double bytes(const oz_world_def *def, const oz_material_def *m, bool on_gpu)
{
	const double reach = (double)def->support * (1 + (double)def->skin);
	// neighbours that are kept, each with a number; those of the pressure solver are the same
	const double kept = def->pressure == OZ_PRESSURE_INCOMPRESSIBLE
	                            ? 0
	                            : 2 * oz_list_bytes(reach, on_gpu) + sizeof(uint);
	return oz_is_thick(m) ? 14.0 * sizeof(oz_float4) + 3 * sizeof(float) + kept : 0;
}

const oz_model_ops oz_viscous_model = {
        .word = "viscous",
        .model = OZ_ALL_MODELS,
        .state_size = sizeof(oz_viscous),
        .particle_rows = field_rows,
        .particle_row_count = sizeof field_rows / sizeof *field_rows,
        .slot_rows = slot_rows,
        .slot_row_count = sizeof slot_rows / sizeof *slot_rows,
        .needed = needed,
        .matter = fill_matter,
        .refuse.material = check_material,
        .needs_host = needs_host,
        .pass = {[OZ_PASS_RESERVE] = take_work,
                 [OZ_PASS_VISCOUS] = solve,
                 [OZ_PASS_MOVED] = find_bound,
                 [OZ_PASS_DONE] = give_work},
        .bytes = bytes,
};
