// incompressible.c: pressures that keep the volume (incompressible.cl); host code.
#include <math.h>

#include "boundary/boundary.h"
#include "contact/contact.h"
#include "contact/slots.h"
#include "math/vec.h"
#include "pressure/pressure.h"

#include "pressure/incompressible.cl"
#include "pressure/incompressible_contact.cl"
#include "pressure/incompressible_rounds.cl"
#include "pressure/incompressible_shift.cl"

#define SPEED_SHARE 0.4f  // spacings that the fastest particle under pressure moves in a step
#define FREE_SHARE  0.5f  // the same for all particles: where none presses, none is compressed
#define FALL_SHARE  0.1f  // longest time step over √(spacing/gravity)
#define PRESS_SHARE 0.6f  // spacings that √(P/ρ0) crosses in a step
#define SHIFT_SHARE 0.2f  // spacings that a particle is shifted in a step, at most
#define GROWTH      1.25f // of the time step from one step to the next, at most
#define FIRST       0.1f  // first time step, over the time in which compression is undone

#define GAP_TIME 0.05f // s, in which small gaps close (incompressible_shift.cl)

#define IMPACT 5.0f // speed of sound over the largest speed, for the pressure of an impact

// ---- memory ------------------------------------------------------------------------------------

static uint32_t groups_of(uint32_t items)
{
	return (items - 1) / OZ_GROUP + 1;
}

// whether velocities and densities are solved for apart (incompressible_shift.cl)
static bool parts(const oz_sim *sim)
{
	return sim->def.divergence_error > 0;
}

// records of sums: those of all levels of the reduction
static uint32_t sums_of(uint32_t particles)
{
	const uint32_t groups = particles / OZ_GROUP + 1;
	return groups + groups / OZ_GROUP + 4;
}

static void give(oz_sim *sim)
{
	oz_press_work *w = &sim->pressure->work;
	const void *taken[] = {w->start,    w->change, w->normal,       w->guess,  w->trial,
	                       w->press,    w->before, w->error_before, w->error,  w->source,
	                       w->diagonal, w->bound,  w->slack,        w->excess, w->sums,
	                       w->most,     w->round,  w->rest};
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	*w = (oz_press_work){0};
}

static oz_result reserve(oz_sim *sim, oz_error *error)
{
	oz_press_work *w = &sim->pressure->work;
	oz_scratch *s = &sim->scratch;
	const uint32_t n = sim->particles.capacity;
	float **numbers[] = {&w->start, &w->change, &w->before,   &w->error_before,
	                     &w->error, &w->source, &w->diagonal, &w->bound,
	                     &w->slack, &w->excess, &w->most};
	oz_float4 **records[] = {&w->guess, &w->trial, &w->press, &w->normal};
	bool all = (w->sums = OZ_TAKE(s, press_sums, "sums of pressure", sums_of(n)));
	all = (w->round = OZ_TAKE(s, press_round, "round of pressure", 1)) && all;
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
		all = (*numbers[k] = OZ_TAKE(s, float, "pressure", n)) && all;
	for (size_t k = 0; k < sizeof records / sizeof *records; k++)
		all = (*records[k] = OZ_TAKE(s, oz_float4, "pressure", n)) && all;
	if (parts(sim))
		all = (w->rest = OZ_TAKE(s, float, "pressure", n)) && all;
	if (all)
		return OZ_OK;
	give(sim);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the pressure of %u particles; use a larger spacing",
	               sim->particles.count);
}

// ---- launches ----------------------------------------------------------------------------------

// what the sums are for
typedef enum sums_use {
	SUMS_READ,  // read by the host
	SUMS_BEGIN, // those of the guess, which begin the iteration
	SUMS_ROUND  // those of a round
} sums_use;

