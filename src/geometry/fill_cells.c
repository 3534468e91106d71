// fill_cells.c: sorts points by cells as wide as lists reach, so that the neighbours of a point are
// in 9 rows of 3 cells.
#include "geometry/fill_cells.h"

#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

#define FAR 1e6f // of the point behind the last: no neighbour

static size_t cell_count(const oz_fill_cells *c)
{
	return (size_t)c->size[0] * c->size[1] * c->size[2];
}

bool oz_fill_cells_make(oz_fill_cells *c, oz_vec3 box, uint32_t count)
{
	const float length[3] = {box.x, box.y, box.z};
	double cells = 1;
	*c = (oz_fill_cells){.count = count};
	for (int axis = 0; axis < 3; axis++) {
		c->size[axis] = (uint32_t)(length[axis] / OZ_FILL_REACH) + 1;
		cells *= c->size[axis];
	}
	const size_t n = (size_t)count + 1;
	if (cells > 4e9)
		return false;
	c->start = calloc((size_t)cells + 1, sizeof *c->start);
	c->awake = calloc((size_t)cells, 2);
	c->at = calloc(n, sizeof *c->at);
	c->step = calloc(n, sizeof *c->step);
	c->wall = calloc(n, sizeof *c->wall);
	c->id = calloc(n, sizeof *c->id);
	c->new_at = calloc(n, sizeof *c->new_at);
	c->new_step = calloc(n, sizeof *c->new_step);
	c->new_id = calloc(n, sizeof *c->new_id);
	c->cell = calloc(n, sizeof *c->cell);
	c->list_start = calloc(n, sizeof *c->list_start);
	return c->start && c->awake && c->at && c->step && c->wall && c->id && c->new_at &&
	       c->new_step && c->new_id && c->cell && c->list_start;
}

