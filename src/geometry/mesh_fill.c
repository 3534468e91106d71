// mesh_fill.c: points inside a closed mesh, told by the turns of its surface along straight lines.
//
// A line along an axis u meets the surface where it pierces triangles; each adds +1 or -1 to the
// winding, and inside is where that is not zero, so that overlapping shells count as one solid.
// Seen along the line, a triangle is flat, and the line a point p in it (axes v, w):
//
//        w ^      /\          the level of p crosses one edge that runs up and one that runs
//          |     /  \         down, or none. An edge counts if its crossing lies beyond p. The
//      p - | - -/-p--\- -     two triangles at an edge compute the same crossing from the same
//          |   /______\       numbers, so no line slips between them, whatever is rounded.
//          +-----------> v
//
// Triangles are listed in a grid over (v, w). A line is remembered: rows of points ask for it
// again.
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/fill.h"
#include "geometry/mesh.h"
#include "math/vec.h"

enum { MAX_CELLS = 2048, MAX_COPIES = 16 };

typedef struct pierce {
	double u;
	int turn;
} pierce;

typedef struct caster {
	const oz_mesh *mesh;
	int axis[3];      // u, v, w
	double origin[2]; // of the grid, along v and w
	double scale[2];  // cells per m
	uint32_t cells;   // along v and along w
	uint64_t *start;  // of each cell's triangles
	uint32_t *listed;
	// the last line
	double line[2]; // v, w
	pierce *pierces;
	double *walls; // where it enters and leaves the solid, in turn
	uint32_t wall_count;
} caster;

static double along(oz_vec3 p, int axis)
{
	return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

// ---- grid -------------------------------------------------------------------------------------

static uint32_t grid_cell(const caster *c, int side, double x)
{
	const double i = (x - c->origin[side]) * c->scale[side];
	return i < 1 ? 0 : i >= c->cells - 1 ? c->cells - 1 : (uint32_t)i;
}

// The range of cells that a triangle's box covers: v from [0][0] to [0][1], w from [1][0] to
// [1][1].
static void covered(const caster *c, uint32_t triangle, uint32_t range[2][2])
{
	const uint32_t *t = c->mesh->triangles[triangle];
	for (int side = 0; side < 2; side++) {
		double low = INFINITY, high = -INFINITY;
		for (int k = 0; k < 3; k++) {
			const double x = along(c->mesh->vertices[t[k]], c->axis[side + 1]);
			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		range[side][0] = grid_cell(c, side, low);
		range[side][1] = grid_cell(c, side, high);
	}
}

static uint64_t count_copies(const caster *c)
{
	uint64_t copies = 0;
	uint32_t r[2][2];
	for (uint32_t i = 0; i < c->mesh->triangle_count; i++) {
		covered(c, i, r);
		copies += (uint64_t)(r[0][1] - r[0][0] + 1) * (r[1][1] - r[1][0] + 1);
	}
	return copies;
}

static void lay_grid(caster *c, const oz_solid *solid, uint32_t cells)
{
	c->cells = cells;
	for (int side = 0; side < 2; side++) {
		const double low = along(solid->min, c->axis[side + 1]);
		const double high = along(solid->max, c->axis[side + 1]);
		c->origin[side] = low;
		c->scale[side] = cells / (high - low);
	}
}

// About one triangle a cell; coarser where long triangles would fill the memory with copies.
static uint64_t choose_grid(caster *c, const oz_solid *solid)
{
	const double triangles = c->mesh->triangle_count;
	const double wish = ceil(sqrt(triangles));
	for (uint32_t cells = wish < MAX_CELLS ? (uint32_t)wish : MAX_CELLS;;
	     cells = (cells + 1) / 2) {
		lay_grid(c, solid, cells);
		const uint64_t copies = count_copies(c);
		if ((double)copies <= MAX_COPIES * triangles || cells == 1)
			return copies;
	}
}

static void list_triangles(caster *c)
{
	uint32_t r[2][2];
	const size_t all = (size_t)c->cells * c->cells;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < c->mesh->triangle_count; i++) {
			covered(c, i, r);
			for (uint32_t w = r[1][0]; w <= r[1][1]; w++)
				for (uint32_t v = r[0][0]; v <= r[0][1]; v++) {
					const size_t cell = (size_t)w * c->cells + v;
					if (pass == 0)
						c->start[cell + 1]++;
					else
						c->listed[c->start[cell]++] = i;
				}
		}
		for (size_t i = 0; i < all && pass == 0; i++)
			c->start[i + 1] += c->start[i];
	}
	// the second pass left each start at its cell's end
	for (size_t i = all; i > 0; i--)
		c->start[i] = c->start[i - 1];
	c->start[0] = 0;
}

