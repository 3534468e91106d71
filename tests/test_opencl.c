// test_opencl.c: the OpenCL device by itself: buffers, scan, sort, gather, failure, cache.
#include "device/device.h"
#include "support.h"

static oz_heap heap;
static oz_device *device;

static int set_up(void **state)
{
	(void)state;
	oz_error error = {0};
	oz_heap_init(&heap, NULL);
	if (oz_device_opencl(&heap, 0, &device, &error) == OZ_OK)
		return 0;
	print_error("%s\n", error.text);
	return 1;
}

static int tear_down(void **state)
{
	(void)state;
	oz_device_destroy(device);
	return heap.bytes != 0;
}

static void *upload(const void *host, size_t size)
{
	void *buffer = device->ops->alloc(device, size);
	assert_non_null(buffer);
	device->ops->write(device, buffer, 0, host, size);
	return buffer;
}

static void expect_no_failure(void)
{
	if (device->failure.code != OZ_OK)
		fail_msg("%s", device->failure.text);
}

// around the sizes of tiles, groups and levels
static const uint32_t sizes[] = {1,    2,    255,  256,   257,    2047,   2048,
                                 2049, 4096, 5000, 65536, 200001, 4194305};
#define SIZES (sizeof sizes / sizeof *sizes)

static void a_scan_gives_the_sum_of_all_before(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (size_t s = 0; s < SIZES; s++) {
		const uint32_t n = sizes[s];
		uint *values = malloc(sizeof *values * n), *back = malloc(sizeof *back * n);
		for (uint32_t i = 0; i < n; i++)
			values[i] = test_random_bits(&seed) & 0xff;
		uint *buffer = upload(values, sizeof *values * n);
		oz_device_scan(device, buffer, n);
		device->ops->read(device, back, buffer, 0, sizeof *back * n);
		uint sum = 0;
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(back[i], sum);
			sum += values[i];
		}
		device->ops->release(device, buffer, sizeof *values * n);
		free(values);
		free(back);
	}
	expect_no_failure();
}

static void sort_and_compare(uint32_t n, uint32_t bits, uint64_t *seed)
{
	const size_t size = sizeof(uint) * n;
	uint *keys = malloc(size), *values = malloc(size), *count = calloc((1ull << bits) + 1, 4);
	for (uint32_t i = 0; i < n; i++) {
		keys[i] = test_random_bits(seed) & ((1u << bits) - 1);
		values[i] = i;
		count[keys[i] + 1]++;
	}
	uint *k = upload(keys, size), *v = upload(values, size);
	uint *spare_k = device->ops->alloc(device, size),
	     *spare_v = device->ops->alloc(device, size);
	oz_error error = {0};
	assert_int_equal(oz_device_sort(device, k, v, spare_k, spare_v, n, bits, &error), OZ_OK);
	uint *back = malloc(size), *back_v = malloc(size);
	device->ops->read(device, back, k, 0, size);
	device->ops->read(device, back_v, v, 0, size);
	for (uint32_t d = 0; d < 1u << bits; d++)
		count[d + 1] += count[d];
	// a counting sort is stable: the place of every pair is known
	for (uint32_t i = 0; i < n; i++) {
		const uint to = count[keys[i]]++;
		if (back[to] != keys[i] || back_v[to] != values[i])
			fail_msg("%u keys of %u bits: place %u holds %u, %u in place of %u, %u", n,
			         bits, to, back[to], back_v[to], keys[i], values[i]);
	}
	device->ops->release(device, k, size);
	device->ops->release(device, v, size);
	device->ops->release(device, spare_k, size);
	device->ops->release(device, spare_v, size);
	free(keys);
	free(values);
	free(count);
	free(back);
	free(back_v);
}

static void a_sort_is_stable_for_any_number_of_bits(void **state)
{
	(void)state;
	uint64_t seed = 2;
	for (size_t s = 0; s + 1 < SIZES; s++)
		for (uint32_t bits = 1; bits <= 24; bits += s > 8 ? 6 : 1)
			sort_and_compare(sizes[s], bits, &seed);
	expect_no_failure();
}

static void gathers_take_records_of_any_size(void **state)
{
	(void)state;
	enum { N = 1000 };
	static const size_t widths[] = {4, 8, 12, 16};
	uint index[N];
	uint64_t seed = 3;
	for (uint32_t i = 0; i < N; i++)
		index[i] = test_random_bits(&seed) % N;
	uint *at = upload(index, sizeof index);
	for (size_t w = 0; w < 4; w++) {
		const size_t size = widths[w] * N, words = widths[w] / 4;
		uint *in = malloc(size), *out = malloc(size);
		for (size_t k = 0; k < size / 4; k++)
			in[k] = test_random_bits(&seed);
		void *from = upload(in, size), *to = device->ops->alloc(device, size);
		device->ops->gather(device, to, from, at, N, widths[w]);
		device->ops->read(device, out, to, 0, size);
		for (uint32_t i = 0; i < N; i++)
			assert_memory_equal(out + i * words, in + index[i] * words, widths[w]);
		device->ops->release(device, from, size);
		device->ops->release(device, to, size);
		free(in);
		free(out);
	}
	device->ops->release(device, at, sizeof index);
	expect_no_failure();
}

