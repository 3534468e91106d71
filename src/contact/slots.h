// slots.h: slots: the records of particles that have a rest shape.
//
// Every particle of a body with a rest shape has one slot, which never changes. Slots hold the rest
// shape and the lists of rest neighbours. They are not sorted with particles, so that a list is
// valid until the rest shape changes. `particle_of_slot` is the particle of a slot; the particle's
// field `slot` is the inverse.
//
// Rest neighbours are symmetric: if j is in the list of i, i is in the list of j. Lists are padded
// to whole vectors with the number of the slot behind the last, whose records are zero.
#ifndef OZ_SLOTS_H
#define OZ_SLOTS_H

#include "contact/component.h"
#include "particles/sim.h"

//      type   name  kind   most  first, since
#define OZ_SLOT_OF_FIELDS(X)                                                                       \
	X(uint, slot, STATE, 0, OZ_NONE, 2) /* its slot; OZ_NONE: it has none */

//      type       name          kind    most  first, since
#define OZ_SLOT_FIELDS(X)                                                                          \
	X(oz_float4, rest, STATE, OZ_PLACE_MAX, 0, 2) /* m; w: blend: mass over clusters; */       \
	                                              /* elastic: volume, m³ */                   \
	X(oz_float4, rotation, STATE, 2, 0, 2)        /* start of the next iteration */            \
	X(uint, component, STATE, 0, 0, 2)            /* name of its component: lowest slot */     \
	X(float, own_alpha, STATE, 1, 0, 2)           /* α of the slot; < 0: its material's */    \
	X(uint, shapeless, STATE, 0, 0, 2)            /* 1: just poured, or molten: no rest */     \
	                                              /* shape yet */                              \
	X(uint, tag, RESULT, 0, 0, 2)                 /* number of its component, below OZ_TAGS */ \
	X(uint, particle_of_slot, RESULT, 0, 0, 2)    /* its particle */                           \
	X(float, own_rest, RESULT, 0, 0, 2)           /* δ of the rest shape, at most 1 */        \
	X(float, contact_delta, RESULT, 0, 0, 2)      /* own_rest, contact pairs and walls */      \
	X(float, touch, RESULT, 0, 0, 2)              /* m/s², of contact; 0: elastic, molten */  \
	X(float, inverse_count, RESULT, 0, 0, 2)      /* 1 / (rest neighbours + 1) */              \
	X(uint, start, RESULT, 0, 0, 2)               /* first entry of its list */                \
	X(uint, members, RESULT, 0, 0, 2)             /* entries of its list with padding */

#define OZ_TAGS 65535u // number of tags of components in contact keys

struct oz_reshape;

typedef struct oz_slots {
	OZ_SLOT_FIELDS(OZ_FIELD_MEMBER)
	OZ_SLOT_OF_FIELDS(OZ_FIELD_MEMBER)
	uint32_t count;
	uint *list;
	uint64_t list_capacity;
	uint32_t components;        // components whose lowest slot has a rest shape
	uint32_t names;             // all components: a poured or molten slot is one by itself
	uint32_t molten;            // molten slots when lists were last made
	bool open;                  // its fields are in the registry
	bool stale;                 // lists have to be made in the next step
	struct oz_reshape *reshape; // not NULL while rest shapes change
} oz_slots;

// Particles of one body that are added together.
typedef struct oz_addition {
	oz_id body;
	const oz_vec3 *points, *velocities;
	const float *alphas;            // one for each particle; NULL: the material's
	const uint32_t (*triangles)[3]; // of membranes
	uint32_t triangle_count;
	uint32_t count;
	float nozzle;            // value of their field `nozzle`; 0: not poured
	float temperature;       // °C
	uint32_t particle, slot; // first number of each
	uint32_t *order;         // point of each slot; NULL: slots in the order of points
	uint32_t *rank;          // slot of each point, the inverse of `order`
} oz_addition;

// Makes room for `count` slots; the first call adds the fields to the registry.
oz_result oz_slots_reserve(oz_sim *sim, uint32_t count, oz_error *error);
void oz_slots_free(oz_sim *sim);
// Allocates and fills `order` and `rank` of an addition: slots of neighbouring points follow each
// other, and the first point keeps the first slot.
oz_result oz_slots_order(oz_sim *sim, oz_addition *addition, oz_error *error);
void oz_slots_free_order(oz_sim *sim, oz_addition *addition);
// Adds the slots of an addition. The slots of a body are one component; each slot of a nozzle is a
// component by itself until components are joined.
void oz_slots_add(oz_sim *sim, const oz_addition *addition);
// Writes the particles of all slots, after particles were sorted.
void oz_slots_update_particles(oz_sim *sim);
// Scratch with a record for each slot, and a zero record behind the last. NULL: out of memory.
oz_float4 *oz_slots_take(oz_sim *sim, const char *name);
// Writes for each particle 1: it has a rest shape, 0: it flows.
void oz_slots_write_phase(oz_sim *sim, uint *phase);
// Writes the viscous weight of the particles of a material whose parameters have changed.
void oz_slots_write_viscous(oz_sim *sim, oz_id material);
// Whether a field of this name belongs to slots.
bool oz_slots_have_field(const char *name);
// Bytes of a slot and of contact for a particle whose rest reach is `reach` spacings.
double oz_slots_bytes(double reach, bool friction, bool on_gpu);
// Whether a body has particles and its material has a rest shape.
bool oz_has_slots(const oz_sim *sim, oz_id body);

// the lists of rest neighbours with `count` entries each
static inline oz_lists oz_rest_lists(const oz_sim *sim, const uint *count)
{
	return (oz_lists){.list = sim->slots->list,
	                  .start = sim->slots->start,
	                  .count = count,
	                  .stride = sim->device->stride};
}

// rest_lists.c: makes the lists anew. `rest` becomes the rest shape; slots of different groups are
// never rest neighbours.
oz_result oz_rest_lists_build(oz_sim *sim, oz_float4 *rest, const uint *group, oz_error *error);
// Fills `order` with the slots sorted by component, and in a component along the Morton curve. The
// other buffers are work space of the same size. False: the sort failed.
bool oz_slots_sort(oz_sim *sim, uint *order, uint *key, uint *spare_key, uint *spare_order);

// ---- components.c -----------------------------------------------------------------------------

// Device buffers of a change of rest shapes.
typedef struct oz_reshape {
	oz_component *components; // flags of each component
	uint *pours;              // of each body: 1 if it has poured particles without a rest shape
	oz_component_news *news;  // counts and names for the host
	uint32_t changed;         // slots that take a new rest shape
	uint *parent, *group, *component;
	uint *before; // number of components with a lower name
	oz_float4 *rest;
} oz_reshape;

// Takes all memory from the scratch pool and clears the flags.
oz_result oz_reshape_begin(oz_sim *sim, oz_reshape *reshape, oz_error *error);
void oz_reshape_end(oz_sim *sim, oz_reshape *reshape);
oz_component_news oz_reshape_read_news(oz_sim *sim, const oz_reshape *reshape);
// Writes the new rest shape and the group of each slot; components that merge have one group.
void oz_components_group(oz_sim *sim, const oz_reshape *reshape);
// Joins slots that are rest neighbours to sets; models may join more (OZ_PASS_JOINED).
void oz_components_link(oz_sim *sim, const oz_reshape *reshape);
// Names all components after their lowest slots, numbers them, and raises events for those that
// split or merged.
oz_result oz_components_name(oz_sim *sim, const oz_reshape *reshape, oz_error *error);

#endif
