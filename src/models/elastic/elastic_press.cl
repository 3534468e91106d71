// elastic_press.cl: accelerations of implicit bodies by changes of pressure, for press.c.
#include "device/kernel.h"
#include "geometry/shape.h"
#include "particles/matter.h"
#include "solver/cg_sums.h"

#define elastic_hold_ARGS(IN, OUT, VAL)                                                            \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, stiff)                                                                       \
	IN(oz_float4, delta_v)                                                                     \
	OUT(oz_float4, answer)                                                                     \
	OUT(oz_float4, pressed) OUT(oz_float4, residual) OUT(oz_float4, guess)
OZ_ARGS(elastic_hold)

// Begins with no change of pressure; lowers the mobility of a particle that others hold back.
OZ_FN void elastic_hold_at(const elastic_hold_args *a, uint i)
{
	const float alone = a->delta_v[i].w, mass = a->residual[i].w;
	a->answer[i] = oz_make4(0.0f, 0.0f, 0.0f, alone);
	a->pressed[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	a->residual[i] = oz_make4(0.0f, 0.0f, 0.0f, mass);
	if (mass > 0.0f)
		a->guess[a->particle_of_slot[i]].w *= alone;
}

#define elastic_answer_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, answer)                                                                      \
	OUT(oz_float4, pressed)                                                                    \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, direction) OUT(oz_float4, groups) VAL(uint, first) VAL(float, kick)
OZ_ARGS(elastic_answer)
OZ_REDUCE(elastic_answer, oz_float4, cg_plus, groups, first)

// Writes the force of the pressure over the mass into `pressed`, adds its change since the last
// round to the residual, and writes the first search direction. `acceleration` has the force times
// the mobility. Sums x and y as in cg_sums.h; z: the squares of the changes of velocity of free
// particles.
OZ_FN oz_float4 elastic_answer_at(const elastic_answer_args *a, uint i)
{
	const oz_float4 f = a->acceleration[a->particle_of_slot[i]], old = a->pressed[i],
	                c = a->answer[i], was = a->residual[i];
	const float mass = was.w, k = a->kick, s = mass > 0.0f && c.w > 0.0f ? 1.0f / c.w : 0.0f;
	const oz_float4 now = oz_make4(s * f.x, s * f.y, s * f.z, 0.0f);
	const oz_float4 r = oz_make4(was.x + k * (now.x - old.x), was.y + k * (now.y - old.y),
	                             was.z + k * (now.z - old.z), mass);
	const float size = mass * cg_dot(r, r);
	a->pressed[i] = now;
	a->residual[i] = r;
	a->direction[i] = oz_make4(c.w * r.x, c.w * r.y, c.w * r.z, a->direction[i].w);
	return oz_make4(c.w * size, size, k * k * mass * cg_dot(now, now), 0.0f);
}

#define elastic_answered_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, answer)                                                                      \
	IN(oz_float4, residual) OUT(oz_float4, acceleration) VAL(float, kick)
OZ_ARGS(elastic_answered)

// replaces accelerations by those of the whole body
OZ_FN void elastic_answered_at(const elastic_answered_args *a, uint i)
{
	const oz_float4 c = a->answer[i];
	const float k = 1.0f / a->kick;
	if (a->residual[i].w > 0.0f)
		a->acceleration[a->particle_of_slot[i]] = oz_make4(k * c.x, k * c.y, k * c.z, 0.0f);
}

#define elastic_keep_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, answer)                                                                      \
	IN(oz_float4, pressed)                                                                     \
	IN(oz_float4, residual)                                                                    \
	IN(oz_float4, rotation) OUT(oz_float4, delta_v) OUT(oz_float4, last) VAL(float, kick)
OZ_ARGS(elastic_keep)

// adds the answer to the change of velocity of the step, and its elastic part to g(n)
OZ_FN void elastic_keep_at(const elastic_keep_args *a, uint i)
{
	const oz_float4 c = a->answer[i], f = a->pressed[i], d = a->delta_v[i], g = a->last[i];
	const oz_float4 q = a->rotation[i];
	const float k = 1.0f / a->kick;
	if (!(a->residual[i].w > 0.0f))
		return;
	const oz_vec3 more = oz_quat_rotate(oz_quat_conjugate(oz_quat_of(q.x, q.y, q.z, q.w)),
	                                    oz_v3(k * c.x - f.x, k * c.y - f.y, k * c.z - f.z));
	a->delta_v[i] = oz_make4(d.x + c.x, d.y + c.y, d.z + c.z, d.w);
	a->last[i] = oz_make4(g.x + more.x, g.y + more.y, g.z + more.z, g.w);
}

#define elastic_press_KERNELS(X)                                                                   \
	X(elastic_hold, EACH)                                                                      \
	X(elastic_answer, REDUCE)                                                                  \
	X(elastic_answered, EACH)                                                                  \
	X(elastic_keep, EACH)
OZ_KERNELS(elastic_press_KERNELS)
