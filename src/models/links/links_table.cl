// links_table.cl: makes the table of links anew when particles were sorted.
//
// A particle's row in the old table is its field `row`, which is sorted with the particles. A link
// is kept if it is not broken. A new one is made with each neighbour that has come within reach
// since the last time (Algorithm 1 of Takahashi et al. 2014); its rest length is the present
// distance. A neighbour that was within reach at that time gets no new link: its link is still
// there or has broken. An adhesion that was added since then has two effects: links between
// materials that stick no longer are left out, and materials that begin to stick are linked
// wherever they are near each other. Both particles of a pair compute the same result from the same
// numbers.
#include "models/links/links_sticks.h"

#define OZ_LINK_NONE 0xffffffffu // row of a particle without links

#define link_particle_ARGS(IN, OUT, VAL) IN(uint, row) OUT(uint, particle)
OZ_ARGS(link_particle)

// writes the particle of each row of the old table, plus 1; the buffer is zero before, so a row
// without a particle keeps 0
OZ_FN void link_particle_at(const link_particle_args *a, uint i)
{
	if (a->row[i] != OZ_LINK_NONE)
		a->particle[a->row[i]] = i + 1u;
}

// the distance below which two materials are linked: the mean reach of those that have links
OZ_FN float link_reach(OZ_GLOBAL const oz_matter *matter, uint m, uint n)
{
	const oz_link a = matter[m].flow.link, b = matter[n].flow.link;
	return a.on && b.on ? 0.5f * (a.reach + b.reach) : a.on ? a.reach : b.reach;
}

// the tables and lists that both passes read
typedef struct link_view {
	OZ_GLOBAL const oz_float4 *position, *looked;
	OZ_GLOBAL const uint *material, *row;
	OZ_GLOBAL const oz_matter *matter;
	OZ_GLOBAL const uint *old_list, *old_start, *old_count;
	OZ_GLOBAL const float *old_rest;
	uint stride;
	uint mixed;      // the world has several materials
	uint own;        // material of the particle
	uint renewed;    // bit n: links to material n are made as if they had never been
	float own_reach; // m, to particles of the same material; 0: they make no links
	float least2;    // m², square of the least reach; 0: some links are made again
	float most2;     // m², square of the largest reach
} link_view;

// fills the view of particle i from the arguments of either pass
#define LINK_VIEW(v, a, i)                                                                         \
	do {                                                                                       \
		(v).position = (a)->position;                                                      \
		(v).looked = (a)->looked;                                                          \
		(v).material = (a)->material;                                                      \
		(v).matter = (a)->matter;                                                          \
		(v).row = (a)->row;                                                                \
		(v).old_list = (a)->old_list;                                                      \
		(v).old_start = (a)->old_start;                                                    \
		(v).old_count = (a)->old_count;                                                    \
		(v).old_rest = (a)->old_rest;                                                      \
		(v).stride = (a)->stride;                                                          \
		(v).mixed = (a)->mixed;                                                            \
		(v).least2 = (a)->least2;                                                          \
		(v).most2 = (a)->most2;                                                            \
		(v).own = (a)->material[i];                                                        \
		(v).renewed = (v).own < OZ_ADHESION_MOST ? (a)->renewal.with[(v).own] : 0u;        \
		(v).own_reach = link_sticks((v).matter, (v).own, (v).own)                          \
		                        ? link_reach((v).matter, (v).own, (v).own)                 \
		                        : 0.0f;                                                    \
	} while (0)

// whether a row of the old table has a link to another row that is not broken
OZ_FN bool link_exists(const link_view *v, uint row, uint other)
{
	if (row == OZ_LINK_NONE || other == OZ_LINK_NONE)
		return false;
	const size_t first = oz_list_at(v->old_start[row], row, 0u, v->stride);
	const uint count = v->old_count[row];
	uint found = 0u;
	// the loop with stride 1 becomes vectors
	if (v->stride == 1u)
		for (uint c = 0; c < count; c++)
			found |=
			        (v->old_list[first + c] == other) & (v->old_rest[first + c] > 0.0f);
	else
		for (uint c = 0; c < count && !found; c++) {
			const size_t at = first + (size_t)c * v->stride;
			found = v->old_list[at] == other && v->old_rest[at] > 0.0f;
		}
	return found != 0u;
}

OZ_FN float link_distance2(OZ_GLOBAL const oz_float4 *place, uint i, uint j)
{
	const oz_float4 p = place[i], q = place[j];
	return oz_square_sum(p.x - q.x, p.y - q.y, p.z - q.z);
}

// The squared distance of i and j at the last search for new links; OZ_PLACE_MAX if one of them did
// not exist then.
OZ_FN float link_looked2(const link_view *v, uint i, uint j)
{
	return v->looked[i].w > 0.0f && v->looked[j].w > 0.0f ? link_distance2(v->looked, i, j)
	                                                      : OZ_PLACE_MAX;
}

// Whether a new link between neighbours i and j is made. If both were within reach at the last
// search, their link is still there or has broken.
OZ_FN bool link_is_new(const link_view *v, uint i, uint j)
{
	const float looked2 = link_looked2(v, i, j);
	if (looked2 < v->least2) // most neighbours; only this record of j is read
		return false;
	const uint n = v->mixed ? v->material[j] : v->own;
	if (n != v->own && !link_sticks(v->matter, v->own, n))
		return false;
	const float reach = n == v->own ? v->own_reach : link_reach(v->matter, v->own, n);
	const float d2 = link_distance2(v->position, i, j);
	const bool again = n < OZ_ADHESION_MOST && (v->renewed >> n & 1u);
	return d2 > 0.0f && d2 < reach * reach && (again || !(looked2 < reach * reach)) &&
	       !link_exists(v, v->row[i], v->row[j]);
}

