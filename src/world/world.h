// world.h: the struct of a world, and the functions of its step.
#ifndef OZ_WORLD_H
#define OZ_WORLD_H

#include "boundary/boundary.h"
#include "contact/contact.h"
#include "contact/slots.h"
#include "models/model.h"
#include "particles/sim.h"
#include "pressure/pressure.h"

// device buffers and state of the stage `measure`
typedef struct oz_measuring {
	struct oz_extremes *extremes; // one record for each group of particles
	struct oz_measured *measured; // result of each queued step
	uint32_t capacity;            // records
	uint32_t ahead;               // number of the step in its row, see run.c
	float halt_at; // m, `max_separation` above which the device skips the rest of a row
	bool squeezed; // compression was too high in the last step; its event was raised
	bool unstable; // the fixed time step is too long; its event was raised
	float stable;  // s, the longest stable time step of the last step
} oz_measuring;

// device buffers that oz_world_view fills
typedef struct oz_shown {
	uint *phase;
	float *temperature; // in a world without heat
	uint32_t phase_capacity, temperature_capacity;
} oz_shown;

struct oz_world {
	oz_heap heap;
	oz_arena arena; // temporaries of a step
	oz_sim sim;     // all that models may use; its pointers lead to the members below
	oz_slots slots;
	oz_contact contact;
	oz_model_list models;
	oz_boundary boundary;
	const oz_pressure_ops *pressure;
	oz_pressure_state pressure_state;
	oz_measuring measuring;
	uint *inside;             // device, particles of each body inside the bounds
	uint32_t inside_capacity; // bodies
	oz_shown shown;
};

// bodies.c: adds particles behind the last; points and velocities are in world space
oz_result oz_particles_add(oz_world *world, oz_addition *addition, oz_error *error);

// checks the parameters of a material
oz_result oz_material_check(const oz_world *world, const oz_material_def *def, const char *where,
                            oz_error *error);

// emit.c: adds the layers of emitters that are due
oz_result oz_emit(oz_world *world, oz_error *error);

// topology.c: whether the next step may melt, freeze or change rest shapes, so that the host must
// run oz_topology_update first
bool oz_topology_is_due(const oz_world *world);
// melts, freezes, updates rest shapes, and rebuilds their lists if they changed
oz_result oz_topology_update(oz_world *world, oz_error *error);

// prepare.c: the part of a step on the host: emission, topology, memory
oz_result oz_prepare(oz_world *world, oz_error *error);
oz_list_maker oz_list_maker_of(oz_world *world);
// whether a stage solves for pressures or velocities in several rounds
bool oz_keeps_neighbours(const oz_world *world);

// step.c: prepares a step and launches its stages; the step does not pass the time `until`, s
oz_result oz_step_launch(oz_world *world, double until, oz_error *error);

// time_step.c: the time step, s, and the rule that limits it
float oz_choose_time_step(oz_world *world, oz_step_report *report);

// measure.c: memory; oz_measure launches the stage
void oz_extremes_free(oz_world *world);
oz_result oz_extremes_reserve(oz_world *world, oz_error *error);
void oz_measure(oz_world *world);
// Called before and after a row of steps. The latter returns how many steps the device ran, and
// fills their reports.
void oz_measure_begin(oz_world *world);
uint32_t oz_measure_end(oz_world *world, uint32_t steps, oz_step_report *reports);

// bounds.c: memory of the counts; whether a step ends with a check; raises events for bodies that
// have left the bounds
void oz_bounds_free(oz_world *world);
oz_result oz_bounds_reserve(oz_world *world, oz_error *error);
bool oz_bounds_are_due(const oz_world *world, uint64_t step);
void oz_bounds_raise_events(oz_world *world);

// query.c: frees the buffers that oz_world_view filled
void oz_shown_free(oz_world *world);

// energy.c: J, of compression by an equation of state; NAN: out of memory
double oz_compression_energy(const oz_world *world);

#endif
