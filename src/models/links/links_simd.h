// links_simd.h: the passes of links_table.cl on the vectors of a CPU.
//
// Distances at the last search for new links are computed for a vector of neighbours, and only
// those that were not within reach then are looked at one by one. Old links are packed into the new
// table a vector at a time. Results are those of link_count and link_fill, to the bit.
#ifndef OZ_LINKS_SIMD_H
#define OZ_LINKS_SIMD_H

#define LINK_MARGIN 1e-5f // of squared distances, for other rounding than in link_distance2

// squared distances of a record from those of a vector of neighbours
static inline lane link_lane_distance2(oz_float4 o, const lane4 *p)
{
	const lane x = o.x - p->x, y = o.y - p->y, z = o.z - p->z;
	return x * x + y * y + z * z;
}

// Bits of the neighbours list[0] to list[left - 1], at most a vector, that may need a new link:
// they are within `most2` now and were not within `least2` at the last search.
static inline uint32_t link_candidates(const link_count_args *a, uint i, const uint *list,
                                       int32_t left)
{
	const oz_float4 was = a->looked[i];
	const lane4 p = lane_fetch((const float *)a->position, list);
	const lane now2 =
	        lane_head(left, link_lane_distance2(a->position[i], &p), lane_of(OZ_PLACE_MAX));
	const uint32_t near = lane_less(now2, (1.0f + LINK_MARGIN) * a->most2);
	const lane4 q = lane_fetch((const float *)a->looked, list);
	const lane was2 =
	        lane_select(q.w > 0.0f, link_lane_distance2(was, &q), lane_of(OZ_PLACE_MAX));
	return was.w > 0.0f ? near & ~lane_less(was2, (1.0f - LINK_MARGIN) * a->least2) : near;
}

// A vector of entries of the old table: rest lengths, 0 for links that are not kept, and partners.
// `list` and `rest`: the first entry; left: those in the row, of which a whole vector is read.
static inline lane link_old_entries(const link_view *v, const uint *particle, const uint *list,
                                    const float *rest, int32_t left, uint partner[OZ_LANES])
{
	lane value;
	lane_mask other;
	for (int32_t k = 0; k < OZ_LANES; k++)
		partner[k] = particle[list[k]];
	memcpy(&value, rest, sizeof value);
	memcpy(&other, partner, sizeof other);
	value = lane_select((value > 0.0f) & (other != 0), value, lane_of(0.0f));
	value = lane_head(left, value, lane_of(0.0f));
	if (v->mixed) // some materials may not stick any more
		for (int32_t k = 0; k < OZ_LANES; k++)
			if (value[k] > 0.0f && !link_is_kept(v, partner[k], value[k]))
				value[k] = 0.0f;
	return value;
}

static inline uint link_count_row(const link_count_args *a, const link_view *v, uint row)
{
	const size_t at = a->old_start[row];
	const int32_t most = (int32_t)a->old_count[row];
	uint count = 0, partner[OZ_LANES];
	for (int32_t c = 0; c < most; c += OZ_LANES) {
		const lane value = link_old_entries(v, a->particle, a->old_list + at + c,
		                                    a->old_rest + at + c, most - c, partner);
		count += (uint)__builtin_popcount(lane_less(-value, 0.0f));
	}
	return count;
}

// link_count of the particles [begin, end)
static inline void link_count_wide_range(const void *args, const oz_lists *lists, uint begin,
                                         uint end)
{
	const link_count_args *a = args;
	(void)lists;
	for (uint i = begin; i < end; i++) {
		const uint *list = a->list + a->start[i];
		const uint row = a->row[i];
		const int32_t near = (int32_t)a->near[i];
		oz_u64 made = 0;
		link_view v;
		LINK_VIEW(v, a, i);
		uint count = row == OZ_LINK_NONE ? 0 : link_count_row(a, &v, row);
		for (int32_t c = 0; c < near; c += OZ_LANES) {
			uint32_t bits = link_candidates(a, i, list + c, near - c);
			for (; bits; bits &= bits - 1u) {
				const uint k = (uint)c + (uint)__builtin_ctz(bits);
				if (!link_is_new(&v, i, list[k]))
					continue;
				count++;
				made |= k < LINK_BITS ? (oz_u64)1 << k : 0;
			}
		}
		a->count[i] = count;
		a->made[i] = made;
	}
}

// Copies the links of a row of the old table that are kept, for particle i. Returns their number.
static inline uint link_copy_row(const link_fill_args *a, const link_view *v, uint i, uint row)
{
	const size_t at = a->old_start[row];
	const int32_t most = (int32_t)a->old_count[row], room = (int32_t)a->to_count[i];
	int32_t count = 0;
	uint partner[OZ_LANES];
	for (int32_t c = 0; c < most; c += OZ_LANES) {
		const lane value = link_old_entries(v, a->particle, a->old_list + at + c,
		                                    a->old_rest + at + c, most - c, partner);
		for (int32_t k = 0; k < OZ_LANES; k++)
			partner[k] -= 1u;
		count = oz_keep(a->to + a->to_start[i], a->rest + a->to_start[i], count, room,
		                partner, value);
	}
	return (uint)count;
}

// link_fill of the particles [begin, end)
static inline void link_fill_wide_range(const void *args, const oz_lists *lists, uint begin,
                                        uint end)
{
	const link_fill_args *a = args;
	(void)lists;
	for (uint i = begin; i < end; i++) {
		const uint row = a->row[i];
		link_view v;
		LINK_VIEW(v, a, i);
		const uint count = row == OZ_LINK_NONE ? 0 : link_copy_row(a, &v, i, row);
		link_add_new(a, &v, i, count);
	}
}

#endif
