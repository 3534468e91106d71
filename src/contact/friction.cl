// friction.cl: Coulomb friction between solids.
//
// A pair in contact, which is pressed with the force N along d = r/|r|, has the friction
//
//   F = N/2 ((e_i·d) m_i + (e_j·d) m_j) + g u,   |F| ≤ μ N c,   c = (|e_i·d| + |e_j·d|)/2
//
// against the sliding velocity u of its particles. g u alone would let a body creep on a slope: it
// bears a load only while it slides. e and m are what a particle keeps from the last step. e is the
// normal of the surface, the eigenvector of Σ N d dᵀ with the largest eigenvalue, smoothed over
// some steps, as the pushes of single pairs vary from step to step. Most pairs touch at a slant,
// and the friction of a pair is in proportion to the part of N along the normal. m is friction over
// pressing force. With F', which is F with a share κ of g u,
//
//   m_i = Σ (e_i·d) F' / Σ N |e_i·d| c
//
// grows until u is 0. Where all pairs slide, m is μ times the direction of sliding. Since d and
// e_i·d change their signs together with the side, a layer of one particle between two solids
// passes friction on. m rotates with e, so that it stays along a surface that rotates.
//
// Where large faces of skins press (membrane_rub.cl, `faces` 1), they give e and m to a particle
// that no other presses: it keeps those of the last step here, and normal.w is 0, else 1.
//
// Forces are multiplied by `unit`: then they are accelerations of the lightest solid, m/s², and
// their squares fit a float at all spacings.
#include "contact/contact_key.h"
#include "math/rotation_lanes.h"
#include "math/sph.h"
#include "particles/matter.h"

#define CONTACT_LEARN 0.1f   // κ
#define CONTACT_TURN  0.1f   // share of the normal of this step in e
#define CONTACT_EDGE  1e-6f  // V r |∇W| at the edge of the support: less is rounding of h² - r²
#define CONTACT_NONE  1e-20f // m/s²: 1 over a smaller push may overflow

#define contact_friction_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, held)                                                                        \
	IN(oz_float4, normal)                                                                      \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, next_held)                                                                  \
	OUT(oz_float4, next_normal)                                                                \
	OUT(oz_float4, acceleration)                                                               \
	VAL(oz_fluid, solid)                                                                       \
	VAL(contact_reach, reach) VAL(float, grip) VAL(float, unit) VAL(uint, faces)
#define contact_friction_NEAR(PLACE, ALSO, CASE)                                                   \
	PLACE(position)                                                                            \
	ALSO(velocity) ALSO(contact_key) ALSO(held) ALSO(normal) CASE(solid.smoothing)

typedef struct contact_friction_sum {
	oz_float4 p, v, contact_key, held, normal;
	float friction; // coefficient; 0: none
	float reach2;
	uint bits;
	lane x, y, z;                // Σ F
	lane mx, my, mz;             // Σ (e·d) F'
	lane weight;                 // Σ N |e·d| c
	lane xx, yy, zz, xy, xz, yz; // Σ N d dᵀ
} contact_friction_sum;

OZ_PAIR_ARGS(contact_friction)

// adds the friction of particle i to its acceleration, and writes what it keeps
OZ_FN void contact_friction_begin(const contact_friction_args *a, uint i, contact_friction_sum *s)
{
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->contact_key = a->contact_key[i];
	s->held = a->held[i];
	s->normal = a->normal[i];
	s->bits = oz_bits_of_float(s->contact_key.w);
	s->reach2 = contact_reach_of(a->reach, s->bits);
	// from the key, rounded as in the keys of others
	s->friction = s->bits & OZ_KEY_FIRM ? contact_firm_friction(s->bits) : 0.0f;
	s->x = s->y = s->z = s->mx = s->my = s->mz = s->weight = lane_of(0.0f);
	s->xx = s->yy = s->zz = s->xy = s->xz = s->yz = lane_of(0.0f);
}

// N of a pair of solids, times `unit`; 0 for other pairs
OZ_FN lane contact_friction_push(const contact_friction_args *a, const contact_friction_sum *s,
                                 const contact_friction_near *j, lane r2)
{
	const lane zero = lane_of(0.0f);
	const lane_mask firm = (oz_lane_bits(j->contact_key.w) & (int)OZ_KEY_FIRM) != 0;
	const lane_mask inner =
	        contact_is_inner(s->contact_key, s->bits, s->reach2, &j->contact_key);
	const lane presses = s->p.w + j->position.w;
	const lane steep = -oz_sph_gradient(a->solid.smoothing, r2, a->solid.h);
	const lane_mask near = steep * r2 * a->solid.volume > lane_of(CONTACT_EDGE);
	const lane push = lane_select(near, lane_max(presses * steep, zero), zero);
	return lane_select(inner, zero, lane_select(firm, push, zero)) * (a->unit * lane_sqrt(r2));
}

