// neighbours.c: chooses a grid, sorts particles by cell and builds neighbour lists.
//
// If the lists outgrow their buffer, it is enlarged and they are built again.
#include "particles/particles.h"

#include "particles/list_build.h"
#include "particles/neighbours.cl"

#define FIRST_LIST   40u // entries for each particle in the first buffer
#define LIST_PADDING 16u // entries behind the last list that a vector may read

static oz_result no_memory(oz_error *error, uint32_t count)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the neighbour lists of %u particles; use a larger "
	               "spacing or a smaller support",
	               count);
}

// Makes room for `wanted` numbers; loses the contents. False when out of memory.
static bool grow_buffer(oz_device *d, uint **buffer, uint64_t *capacity, uint64_t wanted)
{
	if (wanted <= *capacity)
		return true;
	d->ops->release(d, *buffer, sizeof(uint) * *capacity);
	*buffer = d->ops->alloc(d, sizeof(uint) * wanted);
	*capacity = *buffer ? wanted : 0;
	return *buffer;
}

static void free_kept(oz_device *d, oz_kept *k)
{
	d->ops->release(d, k->list, sizeof(uint) * k->capacity);
	d->ops->release(d, k->number, sizeof(float) * k->capacity);
	d->ops->release(d, k->count, sizeof(uint) * k->count_room);
	*k = (oz_kept){0};
}

oz_result oz_neighbours_reserve_kept(oz_device *d, oz_neighbours *n, uint32_t particles,
                                     oz_error *error)
{
	oz_kept *k = &n->kept;
	if (n->list_capacity <= k->capacity && particles <= k->count_room)
		return OZ_OK;
	free_kept(d, k);
	k->list = d->ops->alloc(d, sizeof(uint) * n->list_capacity);
	k->number = d->ops->alloc(d, sizeof(float) * n->list_capacity);
	k->count = d->ops->alloc(d, sizeof(uint) * particles);
	k->capacity = n->list_capacity;
	k->count_room = particles;
	if (k->list && k->number && k->count)
		return OZ_OK;
	free_kept(d, k);
	return no_memory(error, particles);
}

static uint64_t cell_count(const oz_grid *g)
{
	return 1ull << (g->bits_x + g->bits_y + g->bits_z);
}

// ---- memory ------------------------------------------------------------------------------------

// gives the scratch of the lists back; the lists are then invalid
static void give_lists(oz_scratch *s, oz_neighbours *n)
{
	oz_scratch_give(s, n->start);
	oz_scratch_give(s, n->count);
	oz_scratch_give(s, n->marks);
	n->start = n->count = NULL;
	n->marks = NULL;
	n->valid = false;
	n->listed = 0;
}

static bool take_lists(oz_scratch *s, oz_neighbours *n, uint32_t capacity)
{
	const bool marks = s->device->lanes > 1;
	n->start = OZ_TAKE(s, uint, "list start", capacity);
	n->count = OZ_TAKE(s, uint, "list count", capacity);
	// a device with single lanes does not use marks
	n->marks = marks ? OZ_TAKE(s, uint64_t, "list marks", capacity) : NULL;
	if (n->start && n->count && (n->marks || !marks))
		return true;
	give_lists(s, n);
	return false;
}

// scratch for the sort by cell, and (wide, narrow) for reordering all fields
typedef struct sort_work {
	uint *key, *index, *spare_key, *spare_index;
	void *wide, *narrow;
} sort_work;

static void give_sort(oz_scratch *s, sort_work *k)
{
	oz_scratch_give(s, k->key);
	oz_scratch_give(s, k->spare_key);
	oz_scratch_give(s, k->spare_index);
}

static bool take_sort(oz_scratch *s, sort_work *k, uint32_t capacity)
{
	k->key = OZ_TAKE(s, uint, "cell key", capacity);
	k->index = OZ_TAKE(s, uint, "cell index", capacity);
	k->spare_key = OZ_TAKE(s, uint, "spare key", capacity);
	k->spare_index = OZ_TAKE(s, uint, "spare index", capacity);
	if (k->key && k->index && k->spare_key && k->spare_index)
		return true;
	give_sort(s, k);
	oz_scratch_give(s, k->index);
	return false;
}

static void give_order(oz_scratch *s, sort_work *k)
{
	oz_scratch_give(s, k->wide);
	oz_scratch_give(s, k->narrow);
	oz_scratch_give(s, k->index);
}

// takes the spare buffers for reordering fields
static bool take_order(oz_scratch *s, sort_work *k, uint32_t capacity)
{
	k->wide = oz_scratch_take_exact(s, "wide field", sizeof(oz_float4) * capacity);
	k->narrow = oz_scratch_take_exact(s, "narrow field", sizeof(uint) * capacity);
	if (k->wide && k->narrow)
		return true;
	give_order(s, k);
	return false;
}

// scratch of devices that build lists in two passes, neighbour_count and neighbour_fill
typedef struct two_pass_work {
	uint64_t *hits;
	uint *room;
} two_pass_work;

