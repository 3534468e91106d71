// edges.h: lines that show a shape whose faces are not drawn.
#ifndef OZ_EDGES_H
#define OZ_EDGES_H

#include "math/vec.h"
#include "ooze/ooze.h"

typedef struct oz_segment {
	oz_vec3 a, b;
} oz_segment;

#define OZ_EDGES 512 // of one shape at most

// Writes the lines of a shape at its pose (m); returns their number, 0 for shapes without lines.
uint32_t oz_shape_edges(const oz_shape *shape, oz_segment edges[OZ_EDGES]);

#endif
