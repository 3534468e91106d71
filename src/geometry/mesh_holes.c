// mesh_holes.c: holes, found and closed.
//
// The rim of a surface is made of the edges along which more triangles run one way than the other,
// each directed as those run. It is followed from vertex to vertex. Where the way comes back to a
// vertex it has passed, the loop so made is cut off: holes that touch are told apart. As many edges
// of the rim lead to a vertex as away from it, also within one shell, so every way ends as loops.
//
// A loop of edges with one triangle each is a hole, unless it has no area: through a slit (a seam,
// a vertex on another's edge) nothing passes.
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
	bool open; // one triangle only is at this edge
} rim;

typedef struct walk {
	oz_repair *repair;
	oz_mesh_report *report;
	rim *rims; // sorted by where they start
	uint32_t count;
	uint8_t *used;
	uint32_t *passed; // where in the way a vertex is, or NONE
	uint32_t *way;    // rims
	uint32_t centres; // vertices that fans have got
} walk;

static int compare_rims(const void *a, const void *b)
{
	const rim *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->shell != y->shell)
		return x->shell < y->shell ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

// How many more triangles run up an edge than down.
static int surplus(const oz_repair *r, const oz_edge *edge)
{
	int more = 0;
	for (uint32_t i = edge->begin; i < edge->end; i++) {
		const uint32_t triangle = r->edges.filed[i].triangle;
		more += oz_runs(r->mesh.triangles[triangle], edge->low, edge->high) ? 1 : -1;
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

static void gather_rims(walk *w)
{
	const oz_repair *r = w->repair;
	uint32_t count = 0;
	for (oz_edge edge = {0}; oz_edge_next(&r->edges, &edge);) {
		const int more = surplus(r, &edge);
		const bool open = edge.end - edge.begin == 1;
		const uint32_t shell = r->shell[r->edges.filed[edge.begin].triangle];
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

static uint32_t take_rim(walk *w, uint32_t vertex, uint32_t shell)
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

static oz_vec3 rim_start(const walk *w, uint32_t k)
{
	return w->repair->mesh.vertices[w->rims[k].from];
}

static oz_vec3 middle_of(const walk *w, const uint32_t *loop, uint32_t count)
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

static float width_of(const walk *w, const uint32_t *loop, uint32_t count)
{
	const uint32_t stride = (count - 1) / MANY_EDGES + 1;
	float most = 0;
	for (uint32_t i = 0; i < count; i += stride)
		for (uint32_t j = 0; j < count; j++)
			most = oz_max(most, oz_length2(oz_sub(rim_start(w, loop[i]),
			                                      rim_start(w, loop[j]))));
	return sqrtf(most);
}

static double area_of(const walk *w, const uint32_t *loop, uint32_t count, oz_vec3 centre)
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

static void close_by_fan(walk *w, const uint32_t *loop, uint32_t count, oz_vec3 centre,
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

static void tell_loop(walk *w, const uint32_t *loop, uint32_t count)
{
	const oz_mesh_hole hole = {middle_of(w, loop, count), width_of(w, loop, count), count};
	const double across = (double)hole.across;
	bool real = area_of(w, loop, count, hole.centre) > SLIT * across * across;
	for (uint32_t i = 0; i < count && real; i++)
		real = w->rims[loop[i]].open;
	close_by_fan(w, loop, count, hole.centre, real ? hole.across : INFINITY);
	if (real)
		keep_widest(w->report, &hole);
}

// ---- the way ----------------------------------------------------------------------------------

static void follow(walk *w, uint32_t vertex, uint32_t shell)
{
	uint32_t length = 0;
	for (uint32_t next; (next = take_rim(w, vertex, shell)) != NONE;) {
		w->passed[vertex] = length;
		w->way[length++] = next;
		vertex = w->rims[next].to;
		const uint32_t begin = w->passed[vertex];
		if (begin == NONE)
			continue;
		tell_loop(w, w->way + begin, length - begin);
		for (uint32_t i = begin; i < length; i++)
			w->passed[w->rims[w->way[i]].from] = NONE;
		length = begin;
	}
}

// Room for a fan at every edge of the rim, each with a vertex of its own at worst.
static bool make_room(walk *w)
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
	w->passed = malloc(sizeof *w->passed * vertices);
	w->way = malloc(sizeof *w->way * w->count);
	if (!(grown && shell && r->vertices && r->across && w->rims && w->used && w->passed &&
	      w->way))
		return false;
	memcpy(r->vertices, r->mesh.vertices, sizeof *r->vertices * r->mesh.vertex_count);
	memset(w->passed, 0xff, sizeof *w->passed * vertices);
	return true;
}

bool oz_repair_close_holes(oz_repair *r, oz_mesh_report *report)
{
	walk w = {.repair = r, .report = report, .count = count_rims(r)};
	if (w.count == 0)
		return true;
	const bool room = make_room(&w);
	if (room) {
		gather_rims(&w);
		for (uint32_t k = 0; k < w.count; k++)
			follow(&w, w.rims[k].from, w.rims[k].shell);
		r->mesh.vertices = r->vertices;
		r->mesh.vertex_count += w.centres;
	}
	free(w.rims);
	free(w.used);
	free(w.passed);
	free(w.way);
	return room;
}

void oz_repair_fill_narrow(oz_repair *r, float width)
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
