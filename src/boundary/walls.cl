// walls.cl: the walls' share λ of every particle's density, and its gradient.
#include "boundary/walls.h"

#define wall_weight_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_collider, collider)                                                                  \
	IN(float, table)                                                                           \
	OUT(oz_float4, wall) VAL(oz_wall_rules, rules)
OZ_KERNEL(wall_weight)
{
	const oz_vec3 x = oz_v3(a->position[i].x, a->position[i].y, a->position[i].z);
	oz_wall_sum s;
	s.free = 1.0f;
	s.gradient = oz_v3(0.0f, 0.0f, 0.0f);
	// a wall has a hole where a nozzle pierces it
	const bool pierced = a->position[i].w != 0.0f;
	for (uint k = 0; k < a->rules.colliders && !pierced; k++) {
		const oz_collider c = a->collider[k];
		const oz_vec3 p = oz_begin_local(&c, x);
		const float d = oz_wall_distance(&c, p);
		if (d >= a->rules.h)
			continue;
		if (c.kind == OZ_KIND_BOX && c.side < 0.0f)
			oz_wall_add_vessel(&s, a->table, &c, p, 1.0f / a->rules.h);
		else
			oz_wall_add(&s, a->table, d / a->rules.h,
			            oz_quat_rotate(c.turn, oz_wall_normal(&c, p, a->rules.step)));
	}
	a->wall[i] = oz_make4(-s.gradient.x, -s.gradient.y, -s.gradient.z, 1.0f - s.free);
}
