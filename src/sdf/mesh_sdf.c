// mesh_sdf.c: SDFs of meshes: how near, and on which side.
//
// Embree tells how near. The side is told by the generalised winding number w, 1 inside and 0
// outside. Fans that close the holes make the mesh whole, and a whole one has winding W, an integer
// that lines along x count without error; so, of the mesh as it is, exactly
//
//     w(mesh) = W(mesh and fans) - w(fans)
//
// and solid angles are needed of the fans alone, which are few. Fans of holes so narrow that no
// particle passes are walls like any other.
#include "sdf/mesh_sdf.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/mesh_lines.h"
#include "geometry/mesh_nearest.h"
#include "geometry/mesh_repair.h"
#include "geometry/mesh_winding.h"
#include "math/vec.h"
#include "sdf/mesh_sdf_file.h"

#define NARROW 2.0f // holes that are closed, in cells: a cell is half a spacing

typedef struct surveyor {
	const oz_mesh_sdf_def *def;
	oz_repair repair;
	oz_nearest *nearest;
	oz_mesh whole, fans;
	oz_mesh_lines lines; // through the whole
	oz_winding *winding; // of the fans; NULL: there are none
} surveyor;

// ---- sides ------------------------------------------------------------------------------------

enum { BATCH = 128 };

// Counts the turns along a line up to some points of it.
static void count_turns(const surveyor *s, const oz_vec3 *points, uint32_t count, int *windings)
{
	oz_line line = oz_line_at(&s->lines, (double)points[0].y, (double)points[0].z);
	oz_pierce pierce;
	for (uint32_t i = 0; i < count; i++)
		windings[i] = 0;
	while (oz_line_next(&s->lines, &line, &pierce))
		for (uint32_t i = 0; i < count; i++)
			windings[i] += pierce.u <= (double)points[i].x ? pierce.winding_step : 0;
}

static void find_sides(const surveyor *s, const oz_vec3 *points, uint32_t count,
                       oz_nearest_point *found)
{
	int windings[BATCH];
	for (uint32_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && points[end].y == points[begin].y &&
		                      points[end].z == points[begin].z;)
			end++;
		count_turns(s, points + begin, end - begin, windings + begin);
	}
	for (uint32_t i = 0; i < count; i++) {
		const float fans = s->winding ? oz_winding_at(s->winding, points[i]) : 0.0f;
		if ((float)windings[i] - fans > 0.5f)
			found[i].distance = -found[i].distance;
	}
}

static void find_nearest(void *context, const oz_vec3 *points, uint32_t count,
                         oz_nearest_point *found)
{
	const surveyor *s = context;
	oz_nearest_find(s->nearest, points, count, found);
	for (uint32_t k = 0; k < count && !s->def->shell; k += BATCH)
		find_sides(s, points + k, count - k < BATCH ? count - k : BATCH, found + k);
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

static oz_result make_sdf(const oz_mesh *mesh, const char *path, surveyor *s, oz_sdf **sdf,
                          oz_mesh_report *report, oz_error *error)
{
	oz_result result = oz_mesh_repair(mesh, path, &s->repair, report, error);
	// edges are not needed any more, and what comes is large
	oz_edges_free(&s->repair.edges);
	if (result == OZ_OK && !s->def->shell)
		oz_repair_close_narrow(&s->repair, NARROW * s->def->cell);
	if (result == OZ_OK)
		result = oz_nearest_create(&s->repair.mesh, s->def->threads, &s->nearest, error);
	if (result == OZ_OK)
		result = learn_sides(s, path, report, error);
	if (result != OZ_OK)
		return result;
	const oz_sdf_def def = {.min = report->min,
	                        .max = report->max,
	                        .cell = s->def->cell,
	                        .reach = s->def->reach,
	                        .nearest = find_nearest,
	                        .context = s,
	                        .threads = s->def->threads,
	                        .hooks = s->def->hooks};
	return oz_sdf_make(&def, sdf, error);
}

static oz_result check(const oz_mesh *mesh, const char *path, const oz_mesh_sdf_def *def,
                       oz_error *error)
{
	const oz_result result = oz_mesh_check_vertices(mesh, path, error);
	if (result != OZ_OK)
		return result;
	if (!(def->cell > 0 && def->reach > 0 && isfinite(def->cell) && isfinite(def->reach)))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "the SDF of %s has cells of %g m and reaches %g m; both must be "
		               "above 0",
		               path, (double)def->cell, (double)def->reach);
	return OZ_OK;
}

oz_result oz_mesh_sdf(const oz_mesh *mesh, const char *path, const oz_mesh_sdf_def *def,
                      oz_sdf **sdf, oz_mesh_report *report, oz_error *error)
{
	if (!mesh || !def || !sdf)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an SDF of a mesh needs a mesh, a definition and a place for the "
		               "SDF; one of them is NULL");
	*sdf = NULL;
	path = path ? path : "the mesh";
	oz_mesh_report unread;
	report = report ? report : &unread;
	oz_result result = check(mesh, path, def, error);
	if (result != OZ_OK)
		return result;
	const oz_sdf_place place = oz_sdf_place_of(mesh, def);
	*sdf = oz_sdf_load(&place, def, report);
	if (*sdf)
		return OZ_OK;
	surveyor s = {.def = def};
	result = make_sdf(mesh, path, &s, sdf, report, error);
	oz_winding_destroy(s.winding);
	oz_mesh_lines_free(&s.lines);
	oz_nearest_destroy(s.nearest);
	oz_repair_free(&s.repair);
	if (result == OZ_OK)
		oz_sdf_save(&place, *sdf, report);
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
