// mesh_edges.c: edges of a mesh, filed under their lower vertex.
//
// A file is sorted by the upper vertex, then by the vertex opposite: triangles at one edge lie
// side by side, and among them those that are the same.
#include <stdlib.h>

#include "geometry/mesh_repair.h"

static int compare_filed(const void *a, const void *b)
{
	const oz_filed *x = a, *y = b;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	if (x->third != y->third)
		return x->third < y->third ? -1 : 1;
	return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

// most vertices have three or so
static void sort_file(oz_filed *f, uint32_t count)
{
	if (count > 24) {
		qsort(f, count, sizeof *f, compare_filed);
		return;
	}
	for (uint32_t i = 1; i < count; i++) {
		const oz_filed one = f[i];
		uint32_t j = i;
		for (; j > 0 && compare_filed(&f[j - 1], &one) > 0; j--)
			f[j] = f[j - 1];
		f[j] = one;
	}
}

static void file_triangle(oz_edges *e, const uint32_t t[3], uint32_t triangle)
{
	for (int k = 0; k < 3; k++) {
		const uint32_t a = t[k], b = t[(k + 1) % 3];
		const uint32_t low = a < b ? a : b, high = a < b ? b : a;
		e->filed[e->start[low]++] = (oz_filed){high, t[(k + 2) % 3], triangle};
	}
}

bool oz_edges_make(oz_edges *e, const oz_mesh *mesh)
{
	const uint32_t vertices = mesh->vertex_count;
	e->count = 3 * mesh->triangle_count;
	e->start = calloc((size_t)vertices + 1, sizeof *e->start);
	e->filed = malloc(sizeof *e->filed * e->count + 1);
	if (!e->start || !e->filed)
		return false;
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			const uint32_t a = mesh->triangles[i][k],
			               b = mesh->triangles[i][(k + 1) % 3];
			e->start[(size_t)(a < b ? a : b) + 1]++;
		}
	for (uint32_t v = 0; v < vertices; v++)
		e->start[(size_t)v + 1] += e->start[v];
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		file_triangle(e, mesh->triangles[i], i);
	// filing moved each start to its file's end
	for (size_t v = vertices; v > 0; v--)
		e->start[v] = e->start[v - 1];
	e->start[0] = 0;
	for (uint32_t v = 0; v < vertices; v++)
		sort_file(e->filed + e->start[v], e->start[v + 1] - e->start[v]);
	return true;
}

void oz_edges_free(oz_edges *e)
{
	free(e->start);
	free(e->filed);
	*e = (oz_edges){0};
}

bool oz_edge_next(const oz_edges *e, oz_edge *edge)
{
	if (edge->end == e->count)
		return false;
	edge->begin = edge->end;
	while (e->start[(size_t)edge->low + 1] <= edge->begin)
		edge->low++;
	edge->high = e->filed[edge->begin].high;
	const uint32_t limit = e->start[(size_t)edge->low + 1];
	while (edge->end < limit && e->filed[edge->end].high == edge->high)
		edge->end++;
	return true;
}
