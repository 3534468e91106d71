// mesh_lines.h: intersections of a mesh with lines parallel to an axis.
#ifndef OZ_MESH_LINES_H
#define OZ_MESH_LINES_H

#include "geometry/mesh.h"

// Triangles listed in a 2D grid over the two axes across the lines. It is constant after
// oz_mesh_lines_make, so several threads may use it at once.
typedef struct oz_mesh_lines {
	const oz_mesh *mesh;
	int axis[3];      // u, along the lines; v and w, across
	double origin[2]; // of the grid, along v and w
	double scale[2];  // cells per m
	uint32_t cells;   // along v and along w
	uint64_t *start;  // first listed triangle of each cell; one more for the end
	uint32_t *listed; // triangles, cell by cell
} oz_mesh_lines;

typedef struct oz_line {
	double v, w;
	uint64_t next, end; // of the listed triangles
} oz_line;

typedef struct oz_pierce {
	double u;         // m, position along the line
	int winding_step; // +1: the line enters through the front of the triangle, -1: it leaves
	uint32_t triangle;
} oz_pierce;

// Lists the triangles of a mesh inside the box min … max; false: out of memory. Free it in either
// case. The mesh must live as long.
bool oz_mesh_lines_make(oz_mesh_lines *lines, const oz_mesh *mesh, oz_vec3 min, oz_vec3 max,
                        int axis);
void oz_mesh_lines_free(oz_mesh_lines *lines);
// An upper bound of the number of intersections of a line.
uint64_t oz_mesh_lines_most(const oz_mesh_lines *lines);

// Starts the line through (v, w).
oz_line oz_line_at(const oz_mesh_lines *lines, double v, double w);
// Finds the next intersection of a line, not sorted by u; false: no more.
bool oz_line_next(const oz_mesh_lines *lines, oz_line *line, oz_pierce *pierce);

// a coordinate of p
static inline double oz_along(oz_vec3 p, int axis)
{
	return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

#endif
