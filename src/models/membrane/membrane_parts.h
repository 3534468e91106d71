// membrane_parts.h: faces, edges and chambers of membranes as kernels read them.
#ifndef OZ_MEMBRANE_PARTS_H
#define OZ_MEMBRANE_PARTS_H

#include "math/vec.h"

#define OZ_MEMBRANE_CHUNK 64u // faces or vertices that one work item sums

// A triangle. With the corners a, b, c at rest in its plane at (0, 0), (l, 0), (x, y), `grad` is
// the inverse of (l x; 0 y): xx = 1/l, xy = -x/(l y), yy = 1/y.
typedef struct oz_membrane_face {
	uint corner[3]; // vertices, counter-clockwise seen from outside
	uint chamber;
	float grad_xx, grad_xy, grad_yy; // 1/m
	float area;                      // m², at rest; negative: torn
} oz_membrane_face;

// An edge from a to b. `c` is opposite in the face that runs from a to b, `d` in the other one.
typedef struct oz_membrane_edge {
	uint a, b, c, d;
	uint face[2];
	uint chamber;
	float length; // m, at rest
	float angle;  // between the normals of its faces, at rest
	float bend;   // N·m, stiffness against a change of that angle
	float spring; // N/m, of the law `springs`
	float even;   // factor on `bend` by the mesh, see membrane_mesh.c; 0: 1
} oz_membrane_edge;

// A face in the present step, as the contact of faces reads it.
typedef struct oz_membrane_frame {
	oz_vec3 corner; // m, its first corner
	float share;    // σ L, see membrane_face.cl; 0: it does not press
	oz_vec3 one;    // m, from the first corner to the second
	float radius;   // m, of a ball about its centre that holds it
	oz_vec3 two;    // m, from the first corner to the third
	uint chamber;
	oz_vec3 centre; // m, mean of its corners
	float spare;
} oz_membrane_frame;

// The contact of a particle with a large face, see membrane_face.cl.
typedef struct oz_membrane_touch {
	oz_vec3 gradient; // 1/m, ∇λ
	float lambda;     // 0: none
	float press;      // Pa, what acts in it now
	oz_vec3 rub;      // N/m³, friction on the particle over s³
	float distance;   // m
	float b, c;       // shares of the second and third corner in the nearest point
	uint face, chamber;
} oz_membrane_touch;

#define OZ_FACES_EACH 2u // contacts of a particle with faces, of different skins

// A part of a chamber, summed by one work item.
typedef struct oz_membrane_chunk {
	uint first, count, chamber, spare;
} oz_membrane_chunk;

// laws of the skin
#define OZ_LAW_LINEAR  0u
#define OZ_LAW_RUBBER  1u
#define OZ_LAW_SPRINGS 2u

// The fluid of the points of a chamber (membrane_surface.cl).
typedef struct oz_membrane_surface_now {
	float push, drag; // k and b
	uint printed;     // 1: pressure as printed
} oz_membrane_surface_now;

// Stretches above which the skin of a chamber changes; 0: never.
typedef struct oz_membrane_bounds {
	float tear;  // faces tear
	float yield; // rest lengths follow
} oz_membrane_bounds;

// A chamber in the present step.
typedef struct oz_membrane_chamber_now {
	float pressure;  // Pa, inside over outside
	float stiffness; // Pa/m³, - dP/dV
	float lame;      // N/m, λ t of plane stress
	float shear;     // N/m, 2 μ t
	float c1, c2;    // N/m, C₁ t and C₂ t of Mooney and Rivlin
	float delay;     // s, damping over stiffness
	float density;   // kg/m³, of its particles
	float inv_mass;  // 1/kg, of a particle
	oz_membrane_bounds bounds;
	float skin_share; // mass of the skin over that of skin and filling
	oz_vec3 fall;     // m/s², the acceleration of the whole chamber by others
	oz_vec3 middle;   // m, mean of its vertices, relative to its first vertex
	oz_vec3 tilt;     // Pa/m, gradient of the pressure of a heavy filling
	uint law;
	uint faces_press; // 1: large faces press, see membrane_face.cl
	oz_membrane_surface_now surface;
	uint first_vertex;
	uint face_chunk, face_chunks;     // its chunks of faces
	uint vertex_chunk, vertex_chunks; // and of vertices
	oz_vec3 linear, angular;          // m/s, 1/s: rigid motion that is added
	oz_vec3 centre;                   // m, relative to its first vertex
} oz_membrane_chamber_now;

#define OZ_MEMBRANE_SUMS 17u

// sums over a chunk or a chamber
typedef struct oz_membrane_sums {
	float s[OZ_MEMBRANE_SUMS];
} oz_membrane_sums;

OZ_FN oz_vec3 membrane_vec(oz_float4 a)
{
	return oz_v3(a.x, a.y, a.z);
}

OZ_FN oz_float4 membrane_record(oz_vec3 a, float w)
{
	return oz_make4(a.x, a.y, a.z, w);
}

#endif
