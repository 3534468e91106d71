// collider.h: the record of a collider on the device: a shape that moves from the pose at the begin
// of the step to the pose at its end.
#ifndef OZ_COLLIDER_H
#define OZ_COLLIDER_H

#include "boundary/sdf.h"
#include "geometry/shape.h"

typedef struct oz_collider {
	uint kind;
	float side;           // particles are: 1 outside, -1 inside, 0 on both sides of a shell
	uint flat;            // 1: λ is that of a flat wall at the same distance
	uint thin;            // 1: it separates particles on its two sides (separate.cl)
	uint load;            // 1-based index of its load; 0: no load is summed
	float length_unit;    // m, unit of the distances in its torque
	float inv_speed_unit; // s/m, one over the unit of speed in its work
	float friction, restitution;
	uint slip;        // 1: fluids slide along it freely
	uint sticks;      // 1: sticky materials stick to it
	float wetting;    // cosine of its contact angle
	uint rotates;     // 0: its rotation is the identity at both ends of the step
	oz_vec3 size;     // m
	oz_vec3 from, to; // m, position at the step's begin and end
	oz_quat rotation_from, rotation_to; // rotation likewise
	oz_sdf_frame sdf;                   // of OZ_KIND_SDF
} oz_collider;

typedef struct oz_wall_rules {
	uint colliders;
	float h;       // m, support radius
	float contact; // m, least distance of a particle from a wall
	float step;    // m, step of the difference quotients that give normals
	float motion;  // m, the longest way of any point of a collider in the step
	float reach;   // m, distance beyond which λ is 0
	float spacing; // m
	float sound;   // m/s
} oz_wall_rules;

// Sums of a collider's load in whole quanta: integers, so that the order of adding changes nothing.
// Each load has OZ_REACTION_SLOTS records, which the host adds up: threads rarely share one.
#define OZ_REACTION_SLOTS      32u
#define OZ_REACTION_SPEED_UNIT 0x1p-10f // unit of wall speed in the work, in speeds of sound
typedef struct oz_reaction {
	oz_sum force[3], torque[3], work;
	uint unused[2]; // fills 64 bytes, one cache line
} oz_reaction;

// adds a number of quanta, rounded, to a sum
OZ_FN void oz_reaction_add(OZ_GLOBAL oz_sum *sum, float quanta)
{
	// skips values that are not finite or overflow an integer
	if (oz_abs(quanta) < 9e15f)
		oz_sum_add(sum, (oz_u64)(oz_i64)(quanta + (quanta < 0.0f ? -0.5f : 0.5f)));
}

// Wall data of an SDF node, packed into 8 bytes, because memory traffic is the cost of an SDF:
//   level, low half    equivalent distance: the distance at which a flat wall has the λ of this
//   node level, high half   distance; both positive on the side of particles, in 1/32767 of 2 h
//   slope              derivatives of the equivalent distance along x, y and z, ten bits each, in
//                      1/OZ_WALL_SLOPE_UNITS
#define OZ_WALL_SLOPE_UNITS 200.0f
typedef struct oz_wall_node {
	uint level, slope;
} oz_wall_node;

// a length as a signed number of 16 bits, clamped to ±2 h
OZ_FN uint oz_wall_node_pack16(float x, float h)
{
	const float most = 2.0f * h;
	return (uint)(int)oz_round(oz_min(oz_max(x, -most), most) / most * 32767.0f) & 0xffffu;
}

OZ_FN uint oz_wall_node_pack_level(float equivalent_distance, float distance, float h)
{
	return oz_wall_node_pack16(equivalent_distance, h) | oz_wall_node_pack16(distance, h) << 16;
}

// a derivative as a signed number of 10 bits, clamped
OZ_FN uint oz_wall_node_pack10(float x)
{
	return (uint)(int)oz_round(oz_min(oz_max(OZ_WALL_SLOPE_UNITS * x, -511.0f), 511.0f)) &
	       0x3ffu;
}

