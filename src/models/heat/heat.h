// heat.h: temperature from energy, with latent heat; liquid share and α from temperature. For
// kernels and host.
//
// The latent heat L is spread evenly over the melting range ΔT above the melting point. With c the
// heat capacity, a kilogram takes up c per kelvin outside the range and c + L/ΔT inside.
#ifndef OZ_HEAT_H
#define OZ_HEAT_H

#include "particles/matter.h"

// the liquid share at a temperature, 0 … 1
OZ_FN float heat_liquid_share(float melting_point, float melting_range, float temperature)
{
	return oz_min(oz_max((temperature - melting_point) / melting_range, 0.0f), 1.0f);
}

// α of a blend at a temperature
OZ_FN float heat_alpha(const oz_matter *m, float temperature)
{
	const float share = heat_liquid_share(m->melting_point, m->melting_range, temperature);
	return m->alpha + share * (m->alpha_hot - m->alpha);
}

// The melting range in the direction of the temperature change: the temperatures where it is
// entered and left, and the effective heat capacity inside.
typedef struct heat_path {
	float enter, leave; // °C
	float melting;      // J/(kg·K)
	float sign;         // 1: warming, -1: cooling
} heat_path;

OZ_FN heat_path heat_path_of(const oz_matter *m, bool warmer)
{
	const float low = m->melting_point, high = low + m->melting_range;
	heat_path path;
	path.enter = warmer ? low : high;
	path.leave = warmer ? high : low;
	path.melting = m->heat_capacity + m->latent_heat / m->melting_range;
	path.sign = warmer ? 1.0f : -1.0f;
	return path;
}

// The change of temperature, K, that `energy`, J/kg, causes. Exact, also where the change enters or
// crosses the melting range.
OZ_FN float heat_rise(const oz_matter *m, float temperature, float energy)
{
	const heat_path path = heat_path_of(m, energy > 0.0f);
	const float c = m->heat_capacity;
	const float before = oz_max(path.sign * (path.enter - temperature), 0.0f);
	const float inside = oz_max(path.sign * (path.leave - temperature) - before, 0.0f);
	float left = path.sign * energy;
	const float first = oz_min(left, c * before);
	left -= first;
	const float second = oz_min(left, path.melting * inside);
	left -= second;
	return path.sign * ((first + left) / c + second / path.melting);
}

// The change of temperature, K, by relaxation towards `goal`, °C. `action` is rate times time.
// Outside the melting range the difference decays by exp(-action); inside, the rate is divided by
// the ratio of the heat capacities.
OZ_FN float heat_toward(const oz_matter *m, float temperature, float goal, float action)
{
	const heat_path path = heat_path_of(m, goal > temperature);
	float at = temperature, change = 0.0f;
	for (int part = 0; part < 2; part++) {
		const float edge = part == 0 ? path.enter : path.leave;
		const float pace = part == 0 ? 1.0f : m->heat_capacity / path.melting;
		if (!(path.sign * (edge - at) > 0.0f))
			continue;
		const float step = -oz_expm1(-action * pace) * (goal - at);
		if (oz_abs(step) <= oz_abs(edge - at))
			return change + step;
		action = oz_max(action - oz_log((goal - at) / (goal - edge)) / pace, 0.0f);
		change += edge - at;
		at = edge;
	}
	return change - oz_expm1(-action) * (goal - at);
}

// Adds `rise`, K, to a temperature stored as two floats: the second keeps the rounding error of the
// first. Rises per step are small, and one float would lose them.
OZ_FN void heat_add(OZ_GLOBAL float *temperature, OZ_GLOBAL float *temperature_residual, float rise)
{
	const float t = *temperature, more = rise + *temperature_residual, sum = t + more;
	*temperature = sum;
	*temperature_residual = more - (sum - t);
}

#endif
