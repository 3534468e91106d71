// plot.c: what is plotted, and where on the sheet its parts go.
//
//      legend           runs by colour, quantities by dashes (or by colour where one run is alone)
//     +----------+
//   y |          |      a light grid behind, ticks at whole steps
//     +----------+
//        time
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"

#define SERIES   3u
#define PER_STEP (-2) // in the place of what is added: divided by the steps since the row before

typedef struct plot_series {
	const char *name;
	int column, added; // the second is added to the first; -1: none
} plot_series;

static const struct kind {
	const char *name, *title, *unit;
	plot_series series[SERIES];
} kinds[] = {
        {"energy",
         "energy",
         "J",
         {{"kinetic", OZ_COLUMN_KINETIC_ENERGY, -1},
          {"potential", OZ_COLUMN_POTENTIAL_ENERGY, -1},
          {"total", OZ_COLUMN_KINETIC_ENERGY, OZ_COLUMN_POTENTIAL_ENERGY}}},
        {"momentum",
         "momentum",
         "kg m/s",
         {{"x", OZ_COLUMN_MOMENTUM_X, -1},
          {"y", OZ_COLUMN_MOMENTUM_Y, -1},
          {"z", OZ_COLUMN_MOMENTUM_Z, -1}}},
        {"compression",
         "compression",
         "of rest density",
         {{"mean", OZ_COLUMN_MEAN_COMPRESSION, -1}, {"max", OZ_COLUMN_MAX_COMPRESSION, -1}}},
        {"density_error",
         "density error",
         "of rest density",
         {{"mean |error|", OZ_COLUMN_DENSITY_ERROR, -1}}},
        {"volume", "volume", "m^3", {{"volume", OZ_COLUMN_VOLUME, -1}}},
        {"iterations",
         "iterations of the pressure solver",
         "a step",
         {{"iterations", OZ_COLUMN_ITERATIONS, -1}}},
        {"components",
         "connected components",
         "number",
         {{"components", OZ_COLUMN_COMPONENTS, -1}}},
        {"time_step", "time step", "s", {{"time step", OZ_COLUMN_TIME_STEP, -1}}},
        {"neighbours", "neighbours", "mean number", {{"neighbours", OZ_COLUMN_NEIGHBOURS, -1}}},
        {"speed", "largest speed", "m/s", {{"largest speed", OZ_COLUMN_MAX_SPEED, -1}}},
        {"particles", "particles", "number", {{"particles", OZ_COLUMN_PARTICLES, -1}}},
        {"wall_clock", "wall clock per frame", "ms", {{"wall clock", OZ_COLUMN_WALL_MS, -1}}},
        {"step_clock", "wall clock per step", "ms", {{"wall clock", OZ_COLUMN_WALL_MS, PER_STEP}}},
};
#define KINDS (uint32_t)(sizeof kinds / sizeof kinds[0])

// told apart also by those who do not see all colours (Okabe and Ito 2008)
static const uint8_t palette[OZ_PLOT_RUNS][3] = {{0, 114, 178},
                                                 {213, 94, 0},
                                                 {0, 158, 115},
                                                 {204, 121, 167}};

typedef struct plot_sheet {
	const struct kind *kind;
	const oz_plot_run *runs;
	uint32_t run_count, series_count;
	oz_canvas canvas;
	double d;                        // pixels of a dot
	double left, right, top, bottom; // of the frame, pixels
	oz_ticks x, y;
	bool empty;
} plot_sheet;

uint32_t oz_plot_count(void)
{
	return KINDS;
}

const char *oz_plot_name(uint32_t kind)
{
	return kind < KINDS ? kinds[kind].name : NULL;
}

// ---- names ------------------------------------------------------------------------------------

