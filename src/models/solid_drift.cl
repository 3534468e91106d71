// solid_drift.cl: the momentum that an unfinished solution has lost.
//
// A solver that stops early leaves a residual r. Over a body that nobody holds, the mass times r
// adds up to momentum that the body should have been given: all of it is a uniform motion, which no
// stiffness resists, so adding the mean of r to the solution gives it back exactly. Sums are of
// whole numbers, as those of lumps are: their order makes no difference.
#include "device/batch.h"
#include "models/grip.h"
#include "models/matter.h"

// Each adds less than 2^32 quanta, and 2^31 slots, more than a world holds, do not fill 63 bits.
#define OZ_DRIFT_QUANTA 1e6f // of kg/m³ m/s
#define OZ_DRIFT_MOST   4e3f // kg/m³ m/s

// What is known of a lump stands at the place of its name.
typedef struct oz_drift {
	oz_sum x, y; // quanta of momentum over volume
} oz_drift;

typedef struct oz_drift_more {
	oz_sum z;
	oz_sum mass; // 1024ths of kg/m³, over all slots
} oz_drift_more;

#define solid_drift_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, lump)                                                                             \
	IN(oz_float4, owed)                                                                        \
	IN(oz_float4, stiff)                                                                       \
	OUT(oz_drift, drift)                                                                       \
	OUT(oz_drift_more, more) OUT(uint, held) VAL(uint, slots) VAL(uint, stride)
OZ_ARGS(solid_drift)

typedef struct drift_tally {
	oz_u64 x, y, z, mass; // negative ones wrap around
	uint held;
} drift_tally;

OZ_FN drift_tally drift_nothing(void)
{
	drift_tally t;
	t.x = t.y = t.z = t.mass = 0u;
	t.held = 0u;
	return t;
}

// what is not a number adds nothing
OZ_FN oz_u64 drift_quanta(float value)
{
	const float sane = oz_min(oz_max(value, -OZ_DRIFT_MOST), OZ_DRIFT_MOST);
	return value == value ? (oz_u64)(oz_i64)(sane * OZ_DRIFT_QUANTA) : 0u;
}

OZ_FN void drift_give(const solid_drift_args *a, uint name, const drift_tally *t)
{
	oz_sum_add(&a->drift[name].x, t->x);
	oz_sum_add(&a->drift[name].y, t->y);
	oz_sum_add(&a->more[name].z, t->z);
	oz_sum_add(&a->more[name].mass, t->mass);
	if (t->held)
		oz_atomic_or(&a->held[name], 1u);
}

OZ_KERNEL_OF(solid_drift)
{
	drift_tally t = drift_nothing();
	uint name = a->slots;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->slots)
			break;
		if (!oz_bits_of_float(a->stiff[k].w))
			continue;
		if (a->lump[k] != name) {
			if (name < a->slots)
				drift_give(a, name, &t);
			t = drift_nothing();
			name = a->lump[k];
		}
		const oz_float4 r = a->owed[k];
		t.x += drift_quanta(r.w * r.x);
		t.y += drift_quanta(r.w * r.y);
		t.z += drift_quanta(r.w * r.z);
		t.mass += (oz_u64)(r.w * 1024.0f);
		t.held |= r.w > 0.0f ? 0u : 1u;
	}
	if (name < a->slots)
		drift_give(a, name, &t);
}

OZ_FN float drift_mean(oz_sum sum, float mass)
{
	return (float)(oz_i64)oz_sum_get(sum) * (1.0f / OZ_DRIFT_QUANTA) / mass;
}

#define solid_return_ARGS(IN, OUT, VAL)                                                            \
	IN(uint, lump)                                                                             \
	IN(oz_float4, owed)                                                                        \
	IN(oz_drift, drift) IN(oz_drift_more, more) IN(uint, held) OUT(oz_float4, change)
OZ_KERNEL(solid_return)
{
	const uint name = a->lump[i];
	const oz_drift d = a->drift[name];
	const oz_drift_more m = a->more[name];
	const oz_float4 c = a->change[i];
	const float mass = (float)oz_sum_get(m.mass) * (1.0f / 1024.0f);
	if (a->held[name] || !(mass > 0.0f) || !(a->owed[i].w > 0.0f))
		return;
	a->change[i] = oz_make4(c.x + drift_mean(d.x, mass), c.y + drift_mean(d.y, mass),
	                        c.z + drift_mean(m.z, mass), c.w);
}
