// simd.h: special versions of kernels for the vectors of a CPU.
//
// Kernels that only a CPU has are rows with the word CPU in the list of their kernel file.
// OZ_PACK_BY_BLOCKS names those that take the place of a plain one where a launch goes by blocks of
// lists.
#ifndef OZ_KERNELS_SIMD_H
#define OZ_KERNELS_SIMD_H

#include "particles/neighbours_simd.h"

#if OZ_LANES >= 8
#include "models/elastic/elastic_simd.h"
#define OZ_PACK_BY_BLOCKS(X)                                                                       \
	X(elastic_stretch, elastic_stretch_blocks)                                                 \
	X(elastic_pull, elastic_pull_blocks)
#else
#define elastic_join_blocks_range NULL // vectors are too short
#define OZ_PACK_BY_BLOCKS(X)
#endif

#endif
