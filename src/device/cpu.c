// cpu.c: the device that runs kernels on threads of this machine. Buffers are host memory.
#ifdef OZ_X86_KERNELS
#include <cpuid.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/pool.h"
#include "device/radix.h"

#define CHUNK      512u   // most items in a piece of a launch
#define FEW        32u    // most groups or blocks in a piece of a launch
#define PIECES     4u     // pieces of a short launch, for each thread
#define COPY_CHUNK 16384u // elements in a piece of a gather
#define COPY_PAGE  16384u // bytes of one item of a copy

typedef struct cpu_device {
	oz_device base;
	oz_pool *pool;
	uint32_t width; // number of the vector width, see oz_cpu_width
	uint *digits;   // histograms of the sort, allocated by the first one
	uint32_t digit_count;
} cpu_device;

// the CPU device of a device pointer
static cpu_device *cpu(oz_device *device)
{
	return (cpu_device *)device;
}

static void *cpu_alloc(oz_device *device, size_t size)
{
	void *buffer = oz_heap_alloc(device->heap, size);
	if (buffer)
		device->bytes += size;
	return buffer;
}

static void cpu_release(oz_device *device, void *buffer, size_t size)
{
	if (!buffer)
		return;
	oz_heap_free(device->heap, buffer, size);
	device->bytes -= size;
}

static void cpu_read(oz_device *device, void *host, const void *buffer, size_t offset, size_t size)
{
	(void)device;
	if (size)
		memcpy(host, (const char *)buffer + offset, size);
}

static void cpu_write(oz_device *device, void *buffer, size_t offset, const void *host, size_t size)
{
	(void)device;
	if (size)
		memcpy((char *)buffer + offset, host, size);
}

static void cpu_read_every(oz_device *device, void *host, const void *buffer, size_t size,
                           size_t stride, uint32_t count)
{
	(void)device;
	for (uint32_t k = 0; k < count; k++)
		memcpy((char *)host + k * size, (const char *)buffer + k * stride, size);
}

static void cpu_clear(oz_device *device, void *buffer, size_t size)
{
	(void)device;
	if (size)
		memset(buffer, 0, size);
}

static const void *cpu_view(oz_device *device, const void *buffer, size_t size)
{
	(void)device;
	(void)size;
	return buffer;
}

typedef struct copy {
	char *to;
	const char *from;
	size_t size;
} copy;

// copies the pages [begin, end)
static void run_copy(void *context, uint32_t begin, uint32_t end)
{
	const copy *c = context;
	const size_t first = (size_t)begin * COPY_PAGE, last = (size_t)end * COPY_PAGE;
	memcpy(c->to + first, c->from + first, (last < c->size ? last : c->size) - first);
}

static void cpu_copy(oz_device *device, void *to, const void *from, size_t size)
{
	copy c = {to, from, size};
	oz_pool_run(cpu(device)->pool, (uint32_t)((size + COPY_PAGE - 1) / COPY_PAGE), 16, run_copy,
	            &c);
}

typedef struct launch {
	oz_range_fn range;
	const void *args;
	const oz_lists *lists;
} launch;

static void run_launch(void *context, uint32_t begin, uint32_t end)
{
	const launch *l = context;
	l->range(l->args, l->lists, begin, end);
}

// the compiled kernel for the vector width of this device; NULL: not compiled
static oz_range_fn range_of(const cpu_device *d, const oz_kernel *k, const oz_lists *lists)
{
	const oz_kernel_pack *p = k->pack;
	const bool blocks = lists && lists->blocks;
	const oz_range_fn *ranges = blocks ? p->by_blocks[d->width] : p->ranges[d->width];
	return ranges ? ranges[k->number] : NULL;
}

static bool cpu_can_launch(const oz_device *device, const oz_kernel *kernel)
{
	return range_of((const cpu_device *)device, kernel, NULL);
}

// Items that one thread takes at a time. Short launches are cut finer, so that all threads end at
// about the same time: into whole vectors, groups of a reduction, or blocks. The cuts do not change
// results; each piece costs one atomic addition.
static uint32_t piece_of(const oz_device *device, const oz_kernel *kernel, uint32_t count,
                         const oz_lists *lists)
{
	const bool reduces = kernel->way == OZ_WAY_REDUCE, blocks = lists && lists->blocks;
	const uint32_t unit = reduces ? OZ_GROUP : blocks ? 1 : 16;
	const uint32_t most = reduces ? FEW * OZ_GROUP : blocks ? FEW : CHUNK;
	const uint32_t each = count / (PIECES * device->threads);
	const uint32_t fine = (each / unit + 1) * unit;
	return fine < most ? fine : most;
}

static void cpu_launch(oz_device *device, const oz_kernel *kernel, uint32_t count, const void *args,
                       const oz_lists *lists)
{
	launch l = {range_of(cpu(device), kernel, lists), args, lists};
	if (count && !oz_launch_is_sound(device, kernel, args))
		return;
	if (!l.range) {
		if (device->failure.code == OZ_OK)
			oz_fail(&device->failure, OZ_ERROR_DEVICE,
			        "kernel %s was not built for vectors of %u floats; set OOZE_LANES "
			        "to another width",
			        kernel->name, device->lanes);
		return;
	}
	oz_pool_run(cpu(device)->pool, count, piece_of(device, kernel, count, lists), run_launch,
	            &l);
}

