// cover.h: an even closed mesh on the surface of a volume.
//
//   cover_cubes.c  a first mesh, by marching tetrahedra
//   cover_edges.c  splits, collapses and flips edges
//   cover.c        moves vertices to equal distances, until there is one for each spacing²
#ifndef OZ_COVER_H
#define OZ_COVER_H

#include "geometry/fill.h"
#include "geometry/mesh.h"

// Covers the surface of a volume with triangles of equal size, one vertex for each spacing² of its
// area. The caller frees the mesh with oz_mesh_free.
oz_result oz_volume_cover(const oz_volume *volume, float spacing, oz_mesh *mesh, oz_error *error);
// The same for the surface of a closed mesh.
oz_result oz_mesh_cover(const oz_mesh *mesh, float spacing, oz_mesh *even, oz_error *error);

// A mesh that grows.
typedef struct oz_cover {
	oz_mesh mesh;
	uint32_t vertex_room, triangle_room;
	const oz_volume *volume;
	float side; // m, wanted length of edges
} oz_cover;

// Append; false: out of memory.
bool oz_cover_add_vertex(oz_cover *cover, oz_vec3 vertex, uint32_t *number);
bool oz_cover_add_triangle(oz_cover *cover, uint32_t a, uint32_t b, uint32_t c);
// Fills an empty cover with a first mesh of cells of the size `cell`, m.
bool oz_cover_march(oz_cover *cover, float cell);
// One pass each; edges that touch a changed triangle wait for the next pass. False: out of memory.
// `changed`: number of edges.
bool oz_cover_split(oz_cover *cover, uint32_t *changed);
bool oz_cover_collapse(oz_cover *cover, uint32_t *changed);
bool oz_cover_flip(oz_cover *cover, uint32_t *changed);

#endif
