// chart.c: charts are made, shared and asked.
//
// Which blocks there are is told by the distance at their centres: those that come no nearer to the
// surface than `reach` are left out. The nodes of the others are asked for block by block;
// those on a face between two blocks once.
#include <math.h>
#include <string.h>

#include "boundary/chart_data.h"
#include "device/pool.h"

#define MOST_PLACES ((uint64_t)1 << 28)
#define MOST_BLOCKS (UINT32_MAX / OZ_CHART_NODES - 2)

static size_t place_bytes(const oz_chart *c)
{
	return sizeof *c->places * c->place_count;
}

static size_t lead_bytes(const oz_chart *c)
{
	return sizeof *c->leads * OZ_CHART_NODES * c->block_count;
}

static void chart_free(oz_chart *c)
{
	oz_heap heap = c->heap;
	oz_heap_free(&heap, c->places, place_bytes(c));
	oz_heap_free(&heap, c->leads, lead_bytes(c));
	oz_heap_free(&heap, c, sizeof *c);
}

oz_chart *oz_chart_alloc(const oz_chart_frame *frame, uint32_t block_count, const oz_hooks *hooks)
{
	oz_heap heap;
	oz_heap_init(&heap, hooks);
	oz_chart *c = oz_heap_alloc(&heap, sizeof *c);
	if (!c)
		return NULL;
	*c = (oz_chart){.frame = *frame,
	                .place_count = oz_chart_place_count(frame),
	                .block_count = block_count};
	atomic_init(&c->holders, 1);
	c->places = oz_heap_alloc(&heap, place_bytes(c));
	c->leads = oz_heap_alloc(&heap, lead_bytes(c));
	c->heap = heap;
	if ((c->place_count && !c->places) || (block_count && !c->leads)) {
		chart_free(c);
		return NULL;
	}
	return c;
}

const oz_chart *oz_chart_keep(const oz_chart *chart)
{
	if (chart)
		atomic_fetch_add(&((oz_chart *)chart)->holders, 1);
	return chart;
}

void oz_chart_release(const oz_chart *chart)
{
	oz_chart *c = (oz_chart *)chart;
	if (c && atomic_fetch_sub(&c->holders, 1) == 1)
		chart_free(c);
}

size_t oz_chart_bytes(const oz_chart *c)
{
	return c ? sizeof *c + place_bytes(c) + lead_bytes(c) : 0;
}

uint64_t oz_chart_hash(const oz_chart *c)
{
	const uint64_t hash = oz_hash(&c->frame, sizeof c->frame, c->block_count);
	return oz_hash(c->leads, lead_bytes(c), oz_hash(c->places, place_bytes(c), hash));
}

static bool is_finite(const oz_chart *c)
{
	for (size_t k = 0; k < (size_t)c->block_count * OZ_CHART_NODES; k++) {
		const oz_float4 v = c->leads[k];
		if (!(isfinite(v.x) && isfinite(v.y) && isfinite(v.z) && isfinite(v.w)))
			return false;
	}
	return true;
}

bool oz_chart_is_sound(const oz_chart *c)
{
	const oz_chart_frame *f = &c->frame;
	if (!(f->cell > 0 && isfinite(f->cell) && f->reach > 0 && isfinite(f->reach)))
		return false;
	if (f->inv_cell != 1.0f / f->cell || f->place != 0 || f->block != 0)
		return false;
	// blocks come in the order of their places, and each has one
	uint32_t next = 0;
	for (uint32_t k = 0; k < c->place_count; k++)
		if (c->places[k] < OZ_CHART_INSIDE && c->places[k] != next++)
			return false;
	return next == c->block_count && is_finite(c) && isfinite(f->origin.x) &&
	       isfinite(f->origin.y) && isfinite(f->origin.z);
}

oz_lead oz_chart_at(const oz_chart *c, oz_vec3 point)
{
	const oz_sight s = oz_chart_see(&c->frame, c->places, c->leads, point, false);
	return (oz_lead){s.normal.x * s.distance, s.normal.y * s.distance, s.normal.z * s.distance,
	                 s.distance};
}

// ---- making -----------------------------------------------------------------------------------

typedef struct maker {
	const oz_chart_def *def;
	oz_chart_frame frame;
	float *centres;  // distance of each place's centre
	uint32_t *where; // place of each block
	oz_chart *chart;
} maker;

