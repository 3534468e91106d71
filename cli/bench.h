// bench.h: the parts of `ooze bench`.
#ifndef OZ_BENCH_H
#define OZ_BENCH_H

#include "ooze/ooze.h"

typedef struct oz_bench_machine {
	double gflops;       // single precision, all threads
	double gbytes_per_s; // copied: read and written
} oz_bench_machine;

// Measures the machine in a second or so.
oz_result oz_bench_probe(uint32_t threads, oz_bench_machine *machine, oz_error *error);

#endif
