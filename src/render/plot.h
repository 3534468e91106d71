// plot.h: curves of a run's measurements over time, as SVG and as PNG.
//
//   oz_table_read("out/stats.csv", &table, &error);    the rows of a run
//   oz_plot_write(kind, runs, count, "out/plots", &size, &error);
//
// One routine, oz_plot_draw, makes both files: it draws on a canvas.
#ifndef OZ_PLOT_H
#define OZ_PLOT_H

#include "base/base.h"
#include "render/canvas.h"

// ---- tables -----------------------------------------------------------------------------------

typedef enum oz_column {
	OZ_COLUMN_TIME,
	OZ_COLUMN_STEP,
	OZ_COLUMN_PARTICLES,
	OZ_COLUMN_TIME_STEP,
	OZ_COLUMN_LIMIT, // text, read as NaN
	OZ_COLUMN_MAX_SPEED,
	OZ_COLUMN_MEAN_COMPRESSION,
	OZ_COLUMN_MAX_COMPRESSION,
	OZ_COLUMN_KINETIC_ENERGY,
	OZ_COLUMN_POTENTIAL_ENERGY,
	OZ_COLUMN_MOMENTUM_X,
	OZ_COLUMN_MOMENTUM_Y,
	OZ_COLUMN_MOMENTUM_Z,
	OZ_COLUMN_NEIGHBOURS,
	OZ_COLUMN_VOLUME, // first of the optional columns
	OZ_COLUMN_DENSITY_ERROR,
	OZ_COLUMN_PRESSURE_ROUNDS,
	OZ_COLUMN_DENSITY_ERROR_LEFT,
	OZ_COLUMN_DIVERGENCE_ROUNDS,
	OZ_COLUMN_COMPONENTS,
	OZ_COLUMN_COMPRESSION_ENERGY,
	OZ_COLUMN_ELASTIC_ENERGY,
	OZ_COLUMN_ANGULAR_MOMENTUM_X,
	OZ_COLUMN_ANGULAR_MOMENTUM_Y,
	OZ_COLUMN_ANGULAR_MOMENTUM_Z, // last of the optional columns
	OZ_COLUMN_WALL_MS,
	OZ_COLUMN_COUNT
} oz_column;

typedef struct oz_table {
	double (*rows)[OZ_COLUMN_COUNT]; // NaN where a cell is empty or the column is missing
	uint32_t count, capacity;
} oz_table;

// Whether a column may be missing in a table.
bool oz_column_is_optional(oz_column column);
// Reads a stats.csv; free it with oz_table_free, also after a failure.
oz_result oz_table_read(const char *path, oz_table *table, oz_error *error);
void oz_table_free(oz_table *table);

// ---- plots ------------------------------------------------------------------------------------

typedef struct oz_plot_run {
	char name[128]; // in the legend
	const oz_table *table;
} oz_plot_run;

#define OZ_PLOT_RUNS     4u // most runs in a plot: more colours are hard to distinguish
#define OZ_PLOT_SERIES   3u
#define OZ_PLOT_PER_STEP (-2)
#define OZ_PLOT_ENERGY   (-3)

typedef struct oz_plot_series {
	const char *name;
	oz_column column;
	int added; // a column that is added to the first; -1: none; OZ_PLOT_PER_STEP: the value is
	           // divided by the steps since the row before; OZ_PLOT_ENERGY: all other
	           // energies are added
} oz_plot_series;

typedef struct oz_plot_kind {
	const char *name, *title, *unit; // the unit may be NULL
	bool whole;                      // values are whole numbers
	oz_plot_series series[OZ_PLOT_SERIES];
} oz_plot_kind;

typedef struct oz_plot_size {
	uint32_t width, height; // px of the SVG
	double scale;           // pixels of the PNG for each of them
} oz_plot_size;

uint32_t oz_plot_count(void);
const oz_plot_kind *oz_plot_get(uint32_t kind);
const char *oz_plot_name(uint32_t kind);
// The value of a series in a row; NaN where it was not measured.
double oz_plot_value(const oz_table *table, uint32_t row, const oz_plot_series *series);
// Whether a run has a value other than 0 for a plot of optional columns; true for other plots. A
// solver without rounds has none.
bool oz_plot_has(uint32_t kind, const oz_plot_run *runs, uint32_t count);
// Sets the name in the legend: UTF-8 without control characters, cut after 24 letters.
void oz_plot_run_name(oz_plot_run *run, const char *name);
// Draws a plot that fills a canvas.
oz_result oz_plot_draw(uint32_t kind, const oz_plot_run *runs, uint32_t count, oz_canvas *canvas,
                       oz_error *error);
// Writes NAME.svg and NAME.png into a folder.
oz_result oz_plot_write(uint32_t kind, const oz_plot_run *runs, uint32_t count, const char *folder,
                        const oz_plot_size *size, oz_error *error);

#endif
