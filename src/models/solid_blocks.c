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
	d->ops->build_blocks(d, &build, lists, count);
	oz_device_scan(d, blocks->first, count + 1);
	d->ops->read(d, &entries, blocks->first, sizeof(uint) * count, sizeof entries);
	d->ops->read(d, &found, beyond, 0, sizeof found);
	if (found || !reserve_entries(d, blocks, entries + (uint64_t)OZ_BLOCK_AHEAD))
		return false;
	build.blocks = *blocks;
	build.fill = 1;
	d->ops->build_blocks(d, &build, lists, count);
	d->ops->read(d, &found, beyond, 0, sizeof found);
	const uint zero[OZ_BLOCK_AHEAD] = {0};
	d->ops->write(d, blocks->near, sizeof(uint) * entries, zero, sizeof zero);
	return !found;
}

void oz_blocks_make(oz_world *w, const oz_lists *lists)
{
	oz_device *d = w->device;
	oz_blocks *blocks = &w->solid.blocks;
	const uint32_t count = (w->blend.count + OZ_BLOCK - 1) / OZ_BLOCK;
	blocks->count = 0;
	if (!d->ops->build_blocks || d->lanes < OZ_BLOCK)
		return;
	if (reserve_slots(d, blocks, count) && choose_slots(w) && fill(w, lists, count))
		blocks->count = count;
}
