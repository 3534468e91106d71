// mesh_nearest.h: finds the nearest point of a mesh.
#ifndef OZ_MESH_NEAREST_H
#define OZ_MESH_NEAREST_H

#include "geometry/mesh.h"

typedef struct oz_nearest oz_nearest;

// Builds a search tree of a mesh. The mesh must live as long. OZ_ERROR_UNAVAILABLE if the build has
// no Embree.
oz_result oz_nearest_create(const oz_mesh *mesh, uint32_t threads, oz_nearest **nearest,
                            oz_error *error);
void oz_nearest_destroy(oz_nearest *nearest);
// Writes, for each point, the vector from the nearest point of the mesh to it, and its length. The
// search is fast if points next to each other in the array are close. Several threads may call it.
void oz_nearest_find(const oz_nearest *nearest, const oz_vec3 *points, uint32_t count,
                     oz_nearest_point *found);

#endif
