// mesh_holes.c: finds the holes of a mesh and closes them with fans.
//
// The rim of a surface consists of the edges along which more triangles run in one direction than
// in the other, with the direction of the majority. The rim is followed from vertex to vertex. When
// the path returns to one of its vertices, that loop is closed and removed from the path: so holes
// that touch are separated. At each vertex of a shell as many rim edges arrive as leave, so each
// path ends as loops.
//
// A loop of edges with one triangle each is a hole, unless it has no area: then it is a slit, from
// a seam or from a vertex on the edge of another triangle.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_repair.h"
#include "math/vec.h"

#define NONE       UINT32_MAX
#define SLIT       1e-4 // area of a slit, in squares of its length
#define MANY_EDGES 1024 // of which each is compared with all

typedef struct rim {
	uint32_t from, to, shell;
	bool open; // exactly one triangle is at this edge
} rim;

typedef struct rim_walk {
	oz_repair *repair;
	oz_mesh_report *report;
	rim *rims; // sorted by where they start
	uint32_t count;
	uint8_t *used;
	uint32_t *place_in_path; // index of each vertex in the path, or NONE
	uint32_t *path;          // rims
	uint32_t centres;        // vertices added for fans
} rim_walk;

static int compare_rims(const void *a, const void *b)
{
	const rim *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->shell != y->shell)
		return x->shell < y->shell ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

// The number of triangles that run from the lower to the upper vertex less those of the other
// direction.
static int surplus(const oz_repair *r, const oz_edge *edge)
{
	int more = 0;
	for (uint32_t i = edge->begin; i < edge->end; i++) {
		const uint32_t triangle = r->edges.entries[i].triangle;
		more += oz_runs_along(r->mesh.triangles[triangle], edge->low, edge->high) ? 1 : -1;
	}
	return more;
}

static uint32_t count_rims(const oz_repair *r)
{
	uint32_t count = 0;
	for (oz_edge edge = {0}; oz_edge_next(&r->edges, &edge);)
		count += (uint32_t)abs(surplus(r, &edge));
	return count;
}

// lists the directed edges that have no opposite triangle, sorted
static void gather_rims(rim_walk *w)
{
	const oz_repair *r = w->repair;
	uint32_t count = 0;
	for (oz_edge edge = {0}; oz_edge_next(&r->edges, &edge);) {
		const int more = surplus(r, &edge);
		const bool open = edge.end - edge.begin == 1;
		const uint32_t shell = r->shell[r->edges.entries[edge.begin].triangle];
		for (int k = 0; k < abs(more); k++)
			w->rims[count++] = more > 0 ? (rim){edge.low, edge.high, shell, open}
			                            : (rim){edge.high, edge.low, shell, open};
	}
	qsort(w->rims, count, sizeof *w->rims, compare_rims);
}

static bool starts_before(const rim *r, uint32_t vertex, uint32_t shell)
{
	return r->from < vertex || (r->from == vertex && r->shell < shell);
}

// finds an unused rim that starts at a vertex of a shell and marks it used; NONE: there is none
static uint32_t take_rim(rim_walk *w, uint32_t vertex, uint32_t shell)
{
	uint32_t low = 0, high = w->count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (starts_before(&w->rims[middle], vertex, shell))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < w->count && w->rims[low].from == vertex && w->rims[low].shell == shell; low++)
		if (!w->used[low]) {
			w->used[low] = 1;
			return low;
		}
	return NONE;
}

// ---- a loop -----------------------------------------------------------------------------------

static oz_vec3 rim_start(const rim_walk *w, uint32_t k)
{
	return w->repair->mesh.vertices[w->rims[k].from];
}

