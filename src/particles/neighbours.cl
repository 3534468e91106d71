// neighbours.cl: from positions to cells, and from cells to neighbour lists, the plain way.
//
// The CPU builds its lists with neighbours_simd.h; a test holds the two equal.
#include "device/kernel.h"
#include "particles/grid.h"

#define cell_key_ARGS(IN, OUT, VAL)                                                                \
	IN(oz_float4, position) OUT(uint, key) OUT(uint, index) VAL(oz_grid, grid)
OZ_KERNEL(cell_key)
{
	a->key[i] = oz_key_of(&a->grid, oz_cell_of(&a->grid, a->position[i]));
	a->index[i] = i;
}

// Particle i opens its cell and all empty ones before it; one more item closes the last cells.
#define cell_start_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, key) OUT(uint, start) VAL(uint, particles) VAL(uint, cells)
OZ_KERNEL(cell_start)
{
	const uint from = i == 0 ? 0u : a->key[i - 1u] + 1u;
	const uint to = i == a->particles ? a->cells : a->key[i];
	for (uint c = from; c <= to; c++)
		a->start[c] = i;
}

OZ_FN bool oz_is_near(oz_float4 p, oz_float4 q, float radius2)
{
	const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
	return x * x + y * y + z * z < radius2;
}

#define neighbour_count_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position) IN(uint, cell_start) OUT(uint, count) VAL(oz_grid, grid)
OZ_KERNEL(neighbour_count)
{
	const oz_float4 p = a->position[i];
	const oz_cell cell = oz_cell_of(&a->grid, p);
	uint count = 0;
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&a->grid, cell, r);
		const uint end = run.first <= run.last ? a->cell_start[run.last + 1u] : 0u;
		for (uint j = end ? a->cell_start[run.first] : 0u; j < end; j++)
			count += j != i && oz_is_near(p, a->position[j], a->grid.radius2) ? 1u : 0u;
	}
	a->count[i] = count;
}

#define neighbour_fill_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(uint, cell_start)                                                                       \
	IN(uint, start) OUT(uint, list) VAL(oz_grid, grid) VAL(uint, stride)
OZ_KERNEL(neighbour_fill)
{
	const oz_float4 p = a->position[i];
	const oz_cell cell = oz_cell_of(&a->grid, p);
	uint next = a->start[i];
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&a->grid, cell, r);
		const uint end = run.first <= run.last ? a->cell_start[run.last + 1u] : 0u;
		for (uint j = end ? a->cell_start[run.first] : 0u; j < end; j++)
			if (j != i && oz_is_near(p, a->position[j], a->grid.radius2)) {
				a->list[next] = j;
				next += a->stride;
			}
	}
}

// Where lists begin, from how long they are. Those of `stride` items that follow each other are
// interleaved: item by item the first entries, then the second ones. Together they take the room of
// the longest, times the stride.
#define list_room_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, count) OUT(uint, room) OUT(oz_sum, total) VAL(uint, items) VAL(uint, stride)
OZ_KERNEL(list_room)
{
	uint longest = 0;
	for (uint k = i * a->stride; k < (i + 1u) * a->stride && k < a->items; k++)
		longest = a->count[k] > longest ? a->count[k] : longest;
	a->room[i] = longest * a->stride;
	oz_sum_add(a->total, (oz_u64)longest * a->stride);
}

// `room` has become the sum of all before
#define list_start_ARGS(IN, OUT, VAL) IN(uint, room) OUT(uint, start) VAL(uint, stride)
OZ_KERNEL(list_start)
{
	a->start[i] = a->room[i / a->stride] + i % a->stride;
}
