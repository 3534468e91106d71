// test_base.c: results, heap, arrays, arena, hash and files.
#include <unistd.h>

#include "base/base.h"
#include "support.h"

// ---- results ----------------------------------------------------------------------------------

static void every_result_has_a_sentence_of_its_own(void **state)
{
	(void)state;
	for (int a = 0; a < OZ_RESULT_COUNT; a++) {
		assert_true(strlen(oz_result_text((oz_result)a)) > 3);
		for (int b = 0; b < a; b++)
			assert_string_not_equal(oz_result_text((oz_result)a),
			                        oz_result_text((oz_result)b));
	}
}

static void a_result_that_does_not_exist_has_a_sentence_too(void **state)
{
	(void)state;
	assert_non_null(oz_result_text(OZ_RESULT_COUNT));
	assert_non_null(oz_result_text((oz_result)-1));
	assert_non_null(oz_result_text((oz_result)123456));
}

static void a_failure_is_given_back_and_written_down(void **state)
{
	(void)state;
	oz_error error = {0};
	assert_int_equal(oz_fail(NULL, OZ_ERROR_FILE, "nobody reads %d", 7), OZ_ERROR_FILE);
	assert_int_equal(oz_fail(&error, OZ_ERROR_RANGE, "x is %d; use %s", 7, "8"),
	                 OZ_ERROR_RANGE);
	assert_int_equal(error.code, OZ_ERROR_RANGE);
	assert_string_equal(error.text, "x is 7; use 8");
}

