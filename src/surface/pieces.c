// pieces.c: the pieces (connected components) of a mesh, their volumes, and the removal of small
// ones.
//
// The label of a piece is its lowest vertex number. Union-find without locks: each thread sets the
// parent of the higher root to the lower root by compare-and-exchange and repeats on failure. The
// lowest vertex is the root in the end, for every order of threads.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "math/vec.h"
#include "surface/surface.h"

#define CHUNK 4096u

typedef struct piece_task {
	_Atomic uint32_t *parent;
	const uint32_t (*triangles)[3];
} piece_task;

static uint32_t load(_Atomic uint32_t *p)
{
	return atomic_load_explicit(p, memory_order_relaxed);
}

// The root of v; shortens the path to it by setting the parents on the way to their grandparents.
static uint32_t find_root(_Atomic uint32_t *parent, uint32_t v)
{
	for (uint32_t up = load(&parent[v]); up != v; up = load(&parent[v])) {
		const uint32_t above = load(&parent[up]);
		if (above != up)
			atomic_compare_exchange_weak_explicit(&parent[v], &up, above,
			                                      memory_order_relaxed,
			                                      memory_order_relaxed);
		v = above;
	}
	return v;
}

// Unites the trees of vertices a and b.
static void join(_Atomic uint32_t *parent, uint32_t a, uint32_t b)
{
	for (;;) {
		a = find_root(parent, a);
		b = find_root(parent, b);
		if (a == b)
			return;
		uint32_t high = a > b ? a : b;
		const uint32_t low = a > b ? b : a;
		if (atomic_compare_exchange_strong_explicit(&parent[high], &high, low,
		                                            memory_order_relaxed,
		                                            memory_order_relaxed))
			return;
	}
}

// Pool task: makes every vertex its own root.
static void init_parents(void *context, uint32_t begin, uint32_t end)
{
	const piece_task *t = context;
	for (uint32_t v = begin; v < end; v++)
		atomic_init(&t->parent[v], v);
}

// Pool task: joins the vertices of each triangle to one piece.
static void join_triangles(void *context, uint32_t begin, uint32_t end)
{
	const piece_task *t = context;
	for (uint32_t i = begin; i < end; i++) {
		join(t->parent, t->triangles[i][0], t->triangles[i][1]);
		join(t->parent, t->triangles[i][1], t->triangles[i][2]);
	}
}

// Pool task: writes the lowest vertex of its piece to each vertex.
static void label_pieces(void *context, uint32_t begin, uint32_t end)
{
	const piece_task *t = context;
	for (uint32_t v = begin; v < end; v++)
		atomic_store_explicit(&t->parent[v], find_root(t->parent, v), memory_order_relaxed);
}

oz_result oz_pieces_find(oz_surface *s, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	const uint32_t count = k->vertex_count;
	oz_result result = oz_store_reserve(s, &k->piece, count, sizeof(uint32_t), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &k->volume, count, sizeof(double), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &k->area, count, sizeof(double), false, error);
	if (result != OZ_OK)
		return result;
	piece_task t = {k->piece.data, k->triangles.data};
	oz_pool_run(s->pool, count, CHUNK, init_parents, &t);
	oz_pool_run(s->pool, k->triangle_count, CHUNK, join_triangles, &t);
	oz_pool_run(s->pool, count, CHUNK, label_pieces, &t);
	return OZ_OK;
}

// Computes volume and area of each piece, stored at its first vertex. Volumes are relative to that
// vertex: no cancellation far from the origin.
void oz_pieces_measure(oz_surface *s)
{
	oz_surface_skin *k = &s->skin;
	const oz_vec3 *x = k->position.data;
	const uint32_t *piece = k->piece.data;
	const uint32_t(*triangles)[3] = k->triangles.data;
	double *volume = k->volume.data, *area = k->area.data;
	memset(area, 0, sizeof *area * k->vertex_count);
	memset(volume, 0, sizeof *volume * k->vertex_count);
	for (uint32_t i = 0; i < k->triangle_count; i++) {
		const uint32_t *t = triangles[i], p = piece[t[0]];
		const oz_vec3 a = oz_sub(x[t[0]], x[p]), b = oz_sub(x[t[1]], x[p]);
		const oz_vec3 c = oz_sub(x[t[2]], x[p]);
		volume[p] += (double)oz_dot(a, oz_cross(b, c)) / 6.0;
		area[p] += 0.5 * (double)oz_length(oz_cross(oz_sub(b, a), oz_sub(c, a)));
	}
}

// ---- specks ------------------------------------------------------------------------------------

// Moves element v to to[v] for all v that are kept (to[v] not OZ_NONE).
static void compact(const oz_store *store, size_t size, const uint32_t *to, uint32_t count)
{
	char *data = store->data;
	for (uint32_t v = 0; data && v < count; v++)
		if (to[v] != OZ_NONE)
			memmove(data + to[v] * size, data + v * size, size);
}

// Removes the triangles of removed vertices and renumbers the corners of all others.
static void compact_triangles(oz_surface_skin *k, const uint32_t *to)
{
	uint32_t(*triangles)[3] = k->triangles.data;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < k->triangle_count; i++) {
		if (to[triangles[i][0]] == OZ_NONE)
			continue;
		for (int c = 0; c < 3; c++)
			triangles[kept][c] = to[triangles[i][c]];
		kept++;
	}
	k->triangle_count = kept;
}

oz_result oz_pieces_remove_specks(oz_surface *s, const oz_surface_input *input, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	const double spacing = (double)s->def.spacing;
	const double least = (double)s->def.specks * spacing * spacing * spacing;
	if (!(least > 0) || k->vertex_count == 0)
		return OZ_OK;
	oz_result result = oz_pieces_find(s, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &k->degree, k->vertex_count, sizeof(uint32_t), false,
		                          error);
	if (result != OZ_OK)
		return result;
	oz_pieces_measure(s);
	const uint32_t *piece = k->piece.data;
	const double *volume = k->volume.data;
	uint32_t *to = k->degree.data, kept = 0;
	for (uint32_t v = 0; v < k->vertex_count; v++)
		to[v] = fabs(volume[piece[v]]) < least ? OZ_NONE : kept++;
	compact_triangles(k, to);
	compact(&k->position, sizeof(oz_vec3), to, k->vertex_count);
	compact(&k->normal, sizeof(oz_vec3), to, k->vertex_count);
	if (input->velocity.data)
		compact(&k->velocity, sizeof(oz_vec3), to, k->vertex_count);
	if (input->colour.data)
		compact(&k->colour, sizeof(oz_vec3), to, k->vertex_count);
	if (input->body.data)
		compact(&k->body, sizeof(uint32_t), to, k->vertex_count);
	if (input->material.data)
		compact(&k->material, sizeof(uint32_t), to, k->vertex_count);
	k->vertex_count = kept;
	return OZ_OK;
}
