// blends.h: what the tests of blended bodies share.
//
// Small worlds of blended cubes, particles put where a test wants them, and the distance between
// two shapes once turn and place are taken away.
#ifndef BLENDS_H
#define BLENDS_H

#include "physics.h"
#include "world/world.h"

// a world without gravity of that spacing and speed of sound; time steps adapt
oz_world *oz_blends_world(double spacing, double sound_speed);
// the same, with gravity and a floor at y = 0
oz_world *oz_blends_floor(double spacing, double sound_speed);
oz_material_def oz_blends_material(double alpha, double density);
oz_id oz_blends_add(oz_world *world, const oz_material_def *def);
// a block of a lattice, all its particles one body
oz_id oz_blends_block(oz_world *world, oz_id material, vec centre, vec edges);
oz_id oz_blends_thrown(oz_world *world, oz_id material, const oz_shape *shape, vec velocity);

// Before the first step, particles lie in the order of their ids.
void oz_blends_put(oz_world *world, uint32_t particle, vec x, vec v);
// Gives the RMS distance of two equally long rows after the best rigid fit of one onto the other.
double oz_blends_misfit(const grains *now, const grains *then);
// m, greatest less least y
double oz_blends_height(oz_world *world);
// a hash over the reference shapes of the slots from first to last
uint64_t oz_blends_rest(const oz_world *world, uint32_t first, uint32_t count);

#endif