static void buffers_give_back_what_was_written(void **state)
{
	(void)state;
	const oz_device_ops *ops = device->ops;
	char *one = ops->alloc(device, 100), *two, back[10] = {0};
	// its scratch stays
	ops->read_every(device, back, one, 4, 12, 2);
	ops->release(device, one, 100);
	const size_t own = device->bytes;
	one = ops->alloc(device, 100), two = ops->alloc(device, 100);
	assert_int_equal(device->bytes, own + 200);
	ops->write(device, one, 90, "ten letter", 10);
	ops->copy(device, two, one, 100);
	ops->read(device, back, two, 90, 10);
	assert_memory_equal(back, "ten letter", 10);
	assert_memory_equal((const char *)ops->view(device, two, 100) + 90, "ten letter", 10);
	ops->write(device, two, 90, "new", 3);
	assert_memory_equal((const char *)ops->view(device, two, 100) + 90, "new letter", 10);
	ops->clear(device, two, 100);
	assert_int_equal(((const char *)ops->view(device, two, 100))[90], 0);
	ops->write(device, one, 0, "0123456789abcdef", 16);
	ops->read_every(device, back, one, 4, 12, 2);
	assert_memory_equal(back, "0123cdef", 8);
	ops->release(device, one, 100);
	ops->release(device, two, 100);
	ops->release(device, NULL, 100);
	assert_int_equal(device->bytes, own);
	expect_no_failure();
}

// the driver clears small buffers, a kernel large ones
static void a_large_buffer_is_cleared_to_its_last_word(void **state)
{
	(void)state;
	const size_t size = ((size_t)64 << 20) + 4 * 777;
	const size_t places[] = {0, 4, size / 8 * 4, size - 8, size - 4};
	uint one = 1, back;
	uint *buffer = device->ops->alloc(device, size + 4);
	assert_non_null(buffer);
	for (size_t k = 0; k < 5; k++)
		device->ops->write(device, buffer, places[k], &one, sizeof one);
	device->ops->write(device, buffer, size, &one, sizeof one);
	device->ops->clear(device, buffer, size);
	for (size_t k = 0; k < 5; k++) {
		device->ops->read(device, &back, buffer, places[k], sizeof back);
		assert_int_equal(back, 0);
	}
	// the opposite: the word behind what was cleared
	device->ops->read(device, &back, buffer, size, sizeof back);
	assert_int_equal(back, 1);
	device->ops->release(device, buffer, size + 4);
	expect_no_failure();
}

// more than goes through the ring at once, in one piece and in many
static void many_writes_arrive_in_their_order(void **state)
{
	(void)state;
	enum { N = 1 << 20 };
	uint *values = malloc(sizeof(uint) * N), *back = malloc(sizeof(uint) * N);
	for (uint32_t i = 0; i < N; i++)
		values[i] = i * 2654435761u;
	uint *buffer = device->ops->alloc(device, 3 * sizeof(uint) * N);
	for (uint32_t i = 0; i < N; i += 1000)
		device->ops->write(device, buffer, sizeof(uint) * i, values + i,
		                   sizeof(uint) * (N - i < 1000 ? N - i : 1000));
	for (int k = 1; k < 3; k++)
		device->ops->write(device, buffer, (size_t)k * sizeof(uint) * N, values,
		                   sizeof(uint) * N);
	for (int k = 0; k < 3; k++) {
		device->ops->read(device, back, buffer, (size_t)k * sizeof(uint) * N,
		                  sizeof(uint) * N);
		assert_memory_equal(back, values, sizeof(uint) * N);
	}
	device->ops->release(device, buffer, 3 * sizeof(uint) * N);
	free(values);
	free(back);
	expect_no_failure();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(buffers_give_back_what_was_written),
	        cmocka_unit_test(a_large_buffer_is_cleared_to_its_last_word),
	        cmocka_unit_test(many_writes_arrive_in_their_order),
	        cmocka_unit_test(a_scan_gives_the_sum_of_all_before),
	        cmocka_unit_test(a_sort_is_stable_for_any_number_of_bits),
	        cmocka_unit_test(gathers_take_records_of_any_size),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
