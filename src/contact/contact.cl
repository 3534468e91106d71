// contact.cl: pressure and viscosity of inner pairs and of contact (contact.h).
//
// Pressure has two parts. With δ the density of all neighbours, and δc the density of the rest
// shape plus that of contact pairs and walls,
//
//   E = Σ V (α u(δ) + (1 - α) u(δc)),   P = α P(δ) + (1 - α) P(δc)
//
// In inner pairs the pressure α P(δ) acts. In contact pairs (another body, or another part of the
// same body) and at walls all of P acts, also at α = 0. Both parts come from one energy, so that a
// body at rest stays at rest.
//
// Inner pairs have the kernel of the fluid, contact pairs that of solids (rules.c).
#include "contact/contact_key.h"
#include "device/kernel.h"
#include "math/rotation_lanes.h"
#include "math/sph.h"
#include "particles/matter.h"
#include "particles/viscous.h"

// ---- keys --------------------------------------------------------------------------------------

#define contact_find_key_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, slot)                                                                             \
	IN(oz_float4, rest)                                                                        \
	IN(uint, tag)                                                                              \
	IN(uint, shapeless)                                                                        \
	IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, contact_key) VAL(uint, slots)
OZ_ARGS(contact_find_key)

// writes the contact key of each particle; the fraction of blends is written later
OZ_FN void contact_find_key_at(const contact_find_key_args *a, uint i)
{
	const uint k = a->slot[i];
	a->contact_key[i] = oz_make4(0.0f, 0.0f, 0.0f, oz_float_of_bits(OZ_KEY_FLUID));
	if (k >= a->slots)
		return;
	const oz_matter m = a->matter[a->material[i]];
	// a molten elastic particle has the key of a fluid
	if (!m.firm || !a->shapeless[k]) {
		const oz_float4 r = a->rest[k];
		a->contact_key[i] = oz_make4(r.x, r.y, r.z,
		                             m.firm ? contact_firm_bits(a->tag[k], m.friction)
		                                    : contact_soft_bits(a->tag[k], 0.0f));
	}
}

// ---- density -----------------------------------------------------------------------------------

#define contact_classify_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, contact_key)                                                                 \
	IN(uint, slot)                                                                             \
	IN(uint, listed)                                                                           \
	OUT(uint, plain)                                                                           \
	OUT(uint, touching)                                                                        \
	OUT(uint, alone)                                                                           \
	VAL(contact_reach, reach)                                                                  \
	VAL(float, radius2) VAL(uint, slots) VAL(uint, has_plain) VAL(uint, has_alone)
#define contact_classify_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(contact_key)

typedef struct contact_classify_sum {
	oz_float4 p, contact_key;
	uint bits;
	lane foreign;
} contact_classify_sum;

OZ_PAIR_ARGS(contact_classify)

// Divides particles into plain, alone and touching (contact.h) by the number of contact pairs in
// their lists. Valid until lists or keys are made anew. Alone: only viscosity of inner pairs and
// walls act, see contact_damp. `position`: the positions that lists were made from.
OZ_FN void contact_classify_begin(const contact_classify_args *a, uint i, contact_classify_sum *s)
{
	s->p = a->position[i];
	s->contact_key = a->contact_key[i];
	s->bits = oz_bits_of_float(s->contact_key.w);
	s->foreign = lane_of(0.0f);
}

OZ_FN void contact_classify_pair(const contact_classify_args *a, contact_classify_sum *s,
                                 const contact_classify_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane_mask inner =
	        contact_is_inner(s->contact_key, s->bits, a->reach.firm2, &j->contact_key);
	// the padding of a vector is far away
	const lane_mask listed = x * x + y * y + z * z < a->radius2;
	s->foreign += lane_select(inner | (listed == 0), lane_of(0.0f), lane_of(1.0f));
}

OZ_FN void contact_classify_end(const contact_classify_args *a, uint i, contact_classify_sum *s)
{
	const bool by_itself = lane_sum(s->foreign) == 0.0f, fluid = s->bits == OZ_KEY_FLUID;
	const bool plain = a->has_plain && by_itself && fluid && a->slot[i] >= a->slots;
	const bool alone = a->has_alone && by_itself && !fluid && (s->bits & OZ_KEY_FIRM);
	const uint listed = a->listed[i];
	a->touching[i] = plain || alone ? 0u : listed;
	if (a->has_plain)
		a->plain[i] = plain ? listed : 0u;
	if (a->has_alone)
		a->alone[i] = alone ? listed : 0u;
}

#define contact_density_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, wall)                                                                        \
	IN(uint, slot)                                                                             \
	IN(float, own_rest)                                                                        \
	IN(uint, plain)                                                                            \
	OUT(float, delta)                                                                          \
	OUT(float, contact_delta)                                                                  \
	VAL(oz_fluid, fluid)                                                                       \
	VAL(oz_fluid, solid)                                                                       \
	VAL(contact_reach, reach) VAL(uint, slots) VAL(uint, has_plain) VAL(uint, shared)
