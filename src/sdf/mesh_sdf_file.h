// mesh_sdf_file.h: cache of the SDFs of meshes.
#ifndef OZ_MESH_SDF_FILE_H
#define OZ_MESH_SDF_FILE_H

#include "sdf/mesh_sdf.h"

// an SDF in the cache
typedef struct oz_sdf_entry {
	uint64_t key;    // hash of mesh and definition
	char path[4096]; // its file in the cache; empty: there is no cache
} oz_sdf_entry;

// The file of an SDF in the cache; makes the folder.
oz_sdf_entry oz_sdf_entry_of(const oz_mesh *mesh, const oz_mesh_sdf_def *def);
// Reads an SDF and its report. NULL: there is no file, or it is not valid, which is logged.
oz_sdf *oz_sdf_load(const oz_sdf_entry *entry, const oz_mesh_sdf_def *def, oz_mesh_report *report);
// Writes an SDF. Failure is ignored: the next run makes the SDF again.
void oz_sdf_save(const oz_sdf_entry *entry, const oz_sdf *sdf, const oz_mesh_report *report);
// Gives an SDF a store beside its file in the cache; without a cache or memory it gets none.
void oz_sdf_attach_store(oz_sdf *sdf, const oz_sdf_entry *entry);

#endif
