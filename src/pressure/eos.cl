// eos.cl: pressure from density by an equation of state.
//
//   p_i = ρ0_i c² (δ_i - 1)                          linear (Takamatsu & Kanai, below eq 2), k = c²
//   p_i = ρ0_i c²/7 (δ_i⁷ - 1)                       Tait
//   P_i = κ p_i / δ_i²                               used by pair forces
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
	OUT(float, density) OUT(float, pressure) VAL(oz_fluid, fluid) VAL(uint, slots)
OZ_ARGS(eos_solve)

// particle i, whose slot is k
OZ_FN void eos_shaped(const eos_solve_args *a, uint i, uint k)
{
	const oz_matter m = a->matter[a->material[i]];
	const float delta = a->delta[i], delta_c = a->contact_delta[k];
	const float alpha = matter_alpha(a->own_alpha[k], m.alpha);
	const float pf = alpha * fluid_pressure(&a->fluid, m.density, delta);
	const float pc = (1.0f - alpha) * fluid_pressure(&a->fluid, m.density, delta_c);
	const float inner = pf / (delta * delta), whole = inner + pc / (delta_c * delta_c);
	const float fraction = whole != 0.0f ? oz_min(oz_max(inner / whole, 0.0f), 1.0f) : 0.0f;
	const uint bits = oz_bits_of_float(a->contact_key[i].w);
	a->density[i] = m.density * (alpha * delta + (1.0f - alpha) * delta_c);
	a->pressure[i] = pf + pc;
	a->position[i].w = a->fluid.stress * whole;
	if (!(bits & OZ_KEY_FIRM) && bits != OZ_KEY_FLUID)
		a->contact_key[i].w = contact_soft_bits(a->tag[k], fraction);
}

// writes density, pressure and P of particle i
OZ_FN void eos_solve_at(const eos_solve_args *a, uint i)
{
	const uint k = a->slots ? a->slot[i] : 0u;
	if (k < a->slots) {
		eos_shaped(a, i, k);
		return;
	}
	const float rest = a->matter[a->material[i]].density, delta = a->delta[i];
	const float p = fluid_pressure(&a->fluid, rest, delta);
	a->density[i] = rest * delta;
	a->pressure[i] = p;
	a->position[i].w = a->fluid.stress * p / (delta * delta);
}

#define eos_KERNELS(X) X(eos_solve, EACH)
OZ_KERNELS(eos_KERNELS)
