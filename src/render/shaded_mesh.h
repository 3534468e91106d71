// shaded_mesh.h: a mesh with normals, prepared for pictures.
#ifndef OZ_SHADED_MESH_H
#define OZ_SHADED_MESH_H

#include "geometry/mesh.h"
#include "render/render.h"

// Triangles with normals, in the coordinates of their collider or body (m).
struct oz_shaded_mesh {
	oz_vec3 *position, *normal; // of vertices; a vertex on a sharp edge has several copies
	oz_vec3 *out; // unit vector along which a vertex moves when the mesh is enlarged
	uint32_t vertex_count;
	uint32_t (*triangles)[3];
	uint32_t triangle_count;
	oz_vec3 rim[OZ_RIM]; // the outermost vertex in each direction
};

#endif
