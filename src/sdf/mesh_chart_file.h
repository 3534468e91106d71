// mesh_chart_file.h: charts of meshes that were made before.
#ifndef OZ_MESH_CHART_FILE_H
#define OZ_MESH_CHART_FILE_H

#include "sdf/mesh_chart.h"

typedef struct oz_chart_place {
	uint64_t key;    // hash of all that the chart follows from
	char path[4096]; // of its file; empty: there is no place for it
} oz_chart_place;

oz_chart_place oz_chart_place_of(const oz_mesh *mesh, const oz_mesh_chart_def *def);
// Reads a chart and its report; NULL where there is none, or none that can be trusted, which is
// logged.
oz_chart *oz_chart_load(const oz_chart_place *place, const oz_mesh_chart_def *def,
                        oz_mesh_report *report);
// Writes a chart. One that cannot be written is no trouble: the next run makes it again.
void oz_chart_save(const oz_chart_place *place, const oz_chart *chart,
                   const oz_mesh_report *report);

#endif
