// step.c: one step of a world, in three parts.
//
// Prepare, on the host (prepare.c):
//   emit        adds the layers of emitters that are due
//   topology    particles melt and freeze; components get new rest shapes, split and merge; memory
//
// Choose the time step (time_step.c).
//
// Passes, on the device:
//   neighbours  sorts particles by cell and makes neighbour lists, if particles have moved too far
//   walls       poses of colliders; λ, its gradient and the wall clearance of every particle
//   density     δ; pressure by an equation of state
//   heat        conduction, hot and cold regions
//   forces      pressure, viscosity, gravity; contact
//   shape       shape matching of blends
//   links       links of viscoelastic fluids are made, break and pull
//   viscous     viscous stress of thick fluids
//   elastic     elastic forces, handles, the implicit solver
//   pressure    rigid bodies; pressures that keep the volume, if the world is incompressible
//   move        kick, drift, stop at walls
//   measure     extremes, which choose the next time step
#include <math.h>
#include <string.h>

#include "world/world.h"

#include "boundary/move.cl"

static oz_result find_neighbours(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	if (!s->report.rebuilt)
		return OZ_OK;
	const oz_list_maker maker = oz_list_maker_of(w);
	oz_result result = oz_neighbours_build(&maker, &s->neighbours, error);
	if (result == OZ_OK && oz_keeps_neighbours(w))
		result = oz_neighbours_reserve_kept(s->device, &s->neighbours,
		                                    s->particles.capacity, error);
	s->last_step.max_separation = 0;
	// also if the lists failed: particles were sorted before
	oz_slots_update_particles(s);
	s->contact->keys_valid = false;
	return result;
}

static oz_result find_wall_lambda(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	const oz_result result = oz_particles_take_scratch(&s->scratch, &s->particles, error);
	return result == OZ_OK ? oz_walls_find_lambda(&w->boundary, s, error) : result;
}

static oz_result find_pressure(oz_world *w, oz_error *error)
{
	oz_density_compute(&w->sim);
	const oz_result result = oz_models_run(&w->sim, OZ_PASS_DENSITY, error);
	return result == OZ_OK ? w->pressure->begin(&w->sim, error) : result;
}

static oz_result conduct_heat(oz_world *w, oz_error *error)
{
	return oz_models_run(&w->sim, OZ_PASS_HEAT, error);
}

static oz_result add_forces(oz_world *w, oz_error *error)
{
	const oz_result result = oz_contact_forces(&w->sim, error);
	return result == OZ_OK ? oz_models_run(&w->sim, OZ_PASS_FORCES, error) : result;
}

static oz_result match_shapes(oz_world *w, oz_error *error)
{
	return oz_models_run(&w->sim, OZ_PASS_SHAPE, error);
}

static oz_result pull_links(oz_world *w, oz_error *error)
{
	return oz_models_run(&w->sim, OZ_PASS_LINKS, error);
}

static oz_result resist_shear(oz_world *w, oz_error *error)
{
	return oz_models_run(&w->sim, OZ_PASS_VISCOUS, error);
}

static oz_result resist_strain(oz_world *w, oz_error *error)
{
	return oz_models_run(&w->sim, OZ_PASS_ELASTIC, error);
}

// rigid bodies; then an implicit solver corrects pressures and accelerations
static oz_result correct_pressure(oz_world *w, oz_error *error)
{
	oz_result result = oz_models_run(&w->sim, OZ_PASS_RIGID, error);
	if (result == OZ_OK && w->pressure->solve)
		result = w->pressure->solve(&w->sim, error);
	return result == OZ_OK ? oz_models_run(&w->sim, OZ_PASS_PRESSED, error) : result;
}

