// bench_probe.c: measures the peak speed of a device, for comparison with a benchmark's numbers.
//
// Arithmetic: independent multiply-adds in registers. Memory: a copy that is larger than the
// caches.
#include "bench.h"

#include "base/base.h"
#include "device/device.h"

#include "device/probe.cl"

#define ROUNDS 4

typedef struct probe_size {
	size_t bytes;   // of a copy
	uint32_t items; // work items of the arithmetic
	uint32_t loops;
} probe_size;

static const probe_size small = {(size_t)256 << 20, 4096, 1000};
static const probe_size large = {(size_t)1 << 30, 1 << 20, 2000}; // of a GPU

typedef struct probe {
	oz_device *device;
	void *from, *to;
	probe_size size;
} probe;

static void copy(const probe *p)
{
	p->device->ops->copy(p->device, p->to, p->from, p->size.bytes);
}

static void compute(const probe *p)
{
	OZ_LAUNCH(p->device, probe, p->size.items, .result = p->to, .loops = p->size.loops);
}

static double best_seconds(const probe *p, void (*work)(const probe *p))
{
	double best = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		float first;
		const uint64_t begin = oz_clock_ns();
		work(p);
		// a read waits until all launched kernels have finished
		p->device->ops->read(p->device, &first, p->to, 0, sizeof first);
		const double seconds = (double)(oz_clock_ns() - begin) * 1e-9;
		best = seconds < best ? seconds : best;
	}
	return best;
}

static void measure(probe *p, oz_bench_machine *machine)
{
	const double flops =
	        2.0 * OZ_PROBE_CHAINS * p->device->lanes * p->size.items * (double)p->size.loops;
	machine->gbytes_per_s = 2e-9 * (double)p->size.bytes / best_seconds(p, copy);
	machine->gflops = 1e-9 * flops / best_seconds(p, compute);
}

oz_result oz_bench_probe(const oz_bench_place *place, oz_bench_machine *machine, oz_error *error)
{
	oz_heap heap;
	probe p = {0};
	oz_heap_init(&heap, NULL);
	*machine = (oz_bench_machine){0};
	oz_result result = oz_device_open(&heap, place->device, place->threads, &p.device, error);
	if (result != OZ_OK)
		return result;
	oz_device *d = p.device;
	p.size = d->info.gpu ? large : small;
	p.from = d->ops->alloc(d, p.size.bytes);
	p.to = d->ops->alloc(d, p.size.bytes);
	if (p.from && p.to) {
		d->ops->clear(d, p.from, p.size.bytes);
		measure(&p, machine);
	}
	d->ops->release(d, p.from, p.size.bytes);
	d->ops->release(d, p.to, p.size.bytes);
	result = oz_device_check(d, error);
	oz_device_destroy(d);
	return result;
}
