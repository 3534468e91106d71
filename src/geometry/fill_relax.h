// fill_relax.h: points of a fill moved until they are at rest.
//
// Lengths are in spacings, relative to the minimum of the volume's box.
#ifndef OZ_FILL_RELAX_H
#define OZ_FILL_RELAX_H

#include <stdint.h>

#include "geometry/fill.h"

#define OZ_FILL_CLEARANCE 0.49f // spacings, least distance of a point from the surface

// λ of the volume's surface (fill_walls.c): a volume counts as if its outside were full of points
// at rest, sampled at the centres of voxels.
typedef struct oz_fill_walls {
	uint32_t size[3];  // voxels along each axis
	uint8_t *outside;  // of each voxel, the share outside the volume, 0 … 255
	uint16_t *lambda;  // at the centre of each voxel, 0 … OZ_LAMBDA_ONE
	double volume;     // spacings³, from the shares
	double kernel_sum; // Σ W over a cubic lattice of pitch 1
} oz_fill_walls;

#define OZ_LAMBDA_ONE 65535.0f

// x, y, z: gradient of λ, 1/spacing; w: λ
typedef struct oz_fill_lambda {
	float x, y, z, w;
} oz_fill_lambda;

// Samples the volume. False: out of memory.
bool oz_fill_walls_make(oz_fill_walls *walls, const oz_volume *volume, float spacing);
void oz_fill_walls_free(oz_fill_walls *walls);
// Whether some point inside is deeper than a spacing.
bool oz_fill_walls_are_deep(const oz_fill_walls *walls);
// The share inside of the voxel at p.
float oz_fill_walls_inside(const oz_fill_walls *walls, oz_vec3 p);
// λ at p; 0 farther from the surface than the kernel reaches.
oz_fill_lambda oz_fill_walls_at(const oz_fill_walls *walls, oz_vec3 p);

// Moves points (m) until none is denser than at rest, or a number of rounds have passed. All stay
// OZ_FILL_CLEARANCE away from the surface where that is possible. Their order stays. False: out of
// memory.
bool oz_fill_relax(const oz_volume *volume, const oz_fill_walls *walls, float spacing,
                   oz_vec3 *points, uint32_t count);

// The unit outward normal at p (m) by differences of the distance.
oz_vec3 oz_volume_outward(const oz_volume *volume, oz_vec3 p, float spacing);
// Moves p (m) inwards, if needed, until it is `clearance` (m) away from the surface; false: p is
// where that came nearest to be true.
bool oz_volume_clear(const oz_volume *volume, oz_vec3 *p, float clearance, float spacing);

#endif
