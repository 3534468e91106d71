// probe.cl: independent multiply-adds in registers, to measure the peak arithmetic rate of a
// device.
#include "device/kernel.h"

#define OZ_PROBE_CHAINS 12

#define probe_ARGS(IN, OUT, VAL) OUT(float, result) VAL(uint, loops)
OZ_ARGS(probe)

// computes chains of fused multiply-adds, to measure arithmetic speed
OZ_FN void probe_at(const probe_args *a, uint i)
{
	lane x[OZ_PROBE_CHAINS], sum = lane_of(0.0f);
	for (int k = 0; k < OZ_PROBE_CHAINS; k++)
		x[k] = lane_of((float)(i + (uint)k));
	for (uint n = 0; n < a->loops; n++)
		for (int k = 0; k < OZ_PROBE_CHAINS; k++)
			x[k] = x[k] * 0.999f + 0.001f;
	for (int k = 0; k < OZ_PROBE_CHAINS; k++)
		sum += x[k];
	a->result[i] = oz_lane_first(sum);
}

#define probe_KERNELS(X) X(probe, EACH)
OZ_KERNELS(probe_KERNELS)
