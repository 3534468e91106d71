// grip.h: handles as kernels read them.
#ifndef OZ_GRIP_H
#define OZ_GRIP_H

#include "math/quat.h"

// the pose of a handle at the beginning (from_…) and at the end of the step
typedef struct oz_grip {
	oz_quat from_rotation, rotation;
	oz_vec3 from;  // m
	float back;    // m, the most by which a particle that lags behind catches up in a step
	oz_vec3 place; // m
	uint holds;    // 0: it was released
} oz_grip;

#define OZ_ANY_BODY 0xffffffffu

// selects the particles that a new handle holds: those of `body` inside the shape
typedef struct oz_grasp {
	uint kind; // of its shape
	oz_vec3 size;
	oz_quat rotation;
	oz_vec3 place; // m
	uint body;     // OZ_ANY_BODY: all
	uint number;   // of the handle, from 1 on
} oz_grasp;

// whether a handle that is not released holds the slot with this `hold`
OZ_FN bool oz_grip_holds(OZ_GLOBAL const oz_grip *grips, oz_float4 hold)
{
	return hold.w > 0.0f && grips[(uint)hold.w - 1u].holds != 0u;
}

// The velocity, m/s, of a held particle at x: that of its point of the handle, plus a correction of
// at most `back` per step if it lags behind, for example because of a wall. Without the bound, the
// force of the correction would grow as the time step gets shorter.
OZ_FN oz_vec3 oz_grip_speed(OZ_GLOBAL const oz_grip *grips, oz_float4 hold, oz_float4 x, float dt)
{
	const oz_grip g = grips[(uint)hold.w - 1u];
	const oz_vec3 own = oz_v3(hold.x, hold.y, hold.z);
	const oz_vec3 goal = oz_add(g.place, oz_quat_rotate(g.rotation, own));
	const oz_vec3 from = oz_add(g.from, oz_quat_rotate(g.from_rotation, own));
	const oz_vec3 lag = oz_sub(from, oz_v3(x.x, x.y, x.z));
	const float behind = oz_length(lag);
	const oz_vec3 way = behind > g.back ? oz_mad(oz_sub(goal, from), lag, g.back / behind)
	                                    : oz_sub(goal, oz_v3(x.x, x.y, x.z));
	return oz_scale(way, 1.0f / dt);
}

#endif
