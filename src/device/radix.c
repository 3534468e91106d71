// radix.c: scan and stable sort. Both cut the range into blocks at places that depend on the count
// only, so that every bit of the result is the same on any number of threads.
#include "device/radix.h"

#include <string.h>

#define SCAN_BLOCK  32768u
#define SCAN_BLOCKS 1024u // blocks of one call of scan_piece
#define MAX_BLOCKS  64u   // of a sort; each has a histogram
#define MIN_BLOCK   4096u
#define DIGIT_BITS  11u
#define DIGITS      (1u << DIGIT_BITS)

typedef struct scan_task {
	uint *values;
	uint *sums; // of each block; later the sum of all values before the block
} scan_task;

// the sum of one block, into sums
static void sum_block(void *context, uint32_t begin, uint32_t end)
{
	const scan_task *t = context;
	uint sum = 0;
	for (uint32_t i = begin; i < end; i++)
		sum += t->values[i];
	t->sums[begin / SCAN_BLOCK] = sum;
}

// scans one block, starting with the sum of all values before it
static void scan_block(void *context, uint32_t begin, uint32_t end)
{
	const scan_task *t = context;
	uint sum = t->sums[begin / SCAN_BLOCK];
	for (uint32_t i = begin; i < end; i++) {
		const uint value = t->values[i];
		t->values[i] = sum;
		sum += value;
	}
}

// Scans up to SCAN_BLOCKS blocks, starting with the sum `before`; returns the sum at the end.
static uint scan_piece(oz_pool *pool, uint *values, uint32_t count, uint before)
{
	uint sums[SCAN_BLOCKS];
	scan_task t = {values, sums};
	oz_pool_run(pool, count, SCAN_BLOCK, sum_block, &t);
	for (uint32_t b = 0; b * SCAN_BLOCK < count; b++) {
		const uint sum = sums[b];
		sums[b] = before;
		before += sum;
	}
	oz_pool_run(pool, count, SCAN_BLOCK, scan_block, &t);
	return before;
}

void oz_scan(oz_pool *pool, uint *values, uint32_t count)
{
	const uint32_t piece = SCAN_BLOCK * SCAN_BLOCKS;
	uint before = 0;
	for (uint32_t begin = 0; begin < count; begin += piece) {
		const uint32_t left = count - begin;
		before = scan_piece(pool, values + begin, left < piece ? left : piece, before);
		if (left <= piece)
			return;
	}
}

typedef struct sort_task {
	const uint *keys, *values;
	uint *out_keys, *out_values;
	uint *offsets; // [digit][block]: number of keys; after the scan, where the next one goes
	uint32_t count, block, blocks, shift;
} sort_task;

// the bits of a key that the present pass sorts by
static uint32_t digit_of(const sort_task *t, uint key)
{
	return key >> t->shift & (DIGITS - 1);
}

static uint32_t block_end(const sort_task *t, uint32_t b)
{
	const uint64_t end = (uint64_t)(b + 1) * t->block;
	return end < t->count ? (uint32_t)end : t->count;
}

// writes the histogram of each block into offsets
static void count_digits(void *context, uint32_t begin, uint32_t end)
{
	const sort_task *t = context;
	for (uint32_t b = begin; b < end; b++) {
		uint histogram[DIGITS] = {0};
		for (uint32_t i = b * t->block; i < block_end(t, b); i++)
			histogram[digit_of(t, t->keys[i])]++;
		for (uint32_t d = 0; d < DIGITS; d++)
			t->offsets[d * t->blocks + b] = histogram[d];
	}
}

// moves the pairs of each block to their places, in order
static void scatter(void *context, uint32_t begin, uint32_t end)
{
	const sort_task *t = context;
	for (uint32_t b = begin; b < end; b++) {
		uint next[DIGITS];
		for (uint32_t d = 0; d < DIGITS; d++)
			next[d] = t->offsets[d * t->blocks + b];
		for (uint32_t i = b * t->block; i < block_end(t, b); i++) {
			const uint to = next[digit_of(t, t->keys[i])]++;
			t->out_keys[to] = t->keys[i];
			t->out_values[to] = t->values[i];
		}
	}
}

static uint32_t block_size(uint32_t count)
{
	const uint32_t size = count / MAX_BLOCKS + 1;
	return size < MIN_BLOCK ? MIN_BLOCK : size;
}

static uint32_t block_count(uint32_t count)
{
	return count ? (count - 1) / block_size(count) + 1 : 0;
}

uint32_t oz_radix_digits(uint32_t count)
{
	return DIGITS * block_count(count);
}

static void swap(uint **a, uint **b)
{
	uint *c = *a;
	*a = *b;
	*b = c;
}

void oz_radix_sort(oz_pool *pool, uint *keys, uint *values, uint *spare_keys, uint *spare_values,
                   uint32_t count, uint32_t bits, uint *digits)
{
	uint *from = keys, *from_values = values, *to = spare_keys, *to_values = spare_values;
	sort_task t = {.count = count,
	               .block = block_size(count),
	               .blocks = block_count(count),
	               .offsets = digits};
	for (t.shift = 0; t.shift < bits; t.shift += DIGIT_BITS) {
		t.keys = from, t.values = from_values;
		t.out_keys = to, t.out_values = to_values;
		oz_pool_run(pool, t.blocks, 1, count_digits, &t);
		oz_scan(pool, t.offsets, DIGITS * t.blocks);
		oz_pool_run(pool, t.blocks, 1, scatter, &t);
		swap(&from, &to);
		swap(&from_values, &to_values);
	}
	if (from != keys) {
		memcpy(keys, from, sizeof(uint) * count);
		memcpy(values, from_values, sizeof(uint) * count);
	}
}
