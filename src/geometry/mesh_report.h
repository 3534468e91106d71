// mesh_report.h: the properties of a mesh, and what its repair has changed.
#ifndef OZ_MESH_REPORT_H
#define OZ_MESH_REPORT_H

#include "geometry/mesh.h"

#define OZ_MESH_HOLES 16

typedef struct oz_mesh_hole {
	oz_vec3 centre; // m, mean of the vertices of its rim
	float across;   // m, largest distance between two vertices of its rim
	uint32_t edges; // number of edges of its rim
} oz_mesh_hole;

typedef struct oz_mesh_report {
	uint32_t vertices, triangles;
	uint32_t shells;                   // pieces that hang together
	uint32_t duplicates;               // triangles that another one covers, left out
	uint32_t degenerate;               // triangles without area
	uint32_t flipped;                  // triangles that faced the wrong way, flipped round
	uint32_t non_manifold;             // edges of more than two triangles
	uint32_t open_edges;               // edges of one triangle
	uint32_t hole_count;               // loops of those, but for slits without area
	oz_mesh_hole holes[OZ_MESH_HOLES]; // the widest, widest first
	oz_vec3 min, max;                  // m
	double area;                       // m²
	double volume;                     // m³, holes closed by fans, overlaps counted twice
	bool cached;                       // the SDF came from a file
} oz_mesh_report;

#endif