// joins the sums of groups, level by level, to one record; returns its index
static uint32_t join_sums(const oz_sim *sim, sums_use use)
{
	const oz_press_work *w = &sim->pressure->work;
	uint32_t at = 0, groups = groups_of(sim->particles.count), next;
	do {
		next = groups_of(groups);
		OZ_LAUNCH(sim->device, press_total, groups, .in = w->sums, .groups = w->sums,
		          .round = w->round, .go = sim->device->go, .from = at,
		          .first = at + groups, .chooses = next == 1 && use != SUMS_READ,
		          .begins = use == SUMS_BEGIN, .halts = sim->device->queues,
		          .jacobi = sim->def.solver == OZ_SOLVER_JACOBI,
		          .most_rounds = sim->def.max_rounds, .tolerance = w->enough);
		at += groups;
		groups = next;
	} while (groups > 1);
	return at;
}

// wave2 and speed2 of the last step, which limit the next one, low and high
static press_sums extremes(const oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	press_sums sums = {0};
	if (p->count == 0)
		return sums;
	OZ_LAUNCH(sim->device, press_wave, p->count, .position = p->position,
	          .velocity = p->velocity, .material = p->material, .matter = sim->matter,
	          .groups = sim->pressure->work.sums, .first = 0, .gravity_x = sim->def.gravity.x,
	          .gravity_y = sim->def.gravity.y, .gravity_z = sim->def.gravity.z);
	const uint32_t at = join_sums(sim, SUMS_READ);
	sim->device->ops->read(sim->device, &sums, sim->pressure->work.sums, sizeof sums * at,
	                       sizeof sums);
	return sums;
}

#define DEEP 2.0f // largest pressure over that of the depth of the whole world

// m²/s², DEEP g H; H is the height of all particles
static float column2(const oz_sim *sim)
{
	if (!(oz_length(sim->def.gravity) > 0))
		return 0;
	const press_sums all = extremes(sim);
	return DEEP * fmaxf(all.low + all.high, 0);
}

// the function `begin` of the table: densities, their errors and the bounds of P
static oz_result write_errors(oz_sim *sim, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const oz_slots *s = sim->slots;
	const oz_press_work *w = &sim->pressure->work;
	const float speed = fminf(sim->last_step.max_speed, 1e6f);
	(void)error;
	OZ_LAUNCH(sim->device, press_constrain, p->count, .delta = p->delta, .wall = p->wall,
	          .slot = OZ_OPTIONAL(s->slot), .contact_delta = OZ_OPTIONAL(s->contact_delta),
	          .own_alpha = OZ_OPTIONAL(s->own_alpha), .tag = OZ_OPTIONAL(s->tag),
	          .material = p->material, .matter = sim->matter,
	          .contact_key = OZ_OPTIONAL(sim->contact->contact_key), .position = p->position,
	          .density = p->density, .deficit = p->deficit, .fresh = sim->pressure->fresh,
	          .keep = oz_overlap_kept(sim, 1), .fade = oz_overlap_kept(sim, 10),
	          .excess = w->excess, .bound = w->bound, .most = w->most, .slack = w->slack,
	          .fluid = sim->fluid, .slots = s->count,
	          .impact2 = (IMPACT * speed) * (IMPACT * speed), .column2 = column2(sim),
	          .dt = sim->time_step);
	if (parts(sim))
		OZ_LAUNCH(sim->device, press_part, p->count, .slot = OZ_OPTIONAL(s->slot),
		          .excess = w->excess, .slack = w->slack, .rest = w->rest,
		          .slots = s->count, .closed = fminf(sim->time_step / GAP_TIME, 1));
	return OZ_OK;
}

// the first guess, and the errors by moving walls
static void begin_solution(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_press_work *w = &sim->pressure->work;
	const oz_boundary *b = sim->boundary;
	const oz_wall_rules rules = oz_wall_rules_of(b, sim);
	OZ_LAUNCH(sim->device, press_begin, p->count, .position = p->position,
	          .velocity = p->velocity, .acceleration = p->acceleration, .material = p->material,
	          .matter = sim->matter, .nozzle = OZ_OPTIONAL(b->nozzle), .guess = w->guess,
	          .trial = w->trial, .start = w->start, .change = w->change, .before = w->before,
	          .nozzles = b->nozzle ? b->nozzles.count : 0, .kick = oz_kick(sim));
	if (rules.motion > 0)
		OZ_LAUNCH(sim->device, press_wall_motion, p->count, .position = p->position,
		          .wall = p->wall, .nozzle = OZ_OPTIONAL(b->nozzle),
		          .collider = b->collider, .table = b->wall_table,
		          .places = OZ_OPTIONAL(b->sdfs.places),
		          .nearest = OZ_OPTIONAL(b->sdfs.nearest),
		          .wall_nodes = OZ_OPTIONAL(b->sdfs.wall_nodes), .excess = w->excess,
		          .rules = rules, .nozzles = b->nozzle ? b->nozzles.count : 0);
}

