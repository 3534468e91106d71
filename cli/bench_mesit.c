// bench_mesit.c: the figures of Mesit & Guha.
//
//   3      frames per second over HT and the number of points, by their hashing
//   4      hashing with the best HT, all pairs, and the engine's step on the same points
//   5, 6   frame times over 3,000 frames of 1,986 points
//   7      a bag of 1,986 points, 3,968 faces and 5,952 edges that falls and bounces, by each
//          integration, and with the fluid of its points (2.2 to 2.6)
//
// The points are a cube of a shaken lattice. A frame of the comparators, on one core: neighbours,
// density, pressure, viscosity, motion. A frame of the engine: a whole step of a fluid.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "bench.h"
#include "cli.h"
#include "mesit_hash.h"

#define SPACING 0.02f
#define CORE    (2 * SPACING) // core radius h
#define SHAKE   0.4f
#define SECONDS 0.25 // least duration of a timing

static const uint32_t sizes[] = {1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
#define SIZES (sizeof sizes / sizeof *sizes)
static const uint32_t counts[] = {500,  1000,  2000,  3000,  4000,  5000,
                                  6000, 12000, 25000, 50000, 100000};
#define COUNTS     (sizeof counts / sizeof *counts)
#define PAIRS_MOST 12000u // points of which all pairs are compared

static oz_vec3 *make_points(uint32_t count)
{
	oz_vec3 *points = malloc(sizeof *points * ((size_t)count + 1));
	const uint32_t edge = (uint32_t)ceil(cbrt(count) - 1e-9);
	uint32_t state = 1;
	for (uint32_t k = 0; points && k < count; k++) {
		const uint32_t at[3] = {k % edge, k / edge % edge, k / (edge * edge)};
		float x[3];
		// about the origin, so that cells have negative numbers, too
		for (int c = 0; c < 3; c++)
			x[c] = ((float)at[c] - 0.5f * (float)edge +
			        SHAKE * oz_bench_random(&state)) *
			       SPACING;
		points[k] = (oz_vec3){x[0], x[1], x[2]};
	}
	return points;
}

static oz_result no_memory(uint32_t count, oz_error *error)
{
	snprintf(error->text, sizeof error->text,
	         "out of memory for %u points; close other programs", count);
	return error->code = OZ_ERROR_MEMORY;
}

// ---- comparators -------------------------------------------------------------------------------

// frames per second; ht 0: all pairs. 0: out of memory
static double time_frames(mesit_fluid *f, uint32_t ht)
{
	const uint64_t begin = oz_clock_ns();
	uint32_t frames = 0;
	double seconds;
	do {
		if (ht && !mesit_find_by_hash(f, ht))
			return 0;
		(ht ? mesit_step : mesit_step_all_pairs)(f, 1e-5f);
		frames++;
		seconds = 1e-9 * (double)(oz_clock_ns() - begin);
	} while (seconds < SECONDS);
	return frames / seconds;
}

// whether hashing finds the same pairs as the comparison of all
static bool finds_all_pairs(mesit_fluid *f)
{
	bool same = mesit_find_all_pairs(f);
	const uint32_t pairs = mesit_pairs(f);
	for (size_t k = 0; k < SIZES && same; k++)
		same = mesit_find_by_hash(f, sizes[k]) && mesit_pairs(f) == pairs;
	return same;
}

// ---- the engine --------------------------------------------------------------------------------

static oz_result make_fluid(const oz_bench_place *place, const oz_vec3 *points, uint32_t count,
                            oz_world **world, oz_error *error)
{
	oz_world_def def = oz_world_default();
	oz_material_def water = oz_material_default(OZ_FLUID);
	oz_body_def body = oz_body_default();
	def.spacing = SPACING;
	def.gravity = (oz_vec3){0, 0, 0};
	def.device = place->device;
	def.threads = place->threads;
	def.hooks.log = oz_cli_log;
	body.points = points;
	body.count = count;
	oz_result result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(*world, &water, &body.material, error);
	if (result == OZ_OK)
		result = oz_world_add_body(*world, &body, NULL, error);
	return result;
}

// steps per second
static oz_result time_steps(oz_world *world, double least, double *fps, oz_error *error)
{
	uint32_t steps = 0;
	double seconds = 0;
	oz_result result = oz_world_step(world, NULL, error);
	const uint64_t begin = oz_clock_ns();
	while (result == OZ_OK && seconds < least) {
		result = oz_world_step(world, NULL, error);
		steps++;
		seconds = 1e-9 * (double)(oz_clock_ns() - begin);
	}
	*fps = steps / fmax(seconds, 1e-9);
	return result;
}

static oz_result time_engine(const oz_bench_place *place, const oz_vec3 *points, uint32_t count,
                             double *fps, oz_error *error)
{
	oz_world *world = NULL;
	oz_result result = make_fluid(place, points, count, &world, error);
	if (result == OZ_OK)
		result = time_steps(world, 2 * SECONDS, fps, error);
	oz_world_destroy(world);
	return result;
}

// ---- figures 3 and 4 ---------------------------------------------------------------------------

typedef struct row {
	uint32_t count, best;
	double fps[SIZES], all_pairs, engine, neighbours;
} row;

static void print_row(const row *r, oz_json_writer *json)
{
	if (!json) {
		printf("%7u points, %.1f neighbours: HT 13 %8.1f, best HT %2u %8.1f, all pairs "
		       "%8.2f, "
		       "engine %8.1f FPS\n",
		       r->count, r->neighbours, r->fps[6], sizes[r->best], r->fps[r->best],
		       r->all_pairs, r->engine);
		fflush(stdout);
		return;
	}
	char name[16];
	oz_json_begin_object(json, NULL);
	oz_json_put_count(json, "points", r->count);
	oz_json_put_rounded(json, "neighbours", r->neighbours, 2);
	oz_json_begin_object(json, "hash");
	for (size_t k = 0; k < SIZES; k++) {
		snprintf(name, sizeof name, "%u", sizes[k]);
		if (r->fps[k] > 0)
			oz_json_put_rounded(json, name, r->fps[k], 2);
	}
	oz_json_end(json);
	oz_json_put_count(json, "best", sizes[r->best]);
	if (r->all_pairs > 0)
		oz_json_put_rounded(json, "all_pairs", r->all_pairs, 3);
	oz_json_put_rounded(json, "engine", r->engine, 2);
	oz_json_end(json);
}

static oz_result time_row(const oz_bench_place *place, uint32_t count, oz_json_writer *json,
                          oz_error *error)
{
	oz_vec3 *points = make_points(count);
	mesit_fluid f = {0};
	row r = {.count = count};
	bool room = points && mesit_fluid_make(&f, points, count, CORE);
	r.neighbours = room ? (double)mesit_pairs(&f) / count : 0;
	if (room && count <= 6000 && !finds_all_pairs(&f)) {
		snprintf(error->text, sizeof error->text,
		         "hashing of %u points does not find all pairs; this is a bug", count);
		error->code = OZ_ERROR_UNAVAILABLE;
		mesit_fluid_free(&f);
		free(points);
		return error->code;
	}
	for (size_t k = 0; k < SIZES && room; k++) {
		// few buckets of many points are all pairs
		if (count > PAIRS_MOST && sizes[k] < 11)
			continue;
		r.fps[k] = time_frames(&f, sizes[k]);
		room = r.fps[k] > 0;
		r.best = r.fps[k] > r.fps[r.best] ? (uint32_t)k : r.best;
	}
	if (room && count <= PAIRS_MOST)
		r.all_pairs = time_frames(&f, 0);
	oz_result result = room ? time_engine(place, points, count, &r.engine, error)
	                        : no_memory(count, error);
	if (result == OZ_OK)
		print_row(&r, json);
	mesit_fluid_free(&f);
	free(points);
	return result;
}

// ---- figures 5 and 6 ---------------------------------------------------------------------------

#define FRAMES 3000
#define POINTS 1986

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_times(const char *name, double ms[FRAMES], oz_json_writer *json)
{
	qsort(ms, FRAMES, sizeof *ms, compare_doubles);
	const double median = ms[FRAMES / 2], most = ms[FRAMES * 99 / 100];
	if (!json) {
		printf("%s, %d frames of %d points: median %.3f ms, 99 of 100 below %.3f ms\n",
		       name, FRAMES, POINTS, median, most);
		return;
	}
	oz_json_begin_object(json, name);
	oz_json_put_rounded(json, "median_ms", median, 4);
	oz_json_put_rounded(json, "percentile_99_ms", most, 4);
	oz_json_end(json);
}

static oz_result time_frame_times(const oz_bench_place *place, oz_json_writer *json,
                                  oz_error *error)
{
	static double ms[FRAMES];
	oz_vec3 *points = make_points(POINTS);
	mesit_fluid f = {0};
	oz_world *world = NULL;
	oz_result result = points && mesit_fluid_make(&f, points, POINTS, CORE)
	                           ? OZ_OK
	                           : no_memory(POINTS, error);
	for (int k = 0; k < FRAMES && result == OZ_OK; k++) {
		const uint64_t begin = oz_clock_ns();
		if (!mesit_find_by_hash(&f, 13))
			result = no_memory(POINTS, error);
		mesit_step(&f, 1e-5f);
		ms[k] = 1e-6 * (double)(oz_clock_ns() - begin);
	}
	if (result == OZ_OK) {
		print_times("hash_13", ms, json);
		result = make_fluid(place, points, POINTS, &world, error);
	}
	for (int k = 0; k < FRAMES && result == OZ_OK; k++) {
		const uint64_t begin = oz_clock_ns();
		result = oz_world_step(world, NULL, error);
		ms[k] = 1e-6 * (double)(oz_clock_ns() - begin);
	}
	if (result == OZ_OK)
		print_times("engine", ms, json);
	oz_world_destroy(world);
	mesit_fluid_free(&f);
	free(points);
	return result;
}

// ---- figure 7 ----------------------------------------------------------------------------------

#define RINGS     32 // and two poles
#define MERIDIANS 62
#define FACES     (2 * MERIDIANS * RINGS)

static uint32_t vertex_at(int ring, int meridian)
{
	return (uint32_t)(ring * MERIDIANS + meridian % MERIDIANS);
}

// a ball of 1,986 points and 3,968 faces
static void make_ball(oz_vec3 points[POINTS], uint32_t faces[FACES][3], float radius, float height)
{
	uint32_t at = 0;
	for (int r = 0; r < RINGS; r++)
		for (int m = 0; m < MERIDIANS; m++) {
			const double polar = M_PI * (r + 1) / (RINGS + 1),
			             azimuth = 2 * M_PI * m / MERIDIANS;
			points[vertex_at(r, m)] =
			        (oz_vec3){radius * (float)(sin(polar) * cos(azimuth)),
			                  height + radius * (float)cos(polar),
			                  radius * (float)(sin(polar) * sin(azimuth))};
		}
	points[POINTS - 2] = (oz_vec3){0, height + radius, 0};
	points[POINTS - 1] = (oz_vec3){0, height - radius, 0};
	for (int m = 0; m < MERIDIANS; m++) {
		const uint32_t top[3] = {POINTS - 2, vertex_at(0, m + 1), vertex_at(0, m)};
		const uint32_t low[3] = {POINTS - 1, vertex_at(RINGS - 1, m),
		                         vertex_at(RINGS - 1, m + 1)};
		for (int k = 0; k < 3; k++) {
			faces[at][k] = top[k];
			faces[at + 1][k] = low[k];
		}
		at += 2;
		for (int r = 0; r + 1 < RINGS; r++) {
			const uint32_t a = vertex_at(r, m), b = vertex_at(r, m + 1),
			               c = vertex_at(r + 1, m), d = vertex_at(r + 1, m + 1);
			const uint32_t two[2][3] = {{a, b, c}, {b, d, c}};
			for (int k = 0; k < 6; k++)
				faces[at + (uint32_t)k / 3][k % 3] = two[k / 3][k % 3];
			at += 2;
		}
	}
}

typedef struct bag_kind {
	const char *name;
	oz_integration integration;
	bool fluid; // of its points
} bag_kind;

static const bag_kind bags[] = {
        {"implicit", OZ_INTEGRATE_IMPLICIT, false},
        {"simplified", OZ_INTEGRATE_SIMPLIFIED, false},
        {"explicit", OZ_INTEGRATE_EXPLICIT, false},
        {"implicit_fluid", OZ_INTEGRATE_IMPLICIT, true},
        {"simplified_fluid", OZ_INTEGRATE_SIMPLIFIED, true},
};
#define BAGS (sizeof bags / sizeof *bags)

static oz_result time_bag(const oz_bench_place *place, const bag_kind *kind, double *fps,
                          oz_membrane_state *state, oz_error *error)
{
	static oz_vec3 points[POINTS];
	static uint32_t faces[FACES][3];
	oz_world_def def = oz_world_default();
	oz_material_def skin = oz_material_default(OZ_MEMBRANE);
	oz_body_def body = oz_body_default();
	oz_world *world = NULL;
	const oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	make_ball(points, faces, 0.2f, 0.3f);
	def.spacing = 0.0159f;
	def.device = place->device;
	def.threads = place->threads;
	def.hooks.log = oz_cli_log;
	skin.integration = kind->integration;
	skin.surface_stiffness = kind->fluid ? 2e5f : 0;
	skin.surface_viscosity = kind->fluid ? 10 : 0;
	skin.skin_law = OZ_SKIN_SPRINGS;
	skin.young_modulus = 4e5f;
	skin.thickness = 0.002f;
	skin.gauge_pressure = 600;
	body.points = points;
	body.count = POINTS;
	body.triangles = (const uint32_t(*)[3])faces;
	body.triangle_count = FACES;
	oz_result result = oz_world_create(&def, &world, error);
	if (result == OZ_OK)
		result = oz_world_add_collider(world, &floor, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_material(world, &skin, &body.material, error);
	if (result == OZ_OK)
		result = oz_world_add_body(world, &body, NULL, error);
	// from the flight into the impact
	if (result == OZ_OK)
		result = time_steps(world, 8 * SECONDS, fps, error);
	if (result == OZ_OK)
		result = oz_world_get_membrane(world, 0, state, error);
	oz_world_destroy(world);
	return result;
}

static oz_result time_bags(const oz_bench_place *place, oz_json_writer *json, oz_error *error)
{
	oz_result result = OZ_OK;
	oz_membrane_state s = {0};
	double fps[BAGS] = {0};
	for (size_t k = 0; k < BAGS && result == OZ_OK; k++)
		result = time_bag(place, &bags[k], &fps[k], &s, error);
	if (result != OZ_OK)
		return result;
	if (json)
		oz_json_begin_object(json, "bag");
	else
		printf("a bag of %u points, %u faces, %u edges:", s.points, s.faces, s.edges);
	for (size_t k = 0; k < BAGS; k++) {
		if (json)
			oz_json_put_rounded(json, bags[k].name, fps[k], 1);
		else
			printf("%s %s %.0f", k ? "," : "", bags[k].name, fps[k]);
	}
	if (json)
		oz_json_end(json);
	else
		printf(" steps/s\n");
	return OZ_OK;
}

oz_result oz_bench_mesit(const oz_bench_place *place, oz_json_writer *json, oz_error *error)
{
	oz_result result = OZ_OK;
	if (json)
		oz_json_begin_list(json, "points");
	for (size_t k = 0; k < COUNTS && result == OZ_OK; k++)
		result = time_row(place, counts[k], json, error);
	if (json)
		oz_json_end(json);
	if (result == OZ_OK)
		result = time_frame_times(place, json, error);
	return result == OZ_OK ? time_bags(place, json, error) : result;
}
