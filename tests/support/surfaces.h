// surfaces.h: small surface meshes with everything that vertices can carry, for tests of files.
#ifndef OZ_TEST_SURFACES_H
#define OZ_TEST_SURFACES_H

#include "meshes.h"
#include "ooze/surface.h"
#include "support.h"

// A mesh and the arrays that it points to.
typedef struct surface {
	oz_mesh shape;
	oz_vec3 *normal, *velocity, *colour;
	uint32_t *body, *material;
	oz_surface_mesh mesh;
} surface;
// Takes the shape over and dresses it: every number is another, none is round.
surface test_dressed(oz_mesh shape);
void test_dressed_free(surface *s);

#endif
