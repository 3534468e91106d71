// mesit_hash.h: the fluid of Mesit & Guha with their ways to find neighbours, for comparison.
#ifndef OZ_MESIT_HASH_H
#define OZ_MESIT_HASH_H

#include <stdbool.h>

#include "ooze/ooze.h"

// Points of a fluid; the arrays are owned by it.
typedef struct mesit_fluid {
	uint32_t count;
	float h; // m, core radius
	float mass, stiffness, viscosity;
	oz_vec3 *position, *velocity, *force;
	float *density, *rest_density, *pressure;
	uint32_t *start, *list; // neighbours of each point (figure 2)
	uint32_t list_room;
	uint32_t *bucket_start, *bucket; // points of each hash index (figure 1)
	uint32_t bucket_room;
} mesit_fluid;

// Copies the points and finds the density at rest; false: out of memory. Free it in either case.
bool mesit_fluid_make(mesit_fluid *fluid, const oz_vec3 *points, uint32_t count, float h);
void mesit_fluid_free(mesit_fluid *fluid);
// Fills the neighbour lists through HT³ buckets of cells of 2 h (4.1 to 4.4); false: out of memory.
bool mesit_find_by_hash(mesit_fluid *fluid, uint32_t ht);
// The same by comparing all pairs.
bool mesit_find_all_pairs(mesit_fluid *fluid);
// Density, pressure and viscosity over the lists, and a step (2.2 to 2.10, explicit).
void mesit_step(mesit_fluid *fluid, float dt);
// The same without lists: all pairs are compared for each of the three sums, as the paper's
// point-by-point method does.
void mesit_step_all_pairs(mesit_fluid *fluid, float dt);
// The number of entries of all lists.
uint32_t mesit_pairs(const mesit_fluid *fluid);

#endif
