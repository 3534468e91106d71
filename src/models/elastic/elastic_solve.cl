// elastic_solve.cl: handles, the implicit step, and the highest frequency of explicit bodies.
//
// An implicit step is that of backward differences of second order (BDF2), for positions and
// velocities. With f(n+1) the elastic acceleration at the end of the step, it moves particles by
//
//   g(n) = 4/9 f(n+1) + 2/3 g(n-1) - 1/9 g(n-2).
//
// It is stable for steps of any length and stops motion whose period is far shorter than a step. Of
// a swing of 63 steps it takes 0.16 % in a period, where f(n+1) alone would take 27 %. With K the
// stiffness over the mass, k the time over which accelerations act on velocities (oz_kick) and Δt
// the time step, f(n+1) is f(n) - Δt K u, u the velocity at the end of the step, and u solves
//
//   (1 + 4/9 k Δt K) u = v + k a
//
// with a all other accelerations and the known part of g(n), by conjugate gradients (cg.cl).
// The inner product is weighted by mass, which makes the matrix symmetric. The first guess
// extrapolates the changes of velocity of the last two steps. The preconditioner is the diagonal of
// the matrix. In an incompressible world pressures are found later, with this matrix
// (press.c). The kernels of elastic.cl compute K p. Slots that a handle holds and slots of explicit
// bodies have a prescribed velocity and a mass of 0.
#include "device/kernel.h"
#include "geometry/shape.h"
#include "models/elastic/grip.h"
#include "particles/matter.h"
#include "solver/cg_sums.h"

// ---- handles -----------------------------------------------------------------------------------

#define elastic_apply_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, elastic_acceleration)                                                        \
	IN(oz_float4, hold)                                                                        \
	IN(oz_grip, grips)                                                                         \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, stiff)                                                                       \
	IN(oz_float4, rotation)                                                                    \
	IN(oz_float4, last)                                                                        \
	IN(oz_float4, earlier)                                                                     \
	OUT(oz_float4, outer)                                                                      \
	OUT(oz_float4, acceleration)                                                               \
	VAL(float, kick) VAL(float, dt) VAL(float, past) VAL(uint, keeps_outer)
OZ_ARGS(elastic_apply)

// The known part of g(n), from f(n), g(n-1) and g(n-2); these are 0 if there was no such step.
// `past`: 1 for steps of one length, see oz_elastic_past. Earlier ones are kept in the frame that
// rotates with the particle: else the large forces that hold a stiff rod's length would push it
// sideways when it has turned.
OZ_FN oz_vec3 elastic_known_part(oz_float4 f, oz_vec3 last, oz_vec3 earlier, float past)
{
	const float one = 6.0f / 9.0f * past, two = -1.0f / 9.0f * past;
	const oz_vec3 now = oz_scale(oz_v3(f.x, f.y, f.z), 1.0f - one - two);
	return oz_mad(oz_mad(now, last, one), earlier, two);
}

OZ_FN oz_vec3 elastic_to_world(oz_float4 rotation, oz_float4 v)
{
	return oz_quat_rotate(oz_quat_of(rotation.x, rotation.y, rotation.z, rotation.w),
	                      oz_v3(v.x, v.y, v.z));
}

// Adds the elastic acceleration; of an implicit body the known part of g(n). For a held particle,
// writes the acceleration that gives it the velocity of its handle. `keeps_outer`: there are
// implicit bodies; first copies the acceleration without elasticity to `outer`; elastic_drift reads
// it after an implicit step.
OZ_FN void elastic_apply_at(const elastic_apply_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_float4 f = a->elastic_acceleration[i], hold = a->hold[i], v = a->velocity[p];
	const oz_float4 own = a->acceleration[p];
	oz_vec3 sum = oz_v3(own.x + f.x, own.y + f.y, own.z + f.z);
	if (a->keeps_outer) {
		a->outer[i] = own;
		if (oz_bits_of_float(a->stiff[i].w) & OZ_FIRM_IMPLICIT)
			sum = oz_add(oz_v3(own.x, own.y, own.z),
			             elastic_known_part(f,
			                                elastic_to_world(a->rotation[i],
			                                                 a->last[i]),
			                                elastic_to_world(a->rotation[i],
			                                                 a->earlier[i]),
			                                a->past));
	}
	if (oz_grip_holds(a->grips, hold)) {
		const oz_vec3 u = oz_grip_speed(a->grips, hold, a->position[p], a->dt);
		sum = oz_scale(oz_sub(u, oz_v3(v.x, v.y, v.z)), 1.0f / a->kick);
	}
	a->acceleration[p] = oz_make4(sum.x, sum.y, sum.z, 0.0f);
}

