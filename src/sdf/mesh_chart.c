// mesh_chart.c: charts of meshes: how near, and on which side.
//
// Embree tells how near. The side is told by the generalised winding number w, 1 inside and 0
// outside. Fans that close the holes make the mesh whole, and a whole one has winding W, an integer
// that lines along x count without error; so, of the mesh as it is, exactly
//
//     w(mesh) = W(mesh and fans) - w(fans)
//
// and solid angles are needed of the fans alone, which are few. Fans of holes so narrow that no
// particle passes are walls like any other.
#include "sdf/mesh_chart.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/mesh_lines.h"
#include "geometry/mesh_nearest.h"
#include "geometry/mesh_repair.h"
#include "geometry/mesh_winding.h"
#include "math/vec.h"
#include "sdf/mesh_chart_file.h"

#define NARROW 2.0f // holes that are closed, in cells: a cell is half a spacing

typedef struct surveyor {
	const oz_mesh_chart_def *def;
	oz_repair repair;
	oz_nearest *nearest;
	oz_mesh whole, fans;
	oz_mesh_lines lines; // through the whole
	oz_winding *winding; // of the fans; NULL: there are none
} surveyor;

// ---- sides ------------------------------------------------------------------------------------

enum { BATCH = 128 };

// Counts the turns along a line up to some points of it.
static void count_turns(const surveyor *s, const oz_vec3 *points, uint32_t count, int *turns)
{
	oz_line line = oz_line_at(&s->lines, (double)points[0].y, (double)points[0].z);
	oz_pierce pierce;
	for (uint32_t i = 0; i < count; i++)
		turns[i] = 0;
	while (oz_line_next(&s->lines, &line, &pierce))
		for (uint32_t i = 0; i < count; i++)
			turns[i] += pierce.u <= (double)points[i].x ? pierce.turn : 0;
}

static void find_sides(const surveyor *s, const oz_vec3 *points, uint32_t count, oz_lead *leads)
{
	int turns[BATCH];
	for (uint32_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && points[end].y == points[begin].y &&
		                      points[end].z == points[begin].z;)
			end++;
		count_turns(s, points + begin, end - begin, turns + begin);
	}
	for (uint32_t i = 0; i < count; i++) {
		const float fans = s->winding ? oz_winding_at(s->winding, points[i]) : 0.0f;
		if ((float)turns[i] - fans > 0.5f)
			leads[i].distance = -leads[i].distance;
	}
}

static void find_leads(void *context, const oz_vec3 *points, uint32_t count, oz_lead *leads)
{
	const surveyor *s = context;
	oz_nearest_find(s->nearest, points, count, leads);
	for (uint32_t k = 0; k < count && !s->def->shell; k += BATCH)
		find_sides(s, points + k, count - k < BATCH ? count - k : BATCH, leads + k);
}

// ---- making -----------------------------------------------------------------------------------

static oz_result learn_sides(surveyor *s, const char *path, const oz_mesh_report *report,
                             oz_error *error)
{
	const oz_mesh *m = &s->repair.mesh;
	const uint32_t fans = s->repair.fans;
	if (s->def->shell)
		return OZ_OK;
	s->whole = (oz_mesh){m->vertices, m->vertex_count, m->triangles, m->triangle_count + fans};
	s->fans = (oz_mesh){m->vertices, m->vertex_count, m->triangles + m->triangle_count, fans};
	bool room = oz_mesh_lines_make(&s->lines, &s->whole, report->min, report->max, 0);
	if (room && fans)
		s->winding = oz_winding_create(&s->fans, report->min, report->max);
	room = room && (!fans || s->winding);
	return room ? OZ_OK
	            : oz_fail(error, OZ_ERROR_MEMORY,
	                      "memory is too small to sort the %u triangles of %s; simplify it",
	                      report->triangles, path);
}

