// test_process.c: whatever a function does in its own process, the caller gets its bytes or learns
// how it ended.
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "support.h"

static const oz_process_limits usual = {10, 60, (uint64_t)1 << 32, (uint64_t)1 << 28};

typedef void job(void *context, oz_process_out *out);

static void expect_end(job *function, const oz_process_limits *limits, oz_process_end wanted)
{
	char *bytes = (char *)1;
	size_t size = 1;
	assert_int_equal(oz_process_run(function, NULL, limits, &bytes, &size), wanted);
	assert_int_equal(size, 0);
	free(bytes);
}

// ---- jobs -------------------------------------------------------------------------------------

// As many numbers as the context says.
static void count_up(void *context, oz_process_out *out)
{
	for (uint32_t i = 0; i < *(uint32_t *)context; i++)
		oz_process_write(out, &i, sizeof i);
}

static void do_nothing(void *context, oz_process_out *out)
{
	(void)context;
	(void)out;
}

static void crash(void *context, oz_process_out *out)
{
	(void)context;
	oz_process_write(out, "half an answer", 14);
	raise(SIGSEGV);
}

static void give_up(void *context, oz_process_out *out)
{
	(void)context;
	(void)out;
	abort();
}

static void leave(void *context, oz_process_out *out)
{
	(void)context;
	(void)out;
	_exit(0);
}

static void spin(void *context, oz_process_out *out)
{
	(void)context;
	(void)out;
	for (volatile int i = 0;; i = !i)
		continue;
}

static void sleep_on(void *context, oz_process_out *out)
{
	(void)context;
	(void)out;
	for (;;)
		pause();
}

static void write_for_ever(void *context, oz_process_out *out)
{
	(void)context;
	for (;;)
		oz_process_write(out, "more", 4);
}

static void print(void *context, oz_process_out *out)
{
	printf("printed by a child");
	fflush(stdout);
	fprintf(stderr, "printed by a child");
	oz_process_write(out, context, 1);
}

static void tell_core_limit(void *context, oz_process_out *out)
{
	(void)context;
	struct rlimit limit;
	getrlimit(RLIMIT_CORE, &limit);
	oz_process_write(out, &limit.rlim_max, sizeof limit.rlim_max);
}

// ---- claims -----------------------------------------------------------------------------------

static void expect_count(uint32_t count)
{
	char *bytes;
	size_t size;
	assert_int_equal(oz_process_run(count_up, &count, &usual, &bytes, &size), OZ_PROCESS_DONE);
	assert_int_equal(size, count * sizeof count);
	for (uint32_t i = 0; i < count; i++)
		assert_memory_equal(bytes + i * sizeof i, &i, sizeof i);
	free(bytes);
}

static void all_bytes_come_in_order(void **state)
{
	(void)state;
	expect_count(1);
	expect_count(200000); // many times what a pipe holds
	expect_end(do_nothing, &usual, OZ_PROCESS_DONE);
}

static void crashes_are_told(void **state)
{
	(void)state;
	expect_end(crash, &usual, OZ_PROCESS_CRASHED);
	expect_end(give_up, &usual, OZ_PROCESS_CRASHED);
	expect_end(leave, &usual, OZ_PROCESS_CRASHED);
}

static void patience_ends(void **state)
{
	(void)state;
	const oz_process_limits work = {1, 60, usual.memory, usual.output};
	const oz_process_limits wait = {10, 0.2, usual.memory, usual.output};
	expect_end(spin, &work, OZ_PROCESS_LATE);
	expect_end(spin, &wait, OZ_PROCESS_LATE);
	expect_end(sleep_on, &wait, OZ_PROCESS_LATE);
}

static void more_bytes_than_allowed_are_refused(void **state)
{
	(void)state;
	const oz_process_limits brief = {10, 60, usual.memory, 1000};
	expect_end(write_for_ever, &brief, OZ_PROCESS_CRASHED);
}

// What stands unflushed in a buffer when a process is copied must come out once.
static void child_prints_nothing(void **state)
{
	(void)state;
	fflush(stdout);
	const int kept = dup(1);
	FILE *seen = tmpfile();
	assert_non_null(seen);
	dup2(fileno(seen), 1);
	printf("once");
	char *bytes, text[64] = "x";
	size_t size;
	const oz_process_end end = oz_process_run(print, text, &usual, &bytes, &size);
	fflush(stdout);
	dup2(kept, 1);
	close(kept);
	assert_int_equal(end, OZ_PROCESS_DONE);
	free(bytes);
	rewind(seen);
	memset(text, 0, sizeof text);
	assert_int_equal(fread(text, 1, sizeof text - 1, seen), 4);
	assert_string_equal(text, "once");
	fclose(seen);
}

