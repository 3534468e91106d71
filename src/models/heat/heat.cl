// heat.cl: kernels of heat conduction and of regions that heat or cool.
//
// Conduction (Cleary & Monaghan 1999), with V the rest volume of a particle and k the conductivity:
//
//   ρ0_i c_i dT_i/dt = κ V Σ_j 4 k_i k_j / (k_i + k_j) (T_i - T_j) / δ_ij (dW_ij/dr) / r_ij
//
// The harmonic mean makes the flux equal on both sides of an interface between materials. A pair's
// terms are equal and opposite, so heat is conserved. κ is the factor of the pressure gradient
// (oz_fluid.stress): the gradient of a linear field and the Laplacian of a quadratic field need the
// same sum, Σ x·∇W = -3/V, averaged over particle arrangements. δ_ij is the mean of both densities
// without walls, as a share of the rest density. It corrects for missing neighbours: surfaces,
// sheets and rods conduct as the interior does, to within 2 %. A pair closer than h/4 is computed
// with a distance of h/4, which bounds the sum.
#include "device/kernel.h"
#include "geometry/shape.h"
#include "math/sph.h"
#include "models/heat/heat.h"
#include "particles/matter.h"

// Writes the values that heat_conduct reads of neighbours into `warm`: temperature (x and y, two
// floats), conductivity (z), density without walls as a share of the rest density (w).
#define HEAT_LEAST_DENSITY 0.25f // lower bound of w, reached by a particle without neighbours
#define heat_gather_ARGS(IN, OUT, VAL)                                                             \
	IN(float, temperature)                                                                     \
	IN(float, temperature_residual)                                                            \
	IN(float, density)                                                                         \
	IN(oz_float4, wall) IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, warm)
OZ_ARGS(heat_gather)

// writes what conduction reads of a neighbour: temperature, its rounding error, conductivity,
// density without walls
OZ_FN void heat_gather_at(const heat_gather_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[i]];
	const float delta = a->density[i] * m.inv_density - a->wall[i].w;
	a->warm[i] = oz_make4(a->temperature[i], a->temperature_residual[i], m.conductivity,
	                      oz_max(delta, HEAT_LEAST_DENSITY));
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

// adds the conduction of a time `dt` to the temperature
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

// a region in one step
typedef struct heat_place {
	uint kind;              // of its shape
	oz_vec3 size, position; // m
	oz_quat rotation;       // from the world's frame into that of the region
	float temperature;      // °C
	float action;           // rate times the time in this step during which it is active
} heat_place;

#define heat_region_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, temperature) OUT(float, temperature_residual) VAL(heat_place, place)
OZ_ARGS(heat_region)

// moves the temperature of particles inside a region towards that of the region
OZ_FN void heat_region_at(const heat_region_args *a, uint i)
{
	const oz_float4 x = a->position[i];
	const oz_vec3 offset = oz_sub(oz_v3(x.x, x.y, x.z), a->place.position);
	const oz_vec3 in_frame = oz_quat_rotate(a->place.rotation, offset);
	if (oz_local_distance(a->place.kind, a->place.size, in_frame) > 0.0f)
		return;
	const oz_matter m = a->matter[a->material[i]];
	heat_add(&a->temperature[i], &a->temperature_residual[i],
	         heat_toward(&m, a->temperature[i], a->place.temperature, a->place.action));
}

// PAIRS, not PAIRS_MARKED: marks leave out elastic particles without contact, but these conduct too

#define heat_KERNELS(X)                                                                            \
	X(heat_gather, EACH)                                                                       \
	X(heat_conduct, PAIRS)                                                                     \
	X(heat_region, EACH)
OZ_KERNELS(heat_KERNELS)
