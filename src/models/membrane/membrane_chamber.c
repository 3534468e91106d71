// membrane_chamber.c: the closed shells of a body, each with a filling of its own; valves.
#include <math.h>
#include <string.h>

#include "models/membrane/membrane.h"

// ---- shells ------------------------------------------------------------------------------------

// the lowest point of the shell of a point
static uint32_t lowest_of(uint32_t *above, uint32_t point)
{
	while (above[point] != point) {
		above[point] = above[above[point]];
		point = above[point];
	}
	return point;
}

// Writes the number of the shell of each point; shells are numbered in the order of their lowest
// points. Returns the number of shells.
static uint32_t find_shells(const oz_addition *a, uint32_t *shell)
{
	uint32_t shells = 0;
	for (uint32_t i = 0; i < a->count; i++)
		shell[i] = i;
	for (uint32_t t = 0; t < a->triangle_count; t++)
		for (int k = 0; k < 2; k++) {
			const uint32_t one = lowest_of(shell, a->triangles[t][k]);
			const uint32_t two = lowest_of(shell, a->triangles[t][k + 1]);
			shell[one > two ? one : two] = one > two ? two : one;
		}
	for (uint32_t i = 0; i < a->count; i++)
		shell[i] = lowest_of(shell, i);
	// the number of a lowest point is written before its other points read it
	for (uint32_t i = 0; i < a->count; i++)
		shell[i] = shell[i] == i ? shells++ : shell[shell[i]];
	return shells;
}

// the points and triangles of an addition in the order of their shells
typedef struct shell_work {
	uint32_t *shell;                      // of each point
	uint32_t *index;                      // of each point in its shell
	uint32_t *points_end, *triangles_end; // of each shell
	oz_vec3 *points;
	uint32_t *rank;
	uint32_t (*triangles)[3]; // of indices in their shell
} shell_work;

static void free_work(oz_sim *sim, const oz_addition *a, const shell_work *w)
{
	uint32_t *const of_points[] = {w->shell, w->index, w->points_end, w->triangles_end,
	                               w->rank};
	for (size_t k = 0; k < sizeof of_points / sizeof *of_points; k++)
		oz_heap_free(sim->heap, of_points[k], sizeof *w->shell * a->count);
	oz_heap_free(sim->heap, w->points, sizeof *w->points * a->count);
	oz_heap_free(sim->heap, w->triangles, sizeof *w->triangles * a->triangle_count);
}

// false: out of memory
static bool alloc_work(oz_sim *sim, const oz_addition *a, shell_work *w)
{
	uint32_t **of_points[] = {&w->shell, &w->index, &w->points_end, &w->triangles_end,
	                          &w->rank};
	bool all = true;
	for (size_t k = 0; k < sizeof of_points / sizeof *of_points; k++) {
		*of_points[k] = oz_heap_alloc(sim->heap, sizeof *w->shell * a->count);
		all = all && *of_points[k];
	}
	w->points = oz_heap_alloc(sim->heap, sizeof *w->points * a->count);
	w->triangles = oz_heap_alloc(sim->heap, sizeof *w->triangles * a->triangle_count);
	return all && w->points && w->triangles;
}

// replaces counts by the sums of those before
static void sum_up(uint32_t *counts, uint32_t count)
{
	uint32_t sum = 0;
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t own = counts[k];
		counts[k] = sum;
		sum += own;
	}
}

static void sort_points(const oz_addition *a, shell_work *w, uint32_t shells)
{
	memset(w->points_end, 0, sizeof *w->points_end * shells);
	for (uint32_t i = 0; i < a->count; i++)
		w->index[i] = w->points_end[w->shell[i]]++;
	sum_up(w->points_end, shells);
	for (uint32_t i = 0; i < a->count; i++) {
		const uint32_t to = w->points_end[w->shell[i]]++;
		w->points[to] = a->points[i];
		w->rank[to] = a->rank ? a->rank[i] : i;
	}
}

static void sort_triangles(const oz_addition *a, shell_work *w, uint32_t shells)
{
	memset(w->triangles_end, 0, sizeof *w->triangles_end * shells);
	for (uint32_t t = 0; t < a->triangle_count; t++)
		w->triangles_end[w->shell[a->triangles[t][0]]]++;
	sum_up(w->triangles_end, shells);
	for (uint32_t t = 0; t < a->triangle_count; t++) {
		const uint32_t to = w->triangles_end[w->shell[a->triangles[t][0]]]++;
		for (int k = 0; k < 3; k++)
			w->triangles[to][k] = w->index[a->triangles[t][k]];
	}
}

