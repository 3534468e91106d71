// membrane_copy.c: the mesh on the device, made anew when chambers were added; scratch of a step.
#include <math.h>
#include <string.h>

#include "models/membrane/membrane.h"
#include "solver/cg.h"

// ---- buffers -----------------------------------------------------------------------------------

typedef struct buffer {
	void *at; // address of the pointer
	size_t size;
} buffer;

#define BUFFERS 16

// lists the device buffers with their sizes for a mesh
static void list_buffers(oz_membrane_buffers *b, const oz_membrane_counts *n, buffer list[BUFFERS])
{
	const size_t parts = 3 * (size_t)n->faces + 4 * (size_t)n->edges;
	const size_t chunks = n->face_chunks > n->vertex_chunks ? n->face_chunks : n->vertex_chunks;
	const buffer all[BUFFERS] = {
	        {&b->faces, sizeof *b->faces * n->faces},
	        {&b->edges, sizeof *b->edges * n->edges},
	        {&b->slot_of, sizeof *b->slot_of * n->vertices},
	        {&b->chamber_of, sizeof *b->chamber_of * n->vertices},
	        {&b->start, sizeof *b->start * ((size_t)n->vertices + 1)},
	        {&b->parts, sizeof *b->parts * parts},
	        {&b->link_start, sizeof *b->link_start * ((size_t)n->vertices + 1)},
	        {&b->link, sizeof *b->link * 4 * (size_t)n->edges},
	        {&b->spring_sum, sizeof *b->spring_sum * n->vertices},
	        {&b->rest_crowd, sizeof *b->rest_crowd * n->vertices},
	        {&b->face_chunks, sizeof *b->face_chunks * n->face_chunks},
	        {&b->vertex_chunks, sizeof *b->vertex_chunks * n->vertex_chunks},
	        {&b->chunk_sums, sizeof *b->chunk_sums * chunks},
	        {&b->sums, sizeof *b->sums * n->chambers},
	        {&b->chambers, sizeof *b->chambers * n->chambers},
	        {&b->cg_sums, sizeof *b->cg_sums * oz_cg_sums(n->vertices)},
	};
	memcpy(list, all, sizeof all);
}

void oz_membrane_release(oz_sim *sim, oz_membrane *m)
{
	buffer list[BUFFERS];
	if (m->counts.vertices == 0)
		return;
	list_buffers(&m->on_device, &m->counts, list);
	for (int k = 0; k < BUFFERS; k++) {
		void *at;
		memcpy(&at, list[k].at, sizeof at);
		sim->device->ops->release(sim->device, at, list[k].size);
	}
	m->on_device = (oz_membrane_buffers){0};
	m->counts = (oz_membrane_counts){0};
}

// allocates the buffers on the device for the present mesh; false: out of memory
static bool alloc_buffers(oz_sim *sim, oz_membrane *m)
{
	buffer list[BUFFERS];
	bool all = true;
	list_buffers(&m->on_device, &m->counts, list);
	for (int k = 0; k < BUFFERS; k++) {
		void *at = all ? sim->device->ops->alloc(sim->device, list[k].size) : NULL;
		memcpy(list[k].at, &at, sizeof at);
		all = at != NULL;
	}
	return all;
}

// ---- copying -----------------------------------------------------------------------------------

const oz_membrane_face *oz_membrane_view_faces(const oz_sim *sim, const oz_membrane *m)
{
	oz_device *d = sim->device;
	if (m->counts.faces != m->faces.count)
		return m->faces.items;
	return d->ops->view(d, m->on_device.faces, sizeof *m->on_device.faces * m->counts.faces);
}

const oz_membrane_edge *oz_membrane_view_edges(const oz_sim *sim, const oz_membrane *m)
{
	oz_device *d = sim->device;
	if (m->counts.edges != m->edges.count || m->edges_changed)
		return m->edges.items;
	return d->ops->view(d, m->on_device.edges, sizeof *m->on_device.edges * m->counts.edges);
}

