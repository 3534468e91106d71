// mixes.h: bodies of any model, for tests in which models meet.
#ifndef OZ_TEST_MIXES_H
#define OZ_TEST_MIXES_H

#include "worlds.h"

// A typical material of a model, without friction, that sticks to nothing.
oz_material_def test_plain_material(oz_model model);
// A body of a material, filled as its model needs: a membrane covers the shape.
oz_id test_add_any(oz_world *world, oz_id material, const oz_shape *shape, vec velocity);
// Angular momentum of the particles of a rigid body about their own centres: each is a cube. Zero
// of other bodies.
vec test_own_momentum(oz_world *world, oz_id body);
// Mean place and mean velocity of a body's particles.
void test_mean_of(oz_world *world, oz_id body, vec *x, vec *v);

#endif
