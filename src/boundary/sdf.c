// sdf.c: makes SDFs, counts references to them and evaluates them on the host.
//
// The distance at the centre of a block decides whether the block is stored: blocks farther from
// the surface than `reach` are left out. Nodes are computed block by block; a node on a face
// between two blocks is computed once and copied.
#include <math.h>
#include <string.h>

#include "boundary/sdf_data.h"
#include "device/pool.h"

#define MOST_PLACES ((uint64_t)1 << 28)
#define MOST_BLOCKS (UINT32_MAX / OZ_SDF_NODES - 2)

static size_t place_bytes(const oz_sdf *c)
{
	return sizeof *c->places * c->place_count;
}

static size_t nearest_bytes(const oz_sdf *c)
{
	return sizeof *c->nearest * OZ_SDF_NODES * c->block_count;
}

static void sdf_free(oz_sdf *c)
{
	oz_heap heap = c->heap;
	if (c->store)
		c->store->release(c->store);
	oz_heap_free(&heap, c->places, place_bytes(c));
	oz_heap_free(&heap, c->nearest, nearest_bytes(c));
	oz_heap_free(&heap, c, sizeof *c);
}

oz_sdf *oz_sdf_alloc(const oz_sdf_frame *frame, uint32_t block_count, const oz_hooks *hooks)
{
	oz_heap heap;
	oz_heap_init(&heap, hooks);
	oz_sdf *c = oz_heap_alloc(&heap, sizeof *c);
	if (!c)
		return NULL;
	*c = (oz_sdf){.frame = *frame,
	              .place_count = oz_sdf_place_count(frame),
	              .block_count = block_count};
	atomic_init(&c->holders, 1);
	c->places = oz_heap_alloc(&heap, place_bytes(c));
	c->nearest = oz_heap_alloc(&heap, nearest_bytes(c));
	c->heap = heap;
	if ((c->place_count && !c->places) || (block_count && !c->nearest)) {
		sdf_free(c);
		return NULL;
	}
	return c;
}

const oz_sdf *oz_sdf_keep(const oz_sdf *sdf)
{
	if (sdf)
		atomic_fetch_add(&((oz_sdf *)sdf)->holders, 1);
	return sdf;
}

void oz_sdf_release(const oz_sdf *sdf)
{
	oz_sdf *c = (oz_sdf *)sdf;
	if (c && atomic_fetch_sub(&c->holders, 1) == 1)
		sdf_free(c);
}

size_t oz_sdf_bytes(const oz_sdf *c)
{
	return c ? sizeof *c + place_bytes(c) + nearest_bytes(c) : 0;
}

uint64_t oz_sdf_hash(const oz_sdf *c)
{
	const uint64_t hash = oz_hash(&c->frame, sizeof c->frame, c->block_count);
	return oz_hash(c->nearest, nearest_bytes(c), oz_hash(c->places, place_bytes(c), hash));
}

// whether all numbers of all nodes are finite
static bool is_finite(const oz_sdf *c)
{
	for (size_t k = 0; k < (size_t)c->block_count * OZ_SDF_NODES; k++) {
		const oz_float4 v = c->nearest[k];
		if (!(isfinite(v.x) && isfinite(v.y) && isfinite(v.z) && isfinite(v.w)))
			return false;
	}
	return true;
}

bool oz_sdf_is_sound(const oz_sdf *c)
{
	const oz_sdf_frame *f = &c->frame;
	if (!(f->cell > 0 && isfinite(f->cell) && f->reach > 0 && isfinite(f->reach)))
		return false;
	if (f->inv_cell != 1.0f / f->cell || f->place != 0 || f->block != 0)
		return false;
	// blocks are numbered in the order of their places
	uint32_t next = 0;
	for (uint32_t k = 0; k < c->place_count; k++)
		if (c->places[k] < OZ_SDF_INSIDE && c->places[k] != next++)
			return false;
	return next == c->block_count && is_finite(c) && isfinite(f->origin.x) &&
	       isfinite(f->origin.y) && isfinite(f->origin.z);
}

oz_nearest_point oz_sdf_at(const oz_sdf *c, oz_vec3 point)
{
	const oz_surface_sample s = oz_sdf_sample(&c->frame, c->places, c->nearest, point, false);
	return (oz_nearest_point){s.normal.x * s.distance, s.normal.y * s.distance,
	                          s.normal.z * s.distance, s.distance};
}

// ---- making -----------------------------------------------------------------------------------

typedef struct maker {
	const oz_sdf_def *def;
	oz_sdf_frame frame;
	float *centres;           // distance of each place's centre
	uint32_t *place_of_block; // place of each block
	oz_sdf *sdf;
} maker;

