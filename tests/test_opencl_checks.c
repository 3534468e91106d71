// test_opencl_checks.c: a checked OpenCL device (OOZE_CHECK_DEVICE=1) names the kernel, the stage,
// the item and the index of a wrong access; it computes what a plain device computes.
#include "opencl_checks/opencl_checks.h"
#include "support.h"

static oz_heap heap;

static oz_device *open_device(bool checked)
{
	oz_device *device = NULL;
	oz_error error = {0};
	oz_heap_init(&heap, NULL);
	setenv("OOZE_CHECK_DEVICE", checked ? "1" : "0", 1);
	if (oz_device_opencl(&heap, 0, &device, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return device;
}

static void close_device(oz_device *device)
{
	oz_device_destroy(device);
	assert_int_equal(heap.bytes, 0);
}

// lists of three neighbours each; every index is right
static check_values right_values(void)
{
	check_values v = {0};
	for (uint i = 0; i < CHECK_ITEMS; i++) {
		v.position[i] = oz_make4((float)i + 0.25f, 0, 0, 0);
		v.start[i] = i / 32 * CHECK_ROWS;
		v.count[i] = CHECK_ROWS;
		v.to[i] = (i * 7 + 3) % CHECK_ITEMS;
		for (uint c = 0; c < CHECK_ROWS; c++) {
			const size_t at = oz_list_at(v.start[i], i, c, 32);
			v.list[at] = (i + c + 1) % CHECK_ITEMS;
			v.rest[at] = (float)c;
		}
	}
	return v;
}

static void right_indices_give_the_same_bits_with_checks(void **state)
{
	(void)state;
	const check_values v = right_values();
	check_results r[2] = {0};
	for (int checked = 0; checked < 2; checked++) {
		oz_device *device = open_device(checked);
		check_launch(device, &v, &r[checked]);
		if (device->failure.code != OZ_OK)
			fail_msg("%s", device->failure.text);
		close_device(device);
	}
	assert_memory_equal(&r[0], &r[1], sizeof r[0]);
	// neighbours 1, 2 and 3 of item 0
	assert_true(r[1].pairs[0] == 12 && r[1].links[0] == 2 * (1 * 2 + 2 * 3));
	assert_true(r[1].most == 12);
	assert_int_equal(r[1].out[3], 0);
}

// runs wrong values on a checked device, whose failure must be this sentence
static void expect_named(const check_values *v, const char *sentence)
{
	oz_device *device = open_device(true);
	check_results r;
	check_launch(device, v, &r);
	assert_int_equal(device->failure.code, OZ_ERROR_DEVICE);
	if (!strstr(device->failure.text, sentence))
		fail_msg("'%s' does not say '%s'", device->failure.text, sentence);
	close_device(device);
}

static void a_damaged_list_is_named(void **state)
{
	(void)state;
	check_values v = right_values();
	v.list[oz_list_at(v.start[40], 40u, 1u, 32)] = CHECK_ITEMS;
	expect_named(&v, "kernel check_pairs of stage pairs, item 40: the index of position[j] is "
	                 "100, and it has 100 elements");
	// far behind the buffer, where an access would end the program
	v.list[oz_list_at(v.start[40], 40u, 1u, 32)] = 0xfffffff0u;
	expect_named(&v, "item 40: the index of position[j] is 4294967280, ");
}

static void a_damaged_start_or_count_is_named(void **state)
{
	(void)state;
	check_values v = right_values();
	v.start[99] = 12;
	expect_named(&v, "kernel check_pairs of stage pairs, item 99: the index of next[] is 387, "
	                 "and it has 384 elements");
	v = right_values();
	// the fourth row of the last group is behind the list
	v.count[98] = 4;
	expect_named(&v, "item 98: the index of next[] is 386, and it has 384 elements");
	// the opposite: a longer list of the first group ends in the rows of the second
	v = right_values();
	v.count[0] = 4;
	oz_device *device = open_device(true);
	check_results r;
	check_launch(device, &v, &r);
	assert_int_equal(device->failure.code, OZ_OK);
	close_device(device);
}

static void a_wrong_index_of_any_kernel_is_named(void **state)
{
	(void)state;
	check_values v = right_values();
	v.first = 1;
	expect_named(&v,
	             "kernel check_scatter of stage scatter, item 28: the index of out[a->first "
	             "+ a->to[i]] is 100, and it has 100 elements");
}

static void an_operation_that_fails_is_named_with_its_stage(void **state)
{
	(void)state;
	oz_device *device = open_device(true);
	const uint word = 1;
	uint *buffer = device->ops->alloc(device, sizeof word);
	oz_device_begin_stage(device, 0, "walls");
	device->ops->write(device, buffer, 4096, &word, sizeof word);
	assert_non_null(strstr(device->failure.text, "failed in writing of stage walls ("));
	device->ops->release(device, buffer, sizeof word);
	close_device(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(right_indices_give_the_same_bits_with_checks),
	        cmocka_unit_test(a_damaged_list_is_named),
	        cmocka_unit_test(a_damaged_start_or_count_is_named),
	        cmocka_unit_test(a_wrong_index_of_any_kernel_is_named),
	        cmocka_unit_test(an_operation_that_fails_is_named_with_its_stage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
