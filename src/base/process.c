// process.c: a child process that runs one function and sends its output through a pipe.
//
//   parent   pipe, fork, read until the pipe ends or the time is up, waitpid
//   child    limits, output to /dev/null, the function, an end mark behind its output, _exit
//
// The end mark shows that the function returned; a child that crashes does not write it. The exit
// status is not used: a host program that ignores SIGCHLD, or waits for all children, takes it.
#include "base/process.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct growing {
	char *bytes;
	size_t size, capacity;
} growing;

// grows the buffer until `room` more bytes fit; false when out of memory
static bool make_room(growing *g, size_t room)
{
	if (g->capacity - g->size >= room)
		return true;
	const size_t capacity = 2 * g->capacity + room;
	char *bytes = realloc(g->bytes, capacity);
	if (!bytes)
		return false;
	g->bytes = bytes;
	g->capacity = capacity;
	return true;
}

// frees the bytes and returns `end`
static oz_process_end discard(growing *g, oz_process_end end)
{
	free(g->bytes);
	*g = (growing){0};
	return end;
}

#ifdef __EMSCRIPTEN__

struct oz_process_out {
	growing all;
	uint64_t limit;
	oz_process_end end;
};

void oz_process_write(oz_process_out *out, const void *data, size_t size)
{
	if (out->end == OZ_PROCESS_DONE && size > out->limit - out->all.size)
		out->end = OZ_PROCESS_CRASHED;
	if (out->end == OZ_PROCESS_DONE && !make_room(&out->all, size))
		out->end = OZ_PROCESS_NO_MEMORY;
	if (out->end != OZ_PROCESS_DONE || size == 0)
		return;
	memcpy(out->all.bytes + out->all.size, data, size);
	out->all.size += size;
}

oz_process_end oz_process_run(void (*function)(void *context, oz_process_out *out), void *context,
                              const oz_process_limits *limits, char **bytes, size_t *size)
{
	oz_process_out out = {.limit = limits->output};
	function(context, &out);
	if (out.end != OZ_PROCESS_DONE)
		discard(&out.all, out.end);
	*bytes = out.all.bytes;
	*size = out.all.size;
	return out.end;
}

#else

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE ((size_t)65536) // bytes that a pipe holds

static const char mark[8] = "the end";

struct oz_process_out {
	int to; // write end of the pipe
};

// ---- the child --------------------------------------------------------------------------------

void oz_process_write(oz_process_out *out, const void *data, size_t size)
{
	for (const char *at = data; size > 0;) {
		const ssize_t done = write(out->to, at, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			_exit(1);
		at += done;
		size -= (size_t)done;
	}
}

// lowers a resource limit of this process to `most`; never raises it
static void limit_to(int resource, uint64_t most)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) != 0)
		return;
	if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
		limit.rlim_max = (rlim_t)most;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(resource, &limit);
}

// Bytes of address space of this process; 0 if unknown.
static uint64_t address_space(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file)
		return 0;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// The child must not run signal handlers of the host program.
