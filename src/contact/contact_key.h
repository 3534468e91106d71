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

#endif
