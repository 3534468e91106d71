// srgb.h: the transfer function of sRGB (IEC 61966-2-1): linear near 0, then a power of 2.4.
#ifndef OZ_SRGB_H
#define OZ_SRGB_H

#include <math.h>

static inline float oz_srgb_to_linear(float s)
{
	return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static inline float oz_linear_to_srgb(float x)
{
	return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

#endif
