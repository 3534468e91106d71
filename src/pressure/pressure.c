// pressure.c: the list of pressure solvers.
#include "pressure/pressure.h"

#include <math.h>

const oz_pressure_ops *oz_pressure_of(const oz_sim *sim)
{
	static const oz_pressure_ops *const pressures[OZ_PRESSURE_COUNT] =
	        {[OZ_PRESSURE_EOS] = &oz_pressure_eos,
	         [OZ_PRESSURE_INCOMPRESSIBLE] = &oz_pressure_incompressible};
	return pressures[sim->def.pressure];
}

float oz_overlap_kept(const oz_sim *sim, float times)
{
	const float time = times * sim->def.overlap_time;
	return time > 0 ? expf(-sim->time_step / time) : 0;
}
