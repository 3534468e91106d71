// sdf.c: `ooze sdf`: checks a mesh as a collider, makes its signed distance field (SDF) and a
// picture of it in slices. Reports the position of each hole.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../src/base/base.h"
#include "../src/boundary/sdf_data.h"
#include "../src/json/json.h"
#include "../src/render/slices.h"
#include "../src/sdf/mesh_sdf.h"
#include "cli.h"

#define CELLS 64u // default along the longest edge
#define REACH 6.0 // cells, greatest distance stored: that of a world with a spacing of two cells

typedef struct sdf_job {
	const char *path, *slices, *cache;
	uint32_t cells, threads;
	double cell; // m; 0: from `cells`
	bool shell, json, no_cache, no_slices, quiet;
	char name[256]; // of the mesh, without folder and ending
	char picture[512];
	oz_mesh mesh;
	oz_mesh_report report;
	oz_sdf *sdf;
	double seconds;
} sdf_job;

// ---- words ------------------------------------------------------------------------------------

static void name_after_mesh(sdf_job *job)
{
	const char *slash = strrchr(job->path, '/');
	const char *begin = slash ? slash + 1 : job->path;
	const char *dot = strrchr(begin, '.');
	const size_t length = dot && dot != begin ? (size_t)(dot - begin) : strlen(begin);
	snprintf(job->name, sizeof job->name, "%.*s", (int)length, begin);
	snprintf(job->picture, sizeof job->picture, "%s.sdf.png", job->name);
	if (job->slices)
		snprintf(job->picture, sizeof job->picture, "%s", job->slices);
}

static int check_words(const sdf_job *job)
{
	if (job->cells && job->cell > 0)
		return oz_cli_wrong("--cells and --cell both set the size of cells; keep one");
	if (job->cache && job->no_cache)
		return oz_cli_wrong(
		        "--cache names a folder and --no-cache turns the cache off; keep "
		        "one");
	if (job->slices && job->no_slices)
		return oz_cli_wrong("--slices names a picture and --no-slices turns it off; keep "
		                    "one");
	if (job->slices && !oz_cli_ends_with(job->slices, ".png"))
		return oz_cli_wrong("--slices is '%s', which must end in .png", job->slices);
	if (job->slices && strlen(job->slices) >= sizeof job->picture)
		return oz_cli_wrong("--slices has more than %zu letters; choose a shorter path",
		                    sizeof job->picture - 1);
	return OZ_CLI_GO;
}

static int read_words(sdf_job *job, oz_cli_spec *spec, int argc, char **argv)
{
	const oz_cli_option options[] = {
	        {"cells", 'n', "N", "cells along the longest edge, 4 to 2000 (default 64)",
	         OZ_CLI_COUNT, &job->cells, 4, 2000},
	        {"cell", 'c', "SIZE", "edge of a cell, m, in place of --cells", OZ_CLI_NUMBER,
	         &job->cell, 1e-9, 1e9},
	        {"slices", 's', "FILE", "the picture (default NAME.sdf.png, in this folder)",
	         OZ_CLI_TEXT, &job->slices, 0, 0},
	        {"no-slices", 0, NULL, "draw no picture", OZ_CLI_FLAG, &job->no_slices, 0, 0},
	        {"shell", 0, NULL, "the mesh is a thin wall without an inside", OZ_CLI_FLAG,
	         &job->shell, 0, 0},
	        {"json", 0, NULL, "print a JSON object", OZ_CLI_FLAG, &job->json, 0, 0},
	        {"cache", 0, "DIR", "folder for SDFs (default: the user's own)", OZ_CLI_TEXT,
	         &job->cache, 0, 0},
	        {"no-cache", 0, NULL, "neither read nor write the cache", OZ_CLI_FLAG,
	         &job->no_cache, 0, 0},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &job->threads, 0, 256},
	};
	*spec = (oz_cli_spec){
	        .usage = "sdf MESH [options]",
	        .help = "Checks a mesh as a collider: prints its size, volume and shells, the "
	                "repairs,\nand every hole through which a vessel would leak. Makes the "
	                "signed distance field (SDF) that\ncolliders use, and a picture of slices "
	                "through its middle: red inside, blue outside,\nthe surface dark. Lengths "
	                "of the file are taken as metres.",
	        .options = options,
	        .option_count = sizeof options / sizeof *options,
	        .least = 1,
	        .most = 1,
	};
	const int status = oz_cli_parse(spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	job->path = spec->arguments[0];
	job->quiet = spec->quiet;
	name_after_mesh(job);
	return check_words(job);
}

// ---- making -----------------------------------------------------------------------------------

static oz_vec3 extent(const oz_mesh_report *r)
{
	return (oz_vec3){r->max.x - r->min.x, r->max.y - r->min.y, r->max.z - r->min.z};
}

