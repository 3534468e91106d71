// opencl_checks.cl: kernels whose indices come from buffers and values, which a test makes wrong.
#include "device/kernel.h"

// ---- pairs: the sum of x, seen from the item, over its list

#define check_pairs_ARGS(IN, OUT, VAL)      IN(oz_float4, position) OUT(float, sum) VAL(float, scale)
#define check_pairs_NEAR(PLACE, ALSO, CASE) PLACE(position)
OZ_PAIR_ARGS(check_pairs)

typedef struct check_pairs_sum {
	float own;
	lane x;
} check_pairs_sum;

OZ_FN void check_pairs_begin(const check_pairs_args *a, uint i, check_pairs_sum *s)
{
	s->own = a->position[i].x;
	s->x = lane_of(0.0f);
}

OZ_FN void check_pairs_pair(const check_pairs_args *a, check_pairs_sum *s,
                            const check_pairs_near *j)
{
	s->x += (j->position.x - s->own) * a->scale;
}

OZ_FN void check_pairs_end(const check_pairs_args *a, uint i, check_pairs_sum *s)
{
	a->sum[i] = lane_sum(s->x);
}

// ---- links: the same, with a float for each entry

#define check_links_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position) OUT(float, rest) OUT(float, sum) VAL(float, scale)
#define check_links_NEAR(PLACE, ALSO, CASE) ALSO(position)
#define check_links_LINK                    rest
OZ_PAIR_ARGS(check_links)

typedef struct check_links_sum {
	float own;
	lane x;
} check_links_sum;

OZ_FN void check_links_begin(const check_links_args *a, uint i, check_links_sum *s)
{
	s->own = a->position[i].x;
	s->x = lane_of(0.0f);
}

OZ_FN void check_links_pair(const check_links_args *a, check_links_sum *s,
                            const check_links_near *j, lane *rest)
{
	s->x += (j->position.x - s->own) * a->scale * *rest;
}

OZ_FN void check_links_end(const check_links_args *a, uint i, check_links_sum *s)
{
	a->sum[i] = lane_sum(s->x);
}

// ---- an index inside the index of another buffer

#define check_scatter_ARGS(IN, OUT, VAL) IN(uint, to) OUT(uint, out) VAL(uint, first)
OZ_ARGS(check_scatter)

OZ_FN void check_scatter_at(const check_scatter_args *a, uint i)
{
	a->out[a->first + a->to[i]] = i;
}

// ---- reduction: the largest number

#define check_most_ARGS(IN, OUT, VAL) IN(float, value) OUT(float, groups) VAL(uint, first)
OZ_ARGS(check_most)

OZ_FN float check_most_of(float x, float y)
{
	return oz_max(x, y);
}

OZ_REDUCE(check_most, float, check_most_of, groups, first)

OZ_FN float check_most_at(const check_most_args *a, uint i)
{
	return a->value[i];
}

#define opencl_checks_KERNELS(X)                                                                   \
	X(check_pairs, PAIRS)                                                                      \
	X(check_links, PAIRS_LINKED)                                                               \
	X(check_scatter, EACH)                                                                     \
	X(check_most, REDUCE)
OZ_KERNELS(opencl_checks_KERNELS)
