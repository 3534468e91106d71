// legend.c: the legend of the colours, in the lower right corner of a picture: the colour map with
// round numbers below it, or names beside their colours; on a pale background.
//
//   speed (m/s)                  ■ honey
//   ███████████████              ■ water
//   0   1   2   3
//
// All lengths are multiples of the letter size, which follows from the picture's size.
#include <math.h>
#include <stdio.h>

#include "render/canvas.h"

#define TICKS     7u  // wanted number, before those beyond the ends are left out
#define ROWS_MOST 10u // names; the last row counts the rest
#define NAME_MOST 24u // letters
#define STOPS     64u // colours of the bar

double oz_picture_letters(uint32_t width, uint32_t height)
{
	return fmax(9, 0.026 * fmin(height, 0.6 * width));
}

static uint32_t rgb_of(oz_vec3 c)
{
	return (uint32_t)oz_colour_byte(c.x) << 16 | (uint32_t)oz_colour_byte(c.y) << 8 |
	       oz_colour_byte(c.z);
}

// Draws the background for a block of the given size in the corner; returns the block's rectangle,
// of width 0 if it does not fit.
static oz_rectangle draw_background(oz_canvas *canvas, double width, double height, double size)
{
	const double margin = round(0.8 * size), rim = round(0.7 * size);
	const oz_rectangle block = {canvas->width - margin - rim - width,
	                            canvas->height - margin - rim - height, width, height};
	if (block.left < margin + rim || block.top < margin + rim)
		return (oz_rectangle){0};
	oz_canvas_veil(canvas,
	               (oz_rectangle){block.left - rim, block.top - rim, width + 2 * rim,
	                              height + 2 * rim},
	               0.4 * size);
	return block;
}

// ---- numbers ----------------------------------------------------------------------------------

// Ticks whose labels all fit below a bar of the given width.
static oz_ticks fit_ticks(const oz_canvas *canvas, double low, double high, double width,
                          double size)
{
	oz_ticks ticks = oz_ticks_span(low, high, TICKS);
	for (uint32_t most = TICKS - 1; most >= 2; most--) {
		// a number at an end of the bar is moved inwards
		const double each = 1.3 * oz_canvas_widest_label(canvas, size, &ticks) + 0.6 * size;
		if (each <= ticks.step / (high - low) * width)
			break;
		ticks = oz_ticks_span(low, high, most);
	}
	return ticks;
}

static void draw_ticks(oz_canvas *canvas, const oz_ticks *ticks, double low, double high,
                       oz_rectangle bar, double size)
{
	const oz_lettering lettering = {.size = size, .rgb = OZ_INK, .anchor = OZ_ANCHOR_MIDDLE};
	const double width = oz_canvas_whole_pixels(canvas, size / 14), y = bar.top + bar.height;
	const double over = 0.4 * size; // by which labels may exceed the ends of the bar
	double free = -INFINITY;        // end of the previous label
	for (uint32_t k = 0; k < ticks->count; k++) {
		char text[48];
		const double share = (oz_ticks_value(ticks, k) - low) / (high - low);
		if (share < -1e-6 || share > 1 + 1e-6)
			continue;
		const double x = bar.left + share * bar.width;
		oz_ticks_label(ticks, k, text, sizeof text);
		const double half = 0.5 * oz_canvas_text_width(canvas, size, text);
		const double middle =
		        fmin(fmax(x, bar.left + half - over), bar.left + bar.width - half + over);
		const double left =
		        round(fmin(fmax(x - width / 2, bar.left), bar.left + bar.width - width));
		oz_canvas_fill(canvas, (oz_rectangle){left, y, width, round(0.3 * size)}, OZ_INK);
		if (middle - half < free)
			continue;
		oz_canvas_text(canvas, middle, y + 0.9 * size, &lettering, text);
		free = middle + half + 0.4 * size;
	}
}

