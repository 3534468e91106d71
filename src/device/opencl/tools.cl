// tools.cl: scan, stable sort and gather for OpenCL, over groups that share local memory.
//
// A group of 256 items processes a tile of 1024 numbers. All sums are integers, so the result is
// the same on every device. The host passes local memory as an argument: in PoCL 3.1, groups that
// run at the same time share local memory that the kernel itself declares.
#include "device/kernel.h"
#include "device/opencl/tools.h"

#define GROUP OZ_TILE_ITEMS
#define EACH  OZ_TILE_EACH
#define TILE  OZ_TILE
#define BINS  OZ_TILE_BINS

// The sum of `value` over the items before this one; *total gets the sum over all items of the
// group.
static inline uint sum_before(__local uint *sums, uint item, uint value, uint *total)
{
	sums[item] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint reach = 1; reach < GROUP; reach <<= 1) {
		const uint other = item >= reach ? sums[item - reach] : 0u;
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[item] += other;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	*total = sums[GROUP - 1u];
	const uint before = sums[item] - value;
	barrier(CLK_LOCAL_MEM_FENCE);
	return before;
}

// scans each tile separately and writes its sum
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
scan_blocks(__global uint *values, __global uint *sums, uint n, __local uint *tile)
{
	__local uint *scratch = tile + TILE;
	const uint item = (uint)get_local_id(0), first = (uint)get_group_id(0) * TILE;
	for (uint k = item; k < TILE; k += GROUP)
		tile[k] = first + k < n ? values[first + k] : 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint own = 0, total;
	for (uint k = 0; k < EACH; k++)
		own += tile[item * EACH + k];
	uint before = sum_before(scratch, item, own, &total);
	for (uint k = 0; k < EACH; k++) {
		const uint value = tile[item * EACH + k];
		tile[item * EACH + k] = before;
		before += value;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = item; k < TILE; k += GROUP)
		if (first + k < n)
			values[first + k] = tile[k];
	if (item == 0u)
		sums[get_group_id(0)] = total;
}

// adds to each tile the sum of all tiles before it
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
scan_add(__global uint *values, __global const uint *sums, uint n)
{
	const uint first = (uint)get_group_id(0) * TILE, before = sums[get_group_id(0)];
	for (uint k = (uint)get_local_id(0); k < TILE; k += GROUP)
		if (first + k < n)
			values[first + k] += before;
}

// ---- sort -------------------------------------------------------------------------------------

// one unused word after every 16: items that sum 16 counts each then use different banks
#define PADDED(k) ((k) + ((k) >> 4))

