// sdfs.h: meshes that SDFs are made of, and their SDFs, for the tests of those.
#ifndef OZ_TEST_SDFS_H
#define OZ_TEST_SDFS_H

#include "boundary/sdf_data.h"
#include "meshes.h"
#include "sdf/mesh_sdf.h"
#include "support.h"
#include "vec.h"

// ---- meshes -----------------------------------------------------------------------------------

// Makes vertices at the same place one.
oz_mesh test_mesh_welded(oz_mesh m);
oz_mesh test_mesh_stretched(oz_mesh m, float x, float y, float z);
oz_mesh test_mesh_rotated(oz_mesh m);

typedef oz_vec3 (*curve)(double u);
oz_vec3 test_trefoil(double u);
// crosses itself in the origin
oz_vec3 test_eight(double u);
// A tube around a closed curve.
oz_mesh test_mesh_tube(curve at, float radius, uint32_t around, uint32_t across);
oz_mesh test_mesh_spike(void);
oz_mesh test_mesh_hollow_cube(void);
oz_mesh test_mesh_overlapping(void);

// ---- SDFs -----------------------------------------------------------------------------------

oz_mesh_sdf_def test_sdf_def(float cell);
oz_sdf *test_sdf_of(const oz_mesh *m, const oz_mesh_sdf_def *def, oz_mesh_report *report);
oz_vec3 test_sdf_node(const oz_sdf *c, uint32_t place, uint32_t node);

#endif
