// neighbours_simd.h: neighbour lists on the CPU, cell by cell.
//
// Each particle of a cell tests the cell's candidates a vector at a time and packs those within the
// search radius. Each thread collects lists in a small buffer and copies it to the shared list when
// it is full. The place of a list depends on the order of threads, its contents do not.
#ifndef OZ_NEIGHBOURS_SIMD_H
#define OZ_NEIGHBOURS_SIMD_H

#include "particles/candidates_simd.h"
#include "particles/list_build.h"

#define COLLECTED 8192u // list entries of the buffer of a thread

typedef struct collector {
	const oz_list_build *build;
	atomic_ullong *cursor, *listed_by_all;
	uint first, next; // the lists of particles [first, next) are in the buffer
	uint used;
	uint listed; // of `used`, neighbours
	uint entries[COLLECTED];
} collector;

// Empties the buffer: copies its lists to the shared list if there is room, else drops them. The
// cursor counts them in both cases, so that the caller sees how much room was missing.
static void flush(collector *k)
{
	const uint64_t at = atomic_fetch_add(k->cursor, k->used);
	atomic_fetch_add(k->listed_by_all, k->listed);
	const bool fits = at + k->used <= k->build->list_capacity;
	if (fits && k->used)
		memcpy(k->build->list + at, k->entries, sizeof(uint) * k->used);
	for (uint i = k->first; i < k->next; i++)
		k->build->start[i] = fits ? (uint)(k->build->start[i] + at) : 0;
	k->first = k->next;
	k->used = k->listed = 0;
}

// Appends the list of particle i, those candidates of its cell that are within the search radius,
// to the buffer. The caller has made room for all candidates there.
static void list_from_candidates(collector *k, candidates *c, uint i)
{
	const oz_float4 p = k->build->position[i];
	// a particle is not its own neighbour
	c->x[c->own + i] = OZ_FAR;
	const float radius2 = k->build->grid->radius2;
	uint *out = k->entries + k->used;
	uint count = 0;
	for (uint n = 0; n < c->count; n += OZ_LANES) {
		const lane x = p.x - load_lane(c->x + n), y = p.y - load_lane(c->y + n);
		const lane z = p.z - load_lane(c->z + n);
		const uint near = lane_less(x * x + y * y + z * z, radius2);
		lane_pack(out + count, c->index + n, near);
		count += (uint)__builtin_popcount(near);
	}
	c->x[c->own + i] = p.x;
	k->build->start[i] = k->used;
	k->build->count[i] = count;
	for (uint n = count; n < oz_list_room(count, k->build->unit); n++)
		out[n] = 0;
	k->used += oz_list_room(count, k->build->unit);
	k->listed += count;
	k->next = i + 1;
}

// Tests candidates one by one; returns the number of neighbours of particle i and writes them into
// `list`, unless that is NULL.
static uint list_scalar(const oz_list_build *b, uint i, uint *list)
{
	const oz_cell cell = oz_cell_of(b->grid, b->position[i]);
	uint count = 0;
	for (uint r = 0; r < OZ_ROWS; r++) {
		const oz_row row = oz_row_at(b->grid, b->cell_start, cell, r);
		for (uint k = 0; k < row.count; k++) {
			const uint j = oz_row_entry(&row, k);
			if (j == i || !oz_is_near(b->position[i], b->position[j], b->grid->radius2))
				continue;
			if (list)
				list[count] = j;
			count++;
		}
	}
	return count;
}

// The list of a particle with more than CANDIDATES candidates: counts, reserves entries, writes.
static void list_of_crowded(collector *k, uint i)
{
	const oz_list_build *b = k->build;
	flush(k);
	const uint count = list_scalar(b, i, NULL);
	const uint64_t at = atomic_fetch_add(k->cursor, oz_list_room(count, b->unit));
	const bool fits = at + oz_list_room(count, b->unit) <= b->list_capacity;
	atomic_fetch_add(k->listed_by_all, count);
	b->start[i] = fits ? (uint)at : 0;
	b->count[i] = count;
	if (fits)
		list_scalar(b, i, b->list + at);
	for (uint n = count; fits && n < oz_list_room(count, b->unit); n++)
		b->list[at + n] = 0;
	k->first = k->next = i + 1;
}

// Builds the lists of the particles [begin, end).
static inline void list_build_range(const void *args, const oz_lists *lists, uint begin, uint end)
{
	oz_list_build *build = ((const list_build_args *)args)->build;
	candidates c;
	collector k;
	(void)lists;
	k.build = build, k.cursor = &build->cursor, k.listed_by_all = &build->listed;
	k.first = k.next = begin, k.used = k.listed = 0;
	for (uint i = begin; i < end;) {
		const oz_cell cell = oz_cell_of(build->grid, build->position[i]);
		uint cell_end = build->cell_start[oz_key_of(build->grid, cell) + 1];
		if (cell_end > end)
			cell_end = end;
		const bool fits = collect_candidates(build->grid, build->cell_start,
		                                     build->position, cell, &c);
		for (; i < cell_end; i++) {
			if (!fits) {
				list_of_crowded(&k, i);
				continue;
			}
			if (k.used + c.count + OZ_LANES > COLLECTED)
				flush(&k);
			list_from_candidates(&k, &c, i);
		}
	}
	flush(&k);
}

#endif