#define elastic_fix_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, hold) IN(oz_grip, grips) IN(uint, particle_of_slot) OUT(oz_float4, guess)
OZ_ARGS(elastic_fix)

// sets the mobility of held particles to 0
OZ_FN void elastic_fix_at(const elastic_fix_args *a, uint i)
{
	if (oz_grip_holds(a->grips, a->hold[i]))
		a->guess[a->particle_of_slot[i]].w = 0.0f;
}

#define elastic_let_go_ARGS(IN, OUT, VAL) OUT(oz_float4, hold) VAL(uint, number)
OZ_ARGS(elastic_let_go)

// frees the slots of one handle; `number` is from 1 on
OZ_FN void elastic_let_go_at(const elastic_let_go_args *a, uint i)
{
	if (a->hold[i].w == (float)a->number)
		a->hold[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
}

#define elastic_grasp_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_grip, grips)                                                                         \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, shapeless)                                                                        \
	IN(uint, body)                                                                             \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) OUT(oz_float4, hold) OUT(uint, count) VAL(oz_grasp, grasp)
OZ_ARGS(elastic_grasp)

// Writes `hold` of the free elastic particles inside a new handle, and counts them.
OZ_FN void elastic_grasp_at(const elastic_grasp_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_float4 x = a->position[p];
	if (!(a->matter[a->material[p]].firm & OZ_FIRM) || a->shapeless[i] ||
	    oz_grip_holds(a->grips, a->hold[i]) ||
	    (a->grasp.body != OZ_ANY_BODY && a->body[p] != a->grasp.body))
		return;
	const oz_vec3 inside = oz_quat_rotate(oz_quat_conjugate(a->grasp.rotation),
	                                      oz_sub(oz_v3(x.x, x.y, x.z), a->grasp.place));
	if (oz_local_distance(a->grasp.kind, a->grasp.size, inside) > 0.0f)
		return;
	a->hold[i] = oz_make4(inside.x, inside.y, inside.z, (float)a->grasp.number);
	oz_atomic_add(a->count, 1u);
}

// ---- conjugate gradients -----------------------------------------------------------------------

#define OZ_ELASTIC_GUESSED 1e-5f // least inverse diagonal with which a guess is used

#define elastic_guess_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, hold)                                                                        \
	IN(oz_grip, grips)                                                                         \
	IN(oz_float4, stiff)                                                                       \
	IN(oz_float4, hourglass_force)                                                             \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(float, spring)                                                                          \
	OUT(oz_float4, delta_v)                                                                    \
	OUT(oz_float4, earlier_delta_v)                                                            \
	OUT(oz_float4, residual) OUT(oz_float4, direction) VAL(float, dt) VAL(float, span)
OZ_ARGS(elastic_guess)