bool oz_membrane_fetch_edges(const oz_sim *sim, oz_membrane *m)
{
	oz_device *d = sim->device;
	if (m->counts.edges == 0 || m->edges_changed)
		return true;
	const oz_membrane_edge *now =
	        d->ops->view(d, m->on_device.edges, sizeof *now * m->counts.edges);
	if (now)
		memcpy(m->edges.items, now, sizeof *now * m->counts.edges);
	return now != NULL;
}

// Copies faces and edges to the host: on the device faces tear, and skins flow.
static bool fetch_mesh(oz_sim *sim, oz_membrane *m)
{
	oz_device *d = sim->device;
	const oz_membrane_face *now =
	        d->ops->view(d, m->on_device.faces, sizeof *now * m->counts.faces);
	if (now)
		memcpy(m->faces.items, now, sizeof *now * m->counts.faces);
	return now && oz_membrane_fetch_edges(sim, m);
}

// the number of chunks of OZ_MEMBRANE_CHUNK items
static uint32_t chunks_of(uint32_t items)
{
	return (items + OZ_MEMBRANE_CHUNK - 1) / OZ_MEMBRANE_CHUNK;
}

static void write_chunks(oz_sim *sim, oz_membrane_chunk *to, uint32_t at, uint32_t first,
                         uint32_t count, uint32_t chamber)
{
	for (uint32_t done = 0; done < count; done += OZ_MEMBRANE_CHUNK, at++) {
		const oz_membrane_chunk chunk = {first + done,
		                                 count - done < OZ_MEMBRANE_CHUNK
		                                         ? count - done
		                                         : OZ_MEMBRANE_CHUNK,
		                                 chamber, 0};
		sim->device->ops->write(sim->device, to, sizeof chunk * at, &chunk, sizeof chunk);
	}
}

// sets the indices of the chunks of each chamber
static void count_chunks(oz_membrane *m)
{
	m->counts.face_chunks = m->counts.vertex_chunks = 0;
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		const oz_membrane_chamber *b = &oz_membrane_chambers(m)[k];
		oz_membrane_chamber_now *n = &oz_membrane_now(m)[k];
		n->first_vertex = b->first_vertex;
		n->face_chunk = m->counts.face_chunks;
		n->face_chunks = chunks_of(b->faces);
		n->vertex_chunk = m->counts.vertex_chunks;
		n->vertex_chunks = chunks_of(b->vertices);
		m->counts.face_chunks += n->face_chunks;
		m->counts.vertex_chunks += n->vertex_chunks;
	}
}

// the index of the vertex that a part acts on; first 3 parts for each face, then 4 for each edge
static uint32_t vertex_of_part(const oz_membrane *m, uint32_t part)
{
	const oz_membrane_face *faces = m->faces.items;
	const oz_membrane_edge *edges = m->edges.items;
	const uint32_t of_faces = 3 * m->faces.count;
	if (part < of_faces)
		return faces[part / 3].corner[part % 3];
	const oz_membrane_edge *e = &edges[(part - of_faces) / 4];
	const uint32_t ends[4] = {e->a, e->b, e->c, e->d};
	return ends[(part - of_faces) % 4];
}

// Writes the parts of each vertex in rising order. `start` has two elements more than there are
// vertices; all are 0 before.
static void find_parts(const oz_membrane *m, uint32_t *start, uint32_t *parts)
{
	const uint32_t count = 3 * m->faces.count + 4 * m->edges.count;
	for (uint32_t k = 0; k < count; k++)
		start[vertex_of_part(m, k) + 2]++;
	for (uint32_t v = 0; v < m->slots.count; v++)
		start[v + 2] += start[v + 1];
	for (uint32_t k = 0; k < count; k++)
		parts[start[vertex_of_part(m, k) + 1]++] = k;
}

