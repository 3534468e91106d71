// kernel_opencl.h: the kernel macros for OpenCL C 1.2: a lane is a float, a particle a work item.
#ifndef OZ_KERNEL_OPENCL_H
#define OZ_KERNEL_OPENCL_H

#define OZ_FN     static inline
#define OZ_GLOBAL __global

typedef float4 oz_float4;
typedef ulong oz_u64;
typedef long oz_i64;
typedef float lane;
typedef int lane_mask;

typedef struct lane4 {
	lane x, y, z, w;
} lane4;

typedef float4 quad;

#define OZ_QUAD_SUMS 1

#define quad_load(record) (*(record))
#define quad_all(r, k)    ((float4)((r).s##k))
#define quad_sum(sums)    ((sums)[0])
#define quad_clear(sums)  ((sums)[0] = (float4)(0.0f))

OZ_FN oz_float4 oz_make4(float x, float y, float z, float w)
{
	return (float4)(x, y, z, w);
}

// a (1 - t) + b t
OZ_FN oz_float4 oz_mix4(oz_float4 a, oz_float4 b, float t)
{
	return a + (b - a) * t;
}

#define oz_sqrt(x)      sqrt(x)
#define oz_rsqrt(x)     rsqrt(x)
#define oz_abs(x)       fabs(x)
#define oz_min(a, b)    fmin(a, b)
#define oz_max(a, b)    fmax(a, b)
#define oz_floor(x)     floor(x)
#define oz_round(x)     rint(x)
#define oz_fma(a, b, c) fma(a, b, c)
#define oz_sin(x)       sin(x)
#define oz_atan2(y, x)  atan2(y, x)
#define oz_cos(x)       cos(x)
#define oz_log(x)       log(x)
#define oz_expm1(x)     expm1(x)
#define oz_exp(x)       exp(x)
#define oz_pow(x, y)    pow(x, y)

#define lane_of(x)              (x)
#define lane_max(a, b)          fmax(a, b)
#define lane_min(a, b)          fmin(a, b)
#define lane_fused(a, b, c)     fma(a, b, c)
#define lane_sqrt(x)            sqrt(x)
#define lane_rsqrt(x)           rsqrt(x)
#define lane_inverse(x)         (1.0f / (x))
#define lane_select(mask, a, b) ((mask) ? (a) : (b))
#define lane_sum(x)             (x)
#define lane_sum4(a, b, c, d)   oz_make4(a, b, c, d)

// A long sum in a single lane, with Kahan's compensation of rounding errors.
typedef struct lane_total {
	float sum, low;
} lane_total;

OZ_FN void lane_total_add(lane_total *t, float value)
{
	const float v = value - t->low, sum = t->sum + v;
	t->low = (sum - t->sum) - v;
	t->sum = sum;
}

#define lane_total_zero(t) ((t).sum = (t).low = 0.0f)
#define lane_total_get(t)  ((t).sum)

#define oz_atomic_load(p)             (*(volatile __global uint *)(p))
#define oz_atomic_add(p, v)           atomic_add(p, v)
#define oz_atomic_or(p, v)            atomic_or(p, v)
#define oz_atomic_swap(p, old, fresh) atomic_cmpxchg(p, old, fresh)
#define oz_atomic_min(p, v)           atomic_min(p, v)
#define oz_atomic_max(p, v)           atomic_max(p, v)

#define oz_square_sum(x, y, z) fma(z, z, fma(y, y, (x) * (x)))

#define oz_lowest_bit(x) ((uint)popcount(((x) & (~(x) + 1u)) - 1u))

#define oz_count_bits(x) ((uint)popcount(x))

#define oz_bits_of_float(x) as_uint(x)
#define oz_float_of_bits(x) as_float(x)
#define oz_lane_bits(x)     as_int(x)
#define oz_lane_of_bits(x)  as_float(x)
#define oz_lane_float(x)    ((float)(x))
#define oz_lane_first(x)    (x)

#define OZ_WIDTH              1
#define oz_lane_at(x, k)      (x)
#define oz_lane_true(mask, k) ((mask) != 0)
#define oz_lane_any(mask)     ((mask) != 0)

