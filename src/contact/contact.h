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

// of particles; each comes into the registry when the first body needs it
//      type       name      kind    most, first, since
#define OZ_CONTACT_FIELDS(X)                                                                       \
	X(oz_float4, contact_key, RESULT, 0, 0, 5) /* its contact key, see contact_key.h */        \
	X(uint, touching, RESULT, 0, 0, 5) /* entries of its list, 0: plain or alone; NULL: all */ \
	                                   /* are touching */                                      \
	X(uint, plain, RESULT, 0, 0, 5)    /* entries of its list, 0: not plain; NULL: none is */  \
	X(uint, alone, RESULT, 0, 0, 5)    /* entries of its list, 0: not alone; NULL: none is */

typedef struct oz_contact {
	OZ_CONTACT_FIELDS(OZ_FIELD_MEMBER)
	uint32_t fields; // bit k: row k is in the registry
	bool keys_valid; // keys are those of the present order and components
} oz_contact;

// Takes the memory that a step needs. Nothing where no particle has a rest shape.
oz_result oz_contact_reserve(oz_sim *sim, oz_error *error);
// Bytes of a particle, at most.
size_t oz_contact_bytes(void);
// Whether some particle has no rest shape and no body of one near it: the fluid's own passes are
// for these.
bool oz_contact_leaves_plain(const oz_sim *sim);
// Makes the keys, if they are not those of the present order and components.
void oz_contact_find_key(oz_sim *sim);
// δ of all particles that are not plain, and δ of contact of their slots.
void oz_contact_density(oz_sim *sim);
void oz_contact_forces(oz_sim *sim);

// The neighbour lists, with as many entries of each as `count` says; NULL: all.
oz_lists oz_contact_lists(const oz_sim *sim, const uint *count);
// How many entries of each list contact acts on.
const uint *oz_contact_counts(const oz_sim *sim);

#endif