static void child_leaves_no_core(void **state)
{
	(void)state;
	char *bytes;
	size_t size;
	assert_int_equal(oz_process_run(tell_core_limit, NULL, &usual, &bytes, &size),
	                 OZ_PROCESS_DONE);
	rlim_t most;
	assert_int_equal(size, sizeof most);
	memcpy(&most, bytes, sizeof most);
	assert_int_equal(most, 0);
	free(bytes);
}

static void ignore_it(int number)
{
	(void)number;
}

// Signals that come every millisecond interrupt every call that waits.
static void interruptions_lose_nothing(void **state)
{
	(void)state;
	struct sigaction action = {.sa_handler = ignore_it}, old;
	sigaction(SIGALRM, &action, &old);
	const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 5; i++)
		expect_count(100000);
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &old, NULL);
}

static void ignored_children_answer_too(void **state)
{
	(void)state;
	void (*old)(int) = signal(SIGCHLD, SIG_IGN);
	const oz_process_limits work = {1, 60, usual.memory, usual.output};
	expect_count(100000);
	expect_end(crash, &usual, OZ_PROCESS_CRASHED);
	expect_end(spin, &work, OZ_PROCESS_LATE);
	signal(SIGCHLD, old);
}

static void nothing_stays_behind(void **state)
{
	(void)state;
	const oz_process_limits hasty = {10, 0.01, usual.memory, 1000};
	const int before = dup(0);
	close(before);
	for (int i = 0; i < 20; i++) {
		expect_count(10);
		expect_end(crash, &usual, OZ_PROCESS_CRASHED);
		expect_end(sleep_on, &hasty, OZ_PROCESS_LATE);
	}
	const int after = dup(0);
	close(after);
	assert_int_equal(after, before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void *run_quick(void *context)
{
	uint64_t *slowest = context;
	uint32_t count = 1000;
	for (int i = 0; i < 20; i++) {
		char *bytes;
		size_t size;
		const uint64_t begin = oz_clock_ns();
		if (oz_process_run(count_up, &count, &usual, &bytes, &size) != OZ_PROCESS_DONE ||
		    size != count * sizeof count)
			*slowest = UINT64_MAX;
		free(bytes);
		const uint64_t took = oz_clock_ns() - begin;
		*slowest = took > *slowest ? took : *slowest;
	}
	return NULL;
}

// A child that hangs must not hold the pipe of another open.
static void runs_at_the_same_time_do_not_wait_for_each_other(void **state)
{
	(void)state;
	pthread_t thread;
	uint64_t slowest = 0;
	const oz_process_limits slow = {60, 5, usual.memory, usual.output};
	assert_int_equal(pthread_create(&thread, NULL, run_quick, &slowest), 0);
	expect_end(sleep_on, &slow, OZ_PROCESS_LATE);
	pthread_join(thread, NULL);
	assert_true(slowest < 4000000000u);
}

static void processes_that_are_not_to_be_had_are_told(void **state)
{
	(void)state;
	struct rlimit limit, none;
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &none);
	char *bytes;
	size_t size;
	const oz_process_end end = oz_process_run(do_nothing, NULL, &usual, &bytes, &size);
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_int_equal(end, OZ_PROCESS_NOT_STARTED);
	assert_null(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(all_bytes_come_in_order),
	        cmocka_unit_test(crashes_are_told),
	        cmocka_unit_test(patience_ends),
	        cmocka_unit_test(more_bytes_than_allowed_are_refused),
	        cmocka_unit_test(child_prints_nothing),
	        cmocka_unit_test(child_leaves_no_core),
	        cmocka_unit_test(interruptions_lose_nothing),
	        cmocka_unit_test(ignored_children_answer_too),
	        cmocka_unit_test(nothing_stays_behind),
	        cmocka_unit_test(runs_at_the_same_time_do_not_wait_for_each_other),
	        cmocka_unit_test(processes_that_are_not_to_be_had_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
