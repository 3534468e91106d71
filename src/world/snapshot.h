// snapshot.h: the version of the snapshots that this library writes.
//
// A snapshot is a header and a row of sections, each with a tag, a size and a checksum. Definitions
// are written by parameter name, so that a file of an older version, which lacks a parameter, gets
// its default, and one of a newer version can say which parameter is unknown here.
#ifndef OZ_SNAPSHOT_H
#define OZ_SNAPSHOT_H

#include "params/section.h"
#include "world/world.h"

// 1 had no blended particles, 2 no SDFs, 3 no heat; up to 4 the w of a position was its nozzle; up
// to 5 some sections had other tags
#define OZ_SNAPSHOT_VERSION 6u

#endif