typedef struct gather {
	void *out;
	const void *in;
	const uint *index;
	size_t size;
} gather;

// gathers the elements [begin, end)
static void run_gather(void *context, uint32_t begin, uint32_t end)
{
	const gather *g = context;
	if (g->size == 16) {
		const oz_float4 *in = g->in;
		oz_float4 *out = g->out;
		for (uint32_t i = begin; i < end; i++)
			out[i] = in[g->index[i]];
	} else if (g->size == 4) {
		const uint *in = g->in;
		uint *out = g->out;
		for (uint32_t i = begin; i < end; i++)
			out[i] = in[g->index[i]];
	} else {
		for (uint32_t i = begin; i < end; i++)
			memcpy((char *)g->out + i * g->size,
			       (const char *)g->in + g->index[i] * g->size, g->size);
	}
}

static void cpu_gather(oz_device *device, void *out, const void *in, const uint *index,
                       uint32_t count, size_t size)
{
	gather g = {out, in, index, size};
	oz_pool_run(cpu(device)->pool, count, COPY_CHUNK, run_gather, &g);
}

static void cpu_scan(oz_device *device, uint *values, uint32_t count)
{
	oz_scan(cpu(device)->pool, values, count);
}

static oz_result cpu_sort(oz_device *device, uint *keys, uint *values, uint *spare_keys,
                          uint *spare_values, uint32_t count, uint32_t bits, oz_error *error)
{
	cpu_device *d = cpu(device);
	const uint32_t needed = oz_radix_digits(count);
	if (needed > d->digit_count) {
		cpu_release(device, d->digits, sizeof(uint) * d->digit_count);
		d->digits = cpu_alloc(device, sizeof(uint) * needed);
		d->digit_count = d->digits ? needed : 0;
		if (!d->digits)
			return oz_fail(error, OZ_ERROR_MEMORY,
			               "out of memory while sorting %u particles; use a larger "
			               "spacing",
			               count);
	}
	oz_radix_sort(d->pool, keys, values, spare_keys, spare_values, count, bits, d->digits);
	return OZ_OK;
}

static void cpu_destroy(oz_device *device)
{
	cpu_release(device, cpu(device)->digits, sizeof(uint) * cpu(device)->digit_count);
	cpu_release(device, device->total, 2 * sizeof *device->total);
	cpu_release(device, device->go, sizeof *device->go);
	oz_pool_destroy(cpu(device)->pool);
	oz_heap_free(device->heap, device, sizeof(cpu_device));
}

static const oz_device_ops cpu_ops = {
        .name = "cpu",
        .destroy = cpu_destroy,
        .alloc = cpu_alloc,
        .release = cpu_release,
        .read = cpu_read,
        .write = cpu_write,
        .read_every = cpu_read_every,
        .copy = cpu_copy,
        .clear = cpu_clear,
        .view = cpu_view,
        .launch = cpu_launch,
        .gather = cpu_gather,
        .scan = cpu_scan,
        .sort = cpu_sort,
        .can_launch = cpu_can_launch,
};

#ifdef OZ_X86_KERNELS
// F16C, floats of 16 bits; __builtin_cpu_supports of some compilers does not know the name
static bool has_half_floats(void)
{
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}
#endif

uint32_t oz_cpu_width(void)
{
#ifdef OZ_X86_KERNELS
	const char *wish = getenv("OOZE_LANES");
	const long most = wish && *wish ? strtol(wish, NULL, 10) : 16;
	if (most >= 16 && has_half_floats() && __builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512bw"))
		return 2;
	if (most >= 8 && has_half_floats() && __builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
		return 1;
#endif
	return 0;
}

// fills info for `ooze devices` and reports
static void describe(oz_device *d)
{
	const double memory = oz_machine_memory();
	d->info = (oz_device_info){.address = "cpu", .units = d->threads};
	d->info.memory = memory < 0x1p63 ? (uint64_t)memory : 0;
	oz_machine_processor(d->info.name, sizeof d->info.name);
	snprintf(d->info.driver, sizeof d->info.driver, "vectors of %u floats", d->lanes);
}

oz_result oz_device_cpu(oz_heap *heap, uint32_t threads, oz_device **out, oz_error *error)
{
	*out = NULL;
	cpu_device *d = oz_heap_alloc(heap, sizeof *d);
	if (!d)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the device; close other programs");
	*d = (cpu_device){.base = {.ops = &cpu_ops, .heap = heap}, .width = oz_cpu_width()};
	oz_result result = oz_pool_create(heap, threads, &d->pool, error);
	if (result != OZ_OK) {
		oz_heap_free(heap, d, sizeof *d);
		return result;
	}
	d->base.total = cpu_alloc(&d->base, 2 * sizeof *d->base.total);
	d->base.go = cpu_alloc(&d->base, sizeof *d->base.go);
	if (!d->base.total || !d->base.go) {
		cpu_destroy(&d->base);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the device; close other programs");
	}
	d->base.threads = oz_pool_threads(d->pool);
	d->base.lanes = 4u << d->width;
	d->base.stride = 1;
	d->base.ahead = 1;
	describe(&d->base);
	*out = &d->base;
	return OZ_OK;
}
