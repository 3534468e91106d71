// bench_surface.c: the benchmarks of surfaces.
//
// The splash resembles the moment after a ball has fallen into a pool: a pool with a crater and
// ring waves, a crown three spacings thick with fingers on its rim, and drops above it, all filled
// with a lattice with random offsets. It is not simulated; the outcome reports how much surface it
// has.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "bench.h"
#include "surface/surface.h"

// ---- the splash --------------------------------------------------------------------------------

#define POOL  1.0 // m, half the side
#define DEPTH 0.35
#define TOP   0.9 // above the pool's level

typedef struct splash {
	double spacing;
	float drops[400][4]; // x, y, z, radius
	oz_vec3 *points;
	uint32_t count, capacity;
} splash;

static void place_drops(splash *s)
{
	uint32_t state = 7;
	for (int k = 0; k < 400; k++) {
		const double angle = 6.283185 * k / 400 * 7,
		             out = 0.5 + 0.7 * oz_bench_random(&state);
		s->drops[k][0] = (float)(out * cos(angle));
		s->drops[k][1] = 0.5f + 0.6f * oz_bench_random(&state);
		s->drops[k][2] = (float)(out * sin(angle));
		s->drops[k][3] =
		        (float)(s->spacing * (1.2 + 2.0 * (0.5 + oz_bench_random(&state))));
	}
}

static double level_at(double r)
{
	return 0.05 * cos(24 * r) * exp(-1.5 * r) - 0.22 * exp(-18 * r * r);
}

static bool in_crown(const splash *s, double x, double y, double z, double r)
{
	const double angle = atan2(z, x), height = 0.42 + 0.1 * cos(24 * angle);
	const double at = 0.42 + 0.25 * y * y;
	return y > -0.05 && y < height && fabs(r - at) < 1.5 * s->spacing;
}

static bool in_drop(const splash *s, double x, double y, double z)
{
	for (int k = 0; k < 400; k++) {
		const double dx = x - (double)s->drops[k][0], dy = y - (double)s->drops[k][1];
		const double dz = z - (double)s->drops[k][2], a = (double)s->drops[k][3];
		if (dx * dx + dy * dy + dz * dz < a * a)
			return true;
	}
	return false;
}

static bool in_splash(const splash *s, double x, double y, double z)
{
	const double r = sqrt(x * x + z * z);
	return y < level_at(r) || (y < 0.6 && in_crown(s, x, y, z, r)) ||
	       (y > 0.15 && in_drop(s, x, y, z));
}

static bool add_point(splash *s, oz_vec3 x)
{
	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 1u << 20;
		oz_vec3 *grown = realloc(s->points, sizeof *grown * s->capacity);
		if (!grown)
			return false;
		s->points = grown;
	}
	s->points[s->count++] = x;
	return true;
}

static bool fill_splash(splash *s)
{
	const double d = s->spacing;
	const int side = (int)(POOL / d), low = (int)(DEPTH / d), high = (int)(TOP / d);
	uint32_t state = 1;
	for (int k = -side; k < side; k++)
		for (int j = -low; j < high; j++)
			for (int i = -side; i < side; i++) {
				const oz_vec3 x =
				        {(float)((i + 0.5 + 0.3 * (double)oz_bench_random(&state)) *
				                 d),
				         (float)((j + 0.5 + 0.3 * (double)oz_bench_random(&state)) *
				                 d),
				         (float)((k + 0.5 + 0.3 * (double)oz_bench_random(&state)) *
				                 d)};
				if (in_splash(s, (double)x.x, (double)x.y, (double)x.z) &&
				    !add_point(s, x))
					return false;
			}
	return true;
}

// ---- measuring ---------------------------------------------------------------------------------

#define OUTER 0.85f // a particle with a lower density, in rest densities, is at the surface

static void add_extra(oz_bench_outcome *o, const char *name, double value)
{
	o->extras[o->extra_count++] = (oz_bench_number){name, value};
}

static uint64_t hash_mesh(const oz_surface_mesh *m)
{
	const uint64_t hash = oz_hash(m->position, sizeof *m->position * m->vertex_count, 0);
	return oz_hash(m->triangles, sizeof *m->triangles * m->triangle_count, hash);
}

// Number of particles at the surface, by their density.
static uint32_t count_outer(const oz_surface *s)
{
	const float *density = s->points.density.data;
	uint32_t count = 0;
	for (uint32_t i = 0; i < s->points.count; i++)
		count += density[i] < OUTER;
	return count;
}

static void fill_outcome(const oz_surface *s, const oz_surface_mesh *mesh, oz_bench_outcome *o)
{
	const uint32_t outer = count_outer(s);
	o->particles = s->points.count;
	o->threads = oz_pool_threads(s->pool);
	o->lanes = 4u << oz_cpu_width();
	o->device = (oz_device_info){.address = "cpu"};
	o->bytes_per_particle = (double)oz_surface_bytes(s) / o->particles;
	o->hash = hash_mesh(mesh);
	add_extra(o, "particles_per_second_per_core",
	          o->particles * (double)o->steps / o->seconds / o->threads);
	add_extra(o, "surface_particles", outer);
	add_extra(o, "bytes_per_surface_particle", (double)oz_surface_bytes(s) / outer);
	add_extra(o, "vertices", mesh->vertex_count);
	add_extra(o, "triangles", mesh->triangle_count);
	add_extra(o, "blocks", s->blocks.count);
	add_extra(o, "blocks_kept", s->blocks.patch_count);
}