OZ_FN lane4 oz_lane_load(__global const oz_float4 *records, uint i, uint end)
{
	lane4 v;
	const oz_float4 r = records[i];
	v.x = r.x;
	v.y = r.y;
	v.z = r.z;
	v.w = r.w;
	return v;
}

OZ_FN void oz_lane_store(__global oz_float4 *records, uint i, uint end, lane4 v)
{
	records[i] = oz_make4(v.x, v.y, v.z, v.w);
}

#define oz_lane_get(numbers, i, end)      ((numbers)[i])
#define oz_lane_put(numbers, i, end, v)   ((numbers)[i] = (v))
#define oz_lane_put_w(records, i, end, v) ((records)[i].w = (v))
#define oz_lane_most(v)                   (v)

// Parameters and variables of the harness begin with oz_, so that they do not clash with arguments
// of a kernel. Every kernel does nothing if *oz_go is 0.
#define OZ_GO __global const uint *oz_go

// arguments: one kernel parameter for each list entry; the harness copies them into one struct
#define OZ_PARAM_IN(type, name)  , __global const type *name
#define OZ_PARAM_OUT(type, name) , __global type *name
#define OZ_PARAM_VAL(type, name) , type name
#define OZ_FIELD_IN(type, name)  __global const type *name;
#define OZ_FIELD_OUT(type, name) __global type *name;
#define OZ_FIELD_VAL(type, name) type name;
#define OZ_FILL_ANY(type, name)  oz_a.name = name;

#define OZ_ARGS(k)                                                                                 \
	typedef struct k##_args {                                                                  \
		k##_ARGS(OZ_FIELD_IN, OZ_FIELD_OUT, OZ_FIELD_VAL)                                  \
	} k##_args;

#define OZ_PAIR_ARGS(k)                                                                            \
	OZ_ARGS(k)                                                                                 \
	typedef struct k##_near {                                                                  \
		k##_NEAR(OZ_NEAR_FIELD, OZ_NEAR_FIELD, OZ_NEAR_NONE)                               \
	} k##_near;

#define OZ_NEAR_QUAD(name) quad name;
#define OZ_KEPT_ARGS(k)                                                                            \
	OZ_ARGS(k)                                                                                 \
	typedef struct k##_near {                                                                  \
		k##_NEAR(OZ_NEAR_QUAD, OZ_NEAR_QUAD, OZ_NEAR_NONE)                                 \
	} k##_near;

#define OZ_KERNELS(list) list(OZ_HARNESS)

#define OZ_PARAMS(k) k##_ARGS(OZ_PARAM_IN, OZ_PARAM_OUT, OZ_PARAM_VAL)
#define OZ_FILL(k)                                                                                 \
	k##_args oz_a;                                                                             \
	k##_ARGS(OZ_FILL_ANY, OZ_FILL_ANY, OZ_FILL_ANY);

#define OZ_HARNESS_EACH(k)                                                                         \
	__kernel void k(OZ_GO, uint oz_n OZ_PARAMS(k))                                             \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		if (get_global_id(0) < oz_n && *oz_go)                                             \
			k##_at(&oz_a, (uint)get_global_id(0));                                     \
	}

// a vector has one item here
#define OZ_HARNESS_VECTOR(k)                                                                       \
	__kernel void k(OZ_GO, uint oz_n OZ_PARAMS(k))                                             \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		if (get_global_id(0) < oz_n && *oz_go)                                             \
			k##_at(&oz_a, (uint)get_global_id(0), oz_n);                               \
	}

// word c of all items of a group lies side by side, to avoid bank conflicts
#define OZ_LOCAL_ITEMS     64u
#define OZ_LOCAL           __local
#define oz_local(words, c) (words)[(c)*OZ_LOCAL_ITEMS]
#define OZ_HARNESS_LOCAL(k)                                                                        \
	__kernel __attribute__((reqd_work_group_size(OZ_LOCAL_ITEMS, 1, 1))) void                  \
	k(OZ_GO, uint oz_n OZ_PARAMS(k), __local uint *oz_words)                                   \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		if (get_global_id(0) < oz_n && *oz_go)                                             \
			k##_at(&oz_a, (uint)get_global_id(0), oz_words + get_local_id(0));         \
	}

