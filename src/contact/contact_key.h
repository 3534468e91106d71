// contact_key.h: the record that decides whether a pair is an inner pair or contact.
#ifndef OZ_CONTACT_KEY_H
#define OZ_CONTACT_KEY_H

#include "device/kernel.h"

// x, y, z: rest position. Bits of w: 31 … 16 the tag of the component, 15 OZ_KEY_FIRM for a
// solid (elastic, rigid, or a skin). For a blend 14 … 0 are the fraction of the pressure that acts
// in inner pairs, in 1/32767. A solid, for which that is 0, has its friction in 14 … 4 and its
// share (contact_share_units) in 3 … 0. If there are more components than tags, two components with
// the same tag differ by their rest positions.
#define OZ_KEY_FRACTION       32767u
#define OZ_KEY_FIRM           32768u
#define OZ_KEY_FRICTION_UNITS 255.0f // in a friction coefficient of 1; the largest is 8
#define OZ_KEY_SHARE          15u
#define OZ_SHARE_FROM         0.06f       // λ above which the share is less than 1
#define OZ_SHARE_TO           0.2f        // λ above which it is 0
#define OZ_KEY_FLUID          0xffff7fffu // fluid: all fluid is one component, fraction 1

// w of a blend
OZ_FN float contact_soft_bits(uint tag, float fraction)
{
	return oz_float_of_bits(tag << 16 | (uint)(fraction * (float)OZ_KEY_FRACTION + 0.5f));
}

// w of a solid; its share is 1
OZ_FN float contact_firm_bits(uint tag, float friction)
{
	const uint units = (uint)(friction * OZ_KEY_FRICTION_UNITS + 0.5f);
	return oz_float_of_bits(tag << 16 | OZ_KEY_FIRM | units << 4 | OZ_KEY_SHARE);
}

// the friction of a solid
OZ_FN float contact_firm_friction(uint bits)
{
	return (float)((bits & OZ_KEY_FRACTION) >> 4) * (1.0f / OZ_KEY_FRICTION_UNITS);
}

// The share of a solid, 0 … 1, in whole units of OZ_KEY_SHARE: how far its pressure acts on fluids
// and blends in an incompressible world. Where a wall presses it the pressure that stops the whole
// body would throw away the drops next to it. `wall`: its λ.
OZ_FN uint contact_share_units(float wall)
{
	const float off = (wall - OZ_SHARE_FROM) * (1.0f / (OZ_SHARE_TO - OZ_SHARE_FROM));
	return (uint)((float)OZ_KEY_SHARE * (1.0f - oz_min(oz_max(off, 0.0f), 1.0f)) + 0.5f);
}

OZ_FN float contact_firm_share(uint bits)
{
	return (float)(bits & OZ_KEY_SHARE) * (1.0f / (float)OZ_KEY_SHARE);
}

// Squares of the distances in the rest shape up to which two particles of one component are an
// inner pair, m². Elastic bodies have a longer one than the support radius: where they are
// compressed, particles that are farther apart in the rest shape come within it.
typedef struct contact_reach {
	float soft2; // smallest cluster radius of all blends
	float firm2; // of elastic bodies
} contact_reach;

OZ_FN float contact_reach_of(contact_reach reach, uint bits)
{
	return bits & OZ_KEY_FIRM ? reach.firm2 : reach.soft2;
}

// whether particles with the given keys are inner pairs of the own particle: same tag, and near in
// the rest shape
OZ_FN lane_mask contact_is_inner(oz_float4 own, uint bits, float reach2, const lane4 *contact_key)
{
	const lane x = own.x - contact_key->x, y = own.y - contact_key->y,
	           z = own.z - contact_key->z;
	const lane_mask apart = (oz_lane_bits(contact_key->w) ^ (int)bits) & ~0xffff;
	return (apart == 0) & (x * x + y * y + z * z < reach2);
}

// Shares of the pressures of a particle and of its partner in a contact pair, 1 unless the
// pressure of a solid acts on a fluid or blend.
typedef struct contact_shares {
	lane own, other;
} contact_shares;

OZ_FN contact_shares contact_shares_of(uint bits, const lane4 *contact_key)
{
	const lane one = lane_of(1.0f);
	const lane_mask theirs = oz_lane_bits(contact_key->w);
	const lane_mask firm = (theirs & (int)OZ_KEY_FIRM) != 0;
	contact_shares s;
	s.own = s.other = one;
	if (bits & OZ_KEY_FIRM)
		s.own = lane_select(firm, one, lane_of(contact_firm_share(bits)));
	else
		s.other = lane_select(firm,
		                      (1.0f / (float)OZ_KEY_SHARE) *
		                              oz_lane_float(theirs & (int)OZ_KEY_SHARE),
		                      one);
	return s;
}

#endif
