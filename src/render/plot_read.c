// plot_read.c: reads stats.csv; every error names the line.
//
// Cells are numbers; a cell is empty where the run had no value yet (before its first step). Any
// other text makes the whole table invalid, because a curve with a gap would be misleading. The
// order of columns is fixed; optional columns are missing in older tables and those of solvers
// without rounds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"

#define LARGEST 1e300 // above it, differences and sums overflow

static const char *const names[OZ_COLUMN_COUNT] = {
        "time",
        "step",
        "particles",
        "time_step",
        "limit",
        "max_speed",
        "mean_compression",
        "max_compression",
        "kinetic_energy",
        "potential_energy",
        "momentum_x",
        "momentum_y",
        "momentum_z",
        "neighbours",
        "volume",
        "density_error",
        "pressure_rounds",
        "density_error_left",
        "divergence_rounds",
        "components",
        "compression_energy",
        "elastic_energy",
        "angular_momentum_x",
        "angular_momentum_y",
        "angular_momentum_z",
        "wall_ms",
};

bool oz_column_is_optional(oz_column column)
{
	return column >= OZ_COLUMN_VOLUME && column <= OZ_COLUMN_ANGULAR_MOMENTUM_Z;
}
#define LEAST_COLUMNS (OZ_COLUMN_COUNT - 11)

typedef struct reader {
	const char *path;
	uint32_t line;
	oz_column columns[OZ_COLUMN_COUNT]; // those of the table
	uint32_t count;                     // of columns
	oz_table *table;
	oz_error *error;
} reader;

// Splits a line at its commas; returns the number of cells, keeps the first OZ_COLUMN_COUNT.
static uint32_t split_cells(char *line, char *cells[OZ_COLUMN_COUNT])
{
	uint32_t count = 0;
	for (char *at = line; at; count++) {
		char *comma = strchr(at, ',');
		if (comma)
			*comma = 0;
		if (count < OZ_COLUMN_COUNT)
			cells[count] = at;
		at = comma ? comma + 1 : NULL;
	}
	return count;
}

static oz_result wrong_count(const reader *r, uint32_t count)
{
	return oz_fail(r->error, OZ_ERROR_FORMAT,
	               "%s:%u: the line has %u cells instead of %u; remove it, or run the scene "
	               "again",
	               r->path, r->line, count, r->count);
}

static oz_result read_header(reader *r, char *line)
{
	char *cells[OZ_COLUMN_COUNT];
	uint32_t count = split_cells(line, cells);
	oz_column column = OZ_COLUMN_TIME;
	r->count = LEAST_COLUMNS;
	for (uint32_t k = 0; k < count && column < OZ_COLUMN_COUNT; k++) {
		// earlier versions named the column "lumps"
		const char *cell = strcmp(cells[k], "lumps") ? cells[k] : "components";
		while (oz_column_is_optional(column) && strcmp(cell, names[column]) != 0)
			column++;
		if (strcmp(cell, names[column]) != 0)
			return oz_fail(r->error, OZ_ERROR_FORMAT,
			               "%s:%u: column %u is '%.40s' instead of '%s'; this is not a "
			               "table of this version of ooze: run the scene again",
			               r->path, r->line, k + 1, cells[k], names[column]);
		r->columns[k] = column++;
	}
	if (column < OZ_COLUMN_COUNT || count > OZ_COLUMN_COUNT)
		return wrong_count(r, count);
	r->count = count;
	return OZ_OK;
}

static oz_result read_cell(const reader *r, oz_column column, const char *cell, double *value)
{
	*value = (double)NAN;
	if (column == OZ_COLUMN_LIMIT || (!cell[0] && column != OZ_COLUMN_TIME))
		return OZ_OK;
	char *end;
	*value = strtod(cell, &end);
	if (end != cell && !*end && fabs(*value) <= LARGEST)
		return OZ_OK;
	return oz_fail(r->error, OZ_ERROR_FORMAT,
	               "%s:%u: %s is '%.40s', which is not a number that can be drawn; remove the "
	               "line, or run the scene again",
	               r->path, r->line, names[column], cell);
}

static oz_result make_room(const reader *r)
{
	oz_table *table = r->table;
	if (table->count < table->capacity)
		return OZ_OK;
	uint32_t capacity = table->capacity ? 2 * table->capacity : 256;
	void *grown = realloc(table->rows, sizeof *table->rows * capacity);
	if (!grown)
		return oz_fail(r->error, OZ_ERROR_MEMORY,
		               "%s:%u: out of memory; close other programs", r->path, r->line);
	table->rows = grown;
	table->capacity = capacity;
	return OZ_OK;
}

static oz_result read_row(const reader *r, char *line)
{
	char *cells[OZ_COLUMN_COUNT];
	uint32_t count = split_cells(line, cells);
	if (count != r->count)
		return wrong_count(r, count);
	oz_result result = make_room(r);
	if (result != OZ_OK)
		return result;
	double *row = r->table->rows[r->table->count];
	for (uint32_t k = 0; k < OZ_COLUMN_COUNT; k++)
		row[k] = (double)NAN;
	for (uint32_t k = 0; result == OZ_OK && k < count; k++)
		result = read_cell(r, r->columns[k], cells[k], &row[r->columns[k]]);
	if (result == OZ_OK)
		r->table->count++;
	return result;
}

// `line` ends with a zero byte where its newline was.
static oz_result read_line(reader *r, char *line, size_t length)
{
	if (strlen(line) != length)
		return oz_fail(r->error, OZ_ERROR_FORMAT,
		               "%s:%u: the line holds a zero byte; remove it, or run the scene "
		               "again",
		               r->path, r->line);
	if (length && line[length - 1] == '\r')
		line[length - 1] = 0;
	return r->line == 1 ? read_header(r, line) : read_row(r, line);
}

// Reads the header and all rows; ends each line of `text` with 0, so text[size] must exist. A table
// without rows is an error.
static oz_result read_lines(reader *r, char *text, size_t size)
{
	oz_result result = OZ_OK;
	for (char *line = text, *end = text + size; result == OZ_OK && line < end;) {
		char *newline = memchr(line, '\n', (size_t)(end - line));
		char *stop = newline ? newline : end;
		*stop = 0;
		r->line++;
		result = read_line(r, line, (size_t)(stop - line));
		line = stop + 1;
	}
	if (result == OZ_OK && r->table->count == 0)
		result = oz_fail(r->error, OZ_ERROR_FORMAT,
		                 "%s:%u: the table ends before its first row; run the scene again",
		                 r->path, r->line + 1);
	return result;
}

oz_result oz_table_read(const char *path, oz_table *table, oz_error *error)
{
	*table = (oz_table){0};
	reader r = {.path = path, .table = table, .error = error};
	char *text;
	size_t size;
	oz_result result = oz_file_read(path, (size_t)1 << 30, &text, &size, error);
	if (result == OZ_OK)
		result = read_lines(&r, text, size);
	free(text);
	return result;
}

void oz_table_free(oz_table *table)
{
	free(table->rows);
	*table = (oz_table){0};
}