// v, shortened to a length of `most`
OZ_FN lane_vec3 contact_shortened(lane_vec3 v, lane most)
{
	const lane length2 = lane_max(lane_dot(v, v), lane_of(1e-30f));
	const lane f = lane_min(most * lane_rsqrt(length2), lane_of(1.0f));
	return lane_v3(f * v.x, f * v.y, f * v.z);
}

// what both particles of a pair keep together, over N
typedef struct contact_friction_kept {
	lane_vec3 held; // ((e_i·d) m_i + (e_j·d) m_j)/2
	lane slant;     // c
	lane own;       // e_i·d
} contact_friction_kept;

// A particle without a contact in the last step has e = 0: then e and m of the other one count; 1
// is the slant if both have none.
OZ_FN contact_friction_kept contact_friction_recall(const contact_friction_sum *s,
                                                    const contact_friction_near *j, lane_vec3 d)
{
	const lane zero = lane_of(0.0f), one = lane_of(1.0f);
	const oz_float4 e = s->normal, m = s->held;
	const lane own = e.x * d.x + e.y * d.y + e.z * d.z;
	const lane other = j->normal.x * d.x + j->normal.y * d.y + j->normal.z * d.z;
	const lane here = lane_select(lane_abs(own) > zero, one, zero),
	           there = lane_select(lane_abs(other) > zero, one, zero);
	const lane mean = lane_inverse(lane_max(here + there, one));
	contact_friction_kept k;
	k.held = lane_v3(mean * (own * m.x + other * j->held.x),
	                 mean * (own * m.y + other * j->held.y),
	                 mean * (own * m.z + other * j->held.z));
	k.slant = lane_select(here + there > zero, mean * (lane_abs(own) + lane_abs(other)), one);
	k.own = own;
	return k;
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
	const lane inverse = lane_rsqrt(lane_max(r2, lane_of(1e-30f)));
	const lane_vec3 d = lane_v3(inverse * x, inverse * y, inverse * z);
	const contact_friction_kept k = contact_friction_recall(s, j, d);
	const lane most = lane_sqrt(s->friction * theirs) * k.slant * push;
	const lane_vec3 u =
	        lane_v3(s->v.x - j->velocity.x, s->v.y - j->velocity.y, s->v.z - j->velocity.z);
	const lane along = lane_dot(u, d);
	const lane grip = lane_select(most > zero, lane_of(a->grip), zero);
	const lane_vec3 slide = lane_v3(grip * (u.x - along * d.x), grip * (u.y - along * d.y),
	                                grip * (u.z - along * d.z));
	const lane_vec3 held = lane_v3(push * k.held.x, push * k.held.y, push * k.held.z);
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
	s->mx += k.own * m.x;
	s->my += k.own * m.y;
	s->mz += k.own * m.z;
	s->weight += push * lane_abs(k.own) * k.slant;
	s->xx += push * d.x * d.x;
	s->yy += push * d.y * d.y;
	s->zz += push * d.z * d.z;
	s->xy += push * d.x * d.y;
	s->xz += push * d.x * d.z;
	s->yz += push * d.y * d.z;
}

// a symmetric matrix
typedef struct contact_axes {
	float xx, yy, zz, xy, xz, yz;
} contact_axes;

OZ_FN contact_axes contact_axes_scaled(contact_axes m, float scale)
{
	m.xx *= scale;
	m.yy *= scale;
	m.zz *= scale;
	m.xy *= scale;
	m.xz *= scale;
	m.yz *= scale;
	return m;
}

// M M, scaled to the trace 1
OZ_FN contact_axes contact_axes_square(contact_axes m)
{
	contact_axes s;
	s.xx = m.xx * m.xx + m.xy * m.xy + m.xz * m.xz;
	s.yy = m.xy * m.xy + m.yy * m.yy + m.yz * m.yz;
	s.zz = m.xz * m.xz + m.yz * m.yz + m.zz * m.zz;
	s.xy = m.xx * m.xy + m.xy * m.yy + m.xz * m.yz;
	s.xz = m.xx * m.xz + m.xy * m.yz + m.xz * m.zz;
	s.yz = m.xy * m.xz + m.yy * m.yz + m.yz * m.zz;
	return contact_axes_scaled(s, 1.0f / (s.xx + s.yy + s.zz));
}

