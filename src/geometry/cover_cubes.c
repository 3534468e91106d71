// cover_cubes.c: marching tetrahedra over a volume.
//
// Each cell of a grid is cut into the six tetrahedra of Kuhn: from its lowest corner along three
// axes, one after the other, to the highest. The surface crosses an edge of the grid, or a diagonal
// of a face or cell, in one vertex, which all tetrahedra there share: the mesh is closed. Crossings
// are found by bisection, which needs the sign of the distance only.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/cover.h"
#include "math/vec.h"

#define WAYS      7u // edges that begin at a node: the corners of its cell but itself
#define BISECTION 8

typedef struct marcher {
	oz_cover *cover;
	oz_vec3 origin;
	float cell;
	size_t size[3];      // nodes
	uint8_t *inside[2];  // of the nodes of two layers
	uint32_t *vertex[2]; // on the edges that begin in each; OZ_NONE: none yet
	bool room;
} marcher;

static oz_vec3 node_at(const marcher *m, size_t x, size_t y, size_t z)
{
	return oz_v3(m->origin.x + m->cell * (float)x, m->origin.y + m->cell * (float)y,
	             m->origin.z + m->cell * (float)z);
}

static bool is_inside(const marcher *m, oz_vec3 p)
{
	const oz_volume *v = m->cover->volume;
	return v->distance(v->context, p, 0) < 0;
}

// finds which nodes of layer z are inside, and forgets the vertices of the layer before the last
static void fill_layer(marcher *m, size_t z)
{
	uint8_t *inside = m->inside[z & 1];
	for (size_t y = 0; y < m->size[1]; y++)
		for (size_t x = 0; x < m->size[0]; x++)
			inside[y * m->size[0] + x] = is_inside(m, node_at(m, x, y, z));
	memset(m->vertex[z & 1], 0xff, sizeof(uint32_t) * WAYS * m->size[0] * m->size[1]);
}

// the corner of a cell: bits 0, 1, 2 of `corner` are steps along x, y, z
typedef struct corner_of_cell {
	size_t at; // in its layer
	int layer;
	oz_vec3 place;
} corner_of_cell;

static corner_of_cell corner_of(const marcher *m, const size_t cell[3], uint32_t corner)
{
	const size_t x = cell[0] + (corner & 1), y = cell[1] + (corner >> 1 & 1),
	             z = cell[2] + (corner >> 2);
	return (corner_of_cell){y * m->size[0] + x, (int)(z & 1), node_at(m, x, y, z)};
}

static bool corner_inside(const marcher *m, const size_t cell[3], uint32_t corner)
{
	const corner_of_cell c = corner_of(m, cell, corner);
	return m->inside[c.layer][c.at];
}

// the vertex on the edge between two corners, of which one has all bits of the other
static uint32_t vertex_between(marcher *m, const size_t cell[3], uint32_t a, uint32_t b)
{
	const uint32_t low = a < b ? a : b, high = a < b ? b : a;
	const corner_of_cell from = corner_of(m, cell, low), to = corner_of(m, cell, high);
	uint32_t *vertex = &m->vertex[from.layer][from.at * WAYS + (low ^ high) - 1];
	if (*vertex != OZ_NONE || !m->room)
		return *vertex;
	const bool begins_inside = m->inside[from.layer][from.at];
	float left = 0, right = 1;
	for (int k = 0; k < BISECTION; k++) {
		const float middle = 0.5f * (left + right);
		const oz_vec3 p = oz_mad(from.place, oz_sub(to.place, from.place), middle);
		if (is_inside(m, p) == begins_inside)
			left = middle;
		else
			right = middle;
	}
	const float t = oz_min(oz_max(0.5f * (left + right), 0.05f), 0.95f);
	m->room = oz_cover_add_vertex(m->cover, oz_mad(from.place, oz_sub(to.place, from.place), t),
	                              vertex);
	return *vertex;
}

