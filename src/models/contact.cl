// contact.cl: a pressure that knows what belongs together.
//
// Pressure has two parts. With δ the density of all that is around, and δc that of the reference
// shape plus what does not belong to it,
//
//   E = Σ V (α u(δ) + (1 - α) u(δc)),   P = α P(δ) + (1 - α) P(δc)
//
// particles that are near in one reference shape (inner pairs) feel α P(δ) of each other, all
// others, of another body or of another part of this one, and walls all of P: that is contact, and
// it is there at α = 0 too. Both parts come from one energy, so that a body at rest stays at rest.
#include "device/kernel.h"
#include "math/rotation_lanes.h"
#include "math/sph.h"
#include "models/matter.h"
#include "models/pressure.h"

// ---- ties --------------------------------------------------------------------------------------

#define blend_find_ARGS(IN, OUT, VAL) IN(uint, slot) OUT(uint, where) VAL(uint, slots)
OZ_KERNEL(blend_find)
{
	const uint k = a->slot[i];
	if (k < a->slots)
		a->where[k] = i;
}

// Who belongs together: the rest position, and as bits of w the lump's tag and the share of the
// pressure that inner pairs feel, in 32767 steps; or of a solid, whose inner pairs feel none, its
// friction. Where there are more lumps than tags, two of the same tag are told apart by where they
// rest.
#define OZ_TIE_SHARE    32767u
#define OZ_TIE_FIRM     32768u
#define OZ_TIE_FRICTION 8.0f        // the most there is
#define OZ_TIE_FLUID    0xffff7fffu // feels everyone, as one of its own

OZ_FN float blend_tie_bits(uint tag, float share)
{
	return oz_float_of_bits(tag << 16 | (uint)(share * (float)OZ_TIE_SHARE + 0.5f));
}

OZ_FN float blend_firm_bits(uint tag, float friction)
{
	const float share = friction / OZ_TIE_FRICTION * (float)OZ_TIE_SHARE;
	return oz_float_of_bits(tag << 16 | OZ_TIE_FIRM | (uint)(share + 0.5f));
}

#define blend_tie_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, slot)                                                                             \
	IN(oz_float4, rest)                                                                        \
	IN(uint, tag)                                                                              \
	IN(uint, fresh)                                                                            \
	IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, tie) VAL(uint, slots)
OZ_KERNEL(blend_tie)
{
	const uint k = a->slot[i];
	a->tie[i] = oz_make4(0.0f, 0.0f, 0.0f, oz_float_of_bits(OZ_TIE_FLUID));
	if (k >= a->slots)
		return;
	const oz_matter m = a->matter[a->material[i]];
	// a molten solid is a fluid like any other
	if (!m.firm || !a->fresh[k]) {
		const oz_float4 r = a->rest[k];
		a->tie[i] = oz_make4(r.x, r.y, r.z,
		                     m.firm ? blend_firm_bits(a->tag[k], m.friction)
		                            : blend_tie_bits(a->tag[k], 0.0f));
	}
}

// the share is known once all densities are
#define blend_share_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, slot) IN(uint, tag) IN(float, inner) OUT(oz_float4, tie) VAL(uint, slots)
OZ_KERNEL(blend_share)
{
	const uint k = a->slot[i];
	const uint bits = oz_bits_of_float(a->tie[i].w);
	if (k < a->slots && !(bits & OZ_TIE_FIRM) && bits != OZ_TIE_FLUID)
		a->tie[i].w = blend_tie_bits(a->tag[k], a->inner[k]);
}

// ---- density -----------------------------------------------------------------------------------

// Squares of the distances in a reference shape up to which pairs of one lump are inner ones:
// the smallest cluster radius of all blends, the same from both sides; and what solids can be
// squeezed without particles meeting that were not neighbours.
typedef struct blend_reach {
	float soft2, firm2;
} blend_reach;

OZ_FN float blend_reach_of(blend_reach reach, uint bits)
{
	return bits & OZ_TIE_FIRM ? reach.firm2 : reach.soft2;
}

OZ_FN lane_mask blend_is_inner(oz_float4 own, uint bits, float reach2, const lane4 *tie)
{
	const lane x = own.x - tie->x, y = own.y - tie->y, z = own.z - tie->z;
	const lane_mask apart = (oz_lane_bits(tie->w) ^ (int)bits) & ~0xffff;
	return (apart == 0) & (x * x + y * y + z * z < reach2);
}

