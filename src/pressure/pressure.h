// pressure.h: density, and the table of functions of a pressure solver.
//
// The density stage writes δ of every particle and the contact density δc of every slot. A
// pressure solver computes P = κ p/δ², which it writes into the w of positions, where forces read
// it. It also writes into contact keys (contact_key.h) the share of P that pairs inside a component
// of a blend use. An explicit solver computes P from the densities before forces. An implicit one
// lets forces use P of the step before, and corrects P and the accelerations after all forces.
#ifndef OZ_PRESSURE_H
#define OZ_PRESSURE_H

#include "particles/sim.h"

typedef struct oz_pressure_ops {
	const char *word; // its name
	bool implicit;    // Δt is not limited by accelerations, and the host reads in every step
	// takes the scratch of a step; NULL: none
	oz_result (*reserve)(oz_sim *sim, oz_error *error);
	// after the density, before forces: explicit solvers compute P here
	oz_result (*begin)(oz_sim *sim, oz_error *error);
	// after all forces: implicit solvers compute P here; NULL: none
	oz_result (*solve)(oz_sim *sim, oz_error *error);
	// gives the scratch back; NULL: none
	void (*done)(oz_sim *sim);
	// longest time step (s), multiplied with `cfl`, for particles that feel pressure; `speed`
	// is the largest (m/s)
	float (*limit)(const oz_sim *sim, float speed, oz_limit *limit);
} oz_pressure_ops;

// scratch of the incompressible solver; see incompressible.cl
typedef struct oz_press_work {
	oz_float4 *guess;             // m/s, velocity with all forces; w: mobility, m³/kg
	oz_float4 *trial;             // position; w: change of P, Pa
	oz_float4 *press;             // m/s², acceleration by that change
	oz_float4 *normal;            // 1/m, gradient of D by the own place; w: mobility
	float *start;                 // Pa, P that forces have used
	float *change;                // of P, as in trial.w
	float *before, *error_before; // change of P and error of the round before
	float *error;                 // predicted D - 1
	float *source;                // of the guess
	float *diagonal;              // of the matrix, 1/Pa
	float *bound;                 // Pa, least P
	float *most;                  // Pa, largest P
	float *slack;                 // fall of δ below 1 that is no stretch
	float *excess; // the error D - 1 at the begin of the step that this step is to remove
	float *rest;   // what is compressed, moved apart without velocity; NULL: not by itself
	struct press_sums *sums;
	struct press_round *round; // one record
	float enough;              // mean error at which the solution is found
	bool shifts;               // the solution moves particles and changes no velocity
} oz_press_work;

typedef struct oz_pressure_state {
	oz_press_work work;
	// set by the world: sets the mobility to 0 where models prescribe the velocity
	void (*fix)(oz_sim *sim, oz_float4 *guess);
	// set by the world: replaces the accelerations of particles of rigid bodies by those of the
	// motion of the whole body
	void (*project)(oz_sim *sim, oz_float4 *acceleration);
	// set by the world: what models add to densities (oz_density_ops)
	void (*add_rate)(oz_sim *sim, const oz_float4 *velocity, float span, float *rate);
	void (*push)(oz_sim *sim, const oz_float4 *trial, oz_float4 *acceleration);
	void (*add_diagonal)(oz_sim *sim, const oz_float4 *guess, float span, float least,
	                     float *diagonal);
	bool fresh;      // set by the world: particles were added since the last whole step
	uint32_t rounds; // of the last step; changes no result
	bool unsolved;   // the last step was not solved; its event was raised
} oz_pressure_state;

extern const oz_pressure_ops oz_pressure_eos, oz_pressure_incompressible;

// The pressure solver of a world.
const oz_pressure_ops *oz_pressure_of(const oz_sim *sim);

// The share of the overlap of particles (pressure_law.h) that a step leaves, if it fades within so
// many overlap times.
float oz_overlap_kept(const oz_sim *sim, float times);

// Computes the density of all particles, with contact (density.c).
void oz_density_compute(oz_sim *sim);

#endif
