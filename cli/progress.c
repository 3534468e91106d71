// progress.c: what the program is doing, on stderr, where that takes longer than a second.
//
// Work without steps that could be counted (a driver compiles kernels, ffmpeg makes a video) is
// named by one line, which a thread prints a second after the work began if it has not ended. Work
// on a series of frames is counted: on one line of a terminal, or in a line every ten seconds.
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "cli.h"

#define DELAY   1           // s before work is named
#define LINE_NS 10000000000 // ns between lines in a file

// ---- work that is named -----------------------------------------------------------------------

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool started, silent;
	char text[300];    // empty: no work, or its line was printed
	char printed[300]; // the last line
	uint64_t begun_ns; // of that work
} work = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// waits until the work is a second old, has ended or was replaced; the mutex is held
static void wait_for_line(void)
{
	struct timespec time;
	const uint64_t begun = work.begun_ns;
	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += DELAY;
	while (work.text[0] && work.begun_ns == begun)
		if (pthread_cond_timedwait(&work.changed, &work.mutex, &time) != 0)
			break;
	if (!work.text[0] || work.begun_ns != begun)
		return;
	// kernels are compiled in two parts: one line is enough
	if (strcmp(work.text, work.printed) != 0) {
		fflush(stdout);
		fprintf(stderr, "ooze: %s …\n", work.text);
		strcpy(work.printed, work.text);
	}
	work.text[0] = 0;
}

static void *watch(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&work.mutex);
	for (;;) {
		while (!work.text[0])
			pthread_cond_wait(&work.changed, &work.mutex);
		wait_for_line();
	}
	return NULL;
}

// without its thread the program works and is silent
static bool start(void)
{
	pthread_condattr_t monotonic;
	pthread_t thread;
	if (work.started)
		return true;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&work.changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	work.started = pthread_create(&thread, NULL, watch, NULL) == 0;
	if (work.started)
		pthread_detach(thread);
	return work.started;
}

void oz_cli_be_silent(void)
{
	work.silent = true;
}

void oz_cli_begin_work(const char *format, ...)
{
	va_list arguments;
	if (work.silent || !start())
		return;
	va_start(arguments, format);
	pthread_mutex_lock(&work.mutex);
	vsnprintf(work.text, sizeof work.text, format, arguments);
	work.begun_ns = oz_clock_ns();
	pthread_cond_signal(&work.changed);
	pthread_mutex_unlock(&work.mutex);
	va_end(arguments);
}

void oz_cli_end_work(void)
{
	if (!work.started)
		return;
	pthread_mutex_lock(&work.mutex);
	work.text[0] = 0;
	pthread_cond_signal(&work.changed);
	pthread_mutex_unlock(&work.mutex);
}

// ---- frames that are counted ------------------------------------------------------------------

void oz_cli_begin_frames(oz_cli_frame_clock *clock, uint32_t count)
{
	*clock = (oz_cli_frame_clock){.count = count, .begun_ns = oz_clock_ns()};
	clock->said_ns = clock->begun_ns;
}

void oz_cli_count_frame(oz_cli_frame_clock *clock)
{
	const bool terminal = isatty(STDERR_FILENO);
	const uint64_t now = oz_clock_ns();
	const double seconds = 1e-9 * (double)(now - clock->begun_ns);
	const bool last = ++clock->done == clock->count;
	if (work.silent || (!terminal && (last || now - clock->said_ns < LINE_NS)))
		return;
	clock->said_ns = now;
	fflush(stdout);
	fprintf(stderr, "%sframe %" PRIu32 " of %" PRIu32, terminal ? "\r" : "", clock->done,
	        clock->count);
	if (!last)
		fprintf(stderr, ", %s left",
		        oz_cli_clock(seconds / clock->done * (clock->count - clock->done)).s);
	fprintf(stderr, "%s%s", terminal ? "\x1b[K" : "",
	        !terminal || last || oz_cli_stop_wanted() ? "\n" : "");
}
