// blend.h: bodies between a fluid and an elastic solid (Takamatsu & Kanai 2011).
//
// Each slot has a cluster: the slot and its rest neighbours. Lists are symmetric: the list of slot
// i holds the other members of cluster i, and also the other clusters that i is a member of.
#ifndef OZ_BLEND_H
#define OZ_BLEND_H

#include "models/model.h"

//      type       name     kind    most  first, since
#define OZ_BLEND_FIELDS(X)                                                                         \
	X(float, contact_impulse, STATE, OZ_ANY_FLOAT, 0,                                          \
	  2) /* m/s, impulse per mass of contact since its component was last due */               \
	X(float, contact_time, STATE, OZ_ANY_FLOAT, 0, 2) /* s, time of contact_impulse */         \
	X(oz_float4, centre, RESULT, 0, 0,                                                         \
	  2) /* m, mean of its cluster minus its rest position; */                                 \
	     /* w: 1/mass */

// in worlds where other models have slots too
#define OZ_MATCHED_FIELDS(X)                                                                       \
	X(uint, matched, RESULT, 0, 0,                                                             \
	  5) /* entries of its list if it is a slot of a blend; else 0 */

typedef struct oz_blend {
	OZ_BLEND_FIELDS(OZ_FIELD_MEMBER)
	OZ_MATCHED_FIELDS(OZ_FIELD_MEMBER)
	bool shares_slots; // `matched` is in the registry, because other models have slots too
	float least_alpha; // smallest α set per particle; 1: none is set
	double alphas_at;  // s, time of the keyframed α on the device
	bool alphas_known; // false: no keyframed α was written yet

	// scratch of the step
	oz_float4 *place;                 // m, position of each slot; w: weight, as in rest
	oz_float4 *row_x, *row_y, *row_z; // A, then R of each cluster; w: c, then t of R r + t
	oz_vec3 *expected;                // m/s, velocity after the step if no wall changes it
} oz_blend;

extern const oz_model_ops oz_blend_model;

static inline oz_blend *oz_blend_of(const oz_sim *sim)
{
	return oz_model_state(sim, &oz_blend_model);
}

// whether α of a material follows its temperature
bool oz_blend_melts(const oz_material_def *material);

// energy.c: the energy of shape matching, J
double oz_blend_energy(oz_sim *sim, const void *state);

// ---- reshape.c ---------------------------------------------------------------------------------

// OZ_PASS_DECIDE: marks the components that are due and those that take a new rest shape
oz_result oz_blend_decide(oz_sim *sim, void *state, oz_error *error);
// OZ_PASS_RESHAPED: sets the contact sums of due components to 0 and the rotations of changed ones
// to the identity
oz_result oz_blend_reset_contact(oz_sim *sim, void *state, oz_error *error);
// whether a material of a blend is due in this step
bool oz_blend_is_due(const oz_sim *sim);

#endif
