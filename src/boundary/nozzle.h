// nozzle.h: the nozzle of an emitter on the device: particles move through it at a constant
// velocity up to its opening.
#ifndef OZ_NOZZLE_H
#define OZ_NOZZLE_H

#include "math/vec.h"

typedef struct oz_guide {
	oz_vec3 opening;       // m, its centre
	oz_vec3 velocity;      // m/s
	float inv_speed2;      // s²/m²
	float flight_time;     // s, from the rear end of the nozzle to the opening
	float mouth;           // s, beyond the opening, in which walls do not act on particles
	float radius2;         // m², radius of the opening and half a spacing, squared
	oz_vec3 width, height; // unit vectors along the sides of the opening
	float half_width, half_height; // m, half a spacing more than the outermost columns
} oz_guide;

// s until a particle at x reaches the opening; negative beyond it
OZ_FN float oz_guide_time_to_opening(const oz_guide *g, oz_vec3 x)
{
	return oz_dot(oz_sub(g->opening, x), g->velocity) * g->inv_speed2;
}

// whether x is inside the nozzle or in its mouth, where walls do not act
OZ_FN bool oz_guide_contains(const oz_guide *g, oz_vec3 x)
{
	const float ahead = oz_guide_time_to_opening(g, x);
	const oz_vec3 across = oz_mad(oz_sub(x, g->opening), g->velocity, ahead);
	return ahead <= g->flight_time && ahead >= -g->mouth && oz_length2(across) <= g->radius2 &&
	       oz_abs(oz_dot(across, g->width)) <= g->half_width &&
	       oz_abs(oz_dot(across, g->height)) <= g->half_height;
}

#endif
