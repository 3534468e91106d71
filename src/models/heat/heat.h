// heat.h: how a material takes up heat, and what that does to it; for kernels and host.
//
// With c the heat capacity and L the latent heat, spread evenly over the melting range ΔT above the
// melting point, a kilogram takes up c for each degree outside the range and c + L/ΔT inside.
#ifndef OZ_HEAT_H
#define OZ_HEAT_H

#include "particles/matter.h"

// how much of it is liquid at a temperature, 0 … 1
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

// The way through the melting range, up or down: where it is entered and left, and what a degree
// takes there.
typedef struct heat_way {
	float enter, leave; // °C
	float melting;      // J/(kg·K)
	float sign;         // 1: it gets warmer, -1: colder
} heat_way;

OZ_FN heat_way heat_way_of(const oz_matter *m, bool warmer)
{
	const float low = m->melting_point, high = low + m->melting_range;
	heat_way way;
	way.enter = warmer ? low : high;
	way.leave = warmer ? high : low;
	way.melting = m->heat_capacity + m->latent_heat / m->melting_range;
	way.sign = warmer ? 1.0f : -1.0f;
	return way;
}

// K by which J/kg warm it, exactly, wherever that leads
OZ_FN float heat_rise(const oz_matter *m, float temperature, float energy)
{
	const heat_way way = heat_way_of(m, energy > 0.0f);
	const float c = m->heat_capacity;
	const float before = oz_max(way.sign * (way.enter - temperature), 0.0f);
	const float inside = oz_max(way.sign * (way.leave - temperature) - before, 0.0f);
	float left = way.sign * energy;
	const float first = oz_min(left, c * before);
	left -= first;
	const float second = oz_min(left, way.melting * inside);
	left -= second;
	return way.sign * ((first + left) / c + second / way.melting);
}

// K that it has come nearer to a temperature after `action`, a rate times a time: by exp(-action)
// outside the melting range, and as much slower inside as a degree takes more heat
OZ_FN float heat_toward(const oz_matter *m, float temperature, float goal, float action)
{
	const heat_way way = heat_way_of(m, goal > temperature);
	float at = temperature, way_done = 0.0f;
	for (int part = 0; part < 2; part++) {
		const float edge = part == 0 ? way.enter : way.leave;
		const float pace = part == 0 ? 1.0f : m->heat_capacity / way.melting;
		if (!(way.sign * (edge - at) > 0.0f))
			continue;
		const float step = -oz_expm1(-action * pace) * (goal - at);
		if (oz_abs(step) <= oz_abs(edge - at))
			return way_done + step;
		action = oz_max(action - oz_log((goal - at) / (goal - edge)) / pace, 0.0f);
		way_done += edge - at;
		at = edge;
	}
	return way_done - oz_expm1(-action) * (goal - at);
}

// Adds a rise to a temperature of two floats: what the first rounds away, the second keeps. Heat
// goes in small steps: without it the last of them would be lost.
OZ_FN void heat_add(OZ_GLOBAL float *temperature, OZ_GLOBAL float *temperature_residual, float rise)
{
	const float t = *temperature, more = rise + *temperature_residual, sum = t + more;
	*temperature = sum;
	*temperature_residual = more - (sum - t);
}

#endif
