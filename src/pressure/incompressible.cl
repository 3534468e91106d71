// incompressible.cl: pressures that keep the volume, solved for in every step.
//
// With D_i the density that must not exceed 1 (δ of a fluid; of a body with a rest shape
// α δ + (1 - α) δc), the step changes it by Δt J v, and pressures P by
//
//   (J v)_i = V Σ_j (v_i - v_j)·∇W_ij + v_i·∇λ_i         rate of D
//   a(P)    = - 1/ρ0_i (V Σ_j (P_i + P_j) ∇W_ij + P_i ∇λ_i)    = - (J^T P)_i / ρ0_i
//   e(P)    = D - 1 + Δt J (v + k (a_other + a(P)))       predicted error, k the time of the kick
//
// P ≥ bound, e ≤ 0, and one of them with equality. The matrix - ∂e/∂P = Δt k J ρ0⁻¹ J^T is
// symmetric and not negative. Ihmsen et al. 2014 (IISPH) solve this by relaxed Jacobi iteration;
// here a step x → x + ω e/diagonal has a length ω of Barzilai & Borwein 1988, chosen as by
// Frassoldati et al. 2008, which needs a fraction of the rounds.
//
// The pressures P of the step before are already part of the forces. The unknown x is the change of
// P; the record `trial` holds a position and x. The record `guess` holds the velocity after the
// kick by all forces, and the mobility: 1/ρ0, or 0 for particles whose velocity is prescribed.
//
// incompressible_contact.cl has the same pair kernels for particles that are not plain.
#include "boundary/lambda.h"
#include "boundary/nozzle.h"
#include "contact/contact_key.h"
#include "device/kernel.h"
#include "math/sph.h"
#include "particles/matter.h"
#include "pressure/pressure_law.h"

// ---- the constraint ----------------------------------------------------------------------------

#define OZ_STRETCH_TIME 0.1f // s, in which a stretched liquid forgets its stretch

#define press_constrain_ARGS(IN, OUT, VAL)                                                         \
	IN(float, delta)                                                                           \
	IN(oz_float4, wall)                                                                        \
	IN(uint, slot)                                                                             \
	IN(float, contact_delta)                                                                   \
	IN(float, own_alpha)                                                                       \
	IN(uint, tag)                                                                              \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, contact_key)                                                                \
	OUT(oz_float4, position)                                                                   \
	OUT(float, density)                                                                        \
	OUT(float, deficit)                                                                        \
	OUT(float, excess)                                                                         \
	OUT(float, bound)                                                                          \
	OUT(float, most)                                                                           \
	OUT(float, slack)                                                                          \
	VAL(oz_fluid, fluid)                                                                       \
	VAL(uint, slots)                                                                           \
	VAL(uint, fresh)                                                                           \
	VAL(float, keep)                                                                           \
	VAL(float, fade) VAL(float, impact2) VAL(float, column2) VAL(float, dt)
OZ_ARGS(press_constrain)

#define OZ_NO_BOUND -1e30f // Pa

// The largest P over ρ0 c² D. Sound is ten times as fast as the flow, whose dynamic pressure is
// 0.005 ρ0 c²; an impact that stops 40 layers in one step needs ρ0 c²; where the world is deep, it
// is twice the pressure of its depth. A particle that cannot leave what it overlaps, as a drop
// inside a solid, would get any pressure, and throw others away.
#define OZ_MOST_PRESSURE 1.0f

// Largest compression that a step undoes, so that bodies that overlap separate slowly. In solids a
// step undoes only a share of it, as the velocity that moves a whole body back would throw it up.
#define OZ_RELEASED       0.05f
#define OZ_RELEASED_SOLID 0.01f
#define OZ_RELEASED_SHARE 0.2f

#define OZ_RELEASE_WIDTH 2.0f // support radii that sound crosses while compression is undone

// The share of a compression that a step of this length undoes. In a short step the whole of it
// would need a velocity of compression × depth/Δt, which shortens the next step.
OZ_FN float press_release_share(const oz_fluid *f, float dt)
{
	return oz_min(dt * oz_sqrt(f->sound2) / (OZ_RELEASE_WIDTH * f->h), 1.0f);
}