// Which solid particles have none but inner pairs in their lists: these touch nobody until lists or
// ties are made anew, feel no pressure but that of walls, and are left to blend_damp. The others,
// and all that is not solid, keep the whole list. Positions are those that lists were made from.
#define blend_alone_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, tie)                                                                         \
	IN(uint, listed)                                                                           \
	OUT(uint, touching) OUT(uint, alone) VAL(blend_reach, reach) VAL(float, radius2)
#define blend_alone_FETCH(F) F(position) F(tie)

typedef struct blend_alone_sum {
	oz_float4 p, tie;
	uint bits;
	lane foreign;
} blend_alone_sum;

OZ_PAIR_ARGS(blend_alone)

OZ_FN void blend_alone_begin(const blend_alone_args *a, uint i, blend_alone_sum *s)
{
	s->p = a->position[i];
	s->tie = a->tie[i];
	s->bits = oz_bits_of_float(s->tie.w);
	s->foreign = lane_of(0.0f);
}

OZ_FN void blend_alone_pair(const blend_alone_args *a, blend_alone_sum *s,
                            const blend_alone_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane_mask inner = blend_is_inner(s->tie, s->bits, a->reach.firm2, &j->tie);
	// what fills up a vector is far away
	const lane_mask listed = x * x + y * y + z * z < a->radius2;
	s->foreign += lane_select(inner | (listed == 0), lane_of(0.0f), lane_of(1.0f));
}

OZ_FN void blend_alone_end(const blend_alone_args *a, uint i, blend_alone_sum *s)
{
	const bool alone =
	        s->bits != OZ_TIE_FLUID && (s->bits & OZ_TIE_FIRM) && lane_sum(s->foreign) == 0.0f;
	a->touching[i] = alone ? 0u : a->listed[i];
	a->alone[i] = alone ? a->listed[i] : 0u;
}

#define blend_density_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, tie)                                                                         \
	IN(oz_float4, wall)                                                                        \
	IN(uint, slot)                                                                             \
	IN(float, own_rest)                                                                        \
	IN(float, own_alpha)                                                                       \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, inner)                                                                          \
	OUT(oz_float4, flow)                                                                       \
	OUT(oz_float4, anchor)                                                                     \
	OUT(float, density) VAL(oz_fluid, fluid) VAL(blend_reach, reach) VAL(uint, slots)
#define blend_density_FETCH(F) F(position) F(tie)

typedef struct blend_density_sum {
	oz_float4 p, tie;
	float reach2;
	uint bits;
	lane all, foreign;
} blend_density_sum;

OZ_PAIR_ARGS(blend_density)

OZ_FN void blend_density_begin(const blend_density_args *a, uint i, blend_density_sum *s)
{
	s->p = a->position[i];
	s->tie = a->tie[i];
	s->bits = oz_bits_of_float(s->tie.w);
	s->reach2 = blend_reach_of(a->reach, s->bits);
	s->all = s->foreign = lane_of(0.0f);
}

OZ_FN void blend_density_pair(const blend_density_args *a, blend_density_sum *s,
                              const blend_density_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane w = oz_sph_w(a->fluid.smoothing, x * x + y * y + z * z, a->fluid.h);
	const lane_mask inner = blend_is_inner(s->tie, s->bits, s->reach2, &j->tie);
	s->all += w;
	s->foreign += lane_select(inner, lane_of(0.0f), w);
}

OZ_FN void blend_density_end(const blend_density_args *a, uint i, blend_density_sum *s)
{
	const uint k = a->slot[i];
	const oz_matter m = a->matter[a->material[i]];
	const bool blended = k < a->slots;
	const float alpha = blended ? matter_alpha(a->own_alpha[k], m.alpha) : 1.0f;
	const float delta = a->fluid.volume * lane_sum(s->all) + a->fluid.self + a->wall[i].w;
	const float around = a->fluid.volume * lane_sum(s->foreign) + a->wall[i].w;
	const float touched = blended ? a->own_rest[k] + around : 1.0f;
	const float pf = alpha * fluid_pressure(&a->fluid, m.density, delta);
	const float pc = (1.0f - alpha) * fluid_pressure(&a->fluid, m.density, touched);
	const float inner = pf / (delta * delta), whole = inner + pc / (touched * touched);
	a->density[i] = m.density * (alpha * delta + (1.0f - alpha) * touched);
	a->flow[i] = oz_make4(s->p.x, s->p.y, s->p.z, a->fluid.stress * whole);
	a->anchor[i].w = pf + pc;
	if (blended)
		a->inner[k] = whole != 0.0f ? oz_min(oz_max(inner / whole, 0.0f), 1.0f) : 0.0f;
}

