// component.h: records of connected components, components for short.
//
// What is known of a component stands at the place of its lowest slot, which is its name.
#ifndef OZ_COMPONENT_H
#define OZ_COMPONENT_H

#include "device/kernel.h"

#define OZ_NO_COMPONENT        0xffffffffu
#define OZ_COMPONENTS_REPORTED 4u // of one kind in a step

// what a component is found to be
#define COMPONENT_LONE    1u  // its materials do not merge
#define COMPONENT_POURS   2u  // has a body that is being poured
#define COMPONENT_DUE     4u  // is looked at now
#define COMPONENT_CHANGES 8u  // takes a new reference shape
#define COMPONENT_SPLIT   16u // is no longer whole
#define COMPONENT_MERGED  32u // is made of several

typedef struct oz_component {
	uint count, flags;
} oz_component;

// bits of the largest values; floats that are not negative are ordered as their bits
typedef struct oz_component_most {
	uint contact_impulse, contact_time, threshold, speed2;
} oz_component_most;

typedef struct oz_component_contact {
	oz_sum contact_impulse, contact_time;
} oz_component_contact;

typedef struct oz_component_limit {
	oz_sum threshold, speed2;
} oz_component_limit;

// what the host reads
typedef struct oz_component_news {
	uint changed;                          // slots that take a new reference shape
	uint components;                       // but for what was just poured or is molten
	uint names;                            // with that
	uint name[2 * OZ_COMPONENTS_REPORTED]; // the lowest that split, then the lowest that merged
	uint body[2 * OZ_COMPONENTS_REPORTED]; // of these
} oz_component_news;

#endif
