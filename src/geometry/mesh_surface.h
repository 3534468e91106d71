// mesh_surface.h: the surface of a mesh as samples of about the same area.
#ifndef OZ_MESH_SURFACE_H
#define OZ_MESH_SURFACE_H

#include "geometry/mesh.h"

// Lengths are spacings from the origin.
typedef struct oz_samples {
	const oz_mesh *mesh;
	float spacing;      // m
	oz_vec3 origin;     // m, the mesh's lowest corner
	oz_vec3 *at;        // the middle of each
	float *area;        // of each, spacing²
	uint32_t *triangle; // that the largest piece of each came from
	bool *joined;       // whether it has pieces of several triangles
	size_t count, capacity;
} oz_samples;

// The area of the whole mesh, spacing².
double oz_samples_area(const oz_samples *set);
// Makes the samples; false where memory is out. Free them in either case.
bool oz_samples_make(oz_samples *set);
void oz_samples_free(oz_samples *set);
// Puts a place near a sample onto the surface there.
oz_vec3 oz_samples_onto(const oz_samples *set, size_t sample, oz_vec3 place);

#endif
