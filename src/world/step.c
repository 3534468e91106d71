// step.c: one step of a world, as a list of stages.
//
//   emit        nozzles give out the layers that are due
//   topology    lumps of blended bodies take new reference shapes, split and merge
//   neighbours  sort by cell and list who is near whom, if anyone has moved too far since
//   walls       place the colliders; their share of every particle's density
//   density     how crowded it is, and the pressure of that
//   heat        conduction, hot and cold regions
//   forces      pressure, viscosity, gravity
//   shape       blended bodies are drawn back to their reference shapes
//   elastic     solids resist their deformation; handles hold what they grip
//   move        kick, drift, stop at the walls
//   measure     extremes that set the next time step
//
// Links will take their place between forces and move.
#include <math.h>
#include <string.h>

#include "world/world.h"

oz_result oz_stage_neighbours(oz_world *w, oz_error *error)
{
	// all memory of the step is taken before anything moves: a step that fails can be tried
	// again
	oz_result result = oz_extremes_reserve(w, error);
	if (result == OZ_OK)
		result = oz_blend_reserve(w, error);
	if (result == OZ_OK)
		result = oz_bounds_reserve(w, error);
	if (result != OZ_OK)
		return result;
	const float h = oz_support_radius(w), skin = w->def.skin * h;
	const bool stale = !w->neighbours.valid || w->steering.parted > skin || skin == 0;
	w->report.rebuilt = stale;
	if (!stale)
		return OZ_OK;
	result = oz_neighbours_build(w->device, &w->neighbours, &w->particles, h + skin, error);
	w->steering.parted = 0;
	// also where lists found no memory: particles have been sorted all the same
	oz_blend_sorted(w);
	return result;
}

typedef struct stage {
	oz_stage name;
	oz_result (*run)(oz_world *world, oz_error *error);
} stage;

static const stage stages[] = {
        {OZ_STAGE_EMIT, oz_stage_emit},
        {OZ_STAGE_TOPOLOGY, oz_stage_topology},
        {OZ_STAGE_NEIGHBOURS, oz_stage_neighbours},
        {OZ_STAGE_WALLS, oz_stage_walls},
        {OZ_STAGE_DENSITY, oz_stage_density},
        {OZ_STAGE_HEAT, oz_stage_heat},
        {OZ_STAGE_FORCES, oz_stage_forces},
        {OZ_STAGE_SHAPE, oz_stage_shape},
        {OZ_STAGE_ELASTIC, oz_stage_elastic},
        {OZ_STAGE_MOVE, oz_stage_move},
        {OZ_STAGE_MEASURE, oz_stage_measure},
};

static oz_result run_stages(oz_world *w, oz_error *error)
{
	for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
		const uint64_t begin = oz_clock_ns();
		w->device->stage = stages[k].name;
		const oz_result result = stages[k].run(w, error);
		if (!w->device->queues)
			w->report.stage_ns[stages[k].name] += oz_clock_ns() - begin;
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

static void finish_report(oz_world *w)
{
	const uint32_t n = w->particles.count;
	w->report.step = w->step;
	w->report.time = w->time;
	w->report.time_step = w->time_step;
	w->report.particles = n;
	w->report.lumps = w->blend.lumps;
	w->report.rounds = w->solid.iterations;
	w->report.neighbours = n ? (float)((double)w->neighbours.entries / n) : 0;
}

oz_result oz_step_launch(oz_world *w, double until, oz_error *error)
{
	memset(&w->report, 0, sizeof w->report);
	// what is solid and how stiff, which the time step depends on
	if (w->solid.capacity) {
		const oz_result ready = oz_topology_take(w, error);
		if (ready != OZ_OK)
			return ready;
	}
	const float dt = oz_choose_time_step(w, &w->report.limit);
	const double left = until - w->time;
	// what is left is parted evenly, so that no step is a sliver
	const double steps = ceil(left / (double)dt * (1 - 1e-6));
	w->time_step = steps < 3 ? (float)(left / steps) : dt;
	const oz_result result = run_stages(w, error);
	oz_arena_reset(&w->heap, &w->arena);
	if (result != OZ_OK)
		return result;
	w->time = steps <= 1 ? until : w->time + (double)w->time_step;
	w->step++;
	w->steering.last_time_step = w->time_step;
	finish_report(w);
	return OZ_OK;
}
