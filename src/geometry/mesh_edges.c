// mesh_edges.c: lists the edges of a mesh under their lower vertex.
//
// The entries of a vertex are sorted by the upper vertex, then by the opposite vertex: triangles at
// one edge are adjacent, and among them duplicates are adjacent.
#include <stdlib.h>

#include "geometry/mesh_repair.h"

static int compare_entries(const void *a, const void *b)
{
	const oz_edge_entry *x = a, *y = b;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	if (x->third != y->third)
		return x->third < y->third ? -1 : 1;
	return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

// insertion sort for short lists: most vertices have about three entries
static void sort_entries(oz_edge_entry *f, uint32_t count)
{
	if (count > 24) {
		qsort(f, count, sizeof *f, compare_entries);
		return;
	}
	for (uint32_t i = 1; i < count; i++) {
		const oz_edge_entry one = f[i];
		uint32_t j = i;
		for (; j > 0 && compare_entries(&f[j - 1], &one) > 0; j--)
			f[j] = f[j - 1];
		f[j] = one;
	}
}

static void add_triangle(oz_edges *e, const uint32_t t[3], uint32_t triangle)
{
	for (int k = 0; k < 3; k++) {
		const uint32_t a = t[k], b = t[(k + 1) % 3];
		const uint32_t low = a < b ? a : b, high = a < b ? b : a;
		e->entries[e->start[low]++] = (oz_edge_entry){high, t[(k + 2) % 3], triangle};
	}
}

bool oz_edges_make(oz_edges *e, const oz_mesh *mesh)
{
	const uint32_t vertices = mesh->vertex_count;
	e->count = 3 * mesh->triangle_count;
	e->start = calloc((size_t)vertices + 1, sizeof *e->start);
	e->entries = malloc(sizeof *e->entries * e->count + 1);
	if (!e->start || !e->entries)
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
		add_triangle(e, mesh->triangles[i], i);
	// adding moved each start to the end of its entries; move them back
	for (size_t v = vertices; v > 0; v--)
		e->start[v] = e->start[v - 1];
	e->start[0] = 0;
	for (uint32_t v = 0; v < vertices; v++)
		sort_entries(e->entries + e->start[v], e->start[v + 1] - e->start[v]);
	return true;
}

void oz_edges_free(oz_edges *e)
{
	free(e->start);
	free(e->entries);
	*e = (oz_edges){0};
}

bool oz_edge_next(const oz_edges *e, oz_edge *edge)
{
	if (edge->end == e->count)
		return false;
	edge->begin = edge->end;
	while (e->start[(size_t)edge->low + 1] <= edge->begin)
		edge->low++;
	edge->high = e->entries[edge->begin].high;
	const uint32_t limit = e->start[(size_t)edge->low + 1];
	while (edge->end < limit && e->entries[edge->end].high == edge->high)
		edge->end++;
	return true;
}
