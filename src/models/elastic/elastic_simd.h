// elastic_simd.h: the two passes over rest neighbours by blocks (elastic_blocks.h).
//
// The arithmetic is that of elastic_stretch and elastic_accelerate, but for one neighbour and eight
// slots at a time in place of one slot and a vector of neighbours. The values of a neighbour are
// loaded once and broadcast to the eight lanes.
#ifndef OZ_ELASTIC_SIMD_H
#define OZ_ELASTIC_SIMD_H

#include <immintrin.h>

#include "models/elastic/elastic_blocks.h"

typedef float eight __attribute__((vector_size(4 * OZ_BLOCK)));

// ---- building ----------------------------------------------------------------------------------

#define BLOCK_TABLE        1024u // places of the hash table of entries
#define BLOCK_ENTRIES_MOST 640u  // entries of a block

// hash table from slots to entries of a block
typedef struct elastic_entries {
	uint slot[BLOCK_TABLE]; // UINT32_MAX: free
	ushort entry[BLOCK_TABLE];
	uint count;
} elastic_entries;

// the entry of a slot; adds it if it is new
static inline uint elastic_find_or_add(elastic_entries *seen, uint slot)
{
	uint at = slot * 2654435761u >> 22;
	while (seen->slot[at] != slot && seen->slot[at] != UINT32_MAX)
		at = (at + 1u) % BLOCK_TABLE;
	if (seen->slot[at] == UINT32_MAX) {
		seen->slot[at] = slot;
		seen->entry[at] = (ushort)seen->count++;
	}
	return seen->entry[at];
}

// the power of two by which stored weights are divided: it is near a typical weight
static inline float elastic_unit(const oz_fluid *fluid, uint firm)
{
	const lane zero = lane_of(0.0f);
	const float typical =
	        oz_lane_first(elastic_weight(fluid, firm, lane_of(0.5f * fluid->h), zero, zero));
	return oz_float_of_bits(oz_bits_of_float(typical) & 0x7f800000u);
}

// stores the weight of the pair i, j in 16 bits; false: it is too large
static inline bool elastic_put_weight(const oz_block_build *a, uint i, uint j, ushort *to)
{
	const oz_float4 r = a->rest[i], q = a->rest[j];
	const uint firm = oz_bits_of_float(a->stiff[i].w);
	const lane w = elastic_weight(&a->fluid, firm, lane_of(q.x - r.x), lane_of(q.y - r.y),
	                              lane_of(q.z - r.z));
	const float weight = oz_lane_first(w) / elastic_unit(&a->fluid, firm);
	*to = _cvtss_sh(weight, _MM_FROUND_TO_NEAREST_INT);
	return weight < 65000.0f;
}

// adds the list of the slot in one lane to its block; false: too many entries, or too large a
// weight
static inline bool elastic_join_list(const oz_block_build *a, const oz_lists *lists, uint block,
                                     uint lane_of_block, elastic_entries *seen)
{
	const uint i = a->blocks.slot[block * OZ_BLOCK + lane_of_block];
	const size_t first = a->blocks.first[block];
	for (uint c = 0; i < a->slots && c < lists->count[i]; c++) {
		const uint j = lists->list[lists->start[i] + c], before = seen->count;
		const size_t at = elastic_find_or_add(seen, j);
		if (seen->count > BLOCK_ENTRIES_MOST)
			return false;
		if (!a->fill)
			continue;
		ushort *weight = a->blocks.weight + (first + at) * OZ_BLOCK;
		if (seen->count > before) {
			a->blocks.near[first + at] = j;
			memset(weight, 0, sizeof *weight * OZ_BLOCK);
		}
		if (!elastic_put_weight(a, i, j, weight + lane_of_block))
			return false;
	}
	return true;
}

// counts or writes (build->fill) the entries of blocks begin … end
static void elastic_join_blocks_range(const void *args, const oz_lists *lists, uint begin, uint end)
{
	const oz_block_build *a = ((const elastic_join_blocks_args *)args)->build;
	for (uint b = begin; b < end; b++) {
		elastic_entries seen;
		memset(seen.slot, 0xff, sizeof seen.slot);
		seen.count = 0;
		for (uint k = 0; k < OZ_BLOCK; k++)
			if (!elastic_join_list(a, lists, b, k, &seen)) {
				oz_atomic_or(a->beyond, 1u);
				break;
			}
		if (!a->fill)
			a->blocks.first[b] = seen.count;
	}
}

