// mesh.h: triangle meshes: load, check, transform, fill with points.
#ifndef OZ_MESH_H
#define OZ_MESH_H

#include "ooze/ooze.h"

typedef struct oz_mesh {
	oz_vec3 *vertices;
	uint32_t vertex_count;
	uint32_t (*triangles)[3]; // counter-clockwise seen from outside
	uint32_t triangle_count;
} oz_mesh;

// Reads OBJ, PLY, STL, glTF, DAE …. Joins all parts into one mesh and merges equal vertices. The
// caller frees it with oz_mesh_free. OZ_ERROR_UNAVAILABLE if the build has no importer.
oz_result oz_mesh_load(const char *path, oz_mesh *mesh, oz_error *error);
// Reads only the lines of a file, OBJ, glTF or DAE: the line from a to b becomes the triangle
// (a, b, b), for oz_mesh_fill_lines.
oz_result oz_mesh_load_lines(const char *path, oz_mesh *mesh, oz_error *error);
void oz_mesh_free(oz_mesh *mesh);

// Fails for a mesh that is open, non-manifold, inside out, flat, or has vertices that are not
// finite. The error names the first bad edge with its end points, and the number of bad edges.
oz_result oz_mesh_check_closed(const oz_mesh *mesh, const char *path, oz_error *error);

// Fails for a mesh without triangles, with vertices that are not finite, or with triangles that use
// a vertex that does not exist.
oz_result oz_mesh_check_vertices(const oz_mesh *mesh, const char *path, oz_error *error);

// Scales, rotates and moves all vertices, in that order.
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
