// rigid.cl: sums over the particles of rigid bodies, and their rigid motion.
//
// Forces of all kinds act on the particles. Over a body of n particles of equal mass they sum to
//
//   A = 1/n Σ a_i,   T = Σ r_i × a_i
//
// and each particle then gets the velocity V + Ω × r_i. Sums are of integers, so that their order
// does not matter; the host reads them and integrates the bodies (rigid.c). r_i is computed from
// the rest position, so that rounding of positions does not accumulate.
#include "device/batch.h"
#include "models/rigid/rigid_motion.h"

// Sums are whole numbers of quanta. Accelerations are multiplied with the kick first, so that all
// sums are of velocities.
#define OZ_RIGID_LINEAR 1073741824.0f  // quanta in 1 m/s
#define OZ_RIGID_TORQUE 16777216.0f    // quanta in 1 m/s times a spacing
#define OZ_RIGID_SQUARE 17179869184.0f // quanta in 1 m²/s²

typedef struct oz_rigid_sums {
	oz_sum linear[3], torque[3], square;
} oz_rigid_sums;

#define rigid_sum_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, number)                                                                           \
	IN(oz_float4, rest)                                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, vector)                                                                      \
	IN(oz_rigid_motion, motion)                                                                \
	OUT(oz_rigid_sums, sums)                                                                   \
	VAL(uint, slots)                                                                           \
	VAL(uint, stride)                                                                          \
	VAL(float, inv_spacing) VAL(uint, relative) VAL(float, unit) VAL(float, most)
OZ_ARGS(rigid_sum)

// sums over particles of the same body: linear, then torque, then the square
typedef struct rigid_tally {
	oz_u64 sum[7];
} rigid_tally;

// adds a tally to the sums of body `number`, if that is not 0, and clears the tally
OZ_FN void rigid_store(const rigid_sum_args *a, uint number, rigid_tally *t)
{
	for (uint k = 0; k < 3u; k++) {
		if (number)
			oz_sum_add(&a->sums[number - 1u].linear[k], t->sum[k]);
		if (number)
			oz_sum_add(&a->sums[number - 1u].torque[k], t->sum[3u + k]);
		t->sum[k] = t->sum[3u + k] = 0u;
	}
	if (number)
		oz_sum_add(&a->sums[number - 1u].square, t->sum[6]);
	t->sum[6] = 0u;
}

// adds the vector of a particle and its torque to a tally
OZ_FN void rigid_add(const rigid_sum_args *a, uint slot, uint number, rigid_tally *t)
{
	OZ_GLOBAL const oz_rigid_motion *m = &a->motion[number - 1u];
	const oz_float4 f = a->vector[a->particle_of_slot[slot]];
	const oz_vec3 arm = rigid_arm(m, a->rest[slot]);
	oz_vec3 v = oz_v3(f.x, f.y, f.z);
	if (a->relative)
		v = oz_sub(v, rigid_velocity(m, arm));
	v = oz_scale(v, a->unit);
	const oz_vec3 torque = oz_scale(oz_cross(arm, v), a->inv_spacing * OZ_RIGID_TORQUE);
	t->sum[0] += oz_sum_quanta(OZ_RIGID_LINEAR * v.x, a->most);
	t->sum[1] += oz_sum_quanta(OZ_RIGID_LINEAR * v.y, a->most);
	t->sum[2] += oz_sum_quanta(OZ_RIGID_LINEAR * v.z, a->most);
	t->sum[3] += oz_sum_quanta(torque.x, a->most);
	t->sum[4] += oz_sum_quanta(torque.y, a->most);
	t->sum[5] += oz_sum_quanta(torque.z, a->most);
	t->sum[6] += oz_sum_quanta(OZ_RIGID_SQUARE * oz_dot(v, v), a->most);
}