void oz_fill_cells_free(oz_fill_cells *c)
{
	void *all[] = {c->start,    c->awake,  c->at,   c->step,       c->id,   c->new_at,
	               c->new_step, c->new_id, c->cell, c->list_start, c->list, c->wall};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

static uint32_t along(const oz_fill_cells *c, int axis, float at)
{
	const float i = at * (1 / OZ_FILL_REACH);
	const uint32_t last = c->size[axis] - 1;
	return i < 1 ? 0 : i >= (float)last ? last : (uint32_t)i;
}

static uint32_t cell_of(const oz_fill_cells *c, const oz_fill_point *p)
{
	return (along(c, 2, p->z) * c->size[1] + along(c, 1, p->y)) * c->size[0] +
	       along(c, 0, p->x);
}

// counts the points of each cell; start becomes the first place of each
static void count_cells(oz_fill_cells *c)
{
	const size_t cells = cell_count(c);
	memset(c->start, 0, (cells + 1) * sizeof *c->start);
	for (uint32_t i = 0; i < c->count; i++)
		c->start[c->cell[i] = cell_of(c, &c->at[i])]++;
	uint32_t sum = 0;
	for (size_t k = 0; k <= cells; k++) {
		const uint32_t own = k < cells ? c->start[k] : 0;
		c->start[k] = sum;
		sum += own;
	}
}

static void swap(void *a, void *b)
{
	void *x, *y;
	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	memcpy(a, &y, sizeof y);
	memcpy(b, &x, sizeof x);
}

void oz_fill_cells_sort(oz_fill_cells *c)
{
	const size_t cells = cell_count(c);
	count_cells(c);
	for (uint32_t i = 0; i < c->count; i++) {
		const uint32_t to = c->start[c->cell[i]]++;
		c->new_at[to] = c->at[i];
		c->new_step[to] = c->step[i];
		c->new_id[to] = c->id[i];
	}
	c->new_at[c->count] = (oz_fill_point){FAR, FAR, FAR, 0};
	memmove(c->start + 1, c->start, cells * sizeof *c->start);
	c->start[0] = 0;
	swap(&c->at, &c->new_at);
	swap(&c->step, &c->new_step);
	swap(&c->id, &c->new_id);
}

// ---- awake cells ------------------------------------------------------------------------------

// a cell is set if it or the next one on either side, `stride` away along an axis, was
static void widen(const oz_fill_cells *c, const uint8_t *from, uint8_t *to, int axis, size_t stride)
{
	const size_t cells = cell_count(c);
	for (size_t i = 0; i < cells; i++) {
		const size_t at = i / stride % c->size[axis];
		to[i] = from[i] || (at > 0 && from[i - stride]) ||
		        (at + 1 < c->size[axis] && from[i + stride]);
	}
}

void oz_fill_cells_wake(oz_fill_cells *c)
{
	const size_t cells = cell_count(c);
	const size_t stride[3] = {1, c->size[0], (size_t)c->size[0] * c->size[1]};
	uint8_t *now = c->awake, *next = c->awake + cells;
	for (size_t k = 0; k < cells; k++) {
		now[k] = 0;
		for (uint32_t i = c->start[k]; i < c->start[k + 1] && !now[k]; i++)
			now[k] = c->at[i].excess > 0 || oz_length2(c->step[i]) > 1e-10f;
	}
	for (int pass = 0; pass < 6; pass++) {
		widen(c, now, next, pass % 3, stride[pass % 3]);
		uint8_t *other = now;
		now = next;
		next = other;
	}
}

// ---- lists ------------------------------------------------------------------------------------

// the rows of up to three cells around a cell
typedef struct rows {
	uint32_t from[9], to[9]; // points
	int count;
} rows;

// the ranges of points in the 27 cells around a cell
static rows rows_around(const oz_fill_cells *c, const uint32_t cell[3])
{
	rows r = {.count = 0};
	uint32_t low[3], high[3];
	for (int axis = 0; axis < 3; axis++) {
		low[axis] = cell[axis] > 0 ? cell[axis] - 1 : 0;
		high[axis] = cell[axis] + 1 < c->size[axis] ? cell[axis] + 1 : cell[axis];
	}
	for (uint32_t z = low[2]; z <= high[2]; z++)
		for (uint32_t y = low[1]; y <= high[1]; y++) {
			const size_t row = ((size_t)z * c->size[1] + y) * c->size[0];
			r.from[r.count] = c->start[row + low[0]];
			r.to[r.count++] = c->start[row + high[0] + 1];
		}
	return r;
}

// appends the neighbours of point i and fills the last vector up with the point behind the last
static size_t list_point(oz_fill_cells *c, const rows *around, uint32_t i, size_t end)
{
	const oz_fill_point p = c->at[i];
	for (int k = 0; k < around->count; k++)
		for (uint32_t j = around->from[k]; j < around->to[k]; j++) {
			const float x = c->at[j].x - p.x, y = c->at[j].y - p.y;
			const float z = c->at[j].z - p.z;
			c->list[end] = j;
			end += x * x + y * y + z * z < OZ_FILL_REACH * OZ_FILL_REACH;
		}
	while (end % OZ_LANES)
		c->list[end++] = c->count;
	return end;
}

// the largest length of the lists of a cell's points
static size_t most_in(const rows *around, uint32_t points)
{
	size_t most = OZ_LANES;
	for (int k = 0; k < around->count; k++)
		most += around->to[k] - around->from[k];
	return most * points;
}

static bool list_cell(oz_fill_cells *c, const uint32_t cell[3], size_t index, size_t *end)
{
	const rows around = rows_around(c, cell);
	const uint32_t first = c->start[index], last = c->start[index + 1];
	const size_t most = *end + (c->awake[index] ? most_in(&around, last - first) : 0) + 1;
	if (most > c->list_room) {
		const size_t room = most + most / 2;
		uint32_t *list = realloc(c->list, room * sizeof *list);
		if (!list)
			return false;
		c->list = list;
		c->list_room = room;
	}
	for (uint32_t i = first; i < last; i++) {
		c->list_start[i] = (uint32_t)*end;
		if (c->awake[index])
			*end = list_point(c, &around, i, *end);
		c->list_start[i + 1] = (uint32_t)*end;
	}
	return *end < UINT32_MAX;
}

bool oz_fill_cells_list(oz_fill_cells *c)
{
	size_t index = 0, end = 0;
	uint32_t cell[3];
	for (cell[2] = 0; cell[2] < c->size[2]; cell[2]++)
		for (cell[1] = 0; cell[1] < c->size[1]; cell[1]++)
			for (cell[0] = 0; cell[0] < c->size[0]; cell[0]++, index++)
				if (!list_cell(c, cell, index, &end))
					return false;
	return true;
}
