// mesh_nearest.h: the nearest points of a mesh.
#ifndef OZ_MESH_NEAREST_H
#define OZ_MESH_NEAREST_H

#include "geometry/mesh.h"

typedef struct oz_nearest oz_nearest;

// Sorts a mesh, which must live as long, for questions about nearest points. OZ_ERROR_UNAVAILABLE
// where the build has no Embree.
oz_result oz_nearest_create(const oz_mesh *mesh, uint32_t threads, oz_nearest **nearest,
                            oz_error *error);
void oz_nearest_destroy(oz_nearest *nearest);
// Fills the ways from the nearest points of faces, edges and vertices, all distances positive.
// Points that follow each other should be neighbours. Several threads may ask at once.
void oz_nearest_find(const oz_nearest *nearest, const oz_vec3 *points, uint32_t count,
                     oz_nearest_point *found);

#endif