#define contact_density_NEAR(PLACE, ALSO, CASE)                                                    \
	PLACE(position) ALSO(contact_key) CASE(fluid.smoothing)

typedef struct contact_density_sum {
	oz_float4 p, contact_key;
	float reach2;
	uint bits;
	lane own, foreign, soft; // soft: the part of foreign of fluids and blends
} contact_density_sum;

OZ_PAIR_ARGS(contact_density)

// writes δ of particles that are not plain, and δc of their slots
OZ_FN void contact_density_begin(const contact_density_args *a, uint i, contact_density_sum *s)
{
	s->p = a->position[i];
	s->contact_key = a->contact_key[i];
	s->bits = oz_bits_of_float(s->contact_key.w);
	s->reach2 = contact_reach_of(a->reach, s->bits);
	s->own = s->foreign = s->soft = lane_of(0.0f);
}

OZ_FN void contact_density_pair(const contact_density_args *a, contact_density_sum *s,
                                const contact_density_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z, zero = lane_of(0.0f);
	const lane_mask inner =
	        contact_is_inner(s->contact_key, s->bits, s->reach2, &j->contact_key);
	s->own += lane_select(inner, oz_sph_w(a->fluid.smoothing, r2, a->fluid.h), zero);
	const lane other = lane_select(inner, zero, oz_sph_w(a->solid.smoothing, r2, a->solid.h));
	s->foreign += other;
	if (a->shared) {
		const lane_mask firm = (oz_lane_bits(j->contact_key.w) & (int)OZ_KEY_FIRM) != 0;
		s->soft += lane_select(firm, zero, other);
	}
}

OZ_FN void contact_density_end(const contact_density_args *a, uint i, contact_density_sum *s)
{
	const uint k = a->slot[i];
	if (a->has_plain && a->plain[i])
		return;
	const float pairs = a->solid.volume * lane_sum(s->foreign), wall = a->wall[i].w;
	a->delta[i] = a->fluid.volume * lane_sum(s->own) + a->fluid.self + (pairs + wall);
	// λ is tabulated with the fluid's kernel, own_rest of a solid is summed with that of
	// solids, which is shorter: λ is scaled. The push of the wall keeps the whole ∇λ, as
	// friction and loads read it.
	const float firm_wall =
	        oz_min(a->solid.wall * wall,
	               a->solid.wall_slope * oz_max(wall - a->solid.wall_from, 0.0f));
	const float left_out = (float)(OZ_KEY_SHARE - contact_share_units(wall)) *
	                       (1.0f / (float)OZ_KEY_SHARE) * a->solid.volume * lane_sum(s->soft);
	if (k < a->slots)
		a->contact_delta[k] =
		        a->own_rest[k] +
		        (s->bits & OZ_KEY_FIRM ? pairs - left_out + firm_wall : pairs + wall);
}

// ---- forces ------------------------------------------------------------------------------------

#define contact_force_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, wall)                                                                        \
	IN(uint, plain)                                                                            \
	IN(uint, slot)                                                                             \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, touch)                                                                          \
	OUT(oz_float4, acceleration)                                                               \
	VAL(oz_fluid, fluid)                                                                       \
	VAL(oz_fluid, solid)                                                                       \
	VAL(contact_reach, reach) VAL(uint, has_plain) VAL(uint, slots)
#define contact_force_NEAR(PLACE, ALSO, CASE)                                                      \
	PLACE(position) ALSO(velocity) ALSO(contact_key) CASE(fluid.smoothing)

typedef struct contact_force_sum {
	oz_float4 p, v, contact_key; // position and pressure, velocity and viscous weight
	float inner;                 // pressure in inner pairs
	float fraction_unit;         // 1 / OZ_KEY_FRACTION; 0 for elastic
	float reach2;
	uint bits, paper;
	lane x, y, z;    // inner forces
	lane cx, cy, cz; // contact
} contact_force_sum;

OZ_PAIR_ARGS(contact_force)

// writes the acceleration of particles that are not plain, and the contact acceleration of blends
OZ_FN void contact_force_begin(const contact_force_args *a, uint i, contact_force_sum *s)
{
	const oz_matter m = a->matter[a->material[i]];
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->contact_key = a->contact_key[i];
	s->bits = oz_bits_of_float(s->contact_key.w);
	s->reach2 = contact_reach_of(a->reach, s->bits);
	s->fraction_unit = s->bits & OZ_KEY_FIRM ? 0.0f : 1.0f / (float)OZ_KEY_FRACTION;
	s->inner = s->p.w * s->fraction_unit * (float)(s->bits & OZ_KEY_FRACTION);
	s->paper = m.paper;
	s->x = s->y = s->z = s->cx = s->cy = s->cz = lane_of(0.0f);
}