// The eigenvector of the largest eigenvalue of M, whose trace is 1, with a sign near that of
// `last`. The powers of M tend to e eᵀ; the longest column of that is taken.
OZ_FN oz_vec3 contact_axes_normal(contact_axes m, oz_vec3 last)
{
	for (int k = 0; k < 5; k++)
		m = contact_axes_square(m);
	oz_vec3 e = oz_v3(m.xx, m.xy, m.xz);
	if (m.yy > m.xx && m.yy >= m.zz)
		e = oz_v3(m.xy, m.yy, m.yz);
	else if (m.zz > m.xx)
		e = oz_v3(m.xz, m.yz, m.zz);
	return oz_scale(e, (oz_dot(e, last) < 0.0f ? -1.0f : 1.0f) / oz_length(e));
}

// v, rotated as the unit vector `from` is on the shortest way to the unit vector `to`
OZ_FN oz_vec3 contact_rotated(oz_vec3 v, oz_vec3 from, oz_vec3 to)
{
	const oz_vec3 sum = oz_add(from, to);
	const oz_vec3 mirrored = oz_mad(v, sum, -oz_dot(v, sum) / (1.0f + oz_dot(from, to)));
	return oz_mad(mirrored, to, 2.0f * oz_dot(v, from));
}

#define CONTACT_FLAT 0.1f // Σ N |e·d| c over Σ N, at least: below, the surface is another one

OZ_FN void contact_friction_end(const contact_friction_args *a, uint i, contact_friction_sum *s)
{
	contact_axes sum;
	sum.xx = lane_sum(s->xx);
	sum.yy = lane_sum(s->yy);
	sum.zz = lane_sum(s->zz);
	sum.xy = lane_sum(s->xy);
	sum.xz = lane_sum(s->xz);
	sum.yz = lane_sum(s->yz);
	const float pressed = sum.xx + sum.yy + sum.zz;
	const oz_vec3 last = oz_v3(s->normal.x, s->normal.y, s->normal.z);
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	if (!(pressed > CONTACT_NONE)) {
		a->next_held[i] = a->faces ? s->held : none;
		a->next_normal[i] = a->faces ? oz_make4(last.x, last.y, last.z, 0.0f) : none;
		return;
	}
	const oz_vec3 now = contact_axes_normal(contact_axes_scaled(sum, 1.0f / pressed), last);
	const float old = oz_dot(last, last) > 0.0f ? 1.0f - CONTACT_TURN : 0.0f;
	const oz_vec3 e = oz_normalize(oz_mad(oz_scale(now, 1.0f - old), last, old));
	const float share = 1.0f / oz_max(lane_sum(s->weight), CONTACT_FLAT * pressed);
	const oz_vec3 m =
	        oz_v3(share * lane_sum(s->mx), share * lane_sum(s->my), share * lane_sum(s->mz));
	const oz_vec3 held = contact_rotated(m, last, e);
	a->next_held[i] = oz_make4(held.x, held.y, held.z, 0.0f);
	a->next_normal[i] = oz_make4(e.x, e.y, e.z, a->faces ? 1.0f : 0.0f);
	const float scale = a->solid.volume * a->matter[a->material[i]].inv_density / a->unit;
	const oz_float4 f = a->acceleration[i];
	a->acceleration[i] = oz_make4(f.x - scale * lane_sum(s->x), f.y - scale * lane_sum(s->y),
	                              f.z - scale * lane_sum(s->z), f.w);
}

#define contact_hold_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, next_held)                                                                   \
	IN(oz_float4, next_normal) OUT(oz_float4, held) OUT(oz_float4, normal)
OZ_ARGS(contact_hold)

// keeps m and e of this step for the next one
OZ_FN void contact_hold_at(const contact_hold_args *a, uint i)
{
	a->held[i] = a->next_held[i];
	a->normal[i] = a->next_normal[i];
}

#define friction_KERNELS(X)                                                                        \
	X(contact_friction, PAIRS_MARKED)                                                          \
	X(contact_hold, EACH)
OZ_KERNELS(friction_KERNELS)
