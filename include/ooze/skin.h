// skin.h: a mesh of any fineness that the particles of a solid body carry along.
//
//   oz_skin_def def = oz_skin_default(spacing);
//   def.vertices = …; def.triangles = …;        the mesh, where the body lies at rest
//   oz_world_view(world, OZ_FIELD_POSITION, &def.position, NULL);   and OZ_FIELD_ID, OZ_FIELD_BODY
//   def.carrier = body;
//   oz_skin_create(&def, &skin, NULL);
//   oz_skin_of_world(skin, world, &mesh, NULL);   once a frame; memory is kept
//   oz_skin_destroy(skin);
//
// Each particle j has an affine map F_j, fitted to what its neighbours at rest have done; a vertex
// v is where the particles around it take it, x = Σ w_j (x_j + F_j (v - X_j)), with weights that
// are smooth, end at the reach, and add up to one. Turns, shifts and any other affine motion are
// exact. The same particles, in any order, give the same bits on any number of threads.
#ifndef OOZE_SKIN_H
#define OOZE_SKIN_H

#include "surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oz_skin_def {
	// the mesh; all arrays are read only during the call
	const oz_vec3 *vertices; // m
	uint32_t vertex_count;
	const oz_vec3 *normals; // unit vectors to carry along; NULL: made from the triangles
	const uint32_t (*triangles)[3];
	uint32_t triangle_count;

	// the particles at rest
	oz_view position; // oz_vec3, m
	oz_view id;       // uint32_t
	oz_view body;     // uint32_t; data NULL: all particles carry the skin
	oz_id carrier;    // the body that does, where bodies are given
	float spacing;    // m, between particles

	float reach;      // radius within which particles carry a vertex, in spacings
	uint32_t threads; // 0: one for each core
	oz_hooks hooks;
} oz_skin_def;

// Gives the default of every parameter: an empty mesh, no particles.
oz_skin_def oz_skin_default(float spacing);

// What particles are like now. A view whose data is NULL is not there (positions and ids must be);
// all others have an element for each position. Particles that do not carry the skin may be among
// them.
typedef struct oz_skin_input {
	oz_view position; // oz_vec3, m
	oz_view id;       // uint32_t
	oz_view velocity; // oz_vec3, m/s
	oz_view colour;   // oz_vec3, any three numbers
	oz_view body;     // uint32_t
	oz_view material; // uint32_t
} oz_skin_input;

typedef struct oz_skin oz_skin;

// Ties a mesh to particles; *skin is NULL on failure. Vertices farther than the reach from all
// particles take the nearest few. Destroy it with oz_skin_destroy; NULL is allowed there.
oz_result oz_skin_create(const oz_skin_def *def, oz_skin **skin, oz_error *error);
void oz_skin_destroy(oz_skin *skin);
// Gives the mesh as the particles carry it: all vertices and triangles of the definition, in their
// order. It belongs to the skin and lasts until its next call. Refuses positions that are not
// finite, and input that lacks a particle of the skin.
oz_result oz_skin_pose(oz_skin *skin, const oz_skin_input *input, oz_surface_mesh *mesh,
                       oz_error *error);
// The same with the particles of a world.
oz_result oz_skin_of_world(oz_skin *skin, oz_world *world, oz_surface_mesh *mesh, oz_error *error);
// Bytes that the skin holds.
size_t oz_skin_bytes(const oz_skin *skin);

#ifdef __cplusplus
}
#endif
#endif
