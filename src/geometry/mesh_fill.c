// mesh_fill.c: fills a closed mesh with points; lines along the axes decide what is inside.
//
// A point is inside if the winding number is not 0, so overlapping shells are one volume. The last
// line is cached, because the points of a row are on one line.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/cover.h"
#include "geometry/fill.h"
#include "geometry/mesh.h"
#include "geometry/mesh_lines.h"
#include "math/vec.h"

// lines along one axis, and the cached one
typedef struct caster {
	oz_mesh_lines lines;
	double line[2]; // v, w of the cached line; NAN: none
	oz_pierce *pierces;
	double *crossings; // m, where the line enters and leaves the volume, alternating
	uint32_t crossing_count;
} caster;

static bool caster_make(caster *c, const oz_mesh *mesh, const oz_volume *volume, int axis)
{
	*c = (caster){.line = {NAN, NAN}};
	if (!oz_mesh_lines_make(&c->lines, mesh, volume->min, volume->max, axis))
		return false;
	const size_t most = (size_t)oz_mesh_lines_most(&c->lines) + 1;
	c->pierces = malloc(most * sizeof *c->pierces);
	c->crossings = malloc(most * sizeof *c->crossings);
	return c->pierces && c->crossings;
}

static void caster_free(caster *c)
{
	oz_mesh_lines_free(&c->lines);
	free(c->pierces);
	free(c->crossings);
}

// ---- lines ------------------------------------------------------------------------------------

static int compare_pierces(const void *a, const void *b)
{
	const oz_pierce *x = a, *y = b;
	return x->u != y->u ? (x->u > y->u) - (x->u < y->u) : y->winding_step - x->winding_step;
}

// insertion sort for short lists: most lines intersect few triangles
static void sort_pierces(oz_pierce *p, uint32_t count)
{
	if (count > 24) {
		qsort(p, count, sizeof *p, compare_pierces);
		return;
	}
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t j = i; j > 0 && compare_pierces(&p[j - 1], &p[j]) > 0; j--) {
			const oz_pierce swap = p[j];
			p[j] = p[j - 1];
			p[j - 1] = swap;
		}
}

static uint32_t find_pierces(caster *c)
{
	oz_line line = oz_line_at(&c->lines, c->line[0], c->line[1]);
	uint32_t count = 0;
	while (oz_line_next(&c->lines, &line, &c->pierces[count]))
		count++;
	return count;
}

// finds the crossings of the line (v, w), unless it is cached
static void cast(caster *c, double v, double w)
{
	if (c->line[0] == v && c->line[1] == w)
		return;
	c->line[0] = v;
	c->line[1] = w;
	const uint32_t count = find_pierces(c);
	sort_pierces(c->pierces, count);
	c->crossing_count = 0;
	for (uint32_t i = 0, winding = 0; i < count; i++) {
		const uint32_t before = winding;
		winding += (uint32_t)c->pierces[i].winding_step;
		if ((before == 0) != (winding == 0))
			c->crossings[c->crossing_count++] = c->pierces[i].u;
	}
}

