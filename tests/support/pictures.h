// pictures.h: what the tests of pictures share: small paintings, meshes to put in them, and the
// light that comes of it.
#ifndef OZ_TEST_PICTURES_H
#define OZ_TEST_PICTURES_H

#include "render/render.h"
#include "support.h"

#define WIDTH  160u
#define HEIGHT 120u

static const oz_box test_unit_box = {{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}};

// ---- things -----------------------------------------------------------------------------------

oz_painting test_painting(void);
// The same light from everywhere, and nothing else.
oz_painting test_furnace(void);

#define RINGS 48u

// A ball or (tube > 0) a ring about y, as a mesh with normals.
typedef struct round_mesh {
	oz_vec3 position[(RINGS + 1) * (2 * RINGS + 1)], normal[(RINGS + 1) * (2 * RINGS + 1)];
	uint32_t triangles[4 * RINGS * RINGS][3];
	oz_surface_mesh mesh;
} round_mesh;
round_mesh *test_round_mesh(oz_vec3 centre, float ring, float radius);
// A box from a to b with flat faces.
oz_surface_mesh test_box_mesh(oz_vec3 position[8], oz_vec3 a, oz_vec3 b);

// ---- painting ---------------------------------------------------------------------------------

void trace(const oz_painting *painting, uint32_t threads, oz_picture *picture, oz_vec3 *light);
oz_picture test_paint(const oz_painting *painting, uint32_t threads);
// The light of a painting, to be freed with free().
oz_vec3 *test_light_of(const oz_painting *painting);
oz_vec3 test_light_at(const oz_vec3 *light, const oz_camera *camera, oz_vec3 point);
void test_same_picture(const oz_picture *a, const oz_picture *b);

#endif
