// mesh_holes.c: loops of edges that have one triangle only.
//
// Open edges, directed as their triangle runs, are followed from vertex to vertex. Where the way
// comes back to a vertex it has passed, the loop so made is cut off: holes that touch are told
// apart. A loop without area is a slit (a seam, or a vertex on another's edge): nothing passes, and
// it is no hole.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_repair.h"
#include "math/vec.h"

#define NONE       UINT32_MAX
#define SLIT       1e-4 // area of a slit, in squares of its length
#define MANY_EDGES 1024 // of which each is compared with all

typedef struct rim {
	uint32_t from, to, triangle;
} rim;

typedef struct walk {
	oz_repair *repair;
	oz_mesh_report *report;
	oz_vec3 eye;
	rim *rims; // sorted by where they start
	uint32_t count;
	uint8_t *used;
	uint32_t *passed; // where in the way a vertex is, or NONE
	uint32_t *way;    // rims
} walk;

static int compare_rims(const void *a, const void *b)
{
	const rim *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static void gather_rims(walk *w)
{
	const oz_repair *r = w->repair;
	uint32_t count = 0;
	for (oz_edge edge = {0}; oz_edge_next(&r->edges, &edge);) {
		if (edge.end - edge.begin != 1)
			continue;
		const uint32_t triangle = r->edges.filed[edge.begin].triangle;
		const bool up = oz_runs(r->mesh.triangles[triangle], edge.low, edge.high);
		w->rims[count++] = up ? (rim){edge.low, edge.high, triangle}
		                      : (rim){edge.high, edge.low, triangle};
	}
	qsort(w->rims, count, sizeof *w->rims, compare_rims);
}

static uint32_t take_rim(walk *w, uint32_t vertex)
{
	uint32_t low = 0, high = w->count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (w->rims[middle].from < vertex)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < w->count && w->rims[low].from == vertex; low++)
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

static void close_by_fan(walk *w, const uint32_t *loop, uint32_t count, oz_vec3 centre)
{
	const oz_mesh *m = &w->repair->mesh;
	for (uint32_t i = 0; i < count; i++) {
		const rim *edge = &w->rims[loop[i]];
		w->repair->volume[w->repair->shell[edge->triangle]] +=
		        oz_volume_seen(w->eye, centre, m->vertices[edge->to],
		                       m->vertices[edge->from]) /
		        6;
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
	close_by_fan(w, loop, count, hole.centre);
	if (area_of(w, loop, count, hole.centre) > SLIT * across * across)
		keep_widest(w->report, &hole);
}

// ---- the way ----------------------------------------------------------------------------------

static void forget(walk *w, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; i++)
		w->passed[w->rims[w->way[i]].from] = NONE;
}

static void follow(walk *w, uint32_t vertex)
{
	uint32_t length = 0;
	for (uint32_t next; (next = take_rim(w, vertex)) != NONE;) {
		w->passed[vertex] = length;
		w->way[length++] = next;
		vertex = w->rims[next].to;
		const uint32_t begin = w->passed[vertex];
		if (begin == NONE)
			continue;
		tell_loop(w, w->way + begin, length - begin);
		forget(w, begin, length);
		length = begin;
	}
	// a way that ends nowhere: faces that could not be made to agree
	if (length > 0)
		tell_loop(w, w->way, length);
	forget(w, 0, length);
}

bool oz_repair_find_holes(oz_repair *r, oz_vec3 eye, oz_mesh_report *report)
{
	const uint32_t count = report->open_edges, vertices = r->mesh.vertex_count;
	if (count == 0)
		return true;
	walk w = {.repair = r,
	          .report = report,
	          .eye = eye,
	          .rims = malloc(sizeof *w.rims * count),
	          .count = count,
	          .used = calloc(count, 1),
	          .passed = malloc(sizeof *w.passed * vertices),
	          .way = malloc(sizeof *w.way * count)};
	const bool room = w.rims && w.used && w.passed && w.way;
	if (room) {
		memset(w.passed, 0xff, sizeof *w.passed * vertices);
		gather_rims(&w);
		for (uint32_t k = 0; k < count; k++)
			follow(&w, w.rims[k].from);
	}
	free(w.rims);
	free(w.used);
	free(w.passed);
	free(w.way);
	return room;
}
