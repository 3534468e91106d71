// pressure.c: the list of pressure solvers.
#include "pressure/pressure.h"

static const oz_pressure_ops *const pressures[] = {&oz_pressure_eos};

const oz_pressure_ops *oz_pressure_of(const oz_sim *sim)
{
	(void)sim; // there is only one
	return pressures[0];
}