// s², Δt k of incompressible.cl
static float span_of(const oz_sim *sim)
{
	return sim->time_step * oz_kick(sim);
}

#define LEAST 0.02f // of the diagonal of a particle with one neighbour at a distance of one spacing

// 1/Pa, the diagonal below which a particle gets no pressure (press_source), for the heaviest
// material
static float least_of(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	float density = 0;
	for (uint32_t k = 0; k < sim->matters.count; k++)
		density = fmaxf(density, m[k].density);
	return LEAST * span_of(sim) / (density * sim->def.spacing * sim->def.spacing);
}

// the errors of the guess, without a change of P, and the diagonal of the matrix
static void find_source(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	const oz_press_work *w = &sim->pressure->work;
	const oz_lists plain = oz_contact_lists(sim, c->plain),
	               touching = oz_contact_lists(sim, c->touching);
	if (oz_contact_leaves_plain(sim))
		OZ_LAUNCH_PAIRS(sim->device, press_source, p->count, &plain, .trial = w->trial,
		                .guess = w->guess, .wall = p->wall, .plain = OZ_OPTIONAL(c->plain),
		                .excess = w->excess, .kept_list = sim->neighbours.kept.list,
		                .kept = sim->neighbours.kept.number,
		                .kept_count = sim->neighbours.kept.count, .source = w->source,
		                .diagonal = w->diagonal, .normal = w->normal, .fluid = sim->fluid,
		                .plain_only = c->plain != NULL, .dt = sim->time_step,
		                .span = span_of(sim), .least = least_of(sim));
	if (sim->slots->count)
		OZ_LAUNCH_PAIRS(sim->device, contact_source, p->count, &touching, .trial = w->trial,
		                .guess = w->guess, .contact_key = c->contact_key, .wall = p->wall,
		                .plain = OZ_OPTIONAL(c->plain), .excess = w->excess,
		                .source = w->source, .diagonal = w->diagonal, .fluid = sim->fluid,
		                .solid = sim->solid, .reach = oz_contact_reach(sim),
		                .has_plain = c->plain != NULL, .dt = sim->time_step,
		                .span = span_of(sim), .least = least_of(sim));
	sim->pressure->add_diagonal(sim, w->guess, span_of(sim), least_of(sim), w->diagonal);
	sim->pressure->add_rate(sim, w->guess, sim->time_step, w->source);
}

// the accelerations by the trial, `press`; those of rigid bodies as whole bodies
static void accelerate(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	const oz_press_work *w = &sim->pressure->work;
	const oz_lists kept = oz_kept_lists(&sim->neighbours),
	               touching = oz_contact_lists(sim, c->touching);
	if (oz_contact_leaves_plain(sim))
		OZ_LAUNCH_PAIRS(sim->device, press_accelerate, p->count, &kept, .trial = w->trial,
		                .normal = w->normal, .plain = OZ_OPTIONAL(c->plain),
		                .kept = sim->neighbours.kept.number, .press = w->press,
		                .fluid = sim->fluid, .plain_only = c->plain != NULL);
	if (sim->slots->count)
		OZ_LAUNCH_PAIRS(sim->device, contact_accelerate, p->count, &touching,
		                .trial = w->trial, .guess = w->guess, .contact_key = c->contact_key,
		                .wall = p->wall, .plain = OZ_OPTIONAL(c->plain), .press = w->press,
		                .fluid = sim->fluid, .solid = sim->solid,
		                .reach = oz_contact_reach(sim), .has_plain = c->plain != NULL);
	sim->pressure->push(sim, w->trial, w->press);
	if (!w->shifts)
		sim->pressure->project(sim, w->press);
	else if (sim->slots->count)
		OZ_LAUNCH(sim->device, press_still, sim->slots->count,
		          .particle_of_slot = sim->slots->particle_of_slot, .press = w->press);
	if (sim->slots->count)
		OZ_LAUNCH(sim->device, press_moment, p->count, .trial = w->trial,
		          .press = w->press);
}

