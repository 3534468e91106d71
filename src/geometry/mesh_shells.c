// mesh_shells.c: which shells of a mesh face the wrong way.
//
// A shell that faces inwards is a hollow where it lies in another, and a mistake where it does not.
// Lines through some of its triangles tell how larger shells, their holes closed, wind around
// them. Where the other one was itself inside out, so was the whole mesh, and
// hollows in it face outwards: they are turned with it.
#include <math.h>
#include <stdlib.h>

#include "geometry/mesh_lines.h"
#include "geometry/mesh_repair.h"

enum { SAMPLES = 32 };

typedef struct shells {
	oz_repair *repair;
	oz_mesh_lines lines;
	uint32_t *order;   // shells, largest first
	uint32_t *rank;    // of each shell in that
	uint32_t *start;   // of each shell's triangles
	uint32_t *members; // triangles, shell by shell
	uint8_t *turned;   // each shell
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

static void turn_shell(shells *s, uint32_t shell, uint8_t *turned)
{
	for (uint32_t i = s->start[shell]; i < s->start[shell + 1]; i++) {
		const uint32_t triangle = s->members[i];
		oz_turn(s->repair->mesh.triangles[triangle]);
		if (triangle < s->repair->mesh.triangle_count)
			turned[triangle] ^= 1;
	}
	s->repair->volume[shell] = -s->repair->volume[shell];
	s->turned[shell] = 1;
}

static double middle(const oz_mesh *m, const uint32_t t[3], int axis)
{
	return (oz_along(m->vertices[t[0]], axis) + oz_along(m->vertices[t[1]], axis) +
	        oz_along(m->vertices[t[2]], axis)) /
	       3;
}

// How often larger shells wind around a triangle: all of them, and those that were turned.
static void look_around(const shells *s, uint32_t shell, uint32_t triangle, int winding[2])
{
	const oz_repair *r = s->repair;
	const uint32_t *t = r->mesh.triangles[triangle];
	const double u = middle(&r->mesh, t, s->lines.axis[0]);
	oz_line line = oz_line_at(&s->lines, middle(&r->mesh, t, s->lines.axis[1]),
	                          middle(&r->mesh, t, s->lines.axis[2]));
	oz_pierce pierce;
	while (oz_line_next(&s->lines, &line, &pierce)) {
		const uint32_t other = r->shell[pierce.triangle];
		if (s->rank[other] >= s->rank[shell])
			continue;
		const int winding_step = pierce.u <= u ? pierce.winding_step : 0;
		winding[0] += winding_step;
		winding[1] += s->turned[other] ? winding_step : 0;
	}
}

static void judge_shell(shells *s, uint32_t shell, uint8_t *turned)
{
	const uint32_t count = s->start[shell + 1] - s->start[shell];
	const int samples = count < SAMPLES ? (int)count : SAMPLES;
	int winding[2] = {0, 0};
	for (int i = 0; i < samples; i++) {
		const uint32_t member = (uint32_t)((uint64_t)i * count / (uint64_t)samples);
		look_around(s, shell, s->members[s->start[shell] + member], winding);
	}
	const bool inwards = s->repair->volume[shell] < 0;
	if (inwards ? 2 * winding[0] <= samples : 2 * winding[1] > samples)
		turn_shell(s, shell, turned);
}

static bool shells_make(shells *s, oz_repair *r)
{
	*s = (shells){.repair = r,
	              .order = malloc(sizeof *s->order * r->shell_count),
	              .rank = malloc(sizeof *s->rank * r->shell_count),
	              .start = calloc((size_t)r->shell_count + 1, sizeof *s->start),
	              .members = malloc(sizeof *s->members * (r->mesh.triangle_count + r->fans)),
	              .turned = calloc(r->shell_count, 1)};
	if (!(s->order && s->rank && s->start && s->members && s->turned) || !rank_shells(s))
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
	free(s->turned);
}

bool oz_repair_turn_shells(oz_repair *r, const oz_mesh_report *report, uint8_t *turned)
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
		// what faces outwards is left alone until something larger was turned
		if (!found && r->volume[s.order[k]] >= 0)
			continue;
		if (r->shell_count == 1)
			turn_shell(&s, 0, turned);
		else
			judge_shell(&s, s.order[k], turned);
		found = true;
	}
	shells_free(&s);
	return room;
}
