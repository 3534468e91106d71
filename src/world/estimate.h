// estimate.h: what a world will take, before it is made.
#ifndef OZ_ESTIMATE_H
#define OZ_ESTIMATE_H

#include "ooze/ooze.h"

// Bytes of a particle: what it takes in any case, and its lists, the largest buffer of all.
typedef struct oz_particle_bytes {
	double fields, lists;
} oz_particle_bytes;

// Of a fluid, from the registry of fields; models add to it (oz_models_bytes).
oz_particle_bytes oz_world_particle_bytes(const oz_world_def *def, bool on_gpu);

#endif