// The number of crossings below p on the line through p: odd if p is inside.
static uint32_t crossings_before(caster *c, oz_vec3 p)
{
	const double u = oz_along(p, c->lines.axis[0]);
	cast(c, oz_along(p, c->lines.axis[1]), oz_along(p, c->lines.axis[2]));
	uint32_t low = 0, high = c->crossing_count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (c->crossings[middle] <= u)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The distance to the nearest crossing along the line, m; negative if it is below p.
static double nearest_crossing(caster *c, oz_vec3 p)
{
	const uint32_t before = crossings_before(c, p);
	const double u = oz_along(p, c->lines.axis[0]);
	const double down = before > 0 ? u - c->crossings[before - 1] : INFINITY;
	const double up = before < c->crossing_count ? c->crossings[before] - u : INFINITY;
	return down < up ? -down : up;
}

// The signed distance. With `reach` 0 only its sign is computed. Else it follows from the distances
// x, y, z along the axes: 1/d² = 1/x² + 1/y² + 1/z² is exact at a plane and too small in a corner.
static float mesh_distance(void *context, oz_vec3 point, float reach)
{
	caster *casters = context;
	const bool inside = crossings_before(&casters[0], point) & 1;
	if (!(reach > 0))
		return inside ? -1 : 1;
	double sum = 0;
	for (int axis = 0; axis < 3; axis++) {
		const double d = nearest_crossing(&casters[axis], point);
		sum += 1 / (d * d);
	}
	const float d = sum > 0 ? (float)(1 / sqrt(sum)) : OZ_FILL_MAX;
	return inside ? -d : d;
}

// The outward normal. A plane that crosses the axes at distances x, y, z has the normal
// (1/x, 1/y, 1/z), up to its length.
static oz_vec3 mesh_outward(void *context, oz_vec3 point)
{
	caster *casters = context;
	double n[3], length = 0;
	for (int axis = 0; axis < 3; axis++) {
		const double d = nearest_crossing(&casters[axis], point);
		n[axis] = 1 / (fabs(d) > 1e-30 ? d : 1e-30);
		length += n[axis] * n[axis];
	}
	// outside the mesh the vector to the surface points inwards
	const double scale =
	        (crossings_before(&casters[0], point) & 1 ? 1 : -1) / sqrt(length > 0 ? length : 1);
	return oz_v3((float)(n[0] * scale), (float)(n[1] * scale), (float)(n[2] * scale));
}

// ---- fill -------------------------------------------------------------------------------------

// six times the signed volume of the pyramid from the origin to a triangle, m³
static double pyramid(oz_vec3 a, oz_vec3 b, oz_vec3 c)
{
	const double ax = (double)a.x, ay = (double)a.y, az = (double)a.z;
	const double bx = (double)b.x, by = (double)b.y, bz = (double)b.z;
	const double cx = (double)c.x, cy = (double)c.y, cz = (double)c.z;
	return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

// the signed volume of all shells, m³, seen from a vertex to lose few digits
static double volume_of_shells(const oz_mesh *mesh)
{
	const oz_vec3 o = mesh->vertices[mesh->triangles[0][0]];
	double sum = 0;
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		sum += pyramid(oz_sub(mesh->vertices[mesh->triangles[i][0]], o),
		               oz_sub(mesh->vertices[mesh->triangles[i][1]], o),
		               oz_sub(mesh->vertices[mesh->triangles[i][2]], o));
	return fabs(sum) / 6;
}

// the inside of a mesh as a volume; `casters` is the context of its functions
static oz_volume volume_of(const oz_mesh *mesh, caster casters[3])
{
	oz_volume volume = {.name = "the mesh",
	                    .min = mesh->vertices[mesh->triangles[0][0]],
	                    .shells = volume_of_shells(mesh),
	                    .distance = mesh_distance,
	                    .rough = true,
	                    .outward = mesh_outward,
	                    .context = casters};
	volume.max = volume.min;
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			const oz_vec3 v = mesh->vertices[mesh->triangles[i][k]];
			volume.min = oz_min3(volume.min, v);
			volume.max = oz_max3(volume.max, v);
		}
	return volume;
}

static oz_result check(const oz_mesh *mesh, oz_fill fill, oz_error *error)
{
	if ((unsigned)fill >= OZ_FILL_COUNT)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "there is no fill %d; use OZ_FILL_LATTICE, OZ_FILL_HEXAGONAL or "
		               "OZ_FILL_BLUE_NOISE",
		               (int)fill);
	const oz_result result = oz_mesh_check_closed(mesh, "the mesh", error);
	for (uint32_t i = 0; i < mesh->vertex_count && result == OZ_OK; i++)
		if (oz_max_abs(mesh->vertices[i]) > OZ_FILL_MAX)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "vertex %u of the mesh is farther than %g m from the "
			               "origin; "
			               "scale the mesh down",
			               i, (double)OZ_FILL_MAX);
	return result;
}

// what is done with the volume of a mesh
typedef oz_result (*volume_use)(const oz_volume *volume, void *context, oz_error *error);

static oz_result with_volume(const oz_mesh *mesh, volume_use use, void *context, oz_error *error)
{
	caster casters[3] = {0};
	const oz_volume volume = volume_of(mesh, casters);
	bool room = true;
	for (int axis = 0; axis < 3 && room; axis++)
		room = caster_make(&casters[axis], mesh, &volume, axis);
	const oz_result result =
	        room ? use(&volume, context, error)
	             : oz_fail(error, OZ_ERROR_MEMORY,
	                       "out of memory for sorting the %u triangles of the mesh; "
	                       "simplify it",
	                       mesh->triangle_count);
	for (int axis = 0; axis < 3; axis++)
		caster_free(&casters[axis]);
	return result;
}

typedef struct filling {
	float spacing;
	oz_fill fill;
	oz_vec3 **points;
	uint32_t *count;
} filling;

static oz_result fill_volume(const oz_volume *volume, void *context, oz_error *error)
{
	const filling *f = context;
	return oz_volume_fill(volume, f->spacing, f->fill, f->points, f->count, error);
}

oz_result oz_mesh_fill(const oz_mesh *mesh, float spacing, oz_fill fill, oz_vec3 **points,
                       uint32_t *count, oz_error *error)
{
	if (!mesh || !points || !count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "filling a mesh needs a mesh, points and a count, but one of them "
		               "is NULL; give all three");
	*points = NULL;
	*count = 0;
	filling f = {spacing, fill, points, count};
	const oz_result result = check(mesh, fill, error);
	return result == OZ_OK ? with_volume(mesh, fill_volume, &f, error) : result;
}

typedef struct covering {
	float spacing;
	oz_mesh *even;
} covering;

static oz_result cover_volume(const oz_volume *volume, void *context, oz_error *error)
{
	const covering *c = context;
	return oz_volume_cover(volume, c->spacing, c->even, error);
}

oz_result oz_mesh_cover(const oz_mesh *mesh, float spacing, oz_mesh *even, oz_error *error)
{
	covering c = {spacing, even};
	memset(even, 0, sizeof *even);
	const oz_result result = check(mesh, OZ_FILL_LATTICE, error);
	return result == OZ_OK ? with_volume(mesh, cover_volume, &c, error) : result;
}
