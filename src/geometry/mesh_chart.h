// mesh_chart.h: charts of triangle meshes, also of broken ones, and what is wrong with those.
#ifndef OZ_MESH_CHART_H
#define OZ_MESH_CHART_H

#include "geometry/mesh.h"

#define OZ_MESH_HOLES 16

typedef struct oz_mesh_hole {
	oz_vec3 centre; // m, mean of its rim
	float across;   // m, the most between two points of its rim
	uint32_t edges; // of its rim
} oz_mesh_hole;

// What a mesh is like, as a solid.
typedef struct oz_mesh_report {
	uint32_t vertices, triangles;
	uint32_t shells;                   // pieces that hang together
	uint32_t duplicates;               // triangles that another one covers, left out
	uint32_t degenerate;               // triangles without area
	uint32_t turned;                   // triangles that faced the wrong way, turned round
	uint32_t crowded;                  // edges of more than two triangles
	uint32_t open_edges;               // edges of one triangle
	uint32_t hole_count;               // loops of those, but for slits without area
	oz_mesh_hole holes[OZ_MESH_HOLES]; // the widest, widest first
	oz_vec3 min, max;                  // m
	double area;                       // m²
	double volume;                     // m³, holes closed by fans, overlaps counted twice
	bool cached;                       // the chart came from a file
} oz_mesh_report;

typedef struct oz_mesh_chart_def {
	float cell;        // m
	float reach;       // m
	bool shell;        // the surface alone: distances are positive on both sides
	const char *cache; // folder for charts; NULL: the user's own, "": none
	uint32_t threads;  // 0: one for each core
	oz_hooks hooks;
} oz_mesh_chart_def;

// Looks a mesh over; fails only where it has no triangles or vertices are no places.
oz_result oz_mesh_survey(const oz_mesh *mesh, const char *path, oz_mesh_report *report,
                         oz_error *error);
// Makes the chart of a mesh, or takes it from the cache; `report` may be NULL. Inside is where the
// surface winds around a point more than half a time. Holes up to two cells across are closed,
// except in shells. OZ_ERROR_UNAVAILABLE where the build has no
// Embree.
oz_result oz_mesh_chart(const oz_mesh *mesh, const char *path, const oz_mesh_chart_def *def,
                        oz_chart **chart, oz_mesh_report *report, oz_error *error);
// Refuses a mesh with a hole through which material passes, wider than `spacing`: names the hole.
oz_result oz_mesh_check_vessel(const oz_mesh_report *report, const char *path, float spacing,
                               oz_error *error);

#endif
