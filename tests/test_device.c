// test_device.c: threads, scan, sort, launches and reductions of the CPU device against plain
// loops, and the same bits on any number of threads; kernels of every vector width agree.
#include <stdatomic.h>

#include "device/pool.h"
#include "world/world.h"

#include "particles/measure.cl"
#include "particles/neighbours.cl"
#include "worlds.h"

#define MOST 100000u

static const uint32_t thread_counts[] = {1, 2, 3, 8};
static const uint32_t counts[] = {0, 1, 2, 3, 100, 4095, 4096, 4097, 8193, 32769, MOST};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

typedef struct bench {
	test_memory memory;
	oz_heap heap;
	oz_device *device;
} bench;

static void begin(bench *b, uint32_t threads)
{
	oz_error error = {0};
	b->memory = (test_memory){.poison = 0xa5};
	const oz_hooks hooks = test_memory_hooks(&b->memory);
	oz_heap_init(&b->heap, &hooks);
	if (oz_device_cpu(&b->heap, threads, &b->device, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(b->device->threads, threads);
}

static void end(bench *b)
{
	oz_device_destroy(b->device);
	assert_int_equal(b->heap.bytes, 0);
	test_memory_is_empty(&b->memory);
}

// ---- pool -------------------------------------------------------------------------------------

static void mark(void *context, uint32_t begin_at, uint32_t end_at)
{
	atomic_uint *seen = context;
	assert_true(begin_at < end_at);
	for (uint32_t i = begin_at; i < end_at; i++)
		atomic_fetch_add(&seen[i], 1);
}

static void a_pool_runs_every_index_once(void **state)
{
	(void)state;
	static atomic_uint seen[10001];
	static const uint32_t sizes[] = {1, 2, 63, 64, 65, 1000, 10000};
	static const uint32_t chunks[] = {1, 7, 512, 10000, 20000};
	for (size_t t = 0; t < LENGTH(thread_counts); t++) {
		oz_heap heap;
		oz_pool *pool;
		oz_heap_init(&heap, NULL);
		assert_int_equal(oz_pool_create(&heap, thread_counts[t], &pool, NULL), OZ_OK);
		for (size_t k = 0; k < LENGTH(sizes) * LENGTH(chunks); k++) {
			const uint32_t size = sizes[k / LENGTH(chunks)];
			memset(seen, 0, sizeof seen);
			oz_pool_run(pool, size, chunks[k % LENGTH(chunks)], mark, seen);
			for (uint32_t i = 0; i < LENGTH(seen); i++)
				assert_int_equal(seen[i], i < size);
		}
		oz_pool_destroy(pool);
		assert_int_equal(heap.bytes, 0);
	}
}

static void a_pool_wakes_for_thousands_of_short_ranges(void **state)
{
	(void)state;
	static atomic_uint seen[16];
	oz_heap heap;
	oz_pool *pool;
	oz_heap_init(&heap, NULL);
	memset(seen, 0, sizeof seen);
	assert_int_equal(oz_pool_create(&heap, 3, &pool, NULL), OZ_OK);
	for (uint32_t k = 0; k < 3000; k++)
		oz_pool_run(pool, 16, 1, mark, seen);
	for (uint32_t i = 0; i < 16; i++)
		assert_int_equal(seen[i], 3000);
	oz_pool_run(pool, 0, 1, mark, seen);
	assert_int_equal(seen[0], 3000);
	oz_pool_destroy(pool);
}

static void too_many_threads_are_refused(void **state)
{
	(void)state;
	oz_heap heap;
	oz_device *device;
	oz_error error = {0};
	oz_heap_init(&heap, NULL);
	assert_int_equal(oz_device_cpu(&heap, 100000, &device, &error), OZ_ERROR_RANGE);
	assert_null(device);
	assert_non_null(strstr(error.text, "100000"));
	assert_int_equal(heap.bytes, 0);
}

// ---- scan and sort ----------------------------------------------------------------------------

static void scan_equals_a_plain_sum(void **state)
{
	(void)state;
	uint *values = malloc(sizeof(uint) * MOST), *plain = malloc(sizeof(uint) * MOST);
	for (size_t t = 0; t < LENGTH(thread_counts); t++) {
		bench b;
		begin(&b, thread_counts[t]);
		for (size_t c = 0; c < LENGTH(counts); c++) {
			uint64_t seed = 11 + c;
			uint sum = 0;
			for (uint32_t i = 0; i < counts[c]; i++) {
				values[i] = test_random_bits(&seed) >> 12;
				plain[i] = sum;
				sum += values[i];
			}
			oz_device_scan(b.device, values, counts[c]);
			assert_memory_equal(values, plain, sizeof(uint) * counts[c] + !counts[c]);
		}
		end(&b);
	}
	free(values);
	free(plain);
}

typedef struct pairs {
	uint *first_key, *key, *value, *spare_key, *spare_value;
} pairs;

static pairs make_pairs(void)
{
	uint *all = malloc(sizeof(uint) * MOST * 5);
	assert_non_null(all);
	return (pairs){all, all + MOST, all + 2 * MOST, all + 3 * MOST, all + 4 * MOST};
}

// sorted, stable, and the pairs that were there before: then it is the one right answer
static void expect_sorted(const pairs *p, uint32_t count)
{
	uint64_t places = 0;
	for (uint32_t i = 0; i < count; i++) {
		assert_true(p->value[i] < count);
		assert_int_equal(p->key[i], p->first_key[p->value[i]]);
		places += p->value[i];
		if (i == 0)
			continue;
		assert_true(p->key[i - 1] <= p->key[i]);
		if (p->key[i - 1] == p->key[i])
			assert_true(p->value[i - 1] < p->value[i]);
	}
	assert_int_equal(places, (uint64_t)count * (count ? count - 1 : 0) / 2);
}

static void sort_pairs(oz_device *d, pairs *p, uint32_t count, uint32_t bits, uint32_t distinct)
{
	uint64_t seed = 5 + count + bits;
	for (uint32_t i = 0; i < count; i++) {
		const uint key = test_random_bits(&seed) >> (32 - bits);
		p->first_key[i] = p->key[i] = distinct ? key % distinct : key;
		p->value[i] = i;
	}
	assert_int_equal(oz_device_sort(d, p->key, p->value, p->spare_key, p->spare_value, count,
	                                bits, NULL),
	                 OZ_OK);
	expect_sorted(p, count);
}

static void sort_is_right_and_stable_for_every_count_and_width(void **state)
{
	(void)state;
	static const uint32_t widths[] = {1, 5, 11, 12, 22, 23, 30, 32};
	pairs p = make_pairs();
	for (size_t t = 0; t < LENGTH(thread_counts); t++) {
		bench b;
		begin(&b, thread_counts[t]);
		for (size_t c = 0; c < LENGTH(counts); c++)
			for (size_t w = 0; w < LENGTH(widths); w++)
				sort_pairs(b.device, &p, counts[c], widths[w], 0);
		end(&b);
	}
	free(p.first_key);
}

static void equal_keys_keep_their_order(void **state)
{
	(void)state;
	pairs p = make_pairs();
	bench b;
	begin(&b, 3);
	sort_pairs(b.device, &p, MOST, 30, 1);
	sort_pairs(b.device, &p, MOST, 30, 2);
	sort_pairs(b.device, &p, 4097, 30, 7);
	end(&b);
	free(p.first_key);
}

static void a_sort_without_memory_is_told(void **state)
{
	(void)state;
	uint numbers[4][3] = {{3, 1, 2}, {0, 1, 2}};
	bench b;
	oz_error error = {0};
	begin(&b, 1);
	const oz_alloc_fn alloc = b.heap.hooks.alloc;
	b.heap.hooks.alloc = test_no_memory;
	assert_int_equal(oz_device_sort(b.device, numbers[0], numbers[1], numbers[2], numbers[3], 3,
	                                2, &error),
	                 OZ_ERROR_MEMORY);
	assert_non_null(strstr(error.text, "3 particles"));
	b.heap.hooks.alloc = alloc;
	end(&b);
}

// ---- launches ---------------------------------------------------------------------------------

static void a_launch_reaches_every_particle_and_none_beyond(void **state)
{
	(void)state;
	static oz_float4 position[MOST];
	static uint key[MOST + 64], index[MOST + 64];
	const oz_grid grid = {1, 1, 4, 4, 4, 2, 2, 2};
	for (size_t t = 0; t < LENGTH(thread_counts); t++) {
		bench b;
		begin(&b, thread_counts[t]);
		for (size_t c = 0; c < LENGTH(counts); c++) {
			memset(index, 0xff, sizeof index);
			OZ_LAUNCH(b.device, cell_key, counts[c], .position = position, .key = key,
			          .index = index, .grid = grid);
			for (uint32_t i = 0; i < counts[c]; i++)
				assert_int_equal(index[i], i);
			for (uint32_t i = counts[c]; i < LENGTH(index); i++)
				assert_int_equal(index[i], UINT32_MAX);
		}
		end(&b);
	}
}

typedef struct record12 {
	uint a, b, c;
} record12;

static void gather_takes_records_of_any_size(void **state)
{
	(void)state;
	static uint index[MOST], in4[MOST], out4[MOST];
	static oz_float4 in16[MOST], out16[MOST];
	static record12 in12[MOST], out12[MOST];
	uint64_t seed = 3;
	for (uint32_t i = 0; i < MOST; i++) {
		index[i] = test_random_bits(&seed) % MOST;
		in4[i] = i;
		in16[i] = (oz_float4){(float)i, 1, 2, -(float)i};
		in12[i] = (record12){i, 7, 3 * i};
	}
	bench b;
	begin(&b, 3);
	b.device->ops->gather(b.device, out4, in4, index, MOST, sizeof *in4);
	b.device->ops->gather(b.device, out16, in16, index, MOST, sizeof *in16);
	b.device->ops->gather(b.device, out12, in12, index, MOST, sizeof *in12);
	for (uint32_t i = 0; i < MOST; i++) {
		assert_int_equal(out4[i], index[i]);
		assert_true(out16[i].x == (float)index[i] && out16[i].w == -(float)index[i]);
		assert_true(out12[i].a == index[i] && out12[i].c == 3 * index[i]);
	}
	end(&b);
}

static void buffers_give_back_what_was_written(void **state)
{
	(void)state;
	bench b;
	begin(&b, 2);
	const oz_device_ops *ops = b.device->ops;
	const size_t own = b.device->bytes;
	char *one = ops->alloc(b.device, 100), *two = ops->alloc(b.device, 100), back[10] = {0};
	assert_int_equal(b.device->bytes, own + 200);
	ops->write(b.device, one, 90, "ten letter", 10);
	ops->copy(b.device, two, one, 100);
	ops->read(b.device, back, two, 90, 10);
	assert_memory_equal(back, "ten letter", 10);
	ops->release(b.device, one, 100);
	ops->release(b.device, two, 100);
	ops->release(b.device, NULL, 100);
	assert_int_equal(b.device->bytes, own);
	end(&b);
}

// ---- reductions -------------------------------------------------------------------------------

#define PARTICLES  30001u
#define GROUPS     ((PARTICLES - 1) / OZ_GROUP + 1)
#define NEAR_WALL  5000u
#define NEAR_OTHER 20000u

typedef struct flow_state {
	oz_float4 position[PARTICLES], velocity[PARTICLES], acceleration[PARTICLES];
	oz_float4 anchor[PARTICLES], wall[PARTICLES];
	float density[PARTICLES];
	uint material[PARTICLES], touching[PARTICLES];
} flow_state;

static oz_float4 random4(uint64_t *seed, float w)
{
	return (oz_float4){(float)test_random(seed) - 0.5f, (float)test_random(seed),
	                   (float)test_random(seed), w};
}

static void randomize(flow_state *s)
{
	uint64_t seed = 99;
	for (uint32_t i = 0; i < PARTICLES; i++) {
		s->position[i] = random4(&seed, 0);
		s->velocity[i] = random4(&seed, 0);
		s->acceleration[i] = random4(&seed, i % 1000 == 0 ? 1 : 0);
		s->anchor[i] = random4(&seed, 0);
		s->density[i] = 900 + 200 * (float)test_random(&seed);
		s->material[i] = 0;
		s->wall[i] = random4(&seed, i == NEAR_WALL ? 0.1f : 0);
		s->touching[i] = i == NEAR_OTHER;
	}
}

static void reduce(oz_device *d, const flow_state *s, oz_extremes *out)
{
	static const oz_matter matter = {.density = 1000, .inv_density = 0.001f};
	OZ_LAUNCH(d, measure, PARTICLES, .position = s->position, .velocity = s->velocity,
	          .acceleration = s->acceleration, .anchor = s->anchor, .wall = s->wall,
	          .touching = s->touching, .plain = OZ_NO_BUFFER, .density = s->density,
	          .material = s->material, .matter = &matter, .groups = out, .first = 0,
	          .has_plain = 0);
}

static void expect_extremes(const flow_state *s, const oz_extremes *groups)
{
	double fastest = 0, found = 0, excess = 0, sum = 0, repaired = 0;
	for (uint32_t i = 0; i < PARTICLES; i++) {
		const oz_float4 v = s->velocity[i];
		fastest = fmax(fastest, (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
		excess += fmax(0, (double)s->density[i] / 1000 - 1);
	}
	for (uint32_t g = 0; g < GROUPS; g++) {
		found = fmax(found, groups[g].speed2);
		sum += groups[g].excess;
		repaired += groups[g].repaired;
		// of two groups alone, one for each reason
		assert_true(groups[g].near ==
		            (g == NEAR_WALL / OZ_GROUP || g == NEAR_OTHER / OZ_GROUP ? 1 : 0));
	}
	assert_true(fabs(found - fastest) < 1e-6 * fastest);
	assert_true(fabs(sum - excess) < 1e-3 * excess);
	assert_true(repaired == (PARTICLES - 1) / 1000 + 1);
}

static void reductions_give_the_same_bits_on_any_number_of_threads(void **state)
{
	(void)state;
	static flow_state s;
	static oz_extremes first[GROUPS], other[GROUPS];
	randomize(&s);
	for (size_t t = 0; t < LENGTH(thread_counts); t++) {
		bench b;
		begin(&b, thread_counts[t]);
		memset(other, 0xa5, sizeof other);
		reduce(b.device, &s, t ? other : first);
		if (t)
			assert_memory_equal(first, other, sizeof first);
		end(&b);
	}
	expect_extremes(&s, first);
}

// ---- vector widths ----------------------------------------------------------------------------

typedef struct look {
	uint32_t count;
	float *density;
	oz_vec3 *acceleration;
	uint64_t *pairs; // sum over the list of each particle of a number made from the ids
} look;

static uint64_t list_mark(const oz_world *w, uint32_t i)
{
	const oz_neighbours *n = &w->sim.neighbours;
	uint64_t sum = n->count[i];
	for (uint32_t k = 0; k < n->count[i]; k++) {
		uint64_t id = w->sim.particles.id[n->list[n->start[i] + k]];
		sum += oz_hash(&id, sizeof id, 0);
	}
	return sum;
}

// at rest, pressures are nothing but rounding; out of order they are not
static void shake(oz_world *w)
{
	uint64_t seed = 17;
	for (uint32_t i = 0; i < w->sim.particles.count; i++) {
		oz_float4 *x = &w->sim.particles.position[i], *v = &w->sim.particles.velocity[i];
		x->x += 0.02f * ((float)test_random(&seed) - 0.5f);
		x->y += 0.02f * ((float)test_random(&seed) - 0.5f);
		x->z += 0.02f * ((float)test_random(&seed) - 0.5f);
		v->x = (float)test_random(&seed);
	}
}

// one step with this width; false if the processor does not have it
static bool run_with(const char *lanes, look *l)
{
	setenv("OOZE_LANES", lanes, 1);
	oz_world *w = test_dam(2, 0.04f, NULL);
	unsetenv("OOZE_LANES");
	const bool has = w->sim.device->lanes == (uint32_t)atoi(lanes);
	const uint32_t n = l->count = w->sim.particles.count;
	l->density = malloc(n * sizeof *l->density);
	l->acceleration = malloc(n * sizeof *l->acceleration);
	l->pairs = malloc(n * sizeof *l->pairs);
	shake(w);
	// one step: later ones would compare how rounding grows, not the kernels
	test_steps(w, 1);
	for (uint32_t i = 0; i < n; i++) {
		const uint id = w->sim.particles.id[i];
		const oz_float4 a = w->sim.particles.acceleration[i];
		l->density[id] = w->sim.particles.density[i];
		l->acceleration[id] = (oz_vec3){a.x, a.y, a.z};
		l->pairs[id] = list_mark(w, i);
	}
	oz_world_destroy(w);
	return has;
}

static void drop(look *l)
{
	free(l->density);
	free(l->acceleration);
	free(l->pairs);
}

static void expect_alike(const look *a, const look *b)
{
	assert_int_equal(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++) {
		const oz_vec3 f = a->acceleration[i], g = b->acceleration[i];
		const float size = fabsf(f.x) + fabsf(f.y) + fabsf(f.z);
		const float off = fabsf(f.x - g.x) + fabsf(f.y - g.y) + fabsf(f.z - g.z);
		assert_true(a->pairs[i] == b->pairs[i]);
		assert_true(fabsf(a->density[i] - b->density[i]) <= 1e-4f * a->density[i]);
		assert_true(off <= 1e-4f * fmaxf(size, 9.81f));
	}
}

static void every_vector_width_gives_the_same_lists_and_forces(void **state)
{
	(void)state;
	static const char *const widths[] = {"8", "16"};
	look four;
	assert_true(run_with("4", &four));
	for (size_t k = 0; k < LENGTH(widths); k++) {
		look wide;
		if (run_with(widths[k], &wide))
			expect_alike(&four, &wide);
		else
			print_message("this processor has no vectors of %s floats\n", widths[k]);
		drop(&wide);
	}
	drop(&four);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_pool_runs_every_index_once),
	        cmocka_unit_test(a_pool_wakes_for_thousands_of_short_ranges),
	        cmocka_unit_test(too_many_threads_are_refused),
	        cmocka_unit_test(scan_equals_a_plain_sum),
	        cmocka_unit_test(sort_is_right_and_stable_for_every_count_and_width),
	        cmocka_unit_test(equal_keys_keep_their_order),
	        cmocka_unit_test(a_sort_without_memory_is_told),
	        cmocka_unit_test(a_launch_reaches_every_particle_and_none_beyond),
	        cmocka_unit_test(gather_takes_records_of_any_size),
	        cmocka_unit_test(buffers_give_back_what_was_written),
	        cmocka_unit_test(reductions_give_the_same_bits_on_any_number_of_threads),
	        cmocka_unit_test(every_vector_width_gives_the_same_lists_and_forces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
