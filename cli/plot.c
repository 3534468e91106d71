// plot.c: `ooze plot`: draws the measurements of runs over time; several runs share each plot.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "../src/render/plot.h"
#include "cli.h"
#include "run.h"

#define WIDTH_LEAST  320u
#define HEIGHT_LEAST 200u
#define SIZE_MOST    8192u
#define SCALE_LEAST  0.5
#define SCALE_MOST   8.0
#define PIXELS_MOST  16384.0 // along an edge

typedef struct plot_job {
	const char *size_words, *output;
	oz_plot_size size;
	oz_run_folder folders[OZ_PLOT_RUNS], target;
	oz_table tables[OZ_PLOT_RUNS];
	oz_plot_run runs[OZ_PLOT_RUNS];
	uint32_t count;
} plot_job;

static int parse(plot_job *job, oz_cli_spec *spec, int argc, char **argv)
{
	const oz_cli_option options[] = {
	        {"size", 's', "WxH", "width and height in pixels (default 900x540)", OZ_CLI_TEXT,
	         &job->size_words, 0, 0},
	        {"scale", 0, "FACTOR", "pixels of the PNG for each of these, 0.5 to 8 (default 1)",
	         OZ_CLI_NUMBER, &job->size.scale, SCALE_LEAST, SCALE_MOST},
	        {"output", 'o', "OUT", "folder for the plots (default: plots in the first DIR)",
	         OZ_CLI_TEXT, &job->output, 0, 0},
	};
	spec->usage = "plot DIR [DIR2 DIR3 DIR4] [options]";
	spec->help =
	        "Draws the measurements (stats.csv) of the runs in up to four folders over time, "
	        "as\n"
	        "SVG and PNG: energy, momentum, compression, density_error, volume,\n"
	        "pressure_rounds and density_error_left (of incompressible worlds), components "
	        "(of\n"
	        "bodies with a rest shape), time_step,\n"
	        "neighbours, speed, particles,\n"
	        "wall_clock (of a frame), step_clock (of a step). Several runs share each plot.";
	spec->options = options;
	spec->option_count = sizeof options / sizeof options[0];
	spec->least = 1;
	spec->most = OZ_PLOT_RUNS;
	return oz_cli_parse(spec, argc, argv);
}

static int read_size(plot_job *job)
{
	oz_plot_size *size = &job->size;
	char rest;
	if (sscanf(job->size_words, "%5" SCNu32 "x%5" SCNu32 "%c", &size->width, &size->height,
	           &rest) != 2 ||
	    size->width < WIDTH_LEAST || size->height < HEIGHT_LEAST || size->width > SIZE_MOST ||
	    size->height > SIZE_MOST)
		return oz_cli_wrong("--size is '%s'; write width x height in pixels, from %ux%u to "
		                    "%ux%u: --size 900x540",
		                    job->size_words, WIDTH_LEAST, HEIGHT_LEAST, SIZE_MOST,
		                    SIZE_MOST);
	if (size->width * size->scale > PIXELS_MOST || size->height * size->scale > PIXELS_MOST)
		return oz_cli_wrong("--size %s with --scale %g is more than %.0f pixels along an "
		                    "edge; choose a smaller size or scale",
		                    job->size_words, size->scale, PIXELS_MOST);
	return OZ_CLI_GO;
}

// DIR/stats.csv stands for DIR: removes the file's name.
static void drop_table_name(oz_run_folder *folder)
{
	static const char table[] = "stats.csv";
	char *slash = strrchr(folder->path, '/');
	if (strcmp(slash ? slash + 1 : folder->path, table) != 0)
		return;
	if (slash)
		slash[slash == folder->path] = 0;
	else
		strcpy(folder->path, ".");
}

static oz_result read_run(plot_job *job, uint32_t k, const char *path, oz_error *error)
{
	oz_run_folder *folder = &job->folders[k];
	oz_result result = oz_run_folder_name(folder, path, error);
	if (result != OZ_OK)
		return result;
	drop_table_name(folder);
	oz_run_path table = oz_run_folder_path(folder, "stats.csv");
	if (access(folder->path, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "there is no folder %s; name the folder of a run (ooze run SCENE -o "
		               "DIR)",
		               folder->path);
	if (access(table.s, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s does not exist; name the folder of a run (ooze run SCENE -o "
		               "DIR)",
		               table.s);
	job->runs[k].table = &job->tables[k];
	return oz_table_read(table.s, &job->tables[k], error);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	return name[0] && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? name : path;
}

// Names runs after their folders; adds a number where two have the same name.
static void name_runs(plot_job *job)
{
	for (uint32_t k = 0; k < job->count; k++)
		oz_plot_run_name(&job->runs[k], last_part(job->folders[k].path));
	for (uint32_t k = job->count; k-- > 1;)
		for (uint32_t j = 0; j < k; j++)
			if (strcmp(job->runs[j].name, job->runs[k].name) == 0) {
				size_t used = strlen(job->runs[k].name);
				snprintf(job->runs[k].name + used, sizeof job->runs[k].name - used,
				         " (%u)", k + 1);
				break;
			}
}

static oz_result prepare(plot_job *job, const oz_cli_spec *spec, oz_error *error)
{
	oz_result result = OZ_OK;
	for (; result == OZ_OK && job->count < spec->count; job->count++)
		result = read_run(job, job->count, spec->arguments[job->count], error);
	if (result != OZ_OK)
		return result;
	name_runs(job);
	oz_run_path plots = oz_run_folder_path(&job->folders[0], "plots");
	result = oz_run_folder_name(&job->target, job->output ? job->output : plots.s, error);
	if (result == OZ_OK && mkdir(job->target.path, 0777) != 0 && errno != EEXIST)
		result = oz_fail(error, OZ_ERROR_FILE,
		                 "the folder %s cannot be made: %s; choose another with -o",
		                 job->target.path, strerror(errno));
	return result;
}

static oz_result write_plots(const plot_job *job, uint32_t *written, oz_error *error)
{
	oz_result result = OZ_OK;
	*written = 0;
	for (uint32_t k = 0; result == OZ_OK && k < oz_plot_count(); k++) {
		if (!oz_plot_has(k, job->runs, job->count))
			continue;
		result = oz_plot_write(k, job->runs, job->count, job->target.path, &job->size,
		                       error);
		++*written;
	}
	return result;
}

int oz_cli_plot(int argc, char **argv)
{
	plot_job job = {.size_words = "900x540", .size = {.scale = 1}};
	oz_cli_spec spec = {0};
	oz_error error = {OZ_OK, ""};
	int status = parse(&job, &spec, argc, argv);
	if (status == OZ_CLI_GO)
		status = read_size(&job);
	if (status != OZ_CLI_GO)
		return status;
	uint32_t written = 0;
	oz_result result = prepare(&job, &spec, &error);
	if (result == OZ_OK)
		result = write_plots(&job, &written, &error);
	if (result != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	else if (!spec.quiet)
		printf("%u plots, as SVG and PNG, in %s\n", written, job.target.path);
	for (uint32_t k = 0; k < OZ_PLOT_RUNS; k++)
		oz_table_free(&job.tables[k]);
	return result == OZ_OK ? OZ_CLI_DONE : status;
}
