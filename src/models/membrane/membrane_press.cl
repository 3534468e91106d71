// membrane_press.cl: accelerations of vertices by changes of pressure, for membrane_press.c.
#include "models/membrane/membrane_parts.h"
#include "solver/cg_sums.h"

#define membrane_hold_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	OUT(oz_float4, delta_v) OUT(oz_float4, guess)
OZ_ARGS(membrane_hold)

// Lowers the mobility of the particle of vertex i, which carries a share of the filling. Clears
// delta_v, the first guess of membrane_answer.
OZ_FN void membrane_hold_at(const membrane_hold_args *a, uint i)
{
	a->guess[a->particle_of_slot[a->slot_of[i]]].w *= a->chambers[a->chamber_of[i]].skin_share;
	a->delta_v[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
}

#define membrane_recall_ARGS(IN, OUT, VAL) IN(oz_float4, delta_v) OUT(oz_float4, direction)
OZ_ARGS(membrane_recall)

// writes the change of velocity of the last round as the direction of a product
OZ_FN void membrane_recall_at(const membrane_recall_args *a, uint i)
{
	const oz_float4 d = a->delta_v[i];
	a->direction[i] = oz_make4(d.x, d.y, d.z, 0.0f);
}

#define membrane_answer_ARGS(IN, OUT, VAL)                                                         \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, image)                                                                       \
	IN(oz_float4, delta_v)                                                                     \
	IN(cg_block, block)                                                                        \
	OUT(oz_float4, outer)                                                                      \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, direction) OUT(oz_float4, groups) VAL(uint, first) VAL(float, kick)
OZ_ARGS(membrane_answer)
OZ_REDUCE(membrane_answer, oz_float4, cg_plus, groups, first)

// Writes the force of the pressure over the mass of vertex i into `outer`, the residual of delta_v
// and the first search direction. `acceleration` has the force times the mobility; image:
// minus the product of stiffness and damping with delta_v. residual.w is kept: the mass. Sums x and
// y as in cg_sums.h; z: the squares of the changes of velocity without a skin.
OZ_FN oz_float4 membrane_answer_at(const membrane_answer_args *a, uint i)
{
	const oz_float4 f = a->acceleration[a->particle_of_slot[a->slot_of[i]]];
	const oz_float4 d = a->delta_v[i], q = a->image[i];
	const float k = a->kick, mass = a->residual[i].w;
	const oz_float4 o = oz_make4(f.x, f.y, f.z, 0.0f);
	const oz_float4 r =
	        oz_make4(k * (o.x + q.x) - d.x, k * (o.y + q.y) - d.y, k * (o.z + q.z) - d.z, mass);
	const float size = mass * cg_dot(r, r);
	const oz_float4 z = cg_solve_block(&a->block[i], r);
	a->outer[i] = o;
	a->residual[i] = r;
	a->direction[i] = z;
	return oz_make4(mass * cg_dot(r, z), size, k * k * mass * cg_dot(o, o), 0.0f);
}

#define membrane_press_KERNELS(X)                                                                  \
	X(membrane_hold, EACH)                                                                     \
	X(membrane_recall, EACH)                                                                   \
	X(membrane_answer, REDUCE)
OZ_KERNELS(membrane_press_KERNELS)
