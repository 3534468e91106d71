// fill_exact.c: as many points of a lattice as the volume holds, spread evenly over it.
//
//   share     A point has the share of its cell that lies inside. The sum of the shares is the
//             number of points wanted.
//   choice    Points with the largest (share - threshold) are kept. The thresholds are even in
//             0 … 1 and over the lattice (the sequence R3 of Roberts 2018), so that every part of
//             the surface keeps the number of points that fits there.
//   settle    The points near the surface move until all are at rest (fill_relax.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/fill_lattice.h"
#include "math/vec.h"

// The lattice of a fill, with two more rows on each side of the box. An even number keeps the order
// of layers.
static oz_lattice extended(const oz_volume *volume, double spacing, oz_fill fill)
{
	oz_lattice l = oz_lattice_make(volume, spacing, fill);
	for (int axis = 0; axis < 3; axis++) {
		l.origin[axis] -= 2 * l.pitch[axis];
		l.count[axis] += 4;
	}
	return l;
}

// ---- choice -----------------------------------------------------------------------------------

typedef struct chooser {
	const oz_volume *volume;
	const oz_fill_walls *walls;
	oz_lattice lattice;
	double spacing;
	oz_vec3 *points;
	float *score;
	size_t count, room;
} chooser;

// the share of the cell around p (m) that is inside
static float share_of(const chooser *c, oz_vec3 p)
{
	const oz_vec3 at = oz_scale(oz_sub(p, c->volume->min), (float)(1 / c->spacing));
	const float quarter = (float)(0.25 / c->spacing);
	float sum = 0;
	for (int k = 0; k < 8; k++) {
		const oz_vec3 offset =
		        oz_v3((float)c->lattice.pitch[0] * (k & 1 ? quarter : -quarter),
		              (float)c->lattice.pitch[1] * (k & 2 ? quarter : -quarter),
		              (float)c->lattice.pitch[2] * (k & 4 ? quarter : -quarter));
		sum += oz_fill_walls_inside(c->walls, oz_add(at, offset));
	}
	return sum / 8;
}

static float threshold_of(uint64_t x, uint64_t y, uint64_t z)
{
	const double u = 0.5 + 0.8191725133961645 * (double)x + 0.6710436067037893 * (double)y +
	                 0.5497004779019703 * (double)z;
	return (float)(u - floor(u));
}

// appends a point with a share; false: out of memory
static bool append(chooser *c, oz_vec3 p, float score)
{
	if (c->count == c->room) {
		const size_t room = c->room + c->room / 2 + 1024;
		oz_vec3 *points = realloc(c->points, room * sizeof *points);
		c->points = points ? points : c->points;
		float *scores = points ? realloc(c->score, room * sizeof *scores) : NULL;
		c->score = scores ? scores : c->score;
		if (!scores)
			return false;
		c->room = room;
	}
	c->points[c->count] = p;
	c->score[c->count++] = score;
	return true;
}

static bool collect(chooser *c)
{
	const oz_lattice *l = &c->lattice;
	for (uint64_t y = 0; (double)y < l->count[1]; y++)
		for (uint64_t z = 0; (double)z < l->count[2]; z++)
			for (uint64_t x = 0; (double)x < l->count[0]; x++) {
				const oz_vec3 p = oz_lattice_point(l, x, y, z);
				const float share = share_of(c, p);
				if (share > 0 && !append(c, p, share - threshold_of(x, y, z)))
					return false;
			}
	return true;
}

// The k-th largest of the values, k from 1; sorts them in part.
static float kth_largest(float *value, size_t count, size_t k)
{
	size_t low = 0, high = count - 1;
	while (low < high) {
		const float pivot = value[low + (high - low) / 2];
		size_t i = low, j = high;
		while (i <= j) {
			while (value[i] > pivot)
				i++;
			while (value[j] < pivot)
				j--;
			if (i > j)
				break;
			const float swap = value[i];
			value[i++] = value[j];
			value[j] = swap;
			if (j-- == 0)
				break;
		}
		if (k - 1 >= i)
			low = i;
		else if (j != SIZE_MAX && k - 1 <= j)
			high = j;
		else
			return value[k - 1];
	}
	return value[k - 1];
}

// keeps the `wanted` points with the largest scores, in their order; of equal ones the first
static bool keep_best(chooser *c, uint32_t wanted)
{
	if (c->count <= wanted)
		return true;
	float *copy = malloc(c->count * sizeof *copy);
	if (!copy)
		return false;
	memcpy(copy, c->score, c->count * sizeof *copy);
	const float least = kth_largest(copy, c->count, wanted);
	free(copy);
	size_t above = 0, kept = 0;
	for (size_t i = 0; i < c->count; i++)
		above += c->score[i] > least;
	for (size_t i = 0, equal = wanted - above; i < c->count; i++) {
		const bool tie = c->score[i] == least && equal > 0;
		equal -= tie;
		if (tie || c->score[i] > least)
			c->points[kept++] = c->points[i];
	}
	c->count = kept;
	return true;
}

