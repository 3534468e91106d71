// links.h: viscoelastic fluids: particles with links that pull, relax and break (links.cl).
//
// Links are kept in a table: for each particle the other particle and the rest length of each of
// its links. Both particles of a link have it. The table is made anew whenever neighbour lists are,
// so that the order of its rows is that of the particles (links_table.c); in between links only
// relax and break. A link with the rest length 0 is broken.
#ifndef OZ_LINKS_MODEL_H
#define OZ_LINKS_MODEL_H

#include "models/links/links_sticks.h"
#include "models/model.h"

//      type       name     kind   most  first, since
#define OZ_LINKS_FIELDS(X)                                                                         \
	X(uint, row, STATE, 0, OZ_NONE, 10)        /* of the table; OZ_NONE: it has no links */    \
	X(float, loss, STATE, OZ_ANY_FLOAT, 0, 10) /* with `paper`: how far c has decreased */     \
	X(oz_float4, looked, STATE, OZ_PLACE_MAX, 0,                                               \
	  10) /* m, position at the last search for new links; w: 0 before the first search        \
	       */                                                                                  \
	X(oz_float4, hold, STATE, OZ_PLACE_MAX, 0,                                                 \
	  10) /* m, where a wall holds it, in the frame of the wall; w: the */                     \
	      /* 1-based number of its collider, negative once that has */                         \
	      /* released it; 0: not held */

// device buffers of the table
typedef struct oz_link_table {
	uint *list;            // indices of the other particles, in the layout of oz_lists
	float *rest;           // m, rest length of each entry
	uint *start, *count;   // of each row
	uint64_t capacity;     // allocated entries of list and rest, with padding at the end
	uint64_t used;         // entries in use, with padding
	uint32_t rows;         // particles that have a row
	uint32_t row_capacity; // rows of start and count
} oz_link_table;

// Scratch of a step: records of particles.
typedef struct oz_links_work {
	oz_float4 *spot; // m, position; w: strength of its links, see link_own
	oz_float4 *law; // x: fading of its links, see link_own; y, z, w: yield, longest, brittle of
	                // oz_link
	oz_float4 *mate; // x: one over its mass, 1/kg; y: material; z: 1 if that has links; w:
	                 // reach, m
	oz_float4 *grip, *slack; // springs by which walls hold it, see links_hold_at
	// of the implicit step, see cg.cl; guess: the velocities u of the last iteration
	oz_float4 *guess, *residual, *direction, *image, *delta_v, *sums;
} oz_links_work;

typedef struct oz_links {
	OZ_LINKS_FIELDS(OZ_FIELD_MEMBER)
	oz_link_table table, spare; // `spare`: buffers for the next table
	oz_links_work work;
	oz_array adhesions; // oz_adhesion_def
	uint32_t followed;  // adhesions that were there when the table was made
	bool unsolved;      // the last step did not converge, and an event was raised
} oz_links;

extern const oz_model_ops oz_links_model;

// Continues the hash of a world with the table of links.
uint64_t oz_links_hash(const oz_sim *sim, uint64_t hash);

// ---- links_table.c -----------------------------------------------------------------------------

// Makes the table of the present particles: keeps links that are not broken, and links particles
// that are near each other.
oz_result oz_link_table_build(oz_sim *sim, oz_links *links, oz_error *error);
void oz_link_table_free(oz_device *device, oz_link_table *table);
void oz_link_table_save(const oz_sim *sim, const oz_links *links, oz_section *section);
oz_result oz_link_table_load(oz_sim *sim, oz_links *links, oz_section *section, oz_error *error);
// NULL if a loaded table is valid, else a sentence.
const char *oz_link_table_check(oz_sim *sim, const oz_links *links);

// ---- adhesion.c --------------------------------------------------------------------------------

// Adds an entry to the table of adhesion. The next step removes links that it forbids and makes
// those that it allows.
oz_result oz_adhesion_add(oz_sim *sim, const void *def, oz_id *id, oz_error *error);
// Bits of the materials to which a material does not stick: bit m for material m.
uint oz_adhesions_avoided(const oz_sim *sim, const oz_material_def *def);
// The pairs that adhesions let stick since the table was made.
oz_link_renewal oz_adhesions_renewal(const oz_links *links);
void oz_adhesions_save(const oz_links *links, oz_section *section);
oz_result oz_adhesions_load(oz_sim *sim, oz_section *section, oz_error *error);

// ---- links_step.c ------------------------------------------------------------------------------

oz_result oz_links_reserve(oz_sim *sim, void *state, oz_error *error);
oz_result oz_links_done(oz_sim *sim, void *state, oz_error *error);
// The pass LINKS: makes the table of links anew if particles were sorted or adhesions added, adds
// the accelerations of links and of holds at walls, relaxes and breaks links.
oz_result oz_links_pull(oz_sim *sim, void *state, oz_error *error);
// Whether the explicit step of the links of all materials is stable at a time step, s.
bool oz_links_are_soft(const oz_sim *sim, float time_step);
// The time step, s, at which G Δt²/(ρ s²) of a material is `most`; ρ: the least density of the
// materials that links may join.
float oz_links_longest_step(const oz_sim *sim, const oz_material_def *material, float most);
// the largest G Δt²/(ρ s²) for which a step is stable
float oz_links_most(oz_link_law law);
// s, the longest time step that a world may take
float oz_longest_time_step(const oz_sim *sim);

#endif
