// viscous_solve.cl: the implicit step of thick fluids.
//
// With a0 all other accelerations, k the time over which accelerations act (oz_kick) and - K u the
// viscous acceleration at the velocities u (viscous.cl), u solves
//
//   (1 + k K) u = v + k a0
//
// by conjugate gradients (cg.cl). At the end the residual r is added: u + r = v + k (a0 - K u), so
// that the forces are those of viscous.cl at some velocity and conserve momentum, however many
// rounds were made. Without any round it is the explicit step.
#include "boundary/stick.h"
#include "device/kernel.h"
#include "particles/matter.h"
#include "solver/cg_sums.h"

#define viscous_guess_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, acceleration)                                                                \
	IN(uint, reached)                                                                          \
	IN(float, nozzle)                                                                          \
	IN(float, viscosity)                                                                       \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, drag)                                                                        \
	OUT(oz_float4, delta_v)                                                                    \
	OUT(oz_float4, residual) OUT(oz_float4, direction) VAL(float, kick) VAL(uint, nozzles)
OZ_ARGS(viscous_guess)

// Writes the first guess: the viscous acceleration of the last step once more. A particle in a
// nozzle keeps its velocity.
OZ_FN void viscous_guess_at(const viscous_guess_args *a, uint i)
{
	const oz_float4 v = a->velocity[i], f = a->acceleration[i], q = a->drag[i];
	const bool led = a->nozzles && a->nozzle[i] > 0.0f, near = a->reached[i] != 0u;
	oz_vec3 c = oz_scale(oz_v3(f.x + q.x, f.y + q.y, f.z + q.z), a->kick);
	if (led)
		c = oz_v3(0.0f, 0.0f, 0.0f);
	a->delta_v[i] = oz_make4(c.x, c.y, c.z, 1.0f);
	a->direction[i] = oz_make4(v.x + c.x, v.y + c.y, v.z + c.z, a->viscosity[i]);
	a->residual[i] =
	        oz_make4(0.0f, 0.0f, 0.0f, near && !led ? a->matter[a->material[i]].density : 0.0f);
}

#define viscous_residual_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_float4, image)                                                                       \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, moment)                                                                      \
	IN(float, spring)                                                                          \
	IN(float, dashpot)                                                                         \
	OUT(oz_float4, delta_v)                                                                    \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, direction)                                                                  \
	OUT(oz_float4, groups)                                                                     \
	VAL(uint, first) VAL(float, kick) VAL(uint, touched) VAL(float, still2)
OZ_ARGS(viscous_residual)
OZ_REDUCE(viscous_residual, oz_float4, cg_plus, groups, first)

// The first residual, preconditioner and search direction. Sums x and y as in cg_sums.h; z: the
// squares of the changes of velocity by other forces, and still2; w: those of velocities.
OZ_FN oz_float4 viscous_residual_at(const viscous_residual_args *a, uint i)
{
	const oz_float4 q = a->image[i], f = a->acceleration[i], c = a->delta_v[i];
	const oz_float4 u = a->direction[i];
	const float mass = a->residual[i].w, k = a->kick;
	if (!(mass > 0.0f)) {
		a->direction[i] = oz_make4(0.0f, 0.0f, 0.0f, u.w);
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	}
	const float spring = a->spring[i] + (a->touched ? a->dashpot[i] : 0.0f);
	const float alone = 1.0f / (1.0f + k * a->moment[i].w * spring);
	const oz_float4 r =
	        oz_make4(k * (f.x + q.x) - c.x, k * (f.y + q.y) - c.y, k * (f.z + q.z) - c.z, mass);
	const float size = mass * cg_dot(r, r);
	a->residual[i] = r;
	a->delta_v[i] = oz_make4(c.x, c.y, c.z, alone);
	a->direction[i] = oz_make4(alone * r.x, alone * r.y, alone * r.z, u.w);
	return oz_make4(alone * size, size, mass * (k * k * cg_dot(f, f) + a->still2),
	                mass * cg_dot(u, u));
}

#define viscous_result_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, velocity) IN(oz_float4, delta_v) OUT(oz_float4, direction)
OZ_ARGS(viscous_result)

// writes the velocities u into `direction`; w: the viscosity
OZ_FN void viscous_result_at(const viscous_result_args *a, uint i)
{
	const oz_float4 v = a->velocity[i], c = a->delta_v[i];
	a->direction[i] = oz_make4(v.x + c.x, v.y + c.y, v.z + c.z, a->direction[i].w);
}

#define viscous_finish_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, delta_v)                                                                     \
	IN(oz_float4, residual)                                                                    \
	OUT(oz_float4, acceleration) OUT(oz_float4, drag) VAL(float, kick)
OZ_ARGS(viscous_finish)

// Writes the accelerations, and the viscous part of them into `drag`. That is without r: the next
// guess then is as smooth as u, while v + k a has the noise r, which is small, but K r is not.
OZ_FN void viscous_finish_at(const viscous_finish_args *a, uint i)
{
	const oz_float4 c = a->delta_v[i], r = a->residual[i], f = a->acceleration[i];
	const float k = 1.0f / a->kick;
	oz_vec3 drag = oz_v3(0.0f, 0.0f, 0.0f);
	if (r.w > 0.0f) {
		a->acceleration[i] =
		        oz_make4(k * (c.x + r.x), k * (c.y + r.y), k * (c.z + r.z), f.w);
		drag = oz_v3(k * c.x - f.x, k * c.y - f.y, k * c.z - f.z);
	}
	a->drag[i] = oz_make4(drag.x, drag.y, drag.z, a->drag[i].w);
}

