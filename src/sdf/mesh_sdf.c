// mesh_sdf.c: SDFs of meshes: the nearest point and the side.
//
// Embree finds the nearest point. The generalised winding number w gives the side: 1 inside, 0
// outside. Fans of triangles close the holes of the mesh. For the closed mesh the winding number W
// is an integer, counted exactly along lines parallel to x. So, exactly,
//
//     w(mesh) = W(mesh and fans) - w(fans)
//
// and solid angles are summed over the few triangles of the fans only. Fans of holes that are too
// narrow for particles become part of the wall.
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

#define NARROW 2.0f // width of holes that are closed, in cells (half spacings), at most

typedef struct sdf_source {
	const oz_mesh_sdf_def *def;
	oz_repair repair;
	oz_nearest *nearest;
	oz_mesh whole, fans; // mesh with fans, fans alone
	oz_mesh_lines lines; // through the mesh with fans
	oz_winding *winding; // of the fans; NULL: there are none
} sdf_source;

// ---- sides ------------------------------------------------------------------------------------

enum { BATCH = 128 };

// W at points that lie on one line parallel to x
static void count_windings(const sdf_source *s, const oz_vec3 *points, uint32_t count,
                           int *windings)
{
	oz_line line = oz_line_at(&s->lines, (double)points[0].y, (double)points[0].z);
	oz_pierce pierce;
	for (uint32_t i = 0; i < count; i++)
		windings[i] = 0;
	while (oz_line_next(&s->lines, &line, &pierce))
		for (uint32_t i = 0; i < count; i++)
			windings[i] += pierce.u <= (double)points[i].x ? pierce.winding_step : 0;
}

// makes the distances of points inside negative; points with the same y and z share a line
static void find_sides(const sdf_source *s, const oz_vec3 *points, uint32_t count,
                       oz_nearest_point *found)
{
	int windings[BATCH];
	for (uint32_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && points[end].y == points[begin].y &&
		                      points[end].z == points[begin].z;)
			end++;
		count_windings(s, points + begin, end - begin, windings + begin);
	}
	for (uint32_t i = 0; i < count; i++) {
		const float fans = s->winding ? oz_winding_at(s->winding, points[i]) : 0.0f;
		if ((float)windings[i] - fans > 0.5f)
			found[i].distance = -found[i].distance;
	}
}

// `nearest` of oz_sdf_def
static void find_nearest(void *context, const oz_vec3 *points, uint32_t count,
                         oz_nearest_point *found)
{
	const sdf_source *s = context;
	oz_nearest_find(s->nearest, points, count, found);
	for (uint32_t k = 0; k < count && !s->def->shell; k += BATCH)
		find_sides(s, points + k, count - k < BATCH ? count - k : BATCH, found + k);
}

// ---- making -----------------------------------------------------------------------------------

// makes the lines and the winding numbers; not for a shell, which has no sides
static oz_result prepare_sides(sdf_source *s, const char *path, const oz_mesh_report *report,
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
	                      "out of memory for the %u triangles of %s; use a mesh with fewer",
	                      report->triangles, path);
}

static oz_result make_sdf(const oz_mesh *mesh, const char *path, sdf_source *s, oz_sdf **sdf,
                          oz_mesh_report *report, oz_error *error)
{
	oz_result result = oz_mesh_repair(mesh, path, &s->repair, report, error);
	// edges are not used any more: free them before the large buffers are made
	oz_edges_free(&s->repair.edges);
	if (result == OZ_OK && !s->def->shell)
		oz_repair_close_narrow(&s->repair, NARROW * s->def->cell);
	if (result == OZ_OK)
		result = oz_nearest_create(&s->repair.mesh, s->def->threads, &s->nearest, error);
	if (result == OZ_OK)
		result = prepare_sides(s, path, report, error);
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
		               "mesh, def or sdf is NULL; pass all three");
	*sdf = NULL;
	path = path ? path : "the mesh";
	oz_mesh_report unread;
	report = report ? report : &unread;
	oz_result result = check(mesh, path, def, error);
	if (result != OZ_OK)
		return result;
	const oz_sdf_entry entry = oz_sdf_entry_of(mesh, def);
	*sdf = oz_sdf_load(&entry, def, report);
	if (!*sdf) {
		sdf_source s = {.def = def};
		result = make_sdf(mesh, path, &s, sdf, report, error);
		oz_winding_destroy(s.winding);
		oz_mesh_lines_free(&s.lines);
		oz_nearest_destroy(s.nearest);
		oz_repair_free(&s.repair);
		if (result == OZ_OK)
			oz_sdf_save(&entry, *sdf, report);
	}
	if (result == OZ_OK)
		oz_sdf_attach_store(*sdf, &entry);
	return result;
}

// ---- report -----------------------------------------------------------------------------------

oz_result oz_mesh_survey(const oz_mesh *mesh, const char *path, oz_mesh_report *report,
                         oz_error *error)
{
	if (!mesh || !report)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "mesh or report is NULL; pass both");
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

// x, or 0 if it is below 1e-5 of `beside`: for messages
static double round_to_zero(float x, float beside)
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
	               round_to_zero(hole->centre.x, hole->across),
	               round_to_zero(hole->centre.y, hole->across),
	               round_to_zero(hole->centre.z, hole->across), hole->edges, report->hole_count,
	               report->hole_count == 1 ? "" : "s");
}
