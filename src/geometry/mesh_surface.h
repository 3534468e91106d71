// mesh_surface.h: samples of the surface of a mesh, of about the same area.
#ifndef OZ_MESH_SURFACE_H
#define OZ_MESH_SURFACE_H

#include "geometry/mesh.h"

// Positions are in spacings relative to `origin`.
typedef struct oz_samples {
	const oz_mesh *mesh;
	float spacing;      // m
	oz_vec3 origin;     // m, lowest corner of the bounding box
	oz_vec3 *at;        // centre of each sample
	float *area;        // of each, spacing²
	uint32_t *triangle; // the triangle of the largest piece of each
	bool *joined;       // whether a sample has pieces of several triangles
	size_t count, capacity;
} oz_samples;

// The area of the whole mesh, spacing².
double oz_samples_area(const oz_samples *set);
// Makes the samples; false: out of memory, or the mesh has no area. Free them in either case.
bool oz_samples_make(oz_samples *set);
void oz_samples_free(oz_samples *set);
// Projects a position near a sample onto the surface at that sample.
oz_vec3 oz_samples_project(const oz_samples *set, size_t sample, oz_vec3 place);

#endif