// the work items of a group process OZ_GROUP items and join their records in a tree
#define OZ_REDUCE_ITEMS      128u
#define OZ_HARNESS_REDUCE(k) OZ_HARNESS_REDUCE_BY(k, OZ_REDUCE_ITEM)
// a vector has one item here
#define OZ_HARNESS_REDUCE_LANES(k) OZ_HARNESS_REDUCE_BY(k, OZ_REDUCE_LANE)
#define OZ_REDUCE_ITEM(k, a, i)    k##_at(a, i)
#define OZ_REDUCE_LANE(k, a, i)    k##_fold(k##_at(a, i, (i) + 1u))
#define OZ_HARNESS_REDUCE_BY(k, oz_item_of)                                                        \
	__kernel __attribute__((reqd_work_group_size(OZ_REDUCE_ITEMS, 1, 1))) void                 \
	k(OZ_GO, uint oz_n OZ_PARAMS(k), __local k##_record *oz_records)                           \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		const uint oz_item = (uint)get_local_id(0), oz_group = (uint)get_group_id(0);      \
		const uint oz_first = oz_group * OZ_GROUP, oz_left = oz_n - oz_first;              \
		const uint oz_held = oz_left < OZ_GROUP ? oz_left : OZ_GROUP;                      \
		if (*oz_go && oz_item < oz_held) {                                                 \
			k##_record oz_own = oz_item_of(k, &oz_a, oz_first + oz_item);              \
			for (uint oz_i = oz_item + OZ_REDUCE_ITEMS; oz_i < oz_held;                \
			     oz_i += OZ_REDUCE_ITEMS)                                              \
				oz_own = k##_join(oz_own, oz_item_of(k, &oz_a, oz_first + oz_i));  \
			oz_records[oz_item] = oz_own;                                              \
		}                                                                                  \
		barrier(CLK_LOCAL_MEM_FENCE);                                                      \
		for (uint oz_reach = OZ_REDUCE_ITEMS / 2u; oz_reach; oz_reach >>= 1) {             \
			if (*oz_go && oz_item < oz_reach && oz_item + oz_reach < oz_held)          \
				oz_records[oz_item] = k##_join(oz_records[oz_item],                \
				                               oz_records[oz_item + oz_reach]);    \
			barrier(CLK_LOCAL_MEM_FENCE);                                              \
		}                                                                                  \
		if (*oz_go && oz_item == 0u)                                                       \
			k##_store(&oz_a, oz_group, oz_records[0]);                                 \
	}

#define OZ_HARNESS_CPU(k)

#define OZ_NEAR_FETCH(name)                                                                        \
	oz_near.name.x = oz_a.name[oz_j].x;                                                        \
	oz_near.name.y = oz_a.name[oz_j].y;                                                        \
	oz_near.name.z = oz_a.name[oz_j].z;                                                        \
	oz_near.name.w = oz_a.name[oz_j].w;

#define OZ_PAIR_LOOP(k)                                                                            \
	{                                                                                          \
		__global const uint *oz_next =                                                     \
		        oz_list + oz_list_at(oz_list_start[oz_i], oz_i, 0u, oz_list_stride);       \
		const uint oz_count = oz_list_count[oz_i];                                         \
		for (uint oz_c = 0; oz_c < oz_count; oz_c++, oz_next += oz_list_stride) {          \
			const uint oz_j = *oz_next;                                                \
			k##_near oz_near;                                                          \
			k##_NEAR(OZ_NEAR_FETCH, OZ_NEAR_FETCH, OZ_NEAR_NONE);                      \
			k##_pair(&oz_a, &oz_total, &oz_near);                                      \
		}                                                                                  \
	}

// The value of CASE is tested once, before the loop: a branch inside the loop would prevent the
// overlap of the loads of one pair with those of the next. Without CASE only the first loop
// remains.
#define OZ_CASE_READ(member) +oz_a.member
#define OZ_CASE_0(member)    oz_a.member = 0u;
#define OZ_CASE_1(member)    oz_a.member = 1u;
#define OZ_CASE_3(member)    oz_a.member = 3u;
#define OZ_CASE(k, of)       k##_NEAR(OZ_NEAR_NONE, OZ_NEAR_NONE, of)

