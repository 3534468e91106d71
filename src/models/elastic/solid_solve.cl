// solid_solve.cl: what holds solids, and the step solved for its end.
//
// With a0 all accelerations at the beginning of the step, K the stiffness over the mass, k the time
// that velocities are kicked for and Δt the step, the velocity u at its end solves
//
//   (1 + k Δt K) u = v + k a0
//
// by conjugate gradients, in the inner product that masses weigh, in which the matrix is symmetric.
// They begin where the changes of velocity of the last two steps lead, and are preconditioned by
// what stands in the matrix for a slot alone. K p comes from the kernels of solid.cl. Slots that a
// handle holds, and those of explicit solids, have their velocity and a mass of nothing.
#include "device/kernel.h"
#include "geometry/shape.h"
#include "models/elastic/grip.h"
#include "particles/matter.h"

// ---- handles -----------------------------------------------------------------------------------

// Adds the elastic acceleration of explicit solids; a handle overrides it. An implicit step needs
// the forces from outside later.
#define solid_apply_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, push)                                                                        \
	IN(oz_float4, hold)                                                                        \
	IN(oz_grip, grips)                                                                         \
	IN(uint, where)                                                                            \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, stiff)                                                                       \
	OUT(oz_float4, outer)                                                                      \
	OUT(oz_float4, acceleration) VAL(float, kick) VAL(float, dt) VAL(uint, keeps_outer)
OZ_KERNEL(solid_apply)
{
	const uint p = a->where[i];
	const oz_float4 f = a->push[i], hold = a->hold[i], v = a->velocity[p];
	const oz_float4 own = a->acceleration[p];
	if (a->keeps_outer)
		a->outer[i] = own;
	oz_vec3 sum = oz_v3(own.x + f.x, own.y + f.y, own.z + f.z);
	if (oz_grip_holds(a->grips, hold)) {
		const oz_vec3 u = oz_grip_speed(a->grips, hold, a->position[p], a->dt);
		sum = oz_scale(oz_sub(u, oz_v3(v.x, v.y, v.z)), 1.0f / a->kick);
	}
	a->acceleration[p] = oz_make4(sum.x, sum.y, sum.z, 0.0f);
}

// where a handle takes hold of particles; counts them
#define solid_grasp_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_grip, grips)                                                                         \
	IN(uint, where)                                                                            \
	IN(uint, fresh)                                                                            \
	IN(uint, body)                                                                             \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) OUT(oz_float4, hold) OUT(uint, count) VAL(oz_grasp, grasp)
OZ_KERNEL(solid_grasp)
{
	const uint p = a->where[i];
	const oz_float4 x = a->position[p];
	if (!a->matter[a->material[p]].firm || a->fresh[i] || oz_grip_holds(a->grips, a->hold[i]) ||
	    (a->grasp.body != OZ_ANY_BODY && a->body[p] != a->grasp.body))
		return;
	const oz_vec3 inside = oz_quat_rotate(oz_quat_conjugate(a->grasp.turn),
	                                      oz_sub(oz_v3(x.x, x.y, x.z), a->grasp.place));
	if (oz_local_distance(a->grasp.kind, a->grasp.size, inside) > 0.0f)
		return;
	a->hold[i] = oz_make4(inside.x, inside.y, inside.z, (float)a->grasp.number);
	oz_atomic_add(a->count, 1u);
}

// ---- conjugate gradients -----------------------------------------------------------------------

#define OZ_SOLID_GUESSED 1e-5f

#define solid_guess_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, hold)                                                                        \
	IN(oz_grip, grips)                                                                         \
	IN(oz_float4, stiff)                                                                       \
	IN(oz_float4, lean)                                                                        \
	IN(uint, where)                                                                            \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(float, spring)                                                                          \
	OUT(oz_float4, change)                                                                     \
	OUT(oz_float4, earlier)                                                                    \
	OUT(oz_float4, owed) OUT(oz_float4, probe) VAL(float, dt) VAL(float, span)
