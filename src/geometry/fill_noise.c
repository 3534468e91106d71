// fill_noise.c: blue noise: points at even distances without regular directions.
//
//   survey   The box is divided into cells of about a spacing, sampled four times per spacing along
//            each axis. The share of samples inside gives the volume and the number of points.
//   throw    Random points (darts) in cells that are partly inside are accepted if no other point
//            is near.
//   relax    Points repel each other and stay at least a margin away from the surface.
//
// Lengths are in m in the frame of the volume. The seed is fixed: the same volume gives the same
// points.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/fill_relax.h"
#include "math/vec.h"

enum { SAMPLES = 4, ROUNDS = 16 };
#define NONE UINT32_MAX
#define DART                                                                                       \
	0.75f // spacings between darts at first; from 0.9 in 3D, 0.83 in 2D they do not all fit
#define MARGIN 0.35f // spacings between a point and the surface
#define PUSH   1.15f // spacings, range of the repulsion

// no sample inside; some inside; all inside; all inside, in this cell and in all around it
typedef enum cell_kind { CELL_OUT, CELL_RIM, CELL_FULL, CELL_DEEP } cell_kind;

typedef struct noise {
	const oz_volume *volume;
	float spacing, margin;
	oz_vec3 origin;
	float pitch[3];    // of the cells; 0 where the volume is one layer
	uint32_t cells[3]; // along each axis
	uint8_t *kind;     // of each cell
	uint32_t *active;  // cells that are not CELL_OUT
	uint32_t *head;    // first point of each cell
	uint32_t *next;    // point after a point, in its cell
	oz_vec3 *at, *moved;
	uint32_t active_count, count, wanted;
	uint64_t seed;
} noise;