// how much δ of a fluid may fall before it is stretched, at least 0; updates the deficit
OZ_FN float press_slack(float delta, float dt, OZ_GLOBAL float *deficit)
{
	if (*deficit < 0.0f) // what overlaps is not stretched
		return oz_max(1.0f - delta, 0.0f);
	float e = oz_min(oz_max(delta + *deficit, delta), oz_max(delta, 1.0f));
	const float slack = e - delta;
	e += oz_min(dt / OZ_STRETCH_TIME, 1.0f) * (1.0f - e);
	*deficit = oz_max(e - delta, 0.0f);
	return slack;
}

// Writes the density ρ0 D, the error D - 1 that this step is to remove (`excess`) and the bound of
// P, and limits P to it. The bound of a liquid with cohesion is its largest tension, and `slack` is
// the part of its 1 - δ that is no stretch, as in eos.cl.
OZ_FN void press_constrain_at(const press_constrain_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[i]];
	const uint k = a->slots ? a->slot[i] : a->slots;
	float value = a->delta[i];
	bool held = false; // a solid on a wall: its pressure does not act on drops
	float bound = a->fluid.tension ? OZ_NO_BOUND : 0.0f, most = OZ_RELEASED, slack = 0.0f;
	if (k < a->slots) {
		const float alpha = matter_alpha(a->own_alpha[k], m.alpha);
		const uint bits = oz_bits_of_float(a->contact_key[i].w);
		value = alpha * value + (1.0f - alpha) * a->contact_delta[k];
		held = bits & OZ_KEY_FIRM && contact_share_units(a->wall[i].w) == 0u;
		if (bits & OZ_KEY_FIRM)
			a->contact_key[i].w = oz_float_of_bits((bits & ~OZ_KEY_SHARE) |
			                                       contact_share_units(a->wall[i].w));
		else if (bits != OZ_KEY_FLUID)
			a->contact_key[i].w = contact_soft_bits(a->tag[k], alpha);
	} else if (m.flow.cohesion > 0.0f) {
		slack = press_slack(value, a->dt, &a->deficit[i]);
		bound = oz_min(bound, -a->fluid.stress * m.flow.cohesion);
	}
	const float overlap = fluid_overlap(&a->deficit[i], value, a->density[i] * m.inv_density,
	                                    a->fresh, a->keep, a->fade);
	const float over = oz_min(oz_max(value - 1.0f, 0.0f), overlap);
	float error = value - 1.0f - over;
	// what overlaps presses at least as softly as with an equation of state
	if (over > 0.0f)
		bound = a->fluid.stress * OZ_OVERLAP_SOFT * OZ_OVERLAP_SOFT * m.contact_density *
		        a->fluid.sound2 * over;
	if (k < a->slots && m.firm && error > 0.0f) {
		error *= OZ_RELEASED_SHARE;
		most = OZ_RELEASED_SOLID;
	}
	a->density[i] = m.density * value;
	a->excess[i] =
	        error > 0.0f ? oz_min(error * press_release_share(&a->fluid, a->dt), most) : error;
	a->bound[i] = bound;
	a->slack[i] = slack;
	const float deep2 = oz_max(a->fluid.sound2, a->column2);
	a->most[i] = OZ_MOST_PRESSURE * m.contact_density * oz_max(value, 1.0f) *
	             (held ? oz_max(deep2, a->impact2) : deep2);
	a->position[i].w = oz_min(oz_max(a->position[i].w, bound), a->most[i]);
}

// ---- the beginning -----------------------------------------------------------------------------

#define press_begin_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, acceleration)                                                                \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(float, nozzle)                                                                          \
	OUT(oz_float4, guess)                                                                      \
	OUT(oz_float4, trial)                                                                      \
	OUT(float, start)                                                                          \
	OUT(float, change) OUT(float, before) VAL(uint, nozzles) VAL(float, kick)
OZ_ARGS(press_begin)

// The guess is the velocity after the kick by all forces; the trial x is 0.
OZ_FN void press_begin_at(const press_begin_args *a, uint i)
{
	const oz_float4 x = a->position[i], v = a->velocity[i], f = a->acceleration[i];
	// a nozzle moves the particles in it
	const bool guided = a->nozzles && a->nozzle[i] > 0.0f;
	const float k = guided ? 0.0f : a->kick;
	a->guess[i] = oz_make4(v.x + k * f.x, v.y + k * f.y, v.z + k * f.z,
	                       guided ? 0.0f : a->matter[a->material[i]].inv_density);
	a->trial[i] = oz_make4(x.x, x.y, x.z, 0.0f);
	a->start[i] = x.w;
	a->change[i] = a->before[i] = 0.0f;
}