static void a_long_sentence_is_cut_and_closed(void **state)
{
	(void)state;
	char text[3000];
	oz_error error;
	memset(text, 'a', sizeof text);
	text[sizeof text - 1] = 0;
	oz_fail(&error, OZ_ERROR_FILE, "%s", text);
	assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

// ---- heap -------------------------------------------------------------------------------------

static void the_heap_counts_up_to_its_peak_and_down_to_zero(void **state)
{
	(void)state;
	test_memory memory = {0};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_heap heap;
	oz_heap_init(&heap, &hooks);
	void *a = oz_heap_alloc(&heap, 1000);
	void *b = oz_heap_alloc(&heap, 24);
	assert_int_equal(heap.bytes, 1024);
	a = oz_heap_resize(&heap, a, 1000, 3000);
	assert_int_equal(heap.bytes, memory.bytes);
	oz_heap_free(&heap, b, 24);
	a = oz_heap_resize(&heap, a, 3000, 10);
	assert_int_equal(heap.bytes, 10);
	assert_int_equal(heap.peak, 3024);
	assert_null(oz_heap_resize(&heap, a, 10, 0));
	assert_int_equal(heap.bytes, 0);
	test_memory_is_empty(&memory);
}

static void memory_is_aligned_to_64_bytes_and_keeps_its_content(void **state)
{
	(void)state;
	oz_heap heap;
	oz_heap_init(&heap, NULL);
	size_t size = 1;
	unsigned char *block = oz_heap_alloc(&heap, size);
	block[0] = 77;
	for (; size < 100000; size = size * 3 + 1) {
		block = oz_heap_resize(&heap, block, size, size * 3 + 1);
		assert_non_null(block);
		assert_int_equal((uintptr_t)block % 64, 0);
		assert_int_equal(block[0], 77);
		memset(block + size, 1, 2 * size + 1);
	}
	oz_heap_free(&heap, block, size);
	assert_int_equal(heap.bytes, 0);
}

static void nothing_asked_for_is_nothing_taken(void **state)
{
	(void)state;
	oz_heap heap;
	oz_heap_init(&heap, NULL);
	assert_null(oz_heap_alloc(&heap, 0));
	oz_heap_free(&heap, NULL, 0);
	assert_int_equal(heap.bytes, 0);
	assert_int_equal(heap.peak, 0);
}

static void a_refused_block_is_not_counted(void **state)
{
	(void)state;
	const oz_hooks hooks = {.alloc = test_no_memory};
	oz_heap heap, plain;
	oz_heap_init(&heap, &hooks);
	assert_null(oz_heap_alloc(&heap, 100));
	assert_int_equal(heap.bytes, 0);
	oz_heap_init(&plain, NULL);
	assert_null(oz_heap_alloc(&plain, SIZE_MAX - 10));
	assert_int_equal(plain.bytes, 0);
}

static void remember(void *context, oz_log_level level, const char *text)
{
	snprintf(context, 100, "%d %s", (int)level, text);
}

static void the_log_goes_to_the_hook_alone(void **state)
{
	(void)state;
	char said[100] = "";
	const oz_hooks hooks = {.log = remember, .context = said};
	oz_heap heap, silent;
	oz_heap_init(&heap, &hooks);
	oz_heap_init(&silent, NULL);
	oz_heap_log(&silent, OZ_LOG_WARNING, "unheard");
	oz_heap_log(&heap, OZ_LOG_WARNING, "%d drops", 3);
	assert_string_equal(said, "1 3 drops");
}

// ---- arrays and arena -------------------------------------------------------------------------

static void an_array_keeps_its_elements_as_it_grows(void **state)
{
	(void)state;
	test_memory memory = {.poison = 0xa5};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_heap heap;
	oz_heap_init(&heap, &hooks);
	oz_array array = {.size = sizeof(uint64_t)};
	for (uint64_t k = 0; k < 1000; k++) {
		uint64_t *added = oz_array_add(&heap, &array);
		assert_int_equal(*added, 0);
		*added = k * k;
	}
	assert_int_equal(array.count, 1000);
	for (uint64_t k = 0; k < 1000; k++)
		assert_int_equal(((uint64_t *)array.items)[k], k * k);
	oz_array_free(&heap, &array);
	assert_int_equal(array.count, 0);
	assert_non_null(oz_array_add(&heap, &array));
	oz_array_free(&heap, &array);
	test_memory_is_empty(&memory);
}

static void an_array_without_memory_stays_as_it_was(void **state)
{
	(void)state;
	oz_heap heap;
	oz_heap_init(&heap, NULL);
	oz_array array = {.size = 4};
	for (int k = 0; k < 8; k++)
		assert_non_null(oz_array_add(&heap, &array));
	heap.hooks.alloc = test_no_memory;
	assert_null(oz_array_add(&heap, &array));
	assert_int_equal(array.count, 8);
	oz_heap fresh;
	oz_heap_init(&fresh, NULL);
	heap.hooks = fresh.hooks;
	oz_array_free(&heap, &array);
	assert_int_equal(heap.bytes, 0);
}

static void an_arena_in_its_stride_allocates_nothing(void **state)
{
	(void)state;
	test_memory memory = {0};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_heap heap;
	oz_heap_init(&heap, &hooks);
	oz_arena arena = {0};
	for (int step = 0; step < 5; step++) {
		char *block[10];
		for (size_t k = 0; k < 10; k++) {
			block[k] = oz_arena_take(&heap, &arena, 100 * k + 1);
			assert_int_equal((uintptr_t)block[k] % 64, 0);
			memset(block[k], (int)k, 100 * k + 1);
		}
		// no block has bytes of another
		for (size_t k = 0; k < 10; k++)
			for (size_t b = 0; b < 100 * k + 1; b++)
				assert_int_equal(block[k][b], (int)k);
		if (step > 0)
			assert_int_equal(memory.blocks, 1);
		oz_arena_reset(&heap, &arena);
		assert_int_equal(arena.used, 0);
	}
	oz_arena_free(&heap, &arena);
	assert_int_equal(heap.bytes, 0);
	test_memory_is_empty(&memory);
}

static void an_arena_can_be_freed_in_the_middle_of_a_step(void **state)
{
	(void)state;
	test_memory memory = {0};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_heap heap;
	oz_heap_init(&heap, &hooks);
	oz_arena arena = {0};
	for (int k = 0; k < 3; k++)
		assert_non_null(oz_arena_take(&heap, &arena, 5000));
	oz_arena_free(&heap, &arena);
	test_memory_is_empty(&memory);
}

// ---- hash and clock ---------------------------------------------------------------------------

static void the_hash_of_a_known_text_is_the_known_number(void **state)
{
	(void)state;
	unsigned char bytes[200];
	for (size_t k = 0; k < sizeof bytes; k++)
		bytes[k] = (unsigned char)(k * 7 + 3);
	assert_int_equal(oz_hash("", 0, 0), 0x9090306c6e91ed59u);
	assert_int_equal(oz_hash("ooze", 4, 0), 0x70f8f9be51cc28c6u);
	assert_int_equal(oz_hash(bytes, 63, 1), 0x1a444c24cb8a8187u);
	assert_int_equal(oz_hash(bytes, sizeof bytes, 0), 0x7d075cb64ed2b37du);
}

static void every_bit_the_order_the_length_and_the_seed_matter_to_the_hash(void **state)
{
	(void)state;
	unsigned char bytes[77] = {0};
	const uint64_t plain = oz_hash(bytes, sizeof bytes, 0);
	for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		assert_int_not_equal(oz_hash(bytes, sizeof bytes, 0), plain);
		bytes[bit / 8] = 0;
	}
	for (size_t a = 0; a < sizeof bytes; a++)
		for (size_t b = a + 1; b <= sizeof bytes; b++)
			assert_int_not_equal(oz_hash(bytes, a, 0), oz_hash(bytes, b, 0));
	assert_int_not_equal(oz_hash(bytes, sizeof bytes, 1), plain);
	assert_int_not_equal(oz_hash("ab", 2, 0), oz_hash("ba", 2, 0));
	const char *words = "first---second--third---fourth--";
	const char *other = "second--first---third---fourth--";
	assert_int_not_equal(oz_hash(words, 32, 0), oz_hash(other, 32, 0));
}

