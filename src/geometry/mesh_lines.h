// mesh_lines.h: where straight lines along an axis pierce a mesh.
#ifndef OZ_MESH_LINES_H
#define OZ_MESH_LINES_H

#include "geometry/mesh.h"

// Triangles listed in a grid over the two axes across the lines. Does not change once made: several
// threads may follow lines at once.
typedef struct oz_mesh_lines {
	const oz_mesh *mesh;
	int axis[3];      // u along the lines, v and w across
	double origin[2]; // of the grid, along v and w
	double scale[2];  // cells per m
	uint32_t cells;   // along v and along w
	uint64_t *start;  // of each cell's triangles
	uint32_t *listed;
} oz_mesh_lines;

typedef struct oz_line {
	double v, w;
	uint64_t next, end; // of the listed triangles
} oz_line;

typedef struct oz_pierce {
	double u;
	int winding_step; // of the winding: +1 where the line enters through a front, -1 where it
	                  // leaves
	uint32_t triangle;
} oz_pierce;

// Lists the triangles of a mesh that lies in the box; false where memory is out. Free it in either
// case.
bool oz_mesh_lines_make(oz_mesh_lines *lines, const oz_mesh *mesh, oz_vec3 min, oz_vec3 max,
                        int axis);
void oz_mesh_lines_free(oz_mesh_lines *lines);
// The most pierces that any line can have.
uint64_t oz_mesh_lines_most(const oz_mesh_lines *lines);

oz_line oz_line_at(const oz_mesh_lines *lines, double v, double w);
// Gives the next pierce of a line, in no order along it; false where there is none left.
bool oz_line_next(const oz_mesh_lines *lines, oz_line *line, oz_pierce *pierce);

static inline double oz_along(oz_vec3 p, int axis)
{
	return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

#endif
