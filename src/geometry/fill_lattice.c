// fill_lattice.c: fills volumes with lattices, and the error sentences of filling.
//
// A lattice is rows along x in layers along y. It is centred in the bounding box. Along an axis it
// has the length over the pitch, rounded: a box of k spacings gets k points, half a spacing off its
// faces. Close packing (ABAB) has other pitches and phases:
//
//   pitch x = a, z = a √3/2, y = a √(2/3), with a = 2^(1/6) spacing for one point per spacing³;
//   rows shift by a/2 from one to the next, layers by a third of the row pitch.
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/fill_lattice.h"

#define MAX_POINTS 2147483648.0  // 2^31
#define ACROSS     6.0           // points across the thinnest side that an error sentence advises
#define MAX_BOX    34359738368.0 // 2^35 lattice points in the box: testing them takes minutes

typedef struct extent {
	double min[3], max[3];
} extent;

static extent extent_of(const oz_volume *volume)
{
	return (extent){{volume->min.x, volume->min.y, volume->min.z},
	                {volume->max.x, volume->max.y, volume->max.z}};
}

int oz_volume_dimension(const oz_volume *volume)
{
	const extent e = extent_of(volume);
	int dimension = 0;
	for (int axis = 0; axis < 3; axis++)
		dimension += e.max[axis] > e.min[axis];
	return dimension;
}

// counts and origin of a lattice with given pitches, centred in the box
static void lattice_fit(oz_lattice *l, const oz_volume *volume)
{
	const extent e = extent_of(volume);
	for (int axis = 0; axis < 3; axis++) {
		const double length = e.max[axis] - e.min[axis];
		const bool layer = !(length > 0);
		l->count[axis] = layer ? 1 : round(length / l->pitch[axis]);
		if (layer)
			l->pitch[axis] = 0;
		l->origin[axis] = (e.min[axis] + e.max[axis] - l->count[axis] * l->pitch[axis]) / 2;
	}
}

oz_lattice oz_lattice_make(const oz_volume *volume, double spacing, oz_fill fill)
{
	oz_lattice l = {.pitch = {spacing, spacing, spacing},
	                .phase = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}};
	const bool sheet = !(volume->max.y > volume->min.y);
	if (fill == OZ_FILL_HEXAGONAL && oz_volume_dimension(volume) > 1) {
		// a sheet has a single layer with one point per spacing²
		const double a = spacing * (sheet ? sqrt(2 / sqrt(3)) : pow(2, 1.0 / 6));
		l = (oz_lattice){.pitch = {a, a * sqrt(2.0 / 3), a * sqrt(3) / 2},
		                 .phase = {{0.25, 0.5, sheet ? 0.5 : 1.0 / 3},
		                           {0.75, 0.5, 2.0 / 3}}};
	}
	lattice_fit(&l, volume);
	return l;
}

static double lattice_size(const oz_lattice *l)
{
	return l->count[0] * l->count[1] * l->count[2];
}

oz_vec3 oz_lattice_point(const oz_lattice *l, uint64_t x, uint64_t layer, uint64_t row)
{
	const double shift = l->phase[(layer + row) & 1][0];
	return (oz_vec3){(float)(l->origin[0] + ((double)x + shift) * l->pitch[0]),
	                 (float)(l->origin[1] + ((double)layer + l->phase[0][1]) * l->pitch[1]),
	                 (float)(l->origin[2] +
	                         ((double)row + l->phase[layer & 1][2]) * l->pitch[2])};
}

// Counts the points of one row that lie inside, and writes them to `points` unless it is NULL.
static uint64_t walk_row(const oz_volume *volume, const oz_lattice *l, uint64_t layer, uint64_t row,
                         oz_vec3 *points)
{
	uint64_t found = 0;
	for (uint64_t i = 0; (double)i < l->count[0]; i++) {
		const oz_vec3 p = oz_lattice_point(l, i, layer, row);
		if (!(volume->distance(volume->context, p, 0) < 0))
			continue;
		if (points)
			points[found] = p;
		found++;
	}
	return found;
}

