// types.h: value types that the API, the engine and its kernels share.
//
// This file is C11, C++ and OpenCL C at once: it has only structs of floats.
// Right-handed axes, y up, SI units; quaternions are (x, y, z, w); matrices are stored by rows.
#ifndef OOZE_TYPES_H
#define OOZE_TYPES_H

typedef struct oz_vec3 {
	float x, y, z;
} oz_vec3;

typedef struct oz_quat {
	float x, y, z, w;
} oz_quat;

typedef struct oz_mat3 {
	float m[3][3]; // m[row][column]
} oz_mat3;

#endif
