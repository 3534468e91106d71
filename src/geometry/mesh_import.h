// mesh_import.h: what the two sides of an import say to each other.
//
// The importer runs in a child (mesh_child.c), which answers with a head and then, if all went
// well, corners and triangles, else a sentence. The parent (mesh_import.c) believes none of it.
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

typedef struct mesh_wish {
	const char *path;
	bool lines; // and no triangles
} mesh_wish;

// The child: `context` is the wish.
void oz_mesh_child(void *context, oz_process_out *out);

// Loads a mesh within limits of the caller's choice.
oz_result oz_mesh_load_within(const char *path, const oz_process_limits *limits, oz_mesh *mesh,
                              oz_error *error);

#endif
