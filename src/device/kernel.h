// kernel.h: how a kernel file is written, once, for threads and for OpenCL (docs/kernels.md).
//
// A kernel file (*.cl) is C11 and OpenCL C 1.2 at the same time. For each kernel it has a list of
// arguments and one or more functions; at its end it lists its kernels, which registers them:
//
//   #define drift_ARGS(IN, OUT, VAL)
//           IN(oz_float4, velocity) OUT(oz_float4, position) VAL(float, dt)
//   OZ_ARGS(drift)
//
//   // moves particle i
//   OZ_FN void drift_at(const drift_args *a, uint i)
//   {
//           a->position[i] = …;
//   }
//
//   #define drift_KERNELS(X) X(drift, EACH)          named after the file, drift.cl
//   OZ_KERNELS(drift_KERNELS)
//
// IN is a buffer that is read, OUT one that is written, VAL a value; OZ_ARGS makes the struct
// drift_args. Host code includes the file and launches by name. A launch that leaves an argument
// out does not compile:
//
//   OZ_LAUNCH(device, drift, count, .velocity = v, .position = x, .dt = dt);
//
// The second word of a row says how kernel k runs and which functions it has:
//
//   EACH           k_at(a, i)                        item i
//   VECTOR         k_at(a, i, end)                   items i, i + 1 … of one vector, below `end`
//   LOCAL          k_at(a, i, words)                 item i, with OZ_LOCAL_WORDS of local memory:
//                                                    oz_local(words, c)
//   PAIRS          k_begin, k_pair, k_end            item i and its neighbours; sets the marks
//   PAIRS_MARKED   the same                          visits the marked neighbours only
//   PAIRS_AT_REST  the same                          item i and its rest list
//   PAIRS_LINKED   the same                          item i and its list, a float of each entry
//   PAIRS_KEEP     the same                          keeps neighbours for PAIRS_KEPT
//   PAIRS_KEPT     the same                          item i and the neighbours kept, as quads
//   REDUCE         k_at(a, i) gives a record         one record for each OZ_GROUP items; OZ_REDUCE
//   REDUCE_LANES   k_at(a, i, end) gives k_lanes     the same, items i, i + 1 … of one vector,
//   below
//                                                    `end`; k_join_lanes joins two, k_fold makes a
//                                                    record of one
//   CPU            k_range                           on the CPU only, written by hand
//
// Pair kernels compute on lanes. A `lane` is a float in OpenCL and a vector of 4, 8 or 16 floats in
// C; `lane4` is a record of four. k_NEAR lists the 16-byte records that are fetched for neighbours:
//
//   #define force_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(velocity) CASE(fluid.smoothing)
//   OZ_PAIR_ARGS(force)                              makes force_args and force_near, one lane4 for
//                                                    each record
//   typedef struct force_sum { lane x, y, z; } force_sum;
//   OZ_FN void force_begin(const force_args *a, uint i, force_sum *s);
//   OZ_FN void force_pair(const force_args *a, force_sum *s, const force_near *j);
//   OZ_FN void force_end(const force_args *a, uint i, force_sum *s);
//
// PLACE is the record with the position, ALSO any other record. Where a list ends inside a vector,
// the unused lanes get a position OZ_FAR away: kernels with compact support add zero for them. CASE
// names an argument; OpenCL compiles the loop once for each of its values 0, 1 and 3, and once for
// all others.
//
// The lists of PAIRS_LINKED have a float for each entry, in the buffer that k_LINK names; k_pair
// gets a pointer to it as its last argument and may change it:
//
//   #define pull_LINK rest
//   OZ_FN void pull_pair(const pull_args *a, pull_sum *s, const pull_near *j, lane *rest);
//
// In unused lanes the float is 0: such an entry must add nothing.
//
// k_pair of PAIRS_KEEP gets a `lane *` as its last argument. Neighbours for which it writes a value
// other than 0 are kept with it: kernels of PAIRS_KEPT visit these alone, and get the value. A
// PAIRS_KEEP kernel has the arguments OUT(uint, kept_list) OUT(float, kept) OUT(uint, kept_count),
// a PAIRS_KEPT kernel IN(float, kept); oz_neighbours has the buffers. PAIRS_KEPT kernels compute
// on quads: a `quad` is a record of 16 bytes as one vector, with + - * / of components and floats.
// Their k_pair gets no arguments of the launch, and adds to one of OZ_QUAD_SUMS partial sums:
//
//   OZ_KEPT_ARGS(spread)                             spread_near has a quad for each record
//   typedef struct spread_sum { quad x, sum[OZ_QUAD_SUMS]; } spread_sum;
//   OZ_FN void spread_pair(spread_sum *s, const spread_near *j, float kept, int part);
//
// The common subset: no double, no pointers to pointers, no recursion, no function pointers;
// vectors of four are read by component and made with oz_make4; functions are OZ_FN; constants
// carry an f. Host code that includes a kernel file gets the argument structs, not the loops.
#ifndef OZ_KERNEL_H
#define OZ_KERNEL_H

