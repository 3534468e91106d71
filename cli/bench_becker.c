// bench_becker.c: the elastic force of Becker et al.'s figure 2: an increasing number of cuboids of
// a thousand particles, with three methods.
//
// Every method has its own world. The worlds are timed in turns, so that other load on the machine
// slows all of them alike. A particle has about 40 rest neighbours in the cuboids; the last column
// is one beam on a cubic lattice with 27, for comparison with other programs.
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "bench.h"
#include "cli.h"

#define ROUNDS 7u

typedef struct column {
	uint32_t cuboids;
	oz_vec3 edges; // spacings, of a cuboid
	oz_fill fill;
	float support;
} column;

static const column columns[] = {
        {1, {10, 10, 10}, OZ_FILL_HEXAGONAL, 2.3f},   {10, {10, 10, 10}, OZ_FILL_HEXAGONAL, 2.3f},
        {100, {10, 10, 10}, OZ_FILL_HEXAGONAL, 2.3f}, {1000, {10, 10, 10}, OZ_FILL_HEXAGONAL, 2.3f},
        {1, {80, 32, 20}, OZ_FILL_LATTICE, 2.01f},
};
#define COLUMNS (sizeof columns / sizeof *columns)
#define SPACING 0.1f // m, the paper's

typedef struct method {
	const char *name;
	oz_elasticity way;
	oz_world *world;
	double force[ROUNDS], step[ROUNDS]; // ns a particle and step
} method;

static const method methods[] = {{.name = "plain", .way = OZ_ELASTIC_PLAIN},
                                 {.name = "mls", .way = OZ_ELASTIC_MLS},
                                 {.name = "corotated", .way = OZ_ELASTIC_CORRECTED}};
#define METHODS (sizeof methods / sizeof *methods)

// Mean number of neighbours within the support radius over a cuboid, the particle itself not
// counted.
static double rest_neighbours(const oz_vec3 *points, uint32_t count, float reach)
{
	uint64_t pairs = 0;
	const uint32_t stride = count > 4000 ? count / 4000 : 1;
	uint32_t asked = 0;
	for (uint32_t i = 0; i < count; i += stride, asked++)
		for (uint32_t j = 0; j < count; j++) {
			const float x = points[i].x - points[j].x, y = points[i].y - points[j].y;
			const float z = points[i].z - points[j].z;
			pairs += j != i && x * x + y * y + z * z < reach * reach;
		}
	return (double)pairs / asked;
}

static oz_result add_cuboid(oz_world *world, const column *c, uint32_t number, oz_vec3 *points,
                            uint32_t count, oz_error *error)
{
	const float pitch = SPACING * (c->edges.x + 5);
	const uint32_t row = 10;
	const oz_vec3 at = {pitch * (float)(number % row), pitch * (float)(number / row % row),
	                    pitch * (float)(number / row / row)};
	oz_body_def def = oz_body_default();
	oz_vec3 *moved = malloc(sizeof *moved * count);
	if (!moved)
		return oz_fail(error, OZ_ERROR_MEMORY, "out of memory; close other programs");
	for (uint32_t k = 0; k < count; k++)
		moved[k] = (oz_vec3){points[k].x + at.x, points[k].y + at.y, points[k].z + at.z};
	def.points = moved;
	def.count = count;
	def.spin = (oz_vec3){0.3f, 0.5f, 0.2f};
	const oz_result result = oz_world_add_body(world, &def, NULL, error);
	free(moved);
	return result;
}

static oz_result make_world(const column *c, const oz_bench_place *place, oz_vec3 *points,
                            uint32_t count, method *m, oz_error *error)
{
	oz_world_def def = oz_world_default();
	def.spacing = SPACING;
	def.kernel = OZ_KERNEL_CUBIC;
	def.support = c->support;
	def.gravity = (oz_vec3){0, 0, 0};
	def.device = place->device;
	def.hooks.log = oz_cli_log;
	def.threads = place->threads;
	oz_material_def material = oz_material_default(OZ_COROTATED);
	material.elasticity = m->way;
	oz_result result = oz_world_create(&def, &m->world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(m->world, &material, NULL, error);
	for (uint32_t k = 0; k < c->cuboids && result == OZ_OK; k++)
		result = add_cuboid(m->world, c, k, points, count, error);
	if (result == OZ_OK) {
		oz_world_time_stages(m->world, true);
		result = oz_world_step(m->world, NULL, error);
	}
	return result;
}

static oz_result time_round(method *m, uint32_t round, uint32_t steps, oz_error *error)
{
	double force = 0;
	oz_result result = OZ_OK;
	const uint64_t begin = oz_clock_ns();
	for (uint32_t k = 0; k < steps && result == OZ_OK; k++) {
		oz_step_report report;
		result = oz_world_step(m->world, &report, error);
		force += (double)report.stage_ns[OZ_STAGE_ELASTIC];
	}
	const double whole = (double)(oz_clock_ns() - begin);
	const double n = (double)oz_world_particle_count(m->world) * steps;
	m->force[round] = force / n;
	m->step[round] = whole / n;
	return result;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof *values, by_size);
	return values[ROUNDS / 2];
}

static void put_column(oz_json_writer *w, uint32_t particles, double neighbours, const double ns[4])
{
	oz_json_begin_object(w, NULL);
	oz_json_put_count(w, "particles", particles);
	oz_json_put_rounded(w, "neighbours", neighbours, 2);
	oz_json_put_rounded(w, "plain_ns", ns[0], 2);
	oz_json_put_rounded(w, "mls_ns", ns[1], 2);
	oz_json_put_rounded(w, "corotated_ns", ns[2], 2);
	oz_json_put_rounded(w, "step_ns", ns[3], 2);
	oz_json_end(w);
}

