// diagonal.h: the least diagonal of the matrix of incompressible pressures.
//
// The diagonal of a particle that hardly touches others is tiny, and its pressure would be huge
// when the next step moves them closer.
#ifndef OZ_DIAGONAL_H
#define OZ_DIAGONAL_H

#include "device/kernel.h"

typedef struct press_least {
	float stiff;    // kg/(m³·Pa), diagonal of a particle over its mobility
	float mobility; // m³/kg, for particles whose velocity is prescribed
} press_least;

OZ_FN float press_diagonal(press_least least, float sum, float mobility)
{
	return sum > 0.0f ? oz_max(sum, least.stiff * oz_max(mobility, least.mobility)) : 0.0f;
}

#endif
