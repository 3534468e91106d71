// plot_draw.c: the layout of a plot and the drawing of its parts.
//
//      legend           runs differ by colour, quantities by dashes (by colour if there is one run)
//     +----------+
//   y |          |      a light grid behind, ticks at whole steps
//     +----------+
//        time
//
// All lengths are multiples of `u`, which is 1 on a sheet of 900 × 540 and proportional to its
// size, but at least LEAST_UNIT, so that small plots stay readable; these have fewer ticks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"

#define LEAST_UNIT 0.72     // letters of 9 pixels
#define LABEL      12.5     // u, letters of ticks and legend
#define TITLE      13.5     // u
#define FAINT      0xe3e5e8 // the grid
#define AXIS       0x5b6169
#define FEW        20.0 // axes of whole numbers up to this value have ticks at whole numbers

// can be distinguished by colour-blind readers (Okabe and Ito 2008)
static const uint32_t palette[OZ_PLOT_RUNS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7};

typedef struct plot_sheet {
	const oz_plot_kind *kind;
	const oz_plot_run *runs;
	uint32_t run_count, series_count;
	oz_canvas *canvas;
	double u;                        // see above
	double left, right, top, bottom; // of the frame
	double low[2], high[2];          // of the values along x and y
	oz_ticks x, y;
	bool empty;
} plot_sheet;

static oz_lettering letters(const plot_sheet *sheet, double size, oz_anchor anchor)
{
	return (oz_lettering){.size = size * sheet->u, .rgb = OZ_INK, .anchor = anchor};
}

// ---- values -----------------------------------------------------------------------------------

// Extends the range of an axis to a value; NaN changes nothing.
static void extend_range(plot_sheet *sheet, int axis, double value)
{
	sheet->low[axis] = fmin(sheet->low[axis], value);
	sheet->high[axis] = fmax(sheet->high[axis], value);
}

// Finds the ranges of both axes over all runs; the sheet is empty if no value was measured.
static void find_ranges(plot_sheet *sheet)
{
	for (int axis = 0; axis < 2; axis++) {
		sheet->low[axis] = INFINITY;
		sheet->high[axis] = -INFINITY;
	}
	for (uint32_t r = 0; r < sheet->run_count; r++) {
		const oz_table *table = sheet->runs[r].table;
		for (uint32_t row = 0; row < table->count; row++) {
			extend_range(sheet, 0, table->rows[row][OZ_COLUMN_TIME]);
			for (uint32_t s = 0; s < sheet->series_count; s++)
				extend_range(sheet, 1,
				             oz_plot_value(table, row, &sheet->kind->series[s]));
		}
	}
	sheet->empty = !(sheet->low[1] <= sheet->high[1]);
	if (sheet->empty) {
		sheet->low[1] = 0;
		sheet->high[1] = 1;
	}
	if (sheet->kind->whole && sheet->high[1] <= FEW && sheet->high[1] - sheet->low[1] < 2) {
		sheet->low[1] = fmax(sheet->low[1] - 1, 0);
		sheet->high[1] += 1;
	}
}

// ---- legend -----------------------------------------------------------------------------------

static oz_pen pen_of(const plot_sheet *sheet, uint32_t run, uint32_t s)
{
	static const double dashes[OZ_PLOT_SERIES][2] = {{0, 0}, {7, 3.5}, {2, 2.5}};
	const bool alone = sheet->run_count == 1;
	oz_pen pen = {.rgb = palette[alone ? s : run], .width = 1.9 * sheet->u};
	for (int k = 0; !alone && k < 2; k++)
		pen.dash[k] = dashes[s][k] * sheet->u;
	return pen;
}

typedef struct plot_legend {
	double x, y; // of the next entry
	bool drawn;  // false: only measured
} plot_legend;

