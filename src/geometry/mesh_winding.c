// mesh_winding.c: the generalised winding number (Jacobson et al. 2013), by a tree of dipoles
// (Barill et al. 2018).
//
// The winding number of a surface is the solid angle that it covers at the point, over 4π. For a
// triangle the formula of van Oosterom and Strackee is exact. Distant triangles are replaced by one
// dipole: the sum of their area vectors, at their centre. Triangles are sorted along the Morton
// curve; eight triangles make a leaf, eight leaves a node, and so on to the root.
#include "geometry/mesh_winding.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec.h"

#define BRANCHES  8u
#define LEVELS    11   // of 8^11 triangles
#define FAR_RADII 3.0f // radii from which a node is a dipole

typedef struct node {
	oz_vec3 centre;
	float far2;     // m², beyond that it is a dipole
	oz_vec3 normal; // m², sum of its triangles' areas
	float area;
} node;

struct oz_winding {
	const oz_mesh *mesh;
	uint32_t *order;         // triangles along the curve
	node *nodes[LEVELS + 1]; // [0]: leaves
	uint32_t count[LEVELS + 1];
	int root; // level of the one node at the top
};

// ---- making -----------------------------------------------------------------------------------

// moves bit k of a number of 10 bits to bit 3 k
static uint32_t spread_bits(uint32_t x)
{
	x = (x | x << 16) & 0x030000ffu;
	x = (x | x << 8) & 0x0300f00fu;
	x = (x | x << 4) & 0x030c30c3u;
	return (x | x << 2) & 0x09249249u;
}

static uint32_t cell_of(float x)
{
	return x > 0 ? (x < 1023.0f ? (uint32_t)x : 1023u) : 0u;
}

// the Morton code of the centre of a triangle
static uint32_t code_of(const oz_mesh *m, uint32_t triangle, oz_vec3 min, float scale)
{
	const uint32_t *t = m->triangles[triangle];
	const oz_vec3 *v = m->vertices;
	const oz_vec3 sum = oz_add(oz_add(v[t[0]], v[t[1]]), v[t[2]]);
	const oz_vec3 at = oz_scale(oz_sub(oz_scale(sum, 1.0f / 3.0f), min), scale);
	return spread_bits(cell_of(at.x)) | spread_bits(cell_of(at.y)) << 1 |
	       spread_bits(cell_of(at.z)) << 2;
}

