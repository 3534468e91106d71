// process.c: a child that runs one function, and a pipe through which its answer comes.
//
//   parent   pipe, fork, read until the end of the pipe or of patience, wait for the child
//   child    limits, silence, the function, a mark behind what it wrote, _exit
//
// The mark tells a child that came to its end from one that crashed while writing. The exit status
// is not asked: a host program that ignores SIGCHLD, or waits for all children, gets it first.
#include "base/process.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct growing {
	char *bytes;
	size_t size, capacity;
} growing;

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

static oz_process_end drop(growing *g, oz_process_end end)
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
		drop(&out.all, out.end);
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
	int to; // the pipe's end
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

// Bytes of address space that this process has; 0 where the system does not tell.
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

// Handlers of the host program are none of the child's business.
static void forget_signals(void)
{
	sigset_t none;
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

// What is printed goes nowhere, also what the parent had not flushed when it was copied.
static bool be_silent(void)
{
	const int nowhere = open("/dev/null", O_RDWR);
	return nowhere >= 0 && dup2(nowhere, 0) >= 0 && dup2(nowhere, 1) >= 0 &&
	       dup2(nowhere, 2) >= 0;
}

static _Noreturn void be_child(int to, void (*function)(void *context, oz_process_out *out),
                               void *context, const oz_process_limits *limits, uint64_t space)
{
	// the pipe must not be one of the descriptors that are silenced
	oz_process_out out = {fcntl(to, F_DUPFD, 3)};
	close(to);
	forget_signals();
	if (out.to < 0 || !be_silent())
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
	int from; // the pipe's end
	uint64_t start;
} child;

static bool start(child *c, void (*function)(void *context, oz_process_out *out), void *context,
                  const oz_process_limits *limits)
{
	// two runs at once: a child must not hold the other's pipe open
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
			be_child(ends[1], function, context, limits, space);
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

// Waits until there is something to read; false when patience ends.
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

// Reads to the end of the pipe. Says DONE also for a child that crashed: the mark tells.
static oz_process_end collect(const child *c, const oz_process_limits *limits, growing *all)
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

static bool take_mark(growing *all)
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
	oz_process_end end = collect(&c, limits, &all);
	if (end != OZ_PROCESS_DONE)
		kill(c.pid, SIGKILL);
	close(c.from);
	while (waitpid(c.pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	// a child that worked until its limit lived at least as long
	if (end == OZ_PROCESS_DONE && !take_mark(&all))
		end = seconds_since(c.start) >= limits->cpu_seconds ? OZ_PROCESS_LATE
		                                                    : OZ_PROCESS_CRASHED;
	if (end != OZ_PROCESS_DONE)
		return drop(&all, end);
	*bytes = all.bytes;
	*size = all.size;
	return OZ_PROCESS_DONE;
}

#endif
