// springs.cl: every particle hangs on a spring that ends where the particle began.
#include "device/kernel.h"

#define springs_pull_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, home) OUT(oz_float4, acceleration)
OZ_ARGS(springs_pull)

OZ_FN void springs_pull_at(const springs_pull_args *a, uint i)
{
	const oz_float4 x = a->position[i], h = a->home[i];
	const oz_float4 f = a->acceleration[i];
	const float k = h.w; // 0: of another model
	a->acceleration[i] =
	        oz_make4(f.x - k * (x.x - h.x), f.y - k * (x.y - h.y), f.z - k * (x.z - h.z), f.w);
}

#define springs_KERNELS(X) X(springs_pull, EACH)
OZ_KERNELS(springs_KERNELS)