static oz_result make(sdf_job *job, const oz_hooks *hooks, oz_error *error)
{
	oz_cli_begin_work("reading %s", job->path);
	oz_result result = oz_mesh_load(job->path, &job->mesh, error);
	if (result == OZ_OK)
		result = oz_mesh_survey(&job->mesh, job->path, &job->report, error);
	if (result != OZ_OK)
		return result;
	const oz_vec3 size = extent(&job->report);
	if (!(job->cell > 0))
		job->cell = fmax(fmax((double)size.x, (double)size.y), (double)size.z) /
		            (job->cells ? job->cells : CELLS);
	const oz_mesh_sdf_def def = {.cell = (float)job->cell,
	                             .reach = (float)(REACH * job->cell),
	                             .shell = job->shell,
	                             .cache = job->no_cache ? "" : job->cache,
	                             .threads = job->threads,
	                             .hooks = *hooks};
	oz_cli_begin_work("making the signed distance field of %s", job->path);
	const uint64_t begun = oz_clock_ns();
	result = oz_mesh_sdf(&job->mesh, job->path, &def, &job->sdf, &job->report, error);
	job->seconds = 1e-9 * (double)(oz_clock_ns() - begun);
	oz_cli_end_work();
	return result;
}

static oz_result draw(const sdf_job *job, oz_error *error)
{
	oz_picture picture = {0};
	const oz_slices slices = {.sdf = job->sdf,
	                          .min = job->report.min,
	                          .max = job->report.max,
	                          .reach = (float)(REACH * job->cell),
	                          .shell = job->shell,
	                          .name = job->name};
	oz_result result = oz_slices_draw(&slices, &picture, error);
	if (result == OZ_OK)
		result = oz_picture_write(&picture, job->picture, error);
	oz_picture_free(&picture);
	return result;
}

// ---- printing ---------------------------------------------------------------------------------

static void print_count(uint32_t count, const char *what, bool *any)
{
	if (count == 0)
		return;
	printf("%s%s %s", *any ? ", " : "", oz_cli_count(count).s, what);
	*any = true;
}

static void print_repairs(const oz_mesh_report *r)
{
	bool any = false;
	printf("repaired     ");
	print_count(r->flipped, "triangles flipped", &any);
	print_count(r->duplicates, "duplicates left out", &any);
	print_count(r->degenerate, "without area", &any);
	print_count(r->non_manifold, "edges of more than two triangles", &any);
	printf("%s\n", any ? "" : "nothing");
}

static void print_hole_list(const oz_mesh_report *r)
{
	if (r->hole_count == 0) {
		printf("holes        none: it is tight\n");
		return;
	}
	printf("holes        %s, with %s open edges\n", oz_cli_count(r->hole_count).s,
	       oz_cli_count(r->open_edges).s);
	for (uint32_t k = 0; k < r->hole_count && k < OZ_MESH_HOLES; k++) {
		const oz_mesh_hole *h = &r->holes[k];
		printf("  %-8.3g m across, %s edges, about (%.4g, %.4g, %.4g)\n", (double)h->across,
		       oz_cli_count(h->edges).s, (double)h->centre.x, (double)h->centre.y,
		       (double)h->centre.z);
	}
	if (r->hole_count > OZ_MESH_HOLES)
		printf("  … and %s smaller ones\n", oz_cli_count(r->hole_count - OZ_MESH_HOLES).s);
}

static void print_mesh(const sdf_job *job)
{
	const oz_mesh_report *r = &job->report;
	const oz_vec3 size = extent(r);
	printf("mesh         %s\n", job->path);
	printf("faces        %s triangles, %s vertices, %s shell%s\n", oz_cli_count(r->triangles).s,
	       oz_cli_count(r->vertices).s, oz_cli_count(r->shells).s, r->shells == 1 ? "" : "s");
	printf("size         %.4g × %.4g × %.4g m\n", (double)size.x, (double)size.y,
	       (double)size.z);
	printf("bounds       (%.4g, %.4g, %.4g) … (%.4g, %.4g, %.4g) m\n", (double)r->min.x,
	       (double)r->min.y, (double)r->min.z, (double)r->max.x, (double)r->max.y,
	       (double)r->max.z);
	printf("area         %.4g m²\n", r->area);
	printf("volume       %.4g m³\n", r->volume);
	print_repairs(r);
	print_hole_list(r);
}

static void print_sdf(const sdf_job *job)
{
	const oz_sdf_frame *f = &job->sdf->frame;
	printf("SDF          %s × %s × %s cells of %.3g m, for a spacing of %.3g m\n",
	       oz_cli_count(f->blocks[0] * OZ_SDF_CELLS).s,
	       oz_cli_count(f->blocks[1] * OZ_SDF_CELLS).s,
	       oz_cli_count(f->blocks[2] * OZ_SDF_CELLS).s, job->cell, 2 * job->cell);
	printf("nodes        %s, up to %.3g m from the surface\n",
	       oz_cli_count((uint64_t)job->sdf->block_count * OZ_SDF_NODES).s, (double)f->reach);
	printf("memory       %s\n", oz_cli_bytes((double)oz_sdf_bytes(job->sdf)).s);
	printf("time         %.3g s%s\n", job->seconds,
	       job->report.cached ? ", from the cache" : "");
}

