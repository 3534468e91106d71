// kernel_cpu.h: the kernel macros for C: a launch is a range of particles, a lane a SIMD vector.
//
// Host code that includes a kernel file gets its argument structs. Only the file that collects the
// kernels of a pack (kernels/pack_cpu.c, which defines OZ_CPU_KERNELS) gets the loops.
#ifndef OZ_KERNEL_CPU_H
#define OZ_KERNEL_CPU_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/lanes.h"

#define OZ_FN static inline __attribute__((unused))
#define OZ_GLOBAL

typedef uint32_t uint;
typedef uint16_t ushort;
typedef uint64_t oz_u64;
typedef int64_t oz_i64;

typedef struct oz_float4 {
	float x, y, z, w;
} __attribute__((aligned(16))) oz_float4;

// a record as one vector, for PAIRS_KEPT kernels
typedef float quad __attribute__((vector_size(16)));

#define OZ_QUAD_SUMS 4 // partial sums of a PAIRS_KEPT kernel: a single one waits for each addition

// The neighbours of particle i: list[oz_list_at(start[i], i, c, stride)] for c below count[i]. On
// the CPU the stride is 1, and OZ_LANES entries behind the last one may be read and hold valid
// particles. On OpenCL the lists of consecutive particles are interleaved.
//
// Lists contain neighbours up to the support radius plus the skin. A PAIRS kernel sets a mark, one
// bit, for each of the first 64 neighbours that is within the support radius now; a PAIRS_MARKED
// kernel visits only marked ones. A launch does not write the marks of items whose count is 0.
typedef struct oz_lists {
	const uint *list, *start, *count;
	uint stride;
	uint unit;       // a list takes a multiple of so many entries; 0: as many as it has
	uint64_t *marks; // NULL on OpenCL, which does not use marks
	float reach2;    // m², squared distance below which a neighbour is marked
	const struct oz_blocks *blocks; // the same lists joined into blocks; NULL: not used
} oz_lists;

// entries that a list takes on the CPU
OZ_FN uint oz_list_room(uint count, uint unit)
{
	return unit > 1 ? (count + unit - 1) / unit * unit : count;
}

#define OZ_MARKS 64 // bits of a mark word

OZ_FN oz_float4 oz_make4(float x, float y, float z, float w)
{
	return (oz_float4){x, y, z, w};
}

OZ_FN quad quad_load(const oz_float4 *record)
{
	quad r;
	__builtin_memcpy(&r, record, sizeof r);
	return r;
}

// component k in all four
#ifdef __clang__
#define quad_all(r, k) __builtin_shufflevector(r, r, k, k, k, k)
#else
#define quad_all(r, k) __builtin_shuffle(r, (int32_t __attribute__((vector_size(16)))){k, k, k, k})
#endif

// the sum of the partial sums
OZ_FN oz_float4 quad_sum(const quad sums[OZ_QUAD_SUMS])
{
	const quad all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
	return oz_make4(all[0], all[1], all[2], all[3]);
}

OZ_FN void quad_clear(quad sums[OZ_QUAD_SUMS])
{
	for (int k = 0; k < OZ_QUAD_SUMS; k++)
		sums[k] = (quad){0};
}

// A long sum. Each lane adds only a share of the numbers, so plain additions are accurate enough.
typedef lane lane_total;

OZ_FN void lane_total_add(lane_total *t, lane value)
{
	*t += value;
}

#define lane_total_zero(t) ((t) = lane_of(0.0f))
#define lane_total_get(t)  (t)

// a (1 - t) + b t
OZ_FN oz_float4 oz_mix4(oz_float4 a, oz_float4 b, float t)
{
	typedef float four __attribute__((vector_size(16)));
	four x, y;
	__builtin_memcpy(&x, &a, sizeof x);
	__builtin_memcpy(&y, &b, sizeof y);
	x += (y - x) * t;
	__builtin_memcpy(&a, &x, sizeof a);
	return a;
}

