// bench.c: `ooze bench`: measures the time of a step or of a surface, by stage.
#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "ooze/surface.h"

static const oz_benchmark benchmarks[] = {
        {"eos_50k", oz_bench_dam, 50000, 400, OZ_FLUID, 2.2f,
         "dam break, 50 thousand particles: fits the caches"},
        {"eos_200k", oz_bench_dam, 200000, 100, OZ_FLUID, 2.2f,
         "dam break, 200 thousand particles"},
        {"eos_1m", oz_bench_dam, 1000000, 40, OZ_FLUID, 2.2f,
         "dam break, 1 million particles: limited by memory bandwidth"},
        {"eos_5m", oz_bench_dam, 5000000, 12, OZ_FLUID, 2.2f, "dam break, 5 million particles"},
        {"eos_10m", oz_bench_dam, 10000000, 6, OZ_FLUID, 2.2f, "dam break, 10 million particles"},
        {"blend_200k", oz_bench_dam, 200000, 60, OZ_BLEND, 2.2f,
         "the same column as toothpaste, 200 thousand particles"},
        {"blend_1m", oz_bench_dam, 1000000, 20, OZ_BLEND, 2.2f,
         "the same column as toothpaste, 1 million particles"},
        {"thick_50k", oz_bench_dam, 50000, 100, OZ_FLUID, 2.2f,
         "the same column of 2000 Pa·s, 50 thousand particles"},
        {"thick_200k", oz_bench_dam, 200000, 40, OZ_FLUID, 2.2f,
         "the same column of 2000 Pa·s, 200 thousand particles"},
        {"thick_1m", oz_bench_dam, 1000000, 20, OZ_FLUID, 2.2f,
         "the same column of 2000 Pa·s, 1 million particles"},
        {"polymer_50k", oz_bench_dam, 50000, 100, OZ_POLYMER, 2.2f,
         "the same column of a polymer solution of 300 Pa and 2 s, 50 thousand particles"},
        {"polymer_1m", oz_bench_dam, 1000000, 20, OZ_POLYMER, 2.2f,
         "the same column of a polymer solution, 1 million particles"},
        {"incompressible_50k", oz_bench_incompressible, 51200, 0, OZ_SOLVER_ACCELERATED, 2.2f,
         "a simulated second of an incompressible dam break, 51 thousand particles"},
        {"incompressible_200k", oz_bench_incompressible, 204800, 0, OZ_SOLVER_ACCELERATED, 2.2f,
         "the same, 205 thousand particles"},
        {"jacobi_50k", oz_bench_incompressible, 51200, 0, OZ_SOLVER_JACOBI, 2.2f,
         "the same by relaxed Jacobi iteration, 51 thousand particles"},
        {"jacobi_200k", oz_bench_incompressible, 204800, 0, OZ_SOLVER_JACOBI, 2.2f,
         "the same by relaxed Jacobi iteration, 205 thousand particles"},
        {"incompressible_1m", oz_bench_incompressible, 1000000, 0, OZ_SOLVER_ACCELERATED, 2.2f,
         "a simulated second of an incompressible dam break, 1 million particles"},
        {"cubes_1000", oz_bench_incompressible, 51200, 60, OZ_SOLVER_ACCELERATED, 2.2f,
         "a thousand rigid cubes fall into incompressible water, 115 thousand particles"},
        {"links_50k", oz_bench_incompressible, 51200, 200, OZ_SOLVER_ACCELERATED, 2.2f,
         "an incompressible dam break of slime, 51 thousand particles"},
        {"links_200k", oz_bench_incompressible, 204800, 60, OZ_SOLVER_ACCELERATED, 2.2f,
         "the same, 205 thousand particles"},
        {"links_1m", oz_bench_incompressible, 1000000, 40, OZ_SOLVER_ACCELERATED, 2.2f,
         "the same, 1 million particles"},
        {"wide_1m", oz_bench_dam, 1120000, 40, OZ_FLUID, 2.4f,
         "dam break with 57 neighbours, 1.1 million particles"},
        {"wide_4m", oz_bench_dam, 4360000, 12, OZ_FLUID, 2.4f,
         "dam break with 57 neighbours, 4.4 million particles"},
        {"wide_13m", oz_bench_dam, 13300000, 6, OZ_FLUID, 2.4f,
         "dam break with 57 neighbours, 13 million particles"},
        {"wide_50m", oz_bench_dam, 50000000, 4, OZ_FLUID, 2.4f,
         "dam break with 57 neighbours, 50 million particles"},
        {"wide_100m", oz_bench_dam, 100000000, 4, OZ_FLUID, 2.4f,
         "dam break with 57 neighbours, 100 million particles"},
        {"surface", oz_bench_splash, 1000000, 5, OZ_SURFACE_DENSITY, 0,
         "surface of a splash of 1 million particles, by density"},
        {"surface_smooth", oz_bench_splash, 1000000, 3, OZ_SURFACE_SMOOTH, 0,
         "the same with anisotropic kernels, flat along the surface"},
        {"surface_distance", oz_bench_splash, 1000000, 5, OZ_SURFACE_DISTANCE, 0,
         "the same by distance from the outer particles"},
        {"surface_10m", oz_bench_splash, 10000000, 2, OZ_SURFACE_DENSITY, 0,
         "surface of a splash of 10 million particles, by density"},
};
#define BENCHMARKS (sizeof benchmarks / sizeof *benchmarks)