static void give_two_pass(oz_scratch *s, two_pass_work *k)
{
	oz_scratch_give(s, k->hits);
	oz_scratch_give(s, k->room);
}

static bool take_two_pass(oz_scratch *s, two_pass_work *k, uint32_t capacity)
{
	*k = (two_pass_work){0};
	if (s->device->ops->can_launch(s->device, &oz_kernel_list_build))
		return true;
	k->hits = OZ_TAKE(s, uint64_t, "list hits", (size_t)OZ_ROWS * capacity);
	k->room = OZ_TAKE(s, uint, "list room", capacity + 1ull);
	if (k->hits && k->room)
		return true;
	give_two_pass(s, k);
	return false;
}

// allocates the buffers of lists and cells that are not scratch
static bool reserve(const oz_list_maker *m, oz_neighbours *n)
{
	oz_device *d = m->scratch->device;
	const uint64_t first = (uint64_t)m->particles->capacity * FIRST_LIST + LIST_PADDING;
	uint64_t cells = n->cell_capacity;
	const bool whole = grow_buffer(d, &n->list, &n->list_capacity, n->list ? 0 : first) &&
	                   grow_buffer(d, &n->cell_start, &cells, cell_count(&n->grid) + 1);
	n->cell_capacity = (uint32_t)cells;
	return whole;
}

oz_result oz_neighbours_reserve(const oz_list_maker *m, oz_neighbours *n, float radius,
                                oz_error *error)
{
	const uint32_t capacity = m->particles->capacity;
	sort_work sort = {0};
	two_pass_work two_pass = {0};
	give_lists(m->scratch, n);
	if (m->particles->count == 0)
		return OZ_OK;
	n->grid = oz_grid_choose(m->scratch->device, m->particles->position, m->particles->count,
	                         radius);
	bool whole = reserve(m, n) && take_sort(m->scratch, &sort, capacity);
	if (whole) {
		give_sort(m->scratch, &sort);
		whole = take_order(m->scratch, &sort, capacity);
		give_order(m->scratch, &sort);
	}
	whole = whole && take_lists(m->scratch, n, capacity) &&
	        take_two_pass(m->scratch, &two_pass, capacity);
	give_two_pass(m->scratch, &two_pass);
	give_lists(m->scratch, n);
	return whole ? OZ_OK : no_memory(error, m->particles->count);
}

// ---- lists -------------------------------------------------------------------------------------

void oz_cells_find_starts(oz_device *d, const uint *key, uint32_t count, uint *cell_start,
                          uint32_t cells)
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

// counts neighbours, computes the starts of lists, writes lists if they fit
static void build_in_two_passes(oz_device *d, oz_list_build *b, uint32_t count,
                                const two_pass_work *k)
{
	OZ_LAUNCH(d, neighbour_count, count, .position = b->position, .cell_start = b->cell_start,
	          .count = b->count, .hits = k->hits, .particles = count, .grid = *b->grid);
	b->used = oz_list_starts(d, b->count, count, k->room, b->start, &b->entries);
	if (b->used <= b->list_capacity)
		OZ_LAUNCH(d, neighbour_fill, count, .position = b->position,
		          .cell_start = b->cell_start, .start = b->start, .hits = k->hits,
		          .list = b->list, .particles = count, .grid = *b->grid,
		          .stride = d->stride);
}

// builds lists by the kernel list_build
static void build_on_cpu(oz_device *d, oz_list_build *b, uint32_t count)
{
	OZ_LAUNCH(d, list_build, count, .build = b);
	b->used = atomic_load(&b->cursor);
	b->entries = atomic_load(&b->listed);
}

// Builds all lists; enlarges their buffer and repeats if they do not fit. False when out of memory.
static bool fill_lists(oz_device *d, oz_neighbours *n, const oz_particles *p,
                       const two_pass_work *two_pass)
{
	for (;;) {
		oz_list_build build = {.grid = &n->grid,
		                       .position = p->anchor,
		                       .cell_start = n->cell_start,
		                       .list = n->list,
		                       .list_capacity = n->list_capacity - LIST_PADDING,
		                       .start = n->start,
		                       .count = n->count,
		                       .unit = n->unit};
		if (two_pass->hits)
			build_in_two_passes(d, &build, p->count, two_pass);
		else
			build_on_cpu(d, &build, p->count);
		n->list_used = build.used;
		n->entries = build.entries;
		if (build.used / d->stride > UINT32_MAX)
			return false;
		if (build.used <= build.list_capacity)
			return true;
		if (!grow_buffer(d, &n->list, &n->list_capacity,
		                 build.used + build.used / 32 + LIST_PADDING))
			return false;
	}
}

