// mesh_surface.c: covers a mesh, open or closed, with one layer of points.
//
//   sample   Large triangles are split and small ones joined in voxels a quarter of a spacing wide.
//            The samples have an area each; their density does not depend on the triangles.
//   throw    Samples without another point near become points, until there is one per spacing².
//   relax    Each point moves to the centre of the samples that are nearest to it, and is projected
//            back onto the surface (Lloyd's algorithm).
//
// All steps use samples only, so thin triangles, unconnected triangles, edges and borders need no
// special treatment. Positions are in spacings relative to the lowest corner of the bounding box.
// There are no random numbers: the same mesh gives the same points.
#include "geometry/mesh_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/fill.h"
#include "math/vec.h"

enum { SPREAD_ROUNDS = 12, PART_ROUNDS = 24 };
#define NONE        UINT32_MAX
#define DART        0.85f // spacings between points at first; from 0.83 they do not all fit
#define SPREAD_STEP 1.5f  // step over the vector to the centre, in the first rounds
#define PART_STEP   0.1f  // the same in the last rounds, in which points also repel
#define PUSH        0.2f  // step of the repulsion over (1 spacing - distance)
#define MAX_OFFSET  0.1f  // spacings, the most by which repulsion moves a point off its centre
#define MAX_EXTENT  1e6   // spacings: floats must resolve the pieces of triangles
#define MAX_POINTS  2147483648.0 // 2^31

// Points in a hashed grid, and the values of one round of relaxation.
typedef struct layer {
	oz_samples set;
	uint32_t *owner; // nearest point of each sample; NONE: not known
	float cell;
	uint32_t *head, *next;
	uint64_t mask;
	oz_vec3 *at, *middle, *push;
	float *weight;           // area of the samples that are nearest to a point
	float *safe;             // radius around a point in which every sample is nearest to it
	float *anchor_distance2; // from the target of a point to its anchor, squared
	size_t *anchor;          // the sample of a point that is nearest to its target
	uint32_t count, wanted;
} layer;

// ---- the grid ---------------------------------------------------------------------------------

static int64_t cell_along(const layer *l, float x)
{
	return (int64_t)floorf(x / l->cell);
}

static uint64_t slot_of(const layer *l, int64_t x, int64_t y, int64_t z)
{
	uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u + (uint64_t)y * 0xc2b2ae3d27d4eb4fu +
	             (uint64_t)z * 0x165667b19e3779f9u;
	h ^= h >> 29;
	return (h * 0xbf58476d1ce4e5b9u >> 32) & l->mask;
}

static void link_point(layer *l, uint32_t i)
{
	const oz_vec3 p = l->at[i];
	const uint64_t slot =
	        slot_of(l, cell_along(l, p.x), cell_along(l, p.y), cell_along(l, p.z));
	l->next[i] = l->head[slot];
	l->head[slot] = i;
}

static void link_all(layer *l)
{
	memset(l->head, 0xff, (size_t)(l->mask + 1) * sizeof *l->head);
	for (uint32_t i = 0; i < l->count; i++)
		link_point(l, i);
}

// The nearest point in a slot except `skip`, if it is nearer than *reach2; else `best`.
static uint32_t nearest_in(const layer *l, uint64_t slot, oz_vec3 p, uint32_t skip, float *reach2,
                           uint32_t best)
{
	for (uint32_t j = l->head[slot]; j != NONE; j = l->next[j]) {
		const float d2 = oz_length2(oz_sub(p, l->at[j]));
		// at equal distances take the lower number: the order in a slot is arbitrary
		if (j != skip && (d2 < *reach2 || (d2 == *reach2 && j < best))) {
			*reach2 = d2;
			best = j;
		}
	}
	return best;
}

// The nearest point within `reach`; `best` if there is none.
static uint32_t nearest(const layer *l, oz_vec3 p, float reach, uint32_t best)
{
	float reach2 = reach * reach;
	const int64_t x1 = cell_along(l, p.x + reach), y1 = cell_along(l, p.y + reach);
	const int64_t z1 = cell_along(l, p.z + reach);
	for (int64_t z = cell_along(l, p.z - reach); z <= z1; z++)
		for (int64_t y = cell_along(l, p.y - reach); y <= y1; y++)
			for (int64_t x = cell_along(l, p.x - reach); x <= x1; x++)
				best = nearest_in(l, slot_of(l, x, y, z), p, NONE, &reach2, best);
	return best;
}

