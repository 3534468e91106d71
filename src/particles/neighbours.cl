// neighbours.cl: computes cells from positions, and neighbour lists from cells.
//
// The CPU builds its lists with neighbours_simd.h; a test checks that both give the same lists.
#include "device/kernel.h"
#include "particles/grid.h"

#define cell_key_ARGS(IN, OUT, VAL)                                                                \
	IN(oz_float4, position) OUT(uint, key) OUT(uint, index) VAL(oz_grid, grid)
OZ_ARGS(cell_key)

// writes the key of the cell of each particle, and its index
OZ_FN void cell_key_at(const cell_key_args *a, uint i)
{
	a->key[i] = oz_key_of(&a->grid, oz_cell_of(&a->grid, a->position[i]));
	a->index[i] = i;
}

#define cell_start_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, key) OUT(uint, start) VAL(uint, particles) VAL(uint, cells)
OZ_ARGS(cell_start)

// Item i writes `start` of the cell of particle i, if it is the first one there, and of all empty
// cells before it; item `particles` writes those behind the last particle.
OZ_FN void cell_start_at(const cell_start_args *a, uint i)
{
	const uint from = i == 0 ? 0u : a->key[i - 1u] + 1u;
	const uint to = i == a->particles ? a->cells : a->key[i];
	for (uint c = from; c <= to; c++)
		a->start[c] = i;
}

#define cell_search_ARGS(IN, OUT, VAL) IN(uint, key) OUT(uint, start) VAL(uint, particles)
OZ_ARGS(cell_search)

// The same with one item for each cell, by binary search, for devices that need even work: `start`
// is the first particle whose key is not below the cell.
OZ_FN void cell_search_at(const cell_search_args *a, uint i)
{
	uint begin = 0, end = a->particles;
	while (begin < end) {
		const uint middle = begin + (end - begin) / 2u;
		if (a->key[middle] < i)
			begin = middle + 1u;
		else
			end = middle;
	}
	a->start[i] = begin;
}

OZ_FN bool oz_is_near(oz_float4 p, oz_float4 q, float radius2)
{
	const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
	return oz_square_sum(x, y, z) < radius2;
}

// Candidates of one row: the particles of three cells along x. Where x wraps around, they are two
// ranges.
typedef struct oz_row {
	uint begin, split; // first range: first particle, number
	uint other, count; // second range: first particle; number in both ranges
} oz_row;

#define OZ_ROWS 9u // rows around a cell

// The candidates of row r (below OZ_ROWS) around a cell. x wraps: at either end of the grid the
// cell across is the second range.
OZ_FN oz_row oz_row_at(const oz_grid *g, OZ_GLOBAL const uint *cell_start, oz_cell cell, uint r)
{
	const uint end = (1u << g->bits_x) - 1u;
	const uint cells = oz_row_near(g, cell, r) << g->bits_x;
	const uint first = cell.x > 0u ? cell.x - 1u : 0u, last = cell.x < end ? cell.x + 1u : end;
	oz_row row;
	row.begin = cell_start[cells + first];
	row.split = cell_start[cells + last + 1u] - row.begin;
	row.other = 0;
	row.count = row.split;
	if (cell.x == 0u || cell.x == end) {
		const uint across = cells + (cell.x == 0u ? end : 0u);
		row.other = cell_start[across];
		row.count += cell_start[across + 1u] - row.other;
	}
	return row;
}

// candidate k of a row
OZ_FN uint oz_row_entry(const oz_row *row, uint k)
{
	return k < row->split ? row->begin + k : row->other + (k - row->split);
}

// The first pass tests all candidates and stores one bit for each of the first 64 of a row. The
// second pass writes the lists from the bits, so that adjacent items write adjacent memory.
// Candidates beyond 64 are tested in both passes.
#define OZ_ROW_BITS 64u

// shifts in one bit for each candidate of [begin, end), below the given bits
OZ_FN oz_u64 oz_row_bits(OZ_GLOBAL const oz_float4 *position, oz_float4 p, float radius2,
                         uint begin, uint end, oz_u64 bits)
{
	for (uint j = end; j-- > begin;)
		bits = bits << 1 | (oz_is_near(p, position[j], radius2) ? 1u : 0u);
	return bits;
}

// number of neighbours among the candidates of a row beyond the first 64
OZ_FN uint oz_row_count_rest(OZ_GLOBAL const oz_float4 *position, oz_float4 p, float radius2,
                             const oz_row *row, uint own)
{
	uint count = 0;
	for (uint k = OZ_ROW_BITS; k < row->count; k++) {
		const uint j = oz_row_entry(row, k);
		count += j != own && oz_is_near(p, position[j], radius2) ? 1u : 0u;
	}
	return count;
}

#define OZ_OWN_ROW 4u // the row of the cell itself

#define neighbour_count_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position)                                                                    \
	IN(uint, cell_start)                                                                       \
	OUT(uint, count) OUT(oz_u64, hits) VAL(uint, particles) VAL(oz_grid, grid)
