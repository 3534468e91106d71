// witness.h: worlds with SDF colliders, checked by the exact distance to their meshes.
//
// A witness has the mesh of a collider as triangles, and not its SDF: it computes how far a point
// is from the mesh, on which side, and whether a way pierces it. All is in the frame of the
// collider at the time of the world.
#ifndef OZ_TEST_WITNESS_H
#define OZ_TEST_WITNESS_H

#include "geometry/mesh_lines.h"
#include "geometry/mesh_nearest.h"
#include "meshes.h"
#include "sdf/mesh_sdf.h"
#include "support.h"
#include "worlds.h"

#ifdef OZ_HAVE_EMBREE
#define NEEDS_SDFS
#else
#define NEEDS_SDFS skip()
#endif

typedef struct witness {
	oz_mesh mesh;
	oz_nearest *nearest;
	oz_mesh_lines lines;
	oz_vec3 min, max;
	oz_sdf *sdf;
	double spacing;
	oz_vec3 *before; // where particles were at the last look
	float *side;     // of each at the first look: 1 outside, -1 inside
	uint32_t count;
	// since the first look
	double deepest; // spacings, that any was on the other side than it began
	uint32_t crossed, pierced;
} witness;
// Takes the mesh; `cell` is in spacings.
void test_witness_make(witness *a, oz_mesh mesh, double spacing, double cell, bool shell);
void test_witness_free(witness *a);
oz_mesh test_mesh_slab(vec size, vec position);
oz_mesh test_mesh_tilted(oz_mesh m, vec axis, double angle);
oz_mesh test_mesh_of_scene(const char *name, double scale);
double test_witness_distance(const witness *a, oz_vec3 p);
// Looks at all particles; sides of a closed mesh, and at every step also the ways since.
void test_witness_look(witness *a, oz_world *w, oz_id collider, bool closed, bool ways);

// The collider of a witness: its SDF.
oz_collider_def test_collider_of(const witness *a);
// `fully` if OOZE_LONG=1 is in the environment, else `shortly`.
double test_seconds(double shortly, double fully);

#endif
