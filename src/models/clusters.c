// clusters.c: the lists of all clusters, from the reference shape; and slots that come and go.
//
// New lists are made beside the old ones and take their place when all of them are there, so that
// a step that runs out of memory can be taken again.
#include <math.h>
#include <string.h>

#include "world/world.h"

#include "models/clusters.cl"
#include "particles/neighbours.cl"

static oz_result no_memory(oz_error *error, uint32_t slots)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the clusters of %u particles; use a larger spacing or a "
	               "smaller cluster_radius",
	               slots);
}

// ---- slots -------------------------------------------------------------------------------------

static void free_slots(oz_device *d, oz_blend *b)
{
#define OZ_SLOT_FREE(type, name, kind)                                                             \
	d->ops->release(d, b->name, sizeof(type) * b->capacity);                                   \
	b->name = NULL;
	OZ_SLOT_FIELDS(OZ_SLOT_FREE)
#undef OZ_SLOT_FREE
}

void oz_blend_free(oz_world *w)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	free_slots(d, b);
	d->ops->release(d, b->list, sizeof(uint) * b->list_capacity);
	oz_ties_free(d, b);
	*b = (oz_blend){0};
}

oz_result oz_slots_reserve(oz_world *w, uint32_t count, oz_error *error)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	if (count + 1ull <= b->capacity)
		return OZ_OK;
	oz_blend fresh = *b;
	const uint64_t wanted = count + 1ull + (b->count ? count / 8 : 0);
	fresh.capacity = wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
	bool whole = true;
#define OZ_SLOT_ALLOC(type, name, kind)                                                            \
	fresh.name = d->ops->alloc(d, sizeof(type) * fresh.capacity);                              \
	whole = whole && fresh.name;
	OZ_SLOT_FIELDS(OZ_SLOT_ALLOC)
#undef OZ_SLOT_ALLOC
	if (!whole) {
		free_slots(d, &fresh);
		return no_memory(error, count);
	}
#define OZ_SLOT_COPY(type, name, kind)                                                             \
	d->ops->copy(d, fresh.name, b->name, sizeof(type) * b->count);
	OZ_SLOT_FIELDS(OZ_SLOT_COPY)
#undef OZ_SLOT_COPY
	free_slots(d, b);
	*b = fresh;
	return OZ_OK;
}

#define WRITTEN 2048u // slots that go to the device together

// `value` may speak of defs[k]
#define OZ_SLOT_WRITE(type, name, value)                                                           \
	do {                                                                                       \
		type records[WRITTEN];                                                             \
		for (uint32_t k = 0; k < count; k++)                                               \
			records[k] = value;                                                        \
		d->ops->write(d, b->name, sizeof *records *first, records,                         \
		              sizeof *records *count);                                             \
	} while (0)

// at most WRITTEN
static void write_slots(oz_world *w, uint32_t first, const oz_slot_def *defs, uint32_t count)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	OZ_SLOT_WRITE(oz_float4, rest,
	              oz_make4(defs[k].rest.x, defs[k].rest.y, defs[k].rest.z, 0.0f));
	OZ_SLOT_WRITE(oz_float4, turn, oz_make4(0.0f, 0.0f, 0.0f, 1.0f));
	OZ_SLOT_WRITE(uint, lump, defs[k].lump);
	OZ_SLOT_WRITE(float, own_alpha, defs[k].alpha);
	OZ_SLOT_WRITE(float, felt, 0.0f);
	OZ_SLOT_WRITE(float, felt_for, 0.0f);
	OZ_SLOT_WRITE(uint, fresh, defs[k].fresh);
	OZ_SLOT_WRITE(uint, where, defs[k].particle);
}

void oz_slots_set(oz_world *w, uint32_t first, const oz_slot_def *defs, uint32_t count)
{
	for (uint32_t done = 0; done < count; done += WRITTEN)
		write_slots(w, first + done, defs + done,
		            count - done < WRITTEN ? count - done : WRITTEN);
}

// ---- search ------------------------------------------------------------------------------------

// memory of one search
typedef struct search_work {
	uint32_t slots;
	uint64_t cells;
	uint *key, *order, *spare_key, *spare_order;
	oz_float4 *place;
	uint *cell_start;
	uint *members, *start; // of the new lists
	float *share;
	uint *list;
	uint64_t list_size;
} search_work;

static void free_work(oz_device *d, search_work *k)
{
	uint **arrays[] = {&k->key,         &k->order,   &k->spare_key,
	                   &k->spare_order, &k->members, &k->start};
	for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++)
		d->ops->release(d, *arrays[n], sizeof(uint) * (k->slots + 1ull));
	d->ops->release(d, k->share, sizeof(float) * (k->slots + 1ull));
	d->ops->release(d, k->place, sizeof(oz_float4) * (k->slots + 1ull));
	d->ops->release(d, k->cell_start, sizeof(uint) * (k->cells + 1));
	d->ops->release(d, k->list, sizeof(uint) * k->list_size);
}

