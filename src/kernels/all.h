// all.h: every kernel file of the engine.
#ifndef OZ_ALL_KERNELS_H
#define OZ_ALL_KERNELS_H

#include "boundary/move.cl"
#include "boundary/wall_nodes.cl"
#include "boundary/walls.cl"
#include "contact/components.cl"
#include "contact/contact.cl"
#include "contact/rest_lists.cl"
#include "contact/slots.cl"
#include "device/probe.cl"
#include "models/blend/blend.cl"
#include "models/blend/reshape.cl"
#include "models/elastic/elastic.cl"
#include "models/elastic/elastic_drift.cl"
#include "models/elastic/elastic_fit.cl"
#include "models/elastic/elastic_solve.cl"
#include "models/elastic/phase.cl"
#include "models/elastic/set.cl"
#include "models/fluid/fluid.cl"
#include "models/heat/heat.cl"
#include "particles/bounds.cl"
#include "particles/measure.cl"
#include "particles/neighbours.cl"
#include "pressure/density.cl"
#include "pressure/eos.cl"

#endif
