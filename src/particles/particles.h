// particles.h: the particles of a world, field by field, and who is near whom.
#ifndef OZ_PARTICLES_H
#define OZ_PARTICLES_H

#include "device/device.h"
#include "particles/fields.h"
#include "particles/grid.h"

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

typedef struct oz_particles {
#define OZ_PARTICLE_MEMBER(type, name, kind) type *name;
	OZ_PARTICLE_FIELDS(OZ_PARTICLE_MEMBER)
#undef OZ_PARTICLE_MEMBER
	uint32_t count, capacity;
} oz_particles;

// Makes room for `capacity` particles in all; those that are there stay. On failure nothing
// changes.
oz_result oz_particles_reserve(oz_device *device, oz_particles *particles, uint32_t capacity,
                               oz_error *error);
void oz_particles_free(oz_device *device, oz_particles *particles);

// Puts particle index[i] at place i. RESULT fields lose what they hold.
void oz_particles_reorder(oz_device *device, oz_particles *particles, const uint *index);

// Who is near whom. Lists reach `radius`: the support radius and a skin, so that they stay right
// until two particles have moved apart by the skin since their anchors.
typedef struct oz_neighbours {
	oz_grid grid;
	uint *cell_start;
	uint32_t cell_capacity;
	uint *list;
	uint64_t list_capacity, list_used;
	uint64_t entries; // of list_used, those that are neighbours
	uint *start, *count;
	uint32_t stride;   // of the lists
	uint64_t *marks;   // who of the list is within the support radius in this step
	uint64_t *hits;    // scratch of devices that build lists by the plain kernels
	uint32_t capacity; // particles in start, count, marks and hits
	uint32_t listed;   // particles whose lists are there, as they lie now
	bool valid;
} oz_neighbours;

// Sorts the particles by cell, sets their anchors and builds all lists anew. RESULT fields lose
// what they hold.
oz_result oz_neighbours_build(oz_device *device, oz_neighbours *n, oz_particles *particles,
                              float radius, oz_error *error);
// Builds the lists again that belonged to the anchors, as after a snapshot: no particle is moved,
// but RESULT fields lose what they hold.
oz_result oz_neighbours_restore(oz_device *device, oz_neighbours *n, oz_particles *particles,
                                oz_error *error);
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