static void put_entry(plot_sheet *sheet, plot_legend *legend, const oz_pen *pen, const char *name)
{
	const double u = sheet->u, room = sheet->right - sheet->left - 30 * u;
	const double text = oz_canvas_text_width(sheet->canvas, LABEL * u, name);
	const double width = 30 * u + fmin(text, room);
	if (legend->x > sheet->left && legend->x + width > sheet->right) {
		legend->x = sheet->left;
		legend->y += 19 * u;
	}
	if (legend->drawn) {
		const oz_point line[2] = {{legend->x, legend->y}, {legend->x + 24 * u, legend->y}};
		oz_lettering lettering = letters(sheet, LABEL, OZ_ANCHOR_START);
		lettering.most = room;
		oz_canvas_stroke(sheet->canvas, line, 2, pen);
		oz_canvas_text(sheet->canvas, legend->x + 30 * u, legend->y, &lettering, name);
	}
	legend->x += width + 18 * u;
}

// Places the legend's entries, and draws them if `drawn`; returns its lower end.
static double put_legend(plot_sheet *sheet, bool drawn)
{
	plot_legend legend = {sheet->left, 16 * sheet->u, drawn};
	const bool alone = sheet->run_count == 1;
	for (uint32_t r = 0; r < sheet->run_count && (!alone || sheet->series_count == 1); r++) {
		const oz_pen pen = pen_of(sheet, r, 0);
		put_entry(sheet, &legend, &pen, sheet->runs[r].name);
	}
	for (uint32_t s = 0; s < sheet->series_count && sheet->series_count > 1; s++) {
		oz_pen pen = pen_of(sheet, 0, s);
		// dashes mean the same for all runs, so they are shown without a colour
		if (!alone)
			pen.rgb = AXIS;
		put_entry(sheet, &legend, &pen, sheet->kind->series[s].name);
	}
	return legend.y + 16 * sheet->u;
}

// ---- layout -----------------------------------------------------------------------------------

// Ticks whose labels fit on an axis of the given length.
static oz_ticks fit_ticks(const plot_sheet *sheet, int axis, double length)
{
	const double size = LABEL * sheet->u;
	oz_ticks ticks;
	for (uint32_t most = 8; most >= 2; most--) {
		ticks = oz_ticks_span(sheet->low[axis], sheet->high[axis], most);
		const double each =
		        axis == 0 ? oz_canvas_widest_label(sheet->canvas, size, &ticks) + 1.6 * size
		                  : 2.2 * size;
		if (each * (ticks.count - 1) <= length)
			break;
	}
	return ticks;
}

static void lay_out(plot_sheet *sheet)
{
	const oz_canvas *canvas = sheet->canvas;
	const double u = sheet->u;
	sheet->right = canvas->width - 18 * u;
	sheet->bottom = canvas->height - 52 * u;
	// legend rows, left end and tick labels depend on each other: two iterations
	sheet->left = 60 * u;
	for (int round = 0; round < 2; round++) {
		sheet->top = put_legend(sheet, false);
		sheet->y = fit_ticks(sheet, 1, sheet->bottom - sheet->top);
		sheet->x = fit_ticks(sheet, 0, sheet->right - sheet->left);
		// half of the first x label lies left of the frame, beside the title
		sheet->left =
		        fmax(40 * u + oz_canvas_widest_label(canvas, LABEL * u, &sheet->y),
		             28 * u + 0.5 * oz_canvas_widest_label(canvas, LABEL * u, &sheet->x));
	}
	sheet->top = put_legend(sheet, false);
	sheet->x = fit_ticks(sheet, 0, sheet->right - sheet->left);
	// half of the last x label lies right of the frame
	sheet->right -=
	        fmax(0, 0.5 * oz_canvas_widest_label(canvas, LABEL * u, &sheet->x) - 12 * u);
}

// ---- axes -------------------------------------------------------------------------------------

// The point of the sheet for values x and y.
static oz_point point_at(const plot_sheet *sheet, double x, double y)
{
	const double x0 = oz_ticks_value(&sheet->x, 0), y0 = oz_ticks_value(&sheet->y, 0);
	const double x1 = oz_ticks_value(&sheet->x, sheet->x.count - 1);
	const double y1 = oz_ticks_value(&sheet->y, sheet->y.count - 1);
	return (oz_point){sheet->left + (x - x0) / (x1 - x0) * (sheet->right - sheet->left),
	                  sheet->bottom - (y - y0) / (y1 - y0) * (sheet->bottom - sheet->top)};
}

