// pressure.h: density, and the table of functions of a pressure solver.
//
// The density stage writes δ of every particle and the contact density δc of every slot. The
// pressure solver computes from them p (Pa) and P = κ p/δ², which it writes into the w of
// positions, where forces read it. It also writes into contact keys (contact_key.h) the share of P
// that pairs inside a component of a blend use.
#ifndef OZ_PRESSURE_H
#define OZ_PRESSURE_H

#include "particles/sim.h"

typedef struct oz_pressure_ops {
	const char *word; // its name
	// computes pressures from densities
	oz_result (*solve)(oz_sim *sim, oz_error *error);
	// longest time step (s), multiplied with `cfl`, for particles that feel pressure; `speed`
	// is the largest (m/s)
	float (*limit)(const oz_sim *sim, float speed, oz_limit *limit);
} oz_pressure_ops;

extern const oz_pressure_ops oz_pressure_eos;

// The pressure solver of a world.
const oz_pressure_ops *oz_pressure_of(const oz_sim *sim);

// Computes the density of all particles, with contact (density.c).
void oz_density_compute(oz_sim *sim);

#endif
