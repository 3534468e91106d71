// meshes.h: small meshes made by hand, and files of them, for the tests of meshes.
//
// Files are written into the folder that a test runs in.
#ifndef OZ_TEST_MESHES_H
#define OZ_TEST_MESHES_H

#include "geometry/mesh.h"
#include "math/quat.h"
#include "math/vec.h"
#include "support.h"

#define NO_TRIANGLE " has no triangles; export it as a surface"

typedef enum format { OBJ, PLY, PLY_BINARY, STL, STL_BINARY, FORMATS } format;
static const char *const test_mesh_files[FORMATS] = {"m.obj", "m.ply", "b.ply", "m.stl", "b.stl"};

// ---- meshes -----------------------------------------------------------------------------------

oz_mesh test_mesh(uint32_t vertices, uint32_t triangles);
// A cube of edge 1 about the origin: vertex bits are x, y, z.
oz_mesh test_mesh_cube(void);
oz_mesh test_mesh_tetrahedron(void);
// A ball: a cube's faces parted and blown up.
oz_mesh test_mesh_ball(float radius, int times);
oz_mesh test_mesh_torus(float ring, float tube, uint32_t around, uint32_t across);
oz_mesh test_mesh_joined(oz_mesh a, oz_mesh b);
oz_mesh test_mesh_placed(oz_mesh m, float scale, oz_vec3 position);
oz_mesh test_mesh_flipped(oz_mesh m);

// ---- files ------------------------------------------------------------------------------------

void test_mesh_write(const oz_mesh *m, format as);
// Writes a mesh, reads it back and frees the first.
oz_mesh test_mesh_through_file(oz_mesh m, format as);
void test_mesh_is_closed(const oz_mesh *m);
uint32_t test_mesh_fill_count(const oz_mesh *m, float spacing, oz_fill fill);
// Writes a mesh as OBJ and frees it.
void test_mesh_save(oz_mesh mesh, const char *path);

#endif
