// elastic.h: elastic solids, sheets and rods (Becker, Ihmsen & Teschner 2009).
//
// Slots (contact/slots.h) hold the rest shape and the lists of rest neighbours; their contact keys
// exclude rest neighbours from contact forces. The fields here are those that only elastic bodies
// need, one record for each slot.
#ifndef OZ_ELASTIC_H
#define OZ_ELASTIC_H

#include "boundary/poses.h"
#include "models/elastic/elastic_blocks.h"
#include "models/model.h"
#include "solver/cg.h"

//      type       name   kind    most  first, since
#define OZ_ELASTIC_FIELDS(X)                                                                       \
	X(oz_float4, hold, STATE, OZ_PLACE_MAX, 0,                                                 \
	  4)                                /* m, position in the frame of its handle; */          \
	                                    /* w: id of the handle + 1, 0: not held */             \
	X(oz_float4, set_a, STATE, 2, 0, 4) /* B - 1 xx xy xz yy, see set.cl */                    \
	X(oz_float4, set_b, STATE, 2, 0, 4) /* B - 1 yz zz; z: its liquid share at the */          \
	                                    /* last update of the set */                           \
	X(oz_float4, delta_v, STATE, OZ_SPEED_MAX, 0, 4) /* m/s, change of velocity in the last */ \
	                                                 /* implicit step; w: preconditioner */    \
	X(oz_float4, earlier_delta_v, STATE, OZ_SPEED_MAX, 0,                                      \
	  4) /* m/s, delta_v of the step before */                                                 \
	X(oz_float4, last_g, STATE, OZ_ANY_FLOAT, 0,                                               \
	  12) /* m/s², elastic acceleration in the last implicit step, in its rotation */         \
	X(oz_float4, earlier_g, STATE, OZ_ANY_FLOAT, 0, 12) /* m/s², in the step before */        \
	X(uint, bonds, RESULT, 0, 0, 4)       /* entries of its list; 0: not elastic, or molten */ \
	X(oz_float4, fit_a, RESULT, 0, 0, 4)  /* L xx xy xz yy, see elastic.cl */                  \
	X(oz_float4, fit_b, RESULT, 0, 0, 4)  /* L yz zz, N xx xy */                               \
	X(oz_float4, fit_c, RESULT, 0, 0, 4)  /* N xz yy yz zz */                                  \
	X(oz_float4, stiff, RESULT, 0, 0, 4)  /* μ, λ, κ, Pa; w: OZ_FIRM_… */                 \
	X(float, kappa, RESULT, 0, 0, 12)     /* Pa, κ before its share c, see set.cl */          \
	X(oz_float4, moment, RESULT, 0, 0, 4) /* s, 1/m, see elastic_fit.cl; w: volume over */     \
	                                      /* mass, m³/kg */                                   \
	X(oz_float4, hourglass_force, RESULT, 0, 0, 4) /* N/m³, hourglass force; w: stiffness */  \
	/* over that at rest */                                                                    \
	X(oz_float4, elastic_acceleration, RESULT, 0, 0, 4) /* m/s², elastic acceleration */      \
	X(float, spring, RESULT, 0, 0, 4) /* 1/s², diagonal of the stiffness over mass */         \
	X(oz_float4, residual, RESULT, 0, 0,                                                       \
	  4) /* m/s, of the solver; w: kg/m³, density, 0 if it is not solved for */               \
	X(oz_float4, direction, RESULT, 0, 0, 4) /* m/s, search direction; w: κ, Pa */

typedef struct oz_handle {
	oz_poser way;  // its shape and its motion
	oz_id body;    // the only body that it holds; OZ_NONE: all
	float release; // s, time at which it stops holding
} oz_handle;

// scratch of an elastic force, from the scratch pool
typedef struct oz_elastic_work {
	oz_float4 *place;                 // m, position of each slot; w: κ
	oz_float4 *row_x, *row_y, *row_z; // M, then V (P B L - κ F); w: see elastic.cl
	oz_float4 *outer;                 // m/s², forces from outside, in an implicit step
	oz_float4 *answer;  // m/s, change of velocity by that of pressure; w: preconditioner
	oz_float4 *pressed; // m/s², force over mass of the change of pressure
} oz_elastic_work;

// buffers on the device that live as long as the world
typedef struct oz_elastic_buffers {
	oz_float4 *sums; // of the solver
	uint32_t sums_capacity;
	struct oz_drift *drift; // one for each component
	uint32_t drift_capacity;
	struct oz_grip *grips;  // one for each handle, set anew in every step
	uint32_t grip_capacity; // handles
} oz_elastic_buffers;

// what limits explicit steps, and the last implicit one
typedef struct oz_elastic_steps {
	float highest_frequency; // rad/s, of all explicit bodies; 0: not computed, or none
	uint32_t iterations;     // of the solver in the last step
	bool unsolved;           // the last implicit step was not solved, and an event was raised
	bool answers;            // in this step implicit bodies answer changes of the pressure
} oz_elastic_steps;