// Bytes of the letter of UTF-8 at a place; 0 if there is no whole printable one.
static size_t letter_size(const char *text)
{
	const unsigned char *u = (const unsigned char *)text;
	if (u[0] < 0x80)
		return u[0] >= ' ' && u[0] != 0x7f;
	size_t size = u[0] >= 0xc2 && u[0] < 0xe0   ? 2
	              : u[0] >= 0xe0 && u[0] < 0xf0 ? 3
	              : u[0] >= 0xf0 && u[0] < 0xf5 ? 4
	                                            : 0;
	for (size_t k = 1; k < size; k++)
		if ((u[k] & 0xc0) != 0x80)
			return 0;
	// overlong forms, surrogates, and what lies beyond Unicode or XML
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] >= 0xa0) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] >= 0x90) ||
	    (u[0] == 0xef && u[1] == 0xbf && u[2] >= 0xbe))
		return 0;
	return size;
}

#define NAME_LETTERS 24u // more are shortened to their beginning

void oz_plot_run_name(oz_plot_run *run, const char *name)
{
	size_t used = 0;
	uint32_t letters = 0;
	for (; *name && letters < NAME_LETTERS; letters++) {
		size_t size = letter_size(name);
		if (size)
			memcpy(run->name + used, name, size);
		else
			run->name[used] = '?';
		used += size ? size : 1;
		name += size ? size : 1;
	}
	snprintf(run->name + used, sizeof run->name - used, "%s", *name ? "..." : "");
}

// ---- values -----------------------------------------------------------------------------------

static double value_at(const oz_table *table, uint32_t row, const plot_series *s)
{
	double value = table->rows[row][s->column];
	if (s->added == PER_STEP) {
		double before = row ? table->rows[row - 1][OZ_COLUMN_STEP] : (double)NAN;
		double steps = table->rows[row][OZ_COLUMN_STEP] - before;
		return steps > 0 ? value / steps : (double)NAN;
	}
	return s->added < 0 ? value : value + table->rows[row][s->added];
}

bool oz_plot_has(uint32_t kind, const oz_plot_run *runs, uint32_t count)
{
	if (kind >= KINDS || !oz_column_may_lack((oz_column)kinds[kind].series[0].column))
		return kind < KINDS;
	for (uint32_t r = 0; r < count; r++)
		for (uint32_t row = 0; row < runs[r].table->count; row++)
			if (value_at(runs[r].table, row, &kinds[kind].series[0]) > 0)
				return true;
	return false;
}

static void stretch(double range[2], double value)
{
	range[0] = fmin(range[0], value);
	range[1] = fmax(range[1], value);
}

// Finds the ends of both axes over all runs; the sheet is empty if there is no point at all.
static void survey(plot_sheet *sheet, double x[2], double y[2])
{
	x[0] = y[0] = INFINITY;
	x[1] = y[1] = -INFINITY;
	for (uint32_t r = 0; r < sheet->run_count; r++) {
		const oz_table *table = sheet->runs[r].table;
		for (uint32_t row = 0; row < table->count; row++) {
			stretch(x, table->rows[row][OZ_COLUMN_TIME]);
			for (uint32_t s = 0; s < sheet->series_count; s++)
				stretch(y, value_at(table, row, &sheet->kind->series[s]));
		}
	}
	sheet->empty = !(y[0] <= y[1]);
	if (sheet->empty)
		y[0] = 0, y[1] = 1;
}

// ---- legend -----------------------------------------------------------------------------------

static oz_pen pen_of(const plot_sheet *sheet, uint32_t run, uint32_t s)
{
	static const double dashes[SERIES][2] = {{0, 0}, {5, 3}, {1.5, 2.5}};
	const bool alone = sheet->run_count == 1;
	oz_pen pen = {.width = 0.5 + 0.7 * sheet->d};
	memcpy(pen.rgb, palette[alone ? s : run], 3);
	for (int k = 0; !alone && k < 2; k++)
		pen.dash[k] = dashes[s][k] * sheet->d;
	return pen;
}

typedef struct plot_legend {
	double x, y; // of the next entry
	bool drawn;  // false: only measured
} plot_legend;

static void put_entry(plot_sheet *sheet, plot_legend *legend, const oz_pen *pen, const char *name)
{
	const double d = sheet->d, text = oz_canvas_text_width(&sheet->canvas, name);
	const double width = 22 * d + text;
	if (legend->x > sheet->left && legend->x + width > sheet->right) {
		legend->x = sheet->left;
		legend->y += 12 * d;
	}
	if (legend->drawn) {
		oz_point line[2] = {{legend->x, legend->y}, {legend->x + 18 * d, legend->y}};
		oz_canvas_stroke(&sheet->canvas, line, 2, pen);
		sheet->canvas.anchor = OZ_ANCHOR_START;
		oz_canvas_text(&sheet->canvas, legend->x + 22 * d, legend->y, name);
	}
	legend->x += width + 12 * d;
}

