// colour.c: colours: a map for the values of fields, a palette for numbers, colours of known
// liquids.
#include <string.h>

#include "math/srgb.h"
#include "math/vec.h"
#include "render/render.h"

oz_vec3 oz_colour_linear(oz_vec3 srgb)
{
	return oz_v3(oz_srgb_to_linear(srgb.x), oz_srgb_to_linear(srgb.y),
	             oz_srgb_to_linear(srgb.z));
}

// Linear light of an sRGB colour, 0 … 255.
static oz_vec3 linear(const uint8_t rgb[3])
{
	return oz_v3(oz_srgb_to_linear((float)rgb[0] / 255.0f),
	             oz_srgb_to_linear((float)rgb[1] / 255.0f),
	             oz_srgb_to_linear((float)rgb[2] / 255.0f));
}

uint8_t oz_colour_byte(float x)
{
	x = x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
	return (uint8_t)(255.0f * oz_linear_to_srgb(x) + 0.5f);
}

oz_vec3 oz_colour_map(float share)
{
	static const uint8_t steps[][3] = {{54, 20, 92},   {55, 66, 140},  {38, 108, 152},
	                                   {24, 148, 142}, {76, 184, 106}, {166, 212, 66},
	                                   {250, 228, 70}};
	const int last = (int)(sizeof steps / sizeof steps[0]) - 1;
	if (!(share > 0.0f))
		return linear(steps[0]);
	float at = share < 1.0f ? share * (float)last : (float)last;
	int k = (int)at < last ? (int)at : last - 1;
	oz_vec3 a = linear(steps[k]), b = linear(steps[k + 1]);
	return oz_mad(a, oz_sub(b, a), at - (float)k);
}

oz_vec3 oz_colour_number(uint32_t number)
{
	static const uint8_t palette[][3] = {{12, 92, 166},   {236, 158, 32}, {38, 158, 108},
	                                     {206, 72, 66},   {136, 98, 200}, {88, 184, 214},
	                                     {222, 118, 168}, {152, 158, 60}};
	return linear(palette[number % (sizeof palette / sizeof palette[0])]);
}

oz_vec3 oz_colour_material(const char *name, uint32_t number)
{
	static const struct {
		const char *name;
		uint8_t rgb[3];
	} known[] = {
	        {"water", {12, 92, 166}},       {"seawater", {20, 116, 160}},
	        {"milk", {238, 234, 222}},      {"blood", {140, 16, 22}},
	        {"egg white", {232, 222, 178}}, {"oil", {240, 168, 36}},
	        {"motor oil", {120, 70, 26}},   {"castor oil", {226, 200, 96}},
	        {"glycerol", {150, 196, 214}},  {"syrup", {206, 116, 30}},
	        {"honey", {238, 150, 20}},      {"molasses", {58, 30, 18}},
	        {"lava", {226, 74, 20}},        {"mercury", {176, 182, 190}},
	};
	for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
		if (name && strcmp(name, known[k].name) == 0)
			return linear(known[k].rgb);
	return oz_colour_number(number);
}
