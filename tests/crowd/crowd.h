// crowd.h: the worked example of docs/kernels.md, for a world's particles.
#ifndef OZ_TEST_CROWD_H
#define OZ_TEST_CROWD_H

#include "particles/sim.h"

#include "crowd.cl"

#define CROWD_BINS 64u

// on the device
typedef struct crowd_buffers {
	float *crowd;        // neighbours of each particle that are nearer than the radius
	crowd_stats *groups; // of each OZ_GROUP particles
	oz_sum *histogram;   // CROWD_BINS, cleared by the caller
	oz_float4 *scaled;   // positions in radii
} crowd_buffers;

// Fills all buffers. The lists of the world must be those of its positions now.
void crowd_find(oz_sim *sim, const crowd_buffers *buffers, float radius);

#endif
