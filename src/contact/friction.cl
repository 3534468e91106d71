// friction.cl: Coulomb friction between solids.
//
// A pair in contact that is pressed with the force N has the friction
//
//   F = N (m_i - m_j) / 2 + g u,   at most μ N
//
// against the sliding velocity u of its particles. g u alone would let a body creep on a slope: it
// bears a load only while it slides. m is what a particle remembers: the mean friction of its pairs
// in the last step over the force that presses them, with a share κ of g u. It grows until u is 0.
// Where all pairs slide, m is μ times the direction of sliding.
//
// Pairs touch at a slant, so that the sum of their N is more than the force between the surfaces.
// The bound is μ c N, with c = |Σ N r/|r|| / Σ N of the last step, the mean for both particles.
#include "contact/contact_key.h"
#include "math/rotation_lanes.h"
#include "math/sph.h"
#include "particles/matter.h"

#define CONTACT_LEARN 0.1f  // κ
#define CONTACT_FAINT 1e-5f // c²/h: what is pressed with less acceleration remembers nothing

#define contact_friction_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, held)                                                                        \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, next)                                                                       \
	OUT(oz_float4, acceleration)                                                               \
	VAL(oz_fluid, solid) VAL(contact_reach, reach) VAL(float, grip)
#define contact_friction_NEAR(PLACE, ALSO, CASE)                                                   \
	PLACE(position) ALSO(velocity) ALSO(contact_key) ALSO(held) CASE(solid.smoothing)

typedef struct contact_friction_sum {
	oz_float4 p, v, contact_key, held;
	float friction; // coefficient; 0: none
	float reach2;
	uint bits;
	lane x, y, z;    // Σ F
	lane mx, my, mz; // Σ N m of this step
	lane pressed;    // Σ N
	lane nx, ny, nz; // Σ N r / |r|
} contact_friction_sum;

OZ_PAIR_ARGS(contact_friction)

// adds the friction of particle i to its acceleration, and writes what it remembers
OZ_FN void contact_friction_begin(const contact_friction_args *a, uint i, contact_friction_sum *s)
{
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->contact_key = a->contact_key[i];
	s->held = a->held[i];
	s->bits = oz_bits_of_float(s->contact_key.w);
	s->reach2 = contact_reach_of(a->reach, s->bits);
	// from the key, rounded as in the keys of others
	s->friction = s->bits & OZ_KEY_FIRM ? contact_firm_friction(s->bits) : 0.0f;
	s->x = s->y = s->z = s->mx = s->my = s->mz = s->pressed = lane_of(0.0f);
	s->nx = s->ny = s->nz = lane_of(0.0f);
}

// the force with which a pair of solids presses, 0 for other pairs
OZ_FN lane contact_friction_push(const contact_friction_args *a, const contact_friction_sum *s,
                                 const contact_friction_near *j, lane r2)
{
	const lane zero = lane_of(0.0f);
	const lane_mask firm = (oz_lane_bits(j->contact_key.w) & (int)OZ_KEY_FIRM) != 0;
	const lane_mask inner =
	        contact_is_inner(s->contact_key, s->bits, s->reach2, &j->contact_key);
	const lane presses = s->p.w + j->position.w;
	const lane push = -presses * oz_sph_gradient(a->solid.smoothing, r2, a->solid.h);
	return lane_select(inner, zero, lane_select(firm, lane_max(push, zero), zero)) *
	       lane_sqrt(r2);
}

// v, shortened to a length of `most`
OZ_FN lane_vec3 contact_shortened(lane_vec3 v, lane most)
{
	const lane length2 = lane_max(lane_dot(v, v), lane_of(1e-30f));
	const lane f = lane_min(most * lane_rsqrt(length2), lane_of(1.0f));
	return lane_v3(f * v.x, f * v.y, f * v.z);
}

OZ_FN void contact_friction_pair(const contact_friction_args *a, contact_friction_sum *s,
                                 const contact_friction_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane r2 = x * x + y * y + z * z;
	if (!(s->friction > 0.0f))
		return;
	const lane push = contact_friction_push(a, s, j, r2), zero = lane_of(0.0f);
	if (!oz_lane_any(push > zero))
		return;
	const lane_mask bits = oz_lane_bits(j->contact_key.w);
	const lane theirs =
	        oz_lane_float((bits & (int)OZ_KEY_FRACTION) >> 4) * (1.0f / OZ_KEY_FRICTION_UNITS);
	const lane slant = 0.5f * (s->held.w + j->held.w);
	// a new contact does not know its slant yet
	const lane share = lane_select(slant > zero, slant, lane_of(1.0f));
	const lane most = lane_sqrt(s->friction * theirs) * share * push;
	const lane half_push = 0.5f * push;
	const lane u = s->v.x - j->velocity.x, v = s->v.y - j->velocity.y;
	const lane w = s->v.z - j->velocity.z;
	const lane along = (u * x + v * y + w * z) * lane_inverse(lane_max(r2, lane_of(1e-30f)));
	const lane grip = lane_select(most > zero, lane_of(a->grip), zero);
	const lane_vec3 slide =
	        lane_v3(grip * (u - along * x), grip * (v - along * y), grip * (w - along * z));
	const lane_vec3 held =
	        lane_v3(half_push * (s->held.x - j->held.x), half_push * (s->held.y - j->held.y),
	                half_push * (s->held.z - j->held.z));
	const lane_vec3 f =
	        contact_shortened(lane_v3(held.x + slide.x, held.y + slide.y, held.z + slide.z),
	                          most);
	const lane_vec3 m = contact_shortened(lane_v3(held.x + CONTACT_LEARN * slide.x,
	                                              held.y + CONTACT_LEARN * slide.y,
	                                              held.z + CONTACT_LEARN * slide.z),
	                                      most);
	s->x += f.x;
	s->y += f.y;
	s->z += f.z;
	s->mx += m.x;
	s->my += m.y;
	s->mz += m.z;
	const lane across = push * lane_rsqrt(lane_max(r2, lane_of(1e-30f)));
	s->nx += across * x;
	s->ny += across * y;
	s->nz += across * z;
	s->pressed += push;
}

OZ_FN void contact_friction_end(const contact_friction_args *a, uint i, contact_friction_sum *s)
{
	const float scale = a->solid.volume * a->matter[a->material[i]].inv_density;
	const float pressed = lane_sum(s->pressed);
	// 1 / pressed, but 0 where it is so small that it consists of rounding
	const float faint = CONTACT_FAINT * a->solid.sound2 / (a->solid.h * scale);
	const float inverse = pressed / (pressed * pressed + faint * faint);
	const oz_float4 f = a->acceleration[i];
	const oz_vec3 n = oz_v3(lane_sum(s->nx), lane_sum(s->ny), lane_sum(s->nz));
	a->next[i] = oz_make4(inverse * lane_sum(s->mx), inverse * lane_sum(s->my),
	                      inverse * lane_sum(s->mz), inverse * oz_length(n));
	if (pressed > 0.0f)
		a->acceleration[i] =
		        oz_make4(f.x - scale * lane_sum(s->x), f.y - scale * lane_sum(s->y),
		                 f.z - scale * lane_sum(s->z), f.w);
}

#define friction_KERNELS(X) X(contact_friction, PAIRS_MARKED)
OZ_KERNELS(friction_KERNELS)
