// clusters.cl: which slots are near each other in the reference shape.
//
// Slots are looked up in the order of their cells, but keep their numbers; a list does not name its
// own slot. Two are of one cluster
// if they are of one group and nearer than the smaller of their cluster radii: so being near is
// mutual also between materials.
#include "device/kernel.h"
#include "math/sph.h"
#include "models/matter.h"
#include "particles/grid.h"

typedef struct cluster_search {
	oz_grid grid;
	uint slots;
	uint lanes;  // lists are whole multiples of
	uint stride; // of a list
} cluster_search;

// the records of the search, by cells: x, y, z, radius²
#define cluster_place_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, rest)                                                                        \
	IN(uint, order)                                                                            \
	IN(uint, where) IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, place)
OZ_KERNEL(cluster_place)
{
	const uint k = a->order[i];
	const oz_float4 r = a->rest[k];
	a->place[i] = oz_make4(r.x, r.y, r.z, a->matter[a->material[a->where[k]]].cluster2);
}

OZ_FN bool cluster_is_near(oz_float4 p, oz_float4 q)
{
	const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
	return oz_square_sum(x, y, z) < oz_min(p.w, q.w);
}

#define cluster_count_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, place)                                                                       \
	IN(uint, order)                                                                            \
	IN(uint, group)                                                                            \
	IN(uint, cell_start) OUT(uint, members) OUT(float, share) VAL(cluster_search, search)
OZ_KERNEL(cluster_count)
{
	const oz_float4 p = a->place[i];
	const uint k = a->order[i], group = a->group[k];
	const oz_cell cell = oz_cell_of(&a->search.grid, p);
	uint count = 0;
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&a->search.grid, cell, r);
		const uint end = run.first <= run.last ? a->cell_start[run.last + 1u] : 0u;
		for (uint j = end ? a->cell_start[run.first] : 0u; j < end; j++)
			count += j != i && cluster_is_near(p, a->place[j]) &&
			                         a->group[a->order[j]] == group
			                 ? 1u
			                 : 0u;
	}
	a->share[k] = 1.0f / (float)(count + 1u);
	a->members[k] = (count + a->search.lanes - 1u) / a->search.lanes * a->search.lanes;
}

#define cluster_fill_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, place)                                                                       \
	IN(uint, order)                                                                            \
	IN(uint, group)                                                                            \
	IN(uint, cell_start)                                                                       \
	IN(uint, start) IN(uint, members) OUT(uint, list) VAL(cluster_search, search)
OZ_KERNEL(cluster_fill)
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
			if (j != i && cluster_is_near(p, a->place[j]) &&
			    a->group[a->order[j]] == group) {
				a->list[next] = a->order[j];
				next += stride;
			}
	}
	for (; next < beyond; next += stride)
		a->list[next] = a->search.slots;
}

// w of the rest: mass, up to a factor, times how hard it is pulled, over the clusters that it is
// in; a solid's is its volume (solid_fit.cl). A liquid keeps a trace, so that every cluster has a
// mean.
#define OZ_TRACE 1e-9f
#define cluster_weigh_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, where)                                                                            \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) IN(float, own_alpha) IN(float, share) OUT(oz_float4, rest)
OZ_KERNEL(cluster_weigh)
{
	const oz_matter m = a->matter[a->material[a->where[i]]];
	if (m.firm)
		return;
	const float elastic = oz_max(1.0f - matter_alpha(a->own_alpha[i], m.alpha), OZ_TRACE);
	a->rest[i].w = m.density * elastic * a->share[i] / (m.response * m.response);
}

// the mean of a cluster in the reference shape, and the density there
#define cluster_centre_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, rest)                                                                        \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, members)                                                                          \
	OUT(oz_float4, centre) OUT(float, own_rest) VAL(oz_fluid, fluid) VAL(uint, stride)
OZ_KERNEL(cluster_centre)
{
	const oz_float4 r = a->rest[i];
	float mass = r.w, x = 0.0f, y = 0.0f, z = 0.0f, crowd = 0.0f;
	for (uint c = 0; c < a->members[i]; c++) {
		const oz_float4 q = a->rest[a->list[oz_list_at(a->start[i], i, c, a->stride)]];
		const float dx = q.x - r.x, dy = q.y - r.y, dz = q.z - r.z;
		const lane r2 = lane_of(dx * dx + dy * dy + dz * dz);
		mass += q.w;
		x += q.w * dx;
		y += q.w * dy;
		z += q.w * dz;
		// what fills up a list weighs nothing
		if (q.w > 0.0f)
			crowd += oz_lane_first(oz_sph_w(a->fluid.smoothing, r2, a->fluid.h));
	}
	a->own_rest[i] = oz_min(a->fluid.volume * crowd + a->fluid.self, 1.0f);
	a->centre[i] = oz_make4(x / mass, y / mass, z / mass, 1.0f / mass);
}
