// hull.h: a mesh made ready for pictures.
#ifndef OZ_HULL_H
#define OZ_HULL_H

#include "geometry/mesh.h"
#include "render/render.h"

// Triangles with normals, in the frame of their solid.
struct oz_hull {
	oz_vec3 *position, *normal; // of vertices; those on sharp edges are there several times
	oz_vec3 *out;               // unit vector in which a vertex moves when the solid is swollen
	uint32_t vertex_count;
	uint32_t (*triangles)[3];
	uint32_t triangle_count;
	oz_vec3 rim[OZ_RIM]; // the outermost vertex each way
};

#endif