static oz_result make_chart(const oz_mesh *mesh, const char *path, surveyor *s, oz_chart **chart,
                            oz_mesh_report *report, oz_error *error)
{
	oz_result result = oz_mesh_repair(mesh, path, &s->repair, report, error);
	// edges are not needed any more, and what comes is large
	oz_edges_free(&s->repair.edges);
	if (result == OZ_OK && !s->def->shell)
		oz_repair_fill_narrow(&s->repair, NARROW * s->def->cell);
	if (result == OZ_OK)
		result = oz_nearest_create(&s->repair.mesh, s->def->threads, &s->nearest, error);
	if (result == OZ_OK)
		result = learn_sides(s, path, report, error);
	if (result != OZ_OK)
		return result;
	const oz_chart_def def = {.min = report->min,
	                          .max = report->max,
	                          .cell = s->def->cell,
	                          .reach = s->def->reach,
	                          .nearest = find_leads,
	                          .context = s,
	                          .threads = s->def->threads,
	                          .hooks = s->def->hooks};
	return oz_chart_make(&def, chart, error);
}

static oz_result check(const oz_mesh *mesh, const char *path, const oz_mesh_chart_def *def,
                       oz_error *error)
{
	const oz_result result = oz_mesh_check_vertices(mesh, path, error);
	if (result != OZ_OK)
		return result;
	if (!(def->cell > 0 && def->reach > 0 && isfinite(def->cell) && isfinite(def->reach)))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "the chart of %s has cells of %g m and reaches %g m; both must be "
		               "above 0",
		               path, (double)def->cell, (double)def->reach);
	return OZ_OK;
}

oz_result oz_mesh_chart(const oz_mesh *mesh, const char *path, const oz_mesh_chart_def *def,
                        oz_chart **chart, oz_mesh_report *report, oz_error *error)
{
	if (!mesh || !def || !chart)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a chart of a mesh needs a mesh, a definition and a place for the "
		               "chart; one of them is NULL");
	*chart = NULL;
	path = path ? path : "the mesh";
	oz_mesh_report unread;
	report = report ? report : &unread;
	oz_result result = check(mesh, path, def, error);
	if (result != OZ_OK)
		return result;
	const oz_chart_place place = oz_chart_place_of(mesh, def);
	*chart = oz_chart_load(&place, def, report);
	if (*chart)
		return OZ_OK;
	surveyor s = {.def = def};
	result = make_chart(mesh, path, &s, chart, report, error);
	oz_winding_destroy(s.winding);
	oz_mesh_lines_free(&s.lines);
	oz_nearest_destroy(s.nearest);
	oz_repair_free(&s.repair);
	if (result == OZ_OK)
		oz_chart_save(&place, *chart, report);
	return result;
}

// ---- looking over -----------------------------------------------------------------------------

oz_result oz_mesh_survey(const oz_mesh *mesh, const char *path, oz_mesh_report *report,
                         oz_error *error)
{
	if (!mesh || !report)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "looking a mesh over needs a mesh and a place for the report; one "
		               "of "
		               "them is NULL");
	oz_repair repair;
	const oz_result result =
	        oz_mesh_repair(mesh, path ? path : "the mesh", &repair, report, error);
	oz_repair_free(&repair);
	if (result == OZ_OK && !(report->area > 0))
		return oz_fail(error, OZ_ERROR_MESH,
		               "%s has no triangle with an area; export it again as a surface",
		               path ? path : "the mesh");
	return result;
}

// what is nothing beside the width of a hole reads as 0
static double told(float x, float beside)
{
	return fabsf(x) > 1e-5f * beside ? (double)x : 0.0;
}

oz_result oz_mesh_check_vessel(const oz_mesh_report *report, const char *path, float spacing,
                               oz_error *error)
{
	const oz_mesh_hole *hole = &report->holes[0];
	if (report->hole_count == 0 || hole->across <= spacing)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_MESH,
	               "%s has a hole %.3g m across at (%.3g, %.3g, %.3g), of %u edges (%u hole%s "
	               "in all): liquid would run out; close it, or use the mesh as a shell "
	               "(\"shell\": true)",
	               path ? path : "the mesh", (double)hole->across,
	               told(hole->centre.x, hole->across), told(hole->centre.y, hole->across),
	               told(hole->centre.z, hole->across), hole->edges, report->hole_count,
	               report->hole_count == 1 ? "" : "s");
}
