// base.h: the lowest room, which all others use: errors, memory, arena, clock, hash, files.
#ifndef OZ_BASE_H
#define OZ_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ooze/ooze.h"

// ---- errors -----------------------------------------------------------------------------------

// Writes `code` and the formatted sentence into `error` (may be NULL) and returns `code`.
oz_result oz_fail(oz_error *error, oz_result code, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

// ---- memory -----------------------------------------------------------------------------------

// The heap of one world: the allocation hooks and a count of the bytes allocated through them.
typedef struct oz_heap {
	oz_hooks hooks;
	size_t bytes; // allocated now
	size_t peak;  // largest value of `bytes` so far
} oz_heap;

// Starts a heap with a copy of `hooks`; NULL, or a NULL alloc hook, means the default allocator.
void oz_heap_init(oz_heap *heap, const oz_hooks *hooks);
// Returns memory aligned to 64 bytes, not cleared; NULL when out of memory and for size 0.
void *oz_heap_alloc(oz_heap *heap, size_t size);
// Moves a block to one of `new_size` bytes; on failure returns NULL and keeps the old block.
void *oz_heap_resize(oz_heap *heap, void *block, size_t old_size, size_t new_size);
// Frees a block; `size` is the size it was allocated with. NULL is allowed.
void oz_heap_free(oz_heap *heap, void *block, size_t size);
// Passes a sentence to the log hook; does nothing where there is none.
void oz_heap_log(const oz_heap *heap, oz_log_level level, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
// Passes the name of work that begins, and may take seconds, to the log hook; NULL: it has ended.
void oz_log_progress(const oz_hooks *hooks, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

// Bytes of physical memory of this machine; infinity if unknown.
double oz_machine_memory(void);
// Writes the name of the processor into `name`; "cpu" if unknown.
void oz_machine_processor(char *name, size_t size);
// Names the compiler and whether it optimises: builds that differ in these round differently.
const char *oz_build_name(void);

// A growing array: `count` elements of `size` bytes in `items`, which has room for `capacity`.
typedef struct oz_array {
	void *items;
	uint32_t count, capacity;
	size_t size; // bytes of an element
} oz_array;

// Appends a zeroed element and returns it; NULL when out of memory.
void *oz_array_add(oz_heap *heap, oz_array *array);
void oz_array_free(oz_heap *heap, oz_array *array);

// ---- arena ------------------------------------------------------------------------------------

// Temporaries of one step: taken one after the other, freed all at once by the reset. If a step
// needed more than the block has, the reset enlarges it, so that later steps allocate nothing.
typedef struct oz_arena {
	char *block;
	size_t size, used;
	size_t wanted;  // bytes requested since the last reset
	void *overflow; // chain of blocks that did not fit
} oz_arena;

// Returns memory aligned to 64 bytes, valid until the reset; NULL when out of memory.
void *oz_arena_take(oz_heap *heap, oz_arena *arena, size_t size);
void oz_arena_reset(oz_heap *heap, oz_arena *arena);
void oz_arena_free(oz_heap *heap, oz_arena *arena);

// ---- clock and hash ---------------------------------------------------------------------------

uint64_t oz_clock_ns(void); // monotonic

// 64-bit hash of a block (xxHash64's rounds), chained by `seed`; the same on every machine.
uint64_t oz_hash(const void *data, size_t size, uint64_t seed);

// ---- files ------------------------------------------------------------------------------------

// A file being written: under a temporary name (PATH.part), which the commit flushes to disk and
// renames to the final name. A crash leaves either the old file or the new one. The first write
// that fails is remembered, and the commit reports it.
typedef struct oz_file {
	void *stream;      // FILE *
	char path[4096];   // final name
	char beside[4096]; // temporary name; empty for devices and pipes, which are not renamed
	int failure;       // errno of the first write that failed; 0: none
} oz_file;

oz_result oz_file_begin(oz_file *file, const char *path, oz_error *error);
void oz_file_put(oz_file *file, const void *data, size_t size);
void oz_file_print(oz_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Closes and renames the file. On failure the old file is unchanged and `error` says why.
oz_result oz_file_commit(oz_file *file, oz_error *error);
// Closes the file and deletes what was written; the old file is unchanged.
void oz_file_cancel(oz_file *file);
// Reads a whole file of at most `limit` bytes into memory that the caller frees with free(); a zero
// byte follows the data.
oz_result oz_file_read(const char *path, size_t limit, char **data, size_t *size, oz_error *error);
// Makes a folder and its missing parents; succeeds if it exists.
oz_result oz_folder_make(const char *path, oz_error *error);
// Makes the subfolder `part` ("": none) of the user's cache and writes its path into `folder`. The
// cache is OOZE_CACHE_DIR, else XDG_CACHE_HOME/ooze, else ~/.cache/ooze. Returns false if it cannot
// be made.
bool oz_cache_folder(const char *part, char *folder, size_t size);

#endif
