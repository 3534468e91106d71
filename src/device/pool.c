// pool.c: a fixed set of threads that wake for a range and go back to sleep.
//
// Steps of small scenes take a fraction of a millisecond and have several launches, so a worker
// spins for a moment before it sleeps: waking a sleeper costs more than the work. It does not spin
// where there are more threads than cores.
//
// The caller waits for nobody who has not come: a worker enters a range while that is open, and
// the caller closes it when no chunk is left. So a core that another program holds costs its share
// of the work and no more. The gate counts who is inside:
//
//   generation of the range (32 bits) | open (1 bit) | workers inside (31 bits)
#define _GNU_SOURCE // sched_getaffinity
#include "device/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define SPINS       4000 // about 50 µs
#define MAX_THREADS 256
#define OPEN        (UINT64_C(1) << 31)
#define INSIDE      (OPEN - 1)

struct oz_pool {
	oz_heap *heap;
	uint32_t threads; // the caller's included
	bool spin;
	pthread_t workers[MAX_THREADS];
	uint32_t worker_count; // started
	pthread_mutex_t lock;
	pthread_cond_t wake;
	atomic_uint started;
	atomic_bool stop;
	_Atomic uint64_t gate;
	// the range under way
	oz_task_fn task;
	void *context;
	uint32_t count, chunk;
	// in a line of its own, which goes from thread to thread
	_Alignas(64) atomic_uint next; // chunk to take
};

static void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

static void take_chunks(oz_pool *pool)
{
	const uint32_t count = pool->count, chunk = pool->chunk;
	const uint32_t chunks = (count - 1) / chunk + 1;
	for (;;) {
		const uint32_t c = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
		if (c >= chunks)
			return;
		const uint32_t begin = c * chunk, left = count - begin;
		pool->task(pool->context, begin, begin + (left < chunk ? left : chunk));
	}
}

static uint32_t generation_of(uint64_t gate)
{
	return (uint32_t)(gate >> 32);
}

// Is there a range that a worker who has seen `seen` may enter?
static bool calls(uint64_t gate, uint32_t seen)
{
	return (gate & OPEN) != 0 && generation_of(gate) != seen;
}

static bool enter(oz_pool *pool, uint32_t *seen)
{
	uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
	while (calls(gate, *seen)) {
		if (atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + 1,
		                                          memory_order_acquire,
		                                          memory_order_relaxed)) {
			*seen = generation_of(gate);
			return true;
		}
	}
	return false;
}

static void wait_for_work(oz_pool *pool, uint32_t seen)
{
	for (int k = 0; pool->spin && k < SPINS; k++) {
		if (calls(atomic_load_explicit(&pool->gate, memory_order_relaxed), seen))
			return;
		pause_briefly();
	}
	pthread_mutex_lock(&pool->lock);
	while (!calls(atomic_load(&pool->gate), seen) && !atomic_load(&pool->stop))
		pthread_cond_wait(&pool->wake, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

static void *work(void *argument)
{
	oz_pool *pool = argument;
	atomic_fetch_add(&pool->started, 1);
	for (uint32_t seen = 0; !atomic_load(&pool->stop);) {
		wait_for_work(pool, seen);
		if (!enter(pool, &seen))
			continue;
		take_chunks(pool);
		atomic_fetch_sub_explicit(&pool->gate, 1, memory_order_release);
	}
	return NULL;
}

static void open_gate(oz_pool *pool)
{
	const uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
	pthread_mutex_lock(&pool->lock);
	atomic_store_explicit(&pool->gate, (uint64_t)(generation_of(gate) + 1) << 32 | OPEN,
	                      memory_order_release);
	pthread_cond_broadcast(&pool->wake);
	pthread_mutex_unlock(&pool->lock);
}

static void close_gate(oz_pool *pool)
{
	uint64_t gate = atomic_fetch_and_explicit(&pool->gate, ~OPEN, memory_order_acquire);
	for (int k = 0; (gate & INSIDE) != 0; k++) {
		if (pool->spin && k < SPINS)
			pause_briefly();
		else
			sched_yield();
		gate = atomic_load_explicit(&pool->gate, memory_order_acquire);
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
	open_gate(pool);
	take_chunks(pool);
	close_gate(pool);
}

// Those that this thread may use, and so the ones that it starts.
static uint32_t core_count(void)
{
#ifdef __linux__
	cpu_set_t ours;
	if (sched_getaffinity(0, sizeof ours, &ours) == 0 && CPU_COUNT(&ours) > 0)
		return (uint32_t)CPU_COUNT(&ours);
#endif
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
		if (pthread_create(&pool->workers[pool->worker_count], NULL, work, pool) != 0) {
			oz_pool_destroy(pool);
			return oz_fail(error, OZ_ERROR_DEVICE,
			               "thread %u of %u does not start; ask for fewer threads",
			               t + 1, threads);
		}
		pool->worker_count++;
	}
	// a thread that is starting may hold the allocator's lock, which a fork would copy: see
	// process.c
	while (atomic_load(&pool->started) != pool->worker_count)
		sched_yield();
	*out = pool;
	return OZ_OK;
}

void oz_pool_destroy(oz_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	atomic_store(&pool->stop, true);
	pthread_cond_broadcast(&pool->wake);
	pthread_mutex_unlock(&pool->lock);
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
