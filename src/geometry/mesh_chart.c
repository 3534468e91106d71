// mesh_chart.c: charts of meshes: how near, and on which side.
//
// Embree tells how near. Of a closed mesh, lines along x count the turns of the surface up to a
// point, exactly. Of an open one, the generalised winding number is asked, and not for every point:
// it has no steps but at the surface, and so the ball around a point which touches that has but one
// side, unless a hole is near, where the number is neither 0 nor 1.
#include "geometry/mesh_chart.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "device/pool.h"
#include "geometry/mesh_chart_file.h"
#include "geometry/mesh_lines.h"
#include "geometry/mesh_nearest.h"
#include "geometry/mesh_repair.h"
#include "geometry/mesh_winding.h"
#include "math/vec.h"

#define CLEAR 0.35f // winding this far from a half tells the side of a ball around a point …
#define SURE  0.6f  // … of this many distances to the surface

typedef struct surveyor {
	const oz_mesh_chart_def *def;
	oz_repair repair;
	oz_nearest *nearest;
	oz_mesh_lines lines; // where the mesh is closed
	oz_winding *winding; // where it is not
} surveyor;

// ---- sides ------------------------------------------------------------------------------------

enum { BATCH = 128 };

// Points of one line.
static void side_of_row(const surveyor *s, const oz_vec3 *points, uint32_t count, oz_lead *leads)
{
	int winding[BATCH] = {0};
	oz_line line = oz_line_at(&s->lines, (double)points[0].y, (double)points[0].z);
	oz_pierce pierce;
	while (oz_line_next(&s->lines, &line, &pierce))
		for (uint32_t i = 0; i < count; i++)
			winding[i] += pierce.u <= (double)points[i].x ? pierce.turn : 0;
	for (uint32_t i = 0; i < count; i++)
		if (winding[i] > 0)
			leads[i].distance = -leads[i].distance;
}

static void side_by_lines(const surveyor *s, const oz_vec3 *points, uint32_t count, oz_lead *leads)
{
	for (uint32_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && points[end].y == points[begin].y &&
		                      points[end].z == points[begin].z;)
			end++;
		side_of_row(s, points + begin, end - begin, leads + begin);
	}
}

// the one that is farthest from the surface of those whose side is not known
static uint32_t farthest(const oz_lead *leads, const bool *known, uint32_t count)
{
	uint32_t best = count;
	for (uint32_t i = 0; i < count; i++)
		if (!known[i] && (best == count || leads[i].distance > leads[best].distance))
			best = i;
	return best;
}

static void side_by_winding(const surveyor *s, const oz_vec3 *points, uint32_t count,
                            oz_lead *leads)
{
	bool known[BATCH] = {false}, inside[BATCH];
	for (uint32_t at; (at = farthest(leads, known, count)) < count;) {
		const float winding = oz_winding_at(s->winding, points[at]);
		const bool within = winding > 0.5f;
		known[at] = true;
		inside[at] = within;
		if (fabsf(winding - 0.5f) < CLEAR)
			continue;
		const float radius = SURE * leads[at].distance;
		for (uint32_t i = 0; i < count; i++) {
			if (known[i] || oz_length2(oz_sub(points[i], points[at])) > radius * radius)
				continue;
			known[i] = true;
			inside[i] = within;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		leads[i].distance = inside[i] ? -leads[i].distance : leads[i].distance;
}

static void find_leads(void *context, const oz_vec3 *points, uint32_t count, oz_lead *leads)
{
	const surveyor *s = context;
	oz_nearest_find(s->nearest, points, count, leads);
	for (uint32_t k = 0; k < count && !s->def->shell; k += BATCH) {
		const uint32_t part = count - k < BATCH ? count - k : BATCH;
		if (s->winding)
			side_by_winding(s, points + k, part, leads + k);
		else
			side_by_lines(s, points + k, part, leads + k);
	}
}

// ---- making -----------------------------------------------------------------------------------

static oz_result learn_sides(surveyor *s, const char *path, const oz_mesh_report *report,
                             oz_error *error)
{
	oz_heap heap;
	oz_heap_init(&heap, &s->def->hooks);
	if (s->def->shell)
		return OZ_OK;
	bool room = true;
	if (s->repair.closed) {
		room = oz_mesh_lines_make(&s->lines, &s->repair.mesh, report->min, report->max, 0);
	} else {
		oz_pool *pool = NULL;
		const oz_result result = oz_pool_create(&heap, s->def->threads, &pool, error);
		if (result != OZ_OK)
			return result;
		s->winding = oz_winding_create(&s->repair.mesh, report->min, report->max, pool);
		oz_pool_destroy(pool);
		room = s->winding != NULL;
	}
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
	return result;
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
	               path ? path : "the mesh", (double)hole->across, (double)hole->centre.x,
	               (double)hole->centre.y, (double)hole->centre.z, hole->edges,
	               report->hole_count, report->hole_count == 1 ? "" : "s");
}
