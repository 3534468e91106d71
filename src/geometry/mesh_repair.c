// mesh_repair.c: repairs the orientation of a mesh.
//
// A patch is a set of triangles connected over edges of exactly two triangles. In each patch a
// flood fill gives all faces one orientation, that of the larger area. A shell is a set of patches
// connected over any edges; mesh_shells.c decides which shells are flipped. Vertices do not change.
// A triangle whose corners lie on one line is kept: without it the surface would have a slit.
#include "geometry/mesh_repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/vec.h"

#define NONE           UINT32_MAX
#define MOST_TRIANGLES ((uint32_t)1 << 30)

typedef struct flood {
	uint32_t *links; // three for each triangle: neighbour × 2 + (1 if its orientation differs)
	uint32_t *patch; // of each triangle
	uint32_t *order; // triangles in the order in which the flood reaches them
	uint8_t *flipped; // 1 for each flipped triangle
	uint32_t *parent; // of each patch, union-find; the root stands for the shell
	uint32_t patches;
} flood;

static double twice_area(const oz_mesh *m, uint32_t triangle)
{
	const uint32_t *t = m->triangles[triangle];
	const oz_vec3 a = m->vertices[t[0]], b = m->vertices[t[1]], c = m->vertices[t[2]];
	const double u[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y,
	                     (double)b.z - (double)a.z};
	const double v[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y,
	                     (double)c.z - (double)a.z};
	const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
	const double z = u[0] * v[1] - u[1] * v[0];
	return sqrt(x * x + y * y + z * z);
}

// Six times the volume of the tetrahedron of a triangle and `origin`; positive if the triangle
// faces away from `origin`.
static double signed_volume(oz_vec3 origin, oz_vec3 a, oz_vec3 b, oz_vec3 c)
{
	const oz_vec3 *from[3] = {&a, &b, &c};
	double p[3][3];
	for (int k = 0; k < 3; k++) {
		p[k][0] = (double)from[k]->x - (double)origin.x;
		p[k][1] = (double)from[k]->y - (double)origin.y;
		p[k][2] = (double)from[k]->z - (double)origin.z;
	}
	return p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
	       p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
	       p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
}

// ---- removing triangles -----------------------------------------------------------------------

// copies the triangles that use three different vertices
static void copy_triangles(const oz_mesh *mesh, oz_mesh *to)
{
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t *t = mesh->triangles[i];
		if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0])
			memcpy(to->triangles[to->triangle_count++], t, sizeof *to->triangles);
	}
}

// Marks triangles that have the same three vertices as an earlier one; returns their number.
static uint32_t mark_duplicates(const oz_edges *e, uint8_t *marks)
{
	uint32_t count = 0;
	for (oz_edge edge = {0}; oz_edge_next(e, &edge);)
		for (uint32_t i = edge.begin + 1; i < edge.end; i++) {
			// count a duplicate once: at the edge between its two lowest vertices
			if (e->entries[i].third != e->entries[i - 1].third ||
			    e->entries[i].third < edge.high)
				continue;
			marks[e->entries[i].triangle] = 1;
			count++;
		}
	return count;
}

static void drop_marked(oz_mesh *m, const uint8_t *marks)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < m->triangle_count; i++)
		if (!marks[i])
			memcpy(m->triangles[kept++], m->triangles[i], sizeof *m->triangles);
	m->triangle_count = kept;
}

// copies the mesh without degenerate and duplicate triangles, and lists its edges; false: no memory
static bool remove_unused(const oz_mesh *mesh, oz_repair *r, uint8_t *marks, oz_mesh_report *report)
{
	copy_triangles(mesh, &r->mesh);
	if (!oz_edges_make(&r->edges, &r->mesh))
		return false;
	report->duplicates = mark_duplicates(&r->edges, marks);
	if (report->duplicates == 0)
		return true;
	drop_marked(&r->mesh, marks);
	memset(marks, 0, mesh->triangle_count);
	oz_edges_free(&r->edges);
	return oz_edges_make(&r->edges, &r->mesh);
}

// ---- patches ----------------------------------------------------------------------------------

// stores the neighbour of a triangle across one of its edges
static void link(flood *f, const oz_mesh *m, const oz_edge_entry *from, const oz_edge_entry *to,
                 bool twisted)
{
	const uint32_t *t = m->triangles[from->triangle];
	const uint32_t slot = from->third == t[0] ? 0 : from->third == t[1] ? 1 : 2;
	f->links[3 * from->triangle + slot] = 2 * to->triangle + twisted;
}