// Lays out the legend from the top; gives where it ends.
static double put_legend(plot_sheet *sheet, bool drawn)
{
	plot_legend legend = {sheet->left, 10 * sheet->d, drawn};
	const bool alone = sheet->run_count == 1;
	for (uint32_t r = 0; r < sheet->run_count && (!alone || sheet->series_count == 1); r++) {
		oz_pen pen = pen_of(sheet, r, 0);
		put_entry(sheet, &legend, &pen, sheet->runs[r].name);
	}
	for (uint32_t s = 0; s < sheet->series_count && sheet->series_count > 1; s++) {
		oz_pen pen = pen_of(sheet, 0, s);
		// dashes mean the same for all runs, so they are shown without a colour
		if (!alone)
			memset(pen.rgb, 90, 3);
		put_entry(sheet, &legend, &pen, sheet->kind->series[s].name);
	}
	return legend.y + 8 * sheet->d;
}

// ---- axes -------------------------------------------------------------------------------------

static oz_point place(const plot_sheet *sheet, double x, double y)
{
	const double x0 = oz_ticks_value(&sheet->x, 0), y0 = oz_ticks_value(&sheet->y, 0);
	const double x1 = oz_ticks_value(&sheet->x, sheet->x.count - 1);
	const double y1 = oz_ticks_value(&sheet->y, sheet->y.count - 1);
	return (oz_point){sheet->left + (x - x0) / (x1 - x0) * (sheet->right - sheet->left),
	                  sheet->bottom - (y - y0) / (y1 - y0) * (sheet->bottom - sheet->top)};
}

static double widest_label(const plot_sheet *sheet)
{
	double width = 0;
	for (uint32_t k = 0; k < sheet->y.count; k++) {
		char text[48];
		oz_ticks_label(&sheet->y, k, text, sizeof text);
		width = fmax(width, oz_canvas_text_width(&sheet->canvas, text));
	}
	return width;
}

static void lay_out(plot_sheet *sheet)
{
	const double d = sheet->d, width = sheet->canvas.picture.width;
	double x[2], y[2];
	survey(sheet, x, y);
	sheet->bottom = sheet->canvas.picture.height - 32 * d;
	sheet->y = oz_ticks_span(y[0], y[1], 3 + (uint32_t)(sheet->bottom / (45 * d)));
	sheet->left = 24 * d + widest_label(sheet);
	sheet->right = width - 16 * d;
	sheet->x = oz_ticks_span(x[0], x[1], 3 + (uint32_t)(width / (75 * d)));
	sheet->top = put_legend(sheet, false);
}

// half a pixel, so that a thin line covers whole pixels
static double crisp(double at)
{
	return floor(at) + 0.5;
}

static void draw_line(plot_sheet *sheet, double x0, double y0, double x1, double y1, uint8_t grey)
{
	oz_point line[2] = {{crisp(x0), crisp(y0)}, {crisp(x1), crisp(y1)}};
	oz_pen pen = {.rgb = {grey, grey, grey}, .width = 1};
	oz_canvas_stroke(&sheet->canvas, line, 2, &pen);
}

static void draw_grid(plot_sheet *sheet)
{
	char text[48];
	sheet->canvas.anchor = OZ_ANCHOR_MIDDLE;
	for (uint32_t k = 0; k < sheet->x.count; k++) {
		double at = place(sheet, oz_ticks_value(&sheet->x, k), 0).x;
		draw_line(sheet, at, sheet->top, at, sheet->bottom, 226);
		oz_ticks_label(&sheet->x, k, text, sizeof text);
		oz_canvas_text(&sheet->canvas, at, sheet->bottom + 9 * sheet->d, text);
	}
	sheet->canvas.anchor = OZ_ANCHOR_END;
	for (uint32_t k = 0; k < sheet->y.count; k++) {
		double at = place(sheet, 0, oz_ticks_value(&sheet->y, k)).y;
		draw_line(sheet, sheet->left, at, sheet->right, at, 226);
		oz_ticks_label(&sheet->y, k, text, sizeof text);
		oz_canvas_text(&sheet->canvas, sheet->left - 5 * sheet->d, at, text);
	}
	draw_line(sheet, sheet->left, sheet->bottom, sheet->right, sheet->bottom, 90);
	draw_line(sheet, sheet->left, sheet->top, sheet->left, sheet->bottom, 90);
}

