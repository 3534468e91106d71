// scratch.c: the pool of scratch buffers: gives the smallest free one that fits, or a new one.
#include "particles/scratch.h"

// the smallest free block of `size` to `most` bytes; NULL: none
static oz_scratch_block *find_free(oz_scratch *s, size_t size, size_t most)
{
	oz_scratch_block *best = NULL;
	for (uint32_t k = 0; k < s->count; k++) {
		oz_scratch_block *b = &s->blocks[k];
		if (!b->name && b->size >= size && b->size <= most &&
		    (!best || b->size < best->size))
			best = b;
	}
	return best;
}

// allocates a new block
static void *add(oz_scratch *s, const char *name, size_t size)
{
	// the table is full: release blocks that are not taken
	if (s->count == OZ_SCRATCH_BLOCKS)
		oz_scratch_drop(s);
	if (s->count == OZ_SCRATCH_BLOCKS)
		return NULL;
	void *buffer = s->device->ops->alloc(s->device, size);
	if (buffer)
		s->blocks[s->count++] = (oz_scratch_block){buffer, size, name, s->clock};
	return buffer;
}

// takes a free block of `size` to `most` bytes, or a new one of `size` bytes
static void *take(oz_scratch *s, const char *name, size_t size, size_t most)
{
	oz_scratch_block *b = find_free(s, size, most);
	s->clock++;
	if (!b)
		return add(s, name, size);
	b->name = name;
	b->taken = s->clock;
	return b->buffer;
}

void *oz_scratch_take(oz_scratch *s, const char *name, size_t size)
{
	// not a much larger one: another caller may need it
	return take(s, name, size ? size : 1, size + size / 4 + 1024);
}

void *oz_scratch_take_exact(oz_scratch *s, const char *name, size_t size)
{
	return take(s, name, size, size);
}

// the block of a buffer; NULL: not of this pool
static oz_scratch_block *find(oz_scratch *s, const void *buffer)
{
	for (uint32_t k = 0; k < s->count && buffer; k++)
		if (s->blocks[k].buffer == buffer)
			return &s->blocks[k];
	return NULL;
}

void oz_scratch_give(oz_scratch *s, const void *buffer)
{
	oz_scratch_block *b = find(s, buffer);
	if (b)
		b->name = NULL;
}

void oz_scratch_exchange(oz_scratch *s, const void *was, void *is)
{
	oz_scratch_block *b = find(s, was);
	if (b)
		b->buffer = is;
}

void oz_scratch_drop(oz_scratch *s)
{
	oz_scratch_drop_span(s, 0, UINT64_MAX);
}

void oz_scratch_drop_span(oz_scratch *s, uint64_t from, uint64_t to)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < s->count; k++)
		if (s->blocks[k].name || s->blocks[k].taken < from || s->blocks[k].taken >= to)
			s->blocks[kept++] = s->blocks[k];
		else
			s->device->ops->release(s->device, s->blocks[k].buffer, s->blocks[k].size);
	s->count = kept;
}

void oz_scratch_free(oz_scratch *s)
{
	for (uint32_t k = 0; k < s->count; k++)
		s->device->ops->release(s->device, s->blocks[k].buffer, s->blocks[k].size);
	s->count = 0;
}
