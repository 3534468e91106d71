// twins.h: every launch of a world runs on the CPU and once more on an OpenCL device, with copies
// of what the buffers held before; what the kernel writes is compared.
//
// The device of the world is wrapped. Sizes of buffers come from the allocation hook, so the world
// must come from test_twin_reload. What differs is compared as the type of the argument needs; a
// new record of floats is a line in compare() or is_of_floats() of twins.c.
#ifndef OZ_TEST_TWINS_H
#define OZ_TEST_TWINS_H

#include "device/pack.h"
#include "worlds.h"

// Opens the OpenCL device; closes it. For cmocka.
int test_twins_set_up(void **state);
int test_twins_tear_down(void **state);
// Saves a world, destroys it and loads it with counted memory.
oz_world *test_twin_reload(oz_world *plain);
// All launches from here on are compared, until test_twins_end.
void test_twins_begin(oz_world *w);
void test_twins_end(oz_world *w);
// The same, makes neighbour lists anew and takes steps.
void test_twins_step(oz_world *w, uint32_t steps);
// How often a kernel of the engine was compared.
uint32_t test_twins_launches(const oz_kernel *kernel);
// Elastic bodies do not use blocks: the kernels for blocks add in another order than OpenCL.
void test_without_blocks(oz_world *w);

// ---- twin_worlds.c -----------------------------------------------------------------------------

// Water, oil, a nozzle and a moving ball.
oz_world *test_twin_fluids(void);
// Blends that melt, meet and change their rest shapes.
oz_world *test_twin_blends(void);
// Elastic bodies of every kind, water, a blend, and two that melt and freeze.
oz_world *test_twin_solids(void);
// Adds a body of a new material on a lattice of 4 cm, which spins and falls.
void test_add_solid(oz_world *w, const oz_material_def *def, oz_shape shape, oz_vec3 position,
                    float temperature);

#endif
