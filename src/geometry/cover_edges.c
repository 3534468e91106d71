// cover_edges.c: splits long edges, collapses short ones, flips edges towards six at each vertex
// (after Botsch & Kobbelt 2004). A pass takes edges in the order of their numbers and leaves those
// out whose triangles it has changed, so that its lists stay right.
#include <stdlib.h>
#include <string.h>

#include "geometry/cover.h"
#include "geometry/mesh_repair.h"
#include "math/vec.h"

#define LONG  (4.0f / 3.0f) // of the wanted side: longer edges are split
#define SHORT 0.8f          // shorter ones collapse
#define TURN  0.3f          // least cosine by which a normal may turn

// the lists of a pass
typedef struct pass {
	oz_edges edges;
	uint32_t *start, *around; // triangles around each vertex
	uint8_t *changed;         // of each triangle
	bool room;
} pass;

// lists the triangles around each vertex
static void list_around(pass *p, const oz_mesh *mesh)
{
	for (uint32_t t = 0; t < mesh->triangle_count; t++)
		for (int k = 0; k < 3; k++)
			p->start[mesh->triangles[t][k] + 2]++;
	for (uint32_t v = 0; v < mesh->vertex_count; v++)
		p->start[v + 2] += p->start[v + 1];
	for (uint32_t t = 0; t < mesh->triangle_count; t++)
		for (int k = 0; k < 3; k++)
			p->around[p->start[mesh->triangles[t][k] + 1]++] = t;
}

// allocates and fills the lists of a pass; its `room` is false if memory ran out
static pass begin_pass(const oz_mesh *mesh)
{
	pass p = {.start = calloc((size_t)mesh->vertex_count + 2, sizeof *p.start),
	          .around = malloc(sizeof *p.around * (3 * (size_t)mesh->triangle_count + 1)),
	          // a split adds two triangles for each edge
	          .changed = calloc(5 * (size_t)mesh->triangle_count + 1, 1)};
	p.room = p.start && p.around && p.changed && oz_edges_make(&p.edges, mesh);
	if (p.room)
		list_around(&p, mesh);
	return p;
}

static void end_pass(pass *p)
{
	oz_edges_free(&p->edges);
	free(p->start);
	free(p->around);
	free(p->changed);
}

static float length_of(const oz_mesh *mesh, uint32_t a, uint32_t b)
{
	return oz_length(oz_sub(mesh->vertices[a], mesh->vertices[b]));
}

// the two triangles of an edge, `one` being that which runs from low to high; false if there are
// not two, or if one of them was changed in this pass
static bool sides_of(const pass *p, const oz_mesh *mesh, const oz_edge *e, oz_edge_entry *one,
                     oz_edge_entry *two)
{
	if (e->end - e->begin != 2)
		return false;
	*one = p->edges.entries[e->begin];
	*two = p->edges.entries[e->begin + 1];
	if (p->changed[one->triangle] || p->changed[two->triangle])
		return false;
	if (!oz_runs_along(mesh->triangles[one->triangle], e->low, e->high)) {
		const oz_edge_entry swap = *one;
		*one = *two;
		*two = swap;
	}
	return true;
}

static void set(uint32_t t[3], uint32_t a, uint32_t b, uint32_t c)
{
	t[0] = a, t[1] = b, t[2] = c;
}

// ---- split -------------------------------------------------------------------------------------

// puts a vertex into the middle of an edge, which makes four triangles of two; false: out of memory
static bool split(oz_cover *cover, pass *p, const oz_edge *e, const oz_edge_entry *one,
                  const oz_edge_entry *two)
{
	const oz_vec3 *v = cover->mesh.vertices;
	uint32_t middle;
	if (!oz_cover_add_vertex(cover, oz_scale(oz_add(v[e->low], v[e->high]), 0.5f), &middle))
		return false;
	set(cover->mesh.triangles[one->triangle], e->low, middle, one->third);
	set(cover->mesh.triangles[two->triangle], middle, e->low, two->third);
	p->changed[one->triangle] = p->changed[two->triangle] = 1;
	return oz_cover_add_triangle(cover, middle, e->high, one->third) &&
	       oz_cover_add_triangle(cover, e->high, middle, two->third);
}

