// particles.h: the particles of a world, field by field, and their neighbour lists.
#ifndef OZ_PARTICLES_H
#define OZ_PARTICLES_H

#include "particles/fields.h"
#include "particles/grid.h"
#include "particles/matter.h"
#include "particles/scratch.h"

#define OZ_GRID_SAMPLE 1024u // particles that a grid is chosen by

// Chooses cells for a search radius. `axes` holds x, y and z of the `taken` sampled particles of
// `count`; every axis gets at least 2^least cells.
oz_grid oz_grid_fit(float axes[3][OZ_GRID_SAMPLE], uint32_t taken, uint32_t count, float radius,
                    uint32_t least);

// Chooses cells for a search radius among `count` points.
oz_grid oz_grid_choose(oz_device *device, const oz_float4 *position, uint32_t count, float radius);

// Finds the first item of each cell, from keys in order; cell_start has one more for the end.
void oz_cells_open(oz_device *device, const uint *key, uint32_t count, uint *cell_start,
                   uint32_t cells);

// Finds where the lists of `items` begin, from their counts; gives the room that they take
// together, and *entries, how many of them count. `room` is scratch for `items` + 1 numbers. Beyond
// UINT32_MAX rows of `stride` entries `start` is of no use.
uint64_t oz_list_starts(oz_device *device, const uint *count, uint32_t items, uint *room,
                        uint *start, uint64_t *entries);

//      type       name          kind     most           first, since
#define OZ_PARTICLE_FIELDS(X)                                                                      \
	X(oz_float4, position, STATE, OZ_PLACE_MAX, 0, 1) /* m; w: P = κ p/δ², Pa */            \
	X(oz_float4, velocity, STATE, OZ_SPEED_MAX, 0, 1) /* m/s, at mid-step; w: √ of its */    \
	                                                  /* viscous weight */                     \
	X(oz_float4, anchor, ANCHOR, OZ_PLACE_MAX, 0, 1)  /* m, where its neighbours were */       \
	                                                  /* listed; w: P of then */               \
	X(uint, id, STATE, 0, 0, 1)                       /* its number for life */                \
	X(uint, body, STATE, 0, 0, 1)                     /* the body it belongs to */             \
	X(uint, material, STATE, 0, 0, 1)                 /* what it is made of */                 \
	X(oz_float4, acceleration, RESULT, 0, 0, 1)       /* m/s²; w: 1 if it was repaired */     \
	X(float, density, RESULT, 0, 0, 1)                /* kg/m³ */                             \
	X(float, pressure, RESULT, 0, 0, 1)               /* Pa */

// Bytes of a list that reaches so many spacings, in matter that is a little squeezed. On a GPU
// lists are interleaved, to the longest of 32.
static inline double oz_list_bytes(double reach, bool on_gpu)
{
	return (on_gpu ? 1.1 : 1) * sizeof(uint) * 1.24 * 4.18879 * reach * reach * reach;
}

typedef struct oz_particles {
	OZ_PARTICLE_FIELDS(OZ_FIELD_MEMBER)
	uint32_t count, capacity;

	// of the step under way, from the scratch pool
	oz_float4 *wall;       // ∇λ of the walls, 1/m; w: λ, their share of the kernel
	float *wall_clearance; // m that it may go before it can touch a wall
	float *delta;          // δ: density as a share of that at rest
} oz_particles;

extern const oz_field_row oz_particle_rows[];
extern const uint32_t oz_particle_row_count;

// Makes room for `capacity` particles in all; those that are there stay. On failure nothing
// changes.
oz_result oz_particles_reserve(oz_fields *fields, oz_particles *particles, uint32_t capacity,
                               oz_error *error);
// Takes what a step needs for each particle from the pool, or gives it back.
oz_result oz_particles_take_scratch(oz_scratch *scratch, oz_particles *particles, oz_error *error);
void oz_particles_give_scratch(oz_scratch *scratch, oz_particles *particles);

// Who is near whom. Lists reach `radius`: the support radius and a skin, so that they stay right
// until two particles have moved apart by the skin since their anchors.
typedef struct oz_neighbours {
	oz_grid grid;
	uint *cell_start;
	uint32_t cell_capacity;
	uint *list;
	uint64_t list_capacity, list_used;
	uint64_t entries;    // of list_used, those that are neighbours
	uint *start, *count; // from the scratch pool, as long as lists are there
	uint64_t *marks;     // likewise: who of the list is within the support radius in this step
	uint32_t stride;     // of the lists
	uint32_t listed;     // particles whose lists are there, as they lie now
	bool valid;
} oz_neighbours;

// What lists are built from.
typedef struct oz_list_maker {
	oz_fields *fields;
	oz_scratch *scratch;
	oz_particles *particles;
} oz_list_maker;

// Chooses the grid for lists that reach `radius`, takes the memory that building them needs, and
// gives scratch back to the pool: building will find it there. Lists that were there are gone.
oz_result oz_neighbours_rehearse(const oz_list_maker *maker, oz_neighbours *n, float radius,
                                 oz_error *error);
// Sorts the particles by cell, sets their anchors and builds all lists anew, after a rehearsal.
// Only lists that outgrow their buffer take more memory.
oz_result oz_neighbours_build(const oz_list_maker *maker, oz_neighbours *n, oz_error *error);
// Builds the lists again that belonged to the anchors, as after a snapshot: no particle is moved.
oz_result oz_neighbours_restore(const oz_list_maker *maker, oz_neighbours *n, oz_error *error);
void oz_neighbours_free(oz_device *device, oz_neighbours *n);

static inline oz_lists oz_neighbours_lists(const oz_neighbours *n, float support_radius)
{
	return (oz_lists){.list = n->list,
	                  .start = n->start,
	                  .count = n->count,
	                  .stride = n->stride,
	                  .marks = n->marks,
	                  .reach2 = support_radius * support_radius};
}

#endif
