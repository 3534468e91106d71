// plot.h: curves of a run's measurements over time, as SVG and as PNG.
//
//   oz_table_read("out/stats.csv", &table, &error);    the rows of a run
//   oz_plot_write(kind, runs, count, "out/plots", 900, 540, &error);
//
// One layout makes both files: each stroke goes into the SVG and into the picture.
#ifndef OZ_PLOT_H
#define OZ_PLOT_H

#include "base/base.h"
#include "render/render.h"

// ---- tables -----------------------------------------------------------------------------------

typedef enum oz_column {
	OZ_COLUMN_TIME,
	OZ_COLUMN_STEP,
	OZ_COLUMN_PARTICLES,
	OZ_COLUMN_TIME_STEP,
	OZ_COLUMN_LIMIT, // words, which are not kept
	OZ_COLUMN_MAX_SPEED,
	OZ_COLUMN_MEAN_COMPRESSION,
	OZ_COLUMN_MAX_COMPRESSION,
	OZ_COLUMN_KINETIC_ENERGY,
	OZ_COLUMN_POTENTIAL_ENERGY,
	OZ_COLUMN_MOMENTUM_X,
	OZ_COLUMN_MOMENTUM_Y,
	OZ_COLUMN_MOMENTUM_Z,
	OZ_COLUMN_NEIGHBOURS,
	OZ_COLUMN_VOLUME,        // from here on, tables may lack columns
	OZ_COLUMN_DENSITY_ERROR, //
	OZ_COLUMN_ITERATIONS,
	OZ_COLUMN_COMPONENTS, // to here
	OZ_COLUMN_WALL_MS,
	OZ_COLUMN_COUNT
} oz_column;

typedef struct oz_table {
	double (*rows)[OZ_COLUMN_COUNT]; // NaN where a cell is empty or not there
	uint32_t count, capacity;
} oz_table;

// Whether a table may be without a column.
bool oz_column_may_lack(oz_column column);
// Reads a stats.csv; free it with oz_table_free, also after a failure.
oz_result oz_table_read(const char *path, oz_table *table, oz_error *error);
void oz_table_free(oz_table *table);

// ---- axes -------------------------------------------------------------------------------------

// Ticks at whole multiples of a step of 1, 2 or 5 · 10ⁿ; the axis begins and ends with one.
typedef struct oz_ticks {
	double step;
	double first; // the first tick is at first · step
	uint32_t count;
	int exponent; // labels are in units of 10^exponent
	int decimals; // of a label
} oz_ticks;

// Ticks that span low … high (finite, up to 1e300) with about `most` of them.
oz_ticks oz_ticks_span(double low, double high, uint32_t most);
double oz_ticks_value(const oz_ticks *ticks, uint32_t k);
void oz_ticks_label(const oz_ticks *ticks, uint32_t k, char *text, size_t size);

// ---- plots ------------------------------------------------------------------------------------

typedef struct oz_plot_run {
	char name[128]; // in the legend
	const oz_table *table;
} oz_plot_run;

#define OZ_PLOT_RUNS 4u // at the most, since more are not told apart

uint32_t oz_plot_count(void);
const char *oz_plot_name(uint32_t kind);
// Whether the runs have what a plot shows: tables may lack some columns, and a solver that does not
// iterate has nothing to count.
bool oz_plot_has(uint32_t kind, const oz_plot_run *runs, uint32_t count);
// Sets the name in the legend: UTF-8 without control characters, cut after 24 letters.
void oz_plot_run_name(oz_plot_run *run, const char *name);
// Writes NAME.svg and NAME.png into a folder.
oz_result oz_plot_write(uint32_t kind, const oz_plot_run *runs, uint32_t count, const char *folder,
                        uint32_t width, uint32_t height, oz_error *error);

// ---- the canvas -------------------------------------------------------------------------------

typedef struct oz_point {
	double x, y; // pixels from the upper left corner
} oz_point;

typedef struct oz_pen {
	uint8_t rgb[3];
	double width;   // pixels
	double dash[2]; // pixels drawn and left out; 0: unbroken
} oz_pen;

typedef enum oz_anchor { OZ_ANCHOR_START, OZ_ANCHOR_MIDDLE, OZ_ANCHOR_END } oz_anchor;

// An SVG on its way and a picture that show the same.
typedef struct oz_canvas {
	oz_file svg;
	oz_picture picture;
	float *cover;     // share of each pixel that the stroke in hand covers
	uint32_t dot;     // pixels, of a dot of the font
	oz_anchor anchor; // of the texts that follow
	bool turned;      // texts that follow run upwards
} oz_canvas;

oz_result oz_canvas_begin(oz_canvas *canvas, const char *svg, uint32_t width, uint32_t height,
                          oz_error *error);
void oz_canvas_stroke(oz_canvas *canvas, const oz_point *points, size_t count, const oz_pen *pen);
// Writes a line of text; y is its middle, or x if turned.
void oz_canvas_text(oz_canvas *canvas, double x, double y, const char *text);
double oz_canvas_text_width(const oz_canvas *canvas, const char *text);
// Ends both files, or gives both up where `result` is a failure already.
oz_result oz_canvas_end(oz_canvas *canvas, oz_result result, const char *png, oz_error *error);

#endif