// Warns of holes: an obstacle is closed over them, a vessel leaks through them.
static void warn_of_leaks(const sdf_job *job)
{
	const oz_mesh_report *r = &job->report;
	if (r->hole_count == 0 || job->shell)
		return;
	oz_cli_warn("%s is open: as a vessel it would leak with a spacing below %.3g m, so close "
	            "its holes; as an obstacle its holes are closed, or make it a thin wall "
	            "with \"shell\": true",
	            job->path, (double)r->holes[0].across);
}

static void put_vector(oz_json_writer *w, const char *key, oz_vec3 v)
{
	oz_json_put_floats(w, key, (const float[]){v.x, v.y, v.z}, 3);
}

static void put_holes(oz_json_writer *w, const oz_mesh_report *r)
{
	oz_json_put_count(w, "open_edges", r->open_edges);
	oz_json_put_count(w, "hole_count", r->hole_count);
	oz_json_begin_list(w, "holes");
	for (uint32_t k = 0; k < r->hole_count && k < OZ_MESH_HOLES; k++) {
		oz_json_begin_record(w, NULL);
		oz_json_put_float(w, "across", r->holes[k].across);
		oz_json_put_count(w, "edges", r->holes[k].edges);
		put_vector(w, "centre", r->holes[k].centre);
		oz_json_end(w);
	}
	oz_json_end(w);
}

static void put_sdf(oz_json_writer *w, const sdf_job *job)
{
	const oz_sdf_frame *f = &job->sdf->frame;
	oz_json_begin_object(w, "sdf");
	oz_json_put_float(w, "cell", f->cell);
	oz_json_put_float(w, "reach", f->reach);
	oz_json_begin_row(w, "cells");
	for (int k = 0; k < 3; k++)
		oz_json_put_count(w, NULL, f->blocks[k] * OZ_SDF_CELLS);
	oz_json_end(w);
	oz_json_put_count(w, "nodes", (uint64_t)job->sdf->block_count * OZ_SDF_NODES);
	oz_json_put_count(w, "bytes", oz_sdf_bytes(job->sdf));
	oz_json_put_rounded(w, "seconds", job->seconds, 6);
	oz_json_put_bool(w, "cached", job->report.cached);
	oz_json_end(w);
}

static void print_json(const sdf_job *job)
{
	const oz_mesh_report *r = &job->report;
	oz_json_writer w = oz_json_to_stream(stdout, OZ_JSON_PRETTY);
	oz_json_begin_object(&w, NULL);
	oz_json_put_text(&w, "mesh", job->path);
	oz_json_put_count(&w, "triangles", r->triangles);
	oz_json_put_count(&w, "vertices", r->vertices);
	oz_json_put_count(&w, "shells", r->shells);
	put_vector(&w, "min", r->min);
	put_vector(&w, "max", r->max);
	oz_json_put_number(&w, "area", r->area);
	oz_json_put_number(&w, "volume", r->volume);
	oz_json_put_count(&w, "turned", r->flipped);
	oz_json_put_count(&w, "duplicates", r->duplicates);
	oz_json_put_count(&w, "degenerate", r->degenerate);
	oz_json_put_count(&w, "crowded_edges", r->non_manifold);
	put_holes(&w, r);
	put_sdf(&w, job);
	if (!job->no_slices)
		oz_json_put_text(&w, "picture", job->picture);
	oz_json_end(&w);
	(void)oz_json_finish(&w, NULL); // oz_cli_finish looks at the stream
}

static void print_results(const sdf_job *job)
{
	warn_of_leaks(job);
	if (job->json) {
		print_json(job);
		return;
	}
	if (job->quiet)
		return;
	print_mesh(job);
	print_sdf(job);
	if (!job->no_slices)
		printf("picture      %s\n", job->picture);
}

int oz_cli_sdf(int argc, char **argv)
{
	sdf_job job = {0};
	oz_cli_spec spec;
	oz_error error = {OZ_OK, ""};
	int status = read_words(&job, &spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	const oz_hooks hooks = {.log = oz_cli_log, .context = &spec.verbose};
	oz_result result = make(&job, &hooks, &error);
	if (result == OZ_OK && !job.no_slices)
		result = draw(&job, &error);
	if (result == OZ_OK)
		print_results(&job);
	status = result == OZ_OK ? oz_cli_finish(OZ_CLI_DONE) : oz_cli_fail("%s", error.text);
	oz_sdf_release(job.sdf);
	oz_mesh_free(&job.mesh);
	return status;
}
