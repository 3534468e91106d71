// density.cl: the density of a fluid, relative to the rest density.
//
// The number density is used, not the mass density (Solenthaler & Pajarola 2008), so that the
// interface of fluids of different density stays sharp. With V the rest volume of a particle and λ
// the contribution of walls,
//
//   δ_i = V Σ_j W_ij + λ_i,   ρ_i = ρ0_i δ_i
//
// contact.cl computes particles that have bodies with a rest shape within reach; `plain` is 1 for
// the particles that this kernel computes.
#include "device/kernel.h"
#include "math/sph.h"
#include "particles/matter.h"

#define fluid_density_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, wall)                                                                        \
	IN(uint, plain) OUT(float, delta) VAL(oz_fluid, fluid) VAL(uint, plain_only)
#define fluid_density_NEAR(PLACE, ALSO, CASE) PLACE(position) CASE(fluid.smoothing)

typedef struct fluid_density_sum {
	float x, y, z;
	lane w;
} fluid_density_sum;

OZ_PAIR_ARGS(fluid_density)

// writes δ of the plain particles
OZ_FN void fluid_density_begin(const fluid_density_args *a, uint i, fluid_density_sum *s)
{
	const oz_float4 p = a->position[i];
	s->x = p.x;
	s->y = p.y;
	s->z = p.z;
	s->w = lane_of(0.0f);
}

OZ_FN void fluid_density_pair(const fluid_density_args *a, fluid_density_sum *s,
                              const fluid_density_near *j)
{
	const lane x = s->x - j->position.x, y = s->y - j->position.y, z = s->z - j->position.z;
	s->w += oz_sph_w(a->fluid.smoothing, x * x + y * y + z * z, a->fluid.h);
}

OZ_FN void fluid_density_end(const fluid_density_args *a, uint i, fluid_density_sum *s)
{
	if (a->plain_only && !a->plain[i])
		return;
	a->delta[i] = a->fluid.volume * lane_sum(s->w) + a->fluid.self + a->wall[i].w;
}

#define density_KERNELS(X) X(fluid_density, PAIRS)
OZ_KERNELS(density_KERNELS)
