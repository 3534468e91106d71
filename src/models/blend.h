// blend.h: bodies between a fluid and an elastic solid (Takamatsu & Kanai 2011).
//
// Every particle of such a body has a slot, for life. Slots hold the reference shape and its
// clusters; they do not move when particles are sorted, so a cluster's list is made once and kept
// until the reference shape changes. `where` leads from a slot to its particle, the particle's
// field `slot` back.
//
// A cluster is all slots within the cluster radius of one, in the reference shape. Being near is
// mutual: the list of slot i is both who else is in cluster i and which clusters i is in, and is
// stored once. Lists are filled up to whole vectors with the slot behind the last, whose records
// are zero.
#ifndef OZ_BLEND_H
#define OZ_BLEND_H

#include "device/device.h"

//      type       name          kind    meaning
#define OZ_SLOT_FIELDS(X)                                                                          \
	X(oz_float4, rest, STATE)    /* m, in the reference shape; w: mass over its clusters */    \
	X(oz_float4, turn, STATE)    /* rotation of its cluster: the guess for the next one */     \
	X(uint, lump, STATE)         /* lowest slot of those it is joined to */                    \
	X(float, own_alpha, STATE)   /* share of fluid; negative: its material's */                \
	X(float, felt, STATE)        /* m/s, contact since the last look at its lump */            \
	X(float, felt_for, STATE)    /* s, since then */                                           \
	X(uint, fresh, STATE)        /* 1: just poured, has no reference shape yet */              \
	X(oz_float4, centre, RESULT) /* m, mean of its cluster from its rest; w: 1/mass */         \
	X(oz_float4, now,                                                                          \
	  RESULT) /* m, position; w: as rest; of solids in the end m/s², outer forces */          \
	X(oz_float4, row_x, RESULT) /* first row of the cluster's rotation R; w: t.x of R r + t */ \
	X(oz_float4, row_y, RESULT)                                                                \
	X(oz_float4, row_z, RESULT)                                                                \
	X(uint, tag, RESULT)       /* number of its lump in ties, below OZ_TAGS */                 \
	X(uint, where, RESULT)     /* its particle */                                              \
	X(float, own_rest, RESULT) /* density of the reference shape, share of that at rest */     \
	X(float, inner, RESULT)    /* share of its pressure that inner pairs feel */               \
	X(float, share, RESULT)    /* 1 / clusters it is in */                                     \
	X(uint, start, RESULT)     /* of its list */                                               \
	X(uint, members, RESULT)   /* entries of its list, filling included */

#define OZ_TAGS 65535u // numbers for lumps in ties

// whether a kind is kept from one step to the next
#define OZ_IS_STATE  1
#define OZ_IS_RESULT 0

typedef struct oz_blend {
#define OZ_SLOT_MEMBER(type, name, kind) type *name;
	OZ_SLOT_FIELDS(OZ_SLOT_MEMBER)
#undef OZ_SLOT_MEMBER
	uint32_t count, capacity; // slots; the capacity has room for the one behind the last
	uint *list;
	uint64_t list_capacity;
	oz_float4 *tie; // of each particle, see contact.cl
	uint *touching; // how many neighbours pressure asks for; NULL: all, there are no solids
	uint *alone;    // and how many viscosity asks for, of those who touch nobody
	uint32_t tie_capacity; // particles
	uint32_t lumps;        // but for what was just poured or is molten
	uint32_t names;        // lumps with that, each its own: so many tags, if there are enough
	float least_alpha;     // of particles that have their own; 1: none has
	double alphas_at;      // s, time of the α that kernels were told
	bool alphas_known;     // false: a material has come since then
	bool tied;             // ties are those of the present order and lumps
	bool stale;            // lists have to be made before the next step
} oz_blend;

// What a slot begins with.
typedef struct oz_slot_def {
	oz_vec3 rest; // m
	uint32_t particle, lump;
	float alpha;    // negative: the material's
	uint32_t fresh; // 1: poured
} oz_slot_def;

#endif
