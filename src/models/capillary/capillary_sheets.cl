// capillary_sheets.cl: the sheets of the surfaces: sets of particles with an area that are
// connected by neighbours. Drops that do not touch have sheets of their own.
//
// A sheet is named after its first particle, the root of a forest (contact/forest.h). A sheet of
// fewer than CAPILLARY_SHEET_LEAST particles has no curvature that could be measured. It has no
// force; cohesion holds it.
#include "contact/forest.h"
#include "device/batch.h"
#include "device/kernel.h"
#include "models/capillary/capillary_rules.h"

#define capillary_begin_sheets_ARGS(IN, OUT, VAL) OUT(uint, parent) OUT(uint, members)
OZ_ARGS(capillary_begin_sheets)

// makes each particle a sheet of its own
OZ_FN void capillary_begin_sheets_at(const capillary_begin_sheets_args *a, uint i)
{
	a->parent[i] = i;
	a->members[i] = 0u;
}

#define capillary_join_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, force)                                                                       \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, outer) OUT(uint, parent) VAL(float, reach2) VAL(uint, stride)
OZ_ARGS(capillary_join)

// joins particles with an area that are nearer to each other than √reach2
OZ_FN void capillary_join_at(const capillary_join_args *a, uint i)
{
	if (!(a->force[i].w > 0.0f))
		return;
	const oz_float4 x = a->position[i];
	uint own = oz_forest_root_shared(a->parent, i);
	for (uint c = 0; c < a->outer[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		if (j >= i || !(a->force[j].w > 0.0f))
			continue;
		const oz_float4 y = a->position[j];
		const float dx = x.x - y.x, dy = x.y - y.y, dz = x.z - y.z;
		if (dx * dx + dy * dy + dz * dz < a->reach2 && oz_atomic_load(&a->parent[j]) != own)
			own = oz_forest_join(a->parent, own, j);
	}
}

#define capillary_count_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, force)                                                                       \
	IN(uint, parent)                                                                           \
	OUT(uint, sheet) OUT(uint, members) VAL(uint, particles) VAL(uint, stride)
OZ_ARGS(capillary_count)

// One batch of particles: writes `sheet`, the first particle of the sheet of each, and counts the
// members of sheets.
OZ_FN void capillary_count_at(const capillary_count_args *a, uint i)
{
	uint count = 0, sheet = 0;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->particles)
			break;
		const uint own = oz_forest_root(a->parent, k);
		a->sheet[k] = own;
		if (!(a->force[k].w > 0.0f))
			continue;
		if (own != sheet && count)
			oz_atomic_add(&a->members[sheet], count);
		count = own != sheet ? 1u : count + 1u;
		sheet = own;
	}
	if (count)
		oz_atomic_add(&a->members[sheet], count);
}

#define capillary_mark_ARGS(IN, OUT, VAL) IN(uint, members) OUT(uint, number)
OZ_ARGS(capillary_mark)

// writes 1 for the first particle of a sheet of enough members; summed up, it numbers the sheets
OZ_FN void capillary_mark_at(const capillary_mark_args *a, uint i)
{
	a->number[i] = a->members[i] >= CAPILLARY_SHEET_LEAST ? 1u : 0u;
}

#define capillary_sheets_KERNELS(X)                                                                \
	X(capillary_begin_sheets, EACH)                                                            \
	X(capillary_join, EACH)                                                                    \
	X(capillary_count, EACH)                                                                   \
	X(capillary_mark, EACH)
OZ_KERNELS(capillary_sheets_KERNELS)
