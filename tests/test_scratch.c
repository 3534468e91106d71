// test_scratch.c: a test leaves nothing in the folder where it was started.
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

static void a_file_is_written_into_the_scratch_folder(void **state)
{
	(void)state;
	test_write_text("mark.txt", "here\n");
	char folder[2000];
	assert_non_null(getcwd(folder, sizeof folder));
	assert_non_null(strstr(folder, "/scratch/test_scratch"));
}

// The program runs itself as from a shell: without OOZE_SCRATCH, in a folder that must stay empty.
static void a_test_started_by_hand_leaves_nothing_where_it_was_started(void **state)
{
	(void)state;
	char program[2000], line[2400];
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	assert_true(length > 0);
	program[length] = '\0';
	assert_int_equal(mkdir("started_here", 0777), 0);
	snprintf(line, sizeof line,
	         "cd started_here; env -u OOZE_SCRATCH OOZE_CASE='a_file*' '%s' && ls -A >../left",
	         program);
	test_expect_shell(line, 0);
	test_expect_in("err.txt", "/scratch/test_scratch.by_hand\n");
	char *left = test_read("left", NULL);
	assert_string_equal(left, "");
	free(left);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_file_is_written_into_the_scratch_folder),
	        cmocka_unit_test(a_test_started_by_hand_leaves_nothing_where_it_was_started),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