// the horizontal sums of four vectors
OZ_FN oz_float4 lane_sum4(lane a, lane b, lane c, lane d)
{
	float s[4];
	lane_sums(a, b, c, d, s);
	return oz_make4(s[0], s[1], s[2], s[3]);
}

#define oz_sqrt(x)     sqrtf(x)
#define oz_rsqrt(x)    (1.0f / sqrtf(x))
#define oz_abs(x)      fabsf(x)
#define oz_floor(x)    floorf(x)
#define oz_round(x)    rintf(x)
#define oz_sin(x)      sinf(x)
#define oz_atan2(y, x) atan2f(y, x)
#define oz_cos(x)      cosf(x)
#define oz_log(x)      logf(x)
#define oz_expm1(x)    expm1f(x)
#define oz_exp(x)      expf(x)
#define oz_pow(x, y)   powf(x, y)

// If a is NaN, both return b.
OZ_FN float oz_min(float a, float b)
{
	return a < b ? a : b;
}

OZ_FN float oz_max(float a, float b)
{
	return a > b ? a : b;
}

// a·b + c with one rounding; without an FMA instruction computed in double
OZ_FN float oz_fma(float a, float b, float c)
{
#ifdef __FMA__
	return __builtin_fmaf(a, b, c);
#else
	return (float)((double)a * (double)b + (double)c);
#endif
}

// x² + y² + z², with the same rounding in every copy of the code
OZ_FN float oz_square_sum(float x, float y, float z)
{
#ifdef __FMA__
	return __builtin_fmaf(z, z, __builtin_fmaf(y, y, x * x));
#else
	return x * x + y * y + z * z;
#endif
}

#define oz_lowest_bit(x) ((uint)__builtin_ctzll(x)) // of an oz_u64 that is not 0
#define oz_count_bits(x) ((uint)__builtin_popcountll(x))

