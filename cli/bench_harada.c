// bench_harada.c: tables 1 and 2 of Harada, Koshizuka & Kawaguchi 2007: fluid in scanned models.
//
// 20,000 particles fill the lower part of a closed scan, and as many an open box. After they have
// come to rest, steps of both are timed in turns, so that other load on the machine slows both
// alike. The paper's models are not available; similar ones replace them under their own names.
// Table 2 counts the particles that a wall of one layer would need: the cells of one spacing that
// the surface passes, as in a voxelisation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "cli.h"
#include "math/quat.h"
#include "math/vec.h"
#include "sdf/mesh_sdf.h"
#include "world/world.h"

#define PARTICLES 20000u
#define SPACING   0.01f
#define FILLED    0.55 // fraction of the model's volume
#define SETTLE    1.0  // s, simulated before the timing
#define ROUNDS    15u
#define BATCH     20u // steps of one round

typedef struct scan {
	const char *name, *file;
	oz_vec3 degrees; // rotation of the model
	const char *paper_name;
	double paper_ms;
	uint32_t paper_wall;
} scan;

static const scan scans[] = {
        {"elephant", "refined_elephant.off", {0, 0, 180}, "gargoyle", 309.4, 26688},
        {"dragon", "dragon.ply", {0, 0, 90}, "dragon", 281.2, 18582},
        {"armadillo", "armadillo.off", {180, 0, 0}, "buddha", 296.8, 12084},
};
#define SCANS (sizeof scans / sizeof *scans)

typedef struct pool {
	oz_world *world;
	uint32_t particles, wall;
	double seconds[ROUNDS]; // of BATCH steps
} pool;

static oz_result make_world(const oz_bench_place *place, oz_shape vessel, pool *p, oz_error *error)
{
	oz_world_def def = oz_world_default();
	def.spacing = SPACING;
	def.device = place->device;
	def.hooks.log = oz_cli_log;
	def.threads = place->threads;
	const oz_material_def water = oz_material_default(OZ_FLUID);
	oz_collider_def collider = oz_collider_default(vessel);
	collider.inside = true;
	oz_result result = oz_world_create(&def, &p->world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(p->world, &water, NULL, error);
	return result == OZ_OK ? oz_world_add_collider(p->world, &collider, NULL, error) : result;
}

static int by_height(const void *a, const void *b)
{
	const oz_vec3 *p = a, *q = b;
	return (p->y > q->y) - (p->y < q->y);
}

// Adds the lowest of the points that lie inside the vessel.
static oz_result add_lowest(pool *p, const oz_shape *vessel, oz_vec3 *points, uint32_t count,
                            oz_error *error)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++)
		if (-oz_shape_distance(vessel, points[i]) >= 0.45f * SPACING)
			points[kept++] = points[i];
	qsort(points, kept, sizeof *points, by_height);
	oz_body_def body = oz_body_default();
	body.points = points;
	body.count = p->particles = kept < PARTICLES ? kept : PARTICLES;
	return oz_world_add_body(p->world, &body, NULL, error);
}

// ---- the two vessels --------------------------------------------------------------------------

static oz_result make_box(const oz_bench_place *place, pool *p, oz_error *error)
{
	const oz_vec3 edges = {25 * SPACING, 64 * SPACING, 25 * SPACING};
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, edges);
	oz_vec3 *points = NULL;
	uint32_t count;
	oz_result result = make_world(place, box, p, error);
	if (result == OZ_OK)
		result = oz_shape_fill(&box, SPACING, OZ_FILL_LATTICE, &points, &count, error);
	if (result == OZ_OK)
		result = add_lowest(p, &box, points, count, error);
	oz_points_free(points);
	return result;
}

// Number of cells of one spacing that the surface passes.
static uint32_t count_wall(const oz_sdf *sdf, const oz_mesh_report *r)
{
	uint32_t count = 0;
	for (float z = r->min.z; z <= r->max.z + SPACING; z += SPACING)
		for (float y = r->min.y; y <= r->max.y + SPACING; y += SPACING)
			for (float x = r->min.x; x <= r->max.x + SPACING; x += SPACING)
				count += fabsf(oz_sdf_at(sdf, oz_v3(x, y, z)).distance) <=
				         0.5f * SPACING;
	return count;
}

static oz_result load_scan(const scan *s, oz_mesh *mesh, const char *path, oz_mesh_report *report,
                           oz_error *error)
{
	const oz_quat rotation = oz_quat_from_euler_degrees(s->degrees);
	oz_result result = oz_mesh_survey(mesh, path, report, error);
	if (result != OZ_OK)
		return result;
	const double wanted = PARTICLES * pow((double)SPACING, 3) / FILLED;
	const float scale = (float)cbrt(wanted / report->volume);
	oz_mesh_transform(mesh, oz_v3(scale, scale, scale), rotation, oz_v3(0, 0, 0));
	return oz_mesh_survey(mesh, path, report, error);
}