static oz_vec3 node_at(const oz_chart_frame *f, uint32_t place, oz_vec3 cells)
{
	const uint32_t x = place % f->blocks[0], y = place / f->blocks[0] % f->blocks[1];
	const uint32_t z = place / (f->blocks[0] * f->blocks[1]);
	return oz_v3(f->origin.x + f->cell * ((float)(x * OZ_CHART_CELLS) + cells.x),
	             f->origin.y + f->cell * ((float)(y * OZ_CHART_CELLS) + cells.y),
	             f->origin.z + f->cell * ((float)(z * OZ_CHART_CELLS) + cells.z));
}

static void ask_centres(void *context, uint32_t begin, uint32_t end)
{
	const maker *m = context;
	enum { BATCH = 64 };
	const float half = 0.5f * OZ_CHART_CELLS;
	for (uint32_t k = begin; k < end; k += BATCH) {
		const uint32_t count = end - k < BATCH ? end - k : BATCH;
		oz_vec3 points[BATCH];
		oz_lead leads[BATCH];
		for (uint32_t i = 0; i < count; i++)
			points[i] = node_at(&m->frame, k + i, oz_v3(half, half, half));
		m->def->nearest(m->def->context, points, count, leads);
		for (uint32_t i = 0; i < count; i++)
			m->centres[k + i] = leads[i].distance;
	}
}

// The node of another block that is a block's own: where its last layers are the first of the next
// block along each axis. NULL where there is no such block.
static oz_float4 *twin_of(const maker *m, uint32_t place, uint32_t node)
{
	const uint32_t last = OZ_CHART_EDGE - 1;
	const uint *blocks = m->frame.blocks;
	const uint32_t at[3] = {node % OZ_CHART_EDGE, node / OZ_CHART_EDGE % OZ_CHART_EDGE,
	                        node / (OZ_CHART_EDGE * OZ_CHART_EDGE)};
	const uint32_t in[3] = {place % blocks[0], place / blocks[0] % blocks[1],
	                        place / (blocks[0] * blocks[1])};
	const uint32_t step[3] = {1, blocks[0], blocks[0] * blocks[1]};
	uint32_t to[3], other = place;
	for (int k = 0; k < 3; k++) {
		to[k] = at[k] == last ? 0 : at[k];
		if (at[k] == last && in[k] + 1 == blocks[k])
			return NULL;
		other += at[k] == last ? step[k] : 0;
	}
	const uint block = m->chart->places[other];
	if (other == place || block >= OZ_CHART_INSIDE)
		return NULL;
	return m->chart->leads + (size_t)block * OZ_CHART_NODES +
	       (to[2] * OZ_CHART_EDGE + to[1]) * OZ_CHART_EDGE + to[0];
}

// Asks for all nodes that no other block has as its own.
static void ask_nodes(void *context, uint32_t begin, uint32_t end)
{
	const maker *m = context;
	oz_vec3 points[OZ_CHART_NODES];
	oz_lead leads[OZ_CHART_NODES];
	uint32_t nodes[OZ_CHART_NODES];
	for (uint32_t b = begin; b < end; b++) {
		uint32_t count = 0;
		for (uint32_t n = 0; n < OZ_CHART_NODES; n++) {
			const oz_vec3 cells = oz_v3((float)(n % OZ_CHART_EDGE),
			                            (float)(n / OZ_CHART_EDGE % OZ_CHART_EDGE),
			                            (float)(n / (OZ_CHART_EDGE * OZ_CHART_EDGE)));
			if (twin_of(m, m->where[b], n))
				continue;
			points[count] = node_at(&m->frame, m->where[b], cells);
			nodes[count++] = n;
		}
		m->def->nearest(m->def->context, points, count, leads);
		oz_float4 *to = m->chart->leads + (size_t)b * OZ_CHART_NODES;
		for (uint32_t k = 0; k < count; k++)
			to[nodes[k]] =
			        oz_make4(leads[k].x, leads[k].y, leads[k].z, leads[k].distance);
	}
}

static void copy_nodes(void *context, uint32_t begin, uint32_t end)
{
	const maker *m = context;
	for (uint32_t b = begin; b < end; b++)
		for (uint32_t n = 0; n < OZ_CHART_NODES; n++) {
			const oz_float4 *twin = twin_of(m, m->where[b], n);
			if (twin)
				m->chart->leads[(size_t)b * OZ_CHART_NODES + n] = *twin;
		}
}

// a place whose farthest point may lie within reach has a block
static bool is_near(const maker *m, uint32_t place)
{
	const float radius = 0.5f * sqrtf(3.0f) * OZ_CHART_CELLS * m->frame.cell;
	return fabsf(m->centres[place]) <= m->frame.reach + radius;
}