static float random_unit(noise *n)
{
	// splitmix64
	uint64_t z = n->seed += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (float)((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}

static uint32_t cell_count(const noise *n)
{
	return n->cells[0] * n->cells[1] * n->cells[2];
}

static uint32_t axis_cell(const noise *n, int axis, float offset)
{
	const float i = n->pitch[axis] > 0 ? offset / n->pitch[axis] : 0;
	const uint32_t last = n->cells[axis] - 1;
	return i < 1 ? 0 : i >= (float)last ? last : (uint32_t)i;
}

static void cell_of(const noise *n, oz_vec3 p, uint32_t cell[3])
{
	cell[0] = axis_cell(n, 0, p.x - n->origin.x);
	cell[1] = axis_cell(n, 1, p.y - n->origin.y);
	cell[2] = axis_cell(n, 2, p.z - n->origin.z);
}

static uint32_t cell_index(const noise *n, const uint32_t cell[3])
{
	return (cell[2] * n->cells[1] + cell[1]) * n->cells[0] + cell[0];
}

// ---- survey -----------------------------------------------------------------------------------

// Divides the box into cells at least as wide as the repulsion, so that all neighbours of a point
// are in 27 cells. False: out of memory.
static bool make_cells(noise *n)
{
	const oz_vec3 size = oz_sub(n->volume->max, n->volume->min);
	const float length[3] = {size.x, size.y, size.z};
	double all = 1;
	n->origin = n->volume->min;
	for (int axis = 0; axis < 3; axis++) {
		const float fit = floorf(length[axis] / (PUSH * n->spacing));
		n->cells[axis] = fit < 1 ? 1 : fit > 4e9f ? 4000000000u : (uint32_t)fit;
		n->pitch[axis] = length[axis] / (float)n->cells[axis];
		all *= n->cells[axis];
	}
	if (all >= (double)NONE)
		return false;
	n->kind = calloc((size_t)all, sizeof *n->kind);
	n->head = malloc((size_t)all * sizeof *n->head);
	return n->kind && n->head;
}

// the number of sample points along one axis of a cell
static int samples_along(const noise *n, int axis)
{
	if (!(n->pitch[axis] > 0))
		return 1;
	return (int)ceilf(n->pitch[axis] / n->spacing * SAMPLES);
}

static oz_vec3 sample_at(const noise *n, const uint64_t i[3], const int samples[3])
{
	float offset[3];
	for (int axis = 0; axis < 3; axis++)
		offset[axis] =
		        (float)(((double)i[axis] + 0.5) * (double)n->pitch[axis] / samples[axis]);
	return oz_add(n->origin, oz_v3(offset[0], offset[1], offset[2]));
}

// Samples one row along x and returns how many samples are inside. During the survey `kind` holds
// bits of each cell: 1: a sample is inside, 2: a sample is outside.
static uint64_t survey_row(noise *n, uint64_t y, uint64_t z, const int samples[3])
{
	const uint32_t first = (uint32_t)(z / (unsigned)samples[2]) * n->cells[1] +
	                       (uint32_t)(y / (unsigned)samples[1]);
	uint8_t *kind = n->kind + (size_t)first * n->cells[0];
	uint64_t found = 0;
	for (uint32_t cell = 0; cell < n->cells[0]; cell++)
		for (int i = 0; i < samples[0]; i++) {
			const uint64_t index[3] = {(uint64_t)cell * (unsigned)samples[0] +
			                                   (unsigned)i,
			                           y, z};
			const oz_vec3 p = sample_at(n, index, samples);
			const bool inside = n->volume->distance(n->volume->context, p, 0) < 0;
			kind[cell] = (uint8_t)(kind[cell] | (inside ? 1 : 2));
			found += inside;
		}
	return found;
}

// Samples all cells; returns the volume in spacings to the power of the dimension.
static double survey(noise *n)
{
	int samples[3];
	double share = 1;
	for (int axis = 0; axis < 3; axis++) {
		samples[axis] = samples_along(n, axis);
		if (n->pitch[axis] > 0)
			share *= (double)(n->pitch[axis] / n->spacing) / samples[axis];
	}
	uint64_t found = 0;
	for (uint64_t z = 0; z < (uint64_t)n->cells[2] * (unsigned)samples[2]; z++)
		for (uint64_t y = 0; y < (uint64_t)n->cells[1] * (unsigned)samples[1]; y++)
			found += survey_row(n, y, z, samples);
	return (double)found * share;
}

static cell_kind kind_from_bits(uint8_t bits)
{
	return !(bits & 1) ? CELL_OUT : bits & 2 ? CELL_RIM : CELL_FULL;
}

// The range of the cell and its neighbours along each axis, within the grid.
static void neighbour_range(const noise *n, const uint32_t cell[3], uint32_t from[3],
                            uint32_t to[3])
{
	for (int axis = 0; axis < 3; axis++) {
		from[axis] = cell[axis] > 0 ? cell[axis] - 1 : 0;
		to[axis] = cell[axis] + 1 < n->cells[axis] ? cell[axis] + 1 : cell[axis];
	}
}

// whether a cell and all cells near it are full
static bool is_deep(const noise *n, const uint32_t cell[3])
{
	uint32_t from[3], to[3], c[3];
	for (int axis = 0; axis < 3; axis++)
		if (n->pitch[axis] > 0 && (cell[axis] == 0 || cell[axis] + 1 == n->cells[axis]))
			return false;
	neighbour_range(n, cell, from, to);
	for (c[2] = from[2]; c[2] <= to[2]; c[2]++)
		for (c[1] = from[1]; c[1] <= to[1]; c[1]++)
			for (c[0] = from[0]; c[0] <= to[0]; c[0]++)
				if (n->kind[cell_index(n, c)] < CELL_FULL)
					return false;
	return true;
}

// Replaces bits by kinds, marks deep cells, where no distance to the surface is needed, and lists
// the active cells. False: out of memory.
static bool sort_cells(noise *n)
{
	const uint32_t all = cell_count(n);
	for (uint32_t i = 0; i < all; i++) {
		n->kind[i] = (uint8_t)kind_from_bits(n->kind[i]);
		n->active_count += n->kind[i] != CELL_OUT;
	}
	n->active = malloc((size_t)n->active_count * sizeof *n->active);
	if (!n->active)
		return false;
	uint32_t c[3], i = 0, active = 0;
	for (c[2] = 0; c[2] < n->cells[2]; c[2]++)
		for (c[1] = 0; c[1] < n->cells[1]; c[1]++)
			for (c[0] = 0; c[0] < n->cells[0]; c[0]++, i++) {
				if (n->kind[i] == CELL_OUT)
					continue;
				n->active[active++] = i;
				if (n->kind[i] == CELL_FULL && is_deep(n, c))
					n->kind[i] = CELL_DEEP;
			}
	return true;
}

// ---- throw ------------------------------------------------------------------------------------

static oz_vec3 random_in_cell(noise *n, uint32_t index)
{
	const uint32_t c[3] = {index % n->cells[0], index / n->cells[0] % n->cells[1],
	                       index / n->cells[0] / n->cells[1]};
	const float x = ((float)c[0] + random_unit(n)) * n->pitch[0];
	const float y = ((float)c[1] + random_unit(n)) * n->pitch[1];
	const float z = ((float)c[2] + random_unit(n)) * n->pitch[2];
	return oz_add(n->origin, oz_v3(x, y, z));
}

// a random point of a random active cell
static oz_vec3 random_point(noise *n, uint32_t *cell)
{
	// two draws: one float has too few bits for many cells
	const double u = (double)random_unit(n) + (double)random_unit(n) * 0x1p-24;
	*cell = n->active[(uint32_t)(u * n->active_count)];
	return random_in_cell(n, *cell);
}

// whether no point lies within `radius` of p
static bool is_free(const noise *n, oz_vec3 p, float radius)
{
	uint32_t cell[3], from[3], to[3], c[3];
	cell_of(n, p, cell);
	neighbour_range(n, cell, from, to);
	for (c[2] = from[2]; c[2] <= to[2]; c[2]++)
		for (c[1] = from[1]; c[1] <= to[1]; c[1]++)
			for (c[0] = from[0]; c[0] <= to[0]; c[0]++)
				for (uint32_t j = n->head[cell_index(n, c)]; j != NONE;
				     j = n->next[j])
					if (oz_length2(oz_sub(p, n->at[j])) < radius * radius)
						return false;
	return true;
}

// whether p lies inside, at least the margin away from the surface
static bool is_allowed(const noise *n, oz_vec3 p, uint32_t cell)
{
	if (n->kind[cell] == CELL_DEEP)
		return true;
	const float d = n->volume->distance(n->volume->context, p, n->margin);
	return d < 0 && d <= -n->margin;
}

// Halves the margin, in the end to 0, until at least half of the volume is allowed: in a thin
// volume the full margin would leave little.
static void choose_margin(noise *n)
{
	n->margin = MARGIN * n->spacing;
	for (int halvings = 0; halvings < 4; halvings++) {
		uint32_t inside = 0, allowed = 0;
		for (uint32_t i = 0; i < 100000 && inside < 2000; i++) {
			uint32_t cell;
			const oz_vec3 p = random_point(n, &cell);
			if (!(n->volume->distance(n->volume->context, p, 0) < 0))
				continue;
			inside++;
			allowed += is_allowed(n, p, cell);
		}
		if (2 * allowed >= inside)
			return;
		n->margin = halvings == 2 ? 0 : n->margin / 2;
	}
}

static void link_point(noise *n, uint32_t i)
{
	uint32_t cell[3];
	cell_of(n, n->at[i], cell);
	const uint32_t index = cell_index(n, cell);
	n->next[i] = n->head[index];
	n->head[index] = i;
}

// Throws darts until all points are accepted. After many misses it shortens the distance between
// darts, later the margin too. False: it gave up.
static bool throw_darts(noise *n)
{
	const uint64_t patience = 30 * (uint64_t)n->wanted + 1000;
	float radius = DART * n->spacing;
	for (uint64_t missed = 0, rounds = 0; n->count < n->wanted;) {
		uint32_t cell;
		const oz_vec3 p = random_point(n, &cell);
		if (is_free(n, p, radius) && is_allowed(n, p, cell)) {
			n->at[n->count] = p;
			link_point(n, n->count++);
		} else if (++missed > patience) {
			missed = 0;
			radius *= 0.85f;
			n->margin *= ++rounds > 4 ? 0.5f : 1;
			if (rounds > 40)
				return false;
		}
	}
	return true;
}

// ---- relax ------------------------------------------------------------------------------------

// Sorts points by cell, so that neighbours are close in memory.
static void sort_points(noise *n)
{
	uint32_t to = 0;
	for (uint32_t cell = 0; cell < cell_count(n); cell++)
		for (uint32_t j = n->head[cell]; j != NONE; j = n->next[j])
			n->moved[to++] = n->at[j];
	oz_vec3 *swap = n->at;
	n->at = n->moved;
	n->moved = swap;
}

static void link_all(noise *n)
{
	memset(n->head, 0xff, (size_t)cell_count(n) * sizeof *n->head);
	for (uint32_t i = 0; i < n->count; i++)
		link_point(n, i);
}

// the sum of the repulsions on point i, m
static oz_vec3 push_on(const noise *n, uint32_t i, const uint32_t cell[3])
{
	const float reach = PUSH * n->spacing;
	uint32_t from[3], to[3], c[3];
	oz_vec3 push = {0, 0, 0};
	neighbour_range(n, cell, from, to);
	for (c[2] = from[2]; c[2] <= to[2]; c[2]++)
		for (c[1] = from[1]; c[1] <= to[1]; c[1]++)
			for (c[0] = from[0]; c[0] <= to[0]; c[0]++)
				for (uint32_t j = n->head[cell_index(n, c)]; j != NONE;
				     j = n->next[j]) {
					const oz_vec3 d = oz_sub(n->at[i], n->at[j]);
					const float r2 = oz_length2(d);
					if (r2 >= reach * reach || !(r2 > 0))
						continue;
					const float r = sqrtf(r2);
					push = oz_mad(push, d, (reach - r) / r);
				}
	return push;
}

// The new position of a point that moves to `target`: if that is not allowed, its projection onto
// the margin, or `from` if that is far away or not allowed.
static oz_vec3 move_within(const noise *n, oz_vec3 from, oz_vec3 target)
{
	uint32_t cell[3];
	cell_of(n, target, cell);
	if (is_allowed(n, target, cell_index(n, cell)))
		return target;
	const float d = n->volume->distance(n->volume->context, target, n->margin + n->spacing);
	const float back = (d + n->margin) * 1.001f;
	const oz_vec3 slid =
	        oz_mad(target, oz_volume_outward(n->volume, target, n->spacing), -back);
	if (oz_length(oz_sub(slid, target)) > 0.5f * n->spacing)
		return from;
	cell_of(n, slid, cell);
	return is_allowed(n, slid, cell_index(n, cell)) ? slid : from;
}

// one round: moves all points by their repulsion, at most 0.2 spacings
static void relax(noise *n)
{
	const float most = 0.2f * n->spacing;
	for (uint32_t i = 0; i < n->count; i++) {
		uint32_t cell[3];
		cell_of(n, n->at[i], cell);
		oz_vec3 step = oz_scale(push_on(n, i, cell), 0.25f);
		const float length = oz_length(step);
		if (length > most)
			step = oz_scale(step, most / length);
		n->moved[i] = move_within(n, n->at[i], oz_add(n->at[i], step));
	}
	oz_vec3 *swap = n->at;
	n->at = n->moved;
	n->moved = swap;
}

// ---- all together -----------------------------------------------------------------------------

static bool allocate_points(noise *n)
{
	n->at = malloc((size_t)n->wanted * sizeof *n->at);
	n->moved = malloc((size_t)n->wanted * sizeof *n->moved);
	n->next = malloc((size_t)n->wanted * sizeof *n->next);
	return n->at && n->moved && n->next && sort_cells(n);
}

static oz_result make_noise(noise *n, oz_error *error)
{
	if (!make_cells(n))
		return oz_fill_no_memory(n->volume, n->spacing,
		                         oz_volume_estimate(n->volume, n->spacing), error);
	const double surveyed = round(survey(n));
	const double volume = n->wanted > 0 ? n->wanted : surveyed;
	if (volume < 1)
		return oz_fill_too_thin(n->volume, n->spacing, OZ_FILL_BLUE_NOISE, error);
	if (volume >= (double)NONE)
		return oz_fill_too_many(n->volume, n->spacing, volume, error);
	n->wanted = (uint32_t)volume;
	if (!allocate_points(n))
		return oz_fill_no_memory(n->volume, n->spacing, volume, error);
	memset(n->head, 0xff, (size_t)cell_count(n) * sizeof *n->head);
	choose_margin(n);
	if (!throw_darts(n))
		return oz_fill_too_thin(n->volume, n->spacing, OZ_FILL_BLUE_NOISE, error);
	sort_points(n);
	for (int i = 0; i < ROUNDS; i++) {
		link_all(n);
		relax(n);
	}
	return OZ_OK;
}

oz_result oz_volume_noise(const oz_volume *volume, float spacing, uint32_t wanted, oz_vec3 **points,
                          uint32_t *count, oz_error *error)
{
	noise n = {.volume = volume, .spacing = spacing, .wanted = wanted, .seed = 1};
	const oz_result result = make_noise(&n, error);
	if (result == OZ_OK) {
		*points = n.at;
		*count = n.count;
		n.at = NULL;
	}
	free(n.kind);
	free(n.active);
	free(n.head);
	free(n.next);
	free(n.at);
	free(n.moved);
	return result;
}
