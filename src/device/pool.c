// pool.c: a fixed set of threads that wake for a range and go back to sleep.
//
// Steps of small scenes take a fraction of a millisecond and have several launches, so a worker
// spins for a moment before it sleeps: waking a sleeper costs more than the work. It does not spin
// where there are more threads than cores.
#include "device/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define SPINS       4000 // about 50 µs
#define MAX_THREADS 256

struct oz_pool {
	oz_heap *heap;
	uint32_t threads; // the caller's included
	bool spin;
	pthread_t workers[MAX_THREADS];
	uint32_t worker_count; // started
	pthread_mutex_t lock;
	pthread_cond_t wake;
	atomic_uint generation; // counts ranges; a change is the signal to start
	atomic_uint busy;       // workers that are still starting or on the range
	atomic_bool stop;
	// the range under way
	oz_task_fn task;
	void *context;
	uint32_t count, chunk;
	atomic_uint next; // chunk to take
};

static void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

static void take_chunks(oz_pool *pool)
{
	const uint32_t chunks = (pool->count - 1) / pool->chunk + 1;
	for (;;) {
		const uint32_t c = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
		if (c >= chunks)
			return;
		const uint32_t begin = c * pool->chunk, left = pool->count - begin;
		pool->task(pool->context, begin, begin + (left < pool->chunk ? left : pool->chunk));
	}
}

static uint32_t wait_for_work(oz_pool *pool, uint32_t seen)
{
	for (int k = 0; pool->spin && k < SPINS; k++) {
		const uint32_t now = atomic_load_explicit(&pool->generation, memory_order_acquire);
		if (now != seen)
			return now;
		pause_briefly();
	}
	pthread_mutex_lock(&pool->lock);
	while (atomic_load(&pool->generation) == seen)
		pthread_cond_wait(&pool->wake, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
	return atomic_load(&pool->generation);
}

static void *work(void *argument)
{
	oz_pool *pool = argument;
	atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_release);
	for (uint32_t seen = 0;;) {
		seen = wait_for_work(pool, seen);
		if (atomic_load(&pool->stop))
			return NULL;
		take_chunks(pool);
		atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_release);
	}
}

static void signal_workers(oz_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	atomic_fetch_add(&pool->generation, 1);
	pthread_cond_broadcast(&pool->wake);
	pthread_mutex_unlock(&pool->lock);
}

static void wait_for_workers(const oz_pool *pool)
{
	for (int k = 0; atomic_load_explicit(&pool->busy, memory_order_acquire) != 0; k++) {
		if (pool->spin && k < SPINS)
			pause_briefly();
		else
			sched_yield();
	}
}

void oz_pool_run(oz_pool *pool, uint32_t count, uint32_t chunk, oz_task_fn task, void *context)
{
	if (count == 0)
		return;
	if (pool->worker_count == 0 || count <= chunk) {
		for (uint32_t begin = 0; begin < count; begin += chunk)
			task(context, begin, count - begin < chunk ? count : begin + chunk);
		return;
	}
	pool->task = task;
	pool->context = context;
	pool->count = count;
	pool->chunk = chunk;
	atomic_store(&pool->next, 0);
	atomic_store(&pool->busy, pool->worker_count);
	signal_workers(pool);
	take_chunks(pool);
	wait_for_workers(pool);
}

static uint32_t core_count(void)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	return cores > 0 ? (uint32_t)cores : 1;
}

oz_result oz_pool_create(oz_heap *heap, uint32_t threads, oz_pool **out, oz_error *error)
{
	const uint32_t cores = core_count();
	*out = NULL;
	if (threads == 0)
		threads = cores;
	if (threads > MAX_THREADS)
		return oz_fail(error, OZ_ERROR_RANGE, "threads is %u; use at most %d", threads,
		               MAX_THREADS);
	oz_pool *pool = oz_heap_alloc(heap, sizeof *pool);
	if (!pool)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the thread pool; close other programs");
	*pool = (oz_pool){.heap = heap, .threads = threads, .spin = threads <= cores};
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->wake, NULL);
	for (uint32_t t = 1; t < threads; t++) {
		atomic_fetch_add(&pool->busy, 1);
		if (pthread_create(&pool->workers[pool->worker_count], NULL, work, pool) != 0) {
			oz_pool_destroy(pool);
			return oz_fail(error, OZ_ERROR_DEVICE,
			               "thread %u of %u does not start; ask for fewer threads",
			               t + 1, threads);
		}
		pool->worker_count++;
	}
	// a thread that is starting may hold the allocator's lock, which a fork would copy: see process.c
	wait_for_workers(pool);
	*out = pool;
	return OZ_OK;
}

void oz_pool_destroy(oz_pool *pool)
{
	if (!pool)
		return;
	atomic_store(&pool->stop, true);
	signal_workers(pool);
	for (uint32_t t = 0; t < pool->worker_count; t++)
		pthread_join(pool->workers[t], NULL);
	pthread_cond_destroy(&pool->wake);
	pthread_mutex_destroy(&pool->lock);
	oz_heap_free(pool->heap, pool, sizeof *pool);
}

uint32_t oz_pool_threads(const oz_pool *pool)
{
	return pool->threads;
}
