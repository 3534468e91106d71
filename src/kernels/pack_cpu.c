// pack_cpu.c: the kernels of a pack, compiled for one width of vectors.
//
// The build compiles this file once for each width, with OZ_LANES and the matching compiler flags.
// OZ_PACK_HEADER, which the build writes, includes the kernel files and names the pack and its
// kernels (pack_records.c); OZ_PACK_SIMD is a header with kernels written by hand for CPU vectors.
#define OZ_CPU_KERNELS

#include "device/pack.h"
#include OZ_PACK_HEADER

#ifdef OZ_PACK_SIMD
#include OZ_PACK_SIMD
#else
#define OZ_PACK_BY_BLOCKS(X)
#endif

#define OZ_TABLE_JOIN_(pack, what, lanes) pack##what##lanes
#define OZ_TABLE_JOIN(pack, what, lanes)  OZ_TABLE_JOIN_(pack, what, lanes)
#define OZ_TABLE(what)                    OZ_TABLE_JOIN(OZ_PACK, what, OZ_LANES)

enum {
#define OZ_RANGE_NUMBER(k, way) OZ_K_##k,
	OZ_PACK_KERNELS(OZ_RANGE_NUMBER)
#undef OZ_RANGE_NUMBER
	        OZ_K_COUNT
};

extern const oz_range_fn OZ_TABLE(_ranges_)[], OZ_TABLE(_blocks_)[];

const oz_range_fn OZ_TABLE(_ranges_)[OZ_K_COUNT] = {
#define OZ_RANGE_OF(k, way) [OZ_K_##k] = k##_range,
        OZ_PACK_KERNELS(OZ_RANGE_OF)
#undef OZ_RANGE_OF
};

const oz_range_fn OZ_TABLE(_blocks_)[OZ_K_COUNT] = {[0] = NULL,
#define OZ_RANGE_BY_BLOCKS(k, special) [OZ_K_##k] = special,
                                                    OZ_PACK_BY_BLOCKS(OZ_RANGE_BY_BLOCKS)
#undef OZ_RANGE_BY_BLOCKS
};