static oz_vec3 centre_of(const rim_walk *w, const uint32_t *loop, uint32_t count)
{
	double sum[3] = {0, 0, 0};
	for (uint32_t i = 0; i < count; i++) {
		const oz_vec3 p = rim_start(w, loop[i]);
		sum[0] += (double)p.x;
		sum[1] += (double)p.y;
		sum[2] += (double)p.z;
	}
	return oz_v3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

// the largest distance between two vertices of a loop, m; of long loops every n-th vertex is tried
static float width_of(const rim_walk *w, const uint32_t *loop, uint32_t count)
{
	const uint32_t stride = (count - 1) / MANY_EDGES + 1;
	float most = 0;
	for (uint32_t i = 0; i < count; i += stride)
		for (uint32_t j = 0; j < count; j++)
			most = oz_max(most, oz_length2(oz_sub(rim_start(w, loop[i]),
			                                      rim_start(w, loop[j]))));
	return sqrtf(most);
}

// the length of the area vector of a loop, m²
static double area_of(const rim_walk *w, const uint32_t *loop, uint32_t count, oz_vec3 centre)
{
	double sum[3] = {0, 0, 0};
	for (uint32_t i = 0; i < count; i++) {
		const oz_vec3 a = oz_sub(rim_start(w, loop[i]), centre);
		const oz_vec3 b = oz_sub(w->repair->mesh.vertices[w->rims[loop[i]].to], centre);
		const oz_vec3 n = oz_cross(a, b);
		sum[0] += (double)n.x;
		sum[1] += (double)n.y;
		sum[2] += (double)n.z;
	}
	return 0.5 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static void close_by_fan(rim_walk *w, const uint32_t *loop, uint32_t count, oz_vec3 centre,
                         float across)
{
	oz_repair *r = w->repair;
	const uint32_t middle = r->mesh.vertex_count + w->centres++;
	r->vertices[middle] = centre;
	for (uint32_t i = 0; i < count; i++) {
		const rim *edge = &w->rims[loop[i]];
		const uint32_t fan = r->mesh.triangle_count + r->fans;
		r->mesh.triangles[fan][0] = edge->to;
		r->mesh.triangles[fan][1] = edge->from;
		r->mesh.triangles[fan][2] = middle;
		r->shell[fan] = edge->shell;
		r->across[r->fans++] = across;
	}
}

// counts a hole, and inserts it into the list of the widest
static void keep_widest(oz_mesh_report *report, const oz_mesh_hole *hole)
{
	uint32_t at = report->hole_count < OZ_MESH_HOLES ? report->hole_count : OZ_MESH_HOLES;
	report->hole_count++;
	for (; at > 0 && report->holes[at - 1].across < hole->across; at--)
		if (at < OZ_MESH_HOLES)
			report->holes[at] = report->holes[at - 1];
	if (at < OZ_MESH_HOLES)
		report->holes[at] = *hole;
}

// closes a loop with a fan, and reports it if it is a hole
static void close_loop(rim_walk *w, const uint32_t *loop, uint32_t count)
{
	const oz_mesh_hole hole = {centre_of(w, loop, count), width_of(w, loop, count), count};
	const double across = (double)hole.across;
	bool real = area_of(w, loop, count, hole.centre) > SLIT * across * across;
	for (uint32_t i = 0; i < count && real; i++)
		real = w->rims[loop[i]].open;
	close_by_fan(w, loop, count, hole.centre, real ? hole.across : INFINITY);
	if (real)
		keep_widest(w->report, &hole);
}

// ---- the path ----------------------------------------------------------------------------------

// follows the rim of a shell from a vertex until no unused edge is left, and closes its loops
static void follow_rim(rim_walk *w, uint32_t vertex, uint32_t shell)
{
	uint32_t length = 0;
	for (uint32_t next; (next = take_rim(w, vertex, shell)) != NONE;) {
		w->place_in_path[vertex] = length;
		w->path[length++] = next;
		vertex = w->rims[next].to;
		const uint32_t begin = w->place_in_path[vertex];
		if (begin == NONE)
			continue;
		close_loop(w, w->path + begin, length - begin);
		for (uint32_t i = begin; i < length; i++)
			w->place_in_path[w->rims[w->path[i]].from] = NONE;
		length = begin;
	}
}

// Memory for a fan triangle at each rim edge, and in the worst case a vertex for each.
static bool allocate(rim_walk *w)
{
	oz_repair *r = w->repair;
	const size_t triangles = (size_t)r->mesh.triangle_count + w->count;
	const size_t vertices = (size_t)r->mesh.vertex_count + w->count;
	void *grown = realloc(r->mesh.triangles, sizeof *r->mesh.triangles * (triangles + 1));
	r->mesh.triangles = grown ? grown : r->mesh.triangles;
	uint32_t *shell = realloc(r->shell, sizeof *r->shell * triangles);
	r->shell = shell ? shell : r->shell;
	r->vertices = malloc(sizeof *r->vertices * vertices);
	r->across = malloc(sizeof *r->across * w->count);
	w->rims = malloc(sizeof *w->rims * w->count);
	w->used = calloc(w->count, 1);
	w->place_in_path = malloc(sizeof *w->place_in_path * vertices);
	w->path = malloc(sizeof *w->path * w->count);
	if (!(grown && shell && r->vertices && r->across && w->rims && w->used &&
	      w->place_in_path && w->path))
		return false;
	memcpy(r->vertices, r->mesh.vertices, sizeof *r->vertices * r->mesh.vertex_count);
	memset(w->place_in_path, 0xff, sizeof *w->place_in_path * vertices);
	return true;
}

bool oz_repair_close_holes(oz_repair *r, oz_mesh_report *report)
{
	rim_walk w = {.repair = r, .report = report, .count = count_rims(r)};
	if (w.count == 0)
		return true;
	const bool room = allocate(&w);
	if (room) {
		gather_rims(&w);
		for (uint32_t k = 0; k < w.count; k++)
			follow_rim(&w, w.rims[k].from, w.rims[k].shell);
		r->mesh.vertices = r->vertices;
		r->mesh.vertex_count += w.centres;
	}
	free(w.rims);
	free(w.used);
	free(w.place_in_path);
	free(w.path);
	return room;
}

void oz_repair_close_narrow(oz_repair *r, float width)
{
	uint32_t(*fans)[3] = r->mesh.triangles + r->mesh.triangle_count;
	uint32_t filled = 0;
	for (uint32_t i = 0; i < r->fans; i++) {
		if (!(r->across[i] <= width))
			continue;
		uint32_t swap[3];
		memcpy(swap, fans[i], sizeof swap);
		memcpy(fans[i], fans[filled], sizeof swap);
		memcpy(fans[filled], swap, sizeof swap);
		r->across[i] = r->across[filled];
		r->across[filled++] = 0;
	}
	r->mesh.triangle_count += filled;
	r->fans -= filled;
}