// Writes the first guess of each slot: change of velocity to delta_v, velocity to `direction`; the
// preconditioner to delta_v.w; the density, or 0 if it is not solved for, to residual.w.
OZ_FN void elastic_guess_at(const elastic_guess_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_float4 hold = a->hold[i], stiff = a->stiff[i], v = a->velocity[p];
	const bool solved = (oz_bits_of_float(stiff.w) & OZ_FIRM_IMPLICIT) != 0u;
	const bool held = oz_grip_holds(a->grips, hold);
	const oz_float4 last = a->delta_v[i], old = a->earlier_delta_v[i];
	const float alone = 1.0f / (1.0f + a->span * a->hourglass_force[i].w * a->spring[i]);
	oz_vec3 u = oz_v3(v.x, v.y, v.z);
	if (held)
		u = oz_grip_speed(a->grips, hold, a->position[p], a->dt);
	// if the stiffness is too large for floats, an extrapolated guess makes the residual larger
	else if (solved && alone > OZ_ELASTIC_GUESSED)
		u = oz_v3(v.x + 2.0f * last.x - old.x, v.y + 2.0f * last.y - old.y,
		          v.z + 2.0f * last.z - old.z);
	a->earlier_delta_v[i] = last;
	// w: preconditioner
	a->delta_v[i] = oz_make4(u.x - v.x, u.y - v.y, u.z - v.z, alone);
	a->direction[i] = oz_make4(u.x, u.y, u.z, a->hourglass_force[i].w * stiff.z);
	a->residual[i] = oz_make4(0.0f, 0.0f, 0.0f,
	                          solved && !held ? a->matter[a->material[p]].density : 0.0f);
}

#define elastic_residual_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_float4, elastic_acceleration)                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, delta_v)                                                                     \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, direction)                                                                  \
	OUT(oz_float4, groups) VAL(uint, first) VAL(float, kick) VAL(float, span)
OZ_ARGS(elastic_residual)
OZ_REDUCE(elastic_residual, oz_float4, cg_plus, groups, first)

// the first residual and search direction; sums x and y as above, z: |guess|²
OZ_FN oz_float4 elastic_residual_at(const elastic_residual_args *a, uint i)
{
	const oz_float4 f = a->elastic_acceleration[i],
	                own = a->acceleration[a->particle_of_slot[i]], c = a->delta_v[i];
	const float mass = a->residual[i].w, on = mass > 0.0f ? 1.0f : 0.0f;
	const float x = on * (a->kick * own.x + a->span * f.x - c.x);
	const float y = on * (a->kick * own.y + a->span * f.y - c.y);
	const float z = on * (a->kick * own.z + a->span * f.z - c.z);
	const oz_float4 r = oz_make4(x, y, z, mass);
	const float size = mass * cg_dot(r, r);
	a->residual[i] = r;
	a->direction[i] = oz_make4(c.w * x, c.w * y, c.w * z, a->direction[i].w);
	return oz_make4(c.w * size, size, mass * cg_dot(c, c), 0.0f);
}

#define elastic_finish_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, delta_v)                                                                     \
	IN(oz_float4, stiff)                                                                       \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, outer)                                                                       \
	IN(oz_float4, residual)                                                                    \
	IN(oz_float4, rotation)                                                                    \
	OUT(oz_float4, last)                                                                       \
	OUT(oz_float4, earlier) OUT(oz_float4, acceleration) VAL(float, kick)
OZ_ARGS(elastic_finish)

// Writes the accelerations of implicit bodies from delta_v, and g of this step and the last; 0 for
// held particles, which a handle moves.
OZ_FN void elastic_finish_at(const elastic_finish_args *a, uint i)
{
	const oz_float4 c = a->delta_v[i], outer = a->outer[i];
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	const uint p = a->particle_of_slot[i];
	const float k = 1.0f / a->kick;
	const bool implicit = (oz_bits_of_float(a->stiff[i].w) & OZ_FIRM_IMPLICIT) != 0u;
	const bool solved = implicit && a->residual[i].w > 0.0f;
	const oz_vec3 sum = oz_v3(k * c.x, k * c.y, k * c.z);
	a->earlier[i] = solved ? a->last[i] : none;
	const oz_float4 q = a->rotation[i];
	const oz_vec3 g = oz_quat_rotate(oz_quat_conjugate(oz_quat_of(q.x, q.y, q.z, q.w)),
	                                 oz_sub(sum, oz_v3(outer.x, outer.y, outer.z)));
	a->last[i] = solved ? oz_make4(g.x, g.y, g.z, 0.0f) : none;
	if (implicit)
		a->acceleration[p] = oz_make4(sum.x, sum.y, sum.z, a->acceleration[p].w);
}