// builds the lists from the anchors; particles are sorted, cell_start is set
static oz_result build_lists(const oz_list_maker *m, oz_neighbours *n, oz_error *error)
{
	oz_device *d = m->scratch->device;
	const oz_particles *p = m->particles;
	two_pass_work two_pass = {0};
	n->unit = m->keeps && d->stride == 1 ? OZ_QUAD_SUMS : 1;
	const bool whole = take_lists(m->scratch, n, p->capacity) &&
	                   take_two_pass(m->scratch, &two_pass, p->capacity) &&
	                   fill_lists(d, n, p, &two_pass);
	give_two_pass(m->scratch, &two_pass);
	if (!whole) {
		give_lists(m->scratch, n);
		return no_memory(error, p->count);
	}
	// a vector may read behind the last list: these entries must be valid particles
	static const uint zeros[LIST_PADDING];
	d->ops->write(d, n->list, sizeof(uint) * n->list_used, zeros, sizeof zeros);
	n->valid = true;
	n->separated = false;
	n->builds++;
	n->stride = d->stride;
	n->listed = p->count;
	return OZ_OK;
}

// sorts all particles by the key of their cells
static oz_result sort_particles(const oz_list_maker *m, oz_neighbours *n, oz_error *error)
{
	oz_device *d = m->scratch->device;
	oz_particles *p = m->particles;
	sort_work k = {0};
	if (!take_sort(m->scratch, &k, p->capacity))
		return no_memory(error, p->count);
	OZ_LAUNCH(d, cell_key, p->count, .position = p->position, .key = k.key, .index = k.index,
	          .grid = n->grid);
	const uint32_t bits = n->grid.bits_x + n->grid.bits_y + n->grid.bits_z;
	oz_result result = oz_device_sort(d, k.key, k.index, k.spare_key, k.spare_index, p->count,
	                                  bits, error);
	if (result == OZ_OK)
		oz_cells_find_starts(d, k.key, p->count, n->cell_start,
		                     (uint32_t)cell_count(&n->grid));
	give_sort(m->scratch, &k);
	if (result == OZ_OK && !take_order(m->scratch, &k, p->capacity))
		return no_memory(error, p->count);
	if (result == OZ_OK) {
		void *wide = k.wide, *narrow = k.narrow;
		oz_fields_reorder(m->fields, OZ_ITEMS_PARTICLES, k.index, p->count, &k.wide,
		                  &k.narrow);
		oz_scratch_exchange(m->scratch, wide, k.wide);
		oz_scratch_exchange(m->scratch, narrow, k.narrow);
	}
	give_order(m->scratch, &k);
	return result;
}

oz_result oz_neighbours_build(const oz_list_maker *m, oz_neighbours *n, oz_error *error)
{
	oz_device *d = m->scratch->device;
	oz_particles *p = m->particles;
	give_lists(m->scratch, n);
	if (p->count == 0)
		return OZ_OK;
	const oz_result result = sort_particles(m, n, error);
	if (result != OZ_OK)
		return result;
	d->ops->copy(d, p->anchor, p->position, sizeof(oz_float4) * p->count);
	return build_lists(m, n, error);
}

static bool is_sorted(const uint *key, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (key[i] < key[i - 1])
			return false;
	return true;
}

// Finds the first particle of each cell from the anchors, if particles are in the order of their
// cells (*sorted).
static oz_result find_anchor_cells(const oz_list_maker *m, oz_neighbours *n, bool *sorted,
                                   oz_error *error)
{
	oz_device *d = m->scratch->device;
	const oz_particles *p = m->particles;
	uint *key = OZ_TAKE(m->scratch, uint, "cell key", p->capacity);
	uint *index = OZ_TAKE(m->scratch, uint, "cell index", p->capacity);
	const uint *keys = NULL;
	if (key && index) {
		OZ_LAUNCH(d, cell_key, p->count, .position = p->anchor, .key = key, .index = index,
		          .grid = n->grid);
		keys = d->ops->view(d, key, sizeof *key * p->count);
	}
	*sorted = keys && is_sorted(keys, p->count);
	if (*sorted)
		oz_cells_find_starts(d, key, p->count, n->cell_start,
		                     (uint32_t)cell_count(&n->grid));
	oz_scratch_give(m->scratch, key);
	oz_scratch_give(m->scratch, index);
	return keys ? OZ_OK : no_memory(error, p->count);
}

oz_result oz_neighbours_restore(const oz_list_maker *m, oz_neighbours *n, oz_error *error)
{
	bool sorted;
	n->valid = false;
	if (m->particles->count == 0)
		return OZ_OK;
	if (!reserve(m, n))
		return no_memory(error, m->particles->count);
	const oz_result result = find_anchor_cells(m, n, &sorted, error);
	// not sorted: another processor rounded a cell differently; the next step builds the lists
	return result == OZ_OK && sorted ? build_lists(m, n, error) : result;
}

void oz_neighbours_free(oz_device *d, oz_neighbours *n)
{
	d->ops->release(d, n->cell_start, sizeof(uint) * n->cell_capacity);
	d->ops->release(d, n->list, sizeof(uint) * n->list_capacity);
	free_kept(d, &n->kept);
	*n = (oz_neighbours){0};
}
