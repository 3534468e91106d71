// prepare.c: the part of a step on the host: emission, topology, memory.
//
// All memory of the step is taken before any particle moves, so that a step that fails can be
// repeated. The exception are neighbour lists: their length is known only after the count.
#include "models/viscous/viscous.h"
#include "world/world.h"

oz_list_maker oz_list_maker_of(oz_world *w)
{
	return (oz_list_maker){&w->sim.fields, &w->sim.scratch, &w->sim.particles,
	                       oz_keeps_neighbours(w)};
}

// whether the present lists, or those of the last step, were made without a skin
static bool lists_are_bare(const oz_sim *s)
{
	const float h = oz_support_radius(s);
	return s->neighbours.grid.radius2 == h * h;
}

static bool lists_are_stale(const oz_sim *s)
{
	const float skin = s->def.skin * oz_support_radius(s);
	return !s->neighbours.valid || s->last_step.max_separation > skin || lists_are_bare(s) ||
	       oz_thin_walls_moved(s->boundary, s);
}

// The search radius of the lists of this step. In incompressible worlds steps are often so long
// that lists are stale after one of them. Then a skin makes them longer for nothing, and is left
// out until a step moves particles less far than it reaches.
static float search_radius(const oz_world *w)
{
	const oz_sim *s = &w->sim;
	const float h = oz_support_radius(s), skin = s->def.skin * h;
	const float reach = lists_are_bare(s) ? skin : 2 * skin;
	return w->pressure->implicit && s->last_step.max_separation > reach ? h : h + skin;
}

bool oz_keeps_neighbours(const oz_world *w)
{
	return w->pressure->implicit || oz_viscous_acts(&w->sim);
}

// takes the scratch of the later stages and gives it back at once: the pool keeps the memory
static oz_result reserve_scratch(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	const oz_list_maker maker = oz_list_maker_of(w);
	const float radius = search_radius(w);
	oz_result result = OZ_OK;
	if (s->report.rebuilt && s->particles.count)
		result = oz_neighbours_reserve(&maker, &s->neighbours, radius, error);
	if (result == OZ_OK)
		result = oz_particles_take_scratch(&s->scratch, &s->particles, error);
	if (result == OZ_OK && s->report.rebuilt)
		result = oz_thin_walls_reserve(s->boundary, s, error);
	if (result == OZ_OK)
		result = oz_contact_reserve_scratch(s, error);
	oz_particles_give_scratch(&s->scratch, &s->particles);
	if (result == OZ_OK && s->particles.count && oz_keeps_neighbours(w))
		result = oz_neighbours_reserve_kept(s->device, &s->neighbours,
		                                    s->particles.capacity, error);
	return result;
}

static oz_result reserve(oz_world *w, oz_error *error)
{
	oz_result result = oz_extremes_reserve(w, error);
	if (result == OZ_OK)
		result = oz_bounds_reserve(w, error);
	if (result == OZ_OK)
		result = oz_contact_reserve(&w->sim, error);
	if (result == OZ_OK)
		result = oz_models_run(&w->sim, OZ_PASS_RESERVE, error);
	if (result == OZ_OK && w->pressure->reserve)
		result = w->pressure->reserve(&w->sim, error);
	return result == OZ_OK ? reserve_scratch(w, error) : result;
}

typedef struct act {
	oz_stage name;
	oz_result (*run)(oz_world *world, oz_error *error);
} act;

oz_result oz_prepare(oz_world *w, oz_error *error)
{
	static const act acts[] = {{OZ_STAGE_EMIT, oz_emit},
	                           {OZ_STAGE_TOPOLOGY, oz_topology_update},
	                           {OZ_STAGE_TOPOLOGY, reserve}};
	oz_sim *s = &w->sim;
	const uint64_t first = s->scratch.clock + 1;
	uint64_t last = first;
	for (size_t k = 0; k < sizeof acts / sizeof *acts; k++) {
		const uint64_t begin = oz_clock_ns();
		last = s->scratch.clock + 1;
		oz_device_begin_stage(s->device, acts[k].name, oz_stage_name(acts[k].name));
		s->report.rebuilt = lists_are_stale(s);
		const oz_result result = acts[k].run(w, error);
		if (!s->device->queues)
			s->report.stage_ns[acts[k].name] += oz_clock_ns() - begin;
		if (result != OZ_OK)
			return result;
	}
	// frees the scratch that only topology has used
	oz_scratch_drop_span(&s->scratch, first, last);
	return OZ_OK;
}
