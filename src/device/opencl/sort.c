// sort.c: scan, stable sort and gather on an OpenCL device.
#include <string.h>

#include "device/opencl/opencl.h"
#include "device/opencl/tools.h"

#define SORT_SCRATCH 4u // scratch of the sort; 0 … 3 are the levels of a scan

// the number of tiles of `count` numbers
static uint32_t tiles_of(uint32_t count)
{
	return count ? (count - 1) / OZ_TILE + 1 : 0;
}

// the sums of tiles of level k are in scratch k
bool oz_cl_reserve_scan(oz_cl_device *d, uint64_t count)
{
	uint32_t left = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	for (uint32_t level = 0; level < SORT_SCRATCH && left; level++) {
		const uint32_t tiles = tiles_of(left);
		if (!oz_cl_scratch(d, level, sizeof(uint) * tiles))
			return false;
		left = tiles > 1 ? tiles : 0;
	}
	return true;
}

// ---- gather -----------------------------------------------------------------------------------

void oz_cl_gather(oz_device *device, void *out, const void *in, const uint *index, uint32_t count,
                  size_t size)
{
	oz_cl_device *d = oz_cl_of(device);
	if (count == 0)
		return;
	const bool records = size == sizeof(oz_float4);
	const oz_cl_tool tool = records ? OZ_CL_gather_records : OZ_CL_gather_words;
	oz_cl_set_buffer(d, tool, 0, out);
	oz_cl_set_buffer(d, tool, 1, in);
	oz_cl_set_buffer(d, tool, 2, index);
	oz_cl_set(d, tool, 3, sizeof count, &count);
	if (!records) {
		const uint words = (uint)(size / sizeof(uint));
		oz_cl_set(d, tool, 4, sizeof words, &words);
	}
	oz_cl_run_tool(d, tool, count);
}

// Packs the pieces on the device first, so that one read is enough. Sizes are multiples of 4 bytes.
void oz_cl_read_every(oz_device *device, void *host, const void *buffer, size_t size, size_t stride,
                      uint32_t count)
{
	oz_cl_device *d = oz_cl_of(device);
	const uint words = (uint)(size / sizeof(uint)), step = (uint)(stride / sizeof(uint));
	uint *picked = oz_cl_scratch(d, 0, size * count);
	if (!picked) {
		memset(host, 0, size * count);
		oz_cl_record_error(d, CL_MEM_OBJECT_ALLOCATION_FAILURE, "reading back");
		return;
	}
	oz_cl_set_buffer(d, OZ_CL_pick_words, 0, picked);
	oz_cl_set_buffer(d, OZ_CL_pick_words, 1, buffer);
	oz_cl_set(d, OZ_CL_pick_words, 2, sizeof count, &count);
	oz_cl_set(d, OZ_CL_pick_words, 3, sizeof words, &words);
	oz_cl_set(d, OZ_CL_pick_words, 4, sizeof step, &step);
	oz_cl_run_tool(d, OZ_CL_pick_words, count);
	device->ops->read(device, host, picked, 0, size * count);
}

// ---- scan -------------------------------------------------------------------------------------

// scans each tile, then the sums of tiles (the next level), then adds those to the tiles
static void scan_level(oz_cl_device *d, uint *values, uint32_t count, uint32_t level)
{
	const uint32_t tiles = tiles_of(count);
	uint *sums = oz_cl_scratch(d, level, sizeof(uint) * tiles);
	if (!sums) {
		oz_cl_record_error(d, CL_MEM_OBJECT_ALLOCATION_FAILURE, "scan");
		return;
	}
	oz_cl_set_buffer(d, OZ_CL_scan_blocks, 0, values);
	oz_cl_set_buffer(d, OZ_CL_scan_blocks, 1, sums);
	oz_cl_set(d, OZ_CL_scan_blocks, 2, sizeof count, &count);
	oz_cl_set(d, OZ_CL_scan_blocks, 3, sizeof(uint) * OZ_SCAN_LOCAL, NULL);
	oz_cl_run_groups(d, OZ_CL_scan_blocks, tiles);
	if (tiles <= 1)
		return;
	scan_level(d, sums, tiles, level + 1);
	oz_cl_set_buffer(d, OZ_CL_scan_add, 0, values);
	oz_cl_set_buffer(d, OZ_CL_scan_add, 1, sums);
	oz_cl_set(d, OZ_CL_scan_add, 2, sizeof count, &count);
	oz_cl_run_groups(d, OZ_CL_scan_add, tiles);
}

