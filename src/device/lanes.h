// lanes.h: vectors of 4, 8 or 16 floats for the pair kernels, over GCC/Clang vector extensions.
//
// Operators + - * / and comparisons come from the compiler. All else (min, max, root, select,
// horizontal sum, transposed fetch) is written here for each instruction set, and only here.
#ifndef OZ_LANES_H
#define OZ_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef OZ_LANES
#define OZ_LANES 4
#endif

#if OZ_LANES > 4
#include <immintrin.h>
#elif defined(__SSE2__)
// SSE2 alone: all of immintrin.h takes longer to compile than most files that include this one
#include <emmintrin.h>
#endif

typedef float lane __attribute__((vector_size(4 * OZ_LANES)));
typedef int32_t lane_mask __attribute__((vector_size(4 * OZ_LANES)));

// a record of four lanes
typedef struct lane4 {
	lane x, y, z, w;
} lane4;

// x in all lanes
static inline lane lane_of(float x)
{
	return x - (lane){0};
}

// the number of each lane: 0, 1, 2 …
static inline lane_mask lane_iota(void)
{
#if OZ_LANES == 16
	return (lane_mask){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#elif OZ_LANES == 8
	return (lane_mask){0, 1, 2, 3, 4, 5, 6, 7};
#else
	return (lane_mask){0, 1, 2, 3};
#endif
}

// a in lanes where the mask is set, b in the others
static inline lane lane_select(lane_mask mask, lane a, lane b)
{
	return (lane)((mask & (lane_mask)a) | (~mask & (lane_mask)b));
}

// The functions below are commented in the version for 16 lanes; the others do the same.

#if OZ_LANES == 16

static inline lane lane_max(lane a, lane b)
{
	return (lane)_mm512_max_ps((__m512)a, (__m512)b);
}

static inline lane lane_min(lane a, lane b)
{
	return (lane)_mm512_min_ps((__m512)a, (__m512)b);
}

// a · b + c, rounded once if the processor has an FMA instruction. Explicit, because the compiler
// may fuse differently in two copies of the same loop.
static inline lane lane_fused(lane a, lane b, lane c)
{
	return (lane)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

static inline lane lane_sqrt(lane a)
{
	return (lane)_mm512_sqrt_ps((__m512)a);
}

// 1/√a, 14 bits here; other processors give 11 or 12 bits or the full precision
static inline lane lane_rsqrt_estimate(lane a)
{
	return (lane)_mm512_rsqrt14_ps((__m512)a);
}

static inline lane lane_inverse_estimate(lane a)
{
	return (lane)_mm512_rcp14_ps((__m512)a);
}

// the sum of all lanes
static inline float lane_sum(lane a)
{
	return _mm512_reduce_add_ps((__m512)a);
}

// two 16-byte records at base + index, four apart
static inline __m256 lane_load2(const float *base, const uint32_t *index)
{
	return _mm256_insertf128_ps(_mm256_castps128_ps256(
	                                    _mm_loadu_ps(base + 4 * (size_t)index[0])),
	                            _mm_loadu_ps(base + 4 * (size_t)index[4]), 1);
}

// Four records in one vector. Joining halves takes fewer wide shuffles than inserting quarters.
static inline __m512 lane_load4(const float *base, const uint32_t *index)
{
	return _mm512_insertf32x8(_mm512_castps256_ps512(lane_load2(base, index)),
	                          lane_load2(base, index + 8), 1);
}

// Transposes each 4 × 4 block: from records as they lie in memory to one vector for each component,
// and back.
static inline lane4 lane_transpose(lane4 v)
{
	const __m512 a = (__m512)v.x, b = (__m512)v.y, c = (__m512)v.z, d = (__m512)v.w;
	const __m512 ab_lo = _mm512_unpacklo_ps(a, b), ab_hi = _mm512_unpackhi_ps(a, b);
	const __m512 cd_lo = _mm512_unpacklo_ps(c, d), cd_hi = _mm512_unpackhi_ps(c, d);
	return (lane4){(lane)_mm512_shuffle_ps(ab_lo, cd_lo, 0x44),
	               (lane)_mm512_shuffle_ps(ab_lo, cd_lo, 0xee),
	               (lane)_mm512_shuffle_ps(ab_hi, cd_hi, 0x44),
	               (lane)_mm512_shuffle_ps(ab_hi, cd_hi, 0xee)};
}

// loads the 16-byte records base[index[0]], base[index[1]] … as one vector for each component
static inline lane4 lane_fetch(const float *base, const uint32_t *index)
{
	return lane_transpose(
	        (lane4){(lane)lane_load4(base, index), (lane)lane_load4(base, index + 1),
	                (lane)lane_load4(base, index + 2), (lane)lane_load4(base, index + 3)});
}

// the first `count` lanes from a, the others from b
static inline lane lane_head(int32_t count, lane a, lane b)
{
	const __mmask16 head =
	        _mm512_cmplt_epi32_mask((__m512i)lane_iota(), _mm512_set1_epi32(count));
	return (lane)_mm512_mask_blend_ps(head, (__m512)b, (__m512)a);
}

// a mask with one bit for each lane where a < b
static inline uint32_t lane_less(lane a, float b)
{
	return _mm512_cmp_ps_mask((__m512)a, _mm512_set1_ps(b), _CMP_LT_OQ);
}

// Writes the numbers of the vector at `from` whose bit is set to `to`, packed. It may write a whole
// vector; the rest is undefined.
static inline void lane_pack(uint32_t *to, const uint32_t *from, uint32_t bits)
{
	_mm512_storeu_si512(to,
	                    _mm512_maskz_compress_epi32((__mmask16)bits, _mm512_loadu_si512(from)));
}

#elif OZ_LANES == 8

static inline lane lane_max(lane a, lane b)
{
	return (lane)_mm256_max_ps((__m256)a, (__m256)b);
}

static inline lane lane_min(lane a, lane b)
{
	return (lane)_mm256_min_ps((__m256)a, (__m256)b);
}

static inline lane lane_fused(lane a, lane b, lane c)
{
	return (lane)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

static inline lane lane_sqrt(lane a)
{
	return (lane)_mm256_sqrt_ps((__m256)a);
}

static inline lane lane_rsqrt_estimate(lane a)
{
	return (lane)_mm256_rsqrt_ps((__m256)a);
}

static inline lane lane_inverse_estimate(lane a)
{
	return (lane)_mm256_rcp_ps((__m256)a);
}

static inline float lane_sum(lane a)
{
	__m128 s =
	        _mm_add_ps(_mm256_castps256_ps128((__m256)a), _mm256_extractf128_ps((__m256)a, 1));
	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

static inline __m256 lane_load2(const float *base, const uint32_t *index)
{
	return _mm256_insertf128_ps(_mm256_castps128_ps256(
	                                    _mm_loadu_ps(base + 4 * (size_t)index[0])),
	                            _mm_loadu_ps(base + 4 * (size_t)index[4]), 1);
}

static inline lane4 lane_transpose(lane4 v)
{
	const __m256 a = (__m256)v.x, b = (__m256)v.y, c = (__m256)v.z, d = (__m256)v.w;
	const __m256 ab_lo = _mm256_unpacklo_ps(a, b), ab_hi = _mm256_unpackhi_ps(a, b);
	const __m256 cd_lo = _mm256_unpacklo_ps(c, d), cd_hi = _mm256_unpackhi_ps(c, d);
	return (lane4){(lane)_mm256_shuffle_ps(ab_lo, cd_lo, 0x44),
	               (lane)_mm256_shuffle_ps(ab_lo, cd_lo, 0xee),
	               (lane)_mm256_shuffle_ps(ab_hi, cd_hi, 0x44),
	               (lane)_mm256_shuffle_ps(ab_hi, cd_hi, 0xee)};
}

static inline lane4 lane_fetch(const float *base, const uint32_t *index)
{
	return lane_transpose(
	        (lane4){(lane)lane_load2(base, index), (lane)lane_load2(base, index + 1),
	                (lane)lane_load2(base, index + 2), (lane)lane_load2(base, index + 3)});
}

static inline lane lane_head(int32_t count, lane a, lane b)
{
	const __m256i head = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), (__m256i)lane_iota());
	return (lane)_mm256_blendv_ps((__m256)b, (__m256)a, _mm256_castsi256_ps(head));
}

static inline uint32_t lane_less(lane a, float b)
{
	return (uint32_t)_mm256_movemask_ps(
	        _mm256_cmp_ps((__m256)a, _mm256_set1_ps(b), _CMP_LT_OQ));
}

// one byte with the lane number for each set bit, packed, is the permutation
static inline void lane_pack(uint32_t *to, const uint32_t *from, uint32_t bits)
{
	const uint64_t bytes = _pdep_u64(bits, 0x0101010101010101u) * 0xff;
	const uint64_t lanes = _pext_u64(0x0706050403020100u, bytes);
	const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
	const __m256i numbers = _mm256_loadu_si256((const void *)from);
	_mm256_storeu_si256((void *)to, _mm256_permutevar8x32_epi32(numbers, order));
}

#elif defined(__SSE2__)

static inline lane lane_max(lane a, lane b)
{
	return (lane)_mm_max_ps((__m128)a, (__m128)b);
}

static inline lane lane_min(lane a, lane b)
{
	return (lane)_mm_min_ps((__m128)a, (__m128)b);
}

static inline lane lane_fused(lane a, lane b, lane c)
{
	return a * b + c;
}

static inline lane lane_sqrt(lane a)
{
	return (lane)_mm_sqrt_ps((__m128)a);
}

static inline lane lane_rsqrt_estimate(lane a)
{
	return (lane)_mm_rsqrt_ps((__m128)a);
}

static inline lane lane_inverse_estimate(lane a)
{
	return (lane)_mm_rcp_ps((__m128)a);
}

static inline float lane_sum(lane a)
{
	const __m128 s = _mm_add_ps((__m128)a, _mm_movehl_ps((__m128)a, (__m128)a));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}

static inline lane4 lane_transpose(lane4 v)
{
	__m128 a = (__m128)v.x, b = (__m128)v.y, c = (__m128)v.z, d = (__m128)v.w;
	_MM_TRANSPOSE4_PS(a, b, c, d);
	return (lane4){(lane)a, (lane)b, (lane)c, (lane)d};
}

static inline lane4 lane_fetch(const float *base, const uint32_t *index)
{
	return lane_transpose((lane4){(lane)_mm_loadu_ps(base + 4 * (size_t)index[0]),
	                              (lane)_mm_loadu_ps(base + 4 * (size_t)index[1]),
	                              (lane)_mm_loadu_ps(base + 4 * (size_t)index[2]),
	                              (lane)_mm_loadu_ps(base + 4 * (size_t)index[3])});
}

#else // other processors: loops that the compiler vectorises

static inline lane lane_max(lane a, lane b)
{
	return lane_select(a > b, a, b);
}

static inline lane lane_min(lane a, lane b)
{
	return lane_select(a < b, a, b);
}

static inline lane lane_fused(lane a, lane b, lane c)
{
#ifdef __FP_FAST_FMAF
	for (int k = 0; k < OZ_LANES; k++)
		c[k] = __builtin_fmaf(a[k], b[k], c[k]);
	return c;
#else
	return a * b + c;
#endif
}

static inline lane lane_sqrt(lane a)
{
	for (int k = 0; k < OZ_LANES; k++)
		a[k] = sqrtf(a[k]);
	return a;
}

static inline lane lane_rsqrt_estimate(lane a)
{
	return 1.0f / lane_sqrt(a);
}

static inline lane lane_inverse_estimate(lane a)
{
	return 1.0f / a;
}

static inline float lane_sum(lane a)
{
	return (a[0] + a[2]) + (a[1] + a[3]);
}

static inline lane4 lane_transpose(lane4 v)
{
	return (lane4){(lane){v.x[0], v.y[0], v.z[0], v.w[0]},
	               (lane){v.x[1], v.y[1], v.z[1], v.w[1]},
	               (lane){v.x[2], v.y[2], v.z[2], v.w[2]},
	               (lane){v.x[3], v.y[3], v.z[3], v.w[3]}};
}

static inline lane4 lane_fetch(const float *base, const uint32_t *index)
{
	lane4 r;
	for (int k = 0; k < OZ_LANES; k++) {
		const float *record = base + 4 * (size_t)index[k];
		r.x[k] = record[0];
		r.y[k] = record[1];
		r.z[k] = record[2];
		r.w[k] = record[3];
	}
	return r;
}

#endif

#if OZ_LANES == 4

static inline lane lane_head(int32_t count, lane a, lane b)
{
	return lane_select(lane_iota() < count, a, b);
}

static inline uint32_t lane_less(lane a, float b)
{
	const lane_mask less = a < b;
	uint32_t bits = 0;
	for (int k = 0; k < OZ_LANES; k++)
		bits |= (uint32_t)(less[k] & 1) << k;
	return bits;
}

static inline void lane_pack(uint32_t *to, const uint32_t *from, uint32_t bits)
{
	for (int k = 0; k < OZ_LANES; k++) {
		*to = from[k];
		to += bits >> k & 1;
	}
}

#endif

// Loads OZ_LANES consecutive 16-byte records. The order of records in lanes depends on the width;
// lane_store reverses it.
static inline lane4 lane_load(const void *records)
{
	lane4 v;
	memcpy(&v, records, sizeof v);
	return lane_transpose(v);
}

// Stores OZ_LANES consecutive 16-byte records, in the order of lane_load.
static inline void lane_store(void *records, lane4 v)
{
	v = lane_transpose(v);
	memcpy(records, &v, sizeof v);
}

// the horizontal sums of four vectors; together they take fewer shuffles than one by one
static inline void lane_sums(lane a, lane b, lane c, lane d, float sums[4])
{
#if OZ_LANES == 16
	const __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps((__m512)a, (__m512)b),
	                                _mm512_unpackhi_ps((__m512)a, (__m512)b));
	const __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps((__m512)c, (__m512)d),
	                                _mm512_unpackhi_ps((__m512)c, (__m512)d));
	const __m512 all =
	        _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
	const __m256 half =
	        _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
	_mm_storeu_ps(sums,
	              _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
#else
	sums[0] = lane_sum(a);
	sums[1] = lane_sum(b);
	sums[2] = lane_sum(c);
	sums[3] = lane_sum(d);
#endif
}

// 1/√a to about 23 bits: the processor's estimate and one Newton step. a must not be zero.
static inline lane lane_rsqrt(lane a)
{
	const lane e = lane_rsqrt_estimate(a);
	return e * (1.5f - 0.5f * a * e * e);
}

// 1/a likewise
static inline lane lane_inverse(lane a)
{
	const lane e = lane_inverse_estimate(a);
	return e * (2.0f - a * e);
}

#endif