// the point at `cells` cells from the lowest corner of the block at `place`
static oz_vec3 node_at(const oz_sdf_frame *f, uint32_t place, oz_vec3 cells)
{
	const uint32_t x = place % f->blocks[0], y = place / f->blocks[0] % f->blocks[1];
	const uint32_t z = place / (f->blocks[0] * f->blocks[1]);
	return oz_v3(f->origin.x + f->cell * ((float)(x * OZ_SDF_CELLS) + cells.x),
	             f->origin.y + f->cell * ((float)(y * OZ_SDF_CELLS) + cells.y),
	             f->origin.z + f->cell * ((float)(z * OZ_SDF_CELLS) + cells.z));
}

// writes the distance at the centre of each place
static void sample_centres(void *context, uint32_t begin, uint32_t end)
{
	const maker *m = context;
	enum { BATCH = 64 };
	const float half = 0.5f * OZ_SDF_CELLS;
	for (uint32_t k = begin; k < end; k += BATCH) {
		const uint32_t count = end - k < BATCH ? end - k : BATCH;
		oz_vec3 points[BATCH];
		oz_nearest_point nearest[BATCH];
		for (uint32_t i = 0; i < count; i++)
			points[i] = node_at(&m->frame, k + i, oz_v3(half, half, half));
		m->def->nearest(m->def->context, points, count, nearest);
		for (uint32_t i = 0; i < count; i++)
			m->centres[k + i] = nearest[i].distance;
	}
}

// The node of the next block at the same point, for a node on the last layer of a block along any
// axis. NULL: the node is on no such layer, or that block is not stored.
static oz_float4 *shared_node_of(const maker *m, uint32_t place, uint32_t node)
{
	const uint32_t last = OZ_SDF_EDGE - 1;
	const uint *blocks = m->frame.blocks;
	const uint32_t at[3] = {node % OZ_SDF_EDGE, node / OZ_SDF_EDGE % OZ_SDF_EDGE,
	                        node / (OZ_SDF_EDGE * OZ_SDF_EDGE)};
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
	const uint block = m->sdf->places[other];
	if (other == place || block >= OZ_SDF_INSIDE)
		return NULL;
	return m->sdf->nearest + (size_t)block * OZ_SDF_NODES +
	       (to[2] * OZ_SDF_EDGE + to[1]) * OZ_SDF_EDGE + to[0];
}

// computes the nodes that are not copied from another block
static void sample_nodes(void *context, uint32_t begin, uint32_t end)
{
	const maker *m = context;
	oz_vec3 points[OZ_SDF_NODES];
	oz_nearest_point nearest[OZ_SDF_NODES];
	uint32_t nodes[OZ_SDF_NODES];
	for (uint32_t b = begin; b < end; b++) {
		uint32_t count = 0;
		for (uint32_t n = 0; n < OZ_SDF_NODES; n++) {
			const oz_vec3 cells = oz_v3((float)(n % OZ_SDF_EDGE),
			                            (float)(n / OZ_SDF_EDGE % OZ_SDF_EDGE),
			                            (float)(n / (OZ_SDF_EDGE * OZ_SDF_EDGE)));
			if (shared_node_of(m, m->place_of_block[b], n))
				continue;
			points[count] = node_at(&m->frame, m->place_of_block[b], cells);
			nodes[count++] = n;
		}
		m->def->nearest(m->def->context, points, count, nearest);
		oz_float4 *to = m->sdf->nearest + (size_t)b * OZ_SDF_NODES;
		for (uint32_t k = 0; k < count; k++)
			to[nodes[k]] = oz_make4(nearest[k].x, nearest[k].y, nearest[k].z,
			                        nearest[k].distance);
	}
}

// copies the other nodes
static void copy_nodes(void *context, uint32_t begin, uint32_t end)
{
	const maker *m = context;
	for (uint32_t b = begin; b < end; b++)
		for (uint32_t n = 0; n < OZ_SDF_NODES; n++) {
			const oz_float4 *shared = shared_node_of(m, m->place_of_block[b], n);
			if (shared)
				m->sdf->nearest[(size_t)b * OZ_SDF_NODES + n] = *shared;
		}
}

// whether a block at this place may hold points within `reach` of the surface: it is stored
static bool is_near(const maker *m, uint32_t place)
{
	const float radius = 0.5f * sqrtf(3.0f) * OZ_SDF_CELLS * m->frame.cell;
	return fabsf(m->centres[place]) <= m->frame.reach + radius;
}

