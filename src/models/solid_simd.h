// solid_simd.h: the two passes over rest neighbours for vectors of sixteen.
//
// The plain kernels transpose the records of sixteen neighbours at a time. Here a neighbour's own
// records fill a vector, four times over: with [x y z k] times four, k = κ_i + κ_j,
//
//   [x x x x | y y y y | z z z z | …] · ω [dx dy dz k | dx dy dz k | dx dy dz k | …]
//
// are the rows of M with the hourglass at their ends, in one multiplication; and the rows of a
// neighbour's stress, one in each quarter, times ω d are a third of a force each. No shuffles
// across quarters, no lanes to spare where a list ends. The weights V ω come from memory.
#ifndef OZ_SOLID_SIMD_H
#define OZ_SOLID_SIMD_H

#include <immintrin.h>

static inline __m512 solid_four(const oz_float4 *record)
{
	return _mm512_broadcast_f32x4(_mm_load_ps(&record->x));
}

static inline __m512 solid_three(const oz_float4 *x, const oz_float4 *y, const oz_float4 *z)
{
	const __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&x->x)),
	                                        _mm_load_ps(&y->x), 1);
	return _mm512_insertf32x4(_mm512_castps256_ps512(low), _mm_load_ps(&z->x), 2);
}

// what one neighbour adds to the rows
static inline __m512 solid_outer(const solid_stretch_args *a, uint j, float weight, __m512 x,
                                 __m512 r, __m512 sum)
{
	const __m512i each = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
	const __m512 way = _mm512_sub_ps(solid_four(&a->position[j]), x);
	const __m512 d = _mm512_sub_ps(solid_four(&a->rest[j]), r);
	const __m512 pair =
	        _mm512_mul_ps(_mm512_mask_blend_ps(0x8888, d, way), _mm512_set1_ps(weight));
	return _mm512_fmadd_ps(_mm512_permutevar_ps(way, each), pair, sum);
}

static void solid_stretch_wide(const void *args, const oz_lists *lists, uint begin, uint end)
{
	const solid_stretch_args a = *(const solid_stretch_args *)args;
	if (!a.weight || a.as) {
		solid_stretch_range(args, lists, begin, end);
		return;
	}
	for (uint i = begin; i < end; i++) {
		const uint *list = lists->list + lists->start[i];
		const float *weight = a.weight + lists->start[i];
		const uint count = lists->count[i];
		const __m512 kappa = _mm512_set1_ps(-a.position[i].w);
		const __m512 x = _mm512_mask_blend_ps(0x8888, solid_four(&a.position[i]), kappa);
		const __m512 r = solid_four(&a.rest[i]);
		__m512 even = _mm512_setzero_ps(), odd = even;
		uint c = 0;
		for (; c + 1 < count; c += 2) {
			even = solid_outer(&a, list[c], weight[c], x, r, even);
			odd = solid_outer(&a, list[c + 1], weight[c + 1], x, r, odd);
		}
		if (c < count)
			even = solid_outer(&a, list[c], weight[c], x, r, even);
		const __m512 sum = _mm512_add_ps(even, odd);
		_mm_store_ps(&a.row_x[i].x, _mm512_castps512_ps128(sum));
		_mm_store_ps(&a.row_y[i].x, _mm512_extractf32x4_ps(sum, 1));
		_mm_store_ps(&a.row_z[i].x, _mm512_extractf32x4_ps(sum, 2));
	}
}

static inline __m512 solid_inner(const solid_pull_args *a, uint j, float weight, __m512 r,
                                 __m512 sum)
{
	const __m512 d = _mm512_sub_ps(solid_four(&a->rest[j]), r);
	const __m512 rows = solid_three(&a->row_x[j], &a->row_y[j], &a->row_z[j]);
	return _mm512_fmadd_ps(rows, _mm512_mul_ps(d, _mm512_set1_ps(weight)), sum);
}

static void solid_pull_wide(const void *args, const oz_lists *lists, uint begin, uint end)
{
	const solid_pull_args a = *(const solid_pull_args *)args;
	if (!a.weight) {
		solid_pull_range(args, lists, begin, end);
		return;
	}
	for (uint i = begin; i < end; i++) {
		const uint *list = lists->list + lists->start[i];
		const float *weight = a.weight + lists->start[i];
		const uint count = lists->count[i];
		const __m512 r = solid_four(&a.rest[i]);
		__m512 even = _mm512_setzero_ps(), odd = even;
		uint c = 0;
		for (; c + 1 < count; c += 2) {
			even = solid_inner(&a, list[c], weight[c], r, even);
			odd = solid_inner(&a, list[c + 1], weight[c + 1], r, odd);
		}
		if (c < count)
			even = solid_inner(&a, list[c], weight[c], r, even);
		float f[16];
		_mm512_storeu_ps(f, _mm512_add_ps(even, odd));
		solid_pull_finish(&a, i, f[0] + f[1] + f[2], f[4] + f[5] + f[6],
		                  f[8] + f[9] + f[10]);
	}
}

#endif
