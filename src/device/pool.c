// pool.c: a fixed set of threads that wake up for a range and sleep afterwards.
//
// Steps of small scenes take a fraction of a millisecond and have several launches, so a worker
// spins for about 50 µs before it sleeps: waking a thread takes longer than such a launch. It does
// not spin if there are more threads than cores.
//
// A worker enters a range while its gate is open. The caller closes the gate when no chunk is left
// and waits only for workers that have entered. So a worker whose core is busy with another program
// does not delay the range. The gate is one atomic word:
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
	uint32_t worker_count; // threads in `workers`
	pthread_mutex_t lock;
	pthread_cond_t wake;
	atomic_uint started; // workers that run
	atomic_bool stop;
	_Atomic uint64_t gate;
	// the present range
	oz_task_fn task;
	void *context;
	uint32_t count, chunk;
	// in its own cache line, because all threads write it
	_Alignas(64) atomic_uint next; // number of the next chunk
};

// tells the processor that this is a spin loop
static void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

// runs chunks until none is left
static void run_chunks(oz_pool *pool)
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

// the number of the range that the gate belongs to
static uint32_t generation_of(uint64_t gate)
{
	return (uint32_t)(gate >> 32);
}

// Whether the gate is open for a worker whose last range was generation `seen`.
static bool may_enter(uint64_t gate, uint32_t seen)
{
	return (gate & OPEN) != 0 && generation_of(gate) != seen;
}

// Counts this worker into the range and sets *seen; false if the gate is closed.
static bool enter(oz_pool *pool, uint32_t *seen)
{
	uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
	while (may_enter(gate, *seen)) {
		if (atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + 1,
		                                          memory_order_acquire,
		                                          memory_order_relaxed)) {
			*seen = generation_of(gate);
			return true;
		}
	}
	return false;
}

// Spins, then sleeps, until a range may be entered or the pool stops.
static void wait_for_work(oz_pool *pool, uint32_t seen)
{
	for (int k = 0; pool->spin && k < SPINS; k++) {
		if (may_enter(atomic_load_explicit(&pool->gate, memory_order_relaxed), seen))
			return;
		pause_briefly();
	}
	pthread_mutex_lock(&pool->lock);
	while (!may_enter(atomic_load(&pool->gate), seen) && !atomic_load(&pool->stop))
		pthread_cond_wait(&pool->wake, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

// the main function of a worker thread
static void *work(void *argument)
{
	oz_pool *pool = argument;
	atomic_fetch_add(&pool->started, 1);
	for (uint32_t seen = 0; !atomic_load(&pool->stop);) {
		wait_for_work(pool, seen);
		if (!enter(pool, &seen))
			continue;
		run_chunks(pool);
		atomic_fetch_sub_explicit(&pool->gate, 1, memory_order_release);
	}
	return NULL;
}

// starts the next generation and wakes all workers
static void open_gate(oz_pool *pool)
{
	const uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
	pthread_mutex_lock(&pool->lock);
	atomic_store_explicit(&pool->gate, (uint64_t)(generation_of(gate) + 1) << 32 | OPEN,
	                      memory_order_release);
	pthread_cond_broadcast(&pool->wake);
	pthread_mutex_unlock(&pool->lock);
}

// lets no more workers enter and waits until those inside have left
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
	run_chunks(pool);
	close_gate(pool);
}

// The cores that this thread, and threads that it starts, may use.
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
			               "thread %u of %u does not start; use fewer threads", t + 1,
			               threads);
		}
		pool->worker_count++;
	}
	// A thread that is starting may hold the allocator's lock, and a fork would copy the locked
	// lock into the child (base/process.c): wait until all threads run.
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
