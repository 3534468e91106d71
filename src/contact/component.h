// component.h: records of connected components of rest shapes, components for short.
//
// The name of a component is the number of its lowest slot. Arrays of components are indexed by it.
#ifndef OZ_COMPONENT_H
#define OZ_COMPONENT_H

#include "device/kernel.h"

#define OZ_NO_COMPONENT        0xffffffffu
#define OZ_COMPONENTS_REPORTED 4u // events of one kind (split, merged) in a step, at most

// flags of a component
#define COMPONENT_LONE    1u  // one of its materials does not merge
#define COMPONENT_POURS   2u  // holds particles of a body that an emitter pours
#define COMPONENT_DUE     4u  // is checked for a new rest shape in this step
#define COMPONENT_CHANGES 8u  // takes a new rest shape
#define COMPONENT_SPLIT   16u // has split into several
#define COMPONENT_MERGED  32u // is made of several earlier components

typedef struct oz_component {
	uint count, flags;
} oz_component;

// largest values in a component, as bits of floats: these are ordered like floats that are ≥ 0
typedef struct oz_component_most {
	uint contact_impulse, contact_time, threshold, speed2;
} oz_component_most;

typedef struct oz_component_contact {
	oz_sum contact_impulse, contact_time;
} oz_component_contact;

typedef struct oz_component_limit {
	oz_sum threshold, speed2;
} oz_component_limit;

// counts and names that the host reads after components were named
typedef struct oz_component_news {
	uint changed;                          // slots that take a new rest shape
	uint components;                       // components whose lowest slot has a rest shape
	uint names;                            // all components, also poured and molten slots
	uint name[2 * OZ_COMPONENTS_REPORTED]; // lowest names that split, then lowest that merged
	uint body[2 * OZ_COMPONENTS_REPORTED]; // body of each of these names
} oz_component_news;

#endif
