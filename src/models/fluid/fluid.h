// fluid.h: the model of weakly compressible fluids; its forces act on all plain particles.
#ifndef OZ_FLUID_MODEL_H
#define OZ_FLUID_MODEL_H

#include "models/model.h"

extern const oz_model_ops oz_fluid_model;

#endif
