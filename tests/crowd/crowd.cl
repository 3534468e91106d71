// crowd.cl: how many neighbours are nearer than a radius; the mean of that, and a histogram.
#include "device/kernel.h"

// ---- pairs: one count for each particle

#define crowd_count_ARGS(IN, OUT, VAL)      IN(oz_float4, position) OUT(float, crowd) VAL(float, radius2)
#define crowd_count_NEAR(PLACE, ALSO, CASE) PLACE(position)
OZ_PAIR_ARGS(crowd_count)

typedef struct crowd_count_sum {
	float x, y, z; // the particle's own position
	lane count;
} crowd_count_sum;

OZ_FN void crowd_count_begin(const crowd_count_args *a, uint i, crowd_count_sum *s)
{
	const oz_float4 p = a->position[i];
	s->x = p.x;
	s->y = p.y;
	s->z = p.z;
	s->count = lane_of(0.0f);
}

OZ_FN void crowd_count_pair(const crowd_count_args *a, crowd_count_sum *s,
                            const crowd_count_near *j)
{
	const lane x = s->x - j->position.x, y = s->y - j->position.y, z = s->z - j->position.z;
	s->count += lane_select(x * x + y * y + z * z < a->radius2, lane_of(1.0f), lane_of(0.0f));
}

OZ_FN void crowd_count_end(const crowd_count_args *a, uint i, crowd_count_sum *s)
{
	a->crowd[i] = lane_sum(s->count);
}

// ---- reduction: sum and maximum of each group of particles

typedef struct crowd_stats {
	float sum, most;
} crowd_stats;

OZ_FN crowd_stats crowd_stats_join(crowd_stats x, crowd_stats y)
{
	x.sum += y.sum;
	x.most = oz_max(x.most, y.most);
	return x;
}

#define crowd_measure_ARGS(IN, OUT, VAL) IN(float, crowd) OUT(crowd_stats, groups) VAL(uint, first)
OZ_ARGS(crowd_measure)
OZ_REDUCE(crowd_measure, crowd_stats, crowd_stats_join, groups, first)

OZ_FN crowd_stats crowd_measure_at(const crowd_measure_args *a, uint i)
{
	crowd_stats s;
	s.sum = s.most = a->crowd[i];
	return s;
}

// ---- sums: how many particles have a crowd of 0, 1, 2 …, exact in any order

#define crowd_bin_ARGS(IN, OUT, VAL) IN(float, crowd) OUT(oz_sum, histogram) VAL(uint, bins)
OZ_ARGS(crowd_bin)

OZ_FN void crowd_bin_at(const crowd_bin_args *a, uint i)
{
	const uint bin = (uint)a->crowd[i];
	oz_sum_add(&a->histogram[bin < a->bins ? bin : a->bins - 1u], 1u);
}

// ---- vectors: four numbers of a particle at once, no neighbours

#define crowd_scale_ARGS(IN, OUT, VAL) IN(oz_float4, position) OUT(oz_float4, scaled) VAL(float, by)
OZ_ARGS(crowd_scale)

OZ_FN void crowd_scale_at(const crowd_scale_args *a, uint i, uint end)
{
	lane4 p = oz_lane_load(a->position, i, end);
	p.x *= a->by;
	p.y *= a->by;
	p.z *= a->by;
	oz_lane_store(a->scaled, i, end, p);
}

#define crowd_KERNELS(X)                                                                           \
	X(crowd_count, PAIRS)                                                                      \
	X(crowd_measure, REDUCE)                                                                   \
	X(crowd_bin, EACH)                                                                         \
	X(crowd_scale, VECTOR)
OZ_KERNELS(crowd_KERNELS)
