// surface.h: the surface of particles as a triangle mesh.
//
//   oz_surface_def def = oz_surface_default(spacing);
//   oz_surface *surface;
//   oz_surface_create(&def, &surface, NULL);
//   oz_surface_of_world(surface, world, OZ_NONE, &mesh, NULL);   once a frame; memory is reused
//   oz_surface_destroy(surface);
//
// Meshes are closed: every edge has two triangles, whose corners are counter-clockwise seen from
// outside. The same particles give the same bits on any number of threads.
#ifndef OOZE_SURFACE_H
#define OOZE_SURFACE_H

#include "ooze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum oz_surface_kind {
	OZ_SURFACE_DENSITY,  // where the smoothed volume fraction of the particles is one half
	OZ_SURFACE_DISTANCE, // half a spacing from particles with few neighbours
	OZ_SURFACE_SMOOTH, // as DENSITY, with kernels flattened along the surface (Yu & Turk 2013)
	OZ_SURFACE_KIND_COUNT
} oz_surface_kind;

typedef struct oz_surface_def {
	oz_surface_kind kind;
	float spacing;      // m, between particles at rest
	float cell;         // edge of a cell of the grid, in spacings
	float reach;        // radius of a particle's kernel, in spacings
	float threshold;    // density over rest density below which a particle is on the surface
	uint32_t smoothing; // passes of smoothing that keeps the volume
	float specks;       // pieces with less volume than this many particles are left out
	float fit;          // vertices nearer to a wall than this, in spacings, move onto it
	uint32_t threads;   // 0: one for each core
	oz_hooks hooks;
} oz_surface_def;

// Returns a definition with the default of every parameter.
oz_surface_def oz_surface_default(float spacing);

// The input of a surface. Views with data NULL are missing fields; all others have one element for
// each position.
typedef struct oz_surface_input {
	oz_view position;      // oz_vec3, m
	oz_view velocity;      // oz_vec3, m/s
	oz_view colour;        // oz_vec3, any three numbers
	oz_view body;          // uint32_t
	oz_view material;      // uint32_t
	const oz_shape *walls; // colliders near the material, for `fit`
	uint32_t wall_count;
} oz_surface_input;

// A mesh with values of the particles at its vertices: weighted means of velocity and colour; body
// and material of the nearest particle. Members whose input is missing are NULL.
typedef struct oz_surface_mesh {
	uint32_t vertex_count, triangle_count;
	const oz_vec3 *position; // m
	const oz_vec3 *normal;   // unit vectors, outwards
	const oz_vec3 *velocity; // m/s
	const oz_vec3 *colour;
	const uint32_t *body;
	const uint32_t *material;
	const uint32_t (*triangles)[3];
} oz_surface_mesh;

typedef struct oz_surface oz_surface;

// Makes an object that builds surfaces and reuses its memory; *surface is NULL on failure. Destroy
// it with oz_surface_destroy.
oz_result oz_surface_create(const oz_surface_def *def, oz_surface **surface, oz_error *error);
void oz_surface_destroy(oz_surface *surface);
// Builds the mesh around particles. The surface owns it, and it is valid until the next call with
// this surface; without particles it is empty. Fails if a position is not finite. Ignores particles
// farther than seven million cells from the origin.
oz_result oz_surface_build(oz_surface *surface, const oz_surface_input *input,
                           oz_surface_mesh *mesh, oz_error *error);
// Builds the mesh around the particles of one body of a world, or (OZ_NONE) of all bodies.
oz_result oz_surface_of_world(oz_surface *surface, oz_world *world, oz_id body,
                              oz_surface_mesh *mesh, oz_error *error);
// The most bytes that the surface has had allocated so far.
size_t oz_surface_bytes(const oz_surface *surface);

// The volume inside a closed mesh, in m³, and the area of its triangles, in m².
double oz_surface_volume(const oz_surface_mesh *mesh);
double oz_surface_area(const oz_surface_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