static void draw_bar(oz_canvas *canvas, const char *title, const char *unit, double low,
                     double high)
{
	const double size = oz_picture_letters((uint32_t)canvas->width, (uint32_t)canvas->height);
	const double row = round(1.3 * size), thick = round(0.75 * size);
	const double width = round(fmax(fmin(16 * size, 0.36 * canvas->width), 12 * size));
	const oz_rectangle block =
	        draw_background(canvas, width, row + thick + round(1.3 * size), size);
	if (block.width <= 0)
		return;
	const oz_rectangle bar = {block.left, block.top + row, width, thick};
	const oz_lettering lettering = {.size = size, .rgb = OZ_INK, .most = width};
	const oz_ticks ticks = fit_ticks(canvas, low, high, width, size);
	uint32_t colours[STOPS];
	char text[96];
	for (uint32_t k = 0; k < STOPS; k++)
		colours[k] = rgb_of(oz_colour_map((float)k / (float)(STOPS - 1)));
	oz_canvas_fill_colours(canvas, bar, colours, STOPS);
	oz_ticks_title(&ticks, title, unit, text, sizeof text);
	oz_canvas_text(canvas, bar.left, block.top + 0.4 * size, &lettering, text);
	draw_ticks(canvas, &ticks, low, high, bar, size);
}

oz_result oz_picture_legend(oz_picture *picture, const char *title, const char *unit, double low,
                            double high, oz_error *error)
{
	oz_canvas canvas;
	const oz_result result = oz_canvas_open_picture(&canvas, picture, 1, error);
	if (result == OZ_OK)
		draw_bar(&canvas, title, unit, low, high);
	return oz_canvas_close(&canvas, result, error);
}

// ---- names ------------------------------------------------------------------------------------

// The text of a row: a name, or in the last row "and N more".
static void row_text(const char *const *names, uint32_t count, uint32_t row, uint32_t rows,
                     char text[4 * NAME_MOST + 8])
{
	if (row + 1 == rows && count > rows)
		snprintf(text, 4 * NAME_MOST + 8, "and %u more", count - row);
	else
		oz_text_clean(text, 4 * NAME_MOST + 8, names[row], NAME_MOST);
}

static void draw_names(oz_canvas *canvas, const char *const *names, const oz_vec3 *colours,
                       uint32_t count)
{
	const double size = oz_picture_letters((uint32_t)canvas->width, (uint32_t)canvas->height);
	const double row = round(1.45 * size), box = round(0.85 * size), gap = round(0.5 * size);
	const uint32_t room = (uint32_t)(canvas->height / 2 / row);
	const uint32_t most = room < ROWS_MOST ? room : ROWS_MOST,
	               rows = count < most ? count : most;
	char text[4 * NAME_MOST + 8];
	double widest = 0;
	for (uint32_t k = 0; k < rows; k++) {
		row_text(names, count, k, rows, text);
		widest = fmax(widest, oz_canvas_text_width(canvas, size, text));
	}
	const oz_rectangle block =
	        draw_background(canvas, box + gap + ceil(widest), rows * row - (row - box), size);
	const oz_lettering lettering = {.size = size, .rgb = OZ_INK};
	const double rim = oz_canvas_whole_pixels(canvas, size / 14);
	for (uint32_t k = 0; block.width > 0 && k < rows; k++) {
		const double top = block.top + k * row;
		row_text(names, count, k, rows, text);
		oz_canvas_text(canvas, block.left + box + gap, top + box / 2, &lettering, text);
		if (k + 1 == rows && count > rows)
			break;
		oz_canvas_fill(canvas, (oz_rectangle){block.left, top, box, box}, OZ_INK);
		oz_canvas_fill(canvas,
		               (oz_rectangle){block.left + rim, top + rim, box - 2 * rim,
		                              box - 2 * rim},
		               rgb_of(colours[k]));
	}
}

oz_result oz_picture_names(oz_picture *picture, const char *const *names, const oz_vec3 *colours,
                           uint32_t count, oz_error *error)
{
	oz_canvas canvas;
	const oz_result result = oz_canvas_open_picture(&canvas, picture, 1, error);
	if (result == OZ_OK)
		draw_names(&canvas, names, colours, count);
	return oz_canvas_close(&canvas, result, error);
}
