// rest_lists.c: makes the lists of rest neighbours from the rest shape.
//
// New lists replace the old ones only when all are complete, so that a step that runs out of memory
// can be repeated.
#include <math.h>

#include "contact/slots.h"

#include "contact/rest_lists.cl"
#include "particles/neighbours.cl"

static oz_result no_memory(oz_error *error, uint32_t slots)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the rest shapes of %u particles; use a larger spacing or "
	               "a smaller cluster_radius",
	               slots);
}

// buffers of one search
typedef struct search_work {
	uint32_t slots;
	uint64_t cells;
	uint *key, *order, *spare_key, *spare_order, *room;
	oz_float4 *place;
	uint *cell_start;
	uint *members, *start; // of the new lists
	float *inverse_count;
	uint *list;
	uint64_t list_size;
} search_work;

static void give_work(oz_sim *sim, search_work *k)
{
	const void *taken[] = {k->key,   k->order,     k->spare_key, k->spare_order,
	                       k->room,  k->members,   k->start,     k->inverse_count,
	                       k->place, k->cell_start};
	for (size_t n = 0; n < sizeof taken / sizeof *taken; n++)
		oz_scratch_give(&sim->scratch, taken[n]);
	sim->device->ops->release(sim->device, k->list, sizeof(uint) * k->list_size);
}

static bool take_work(oz_sim *sim, search_work *k)
{
	oz_scratch *s = &sim->scratch;
	const uint32_t capacity = sim->fields.capacity[OZ_ITEMS_SLOTS];
	k->key = OZ_TAKE(s, uint, "rest key", capacity);
	k->order = OZ_TAKE(s, uint, "rest order", capacity);
	k->spare_key = OZ_TAKE(s, uint, "rest spare key", capacity);
	k->spare_order = OZ_TAKE(s, uint, "rest spare order", capacity);
	k->room = OZ_TAKE(s, uint, "rest list room", capacity);
	k->members = OZ_TAKE(s, uint, "rest members", capacity);
	k->start = OZ_TAKE(s, uint, "rest start", capacity);
	k->inverse_count = OZ_TAKE(s, float, "rest share", capacity);
	k->place = OZ_TAKE(s, oz_float4, "rest place", capacity);
	k->cell_start = OZ_TAKE(s, uint, "rest cells", k->cells + 1);
	return k->key && k->order && k->spare_key && k->spare_order && k->room && k->members &&
	       k->start && k->inverse_count && k->place && k->cell_start;
}

// sorts the slots by grid cell and fills `cell_start` and `place`
static oz_result sort_slots(oz_sim *sim, search_work *k, const rest_search *search,
                            const oz_float4 *rest, oz_error *error)
{
	oz_device *d = sim->device;
	const oz_grid *g = &search->grid;
	OZ_LAUNCH(d, cell_key, k->slots, .position = rest, .key = k->key, .index = k->order,
	          .grid = *g);
	const oz_result result = oz_device_sort(d, k->key, k->order, k->spare_key, k->spare_order,
	                                        k->slots, g->bits_x + g->bits_y + g->bits_z, error);
	if (result != OZ_OK)
		return result;
	oz_cells_find_starts(d, k->key, k->slots, k->cell_start, (uint32_t)k->cells);
	OZ_LAUNCH(d, rest_place, k->slots, .rest = rest, .order = k->order,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .material = sim->particles.material, .matter = sim->matter, .place = k->place);
	return OZ_OK;
}

// counts the rest neighbours of each slot, allocates the lists, fills them
static oz_result list_slots(oz_sim *sim, search_work *k, const rest_search *search,
                            const uint *group, oz_error *error)
{
	oz_device *d = sim->device;
	OZ_LAUNCH(d, rest_count, k->slots, .place = k->place, .order = k->order, .group = group,
	          .cell_start = k->cell_start, .members = k->members,
	          .inverse_count = k->inverse_count, .search = *search);
	uint64_t entries;
	k->list_size = oz_list_starts(d, k->members, k->slots, k->room, k->start, &entries);
	if (k->list_size / d->stride > UINT32_MAX) {
		k->list_size = 0;
		return no_memory(error, k->slots);
	}
	// alloc(0) returns NULL, so allocate at least one
	k->list_size = k->list_size ? k->list_size : 1;
	k->list = d->ops->alloc(d, sizeof(uint) * k->list_size);
	if (!k->list)
		return no_memory(error, k->slots);
	OZ_LAUNCH(d, rest_fill, k->slots, .place = k->place, .order = k->order, .group = group,
	          .cell_start = k->cell_start, .start = k->start, .members = k->members,
	          .list = k->list, .search = *search);
	return OZ_OK;
}

// makes the new lists and the new rest shape those of the slots; give_work then frees the old list
static void replace_lists(oz_sim *sim, search_work *k, oz_float4 *rest)
{
	oz_device *d = sim->device;
	oz_slots *b = sim->slots;
	const size_t size = sizeof(uint) * b->count;
	d->ops->copy(d, b->rest, rest, sizeof(oz_float4) * b->count);
	d->ops->copy(d, b->members, k->members, size);
	d->ops->copy(d, b->start, k->start, size);
	d->ops->copy(d, b->inverse_count, k->inverse_count, sizeof(float) * b->count);
	uint *list = b->list;
	const uint64_t list_size = b->list_capacity;
	b->list = k->list;
	b->list_capacity = k->list_size;
	k->list = list;
	k->list_size = list_size;
}

// sets the record behind the last slot to 0: lists are padded with its number
static void clear_padding_slot(oz_sim *sim)
{
	const oz_float4 zero = {0, 0, 0, 0};
	sim->device->ops->write(sim->device, sim->slots->rest, sizeof zero * sim->slots->count,
	                        &zero, sizeof zero);
}

// writes own_rest, the density of the rest shape
static void find_rest_density(oz_sim *sim)
{
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(sim->device, rest_density, s->count, .rest = s->rest, .list = s->list,
	          .start = s->start, .members = s->members, .own_rest = s->own_rest,
	          .particle_of_slot = s->particle_of_slot, .material = sim->particles.material,
	          .matter = sim->matter, .fluid = sim->fluid, .solid = sim->solid,
	          .stride = sim->device->stride, .slots = s->count);
}

// the longest rest reach of all bodies that have particles, m
static float longest_reach(const oz_sim *sim)
{
	const oz_matter *matters = sim->matters.items;
	float reach = 0;
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_bodies(sim)[b].count)
			reach = fmaxf(reach, matters[oz_bodies(sim)[b].material].rest_reach);
	return reach;
}

oz_result oz_rest_lists_build(oz_sim *sim, oz_float4 *rest, const uint *group, oz_error *error)
{
	const float radius = longest_reach(sim);
	const rest_search search = {.grid = oz_grid_choose(sim->device, rest, sim->slots->count,
	                                                   radius),
	                            .slots = sim->slots->count,
	                            .lanes = sim->device->lanes,
	                            .stride = sim->device->stride};
	search_work k = {.slots = sim->slots->count,
	                 .cells = 1ull << (search.grid.bits_x + search.grid.bits_y +
	                                   search.grid.bits_z)};
	oz_result result = take_work(sim, &k) ? OZ_OK : no_memory(error, k.slots);
	if (result == OZ_OK)
		result = sort_slots(sim, &k, &search, rest, error);
	if (result == OZ_OK)
		result = list_slots(sim, &k, &search, group, error);
	if (result == OZ_OK) {
		replace_lists(sim, &k, rest);
		clear_padding_slot(sim);
		find_rest_density(sim);
	}
	give_work(sim, &k);
	return result;
}