#define press_wall_motion_ARGS(IN, OUT, VAL)                                                       \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, wall)                                                                        \
	IN(float, nozzle)                                                                          \
	IN(oz_collider, collider)                                                                  \
	IN(float, table)                                                                           \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_wall_node, wall_nodes)                                                               \
	OUT(float, excess) VAL(oz_wall_rules, rules) VAL(uint, nozzles)
OZ_ARGS(press_wall_motion)

// adds the change of λ by the motion of colliders in this step to the error of particle i
OZ_FN void press_wall_motion_at(const press_wall_motion_args *a, uint i)
{
	const oz_vec3 x = oz_v3(a->position[i].x, a->position[i].y, a->position[i].z);
	oz_walls w;
	w.table = a->table;
	w.places = a->places;
	w.nearest = a->nearest;
	w.wall_nodes = a->wall_nodes;
	float clearance = OZ_FAR, free = 1.0f;
	if (a->nozzles && a->nozzle[i] != 0.0f)
		return;
	for (uint k = 0; k < a->rules.colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		free *= 1.0f - oz_wall_lambda(&w, &a->rules, c, oz_end_local(c, x), &clearance).w;
	}
	a->excess[i] += 1.0f - free - a->wall[i].w;
}

// ---- pairs of plain particles ------------------------------------------------------------------

#define press_source_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, wall)                                                                        \
	IN(uint, plain)                                                                            \
	IN(float, excess)                                                                          \
	OUT(uint, kept_list)                                                                       \
	OUT(float, kept)                                                                           \
	OUT(uint, kept_count)                                                                      \
	OUT(float, source)                                                                         \
	OUT(float, diagonal)                                                                       \
	OUT(oz_float4, normal)                                                                     \
	VAL(oz_fluid, fluid) VAL(uint, plain_only) VAL(float, dt) VAL(float, span) VAL(float, least)
#define press_source_NEAR(PLACE, ALSO, CASE) PLACE(trial) ALSO(guess) CASE(fluid.smoothing)

typedef struct press_source_sum {
	oz_float4 p, v;
	lane rate, x, y, z, others;
} press_source_sum;

OZ_PAIR_ARGS(press_source)

// Writes the error of the guess, e(0), and the diagonal of the matrix. A particle whose diagonal is
// not above `least` has so little overlap with others that only a very large pressure would move
// it: its diagonal becomes 0, and it gets no pressure. Keeps the neighbours and their W'/r.
OZ_FN void press_source_begin(const press_source_args *a, uint i, press_source_sum *s)
{
	s->p = a->trial[i];
	s->v = a->guess[i];
	s->rate = s->x = s->y = s->z = s->others = lane_of(0.0f);
}

OZ_FN void press_source_pair(const press_source_args *a, press_source_sum *s,
                             const press_source_near *j, lane *kept)
{
	const lane x = s->p.x - j->trial.x, y = s->p.y - j->trial.y, z = s->p.z - j->trial.z;
	const lane r2 = x * x + y * y + z * z;
	const lane g = oz_sph_gradient(a->fluid.smoothing, r2, a->fluid.h);
	*kept = g;
	s->rate += g * ((s->v.x - j->guess.x) * x + (s->v.y - j->guess.y) * y +
	                (s->v.z - j->guess.z) * z);
	s->x += g * x;
	s->y += g * y;
	s->z += g * z;
	s->others += g * g * r2 * j->guess.w;
}

OZ_FN void press_source_end(const press_source_args *a, uint i, press_source_sum *s)
{
	const float V = a->fluid.volume;
	const oz_float4 wall = a->wall[i];
	if (a->plain_only && !a->plain[i])
		return;
	const float x = V * lane_sum(s->x) + wall.x, y = V * lane_sum(s->y) + wall.y,
	            z = V * lane_sum(s->z) + wall.z;
	const float rate =
	        V * lane_sum(s->rate) + s->v.x * wall.x + s->v.y * wall.y + s->v.z * wall.z;
	a->source[i] = a->excess[i] + a->dt * rate;
	const float diagonal =
	        a->span * ((x * x + y * y + z * z) * s->v.w + V * V * lane_sum(s->others));
	a->diagonal[i] = diagonal > a->least ? diagonal : 0.0f;
	a->normal[i] = oz_make4(x, y, z, s->v.w);
}

