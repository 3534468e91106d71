// collider.h: a solid as kernels see it: a shape on its way from one pose to the next.
#ifndef OZ_COLLIDER_H
#define OZ_COLLIDER_H

#include "boundary/sdf.h"
#include "geometry/shape.h"

typedef struct oz_collider {
	uint kind;
	float side;           // 1: material outside, -1: inside, 0: on both sides of a shell
	uint flat;            // counts as flat wherever it is met
	uint load;            // where what it bears is summed up: 1 for the first, 0: nowhere
	float length_unit;    // m, unit of the distances in its torque
	float inv_speed_unit; // s/m, one over the unit of speed in its work
	float friction, restitution;
	uint rotates;                       // 0: it stands straight, now and at the step's end
	oz_vec3 size;                       // m
	oz_vec3 from, to;                   // m, position at the step's begin and end
	oz_quat rotation_from, rotation_to; // rotation likewise
	oz_sdf_frame sdf;                   // of OZ_KIND_SDF
} oz_collider;

typedef struct oz_wall_rules {
	uint colliders;
	float h;       // m, support radius: reach of λ
	float contact; // m, the nearest a particle may come
	float step;    // m, reach of difference quotients
	float motion;  // m, the farthest that a point of a wall moves in the step
	float reach;   // m, from a wall, beyond which it has no share
	float spacing; // m
} oz_wall_rules;

// What a wall has borne, in whole quanta so that no order of adding changes it. Many slots, summed
// by the host, keep threads out of each other's way.
#define OZ_REACTION_SLOTS 32u
#define OZ_REACTION_SPEED_UNIT                                                                     \
	0x1p-10f // unit of speed in the work, of the speed of sound: walls are slow
typedef struct oz_reaction {
	oz_sum force[3], torque[3], work;
	uint unused[2]; // 64 bytes: a line of the cache each
} oz_reaction;

OZ_FN void oz_reaction_add(OZ_GLOBAL oz_sum *sum, float quanta)
{
	// what a particle that is no longer finite gives is nothing
	if (oz_abs(quanta) < 9e15f)
		oz_sum_add(sum, (oz_u64)(oz_i64)(quanta + (quanta < 0.0f ? -0.5f : 0.5f)));
}

// Of a node, from the material's side: the depth at which a flat wall would fill as much (low half
// of `level`) and the distance (high half), in 1/32767 of two support radii; and how the depth
// changes along x, y and z, in 1/OZ_WALL_SLOPE_UNITS, ten bits each. Few bytes go through the
// caches, which is what looking at an SDF costs.
#define OZ_WALL_SLOPE_UNITS 200.0f
typedef struct oz_wall_node {
	uint level, slope;
} oz_wall_node;

OZ_FN uint oz_wall_node_pack16(float x, float h)
{
	const float most = 2.0f * h;
	return (uint)(int)oz_round(oz_min(oz_max(x, -most), most) / most * 32767.0f) & 0xffffu;
}

OZ_FN uint oz_wall_node_pack_level(float equivalent_distance, float distance, float h)
{
	return oz_wall_node_pack16(equivalent_distance, h) | oz_wall_node_pack16(distance, h) << 16;
}

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

// in these units
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

// all that stands in the way, as kernels see it
typedef struct oz_walls {
	OZ_GLOBAL const oz_collider *colliders;
	OZ_GLOBAL const float *table;             // see wall_table.c
	OZ_GLOBAL const uint *places;             // of all SDFs
	OZ_GLOBAL const oz_float4 *nearest;       // of their nodes
	OZ_GLOBAL const oz_wall_node *wall_nodes; // likewise
	OZ_GLOBAL oz_reaction *reactions;
} oz_walls;

// from the world to the collider's frame and back, at the step's begin
OZ_FN oz_vec3 oz_begin_local(OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	const oz_vec3 d = oz_sub(p, c->from);
	return c->rotates ? oz_quat_rotate(oz_quat_conjugate(c->rotation_from), d) : d;
}

OZ_FN oz_vec3 oz_begin_world(OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	return oz_add(c->from, c->rotates ? oz_quat_rotate(c->rotation_from, p) : p);
}

OZ_FN oz_vec3 oz_begin_rotate(OZ_GLOBAL const oz_collider *c, oz_vec3 direction)
{
	return c->rotates ? oz_quat_rotate(c->rotation_from, direction) : direction;
}

// and at its end
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

// distance to the wall from the material's side, for a point in the collider's frame
OZ_FN float oz_wall_distance(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	const float d = c->kind == OZ_KIND_SDF ? oz_sdf_distance(&c->sdf, w->places, w->nearest, p)
	                                       : oz_local_distance(c->kind, c->size, p);
	return c->side == 0.0f ? oz_abs(d) : c->side * d;
}

// the same, and the direction away from the wall
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
