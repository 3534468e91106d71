// sph.h: the smoothing kernels, as functions of the squared distance, over lanes.
//
//   poly6       W = 315 / (64 π h³) (1 - q²)³                        q = r / h, zero beyond q = 1
//   spiky       W = 15 / (π h³) (1 - q)³
//   viscosity   ∇²W = 45 / (π h⁵) (1 - q)
//   cubic       W = 8 / (π h³) (2 (1 - q)³ - 8 (½ - q)³₊)
//   Wendland C2 W = 21 / (2 π h³) (1 - q)⁴ (1 + 4 q)
//   fitted      W = 1 / h³ Σ_m a_m (1 - q²)^m,  m = 2 … 8
//
// The fitted kernel has the same sum Σ W for all packings of equal density, when its support is
// OZ_FITTED_SUPPORT spacings (tools/fit_kernel.py). With other kernels the sum, and so the
// pressure, depends on the packing: particles under pressure stay in the packing of least pressure,
// and the fluid resists shear like a crystal. It needs no root.
//
// h is the support radius. Gradients are given as (dW/dr) / r, so that ∇W = gradient · (x_i - x_j).
// poly6, spiky and viscosity: Müller et al. 2003; cubic: Monaghan 1992; Wendland 1995.
#ifndef OZ_SPH_H
#define OZ_SPH_H

#include "device/kernel.h"

#define OZ_INV_PI   0.31830988618f
#define OZ_SPH_TINY 1e-12f // least q²: keeps 1/q finite for particles that coincide

OZ_FN lane oz_poly6(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane d = lane_max(1.0f - r2 * (inv_h * inv_h), lane_of(0.0f));
	return (315.0f / 64.0f * OZ_INV_PI * inv_h * inv_h * inv_h) * (d * d * d);
}

OZ_FN lane oz_spiky(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane d = lane_max(1.0f - lane_sqrt(r2) * inv_h, lane_of(0.0f));
	return (15.0f * OZ_INV_PI * inv_h * inv_h * inv_h) * (d * d * d);
}

OZ_FN lane oz_spiky_gradient(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane q2 = lane_max(r2 * (inv_h * inv_h), lane_of(OZ_SPH_TINY));
	const lane inv_q = lane_rsqrt(q2);
	const lane d = lane_max(1.0f - q2 * inv_q, lane_of(0.0f));
	return (-45.0f * OZ_INV_PI * inv_h * inv_h * inv_h * inv_h * inv_h) * (d * d * inv_q);
}

OZ_FN lane oz_viscosity_laplacian(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane d = lane_max(1.0f - lane_sqrt(r2) * inv_h, lane_of(0.0f));
	return (45.0f * OZ_INV_PI * inv_h * inv_h * inv_h * inv_h * inv_h) * d;
}

OZ_FN lane oz_cubic(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane q2 = lane_max(r2 * (inv_h * inv_h), lane_of(OZ_SPH_TINY));
	const lane q = q2 * lane_rsqrt(q2);
	const lane a = lane_max(1.0f - q, lane_of(0.0f)), b = lane_max(0.5f - q, lane_of(0.0f));
	return (16.0f * OZ_INV_PI * inv_h * inv_h * inv_h) * (a * a * a - 4.0f * (b * b * b));
}

OZ_FN lane oz_cubic_gradient(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane q2 = lane_max(r2 * (inv_h * inv_h), lane_of(OZ_SPH_TINY));
	const lane inv_q = lane_rsqrt(q2);
	const lane q = q2 * inv_q;
	const lane a = lane_max(1.0f - q, lane_of(0.0f)), b = lane_max(0.5f - q, lane_of(0.0f));
	return (-48.0f * OZ_INV_PI * inv_h * inv_h * inv_h * inv_h * inv_h) *
	       ((a * a - 4.0f * (b * b)) * inv_q);
}

OZ_FN lane oz_wendland(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane q = lane_sqrt(r2) * inv_h;
	const lane a = lane_max(1.0f - q, lane_of(0.0f));
	const lane a2 = a * a;
	return (10.5f * OZ_INV_PI * inv_h * inv_h * inv_h) * (a2 * a2 * (1.0f + 4.0f * q));
}