// benchmarks of several bodies, with tables of their own
typedef struct bench_table {
	const char *name;
	oz_result (*run)(const oz_bench_place *place, oz_json_writer *json, oz_error *error);
} bench_table;

static const bench_table tables[] = {{"surface_grids", oz_bench_grids},
                                     {"takamatsu", oz_bench_takamatsu},
                                     {"harada", oz_bench_harada},
                                     {"becker", oz_bench_becker},
                                     {"mesit", oz_bench_mesit}};
#define TABLES (sizeof tables / sizeof *tables)

float oz_bench_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) * 0x1p-24f - 0.5f;
}

static double per_particle_step(const oz_bench_outcome *o, double ns)
{
	return ns / ((double)o->particles * o->steps);
}

static void put_stages(oz_json_writer *w, const oz_bench_outcome *o)
{
	oz_json_begin_object(w, "stages");
	for (uint32_t s = 0; s < o->stage_count; s++)
		oz_json_put_rounded(w, o->stages[s].name, per_particle_step(o, o->stages[s].value),
		                    3);
	oz_json_end(w);
	for (uint32_t k = 0; k < o->extra_count; k++)
		oz_json_put_number(w, o->extras[k].name, o->extras[k].value);
}

static void print_json(const char *name, const oz_bench_outcome *o, const oz_bench_machine *machine)
{
	oz_json_writer w = oz_json_to_stream(stdout, OZ_JSON_LINE);
	char hash[20];
	snprintf(hash, sizeof hash, "%016llx", (unsigned long long)o->hash);
	oz_json_begin_object(&w, NULL);
	oz_json_put_text(&w, "name", name);
	oz_json_put_count(&w, "particles", o->particles);
	oz_json_put_rounded(&w, "neighbours", o->neighbours, 2);
	oz_json_put_count(&w, "steps", o->steps);
	oz_json_put_count(&w, "threads", o->threads);
	oz_json_put_text(&w, "device", o->device.address);
	oz_json_put_count(&w, "lanes", o->lanes);
	oz_json_put_count(&w, "rebuilt", o->rebuilt);
	oz_json_put_rounded(&w, "ns_per_particle_step", per_particle_step(o, o->seconds * 1e9), 3);
	oz_json_put_rounded(&w, "steps_per_second", o->steps / o->seconds, 3);
	oz_json_put_rounded(&w, "bytes_per_particle", o->bytes_per_particle, 1);
	put_stages(&w, o);
	oz_json_put_text(&w, "hash", hash);
	oz_json_begin_object(&w, "machine");
	oz_json_put_rounded(&w, "gflops", machine->gflops, 1);
	oz_json_put_rounded(&w, "gbytes_per_s", machine->gbytes_per_s, 1);
	oz_json_end(&w);
	oz_json_end(&w);
	(void)oz_json_finish(&w, NULL); // oz_cli_finish looks at the stream
}

