// contact.h: pressure, viscosity and friction between bodies, and within those that have a rest
// shape.
//
// Each particle has a contact key: where it rests and which component it belongs to. Pairs of rest
// neighbours are inner pairs; all others are contact. Three kinds of particles are told apart when
// lists are made: fluid with no body of a rest shape within its list (plain), elastic bodies with
// none but inner pairs in theirs (alone), and all others (touching).
#ifndef OZ_CONTACT_H
#define OZ_CONTACT_H

#include "particles/sim.h"

typedef struct oz_contact {
	oz_float4 *tie;    // of each particle: its contact key, see contact.cl
	uint *plain;       // entries of the lists of plain particles, else 0; NULL: there are none
	uint *touching;    // of those that contact acts on; NULL: all
	uint *alone;       // of elastic bodies that touch nothing; NULL: there are none
	uint32_t capacity; // particles
	bool tied;         // keys are those of the present order and components
} oz_contact;

// Takes the memory that a step needs. Nothing where no particle has a rest shape.
oz_result oz_contact_reserve(oz_sim *sim, oz_error *error);
void oz_contact_free(oz_sim *sim);
// Whether some particle has no rest shape and no body of one near it: the fluid's own passes are
// for these.
bool oz_contact_leaves_plain(const oz_sim *sim);
// Makes the keys, if they are not those of the present order and components.
void oz_contact_tie(oz_sim *sim);
// δ of all particles that are not plain, and δ of contact of their slots.
void oz_contact_density(oz_sim *sim);
void oz_contact_forces(oz_sim *sim);

// The neighbour lists, with as many entries of each as `count` says; NULL: all.
oz_lists oz_contact_lists(const oz_sim *sim, const uint *count);
// How many entries of each list contact acts on.
const uint *oz_contact_counts(const oz_sim *sim);

#endif