static oz_result check_def(const oz_chart_def *d, oz_error *error)
{
	if (!d->nearest)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a chart needs a function that finds nearest points; set `nearest`");
	if (!(d->cell > 0 && d->reach > 0 && isfinite(d->cell) && isfinite(d->reach)))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "a chart has cells of %g m and reaches %g m; both must be above 0",
		               (double)d->cell, (double)d->reach);
	const oz_vec3 s = oz_sub(d->max, d->min);
	if (!(s.x >= 0 && s.y >= 0 && s.z >= 0 && isfinite(s.x + s.y + s.z)))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "the box of a chart is %g x %g x %g m; its max must not be below "
		               "its min",
		               (double)s.x, (double)s.y, (double)s.z);
	return OZ_OK;
}

static oz_result lay_frame(const oz_chart_def *d, oz_chart_frame *f, oz_error *error)
{
	const float low[3] = {d->min.x, d->min.y, d->min.z};
	const float high[3] = {d->max.x, d->max.y, d->max.z};
	const double block = (double)d->cell * OZ_CHART_CELLS;
	float origin[3];
	double places = 1;
	for (int k = 0; k < 3; k++) {
		const double size = (double)high[k] - (double)low[k] + 2 * (double)d->reach;
		const double count = ceil(size / block);
		places *= count;
		if (!(places <= (double)MOST_PLACES))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "cells of %g m are too fine for a chart of a solid of %g x "
			               "%g x %g m; make them larger",
			               (double)d->cell, (double)(high[0] - low[0]),
			               (double)(high[1] - low[1]), (double)(high[2] - low[2]));
		f->blocks[k] = (uint)count;
		origin[k] =
		        (float)((double)low[k] - (double)d->reach + 0.5 * (size - count * block));
	}
	f->origin = oz_v3(origin[0], origin[1], origin[2]);
	f->cell = d->cell;
	f->inv_cell = 1.0f / d->cell;
	f->reach = d->reach;
	return OZ_OK;
}

static oz_result no_number(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_RANGE,
	               "the distances of a chart are not all numbers; let `nearest` fill every "
	               "lead with finite ones");
}

static oz_result fill_blocks(maker *m, oz_heap *heap, oz_pool *pool, oz_error *error)
{
	const uint32_t places = oz_chart_place_count(&m->frame);
	uint64_t count = 0;
	oz_pool_run(pool, places, 256, ask_centres, m);
	for (uint32_t k = 0; k < places; k++) {
		if (!isfinite(m->centres[k]))
			return no_number(error);
		count += is_near(m, k);
	}
	m->where = oz_heap_alloc(heap, sizeof *m->where * (count + 1));
	if (count <= MOST_BLOCKS && m->where)
		m->chart = oz_chart_alloc(&m->frame, (uint32_t)count, &m->def->hooks);
	if (!m->chart) {
		oz_heap_free(heap, m->where, sizeof *m->where * (count + 1));
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for a chart with %llu nodes; make its cells larger",
		               (unsigned long long)count * OZ_CHART_NODES);
	}
	uint32_t block = 0;
	for (uint32_t k = 0; k < places; k++) {
		const bool near = is_near(m, k);
		if (near)
			m->where[block] = k;
		m->chart->places[k] = near                   ? block++
		                      : m->centres[k] < 0.0f ? OZ_CHART_INSIDE
		                                             : OZ_CHART_OUTSIDE;
	}
	oz_pool_run(pool, block, 4, ask_nodes, m);
	oz_pool_run(pool, block, 64, copy_nodes, m);
	oz_heap_free(heap, m->where, sizeof *m->where * (count + 1));
	return is_finite(m->chart) ? OZ_OK : no_number(error);
}

oz_result oz_chart_make(const oz_chart_def *def, oz_chart **chart, oz_error *error)
{
	if (!def || !chart)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "def or chart is NULL; pass both");
	*chart = NULL;
	oz_heap heap;
	oz_heap_init(&heap, &def->hooks);
	maker m = {.def = def};
	oz_pool *pool = NULL;
	oz_result result = check_def(def, error);
	if (result == OZ_OK)
		result = lay_frame(def, &m.frame, error);
	if (result == OZ_OK)
		result = oz_pool_create(&heap, def->threads, &pool, error);
	if (result != OZ_OK)
		return result;
	const size_t size = sizeof *m.centres * oz_chart_place_count(&m.frame);
	m.centres = oz_heap_alloc(&heap, size);
	result = m.centres ? fill_blocks(&m, &heap, pool, error)
	                   : oz_fail(error, OZ_ERROR_MEMORY,
	                             "out of memory for a chart; make its cells larger");
	oz_heap_free(&heap, m.centres, size);
	oz_pool_destroy(pool);
	if (result != OZ_OK)
		oz_chart_release(m.chart);
	else
		*chart = m.chart;
	return result;
}
