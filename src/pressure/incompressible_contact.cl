// incompressible_contact.cl: the pair kernels of incompressible.cl for particles that are not
// plain.
//
// An inner pair of a blend counts with α, a contact pair fully (contact.cl): with α_i the fraction
// in the contact key, 1 for fluids and 0 for elastic bodies,
//
//   (J v)_i = α_i V Σ_inner (v_i - v_j)·∇W + V' Σ_contact s_ij (v_i - v_j)·∇W' + v_i·∇λ_i
//   a(P)_i  = - 1/ρ0_i (V Σ_inner (α_i P_i + α_j P_j) ∇W
//                       + V' Σ_contact (s_ij P_i + s_ji P_j) ∇W' + P_i ∇λ_i)
//
// s_ij is 1; if i is a solid and j is a fluid or blend it is the share of i (contact_share_units).
#include "contact/contact_key.h"
#include "device/kernel.h"
#include "math/sph.h"
#include "particles/matter.h"

// what all three kernels read of their own particle
typedef struct press_own {
	oz_float4 contact_key;
	float reach2;
	float unit;  // turns the fraction in a contact key into α; 0 for elastic bodies
	float alpha; // α_i
	uint bits;   // of the contact key's w
} press_own;

OZ_FN press_own press_own_of(contact_reach reach, oz_float4 contact_key)
{
	press_own o;
	o.contact_key = contact_key;
	o.bits = oz_bits_of_float(contact_key.w);
	o.reach2 = contact_reach_of(reach, o.bits);
	o.unit = o.bits & OZ_KEY_FIRM ? 0.0f : 1.0f / (float)OZ_KEY_FRACTION;
	o.alpha = o.unit * (float)(o.bits & OZ_KEY_FRACTION);
	return o;
}

#define contact_source_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, wall)                                                                        \
	IN(uint, plain)                                                                            \
	IN(float, excess)                                                                          \
	OUT(float, source)                                                                         \
	OUT(float, diagonal)                                                                       \
	VAL(oz_fluid, fluid)                                                                       \
	VAL(oz_fluid, solid)                                                                       \
	VAL(contact_reach, reach)                                                                  \
	VAL(uint, has_plain) VAL(float, dt) VAL(float, span) VAL(float, least)
#define contact_source_NEAR(PLACE, ALSO, CASE)                                                     \
	PLACE(trial) ALSO(guess) ALSO(contact_key) CASE(fluid.smoothing)

typedef struct contact_source_sum {
	oz_float4 p, v;
	press_own own;
	lane rate, x, y, z, others;
} contact_source_sum;

OZ_PAIR_ARGS(contact_source)

// as press_source
OZ_FN void contact_source_begin(const contact_source_args *a, uint i, contact_source_sum *s)
{
	s->p = a->trial[i];
	s->v = a->guess[i];
	s->own = press_own_of(a->reach, a->contact_key[i]);
	s->rate = s->x = s->y = s->z = s->others = lane_of(0.0f);
}

OZ_FN void contact_source_pair(const contact_source_args *a, contact_source_sum *s,
                               const contact_source_near *j)
{
	const lane x = s->p.x - j->trial.x, y = s->p.y - j->trial.y, z = s->p.z - j->trial.z;
	const lane r2 = x * x + y * y + z * z;
	const lane_mask inner =
	        contact_is_inner(s->own.contact_key, s->own.bits, s->own.reach2, &j->contact_key);
	const contact_shares share = contact_shares_of(s->own.bits, &j->contact_key);
	const lane g = lane_select(inner,
	                           s->own.alpha * a->fluid.volume *
	                                   oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h),
	                           share.own * a->solid.volume *
	                                   oz_sph_gradient(a->solid.smoothing, r2, a->solid.h));
	s->rate += g * ((s->v.x - j->guess.x) * x + (s->v.y - j->guess.y) * y +
	                (s->v.z - j->guess.z) * z);
	s->x += g * x;
	s->y += g * y;
	s->z += g * z;
	s->others += g * g * r2 * j->guess.w;
}

OZ_FN void contact_source_end(const contact_source_args *a, uint i, contact_source_sum *s)
{
	const oz_float4 wall = a->wall[i];
	if (a->has_plain && a->plain[i])
		return;
	const float x = lane_sum(s->x) + wall.x, y = lane_sum(s->y) + wall.y,
	            z = lane_sum(s->z) + wall.z;
	const float rate = lane_sum(s->rate) + s->v.x * wall.x + s->v.y * wall.y + s->v.z * wall.z;
	a->source[i] = a->excess[i] + a->dt * rate;
	const float diagonal = a->span * ((x * x + y * y + z * z) * s->v.w + lane_sum(s->others));
	a->diagonal[i] = diagonal > a->least ? diagonal : 0.0f;
}

#define contact_accelerate_ARGS(IN, OUT, VAL)                                                      \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, wall)                                                                        \
	IN(uint, plain)                                                                            \
	OUT(oz_float4, press)                                                                      \
	VAL(oz_fluid, fluid) VAL(oz_fluid, solid) VAL(contact_reach, reach) VAL(uint, has_plain)
