// ticks.c: the ticks of an axis and their labels.
//
// Steps are 1, 2 or 5 · 10ⁿ. Labels that would be long (many zeros before or after the point) are
// divided by 10³ⁿ, and the title of the axis gives this factor.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/ticks.h"

#define NOISE 1e-8 // relative; stats.csv has nine digits
#define SLACK 1e-6 // tolerance of a tick, in steps
#define LEAST 1e-290

// Widens the range where all values are equal: an axis needs a length.
static void widen(double *low, double *high)
{
	double size = fmax(fabs(*low), fabs(*high));
	if (*high - *low > fmax(NOISE * size, LEAST))
		return;
	double middle = *low + (*high - *low) / 2, half = size > LEAST ? size / 10 : 1;
	*low = middle - half;
	*high = middle + half;
}

// The least step of 1, 2 or 5 · 10ⁿ that is at least `wanted`.
static double nice_step(double wanted)
{
	double power = pow(10, floor(log10(wanted))), share = wanted / power;
	if (share <= 1 + SLACK)
		return power;
	return share <= 2 + SLACK ? 2 * power : share <= 5 + SLACK ? 5 * power : 10 * power;
}

// Power of ten by which labels are divided, for values up to `size`; 0: none.
static int label_exponent(double size)
{
	if (size < 1e5 && size > 0.0099)
		return 0;
	return 3 * (int)floor(log10(size) / 3 + SLACK);
}

oz_ticks oz_ticks_span(double low, double high, uint32_t most)
{
	widen(&low, &high);
	oz_ticks ticks = {.step = nice_step((high - low) / (most > 2 ? most - 1 : 1))};
	ticks.first = floor(low / ticks.step + SLACK);
	ticks.count = (uint32_t)(ceil(high / ticks.step - SLACK) - ticks.first) + 1;
	double last = oz_ticks_value(&ticks, ticks.count - 1);
	ticks.exponent = label_exponent(fmax(fabs(oz_ticks_value(&ticks, 0)), fabs(last)));
	int digits = ticks.exponent - (int)floor(log10(ticks.step) + SLACK);
	ticks.decimals = digits > 0 ? digits : 0;
	return ticks;
}

double oz_ticks_value(const oz_ticks *ticks, uint32_t k)
{
	return (ticks->first + k) * ticks->step;
}

void oz_ticks_label(const oz_ticks *ticks, uint32_t k, char *text, size_t size)
{
	// adding zero turns -0 into 0
	const double value = oz_ticks_value(ticks, k) / pow(10, ticks->exponent) + 0.0;
	snprintf(text, size, "%s%.*f", value < 0 ? "−" : "", ticks->decimals, fabs(value));
}

// Writes 10 to a power with raised digits.
static void write_power(int exponent, char text[32])
{
	static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	char digits[12];
	int used = snprintf(text, 32, "10%s", exponent < 0 ? "⁻" : "");
	snprintf(digits, sizeof digits, "%d", abs(exponent));
	for (const char *digit = digits; *digit; digit++)
		used += snprintf(text + used, (size_t)(32 - used), "%s", raised[*digit - '0']);
}

void oz_ticks_title(const oz_ticks *ticks, const char *title, const char *unit, char *text,
                    size_t size)
{
	char power[32] = "";
	if (ticks->exponent)
		write_power(ticks->exponent, power);
	if (!unit && !ticks->exponent)
		snprintf(text, size, "%s", title);
	else
		snprintf(text, size, "%s (%s%s%s)", title, power, unit && power[0] ? " " : "",
		         unit ? unit : "");
}
