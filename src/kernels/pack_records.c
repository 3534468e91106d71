// pack_records.c: the records of a pack's kernels, and the pack itself.
//
// The build compiles this file once for each pack. OZ_PACK_HEADER, which the build writes, includes
// the kernel files and defines
//
//   OZ_PACK                  the pack's symbol
//   OZ_PACK_KERNELS(X)       the lists of all its files: X(name, way) for each kernel
//
// The compiled functions of each width come from pack_cpu.c, built with the same header; the source
// for OpenCL is OZ_PACK_TEXT, if that is defined.
#include "device/pack.h"
#include OZ_PACK_HEADER

#define OZ_PACK_JOIN_(a, b) a##b
#define OZ_PACK_JOIN(a, b)  OZ_PACK_JOIN_(a, b)
#define OZ_PACK_NAME(tail)  OZ_PACK_JOIN(OZ_PACK, tail)

enum {
#define OZ_PACK_NUMBER(k, way) OZ_K_##k,
	OZ_PACK_KERNELS(OZ_PACK_NUMBER)
#undef OZ_PACK_NUMBER
	        OZ_K_COUNT
};

extern const oz_kernel_pack OZ_PACK;

#define OZ_ARG_OF_IN(type, name)                                                                   \
	{#name, #type, sizeof(type *), _Alignof(type *), sizeof(type), true, false},
#define OZ_ARG_OF_OUT(type, name)                                                                  \
	{#name, #type, sizeof(type *), _Alignof(type *), sizeof(type), true, true},
#define OZ_ARG_OF_VAL(type, name) {#name, #type, sizeof(type), _Alignof(type), 0, false, false},

#define OZ_ARGS_OF_LIST(k)       k##_ARGS(OZ_ARG_OF_IN, OZ_ARG_OF_OUT, OZ_ARG_OF_VAL)
#define OZ_ARGS_EACH(k)          OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_VECTOR(k)        OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_LOCAL(k)         OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_REDUCE(k)        OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_REDUCE_LANES(k)  OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_PAIRS(k)         OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_PAIRS_MARKED(k)  OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_PAIRS_AT_REST(k) OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_PAIRS_LINKED(k)  OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_PAIRS_KEEP(k)    OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_PAIRS_KEPT(k)    OZ_ARGS_OF_LIST(k)
#define OZ_ARGS_CPU(k)

#define OZ_RECORD_EACH(k)          0
#define OZ_RECORD_VECTOR(k)        0
#define OZ_RECORD_LOCAL(k)         0
#define OZ_RECORD_REDUCE(k)        sizeof(k##_record)
#define OZ_RECORD_REDUCE_LANES(k)  sizeof(k##_record)
#define OZ_RECORD_PAIRS(k)         0
#define OZ_RECORD_PAIRS_MARKED(k)  0
#define OZ_RECORD_PAIRS_AT_REST(k) 0
#define OZ_RECORD_PAIRS_LINKED(k)  0
#define OZ_RECORD_PAIRS_KEEP(k)    0
#define OZ_RECORD_PAIRS_KEPT(k)    0
#define OZ_RECORD_CPU(k)           0

#define OZ_PACK_KERNEL(k, how)                                                                     \
	extern const oz_kernel oz_kernel_##k;                                                      \
	const oz_kernel oz_kernel_##k = {.name = #k,                                               \
	                                 .way = OZ_WAY_##how,                                      \
	                                 .record = OZ_RECORD_##how(k),                             \
	                                 .args = {OZ_ARGS_##how(k){NULL, NULL, 0, 0, 0, false,     \
	                                                           false}},                        \
	                                 .pack = &OZ_PACK,                                         \
	                                 .number = OZ_K_##k};
OZ_PACK_KERNELS(OZ_PACK_KERNEL)
#undef OZ_PACK_KERNEL

static const oz_kernel *const pack_kernels[] = {
#define OZ_PACK_POINTER(k, way) &oz_kernel_##k,
        OZ_PACK_KERNELS(OZ_PACK_POINTER)
#undef OZ_PACK_POINTER
};

extern const oz_range_fn OZ_PACK_NAME(_ranges_4)[], OZ_PACK_NAME(_blocks_4)[];
#ifdef OZ_X86_KERNELS
extern const oz_range_fn OZ_PACK_NAME(_ranges_8)[], OZ_PACK_NAME(_blocks_8)[];
extern const oz_range_fn OZ_PACK_NAME(_ranges_16)[], OZ_PACK_NAME(_blocks_16)[];
#endif
#ifdef OZ_PACK_TEXT
extern const char OZ_PACK_TEXT[];
#endif

const oz_kernel_pack OZ_PACK = {
        .kernels = pack_kernels,
        .count = OZ_K_COUNT,
#ifdef OZ_X86_KERNELS
        .ranges = {OZ_PACK_NAME(_ranges_4), OZ_PACK_NAME(_ranges_8), OZ_PACK_NAME(_ranges_16)},
        .by_blocks = {OZ_PACK_NAME(_blocks_4), OZ_PACK_NAME(_blocks_8), OZ_PACK_NAME(_blocks_16)},
#else
        .ranges = {OZ_PACK_NAME(_ranges_4)},
        .by_blocks = {OZ_PACK_NAME(_blocks_4)},
#endif
#ifdef OZ_PACK_TEXT
        .text = OZ_PACK_TEXT,
#endif
};
