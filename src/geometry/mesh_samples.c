// mesh_samples.c: the surface of a mesh as samples of about the same area.
//
// Triangles are split at their longest edge until the pieces are small. Pieces in the same voxel
// with the same facing are one sample, with their exact area and at their centre. So sums over
// samples are integrals over the surface, for every mesh.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/mesh_surface.h"
#include "math/vec.h"

#define VOXEL 0.25f // spacings
#define PIECE 0.3f  // spacings, the longest edge of a piece

// data that is needed only while samples are made
typedef struct sorter {
	oz_samples *set;
	uint64_t *key;  // of each sample: hash of its voxel and its facing
	float *largest; // area of the largest piece of each sample, spacing²
	size_t *table;  // hash table from keys to sample + 1; 0: free
	uint64_t mask;
	uint32_t triangle; // the triangle that is being split
	uint64_t facing;   // of this triangle, see facing_of
	bool failed;
} sorter;

// a corner of a triangle in spacings relative to the origin
static oz_vec3 corner(const oz_samples *set, uint32_t triangle, int k)
{
	const oz_vec3 v = set->mesh->vertices[set->mesh->triangles[triangle][k]];
	return oz_scale(oz_sub(v, set->origin), 1 / set->spacing);
}

static double area_of(oz_vec3 a, oz_vec3 b, oz_vec3 c)
{
	const oz_vec3 p = oz_sub(b, a), q = oz_sub(c, a);
	const double x = (double)p.y * (double)q.z - (double)p.z * (double)q.y;
	const double y = (double)p.z * (double)q.x - (double)p.x * (double)q.z;
	const double z = (double)p.x * (double)q.y - (double)p.y * (double)q.x;
	return sqrt(x * x + y * y + z * z) / 2;
}

double oz_samples_area(const oz_samples *set)
{
	double area = 0;
	for (uint32_t i = 0; i < set->mesh->triangle_count; i++)
		area += area_of(corner(set, i, 0), corner(set, i, 1), corner(set, i, 2));
	return area;
}

// ---- joining ----------------------------------------------------------------------------------

static bool resize(void **block, size_t count, size_t size)
{
	void *larger = realloc(*block, count * size);
	if (larger)
		*block = larger;
	return larger != NULL;
}

// makes a larger hash table
static bool rehash(sorter *s, uint64_t slots)
{
	size_t *table = calloc((size_t)slots, sizeof *table);
	if (!table)
		return false;
	free(s->table);
	s->table = table;
	s->mask = slots - 1;
	for (size_t i = 0; i < s->set->count; i++) {
		uint64_t slot = s->key[i] & s->mask;
		while (table[slot] != 0)
			slot = (slot + 1) & s->mask;
		table[slot] = i + 1;
	}
	return true;
}

static bool grow(sorter *s)
{
	oz_samples *set = s->set;
	const size_t most = set->capacity ? 2 * set->capacity : 4096;
	const bool room = resize((void **)&set->at, most, sizeof *set->at) &&
	                  resize((void **)&set->area, most, sizeof *set->area) &&
	                  resize((void **)&set->triangle, most, sizeof *set->triangle) &&
	                  resize((void **)&set->joined, most, sizeof *set->joined) &&
	                  resize((void **)&s->key, most, sizeof *s->key) &&
	                  resize((void **)&s->largest, most, sizeof *s->largest);
	if (!room || !rehash(s, 2ull * most))
		return false;
	set->capacity = most;
	return true;
}

static uint64_t key_of(const sorter *s, oz_vec3 p)
{
	const int64_t voxel[4] = {(int64_t)(p.x / VOXEL), (int64_t)(p.y / VOXEL),
	                          (int64_t)(p.z / VOXEL), (int64_t)s->facing};
	return oz_hash(voxel, sizeof voxel, 0);
}

// the sample with a key; adds it with the area 0 if there is none
static size_t find_or_add(sorter *s, uint64_t key)
{
	uint64_t slot = key & s->mask;
	for (; s->table[slot] != 0; slot = (slot + 1) & s->mask)
		if (s->key[s->table[slot] - 1] == key)
			return s->table[slot] - 1;
	const size_t added = s->set->count++;
	s->table[slot] = added + 1;
	s->key[added] = key;
	s->set->area[added] = 0;
	s->set->triangle[added] = s->triangle;
	s->set->joined[added] = false;
	s->largest[added] = 0;
	return added;
}

// adds the sample of a piece of a triangle to its cell
static void add_piece(sorter *s, oz_vec3 middle, float area)
{
	oz_samples *set = s->set;
	if (set->count == set->capacity && !grow(s)) {
		s->failed = true;
		return;
	}
	const size_t i = find_or_add(s, key_of(s, middle));
	const float all = set->area[i] + area;
	if (set->area[i] == 0)
		set->at[i] = middle;
	set->joined[i] = set->joined[i] || set->triangle[i] != s->triangle;
	set->at[i] = oz_mad(set->at[i], oz_sub(middle, set->at[i]), area / all);
	set->area[i] = all;
	if (area > s->largest[i]) {
		s->largest[i] = area;
		set->triangle[i] = s->triangle;
	}
}

