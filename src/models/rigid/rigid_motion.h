// rigid_motion.h: the motion of a rigid body as kernels read it.
#ifndef OZ_RIGID_MOTION_H
#define OZ_RIGID_MOTION_H

#include "math/quat.h"

typedef struct oz_rigid_motion {
	oz_quat rotation;
	oz_vec3 origin;      // m, centre of the rest positions
	oz_vec3 place;       // m, centre
	oz_vec3 linear;      // m/s of the centre; m/s² where motions are accelerations
	oz_vec3 angular;     // 1/s or 1/s²
	float mobility;      // factor on the mobility of its particles (incompressible.cl)
	float friction_gain; // g of rigid_friction.cl
	float stop_gain;     // g of rigid_stop.cl
} oz_rigid_motion;

// the way from the centre of the body to a particle, m
OZ_FN oz_vec3 rigid_arm(OZ_GLOBAL const oz_rigid_motion *m, oz_float4 rest)
{
	return oz_quat_rotate(m->rotation, oz_sub(oz_v3(rest.x, rest.y, rest.z), m->origin));
}

// the velocity (or acceleration) of the motion at an arm
OZ_FN oz_vec3 rigid_velocity(OZ_GLOBAL const oz_rigid_motion *m, oz_vec3 arm)
{
	return oz_add(m->linear, oz_cross(m->angular, arm));
}

#endif
