// neighbours.c: choose a grid, sort by cell, list.
//
// A list that outgrows its memory is made once more with enough of it.
#include "particles/particles.h"

#include "particles/list_build.h"
#include "particles/neighbours.cl"

#define FIRST_LIST   40u // entries a particle, before anything is known
#define LIST_PADDING 16u // entries a vector may read beyond the last

static oz_result no_memory(oz_error *error, uint32_t count)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the neighbour lists of %u particles; use a larger "
	               "spacing "
	               "or a smaller support",
	               count);
}

static bool grow_buffer(oz_device *d, uint **buffer, uint64_t *capacity, uint64_t wanted)
{
	if (wanted <= *capacity)
		return true;
	d->ops->release(d, *buffer, sizeof(uint) * *capacity);
	*buffer = d->ops->alloc(d, sizeof(uint) * wanted);
	*capacity = *buffer ? wanted : 0;
	return *buffer;
}

static uint64_t cell_count(const oz_grid *g)
{
	return 1ull << (g->bits_x + g->bits_y + g->bits_z);
}

static void free_particle_buffers(oz_device *d, oz_neighbours *n)
{
	d->ops->release(d, n->start, sizeof *n->start * n->capacity);
	d->ops->release(d, n->count, sizeof *n->count * n->capacity);
	d->ops->release(d, n->marks, sizeof *n->marks * n->capacity);
	d->ops->release(d, n->hits, sizeof *n->hits * OZ_ROWS * n->capacity);
	n->start = n->count = NULL;
	n->marks = n->hits = NULL;
	n->capacity = 0;
}

static bool grow_particle_buffers(oz_device *d, oz_neighbours *n, uint32_t capacity)
{
	if (capacity <= n->capacity)
		return true;
	free_particle_buffers(d, n);
	n->start = d->ops->alloc(d, sizeof *n->start * capacity);
	n->count = d->ops->alloc(d, sizeof *n->count * capacity);
	// marks spare vectors work; a device of single lanes has no use for them
	n->marks = d->lanes > 1 ? d->ops->alloc(d, sizeof *n->marks * capacity) : NULL;
	const bool own_way = d->ops->can_launch(d, &oz_kernel_list_build);
	n->hits = own_way ? NULL : d->ops->alloc(d, sizeof *n->hits * OZ_ROWS * capacity);
	n->capacity = capacity;
	if (n->start && n->count && (n->marks || d->lanes == 1) && (n->hits || own_way))
		return true;
	free_particle_buffers(d, n);
	return false;
}

static bool reserve(oz_device *d, oz_neighbours *n, const oz_particles *p)
{
	const uint64_t first = (uint64_t)p->capacity * FIRST_LIST + LIST_PADDING;
	uint64_t cells = n->cell_capacity;
	const bool whole = grow_buffer(d, &n->list, &n->list_capacity, n->list ? 0 : first) &&
	                   grow_buffer(d, &n->cell_start, &cells, cell_count(&n->grid) + 1) &&
	                   grow_particle_buffers(d, n, p->capacity);
	n->cell_capacity = (uint32_t)cells;
	return whole;
}

void oz_cells_open(oz_device *d, const uint *key, uint32_t count, uint *cell_start, uint32_t cells)
{
	if (d->stride > 1)
		OZ_LAUNCH(d, cell_search, cells + 1, .key = key, .start = cell_start,
		          .particles = count);
	else
		OZ_LAUNCH(d, cell_start, count + 1, .key = key, .start = cell_start,
		          .particles = count, .cells = cells);
}

uint64_t oz_list_starts(oz_device *d, const uint *count, uint32_t items, uint *room, uint *start,
                        uint64_t *entries)
{
	const uint32_t groups = items ? (items - 1) / d->stride + 1 : 0;
	oz_sum total[2];
	d->ops->clear(d, d->total, sizeof total);
	OZ_LAUNCH(d, list_room, groups, .count = count, .room = room, .total = d->total,
	          .items = items, .stride = d->stride);
	oz_device_scan(d, room, groups);
	OZ_LAUNCH(d, list_start, items, .room = room, .start = start, .stride = d->stride);
	d->ops->read(d, total, d->total, 0, sizeof total);
	*entries = oz_sum_get(total[1]);
	return oz_sum_get(total[0]) * d->stride;
}

static void build_plainly(oz_device *d, oz_neighbours *n, oz_list_build *b, uint32_t count,
                          uint *room)
{
	OZ_LAUNCH(d, neighbour_count, count, .position = b->position, .cell_start = b->cell_start,
	          .count = b->count, .hits = n->hits, .particles = count, .grid = *b->grid);
	b->used = oz_list_starts(d, b->count, count, room, b->start, &b->entries);
	if (b->used <= b->list_capacity)
		OZ_LAUNCH(d, neighbour_fill, count, .position = b->position,
		          .cell_start = b->cell_start, .start = b->start, .hits = n->hits,
		          .list = b->list, .particles = count, .grid = *b->grid,
		          .stride = d->stride);
}

