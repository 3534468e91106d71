// membrane_rub.cl: Coulomb friction of large faces (membrane_face.cl).
//
// A particle that a face presses with the force N along d has, against the velocity u with which it
// slides over the nearest point of the face, the friction
//
//   - F,   F = N m + g u,   |F| ≤ μ N,   μ = √(μ_i μ_face)
//
// and its corners get the opposite by their shares of that point. As in friction.cl, m is what the
// particle keeps of the last step, friction over pressing force, and grows with a share of g u
// until u is 0: g u alone would bear a load only while it slides. e is the normal for which m was
// found: on its other side m acts the other way round. If points press on the particle as well,
// they keep e and m (normal.w is 1), and faces only use them.
//
// g takes a share of u in a step. The velocity by a friction of 1 on all contacts at a vertex is
// its mobility times `crowd`, the sum of the shares that contacts have of it: with
//
//   g = RUB_GRIP/(kick (n mob_i + Σ_k share_k crowd_k mob_k)),   n the contacts of the particle
//
// contacts together take no more than that share, however many there are.
#include "contact/contact_key.h"
#include "models/membrane/membrane_parts.h"

#define RUB_GRIP  0.5f // share of u
#define RUB_LEARN 0.1f // share of g u in m

#define rub_crowd_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, first) IN(uint, near) IN(oz_membrane_touch, touch) OUT(oz_float4, part)
OZ_ARGS(rub_crowd)

// writes the sums of shares of the contacts of face i in its corners
OZ_FN void rub_crowd_at(const rub_crowd_args *a, uint i)
{
	float one = 0.0f, two = 0.0f, three = 0.0f;
	for (uint k = a->first[i]; k < a->first[i + 1u]; k++)
		for (uint n = 0; n < OZ_FACES_EACH; n++) {
			OZ_GLOBAL const oz_membrane_touch *t =
			        &a->touch[OZ_FACES_EACH * a->near[k] + n];
			if (t->face != i || !(t->press > 0.0f))
				continue;
			one += 1.0f - t->b - t->c;
			two += t->b;
			three += t->c;
		}
	a->part[3u * i].w = one;
	a->part[3u * i + 1u].w = two;
	a->part[3u * i + 2u].w = three;
}

#define rub_join_ARGS(IN, OUT, VAL)                                                                \
	IN(uint, start)                                                                            \
	IN(uint, parts) IN(oz_float4, part) OUT(float, crowd) VAL(uint, end_part)
OZ_ARGS(rub_join)

// writes `crowd` of vertex i
OZ_FN void rub_join_at(const rub_join_args *a, uint i)
{
	float sum = 0.0f;
	for (uint k = a->start[i]; k < a->start[i + 1u] && a->parts[k] < a->end_part; k++)
		sum += a->part[a->parts[k]].w;
	a->crowd[i] = sum;
}

#define rub_hold_ARGS(IN, OUT, VAL)                                                                \
	IN(oz_membrane_face, faces)                                                                \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, start)                                                                            \
	IN(oz_float4, contact_key)                                                                 \
	IN(oz_float4, velocity)                                                                    \
	IN(float, mobility)                                                                        \
	IN(float, crowd)                                                                           \
	OUT(oz_membrane_touch, touch)                                                              \
	OUT(oz_float4, held)                                                                       \
	OUT(oz_float4, normal) OUT(oz_float4, acceleration) VAL(float, kick)
OZ_ARGS(rub_hold)

// v, shortened to a length of `most`
OZ_FN oz_vec3 rub_shortened(oz_vec3 v, float most)
{
	const float length2 = oz_dot(v, v);
	return length2 > most * most ? oz_scale(v, most / oz_sqrt(length2)) : v;
}

// v, rotated as the unit vector `from` is on the shortest way to the unit vector `to`
OZ_FN oz_vec3 rub_rotated(oz_vec3 v, oz_vec3 from, oz_vec3 to)
{
	const oz_vec3 sum = oz_add(from, to);
	const float whole = 1.0f + oz_dot(from, to);
	if (!(whole > 1e-3f))
		return oz_v3(0.0f, 0.0f, 0.0f);
	return oz_mad(oz_mad(v, sum, -oz_dot(v, sum) / whole), to, 2.0f * oz_dot(v, from));
}

OZ_FN float rub_friction(const rub_hold_args *a, uint particle)
{
	const uint bits = oz_bits_of_float(a->contact_key[particle].w);
	return bits & OZ_KEY_FIRM ? contact_firm_friction(bits) : 0.0f;
}