static oz_result check_def(const oz_sdf_def *d, oz_error *error)
{
	if (!d->nearest)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an SDF needs a function that finds nearest points; set `nearest`");
	if (!(d->cell > 0 && d->reach > 0 && isfinite(d->cell) && isfinite(d->reach)))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "an SDF has cells of %g m and reaches %g m; both must be above 0",
		               (double)d->cell, (double)d->reach);
	const oz_vec3 s = oz_sub(d->max, d->min);
	if (!(s.x >= 0 && s.y >= 0 && s.z >= 0 && isfinite(s.x + s.y + s.z)))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "the box of an SDF is %g x %g x %g m; its max must not be below "
		               "its min",
		               (double)s.x, (double)s.y, (double)s.z);
	return OZ_OK;
}

// lays blocks over the box and `reach` around it, centred
static oz_result choose_frame(const oz_sdf_def *d, oz_sdf_frame *f, oz_error *error)
{
	const float low[3] = {d->min.x, d->min.y, d->min.z};
	const float high[3] = {d->max.x, d->max.y, d->max.z};
	const double block = (double)d->cell * OZ_SDF_CELLS;
	float origin[3];
	double places = 1;
	for (int k = 0; k < 3; k++) {
		const double size = (double)high[k] - (double)low[k] + 2 * (double)d->reach;
		const double count = ceil(size / block);
		places *= count;
		if (!(places <= (double)MOST_PLACES))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "cells of %g m are too fine for an SDF of a box of %g x "
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

static oz_result fail_not_finite(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_RANGE,
	               "an SDF holds distances that are not finite; let `nearest` write finite "
	               "numbers for every point");
}

// chooses the blocks, makes m->sdf and fills it
static oz_result fill_blocks(maker *m, oz_heap *heap, oz_pool *pool, oz_error *error)
{
	const uint32_t places = oz_sdf_place_count(&m->frame);
	uint64_t count = 0;
	oz_pool_run(pool, places, 256, sample_centres, m);
	for (uint32_t k = 0; k < places; k++) {
		if (!isfinite(m->centres[k]))
			return fail_not_finite(error);
		count += is_near(m, k);
	}
	m->place_of_block = oz_heap_alloc(heap, sizeof *m->place_of_block * (count + 1));
	if (count <= MOST_BLOCKS && m->place_of_block)
		m->sdf = oz_sdf_alloc(&m->frame, (uint32_t)count, &m->def->hooks);
	if (!m->sdf) {
		oz_heap_free(heap, m->place_of_block, sizeof *m->place_of_block * (count + 1));
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for an SDF with %llu nodes; make its cells larger",
		               (unsigned long long)count * OZ_SDF_NODES);
	}
	uint32_t block = 0;
	for (uint32_t k = 0; k < places; k++) {
		const bool near = is_near(m, k);
		if (near)
			m->place_of_block[block] = k;
		m->sdf->places[k] = near                   ? block++
		                    : m->centres[k] < 0.0f ? OZ_SDF_INSIDE
		                                           : OZ_SDF_OUTSIDE;
	}
	oz_pool_run(pool, block, 4, sample_nodes, m);
	oz_pool_run(pool, block, 64, copy_nodes, m);
	oz_heap_free(heap, m->place_of_block, sizeof *m->place_of_block * (count + 1));
	return is_finite(m->sdf) ? OZ_OK : fail_not_finite(error);
}

oz_result oz_sdf_make(const oz_sdf_def *def, oz_sdf **sdf, oz_error *error)
{
	if (!def || !sdf)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "def or sdf is NULL; pass both");
	*sdf = NULL;
	oz_heap heap;
	oz_heap_init(&heap, &def->hooks);
	maker m = {.def = def};
	oz_pool *pool = NULL;
	oz_result result = check_def(def, error);
	if (result == OZ_OK)
		result = choose_frame(def, &m.frame, error);
	if (result == OZ_OK)
		result = oz_pool_create(&heap, def->threads, &pool, error);
	if (result != OZ_OK)
		return result;
	const size_t size = sizeof *m.centres * oz_sdf_place_count(&m.frame);
	m.centres = oz_heap_alloc(&heap, size);
	result = m.centres ? fill_blocks(&m, &heap, pool, error)
	                   : oz_fail(error, OZ_ERROR_MEMORY,
	                             "out of memory for an SDF; make its cells larger");
	oz_heap_free(&heap, m.centres, size);
	oz_pool_destroy(pool);
	if (result != OZ_OK)
		oz_sdf_release(m.sdf);
	else
		*sdf = m.sdf;
	return result;
}
