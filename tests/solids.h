// solids.h: what the tests of elastic solids share.
//
// Worlds with a solid in them, forces and energies of a deformation, and a way to rest. The energy
// is summed up here once more, in double precision, over pairs found anew and with strains from
// eigenvalues: nothing of it is the library's own.
#ifndef SOLIDS_H
#define SOLIDS_H

#include "blends.h"

// without gravity, damping and viscosity; one thread
oz_world_def oz_solids_space(double spacing);
oz_material_def oz_solids_material(double young, double poisson);
oz_id oz_solids_body(oz_world *world, const oz_material_def *def, const oz_shape *shape,
                     oz_fill fill, vec spin);
// Holds what is inside a box, for good; keyframes may be NULL.
oz_id oz_solids_grip(oz_world *world, vec min, vec max, const oz_keyframe *frames, uint32_t count,
                     double release);

// Moves every particle before the first step.
void oz_solids_place(oz_world *world, vec (*to)(const void *context, vec from),
                     const void *context);
// m/s², elastic alone, of the particles as they stand, one for each slot; free() it.
vec *oz_solids_pushes(oz_world *world);
// Works them out on the device.
void oz_solids_push(oz_world *world);
// J, of the one body of a world, which has a volume; corrected or mls
double oz_solids_energy(oz_world *world);
void oz_solids_stop(oz_world *world);
// Steps, and stops all motion whenever there is less of it than before; gives the steps taken.
// Ends when a maximum of the kinetic energy is below `inverse_count` of the first.
uint32_t oz_solids_settle(oz_world *world, double share, uint32_t most);

// counts events of a kind, and takes all of them
uint32_t oz_solids_events(oz_world *world, oz_event_kind kind);
// m/s, the fastest particle
double oz_solids_speed(oz_world *world);

// Particles that look for no contact, as their neighbours all are their own.
uint32_t oz_solids_alone(const oz_world *world);
// Forces and densities of the world as it stands against those over whole lists: the most that a
// force differs, over the largest of all, or a density, over itself.
double oz_solids_contact_error(oz_world *world);

#endif
