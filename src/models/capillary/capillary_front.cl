// capillary_front.cl: the interface of two liquids, as a sheet of the particles on both sides of
// it.
//
// With σ_ij the tension between the liquids of two particles, 0 for the same liquid, and s_ij = 1
// where the liquid of j has the higher number, else -1,
//
//   b_i = V Σ_j s_ij σ_ij ∇W_ij
//   σ_i = Σ σ_ij W'/Σ W'            of neighbours with σ_ij > 0
//   n_i = b_i/|b_i|                 the same direction on both sides
//   a_i = 2 |b_i|/σ_i s³
//
// The sums of the sheet, of its curvature and of the force are those of a surface (capillary.cl):
// both sides are one sheet. At walls and solids the interface has the angle of Young's equation.
// With A the liquid of the lower number, B the other, θ the contact angle of the wall with any
// liquid and air, θ_A the angle of the interface inside A,
//
//   σ_AB cos θ_A = (σ_A - σ_B) cos θ        |cos θ_A| ≤ 1: beyond that one liquid covers the wall
//
// Both layers beside the interface have a whole area, and are a spacing apart, so the areas A of
// the sheet would add up to 1/d of the interface; σ_i is multiplied with d = ½ + ½ (1 - s²/h²)³.
//
// **Strays.** A particle that leaves its liquid is not in the sheet any more, and the forces above
// do not bring it back: both liquids would mix, particle by particle. With φ_i = 0 where at most
// 0.4 of its neighbours, weighted by u², are unlike, as at any smooth interface, and 1 from 0.7 on,
//
//   F_i = - V² Σ_j (φ_i + φ_j) σ_ij/s ∇W_ij
//
// pushes it out. The force of a pair is along the line between both and has no sum.
#include "device/kernel.h"
#include "math/sph.h"
#include "math/vec.h"
#include "models/capillary/capillary_rules.h"
#include "models/capillary/contact_line.h"
#include "particles/matter.h"

#define CAPILLARY_CALM  0.4f // share of unlike neighbours up to which a particle is no stray,
#define CAPILLARY_STRAY 0.7f // and from which it is one

// ---- which liquid ------------------------------------------------------------------------------

#define capillary_side_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, material)                                                                         \
	IN(uint, listed)                                                                           \
	IN(float, nozzle)                                                                          \
	OUT(oz_float4, side) OUT(uint, liquid) VAL(capillary_rules, rules) VAL(uint, nozzles)
OZ_ARGS(capillary_side)

// writes `side`, 1 at the number of its liquid, 0 elsewhere and in nozzles, and `liquid`, the
// length of the list of particles that have a number
OZ_FN void capillary_side_at(const capillary_side_args *a, uint i)
{
	const uint m = a->material[i];
	const capillary_rules *r = &a->rules;
	const bool inside = a->nozzles && a->nozzle[i] != 0.0f;
	oz_float4 s = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	if (!inside)
		s = oz_make4(m == r->fronts[0] ? 1.0f : 0.0f, m == r->fronts[1] ? 1.0f : 0.0f,
		             m == r->fronts[2] ? 1.0f : 0.0f, m == r->fronts[3] ? 1.0f : 0.0f);
	a->side[i] = s;
	a->liquid[i] = s.x + s.y + s.z + s.w > 0.0f ? a->listed[i] : 0u;
}

// ---- normals and areas -------------------------------------------------------------------------

#define capillary_front_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, side)                                                                        \
	IN(oz_float4, solid)                                                                       \
	IN(oz_float4, lining)                                                                      \
	IN(uint, liquid)                                                                           \
	OUT(oz_float4, edge)                                                                       \
	OUT(uint, outer)                                                                           \
	OUT(float, touch)                                                                          \
	OUT(oz_float4, meets)                                                                      \
	OUT(oz_float4, stray)                                                                      \
	OUT(float, tension) VAL(oz_fluid, fluid) VAL(capillary_rules, rules) VAL(uint, lined)
#define capillary_front_NEAR(PLACE, ALSO, CASE)                                                    \
	PLACE(position) ALSO(side) ALSO(solid) CASE(fluid.smoothing)
OZ_PAIR_ARGS(capillary_front)

typedef struct capillary_front_sum {
	oz_float4 p;
	oz_float4 row, unlike; // s σ of each liquid, N/m; 1 for those with σ > 0
	oz_float4 wets;        // σ_A - σ_B with each liquid, N/m
	lane x, y, z;          // Σ s σ ∇W
	lane pulls, count;     // Σ σ W', Σ W' of unlike liquids
	lane spread;           // Σ (σ_A - σ_B) W'
	lane of_x, of_y, of_z; // Σ ∇W of solids
	lane wetting, weight;  // of solids
	lane others, all;      // Σ u² of unlike liquids, of all particles
} capillary_front_sum;

