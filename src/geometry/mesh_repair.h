// mesh_repair.h: a mesh as it was meant: its edges filed, its faces turned the same way.
#ifndef OZ_MESH_REPAIR_H
#define OZ_MESH_REPAIR_H

#include "geometry/mesh_report.h"

// one triangle at an edge
typedef struct oz_filed {
	uint32_t high;  // the edge's upper vertex
	uint32_t third; // the vertex opposite
	uint32_t triangle;
} oz_filed;

// The edges of a mesh, filed under their lower vertex: triangles at the same edge lie side by side.
typedef struct oz_edges {
	uint32_t *start; // of each vertex's file; one more than there are vertices
	oz_filed *filed; // three for each triangle
	uint32_t count;
} oz_edges;

typedef struct oz_edge {
	uint32_t low, high;
	uint32_t begin, end; // of the triangles at it, among the filed
} oz_edge;

bool oz_edges_make(oz_edges *edges, const oz_mesh *mesh);
void oz_edges_free(oz_edges *edges);
// Goes on to the next edge, from a zeroed one; false after the last.
bool oz_edge_next(const oz_edges *edges, oz_edge *edge);
// Whether a triangle runs along an edge of its own from `from` to `to`, or the other way.
static inline bool oz_runs(const uint32_t t[3], uint32_t from, uint32_t to)
{
	return (t[0] == from && t[1] == to) || (t[1] == from && t[2] == to) ||
	       (t[2] == from && t[0] == to);
}

// Fans follow the triangles of the mesh and close its holes, each around a vertex of its own: with
// them, as many triangles run along each edge one way as the other.
typedef struct oz_repair {
	oz_mesh mesh;      // without the fans
	uint32_t fans;     // triangles after those
	float *across;     // m, how wide the hole of each fan is; infinite for slits
	oz_vec3 *vertices; // a copy with those of the fans; NULL: the mesh has those it was given
	oz_edges edges;
	uint32_t *shell; // of each triangle, fans included
	uint32_t shell_count;
	double *volume; // m³ of each shell
} oz_repair;

// Leaves out what has no area or is there twice, turns faces to agree with their neighbours and
// outer shells outwards, and fills the report but for `cached`. Free the repair in either case.
oz_result oz_mesh_repair(const oz_mesh *mesh, const char *path, oz_repair *repair,
                         oz_mesh_report *report, oz_error *error);
void oz_repair_free(oz_repair *repair);

// Finds the loops of edges along which more triangles run one way than the other, and closes them
// by fans. False where memory is out.
bool oz_repair_close_holes(oz_repair *repair, oz_mesh_report *report);
// Makes fans of holes up to that width triangles of the mesh. What is told of shells and edges is
// not known any more.
void oz_repair_fill_narrow(oz_repair *repair, float width);
// Turns whole shells: those that face inwards and lie in no other, and hollows of such. Marks
// their triangles as turned or, where they were, as not. False where memory is out.
bool oz_repair_turn_shells(oz_repair *repair, const oz_mesh_report *report, uint8_t *turned);

static inline void oz_turn(uint32_t t[3])
{
	const uint32_t swap = t[1];
	t[1] = t[2];
	t[2] = swap;
}

#endif
