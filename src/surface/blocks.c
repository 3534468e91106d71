// blocks.c: finds the blocks of nodes near particles, and samples the field in them.
//
// Blocks near particles are put into a hash table, cell by cell of the search grid, in the order of
// the particles. Then the field is sampled in batches of blocks. Only blocks with nodes on both
// sides of the level are kept, so memory grows with the area of the surface, not with the volume.
#include <math.h>
#include <string.h>

#include "surface/surface.h"

#define BATCH 2048u // blocks sampled at a time

// ---- the table ---------------------------------------------------------------------------------

static uint64_t hash_block(oz_block b)
{
	const uint64_t key = (uint64_t)(uint32_t)(b.x + OZ_BLOCK_LIMIT) << 42 |
	                     (uint64_t)(uint32_t)(b.y + OZ_BLOCK_LIMIT) << 21 |
	                     (uint64_t)(uint32_t)(b.z + OZ_BLOCK_LIMIT);
	return key * 0x9e3779b97f4a7c15u;
}

static bool same_block(oz_block a, oz_block b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The table entry of a block (number + 1), or the empty entry (0) where the block can be inserted.
static uint32_t *find_slot(const oz_surface_blocks *blocks, oz_block b)
{
	uint32_t *table = blocks->table.data;
	const oz_block *block = blocks->block.data;
	const uint32_t mask = (1u << blocks->table_bits) - 1u;
	uint32_t at = (uint32_t)(hash_block(b) >> (64 - blocks->table_bits));
	while (table[at] && !same_block(block[table[at] - 1], b))
		at = (at + 1) & mask;
	return &table[at];
}

// Gives the table 2^bits entries and clears them.
static oz_result empty_table(oz_surface *s, uint32_t bits, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	const oz_result result =
	        oz_store_reserve(s, &b->table, 1ull << bits, sizeof(uint32_t), false, error);
	if (result != OZ_OK)
		return result;
	b->table_bits = bits;
	memset(b->table.data, 0, sizeof(uint32_t) << bits);
	return OZ_OK;
}

// doubles the table once it is half full
static oz_result grow_table(oz_surface *s, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	if (2ull * b->count < 1ull << b->table_bits)
		return OZ_OK;
	const oz_result result = empty_table(s, b->table_bits + 1, error);
	const oz_block *block = b->block.data;
	for (uint32_t k = 0; result == OZ_OK && k < b->count; k++)
		*find_slot(b, block[k]) = k + 1;
	return result;
}

// Appends a block if the table does not have it.
static oz_result add_block(oz_surface *s, oz_block block, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	uint32_t *slot = find_slot(b, block);
	if (*slot)
		return OZ_OK;
	oz_result result =
	        oz_store_reserve(s, &b->block, b->count + 1ull, sizeof(oz_block), true, error);
	if (result != OZ_OK)
		return result;
	((oz_block *)b->block.data)[b->count++] = block;
	*slot = b->count;
	return grow_table(s, error);
}

// ---- near particles ----------------------------------------------------------------------------

typedef struct block_range {
	int low[3], high[3];
} block_range;

// Blocks whose nodes lie within `touch` of the box [low, high] (m) of particles.
static block_range range_around(const oz_cloud *f, oz_vec3 low, oz_vec3 high)
{
	const float width = OZ_BLOCK_CELLS * f->cell, reach = f->touch * 1.001f;
	const float from[3] = {low.x, low.y, low.z}, to[3] = {high.x, high.y, high.z};
	block_range r;
	for (int k = 0; k < 3; k++) {
		r.low[k] = (int)floorf((from[k] - reach) / width);
		r.high[k] = (int)floorf((to[k] + reach) / width);
		// a node on the border belongs to both blocks
		if ((float)r.low[k] * width >= from[k] - reach)
			r.low[k]--;
	}
	return r;
}

static bool is_in_range(const block_range *r, int x, int y, int z)
{
	return x >= r->low[0] && x <= r->high[0] && y >= r->low[1] && y <= r->high[1] &&
	       z >= r->low[2] && z <= r->high[2];
}

// Adds the blocks of r that are not in *last: ranges of successive cells overlap. Sets *last to r.
static oz_result add_range(oz_surface *s, block_range r, block_range *last, oz_error *error)
{
	oz_result result = OZ_OK;
	for (int z = r.low[2]; z <= r.high[2]; z++)
		for (int y = r.low[1]; y <= r.high[1]; y++)
			for (int x = r.low[0]; x <= r.high[0] && result == OZ_OK; x++)
				if (!is_in_range(last, x, y, z))
					result = add_block(s, (oz_block){x, y, z}, error);
	*last = r;
	return result;
}

static oz_vec3 point(oz_float4 p)
{
	return oz_v3(p.x, p.y, p.z);
}

// Adds the blocks near the particles [begin, end) of one cell. The grid wraps around, so a cell may
// hold distant particles: a new box begins where the box would exceed the size of a cell.
static oz_result add_cell(oz_surface *s, uint32_t begin, uint32_t end, block_range *last,
                          oz_error *error)
{
	const oz_cloud *f = &s->field;
	const float most = 1.01f / f->grid.inv_cell;
	oz_vec3 low = point(f->position[begin]), high = low;
	for (uint32_t i = begin + 1; i < end; i++) {
		const oz_vec3 x = point(f->position[i]);
		const oz_vec3 lower = oz_min3(low, x), higher = oz_max3(high, x);
		if (oz_max_abs(oz_sub(higher, lower)) > most) {
			const oz_result result =
			        add_range(s, range_around(f, low, high), last, error);
			if (result != OZ_OK)
				return result;
			low = high = x;
		} else {
			low = lower;
			high = higher;
		}
	}
	return add_range(s, range_around(f, low, high), last, error);
}

// Marks blocks that lie completely inside the ball of one particle (distance field only): the
// surface cannot pass there, so they are not sampled. On a fine grid these are most blocks inside a
// body.
static oz_result mark_inner_blocks(oz_surface *s, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	const oz_cloud *f = &s->field;
	const float width = OZ_BLOCK_CELLS * f->cell;
	const oz_result result =
	        oz_store_reserve(s, &b->skip, b->count, sizeof(bool), false, error);
	if (result != OZ_OK || b->count == 0)
		return result;
	bool *skip = b->skip.data;
	memset(skip, 0, sizeof *skip * b->count);
	for (uint32_t i = 0; i < f->count && f->distance; i++) {
		const oz_float4 p = f->position[i];
		const oz_vec3 at =
		        oz_v3(floorf(p.x / width), floorf(p.y / width), floorf(p.z / width));
		const oz_vec3 from =
		        oz_v3(p.x - at.x * width, p.y - at.y * width, p.z - at.z * width);
		const oz_vec3 far = oz_max3(from, oz_sub(oz_v3(width, width, width), from));
		if (oz_length(far) * 1.001f < p.w - f->level)
			skip[*find_slot(b, (oz_block){(int)at.x, (int)at.y, (int)at.z}) - 1] = true;
	}
	return OZ_OK;
}

oz_result oz_blocks_find(oz_surface *s, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	const oz_cloud *f = &s->field;
	b->count = b->patch_count = 0;
	block_range last = {.high = {-1, -1, -1}};
	oz_result result = empty_table(s, b->table_bits ? b->table_bits : 8, error);
	for (uint32_t i = 0, end; i < f->count && result == OZ_OK; i = end) {
		end = f->cell_start[oz_key_of(&f->grid, oz_cell_of(&f->grid, f->position[i])) + 1];
		result = add_cell(s, i, end, &last, error);
	}
	return result == OZ_OK ? mark_inner_blocks(s, error) : result;
}

// ---- the field ---------------------------------------------------------------------------------

typedef struct sample_task {
	const oz_surface *s;
	const oz_block *blocks;
	const bool *skip;
	float *values;
	uint64_t *inside;
	uint8_t *passed;
} sample_task;

// Pool task: samples blocks [begin, end) of a batch.
static void sample(void *context, uint32_t begin, uint32_t end)
{
	const sample_task *t = context;
	for (uint32_t k = begin; k < end; k++)
		t->passed[k] =
		        !t->skip[k] && t->s->simd->sample_block(&t->s->field, t->blocks[k],
		                                                t->values + k * OZ_BLOCK_VALUES,
		                                                t->inside + k * OZ_BLOCK_NODES);
}

// Appends block k of the batch, with its values, to the patches.
static oz_result keep_patch(oz_surface *s, const sample_task *t, uint32_t k, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	const uint64_t count = b->patch_count + 1ull;
	oz_result result = oz_store_reserve(s, &b->patch, count, sizeof(oz_patch), true, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &b->values, count, sizeof(float) * OZ_BLOCK_VALUES,
		                          true, error);
	if (result != OZ_OK)
		return result;
	oz_patch *patch = (oz_patch *)b->patch.data + b->patch_count;
	*patch = (oz_patch){.block = t->blocks[k]};
	memcpy(patch->inside, t->inside + k * OZ_BLOCK_NODES, sizeof patch->inside);
	memcpy((float *)b->values.data + b->patch_count * (size_t)OZ_BLOCK_VALUES,
	       t->values + k * OZ_BLOCK_VALUES, sizeof(float) * OZ_BLOCK_VALUES);
	b->patch_count++;
	return OZ_OK;
}

// Samples `count` blocks from `first` on; keeps those that the surface passes, in order.
static oz_result sample_batch(oz_surface *s, uint32_t first, uint32_t count, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	const sample_task t = {s,
	                       (const oz_block *)b->block.data + first,
	                       (const bool *)b->skip.data + first,
	                       b->batch.data,
	                       b->batch_inside.data,
	                       b->batch_passed.data};
	uint32_t *patch_of = b->patch_of.data;
	oz_pool_run(s->pool, count, 4, sample, (void *)&t);
	for (uint32_t k = 0; k < count; k++) {
		patch_of[first + k] = t.passed[k] ? b->patch_count : OZ_NONE;
		if (!t.passed[k])
			continue;
		const oz_result result = keep_patch(s, &t, k, error);
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

oz_result oz_blocks_sample(oz_surface *s, oz_error *error)
{
	oz_surface_blocks *b = &s->blocks;
	oz_result result = oz_store_reserve(s, &b->batch, BATCH, sizeof(float) * OZ_BLOCK_VALUES,
	                                    false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &b->batch_inside, BATCH, 8 * OZ_BLOCK_NODES, false,
		                          error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &b->batch_passed, BATCH, 1, false, error);
	if (result == OZ_OK)
		result =
		        oz_store_reserve(s, &b->patch_of, b->count, sizeof(uint32_t), false, error);
	for (uint32_t first = 0; first < b->count && result == OZ_OK; first += BATCH)
		result = sample_batch(s, first, b->count - first < BATCH ? b->count - first : BATCH,
		                      error);
	return result;
}

uint32_t oz_blocks_patch(const oz_surface *s, oz_block block)
{
	const uint32_t slot = *find_slot(&s->blocks, block);
	return slot ? ((const uint32_t *)s->blocks.patch_of.data)[slot - 1] : OZ_NONE;
}
