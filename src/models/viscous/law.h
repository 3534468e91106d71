// law.h: the viscosity of a thick fluid, over the rate of shear and temperature.
//
//   Herschel & Bulkley (Newton, power law and Bingham are special cases), regularised as by
//   Papanastasiou, with r the creep rate:
//     μ = τ_y (1 - exp(-γ/r))/γ + K (γ² + r²)^((n - 1)/2)
//   Carreau:
//     μ = μ_fast + (μ_0 - μ_fast) (1 + (t γ)²)^((n - 1)/2)
//   all of it times exp(E/R (1/T - 1/T_0))      Arrhenius, T in kelvin; or a factor from a table
//   and times s + (1 - s) λ, λ the structure of a thixotropic fluid
#ifndef OZ_LAW_H
#define OZ_LAW_H

#include "particles/matter.h"

// the factor c: on a cubic lattice waves of 20 spacings decay by 0.99, 0.96 and 0.97 of the exact
// rate with 1.5 (across a face, an edge and a corner of its cell), by 1.02, 0.99 and 1.00 with 2.5
#define OZ_VISCOUS_RESIDUAL 2.5f

#define OZ_GAS         8.314462f // J/(mol·K)
#define OZ_LAW_MOST    1e7f      // Pa·s
#define OZ_LAW_KELVIN  273.15f
#define OZ_LAW_COLDEST 20.0f // K
#define OZ_LAW_EXTREME 20.0f // largest exponent of Arrhenius' factor

// (1 - exp(-x))/x
OZ_FN float law_creep(float x)
{
	return x > 1e-3f ? -oz_expm1(-x) / x : 1.0f - 0.5f * x;
}

// Pa·s at a rate of shear, 1/s
OZ_FN float law_viscosity(const oz_law *law, float rate)
{
	const float power = 0.5f * (law->exponent - 1.0f);
	float mu;
	if (law->time > 0.0f) {
		const float x = law->time * rate;
		mu = law->fast + (law->base - law->fast) * oz_pow(1.0f + x * x, power);
	} else {
		const float r = law->creep_rate;
		mu = law->base * (power != 0.0f ? oz_pow(rate * rate + r * r, power) : 1.0f);
		if (law->yield > 0.0f)
			mu += law->yield / r * law_creep(rate / r);
	}
	return oz_min(mu, OZ_LAW_MOST);
}

// The viscosity follows the law in OZ_LAW_DELAY, s, in proportion to the logarithm: at once, it
// would jump by decades from step to step where a fluid with a yield stress is about to stand
// still. `last`: that of the last step, 0 if there is none.
#define OZ_LAW_DELAY 1e-3f

OZ_FN float law_follow(float last, float now, float dt)
{
	const float share = dt < OZ_LAW_DELAY ? dt / OZ_LAW_DELAY : 1.0f;
	return last > 0.0f && now > 0.0f ? last * oz_pow(now / last, share) : now;
}

// Arrhenius: the viscosity at a temperature, °C, over that at the reference, K; `activation`: K,
// the energy over the gas constant
OZ_FN float law_thinning(float activation, float reference, float temperature)
{
	if (activation == 0.0f)
		return 1.0f;
	const float t = oz_max(temperature + OZ_LAW_KELVIN, OZ_LAW_COLDEST);
	const float x = activation * (1.0f / t - 1.0f / reference);
	return oz_exp(oz_min(oz_max(x, -OZ_LAW_EXTREME), OZ_LAW_EXTREME));
}

// The same by the table: linear in the logarithm between two points, constant beyond the ends.
OZ_FN float law_from_table(const oz_law *law, float temperature)
{
	const float t = temperature + OZ_LAW_KELVIN;
	float value = law->factor[0];
	for (uint k = 1; k < law->points; k++) {
		const float from = law->warmth[k - 1], to = law->warmth[k];
		const float share = oz_min(oz_max((t - from) / (to - from), 0.0f), 1.0f);
		value += share * (law->factor[k] - law->factor[k - 1]);
	}
	return oz_exp(value);
}

// the viscosity at a temperature, °C, over that at the reference
OZ_FN float law_at_temperature(const oz_law *law, float temperature)
{
	return law->points > 0u ? law_from_table(law, temperature)
	                        : law_thinning(law->activation, law->reference, temperature);
}

// The structure after a time dt, at a constant rate of shear: dλ/dt = (1 - λ)/t - b γ λ
OZ_FN float law_structure(const oz_law *law, float structure, float rate, float dt)
{
	const float built = 1.0f / law->rebuild, change = built + law->breakdown * rate;
	const float steady = built / change;
	return steady + (structure - steady) * oz_exp(-change * dt);
}

// the viscosity over that of the whole structure
OZ_FN float law_of_structure(const oz_law *law, float structure)
{
	return law->broken + (1.0f - law->broken) * structure;
}

// whether the viscosity depends on the rate of shear
OZ_FN bool law_needs_rate(const oz_law *law)
{
	return law->yield > 0.0f || law->exponent != 1.0f || law->rebuild > 0.0f;
}

#endif
