// membrane_rest.cl: the density of the rest shape of skins, which are one layer of particles.
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

#define membrane_rest_KERNELS(X) X(membrane_rest, EACH)
OZ_KERNELS(membrane_rest_KERNELS)
