// heat.cl: conduction and regions.
//
// Conduction (Cleary & Monaghan 1999), with V the rest volume of a particle and k the conductivity:
//
//   ρ0_i c_i dT_i/dt = κ V Σ_j 4 k_i k_j / (k_i + k_j) (T_i - T_j) / δ_ij (dW_ij/dr) / r_ij
//
// The harmonic mean makes the flux the same on both sides of a border between materials. A pair's
// terms are equal and opposite, so that heat is kept. κ is that of the pressure gradient: ∇ of a
// linear and ∇² of a square field ask for the same sum, Σ x·∇W = -3/V, over the ways that particles
// pack. δ_ij is the mean of both densities, walls left out, as a share of that at rest: it makes up
// for neighbours that are not there, so that surfaces, sheets and rods conduct to within 2 % as the
// inside does. Pairs nearer than h/4 count as if they were that far apart, which bounds the sum.
#include "device/kernel.h"
#include "geometry/shape.h"
#include "math/sph.h"
#include "models/heat/heat.h"
#include "particles/matter.h"

// what neighbours see: temperature in two parts, conductivity, density
#define HEAT_ALONE 0.25f // least density, of one that is alone
#define heat_take_ARGS(IN, OUT, VAL)                                                               \
	IN(float, temperature)                                                                     \
	IN(float, temperature_residual)                                                            \
	IN(float, density)                                                                         \
	IN(oz_float4, wall) IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, warm)
OZ_ARGS(heat_take)

OZ_FN void heat_take_at(const heat_take_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[i]];
	const float delta = a->density[i] * m.inv_density - a->wall[i].w;
	a->warm[i] = oz_make4(a->temperature[i], a->temperature_residual[i], m.conductivity,
	                      oz_max(delta, HEAT_ALONE));
}

#define heat_conduct_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, warm)                                                                        \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, temperature) OUT(float, temperature_residual) VAL(oz_fluid, fluid) VAL(float, dt)
#define heat_conduct_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(warm) CASE(fluid.smoothing)

typedef struct heat_conduct_sum {
	oz_float4 p, warm;
	lane flow;
} heat_conduct_sum;

OZ_PAIR_ARGS(heat_conduct)

OZ_FN void heat_conduct_begin(const heat_conduct_args *a, uint i, heat_conduct_sum *s)
{
	s->p = a->position[i];
	s->warm = a->warm[i];
	s->flow = lane_of(0.0f);
}

OZ_FN void heat_conduct_pair(const heat_conduct_args *a, heat_conduct_sum *s,
                             const heat_conduct_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const float h = a->fluid.h;
	const lane r2 = lane_max(x * x + y * y + z * z, lane_of(0.0625f * h * h));
	const lane drop = (s->warm.x - j->warm.x) + (s->warm.y - j->warm.y);
	const lane both = lane_max(s->warm.z + j->warm.z, lane_of(1e-30f));
	const lane k = s->warm.z * j->warm.z * lane_inverse(both * (s->warm.w + j->warm.w));
	s->flow += k * drop * oz_sph_gradient(a->fluid.smoothing, r2, h);
}

OZ_FN void heat_conduct_end(const heat_conduct_args *a, uint i, heat_conduct_sum *s)
{
	const oz_matter m = a->matter[a->material[i]];
	const float power = 8.0f * a->fluid.stress * a->fluid.volume * lane_sum(s->flow); // W/m³
	const float rise = heat_rise(&m, s->warm.x, power * m.inv_density * a->dt);
	heat_add(&a->temperature[i], &a->temperature_residual[i], rise);
}

// a region, as it acts in one step
typedef struct heat_place {
	uint kind;
	oz_vec3 size, position; // m
	oz_quat rotation;       // into its own frame
	float temperature;      // °C
	float action;           // its rate times the time that it is there
} heat_place;

#define heat_region_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, temperature) OUT(float, temperature_residual) VAL(heat_place, place)
OZ_ARGS(heat_region)

OZ_FN void heat_region_at(const heat_region_args *a, uint i)
{
	const oz_float4 x = a->position[i];
	const oz_vec3 way = oz_sub(oz_v3(x.x, x.y, x.z), a->place.position);
	const oz_vec3 own = oz_quat_rotate(a->place.rotation, way);
	if (oz_local_distance(a->place.kind, a->place.size, own) > 0.0f)
		return;
	const oz_matter m = a->matter[a->material[i]];
	heat_add(&a->temperature[i], &a->temperature_residual[i],
	         heat_toward(&m, a->temperature[i], a->place.temperature, a->place.action));
}

// not by the marks: the density leaves out elastic particles that touch nothing

#define heat_KERNELS(X)                                                                            \
	X(heat_take, EACH)                                                                         \
	X(heat_conduct, PAIRS)                                                                     \
	X(heat_region, EACH)
OZ_KERNELS(heat_KERNELS)