// Whether a link of the old table is kept: it is not broken, its partner exists, and their
// materials still stick to each other. `partner`: 1-based.
OZ_FN bool link_is_kept(const link_view *v, uint partner, float rest)
{
	if (!(rest > 0.0f) || partner == 0u)
		return false;
	const uint n = v->mixed ? v->material[partner - 1u] : v->own;
	return n == v->own || link_sticks(v->matter, v->own, n);
}

#define LINK_BITS 64u // neighbours with a bit in `made`; for others the second pass tests again

#define link_count_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, looked)                                                                      \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(uint, row)                                                                              \
	IN(uint, particle)                                                                         \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, near)                                                                             \
	IN(uint, old_list)                                                                         \
	IN(uint, old_start)                                                                        \
	IN(uint, old_count)                                                                        \
	IN(float, old_rest)                                                                        \
	OUT(uint, count)                                                                           \
	OUT(oz_u64, made)                                                                          \
	VAL(oz_link_renewal, renewal)                                                              \
	VAL(uint, stride) VAL(uint, mixed) VAL(float, least2) VAL(float, most2)
OZ_ARGS(link_count)

// First pass: counts the links of particle i in the new table. Bit c of `made`: its neighbour c
// gets a new link.
OZ_FN void link_count_at(const link_count_args *a, uint i)
{
	link_view v;
	LINK_VIEW(v, a, i);
	const uint row = a->row[i];
	uint count = 0;
	for (uint c = 0; row != OZ_LINK_NONE && c < a->old_count[row]; c++) {
		const size_t at = oz_list_at(a->old_start[row], row, c, a->stride);
		count += link_is_kept(&v, a->particle[a->old_list[at]], a->old_rest[at]) ? 1u : 0u;
	}
	oz_u64 made = 0;
	for (uint c = 0; c < a->near[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		if (!link_is_new(&v, i, j))
			continue;
		count++;
		if (c < LINK_BITS)
			made |= (oz_u64)1 << c;
	}
	a->count[i] = count;
	a->made[i] = made;
}

#define link_fill_ARGS(IN, OUT, VAL)                                                               \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, looked)                                                                      \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(uint, row)                                                                              \
	IN(uint, particle)                                                                         \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, near)                                                                             \
	IN(uint, old_list)                                                                         \
	IN(uint, old_start)                                                                        \
	IN(uint, old_count)                                                                        \
	IN(float, old_rest)                                                                        \
	IN(oz_u64, made)                                                                           \
	IN(uint, to_start)                                                                         \
	IN(uint, to_count)                                                                         \
	OUT(uint, to)                                                                              \
	OUT(float, rest)                                                                           \
	VAL(oz_link_renewal, renewal)                                                              \
	VAL(uint, stride) VAL(uint, mixed) VAL(float, least2) VAL(float, most2)
OZ_ARGS(link_fill)

// writes the new links of particle i behind `count` others
OZ_FN void link_add_new(const link_fill_args *a, const link_view *v, uint i, uint count)
{
	oz_u64 made = a->made[i];
	for (; made; made &= made - 1u) {
		const uint c = oz_lowest_bit(made);
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		const size_t into = oz_list_at(a->to_start[i], i, count++, a->stride);
		a->to[into] = j;
		a->rest[into] = oz_sqrt(link_distance2(a->position, i, j));
	}
	for (uint c = LINK_BITS; c < a->near[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		if (!link_is_new(v, i, j))
			continue;
		const size_t into = oz_list_at(a->to_start[i], i, count++, a->stride);
		a->to[into] = j;
		a->rest[into] = oz_sqrt(link_distance2(a->position, i, j));
	}
}

// Second pass: writes the links of particle i: the old ones that are not broken, then the new ones.
OZ_FN void link_fill_at(const link_fill_args *a, uint i)
{
	link_view v;
	LINK_VIEW(v, a, i);
	const uint row = a->row[i];
	uint count = 0;
	for (uint c = 0; row != OZ_LINK_NONE && c < a->old_count[row]; c++) {
		const size_t at = oz_list_at(a->old_start[row], row, c, a->stride);
		const float rest = a->old_rest[at];
		const uint other = a->particle[a->old_list[at]];
		if (!link_is_kept(&v, other, rest))
			continue;
		const size_t into = oz_list_at(a->to_start[i], i, count, a->stride);
		a->to[into] = other - 1u;
		a->rest[into] = rest;
		count++;
	}
	link_add_new(a, &v, i, count);
}

#define link_number_ARGS(IN, OUT, VAL) IN(oz_float4, position) OUT(uint, row) OUT(oz_float4, looked)
OZ_ARGS(link_number)

// after the table was made: row i belongs to particle i, which was searched for links at its
// present position
OZ_FN void link_number_at(const link_number_args *a, uint i)
{
	const oz_float4 x = a->position[i];
	a->row[i] = i;
	a->looked[i] = oz_make4(x.x, x.y, x.z, 1.0f);
}

// The same passes for vectors (links_simd.h): they give the same results.
#define link_count_wide_ARGS link_count_ARGS
#define link_fill_wide_ARGS  link_fill_ARGS
OZ_ARGS(link_count_wide)
OZ_ARGS(link_fill_wide)

#define links_table_KERNELS(X)                                                                     \
	X(link_particle, EACH)                                                                     \
	X(link_count, EACH)                                                                        \
	X(link_fill, EACH)                                                                         \
	X(link_count_wide, CPU)                                                                    \
	X(link_fill_wide, CPU)                                                                     \
	X(link_number, EACH)
OZ_KERNELS(links_table_KERNELS)