// the face of a contact at its nearest point
typedef struct rub_point {
	oz_vec3 v;      // m/s
	float mobility; // Σ share crowd mobility, m³/kg
	float friction;
} rub_point;

OZ_FN rub_point rub_point_of(const rub_hold_args *a, OZ_GLOBAL const oz_membrane_touch *t)
{
	const float share[3] = {1.0f - t->b - t->c, t->b, t->c};
	rub_point p;
	p.v = oz_v3(0.0f, 0.0f, 0.0f);
	p.mobility = p.friction = 0.0f;
	for (uint k = 0; k < 3u; k++) {
		const uint vertex = a->faces[t->face].corner[k];
		const uint at = a->particle_of_slot[a->slot_of[vertex]];
		p.v = oz_mad(p.v, membrane_vec(a->velocity[at]), share[k]);
		p.mobility += share[k] * a->crowd[vertex] * a->mobility[at];
		p.friction = rub_friction(a, at);
	}
	return p;
}

// Writes the friction of the contacts of particle i and adds it to its acceleration; writes what
// the particle keeps, unless points press on it.
OZ_FN void rub_hold_at(const rub_hold_args *a, uint i)
{
	const oz_vec3 zero = oz_v3(0.0f, 0.0f, 0.0f);
	const oz_vec3 e = membrane_vec(a->normal[i]), m = membrane_vec(a->held[i]);
	const bool kept = oz_dot(e, e) > 0.0f, by_points = a->normal[i].w > 0.0f;
	const bool near = a->start[i] < a->start[i + 1u];
	const float own = near ? rub_friction(a, i) : 0.0f;
	oz_vec3 sum = zero, learned = zero, next = zero;
	float contacts = 0.0f;
	float pressed = 0.0f, strongest = 0.0f;
	for (uint n = 0; n < OZ_FACES_EACH && own > 0.0f; n++)
		contacts += a->touch[OZ_FACES_EACH * i + n].press > 0.0f ? 1.0f : 0.0f;
	for (uint n = 0; n < OZ_FACES_EACH && own > 0.0f; n++) {
		OZ_GLOBAL oz_membrane_touch *t = &a->touch[OZ_FACES_EACH * i + n];
		const float steep = oz_length(t->gradient), push = t->press * steep;
		if (t->lambda == 0.0f || !(push > 0.0f))
			continue;
		const rub_point p = rub_point_of(a, t);
		const float most = oz_sqrt(own * p.friction) * push;
		const oz_vec3 d = oz_scale(t->gradient, -1.0f / steep);
		const float side = kept && oz_dot(e, d) < 0.0f ? -1.0f : 1.0f;
		const oz_vec3 facing = oz_scale(d, side);
		const oz_vec3 here = kept ? rub_rotated(m, e, facing) : zero;
		const oz_vec3 u = oz_sub(membrane_vec(a->velocity[i]), p.v);
		const float both = contacts * a->mobility[i] + p.mobility;
		const oz_vec3 slide =
		        oz_scale(oz_mad(u, d, -oz_dot(u, d)), RUB_GRIP / (a->kick * both));
		const oz_vec3 flat = oz_mad(here, d, -oz_dot(here, d));
		const oz_vec3 holds = oz_scale(flat, side * push);
		t->rub = oz_scale(rub_shortened(oz_add(holds, slide), most), -1.0f);
		sum = oz_add(sum, t->rub);
		learned =
		        oz_mad(learned, rub_shortened(oz_mad(holds, slide, RUB_LEARN), most), side);
		pressed += push;
		next = push > strongest ? facing : next;
		strongest = oz_max(strongest, push);
	}
	const oz_float4 f = a->acceleration[i];
	a->acceleration[i] = membrane_record(oz_mad(membrane_vec(f), sum, a->mobility[i]), f.w);
	if (by_points)
		return;
	const float inverse = pressed > 0.0f ? 1.0f / pressed : 0.0f;
	a->held[i] = membrane_record(oz_scale(learned, inverse), 0.0f);
	a->normal[i] = membrane_record(next, 0.0f);
}

#define membrane_rub_KERNELS(X)                                                                    \
	X(rub_crowd, EACH)                                                                         \
	X(rub_join, EACH)                                                                          \
	X(rub_hold, EACH)
OZ_KERNELS(membrane_rub_KERNELS)
