// fill.h: filling a solid with points, whatever the solid is.
//
// A solid is a box around it and a signed distance; shapes and meshes both come down to that. An
// axis along which the box has no extent is one layer of points: a sheet has one such axis, a rod
// two.
#ifndef OZ_FILL_H
#define OZ_FILL_H

#include "ooze/ooze.h"

#define OZ_FILL_MIN 1e-15f // m, the least spacing: squares must stay floats
#define OZ_FILL_MAX 1e15f  // m, the largest extent, for the same reason

typedef struct oz_volume {
	const char *name; // begins sentences: "the ball"
	oz_vec3 min, max;
	// Negative inside. Its sign always counts, its size only within `reach` of the surface.
	float (*distance)(void *context, oz_vec3 point, float reach);
	// The way to the outside, near the surface; NULL: the distance tells.
	oz_vec3 (*outward)(void *context, oz_vec3 point);
	void *context;
} oz_volume;

// Fills a solid with points, one for each spacing to the power of its dimension.
oz_result oz_volume_fill(const oz_volume *volume, float spacing, oz_fill fill, oz_vec3 **points,
                         uint32_t *count, oz_error *error);

// The same with blue noise; `spacing` has been checked.
oz_result oz_volume_noise(const oz_volume *volume, float spacing, oz_vec3 **points, uint32_t *count,
                          oz_error *error);

// Sentences that both ways of filling share.
oz_result oz_fill_too_thin(const oz_volume *volume, float spacing, oz_fill fill, oz_error *error);
oz_result oz_fill_too_many(const oz_volume *volume, float spacing, double wanted, oz_error *error);
oz_result oz_fill_no_memory(const oz_volume *volume, float spacing, double wanted, oz_error *error);

// How many axes of the solid have an extent.
int oz_volume_dimension(const oz_volume *volume);
// About how many points the solid takes, from a coarse sampling.
double oz_volume_estimate(const oz_volume *volume, float spacing);

#endif
