// world.h: what a world holds.
#ifndef OZ_WORLD_H
#define OZ_WORLD_H

#include "boundary/boundary.h"
#include "contact/contact.h"
#include "contact/slots.h"
#include "models/model.h"
#include "particles/sim.h"
#include "pressure/pressure.h"

// where the extremes of a step are found, on the device
typedef struct oz_measuring {
	struct oz_extremes *extremes; // records of groups of particles
	struct oz_measured *measured; // what came of each step that runs ahead
	uint32_t capacity;            // records
	uint32_t ahead;               // steps under way that the host has not looked at
	float halt_at;                // m, `max_separation` at which the device stops by itself
	bool squeezed;                // compression was too high in the last step and has been told
	bool unstable;                // the fixed time step is too long, and that has been told
} oz_measuring;

// what is made for the user to look at, on the device
typedef struct oz_shown {
	uint *phase;
	float *temperature; // where there is no heat
	uint32_t phase_capacity, temperature_capacity;
} oz_shown;

struct oz_world {
	oz_heap heap;
	oz_arena arena; // temporaries of a step
	oz_sim sim;     // all that models may touch; what it points to stands here
	oz_slots slots;
	oz_contact contact;
	oz_model_list models;
	oz_boundary boundary;
	const oz_pressure_ops *pressure;
	oz_measuring measuring;
	uint *inside;             // device, particles of each body inside the bounds
	uint32_t inside_capacity; // bodies
	oz_shown shown;
};

// bodies.c: adds particles at the end; points and velocities are in world space and new
oz_result oz_particles_add(oz_world *world, oz_addition *addition, oz_error *error);

// emit.c: gives out the layers that are due
oz_result oz_emit(oz_world *world, oz_error *error);

// topology.c: melting, freezing and new rest shapes
bool oz_topology_is_due(const oz_world *world);
oz_result oz_topology_update(oz_world *world, oz_error *error);

// prepare.c: the host's act of a step: emission, topology, memory
oz_result oz_prepare(oz_world *world, oz_error *error);
oz_list_maker oz_list_maker_of(oz_world *world);

// step.c: gives the device all of a step, up to a time that it does not pass
oz_result oz_step_launch(oz_world *world, double until, oz_error *error);

// time_step.c
float oz_choose_time_step(oz_world *world, oz_limit *limit);

// measure.c
void oz_extremes_free(oz_world *world);
oz_result oz_extremes_reserve(oz_world *world, oz_error *error);
void oz_measure(oz_world *world);
// Before several steps are launched, and after: gives how many of them the device took, and fills
// their reports.
void oz_measure_begin(oz_world *world);
uint32_t oz_measure_end(oz_world *world, uint32_t steps, oz_step_report *reports);

// bounds.c: takes the memory that counting needs; tells of bodies that have left
void oz_bounds_free(oz_world *world);
oz_result oz_bounds_reserve(oz_world *world, oz_error *error);
bool oz_bounds_are_due(const oz_world *world, uint64_t step);
void oz_bounds_raise_events(oz_world *world);

// query.c: frees the buffers that oz_world_view filled
void oz_shown_free(oz_world *world);

#endif