// ---- forces ------------------------------------------------------------------------------------

#define blend_force_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, tie)                                                                         \
	IN(oz_float4, wall)                                                                        \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, acceleration) VAL(oz_fluid, fluid) VAL(blend_reach, reach) VAL(float, grip)
#define blend_force_FETCH(F) F(position) F(velocity) F(tie)

typedef struct blend_force_sum {
	oz_float4 p, v, tie; // position and pressure, velocity and viscous weight
	float inner;         // pressure that inner pairs feel
	float shares;        // in one step of a tie's share; 0 of a solid
	float friction;      // 0: it rubs nobody
	float reach2;
	uint bits, paper;
	lane x, y, z;    // inner forces
	lane cx, cy, cz; // contact
} blend_force_sum;

OZ_PAIR_ARGS(blend_force)

OZ_FN void blend_force_begin(const blend_force_args *a, uint i, blend_force_sum *s)
{
	const oz_matter m = a->matter[a->material[i]];
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->tie = a->tie[i];
	s->bits = oz_bits_of_float(s->tie.w);
	s->reach2 = blend_reach_of(a->reach, s->bits);
	s->shares = s->bits & OZ_TIE_FIRM ? 0.0f : 1.0f / (float)OZ_TIE_SHARE;
	s->inner = s->p.w * s->shares * (float)(s->bits & OZ_TIE_SHARE);
	// as others see it, and of what is solid alone
	s->friction =
	        a->grip > 0.0f && s->bits & OZ_TIE_FIRM
	                ? (OZ_TIE_FRICTION / (float)OZ_TIE_SHARE) * (float)(s->bits & OZ_TIE_SHARE)
	                : 0.0f;
	s->paper = m.paper;
	s->x = s->y = s->z = s->cx = s->cy = s->cz = lane_of(0.0f);
}

// Takamatsu & Kanai eq 1 as printed: the neighbour's pressure alone, poly6's own gradient.
OZ_FN lane blend_printed(const oz_fluid *f, lane pressure, lane r2)
{
	const float h2 = f->h * f->h;
	const float scale = -6.0f * 315.0f / (64.0f * 3.14159265f * h2 * h2 * h2 * h2 * f->h);
	const lane t = lane_max(h2 - r2, lane_of(0.0f));
	return scale / f->stress * pressure * t * t;
}

// Coulomb's friction between two solids that touch: against their sliding, as hard as it takes but
// no harder than μ times what presses them together. `push` is the pressure's force over distance.
OZ_FN void blend_rub(blend_force_sum *s, const blend_force_near *j, float grip, lane push,
                     lane_vec3 way, lane r2)
{
	const lane_mask bits = oz_lane_bits(j->tie.w);
	const lane_mask solid = (bits & (int)OZ_TIE_FIRM) != 0;
	const lane theirs =
	        oz_lane_float(bits & (int)OZ_TIE_SHARE) * (OZ_TIE_FRICTION / (float)OZ_TIE_SHARE);
	const lane zero = lane_of(0.0f), tiny = lane_of(1e-30f);
	const lane pressed = lane_select(solid, lane_max(push, zero), zero) * lane_sqrt(r2);
	const lane most = lane_sqrt(s->friction * theirs) * pressed;
	const lane x = s->v.x - j->velocity.x, y = s->v.y - j->velocity.y;
	const lane z = s->v.z - j->velocity.z;
	const lane along = (x * way.x + y * way.y + z * way.z) * lane_inverse(lane_max(r2, tiny));
	const lane_vec3 slide = lane_v3(x - along * way.x, y - along * way.y, z - along * way.z);
	const lane speed = lane_sqrt(lane_max(lane_dot(slide, slide), tiny));
	const lane hold = lane_select(most > zero, lane_of(grip), zero);
	const lane f = lane_min(most * lane_inverse(speed), hold);
	s->cx -= f * slide.x;
	s->cy -= f * slide.y;
	s->cz -= f * slide.z;
}