// writes start and parts of all vertices to the device; false: out of memory
static bool write_parts(oz_sim *sim, const oz_membrane *m)
{
	oz_device *d = sim->device;
	const uint32_t vertices = m->slots.count;
	const size_t part_size =
	        sizeof(uint32_t) * (3 * (size_t)m->faces.count + 4 * (size_t)m->edges.count);
	const size_t start_size = sizeof(uint32_t) * ((size_t)vertices + 2);
	uint32_t *start = oz_heap_alloc(sim->heap, start_size);
	uint32_t *parts = oz_heap_alloc(sim->heap, part_size);
	if (start && parts) {
		memset(start, 0, start_size);
		find_parts(m, start, parts);
		d->ops->write(d, m->on_device.start, 0, start, start_size - sizeof *start);
		d->ops->write(d, m->on_device.parts, 0, parts, part_size);
	}
	oz_heap_free(sim->heap, start, start_size);
	oz_heap_free(sim->heap, parts, part_size);
	return start && parts;
}

// Writes for each edge of each vertex the vertex at its other end, and twice the edge, plus 1 if
// the vertex is its b. `start` has two elements more than there are vertices; all are 0 before.
static void find_links(const oz_membrane *m, uint32_t *start, uint32_t *link)
{
	const oz_membrane_edge *edges = m->edges.items;
	for (uint32_t e = 0; e < m->edges.count; e++) {
		start[edges[e].a + 2]++;
		start[edges[e].b + 2]++;
	}
	for (uint32_t v = 0; v < m->slots.count; v++)
		start[v + 2] += start[v + 1];
	for (uint32_t e = 0; e < m->edges.count; e++) {
		const uint32_t ends[2] = {edges[e].a, edges[e].b};
		for (int k = 0; k < 2; k++) {
			const uint32_t at = start[ends[k] + 1]++;
			link[2 * at] = ends[1 - k];
			link[2 * at + 1] = 2 * e + (uint32_t)k;
		}
	}
}

// writes link_start and link of all vertices to the device; false: out of memory
static bool write_links(oz_sim *sim, const oz_membrane *m)
{
	oz_device *d = sim->device;
	const size_t link_size = sizeof(uint32_t) * 4 * (size_t)m->edges.count;
	const size_t start_size = sizeof(uint32_t) * ((size_t)m->slots.count + 2);
	uint32_t *start = oz_heap_alloc(sim->heap, start_size);
	uint32_t *link = oz_heap_alloc(sim->heap, link_size);
	if (start && link) {
		memset(start, 0, start_size);
		find_links(m, start, link);
		d->ops->write(d, m->on_device.link_start, 0, start, start_size - sizeof *start);
		d->ops->write(d, m->on_device.link, 0, link, link_size);
	}
	oz_heap_free(sim->heap, start, start_size);
	oz_heap_free(sim->heap, link, link_size);
	return start && link;
}

// writes the body of each vertex and the sum of the spring stiffnesses of its edges
static bool write_vertices(oz_sim *sim, const oz_membrane *m)
{
	oz_device *d = sim->device;
	const oz_membrane_edge *edges = m->edges.items;
	const size_t size = sizeof(uint32_t) * m->slots.count;
	uint32_t *chamber_of = oz_heap_alloc(sim->heap, size);
	float *springs = oz_heap_alloc(sim->heap, size);
	if (chamber_of && springs) {
		memset(springs, 0, size);
		for (uint32_t k = 0; k < m->chambers.count; k++)
			for (uint32_t v = 0; v < oz_membrane_chambers(m)[k].vertices; v++)
				chamber_of[oz_membrane_chambers(m)[k].first_vertex + v] = k;
		for (uint32_t k = 0; k < m->edges.count; k++) {
			springs[edges[k].a] += edges[k].spring;
			springs[edges[k].b] += edges[k].spring;
		}
		d->ops->write(d, m->on_device.chamber_of, 0, chamber_of, size);
		d->ops->write(d, m->on_device.spring_sum, 0, springs, size);
	}
	oz_heap_free(sim->heap, chamber_of, size);
	oz_heap_free(sim->heap, springs, size);
	return chamber_of && springs;
}

// what edge e adds to the stiffness of bending at its ends and at the opposite vertices, N/m
static void add_bending(const oz_membrane *m, const oz_membrane_edge *e, float *bend)
{
	const oz_membrane_face *faces = m->faces.items;
	const float one = 0.5f * e->length / fabsf(faces[e->face[0]].area);
	const float two = 0.5f * e->length / fabsf(faces[e->face[1]].area);
	bend[e->c] += e->bend * one * one;
	bend[e->d] += e->bend * two * two;
	bend[e->a] += e->bend * (one + two) * (one + two);
	bend[e->b] += e->bend * (one + two) * (one + two);
}

