// mesh_sdf_file.h: SDFs of meshes that were made before.
#ifndef OZ_MESH_SDF_FILE_H
#define OZ_MESH_SDF_FILE_H

#include "sdf/mesh_sdf.h"

typedef struct oz_sdf_place {
	uint64_t key;    // hash of all that the SDF follows from
	char path[4096]; // of its file; empty: there is no place for it
} oz_sdf_place;

oz_sdf_place oz_sdf_place_of(const oz_mesh *mesh, const oz_mesh_sdf_def *def);
// Reads an SDF and its report; NULL where there is none, or none that can be trusted, which is
// logged.
oz_sdf *oz_sdf_load(const oz_sdf_place *place, const oz_mesh_sdf_def *def, oz_mesh_report *report);
// Writes an SDF. One that cannot be written is no trouble: the next run makes it again.
void oz_sdf_save(const oz_sdf_place *place, const oz_sdf *sdf, const oz_mesh_report *report);

#endif
