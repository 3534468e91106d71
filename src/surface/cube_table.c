// cube_table.c: the triangles in a cube, for each of the 256 combinations of its corners' signs.
//
// Corner c is at (c & 1, c >> 1 & 1, c >> 2). Edge e = 4 axis + k runs along the axis; k's bits are
// its place along the next two axes. On each face of the cube the surface separates runs of
// adjacent inside corners from outside ones; two inside corners on a diagonal are separated one by
// one. The rule reads the signs of the face only, so cubes that share a face make the same cuts
// there. The cuts join to closed loops, and each loop is filled:
//
//   - by triangles whose sides never lie in a face of the cube, since a side there could also be
//     one of the next cube's, and four triangles would meet;
//   - where that is impossible, by a fan of triangles around a vertex in the loop's middle.
#include <string.h>

#include "surface/surface.h"

#define NO_EDGE 255

// The edge between adjacent corners a and b.
static int edge_between(int a, int b)
{
	const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2, low = a & b;
	const int next = low >> (axis + 1) % 3 & 1, after = low >> (axis + 2) % 3 & 1;
	return 4 * axis + next + 2 * after;
}

// faces 2 axis + side that an edge lies in, as bits
static int faces_of(int edge)
{
	const int axis = edge / 4, next = (axis + 1) % 3, after = (axis + 2) % 3;
	return 1 << (2 * next + (edge & 1)) | 1 << (2 * after + (edge >> 1 & 1));
}

// corners of a face, counter-clockwise seen from outside the cube
static void face_corners(int face, int corners[4])
{
	const int axis = face / 2, side = face & 1;
	const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, from = side << axis;
	const int ring[4] = {from, from + u, from + u + v, from + v};
	for (int k = 0; k < 4; k++)
		corners[k] = ring[side ? k : 3 - k];
}

// Adds the cuts of a face: next[e] is the edge where the cut from edge e ends. A cut runs from the
// edge before a run of inside corners to the edge after it, so the outside is on its right and
// loops are counter-clockwise seen from outside.
static void cut_face(int inside, int face, uint8_t next[12])
{
	int c[4];
	face_corners(face, c);
	for (int k = 0; k < 4; k++) {
		const int before = c[(k + 3) % 4];
		if (!(inside >> c[k] & 1) || inside >> before & 1)
			continue;
		int last = k;
		while (inside >> c[(last + 1) % 4] & 1)
			last++;
		next[edge_between(before, c[k])] =
		        (uint8_t)edge_between(c[last % 4], c[(last + 1) % 4]);
	}
}

// whether the loop's corners i and j may be joined: next to each other, or in no common face
static bool may_join(const uint8_t *loop, int count, int i, int j)
{
	const int apart = j - i;
	return apart == 1 || apart == count - 1 || !(faces_of(loop[i]) & faces_of(loop[j]));
}

// Fills the polygon of the loop's corners i … j with triangles, side i-j included; false if
// impossible.
static bool fill_part(oz_cube *cube, const uint8_t *loop, int count, int i, int j)
{
	if (j - i < 2)
		return true;
	const uint8_t kept = cube->triangle_count;
	for (int k = i + 1; k < j; k++) {
		if (!may_join(loop, count, i, k) || !may_join(loop, count, k, j))
			continue;
		uint8_t *t = cube->triangles[cube->triangle_count++];
		t[0] = loop[i], t[1] = loop[k], t[2] = loop[j];
		if (fill_part(cube, loop, count, i, k) && fill_part(cube, loop, count, k, j))
			return true;
		cube->triangle_count = kept;
	}
	return false;
}

// Fills a loop with a fan around a new vertex in its middle.
static void fill_around_centre(oz_cube *cube, const uint8_t *loop, int count)
{
	const uint8_t centre = cube->centre_count++;
	cube->loops[centre][0] = (uint8_t)count;
	memcpy(cube->loops[centre] + 1, loop, (size_t)count);
	for (int k = 0; k < count; k++) {
		uint8_t *t = cube->triangles[cube->triangle_count++];
		t[0] = loop[k], t[1] = loop[(k + 1) % count], t[2] = (uint8_t)(12 + centre);
	}
}

// Triangles of the cube whose inside corners are the bits of `inside`.
static void make_cube(oz_cube *cube, int inside)
{
	uint8_t next[12], loop[OZ_CUBE_LOOP];
	memset(next, NO_EDGE, sizeof next);
	memset(cube, 0, sizeof *cube);
	for (int face = 0; face < 6; face++)
		cut_face(inside, face, next);
	for (int edge = 0; edge < 12; edge++)
		cube->edges = (uint16_t)(cube->edges | (next[edge] != NO_EDGE) << edge);
	for (int edge = 0; edge < 12; edge++) {
		int count = 0;
		for (int e = edge; next[e] != NO_EDGE; count++) {
			const int to = next[e];
			loop[count] = (uint8_t)e;
			next[e] = NO_EDGE;
			e = to;
		}
		if (count && !fill_part(cube, loop, count, 0, count - 1))
			fill_around_centre(cube, loop, count);
	}
}

void oz_cube_table(oz_cube table[256])
{
	for (int inside = 0; inside < 256; inside++)
		make_cube(&table[inside], inside);
}
