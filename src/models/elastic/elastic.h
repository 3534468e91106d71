// elastic.h: elastic solids, sheets and rods (Becker, Ihmsen & Teschner 2009).
//
// Slots (contact/slots.h) hold the rest shape and the lists of rest neighbours, and their contact
// keys keep rest neighbours from pushing each other as foreign bodies do. What only elastic bodies
// need stands here, slot by slot.
#ifndef OZ_ELASTIC_H
#define OZ_ELASTIC_H

#include "boundary/poses.h"
#include "models/elastic/elastic_blocks.h"
#include "models/model.h"

//      type       name   kind    most  first, since
#define OZ_ELASTIC_FIELDS(X)                                                                       \
	X(oz_float4, hold, STATE, OZ_PLACE_MAX, 0, 4) /* m, in the frame of its handle; */         \
	                                              /* w: number of the handle + 1 */            \
	X(oz_float4, set_a, STATE, 2, 0, 4)           /* B - 1 xx xy xz yy, see set.cl */          \
	X(oz_float4, set_b, STATE, 2, 0, 4)           /* B - 1 yz zz; z: its liquid share when */  \
	                                              /* last looked at */                         \
	X(oz_float4, delta_v, STATE, OZ_SPEED_MAX, 0, 4) /* m/s, of the velocity in an implicit */ \
	                                                 /* step; where the next one begins */     \
	X(oz_float4, earlier_delta_v, STATE, OZ_SPEED_MAX, 0,                                      \
	  4)                                 /* m/s, that of the step before */                    \
	X(uint, bonds, RESULT, 0, 0, 4)      /* entries of its list; 0: not elastic, or molten */  \
	X(oz_float4, fit_a, RESULT, 0, 0, 4) /* L xx xy xz yy, see elastic.cl */                   \
	X(oz_float4, fit_b, RESULT, 0, 0, 4) /* L yz zz, N xx xy */                                \
	X(oz_float4, fit_c, RESULT, 0, 0, 4) /* N xz yy yz zz */                                   \
	X(oz_float4, stiff, RESULT, 0, 0, 4) /* μ, λ, κ, Pa; w: bits, how it is firm; 0: it */  \
	                                     /* is not */                                          \
	X(oz_float4, sway, RESULT, 0, 0, 4)  /* s, 1/m; w: volume over mass, m³/kg */             \
	X(oz_float4, lean, RESULT, 0, 0, 4)  /* what an hourglass pulls, Pa; w: how stiff it */    \
	                                     /* is, 1 at rest */                                   \
	X(oz_float4, push, RESULT, 0, 0, 4)  /* m/s², elastic */                                  \
	X(float, spring, RESULT, 0, 0, 4)    /* 1/s², its own place in the stiffness over mass */ \
	X(oz_float4, residual, RESULT, 0, 0,                                                       \
	  4) /* m/s, residual; w: mass that counts, 0 where it */                                  \
	     /* is held */                                                                         \
	X(oz_float4, direction, RESULT, 0, 0, 4) /* m/s, direction of the search; w: κ */

#define OZ_ELASTIC_SUMS 3u // results of the solver, before the sums of groups

typedef struct oz_handle {
	oz_poser way;  // its shape, and where it goes
	oz_id body;    // that it may hold; OZ_NONE: any
	float release; // s
} oz_handle;

// what an elastic force is worked out with, from the scratch pool
typedef struct oz_elastic_work {
	oz_float4 *place;                 // m, positions; w: κ
	oz_float4 *row_x, *row_y, *row_z; // M, then V (P B L - κ F); w: see elastic.cl
	oz_float4 *outer;                 // m/s², forces from outside, in an implicit step
} oz_elastic_work;

// on the device, as long as they are needed
typedef struct oz_elastic_buffers {
	oz_float4 *sums; // of the solver
	uint32_t sums_capacity;
	struct oz_drift *drift; // one for each component
	uint32_t drift_capacity;
	struct oz_grip *grips;  // one for each handle, set anew in every step
	uint32_t grip_capacity; // handles
} oz_elastic_buffers;

typedef struct oz_elastic {
	OZ_ELASTIC_FIELDS(OZ_FIELD_MEMBER)
	oz_blocks blocks; // of the lists; none if their count is 0
	oz_elastic_buffers on_device;
	oz_elastic_work work;
	oz_array handles;    // oz_handle
	float quickest;      // rad/s, of all explicit solids' own swings; 0: not known yet
	uint32_t iterations; // that the last step took
	bool set_waits;      // its set waits for new lists
	bool unsolved;       // the last implicit step was not, and that has been told
} oz_elastic;

#define oz_handles(e) ((oz_handle *)(e)->handles.items)

extern const oz_model_ops oz_elastic_model;

static inline oz_elastic *oz_elastic_of(const oz_sim *sim)
{
	return oz_model_state(sim, &oz_elastic_model);
}

// elastic.c: the elastic acceleration of positions, or of velocities (a tangent), into `push`
void oz_elastic_pull(oz_sim *sim, const oz_float4 *position, uint tangent);
// of the particles as they stand
void oz_elastic_push(oz_sim *sim);

// solve.c: velocities at the end of the step, of implicit solids
oz_result oz_elastic_solve(oz_sim *sim, float kick, oz_error *error);
bool oz_has_implicit(const oz_sim *sim);
// the largest eigenvalue of explicit solids' stiffness over mass, 1/s²
float oz_elastic_shake(oz_sim *sim);
oz_result oz_drift_reserve(oz_sim *sim, oz_error *error);

// blocks.c
void oz_blocks_make(oz_sim *sim, const oz_lists *lists);
void oz_blocks_free(oz_sim *sim, oz_elastic *elastic);

// phase.c: solids that melt and freeze
bool oz_anything_melts(const oz_sim *sim);
bool oz_phases_are_due(const oz_sim *sim);
oz_result oz_phases_take(oz_sim *sim, void *state, oz_error *error); // lists are stale if any does
oz_result oz_phases_group(oz_sim *sim, void *state, oz_error *error);
void oz_phases_meet(oz_sim *sim); // when lists are made

// handles.c: adds one; `grasp`: search the particles inside it; false after a load, where `hold`
// has them
oz_result oz_handles_add(oz_sim *sim, const oz_handle_def *def, bool grasp, oz_id *handle,
                         oz_error *error);
void oz_handles_free(oz_sim *sim, oz_elastic *elastic);
// where handles stand at the end of the step, for the kernels
void oz_grips_place(oz_sim *sim);
void oz_handles_save(const oz_sim *sim, const void *state, oz_section *section);
oz_result oz_handles_load(oz_sim *sim, void *state, oz_section *section, oz_error *error);

#endif
