// mesh_strands.c: places points along the lines of a mesh, for rods and rings of any form.
//
// A line from a to b is the triangle (a, b, b). Lines connected at vertices of exactly two lines
// are one strand; it ends at a free end or at a vertex of more than two lines. A strand that
// returns to its start is a ring. Points have even distances along a strand, and half a distance to
// its ends.
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/fill.h"
#include "geometry/mesh.h"
#include "math/vec.h"

#define MAX_POINTS 2147483648.0 // 2^31

typedef struct strands {
	const oz_mesh *mesh;
	uint32_t (*lines)[2]; // lower vertex first, sorted, without duplicates
	uint32_t line_count;
	uint32_t *start; // first entry of each vertex in `at`; one more for the end
	uint32_t *at;    // lines at each vertex
	bool *walked;    // whether a line is in a strand
	uint32_t *walk;  // vertices of all strands, one after the other
	uint64_t *end;   // of each strand in the walk
	uint64_t walk_count;
	uint32_t strand_count;
} strands;

static int compare_lines(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

// Lists the lines of the mesh, sorted, without duplicates.
static void list_lines(strands *s)
{
	uint32_t all = 0, kept = 0;
	for (uint32_t i = 0; i < s->mesh->triangle_count; i++) {
		const uint32_t a = s->mesh->triangles[i][0], b = s->mesh->triangles[i][1];
		if (a == b)
			continue;
		s->lines[all][0] = a < b ? a : b;
		s->lines[all++][1] = a < b ? b : a;
	}
	qsort(s->lines, all, sizeof *s->lines, compare_lines);
	for (uint32_t i = 0; i < all; i++)
		if (kept == 0 || compare_lines(s->lines[kept - 1], s->lines[i]) != 0) {
			s->lines[kept][0] = s->lines[i][0];
			s->lines[kept++][1] = s->lines[i][1];
		}
	s->line_count = kept;
}

// lists the lines at each vertex
static void index_lines(strands *s)
{
	const size_t vertices = s->mesh->vertex_count;
	for (uint32_t i = 0; i < s->line_count; i++)
		for (int k = 0; k < 2; k++)
			s->start[s->lines[i][k] + (size_t)1]++;
	for (size_t v = 0; v < vertices; v++)
		s->start[v + 1] += s->start[v];
	for (uint32_t i = 0; i < s->line_count; i++)
		for (int k = 0; k < 2; k++)
			s->at[s->start[s->lines[i][k]]++] = i;
	for (size_t v = vertices; v > 0; v--)
		s->start[v] = s->start[v - 1];
	s->start[0] = 0;
}

static uint32_t lines_at(const strands *s, uint32_t vertex)
{
	return s->start[(size_t)vertex + 1] - s->start[vertex];
}

// Adds the strand that starts at a vertex with a line.
static void walk(strands *s, uint32_t vertex, uint32_t line)
{
	s->walk[s->walk_count++] = vertex;
	for (bool on = true; on;) {
		s->walked[line] = true;
		vertex = s->lines[line][0] == vertex ? s->lines[line][1] : s->lines[line][0];
		s->walk[s->walk_count++] = vertex;
		const uint32_t *two = s->at + s->start[vertex];
		on = lines_at(s, vertex) == 2 && !(s->walked[two[0]] && s->walked[two[1]]);
		if (on)
			line = s->walked[two[0]] ? two[1] : two[0];
	}
	s->end[s->strand_count++] = s->walk_count;
}

// Adds all strands: first those with ends; the lines that are left form rings.
static void follow_all(strands *s)
{
	for (uint32_t v = 0; v < s->mesh->vertex_count; v++)
		for (uint32_t k = s->start[v]; k < s->start[v + 1] && lines_at(s, v) != 2; k++)
			if (!s->walked[s->at[k]])
				walk(s, v, s->at[k]);
	for (uint32_t i = 0; i < s->line_count; i++)
		if (!s->walked[i])
			walk(s, s->lines[i][0], i);
}

static double step_length(const strands *s, uint64_t i)
{
	const oz_vec3 a = s->mesh->vertices[s->walk[i]], b = s->mesh->vertices[s->walk[i + 1]];
	const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
	const double z = (double)b.z - (double)a.z;
	return sqrt(x * x + y * y + z * z);
}

static double strand_length(const strands *s, uint32_t strand)
{
	double length = 0;
	for (uint64_t i = strand ? s->end[strand - 1] : 0; i + 1 < s->end[strand]; i++)
		length += step_length(s, i);
	return length;
}

// writes `count` points at even distances along a strand
static void fill_strand(const strands *s, uint32_t strand, double count, oz_vec3 *points)
{
	const double pitch = strand_length(s, strand) / count;
	uint64_t i = strand ? s->end[strand - 1] : 0;
	double passed = 0;
	for (double k = 0; k < count; k++) {
		const double at = (k + 0.5) * pitch;
		while (i + 2 < s->end[strand] && passed + step_length(s, i) < at)
			passed += step_length(s, i++);
		const oz_vec3 a = s->mesh->vertices[s->walk[i]];
		const oz_vec3 b = s->mesh->vertices[s->walk[i + 1]];
		const double share = (at - passed) / step_length(s, i);
		*points++ = oz_mad(a, oz_sub(b, a), (float)fmin(share, 1));
	}
}

static bool allocate(strands *s)
{
	const size_t lines = s->mesh->triangle_count;
	s->lines = malloc(lines * sizeof *s->lines);
	s->start = calloc((size_t)s->mesh->vertex_count + 1, sizeof *s->start);
	s->at = malloc(2 * lines * sizeof *s->at);
	s->walked = calloc(lines, sizeof *s->walked);
	s->walk = malloc(2 * lines * sizeof *s->walk);
	s->end = malloc(lines * sizeof *s->end);
	return s->lines && s->start && s->at && s->walked && s->walk && s->end;
}

static void free_strands(strands *s)
{
	free(s->lines);
	free(s->start);
	free(s->at);
	free(s->walked);
	free(s->walk);
	free(s->end);
}

// ---- fill -------------------------------------------------------------------------------------

// for error sentences: one axis with an extent, so that spacings are computed for lengths
static const oz_volume rod = {.name = "the lines of the mesh", .max = {0, 1, 0}};

// lays points along all strands, one for each spacing
static oz_result fill_all(const strands *s, float spacing, oz_vec3 **points, uint32_t *count,
                          oz_error *error)
{
	double all = 0, longest = 0;
	for (uint32_t i = 0; i < s->strand_count; i++) {
		const double length = strand_length(s, i);
		longest = fmax(longest, length);
		all += round(length / (double)spacing);
	}
	if (!(all > 0))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the longest line of the mesh, %.3g m, is too short for a point at "
		               "a spacing of %g m; make it longer, or the spacing smaller",
		               longest, (double)spacing);
	if (all > MAX_POINTS)
		return oz_fill_too_many(&rod, spacing, all, error);
	*points = malloc((size_t)all * sizeof **points);
	if (!*points)
		return oz_fill_no_memory(&rod, spacing, all, error);
	for (uint32_t i = 0; i < s->strand_count; i++) {
		const double own = round(strand_length(s, i) / (double)spacing);
		fill_strand(s, i, own, *points + *count);
		*count += (uint32_t)own;
	}
	return OZ_OK;
}

oz_result oz_mesh_fill_lines(const oz_mesh *mesh, float spacing, oz_vec3 **points, uint32_t *count,
                             oz_error *error)
{
	if (!mesh || !points || !count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "filling lines needs a mesh, points and a count, but one of them "
		               "is NULL; give all three");
	*points = NULL;
	*count = 0;
	if (!(spacing >= OZ_FILL_MIN) || !isfinite(spacing))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the spacing of points along lines is %g m; it must be at least %g "
		               "m",
		               (double)spacing, (double)OZ_FILL_MIN);
	oz_result result = oz_mesh_check_vertices(mesh, "the mesh", error);
	if (result != OZ_OK)
		return result;
	strands s = {.mesh = mesh};
	if (allocate(&s)) {
		list_lines(&s);
		index_lines(&s);
		follow_all(&s);
		result = fill_all(&s, spacing, points, count, error);
	} else {
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for the %u lines of the mesh; simplify it",
		                 mesh->triangle_count);
	}
	free_strands(&s);
	return result;
}
