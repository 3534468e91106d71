// plot.c: the list of plots, and the values that they show.
#include <math.h>
#include <string.h>

#include "render/plot.h"

#define NAME_LETTERS 24u

static const oz_plot_kind kinds[] = {
        {"energy",
         "energy",
         "J",
         false,
         {{"kinetic", OZ_COLUMN_KINETIC_ENERGY, -1},
          {"potential", OZ_COLUMN_POTENTIAL_ENERGY, -1},
          {"total", OZ_COLUMN_KINETIC_ENERGY, OZ_COLUMN_POTENTIAL_ENERGY}}},
        {"stored_energy",
         "stored energy",
         "J",
         false,
         {{"compression", OZ_COLUMN_COMPRESSION_ENERGY, -1},
          {"elastic", OZ_COLUMN_ELASTIC_ENERGY, -1},
          {"with kinetic, potential", OZ_COLUMN_COMPRESSION_ENERGY, OZ_PLOT_ENERGY}}},
        {"momentum",
         "momentum",
         "kg·m/s",
         false,
         {{"x", OZ_COLUMN_MOMENTUM_X, -1},
          {"y", OZ_COLUMN_MOMENTUM_Y, -1},
          {"z", OZ_COLUMN_MOMENTUM_Z, -1}}},
        {"angular_momentum",
         "angular momentum",
         "kg·m²/s",
         false,
         {{"x", OZ_COLUMN_ANGULAR_MOMENTUM_X, -1},
          {"y", OZ_COLUMN_ANGULAR_MOMENTUM_Y, -1},
          {"z", OZ_COLUMN_ANGULAR_MOMENTUM_Z, -1}}},
        {"compression",
         "compression",
         "of rest density",
         false,
         {{"mean", OZ_COLUMN_MEAN_COMPRESSION, -1}, {"max", OZ_COLUMN_MAX_COMPRESSION, -1}}},
        {"density_error",
         "density error",
         "of rest density",
         false,
         {{"mean |error|", OZ_COLUMN_DENSITY_ERROR, -1}}},
        {"volume", "volume", "m³", false, {{"volume", OZ_COLUMN_VOLUME, -1}}},
        {"pressure_rounds",
         "rounds of the pressure solver",
         "per step",
         false,
         {{"rounds", OZ_COLUMN_PRESSURE_ROUNDS, -1}}},
        {"density_error_left",
         "density error left by the pressure solver",
         "of rest density",
         false,
         {{"mean |error|", OZ_COLUMN_DENSITY_ERROR_LEFT, -1}}},
        {"components",
         "connected components",
         NULL,
         true,
         {{"components", OZ_COLUMN_COMPONENTS, -1}}},
        {"time_step", "time step", "s", false, {{"time step", OZ_COLUMN_TIME_STEP, -1}}},
        {"neighbours",
         "mean number of neighbours",
         NULL,
         false,
         {{"neighbours", OZ_COLUMN_NEIGHBOURS, -1}}},
        {"speed", "largest speed", "m/s", false, {{"largest speed", OZ_COLUMN_MAX_SPEED, -1}}},
        {"particles", "particles", NULL, true, {{"particles", OZ_COLUMN_PARTICLES, -1}}},
        {"wall_clock",
         "wall clock per frame",
         "ms",
         false,
         {{"wall clock", OZ_COLUMN_WALL_MS, -1}}},
        {"step_clock",
         "wall clock per step",
         "ms",
         false,
         {{"wall clock", OZ_COLUMN_WALL_MS, OZ_PLOT_PER_STEP}}},
};
#define KINDS (uint32_t)(sizeof kinds / sizeof kinds[0])

uint32_t oz_plot_count(void)
{
	return KINDS;
}

const oz_plot_kind *oz_plot_get(uint32_t kind)
{
	return kind < KINDS ? &kinds[kind] : NULL;
}

const char *oz_plot_name(uint32_t kind)
{
	return kind < KINDS ? kinds[kind].name : NULL;
}

void oz_plot_run_name(oz_plot_run *run, const char *name)
{
	oz_text_clean(run->name, sizeof run->name, name, NAME_LETTERS);
}

double oz_plot_value(const oz_table *table, uint32_t row, const oz_plot_series *s)
{
	double value = table->rows[row][s->column];
	if (s->added == OZ_PLOT_PER_STEP) {
		double before = row ? table->rows[row - 1][OZ_COLUMN_STEP] : (double)NAN;
		double steps = table->rows[row][OZ_COLUMN_STEP] - before;
		return steps > 0 ? value / steps : (double)NAN;
	}
	if (s->added == OZ_PLOT_ENERGY)
		return value + table->rows[row][OZ_COLUMN_ELASTIC_ENERGY] +
		       table->rows[row][OZ_COLUMN_KINETIC_ENERGY] +
		       table->rows[row][OZ_COLUMN_POTENTIAL_ENERGY];
	return s->added < 0 ? value : value + table->rows[row][s->added];
}

// whether a series of a plot has a value other than 0 in a row; sums of energies do not count
static bool has_value(uint32_t kind, const oz_table *table, uint32_t row)
{
	for (uint32_t s = 0; s < OZ_PLOT_SERIES && kinds[kind].series[s].name &&
	                     kinds[kind].series[s].added != OZ_PLOT_ENERGY;
	     s++)
		if (fabs(oz_plot_value(table, row, &kinds[kind].series[s])) > 0)
			return true;
	return false;
}

bool oz_plot_has(uint32_t kind, const oz_plot_run *runs, uint32_t count)
{
	if (kind >= KINDS || !oz_column_is_optional(kinds[kind].series[0].column))
		return kind < KINDS;
	for (uint32_t r = 0; r < count; r++)
		for (uint32_t row = 0; row < runs[r].table->count; row++)
			if (has_value(kind, runs[r].table, row))
				return true;
	return false;
}