// the number of a liquid
OZ_FN uint capillary_number(oz_float4 side)
{
	return side.y > 0.0f ? 1u : side.z > 0.0f ? 2u : side.w > 0.0f ? 3u : 0u;
}

// the tensions between liquid k and all
OZ_FN oz_float4 capillary_row(const capillary_rules *r, uint k)
{
	const uint at = CAPILLARY_FRONTS * k;
	return oz_make4(r->between[at], r->between[at + 1u], r->between[at + 2u],
	                r->between[at + 3u]);
}

// s σ between liquids k and q, σ: their tension
OZ_FN float capillary_signed(float sigma, uint k, uint q)
{
	return q > k ? sigma : -sigma;
}

// σ_A - σ_B of liquids k and q; 0 without a tension between them
OZ_FN float capillary_spreads(const capillary_rules *r, float sigma, uint k, uint q)
{
	return sigma > 0.0f ? capillary_signed(r->surface[k] - r->surface[q], k, q) : 0.0f;
}

// Writes n and a of the particles at an interface, `outer` and `touch` as of a surface, and
// `tension`, σ_i d, and `stray`, φ (x).
OZ_FN void capillary_front_begin(const capillary_front_args *a, uint i, capillary_front_sum *s)
{
	const uint k = capillary_number(a->side[i]);
	const capillary_rules *r = &a->rules;
	s->p = a->position[i];
	const oz_float4 row = capillary_row(r, k);
	s->row = oz_make4(capillary_signed(row.x, k, 0u), capillary_signed(row.y, k, 1u),
	                  capillary_signed(row.z, k, 2u), capillary_signed(row.w, k, 3u));
	s->wets = oz_make4(capillary_spreads(r, row.x, k, 0u), capillary_spreads(r, row.y, k, 1u),
	                   capillary_spreads(r, row.z, k, 2u), capillary_spreads(r, row.w, k, 3u));
	s->unlike = oz_make4(row.x > 0.0f ? 1.0f : 0.0f, row.y > 0.0f ? 1.0f : 0.0f,
	                     row.z > 0.0f ? 1.0f : 0.0f, row.w > 0.0f ? 1.0f : 0.0f);
	s->x = s->y = s->z = s->pulls = s->count = lane_of(0.0f);
	s->of_x = s->of_y = s->of_z = s->others = s->all = lane_of(0.0f);
	s->spread = s->wetting = s->weight = lane_of(0.0f);
}

OZ_FN void capillary_front_pair(const capillary_front_args *a, capillary_front_sum *s,
                                const capillary_front_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane g = oz_sph_gradient(a->fluid.smoothing, x * x + y * y + z * z, a->fluid.h);
	const lane sigma = s->row.x * j->side.x + s->row.y * j->side.y + s->row.z * j->side.z +
	                   s->row.w * j->side.w;
	const lane unlike = s->unlike.x * j->side.x + s->unlike.y * j->side.y +
	                    s->unlike.z * j->side.z + s->unlike.w * j->side.w;
	const lane w = g * sigma, of = g * j->solid.x;
	s->x += w * x;
	s->y += w * y;
	s->z += w * z;
	s->pulls += lane_max(w, -w);
	s->count -= g * unlike;
	s->spread -= g * (s->wets.x * j->side.x + s->wets.y * j->side.y + s->wets.z * j->side.z +
	                  s->wets.w * j->side.w);
	const lane u = lane_max(1.0f - (x * x + y * y + z * z) * (1.0f / (a->fluid.h * a->fluid.h)),
	                        lane_of(0.0f));
	s->others += u * u * unlike;
	s->all += u * u;
	s->of_x += of * x;
	s->of_y += of * y;
	s->of_z += of * z;
	s->wetting += g * j->solid.y;
	s->weight += of;
}

// cos θ_A of the interface on a wall of contact angle θ; `spread`: σ_A - σ_B, `sigma`: σ_AB, N/m
OZ_FN float capillary_young(float spread, float sigma, float cosine)
{
	return sigma > 0.0f ? oz_min(oz_max(spread * cosine / sigma, -1.0f), 1.0f) : 0.0f;
}

// Σ u² of the neighbours in a full lattice over the sum that is found beside a wall or a solid:
// what is behind the wall counts as both liquids do in front of it. 1 without contact.
OZ_FN float capillary_filled(const capillary_rules *r, const capillary_contact *c, float all)
{
	const float more = oz_min(oz_max(r->neighbours / oz_max(all, 1.0f), 1.0f), 2.0f);
	return 1.0f + c->touch * (more - 1.0f);
}

