// bounds.cl: counts the particles of each body that are inside the bounds.
#include "device/batch.h"

typedef struct oz_bounds {
	oz_vec3 low, high; // m
} oz_bounds;

OZ_FN bool bounds_contain(oz_bounds b, oz_float4 x)
{
	return x.x >= b.low.x && x.y >= b.low.y && x.z >= b.low.z && x.x <= b.high.x &&
	       x.y <= b.high.y && x.z <= b.high.z;
}

#define bounds_count_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, position)                                                                    \
	IN(uint, body)                                                                             \
	OUT(uint, inside) VAL(oz_bounds, bounds) VAL(uint, particles) VAL(uint, stride)
OZ_ARGS(bounds_count)

// one batch of particles; adds once for each run of particles of the same body
OZ_FN void bounds_count_at(const bounds_count_args *a, uint i)
{
	uint count = 0, body = 0;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->particles)
			break;
		if (a->body[k] != body) {
			if (count)
				oz_atomic_add(&a->inside[body], count);
			count = 0;
			body = a->body[k];
		}
		count += bounds_contain(a->bounds, a->position[k]) ? 1u : 0u;
	}
	if (count)
		oz_atomic_add(&a->inside[body], count);
}

#define bounds_KERNELS(X) X(bounds_count, EACH)
OZ_KERNELS(bounds_KERNELS)
