// snapshot.h: the version of the snapshots that this library writes.
//
// A snapshot is a header and a sequence of sections, each with a tag, a size and a checksum.
// Definitions are written by parameter name: a parameter that an older file lacks gets its default,
// and a parameter of a newer file that this version does not know is named in the error.
#ifndef OZ_SNAPSHOT_H
#define OZ_SNAPSHOT_H

#include "params/section.h"
#include "world/world.h"

// Version 2 added blends, 3 SDFs, 4 heat. Version 5 moved the nozzle from the w of a position to a
// field. Version 6 renamed the tags of some sections. Version 7 added the density and the deficit.
// Version 8 added the change of velocity of thick fluids, 9 rigid bodies, 10 links, polymers,
// membranes and motions by calls, 11 what binds the particles of bodies in thick fluids, 12 the
// accelerations of earlier implicit steps, 13 the poses with which thin walls separate neighbour
// lists, the friction that solids remember and the table of interfaces, 14 the normals of that
// friction, the adhesions that links follow and the columns of round nozzles.
#define OZ_SNAPSHOT_VERSION 14u

#endif
