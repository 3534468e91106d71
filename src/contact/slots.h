// slots.h: bodies that have a rest shape.
//
// Every particle of such a body has a slot, for life. Slots hold the rest shape and the lists of
// rest neighbours; they do not move when particles are sorted, so a list is made once and kept
// until the rest shape changes. `particle_of_slot` leads from a slot to its particle, the
// particle's field `slot` back.
//
// Being near in the rest shape is mutual. Lists are filled up to whole vectors with the slot behind
// the last, whose records are zero.
#ifndef OZ_SLOTS_H
#define OZ_SLOTS_H

#include "contact/component.h"
#include "particles/sim.h"

//      type   name  kind   most  first, since
#define OZ_SLOT_OF_FIELDS(X)                                                                       \
	X(uint, slot, STATE, 0, OZ_NONE, 2) /* its slot; OZ_NONE: it has no rest shape */

//      type       name          kind    most  first, since
#define OZ_SLOT_FIELDS(X)                                                                          \
	X(oz_float4, rest, STATE, OZ_PLACE_MAX, 0, 2) /* m; w: blends: mass over clusters; */      \
	                                              /* elastic: volume, m³ */                   \
	X(oz_float4, rotation, STATE, 2, 0, 2)        /* rotation: the guess for the next one */   \
	X(uint, component, STATE, 0, 0, 2)            /* name of its component: lowest slot */     \
	X(float, own_alpha, STATE, 1, 0, 2)           /* share of fluid; < 0: its material's */    \
	X(uint, shapeless, STATE, 0, 0, 2)            /* 1: just poured, or molten: no rest */     \
	                                              /* shape yet */                              \
	X(uint, tag, RESULT, 0, 0, 2)                 /* number of its component, below OZ_TAGS */ \
	X(uint, particle_of_slot, RESULT, 0, 0, 2)    /* its particle */                           \
	X(float, own_rest, RESULT, 0, 0, 2)           /* density of the rest shape, share of 1 */  \
	X(float, contact_delta, RESULT, 0, 0, 2)      /* δ of the rest shape and all foreign */   \
	X(float, touch, RESULT, 0, 0, 2)              /* m/s², by contact; 0: elastic, molten */  \
	X(float, inverse_count, RESULT, 0, 0, 2)      /* 1 / (rest neighbours + 1) */              \
	X(uint, start, RESULT, 0, 0, 2)               /* of its list */                            \
	X(uint, members, RESULT, 0, 0, 2)             /* entries of its list, filling included */

#define OZ_TAGS 65535u // numbers for components in contact keys

struct oz_reshape;

typedef struct oz_slots {
	OZ_SLOT_FIELDS(OZ_FIELD_MEMBER)
	OZ_SLOT_OF_FIELDS(OZ_FIELD_MEMBER)
	uint32_t count;
	uint *list;
	uint64_t list_capacity;
	uint32_t components; // components, but for what was just poured or is molten
	uint32_t names;  // components with that, each its own: so many tags, if there are enough
	uint32_t molten; // slots, as of the last lists
	bool open;       // its fields are in the registry
	bool stale;      // lists have to be made before the next step
	struct oz_reshape *reshape; // while rest shapes are changed
} oz_slots;

// What is added together: particles of one body.
typedef struct oz_addition {
	oz_id body;
	const oz_vec3 *points, *velocities;
	const float *alphas; // one for each particle; NULL: the material's
	uint32_t count;
	float nozzle;            // their state in a nozzle; 0: not poured
	float temperature;       // °C
	uint32_t particle, slot; // the first of each
	uint32_t *order; // of their slots: the points that these are for; NULL: as they come
	uint32_t *rank;  // the other way
} oz_addition;

// Makes room for slots; the fields come into the registry with the first.
oz_result oz_slots_reserve(oz_sim *sim, uint32_t count, oz_error *error);
void oz_slots_free(oz_sim *sim);
// Orders the slots of an addition so that neighbours follow each other; the first stays the first.
oz_result oz_slots_order(oz_sim *sim, oz_addition *addition, oz_error *error);
void oz_slots_free_order(oz_sim *sim, oz_addition *addition);
// Adds the slots of an addition. Those of a body belong together, those of a nozzle have yet to be
// joined.
void oz_slots_add(oz_sim *sim, const oz_addition *addition);
// Finds the particles of all slots again, once they have been sorted.
void oz_slots_update_particles(oz_sim *sim);
// A scratch record for each slot and a zero one for the slot behind the last.
oz_float4 *oz_slots_take(oz_sim *sim, const char *name);
// Writes for each particle 1: it keeps a shape, or 0: it flows.
void oz_slots_write_phase(oz_sim *sim, uint *phase);
// Whether a field of snapshots is one of slots.
bool oz_slots_have_field(const char *name);
// Bytes of a slot whose rest neighbours reach so many spacings, with those of contact.
double oz_slots_bytes(double reach, bool on_gpu);
// Whether a body that has particles is of a material with a rest shape.
bool oz_has_slots(const oz_sim *sim, oz_id body);

// the lists of rest neighbours, with as many entries as `count` says
static inline oz_lists oz_rest_lists(const oz_sim *sim, const uint *count)
{
	return (oz_lists){.list = sim->slots->list,
	                  .start = sim->slots->start,
	                  .count = count,
	                  .stride = sim->device->stride};
}

// rest_lists.c: searches the lists anew. `rest` becomes the rest shape; slots of different groups
// share no list.
oz_result oz_rest_lists_build(oz_sim *sim, oz_float4 *rest, const uint *group, oz_error *error);
// Puts points in an order in which neighbours follow each other: keys along a curve through space.
bool oz_slots_sort(oz_sim *sim, uint *order, uint *key, uint *spare_key, uint *spare_order);

// ---- components.c -----------------------------------------------------------------------------

// What a change of rest shapes works with, on the device.
typedef struct oz_reshape {
	oz_component *components; // what each component is found to be
	uint *pours;              // of each body: it has fresh particles
	oz_component_news *news;  // what the host reads
	uint32_t changed;         // slots that take a new rest shape
	uint *parent, *group, *component;
	uint *before; // components before each slot, in the order of their names
	oz_float4 *rest;
} oz_reshape;

// Takes the memory, all of it before anything is changed; no component changes yet.
oz_result oz_reshape_begin(oz_sim *sim, oz_reshape *reshape, oz_error *error);
void oz_reshape_end(oz_sim *sim, oz_reshape *reshape);
oz_component_news oz_reshape_read_news(oz_sim *sim, const oz_reshape *reshape);
// The new rest shape, and which components grow together in it: their group.
void oz_components_group(oz_sim *sim, const oz_reshape *reshape);
// Names all components after their lowest slots, numbers them, and raises events for those that
// split or merged.
oz_result oz_components_name(oz_sim *sim, const oz_reshape *reshape, oz_error *error);

#endif