// ---- splitting --------------------------------------------------------------------------------

// splits a triangle at its longest edge until all edges are at most PIECE long
static void split(sorter *s, oz_vec3 a, oz_vec3 b, oz_vec3 c)
{
	const float ab = oz_length2(oz_sub(b, a)), bc = oz_length2(oz_sub(c, b));
	const float ca = oz_length2(oz_sub(a, c));
	if (s->failed)
		return;
	if (bc > ab && bc >= ca) {
		split(s, b, c, a);
		return;
	}
	if (ca > ab && ca > bc) {
		split(s, c, a, b);
		return;
	}
	if (ab <= PIECE * PIECE) {
		const float area = (float)area_of(a, b, c);
		if (area > 0)
			add_piece(s, oz_scale(oz_add(oz_add(a, b), c), 1 / 3.0f), area);
		return;
	}
	const oz_vec3 half = oz_scale(oz_add(a, b), 0.5f);
	split(s, c, a, half);
	split(s, half, b, c);
}

// The axis nearest to the normal of a triangle, and its sign. It keeps both sides of a thin plate,
// and the faces at a sharp edge, in different samples.
static uint64_t facing_of(oz_vec3 a, oz_vec3 b, oz_vec3 c)
{
	const oz_vec3 n = oz_cross(oz_sub(b, a), oz_sub(c, a));
	const float x = fabsf(n.x), y = fabsf(n.y), z = fabsf(n.z);
	if (x >= y && x >= z)
		return n.x > 0 ? 0 : 1;
	if (y >= z)
		return n.y > 0 ? 2 : 3;
	return n.z > 0 ? 4 : 5;
}

bool oz_samples_make(oz_samples *set)
{
	sorter s = {.set = set};
	s.failed = !grow(&s);
	for (uint32_t i = 0; i < set->mesh->triangle_count && !s.failed; i++) {
		const oz_vec3 a = corner(set, i, 0), b = corner(set, i, 1), c = corner(set, i, 2);
		s.triangle = i;
		s.facing = facing_of(a, b, c);
		if (area_of(a, b, c) > 0)
			split(&s, a, b, c);
	}
	free(s.key);
	free(s.largest);
	free(s.table);
	return !s.failed && set->count > 0;
}

void oz_samples_free(oz_samples *set)
{
	free(set->at);
	free(set->area);
	free(set->triangle);
	free(set->joined);
}

// ---- projection onto the surface --------------------------------------------------------------

static oz_vec3 nearest_on_edge(oz_vec3 p, oz_vec3 a, oz_vec3 b)
{
	const oz_vec3 edge = oz_sub(b, a);
	const float length2 = oz_length2(edge);
	const float t = length2 > 0 ? oz_dot(oz_sub(p, a), edge) / length2 : 0;
	return oz_mad(a, edge, t < 0 ? 0 : t > 1 ? 1 : t);
}

static oz_vec3 nearer(oz_vec3 p, oz_vec3 a, oz_vec3 b)
{
	return oz_length2(oz_sub(p, a)) <= oz_length2(oz_sub(p, b)) ? a : b;
}

static oz_vec3 nearest_on_triangle(oz_vec3 p, const oz_vec3 v[3], oz_vec3 n)
{
	bool above = oz_length2(n) > 0;
	for (int k = 0; k < 3 && above; k++)
		above = oz_dot(oz_cross(n, oz_sub(v[(k + 1) % 3], v[k])), oz_sub(p, v[k])) >= 0;
	if (above)
		return oz_mad(p, n, oz_dot(oz_sub(v[0], p), n));
	const oz_vec3 two =
	        nearer(p, nearest_on_edge(p, v[0], v[1]), nearest_on_edge(p, v[1], v[2]));
	return nearer(p, two, nearest_on_edge(p, v[2], v[0]));
}

// A sample of several triangles is treated as a plane: the nearest point of one small triangle
// would hold the point at that triangle.
oz_vec3 oz_samples_project(const oz_samples *set, size_t sample, oz_vec3 place)
{
	const uint32_t t = set->triangle[sample];
	const oz_vec3 v[3] = {corner(set, t, 0), corner(set, t, 1), corner(set, t, 2)};
	const oz_vec3 n = oz_normalize(oz_cross(oz_sub(v[1], v[0]), oz_sub(v[2], v[0])));
	if (!set->joined[sample])
		return nearest_on_triangle(place, v, n);
	return oz_mad(place, n, oz_dot(oz_sub(set->at[sample], place), n));
}