// The stiffness of the filling of a chamber, - dP/dV Σ|∂V/∂x|², N/m.
static double bound_filling(const oz_membrane *m, const oz_membrane_chamber *b,
                            const oz_material_def *def)
{
	const oz_membrane_face *faces = (const oz_membrane_face *)m->faces.items + b->first_face;
	const double gas = (double)def->outside_pressure + fmax(b->pressure, 0);
	const double pressure = def->filling == OZ_FILLING_LIQUID ? (double)def->bulk_modulus
	                        : def->filling == OZ_FILLING_GAS  ? gas
	                                                          : 0;
	double area = 0;
	for (uint32_t k = 0; k < b->faces; k++)
		area += fabs((double)faces[k].area);
	area *= (double)def->prestretch * (double)def->prestretch;
	return pressure / fmax(b->volume, 1e-30) * area * area / b->vertices;
}

// bounds of the eigenvalues of a chamber's stiffness over mass, from the sums at each vertex
static void bound_chamber(const oz_sim *sim, oz_membrane *m, const oz_membrane_chamber *b,
                          const float *springs, const float *bend)
{
	const oz_material_def *def = oz_membrane_material(sim, b);
	const float mass = oz_particle_mass(sim, oz_bodies(sim)[b->body].material);
	const float shrink = 1 - fmaxf(def->poisson_ratio, 0.33f);
	m->stiff.springs = m->stiff.springs && def->skin_law == OZ_SKIN_SPRINGS;
	m->stiff.filling = fmaxf(m->stiff.filling, (float)bound_filling(m, b, def) / mass);
	for (uint32_t v = b->first_vertex; v < b->first_vertex + b->vertices; v++) {
		m->stiff.stretch = fmaxf(m->stiff.stretch, 2 * springs[v] / (mass * shrink));
		m->stiff.bend = fmaxf(m->stiff.bend, 4 * bend[v] / mass);
	}
}

// finds the bounds `stiff` over all chambers; false: out of memory
static bool find_stiffness(oz_sim *sim, oz_membrane *m)
{
	const oz_membrane_edge *edges = m->edges.items;
	const size_t size = sizeof(float) * m->slots.count;
	float *springs = oz_heap_alloc(sim->heap, size), *bend = oz_heap_alloc(sim->heap, size);
	const bool room = springs && bend;
	m->stiff = (oz_membrane_stiffness){.springs = true};
	if (room) {
		memset(springs, 0, size);
		memset(bend, 0, size);
		for (uint32_t k = 0; k < m->edges.count; k++) {
			springs[edges[k].a] += edges[k].spring;
			springs[edges[k].b] += edges[k].spring;
			add_bending(m, &edges[k], bend);
		}
		for (uint32_t k = 0; k < m->chambers.count; k++)
			bound_chamber(sim, m, &oz_membrane_chambers(m)[k], springs, bend);
	}
	oz_heap_free(sim->heap, springs, size);
	oz_heap_free(sim->heap, bend, size);
	return room;
}

// writes the edges and what depends on their stiffness to the device; false: out of memory
static bool copy_edges(oz_sim *sim, oz_membrane *m)
{
	oz_device *d = sim->device;
	d->ops->write(d, m->on_device.edges, 0, m->edges.items,
	              sizeof(oz_membrane_edge) * m->edges.count);
	m->edges_changed = !(write_vertices(sim, m) && find_stiffness(sim, m));
	return !m->edges_changed;
}

