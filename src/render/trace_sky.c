// trace_sky.c: sky, sun, and a ground that fades into haze.
#include "render/trace.h"

static const oz_vec3 ground_colour = {0.37f, 0.365f, 0.36f};

void oz_set_light(oz_set *set, const oz_light *light)
{
	set->light = *light;
	set->light.sun_direction = oz_normalize(light->sun_direction);
	set->cos_sun = cosf(oz_max(light->sun_radius, 1e-3f));
	set->sun_radiance = oz_scale(light->sun, 1.0f / (2.0f * OZ_PI * (1.0f - set->cos_sun)));
	set->sun_x = oz_perpendicular(set->light.sun_direction);
	set->sun_y = oz_cross(set->light.sun_direction, set->sun_x);
}

oz_vec3 oz_set_sky(const oz_set *set, oz_vec3 direction, bool sun)
{
	const oz_light *l = &set->light;
	const float up = oz_clamp01(direction.y);
	const oz_vec3 sky = oz_mix(l->horizon, l->zenith, up * (2.0f - up));
	if (sun && oz_dot(direction, l->sun_direction) > set->cos_sun)
		return oz_add(sky, set->sun_radiance);
	return sky;
}

// The fraction of a grid line within x ± blur.
static float grid_line(float x, float step, float blur)
{
	const float off = oz_abs(x / step - oz_floor(x / step + 0.5f)) * step;
	const float width = 0.008f * step, half = oz_max(blur, 0.25f * width);
	return oz_clamp01((width + half - off) / (2.0f * half)) * oz_min(width / half, 1.0f);
}

oz_vec3 oz_set_ground(const oz_set *set, oz_vec3 at, float blur)
{
	const float line =
	        oz_max(grid_line(at.x, set->grid, blur), grid_line(at.z, set->grid, blur));
	return oz_scale(ground_colour, 1.0f - 0.35f * line);
}

float oz_set_haze(const oz_set *set, float distance)
{
	const float h = oz_clamp01((distance / set->size - 2.0f) / 8.0f);
	return h * (2.0f - h);
}
