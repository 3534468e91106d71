// incompressible_shift.cl: the kernels of a world with `divergence_error`, between those of
// incompressible.cl.
//
// The pressure P is solved for such that velocities compress nothing further,
//
//   Δt J (v + k (a_other + a(P))) ≤ g,   P ≥ 0, and one of them with equality,
//
// g ≥ 0 being the part of a gap, D < 1, that may close in this step. What is compressed, D > 1, and
// the errors that were left, are then undone by a second pressure Q ≥ 0 that moves fluid and
// changes no velocity (Hu & Adams 2007, for two half steps there):
//
//   x → x + Δt k a(Q),   D - 1 + Δt J (v + k (a_other + a(P) + a(Q))) ≤ 0
//
// So the velocity by which particles part is not left for the next step, which would have to stop
// it. Bodies with a rest shape are not moved so: what compresses them is in the first equation.
//
// Two particles that are moved apart along x_ij would have more angular momentum than before. So
// the velocity with which they rotate about each other falls by the share by which their distance
// grows,
//
//   v_i → v_i - Σ_j c_ij u_ij,   u_ij the part of v_i - v_j normal to x_ij,
//
// c_ij x_ij being the part of j in Δt k a(Q)_i. That keeps linear and angular momentum, to second
// order of c, and adds no energy, as Q ≥ 0.
#include "contact/contact_key.h"
#include "device/kernel.h"
#include "math/sph.h"
#include "math/vec.h"
#include "particles/matter.h"

#define press_part_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, slot)                                                                             \
	OUT(float, excess)                                                                         \
	OUT(float, slack) OUT(float, rest) VAL(uint, slots) VAL(float, closed)
OZ_ARGS(press_part)

#define OZ_GAP_FREE 0.02f // gap that closes in one step; of a smaller one a step closes a part

// Leaves g of a fluid in `excess` and puts what is compressed into `rest`. `closed`: the share of a
// small gap that a step may close. A gap of an error of 0.01 % that closed in one step would let
// the pressure fall as much as such a compression raises it.
OZ_FN void press_part_at(const press_part_args *a, uint i)
{
	const float e = a->excess[i];
	const bool fluid = !a->slots || a->slot[i] >= a->slots;
	const float gap = oz_max(-e, 0.0f), share = oz_min(a->closed + gap / OZ_GAP_FREE, 1.0f);
	a->rest[i] = fluid ? oz_max(e, 0.0f) : 0.0f;
	if (!fluid)
		return;
	a->excess[i] = -gap * share;
	// the part of the gap that is no stretch
	a->slack[i] = oz_max(a->slack[i] - gap * (1.0f - share), 0.0f);
}

#define press_split_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(float, error)                                                                           \
	IN(float, rest)                                                                            \
	IN(oz_float4, press)                                                                       \
	OUT(oz_float4, guess)                                                                      \
	OUT(oz_float4, trial)                                                                      \
	OUT(float, start)                                                                          \
	OUT(float, change)                                                                         \
	OUT(float, before)                                                                         \
	OUT(float, source) OUT(float, bound) OUT(float, most) OUT(float, slack) VAL(float, kick)
OZ_ARGS(press_split)

// Begins the second solution: x is Q, and its bounds are such that P does not change. The guess
// becomes the velocity at the end of the step. `kick` is 0 if P has not changed.
OZ_FN void press_split_at(const press_split_args *a, uint i)
{
	const float P = a->position[i].w;
	const oz_float4 v = a->guess[i], f = a->press[i];
	if (a->kick > 0.0f)
		a->guess[i] = oz_make4(v.x + a->kick * f.x, v.y + a->kick * f.y,
		                       v.z + a->kick * f.z, v.w);
	a->source[i] = a->error[i] + a->rest[i];
	a->trial[i].w = 0.0f;
	a->start[i] = P;
	a->change[i] = 0.0f;
	a->before[i] = 0.0f;
	a->bound[i] = P;
	a->most[i] += oz_max(P, 0.0f);
	a->slack[i] = 0.0f;
}

#define press_still_ARGS(IN, OUT, VAL) IN(uint, particle_of_slot) OUT(oz_float4, press)
OZ_ARGS(press_still)

// Q does not move particles with a rest shape; item: a slot
OZ_FN void press_still_at(const press_still_args *a, uint i)
{
	a->press[a->particle_of_slot[i]] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
}

#define OZ_SAME_PLACE 1e-20f // m², where two particles have no direction

#define press_turn_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(uint, plain)                                                                            \
	IN(float, kept)                                                                            \
	OUT(oz_float4, acceleration) VAL(float, volume) VAL(uint, plain_only) VAL(float, dt)
#define press_turn_NEAR(PLACE, ALSO, CASE) ALSO(trial) ALSO(guess)

typedef struct press_turn_sum {
	quad p, v, sum[OZ_QUAD_SUMS];
	float Q;
} press_turn_sum;

OZ_KEPT_ARGS(press_turn)