// copies the mesh of all chambers to the device, anew; false: out of memory
static bool copy_mesh(oz_sim *sim, oz_membrane *m)
{
	oz_device *d = sim->device;
	if (m->counts.faces && !fetch_mesh(sim, m))
		return false;
	oz_membrane_release(sim, m);
	count_chunks(m);
	m->counts.vertices = m->slots.count;
	m->counts.faces = m->faces.count;
	m->counts.edges = m->edges.count;
	m->counts.chambers = m->chambers.count;
	if (!alloc_buffers(sim, m))
		return false;
	const oz_membrane_buffers *b = &m->on_device;
	d->ops->write(d, b->faces, 0, m->faces.items, sizeof *b->faces * m->faces.count);
	d->ops->write(d, b->slot_of, 0, m->slots.items, sizeof *b->slot_of * m->slots.count);
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		const oz_membrane_chamber *chamber = &oz_membrane_chambers(m)[k];
		const oz_membrane_chamber_now *now = &oz_membrane_now(m)[k];
		write_chunks(sim, b->face_chunks, now->face_chunk, chamber->first_face,
		             chamber->faces, k);
		write_chunks(sim, b->vertex_chunks, now->vertex_chunk, chamber->first_vertex,
		             chamber->vertices, k);
	}
	return write_parts(sim, m) && write_links(sim, m) && copy_edges(sim, m);
}

// ---- scratch -----------------------------------------------------------------------------------

oz_result oz_membrane_done(oz_sim *sim, void *state, oz_error *error)
{
	oz_membrane_work *w = &((oz_membrane *)state)->work;
	const void *taken[] = {w->place, w->direction, w->residual,  w->image, w->delta_v,
	                       w->outer, w->swell,     w->stretched, w->bent,  w->taut,
	                       w->block, w->part,      w->brace};
	(void)error;
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	oz_membrane_give_surface(sim, &w->surface);
	*w = (oz_membrane_work){0};
	return OZ_OK;
}

// takes the scratch of a step; false: out of memory
static bool take_work(oz_sim *sim, oz_membrane *m)
{
	oz_membrane_work *w = &m->work;
	const size_t faces = 3 * (size_t)m->faces.count, edges = m->edges.count;
	oz_float4 **of_vertices[] = {&w->place,   &w->direction, &w->residual, &w->image,
	                             &w->delta_v, &w->outer,     &w->swell};
	bool all = true;
	for (size_t k = 0; k < sizeof of_vertices / sizeof *of_vertices && all; k++)
		all = (*of_vertices[k] =
		               OZ_TAKE(&sim->scratch, oz_float4, "vertices", m->slots.count));
	all = all && (w->stretched = OZ_TAKE(&sim->scratch, oz_float4, "faces", faces));
	all = all && (w->bent = OZ_TAKE(&sim->scratch, oz_float4, "edges", 3 * edges));
	all = all && (w->taut = OZ_TAKE(&sim->scratch, oz_float4, "springs", edges));
	all = all &&
	      (w->brace = OZ_TAKE(&sim->scratch, cg_block, "preconditioner", m->slots.count));
	all = all && (w->block = OZ_TAKE(&sim->scratch, oz_float4, "matrices of edges", 3 * edges));
	all = all && (w->part = OZ_TAKE(&sim->scratch, oz_float4, "parts", faces + 4 * edges));
	return all && oz_membrane_take_surface(sim, m, &w->surface);
}

static oz_result no_memory(const oz_membrane *m, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for membranes of %u points; use a larger spacing",
	               m->slots.count);
}

oz_result oz_membrane_copy(oz_sim *sim, oz_membrane *m, oz_error *error)
{
	if (!m->failed && m->counts.chambers == m->chambers.count)
		return !m->edges_changed || copy_edges(sim, m) ? OZ_OK : no_memory(m, error);
	if (!m->failed && copy_mesh(sim, m))
		return OZ_OK;
	oz_membrane_release(sim, m);
	return no_memory(m, error);
}

oz_result oz_membrane_reserve(oz_sim *sim, void *state, oz_error *error)
{
	oz_membrane *m = state;
	const oz_result result = oz_membrane_copy(sim, m, error);
	if (result != OZ_OK || m->chambers.count == 0)
		return result;
	if (take_work(sim, m))
		return OZ_OK;
	// the copy stays: faces tear on the device
	oz_membrane_done(sim, state, NULL);
	return no_memory(m, error);
}