// ---- the passes --------------------------------------------------------------------------------

typedef int32_t eight_mask __attribute__((vector_size(4 * OZ_BLOCK)));

typedef struct eight4 {
	eight x, y, z, w;
} eight4;

static inline eight eight_select(eight_mask mask, eight a, eight b)
{
	return (eight)((mask & (eight_mask)a) | (~mask & (eight_mask)b));
}

// two records in one vector
static inline __m256 eight_pair(const oz_float4 *records, uint a, uint b)
{
	return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&records[a].x)),
	                            _mm_load_ps(&records[b].x), 1);
}

// transposes 4 × 4 in both halves: eight records to x, y, z, w of eight lanes, and back
static inline eight4 eight_transpose(__m256 a, __m256 b, __m256 c, __m256 d)
{
	const __m256 ab_lo = _mm256_unpacklo_ps(a, b), ab_hi = _mm256_unpackhi_ps(a, b);
	const __m256 cd_lo = _mm256_unpacklo_ps(c, d), cd_hi = _mm256_unpackhi_ps(c, d);
	return (eight4){(eight)_mm256_shuffle_ps(ab_lo, cd_lo, 0x44),
	                (eight)_mm256_shuffle_ps(ab_lo, cd_lo, 0xee),
	                (eight)_mm256_shuffle_ps(ab_hi, cd_hi, 0x44),
	                (eight)_mm256_shuffle_ps(ab_hi, cd_hi, 0xee)};
}

// loads the records of eight slots
static inline eight4 eight_fetch(const oz_float4 *records, const uint *slot)
{
	return eight_transpose(eight_pair(records, slot[0], slot[4]),
	                       eight_pair(records, slot[1], slot[5]),
	                       eight_pair(records, slot[2], slot[6]),
	                       eight_pair(records, slot[3], slot[7]));
}

// Stores v times `by` to the records of eight slots. Padding lanes write to the record behind the
// last slot; their sums are 0, because their weights are.
static inline void eight_store(oz_float4 *records, const uint *slot, eight4 v, eight by)
{
	const eight4 r = eight_transpose((__m256)(by * v.x), (__m256)(by * v.y), (__m256)(by * v.z),
	                                 (__m256)(by * v.w));
	const __m256 pair[4] = {(__m256)r.x, (__m256)r.y, (__m256)r.z, (__m256)r.w};
	for (uint k = 0; k < 4u; k++) {
		_mm_store_ps(&records[slot[k]].x, _mm256_castps256_ps128(pair[k]));
		_mm_store_ps(&records[slot[k + 4u]].x, _mm256_extractf128_ps(pair[k], 1));
	}
}

// elastic_unit for slots whose ω is the slope of the kernel, and for those whose ω is the kernel
typedef struct elastic_units {
	float slope, kernel;
} elastic_units;

// computes both units for a world
static inline elastic_units elastic_both_units(const oz_fluid *fluid)
{
	return (elastic_units){elastic_unit(fluid, 0), elastic_unit(fluid, OZ_FIRM_MLS)};
}

// the unit of each of eight slots; `stiff`: their flags as floats
static inline eight elastic_units_of(eight stiff, elastic_units u)
{
	const eight zero = {0};
	return eight_select(((eight_mask)stiff & (int)OZ_FIRM_MLS) != 0, u.kernel + zero,
	                    u.slope + zero);
}

// the eight weights of an entry
static inline eight elastic_weights(const oz_blocks *blocks, size_t entry)
{
	const __m128i *at = (const __m128i *)(blocks->weight + entry * OZ_BLOCK);
	return (eight)_mm256_cvtph_ps(_mm_loadu_si128(at));
}

