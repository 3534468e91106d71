// mesh_repair.h: a repaired mesh: faces of one orientation, holes closed, edges listed.
#ifndef OZ_MESH_REPAIR_H
#define OZ_MESH_REPAIR_H

#include "geometry/mesh_report.h"

// one triangle at an edge
typedef struct oz_edge_entry {
	uint32_t high;  // the upper vertex of the edge
	uint32_t third; // the vertex of the triangle opposite the edge
	uint32_t triangle;
} oz_edge_entry;

// The edges of a mesh, listed under their lower vertex. Entries of the same edge are adjacent.
typedef struct oz_edges {
	uint32_t *start;        // of each vertex's file; one more than there are vertices
	oz_edge_entry *entries; // three for each triangle
	uint32_t count;
} oz_edges;

typedef struct oz_edge {
	uint32_t low, high;
	uint32_t begin, end; // of the triangles at it, among the entries
} oz_edge;

// Lists the edges of a mesh; false: out of memory. Free them in either case.
bool oz_edges_make(oz_edges *edges, const oz_mesh *mesh);
void oz_edges_free(oz_edges *edges);
// Advances to the next edge; start with a zeroed one. False after the last.
bool oz_edge_next(const oz_edges *edges, oz_edge *edge);
// Whether a triangle has an edge that runs from `from` to `to`.
static inline bool oz_runs_along(const uint32_t t[3], uint32_t from, uint32_t to)
{
	return (t[0] == from && t[1] == to) || (t[1] == from && t[2] == to) ||
	       (t[2] == from && t[0] == to);
}

// Fans close the holes: triangles stored behind those of the mesh, around a new vertex for each
// hole. With them, as many triangles run along each edge in one direction as in the other.
typedef struct oz_repair {
	oz_mesh mesh;      // without the fans
	uint32_t fans;     // triangles after those
	float *across;     // m, width of the hole of each fan triangle; INFINITY for slits
	oz_vec3 *vertices; // a copy with the vertices of fans; NULL: the mesh uses those of the
	                   // input
	oz_edges edges;
	uint32_t *shell; // of each triangle, fans included
	uint32_t shell_count;
	double *volume; // m³ of each shell
} oz_repair;

// Removes triangles that use a vertex twice and duplicates, flips faces to the orientation of their
// neighbours, makes outer shells point outwards, and fills the report except `cached`. `mesh` is
// not changed; its vertices must live as long as the repair. Free the repair in either case.
oz_result oz_mesh_repair(const oz_mesh *mesh, const char *path, oz_repair *repair,
                         oz_mesh_report *report, oz_error *error);
void oz_repair_free(oz_repair *repair);

// Finds loops of edges along which more triangles run in one direction than in the other, and
// closes them with fans. False: out of memory.
bool oz_repair_close_holes(oz_repair *repair, oz_mesh_report *report);
// Adds the fans of holes up to a width, m, to the triangles of the mesh. Afterwards `shell` and
// `edges` are invalid.
void oz_repair_close_narrow(oz_repair *repair, float width);
// Flips whole shells: those that face inwards and lie in no other shell, and the cavities in them.
// Inverts the marks `flipped` of their triangles. False: out of memory.
bool oz_repair_flip_shells(oz_repair *repair, const oz_mesh_report *report, uint8_t *flipped);

// reverses the orientation of a triangle
static inline void oz_flip(uint32_t t[3])
{
	const uint32_t swap = t[1];
	t[1] = t[2];
	t[2] = swap;
}

#endif