// the errors after the step with these accelerations
static void predict(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	const oz_press_work *w = &sim->pressure->work;
	const oz_lists kept = oz_kept_lists(&sim->neighbours),
	               touching = oz_contact_lists(sim, c->touching);
	if (oz_contact_leaves_plain(sim))
		OZ_LAUNCH_PAIRS(sim->device, press_predict, p->count, &kept, .trial = w->trial,
		                .press = w->press, .normal = w->normal,
		                .plain = OZ_OPTIONAL(c->plain), .source = w->source,
		                .kept = sim->neighbours.kept.number, .error = w->error,
		                .fluid = sim->fluid, .plain_only = c->plain != NULL,
		                .span = span_of(sim));
	if (sim->slots->count)
		OZ_LAUNCH_PAIRS(sim->device, contact_predict, p->count, &touching,
		                .trial = w->trial, .press = w->press, .contact_key = c->contact_key,
		                .wall = p->wall, .plain = OZ_OPTIONAL(c->plain),
		                .source = w->source, .error = w->error, .fluid = sim->fluid,
		                .solid = sim->solid, .reach = oz_contact_reach(sim),
		                .has_plain = c->plain != NULL, .span = span_of(sim));
	sim->pressure->add_rate(sim, w->press, span_of(sim), w->error);
}

// The mean error that is small enough. An error e of the density is an error e × depth/Δt of the
// velocity: the shorter the step, the smaller the error must be.
static float tolerance(const oz_sim *sim, float error)
{
	return error * press_release_share(&sim->fluid, sim->time_step);
}

// the sums over all particles for the errors of a trial; then the length of the next step
static void measure(oz_sim *sim, const float *error, sums_use use)
{
	const oz_particles *p = &sim->particles;
	const oz_press_work *w = &sim->pressure->work;
	OZ_LAUNCH(sim->device, press_measure, p->count, .start = w->start, .change = w->change,
	          .before = w->before, .error = error, .error_before = w->error_before,
	          .source = w->source, .diagonal = w->diagonal, .bound = w->bound, .most = w->most,
	          .slack = w->slack, .groups = w->sums, .first = 0,
	          .slot = OZ_OPTIONAL(sim->slots->slot), .slots = sim->slots->count);
	join_sums(sim, use);
}

// the next trial
static void update(oz_sim *sim, const float *error)
{
	const oz_particles *p = &sim->particles;
	const oz_press_work *w = &sim->pressure->work;
	OZ_LAUNCH(sim->device, press_update, p->count, .start = w->start, .change = w->change,
	          .error = error, .diagonal = w->diagonal, .bound = w->bound, .most = w->most,
	          .slack = w->slack, .round = w->round, .trial = w->trial, .before = w->before,
	          .error_before = w->error_before);
}

// ---- the solver --------------------------------------------------------------------------------

#define UNSOLVED 10.0f // times what is small enough: raises an event

// what a solution has come to
typedef struct outcome {
	uint32_t rounds;
	float mean, ratio; // of the errors, see press_error_ratio
	const float *error;
} outcome;

// what helps if a step is not solved; the iteration may end before `max_rounds` (PATIENCE)
static const char *remedy_of(const oz_sim *sim, uint32_t rounds)
{
	const bool fixed = sim->def.time_step > 0;
	if (rounds < sim->def.max_rounds)
		return fixed ? "lower time_step, or separate bodies that overlap"
		             : "lower cfl, or separate bodies that overlap";
	return fixed ? "raise max_rounds or lower time_step" : "raise max_rounds or lower cfl";
}

// adds it to the report; returns whether it is solved, and if not, raises an event
static bool report(oz_sim *sim, const outcome *o)
{
	const bool solved = o->ratio <= UNSOLVED;
	if (!solved && !sim->pressure->unsolved)
		oz_event_raise(sim, OZ_EVENT_NOT_CONVERGED, OZ_NONE, o->mean,
		               "pressure: the mean error of the density is %.2g after %u rounds, "
		               "not %.2g; %s",
		               (double)o->mean, o->rounds, (double)sim->pressure->work.enough,
		               remedy_of(sim, o->rounds));
	sim->report.pressure_rounds += o->rounds;
	sim->report.density_error = o->mean;
	return solved;
}

