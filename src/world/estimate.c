// estimate.c: bytes of a particle, from the rows of its fields and the scratch of a step.
#include "world/estimate.h"

#include "particles/neighbours.cl"
#include "world/world.h"

// the scratch of the pressure solver, and the neighbours that it keeps, each with a number
static double solver_bytes(const oz_world_def *def, double lists)
{
	if (def->pressure != OZ_PRESSURE_INCOMPRESSIBLE)
		return 0;
	return 4 * sizeof(oz_float4) + 11 * sizeof(float) + sizeof(uint) + 2 * lists;
}

oz_particle_bytes oz_world_particle_bytes(const oz_world_def *def, bool on_gpu)
{
	const double rows = (double)oz_rows_bytes(oz_particle_rows, oz_particle_row_count);
	// scratch of a step: wall, wall clearance, δ
	const double step = sizeof(oz_float4) + 2 * sizeof(float);
	// start and count of the list; marks on a CPU, bits of nine rows and their sum on a GPU
	const double lists = 2 * sizeof(uint) + (on_gpu ? OZ_ROWS * sizeof(uint64_t) + sizeof(uint)
	                                                : sizeof(uint64_t));
	// cell and nozzle
	const double others = 2 * sizeof(uint);
	const double reach = (double)def->support * (1 + (double)def->skin);
	const double list = oz_list_bytes(reach, on_gpu);
	return (oz_particle_bytes){rows + step + lists + others + solver_bytes(def, list), list};
}
