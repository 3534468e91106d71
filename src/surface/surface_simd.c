// surface_simd.c: the loops over particles and nodes, compiled for one width of vectors.
//
// The build compiles this file once for each width, with OZ_LANES and the matching compiler flags.
#define OZ_CPU_KERNELS
#include "surface/surface_simd.h"
#include "surface/around_simd.h"
#include "surface/field_simd.h"

#define SIMD_JOIN_(name, lanes) name##lanes
#define SIMD_JOIN(name, lanes)  SIMD_JOIN_(name, lanes)

const oz_surface_simd SIMD_JOIN(oz_surface_simd_, OZ_LANES) = {
        .find_moments = find_moments,
        .sample_block = sample_block,
        .find_attributes = find_attributes,
};
