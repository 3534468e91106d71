// kernel.h: how a kernel file is written, once, for threads and for OpenCL.
//
// A kernel file (*.cl) is C11 and OpenCL C 1.2 at the same time. It begins with this header and
// then declares what it reads and writes as a list:
//
//   #define drift_ARGS(IN, OUT, VAL)                 IN: read only, OUT: written, VAL: by value
//           IN(oz_float4, velocity) OUT(oz_float4, position) VAL(float, dt)
//   OZ_KERNEL(drift)                                 one call for each particle i
//   {
//           a->position[i] = …;
//   }
//
// The list makes the struct `drift_args`, so that host code launches by name:
//
//   OZ_LAUNCH(device, drift, count, .velocity = v, .position = x, .dt = dt);
//
// Where functions of a file share its arguments, OZ_ARGS(drift) makes the struct before them and
// OZ_KERNEL_OF(drift) the kernel behind.
//
// Pair physics is written over lanes. A `lane` is a float in OpenCL and a vector of 4, 8 or 16
// floats in C; `lane4` is a record of four. A pair kernel has three functions and a list of the
// 16-byte records that the harness fetches for its neighbours:
//
//   #define density_FETCH(F) F(position)
//   typedef struct density_sum { lane n; } density_sum;
//   OZ_PAIR_ARGS(density)
//   OZ_FN void density_begin(const density_args *a, uint i, density_sum *s);
//   OZ_FN void density_pair(const density_args *a, density_sum *s, const density_near *j);
//   OZ_FN void density_end(const density_args *a, uint i, density_sum *s);
//   OZ_PAIR_KERNEL(density)                          or OZ_PAIR_KERNEL_MARKED, see kernel_cpu.h;
//                                                    OZ_SMOOTHED_KERNEL(_MARKED) where a->fluid
//                                                    names a smoothing kernel
//
// density_near holds one lane4 for each fetched record. Where a list ends inside a vector, the
// spare lanes see a neighbour OZ_FAR away from everything: kernels with compact support add zero.
//
// A reduction joins the records of OZ_GROUP items that follow each other into one:
//
//   #define measure_ARGS(IN, OUT, VAL)  … OUT(record, out) VAL(uint, items) VAL(uint, to)
//   OZ_REDUCE_KERNEL(measure, record, join)          gives the record of item i
//
// It is launched over groups; the record of group g is out[to + g].
//
// OZ_ARGS(k) and OZ_STAGE_KERNEL(k) make a kernel in which every item has OZ_LOCAL_WORDS numbers of
// quick memory, oz_staged(0) …, to put together what it writes later.
//
// The common subset: no double, no pointers to pointers, no recursion, no function pointers;
// vectors of four are read by component and made with oz_make4; functions are OZ_FN; constants
// carry an f. A kernel's arguments reach it through a struct of pointers, `a`. A file that host
// code includes only gives it the argument structs.
#ifndef OZ_KERNEL_H
#define OZ_KERNEL_H

#include "ooze/types.h"

#define OZ_LOCAL_WORDS 64u   // numbers that an item of a staged kernel has
#define OZ_GROUP       1024u // items that a reduction joins into one record

#ifdef __OPENCL_VERSION__
#include "device/kernel_opencl.h"
#else
#include "device/kernel_cpu.h"
#endif

// A sum of whole numbers that many items add to: exact, so that their order makes no difference.
typedef struct oz_sum {
	uint low, high;
} oz_sum;

OZ_FN void oz_sum_add(OZ_GLOBAL oz_sum *sum, oz_u64 value)
{
	const uint low = (uint)value;
	const uint before = oz_atomic_add(&sum->low, low);
	const uint high = (uint)(value >> 32) + (before + low < before ? 1u : 0u);
	if (high)
		oz_atomic_add(&sum->high, high);
}

OZ_FN oz_u64 oz_sum_get(oz_sum sum)
{
	return (oz_u64)sum.high << 32 | sum.low;
}

// Where entry c of item i lies in a list: those of `stride` items are interleaved, row by row, and
// `start` counts rows.
#define oz_list_at(start, i, c, stride)                                                            \
	((size_t)(start) * (stride) + (i) % (stride) + (size_t)(c) * (stride))

#define OZ_FAR 1e12f // m; its square over that of the smallest support is still a float

#endif
