// solid_blocks.c: which slots make a block, and memory for its list. Without any, passes go by the
// plain lists.
#include "world/world.h"

#include "models/solid_fit.cl"

static void free_slots(oz_device *d, oz_blocks *b)
{
	d->ops->release(d, b->slot, sizeof *b->slot * OZ_BLOCK * b->room);
	d->ops->release(d, b->first, sizeof *b->first * (b->room + 1ull));
	b->slot = b->first = NULL;
	b->room = 0;
}

static void free_entries(oz_device *d, oz_blocks *b)
{
	d->ops->release(d, b->near, sizeof *b->near * b->entry_room);
	d->ops->release(d, b->weight, sizeof *b->weight * OZ_BLOCK * b->entry_room);
	b->near = NULL;
	b->weight = NULL;
	b->entry_room = 0;
}

void oz_blocks_free(oz_world *w)
{
	free_slots(w->device, &w->solid.blocks);
	free_entries(w->device, &w->solid.blocks);
}

static bool reserve_slots(oz_device *d, oz_blocks *b, uint32_t blocks)
{
	if (blocks <= b->room)
		return true;
	free_slots(d, b);
	b->room = blocks;
	b->slot = d->ops->alloc(d, sizeof *b->slot * OZ_BLOCK * b->room);
	b->first = d->ops->alloc(d, sizeof *b->first * (b->room + 1ull));
	if (b->slot && b->first)
		return true;
	free_slots(d, b);
	return false;
}

static bool reserve_entries(oz_device *d, oz_blocks *b, uint64_t entries)
{
	if (entries <= b->entry_room)
		return true;
	free_entries(d, b);
	b->entry_room = entries;
	b->near = d->ops->alloc(d, sizeof *b->near * b->entry_room);
	b->weight = d->ops->alloc(d, sizeof *b->weight * OZ_BLOCK * b->entry_room);
	if (b->near && b->weight)
		return true;
	free_entries(d, b);
	return false;
}

// ---- order -------------------------------------------------------------------------------------

typedef struct order_work {
	oz_float4 *rest;
	uint *lump, *key, *order, *spare_key, *spare_order;
	uint32_t count;
} order_work;

static void free_work(oz_device *d, order_work *k)
{
	uint *words[] = {k->lump, k->key, k->order, k->spare_key, k->spare_order};
	for (size_t n = 0; n < sizeof words / sizeof *words; n++)
		d->ops->release(d, words[n], sizeof(uint) * k->count);
	d->ops->release(d, k->rest, sizeof *k->rest * k->count);
}

static bool alloc_work(oz_device *d, order_work *k)
{
	uint **words[] = {&k->lump, &k->key, &k->order, &k->spare_key, &k->spare_order};
	k->rest = d->ops->alloc(d, sizeof *k->rest * k->count);
	bool whole = k->rest;
	for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
		*words[n] = d->ops->alloc(d, sizeof(uint) * k->count);
		whole = whole && *words[n];
	}
	return whole;
}

#define WRITTEN 1024u // points that go to the device together

static void write_points(oz_device *d, oz_float4 *rest, const oz_vec3 *points, uint32_t count)
{
	oz_float4 some[WRITTEN];
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t k = i % WRITTEN;
		some[k] = oz_make4(points[i].x, points[i].y, points[i].z, 0.0f);
		if (k == WRITTEN - 1 || i == count - 1)
			d->ops->write(d, rest, sizeof *some * (i - k), some,
			              sizeof *some * (k + 1));
	}
}