static void print(uint32_t particles, double neighbours, method *m, oz_json_writer *json)
{
	const double plain = median(m[0].force), mls = median(m[1].force);
	const double corotated = median(m[2].force), step = median(m[2].step);
	if (json)
		put_column(json, particles, neighbours,
		           (const double[]){plain, mls, corotated, step});
	else
		printf("%8u particles, %.1f rest neighbours: force plain %6.1f, mls %6.1f, "
		       "corotated %6.1f (%.2f x plain), whole step %6.1f ns a particle\n",
		       particles, neighbours, plain, mls, corotated, corotated / plain, step);
	fflush(stdout);
}

static oz_result time_column(const column *c, const oz_bench_place *place, oz_json_writer *json,
                             oz_error *error)
{
	method m[METHODS];
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	const oz_vec3 size = {c->edges.x * SPACING, c->edges.y * SPACING, c->edges.z * SPACING};
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, size);
	oz_result result = oz_shape_fill(&box, SPACING, c->fill, &points, &count, error);
	for (size_t k = 0; k < METHODS; k++) {
		m[k] = methods[k];
		if (result == OZ_OK)
			result = make_world(c, place, points, count, &m[k], error);
	}
	const uint32_t all = c->cuboids * count, steps = all && all < 400000 ? 2 + 400000 / all : 2;
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (size_t k = 0; k < METHODS && result == OZ_OK; k++)
			result = time_round(&m[k], round, steps, error);
	if (result == OZ_OK)
		print(all, rest_neighbours(points, count, c->support * SPACING), m, json);
	for (size_t k = 0; k < METHODS; k++)
		oz_world_destroy(m[k].world);
	oz_points_free(points);
	return result;
}

// ---- implicit ----------------------------------------------------------------------------------

#define BEAM_STEPS 60u

// A beam of 10,000 particles, fixed at one end, E 1e6 Pa.
static oz_result make_beam(const oz_bench_place *place, oz_world **world, oz_error *error)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.01f;
	def.time_step = 1.0f / 240;
	def.sound_speed = 1; // no contact, so it does not limit the time step
	def.device = place->device;
	def.hooks.log = oz_cli_log;
	def.threads = place->threads;
	oz_material_def rubber = oz_material_default(OZ_COROTATED);
	rubber.young_modulus = 1e6f;
	rubber.poisson_ratio = 0.3f;
	rubber.implicit = true;
	oz_handle_def hand = oz_handle_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.06f, 1, 1}));
	hand.shape.position.x = -0.5f;
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 0.1f, 0.1f});
	oz_body_def beam = oz_body_default();
	oz_vec3 *points = NULL;
	oz_result result =
	        oz_shape_fill(&box, def.spacing, OZ_FILL_LATTICE, &points, &beam.count, error);
	beam.points = points;
	if (result == OZ_OK)
		result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(*world, &rubber, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_body(*world, &beam, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_handle(*world, &hand, NULL, error);
	oz_points_free(points);
	return result;
}

static void put_beam(oz_json_writer *w, uint32_t particles, double speed, double rounds,
                     double start, double bytes)
{
	oz_json_begin_object(w, "implicit");
	oz_json_put_count(w, "particles", particles);
	oz_json_put_rounded(w, "steps_per_s", speed, 2);
	oz_json_put_rounded(w, "rounds", rounds, 1);
	oz_json_put_rounded(w, "start_s", start, 3);
	oz_json_put_rounded(w, "bytes", bytes, 0);
	oz_json_end(w);
}

static void print_beam(const oz_world *world, double start, double seconds, uint32_t rounds,
                       oz_json_writer *json)
{
	const uint32_t particles = oz_world_particle_count(world);
	const double bytes = (double)oz_world_bytes(world) / particles;
	const double mean = (double)rounds / BEAM_STEPS, speed = BEAM_STEPS / seconds;
	if (json)
		put_beam(json, particles, speed, mean, start, bytes);
	else
		printf("implicit, a beam of %u at 1/240 s, E 1e6 Pa: %.1f steps/s, %.1f rounds a "
		       "step, ready after %.3f s, %.0f bytes a particle\n",
		       particles, speed, mean, start, bytes);
}

static oz_result time_beam(const oz_bench_place *place, oz_json_writer *json, oz_error *error)
{
	oz_world *world = NULL;
	oz_step_report report;
	uint32_t rounds = 0;
	const uint64_t begin = oz_clock_ns();
	oz_result result = make_beam(place, &world, error);
	if (result == OZ_OK)
		result = oz_world_step(world, &report, error);
	const uint64_t ready = oz_clock_ns();
	for (uint32_t k = 0; k < BEAM_STEPS && result == OZ_OK; k++) {
		result = oz_world_step(world, &report, error);
		rounds += report.rounds;
	}
	if (result == OZ_OK)
		print_beam(world, 1e-9 * (double)(ready - begin),
		           1e-9 * (double)(oz_clock_ns() - ready), rounds, json);
	oz_world_destroy(world);
	return result;
}

oz_result oz_bench_becker(const oz_bench_place *place, oz_json_writer *json, oz_error *error)
{
	oz_result result = OZ_OK;
	if (json)
		oz_json_begin_list(json, "columns");
	for (size_t k = 0; k < COLUMNS && result == OZ_OK; k++)
		result = time_column(&columns[k], place, json, error);
	if (json)
		oz_json_end(json);
	return result == OZ_OK ? time_beam(place, json, error) : result;
}
