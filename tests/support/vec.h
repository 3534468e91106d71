// vec.h: vectors in double precision for tests; nothing of them is the library's own.
#ifndef OZ_TEST_VEC_H
#define OZ_TEST_VEC_H

#include <math.h>

#include "ooze/ooze.h"

typedef struct vec {
	double x, y, z;
} vec;

static inline vec vec_of(double x, double y, double z)
{
	return (vec){x, y, z};
}

static inline vec vec_sub(vec a, vec b)
{
	return vec_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

// a + b s
static inline vec vec_mad(vec a, vec b, double s)
{
	return vec_of(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline double vec_dot(vec a, vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec vec_cross(vec a, vec b)
{
	return vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(vec a)
{
	return sqrt(vec_dot(a, a));
}

static inline oz_vec3 vec_narrow(vec a)
{
	return (oz_vec3){(float)a.x, (float)a.y, (float)a.z};
}

static inline vec vec_wide(oz_vec3 a)
{
	return vec_of((double)a.x, (double)a.y, (double)a.z);
}

#endif