#define viscous_load_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, row_x)                                                                       \
	IN(oz_float4, row_y)                                                                       \
	IN(oz_float4, row_z)                                                                       \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, hold)                                                                        \
	IN(oz_float4, direction)                                                                   \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	OUT(oz_reaction, reactions)                                                                \
	VAL(oz_wall_rules, rules) VAL(float, kick) VAL(float, dt) VAL(float, quanta)
OZ_ARGS(viscous_load)

// Adds the viscous forces on colliders to their loads. `direction`: the velocities u; the rows hold
// the columns of Q of them.
OZ_FN void viscous_load_at(const viscous_load_args *a, uint i)
{
	const oz_float4 p = a->spot[i], u = a->direction[i];
	const oz_float4 x = a->row_x[i], y = a->row_y[i], z = a->row_z[i];
	if (!(a->hold[i].w > 0.0f))
		return;
	const oz_vec3 at = oz_v3(p.x, p.y, p.z);
	oz_mover m;
	m.quanta = a->quanta;
	m.slot = i / 64u % OZ_REACTION_SLOTS;
	m.dt = a->dt;
	oz_walls w;
	w.colliders = a->collider;
	w.places = a->places;
	w.nearest = a->nearest;
	w.reactions = a->reactions;
	for (uint k = 0; k < a->rules.colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		if (c->load == 0u)
			continue;
		const oz_sticks all = oz_sticks_of(&w, &a->rules, c, at, a->dt);
		for (uint n = 0; n < all.count; n++) {
			const oz_stick t = all.stick[n];
			const oz_vec3 bent = oz_v3(x.x * t.way.x + y.x * t.way.y + z.x * t.way.z,
			                           x.y * t.way.x + y.y * t.way.y + z.y * t.way.z,
			                           x.z * t.way.x + y.z * t.way.y + z.z * t.way.z);
			const oz_vec3 past = oz_sub(t.velocity, oz_v3(u.x, u.y, u.z));
			const oz_vec3 force = oz_scale(oz_mad(bent, past, p.w), t.weight);
			oz_wall_add_load(&w, c, oz_add(at, t.way), oz_scale(force, a->kick), &m);
		}
	}
}

// ---- bodies ------------------------------------------------------------------------------------

// What binds a particle to its body, elastic forces and rigid motion, acts after this stage.
// Without it, a particle of the surface would follow the fluid within the step, and the fluid would
// slip. So the acceleration by it in the last step counts as one of a0, and is taken away at the
// end.

#define viscous_bind_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, bound)                                                                       \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, shapeless) IN(uint, reached) OUT(oz_float4, acceleration)
OZ_ARGS(viscous_bind)

// adds `bound` to the accelerations of particles near thick fluids
OZ_FN void viscous_bind_at(const viscous_bind_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_float4 b = a->bound[i], f = a->acceleration[p];
	if (a->reached[p] && !a->shapeless[i])
		a->acceleration[p] = oz_make4(f.x + b.x, f.y + b.y, f.z + b.z, f.w);
}

#define viscous_unbind_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, shapeless) IN(uint, reached) OUT(oz_float4, acceleration) OUT(oz_float4, bound)
OZ_ARGS(viscous_unbind)

// subtracts it again, and writes the negative acceleration so far into `bound`
OZ_FN void viscous_unbind_at(const viscous_unbind_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_float4 b = a->bound[i];
	oz_float4 f = a->acceleration[p];
	if (a->reached[p] && !a->shapeless[i])
		f = oz_make4(f.x - b.x, f.y - b.y, f.z - b.z, f.w);
	a->acceleration[p] = f;
	a->bound[i] = oz_make4(-f.x, -f.y, -f.z, 0.0f);
}

#define viscous_bound_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, shapeless) IN(oz_float4, acceleration) OUT(oz_float4, bound)
OZ_ARGS(viscous_bound)

// adds the acceleration at the end of the step: the difference is `bound`
OZ_FN void viscous_bound_at(const viscous_bound_args *a, uint i)
{
	const oz_float4 f = a->acceleration[a->particle_of_slot[i]], b = a->bound[i];
	const float on = a->shapeless[i] ? 0.0f : 1.0f;
	a->bound[i] = oz_make4(on * (f.x + b.x), on * (f.y + b.y), on * (f.z + b.z), 0.0f);
}

#define viscous_solve_KERNELS(X)                                                                   \
	X(viscous_guess, EACH)                                                                     \
	X(viscous_residual, REDUCE)                                                                \
	X(viscous_result, EACH)                                                                    \
	X(viscous_finish, EACH)                                                                    \
	X(viscous_load, EACH)                                                                      \
	X(viscous_bind, EACH)                                                                      \
	X(viscous_unbind, EACH)                                                                    \
	X(viscous_bound, EACH)
OZ_KERNELS(viscous_solve_KERNELS)
