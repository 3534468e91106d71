// cpu_kernels.c: all kernels, compiled for one instruction set.
//
// The build compiles this file several times, with OZ_LANES and OZ_KERNEL_TABLE set and the
// matching compiler flags; cpu.c picks a table when a device is made.
#define OZ_CPU_KERNELS
#include "device/cpu_table.h"

#include "device/all_kernels.h"

#if OZ_LANES >= 8
#include "models/solid_simd.h"
#define solid_stretch_range solid_stretch_blocks
#define solid_pull_range    solid_pull_blocks
#else
#define solid_build_blocks NULL
#endif

#include "particles/neighbours_simd.h"
#include "surface/around_simd.h"
#include "surface/field_simd.h"

const oz_cpu_kernels OZ_KERNEL_TABLE = {
        .lanes = OZ_LANES,
        .ranges =
                {
#define OZ_KERNEL_RANGE(k, way) [OZ_K_##k] = k##_range,
                        OZ_KERNELS(OZ_KERNEL_RANGE)
#undef OZ_KERNEL_RANGE
                },
        .build_lists = build_lists,
        .build_blocks = solid_build_blocks,
        .find_moments = find_moments,
        .sample_block = sample_block,
        .find_shares = find_shares,
};