// the part of an addition that is a shell
static oz_addition part_of(const oz_addition *a, const shell_work *w, uint32_t shell)
{
	const uint32_t point = shell ? w->points_end[shell - 1] : 0;
	const uint32_t triangle = shell ? w->triangles_end[shell - 1] : 0;
	oz_addition part = *a;
	part.count = w->points_end[shell] - point;
	part.triangle_count = w->triangles_end[shell] - triangle;
	part.points = w->points + point;
	part.rank = w->rank + point;
	part.triangles = (const uint32_t(*)[3])w->triangles + triangle;
	return part;
}

bool oz_membrane_divide(oz_sim *sim, oz_membrane *m, const oz_addition *a,
                        bool (*add)(oz_sim *sim, oz_membrane *membrane, const oz_addition *part))
{
	shell_work w = {0};
	bool all = alloc_work(sim, a, &w);
	const uint32_t shells = all ? find_shells(a, w.shell) : 0;
	if (shells == 1) {
		all = add(sim, m, a);
	} else if (all) {
		sort_points(a, &w, shells);
		sort_triangles(a, &w, shells);
	}
	for (uint32_t k = 0; k < shells && shells > 1 && all; k++) {
		const oz_addition part = part_of(a, &w, k);
		all = add(sim, m, &part);
	}
	free_work(sim, a, &w);
	return all;
}

// ---- state -------------------------------------------------------------------------------------

// what a chamber holds: mol of gas, m³ of a liquid
static double *held_by(const oz_sim *sim, oz_membrane_chamber *b)
{
	return oz_membrane_material(sim, b)->filling == OZ_FILLING_LIQUID ? &b->filled : &b->amount;
}

// adds a chamber to the sums; pressure and temperature times the volume
static void add_state(const oz_sim *sim, oz_membrane_chamber *b, oz_membrane_state *s)
{
	const oz_material_def *def = oz_membrane_material(sim, b);
	s->volume += b->volume;
	s->pressure += b->pressure * b->volume;
	s->temperature += b->temperature * b->volume;
	s->amount += *held_by(sim, b);
	s->area += b->area;
	s->torn += b->torn;
	s->mass += b->vertices * (double)oz_particle_mass(sim, oz_bodies(sim)[b->body].material) +
	           oz_membrane_filling_mass(def, b);
	s->points += b->vertices;
	s->faces += b->faces;
	s->edges += b->edges;
	s->chambers++;
}

bool oz_membrane_get(const oz_sim *sim, oz_id body, uint32_t chamber, oz_membrane_state *state)
{
	const oz_membrane *m = oz_model_state(sim, &oz_membrane_model);
	oz_membrane_state sum = {0};
	oz_membrane_chamber *only = NULL;
	uint32_t number = 0;
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		oz_membrane_chamber *b = &oz_membrane_chambers(m)[k];
		if (b->body != body || (chamber != OZ_NONE && number++ != chamber))
			continue;
		add_state(sim, b, &sum);
		only = b;
	}
	if (!only)
		return false;
	// one chamber: without rounding
	sum.pressure = sum.chambers == 1 ? only->pressure : sum.pressure / sum.volume;
	sum.temperature = sum.chambers == 1 ? only->temperature : sum.temperature / sum.volume;
	*state = sum;
	return true;
}

bool oz_membrane_fill(oz_sim *sim, oz_id body, double amount)
{
	const oz_membrane *m = oz_model_state(sim, &oz_membrane_model);
	oz_membrane_state all;
	if (!oz_membrane_get(sim, body, OZ_NONE, &all))
		return false;
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		oz_membrane_chamber *b = &oz_membrane_chambers(m)[k];
		if (b->body != body)
			continue;
		double *held = held_by(sim, b);
		const double share = all.chambers == 1 ? 1
		                     : all.amount > 0  ? *held / all.amount
		                                       : b->volume / fmax(all.volume, 1e-30);
		*held = share * amount;
	}
	return true;
}

// ---- valves ------------------------------------------------------------------------------------

// the value of a table at x, linear between points
static double value_at(const oz_curve *table, double x)
{
	uint32_t k = 0;
	while (k < table->count && x >= (double)table->points[k][0])
		k++;
	if (k == 0 || k == table->count)
		return (double)table->points[k ? k - 1 : 0][1];
	const float *from = table->points[k - 1], *to = table->points[k];
	const double share = (x - (double)from[0]) / ((double)to[0] - (double)from[0]);
	return (double)from[1] + share * ((double)to[1] - (double)from[1]);
}

void oz_membrane_turn_valve(const oz_material_def *def, oz_membrane_chamber *b, double from,
                            double to)
{
	if (def->filling_table.count == 0)
		return;
	const double ratio =
	        value_at(&def->filling_table, to) / value_at(&def->filling_table, from);
	b->amount *= ratio;
	b->filled *= ratio;
}

double oz_membrane_opening(const oz_material_def *def, double time)
{
	return def->opening_table.count ? value_at(&def->opening_table, time)
	                                : (double)def->opening;
}
