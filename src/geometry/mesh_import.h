// mesh_import.h: the protocol between the process that imports a mesh and its parent.
//
// The importer runs in a child process (mesh_child.c). It writes a head, then corners and
// triangles, or, if it failed, an error sentence. The parent (mesh_import.c) checks all of it.
#ifndef OZ_MESH_IMPORT_H
#define OZ_MESH_IMPORT_H

#include "base/process.h"
#include "geometry/mesh.h"

#define OZ_MESH_MAX_TRIANGLES (1u << 27)

typedef struct mesh_head {
	uint32_t result;  // oz_result
	uint32_t corners; // not yet merged
	uint32_t triangles;
} mesh_head;

typedef struct mesh_request {
	const char *path;
	bool lines; // true: read lines, not triangles
} mesh_request;

// Runs in the child: reads the file and writes the mesh; `context` is a mesh_request.
void oz_mesh_child(void *context, oz_process_out *out);

// Loads a mesh within given limits of time and memory.
oz_result oz_mesh_load_within(const char *path, const oz_process_limits *limits, oz_mesh *mesh,
                              oz_error *error);

#endif