// Counts the points inside and writes them to `points` unless it is NULL. Stops after the row in
// which the count reaches `enough`.
static uint64_t walk(const oz_volume *volume, const oz_lattice *l, double enough, oz_vec3 *points)
{
	uint64_t found = 0;
	// if rows are empty, their number can be huge
	if (!(lattice_size(l) > 0))
		return 0;
	for (uint64_t layer = 0; (double)layer < l->count[1]; layer++)
		for (uint64_t row = 0; (double)row < l->count[2]; row++) {
			found += walk_row(volume, l, layer, row, points ? points + found : NULL);
			if ((double)found >= enough)
				return found;
		}
	return found;
}

uint64_t oz_lattice_count(const oz_volume *volume, const oz_lattice *l)
{
	return walk(volume, l, INFINITY, NULL);
}

static bool row_is_clear(const oz_volume *volume, const oz_lattice *l, uint64_t layer, uint64_t row,
                         float clearance)
{
	for (uint64_t i = 0; (double)i < l->count[0]; i++) {
		const oz_vec3 p = oz_lattice_point(l, i, layer, row);
		const float d = volume->distance(volume->context, p, 2 * clearance);
		if (d < 0 && d > -clearance)
			return false;
	}
	return true;
}

bool oz_lattice_is_clear(const oz_volume *volume, const oz_lattice *l, float clearance)
{
	for (uint64_t layer = 0; (double)layer < l->count[1]; layer++)
		for (uint64_t row = 0; (double)row < l->count[2]; row++)
			if (!row_is_clear(volume, l, layer, row, clearance))
				return false;
	return true;
}

double oz_volume_estimate(const oz_volume *volume, float spacing)
{
	const extent e = extent_of(volume);
	oz_lattice l = {.phase = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}};
	double cell = 1;
	for (int axis = 0; axis < 3; axis++) {
		const double length = e.max[axis] - e.min[axis];
		const bool layer = !(length > 0);
		l.count[axis] = layer ? 1 : 64;
		l.pitch[axis] = length / l.count[axis];
		l.origin[axis] = e.min[axis];
		cell *= layer ? 1 : l.pitch[axis] / (double)spacing;
	}
	return (double)walk(volume, &l, INFINITY, NULL) * cell;
}

// Rounds down to two digits, so that the number in an error sentence is exact.
static double round_down(double x)
{
	const double unit = pow(10, floor(log10(x)) - 1);
	return floor(x / unit * (1 + 1e-9)) * unit;
}

static double round_up(double x)
{
	const double unit = pow(10, floor(log10(x)) - 1);
	return ceil(x / unit * (1 - 1e-9)) * unit;
}

// The first tried spacing from this one down at which the lattice has a point inside; 0: none
// found.
static double try_lattices(const oz_volume *volume, double spacing, oz_fill fill)
{
	for (int i = 0; i < 200; i++) {
		const oz_lattice l = oz_lattice_make(volume, (double)(float)spacing, fill);
		if (spacing < (double)OZ_FILL_MIN || lattice_size(&l) > 1e6)
			return 0;
		if (walk(volume, &l, 1, NULL) > 0)
			return spacing;
		spacing = round_down(spacing * 0.8);
	}
	return 0;
}

// The spacing at which the volume is ACROSS points wide where its box is narrowest, if this is
// finer than 0.8 of the given one.
static double resolving(const oz_volume *volume, double spacing)
{
	const extent e = extent_of(volume);
	double finer = spacing * 0.8;
	for (int axis = 0; axis < 3; axis++)
		if (e.max[axis] > e.min[axis])
			finer = fmin(finer, (e.max[axis] - e.min[axis]) / ACROSS);
	return round_down(finer);
}

// a plate may need too many points to be ACROSS wide: then a spacing with a single layer
static double finer_lattice(const oz_volume *volume, double spacing, oz_fill fill)
{
	const double finer = try_lattices(volume, resolving(volume, spacing), fill);
	return finer > 0 ? finer : try_lattices(volume, round_down(spacing * 0.8), fill);
}

// A spacing at which blue noise has one point or more: their number is the volume over spacing³.
static double finer_noise(const oz_volume *volume, float spacing)
{
	const double share =
	        pow(oz_volume_estimate(volume, spacing), 1.0 / oz_volume_dimension(volume));
	const double one = (double)spacing * fmin(share, 0.8) * 0.98;
	return share > 0 ? round_down(fmin(one, resolving(volume, (double)spacing))) : 0;
}

