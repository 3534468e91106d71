// rest_lists.cl: lists of rest neighbours: slots that are near each other in the rest shape.
//
// The search goes through slots in the order of grid cells; lists hold slot numbers. A list does
// not hold its own slot. Two slots are rest neighbours if they have the same group and their
// distance is below the smaller rest reach of their two materials: the relation is symmetric.
#include "device/kernel.h"
#include "math/sph.h"
#include "particles/grid.h"
#include "particles/matter.h"

typedef struct rest_search {
	oz_grid grid;
	uint slots;
	uint lanes;  // the length of a list is a multiple of it
	uint stride; // between two entries of a list
} rest_search;

#define rest_place_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, rest)                                                                        \
	IN(uint, order)                                                                            \
	IN(uint, particle_of_slot) IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, place)
OZ_ARGS(rest_place)

// writes the records of the search in the order of cells: rest position, w: rest reach², m²
OZ_FN void rest_place_at(const rest_place_args *a, uint i)
{
	const uint k = a->order[i];
	const oz_float4 r = a->rest[k];
	const float reach = a->matter[a->material[a->particle_of_slot[k]]].rest_reach;
	a->place[i] = oz_make4(r.x, r.y, r.z, reach * reach);
}

OZ_FN bool rest_is_near(oz_float4 p, oz_float4 q)
{
	const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
	return oz_square_sum(x, y, z) < oz_min(p.w, q.w);
}

#define rest_count_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, place)                                                                       \
	IN(uint, order)                                                                            \
	IN(uint, group)                                                                            \
	IN(uint, cell_start) OUT(uint, members) OUT(float, inverse_count) VAL(rest_search, search)
OZ_ARGS(rest_count)

// counts the rest neighbours of each slot; `members` is rounded up to whole vectors
OZ_FN void rest_count_at(const rest_count_args *a, uint i)
{
	const oz_float4 p = a->place[i];
	const uint k = a->order[i], group = a->group[k];
	const oz_cell cell = oz_cell_of(&a->search.grid, p);
	uint count = 0;
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&a->search.grid, cell, r);
		const uint end = run.first <= run.last ? a->cell_start[run.last + 1u] : 0u;
		for (uint j = end ? a->cell_start[run.first] : 0u; j < end; j++)
			count += j != i && rest_is_near(p, a->place[j]) &&
			                         a->group[a->order[j]] == group
			                 ? 1u
			                 : 0u;
	}
	a->inverse_count[k] = 1.0f / (float)(count + 1u);
	a->members[k] = (count + a->search.lanes - 1u) / a->search.lanes * a->search.lanes;
}

#define rest_fill_ARGS(IN, OUT, VAL)                                                               \
	IN(oz_float4, place)                                                                       \
	IN(uint, order)                                                                            \
	IN(uint, group)                                                                            \
	IN(uint, cell_start)                                                                       \
	IN(uint, start) IN(uint, members) OUT(uint, list) VAL(rest_search, search)
OZ_ARGS(rest_fill)

// writes the list of each slot and pads it with the number of the slot behind the last
OZ_FN void rest_fill_at(const rest_fill_args *a, uint i)
{
	const oz_float4 p = a->place[i];
	const uint k = a->order[i], group = a->group[k], stride = a->search.stride;
	const size_t beyond = oz_list_at(a->start[k], k, a->members[k], stride);
	const oz_cell cell = oz_cell_of(&a->search.grid, p);
	size_t next = oz_list_at(a->start[k], k, 0u, stride);
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&a->search.grid, cell, r);
		const uint end = run.first <= run.last ? a->cell_start[run.last + 1u] : 0u;
		for (uint j = end ? a->cell_start[run.first] : 0u; j < end; j++)
			if (j != i && rest_is_near(p, a->place[j]) &&
			    a->group[a->order[j]] == group) {
				a->list[next] = a->order[j];
				next += stride;
			}
	}
	for (; next < beyond; next += stride)
		a->list[next] = a->search.slots;
}

#define rest_density_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, rest)                                                                        \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, members)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, own_rest)                                                                       \
	VAL(oz_fluid, fluid) VAL(oz_fluid, solid) VAL(uint, stride) VAL(uint, slots)
OZ_ARGS(rest_density)

// writes the density δ of the rest shape at each slot, at most 1
OZ_FN void rest_density_at(const rest_density_args *a, uint i)
{
	const oz_float4 r = a->rest[i];
	const oz_matter m = a->matter[a->material[a->particle_of_slot[i]]];
	const oz_fluid f = m.firm ? a->solid : a->fluid;
	float crowd = 0.0f;
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		const oz_float4 q = a->rest[j];
		const float dx = q.x - r.x, dy = q.y - r.y, dz = q.z - r.z;
		const lane r2 = lane_of(dx * dx + dy * dy + dz * dz);
		// skips padding
		if (j < a->slots)
			crowd += oz_lane_first(oz_sph_w(f.smoothing, r2, f.h));
	}
	a->own_rest[i] = oz_min(f.volume * crowd + f.self, 1.0f);
}

#define rest_lists_KERNELS(X)                                                                      \
	X(rest_place, EACH)                                                                        \
	X(rest_count, EACH)                                                                        \
	X(rest_fill, EACH)                                                                         \
	X(rest_density, EACH)
OZ_KERNELS(rest_lists_KERNELS)