static void draw_title(plot_sheet *sheet, double x, double y, const char *title, const char *unit,
                       int exponent)
{
	char text[96];
	if (exponent)
		snprintf(text, sizeof text, "%s (1e%d %s)", title, exponent, unit);
	else
		snprintf(text, sizeof text, "%s (%s)", title, unit);
	oz_canvas_text(&sheet->canvas, x, y, text);
}

static void draw_titles(plot_sheet *sheet)
{
	const double d = sheet->d, middle = (sheet->top + sheet->bottom) / 2;
	sheet->canvas.anchor = OZ_ANCHOR_MIDDLE;
	draw_title(sheet, (sheet->left + sheet->right) / 2, sheet->bottom + 23 * d, "time", "s",
	           sheet->x.exponent);
	sheet->canvas.turned = true;
	draw_title(sheet, 8 * d, middle, sheet->kind->title, sheet->kind->unit, sheet->y.exponent);
	sheet->canvas.turned = false;
	if (sheet->empty)
		oz_canvas_text(&sheet->canvas, (sheet->left + sheet->right) / 2, middle,
		               "nothing measured yet");
}

// ---- curves -----------------------------------------------------------------------------------

static oz_result draw_curve(plot_sheet *sheet, uint32_t run, uint32_t s, oz_error *error)
{
	const oz_table *table = sheet->runs[run].table;
	oz_point *points = malloc(sizeof *points * ((size_t)table->count + 1));
	if (!points)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "memory is out for the plot of %s; close other programs",
		               sheet->kind->name);
	size_t count = 0;
	for (uint32_t row = 0; row < table->count; row++) {
		double value = value_at(table, row, &sheet->kind->series[s]);
		if (!isnan(value))
			points[count++] = place(sheet, table->rows[row][OZ_COLUMN_TIME], value);
	}
	oz_pen pen = pen_of(sheet, run, s);
	oz_canvas_stroke(&sheet->canvas, points, count, &pen);
	free(points);
	return OZ_OK;
}

static oz_result draw(plot_sheet *sheet, oz_error *error)
{
	oz_result result = OZ_OK;
	sheet->d = sheet->canvas.dot;
	lay_out(sheet);
	draw_grid(sheet);
	for (uint32_t r = 0; r < sheet->run_count; r++)
		for (uint32_t s = 0; result == OZ_OK && s < sheet->series_count; s++)
			result = draw_curve(sheet, r, s, error);
	put_legend(sheet, true);
	draw_titles(sheet);
	return result;
}

oz_result oz_plot_write(uint32_t kind, const oz_plot_run *runs, uint32_t count, const char *folder,
                        uint32_t width, uint32_t height, oz_error *error)
{
	if (kind >= KINDS || count == 0 || count > OZ_PLOT_RUNS)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "plot %u of %u runs cannot be made; there are %u plots, of up to %u "
		               "runs",
		               kind, count, KINDS, OZ_PLOT_RUNS);
	char svg[4096], png[4096];
	snprintf(svg, sizeof svg, "%s/%s.svg", folder, kinds[kind].name);
	snprintf(png, sizeof png, "%s/%s.png", folder, kinds[kind].name);
	plot_sheet sheet = {.kind = &kinds[kind], .runs = runs, .run_count = count};
	while (sheet.series_count < SERIES && kinds[kind].series[sheet.series_count].name)
		sheet.series_count++;
	oz_result result = oz_canvas_begin(&sheet.canvas, svg, width, height, error);
	if (result == OZ_OK)
		result = draw(&sheet, error);
	return oz_canvas_end(&sheet.canvas, result, png, error);
}
