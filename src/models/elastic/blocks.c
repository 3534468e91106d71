// blocks.c: chooses the slots of each block and allocates its list. Without blocks, kernels use the
// lists of slots.

#include "models/elastic/elastic.h"

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

void oz_blocks_free(oz_sim *sim, oz_elastic *e)
{
	free_slots(sim->device, &e->blocks);
	free_entries(sim->device, &e->blocks);
}

// memory for the slots of some blocks; false: none, and no blocks are left
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

// memory for the entries of all blocks; false: none, and no entries are left
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

// ---- blocks ------------------------------------------------------------------------------------

// sorts slots by their place in the rest shape; each eight in that order make a block
static bool choose_slots(oz_sim *sim)
{
	oz_device *d = sim->device;
	oz_blocks *blocks = &oz_elastic_of(sim)->blocks;
	const uint32_t slots = sim->slots->count, full = blocks->room * OZ_BLOCK;
	const uint32_t capacity = sim->fields.capacity[OZ_ITEMS_SLOTS];
	uint *key = OZ_TAKE(&sim->scratch, uint, "block key", capacity);
	uint *spare_key = OZ_TAKE(&sim->scratch, uint, "block spare key", capacity);
	uint *spare_order = OZ_TAKE(&sim->scratch, uint, "block spare order", capacity);
	const bool sorted = key && spare_key && spare_order &&
	                    oz_slots_sort(sim, blocks->slot, key, spare_key, spare_order);
	oz_scratch_give(&sim->scratch, key);
	oz_scratch_give(&sim->scratch, spare_key);
	oz_scratch_give(&sim->scratch, spare_order);
	for (uint32_t k = slots; k < full && k < slots + OZ_BLOCK; k++)
		d->ops->write(d, blocks->slot, sizeof(uint) * k, &slots, sizeof slots);
	return sorted;
}

// counts and writes the entries of all blocks; false: no memory, or a block exceeds its limits
static bool fill(oz_sim *sim, const oz_lists *lists, uint32_t count)
{
	oz_device *d = sim->device;
	oz_blocks *blocks = &oz_elastic_of(sim)->blocks;
	uint *beyond = (uint *)d->total, found = 0;
	uint32_t entries = 0;
	oz_block_build build = {.rest = sim->slots->rest,
	                        .stiff = oz_elastic_of(sim)->stiff,
	                        .fluid = sim->solid,
	                        .slots = sim->slots->count,
	                        .beyond = beyond};
	build.blocks = *blocks;
	d->ops->clear(d, beyond, sizeof *beyond);
	d->ops->write(d, blocks->first, sizeof(uint) * count, &entries, sizeof entries);
	OZ_LAUNCH_PAIRS(d, elastic_join_blocks, count, lists, .build = &build);
	oz_device_scan(d, blocks->first, count + 1);
	d->ops->read(d, &entries, blocks->first, sizeof(uint) * count, sizeof entries);
	d->ops->read(d, &found, beyond, 0, sizeof found);
	// alloc(0) returns NULL, so allocate at least one
	if (found || !reserve_entries(d, blocks, entries ? entries : 1))
		return false;
	build.blocks = *blocks;
	build.fill = 1;
	OZ_LAUNCH_PAIRS(d, elastic_join_blocks, count, lists, .build = &build);
	d->ops->read(d, &found, beyond, 0, sizeof found);
	return !found;
}

void oz_blocks_make(oz_sim *sim, const oz_lists *lists)
{
	oz_device *d = sim->device;
	oz_blocks *blocks = &oz_elastic_of(sim)->blocks;
	const uint32_t count = (sim->slots->count + OZ_BLOCK - 1) / OZ_BLOCK;
	blocks->count = 0;
	if (!d->ops->can_launch(d, &oz_kernel_elastic_join_blocks))
		return;
	if (reserve_slots(d, blocks, count) && choose_slots(sim) && fill(sim, lists, count))
		blocks->count = count;
}
