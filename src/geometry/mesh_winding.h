// mesh_winding.h: the generalised winding number of a mesh, closed or not.
#ifndef OZ_MESH_WINDING_H
#define OZ_MESH_WINDING_H

#include "geometry/mesh.h"

typedef struct oz_winding oz_winding;

// Builds a tree of a mesh inside the box min … max; NULL: out of memory. The mesh must live as
// long.
oz_winding *oz_winding_create(const oz_mesh *mesh, oz_vec3 min, oz_vec3 max);
void oz_winding_destroy(oz_winding *winding);
// The winding number at a point: 1 inside and 0 outside of a closed surface, between them near a
// hole. Several threads may call it at once.
float oz_winding_at(const oz_winding *winding, oz_vec3 point);

#endif
