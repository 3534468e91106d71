// bench.c: `ooze bench`: how long a step takes, by stage.
//
// The benchmark is a dam break caught in motion: a column of water, slightly shaken so that it is
// no lattice, thrown into its tank and turning, so that particles move as fast as they would half a
// second after the gate has opened. Every step is whole: search, density, forces, walls, move.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "world/world.h"

#define WARM_UP 10u // steps before the clock starts

typedef struct benchmark {
	const char *name;
	uint32_t particles; // about
	uint32_t steps;
	const char *sentence;
} benchmark;

static const benchmark benchmarks[] = {
        {"eos_50k", 50000, 400, "dam break, 50 thousand particles: fits the caches"},
        {"eos_200k", 200000, 100, "dam break, 200 thousand particles"},
        {"eos_1m", 1000000, 40, "dam break, 1 million particles: memory counts"},
        {"eos_5m", 5000000, 12, "dam break, 5 million particles: does the cost stay?"},
        {"eos_10m", 10000000, 6, "dam break, 10 million particles: does it fit?"},
};
#define BENCHMARKS (sizeof benchmarks / sizeof *benchmarks)

typedef struct outcome {
	uint32_t particles, steps, threads, lanes, rebuilt;
	const char *device;
	double neighbours, seconds, bytes_per_particle;
	uint64_t stage_ns[OZ_STAGE_COUNT];
	uint64_t hash;
	oz_bench_machine machine;
} outcome;

static float shake(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) * 0x1p-24f - 0.5f;
}

// a column of 1 m × 2 m × 1 m at the end of a tank of 4 m
static oz_result add_column(oz_world *w, float spacing, oz_error *error)
{
	oz_shape column = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 2, 1});
	column.position = (oz_vec3){0.5f, 1, 0.5f};
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	oz_result result =
	        oz_shape_fill(&column, spacing, OZ_FILL_LATTICE, &points, &body.count, error);
	if (result != OZ_OK)
		return result;
	uint32_t state = 1;
	for (uint32_t i = 0; i < body.count; i++) {
		points[i].x += 0.05f * spacing * shake(&state);
		points[i].y += 0.05f * spacing * shake(&state);
		points[i].z += 0.05f * spacing * shake(&state);
	}
	body.points = points;
	body.velocity = (oz_vec3){1.5f, -0.5f, 0};
	body.spin = (oz_vec3){0, 0, -1.5f};
	result = oz_world_add_body(w, &body, NULL, error);
	oz_points_free(points);
	return result;
}

static oz_result build(const benchmark *b, uint32_t threads, oz_world **world, oz_error *error)
{
	oz_world_def def = oz_world_default();
	// a whole number across, so that the column fits its tank
	def.spacing = (float)(1 / round(cbrt(b->particles / 2.0)));
	def.support = 2.1f; // 30 to 36 neighbours
	def.sound_speed = 60;
	def.threads = threads;
	const oz_material_def water = oz_material_default(OZ_FLUID);
	oz_shape tank = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){4, 4, 1});
	tank.position = (oz_vec3){2, 2, 0.5f};
	oz_collider_def collider = oz_collider_default(tank);
	collider.inside = true;
	oz_result result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(*world, &water, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_collider(*world, &collider, NULL, error);
	if (result == OZ_OK)
		result = add_column(*world, def.spacing, error);
	return result;
}

// mean number within the support radius, from the lists
static double count_neighbours(const oz_world *w)
{
	const oz_particles *p = &w->particles;
	const float h2 = w->fluid.h * w->fluid.h;
	uint64_t near = 0;
	for (uint32_t i = 0; i < p->count; i++)
		for (uint32_t k = 0; k < w->neighbours.count[i]; k++) {
			const oz_float4 a = p->position[i];
			const oz_float4 b =
			        p->position[w->neighbours.list[w->neighbours.start[i] + k]];
			const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
			near += x * x + y * y + z * z < h2;
		}
	return (double)near / p->count;
}

static oz_result measure(oz_world *w, uint32_t steps, outcome *o, oz_error *error)
{
	for (uint32_t k = 0; k < WARM_UP; k++) {
		const oz_result result = oz_world_step(w, NULL, error);
		if (result != OZ_OK)
			return result;
	}
	const uint64_t begin = oz_clock_ns();
	for (uint32_t k = 0; k < steps; k++) {
		oz_step_report report;
		const oz_result result = oz_world_step(w, &report, error);
		if (result != OZ_OK)
			return result;
		for (int s = 0; s < OZ_STAGE_COUNT; s++)
			o->stage_ns[s] += report.stage_ns[s];
		o->rebuilt += report.rebuilt;
	}
	o->seconds = (double)(oz_clock_ns() - begin) * 1e-9;
	return OZ_OK;
}