static uint64_t fullest_cell(const caster *c)
{
	uint64_t most = 0;
	for (size_t i = 0; i < (size_t)c->cells * c->cells; i++)
		if (c->start[i + 1] - c->start[i] > most)
			most = c->start[i + 1] - c->start[i];
	return most;
}

static bool caster_make(caster *c, const oz_mesh *mesh, const oz_solid *solid, int axis)
{
	*c = (caster){.mesh = mesh,
	              .axis = {axis, (axis + 1) % 3, (axis + 2) % 3},
	              .line = {NAN, NAN}};
	const uint64_t copies = choose_grid(c, solid);
	c->start = calloc((size_t)c->cells * c->cells + 1, sizeof *c->start);
	c->listed = malloc((size_t)copies * sizeof *c->listed);
	if (!c->start || !c->listed)
		return false;
	list_triangles(c);
	const size_t most = (size_t)fullest_cell(c) + 1;
	c->pierces = malloc(most * sizeof *c->pierces);
	c->walls = malloc(most * sizeof *c->walls);
	return c->pierces && c->walls;
}

static void caster_free(caster *c)
{
	free(c->start);
	free(c->listed);
	free(c->pierces);
	free(c->walls);
}

// ---- lines ------------------------------------------------------------------------------------

// Finds where a triangle's edges cross the level w: at (v, u)[0] upwards, at [1] downwards.
static bool cross_level(const caster *c, uint32_t triangle, double w, double v[2], double u[2])
{
	const uint32_t *t = c->mesh->triangles[triangle];
	int found = 0;
	for (int k = 0; k < 3; k++) {
		oz_vec3 low = c->mesh->vertices[t[k]], high = c->mesh->vertices[t[(k + 1) % 3]];
		const bool low_below = along(low, c->axis[2]) <= w;
		const int down = !low_below;
		if (low_below == (along(high, c->axis[2]) <= w))
			continue;
		if (down) {
			const oz_vec3 swap = low;
			low = high;
			high = swap;
		}
		const double w0 = along(low, c->axis[2]), v0 = along(low, c->axis[1]);
		const double u0 = along(low, c->axis[0]);
		const double share = (w - w0) / (along(high, c->axis[2]) - w0);
		v[down] = v0 + share * (along(high, c->axis[1]) - v0);
		u[down] = u0 + share * (along(high, c->axis[0]) - u0);
		found++;
	}
	return found == 2;
}

static int compare_pierces(const void *a, const void *b)
{
	const pierce *x = a, *y = b;
	return x->u != y->u ? (x->u > y->u) - (x->u < y->u) : x->turn - y->turn;
}

// Most lines pierce a handful of triangles.
static void sort_pierces(pierce *p, uint32_t count)
{
	if (count > 24) {
		qsort(p, count, sizeof *p, compare_pierces);
		return;
	}
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t j = i; j > 0 && compare_pierces(&p[j - 1], &p[j]) > 0; j--) {
			const pierce swap = p[j];
			p[j] = p[j - 1];
			p[j - 1] = swap;
		}
}

static uint32_t find_pierces(caster *c)
{
	const uint32_t row = grid_cell(c, 1, c->line[1]), column = grid_cell(c, 0, c->line[0]);
	const size_t cell = (size_t)row * c->cells + column;
	uint32_t count = 0;
	for (uint64_t i = c->start[cell]; i < c->start[cell + 1]; i++) {
		double v[2], u[2];
		if (!cross_level(c, c->listed[i], c->line[1], v, u))
			continue;
		const int turn = (v[0] > c->line[0]) - (v[1] > c->line[0]);
		if (turn == 0)
			continue;
		const double share = (c->line[0] - v[0]) / (v[1] - v[0]);
		c->pierces[count++] = (pierce){u[0] + share * (u[1] - u[0]), turn};
	}
	return count;
}

