// elastic_drift.cl: restores the momentum that an implicit step loses.
//
// The sum of elastic forces of a component and the sum of their torques are 0. In an implicit step
// they are not: the solver stops before it is exact, and rotations are those of the beginning of
// the step. Over a component, k times the outer acceleration minus the computed change of velocity
// sums to a lost momentum P and a lost angular momentum L. The rigid motion with both,
//
//   V = P/M,   ω = I⁻¹ (L - x̄ × P),
//
// causes no elastic force and is added. Components that a handle holds, and those whose sums exceed
// their range, are not changed. Sums are of integers (as in reshape.cl), so their order does not
// matter. Lengths are in spacings, relative to the slot whose number is the component's name.
#include "device/batch.h"
#include "math/vec.h"
#include "models/elastic/grip.h"
#include "particles/matter.h"

// A slot adds less than 2^32 quanta, so the sum over 2^31 slots, more than a world holds, fits 63
// bits.
#define OZ_DRIFT_MOST     4e9f  // quanta
#define OZ_DRIFT_MOMENTUM 1e4f  // quanta of kg/m³ m/s
#define OZ_DRIFT_ANGULAR  1e2f  // of that times spacings
#define OZ_DRIFT_MASSES   64.0f // of kg/m³, and of that times spacings
#define OZ_DRIFT_INERTIA  1.0f  // of kg/m³ times spacings²

// indices of sums
#define OZ_DRIFT_P    0u // momentum, x y z
#define OZ_DRIFT_L    3u // angular momentum
#define OZ_DRIFT_MASS 6u
#define OZ_DRIFT_X    7u  // mass times position
#define OZ_DRIFT_XX   10u // mass times second moments of position: xx xy xz yy yz zz
#define OZ_DRIFT_SUMS 16u

// sums of a component, indexed by its tag; `held` 1: leave it unchanged
typedef struct oz_drift {
	oz_sum sum[OZ_DRIFT_SUMS];
	uint held, spare;
} oz_drift;

#define elastic_drift_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, component)                                                                        \
	IN(uint, tag)                                                                              \
	IN(oz_float4, residual)                                                                    \
	IN(oz_float4, delta_v)                                                                     \
	IN(oz_float4, stiff)                                                                       \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, outer)                                                                       \
	OUT(oz_drift, drift)                                                                       \
	VAL(uint, slots) VAL(uint, stride) VAL(float, kick) VAL(float, spacing)
OZ_ARGS(elastic_drift)

// the part of a component's sums from one batch
typedef struct drift_tally {
	oz_u64 sum[OZ_DRIFT_SUMS]; // quanta, in two's complement
	uint held;
} drift_tally;

OZ_FN void drift_clear(drift_tally *t)
{
	for (uint k = 0; k < OZ_DRIFT_SUMS; k++)
		t->sum[k] = 0u;
	t->held = 0u;
}

// adds quanta to a sum; a NaN or a value out of range excludes the component
OZ_FN void drift_add(drift_tally *t, uint at, float value)
{
	if (value <= OZ_DRIFT_MOST && value >= -OZ_DRIFT_MOST)
		t->sum[at] += (oz_u64)(oz_i64)oz_round(value);
	else
		t->held = 1u;
}

OZ_FN void drift_add3(drift_tally *t, uint at, oz_vec3 v, float quanta)
{
	drift_add(t, at, quanta * v.x);
	drift_add(t, at + 1u, quanta * v.y);
	drift_add(t, at + 2u, quanta * v.z);
}

// adds the sums of a batch to those of a component
OZ_FN void drift_add_to_component(const elastic_drift_args *a, uint tag, const drift_tally *t)
{
	for (uint k = 0; k < OZ_DRIFT_SUMS; k++)
		oz_sum_add(&a->drift[tag].sum[k], t->sum[k]);
	if (t->held)
		oz_atomic_or(&a->drift[tag].held, 1u);
}

// position relative to that of the slot that names the component, in spacings
OZ_FN oz_vec3 drift_place(oz_float4 x, oz_float4 name, float spacing)
{
	const float s = 1.0f / spacing;
	return oz_v3(s * (x.x - name.x), s * (x.y - name.y), s * (x.z - name.z));
}

// adds one slot to the sums of a batch
OZ_FN void drift_add_slot(const elastic_drift_args *a, uint k, drift_tally *t)
{
	const uint p = a->particle_of_slot[k];
	const float mass = a->residual[k].w;
	const oz_float4 given = a->delta_v[k], due = a->outer[k];
	const oz_vec3 x =
	        drift_place(a->position[p], a->position[a->particle_of_slot[a->component[k]]],
	                    a->spacing);
	const oz_vec3 lost =
	        oz_v3(mass * (a->kick * due.x - given.x), mass * (a->kick * due.y - given.y),
	              mass * (a->kick * due.z - given.z));
	const oz_vec3 mx = oz_scale(x, mass);
	drift_add3(t, OZ_DRIFT_P, lost, OZ_DRIFT_MOMENTUM);
	drift_add3(t, OZ_DRIFT_L, oz_cross(x, lost), OZ_DRIFT_ANGULAR);
	drift_add(t, OZ_DRIFT_MASS, OZ_DRIFT_MASSES * mass);
	drift_add3(t, OZ_DRIFT_X, mx, OZ_DRIFT_MASSES);
	drift_add3(t, OZ_DRIFT_XX, oz_scale(mx, x.x), OZ_DRIFT_INERTIA);
	drift_add3(t, OZ_DRIFT_XX + 3u, oz_v3(mx.y * x.y, mx.y * x.z, mx.z * x.z),
	           OZ_DRIFT_INERTIA);
	t->held |= mass > 0.0f ? 0u : 1u;
}