static bool alloc_work(oz_device *d, search_work *k)
{
	uint **arrays[] = {&k->key,         &k->order,   &k->spare_key,
	                   &k->spare_order, &k->members, &k->start};
	bool whole = true;
	for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) {
		*arrays[n] = d->ops->alloc(d, sizeof(uint) * (k->slots + 1ull));
		whole = whole && *arrays[n];
	}
	k->share = d->ops->alloc(d, sizeof(float) * (k->slots + 1ull));
	k->place = d->ops->alloc(d, sizeof(oz_float4) * (k->slots + 1ull));
	k->cell_start = d->ops->alloc(d, sizeof(uint) * (k->cells + 1));
	return whole && k->share && k->place && k->cell_start;
}

static oz_result sort_slots(oz_world *w, search_work *k, const cluster_search *search,
                            const oz_float4 *rest, oz_error *error)
{
	oz_device *d = w->device;
	const oz_grid *g = &search->grid;
	OZ_LAUNCH(d, cell_key, k->slots, .position = rest, .key = k->key, .index = k->order,
	          .grid = *g);
	const oz_result result = oz_device_sort(d, k->key, k->order, k->spare_key, k->spare_order,
	                                        k->slots, g->bits_x + g->bits_y + g->bits_z, error);
	if (result != OZ_OK)
		return result;
	oz_cells_open(d, k->key, k->slots, k->cell_start, (uint32_t)k->cells);
	OZ_LAUNCH(d, cluster_place, k->slots, .rest = rest, .order = k->order,
	          .where = w->blend.where, .material = w->particles.material, .matter = w->matter,
	          .place = k->place);
	return OZ_OK;
}

// counts, then makes room, then fills
static oz_result list_slots(oz_world *w, search_work *k, const cluster_search *search,
                            const uint *group, oz_error *error)
{
	oz_device *d = w->device;
	OZ_LAUNCH(d, cluster_count, k->slots, .place = k->place, .order = k->order, .group = group,
	          .cell_start = k->cell_start, .members = k->members, .share = k->share,
	          .search = *search);
	uint64_t entries;
	k->list_size = oz_list_starts(d, k->members, k->slots, k->spare_key, k->start, &entries);
	if (k->list_size / d->stride > UINT32_MAX) {
		k->list_size = 0;
		return no_memory(error, k->slots);
	}
	// no room for nothing, where everyone is alone, would look like no memory
	k->list_size = k->list_size ? k->list_size : 1;
	k->list = d->ops->alloc(d, sizeof(uint) * k->list_size);
	if (!k->list)
		return no_memory(error, k->slots);
	OZ_LAUNCH(d, cluster_fill, k->slots, .place = k->place, .order = k->order, .group = group,
	          .cell_start = k->cell_start, .start = k->start, .members = k->members,
	          .list = k->list, .search = *search);
	return OZ_OK;
}

// the new lists take the old ones' place
static void adopt(oz_world *w, search_work *k, oz_float4 *rest)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	const size_t size = sizeof(uint) * b->count;
	d->ops->copy(d, b->rest, rest, sizeof(oz_float4) * b->count);
	d->ops->copy(d, b->members, k->members, size);
	d->ops->copy(d, b->start, k->start, size);
	d->ops->copy(d, b->share, k->share, sizeof(float) * b->count);
	uint *list = b->list;
	const uint64_t list_size = b->list_capacity;
	b->list = k->list;
	b->list_capacity = k->list_size;
	k->list = list;
	k->list_size = list_size;
	b->stale = false;
}

// the slot behind the last, which fills up lists: it weighs nothing and moves nobody
static void clear_last(oz_world *w)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	const oz_float4 zero = {0, 0, 0, 0};
	oz_float4 *records[] = {b->rest, b->now, b->row_x, b->row_y, b->row_z};
	for (size_t n = 0; n < sizeof records / sizeof *records; n++)
		d->ops->write(d, records[n], sizeof zero * b->count, &zero, sizeof zero);
}

void oz_clusters_weigh(oz_world *w)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	OZ_LAUNCH(d, cluster_weigh, b->count, .where = b->where, .material = w->particles.material,
	          .matter = w->matter, .own_alpha = b->own_alpha, .share = b->share,
	          .rest = b->rest);
	OZ_LAUNCH(d, cluster_centre, b->count, .rest = b->rest, .list = b->list, .start = b->start,
	          .members = b->members, .centre = b->centre, .own_rest = b->own_rest,
	          .fluid = w->fluid, .stride = w->device->stride);
}

oz_result oz_clusters_build(oz_world *w, oz_float4 *rest, const uint *group, oz_error *error)
{
	const float radius = oz_cluster_radii(w).most;
	const cluster_search search = {.grid = oz_grid_choose(w->device, rest, w->blend.count,
	                                                      radius),
	                               .slots = w->blend.count,
	                               .lanes = w->device->lanes,
	                               .stride = w->device->stride};
	search_work k = {.slots = w->blend.count,
	                 .cells = 1ull << (search.grid.bits_x + search.grid.bits_y +
	                                   search.grid.bits_z)};
	oz_result result = alloc_work(w->device, &k) ? OZ_OK : no_memory(error, k.slots);
	if (result == OZ_OK)
		result = sort_slots(w, &k, &search, rest, error);
	if (result == OZ_OK)
		result = list_slots(w, &k, &search, group, error);
	if (result == OZ_OK) {
		adopt(w, &k, rest);
		clear_last(w);
		oz_solids_measure(w);
		oz_clusters_weigh(w);
		oz_solids_fit(w);
	}
	free_work(w->device, &k);
	return result;
}