#define ROUNDS_AHEAD 4u  // rounds that a device with a queue gets before the host reads the record
#define MOST_AHEAD   32u // the same in the beginning

// Rounds that are queued in the beginning: two less than those of the last step.
static uint32_t first_rounds(uint32_t last)
{
	const uint32_t most = last < MOST_AHEAD ? last : MOST_AHEAD;
	return most > ROUNDS_AHEAD + 2 ? most - 2 : ROUNDS_AHEAD;
}

// one round
static void take_round(oz_sim *sim, const float *error)
{
	update(sim, error);
	accelerate(sim);
	predict(sim);
	measure(sim, sim->pressure->work.error, SUMS_ROUND);
}

static press_round read_round(const oz_sim *sim)
{
	oz_device *d = sim->device;
	press_round r;
	d->ops->read(d, &r, sim->pressure->work.round, 0, sizeof r);
	return r;
}

// Takes rounds until the solution is found, or more are of no use. The errors of the guess are
// measured already. A device with a queue gets about as many rounds as the last step took, then
// ROUNDS_AHEAD at a time; those behind the last one do nothing.
static press_round take_rounds(oz_sim *sim)
{
	oz_device *d = sim->device;
	const oz_press_work *w = &sim->pressure->work;
	// what models do in a round may need the host
	const bool ahead = d->queues && sim->slots->count == 0;
	uint32_t queue = ahead ? first_rounds(sim->pressure->rounds) : 0;
	const float *error = w->source;
	const uint one = 1;
	press_round r;
	for (;;) {
		for (uint32_t k = 0; k < queue; k++) {
			take_round(sim, error);
			error = w->error;
		}
		r = read_round(sim);
		if (!(r.runs > 0))
			break;
		queue = ahead ? ROUNDS_AHEAD : 1;
	}
	if (d->queues)
		d->ops->write(d, d->go, 0, &one, sizeof one);
	sim->pressure->rounds = (uint32_t)r.rounds;
	return r;
}

// Iterates until the mean error is `enough`, and computes the accelerations.
static outcome iterate(oz_sim *sim, float enough)
{
	oz_press_work *w = &sim->pressure->work;
	w->enough = enough;
	measure(sim, w->source, SUMS_BEGIN);
	const press_round r = take_rounds(sim);
	outcome o = {.rounds = (uint32_t)r.rounds,
	             .mean = r.sums.active > 0 ? r.sums.residual / r.sums.active : 0,
	             .ratio = r.ratio,
	             .error = r.rounds > 0 ? w->error : w->source};
	if (r.rounds > 0 && r.shorten < 1) {
		update(sim, w->error);
		accelerate(sim);
		o.error = w->error_before; // of the shorter step
	}
	return o;
}

// keeps the angular momentum of fluid that is moved apart
static void turn(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	const oz_press_work *w = &sim->pressure->work;
	const oz_lists kept = oz_kept_lists(&sim->neighbours),
	               touching = oz_contact_lists(sim, c->touching);
	if (oz_contact_leaves_plain(sim))
		OZ_LAUNCH_PAIRS(sim->device, press_turn, p->count, &kept, .trial = w->trial,
		                .guess = w->guess, .plain = OZ_OPTIONAL(c->plain),
		                .kept = sim->neighbours.kept.number,
		                .acceleration = p->acceleration, .volume = sim->fluid.volume,
		                .plain_only = c->plain != NULL, .dt = sim->time_step);
	if (sim->slots->count)
		OZ_LAUNCH_PAIRS(sim->device, contact_turn, p->count, &touching, .trial = w->trial,
		                .guess = w->guess, .contact_key = c->contact_key,
		                .plain = OZ_OPTIONAL(c->plain), .acceleration = p->acceleration,
		                .fluid = sim->fluid, .has_plain = c->plain != NULL,
		                .dt = sim->time_step);
}

