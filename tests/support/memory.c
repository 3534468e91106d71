// memory.c: memory that is counted, limited or refused.
#include "support.h"

#define HEAD ((size_t)64) // before each block: its size; keeps the block aligned

static size_t size_of(void *block)
{
	size_t size;
	memcpy(&size, (char *)block - HEAD, sizeof size);
	return size;
}

static void give_back(test_memory *memory, void *block, size_t told)
{
	const size_t size = size_of(block);
	memory->wrong += told != size;
	memory->bytes -= size;
	memory->blocks--;
	free((char *)block - HEAD);
}

static void *take(test_memory *memory, size_t size)
{
	if (memory->limit && memory->bytes + size > memory->limit) {
		memory->refused++;
		return NULL;
	}
	char *whole = aligned_alloc(HEAD, HEAD + (size + HEAD - 1) / HEAD * HEAD);
	if (!whole)
		return NULL;
	memcpy(whole, &size, sizeof size);
	memset(whole + HEAD, memory->poison, size);
	memory->bytes += size;
	memory->blocks++;
	if (memory->bytes > memory->peak)
		memory->peak = memory->bytes;
	return whole + HEAD;
}

static void *counted(void *context, void *block, size_t old_size, size_t new_size)
{
	test_memory *memory = context;
	void *fresh = new_size ? take(memory, new_size) : NULL;
	if (new_size && !fresh)
		return NULL;
	if (fresh && block)
		memcpy(fresh, block, old_size < new_size ? old_size : new_size);
	if (block)
		give_back(memory, block, old_size);
	return fresh;
}

oz_hooks test_memory_hooks(test_memory *memory)
{
	return (oz_hooks){.alloc = counted, .context = memory};
}

void test_memory_is_empty(const test_memory *memory)
{
	assert_int_equal(memory->wrong, 0);
	assert_int_equal(memory->blocks, 0);
	assert_int_equal(memory->bytes, 0);
}

void *test_no_memory(void *context, void *block, size_t old_size, size_t new_size)
{
	(void)context, (void)block, (void)old_size, (void)new_size;
	return NULL;
}