static oz_result fill_scan(const scan *s, const char *path, const oz_bench_place *place, pool *p,
                           oz_error *error)
{
	oz_mesh mesh = {0};
	oz_mesh_report report;
	oz_sdf *sdf = NULL;
	oz_vec3 *points = NULL;
	uint32_t count;
	const oz_mesh_sdf_def def = {.cell = 0.5f * SPACING,
	                             .reach = 3 * SPACING,
	                             .threads = place->threads};
	oz_result result = oz_mesh_load(path, &mesh, error);
	if (result == OZ_OK)
		result = load_scan(s, &mesh, path, &report, error);
	if (result == OZ_OK)
		result = oz_mesh_sdf(&mesh, path, &def, &sdf, NULL, error);
	if (result == OZ_OK)
		result = oz_mesh_fill(&mesh, SPACING, OZ_FILL_LATTICE, &points, &count, error);
	oz_shape vessel = oz_shape_make(OZ_SHAPE_SDF, oz_v3(0, 0, 0));
	vessel.sdf = sdf;
	if (result == OZ_OK)
		result = make_world(place, vessel, p, error);
	if (result == OZ_OK)
		result = add_lowest(p, &vessel, points, count, error);
	if (result == OZ_OK)
		p->wall = count_wall(sdf, &report);
	oz_points_free(points);
	oz_sdf_release(sdf);
	oz_mesh_free(&mesh);
	return result;
}

// ---- timing -----------------------------------------------------------------------------------

static oz_result time_batch(pool *p, uint32_t steps, double *seconds, oz_error *error)
{
	const uint64_t begin = oz_clock_ns();
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < steps && result == OZ_OK; k++)
		result = oz_world_step(p->world, NULL, error);
	*seconds = (double)(oz_clock_ns() - begin) * 1e-9;
	return result;
}

static oz_result settle(pool *p, oz_error *error)
{
	oz_result result = OZ_OK;
	while (result == OZ_OK && oz_world_time(p->world) < SETTLE)
		result = oz_world_step(p->world, NULL, error);
	return result;
}

static oz_result time_in_turns(pool *model, pool *box, oz_error *error)
{
	oz_result result = settle(model, error);
	if (result == OZ_OK)
		result = settle(box, error);
	for (uint32_t k = 0; k < ROUNDS && result == OZ_OK; k++) {
		result = time_batch(model, BATCH, &model->seconds[k], error);
		if (result == OZ_OK)
			result = time_batch(box, BATCH, &box->seconds[k], error);
	}
	return result;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(const double values[ROUNDS])
{
	double sorted[ROUNDS];
	for (uint32_t k = 0; k < ROUNDS; k++)
		sorted[k] = values[k];
	qsort(sorted, ROUNDS, sizeof *sorted, by_size);
	return sorted[ROUNDS / 2];
}

static void put_scan(oz_json_writer *w, const scan *s, const pool *model, double ms, double ratio)
{
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "model", s->name);
	oz_json_put_count(w, "particles", model->particles);
	oz_json_put_rounded(w, "ms_per_step", ms, 4);
	oz_json_put_text(w, "paper_model", s->paper_name);
	oz_json_put_number(w, "paper_ms", s->paper_ms);
	oz_json_put_rounded(w, "times_paper", s->paper_ms / ms, 1);
	oz_json_put_rounded(w, "ratio_to_open_box", ratio, 3);
	oz_json_put_count(w, "wall_particles", model->wall);
	oz_json_put_rounded(w, "wall_share", model->wall / (double)(model->wall + model->particles),
	                    3);
	oz_json_put_count(w, "paper_wall_particles", s->paper_wall);
	oz_json_end(w);
}

static void print(const scan *s, const pool *model, const pool *box, oz_json_writer *json)
{
	double ratios[ROUNDS];
	for (uint32_t k = 0; k < ROUNDS; k++)
		ratios[k] = model->seconds[k] / box->seconds[k] * box->particles / model->particles;
	const double ms = 1e3 * median(model->seconds) / BATCH, ratio = median(ratios);
	if (json)
		put_scan(json, s, model, ms, ratio);
	else
		printf("%-10s %u particles, %6.3f ms a step (paper's %s: %g = %.0f x), %.2f x an "
		       "open box, %u wall particles saved of %u\n",
		       s->name, model->particles, ms, s->paper_name, s->paper_ms, s->paper_ms / ms,
		       ratio, model->wall, model->wall + model->particles);
	fflush(stdout);
}

typedef struct scan_path {
	char s[64];
} scan_path;

static scan_path path_of(const scan *s)
{
	scan_path path;
	snprintf(path.s, sizeof path.s, "build/models/%s", s->file);
	return path;
}

static oz_result find_scans(oz_error *error)
{
	for (size_t k = 0; k < SCANS; k++)
		if (access(path_of(&scans[k]).s, R_OK) != 0)
			return oz_fail(error, OZ_ERROR_NOT_FOUND,
			               "there is no %s; fetch it with tools/models.sh, and run "
			               "this "
			               "in the project's folder",
			               path_of(&scans[k]).s);
	return OZ_OK;
}

static oz_result time_scan(const scan *s, const oz_bench_place *place, oz_json_writer *json,
                           oz_error *error)
{
	pool model = {0}, box = {0};
	oz_result result = fill_scan(s, path_of(s).s, place, &model, error);
	if (result == OZ_OK)
		result = make_box(place, &box, error);
	if (result == OZ_OK)
		result = time_in_turns(&model, &box, error);
	if (result == OZ_OK)
		print(s, &model, &box, json);
	oz_world_destroy(model.world);
	oz_world_destroy(box.world);
	return result;
}

oz_result oz_bench_harada(const oz_bench_place *place, oz_json_writer *json, oz_error *error)
{
	oz_result result = find_scans(error);
	if (result != OZ_OK)
		return result;
	if (json)
		oz_json_begin_list(json, "columns");
	for (size_t k = 0; k < SCANS && result == OZ_OK; k++)
		result = time_scan(&scans[k], place, json, error);
	if (json)
		oz_json_end(json);
	return result;
}
