// links.cl: forces, relaxation and breaking of links.
//
// A link pulls only if it is longer than its rest length: compression is left to the pressure (eq 6
// of Takahashi et al. 2014). Forces act along the line between two particles, and both compute the
// same numbers: momentum and angular momentum are kept. links_solve.cl has the implicit step.
#include "models/heat/heat.h"
#include "models/links/links_pair.h"
#include "models/viscous/law.h"

#define links_gather_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, acceleration)                                                                \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(float, temperature)                                                                     \
	IN(float, loss)                                                                            \
	IN(uint, count)                                                                            \
	OUT(oz_float4, spot)                                                                       \
	OUT(oz_float4, law)                                                                        \
	OUT(oz_float4, mate)                                                                       \
	VAL(uint, temperatures)                                                                    \
	VAL(float, volume)                                                                         \
	VAL(float, dt) VAL(float, ahead) VAL(float, kick) VAL(float, stiffest)
OZ_ARGS(links_gather)

// c of the paper, start - loss and at least `least`; with many links it is limited to 2/count, so
// that a step does not overshoot
OZ_FN float links_printed_c(const oz_link *l, float loss, uint count)
{
	const float c = oz_max(l->start - loss, oz_min(l->least, l->start));
	return oz_min(c, 2.0f / (float)(count ? count : 1u));
}

// the rate at which links relax, 1/s: larger at higher temperatures, 0 below the melting point
OZ_FN float links_rate(const links_gather_args *a, uint i, OZ_GLOBAL const oz_matter *m)
{
	const oz_link l = m->flow.link;
	if (!a->temperatures)
		return l.rate;
	const float t = a->temperature[i];
	const float liquid =
	        l.sets ? heat_liquid_share(m->melting_point, m->melting_range, t) : 1.0f;
	return l.rate * liquid / law_thinning(l.activation, l.reference, t);
}

// Writes the records that pair kernels read of a particle and of its partners (oz_links_work).
// `ahead`: s, positions are predicted for this time; 0: the present positions. `stiffest`: m²/s²,
// the largest G/ρ for which the time step is stable; a larger one is reduced to it. This happens
// only if a fixed time step is too long.
OZ_FN void links_gather_at(const links_gather_args *a, uint i)
{
	const oz_float4 x = a->position[i], v = a->velocity[i], f = a->acceleration[i];
	const uint m = a->material[i];
	const oz_link l = a->matter[m].flow.link;
	const float far = a->ahead * a->kick;
	const float inverse_mass = l.still ? 0.0f : a->matter[m].inv_density / a->volume;
	float strength = 0.0f, fading = 0.0f;
	if (l.on == OZ_LINK_PAPER) {
		strength = links_printed_c(&l, a->loss[i], a->count[i]);
		fading = l.weakening;
	} else if (l.on) {
		const float wave2 = l.modulus * a->matter[m].inv_density;
		strength = l.stiffness * (wave2 > a->stiffest ? a->stiffest / wave2 : 1.0f);
		fading = -oz_expm1(-a->dt * links_rate(a, i, &a->matter[m]));
	}
	a->spot[i] = oz_make4(x.x + a->ahead * v.x + far * f.x, x.y + a->ahead * v.y + far * f.y,
	                      x.z + a->ahead * v.z + far * f.z, strength);
	a->law[i] = oz_make4(fading, l.yield, l.longest, l.brittle);
	a->mate[i] = oz_make4(inverse_mass, (float)m, l.on ? 1.0f : 0.0f, l.reach);
}

#define links_pull_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, law)                                                                         \
	IN(oz_float4, mate)                                                                        \
	OUT(float, rest)                                                                           \
	OUT(oz_float4, acceleration)                                                               \
	OUT(float, loss) VAL(float, printed_scale) VAL(float, dt) VAL(uint, pushes)
#define links_pull_NEAR(PLACE, ALSO, CASE) ALSO(spot) ALSO(law) ALSO(mate)
#define links_pull_LINK                    rest
OZ_PAIR_ARGS(links_pull)

typedef struct links_pull_sum {
	link_own own;
	lane x, y, z, weak;
} links_pull_sum;

// The explicit step: adds the accelerations of links at the positions in `spot`, then relaxes and
// breaks links. `pushes` is 1 for springs: links shorter than their rest length push.
OZ_FN void links_pull_begin(const links_pull_args *a, uint i, links_pull_sum *s)
{
	s->own.spot = a->spot[i];
	s->own.law = a->law[i];
	s->own.mate = a->mate[i];
	s->x = s->y = s->z = s->weak = lane_of(0.0f);
}

