// pressure.c: the table of pressures.
#include "pressure/pressure.h"

static const oz_pressure_ops *const pressures[] = {&oz_pressure_eos};

const oz_pressure_ops *oz_pressure_of(const oz_sim *sim)
{
	(void)sim; // one tenant so far
	return pressures[0];
}
