// measure.cl: the extremes that steer the next step, one record for each group of particles.
#include "math/vec.h"
#include "models/matter.h"

typedef struct oz_extremes {
	float speed2;        // m²/s², largest
	float acceleration2; // m²/s⁴, largest
	float moved2;        // m², farthest from an anchor
	oz_vec3 low, high;   // m, the box around all ways from an anchor
	float compression;   // largest, a share of the rest density
	float excess;        // sum of compressions above zero
	float repaired;      // particles
} oz_extremes;

#define measure_ARGS(IN, OUT, VAL)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, anchor)                                                                      \
	IN(float, density)                                                                         \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) OUT(oz_extremes, extremes) VAL(uint, particles) VAL(uint, group)
OZ_KERNEL(measure)
{
	const uint begin = i * a->group;
	const uint end = begin + a->group < a->particles ? begin + a->group : a->particles;
	oz_extremes e;
	e.speed2 = e.acceleration2 = e.moved2 = e.compression = e.excess = e.repaired = 0.0f;
	e.low = oz_v3(OZ_FAR, OZ_FAR, OZ_FAR);
	e.high = oz_v3(-OZ_FAR, -OZ_FAR, -OZ_FAR);
	for (uint k = begin; k < end; k++) {
		const oz_float4 x = a->position[k], v = a->velocity[k], f = a->acceleration[k];
		const oz_float4 from = a->anchor[k];
		const oz_vec3 way = oz_v3(x.x - from.x, x.y - from.y, x.z - from.z);
		const float squeezed = a->density[k] * a->matter[a->material[k]].inv_density - 1.0f;
		e.speed2 = oz_max(e.speed2, v.x * v.x + v.y * v.y + v.z * v.z);
		e.acceleration2 = oz_max(e.acceleration2, f.x * f.x + f.y * f.y + f.z * f.z);
		e.moved2 = oz_max(e.moved2, oz_dot(way, way));
		e.low = oz_min3(e.low, way);
		e.high = oz_max3(e.high, way);
		e.compression = oz_max(e.compression, squeezed);
		e.excess += oz_max(squeezed, 0.0f);
		e.repaired += f.w;
	}
	a->extremes[i] = e;
}