// ---- throw ------------------------------------------------------------------------------------

// A stride of about 0.618 of the count, coprime to it: steps of this stride visit all samples and
// spread them evenly over the surface at any time.
static size_t stride_of(size_t count)
{
	size_t stride = (size_t)((double)count * 0.6180339887498949) | 1;
	for (;; stride += 2) {
		size_t a = count, b = stride;
		while (b != 0) {
			const size_t rest = a % b;
			a = b;
			b = rest;
		}
		if (a == 1)
			return stride;
	}
}

// Makes points of samples that are at least `radius` away from all points, until there are `most`.
static void throw_round(layer *l, float radius, uint32_t most)
{
	const size_t stride = stride_of(l->set.count) % l->set.count;
	size_t at = 0;
	for (size_t i = 0; i < l->set.count && l->count < most; i++) {
		const size_t sample = at;
		const oz_vec3 p = l->set.at[at];
		at = at + stride < l->set.count ? at + stride : at + stride - l->set.count;
		if (radius > 0 && nearest(l, p, radius, NONE) != NONE)
			continue;
		l->at[l->count] = p;
		l->anchor[l->count] = sample;
		link_point(l, l->count++);
	}
}

static int compare(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return (x > y) - (x < y);
}

// Sorts points by their samples, so that neighbours are close in memory.
static void sort_points(layer *l)
{
	qsort(l->anchor, l->count, sizeof *l->anchor, compare);
	for (uint32_t i = 0; i < l->count; i++)
		l->at[i] = l->set.at[l->anchor[i]];
}

// Raises the radius until not more points than wanted fit (on ribbons narrower than a spacing it
// must be large), then lowers it until all wanted points are there.
static void throw_darts(layer *l)
{
	float radius = DART;
	for (;; radius *= 1.15f) {
		l->cell = radius;
		l->count = 0;
		link_all(l);
		throw_round(l, radius, l->wanted + 1);
		if (l->count <= l->wanted)
			break;
	}
	while (l->count < l->wanted) {
		radius = radius > 0.01f ? radius * 0.95f : 0;
		throw_round(l, radius, l->wanted);
	}
}

// ---- relax ------------------------------------------------------------------------------------

static bool is_in_cell(const layer *l, uint32_t i, const int64_t c[3])
{
	const oz_vec3 p = l->at[i];
	return cell_along(l, p.x) == c[0] && cell_along(l, p.y) == c[1] &&
	       cell_along(l, p.z) == c[2];
}

// Adds the repulsion of the points of one cell to *push; returns the smaller of near2 and their
// smallest squared distance. Cells may share a slot, so points of other cells are skipped.
static float push_from(const layer *l, const int64_t c[3], uint32_t own, float near2, oz_vec3 *push)
{
	for (uint32_t j = l->head[slot_of(l, c[0], c[1], c[2])]; j != NONE; j = l->next[j]) {
		const oz_vec3 d = oz_sub(l->at[own], l->at[j]);
		const float r2 = oz_length2(d);
		if (j == own || !(r2 < 1) || !is_in_cell(l, j, c))
			continue;
		near2 = fminf(near2, r2);
		const float r = sqrtf(fmaxf(r2, 1e-12f));
		*push = oz_mad(*push, d, (1 - r) / r);
	}
	return near2;
}

// Finds the repulsion of points closer than a spacing, and the safe radius: half the distance to
// the nearest point.
static void find_pushes(layer *l)
{
	for (uint32_t j = 0; j < l->count; j++) {
		const oz_vec3 p = l->at[j];
		const int64_t x1 = cell_along(l, p.x + 1), y1 = cell_along(l, p.y + 1);
		const int64_t z1 = cell_along(l, p.z + 1);
		float near2 = 1;
		int64_t c[3];
		l->push[j] = oz_v3(0, 0, 0);
		for (c[2] = cell_along(l, p.z - 1); c[2] <= z1; c[2]++)
			for (c[1] = cell_along(l, p.y - 1); c[1] <= y1; c[1]++)
				for (c[0] = cell_along(l, p.x - 1); c[0] <= x1; c[0]++)
					near2 = push_from(l, c, j, near2, &l->push[j]);
		l->safe[j] = 0.499f * sqrtf(near2);
	}
}

