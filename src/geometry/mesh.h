// mesh.h: triangle meshes from files, checked, and filled with points.
#ifndef OZ_MESH_H
#define OZ_MESH_H

#include "ooze/ooze.h"

typedef struct oz_mesh {
	oz_vec3 *vertices;
	uint32_t vertex_count;
	uint32_t (*triangles)[3]; // counter-clockwise seen from outside
	uint32_t triangle_count;
} oz_mesh;

// Reads OBJ, PLY, STL, glTF, DAE …, all parts joined into one mesh, equal vertices merged.
// OZ_ERROR_UNAVAILABLE where the build has no importer.
oz_result oz_mesh_load(const char *path, oz_mesh *mesh, oz_error *error);
// Reads the lines of a file alone, from OBJ, glTF or DAE: the line from a to b as the triangle
// (a, b, b), for oz_mesh_fill_lines.
oz_result oz_mesh_load_lines(const char *path, oz_mesh *mesh, oz_error *error);
void oz_mesh_free(oz_mesh *mesh);

// Refuses a mesh that is open, non-manifold, inside out, flat, or has non-finite vertices, and says
// where: the first bad edge with its end points, and how many there are.
oz_result oz_mesh_check_closed(const oz_mesh *mesh, const char *path, oz_error *error);

// Refuses a mesh without triangles, with non-finite vertices, or with triangles of vertices that it
// has not.
oz_result oz_mesh_check_vertices(const oz_mesh *mesh, const char *path, oz_error *error);

// Scales, turns and moves all vertices, in that order.
void oz_mesh_transform(oz_mesh *mesh, oz_vec3 scale, oz_quat rotation, oz_vec3 position);

// Fills a closed mesh with points, one for each spacing³; the caller frees them with
// oz_points_free.
oz_result oz_mesh_fill(const oz_mesh *mesh, float spacing, oz_fill fill, oz_vec3 **points,
                       uint32_t *count, oz_error *error);
// Covers a mesh, open or closed, with one layer of points, one for each spacing² of its area, at
// even distances; the caller frees them with oz_points_free.
oz_result oz_mesh_fill_surface(const oz_mesh *mesh, float spacing, oz_vec3 **points,
                               uint32_t *count, oz_error *error);
// Lays points along the lines of a mesh of lines, one for each spacing of their length, at even
// distances; the caller frees them with oz_points_free.
oz_result oz_mesh_fill_lines(const oz_mesh *mesh, float spacing, oz_vec3 **points, uint32_t *count,
                             oz_error *error);

#endif
