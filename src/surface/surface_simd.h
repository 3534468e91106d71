// surface_simd.h: the loops that are compiled for each width of vectors.
#ifndef OZ_SURFACE_SIMD_H
#define OZ_SURFACE_SIMD_H

#include "surface/field.h"

typedef struct oz_surface_simd {
	oz_moments_fn find_moments;
	oz_sample_block_fn sample_block;
	oz_attributes_fn find_attributes;
} oz_surface_simd;

extern const oz_surface_simd oz_surface_simd_4;
#ifdef OZ_X86_KERNELS
extern const oz_surface_simd oz_surface_simd_8, oz_surface_simd_16;
#endif

#endif
