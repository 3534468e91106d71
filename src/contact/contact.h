// contact.h: pressure, viscosity and friction between bodies, and inside bodies that have a rest
// shape.
//
// Each particle has a contact key: its rest position and its component. Two particles of one
// component that are near in the rest shape are an inner pair; all other pairs are contact. When
// neighbour lists are made, particles are divided into three classes:
//
//   plain      fluid; all particles in its list are fluid
//   alone      of an elastic body; all pairs of its list are inner pairs
//   touching   all others
#ifndef OZ_CONTACT_H
#define OZ_CONTACT_H

#include "contact/contact_key.h"
#include "particles/sim.h"

// Fields of particles; each comes into the registry when the first body needs it. Each class has a
// count field: the length of the neighbour list for particles of the class, 0 for others.
//      type       name      kind    most, first, since
#define OZ_CONTACT_FIELDS(X)                                                                       \
	X(oz_float4, contact_key, RESULT, 0, 0, 5) /* see contact_key.h */                         \
	X(uint, touching, RESULT, 0, 0, 5) /* entries of its list; 0: plain or alone; NULL: all */ \
	                                   /* are touching */                                      \
	X(uint, plain, RESULT, 0, 0, 5)    /* entries of its list; 0: not plain; NULL: none is */  \
	X(uint, alone, RESULT, 0, 0, 5)    /* entries of its list; 0: not alone; NULL: none is */  \
	X(oz_float4, held, STATE, OZ_ANY_FLOAT, 0, 13) /* m of the last step (friction.cl) */      \
	X(oz_float4, normal, STATE, 1.001f, 0, 14)     /* e of the last step; 0: no contact */

typedef struct oz_contact {
	OZ_CONTACT_FIELDS(OZ_FIELD_MEMBER)
	uint32_t fields; // bit k: row k is in the registry
	bool keys_valid; // keys and classes are those of the present order and components
	bool faces;      // large faces of skins press in this step, with friction
	bool near; // in the last step a wall or a particle of another component was within reach of
	           // a particle with a rest shape
} oz_contact;

// Adds the fields that the bodies of the world need. Does nothing if no particle has a rest shape.
oz_result oz_contact_reserve(oz_sim *sim, oz_error *error);
// Adds the fields of friction if this is the name of one, which a snapshot holds.
oz_result oz_contact_open_field(oz_sim *sim, const char *name, oz_error *error);
// Takes the scratch of oz_contact_forces and gives it back: the pool keeps the memory.
oz_result oz_contact_reserve_scratch(oz_sim *sim, oz_error *error);
// Sets the friction of the last step to 0 if no solid has friction any more.
void oz_contact_forget(oz_sim *sim);
// Bytes of these fields, and of the scratch of friction, for one particle, at most.
size_t oz_contact_bytes(bool friction);
// Whether there may be plain particles: density and forces of these are left to the fluid model.
bool oz_contact_leaves_plain(const oz_sim *sim);
// Writes contact keys and classes, if they are not valid.
void oz_contact_find_key(oz_sim *sim);
// Writes δ of all particles that are not plain, and contact_delta of their slots.
void oz_contact_density(oz_sim *sim);
// Writes the acceleration of all particles that are not plain: pressure, viscosity, friction,
// gravity.
oz_result oz_contact_forces(oz_sim *sim, oz_error *error);

// The rest distances up to which pairs are inner pairs.
contact_reach oz_contact_reach(const oz_sim *sim);
// The neighbour lists with `count` entries each; NULL: all entries.
oz_lists oz_contact_lists(const oz_sim *sim, const uint *count);
// For each particle the entries of its list that contact acts on.
const uint *oz_contact_counts(const oz_sim *sim);

#endif