#define press_accelerate_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, normal)                                                                      \
	IN(uint, plain)                                                                            \
	IN(float, kept) OUT(oz_float4, press) VAL(oz_fluid, fluid) VAL(uint, plain_only)
#define press_accelerate_NEAR(PLACE, ALSO, CASE) ALSO(trial)

typedef struct press_accelerate_sum {
	quad p, force[OZ_QUAD_SUMS];
} press_accelerate_sum;

OZ_KEPT_ARGS(press_accelerate)

// writes a(x) of the trial into `press`
OZ_FN void press_accelerate_begin(const press_accelerate_args *a, uint i, press_accelerate_sum *s)
{
	s->p = quad_load(&a->trial[i]);
	quad_clear(s->force);
}

OZ_FN void press_accelerate_pair(press_accelerate_sum *s, const press_accelerate_near *j,
                                 float kept, int part)
{
	s->force[part] += (kept * quad_all(j->trial, 3)) * (s->p - j->trial);
}

OZ_FN void press_accelerate_end(const press_accelerate_args *a, uint i, press_accelerate_sum *s)
{
	const oz_float4 normal = a->normal[i], own = a->trial[i], force = quad_sum(s->force);
	const float V = a->fluid.volume, mobility = -normal.w;
	if (a->plain_only && !a->plain[i])
		return;
	const float x = mobility * (V * force.x + own.w * normal.x);
	const float y = mobility * (V * force.y + own.w * normal.y);
	const float z = mobility * (V * force.z + own.w * normal.z);
	a->press[i] = oz_make4(x, y, z, x * own.x + y * own.y + z * own.z);
}

#define press_moment_ARGS(IN, OUT, VAL) IN(oz_float4, trial) OUT(oz_float4, press)
OZ_ARGS(press_moment)

// writes a·x into the w of `press` after a was changed by other kernels
OZ_FN void press_moment_at(const press_moment_args *a, uint i)
{
	const oz_float4 x = a->trial[i], f = a->press[i];
	a->press[i].w = f.x * x.x + f.y * x.y + f.z * x.z;
}

#define press_predict_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, press)                                                                       \
	IN(oz_float4, normal)                                                                      \
	IN(uint, plain)                                                                            \
	IN(float, source)                                                                          \
	IN(float, kept)                                                                            \
	OUT(float, error) VAL(oz_fluid, fluid) VAL(uint, plain_only) VAL(float, span)
#define press_predict_NEAR(PLACE, ALSO, CASE) ALSO(press)

typedef struct press_predict_sum {
	quad sum[OZ_QUAD_SUMS];
} press_predict_sum;

OZ_KEPT_ARGS(press_predict)

// writes the error of the trial, e(x) = e(0) + Δt k J a(x)
OZ_FN void press_predict_begin(const press_predict_args *a, uint i, press_predict_sum *s)
{
	(void)a;
	(void)i;
	quad_clear(s->sum);
}

OZ_FN void press_predict_pair(press_predict_sum *s, const press_predict_near *j, float kept,
                              int part)
{
	s->sum[part] += kept * j->press;
}

OZ_FN void press_predict_end(const press_predict_args *a, uint i, press_predict_sum *s)
{
	const oz_float4 n = a->normal[i], v = a->press[i], x = a->trial[i], sum = quad_sum(s->sum);
	if (a->plain_only && !a->plain[i])
		return;
	const float others = sum.x * x.x + sum.y * x.y + sum.z * x.z - sum.w;
	const float rate = v.x * n.x + v.y * n.y + v.z * n.z - a->fluid.volume * others;
	a->error[i] = a->source[i] + a->span * rate;
}

#define incompressible_KERNELS(X)                                                                  \
	X(press_constrain, EACH)                                                                   \
	X(press_begin, EACH)                                                                       \
	X(press_wall_motion, EACH)                                                                 \
	X(press_source, PAIRS_KEEP)                                                                \
	X(press_accelerate, PAIRS_KEPT)                                                            \
	X(press_moment, EACH)                                                                      \
	X(press_predict, PAIRS_KEPT)
OZ_KERNELS(incompressible_KERNELS)