// finds the nearest point of each sample; keeps the last one within its safe radius
static void find_owners(layer *l)
{
	for (size_t i = 0; i < l->set.count; i++) {
		const oz_vec3 p = l->set.at[i];
		const uint32_t known = l->owner[i];
		const float away = known == NONE ? l->cell : oz_length(oz_sub(p, l->at[known]));
		if (known != NONE && away < l->safe[known])
			continue;
		l->owner[i] = nearest(l, p, away < 2 * l->cell ? away : 2 * l->cell, known);
	}
}

// sums, for each point, the offsets of its samples times their area, and the areas
static void find_middles(layer *l)
{
	memset(l->weight, 0, (size_t)l->count * sizeof *l->weight);
	memset(l->middle, 0, (size_t)l->count * sizeof *l->middle);
	// offsets from the point: sums of positions would lose digits
	for (size_t i = 0; i < l->set.count; i++) {
		const uint32_t j = l->owner[i];
		if (j == NONE)
			continue;
		const oz_vec3 offset = oz_sub(l->set.at[i], l->at[j]);
		l->middle[j] = oz_mad(l->middle[j], offset, l->set.area[i]);
		l->weight[j] += l->set.area[i];
	}
}

// Replaces the sums in `middle` by the targets: `share` of the vector to the centre plus the
// repulsion. With repulsion, a target is at most MAX_OFFSET from the centre: else points would
// gather at the border.
static void find_targets(layer *l, float share, float push)
{
	for (uint32_t j = 0; j < l->count; j++) {
		const float part = l->weight[j] > 0 ? 1 / l->weight[j] : 0;
		const oz_vec3 to_middle = oz_scale(l->middle[j], part);
		const oz_vec3 off = oz_mad(oz_scale(l->push[j], push), to_middle, share - 1);
		const float length = oz_length(off);
		const float hold = push > 0 && length > MAX_OFFSET ? MAX_OFFSET / length : 1;
		l->middle[j] = oz_mad(oz_add(l->at[j], to_middle), off, hold);
		l->anchor_distance2[j] = INFINITY;
	}
}

// finds the sample of each point that is nearest to its target
static void find_anchors(layer *l)
{
	for (size_t i = 0; i < l->set.count; i++) {
		const uint32_t j = l->owner[i];
		if (j == NONE)
			continue;
		const float d2 = oz_length2(oz_sub(l->set.at[i], l->middle[j]));
		if (d2 < l->anchor_distance2[j]) {
			l->anchor_distance2[j] = d2;
			l->anchor[j] = i;
		}
	}
}

// one round: moves all points to their targets, projected onto the surface
static void relax(layer *l, float share, float push)
{
	link_all(l);
	find_pushes(l);
	find_owners(l);
	find_middles(l);
	find_targets(l, share, push);
	find_anchors(l);
	for (uint32_t j = 0; j < l->count; j++)
		if (l->weight[j] > 0)
			l->at[j] = oz_samples_project(&l->set, l->anchor[j], l->middle[j]);
}

static void relax_all(layer *l)
{
	if (l->cell < 1)
		l->cell = 1;
	memset(l->owner, 0xff, l->set.count * sizeof *l->owner);
	for (int i = 0; i < SPREAD_ROUNDS; i++)
		relax(l, SPREAD_STEP, 0);
	for (int i = 0; i < PART_ROUNDS; i++)
		relax(l, PART_STEP, PUSH);
}

// ---- all together -----------------------------------------------------------------------------

static oz_result check(const oz_mesh *mesh, float spacing, oz_error *error)
{
	if (!(spacing > 0) || !isfinite(spacing) || spacing < OZ_FILL_MIN)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the spacing to cover the mesh with is %g m; it must be at least "
		               "%g m",
		               (double)spacing, (double)OZ_FILL_MIN);
	return oz_mesh_check_vertices(mesh, "the mesh", error);
}

