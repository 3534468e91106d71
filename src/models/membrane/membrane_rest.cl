// membrane_rest.cl: the rest shape of skins, which are one layer of particles: density, components.
#include "contact/forest.h"
#include "models/membrane/membrane_parts.h"
#include "particles/matter.h"

#define membrane_rest_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material) IN(oz_matter, matter) OUT(float, own_rest) VAL(float, value)
OZ_ARGS(membrane_rest)

// writes `value` as the density of the rest shape of slot i if its material is a skin
OZ_FN void membrane_rest_at(const membrane_rest_args *a, uint i)
{
	if (a->matter[a->material[a->particle_of_slot[i]]].firm == OZ_FIRM_MEMBRANE)
		a->own_rest[i] = a->value;
}

#define membrane_join_slots_ARGS(IN, OUT, VAL)                                                     \
	IN(oz_membrane_edge, edges) IN(uint, slot_of) OUT(uint, parent)
OZ_ARGS(membrane_join_slots)

// joins the slots of the ends of edge i
OZ_FN void membrane_join_slots_at(const membrane_join_slots_args *a, uint i)
{
	oz_forest_join(a->parent, a->slot_of[a->edges[i].a], a->slot_of[a->edges[i].b]);
}

#define membrane_rest_KERNELS(X)                                                                   \
	X(membrane_rest, EACH)                                                                     \
	X(membrane_join_slots, EACH)
OZ_KERNELS(membrane_rest_KERNELS)
