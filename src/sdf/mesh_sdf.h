// mesh_sdf.h: SDFs of triangle meshes, also of broken ones, and what is wrong with those.
#ifndef OZ_MESH_SDF_H
#define OZ_MESH_SDF_H

#include "geometry/mesh_report.h"

typedef struct oz_mesh_sdf_def {
	float cell;        // m
	float reach;       // m
	bool shell;        // the surface alone: distances are positive on both sides
	const char *cache; // folder for SDFs; NULL: the user's own, "": none
	uint32_t threads;  // 0: one for each core
	oz_hooks hooks;
} oz_mesh_sdf_def;

// Looks a mesh over; fails only where it has no triangles or vertices are no places.
oz_result oz_mesh_survey(const oz_mesh *mesh, const char *path, oz_mesh_report *report,
                         oz_error *error);
// Makes the SDF of a mesh, or takes it from the cache; `report` may be NULL. Inside is where the
// surface winds around a point more than half a time. Holes up to two cells across are closed,
// except in shells. OZ_ERROR_UNAVAILABLE where the build has no
// Embree.
oz_result oz_mesh_sdf(const oz_mesh *mesh, const char *path, const oz_mesh_sdf_def *def,
                      oz_sdf **sdf, oz_mesh_report *report, oz_error *error);
// Refuses a mesh with a hole through which material passes, wider than `spacing`: names the hole.
oz_result oz_mesh_check_vessel(const oz_mesh_report *report, const char *path, float spacing,
                               oz_error *error);

#endif