OZ_FN uint oz_wall_node_pack_slope(oz_vec3 slope)
{
	return oz_wall_node_pack10(slope.x) | oz_wall_node_pack10(slope.y) << 10 |
	       oz_wall_node_pack10(slope.z) << 20;
}

// the packed numbers, still in the units of oz_wall_node
OZ_FN float oz_wall_node_unpack_equivalent(uint level)
{
	return (float)((int)(level << 16) >> 16);
}

OZ_FN float oz_wall_node_unpack_distance(uint level)
{
	return (float)((int)level >> 16);
}

OZ_FN oz_vec3 oz_wall_node_unpack_slope(uint slope)
{
	return oz_v3((float)((int)(slope << 22) >> 22), (float)((int)(slope << 12) >> 22),
	             (float)((int)(slope << 2) >> 22));
}

// the colliders and their tables, for kernels
typedef struct oz_walls {
	OZ_GLOBAL const oz_collider *colliders;
	OZ_GLOBAL const float *table;             // see wall_table.c
	OZ_GLOBAL const uint *places;             // of all SDFs, see oz_sdfs
	OZ_GLOBAL const oz_float4 *nearest;       // likewise
	OZ_GLOBAL const oz_wall_node *wall_nodes; // likewise
	OZ_GLOBAL oz_reaction *reactions;
} oz_walls;

// from world space to the collider's frame, with the pose at the begin of the step
OZ_FN oz_vec3 oz_begin_local(OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	const oz_vec3 d = oz_sub(p, c->from);
	return c->rotates ? oz_quat_rotate(oz_quat_conjugate(c->rotation_from), d) : d;
}

// back to world space
OZ_FN oz_vec3 oz_begin_world(OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	return oz_add(c->from, c->rotates ? oz_quat_rotate(c->rotation_from, p) : p);
}

// a direction to world space
OZ_FN oz_vec3 oz_begin_rotate(OZ_GLOBAL const oz_collider *c, oz_vec3 direction)
{
	return c->rotates ? oz_quat_rotate(c->rotation_from, direction) : direction;
}

// the same three with the pose at the end of the step
OZ_FN oz_vec3 oz_end_rotate(OZ_GLOBAL const oz_collider *c, oz_vec3 direction)
{
	return c->rotates ? oz_quat_rotate(c->rotation_to, direction) : direction;
}

OZ_FN oz_vec3 oz_end_local(OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	const oz_vec3 d = oz_sub(p, c->to);
	return c->rotates ? oz_quat_rotate(oz_quat_conjugate(c->rotation_to), d) : d;
}

OZ_FN oz_vec3 oz_end_world(OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	return oz_add(c->to, c->rotates ? oz_quat_rotate(c->rotation_to, p) : p);
}

// distance of a point p of the collider's frame from the wall, positive on the side of particles
OZ_FN float oz_wall_distance(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	const float d = c->kind == OZ_KIND_SDF ? oz_sdf_distance(&c->sdf, w->places, w->nearest, p)
	                                       : oz_local_distance(c->kind, c->size, p);
	return c->side == 0.0f ? oz_abs(d) : c->side * d;
}

// the same distance, and the unit normal that points away from the wall
OZ_FN oz_surface_sample oz_wall_sample(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p,
                                       float step)
{
	oz_surface_sample s;
	if (c->kind == OZ_KIND_SDF) {
		s = oz_sdf_sample(&c->sdf, w->places, w->nearest, p, c->side == 0.0f);
	} else {
		s.distance = oz_local_distance(c->kind, c->size, p);
		s.normal = oz_local_normal(c->kind, c->size, p, step);
	}
	const float side = c->side != 0.0f ? c->side : s.distance < 0.0f ? -1.0f : 1.0f;
	s.distance *= side;
	s.normal = oz_scale(s.normal, side);
	return s;
}

#endif
