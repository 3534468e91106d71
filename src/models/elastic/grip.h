// grip.h: where handles hold particles.
#ifndef OZ_GRIP_H
#define OZ_GRIP_H

#include "math/quat.h"

// a handle as it stands at the beginning and at the end of the step
typedef struct oz_grip {
	oz_quat from_rotation, rotation;
	oz_vec3 from;  // m
	float back;    // m, the most that a particle which was kept away comes nearer in a step
	oz_vec3 place; // m
	uint holds;    // 0: it has let go
} oz_grip;

#define OZ_ANY_BODY 0xffffffffu

// what a handle takes hold of
typedef struct oz_grasp {
	uint kind; // of its shape
	oz_vec3 size;
	oz_quat rotation;
	oz_vec3 place; // m
	uint body;     // OZ_ANY_BODY: all
	uint number;   // of the handle, from 1 on
} oz_grasp;

OZ_FN bool oz_grip_holds(OZ_GLOBAL const oz_grip *grips, oz_float4 hold)
{
	return hold.w > 0.0f && grips[(uint)hold.w - 1u].holds != 0u;
}

// The velocity that takes a held particle along with its handle. Where a wall stands in the way it
// lags behind; were it to catch up within a step, shorter steps would mean ever more force.
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
