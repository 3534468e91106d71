// fluid.h: weakly compressible fluids, and what all materials have of them.
#ifndef OZ_FLUID_MODEL_H
#define OZ_FLUID_MODEL_H

#include "models/model.h"

extern const oz_model_ops oz_fluid_model;

#endif