oz_result oz_slots_order(oz_world *w, const oz_vec3 *points, uint32_t count, uint32_t *order,
                         oz_error *error)
{
	oz_device *d = w->device;
	order_work k = {.count = count};
	if (!alloc_work(d, &k)) {
		free_work(d, &k);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for a solid of %u particles; use a larger spacing",
		               count);
	}
	write_points(d, k.rest, points, count);
	d->ops->clear(d, k.lump, sizeof(uint) * count);
	OZ_LAUNCH(d, solid_place, count, .rest = k.rest, .lump = k.lump, .key = k.key,
	          .order = k.order, .spacing = w->def.spacing);
	oz_result result =
	        oz_device_sort(d, k.key, k.order, k.spare_key, k.spare_order, count, 30, error);
	if (result == OZ_OK)
		d->ops->read(d, order, k.order, 0, sizeof(uint) * count);
	free_work(d, &k);
	return result == OZ_OK ? oz_device_check(d, error) : result;
}

// ---- blocks ------------------------------------------------------------------------------------

// by lumps, and in these as they lie; keys and spares of all slots
static bool sort_slots(oz_world *w, uint *order, uint *key, uint *spare_key, uint *spare_order)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	oz_error error;
	OZ_LAUNCH(d, solid_place, b->count, .rest = b->rest, .lump = b->lump, .key = key,
	          .order = order, .spacing = w->def.spacing);
	if (oz_device_sort(d, key, order, spare_key, spare_order, b->count, 30, &error) != OZ_OK)
		return false;
	d->ops->gather(d, key, b->lump, order, b->count, sizeof *key);
	return oz_device_sort(d, key, order, spare_key, spare_order, b->count, 32, &error) == OZ_OK;
}

static bool choose_slots(oz_world *w)
{
	oz_device *d = w->device;
	oz_blocks *blocks = &w->solid.blocks;
	const uint32_t slots = w->blend.count, full = blocks->room * OZ_BLOCK;
	const size_t size = sizeof(uint) * slots;
	uint *spare = d->ops->alloc(d, 3 * size);
	if (!spare)
		return false;
	const bool sorted = sort_slots(w, blocks->slot, spare, spare + slots, spare + 2ull * slots);
	d->ops->release(d, spare, 3 * size);
	for (uint32_t k = slots; k < full && k < slots + OZ_BLOCK; k++)
		d->ops->write(d, blocks->slot, sizeof(uint) * k, &slots, sizeof slots);
	return sorted;
}

// nothing is kept of a list that does not fit
static bool fill(oz_world *w, const oz_lists *lists, uint32_t count)
{
	oz_device *d = w->device;
	oz_blocks *blocks = &w->solid.blocks;
	uint *beyond = (uint *)d->total, found = 0;
	uint32_t entries = 0;
	oz_block_build build = {.rest = w->blend.rest,
	                        .stiff = w->solid.stiff,
	                        .fluid = w->fluid,
	                        .slots = w->blend.count,
	                        .beyond = beyond};
	build.blocks = *blocks;
	d->ops->clear(d, beyond, sizeof *beyond);
	d->ops->write(d, blocks->first, sizeof(uint) * count, &entries, sizeof entries);
	OZ_LAUNCH_PAIRS(d, solid_join_blocks, count, lists, .build = &build);
	oz_device_scan(d, blocks->first, count + 1);
	d->ops->read(d, &entries, blocks->first, sizeof(uint) * count, sizeof entries);
	d->ops->read(d, &found, beyond, 0, sizeof found);
	// no room for nothing would look like no memory
	if (found || !reserve_entries(d, blocks, entries ? entries : 1))
		return false;
	build.blocks = *blocks;
	build.fill = 1;
	OZ_LAUNCH_PAIRS(d, solid_join_blocks, count, lists, .build = &build);
	d->ops->read(d, &found, beyond, 0, sizeof found);
	return !found;
}

void oz_blocks_make(oz_world *w, const oz_lists *lists)
{
	oz_device *d = w->device;
	oz_blocks *blocks = &w->solid.blocks;
	const uint32_t count = (w->blend.count + OZ_BLOCK - 1) / OZ_BLOCK;
	blocks->count = 0;
	if (!d->ops->can_launch(d, &oz_kernel_solid_join_blocks))
		return;
	if (reserve_slots(d, blocks, count) && choose_slots(w) && fill(w, lists, count))
		blocks->count = count;
}