// links triangles that share an edge with no others, and notes whether they face opposite ways
static void link_neighbours(flood *f, const oz_repair *r)
{
	memset(f->links, 0xff, sizeof *f->links * r->edges.count);
	for (oz_edge edge = {0}; oz_edge_next(&r->edges, &edge);) {
		const oz_edge_entry *a = &r->edges.entries[edge.begin], *b = a + 1;
		if (edge.end - edge.begin != 2)
			continue;
		const bool twisted =
		        oz_runs_along(r->mesh.triangles[a->triangle], edge.low, edge.high) ==
		        oz_runs_along(r->mesh.triangles[b->triangle], edge.low, edge.high);
		link(f, &r->mesh, a, b, twisted);
		link(f, &r->mesh, b, a, twisted);
	}
}

// Reaches all triangles of a patch from `seed` and marks those to flip; returns their number.
static uint32_t flood_patch(flood *f, uint32_t seed, uint32_t *order)
{
	uint32_t count = 1;
	order[0] = seed;
	f->patch[seed] = f->patches;
	for (uint32_t i = 0; i < count; i++)
		for (int k = 0; k < 3; k++) {
			const uint32_t link_to = f->links[3 * order[i] + (uint32_t)k];
			const uint32_t next = link_to >> 1;
			if (link_to == NONE || f->patch[next] != NONE)
				continue;
			f->patch[next] = f->patches;
			f->flipped[next] = f->flipped[order[i]] ^ (link_to & 1);
			order[count++] = next;
		}
	return count;
}

// finds all patches; in each, flips the triangles of the orientation with the smaller area
static void flood_patches(flood *f, oz_mesh *m)
{
	memset(f->patch, 0xff, sizeof *f->patch * m->triangle_count);
	uint32_t done = 0;
	for (uint32_t seed = 0; seed < m->triangle_count; seed++) {
		if (f->patch[seed] != NONE)
			continue;
		uint32_t *order = f->order + done;
		const uint32_t count = flood_patch(f, seed, order);
		double area[2] = {0, 0};
		for (uint32_t i = 0; i < count; i++)
			area[f->flipped[order[i]]] += twice_area(m, order[i]);
		const bool other = area[1] > area[0];
		for (uint32_t i = 0; i < count; i++) {
			f->flipped[order[i]] ^= other;
			if (f->flipped[order[i]])
				oz_flip(m->triangles[order[i]]);
		}
		done += count;
		f->patches++;
	}
}

// ---- shells -----------------------------------------------------------------------------------

// the patch that stands for the shell of a patch
static uint32_t root(flood *f, uint32_t patch)
{
	while (f->parent[patch] != patch)
		patch = f->parent[patch] = f->parent[f->parent[patch]];
	return patch;
}

// Joins patches that share an edge into shells; counts open and non-manifold edges.
static void join_shells(flood *f, oz_repair *r, oz_mesh_report *report)
{
	for (oz_edge edge = {0}; oz_edge_next(&r->edges, &edge);) {
		const uint32_t count = edge.end - edge.begin;
		for (uint32_t i = edge.begin; i < edge.end; i++) {
			const uint32_t triangle = r->edges.entries[i].triangle;
			const uint32_t a = root(f, f->patch[triangle]);
			const uint32_t b = root(f, f->patch[r->edges.entries[edge.begin].triangle]);
			f->parent[a < b ? b : a] = a < b ? a : b;
		}
		report->open_edges += count == 1;
		report->non_manifold += count > 2;
	}
}

// numbers the shells from 0, and writes the shell of each triangle
static void number_shells(flood *f, oz_repair *r)
{
	for (uint32_t p = 0; p < f->patches; p++)
		// a root has the lowest number of its shell, so it has its number already
		f->order[p] = root(f, p) == p ? r->shell_count++ : f->order[root(f, p)];
	for (uint32_t i = 0; i < r->mesh.triangle_count; i++)
		r->shell[i] = f->order[f->patch[i]];
}

// the signed volume of each shell, fans included; false: out of memory
static bool measure_shells(oz_repair *r, oz_vec3 origin)
{
	const oz_mesh *m = &r->mesh;
	r->volume = calloc(r->shell_count, sizeof *r->volume);
	for (uint32_t i = 0; i < m->triangle_count + r->fans && r->volume; i++) {
		const uint32_t *t = m->triangles[i];
		r->volume[r->shell[i]] += signed_volume(origin, m->vertices[t[0]],
		                                        m->vertices[t[1]], m->vertices[t[2]]) /
		                          6;
	}
	return r->volume != NULL;
}