static oz_result find_extent(const oz_mesh *mesh, float spacing, oz_vec3 *min, oz_error *error)
{
	oz_vec3 max = *min = mesh->vertices[mesh->triangles[0][0]];
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			*min = oz_min3(*min, mesh->vertices[mesh->triangles[i][k]]);
			max = oz_max3(max, mesh->vertices[mesh->triangles[i][k]]);
		}
	const double wide =
	        fmax((double)max.x - (double)min->x,
	             fmax((double)max.y - (double)min->y, (double)max.z - (double)min->z));
	if (wide > (double)OZ_FILL_MAX || oz_max_abs(*min) > OZ_FILL_MAX)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the mesh is %.3g m wide and begins at (%g, %g, %g); scale it down, "
		               "within %g m from the origin",
		               wide, (double)min->x, (double)min->y, (double)min->z,
		               (double)OZ_FILL_MAX);
	if (wide > MAX_EXTENT * (double)spacing)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the mesh is %.3g m wide, more than %g times the spacing of %g m; "
		               "check its scale, or make the spacing larger",
		               wide, MAX_EXTENT, (double)spacing);
	return OZ_OK;
}

// for error sentences: two axes with an extent, so that spacings are computed for areas
static const oz_volume sheet = {.name = "the surface of the mesh", .max = {1, 0, 1}};

static oz_result check_area(double area, float spacing, oz_error *error)
{
	const double metres = area * (double)spacing * (double)spacing;
	if (!(area > 0))
		return oz_fail(error, OZ_ERROR_MESH,
		               "the mesh has no area: its triangles are lines or points; export it "
		               "as a surface");
	if (area < 0.5)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the surface of the mesh, %.3g m², is too small for a point at a "
		               "spacing of %g m; use a spacing of %.2g m, or a larger scale",
		               metres, (double)spacing, sqrt(metres));
	return area > MAX_POINTS ? oz_fill_too_many(&sheet, spacing, area, error) : OZ_OK;
}

static bool allocate(layer *l)
{
	for (l->mask = 15; l->mask < 2ull * l->wanted; l->mask = 2 * l->mask + 1)
		;
	// one more than wanted: throw_darts detects a radius that is too small by it
	const size_t points = (size_t)l->wanted + 1;
	l->owner = malloc(l->set.count * sizeof *l->owner);
	l->head = malloc((size_t)(l->mask + 1) * sizeof *l->head);
	l->next = malloc(points * sizeof *l->next);
	l->at = malloc(points * sizeof *l->at);
	l->middle = malloc(points * sizeof *l->middle);
	l->push = malloc(points * sizeof *l->push);
	l->weight = malloc(points * sizeof *l->weight);
	l->safe = malloc(points * sizeof *l->safe);
	l->anchor_distance2 = malloc(points * sizeof *l->anchor_distance2);
	l->anchor = malloc(points * sizeof *l->anchor);
	return l->owner && l->head && l->next && l->at && l->middle && l->push && l->weight &&
	       l->safe && l->anchor_distance2 && l->anchor;
}

static void free_layer(layer *l)
{
	oz_samples_free(&l->set);
	free(l->owner);
	free(l->head);
	free(l->next);
	free(l->at);
	free(l->middle);
	free(l->push);
	free(l->weight);
	free(l->safe);
	free(l->anchor_distance2);
	free(l->anchor);
}

// covers the surface with one point for each unit of area
static oz_result cover(layer *l, oz_error *error)
{
	const float spacing = l->set.spacing;
	const double area = oz_samples_area(&l->set);
	const oz_result result = check_area(area, spacing, error);
	if (result != OZ_OK)
		return result;
	l->wanted = (uint32_t)round(area);
	if (!oz_samples_make(&l->set) || !allocate(l))
		return oz_fill_no_memory(&sheet, spacing, area, error);
	throw_darts(l);
	sort_points(l);
	relax_all(l);
	for (uint32_t i = 0; i < l->count; i++)
		l->at[i] = oz_mad(l->set.origin, l->at[i], spacing);
	return OZ_OK;
}

oz_result oz_mesh_fill_surface(const oz_mesh *mesh, float spacing, oz_vec3 **points,
                               uint32_t *count, oz_error *error)
{
	if (!mesh || !points || !count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "covering a mesh needs a mesh, points and a count, but one of them "
		               "is NULL; give all three");
	*points = NULL;
	*count = 0;
	layer l = {.set = {.mesh = mesh, .spacing = spacing}};
	oz_result result = check(mesh, spacing, error);
	if (result == OZ_OK)
		result = find_extent(mesh, spacing, &l.set.origin, error);
	if (result == OZ_OK)
		result = cover(&l, error);
	if (result == OZ_OK) {
		*points = l.at;
		*count = l.count;
		l.at = NULL;
	}
	free_layer(&l);
	return result;
}