static void the_hash_does_not_care_where_the_bytes_lie(void **state)
{
	(void)state;
	char room[300];
	for (size_t shift = 0; shift < 9; shift++) {
		memcpy(room + shift, "seventeen letters and then some more than 32 bytes", 50);
		assert_int_equal(oz_hash(room + shift, 50, 5),
		                 oz_hash("seventeen letters and then some more than 32 bytes", 50,
		                         5));
	}
}

static void the_clock_never_goes_back(void **state)
{
	(void)state;
	uint64_t last = oz_clock_ns();
	for (int k = 0; k < 1000; k++) {
		const uint64_t now = oz_clock_ns();
		assert_true(now >= last);
		last = now;
	}
}

// ---- files ------------------------------------------------------------------------------------

static void a_file_grows_beside_its_name_and_is_renamed_at_the_end(void **state)
{
	(void)state;
	oz_file file;
	oz_error error;
	test_write("whole.txt", "old", 3);
	assert_int_equal(oz_file_begin(&file, "whole.txt", &error), OZ_OK);
	oz_file_put(&file, "new ", 4);
	oz_file_print(&file, "%d", 42);
	assert_int_equal(access(file.beside, F_OK), 0);
	size_t size;
	char *data = test_read("whole.txt", &size);
	assert_int_equal(size, 3);
	free(data);
	assert_int_equal(oz_file_commit(&file, &error), OZ_OK);
	assert_int_not_equal(access(file.beside, F_OK), 0);
	assert_int_equal(oz_file_read("whole.txt", 100, &data, &size, &error), OZ_OK);
	assert_string_equal(data, "new 42");
	assert_int_equal(size, 6);
	free(data);
}

static void a_file_larger_than_the_limit_is_not_read(void **state)
{
	(void)state;
	char *data;
	size_t size;
	oz_error error;
	test_write("ten.txt", "0123456789", 10);
	assert_int_equal(oz_file_read("ten.txt", 10, &data, &size, &error), OZ_OK);
	free(data);
	assert_int_equal(oz_file_read("ten.txt", 9, &data, &size, &error), OZ_ERROR_FILE);
	assert_null(data);
	assert_non_null(strstr(error.text, "ten.txt"));
	test_write("none.txt", "", 0);
	assert_int_equal(oz_file_read("none.txt", 10, &data, &size, &error), OZ_OK);
	assert_int_equal(size, 0);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_result_has_a_sentence_of_its_own),
	        cmocka_unit_test(a_result_that_does_not_exist_has_a_sentence_too),
	        cmocka_unit_test(a_failure_is_given_back_and_written_down),
	        cmocka_unit_test(a_long_sentence_is_cut_and_closed),
	        cmocka_unit_test(the_heap_counts_up_to_its_peak_and_down_to_zero),
	        cmocka_unit_test(memory_is_aligned_to_64_bytes_and_keeps_its_content),
	        cmocka_unit_test(nothing_asked_for_is_nothing_taken),
	        cmocka_unit_test(a_refused_block_is_not_counted),
	        cmocka_unit_test(the_log_goes_to_the_hook_alone),
	        cmocka_unit_test(an_array_keeps_its_elements_as_it_grows),
	        cmocka_unit_test(an_array_without_memory_stays_as_it_was),
	        cmocka_unit_test(an_arena_in_its_stride_allocates_nothing),
	        cmocka_unit_test(an_arena_can_be_freed_in_the_middle_of_a_step),
	        cmocka_unit_test(the_hash_of_a_known_text_is_the_known_number),
	        cmocka_unit_test(every_bit_the_order_the_length_and_the_seed_matter_to_the_hash),
	        cmocka_unit_test(the_hash_does_not_care_where_the_bytes_lie),
	        cmocka_unit_test(the_clock_never_goes_back),
	        cmocka_unit_test(a_file_grows_beside_its_name_and_is_renamed_at_the_end),
	        cmocka_unit_test(a_file_larger_than_the_limit_is_not_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
