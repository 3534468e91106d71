// bench.h: the parts of `ooze bench`.
#ifndef OZ_BENCH_H
#define OZ_BENCH_H

#include "ooze/ooze.h"
#include "json/json.h"

typedef struct oz_bench_machine {
	double gflops;       // single precision, all threads
	double gbytes_per_s; // copied: read and written
} oz_bench_machine;

// Where a benchmark runs.
typedef struct oz_bench_place {
	const char *device; // as in oz_world_def
	uint32_t threads;
	double time_step; // s, of a dam; 0: follows from the flow
} oz_bench_place;

// Measures the machine's arithmetic and memory speed; takes about a second.
oz_result oz_bench_probe(const oz_bench_place *place, oz_bench_machine *machine, oz_error *error);

#define OZ_BENCH_STAGES 16
#define OZ_BENCH_EXTRAS 11

typedef struct oz_bench_number {
	const char *name;
	double value;
} oz_bench_number;

typedef struct oz_bench_outcome {
	uint32_t particles, steps, threads, lanes, rebuilt;
	oz_device_info device;
	double neighbours, seconds, bytes_per_particle;
	oz_bench_number stages[OZ_BENCH_STAGES]; // ns, all steps together
	uint32_t stage_count;
	oz_bench_number extras[OZ_BENCH_EXTRAS];
	uint32_t extra_count;
	uint64_t hash;
} oz_bench_outcome;

typedef struct oz_benchmark oz_benchmark;
struct oz_benchmark {
	const char *name;
	oz_result (*run)(const oz_benchmark *benchmark, uint32_t steps, const oz_bench_place *place,
	                 oz_bench_outcome *outcome, oz_error *error);
	uint32_t particles; // about
	uint32_t steps;     // 0: follow from the simulated time
	int kind;           // of a surface, the model of the dam, or the solver
	float support;      // spacings, of the dam
	const char *sentence;
};

// Times steps of a dam break.
oz_result oz_bench_dam(const oz_benchmark *benchmark, uint32_t steps, const oz_bench_place *place,
                       oz_bench_outcome *outcome, oz_error *error);
// Times steps of a dam break of incompressible water or slime; 0 steps: those of a simulated
// second.
oz_result oz_bench_incompressible(const oz_benchmark *benchmark, uint32_t steps,
                                  const oz_bench_place *place, oz_bench_outcome *outcome,
                                  oz_error *error);
// Mean number of neighbours within the support radius, of a sample of particles.
double oz_bench_neighbours(oz_world *world);
// Times surfaces of a splash.
oz_result oz_bench_splash(const oz_benchmark *benchmark, uint32_t steps,
                          const oz_bench_place *place, oz_bench_outcome *outcome, oz_error *error);
// Times surfaces of small bodies on the fine grids of Takamatsu & Kanai's table 1, and prints them.
oz_result oz_bench_grids(const oz_bench_place *place, oz_json_writer *json, oz_error *error);

// Times steps and surfaces of the bodies of Takamatsu & Kanai's table 1, and prints the times.
oz_result oz_bench_takamatsu(const oz_bench_place *place, oz_json_writer *json, oz_error *error);

// Times steps in the scanned models of Harada et al.'s tables 1 and 2, and prints the times.
oz_result oz_bench_harada(const oz_bench_place *place, oz_json_writer *json, oz_error *error);

// Times the elastic force of Becker et al.'s figure 2, and prints the times.
oz_result oz_bench_becker(const oz_bench_place *place, oz_json_writer *json, oz_error *error);
// Times the figures of Mesit & Guha: neighbours by hashing, by all pairs and by the engine, and a
// bag of springs. Writes to `json` if it is not NULL, else prints.
oz_result oz_bench_mesit(const oz_bench_place *place, oz_json_writer *json, oz_error *error);

// Uniform in -0.5 … 0.5, the same sequence on every machine.
float oz_bench_random(uint32_t *state);

#endif