OZ_KERNEL(solid_guess)
{
	const uint p = a->where[i];
	const oz_float4 hold = a->hold[i], stiff = a->stiff[i], v = a->velocity[p];
	const bool solved = (oz_bits_of_float(stiff.w) & OZ_FIRM_IMPLICIT) != 0u;
	const bool held = oz_grip_holds(a->grips, hold);
	const oz_float4 last = a->change[i], old = a->earlier[i];
	const float alone = 1.0f / (1.0f + a->span * a->lean[i].w * a->spring[i]);
	oz_vec3 u = oz_v3(v.x, v.y, v.z);
	if (held)
		u = oz_grip_speed(a->grips, hold, a->position[p], a->dt);
	// where stiffness is beyond what floats resolve, a guess does more harm than good
	else if (solved && alone > OZ_SOLID_GUESSED)
		u = oz_v3(v.x + 2.0f * last.x - old.x, v.y + 2.0f * last.y - old.y,
		          v.z + 2.0f * last.z - old.z);
	a->earlier[i] = last;
	// w: what a residual is multiplied with
	a->change[i] = oz_make4(u.x - v.x, u.y - v.y, u.z - v.z, alone);
	a->probe[i] = oz_make4(u.x, u.y, u.z, a->lean[i].w * stiff.z);
	a->owed[i] = oz_make4(0.0f, 0.0f, 0.0f,
	                      solved && !held ? a->matter[a->material[p]].density : 0.0f);
}

// What the solver sums, with masses: x r·z, z the residual r with its preconditioner, y r·r; what
// else is told where it is made.
OZ_FN oz_float4 solid_plus(oz_float4 a, oz_float4 b)
{
	return oz_make4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

OZ_FN float solid_dot(oz_float4 a, oz_float4 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// z: the guess, squared
#define solid_residual_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, push)                                                                        \
	IN(uint, where)                                                                            \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, change)                                                                      \
	OUT(oz_float4, owed)                                                                       \
	OUT(oz_float4, probe)                                                                      \
	OUT(oz_float4, out) VAL(uint, items) VAL(uint, to) VAL(float, kick) VAL(float, span)
OZ_REDUCE_KERNEL(solid_residual, oz_float4, solid_plus)
{
	const oz_float4 f = a->push[i], own = a->acceleration[a->where[i]], c = a->change[i];
	const float mass = a->owed[i].w, on = mass > 0.0f ? 1.0f : 0.0f;
	const float x = on * (a->kick * own.x + a->span * f.x - c.x);
	const float y = on * (a->kick * own.y + a->span * f.y - c.y);
	const float z = on * (a->kick * own.z + a->span * f.z - c.z);
	const oz_float4 r = oz_make4(x, y, z, mass);
	const float size = mass * solid_dot(r, r);
	a->owed[i] = r;
	a->probe[i] = oz_make4(c.w * x, c.w * y, c.w * z, a->probe[i].w);
	return oz_make4(c.w * size, size, mass * solid_dot(c, c), 0.0f);
}

// x: p·(1 + k Δt K) p; push is - K p
#define solid_energy_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, owed)                                                                        \
	IN(oz_float4, probe)                                                                       \
	IN(oz_float4, push) OUT(oz_float4, out) VAL(uint, items) VAL(uint, to) VAL(float, span)
OZ_REDUCE_KERNEL(solid_energy, oz_float4, solid_plus)
{
	const oz_float4 p = a->probe[i];
	const float energy = solid_dot(p, p) - a->span * solid_dot(p, a->push[i]);
	return oz_make4(a->owed[i].w * energy, 0.0f, 0.0f, 0.0f);
}

// out and in are the same buffer
#define solid_join_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, in) OUT(oz_float4, out) VAL(uint, from) VAL(uint, items) VAL(uint, to)
OZ_REDUCE_KERNEL(solid_join, oz_float4, solid_plus)
{
	return a->in[a->from + i];
}

#define solid_advance_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, sums)                                                                        \
	IN(oz_float4, probe)                                                                       \
	IN(oz_float4, push)                                                                        \
	OUT(oz_float4, change)                                                                     \
	OUT(oz_float4, owed)                                                                       \
	OUT(oz_float4, out)                                                                        \
	VAL(uint, items) VAL(uint, to) VAL(float, span) VAL(uint, norm) VAL(uint, energy)
OZ_REDUCE_KERNEL(solid_advance, oz_float4, solid_plus)
{
	const float energy = a->sums[a->energy].x;
	const float step = energy > 0.0f ? a->sums[a->norm].x / energy : 0.0f;
	const oz_float4 p = a->probe[i], q = a->push[i], c = a->change[i];
	oz_float4 r = a->owed[i];
	if (!(r.w > 0.0f))
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	a->change[i] = oz_make4(c.x + step * p.x, c.y + step * p.y, c.z + step * p.z, c.w);
	r = oz_make4(r.x - step * (p.x - a->span * q.x), r.y - step * (p.y - a->span * q.y),
	             r.z - step * (p.z - a->span * q.z), r.w);
	const float size = r.w * solid_dot(r, r);
	a->owed[i] = r;
	return oz_make4(c.w * size, size, 0.0f, 0.0f);
}

#define solid_aim_ARGS(IN, OUT, VAL)                                                               \
	IN(oz_float4, sums)                                                                        \
	IN(oz_float4, owed)                                                                        \
	IN(oz_float4, change) OUT(oz_float4, probe) VAL(uint, norm) VAL(uint, before)
OZ_KERNEL(solid_aim)
{
	const float before = a->sums[a->before].x;
	const float keep = before > 0.0f ? a->sums[a->norm].x / before : 0.0f;
	const oz_float4 r = a->owed[i], p = a->probe[i];
	const float z = a->change[i].w;
	if (r.w > 0.0f)
		a->probe[i] = oz_make4(z * r.x + keep * p.x, z * r.y + keep * p.y,
		                       z * r.z + keep * p.z, p.w);
	else
		a->probe[i] = oz_make4(0.0f, 0.0f, 0.0f, p.w);
}

#define solid_finish_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, change)                                                                      \
	IN(oz_float4, stiff) IN(uint, where) OUT(oz_float4, acceleration) VAL(float, kick)
OZ_KERNEL(solid_finish)
{
	const oz_float4 c = a->change[i];
	const uint p = a->where[i];
	const float k = 1.0f / a->kick;
	if (oz_bits_of_float(a->stiff[i].w) & OZ_FIRM_IMPLICIT)
		a->acceleration[p] = oz_make4(k * c.x, k * c.y, k * c.z, a->acceleration[p].w);
}

// ---- the quickest swing ------------------------------------------------------------------------

// a vector without order to begin with, for those solids that are stepped explicitly
#define solid_shake_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, stiff)                                                                       \
	IN(uint, where)                                                                            \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, probe)                                                                      \
	OUT(oz_float4, owed) OUT(oz_float4, out) VAL(uint, items) VAL(uint, to)
