// sheet.c: the contact sheet: pictures of several times of a run on one page.
//
// The sheet of a whole run has tiles of two thirds of the pictures' size; a sheet of chosen moments
// has tiles as large as the pictures.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/canvas.h"
#include "show/show.h"

#define SPREAD 6u  // pictures where no times are given
#define PAPER  197 // grey of a place without a picture, equal to the ground

// ---- which frames -----------------------------------------------------------------------------

static void choose_frames(oz_show_sheet *sheet, const double *moments, uint32_t count)
{
	for (; sheet->place_count < count && sheet->place_count < OZ_SHEET_MOST;
	     sheet->place_count++)
		sheet->places[sheet->place_count] =
		        oz_show_nearest_frame(sheet->frames, moments[sheet->place_count]);
}

// Chooses SPREAD frames at equal distances, or all if there are fewer.
static void spread_frames(oz_show_sheet *sheet)
{
	const uint32_t count = sheet->frames->count, most = count < SPREAD ? count : SPREAD,
	               last = most > 1 ? most - 1 : 1;
	for (; sheet->place_count < most; sheet->place_count++)
		sheet->places[sheet->place_count] =
		        (sheet->place_count * (count - 1) + last / 2) / last;
}

// ---- the page ---------------------------------------------------------------------------------

// One row up to four pictures; else rows of four, three or five, the first of these without a gap.
static uint32_t column_count(uint32_t count)
{
	return count <= 4       ? count
	       : count % 4 == 0 ? 4
	       : count % 3 == 0 ? 3
	       : count % 5 == 0 ? 5
	                        : 4;
}

oz_result oz_show_sheet_make(oz_show_sheet *sheet, const oz_show_frames *frames,
                             const double *moments, uint32_t count, uint32_t width, uint32_t height,
                             oz_error *error)
{
	*sheet = (oz_show_sheet){.frames = frames};
	sheet->tile_width = count ? width : width / 3 * 2;
	sheet->tile_height = count ? height : height / 3 * 2;
	if (count)
		choose_frames(sheet, moments, count);
	else
		spread_frames(sheet);
	const uint32_t columns = column_count(sheet->place_count);
	const uint32_t rows = columns ? (sheet->place_count + columns - 1) / columns : 0;
	const oz_result result =
	        oz_picture_create(sheet->tile_width * columns, sheet->tile_height * rows,
	                          &sheet->picture, error);
	if (result == OZ_OK)
		memset(sheet->picture.pixels, PAPER,
		       (size_t)3 * sheet->picture.width * sheet->picture.height);
	return result;
}

void oz_show_sheet_free(oz_show_sheet *sheet)
{
	oz_picture_free(&sheet->picture);
}

bool oz_show_sheet_has(const oz_show_sheet *sheet, uint32_t index)
{
	for (uint32_t place = 0; place < sheet->place_count; place++)
		if (sheet->places[place] == index)
			return true;
	return false;
}

// Writes the time into the lower left corner of a tile.
static oz_result write_time(oz_show_sheet *sheet, uint32_t x, uint32_t y, const char *text,
                            oz_error *error)
{
	const uint32_t w = sheet->tile_width, h = sheet->tile_height;
	// larger than on single pictures, since a sheet is viewed as a whole
	const double size = round(1.4 * oz_picture_letters(w, h)), margin = round(0.5 * size);
	const oz_lettering lettering = {.size = size, .rgb = OZ_INK};
	oz_canvas canvas;
	const oz_result result = oz_canvas_open_part(&canvas, &sheet->picture, x, y, w, h, error);
	if (result == OZ_OK) {
		const double wide = oz_canvas_text_width(&canvas, size, text) + 1.2 * size;
		const oz_rectangle r = {margin, h - margin - 1.6 * size, wide, 1.6 * size};
		oz_canvas_veil(&canvas, r, 0.35 * size);
		oz_canvas_text(&canvas, r.left + 0.6 * size, r.top + 0.8 * size, &lettering, text);
	}
	return oz_canvas_close(&canvas, result, error);
}

oz_result oz_show_sheet_put(oz_show_sheet *sheet, uint32_t index, const oz_picture *picture,
                            oz_error *error)
{
	const uint32_t w = sheet->tile_width, h = sheet->tile_height;
	const uint32_t columns = column_count(sheet->place_count);
	oz_result result = OZ_OK;
	char text[32];
	snprintf(text, sizeof text, "%.2f s",
	         oz_show_time(sheet->frames, sheet->frames->numbers[index]));
	for (uint32_t place = 0; result == OZ_OK && place < sheet->place_count; place++) {
		if (sheet->places[place] != index)
			continue;
		const uint32_t x = place % columns * w, y = place / columns * h;
		oz_picture_place(&sheet->picture, x, y, w, h, picture);
		result = write_time(sheet, x, y, text, error);
	}
	return result;
}