static oz_result move(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	oz_particles *p = &s->particles;
	oz_boundary *b = &w->boundary;
	OZ_LAUNCH(s->device, move, p->count, .collider = OZ_OPTIONAL(b->collider), .wall = p->wall,
	          .wall_clearance = p->wall_clearance, .nozzle = OZ_OPTIONAL(b->nozzle),
	          .material = p->material, .matter = s->matter, .position = p->position,
	          .velocity = p->velocity, .acceleration = p->acceleration, .table = b->wall_table,
	          .places = OZ_OPTIONAL(b->sdfs.places), .nearest = OZ_OPTIONAL(b->sdfs.nearest),
	          .wall_nodes = OZ_OPTIONAL(b->sdfs.wall_nodes),
	          .reactions = OZ_OPTIONAL(b->reactions), .quanta = oz_load_quanta(s),
	          .guide = OZ_OPTIONAL(b->guide), .guides = b->nozzles.count,
	          .gravity = s->def.gravity, .rules = oz_wall_rules_of(b, s), .kick = oz_kick(s),
	          .dt = s->time_step, .never = OZ_NEVER_MELTS);
	return oz_models_run(s, OZ_PASS_MOVED, error);
}

static oz_result measure(oz_world *w, oz_error *error)
{
	(void)error;
	oz_measure(w);
	return OZ_OK;
}

typedef struct pass {
	oz_stage name;
	oz_result (*run)(oz_world *world, oz_error *error);
} pass;

static const pass passes[] = {
        {OZ_STAGE_NEIGHBOURS, find_neighbours},
        {OZ_STAGE_WALLS, find_wall_lambda},
        {OZ_STAGE_DENSITY, find_pressure},
        {OZ_STAGE_HEAT, conduct_heat},
        {OZ_STAGE_FORCES, add_forces},
        {OZ_STAGE_SHAPE, match_shapes},
        {OZ_STAGE_LINKS, pull_links},
        {OZ_STAGE_VISCOUS, resist_shear},
        {OZ_STAGE_ELASTIC, resist_strain},
        {OZ_STAGE_PRESSURE, correct_pressure},
        {OZ_STAGE_MOVE, move},
        {OZ_STAGE_MEASURE, measure},
};

static oz_result run_passes(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	for (size_t k = 0; k < sizeof passes / sizeof *passes; k++) {
		const uint64_t begin = oz_clock_ns();
		oz_device_begin_stage(s->device, passes[k].name, oz_stage_name(passes[k].name));
		const oz_result result = passes[k].run(w, error);
		if (!s->device->queues)
			s->report.stage_ns[passes[k].name] += oz_clock_ns() - begin;
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

// Sets the time step to the chosen one, or less: with fewer than three steps left up to `until`,
// the rest is divided evenly, so that the last step is not tiny. *last: this step ends at `until`.
static void set_time_step(oz_world *w, double until, bool *last)
{
	oz_sim *s = &w->sim;
	const float dt = oz_choose_time_step(w, &s->report);
	const double left = until - s->time;
	const double steps = ceil(left / (double)dt * (1 - 1e-6));
	s->time_step = steps < 3 ? (float)(left / steps) : dt;
	*last = steps <= 1;
}

// gives the scratch of the step back, also after a failure
static void end_scratch(oz_world *w)
{
	oz_models_run(&w->sim, OZ_PASS_DONE, NULL);
	if (w->pressure->done)
		w->pressure->done(&w->sim);
	oz_particles_give_scratch(&w->sim.scratch, &w->sim.particles);
	w->sim.device->stage_name = NULL;
	oz_arena_reset(&w->heap, &w->arena);
}

// advances time and step number, fills the report
static void finish(oz_world *w, double time)
{
	oz_sim *s = &w->sim;
	const uint32_t n = s->particles.count;
	s->time = time;
	s->step++;
	s->last_step.time_step = s->time_step;
	s->report.step = s->step;
	s->report.time = s->time;
	s->report.time_step = s->time_step;
	s->report.particles = n;
	s->report.components = s->slots->components;
	s->report.neighbours = n ? (float)((double)s->neighbours.entries / n) : 0;
	s->pressure->fresh = false;
}

oz_result oz_step_launch(oz_world *w, double until, oz_error *error)
{
	oz_sim *s = &w->sim;
	bool last = false;
	memset(&s->report, 0, sizeof s->report);
	oz_result result = oz_prepare(w, error);
	if (result == OZ_OK) {
		set_time_step(w, until, &last);
		result = run_passes(w, error);
	}
	end_scratch(w);
	if (result == OZ_OK)
		finish(w, last ? until : s->time + (double)s->time_step);
	return result;
}