// Marks are used on the CPU only; here a neighbour beyond the support radius adds zero.
#define OZ_HARNESS_PAIRS(k)                                                                        \
	__kernel void k(OZ_GO, uint oz_n, __global const uint *oz_list,                            \
	                __global const uint *oz_list_start, __global const uint *oz_list_count,    \
	                uint oz_list_stride OZ_PARAMS(k))                                          \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		const uint oz_i = (uint)get_global_id(0);                                          \
		if (oz_i >= oz_n || !*oz_go)                                                       \
			return;                                                                    \
		k##_sum oz_total;                                                                  \
		k##_begin(&oz_a, oz_i, &oz_total);                                                 \
		const uint oz_which = 0u OZ_CASE(k, OZ_CASE_READ);                                 \
		if (oz_which == 0u) {                                                              \
			OZ_CASE(k, OZ_CASE_0) OZ_PAIR_LOOP(k)                                      \
		} else if (oz_which == 1u) {                                                       \
			OZ_CASE(k, OZ_CASE_1) OZ_PAIR_LOOP(k)                                      \
		} else if (oz_which == 3u) {                                                       \
			OZ_CASE(k, OZ_CASE_3) OZ_PAIR_LOOP(k)                                      \
		} else {                                                                           \
			OZ_PAIR_LOOP(k)                                                            \
		}                                                                                  \
		k##_end(&oz_a, oz_i, &oz_total);                                                   \
	}
#define OZ_HARNESS_PAIRS_MARKED(k)  OZ_HARNESS_PAIRS(k)
#define OZ_HARNESS_PAIRS_AT_REST(k) OZ_HARNESS_PAIRS(k)

