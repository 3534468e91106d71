// fill_cells.h: the points of a fill sorted by cells, and lists of their neighbours.
//
// Lengths are in spacings, relative to the minimum of the volume's box.
#ifndef OZ_FILL_CELLS_H
#define OZ_FILL_CELLS_H

#include "geometry/fill_relax.h"
#include "math/sph.h"

#define OZ_FILL_SKIN  0.16f // lists hold until a point has moved half of it
#define OZ_FILL_REACH (OZ_FITTED_SUPPORT + OZ_FILL_SKIN) // of the lists

typedef struct oz_fill_point {
	float x, y, z;
	float excess; // C of fill_relax.c
} oz_fill_point;

typedef struct oz_fill_cells {
	uint32_t count; // of points
	uint32_t size[3];
	uint32_t *start;      // of each cell, its first point; one more than cells
	uint8_t *awake;       // of each cell: its points may move
	oz_fill_point *at;    // sorted by cells; one more, far away
	oz_vec3 *step;        // the last step of each point
	oz_fill_lambda *wall; // λ of each awake point
	uint32_t *id;         // of each point, its place in the caller's order
	oz_fill_point *new_at;
	oz_vec3 *new_step;
	uint32_t *new_id;
	uint32_t *cell;       // of each point
	uint32_t *list_start; // of each point, its list; one more
	uint32_t *list;       // of awake points: their neighbours, in whole vectors
	size_t list_room;
} oz_fill_cells;

// Makes cells for points in a box from 0 to `box`. False: out of memory.
bool oz_fill_cells_make(oz_fill_cells *c, oz_vec3 box, uint32_t count);
void oz_fill_cells_free(oz_fill_cells *c);
// Sorts the points by cells. The order within a cell stays.
void oz_fill_cells_sort(oz_fill_cells *c);
// Wakes the cells up to two cells away from a point that has an excess or moves.
void oz_fill_cells_wake(oz_fill_cells *c);
// Lists the neighbours of all points in awake cells. False: out of memory.
bool oz_fill_cells_list(oz_fill_cells *c);

#endif