// Draws a horizontal or vertical line that covers whole pixels.
static void draw_line(plot_sheet *sheet, oz_point a, oz_point b, uint32_t rgb)
{
	const oz_pen pen = {.rgb = rgb, .width = oz_canvas_whole_pixels(sheet->canvas, sheet->u)};
	const oz_canvas *canvas = sheet->canvas;
	if (a.x == b.x)
		a.x = b.x = oz_canvas_snap(canvas, a.x, pen.width);
	if (a.y == b.y)
		a.y = b.y = oz_canvas_snap(canvas, a.y, pen.width);
	oz_canvas_stroke(sheet->canvas, (oz_point[]){a, b}, 2, &pen);
}

static void draw_x_ticks(plot_sheet *sheet)
{
	const oz_lettering lettering = letters(sheet, LABEL, OZ_ANCHOR_MIDDLE);
	for (uint32_t k = 0; k < sheet->x.count; k++) {
		char text[48];
		const double x = point_at(sheet, oz_ticks_value(&sheet->x, k), 0).x;
		oz_ticks_label(&sheet->x, k, text, sizeof text);
		draw_line(sheet, (oz_point){x, sheet->top}, (oz_point){x, sheet->bottom}, FAINT);
		draw_line(sheet, (oz_point){x, sheet->bottom},
		          (oz_point){x, sheet->bottom + 5 * sheet->u}, AXIS);
		oz_canvas_text(sheet->canvas, x, sheet->bottom + 15 * sheet->u, &lettering, text);
	}
}

static void draw_y_ticks(plot_sheet *sheet)
{
	const oz_lettering lettering = letters(sheet, LABEL, OZ_ANCHOR_END);
	for (uint32_t k = 0; k < sheet->y.count; k++) {
		char text[48];
		const double value = oz_ticks_value(&sheet->y, k), y = point_at(sheet, 0, value).y;
		const bool zero = value == 0 && k > 0 && k + 1 < sheet->y.count;
		oz_ticks_label(&sheet->y, k, text, sizeof text);
		draw_line(sheet, (oz_point){sheet->left, y}, (oz_point){sheet->right, y},
		          zero ? 0xa9aeb5 : FAINT);
		draw_line(sheet, (oz_point){sheet->left - 5 * sheet->u, y},
		          (oz_point){sheet->left, y}, AXIS);
		oz_canvas_text(sheet->canvas, sheet->left - 8 * sheet->u, y, &lettering, text);
	}
}

static void draw_axes(plot_sheet *sheet)
{
	const oz_point corner = {sheet->left, sheet->bottom};
	draw_x_ticks(sheet);
	draw_y_ticks(sheet);
	draw_line(sheet, corner, (oz_point){sheet->right, sheet->bottom}, AXIS);
	draw_line(sheet, (oz_point){sheet->left, sheet->top}, corner, AXIS);
}

static void draw_titles(plot_sheet *sheet)
{
	const double u = sheet->u, middle = (sheet->top + sheet->bottom) / 2;
	oz_lettering lettering = letters(sheet, TITLE, OZ_ANCHOR_MIDDLE);
	char text[128];
	oz_ticks_title(&sheet->x, "time", "s", text, sizeof text);
	oz_canvas_text(sheet->canvas, (sheet->left + sheet->right) / 2, sheet->bottom + 37 * u,
	               &lettering, text);
	if (sheet->empty)
		oz_canvas_text(sheet->canvas, (sheet->left + sheet->right) / 2, middle, &lettering,
		               "nothing measured yet");
	oz_ticks_title(&sheet->y, sheet->kind->title, sheet->kind->unit, text, sizeof text);
	// the title may be longer than the axis, centred on it
	lettering.most = 2 * (fmin(middle, sheet->canvas->height - middle) - 6 * u);
	lettering.upward = true;
	oz_canvas_text(sheet->canvas, 16 * u, middle, &lettering, text);
}

// ---- curves -----------------------------------------------------------------------------------

