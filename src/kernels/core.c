// core.c: the engine's own pack of kernels.
#include "kernels/all.h"
#include "kernels/list.h"

#define OZ_PACK            oz_core_kernels
#define OZ_PACK_KERNELS(X) OZ_KERNELS(X)
#include "kernels/pack_define.h"
