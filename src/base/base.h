// base.h: what everything stands on: errors, memory, arena, clock, hash.
#ifndef OZ_BASE_H
#define OZ_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ooze/ooze.h"

// ---- errors -----------------------------------------------------------------------------------

// Fills `error` (if any) with a sentence and gives back `code`, so that a caller can return it.
oz_result oz_fail(oz_error *error, oz_result code, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

// ---- memory -----------------------------------------------------------------------------------

// One heap for a world: the hooks, and how many bytes are out.
typedef struct oz_heap {
	oz_hooks hooks;
	size_t bytes; // held now
	size_t peak;  // held at most
} oz_heap;

void oz_heap_init(oz_heap *heap, const oz_hooks *hooks);
// Memory aligned to 64 bytes; NULL when there is none. Size 0 gives NULL.
void *oz_heap_alloc(oz_heap *heap, size_t size);
void *oz_heap_resize(oz_heap *heap, void *block, size_t old_size, size_t new_size);
void oz_heap_free(oz_heap *heap, void *block, size_t size);
void oz_heap_log(const oz_heap *heap, oz_log_level level, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
// Tells the log of work that begins and may take seconds; NULL: the work has ended.
void oz_log_progress(const oz_hooks *hooks, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

// Bytes of memory that this machine has; infinity if it does not tell.
double oz_machine_memory(void);
// The name of its processor; "cpu" if it does not tell.
void oz_machine_processor(char *name, size_t size);

// A small array that grows: `items` holds `count` of `capacity` elements of `size` bytes.
typedef struct oz_array {
	void *items;
	uint32_t count, capacity;
	size_t size; // bytes of an element
} oz_array;

// Adds a zeroed element and gives it back; NULL when memory is out.
void *oz_array_add(oz_heap *heap, oz_array *array);
void oz_array_free(oz_heap *heap, oz_array *array);

// ---- arena ------------------------------------------------------------------------------------

// Temporaries of one step: taken one after the other, given back all at once. Grows between steps
// to the most that was asked for, so that a step in its stride allocates nothing.
typedef struct oz_arena {
	char *block;
	size_t size, used;
	size_t wanted;  // the most asked for since the last reset
	void *overflow; // chain of blocks that did not fit
} oz_arena;

// Memory aligned to 64 bytes, valid until the reset; NULL when memory is out.
void *oz_arena_take(oz_heap *heap, oz_arena *arena, size_t size);
void oz_arena_reset(oz_heap *heap, oz_arena *arena);
void oz_arena_free(oz_heap *heap, oz_arena *arena);

// ---- clock and hash ---------------------------------------------------------------------------

uint64_t oz_clock_ns(void);

// 64-bit hash of a block (xxHash64's rounds), chained by `seed`; the same on every machine.
uint64_t oz_hash(const void *data, size_t size, uint64_t seed);

// ---- files ------------------------------------------------------------------------------------

// A file on its way: written beside its name, flushed to disk and renamed by the commit, so that a
// crash leaves either the old file or the new one. The first failure is kept and told at the
// commit.
typedef struct oz_file {
	void *stream;      // FILE *
	char path[4096];   // the name it will have
	char beside[4096]; // the name it has now
	int failure;       // errno of the first write that failed, 0 so far
} oz_file;

oz_result oz_file_begin(oz_file *file, const char *path, oz_error *error);
void oz_file_put(oz_file *file, const void *data, size_t size);
void oz_file_print(oz_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Ends the file: all of it is there under its name, or nothing changed and the sentence says why.
oz_result oz_file_commit(oz_file *file, oz_error *error);
// Gives the file up and removes what was written.
void oz_file_cancel(oz_file *file);
// Reads a whole file into memory that the caller frees with free(); a zero byte follows the data.
oz_result oz_file_read(const char *path, size_t limit, char **data, size_t *size, oz_error *error);
// Makes a folder and all above it, where they are not there yet.
oz_result oz_folder_make(const char *path, oz_error *error);
// Makes and names the folder in which the user's cache keeps things of one kind ("": its own
// folder): in OOZE_CACHE_DIR, or else where the desktop's rules say. False where there is none.
bool oz_cache_folder(const char *part, char *folder, size_t size);

#endif