// Sums `vector`, its torque and its square over the particles of each body, times `unit`; one work
// item takes OZ_BATCH slots. `relative` is 1: the velocity of the body at the particle is
// subtracted from its vector. `most`: the most quanta that one particle adds.
OZ_FN void rigid_sum_at(const rigid_sum_args *a, uint i)
{
	rigid_tally t;
	uint number = 0u;
	for (uint k = 0; k < 7u; k++)
		t.sum[k] = 0u;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint slot = oz_batch_at(i, c, a->stride);
		if (slot >= a->slots)
			break;
		if (a->number[slot] != number)
			rigid_store(a, number, &t);
		number = a->number[slot];
		if (number)
			rigid_add(a, slot, number, &t);
	}
	rigid_store(a, number, &t);
}

#define rigid_spread_ARGS(IN, OUT, VAL)                                                            \
	IN(uint, number)                                                                           \
	IN(oz_float4, rest)                                                                        \
	IN(uint, particle_of_slot) IN(oz_rigid_motion, motion) OUT(oz_float4, vector)
OZ_ARGS(rigid_spread)

// replaces the vector of each particle by that of the motion of its body: a velocity or an
// acceleration
OZ_FN void rigid_spread_at(const rigid_spread_args *a, uint i)
{
	const uint number = a->number[i], p = a->particle_of_slot[i];
	if (!number)
		return;
	OZ_GLOBAL const oz_rigid_motion *m = &a->motion[number - 1u];
	const oz_vec3 v = rigid_velocity(m, rigid_arm(m, a->rest[i]));
	a->vector[p] = oz_make4(v.x, v.y, v.z, a->vector[p].w);
}

#define rigid_accelerate_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, number)                                                                           \
	IN(oz_float4, rest)                                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_rigid_motion, motion)                                                                \
	IN(oz_float4, velocity) OUT(oz_float4, acceleration) VAL(float, kick)
OZ_ARGS(rigid_accelerate)

// writes the accelerations by which particles get the velocity of their body
OZ_FN void rigid_accelerate_at(const rigid_accelerate_args *a, uint i)
{
	const uint number = a->number[i], p = a->particle_of_slot[i];
	if (!number)
		return;
	OZ_GLOBAL const oz_rigid_motion *m = &a->motion[number - 1u];
	const oz_float4 v = a->velocity[p];
	const oz_vec3 to = rigid_velocity(m, rigid_arm(m, a->rest[i]));
	const oz_vec3 f = oz_scale(oz_sub(to, oz_v3(v.x, v.y, v.z)), 1.0f / a->kick);
	a->acceleration[p] = oz_make4(f.x, f.y, f.z, a->acceleration[p].w);
}

#define rigid_place_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, number)                                                                           \
	IN(oz_float4, rest)                                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_rigid_motion, motion) OUT(oz_float4, position) OUT(oz_float4, velocity)
OZ_ARGS(rigid_place)

// writes the position and velocity of each particle from the motion of its body
OZ_FN void rigid_place_at(const rigid_place_args *a, uint i)
{
	const uint number = a->number[i], p = a->particle_of_slot[i];
	if (!number)
		return;
	OZ_GLOBAL const oz_rigid_motion *m = &a->motion[number - 1u];
	const oz_vec3 arm = rigid_arm(m, a->rest[i]);
	const oz_vec3 x = oz_add(m->place, arm), v = rigid_velocity(m, arm);
	a->position[p] = oz_make4(x.x, x.y, x.z, a->position[p].w);
	a->velocity[p] = oz_make4(v.x, v.y, v.z, a->velocity[p].w);
}

#define rigid_fix_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, number)                                                                           \
	IN(uint, particle_of_slot) IN(oz_rigid_motion, motion) OUT(oz_float4, guess)
OZ_ARGS(rigid_fix)

// multiplies the mobility of each particle, guess.w, with the factor of its body
OZ_FN void rigid_fix_at(const rigid_fix_args *a, uint i)
{
	if (a->number[i])
		a->guess[a->particle_of_slot[i]].w *= a->motion[a->number[i] - 1u].mobility;
}

#define rigid_KERNELS(X)                                                                           \
	X(rigid_sum, EACH)                                                                         \
	X(rigid_spread, EACH)                                                                      \
	X(rigid_accelerate, EACH)                                                                  \
	X(rigid_place, EACH)                                                                       \
	X(rigid_fix, EACH)
OZ_KERNELS(rigid_KERNELS)
