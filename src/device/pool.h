// pool.h: threads that share out ranges. Chunks are cut at fixed places and taken in any order.
#ifndef OZ_POOL_H
#define OZ_POOL_H

#include "base/base.h"

typedef struct oz_pool oz_pool;
typedef void (*oz_task_fn)(void *context, uint32_t begin, uint32_t end);

oz_result oz_pool_create(oz_heap *heap, uint32_t threads, oz_pool **pool, oz_error *error);
void oz_pool_destroy(oz_pool *pool);
uint32_t oz_pool_threads(const oz_pool *pool);
// Calls task for [0, count) in chunks of `chunk`, on the caller and on whichever threads come while
// chunks are left, and returns when all are done.
void oz_pool_run(oz_pool *pool, uint32_t count, uint32_t chunk, oz_task_fn task, void *context);

#endif
