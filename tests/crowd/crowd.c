// crowd.c: launches the kernels of crowd.cl.
#include "crowd.h"

void crowd_find(oz_sim *sim, const crowd_buffers *b, float radius)
{
	oz_device *d = sim->device;
	const uint32_t count = sim->particles.count;
	const oz_lists lists = oz_neighbours_lists(&sim->neighbours, oz_support_radius(sim));
	OZ_LAUNCH_PAIRS(d, crowd_count, count, &lists, .position = sim->particles.position,
	                .crowd = b->crowd, .radius2 = radius * radius);
	OZ_LAUNCH(d, crowd_measure, count, .crowd = b->crowd, .groups = b->groups, .first = 0);
	OZ_LAUNCH(d, crowd_bin, count, .crowd = b->crowd, .histogram = b->histogram,
	          .bins = CROWD_BINS);
	OZ_LAUNCH(d, crowd_scale, count, .position = sim->particles.position, .scaled = b->scaled,
	          .by = 1 / radius);
}