static void reset_signals(void)
{
	sigset_t none;
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

// Redirects stdin, stdout and stderr to /dev/null. This also drops text that the parent had
// buffered, but not flushed, before the fork.
static bool redirect_to_null(void)
{
	const int nowhere = open("/dev/null", O_RDWR);
	return nowhere >= 0 && dup2(nowhere, 0) >= 0 && dup2(nowhere, 1) >= 0 &&
	       dup2(nowhere, 2) >= 0;
}

// the whole life of the child process
static _Noreturn void run_child(int to, void (*function)(void *context, oz_process_out *out),
                                void *context, const oz_process_limits *limits, uint64_t space)
{
	// the pipe must not be descriptor 0, 1 or 2, which are redirected
	oz_process_out out = {fcntl(to, F_DUPFD, 3)};
	close(to);
	reset_signals();
	if (out.to < 0 || !redirect_to_null())
		_exit(1);
	limit_to(RLIMIT_CORE, 0);
	limit_to(RLIMIT_CPU, (uint64_t)ceil(limits->cpu_seconds));
	if (space > 0)
		limit_to(RLIMIT_AS, space + limits->memory);
	function(context, &out);
	oz_process_write(&out, mark, sizeof mark);
	_exit(0);
}

// ---- the parent -------------------------------------------------------------------------------

typedef struct child {
	pid_t pid;
	int from; // read end of the pipe
	uint64_t start;
} child;

// forks the child; on failure returns false and leaves the reason in errno
static bool start(child *c, void (*function)(void *context, oz_process_out *out), void *context,
                  const oz_process_limits *limits)
{
	// one fork at a time: a child that inherits the pipe of another run would keep it open
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	int ends[2];
	const uint64_t space = address_space();
	pthread_mutex_lock(&one);
	bool started = pipe(ends) == 0;
	if (started) {
		fcntl(ends[0], F_SETFD, FD_CLOEXEC);
		fcntl(ends[1], F_SETFD, FD_CLOEXEC);
		*c = (child){.from = ends[0], .start = oz_clock_ns()};
		c->pid = fork();
		if (c->pid == 0) {
			close(ends[0]);
			run_child(ends[1], function, context, limits, space);
		}
		const int reason = errno;
		started = c->pid > 0;
		close(ends[1]);
		if (!started)
			close(ends[0]);
		errno = reason;
	}
	pthread_mutex_unlock(&one);
	return started;
}

static double seconds_since(uint64_t start)
{
	return (double)(oz_clock_ns() - start) * 1e-9;
}

// Waits until the pipe has bytes or ends; false after wall_seconds or on an error.
static bool wait_for_bytes(const child *c, const oz_process_limits *limits)
{
	struct pollfd at = {.fd = c->from, .events = POLLIN};
	for (;;) {
		const double left = limits->wall_seconds - seconds_since(c->start);
		if (left <= 0)
			return false;
		const int ready = poll(&at, 1, left > 3600 ? 3600000 : (int)(left * 1000) + 1);
		if (ready > 0)
			return true;
		if (ready < 0 && errno != EINTR && errno != EAGAIN)
			return false;
	}
}

#define TICK 0.02 // s; the system counts the time of a process in ticks of up to 10 ms

// Reads to the end of the pipe. Returns DONE also for a child that crashed: check the end mark.
static oz_process_end read_pipe(const child *c, const oz_process_limits *limits, growing *all)
{
	for (;;) {
		if (!wait_for_bytes(c, limits))
			return OZ_PROCESS_LATE;
		if (!make_room(all, PIECE))
			return OZ_PROCESS_NO_MEMORY;
		const ssize_t got = read(c->from, all->bytes + all->size, PIECE);
		if (got == 0)
			return OZ_PROCESS_DONE;
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return OZ_PROCESS_CRASHED;
		all->size += got > 0 ? (size_t)got : 0;
		if (all->size > limits->output + sizeof mark)
			return OZ_PROCESS_CRASHED;
	}
}

// removes the end mark from the output; false if it is missing
static bool remove_mark(growing *all)
{
	if (all->size < sizeof mark ||
	    memcmp(all->bytes + all->size - sizeof mark, mark, sizeof mark) != 0)
		return false;
	all->size -= sizeof mark;
	return true;
}

oz_process_end oz_process_run(void (*function)(void *context, oz_process_out *out), void *context,
                              const oz_process_limits *limits, char **bytes, size_t *size)
{
	child c;
	growing all = {0};
	*bytes = NULL;
	*size = 0;
	if (!start(&c, function, context, limits))
		return OZ_PROCESS_NOT_STARTED;
	oz_process_end end = read_pipe(&c, limits, &all);
	if (end != OZ_PROCESS_DONE)
		kill(c.pid, SIGKILL);
	close(c.from);
	while (waitpid(c.pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	// no mark, and the child lived for cpu_seconds or more: it reached its limit
	if (end == OZ_PROCESS_DONE && !remove_mark(&all))
		end = seconds_since(c.start) + TICK >= limits->cpu_seconds ? OZ_PROCESS_LATE
		                                                           : OZ_PROCESS_CRASHED;
	if (end != OZ_PROCESS_DONE)
		return discard(&all, end);
	*bytes = all.bytes;
	*size = all.size;
	return OZ_PROCESS_DONE;
}

#endif