// Takamatsu & Kanai eq 1 as printed: the pressure of the neighbour only, gradient of poly6.
OZ_FN lane contact_paper_pressure(const oz_fluid *f, lane pressure, lane r2)
{
	const float h2 = f->h * f->h;
	const float scale = -6.0f * 315.0f / (64.0f * OZ_PI * h2 * h2 * h2 * h2 * f->h);
	const lane t = lane_max(h2 - r2, lane_of(0.0f));
	return scale / f->stress * pressure * t * t;
}

OZ_FN void contact_force_pair(const contact_force_args *a, contact_force_sum *s,
                              const contact_force_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z;
	const lane_mask inner =
	        contact_is_inner(s->contact_key, s->bits, s->reach2, &j->contact_key);
	const lane fraction = oz_lane_float(oz_lane_bits(j->contact_key.w) & (int)OZ_KEY_FRACTION);
	const lane theirs = j->position.w * fraction * s->fraction_unit;
	const lane viscous = fluid_viscous(&a->fluid, s->v, &j->velocity, x, y, z, r2);
	const lane gradient = oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	const lane zero = lane_of(0.0f);
	const lane steep = oz_sph_gradient(a->solid.smoothing, r2, a->solid.h);
	const contact_shares share = contact_shares_of(s->bits, &j->contact_key);
	const lane presses = share.own * s->p.w + share.other * j->position.w;
	const lane whole = (viscous - presses) * steep;
	const lane scaled =
	        s->paper ? viscous * gradient - contact_paper_pressure(&a->fluid, theirs, r2)
	                 : (viscous - (s->inner + theirs)) * gradient;
	const lane f = lane_select(inner, scaled, zero), contact = lane_select(inner, zero, whole);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
	s->cx += contact * x;
	s->cy += contact * y;
	s->cz += contact * z;
}

OZ_FN void contact_force_end(const contact_force_args *a, uint i, contact_force_sum *s)
{
	if (a->has_plain && a->plain[i])
		return;
	const float inv_density = a->matter[a->material[i]].inv_density;
	const float pairs = a->fluid.volume * inv_density;
	const float walls = -s->p.w * inv_density;
	const oz_float4 wall = a->wall[i];
	const float others = a->solid.volume * inv_density;
	const oz_vec3 contact = oz_v3(others * lane_sum(s->cx) + walls * wall.x,
	                              others * lane_sum(s->cy) + walls * wall.y,
	                              others * lane_sum(s->cz) + walls * wall.z);
	const bool soft = s->bits != OZ_KEY_FLUID && !(s->bits & OZ_KEY_FIRM);
	const uint k = a->slot[i];
	if (k < a->slots)
		a->touch[k] = soft ? oz_length(contact) : 0.0f;
	a->acceleration[i] =
	        oz_make4(pairs * lane_sum(s->x) + contact.x + a->fluid.gravity.x,
	                 pairs * lane_sum(s->y) + contact.y + a->fluid.gravity.y,
	                 pairs * lane_sum(s->z) + contact.z + a->fluid.gravity.z, 0.0f);
}

#define contact_damp_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, acceleration) VAL(oz_fluid, fluid)
#define contact_damp_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(velocity) CASE(fluid.smoothing)

typedef struct contact_damp_sum {
	oz_float4 p, v;
	lane x, y, z;
} contact_damp_sum;

OZ_PAIR_ARGS(contact_damp)

// Adds the viscosity of inner pairs to the acceleration of `alone` particles; others have count 0
// here.
OZ_FN void contact_damp_begin(const contact_damp_args *a, uint i, contact_damp_sum *s)
{
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void contact_damp_pair(const contact_damp_args *a, contact_damp_sum *s,
                             const contact_damp_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z;
	const lane f = fluid_viscous(&a->fluid, s->v, &j->velocity, x, y, z, r2) *
	               oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
}

OZ_FN void contact_damp_end(const contact_damp_args *a, uint i, contact_damp_sum *s)
{
	const float pairs = a->fluid.volume * a->matter[a->material[i]].inv_density;
	const oz_float4 f = a->acceleration[i];
	a->acceleration[i] = oz_make4(f.x + pairs * lane_sum(s->x), f.y + pairs * lane_sum(s->y),
	                              f.z + pairs * lane_sum(s->z), f.w);
}

#define contact_KERNELS(X)                                                                         \
	X(contact_find_key, EACH)                                                                  \
	X(contact_classify, PAIRS)                                                                 \
	X(contact_density, PAIRS)                                                                  \
	X(contact_force, PAIRS_MARKED)                                                             \
	X(contact_damp, PAIRS)
OZ_KERNELS(contact_KERNELS)