// the bits of a float as an integer, and back
OZ_FN uint oz_bits_of_float(float x)
{
	uint bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

OZ_FN float oz_float_of_bits(uint bits)
{
	float x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

// atomic operations; those that write return the old value
#define oz_atomic_load(p)   __atomic_load_n((p), __ATOMIC_RELAXED)
#define oz_atomic_add(p, v) __atomic_fetch_add((p), (v), __ATOMIC_RELAXED)
#define oz_atomic_or(p, v)  __atomic_fetch_or((p), (v), __ATOMIC_RELAXED)

// writes `fresh` if the value is `old` (compare and swap)
OZ_FN uint oz_atomic_swap(uint *p, uint old, uint fresh)
{
	__atomic_compare_exchange_n(p, &old, fresh, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

OZ_FN uint oz_atomic_min(uint *p, uint v)
{
	uint old = oz_atomic_load(p);
	while (v < old &&
	       !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
	}
	return old;
}

OZ_FN uint oz_atomic_max(uint *p, uint v)
{
	uint old = oz_atomic_load(p);
	while (v > old &&
	       !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
	}
	return old;
}

#define oz_lane_bits(x)    ((lane_mask)(x))
#define oz_lane_of_bits(x) ((lane)(x))
#define oz_lane_float(x)   __builtin_convertvector(x, lane)
#define oz_lane_first(x)   ((x)[0])

// access to single lanes
#define OZ_WIDTH              OZ_LANES
#define oz_lane_at(x, k)      ((x)[k])
#define oz_lane_true(mask, k) ((mask)[k] != 0)

// whether the mask is set in any lane
OZ_FN bool oz_lane_any(lane_mask mask)
{
	int32_t any = 0;
	for (uint k = 0; k < OZ_LANES; k++)
		any |= mask[k];
	return any != 0;
}

// Loads the records of items i, i + 1 … below `end`; lanes beyond it get the last record. The
// order of items in lanes is that of oz_lane_store.
OZ_FN lane4 oz_lane_load(const oz_float4 *records, uint i, uint end)
{
	oz_float4 last[OZ_LANES];
	if (i + OZ_LANES <= end)
		return lane_load(records + i);
	for (uint k = 0; k < OZ_LANES; k++)
		last[k] = records[i + k < end ? i + k : end - 1u];
	return lane_load(last);
}

// stores the records of items i, i + 1 … below `end`
OZ_FN void oz_lane_store(oz_float4 *records, uint i, uint end, lane4 v)
{
	oz_float4 last[OZ_LANES];
	if (i + OZ_LANES <= end) {
		lane_store(records + i, v);
		return;
	}
	lane_store(last, v);
	memcpy(records + i, last, sizeof *last * (end - i));
}

// the numbers of items i, i + 1 … below `end`; 0 in lanes beyond it
OZ_FN lane oz_lane_get(const float *numbers, uint i, uint end)
{
	lane v = {0};
	if (i + OZ_LANES <= end)
		memcpy(&v, numbers + i, sizeof v);
	else
		memcpy(&v, numbers + i, sizeof *numbers * (end - i));
	return v;
}

// writes the numbers of items i, i + 1 … below `end`
OZ_FN void oz_lane_put(float *numbers, uint i, uint end, lane v)
{
	if (i + OZ_LANES <= end)
		memcpy(numbers + i, &v, sizeof v);
	else
		memcpy(numbers + i, &v, sizeof *numbers * (end - i));
}

// writes them into the w of records
OZ_FN void oz_lane_put_w(oz_float4 *records, uint i, uint end, lane v)
{
	for (uint k = 0; k < OZ_LANES && i + k < end; k++)
		records[i + k].w = v[k];
}

// the largest of all lanes
OZ_FN float oz_lane_most(lane v)
{
	float most = v[0];
	for (uint k = 1; k < OZ_LANES; k++)
		most = oz_max(v[k], most);
	return most;
}

#define OZ_FIELD_IN(type, name)  const type *name;
#define OZ_FIELD_OUT(type, name) type *name;
#define OZ_FIELD_VAL(type, name) type name;

#define OZ_PLUS_ONE(type, name) +1

// Declares the argument struct of a kernel, its number of arguments and its record (pack.h).
#define OZ_ARGS_OF(k, pairs)                                                                       \
	typedef struct k##_args {                                                                  \
		k##_ARGS(OZ_FIELD_IN, OZ_FIELD_OUT, OZ_FIELD_VAL)                                  \
	} k##_args;                                                                                \
	enum {                                                                                     \
		k##_arg_count = 0 k##_ARGS(OZ_PLUS_ONE, OZ_PLUS_ONE, OZ_PLUS_ONE),                 \
		k##_has_pairs = pairs                                                              \
	};                                                                                         \
	extern const struct oz_kernel oz_kernel_##k;

#define OZ_ARGS(k) OZ_ARGS_OF(k, 0)
#define OZ_PAIR_ARGS(k)                                                                            \
	OZ_ARGS_OF(k, 1)                                                                           \
	typedef struct k##_near {                                                                  \
		k##_NEAR(OZ_NEAR_FIELD, OZ_NEAR_FIELD, OZ_NEAR_NONE)                               \
	} k##_near;

#define OZ_NEAR_QUAD(name) quad name;
#define OZ_KEPT_ARGS(k)                                                                            \
	OZ_ARGS_OF(k, 1)                                                                           \
	typedef struct k##_near {                                                                  \
		k##_NEAR(OZ_NEAR_QUAD, OZ_NEAR_QUAD, OZ_NEAR_NONE)                                 \
	} k##_near;

#define OZ_LOCAL
#define oz_local(words, c) (words)[c]

#ifndef OZ_CPU_KERNELS
#define OZ_KERNELS(list)
#else
#define OZ_KERNELS(list) list(OZ_HARNESS)

#define OZ_RANGE(k)                                                                                \
	static void k##_range(const void *args, const oz_lists *lists, uint begin, uint end)

#define OZ_HARNESS_EACH(k)                                                                         \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		(void)lists;                                                                       \
		for (uint i = begin; i < end; i++)                                                 \
			k##_at(&a, i);                                                             \
	}

#define OZ_HARNESS_VECTOR(k)                                                                       \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		(void)lists;                                                                       \
		for (uint i = begin; i < end; i += OZ_LANES)                                       \
			k##_at(&a, i, end);                                                        \
	}

