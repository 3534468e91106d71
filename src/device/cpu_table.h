// cpu_table.h: the kernels of the CPU for one instruction set, as ranges.
#ifndef OZ_CPU_TABLE_H
#define OZ_CPU_TABLE_H

#include <stdatomic.h>

#include "device/device.h"
#include "surface/field.h"

typedef void (*oz_range_fn)(const void *args, const oz_lists *lists, uint begin, uint end);

typedef struct oz_cpu_kernels {
	uint32_t lanes;
	oz_range_fn ranges[OZ_K_COUNT];
	// lists of the particles [begin, end), claimed from the cursor
	void (*build_lists)(const oz_list_build *build, atomic_ullong *cursor, uint begin,
	                    uint end);
	oz_range_fn build_blocks; // NULL: vectors are too short
	oz_moments_fn find_moments;
	oz_sample_block_fn sample_block;
	oz_shares_fn find_shares;
} oz_cpu_kernels;

// Those for the widest vectors that the processor has, or OOZE_LANES of the environment.
const oz_cpu_kernels *oz_cpu_kernels_pick(void);

extern const oz_cpu_kernels oz_cpu_kernels_4;
#ifdef OZ_X86_KERNELS
extern const oz_cpu_kernels oz_cpu_kernels_8, oz_cpu_kernels_16;
#endif

#endif