OZ_FN void blend_force_pair(const blend_force_args *a, blend_force_sum *s,
                            const blend_force_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z;
	const lane_mask inner = blend_is_inner(s->tie, s->bits, s->reach2, &j->tie);
	const lane share = oz_lane_float(oz_lane_bits(j->tie.w) & (int)OZ_TIE_SHARE);
	const lane theirs = j->position.w * share * s->shares;
	const lane viscous = fluid_viscous(&a->fluid, s->v, &j->velocity, x, y, z, r2);
	const lane gradient = oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	const lane zero = lane_of(0.0f);
	const lane whole = (viscous - (s->p.w + j->position.w)) * gradient;
	const lane scaled = s->paper ? viscous * gradient - blend_printed(&a->fluid, theirs, r2)
	                             : (viscous - (s->inner + theirs)) * gradient;
	const lane f = lane_select(inner, scaled, zero), contact = lane_select(inner, zero, whole);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
	s->cx += contact * x;
	s->cy += contact * y;
	s->cz += contact * z;
	const lane push = lane_select(inner, zero, -(s->p.w + j->position.w) * gradient);
	// most pairs of a solid are inner ones
	if (s->friction > 0.0f && oz_lane_any(push > zero))
		blend_rub(s, j, a->grip, push, lane_v3(x, y, z), r2);
}

OZ_FN void blend_force_end(const blend_force_args *a, uint i, blend_force_sum *s)
{
	const float inv_density = a->matter[a->material[i]].inv_density;
	const float pairs = a->fluid.volume * inv_density;
	const float walls = -s->p.w * inv_density;
	const oz_float4 wall = a->wall[i];
	const oz_vec3 contact = oz_v3(pairs * lane_sum(s->cx) + walls * wall.x,
	                              pairs * lane_sum(s->cy) + walls * wall.y,
	                              pairs * lane_sum(s->cz) + walls * wall.z);
	// contacts of fluids and solids are of no interest, and w must be zero where no slot takes
	// it down
	const bool soft = s->bits != OZ_TIE_FLUID && !(s->bits & OZ_TIE_FIRM);
	const float felt = soft ? oz_length(contact) : 0.0f;
	a->acceleration[i] =
	        oz_make4(pairs * lane_sum(s->x) + contact.x + a->fluid.gravity.x,
	                 pairs * lane_sum(s->y) + contact.y + a->fluid.gravity.y,
	                 pairs * lane_sum(s->z) + contact.z + a->fluid.gravity.z, felt);
}

// What is left of that where a solid touches nobody: the viscosity of inner pairs. It spends the
// marks: who touches somebody has an empty list here.
#define blend_damp_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material) IN(oz_matter, matter) OUT(oz_float4, acceleration) VAL(oz_fluid, fluid)
#define blend_damp_FETCH(F) F(position) F(velocity)

typedef struct blend_damp_sum {
	oz_float4 p, v;
	lane x, y, z;
} blend_damp_sum;

OZ_PAIR_ARGS(blend_damp)

OZ_FN void blend_damp_begin(const blend_damp_args *a, uint i, blend_damp_sum *s)
{
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void blend_damp_pair(const blend_damp_args *a, blend_damp_sum *s, const blend_damp_near *j)
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

OZ_FN void blend_damp_end(const blend_damp_args *a, uint i, blend_damp_sum *s)
{
	const float pairs = a->fluid.volume * a->matter[a->material[i]].inv_density;
	const oz_float4 f = a->acceleration[i];
	a->acceleration[i] = oz_make4(f.x + pairs * lane_sum(s->x), f.y + pairs * lane_sum(s->y),
	                              f.z + pairs * lane_sum(s->z), f.w);
}

OZ_PAIR_KERNEL(blend_alone)
OZ_SMOOTHED_KERNEL(blend_density)
OZ_SMOOTHED_KERNEL_MARKED(blend_force)
OZ_SMOOTHED_KERNEL(blend_damp)