static void print_table(const char *name, const oz_bench_outcome *o,
                        const oz_bench_machine *machine)
{
	printf("%s  %s particles, %.1f neighbours, %u steps on ", name,
	       oz_cli_count(o->particles).s, o->neighbours, o->steps);
	if (strcmp(o->device.address, "cpu") == 0)
		printf("%u threads (%u lanes)\n", o->threads, o->lanes);
	else
		printf("%s (%s)\n", o->device.name, o->device.address);
	for (uint32_t s = 0; s < o->stage_count; s++)
		printf("  %-12s %8.2f ns a particle and step\n", o->stages[s].name,
		       per_particle_step(o, o->stages[s].value));
	printf("  %-12s %8.2f ns, %.1f steps/s, %.0f bytes a particle\n", "whole",
	       per_particle_step(o, o->seconds * 1e9), o->steps / o->seconds,
	       o->bytes_per_particle);
	if (o->rebuilt)
		printf("  lists built %u times\n", o->rebuilt);
	for (uint32_t k = 0; k < o->extra_count; k++)
		printf("  %s: %.10g\n", o->extras[k].name, o->extras[k].value);
	printf("  machine: %.0f Gflop/s, %.1f GB/s copied; state %016llx\n", machine->gflops,
	       machine->gbytes_per_s, (unsigned long long)o->hash);
}

static oz_result run(const oz_benchmark *b, uint32_t steps, const oz_bench_place *place, bool json,
                     oz_error *error)
{
	oz_bench_outcome o = {.steps = steps ? steps : b->steps};
	oz_bench_machine machine;
	oz_result result = b->run(b, o.steps, place, &o, error);
	if (result == OZ_OK)
		result = oz_bench_probe(place, &machine, error);
	if (result == OZ_OK)
		(json ? print_json : print_table)(b->name, &o, &machine);
	fflush(stdout);
	return result;
}

// a table as JSON is one object
static int run_table(const bench_table *table, const oz_bench_place *place, bool json)
{
	oz_error error = {0};
	oz_json_writer w = oz_json_to_stream(stdout, OZ_JSON_LINE);
	if (json) {
		oz_json_begin_object(&w, NULL);
		oz_json_put_text(&w, "name", table->name);
	}
	const oz_result result = table->run(place, json ? &w : NULL, &error);
	// a benchmark that failed may have left lists open
	while (w.depth > 0)
		oz_json_end(&w);
	if (json)
		(void)oz_json_finish(&w, NULL); // oz_cli_finish looks at the stream
	return result == OZ_OK ? oz_cli_finish(OZ_CLI_DONE) : oz_cli_fail("%s", error.text);
}

static const oz_benchmark *find(const char *name)
{
	for (size_t k = 0; k < BENCHMARKS; k++)
		if (strcmp(benchmarks[k].name, name) == 0)
			return &benchmarks[k];
	return NULL;
}

// benchmarks in a row that one name runs
typedef struct bench_group {
	const char *name, *first;
	size_t count;
} bench_group;

static const bench_group groups[] = {{"eos", "eos_50k", 3},
                                     {"incompressible", "incompressible_50k", 4},
                                     {"links", "links_50k", 2}};
#define GROUPS (sizeof groups / sizeof *groups)

static const bench_group *find_group(const char *name)
{
	for (size_t k = 0; k < GROUPS; k++)
		if (strcmp(groups[k].name, name) == 0)
			return &groups[k];
	return NULL;
}

static int unknown(const char *name)
{
	const char *names[BENCHMARKS + TABLES];
	for (size_t k = 0; k < BENCHMARKS; k++)
		names[k] = benchmarks[k].name;
	for (size_t k = 0; k < TABLES; k++)
		names[BENCHMARKS + k] = tables[k].name;
	const char *near = oz_cli_nearest(name, names, BENCHMARKS + TABLES);
	return oz_cli_wrong("there is no benchmark '%s'; %s%s%s", name,
	                    near ? "did you mean '" : "see ", near ? near : "'ooze bench --help'",
	                    near ? "'?" : "");
}

