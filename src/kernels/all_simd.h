// all_simd.h: special versions of kernels for the vectors of a CPU.
//
// The list of kernels names those that only a CPU has (CPU); OZ_KERNELS_BY_BLOCKS those that take
// the place of a plain one where a launch goes by blocks of lists.
#ifndef OZ_ALL_SIMD_H
#define OZ_ALL_SIMD_H

#include "particles/neighbours_simd.h"

#if OZ_LANES >= 8
#include "models/elastic/elastic_simd.h"
#define OZ_KERNELS_BY_BLOCKS(X)                                                                    \
	X(elastic_stretch, elastic_stretch_blocks)                                                 \
	X(elastic_pull, elastic_pull_blocks)
#else
#define elastic_join_blocks_range NULL // vectors are too short
#define OZ_KERNELS_BY_BLOCKS(X)
#endif

#endif