static oz_result measure(oz_surface *s, const oz_surface_input *input, uint32_t steps,
                         oz_bench_outcome *o, oz_error *error)
{
	oz_surface_mesh mesh;
	oz_result result = oz_surface_build(s, input, &mesh, error);
	for (int k = 0; k < OZ_SURFACE_STAGE_COUNT; k++)
		o->stages[k] = (oz_bench_number){oz_surface_stage_name(k), 0};
	o->stage_count = OZ_SURFACE_STAGE_COUNT;
	const uint64_t begin = oz_clock_ns();
	for (uint32_t step = 0; step < steps && result == OZ_OK; step++) {
		result = oz_surface_build(s, input, &mesh, error);
		for (int k = 0; k < OZ_SURFACE_STAGE_COUNT; k++)
			o->stages[k].value += (double)s->stage_ns[k];
	}
	o->seconds = (double)(oz_clock_ns() - begin) * 1e-9;
	if (result == OZ_OK)
		fill_outcome(s, &mesh, o);
	return result;
}

oz_result oz_bench_splash(const oz_benchmark *b, uint32_t steps, const oz_bench_place *place,
                          oz_bench_outcome *o, oz_error *error)
{
	splash sp = {.spacing = cbrt(1.452 / b->particles)};
	oz_surface_def def = oz_surface_default((float)sp.spacing);
	oz_surface *s = NULL;
	def.kind = (oz_surface_kind)b->kind;
	def.cell = 0.75f; // 1.5 particle radii
	def.threads = place->threads;
	def.smoothing = 0;
	place_drops(&sp);
	oz_result result = fill_splash(&sp) ? OZ_OK
	                                    : oz_fail(error, OZ_ERROR_MEMORY,
	                                              "out of memory; close other programs");
	if (result == OZ_OK)
		result = oz_surface_create(&def, &s, error);
	const oz_surface_input input = {.position = {sp.points, sizeof *sp.points, sp.count}};
	if (result == OZ_OK)
		result = measure(s, &input, steps, o, error);
	oz_surface_destroy(s);
	free(sp.points);
	return result;
}

// ---- fine grids --------------------------------------------------------------------------------

static const struct {
	const char *label;
	uint32_t particles;
	uint32_t grid[3];
} columns[] = {
        {"bar", 3600, {96, 96, 128}},      {"cube, fine", 10648, {128, 128, 128}},
        {"cube", 3375, {128, 128, 128}},   {"head, fine", 3764, {160, 160, 192}},
        {"head", 2015, {64, 64, 96}},      {"armadillo, fine", 4157, {160, 160, 192}},
        {"armadillo", 2680, {64, 64, 96}}, {"bunny, fine", 4185, {160, 160, 192}},
        {"bunny", 1328, {32, 32, 48}},     {"balls", 8264, {160, 160, 224}},
};
#define COLUMNS (sizeof columns / sizeof *columns)
#define REPEATS 20

// Times the surface of a vertical capsule that fills the grid except for one spacing on every side.
static oz_result time_column(size_t c, uint32_t threads, double *ms, uint32_t *triangles,
                             oz_error *error)
{
	const uint32_t *grid = columns[c].grid;
	const double tall = (double)grid[2] / grid[0]; // of height to width
	const double radius = cbrt(columns[c].particles / (3.14159265 * (2 * tall - 2.0 / 3)));
	const oz_shape body =
	        oz_shape_make(OZ_SHAPE_CAPSULE,
	                      (oz_vec3){(float)radius, (float)(2 * radius * (tall - 1)), 0});
	oz_surface_def def = oz_surface_default(1);
	def.kind = OZ_SURFACE_DISTANCE;
	def.cell = (float)((2 * radius + 2) / grid[0]);
	def.threads = threads;
	def.smoothing = 0;
	oz_vec3 *points;
	uint32_t count;
	oz_surface *s = NULL;
	oz_surface_mesh mesh = {0};
	oz_result result = oz_shape_fill(&body, 1, OZ_FILL_LATTICE, &points, &count, error);
	if (result != OZ_OK)
		return result;
	const oz_surface_input input = {.position = {points, sizeof *points, count}};
	result = oz_surface_create(&def, &s, error);
	*ms = INFINITY;
	for (int k = 0; k < REPEATS && result == OZ_OK; k++) {
		const uint64_t begin = oz_clock_ns();
		result = oz_surface_build(s, &input, &mesh, error);
		*ms = fmin(*ms, (double)(oz_clock_ns() - begin) * 1e-6);
	}
	*triangles = mesh.triangle_count;
	oz_surface_destroy(s);
	oz_points_free(points);
	return result;
}

static void put_column(oz_json_writer *w, size_t c, uint32_t triangles, double ms)
{
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "label", columns[c].label);
	oz_json_put_count(w, "particles", columns[c].particles);
	oz_json_begin_row(w, "grid");
	for (int k = 0; k < 3; k++)
		oz_json_put_count(w, NULL, columns[c].grid[k]);
	oz_json_end(w);
	oz_json_put_count(w, "triangles", triangles);
	oz_json_put_rounded(w, "ms", ms, 3);
	oz_json_end(w);
}

oz_result oz_bench_grids(const oz_bench_place *place, oz_json_writer *json, oz_error *error)
{
	if (json)
		oz_json_begin_list(json, "columns");
	for (size_t c = 0; c < COLUMNS; c++) {
		double ms;
		uint32_t triangles;
		const oz_result result = time_column(c, place->threads, &ms, &triangles, error);
		if (result != OZ_OK)
			return result;
		const uint32_t *g = columns[c].grid;
		if (json)
			put_column(json, c, triangles, ms);
		else
			printf("%-16s %6u particles, %ux%ux%u nodes, %7u triangles, %7.2f ms\n",
			       columns[c].label, columns[c].particles, g[0], g[1], g[2], triangles,
			       ms);
	}
	if (json)
		oz_json_end(json);
	return OZ_OK;
}
