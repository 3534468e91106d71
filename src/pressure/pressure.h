// pressure.h: pressure: one of a table of ways to find it.
//
// Density writes δ of every particle and the contact's δ of every slot; the pressure of a world
// turns them into p (Pa) and P = κ p/δ², the w of positions, which forces read; and tells contact
// keys (contact_key.h) which share of P the inner pairs of a soft body feel.
#ifndef OZ_PRESSURE_H
#define OZ_PRESSURE_H

#include "particles/sim.h"

typedef struct oz_pressure_ops {
	const char *word;
	// from densities to pressures
	oz_result (*solve)(oz_sim *sim, oz_error *error);
	// the longest time step, `cfl` of what is stable, where something is compressed
	float (*limit)(const oz_sim *sim, float speed, oz_limit *limit);
} oz_pressure_ops;

extern const oz_pressure_ops oz_pressure_eos;

// The pressure of a world.
const oz_pressure_ops *oz_pressure_of(const oz_sim *sim);

// density.c: the density of all particles, with contact
void oz_density_find(oz_sim *sim);

#endif
