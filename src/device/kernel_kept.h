// kernel_kept.h: kernel_cpu.h for PAIRS_KEEP and PAIRS_KEPT: neighbours that are kept for the
// rounds of a solver.
//
// The entries that are kept of a list are packed, and filled up to whole quads.
#ifndef OZ_KERNEL_KEPT_H
#define OZ_KERNEL_KEPT_H

#include "device/kernel_cpu.h"

// Copies the entries of a vector whose value is not 0 behind the `n` entries that are kept already,
// and returns their number. It writes below `room` only: what follows may belong to another thread.
OZ_FN int32_t oz_keep(uint *list, float *kept, int32_t n, int32_t room, const uint *from,
                      lane value)
{
	uint entry[OZ_LANES], number[OZ_LANES], values[OZ_LANES];
	const uint32_t bits = lane_less(lane_min(value, -value), 0.0f);
	const int32_t more = __builtin_popcount(bits);
	memcpy(values, &value, sizeof value);
	if (n + OZ_LANES <= room) {
		lane_pack(list + n, from, bits);
		lane_pack((uint *)(kept + n), values, bits);
		return n + more;
	}
	lane_pack(entry, from, bits);
	lane_pack(number, values, bits);
	memcpy(list + n, entry, sizeof(uint) * (size_t)more);
	memcpy(kept + n, number, sizeof(uint) * (size_t)more);
	return n + more;
}

// Fills up with particle i itself and 0, which add nothing, to a multiple of OZ_QUAD_SUMS, if there
// is room: a loop over the rest of a list takes as long as one over four of its entries.
OZ_FN int32_t oz_keep_whole(uint *list, float *kept, int32_t n, int32_t room, uint i)
{
	for (; n % OZ_QUAD_SUMS && n < room; n++) {
		list[n] = i;
		kept[n] = 0.0f;
	}
	return n;
}

#define OZ_HARNESS_PAIRS_KEEP(k)                                                                   \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		for (uint i = begin; i < end; i++) {                                               \
			const uint *list = lists->list + lists->start[i];                          \
			const int32_t count = (int32_t)lists->count[i];                            \
			const int32_t room = (int32_t)oz_list_room(lists->count[i], lists->unit);  \
			int32_t n = 0;                                                             \
			k##_sum sum;                                                               \
			k##_near near;                                                             \
			k##_begin(&a, i, &sum);                                                    \
			for (int32_t c = 0; c < count; c += OZ_LANES) {                            \
				const int32_t left = count - c;                                    \
				lane value = {0};                                                  \
				k##_NEAR(OZ_NEAR_FETCH, OZ_NEAR_FETCH, OZ_NEAR_NONE);              \
				k##_NEAR(OZ_NEAR_FAR, OZ_NEAR_NONE, OZ_NEAR_NONE);                 \
				k##_pair(&a, &sum, &near, &value);                                 \
				n = oz_keep(a.kept_list + lists->start[i],                         \
				            a.kept + lists->start[i], n, room, list + c, value);   \
			}                                                                          \
			n = oz_keep_whole(a.kept_list + lists->start[i], a.kept + lists->start[i], \
			                  n, room, i);                                             \
			a.kept_count[i] = (uint)n;                                                 \
			k##_end(&a, i, &sum);                                                      \
		}                                                                                  \
	}

#define OZ_NEAR_QUAD_FETCH(name) near.name = quad_load(a.name + list[at]);
#define OZ_KEPT_PAIR(k, c, part)                                                                   \
	{                                                                                          \
		const int32_t at = (c);                                                            \
		k##_near near;                                                                     \
		k##_NEAR(OZ_NEAR_QUAD_FETCH, OZ_NEAR_QUAD_FETCH, OZ_NEAR_NONE);                    \
		k##_pair(&sum, &near, kept[at], part);                                             \
	}

// most lists of kept neighbours are whole quads, see oz_keep_whole
#define OZ_HARNESS_PAIRS_KEPT(k)                                                                   \
	OZ_RANGE(k)                                                                                \
	{                                                                                          \
		const k##_args a = *(const k##_args *)args;                                        \
		for (uint i = begin; i < end; i++) {                                               \
			const uint *list = lists->list + lists->start[i];                          \
			const float *kept = a.kept + lists->start[i];                              \
			const int32_t count = (int32_t)lists->count[i];                            \
			int32_t c = 0;                                                             \
			k##_sum sum;                                                               \
			k##_begin(&a, i, &sum);                                                    \
			for (; c + OZ_QUAD_SUMS <= count; c += OZ_QUAD_SUMS) {                     \
				OZ_KEPT_PAIR(k, c, 0)                                              \
				OZ_KEPT_PAIR(k, c + 1, 1)                                          \
				OZ_KEPT_PAIR(k, c + 2, 2)                                          \
				OZ_KEPT_PAIR(k, c + 3, 3)                                          \
			}                                                                          \
			/* the same partial sums as in a whole quad */                             \
			if (c < count)                                                             \
				OZ_KEPT_PAIR(k, c, 0)                                              \
			if (c + 1 < count)                                                         \
				OZ_KEPT_PAIR(k, c + 1, 1)                                          \
			if (c + 2 < count)                                                         \
				OZ_KEPT_PAIR(k, c + 2, 2)                                          \
			k##_end(&a, i, &sum);                                                      \
		}                                                                                  \
	}

#endif
