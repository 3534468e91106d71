// simd.h: kernels written by hand for the vectors of a CPU.
//
// Kernels for the CPU only are rows with the word CPU in the list of their kernel file.
// OZ_PACK_BY_BLOCKS lists versions of kernels that a launch uses if its lists are joined into
// blocks (oz_lists.blocks).
#ifndef OZ_KERNELS_SIMD_H
#define OZ_KERNELS_SIMD_H

#include "models/links/links_simd.h"
#include "particles/neighbours_simd.h"

#if OZ_LANES >= 8
#include "models/elastic/elastic_simd.h"
#define OZ_PACK_BY_BLOCKS(X)                                                                       \
	X(elastic_stretch, elastic_stretch_blocks)                                                 \
	X(elastic_accelerate, elastic_accelerate_blocks)
#else
#define elastic_join_blocks_range NULL // not for vectors of 4 floats
#define OZ_PACK_BY_BLOCKS(X)
#endif

#endif
