// links_pair.h: a vector of links of one particle, for the kernels of links.cl.
//
// A link that is stretched pulls with k (d - r): d its length, r its rest length (eq 6 of Takahashi
// et al. 2014). With the constants of the paper, k is c m_i m_j/(m_i + m_j)/Δt². Else the
// stiffness comes from the shear modulus G: for an isotropic network of links that only pull,
// stretched along one axis at constant volume,
//
//   3 G = n/2 Σ_j k r² ⟨P₂²⟩₊,    ⟨P₂²⟩₊ = 1/5 - (1/√3 - 2/(3√3) + 1/(5√3))/4 = 0.12302
//
// with n particles per m³; the mean is over the directions in which links get longer, P₂ the
// second Legendre polynomial. Links have weights w = (1 - r²/R²)², which fall to 0 at the distance
// R where links are made: a new link has no weight and no stretch, so it changes nothing; its
// weight follows its rest length. Then k = K w with
//
//   K = 3 G V/(0.12302 · 2π ∫ w r⁴ dr/V) = 3 G V²/(0.12302 · 0.1596 R⁵)
//
// and V the volume of a particle. Particles at surfaces have fewer links: a strip of 4 to 12
// particles is 0.91 to 0.96 times as stiff as that, so K is divided by 0.94. Links that only pull
// make a stretched strip stiffer than rubber: 1.2 times at a stretch of 10 %, twice at 50 %.
#ifndef OZ_LINKS_PAIR_H
#define OZ_LINKS_PAIR_H

#include "device/kernel.h"
#include "particles/matter.h"

#define OZ_LINK_SUM (0.94f * 0.12302f * 0.1596f) // see above
// springs that push, too: the mean of P₂² is over all directions
#define OZ_LINK_SUM_SPRINGS (0.94f * 0.2f * 0.1596f)

// The records of the particle whose links are visited, see oz_links_work. All materials with links
// have `paper`, or none has:
//   strength, spot.w    K, N/m; with `paper` c of eq 6
//   fading, law.x       share of the stretch that relaxes in a step; with `paper` w of eq 7, 1/s
typedef struct link_own {
	oz_float4 spot, law, mate;
} link_own;

// Rest lengths of links to solids over lengths, at most. With 1 a lump at rest would pull itself to
// the body: each fluctuation of a length would make its link shorter for good, and a light cube
// that hangs on slime trembled at 8 mm/s.
#define LINK_FOLLOWS 1.1f

#define LINK_STRENGTH(record) ((record).w)
#define LINK_FADING(record)   ((record).x)

// a vector of links
typedef struct link_pair {
	lane x, y, z;    // unit vector to the particle from its partner
	lane length;     // m
	lane stiffness;  // N/m
	lane average;    // turns a sum over both particles into the mean of those that have links:
	                 // 1/2 if both have, else 1
	lane_mask other; // one of the two materials has no links
} link_pair;

// (1 - r²/reach²)²; 0 beyond the reach
OZ_FN lane link_weight(lane rest, lane reach)
{
	const lane q = rest / reach, u = lane_max(1.0f - q * q, lane_of(0.0f));
	return u * u;
}

// Direction, length and stiffness of links with rest lengths `rest`. `printed_scale`: 1/s², 1/Δt²
// of the paper's forces if the materials have `paper`, else 0.
OZ_FN link_pair link_pair_of(const link_own *s, const lane4 *spot, const lane4 *mate, lane rest,
                             float printed_scale)
{
	link_pair p;
	const lane x = s->spot.x - spot->x, y = s->spot.y - spot->y, z = s->spot.z - spot->z;
	const lane d2 = lane_max(x * x + y * y + z * z, lane_of(1e-30f)), inverse = lane_rsqrt(d2);
	p.x = x * inverse;
	p.y = y * inverse;
	p.z = z * inverse;
	p.length = d2 * inverse;
	p.average = lane_select(s->mate.z + mate->z > 1.5f, lane_of(0.5f), lane_of(1.0f));
	p.stiffness = p.average * (LINK_STRENGTH(s->spot) + LINK_STRENGTH(*spot));
	p.stiffness *= printed_scale > 0.0f ? printed_scale / (s->mate.x + mate->x)
	                                    : link_weight(rest, p.average * (s->mate.w + mate->w));
	p.other = (mate->y != s->mate.y) & (s->mate.z + mate->z < 1.5f);
	return p;
}

// whether a link breaks: it is longer than `longest`, or it joins a solid and its tension is above
// `sticky`
OZ_FN lane_mask link_breaks(const link_own *s, const link_pair *p, const lane4 *law, lane rest)
{
	const lane longest = p->average * (s->law.z + law->z);
	const lane brittle = lane_max(lane_of(s->law.w), law->w);
	return (p->length > longest) | (p->other & ((p->length - rest) * brittle > rest));
}

// The rest length after a step: it moves towards the length if the stretch is beyond the yield.
// That of a link to a solid which does not push is at most LINK_FOLLOWS times the length: a link
// that is made while a lump is pressed against a body has about the rest length of the distance at
// which the two touch, not that of the reach. `pushes`: 1 for springs.
OZ_FN lane link_relaxed(const link_own *s, const link_pair *p, const lane4 *law, lane rest,
                        uint pushes)
{
	const lane share = p->average * (LINK_FADING(s->law) + LINK_FADING(*law)),
	           yield = p->average * (s->law.y + law->y);
	const lane off = p->length - rest;
	const lane next = lane_select(lane_max(off, -off) > yield * rest, rest + share * off, rest);
	return pushes ? next
	              : lane_select(p->other, lane_min(next, LINK_FOLLOWS * p->length), next);
}

#endif