#define OZ_HARNESS_LOCAL(k)                                                                        \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		uint words[OZ_LOCAL_WORDS];                                                        \
		(void)lists;                                                                       \
		for (uint i = begin; i < end; i++)                                                 \
			k##_at(&a, i, words);                                                      \
	}

// `begin` is the first item of a group
#define OZ_HARNESS_REDUCE(k)                                                                       \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		(void)lists;                                                                       \
		for (uint first = begin; first < end; first += OZ_GROUP) {                         \
			const uint last = end - first < OZ_GROUP ? end : first + OZ_GROUP;         \
			k##_record all = k##_at(&a, first);                                        \
			for (uint i = first + 1u; i < last; i++)                                   \
				all = k##_join(all, k##_at(&a, i));                                \
			k##_store(&a, first / OZ_GROUP, all);                                      \
		}                                                                                  \
	}

// the same with vectors of items; lanes are joined at the end of a group
#define OZ_HARNESS_REDUCE_LANES(k)                                                                 \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		(void)lists;                                                                       \
		for (uint first = begin; first < end; first += OZ_GROUP) {                         \
			const uint last = end - first < OZ_GROUP ? end : first + OZ_GROUP;         \
			k##_lanes all = k##_at(&a, first, last);                                   \
			for (uint i = first + OZ_LANES; i < last; i += OZ_LANES)                   \
				all = k##_join_lanes(all, k##_at(&a, i, last));                    \
			k##_store(&a, first / OZ_GROUP, k##_fold(all));                            \
		}                                                                                  \
	}

#define OZ_HARNESS_CPU(k)

#define OZ_NEAR_FETCH(name) near.name = lane_fetch((const float *)a.name, list + c);
#define OZ_NEAR_FAR(name)   near.name.x = lane_head(left, near.name.x, lane_of(OZ_FAR));
#define OZ_NEAR_OWN(name)   a.name[i]
#define OZ_NEAR_PLACE(name) near.name

// Fetches a vector of neighbours and calls k_pair. Lanes beyond `rest` entries get a position
// OZ_FAR away.
#define OZ_PAIR_VECTOR(k, rest)                                                                    \
	const int32_t left = (rest);                                                               \
	k##_NEAR(OZ_NEAR_FETCH, OZ_NEAR_FETCH, OZ_NEAR_NONE);                                      \
	k##_NEAR(OZ_NEAR_FAR, OZ_NEAR_NONE, OZ_NEAR_NONE);                                         \
	k##_pair(&a, &sum, &near);

#define OZ_PLACE(k, of) k##_NEAR(of, OZ_NEAR_NONE, OZ_NEAR_NONE)

#define OZ_HARNESS_PAIRS(k)                                                                        \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		for (uint i = begin; i < end; i++) {                                               \
			const uint *list = lists->list + lists->start[i];                          \
			const int32_t count = (int32_t)lists->count[i];                            \
			const oz_float4 own = OZ_PLACE(k, OZ_NEAR_OWN);                            \
			uint64_t marks = 0;                                                        \
			k##_sum sum;                                                               \
			k##_near near;                                                             \
			k##_begin(&a, i, &sum);                                                    \
			for (int32_t c = 0; c < count; c += OZ_LANES) {                            \
				OZ_PAIR_VECTOR(k, count - c)                                       \
				const lane4 place = OZ_PLACE(k, OZ_NEAR_PLACE);                    \
				const lane x = own.x - place.x;                                    \
				const lane y = own.y - place.y;                                    \
				const lane z = own.z - place.z;                                    \
				const uint64_t bits =                                              \
				        lane_less(x * x + y * y + z * z, lists->reach2);           \
				marks |= c < OZ_MARKS ? bits << c : 0;                             \
			}                                                                          \
			if (count) /* count 0: another launch sets the marks */                    \
				lists->marks[i] = marks;                                           \
			k##_end(&a, i, &sum);                                                      \
		}                                                                                  \
	}

