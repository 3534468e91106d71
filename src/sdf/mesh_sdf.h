// mesh_sdf.h: SDFs of triangle meshes, also of meshes with defects, and a report of these defects.
#ifndef OZ_MESH_SDF_H
#define OZ_MESH_SDF_H

#include "geometry/mesh_report.h"

typedef struct oz_mesh_sdf_def {
	float cell;        // m, edge of a cell
	float reach;       // m, distance up to which nodes are stored
	bool shell;        // the surface only: distances are positive on both sides
	const char *cache; // folder of the cache; NULL: the user's cache folder, "": no cache
	uint32_t threads;  // 0: one for each core
	oz_hooks hooks;
} oz_mesh_sdf_def;

// Fills the report of a mesh. Fails if the mesh has no triangle with an area, or vertices that are
// not finite.
oz_result oz_mesh_survey(const oz_mesh *mesh, const char *path, oz_mesh_report *report,
                         oz_error *error);
// Makes the SDF of a mesh, or reads it from the cache; the caller releases it. `report` and `path`
// may be NULL. A point is inside if its winding number is above 0.5. Holes up to two cells across
// are closed, except in shells. OZ_ERROR_UNAVAILABLE: the build has no Embree.
oz_result oz_mesh_sdf(const oz_mesh *mesh, const char *path, const oz_mesh_sdf_def *def,
                      oz_sdf **sdf, oz_mesh_report *report, oz_error *error);
// Refuses a mesh with a hole wider than `spacing`, through which particles pass; the error names
// it.
oz_result oz_mesh_check_vessel(const oz_mesh_report *report, const char *path, float spacing,
                               oz_error *error);

#endif