OZ_FN lane oz_wendland_gradient(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane a = lane_max(1.0f - lane_sqrt(r2) * inv_h, lane_of(0.0f));
	return (-210.0f * OZ_INV_PI * inv_h * inv_h * inv_h * inv_h * inv_h) * (a * a * a);
}

// Σ a_m u^(m - 2) in powers of u - OZ_FITTED_AT: powers of u cancel each other and would cost a
// digit and more
#define OZ_FITTED_SUPPORT 2.2f // spacings
#define OZ_FITTED_AT      0.6f
#define OZ_FITTED_0       0.667895954f
#define OZ_FITTED_1       2.32766458f
#define OZ_FITTED_2       4.1053704f
#define OZ_FITTED_3       3.310212f
#define OZ_FITTED_4       1.82934f
#define OZ_FITTED_5       13.29816f
#define OZ_FITTED_6       24.9346f

OZ_FN lane oz_fitted(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane u = lane_max(1.0f - r2 * (inv_h * inv_h), lane_of(0.0f));
	const lane t = u - OZ_FITTED_AT;
	lane s = OZ_FITTED_5 + OZ_FITTED_6 * t;
	s = OZ_FITTED_4 + s * t;
	s = OZ_FITTED_3 + s * t;
	s = OZ_FITTED_2 + s * t;
	s = OZ_FITTED_1 + s * t;
	s = OZ_FITTED_0 + s * t;
	return (inv_h * inv_h * inv_h) * (u * u * s);
}

// coefficient k of 2 s + u ds/du; b and c: coefficients k and k + 1 of s
#define OZ_FITTED_SLOPE(k, b, c) ((k + 2.0f) * (b) + OZ_FITTED_AT * (k + 1.0f) * (c))

OZ_FN lane oz_fitted_gradient(lane r2, float h)
{
	const float inv_h = 1.0f / h;
	const lane u = lane_max(1.0f - r2 * (inv_h * inv_h), lane_of(0.0f));
	const lane t = u - OZ_FITTED_AT;
	lane s = OZ_FITTED_SLOPE(5.0f, OZ_FITTED_5, OZ_FITTED_6) + (8.0f * OZ_FITTED_6) * t;
	s = OZ_FITTED_SLOPE(4.0f, OZ_FITTED_4, OZ_FITTED_5) + s * t;
	s = OZ_FITTED_SLOPE(3.0f, OZ_FITTED_3, OZ_FITTED_4) + s * t;
	s = OZ_FITTED_SLOPE(2.0f, OZ_FITTED_2, OZ_FITTED_3) + s * t;
	s = OZ_FITTED_SLOPE(1.0f, OZ_FITTED_1, OZ_FITTED_2) + s * t;
	s = OZ_FITTED_SLOPE(0.0f, OZ_FITTED_0, OZ_FITTED_1) + s * t;
	return (-2.0f * inv_h * inv_h * inv_h * inv_h * inv_h) * (u * s);
}

// The kernels of a world (oz_kernel_kind): one for density, one for gradients. MULLER is poly6 for
// density and spiky for gradients.
#define OZ_SPH_CUBIC    0
#define OZ_SPH_WENDLAND 1
#define OZ_SPH_MULLER   2
#define OZ_SPH_FITTED   3

// W, 1/m³
OZ_FN lane oz_sph_w(uint kind, lane r2, float h)
{
	if (kind == OZ_SPH_CUBIC)
		return oz_cubic(r2, h);
	if (kind == OZ_SPH_WENDLAND)
		return oz_wendland(r2, h);
	if (kind == OZ_SPH_FITTED)
		return oz_fitted(r2, h);
	return oz_poly6(r2, h);
}

// (dW/dr) / r, 1/m⁵
OZ_FN lane oz_sph_gradient(uint kind, lane r2, float h)
{
	if (kind == OZ_SPH_CUBIC)
		return oz_cubic_gradient(r2, h);
	if (kind == OZ_SPH_WENDLAND)
		return oz_wendland_gradient(r2, h);
	if (kind == OZ_SPH_FITTED)
		return oz_fitted_gradient(r2, h);
	return oz_spiky_gradient(r2, h);
}

#endif