static void cast(caster *c, double v, double w)
{
	if (c->line[0] == v && c->line[1] == w)
		return;
	c->line[0] = v;
	c->line[1] = w;
	const uint32_t count = find_pierces(c);
	sort_pierces(c->pierces, count);
	c->wall_count = 0;
	for (uint32_t i = 0, winding = 0; i < count; i++) {
		const uint32_t before = winding;
		winding += (uint32_t)c->pierces[i].turn;
		if ((before == 0) != (winding == 0))
			c->walls[c->wall_count++] = c->pierces[i].u;
	}
}

// How many walls the line through p has met before it: odd inside.
static uint32_t walls_before(caster *c, oz_vec3 p)
{
	const double u = along(p, c->axis[0]);
	cast(c, along(p, c->axis[1]), along(p, c->axis[2]));
	uint32_t low = 0, high = c->wall_count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (c->walls[middle] <= u)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// How far the nearest wall is along the line, negative if it lies below.
static double nearest_wall(caster *c, oz_vec3 p)
{
	const uint32_t before = walls_before(c, p);
	const double u = along(p, c->axis[0]);
	const double down = before > 0 ? u - c->walls[before - 1] : INFINITY;
	const double up = before < c->wall_count ? c->walls[before] - u : INFINITY;
	return down < up ? -down : up;
}

// Where asked for, the distance follows from those along the three axes; 1/d² = 1/x² + 1/y² + 1/z²
// is exact beside a flat wall and cautious in a corner.
static float mesh_distance(void *context, oz_vec3 point, float reach)
{
	caster *casters = context;
	const bool inside = walls_before(&casters[0], point) & 1;
	if (!(reach > 0))
		return inside ? -1 : 1;
	double sum = 0;
	for (int axis = 0; axis < 3; axis++) {
		const double d = nearest_wall(&casters[axis], point);
		sum += 1 / (d * d);
	}
	const float d = sum > 0 ? (float)(1 / sqrt(sum)) : OZ_FILL_MAX;
	return inside ? -d : d;
}

// The same wall, met along the axes at x, y and z, has the normal (1/x, 1/y, 1/z), but for its
// length.
static oz_vec3 mesh_outward(void *context, oz_vec3 point)
{
	caster *casters = context;
	double n[3], length = 0;
	for (int axis = 0; axis < 3; axis++) {
		const double d = nearest_wall(&casters[axis], point);
		n[axis] = 1 / (fabs(d) > 1e-30 ? d : 1e-30);
		length += n[axis] * n[axis];
	}
	// from outside, the wall lies inwards
	const double scale =
	        (walls_before(&casters[0], point) & 1 ? 1 : -1) / sqrt(length > 0 ? length : 1);
	return oz_v3((float)(n[0] * scale), (float)(n[1] * scale), (float)(n[2] * scale));
}

// ---- fill -------------------------------------------------------------------------------------

static oz_solid solid_of(const oz_mesh *mesh, caster casters[3])
{
	oz_solid solid = {.name = "the mesh",
	                  .min = mesh->vertices[mesh->triangles[0][0]],
	                  .distance = mesh_distance,
	                  .outward = mesh_outward,
	                  .context = casters};
	solid.max = solid.min;
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			const oz_vec3 v = mesh->vertices[mesh->triangles[i][k]];
			solid.min = oz_min3(solid.min, v);
			solid.max = oz_max3(solid.max, v);
		}
	return solid;
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

oz_result oz_mesh_fill(const oz_mesh *mesh, float spacing, oz_fill fill, oz_vec3 **points,
                       uint32_t *count, oz_error *error)
{
	if (!mesh || !points || !count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "filling a mesh needs a mesh and a place for points and their "
		               "count; "
		               "one of them is NULL");
	*points = NULL;
	*count = 0;
	oz_result result = check(mesh, fill, error);
	if (result != OZ_OK)
		return result;
	caster casters[3] = {0};
	const oz_solid solid = solid_of(mesh, casters);
	bool room = true;
	// only blue noise asks how far the wall is
	for (int axis = 0; axis < (fill == OZ_FILL_BLUE_NOISE ? 3 : 1) && room; axis++)
		room = caster_make(&casters[axis], mesh, &solid, axis);
	result = room ? oz_solid_fill(&solid, spacing, fill, points, count, error)
	              : oz_fail(error, OZ_ERROR_MEMORY,
	                        "memory is too small to sort the %u triangles of the mesh; "
	                        "simplify it",
	                        mesh->triangle_count);
	for (int axis = 0; axis < 3; axis++)
		caster_free(&casters[axis]);
	return result;
}
