// run_progress.c: the progress bar: one line at the bottom of the terminal, drawn ten times a
// second; if stderr is a file, a line with the numbers every ten seconds.
//
//   ██████████░░░░░░░░░░  52 %  0:12 left  frame 31/60  0.517 s  4.21 M particle-steps/s
//
// The bar uses the width that the numbers leave; on a narrow terminal the bar is left out first,
// then the numbers from the right.
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "cli.h"
#include "run.h"

#define INTERVAL      100000000u  // ns between drawings
#define FILE_INTERVAL 10000000000 // ns between lines in a file
#define BAR_MAX       30

void oz_run_progress_begin(oz_run_progress *progress, bool on, uint32_t frames, double begin,
                           double end)
{
	*progress = (oz_run_progress){.frames = frames, .begin = begin, .end = end};
	progress->on = on;
	progress->terminal = isatty(STDERR_FILENO);
	setlocale(LC_CTYPE, "");
	progress->blocks = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	progress->started_ns = oz_clock_ns();
	progress->drawn_ns = progress->terminal ? 0 : progress->started_ns;
}

double oz_run_progress_seconds(const oz_run_progress *progress)
{
	return (double)(oz_clock_ns() - progress->started_ns) * 1e-9;
}

double oz_run_progress_rate(const oz_run_progress *progress)
{
	double seconds = oz_run_progress_seconds(progress);
	return seconds > 0 ? progress->particle_steps / seconds : 0;
}

static void draw_bar(const oz_run_progress *progress, double share, int width)
{
	const char *full = progress->blocks ? "█" : "#";
	const char *rest = progress->blocks ? "░" : ".";
	int filled = (int)lround(share * width);
	for (int i = 0; i < width; i++)
		fputs(i < filled ? full : rest, stderr);
	if (width > 0)
		fputs("  ", stderr);
}

static void draw(oz_run_progress *progress, uint32_t frame, double time)
{
	double share = progress->end > 0 ? fmin(time / progress->end, 1) : 1;
	double done = time - progress->begin;
	double left = oz_run_progress_seconds(progress) / done * (progress->end - time);
	char text[200];
	int length =
	        snprintf(text, sizeof text,
	                 "%3.0f %%  %s left  frame %u/%u  %.4g s  %s particle-steps/s",
	                 floor(share * 100), done > 0 ? oz_cli_clock(left).s : "?", frame,
	                 progress->frames, time, oz_cli_rate(oz_run_progress_rate(progress)).s);
	if (!progress->terminal) {
		fprintf(stderr, "%s\n", text + strspn(text, " "));
		return;
	}
	int columns = oz_cli_columns(STDERR_FILENO) - 1;
	int room = columns - length - 2;
	fputs("\r", stderr);
	draw_bar(progress, share, room < 5 ? 0 : room > BAR_MAX ? BAR_MAX : room);
	fprintf(stderr, "%.*s\x1b[K", columns, text);
	fflush(stderr);
	progress->drawn = true;
}

void oz_run_progress_steps(oz_run_progress *progress, uint32_t frame, const oz_step_report *reports,
                           uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		progress->particle_steps += reports[k].particles;
	uint64_t now = oz_clock_ns();
	if (!progress->on ||
	    now - progress->drawn_ns < (progress->terminal ? INTERVAL : FILE_INTERVAL))
		return;
	progress->drawn_ns = now;
	draw(progress, frame, reports[count - 1].time);
}

void oz_run_progress_clear(oz_run_progress *progress)
{
	if (!progress->drawn)
		return;
	fputs("\r\x1b[K", stderr);
	progress->drawn = false;
	progress->drawn_ns = 0;
}
