// ticks.h: the ticks of an axis or of a colour bar, and their labels.
#ifndef OZ_TICKS_H
#define OZ_TICKS_H

#include <stddef.h>
#include <stdint.h>

// Ticks at whole multiples of a step of 1, 2 or 5 · 10ⁿ; the axis begins and ends with one.
typedef struct oz_ticks {
	double step;
	double first; // the first tick is at first · step
	uint32_t count;
	int exponent; // labels are in units of 10^exponent
	int decimals; // of a label
} oz_ticks;

// Ticks that span low … high (finite, up to 1e300) with about `most` of them.
oz_ticks oz_ticks_span(double low, double high, uint32_t most);
double oz_ticks_value(const oz_ticks *ticks, uint32_t k);
void oz_ticks_label(const oz_ticks *ticks, uint32_t k, char *text, size_t size);
// Writes the title of an axis with its unit (NULL: none) and its power of ten: energy (10³ J).
void oz_ticks_title(const oz_ticks *ticks, const char *title, const char *unit, char *text,
                    size_t size);

#endif