// Entry oz_c + b of the list: its neighbour and its float. The float is written only if k_pair
// changed it.
#define OZ_LINK_LOAD(k, b)                                                                         \
	const size_t oz_at_##b = oz_at + b##u * (size_t)oz_list_stride;                            \
	const float oz_before_##b = oz_a.k##_LINK[oz_at_##b];                                      \
	k##_near oz_near_##b;                                                                      \
	{                                                                                          \
		const uint oz_j = oz_list[oz_at_##b];                                              \
		k##_near oz_near;                                                                  \
		k##_NEAR(OZ_NEAR_FETCH, OZ_NEAR_FETCH, OZ_NEAR_NONE);                              \
		oz_near_##b = oz_near;                                                             \
	}
#define OZ_LINK_PAIR(k, b)                                                                         \
	{                                                                                          \
		float oz_value = oz_before_##b;                                                    \
		k##_pair(&oz_a, &oz_total, &oz_near_##b, &oz_value);                               \
		if (oz_value != oz_before_##b)                                                     \
			oz_a.k##_LINK[oz_at_##b] = oz_value;                                       \
	}

// Four entries are loaded before the first of them is written: the compiler cannot move a load
// before a write to a buffer that may be the same, so loads of one entry would wait for the last.
#define OZ_HARNESS_PAIRS_LINKED(k)                                                                 \
	__kernel void k(OZ_GO, uint oz_n, __global const uint *oz_list,                            \
	                __global const uint *oz_list_start, __global const uint *oz_list_count,    \
	                uint oz_list_stride OZ_PARAMS(k))                                          \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		const uint oz_i = (uint)get_global_id(0);                                          \
		if (oz_i >= oz_n || !*oz_go)                                                       \
			return;                                                                    \
		k##_sum oz_total;                                                                  \
		k##_begin(&oz_a, oz_i, &oz_total);                                                 \
		size_t oz_at = oz_list_at(oz_list_start[oz_i], oz_i, 0u, oz_list_stride);          \
		const uint oz_count = oz_list_count[oz_i];                                         \
		uint oz_c = 0;                                                                     \
		for (; oz_c + 4u <= oz_count; oz_c += 4u, oz_at += 4u * (size_t)oz_list_stride) {  \
			OZ_LINK_LOAD(k, 0)                                                         \
			OZ_LINK_LOAD(k, 1)                                                         \
			OZ_LINK_LOAD(k, 2)                                                         \
			OZ_LINK_LOAD(k, 3)                                                         \
			OZ_LINK_PAIR(k, 0)                                                         \
			OZ_LINK_PAIR(k, 1)                                                         \
			OZ_LINK_PAIR(k, 2)                                                         \
			OZ_LINK_PAIR(k, 3)                                                         \
		}                                                                                  \
		for (; oz_c < oz_count; oz_c++, oz_at += oz_list_stride) {                         \
			OZ_LINK_LOAD(k, 0)                                                         \
			OZ_LINK_PAIR(k, 0)                                                         \
		}                                                                                  \
		k##_end(&oz_a, oz_i, &oz_total);                                                   \
	}

#define OZ_KEEP_LOOP(k)                                                                            \
	for (uint oz_c = 0; oz_c < oz_count; oz_c++, oz_at += oz_list_stride) {                    \
		const uint oz_j = oz_list[oz_at];                                                  \
		float oz_value = 0.0f;                                                             \
		k##_near oz_near;                                                                  \
		k##_NEAR(OZ_NEAR_FETCH, OZ_NEAR_FETCH, OZ_NEAR_NONE);                              \
		k##_pair(&oz_a, &oz_total, &oz_near, &oz_value);                                   \
		/* false for NaN, as in C */                                                       \
		if (oz_value < 0.0f || oz_value > 0.0f) {                                          \
			oz_a.kept_list[oz_to] = oz_j;                                              \
			oz_a.kept[oz_to] = oz_value;                                               \
			oz_to += oz_list_stride;                                                   \
			oz_kept_count++;                                                           \
		}                                                                                  \
	}

#define OZ_HARNESS_PAIRS_KEEP(k)                                                                   \
	__kernel void k(OZ_GO, uint oz_n, __global const uint *oz_list,                            \
	                __global const uint *oz_list_start, __global const uint *oz_list_count,    \
	                uint oz_list_stride OZ_PARAMS(k))                                          \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		const uint oz_i = (uint)get_global_id(0);                                          \
		if (oz_i >= oz_n || !*oz_go)                                                       \
			return;                                                                    \
		k##_sum oz_total;                                                                  \
		k##_begin(&oz_a, oz_i, &oz_total);                                                 \
		size_t oz_at = oz_list_at(oz_list_start[oz_i], oz_i, 0u, oz_list_stride);          \
		size_t oz_to = oz_at;                                                              \
		const uint oz_count = oz_list_count[oz_i];                                         \
		uint oz_kept_count = 0u;                                                           \
		OZ_KEEP_LOOP(k)                                                                    \
		oz_a.kept_count[oz_i] = oz_kept_count;                                             \
		k##_end(&oz_a, oz_i, &oz_total);                                                   \
	}

#define OZ_NEAR_QUAD_FETCH(name) oz_near.name = quad_load(oz_a.name + oz_j);

#define OZ_HARNESS_PAIRS_KEPT(k)                                                                   \
	__kernel void k(OZ_GO, uint oz_n, __global const uint *oz_list,                            \
	                __global const uint *oz_list_start, __global const uint *oz_list_count,    \
	                uint oz_list_stride OZ_PARAMS(k))                                          \
	{                                                                                          \
		OZ_FILL(k)                                                                         \
		const uint oz_i = (uint)get_global_id(0);                                          \
		if (oz_i >= oz_n || !*oz_go)                                                       \
			return;                                                                    \
		k##_sum oz_total;                                                                  \
		k##_begin(&oz_a, oz_i, &oz_total);                                                 \
		size_t oz_at = oz_list_at(oz_list_start[oz_i], oz_i, 0u, oz_list_stride);          \
		const uint oz_count = oz_list_count[oz_i];                                         \
		for (uint oz_c = 0; oz_c < oz_count; oz_c++, oz_at += oz_list_stride) {            \
			const uint oz_j = oz_list[oz_at];                                          \
			k##_near oz_near;                                                          \
			k##_NEAR(OZ_NEAR_QUAD_FETCH, OZ_NEAR_QUAD_FETCH, OZ_NEAR_NONE);            \
			k##_pair(&oz_total, &oz_near, oz_a.kept[oz_at], 0);                        \
		}                                                                                  \
		k##_end(&oz_a, oz_i, &oz_total);                                                   \
	}

#endif