// Moves fluid apart that is compressed after the first solution, whose outcome is `o`. Returns
// whether this is solved.
static bool shift(oz_sim *sim, const outcome *o)
{
	const oz_particles *p = &sim->particles;
	oz_press_work *w = &sim->pressure->work;
	OZ_LAUNCH(sim->device, press_split, p->count, .position = p->position, .error = o->error,
	          .rest = w->rest, .press = w->press, .guess = w->guess, .trial = w->trial,
	          .start = w->start, .change = w->change, .before = w->before, .source = w->source,
	          .bound = w->bound, .most = w->most, .slack = w->slack,
	          .kick = o->rounds ? oz_kick(sim) : 0);
	w->shifts = true;
	const outcome apart = iterate(sim, tolerance(sim, sim->def.density_error));
	w->shifts = false;
	if (apart.rounds) {
		turn(sim);
		OZ_LAUNCH(sim->device, press_shift, p->count, .press = w->press,
		          .position = p->position, .wall_clearance = p->wall_clearance,
		          .span = span_of(sim), .longest = SHIFT_SHARE * sim->def.spacing);
	}
	return report(sim, &apart);
}

static oz_result solve(oz_sim *sim, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const oz_press_work *w = &sim->pressure->work;
	const float goal = parts(sim) ? sim->def.divergence_error : sim->def.density_error;
	if (p->count == 0)
		return OZ_OK;
	begin_solution(sim);
	sim->pressure->fix(sim, w->guess);
	find_source(sim);
	const outcome solved = iterate(sim, tolerance(sim, goal));
	OZ_LAUNCH(sim->device, press_finish, p->count, .change = w->change, .press = w->press,
	          .position = p->position, .acceleration = p->acceleration, .pressure = p->pressure,
	          .inv_stress = 1 / sim->fluid.stress, .rounds = solved.rounds > 0);
	bool all = report(sim, &solved);
	if (parts(sim)) {
		sim->report.divergence_rounds = solved.rounds;
		sim->report.divergence_error = solved.mean;
		all = shift(sim, &solved) && all;
	}
	sim->pressure->unsolved = !all;
	return oz_device_check(sim->device, error);
}

// s, the longest time step after the last one. A world begins with short steps, in which its
// pressures are found; later the time step may grow by GROWTH from step to step, since pressures
// may be low for a moment.
static float longest_after(const oz_sim *sim)
{
	const float last = sim->last_step.time_step;
	if (sim->def.time_step > 0)
		return INFINITY;
	return last > 0 ? GROWTH * last
	                : FIRST * OZ_RELEASE_WIDTH * sim->fluid.h / sim->def.sound_speed;
}

// Pressure holds particles in their places like springs, whose force is explicit: with P constant
// their frequency is about √(P/ρ0)/spacing. In columns of water of 10 to 40 layers particles began
// to jump at a share (PRESS_SHARE) of 0.9.
static float limit(const oz_sim *sim, float speed, oz_limit *rule)
{
	const float s = sim->def.spacing, g = oz_length(sim->def.gravity);
	const press_sums last = extremes(sim);
	const float wave = sqrtf(last.wave2), pressed = sqrtf(last.speed2);
	const float flies = speed > 0 ? FREE_SHARE * s / speed : INFINITY;
	const float moves = fminf(pressed > 0 ? SPEED_SHARE * s / pressed : INFINITY, flies);
	const float falls = g > 0 ? FALL_SHARE * sqrtf(s / g) : INFINITY;
	const float springs = fminf(falls, wave > 0 ? PRESS_SHARE * s / wave : INFINITY);
	const float by_press = fminf(sim->def.cfl * springs, longest_after(sim));
	const float by_speed = sim->def.cfl * moves;
	*rule = by_press < by_speed ? OZ_LIMIT_FORCE : OZ_LIMIT_SPEED;
	return fminf(by_press, by_speed);
}

const oz_pressure_ops oz_pressure_incompressible = {.word = "incompressible",
                                                    .implicit = true,
                                                    .reserve = reserve,
                                                    .begin = write_errors,
                                                    .solve = solve,
                                                    .done = give,
                                                    .limit = limit};
