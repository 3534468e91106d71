// render_sheet.c: moments of a run on one page, with their times.
//
// The sheet of a whole run has tiles of two thirds of the pictures' size; with --times the sheet is
// all that is made, and its tiles are as large as pictures.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render.h"

#define SHEET 6   // moments where no times are given
#define PAPER 197 // grey of a cell without a picture, as the ground is

static double time_of(const oz_render_job *job, uint32_t k)
{
	return oz_cli_frames_time(&job->frames, job->frames.numbers[k]);
}

// which frame is nearest to a time
static uint32_t nearest_frame(const oz_render_job *job, double time)
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < job->frames.count; k++)
		if (fabs(time_of(job, k) - time) < fabs(time_of(job, best) - time))
			best = k;
	return best;
}

static void choose_moments(oz_render_job *job)
{
	const double end = time_of(job, job->frames.count - 1);
	const double frame = 1 / (double)oz_scene_output(job->frames.scene)->frame_rate;
	for (uint32_t k = 0; k < job->place_count; k++) {
		job->places[k] = nearest_frame(job, job->moments[k]);
		if (job->moments[k] > end + 0.5 * frame)
			oz_cli_warn("--times has %.6g, but the run ends at %.6g s; its last frame "
			            "is "
			            "shown",
			            job->moments[k], end);
	}
}

// six, or all where there are fewer
static void spread_moments(oz_render_job *job)
{
	const uint32_t most = job->frames.count < SHEET ? job->frames.count : SHEET,
	               last = most > 1 ? most - 1 : 1;
	for (; job->place_count < most; job->place_count++)
		job->places[job->place_count] =
		        (job->place_count * (job->frames.count - 1) + last / 2) / last;
}

// up to four in one row, else rows of four, three or five, whichever are all full
static uint32_t sheet_columns(uint32_t count)
{
	return count <= 4       ? count
	       : count % 4 == 0 ? 4
	       : count % 3 == 0 ? 3
	       : count % 5 == 0 ? 5
	                        : 4;
}

oz_result oz_render_make_sheet(oz_render_job *job, oz_error *error)
{
	job->tile_width = job->times ? job->width : job->width / 3 * 2;
	job->tile_height = job->times ? job->height : job->height / 3 * 2;
	if (job->times)
		choose_moments(job);
	else
		spread_moments(job);
	const uint32_t columns = sheet_columns(job->place_count);
	const uint32_t rows = (job->place_count + columns - 1) / columns;
	const oz_result result = oz_picture_create(job->tile_width * columns,
	                                           job->tile_height * rows, &job->sheet, error);
	if (result == OZ_OK)
		memset(job->sheet.pixels, PAPER, (size_t)3 * job->sheet.width * job->sheet.height);
	return result;
}

bool oz_render_is_on_sheet(const oz_render_job *job, uint32_t k)
{
	for (uint32_t place = 0; place < job->place_count; place++)
		if (job->places[place] == k)
			return true;
	return false;
}

void oz_render_put_on_sheet(oz_render_job *job, uint32_t k)
{
	const uint32_t w = job->tile_width, h = job->tile_height, size = 1 + h / 180;
	const uint32_t columns = sheet_columns(job->place_count);
	char text[32];
	snprintf(text, sizeof text, "%.2f s", time_of(job, k));
	for (uint32_t place = 0; place < job->place_count; place++) {
		if (job->places[place] != k)
			continue;
		const uint32_t x = place % columns * w, y = place / columns * h;
		oz_picture_place(&job->sheet, x, y, w, h, &job->picture);
		oz_picture_text(&job->sheet, x + 6 * size, y + h - 13 * size, size, text);
	}
}

oz_run_path oz_render_sheet_path(const oz_render_job *job)
{
	return oz_run_folder_path(&job->target, "contact_sheet.png");
}