static oz_result run(const benchmark *b, uint32_t steps, uint32_t threads, outcome *o,
                     oz_error *error)
{
	oz_world *w = NULL;
	oz_result result = build(b, threads, &w, error);
	if (result == OZ_OK)
		result = measure(w, steps ? steps : b->steps, o, error);
	if (result == OZ_OK) {
		o->particles = oz_world_particle_count(w);
		o->steps = steps ? steps : b->steps;
		o->threads = oz_world_threads(w);
		o->lanes = w->device->lanes;
		o->device = w->device->ops->name;
		o->neighbours = count_neighbours(w);
		o->bytes_per_particle = (double)oz_world_bytes(w) / o->particles;
		o->hash = oz_world_hash(w);
	}
	oz_world_destroy(w);
	return result == OZ_OK ? oz_bench_probe(threads, &o->machine, error) : result;
}

static double per_particle_step(const outcome *o, double ns)
{
	return ns / ((double)o->particles * o->steps);
}

static void print_json(const char *name, const outcome *o)
{
	printf("{\"name\": \"%s\", \"particles\": %u, \"neighbours\": %.2f, \"steps\": %u, "
	       "\"threads\": %u, \"device\": \"%s\", \"lanes\": %u, \"rebuilt\": %u, "
	       "\"ns_per_particle_step\": %.3f, \"steps_per_second\": %.3f, "
	       "\"bytes_per_particle\": %.1f, \"stages\": {",
	       name, o->particles, o->neighbours, o->steps, o->threads, o->device, o->lanes,
	       o->rebuilt, per_particle_step(o, o->seconds * 1e9), o->steps / o->seconds,
	       o->bytes_per_particle);
	for (int s = 0; s < OZ_STAGE_COUNT; s++)
		printf("%s\"%s\": %.3f", s ? ", " : "", oz_stage_name((oz_stage)s),
		       per_particle_step(o, (double)o->stage_ns[s]));
	printf("}, \"hash\": \"%016llx\", \"machine\": {\"gflops\": %.1f, \"gbytes_per_s\": "
	       "%.1f}}\n",
	       (unsigned long long)o->hash, o->machine.gflops, o->machine.gbytes_per_s);
}

static void print_table(const char *name, const outcome *o)
{
	printf("%s  %s particles, %.1f neighbours, %u steps on %u threads (%u lanes)\n", name,
	       oz_cli_count(o->particles).s, o->neighbours, o->steps, o->threads, o->lanes);
	for (int s = 0; s < OZ_STAGE_COUNT; s++)
		printf("  %-12s %8.2f ns a particle and step\n", oz_stage_name((oz_stage)s),
		       per_particle_step(o, (double)o->stage_ns[s]));
	printf("  %-12s %8.2f ns, %.1f steps/s, %.0f bytes a particle, lists built %u times\n",
	       "whole", per_particle_step(o, o->seconds * 1e9), o->steps / o->seconds,
	       o->bytes_per_particle, o->rebuilt);
	printf("  machine: %.0f Gflop/s, %.1f GB/s copied; state %016llx\n", o->machine.gflops,
	       o->machine.gbytes_per_s, (unsigned long long)o->hash);
}

static const benchmark *find(const char *name)
{
	for (size_t k = 0; k < BENCHMARKS; k++)
		if (strcmp(benchmarks[k].name, name) == 0)
			return &benchmarks[k];
	return NULL;
}

static int unknown(const char *name)
{
	const char *names[BENCHMARKS];
	for (size_t k = 0; k < BENCHMARKS; k++)
		names[k] = benchmarks[k].name;
	const char *near = oz_cli_nearest(name, names, BENCHMARKS);
	return oz_cli_wrong("there is no benchmark '%s'; %s%s%s", name,
	                    near ? "did you mean '" : "see ", near ? near : "'ooze bench --help'",
	                    near ? "'?" : "");
}

int oz_cli_bench(int argc, char **argv)
{
	bool json = false;
	uint32_t steps = 0, threads = 0;
	const oz_cli_option options[] = {
	        {"json", 0, NULL, "print one JSON object a benchmark", OZ_CLI_FLAG, &json, 0, 0},
	        {"steps", 0, "N", "steps to time (default: as many as suit its size)", OZ_CLI_COUNT,
	         &steps, 1, 1e6},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &threads, 0, 256},
	};
	oz_cli_spec spec = {
	        .usage = "bench [NAME] [options]",
	        .help = "Times whole steps of a dam break, stage by stage. Without a name: "
	                "eos_50k,\n"
	                "eos_200k and eos_1m. There are also eos_5m and eos_10m, which need 1.6 "
	                "and 3.1 GB.",
	        .options = options,
	        .option_count = sizeof options / sizeof *options,
	        .most = 1,
	};
	const int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	if (spec.count && !find(spec.arguments[0]))
		return unknown(spec.arguments[0]);
	const size_t first = spec.count ? (size_t)(find(spec.arguments[0]) - benchmarks) : 0;
	const size_t end = spec.count ? first + 1 : 3;
	for (size_t k = first; k < end; k++) {
		outcome o = {0};
		oz_error error = {0};
		if (run(&benchmarks[k], steps, threads, &o, &error) != OZ_OK)
			return oz_cli_fail("%s", error.text);
		(json ? print_json : print_table)(benchmarks[k].name, &o);
		fflush(stdout);
	}
	return oz_cli_finish(OZ_CLI_DONE);
}