OZ_ARGS(neighbour_count)

// Counts the neighbours of particle i. Bits of `hits`: which of the first OZ_ROW_BITS particles of
// each row of cells they are.
OZ_FN void neighbour_count_at(const neighbour_count_args *a, uint i)
{
	const oz_float4 p = a->position[i];
	const oz_cell cell = oz_cell_of(&a->grid, p);
	const float radius2 = a->grid.radius2;
	uint count = 0;
	for (uint r = 0; r < OZ_ROWS; r++) {
		const oz_row row = oz_row_at(&a->grid, a->cell_start, cell, r);
		const uint others = row.count - row.split;
		oz_u64 bits =
		        oz_row_bits(a->position, p, radius2, row.other, row.other + others, 0);
		bits = oz_row_bits(a->position, p, radius2, row.begin, row.begin + row.split, bits);
		// a particle is not its own neighbour
		if (r == OZ_OWN_ROW && i - row.begin < OZ_ROW_BITS)
			bits &= ~((oz_u64)1 << (i - row.begin));
		a->hits[(size_t)r * a->particles + i] = bits;
		count += oz_count_bits(bits);
		if (row.count > OZ_ROW_BITS)
			count += oz_row_count_rest(a->position, p, radius2, &row, i);
	}
	a->count[i] = count;
}

#define neighbour_fill_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(uint, cell_start)                                                                       \
	IN(uint, start)                                                                            \
	IN(oz_u64, hits) OUT(uint, list) VAL(uint, particles) VAL(oz_grid, grid) VAL(uint, stride)
OZ_ARGS(neighbour_fill)

// Stores neighbour j as entry c of item i: the first OZ_LOCAL_WORDS in local memory, others in the
// list.
OZ_FN void oz_list_put(const neighbour_fill_args *a, uint i, OZ_LOCAL uint *words, uint c, uint j)
{
	if (c < OZ_LOCAL_WORDS)
		oz_local(words, c) = j;
	else
		a->list[oz_list_at(a->start[i], i, c, a->stride)] = j;
}

// writes the list of particle i, from `hits` of neighbour_count
OZ_FN void neighbour_fill_at(const neighbour_fill_args *a, uint i, OZ_LOCAL uint *words)
{
	const oz_float4 p = a->position[i];
	const oz_cell cell = oz_cell_of(&a->grid, p);
	OZ_GLOBAL uint *next = a->list + oz_list_at(a->start[i], i, 0u, a->stride);
	uint staged = 0;
	for (uint r = 0; r < OZ_ROWS; r++) {
		const oz_row row = oz_row_at(&a->grid, a->cell_start, cell, r);
		oz_u64 bits = a->hits[(size_t)r * a->particles + i];
		for (; bits; bits &= bits - 1u)
			oz_list_put(a, i, words, staged++, oz_row_entry(&row, oz_lowest_bit(bits)));
		for (uint k = OZ_ROW_BITS; k < row.count; k++) {
			const uint j = oz_row_entry(&row, k);
			if (j != i && oz_is_near(p, a->position[j], a->grid.radius2))
				oz_list_put(a, i, words, staged++, j);
		}
	}
	for (uint c = 0; c < staged && c < OZ_LOCAL_WORDS; c++, next += a->stride)
		*next = oz_local(words, c);
}

#define list_room_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, count) OUT(uint, room) OUT(oz_sum, total) VAL(uint, items) VAL(uint, stride)
OZ_ARGS(list_room)

// Rows that the lists of each group of `stride` consecutive items take. Their lists are
// interleaved: a row has one entry of each item, so the group takes as many rows as its longest
// list has entries. Adds to two totals: rows, and entries without padding.
OZ_FN void list_room_at(const list_room_args *a, uint i)
{
	uint longest = 0, all = 0;
	for (uint k = i * a->stride; k < (i + 1u) * a->stride && k < a->items; k++) {
		longest = a->count[k] > longest ? a->count[k] : longest;
		all += a->count[k];
	}
	a->room[i] = longest;
	oz_sum_add(&a->total[0], longest);
	oz_sum_add(&a->total[1], all);
}

#define list_start_ARGS(IN, OUT, VAL) IN(uint, room) OUT(uint, start) VAL(uint, stride)
OZ_ARGS(list_start)

// After the scan, `room` is the first row of each group.
OZ_FN void list_start_at(const list_start_args *a, uint i)
{
	a->start[i] = a->room[i / a->stride];
}

#define neighbours_KERNELS(X)                                                                      \
	X(cell_key, EACH)                                                                          \
	X(cell_start, EACH)                                                                        \
	X(cell_search, EACH)                                                                       \
	X(neighbour_count, EACH)                                                                   \
	X(neighbour_fill, LOCAL)                                                                   \
	X(list_room, EACH)                                                                         \
	X(list_start, EACH)                                                                        \
	X(list_build, CPU)
OZ_KERNELS(neighbours_KERNELS)