bool oz_cover_split(oz_cover *cover, uint32_t *changed)
{
	pass p = begin_pass(&cover->mesh);
	oz_edge e = {0};
	oz_edge_entry one, two;
	while (p.room && oz_edge_next(&p.edges, &e)) {
		if (length_of(&cover->mesh, e.low, e.high) <= LONG * cover->side ||
		    !sides_of(&p, &cover->mesh, &e, &one, &two))
			continue;
		p.room = split(cover, &p, &e, &one, &two);
		++*changed;
	}
	end_pass(&p);
	return p.room;
}

// ---- collapse ----------------------------------------------------------------------------------

static bool has(const uint32_t t[3], uint32_t v)
{
	return t[0] == v || t[1] == v || t[2] == v;
}

static oz_vec3 normal_of(oz_vec3 a, oz_vec3 b, oz_vec3 c)
{
	return oz_cross(oz_sub(b, a), oz_sub(c, a));
}

// Whether the triangles around `v`, but for those with `other`, can take `to` as its place: none
// was changed, turns over or gets a long edge.
static bool can_move(const oz_cover *cover, const pass *p, uint32_t v, uint32_t other, oz_vec3 to)
{
	const oz_mesh *mesh = &cover->mesh;
	for (uint32_t k = p->start[v]; k < p->start[v + 1]; k++) {
		const uint32_t *t = mesh->triangles[p->around[k]];
		if (p->changed[p->around[k]])
			return false;
		if (has(t, other))
			continue;
		oz_vec3 x[3], y[3];
		for (int c = 0; c < 3; c++) {
			x[c] = y[c] = mesh->vertices[t[c]];
			if (t[c] == v)
				y[c] = to;
			else if (oz_length(oz_sub(to, x[c])) > LONG * cover->side)
				return false;
		}
		const oz_vec3 n = normal_of(x[0], x[1], x[2]), m = normal_of(y[0], y[1], y[2]);
		if (oz_dot(n, m) < TURN * oz_length(n) * oz_length(m) ||
		    oz_length(m) < 0.05f * cover->side * cover->side * SHORT)
			return false;
	}
	return true;
}

// the number of vertices that are neighbours of both ends
static uint32_t count_common(const pass *p, const oz_mesh *mesh, uint32_t a, uint32_t b)
{
	uint32_t common = 0;
	for (uint32_t k = p->start[a]; k < p->start[a + 1]; k++)
		for (int c = 0; c < 3; c++) {
			// each neighbour is in two triangles: count where it follows a
			const uint32_t *t = mesh->triangles[p->around[k]];
			if (t[c] != a)
				continue;
			const uint32_t next = t[(c + 1) % 3];
			bool found = false;
			for (uint32_t j = p->start[b]; j < p->start[b + 1] && !found; j++)
				found = next != b && has(mesh->triangles[p->around[j]], next);
			common += found;
		}
	return common;
}

// marks all triangles around a vertex as changed
static void mark_around(pass *p, uint32_t v)
{
	for (uint32_t k = p->start[v]; k < p->start[v + 1]; k++)
		p->changed[p->around[k]] = 1;
}

// Moves both ends of an edge to its middle, if the mesh stays sound; false: it was left. Triangles
// without area are dropped at the end of the pass.
static bool collapse(oz_cover *cover, pass *p, const oz_edge *e)
{
	oz_mesh *mesh = &cover->mesh;
	const oz_vec3 to = oz_scale(oz_add(mesh->vertices[e->low], mesh->vertices[e->high]), 0.5f);
	if (p->start[e->low + 1] - p->start[e->low] < 4 ||
	    p->start[e->high + 1] - p->start[e->high] < 4 ||
	    !can_move(cover, p, e->low, e->high, to) || !can_move(cover, p, e->high, e->low, to) ||
	    count_common(p, mesh, e->low, e->high) != 2)
		return false;
	mark_around(p, e->low);
	mark_around(p, e->high);
	// the opposite vertices lose a triangle: their other triangles wait, too
	for (uint32_t k = e->begin; k < e->end; k++)
		mark_around(p, p->edges.entries[k].third);
	mesh->vertices[e->low] = to;
	for (uint32_t k = p->start[e->high]; k < p->start[e->high + 1]; k++)
		for (int c = 0; c < 3; c++)
			if (mesh->triangles[p->around[k]][c] == e->high)
				mesh->triangles[p->around[k]][c] = e->low;
	return true;
}

