// mesh_shells.c: which shells of a mesh face the wrong way.
//
// A shell that faces inwards is a cavity if it lies in another shell, and an error if it does not.
// Lines through some of its triangles give the winding of larger shells, with their holes closed,
// around it. If the shell around it was flipped, the whole mesh was inside out and its cavities
// face outwards: they are flipped too.
#include <math.h>
#include <stdlib.h>

#include "geometry/mesh_lines.h"
#include "geometry/mesh_repair.h"

enum { SAMPLES = 32 };

typedef struct shells {
	oz_repair *repair;
	oz_mesh_lines lines;
	uint32_t *order;   // shells by volume, largest first
	uint32_t *rank;    // place of each shell in `order`
	uint32_t *start;   // first member of each shell; one more for the end
	uint32_t *members; // triangles, shell by shell
	uint8_t *flipped;  // 1 for each flipped shell
} shells;

static int compare_sizes(const void *a, const void *b)
{
	const double *const *x = a, *const *y = b;
	const double u = fabs(**x), v = fabs(**y);
	return u != v ? (u < v) - (u > v) : (*x > *y) - (*x < *y);
}

static bool rank_shells(shells *s)
{
	const uint32_t count = s->repair->shell_count;
	const double **sizes = malloc(sizeof *sizes * count);
	if (!sizes)
		return false;
	for (uint32_t k = 0; k < count; k++)
		sizes[k] = &s->repair->volume[k];
	qsort(sizes, count, sizeof *sizes, compare_sizes);
	for (uint32_t k = 0; k < count; k++) {
		s->order[k] = (uint32_t)(sizes[k] - s->repair->volume);
		s->rank[s->order[k]] = k;
	}
	free(sizes);
	return true;
}

static void list_members(shells *s)
{
	const oz_repair *r = s->repair;
	for (uint32_t i = 0; i < r->mesh.triangle_count + r->fans; i++)
		s->start[r->shell[i] + 1]++;
	for (uint32_t k = 0; k < r->shell_count; k++)
		s->start[k + 1] += s->start[k];
	for (uint32_t i = 0; i < r->mesh.triangle_count + r->fans; i++)
		s->members[s->start[r->shell[i]]++] = i;
	for (uint32_t k = r->shell_count; k > 0; k--)
		s->start[k] = s->start[k - 1];
	s->start[0] = 0;
}

static void flip_shell(shells *s, uint32_t shell, uint8_t *flipped)
{
	for (uint32_t i = s->start[shell]; i < s->start[shell + 1]; i++) {
		const uint32_t triangle = s->members[i];
		oz_flip(s->repair->mesh.triangles[triangle]);
		if (triangle < s->repair->mesh.triangle_count)
			flipped[triangle] ^= 1;
	}
	s->repair->volume[shell] = -s->repair->volume[shell];
	s->flipped[shell] = 1;
}

static double centre_along(const oz_mesh *m, const uint32_t t[3], int axis)
{
	return (oz_along(m->vertices[t[0]], axis) + oz_along(m->vertices[t[1]], axis) +
	        oz_along(m->vertices[t[2]], axis)) /
	       3;
}

// Adds the winding numbers around the centre of a triangle: [0] of all larger shells, [1] of those
// that were flipped.
static void add_windings(const shells *s, uint32_t shell, uint32_t triangle, int winding[2])
{
	const oz_repair *r = s->repair;
	const uint32_t *t = r->mesh.triangles[triangle];
	const double u = centre_along(&r->mesh, t, s->lines.axis[0]);
	oz_line line = oz_line_at(&s->lines, centre_along(&r->mesh, t, s->lines.axis[1]),
	                          centre_along(&r->mesh, t, s->lines.axis[2]));
	oz_pierce pierce;
	while (oz_line_next(&s->lines, &line, &pierce)) {
		const uint32_t other = r->shell[pierce.triangle];
		if (s->rank[other] >= s->rank[shell])
			continue;
		const int winding_step = pierce.u <= u ? pierce.winding_step : 0;
		winding[0] += winding_step;
		winding[1] += s->flipped[other] ? winding_step : 0;
	}
}

// flips a shell that faces the wrong way, by the majority of some sample triangles
static void flip_if_wrong(shells *s, uint32_t shell, uint8_t *flipped)
{
	const uint32_t count = s->start[shell + 1] - s->start[shell];
	const int samples = count < SAMPLES ? (int)count : SAMPLES;
	int winding[2] = {0, 0};
	for (int i = 0; i < samples; i++) {
		const uint32_t member = (uint32_t)((uint64_t)i * count / (uint64_t)samples);
		add_windings(s, shell, s->members[s->start[shell] + member], winding);
	}
	const bool inwards = s->repair->volume[shell] < 0;
	if (inwards ? 2 * winding[0] <= samples : 2 * winding[1] > samples)
		flip_shell(s, shell, flipped);
}

static bool shells_make(shells *s, oz_repair *r)
{
	*s = (shells){.repair = r,
	              .order = malloc(sizeof *s->order * r->shell_count),
	              .rank = malloc(sizeof *s->rank * r->shell_count),
	              .start = calloc((size_t)r->shell_count + 1, sizeof *s->start),
	              .members = malloc(sizeof *s->members * (r->mesh.triangle_count + r->fans)),
	              .flipped = calloc(r->shell_count, 1)};
	if (!(s->order && s->rank && s->start && s->members && s->flipped) || !rank_shells(s))
		return false;
	list_members(s);
	return true;
}

static void shells_free(shells *s)
{
	oz_mesh_lines_free(&s->lines);
	free(s->order);
	free(s->rank);
	free(s->start);
	free(s->members);
	free(s->flipped);
}

bool oz_repair_flip_shells(oz_repair *r, const oz_mesh_report *report, uint8_t *flipped)
{
	bool some = false;
	for (uint32_t k = 0; k < r->shell_count && !some; k++)
		some = r->volume[k] < 0;
	if (!some)
		return true;
	const oz_mesh whole = {r->mesh.vertices, r->mesh.vertex_count, r->mesh.triangles,
	                       r->mesh.triangle_count + r->fans};
	shells s;
	bool room = shells_make(&s, r);
	if (room && r->shell_count > 1)
		room = oz_mesh_lines_make(&s.lines, &whole, report->min, report->max, 0);
	bool found = false;
	for (uint32_t k = 0; k < r->shell_count && room; k++) {
		// an outward shell needs no check unless a larger shell faces inwards
		if (!found && r->volume[s.order[k]] >= 0)
			continue;
		if (r->shell_count == 1)
			flip_shell(&s, 0, flipped);
		else
			flip_if_wrong(&s, s.order[k], flipped);
		found = true;
	}
	shells_free(&s);
	return room;
}