oz_result oz_fill_too_thin(const oz_volume *volume, float spacing, oz_fill fill, oz_error *error)
{
	const double finer = fill == OZ_FILL_BLUE_NOISE
	                             ? finer_noise(volume, spacing)
	                             : finer_lattice(volume, (double)spacing, fill);
	if (!(finer > 0))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is too thin for a point at a spacing of %g m or at any smaller "
		               "spacing that was tried; make it thicker",
		               volume->name, (double)spacing);
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "%s is too thin for a point at a spacing of %g m; use a spacing of %g m",
	               volume->name, (double)spacing, finer);
}

// The spacing at which the number of points is `share` times the present one.
static double coarser_spacing(const oz_volume *volume, float spacing, double share)
{
	return round_up((double)spacing * pow(share, -1.0 / oz_volume_dimension(volume)) * 1.02);
}

oz_result oz_fill_too_many(const oz_volume *volume, float spacing, double wanted, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "%s takes about %.3g points at a spacing of %g m, more than 2^31; use a "
	               "spacing of %g m",
	               volume->name, wanted, (double)spacing,
	               coarser_spacing(volume, spacing, MAX_POINTS / wanted));
}

oz_result oz_fill_no_memory(const oz_volume *volume, float spacing, double wanted, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %s with %.0f points at a spacing of %g m; use a spacing "
	               "of %g m, which needs half of it",
	               volume->name, wanted, (double)spacing,
	               coarser_spacing(volume, spacing, 0.5));
}

static oz_result box_too_large(const oz_volume *volume, float spacing, double size, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "the box around %s has %.3g lattice points at a spacing of %g m, too many "
	               "to "
	               "test; use a spacing of %g m, or fill its parts one by one",
	               volume->name, size, (double)spacing,
	               coarser_spacing(volume, spacing, MAX_BOX / size));
}

static oz_result check_spacing(const oz_volume *volume, float spacing, oz_error *error)
{
	if (!(spacing > 0) || !isfinite(spacing))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the spacing to fill %s with is %g m; it must be a positive number",
		               volume->name, (double)spacing);
	if (spacing < OZ_FILL_MIN)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the spacing to fill %s with is %g m; it must be at least %g m",
		               volume->name, (double)spacing, (double)OZ_FILL_MIN);
	const oz_lattice l = oz_lattice_make(volume, (double)spacing, OZ_FILL_LATTICE);
	const double size = lattice_size(&l);
	if (size > MAX_POINTS) {
		const double wanted = oz_volume_estimate(volume, spacing);
		if (wanted > MAX_POINTS)
			return oz_fill_too_many(volume, spacing, wanted, error);
	}
	return size > MAX_BOX ? box_too_large(volume, spacing, size, error) : OZ_OK;
}

oz_result oz_volume_fill(const oz_volume *volume, float spacing, oz_fill fill, oz_vec3 **points,
                         uint32_t *count, oz_error *error)
{
	const oz_result checked = check_spacing(volume, spacing, error);
	if (checked != OZ_OK)
		return checked;
	bool done = false;
	const oz_result exact =
	        oz_volume_dimension(volume) < 3
	                ? OZ_OK
	                : oz_volume_fill_exact(volume, spacing, fill, points, count, &done, error);
	if (done || exact != OZ_OK)
		return exact;
	if (fill == OZ_FILL_BLUE_NOISE && oz_volume_dimension(volume) > 1)
		return oz_volume_noise(volume, spacing, 0, points, count, error);
	const oz_lattice l = oz_lattice_make(volume, (double)spacing, fill);
	const uint64_t found = walk(volume, &l, INFINITY, NULL);
	if (found == 0)
		return oz_fill_too_thin(volume, spacing, fill, error);
	if ((double)found > MAX_POINTS)
		return oz_fill_too_many(volume, spacing, (double)found, error);
	*points = malloc((size_t)found * sizeof **points);
	if (!*points)
		return oz_fill_no_memory(volume, spacing, (double)found, error);
	walk(volume, &l, INFINITY, *points);
	*count = (uint32_t)found;
	return OZ_OK;
}
