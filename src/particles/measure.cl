// measure.cl: extremes over all particles, which set the next time step.
//
// `measure` joins particles into one record for each group, `measure_total` joins groups until one
// record is left. `measure_write` writes from it the record that the host reads, and stops kernels
// that are queued behind it if neighbour lists are stale.
#include "math/vec.h"
#include "particles/matter.h"

typedef struct oz_extremes {
	float speed2;        // m²/s², largest
	float acceleration2; // m²/s⁴, largest
	float moved2;        // m², largest squared distance of a particle from its anchor
	oz_vec3 low, high;   // m, bounding box of all displacements from anchors
	float compression;   // largest, a share of the rest density
	float excess;        // sum of compressions above zero
	float repaired;      // particles
	float near; // 1: a wall or a particle of another component is within reach of a particle
} oz_extremes;

// one for each step
typedef struct oz_measured {
	float max_speed;        // m/s
	float max_acceleration; // m/s²
	float max_separation; // m, upper bound of the relative displacement of two particles since
	                      // their anchors were set
	float compression;    // largest, a share of the rest density
	float excess;         // sum of compressions above zero
	float repaired;       // particles
	float near; // 1: a wall or a particle of another component is within reach of a particle
	uint done;  // 1: the step was run
} oz_measured;

OZ_FN oz_extremes oz_extremes_join(oz_extremes a, oz_extremes b)
{
	a.speed2 = oz_max(a.speed2, b.speed2);
	a.acceleration2 = oz_max(a.acceleration2, b.acceleration2);
	a.moved2 = oz_max(a.moved2, b.moved2);
	a.low = oz_min3(a.low, b.low);
	a.high = oz_max3(a.high, b.high);
	a.compression = oz_max(a.compression, b.compression);
	a.excess += b.excess;
	a.repaired += b.repaired;
	a.near = oz_max(a.near, b.near);
	return a;
}

#define measure_ARGS(IN, OUT, VAL)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, anchor)                                                                      \
	IN(oz_float4, wall)                                                                        \
	IN(uint, touching)                                                                         \
	IN(uint, plain)                                                                            \
	IN(float, density)                                                                         \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_extremes, groups) VAL(uint, first) VAL(uint, has_plain)
OZ_ARGS(measure)
OZ_REDUCE(measure, oz_extremes, oz_extremes_join, groups, first)

// the extremes of one particle
OZ_FN oz_extremes measure_at(const measure_args *a, uint i)
{
	const oz_float4 x = a->position[i], v = a->velocity[i], f = a->acceleration[i];
	const oz_float4 from = a->anchor[i];
	const oz_vec3 moved = oz_v3(x.x - from.x, x.y - from.y, x.z - from.z);
	const float squeezed = a->density[i] * a->matter[a->material[i]].inv_density - 1.0f;
	oz_extremes e;
	e.speed2 = oz_max(v.x * v.x + v.y * v.y + v.z * v.z, 0.0f);
	e.acceleration2 = oz_max(f.x * f.x + f.y * f.y + f.z * f.z, 0.0f);
	e.moved2 = oz_max(oz_dot(moved, moved), 0.0f);
	e.low = e.high = moved;
	e.compression = e.excess = oz_max(squeezed, 0.0f);
	e.repaired = f.w;
	const bool listed = a->touching[i] || (a->has_plain && a->plain[i]);
	e.near = listed || a->wall[i].w > 0.0f ? 1.0f : 0.0f;
	return e;
}

#define measure_total_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_extremes, in) OUT(oz_extremes, groups) VAL(uint, from) VAL(uint, first)
OZ_ARGS(measure_total)
OZ_REDUCE(measure_total, oz_extremes, oz_extremes_join, groups, first)

// `in` and `groups` are the same buffer; the records of a round are behind those of the round
// before
OZ_FN oz_extremes measure_total_at(const measure_total_args *a, uint i)
{
	return a->in[a->from + i];
}

#define measure_write_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_extremes, extremes)                                                                  \
	OUT(oz_measured, measured) OUT(uint, halt) VAL(uint, at) VAL(uint, step) VAL(float, skin)
OZ_ARGS(measure_write)

// The relative displacement of two particles is at most twice the largest displacement, and at most
// the diagonal of the bounding box of displacements.
OZ_FN void measure_write_at(const measure_write_args *a, uint i)
{
	const oz_extremes e = a->extremes[a->at];
	const oz_vec3 box = oz_sub(e.high, e.low);
	oz_measured m;
	m.max_speed = oz_sqrt(e.speed2);
	m.max_acceleration = oz_sqrt(e.acceleration2);
	m.max_separation = oz_min(2.0f * oz_sqrt(e.moved2), oz_length(box));
	m.compression = e.compression;
	m.excess = e.excess;
	m.repaired = e.repaired;
	m.near = e.near;
	m.done = 1u;
	a->measured[a->step + i] = m;
	if (m.max_separation > a->skin)
		a->halt[i] = 0u;
}

#define measure_KERNELS(X)                                                                         \
	X(measure, REDUCE)                                                                         \
	X(measure_total, REDUCE)                                                                   \
	X(measure_write, EACH)
OZ_KERNELS(measure_KERNELS)
