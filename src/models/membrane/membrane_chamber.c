// membrane_chamber.c: the closed shells of a body, each with a filling of its own; valves.
#include <math.h>
#include <stdlib.h>
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

// writes the lowest point of the shell of each point; returns the number of shells
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
	for (uint32_t i = 0; i < a->count; i++) {
		shell[i] = lowest_of(shell, i);
		shells += shell[i] == i;
	}
	return shells;
}

// buffers for an addition of a part of the points
typedef struct shell_work {
	oz_vec3 *points;
	uint32_t *shell, *rank, *index; // index: of each point in its shell
	uint32_t (*triangles)[3];
} shell_work;

// the part of an addition whose lowest point is `lowest`
static oz_addition part_of(const oz_addition *a, const shell_work *w, uint32_t lowest)
{
	oz_addition part = *a;
	part.count = part.triangle_count = 0;
	for (uint32_t i = 0; i < a->count; i++) {
		if (w->shell[i] != lowest)
			continue;
		w->points[part.count] = a->points[i];
		w->rank[part.count] = a->rank ? a->rank[i] : i;
		w->index[i] = part.count++;
	}
	for (uint32_t t = 0; t < a->triangle_count; t++) {
		if (w->shell[a->triangles[t][0]] != lowest)
			continue;
		for (int k = 0; k < 3; k++)
			w->triangles[part.triangle_count][k] = w->index[a->triangles[t][k]];
		part.triangle_count++;
	}
	part.points = w->points;
	part.rank = w->rank;
	part.triangles = (const uint32_t(*)[3])w->triangles;
	return part;
}

bool oz_membrane_divide(oz_sim *sim, oz_membrane *m, const oz_addition *a,
                        bool (*add)(oz_sim *sim, oz_membrane *membrane, const oz_addition *part))
{
	shell_work w = {.points = malloc(sizeof *w.points * a->count),
	                .shell = malloc(sizeof *w.shell * a->count),
	                .rank = malloc(sizeof *w.rank * a->count),
	                .index = malloc(sizeof *w.index * a->count),
	                .triangles = malloc(sizeof *w.triangles * a->triangle_count)};
	bool all = w.points && w.shell && w.rank && w.index && w.triangles;
	if (all && find_shells(a, w.shell) == 1)
		all = add(sim, m, a);
	else
		for (uint32_t i = 0; i < a->count && all; i++)
			if (w.shell[i] == i) {
				const oz_addition part = part_of(a, &w, i);
				all = add(sim, m, &part);
			}
	free(w.points);
	free(w.shell);
	free(w.rank);
	free(w.index);
	free(w.triangles);
	return all;
}

// ---- state -------------------------------------------------------------------------------------

// what a chamber holds: mol of gas, m³ of a liquid
static double *held_by(const oz_sim *sim, oz_membrane_body *b)
{
	return oz_membrane_material(sim, b)->filling == OZ_FILLING_LIQUID ? &b->filled : &b->amount;
}

// adds a chamber to the sums; pressure and temperature times the volume
static void add_state(const oz_sim *sim, oz_membrane_body *b, oz_membrane_state *s)
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
	oz_membrane_body *only = NULL;
	uint32_t number = 0;
	for (uint32_t k = 0; k < m->bodies.count; k++) {
		oz_membrane_body *b = &oz_membrane_bodies(m)[k];
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
	for (uint32_t k = 0; k < m->bodies.count; k++) {
		oz_membrane_body *b = &oz_membrane_bodies(m)[k];
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

void oz_membrane_turn_valve(const oz_material_def *def, oz_membrane_body *b, double from, double to)
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
