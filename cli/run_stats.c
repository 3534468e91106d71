// run_stats.c: stats.csv, a row of measurements for each frame.
//
// Wall-clock time is the last column, the only one that differs between two runs of a scene.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../src/base/base.h"
#include "run.h"

const char oz_run_stats_header[] =
        "time,step,particles,time_step,limit,max_speed,mean_compression,max_compression,"
        "kinetic_energy,potential_energy,momentum_x,momentum_y,momentum_z,neighbours,volume,"
        "density_error,pressure_rounds,density_error_left,divergence_rounds,components,"
        "compression_energy,elastic_energy,angular_momentum_x,angular_momentum_y,angular_momentum_"
        "z,wall_ms\n";

// The columns that a step measures; empty before the first step.
static void print_report(char *out, size_t size, const oz_step_report *report)
{
	if (!report)
		snprintf(out, size, ",,,,");
	else
		snprintf(out, size, "%.9g,%s,%.9g,%.9g,%.9g", (double)report->time_step,
		         oz_limit_name(report->limit), (double)report->max_speed,
		         (double)report->mean_compression, (double)report->max_compression);
}

// The sum of m/ρ, and the mean of |ρ/ρ₀ − 1|; both NaN while no density is measured.
typedef struct volume_sums {
	double volume, error;
} volume_sums;

static oz_result sum_volume(oz_world *world, volume_sums *sums, oz_error *error)
{
	oz_view density, material;
	oz_result result = oz_world_view(world, OZ_FIELD_DENSITY, &density, error);
	if (result == OZ_OK)
		result = oz_world_view(world, OZ_FIELD_MATERIAL, &material, error);
	if (result != OZ_OK)
		return result;
	const double spacing = (double)oz_world_get_def(world)->spacing;
	uint32_t count = 0;
	*sums = (volume_sums){0, 0};
	for (uint32_t i = 0; i < density.count; i++) {
		float rho;
		uint32_t kind;
		memcpy(&rho, (const char *)density.data + i * density.stride, sizeof rho);
		memcpy(&kind, (const char *)material.data + i * material.stride, sizeof kind);
		if (!(rho > 0))
			continue;
		const double share =
		        (double)rho / (double)oz_world_get_material(world, kind)->density;
		sums->volume += spacing * spacing * spacing / share;
		sums->error += fabs(share - 1);
		count++;
	}
	sums->error = count ? sums->error / count : (double)NAN;
	if (count == 0)
		sums->volume = (double)NAN;
	return OZ_OK;
}

static void print_volume(char *out, size_t size, const oz_step_report *report,
                         const volume_sums *sums)
{
	if (!report || isnan(sums->volume))
		snprintf(out, size, ",");
	else
		snprintf(out, size, "%.9g,%.9g", sums->volume, sums->error);
}

// Rounds of the incompressible pressure, the error that they left, and those for velocities alone;
// empty for other worlds.
static void print_rounds(char *out, size_t size, const oz_step_report *report,
                         const oz_world *world)
{
	if (!report || oz_world_get_def(world)->pressure != OZ_PRESSURE_INCOMPRESSIBLE)
		snprintf(out, size, ",,");
	else
		snprintf(out, size, "%" PRIu32 ",%.9g,%" PRIu32, report->pressure_rounds,
		         (double)report->density_error, report->divergence_rounds);
}

oz_result oz_run_stats_add(oz_run_table *stats, oz_world *world, const oz_step_report *report,
                           double wall_ms, oz_error *error)
{
	oz_stats sums;
	volume_sums volume;
	oz_result result = oz_world_stats(world, &sums, error);
	if (result == OZ_OK)
		result = sum_volume(world, &volume, error);
	if (result != OZ_OK)
		return result;
	char measured[160], neighbours[32] = "", components[32] = "", filled[80];
	char rounds[64], stored[160], row[1000];
	print_report(measured, sizeof measured, report);
	print_volume(filled, sizeof filled, report, &volume);
	print_rounds(rounds, sizeof rounds, report, world);
	snprintf(stored, sizeof stored, "%.9g,%.9g,%.9g,%.9g,%.9g", sums.compression_energy,
	         sums.elastic_energy, sums.angular_momentum[0], sums.angular_momentum[1],
	         sums.angular_momentum[2]);
	if (report) {
		snprintf(neighbours, sizeof neighbours, "%.6g", (double)report->neighbours);
		if (report->components)
			snprintf(components, sizeof components, "%" PRIu32, report->components);
	}
	int length =
	        snprintf(row, sizeof row,
	                 "%.9g,%" PRIu64 ",%" PRIu32
	                 ",%s,%.9g,%.9g,%.9g,%.9g,%.9g,%s,%s,%s,%s,%s,%.3f\n",
	                 sums.time, sums.step, sums.particles, measured, sums.kinetic_energy,
	                 sums.potential_energy, sums.momentum[0], sums.momentum[1],
	                 sums.momentum[2], neighbours, filled, rounds, components, stored, wall_ms);
	return oz_run_table_add(stats, row, (size_t)length, error);
}
