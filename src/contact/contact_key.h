// contact_key.h: the record by which a pair is found to be an inner pair or contact.
#ifndef OZ_CONTACT_KEY_H
#define OZ_CONTACT_KEY_H

#include "device/kernel.h"

// A key is the rest position, and as bits of w the component's tag and the share of the pressure
// that inner pairs feel, in 32767 steps; or of an elastic body, whose inner pairs feel none, its
// friction. Where there are more components than tags, two of the same tag are told apart by where
// they rest.
#define OZ_KEY_FRACTION 32767u
#define OZ_KEY_FIRM     32768u
#define OZ_KEY_FRICTION 8.0f        // the most there is
#define OZ_KEY_FLUID    0xffff7fffu // fluid: all fluid is one component

OZ_FN float contact_soft_bits(uint tag, float fraction)
{
	return oz_float_of_bits(tag << 16 | (uint)(fraction * (float)OZ_KEY_FRACTION + 0.5f));
}

OZ_FN float contact_firm_bits(uint tag, float friction)
{
	const float fraction = friction / OZ_KEY_FRICTION * (float)OZ_KEY_FRACTION;
	return oz_float_of_bits(tag << 16 | OZ_KEY_FIRM | (uint)(fraction + 0.5f));
}

#endif
