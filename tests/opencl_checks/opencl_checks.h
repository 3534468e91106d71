// opencl_checks.h: the launches of opencl_checks.cl.
#ifndef OZ_TEST_OPENCL_CHECKS_H
#define OZ_TEST_OPENCL_CHECKS_H

#include "device/device.h"

#include "opencl_checks.cl"

enum {
	CHECK_ITEMS = 100,
	CHECK_ROWS = 3,                     // entries of a list
	CHECK_ENTRIES = 4 * CHECK_ROWS * 32 // four groups of 32 interleaved lists
};

// host values of all buffers, and the offset of a scatter
typedef struct check_values {
	oz_float4 position[CHECK_ITEMS];
	uint list[CHECK_ENTRIES], start[CHECK_ITEMS], count[CHECK_ITEMS], to[CHECK_ITEMS];
	float rest[CHECK_ENTRIES];
	uint first;
} check_values;

// what the kernels have written
typedef struct check_results {
	float pairs[CHECK_ITEMS], links[CHECK_ITEMS], most;
	uint out[CHECK_ITEMS];
} check_results;

// Launches each kernel once, in the stages pairs, links, scatter and most, until one fails.
void check_launch(oz_device *device, const check_values *values, check_results *results);

#endif