// adds - Σ c_ij u_ij/k to the acceleration of a plain particle
OZ_FN void press_turn_begin(const press_turn_args *a, uint i, press_turn_sum *s)
{
	s->p = quad_load(&a->trial[i]);
	s->v = quad_load(&a->guess[i]);
	s->Q = a->trial[i].w;
	quad_clear(s->sum);
}

OZ_FN void press_turn_pair(press_turn_sum *s, const press_turn_near *j, float kept, int part)
{
	const quad x = s->p - j->trial, v = s->v - j->guess, vx = v * x, xx = x * x;
	const quad along = quad_all(vx, 0) + quad_all(vx, 1) + quad_all(vx, 2);
	const quad r2 = quad_all(xx, 0) + quad_all(xx, 1) + quad_all(xx, 2) + OZ_SAME_PLACE;
	s->sum[part] += (kept * (s->Q + quad_all(j->trial, 3))) * (v - x * (along / r2));
}

OZ_FN void press_turn_end(const press_turn_args *a, uint i, press_turn_sum *s)
{
	const oz_float4 f = a->acceleration[i], sum = quad_sum(s->sum);
	const float share = a->dt * a->volume * a->guess[i].w;
	if (a->plain_only && !a->plain[i])
		return;
	a->acceleration[i] =
	        oz_make4(f.x + share * sum.x, f.y + share * sum.y, f.z + share * sum.z, f.w);
}

#define contact_turn_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, contact_key)                                                                 \
	IN(uint, plain)                                                                            \
	OUT(oz_float4, acceleration) VAL(oz_fluid, fluid) VAL(uint, has_plain) VAL(float, dt)
#define contact_turn_NEAR(PLACE, ALSO, CASE)                                                       \
	PLACE(trial) ALSO(guess) ALSO(contact_key) CASE(fluid.smoothing)

typedef struct contact_turn_sum {
	oz_float4 p, v;
	lane x, y, z;
	uint bits;
} contact_turn_sum;

OZ_PAIR_ARGS(contact_turn)

// the same for fluid that is not plain; bodies with a rest shape have no part in it
OZ_FN void contact_turn_begin(const contact_turn_args *a, uint i, contact_turn_sum *s)
{
	s->p = a->trial[i];
	s->v = a->guess[i];
	s->bits = oz_bits_of_float(a->contact_key[i].w);
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void contact_turn_pair(const contact_turn_args *a, contact_turn_sum *s,
                             const contact_turn_near *j)
{
	const lane x = s->p.x - j->trial.x, y = s->p.y - j->trial.y, z = s->p.z - j->trial.z;
	const lane r2 = x * x + y * y + z * z;
	const lane_mask fluid = oz_lane_bits(j->contact_key.w) == (int)OZ_KEY_FLUID;
	const lane c = lane_select(fluid,
	                           (s->p.w + j->trial.w) *
	                                   oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h),
	                           lane_of(0.0f));
	const lane vx = s->v.x - j->guess.x, vy = s->v.y - j->guess.y, vz = s->v.z - j->guess.z;
	const lane along = (vx * x + vy * y + vz * z) / (r2 + OZ_SAME_PLACE);
	s->x += c * (vx - along * x);
	s->y += c * (vy - along * y);
	s->z += c * (vz - along * z);
}

OZ_FN void contact_turn_end(const contact_turn_args *a, uint i, contact_turn_sum *s)
{
	const oz_float4 f = a->acceleration[i];
	const float share = a->dt * a->fluid.volume * a->guess[i].w;
	const float x = share * lane_sum(s->x), y = share * lane_sum(s->y),
	            z = share * lane_sum(s->z);
	if ((a->has_plain && a->plain[i]) || s->bits != OZ_KEY_FLUID)
		return;
	a->acceleration[i] = oz_make4(f.x + x, f.y + y, f.z + z, f.w);
}

#define press_shift_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, press)                                                                       \
	OUT(oz_float4, position) OUT(float, wall_clearance) VAL(float, span) VAL(float, longest)
OZ_ARGS(press_shift)

// moves particle i by Δt k a(Q), at most by `longest` and its clearance
OZ_FN void press_shift_at(const press_shift_args *a, uint i)
{
	const oz_float4 f = a->press[i], x = a->position[i];
	const oz_vec3 way = oz_scale(oz_v3(f.x, f.y, f.z), a->span);
	const float clearance = a->wall_clearance[i], length = oz_length(way);
	const float most = oz_min(a->longest, oz_max(clearance, 0.0f));
	const float share = length > most ? most / length : 1.0f;
	if (!(length > 0.0f))
		return;
	a->position[i] =
	        oz_make4(x.x + share * way.x, x.y + share * way.y, x.z + share * way.z, x.w);
	a->wall_clearance[i] = clearance - share * length;
}

#define incompressible_shift_KERNELS(X)                                                            \
	X(press_part, EACH)                                                                        \
	X(press_split, EACH)                                                                       \
	X(press_still, EACH)                                                                       \
	X(press_turn, PAIRS_KEPT)                                                                  \
	X(contact_turn, PAIRS_MARKED)                                                              \
	X(press_shift, EACH)
OZ_KERNELS(incompressible_shift_KERNELS)
