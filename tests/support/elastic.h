// elastic.h: forces and energies of elastic bodies, and a way to rest.
//
// The energy is summed up here once more, in double precision, over pairs found anew and with
// strains from eigenvalues: nothing of it is the library's own.
#ifndef OZ_TEST_ELASTIC_H
#define OZ_TEST_ELASTIC_H

#include "worlds.h"

// m/s², elastic alone, of the particles as they stand, one for each slot; free() it.
vec *test_elastic_forces(oz_world *world);
// Works them out on the device.
void test_compute_elastic_forces(oz_world *world);
// What slots have, in the order of particles' ids, in worlds of elastic bodies alone; free() it.
vec *test_slots_by_id(oz_world *world, const oz_float4 *field);
// J, of the one body of a world, which has a volume; corrected or mls
double test_elastic_energy(oz_world *world);
// Steps, and stops all motion whenever there is less of it than before; gives the steps taken.
// Ends when a maximum of the kinetic energy is below `share` of the first.
uint32_t test_settle(oz_world *world, double share, uint32_t most);

// Particles that look for no contact, as their neighbours all are their own.
uint32_t test_count_alone(const oz_world *world);
// Forces and densities of the world as it stands against those over whole lists: the most that a
// force differs, over the largest of all, or a density, over itself.
double test_contact_error(oz_world *world);

#endif
