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
#define oz_cos(x)       cos(x)
#define oz_log(x)       log(x)
#define oz_expm1(x)     expm1(x)

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

// A long sum, one number after the other in a single lane, keeps what each addition drops (Kahan).
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

// every kernel looks whether it is to run at all
#define OZ_GO __global const uint *go

// arguments: a kernel parameter for each list entry, gathered into one struct for the body
#define OZ_PARAM_IN(type, name)  , __global const type *name
#define OZ_PARAM_OUT(type, name) , __global type *name
#define OZ_PARAM_VAL(type, name) , type name
#define OZ_FIELD_IN(type, name)  __global const type *name;
#define OZ_FIELD_OUT(type, name) __global type *name;
#define OZ_FIELD_VAL(type, name) type name;
#define OZ_FILL_ANY(type, name)  a.name = name;

#define OZ_ARGS(k)                                                                                 \
	typedef struct k##_args {                                                                  \
		k##_ARGS(OZ_FIELD_IN, OZ_FIELD_OUT, OZ_FIELD_VAL)                                  \
	} k##_args;

#define OZ_KERNEL(k) OZ_ARGS(k) OZ_KERNEL_OF(k)
#define OZ_KERNEL_OF(k)                                                                            \
	OZ_FN void k##_at(const k##_args *a, uint i);                                              \
	__kernel void k(OZ_GO, uint n k##_ARGS(OZ_PARAM_IN, OZ_PARAM_OUT, OZ_PARAM_VAL))           \
	{                                                                                          \
		k##_args a;                                                                        \
		k##_ARGS(OZ_FILL_ANY, OZ_FILL_ANY, OZ_FILL_ANY);                                   \
		if (get_global_id(0) < n && *go)                                                   \
			k##_at(&a, (uint)get_global_id(0));                                        \
	}                                                                                          \
	OZ_FN void k##_at(const k##_args *a, uint i)

// the numbers of one item lie a group apart: those of all items side by side
#define OZ_STAGE_ITEMS 64u
#define oz_staged(k)   stage[(k)*OZ_STAGE_ITEMS]
#define OZ_STAGE_PARAM __local uint *stage
#define OZ_STAGE_KERNEL(k)                                                                         \
	OZ_FN void k##_at(const k##_args *a, uint i, OZ_STAGE_PARAM);                              \
	__kernel __attribute__((reqd_work_group_size(OZ_STAGE_ITEMS, 1, 1))) void                  \
	k(OZ_GO, uint n k##_ARGS(OZ_PARAM_IN, OZ_PARAM_OUT, OZ_PARAM_VAL), OZ_STAGE_PARAM)         \
	{                                                                                          \
		k##_args a;                                                                        \
		k##_ARGS(OZ_FILL_ANY, OZ_FILL_ANY, OZ_FILL_ANY);                                   \
		if (get_global_id(0) < n && *go)                                                   \
			k##_at(&a, (uint)get_global_id(0), stage + get_local_id(0));               \
	}                                                                                          \
	OZ_FN void k##_at(const k##_args *a, uint i, OZ_STAGE_PARAM)

#define OZ_LANE_KERNEL(k)                                                                          \
	OZ_ARGS(k)                                                                                 \
	OZ_FN void k##_at(const k##_args *a, uint i, uint end);                                    \
	__kernel void k(OZ_GO, uint n k##_ARGS(OZ_PARAM_IN, OZ_PARAM_OUT, OZ_PARAM_VAL))           \
	{                                                                                          \
		k##_args a;                                                                        \
		k##_ARGS(OZ_FILL_ANY, OZ_FILL_ANY, OZ_FILL_ANY);                                   \
		if (get_global_id(0) < n && *go)                                                   \
			k##_at(&a, (uint)get_global_id(0), n);                                     \
	}                                                                                          \
	OZ_FN void k##_at(const k##_args *a, uint i, uint end)

// a group of work items shares the items of a group, and joins its records in a tree
#define OZ_REDUCE_ITEMS 128u
#define OZ_REDUCE_KERNEL(k, record, join)                                                          \
	OZ_ARGS(k)                                                                                 \
	OZ_FN record k##_at(const k##_args *a, uint i);                                            \
	__kernel __attribute__((reqd_work_group_size(OZ_REDUCE_ITEMS, 1, 1))) void                 \
	k(OZ_GO, uint n k##_ARGS(OZ_PARAM_IN, OZ_PARAM_OUT, OZ_PARAM_VAL),                         \
	  __local record *records)                                                                 \
	{                                                                                          \
		k##_args a;                                                                        \
		k##_ARGS(OZ_FILL_ANY, OZ_FILL_ANY, OZ_FILL_ANY);                                   \
		const uint item = (uint)get_local_id(0), group = (uint)get_group_id(0);            \
		const uint first = group * OZ_GROUP, left = a.items - first;                       \
		const uint held = left < OZ_GROUP ? left : OZ_GROUP;                               \
		if (*go && item < held) {                                                          \
			record own = k##_at(&a, first + item);                                     \
			for (uint i = item + OZ_REDUCE_ITEMS; i < held; i += OZ_REDUCE_ITEMS)      \
				own = join(own, k##_at(&a, first + i));                            \
			records[item] = own;                                                       \
		}                                                                                  \
		barrier(CLK_LOCAL_MEM_FENCE);                                                      \
		for (uint reach = OZ_REDUCE_ITEMS / 2u; reach; reach >>= 1) {                      \
			if (*go && item < reach && item + reach < held)                            \
				records[item] = join(records[item], records[item + reach]);        \
			barrier(CLK_LOCAL_MEM_FENCE);                                              \
		}                                                                                  \
		if (*go && item == 0u)                                                             \
			a.out[a.to + group] = records[0];                                          \
	}                                                                                          \
	OZ_FN record k##_at(const k##_args *a, uint i)

#define OZ_NEAR_FIELD(name) lane4 name;
#define OZ_NEAR_FETCH(name)                                                                        \
	near.name.x = a.name[j].x;                                                                 \
	near.name.y = a.name[j].y;                                                                 \
	near.name.z = a.name[j].z;                                                                 \
	near.name.w = a.name[j].w;

#define OZ_PAIR_ARGS(k)                                                                            \
	OZ_ARGS(k)                                                                                 \
	typedef struct k##_near {                                                                  \
		k##_FETCH(OZ_NEAR_FIELD)                                                           \
	} k##_near;

#define OZ_PAIR_PARAMS                                                                             \
	OZ_GO, uint n, __global const uint *list, __global const uint *list_start,                 \
	        __global const uint *list_count, uint list_stride

#define OZ_PAIR_LOOP(k)                                                                            \
	{                                                                                          \
		__global const uint *next = list + oz_list_at(list_start[i], i, 0u, list_stride);  \
		const uint count = list_count[i];                                                  \
		for (uint c = 0; c < count; c++, next += list_stride) {                            \
			const uint j = *next;                                                      \
			k##_near near;                                                             \
			k##_FETCH(OZ_NEAR_FETCH);                                                  \
			k##_pair(&a, &sum, &near);                                                 \
		}                                                                                  \
	}

#define OZ_PAIR_BODY(k, loops)                                                                     \
	__kernel void k(OZ_PAIR_PARAMS k##_ARGS(OZ_PARAM_IN, OZ_PARAM_OUT, OZ_PARAM_VAL))          \
	{                                                                                          \
		k##_args a;                                                                        \
		k##_ARGS(OZ_FILL_ANY, OZ_FILL_ANY, OZ_FILL_ANY);                                   \
		const uint i = (uint)get_global_id(0);                                             \
		if (i >= n || !*go)                                                                \
			return;                                                                    \
		k##_sum sum;                                                                       \
		k##_begin(&a, i, &sum);                                                            \
		loops(k) k##_end(&a, i, &sum);                                                     \
	}

#define OZ_PAIR_KERNEL(k) OZ_PAIR_BODY(k, OZ_PAIR_LOOP)
#define OZ_LIST_KERNEL(k) OZ_PAIR_BODY(k, OZ_PAIR_LOOP)
// marks spare the CPU's vectors; a work item that visits a neighbour beyond reach adds zero
#define OZ_PAIR_KERNEL_MARKED(k) OZ_PAIR_BODY(k, OZ_PAIR_LOOP)

// Which smoothing kernel it is, is asked once: a branch inside the loop would keep the loads of one
// pair from being under way with those of the next.
#define OZ_SMOOTHED_LOOP(k)                                                                        \
	if (a.fluid.smoothing == 0u) {                                                             \
		a.fluid.smoothing = 0u;                                                            \
		OZ_PAIR_LOOP(k)                                                                    \
	} else if (a.fluid.smoothing == 1u) {                                                      \
		a.fluid.smoothing = 1u;                                                            \
		OZ_PAIR_LOOP(k)                                                                    \
	} else {                                                                                   \
		OZ_PAIR_LOOP(k)                                                                    \
	}
#define OZ_SMOOTHED_KERNEL(k)        OZ_PAIR_BODY(k, OZ_SMOOTHED_LOOP)
#define OZ_SMOOTHED_KERNEL_MARKED(k) OZ_PAIR_BODY(k, OZ_SMOOTHED_LOOP)
#define OZ_SMOOTHED_LIST_KERNEL(k)   OZ_PAIR_BODY(k, OZ_SMOOTHED_LOOP)

#endif
