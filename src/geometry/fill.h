// fill.h: filling a volume with points.
//
// A volume is a bounding box and a signed distance; shapes and meshes are both given in this form.
// An axis along which the box has no extent gets one layer of points: a sheet has one such axis, a
// rod two.
#ifndef OZ_FILL_H
#define OZ_FILL_H

#include "ooze/ooze.h"

#define OZ_FILL_MIN 1e-15f // m, the smallest spacing: its square must not underflow a float
#define OZ_FILL_MAX 1e15f  // m, the largest extent: its square must not overflow a float

typedef struct oz_volume {
	const char *name; // for error sentences: "the ball"
	oz_vec3 min, max; // m, bounding box
	double size;      // m³; 0: not known, measured by samples
	double shells;    // m³, sum over the shells of a mesh; the size unless they overlap
	// Signed distance, m, negative inside. The sign is always correct, the size only within
	// `reach` of the surface.
	float (*distance)(void *context, oz_vec3 point, float reach);
	bool rough; // the distance is too small in corners, down to 1/√3 of it
	// Unit outward normal near the surface; NULL: use the gradient of the distance.
	oz_vec3 (*outward)(void *context, oz_vec3 point);
	void *context;
} oz_volume;

// Fills a volume with points, one for each spacing to the power of its dimension. The caller frees
// them with oz_points_free.
oz_result oz_volume_fill(const oz_volume *volume, float spacing, oz_fill fill, oz_vec3 **points,
                         uint32_t *count, oz_error *error);

// The same with blue noise; the caller has checked `spacing`. `wanted`: number of points; 0:
// measure the volume.
oz_result oz_volume_noise(const oz_volume *volume, float spacing, uint32_t wanted, oz_vec3 **points,
                          uint32_t *count, oz_error *error);

// Error sentences of both ways of filling. `wanted`: number of points.
oz_result oz_fill_too_thin(const oz_volume *volume, float spacing, oz_fill fill, oz_error *error);
oz_result oz_fill_too_many(const oz_volume *volume, float spacing, double wanted, oz_error *error);
oz_result oz_fill_no_memory(const oz_volume *volume, float spacing, double wanted, oz_error *error);

// The number of axes along which the volume has an extent.
int oz_volume_dimension(const oz_volume *volume);
// The approximate number of points that fill the volume, from 64 samples along each axis.
double oz_volume_estimate(const oz_volume *volume, float spacing);

#endif