static void build_on_cpu(oz_device *d, oz_list_build *b, uint32_t count)
{
	OZ_LAUNCH(d, list_build, count, .build = b);
	b->used = b->entries = atomic_load(&b->cursor);
}

static oz_result build_lists(oz_device *d, oz_neighbours *n, const oz_particles *p)
{
	for (;;) {
		oz_list_build build = {.grid = &n->grid,
		                       .position = p->anchor,
		                       .cell_start = n->cell_start,
		                       .list = n->list,
		                       .list_capacity = n->list_capacity - LIST_PADDING,
		                       .start = n->start,
		                       .count = n->count};
		if (d->ops->can_launch(d, &oz_kernel_list_build))
			build_on_cpu(d, &build, p->count);
		else
			build_plainly(d, n, &build, p->count, (uint *)p->flow);
		n->list_used = build.used;
		n->entries = build.entries;
		if (build.used / d->stride > UINT32_MAX)
			return OZ_ERROR_MEMORY;
		if (build.used <= build.list_capacity)
			break;
		if (!grow_buffer(d, &n->list, &n->list_capacity,
		                 build.used + build.used / 32 + LIST_PADDING))
			return OZ_ERROR_MEMORY;
	}
	// what a vector reads beyond the last list is a particle too
	static const uint zeros[LIST_PADDING];
	d->ops->write(d, n->list, sizeof(uint) * n->list_used, zeros, sizeof zeros);
	n->valid = true;
	n->stride = d->stride;
	n->listed = p->count;
	return OZ_OK;
}

oz_result oz_neighbours_build(oz_device *d, oz_neighbours *n, oz_particles *p, float radius,
                              oz_error *error)
{
	n->valid = false;
	n->listed = 0;
	if (p->count == 0)
		return OZ_OK;
	n->grid = oz_grid_choose(d, p->position, p->count, radius);
	if (!reserve(d, n, p))
		return no_memory(error, p->count);
	// RESULT fields lend their memory to the sort
	uint *key = (uint *)p->flow, *index = (uint *)p->acceleration;
	uint *spare_key = (uint *)p->wall, *spare_index = (uint *)p->density;
	OZ_LAUNCH(d, cell_key, p->count, .position = p->position, .key = key, .index = index,
	          .grid = n->grid);
	const uint32_t bits = n->grid.bits_x + n->grid.bits_y + n->grid.bits_z;
	const oz_result sorted =
	        oz_device_sort(d, key, index, spare_key, spare_index, p->count, bits, error);
	if (sorted != OZ_OK)
		return sorted;
	oz_cells_open(d, key, p->count, n->cell_start, (uint32_t)cell_count(&n->grid));
	oz_particles_reorder(d, p, index);
	d->ops->copy(d, p->anchor, p->position, sizeof(oz_float4) * p->count);
	return build_lists(d, n, p) == OZ_OK ? OZ_OK : no_memory(error, p->count);
}

static bool is_sorted(const uint *key, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (key[i] < key[i - 1])
			return false;
	return true;
}

oz_result oz_neighbours_restore(oz_device *d, oz_neighbours *n, oz_particles *p, oz_error *error)
{
	n->valid = false;
	if (p->count == 0)
		return OZ_OK;
	if (!reserve(d, n, p))
		return no_memory(error, p->count);
	uint *key = (uint *)p->flow, *index = (uint *)p->acceleration;
	OZ_LAUNCH(d, cell_key, p->count, .position = p->anchor, .key = key, .index = index,
	          .grid = n->grid);
	// another processor may round a cell differently: then the next step builds anew
	const uint *keys = d->ops->look(d, key, sizeof *key * p->count);
	if (!keys)
		return no_memory(error, p->count);
	if (!is_sorted(keys, p->count))
		return OZ_OK;
	oz_cells_open(d, key, p->count, n->cell_start, (uint32_t)cell_count(&n->grid));
	return build_lists(d, n, p) == OZ_OK ? OZ_OK : no_memory(error, p->count);
}

void oz_neighbours_free(oz_device *d, oz_neighbours *n)
{
	d->ops->release(d, n->cell_start, sizeof(uint) * n->cell_capacity);
	d->ops->release(d, n->list, sizeof(uint) * n->list_capacity);
	free_particle_buffers(d, n);
	*n = (oz_neighbours){0};
}