OZ_REDUCE_KERNEL(solid_shake, oz_float4, solid_plus)
{
	const oz_float4 stiff = a->stiff[i];
	const uint bits = oz_bits_of_float(stiff.w);
	const bool counts = (bits & OZ_FIRM) != 0u && (bits & OZ_FIRM_IMPLICIT) == 0u;
	const uint h = i * 2654435761u, g = (h ^ h >> 15) * 2246822519u;
	const float x = (float)(g & 1023u) - 511.5f, y = (float)(g >> 10 & 1023u) - 511.5f;
	const float z = (float)(g >> 20 & 1023u) - 511.5f, on = counts ? 1.0f : 0.0f;
	const oz_float4 r =
	        oz_make4(on * x, on * y, on * z, on * a->matter[a->material[a->where[i]]].density);
	a->probe[i] = oz_make4(r.x, r.y, r.z, stiff.z);
	a->owed[i] = r;
	return oz_make4(0.0f, r.w * solid_dot(r, r), 0.0f, 0.0f);
}

// the vector to ask about next: the last image, made as long as 1
#define solid_again_ARGS(IN, OUT, VAL) IN(oz_float4, owed) OUT(oz_float4, probe) VAL(float, scale)
OZ_KERNEL(solid_again)
{
	const oz_float4 r = a->owed[i];
	const float s = r.w > 0.0f ? a->scale : 0.0f;
	a->probe[i] = oz_make4(s * r.x, s * r.y, s * r.z, a->probe[i].w);
}

// in units that floats can square
#define solid_image_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, push)                                                                        \
	OUT(oz_float4, owed)                                                                       \
	OUT(oz_float4, out) VAL(uint, items) VAL(uint, to) VAL(float, unit)
OZ_REDUCE_KERNEL(solid_image, oz_float4, solid_plus)
{
	const oz_float4 f = a->push[i];
	const float s = 1.0f / a->unit;
	const oz_float4 r = oz_make4(s * f.x, s * f.y, s * f.z, a->owed[i].w);
	a->owed[i] = r;
	return oz_make4(0.0f, r.w * solid_dot(r, r), 0.0f, 0.0f);
}
