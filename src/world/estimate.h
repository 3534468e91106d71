// estimate.h: memory of a world, estimated before it is made.
#ifndef OZ_ESTIMATE_H
#define OZ_ESTIMATE_H

#include "ooze/ooze.h"

// Bytes of a particle: its fields and scratch, and its neighbour list, the largest buffer.
typedef struct oz_particle_bytes {
	double fields, lists;
} oz_particle_bytes;

// For a particle of a fluid; oz_models_bytes gives the additional bytes of other models.
oz_particle_bytes oz_world_particle_bytes(const oz_world_def *def, bool on_gpu);

#endif
