// viscous.h: thick fluids: viscous stress, solved implicitly (viscous.cl, viscous_solve.cl).
#ifndef OZ_VISCOUS_MODEL_H
#define OZ_VISCOUS_MODEL_H

#include "models/model.h"

//      type       name     kind   most  first, since
#define OZ_VISCOUS_FIELDS(X)                                                                       \
	X(oz_float4, drag, STATE, OZ_ANY_FLOAT, 0,                                                 \
	  8) /* m/s², viscous, in the last step; w: viscosity before temperature, Pa·s */        \
	X(float, structure, STATE, 1, OZ_FIRST_1, 11) /* of thixotropic fluids, 0 … 1 */

// of slots
#define OZ_VISCOUS_SLOT_FIELDS(X)                                                                  \
	X(oz_float4, bound, STATE, OZ_ANY_FLOAT, 0,                                                \
	  11) /* m/s², by what binds a particle to its body, in the last step */

// scratch of a step
typedef struct oz_viscous_work {
	oz_float4 *spot;                  // m, position; w: κ, Pa·s/m²
	oz_float4 *row_x, *row_y, *row_z; // rows of M, then columns of Q, see viscous.cl
	oz_float4 *fit_a, *fit_b, *fit_c; // L xx xy xz yy, L yz zz N xx xy, N xz yy yz zz
	oz_float4 *hold;                  // of walls: Σ w x_ij, m; w: Σ w
	oz_float4 *moment;                // m, Σ w x_ij with walls; w: 1/density
	oz_float4 *residual, *direction, *image, *delta_v; // of the solver, see cg.cl
	oz_float4 *sums;
	oz_float4 *stress_a, *stress_b; // Pa, xx xy xz yy, yz zz: stress of polymers, which the
	                                // pass STRESS writes; NULL: there are none
	float *viscosity;               // Pa·s
	float *spring;                  // Σ w (κ_i + κ_j)
	oz_float4 *side; // m, position; w: viscosity of a thick fluid, -1: a body; NULL: there are
	                 // no bodies with a rest shape
	uint *touching;  // length of the list; 0: no dashpot holds it
	float *dashpot;  // Pa·s/m², a third of the sum of its dashpots
	uint *reached;   // length of the list; 0: no thick fluid is near
	uint64_t *marks; // of neighbours that dashpots hold, see oz_neighbours; NULL as side is
} oz_viscous_work;

typedef struct oz_viscous {
	OZ_VISCOUS_FIELDS(OZ_FIELD_MEMBER)
	OZ_VISCOUS_SLOT_FIELDS(OZ_FIELD_MEMBER)
	oz_viscous_work work;
	uint32_t rounds; // of the solver in the last step
	bool unsolved;   // the last step was not solved, and an event was raised
} oz_viscous;

extern const oz_model_ops oz_viscous_model;

// The least viscosity, Pa·s, of a thick fluid: thinner ones have the pair force of fluid.cl, unless
// their material says otherwise.
#define OZ_THICK 0.05f

// Whether a material is a thick fluid, or becomes one when it melts.
bool oz_is_thick(const oz_material_def *def);

// Whether there are particles of thick fluids.
bool oz_viscous_acts(const oz_sim *sim);

#endif