#define contact_accelerate_NEAR(PLACE, ALSO, CASE)                                                 \
	PLACE(trial) ALSO(contact_key) CASE(fluid.smoothing)

typedef struct contact_accelerate_sum {
	oz_float4 p;
	press_own own;
	lane x, y, z;
} contact_accelerate_sum;

OZ_PAIR_ARGS(contact_accelerate)

// as press_accelerate
OZ_FN void contact_accelerate_begin(const contact_accelerate_args *a, uint i,
                                    contact_accelerate_sum *s)
{
	s->p = a->trial[i];
	s->own = press_own_of(a->reach, a->contact_key[i]);
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void contact_accelerate_pair(const contact_accelerate_args *a, contact_accelerate_sum *s,
                                   const contact_accelerate_near *j)
{
	const lane x = s->p.x - j->trial.x, y = s->p.y - j->trial.y, z = s->p.z - j->trial.z;
	const lane r2 = x * x + y * y + z * z;
	const lane_mask inner =
	        contact_is_inner(s->own.contact_key, s->own.bits, s->own.reach2, &j->contact_key);
	const lane fraction = oz_lane_float(oz_lane_bits(j->contact_key.w) & (int)OZ_KEY_FRACTION);
	const lane shared = a->fluid.volume *
	                    (s->own.alpha * s->p.w + j->trial.w * fraction * s->own.unit) *
	                    oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	const contact_shares share = contact_shares_of(s->own.bits, &j->contact_key);
	const lane whole = a->solid.volume * (share.own * s->p.w + share.other * j->trial.w) *
	                   oz_sph_gradient(a->solid.smoothing, r2, a->solid.h);
	const lane f = lane_select(inner, shared, whole);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
}

OZ_FN void contact_accelerate_end(const contact_accelerate_args *a, uint i,
                                  contact_accelerate_sum *s)
{
	const float mobility = -a->guess[i].w;
	const float walls = s->p.w;
	const oz_float4 wall = a->wall[i];
	if (a->has_plain && a->plain[i])
		return;
	a->press[i] = oz_make4(mobility * (lane_sum(s->x) + walls * wall.x),
	                       mobility * (lane_sum(s->y) + walls * wall.y),
	                       mobility * (lane_sum(s->z) + walls * wall.z), 0.0f);
}

#define contact_predict_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, press)                                                                       \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, wall)                                                                        \
	IN(uint, plain)                                                                            \
	IN(float, source)                                                                          \
	OUT(float, error)                                                                          \
	VAL(oz_fluid, fluid)                                                                       \
	VAL(oz_fluid, solid) VAL(contact_reach, reach) VAL(uint, has_plain) VAL(float, span)
#define contact_predict_NEAR(PLACE, ALSO, CASE)                                                    \
	PLACE(trial) ALSO(press) ALSO(contact_key) CASE(fluid.smoothing)

typedef struct contact_predict_sum {
	oz_float4 p, v;
	press_own own;
	lane rate;
} contact_predict_sum;

OZ_PAIR_ARGS(contact_predict)

// as press_predict
OZ_FN void contact_predict_begin(const contact_predict_args *a, uint i, contact_predict_sum *s)
{
	s->p = a->trial[i];
	s->v = a->press[i];
	s->own = press_own_of(a->reach, a->contact_key[i]);
	s->rate = lane_of(0.0f);
}

OZ_FN void contact_predict_pair(const contact_predict_args *a, contact_predict_sum *s,
                                const contact_predict_near *j)
{
	const lane x = s->p.x - j->trial.x, y = s->p.y - j->trial.y, z = s->p.z - j->trial.z;
	const lane r2 = x * x + y * y + z * z;
	const lane_mask inner =
	        contact_is_inner(s->own.contact_key, s->own.bits, s->own.reach2, &j->contact_key);
	const contact_shares share = contact_shares_of(s->own.bits, &j->contact_key);
	const lane g = lane_select(inner,
	                           s->own.alpha * a->fluid.volume *
	                                   oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h),
	                           share.own * a->solid.volume *
	                                   oz_sph_gradient(a->solid.smoothing, r2, a->solid.h));
	s->rate += g * ((s->v.x - j->press.x) * x + (s->v.y - j->press.y) * y +
	                (s->v.z - j->press.z) * z);
}

OZ_FN void contact_predict_end(const contact_predict_args *a, uint i, contact_predict_sum *s)
{
	const oz_float4 wall = a->wall[i];
	if (a->has_plain && a->plain[i])
		return;
	const float rate = lane_sum(s->rate) + s->v.x * wall.x + s->v.y * wall.y + s->v.z * wall.z;
	a->error[i] = a->source[i] + a->span * rate;
}

#define incompressible_contact_KERNELS(X)                                                          \
	X(contact_source, PAIRS_MARKED)                                                            \
	X(contact_accelerate, PAIRS_MARKED)                                                        \
	X(contact_predict, PAIRS_MARKED)
OZ_KERNELS(incompressible_contact_KERNELS)