// adds a triangle whose normal points away from `inner`
static void add_facing(marcher *m, uint32_t a, uint32_t b, uint32_t c, oz_vec3 inner)
{
	if (!m->room)
		return;
	const oz_vec3 *v = m->cover->mesh.vertices;
	const oz_vec3 n = oz_cross(oz_sub(v[b], v[a]), oz_sub(v[c], v[a]));
	const bool out = oz_dot(n, oz_sub(v[a], inner)) > 0;
	m->room = oz_cover_add_triangle(m->cover, a, out ? b : c, out ? c : b);
}

// Adds the triangles in one tetrahedron. `corners`: its corners, those inside the volume first, of
// which there are `count`.
static void march_tetrahedron(marcher *m, const size_t cell[3], const uint32_t corners[4],
                              int count)
{
	const oz_vec3 inner = corner_of(m, cell, corners[0]).place;
	const oz_vec3 outer = corner_of(m, cell, corners[3]).place;
	if (count == 1) {
		uint32_t v[3];
		for (int k = 0; k < 3; k++)
			v[k] = vertex_between(m, cell, corners[0], corners[k + 1]);
		add_facing(m, v[0], v[1], v[2], inner);
	} else if (count == 3) {
		uint32_t v[3];
		for (int k = 0; k < 3; k++)
			v[k] = vertex_between(m, cell, corners[3], corners[k]);
		// away from the reflection of the outer corner
		add_facing(m, v[0], v[1], v[2],
		           m->room ? oz_sub(oz_scale(m->cover->mesh.vertices[v[0]], 2), outer)
		                   : outer);
	} else {
		const uint32_t v[4] = {vertex_between(m, cell, corners[0], corners[2]),
		                       vertex_between(m, cell, corners[0], corners[3]),
		                       vertex_between(m, cell, corners[1], corners[3]),
		                       vertex_between(m, cell, corners[1], corners[2])};
		add_facing(m, v[0], v[1], v[2], inner);
		add_facing(m, v[0], v[2], v[3], inner);
	}
}

static void march_cell(marcher *m, const size_t cell[3])
{
	static const uint8_t orders[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
	for (int k = 0; k < 6; k++) {
		const uint32_t path[4] = {0, orders[k][0], orders[k][1], 7};
		uint32_t corners[4];
		int in = 0, out = 4;
		for (int c = 0; c < 4; c++)
			corners[corner_inside(m, cell, path[c]) ? in++ : --out] = path[c];
		if (in > 0 && in < 4)
			march_tetrahedron(m, cell, corners, in);
	}
}

static void march_layer(marcher *m, size_t z)
{
	for (size_t y = 0; y + 1 < m->size[1]; y++)
		for (size_t x = 0; x + 1 < m->size[0]; x++) {
			const size_t cell[3] = {x, y, z};
			march_cell(m, cell);
		}
}

bool oz_cover_march(oz_cover *cover, float cell)
{
	const oz_volume *v = cover->volume;
	marcher m = {.cover = cover, .cell = cell, .room = true};
	const oz_vec3 extent = oz_sub(v->max, v->min);
	// the offset keeps flat faces out of the planes of nodes
	m.origin = oz_sub(v->min, oz_v3(1.47f * cell, 1.41f * cell, 1.53f * cell));
	m.size[0] = (size_t)(extent.x / cell) + 5;
	m.size[1] = (size_t)(extent.y / cell) + 5;
	m.size[2] = (size_t)(extent.z / cell) + 5;
	const size_t layer = m.size[0] * m.size[1];
	for (int k = 0; k < 2; k++) {
		m.inside[k] = malloc(layer);
		m.vertex[k] = malloc(sizeof(uint32_t) * WAYS * layer);
		m.room = m.room && m.inside[k] && m.vertex[k];
	}
	for (size_t z = 0; z < m.size[2] && m.room; z++) {
		fill_layer(&m, z);
		if (z > 0)
			march_layer(&m, z - 1);
	}
	for (int k = 0; k < 2; k++) {
		free(m.inside[k]);
		free(m.vertex[k]);
	}
	return m.room;
}