typedef struct oz_elastic {
	OZ_ELASTIC_FIELDS(OZ_FIELD_MEMBER)
	oz_blocks blocks; // of the lists; count 0: kernels use the lists
	oz_elastic_buffers on_device;
	oz_elastic_work work;
	oz_array handles; // oz_handle
	oz_elastic_steps steps;
	bool set_pending; // sets hold stretches until new lists are made, see set.cl
} oz_elastic;

#define oz_handles(e) ((oz_handle *)(e)->handles.items)

extern const oz_model_ops oz_elastic_model;

static inline oz_elastic *oz_elastic_of(const oz_sim *sim)
{
	return oz_model_state(sim, &oz_elastic_model);
}

// ---- elastic.c ---------------------------------------------------------------------------------

// refuses a `join` with bodies that a body cannot be glued to; also for rigid bodies
oz_result oz_joints_check(const oz_sim *sim, const oz_body_def *def, oz_error *error);

// `tangent` 0: the elastic accelerations at these positions into `elastic_acceleration`;
// OZ_TANGENT_…: minus the product of stiffness over mass with these vectors, per slot, into
// `elastic_acceleration`
void oz_elastic_accelerate(oz_sim *sim, const oz_float4 *position, uint tangent);
// the elastic accelerations at the present positions of particles into `elastic_acceleration`
void oz_elastic_accelerate_particles(oz_sim *sim);

// energy.c: their elastic energy, J
double oz_elastic_energy(oz_sim *sim, const void *state);

// ---- solve.c -----------------------------------------------------------------------------------

// Solves for the velocities of implicit bodies at the end of the step and writes the accelerations
// that lead to them in the time `kick`, s.
oz_result oz_elastic_solve(oz_sim *sim, float kick, oz_error *error);
// the solver of that step
oz_cg oz_elastic_solver(oz_sim *sim, float kick);
// Returns the momentum that a solution has lost to components that no handle holds: `outer` are the
// accelerations without elasticity, `delta_v` the solution.
void oz_elastic_return_momentum(oz_sim *sim, const oz_float4 *outer, oz_float4 *delta_v,
                                float kick);
// weight of the last steps in an implicit one; 1 if it is as long as the last (elastic_solve.cl)
float oz_elastic_past(const oz_sim *sim);
// whether a body with particles is stepped implicitly
bool oz_has_implicit(const oz_sim *sim);
// the largest eigenvalue of explicit bodies' stiffness over mass, 1/s²; 0: there are none
float oz_elastic_largest_eigenvalue(oz_sim *sim);
// memory for the momentum sums of all components
oz_result oz_drift_reserve(oz_sim *sim, oz_error *error);

// ---- press.c: implicit bodies in the rounds of the pressure solver -----------------------------

// before the first round; lowers the mobility of particles in `guess`
void oz_elastic_begin_answer(oz_sim *sim, oz_float4 *guess);
// oz_bind_ops.project: replaces the accelerations of implicit bodies by those of an implicit step
void oz_elastic_answer(oz_sim *sim, const void *state, oz_float4 *acceleration);
// OZ_PASS_PRESSED: the answer of the last round is part of the step
oz_result oz_elastic_keep_answer(oz_sim *sim, void *state, oz_error *error);

// ---- blocks.c ----------------------------------------------------------------------------------

// joins lists into blocks; their count stays 0 if memory runs out or the device has no blocks
void oz_blocks_make(oz_sim *sim, const oz_lists *lists);
void oz_blocks_free(oz_sim *sim, oz_elastic *elastic);

// ---- phase.c: melting and freezing -------------------------------------------------------------

// whether an elastic body with particles has a melting point
bool oz_anything_melts(const oz_sim *sim);
// whether temperatures are compared with melting points in this step
bool oz_phases_are_due(const oz_sim *sim);
// OZ_PASS_CHANGE: slots melt and freeze; rest lists become stale if one does
oz_result oz_phases_update(oz_sim *sim, void *state, oz_error *error);
// OZ_PASS_GROUP: gives each molten slot a group of its own, so that it has no rest neighbours
oz_result oz_phases_group(oz_sim *sim, void *state, oz_error *error);
// called after new rest lists: computes the set again, so that the stress does not change
void oz_phases_restore_set(oz_sim *sim);

// handles.c: adds one; `grasp`: search the particles inside it; false after a load, where `hold`
// has them
oz_result oz_handles_add(oz_sim *sim, const oz_handle_def *def, bool grasp, oz_id *handle,
                         oz_error *error);
void oz_handles_free(oz_sim *sim, oz_elastic *elastic);
// leads a handle to a pose; releases its particles; holds those inside its shape
oz_result oz_handles_move(oz_sim *sim, oz_id handle, const oz_goal *goal, oz_error *error);
oz_result oz_handles_release(oz_sim *sim, oz_id handle, oz_error *error);
oz_result oz_handles_hold(oz_sim *sim, oz_id handle, oz_error *error);
// continues a hash with the motions by calls
uint64_t oz_handles_hash(const oz_sim *sim, uint64_t hash);
// writes the poses of all handles at the beginning and the end of the step to the device
void oz_grips_update(oz_sim *sim);
void oz_handles_save(const oz_sim *sim, const void *state, oz_section *section);
oz_result oz_handles_load(oz_sim *sim, void *state, oz_section *section, oz_error *error);

#endif
