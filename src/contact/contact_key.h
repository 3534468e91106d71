// contact_key.h: the record that decides whether a pair is an inner pair or contact.
#ifndef OZ_CONTACT_KEY_H
#define OZ_CONTACT_KEY_H

#include "device/kernel.h"

// x, y, z: rest position. Bits of w: 31 … 16 the tag of the component, 15 OZ_KEY_FIRM for an
// elastic body, 14 … 0 in 1/32767: for a blend the fraction of the pressure that acts in inner
// pairs, for an elastic body, where that is 0, its friction. If there are more components than
// tags, two components with the same tag differ by their rest positions.
#define OZ_KEY_FRACTION 32767u
#define OZ_KEY_FIRM     32768u
#define OZ_KEY_FRICTION 8.0f        // largest friction coefficient
#define OZ_KEY_FLUID    0xffff7fffu // fluid: all fluid is one component, fraction 1

// w of a blend
OZ_FN float contact_soft_bits(uint tag, float fraction)
{
	return oz_float_of_bits(tag << 16 | (uint)(fraction * (float)OZ_KEY_FRACTION + 0.5f));
}

// w of an elastic body
OZ_FN float contact_firm_bits(uint tag, float friction)
{
	const float fraction = friction / OZ_KEY_FRICTION * (float)OZ_KEY_FRACTION;
	return oz_float_of_bits(tag << 16 | OZ_KEY_FIRM | (uint)(fraction + 0.5f));
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

// How often the pressures of a particle and of its partner act in a contact pair: once each. An
// incompressible world has `one_sided`: between a fluid or blend and a solid (elastic, rigid or a
// skin) the pressure of the softer one acts twice and that of the solid does not. The pressure by
// which a wall stops a heavy body would throw away the drops next to it.
typedef struct contact_shares {
	lane own, other;
} contact_shares;

OZ_FN contact_shares contact_shares_of(uint one_sided, uint bits, const lane4 *contact_key)
{
	const lane one = lane_of(1.0f);
	const lane_mask solid = (oz_lane_bits(contact_key->w) & (int)OZ_KEY_FIRM) != 0;
	const bool is_solid = (bits & OZ_KEY_FIRM) != 0u;
	contact_shares s;
	s.own = s.other = one;
	if (one_sided && is_solid) {
		s.own = lane_select(solid, one, lane_of(0.0f));
		s.other = lane_select(solid, one, lane_of(2.0f));
	} else if (one_sided) {
		s.own = lane_select(solid, lane_of(2.0f), one);
		s.other = lane_select(solid, lane_of(0.0f), one);
	}
	return s;
}

#endif