static inline void elastic_stretch_block(const elastic_stretch_args *a, const oz_blocks *blocks,
                                         uint b, elastic_units units)
{
	const uint *slot = blocks->slot + b * OZ_BLOCK;
	const eight4 x = eight_fetch(a->position, slot), r = eight_fetch(a->rest, slot);
	const eight zero = {0};
	eight4 mx = {zero, zero, zero, zero}, my = mx, mz = mx;
	for (size_t e = blocks->first[b]; e < blocks->first[b + 1u]; e++) {
		const oz_float4 *p = a->position + blocks->near[e], *q = a->rest + blocks->near[e];
		const eight w = q->w * elastic_weights(blocks, e);
		const eight dx = q->x - r.x, dy = q->y - r.y, dz = q->z - r.z;
		const eight wx = w * (p->x - x.x), wy = w * (p->y - x.y), wz = w * (p->z - x.z);
		const eight kappa = p->w + x.w;
		mx.x += wx * dx, mx.y += wx * dy, mx.z += wx * dz, mx.w += wx * kappa;
		my.x += wy * dx, my.y += wy * dy, my.z += wy * dz, my.w += wy * kappa;
		mz.x += wz * dx, mz.y += wz * dy, mz.z += wz * dz, mz.w += wz * kappa;
	}
	const eight u = elastic_units_of(eight_fetch(a->stiff, slot).w, units);
	eight_store(a->row_x, slot, mx, u);
	eight_store(a->row_y, slot, my, u);
	eight_store(a->row_z, slot, mz, u);
}

// Weights are those of each slot's own method; `as` is ignored, and launches that set it use lists.
static void elastic_stretch_blocks(const void *args, const oz_lists *lists, uint begin, uint end)
{
	const elastic_stretch_args a = *(const elastic_stretch_args *)args;
	const elastic_units units = elastic_both_units(&a.fluid);
	for (uint b = begin; b < end; b++)
		elastic_stretch_block(&a, lists->blocks, b, units);
}

// elastic_accelerate_finish for eight slots
static inline void elastic_finish_block(const elastic_accelerate_args *a, const uint *slot,
                                        elastic_units units, eight fx, eight fy, eight fz)
{
	const eight4 x = eight_fetch(a->row_x, slot), y = eight_fetch(a->row_y, slot);
	const eight4 z = eight_fetch(a->row_z, slot), moment = eight_fetch(a->moment, slot);
	const eight4 hourglass_force = eight_fetch(a->hourglass_force, slot),
	             stiff = eight_fetch(a->stiff, slot);
	const eight volume = eight_fetch(a->rest, slot).w, zero = {0};
	const eight u = elastic_units_of(stiff.w, units);
	const eight_mask firm = (eight_mask)stiff.w != 0;
	const eight inv_v = 1.0f / eight_select(firm, volume, zero + 1.0f);
	const eight scale = eight_select(firm, moment.w, zero);
	const eight4 elastic_acceleration =
	        {u * fx + inv_v * (x.x * moment.x + x.y * moment.y + x.z * moment.z) +
	                 hourglass_force.x,
	         u * fy + inv_v * (y.x * moment.x + y.y * moment.y + y.z * moment.z) +
	                 hourglass_force.y,
	         u * fz + inv_v * (z.x * moment.x + z.y * moment.y + z.z * moment.z) +
	                 hourglass_force.z,
	         zero};
	eight_store(a->elastic_acceleration, slot, elastic_acceleration, scale);
}

static inline void elastic_accelerate_block(const elastic_accelerate_args *a,
                                            const oz_blocks *blocks, uint b, elastic_units units)
{
	const uint *slot = blocks->slot + b * OZ_BLOCK;
	const eight4 r = eight_fetch(a->rest, slot);
	eight fx = {0}, fy = {0}, fz = {0};
	for (size_t e = blocks->first[b]; e < blocks->first[b + 1u]; e++) {
		const uint j = blocks->near[e];
		const oz_float4 *x = a->row_x + j, *y = a->row_y + j, *z = a->row_z + j;
		const eight w = elastic_weights(blocks, e);
		const eight dx = w * (x->w - r.x), dy = w * (y->w - r.y), dz = w * (z->w - r.z);
		fx += x->x * dx + x->y * dy + x->z * dz;
		fy += y->x * dx + y->y * dy + y->z * dz;
		fz += z->x * dx + z->y * dy + z->z * dz;
	}
	elastic_finish_block(a, slot, units, fx, fy, fz);
}

static void elastic_accelerate_blocks(const void *args, const oz_lists *lists, uint begin, uint end)
{
	const elastic_accelerate_args a = *(const elastic_accelerate_args *)args;
	const elastic_units units = elastic_both_units(&a.fluid);
	for (uint b = begin; b < end; b++)
		elastic_accelerate_block(&a, lists->blocks, b, units);
}

#endif