// ---- all of it --------------------------------------------------------------------------------

static bool flood_make(flood *f, uint32_t triangles)
{
	*f = (flood){.links = malloc(sizeof *f->links * 3 * triangles),
	             .patch = malloc(sizeof *f->patch * triangles),
	             .order = malloc(sizeof *f->order * triangles),
	             .flipped = calloc(triangles, 1),
	             .parent = malloc(sizeof *f->parent * triangles)};
	return f->links && f->patch && f->order && f->flipped && f->parent;
}

static void flood_free(flood *f)
{
	free(f->links);
	free(f->patch);
	free(f->order);
	free(f->flipped);
	free(f->parent);
}

static void find_bounds(const oz_mesh *m, oz_mesh_report *report)
{
	report->min = report->max = m->vertices[m->triangles[0][0]];
	for (uint32_t i = 0; i < m->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			const oz_vec3 v = m->vertices[m->triangles[i][k]];
			report->min = oz_min3(report->min, v);
			report->max = oz_max3(report->max, v);
		}
}

static void fill_report(const oz_repair *r, const flood *f, oz_mesh_report *report)
{
	report->shells = r->shell_count;
	for (uint32_t s = 0; s < r->shell_count; s++)
		report->volume += r->volume[s];
	for (uint32_t i = 0; i < r->mesh.triangle_count; i++) {
		const double area = 0.5 * twice_area(&r->mesh, i);
		report->area += area;
		report->degenerate += !(area > 0);
		report->flipped += f->flipped[i];
	}
}

// All steps on one mesh: leaves out unused triangles, orients patches, joins them into shells,
// closes holes, flips shells, fills in the report. true with an empty mesh if no triangle is left;
// false: out of memory.
static bool repair(const oz_mesh *mesh, oz_repair *r, flood *f, oz_mesh_report *report)
{
	if (!remove_unused(mesh, r, f->flipped, report) || r->mesh.triangle_count == 0)
		return r->mesh.triangle_count == 0;
	report->degenerate = mesh->triangle_count - r->mesh.triangle_count - report->duplicates;
	find_bounds(&r->mesh, report);
	link_neighbours(f, r);
	flood_patches(f, &r->mesh);
	for (uint32_t p = 0; p < f->patches; p++)
		f->parent[p] = p;
	join_shells(f, r, report);
	const oz_vec3 centre = oz_scale(oz_add(report->min, report->max), 0.5f);
	number_shells(f, r);
	if (!oz_repair_close_holes(r, report) || !measure_shells(r, centre) ||
	    !oz_repair_flip_shells(r, report, f->flipped))
		return false;
	fill_report(r, f, report);
	return true;
}

oz_result oz_mesh_repair(const oz_mesh *mesh, const char *path, oz_repair *r,
                         oz_mesh_report *report, oz_error *error)
{
	*r = (oz_repair){0};
	*report = (oz_mesh_report){0};
	const oz_result result = oz_mesh_check_vertices(mesh, path, error);
	if (result != OZ_OK)
		return result;
	const uint32_t triangles = mesh->triangle_count;
	if (triangles > MOST_TRIANGLES)
		return oz_fail(error, OZ_ERROR_MESH,
		               "%s has %u triangles, more than the %u that an SDF can hold; "
		               "simplify it",
		               path, triangles, MOST_TRIANGLES);
	report->vertices = mesh->vertex_count;
	report->triangles = triangles;
	flood f;
	r->mesh = (oz_mesh){mesh->vertices, mesh->vertex_count,
	                    malloc(sizeof *r->mesh.triangles * ((size_t)triangles + 1)), 0};
	r->shell = malloc(sizeof *r->shell * triangles);
	const bool room = flood_make(&f, triangles) && r->mesh.triangles && r->shell &&
	                  repair(mesh, r, &f, report);
	flood_free(&f);
	if (!room)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for repairing the %u triangles of %s; simplify it",
		               triangles, path);
	if (r->mesh.triangle_count == 0)
		return oz_fail(error, OZ_ERROR_MESH,
		               "all %u triangles of %s use a vertex twice and have no area; export "
		               "it as a surface",
		               triangles, path);
	return OZ_OK;
}

void oz_repair_free(oz_repair *r)
{
	oz_edges_free(&r->edges);
	free(r->mesh.triangles);
	free(r->shell);
	free(r->volume);
	free(r->vertices);
	free(r->across);
	*r = (oz_repair){0};
}
