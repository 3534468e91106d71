// polymer.h: polymer solutions: fluids with viscoelastic stress (polymer.cl, polymer_law.h).
#ifndef OZ_POLYMER_MODEL_H
#define OZ_POLYMER_MODEL_H

#include "models/model.h"

//      type       name     kind   most  first, since
#define OZ_POLYMER_FIELDS(X)                                                                       \
	X(oz_float4, strain_a, STATE, OZ_ANY_FLOAT, 0, 10) /* A xx xy xz yy */                     \
	X(oz_float4, strain_b, STATE, OZ_ANY_FLOAT, 0, 10) /* A yz zz */

typedef struct oz_polymers {
	OZ_POLYMER_FIELDS(OZ_FIELD_MEMBER)
} oz_polymers;

extern const oz_model_ops oz_polymer_model;

#endif