// ---- power iteration for the highest frequency -------------------------------------------------

#define elastic_random_vector_ARGS(IN, OUT, VAL)                                                   \
	IN(oz_float4, stiff)                                                                       \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, direction)                                                                  \
	OUT(oz_float4, residual) OUT(oz_float4, groups) VAL(uint, first)
OZ_ARGS(elastic_random_vector)
OZ_REDUCE(elastic_random_vector, oz_float4, cg_plus, groups, first)

// the start: a pseudo-random vector for slots of explicit bodies, 0 for others; sum y: its square
OZ_FN oz_float4 elastic_random_vector_at(const elastic_random_vector_args *a, uint i)
{
	const oz_float4 stiff = a->stiff[i];
	const uint bits = oz_bits_of_float(stiff.w);
	const bool counts = (bits & OZ_FIRM) != 0u && (bits & OZ_FIRM_IMPLICIT) == 0u;
	const uint h = i * 2654435761u, g = (h ^ h >> 15) * 2246822519u;
	const float x = (float)(g & 1023u) - 511.5f, y = (float)(g >> 10 & 1023u) - 511.5f;
	const float z = (float)(g >> 20 & 1023u) - 511.5f, on = counts ? 1.0f : 0.0f;
	const oz_float4 r = oz_make4(on * x, on * y, on * z,
	                             on * a->matter[a->material[a->particle_of_slot[i]]].density);
	a->direction[i] = oz_make4(r.x, r.y, r.z, stiff.z);
	a->residual[i] = r;
	return oz_make4(0.0f, r.w * cg_dot(r, r), 0.0f, 0.0f);
}

#define elastic_normalize_ARGS(IN, OUT, VAL)                                                       \
	IN(oz_float4, residual) OUT(oz_float4, direction) VAL(float, scale)
OZ_ARGS(elastic_normalize)

// the next vector: the last image divided by its length
OZ_FN void elastic_normalize_at(const elastic_normalize_args *a, uint i)
{
	const oz_float4 r = a->residual[i];
	const float s = r.w > 0.0f ? a->scale : 0.0f;
	a->direction[i] = oz_make4(s * r.x, s * r.y, s * r.z, a->direction[i].w);
}

#define elastic_image_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, elastic_acceleration)                                                        \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, groups) VAL(uint, first) VAL(float, unit)
OZ_ARGS(elastic_image)
OZ_REDUCE(elastic_image, oz_float4, cg_plus, groups, first)

// the image of the last vector, divided by `unit` so that its square fits a float; sum y: its
// square
OZ_FN oz_float4 elastic_image_at(const elastic_image_args *a, uint i)
{
	const oz_float4 f = a->elastic_acceleration[i];
	const float s = 1.0f / a->unit;
	const oz_float4 r = oz_make4(s * f.x, s * f.y, s * f.z, a->residual[i].w);
	a->residual[i] = r;
	return oz_make4(0.0f, r.w * cg_dot(r, r), 0.0f, 0.0f);
}

#define elastic_solve_KERNELS(X)                                                                   \
	X(elastic_apply, EACH)                                                                     \
	X(elastic_fix, EACH)                                                                       \
	X(elastic_let_go, EACH)                                                                    \
	X(elastic_grasp, EACH)                                                                     \
	X(elastic_guess, EACH)                                                                     \
	X(elastic_residual, REDUCE)                                                                \
	X(elastic_finish, EACH)                                                                    \
	X(elastic_random_vector, REDUCE)                                                           \
	X(elastic_normalize, EACH)                                                                 \
	X(elastic_image, REDUCE)
OZ_KERNELS(elastic_solve_KERNELS)
