// heat_model.h: heat: temperatures, conduction, and regions that heat and cool.
#ifndef OZ_HEAT_MODEL_H
#define OZ_HEAT_MODEL_H

#include "models/model.h"

//      type   name         kind   most  first, since
#define OZ_HEAT_FIELDS(X)                                                                          \
	X(float, temperature, STATE, OZ_ANY_FLOAT, OZ_FIRST_20, 4) /* °C */                       \
	X(float, temperature_residual, STATE, OZ_ANY_FLOAT, 0,                                     \
	  4) /* K, the rounding error of `temperature` */

typedef struct oz_heat {
	OZ_HEAT_FIELDS(OZ_FIELD_MEMBER)
	oz_array regions; // oz_region_def
	float heat_sum;   // see oz_rules
	oz_float4 *warm;  // scratch, see heat_gather
} oz_heat;

#define oz_regions(h) ((oz_region_def *)(h)->regions.items)

extern const oz_model_ops oz_heat_model;

static inline oz_heat *oz_heat_of(const oz_sim *sim)
{
	return oz_model_state(sim, &oz_heat_model);
}

// whether the material has a melting point
static inline bool oz_can_melt(const oz_material_def *m)
{
	return m->melting_point < OZ_NEVER_MELTS;
}

#endif
