// eos.cl: pressure from density by an equation of state.
//
//   p_i = ρ0_i c² (δ_i - 1)                          linear (Takamatsu & Kanai, below eq 2), k = c²
//   p_i = ρ0_i c²/7 (δ_i⁷ - 1)                       Tait
//   P_i = κ p_i / δ_i²                               used by pair forces
//
// In fluids p has a second term, ζ dδ/dt: it damps sound and does not act in shear. The rate is the
// change of δ since the last step, which is that of the velocities of the last drift.
//
// A stretched liquid has a tension, at most its cohesion. δ is below 1 in a stretched liquid and at
// a free surface, where neighbours are missing. So each particle has a deficit, the part of 1 - δ
// that is not stretch, and with e = δ + deficit pressure has a third term, which P has without
// 1/δ²:
//
//   max(ρ0_i c² (e_i - 1), - cohesion)               e_i < 1
//
// e begins at 1 and follows the changes of δ; it is at least δ and, where δ < 1, at most 1, so that
// particles that meet are not stretched; and it returns to 1 in the time τ.
//
// Particles that overlap when they are added are soft until they have parted (pressure_law.h).
//
// κ makes the gradient of a linear pressure exact on average over three lattices (rules.c). A
// particle with a rest shape has two densities, δ and the contact density δc (contact.cl): P = α
// P(δ) + (1 - α) P(δc). Pairs inside a component use only the first term.
#include "contact/contact_key.h"
#include "pressure/pressure_law.h"

#define eos_solve_ARGS(IN, OUT, VAL)                                                               \
	IN(float, delta)                                                                           \
	IN(uint, slot)                                                                             \
	IN(float, contact_delta)                                                                   \
	IN(float, own_alpha)                                                                       \
	IN(uint, tag)                                                                              \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, contact_key)                                                                \
	OUT(oz_float4, position)                                                                   \
	OUT(float, density)                                                                        \
	OUT(float, pressure)                                                                       \
	OUT(float, deficit)                                                                        \
	VAL(oz_fluid, fluid)                                                                       \
	VAL(uint, slots)                                                                           \
	VAL(uint, fresh) VAL(float, keep) VAL(float, fade) VAL(float, last_dt) VAL(float, dt)
OZ_ARGS(eos_solve)

// The share of ζ that acts: none at a free surface, where a change of δ is no compression.
#define OZ_DAMPED_FROM 0.9f
#define OZ_RATE_MOST   0.25f // of c/h: when particles are added nearby, δ jumps

// ζ dδ/dt of a fluid, Pa; `before`: δ of the last step, 0 if there is none
OZ_FN float eos_damping(const oz_fluid *f, float bulk, float delta, float before, float dt)
{
	const float most = OZ_RATE_MOST * oz_sqrt(f->sound2) / f->h;
	const float share =
	        oz_min(oz_max((delta - OZ_DAMPED_FROM) / (1.0f - OZ_DAMPED_FROM), 0.0f), 1.0f);
	if (before == 0.0f || dt == 0.0f)
		return 0.0f;
	return share * bulk * oz_min(oz_max((delta - before) / dt, -most), most);
}

// particle i, whose slot is k
OZ_FN void eos_shaped(const eos_solve_args *a, uint i, uint k)
{
	const oz_matter m = a->matter[a->material[i]];
	const float delta = a->delta[i], delta_c = a->contact_delta[k];
	const float alpha = matter_alpha(a->own_alpha[k], m.alpha);
	const float both = alpha * delta + (1.0f - alpha) * delta_c;
	const float damping = eos_damping(&a->fluid, m.flow.bulk, both,
	                                  a->density[i] * m.inv_density, a->last_dt);
	// the overlap is the same in both densities: it comes from other bodies
	const float overlap = fluid_overlap(&a->deficit[i], both, a->density[i] * m.inv_density,
	                                    a->fresh, a->keep, a->fade);
	const float pf = alpha * (fluid_pressure(&a->fluid, m.density, delta, overlap) + damping);
	const float pc =
	        (1.0f - alpha) * fluid_pressure(&a->fluid, m.contact_density, delta_c, overlap);
	const float inner = pf / (delta * delta), whole = inner + pc / (delta_c * delta_c);
	const float fraction = whole != 0.0f ? oz_min(oz_max(inner / whole, 0.0f), 1.0f) : 0.0f;
	const uint bits = oz_bits_of_float(a->contact_key[i].w);
	a->density[i] = m.density * both;
	a->pressure[i] = pf + pc;
	a->position[i].w = a->fluid.stress * whole;
	if (!(bits & OZ_KEY_FIRM) && bits != OZ_KEY_FLUID)
		a->contact_key[i].w = contact_soft_bits(a->tag[k], fraction);
}

#define OZ_STRETCH_TIME 0.1f // s, τ

// the third term, Pa, at most 0; updates the deficit
OZ_FN float eos_cohesion(const oz_fluid *f, const oz_matter *m, float delta, float dt,
                         OZ_GLOBAL float *deficit)
{
	if (*deficit < 0.0f) // what overlaps is not stretched
		return 0.0f;
	float e = oz_min(oz_max(delta + *deficit, delta), oz_max(delta, 1.0f));
	const float p =
	        oz_min(oz_max(m->density * f->sound2 * (e - 1.0f), -m->flow.cohesion), 0.0f);
	e += oz_min(dt / OZ_STRETCH_TIME, 1.0f) * (1.0f - e);
	*deficit = oz_max(e - delta, 0.0f);
	return p;
}

// writes density, pressure and P of particle i
OZ_FN void eos_solve_at(const eos_solve_args *a, uint i)
{
	const uint k = a->slots ? a->slot[i] : 0u;
	if (k < a->slots) {
		eos_shaped(a, i, k);
		return;
	}
	const oz_matter m = a->matter[a->material[i]];
	const float delta = a->delta[i];
	const float overlap = fluid_overlap(&a->deficit[i], delta, a->density[i] * m.inv_density,
	                                    a->fresh, a->keep, a->fade);
	const float stretch = m.flow.cohesion > 0.0f
	                              ? eos_cohesion(&a->fluid, &m, delta, a->dt, &a->deficit[i])
	                              : 0.0f;
	const float p = fluid_pressure(&a->fluid, m.density, delta, overlap) +
	                eos_damping(&a->fluid, m.flow.bulk, delta, a->density[i] * m.inv_density,
	                            a->last_dt);
	a->density[i] = m.density * delta;
	a->pressure[i] = p + stretch;
	a->position[i].w = a->fluid.stress * (p / (delta * delta) + stretch);
}

#define eos_KERNELS(X) X(eos_solve, EACH)
OZ_KERNELS(eos_KERNELS)
