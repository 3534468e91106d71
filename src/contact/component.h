// component.h: records of connected components, lumps for short.
//
// What is known of a lump stands at the place of its lowest slot, which is its name.
#ifndef OZ_COMPONENT_H
#define OZ_COMPONENT_H

#include "device/kernel.h"

#define OZ_NO_LUMP    0xffffffffu
#define OZ_LUMPS_TOLD 4u // of one kind in a step

// what a lump is found to be
#define LUMP_LONE    1u  // its materials do not merge
#define LUMP_POURS   2u  // has a body that is being poured
#define LUMP_DUE     4u  // is looked at now
#define LUMP_CHANGES 8u  // takes a new reference shape
#define LUMP_SPLIT   16u // is no longer whole
#define LUMP_MERGED  32u // is made of several

typedef struct oz_lump {
	uint count, flags;
} oz_lump;

// bits of the largest values; floats that are not negative are ordered as their bits
typedef struct oz_lump_most {
	uint felt, felt_for, threshold, speed2;
} oz_lump_most;

typedef struct oz_lump_contact {
	oz_sum felt, felt_for;
} oz_lump_contact;

typedef struct oz_lump_limit {
	oz_sum threshold, speed2;
} oz_lump_limit;

// what the host reads
typedef struct oz_lump_news {
	uint changed;                 // slots that take a new reference shape
	uint lumps;                   // but for what was just poured or is molten
	uint names;                   // with that
	uint name[2 * OZ_LUMPS_TOLD]; // the lowest that split, then the lowest that merged
	uint body[2 * OZ_LUMPS_TOLD]; // of these
} oz_lump_news;

#endif
