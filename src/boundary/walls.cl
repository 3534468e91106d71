// walls.cl: λ of all walls together at every particle, its gradient, and the wall clearance.
#include "boundary/lambda.h"

#define wall_lambda_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(float, nozzle)                                                                          \
	IN(oz_collider, collider)                                                                  \
	IN(float, table)                                                                           \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_wall_node, wall_nodes)                                                               \
	OUT(oz_float4, wall) OUT(float, wall_clearance) VAL(oz_wall_rules, rules) VAL(uint, nozzles)
OZ_ARGS(wall_lambda)

// writes λ of all walls, its gradient and the wall clearance of particle i
OZ_FN void wall_lambda_at(const wall_lambda_args *a, uint i)
{
	const oz_vec3 x = oz_v3(a->position[i].x, a->position[i].y, a->position[i].z);
	oz_walls w;
	w.table = a->table;
	w.places = a->places;
	w.nearest = a->nearest;
	w.wall_nodes = a->wall_nodes;
	oz_wall_sum sum;
	sum.free = 1.0f;
	sum.gradient = oz_v3(0.0f, 0.0f, 0.0f);
	float wall_clearance = OZ_FAR;
	// walls do not act on particles in a nozzle
	const bool pierced = a->nozzles && a->nozzle[i] != 0.0f;
	for (uint k = 0; k < a->rules.colliders && !pierced; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		const oz_float4 s =
		        oz_wall_lambda(&w, &a->rules, c, oz_begin_local(c, x), &wall_clearance);
		if (s.w == 0.0f)
			continue;
		const oz_vec3 g = oz_begin_rotate(c, oz_v3(s.x, s.y, s.z));
		oz_wall_add(&sum, oz_make4(g.x, g.y, g.z, s.w));
	}
	a->wall[i] = oz_make4(-sum.gradient.x, -sum.gradient.y, -sum.gradient.z, 1.0f - sum.free);
	a->wall_clearance[i] = pierced ? 0.0f : wall_clearance;
}

#define walls_KERNELS(X) X(wall_lambda, EACH)
OZ_KERNELS(walls_KERNELS)
