// vec.h: vectors of three floats, in the common subset of C11 and OpenCL C.
//
// Lengths square the components without scaling: they are valid for 1e-18 … 1e18. Only oz_normalize
// scales first, because it also gets differences of nearly coincident points.
#ifndef OZ_VEC_H
#define OZ_VEC_H

#include "device/kernel.h"

#define OZ_PI 3.14159265f

OZ_FN oz_vec3 oz_v3(float x, float y, float z)
{
	oz_vec3 v;
	v.x = x;
	v.y = y;
	v.z = z;
	return v;
}

OZ_FN oz_vec3 oz_add(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

OZ_FN oz_vec3 oz_sub(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

OZ_FN oz_vec3 oz_scale(oz_vec3 a, float s)
{
	return oz_v3(a.x * s, a.y * s, a.z * s);
}

// a + b s
OZ_FN oz_vec3 oz_mad(oz_vec3 a, oz_vec3 b, float s)
{
	return oz_v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

OZ_FN float oz_dot(oz_vec3 a, oz_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

OZ_FN oz_vec3 oz_cross(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

OZ_FN float oz_length2(oz_vec3 a)
{
	return oz_dot(a, a);
}

OZ_FN float oz_length(oz_vec3 a)
{
	return oz_sqrt(oz_length2(a));
}

OZ_FN oz_vec3 oz_min3(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(oz_min(a.x, b.x), oz_min(a.y, b.y), oz_min(a.z, b.z));
}

OZ_FN oz_vec3 oz_max3(oz_vec3 a, oz_vec3 b)
{
	return oz_v3(oz_max(a.x, b.x), oz_max(a.y, b.y), oz_max(a.z, b.z));
}

OZ_FN float oz_max_abs(oz_vec3 a)
{
	return oz_max(oz_abs(a.x), oz_max(oz_abs(a.y), oz_abs(a.z)));
}

// The unit vector along a; zero if no component of a is a normal float.
OZ_FN oz_vec3 oz_normalize(oz_vec3 a)
{
	const float most = oz_max_abs(a);
	if (!(most > 1.2e-38f))
		return oz_v3(0.0f, 0.0f, 0.0f);
	const oz_vec3 unit = oz_v3(a.x / most, a.y / most, a.z / most);
	return oz_scale(unit, oz_rsqrt(oz_length2(unit)));
}

// A unit vector orthogonal to the unit vector a.
OZ_FN oz_vec3 oz_perpendicular(oz_vec3 a)
{
	const bool along_x = oz_abs(a.x) > 0.6f;
	return oz_normalize(
	        oz_cross(a, along_x ? oz_v3(0.0f, 1.0f, 0.0f) : oz_v3(1.0f, 0.0f, 0.0f)));
}

#endif
