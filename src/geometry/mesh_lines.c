// mesh_lines.c: intersects triangles with lines along an axis u.
//
// Each intersection adds +1 or -1 to the winding. In the plane (v, w) the line is a point p:
//
//        w ^      /\          The level w of p crosses one edge that runs up and one that runs
//          |     /  \         down, or none. An edge counts if its crossing has a larger v than
//      p - | - -/-p--\- -     p. Both triangles at an edge compute the same crossing from the
//          |   /______\       same numbers, so rounding lets no line pass between them.
//          +-----------> v
#include "geometry/mesh_lines.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_CELLS = 2048, MAX_COPIES = 16 };

// ---- grid -------------------------------------------------------------------------------------

// the cell of a coordinate along an axis of the grid, clamped to the grid
static uint32_t grid_cell(const oz_mesh_lines *l, int side, double x)
{
	const double i = (x - l->origin[side]) * l->scale[side];
	return i < 1 ? 0 : i >= l->cells - 1 ? l->cells - 1 : (uint32_t)i;
}

// The range of cells that the bounding box of a triangle covers: v from [0][0] to [0][1], w from
// [1][0] to [1][1].
static void covered(const oz_mesh_lines *l, uint32_t triangle, uint32_t range[2][2])
{
	const uint32_t *t = l->mesh->triangles[triangle];
	for (int side = 0; side < 2; side++) {
		double low = INFINITY, high = -INFINITY;
		for (int k = 0; k < 3; k++) {
			const double x = oz_along(l->mesh->vertices[t[k]], l->axis[side + 1]);
			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		range[side][0] = grid_cell(l, side, low);
		range[side][1] = grid_cell(l, side, high);
	}
}

// entries of all cells: a triangle has one in each cell that it covers
static uint64_t count_copies(const oz_mesh_lines *l)
{
	uint64_t copies = 0;
	uint32_t r[2][2];
	for (uint32_t i = 0; i < l->mesh->triangle_count; i++) {
		covered(l, i, r);
		copies += (uint64_t)(r[0][1] - r[0][0] + 1) * (r[1][1] - r[1][0] + 1);
	}
	return copies;
}

static void lay_grid(oz_mesh_lines *l, oz_vec3 min, oz_vec3 max, uint32_t cells)
{
	l->cells = cells;
	for (int side = 0; side < 2; side++) {
		const double low = oz_along(min, l->axis[side + 1]);
		const double high = oz_along(max, l->axis[side + 1]);
		l->origin[side] = low;
		l->scale[side] = high > low ? cells / (high - low) : 0;
	}
}

// Chooses about one cell per triangle; fewer if triangles cover so many cells that the entries
// would exceed MAX_COPIES per triangle. Returns the number of entries.
static uint64_t choose_grid(oz_mesh_lines *l, oz_vec3 min, oz_vec3 max)
{
	const double triangles = l->mesh->triangle_count;
	const double request = ceil(sqrt(triangles));
	for (uint32_t cells = request < MAX_CELLS ? (uint32_t)request : MAX_CELLS;;
	     cells = (cells + 1) / 2) {
		lay_grid(l, min, max, cells);
		const uint64_t copies = count_copies(l);
		if ((double)copies <= MAX_COPIES * triangles || cells == 1)
			return copies;
	}
}

static void list_triangles(oz_mesh_lines *l)
{
	uint32_t r[2][2];
	const size_t all = (size_t)l->cells * l->cells;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < l->mesh->triangle_count; i++) {
			covered(l, i, r);
			for (uint32_t w = r[1][0]; w <= r[1][1]; w++)
				for (uint32_t v = r[0][0]; v <= r[0][1]; v++) {
					const size_t cell = (size_t)w * l->cells + v;
					if (pass == 0)
						l->start[cell + 1]++;
					else
						l->listed[l->start[cell]++] = i;
				}
		}
		for (size_t i = 0; i < all && pass == 0; i++)
			l->start[i + 1] += l->start[i];
	}
	// the second pass moved each start to the end of its cell; move them back
	for (size_t i = all; i > 0; i--)
		l->start[i] = l->start[i - 1];
	l->start[0] = 0;
}

bool oz_mesh_lines_make(oz_mesh_lines *l, const oz_mesh *mesh, oz_vec3 min, oz_vec3 max, int axis)
{
	*l = (oz_mesh_lines){.mesh = mesh, .axis = {axis, (axis + 1) % 3, (axis + 2) % 3}};
	const uint64_t copies = choose_grid(l, min, max);
	l->start = calloc((size_t)l->cells * l->cells + 1, sizeof *l->start);
	l->listed = malloc((size_t)copies * sizeof *l->listed);
	if (!l->start || !l->listed)
		return false;
	list_triangles(l);
	return true;
}

void oz_mesh_lines_free(oz_mesh_lines *l)
{
	free(l->start);
	free(l->listed);
	*l = (oz_mesh_lines){0};
}

uint64_t oz_mesh_lines_most(const oz_mesh_lines *l)
{
	uint64_t most = 0;
	for (size_t i = 0; i < (size_t)l->cells * l->cells; i++)
		if (l->start[i + 1] - l->start[i] > most)
			most = l->start[i + 1] - l->start[i];
	return most;
}

// ---- lines ------------------------------------------------------------------------------------

// Finds where the edges of a triangle cross the level w: (v, u)[0] where one runs up, [1] where one
// runs down. False: none does.
static bool cross_level(const oz_mesh_lines *l, uint32_t triangle, double w, double v[2],
                        double u[2])
{
	const uint32_t *t = l->mesh->triangles[triangle];
	int found = 0;
	for (int k = 0; k < 3; k++) {
		oz_vec3 low = l->mesh->vertices[t[k]], high = l->mesh->vertices[t[(k + 1) % 3]];
		const bool low_below = oz_along(low, l->axis[2]) <= w;
		const int down = !low_below;
		if (low_below == (oz_along(high, l->axis[2]) <= w))
			continue;
		if (down) {
			const oz_vec3 swap = low;
			low = high;
			high = swap;
		}
		const double w0 = oz_along(low, l->axis[2]), v0 = oz_along(low, l->axis[1]);
		const double u0 = oz_along(low, l->axis[0]);
		const double share = (w - w0) / (oz_along(high, l->axis[2]) - w0);
		v[down] = v0 + share * (oz_along(high, l->axis[1]) - v0);
		u[down] = u0 + share * (oz_along(high, l->axis[0]) - u0);
		found++;
	}
	return found == 2;
}

oz_line oz_line_at(const oz_mesh_lines *l, double v, double w)
{
	const size_t cell = (size_t)grid_cell(l, 1, w) * l->cells + grid_cell(l, 0, v);
	return (oz_line){v, w, l->start[cell], l->start[cell + 1]};
}

bool oz_line_next(const oz_mesh_lines *l, oz_line *line, oz_pierce *pierce)
{
	while (line->next < line->end) {
		const uint32_t triangle = l->listed[line->next++];
		double v[2], u[2];
		if (!cross_level(l, triangle, line->w, v, u))
			continue;
		const int winding_step = (v[1] > line->v) - (v[0] > line->v);
		if (winding_step == 0)
			continue;
		const double share = (line->v - v[0]) / (v[1] - v[0]);
		*pierce = (oz_pierce){u[0] + share * (u[1] - u[0]), winding_step, triangle};
		return true;
	}
	return false;
}