// Stable sort of a tile by up to four bits of its keys, those of the mask: every item counts its
// own keys by bin; the scan of the counts over bins and items gives the new place of each key.
static inline void sort_by_nibble(__local const uint *keys, __local const uint *values,
                                  __local uint *out_keys, __local uint *out_values,
                                  __local ushort *counts, __local uint *scratch, uint shift,
                                  uint mask)
{
	const uint item = (uint)get_local_id(0);
	for (uint b = 0; b < BINS; b++)
		counts[PADDED(b * GROUP + item)] = 0;
	for (uint k = 0; k < EACH; k++)
		counts[PADDED((keys[item * EACH + k] >> shift & mask) * GROUP + item)]++;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint sum = 0, total;
	for (uint k = 0; k < BINS; k++)
		sum += counts[PADDED(item * BINS + k)];
	uint before = sum_before(scratch, item, sum, &total);
	for (uint k = 0; k < BINS; k++) {
		const uint count = counts[PADDED(item * BINS + k)];
		counts[PADDED(item * BINS + k)] = (ushort)before;
		before += count;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < EACH; k++) {
		const uint key = keys[item * EACH + k];
		const uint to = counts[PADDED((key >> shift & mask) * GROUP + item)]++;
		out_keys[to] = key;
		out_values[to] = values[item * EACH + k];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

// Sorts each tile by `bits` bits (at most 8) of its keys; counts[digit · tiles + tile] gets the
// number of its keys with each digit. Padding of the last tile has the largest key and stays at its
// end.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
sort_tiles(__global uint *keys, __global uint *values, __global uint *counts, uint n, uint shift,
           uint bits, __local uint *memory)
{
	__local uint *tile_keys = memory, *other_keys = memory + TILE;
	__local uint *tile_values = memory + 2u * TILE, *other_values = memory + 3u * TILE;
	__local uint *scratch = memory + 4u * TILE, *starts = scratch + GROUP;
	__local ushort *bins = (__local ushort *)(starts + GROUP);
	const uint item = (uint)get_local_id(0), tile = (uint)get_group_id(0);
	const uint tiles = (uint)get_num_groups(0), first = tile * TILE;
	for (uint k = item; k < TILE; k += GROUP) {
		tile_keys[k] = first + k < n ? keys[first + k] : 0xffffffffu;
		tile_values[k] = first + k < n ? values[first + k] : 0u;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint digits = 1u << bits;
	sort_by_nibble(tile_keys, tile_values, other_keys, other_values, bins, scratch, shift,
	               (digits - 1u) & (BINS - 1u));
	sort_by_nibble(other_keys, other_values, tile_keys, tile_values, bins, scratch, shift + 4u,
	               (digits - 1u) >> 4);
	// starts[digit]: index of its first key; `held` where the tile has no such key
	const uint held = n - first < TILE ? n - first : TILE;
	starts[item] = held;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = item; k < held; k += GROUP) {
		const uint digit = tile_keys[k] >> shift & (digits - 1u);
		if (k == 0u || digit != (tile_keys[k - 1u] >> shift & (digits - 1u)))
			starts[digit] = k;
		keys[first + k] = tile_keys[k];
		values[first + k] = tile_values[k];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	// a digit ends where the next digit that occurs starts
	uint end = held;
	if (item < digits) {
		for (uint d = item + 1u; d < digits; d++)
			if (starts[d] < held) {
				end = starts[d];
				break;
			}
		counts[item * tiles + tile] = starts[item] < held ? end - starts[item] : 0u;
	}
}

// Moves the pairs of each sorted tile to their global places; `starts` are the scanned counts.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
sort_scatter(__global const uint *keys, __global const uint *values, __global const uint *starts,
             __global uint *out_keys, __global uint *out_values, uint n, uint shift, uint bits,
             __local uint *places)
{
	// places[digit]: global place of its first key minus its index in the tile
	const uint item = (uint)get_local_id(0), tile = (uint)get_group_id(0);
	const uint tiles = (uint)get_num_groups(0), first = tile * TILE;
	const uint held = n - first < TILE ? n - first : TILE, digits = 1u << bits;
	for (uint k = item; k < held; k += GROUP) {
		const uint digit = keys[first + k] >> shift & (digits - 1u);
		const uint before = k ? k - 1u : 0u;
		if (k == 0u || digit != (keys[first + before] >> shift & (digits - 1u)))
			places[digit] = starts[digit * tiles + tile] - k;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = item; k < held; k += GROUP) {
		const uint key = keys[first + k];
		const uint to = places[key >> shift & (digits - 1u)] + k;
		out_keys[to] = key;
		out_values[to] = values[first + k];
	}
}

// ---- gather -----------------------------------------------------------------------------------

// out[i] = in[index[i]], for elements of `words` words
__kernel void gather_words(__global uint *out, __global const uint *in, __global const uint *index,
                           uint n, uint words)
{
	const uint i = (uint)get_global_id(0);
	if (i < n)
		for (uint k = 0; k < words; k++)
			out[(size_t)i * words + k] = in[(size_t)index[i] * words + k];
}

__kernel void gather_records(__global oz_float4 *out, __global const oz_float4 *in,
                             __global const uint *index, uint n)
{
	const uint i = (uint)get_global_id(0);
	if (i < n)
		out[i] = in[index[i]];
}

// copies n pieces of `words` words, one every `stride` words, packed
__kernel void pick_words(__global uint *out, __global const uint *in, uint n, uint words,
                         uint stride)
{
	const uint i = (uint)get_global_id(0);
	if (i < n)
		for (uint k = 0; k < words; k++)
			out[(size_t)i * words + k] = in[(size_t)i * stride + k];
}

// writes zeros to the n words from word `first` on
__kernel void clear_words(__global uint *out, ulong first, uint n)
{
	const size_t i = get_global_id(0);
	if (i < n)
		out[first + i] = 0u;
}
