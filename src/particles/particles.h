// particles.h: the fields of the particles of a world, and their neighbour lists.
#ifndef OZ_PARTICLES_H
#define OZ_PARTICLES_H

#include "particles/fields.h"
#include "particles/grid.h"
#include "particles/matter.h"
#include "particles/scratch.h"

#define OZ_GRID_SAMPLE 1024u // most particles that are sampled to choose a grid

// Chooses a grid for a search radius from x, y and z (`axes`) of `taken` particles, a sample of
// `count`; every axis gets at least 2^least cells.
oz_grid oz_grid_fit(float axes[3][OZ_GRID_SAMPLE], uint32_t taken, uint32_t count, float radius,
                    uint32_t least);

// Chooses a grid for a search radius from `count` positions on the device.
oz_grid oz_grid_choose(oz_device *device, const oz_float4 *position, uint32_t count, float radius);

// Writes the first item of each cell into cell_start, from sorted keys; cell_start has `cells` + 1
// entries, the last is `count`.
void oz_cells_find_starts(oz_device *device, const uint *key, uint32_t count, uint *cell_start,
                          uint32_t cells);

// Computes where the list of each item starts, from the counts. Returns the entries that all lists
// take with padding; *entries gets those without. `room` is scratch for `items` + 1 numbers. If the
// lists take more than UINT32_MAX rows of `stride` entries, `start` has overflowed.
uint64_t oz_list_starts(oz_device *device, const uint *count, uint32_t items, uint *room,
                        uint *start, uint64_t *entries);

//      type       name          kind     most           first, since
#define OZ_PARTICLE_FIELDS(X)                                                                      \
	X(oz_float4, position, STATE, OZ_PLACE_MAX, 0, 1) /* m; w: P = κ p/δ², Pa */            \
	X(oz_float4, velocity, STATE, OZ_SPEED_MAX, 0, 1) /* m/s, at mid-step; w: √ of its */    \
	                                                  /* viscous weight */                     \
	X(oz_float4, anchor, ANCHOR, OZ_PLACE_MAX, 0, 1)  /* m, position when lists were */        \
	                                                  /* built; w: P at that time */           \
	X(uint, id, STATE, 0, 0, 1)                       /* never changes */                      \
	X(uint, body, STATE, 0, 0, 1)                     /* the body it belongs to */             \
	X(uint, material, STATE, 0, 0, 1)                 /* number of its material */             \
	X(float, deficit, STATE, OZ_ANY_FLOAT, OZ_FIRST_10,                                        \
	  7) /* of δ, without stretch (eos.cl); below 0: its overlap (pressure_law.h) */          \
	X(oz_float4, acceleration, RESULT, 0, 0, 1)  /* m/s²; w: 1 if it was repaired */          \
	X(float, density, STATE, OZ_ANY_FLOAT, 0, 7) /* kg/m³; 0 before the first step */         \
	X(float, pressure, RESULT, 0, 0, 1)          /* Pa */

// Estimated bytes of the list of one particle with a search radius of `reach` spacings. On a GPU 32
// lists are interleaved and padded to the longest of them.
static inline double oz_rest_list_bytes(double reach, bool on_gpu)
{
	return (on_gpu ? 1.1 : 1) * sizeof(uint) * 4.18879 * reach * reach * reach;
}

// the same in slightly compressed material
static inline double oz_list_bytes(double reach, bool on_gpu)
{
	return 1.24 * oz_rest_list_bytes(reach, on_gpu);
}

typedef struct oz_particles {
	OZ_PARTICLE_FIELDS(OZ_FIELD_MEMBER)
	uint32_t count, capacity;

	// scratch of the present step
	oz_float4 *wall;       // ∇λ of the walls, 1/m; w: λ, their share of the kernel
	float *wall_clearance; // m, distance that it can move before it can touch a wall
	float *delta;          // δ: density as a share of that at rest
} oz_particles;

extern const oz_field_row oz_particle_rows[];
extern const uint32_t oz_particle_row_count;

