// mesh_winding.h: how often a surface, closed or not, winds around a point.
#ifndef OZ_MESH_WINDING_H
#define OZ_MESH_WINDING_H

#include "geometry/mesh.h"

typedef struct oz_winding oz_winding;

// Sorts a mesh, which must live as long; NULL where memory is out. The box is around it.
oz_winding *oz_winding_create(const oz_mesh *mesh, oz_vec3 min, oz_vec3 max);
void oz_winding_destroy(oz_winding *winding);
// 1 inside and 0 outside of a closed surface, and between them near a hole. Several threads may ask
// at once.
float oz_winding_at(const oz_winding *winding, oz_vec3 point);

#endif