static oz_result draw_curve(plot_sheet *sheet, uint32_t run, uint32_t s, oz_error *error)
{
	const oz_table *table = sheet->runs[run].table;
	oz_point *points = malloc(sizeof *points * ((size_t)table->count + 1));
	if (!points)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the plot of %s; close other programs",
		               sheet->kind->name);
	size_t count = 0;
	for (uint32_t row = 0; row < table->count; row++) {
		const double value = oz_plot_value(table, row, &sheet->kind->series[s]);
		if (!isnan(value))
			points[count++] = point_at(sheet, table->rows[row][OZ_COLUMN_TIME], value);
	}
	const oz_pen pen = pen_of(sheet, run, s);
	if (count)
		oz_canvas_stroke(sheet->canvas, points, count, &pen);
	free(points);
	return OZ_OK;
}

oz_result oz_plot_draw(uint32_t kind, const oz_plot_run *runs, uint32_t count, oz_canvas *canvas,
                       oz_error *error)
{
	if (kind >= oz_plot_count() || count == 0 || count > OZ_PLOT_RUNS)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "plot %u of %u runs cannot be made; there are %u plots, each of 1 "
		               "to "
		               "%u runs",
		               kind, count, oz_plot_count(), OZ_PLOT_RUNS);
	plot_sheet sheet = {.kind = oz_plot_get(kind),
	                    .runs = runs,
	                    .run_count = count,
	                    .canvas = canvas,
	                    .u = fmax(fmin(canvas->width / 900, canvas->height / 540), LEAST_UNIT)};
	while (sheet.series_count < OZ_PLOT_SERIES && sheet.kind->series[sheet.series_count].name)
		sheet.series_count++;
	oz_canvas_fill(canvas, (oz_rectangle){0, 0, canvas->width, canvas->height}, 0xffffff);
	find_ranges(&sheet);
	lay_out(&sheet);
	draw_axes(&sheet);
	oz_result result = OZ_OK;
	for (uint32_t r = 0; r < count; r++)
		for (uint32_t s = 0; result == OZ_OK && s < sheet.series_count; s++)
			result = draw_curve(&sheet, r, s, error);
	put_legend(&sheet, true);
	draw_titles(&sheet);
	return result;
}

// ---- files ------------------------------------------------------------------------------------

static oz_result write_svg(uint32_t kind, const oz_plot_run *runs, uint32_t count,
                           const char *folder, const oz_plot_size *size, oz_error *error)
{
	char path[4096];
	oz_canvas canvas;
	snprintf(path, sizeof path, "%s/%s.svg", folder, oz_plot_name(kind));
	oz_result result = oz_canvas_open_svg(&canvas, path, size->width, size->height, error);
	if (result == OZ_OK)
		result = oz_plot_draw(kind, runs, count, &canvas, error);
	return oz_canvas_close(&canvas, result, error);
}

static oz_result write_png(uint32_t kind, const oz_plot_run *runs, uint32_t count,
                           const char *folder, const oz_plot_size *size, oz_error *error)
{
	char path[4096];
	oz_canvas canvas;
	oz_picture picture;
	snprintf(path, sizeof path, "%s/%s.png", folder, oz_plot_name(kind));
	oz_result result =
	        oz_picture_create((uint32_t)(size->width * size->scale + 0.5),
	                          (uint32_t)(size->height * size->scale + 0.5), &picture, error);
	if (result != OZ_OK)
		return result;
	result = oz_canvas_open_picture(&canvas, &picture, size->scale, error);
	if (result == OZ_OK)
		result = oz_plot_draw(kind, runs, count, &canvas, error);
	result = oz_canvas_close(&canvas, result, error);
	if (result == OZ_OK)
		result = oz_picture_write(&picture, path, error);
	oz_picture_free(&picture);
	return result;
}

oz_result oz_plot_write(uint32_t kind, const oz_plot_run *runs, uint32_t count, const char *folder,
                        const oz_plot_size *size, oz_error *error)
{
	const oz_result result = write_svg(kind, runs, count, folder, size, error);
	return result == OZ_OK ? write_png(kind, runs, count, folder, size, error) : result;
}
