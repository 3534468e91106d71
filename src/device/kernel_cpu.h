// kernel_cpu.h: the kernel macros for C: a launch is a range of particles, a lane a SIMD vector.
//
// Host code that includes a kernel file gets its argument structs. Only the file that collects all
// kernels for an instruction set (cpu_kernels.c, which defines OZ_CPU_KERNELS) gets the loops.
#ifndef OZ_KERNEL_CPU_H
#define OZ_KERNEL_CPU_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/lanes.h"

#define OZ_FN static inline __attribute__((unused))
#define OZ_GLOBAL
#define OZ_CONST const

typedef uint32_t uint;

typedef struct oz_float4 {
	float x, y, z, w;
} __attribute__((aligned(16))) oz_float4;

// The neighbours of particle i: list[start[i]] … list[start[i] + count[i] - 1]. At least OZ_LANES
// entries beyond the last one may be read, and hold valid particles.
typedef struct oz_lists {
	const uint *list, *start, *count;
} oz_lists;

OZ_FN oz_float4 oz_make4(float x, float y, float z, float w)
{
	return (oz_float4){x, y, z, w};
}

#define oz_sqrt(x)   sqrtf(x)
#define oz_rsqrt(x)  (1.0f / sqrtf(x))
#define oz_abs(x)    fabsf(x)
#define oz_floor(x)  floorf(x)
#define oz_round(x)  rintf(x)
#define oz_sin(x)    sinf(x)
#define oz_cos(x)    cosf(x)
#define oz_finite(x) isfinite(x)

// where a is not a number, both give b
OZ_FN float oz_min(float a, float b)
{
	return a < b ? a : b;
}

OZ_FN float oz_max(float a, float b)
{
	return a > b ? a : b;
}

// a·b + c with one rounding, or as good as that where the machine has no such instruction
OZ_FN float oz_fma(float a, float b, float c)
{
#ifdef __FMA__
	return __builtin_fmaf(a, b, c);
#else
	return (float)((double)a * (double)b + (double)c);
#endif
}

#define OZ_FIELD_IN(type, name)  const type *name;
#define OZ_FIELD_OUT(type, name) type *name;
#define OZ_FIELD_VAL(type, name) type name;

#define OZ_ARGS(k)                                                                                 \
	typedef struct k##_args {                                                                  \
		k##_ARGS(OZ_FIELD_IN, OZ_FIELD_OUT, OZ_FIELD_VAL)                                  \
	} k##_args;

#define OZ_NEAR_FIELD(name) lane4 name;
#define OZ_NEAR_FETCH(name) near.name = lane_fetch((const float *)a.name, list + c);

#define OZ_PAIR_ARGS(k)                                                                            \
	OZ_ARGS(k)                                                                                 \
	typedef struct k##_near {                                                                  \
		k##_FETCH(OZ_NEAR_FIELD)                                                           \
	} k##_near;

#ifdef OZ_CPU_KERNELS

#define OZ_KERNEL(k)                                                                               \
	OZ_ARGS(k)                                                                                 \
	OZ_FN void k##_at(const k##_args *a, uint i);                                              \
	static void k##_range(const void *args, const oz_lists *lists, uint begin, uint end)       \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		(void)lists;                                                                       \
		for (uint i = begin; i < end; i++)                                                 \
			k##_at(&a, i);                                                             \
	}                                                                                          \
	OZ_FN void k##_at(const k##_args *a, uint i)

// where the list ends inside a vector, the spare lanes are moved out of everybody's reach
#define OZ_PAIR_KERNEL(k)                                                                          \
	static void k##_range(const void *args, const oz_lists *lists, uint begin, uint end)       \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		for (uint i = begin; i < end; i++) {                                               \
			const uint *list = lists->list + lists->start[i];                          \
			const int32_t count = (int32_t)lists->count[i];                            \
			k##_sum sum;                                                               \
			k##_near near;                                                             \
			k##_begin(&a, i, &sum);                                                    \
			for (int32_t c = 0; c < count; c += OZ_LANES) {                            \
				k##_FETCH(OZ_NEAR_FETCH);                                          \
				near.position.x = lane_select(lane_iota() < count - c,             \
				                              near.position.x, lane_of(OZ_FAR));   \
				k##_pair(&a, &sum, &near);                                         \
			}                                                                          \
			k##_end(&a, i, &sum);                                                      \
		}                                                                                  \
	}

#else

#define OZ_KERNEL(k)                                                                               \
	OZ_ARGS(k)                                                                                 \
	OZ_FN void k##_at(const k##_args *a, uint i)

#define OZ_PAIR_KERNEL(k)

#endif
#endif
