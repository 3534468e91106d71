// signatures.c: what every kernel takes, from the lists in the kernel files.
#include "device/opencl/opencl.h"

#include "device/all_kernels.h"

#define ARG_OF_IN(type, name)                                                                      \
	{#name, #type, sizeof(type *), _Alignof(type *), sizeof(type), true, false},
#define ARG_OF_OUT(type, name)                                                                     \
	{#name, #type, sizeof(type *), _Alignof(type *), sizeof(type), true, true},
#define ARG_OF_VAL(type, name) {#name, #type, sizeof(type), _Alignof(type), 0, false, false},

const oz_cl_signature oz_cl_signatures[OZ_K_COUNT] = {
#define SIGNATURE(k, way)                                                                          \
	[OZ_K_##k] = {#k, OZ_CL_##way, {k##_ARGS(ARG_OF_IN, ARG_OF_OUT, ARG_OF_VAL)}},
        OZ_KERNELS(SIGNATURE)
#undef SIGNATURE
};
