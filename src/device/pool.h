// pool.h: threads that process a range in chunks. Chunks are cut at fixed places; their order
// varies.
#ifndef OZ_POOL_H
#define OZ_POOL_H

#include "base/base.h"

typedef struct oz_pool oz_pool;
typedef void (*oz_task_fn)(void *context, uint32_t begin, uint32_t end);

// Starts `threads` - 1 threads (0: as many as there are cores); the caller of oz_pool_run is the
// last.
oz_result oz_pool_create(oz_heap *heap, uint32_t threads, oz_pool **pool, oz_error *error);
void oz_pool_destroy(oz_pool *pool);
uint32_t oz_pool_threads(const oz_pool *pool);
// Calls task for [0, count) in chunks of `chunk`, on the calling thread and on threads of the pool,
// and returns when all chunks are done.
void oz_pool_run(oz_pool *pool, uint32_t count, uint32_t chunk, oz_task_fn task, void *context);

#endif