// Grows all particle fields to `capacity` particles and keeps the present ones. On failure nothing
// changes.
oz_result oz_particles_reserve(oz_fields *fields, oz_particles *particles, uint32_t capacity,
                               oz_error *error);
// Take and give back the scratch members of oz_particles.
oz_result oz_particles_take_scratch(oz_scratch *scratch, oz_particles *particles, oz_error *error);
void oz_particles_give_scratch(oz_scratch *scratch, oz_particles *particles);

// Neighbours that a PAIRS_KEEP kernel keeps for PAIRS_KEPT kernels (kernel.h), each with a number.
// The lists begin where the neighbour lists do, and hold what the last launch has kept.
typedef struct oz_kept {
	uint *list;
	float *number;       // of each entry
	uint *count;         // entries of a particle
	uint64_t capacity;   // of list and number
	uint64_t count_room; // of count
} oz_kept;

// The neighbour lists. A list has all particles within the support radius plus a skin, so that it
// is valid until the relative displacement of two particles since their anchors exceeds the skin.
typedef struct oz_neighbours {
	oz_grid grid;
	uint *cell_start;
	uint32_t cell_capacity;
	uint *list;
	uint64_t list_capacity, list_used;
	uint64_t entries;    // of list_used, without padding
	uint *start, *count; // scratch, held while lists exist
	uint64_t *marks;     // scratch; bits of neighbours within the support radius in this step
	uint32_t stride;     // see oz_lists
	uint32_t unit;       // likewise
	uint32_t listed;     // the first so many particles have lists for the present order
	uint32_t builds;     // how often lists were made
	bool valid;
	bool separated; // without the pairs that thin walls separate (boundary/thin.c)
	oz_kept kept;
} oz_neighbours;

// The inputs from which lists are built.
typedef struct oz_list_maker {
	oz_fields *fields;
	oz_scratch *scratch;
	oz_particles *particles;
	bool keeps; // PAIRS_KEEP kernels will keep neighbours: lists take whole quads
} oz_list_maker;

// Chooses the grid for a search radius and allocates the memory that oz_neighbours_build needs; its
// scratch is given back to the pool, where the build finds it. Discards existing lists.
oz_result oz_neighbours_reserve(const oz_list_maker *maker, oz_neighbours *n, float radius,
                                oz_error *error);
// Sorts the particles by cell, sets their anchors and builds all lists. Call oz_neighbours_reserve
// before. Memory is allocated only if lists outgrow their buffer.
oz_result oz_neighbours_build(const oz_list_maker *maker, oz_neighbours *n, oz_error *error);
// Rebuilds the lists from the saved anchors after a snapshot was loaded; does not sort particles.
oz_result oz_neighbours_restore(const oz_list_maker *maker, oz_neighbours *n, oz_error *error);
void oz_neighbours_free(oz_device *device, oz_neighbours *n);
// Makes room to keep as many neighbours as the lists have, for `particles`. Worlds whose solvers
// visit neighbours in several rounds call it while a step reserves memory, and after lists were
// made. Loses what was kept.
oz_result oz_neighbours_reserve_kept(oz_device *device, oz_neighbours *n, uint32_t particles,
                                     oz_error *error);

// The lists as pair kernels take them; neighbours within support_radius are marked.
static inline oz_lists oz_neighbours_lists(const oz_neighbours *n, float support_radius)
{
	return (oz_lists){.list = n->list,
	                  .start = n->start,
	                  .count = n->count,
	                  .stride = n->stride,
	                  .unit = n->unit,
	                  .marks = n->marks,
	                  .reach2 = support_radius * support_radius};
}

// The neighbours that were kept, as PAIRS_KEPT kernels take them.
static inline oz_lists oz_kept_lists(const oz_neighbours *n)
{
	return (oz_lists){.list = n->kept.list,
	                  .start = n->start,
	                  .count = n->kept.count,
	                  .stride = n->stride};
}

#endif
