// membrane_save.c: membranes in snapshots, and checks of those that were loaded.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "models/membrane/membrane.h"

void oz_membrane_save(const oz_sim *sim, const void *state, oz_section *s)
{
	const oz_membrane *m = state;
	const uint32_t counts[4] = {m->chambers.count, m->faces.count, m->edges.count,
	                            m->slots.count};
	const oz_membrane_face *faces = m->faces.count ? oz_membrane_view_faces(sim, m) : NULL;
	const oz_membrane_edge *edges = m->edges.count ? oz_membrane_view_edges(sim, m) : NULL;
	s->failed = s->failed || (m->faces.count && !faces) || (m->edges.count && !edges);
	oz_section_put(s, counts, sizeof counts);
	oz_section_put(s, m->chambers.items, sizeof(oz_membrane_chamber) * counts[0]);
	if (faces)
		oz_section_put(s, faces, sizeof *faces * counts[1]);
	if (edges)
		oz_section_put(s, edges, sizeof *edges * counts[2]);
	oz_section_put(s, m->slots.items, sizeof(uint32_t) * counts[3]);
}

// reads `count` elements; false: out of memory, or the section is too short
static bool get_array(oz_sim *sim, oz_section *s, oz_array *array, uint32_t count)
{
	for (uint32_t k = 0; k < count && !s->failed; k++) {
		void *item = oz_array_add(sim->heap, array);
		if (!item)
			return false;
		oz_section_get(s, item, array->size);
	}
	return true;
}

oz_result oz_membrane_load(oz_sim *sim, void *state, oz_section *s, oz_error *error)
{
	oz_membrane *m = state;
	uint32_t counts[4] = {0};
	oz_section_get(s, counts, sizeof counts);
	bool room = get_array(sim, s, &m->chambers, counts[0]) &&
	            get_array(sim, s, &m->faces, counts[1]) &&
	            get_array(sim, s, &m->edges, counts[2]) &&
	            get_array(sim, s, &m->slots, counts[3]);
	for (uint32_t k = 0; k < counts[0] && room && !s->failed; k++)
		room = oz_array_add(sim->heap, &m->now) && oz_array_add(sim->heap, &m->sums);
	if (!room)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for membranes of %u points; close other programs",
		               counts[3]);
	return s->failed ? oz_section_fail_short("membranes", error) : OZ_OK;
}

// ---- checks ------------------------------------------------------------------------------------

static const char *check_chamber(const oz_sim *sim, const oz_membrane *m,
                                 const oz_membrane_chamber *b, const oz_membrane_chamber *before)
{
	const double *numbers = &b->amount;
	for (size_t n = 0; n < offsetof(oz_membrane_chamber, body) / sizeof *numbers; n++)
		if (!isfinite(numbers[n]) || fabs(numbers[n]) > 1e30)
			return "a membrane has a number that is not finite";
	if (b->body >= sim->bodies.count || oz_membrane_material(sim, b)->model != OZ_MEMBRANE)
		return "a membrane names a body that is none";
	if (b->first_vertex != (before ? before->first_vertex + before->vertices : 0) ||
	    b->first_face != (before ? before->first_face + before->faces : 0) ||
	    b->first_edge != (before ? before->first_edge + before->edges : 0) ||
	    b->vertices > m->slots.count - b->first_vertex ||
	    b->faces > m->faces.count - b->first_face || b->edges > m->edges.count - b->first_edge)
		return "the points, faces and edges of membranes do not follow each other";
	return NULL;
}

static bool is_within(uint32_t number, uint32_t first, uint32_t count)
{
	return number >= first && number - first < count;
}

static const char *check_faces(const oz_membrane *m, const oz_membrane_chamber *b, uint32_t chamber)
{
	const oz_membrane_face *faces = (const oz_membrane_face *)m->faces.items + b->first_face;
	for (uint32_t k = 0; k < b->faces; k++) {
		const oz_membrane_face *f = &faces[k];
		const float numbers = f->grad_xx + f->grad_xy + f->grad_yy + f->area;
		if (!isfinite(numbers) || f->chamber != chamber ||
		    !is_within(f->corner[0], b->first_vertex, b->vertices) ||
		    !is_within(f->corner[1], b->first_vertex, b->vertices) ||
		    !is_within(f->corner[2], b->first_vertex, b->vertices))
			return "a face of a membrane cannot be";
	}
	return NULL;
}

static const char *check_edges(const oz_membrane *m, const oz_membrane_chamber *b, uint32_t chamber)
{
	const oz_membrane_edge *edges = (const oz_membrane_edge *)m->edges.items + b->first_edge;
	for (uint32_t k = 0; k < b->edges; k++) {
		const oz_membrane_edge *e = &edges[k];
		const float numbers = e->length + e->angle + e->bend + e->spring;
		if (!isfinite(numbers) || !(e->length > 0) || !(e->bend >= 0) ||
		    !(e->spring >= 0) || e->chamber != chamber ||
		    !is_within(e->a, b->first_vertex, b->vertices) ||
		    !is_within(e->b, b->first_vertex, b->vertices) ||
		    !is_within(e->c, b->first_vertex, b->vertices) ||
		    !is_within(e->d, b->first_vertex, b->vertices) ||
		    !is_within(e->face[0], b->first_face, b->faces) ||
		    !is_within(e->face[1], b->first_face, b->faces))
			return "an edge of a membrane cannot be";
	}
	return NULL;
}

// every vertex has a slot of its own
static const char *check_slots(oz_sim *sim, const oz_membrane *m)
{
	const uint32_t *slots = m->slots.items;
	const size_t size = (size_t)sim->slots->count + 1;
	uint8_t *taken = oz_heap_alloc(sim->heap, size);
	const char *wrong = NULL;
	if (!taken)
		return oz_no_memory_to_check;
	memset(taken, 0, size);
	for (uint32_t k = 0; k < m->slots.count && !wrong; k++) {
		if (slots[k] >= sim->slots->count || taken[slots[k]])
			wrong = "a point of a membrane has no slot of its own";
		else
			taken[slots[k]] = 1;
	}
	oz_heap_free(sim->heap, taken, size);
	return wrong;
}

const char *oz_membrane_check_loaded(oz_sim *sim, void *state)
{
	const oz_membrane *m = state;
	const oz_membrane_chamber *chambers = oz_membrane_chambers(m), *last = NULL;
	const char *wrong = NULL;
	for (uint32_t k = 0; k < m->chambers.count && !wrong; k++) {
		wrong = check_chamber(sim, m, &chambers[k], last);
		wrong = wrong ? wrong : check_faces(m, &chambers[k], k);
		wrong = wrong ? wrong : check_edges(m, &chambers[k], k);
		last = &chambers[k];
	}
	if (!wrong && (m->slots.count != (last ? last->first_vertex + last->vertices : 0) ||
	               m->faces.count != (last ? last->first_face + last->faces : 0) ||
	               m->edges.count != (last ? last->first_edge + last->edges : 0)))
		wrong = "membranes have points, faces or edges of no body";
	return wrong ? wrong : check_slots(sim, m);
}