int oz_cli_bench(int argc, char **argv)
{
	bool json = false;
	uint32_t steps = 0;
	oz_bench_place place = {0};
	const oz_cli_option options[] = {
	        {"json", 0, NULL, "print one JSON object a benchmark", OZ_CLI_FLAG, &json, 0, 0},
	        {"steps", 0, "N", "steps to time (default: as many as suit its size)", OZ_CLI_COUNT,
	         &steps, 1, 1e6},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &place.threads, 0, 256},
	        {"device", 'D', "NAME",
	         "where to run: cpu (default), opencl, or one that `ooze devices` lists",
	         OZ_CLI_TEXT, &place.device, 0, 0},
	        {"time-step", 0, "S",
	         "fixed time step of a dam, with which a GPU runs ahead (default: as the flow "
	         "allows)",
	         OZ_CLI_NUMBER, &place.time_step, 0, 1},
	};
	oz_cli_spec spec = {
	        .usage = "bench [NAME] [options]",
	        .help = "Times whole steps of a dam break, stage by stage. Without a name: "
	                "eos_50k,\n"
	                "eos_200k and eos_1m. There are also eos_5m and eos_10m, which need 1.6 "
	                "and 3.1 GB;\n"
	                "surface, surface_smooth, surface_distance and surface_10m, the surface of "
	                "a splash;\n"
	                "surface_grids, small bodies on the fine grids of Takamatsu & Kanai;\n"
	                "wide_1m, wide_4m, wide_13m, wide_50m and wide_100m, dam breaks with 57 "
	                "neighbours\n"
	                "(50 million need 30 GB, 100 million 60 GB); "
	                "blend_200k and blend_1m, the dam break of toothpaste; thick_50k, "
	                "thick_200k\n"
	                "and thick_1m, that of a fluid of 2000 Pa·s; polymer_50k and polymer_1m, "
	                "that "
	                "of a polymer\n"
	                "solution; incompressible, a simulated "
	                "second of\n"
	                "incompressible_50k, incompressible_200k, jacobi_50k and jacobi_200k; "
	                "incompressible_1m\n"
	                "for a GPU; links, the dam break of slime, links_50k and links_200k; "
	                "links_1m;\n"
	                "cubes_1000, a thousand rigid cubes that fall into water; takamatsu, all "
	                "bodies of\n"
	                "Takamatsu & Kanai's table 1, with and without surface; harada, fluid in "
	                "the scans of\n"
	                "Harada et al.'s tables 1 and 2 (tools/models.sh fetches them); becker, "
	                "the elastic\n"
	                "force of Becker et al.'s figure 2 by three methods; mesit, neighbours by "
	                "the hashing of\n"
	                "Mesit & Guha, and their bag of springs.",
	        .options = options,
	        .option_count = sizeof options / sizeof *options,
	        .most = 1,
	};
	const int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	oz_error error = {0};
	if (place.device && spec.count && strncmp(spec.arguments[0], "surface", 7) == 0 &&
	    strcmp(place.device, "cpu") != 0)
		return oz_cli_fail("surfaces are made on the CPU; leave out --device %s",
		                   place.device);
	for (size_t k = 0; k < TABLES; k++)
		if (spec.count && strcmp(spec.arguments[0], tables[k].name) == 0)
			return run_table(&tables[k], &place, json);
	if (spec.count && !find_group(spec.arguments[0]) && !find(spec.arguments[0]))
		return unknown(spec.arguments[0]);
	const char *name = spec.count ? spec.arguments[0] : "eos";
	const bench_group *group = find_group(name);
	const size_t first = (size_t)(find(group ? group->first : name) - benchmarks);
	const size_t end = first + (group ? group->count : 1);
	for (size_t k = first; k < end; k++)
		if (run(&benchmarks[k], steps, &place, json, &error) != OZ_OK)
			return oz_cli_fail("%s", error.text);
	return oz_cli_finish(OZ_CLI_DONE);
}