// drops triangles that name a vertex twice, and vertices of no triangle
static bool drop_unused(oz_mesh *mesh)
{
	uint32_t *number = malloc(sizeof *number * ((size_t)mesh->vertex_count + 1));
	uint32_t kept = 0, vertices = 0;
	if (!number)
		return false;
	memset(number, 0xff, sizeof *number * mesh->vertex_count);
	for (uint32_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *x = mesh->triangles[t];
		if (x[0] == x[1] || x[1] == x[2] || x[2] == x[0])
			continue;
		memmove(mesh->triangles[kept++], x, sizeof *mesh->triangles);
	}
	mesh->triangle_count = kept;
	for (uint32_t t = 0; t < kept; t++)
		for (int k = 0; k < 3; k++)
			number[mesh->triangles[t][k]] = 0;
	for (uint32_t v = 0; v < mesh->vertex_count; v++)
		if (number[v] != OZ_NONE) {
			mesh->vertices[vertices] = mesh->vertices[v];
			number[v] = vertices++;
		}
	mesh->vertex_count = vertices;
	for (uint32_t t = 0; t < kept; t++)
		for (int k = 0; k < 3; k++)
			mesh->triangles[t][k] = number[mesh->triangles[t][k]];
	free(number);
	return true;
}

bool oz_cover_collapse(oz_cover *cover, uint32_t *changed)
{
	pass p = begin_pass(&cover->mesh);
	oz_edge e = {0};
	oz_edge_entry one, two;
	while (p.room && oz_edge_next(&p.edges, &e))
		if (length_of(&cover->mesh, e.low, e.high) < SHORT * cover->side &&
		    sides_of(&p, &cover->mesh, &e, &one, &two))
			*changed += collapse(cover, &p, &e);
	end_pass(&p);
	return p.room && drop_unused(&cover->mesh);
}

// ---- flip --------------------------------------------------------------------------------------

// (n - 6)², n being the number of edges at vertex v after a change
static int valence_error(const pass *p, uint32_t v, int change)
{
	const int off = (int)(p->start[v + 1] - p->start[v]) + change - 6;
	return off * off;
}

static bool are_neighbours(const pass *p, const oz_mesh *mesh, uint32_t a, uint32_t b)
{
	for (uint32_t k = p->start[a]; k < p->start[a + 1]; k++)
		if (has(mesh->triangles[p->around[k]], b))
			return true;
	return false;
}

// replaces an edge by that between the two opposite vertices, if the numbers of edges at the four
// get nearer to six and no normal turns; false: it was left
static bool flip(oz_cover *cover, pass *p, const oz_edge *e, const oz_edge_entry *one,
                 const oz_edge_entry *two)
{
	oz_mesh *mesh = &cover->mesh;
	const uint32_t a = e->low, b = e->high, c = one->third, d = two->third;
	const oz_vec3 *v = mesh->vertices;
	const int before = valence_error(p, a, 0) + valence_error(p, b, 0) +
	                   valence_error(p, c, 0) + valence_error(p, d, 0);
	const int after = valence_error(p, a, -1) + valence_error(p, b, -1) +
	                  valence_error(p, c, 1) + valence_error(p, d, 1);
	const oz_vec3 n = oz_add(normal_of(v[a], v[b], v[c]), normal_of(v[b], v[a], v[d]));
	const oz_vec3 n1 = normal_of(v[a], v[d], v[c]), n2 = normal_of(v[d], v[b], v[c]);
	const float least = 0.1f * cover->side * cover->side * oz_length(n);
	if (after >= before || c == d || are_neighbours(p, mesh, c, d) || oz_dot(n, n1) < least ||
	    oz_dot(n, n2) < least)
		return false;
	// the counts of edges at all four change
	mark_around(p, a);
	mark_around(p, b);
	mark_around(p, c);
	mark_around(p, d);
	set(mesh->triangles[one->triangle], a, d, c);
	set(mesh->triangles[two->triangle], d, b, c);
	return true;
}

bool oz_cover_flip(oz_cover *cover, uint32_t *changed)
{
	pass p = begin_pass(&cover->mesh);
	oz_edge e = {0};
	oz_edge_entry one, two;
	while (p.room && oz_edge_next(&p.edges, &e))
		if (sides_of(&p, &cover->mesh, &e, &one, &two))
			*changed += flip(cover, &p, &e, &one, &two);
	end_pass(&p);
	return p.room;
}
