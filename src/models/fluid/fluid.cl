// fluid.cl: the forces of a fluid: pressure, viscosity, gravity.
//
// With V the rest volume of a particle, λ the density that walls contribute, as a share of the rest
// density, and P the pressure term of pairs (src/pressure),
//
//   a_i = - 1/ρ0_i (V Σ_j (P_i + P_j) ∇W_ij + P_i ∇λ_i)
//         + V/ρ0_i Σ_j η_ij (v_ij·x_ij)/(x_ij² + 0.01 h²) ∇W_ij + g
//
// Both pair forces point along x_ij and are equal and opposite, so linear and angular momentum are
// conserved. η_ij = √(η_i η_j), η = 10 μ + damping ρ0 c h/2 is the sum of physical viscosity
// (Monaghan 2005, the form that conserves angular momentum) and artificial viscosity.
#include "device/kernel.h"
#include "math/sph.h"
#include "particles/matter.h"
#include "particles/viscous.h"

#define fluid_force_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, wall)                                                                        \
	IN(uint, plain)                                                                            \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, acceleration) VAL(oz_fluid, fluid) VAL(uint, plain_only)
#define fluid_force_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(velocity) CASE(fluid.smoothing)

typedef struct fluid_force_sum {
	oz_float4 p; // position and pressure term
	oz_float4 v; // velocity and viscous weight
	lane x, y, z;
} fluid_force_sum;

OZ_PAIR_ARGS(fluid_force)

// writes the acceleration of plain particles by pressure, viscosity, walls and gravity
OZ_FN void fluid_force_begin(const fluid_force_args *a, uint i, fluid_force_sum *s)
{
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void fluid_force_pair(const fluid_force_args *a, fluid_force_sum *s,
                            const fluid_force_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z;
	const lane viscous = fluid_viscous(&a->fluid, s->v, &j->velocity, x, y, z, r2);
	const lane f = (viscous - (s->p.w + j->position.w)) *
	               oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
}

OZ_FN void fluid_force_end(const fluid_force_args *a, uint i, fluid_force_sum *s)
{
	if (a->plain_only && !a->plain[i])
		return;
	const float inv_density = a->matter[a->material[i]].inv_density;
	const float pairs = a->fluid.volume * inv_density;
	const float walls = -s->p.w * inv_density;
	const oz_float4 wall = a->wall[i];
	a->acceleration[i] =
	        oz_make4(pairs * lane_sum(s->x) + walls * wall.x + a->fluid.gravity.x,
	                 pairs * lane_sum(s->y) + walls * wall.y + a->fluid.gravity.y,
	                 pairs * lane_sum(s->z) + walls * wall.z + a->fluid.gravity.z, 0.0f);
}

#define fluid_KERNELS(X) X(fluid_force, PAIRS_MARKED)
OZ_KERNELS(fluid_KERNELS)