// a vector of links to partners with the records spot, law and mate
OZ_FN void links_pull_links(const links_pull_args *a, links_pull_sum *s, const lane4 *spot,
                            const lane4 *law, const lane4 *mate, lane *rest)
{
	const lane zero = lane_of(0.0f);
	const link_pair p = link_pair_of(&s->own, spot, mate, *rest, a->printed_scale);
	const lane_mask breaks = link_breaks(&s->own, &p, law, *rest);
	const lane_mask whole = (*rest > 0.0f) & (breaks == 0);
	const lane off = p.length - *rest, stretch = lane_max(off, zero);
	const lane pull = lane_select(whole, p.stiffness * (a->pushes ? off : stretch), zero);
	s->x -= pull * p.x;
	s->y -= pull * p.y;
	s->z -= pull * p.z;
	lane next = *rest;
	if (a->printed_scale > 0.0f) {
		const lane yield = p.average * (s->own.law.y + law->y);
		const lane fading = LINK_FADING(s->own.law) + LINK_FADING(*law);
		s->weak += lane_select(whole & (stretch > yield), p.average * fading, zero);
	} else {
		next = link_relaxed(&s->own, &p, law, *rest, a->pushes);
	}
	*rest = lane_select(whole, next, zero);
}

OZ_FN void links_pull_pair(const links_pull_args *a, links_pull_sum *s, const links_pull_near *j,
                           lane *rest)
{
	links_pull_links(a, s, &j->spot, &j->law, &j->mate, rest);
}

OZ_FN void links_pull_end(const links_pull_args *a, uint i, links_pull_sum *s)
{
	const oz_float4 sum = lane_sum4(s->x, s->y, s->z, s->weak), f = a->acceleration[i];
	const float k = s->own.mate.x;
	a->acceleration[i] = oz_make4(f.x + k * sum.x, f.y + k * sum.y, f.z + k * sum.z, f.w);
	a->loss[i] += a->dt * sum.w;
}

#define links_pull_alike_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, law)                                                                         \
	IN(oz_float4, mate)                                                                        \
	OUT(float, rest)                                                                           \
	OUT(oz_float4, acceleration)                                                               \
	OUT(float, loss) VAL(float, printed_scale) VAL(float, dt) VAL(uint, pushes)
#define links_pull_alike_NEAR(PLACE, ALSO, CASE) ALSO(spot)
#define links_pull_alike_LINK                    rest
OZ_PAIR_ARGS(links_pull_alike)

typedef struct links_pull_alike_sum {
	links_pull_args args;
	links_pull_sum sum;
	lane4 law, mate;
} links_pull_alike_sum;

OZ_FN lane4 links_spread(oz_float4 r)
{
	lane4 v;
	v.x = lane_of(r.x);
	v.y = lane_of(r.y);
	v.z = lane_of(r.z);
	v.w = lane_of(r.w);
	return v;
}

// The arguments of the two kernels are the same. Their records are copied as a whole: with checks
// of indices (checks.c) they also have the sizes of buffers.
typedef union links_pull_twin {
	links_pull_alike_args alike;
	links_pull_args pull;
} links_pull_twin;

// links_pull where all particles have the same law and mate: one material, no temperatures. Only
// one record of a partner is read.
OZ_FN void links_pull_alike_begin(const links_pull_alike_args *a, uint i, links_pull_alike_sum *s)
{
	links_pull_twin twin;
	twin.alike = *a;
	s->args = twin.pull;
	links_pull_begin(&s->args, i, &s->sum);
	s->law = links_spread(s->sum.own.law);
	s->mate = links_spread(s->sum.own.mate);
}

OZ_FN void links_pull_alike_pair(const links_pull_alike_args *a, links_pull_alike_sum *s,
                                 const links_pull_alike_near *j, lane *rest)
{
	(void)a;
	links_pull_links(&s->args, &s->sum, &j->spot, &s->law, &s->mate, rest);
}

OZ_FN void links_pull_alike_end(const links_pull_alike_args *a, uint i, links_pull_alike_sum *s)
{
	(void)a;
	links_pull_end(&s->args, i, &s->sum);
}

#define links_KERNELS(X)                                                                           \
	X(links_gather, EACH)                                                                      \
	X(links_pull, PAIRS_LINKED)                                                                \
	X(links_pull_alike, PAIRS_LINKED)
OZ_KERNELS(links_KERNELS)
