// all.h: every kernel file of the engine.
#ifndef OZ_ALL_KERNELS_H
#define OZ_ALL_KERNELS_H

#include "boundary/depth.cl"
#include "boundary/walls.cl"
#include "device/probe.cl"
#include "models/blend.cl"
#include "models/clusters.cl"
#include "models/contact.cl"
#include "models/fluid.cl"
#include "models/heat.cl"
#include "models/lumps.cl"
#include "models/lumps_join.cl"
#include "models/phase.cl"
#include "models/set.cl"
#include "models/solid.cl"
#include "models/solid_drift.cl"
#include "models/solid_fit.cl"
#include "models/solid_solve.cl"
#include "particles/neighbours.cl"
#include "world/bounds.cl"
#include "world/measure.cl"
#include "world/move.cl"

#endif