// Chooses the `wanted` points of a lattice with the best scores. The caller frees
// *points. False: out of memory.
static bool choose(const oz_volume *volume, const oz_fill_walls *walls, float spacing, oz_fill fill,
                   uint32_t wanted, oz_vec3 **points, uint32_t *count)
{
	chooser c = {.volume = volume,
	             .walls = walls,
	             .lattice = extended(volume, (double)spacing, fill),
	             .spacing = (double)spacing};
	const bool done = collect(&c) && keep_best(&c, wanted);
	free(c.score);
	*points = done ? c.points : NULL;
	*count = done ? (uint32_t)c.count : 0;
	if (!done)
		free(c.points);
	return done;
}

// ---- fill -------------------------------------------------------------------------------------

#define LARGE           1e5    // points
#define LARGE_TOLERANCE 2.5e-3 // half of what the mass may be off

// Whether the lattice as it is has `wanted` points, within a tolerance, all at rest.
static bool lattice_fits(const oz_volume *volume, float spacing, oz_fill fill, double wanted,
                         double tolerance)
{
	if (fill == OZ_FILL_BLUE_NOISE || !(wanted > 0))
		return false;
	const oz_lattice l = oz_lattice_make(volume, (double)spacing, fill);
	const double found = (double)oz_lattice_count(volume, &l);
	const float clearance = OZ_FILL_CLEARANCE * spacing * (volume->rough ? 0.577f : 1);
	// relaxing takes a minute for a few million points; of so many a lattice has the right
	// number
	if (wanted > LARGE)
		return fabs(found - wanted) <= LARGE_TOLERANCE * wanted;
	return fabs(found - wanted) <= 0.5 + tolerance * wanted &&
	       oz_lattice_is_clear(volume, &l, clearance);
}

// Moves the points at least the clearance away from the surface and relaxes them; then leaves out
// those that are outside still, in parts that are too thin for points.
static bool settle(const oz_volume *volume, const oz_fill_walls *walls, float spacing,
                   oz_vec3 *points, uint32_t *count)
{
	if (!oz_fill_relax(volume, walls, spacing, points, *count))
		return false;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < *count; i++)
		if (volume->distance(volume->context, points[i], 0) < 0)
			points[kept++] = points[i];
	*count = kept;
	return true;
}

// The size in spacings³. That of the shells of a mesh is right if the samples agree with it.
static double size_of(const oz_volume *volume, const oz_fill_walls *walls, float spacing)
{
	const double unit = pow((double)spacing, 3);
	if (volume->size > 0)
		return volume->size / unit;
	return fabs(volume->shells / unit - walls->volume) < 0.03 * walls->volume
	               ? volume->shells / unit
	               : walls->volume;
}

// False: out of memory.
static bool fill_exactly(const oz_volume *volume, const oz_fill_walls *walls, float spacing,
                         oz_fill fill, uint32_t wanted, oz_vec3 **points, uint32_t *count)
{
	oz_error error;
	const bool laid =
	        fill == OZ_FILL_BLUE_NOISE
	                ? oz_volume_noise(volume, spacing, wanted, points, count, &error) == OZ_OK
	                : choose(volume, walls, spacing, fill, wanted, points, count);
	if (laid && settle(volume, walls, spacing, *points, count))
		return true;
	free(*points);
	*points = NULL;
	*count = 0;
	return false;
}

oz_result oz_volume_fill_exact(const oz_volume *volume, float spacing, oz_fill fill,
                               oz_vec3 **points, uint32_t *count, bool *done, oz_error *error)
{
	const double size = volume->size / pow((double)spacing, 3);
	oz_fill_walls walls;
	*done = false;
	if (lattice_fits(volume, spacing, fill, size, 1e-4))
		return OZ_OK;
	if (!oz_fill_walls_make(&walls, volume, spacing))
		return oz_fill_no_memory(volume, spacing, oz_volume_estimate(volume, spacing),
		                         error);
	const double wanted = round(size_of(volume, &walls, spacing));
	oz_result result = OZ_OK;
	if (oz_fill_walls_are_deep(&walls) && wanted >= 1 &&
	    (size > 0 || !lattice_fits(volume, spacing, fill, wanted, 3e-3))) {
		*done = fill_exactly(volume, &walls, spacing, fill, (uint32_t)wanted, points,
		                     count);
		if (!*done)
			result = oz_fill_no_memory(volume, spacing, wanted, error);
	}
	oz_fill_walls_free(&walls);
	return result;
}