// sums the lost momentum, mass and inertia of each component; one work item takes OZ_BATCH slots
OZ_FN void elastic_drift_at(const elastic_drift_args *a, uint i)
{
	drift_tally t;
	drift_clear(&t);
	uint name = a->slots, tag = 0u;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->slots)
			break;
		if (!oz_bits_of_float(a->stiff[k].w))
			continue;
		if (a->component[k] != name) {
			if (name < a->slots)
				drift_add_to_component(a, tag, &t);
			drift_clear(&t);
			name = a->component[k];
			tag = a->tag[k];
		}
		drift_add_slot(a, k, &t);
	}
	if (name < a->slots)
		drift_add_to_component(a, tag, &t);
}

// a sum of a component as a float
OZ_FN float drift_sum(OZ_GLOBAL const oz_drift *d, uint k, float quanta)
{
	return (float)(oz_i64)oz_sum_get(d->sum[k]) / quanta;
}

OZ_FN oz_vec3 drift_sum3(OZ_GLOBAL const oz_drift *d, uint k, float quanta)
{
	return oz_v3(drift_sum(d, k, quanta), drift_sum(d, k + 1u, quanta),
	             drift_sum(d, k + 2u, quanta));
}

// the angular velocity I⁻¹ L about the centre; a small multiple of 1 is added to I, so that a rod
// does not divide by 0; 0 if the component has no extent
OZ_FN oz_vec3 drift_angular_velocity(OZ_GLOBAL const oz_drift *d, float mass, oz_vec3 centre,
                                     oz_vec3 L)
{
	const oz_vec3 r0 = drift_sum3(d, OZ_DRIFT_XX, OZ_DRIFT_INERTIA);
	const oz_vec3 r1 = drift_sum3(d, OZ_DRIFT_XX + 3u, OZ_DRIFT_INERTIA);
	const float xx = r0.x - mass * centre.x * centre.x, yy = r1.x - mass * centre.y * centre.y;
	const float zz = r1.z - mass * centre.z * centre.z, xy = r0.y - mass * centre.x * centre.y;
	const float xz = r0.z - mass * centre.x * centre.z, yz = r1.y - mass * centre.y * centre.z;
	const float least = 1e-6f * (xx + yy + zz);
	const oz_vec3 a = oz_v3(yy + zz + least, -xy, -xz), b = oz_v3(-xy, xx + zz + least, -yz);
	const oz_vec3 c = oz_v3(-xz, -yz, xx + yy + least), bc = oz_cross(b, c);
	const float size = oz_dot(a, bc);
	if (!(least > 0.0f && size > 0.0f))
		return oz_v3(0.0f, 0.0f, 0.0f);
	const oz_vec3 sum = oz_mad(oz_scale(bc, L.x), oz_cross(c, a), L.y);
	return oz_scale(oz_mad(sum, oz_cross(a, b), L.z), 1.0f / size);
}

#define elastic_return_momentum_ARGS(IN, OUT, VAL)                                                 \
	IN(uint, component)                                                                        \
	IN(uint, tag)                                                                              \
	IN(oz_float4, residual)                                                                    \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_drift, drift) OUT(oz_float4, delta_v) VAL(float, spacing)
OZ_ARGS(elastic_return_momentum)

// adds the rigid motion with the lost momentum to delta_v
OZ_FN void elastic_return_momentum_at(const elastic_return_momentum_args *a, uint i)
{
	OZ_GLOBAL const oz_drift *d = &a->drift[a->tag[i]];
	const float mass = drift_sum(d, OZ_DRIFT_MASS, OZ_DRIFT_MASSES);
	if (!(a->residual[i].w > 0.0f) || d->held || !(mass > 0.0f))
		return;
	const oz_float4 c = a->delta_v[i];
	const oz_vec3 x =
	        drift_place(a->position[a->particle_of_slot[i]],
	                    a->position[a->particle_of_slot[a->component[i]]], a->spacing);
	const oz_vec3 P = drift_sum3(d, OZ_DRIFT_P, OZ_DRIFT_MOMENTUM);
	const oz_vec3 L = drift_sum3(d, OZ_DRIFT_L, OZ_DRIFT_ANGULAR);
	const oz_vec3 centre = oz_scale(drift_sum3(d, OZ_DRIFT_X, OZ_DRIFT_MASSES), 1.0f / mass);
	const oz_vec3 spin =
	        drift_angular_velocity(d, mass, centre, oz_sub(L, oz_cross(centre, P)));
	const oz_vec3 v = oz_mad(oz_cross(spin, oz_sub(x, centre)), P, 1.0f / mass);
	a->delta_v[i] = oz_make4(c.x + v.x, c.y + v.y, c.z + v.z, c.w);
}

#define elastic_drift_KERNELS(X)                                                                   \
	X(elastic_drift, EACH)                                                                     \
	X(elastic_return_momentum, EACH)
OZ_KERNELS(elastic_drift_KERNELS)
