// kernels.h: the engine's own pack of kernels.
#ifndef OZ_KERNELS_H
#define OZ_KERNELS_H

#include "device/pack.h"

extern const oz_kernel_pack oz_core_kernels;

#endif
