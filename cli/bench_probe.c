// bench_probe.c: what this machine can do at most, as a yardstick beside a benchmark's numbers.
//
// Arithmetic: independent multiply-adds in registers. Memory: a copy larger than any cache.
#include "bench.h"

#include <string.h>

#include "base/base.h"
#include "device/pool.h"

#define STREAM_BYTES ((size_t)256 << 20)
#define TASKS        64u
#define FLOP_LOOPS   4000000u
#define CHAINS       12

typedef float wide __attribute__((vector_size(64)));

typedef struct probe {
	char *from, *to;
	float result[TASKS]; // keeps the compiler from dropping the work
} probe;

// the widest vectors that the running processor has
__attribute__((target_clones("avx512f", "arch=haswell", "default"))) static float
multiply_add(float seed)
{
	wide x[CHAINS];
	for (int k = 0; k < CHAINS; k++)
		x[k] = seed + (float)k - (wide){0};
	const wide a = 0.999f - (wide){0}, b = 0.001f - (wide){0};
	for (uint32_t n = 0; n < FLOP_LOOPS / TASKS; n++)
		for (int k = 0; k < CHAINS; k++)
			x[k] = x[k] * a + b;
	wide sum = x[0];
	for (int k = 1; k < CHAINS; k++)
		sum += x[k];
	return sum[0] + sum[7];
}

static void run_arithmetic(void *context, uint32_t begin, uint32_t end)
{
	probe *p = context;
	for (uint32_t t = begin; t < end; t++)
		p->result[t] = multiply_add((float)t);
}

static void run_copy(void *context, uint32_t begin, uint32_t end)
{
	probe *p = context;
	const size_t part = STREAM_BYTES / TASKS;
	memcpy(p->to + begin * part, p->from + begin * part, (end - begin) * part);
}

static double best_seconds(oz_pool *pool, oz_task_fn task, probe *p)
{
	double best = 1e9;
	for (int round = 0; round < 4; round++) {
		const uint64_t begin = oz_clock_ns();
		oz_pool_run(pool, TASKS, 1, task, p);
		const double seconds = (double)(oz_clock_ns() - begin) * 1e-9;
		best = seconds < best ? seconds : best;
	}
	return best;
}

oz_result oz_bench_probe(uint32_t threads, oz_bench_machine *machine, oz_error *error)
{
	oz_heap heap;
	oz_pool *pool;
	probe p = {0};
	oz_heap_init(&heap, NULL);
	const oz_result result = oz_pool_create(&heap, threads, &pool, error);
	if (result != OZ_OK)
		return result;
	p.from = oz_heap_alloc(&heap, STREAM_BYTES);
	p.to = oz_heap_alloc(&heap, STREAM_BYTES);
	*machine = (oz_bench_machine){0};
	if (p.from && p.to) {
		memset(p.from, 1, STREAM_BYTES);
		machine->gbytes_per_s =
		        2.0 * (double)STREAM_BYTES * 1e-9 / best_seconds(pool, run_copy, &p);
	}
	const double flops = 2.0 * 16 * CHAINS * (FLOP_LOOPS / TASKS) * (double)TASKS;
	machine->gflops = flops * 1e-9 / best_seconds(pool, run_arithmetic, &p);
	oz_heap_free(&heap, p.from, STREAM_BYTES);
	oz_heap_free(&heap, p.to, STREAM_BYTES);
	oz_pool_destroy(pool);
	return OZ_OK;
}
