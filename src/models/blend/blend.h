// blend.h: bodies between a fluid and an elastic solid (Takamatsu & Kanai 2011).
//
// A cluster is a slot and its rest neighbours: the list of slot i is both what else is in cluster i
// and which clusters i is in, and is stored once.
#ifndef OZ_BLEND_H
#define OZ_BLEND_H

#include "models/model.h"

//      type       name     kind    most  first, since
#define OZ_BLEND_FIELDS(X)                                                                         \
	X(float, contact_impulse, STATE, OZ_ANY_FLOAT, 0,                                          \
	  2)                                              /* m/s, contact since the last look */   \
	X(float, contact_time, STATE, OZ_ANY_FLOAT, 0, 2) /* s, since then */                      \
	X(oz_float4, centre, RESULT, 0, 0, 2) /* m, mean of its cluster from its rest; w: 1/mass   \
	                                       */

// where other models have slots too
#define OZ_MATCHED_FIELDS(X)                                                                       \
	X(uint, matched, RESULT, 0, 0, 5) /* entries of its list, if it is a blend; else 0 */

typedef struct oz_blend {
	OZ_BLEND_FIELDS(OZ_FIELD_MEMBER)
	OZ_MATCHED_FIELDS(OZ_FIELD_MEMBER)
	bool shares_slots; // other models have slots too: `matched` is in the registry
	float least_alpha; // of particles that have their own; 1: none has
	double alphas_at;  // s, time of the α that kernels were told
	bool alphas_known; // false: before the first look

	// of the step under way
	oz_float4 *place;                 // m, positions; w: as rest
	oz_float4 *row_x, *row_y, *row_z; // A, then R of each cluster; w: c, then t of R r + t
	oz_vec3 *expected;                // m/s, velocity after the step if no wall is met
} oz_blend;

extern const oz_model_ops oz_blend_model;

static inline oz_blend *oz_blend_of(const oz_sim *sim)
{
	return oz_model_state(sim, &oz_blend_model);
}

// whether α of a material follows its temperature
bool oz_blend_melts(const oz_material_def *material);

// reshape.c: which components take a new rest shape; and what that leaves behind
oz_result oz_blend_decide(oz_sim *sim, void *state, oz_error *error);
oz_result oz_blend_settle(oz_sim *sim, void *state, oz_error *error);
bool oz_blend_is_due(const oz_sim *sim);

#endif