OZ_FN void capillary_front_end(const capillary_front_args *a, uint i, capillary_front_sum *s)
{
	const float v = a->fluid.volume, d = a->rules.spacing, count = lane_sum(s->count);
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	const float sigma = count > 0.0f ? lane_sum(s->pulls) / count : 0.0f;
	const float all = lane_sum(s->all), share = all > 0.0f ? lane_sum(s->others) / all : 0.0f;
	const float alone = (share - CAPILLARY_CALM) / (CAPILLARY_STRAY - CAPILLARY_CALM);
	a->stray[i] = oz_make4(oz_min(oz_max(alone, 0.0f), 1.0f), 0.0f, 0.0f, 0.0f);
	a->tension[i] = sigma * a->rules.doubled;
	a->edge[i] = none;
	a->outer[i] = 0u;
	a->touch[i] = 0.0f;
	a->meets[i] = none;
	capillary_contact c =
	        capillary_contact_of(&a->rules, a->lined ? a->lining[i] : none,
	                             oz_scale(oz_v3(lane_sum(s->of_x), lane_sum(s->of_y),
	                                            lane_sum(s->of_z)),
	                                      v),
	                             lane_sum(s->weight), lane_sum(s->wetting));
	const oz_vec3 b =
	        oz_scale(oz_v3(lane_sum(s->x), lane_sum(s->y), lane_sum(s->z)),
	                 sigma > 0.0f ? v / sigma * capillary_filled(&a->rules, &c, all) : 0.0f);
	const float size = oz_length(b), at = capillary_at_surface(&a->rules, size);
	if (!(a->liquid[i] && at > 0.0f))
		return;
	c.cosine =
	        capillary_young(sigma > 0.0f ? lane_sum(s->spread) / count : 0.0f, sigma, c.cosine);
	const oz_vec3 n = capillary_contact_normal(oz_scale(b, 1.0f / size), &c);
	a->edge[i] = oz_make4(n.x, n.y, n.z, 2.0f * size * d * d * d * at);
	a->outer[i] = a->liquid[i];
	a->touch[i] = c.touch;
	a->meets[i] = oz_make4(c.k.x, c.k.y, c.k.z, c.cosine);
}

// ---- strays ------------------------------------------------------------------------------------

#define capillary_part_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, side)                                                                        \
	IN(oz_float4, stray)                                                                       \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, acceleration) VAL(oz_fluid, fluid) VAL(capillary_rules, rules)
#define capillary_part_NEAR(PLACE, ALSO, CASE)                                                     \
	PLACE(position) ALSO(side) ALSO(stray) CASE(fluid.smoothing)
OZ_PAIR_ARGS(capillary_part)

typedef struct capillary_part_sum {
	oz_float4 p, row;
	float own;
	lane x, y, z;
} capillary_part_sum;

// adds the acceleration of F
OZ_FN void capillary_part_begin(const capillary_part_args *a, uint i, capillary_part_sum *s)
{
	const uint k = capillary_number(a->side[i]);
	const capillary_rules *r = &a->rules;
	s->p = a->position[i];
	s->row = capillary_row(r, k);
	s->own = a->stray[i].x;
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void capillary_part_pair(const capillary_part_args *a, capillary_part_sum *s,
                               const capillary_part_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane g = oz_sph_gradient(a->fluid.smoothing, x * x + y * y + z * z, a->fluid.h);
	const lane sigma = s->row.x * j->side.x + s->row.y * j->side.y + s->row.z * j->side.z +
	                   s->row.w * j->side.w;
	const lane w = g * sigma * (s->own + j->stray.x);
	s->x += w * x;
	s->y += w * y;
	s->z += w * z;
}

OZ_FN void capillary_part_end(const capillary_part_args *a, uint i, capillary_part_sum *s)
{
	OZ_GLOBAL const oz_matter *m = &a->matter[a->material[i]];
	const float f = -a->fluid.volume / a->rules.spacing * m->inv_density;
	a->acceleration[i].x += f * lane_sum(s->x);
	a->acceleration[i].y += f * lane_sum(s->y);
	a->acceleration[i].z += f * lane_sum(s->z);
}

#define capillary_front_KERNELS(X)                                                                 \
	X(capillary_side, EACH)                                                                    \
	X(capillary_front, PAIRS) X(capillary_part, PAIRS)
OZ_KERNELS(capillary_front_KERNELS)
