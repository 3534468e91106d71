// run_stats.c: stats.csv, a row of measurements for each frame.
//
// A row that does not fit on the disk is cut off again, so the table holds complete rows only. When
// a run is resumed from a snapshot, rows after its step are removed first; they are written again.
// Wall-clock time is the last column, the only one that differs between two runs of a scene.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "run.h"

static const char header[] =
        "time,step,particles,time_step,limit,max_speed,mean_compression,max_compression,"
        "kinetic_energy,potential_energy,momentum_x,momentum_y,momentum_z,neighbours,volume,"
        "density_error,pressure_rounds,density_error_left,components,wall_ms\n";

// Length of the text up to the last complete row whose step is at most `step`.
static size_t length_to_keep(const char *text, uint64_t step)
{
	size_t kept = 0;
	for (const char *line = text; (line = strchr(text + kept, '\n'));) {
		const char *comma = strchr(text + kept, ',');
		bool is_row = kept > 0 && comma && comma < line;
		if (is_row && strtoull(comma + 1, NULL, 10) > step)
			break;
		kept = (size_t)(line - text) + 1;
	}
	return kept;
}

static oz_result write_beginning(const char *path, const char *text, size_t size, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_file_put(&file, text, size);
	return oz_file_commit(&file, error);
}

static oz_result keep_rows(const char *path, uint64_t step, oz_error *error)
{
	char *text;
	size_t size;
	oz_result result = oz_file_read(path, SIZE_MAX / 4, &text, &size, error);
	if (result != OZ_OK)
		return result;
	size_t kept = length_to_keep(text, step);
	if (kept < sizeof header - 1 || memcmp(text, header, sizeof header - 1) != 0)
		result = oz_fail(error, OZ_ERROR_FORMAT,
		                 "%s is not a table of this version of ooze; move it away and run "
		                 "again with --resume",
		                 path);
	else if (kept < size)
		result = write_beginning(path, text, kept, error);
	free(text);
	return result;
}

oz_result oz_run_stats_open(oz_run_stats *stats, const char *path, bool keep, uint64_t step,
                            oz_error *error)
{
	stats->descriptor = -1;
	snprintf(stats->path, sizeof stats->path, "%s", path);
	oz_result result = keep && access(path, F_OK) == 0
	                           ? keep_rows(path, step, error)
	                           : write_beginning(path, header, sizeof header - 1, error);
	if (result != OZ_OK)
		return result;
	struct stat info;
	stats->descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (stats->descriptor < 0 || fstat(stats->descriptor, &info) != 0)
		return oz_fail(error, OZ_ERROR_FILE,
		               "%s cannot be opened: %s; check its permissions", path,
		               strerror(errno));
	stats->size = info.st_size;
	return OZ_OK;
}

static oz_result fail_write(const oz_run_stats *stats, int code, oz_error *error)
{
	if (code == ENOSPC || code == EDQUOT)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the disk is full while writing %s; free some space and try again",
		               stats->path);
	return oz_fail(error, OZ_ERROR_FILE,
	               "writing %s failed: %s; check the disk, or choose another folder with -o",
	               stats->path, strerror(code));
}

static oz_result write_row(oz_run_stats *stats, const char *row, size_t length, oz_error *error)
{
	for (size_t done = 0; done < length;) {
		ssize_t written = write(stats->descriptor, row + done, length - done);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			int code = errno;
			(void)!ftruncate(stats->descriptor, (off_t)stats->size);
			return fail_write(stats, code, error);
		}
		done += (size_t)written;
	}
	stats->size += (int64_t)length;
	return OZ_OK;
}

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

// Rounds of the incompressible pressure and the error that they left; empty for other worlds.
static void print_rounds(char *out, size_t size, const oz_step_report *report,
                         const oz_world *world)
{
	if (!report || oz_world_get_def(world)->pressure != OZ_PRESSURE_INCOMPRESSIBLE)
		snprintf(out, size, ",");
	else
		snprintf(out, size, "%" PRIu32 ",%.9g", report->pressure_rounds,
		         (double)report->density_error);
}

oz_result oz_run_stats_add(oz_run_stats *stats, oz_world *world, const oz_step_report *report,
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
	char rounds[64], row[800];
	print_report(measured, sizeof measured, report);
	print_volume(filled, sizeof filled, report, &volume);
	print_rounds(rounds, sizeof rounds, report, world);
	if (report) {
		snprintf(neighbours, sizeof neighbours, "%.6g", (double)report->neighbours);
		if (report->components)
			snprintf(components, sizeof components, "%" PRIu32, report->components);
	}
	int length = snprintf(row, sizeof row,
	                      "%.9g,%" PRIu64 ",%" PRIu32
	                      ",%s,%.9g,%.9g,%.9g,%.9g,%.9g,%s,%s,%s,%s,%.3f\n",
	                      sums.time, sums.step, sums.particles, measured, sums.kinetic_energy,
	                      sums.potential_energy, sums.momentum[0], sums.momentum[1],
	                      sums.momentum[2], neighbours, filled, rounds, components, wall_ms);
	return write_row(stats, row, (size_t)length, error);
}

oz_result oz_run_stats_flush(oz_run_stats *stats, oz_error *error)
{
	if (fsync(stats->descriptor) == 0)
		return OZ_OK;
	return fail_write(stats, errno, error);
}

void oz_run_stats_close(oz_run_stats *stats)
{
	if (stats->descriptor >= 0)
		close(stats->descriptor);
	stats->descriptor = -1;
}
