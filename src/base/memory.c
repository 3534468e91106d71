// memory.c: the heap behind its hook, small growing arrays, and the arena for a step's temporaries.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"

#define ALIGNMENT ((size_t)64)
#define HUGE_PAGE ((size_t)1 << 21)
#define HUGE_BLOCK                                                                                 \
	((size_t)1 << 23) // smallest block on huge pages: rounding up wastes at most a quarter

// the least multiple of `to` that is at least `size`
static size_t round_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

// Neighbours are read from scattered places of a field. With small pages the address translation
// (TLB misses) takes as long as the reads.
static void request_huge_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
	madvise(block, size, MADV_HUGEPAGE);
#else
	(void)block;
	(void)size;
#endif
}

// the allocation hook of heaps without one: blocks aligned to 64 bytes, large ones on huge pages
static void *default_alloc(void *context, void *block, size_t old_size, size_t new_size)
{
	(void)context;
	if (new_size == 0) {
		free(block);
		return NULL;
	}
	if (new_size > SIZE_MAX / 2)
		return NULL;
	const size_t alignment = new_size >= HUGE_BLOCK ? HUGE_PAGE : ALIGNMENT;
	void *fresh = aligned_alloc(alignment, round_up(new_size, alignment));
	if (fresh && alignment == HUGE_PAGE)
		request_huge_pages(fresh, round_up(new_size, alignment));
	if (fresh && block) {
		memcpy(fresh, block, old_size < new_size ? old_size : new_size);
		free(block);
	}
	return fresh;
}

void oz_heap_init(oz_heap *heap, const oz_hooks *hooks)
{
	*heap = (oz_heap){.hooks = hooks ? *hooks : (oz_hooks){0}};
	if (!heap->hooks.alloc)
		heap->hooks.alloc = default_alloc;
}

void *oz_heap_resize(oz_heap *heap, void *block, size_t old_size, size_t new_size)
{
	if (new_size == 0) {
		oz_heap_free(heap, block, old_size);
		return NULL;
	}
	void *fresh = heap->hooks.alloc(heap->hooks.context, block, old_size, new_size);
	if (!fresh)
		return NULL;
	heap->bytes += new_size - old_size;
	if (heap->bytes > heap->peak)
		heap->peak = heap->bytes;
	return fresh;
}

void *oz_heap_alloc(oz_heap *heap, size_t size)
{
	return oz_heap_resize(heap, NULL, 0, size);
}

void oz_heap_free(oz_heap *heap, void *block, size_t size)
{
	if (!block)
		return;
	heap->hooks.alloc(heap->hooks.context, block, size, 0);
	heap->bytes -= size;
}

void oz_heap_log(const oz_heap *heap, oz_log_level level, const char *format, ...)
{
	if (!heap->hooks.log)
		return;
	char text[500];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	heap->hooks.log(heap->hooks.context, level, text);
}

void oz_log_progress(const oz_hooks *hooks, const char *format, ...)
{
	if (!hooks->log)
		return;
	char text[300] = "";
	if (format) {
		va_list list;
		va_start(list, format);
		vsnprintf(text, sizeof text, format, list);
		va_end(list);
	}
	hooks->log(hooks->context, OZ_LOG_PROGRESS, text);
}

double oz_machine_memory(void)
{
#ifdef _SC_PHYS_PAGES
	const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	if (pages > 0 && size > 0)
		return (double)pages * (double)size;
#endif
	return (double)INFINITY;
}

void oz_machine_processor(char *name, size_t size)
{
	char line[256];
	FILE *list = fopen("/proc/cpuinfo", "r");
	snprintf(name, size, "cpu");
	while (list && fgets(line, sizeof line, list)) {
		const char *value = strchr(line, ':');
		if (strncmp(line, "model name", 10) != 0 || !value)
			continue;
		value += 1 + strspn(value + 1, " ");
		snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
		break;
	}
	if (list)
		fclose(list);
}

void *oz_array_add(oz_heap *heap, oz_array *array)
{
	if (array->count == array->capacity) {
		const uint32_t capacity = array->capacity ? array->capacity * 2 : 8;
		void *items = oz_heap_resize(heap, array->items, array->capacity * array->size,
		                             capacity * array->size);
		if (!items)
			return NULL;
		array->items = items;
		array->capacity = capacity;
	}
	return memset((char *)array->items + array->size * array->count++, 0, array->size);
}

void oz_array_free(oz_heap *heap, oz_array *array)
{
	oz_heap_free(heap, array->items, array->capacity * array->size);
	*array = (oz_array){.size = array->size};
}

// a block that did not fit into the arena; freed by the reset
typedef struct overflow_block {
	struct overflow_block *next;
	size_t size;
} overflow_block;

void *oz_arena_take(oz_heap *heap, oz_arena *arena, size_t size)
{
	size = round_up(size, ALIGNMENT);
	arena->wanted += size;
	if (arena->used + size <= arena->size) {
		void *memory = arena->block + arena->used;
		arena->used += size;
		return memory;
	}
	overflow_block *extra = oz_heap_alloc(heap, ALIGNMENT + size);
	if (!extra)
		return NULL;
	*extra = (overflow_block){arena->overflow, ALIGNMENT + size};
	arena->overflow = extra;
	return (char *)extra + ALIGNMENT;
}

static void free_overflow(oz_heap *heap, oz_arena *arena)
{
	for (overflow_block *b = arena->overflow, *next; b; b = next) {
		next = b->next;
		oz_heap_free(heap, b, b->size);
	}
	arena->overflow = NULL;
}

void oz_arena_reset(oz_heap *heap, oz_arena *arena)
{
	if (arena->overflow) {
		free_overflow(heap, arena);
		oz_heap_free(heap, arena->block, arena->size);
		arena->block = oz_heap_alloc(heap, arena->wanted);
		arena->size = arena->block ? arena->wanted : 0;
	}
	arena->used = 0;
	arena->wanted = 0;
}

void oz_arena_free(oz_heap *heap, oz_arena *arena)
{
	free_overflow(heap, arena);
	oz_heap_free(heap, arena->block, arena->size);
	*arena = (oz_arena){0};
}

const char *oz_build_name(void)
{
#ifdef __OPTIMIZE__
	return __VERSION__ ", optimised";
#else
	return __VERSION__;
#endif
}