// Copies the marked entries of a list into `packed` and returns their number. Entries from OZ_MARKS
// on have no mark and are not copied.
OZ_FN int32_t oz_pack_marked(uint *packed, const uint *list, int32_t count, uint64_t marks)
{
	int32_t n = 0;
	for (int32_t c = 0; c < count && c < OZ_MARKS; c += OZ_LANES) {
		const uint bits = (uint)(marks >> c) & (uint)((1ull << OZ_LANES) - 1);
		lane_pack(packed + n, list + c, bits);
		n += __builtin_popcount(bits);
	}
	memset(packed + n, 0, sizeof(uint) * OZ_LANES); // unused lanes fetch particle 0
	return n;
}

#define OZ_HARNESS_PAIRS_MARKED(k)                                                                 \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		for (uint i = begin; i < end; i++) {                                               \
			const uint *whole = lists->list + lists->start[i];                         \
			const int32_t all = (int32_t)lists->count[i];                              \
			uint packed[OZ_MARKS + OZ_LANES];                                          \
			const int32_t count = oz_pack_marked(packed, whole, all, lists->marks[i]); \
			const uint *list = packed;                                                 \
			k##_sum sum;                                                               \
			k##_near near;                                                             \
			k##_begin(&a, i, &sum);                                                    \
			for (int32_t c = 0; c < count; c += OZ_LANES) {                            \
				OZ_PAIR_VECTOR(k, count - c)                                       \
			}                                                                          \
			list = whole;                                                              \
			for (int32_t c = OZ_MARKS; c < all; c += OZ_LANES) {                       \
				OZ_PAIR_VECTOR(k, all - c)                                         \
			}                                                                          \
			k##_end(&a, i, &sum);                                                      \
		}                                                                                  \
	}

// The length of a rest list is a multiple of OZ_LANES; padding entries add zero. Marks are not
// used.
#define OZ_HARNESS_PAIRS_AT_REST(k)                                                                \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		for (uint i = begin; i < end; i++) {                                               \
			const uint *list = lists->list + lists->start[i];                          \
			const uint count = lists->count[i];                                        \
			k##_sum sum;                                                               \
			k##_near near;                                                             \
			k##_begin(&a, i, &sum);                                                    \
			for (uint c = 0; c < count; c += OZ_LANES) {                               \
				k##_NEAR(OZ_NEAR_FETCH, OZ_NEAR_FETCH, OZ_NEAR_NONE);              \
				k##_pair(&a, &sum, &near);                                         \
			}                                                                          \
			k##_end(&a, i, &sum);                                                      \
		}                                                                                  \
	}

// The floats of the entries of item i follow each other as its list does. Lanes beyond the last
// entry get 0 and are not written: the next list may belong to another thread.
#define OZ_HARNESS_PAIRS_LINKED(k)                                                                 \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		for (uint i = begin; i < end; i++) {                                               \
			const uint *list = lists->list + lists->start[i];                          \
			float *link = a.k##_LINK + lists->start[i];                                \
			const int32_t count = (int32_t)lists->count[i];                            \
			k##_sum sum;                                                               \
			k##_near near;                                                             \
			k##_begin(&a, i, &sum);                                                    \
			for (int32_t c = 0; c < count; c += OZ_LANES) {                            \
				const int32_t left = count - c;                                    \
				const size_t own = sizeof(float) *                                 \
				                   (size_t)(left < OZ_LANES ? left : OZ_LANES);    \
				lane value = {0};                                                  \
				k##_NEAR(OZ_NEAR_FETCH, OZ_NEAR_FETCH, OZ_NEAR_NONE);              \
				if (left >= OZ_LANES) {                                            \
					memcpy(&value, link + c, sizeof value);                    \
					k##_pair(&a, &sum, &near, &value);                         \
					memcpy(link + c, &value, sizeof value);                    \
				} else {                                                           \
					memcpy(&value, link + c, own);                             \
					k##_pair(&a, &sum, &near, &value);                         \
					memcpy(link + c, &value, own);                             \
				}                                                                  \
			}                                                                          \
			k##_end(&a, i, &sum);                                                      \
		}                                                                                  \
	}

#include "device/kernel_kept.h"

#endif
#endif
