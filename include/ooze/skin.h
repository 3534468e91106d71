// skin.h: a mesh of any resolution that moves with the particles of a solid body.
//
//   oz_skin_def def = oz_skin_default(spacing);
//   def.vertices = …; def.triangles = …;        the mesh, around the body at rest
//   oz_world_view(world, OZ_FIELD_POSITION, &def.position, NULL);   and OZ_FIELD_ID, OZ_FIELD_BODY
//   def.carrier = body;
//   oz_skin_create(&def, &skin, NULL);
//   oz_skin_of_world(skin, world, &mesh, NULL);   once a frame; memory is kept
//   oz_skin_destroy(skin);
//
// Each particle j has an affine map F_j, fitted to the motion of its rest neighbours. A vertex v
// moves to x = Σ w_j (x_j + F_j (v - X_j)), with smooth weights that are zero beyond the reach and
// sum to one. Rotations, translations and any other affine motion are exact. The same particles, in
// any order, give the same bits on any number of threads.
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
	const oz_vec3 *normals; // unit vectors, moved with the mesh; NULL: made from the triangles
	const uint32_t (*triangles)[3];
	uint32_t triangle_count;

	// the particles at rest
	oz_view position; // oz_vec3, m
	oz_view id;       // uint32_t
	oz_view body;     // uint32_t; data NULL: all particles move the skin
	oz_id carrier;    // the body that moves the skin; ignored without `body`
	float spacing;    // m, between particles

	float reach;      // radius within which particles move a vertex, in spacings
	uint32_t threads; // 0: one for each core
	oz_hooks hooks;
} oz_skin_def;

// Returns a definition with default parameters, an empty mesh and no particles.
oz_skin_def oz_skin_default(float spacing);

// The present particles. Views with data NULL are optional fields that are missing; position and id
// are required. All views have one element for each position. Particles that do not move the skin
// are ignored.
typedef struct oz_skin_input {
	oz_view position; // oz_vec3, m
	oz_view id;       // uint32_t
	oz_view velocity; // oz_vec3, m/s
	oz_view colour;   // oz_vec3, any three numbers
	oz_view body;     // uint32_t
	oz_view material; // uint32_t
} oz_skin_input;

typedef struct oz_skin oz_skin;

// Binds a mesh to particles; *skin is NULL on failure. Vertices farther than the reach from all
// particles follow the nearest few. Destroy it with oz_skin_destroy; NULL is allowed there.
oz_result oz_skin_create(const oz_skin_def *def, oz_skin **skin, oz_error *error);
void oz_skin_destroy(oz_skin *skin);
// Computes the mesh for the present particles: all vertices and triangles of the definition, in
// their order. The skin owns it, and it is valid until the next call with this skin. Fails if a
// position is not finite or a particle of the skin is missing.
oz_result oz_skin_pose(oz_skin *skin, const oz_skin_input *input, oz_surface_mesh *mesh,
                       oz_error *error);
// The same for the particles of a world.
oz_result oz_skin_of_world(oz_skin *skin, oz_world *world, oz_surface_mesh *mesh, oz_error *error);
// Bytes that the skin has allocated.
size_t oz_skin_bytes(const oz_skin *skin);

#ifdef __cplusplus
}
#endif
#endif