static int compare_codes(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static bool sort_triangles(oz_winding *w, oz_vec3 min, oz_vec3 max)
{
	const uint32_t count = w->mesh->triangle_count;
	const float scale = 1023.0f / oz_max(oz_max_abs(oz_sub(max, min)), 1e-30f);
	uint64_t *codes = malloc(sizeof *codes * count);
	w->order = malloc(sizeof *w->order * count);
	const bool room = codes && w->order;
	for (uint32_t i = 0; i < count && room; i++)
		codes[i] = (uint64_t)code_of(w->mesh, i, min, scale) << 32 | i;
	if (room)
		qsort(codes, count, sizeof *codes, compare_codes);
	for (uint32_t i = 0; i < count && room; i++)
		w->order[i] = (uint32_t)codes[i];
	free(codes);
	return room;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

// sums area, normal and centre of the triangles of a leaf
static void make_leaf(const oz_winding *w, uint32_t leaf)
{
	const uint32_t end = smaller((leaf + 1) * BRANCHES, w->mesh->triangle_count);
	node n = {.area = 0};
	oz_vec3 centre_sum = oz_v3(0, 0, 0);
	for (uint32_t i = leaf * BRANCHES; i < end; i++) {
		const uint32_t *t = w->mesh->triangles[w->order[i]];
		const oz_vec3 a = w->mesh->vertices[t[0]], b = w->mesh->vertices[t[1]];
		const oz_vec3 c = w->mesh->vertices[t[2]];
		const oz_vec3 normal = oz_scale(oz_cross(oz_sub(b, a), oz_sub(c, a)), 0.5f);
		const oz_vec3 middle = oz_scale(oz_add(oz_add(a, b), c), 1.0f / 3.0f);
		const float area = oz_length(normal);
		n.normal = oz_add(n.normal, normal);
		n.centre = oz_mad(n.centre, middle, area);
		n.area += area;
		centre_sum = oz_add(centre_sum, middle);
	}
	n.centre = n.area > 0 ? oz_scale(n.centre, 1.0f / n.area)
	                      : oz_scale(centre_sum, 1.0f / (float)(end - leaf * BRANCHES));
	float radius2 = 0;
	for (uint32_t i = leaf * BRANCHES; i < end; i++)
		for (int k = 0; k < 3; k++) {
			const uint32_t v = w->mesh->triangles[w->order[i]][k];
			const oz_vec3 d = oz_sub(w->mesh->vertices[v], n.centre);
			radius2 = oz_max(radius2, oz_length2(d));
		}
	n.far2 = FAR_RADII * FAR_RADII * radius2;
	w->nodes[0][leaf] = n;
}

// makes a node from its eight children
static void join(const oz_winding *w, int level, uint32_t at)
{
	const node *parts = w->nodes[level - 1] + (size_t)at * BRANCHES;
	const uint32_t count = smaller(BRANCHES, w->count[level - 1] - at * BRANCHES);
	node n = {.area = 0};
	for (uint32_t i = 0; i < count; i++) {
		n.normal = oz_add(n.normal, parts[i].normal);
		n.centre = oz_mad(n.centre, parts[i].centre, parts[i].area);
		n.area += parts[i].area;
	}
	n.centre = n.area > 0 ? oz_scale(n.centre, 1.0f / n.area) : parts[0].centre;
	float radius = 0;
	for (uint32_t i = 0; i < count; i++)
		radius = oz_max(radius, oz_length(oz_sub(parts[i].centre, n.centre)) +
		                                sqrtf(parts[i].far2) / FAR_RADII);
	n.far2 = FAR_RADII * FAR_RADII * radius * radius;
	w->nodes[level][at] = n;
}

static bool allocate(oz_winding *w)
{
	uint32_t count = w->mesh->triangle_count;
	for (w->root = -1; w->root < 0 || count > 1;) {
		count = (count - 1) / BRANCHES + 1;
		w->root++;
		w->count[w->root] = count;
		w->nodes[w->root] = malloc(sizeof(node) * count);
		if (!w->nodes[w->root])
			return false;
	}
	return true;
}

oz_winding *oz_winding_create(const oz_mesh *mesh, oz_vec3 min, oz_vec3 max)
{
	oz_winding *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->mesh = mesh;
	if (!allocate(w) || !sort_triangles(w, min, max)) {
		oz_winding_destroy(w);
		return NULL;
	}
	for (uint32_t i = 0; i < w->count[0]; i++)
		make_leaf(w, i);
	for (int level = 1; level <= w->root; level++)
		for (uint32_t i = 0; i < w->count[level]; i++)
			join(w, level, i);
	return w;
}

void oz_winding_destroy(oz_winding *w)
{
	if (!w)
		return;
	for (int level = 0; level <= LEVELS; level++)
		free(w->nodes[level]);
	free(w->order);
	free(w);
}

// ---- evaluating -------------------------------------------------------------------------------

// An angle as a complex number x + i y and a number of full turns: angles are added by products,
// without arc tangents.
typedef struct angle {
	float x, y;
	int turns;
} angle;

// Adds the angle of x + i y, in -π … π.
static angle add_angle(angle a, float x, float y)
{
	const float size = 1.0f / (fabsf(x) + fabsf(y));
	const float re = size * (a.x * x - a.y * y), im = size * (a.x * y + a.y * x);
	const int over = y > 0.0f ? a.y >= 0.0f && im < 0.0f : -(a.y < 0.0f && im >= 0.0f);
	return (angle){re, im, a.turns + over};
}

// adds half the solid angle of each triangle of a leaf
static angle add_leaf(const oz_winding *w, uint32_t leaf, oz_vec3 p, angle sum)
{
	const uint32_t end = smaller((leaf + 1) * BRANCHES, w->mesh->triangle_count);
	for (uint32_t i = leaf * BRANCHES; i < end; i++) {
		const uint32_t *t = w->mesh->triangles[w->order[i]];
		const oz_vec3 *v = w->mesh->vertices;
		const oz_vec3 a = oz_sub(v[t[0]], p), b = oz_sub(v[t[1]], p),
		              c = oz_sub(v[t[2]], p);
		const float la = oz_length(a), lb = oz_length(b), lc = oz_length(c);
		const float up = oz_dot(a, oz_cross(b, c));
		const float down =
		        la * lb * lc + oz_dot(a, b) * lc + oz_dot(b, c) * la + oz_dot(c, a) * lb;
		// in the plane of a triangle its solid angle is 0
		if (up != 0.0f)
			sum = add_angle(sum, down, up);
	}
	return sum;
}

float oz_winding_at(const oz_winding *w, oz_vec3 p)
{
	struct {
		int level;
		uint32_t at;
	} stack[LEVELS * BRANCHES];
	int top = 0;
	float far = 0;
	angle near = {1, 0, 0};
	stack[top].level = w->root;
	stack[top++].at = 0;
	while (top > 0) {
		const int level = stack[--top].level;
		const uint32_t at = stack[top].at;
		const node *n = &w->nodes[level][at];
		const oz_vec3 d = oz_sub(n->centre, p);
		const float d2 = oz_length2(d);
		if (d2 > n->far2) {
			far += oz_dot(n->normal, d) / (d2 * sqrtf(d2));
		} else if (level == 0) {
			near = add_leaf(w, at, p, near);
		} else {
			const uint32_t first = at * BRANCHES;
			const uint32_t end = smaller(first + BRANCHES, w->count[level - 1]);
			for (uint32_t k = first; k < end; k++) {
				stack[top].level = level - 1;
				stack[top++].at = k;
			}
		}
	}
	const float half = atan2f(near.y, near.x) + 2.0f * OZ_PI * (float)near.turns;
	return (far + 2.0f * half) / (4.0f * OZ_PI);
}