#include "ooze/types.h"

#define OZ_LOCAL_WORDS 64u   // 32-bit words of local memory for each item of a LOCAL kernel
#define OZ_GROUP       1024u // items that a REDUCE kernel joins into one record

// Declares the record type of a REDUCE kernel, the function that joins two records, and the buffer
// for the results: the record of group g is written to a->buffer[a->first + g].
#define OZ_REDUCE(k, record, join, buffer, first)                                                  \
	typedef record k##_record;                                                                 \
	OZ_FN record k##_join(record x, record y)                                                  \
	{                                                                                          \
		return join(x, y);                                                                 \
	}                                                                                          \
	OZ_FN void k##_store(const k##_args *a, uint g, record r)                                  \
	{                                                                                          \
		a->buffer[a->first + g] = r;                                                       \
	}

// the harness, the loop over items that calls the functions of kernel k
#define OZ_HARNESS(k, way) OZ_HARNESS_##way(k)

// entries of the list k_NEAR as members of k_near
#define OZ_NEAR_FIELD(name) lane4 name;
#define OZ_NEAR_NONE(name)

#ifdef __OPENCL_VERSION__
#include "device/kernel_opencl.h"
#else
#include "device/kernel_cpu.h"
#endif

// A 64-bit integer sum that many items add to. It is exact, so the order of additions has no
// effect.
typedef struct oz_sum {
	uint low, high;
} oz_sum;

// adds atomically; on 32-bit words, because OpenCL 1.2 has no 64-bit atomics
OZ_FN void oz_sum_add(OZ_GLOBAL oz_sum *sum, oz_u64 value)
{
	const uint low = (uint)value;
	const uint before = oz_atomic_add(&sum->low, low);
	const uint high = (uint)(value >> 32) + (before + low < before ? 1u : 0u);
	if (high)
		oz_atomic_add(&sum->high, high);
}

// A number rounded to whole quanta, within ±most, so that the sum over all items fits; 0 for NaN.
// A negative number adds as its two's complement.
OZ_FN oz_u64 oz_sum_quanta(float value, float most)
{
	// comparisons with NaN are false
	const float within = value > most    ? most
	                     : value > -most ? value
	                     : value < 0.0f  ? -most
	                                     : 0.0f;
	return (oz_u64)(oz_i64)oz_round(within);
}

// the sum as one number, after all additions
OZ_FN oz_u64 oz_sum_get(oz_sum sum)
{
	return (oz_u64)sum.high << 32 | sum.low;
}

// Index of entry c of item i in a list. Entries of `stride` items are interleaved: row c has entry
// c of each of them. `start` is the first row of item i.
#define oz_list_at(start, i, c, stride)                                                            \
	((size_t)(start) * (stride) + (i) % (stride) + (size_t)(c) * (stride))

#define OZ_FAR 1e12f // m; (OZ_FAR / smallest support radius)² is still a finite float

#endif