// 2^32 numbers need four levels
void oz_cl_scan(oz_device *device, uint *values, uint32_t count)
{
	if (count)
		scan_level(oz_cl_of(device), values, count, 0);
}

// ---- sort -------------------------------------------------------------------------------------

typedef struct sort_pass {
	const uint *keys, *values;
	uint *out_keys, *out_values, *counts;
	uint32_t count, shift, bits;
} sort_pass;

// sorts by p->bits bits of the keys, from bit p->shift on
static void run_pass(oz_cl_device *d, const sort_pass *p)
{
	const uint32_t tiles = tiles_of(p->count);
	oz_cl_set_buffer(d, OZ_CL_sort_tiles, 0, p->keys);
	oz_cl_set_buffer(d, OZ_CL_sort_tiles, 1, p->values);
	oz_cl_set_buffer(d, OZ_CL_sort_tiles, 2, p->counts);
	oz_cl_set(d, OZ_CL_sort_tiles, 3, sizeof(uint), &p->count);
	oz_cl_set(d, OZ_CL_sort_tiles, 4, sizeof(uint), &p->shift);
	oz_cl_set(d, OZ_CL_sort_tiles, 5, sizeof(uint), &p->bits);
	oz_cl_set(d, OZ_CL_sort_tiles, 6, sizeof(uint) * OZ_SORT_LOCAL, NULL);
	oz_cl_run_groups(d, OZ_CL_sort_tiles, tiles);
	oz_cl_scan(&d->base, p->counts, tiles << p->bits);
	oz_cl_set_buffer(d, OZ_CL_sort_scatter, 0, p->keys);
	oz_cl_set_buffer(d, OZ_CL_sort_scatter, 1, p->values);
	oz_cl_set_buffer(d, OZ_CL_sort_scatter, 2, p->counts);
	oz_cl_set_buffer(d, OZ_CL_sort_scatter, 3, p->out_keys);
	oz_cl_set_buffer(d, OZ_CL_sort_scatter, 4, p->out_values);
	oz_cl_set(d, OZ_CL_sort_scatter, 5, sizeof(uint), &p->count);
	oz_cl_set(d, OZ_CL_sort_scatter, 6, sizeof(uint), &p->shift);
	oz_cl_set(d, OZ_CL_sort_scatter, 7, sizeof(uint), &p->bits);
	oz_cl_set(d, OZ_CL_sort_scatter, 8, sizeof(uint) * OZ_TILE_ITEMS, NULL);
	oz_cl_run_groups(d, OZ_CL_sort_scatter, tiles);
}

static void swap(uint **a, uint **b)
{
	uint *c = *a;
	*a = *b;
	*b = c;
}

oz_result oz_cl_sort(oz_device *device, uint *keys, uint *values, uint *spare_keys,
                     uint *spare_values, uint32_t count, uint32_t bits, oz_error *error)
{
	oz_cl_device *d = oz_cl_of(device);
	if (count == 0 || bits == 0)
		return OZ_OK;
	const uint32_t passes = (bits + 7) / 8, each = (bits + passes - 1) / passes;
	sort_pass p = {.count = count, .bits = each};
	const size_t numbers = (size_t)tiles_of(count) << each;
	p.counts = oz_cl_scratch(d, SORT_SCRATCH, sizeof(uint) * numbers);
	if (!p.counts || !oz_cl_reserve_scan(d, numbers))
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory while sorting %u particles on %s; use a larger "
		               "spacing",
		               count, d->name);
	uint *from = keys, *from_values = values, *to = spare_keys, *to_values = spare_values;
	for (p.shift = 0; p.shift < bits; p.shift += each) {
		p.keys = from, p.values = from_values;
		p.out_keys = to, p.out_values = to_values;
		run_pass(d, &p);
		swap(&from, &to);
		swap(&from_values, &to_values);
	}
	if (from != keys) {
		device->ops->copy(device, keys, from, sizeof(uint) * count);
		device->ops->copy(device, values, from_values, sizeof(uint) * count);
	}
	return OZ_OK;
}
